// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The twins of the jump kernel: the same hits in the same order, from every cell, for every choice
// of quadrants, under every rule.

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/view.hpp"
#include "search/canonical.hpp"
#include "search/jump.hpp"
#include "search/workspace.hpp"
#include "support.hpp"

namespace octile::test {
namespace {

struct Hits {
  std::vector<uint64_t> room;
  JumpHits list;
  Hits(const TileGrid& grid, JumpRule rule) : room(2 * JumpHits::most(grid, rule)) {
    list = {room.data(), room.data() + JumpHits::most(grid, rule), 0};
  }
};

// One of the rules that make jump points.
Profile some_profile(Random& random) {
  static const Diagonal kDiagonals[] = {Diagonal::no_obstacles, Diagonal::always,
                                        Diagonal::at_most_one_obstacle, Diagonal::never};
  return profile_of(Moves::eight, kDiagonals[random.below(4)],
                    random.percent(50) ? Metric::octile : Metric::ten_fourteen);
}

uint64_t compare_twins(const Board& board, const Profile& profile) {
  const World world(board, profile);
  const JumpRule rule = jump_rule(profile);
  const WorldView& w = world.view.impl()->world;
  const TileGrid& grid = w.map.grid;
  const JumpGround ground{w.layer.tiles.flat(), 1u << grid.row_shift, w.costs.steps.straight,
                          w.costs.steps.diagonal};
  const JumpKernel* twins[kMostJumpKernels];
  const uint32_t count = jump_kernels(twins);
  Hits right(grid, rule), other(grid, rule);
  uint64_t hits = 0;
  const size_t stride = 1 + board.size() / 1200;
  for (size_t i = 0; i < board.size(); i += stride) {
    const CellId id = grid.id(board.cell(i));
    if (!w.layer.passable(id)) continue;
    for (uint32_t quadrants = 1; quadrants < (rule == JumpRule::cutting ? 32 : 16); ++quadrants) {
      const JumpOrigin origin{id, quadrants, quadrants & 15, 1000 * quadrants};
      const auto scan = [&](const JumpKernel* twin, Hits* out) {
        out->list.count = 0;
        twin->scan[uint32_t(rule)](ground, origin, &out->list);
      };
      scan(twins[0], &right);
      EXPECT_LE(right.list.count + JumpHits::kMore + 8, JumpHits::most(grid, rule));
      hits += right.list.count;
      for (uint32_t k = 1; k < count; ++k) {
        scan(twins[k], &other);
        EXPECT_EQ(other.list.count, right.list.count);
        const bool same =
            other.list.count == right.list.count &&
            std::equal(right.list.id, right.list.id + right.list.count, other.list.id) &&
            std::equal(right.list.cost, right.list.cost + right.list.count, other.list.cost);
        if (same) continue;
        ADD_FAILURE() << twins[k]->name << " " << shown(board.cell(i)) << " quadrants " << quadrants
                      << "\n"
                      << picture(board);
        return hits;
      }
    }
    // Walks, against the moves of each cell on the way.
    for (uint32_t d = rule == JumpRule::four ? 0 : 1; d < 8; d += rule == JumpRule::four ? 4 : 2) {
      uint32_t longest = 0;
      for (Cell at = board.cell(i); w.layer.moves(grid.id(at)) >> d & 1; ++longest) {
        at.x += kDx[d];
        at.y += kDy[d];
      }
      for (const uint32_t n : {0u, 1u, longest / 2, longest, longest + 1, longest + 9}) {
        const bool legal = rule == JumpRule::four
                               ? walk_row(ground, id, d == kEast, n)
                               : walk_diagonal(ground, id, kDx[d] > 0, kDy[d] > 0, n);
        if (legal == (n <= longest)) continue;
        ADD_FAILURE() << shown(board.cell(i)) << " direction " << d << " steps " << n << " of "
                      << longest << "\n"
                      << picture(board);
        return hits;
      }
    }
  }
  return hits;
}

TEST(JumpKernel, twins_give_the_same_hits) {
  Random random(311);
  const JumpKernel* twins[kMostJumpKernels];
  std::printf("%u twins, the last is %s\n", jump_kernels(twins), jump_kernel().name);
  uint64_t hits = 0;
  for (int i = 0; i < effort(40) && !testing::Test::HasFailure(); ++i) {
    // Mostly around the corner of four tiles, and long enough for scans over several.
    const int width = random.percent(50) ? random.between(1, 210) : random.between(60, 70);
    const int height = random.percent(50) ? random.between(1, 210) : random.between(60, 70);
    Board board = random_board(random, width, height, i % 4 == 0 ? 1 : random.between(0, 45));
    if (i % 5 == 1) board = rooms_board(random, width, height, random.between(4, 40));
    if (i % 5 == 2) board = one_wide_board(random, width, height, 30);
    hits += compare_twins(board, some_profile(random));
  }
  std::printf("%llu hits\n", (unsigned long long)hits);
  EXPECT_GT(hits, uint64_t(effort(200000)));
}

// The loop is compiled for each processor too.
TEST(JumpKernel, twins_search_alike) {
  Random random(313);
  const JumpKernel* twins[kMostJumpKernels];
  const uint32_t count = jump_kernels(twins);
  uint64_t found = 0;
  for (int i = 0; i < effort(40); ++i) {
    const Board board =
        random_board(random, random.between(2, 150), random.between(2, 150), random.between(0, 40));
    const World world(board, some_profile(random));
    const WorldView& w = world.view.impl()->world;
    const JumpRule rule = jump_rule(world.profile);
    for (int k = 0; k < 10; ++k) {
      const CellId start = w.map.grid.id(board.random_cell(random));
      const CellId goal = w.map.grid.id(board.random_cell(random));
      if (!w.layer.passable(start) || !w.layer.passable(goal) || start == goal) continue;
      Task task;
      task.world = &w;
      task.layer = &w.layer;
      task.costs = &w.costs;
      task.start = start;
      task.goals = &goal;
      task.goal_count = 1;
      task.limit = kMaxCost;
      State right[2];  // best_first; jump_search
      for (uint32_t t = 0; t < 3 * count; ++t) {
        const JumpKernel& twin = *twins[t / 3];
        Workspace space;
        ASSERT_TRUE(space.hits.reserve(2 * JumpHits::most(w.map.grid, rule)));
        ASSERT_TRUE(space.jump_queue.begin(w.costs.steps.straight > 10 ? 29 : 0));
        space.pockets.begin(w.pockets, w.layer, w.profile, start, goal);
        space.state.begin(task.limit);
        space.watch.begin(task);
        JumpMoves moves(twin, task, space.pockets, space.hits.data());
        ASSERT_TRUE(space.jump_queue.push(moves.estimate(start), 0, {start, kAllQuadrants}));
        const auto search = [&](auto& nodes, auto loop) {
          if (!nodes.begin(w.map.grid.tiles)) return Progress::out_of_memory;
          nodes.open(*nodes.reach(start), 0, kNoCell);
          return loop(moves, nodes, space.jump_queue, space.watch, space.state, UINT64_MAX);
        };
        // Both loops, and both ways to keep nodes.
        ASSERT_EQ(t % 3 == 0   ? search(space.jump_nodes, twin.search)
                  : t % 3 == 1 ? search(space.jump_nodes, twin.dense_search)
                               : search(space.sparse_nodes, twin.sparse_search),
                  Progress::ended);
        const bool dense = t % 3 == 1;
        if (t < 2) right[dense] = space.state;
        ASSERT_EQ(space.state.found, right[0].found) << twin.name << "\n" << picture(board);
        ASSERT_EQ(space.state.cost, right[0].cost) << twin.name << "\n" << picture(board);
        ASSERT_EQ(space.state.last, right[dense].last) << twin.name << "\n" << picture(board);
        ASSERT_EQ(space.state.expanded, right[dense].expanded) << twin.name << "\n"
                                                               << picture(board);
      }
      found += right[0].found;
    }
  }
  EXPECT_GT(found, uint64_t(effort(40)));
}

TEST(JumpKernel, open_ground_and_single_walls) {
  Random random(312);
  for (int i = 0; i < effort(12) && !testing::Test::HasFailure(); ++i) {
    Board board(random.between(64, 200), random.between(64, 200));
    for (int k = random.between(0, 6); k > 0; --k) board.at(board.random_cell(random)) = '@';
    compare_twins(board, some_profile(random));
  }
}

}  // namespace
}  // namespace octile::test
