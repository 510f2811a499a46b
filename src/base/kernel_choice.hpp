// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Choosing among the twins of one room's kernel, by their names.

#include <cstring>

#include "octile/detail/kernels.hpp"

namespace octile {

// Higher is better; kKernelNameCount for a name that nobody knows.
inline size_t kernel_rank(const char* name) noexcept {
  size_t rank = 0;
  while (rank < detail::kKernelNameCount && std::strcmp(name, detail::kKernelNames[rank]) != 0)
    ++rank;
  return rank;
}

// The best of `list` that is not above `limit`; nullptr: the best of all.
template <class Kernel>
const Kernel* best_kernel(const Kernel* const* list, uint32_t count, const char* limit) noexcept {
  const size_t most = limit ? kernel_rank(limit) : detail::kKernelNameCount;
  const Kernel* best = nullptr;
  for (uint32_t i = 0; i < count; ++i) {
    const size_t rank = kernel_rank(list[i]->name);
    if (rank <= most && (!best || rank > kernel_rank(best->name))) best = list[i];
  }
  return best;
}

}  // namespace octile
