// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "base/kernel_choice.hpp"
#include "index/label_tables.hpp"
#include "search/jump_kernel.hpp"

namespace octile::detail {

bool can_run_kernels(const char* name) noexcept {
  uint32_t count;
  const LabelKernel* const* list = label_kernels(&count);
  while (count > 0 && std::strcmp(list[count - 1]->name, name) != 0) --count;
  return count > 0;
}

bool use_kernels(const char* name) noexcept {
  if (name && !can_run_kernels(name)) return false;
  limit_label_kernel(name);
  limit_jump_kernel(name);
  return true;
}

KernelsInUse kernels_in_use() noexcept {
  return {label_kernel().name, jump_kernel().name};
}

}  // namespace octile::detail
