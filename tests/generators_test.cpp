// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The generators give the bytes they have always given, and the maps that their names promise.

#include "scenes/generators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "octile/octile.hpp"
#include "scenes/tile_worlds.hpp"

namespace octile::scenes {
namespace {

TEST(Generators, random_numbers_are_splitmix64) {
  Random zero(0);  // the reference values of the published algorithm
  EXPECT_EQ(zero.next(), 0xe220a8397b1dcdafu);
  EXPECT_EQ(zero.next(), 0x6e789e6aa1b965f4u);
  EXPECT_EQ(zero.next(), 0x06c45d188009454fu);
  Random other(1234567);
  EXPECT_EQ(other.next(), 6457827717110365317u);
  EXPECT_EQ(other.next(), 3203168211198807973u);
  for (int i = 0; i < 1000; ++i) EXPECT_LT(other.below(7), 7u);
}

struct Print {
  const char* kind;
  int width, height;
  uint64_t seed;
  int density, room, corridor;
  uint64_t fingerprint;
};

// Made by the first version, and never to change.
const Print kPrints[] = {
    {"random", 64, 64, 1, -1, -1, -1, 0xea1c51ffad7cc245u},
    {"random", 127, 65, 42, 150, -1, -1, 0x725f96687ec93669u},
    {"random", 512, 512, 7, 400, -1, -1, 0xe63bd6e17d74438bu},
    {"rooms", 64, 64, 1, -1, -1, -1, 0x082a29a3227219c5u},
    {"rooms", 130, 71, 5, -1, 15, -1, 0x54fcec1607fe3f82u},
    {"caves", 64, 64, 1, -1, -1, -1, 0x735c16b2cc572dcbu},
    {"caves", 130, 67, 9, 380, -1, -1, 0x5d56ca7f3d31b1e6u},
    {"city", 64, 64, 1, -1, -1, -1, 0x3dfb3ea14a222905u},
    {"city", 131, 90, 4, -1, 24, -1, 0xf1822927bd39a6b4u},
    {"maze", 64, 64, 1, -1, -1, -1, 0x623155948ec3482bu},
    {"maze", 129, 67, 9, -1, -1, 4, 0x8c3636c4d38244bdu},
    {"one_wide", 64, 64, 1, -1, -1, -1, 0xd56068a4bb19e46bu},
    {"one_wide", 65, 130, 3, 500, -1, -1, 0x36462091c324c70au},
    {"hills", 64, 64, 1, -1, -1, -1, 0xe6502ab18e25d3ebu},
    {"hills", 200, 90, 8, 0, -1, -1, 0x43ec75a1ad81e328u},
    {"open", 65, 63, 1, -1, -1, -1, 0xf439c064548d9aa7u},
    {"serpentine", 64, 64, 1, -1, -1, -1, 0x3a6708d24021522bu},
    {"serpentine", 65, 63, 1, -1, -1, 3, 0xf36aed06967ddae7u},
    {"spiral", 64, 64, 1, -1, -1, -1, 0x6b590599d53acb0bu},
    {"spiral", 65, 63, 1, -1, -1, 3, 0x7e3c53bb7261d5e7u},
    {"comb", 64, 64, 1, -1, -1, -1, 0x5272e81dc93f360bu},
    {"comb", 65, 63, 1, -1, -1, 2, 0x6f1e37b3636524c9u},
    {"diagonal_comb", 64, 64, 1, -1, -1, -1, 0xb9a2c430cb97c32bu},
    {"diagonal_comb", 65, 63, 1, -1, -1, 1, 0x96ac2ada0722a769u},
    {"checkerboard", 65, 64, 1, -1, -1, -1, 0x147daba7a2462f24u},
    {"pillars", 65, 64, 1, -1, -1, -1, 0xf27d343ed71c97a4u},
};

std::string line_of(const Print& p, uint64_t fingerprint) {
  char text[160];
  std::snprintf(text, sizeof text, "    {\"%s\", %d, %d, %llu, %d, %d, %d, 0x%016llxu},", p.kind,
                p.width, p.height, static_cast<unsigned long long>(p.seed), p.density, p.room,
                p.corridor, static_cast<unsigned long long>(fingerprint));
  return text;
}

TEST(Generators, same_seed_same_bytes) {
  std::set<std::string> kinds;
  for (const Print& print : kPrints) {
    GeneratorOptions options;
    options.width = print.width;
    options.height = print.height;
    options.seed = print.seed;
    options.density = print.density;
    options.room = print.room;
    options.corridor = print.corridor;
    Grid grid;
    ASSERT_EQ(generate(print.kind, options, grid), "");
    EXPECT_EQ(fingerprint(grid), print.fingerprint) << line_of(print, fingerprint(grid));
    kinds.insert(print.kind);
  }
  for (int i = 0; i < map_kind_count(); ++i) EXPECT_TRUE(kinds.count(map_kind(i).name)) << i;
}

TEST(Generators, another_seed_gives_another_map) {
  for (int i = 0; i < map_kind_count(); ++i) {
    const MapKind& g = map_kind(i);
    GeneratorOptions options;
    Grid first, again, other;
    ASSERT_EQ(generate(g.name, options, first), "");
    ASSERT_EQ(generate(g.name, options, again), "");
    options.seed = 2;
    ASSERT_EQ(generate(g.name, options, other), "");
    EXPECT_EQ(first.cells, again.cells) << g.name;
    const bool seeded = g.parameters[0].name && std::string(g.parameters[0].name) == "seed";
    EXPECT_EQ(first.cells != other.cells, seeded) << g.name;
  }
}

// Floor cells, steps between edge neighbours, and connected parts by those steps.
struct Shape {
  size_t floor = 0;
  size_t steps = 0;
  size_t parts = 0;
};

Shape measure(const Grid& grid) {
  Shape shape;
  std::vector<uint8_t> seen(grid.cells.size(), 0);
  for (int y = 0; y < grid.height; ++y) {
    for (int x = 0; x < grid.width; ++x) {
      if (grid.at(x, y) == kStone) continue;
      ++shape.floor;
      if (x + 1 < grid.width && grid.at(x + 1, y) != kStone) ++shape.steps;
      if (y + 1 < grid.height && grid.at(x, y + 1) != kStone) ++shape.steps;
      if (seen[grid.index(x, y)]) continue;
      ++shape.parts;
      std::vector<Cell> stack{{x, y}};
      seen[grid.index(x, y)] = 1;
      while (!stack.empty()) {
        const Cell c = stack.back();
        stack.pop_back();
        for (const Cell n :
             {Cell{c.x + 1, c.y}, Cell{c.x - 1, c.y}, Cell{c.x, c.y + 1}, Cell{c.x, c.y - 1}}) {
          if (n.x < 0 || n.y < 0 || n.x >= grid.width || n.y >= grid.height) continue;
          if (grid.at(n.x, n.y) == kStone || seen[grid.index(n.x, n.y)]) continue;
          seen[grid.index(n.x, n.y)] = 1;
          stack.push_back(n);
        }
      }
    }
  }
  return shape;
}

TEST(Generators, caves_are_smoothed_four_times) {
  for (const int width : {1, 2, 5, 64, 71}) {
    Grid slow = random(width, 33, 6, 420);
    for (int round = 0; round < 4; ++round) {
      const Grid before = slow;
      for (int y = 0; y < slow.height; ++y) {
        for (int x = 0; x < slow.width; ++x) {
          int walls = 0;
          for (int i = 0; i < 9; ++i) {
            const int nx = x + i % 3 - 1, ny = y + i / 3 - 1;
            walls += nx < 0 || ny < 0 || nx >= slow.width || ny >= slow.height ||
                     before.at(nx, ny) == kStone;
          }
          slow.at(x, y) = walls >= 5 ? kStone : kFloor;
        }
      }
    }
    EXPECT_EQ(caves(width, 33, 6, 420).cells, slow.cells) << width;
  }
}

TEST(Generators, mazes_are_perfect) {
  for (const int side : {5, 8, 33, 64, 101}) {
    // At width 1 the cells themselves are the tree: connected, and one step fewer than cells.
    const Shape narrow = measure(maze(side, side + 3, 17, 1));
    EXPECT_EQ(narrow.parts, 1u);
    EXPECT_EQ(narrow.steps, narrow.floor - 1);
    for (const int corridor : {2, 3, 4}) {
      EXPECT_EQ(measure(maze(side, side, 17, corridor)).parts, 1u) << side << " " << corridor;
    }
  }
  const Grid wide = maze(31, 31, 4, 3);
  EXPECT_EQ(wide.at(0, 0), kFloor);
  EXPECT_EQ(wide.at(2, 2), kFloor);
  EXPECT_EQ(wide.at(3, 3), kStone);  // a pillar between four places
}

TEST(Generators, everything_that_should_be_is_connected) {
  for (const int width : {3, 10, 63, 64, 65}) {
    const int height = 40;
    EXPECT_EQ(measure(rooms(width, height, 3, 7)).parts, 1u);
    EXPECT_EQ(measure(one_wide(width, height, 3, 100)).parts, 1u);
    EXPECT_EQ(measure(serpentine(width, height, 1)).parts, 1u);
    EXPECT_EQ(measure(spiral(width, height, 1)).parts, 1u);
    EXPECT_EQ(measure(comb(width, height, 1)).parts, 1u);
    EXPECT_EQ(measure(pillars(width, height)).parts, 1u);
    EXPECT_EQ(measure(diagonal_comb(width, height, 1)).parts, 1u);
    EXPECT_EQ(measure(diagonal_comb(width, height, 4)).parts, 1u);
  }
  // A spiral and a serpentine have no side ways.
  for (const Grid& grid : {spiral(41, 29, 1), serpentine(41, 29, 1)}) {
    const Shape shape = measure(grid);
    EXPECT_EQ(shape.steps, shape.floor - 1);
  }
  // Cells of a checkerboard share no edge.
  EXPECT_EQ(measure(checkerboard(20, 20)).steps, 0u);
}

TEST(Generators, density_is_kept) {
  EXPECT_EQ(measure(random(50, 50, 1, 0)).floor, 2500u);
  EXPECT_EQ(measure(random(50, 50, 1, 1000)).floor, 0u);
  const double walls = 1e6 - static_cast<double>(measure(random(1000, 1000, 5, 300)).floor);
  EXPECT_NEAR(walls / 1e6, 0.3, 0.003);
}

TEST(Generators, hills_use_every_digit) {
  const Grid grid = hills(128, 128, 2, 50);
  std::map<uint8_t, int> counts;
  for (const uint8_t cell : grid.cells) ++counts[cell];
  EXPECT_EQ(counts.size(), 10u);
  for (char digit = '1'; digit <= '9'; ++digit) EXPECT_GT(counts[static_cast<uint8_t>(digit)], 0);
  EXPECT_GT(counts[kStone], 0);
}

TEST(Generators, all_small_sizes_work) {
  for (int i = 0; i < map_kind_count(); ++i) {
    const MapKind& g = map_kind(i);
    for (int width = 1; width <= 9; ++width) {
      for (int height = 1; height <= 9; ++height) {
        GeneratorOptions options;
        options.width = width;
        options.height = height;
        Grid grid;
        ASSERT_EQ(generate(g.name, options, grid), "");
        ASSERT_EQ(grid.width, width);
        ASSERT_EQ(grid.height, height);
        ASSERT_EQ(grid.cells.size(), static_cast<size_t>(width * height));
      }
    }
  }
}

TEST(Generators, wrong_options_get_a_line) {
  GeneratorOptions options;
  Grid grid(2, 1, '.');
  EXPECT_EQ(generate("labyrinth", options, grid), "there is no generator named \"labyrinth\"");
  options.width = 0;
  EXPECT_EQ(generate("open", options, grid), "a map needs at least one cell");
  options.width = 1 << 20;
  options.height = 1 << 20;
  EXPECT_NE(generate("open", options, grid), "");
  options = GeneratorOptions();
  options.density = 1001;
  EXPECT_EQ(generate("random", options, grid), "density must be from 0 to 1000");
  EXPECT_EQ(generate("maze", options, grid), "the generator \"maze\" takes no density");
  options.density = -1;
  options.corridor = 0;
  EXPECT_EQ(generate("maze", options, grid), "corridor must be from 1 to 4096");
  EXPECT_EQ(grid.width, 2);  // unchanged by all of them
  uint8_t rows[6] = {7, 7, 7, 7, 7, 7};
  options = GeneratorOptions();
  options.width = options.height = 2;
  EXPECT_STREQ(octile::generate(nullptr, options, rows, 2).text, "the kind of map is null");
  EXPECT_STREQ(octile::generate("open", options, nullptr, 2).text, "the rows are null");
  EXPECT_STREQ(octile::generate("open", options, rows, 1).text,
               "the stride is less than the width of the map");
  EXPECT_STREQ(octile::generate("open", options, rows, SIZE_MAX).text,
               "the stride is more than memory has");
  EXPECT_STREQ(map_kind(-1).name, "");
  EXPECT_STREQ(map_kind(map_kind_count()).summary, "");
  EXPECT_EQ(rows[0], 7);
  EXPECT_FALSE(octile::generate("checkerboard", options, rows, 3));
  const uint8_t wide[6] = {'.', '@', 7, '@', '.', 7};
  EXPECT_TRUE(std::equal(rows, rows + 6, wide));
}

Grid tile_of(const TileWorld& world, uint64_t seed, int x, int y) {
  Grid grid(kWorldTile, kWorldTile, 0);
  world.make(seed, x, y, grid.cells.data());
  return grid;
}

TEST(TileWorlds, tiles_are_what_they_have_always_been) {
  struct TilePrint {
    const char* name;
    uint64_t seed;
    int x, y;
    uint64_t fingerprint;
  };
  const TilePrint prints[] = {
      {"caves", 1, 0, 0, 6502133727746751237u},
      {"caves", 7, -3, 200, 6706297216304582955u},
      {"city", 1, 0, 0, 15849427193351951211u},
      {"city", 7, -3, 200, 16316545389988642827u},
  };
  for (const TilePrint& p : prints) {
    const TileWorld* world = find_tile_world(p.name);
    ASSERT_NE(world, nullptr);
    EXPECT_EQ(fingerprint(tile_of(*world, p.seed, p.x, p.y)), p.fingerprint) << p.name << p.x;
  }
  EXPECT_EQ(find_tile_world("labyrinth"), nullptr);
}

// Tiles are cut out of one world: across their seams it is as smooth as inside them.
TEST(TileWorlds, seams_do_not_show) {
  for (const TileWorld& world : tile_worlds()) {
    int across = 0, inside = 0, floor = 0;
    for (int i = 0; i < 60; ++i) {
      const Grid a = tile_of(world, 3, i, 5), b = tile_of(world, 3, i + 1, 5);
      for (int y = 0; y < kWorldTile; ++y) {
        across += a.at(63, y) != b.at(0, y);
        inside += a.at(31, y) != a.at(32, y);
        for (int x = 0; x < kWorldTile; ++x) floor += a.at(x, y) == kFloor;
      }
    }
    EXPECT_NEAR(across, inside, 0.2 * inside) << world.name;
    EXPECT_GT(floor, 60 * 4096 * 2 / 5) << world.name;
    EXPECT_LT(floor, 60 * 4096 * 4 / 5) << world.name;
  }
}

TEST(Generators, rows_of_text) {
  const Grid grid = grid_of({".@", "3."});
  EXPECT_EQ(grid.width, 2);
  EXPECT_EQ(grid.at(1, 0), '@');
  EXPECT_EQ(grid.at(0, 1), '3');
  EXPECT_EQ(grid_of({"..", "."}).width, 0);
}

}  // namespace
}  // namespace octile::scenes
