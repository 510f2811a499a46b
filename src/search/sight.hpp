// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Straight looks over the Layer's bits: runs of free cells, octile lines, and lines of sight.

#include "world/layer.hpp"

namespace octile {

// True when the `count` cells that follow `id` in a straight direction (kEast, kSouth, kWest or
// kNorth) are all passable.
bool run_is_free(const Layer& layer, CellId id, Direction direction, uint32_t count) noexcept;

// How many passable cells follow `id` in a straight direction.
uint32_t free_run(const Layer& layer, CellId id, Direction direction) noexcept;

// True when the way from `a` to `b`, diagonal steps first and straight ones after, is legal. On a
// uniform map that makes it a cheapest path.
bool octile_line_free(const Layer& layer, CellId a, CellId b) noexcept;

// The straight line between the centres of two passable cells: every cell it crosses is passable,
// and where it goes exactly through a corner the diagonal policy allows that diagonal step.
bool line_of_sight(const Layer& layer, const Profile& profile, CellId a, CellId b) noexcept;

}  // namespace octile
