// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "agents/assignment.hpp"

namespace octile {

namespace {

constexpr uint32_t kNoColumn = 0xffffffff;
constexpr double kNever = __builtin_huge_val();

// What both rounds share: which row has which column, and the tree that grows from a free row.
struct Tree {
  const double* cost;
  size_t rows, columns;
  Buffer<uint32_t> row_of;  // by column
  Buffer<uint32_t> parent;  // by column: the row from which it was reached
  Buffer<uint32_t> before;  // by column: the column which that row has
  Buffer<double> reach;     // by column: length of the way to it
  Buffer<uint8_t> done;     // by column

  bool begin() noexcept {
    return row_of.assign(columns, kNoColumn) && parent.resize(columns) && before.resize(columns) &&
           reach.resize(columns) && done.resize(columns);
  }

  // Gives `row` a column. offer(length, row, column) is the length of the way on to a column; every
  // column that leaves the tree is told to settle(column, length). The last one is returned.
  template <class Offer, class Settle>
  uint32_t grow(uint32_t row, Offer offer, Settle settle) noexcept {
    for (size_t j = 0; j < columns; ++j) {
      reach[j] = kNever;
      done[j] = 0;
    }
    uint32_t at = kNoColumn;
    double length = 0;
    for (;;) {
      uint32_t next = kNoColumn;
      for (uint32_t j = 0; j < columns; ++j) {
        if (done[j]) continue;
        const double way = offer(length, row, j);
        if (way < reach[j]) {
          reach[j] = way;
          parent[j] = row;
          before[j] = at;
        }
        if (next == kNoColumn || reach[j] < reach[next]) next = j;
      }
      at = next;
      length = reach[at];
      done[at] = 1;
      settle(at, length);
      if (row_of[at] == kNoColumn) break;
      row = row_of[at];
    }
    // Along the way back every row takes the column it led to.
    for (uint32_t j = at; j != kNoColumn; j = before[j]) row_of[j] = parent[j];
    return at;
  }
};

}  // namespace

bool assign_columns(const double* cost, size_t rows, size_t columns,
                    Buffer<uint32_t>* column) noexcept {
  Tree tree{cost, rows, columns, {}, {}, {}, {}, {}};
  Buffer<double> u, v;  // potentials of rows and columns
  if (!tree.begin() || !column->assign(rows, kNoColumn) || !u.assign(rows, 0) ||
      !v.assign(columns, 0))
    return false;
  const auto edge = [&](uint32_t row, uint32_t j) { return cost[row * columns + j]; };
  // 1. The largest cost that cannot be avoided.
  double largest = -kNever;
  for (uint32_t row = 0; row < rows; ++row) {
    double longest = -kNever;
    tree.grow(
        row,
        [&](double length, uint32_t r, uint32_t j) {
          const double own = edge(r, j) > largest ? edge(r, j) : largest;
          return own > length ? own : length;
        },
        [&](uint32_t, double length) { longest = length; });
    if (longest > largest) largest = longest;
  }
  // 2. The least sum without anything above it. Reduced costs stay at 0 or more.
  Buffer<uint32_t> had;  // by column: the row that had it
  if (!tree.begin() || !had.resize(columns)) return false;
  for (uint32_t row = 0; row < rows; ++row) {
    for (size_t j = 0; j < columns; ++j) had[j] = tree.row_of[j];
    double total = 0;
    tree.grow(
        row,
        [&](double length, uint32_t r, uint32_t j) {
          const double c = edge(r, j);
          return c > largest ? kNever : length + (c - u[r] - v[j]);
        },
        [&](uint32_t, double length) { total = length; });
    u[row] += total;
    for (size_t j = 0; j < columns; ++j) {
      if (!tree.done[j]) continue;
      v[j] -= total - tree.reach[j];
      if (had[j] != kNoColumn) u[had[j]] += total - tree.reach[j];
    }
  }
  for (size_t j = 0; j < columns; ++j)
    if (tree.row_of[j] != kNoColumn) (*column)[tree.row_of[j]] = static_cast<uint32_t>(j);
  return true;
}

}  // namespace octile
