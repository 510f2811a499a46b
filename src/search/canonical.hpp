// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The canonical order of cheapest paths on uniform maps without corner cutting: diagonal moves as
// early as possible. Tables tell from the legal moves of a cell and the direction it was entered in
// which moves go on (single steps) and which quadrants are to be scanned (jump points).

#include "base/cost.hpp"
#include "world/tiles.hpp"

namespace octile {

// Rules for which the tables hold. A diagonal must cost less than two straight steps and more than
// one, else there are cheapest paths that no canonical path stands for.
inline bool canonical_order(const Profile& profile) noexcept {
  return profile.moves == Moves::eight && profile.diagonal == Diagonal::no_obstacles &&
         profile.metric != Metric::chebyshev;
}

// Direction of a step by (dy + 1) * 3 + dx + 1.
constexpr uint8_t kStepDirection[9] = {kNorthWest, kNorth,     kNorthEast, kWest,     0,
                                       kEast,      kSouthWest, kSouth,     kSouthEast};

// From a cell entered by the straight move d, the side s (d turned by a quarter) is forced when s
// is legal and the diagonal back and aside is not: nothing but this cell leads there as cheaply.
constexpr bool forced(uint32_t moves, uint32_t d, uint32_t side) noexcept {
  const uint32_t back_and_aside = side == ((d + 2) & 7) ? (side + 1) & 7 : (side + 7) & 7;
  return (moves >> side & 1) != 0 && (moves >> back_and_aside & 1) == 0;
}

struct CanonicalMoves {
  uint8_t of[8][256];
};
constexpr CanonicalMoves make_canonical() noexcept {
  CanonicalMoves table{};
  for (uint32_t m = 0; m < 256; ++m) {
    for (uint32_t d = 0; d < 8; ++d) {
      const uint32_t right = (d + 1) & 7, left = (d + 7) & 7;
      uint32_t on = 1u << d;
      if (d & 1) {
        on |= 1u << right | 1u << left;
      } else {
        if (forced(m, d, (d + 2) & 7)) on |= 1u << ((d + 2) & 7) | 1u << right;
        if (forced(m, d, (d + 6) & 7)) on |= 1u << ((d + 6) & 7) | 1u << left;
      }
      table.of[d][m] = static_cast<uint8_t>(m & on);
    }
  }
  return table;
}
inline constexpr CanonicalMoves kCanonical = make_canonical();

// Quadrants between two straight directions, named by their diagonal.
enum Quadrant : uint8_t { kQuadrantSE = 1, kQuadrantSW = 2, kQuadrantNW = 4, kQuadrantNE = 8 };
constexpr uint32_t kAllQuadrants = 15;

// By the straight direction of arrival / 2. The straight way on is part of each quadrant; without a
// forced side the cell would not be a jump point.
struct CanonicalQuadrants {
  uint8_t of[4][256];
};
constexpr CanonicalQuadrants make_quadrants() noexcept {
  CanonicalQuadrants table{};
  for (uint32_t m = 0; m < 256; ++m) {
    for (uint32_t d = 0; d < 8; d += 2) {
      // Quadrant i lies between the straight directions 2 i and 2 i + 2.
      const uint32_t right = d / 2, left = (d / 2 + 3) & 3;
      table.of[d / 2][m] = static_cast<uint8_t>((forced(m, d, (d + 2) & 7) ? 1u << right : 0) |
                                                (forced(m, d, (d + 6) & 7) ? 1u << left : 0));
    }
  }
  return table;
}
inline constexpr CanonicalQuadrants kQuadrants = make_quadrants();

}  // namespace octile
