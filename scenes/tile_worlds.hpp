// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Endless worlds, made tile by tile from where the tile lies: the same whichever tiles are made, in
// whichever order. For streamed maps (MapDef::streamed). Integers only, no state.

#include <cstdint>
#include <string_view>
#include <vector>

namespace octile::scenes {

constexpr int kWorldTile = 64;

struct TileWorld {
  const char* name;
  const char* summary;
  // Fills 64 x 64 cells, row by row: the first has the coordinates 64 * tile_x, 64 * tile_y.
  void (*make)(uint64_t seed, int tile_x, int tile_y, uint8_t* cells);
};

const std::vector<TileWorld>& tile_worlds();
const TileWorld* find_tile_world(std::string_view name);  // null when there is none

}  // namespace octile::scenes
