// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// How the families of scenes are put together; for the files in this folder only.

#include <functional>
#include <vector>

#include "scenes/scenes.hpp"

namespace octile::scenes {

struct Entry {
  SceneInfo info;
  // Fills grid, profile and queries.
  std::function<void(Scene&)> make;
};

// One function a family; each appends its scenes in their final order.
void add_tutorial(std::vector<Entry>& entries);
void add_defects(std::vector<Entry>& entries);
void add_shapes(std::vector<Entry>& entries);
void add_worlds(std::vector<Entry>& entries);

// Queries that any map can have, between ends that are surely connected under the scene's Profile:
// corner to corner both ways round, side to side, corner to the middle, and the first one back. An
// end is the cell of the largest connected part that lies nearest to the place asked for (by
// |dx| + |dy|, then y, then x). When the map has another part, one query leads there and must fail.
void add_corner_queries(Scene& scene);

}  // namespace octile::scenes
