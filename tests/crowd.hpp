// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Many agents under a StepPlanner, each tick of which is held against the rules of the board.

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "octile/agents.hpp"
#include "support.hpp"

namespace octile::test {

inline const Profile kFour = profile_of(Moves::four);
inline const Profile kEight = profile_of(Moves::eight);

// Agents and what they did, held against the rules of the board tick by tick.
struct Crowd {
  const World& world;
  StepPlanner planner;
  std::vector<Cell> cells;
  std::vector<size_t> before, after;  // who stands where, plus 1
  int moves = 0;

  explicit Crowd(const World& w) : world(w) {}
  void reset(const std::vector<StepAgent>& agents, const StepOptions& options = {}) {
    const Fault fault = planner.reset(world.view, agents.data(), agents.size(), options);
    ASSERT_FALSE(fault) << fault.text;
    cells.clear();
    before.assign(world.board.size(), 0);
    after.assign(world.board.size(), 0);
    for (size_t i = 0; i < agents.size(); ++i) {
      cells.push_back(planner.cell(i));
      before[world.board.index(cells[i])] = i + 1;
    }
  }
  // One step; vertex, swap and crossing conflicts, walls and illegal moves fail the test.
  void step() {
    const Fault fault = planner.step();
    ASSERT_FALSE(fault) << fault.text;
    const Rules rules = world.rules();
    const auto at = [&](const std::vector<size_t>& who, Cell c) {
      return who[world.board.index(c)];
    };
    std::vector<Cell> next;
    for (size_t i = 0; i < cells.size(); ++i) {
      next.push_back(planner.cell(i));
      ASSERT_TRUE(world.view.passable(next[i]));
      ASSERT_EQ(at(after, next[i]), 0u) << "vertex conflict";
      after[world.board.index(next[i])] = i + 1;
    }
    for (size_t i = 0; i < cells.size(); ++i) {
      const Cell from = cells[i], to = next[i];
      const int dx = to.x - from.x, dy = to.y - from.y;
      if (dx == 0 && dy == 0) {
        ASSERT_NE(planner.outcome(i), StepOutcome::moved);
        continue;
      }
      ++moves;
      ASSERT_TRUE(dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1);
      ASSERT_TRUE(rules.may_step(from, dx, dy));
      const size_t there = at(before, to);
      ASSERT_FALSE(there && next[there - 1] == from) << "swap";
      if (dx == 0 || dy == 0) continue;
      const Cell a{to.x, from.y}, b{from.x, to.y};
      for (const auto& [p, q] : {CellPair{a, b}, CellPair{b, a}}) {
        const size_t who = at(before, p);
        ASSERT_FALSE(who && next[who - 1] == q) << "crossing";
      }
    }
    for (const Cell c : cells) before[world.board.index(c)] = 0;
    before.swap(after);
    cells = next;
  }
};

// Those of the largest part.
inline std::vector<Cell> free_cells(const View& view, const Board& board) {
  std::map<uint32_t, int> sizes;
  for (size_t i = 0; i < board.size(); ++i) ++sizes[view.component(board.cell(i))];
  sizes.erase(View::kNoComponent);
  std::vector<Cell> cells;
  if (sizes.empty()) return cells;
  const auto smaller = [](const auto& a, const auto& b) { return a.second < b.second; };
  const uint32_t largest = std::max_element(sizes.begin(), sizes.end(), smaller)->first;
  for (size_t i = 0; i < board.size(); ++i)
    if (view.component(board.cell(i)) == largest) cells.push_back(board.cell(i));
  return cells;
}
inline std::vector<Cell> free_cells(const World& world) {
  return free_cells(world.view, world.board);
}
inline void shuffle(Random& random, std::vector<Cell>& cells) {
  for (size_t i = cells.size(); i > 1; --i)
    std::swap(cells[i - 1], cells[static_cast<size_t>(random.below(static_cast<int>(i)))]);
}
inline std::vector<StepAgent> random_agents(Random& random, const World& world, size_t count) {
  std::vector<Cell> starts = free_cells(world), goals = starts;
  shuffle(random, starts);
  shuffle(random, goals);
  std::vector<StepAgent> agents;
  for (size_t i = 0; i < count && i < starts.size(); ++i) {
    StepAgent a;
    a.cell = starts[i];
    a.goal = goals[i];
    agents.push_back(a);
  }
  return agents;
}

}  // namespace octile::test
