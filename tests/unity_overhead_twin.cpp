// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The queries of the Unity package's CostTests.cs through the C++ face, as a library that the test
// loads: it asks for the time of one block of them, and then answers the same block itself, so that
// whatever slows one of the two down slows both.

#include <chrono>
#include <cstdint>
#include <memory>
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

struct Twin {
  octile::Engine engine;
  octile::View view;
  octile::Searcher searcher;
  octile::Path path;
  octile::Query query;
  std::vector<octile::CellPair> pairs;
  double sink = 0;

  bool set_up() {
    Lcg random(43);
    std::vector<uint8_t> terrain(kSide * kSide, '.');
    for (int i = 0; i < 300; ++i) {
      const int x0 = random.below(kSide - 12), y0 = random.below(kSide - 12);
      const int width = 1 + random.below(12), height = 1 + random.below(12);
      for (int y = y0; y < y0 + height; ++y)
        for (int x = x0; x < x0 + width; ++x) terrain[y * kSide + x] = '@';
    }
    pairs.resize(kPairs);
    for (octile::CellPair& p : pairs) {
      p.a.x = random.below(kSide);
      p.a.y = random.below(kSide);
      p.b.x = random.below(kSide);
      p.b.y = random.below(kSide);
    }
    octile::MapDef def;
    def.width = def.height = kSide;
    uint32_t walker = 0;
    octile::Index index;
    if (engine.reset(def, terrain.data(), kSide) ||
        engine.add_profile(octile::Profile(), &walker) || engine.commit())
      return false;
    if (octile::build_index(engine.view(walker), {}, &index) || engine.adopt(walker, index))
      return false;
    view = engine.view(walker);
    return true;
  }
};

std::unique_ptr<Twin> twin;

}  // namespace

#if defined(_WIN32)
#define TWIN extern "C" __declspec(dllexport)
#else
#define TWIN extern "C" __attribute__((visibility("default")))
#endif

// 1 when it is ready.
TWIN int32_t octile_twin_begin() {
  twin = std::make_unique<Twin>();
  return twin->set_up() ? 1 : 0;
}

TWIN void octile_twin_end() {
  twin.reset();
}

// The nanoseconds that block number `block` takes: of its paths (kind 0, *cells gets the cells of
// all), or of its distances (kind 1).
TWIN double octile_twin_block(int32_t kind, int32_t block, uint64_t* cells) {
  Twin& t = *twin;
  const int first = block * kBlock;
  const auto start = std::chrono::steady_clock::now();
  if (kind == 0) {
    uint64_t sum = 0;
    for (int i = first; i < first + kBlock; ++i) {
      t.query.start = t.pairs[i].a;
      t.query.goal = t.pairs[i].b;
      octile::find(t.searcher, t.view, t.query, t.path);
      sum += t.path.status == octile::Status::found ? t.path.size() : 0;
    }
    *cells = sum;
  } else {
    for (int i = first; i < first + kBlock; ++i)
      t.sink += octile::distance(t.searcher, t.view, t.pairs[i].a, t.pairs[i].b);
  }
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}
