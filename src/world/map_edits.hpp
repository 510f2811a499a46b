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
