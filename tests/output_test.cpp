// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// What a Path holds: cells, waypoints that stand for the same cells, smoothed waypoints, world
// points.

#include <gtest/gtest.h>

#include <cmath>

#include "support.hpp"

namespace octile::test {
namespace {

Board some_board(Random& random) {
  Board board = random.percent(20)
                    ? rooms_board(random, random.between(1, 90), random.between(1, 70), 7)
                    : random_board(random, random.between(1, 90), random.between(1, 70),
                                   random.between(2, 40));
  if (random.percent(30)) sprinkle(random, board, "139", 40);
  board.def.first_cell = {random.between(-99, 99), random.between(-99, 99)};
  return board;
}

// Cells are written in blocks: legs of every length up to some of them, in every direction.
TEST(Output, lines_of_every_length) {
  constexpr int kLongest = 40;
  for (const Moves moves : {Moves::eight, Moves::four}) {
    Board board(2 * kLongest + 1, 2 * kLongest + 1);
    // As far as there are cells.
    board.def.first_cell = {INT32_MAX - 2 * kLongest, INT32_MIN + 1};
    const World world(board, profile_of(moves));
    const bool four = moves == Moves::four;
    const Cell from{INT32_MAX - kLongest, INT32_MIN + 1 + kLongest};
    Path path;
    Searcher searcher;
    for (int dy = -kLongest; dy <= kLongest; ++dy) {
      for (int dx = -kLongest; dx <= kLongest; ++dx) {
        find(searcher, world.view, query_of(from, {from.x + dx, from.y + dy}, "jps"), path);
        std::vector<Cell> line{from};
        const auto sign = [](int v) { return (v > 0) - (v < 0); };
        int x = dx, y = dy;  // what is left
        while (x || y) {
          // Diagonal first, or horizontal with four moves.
          const int step_x = sign(x), step_y = four && x ? 0 : sign(y);
          x -= step_x;
          y -= step_y;
          line.push_back({line.back().x + step_x, line.back().y + step_y});
        }
        ASSERT_EQ(cells_of(path), line) << dx << " " << dy;
      }
    }
  }
}

TEST(Output, waypoints_fill_in_to_a_legal_path_of_the_same_cost) {
  Random random(31);
  int found = 0;
  for (int i = 0; i < effort(300); ++i) {
    World world(some_board(random), all_profiles()[size_t(random.below(15))]);
    const Rules rules = world.rules();
    for (int k = 0; k < 6; ++k) {
      Query q = query_of(world.board.random_cell(random), world.board.random_cell(random));
      for (SolverId s = 0; s < solver_count(); ++s) {
        q.solver = s;
        q.output = Output::cells;
        const Path cells = ask(world.view, q);
        q.output = Output::waypoints;
        const Path waypoints = ask(world.view, q);
        ASSERT_EQ(waypoints.status, cells.status);
        ASSERT_EQ(waypoints.cost_units, cells.cost_units);
        ASSERT_EQ(waypoints.cost, cells.cost);
        if (cells.status != Status::found) continue;
        ++found;
        ASSERT_EQ(filled_in(waypoints), cells_of(cells)) << solver_info(s).name << shown(q) << "\n"
                                                         << picture(world.board, &waypoints);
        ASSERT_EQ(walk(rules, filled_in(waypoints)).wrong, "");
        // Only where the direction changes.
        for (size_t n = 2; n < waypoints.size(); ++n) {
          const Cell a = waypoints.cells()[n - 2], b = waypoints.cells()[n - 1];
          const Cell c = waypoints.cells()[n];
          const auto sign = [](int v) { return (v > 0) - (v < 0); };
          ASSERT_FALSE(sign(b.x - a.x) == sign(c.x - b.x) && sign(b.y - a.y) == sign(c.y - b.y))
              << solver_info(s).name << shown(q) << " needless waypoint " << shown(b);
        }
      }
    }
  }
  EXPECT_GT(found, effort(2000));
}

TEST(Output, one_cell_is_one_waypoint) {
  World world(Rows{"..", ".."});
  Query q = query_of({1, 1}, {1, 1});
  for (const Output output : {Output::cells, Output::waypoints}) {
    q.output = output;
    const Path path = ask(world.view, q);
    EXPECT_EQ(path.status, Status::found);
    ASSERT_EQ(path.size(), 1u);
    EXPECT_EQ(path.cells()[0], (Cell{1, 1}));
  }
}

TEST(Output, waypoints_are_the_turns) {
  World world(Rows{"......",  //
                   ".####.",  //
                   "......"});
  Query q = query_of({0, 2}, {5, 0}, "astar");
  q.output = Output::waypoints;
  const Path path = ask(world.view, q);
  EXPECT_EQ(path.size(), 3u) << picture(world.board, &path);
  EXPECT_DOUBLE_EQ(path.cost, 7);
}

// ---------------------------------------------------------------------------------------------
// Smoothing

TEST(Output, smoothed_segments_are_lines_of_sight_or_grid_legs) {
  Random random(32);
  int smoothed = 0, shorter = 0;
  for (int i = 0; i < effort(400); ++i) {
    Board board =
        random_board(random, random.between(2, 90), random.between(2, 70), random.between(1, 30));
    World world(board, all_profiles()[size_t(random.below(15))]);
    const Rules rules = world.rules();
    for (int k = 0; k < 6; ++k) {
      Query q = query_of(board.random_cell(random), board.random_cell(random));
      q.output = Output::waypoints;
      const Path grid = ask(world.view, q);
      q.smooth = true;
      q.output = random.percent(50) ? Output::cells : Output::waypoints;  // smooth means waypoints
      const Path smooth = ask(world.view, q);
      ASSERT_EQ(smooth.status, grid.status);
      if (smooth.status != Status::found) continue;
      ++smoothed;
      shorter += smooth.size() < grid.size();
      ASSERT_EQ(smooth.cost_units, grid.cost_units);
      ASSERT_EQ(smooth.cost, grid.cost);
      ASSERT_LE(smooth.size(), grid.size());
      ASSERT_EQ(smooth.cells()[0], q.start);
      ASSERT_EQ(smooth.cells()[smooth.size() - 1], q.goal);
      for (size_t n = 1; n < smooth.size(); ++n) {
        const Cell a = smooth.cells()[n - 1], b = smooth.cells()[n];
        if (rules.line_of_sight(a, b)) continue;
        // Else it is a leg of the grid path: straight or diagonal, and legal.
        Path leg;
        Cell* ends = leg.resize(2);
        ends[0] = a, ends[1] = b;
        const std::vector<Cell> cells = filled_in(leg);
        ASSERT_FALSE(cells.empty()) << shown(a) << shown(b) << shown(q) << "\n"
                                    << picture(board, &smooth);
        ASSERT_EQ(walk(rules, cells).wrong, "") << shown(q) << "\n" << picture(board, &smooth);
      }
    }
  }
  EXPECT_GT(smoothed, effort(1000));
  EXPECT_GT(shorter, effort(200));
}

TEST(Output, an_open_field_smooths_to_two_points) {
  World world(Board(40, 30), Profile());
  Query q = query_of({1, 2}, {37, 20});
  q.smooth = true;
  const Path path = ask(world.view, q);
  EXPECT_EQ(path.size(), 2u);
  EXPECT_NEAR(path.cost, 18 + 18 * std::sqrt(2.0), 1e-9);
}

// A straight line over weighted ground may cost more than the grid path: it is left alone.
TEST(Output, weighted_maps_are_not_smoothed) {
  World world(Rows{"......",  //
                   ".9999.",  //
                   "......"});
  Query q = query_of({0, 2}, {5, 0}, "astar");
  q.output = Output::waypoints;
  const Path grid = ask(world.view, q);
  q.smooth = true;
  const Path smooth = ask(world.view, q);
  EXPECT_EQ(cells_of(smooth), cells_of(grid));
}

// ---------------------------------------------------------------------------------------------
// World points

TEST(Output, world_points_are_the_centres) {
  Board board(8, 4);
  board.def.first_cell = {-3, 5};
  board.def.origin = {100.5, -20};
  board.def.cell_size = 2.5;
  World world(board, Profile());
  const Path path = ask(world.view, query_of({-3, 5}, {4, 8}));
  ASSERT_EQ(path.status, Status::found);
  std::vector<WorldPoint> points(path.size());
  path.world_points(world.view, points.data());
  for (size_t i = 0; i < points.size(); ++i) {
    EXPECT_DOUBLE_EQ(points[i].x, 100.5 + (path.cells()[i].x + 0.5) * 2.5);
    EXPECT_DOUBLE_EQ(points[i].y, -20 + (path.cells()[i].y + 0.5) * 2.5);
    EXPECT_EQ(world.view.cell_at(points[i]), path.cells()[i]);
  }
}

TEST(Output, world_points_of_an_empty_path_write_nothing) {
  World world(Rows{".#."});
  const Path path = ask(world.view, query_of({0, 0}, {2, 0}));
  EXPECT_EQ(path.status, Status::no_path);
  WorldPoint untouched{7, 7};
  path.world_points(world.view, &untouched);
  EXPECT_EQ(untouched.x, 7);
}

}  // namespace
}  // namespace octile::test
