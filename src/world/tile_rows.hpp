// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Work on every tile of a map, by several threads where the map is large.

#include <atomic>

#include "world/tiles.hpp"

namespace octile {

// Calls work(number of the thread, row of tiles) for every row, until one gives false. Numbers are
// below Home::kRooms.
template <class Work>
bool each_tile_row(const TileGrid& grid, Work work) noexcept {
  constexpr uint32_t kMany = 1024;  // tiles that are worth starting threads for
  std::atomic<uint32_t> next{0};
  std::atomic<bool> well{true};
  auto share = [&](unsigned part) {
    for (uint32_t row; well && (row = next.fetch_add(1)) < grid.tile_rows;)
      if (!work(part, row)) well = false;
  };
  run_parallel(grid.tile_cols * grid.tile_rows < kMany ? 1 : Home::kRooms, share);
  return well;
}

}  // namespace octile
