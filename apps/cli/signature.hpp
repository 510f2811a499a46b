// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The signature: one number for all that the solvers do. Every scene, every query, every solver of
// the table, with its status, its expansions, its exact cost and its cells, run through a hash.
// Nothing in it depends on time, memory or the machine: two builds that give different numbers
// search differently. A commit that changes the number says so.
//
// Slow solvers sit out on large scenes, by size alone, so that the whole takes seconds.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace octile::cli {

struct SignatureLine {
  std::string scene;
  std::string solver;
  size_t queries = 0;
  uint64_t expanded = 0;
  uint64_t cost_units = 0;
};

struct Signature {
  uint32_t number = 0;
  std::vector<SignatureLine> lines;
};

Signature compute_signature(const std::function<void(double)>& progress);

}  // namespace octile::cli
