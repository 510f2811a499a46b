// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// From the chain of nodes that a search found to the Path the caller gets.

#include <algorithm>

#include "search/task.hpp"

namespace octile {

// Waypoints of an answer, start to goal. From one to the next the way is diagonal first, then
// straight (with four moves: horizontal first); searches of single steps have every cell.
using Chain = Buffer<CellId>;

// A Path has so much room before and behind its cells, for kernels that write whole vectors.
constexpr size_t kSpareCells = 16;

// Follows the parents from `last` to the start; with `goal` set and other than `last`, it ends the
// chain. False: memory is short.
template <class Nodes>
bool unwind(const Nodes& nodes, CellId last, CellId goal, Chain* chain) noexcept {
  // Backwards in one go: every step waits for a record from far away.
  chain->clear();
  if (goal != kNoCell && goal != last && !chain->push(goal)) return false;
  for (CellId id = last; id != kNoCell; id = nodes.known(id).parent)
    if (!chain->push(id)) return false;
  std::reverse(chain->begin(), chain->end());
  return true;
}

// The cells where the direction of a path changes, and both ends. False: memory is short.
bool turns(const Cell* cells, size_t count, const TileGrid& grid, Chain* chain) noexcept;

// Cost and cost units of a path of so many steps, the sum of which fits.
void put_cost(const CellCosts& costs, Cost straight, Cost diagonal, Path* path) noexcept;

// Writes cells (or waypoints), cost and cost units. Status::out_of_memory, cost_overflow or found.
Status write_path(const Task& task, const Chain& chain, Output output, bool smooth,
                  Path* path) noexcept;

// Pulls waypoints tight along lines of sight, in place. Uniform maps only.
void smooth_waypoints(const Task& task, Path* path) noexcept;

}  // namespace octile
