// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// A cheapest way by tile labels: along the line where that is free, else over the best hub. First
// its length, then its cells.

#include "index/label_tables.hpp"

namespace octile {

class LabelWay {
 public:
  uint32_t steps = 0;     // of the way
  uint32_t diagonal = 0;  // of them

  explicit LabelWay(const LabelTables& tables) noexcept : tables_(tables) {}

  // From `s` to `t`, both passable. found, no_path or out_of_memory; `reach` is the kernel's room.
  OCTILE_INLINE Status find(Point s, Point t, Buffer<uint32_t>* reach) noexcept {
    s_ = s;
    t_ = t;
    line_ = tables_.sight.line_free(s, t);
    if (line_) {
      const uint32_t dx = s.x < t.x ? t.x - s.x : s.x - t.x;
      const uint32_t dy = s.y < t.y ? t.y - s.y : s.y - t.y;
      diagonal = dx < dy ? dx : dy;
      steps = dx < dy ? dy : dx;
      return Status::found;
    }
    if (!reach->reserve(2 * size_t{tables_.room()})) return Status::out_of_memory;
    kernel_.meet(tables_, s, t, reach->data(), &meeting_);
    if (meeting_.length == kFar) return Status::no_path;
    tables_.steps_of(meeting_.length, &steps, &diagonal);
    return Status::found;
  }
  bool line() const noexcept { return line_; }
  // In the sums of the index.
  uint32_t length() const noexcept {
    return tables_.steps.straight * (steps - diagonal) + tables_.steps.diagonal * diagonal;
  }

  // The cells, to out[0 .. steps]; kSpareCells on both sides may be written as well.
  OCTILE_INLINE void write(Cell offset, Cell* out) const noexcept {
    if (line_)
      kernel_.line(s_, t_, offset, out);
    else
      kernel_.way(meeting_, s_, t_, offset, out, steps);
  }

 private:
  const LabelTables& tables_;
  const LabelKernel& kernel_ = label_kernel();
  Point s_, t_;
  Meeting meeting_;
  bool line_ = false;
};

}  // namespace octile
