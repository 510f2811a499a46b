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
// first agent is planned.

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
           row_.assign(agents, nullptr) && steps_.resize(agents) && planned_.resize(agents) &&
           at_now_.assign(graph.size, kNoAgent) && at_next_.assign(graph.size, kNoAgent) &&
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
    goal_[agent] = none ? kNoVertex : tables_->goal(t);
    row_[agent] = none ? nullptr : tables_->remainders(t);
  }
  uint32_t table(uint32_t agent) const noexcept { return table_[agent]; }
  Vertex goal(uint32_t agent) const noexcept { return goal_[agent]; }  // kNoVertex: none

  // The agents stand as `now` says; nothing is planned.
  void place() noexcept {
    for (uint32_t i = 0; i < now.size(); ++i) {
      at_now_[now[i]] = i;
      next[i] = kNoVertex;
    }
    loaded_ = true;
  }
  // Before `now` is written anew.
  void lift() noexcept {
    if (!loaded_) return;
    for (const Vertex v : now) at_now_[v] = kNoAgent;
    loaded_ = false;
  }
  // Forgets what was planned.
  void clear_plan() noexcept {
    for (Vertex& v : next) {
      if (v != kNoVertex) at_next_[v] = kNoAgent;
      v = kNoVertex;
    }
    if constexpr (kStride == 8) {
      for (const Vertex block : crossings_) crossed_[block] = 0;
      crossings_.clear();
    }
  }
  // Makes the moves that were planned.
  void advance() noexcept {
    for (const Vertex v : now) at_now_[v] = kNoAgent;
    for (uint32_t i = 0; i < now.size(); ++i) {
      const Vertex v = next[i];
      now[i] = v;
      at_now_[v] = i;
      at_next_[v] = kNoAgent;
      next[i] = kNoVertex;
    }
    if constexpr (kStride == 8) {
      for (const Vertex block : crossings_) crossed_[block] = 0;
      crossings_.clear();
    }
  }

  // Decides for an agent beforehand; false: that is a conflict with what is decided already.
  bool fix(uint32_t agent, Vertex to) noexcept {
    if (at_next_[to] != kNoAgent) return false;
    const Vertex from = now[agent];
    const uint32_t there = at_now_[to];
    if (there != kNoAgent && there != agent && next[there] == from) return false;
    if (to != from && !cross(from, to)) return false;
    at_next_[to] = agent;
    next[agent] = to;
    planned_[agent] = static_cast<int8_t>(step(agent, from, to));
    return true;
  }

  // Plans all agents in this order. False: somebody can neither move nor stay (only after fix()).
  template <class Index>
  bool plan(const Index* order) noexcept {
    const auto count = static_cast<uint32_t>(now.size());
    // All agents look round first: the lines of their tables come from far away, and side by side.
    for (uint32_t i = 0; i < count; ++i) {
      if (i + 2 * kAhead < count)
        __builtin_prefetch(graph_->near.data() + size_t{now[i + 2 * kAhead]} * kStride);
      if (i + kAhead < count) fetch(i + kAhead);
      if (next[i] == kNoVertex) look(i);
    }
    // Then in their order, which is another one in memory.
    for (uint32_t i = 0; i < count; ++i) {
      if (i + kAhead / 2 < count) {
        const Vertex v = now[order[i + kAhead / 2]];
        __builtin_prefetch(graph_->near.data() + size_t{v} * kStride);
        __builtin_prefetch(&at_now_[v]);
        __builtin_prefetch(&at_next_[v]);
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
  uint32_t occupant(Vertex v) const noexcept { return at_now_[v]; }
  size_t bytes() const noexcept {
    return now.bytes() + next.bytes() + by_need.bytes() + table_.bytes() + goal_.bytes() +
           row_.bytes() + steps_.bytes() + planned_.bytes() + at_now_.bytes() + at_next_.bytes() +
           stack_.bytes() + crossed_.bytes() + crossings_.bytes();
  }

 private:
  static constexpr size_t kAhead = 8;

  // Where the agent may go, a key each, that of the better one smaller: whether nearer, whether
  // taken, a tie by lot, the slot among the neighbours (that of its own vertex: their number).
  // Mostly the first one will do, so they are not sorted: who wants the next one looks for it.
  static constexpr int16_t kNoKey = 0x7fff, kAllBits = 0x3fff, kUnused = 3 << 12;
  struct Frame {
    uint32_t agent;
    uint32_t swap;  // the agent to be pulled after this one
    int16_t first;  // of the keys
    int16_t at;     // the present one; kNoKey: none is left
    int16_t flip;   // kAllBits: the keys are turned round, the worst first
    int16_t key[kStride + 1];
    uint32_t slot() const noexcept { return static_cast<uint32_t>(at ^ flip) & 15; }
    void go_on() noexcept {
      int16_t least = kNoKey;
      for (const int16_t k : key) least = std::min(least, k > at ? k : kNoKey);
      at = least;
    }
  };

  void fetch(uint32_t agent) const noexcept {
    const uint8_t* remainder = row_[agent];
    if (!remainder) return;
    const Vertex v = now[agent];
    const Vertex* near = graph_->near.data() + size_t{v} * kStride;
    __builtin_prefetch(remainder + v);
    for (uint32_t k = 0; k < kStride; k += kStride / 4) __builtin_prefetch(remainder + near[k]);
  }

  // Diagonal moves: the 2 x 2 cells that are crossed are taken; false: they are already. Straight
  // moves cross nothing.
  Vertex block_of(Vertex from, Vertex to) const noexcept {
    const size_t first = size_t{from} * kStride;
    for (uint32_t k = 0; k < kStride; ++k)
      if (graph_->near[first + k] == to) return graph_->across[first + k];
    return kNoVertex;
  }
  Vertex block_of(const Frame& frame) const noexcept {
    return graph_->across[size_t{now[frame.agent]} * kStride + frame.slot()];
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
    constexpr uint64_t kOnes = 0x0101010101010101, kHigh = kOnes << 7;
    const uint8_t* row = row_[agent];
    const Vertex v = now[agent];
    uint64_t steps = 2 * kOnes;
    if (row) {
      const Vertex* near = graph_->near.data() + size_t{v} * kStride;
      const auto read = [&] {
        uint64_t lanes = 0;
        for (uint32_t k = 0; k < kStride; ++k) lanes |= uint64_t{row[near[k]]} << 8 * k;
        return lanes;
      };
      uint64_t to = read();
      static_assert(GoalTables::kUnknown == 255);  // a zero lane of ~to is found
      if (row[v] == GoalTables::kUnknown || ((~to - kOnes) & to & kHigh)) {
        tables_->know(table_[agent], v);
        for (uint32_t k = 0; k < kStride; ++k) tables_->know(table_[agent], near[k]);
        to = read();
      }
      // Lane by lane to - from + 2, which is 0 or 1 (nearer), 2, 3 or 4 (farther): remainders of
      // neighbours differ by one, or by 254 at the wrap.
      const uint64_t from = static_cast<uint8_t>(row[v] - 2) * kOnes;
      const uint64_t by = ((to | kHigh) - (from & ~kHigh)) ^ ((to ^ ~from) & kHigh);
      const uint64_t half = by >> 1 & 3 * kOnes;
      steps = half + (by & half & kOnes);
    }
    // Unused slots come last.
    const uint32_t degree = graph_->degree[v];
    steps_[agent] = degree == 8 ? steps : steps | 3 * kOnes << 8 * degree;
  }

  // 2. Fills the frame: where the agent would like to go, the best first.
  void open(Frame& frame, uint32_t agent) noexcept {
    frame.agent = agent;
    frame.swap = kNoAgent;
    frame.flip = 0;
    const Vertex v = now[agent];
    const uint32_t degree = graph_->degree[v];
    const Vertex* near = graph_->near.data() + size_t{v} * kStride;
    // Nearest first; among equals those where nobody stands, then at random.
    const uint64_t steps = steps_[agent];
    const uint64_t ties = random_.next();
    uint32_t least = 1u << 12 | static_cast<uint32_t>(ties >> 57) << 4 | degree;
    frame.key[kStride] = static_cast<int16_t>(least);
    for (uint32_t k = 0; k < kStride; ++k) {
      const uint32_t taken = prefer_free && at_now_[near[k]] != kNoAgent;
      const auto tie = static_cast<uint32_t>(ties >> 7 * k & 0x7f);
      const uint32_t key =
          static_cast<uint32_t>(steps >> 8 * k & 3) << 12 | taken << 11 | tie << 4 | k;
      frame.key[k] = static_cast<int16_t>(key);
      least = std::min(least, key);
    }
    frame.at = frame.first = static_cast<int16_t>(least);
    const uint32_t slot = least & 15;
    if (slot == degree || graph_->roomy[near[slot]]) return;
    frame.swap = find_swap(agent, near[slot]);
    if (frame.swap == kNoAgent) return;
    frame.flip = kAllBits;
    for (int16_t& key : frame.key)
      key = key < kUnused ? static_cast<int16_t>(key ^ kAllBits) : kNoKey;
    frame.at = -1;
    frame.go_on();
    frame.first = frame.at;
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
      for (; frame.at != kNoKey; frame.go_on()) {
        const uint32_t slot = frame.slot();
        const Vertex u = slot == degree ? v : near[slot];
        if (at_next_[u] != kNoAgent) continue;
        const uint32_t there = at_now_[u];
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
        at_next_[u] = agent;
        next[agent] = u;
        planned_[agent] =
            static_cast<int8_t>(static_cast<int32_t>(steps_[agent] >> 8 * slot & 3) - 1);
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
      before.go_on();
    }
  }

  void stay(uint32_t agent) noexcept {
    const Vertex v = now[agent];
    at_next_[v] = agent;
    next[agent] = v;
    planned_[agent] = 0;
  }

  // After a swap began: the other agent follows at once.
  void pull(const Frame& frame) noexcept {
    if (frame.swap == kNoAgent || frame.at != frame.first || next[frame.swap] != kNoVertex) return;
    const Vertex v = now[frame.agent];
    if (next[frame.agent] == v || at_next_[v] != kNoAgent || stays(frame.swap)) return;
    if (!cross(now[frame.swap], v)) return;
    next[frame.swap] = v;
    at_next_[v] = frame.swap;
    planned_[frame.swap] = static_cast<int8_t>(step(frame.swap, now[frame.swap], v));
    by_need[frame.swap] = 1;
  }

  // 4. The swap rule. With whom must the agent, who wants to go to `first`, change places by moving
  // backwards?
  uint32_t find_swap(uint32_t agent, Vertex first) noexcept {
    const Vertex v = now[agent];
    const uint32_t there = at_now_[first];
    if (there != kNoAgent && next[there] == kNoVertex && swap_required(agent, there, v, first) &&
        swap_possible(first, v))
      return there;
    // Another one needs the agent out of a dead end.
    const Vertex* near = graph_->near.data() + size_t{v} * kStride;
    for (uint32_t k = 0; k < graph_->degree[v]; ++k) {
      const uint32_t other = at_now_[near[k]];
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
      if (graph_->degree[u] == 1 && at_now_[u] != kNoAgent && at_goal(at_now_[u])) continue;
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
  Buffer<uint64_t> steps_;  // step() + 1 to each entry of `near`, a byte each; 3: unused
  Buffer<int8_t> planned_;
  Buffer<uint32_t> at_now_;  // by vertex
  Buffer<uint32_t> at_next_;
  Buffer<Frame> stack_;
  Buffer<uint8_t> crossed_;  // by vertex: its 2 x 2 cells are crossed in this tick
  Buffer<Vertex> crossings_;
  bool loaded_ = false;
};

}  // namespace octile
