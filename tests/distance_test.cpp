// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// distance(), first_move() and distances() against find() of the same View, with every kind of
// index and without one.

#include <gtest/gtest.h>

#include "index_tools.hpp"

namespace octile::test {
namespace {

std::vector<View> all_views(const View& plain) {
  std::vector<View> views{plain};
  for (const View& view : indexed(plain).view) views.push_back(view);
  return views;
}

// Any cell, some of them walls, some outside.
Cell some_cell(Random& random, const Board& board) {
  Cell c = board.random_cell(random);
  if (random.percent(3)) c.x = board.def.first_cell.x - 1 - random.below(100);
  if (random.percent(3)) c.y = board.def.first_cell.y + board.height() + random.below(100);
  if (random.percent(1)) c = {INT32_MIN, INT32_MAX};
  if (random.percent(1)) c = {INT32_MAX, INT32_MIN};
  return c;
}

void compare(const World& world, Random& random, int pairs) {
  Searcher searcher;
  for (const View& view : all_views(world.view)) {
    for (int i = 0; i < pairs; ++i) {
      const Cell s = some_cell(random, world.board);
      const Cell t = random.percent(4) ? s : some_cell(random, world.board);
      const Path path = ask(view, query_of(s, t));
      const bool found = path.status == Status::found;
      ASSERT_EQ(distance(searcher, view, s, t), found ? path.cost : kWall)
          << shown(s) << " -> " << shown(t) << " " << name(view.index().info().kind) << "\n"
          << picture(world.board);
      if (view.uniform()) {
        ASSERT_EQ(distance(searcher, view, t, s), found ? path.cost : kWall);
      }
      ASSERT_EQ(first_move(searcher, view, s, t), found && path.size() > 1 ? path.cells()[1] : s)
          << shown(s) << " -> " << shown(t) << " " << name(view.index().info().kind) << "\n"
          << picture(world.board, &path);
    }
  }
}

TEST(Distance, and_first_move_are_those_of_find) {
  Random random(351);
  for (int i = 0; i < effort(60); ++i) {
    Board board;
    const int w = random.between(1, 70), h = random.between(1, 70);
    switch (i % 5) {
      case 0:
        board = one_wide_board(random, w, h, 20);
        break;
      case 1:
        board = rooms_board(random, w, h, 6);
        break;
      case 2:
        board = comb_board(w, h);
        break;
      default:
        board = random_board(random, w, h, random.between(0, 50));
    }
    board.def.first_cell = {random.between(-100, 100), random.between(-100, 100)};
    const auto metric = Metric(i % 3);
    Profile profile = profile_of(Moves::eight, Diagonal::no_obstacles, metric);
    if (i % 4 == 3) profile.terrain_cost['.'] = 2.5;
    compare(World(board, profile), random, effort(150));
    if (HasFatalFailure()) return;
  }
}

TEST(Distance, without_an_index_every_rule_is_served) {
  Random random(352);
  Board board = random_board(random, 40, 30, 25);
  Board weighted = board;
  sprinkle(random, weighted, "1239", 60);
  for (const Profile& profile : all_profiles()) {
    compare(World(board, profile), random, effort(40));
    compare(World(weighted, profile), random, effort(40));
    if (HasFatalFailure()) return;
  }
}

TEST(Distance, following_first_moves_leads_to_the_goal) {
  Random random(353);
  const Board board = random_board(random, 60, 60, 30);
  const World world(board, Profile());
  Searcher searcher;
  int walked = 0;
  for (const View& view : all_views(world.view)) {
    for (int i = 0; i < effort(60); ++i) {
      const Cell s = board.random_cell(random), t = board.random_cell(random);
      const double whole = distance(searcher, view, s, t);
      if (whole == kWall) continue;
      std::vector<Cell> cells{s};
      while (cells.back() != t && cells.size() < 5000)
        cells.push_back(first_move(searcher, view, cells.back(), t));
      const Walk w = walk(world.rules(), cells);
      ASSERT_EQ(w.wrong, "");
      ASSERT_EQ(cells.back(), t);
      ASSERT_NEAR(w.cost, whole, 1e-9 * whole);
      ++walked;
    }
  }
  EXPECT_GT(walked, effort(60));
}

TEST(Distances, are_those_of_single_pairs) {
  Random random(354);
  for (int round = 0; round < effort(40); ++round) {
    const int percent = round % 4 == 3 ? 45 : random.between(0, 35);
    const World world(random_board(random, random.between(1, 80), random.between(1, 80), percent),
                      Profile());
    std::vector<Cell> sources(size_t(random.between(1, 20))), targets;
    targets.resize(size_t(random.percent(30) ? 1 : random.between(1, 60)));
    for (Cell& c : sources) c = some_cell(random, world.board);
    for (Cell& c : targets) c = some_cell(random, world.board);
    if (round % 3 == 0) targets[0] = sources[0];
    if (round % 5 == 0) targets.back() = targets.front();  // twice the same
    Searcher searcher;
    for (const View& view : all_views(world.view)) {
      constexpr double kGuardValue = -77;
      std::vector<double> out(sources.size() * targets.size() + 2, kGuardValue);
      const Fault f = distances(searcher, view, sources.data(), sources.size(), targets.data(),
                                targets.size(), out.data() + 1);
      ASSERT_FALSE(f) << f.text;
      EXPECT_EQ(out.front(), kGuardValue);
      EXPECT_EQ(out.back(), kGuardValue);
      for (size_t i = 0; i < sources.size(); ++i)
        for (size_t j = 0; j < targets.size(); ++j)
          ASSERT_EQ(out[1 + i * targets.size() + j],
                    distance(searcher, view, sources[i], targets[j]))
              << shown(sources[i]) << " -> " << shown(targets[j]) << " "
              << name(view.index().info().kind);
    }
  }
}

TEST(Distances, of_nothing_and_of_nonsense) {
  const World world(Rows{"..@.", "..@."});
  const Cell cell{0, 0};
  double out = -1;
  Searcher searcher;
  for (const View& view : all_views(world.view)) {
    EXPECT_FALSE(distances(searcher, view, nullptr, 0, &cell, 1, &out));
    EXPECT_FALSE(distances(searcher, view, &cell, 1, nullptr, 0, &out));
    EXPECT_FALSE(distances(searcher, view, nullptr, 0, nullptr, 0, nullptr));
    EXPECT_EQ(distances(searcher, view, nullptr, 1, &cell, 1, &out).status, Status::bad_argument);
    EXPECT_EQ(distances(searcher, view, &cell, 1, nullptr, 1, &out).status, Status::bad_argument);
    EXPECT_EQ(distances(searcher, view, &cell, 1, &cell, 1, nullptr).status, Status::bad_argument);
    EXPECT_EQ(out, -1);
    EXPECT_FALSE(distances(searcher, view, &cell, 1, &cell, 1, &out));
    EXPECT_EQ(out, 0);
    out = -1;
    EXPECT_EQ(distance(searcher, view, {0, 0}, {3, 1}), kWall);
    EXPECT_EQ(first_move(searcher, view, {0, 0}, {3, 1}), (Cell{0, 0}));
    EXPECT_EQ(first_move(searcher, view, {2, 0}, {3, 1}), (Cell{2, 0}));
    EXPECT_EQ(distance(searcher, view, {2, 0}, {2, 0}), kWall) << "a wall is nowhere";
  }
  const Fault f = distances(searcher, View(), &cell, 1, &cell, 1, &out);
  EXPECT_EQ(f.status, Status::bad_argument);
  EXPECT_STRNE(f.text, "");
  EXPECT_EQ(out, -1);
  EXPECT_EQ(distance(searcher, View(), cell, cell), kWall);
  EXPECT_EQ(first_move(searcher, View(), cell, {3, 3}), cell);
}

}  // namespace
}  // namespace octile::test
