// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// A Profile made ready for a Snapshot: integer weights of terrains, integer step lengths, and how
// to give integer sums back as real costs.
//
//   cell weight   = terrain units [x map weight]             1 for every cell of a uniform map
//   step cost     = step length x weight of the cell entered
//   real cost     = sums of weights entered straight and diagonally, x real lengths x unit
//
// Terrain costs have at most three decimals; in thousandths (times the scale's thousandths, with
// map weights) they are whole numbers, and those are divided by their common divisor. Whether a map
// is uniform is told by the terrains that are present, not by the Profile alone: one digit on the
// map turns it into a weighted one, and taking it away turns it back.

#include "base/cost.hpp"
#include "world/map.hpp"

namespace octile {

constexpr Cost kWallUnits = UINT64_MAX;
constexpr int32_t kMostSide = 64;  // of a unit

struct CellCosts {
  Cost terrain_units[256];             // kWallUnits for walls
  bool uniform = true;                 // every passable cell costs the same, above 0
  bool weighted = false;               // map weights take part
  bool ground_cheapest = true;         // no cell costs less than one of MapDef::terrain, weight 1
  double unit = 1;                     // real factor of one unit of weight
  uint64_t unit_millionths = 1000000;  // the same exactly; 0 when that does not fit
  StepCosts steps;  // integer step lengths; with the cell's weight they make a step's cost
  RealSteps real;
  Cost least_weight = 1;  // no passable cell present weighs less; 0: there are free steps
  Cost dearest_step = 1;  // no step on this map costs more

  // Weight of entering a cell, which must be passable.
  Cost weight(const Snapshot& map, CellId id) const noexcept {
    if (uniform) return 1;
    const Cost units = terrain_units[map.terrain_at(id)];
    return weighted ? units * map.weight_at(id) : units;
  }
  // Lower bound of the cost between two cells so far apart, exact on an empty map.
  Cost estimate(Cost dx, Cost dy) const noexcept {
    return least_weight * empty_grid_cost(dx, dy, steps);
  }
};

Fault check_profile(const Profile& profile) noexcept;

// A cost in thousandths; false when it is negative, NaN, too large or has more decimals.
bool to_milli(double cost, uint64_t* milli) noexcept;
uint64_t common_divisor(uint64_t a, uint64_t b) noexcept;
// a * b, or false when it passes kMaxCost.
bool multiply(Cost a, Cost b, Cost* product) noexcept;

// The costs of a query with extra ones, which may need a finer unit: sets `costs` up to the step
// lengths, for weights `scale` times those of `base` and none above `most`. Fails as
// make_cell_costs does.
Fault refine_costs(const Profile& profile, const Snapshot& map, const CellCosts& base, Cost scale,
                   Cost most, CellCosts* costs) noexcept;

// True when the same terrains and weights are present, so that all costs are the same.
bool same_costs(const Snapshot& a, const Snapshot& b) noexcept;
// Fails with bad_argument when a single step does not fit 63 bits.
Fault make_cell_costs(const Profile& profile, const Snapshot& map, CellCosts* costs) noexcept;

}  // namespace octile
