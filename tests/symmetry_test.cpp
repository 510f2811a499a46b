// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// What must hold between answers, whatever the map: turned and mirrored maps cost the same, on
// uniform maps the way back costs as much as the way there, and no detour is shorter.

#include <gtest/gtest.h>

#include "support.hpp"

namespace octile::test {
namespace {

std::vector<SolverId> fast_solvers() {
  std::vector<SolverId> ids;
  for (SolverId s = 0; s < solver_count(); ++s)
    if (s != judge() && s != solver_id("textbook_list")) ids.push_back(s);
  return ids;
}

TEST(Symmetry, all_eight_turns_of_a_map_cost_the_same) {
  Random random(21);
  const std::vector<SolverId> solvers = fast_solvers();
  for (int i = 0; i < effort(80); ++i) {
    Board board = i % 4 == 0 ? one_wide_board(random, random.between(1, 90), 65, 80)
                             : random_board(random, random.between(1, 130), random.between(1, 90),
                                            random.between(5, 40));
    if (random.percent(30)) sprinkle(random, board, "0159", 50);
    if (random.percent(20)) random_weights(random, board, 0.5, 8, false);
    const Profile profile = all_profiles()[size_t(random.below(15))];
    std::vector<std::pair<Cell, Cell>> pairs;
    for (int k = 0; k < 8; ++k)
      pairs.push_back({board.random_cell(random), board.random_cell(random)});
    std::vector<Path> first;
    for (int symmetry = 0; symmetry < 8; ++symmetry) {
      World world(turned(board, symmetry), profile);
      for (size_t k = 0; k < pairs.size(); ++k) {
        Query q;
        q.start = turned(board, pairs[k].first, symmetry);
        q.goal = turned(board, pairs[k].second, symmetry);
        if (symmetry == 0) first.push_back(ask(world.view, q));
        for (const SolverId solver : solvers) {
          q.solver = solver;
          const Path path = ask(world.view, q);
          ASSERT_EQ(path.status, first[k].status) << solver_info(solver).name << shown(q);
          ASSERT_EQ(path.cost_units, first[k].cost_units)
              << solver_info(solver).name << " " << name_of(profile) << " symmetry " << symmetry
              << " " << shown(q) << "\n"
              << picture(world.board, &path);
        }
      }
    }
  }
}

TEST(Symmetry, the_way_back_costs_the_same_and_no_detour_is_shorter) {
  Random random(22);
  for (int i = 0; i < effort(120); ++i) {
    const Board board =
        random_board(random, random.between(2, 130), random.between(2, 90), random.between(5, 35));
    const Profile profile = all_profiles()[size_t(random.below(15))];
    World world(board, profile);
    const auto cost = [&](Cell a, Cell b, SolverId solver, uint64_t* units) {
      Query q;
      q.start = a;
      q.goal = b;
      q.solver = solver;
      const Path path = ask(world.view, q);
      *units = path.cost_units;
      return path.status == Status::found;
    };
    for (int k = 0; k < 6; ++k) {
      const Cell a = board.random_cell(random), b = board.random_cell(random);
      const Cell c = board.random_cell(random);
      for (const SolverId solver : fast_solvers()) {
        uint64_t ab, ba, bc, ac;
        const bool there = cost(a, b, solver, &ab);
        ASSERT_EQ(cost(b, a, solver, &ba), there);
        if (!there) continue;
        ASSERT_EQ(ab, ba) << solver_info(solver).name << shown(a) << shown(b) << "\n"
                          << picture(board);
        if (!cost(b, c, solver, &bc)) continue;
        ASSERT_TRUE(cost(a, c, solver, &ac));
        ASSERT_LE(ac, ab + bc) << solver_info(solver).name << shown(a) << shown(b) << shown(c);
      }
    }
  }
}

// With weights the way back pays for the start instead of the goal, straight on a corridor.
TEST(Symmetry, weights_are_paid_for_the_cell_entered) {
  World world(Rows{"2.3"}, profile_of(Moves::four));
  EXPECT_EQ(ask(world.view, query_of({0, 0}, {2, 0})).cost, 4);
  EXPECT_EQ(ask(world.view, query_of({2, 0}, {0, 0})).cost, 3);
}

// The estimate is the cost on an empty map, and never above the cost on any other.
TEST(Symmetry, the_estimate_is_a_lower_bound) {
  Random random(23);
  for (int i = 0; i < effort(150); ++i) {
    Board board = random_board(random, random.between(1, 50), random.between(1, 50),
                               i % 3 == 0 ? 0 : random.between(1, 30));
    const bool empty = i % 3 == 0;
    if (!empty && random.percent(50)) sprinkle(random, board, "259", 60);
    World world(board, all_profiles()[size_t(random.below(15))]);
    for (int k = 0; k < 20; ++k) {
      const Cell a = board.random_cell(random), b = board.random_cell(random);
      const Path path = ask(world.view, query_of(a, b));
      if (path.status != Status::found) continue;
      const double estimate = world.view.estimate(a, b);
      ASSERT_LE(estimate, path.cost * (1 + 2e-8) + 1e-9) << shown(a) << shown(b);
      if (empty) {
        ASSERT_NEAR(estimate, path.cost, 1e-9 * (1 + path.cost));
      }
    }
  }
}

}  // namespace
}  // namespace octile::test
