// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Walks by every label kernel into memory that is watched on both sides. Without GoogleTest, so
// that programs for machines that have none use it too.

#include <cstdlib>
#include <string>
#include <vector>

#include "index/label_common.hpp"

namespace octile::test {

constexpr Cell kUntouched{INT32_MIN, INT32_MAX};
constexpr size_t kGuard = kSpareCells + 8;  // cells on both sides: more than may be written

// True when the cells so far outside that no kernel may touch them are what they were.
inline bool guards_untouched(const std::vector<Cell>& guarded) {
  for (size_t i = 0; i < kGuard - kSpareCells; ++i)
    if (guarded[i] != kUntouched || guarded[guarded.size() - 1 - i] != kUntouched) return false;
  return true;
}

// The cells of a way over a hub, or of a line, by one kernel; a complaint when more or fewer cells
// are written than the way is long and both sides have to spare.
inline std::string walk_by(const LabelKernel& kernel, const LabelTables& tables, Point s, Point t,
                           Cell offset, Meeting* meeting, std::vector<Cell>* cells) {
  const bool line = tables.sight.line_free(s, t);
  *meeting = Meeting();
  uint32_t steps, diagonal;
  if (line) {
    tables.steps_of(tables.steps.line(s, t), &steps, &diagonal);
  } else {
    std::vector<uint32_t> room(2 * size_t{tables.room()});
    kernel.meet(tables, s, t, room.data(), meeting);
    cells->clear();
    if (meeting->length == kFar) return "";
    tables.steps_of(meeting->length, &steps, &diagonal);
  }
  std::vector<Cell> guarded(steps + 1 + 2 * kGuard, kUntouched);
  Cell* out = guarded.data() + kGuard;
  std::string wrong;
  if (line) {
    kernel.line(s, t, offset, out);
  } else {
    kernel.way(*meeting, s, t, offset, out, steps);
  }
  if (!guards_untouched(guarded)) wrong = "written outside";
  cells->assign(out, out + steps + 1);
  for (const Cell c : *cells)
    if (c == kUntouched) wrong = "a cell is left out";
  for (size_t i = 1; i < cells->size() && wrong.empty(); ++i) {
    const Cell a = (*cells)[i - 1], b = (*cells)[i];
    if (std::abs(a.x - b.x) > 1 || std::abs(a.y - b.y) > 1 || a == b)
      wrong = "the two sides do not meet";
  }
  if (cells->front() != Cell{int32_t(s.x) + offset.x, int32_t(s.y) + offset.y} ||
      cells->back() != Cell{int32_t(t.x) + offset.x, int32_t(t.y) + offset.y})
    wrong = "the ends are wrong";
  return wrong;
}

// Every kernel on one pair; they must agree with the plain one.
inline std::string kernels_agree(const LabelTables& tables, Point s, Point t, Cell offset) {
  uint32_t count;
  const LabelKernel* const* kernels = label_kernels(&count);
  Meeting right;
  std::vector<Cell> right_cells, cells;
  std::string wrong = walk_by(kScalarLabels, tables, s, t, offset, &right, &right_cells);
  for (uint32_t k = 0; k < count && wrong.empty(); ++k) {
    Meeting m;
    wrong = walk_by(*kernels[k], tables, s, t, offset, &m, &cells);
    if (wrong.empty() && m.length != right.length) wrong = "another length";
    if (wrong.empty() && m.length != kFar &&
        (m.tree != right.tree || !(m.via[0] == right.via[0]) || !(m.via[1] == right.via[1]) ||
         m.link[0] != right.link[0] || m.link[1] != right.link[1]))
      wrong = "another meeting";
    if (wrong.empty() && cells != right_cells) wrong = "other cells";
    if (!wrong.empty()) wrong = std::string(kernels[k]->name) + ": " + wrong;
  }
  return wrong;
}

}  // namespace octile::test
