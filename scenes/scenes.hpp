// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Named problems: a map, who walks it, queries, and the exact answer of each. Tests, benchmarks,
// the demo and the docs all take them from here.
//
//   all() ── SceneInfo: name, family, size, one line ──> build(name) ── Scene ──> load(scene, ...)
//
// Listing is cheap; the map of a scene is made only when it is built. Families:
//
//   tutorial   the test bed of the fifth tutorial: 30 % walls at 20, 40, 70, 100, 120 cells
//   squared,
//              20 maps each ("tutorial_120_07")
//   defects    the smallest grid that shows each known defect of the tutorials ("S000-01")
//   shapes     what breaks searches: spirals, combs, one-wide corridors, open fields,
//   checkerboards,
//              and widths around the 64-cell word
//   worlds     larger maps: random, rooms, mazes, an open field, weighted country
//
// The exact costs of the defects are written by hand from the reports; those of the other families
// lie in costs.inc, which the test suite compares with the judge and can write anew.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "octile/octile.hpp"
#include "scenes/generators.hpp"

namespace octile::scenes {

struct SceneQuery {
  Cell start;
  Cell goal;
  Status status = Status::found;  // what every exact solver must answer
  int64_t cost_units = -1;        // Path::cost_units of that answer; -1 unless there is a path
};

struct Scene {
  std::string name;
  std::string family;
  std::string about;  // one line
  Grid grid;
  Profile profile;
  std::vector<SceneQuery> queries;
};

struct SceneInfo {
  std::string name;
  std::string family;
  std::string about;
  int width = 0;
  int height = 0;
};

// In a fixed order: by family, then by size.
const std::vector<SceneInfo>& all();
const std::vector<std::string>& families();
const SceneInfo* info(std::string_view name);  // null when there is none of that name

std::optional<Scene> build(std::string_view name);

// Puts the scene into an Engine: a new map, the scene's Profile, and a commit.
Fault load(const Scene& scene, Engine& engine, ProfileId& profile);

}  // namespace octile::scenes
