// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Search records for huge maps: by themselves against a std::map, and jump point search with them
// against the judge.

#include "search/sparse_nodes.hpp"

#include <gtest/gtest.h>

#include <map>

#include "support.hpp"

namespace octile::test {
namespace {

TEST(SparseNodes, remember_what_a_map_remembers) {
  struct Known {
    Cost g = 0;
    CellId parent = kNoCell;
    bool open = false, closed = false;
  };
  Random random(401);
  SparseNodes nodes;
  for (int search = 0; search < effort(40); ++search) {
    // From few cells of many tiles to all cells of few.
    const uint32_t tiles = uint32_t(random.between(1, search % 2 ? 3 : 300));
    const int cells = random.between(1, 4096);
    ASSERT_TRUE(nodes.begin(tiles));
    std::map<CellId, Known> right;
    for (int i = 0; i < 12000; ++i) {
      // Every tenth search reaches all cells of a tile.
      const CellId id = search % 10 == 0 ? uint32_t(i) & 4095
                                         : uint32_t(random.below(int(tiles))) << 12 |
                                               uint32_t(random.below(cells));
      SparseNode* node = nodes.reach(id);
      ASSERT_NE(node, nullptr);
      Known& known = right[id];
      ASSERT_EQ(nodes.fresh(*node), !known.open && !known.closed);
      ASSERT_EQ(nodes.closed(*node), known.closed);
      if (known.open || known.closed) {
        ASSERT_EQ(node->g, known.g);
        ASSERT_EQ(node->parent, known.parent);
      }
      if (known.open && random.percent(50)) {
        nodes.close(*node);
        known.closed = true;
        known.open = false;
      } else if (!random.percent(10)) {  // sometimes only reached
        known = {Cost(random.next()), CellId(random.next()), true, false};
        nodes.open(*node, known.g, known.parent);
      }
    }
    for (const auto& [id, known] : right) {
      if (!known.open && !known.closed) continue;
      ASSERT_EQ(nodes.known(id).g, known.g);
      ASSERT_EQ(nodes.known(id).parent, known.parent);
    }
  }
}

// 33 x 33 tiles, nearly all of them rock, so that the judge is quick.
Board huge_board(Random& random) {
  Board board(33 * 64, 33 * 64, '@');
  const int width = 340, height = 260, x = random.between(0, 33 * 64 - width),
            y = random.between(0, 33 * 64 - height);
  const int percent = random.between(5, 33);
  for (int dy = 0; dy < height; ++dy)
    for (int dx = 0; dx < width; ++dx)
      if (!random.percent(percent)) board.at({x + dx, y + dy}) = '.';
  return board;
}

TEST(SparseNodes, jps_on_huge_maps_is_right) {
  Random random(402);
  int found = 0, others = 0;
  for (int i = 0; i < effort(2); ++i) {
    const World world(huge_board(random), Profile());
    const Rules rules = world.rules();
    std::vector<Cell> free;
    for (size_t k = 0; k < world.board.size(); ++k)
      if (world.board.terrain[k] == '.') free.push_back(world.board.cell(k));
    Searcher searcher;
    Path path;
    for (int k = 0; k < 6; ++k) {
      Query q = query_of(free[size_t(random.below(int(free.size())))],
                         free[size_t(random.below(int(free.size())))], "dijkstra");
      q.allow_partial = k % 3 == 1;
      if (k % 4 == 2) q.max_cost = random.between(1, 250);
      const Path judged = ask(world.view, q);
      q.solver = solver_id("jps");
      searcher.begin(world.view, q, path);
      while (!searcher.step(100, path)) {
      }
      ASSERT_EQ(path.status, judged.status) << shown(q);
      ASSERT_EQ(path.cost_units, judged.cost_units) << shown(q);
      if (path.size()) {
        const std::vector<Cell> cells = cells_of(path);
        ASSERT_EQ(walk(rules, cells).wrong, "") << shown(q);
        ASSERT_EQ(cells.back(), cells_of(judged).back()) << shown(q);
      }
      (path.status == Status::found ? found : others) += 1;
    }
    // Cut short: the way to the nearest cell that was seen.
    Query q = query_of(free.front(), free.back(), "jps");
    q.allow_partial = true;
    q.max_expansions = 50;
    find(searcher, world.view, q, path);
    EXPECT_EQ(walk(rules, cells_of(path)).wrong, "");
    EXPECT_GT(path.size(), 1u);
  }
  EXPECT_GT(found, effort(2));
  EXPECT_GT(others, 0);
}

// The memory of a search follows what it reaches: a lone wall in each of 2,500 tiles has four
// corners, where pages of all cells would take 64 KB.
TEST(SparseNodes, memory_follows_what_is_reached) {
  Board board(50 * 64, 50 * 64);
  for (int y = 0; y < 50; ++y)
    for (int x = 0; x < 50; ++x) board.at({64 * x + 20 + y % 9, 64 * y + 30 + x % 7}) = '@';
  for (int y = 0; y < board.height() - 1; ++y) board.at({board.width() - 2, y}) = '@';
  const World world(board, Profile());
  Searcher searcher;
  Path path;
  find(searcher, world.view, query_of({0, 0}, {board.width() - 1, 0}, "jps"), path);
  EXPECT_EQ(path.status, Status::found);
  EXPECT_GT(path.expanded, 1000u);
  std::printf("%llu expansions, %zu bytes\n", (unsigned long long)path.expanded,
              searcher.memory_bytes());
  EXPECT_LT(searcher.memory_bytes(), 6u << 20);
}

}  // namespace
}  // namespace octile::test
