// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "world/map.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "world/file_text.hpp"
#include "world/map_edits.hpp"

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
  // What the system says of it, if it has just said something.
  const int reason = errno;
  const auto refused = [reason](const char* what) {
    const char* because = std::strerror(reason);
    return reason == 0 ? fault(Status::bad_argument, what)
                       : world::fault_of(Status::bad_argument, what, ": ", because);
  };
  switch (error) {
    case FileError::none:
      return {};
    case FileError::out_of_memory:
      return no_memory_for("the file");
    case FileError::cannot_open:
      return refused("the file cannot be opened");
    case FileError::cannot_read:
      return refused("the file cannot be read");
    case FileError::cannot_create:
      return refused("the file cannot be created");
    case FileError::cannot_write:
      return refused("the file cannot be written");
    case FileError::no_file:
      return fault(Status::bad_argument, "what has that name is no file, and is not replaced");
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

// Tiles that edits make lie together. False: memory is short.
template <class Tile>
static bool live_in_home(TileTable<Tile>* table) noexcept {
  const auto* home = new (std::nothrow) Home(true);
  table->live_in(home);
  drop(home);
  return home != nullptr;
}

Fault Map::Impl::init(const MapDef& definition) noexcept {
  if (Fault f = check_definition(definition)) return f;
  now.definition = definition;
  now.grid.shape(definition);
  const Fault short_of_memory = no_memory_for("the map");
  if (!live_in_home(&now.terrain)) return short_of_memory;
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
    if (!ones || !live_in_home(&now.weights)) {
      drop(ones);
      return short_of_memory;
    }
    for (uint16_t& w : ones->cell) w = 1;
    const bool ok = now.weights.reset(now.grid.tiles, ones);
    drop(ones);
    if (!ok || !weight_count.assign(65536, 0)) return short_of_memory;
    count_weight(1, static_cast<int32_t>(cells));  // fewer than 2^32 cells: wraps as it should
  }
  recount();
  return {};
}

void Map::Impl::recount() noexcept {
  for (int i = 0; i < 256; ++i) now.terrain_present[i] = terrain_count[i] != 0;
  summarise();
}

void Map::Impl::summarise() noexcept {
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

bool Map::Impl::prepare_spares() noexcept {
  return now.terrain.prepare(&terrain_spare) && now.tile_version.prepare(&version_spare) &&
         (now.weights.empty() || now.weights.prepare(&weight_spare));
}

void Map::Impl::count_weight(uint16_t weight, int32_t cells) noexcept {
  uint32_t& count = weight_count[weight];
  const bool before = count != 0;
  count += static_cast<uint32_t>(cells);
  weight_group[weight >> 8] += static_cast<uint32_t>((count != 0) - before);
}

void Map::Impl::clear_dirty() noexcept {
  now.terrain.settle(&terrain_spare);
  if (!now.weights.empty()) now.weights.settle(&weight_spare);
  terrain_in_place.forget();
  weight_in_place.forget();
  for (const DirtyTile& d : dirty) dirty_slot[d.tile] = 0;
  dirty.clear();
}

// ---------------------------------------------------------------------------------------------
// Edits of cells

Fault check_rect(const TileGrid& grid, Rect rect) noexcept {
  if (rect.width < 0 || rect.height < 0)
    return fault(Status::bad_argument, "a rectangle needs a width and a height of at least 0");
  const int64_t x = int64_t{rect.x} - grid.first.x, y = int64_t{rect.y} - grid.first.y;
  if (x < 0 || y < 0 || x + rect.width > grid.width || y + rect.height > grid.height)
    return fault(Status::bad_argument, "the rectangle does not lie inside the map");
  return {};
}

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

// Of edits that change every cell.
constexpr auto kKeepsNone = [](size_t, size_t) { return false; };

// The common body of all edits of one plane: value(column, row) is the new value of a cell, unless
// keeps(column, row); count(old, new) keeps the summary, below(tile, cell, new) is true when an
// obstacle hides the new value, settle(part) may exchange an edited tile for a shared one.
template <class Tile, class Value, class Keeps, class Count, class Below, class Settle>
Fault edit_cells(Map::Impl& map, TileTable<Tile>& table, typename TileTable<Tile>::Spare& spare,
                 EditsInPlace<Tile>& in_place, Rect rect, Value value, Keeps keeps, Count count,
                 Below below, Settle settle) noexcept {
  if (Fault f = check_rect(map.now.grid, rect)) return f;
  if (rect.width == 0 || rect.height == 0) return {};
  if (map.now.absent_tiles &&
      !each_tile(map.now.grid, rect,
                 [&](const DirtyTile& part, size_t, size_t) { return !map.now.absent(part.tile); }))
    return not_loaded();
  const FewCells few(map, cells_in(rect));
  const bool ready = table.own(&spare) &&
                     each_tile(map.now.grid, rect, [&](const DirtyTile& part, size_t, size_t) {
                       few.ask_for(part, Shown::Ask::where);
                       return map.dirty.reserve(map.dirty.size() + 1) &&
                              few.ready(part.tile, part.box(), &table, &spare, &in_place);
                     });
  const size_t spread = (size_t(rect.width) / 64 + 2) * (size_t(rect.height) / 64 + 2);
  if (!ready || !map.dirty.reserve(map.dirty.size() + spread)) return no_memory_for("the edit");
  each_tile(map.now.grid, rect, [&](const DirtyTile& part, size_t column, size_t row) {
    few.ask_for(part, Shown::Ask::tiles);
    Tile* const shared = in_place.at(part.tile);
    auto* cells = (shared ? shared : table.edit(part.tile, &spare, part.box()))->cell;
    bool changed = false;
    for (uint32_t y = part.y0; y <= part.y1; ++y) {
      for (uint32_t x = part.x0; x <= part.x1; ++x) {
        if (keeps(column + x - part.x0, row + y - part.y0)) continue;
        auto& cell = cells[y * 64 + x];
        const auto to = value(column + x - part.x0, row + y - part.y0);
        if (below(part.tile, y * 64 + x, to) || cell == to) continue;
        count(cell, to);
        if (shared) in_place.note(part.tile, y * 64 + x, cell);
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

template <class Value, class Keeps>
Fault edit_terrain(Map::Impl& map, Rect rect, Value value, Keeps keeps) noexcept {
  return edit_cells(
      map, map.now.terrain, map.terrain_spare, map.terrain_in_place, rect, value, keeps,
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
      map, map.now.weights, map.weight_spare, map.weight_in_place, rect, value, kKeepsNone,
      [&](uint16_t from, uint16_t to) {
        map.count_weight(from, -1);
        map.count_weight(to, 1);
      },
      [](uint32_t, uint32_t, uint16_t) { return false; }, [](const DirtyTile&) {});
}

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
      *impl_, rect, [=](size_t, size_t) { return terrain; }, kKeepsNone);
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
  const Fault f = edit_terrain(*impl_, rect, value, kKeepsNone);
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
