// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Distances of all cells to the goals of a Field, as they are kept: row by row with a ring of one
// cell, so that every neighbour of a cell has a place.
//
//   place of (x, y) = (y + 1) * stride + x + 1        stride = width + 2
//
// 2 bytes a cell where the farthest distance fits, which is known when the search has ended; else 4
// or 8. All ones: not reached. On uniform maps under the octile metric distances are kept in the
// smaller pair of step lengths while that orders them as the exact one does (see base/cost.hpp);
// real() and units() give them back in the View's.

#include "world/world_view.hpp"

namespace octile {

constexpr uint64_t kFarAway = UINT64_MAX;

struct FieldSeed {
  uint32_t place;
  Cost offset;
};

// Of the diagonal modulo the straight length of the smaller pair.
constexpr uint64_t diagonal_inverse() noexcept {
  uint64_t i = 1;
  while (i * kWeightedOctile.diagonal % kWeightedOctile.straight != 1) ++i;
  return i;
}
constexpr uint64_t kDiagonalInverse = diagonal_inverse();

class FieldTable {
 public:
  // The shape of a map; false: it has too many cells for 32-bit places.
  bool shape(const TileGrid& grid) noexcept {
    const uint64_t places = (uint64_t(grid.width) + 2) * (uint64_t(grid.height) + 2);
    if (places >= UINT32_MAX) return false;
    stride_ = static_cast<uint32_t>(grid.width) + 2;
    places_ = static_cast<uint32_t>(places);
    return true;
  }
  uint32_t stride() const noexcept { return stride_; }
  uint32_t places() const noexcept { return places_; }
  // From padded coordinates, as TileGrid has them.
  uint32_t place(const TileGrid& grid, CellId id) const noexcept {
    return (grid.py(id) - 63) * stride_ + grid.px(id) - 63;
  }
  CellId id(const TileGrid& grid, uint32_t place) const noexcept {
    return grid.id(place % stride_ + 63, place / stride_ + 63);
  }
  int32_t step(uint32_t direction) const noexcept {
    return kDy[direction] * static_cast<int32_t>(stride_) + kDx[direction];
  }

  // The distance in `steps`; kFarAway.
  uint64_t at(uint32_t place) const noexcept {
    switch (bytes_each_) {
      case 2:
        return narrow_[place] == 0xffff ? kFarAway : narrow_[place];
      case 4:
        return middle_[place] == 0xffffffff ? kFarAway : middle_[place];
      default:
        return wide_[place];
    }
  }
  // The moves of a place that lead a step nearer, where all steps of a length cost the same.
  uint32_t nearer(uint32_t place, uint32_t moves) const noexcept {
    switch (bytes_each_) {
      case 2:
        return moves & steps_down(narrow_.data() + place);
      case 4:
        return moves & steps_down(middle_.data() + place);
      default:
        return moves & steps_down(wide_.data() + place);
    }
  }
  // At most most(), or kFarAway.
  void set(uint32_t place, uint64_t distance) noexcept {
    if (bytes_each_ == 2) {
      narrow_[place] = static_cast<uint16_t>(distance);
    } else if (bytes_each_ == 4) {
      middle_[place] = static_cast<uint32_t>(distance);
    } else {
      wide_[place] = distance;
    }
  }
  uint64_t most() const noexcept {
    return bytes_each_ == 2 ? 0xfffe : bytes_each_ == 4 ? 0xfffffffe : kMaxCost;
  }
  // Sums of the smaller pair below this order ways on uniform maps as the exact one does.
  static constexpr uint64_t kMostNarrow = (uint64_t{1} << 24) - 1;
  // Steps to the goal, where free steps make them count; else 0.
  uint32_t hops(uint32_t place) const noexcept { return hops_.empty() ? 0 : hops_[place]; }
  bool has_hops() const noexcept { return !hops_.empty(); }

  // False: memory is short. `farthest`: no distance is larger.
  template <class Read>
  bool fill(Cost farthest, Read read) noexcept {
    bytes_each_ = farthest < 0xffff ? 2 : farthest < 0xffffffff ? 4 : 8;
    if (bytes_each_ != 2) narrow_.release();
    if (bytes_each_ != 4) middle_.release();
    if (bytes_each_ != 8) wide_.release();
    if (bytes_each_ == 2) return fill(&narrow_, read);
    if (bytes_each_ == 4) return fill(&middle_, read);
    return fill(&wide_, read);
  }
  Buffer<uint32_t>& hops_buffer() noexcept { return hops_; }
  uint32_t bytes_each() const noexcept { return bytes_each_; }
  size_t bytes() const noexcept {
    return narrow_.bytes() + middle_.bytes() + wide_.bytes() + hops_.bytes();
  }

  // What an exact sum in the View's lengths is: sums are c * straight + d * diagonal with d below
  // `straight` while the smaller pair orders ways as the exact one does, so d can be told.
  uint64_t units(uint64_t sum, StepCosts exact) const noexcept {
    if (sum == kFarAway || exact.straight == steps.straight) return sum;
    const uint64_t d = sum % steps.straight * kDiagonalInverse % steps.straight;
    return (sum - d * steps.diagonal) / steps.straight * exact.straight + d * exact.diagonal;
  }
  double real(uint64_t sum, const CellCosts& costs) const noexcept {
    if (sum == kFarAway) return kWall;
    if (costs.uniform && steps.straight == kWeightedOctile.straight) {
      const uint64_t d = sum % steps.straight * kDiagonalInverse % steps.straight;
      return (static_cast<double>((sum - d * steps.diagonal) / steps.straight) +
              static_cast<double>(d) * costs.real.diagonal) *
             costs.unit;
    }
    return static_cast<double>(sum) / static_cast<double>(steps.straight) * costs.real.straight *
           costs.unit;
  }

  StepCosts steps;        // the lengths in which distances are kept
  Cost limit = kMaxCost;  // no distance is larger

 private:
  // From a place that is reached. All eight are compared, so that there is nothing to guess.
  template <class Word>
  uint32_t steps_down(const Word* here) const noexcept {
    const ptrdiff_t row = stride_;
    const uint64_t straight = *here - steps.straight, diagonal = *here - steps.diagonal;
    const auto is = [here](ptrdiff_t to, uint64_t wanted) { return uint32_t{here[to] == wanted}; };
    return is(1, straight) | is(row + 1, diagonal) << 1 | is(row, straight) << 2 |
           is(row - 1, diagonal) << 3 | is(-1, straight) << 4 | is(-row - 1, diagonal) << 5 |
           is(-row, straight) << 6 | is(1 - row, diagonal) << 7;
  }
  template <class Word, class Read>
  bool fill(Buffer<Word>* table, Read read) noexcept {
    if (!table->resize(places_)) return false;
    Word* out = table->data();
    for (uint32_t i = 0, count = places_; i < count; ++i) out[i] = static_cast<Word>(read(i));
    return true;
  }

  uint32_t stride_ = 0;
  uint32_t places_ = 0;
  uint32_t bytes_each_ = 0;
  Buffer<uint16_t> narrow_;
  Buffer<uint32_t> middle_;
  Buffer<uint64_t> wide_;
  Buffer<uint32_t> hops_;
};

}  // namespace octile
