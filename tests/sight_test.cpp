// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Lines of sight against a reading of the definition that looks at every cell of the box between
// the two ends, and the looks along rows and columns that searches use.

#include "search/sight.hpp"

#include <gtest/gtest.h>

#include "engine/view.hpp"
#include "support.hpp"

namespace octile::test {
namespace {

void compare_pairs(const World& world, const std::vector<Cell>& from, const std::vector<Cell>& to) {
  const Rules rules = world.rules();
  for (const Cell a : from) {
    for (const Cell b : to) {
      const bool sees = world.view.line_of_sight(a, b);
      ASSERT_EQ(sees, rules.line_of_sight(a, b))
          << name_of(world.profile) << " " << shown(a) << " " << shown(b) << "\n"
          << picture(world.board);
      ASSERT_EQ(sees, world.view.line_of_sight(b, a)) << shown(a) << shown(b);
    }
  }
}

std::vector<Cell> all_cells(const Board& board) {
  std::vector<Cell> cells;
  for (size_t i = 0; i < board.size(); ++i) cells.push_back(board.cell(i));
  return cells;
}

TEST(Sight, all_pairs_of_small_maps) {
  Random random(41);
  for (int i = 0; i < effort(120); ++i) {
    const Board board =
        random_board(random, random.between(1, 9), random.between(1, 9), random.between(5, 40));
    for (const Profile& profile : all_profiles()) {
      if (profile.metric != Metric::octile) continue;
      World world(board, profile);
      compare_pairs(world, all_cells(board), all_cells(board));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Sight, random_pairs_of_larger_maps) {
  Random random(42);
  for (int i = 0; i < effort(60); ++i) {
    Board board = random_board(random, random.between(60, 200), random.between(60, 140),
                               random.percent(50) ? 1 : 4);
    board.def.first_cell = {-70, -70};
    World world(board, all_profiles()[size_t(random.below(5))]);
    std::vector<Cell> from, to;
    for (int k = 0; k < 16; ++k) {
      from.push_back(board.random_cell(random));
      to.push_back(board.random_cell(random));
    }
    compare_pairs(world, from, to);
    if (HasFatalFailure()) return;
  }
}

TEST(Sight, along_a_wall_and_through_its_corner) {
  const Rows rows = {".....",  //
                     ".#...",  //
                     "..#..",  //
                     "....."};
  for (const Diagonal diagonal :
       {Diagonal::always, Diagonal::at_most_one_obstacle, Diagonal::no_obstacles}) {
    World world(rows, profile_of(Moves::eight, diagonal));
    EXPECT_TRUE(world.view.line_of_sight({0, 0}, {4, 0}));   // along the wall's face
    EXPECT_FALSE(world.view.line_of_sight({0, 1}, {4, 1}));  // into it
    // Exactly through the corner that the two walls share.
    EXPECT_EQ(world.view.line_of_sight({1, 2}, {2, 1}), diagonal == Diagonal::always);
    // Exactly past the corner of one wall.
    EXPECT_EQ(world.view.line_of_sight({0, 1}, {1, 0}), diagonal != Diagonal::no_obstacles);
  }
}

TEST(Sight, ends_that_are_blocked_or_outside_see_nothing) {
  World world(Rows{"..#"});
  EXPECT_TRUE(world.view.line_of_sight({0, 0}, {0, 0}));
  EXPECT_FALSE(world.view.line_of_sight({2, 0}, {2, 0}));
  EXPECT_FALSE(world.view.line_of_sight({0, 0}, {2, 0}));
  EXPECT_FALSE(world.view.line_of_sight({0, 0}, {0, 1}));
  EXPECT_FALSE(world.view.line_of_sight({-1, 0}, {0, 0}));
  EXPECT_FALSE(View().line_of_sight({0, 0}, {0, 0}));
}

// ---------------------------------------------------------------------------------------------
// Runs and octile lines

TEST(Sight, runs_end_at_walls_and_at_the_edge_of_the_map) {
  Random random(43);
  constexpr int kX[4] = {1, 0, -1, 0}, kY[4] = {0, 1, 0, -1};
  for (int i = 0; i < effort(40); ++i) {
    const Board board =
        random_board(random, random.between(1, 200), random.between(1, 200), random.between(0, 3));
    World world(board, Profile());
    const Layer& layer = world.view.impl()->world.layer;
    for (int k = 0; k < 200; ++k) {
      const Cell at = board.random_cell(random);
      for (int d = 0; d < 4; ++d) {
        uint32_t run = 0;
        Cell next{at.x + kX[d], at.y + kY[d]};
        while (board.contains(next) && board.at(next) == '.') {
          ++run;
          next = {next.x + kX[d], next.y + kY[d]};
        }
        const auto direction = static_cast<Direction>(2 * d);
        ASSERT_EQ(free_run(layer, layer.grid.id(at), direction), run) << shown(at) << d;
        ASSERT_TRUE(run_is_free(layer, layer.grid.id(at), direction, run));
        ASSERT_FALSE(run_is_free(layer, layer.grid.id(at), direction, run + 1));
      }
    }
  }
}

TEST(Sight, octile_lines_are_diagonal_first_then_straight) {
  Random random(44);
  for (int i = 0; i < effort(100); ++i) {
    const Board board =
        random_board(random, random.between(1, 130), random.between(1, 130), random.between(0, 6));
    World world(board, all_profiles()[size_t(random.below(5))]);
    const Rules rules = world.rules();
    const Layer& layer = world.view.impl()->world.layer;
    for (int k = 0; k < 100; ++k) {
      const Cell a = board.random_cell(random), b = board.random_cell(random);
      if (!rules.free(a) || !rules.free(b)) continue;  // as searches ask
      std::vector<Cell> cells{a};
      while (cells.back() != b) {
        const Cell c = cells.back();
        cells.push_back({c.x + (b.x > c.x) - (b.x < c.x), c.y + (b.y > c.y) - (b.y < c.y)});
      }
      ASSERT_EQ(octile_line_free(layer, layer.grid.id(a), layer.grid.id(b)),
                walk(rules, cells).wrong.empty())
          << shown(a) << shown(b) << "\n"
          << picture(board);
    }
  }
}

}  // namespace
}  // namespace octile::test
