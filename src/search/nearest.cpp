// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "search/nearest.hpp"

#include <algorithm>

namespace octile {

bool nearest_free(const WorldView& world, const Layer& layer, CellId from, uint32_t radius,
                  uint32_t component, Cost* distance, Buffer<CellId>* out) noexcept {
  const TileGrid& grid = world.map.grid;
  const StepCosts steps = world.costs.steps;
  // In map coordinates, from 0.
  const int64_t at_x = int64_t{grid.px(from)} - 64, at_y = int64_t{grid.py(from)} - 64;
  const int64_t farthest = std::max({at_x, grid.width - 1 - at_x, at_y, grid.height - 1 - at_y});
  const int64_t rings = std::min<int64_t>(radius, farthest);
  Cost best = *distance;
  out->clear();
  bool ok = true;
  const auto look = [&](int64_t x, int64_t y) {
    const auto dx = static_cast<Cost>(x < at_x ? at_x - x : x - at_x);
    const auto dy = static_cast<Cost>(y < at_y ? at_y - y : y - at_y);
    const Cost d = empty_grid_cost(dx, dy, steps);
    if (d > best) return;
    const CellId id = grid.id(static_cast<uint32_t>(x + 64), static_cast<uint32_t>(y + 64));
    if (!layer.passable(id)) return;
    if (component != kAnyComponent && world.components.of(id) != component) return;
    if (d < best) out->clear();
    best = d;
    ok = ok && out->push(id);
  };
  // No cell of ring r is nearer than r straight steps.
  for (int64_t r = 0; r <= rings && static_cast<Cost>(r) * steps.straight <= best; ++r) {
    const int64_t left = std::max<int64_t>(at_x - r, 0);
    const int64_t right = std::min<int64_t>(at_x + r, grid.width - 1);
    const int64_t top = std::max<int64_t>(at_y - r, 0);
    const int64_t bottom = std::min<int64_t>(at_y + r, grid.height - 1);
    for (int64_t y = top; y <= bottom; ++y) {
      if (y == at_y - r || y == at_y + r) {
        for (int64_t x = left; x <= right; ++x) look(x, y);
      } else {
        if (at_x - r >= 0) look(at_x - r, y);
        if (at_x + r < grid.width) look(at_x + r, y);
      }
    }
  }
  std::sort(out->begin(), out->end(), [&](CellId a, CellId b) {
    return grid.py(a) != grid.py(b) ? grid.py(a) < grid.py(b) : grid.px(a) < grid.px(b);
  });
  *distance = best;
  return ok;
}

}  // namespace octile
