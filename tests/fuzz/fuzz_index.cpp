// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "fuzz_index.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return octile::fuzz::run_or_trap(octile::fuzz::fuzz_index, data, size);
}
