// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Definitions, edits and world coordinates of the Map.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support.hpp"

namespace octile::test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Cell kNowhere{INT32_MIN, INT32_MIN};

MapDef def_of(int width, int height) {
  MapDef d;
  d.width = width;
  d.height = height;
  return d;
}

// ---------------------------------------------------------------------------------------------
// Definitions

void expect_refused(const MapDef& def) {
  Engine engine;
  ASSERT_FALSE(engine.reset(def_of(3, 2)));
  ASSERT_FALSE(engine.map().set_terrain({1, 1}, 'x'));
  const Fault f = engine.reset(def);
  EXPECT_EQ(f.status, Status::bad_argument) << def.width << " x " << def.height;
  EXPECT_STRNE(f.text, "");
  // The map is as it was.
  EXPECT_EQ(engine.map().width(), 3);
  EXPECT_EQ(engine.map().height(), 2);
  EXPECT_EQ(engine.map().terrain({1, 1}), 'x');
}

TEST(MapDefinition, bad_sizes_are_refused) {
  const int bad[][2] = {{0, 5},         {5, 0},          {0, 0},
                        {-1, 5},        {5, -1},         {100000, 100000},
                        {INT32_MAX, 2}, {2, INT32_MAX},  {INT32_MAX, INT32_MAX},
                        {INT32_MIN, 2}, {INT32_MIN, -1}, {67108864, 64}};
  for (const auto& size : bad) expect_refused(def_of(size[0], size[1]));
}

TEST(MapDefinition, bad_numbers_are_refused) {
  for (const double bad : {0.0, -1.0, kNaN, kInfinity, -kInfinity, -0.0}) {
    MapDef d = def_of(4, 4);
    d.cell_size = bad;
    expect_refused(d);
  }
  for (const double bad : {kNaN, kInfinity, -kInfinity}) {
    MapDef d = def_of(4, 4);
    d.origin.x = bad;
    expect_refused(d);
    d = def_of(4, 4);
    d.origin.y = bad;
    expect_refused(d);
  }
  for (const double bad : {0.0, -1.0, kNaN, kInfinity, 0.0001, 1.00005, 1e300}) {
    MapDef d = def_of(4, 4);
    d.weights = true;
    d.weight_scale = bad;
    expect_refused(d);
  }
}

TEST(MapDefinition, cells_beyond_32_bits_are_refused) {
  for (const Cell first : {Cell{INT32_MAX - 2, 0}, Cell{0, INT32_MAX - 2},
                           Cell{INT32_MAX, INT32_MAX}, Cell{INT32_MIN, 0}, Cell{0, INT32_MIN}}) {
    MapDef d = def_of(4, 4);
    d.first_cell = first;
    expect_refused(d);
  }
}

TEST(MapDefinition, the_farthest_maps_work) {
  for (const Cell first : {Cell{INT32_MAX - 3, INT32_MAX - 3}, Cell{INT32_MIN + 1, INT32_MIN + 1},
                           Cell{INT32_MIN + 1, INT32_MAX - 3}}) {
    Board board(4, 4);
    board.def.first_cell = first;
    World world(board, Profile());
    const Cell last{first.x + 3, first.y + 3};
    for (SolverId s = 0; s < solver_count(); ++s) {
      Query q = query_of(first, last);
      q.solver = s;
      const Path path = ask(world.view, q);
      ASSERT_EQ(path.status, Status::found);
      EXPECT_EQ(walk(world.rules(), cells_of(path)).wrong, "");
      EXPECT_NEAR(path.cost, 3 * std::sqrt(2.0), 1e-9);
    }
    EXPECT_FALSE(world.view.contains({0, 0}));
    EXPECT_TRUE(world.view.line_of_sight(first, last));
  }
}

TEST(MapDefinition, long_and_thin_maps_work) {
  for (const auto& [width, height] : {std::pair{1, 20000}, {20000, 1}}) {
    World world(Board(width, height), Profile());
    const Path path = ask(world.view, query_of({0, 0}, {width - 1, height - 1}));
    EXPECT_EQ(path.status, Status::found);
    EXPECT_EQ(path.cost, 19999);
    EXPECT_EQ(path.size(), 20000u);
  }
}

TEST(MapDefinition, before_the_first_reset_there_is_no_map) {
  Engine engine;
  Map& map = engine.map();
  EXPECT_EQ(map.width(), 0);
  EXPECT_EQ(map.height(), 0);
  EXPECT_EQ(map.version(), 0u);
  EXPECT_FALSE(map.contains({0, 0}));
  EXPECT_EQ(map.terrain({0, 0}), 0);
  EXPECT_EQ(map.weight({0, 0}), 0);
  const uint8_t value = 1;
  const uint16_t weight = 1;
  EXPECT_TRUE(map.set_terrain({0, 0}, 1));
  EXPECT_TRUE(map.set_weight({0, 0}, 1));
  EXPECT_TRUE(map.fill({0, 0, 1, 1}, 1));
  EXPECT_TRUE(map.fill_weight({0, 0, 1, 1}, 1));
  EXPECT_TRUE(map.stamp({0, 0, 1, 1}, &value, 1));
  EXPECT_TRUE(map.stamp_weight({0, 0, 1, 1}, &weight, 1));
  EXPECT_EQ(engine.commit().status, Status::bad_argument);
}

// ---------------------------------------------------------------------------------------------
// Edits

TEST(MapEdits, what_lies_outside_is_refused_and_changes_nothing) {
  Random random(81);
  Board board = random_board(random, 70, 67, 30);
  board.add_weights(1);
  board.def.first_cell = {-5, 10};
  Engine engine;
  ASSERT_FALSE(load(board, engine));
  ASSERT_FALSE(engine.commit());
  Map& map = engine.map();
  const std::vector<uint8_t> values(10000, 'x');
  const std::vector<uint16_t> weights(10000, 9);
  const Rect bad[] = {{-6, 10, 1, 1},        {-5, 9, 1, 1},
                      {65, 10, 1, 1},        {-5, 77, 1, 1},
                      {-5, 10, 71, 1},       {-5, 10, 1, 68},
                      {0, 20, INT32_MAX, 1}, {0, 20, 1, INT32_MAX},
                      {0, 20, -1, 1},        {0, 20, 1, -1},
                      {0, 20, INT32_MIN, 1}, {INT32_MAX, INT32_MAX, 1, 1},
                      {-7, 8, 100, 100},     {INT32_MIN, INT32_MIN, 1, 1}};
  for (const Rect& r : bad) {
    for (const Fault& f :
         {map.fill(r, 'x'), map.fill_weight(r, 9), map.stamp(r, values.data(), 100),
          map.stamp_weight(r, weights.data(), 100)}) {
      EXPECT_EQ(f.status, Status::bad_argument) << r.x << " " << r.y << " " << r.width;
      EXPECT_STRNE(f.text, "");
    }
  }
  for (const Cell c : {Cell{-6, 10}, Cell{65, 10}, Cell{0, 9}, Cell{0, 77}, kNowhere}) {
    EXPECT_TRUE(map.set_terrain(c, 'x'));
    EXPECT_TRUE(map.set_weight(c, 9));
    EXPECT_EQ(map.terrain(c), 0);
    EXPECT_EQ(map.weight(c), 0);
  }
  EXPECT_TRUE(map.stamp({0, 20, 2, 2}, nullptr, 2));
  EXPECT_TRUE(map.stamp_weight({0, 20, 2, 2}, nullptr, 2));
  for (size_t i = 0; i < board.size(); ++i) {
    ASSERT_EQ(map.terrain(board.cell(i)), board.terrain[i]);
    ASSERT_EQ(map.weight(board.cell(i)), 1);
  }
  ASSERT_FALSE(engine.commit());
  EXPECT_EQ(map.version(), 1u) << "a refused edit counts as a change";
}

TEST(MapEdits, empty_rectangles_change_nothing) {
  Engine engine;
  ASSERT_FALSE(engine.reset(def_of(5, 5)));
  ASSERT_FALSE(engine.commit());
  for (const Rect& r : {Rect{0, 0, 0, 5}, Rect{0, 0, 5, 0}, Rect{5, 5, 0, 0}, Rect{2, 2, 0, 0}}) {
    EXPECT_FALSE(engine.map().fill(r, 'x'));
    EXPECT_FALSE(engine.map().stamp(r, nullptr, 0));
  }
  ASSERT_FALSE(engine.commit());
  EXPECT_EQ(engine.map().version(), 1u);
}

TEST(MapEdits, weights_need_a_map_that_keeps_them) {
  Engine engine;
  ASSERT_FALSE(engine.reset(def_of(5, 5)));
  EXPECT_EQ(engine.map().weight({2, 2}), 1);
  EXPECT_EQ(engine.map().set_weight({2, 2}, 3).status, Status::bad_argument);
  EXPECT_EQ(engine.map().weight({2, 2}), 1);
}

TEST(MapEdits, stamps_copy_row_by_row_with_a_stride) {
  Engine engine;
  MapDef d = def_of(150, 100);
  d.weights = true;
  ASSERT_FALSE(engine.reset(d));
  std::vector<uint8_t> terrain(90 * 80);
  std::vector<uint16_t> weight(90 * 80);
  for (size_t i = 0; i < terrain.size(); ++i) {
    terrain[i] = static_cast<uint8_t>(i * 7 + i / 90);
    weight[i] = static_cast<uint16_t>(i * 31);
  }
  ASSERT_FALSE(engine.map().stamp({40, 15, 77, 80}, terrain.data(), 90));
  ASSERT_FALSE(engine.map().stamp_weight({40, 15, 77, 80}, weight.data(), 90));
  for (int y = 0; y < 100; ++y) {
    for (int x = 0; x < 150; ++x) {
      const bool inside = x >= 40 && x < 117 && y >= 15 && y < 95;
      const size_t i = size_t(y - 15) * 90 + size_t(x - 40);
      ASSERT_EQ(engine.map().terrain({x, y}), inside ? terrain[i] : '.');
      ASSERT_EQ(engine.map().weight({x, y}), inside ? weight[i] : 1);
    }
  }
}

TEST(MapEdits, a_reset_with_terrain_has_a_stride_too) {
  const uint8_t rows[] = "ab#cd#ef";
  Engine engine;
  ASSERT_FALSE(engine.reset(def_of(2, 3), rows, 3));
  EXPECT_EQ(engine.map().terrain({0, 0}), 'a');
  EXPECT_EQ(engine.map().terrain({1, 1}), 'd');
  EXPECT_EQ(engine.map().terrain({1, 2}), 'f');
}

TEST(MapEdits, are_seen_in_the_map_at_once_and_in_views_after_the_commit) {
  World world(Rows{"...", "...", "..."});
  ASSERT_FALSE(world.engine.map().set_terrain({1, 1}, '@'));
  EXPECT_EQ(world.engine.map().terrain({1, 1}), '@');
  EXPECT_EQ(world.engine.view(world.id).terrain({1, 1}), '.');
  ASSERT_FALSE(world.engine.commit());
  EXPECT_EQ(world.engine.view(world.id).terrain({1, 1}), '@');
  EXPECT_EQ(world.view.terrain({1, 1}), '.');
}

// ---------------------------------------------------------------------------------------------
// World coordinates

TEST(MapWorld, cells_are_floors) {
  MapDef d = def_of(10, 10);
  d.origin = {-4, 8};
  d.cell_size = 2;
  Engine engine;
  ASSERT_FALSE(engine.reset(d));
  const Map& map = engine.map();
  EXPECT_EQ(map.cell_at({-4, 8}), (Cell{0, 0}));
  EXPECT_EQ(map.cell_at({-2.001, 9.999}), (Cell{0, 0}));
  EXPECT_EQ(map.cell_at({-2, 10}), (Cell{1, 1}));
  EXPECT_EQ(map.cell_at({-4.001, 7.999}), (Cell{-1, -1}));
  EXPECT_EQ(map.cell_at({-8, 4}), (Cell{-2, -2}));
  EXPECT_EQ(map.center({0, 0}).x, -3);
  EXPECT_EQ(map.center({0, 0}).y, 9);
  EXPECT_EQ(map.center({-1, -1}).x, -5);
}

TEST(MapWorld, first_cell_moves_cells_and_not_the_world) {
  MapDef d = def_of(10, 10);
  d.first_cell = {-5, 100};
  Engine engine;
  ASSERT_FALSE(engine.reset(d));
  EXPECT_EQ(engine.map().cell_at({-4.5, 100.5}), (Cell{-5, 100}));
  EXPECT_TRUE(engine.map().contains(engine.map().cell_at({-4.5, 100.5})));
  EXPECT_FALSE(engine.map().contains({0, 0}));
}

TEST(MapWorld, centres_come_back) {
  Random random(82);
  for (int i = 0; i < 300; ++i) {
    MapDef d = def_of(random.between(1, 300), random.between(1, 300));
    d.origin = {random.between(-100000, 100000) / 16.0, random.between(-100000, 100000) / 16.0};
    d.cell_size = random.between(1, 4000) / 100.0;
    d.first_cell = {random.between(-5000, 5000), random.between(-5000, 5000)};
    Engine engine;
    ASSERT_FALSE(engine.reset(d));
    for (int k = 0; k < 50; ++k) {
      const Cell c{d.first_cell.x + random.below(d.width), d.first_cell.y + random.below(d.height)};
      ASSERT_EQ(engine.map().cell_at(engine.map().center(c)), c);
    }
  }
}

TEST(MapWorld, points_too_far_away_and_nan_lie_outside_every_map) {
  Engine engine;
  MapDef d = def_of(10, 10);
  d.first_cell = {INT32_MIN + 1, INT32_MIN + 1};
  ASSERT_FALSE(engine.reset(d));
  const Map& map = engine.map();
  for (const double far :
       {kNaN, kInfinity, -kInfinity, 1e300, -1e300, 2147483648.0, -2147483649.0}) {
    for (const WorldPoint p : {WorldPoint{far, 0}, WorldPoint{0, far}, WorldPoint{far, far}}) {
      const Cell c = map.cell_at(p);
      EXPECT_EQ(c, kNowhere) << p.x << " " << p.y;
      EXPECT_FALSE(map.contains(c));
    }
  }
  EXPECT_EQ(map.cell_at({2147483647.5, -2147483646.5}), (Cell{INT32_MAX, INT32_MIN + 1}));
  EXPECT_EQ(map.cell_at({-2147483647, -2147483647}), (Cell{INT32_MIN + 1, INT32_MIN + 1}));
}

TEST(MapWorld, tiny_and_huge_cells) {
  for (const double size : {std::numeric_limits<double>::denorm_min(), 1e-300, 1e300, 1e307}) {
    MapDef d = def_of(10, 10);
    d.cell_size = size;
    Engine engine;
    ASSERT_FALSE(engine.reset(d));
    EXPECT_EQ(engine.map().cell_at({0, 0}), (Cell{0, 0}));
    EXPECT_EQ(engine.map().cell_at({5 * size, 0}), (Cell{5, 0}));
    engine.map().center({9, 9});
  }
}

}  // namespace
}  // namespace octile::test
