// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The commands. Each lives in a file of its own, cmd_NAME.cpp, and adds itself to the parser; when
// the user has named it, its parse callback sets the Action that main() then runs.

#include <CLI/CLI.hpp>
#include <functional>

namespace octile::cli {

using Action = std::function<int()>;  // gives the exit code; may throw Failure

void add_batch(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);
void add_cases(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_convert(CLI::App& app, Action& action);
void add_demo(CLI::App& app, Action& action);
void add_edit_bench(CLI::App& app, Action& action);
void add_field(CLI::App& app, Action& action);
void add_find(CLI::App& app, Action& action);
void add_generate(CLI::App& app, Action& action);
void add_group(CLI::App& app, Action& action);
void add_index(CLI::App& app, Action& action);
void add_info(CLI::App& app, Action& action);
void add_mapf(CLI::App& app, Action& action);
void add_mapf_check(CLI::App& app, Action& action);
void add_render(CLI::App& app, Action& action);
void add_solvers(CLI::App& app, Action& action);
void add_steps(CLI::App& app, Action& action);
void add_stream(CLI::App& app, Action& action);
void add_would_block(CLI::App& app, Action& action);

// The usual way to do so: options live until the action has run.
template <class Options>
void set_action(CLI::App& command, Action& action, std::shared_ptr<Options> options,
                int (*run)(const Options&)) {
  command.callback([&action, options, run] { action = [options, run] { return run(*options); }; });
}

}  // namespace octile::cli
