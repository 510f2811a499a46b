// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The cells and their history: tiles of terrain ids, and of weights where the map has them. The
// Map edits its own tables; commit() hands a Snapshot (tables that share all tiles) to the readers,
// so the next edit of a tile copies that tile where there are readers. Counts of terrains and
// weights present are kept by the edits: they tell, without looking at the map, whether all
// passable cells cost the same and what the cheapest one costs.

#include <cstring>

#include "base/platform.hpp"
#include "world/edits_in_place.hpp"
#include "world/obstacles.hpp"
#include "world/tiles.hpp"

namespace octile {

template <class Value>
struct CellTile : Counted {
  Value cell[kTileCells];
  uint32_t serial = 0;  // of TileTable::edit()

  // Becomes like a newer one, which differs in a box at most.
  void follow(const CellTile& newer, const TileBox& box) noexcept {
    const size_t first = size_t{box.y0} * 64, count = size_t(box.y1 - box.y0 + 1) * 64;
    std::memcpy(cell + first, newer.cell + first, count * sizeof(Value));
  }
};
struct TerrainTile : CellTile<uint8_t> {};
struct WeightTile : CellTile<uint16_t> {};

// An immutable state of the map. Cells in the ring and beyond the map's edge have terrain 0 and
// must be told apart by TileGrid::contains.
struct Snapshot {
  MapDef definition;
  TileGrid grid;
  uint32_t absent_tiles = 0;  // of a streamed map; they share the terrain tile of the ring
  TileTable<TerrainTile> terrain;
  TileTable<WeightTile> weights;       // empty without weights
  SharedArray<uint64_t> tile_version;  // by tile: the version that changed it last
  uint64_t version = 0;
  bool terrain_present[256] = {};
  uint16_t weight_low = 1;  // lowest and highest weight present
  uint16_t weight_high = 1;

  void share(const Snapshot& other) noexcept;
  bool absent(uint32_t tile) const noexcept {
    return absent_tiles != 0 && terrain.at(tile) == terrain.at(0);
  }
  uint8_t terrain_at(CellId id) const noexcept {
    return terrain.at(id >> 12)->cell[id & (kTileCells - 1)];
  }
  uint16_t weight_at(CellId id) const noexcept {
    return weights.empty() ? uint16_t{1} : weights.at(id >> 12)->cell[id & (kTileCells - 1)];
  }
};

// A tile that was edited, with the rectangle that holds all edits (in cells of the tile).
struct DirtyTile {
  uint32_t tile;
  uint8_t x0, y0, x1, y1;  // inclusive
  TileBox box() const noexcept { return {x0, y0, x1, y1}; }
};

// What edits ask of the engine that shows the map; without one there are no Views.
struct Shown {
  enum class Ask : uint8_t { where, tiles };
  const void* engine = nullptr;
  // In how many tables the last commit is, where nobody but the engine has one of its Views; 0:
  // somebody may.
  uint32_t (*tables)(const void* engine) noexcept = nullptr;
  // Asks for the memory that a commit of few cells will look at, which takes its time to come:
  // first where that is, then the tiles.
  void (*ask_for)(const void* engine, const DirtyTile& edited, Ask ask) noexcept = nullptr;
};

struct Map::Impl {
  Snapshot now;  // the present state, edits included
  Obstacles obstacles;
  EditLog::Impl* log = nullptr;  // that records
  TileTable<TerrainTile>::Spare terrain_spare;
  TileTable<WeightTile>::Spare weight_spare;
  SharedArray<uint64_t>::Spare version_spare;
  EditsInPlace<TerrainTile> terrain_in_place;
  EditsInPlace<WeightTile> weight_in_place;
  Shown shown;
  Buffer<uint32_t> dirty_slot;           // per tile: index into dirty + 1, or 0
  Buffer<DirtyTile> dirty;               // tiles edited since the last commit
  const TerrainTile* uniform[256] = {};  // shared tiles of one terrain, made when first needed
  uint64_t terrain_count[256] = {};
  Buffer<uint32_t> weight_count;    // per weight, with weights only
  uint32_t weight_group[256] = {};  // the weights present, per 256 weights

  ~Impl();
  Fault init(const MapDef& definition) noexcept;
  // The shared tile of one terrain, with a reference for the caller; null: memory is short.
  const TerrainTile* uniform_tile(uint8_t terrain) noexcept;
  // Brings the facts that follow from the counts up to date: all, or those that edits do not keep.
  void recount() noexcept;
  void summarise() noexcept;
  // Gives the edited tiles, or all, the version that the next commit makes. False: memory is short.
  bool mark_versions(bool all) noexcept;
  // Before the first commit, after mark_versions(). False: memory is short.
  bool prepare_spares() noexcept;
  void count_weight(uint16_t weight, int32_t cells) noexcept;
  void clear_dirty() noexcept;
  // Before somebody looks at what was committed last: it is as it was, without the edits since.
  void set_edits_aside() noexcept {
    if (!terrain_in_place.empty()) terrain_in_place.set_aside(&now.terrain, &terrain_spare);
    if (!weight_in_place.empty()) weight_in_place.set_aside(&now.weights, &weight_spare);
  }
};

// The map's definition checked on its own; Fault::text says what is wrong.
Fault check_definition(const MapDef& definition) noexcept;

// Shared by Map and View.
Cell world_to_cell(const MapDef& definition, WorldPoint point) noexcept;
WorldPoint cell_to_world(const MapDef& definition, Cell cell) noexcept;

Fault fault(Status status, const char* text) noexcept;
// out_of_memory, "no memory for ...".
Fault no_memory_for(const char* what) noexcept;
// What reading or writing a whole file came to.
Fault fault(FileError error) noexcept;

}  // namespace octile
