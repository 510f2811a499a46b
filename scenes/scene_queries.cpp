// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include <cstdlib>

#include "scenes/scene_parts.hpp"

namespace octile::scenes {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

// Labels the connected parts of a map, from the terrain alone: a second opinion on the engine's
// components.
class Parts {
 public:
  explicit Parts(const Scene& scene) : scene_(scene), label_(scene.grid.cells.size(), kNone) {
    const Grid& grid = scene.grid;
    for (int y = 0; y < grid.height; ++y) {
      for (int x = 0; x < grid.width; ++x) {
        if (free(x, y) && label_[grid.index(x, y)] == kNone) flood({x, y});
      }
    }
    for (uint32_t i = 0; i < sizes_.size(); ++i) {
      if (sizes_[i] > sizes_[largest_]) largest_ = i;
    }
  }

  bool empty() const { return sizes_.empty(); }

  // The cell of the largest part, or else of any other, that is nearest to a place.
  bool nearest(Cell place, bool in_largest, Cell& found) const {
    int64_t best = INT64_MAX;
    const Grid& grid = scene_.grid;
    for (int y = 0; y < grid.height; ++y) {
      for (int x = 0; x < grid.width; ++x) {
        const uint32_t label = label_[grid.index(x, y)];
        if (label == kNone || (label == largest_) != in_largest) continue;
        const int64_t distance = std::abs(x - place.x) + std::abs(y - place.y);
        if (distance >= best) continue;
        best = distance;
        found = {x, y};
      }
    }
    return best != INT64_MAX;
  }

 private:
  bool free(int x, int y) const {
    const Grid& grid = scene_.grid;
    return x >= 0 && y >= 0 && x < grid.width && y < grid.height &&
           scene_.profile.terrain_cost[grid.at(x, y)] != kWall;
  }

  bool may_step(Cell from, int dx, int dy) const {
    if (!free(from.x + dx, from.y + dy)) return false;
    if (dx == 0 || dy == 0) return true;
    if (scene_.profile.moves == Moves::four) return false;
    const int walls = !free(from.x + dx, from.y) + !free(from.x, from.y + dy);
    switch (scene_.profile.diagonal) {
      case Diagonal::always:
        return true;
      case Diagonal::at_most_one_obstacle:
        return walls < 2;
      case Diagonal::no_obstacles:
        return walls == 0;
      case Diagonal::never:
        return false;
    }
    return false;
  }

  void flood(Cell from) {
    const uint32_t label = static_cast<uint32_t>(sizes_.size());
    sizes_.push_back(0);
    std::vector<Cell> stack{from};
    label_[scene_.grid.index(from.x, from.y)] = label;
    while (!stack.empty()) {
      const Cell here = stack.back();
      stack.pop_back();
      ++sizes_[label];
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          if ((dx == 0 && dy == 0) || !may_step(here, dx, dy)) continue;
          uint32_t& there = label_[scene_.grid.index(here.x + dx, here.y + dy)];
          if (there != kNone) continue;
          there = label;
          stack.push_back({here.x + dx, here.y + dy});
        }
      }
    }
  }

  const Scene& scene_;
  std::vector<uint32_t> label_;
  std::vector<uint64_t> sizes_;
  uint32_t largest_ = 0;
};

}  // namespace

void add_corner_queries(Scene& scene) {
  const Parts parts(scene);
  if (parts.empty()) return;
  const int right = scene.grid.width - 1;
  const int bottom = scene.grid.height - 1;
  const auto end = [&parts](int x, int y) {
    Cell cell;
    parts.nearest({x, y}, true, cell);
    return cell;
  };
  const Cell top_left = end(0, 0);
  const Cell bottom_right = end(right, bottom);
  scene.queries.push_back({top_left, bottom_right});
  scene.queries.push_back({end(right, 0), end(0, bottom)});
  scene.queries.push_back({end(0, bottom / 2), end(right, bottom / 2)});
  scene.queries.push_back({top_left, end(right / 2, bottom / 2)});
  scene.queries.push_back({bottom_right, top_left});
  Cell island;
  if (parts.nearest({right, bottom}, false, island)) {
    scene.queries.push_back({top_left, island, Status::no_path});
  }
}

}  // namespace octile::scenes
