// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Which vector kernels this build has. On Windows there are none: g++ keeps the stack aligned to 16
// bytes there, which its own spills of wider vectors do not stand (GCC bug 54412).

#include "index/label_tables.hpp"

#if defined(__x86_64__) && !defined(_WIN32)
#define OCTILE_LABELS_X86 1
#else
#define OCTILE_LABELS_X86 0
#endif

namespace octile {

#if OCTILE_LABELS_X86
extern const LabelKernel kAvx2Labels;
bool has_avx2_labels() noexcept;
extern const LabelKernel kAvx512Labels;
bool has_avx512_labels() noexcept;
#endif

}  // namespace octile
