// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Plans on tiny boards by looking at every joint position of all agents: what is solvable and what
// the best plans cost, with no code of the engine.

#include <algorithm>
#include <vector>

#include "octile/agents.hpp"
#include "support.hpp"

namespace octile::test {

class JointOracle {
 public:
  JointOracle(const Rules& rules, const std::vector<AgentTask>& tasks)
      : board_(rules.board()), tasks_(tasks) {
    for (size_t i = 0; i < board_.size(); ++i)
      if (rules.free(board_.cell(i))) free_.push_back(static_cast<int>(i));
    steps_.resize(board_.size());
    for (const int i : free_) {
      const Cell c = board_.cell(static_cast<size_t>(i));
      steps_[static_cast<size_t>(i)].push_back(i);
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          if ((dx || dy) && rules.may_step(c, dx, dy))
            steps_[static_cast<size_t>(i)].push_back(
                static_cast<int>(board_.index({c.x + dx, c.y + dy})));
    }
    run();
  }
  bool solvable() const { return loss >= 0; }
  int loss = -1;      // the least sum of loss; -1: there is no plan
  int makespan = -1;  // the least one

 private:
  using State = std::vector<int>;

  size_t key(const State& s) const {
    size_t k = 0;
    for (const int c : s) k = k * board_.size() + static_cast<size_t>(c);
    return k;
  }
  bool crossing(int a, int b, int c, int d) const {
    const Cell p = board_.cell(size_t(a)), q = board_.cell(size_t(b));
    const Cell r = board_.cell(size_t(c)), s = board_.cell(size_t(d));
    return p.x != q.x && p.y != q.y && r.x != s.x && r.y != s.y && p.x + q.x == r.x + s.x &&
           p.y + q.y == r.y + s.y;
  }
  template <class Visit>
  void successors(const State& from, State& to, Visit visit) const {
    const size_t i = to.size();
    if (i == from.size()) {
      visit(to);
      return;
    }
    for (const int c : steps_[static_cast<size_t>(from[i])]) {
      bool clear = true;
      for (size_t j = 0; j < i && clear; ++j)
        clear = to[j] != c && !(to[j] == from[i] && c == from[j]) &&
                !crossing(from[i], c, from[j], to[j]);
      if (!clear) continue;
      to.push_back(c);
      successors(from, to, visit);
      to.pop_back();
    }
  }
  void run() {
    State start, goal;
    for (const AgentTask& t : tasks_) {
      start.push_back(static_cast<int>(board_.index(t.start)));
      goal.push_back(static_cast<int>(board_.index(t.goal)));
    }
    size_t count = 1;
    for (size_t i = 0; i < tasks_.size(); ++i) count *= board_.size();
    makespan = search(start, goal, count, false);
    loss = search(start, goal, count, true);
  }
  int search(const State& start, const State& goal, size_t count, bool by_loss) const {
    std::vector<int> g(count, -1);
    std::vector<std::vector<State>> buckets(1);
    buckets[0].push_back(start);
    std::vector<char> closed(count, 0);
    g[key(start)] = 0;
    for (size_t cost = 0; cost < buckets.size(); ++cost) {
      for (size_t at = 0; at < buckets[cost].size(); ++at) {
        const State from = buckets[cost][at];
        if (closed[key(from)]) continue;
        closed[key(from)] = 1;
        if (from == goal) return static_cast<int>(cost);
        State to;
        successors(from, to, [&](const State& next) {
          size_t step = 1;
          if (by_loss) {
            step = 0;
            for (size_t i = 0; i < next.size(); ++i)
              step += from[i] != goal[i] || next[i] != goal[i];
          }
          const size_t k = key(next), total = cost + step;
          if (g[k] >= 0 && static_cast<size_t>(g[k]) <= total) return;
          g[k] = static_cast<int>(total);
          if (buckets.size() <= total) buckets.resize(total + 1);
          buckets[total].push_back(next);
        });
      }
    }
    return -1;
  }

  const Board& board_;
  const std::vector<AgentTask>& tasks_;
  std::vector<int> free_;
  std::vector<std::vector<int>> steps_;
};

}  // namespace octile::test
