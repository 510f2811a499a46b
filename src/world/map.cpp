// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "world/map.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "world/edit_log.hpp"
#include "world/file_text.hpp"
#include "world/tile_file.hpp"

namespace octile {

Fault fault(Status status, const char* text) noexcept {
  Fault f;
  f.status = status;
  std::strncpy(f.text, text, sizeof f.text - 1);
  return f;
}

Fault no_memory_for(const char* what) noexcept {
  return world::fault_of(Status::out_of_memory, "no memory for ", what);
}

Fault fault(FileError error) noexcept {
  switch (error) {
    case FileError::none:
      return {};
    case FileError::out_of_memory:
      return no_memory_for("the file");
    case FileError::cannot_open:
      return fault(Status::bad_argument, "the file cannot be opened");
    case FileError::cannot_read:
      return fault(Status::bad_argument, "the file cannot be read");
    case FileError::cannot_create:
      return fault(Status::bad_argument, "the file cannot be created");
    case FileError::cannot_write:
      return fault(Status::bad_argument, "the file cannot be written");
  }
  return {};
}

Fault check_definition(const MapDef& d) noexcept {
  if (d.width < 1 || d.height < 1)
    return fault(Status::bad_argument, "a map needs a width and a height of at least 1");
  TileGrid grid;
  if (!grid.shape(d)) return fault(Status::bad_argument, "the map is too large: over 2^20 tiles");
  if (!(d.cell_size > 0) || !std::isfinite(d.cell_size))
    return fault(Status::bad_argument, "cell_size must be a finite number above 0");
  if (!std::isfinite(d.origin.x) || !std::isfinite(d.origin.y))
    return fault(Status::bad_argument, "the origin must be finite");
  const double milli = std::round(d.weight_scale * 1000);
  if (!(milli >= 1 && milli <= 4294967295000.0) || milli / 1000 != d.weight_scale)
    return fault(Status::bad_argument, "weight_scale must be above 0 with at most three decimals");
  // INT32_MIN stands for "outside every map" in world_to_cell.
  if (d.first_cell.x == INT32_MIN || d.first_cell.y == INT32_MIN)
    return fault(Status::bad_argument, "first_cell is too far away");
  // Coordinates of the last cell must fit as well.
  if (int64_t{d.first_cell.x} + d.width - 1 > INT32_MAX ||
      int64_t{d.first_cell.y} + d.height - 1 > INT32_MAX)
    return fault(Status::bad_argument, "first_cell puts the last cell beyond 32-bit coordinates");
  return {};
}

void Snapshot::share(const Snapshot& other) noexcept {
  definition = other.definition;
  grid = other.grid;
  version = other.version;
  std::memcpy(terrain_present, other.terrain_present, sizeof terrain_present);
  absent_tiles = other.absent_tiles;
  weight_low = other.weight_low;
  weight_high = other.weight_high;
  terrain.share(other.terrain);
  weights.share(other.weights);
  tile_version.share(other.tile_version);
}

// ---------------------------------------------------------------------------------------------
// The working state

namespace {

TerrainTile* new_tile(uint8_t terrain) noexcept {
  auto* tile = new (std::nothrow) TerrainTile;
  if (tile) std::memset(tile->cell, terrain, sizeof tile->cell);
  return tile;
}

}  // namespace

Map::Impl::~Impl() {
  if (log) log->stop();
  for (const TerrainTile* tile : uniform) drop(tile);
}

const TerrainTile* Map::Impl::uniform_tile(uint8_t terrain) noexcept {
  const TerrainTile*& tile = uniform[terrain];
  if (!tile) tile = new_tile(terrain);
  if (tile) tile->take();
  return tile;
}

Fault Map::Impl::init(const MapDef& definition) noexcept {
  if (Fault f = check_definition(definition)) return f;
  now.definition = definition;
  now.grid.shape(definition);
  const Fault short_of_memory = no_memory_for("the map");
  // Of a streamed map the tiles that are absent are known by their sharing one that no other has.
  const TerrainTile* tile =
      definition.streamed ? new_tile(definition.terrain) : uniform_tile(definition.terrain);
  if (!tile) return short_of_memory;
  const bool made = now.terrain.reset(now.grid.tiles, tile);
  drop(tile);
  if (!made || !dirty_slot.assign(now.grid.tiles, 0) || !now.tile_version.assign(now.grid.tiles, 0))
    return short_of_memory;
  if (definition.streamed) now.absent_tiles = now.grid.tile_cols * now.grid.tile_rows;
  const uint64_t cells = uint64_t(definition.width) * uint64_t(definition.height);
  terrain_count[definition.terrain] = cells;
  if (definition.weights) {
    WeightTile* ones = new (std::nothrow) WeightTile;
    if (!ones) return short_of_memory;
    for (uint16_t& w : ones->cell) w = 1;
    const bool ok = now.weights.reset(now.grid.tiles, ones);
    drop(ones);
    if (!ok || !weight_count.assign(65536, 0)) return short_of_memory;
    count_weight(1, static_cast<int32_t>(cells));  // fewer than 2^32 cells: wraps as it should
  }
  summarise();
  return {};
}

void Map::Impl::summarise() noexcept {
  for (int i = 0; i < 256; ++i) now.terrain_present[i] = terrain_count[i] != 0;
  if (weight_count.empty()) return;
  uint32_t low = 0, high = 255;
  while (low < 255 && weight_group[low] == 0) ++low;
  while (high > 0 && weight_group[high] == 0) --high;
  low <<= 8;
  high = high << 8 | 255;
  while (low < 65535 && weight_count[low] == 0) ++low;
  while (high > 0 && weight_count[high] == 0) --high;
  now.weight_low = static_cast<uint16_t>(low);
  now.weight_high = static_cast<uint16_t>(high);
}

bool Map::Impl::mark_versions(bool all) noexcept {
  if (all) return now.tile_version.assign(now.grid.tiles, now.version + 1);
  if (!now.tile_version.own(&version_spare)) return false;
  for (const DirtyTile& d : dirty) now.tile_version.set(d.tile, now.version + 1);
  return true;
}

void Map::Impl::count_weight(uint16_t weight, int32_t cells) noexcept {
  uint32_t& count = weight_count[weight];
  const bool before = count != 0;
  count += static_cast<uint32_t>(cells);
  weight_group[weight >> 8] += static_cast<uint32_t>((count != 0) - before);
}

void Map::Impl::clear_dirty() noexcept {
  for (const DirtyTile& d : dirty) dirty_slot[d.tile] = 0;
  dirty.clear();
}

// ---------------------------------------------------------------------------------------------
// Edits. Each first makes sure of all the memory it needs, then changes cells, so that a failure
// leaves the map as it was.

namespace {

// Calls step(tile index, rectangle within the tile, its first cell's column and row in the edit).
template <class Step>
bool each_tile(const TileGrid& grid, Rect rect, Step step) noexcept {
  const int64_t x0 = int64_t{rect.x} - grid.first.x, y0 = int64_t{rect.y} - grid.first.y;
  const int64_t x1 = x0 + rect.width - 1, y1 = y0 + rect.height - 1;
  for (int64_t ty = y0 >> 6; ty <= y1 >> 6; ++ty) {
    for (int64_t tx = x0 >> 6; tx <= x1 >> 6; ++tx) {
      const int64_t left = tx * 64 > x0 ? tx * 64 : x0, top = ty * 64 > y0 ? ty * 64 : y0;
      const int64_t right = tx * 64 + 63 < x1 ? tx * 64 + 63 : x1;
      const int64_t bottom = ty * 64 + 63 < y1 ? ty * 64 + 63 : y1;
      const DirtyTile part{grid.tile_index(uint32_t(tx), uint32_t(ty)), uint8_t(left & 63),
                           uint8_t(top & 63), uint8_t(right & 63), uint8_t(bottom & 63)};
      if (!step(part, size_t(left - x0), size_t(top - y0))) return false;
    }
  }
  return true;
}

Fault check_rect(const TileGrid& grid, Rect rect) noexcept {
  if (rect.width < 0 || rect.height < 0)
    return fault(Status::bad_argument, "a rectangle needs a width and a height of at least 0");
  const int64_t x = int64_t{rect.x} - grid.first.x, y = int64_t{rect.y} - grid.first.y;
  if (x < 0 || y < 0 || x + rect.width > grid.width || y + rect.height > grid.height)
    return fault(Status::bad_argument, "the rectangle does not lie inside the map");
  return {};
}

Fault not_loaded() noexcept {
  return fault(Status::not_loaded, "a tile there is absent: provide it first");
}

void mark_dirty(Map::Impl& map, const DirtyTile& part) noexcept {
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

// The common body of all edits of one plane: value(column, row, old) is the new value of a cell,
// count(old, new) keeps the summary, below(tile, cell, new) is true when an obstacle hides the new
// value, settle(part) may exchange an edited tile for a shared one.
template <class Tile, class Value, class Count, class Below, class Settle>
Fault edit_cells(Map::Impl& map, TileTable<Tile>& table, typename TileTable<Tile>::Spare& spare,
                 Rect rect, Value value, Count count, Below below, Settle settle) noexcept {
  if (Fault f = check_rect(map.now.grid, rect)) return f;
  if (rect.width == 0 || rect.height == 0) return {};
  if (map.now.absent_tiles &&
      !each_tile(map.now.grid, rect,
                 [&](const DirtyTile& part, size_t, size_t) { return !map.now.absent(part.tile); }))
    return not_loaded();
  const bool ready =
      table.own(&spare) &&
      each_tile(map.now.grid, rect, [&](const DirtyTile& part, size_t, size_t) {
        return map.dirty.reserve(map.dirty.size() + 1) && table.edit(part.tile) != nullptr;
      });
  const size_t spread = (size_t(rect.width) / 64 + 2) * (size_t(rect.height) / 64 + 2);
  if (!ready || !map.dirty.reserve(map.dirty.size() + spread)) return no_memory_for("the edit");
  each_tile(map.now.grid, rect, [&](const DirtyTile& part, size_t column, size_t row) {
    auto* cells = table.edit(part.tile)->cell;
    bool changed = false;
    for (uint32_t y = part.y0; y <= part.y1; ++y) {
      for (uint32_t x = part.x0; x <= part.x1; ++x) {
        auto& cell = cells[y * 64 + x];
        const auto to = value(column + x - part.x0, row + y - part.y0, cell);
        if (below(part.tile, y * 64 + x, to) || cell == to) continue;
        count(cell, to);
        cell = to;
        changed = true;
      }
    }
    if (changed) mark_dirty(map, part);
    settle(part);
    return true;
  });
  return {};
}

// A tile that has become all one terrain is exchanged for the shared one.
void share_uniform(Map::Impl& map, const DirtyTile& part) noexcept {
  if (part.x0 || part.y0 || part.x1 != 63 || part.y1 != 63) return;
  const uint8_t* cell = map.now.terrain.at(part.tile)->cell;
  if (std::memcmp(cell, cell + 1, kTileCells - 1) != 0) return;
  if (const TerrainTile* tile = map.uniform_tile(cell[0])) map.now.terrain.set(part.tile, tile);
}

void count_terrain(Map::Impl& map, uint8_t from, uint8_t to) noexcept {
  --map.terrain_count[from];
  ++map.terrain_count[to];
}

// value(column, row) gives the new terrain; keeps(column, row): the cell stays as it is.
template <class Value, class Keeps>
Fault edit_terrain(Map::Impl& map, Rect rect, Value value, Keeps keeps) noexcept {
  return edit_cells(
      map, map.now.terrain, map.terrain_spare, rect,
      [&](size_t column, size_t row, uint8_t old) {
        return keeps(column, row) ? old : value(column, row);
      },
      [&](uint8_t from, uint8_t to) { count_terrain(map, from, to); },
      [&](uint32_t tile, uint32_t cell, uint8_t to) {
        if (!map.obstacles.any_in(tile)) return false;
        uint8_t* ground = map.obstacles.ground(tile << 12 | cell);
        if (ground) *ground = to;
        return ground != nullptr;
      },
      [&](const DirtyTile& part) { share_uniform(map, part); });
}

template <class Value>
Fault edit_weight(Map::Impl& map, Rect rect, Value value) noexcept {
  if (map.now.weights.empty())
    return fault(Status::bad_argument, "this map has no weights (MapDef::weights)");
  return edit_cells(
      map, map.now.weights, map.weight_spare, rect,
      [&](size_t column, size_t row, uint16_t) { return value(column, row); },
      [&](uint16_t from, uint16_t to) {
        map.count_weight(from, -1);
        map.count_weight(to, 1);
      },
      [](uint32_t, uint32_t, uint16_t) { return false; }, [](const DirtyTile&) {});
}

// Puts an obstacle on the map or takes it off. After a Fault nothing has changed.
Fault show(Map::Impl& map, Obstacle* obstacle, bool present) noexcept {
  TileTable<TerrainTile>& table = map.now.terrain;
  // 1. All that may fail. The cells are sorted, so those of a tile follow each other.
  bool ready = table.own(&map.terrain_spare) &&
               (!present || map.obstacles.reserve(obstacle->cells.size(), map.now.grid.tiles));
  size_t tiles = 0;
  uint32_t last = UINT32_MAX;
  for (size_t i = 0; ready && i < obstacle->cells.size(); ++i) {
    const uint32_t tile = obstacle->cells[i] >> 12;
    if (tile == last) continue;
    last = tile;
    ++tiles;
    if (map.now.absent(tile)) return not_loaded();
    ready = table.edit(tile) != nullptr;
  }
  if (!ready || !map.dirty.reserve(map.dirty.size() + tiles)) return no_memory_for("the edit");
  // 2. The change.
  for (const CellId id : obstacle->cells) {
    uint8_t& cell = table.edit(id >> 12)->cell[id & (kTileCells - 1)];
    const uint8_t to =
        present ? map.obstacles.cover(id, *obstacle, cell) : map.obstacles.uncover(id, *obstacle);
    if (cell == to) continue;
    count_terrain(map, cell, to);
    cell = to;
    const uint8_t x = id & 63, y = id >> 6 & 63;
    mark_dirty(map, {id >> 12, x, y, x, y});
  }
  obstacle->present = present;
  return {};
}

// The tile of a streamed map in which a cell lies, as far as it lies inside the map.
Fault find_tile(const Map::Impl* map, Cell cell, DirtyTile* part) noexcept {
  if (!map) return fault(Status::bad_argument, "there is no map: call Engine::reset first");
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

constexpr size_t kLoggedRect = 17;  // bytes of a kind and a rectangle
size_t cells_in(Rect r) noexcept {
  return r.width > 0 && r.height > 0 ? size_t(r.width) * size_t(r.height) : 0;
}

constexpr const char* kNoMap = "there is no map: call Engine::reset first";

}  // namespace

// ---------------------------------------------------------------------------------------------
// The face

static const MapDef kNoDefinition{};

int32_t Map::width() const noexcept {
  return impl_ ? impl_->now.grid.width : 0;
}
int32_t Map::height() const noexcept {
  return impl_ ? impl_->now.grid.height : 0;
}
Cell Map::first_cell() const noexcept {
  return impl_ ? impl_->now.grid.first : Cell{};
}
const MapDef& Map::definition() const noexcept {
  return impl_ ? impl_->now.definition : kNoDefinition;
}
bool Map::contains(Cell cell) const noexcept {
  return impl_ && impl_->now.grid.contains(cell);
}
uint64_t Map::version() const noexcept {
  return impl_ ? impl_->now.version : 0;
}

uint8_t Map::terrain(Cell cell) const noexcept {
  return contains(cell) ? impl_->now.terrain_at(impl_->now.grid.id(cell)) : uint8_t{0};
}
uint16_t Map::weight(Cell cell) const noexcept {
  return contains(cell) ? impl_->now.weight_at(impl_->now.grid.id(cell)) : uint16_t{0};
}

Fault Map::set_terrain(Cell cell, uint8_t terrain) noexcept {
  return fill({cell.x, cell.y, 1, 1}, terrain);
}
Fault Map::set_weight(Cell cell, uint16_t weight) noexcept {
  return fill_weight({cell.x, cell.y, 1, 1}, weight);
}
// Each writes itself into the log that records, if there is one. An edit that is refused is not
// worth a line, and neither is one of no cells.
Fault Map::fill(Rect rect, uint8_t terrain) noexcept {
  if (!impl_) return fault(Status::bad_argument, kNoMap);
  EditWriter log(*impl_);
  if (!log.reserve(kLoggedRect + 1)) return no_memory_for("the edit");
  const Fault f = edit_terrain(
      *impl_, rect, [=](size_t, size_t) { return terrain; }, [](size_t, size_t) { return false; });
  if (!f && log.wanted()) {
    log.kind(EditKind::fill);
    log.rect(rect);
    log.byte(terrain);
  }
  return f;
}
Fault Map::fill_weight(Rect rect, uint16_t weight) noexcept {
  if (!impl_) return fault(Status::bad_argument, kNoMap);
  EditWriter log(*impl_);
  if (!log.reserve(kLoggedRect + 4)) return no_memory_for("the edit");
  const Fault f = edit_weight(*impl_, rect, [=](size_t, size_t) { return weight; });
  if (!f && log.wanted()) {
    log.kind(EditKind::fill_weight);
    log.rect(rect);
    log.number(weight);
  }
  return f;
}
Fault Map::stamp(Rect rect, const uint8_t* terrain, size_t stride) noexcept {
  if (!impl_) return fault(Status::bad_argument, kNoMap);
  if (!terrain && rect.width > 0 && rect.height > 0)
    return fault(Status::bad_argument, "stamp needs values");
  if (Fault f = check_rect(impl_->now.grid, rect)) return f;
  EditWriter log(*impl_);
  if (!log.reserve(kLoggedRect + cells_in(rect))) return no_memory_for("the edit");
  const auto value = [=](size_t column, size_t row) { return terrain[row * stride + column]; };
  const Fault f = edit_terrain(*impl_, rect, value, [](size_t, size_t) { return false; });
  if (!f && log.wanted()) {
    log.kind(EditKind::stamp);
    log.rect(rect);
    for (size_t i = 0; i < cells_in(rect); ++i)
      log.byte(value(i % size_t(rect.width), i / size_t(rect.width)));
  }
  return f;
}
Fault Map::stamp_weight(Rect rect, const uint16_t* weight, size_t stride) noexcept {
  if (!impl_) return fault(Status::bad_argument, kNoMap);
  if (!weight && rect.width > 0 && rect.height > 0)
    return fault(Status::bad_argument, "stamp_weight needs values");
  if (Fault f = check_rect(impl_->now.grid, rect)) return f;
  EditWriter log(*impl_);
  if (!log.reserve(kLoggedRect + 2 * cells_in(rect))) return no_memory_for("the edit");
  const auto value = [=](size_t column, size_t row) { return weight[row * stride + column]; };
  const Fault f = edit_weight(*impl_, rect, value);
  if (!f && log.wanted()) {
    log.kind(EditKind::stamp_weight);
    log.rect(rect);
    for (size_t i = 0; i < cells_in(rect); ++i) {
      const uint16_t v = value(i % size_t(rect.width), i / size_t(rect.width));
      log.byte(static_cast<uint8_t>(v));
      log.byte(static_cast<uint8_t>(v >> 8));
    }
  }
  return f;
}
Fault Map::stamp_bits(Rect rect, const uint8_t* bits, size_t stride, uint8_t terrain) noexcept {
  if (!impl_) return fault(Status::bad_argument, kNoMap);
  if (!bits && rect.width > 0 && rect.height > 0)
    return fault(Status::bad_argument, "stamp_bits needs bits");
  if (Fault f = check_rect(impl_->now.grid, rect)) return f;
  EditWriter log(*impl_);
  const size_t row_bytes = (size_t(rect.width) + 7) / 8;
  if (!log.reserve(kLoggedRect + 1 + row_bytes * size_t(rect.height)))
    return no_memory_for("the edit");
  const Fault f = edit_terrain(
      *impl_, rect, [=](size_t, size_t) { return terrain; },
      [=](size_t column, size_t row) {
        return !(bits[row * stride + column / 8] >> (column % 8) & 1);
      });
  if (!f && log.wanted()) {
    log.kind(EditKind::stamp_bits);
    log.rect(rect);
    log.byte(terrain);
    for (size_t row = 0; row < size_t(rect.height); ++row)
      for (size_t i = 0; i < row_bytes; ++i) log.byte(bits[row * stride + i]);
  }
  return f;
}

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
  DirtyTile part;
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

static Fault no_such_obstacle() noexcept {
  return fault(Status::bad_argument, "there is no obstacle of that id");
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

Fault Map::save(const char* path) const noexcept {
  if (!impl_) return fault(Status::bad_argument, kNoMap);
  if (!path) return fault(Status::bad_argument, "save needs a path");
  if (impl_->now.absent_tiles)
    return fault(Status::not_loaded, "tiles of the map are absent: provide them all to save it");
  return save_tile_file(impl_->now, path);
}

Cell Map::cell_at(WorldPoint point) const noexcept {
  return world_to_cell(definition(), point);
}
WorldPoint Map::center(Cell cell) const noexcept {
  return cell_to_world(definition(), cell);
}

Cell world_to_cell(const MapDef& d, WorldPoint p) noexcept {
  // Comparisons are false for NaN, so it takes the way out, as do points beyond 32-bit cells.
  const auto along = [&](double at, double origin) {
    const double cell = std::floor((at - origin) / d.cell_size);
    return cell >= -2147483648.0 && cell <= 2147483647.0 ? static_cast<int32_t>(cell) : INT32_MIN;
  };
  const Cell cell{along(p.x, d.origin.x), along(p.y, d.origin.y)};
  // One coordinate out of range takes the whole cell out of every map.
  if (cell.x == INT32_MIN || cell.y == INT32_MIN) return {INT32_MIN, INT32_MIN};
  return cell;
}

WorldPoint cell_to_world(const MapDef& d, Cell c) noexcept {
  return {d.origin.x + (c.x + 0.5) * d.cell_size, d.origin.y + (c.y + 0.5) * d.cell_size};
}

}  // namespace octile
