// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Map files of tiles as they lie in memory, for huge maps: a file is mapped, checked and used in
// place. Tiles in it are immortal (counted.hpp); an edit copies the tile, as with any shared one.
//
//   head        128 bytes: TileFileHead
//   directory   u32 for each tile of the map, row by row: below 256 all its cells are that terrain,
//               else 256 + its place among the terrain tiles. Then, with weights, the same with
//               65,536. Places count up from 0 in this order: each tile is named once
//   tiles       from the next multiple of 64 bytes: terrain tiles of 4,160 bytes, then weight tiles
//               of 8,256: the count of an immortal object, the cells, zeros
//
// All numbers are little endian. Cells of a tile beyond the map's edge mean nothing.

#include "world/map.hpp"

namespace octile {

struct TileFileHead {
  char magic[8];
  uint32_t version;
  uint32_t weights;  // 1: the map has weights
  uint64_t size;     // of the file, a multiple of 64
  uint64_t checksum;
  int32_t width, height;
  int32_t first_x, first_y;
  double origin_x, origin_y;
  double cell_size;
  double weight_scale;
  uint32_t terrain;  // MapDef::terrain
  uint32_t terrain_tiles, weight_tiles;
  uint32_t zero[9];
};
static_assert(sizeof(TileFileHead) == 128);

// Makes a file of the present cells, obstacles as they show, in one piece of memory.
Fault save_tile_file(const Snapshot& map, const char* path) noexcept;

// Fills a new map, which must not be used when this fails.
Fault load_tile_file(const char* path, Map::Impl* map) noexcept;

}  // namespace octile
