// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/subgoal_graph.hpp"

#include <algorithm>

#include "base/platform.hpp"

namespace octile {

bool CornerBits::lay_out(uint32_t map_width, uint32_t map_height) noexcept {
  width = map_width;
  height = map_height;
  row_words = SightMaps::words(width + 2);
  column_words = SightMaps::words(height + 2);
  const size_t in_rows = size_t{height + 2} * row_words;
  const size_t in_columns = size_t{width + 2} * column_words;
  if (!bits.resize(2 * in_rows + 2 * in_columns)) return false;
  row_stop = bits.data();
  column_stop = row_stop + in_rows;
  row_corner = column_stop + in_columns;
  column_corner = row_corner + in_rows;
  return true;
}

bool CornerBits::copy(const CornerBits& other) noexcept {
  if (!lay_out(other.width, other.height)) return false;
  std::copy_n(other.bits.begin(), other.bits.size(), bits.begin());
  return true;
}

void CornerBits::set(Point p, bool stop, bool corner) noexcept {
  const size_t in_row = size_t{p.y + 1} * row_words + ((p.x + 1) >> 6);
  const size_t in_column = size_t{p.x + 1} * column_words + ((p.y + 1) >> 6);
  const uint64_t across = uint64_t{1} << ((p.x + 1) & 63), down = uint64_t{1} << ((p.y + 1) & 63);
  const auto put = [&](const uint64_t* map, size_t word, uint64_t bit, bool on) {
    uint64_t& at = bits[static_cast<size_t>(map - bits.data()) + word];
    at = on ? at | bit : at & ~bit;
  };
  put(row_stop, in_row, across, stop);
  put(column_stop, in_column, down, stop);
  put(row_corner, in_row, across, corner);
  put(column_corner, in_column, down, corner);
}

bool CornerBits::build(const Layer& layer) noexcept {
  if (!lay_out(static_cast<uint32_t>(layer.grid.width), static_cast<uint32_t>(layer.grid.height)))
    return false;
  const size_t in_rows = size_t{height + 2} * row_words;
  const size_t in_columns = size_t{width + 2} * column_words;
  uint64_t* rows = bits.data();
  uint64_t* columns = rows + in_rows;
  uint64_t* corner_rows = columns + in_columns;
  uint64_t* corner_columns = corner_rows + in_rows;
  std::fill(rows, corner_rows, ~uint64_t{0});
  std::fill(corner_rows, bits.end(), 0);
  bool corner_of[256];
  for (uint32_t m = 0; m < 256; ++m) corner_of[m] = is_corner(m);
  for (uint32_t y = 0; y < height; ++y) {
    const uint64_t down = uint64_t{1} << ((y + 1) & 63);
    for (uint32_t x = 0; x < width; ++x) {
      const LayerTile& tile = *layer.tiles.at(layer.grid.tile_index(x >> 6, y >> 6));
      if (!(tile.row[y & 63] >> (x & 63) & 1)) continue;
      const uint64_t across = uint64_t{1} << ((x + 1) & 63);
      const size_t in_row = size_t{y + 1} * row_words + ((x + 1) >> 6);
      const size_t in_column = size_t{x + 1} * column_words + ((y + 1) >> 6);
      if (corner_of[tile.moves[(y & 63) << 6 | (x & 63)]]) {
        corner_rows[in_row] |= across;
        corner_columns[in_column] |= down;
      } else {
        rows[in_row] &= ~across;
        columns[in_column] &= ~down;
      }
    }
  }
  return true;
}

bool ClearMaps::build(const CornerMaps& maps) noexcept {
  stride_ = size_t{maps.width} + 2;
  const size_t cells = stride_ * (size_t{maps.height} + 2);
  if (!reserve_large(&clear_, cells) || !clear_.resize(cells) || !reserve_large(&number_, cells) ||
      !number_.assign(cells, 0))
    return false;
  const auto fill = [&](Point p, uint32_t from, uint32_t to) {
    for (uint32_t d = from; d != to; d = (d + 1) & 7) {
      const Point next = CornerMaps::step(p, d, 1);
      const bool stop = !maps.passable(next) || maps.corner(next);
      uint32_t steps = 1;
      if ((d & 1) && !maps.diagonal_legal(p, d))
        steps = 0;
      else if (!stop)
        steps = clear_[at(next)].steps[d] + 1u;
      clear_[at(p)].steps[d] = static_cast<uint16_t>(steps);
    }
  };
  uint32_t count = 0;
  for (uint32_t y = 0; y < maps.height; ++y) {
    for (uint32_t x = 0; x < maps.width; ++x) {
      const Point p{x, y};
      if (!maps.passable(p)) continue;
      if (maps.corner(p)) number_[at(p)] = ++count;
      fill(p, kWest, kEast);  // W, NW, N, NE
    }
  }
  for (uint32_t y = maps.height; y-- > 0;)
    for (uint32_t x = maps.width; x-- > 0;)
      if (maps.passable({x, y})) fill({x, y}, kEast, kWest);  // E, SE, S, SW
  return true;
}

bool SubgoalGraph::build(const CornerMaps& grid, const ClearMaps& clear) noexcept {
  place.clear();
  target.clear();
  if (!row.resize(grid.height + 1)) return false;
  for (uint32_t y = 0; y < grid.height; ++y) {
    row[y] = size();
    for (uint32_t x = 0; x < grid.width; ++x)
      if (grid.corner({x, y}) && !place.push({x, y})) return false;
  }
  row[grid.height] = size();
  if (!first.resize(place.size() + 1)) return false;
  bool fits = true;
  for (uint32_t s = 0; s < size(); ++s) {
    const size_t begin = target.size();
    first[s] = static_cast<uint32_t>(begin);
    direct_reach(clear, place[s], kAllDirections,
                 [&](Point p) { fits = target.push(clear.number(p)) && fits; });
    if (!fits) return false;
    std::sort(target.begin() + begin, target.end());
  }
  first[size()] = static_cast<uint32_t>(target.size());
  return target.size() < UINT32_MAX;
}

}  // namespace octile
