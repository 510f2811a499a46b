// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile would-block: would walls on these cells cut off what is connected?

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <vector>

#include "command.hpp"
#include "failure.hpp"
#include "maps.hpp"
#include "numbers.hpp"

namespace octile::cli {
namespace {

struct WouldBlockOptions {
  std::string map;
  std::vector<std::string> block;
  std::string from;
  std::string to;
  ProfileOptions profile;
};

int run_would_block(const WouldBlockOptions& options) {
  std::vector<Cell> cells;
  for (const std::string& text : options.block) cells.push_back(cell("--block", text));
  if (options.from.empty() != options.to.empty()) refuse("--from and --to belong together");
  const bool way = !options.from.empty();
  CellPair pair;
  if (way) pair = {cell("--from", options.from), cell("--to", options.to)};
  const Profile profile = options.profile.profile();
  Engine engine;
  load_map(options.map, engine);
  const View view = publish(engine, profile);
  for (const Cell c : cells) {
    if (!view.contains(c)) refuse("--block ({},{}) lies outside the map", c.x, c.y);
  }
  if (way) {
    if (!view.passable(pair.a) || view.component(pair.a) != view.component(pair.b)) {
      refuse("({},{}) and ({},{}) are not connected as it is", pair.a.x, pair.a.y, pair.b.x,
             pair.b.y);
    }
  }
  Searcher searcher;
  bool blocks = false;
  double best = 1e300, spent = 0;
  while (spent < 2e4) {
    const auto begin = std::chrono::steady_clock::now();
    const Fault fault = would_disconnect(searcher, view, cells.data(), cells.size(),
                                         way ? &pair : nullptr, way ? 1 : 0, &blocks);
    const double us =
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
    if (fault) refuse("{}", fault.text);
    best = std::min(best, us);
    spent += us + 1;
  }
  fmt::print("blocks    {}\n", blocks ? "yes" : "no");
  fmt::print("time      {:.2f} us\n", best);
  return blocks ? kFailed : kDone;
}

}  // namespace

void add_would_block(CLI::App& app, Action& action) {
  const auto options = std::make_shared<WouldBlockOptions>();
  CLI::App& command = *app.add_subcommand("would-block", "would walls cut off what is connected?");
  command.add_option("MAP", options->map, "a map: Moving AI, PNG, PGM, text or tiles")->required();
  command.add_option("--block", options->block, "X,Y of a wall that might be built; repeatable")
      ->required()
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option("--from", options->from, "X,Y: the way from here ...");
  command.add_option("--to", options->to,
                     "X,Y: ... to here must stay; without them no region may be split");
  options->profile.add_to(command);
  set_action(command, action, options, run_would_block);
}

}  // namespace octile::cli
