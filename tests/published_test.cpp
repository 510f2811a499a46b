// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The published optima of the Moving AI benchmarks, for every map in $OCTILE_MAPS (else
// ../shared/maps beside the project): a sample of each, or all with OCTILE_LONG=1. Skipped where
// there are no maps.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "public_maps.hpp"
#include "support.hpp"

namespace octile::test {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(Published, optima) {
  std::vector<fs::path> maps;
  for (const fs::path& file : public_files(".map"))
    if (fs::exists(file.string() + ".scen")) maps.push_back(file);
  if (maps.empty()) GTEST_SKIP() << "no maps in " << maps_folder() << "; set OCTILE_MAPS";
  uint64_t compared = 0;
  Searcher searcher;
  Path path;
  for (const fs::path& file : maps) {
    const std::string map = contents(file), scen = contents(file.string() + ".scen");
    Engine engine;
    ProfileId id = 0;
    Fault f = parse_map(map.data(), map.size(), MapDef(), engine);
    if (!f) f = engine.add_profile(Profile(), &id);
    if (!f) f = engine.commit();
    ASSERT_FALSE(f) << file << ": " << f.text;
    const View view = engine.view(id);
    size_t count = 0;
    f = parse_scen(scen.data(), scen.size(), nullptr, 0, &count);
    ASSERT_FALSE(f) << file << ": " << f.text;
    std::vector<ScenQuery> queries(count);
    ASSERT_FALSE(parse_scen(scen.data(), scen.size(), queries.data(), count, &count));
    const size_t every = long_run() ? 1 : std::max<size_t>(1, count / (sampled() ? 4 : 20));
    for (size_t i = 0; i < count; i += every) {
      for (const char* solver : {"auto", "jps", "astar"}) {
        const Query q = query_of(queries[i].start, queries[i].goal, solver);
        find(searcher, view, q, path);
        ++compared;
        ASSERT_EQ(path.status, Status::found) << file << " line " << i << " " << solver << shown(q);
        ASSERT_NEAR(path.cost, queries[i].optimum, 0.01) << file << " line " << i << " " << solver;
        // Every step of the path is a legal move of the View.
        double cost = 0;
        for (size_t k = 1; k < path.size(); ++k) {
          const Cell a = path.cells()[k - 1], b = path.cells()[k];
          constexpr int kBit[3][3] = {{5, 6, 7}, {4, -1, 0}, {3, 2, 1}};
          ASSERT_TRUE(std::abs(b.x - a.x) <= 1 && std::abs(b.y - a.y) <= 1);
          const int bit = kBit[b.y - a.y + 1][b.x - a.x + 1];
          ASSERT_TRUE(bit >= 0 && (view.moves(a) >> bit & 1)) << file << shown(a) << shown(b);
          cost += bit & 1 ? std::sqrt(2.0) : 1;
        }
        ASSERT_NEAR(path.cost, cost, 1e-6);
      }
    }
  }
  std::printf("compared %llu answers on %zu maps\n", (unsigned long long)compared, maps.size());
  EXPECT_GT(compared, 0u);
}

}  // namespace
}  // namespace octile::test
