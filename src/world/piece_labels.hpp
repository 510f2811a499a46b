// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The connected pieces of one tile, and union-find.

#include <bit>
#include <cstring>

#include "world/components.hpp"

namespace octile {

// Union-find by smaller index, with path halving.
inline uint32_t root(uint32_t* parent, uint32_t i) noexcept {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}
inline void unite(uint32_t* parent, uint32_t a, uint32_t b) noexcept {
  a = root(parent, a);
  b = root(parent, b);
  if (a < b) parent[b] = a;
  if (b < a) parent[a] = b;
}

// Labels a tile by its runs of passable cells: a run joins the runs it touches in the row above.
class Labeller {
 public:
  // False: memory is short.
  bool label(const uint64_t* row, bool eight, LabelTile* out) noexcept {
    count(row, eight);
    return write(out);
  }
  // The same in two steps: how many pieces there are, then the labels.
  uint32_t count(const uint64_t* row, bool eight) noexcept {
    uint32_t runs = 0, above_begin = 0, above_end = 0;
    for (uint32_t y = 0; y < 64; ++y) {
      const uint32_t begin = runs;
      uint32_t above = above_begin;
      for (uint64_t rest = row[y]; rest;) {
        const auto first = static_cast<uint32_t>(std::countr_zero(rest));
        const auto length = static_cast<uint32_t>(std::countr_one(rest >> first));
        const uint32_t last = first + length - 1;
        rest = last == 63 ? 0 : rest & (~uint64_t{0} << (last + 1));
        run_[runs] = {static_cast<uint8_t>(y), static_cast<uint8_t>(first),
                      static_cast<uint8_t>(last)};
        parent_[runs] = runs;
        // Diagonal touching counts under the eight-connected rule: widen the run by one.
        const uint32_t left = first - (eight && first > 0), right = last + (eight ? 1 : 0);
        while (above < above_end && run_[above].last < left) ++above;
        for (uint32_t a = above; a < above_end && run_[a].first <= right; ++a)
          unite(parent_, a, runs);
        ++runs;
      }
      above_begin = begin;
      above_end = runs;
    }
    // Number the pieces in the order of their first cells; roots have the smallest run index.
    uint32_t pieces = 0;
    for (uint32_t r = 0; r < runs; ++r) {
      const uint32_t top = root(parent_, r);
      number_[r] = top == r ? pieces++ : number_[top];
    }
    runs_ = runs;
    return pieces_ = pieces;
  }
  bool write(LabelTile* out) noexcept {
    if (pieces_ > 256 && !out->high) {
      out->high = static_cast<uint8_t*>(::operator new(kTileCells, std::nothrow));
      if (!out->high) return false;
      std::memset(out->high, 0, kTileCells);
    }
    std::memset(out->low, 0, sizeof out->low);
    out->pieces = out->used = pieces_;
    for (uint32_t r = 0; r < runs_; ++r) {
      const uint32_t at = run_[r].y * 64u + run_[r].first;
      const uint32_t length = run_[r].last - run_[r].first + 1u;
      std::memset(out->low + at, static_cast<uint8_t>(number_[r]), length);
      if (out->high) std::memset(out->high + at, static_cast<uint8_t>(number_[r] >> 8), length);
    }
    return true;
  }

 private:
  struct Run {
    uint8_t y, first, last;
  };
  static constexpr uint32_t kMostRuns = 64 * 32;
  Run run_[kMostRuns];
  uint32_t parent_[kMostRuns];
  uint32_t number_[kMostRuns];
  uint32_t runs_ = 0, pieces_ = 0;
};

}  // namespace octile
