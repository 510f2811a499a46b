// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "search/sight.hpp"

#include <bit>

namespace octile {

uint32_t free_run(const Layer& layer, CellId id, Direction direction) noexcept {
  const bool horizontal = direction == kEast || direction == kWest;
  const bool up = direction == kEast || direction == kSouth;  // towards higher bits
  const uint32_t line = horizontal ? (id >> 6) & 63 : id & 63;
  uint32_t bit = horizontal ? id & 63 : (id >> 6) & 63;
  const uint32_t step = horizontal ? 1 : 1u << layer.grid.row_shift;
  uint32_t run = 0;
  for (uint32_t tile = id >> 12;; tile = up ? tile + step : tile - step) {
    const LayerTile& t = *layer.flat[tile];
    const uint64_t blocked = ~(horizontal ? t.row[line] : t.col[line]);
    // Blocked cells beyond `bit`, moved to the low (or high) end; the ring ends the loop.
    if (up) {
      const uint64_t ahead = bit == 63 ? 0 : blocked >> (bit + 1);
      if (ahead) return run + static_cast<uint32_t>(std::countr_zero(ahead));
      run += 63 - bit;
      bit = 0;
      const LayerTile& next = *layer.flat[tile + step];
      if (!((horizontal ? next.row[line] : next.col[line]) & 1)) return run;
      ++run;
    } else {
      const uint64_t ahead = bit == 0 ? 0 : blocked << (64 - bit);
      if (ahead) return run + static_cast<uint32_t>(std::countl_zero(ahead));
      run += bit;
      bit = 63;
      const LayerTile& next = *layer.flat[tile - step];
      if (!((horizontal ? next.row[line] : next.col[line]) >> 63)) return run;
      ++run;
    }
  }
}

bool run_is_free(const Layer& layer, CellId id, Direction direction, uint32_t count) noexcept {
  return count == 0 || free_run(layer, id, direction) >= count;
}

bool octile_line_free(const Layer& layer, CellId a, CellId b) noexcept {
  const TileGrid& grid = layer.grid;
  const int32_t dx = static_cast<int32_t>(grid.px(b)) - static_cast<int32_t>(grid.px(a));
  const int32_t dy = static_cast<int32_t>(grid.py(b)) - static_cast<int32_t>(grid.py(a));
  const uint32_t ax = static_cast<uint32_t>(dx < 0 ? -dx : dx);
  const uint32_t ay = static_cast<uint32_t>(dy < 0 ? -dy : dy);
  const uint32_t diagonal = ax < ay ? ax : ay;
  // The straight leg first: it is the cheap test.
  const uint32_t straight = (ax < ay ? ay : ax) - diagonal;
  if (straight != 0) {
    const Direction back = ax > ay ? (dx > 0 ? kWest : kEast) : (dy > 0 ? kNorth : kSouth);
    if (!run_is_free(layer, b, back, straight)) return false;
  }
  const uint32_t d =
      dx > 0 ? (dy > 0 ? kSouthEast : kNorthEast) : (dy > 0 ? kSouthWest : kNorthWest);
  CellId at = a;
  for (uint32_t i = 0; i < diagonal; ++i) {
    if (!(layer.moves(at) >> d & 1)) return false;
    at += static_cast<uint32_t>(layer.steps.of(at)[d]);
  }
  return true;
}

bool line_of_sight(const Layer& layer, const Profile& profile, CellId a, CellId b) noexcept {
  const Diagonal diagonal =
      four_way(profile.moves, profile.diagonal) ? Diagonal::never : profile.diagonal;
  const TileGrid& grid = layer.grid;
  // Always walked from the smaller id, so that the answer is the same both ways.
  if (b < a) {
    const CellId swap = a;
    a = b;
    b = swap;
  }
  int64_t x = grid.px(a), y = grid.py(a);
  const int64_t to_x = grid.px(b), to_y = grid.py(b);
  const int64_t sx = to_x > x ? 1 : -1, sy = to_y > y ? 1 : -1;
  const int64_t dx = (to_x - x) * sx, dy = (to_y - y) * sy;
  const auto free = [&](int64_t at_x, int64_t at_y) {
    return layer.passable(grid.id(static_cast<uint32_t>(at_x), static_cast<uint32_t>(at_y)));
  };
  if (!free(x, y)) return false;
  // In units where a cell is 2 dx by 2 dy wide, `error` tells which edge of the cell the line
  // leaves through: positive the vertical one, negative the horizontal one, 0 the corner.
  int64_t error = dx - dy;
  while (x != to_x || y != to_y) {
    if (error > 0) {
      x += sx;
      error -= 2 * dy;
    } else if (error < 0) {
      y += sy;
      error += 2 * dx;
    } else {
      const int sides = free(x + sx, y) + free(x, y + sy);
      if (diagonal == Diagonal::no_obstacles && sides < 2) return false;
      if (diagonal == Diagonal::at_most_one_obstacle && sides < 1) return false;
      if (diagonal == Diagonal::never && sides < 1) return false;
      x += sx;
      y += sy;
      error += 2 * (dx - dy);
    }
    if (!free(x, y)) return false;
  }
  return true;
}

}  // namespace octile
