// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Free cells nearest to a cell by the empty-grid distance, found ring by ring around it.

#include "search/task.hpp"

namespace octile {

constexpr uint32_t kAnyComponent = 0xffffffff;

// The passable cells (of one component, if given) that share the least distance to `from`, at most
// `radius` cells away in x and y, in the order of y, x. Empty when there is none. `distance` is
// what they must not exceed, and gets the distance found. False: memory is short. `from` may be any
// cell of the map; `layer` is the world's or one that patches it. Cost: the area of the square
// searched.
bool nearest_free(const WorldView& world, const Layer& layer, CellId from, uint32_t radius,
                  uint32_t component, Cost* distance, Buffer<CellId>* out) noexcept;

}  // namespace octile
