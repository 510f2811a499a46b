// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The inside of a Field.

#include "engine/view.hpp"
#include "fields/field_table.hpp"
#include "octile/fields.hpp"

namespace octile {

struct Field::Impl : Counted {
  // A goal and its place in the caller's list.
  struct Goal {
    uint32_t place;
    uint32_t index;
    Cost offset;  // in lengths of the table
  };

  View view;
  FieldTable table;
  Buffer<Goal> goals;  // by place, then offset, then index; the first of each place counts
  double max_cost = kWall;
  bool offsets = false;  // some goal has one
  bool whole = true;     // no starts ended the search

  const WorldView& world() const noexcept { return view.impl()->world; }
  uint32_t place(CellId id) const noexcept { return table.place(world().map.grid, id); }
  // The goal that stands on a place and is the nearest to it; null.
  const Goal* goal_at(uint32_t place) const noexcept;
  // kNoDirection for walls too.
  uint8_t direction(CellId id) const noexcept;
  // A distance of the table as Path::cost_units, and straight and diagonal steps of uniform maps.
  void split(uint64_t distance, Cost* straight, Cost* diagonal) const noexcept;
};

}  // namespace octile
