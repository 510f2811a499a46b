// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Integer costs. A path of c straight and d diagonal steps on a uniform map costs c * Q + d * P
// with P / Q a convergent of sqrt(2). For |d1 - d2| < Q two such sums compare exactly as
// c + d * sqrt(2) do, ties included: a convergent is a best approximation, so an integer sum can
// neither vanish nor change sign before Q steps (Hardy and Wright, chapter X). The pair below is
// exact for every path of fewer than 1.3e9 steps, and the sum of a path over 2^32 cells still fits
// 63 bits, so no search ever needs another pair. See docs/decisions/one_exact_metric.md.
//
// With weights every step is multiplied by the cell's integer weight; there the smaller pair leaves
// room for weights of 50 bits and the integer metric itself is the contract (sqrt(2) to 1.1e-8).

#include <cstdint>

#include "octile/octile.hpp"

namespace octile {

using Cost = uint64_t;
constexpr Cost kMaxCost = UINT64_MAX / 2;  // sums of two valid costs still fit

// Lengths of a step in cost units.
struct StepCosts {
  Cost straight = 1;
  Cost diagonal = 1;
};

constexpr StepCosts kExactOctile{1311738121, 1855077841};
constexpr StepCosts kWeightedOctile{5741, 8119};

// Four-way steps cost 1 under every metric.
StepCosts step_costs(Moves moves, Diagonal diagonal, Metric metric, bool uniform) noexcept;

// The real lengths in the units of Path::cost.
struct RealSteps {
  double straight = 1;
  double diagonal = 1;
};
RealSteps real_steps(Moves moves, Diagonal diagonal, Metric metric) noexcept;

inline bool four_way(Moves moves, Diagonal diagonal) noexcept {
  return moves == Moves::four || diagonal == Diagonal::never;
}

// Cost of the cheapest way over an empty grid: diagonal first, then straight.
inline Cost empty_grid_cost(Cost dx, Cost dy, StepCosts steps) noexcept {
  const Cost low = dx < dy ? dx : dy;
  const Cost high = dx < dy ? dy : dx;
  return steps.straight * (high - low) + steps.diagonal * low;
}

}  // namespace octile
