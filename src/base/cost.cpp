// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "base/cost.hpp"

namespace octile {

StepCosts step_costs(Moves moves, Diagonal diagonal, Metric metric, bool uniform) noexcept {
  // A diagonal that is never walked counts as two straight steps, which makes the empty-grid cost
  // the Manhattan distance.
  if (four_way(moves, diagonal)) return {1, 2};
  if (metric == Metric::ten_fourteen) return {10, 14};
  if (metric == Metric::chebyshev) return {1, 1};
  return uniform ? kExactOctile : kWeightedOctile;
}

RealSteps real_steps(Moves moves, Diagonal diagonal, Metric metric) noexcept {
  if (four_way(moves, diagonal)) return {1, 2};
  if (metric == Metric::ten_fourteen) return {10, 14};
  if (metric == Metric::chebyshev) return {1, 1};
  return {1, 1.4142135623730950488};
}

}  // namespace octile
