// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// What a Profile makes of a Snapshot, a tile at a time, for searches to read:
//
//   row[y]       bit x set: the cell is passable                     512 B a tile
//   col[x]       the same, transposed: bit y                         512 B
//   stop[d]      where a straight scan must stop, for E and W in     2 KB
//                rows, for S and N in columns: not passable, or a
//                forced neighbour (jump point)
//   moves[cell]  the legal moves out of a cell, a bit each           4 KB
//   falling[i]   bit x set: the move south-east out of the cell in   512 B
//                column x and row x - i (modulo 64) is legal; so the
//                cells of a diagonal are neighbours in a word
//   rising[i]    the same north-east, in row i - x                   512 B
//
// 2 bytes a cell; with component labels (components.hpp, 1 to 2 bytes), terrain ids (1) and, if
// there are any, weights (2) a map stays below 7 bytes a cell. Tiles that are all wall, or all
// free inside free surroundings, are shared. The first build puts all tiles into one Home; the
// places of those that edits replace are used again, and given back with the last View of that map.
// What lies outside the map is wall, so no reader checks bounds. After edits all lines that saw an
// edited cell are made anew from the terrain: exactly the same bits come out as from a fresh build.
// For units larger than a cell, cells are places (sizes.hpp).
//
// Moving east, x is a stop (Harabor and Grastien 2011, 2014; docs/decisions/jump_points.md)
//   no_obstacles, four moves  when the cell above (or below) x is free and the one above (below)
//                             x - 1 is not. Scans of four moves read those of columns only
//   always                    when the cell above x is not free and the one above x + 1 is
//   at_most_one_obstacle      the same where x + 1 is free too

#include <bit>

#include "world/bits.hpp"
#include "world/sizes.hpp"

namespace octile {

enum StopDirection : uint8_t { kStopEast, kStopSouth, kStopWest, kStopNorth };

struct LayerTile : Counted {
  uint32_t serial = 0;  // of TileTable::edit()
  alignas(64) uint64_t row[64];
  uint64_t col[64];
  uint64_t stop[4][64];  // by StopDirection; east and west by row, south and north by column
  uint8_t moves[kTileCells];
  uint64_t falling[64];
  uint64_t rising[64];

  // How many diagonal steps are legal one after the other from a cell, at most `most`, which must
  // not lead out of the tile.
  template <int kX, int kY>
  uint32_t run(uint32_t x, uint32_t y, uint32_t most) const noexcept {
    const uint64_t word = kX == kY ? falling[(x - y) & 63] : rising[(x + y) & 63];
    // Westwards: by the bits of the cells that are gone to.
    const uint64_t stops = kX > 0 ? ~(word >> x) : ~(word << 1 << (63 - x));
    const int n = kX > 0 ? std::countr_zero(stops) : std::countl_zero(stops);
    return static_cast<uint32_t>(n) < most ? static_cast<uint32_t>(n) : most;
  }

  // Becomes like a newer one, which differs in the lines of a box at most.
  void follow(const LayerTile& newer, const TileBox& box) noexcept;
};

struct Layer {
  TileGrid grid;
  NeighbourSteps steps;
  TileTable<LayerTile> tiles;
  const LayerTile* open = nullptr;         // that free tiles in free surroundings share
  const LayerTile* const* flat = nullptr;  // what readers read: the tiles, or those of a LayerPatch

  const LayerTile& tile(CellId id) const noexcept { return *flat[id >> 12]; }
  bool passable(CellId id) const noexcept { return tile(id).row[(id >> 6) & 63] >> (id & 63) & 1; }
  uint8_t moves(CellId id) const noexcept { return tile(id).moves[id & (kTileCells - 1)]; }

  // Whether jump points lie close together, by what is ahead of eastward scans in eight rows about
  // a cell: more than every eighth cell. 2 of 100 are usual, 26 on random maps with 25 % walls.
  bool crowded(CellId id) const noexcept {
    const LayerTile& t = tile(id);
    const uint32_t first = (id >> 6 & 63) & ~7u;
    uint32_t count = 0;
    for (uint32_t y = first; y < first + 8; ++y)
      count += count_bits(t.row[y] & t.stop[kStopEast][y]);
    return count > 64;
  }

  void share(const Layer& other) noexcept;
};

// Builds every tile; false: memory is short, the layer is unchanged.
bool build_layer(const Snapshot& map, const Profile& profile, Layer* layer) noexcept;

// Those of the last version and of the one that is made.
constexpr uint32_t kLayerTables = 2;

// What a writer keeps from one version to the next.
struct LayerSpare {
  TileTable<LayerTile>::Spare tiles;
  Buffer<DirtyTile> stale;  // what the last update_layer() made anew
  // The tile that it wrote into where it stood, and the lines it had then; kNone: there is none.
  static constexpr uint32_t kNone = 0xffffffff;
  uint32_t in_place = kNone;
  uint8_t first = 0, last = 0;
  uint64_t row[64];
  void forget() noexcept {
    tiles.forget();
    stale.release();
    in_place = kNone;
  }
};

// Few edited cells of a tile lie in some twenty cache lines of it and of the one before: these are
// asked for at once. Inlined: calls of a function that does nothing else GCC leaves out.
[[gnu::always_inline]] inline void ask_for(const LayerTile* tile, const DirtyTile& d) noexcept {
  if (!tile) return;
  const uint32_t x0 = d.x0 - (d.x0 > 0), x1 = d.x1 + (d.x1 < 63);
  const uint32_t y0 = d.y0 - (d.y0 > 0), y1 = d.y1 + (d.y1 < 63);
  for (const uint64_t* lines : {tile->row, tile->stop[kStopEast], tile->stop[kStopWest]}) {
    __builtin_prefetch(lines + y0);
    __builtin_prefetch(lines + y1);
  }
  for (const uint64_t* lines : {tile->col, tile->stop[kStopSouth], tile->stop[kStopNorth]}) {
    __builtin_prefetch(lines + x0);
    __builtin_prefetch(lines + x1);
  }
  for (uint32_t y = y0; y <= y1; ++y) __builtin_prefetch(tile->moves + y * 64);
  __builtin_prefetch(tile->falling + ((x0 - y1) & 63));
  __builtin_prefetch(tile->falling + ((x1 - y0) & 63));
  __builtin_prefetch(tile->rising + ((x0 + y0) & 63));
  __builtin_prefetch(tile->rising + ((x1 + y1) & 63));
}
// The memory that such an edit will look at.
[[gnu::always_inline]] inline void ask_for(const Layer& layer, const LayerSpare& spare,
                                           const DirtyTile& edited) noexcept {
  ask_for(layer.tiles.at(edited.tile), edited);
  layer.tiles.ask_for(edited.tile, kLayerTables - 1, spare.tiles);
}

// Brings a layer that shares the tiles of the last version up to date with the edits in `dirty`,
// which names places: see grow() in sizes.hpp. Costs what they touch. False: memory is short, and
// the layer is of no use. `alone`: nobody else has, or will have, the View of the last version.
// Then an edit of few cells writes into the tiles where they stand, so that the last version
// changes as well, until undo_edit().
bool update_layer(const Snapshot& map, const Profile& profile, const Buffer<DirtyTile>& dirty,
                  bool alone, LayerSpare* spare, Layer* layer) noexcept;

// Of the layer of the last version: takes back what was written where it stood, if anything was.
void undo_edit(const Profile& profile, LayerSpare* spare, Layer* layer) noexcept;

// The passability that a layer had before an update.
class EarlierLayer {
 public:
  EarlierLayer(const Layer& before, const LayerSpare& spare) noexcept
      : before_(before), spare_(spare) {}

  // False: all of the tile is as it was.
  bool differs(const Layer& now, uint32_t tile) const noexcept {
    return tile == spare_.in_place || before_.tiles.at(tile) != now.tiles.at(tile);
  }
  // Of an edited tile, by row, as far as rows were edited.
  const uint64_t* rows(uint32_t tile) const noexcept {
    return tile == spare_.in_place ? spare_.row : before_.tiles.at(tile)->row;
  }
  // Of a tile that comes after the one that is looked at, among those edited together: all.
  const LayerTile& tile(uint32_t tile) const noexcept { return *before_.tiles.at(tile); }

 private:
  const Layer& before_;
  const LayerSpare& spare_;
};

// A Layer with some places taken away, for one query: copies of the tiles that this changes, beside
// the others. Costs 8 bytes a tile of the map, and about a microsecond for each tile touched;
// allocates nothing once warm. The base must outlive it.
class LayerPatch {
 public:
  LayerPatch() noexcept = default;
  ~LayerPatch() { release(); }
  LayerPatch(const LayerPatch&) = delete;
  LayerPatch& operator=(const LayerPatch&) = delete;

  // All of these: false when memory is short; the layer is then of no use.
  bool begin(const Layer& base) noexcept;
  // Takes away all places in a part of a tile.
  bool block(const DirtyTile& part) noexcept;
  // To be called after the last block().
  bool finish(const Profile& profile) noexcept;
  // After finish(): the moves out of a place, as they are for this query.
  bool set_moves(CellId place, uint8_t moves) noexcept;

  const Layer& layer() const noexcept { return layer_; }
  bool changed() const noexcept { return !blocked_.empty(); }
  // visit(place) for all that were taken away.
  template <class Visit>
  void each_taken(Visit visit) const noexcept {
    for (const uint32_t tile : own_)
      for (uint32_t y = 0; y < 64; ++y)
        for (uint64_t rest = base_[tile]->row[y] & ~flat_[tile]->row[y]; rest; rest &= rest - 1)
          visit(tile << 12 | y << 6 | static_cast<uint32_t>(__builtin_ctzll(rest)));
  }
  size_t bytes() const noexcept {
    return flat_.bytes() + pool_.bytes() + pool_.size() * sizeof(LayerTile) + own_.bytes() +
           blocked_.bytes();
  }
  void release() noexcept;

 private:
  LayerTile* own(uint32_t tile) noexcept;

  Layer layer_;
  const LayerTile* const* base_ = nullptr;
  Buffer<const LayerTile*> flat_;
  Buffer<LayerTile*> pool_;
  Buffer<uint32_t> own_;  // the tiles that stand in the pool, in its order
  Buffer<DirtyTile> blocked_;
};

}  // namespace octile
