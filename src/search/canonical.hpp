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

// What jump points are, by the rule of moves.
enum class JumpRule : uint8_t {
  no_cutting,  // no_obstacles: all are reached straight
  cutting,     // always and at_most_one_obstacle: on diagonals too
  four,        // four moves: horizontal ones take the place of diagonals
};
constexpr uint32_t kJumpRules = 3;

// With diagonals as dear as straight steps there is no canonical order: see above.
inline bool has_jump_points(const Profile& profile) noexcept {
  return four_way(profile.moves, profile.diagonal) || profile.metric != Metric::chebyshev;
}
inline JumpRule jump_rule(const Profile& profile) noexcept {
  if (four_way(profile.moves, profile.diagonal)) return JumpRule::four;
  return profile.diagonal == Diagonal::no_obstacles ? JumpRule::no_cutting : JumpRule::cutting;
}

// Where corners may be cut: the diagonals forced by the walls beside a cell that was entered by d,
// a bit of the move each. The straight move between such a diagonal and the way back is illegal.
constexpr uint32_t forced_diagonals(uint32_t moves, uint32_t d) noexcept {
  const uint32_t turn = 1 + (d & 1);
  const uint32_t right = (d + turn) & 7, left = (d - turn) & 7;
  const bool at_right = (moves >> right & 1) != 0 && (moves >> ((right + 1) & 7) & 1) == 0;
  const bool at_left = (moves >> left & 1) != 0 && (moves >> ((left + 7) & 7) & 1) == 0;
  return (at_right ? 1u << right : 0) | (at_left ? 1u << left : 0);
}

// Quadrants between two straight directions, named by their diagonal.
enum Quadrant : uint8_t { kQuadrantSE = 1, kQuadrantSW = 2, kQuadrantNW = 4, kQuadrantNE = 8 };
constexpr uint32_t kAllQuadrants = 15;
// Without the straight scans from the cell itself, which have been made.
constexpr uint32_t kDiagonalsOnly = 16;
// With four moves: a scan for each of them.
enum Way : uint8_t { kWayEast = 1, kWaySouth = 2, kWayWest = 4, kWayNorth = 8 };

// What is to be scanned from a jump point, by the direction of arrival. The straight way on is part
// of each quadrant; without a forced side the cell would not be a jump point. A diagonal way on has
// been scanned with the cell.
struct JumpTurns {
  uint8_t of[8][256];
};
constexpr JumpTurns make_turns(JumpRule rule) noexcept {
  JumpTurns table{};
  for (uint32_t m = 0; m < 256; ++m) {
    for (uint32_t d = 0; d < 8; ++d) {
      // Quadrant i lies between the straight directions 2 i and 2 i + 2.
      uint32_t scans = 0;
      if (rule == JumpRule::four) {
        // Only some of the sides are forced, which takes a look at the cell before: kernels do
        // that.
        for (uint32_t side = 0; side < 8; side += 4) scans |= (m >> side & 1) << side / 2;
        scans |= 1u << d / 2;
      } else if (rule == JumpRule::cutting) {
        const uint32_t diagonals = forced_diagonals(m, d);
        for (uint32_t f = 1; f < 8; f += 2) scans |= (diagonals >> f & 1) << f / 2;
        if (d & 1) scans |= kDiagonalsOnly;
      } else if (!(d & 1)) {
        if (forced(m, d, (d + 2) & 7)) scans |= 1u << d / 2;
        if (forced(m, d, (d + 6) & 7)) scans |= 1u << ((d / 2 + 3) & 3);
      }
      table.of[d][m] = static_cast<uint8_t>(scans);
    }
  }
  return table;
}
// By JumpRule.
inline constexpr JumpTurns kJumpTurns[kJumpRules] = {
    make_turns(JumpRule::no_cutting), make_turns(JumpRule::cutting), make_turns(JumpRule::four)};

}  // namespace octile
