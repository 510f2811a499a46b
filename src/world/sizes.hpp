// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Units larger than a cell. A unit is where its anchor stands; such places are the cells that all
// searches know. What a place is follows from the cells under the unit:
//
//     anchor (0, 0), 2 x 2        terrain      places where it fits
//     +---+---+                   . . # .      # # # #      a place is passable when all cells
//     | A |   |                   . . . .      . # # #      under the unit are, so the Layer's row
//     +---+---+                   . . . .      . . . #      bits are eroded; the rest of the Layer
//     |   |   |                   . . . .      # # # #      (moves, stops, components, pockets,
//     +---+---+                                             indexes) follows from them unchanged
//
// An edited cell changes the places whose unit covers it: grow() turns the edited tiles of the map
// into those of the Layer, at most `side - 1` cells further. Units have at most 64 cells a side, so
// a place depends on its own tile and the eight around it.
//
// With weights a place costs as much as the dearest cell under the unit. Dearest remembers which
// one that is: 2 bytes a cell, tiles of equal weights shared.

#include "world/profile.hpp"

namespace octile {

struct Footprint {
  int32_t width = 1;
  int32_t height = 1;
  Cell anchor;

  Footprint() noexcept = default;
  explicit Footprint(const Profile& p) noexcept
      : width(p.width), height(p.height), anchor(p.anchor) {}
  bool one_cell() const noexcept { return width == 1 && height == 1; }

  // The places whose unit covers some cell of the rectangle, as far as they lie inside the map.
  // Coordinates are those of the map, from 0.
  Rect places(const TileGrid& grid, const Rect& cells) const noexcept;
};

// visit(part) for the parts of a rectangle inside the map that lie in one tile each.
template <class Visit>
void each_part(const TileGrid& grid, const Rect& r, Visit visit) noexcept {
  const auto within = [](int32_t at) {
    return static_cast<uint8_t>(at < 0 ? 0 : at > 63 ? 63 : at);
  };
  const int32_t right = r.x + r.width - 1, bottom = r.y + r.height - 1;
  for (int32_t y = r.y & ~63; y <= bottom; y += 64)
    for (int32_t x = r.x & ~63; x <= right; x += 64)
      visit(DirtyTile{grid.tile_index(static_cast<uint32_t>(x) >> 6, static_cast<uint32_t>(y) >> 6),
                      within(r.x - x), within(r.y - y), within(right - x), within(bottom - y)});
}

// Bits x0 .. x1 of the rows y0 .. y1 of a tile: the places where the unit fits, from the terrain
// alone. `passable` tells by terrain.
void fitting_rows(const Snapshot& map, const uint8_t* passable, const Footprint& unit,
                  uint32_t tile_col, uint32_t tile_row, const DirtyTile& part,
                  uint64_t* row) noexcept;

// The tiles whose places the edits in `dirty` may have changed, by rising index. False: memory is
// short.
bool grow(const TileGrid& grid, const Footprint& unit, const Buffer<DirtyTile>& dirty,
          Buffer<DirtyTile>* out) noexcept;

// Which cell under the unit is the dearest: walls count as nothing, among equals the first by y, x.
class Dearest {
  struct Tile : Counted {
    uint16_t offset[kTileCells];  // y * 64 + x in the unit's rectangle
  };

 public:
  // What a writer keeps from one version to the next.
  using Spare = TileTable<Tile>::Spare;

  bool empty() const noexcept { return tiles_.empty(); }
  CellId of(const TileGrid& grid, CellId place) const noexcept {
    const uint32_t offset = tiles_.at(place >> 12)->offset[place & (kTileCells - 1)];
    return grid.id(grid.px(place) + (offset & 63) - static_cast<uint32_t>(unit_.anchor.x),
                   grid.py(place) + (offset >> 6) - static_cast<uint32_t>(unit_.anchor.y));
  }

  // False when memory is short; the object is then of no use.
  bool build(const Snapshot& map, const CellCosts& costs, const Footprint& unit) noexcept;
  void share(const Dearest& other) noexcept;
  // After share(): `grown` names what may have changed. False as above.
  bool update(const Snapshot& map, const CellCosts& costs, const Buffer<DirtyTile>& grown,
              Spare* spare) noexcept;
  size_t bytes() const noexcept;

 private:
  struct Scratch {
    Buffer<Cost> cost;
    Buffer<uint16_t> offset;
  };
  static bool find(const Snapshot& map, const CellCosts& costs, const Footprint& unit,
                   uint32_t tile_col, uint32_t tile_row, const DirtyTile& part, Scratch* scratch,
                   uint16_t* offset) noexcept;

  Footprint unit_;
  TileTable<Tile> tiles_;
};

}  // namespace octile
