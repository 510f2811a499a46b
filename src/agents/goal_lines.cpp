// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "agents/goal_lines.hpp"

#include <algorithm>
#include <cstring>

namespace octile {

void GoalLines::release() noexcept {
  places_.release();
  slots_.release();
  vertices_.release();
  cells_.release();
  moves_.release();
  blank_.release();
  runs_.release();
  run_ends_.release();
}

bool GoalLines::build(const AgentGraph& graph) noexcept {
  release();
  if (!shape_grid(graph)) return false;
  // Passable cells of a column: in a band, and with a row on each side.
  Buffer<uint8_t> inside, all;
  if (!inside.resize(width_ + 1) || !all.resize(width_ + 1)) return false;
  for (uint32_t top = 1; top + 1 < height_; top += kRows) {
    const uint32_t bottom = std::min(top + kRows, height_ - 1);
    std::fill(inside.begin(), inside.end(), 0);
    std::fill(all.begin(), all.end(), 0);
    for (uint32_t y = top - 1; y <= bottom; ++y)
      for (uint32_t x = 1; x < width_; ++x) {
        const bool passable = blank_[size_t{y} * width_ + x] == kUnknown;
        all[x] = static_cast<uint8_t>(all[x] + passable);
        inside[x] = static_cast<uint8_t>(inside[x] + (passable && y >= top && y < bottom));
      }
    for (uint32_t left = 1; left < width_;) {
      if (inside[left] == 0) {
        ++left;
        continue;
      }
      // Columns from left - 1 to right: as many as there is room for.
      uint32_t right = left + 1;
      uint32_t slots = uint32_t{all[left - 1]} + all[left] + all[right];
      while (right < width_ && right - left < kColumns && slots + all[right + 1] <= kSlots)
        slots += all[++right];
      if (!add_line(top, bottom, left, right)) return false;
      left = right;
    }
  }
  return true;
}

// Bytes by cell, and where in it the vertices are.
bool GoalLines::shape_grid(const AgentGraph& graph) noexcept {
  const TileGrid& tiles = graph.grid;
  Buffer<uint32_t> column_at, row_at;  // by tile
  if (!column_at.assign(tiles.tile_cols, 0) || !row_at.assign(tiles.tile_rows, 0)) return false;
  for (uint32_t row = 0; row < tiles.tile_rows; ++row)
    for (uint32_t column = 0; column < tiles.tile_cols; ++column)
      if (graph.tile_start[tiles.tile_index(column, row)] != kNoVertex)
        column_at[column] = row_at[row] = 1;
  // Now those with anything in them; where they begin, after a wall.
  const auto place = [](Buffer<uint32_t>& starts, int32_t cells) {
    uint64_t next = 1;
    for (size_t i = 0; i < starts.size(); ++i) {
      const bool some = starts[i] != 0;
      starts[i] = static_cast<uint32_t>(next);
      if (some)
        next += std::min<uint64_t>(kTileSide, static_cast<uint64_t>(cells) - kTileSide * i);
      else
        ++next;
    }
    return next;
  };
  const uint64_t width = place(column_at, tiles.width), height = place(row_at, tiles.height) + 1;
  if (width * height > UINT32_MAX / 2) return false;
  width_ = static_cast<uint32_t>(width);
  height_ = static_cast<uint32_t>(height);
  // Behind the last row a cell more, as others have.
  const auto size = static_cast<size_t>(width * height) + kOverrun;
  if (!blank_.assign(size, kWall) || !moves_.assign(size, 0) || !places_.assign(size, 0) ||
      !slots_.assign(size, 0) || !vertices_.assign(size, kNoVertex) || !cells_.resize(graph.size))
    return false;
  for (Vertex v = 0; v < graph.size; ++v) {
    const CellId id = graph.cells[v];
    const uint32_t x = tiles.px(id) - kTileSide, y = tiles.py(id) - kTileSide;
    const uint32_t at =
        (row_at[y / kTileSide] + y % kTileSide) * width_ + column_at[x / kTileSide] + x % kTileSide;
    cells_[v] = at;
    vertices_[at] = v;
    blank_[at] = kUnknown;
    moves_[at] = graph.moves[v];
  }
  return true;
}

// Of the cells in rows top to bottom and columns left to right, without these ends.
bool GoalLines::add_line(uint32_t top, uint32_t bottom, uint32_t left, uint32_t right) noexcept {
  const auto number = static_cast<Place>(run_ends_.size());
  if (number >> 24) return false;
  uint8_t before[kRows + 2][kColumns + 3];  // passable cells before each, row by row
  uint32_t slots = 0;
  for (uint32_t y = top - 1; y <= bottom; ++y) {
    uint32_t run = 0;
    for (uint32_t x = left - 1; x <= right; ++x) {
      const size_t at = size_t{y} * width_ + x;
      before[y - (top - 1)][x - (left - 1)] = static_cast<uint8_t>(slots);
      if (blank_[at] != kUnknown) {
        run = 0;
        continue;
      }
      ++slots;
      if (run++ == 0 && !runs_.push({static_cast<uint32_t>(at), 0})) return false;
      runs_.back().count = run;
    }
  }
  if (!run_ends_.push(static_cast<uint32_t>(runs_.size()))) return false;
  for (uint32_t y = top; y < bottom; ++y) {
    for (uint32_t x = left; x < right; ++x) {
      const size_t at = size_t{y} * width_ + x;
      if (blank_[at] != kUnknown) continue;
      Place p = number << 40 | Place{moves_[at]} << 32;
      for (uint32_t d = 0; d < 8; ++d)
        p |= Place{blank_[static_cast<size_t>(static_cast<int64_t>(at) + offset(d))] == kUnknown}
             << (24 + d);
      for (uint32_t row = 0; row < 3; ++row) p |= Place{before[y - top + row][x - left]} << 8 * row;
      places_[at] = p;
      slots_[at] = static_cast<uint32_t>(number) * kSlots + before[y - top + 1][x - left + 1];
    }
  }
  return true;
}

void GoalLines::pack(const uint8_t* grid, uint8_t* table) const noexcept {
  uint8_t slots[kSlots + kOverrun] = {};
  const Run* run = runs_.data();
  for (const uint32_t end : run_ends_) {
    uint8_t* to = slots;
    for (; run != runs_.data() + end; ++run) {
      // In pieces; what is too much is written over.
      for (uint32_t k = 0; k < run->count; k += kOverrun)
        std::memcpy(to + k, grid + run->cell + k, kOverrun);
      to += run->count;
    }
    const uint8_t* from = slots;
    for (size_t i = 0; i < kBytes; i += 2, from += 8) {
      // Eight bytes of two bits, then four of four, two of eight, one of sixteen.
      uint64_t x = 0;
      for (uint32_t k = 0; k < 8; ++k) x |= uint64_t{from[k]} << 8 * k;
      x &= 0x0303030303030303;
      x = (x | x >> 6) & 0x000f000f000f000f;
      x = (x | x >> 12) & 0x000000ff000000ff;
      x |= x >> 24;
      table[i] = static_cast<uint8_t>(x);
      table[i + 1] = static_cast<uint8_t>(x >> 8);
    }
    table += kBytes;
  }
}

void GoalLines::unpack(const uint8_t* table, uint8_t* grid) const noexcept {
  const Run* run = runs_.data();
  for (const uint32_t end : run_ends_) {
    uint32_t slot = 0;
    for (; run != runs_.data() + end; ++run)
      for (uint32_t k = 0; k < run->count; ++k, ++slot)
        grid[run->cell + k] = table[slot / 4] >> 2 * (slot % 4) & 3;
    table += kBytes;
  }
}

}  // namespace octile
