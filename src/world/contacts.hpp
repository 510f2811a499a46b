// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Where the free cells of a tile touch those of the tiles around it.

#include <bit>

#include "world/layer.hpp"

namespace octile {

// The free cells along the four sides of a tile: bit y on the east and west side, x on the others.
struct TileEdges {
  uint64_t east, south, west, north;
};

inline TileEdges tile_edges(const LayerTile& tile) noexcept {
  return {tile.col[63], tile.row[63], tile.col[0], tile.row[0]};
}

// The sides that no earlier tile has looked at, or all.
enum ContactSides : uint8_t { kContactsAfter, kContactsAll };

// Calls visit(cell, other tile, its cell) where a free cell of the tile `at` touches one of another
// tile: once for each run of neighbouring pairs, all of which belong to the same two pieces.
// `edges` are those of the tile, bits(tile) gives the bits of others.
template <class Bits, class Visit>
void each_contact(const TileEdges& edges, uint32_t at, const TileGrid& grid, bool eight,
                  ContactSides sides, Bits bits, Visit visit) noexcept {
  const auto runs = [](uint64_t both, auto each) {
    for (uint64_t rest = both & ~(both << 1); rest; rest &= rest - 1)
      each(static_cast<uint32_t>(std::countr_zero(rest)));
  };
  // The cells along a side of this tile, and those along the side of the other that lies there.
  const auto side = [&](uint64_t near, uint32_t tile, uint64_t far, auto near_cell, auto far_cell) {
    runs(near & far, [&](uint32_t i) { visit(near_cell(i), tile, far_cell(i)); });
    if (!eight) return;
    runs(near & far >> 1, [&](uint32_t i) { visit(near_cell(i), tile, far_cell(i + 1)); });
    runs(near & far << 1, [&](uint32_t i) { visit(near_cell(i), tile, far_cell(i - 1)); });
  };
  const auto left = [](uint32_t i) { return i * 64; };
  const auto right = [](uint32_t i) { return i * 64 + 63; };
  const auto top = [](uint32_t i) { return i; };
  const auto bottom = [](uint32_t i) { return 63 * 64 + i; };
  const uint32_t across = 1u << grid.row_shift;
  side(edges.east, at + 1, bits(at + 1).col[0], right, left);
  side(edges.south, at + across, bits(at + across).row[0], bottom, top);
  if (sides == kContactsAll) {
    side(edges.west, at - 1, bits(at - 1).col[63], left, right);
    side(edges.north, at - across, bits(at - across).row[63], top, bottom);
  }
  if (!eight) return;
  const auto corner = [&](bool near, uint32_t cell, uint32_t tile, uint32_t other) {
    if (near && (bits(tile).row[other >> 6] >> (other & 63) & 1)) visit(cell, tile, other);
  };
  corner(edges.south >> 63, kTileCells - 1, at + across + 1, 0);
  corner(edges.south & 1, 63 * 64, at + across - 1, 63);
  if (sides == kContactsAfter) return;
  corner(edges.north >> 63, 63, at - across + 1, 63 * 64);
  corner(edges.north & 1, 0, at - across - 1, kTileCells - 1);
}

}  // namespace octile
