// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "search/path.hpp"
#include "search/sight.hpp"

namespace octile {

// Greedy string pulling (Botea, Mueller and Schaeffer 2004): a waypoint goes when the one before it
// sees the one after it. One pass; every segment that is left is a line of sight or a part of the
// grid path.
void smooth_waypoints(const Task& task, Path* path) noexcept {
  const size_t n = path->size();
  if (n < 3 || !task.costs->uniform) return;
  Cell* cell = path->resize(n);
  const TileGrid& grid = task.layer->grid;
  size_t kept = 1;
  for (size_t i = 1; i + 1 < n; ++i) {
    if (line_of_sight(*task.layer, task.world->profile, grid.id(cell[kept - 1]),
                      grid.id(cell[i + 1])))
      continue;
    cell[kept++] = cell[i];
  }
  cell[kept++] = cell[n - 1];
  path->resize(kept);
}

}  // namespace octile
