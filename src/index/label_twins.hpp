// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Which vector kernels this build has. On Windows there are none: g++ keeps the stack aligned to 16
// bytes there, which its own spills of wider vectors do not stand (GCC bug 54412).

#include "index/label_tables.hpp"

#if defined(__x86_64__) && !defined(_WIN32) && !defined(OCTILE_NO_X86_KERNELS)
#define OCTILE_LABELS_X86 1
#else
#define OCTILE_LABELS_X86 0
#endif

// Vectors of 128 bits: NEON and WebAssembly's have no other, x86-64 has them as SSE4.1. One source
// for all three, in the vectors of g++ 12 and clang.
#if (OCTILE_LABELS_X86 || defined(__aarch64__) || defined(__wasm_simd128__)) && \
    defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define OCTILE_LABELS_128 1
#endif
#endif
#ifndef OCTILE_LABELS_128
#define OCTILE_LABELS_128 0
#endif

namespace octile {

#if OCTILE_LABELS_X86
extern const LabelKernel kAvx2Labels;
bool has_avx2_labels() noexcept;
extern const LabelKernel kAvx512Labels;
bool has_avx512_labels() noexcept;
#endif
#if OCTILE_LABELS_128
extern const LabelKernel k128Labels;
bool has_128_labels() noexcept;
#endif

}  // namespace octile
