// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// What edits of a map have in common: of cells (map.cpp), of obstacles (map_obstacles.cpp) and of
// whole tiles (map_tiles.cpp). Each edit first makes sure of all the memory it needs, then changes
// cells, so that a failure leaves the map as it was.

#include <cstring>
#include <new>

#include "world/edit_log.hpp"
#include "world/map.hpp"

namespace octile {

constexpr size_t kLoggedRect = 17;  // bytes of a kind and a rectangle
inline size_t cells_in(Rect r) noexcept {
  return r.width > 0 && r.height > 0 ? size_t(r.width) * size_t(r.height) : 0;
}

constexpr const char* kNoMap = "there is no map: call Engine::reset first";

// Fault bad_argument when it does not lie inside the map.
Fault check_rect(const TileGrid& grid, Rect rect) noexcept;

inline TerrainTile* new_tile(uint8_t terrain) noexcept {
  auto* tile = new (std::nothrow) TerrainTile;
  if (tile) std::memset(tile->cell, terrain, sizeof tile->cell);
  return tile;
}

inline Fault not_loaded() noexcept {
  return fault(Status::not_loaded, "a tile there is absent: provide it first");
}

inline void mark_dirty(Map::Impl& map, const DirtyTile& part) noexcept {
  uint32_t& slot = map.dirty_slot[part.tile];
  if (slot == 0) {
    map.dirty.push(part);  // room was reserved
    slot = static_cast<uint32_t>(map.dirty.size());
    return;
  }
  DirtyTile& d = map.dirty[slot - 1];
  if (part.x0 < d.x0) d.x0 = part.x0;
  if (part.y0 < d.y0) d.y0 = part.y0;
  if (part.x1 > d.x1) d.x1 = part.x1;
  if (part.y1 > d.y1) d.y1 = part.y1;
}

// An edit, which is one of few cells or not: of those the tiles are written where they stand, where
// that disturbs nobody, and what the commit will look at is asked for.
class FewCells {
 public:
  FewCells(Map::Impl& map, size_t cells) noexcept : map_(map) {
    if (cells > EditsInPlace<TerrainTile>::kMostCells) {
      map.set_edits_aside();
      return;
    }
    if (!map.shown.engine) return;
    asks_ = map.dirty.size() < kAsked;
    others_ = map.shown.tables(map.shown.engine);
  }
  void ask_for(const DirtyTile& part, Shown::Ask ask) const noexcept {
    if (!asks_) return;
    if (ask == Shown::Ask::where) map_.now.tile_version.ask_for(part.tile, map_.version_spare);
    map_.shown.ask_for(map_.shown.engine, part, ask);
  }
  // Makes sure of a tile: it is in place, or edit() cannot fail any more. False: memory is short.
  template <class Tile>
  bool ready(uint32_t tile, const TileBox& box, TileTable<Tile>* table,
             typename TileTable<Tile>::Spare* spare, EditsInPlace<Tile>* in_place) const noexcept {
    const Tile& present = *table->at(tile);
    if (others_ && !present.immortal() && !shared(present, *table->at(0), box) &&
        in_place->edit(tile, others_, box, table, spare))
      return true;
    if (in_place->at(tile)) in_place->set_aside(table, spare);
    return table->edit(tile, spare, box) != nullptr;
  }

 private:
  // Does the tile stand in several places?
  bool shared(const TerrainTile& tile, const TerrainTile& ring, const TileBox& box) const noexcept {
    return &tile == &ring || &tile == map_.uniform[tile.cell[box.y0 * 64 + box.x0]];
  }
  bool shared(const WeightTile& tile, const WeightTile& ring, const TileBox&) const noexcept {
    return &tile == &ring;
  }

  static constexpr size_t kAsked = 4;  // tiles of a commit
  Map::Impl& map_;
  bool asks_ = false;
  uint32_t others_ = 0;
};

// A tile that has become all one terrain is exchanged for the shared one.
inline void share_uniform(Map::Impl& map, const DirtyTile& part) noexcept {
  if (part.x0 || part.y0 || part.x1 != 63 || part.y1 != 63) return;
  const uint8_t* cell = map.now.terrain.at(part.tile)->cell;
  if (std::memcmp(cell, cell + 1, kTileCells - 1) != 0) return;
  if (const TerrainTile* tile = map.uniform_tile(cell[0])) map.now.terrain.set(part.tile, tile);
}

inline void count_terrain(Map::Impl& map, uint8_t from, uint8_t to) noexcept {
  map.now.terrain_present[from] = --map.terrain_count[from] != 0;
  map.now.terrain_present[to] = ++map.terrain_count[to] != 0;
}

}  // namespace octile
