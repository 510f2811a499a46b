// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "world/tile_file.hpp"

#include <algorithm>
#include <cstddef>

#include "base/file_layout.hpp"

namespace octile {

namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "tile files are little endian");
// A count, the cells, a serial number that is never asked for.
static_assert(sizeof(TerrainTile) == 8 + kTileCells && sizeof(WeightTile) == 8 + 2 * kTileCells,
              "tiles in files are those in memory");

constexpr char kTileMagic[8] = {'o', 'c', 't', 'i', 'l', 'e', 'm', '\n'};
constexpr uint32_t kTileVersion = 1;

template <class Tile>
constexpr size_t kStride = file_aligned(sizeof(Tile));
// The first number of a directory that is no value of a cell.
template <class Tile>
constexpr uint32_t kPlaces = sizeof(Tile::cell[0]) == 1 ? 256 : 65536;

struct TileFileShape {
  size_t tiles = 0, directory = sizeof(TileFileHead), terrain = 0, weights = 0, size = 0;
  TileFileShape(const TileGrid& grid, const TileFileHead& head) noexcept {
    tiles = size_t{grid.tile_cols} * grid.tile_rows;
    terrain = file_aligned(directory + tiles * 4 * (1 + head.weights));
    weights = terrain + head.terrain_tiles * kStride<TerrainTile>;
    size = weights + head.weight_tiles * kStride<WeightTile>;
  }
};

template <class Visit>
void each_map_tile(const TileGrid& grid, Visit visit) noexcept {
  for (uint32_t row = 0; row < grid.tile_rows; ++row)
    for (uint32_t column = 0; column < grid.tile_cols; ++column) visit(column, row);
}

template <class Tile>
bool all_alike(const Tile& tile) noexcept {
  return std::memcmp(tile.cell, tile.cell + 1, sizeof tile.cell - sizeof tile.cell[0]) == 0;
}

// Calls count(value, cells) for the cells of the tile that lie on the map. Few values a tile are
// found by a pass over it for each, which compilers turn into vectors.
template <class Tile, class Count>
void count_cells(const TileGrid& grid, uint32_t column, uint32_t row, const Tile& tile,
                 Count count) noexcept {
  const uint32_t wide = std::min(64u, static_cast<uint32_t>(grid.width) - column * 64);
  const uint32_t high = std::min(64u, static_cast<uint32_t>(grid.height) - row * 64);
  if (wide == 64 && high == 64 && sizeof tile.cell[0] == 1) {
    constexpr uint32_t kPasses = 6;
    uint8_t seen[kPasses];
    uint32_t found = 0, left = kTileCells, at = 0;
    for (uint32_t pass = 0; pass < kPasses && left; ++pass) {
      while (std::find(seen, seen + found, tile.cell[at]) != seen + found) ++at;
      const auto value = static_cast<uint8_t>(tile.cell[at]);
      uint32_t same = 0;
      for (uint32_t y = 0; y < 64; ++y) {
        uint8_t in_row = 0;
        for (uint32_t x = 0; x < 64; ++x)
          in_row = static_cast<uint8_t>(in_row + (tile.cell[y * 64 + x] == value));
        same += in_row;
      }
      seen[found++] = value;
      left -= same;
      count(value, same);
    }
    if (!left) return;
    for (const auto value : tile.cell)
      if (std::find(seen, seen + found, value) == seen + found) count(value, 1u);
    return;
  }
  for (uint32_t y = 0; y < high; ++y)
    for (uint32_t x = 0; x < wide; ++x) count(tile.cell[y * 64 + x], 1u);
}

// ---------------------------------------------------------------------------------------------
// Out

// Writes one directory and its tiles; counts the tiles first when `out` is null.
template <class Tile>
uint32_t put_plane(const TileGrid& grid, const TileTable<Tile>& table, uint8_t* directory,
                   uint8_t* out) noexcept {
  uint32_t place = 0;
  each_map_tile(grid, [&](uint32_t column, uint32_t row) {
    const Tile& tile = *table.at(grid.tile_index(column, row));
    const bool alike = all_alike(tile);
    if (out) {
      const uint32_t entry = alike ? tile.cell[0] : kPlaces<Tile> + place;
      std::memcpy(directory, &entry, sizeof entry);
      directory += sizeof entry;
      if (!alike) {
        std::memcpy(out, &Counted::kImmortal, sizeof Counted::kImmortal);
        std::memcpy(out + sizeof Counted::kImmortal, tile.cell, sizeof tile.cell);
        out += kStride<Tile>;
      }
    }
    place += !alike;
  });
  return place;
}

// ---------------------------------------------------------------------------------------------
// In

const char* wrong_with(const uint8_t* data, size_t size, TileFileHead* head,
                       MapDef* definition) noexcept {
  if (size < sizeof *head) {
    return size < sizeof kTileMagic || std::memcmp(data, kTileMagic, sizeof kTileMagic) != 0
               ? "this is not a tile file of Octile"
               : "the tile file is truncated";
  }
  std::memcpy(head, data, sizeof *head);
  if (std::memcmp(head->magic, kTileMagic, sizeof kTileMagic) != 0)
    return "this is not a tile file of Octile";
  if (head->version != kTileVersion)
    return head->version < kTileVersion ? "the tile file is of an older version: make it anew"
                                        : "the tile file is of a newer version of Octile";
  if (size < head->size) return "the tile file is truncated";
  if (size > head->size) return "the tile file is longer than it should be";
  if (size % 64 != 0 ||
      head->checksum != file_checksum(data, size, offsetof(TileFileHead, checksum)))
    return "the tile file is damaged: its checksum is wrong";
  definition->width = head->width;
  definition->height = head->height;
  definition->first_cell = {head->first_x, head->first_y};
  definition->origin = {head->origin_x, head->origin_y};
  definition->cell_size = head->cell_size;
  definition->terrain = static_cast<uint8_t>(head->terrain);
  definition->weights = head->weights != 0;
  definition->weight_scale = head->weight_scale;
  TileGrid grid;
  bool sound = !check_definition(*definition) && head->terrain < 256 && head->weights < 2 &&
               grid.shape(*definition);
  for (const uint32_t zero : head->zero) sound = sound && zero == 0;
  if (!sound) return "the tile file makes no sense: its head";
  const TileFileShape shape(grid, *head);
  if (head->terrain_tiles > shape.tiles || head->weight_tiles > shape.tiles * head->weights ||
      shape.size != size)
    return "the tile file makes no sense: the number of its tiles";
  return nullptr;
}

// uniform(value): a tile of that value, with a reference, or null. Null, or what is wrong; "":
// memory is short.
template <class Tile, class Uniform, class Count>
const char* take_plane(const TileGrid& grid, const uint8_t* directory, const uint8_t* tiles,
                       uint32_t stored, TileTable<Tile>* table, Uniform uniform,
                       Count count) noexcept {
  const char* wrong = nullptr;
  uint32_t place = 0;
  each_map_tile(grid, [&](uint32_t column, uint32_t row) {
    uint32_t entry;
    std::memcpy(&entry, directory, sizeof entry);
    directory += sizeof entry;
    if (wrong) return;
    const Tile* tile = nullptr;
    if (entry < kPlaces<Tile>) {
      tile = uniform(static_cast<decltype(Tile::cell[0] + 0)>(entry));
    } else {
      if (entry - kPlaces<Tile> != place || place == stored) {
        wrong = "the tile file makes no sense: its directory";
        return;
      }
      const uint8_t* at = tiles + kStride<Tile> * place++;
      if (std::memcmp(at, &Counted::kImmortal, sizeof Counted::kImmortal) != 0) {
        wrong = "the tile file makes no sense: a tile";
        return;
      }
      tile = reinterpret_cast<const Tile*>(at);
    }
    if (tile) count_cells(grid, column, row, *tile, count);
    if (!tile || !table->set(grid.tile_index(column, row), tile)) wrong = "";
  });
  return wrong || place == stored ? wrong : "the tile file makes no sense: its directory";
}

}  // namespace

Fault save_tile_file(const Snapshot& map, const char* path) noexcept {
  TileFileHead head = {};
  std::memcpy(head.magic, kTileMagic, sizeof kTileMagic);
  head.version = kTileVersion;
  const MapDef& d = map.definition;
  head.weights = d.weights;
  head.width = d.width;
  head.height = d.height;
  head.first_x = d.first_cell.x;
  head.first_y = d.first_cell.y;
  head.origin_x = d.origin.x;
  head.origin_y = d.origin.y;
  head.cell_size = d.cell_size;
  head.weight_scale = d.weight_scale;
  head.terrain = d.terrain;
  head.terrain_tiles = put_plane(map.grid, map.terrain, nullptr, nullptr);
  if (d.weights) head.weight_tiles = put_plane(map.grid, map.weights, nullptr, nullptr);
  const TileFileShape shape(map.grid, head);
  head.size = shape.size;
  Buffer<uint64_t> words;
  if (!reserve_large(&words, shape.size / 8) || !words.assign(shape.size / 8, 0))
    return no_memory_for("the tile file");
  auto* data = reinterpret_cast<uint8_t*>(words.data());
  uint8_t* directory = data + shape.directory;
  put_plane(map.grid, map.terrain, directory, data + shape.terrain);
  if (d.weights)
    put_plane(map.grid, map.weights, directory + shape.tiles * 4, data + shape.weights);
  std::memcpy(data, &head, sizeof head);
  head.checksum = file_checksum(data, shape.size, offsetof(TileFileHead, checksum));
  std::memcpy(data, &head, sizeof head);
  return fault(write_file(path, data, shape.size));
}

Fault load_tile_file(const char* path, Map::Impl* map) noexcept {
  const Fault short_of_memory = no_memory_for("the map");
  struct Owned {
    Home* home = new (std::nothrow) Home(true);
    Owned() noexcept = default;
    Owned(const Owned&) = delete;
    ~Owned() { drop(home); }
  };
  const Owned own;
  Home* const home = own.home;
  if (!home) return short_of_memory;
  if (Fault f = fault(home->file.open(path, true))) return f;
  const uint8_t* data = home->file.data();
  TileFileHead head;
  MapDef definition;
  if (const char* wrong = wrong_with(data, home->file.size(), &head, &definition))
    return fault(Status::bad_argument, wrong);
  if (Fault f = map->init(definition)) return f;
  const TileGrid& grid = map->now.grid;
  const TileFileShape shape(grid, head);
  const uint8_t* directory = data + shape.directory;

  // Cells are counted anew: whatever a file says of them could be a lie.
  std::memset(map->terrain_count, 0, sizeof map->terrain_count);
  home->expect(shape.weights - shape.terrain);  // edits may copy all of them
  map->now.terrain.live_in(home);
  const char* wrong = take_plane(
      grid, directory, data + shape.terrain, head.terrain_tiles, &map->now.terrain,
      [&](uint32_t terrain) { return map->uniform_tile(static_cast<uint8_t>(terrain)); },
      [&](uint8_t terrain, uint32_t cells) { map->terrain_count[terrain] += cells; });
  if (!wrong && definition.weights) {
    map->count_weight(1, static_cast<int32_t>(0u - static_cast<uint32_t>(grid.width) *
                                                       static_cast<uint32_t>(grid.height)));
    const Owned own_weights;
    Home* const weights = own_weights.home;
    if (!weights) return short_of_memory;
    home->take();
    weights->under = home;
    weights->expect(shape.size - shape.weights);
    map->now.weights.live_in(weights);
    const WeightTile* last = nullptr;  // uniform tiles in a row are one
    wrong = take_plane(
        grid, directory + shape.tiles * 4, data + shape.weights, head.weight_tiles,
        &map->now.weights,
        [&](uint32_t weight) -> const WeightTile* {
          if (last && last->cell[0] == weight) return last;
          auto* fresh = weights->make<WeightTile>(0);
          if (!fresh) return nullptr;
          fresh->make_immortal();
          std::fill(fresh->cell, fresh->cell + kTileCells, uint16_t(weight));
          return last = fresh;
        },
        [&](uint16_t weight, uint32_t cells) {
          map->count_weight(weight, static_cast<int32_t>(cells));
        });
  }
  if (wrong) return *wrong ? fault(Status::bad_argument, wrong) : short_of_memory;
  map->recount();
  return {};
}

}  // namespace octile
