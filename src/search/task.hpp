// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// A query after find() has checked it: cells are ids, the limit is in cost units, the start and at
// least one goal are passable and, where components can tell, connected.

#include <atomic>

#include "octile/detail/best_first.hpp"
#include "world/world_view.hpp"

namespace octile {

using State = detail::SearchState<Cost, CellId>;
using detail::Progress;
struct StaleIndex;

struct Task {
  const WorldView* world = nullptr;
  CellId start = kNoCell;
  const CellId* aims = nullptr;  // the goals asked for, passable or not
  uint32_t aim_count = 0;
  // Where to go: the same, but kNoCell where no path can lead; or, when none can be reached, the
  // reachable cells nearest to them.
  const CellId* goals = nullptr;
  uint32_t goal_count = 0;
  Cost limit = 0;        // nothing that costs this or more
  bool capped = false;   // ends after so many expansions
  bool nearest = false;  // remember the reached cell nearest to the goal, for a partial answer
  Trace* trace = nullptr;
  const Index::Impl* index = nullptr;  // of the View; null when it has none
  const StaleIndex* stale = nullptr;   // of the View: an index of an earlier map
  Path* cells = nullptr;  // not null: all cells of the path are wanted, and nothing else

  CellId goal() const noexcept { return goals[0]; }
  // The start is looked at whatever the limit, so its place in the open list lies below it.
  Cost first_f(Cost estimate) const noexcept { return estimate < limit ? estimate : limit - 1; }
};

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
        empty_grid_cost(Cost(dx < 0 ? -dx : dx), Cost(dy < 0 ? -dy : dy), task.world->costs.steps);
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
