// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Which of the inner loops run, for measurements and tests: this is no part of the face. A loop
// that is worth it is written several times, for the vectors of different processors, and the best
// one that can run here is taken. All of them give the same answers, so the choice is told by time
// alone.

#include <cstddef>
#include <cstdint>

namespace octile::detail {

// All that there are, the plainest first. simd128: SSE4.1, NEON or those of WebAssembly.
constexpr const char* kKernelNames[] = {"scalar", "simd128", "avx2", "avx512"};
constexpr size_t kKernelNameCount = sizeof kKernelNames / sizeof *kKernelNames;

// True when the loops of labels for these vectors can run on this processor.
bool can_run_kernels(const char* name) noexcept;

// From now on loops for no better vectors than these run, in all threads; nullptr: the best again.
// Not while a query or a build runs. False, and nothing changes, unless they can run. Where
// there are fewer versions of jumps, the best one runs that is not above the name.
bool use_kernels(const char* name) noexcept;

// What runs.
struct KernelsInUse {
  const char* labels;
  const char* jumps;
};
KernelsInUse kernels_in_use() noexcept;

}  // namespace octile::detail
