// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Where cells live: 64 x 64 tiles, shared between versions and copied when they are changed.
//
//   padded tile grid (one ring of tiles around the map, row length a power of two)
//     tile index  = padded tile row << row_shift | padded tile column
//     CellId      = tile index << 12 | (y & 63) << 6 | (x & 63)        with x, y padded by 64
//
// The ring makes every neighbour of a map cell a valid id, so scans and neighbour rules need no
// bounds checks: what lies outside the map is wall. A CellId has 32 bits, so a map has at most 2^20
// tiles with its ring.
//
// TileTable<T> holds a T for each tile index: counted chunks of 32 pointers, which versions share,
// plus one flat array of the same pointers for reading. Publishing a version copies 8 bytes a tile
// (1/512 byte a cell) and counts chunks, never tiles.

#include <cstdint>
#include <new>

#include "base/counted.hpp"
#include "octile/detail/buffer.hpp"
#include "octile/octile.hpp"

namespace octile {

using detail::Buffer;

// A cell in padded, tile-major order.
using CellId = uint32_t;
constexpr CellId kNoCell = 0xffffffff;

constexpr int32_t kTileSide = 64;
constexpr uint32_t kTileCells = 4096;
constexpr uint32_t kMaxTiles = 1u << 20;

// The eight moves, clockwise from east, y down: bit d of a neighbour mask is move d. Even moves are
// straight.
enum Direction : uint8_t {
  kEast,
  kSouthEast,
  kSouth,
  kSouthWest,
  kWest,
  kNorthWest,
  kNorth,
  kNorthEast
};
constexpr int32_t kDx[8] = {1, 1, 0, -1, -1, -1, 0, 1};
constexpr int32_t kDy[8] = {0, 1, 1, 1, 0, -1, -1, -1};
constexpr uint8_t kStraightMoves = 0x55;

// The shape of the tile grid of a map: converts between cells, padded coordinates and ids.
struct TileGrid {
  int32_t width = 0;  // cells of the map
  int32_t height = 0;
  Cell first;              // coordinates of the map's first cell
  uint32_t row_shift = 0;  // padded tiles in a row = 1 << row_shift
  uint32_t tiles = 0;      // length of a table
  uint32_t tile_cols = 0;  // tiles of the map itself
  uint32_t tile_rows = 0;

  // Sets everything from the definition; false when the map needs too many tiles.
  bool shape(const MapDef& definition) noexcept {
    width = definition.width;
    height = definition.height;
    first = definition.first_cell;
    const uint64_t cols = (static_cast<uint64_t>(width) + 63) / 64;
    const uint64_t rows = (static_cast<uint64_t>(height) + 63) / 64;
    row_shift = 0;
    while ((uint64_t{1} << row_shift) < cols + 2) ++row_shift;
    const uint64_t count = (rows + 2) << row_shift;
    if (count > kMaxTiles) return false;
    tiles = static_cast<uint32_t>(count);
    tile_cols = static_cast<uint32_t>(cols);
    tile_rows = static_cast<uint32_t>(rows);
    return true;
  }

  bool contains(Cell c) const noexcept {
    return static_cast<uint64_t>(int64_t{c.x} - first.x) < static_cast<uint64_t>(width) &&
           static_cast<uint64_t>(int64_t{c.y} - first.y) < static_cast<uint64_t>(height);
  }
  uint32_t tile_index(uint32_t tile_col, uint32_t tile_row) const noexcept {
    return ((tile_row + 1) << row_shift) + tile_col + 1;
  }
  // From padded coordinates.
  CellId id(uint32_t px, uint32_t py) const noexcept {
    return (((py >> 6) << row_shift) + (px >> 6)) << 12 | (py & 63) << 6 | (px & 63);
  }
  CellId id(Cell c) const noexcept {
    return id(static_cast<uint32_t>(c.x - first.x) + 64, static_cast<uint32_t>(c.y - first.y) + 64);
  }
  uint32_t px(CellId id) const noexcept {
    return ((id >> 12) & ((1u << row_shift) - 1)) << 6 | (id & 63);
  }
  uint32_t py(CellId id) const noexcept { return (id >> (12 + row_shift)) << 6 | ((id >> 6) & 63); }
  Cell cell(CellId id) const noexcept {
    return {static_cast<int32_t>(px(id)) - 64 + first.x,
            static_cast<int32_t>(py(id)) - 64 + first.y};
  }
};

// Cells in a row of ids are not evenly spaced: steps over a tile's edge jump to another tile. The
// distance from an id to its neighbour in each direction, by where in its tile the id lies.
class NeighbourSteps {
 public:
  void shape(const TileGrid& grid) noexcept {
    const int32_t across = 1 << (grid.row_shift + 12);
    for (int32_t i = 0; i < 9; ++i) {
      const int32_t column = i % 3, row = i / 3;  // 0: first of the tile, 1: inside, 2: last
      const int32_t west = column == 0 ? -(4096 - 63) : -1, east = column == 2 ? 4096 - 63 : 1;
      const int32_t north = row == 0 ? -(across - 63 * 64) : -64;
      const int32_t south = row == 2 ? across - 63 * 64 : 64;
      const int32_t steps[8] = {east, east + south, south, west + south,
                                west, west + north, north, east + north};
      for (int32_t d = 0; d < 8; ++d) step_[i][d] = steps[d];
    }
  }
  const int32_t* of(CellId id) const noexcept {
    const uint32_t x = id & 63, y = (id >> 6) & 63;
    return step_[1 + (x == 63) - (x == 0) + 3 * (1 + (y == 63) - (y == 0))];
  }

 private:
  int32_t step_[9][8] = {};
};

// One T for each tile; entries may be null. Copies are made by share() and cost no tiles.
template <class T>
class TileTable {
 public:
  TileTable() noexcept = default;
  ~TileTable() { release(); }
  TileTable(TileTable&& other) noexcept { swap(other); }
  TileTable& operator=(TileTable&& other) noexcept {
    swap(other);
    return *this;
  }
  TileTable(const TileTable&) = delete;
  TileTable& operator=(const TileTable&) = delete;

  // All entries become `fill` (which gains references) or null.
  bool reset(uint32_t tiles, const T* fill) noexcept {
    TileTable fresh;
    const uint32_t count = (tiles + kChunk - 1) / kChunk;
    if (!fresh.chunks_.reserve(count) || !fresh.flat_.assign(tiles, fill)) return false;
    for (uint32_t i = 0; i < count; ++i) {
      Chunk* chunk = new (std::nothrow) Chunk;
      if (!chunk) return false;
      for (const T*& entry : chunk->entry) {
        entry = fill;
        if (fill) fill->take();
      }
      fresh.chunks_.push(chunk);
    }
    swap(fresh);
    return true;
  }
  // Becomes a copy of `other` that shares everything.
  bool share(const TileTable& other) noexcept {
    TileTable fresh;
    if (!fresh.chunks_.resize(other.chunks_.size())) return false;
    for (size_t i = 0; i < other.chunks_.size(); ++i) {
      fresh.chunks_[i] = other.chunks_[i];
      fresh.chunks_[i]->take();
    }
    if (!fresh.flat_.resize(other.flat_.size())) return false;
    if (!other.flat_.empty())
      std::memcpy(fresh.flat_.data(), other.flat_.data(), other.flat_.size() * sizeof(const T*));
    swap(fresh);
    return true;
  }

  uint32_t size() const noexcept { return static_cast<uint32_t>(flat_.size()); }
  const T* at(uint32_t tile) const noexcept { return flat_[tile]; }
  const T* const* flat() const noexcept { return flat_.data(); }
  bool empty() const noexcept { return flat_.empty(); }

  // Replaces an entry; takes over the caller's reference to `value`, also when it fails.
  bool set(uint32_t tile, const T* value) noexcept {
    Chunk* chunk = own_chunk(tile / kChunk);
    if (!chunk) {
      octile::drop(value);
      return false;
    }
    octile::drop(chunk->entry[tile % kChunk]);
    chunk->entry[tile % kChunk] = value;
    flat_[tile] = value;
    return true;
  }
  // The entry as something only this table has, copied when it is shared; null: memory is short.
  // The entry must not be null.
  T* edit(uint32_t tile) noexcept {
    Chunk* chunk = own_chunk(tile / kChunk);
    if (!chunk) return nullptr;
    const T*& entry = chunk->entry[tile % kChunk];
    if (!entry->unique()) {
      T* copy = new (std::nothrow) T(*entry);
      if (!copy) return nullptr;
      octile::drop(entry);
      entry = copy;
      flat_[tile] = copy;
    }
    return const_cast<T*>(entry);
  }

  void swap(TileTable& other) noexcept {
    chunks_.swap(other.chunks_);
    flat_.swap(other.flat_);
  }
  void release() noexcept {
    for (Chunk* chunk : chunks_) octile::drop(chunk);
    chunks_.release();
    flat_.release();
  }
  size_t table_bytes() const noexcept {
    return chunks_.bytes() + flat_.bytes() + chunks_.size() * sizeof(Chunk);
  }

 private:
  static constexpr uint32_t kChunk = 32;
  struct Chunk : Counted {
    const T* entry[kChunk] = {};
    Chunk() noexcept = default;
    Chunk(const Chunk& other) noexcept : Counted() {
      for (uint32_t i = 0; i < kChunk; ++i) {
        entry[i] = other.entry[i];
        if (entry[i]) entry[i]->take();
      }
    }
    ~Chunk() {
      for (const T* e : entry) octile::drop(e);
    }
  };

  Chunk* own_chunk(uint32_t index) noexcept {
    Chunk*& chunk = chunks_[index];
    if (!chunk->unique()) {
      Chunk* copy = new (std::nothrow) Chunk(*chunk);
      if (!copy) return nullptr;
      octile::drop(chunk);
      chunk = copy;
    }
    return chunk;
  }

  Buffer<Chunk*> chunks_;
  Buffer<const T*> flat_;
};

}  // namespace octile
