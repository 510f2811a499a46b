// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// What a View tells of the map: cells, costs, legal moves, components, memory.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <utility>

#include "engine/view.hpp"
#include "search/nodes.hpp"
#include "support.hpp"

namespace octile::test {
namespace {

TEST(View, an_empty_view_knows_nothing) {
  const View view;
  EXPECT_TRUE(view.empty());
  EXPECT_EQ(view.impl(), nullptr);
  EXPECT_EQ(view.width(), 0);
  EXPECT_EQ(view.height(), 0);
  EXPECT_EQ(view.version(), 0u);
  EXPECT_FALSE(view.contains({0, 0}));
  EXPECT_EQ(view.terrain({0, 0}), 0);
  EXPECT_EQ(view.cost({0, 0}), kWall);
  EXPECT_FALSE(view.passable({0, 0}));
  EXPECT_EQ(view.moves({0, 0}), 0);
  EXPECT_EQ(view.component({0, 0}), View::kNoComponent);
  EXPECT_FALSE(view.uniform());
  EXPECT_EQ(view.estimate({0, 0}, {3, 3}), 0);
  EXPECT_EQ(view.memory().map_bytes, 0u);
  EXPECT_EQ(view.memory().layer_bytes, 0u);
  EXPECT_EQ(view.profile().moves, Moves::eight);
  EXPECT_EQ(ask(view, query_of({0, 0}, {0, 0})).status, Status::bad_argument);
}

TEST(View, copies_and_moves_share_one_state) {
  View kept;
  {
    World world(Rows{"..@"});
    View copy(world.view);
    EXPECT_EQ(copy.impl(), world.view.impl());
    View moved(std::move(copy));
    EXPECT_EQ(moved.impl(), world.view.impl());
    kept = moved;
    const View* self = &kept;
    kept = *self;
    EXPECT_EQ(kept.impl(), moved.impl());
    View other;
    other = std::move(moved);
    EXPECT_EQ(other.impl(), kept.impl());
  }
  // The engine is gone; the view lives on.
  EXPECT_FALSE(kept.passable({2, 0}));
  EXPECT_EQ(ask(kept, query_of({0, 0}, {1, 0})).status, Status::found);
}

TEST(View, cells_and_costs) {
  Board board(Rows{".5@x"});
  Profile profile;
  profile.terrain_cost['x'] = 0.25;
  profile.terrain_cost['5'] = 5;
  World world(board, profile);
  EXPECT_EQ(world.view.terrain({1, 0}), '5');
  EXPECT_EQ(world.view.terrain({4, 0}), 0);
  EXPECT_EQ(world.view.cost({0, 0}), 1);
  EXPECT_EQ(world.view.cost({1, 0}), 5);
  EXPECT_EQ(world.view.cost({2, 0}), kWall);
  EXPECT_EQ(world.view.cost({3, 0}), 0.25);
  EXPECT_EQ(world.view.cost({-1, 0}), kWall);
  EXPECT_FALSE(world.view.uniform());
  EXPECT_EQ(world.view.profile().terrain_cost[uint8_t('x')], 0.25);
  EXPECT_EQ(world.view.definition().width, 4);
}

TEST(View, uniform_means_that_all_passable_cells_cost_the_same) {
  EXPECT_TRUE(World(Rows{"...@"}).view.uniform());
  EXPECT_TRUE(World(Rows{"555@"}).view.uniform());
  EXPECT_EQ(World(Rows{"555@"}).view.cost({1, 0}), 5);
  EXPECT_FALSE(World(Rows{"5.5@"}).view.uniform());
  EXPECT_FALSE(World(Rows{"000@"}).view.uniform());  // free steps need the general search
  EXPECT_TRUE(World(Rows{"@@@"}).view.uniform());
  Board board(Rows{"...."});
  board.add_weights(3);
  EXPECT_TRUE(World(board, Profile()).view.uniform());
  board.weight[2] = 2;
  EXPECT_FALSE(World(board, Profile()).view.uniform());
}

// ---------------------------------------------------------------------------------------------
// Legal moves, drawn: the middle cell of each picture is asked; the drawing beside it has a '*'
// where a move leads.

void expect_moves(const Profile& profile, const Rows& map, const Rows& moves) {
  World world(map, profile);
  const uint8_t mask = world.view.moves({1, 1});
  constexpr int kX[8] = {1, 1, 0, -1, -1, -1, 0, 1}, kY[8] = {0, 1, 1, 1, 0, -1, -1, -1};
  Rows drawn = map;
  for (int d = 0; d < 8; ++d)
    if (mask >> d & 1) drawn[size_t(1 + kY[d])][size_t(1 + kX[d])] = '*';
  EXPECT_EQ(drawn, moves) << name_of(profile);
}

TEST(View, moves_in_the_open) {
  const Rows open = {"...", "...", "..."};
  const Rows all = {"***", "*.*", "***"}, cross = {".*.", "*.*", ".*."};
  expect_moves(profile_of(Moves::four), open, cross);
  expect_moves(profile_of(Moves::eight, Diagonal::never), open, cross);
  expect_moves(profile_of(Moves::eight, Diagonal::always), open, all);
  expect_moves(profile_of(Moves::eight, Diagonal::at_most_one_obstacle), open, all);
  expect_moves(profile_of(Moves::eight, Diagonal::no_obstacles), open, all);
}

TEST(View, moves_beside_one_wall) {
  const Rows map = {"...", "..@", "..."};
  expect_moves(profile_of(Moves::four), map, {".*.", "*.@", ".*."});
  expect_moves(profile_of(Moves::eight, Diagonal::always), map, {"***", "*.@", "***"});
  expect_moves(profile_of(Moves::eight, Diagonal::at_most_one_obstacle), map,
               {"***", "*.@", "***"});
  expect_moves(profile_of(Moves::eight, Diagonal::no_obstacles), map, {"**.", "*.@", "**."});
}

TEST(View, moves_between_two_walls_that_touch) {
  const Rows map = {".@.", "@..", "..."};
  expect_moves(profile_of(Moves::eight, Diagonal::always), map, {"*@*", "@.*", "***"});
  expect_moves(profile_of(Moves::eight, Diagonal::at_most_one_obstacle), map,
               {".@*", "@.*", "***"});
  expect_moves(profile_of(Moves::eight, Diagonal::no_obstacles), map, {".@.", "@.*", ".**"});
  expect_moves(profile_of(Moves::eight, Diagonal::never), map, {".@.", "@.*", ".*."});
}

TEST(View, walls_have_no_moves) {
  for (const Profile& profile : all_profiles())
    expect_moves(profile, {"...", ".@.", "..."}, {"...", ".@.", "..."});
}

TEST(View, moves_at_the_edge_and_of_every_cell) {
  Random random(91);
  for (int i = 0; i < effort(200); ++i) {
    Board board =
        random_board(random, random.between(1, 140), random.between(1, 140), random.between(0, 60));
    board.def.first_cell = {random.between(-9, 9), random.between(-9, 9)};
    World world(board, all_profiles()[size_t(random.below(15))]);
    const Rules rules = world.rules();
    for (size_t k = 0; k < board.size(); ++k) {
      const Cell c = board.cell(k);
      ASSERT_EQ(world.view.moves(c), rules.moves(c)) << name_of(world.profile) << shown(c) << "\n"
                                                     << picture(board);
      ASSERT_EQ(world.view.passable(c), rules.free(c));
    }
  }
}

// ---------------------------------------------------------------------------------------------
// Components

// Numbers the connected pieces by flooding along the legal moves.
std::vector<int> flood(const Rules& rules) {
  const Board& board = rules.board();
  std::vector<int> piece(board.size(), -1);
  int pieces = 0;
  for (size_t first = 0; first < board.size(); ++first) {
    if (piece[first] >= 0 || !rules.free(board.cell(first))) continue;
    std::vector<size_t> open{first};
    piece[first] = pieces;
    while (!open.empty()) {
      const Cell at = board.cell(open.back());
      open.pop_back();
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          if ((dx == 0 && dy == 0) || !rules.may_step(at, dx, dy)) continue;
          const size_t to = board.index({at.x + dx, at.y + dy});
          if (piece[to] >= 0) continue;
          piece[to] = pieces;
          open.push_back(to);
        }
      }
    }
    ++pieces;
  }
  return piece;
}

TEST(View, components_are_the_connected_pieces) {
  Random random(92);
  for (int i = 0; i < effort(150); ++i) {
    const int width = random.between(1, 200), height = random.between(1, 140);
    const Board board = i % 5 == 0   ? checker_board(width, height)  // many pieces a tile
                        : i % 5 == 1 ? one_wide_board(random, width, height, 5)
                                     : random_board(random, width, height, random.between(20, 70));
    World world(board, all_profiles()[size_t(random.below(5))]);
    const std::vector<int> piece = flood(world.rules());
    std::map<int, uint32_t> to_component;
    std::map<uint32_t, int> to_piece;
    for (size_t k = 0; k < board.size(); ++k) {
      const uint32_t component = world.view.component(board.cell(k));
      if (piece[k] < 0) {
        ASSERT_EQ(component, View::kNoComponent);
        continue;
      }
      ASSERT_NE(component, View::kNoComponent);
      ASSERT_EQ(to_component.emplace(piece[k], component).first->second, component)
          << name_of(world.profile) << shown(board.cell(k)) << "\n"
          << picture(board);
      ASSERT_EQ(to_piece.emplace(component, piece[k]).first->second, piece[k])
          << name_of(world.profile) << shown(board.cell(k)) << "\n"
          << picture(board);
    }
  }
}

// Pairs of cells around the meeting of four tiles, in maps of walls: connected when one step of the
// rule leads from one to the other.
TEST(View, components_across_the_meeting_of_four_tiles) {
  for (const Profile& profile : all_profiles()) {
    if (profile.metric != Metric::octile) continue;
    for (int pair = 0; pair < 16 * 16; ++pair) {
      const Cell a{62 + pair % 4, 62 + pair / 4 % 4}, b{62 + pair / 16 % 4, 62 + pair / 64};
      if (a == b) continue;
      Board board(128, 128, '@');
      board.at(a) = board.at(b) = '.';
      World world(board, profile);
      const int dx = b.x - a.x, dy = b.y - a.y;
      const bool step = std::abs(dx) <= 1 && std::abs(dy) <= 1 && world.rules().may_step(a, dx, dy);
      ASSERT_EQ(world.view.component(a) == world.view.component(b), step)
          << name_of(profile) << shown(a) << shown(b);
    }
  }
}

// ---------------------------------------------------------------------------------------------
// Estimates and memory

TEST(View, estimates) {
  const auto estimate = [](Moves moves, Metric metric, const char* row) {
    return World(Rows{row, row, row, row}, profile_of(moves, Diagonal::no_obstacles, metric))
        .view.estimate({0, 0}, {5, 3});
  };
  EXPECT_NEAR(estimate(Moves::eight, Metric::octile, "......"), 2 + 3 * std::sqrt(2.0), 1e-12);
  EXPECT_EQ(estimate(Moves::eight, Metric::ten_fourteen, "......"), 2 * 10 + 3 * 14);
  EXPECT_EQ(estimate(Moves::eight, Metric::chebyshev, "......"), 5);
  EXPECT_EQ(estimate(Moves::four, Metric::octile, "......"), 8);
  EXPECT_EQ(estimate(Moves::four, Metric::octile, "333333"), 24);
  EXPECT_EQ(estimate(Moves::four, Metric::octile, "333533"), 24);  // the cheapest terrain present
  EXPECT_EQ(estimate(Moves::four, Metric::octile, "303533"), 0);
}

TEST(View, a_search_node_is_16_bytes) {
  EXPECT_EQ(sizeof(Node), 16u);
}

double bytes_a_cell(const Board& board) {
  World world(board, Profile());
  const LayerMemory memory = world.view.memory();
  const double cells = double(board.size());
  std::printf("%d x %d%s: map %.3f, layer %.3f bytes a cell\n", board.width(), board.height(),
              board.weight.empty() ? "" : " with weights", double(memory.map_bytes) / cells,
              double(memory.layer_bytes) / cells);
  return double(memory.map_bytes + memory.layer_bytes) / cells;
}

TEST(View, map_and_layer_take_at_most_8_bytes_a_cell_and_10_with_weights) {
  Random random(93);
  Board board = random_board(random, 1024, 1024, 30);
  EXPECT_LE(bytes_a_cell(board), 8);
  random_weights(random, board, 1, 65535, false);
  EXPECT_LE(bytes_a_cell(board), 10);
  EXPECT_LE(bytes_a_cell(checker_board(1024, 1024)), 8);
  // Open ground shares its tiles, which alone would take 5; what is left are the dead pockets.
  EXPECT_LE(bytes_a_cell(Board(1024, 1024)), 1.45);
}

}  // namespace
}  // namespace octile::test
