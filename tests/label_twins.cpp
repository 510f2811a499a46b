// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The label kernels of a build and those of jps against their plain twins, for machines without
// GoogleTest: a short form of label_kernel_test.cpp and jump_kernel_test.cpp.
// tools/check_portable.sh wasm runs it as WebAssembly.
//
//   label_twins [N]    N: also times N rounds over the ways of the largest map
//
// Exit code 1 on any difference, or when there is nothing but the plain twin.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "index/path_index.hpp"
#include "kernel_walk.hpp"
#include "octile/detail/kernels.hpp"

namespace octile::test {
namespace {

uint64_t state = 7;
uint32_t below(uint32_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<uint32_t>((state >> 33) % n);
}

// Noise, or rooms whose walls have doors.
bool make(Engine& engine, int32_t side, bool rooms, View* view, Index* index) {
  MapDef definition;
  definition.width = side;
  definition.height = side - 3;
  ProfileId walker;
  if (engine.reset(definition) || engine.add_profile(Profile(), &walker)) return false;
  for (int32_t y = 0; y < side - 3; ++y) {
    for (int32_t x = 0; x < side; ++x) {
      const bool wall = x % 9 == 4 || y % 7 == 3;
      if ((rooms ? wall && below(8) : below(100) < 25) && engine.map().set_terrain({x, y}, '@'))
        return false;
    }
  }
  if (engine.commit()) return false;
  *view = engine.view(walker);
  return !build_index(*view, IndexOptions(), index);
}

struct Pair {
  Point s, t;
};

// Of jps, under each rule that has its own scans: all kernels go the same cells after as many
// expansions.
bool jumps_agree(Engine& engine, Diagonal diagonal, const std::vector<Pair>& pairs) {
  Profile profile;
  profile.diagonal = diagonal;
  ProfileId walker;
  if (engine.add_profile(profile, &walker) || engine.commit()) return false;
  const View view = engine.view(walker);
  Searcher searcher;
  Path path[2];
  for (const auto& [s, t] : pairs) {
    Query query;
    query.start = {static_cast<int32_t>(s.x), static_cast<int32_t>(s.y)};
    query.goal = {static_cast<int32_t>(t.x), static_cast<int32_t>(t.y)};
    query.solver = solver_id("jps");
    for (const char* name : detail::kKernelNames) {
      const bool plain = !std::strcmp(name, "scalar");
      if (!detail::use_kernels(name)) continue;
      Path& p = path[!plain];
      find(searcher, view, query, p);
      if (p.status == path[0].status && p.expanded == path[0].expanded &&
          p.cost_units == path[0].cost_units &&
          std::equal(p.cells(), p.cells() + p.size(), path[0].cells(),
                     path[0].cells() + path[0].size()))
        continue;
      std::printf("jps, %s: (%u,%u) to (%u,%u)\n", name, s.x, s.y, t.x, t.y);
      return false;
    }
  }
  detail::use_kernels(nullptr);
  return true;
}

// Nanoseconds for a whole way over a hub, length and cells.
double time_of(const LabelKernel& kernel, const LabelTables& tables, const std::vector<Pair>& pairs,
               int rounds) {
  std::vector<uint32_t> room(2 * size_t{tables.room()});
  std::vector<Cell> cells(size_t{1} << 16);
  uint32_t ways = 0;
  const auto began = std::chrono::steady_clock::now();
  for (int round = 0; round < rounds; ++round) {
    for (const auto& [s, t] : pairs) {
      if (tables.sight.line_free(s, t)) continue;
      Meeting m;
      uint32_t steps, diagonal;
      kernel.meet(tables, s, t, room.data(), &m);
      if (m.length == kFar) continue;
      tables.steps_of(m.length, &steps, &diagonal);
      kernel.way(m, s, t, {0, 0}, cells.data() + kSpareCells, steps);
      ++ways;
    }
  }
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - began;
  return took.count() / ways;
}

int run(int rounds) {
  uint32_t count;
  const LabelKernel* const* kernels = label_kernels(&count);
  std::printf("kernels:");
  for (uint32_t i = 0; i < count; ++i) std::printf(" %s", kernels[i]->name);
  std::printf("\n");
  if (count < 2) return 1;
  // Those alone can be asked for; here some are missing.
  for (const char* name : detail::kKernelNames) {
    bool listed = false;
    for (uint32_t i = 0; i < count; ++i) listed |= !std::strcmp(kernels[i]->name, name);
    if (detail::use_kernels(name) == listed && (!listed || !std::strcmp(label_kernel().name, name)))
      continue;
    std::printf("%s: %s\n", name, listed ? "refused" : "not refused");
    return 1;
  }
  detail::use_kernels(nullptr);

  uint32_t walked = 0;
  for (const int32_t side : {9, 40, 65, 100, 250}) {
    for (const bool rooms : {false, true}) {
      Engine engine;
      View view;
      Index index;
      if (!make(engine, side, rooms, &view, &index)) {
        std::printf("no index\n");
        return 1;
      }
      const LabelTables& tables = index.impl()->labels;
      std::vector<Pair> pairs;
      for (int i = 0; i < 1000; ++i) {
        const auto across = static_cast<uint32_t>(side), down = across - 3;
        const Pair p{{below(across), below(down)}, {below(across), below(down)}};
        if (tables.sight.passable(p.s) && tables.sight.passable(p.t)) pairs.push_back(p);
      }
      for (const auto& [s, t] : pairs) {
        const std::string wrong = kernels_agree(tables, s, t, {-70000, 5});
        ++walked;
        if (wrong.empty()) continue;
        std::printf("%d, (%u,%u) to (%u,%u): %s\n", side, s.x, s.y, t.x, t.y, wrong.c_str());
        return 1;
      }
      for (const Diagonal diagonal : {Diagonal::no_obstacles, Diagonal::always, Diagonal::never})
        if (!jumps_agree(engine, diagonal, pairs)) return 1;
      if (!rounds || side != 250) continue;
      for (uint32_t i = 0; i < count; ++i)
        std::printf("%s, %s: %.0f ns\n", rooms ? "rooms" : "noise", kernels[i]->name,
                    time_of(*kernels[i], tables, pairs, rounds));
    }
  }
  // What builds ask for.
  for (int round = 0; round < 2000; ++round) {
    uint32_t length[64], from[64];
    for (uint32_t i = 0; i < 64; ++i) {
      length[i] = below(4) ? below(40) : uint32_t{kFar};
      from[i] = below(4) ? below(40) : uint32_t{kFar};
    }
    const uint64_t of = state;
    for (uint32_t i = 0; i < count; ++i) {
      uint32_t least[2][64], largest[2], n[2];
      std::memcpy(least[0], length, sizeof length);
      std::memcpy(least[1], length, sizeof length);
      kScalarLabels.lower(least[0], from, 7, 64);
      kernels[i]->lower(least[1], from, 7, 64);
      const bool same =
          !std::memcmp(least[0], least[1], sizeof length) &&
          kScalarLabels.finite(length, &largest[0]) == kernels[i]->finite(length, &largest[1]) &&
          kScalarLabels.within(length, from, 7, of, &n[0]) ==
              kernels[i]->within(length, from, 7, of, &n[1]) &&
          largest[0] == largest[1] && n[0] == n[1];
      if (same) continue;
      std::printf("%s: other sums\n", kernels[i]->name);
      return 1;
    }
  }
  std::printf("%u ways, all alike\n", walked);
  return walked > 3000 ? 0 : 1;
}

}  // namespace
}  // namespace octile::test

int main(int argc, char** argv) {
  return octile::test::run(argc > 1 ? std::atoi(argv[1]) : 0);
}
