// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// --kernels: which inner loops run, for measurements and tests.

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace octile::cli {

struct KernelOption {
  std::optional<std::string> name;  // none: the best

  void add_to(CLI::App& command);
  // Refuses names that nobody knows or this processor cannot run.
  void apply() const;
};

// "labels avx512, jps avx512"
std::string kernels_shown();

}  // namespace octile::cli
