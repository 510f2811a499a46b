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

// A unit on its way in a tick.
struct UnitStep {
  const Profile* profile;
  Cell from, to;
};
// At `part` of `parts` of the tick: do the two overlap by a whole cell in both directions?
inline bool overlap(const UnitStep& a, const UnitStep& b, int part, int parts) {
  const auto along = [&](int from, int to, int size, int from2, int to2, int size2) {
    const int x = from * parts + (to - from) * part, x2 = from2 * parts + (to2 - from2) * part;
    return std::min(x + size * parts, x2 + size2 * parts) - std::max(x, x2) >= parts;
  };
  const Profile &p = *a.profile, &q = *b.profile;
  return along(a.from.x - p.anchor.x, a.to.x - p.anchor.x, p.width, b.from.x - q.anchor.x,
               b.to.x - q.anchor.x, q.width) &&
         along(a.from.y - p.anchor.y, a.to.y - p.anchor.y, p.height, b.from.y - q.anchor.y,
               b.to.y - q.anchor.y, q.height);
}
// Looks at every quarter of the tick.
inline bool conflict(const UnitStep& a, const UnitStep& b) {
  for (int part = 1; part <= 4; ++part)
    if (overlap(a, b, part, 4)) return true;
  return false;
}

class JointOracle {
 public:
  // rules[k] are those of the tasks of view k.
  JointOracle(const std::vector<Rules>& rules, const std::vector<AgentTask>& tasks)
      : rules_(rules), board_(rules[0].board()), tasks_(tasks) {
    steps_.resize(rules.size());
    for (size_t k = 0; k < rules.size(); ++k) {
      steps_[k].resize(board_.size());
      for (size_t i = 0; i < board_.size(); ++i) {
        const Cell c = board_.cell(i);
        if (!rules[k].free(c)) continue;
        steps_[k][i].push_back(static_cast<int>(i));
        for (int dy = -1; dy <= 1; ++dy)
          for (int dx = -1; dx <= 1; ++dx)
            if ((dx || dy) && rules[k].may_step(c, dx, dy))
              steps_[k][i].push_back(static_cast<int>(board_.index({c.x + dx, c.y + dy})));
      }
    }
    run();
  }
  JointOracle(const Rules& rules, const std::vector<AgentTask>& tasks)
      : JointOracle(std::vector<Rules>{rules}, tasks) {}
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
  bool large(size_t agent) const {
    const Profile& p = rules_[tasks_[agent].view].profile();
    return p.width > 1 || p.height > 1;
  }
  UnitStep step_of(size_t agent, int from, int to) const {
    return {&rules_[tasks_[agent].view].profile(), board_.cell(size_t(from)),
            board_.cell(size_t(to))};
  }
  // Of units of one cell by the three kinds of conflicts, of others by their shapes.
  bool clear(size_t i, int from, int to, size_t j, int from2, int to2) const {
    if (large(i) || large(j)) return !conflict(step_of(i, from, to), step_of(j, from2, to2));
    return to2 != to && !(to2 == from && to == from2) && !crossing(from, to, from2, to2);
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
    for (const int c : steps_[tasks_[i].view][static_cast<size_t>(from[i])]) {
      bool good = true;
      for (size_t j = 0; j < i && good; ++j) good = clear(i, from[i], c, j, from[j], to[j]);
      if (!good) continue;
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

  const std::vector<Rules> rules_;
  const Board& board_;
  const std::vector<AgentTask>& tasks_;
  std::vector<std::vector<std::vector<int>>> steps_;  // by view, by place
};

}  // namespace octile::test
