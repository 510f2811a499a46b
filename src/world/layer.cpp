// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "world/layer.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "world/bits.hpp"
#include "world/tile_rows.hpp"

namespace octile {

namespace {

// Which cells a Profile may enter, by terrain, and its unit.
struct Passable {
  static constexpr uint32_t kFew = 6;
  static constexpr uint32_t kFewCells = 64;  // looking them up takes less time than the tables
  uint8_t by_terrain[256];
  uint8_t present[kFew];  // those that may be entered and that the map has
  uint32_t count = 0;     // above kFew: not all are listed
  const Profile& profile;
  Footprint unit;

  explicit Passable(const Profile& p) noexcept : profile(p), unit(p) {}
  Passable(const Snapshot& map, const Profile& p) noexcept : Passable(p) { list(map); }
  void list(const Snapshot& map) noexcept {
    for (uint32_t t = 0; t < 256; ++t) {
      by_terrain[t] = profile.terrain_cost[t] != kWall;
      if (!by_terrain[t] || !map.terrain_present[t]) continue;
      if (count < kFew) present[count] = static_cast<uint8_t>(t);
      ++count;
    }
  }
  // Without the tables.
  bool free(uint8_t terrain) const noexcept { return profile.terrain_cost[terrain] != kWall; }
  // Of 64 cells in a row. Comparing them with a few terrains takes less time than looking up each.
  uint64_t bits(const uint8_t* cell) const noexcept {
    uint8_t free[64];
    if (count > kFew) {
      for (uint32_t x = 0; x < 64; ++x) free[x] = by_terrain[cell[x]];
      return bytes_to_bits(free);
    }
    std::memset(free, 0, sizeof free);
    for (uint32_t i = 0; i < count; ++i)
      for (uint32_t x = 0; x < 64; ++x) free[x] |= cell[x] == present[i];
    return bytes_to_bits(free);
  }
};

// The columns (or rows) of the map that lie in the i-th tile across, as bits.
uint64_t inside(int32_t cells, uint32_t tile) noexcept {
  const int64_t left = int64_t{cells} - int64_t{tile} * 64;
  return left >= 64 ? ~uint64_t{0} : (uint64_t{1} << left) - 1;
}

// Lines of a tile, or of what an edit touched in it: [x0, x1] by [y0, y1].
struct Box {
  uint32_t x0 = 0, y0 = 0, x1 = 63, y1 = 63;
};
TileBox tile_box(const Box& b) noexcept {
  const auto line = [](uint32_t i) { return static_cast<uint8_t>(i); };
  return {line(b.x0), line(b.y0), line(b.x1), line(b.y1)};
}

// The bits of row[] inside a box of a tile, from the terrain alone.
void make_rows(const Snapshot& map, const Passable& passable, uint32_t tile_col, uint32_t tile_row,
               const Box& box, uint64_t* row) noexcept {
  const uint32_t at = map.grid.tile_index(tile_col, tile_row);
  if (!passable.unit.one_cell()) {
    const auto line = [](uint32_t i) { return static_cast<uint8_t>(i); };
    fitting_rows(map, passable.by_terrain, passable.unit, tile_col, tile_row,
                 {at, line(box.x0), line(box.y0), line(box.x1), line(box.y1)}, row);
    return;
  }
  const uint8_t* cell = map.terrain.at(at)->cell;
  const uint64_t columns = inside(map.grid.width, tile_col);
  const uint64_t rows = inside(map.grid.height, tile_row);
  for (uint32_t y = box.y0; y <= box.y1; ++y)
    row[y] = rows >> y & 1 ? passable.bits(cell + y * 64) & columns : 0;
}

// The same of few cells, all of which lie inside the map.
void look_up_rows(const Snapshot& map, const Passable& passable, const DirtyTile& part,
                  uint64_t* row) noexcept {
  const uint8_t* cell = map.terrain.at(part.tile)->cell;
  for (uint32_t y = part.y0; y <= part.y1; ++y) {
    row[y] = 0;
    for (uint32_t x = part.x0; x <= part.x1; ++x)
      row[y] |= uint64_t{passable.free(cell[y * 64 + x])} << x;
  }
}

// row[] and col[] of a whole tile.
void set_passability(const uint64_t* row, LayerTile* out) noexcept {
  std::memcpy(out->row, row, sizeof out->row);
  std::memcpy(out->col, row, sizeof out->col);
  transpose(out->col);
}

// The same where `row` has new bits inside a box.
enum class Updated : uint8_t { same, changed, out_of_memory };
Updated update_passability(const uint64_t* row, const Box& box, uint32_t at,
                           TileTable<LayerTile>::Spare* spare,
                           TileTable<LayerTile>* tiles) noexcept {
  constexpr uint32_t kFew = 200;  // flipping them takes less time than a transpose
  const uint64_t columns = (~uint64_t{0} << box.x0) & (~uint64_t{0} >> (63 - box.x1));
  const LayerTile& old = *tiles->at(at);
  uint64_t flipped[64];
  uint32_t count = 0;
  for (uint32_t y = box.y0; y <= box.y1; ++y)
    count += count_bits(flipped[y] = (row[y] ^ old.row[y]) & columns);
  if (count == 0) return Updated::same;
  LayerTile* tile = tiles->edit(at, spare, tile_box(box));
  if (!tile) return Updated::out_of_memory;
  for (uint32_t y = box.y0; y <= box.y1; ++y) {
    tile->row[y] ^= flipped[y];
    if (count > kFew) continue;
    for (uint64_t rest = flipped[y]; rest; rest &= rest - 1)
      tile->col[std::countr_zero(rest)] ^= uint64_t{1} << y;
  }
  if (count > kFew) {
    std::memcpy(tile->col, tile->row, sizeof tile->row);
    transpose(tile->col);
  }
  return Updated::changed;
}

// The rows of a tile with one more on each side, and what is left and right of them.
struct Surroundings {
  uint64_t middle[66];  // rows -1 .. 64
  uint64_t west[66];    // the same rows moved by one: bit x tells of cell x - 1
  uint64_t east[66];    // bit x tells of cell x + 1
};

// `beside`: what lies left and right of the tile is wanted.
template <class Lines>
void look_around(const LayerTile* const* tiles, int32_t across, int32_t along, uint32_t tile,
                 uint32_t first, uint32_t last, bool beside, Lines lines,
                 Surroundings* s) noexcept {
  // `lines` picks row[] or col[]; `along` is the tile step in bit direction, `across` the other.
  const auto fill = [&](uint32_t i, uint32_t at, uint32_t line) {
    const uint64_t m = lines(*tiles[at])[line];
    s->middle[i] = m;
    s->west[i] = m << 1;
    s->east[i] = m >> 1;
    if (!beside) return;
    s->west[i] |= lines(*tiles[at - along])[line] >> 63;
    s->east[i] |= lines(*tiles[at + along])[line] << 63;
  };
  if (first == 0) fill(0, tile - across, 63);
  for (uint32_t line = first == 0 ? 0 : first - 1; line <= last; ++line) fill(line + 1, tile, line);
  if (last < 63) {
    fill(last + 2, tile, last + 1);
  } else {
    fill(65, tile + across, 0);
  }
}

// Of a cell whose moves are known.
void set_diagonals(uint32_t x, uint32_t y, LayerTile* tile) noexcept {
  const uint64_t moves = tile->moves[y * 64 + x], bit = uint64_t{1} << x;
  uint64_t& falling = tile->falling[(x - y) & 63];
  uint64_t& rising = tile->rising[(x + y) & 63];
  falling = (falling & ~bit) | (moves >> kSouthEast & 1) << x;
  rising = (rising & ~bit) | (moves >> kNorthEast & 1) << x;
}

constexpr uint32_t kFewColumns = 8;  // cell by cell takes less time than all of the row

void make_moves(const Surroundings& s, const Profile& profile, const Box& box,
                LayerTile* out) noexcept {
  const bool four = four_way(profile.moves, profile.diagonal);
  uint64_t south_east[64], north_east[64];  // by row, the former upside down
  for (uint32_t y = box.y0; y <= box.y1; ++y) {
    const uint64_t here = s.middle[y + 1];
    const uint64_t north = s.middle[y], south = s.middle[y + 2];
    const uint64_t east = s.east[y + 1], west = s.west[y + 1];
    const auto diagonal = [&](uint64_t target, uint64_t side, uint64_t other) -> uint64_t {
      if (four) return 0;
      switch (profile.diagonal) {
        case Diagonal::always:
          return target;
        case Diagonal::at_most_one_obstacle:
          return target & (side | other);
        case Diagonal::no_obstacles:
          return target & side & other;
        case Diagonal::never:
          break;
      }
      return 0;
    };
    const uint64_t plane[8] = {here & east,  here & diagonal(s.east[y + 2], east, south),
                               here & south, here & diagonal(s.west[y + 2], west, south),
                               here & west,  here & diagonal(s.west[y], west, north),
                               here & north, here & diagonal(s.east[y], east, north)};
    south_east[-y & 63] = plane[kSouthEast];
    north_east[y] = plane[kNorthEast];
    if (box.x1 - box.x0 >= kFewColumns) {
      planes_to_bytes(plane, out->moves + y * 64);
      continue;
    }
    for (uint32_t x = box.x0; x <= box.x1; ++x) {
      uint64_t byte = 0;
      for (uint32_t d = 0; d < 8; ++d) byte |= (plane[d] >> x & 1) << d;
      out->moves[y * 64 + x] = static_cast<uint8_t>(byte);
    }
  }
  // All of the tile at once, or cell by cell.
  if (box.y1 - box.y0 == 63) {
    skew(south_east);
    skew(north_east);
    std::memcpy(out->falling, south_east, sizeof south_east);
    std::memcpy(out->rising, north_east, sizeof north_east);
    return;
  }
  for (uint32_t y = box.y0; y <= box.y1; ++y)
    for (uint32_t x = box.x0; x <= box.x1; ++x) set_diagonals(x, y, out);
}

// Stops of scans towards higher and lower bits, in lines [first, last]; only those bits.
void make_stops(const Surroundings& s, const Profile& profile, uint32_t first, uint32_t last,
                uint64_t bits, uint64_t* up, uint64_t* down) noexcept {
  const auto set = [bits](uint64_t* line, uint64_t value) {
    *line = (*line & ~bits) | (value & bits);
  };
  const bool cutting =
      !four_way(profile.moves, profile.diagonal) && profile.diagonal != Diagonal::no_obstacles;
  const uint64_t squeeze = profile.diagonal == Diagonal::always ? ~uint64_t{0} : 0;
  for (uint32_t y = first; y <= last; ++y) {
    const uint64_t above = s.middle[y], below = s.middle[y + 2], wall = ~s.middle[y + 1];
    if (cutting) {
      const uint64_t ahead_up = (~above & s.east[y]) | (~below & s.east[y + 2]);
      const uint64_t ahead_down = (~above & s.west[y]) | (~below & s.west[y + 2]);
      set(&up[y], wall | (ahead_up & (s.east[y + 1] | squeeze)));
      set(&down[y], wall | (ahead_down & (s.west[y + 1] | squeeze)));
    } else {
      set(&up[y], wall | (above & ~s.west[y]) | (below & ~s.west[y + 2]));
      set(&down[y], wall | (above & ~s.east[y]) | (below & ~s.east[y + 2]));
    }
  }
}

// Everything that follows, in a box of a tile, from the passability of it and its neighbours.
void make_derived(const LayerTile* const* tiles, const TileGrid& grid, const Profile& profile,
                  uint32_t tile, const Box& box, LayerTile* out) noexcept {
  // What lies beside the tile is far away, and matters to the outermost bits alone. Diagonals of
  // all columns are written where the box has all rows.
  const int32_t row = 1 << grid.row_shift;
  const auto between = [](uint32_t first, uint32_t last) {
    return (~uint64_t{0} << first) & (~uint64_t{0} >> (63 - last));
  };
  Surroundings s;
  look_around(
      tiles, row, 1, tile, box.y0, box.y1,
      box.x0 == 0 || box.x1 == 63 || box.x1 - box.x0 >= kFewColumns || box.y1 - box.y0 == 63,
      [](const LayerTile& t) { return t.row; }, &s);
  make_moves(s, profile, box, out);
  make_stops(s, profile, box.y0, box.y1, between(box.x0, box.x1), out->stop[kStopEast],
             out->stop[kStopWest]);
  look_around(
      tiles, 1, row, tile, box.x0, box.x1, box.y0 == 0 || box.y1 == 63,
      [](const LayerTile& t) { return t.col; }, &s);
  make_stops(s, profile, box.x0, box.x1, between(box.y0, box.y1), out->stop[kStopSouth],
             out->stop[kStopNorth]);
}

// A tile all of whose rows are alike, with the same all around.
LayerTile* make_plain_tile(const Profile& profile, uint64_t row, Home* home) noexcept {
  auto* tile = home->make<LayerTile>(0);
  if (!tile) return nullptr;
  tile->make_immortal();
  uint64_t lines[64];
  std::fill(lines, lines + 64, row);
  set_passability(lines, tile);
  TileGrid grid;
  grid.row_shift = 2;
  const LayerTile* tiles[12];
  std::fill(tiles, tiles + 12, tile);
  make_derived(tiles, grid, profile, 5, {}, tile);
  return tile;
}

// True when all cells round a tile are free.
bool in_the_open(const LayerTile* const* tiles, const TileGrid& grid, uint32_t at) noexcept {
  const LayerTile* const* north = tiles + at - (1u << grid.row_shift);
  const LayerTile* const* here = tiles + at;
  const LayerTile* const* south = here + (1u << grid.row_shift);
  const uint64_t corners =
      north[-1]->row[63] >> 63 & north[1]->row[63] & south[-1]->row[0] >> 63 & south[1]->row[0];
  return (north[0]->row[63] & south[0]->row[0] & here[-1]->col[63] & here[1]->col[0]) ==
             ~uint64_t{0} &&
         (corners & 1) != 0;
}

}  // namespace

void LayerTile::follow(const LayerTile& newer, const TileBox& box) noexcept {
  const auto lines = [](uint64_t* to, const uint64_t* from, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i <= last; ++i) to[i] = from[i];
  };
  lines(row, newer.row, box.y0, box.y1);
  lines(col, newer.col, box.x0, box.x1);
  for (const StopDirection d : {kStopEast, kStopWest})
    lines(stop[d], newer.stop[d], box.y0, box.y1);
  for (const StopDirection d : {kStopSouth, kStopNorth})
    lines(stop[d], newer.stop[d], box.x0, box.x1);
  std::memcpy(moves + box.y0 * 64, newer.moves + box.y0 * 64, (box.y1 - box.y0 + 1) * 64);
  std::memcpy(falling, newer.falling, sizeof falling);
  std::memcpy(rising, newer.rising, sizeof rising);
}

void Layer::share(const Layer& other) noexcept {
  grid = other.grid;
  steps = other.steps;
  tiles.share(other.tiles);
  open = other.open;
  flat = tiles.flat();
}

bool build_layer(const Snapshot& map, const Profile& profile, Layer* layer) noexcept {
  const TileGrid& grid = map.grid;
  Layer fresh;
  fresh.grid = grid;
  fresh.steps.shape(grid);
  auto* home = new (std::nothrow) Home(true);
  if (!home) return false;
  home->expect(size_t{grid.tile_cols} * grid.tile_rows * sizeof(LayerTile));
  fresh.tiles.live_in(home);
  drop(home);
  // All tiles of walls share one, and so do all free ones in free surroundings.
  LayerTile* wall = make_plain_tile(profile, 0, home);
  LayerTile* open = make_plain_tile(profile, ~uint64_t{0}, home);
  Buffer<LayerTile*> bits;
  if (!wall || !open || !fresh.tiles.reset(grid.tiles, wall) || !bits.assign(grid.tiles, wall))
    return false;
  // 1. Passability of every tile.
  const Passable passable(map, profile);
  const bool made = each_tile_row(grid, [&](unsigned thread, uint32_t row) {
    const TerrainTile* before = nullptr;  // the last tile, when all places of it are alike
    for (uint32_t column = 0; column < grid.tile_cols; ++column) {
      const uint32_t at = grid.tile_index(column, row);
      LayerTile*& tile = bits[at];
      if (map.terrain.at(at) == before && inside(grid.width, column) == ~uint64_t{0}) {
        tile = bits[at - 1];
        continue;
      }
      uint64_t lines[64];
      make_rows(map, passable, column, row, {}, lines);
      if (std::memcmp(lines, open->row, sizeof lines) == 0) {
        tile = open;
      } else if (std::memcmp(lines, wall->row, sizeof lines) != 0) {
        tile = home->make<LayerTile>(thread);
        if (!tile) return false;
        set_passability(lines, tile);
      }
      const bool alike = tile == open || tile == wall;
      before = alike && passable.unit.one_cell() ? map.terrain.at(at) : nullptr;
    }
    return true;
  });
  if (!made) return false;
  // 2. What follows from it.
  Buffer<LayerTile*> tiles;
  if (!tiles.assign(grid.tiles, wall)) return false;
  const bool derived = each_tile_row(grid, [&](unsigned thread, uint32_t row) {
    for (uint32_t column = 0; column < grid.tile_cols; ++column) {
      const uint32_t at = grid.tile_index(column, row);
      LayerTile*& tile = tiles[at];
      tile = bits[at];
      if (tile == wall || (tile == open && in_the_open(bits.data(), grid, at))) continue;
      if (tile == open) {
        tile = home->make<LayerTile>(thread);
        if (!tile) return false;
        set_passability(open->row, tile);
      }
      make_derived(bits.data(), grid, profile, at, {}, tile);
    }
    return true;
  });
  if (!derived) return false;
  for (uint32_t at = 0; at < grid.tiles; ++at)
    if (tiles[at] != wall && !fresh.tiles.set(at, tiles[at])) return false;
  fresh.open = open;
  fresh.flat = fresh.tiles.flat();
  *layer = std::move(fresh);
  return true;
}

namespace {

// What follows from the passability of an edited part reaches one cell further, into other tiles
// too. False: memory is short.
bool reach(const DirtyTile& d, uint32_t across, Buffer<DirtyTile>* stale) noexcept {
  if (d.x0 > 0 && d.y0 > 0 && d.x1 < 63 && d.y1 < 63) {
    const auto line = [](uint32_t i) { return static_cast<uint8_t>(i); };
    return stale->push(
        {d.tile, line(d.x0 - 1u), line(d.y0 - 1u), line(d.x1 + 1u), line(d.y1 + 1u)});
  }
  // The lines from first - 1 to last + 1 as far as they lie in the tile before (-1), this one
  // (0), or the one after (1); none: first > last.
  const auto part = [](uint32_t first, uint32_t last, int32_t of, uint8_t* from, uint8_t* to) {
    *from = static_cast<uint8_t>(of < 0 ? 63 : of > 0 || first == 0 ? 0 : first - 1);
    *to = static_cast<uint8_t>(of > 0 ? 0 : of < 0 || last == 63 ? 63 : last + 1);
    return of == 0 || (of < 0 ? first == 0 : last == 63);
  };
  for (int32_t dy = -1; dy <= 1; ++dy) {
    for (int32_t dx = -1; dx <= 1; ++dx) {
      DirtyTile s;
      if (!part(d.x0, d.x1, dx, &s.x0, &s.x1)) continue;
      if (!part(d.y0, d.y1, dy, &s.y0, &s.y1)) continue;
      s.tile = d.tile + static_cast<uint32_t>(dx + dy * static_cast<int32_t>(across));
      if (!stale->push(s)) return false;
    }
  }
  return true;
}

// The ring stays wall, and nothing follows in tiles of walls alone.
bool derives(const Layer& layer, uint32_t tile) noexcept {
  const TileGrid& grid = layer.grid;
  const uint32_t column = (tile & ((1u << grid.row_shift) - 1)) - 1;
  const uint32_t row = (tile >> grid.row_shift) - 1;
  return column < grid.tile_cols && row < grid.tile_rows &&
         layer.tiles.at(tile) != layer.tiles.at(0);
}

void flip(const uint64_t* row, const DirtyTile& d, LayerTile* tile) noexcept {
  for (uint32_t y = d.y0; y <= d.y1; ++y) {
    const uint64_t flipped =
        (row[y] ^ tile->row[y]) & (~uint64_t{0} << d.x0) & (~uint64_t{0} >> (63 - d.x1));
    tile->row[y] ^= flipped;
    for (uint64_t rest = flipped; rest; rest &= rest - 1)
      tile->col[std::countr_zero(rest)] ^= uint64_t{1} << y;
  }
}

// Writes into the tiles where they stand; false: some reader may have one of them, and nothing was
// done.
bool update_in_place(const Snapshot& map, const Passable& passable, const DirtyTile& d,
                     LayerSpare* spare, Layer* layer) noexcept {
  uint64_t row[64];
  look_up_rows(map, passable, d, row);
  reach(d, 1u << layer->grid.row_shift, &spare->stale);  // there is room
  LayerTile* tile[9] = {};
  for (size_t i = 0; i < spare->stale.size(); ++i) {
    const DirtyTile& s = spare->stale[i];
    if (!derives(*layer, s.tile)) {
      if (s.tile == d.tile) return false;
      continue;
    }
    if (layer->tiles.at(s.tile) == layer->open) return false;
    tile[i] = layer->tiles.edit_alone(s.tile, kLayerTables, &spare->tiles, s.box());
    if (!tile[i]) return false;
  }
  for (size_t i = 0; i < spare->stale.size(); ++i) {
    if (spare->stale[i].tile != d.tile) continue;
    for (uint32_t y = d.y0; y <= d.y1; ++y) spare->row[y] = tile[i]->row[y];
    spare->first = d.y0;
    spare->last = d.y1;
    flip(row, d, tile[i]);
  }
  spare->in_place = d.tile;
  for (size_t i = 0; i < spare->stale.size(); ++i) {
    const DirtyTile& s = spare->stale[i];
    if (!tile[i]) continue;
    make_derived(layer->tiles.flat(), layer->grid, passable.profile, s.tile,
                 {s.x0, s.y0, s.x1, s.y1}, tile[i]);
  }
  return true;
}

}  // namespace

bool update_layer(const Snapshot& map, const Profile& profile, const Buffer<DirtyTile>& dirty,
                  bool alone, LayerSpare* spare, Layer* layer) noexcept {
  const TileGrid& grid = map.grid;
  Passable passable(profile);
  uint64_t cells = 0;
  for (const DirtyTile& d : dirty) cells += uint64_t(d.x1 - d.x0 + 1) * (d.y1 - d.y0 + 1);
  const bool few = cells <= Passable::kFewCells && passable.unit.one_cell();
  const uint32_t across = 1u << grid.row_shift;
  Buffer<DirtyTile>& stale = spare->stale;
  if (!stale.reserve(9)) return false;  // of one part, with all around it
  stale.clear();
  spare->in_place = LayerSpare::kNone;
  if (!(alone && few && dirty.size() == 1 &&
        update_in_place(map, passable, dirty[0], spare, layer))) {
    stale.clear();
    if (few) {
      for (const DirtyTile& d : dirty)
        ask_for(spare->tiles.before(layer->tiles.at(d.tile), d.tile), d);
    } else {
      passable.list(map);
    }
    if (!layer->tiles.own(&spare->tiles)) return false;
    // 1. Passability of the edited tiles.
    for (const DirtyTile& d : dirty) {
      const Box box{d.x0, d.y0, d.x1, d.y1};
      uint64_t row[64];
      if (few) {
        look_up_rows(map, passable, d, row);
      } else {
        make_rows(map, passable, (d.tile & (across - 1)) - 1, (d.tile >> grid.row_shift) - 1, box,
                  row);
      }
      const Updated updated = update_passability(row, box, d.tile, &spare->tiles, &layer->tiles);
      if (updated == Updated::out_of_memory) return false;
      if (updated == Updated::changed && !reach(d, across, &stale)) return false;
    }
    // 2. Derived bits there.
    for (const DirtyTile& s : stale) {
      if (!derives(*layer, s.tile)) continue;
      LayerTile* tile = layer->tiles.edit(s.tile, &spare->tiles, s.box());
      if (!tile) return false;
      make_derived(layer->tiles.flat(), grid, profile, s.tile, {s.x0, s.y0, s.x1, s.y1}, tile);
    }
  }
  // 3. Tiles that have become like all of their kind: of streamed maps those that went.
  const LayerTile* ring = layer->tiles.at(0);
  for (const DirtyTile& s : stale) {
    const LayerTile* tile = layer->tiles.at(s.tile);
    const bool alike = tile != ring && tile != layer->open &&
                       (tile->row[s.y0] == 0 || tile->row[s.y0] == ~uint64_t{0}) &&
                       std::memcmp(tile->row, tile->row + 1, sizeof tile->row - 8) == 0;
    if (!alike || (tile->row[0] && !in_the_open(layer->tiles.flat(), grid, s.tile))) continue;
    const LayerTile* shared = tile->row[0] ? layer->open : ring;
    shared->take();
    if (!layer->tiles.own(&spare->tiles) || !layer->tiles.set(s.tile, shared)) return false;
  }
  layer->tiles.settle(&spare->tiles);
  layer->flat = layer->tiles.flat();
  return true;
}

void undo_edit(const Profile& profile, LayerSpare* spare, Layer* layer) noexcept {
  if (spare->in_place == LayerSpare::kNone) return;
  const auto own = [&](uint32_t tile) { return const_cast<LayerTile*>(layer->tiles.at(tile)); };
  flip(spare->row, {spare->in_place, 0, spare->first, 63, spare->last}, own(spare->in_place));
  for (const DirtyTile& s : spare->stale)
    if (derives(*layer, s.tile))
      make_derived(layer->tiles.flat(), layer->grid, profile, s.tile, {s.x0, s.y0, s.x1, s.y1},
                   own(s.tile));
  spare->in_place = LayerSpare::kNone;
}

// ---------------------------------------------------------------------------------------------

bool LayerPatch::begin(const Layer& base) noexcept {
  own_.clear();
  blocked_.clear();
  base_ = base.flat;
  if (!flat_.resize(base.grid.tiles)) return false;
  std::memcpy(flat_.data(), base.flat, base.grid.tiles * sizeof(const LayerTile*));
  layer_.grid = base.grid;
  layer_.steps = base.steps;
  layer_.flat = flat_.data();
  return true;
}

LayerTile* LayerPatch::own(uint32_t tile) noexcept {
  if (flat_[tile] != base_[tile]) return const_cast<LayerTile*>(flat_[tile]);
  if (own_.size() == pool_.size()) {
    LayerTile* fresh = new (std::nothrow) LayerTile;
    if (!fresh || !pool_.push(fresh)) {
      drop(fresh);
      return nullptr;
    }
  }
  LayerTile* copy = pool_[own_.size()];
  if (!own_.push(tile)) return nullptr;
  const LayerTile& from = *flat_[tile];
  std::memcpy(copy->row, from.row, sizeof from.row);
  std::memcpy(copy->col, from.col, sizeof from.col);
  std::memcpy(copy->stop, from.stop, sizeof from.stop);
  std::memcpy(copy->moves, from.moves, sizeof from.moves);
  std::memcpy(copy->falling, from.falling, sizeof from.falling);
  std::memcpy(copy->rising, from.rising, sizeof from.rising);
  flat_[tile] = copy;
  return copy;
}

bool LayerPatch::block(const DirtyTile& part) noexcept {
  const uint64_t columns = (~uint64_t{0} << part.x0) & (~uint64_t{0} >> (63 - part.x1));
  const uint64_t rows = (~uint64_t{0} << part.y0) & (~uint64_t{0} >> (63 - part.y1));
  uint64_t taken = 0;
  for (uint32_t y = part.y0; y <= part.y1; ++y) taken |= flat_[part.tile]->row[y] & columns;
  if (!taken) return true;
  LayerTile* tile = own(part.tile);
  if (!tile || !blocked_.push(part)) return false;
  for (uint32_t y = part.y0; y <= part.y1; ++y) tile->row[y] &= ~columns;
  for (uint32_t x = part.x0; x <= part.x1; ++x) tile->col[x] &= ~rows;
  return true;
}

bool LayerPatch::finish(const Profile& profile) noexcept {
  const int32_t across = 1 << layer_.grid.row_shift;
  const LayerTile* ring = flat_[0];
  for (const DirtyTile& d : blocked_) {
    for (int32_t dy = -1; dy <= 1; ++dy) {
      for (int32_t dx = -1; dx <= 1; ++dx) {
        if ((dx < 0 && d.x0 > 0) || (dx > 0 && d.x1 < 63)) continue;
        if ((dy < 0 && d.y0 > 0) || (dy > 0 && d.y1 < 63)) continue;
        const uint32_t tile = d.tile + static_cast<uint32_t>(dx + dy * across);
        if (flat_[tile] != ring && !own(tile)) return false;  // the ring stays wall
      }
    }
  }
  for (size_t i = 0; i < own_.size(); ++i)
    make_derived(flat_.data(), layer_.grid, profile, own_[i], {}, pool_[i]);
  return true;
}

bool LayerPatch::set_moves(CellId place, uint8_t moves) noexcept {
  LayerTile* tile = own(place >> 12);
  if (tile) tile->moves[place & (kTileCells - 1)] = moves;
  return tile != nullptr;
}

void LayerPatch::release() noexcept {
  for (LayerTile* tile : pool_) drop(tile);
  pool_.release();
  flat_.release();
  own_.release();
  blocked_.release();
}

}  // namespace octile
