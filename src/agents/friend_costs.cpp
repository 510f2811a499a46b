// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include <cmath>

#include "octile/groups.hpp"
#include "world/map.hpp"

namespace octile {

namespace {

constexpr double kMostWait = 1e6;  // straight steps

bool is_wait(double steps) noexcept {
  return steps >= 0 && steps <= kMostWait;
}

// The share of `heading` that goes along `way`: the cosine of the angle between them, 0 where that
// is a right one or more. Square roots are the same on every machine.
double along(Cell heading, double way_x, double way_y) noexcept {
  const double x = heading.x, y = heading.y;
  const double both = std::sqrt(x * x + y * y) * std::sqrt(way_x * way_x + way_y * way_y);
  const double dot = x * way_x + y * way_y;
  return dot > 0 && both > 0 ? (dot < both ? dot / both : 1) : 0;
}

}  // namespace

Fault friend_costs(Cell from, Cell to, const GroupFriend* friends, size_t count,
                   const FriendCosts& costs, ExtraCost* out) noexcept {
  if (count > 0 && (!friends || !out))
    return fault(Status::bad_argument, "friend_costs needs friends and room for their costs");
  if (!is_wait(costs.moving) || !is_wait(costs.resting))
    return fault(Status::bad_argument, "costs of friends must be 0 to 1,000,000");
  const double way_x = double(to.x) - from.x, way_y = double(to.y) - from.y;
  for (size_t i = 0; i < count; ++i) {
    const GroupFriend& f = friends[i];
    if (!(f.speed >= 0 && f.speed <= 1))
      return fault(Status::bad_argument, "the speed of a friend must be 0 to 1");
    const bool rests = (f.heading.x == 0 && f.heading.y == 0) || f.speed == 0;
    const double wait =
        rests ? costs.resting : costs.moving * (1 - f.speed * along(f.heading, way_x, way_y));
    out[i] = {f.cell, std::round(wait * 1000) / 1000};
  }
  return {};
}

}  // namespace octile
