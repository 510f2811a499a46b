// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Obstacles: they come and go with all their cells, and the ground below them shows again.

#include <algorithm>

#include "world/map_edits.hpp"

namespace octile {

namespace {

// Puts an obstacle on the map or takes it off. After a Fault nothing has changed.
Fault show(Map::Impl& map, Obstacle* obstacle, bool present) noexcept {
  TileTable<TerrainTile>& table = map.now.terrain;
  auto& spare = map.terrain_spare;
  const auto box_of = [](CellId id) {
    const uint8_t x = id & 63, y = id >> 6 & 63;
    return TileBox{x, y, x, y};
  };
  // 1. All that may fail. The cells are sorted, so those of a tile follow each other.
  auto& in_place = map.terrain_in_place;
  const FewCells few(map, obstacle->cells.size());
  bool ready = table.own(&spare) &&
               (!present || map.obstacles.reserve(obstacle->cells.size(), map.now.grid.tiles));
  size_t tiles = 0;
  for (size_t i = 0; ready && i < obstacle->cells.size(); ++tiles) {
    const uint32_t tile = obstacle->cells[i] >> 12;
    TileBox box = box_of(obstacle->cells[i]);
    for (; i < obstacle->cells.size() && obstacle->cells[i] >> 12 == tile; ++i)
      box.widen(box_of(obstacle->cells[i]));
    if (map.now.absent(tile)) return not_loaded();
    ready = few.ready(tile, box, &table, &spare, &in_place);
  }
  if (!ready || !map.dirty.reserve(map.dirty.size() + tiles)) return no_memory_for("the edit");
  // 2. The change.
  for (const CellId id : obstacle->cells) {
    TerrainTile* const shared = in_place.at(id >> 12);
    uint8_t& cell =
        (shared ? shared : table.edit(id >> 12, &spare, box_of(id)))->cell[id & (kTileCells - 1)];
    const uint8_t was = cell;
    const uint8_t to =
        present ? map.obstacles.cover(id, *obstacle, was) : map.obstacles.uncover(id, *obstacle);
    if (was == to) continue;
    count_terrain(map, was, to);
    if (shared) in_place.note(id >> 12, id & (kTileCells - 1), was);
    cell = to;
    const TileBox box = box_of(id);
    mark_dirty(map, {id >> 12, box.x0, box.y0, box.x1, box.y1});
  }
  obstacle->present = present;
  return {};
}

// The cells of an obstacle. A Fault when one lies outside the map.
Fault gather(const TileGrid& grid, const ObstacleDef& d, Buffer<CellId>* cells) noexcept {
  const Fault short_of_memory = no_memory_for("the obstacle");
  if (!d.cells) {
    if (d.count) return fault(Status::bad_argument, "an obstacle has a count, but no cells");
    if (Fault f = check_rect(grid, d.rect)) return f;
    for (int32_t y = 0; y < d.rect.height; ++y)
      for (int32_t x = 0; x < d.rect.width; ++x)
        if (!cells->push(grid.id(Cell{d.rect.x + x, d.rect.y + y}))) return short_of_memory;
  }
  for (size_t i = 0; i < d.count; ++i) {
    if (!grid.contains(d.cells[i]))
      return fault(Status::bad_argument, "a cell of the obstacle does not lie inside the map");
    if (!cells->push(grid.id(d.cells[i]))) return short_of_memory;
  }
  std::sort(cells->begin(), cells->end());
  cells->resize(static_cast<size_t>(std::unique(cells->begin(), cells->end()) - cells->begin()));
  return {};
}

Fault no_such_obstacle() noexcept {
  return fault(Status::bad_argument, "there is no obstacle of that id");
}

}  // namespace

Fault Map::add_obstacle(const ObstacleDef& d, ObstacleId* id) noexcept {
  if (!impl_) return fault(Status::bad_argument, kNoMap);
  if (!id) return fault(Status::bad_argument, "add_obstacle needs a place for the id");
  const size_t length = d.name ? std::strlen(d.name) : 0;
  if (length > Obstacle::kMostName)
    return fault(Status::bad_argument, "the name of an obstacle has more than 31 bytes");
  if (impl_->obstacles.find(d.name))
    return fault(Status::bad_argument, "there is an obstacle of that name already");
  if (impl_->obstacles.full()) return fault(Status::bad_argument, "there are no more ids");
  Obstacle* made = new (std::nothrow) Obstacle;
  if (!made) return no_memory_for("the obstacle");
  made->terrain = d.terrain;
  if (length) std::memcpy(made->name, d.name, length);
  Fault f = gather(impl_->now.grid, d, &made->cells);
  EditWriter log(*impl_);
  if (!f && (!log.reserve(1 + 4 + 3 + length + 4 + 8 * made->cells.size()) ||
             !impl_->obstacles.add(made)))
    f = no_memory_for("the edit");
  if (f) {
    delete made;
    return f;
  }
  if (d.present && (f = show(*impl_, made, true))) {
    impl_->obstacles.take_back(made);
    return f;
  }
  *id = made->id;
  if (!log.wanted()) return {};
  log.kind(EditKind::add_obstacle);
  log.number(made->id);
  log.byte(made->terrain);
  log.byte(made->present);
  log.byte(static_cast<uint8_t>(length));
  for (size_t i = 0; i < length; ++i) log.byte(static_cast<uint8_t>(made->name[i]));
  log.number(static_cast<uint32_t>(made->cells.size()));
  for (const CellId cell : made->cells) {
    const Cell c = impl_->now.grid.cell(cell);
    log.number(static_cast<uint32_t>(c.x));
    log.number(static_cast<uint32_t>(c.y));
  }
  return {};
}

Fault Map::set_obstacle(ObstacleId id, bool present) noexcept {
  Obstacle* obstacle = impl_ ? impl_->obstacles.find(id) : nullptr;
  if (!obstacle) return no_such_obstacle();
  if (obstacle->present == present) return {};
  EditWriter log(*impl_);
  if (!log.reserve(6)) return no_memory_for("the edit");
  if (Fault f = show(*impl_, obstacle, present)) return f;
  if (!log.wanted()) return {};
  log.kind(EditKind::set_obstacle);
  log.number(id);
  log.byte(present);
  return {};
}

Fault Map::remove_obstacle(ObstacleId id) noexcept {
  Obstacle* obstacle = impl_ ? impl_->obstacles.find(id) : nullptr;
  if (!obstacle) return no_such_obstacle();
  EditWriter log(*impl_);
  if (!log.reserve(5)) return no_memory_for("the edit");
  if (obstacle->present)
    if (Fault f = show(*impl_, obstacle, false)) return f;
  impl_->obstacles.remove(obstacle);
  if (!log.wanted()) return {};
  log.kind(EditKind::remove_obstacle);
  log.number(id);
  return {};
}

bool Map::obstacle_present(ObstacleId id) const noexcept {
  const Obstacle* obstacle = impl_ ? impl_->obstacles.find(id) : nullptr;
  return obstacle && obstacle->present;
}

ObstacleId Map::find_obstacle(const char* name) const noexcept {
  const Obstacle* obstacle = impl_ ? impl_->obstacles.find(name) : nullptr;
  return obstacle ? obstacle->id : 0;
}

uint8_t Map::ground(Cell cell) const noexcept {
  if (!contains(cell)) return 0;
  const uint8_t* ground = impl_->obstacles.ground(impl_->now.grid.id(cell));
  return ground ? *ground : terrain(cell);
}

}  // namespace octile
