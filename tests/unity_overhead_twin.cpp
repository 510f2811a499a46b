// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The queries of the Unity package's CostTests.cs through the C++ face. Prints the nanoseconds that
// a path and a distance take, of each block of them the least of many passes, and the cells of all
// paths.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <vector>

#include "octile/octile.hpp"

namespace {

constexpr int kSide = 256, kPairs = 4096, kBlock = 256;

struct Lcg {
  explicit Lcg(uint32_t seed) : state(seed * 2654435761u + 1) {}
  int below(int n) {
    state = state * 1664525u + 1013904223u;
    return static_cast<int>((state >> 8) % static_cast<uint32_t>(n));
  }
  uint32_t state;
};

double now() {
  return std::chrono::duration<double, std::nano>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

int main() {
  Lcg random(43);
  std::vector<uint8_t> terrain(kSide * kSide, '.');
  for (int i = 0; i < 300; ++i) {
    const int x0 = random.below(kSide - 12), y0 = random.below(kSide - 12);
    const int width = 1 + random.below(12), height = 1 + random.below(12);
    for (int y = y0; y < y0 + height; ++y)
      for (int x = x0; x < x0 + width; ++x) terrain[y * kSide + x] = '@';
  }
  struct Ends {
    octile::Cell a, b;
  };
  std::vector<Ends> pairs(kPairs);
  for (Ends& p : pairs) {
    p.a.x = random.below(kSide);
    p.a.y = random.below(kSide);
    p.b.x = random.below(kSide);
    p.b.y = random.below(kSide);
  }
  octile::Engine engine;
  octile::MapDef def;
  def.width = def.height = kSide;
  uint32_t walker = 0;
  octile::Index index;
  if (engine.reset(def, terrain.data(), kSide) || engine.add_profile(octile::Profile(), &walker) ||
      engine.commit())
    return 1;
  octile::View view = engine.view(walker);
  if (octile::build_index(view, {}, &index) || engine.adopt(walker, index)) return 1;
  view = engine.view(walker);

  octile::Searcher searcher;
  octile::Path path;
  octile::Query query;
  double sink = 0;
  std::vector<double> path_ns(kPairs / kBlock, 1e12), distance_ns = path_ns;
  size_t cells = 0;
  for (int pass = 0; pass < 60; ++pass) {
    cells = 0;
    for (int block = 0; block < kPairs / kBlock; ++block) {
      const int first = block * kBlock;
      const double start = now();
      for (int i = first; i < first + kBlock; ++i) {
        query.start = pairs[i].a;
        query.goal = pairs[i].b;
        octile::find(searcher, view, query, path);
        cells += path.status == octile::Status::found ? path.size() : 0;
      }
      const double middle = now();
      for (int i = first; i < first + kBlock; ++i)
        sink += octile::distance(searcher, view, pairs[i].a, pairs[i].b);
      const double end = now();
      path_ns[block] = std::min(path_ns[block], middle - start);
      distance_ns[block] = std::min(distance_ns[block], end - middle);
    }
  }
  const double paths = std::accumulate(path_ns.begin(), path_ns.end(), 0.0) / kPairs;
  const double distances = std::accumulate(distance_ns.begin(), distance_ns.end(), 0.0) / kPairs;
  std::printf("%.1f %.1f %zu\n", paths, distances, cells);
  return sink < 0;
}
