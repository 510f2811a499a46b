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
// i takes. Two rounds of shortest augmenting paths, O(rows^2 columns) each: the first finds the
// largest cost that cannot be avoided (paths measured by their largest edge), the second the least
// sum without anything above it (Kuhn 1955, Munkres 1957, with the potentials of Jonker and
// Volgenant 1987). Equal choices are decided by the order of the columns. False: memory is short.
bool assign_columns(const double* cost, size_t rows, size_t columns,
                    Buffer<uint32_t>* column) noexcept;

}  // namespace octile
