// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Random maps of 5 to 9 cells a side, where walls can force what 4 x 4 cells have no room for: all
// pairs, the fast solvers, against distances in real numbers. At this size sums of steps that
// differ do so by far more than rounding.

#include <gtest/gtest.h>

#include <cmath>

#include "support.hpp"

namespace octile::test {
namespace {

TEST(SmallMaps, all_pairs_of_random_maps) {
  Random random(191);
  Searcher searcher;
  Path path;
  uint64_t compared = 0;
  const SolverId solvers[] = {solver_id("auto"), solver_id("astar"), solver_id("jps"),
                              solver_id("textbook_heap")};
  const int maps = long_run() ? 20000 : effort(500);
  for (int i = 0; i < maps; ++i) {
    const Board board =
        random_board(random, random.between(5, 9), random.between(5, 9), random.between(5, 50));
    // Mostly the rule that the fast solvers know a trick for.
    World world(board, i % 3 ? Profile() : all_profiles()[size_t(random.below(15))]);
    const Rules rules = world.rules();
    for (size_t a = 0; a < board.size(); ++a) {
      if (board.terrain[a] == '@') continue;
      const std::vector<double> right = rules.distances(board.cell(a));
      for (size_t b = 0; b < board.size(); ++b) {
        if (board.terrain[b] == '@') continue;
        Query q = query_of(board.cell(a), board.cell(b));
        for (const SolverId solver : solvers) {
          q.solver = solver;
          find(searcher, world.view, q, path);
          ++compared;
          ASSERT_EQ(path.status == Status::found, right[b] != kWall)
              << solver_info(solver).name << shown(q) << "\n"
              << picture(board, &path);
          if (path.status != Status::found) continue;
          ASSERT_NEAR(path.cost, right[b], 1e-9)
              << solver_info(solver).name << " " << name_of(world.profile) << shown(q) << "\n"
              << picture(board, &path);
          if (compared % 16 == 0) {
            ASSERT_EQ(walk(rules, cells_of(path)).wrong, "") << picture(board, &path);
          }
        }
      }
    }
  }
  std::printf("compared %llu queries\n", (unsigned long long)compared);
  EXPECT_GT(compared, sampled() ? 100'000u : 1'000'000u);
}

}  // namespace
}  // namespace octile::test
