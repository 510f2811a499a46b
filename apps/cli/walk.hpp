// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Walks a path step by step by rules of its own: nothing of the engine's masks, costs or moves is
// used, only the terrain of each cell under the unit and the Profile. What passes here can be
// walked.

#include <string>

#include "octile/octile.hpp"

namespace octile::cli {

// "" when `path` (asked with Output::cells) is a legal way from `start` that costs what it says and
// ends at `goal`; else one line. `goal` is null for a partial path, which may end anywhere.
std::string walk_fault(const View& view, Cell start, const Cell* goal, const Path& path);

// The same rules for one step: its cost in the units of Path::cost, or a negative number when it is
// not legal.
double step_cost(const View& view, Cell from, Cell to);

}  // namespace octile::cli
