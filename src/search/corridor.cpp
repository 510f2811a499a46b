// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "search/corridor.hpp"

#include <cstring>

namespace octile {

namespace {

// Stops of scans along the lines of a tile (its rows or its columns), as layer.cpp makes them.
template <class Lines>
void make_stops(const LayerTile* const* tiles, uint32_t tile, uint32_t along, uint32_t across,
                Lines lines, uint64_t* up, uint64_t* down) noexcept {
  uint64_t middle[66], back[66], ahead[66];
  const auto look = [&](uint32_t i, uint32_t at, uint32_t line) {
    const uint64_t m = lines(*tiles[at])[line];
    middle[i] = m;
    back[i] = m << 1 | lines(*tiles[at - along])[line] >> 63;
    ahead[i] = m >> 1 | lines(*tiles[at + along])[line] << 63;
  };
  look(0, tile - across, 63);
  for (uint32_t i = 0; i < 64; ++i) look(i + 1, tile, i);
  look(65, tile + across, 0);
  for (uint32_t i = 0; i < 64; ++i) {
    const uint64_t wall = ~middle[i + 1];
    up[i] = wall | (middle[i] & ~back[i]) | (middle[i + 2] & ~back[i + 2]);
    down[i] = wall | (middle[i] & ~ahead[i]) | (middle[i + 2] & ~ahead[i + 2]);
  }
}

constexpr uint8_t moves_of(uint32_t a, uint32_t b, uint32_t c) noexcept {
  return static_cast<uint8_t>(~(1u << a | 1u << b | 1u << c));
}

}  // namespace

Corridor::~Corridor() {
  for (LayerTile* tile : fence_) drop(tile);
}

bool Corridor::begin(const Layer& layer) noexcept {
  // The ring of the map is wall, and so is what else shares its tile.
  wall_ = layer.flat[0];
  if (!flat_.assign(layer.grid.tiles, wall_)) return false;
  in_.clear();
  of_ = &layer;
  layer_.grid = layer.grid;
  layer_.steps = layer.steps;
  layer_.flat = flat_.data();
  return true;
}

bool Corridor::enter(const Buffer<uint32_t>& tiles) noexcept {
  for (const uint32_t tile : in_) flat_[tile] = wall_;
  in_.clear();
  if (!in_.reserve(tiles.size())) return false;
  for (const uint32_t tile : tiles) {
    flat_[tile] = of_->flat[tile];
    in_.push(tile);  // reserved
  }
  uint32_t copies = 0;
  for (const uint32_t tile : in_)
    if (!fence(tile, &copies)) return false;
  return true;
}

// Puts a copy in the place of a tile beside which free cells have become wall.
bool Corridor::fence(uint32_t tile, uint32_t* copies) noexcept {
  const uint32_t across = 1u << layer_.grid.row_shift;
  bool gone[8];
  bool any = false;
  for (uint32_t d = 0; d < 8; ++d) {
    const uint32_t at =
        tile + static_cast<uint32_t>(kDx[d]) + static_cast<uint32_t>(kDy[d]) * across;
    gone[d] = !holds(at);
    if (!gone[d]) continue;
    const LayerTile& was = *of_->flat[at];
    const uint64_t line = kDy[d] ? was.row[kDy[d] > 0 ? 0 : 63] : was.col[kDx[d] > 0 ? 0 : 63];
    any = any || line != 0;
  }
  if (!any) return true;
  if (fence_.size() <= *copies) {
    LayerTile* fresh = new (std::nothrow) LayerTile;
    if (!fresh || !fence_.push(fresh)) {
      drop(fresh);
      return false;
    }
  }
  LayerTile* out = fence_[(*copies)++];
  const LayerTile& in = *of_->flat[tile];
  std::memcpy(out->row, in.row, sizeof in.row);
  std::memcpy(out->col, in.col, sizeof in.col);
  std::memcpy(out->moves, in.moves, sizeof in.moves);
  // Of steps that stay in the tile.
  std::memcpy(out->falling, in.falling, sizeof in.falling);
  std::memcpy(out->rising, in.rising, sizeof in.rising);
  const auto forbid = [&](uint32_t first, uint32_t step, uint8_t keep) {
    for (uint32_t i = 0; i < 64; ++i) out->moves[first + i * step] &= keep;
  };
  if (gone[kNorth]) forbid(0, 1, moves_of(kNorthWest, kNorth, kNorthEast));
  if (gone[kSouth]) forbid(63 * 64, 1, moves_of(kSouthWest, kSouth, kSouthEast));
  if (gone[kWest]) forbid(0, 64, moves_of(kNorthWest, kWest, kSouthWest));
  if (gone[kEast]) forbid(63, 64, moves_of(kNorthEast, kEast, kSouthEast));
  const auto forbid_corner = [&](uint32_t d, uint32_t cell) {
    if (gone[d]) out->moves[cell] &= static_cast<uint8_t>(~(1u << d));
  };
  forbid_corner(kNorthWest, 0);
  forbid_corner(kNorthEast, 63);
  forbid_corner(kSouthWest, 63 * 64);
  forbid_corner(kSouthEast, 63 * 64 + 63);
  make_stops(
      flat_.data(), tile, 1, across, [](const LayerTile& t) { return t.row; }, out->stop[kStopEast],
      out->stop[kStopWest]);
  make_stops(
      flat_.data(), tile, across, 1, [](const LayerTile& t) { return t.col; },
      out->stop[kStopSouth], out->stop[kStopNorth]);
  flat_[tile] = out;
  return true;
}

}  // namespace octile
