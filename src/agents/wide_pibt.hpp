// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// One tick of agents that cover rectangles of cells, of one size or of many: PIBT as in pibt.hpp,
// where a step may need several others to go.
//
//   for each agent, the first in the order first, that has no next place yet:
//     of the places around and its own, the nearest to its goal first (ties at random):
//       somebody's next cells among its own, or a move half way through it?    the next one
//       it claims the place, and everybody without a next place who stands there is asked in turn:
//                         each is planned in the same way; when one finds no place, all that was
//                         planned since the claim is undone, and the agent tries the next one
//
// What is claimed is kept by cell, so a claim costs as many steps as the unit has cells. Nobody's
// cells are claimed but by those who asked, so whoever was asked by nobody can stay: every call for
// a whole order gives a tick without conflicts. An agent that found no place is not asked again
// for the same first agent, and when a tick has undone kPatience times as many claims as there are
// agents nobody is asked any more: a tick takes linear time.
//
// Conflicts (Li et al. 2019 for agents with shapes): no two units on one cell, and half way no two
// that overlap by a whole cell. Of units of one cell those are swaps and crossings. Two that
// overlap half way stood on the cells that the other one's move spans.
//
// Who is in the middle of what a large agent needs cannot leave it in one tick, other than straight
// ahead; driven so and coming back, two that want to pass each other change nothing for ever. So
// one time of four, at random, an agent refuses to go straight ahead of whoever asks and away from
// its own goal, if there is a way out of the lane of that one. More often, and crowds lose time:
// one waits for the other. Whoever was asked in vain steps towards the nearest place beside the
// lane, as soon as the agent is planned for whom it was asked.
//
// There is no swap rule here: in corridors large agents wait for each other.

#include <algorithm>
#include <utility>

#include "agents/agent_kinds.hpp"
#include "agents/pibt.hpp"

namespace octile {

class WidePibt {
 public:
  static constexpr uint32_t kMostMoves = 9;  // to stay among them

  // Per-agent rules; null: everybody may be pushed.
  const uint8_t* unpushable = nullptr;
  // Among places that are equally near those where nobody stands come first.
  bool prefer_free = true;

  // kind_of[i] is the kind of agent i. False: memory is short.
  bool begin(AgentKinds& kinds, const uint32_t* kind_of, size_t agents, uint64_t seed) noexcept {
    kinds_ = &kinds;
    random_ = AgentRandom(seed);
    loaded_ = false;
    const View& view = kinds[0].view;
    first_ = view.first_cell();
    width_ = static_cast<size_t>(view.width());
    height_ = view.height();
    const size_t cells = width_ * static_cast<size_t>(view.height());
    if (!now.resize(agents) || !next.assign(agents, kNoVertex) || !by_need.assign(agents, 0) ||
        !kind_.resize(agents) || !table_.assign(agents, GoalTables::kNone) ||
        !goal_.assign(agents, kNoVertex) || !planned_.assign(agents, 0) ||
        !refused_.assign(agents, 0) || !trail_.reserve(agents) ||
        !yield_.assign(agents, kNoVertex) || !yielding_.reserve(agents) ||
        !stack_.resize(agents + 1) || !at_now_.assign(cells, kNoAgent) ||
        !at_next_.assign(cells, kNoAgent))
      return false;
    std::copy(kind_of, kind_of + agents, kind_.begin());
    if (!shape_.resize(kinds.size()) || !box_.resize(agents)) return false;
    for (size_t k = 0; k < kinds.size(); ++k) {
      const Profile& p = kinds[k].view.profile();
      shape_[k] = {first_.x + p.anchor.x, first_.y + p.anchor.y, p.width, p.height};
    }
    root_ = 0;
    return true;
  }

  Buffer<Vertex> now;       // by agent, in the graph of its kind
  Buffer<Vertex> next;      // kNoVertex: not planned yet
  Buffer<uint8_t> by_need;  // its next place was found because another agent asked

  // As of Pibt.
  Vertex vertex(uint32_t agent) const noexcept { return now[agent]; }
  void put(uint32_t agent, Vertex v) noexcept { now[agent] = v; }
  void read_plan(Vertex* to) const noexcept { std::copy(next.begin(), next.end(), to); }
  void set_table(uint32_t agent, uint32_t t) noexcept {
    table_[agent] = t;
    goal_[agent] = t == GoalTables::kNone ? kNoVertex : tables(agent).goal(t);
  }
  uint32_t table(uint32_t agent) const noexcept { return table_[agent]; }
  bool has_goal(uint32_t agent) const noexcept { return goal_[agent] != kNoVertex; }
  Vertex goal(uint32_t agent) const noexcept { return goal_[agent]; }
  bool is_goal(uint32_t agent, Vertex v) const noexcept {
    return goal_[agent] == kNoVertex || goal_[agent] == v;
  }
  bool at_goal(uint32_t agent) const noexcept { return is_goal(agent, now[agent]); }
  int planned_step(uint32_t agent) const noexcept { return planned_[agent]; }

  // The agents stand as `now` says; nothing is planned.
  void place() noexcept {
    for (uint32_t i = 0; i < now.size(); ++i) {
      box_[i] = box_at(i, now[i]);
      cover(at_now_, box_[i], i);
      next[i] = kNoVertex;
    }
    trail_.clear();
    end_tick();
    loaded_ = true;
  }
  // Before `now` is written anew.
  void lift() noexcept {
    if (!loaded_) return;
    for (uint32_t i = 0; i < now.size(); ++i) cover(at_now_, box_[i], kNoAgent);
    loaded_ = false;
  }
  void clear_plan() noexcept {
    undo(0);
    end_tick();
  }
  // Makes the moves that were planned.
  void advance() noexcept {
    for (uint32_t i = 0; i < now.size(); ++i) cover(at_now_, box_[i], kNoAgent);
    for (uint32_t i = 0; i < now.size(); ++i) {
      box_[i] = box_at(i, next[i]);
      cover(at_next_, box_[i], kNoAgent);
      cover(at_now_, box_[i], i);
      now[i] = next[i];
      next[i] = kNoVertex;
    }
    trail_.clear();
    end_tick();
  }

  // Decides for an agent beforehand; false: that is a conflict with what is decided already.
  bool fix(uint32_t agent, Vertex to) noexcept {
    if (!may_claim(agent, to)) return false;
    claim(agent, to);
    return true;
  }

  // Plans all agents in this order. False: somebody can neither move nor stay (only after fix()).
  template <class Index>
  bool plan(const Index* order) noexcept {
    for (size_t i = 0; i < now.size(); ++i) {
      const uint32_t agent = order[i];
      if (next[agent] != kNoVertex) continue;
      size_t asked = yielding_.size();
      if (!plan_agent(agent)) return false;
      for (; asked < yielding_.size(); ++asked) {
        const uint32_t other = yielding_[asked];
        if (next[other] == kNoVertex && !plan_agent(other)) return false;
      }
    }
    return true;
  }

  // Where the agent may be after a step from v, itself last. How many.
  uint32_t around(uint32_t agent, Vertex v, Vertex* to) const noexcept {
    const AgentGraph& graph = (*kinds_)[kind_[agent]].graph;
    const uint32_t degree = graph.degree[v];
    for (uint32_t k = 0; k < degree; ++k) to[k] = graph.near[size_t{v} * graph.stride + k];
    to[degree] = v;
    return degree + 1;
  }

  size_t bytes() const noexcept {
    return now.bytes() + next.bytes() + by_need.bytes() + kind_.bytes() + table_.bytes() +
           goal_.bytes() + box_.bytes() + planned_.bytes() + refused_.bytes() + trail_.bytes() +
           yield_.bytes() + yielding_.bytes() + stack_.bytes() + at_now_.bytes() + at_next_.bytes();
  }

 private:
  static constexpr size_t kPatience = 8;

  struct Box {
    int32_t x, y;  // from 0
    int32_t width, height;
  };
  struct Frame {
    uint32_t agent;
    uint32_t mark;  // of the trail, before the claim
    uint8_t count;
    uint8_t at;
    bool claimed;
    Vertex candidate[kMostMoves];
  };

  GoalTables& tables(uint32_t agent) const noexcept { return (*kinds_)[kind_[agent]].tables; }
  Box box_at(uint32_t agent, Vertex v) const noexcept {
    const Box& shape = shape_[kind_[agent]];
    const Cell cell = (*kinds_)[kind_[agent]].graph.cell(v);
    return {cell.x - shape.x, cell.y - shape.y, shape.width, shape.height};
  }
  template <class Cells>
  auto first_row(Cells& cells, const Box& box) const noexcept {
    return cells.data() + static_cast<size_t>(box.y) * width_ + static_cast<size_t>(box.x);
  }
  template <class Cells>
  auto last_row(Cells& cells, const Box& box) const noexcept {
    return first_row(cells, box) + static_cast<size_t>(box.height) * width_;
  }
  void cover(Buffer<uint32_t>& cells, const Box& box, uint32_t who) const noexcept {
    for (uint32_t* row = first_row(cells, box); row != last_row(cells, box); row += width_)
      std::fill(row, row + box.width, who);
  }
  uint32_t standing(int32_t x, int32_t y) const noexcept {
    return at_now_[static_cast<size_t>(y) * width_ + static_cast<size_t>(x)];
  }
  // The first agent other than itself among those who stand on the cells of `to`, for which
  // wanted(other); `from` are its own cells.
  template <class Wanted>
  uint32_t first_standing(const Box& from, const Box& to, Wanted wanted) const noexcept {
    for (int32_t y = to.y; y < to.y + to.height; ++y) {
      const bool beside = y >= from.y && y < from.y + from.height;
      for (int32_t x = to.x; x < to.x + to.width; ++x) {
        if (beside && x == from.x) x = from.x + from.width;
        if (x >= to.x + to.width) break;
        const uint32_t other = standing(x, y);
        if (other != kNoAgent && wanted(other)) return other;
      }
    }
    return kNoAgent;
  }
  // Half way of two moves: do the units overlap by a whole cell or more?
  static bool meet(const Box& from, const Box& to, const Box& from2, const Box& to2) noexcept {
    const auto overlap = [](int32_t a, int32_t width, int32_t b, int32_t width2) {
      return std::min(a + 2 * width, b + 2 * width2) - std::max(a, b) >= 2;
    };
    return overlap(from.x + to.x, from.width, from2.x + to2.x, from2.width) &&
           overlap(from.y + to.y, from.height, from2.y + to2.y, from2.height);
  }

  // Nobody will be there, and nobody who is planned passes through the agent on the way.
  bool may_claim(uint32_t agent, Vertex to) const noexcept {
    const Box from = box_[agent], box = box_at(agent, to);
    for (const uint32_t* row = first_row(at_next_, box); row != last_row(at_next_, box);
         row += width_)
      for (int32_t x = 0; x < box.width; ++x)
        if (row[x] != kNoAgent) return false;
    if (to == now[agent]) return true;
    const auto passes = [&](uint32_t other) {
      return next[other] != kNoVertex && meet(from, box, box_[other], box_at(other, next[other]));
    };
    if (first_standing(from, box, passes) != kNoAgent) return false;
    const int32_t dx = box.x - from.x, dy = box.y - from.y;
    if (dx == 0 || dy == 0) return true;
    // The two cells that a diagonal move spans beside these.
    const int32_t ahead = dx > 0 ? box.x + box.width - 1 : box.x;
    const int32_t behind = dx > 0 ? from.x : from.x + from.width - 1;
    const int32_t back = dy > 0 ? from.y : from.y + from.height - 1;
    const int32_t front = dy > 0 ? box.y + box.height - 1 : box.y;
    for (const Cell c : {Cell{ahead, back}, Cell{behind, front}}) {
      const uint32_t other = standing(c.x, c.y);
      if (other != kNoAgent && passes(other)) return false;
    }
    return true;
  }
  void claim(uint32_t agent, Vertex to) noexcept {
    const uint32_t t = table_[agent];
    cover(at_next_, box_at(agent, to), agent);
    next[agent] = to;
    planned_[agent] = static_cast<int8_t>(
        t == GoalTables::kNone ? to != now[agent] : tables(agent).step(t, now[agent], to));
    trail_.push(agent);
  }
  void undo(uint32_t mark) noexcept {
    for (; trail_.size() > mark; trail_.pop(), ++undone_) {
      const uint32_t agent = trail_.back();
      cover(at_next_, box_at(agent, next[agent]), kNoAgent);
      next[agent] = kNoVertex;
    }
  }

  void end_tick() noexcept {
    for (const uint32_t agent : yielding_) yield_[agent] = kNoVertex;
    yielding_.clear();
    undone_ = 0;
  }
  static bool share_cells(const Box& a, const Box& b) noexcept {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
           b.y < a.y + a.height;
  }
  // Where `by` goes, and all that lies straight ahead.
  Box lane(uint32_t by) const noexcept {
    const Box from = box_[by];
    Box ahead = box_at(by, next[by]);
    if (ahead.y == from.y) {
      if (ahead.x > from.x) {
        ahead.width = static_cast<int32_t>(width_) - ahead.x;
      } else {
        ahead.width += std::exchange(ahead.x, 0);
      }
    } else if (ahead.x == from.x) {
      if (ahead.y > from.y) {
        ahead.height = height_ - ahead.y;
      } else {
        ahead.height += std::exchange(ahead.y, 0);
      }
    }
    return ahead;
  }
  // Which step leads the agent out of the lane of `by`, who claims a place there?
  void prepare_to_yield(uint32_t agent, uint32_t by) noexcept {
    if (yield_[agent] != kNoVertex) return;
    constexpr uint32_t kMostSeen = 128;
    Vertex seen[kMostSeen], first[kMostSeen];
    uint32_t count = 1;
    seen[0] = now[agent];
    const Box own = box_[by], wanted = lane(by);
    const Box from = box_[agent];
    const auto never = [&](uint32_t other) { return unpushable && unpushable[other]; };
    for (uint32_t head = 0; head < count; ++head) {
      Vertex to[kMostMoves];
      const uint32_t moves = around(agent, seen[head], to) - 1;
      for (uint32_t k = 0; k < moves; ++k) {
        const Box box = box_at(agent, to[k]);
        if (std::find(seen, seen + count, to[k]) != seen + count || share_cells(box, own) ||
            first_standing(from, box, never) != kNoAgent)
          continue;
        const Vertex step = head == 0 ? to[k] : first[head];
        if (!share_cells(box, wanted)) {
          yield_[agent] = step;
          yielding_.push(agent);
          return;
        }
        if (count == kMostSeen) return;
        seen[count] = to[k];
        first[count++] = step;
      }
    }
  }

  // Should the agent rather leave the lane of `by`, who asks, than go there?
  bool driven(uint32_t agent, uint32_t by, Vertex to) noexcept {
    const Box from = box_[agent], box = box_at(agent, to);
    const Box from2 = box_[by], box2 = box_at(by, next[by]);
    const int32_t dx = box.x - from.x, dy = box.y - from.y;
    const uint32_t t = table_[agent];
    if ((dx != 0 && dy != 0) || dx != box2.x - from2.x || dy != box2.y - from2.y ||
        t == GoalTables::kNone || tables(agent).step(t, now[agent], to) < 0 ||
        random_.below(4) != 0)
      return false;
    prepare_to_yield(agent, by);
    return yield_[agent] != kNoVertex && yield_[agent] != to;
  }

  // Where the agent would like to go, the best first.
  void open(Frame& frame, uint32_t agent) noexcept {
    frame.agent = agent;
    frame.at = 0;
    frame.claimed = false;
    const Vertex v = now[agent];
    frame.count = static_cast<uint8_t>(around(agent, v, frame.candidate));
    const uint32_t t = table_[agent];
    const Box from = box_[agent];
    const auto anybody = [](uint32_t) { return true; };
    uint64_t ties = random_.next();
    uint32_t key[kMostMoves];
    for (uint32_t k = 0; k < frame.count; ++k, ties >>= 7) {
      const Vertex u = frame.candidate[k];
      const int step = u == yield_[agent]       ? -2
                       : u == v                 ? 0
                       : t == GoalTables::kNone ? 1
                                                : tables(agent).step(t, v, u);
      const bool taken =
          prefer_free && u != v && first_standing(from, box_at(agent, u), anybody) != kNoAgent;
      key[k] = static_cast<uint32_t>(step + 2) << 12 | uint32_t{taken} << 11 |
               static_cast<uint32_t>(ties & 0x7f) << 4 | k;
    }
    // By insertion: they are few.
    Vertex* candidate = frame.candidate;
    for (uint32_t k = 1; k < frame.count; ++k)
      for (uint32_t j = k; j > 0 && key[j] < key[j - 1]; --j) {
        std::swap(key[j], key[j - 1]);
        std::swap(candidate[j], candidate[j - 1]);
      }
  }

  // Plans one agent and those whom it asks to go. False: it can neither go nor stay.
  bool plan_agent(uint32_t root) noexcept {
    if (++root_ == 0) {
      std::fill(refused_.begin(), refused_.end(), 0);
      root_ = 1;
    }
    size_t depth = 0;
    open(stack_[0], root);
    by_need[root] = yield_[root] != kNoVertex;
    for (;;) {
      Frame& frame = stack_[depth];
      const uint32_t agent = frame.agent;
      // 1. A place.
      for (; !frame.claimed && frame.at < frame.count; ++frame.at) {
        const Vertex u = frame.candidate[frame.at];
        if (!may_claim(agent, u)) continue;
        const auto in_the_way = [&](uint32_t other) {
          return next[other] == kNoVertex && stays(other);
        };
        if (first_standing(box_[agent], box_at(agent, u), in_the_way) != kNoAgent) continue;
        if (depth > 0 && driven(agent, stack_[depth - 1].agent, u)) continue;
        frame.mark = static_cast<uint32_t>(trail_.size());
        claim(agent, u);
        frame.claimed = true;
        break;
      }
      // 2. None: whoever asked tries another one.
      if (!frame.claimed) {
        refused_[agent] = root_;
        if (depth == 0) return false;
        Frame& before = stack_[--depth];
        prepare_to_yield(agent, before.agent);
        undo(before.mark);
        before.claimed = false;
        ++before.at;
        continue;
      }
      // 3. Who stands there is asked, one after the other.
      const auto to_be_asked = [&](uint32_t other) { return next[other] == kNoVertex; };
      const uint32_t other = first_standing(box_[agent], box_at(agent, next[agent]), to_be_asked);
      if (other != kNoAgent) {
        open(stack_[++depth], other);
        by_need[other] = 1;
      } else if (depth == 0) {
        return true;
      } else {
        --depth;
      }
    }
  }
  // Whom the agent cannot ask to go.
  bool stays(uint32_t agent) const noexcept {
    return refused_[agent] == root_ || (unpushable && unpushable[agent]) ||
           undone_ > kPatience * (now.size() + 32);
  }

  AgentKinds* kinds_ = nullptr;
  AgentRandom random_;
  Cell first_;
  size_t width_ = 0;
  int32_t height_ = 0;
  Buffer<Box> shape_;      // by kind: from an anchor's coordinates to the corner; width and height
  Buffer<uint32_t> kind_;  // by agent
  Buffer<Box> box_;        // its cells now
  Buffer<uint32_t> table_;
  Buffer<Vertex> goal_;
  Buffer<int8_t> planned_;
  Buffer<uint32_t> refused_;   // the last first agent for whom it found no place
  Buffer<uint32_t> trail_;     // who is planned, in the order of the claims
  Buffer<Vertex> yield_;       // by agent: a step aside that comes first; kNoVertex: none
  Buffer<uint32_t> yielding_;  // who has one
  Buffer<Frame> stack_;
  Buffer<uint32_t> at_now_;  // by cell of the map
  Buffer<uint32_t> at_next_;
  uint32_t root_ = 0;
  size_t undone_ = 0;  // claims, in this tick
  bool loaded_ = false;
};

// Starts the planner of ticks for these agents; false: memory is short.
template <uint32_t kStride>
bool begin_moves(Pibt<kStride>& pibt, AgentKinds& kinds, const Buffer<uint32_t>& kind_of,
                 uint64_t seed) noexcept {
  return pibt.begin(kinds[0].graph, kinds[0].tables, kind_of.size(), seed);
}
inline bool begin_moves(WidePibt& pibt, AgentKinds& kinds, const Buffer<uint32_t>& kind_of,
                        uint64_t seed) noexcept {
  return pibt.begin(kinds, kind_of.data(), kind_of.size(), seed);
}

}  // namespace octile
