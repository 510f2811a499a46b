// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "world/sizes.hpp"

#include <algorithm>
#include <cstring>

namespace octile {

namespace {

uint32_t column_of(const TileGrid& grid, uint32_t tile) noexcept {
  return (tile & ((1u << grid.row_shift) - 1)) - 1;
}
uint32_t row_of(const TileGrid& grid, uint32_t tile) noexcept {
  return (tile >> grid.row_shift) - 1;
}

// visit(x, cells, count) for the runs of cells of row y that lie in one tile each, from column
// `from` on, `count` of them; what lies outside the map is left out.
template <class Tile, class Visit>
void each_run(const TileGrid& grid, const TileTable<Tile>& table, int32_t from, int32_t count,
              int32_t y, Visit visit) noexcept {
  if (y < 0 || y >= grid.height) return;
  const int32_t end = std::min(from + count, grid.width);
  for (int32_t x = std::max(from, 0); x < end;) {
    const int32_t stop = std::min(end, (x | 63) + 1);
    const auto* cells = table.at(grid.tile_index(uint32_t(x) >> 6, uint32_t(y) >> 6))->cell;
    visit(x, cells + (y & 63) * 64 + (x & 63), stop - x);
    x = stop;
  }
}

// 128 bits, of which the low word is wanted in the end.
struct Bits {
  uint64_t low = 0, high = 0;
  void set(uint32_t at, uint64_t bit) noexcept { (at < 64 ? low : high) |= bit << (at & 63); }
  // Bit i stays set where bit i + by is set as well; by is 1 to 63.
  void and_shifted(uint32_t by) noexcept {
    low &= low >> by | high << (64 - by);
    high &= high >> by;
  }
};

}  // namespace

Rect Footprint::places(const TileGrid& grid, const Rect& cells) const noexcept {
  const int32_t left = std::max(cells.x - (width - 1 - anchor.x), 0);
  const int32_t top = std::max(cells.y - (height - 1 - anchor.y), 0);
  const int32_t right = std::min(cells.x + cells.width + anchor.x, grid.width);
  const int32_t bottom = std::min(cells.y + cells.height + anchor.y, grid.height);
  return {left, top, std::max(right - left, 0), std::max(bottom - top, 0)};
}

void fitting_rows(const Snapshot& map, const uint8_t* passable, const Footprint& unit,
                  uint32_t tile_col, uint32_t tile_row, const DirtyTile& part,
                  uint64_t* row) noexcept {
  const int32_t columns = part.x1 - part.x0 + 1, rows = part.y1 - part.y0 + 1;
  const int32_t left = static_cast<int32_t>(tile_col * 64 + part.x0) - unit.anchor.x;
  const int32_t top = static_cast<int32_t>(tile_row * 64 + part.y0) - unit.anchor.y;
  // 1. Along each row: bit i is set when the `width` cells from left + i on are passable.
  uint64_t fits[64 + kMostSide];
  for (int32_t i = 0; i < rows + unit.height - 1; ++i) {
    Bits bits;
    each_run(map.grid, map.terrain, left, columns + unit.width - 1, top + i,
             [&](int32_t x, const uint8_t* cell, int32_t count) {
               for (int32_t k = 0; k < count; ++k)
                 bits.set(static_cast<uint32_t>(x + k - left), passable[cell[k]]);
             });
    for (int32_t known = 1; known < unit.width;) {
      const int32_t more = std::min(known, unit.width - known);
      bits.and_shifted(static_cast<uint32_t>(more));
      known += more;
    }
    fits[i] = bits.low;
  }
  // 2. Down the columns, in the same way.
  int32_t left_over = rows + unit.height - 1;
  for (int32_t known = 1; known < unit.height;) {
    const int32_t more = std::min(known, unit.height - known);
    left_over -= more;
    for (int32_t i = 0; i < left_over; ++i) fits[i] &= fits[i + more];
    known += more;
  }
  const uint64_t wanted = ~uint64_t{0} >> (64 - columns);
  for (int32_t i = 0; i < rows; ++i) row[part.y0 + i] = (fits[i] & wanted) << part.x0;
}

bool grow(const TileGrid& grid, const Footprint& unit, const Buffer<DirtyTile>& dirty,
          Buffer<DirtyTile>* out) noexcept {
  out->clear();
  for (const DirtyTile& d : dirty) {
    const int32_t x = static_cast<int32_t>(column_of(grid, d.tile) * 64);
    const int32_t y = static_cast<int32_t>(row_of(grid, d.tile) * 64);
    const Rect r = unit.places(grid, {x + d.x0, y + d.y0, d.x1 - d.x0 + 1, d.y1 - d.y0 + 1});
    bool fits = true;
    each_part(grid, r, [&](const DirtyTile& part) { fits = fits && out->push(part); });
    if (!fits) return false;
  }
  std::sort(out->begin(), out->end(),
            [](const DirtyTile& a, const DirtyTile& b) { return a.tile < b.tile; });
  size_t kept = 0;
  for (const DirtyTile& d : *out) {
    if (kept == 0 || (*out)[kept - 1].tile != d.tile) {
      (*out)[kept++] = d;
      continue;
    }
    DirtyTile& same = (*out)[kept - 1];
    same.x0 = std::min(same.x0, d.x0);
    same.y0 = std::min(same.y0, d.y0);
    same.x1 = std::max(same.x1, d.x1);
    same.y1 = std::max(same.y1, d.y1);
  }
  return out->resize(kept);
}

// ---------------------------------------------------------------------------------------------

// The offsets of one part of a tile, first along the rows, then down the columns.
bool Dearest::find(const Snapshot& map, const CellCosts& costs, const Footprint& unit,
                   uint32_t tile_col, uint32_t tile_row, const DirtyTile& part, Scratch* scratch,
                   uint16_t* offset) noexcept {
  const int32_t columns = part.x1 - part.x0 + 1, rows = part.y1 - part.y0 + 1;
  const int32_t left = static_cast<int32_t>(tile_col * 64 + part.x0) - unit.anchor.x;
  const int32_t top = static_cast<int32_t>(tile_row * 64 + part.y0) - unit.anchor.y;
  const int32_t across = columns + unit.width - 1, down = rows + unit.height - 1;
  if (!scratch->cost.assign(size_t(across) * size_t(down), 0) ||
      !scratch->offset.resize(scratch->cost.size()))
    return false;
  Cost* cost = scratch->cost.data();
  uint16_t* best = scratch->offset.data();
  for (int32_t i = 0; i < down; ++i) {
    Cost* line = cost + i * across;
    each_run(map.grid, map.terrain, left, across, top + i,
             [&](int32_t x, const uint8_t* cell, int32_t count) {
               for (int32_t k = 0; k < count; ++k) {
                 const Cost units = costs.terrain_units[cell[k]];
                 line[x - left + k] = units == kWallUnits ? 0 : units;
               }
             });
    if (costs.weighted)
      each_run(map.grid, map.weights, left, across, top + i,
               [&](int32_t x, const uint16_t* cell, int32_t count) {
                 for (int32_t k = 0; k < count; ++k) line[x - left + k] *= cell[k];
               });
    // In place: what is to the right has not been touched yet.
    for (int32_t k = 0; k < columns; ++k) {
      int32_t at = 0;
      for (int32_t j = 1; j < unit.width; ++j)
        if (line[k + j] > line[k + at]) at = j;
      line[k] = line[k + at];
      best[i * across + k] = static_cast<uint16_t>(at);
    }
  }
  for (int32_t i = 0; i < rows; ++i) {
    for (int32_t k = 0; k < columns; ++k) {
      int32_t at = 0;
      for (int32_t j = 1; j < unit.height; ++j)
        if (cost[(i + j) * across + k] > cost[(i + at) * across + k]) at = j;
      offset[(part.y0 + i) * 64 + part.x0 + k] =
          static_cast<uint16_t>(at * 64 + best[(i + at) * across + k]);
    }
  }
  return true;
}

bool Dearest::build(const Snapshot& map, const CellCosts& costs, const Footprint& unit) noexcept {
  unit_ = unit;
  Tile* flat = new (std::nothrow) Tile;
  if (!flat) return false;
  std::memset(flat->offset, 0, sizeof flat->offset);
  const bool made = tiles_.reset(map.grid.tiles, flat);
  drop(flat);
  if (!made) return false;
  Scratch scratch;
  Tile next;
  for (uint32_t row = 0; row < map.grid.tile_rows; ++row) {
    for (uint32_t column = 0; column < map.grid.tile_cols; ++column) {
      const uint32_t at = map.grid.tile_index(column, row);
      if (!find(map, costs, unit, column, row, {at, 0, 0, 63, 63}, &scratch, next.offset))
        return false;
      if (std::memcmp(next.offset, tiles_.at(at)->offset, sizeof next.offset) == 0) continue;
      Tile* tile = tiles_.edit(at);
      if (!tile) return false;
      std::memcpy(tile->offset, next.offset, sizeof next.offset);
    }
  }
  return true;
}

void Dearest::share(const Dearest& other) noexcept {
  unit_ = other.unit_;
  tiles_.share(other.tiles_);
}

bool Dearest::update(const Snapshot& map, const CellCosts& costs, const Buffer<DirtyTile>& grown,
                     Spare* spare) noexcept {
  if (!tiles_.own(spare)) return false;
  Scratch scratch;
  for (const DirtyTile& d : grown) {
    Tile* tile = tiles_.edit(d.tile);
    if (!tile || !find(map, costs, unit_, column_of(map.grid, d.tile), row_of(map.grid, d.tile), d,
                       &scratch, tile->offset))
      return false;
  }
  tiles_.settle(spare);
  return true;
}

size_t Dearest::bytes() const noexcept {
  size_t total = tiles_.table_bytes();
  for (uint32_t t = 0; t < tiles_.size(); ++t)
    if (t == 0 || tiles_.at(t) != tiles_.at(t - 1)) total += sizeof(Tile);
  return total;
}

}  // namespace octile
