// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include <atomic>

#include "base/kernel_choice.hpp"
#include "index/label_twins.hpp"

namespace octile {

namespace {

struct Kernels {
  const LabelKernel* best_first[4];
  uint32_t count = 0;

  Kernels() noexcept {
#if OCTILE_LABELS_X86
    if (has_avx512_labels()) best_first[count++] = &kAvx512Labels;
    if (has_avx2_labels()) best_first[count++] = &kAvx2Labels;
#endif
#if OCTILE_LABELS_128
    if (has_128_labels()) best_first[count++] = &k128Labels;
#endif
    best_first[count++] = &kScalarLabels;
  }
};

// nullptr: not asked for yet.
constinit std::atomic<const LabelKernel*> chosen{nullptr};

}  // namespace

const LabelKernel* const* label_kernels(uint32_t* count) noexcept {
  static const Kernels kernels;
  *count = kernels.count;
  return kernels.best_first;
}

void limit_label_kernel(const char* name) noexcept {
  uint32_t count;
  const LabelKernel* const* list = label_kernels(&count);
  chosen.store(best_kernel(list, count, name), std::memory_order_relaxed);
}

const LabelKernel& label_kernel() noexcept {
  if (!chosen.load(std::memory_order_relaxed)) limit_label_kernel(nullptr);
  return *chosen.load(std::memory_order_relaxed);
}

}  // namespace octile
