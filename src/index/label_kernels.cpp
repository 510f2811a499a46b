// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/label_twins.hpp"

namespace octile {

namespace {

struct Kernels {
  const LabelKernel* best_first[3];
  uint32_t count = 0;

  Kernels() noexcept {
#if OCTILE_LABELS_X86
    if (has_avx512_labels()) best_first[count++] = &kAvx512Labels;
    if (has_avx2_labels()) best_first[count++] = &kAvx2Labels;
#endif
    best_first[count++] = &kScalarLabels;
  }
};

}  // namespace

const LabelKernel* const* label_kernels(uint32_t* count) noexcept {
  static const Kernels kernels;
  *count = kernels.count;
  return kernels.best_first;
}

}  // namespace octile
