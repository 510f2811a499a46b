// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

#include "walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace octile::cli {
namespace {

constexpr double kRoot2 = 1.41421356237309504880;

bool inside(const View& view, Cell cell) {
  const Cell first = view.first_cell();
  const int64_t x = int64_t{cell.x} - first.x, y = int64_t{cell.y} - first.y;
  return x >= 0 && y >= 0 && x < view.width() && y < view.height();
}

// Of the dearest cell under the unit; a wall counts as infinite.
double weight(const View& view, Cell place) {
  const Profile& profile = view.profile();
  double most = 0;
  for (int y = 0; y < profile.height; ++y) {
    for (int x = 0; x < profile.width; ++x) {
      const Cell cell{place.x - profile.anchor.x + x, place.y - profile.anchor.y + y};
      if (!inside(view, cell)) return kWall;
      most = std::max(most, profile.terrain_cost[view.terrain(cell)]);
    }
  }
  return most;
}

bool is_wall(const View& view, Cell cell) {
  return std::isinf(weight(view, cell));
}

std::string text(Cell cell) {
  return fmt::format("({},{})", cell.x, cell.y);
}

}  // namespace

double step_cost(const View& view, Cell from, Cell to) {
  const Profile& profile = view.profile();
  const int64_t dx = int64_t{to.x} - from.x, dy = int64_t{to.y} - from.y;
  if (dx < -1 || dx > 1 || dy < -1 || dy > 1 || (dx == 0 && dy == 0)) return -1;
  if (is_wall(view, to) || is_wall(view, from)) return -1;
  // Four-way steps cost 1 under every metric.
  const bool four = profile.moves == Moves::four || profile.diagonal == Diagonal::never;
  const double straight = profile.metric == Metric::ten_fourteen && !four ? 10 : 1;
  if (dx == 0 || dy == 0) return straight * weight(view, to);
  if (four) return -1;
  const int walls =
      (is_wall(view, {to.x, from.y}) ? 1 : 0) + (is_wall(view, {from.x, to.y}) ? 1 : 0);
  if (profile.diagonal == Diagonal::no_obstacles && walls > 0) return -1;
  if (profile.diagonal == Diagonal::at_most_one_obstacle && walls > 1) return -1;
  switch (profile.metric) {
    case Metric::octile:
      return kRoot2 * weight(view, to);
    case Metric::ten_fourteen:
      return 14 * weight(view, to);
    case Metric::chebyshev:
      return weight(view, to);
  }
  return -1;
}

std::string walk_fault(const View& view, Cell start, const Cell* goal, const Path& path) {
  if (path.size() == 0) return "the path has no cells";
  const Cell* cells = path.cells();
  if (cells[0] != start) {
    return fmt::format("the path starts at {} instead of {}", text(cells[0]), text(start));
  }
  if (goal != nullptr && cells[path.size() - 1] != *goal) {
    return fmt::format("the path ends at {} instead of {}", text(cells[path.size() - 1]),
                       text(*goal));
  }
  if (is_wall(view, start)) return fmt::format("the path starts in the wall {}", text(start));
  double sum = 0;
  for (size_t i = 1; i < path.size(); ++i) {
    const double cost = step_cost(view, cells[i - 1], cells[i]);
    if (cost < 0) {
      return fmt::format("step {} from {} to {} is not legal", i, text(cells[i - 1]),
                         text(cells[i]));
    }
    sum += cost;
  }
  // The engine's own sum and this one round differently, the more the longer the path.
  if (!(std::fabs(sum - path.cost) <= 1e-9 * (1 + std::fabs(sum)))) {
    return fmt::format("the path says it costs {:.9f}, its steps cost {:.9f}", path.cost, sum);
  }
  return "";
}

}  // namespace octile::cli
