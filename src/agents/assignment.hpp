// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Who takes what: to every row another column, so that the largest cost is the least possible, and
// among those choices the sum is.

#include <cstddef>

#include "octile/detail/buffer.hpp"

namespace octile {

using detail::Buffer;

// `cost` holds rows x columns finite numbers, row by row, rows <= columns; column[i] gets what row
// i takes. First the largest cost that cannot be avoided: bisection over thresholds, each of them a
// matching (Gross 1959). Then the least sum without anything above it: bids that give most rows
// their column, and shortest augmenting paths for the others (Kuhn 1955, Munkres 1957, as Jonker
// and Volgenant 1987), O(rows^2 columns). Equal choices are decided by the order of rows and
// columns. False: memory is short.
bool assign_columns(const double* cost, size_t rows, size_t columns,
                    Buffer<uint32_t>* column) noexcept;

}  // namespace octile
