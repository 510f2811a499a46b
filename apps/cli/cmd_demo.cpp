// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile demo: what Octile does, in a minute: exact paths timed against the textbook's own ways,
// and pictures of how they were found.

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "command.hpp"
#include "demo.hpp"
#include "failure.hpp"
#include "files.hpp"

namespace octile::cli {
namespace {

struct DemoOptions {
  std::string out = "out";
};

int run_demo(const DemoOptions& options) {
  make_directory(options.out);
  const size_t different = demo_scenes();
  const size_t wrong = demo_real_maps();
  fmt::print("\nPictures:\n");
  for (const std::string& name : demo_pictures(options.out)) fmt::print("  {}\n", name);
  fmt::print(
      "\nNext (./run ARGS calls octile ARGS):\n"
      "  octile generate maze --size 120x80 --corridor 3 -o maze.map\n"
      "  octile find maze.map --from 0,0 --to 117,77 --out maze.gif\n"
      "  octile --help\n");
  if (different + wrong == 0) return kDone;
  throw Failure{kFailed, fmt::format("{} answers are wrong", different + wrong)};
}

}  // namespace

void add_demo(CLI::App& app, Action& action) {
  const auto options = std::make_shared<DemoOptions>();
  CLI::App& command = *app.add_subcommand("demo", "see paths found, timed and drawn");
  command.add_option("--out", options->out, "where the pictures go")->capture_default_str();
  set_action(command, action, options, run_demo);
}

}  // namespace octile::cli
