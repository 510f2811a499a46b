// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Cells of one tile that are connected inside it: a flood, a row of 64 cells at a time.

#include <bit>
#include <cstdint>
#include <cstring>

#include "world/bits.hpp"

namespace octile {

// Cells round one of a tile, by row from the one above it on.
struct NearCells {
  uint64_t row[3] = {};
};

class TileRegion {
 public:
  enum class End : uint8_t { met, whole, given_up };

  // From a free cell on, over the free cells of a tile, until all of `wanted`, which lie round a
  // cell of row y, are met, or there are no more. Null: all there are. A flood that takes many
  // turns is given up.
  End flood(const uint64_t* free, bool eight, uint32_t from_x, uint32_t from_y, uint32_t y,
            const NearCells* wanted) noexcept {
    constexpr uint32_t kMostRows = 512;
    std::memset(row_, 0, sizeof row_);
    const uint64_t seed = uint64_t{1} << from_x;
    uint64_t pending = uint64_t{1} << from_y;
    uint32_t at = from_y, rows = 0;
    bool down = true;
    first_ = last_ = from_y;
    while (pending) {
      const uint64_t ahead = pending & (down ? ~uint64_t{0} << at : ~uint64_t{0} >> (63 - at));
      if (!ahead) {
        down = !down;
        continue;
      }
      at = static_cast<uint32_t>(down ? std::countr_zero(ahead) : 63 - std::countl_zero(ahead));
      pending &= ~(uint64_t{1} << at);
      uint64_t cells = row_[at] | (at == from_y ? seed : 0);
      if (at > 0) cells |= beside(row_[at - 1], eight) & free[at];
      if (at < 63) cells |= beside(row_[at + 1], eight) & free[at];
      row_[at] = cells = whole_runs(cells, free[at]);
      first_ = at < first_ ? at : first_;
      last_ = at > last_ ? at : last_;
      const uint64_t reached = beside(cells, eight);
      if (at > 0 && (reached & free[at - 1] & ~row_[at - 1])) pending |= uint64_t{1} << (at - 1);
      if (at < 63 && (reached & free[at + 1] & ~row_[at + 1])) pending |= uint64_t{1} << (at + 1);
      if (wanted && holds(*wanted, y)) return End::met;
      if (++rows > kMostRows) return End::given_up;
    }
    return End::whole;
  }
  bool has(uint32_t x, uint32_t y) const noexcept { return row_[y] >> x & 1; }
  uint64_t row(uint32_t y) const noexcept { return row_[y]; }
  // The rows that have some.
  uint32_t first() const noexcept { return first_; }
  uint32_t last() const noexcept { return last_; }
  uint32_t size() const noexcept {
    uint32_t cells = 0;
    for (uint32_t y = first_; y <= last_; ++y) cells += count_bits(row_[y]);
    return cells;
  }

 private:
  static uint64_t beside(uint64_t cells, bool eight) noexcept {
    return eight ? cells | cells << 1 | cells >> 1 : cells;
  }
  // The runs of free cells that have one of some cells, which are free.
  static uint64_t whole_runs(uint64_t cells, uint64_t free) noexcept {
    // Upwards a sum does it: each run is carried over from its lowest cell of those on.
    uint64_t runs = cells | (free & ~(free + cells));
    for (uint32_t step = 1; step < 64; step *= 2) {
      runs |= free & runs >> step;
      free &= free >> step;
    }
    return runs;
  }
  bool holds(const NearCells& wanted, uint32_t y) const noexcept {
    uint64_t missing = wanted.row[1] & ~row_[y];
    if (y > 0) missing |= wanted.row[0] & ~row_[y - 1];
    if (y < 63) missing |= wanted.row[2] & ~row_[y + 1];
    return missing == 0;
  }

  uint64_t row_[64];
  uint32_t first_ = 0, last_ = 0;
};

}  // namespace octile
