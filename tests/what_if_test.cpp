// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// would_disconnect() against what a commit does: an engine beside it gets the walls, and its
// components tell.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "support.hpp"

namespace octile::test {
namespace {

struct Answer {
  bool any = false;
  size_t first = 0;
};

Answer would(const View& view, const std::vector<Cell>& cells, const std::vector<CellPair>& pairs) {
  thread_local Searcher searcher;
  Answer a;
  const Fault f = would_disconnect(searcher, view, cells.data(), cells.size(), pairs.data(),
                                   pairs.size(), &a.any, &a.first);
  EXPECT_FALSE(f) << f.text;
  return a;
}
bool would_split(const View& view, const std::vector<Cell>& cells) {
  thread_local Searcher searcher;
  bool any = false;
  const Fault f = would_disconnect(searcher, view, cells.data(), cells.size(), nullptr, 0, &any);
  EXPECT_FALSE(f) << f.text;
  return any;
}

bool connected(const View& view, Cell a, Cell b) {
  return view.passable(a) && view.passable(b) && view.component(a) == view.component(b);
}

// Some component of before is in several pieces after.
bool split(const Board& board, const View& before, const View& after) {
  std::map<uint32_t, std::set<uint32_t>> pieces;
  for (size_t i = 0; i < board.size(); ++i)
    if (after.passable(board.cell(i)))
      pieces[before.component(board.cell(i))].insert(after.component(board.cell(i)));
  for (const auto& [component, set] : pieces)
    if (set.size() > 1) return true;
  return false;
}

void compare(const World& world, const View& after, const std::vector<Cell>& cells,
             const std::vector<CellPair>& pairs) {
  const Board& board = world.board;
  size_t first = pairs.size();
  for (size_t i = 0; i < pairs.size() && first == pairs.size(); ++i)
    if (connected(world.view, pairs[i].a, pairs[i].b) && !connected(after, pairs[i].a, pairs[i].b))
      first = i;
  const Answer answer = would(world.view, cells, pairs);
  std::string text;
  for (const Cell c : cells) text += shown(c);
  ASSERT_EQ(answer.first, first) << name_of(world.profile) << " walls " << text << "\n"
                                 << picture(board);
  ASSERT_EQ(answer.any, first < pairs.size());
  ASSERT_EQ(would_split(world.view, cells), split(board, world.view, after))
      << name_of(world.profile) << " walls " << text << "\n"
      << picture(board);
}

TEST(WouldDisconnect, equals_a_commit) {
  Random random(421);
  int yes = 0, no = 0;
  for (int round = 0; round < effort(120); ++round) {
    const int widths[] = {6, 20, 64, 65, 100, 129};
    const int w = widths[random.below(6)], h = widths[random.below(6)];
    const Board board = round % 4 == 0   ? rooms_board(random, w, h, 7)
                        : round % 4 == 1 ? one_wide_board(random, w, h, 5)
                                         : random_board(random, w, h, random.between(0, 45));
    const std::vector<Profile> all = all_profiles();
    Profile profile = all[size_t(random.below(5))];
    if (round % 3 == 0) {
      profile.width = random.between(1, 3);
      profile.height = random.between(1, 3);
      profile.anchor = {random.below(profile.width), random.below(profile.height)};
    }
    World world(board, profile);
    for (int i = 0; i < 12; ++i) {
      std::vector<Cell> cells;
      const int kind = random.below(4);
      const Cell at = board.random_cell(random);
      for (int k = kind == 0 ? 1 : random.between(1, 20); k > 0; --k) {
        if (kind <= 1) cells.push_back(kind ? board.random_cell(random) : at);
        if (kind == 2) cells.push_back({at.x + k, at.y});
        if (kind == 3) cells.push_back({at.x + random.below(4), at.y + random.below(4)});
      }
      std::vector<CellPair> pairs;
      for (int k = 0; k < 12; ++k)
        pairs.push_back({board.random_cell(random), board.random_cell(random)});
      pairs.push_back({{-1, 0}, {0, 0}});
      Board walled = board;
      for (const Cell c : cells)
        if (board.contains(c)) walled.at(c) = '@';
      const World after(walled, profile);
      compare(world, after.view, cells, pairs);
      if (HasFatalFailure()) return;
      ++(split(board, world.view, after.view) ? yes : no);
    }
  }
  EXPECT_GT(yes, effort(120) * 2);
  EXPECT_GT(no, effort(120) * 2);
}

// Every map of 3 x 4 cells with every single wall.
TEST(WouldDisconnect, every_small_map) {
  const uint32_t stride = long_run() ? 1 : sampled() ? 67 : 7;
  for (const Diagonal diagonal : {Diagonal::always, Diagonal::no_obstacles}) {
    for (uint32_t walls = 0; walls < 1u << 12; walls += stride) {
      Board board(3, 4);
      for (size_t i = 0; i < 12; ++i)
        if (walls >> i & 1) board.terrain[i] = '@';
      World world(board, profile_of(Moves::eight, diagonal));
      std::vector<CellPair> pairs;
      for (size_t a = 0; a < 12; ++a)
        for (size_t b = 0; b < a; ++b) pairs.push_back({board.cell(a), board.cell(b)});
      for (size_t i = 0; i < 12; ++i) {
        Board walled = board;
        walled.terrain[i] = '@';
        const World after(walled, world.profile);
        compare(world, after.view, {board.cell(i)}, pairs);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(WouldDisconnect, a_tower_that_seals_the_way) {
  const World world(Rows{".....", "##.##", "....."});
  const std::vector<CellPair> way{{{0, 0}, {0, 2}}};
  EXPECT_TRUE(would(world.view, {{2, 1}}, way).any);
  EXPECT_FALSE(would(world.view, {{1, 0}, {3, 0}}, {{{2, 0}, {2, 2}}}).any);
  // On an end of the way.
  EXPECT_TRUE(would(world.view, {{0, 0}}, way).any);
  EXPECT_FALSE(would_split(world.view, {{0, 0}}));
  // What is apart already is not parted.
  EXPECT_FALSE(would(world.view, {{2, 1}}, {{{0, 0}, {0, 1}}}).any);
  // All of it filled up: nothing is left that could be parted.
  std::vector<Cell> all;
  for (size_t i = 0; i < world.board.size(); ++i) all.push_back(world.board.cell(i));
  EXPECT_FALSE(would_split(world.view, all));
}

TEST(WouldDisconnect, for_units_of_two_cells) {
  Profile profile = profile_of(Moves::four);
  profile.width = profile.height = 2;
  const World world(Board(Rows{"......", "......", "##..##", "......", "......"}), profile);
  EXPECT_TRUE(would(world.view, {{3, 2}}, {{{0, 0}, {0, 3}}}).any);
  EXPECT_FALSE(would(world.view, {{5, 0}}, {{{0, 0}, {0, 3}}}).any);
}

TEST(WouldDisconnect, arguments) {
  const World world(Rows{"..."});
  Searcher searcher;
  bool any = true;
  size_t first = 7;
  const Cell cell{1, 0};
  const CellPair pair{{0, 0}, {2, 0}};
  EXPECT_EQ(would_disconnect(searcher, View(), &cell, 1, &pair, 1, &any).status,
            Status::bad_argument);
  EXPECT_EQ(would_disconnect(searcher, world.view, nullptr, 1, &pair, 1, &any).status,
            Status::bad_argument);
  EXPECT_EQ(would_disconnect(searcher, world.view, &cell, 1, nullptr, 1, &any).status,
            Status::bad_argument);
  EXPECT_EQ(would_disconnect(searcher, world.view, &cell, 1, &pair, 1, nullptr).status,
            Status::bad_argument);
  EXPECT_FALSE(would_disconnect(searcher, world.view, nullptr, 0, &pair, 1, &any, &first));
  EXPECT_FALSE(any);
  EXPECT_EQ(first, 1u);
  EXPECT_FALSE(would_disconnect(searcher, world.view, &cell, 1, &pair, 1, &any, &first));
  EXPECT_TRUE(any);
  EXPECT_EQ(first, 0u);
}

}  // namespace
}  // namespace octile::test
