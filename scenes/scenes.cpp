// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "scenes/scenes.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "scenes/scene_parts.hpp"

namespace octile::scenes {
namespace {

// The exact costs on file: Path::cost_units, -1 where there is no path.
struct CostRow {
  const char* scene;
  int64_t units[8];
};
const CostRow kCosts[] = {
#include "scenes/costs.inc"
};

struct Registry {
  std::vector<Entry> entries;
  std::vector<SceneInfo> infos;
  std::vector<std::string> families;
  std::unordered_map<std::string_view, size_t> by_name;
  std::unordered_map<std::string_view, const CostRow*> costs;

  Registry() {
    add_tutorial(entries);
    add_defects(entries);
    add_shapes(entries);
    add_worlds(entries);
    for (const Entry& entry : entries) {
      infos.push_back(entry.info);
      if (std::find(families.begin(), families.end(), entry.info.family) == families.end()) {
        families.push_back(entry.info.family);
      }
    }
    for (size_t i = 0; i < infos.size(); ++i) by_name[infos[i].name] = i;
    for (const CostRow& row : kCosts) costs[row.scene] = &row;
  }
};

const Registry& registry() {
  static const Registry table;
  return table;
}

}  // namespace

const std::vector<SceneInfo>& all() {
  return registry().infos;
}

const std::vector<std::string>& families() {
  return registry().families;
}

const SceneInfo* info(std::string_view name) {
  const auto found = registry().by_name.find(name);
  return found == registry().by_name.end() ? nullptr : &registry().infos[found->second];
}

std::optional<Scene> build(std::string_view name) {
  const auto found = registry().by_name.find(name);
  if (found == registry().by_name.end()) return std::nullopt;
  const Entry& entry = registry().entries[found->second];
  Scene scene;
  scene.name = entry.info.name;
  scene.family = entry.info.family;
  scene.about = entry.info.about;
  entry.make(scene);
  const auto costs = registry().costs.find(name);
  if (costs == registry().costs.end()) return scene;
  for (size_t i = 0; i < scene.queries.size() && i < std::size(costs->second->units); ++i) {
    scene.queries[i].cost_units = costs->second->units[i];
  }
  return scene;
}

Fault load(const Scene& scene, Engine& engine, ProfileId& profile) {
  MapDef definition;
  definition.width = scene.grid.width;
  definition.height = scene.grid.height;
  const size_t stride = static_cast<size_t>(scene.grid.width);
  if (Fault fault = engine.reset(definition, scene.grid.cells.data(), stride)) return fault;
  if (Fault fault = engine.add_profile(scene.profile, &profile)) return fault;
  return engine.commit();
}

}  // namespace octile::scenes
