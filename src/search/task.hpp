// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// A query after find() has checked it: cells are ids, the limit is in cost units, the start and at
// least one goal are passable and, where components can tell, connected.

#include <atomic>

#include "octile/detail/best_first.hpp"
#include "search/overlay.hpp"
#include "world/world_view.hpp"

namespace octile {

using State = detail::SearchState<Cost, CellId>;
using detail::Progress;
struct StaleIndex;

struct Task {
  const WorldView* world = nullptr;
  // Those of the world, or with an overlay the query's own.
  const Layer* layer = nullptr;
  const CellCosts* costs = nullptr;
  const Overlay* overlay = nullptr;  // null when there is none
  CellId start = kNoCell;
  const CellId* aims = nullptr;  // the goals asked for, passable or not
  uint32_t aim_count = 0;
  // Where to go: the same, but kNoCell where no path can lead (all of them, when a stepwise search
  // is to see what it can reach); or, when none can be reached, the reachable cells nearest to
  // them.
  const CellId* goals = nullptr;
  uint32_t goal_count = 0;
  // The lists that the overlay was made from, for the judge, who has no part in it.
  const Cell* extra_blocked = nullptr;
  size_t extra_blocked_count = 0;
  const ExtraCost* extra_costs = nullptr;
  size_t extra_cost_count = 0;
  Cost limit = 0;        // nothing that costs this or more
  bool capped = false;   // ends after so many expansions
  bool nearest = false;  // remember the reached cell nearest to the goal, for a partial answer
  // To be searched cell by cell, in any order of moves: what is nearest among all that is reached
  // is wanted although components do not tell, or the start lies where no unit can stand.
  bool stepwise = false;
  Trace* trace = nullptr;
  const Index::Impl* index = nullptr;  // of the View; null when it has none
  const StaleIndex* stale = nullptr;   // of the View: an index of an earlier map
  Path* cells = nullptr;  // not null: all cells of the path are wanted, and nothing else

  CellId goal() const noexcept { return goals[0]; }
  bool one_goal() const noexcept { return goal_count == 1 && goals[0] != kNoCell; }
  // Weight of entering a place, in the units of `costs`; which must not be uniform.
  inline Cost weight(CellId id) const noexcept;
  // The start is looked at whatever the limit, so its place in the open list lies below it.
  Cost first_f(Cost estimate) const noexcept { return estimate < limit ? estimate : limit - 1; }
};

inline Cost Task::weight(CellId id) const noexcept {
  return __builtin_expect(overlay != nullptr, 0) ? overlay->weight(*world, id) : world->weight(id);
}

// The reached cell that is nearest to a goal by the empty-grid distance, weights ignored; then the
// cheapest; then by y, x.
struct Nearest {
  CellId id = kNoCell;
  Cost distance = 0;
  Cost g = 0;

  void offer(const WorldView& world, CellId at, Cost at_distance, Cost at_g) noexcept {
    if (id != kNoCell) {
      if (at_distance != distance ? at_distance > distance
          : at_g != g             ? at_g > g
                                  : !before(world, at, id))
        return;
    }
    id = at;
    distance = at_distance;
    g = at_g;
  }
  static bool before(const WorldView& world, CellId a, CellId b) noexcept {
    const TileGrid& grid = world.map.grid;
    return grid.py(a) != grid.py(b) ? grid.py(a) < grid.py(b) : grid.px(a) < grid.px(b);
  }
};

// Empty-grid distance to the nearest aim, for Nearest.
inline Cost distance_to_aims(const Task& task, CellId id) noexcept {
  const TileGrid& grid = task.world->map.grid;
  const int64_t x = grid.px(id), y = grid.py(id);
  Cost least = UINT64_MAX;
  for (uint32_t i = 0; i < task.aim_count; ++i) {
    const int64_t dx = x - grid.px(task.aims[i]), dy = y - grid.py(task.aims[i]);
    const Cost distance =
        empty_grid_cost(Cost(dx < 0 ? -dx : dx), Cost(dy < 0 ? -dy : dy), task.costs->steps);
    least = distance < least ? distance : least;
  }
  return least;
}

// Looks on while a search runs: records the trace and the nearest cell, where they are wanted.
class Watch {
 public:
  void begin(const Task& task) noexcept {
    task_ = &task;
    nearest = Nearest();
  }
  void on_open(CellId id, Cost g) noexcept {
    if (__builtin_expect(task_->trace != nullptr, 0)) record(id, g, Trace::Kind::opened);
  }
  void on_close(CellId id, Cost g) noexcept {
    if (__builtin_expect(task_->trace != nullptr, 0)) record(id, g, Trace::Kind::closed);
    if (__builtin_expect(task_->nearest, 0))
      nearest.offer(*task_->world, id, distance_to_aims(*task_, id), g);
  }
  Nearest nearest;

 private:
  void record(CellId id, Cost g, Trace::Kind kind) noexcept;
  const Task* task_ = nullptr;
};

}  // namespace octile
