// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile solvers: the solver table.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "failure.hpp"
#include "octile/octile.hpp"

namespace octile::cli {
namespace {

struct SolversOptions {
  bool json = false;
};

int run_solvers(const SolversOptions& options) {
  if (options.json) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (SolverId id = 0; id < solver_count(); ++id) {
      const SolverInfo& info = solver_info(id);
      all.push_back({{"name", info.name},
                     {"summary", info.summary},
                     {"serves", info.serves},
                     {"otherwise", info.otherwise},
                     {"exact", info.exact}});
    }
    fmt::print("{}\n", all.dump(2));
    return kDone;
  }
  size_t name_width = 6;
  for (SolverId id = 0; id < solver_count(); ++id) {
    name_width = std::max(name_width, std::string(solver_info(id).name).size());
  }
  for (SolverId id = 0; id < solver_count(); ++id) {
    const SolverInfo& info = solver_info(id);
    const std::string otherwise =
        *info.otherwise == '\0' ? "" : fmt::format("; else {} answers", info.otherwise);
    fmt::print("{:<{}}  {}\n", info.name, name_width, info.summary);
    fmt::print("{:<{}}  {}; serves {}{}\n", "", name_width, info.exact ? "exact" : "bounded",
               info.serves, otherwise);
  }
  return kDone;
}

}  // namespace

void add_solvers(CLI::App& app, Action& action) {
  const auto options = std::make_shared<SolversOptions>();
  CLI::App& command = *app.add_subcommand("solvers", "list the solvers");
  command.add_flag("--json", options->json, "as JSON");
  set_action(command, action, options, run_solvers);
}

}  // namespace octile::cli
