// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Goals that anybody may take: TSWAP (Okumura and Defago 2022), which ends with a plan whenever
// each connected part of the map has as many goals as starts.
//
//   at first    each agent has a target: the choice with the least longest way, then the least sum,
//               for up to kMostAssigned agents; else both are parted at the middle again and again,
//               across and down, until pairs are left
//   each tick   agent by agent: to a vertex nearer to the target that is free, or becomes free as
//               those who stand in the way go on in the same tick; from one who has arrived it
//               takes over the target for its own; and round a ring of agents that wait for each
//               other all targets move on by one
//
// The sum of all ways falls with every step and ring and never rises, so it ends. Two diagonal
// moves never cross in one tick: the second agent waits for the next one.

#include <algorithm>
#include <bit>

#include "agents/assignment.hpp"
#include "agents/goal_tables.hpp"
#include "agents/lacam.hpp"

namespace octile {

template <uint32_t kStride>
class TargetSwap {
 public:
  static constexpr size_t kMostAssigned = 512;

  // False: memory is short. Else `possible` tells whether each part has as many goals as starts,
  // and the bounds are those that no choice of goals can beat.
  bool begin(const AgentGraph& graph, GoalTables& tables, const Buffer<Vertex>& starts,
             const Buffer<Vertex>& goals) noexcept {
    graph_ = &graph;
    tables_ = &tables;
    const size_t agents = starts.size();
    if (!now_.resize(agents) || !target_.resize(agents) || !at_.assign(graph.size, kNoAgent) ||
        !seen_.assign(agents, 0) || !moved_.assign(agents, 0) || !chain_.reserve(agents) ||
        !crossings_.reserve(kStride == 8 ? agents : 0) ||
        !crossed_.assign(kStride == 8 ? graph.size : 0, 0))
      return false;
    for (uint32_t i = 0; i < agents; ++i) at_[now_[i] = starts[i]] = i;
    if (!flood(starts, goals)) return false;
    return !possible || choose(goals);
  }

  bool possible = false;
  uint64_t sum_bound = 0, makespan_bound = 0;

  // Goes on until everybody is there; steps() then holds every tick, row by row, the starts first.
  SearchEnd run(const Limits& limits) noexcept {
    const size_t agents = now_.size();
    for (;;) {
      const SearchEnd end = limits.check(tick_, steps_.bytes());
      if (end != SearchEnd::solved) return end;
      if (!steps_.reserve(steps_.size() + agents)) return SearchEnd::no_memory;
      bool there = true;
      for (uint32_t i = 0; i < agents; ++i) {
        steps_.push(now_[i]);
        there = there && arrived(i);
      }
      ++tick_;
      if (there) return SearchEnd::solved;
      for (uint32_t i = 0; i < agents; ++i) act(i);
      for (const Vertex block : crossings_) crossed_[block] = 0;
      crossings_.clear();
    }
  }

  size_t rows() const noexcept { return tick_; }
  Buffer<Vertex>& steps() noexcept { return steps_; }
  uint32_t table(uint32_t agent) const noexcept { return target_[agent]; }
  size_t bytes() const noexcept {
    return steps_.bytes() + now_.bytes() + target_.bytes() + at_.bytes() + seen_.bytes() +
           crossed_.bytes();
  }

 private:
  // Levels from all goals at once, and the parts of the map: who is near to any goal, and how many
  // starts and goals each part has.
  bool flood(const Buffer<Vertex>& starts, const Buffer<Vertex>& goals) noexcept {
    Buffer<uint32_t> level;
    Buffer<Vertex> queue;
    if (!level.assign(graph_->size, kNoAgent) || !part_.assign(graph_->size, kNoAgent) ||
        !queue.resize(graph_->size))
      return false;
    const auto visit = [&](Buffer<uint32_t>& mark, size_t tail, auto&& value) {
      for (size_t head = 0; head < tail; ++head) {
        const Vertex* near = graph_->near.data() + size_t{queue[head]} * kStride;
        for (uint32_t k = 0; k < kStride; ++k) {
          if (mark[near[k]] != kNoAgent) continue;
          mark[near[k]] = value(queue[head]);
          queue[tail++] = near[k];
        }
      }
    };
    size_t tail = 0;
    for (const Vertex goal : goals) {
      level[goal] = 0;
      queue[tail++] = goal;
    }
    visit(level, tail, [&](Vertex from) { return level[from] + 1; });
    uint32_t parts = 0;
    for (const Vertex start : starts) {
      if (part_[start] != kNoAgent) continue;
      part_[queue[0] = start] = parts;
      visit(part_, 1, [&](Vertex) { return parts; });
      ++parts;
    }
    Buffer<int64_t> more;  // starts than goals, by part
    if (!more.assign(parts, 0)) return false;
    possible = true;
    for (const Vertex start : starts) ++more[part_[start]];
    for (const Vertex goal : goals) {
      if (part_[goal] == kNoAgent)
        possible = false;
      else
        --more[part_[goal]];
    }
    for (const int64_t m : more) possible = possible && m == 0;
    for (size_t i = 0; possible && i < starts.size(); ++i) {
      sum_bound += level[starts[i]];
      makespan_bound = std::max<uint64_t>(makespan_bound, level[starts[i]]);
    }
    return true;
  }

  // The first targets.
  bool choose(const Buffer<Vertex>& goals) noexcept {
    const size_t agents = goals.size();
    Buffer<uint32_t> table;  // by goal
    if (!table.resize(agents)) return false;
    for (size_t g = 0; g < agents; ++g)
      if ((table[g] = tables_->take(goals[g])) == GoalTables::kNone) return false;
    Buffer<uint32_t> taken;  // by agent: the number of its goal
    if (agents <= kMostAssigned) {
      // No way: more than all that there are, so that no choice has to take one.
      const double none = static_cast<double>(graph_->size) * static_cast<double>(agents + 1);
      Buffer<double> cost;
      if (!cost.resize(agents * agents)) return false;
      for (size_t i = 0; i < agents; ++i)
        for (size_t g = 0; g < agents; ++g)
          cost[i * agents + g] = part_[now_[i]] == part_[goals[g]]
                                     ? static_cast<double>(tables_->way(table[g], now_[i]))
                                     : none;
      if (!assign_columns(cost.data(), agents, agents, &taken)) return false;
    } else {
      Buffer<Place> from, to;
      if (!from.resize(agents) || !to.resize(agents) || !taken.resize(agents)) return false;
      for (uint32_t i = 0; i < agents; ++i) {
        from[i] = {graph_->cell(now_[i]), part_[now_[i]], i};
        to[i] = {graph_->cell(goals[i]), part_[goals[i]], i};
      }
      const auto by_part = [](const Place& a, const Place& b) {
        return a.part != b.part ? a.part < b.part : a.number < b.number;
      };
      std::sort(from.begin(), from.end(), by_part);
      std::sort(to.begin(), to.end(), by_part);
      for (size_t begin = 0, end = 0; begin < agents; begin = end) {
        while (end < agents && from[end].part == from[begin].part) ++end;
        pair(from.data() + begin, to.data() + begin, end - begin, true);
      }
      for (size_t k = 0; k < agents; ++k) taken[from[k].number] = to[k].number;
    }
    for (size_t i = 0; i < agents; ++i) target_[i] = table[taken[i]];
    return true;
  }

  struct Place {
    Cell cell;
    uint32_t part, number;
  };
  // Brings both lists into an order in which equal places are near to each other.
  static void pair(Place* from, Place* to, size_t count, bool across) noexcept {
    if (count < 2) return;
    const auto before = [across](const Place& a, const Place& b) {
      const Cell p = across ? a.cell : Cell{a.cell.y, a.cell.x};
      const Cell q = across ? b.cell : Cell{b.cell.y, b.cell.x};
      return p.x != q.x ? p.x < q.x : p.y < q.y;
    };
    const size_t middle = count / 2;
    std::nth_element(from, from + middle, from + count, before);
    std::nth_element(to, to + middle, to + count, before);
    pair(from, to, middle, !across);
    pair(from + middle, to + middle, count - middle, !across);
  }

  bool arrived(uint32_t agent) const noexcept {
    return tables_->goal(target_[agent]) == now_[agent];
  }

  // A move that an agent would like to make, and the 2 x 2 cells that it crosses.
  struct Wish {
    Vertex to, block;
  };
  // A free vertex nearer to the target if there is one, else one where another agent stands; its
  // own when the only free ones would be crossings.
  Wish wish(uint32_t agent) noexcept {
    const Vertex v = now_[agent];
    const Vertex* near = graph_->near.data() + size_t{v} * kStride;
    Wish first{kNoVertex, kNoVertex};
    bool waits = false;
    for (uint32_t nearer = tables_->sides(target_[agent], v).nearer; nearer; nearer &= nearer - 1) {
      const auto k = static_cast<uint32_t>(std::countr_zero(nearer));
      Vertex block = kNoVertex;
      if constexpr (kStride == 8) block = graph_->across(v, k);
      if (at_[near[k]] != kNoAgent) {
        if (first.to == kNoVertex) first = {near[k], block};
      } else if (block != kNoVertex && crossed_[block]) {
        waits = true;
      } else {
        return {near[k], block};
      }
    }
    return waits ? Wish{v, kNoVertex} : first;
  }
  // False: the move would cross another one.
  bool move(uint32_t agent, Wish wish) noexcept {
    if (wish.block != kNoVertex) {
      if (crossed_[wish.block]) return false;
      crossed_[wish.block] = 1;
      crossings_.push(wish.block);
    }
    at_[now_[agent]] = kNoAgent;
    at_[wish.to] = agent;
    now_[agent] = wish.to;
    moved_[agent] = tick_;
    return true;
  }

  // Follows those who stand in the way of each other: when the last one can go, all go.
  void act(uint32_t agent) noexcept {
    if (moved_[agent] == tick_ || arrived(agent)) return;
    ++round_;
    chain_.clear();
    for (uint32_t a = agent;;) {
      const Wish w = wish(a);
      if (w.to == now_[a]) return;
      seen_[a] = round_;
      chain_.push({a, w});
      const uint32_t there = at_[w.to];
      if (there == kNoAgent) break;
      if (there == agent) {
        // A ring: who stands where another one wants to go takes over its target.
        for (size_t k = 1; k < chain_.size(); ++k)
          std::swap(target_[agent], target_[chain_[k].agent]);
        return;
      }
      if (arrived(there)) {
        if (a == agent) std::swap(target_[agent], target_[there]);
        return;
      }
      if (seen_[there] == round_ || moved_[there] == tick_) return;
      a = there;
    }
    for (size_t k = chain_.size(); k > 0; --k)
      if (!move(chain_[k - 1].agent, chain_[k - 1].wish)) return;
  }

  struct Link {
    uint32_t agent;
    Wish wish;
  };

  const AgentGraph* graph_ = nullptr;
  GoalTables* tables_ = nullptr;
  Buffer<Vertex> now_;
  Buffer<uint32_t> target_;  // by agent: the table of its goal
  Buffer<uint32_t> at_;      // by vertex
  Buffer<uint32_t> part_;    // by vertex: of the parts with starts
  Buffer<uint64_t> seen_;    // by agent: the last chain that it was in
  Buffer<uint64_t> moved_;   // by agent: the tick of its last step
  Buffer<uint8_t> crossed_;  // by vertex: its 2 x 2 cells are crossed in this tick
  Buffer<Vertex> crossings_;
  Buffer<Link> chain_;
  Buffer<Vertex> steps_;
  uint64_t round_ = 0;
  size_t tick_ = 0;
};

}  // namespace octile
