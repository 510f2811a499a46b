// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Bytes as a scenario file: entries or a clear Fault, the same ones whatever the capacity is.

#include <vector>

#include "fuzz_map.hpp"

namespace octile::fuzz {

inline bool same_entry(const ScenQuery& a, const ScenQuery& b) {
  return a.bucket == b.bucket && a.map_width == b.map_width && a.map_height == b.map_height &&
         a.start == b.start && a.goal == b.goal && a.optimum == b.optimum;
}

inline void fuzz_scen(const uint8_t* data, size_t size) {
  size_t count = 77;
  if (Fault fault = parse_scen(data, size, nullptr, 0, &count)) {
    check_fault(fault);
    require(count == 77, "a bad file changed the count");
    ScenQuery untouched;
    untouched.bucket = 77;
    require(bool(parse_scen(data, size, &untouched, 1, &count)), "bad only without a capacity");
    require(untouched.bucket == 77, "a bad file changed an entry");
    return;
  }
  require(count <= size, "more entries than bytes");
  std::vector<ScenQuery> all(count + 1), part(count / 2);
  all[count].bucket = 77;
  size_t again = 0;
  require(!parse_scen(data, size, all.data(), all.size(), &again), "bad only with a capacity");
  require(again == count && all[count].bucket == 77, "the count changes");
  require(!parse_scen(data, size, part.data(), part.size(), &again), "bad only in part");
  require(again == count, "the count depends on the capacity");
  for (size_t i = 0; i < count; ++i) {
    const ScenQuery& e = all[i];
    require(e.bucket >= 0 && e.map_width >= 1 && e.map_height >= 1, "entry ", i, " has a bad size");
    require(std::isfinite(e.optimum) && e.optimum >= 0, "entry ", i, " has the optimum ",
            e.optimum);
    require(i >= part.size() || same_entry(e, part[i]), "entry ", i, " depends on the capacity");
  }
}

}  // namespace octile::fuzz
