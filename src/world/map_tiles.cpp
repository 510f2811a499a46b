// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Tiles of streamed maps come and go; a whole map as a file of tiles.

#include <algorithm>

#include "world/map_edits.hpp"
#include "world/tile_file.hpp"

namespace octile {

namespace {

// The tile of a streamed map in which a cell lies, as far as it lies inside the map.
Fault find_tile(const Map::Impl* map, Cell cell, DirtyTile* part) noexcept {
  if (!map) return fault(Status::bad_argument, kNoMap);
  const TileGrid& grid = map->now.grid;
  if (!map->now.definition.streamed)
    return fault(Status::bad_argument, "this map is not streamed (MapDef::streamed)");
  if (!grid.contains(cell))
    return fault(Status::bad_argument, "the cell does not lie inside the map");
  const CellId id = grid.id(cell);
  const auto last = [](int32_t size, uint32_t first) {
    return static_cast<uint8_t>(std::min(63u, static_cast<uint32_t>(size) - first - 1));
  };
  *part = {id >> 12, 0, 0, last(grid.width, (grid.px(id) & ~63u) - 64),
           last(grid.height, (grid.py(id) & ~63u) - 64)};
  return {};
}

// Puts another tile into its place, with weights of 1; takes over the reference. False: memory is
// short, nothing has changed.
bool exchange_tile(Map::Impl& map, const DirtyTile& part, const TerrainTile* tile) noexcept {
  Snapshot& now = map.now;
  map.set_edits_aside();
  // 1. All that may fail: the places become this table's own.
  const auto own = [&](auto& table, auto* spare) {
    const auto* present = table.at(part.tile);
    if (!table.own(spare)) return false;
    present->take();
    return table.set(part.tile, present);
  };
  if (!own(now.terrain, &map.terrain_spare) ||
      (!now.weights.empty() && !own(now.weights, &map.weight_spare)) ||
      !map.dirty.reserve(map.dirty.size() + 1)) {
    drop(tile);
    return false;
  }
  // 2. The change.
  const TerrainTile& before = *now.terrain.at(part.tile);
  for (uint32_t y = 0; y <= part.y1; ++y)
    for (uint32_t x = 0; x <= part.x1; ++x)
      count_terrain(map, before.cell[y * 64 + x], tile->cell[y * 64 + x]);
  now.terrain.set(part.tile, tile);
  if (!now.weights.empty() && now.weights.at(part.tile) != now.weights.at(0)) {
    const WeightTile& weights = *now.weights.at(part.tile);
    for (uint32_t y = 0; y <= part.y1; ++y)
      for (uint32_t x = 0; x <= part.x1; ++x) map.count_weight(weights.cell[y * 64 + x], -1);
    map.count_weight(1, (part.x1 + 1) * (part.y1 + 1));
    now.weights.at(0)->take();
    now.weights.set(part.tile, now.weights.at(0));
  }
  mark_dirty(map, part);
  return true;
}

}  // namespace

Fault Map::provide_tile(Cell cell, const uint8_t* terrain, size_t stride) noexcept {
  DirtyTile part;
  if (Fault f = find_tile(impl_, cell, &part)) return f;
  if (!terrain) return fault(Status::bad_argument, "provide_tile needs values");
  if (!impl_->now.absent(part.tile))
    return fault(Status::bad_argument, "the tile is loaded already: edit it");
  const Cell first = impl_->now.grid.cell(part.tile << 12);
  const Rect rect{first.x, first.y, part.x1 + 1, part.y1 + 1};
  EditWriter log(*impl_);
  TerrainTile* tile = new_tile(impl_->now.definition.terrain);
  if (!tile || !log.reserve(kLoggedRect + cells_in(rect))) {
    drop(tile);
    return no_memory_for("the tile");
  }
  for (size_t y = 0; y <= part.y1; ++y)
    std::memcpy(tile->cell + y * 64, terrain + y * stride, size_t{part.x1} + 1);
  if (!exchange_tile(*impl_, part, tile)) return no_memory_for("the tile");
  --impl_->now.absent_tiles;
  share_uniform(*impl_, part);
  if (!log.wanted()) return {};
  log.kind(EditKind::provide_tile);
  log.rect(rect);
  for (size_t i = 0; i < cells_in(rect); ++i)
    log.byte(terrain[i / size_t(rect.width) * stride + i % size_t(rect.width)]);
  return {};
}

Fault Map::release_tile(Cell cell) noexcept {
  DirtyTile part{};
  if (Fault f = find_tile(impl_, cell, &part)) return f;
  if (impl_->now.absent(part.tile))
    return fault(Status::bad_argument, "the tile is absent already");
  if (impl_->obstacles.any_in(part.tile))
    return fault(Status::bad_argument, "an obstacle lies on the tile");
  EditWriter log(*impl_);
  if (!log.reserve(9)) return no_memory_for("the edit");
  const TerrainTile* ring = impl_->now.terrain.at(0);
  ring->take();
  if (!exchange_tile(*impl_, part, ring)) return no_memory_for("the edit");
  ++impl_->now.absent_tiles;
  if (!log.wanted()) return {};
  log.kind(EditKind::release_tile);
  log.number(static_cast<uint32_t>(cell.x));
  log.number(static_cast<uint32_t>(cell.y));
  return {};
}

bool Map::loaded(Cell cell) const noexcept {
  return contains(cell) && !impl_->now.absent(impl_->now.grid.id(cell) >> 12);
}
uint32_t Map::absent_tiles() const noexcept {
  return impl_ ? impl_->now.absent_tiles : 0;
}

Fault Map::save(const char* path) const noexcept {
  if (!impl_) return fault(Status::bad_argument, kNoMap);
  if (!path) return fault(Status::bad_argument, "save needs a path");
  if (impl_->now.absent_tiles)
    return fault(Status::not_loaded, "tiles of the map are absent: provide them all to save it");
  return save_tile_file(impl_->now, path);
}
}  // namespace octile
