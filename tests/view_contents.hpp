// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// All that a View shows, as bytes: a copy that is taken when the View is new tells later whether
// anything that it shares with others was written to.

#include <cstring>
#include <vector>

#include "engine/view.hpp"

namespace octile::test {

inline std::vector<uint8_t> contents_of(const View& view) {
  const WorldView& w = view.impl()->world;
  std::vector<uint8_t> all;
  const auto put = [&](const auto* from, size_t count) {
    const size_t at = all.size();
    all.resize(at + count * sizeof *from);
    if (count) std::memcpy(&all[at], from, count * sizeof *from);
  };
  const auto put_tile = [&](uint32_t t) {
    const LayerTile& layer = *w.layer.flat[t];
    put(layer.row, 64);
    put(layer.col, 64);
    put(layer.stop[0], 4 * 64);
    put(layer.moves, kTileCells);
    put(w.map.terrain.at(t)->cell, kTileCells);
    if (!w.map.weights.empty()) put(w.map.weights.at(t)->cell, kTileCells);
    put(&w.map.tile_version[t], 1);
    std::vector<uint32_t> of_cell;
    for (uint32_t i = 0; i < kTileCells; ++i) {
      if (!(layer.row[i >> 6] >> (i & 63) & 1)) continue;
      of_cell.push_back(w.components.of(t << 12 | i));
      if (!w.dearest.empty()) of_cell.push_back(w.dearest.of(w.map.grid, t << 12 | i));
    }
    put(of_cell.data(), of_cell.size());
  };
  put_tile(0);  // the ring's
  for (uint32_t row = 0; row < w.map.grid.tile_rows; ++row)
    for (uint32_t column = 0; column < w.map.grid.tile_cols; ++column)
      put_tile(w.map.grid.tile_index(column, row));
  if (const PocketTree* tree = w.pockets.tree())
    for (uint32_t side = 0; side < 2; ++side)
      put(w.pockets.span(side), tree->side[side].block.size());
  return all;
}

}  // namespace octile::test
