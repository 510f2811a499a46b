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
// time went into waiting for the agents' lines of their tables. So each agent keeps a copy of the
// line where it stands, which is that of some two hundred cells: only one of ten or so needs
// another one in a tick, and all others read what lies side by side. Whoever stands elsewhere than
// last time reads before the first agent is planned. Positions are cells of the grid of the tables'
// layout, whose neighbours need no table, and who stands where, who goes where and what is crossed
// are bits of each cell: little enough to stay in the nearest cache.

#include <bit>
#include <cstring>

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
    layout_ = &tables.layout();
    random_ = AgentRandom(seed);
    loaded_ = false;
    crossing_count_ = 0;
    for (uint32_t d = 0; d < 8; ++d) offset_[d] = static_cast<uint32_t>(layout_->offset(d));
    corner_[kSouthWest] = offset_[kWest];
    corner_[kNorthWest] = offset_[kNorthWest];
    corner_[kNorthEast] = offset_[kNorth];
    const size_t cells = layout_->cells();
    if (!now.resize(agents) || !next.resize(agents) || !by_need.assign(agents, 0) ||
        !table_.assign(agents, GoalTables::kNone) || !goal_.assign(agents, kNowhere) ||
        !row_.assign(agents, nullptr) || !lines_.resize(agents + 1) ||
        !line_of_.assign(agents, kNoLine) || !views_.resize(agents) ||
        !looked_.assign(agents, kNowhere) || !anew_.resize(agents + 1) ||
        !left_.resize(agents + 1) || !planned_.resize(agents) || !occupant_.resize(cells) ||
        !stack_.resize(agents + 1) || !crossings_.resize(agents + 1) ||
        !states_.assign(cells / 4 + 2, 0) || !roomy_.begin(cells) || !calm_.begin(cells) ||
        !crossed_.begin(kStride == 8 ? cells : 0))
      return false;
    for (Vertex v = 0; v < graph.size; ++v) {
      bool calm = true;
      for (uint32_t k = 0; k < graph.degree[v]; ++k)
        calm = calm && graph.roomy[graph.near[size_t{v} * kStride + k]];
      roomy_.set(layout_->cell(v), graph.roomy[v]);
      calm_.set(layout_->cell(v), calm);
    }
    return true;
  }

  // Positions by agent: cells of the grid.
  Buffer<uint32_t> now;
  Buffer<uint32_t> next;    // kNowhere: not planned yet
  Buffer<uint8_t> by_need;  // its next position was found because another agent asked

  // As vertices.
  Vertex vertex(uint32_t agent) const noexcept { return layout_->vertex(now[agent]); }
  void put(uint32_t agent, Vertex v) noexcept { now[agent] = layout_->cell(v); }
  // What is planned, of all agents.
  void read_plan(Vertex* to) const noexcept {
    for (const uint32_t cell : next) *to++ = layout_->vertex(cell);
  }

  // The table of the agent's goal, in use as long as it is set; kNone: it has no goal and likes to
  // stay.
  void set_table(uint32_t agent, uint32_t t) noexcept {
    const bool none = t == GoalTables::kNone;
    table_[agent] = t;
    looked_[agent] = kNowhere;
    line_of_[agent] = kNoLine;
    goal_[agent] = none ? kNowhere : layout_->cell(tables_->goal(t));
    row_[agent] = none ? nullptr : tables_->lines(t);
  }
  uint32_t table(uint32_t agent) const noexcept { return table_[agent]; }
  bool has_goal(uint32_t agent) const noexcept { return goal_[agent] != kNowhere; }
  Vertex goal(uint32_t agent) const noexcept {  // kNoVertex: none
    return has_goal(agent) ? layout_->vertex(goal_[agent]) : kNoVertex;
  }

  // The agents stand as `now` says; nothing is planned.
  void place() noexcept {
    for (uint32_t i = 0; i < now.size(); ++i) {
      set_state(now[i], kStanding);
      occupant_[now[i]] = i;
      next[i] = kNowhere;
    }
    loaded_ = true;
  }
  // Before `now` is written anew.
  void lift() noexcept {
    if (!loaded_) return;
    for (const uint32_t cell : now) clear_state(cell, kStanding);
    loaded_ = false;
  }
  // Forgets what was planned.
  void clear_plan() noexcept {
    for (uint32_t& cell : next) {
      if (cell != kNowhere) clear_state(cell, kClaimed);
      cell = kNowhere;
    }
    clear_crossings();
  }
  // Makes the moves that were planned, of all agents.
  void advance() noexcept {
    for (const uint32_t cell : now) clear_state(cell, kStanding | kClaimed);
    now.swap(next);
    for (uint32_t i = 0; i < now.size(); ++i) {
      clear_state(now[i], kClaimed);
      set_state(now[i], kStanding);
      occupant_[now[i]] = i;
      next[i] = kNowhere;
    }
    clear_crossings();
  }

  // Decides for an agent beforehand; false: that is a conflict with what is decided already.
  bool fix(uint32_t agent, Vertex v) noexcept {
    const uint32_t from = now[agent], to = layout_->cell(v);
    if (claimed(to)) return false;
    const uint32_t there = at(to);
    if (there != kNoAgent && there != agent && next[there] == from) return false;
    if (to != from && !cross(from, to)) return false;
    claim(agent, to, step(agent, from, to));
    return true;
  }

  // Plans all agents in this order. False: somebody can neither move nor stay (only after fix()).
  template <class Index>
  bool plan(const Index* order) noexcept {
    const auto count = static_cast<uint32_t>(now.size());
    // All that stand elsewhere than last time look round first.
    const uint32_t anew = fetch_lines();
    for (uint32_t i = 0; i < anew; ++i) look(anew_[i]);
    // Then in their order, which is another one in memory.
    for (uint32_t i = 0; i < count; ++i) {
      if (i + kAhead < count) {
        const uint32_t cell = now[order[i + kAhead]];
        __builtin_prefetch(&occupant_[cell]);
        __builtin_prefetch(&occupant_[cell + offset_[kNorth]]);
        __builtin_prefetch(&occupant_[cell + offset_[kSouth]]);
      }
      const uint32_t agent = order[i];
      if (next[agent] == kNowhere && !plan_agent(agent)) return false;
    }
    return true;
  }

  // Agents without a goal are content wherever they are.
  bool is_goal(uint32_t agent, uint32_t cell) const noexcept {
    const uint32_t goal = goal_[agent];
    return goal == kNowhere || goal == cell;
  }
  bool at_goal(uint32_t agent) const noexcept { return is_goal(agent, now[agent]); }
  // The step that was planned: -1 nearer to the agent's goal, 0 as far, 1 farther. Without a goal
  // all are farther.
  int planned_step(uint32_t agent) const noexcept { return planned_[agent]; }
  // Where the agent may be after a step from v, v itself last. How many.
  uint32_t around(uint32_t, Vertex v, Vertex* to) const noexcept {
    const uint32_t degree = graph_->degree[v];
    for (uint32_t k = 0; k < degree; ++k) to[k] = graph_->near[size_t{v} * kStride + k];
    to[degree] = v;
    return degree + 1;
  }
  size_t bytes() const noexcept {
    return now.bytes() + next.bytes() + by_need.bytes() + table_.bytes() + goal_.bytes() +
           row_.bytes() + views_.bytes() + lines_.bytes() + line_of_.bytes() + looked_.bytes() +
           anew_.bytes() + left_.bytes() + planned_.bytes() + occupant_.bytes() + stack_.bytes() +
           states_.bytes() + roomy_.bytes() + calm_.bytes() + crossed_.bytes() + crossings_.bytes();
  }

 private:
  static constexpr size_t kAhead = 8;
  static constexpr uint32_t kNowhere = 0xffffffff;

  // A bit for each cell.
  class CellSet {
   public:
    bool begin(size_t cells) noexcept { return bytes_.assign(cells / 8 + 4, 0); }
    bool has(uint32_t cell) const noexcept { return bytes_[cell / 8] >> cell % 8 & 1; }
    void set(uint32_t cell, bool really = true) noexcept {
      bytes_[cell / 8] |= static_cast<uint8_t>(uint32_t{really} << cell % 8);
    }
    void clear(uint32_t cell) noexcept {
      bytes_[cell / 8] &= static_cast<uint8_t>(~(1u << cell % 8));
    }
    size_t bytes() const noexcept { return bytes_.bytes(); }

   private:
    Buffer<uint8_t> bytes_;
  };

  uint32_t at(uint32_t cell) const noexcept {
    return states_[cell / 4] >> 2 * (cell % 4) & kStanding ? occupant_[cell] : kNoAgent;
  }
  void claim(uint32_t agent, uint32_t cell, int step) noexcept {
    set_state(cell, kClaimed);
    next[agent] = cell;
    planned_[agent] = static_cast<int8_t>(step);
  }
  // Two bits for each cell.
  static constexpr uint32_t kStanding = 1;  // somebody stands there
  static constexpr uint32_t kClaimed = 2;   // somebody goes there, or stays
  void set_state(uint32_t cell, uint32_t state) noexcept {
    states_[cell / 4] |= static_cast<uint8_t>(state << 2 * (cell % 4));
  }
  void clear_state(uint32_t cell, uint32_t state) noexcept {
    states_[cell / 4] &= static_cast<uint8_t>(~(state << 2 * (cell % 4)));
  }
  bool claimed(uint32_t cell) const noexcept {
    return states_[cell / 4] >> 2 * (cell % 4) & kClaimed;
  }
  // Those around a cell, as GoalLines::spread() has them.
  uint32_t states_round(uint32_t cell) const noexcept {
    const uint8_t* states = states_.data();
    return GoalLines::spread(GoalLines::three(states, cell + offset_[kNorthWest]),
                             GoalLines::three(states, cell - 1),
                             GoalLines::three(states, cell + offset_[kSouthWest]));
  }
  int step(uint32_t agent, uint32_t from, uint32_t to) noexcept {
    const uint32_t t = table_[agent];
    return t == GoalTables::kNone ? from != to : tables_->step_at(t, from, to);
  }

  // Where the agent may go: the directions, its own cell behind them, in three sets, nearer, as
  // near and farther. The present one is the best of the best set that is not empty: those where
  // nobody stands come first, then a lot decides. Mostly the first one will do, so whoever wants
  // the next one looks for it then. Few choices can be guessed, so there are few branches.
  static constexpr uint32_t kStay = 8;
  static constexpr uint32_t kSet = kStay + 1;  // bits of a set
  static constexpr uint32_t kSlots = (1u << kSet) - 1;
  static constexpr uint32_t kInAll = 1u | 1u << kSet | 1u << 2 * kSet;
  static constexpr uint8_t kNoSlot = 15;
  struct Frame {
    uint64_t lots;  // of the neighbours 7 bits each, then of its own cell
    uint32_t agent;
    uint32_t cell;   // where it stands
    uint32_t swap;   // the agent to be pulled after this one
    uint32_t left;   // the three sets, of what was not tried yet
    uint32_t taken;  // somebody stands there, as far as that counts
    uint8_t moves;   // a bit for each direction
    uint8_t around;  // which of the neighbours are passable
    uint8_t slot;    // the present one; kNoSlot: none is left
    uint8_t first;   // that it began with
    bool turned;     // the worst first
  };
  // What an agent sees, by direction.
  struct Look {
    GoalSides sides;
    uint8_t moves;
    uint8_t around;
  };
  // Where the lot of a direction is: lots are drawn by neighbour.
  struct LotShifts {
    uint8_t of[256][16] = {};
    constexpr LotShifts() {
      for (uint32_t moves = 0; moves < 256; ++moves) {
        uint8_t shift = 0;
        for (uint32_t d = 0; d < 8; ++d)
          if (moves >> d & 1) {
            of[moves][d] = shift;
            shift = static_cast<uint8_t>(shift + 7);
          }
        of[moves][kStay] = 57;
      }
    }
  };
  static constexpr LotShifts kLotShifts{};
  static constexpr uint32_t kNoLine = 0xffffffff;
  struct alignas(GoalLines::kBytes) Line {
    uint8_t bytes[GoalLines::kBytes];
  };

  // Lists those that stand elsewhere than last time, and fetches the lines of those among them who
  // left that of their copy: each is on a page of its own, which takes longest, so they come side
  // by side. How many stand elsewhere.
  uint32_t fetch_lines() noexcept {
    const GoalLines::Place* places = layout_->places();
    const auto count = static_cast<uint32_t>(now.size());
    uint32_t anew = 0, left = 0;
    for (uint32_t i = 0; i < count; ++i) {
      if (i + 2 * kAhead < count) __builtin_prefetch(places + now[i + 2 * kAhead]);
      anew_[anew] = i;
      anew += looked_[i] != now[i];
      const auto line = static_cast<uint32_t>(GoalLines::line(places[now[i]]));
      left_[left] = i;
      left += line != line_of_[i] && row_[i];
      line_of_[i] = line;
    }
    const auto line_of = [&](uint32_t agent) {
      return row_[agent] + size_t{line_of_[agent]} * GoalLines::kBytes;
    };
    for (uint32_t i = 0; i < left; ++i) {
      if (i + 2 * kAhead < left) __builtin_prefetch(line_of(left_[i + 2 * kAhead]));
      std::memcpy(lines_[left_[i]].bytes, line_of(left_[i]), GoalLines::kBytes);
    }
    return anew;
  }

  // Diagonal moves: the 2 x 2 cells that are crossed are taken, by their upper left one; false:
  // they are already. Straight moves cross nothing, nor can another diagonal move cross where one
  // of the four is a wall; for these it is cell 0, a wall, that is never taken.
  uint32_t block_of(uint32_t cell, uint32_t d, uint32_t around) const noexcept {
    const uint32_t corners = around | around << 8;  // both, before and behind d
    const uint32_t open = d & corners >> (d + 7) & corners >> (d + 1) & 1;
    return (cell + corner_[d]) & (0 - open);
  }
  bool cross(uint32_t block) noexcept {
    if constexpr (kStride == 4) return true;
    if (crossed_.has(block)) return false;
    crossings_[crossing_count_] = block;
    crossing_count_ += block != 0;
    crossed_.set(block, block != 0);
    return true;
  }
  bool cross(uint32_t from, uint32_t to) noexcept {
    if constexpr (kStride == 4) return true;
    const GoalLines::Place place = layout_->places()[from];
    for (uint32_t moves = GoalLines::moves(place); moves; moves &= moves - 1) {
      const auto d = static_cast<uint32_t>(std::countr_zero(moves));
      if (from + offset_[d] == to) return cross(block_of(from, d, GoalLines::around(place)));
    }
    return true;
  }
  void uncross(const Frame& frame) noexcept {
    if constexpr (kStride == 4) return;
    const uint32_t block = block_of(frame.cell, frame.slot, frame.around);
    if (block == 0) return;
    crossed_.clear(block);  // the last one: whoever was asked since has given up
    --crossing_count_;
  }
  void clear_crossings() noexcept {
    for (size_t i = 0; i < crossing_count_; ++i) crossed_.clear(crossings_[i]);
    crossing_count_ = 0;
  }

  // Whom the agent can neither push nor pass.
  bool stays(uint32_t agent) const noexcept { return unpushable && unpushable[agent]; }

  // 1. What the agent's table says of its neighbours.
  void look(uint32_t agent) noexcept {
    const uint8_t* row = row_[agent];
    const uint32_t cell = now[agent];
    const GoalLines::Place place = layout_->places()[cell];
    Look& look = views_[agent];
    looked_[agent] = cell;
    look.moves = GoalLines::moves(place);
    look.around = GoalLines::around(place);
    if (!row) {
      look.sides = {0, look.moves};
      return;
    }
    uint8_t* copy = lines_[agent].bytes;
    if (GoalLines::read(copy, place, &look.sides)) return;
    tables_->know(table_[agent], cell);
    std::memcpy(copy, row + GoalLines::line(place) * GoalLines::kBytes, GoalLines::kBytes);
    GoalLines::read(copy, place, &look.sides);
  }

  // 2. Fills the frame: where the agent would like to go, the best first.
  void open(Frame& frame, uint32_t agent) noexcept {
    const Look look = views_[agent];
    const uint32_t cell = now[agent];
    const uint32_t nearer = look.sides.nearer, farther = look.sides.farther;
    const uint32_t same = (look.moves | 1u << kStay) & ~(nearer | farther);
    frame.lots = random_.next();
    frame.agent = agent;
    frame.cell = cell;
    frame.swap = kNoAgent;
    frame.left = nearer | same << kSet | farther << 2 * kSet;
    const uint32_t round = states_round(cell);
    frame.taken = prefer_free ? round & 0xff : 0;  // its own cell is as good as free
    frame.moves = look.moves;
    frame.around = look.around;
    frame.turned = false;
    if (calm_.has(cell)) {
      // No swap begins here: what is claimed need not be tried.
      frame.left &= ~(((round >> 8 & 0xff) | round >> 17 << kStay) * kInAll);
      choose(frame);
      return;
    }
    choose(frame);
    frame.first = frame.slot;
    if (frame.slot == kStay) return;
    const uint32_t first = cell + offset_[frame.slot];
    if (roomy_.has(first)) return;
    frame.swap = find_swap(agent, first);
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
    const uint32_t best_set = sets & kSlots, same_set = sets >> kSet & kSlots,
                   worst_set = sets >> 2 * kSet;
    uint32_t set = frame.turned ? worst_set : best_set;
    set = set ? set : same_set;
    set = set ? set : frame.turned ? best_set : worst_set;
    if (!set) {
      frame.slot = kNoSlot;
      return;
    }
    const uint32_t preferred = set & (frame.turned ? frame.taken : ~frame.taken);
    set = preferred ? preferred : set;
    // Mostly there are three of them at most: always as if there were.
    const uint8_t* shifts = kLotShifts.of[frame.moves];
    const uint32_t flip = frame.turned ? 0xfff : 0;
    const auto key = [&](uint32_t rest) {
      const auto k = static_cast<uint32_t>(std::countr_zero(rest));
      return (static_cast<uint32_t>(frame.lots >> shifts[k] & 0x7f) << 4 | k) ^ flip;
    };
    uint32_t least = key(set);
    for (uint32_t i = 0; i < 2; ++i) {
      const uint32_t rest = set & (set - 1);
      set = rest ? rest : set;
      least = std::min(least, key(set));
    }
    for (set &= set - 1; set; set &= set - 1) least = std::min(least, key(set));
    frame.slot = static_cast<uint8_t>((least ^ flip) & 15);
  }

  // Plans one agent and those whom it asks to go. False: it has to stay where another one goes.
  bool plan_agent(uint32_t root) noexcept {
    size_t depth = 0;
    open(stack_[0], root);
    by_need[root] = 0;
    for (;;) {
      Frame& frame = stack_[depth];
      const uint32_t agent = frame.agent, cell = frame.cell;
      bool done = false, asked = false;
      for (; frame.slot != kNoSlot; go_on(frame)) {
        const uint32_t slot = frame.slot;
        const uint32_t to = cell + offset_[slot];
        if (claimed(to)) continue;
        if (slot == kStay) {
          claim(agent, cell, 0);
          done = true;
          break;
        }
        const uint32_t there = at(to);
        if (there != kNoAgent) {
          if (next[there] == cell) continue;
          if (next[there] == kNowhere && stays(there)) continue;
        }
        if (!cross(block_of(cell, slot, frame.around))) continue;
        const GoalSides sides = views_[agent].sides;
        claim(agent, to, (sides.farther >> slot & 1) - (sides.nearer >> slot & 1));
        done = there == kNoAgent || next[there] != kNowhere;
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
      claim(agent, cell, 0);
      if (depth == 0) return false;
      Frame& before = stack_[--depth];
      uncross(before);
      next[before.agent] = kNowhere;
      go_on(before);
    }
  }

  // After a swap began: the other agent follows at once.
  void pull(const Frame& frame) noexcept {
    const uint32_t other = frame.swap, cell = frame.cell;
    if (other == kNoAgent || frame.slot != frame.first || next[other] != kNowhere) return;
    if (next[frame.agent] == cell || claimed(cell) || stays(other)) return;
    if (!cross(now[other], cell)) return;
    claim(other, cell, step(other, now[other], cell));
    by_need[other] = 1;
  }

  // 4. The swap rule. With whom must the agent, who wants to go to `first`, change places by moving
  // backwards?
  uint32_t find_swap(uint32_t agent, uint32_t first) noexcept {
    const uint32_t cell = now[agent];
    const uint32_t there = at(first);
    if (there != kNoAgent && next[there] == kNowhere && swap_required(agent, there, cell, first) &&
        swap_possible(first, cell))
      return there;
    // Another one needs the agent out of a dead end.
    for (uint32_t moves = layout_->moves()[cell]; moves; moves &= moves - 1) {
      const uint32_t beside = cell + offset_[std::countr_zero(moves)];
      const uint32_t other = at(beside);
      if (other == kNoAgent || beside == first) continue;
      if (swap_required(other, agent, cell, first) && swap_possible(first, cell)) return other;
    }
    return kNoAgent;
  }
  // How many ways lead on from `cell`, other than back to `from` and into dead ends whose agent has
  // arrived; one of them.
  uint32_t ways_on(uint32_t cell, uint32_t from, uint32_t* on) const noexcept {
    const uint8_t* moves_of = layout_->moves();
    uint32_t ways = 0;
    for (uint32_t moves = moves_of[cell]; moves; moves &= moves - 1) {
      const uint32_t to = cell + offset_[std::countr_zero(moves)];
      if (to == from) continue;
      const uint32_t back = moves_of[to];
      if ((back & (back - 1)) == 0 && at(to) != kNoAgent && at_goal(at(to))) continue;
      *on = to;
      ++ways;
    }
    return ways;
  }
  // The pusher drives the puller along a corridor: do they meet a place to pass before their ways
  // part?
  bool swap_required(uint32_t pusher, uint32_t puller, uint32_t pushing,
                     uint32_t pulling) noexcept {
    while (step(pusher, pushing, pulling) < 0) {
      uint32_t on = kNowhere;
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
  bool swap_possible(uint32_t pushing, uint32_t pulling) const noexcept {
    const uint32_t origin = pushing;
    while (pulling != origin) {
      uint32_t on = kNowhere;
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
  const GoalLines* layout_ = nullptr;
  AgentRandom random_;
  uint32_t offset_[9] = {};  // from a cell to the next one, by direction; kStay: none
  uint32_t corner_[9] = {};  // to the upper left one that a diagonal move crosses
  Buffer<uint32_t> table_;   // by agent, as its goal's cell and the lines of its table
  Buffer<uint32_t> goal_;
  Buffer<const uint8_t*> row_;
  Buffer<Line> lines_;        // the copies
  Buffer<uint32_t> line_of_;  // which of the table's lines that is
  Buffer<uint32_t> anew_;     // agents that have to look round
  Buffer<uint32_t> left_;     // those that have left the line of their copy
  Buffer<uint32_t> looked_;   // where the agent stood when it looked round
  Buffer<Look> views_;
  Buffer<int8_t> planned_;
  Buffer<uint32_t> occupant_;  // by cell: who stands there, if anybody does
  Buffer<uint8_t> states_;     // by cell: two bits
  CellSet roomy_;
  CellSet calm_;     // all its neighbours are
  CellSet crossed_;  // the 2 x 2 cells to the right of it and below are crossed in this tick
  Buffer<uint32_t> crossings_;
  size_t crossing_count_ = 0;
  Buffer<Frame> stack_;
  bool loaded_ = false;
};

}  // namespace octile
