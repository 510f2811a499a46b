// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "world/profile.hpp"

#include <cmath>
#include <cstring>
#include <initializer_list>

namespace octile {

Profile::Profile() noexcept {
  for (double& cost : terrain_cost) cost = kWall;
  for (const char c : {'.', 'G', 'S'}) terrain_cost[uint8_t(c)] = 1;
  for (int digit = 0; digit <= 9; ++digit) terrain_cost['0' + digit] = digit;
}

double Profile::quantise() noexcept {
  double largest = 0;
  for (double& cost : terrain_cost) {
    if (!(cost >= 0) || std::isinf(cost)) continue;  // walls stay; the rest is check_profile's
    const double rounded = std::round(cost * 1000) / 1000;
    largest = std::fmax(largest, std::fabs(rounded - cost));
    cost = rounded;
  }
  return largest;
}

bool to_milli(double cost, uint64_t* milli) noexcept {
  if (!(cost >= 0 && cost <= 4294967295.0)) return false;
  const double scaled = std::round(cost * 1000);
  *milli = static_cast<uint64_t>(scaled);
  return scaled / 1000 == cost;  // the double nearest to a number of three decimals, and no other
}

uint64_t common_divisor(uint64_t a, uint64_t b) noexcept {
  while (b) {
    const uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

bool multiply(Cost a, Cost b, Cost* product) noexcept {
  if (b != 0 && a > kMaxCost / b) return false;
  *product = a * b;
  return true;
}

namespace {

Fault step_too_dear() noexcept {
  return fault(Status::bad_argument, "a single step would cost more than 63 bits hold");
}

// Step lengths, and room for the dearest step, of weights from `least` to `most`.
Fault set_steps(const Profile& profile, const Snapshot& map, Cost least, Cost most,
                CellCosts* c) noexcept {
  c->steps = step_costs(profile.moves, profile.diagonal, profile.metric, c->uniform);
  c->real = real_steps(profile.moves, profile.diagonal, profile.metric);
  // Estimates over the whole map must fit as well; a lower one is as right.
  const Cost farthest = (uint64_t(map.grid.width) + uint64_t(map.grid.height)) * c->steps.diagonal;
  c->least_weight = least < kMaxCost / farthest ? least : kMaxCost / farthest;
  return multiply(most, c->steps.diagonal, &c->dearest_step) ? Fault() : step_too_dear();
}

}  // namespace

Fault check_profile(const Profile& p) noexcept {
  for (int t = 0; t < 256; ++t) {
    uint64_t milli;
    if (p.terrain_cost[t] == kWall || to_milli(p.terrain_cost[t], &milli)) continue;
    if (std::isnan(p.terrain_cost[t])) return fault(Status::bad_argument, "a terrain cost is NaN");
    if (p.terrain_cost[t] < 0) return fault(Status::bad_argument, "a terrain cost is negative");
    if (p.terrain_cost[t] > 4294967295.0)
      return fault(Status::bad_argument, "a terrain cost is above 4294967295");
    return fault(Status::bad_argument,
                 "a terrain cost has more than three decimals; see Profile::quantise");
  }
  if (p.moves > Moves::eight || p.diagonal > Diagonal::never || p.metric > Metric::chebyshev)
    return fault(Status::bad_argument, "moves, diagonal or metric has no such value");
  if (p.width < 1 || p.height < 1 || p.width > kMostSide || p.height > kMostSide)
    return fault(Status::bad_argument, "a unit must be 1 to 64 cells wide and high");
  if (p.anchor.x < 0 || p.anchor.y < 0 || p.anchor.x >= p.width || p.anchor.y >= p.height)
    return fault(Status::bad_argument, "the anchor must be a cell of the unit");
  return {};
}

bool same_costs(const Snapshot& a, const Snapshot& b) noexcept {
  return std::memcmp(a.terrain_present, b.terrain_present, sizeof a.terrain_present) == 0 &&
         a.weight_low == b.weight_low && a.weight_high == b.weight_high;
}

Fault make_cell_costs(const Profile& profile, const Snapshot& map, CellCosts* costs) noexcept {
  CellCosts c;
  // 1. Whole numbers: thousandths, without their common divisor.
  uint64_t divisor = 0;
  for (int t = 0; t < 256; ++t) {
    uint64_t milli;
    c.terrain_units[t] = kWallUnits;
    if (profile.terrain_cost[t] == kWall) continue;
    if (!to_milli(profile.terrain_cost[t], &milli))
      return fault(Status::bad_argument, "a terrain cost is out of range");
    c.terrain_units[t] = milli;
    divisor = common_divisor(divisor, milli);
  }
  if (divisor == 0) divisor = 1;  // no terrain, or only free steps
  c.unit = static_cast<double>(divisor) / 1000;
  bool exact = multiply(divisor, 1000, &c.unit_millionths);

  // 2. What is present decides whether the map is uniform.
  Cost least = kWallUnits, most = 0;
  for (int t = 0; t < 256; ++t) {
    if (c.terrain_units[t] == kWallUnits) continue;
    c.terrain_units[t] /= divisor;
    if (!map.terrain_present[t]) continue;
    least = c.terrain_units[t] < least ? c.terrain_units[t] : least;
    most = c.terrain_units[t] > most ? c.terrain_units[t] : most;
  }
  if (least == kWallUnits) least = most = 1;  // nothing passable
  c.weighted = !map.weights.empty();
  if (c.weighted) {
    c.unit *= map.definition.weight_scale;
    uint64_t scale;
    exact = to_milli(map.definition.weight_scale, &scale) &&
            multiply(divisor, scale, &c.unit_millionths);
    if (!multiply(least, map.weight_low, &least) || !multiply(most, map.weight_high, &most))
      return step_too_dear();
  }
  c.ground_cheapest = c.terrain_units[map.definition.terrain] <= least;
  c.uniform = least == most && least > 0;
  if (c.uniform) {
    c.unit *= static_cast<double>(least);
    exact = exact && multiply(c.unit_millionths, least, &c.unit_millionths);
    least = most = 1;
  }
  if (!exact) c.unit_millionths = 0;

  // 3. Step lengths.
  if (Fault f = set_steps(profile, map, least, most, &c)) return f;
  *costs = c;
  return {};
}

Fault refine_costs(const Profile& profile, const Snapshot& map, const CellCosts& base, Cost scale,
                   Cost most, CellCosts* costs) noexcept {
  Cost least;
  if (!multiply(base.least_weight, scale, &least)) return step_too_dear();
  costs->uniform = false;
  costs->unit_millionths = base.unit_millionths / scale;
  costs->unit = static_cast<double>(costs->unit_millionths) / 1e6;
  return set_steps(profile, map, least, most, costs);
}

}  // namespace octile
