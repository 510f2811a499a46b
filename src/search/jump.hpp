// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Jump point search, for best_first: nodes are jump points, and one expansion scans whole quadrants
// over the Layer's stop-bits (jump_kernel.hpp; Harabor and Grastien 2011 and 2014). It expands only
// the quadrants on the side of a forced neighbour; the straight way on is part of each. Without
// corner cutting, cells of a quadrant's diagonal never become nodes. docs/decisions/jump_points.md
// has the other rules, and the proofs. The goal needs no scans:
// when the octile line from an expanded node to the goal is free, that line is the cheapest rest of
// the way, and finish() ends the branch there. Every canonical path ends with such a line, from its
// last jump point.

#include "search/canonical.hpp"
#include "search/jump_kernel.hpp"
#include "search/jump_nodes.hpp"
#include "search/open_list.hpp"
#include "search/sight.hpp"
#include "search/sparse_nodes.hpp"
#include "search/task.hpp"

namespace octile {

// What the open list holds: the cell, and what is to be scanned from it. Found out when the cell is
// reached, so that its expansion need not wait for it.
struct JumpTicket {
  CellId id;
  uint32_t quadrants;
  operator CellId() const noexcept { return id; }
};
// A jump point as the kernels give it: see JumpHits::id.
struct JumpHit {
  CellId id;
  uint32_t arrival, number;
  explicit JumpHit(uint64_t hit) noexcept
      : id(static_cast<CellId>(hit)),
        arrival(static_cast<uint32_t>(hit >> 32) & 7),
        number(static_cast<uint32_t>(hit >> 35)) {}
  operator CellId() const noexcept { return id; }
};
// What was taken from a bucket at once and is not expanded yet, each with the cost it had then.
class JumpRound {
 public:
  struct Place {
    CellId id;
    uint32_t quadrants;
    Cost g;
  };
  bool empty() const noexcept { return next_ == places_.size(); }
  void clear() noexcept {
    places_.clear();
    next_ = 0;
  }
  bool push(const Place& place) noexcept { return places_.push(place); }
  const Place& take() noexcept { return places_[next_++]; }
  size_t bytes() const noexcept { return places_.bytes(); }
  void release() noexcept {
    places_.release();
    next_ = 0;
  }

 private:
  Buffer<Place> places_;
  size_t next_ = 0;
};
class JumpQueue : public Buckets<JumpTicket> {
 public:
  using Ticket = JumpTicket;

  bool begin(uint32_t shift) noexcept {
    round.clear();
    return Buckets::begin(shift);
  }
  size_t bytes() const noexcept { return Buckets::bytes() + round.bytes(); }
  void release() noexcept {
    Buckets::release();
    round.release();
  }
  JumpRound round;
};

class JumpMoves {
 public:
  using Cost = octile::Cost;
  using Id = CellId;

  // `room` holds twice JumpHits::most().
  JumpMoves(const JumpKernel& kernel, const Task& task, PocketFilter& pockets,
            uint64_t* room) noexcept
      : rule_(jump_rule(task.world->profile)),
        scan_(kernel.scan[static_cast<uint32_t>(rule_)]),
        turns_(kJumpTurns[static_cast<uint32_t>(rule_)]),
        layer_(*task.layer),
        capped_(task.capped),
        pockets_(pockets),
        ground_{layer_.flat, 1u << layer_.grid.row_shift, task.costs->steps.straight,
                task.costs->steps.diagonal},
        straight_(ground_.straight),
        diagonal_(ground_.diagonal),
        goal_(task.goal()),
        goal_x_(static_cast<int32_t>(layer_.grid.px(goal_))),
        goal_y_(static_cast<int32_t>(layer_.grid.py(goal_))) {
    const size_t most = JumpHits::most(layer_.grid, rule_);
    hits_.id = room;
    hits_.cost = room + most;
  }

  void scan_by(const JumpKernel& kernel) noexcept {
    scan_ = kernel.scan[static_cast<uint32_t>(rule_)];
  }

  Cost estimate(CellId id) const noexcept {
    const auto x = static_cast<int32_t>(layer_.grid.px(id));
    const auto y = static_cast<int32_t>(layer_.grid.py(id));
    const auto dx = static_cast<uint32_t>(x < goal_x_ ? goal_x_ - x : x - goal_x_);
    const auto dy = static_cast<uint32_t>(y < goal_y_ ? goal_y_ - y : y - goal_y_);
    return straight_ * (dx > dy ? dx : dy) + (diagonal_ - straight_) * (dx > dy ? dy : dx);
  }

  bool finish(CellId id, Cost g, State& state) const noexcept {
    if (!goal_in_sight(id)) return false;
    const Cost total = g + estimate(id);
    if (total < state.bound)
      state.reach(id, total, 0, false);
    else if (!state.found)
      state.cut = true;
    return true;
  }

  // The search ends after an exact number of expansions.
  bool capped() const noexcept { return capped_; }
  static constexpr bool admits(Cost) noexcept { return true; }
  // True when no cheapest way leads through the cell.
  bool dead(CellId id) noexcept { return pockets_.active() && pockets_.dead(id); }

  JumpTicket ticket(JumpHit to) const noexcept {
    return {to.id, turns_.of[to.arrival][layer_.moves(to.id)]};
  }

  template <class Relax>
  void expand(JumpTicket ticket, Cost, Relax relax) noexcept {
    hits_.count = 0;
    scan({ticket.id, ticket.quadrants, 0, 0});
    const JumpHits hits = hits_;
    for (uint32_t k = 0; k < hits.count; ++k) relax(JumpHit(hits.id[k]), hits.cost[k]);
  }

  // Of jump_search.
  // A ticket to this cell will probably be asked for soon.
  void hint(CellId id) const noexcept {
    __builtin_prefetch(layer_.tile(id).moves + (id & (kTileCells - 1)));
  }
  JumpHits& clear_hits() noexcept {
    hits_.count = 0;
    return hits_;
  }
  void scan(const JumpOrigin& origin) noexcept { scan_(ground_, origin, &hits_); }

 private:
  bool goal_in_sight(CellId id) const noexcept {
    const int32_t dx = goal_x_ - static_cast<int32_t>(layer_.grid.px(id));
    const int32_t dy = goal_y_ - static_cast<int32_t>(layer_.grid.py(id));
    const auto ax = static_cast<uint32_t>(dx < 0 ? -dx : dx);
    const auto ay = static_cast<uint32_t>(dy < 0 ? -dy : dy);
    // The last leg ends at the goal, whose free runs are known.
    if (__builtin_expect(rule_ == JumpRule::four, 0))
      return ay <= goal_run(1 + 2 * (dy > 0)) && walk_row(ground_, id, dx > 0, ax);
    const uint32_t side = ax > ay ? 2 * (dx > 0) : 1 + 2 * (dy > 0);
    const uint32_t low = ax < ay ? ax : ay;
    if ((ax < ay ? ay : ax) - low > goal_run(side)) return false;
    return walk_diagonal(ground_, id, dx > 0, dy > 0, low);
  }
  // Free cells from the goal towards E, S, W, N: looked up when first asked for, as a goal in sight
  // of the start asks for one of them.
  uint32_t goal_run(uint32_t side) const noexcept {
    if (__builtin_expect(goal_run_[side] == kUnknown, 0))
      goal_run_[side] = free_run(layer_, goal_, static_cast<Direction>(2 * side));
    return goal_run_[side];
  }

  const JumpRule rule_;
  void (*scan_)(const JumpGround&, const JumpOrigin&, JumpHits*) noexcept;
  const JumpTurns& turns_;
  const Layer& layer_;
  const bool capped_;
  PocketFilter& pockets_;
  const JumpGround ground_;
  const Cost straight_;
  const Cost diagonal_;
  const CellId goal_;
  const int32_t goal_x_;
  const int32_t goal_y_;
  static constexpr uint32_t kUnknown = 0xffffffff;
  mutable uint32_t goal_run_[4] = {kUnknown, kUnknown, kUnknown, kUnknown};
  JumpHits hits_;
};

}  // namespace octile
