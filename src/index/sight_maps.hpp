// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Flat bit maps that tell in a few words whether the octile line between two cells, diagonal first,
// is free. Coordinates count from the map's first cell.
//
//   rows        line y,           bit x     the cell is passable
//   columns     line x,           bit y     the same
//   south_east  line (x - y) mod W, bit y   the step from (x, y) to (x + 1, y + 1) is legal
//   north_east  line (x + y) mod W, bit y   the step from (x, y) to (x + 1, y - 1) is legal
//
// Two diagonals on one line never share a bit: cells of equal y and equal x modulo W are the same
// cell. 4 bits a cell.

#include <bit>
#include <cstdint>

#include "octile/detail/buffer.hpp"
#include "world/layer.hpp"

namespace octile {

// A cell in coordinates of an index.
struct Point {
  uint32_t x = 0;
  uint32_t y = 0;
};
constexpr bool operator==(Point a, Point b) noexcept {
  return a.x == b.x && a.y == b.y;
}

inline Point point_of(const TileGrid& grid, Cell c) noexcept {
  return {static_cast<uint32_t>(c.x - grid.first.x), static_cast<uint32_t>(c.y - grid.first.y)};
}

// Integer lengths of a step in the sums of an index.
struct IndexSteps {
  uint32_t straight = 1;
  uint32_t diagonal = 1;

  uint32_t line(Point a, Point b) const noexcept {
    const uint32_t dx = a.x < b.x ? b.x - a.x : a.x - b.x;
    const uint32_t dy = a.y < b.y ? b.y - a.y : a.y - b.y;
    return straight * (dx > dy ? dx : dy) + (diagonal - straight) * (dx > dy ? dy : dx);
  }
};

// True when `count` bits from bit `from` on are all set.
inline bool all_set(const uint64_t* line, uint32_t from, uint32_t count) noexcept {
  if (count == 0) return true;
  line += from >> 6;
  const uint32_t shift = from & 63;
  const uint64_t clear = ~*line >> shift;
  if (count <= 64 - shift) return clear << (64 - count) == 0;
  if (clear) return false;
  for (count -= 64 - shift; count >= 64; count -= 64)
    if (~*++line) return false;
  return count == 0 || ~line[1] << (64 - count) == 0;
}

// How many bits from bit `from` on are set, up to the end of the line.
inline uint32_t set_from(const uint64_t* line, uint32_t words, uint32_t from) noexcept {
  uint32_t word = from >> 6;
  if (word >= words) return 0;
  // Zeros come in from above, so that what is beyond the word counts as clear.
  const auto ones = static_cast<uint32_t>(std::countr_one(line[word] >> (from & 63)));
  if (ones < 64 - (from & 63)) return ones;
  uint32_t count = ones;
  while (++word < words) {
    const auto more = static_cast<uint32_t>(std::countr_one(line[word]));
    count += more;
    if (more < 64) break;
  }
  return count;
}
// How many bits before bit `end` are set, downwards.
inline uint32_t set_before(const uint64_t* line, uint32_t end) noexcept {
  uint32_t count = 0;
  for (uint32_t bit = end; bit > 0;) {
    const uint32_t word = (bit - 1) >> 6, here = bit - 64 * word;  // 1 to 64
    const auto ones = static_cast<uint32_t>(std::countl_one(line[word] << (64 - here)));
    if (ones < here) return count + ones;
    count += here;
    bit = 64 * word;
  }
  return count;
}

struct SightMaps {
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t row_words = 0;     // of a line of `rows`
  uint32_t column_words = 0;  // of a line of the other three
  const uint64_t* rows = nullptr;
  const uint64_t* columns = nullptr;
  const uint64_t* south_east = nullptr;
  const uint64_t* north_east = nullptr;

  static uint32_t words(uint32_t bits) noexcept { return (bits + 63) / 64; }

  bool passable(Point p) const noexcept {
    return rows[size_t{p.y} * row_words + (p.x >> 6)] >> (p.x & 63) & 1;
  }
  const uint64_t* falling(int64_t x_minus_y) const noexcept {
    const auto w = static_cast<int64_t>(width);
    if (x_minus_y < 0) x_minus_y = x_minus_y + w >= 0 ? x_minus_y + w : x_minus_y % w + w;
    if (x_minus_y >= w) x_minus_y -= w;  // the remainder was 0
    return south_east + static_cast<size_t>(x_minus_y) * column_words;
  }
  const uint64_t* rising(uint32_t x_plus_y) const noexcept {
    if (x_plus_y >= width)
      x_plus_y = x_plus_y - width < width ? x_plus_y - width : x_plus_y % width;
    return north_east + size_t{x_plus_y} * column_words;
  }

  // Legal steps from `p`, which is passable, in a direction.
  uint32_t free_steps(Point p, uint32_t direction) const noexcept {
    const uint64_t* row = rows + size_t{p.y} * row_words;
    const uint64_t* column = columns + size_t{p.x} * column_words;
    switch (direction) {
      case kNorth:
        return set_before(column, p.y);
      case kEast:
        return set_from(row, row_words, p.x + 1);
      case kSouth:
        return set_from(column, column_words, p.y + 1);
      case kWest:
        return set_before(row, p.x);
      case kNorthEast:
        return set_before(rising(p.x + p.y), p.y + 1);
      case kSouthWest:
        return set_from(rising(p.x + p.y), column_words, p.y + 1);
      case kSouthEast:
        return set_from(falling(int64_t{p.x} - p.y), column_words, p.y);
      default:
        return set_before(falling(int64_t{p.x} - p.y), p.y);
    }
  }

  // The way from `a` diagonally, then straight to `b`; both must be passable.
  bool line_free(Point a, Point b) const noexcept {
    const uint32_t ax = a.x < b.x ? b.x - a.x : a.x - b.x;
    const uint32_t ay = a.y < b.y ? b.y - a.y : a.y - b.y;
    const uint32_t low = ax < ay ? ax : ay;
    const bool east = b.x > a.x, south = b.y > a.y;
    Point turn = a;
    if (low != 0) {
      const uint32_t top = south ? a.y : a.y - low;
      const bool free = east == south ? all_set(falling(int64_t{a.x} - a.y), top, low)
                                      : all_set(rising(a.x + a.y), top + 1, low);
      if (!free) return false;
      turn.x = east ? a.x + low : a.x - low;
      turn.y = south ? a.y + low : a.y - low;
    }
    if (ax > ay)
      return all_set(rows + size_t{b.y} * row_words, turn.x < b.x ? turn.x : b.x, ax - low);
    return all_set(columns + size_t{b.x} * column_words, turn.y < b.y ? turn.y : b.y, ay - low);
  }
};

// Legal steps from a cell in each direction. Of many cells, those of two each tell whether the line
// between both is free.
struct FreeSteps {
  uint16_t of[8] = {};

  FreeSteps() noexcept = default;
  FreeSteps(const SightMaps& sight, Point p) noexcept {
    for (uint32_t d = 0; d < 8; ++d) of[d] = static_cast<uint16_t>(sight.free_steps(p, d));
  }
  // SightMaps::line_free.
  static bool line(Point a, const FreeSteps& from_a, Point b, const FreeSteps& from_b) noexcept {
    const uint32_t ax = a.x < b.x ? b.x - a.x : a.x - b.x;
    const uint32_t ay = a.y < b.y ? b.y - a.y : a.y - b.y;
    const bool east = b.x > a.x, south = b.y > a.y;
    const uint32_t low = ax < ay ? ax : ay, high = ax < ay ? ay : ax;
    const uint32_t diagonal =
        south ? (east ? kSouthEast : kSouthWest) : (east ? kNorthEast : kNorthWest);
    const uint32_t back = ax < ay ? (south ? kNorth : kSouth) : (east ? kWest : kEast);
    return (low <= from_a.of[diagonal]) & (high - low <= from_b.of[back]);
  }
};

// Sight maps with memory of their own.
struct SightBits : SightMaps {
  octile::Buffer<uint64_t> bits;
  // False: memory is short.
  bool build(const Layer& layer) noexcept;
};

}  // namespace octile
