// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The graph of single steps, for best_first: any move rule and any weights, since the legal moves
// of a cell are a byte of the Layer. Costs are lengths times the weight of the cell entered.
//
// On uniform maps without corner cutting a cell passes on only the moves of the canonical order: of
// all cheapest ways to a cell the ones that go diagonal first (Harabor and Grastien 2011;
// Sturtevant and Rabin 2016). From a cell entered straight that is the straight move on, and what a
// wall behind and beside it forces; from one entered diagonally the same diagonal and its two
// straight parts. That asks for three moves where there were eight and changes neither costs nor
// what is expanded.

#include <bit>

#include "search/canonical.hpp"
#include "search/nodes.hpp"
#include "search/task.hpp"

namespace octile {

template <bool kUniform, bool kOneGoal>
class GridMoves {
 public:
  using Cost = octile::Cost;
  using Id = CellId;

  GridMoves(const Task& task, const NodePages& nodes) noexcept
      : task_(task),
        nodes_(nodes),
        canonical_(kUniform && !task.stepwise && canonical_order(task.world->profile)),
        world_(*task.world),
        tiles_(task.layer->flat),
        length_(task.costs->steps),
        straight_(length_.straight * task.costs->least_weight),
        low_(length_.diagonal * task.costs->least_weight - straight_),
        goal_(task.goal()),
        goal_x_(world_.map.grid.px(goal_)),
        goal_y_(world_.map.grid.py(goal_)) {}

  Cost estimate(CellId id) const noexcept {
    const auto x = static_cast<int32_t>(world_.map.grid.px(id));
    const auto y = static_cast<int32_t>(world_.map.grid.py(id));
    if constexpr (kOneGoal) return distance(x, y, goal_x_, goal_y_);
    Cost least = UINT64_MAX;
    for (uint32_t i = 0; i < task_.goal_count; ++i) {
      const CellId goal = task_.goals[i];
      if (goal == kNoCell) continue;
      const Cost d = distance(x, y, static_cast<int32_t>(world_.map.grid.px(goal)),
                              static_cast<int32_t>(world_.map.grid.py(goal)));
      least = d < least ? d : least;
    }
    return least == UINT64_MAX ? 0 : least;  // no goal at all
  }

  bool finish(CellId id, Cost g, State& state) const noexcept {
    if constexpr (kOneGoal) {
      if (id != goal_) return false;
      state.reach(id, g, 0, false);
      return true;
    }
    for (uint32_t i = 0; i < task_.goal_count; ++i) {
      if (task_.goals[i] != id) continue;
      // Among goals of equal cost the first of the list wins.
      if (!state.found || g < state.cost || (g == state.cost && i < state.goal))
        state.reach(id, g, i, true);
      // The way to another goal may still lead through this one, at no cost.
      return false;
    }
    return false;
  }

  static constexpr bool admits(Cost) noexcept { return true; }

  template <class Relax>
  void expand(CellId id, Cost, Relax relax) const noexcept {
    const int32_t* step = world_.layer.steps.of(id);
    uint32_t moves = tiles_[id >> 12]->moves[id & (kTileCells - 1)];
    if (kUniform && canonical_) {
      const CellId parent = nodes_.known(id).parent;
      if (parent != kNoCell) moves = kCanonical.of[arrival(parent, id)][moves];
    }
    for (; moves; moves &= moves - 1) {
      const auto d = static_cast<uint32_t>(std::countr_zero(moves));
      const CellId to = id + static_cast<uint32_t>(step[d]);
      Cost cost = d & 1 ? length_.diagonal : length_.straight;
      if constexpr (!kUniform) cost *= task_.weight(to);
      relax(to, cost);
    }
  }

 private:
  // The direction of a single step.
  uint32_t arrival(CellId from, CellId to) const noexcept {
    const TileGrid& grid = world_.map.grid;
    const uint32_t dx = grid.px(to) - grid.px(from) + 1, dy = grid.py(to) - grid.py(from) + 1;
    return kStepDirection[dy * 3 + dx];
  }
  Cost distance(int32_t x, int32_t y, int32_t to_x, int32_t to_y) const noexcept {
    const auto dx = static_cast<uint32_t>(x < to_x ? to_x - x : x - to_x);
    const auto dy = static_cast<uint32_t>(y < to_y ? to_y - y : y - to_y);
    return straight_ * (dx > dy ? dx : dy) + low_ * (dx > dy ? dy : dx);
  }

  const Task& task_;
  const NodePages& nodes_;
  const bool canonical_;
  const WorldView& world_;
  const LayerTile* const* tiles_;
  const StepCosts length_;
  const Cost straight_;  // estimate = straight_ * high + low_ * low
  const Cost low_;
  const CellId goal_;
  const int32_t goal_x_;
  const int32_t goal_y_;
};

}  // namespace octile
