// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Fields: the distances of all cells to a set of goals, and the direction to go from each. One
// field serves any number of units with the same goals: a lookup a step, and no search.
//
//   FieldMaker maker;                      the workspace of a thread
//   Field field;
//   maker.build(view, query, &field);      Dijkstra's algorithm from the goals backwards
//   unit = field.next(unit);               until that is the cell itself
//
// A Field is a pure function of (View, FieldQuery). Many threads may read one; building it belongs
// to one. Errors as in octile.hpp. docs/units.md.

#include "octile/octile.hpp"

namespace octile {

// What FieldMaker::build() makes a field of. Arrays are read, never kept.
struct FieldQuery {
  // Where to go, at least one cell. Blocked ones do not count while another one is free.
  const Cell* goals = nullptr;
  size_t goal_count = 0;
  // What is still to be paid at each goal, in the units of Path::cost and rounded to cost units: 0
  // or more, finite; null: nothing.
  const double* offsets = nullptr;
  double max_cost = kWall;  // cells farther away than this are not reached
  // The search ends when all of these are reached; null: it goes on to the end. Cells that cannot
  // be reached do no harm but the time of a whole field.
  const Cell* stops = nullptr;
  size_t stop_count = 0;
};

constexpr uint8_t kAtGoal = 8;       // directions beside 0 to 7, which are as in View::moves():
constexpr uint8_t kUnreached = 255;  // the cell is a goal; no goal is reached from there

// Distances and directions of all cells of one View to a set of goals. Made and brought up to date
// by a FieldMaker, which nobody may read from meanwhile; else read by any number of threads.
class OCTILE_API Field {
 public:
  Field() noexcept = default;
  ~Field();
  Field(Field&& other) noexcept;
  Field& operator=(Field&& other) noexcept;
  Field(const Field&) = delete;
  Field& operator=(const Field&) = delete;

  bool empty() const noexcept { return impl_ == nullptr; }  // true: it was never built
  View view() const noexcept;                               // that it holds for
  // All below take any cell; walls, cells outside and those not reached are kWall or kUnreached.
  // Cost of a cheapest way to a goal, the goal's offset included, in the units of Path::cost.
  double distance(Cell cell) const noexcept;
  uint64_t distance_units(Cell cell) const noexcept;  // in those of Path::cost_units; UINT64_MAX
  bool reached(Cell cell) const noexcept;             // whether a way leads from there to a goal
  // The first move of a cheapest way: the smallest of 0 to 7 that begins one; kAtGoal, kUnreached.
  uint8_t direction(Cell cell) const noexcept;
  // The cell that lies there; the cell itself at a goal or where none is reached.
  Cell next(Cell cell) const noexcept;
  // Follows the directions: what find() would fill in but the statistics; another path of the same
  // cost may be the one. goal_index tells which goal it leads to.
  void path(Cell start, Path& path) const noexcept;
  // The cells within a cost, by y, then x: fills at most `capacity`, gives how many there are.
  size_t within(double cost, Cell* out, size_t capacity) const noexcept;
  // direction() of all cells of the map, row by row: width * height bytes.
  void directions(uint8_t* out) const noexcept;
  // 2, 4 or 8 bytes a cell, by how far the farthest one is.
  size_t memory_bytes() const noexcept;

  struct Impl;
  const Impl* impl() const noexcept { return impl_; }

 private:
  friend class FieldMaker;
  Impl* impl_ = nullptr;
};

// What FieldMaker::update() did.
enum class FieldUpdate : uint8_t {
  kept,      // every distance holds
  repaired,  // those that changed were searched anew
  rebuilt,   // all of them
};

// Keeps what it needs again: the View of the last field, and the memory of a field that was
// replaced.
class OCTILE_API FieldMaker {
 public:
  FieldMaker() noexcept = default;
  ~FieldMaker();
  FieldMaker(const FieldMaker&) = delete;
  FieldMaker& operator=(const FieldMaker&) = delete;

  // Faults: bad_argument, goal_out_of_bounds, goal_blocked (all of them), cost_overflow,
  // out_of_memory; the field is then as it was. On uniform maps some nanoseconds a cell. Source:
  // Dial 1969; Harabor and Grastien 2011 for the canonical order of ways.
  Fault build(const View& view, const FieldQuery& query, Field* field) noexcept;
  // Brings a field to a later (or earlier) View of the same map and profile. What changed in the
  // tiles is followed as far as distances change by it; where these are many, or the field had
  // stops, it is built anew. The distances are those of build() in any case. Faults: as of build(),
  // and bad_argument for another map or profile. Source: Ramalingam and Reps 1996.
  Fault update(const View& view, Field* field, FieldUpdate* how = nullptr) noexcept;
  // Every cell hands on all its moves, with a bucket for each distance: for comparison.
  bool plain = false;

  size_t memory_bytes() const noexcept;

  struct Impl;
  Impl* impl() noexcept { return impl_; }

 private:
  Impl* impl_ = nullptr;
};

}  // namespace octile
