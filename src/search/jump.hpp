// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Jump point search without corner cutting, for best_first: nodes are jump points, and one
// expansion scans whole quadrants over the Layer's stop-bits (Harabor and Grastien 2011 and 2014).
//
//        . . . J      Quadrant (east, north) of node n: scan east and north from n itself, then
//        . / . .      walk the diagonal and scan east and north from each of its cells. Every scan
//        / . . .      that ends at a free stop cell found a jump point J, reached from n diagonal
//        n . . .      first, then straight: cells of the diagonal never become nodes.
//
// So every node but the start is reached by a straight step, and it expands only the quadrants on
// the side of a forced neighbour; the straight way on is part of each. The goal needs no scans:
// when the octile line from an expanded node to the goal is free, that line is the cheapest rest of
// the way, and finish() ends the branch there. Every canonical path ends with such a line, from its
// last jump point.

#include <bit>

#include "search/canonical.hpp"
#include "search/nodes.hpp"
#include "search/sight.hpp"
#include "search/task.hpp"

namespace octile {

struct JumpHit {
  CellId id;
  Cost cost;  // from the node that was expanded
};

class JumpMoves {
 public:
  using Cost = octile::Cost;
  using Id = CellId;

  // Room for the hits of one expansion: two for each cell of four diagonals.
  static size_t most_hits(const TileGrid& grid) noexcept {
    const auto shorter = static_cast<size_t>(grid.width < grid.height ? grid.width : grid.height);
    return 8 * (shorter + 1);
  }

  // `hits` has room for most_hits().
  JumpMoves(const Task& task, const NodePages& nodes, const PocketFilter& pockets,
            JumpHit* hits) noexcept
      : layer_(task.world->layer),
        nodes_(nodes),
        pockets_(pockets),
        tiles_(layer_.tiles.flat()),
        straight_(task.world->costs.steps.straight),
        diagonal_(task.world->costs.steps.diagonal),
        goal_(task.goal()),
        goal_x_(static_cast<int32_t>(layer_.grid.px(goal_))),
        goal_y_(static_cast<int32_t>(layer_.grid.py(goal_))),
        hits_(hits) {
    for (uint32_t side = 0; side < 4; ++side)
      goal_run_[side] = free_run(layer_, goal_, static_cast<Direction>(2 * side));
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

  static constexpr bool admits(Cost) noexcept { return true; }
  bool dead(CellId id) const noexcept { return pockets_.active() && pockets_.dead(id); }

  template <class Relax>
  void expand(CellId id, Cost, Relax relax) noexcept {
    const JumpHit* end = scan(id);
    for (const JumpHit* hit = hits_; hit != end; ++hit) relax(hit->id, hit->cost);
  }

 private:
  bool goal_in_sight(CellId id) const noexcept {
    const int32_t dx = goal_x_ - static_cast<int32_t>(layer_.grid.px(id));
    const int32_t dy = goal_y_ - static_cast<int32_t>(layer_.grid.py(id));
    const auto ax = static_cast<uint32_t>(dx < 0 ? -dx : dx);
    const auto ay = static_cast<uint32_t>(dy < 0 ? -dy : dy);
    // The straight leg ends at the goal, whose free runs are known.
    const uint32_t side = ax > ay ? (dx > 0 ? 2 : 0) : (dy > 0 ? 3 : 1);
    const uint32_t low = ax < ay ? ax : ay;
    if ((ax < ay ? ay : ax) - low > goal_run_[side]) return false;
    const uint32_t d =
        dx > 0 ? (dy > 0 ? kSouthEast : kNorthEast) : (dy > 0 ? kSouthWest : kNorthWest);
    for (uint32_t i = 0; i < low; ++i) {
      if (!(tiles_[id >> 12]->moves[id & (kTileCells - 1)] >> d & 1)) return false;
      id += static_cast<uint32_t>(layer_.steps.of(id)[d]);
    }
    return true;
  }

  JumpHit* scan(CellId id) const noexcept;
  template <int kX, int kY>
  JumpHit* quadrant(CellId id, bool scan_x, bool scan_y, JumpHit* out) const noexcept;
  template <int kX>
  JumpHit* scan_row(uint32_t tile, uint32_t x, uint32_t y, Cost cost, JumpHit* out) const noexcept;
  template <int kY>
  JumpHit* scan_column(uint32_t tile, uint32_t x, uint32_t y, Cost cost,
                       JumpHit* out) const noexcept;

  const Layer& layer_;
  const NodePages& nodes_;
  const PocketFilter& pockets_;
  const LayerTile* const* tiles_;
  const Cost straight_;
  const Cost diagonal_;
  const CellId goal_;
  const int32_t goal_x_;
  const int32_t goal_y_;
  uint32_t goal_run_[4];  // free cells from the goal towards E, S, W, N
  JumpHit* const hits_;
};

}  // namespace octile
