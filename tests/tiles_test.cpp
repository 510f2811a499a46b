// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "world/tiles.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "support.hpp"

namespace octile::test {
namespace {

MapDef def_of(int width, int height, Cell first = {}) {
  MapDef d;
  d.width = width;
  d.height = height;
  d.first_cell = first;
  return d;
}

// ---------------------------------------------------------------------------------------------
// Cells and ids

TEST(TileGrid, ids_go_there_and_back) {
  Random random(61);
  for (int i = 0; i < 300; ++i) {
    TileGrid grid;
    const Cell first{random.between(-100000, 100000), random.between(-100000, 100000)};
    ASSERT_TRUE(grid.shape(def_of(random.between(1, 1000), random.between(1, 1000), first)));
    for (int k = 0; k < 200; ++k) {
      const Cell c{first.x + random.below(grid.width), first.y + random.below(grid.height)};
      ASSERT_TRUE(grid.contains(c));
      const CellId id = grid.id(c);
      ASSERT_LT(id >> 12, grid.tiles);
      ASSERT_EQ(grid.cell(id), c);
      ASSERT_EQ(grid.px(id), uint32_t(c.x - first.x + 64));
      ASSERT_EQ(grid.py(id), uint32_t(c.y - first.y + 64));
      ASSERT_EQ(grid.id(grid.px(id), grid.py(id)), id);
      ASSERT_EQ(id >> 12,
                grid.tile_index(uint32_t(c.x - first.x) / 64, uint32_t(c.y - first.y) / 64));
    }
  }
}

TEST(TileGrid, ids_of_a_small_map_are_all_different) {
  TileGrid grid;
  ASSERT_TRUE(grid.shape(def_of(130, 70)));
  std::vector<CellId> ids;
  for (int y = 0; y < 70; ++y)
    for (int x = 0; x < 130; ++x) ids.push_back(grid.id(Cell{x, y}));
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::unique(ids.begin(), ids.end()), ids.end());
}

TEST(TileGrid, contains_at_the_ends_of_the_coordinates) {
  TileGrid grid;
  ASSERT_TRUE(grid.shape(def_of(10, 10, {INT32_MAX - 9, INT32_MIN + 1})));
  EXPECT_TRUE(grid.contains({INT32_MAX, INT32_MIN + 1}));
  EXPECT_TRUE(grid.contains({INT32_MAX - 9, INT32_MIN + 10}));
  EXPECT_FALSE(grid.contains({INT32_MAX, INT32_MIN}));
  EXPECT_FALSE(grid.contains({INT32_MIN, INT32_MIN + 1}));
  EXPECT_FALSE(grid.contains({INT32_MAX - 10, INT32_MIN + 1}));
  EXPECT_FALSE(grid.contains({0, 0}));
  EXPECT_EQ(grid.cell(grid.id(Cell{INT32_MAX, INT32_MIN + 10})), (Cell{INT32_MAX, INT32_MIN + 10}));
}

TEST(TileGrid, no_more_than_two_to_the_twentieth_tiles) {
  TileGrid grid;
  EXPECT_TRUE(grid.shape(def_of(64 * 1022, 64 * 1022)));
  EXPECT_LE(grid.tiles, kMaxTiles);
  EXPECT_FALSE(grid.shape(def_of(64 * 1022 + 1, 64 * 1022)));
  EXPECT_FALSE(grid.shape(def_of(100000, 100000)));
  EXPECT_FALSE(grid.shape(def_of(INT32_MAX, 2)));
  EXPECT_FALSE(grid.shape(def_of(2, INT32_MAX)));
  EXPECT_FALSE(grid.shape(def_of(INT32_MAX, INT32_MAX)));
}

TEST(NeighbourSteps, lead_over_the_edges_of_tiles) {
  Random random(62);
  for (int i = 0; i < 40; ++i) {
    TileGrid grid;
    ASSERT_TRUE(grid.shape(def_of(random.between(1, 400), random.between(1, 400))));
    NeighbourSteps steps;
    steps.shape(grid);
    for (int k = 0; k < 500; ++k) {
      // Padded coordinates of map cells: their neighbours may lie in the ring.
      const int px = 64 + random.below(grid.width), py = 64 + random.below(grid.height);
      const CellId id = grid.id(uint32_t(px), uint32_t(py));
      for (int d = 0; d < 8; ++d) {
        const CellId next = id + uint32_t(steps.of(id)[d]);
        ASSERT_EQ(next, grid.id(uint32_t(px + kDx[d]), uint32_t(py + kDy[d])));
        ASSERT_LT(next >> 12, grid.tiles);
      }
    }
  }
}

// ---------------------------------------------------------------------------------------------
// The table

struct Item : Counted {
  static int alive;
  int value = 0;
  explicit Item(int v) noexcept : value(v) { ++alive; }
  Item(const Item& other) noexcept : Counted(other), value(other.value) { ++alive; }
  ~Item() { --alive; }
};
int Item::alive = 0;

TEST(TileTable, copies_share_until_they_are_edited) {
  {
    TileTable<Item> first;
    Item* fill = new Item(7);
    ASSERT_TRUE(first.reset(100, fill));
    drop(fill);
    EXPECT_EQ(first.size(), 100u);
    EXPECT_EQ(Item::alive, 1);

    TileTable<Item> second;
    second.share(first);
    EXPECT_EQ(Item::alive, 1);
    EXPECT_EQ(second.at(99), first.at(99));

    Item* mine = second.edit(40);
    ASSERT_NE(mine, nullptr);
    mine->value = 8;
    EXPECT_EQ(Item::alive, 2);
    EXPECT_EQ(first.at(40)->value, 7);
    EXPECT_EQ(second.at(40)->value, 8);
    EXPECT_EQ(second.flat()[40], second.at(40));
    for (uint32_t t = 0; t < 100; ++t) EXPECT_EQ(second.at(t) == first.at(t), t != 40) << t;
    // What only this table has is not copied again.
    EXPECT_EQ(second.edit(40), mine);
    EXPECT_EQ(Item::alive, 2);

    TileTable<Item> third;
    third.share(second);
    ASSERT_TRUE(third.set(40, new Item(9)));
    EXPECT_EQ(second.at(40)->value, 8);
    EXPECT_EQ(third.at(40)->value, 9);
    EXPECT_EQ(Item::alive, 3);
    second.release();
    EXPECT_EQ(Item::alive, 2);  // 8 was second's and is gone; 7 and 9 live on
    EXPECT_EQ(third.at(0)->value, 7);
  }
  EXPECT_EQ(Item::alive, 0);
}

TEST(TileTable, moves_and_swaps_keep_the_counts) {
  {
    TileTable<Item> a;
    Item* fill = new Item(1);
    ASSERT_TRUE(a.reset(33, fill));
    drop(fill);
    TileTable<Item> b(std::move(a));
    EXPECT_EQ(b.at(32)->value, 1);
    EXPECT_TRUE(a.empty());
    a = std::move(b);
    EXPECT_EQ(a.at(0)->value, 1);
    EXPECT_EQ(Item::alive, 1);
    EXPECT_GT(a.table_bytes(), 33 * sizeof(void*));
  }
  EXPECT_EQ(Item::alive, 0);
}

TEST(TileTable, random_histories_keep_every_version) {
  Random random(63);
  {
    std::vector<TileTable<Item>> tables(1);
    std::vector<std::vector<int>> values(1, std::vector<int>(70, 0));
    Item* fill = new Item(0);
    ASSERT_TRUE(tables[0].reset(70, fill));
    drop(fill);
    for (int step = 1; step < 60; ++step) {
      const size_t from = size_t(random.below(int(tables.size())));
      TileTable<Item> next;
      next.share(tables[from]);
      std::vector<int> expected = values[from];
      for (int k = random.below(6); k > 0; --k) {
        const auto tile = uint32_t(random.below(70));
        if (random.percent(50)) {
          next.edit(tile)->value = step;
        } else {
          ASSERT_TRUE(next.set(tile, new Item(step)));
        }
        expected[tile] = step;
      }
      tables.push_back(std::move(next));
      values.push_back(expected);
      if (random.percent(20)) {  // forget an old one
        const size_t gone = size_t(random.below(int(tables.size())));
        tables[gone].swap(tables.back());
        values[gone].swap(values.back());
        tables.pop_back();
        values.pop_back();
      }
      for (size_t v = 0; v < tables.size(); ++v)
        for (uint32_t t = 0; t < 70; ++t) ASSERT_EQ(tables[v].at(t)->value, values[v][t]);
    }
  }
  EXPECT_EQ(Item::alive, 0);
}

// Lines of cells, as tiles of maps have them.
struct Lines : Counted {
  static int made;
  uint32_t serial = 0;
  int line[64] = {};
  Lines() noexcept { ++made; }
  Lines(const Lines& other) noexcept : Counted(other), serial(other.serial) {
    std::memcpy(line, other.line, sizeof line);
    ++made;
  }
  void follow(const Lines& newer, const TileBox& box) noexcept {
    for (int y = box.y0; y <= box.y1; ++y) line[y] = newer.line[y];
  }
};
int Lines::made = 0;

// A writer as commit() is one, with readers that keep some versions for a while.
TEST(TileTable, versions_made_from_those_before_the_last_are_right) {
  Random random(64);
  for (const bool readers : {false, true}) {
    constexpr uint32_t kTiles = 300;
    using Model = std::vector<std::array<int, 64>>;
    TileTable<Lines>::Spare spare;
    TileTable<Lines> now;
    Model model(kTiles);
    Lines* fill = new Lines;
    ASSERT_TRUE(now.reset(kTiles, fill));
    drop(fill);
    std::vector<std::pair<TileTable<Lines>, Model>> kept;
    Lines::made = 0;
    int edits = 0;
    for (int step = 1; step < effort(3000); ++step) {
      TileTable<Lines> next;
      next.share(now);
      ASSERT_TRUE(next.own(&spare));
      const Model before = model;
      for (int k = random.below(random.percent(2) ? 400 : 4); k > 0; --k, ++edits) {
        const auto tile = uint32_t(random.percent(70) ? random.below(20) : random.below(kTiles));
        const int first = random.below(64), last = random.between(first, 63);
        if (random.percent(3)) {
          Lines* other = new Lines;
          std::fill(other->line, other->line + 64, step);
          model[tile].fill(step);
          ASSERT_TRUE(next.set(tile, other));
          continue;
        }
        Lines* lines = next.edit(tile, &spare, {0, uint8_t(first), 63, uint8_t(last)});
        ASSERT_NE(lines, nullptr);
        for (int y = first; y <= last; ++y) lines->line[y] = model[tile][size_t(y)] = step;
      }
      next.settle(&spare);
      if (random.percent(10)) {  // a commit that fails
        model = before;
      } else {
        now = std::move(next);
      }
      if (readers && random.percent(20)) {
        kept.emplace_back();
        kept.back().first.share(now);
        kept.back().second = model;
      }
      while (!kept.empty() && random.percent(25)) {
        std::swap(kept[size_t(random.below(int(kept.size())))], kept.back());
        kept.pop_back();
      }
      const auto check = [](const TileTable<Lines>& table, const Model& values) {
        for (uint32_t t = 0; t < kTiles; ++t)
          if (std::memcmp(table.at(t)->line, values[t].data(), sizeof table.at(t)->line) != 0)
            return false;
        return true;
      };
      ASSERT_TRUE(check(now, model)) << step;
      for (const auto& [table, values] : kept) ASSERT_TRUE(check(table, values)) << step;
    }
    std::printf("%d edits, %d tiles made\n", edits, Lines::made);
    EXPECT_GT(Lines::made, 0);
    if (!readers) {
      EXPECT_LT(2 * Lines::made, edits);
    }
  }
}

}  // namespace
}  // namespace octile::test
