// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// What a Field holds, for those who read many of its cells: its distances by place
// (field_table.hpp) and what it was asked for. A pure value once it is built.

#include <algorithm>

#include "engine/view.hpp"
#include "fields/field_repair.hpp"
#include "fields/field_search.hpp"
#include "octile/fields.hpp"

namespace octile {

struct Field::Impl {
  View view;
  FieldTable table;
  Buffer<FieldSeed> seeds;  // by place
  Buffer<uint32_t> goal;    // which of the goals each is
  // What build() was asked for, beside the seeds.
  struct Asked {
    Buffer<Cell> goals, stops;
    Buffer<double> offsets;
    double max_cost = kWall;
  } asked;

  const WorldView& world() const noexcept { return view.impl()->world; }
  // 0 for cells outside, where the table has nothing.
  uint32_t place(Cell cell) const noexcept {
    const TileGrid& grid = world().map.grid;
    return grid.contains(cell) ? table.place(grid, grid.id(cell)) : 0;
  }
  Cell cell(uint32_t place) const noexcept {
    const TileGrid& grid = world().map.grid;
    return grid.cell(table.id(grid, place));
  }
  const FieldSeed* seed(uint32_t place) const noexcept {
    const FieldSeed* at =
        std::lower_bound(seeds.begin(), seeds.end(), place,
                         [](const FieldSeed& s, uint32_t p) { return s.place < p; });
    return at != seeds.end() && at->place == place ? at : nullptr;
  }

  // kAtGoal, kUnreached or the smallest move that leads nearer, from a place of the map.
  uint8_t direction(uint32_t place, CellId id) const noexcept;
};

struct FieldMaker::Impl {
  FieldSearch search;
  FieldRepair repair;
  View seen;  // whose moves the search has
  Buffer<uint32_t> stops;
  Field spare;  // what the last field had before, for its memory

  // Takes the memory of a field that nobody needs any more, for the next one.
  void reuse(Field* field) noexcept;
  // The legal moves of all places of a table of this View; null: memory is short.
  const uint8_t* moves_of(const View& view, const FieldTable& table) noexcept;
};

}  // namespace octile
