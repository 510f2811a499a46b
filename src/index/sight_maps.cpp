// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/sight_maps.hpp"

namespace octile {

bool SightBits::build(const Layer& layer) noexcept {
  width = static_cast<uint32_t>(layer.grid.width);
  height = static_cast<uint32_t>(layer.grid.height);
  row_words = words(width);
  column_words = words(height);
  const size_t in_rows = size_t{height} * row_words, in_columns = size_t{width} * column_words;
  if (!bits.assign(in_rows + 3 * in_columns, 0)) return false;
  uint64_t* row = bits.data();
  uint64_t* column = row + in_rows;
  uint64_t* falls = column + in_columns;
  uint64_t* rises = falls + in_columns;
  rows = row;
  columns = column;
  south_east = falls;
  north_east = rises;
  for (uint32_t y = 0; y < height; ++y) {
    for (uint32_t c = 0; c < row_words; ++c) {
      const LayerTile& tile = *layer.tiles.at(layer.grid.tile_index(c, y >> 6));
      row[size_t{y} * row_words + c] = tile.row[y & 63];
    }
  }
  for (uint32_t x = 0; x < width; ++x) {
    for (uint32_t c = 0; c < column_words; ++c) {
      const LayerTile& tile = *layer.tiles.at(layer.grid.tile_index(x >> 6, c));
      column[size_t{x} * column_words + c] = tile.col[x & 63];
    }
  }
  for (uint32_t y = 0; y < height; ++y) {
    const uint64_t bit = uint64_t{1} << (y & 63);
    const size_t word = y >> 6;
    for (uint32_t x = 0; x < width; ++x) {
      const LayerTile& tile = *layer.tiles.at(layer.grid.tile_index(x >> 6, y >> 6));
      const uint32_t moves = tile.moves[(y & 63) << 6 | (x & 63)];
      if (moves >> kSouthEast & 1) falls[size_t(falling(int64_t{x} - y) - falls) + word] |= bit;
      if (moves >> kNorthEast & 1) rises[size_t(rising(x + y) - rises) + word] |= bit;
    }
  }
  return true;
}

}  // namespace octile
