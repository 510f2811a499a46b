// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// One tick of many agents: PIBT, priority inheritance with backtracking (Okumura, Machida, Defago
// and Tamura 2019, 2022), with the swap rule of LaCAM* (Okumura 2023) for corridors.
//
//   for each agent, the first in the order first, that has no next vertex yet:
//     of its neighbours and its own vertex, the nearest to its goal first (ties at random):
//       taken already, or a swap, or a crossing of diagonal moves?       the next one
//       an agent without a next vertex stands there?                     it is planned now, and
//                                     when it finds nothing but to stay: the next one
//     nothing left: it stays, and whoever asked it to go tries another vertex
//
// An agent whose own vertex nobody has taken can always stay, so every call for a whole order gives
// a tick without conflicts. Vertices fixed beforehand (fix()) may take an agent's own one; then
// plan() can fail.
//
// Chains reach as long as there are agents: the recursion is a stack of frames here. Most of the
// time went into waiting for the agents' lines of their tables, so these are read once, before the
// first agent is planned, and only by those that stand elsewhere than when they read them last.

#include <bit>

#include "agents/goal_tables.hpp"

namespace octile {

constexpr uint32_t kNoAgent = 0xffffffff;

// A counter and a mixer (splitmix64): the same numbers everywhere.
class AgentRandom {
 public:
  explicit AgentRandom(uint64_t seed = 0) noexcept : state_(seed) {}
  uint64_t next() noexcept {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  uint32_t below(uint32_t n) noexcept { return static_cast<uint32_t>((next() >> 32) * n >> 32); }

 private:
  uint64_t state_;
};

template <uint32_t kStride>
class Pibt {
 public:
  static constexpr uint32_t kMostMoves = kStride + 1;  // to stay among them

  // Per-agent rules; null: everybody moves and may be pushed.
  const uint8_t* unpushable = nullptr;
  // Among vertices that are equally near those where nobody stands come first: fewer ticks lost
  // where there is room. In jams that leads to the same positions again and again.
  bool prefer_free = true;

  bool begin(const AgentGraph& graph, GoalTables& tables, size_t agents, uint64_t seed) noexcept {
    graph_ = &graph;
    tables_ = &tables;
    random_ = AgentRandom(seed);
    loaded_ = false;
    return now.resize(agents) && next.resize(agents) && by_need.assign(agents, 0) &&
           table_.assign(agents, GoalTables::kNone) && goal_.assign(agents, kNoVertex) &&
           row_.assign(agents, nullptr) && sides_.resize(agents) &&
           looked_.assign(agents, kNoVertex) && anew_.resize(agents + 1) &&
           planned_.resize(agents) && seats_.assign(size_t{graph.size} * 2, kNoAgent) &&
           stack_.resize(agents + 1) && crossed_.assign(kStride == 8 ? graph.size : 0, 0) &&
           crossings_.reserve(kStride == 8 ? agents : 0);
  }

  Buffer<Vertex> now;
  Buffer<Vertex> next;      // kNoVertex: not planned yet
  Buffer<uint8_t> by_need;  // its next vertex was found because another agent asked

  // The table of the agent's goal, in use as long as it is set; kNone: it has no goal and likes to
  // stay.
  void set_table(uint32_t agent, uint32_t t) noexcept {
    const bool none = t == GoalTables::kNone;
    table_[agent] = t;
    looked_[agent] = kNoVertex;
    goal_[agent] = none ? kNoVertex : tables_->goal(t);
    row_[agent] = none ? nullptr : tables_->remainders(t);
  }
  uint32_t table(uint32_t agent) const noexcept { return table_[agent]; }
  Vertex goal(uint32_t agent) const noexcept { return goal_[agent]; }  // kNoVertex: none

  // The agents stand as `now` says; nothing is planned.
  void place() noexcept {
    for (uint32_t i = 0; i < now.size(); ++i) {
      at_now(now[i]) = i;
      next[i] = kNoVertex;
    }
    loaded_ = true;
  }
  // Before `now` is written anew.
  void lift() noexcept {
    if (!loaded_) return;
    for (const Vertex v : now) at_now(v) = kNoAgent;
    loaded_ = false;
  }
  // Forgets what was planned.
  void clear_plan() noexcept {
    for (Vertex& v : next) {
      if (v != kNoVertex) at_next(v) = kNoAgent;
      v = kNoVertex;
    }
    if constexpr (kStride == 8) {
      for (const Vertex block : crossings_) crossed_[block] = 0;
      crossings_.clear();
    }
  }
  // Makes the moves that were planned, of all agents.
  void advance() noexcept {
    for (const Vertex v : now) at_now(v) = kNoAgent;
    present_ ^= 1;  // who will stand there does
    now.swap(next);
    for (Vertex& v : next) v = kNoVertex;
    if constexpr (kStride == 8) {
      for (const Vertex block : crossings_) crossed_[block] = 0;
      crossings_.clear();
    }
  }

  // Decides for an agent beforehand; false: that is a conflict with what is decided already.
  bool fix(uint32_t agent, Vertex to) noexcept {
    if (at_next(to) != kNoAgent) return false;
    const Vertex from = now[agent];
    const uint32_t there = at_now(to);
    if (there != kNoAgent && there != agent && next[there] == from) return false;
    if (to != from && !cross(from, to)) return false;
    at_next(to) = agent;
    next[agent] = to;
    planned_[agent] = static_cast<int8_t>(step(agent, from, to));
    return true;
  }

  // Plans all agents in this order. False: somebody can neither move nor stay (only after fix()).
  template <class Index>
  bool plan(const Index* order) noexcept {
    const auto count = static_cast<uint32_t>(now.size());
    // All that stand elsewhere than last time look round first: the lines of their tables come from
    // far away, and side by side.
    uint32_t anew = 0;
    for (uint32_t i = 0; i < count; ++i) {
      anew_[anew] = i;
      anew += looked_[i] != now[i];
    }
    for (uint32_t i = 0; i < anew; ++i) {
      // With thousands of agents each of these lines is on a page of its own, which takes longest.
      if (i + 4 * kAhead < anew) {
        const uint32_t agent = anew_[i + 4 * kAhead];
        if (row_[agent]) __builtin_prefetch(row_[agent] + now[agent] / 4);
      }
      if (i + 2 * kAhead < anew)
        __builtin_prefetch(graph_->near.data() + size_t{now[anew_[i + 2 * kAhead]]} * kStride);
      if (i + kAhead < anew) fetch(anew_[i + kAhead]);
      look(anew_[i]);
    }
    // Then in their order, which is another one in memory.
    for (uint32_t i = 0; i < count; ++i) {
      if (i + kAhead / 2 < count) {
        const Vertex v = now[order[i + kAhead / 2]];
        __builtin_prefetch(graph_->near.data() + size_t{v} * kStride);
        if constexpr (kStride == 8) __builtin_prefetch(&graph_->crossing[v]);
        __builtin_prefetch(&seats_[size_t{v} * 2]);
      }
      const uint32_t agent = order[i];
      if (next[agent] == kNoVertex && !plan_agent(agent)) return false;
    }
    return true;
  }

  // Of a step: -1 nearer to the agent's goal, 0 as far, 1 farther. Without a goal all are farther.
  int step(uint32_t agent, Vertex from, Vertex to) noexcept {
    const uint32_t t = table_[agent];
    return t == GoalTables::kNone ? from != to : tables_->step(t, from, to);
  }
  // Agents without a goal are content wherever they are.
  bool is_goal(uint32_t agent, Vertex v) const noexcept {
    const Vertex goal = goal_[agent];
    return goal == kNoVertex || goal == v;
  }
  bool at_goal(uint32_t agent) const noexcept { return is_goal(agent, now[agent]); }
  // The step that was planned, as step() gives it.
  int planned_step(uint32_t agent) const noexcept { return planned_[agent]; }
  // Where the agent may be after a step from v, v itself last. How many.
  uint32_t around(uint32_t, Vertex v, Vertex* to) const noexcept {
    const uint32_t degree = graph_->degree[v];
    for (uint32_t k = 0; k < degree; ++k) to[k] = graph_->near[size_t{v} * kStride + k];
    to[degree] = v;
    return degree + 1;
  }
  uint32_t occupant(Vertex v) const noexcept { return at_now(v); }
  size_t bytes() const noexcept {
    return now.bytes() + next.bytes() + by_need.bytes() + table_.bytes() + goal_.bytes() +
           row_.bytes() + sides_.bytes() + looked_.bytes() + anew_.bytes() + planned_.bytes() +
           seats_.bytes() + stack_.bytes() + crossed_.bytes() + crossings_.bytes();
  }

 private:
  static constexpr size_t kAhead = 8;

  uint32_t& at_now(Vertex v) noexcept { return seats_[size_t{v} * 2 + present_]; }
  uint32_t at_now(Vertex v) const noexcept { return seats_[size_t{v} * 2 + present_]; }
  uint32_t& at_next(Vertex v) noexcept { return seats_[size_t{v} * 2 + 1 - present_]; }

  // Where the agent may go: slots among the neighbours, its own vertex behind them, in three sets,
  // nearer, as near and farther. The present one is the best of the best set that is not empty:
  // those where nobody stands come first, then a lot decides. Mostly the first one will do, so
  // whoever wants the next one looks for it then.
  static constexpr uint32_t kSet = kStride + 1;  // bits of a set
  static constexpr uint32_t kSlots = (1u << kSet) - 1;
  static constexpr uint32_t kInAll = 1u | 1u << kSet | 1u << 2 * kSet;
  static constexpr uint8_t kNoSlot = 15;
  struct Frame {
    uint64_t lots;  // of the neighbours 7 bits each, then of its own vertex
    uint32_t agent;
    uint32_t swap;  // the agent to be pulled after this one
    uint32_t left;  // the three sets, of what was not tried yet
    uint8_t slot;   // the present one; kNoSlot: none is left
    uint8_t first;  // that it began with
    bool turned;    // the worst first
  };

  void fetch(uint32_t agent) const noexcept {
    const uint8_t* row = row_[agent];
    if (!row) return;
    const Vertex v = now[agent];
    const Vertex* near = graph_->near.data() + size_t{v} * kStride;
    __builtin_prefetch(row + v / 4);
    for (uint32_t k = 0; k < kStride; k += kStride / 4) __builtin_prefetch(row + near[k] / 4);
  }

  // Diagonal moves: the 2 x 2 cells that are crossed are taken; false: they are already. Straight
  // moves cross nothing.
  Vertex block_of(Vertex from, Vertex to) const noexcept {
    const size_t first = size_t{from} * kStride;
    for (uint32_t k = 0; k < kStride; ++k)
      if (graph_->near[first + k] == to) return graph_->across(from, k);
    return kNoVertex;
  }
  Vertex block_of(const Frame& frame) const noexcept {
    return graph_->across(now[frame.agent], frame.slot);
  }
  bool cross(Vertex block) noexcept {
    if (block == kNoVertex) return true;
    if (crossed_[block]) return false;
    crossings_.push(block);
    crossed_[block] = 1;
    return true;
  }
  bool cross(Vertex from, Vertex to) noexcept {
    if constexpr (kStride == 8) return cross(block_of(from, to));
    return true;
  }
  bool cross(const Frame& frame) noexcept {
    if constexpr (kStride == 8) return cross(block_of(frame));
    return true;
  }
  void uncross(const Frame& frame) noexcept {
    if constexpr (kStride == 8) {
      const Vertex block = block_of(frame);
      if (block == kNoVertex) return;
      crossed_[block] = 0;  // the last one: whoever was asked since has given up
      crossings_.pop();
    }
  }

  // Whom the agent can neither push nor pass.
  bool stays(uint32_t agent) const noexcept { return unpushable && unpushable[agent]; }

  // 1. What the agent's table says of its neighbours, all lanes of a word at once.
  void look(uint32_t agent) noexcept {
    constexpr uint64_t kOnes = 0x0101010101010101;
    const uint8_t* row = row_[agent];
    const Vertex v = now[agent];
    looked_[agent] = v;
    const uint32_t used = (1u << graph_->degree[v]) - 1;
    if (!row) {
      sides_[agent] = static_cast<uint16_t>(used << 8);
      return;
    }
    const Vertex* near = graph_->near.data() + size_t{v} * kStride;
    const auto read = [&] {
      uint64_t lanes = 0;
      for (uint32_t k = 0; k < kStride; ++k)
        lanes |= uint64_t{GoalTables::remainder(row, near[k])} << 8 * k;
      return lanes;
    };
    uint64_t to = read();
    uint32_t from = GoalTables::remainder(row, v);
    static_assert(GoalTables::kUnknown == 3);  // both bits
    if (from == GoalTables::kUnknown || (to & to >> 1 & kOnes)) {
      tables_->know(table_[agent], v);
      for (uint32_t k = 0; k < kStride; ++k) tables_->know(table_[agent], near[k]);
      to = read();
      from = GoalTables::remainder(row, v);
    }
    // Lane by lane to - from + 3: 2 or 5 is nearer, 3 as near, 1 or 4 farther.
    const uint64_t by = to + (3 - from) * kOnes, high = by >> 2, middle = by >> 1;
    const uint64_t nearer = (high & by) | (middle & ~(by | high)),
                   farther = (high & ~by) | (by & ~(middle | high));
    constexpr uint64_t kGather = 0x0102040810204080;  // the low bits of all lanes into the last one
    sides_[agent] = static_cast<uint16_t>(((nearer & kOnes) * kGather >> 56 & used) |
                                          ((farther & kOnes) * kGather >> 56 & used) << 8);
  }

  // 2. Fills the frame: where the agent would like to go, the best first.
  void open(Frame& frame, uint32_t agent) noexcept {
    frame.agent = agent;
    frame.swap = kNoAgent;
    frame.turned = false;
    frame.lots = random_.next();
    const Vertex v = now[agent];
    const uint32_t degree = graph_->degree[v];
    const uint32_t nearer = sides_[agent] & 0xff, farther = sides_[agent] >> 8;
    const uint32_t same = ((2u << degree) - 1) & ~(nearer | farther);
    frame.left = nearer | same << kSet | farther << 2 * kSet;
    choose(frame);
    frame.first = frame.slot;
    const Vertex* near = graph_->near.data() + size_t{v} * kStride;
    if (frame.slot == degree || graph_->roomy[near[frame.slot]]) return;
    frame.swap = find_swap(agent, near[frame.slot]);
    if (frame.swap == kNoAgent) return;
    frame.turned = true;
    choose(frame);
    frame.first = frame.slot;
  }
  void go_on(Frame& frame) noexcept {
    frame.left &= ~(kInAll << frame.slot);
    choose(frame);
  }
  // The best slot of what is left; turned round, the worst.
  void choose(Frame& frame) noexcept {
    const uint32_t sets = frame.left;
    uint32_t set;
    if (!frame.turned) {
      set = sets & kSlots;
      if (!set) set = sets >> kSet & kSlots;
      if (!set) set = sets >> 2 * kSet;
    } else {
      set = sets >> 2 * kSet;
      if (!set) set = sets >> kSet & kSlots;
      if (!set) set = sets & kSlots;
    }
    if (!set) {
      frame.slot = kNoSlot;
      return;
    }
    uint32_t best = static_cast<uint32_t>(std::countr_zero(set));
    if (set & (set - 1)) {
      const Vertex v = now[frame.agent];
      const uint32_t degree = graph_->degree[v];
      const Vertex* near = graph_->near.data() + size_t{v} * kStride;
      const uint32_t flip = frame.turned ? 0xfff : 0;
      uint32_t least = 0xffff;
      for (; set; set &= set - 1) {
        const auto k = static_cast<uint32_t>(std::countr_zero(set));
        uint32_t key;
        if (k == degree) {
          key = static_cast<uint32_t>(frame.lots >> 57) << 4 | k;
        } else {
          const uint32_t taken = prefer_free && at_now(near[k]) != kNoAgent;
          key = taken << 11 | static_cast<uint32_t>(frame.lots >> 7 * k & 0x7f) << 4 | k;
        }
        least = std::min(least, key ^ flip);
      }
      best = (least ^ flip) & 15;
    }
    frame.slot = static_cast<uint8_t>(best);
  }

  // Plans one agent and those whom it asks to go. False: it has to stay where another one goes.
  bool plan_agent(uint32_t root) noexcept {
    size_t depth = 0;
    open(stack_[0], root);
    by_need[root] = 0;
    for (;;) {
      Frame& frame = stack_[depth];
      const uint32_t agent = frame.agent;
      const Vertex v = now[agent];
      bool done = false, asked = false;
      const Vertex* near = graph_->near.data() + size_t{v} * kStride;
      const uint32_t degree = graph_->degree[v];
      for (; frame.slot != kNoSlot; go_on(frame)) {
        const uint32_t slot = frame.slot;
        const Vertex u = slot == degree ? v : near[slot];
        if (at_next(u) != kNoAgent) continue;
        const uint32_t there = at_now(u);
        if (u == v) {
          stay(agent);
          done = true;
          break;
        }
        if (there != kNoAgent) {
          if (next[there] == v) continue;
          if (next[there] == kNoVertex && stays(there)) continue;
        }
        if (!cross(frame)) continue;
        at_next(u) = agent;
        next[agent] = u;
        planned_[agent] =
            static_cast<int8_t>((sides_[agent] >> 8 >> slot & 1) - (sides_[agent] >> slot & 1));
        done = there == kNoAgent || next[there] != kNoVertex;
        if (!done) {
          open(stack_[++depth], there);
          by_need[there] = 1;
          asked = true;
        }
        break;
      }
      if (asked) continue;
      // 3. Ended: tell those who asked. One success is the success of all of them.
      if (done) {
        for (;; --depth) {
          pull(stack_[depth]);
          if (depth == 0) return true;
        }
      }
      stay(agent);
      if (depth == 0) return false;
      Frame& before = stack_[--depth];
      uncross(before);
      next[before.agent] = kNoVertex;
      go_on(before);
    }
  }

  void stay(uint32_t agent) noexcept {
    const Vertex v = now[agent];
    at_next(v) = agent;
    next[agent] = v;
    planned_[agent] = 0;
  }

  // After a swap began: the other agent follows at once.
  void pull(const Frame& frame) noexcept {
    if (frame.swap == kNoAgent || frame.slot != frame.first || next[frame.swap] != kNoVertex)
      return;
    const Vertex v = now[frame.agent];
    if (next[frame.agent] == v || at_next(v) != kNoAgent || stays(frame.swap)) return;
    if (!cross(now[frame.swap], v)) return;
    next[frame.swap] = v;
    at_next(v) = frame.swap;
    planned_[frame.swap] = static_cast<int8_t>(step(frame.swap, now[frame.swap], v));
    by_need[frame.swap] = 1;
  }

  // 4. The swap rule. With whom must the agent, who wants to go to `first`, change places by moving
  // backwards?
  uint32_t find_swap(uint32_t agent, Vertex first) noexcept {
    const Vertex v = now[agent];
    const uint32_t there = at_now(first);
    if (there != kNoAgent && next[there] == kNoVertex && swap_required(agent, there, v, first) &&
        swap_possible(first, v))
      return there;
    // Another one needs the agent out of a dead end.
    const Vertex* near = graph_->near.data() + size_t{v} * kStride;
    for (uint32_t k = 0; k < graph_->degree[v]; ++k) {
      const uint32_t other = at_now(near[k]);
      if (other == kNoAgent || near[k] == first) continue;
      if (swap_required(other, agent, v, first) && swap_possible(first, v)) return other;
    }
    return kNoAgent;
  }
  // How many ways lead on from `at`, other than back to `from` and into dead ends whose agent has
  // arrived; one of them.
  uint32_t ways_on(Vertex at, Vertex from, Vertex* on) const noexcept {
    const uint32_t degree = graph_->degree[at];
    const Vertex* near = graph_->near.data() + size_t{at} * kStride;
    uint32_t ways = 0;
    for (uint32_t k = 0; k < degree; ++k) {
      const Vertex u = near[k];
      if (u == from) continue;
      if (graph_->degree[u] == 1 && at_now(u) != kNoAgent && at_goal(at_now(u))) continue;
      *on = u;
      ++ways;
    }
    return ways;
  }
  // The pusher drives the puller along a corridor: do they meet a place to pass before their ways
  // part?
  bool swap_required(uint32_t pusher, uint32_t puller, Vertex pushing, Vertex pulling) noexcept {
    while (step(pusher, pushing, pulling) < 0) {
      Vertex on = kNoVertex;
      const uint32_t ways = ways_on(pulling, pushing, &on);
      if (ways >= 2) return false;
      if (ways == 0) break;
      pushing = pulling;
      pulling = on;
    }
    return step(puller, pulling, pushing) < 0 &&
           (is_goal(pusher, pushing) || step(pusher, pushing, pulling) < 0);
  }
  // Going the other way, is there a place to pass?
  bool swap_possible(Vertex pushing, Vertex pulling) const noexcept {
    const Vertex origin = pushing;
    while (pulling != origin) {
      Vertex on = kNoVertex;
      const uint32_t ways = ways_on(pulling, pushing, &on);
      if (ways >= 2) return true;
      if (ways == 0) return false;
      pushing = pulling;
      pulling = on;
    }
    return false;
  }

  const AgentGraph* graph_ = nullptr;
  GoalTables* tables_ = nullptr;
  AgentRandom random_;
  Buffer<uint32_t> table_;  // by agent, as its goal and the remainders of its table
  Buffer<Vertex> goal_;
  Buffer<const uint8_t*> row_;
  Buffer<uint32_t> anew_;   // agents that have to look round
  Buffer<Vertex> looked_;   // where the agent stood when its sides were found
  Buffer<uint16_t> sides_;  // a bit for each neighbour that is nearer, then farther
  Buffer<int8_t> planned_;
  Buffer<uint32_t> seats_;  // by vertex: who stands there and who will, side by side
  uint32_t present_ = 0;    // which of the two is who stands there
  Buffer<Frame> stack_;
  Buffer<uint8_t> crossed_;  // by vertex: its 2 x 2 cells are crossed in this tick
  Buffer<Vertex> crossings_;
  bool loaded_ = false;
};

}  // namespace octile
