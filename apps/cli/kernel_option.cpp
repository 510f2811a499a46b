// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

#include "kernel_option.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "failure.hpp"
#include "octile/detail/kernels.hpp"

namespace octile::cli {
namespace {

// The best first.
template <class Wanted>
std::string names(const Wanted& wanted) {
  std::string text;
  for (size_t i = detail::kKernelNameCount; i > 0; --i) {
    const char* name = detail::kKernelNames[i - 1];
    if (wanted(name)) text += (text.empty() ? "" : ", ") + std::string(name);
  }
  return text;
}

}  // namespace

void KernelOption::add_to(CLI::App& command) {
  command.add_option("--kernels", name,
                     "inner loops for these vectors and no better: " + names([](const char*) {
                       return true;
                     }) + "; without it, the best that the processor runs");
}

void KernelOption::apply() const {
  if (!name) return;
  const auto* end = std::end(detail::kKernelNames);
  if (std::find(std::begin(detail::kKernelNames), end, *name) == end) {
    refuse("--kernels must be one of {}, not '{}'", names([](const char*) { return true; }), *name);
  }
  if (!detail::use_kernels(name->c_str())) {
    refuse("--kernels: this processor, or this build, cannot run {}; it runs {}", *name,
           names(detail::can_run_kernels));
  }
}

std::string kernels_shown() {
  const detail::KernelsInUse used = detail::kernels_in_use();
  return fmt::format("labels {}, jps {}", used.labels, used.jumps);
}

}  // namespace octile::cli
