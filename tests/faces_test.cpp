// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// tests/faces/queries.txt, which every face reads: maps, profiles and queries with the cost and the
// path of several solvers. This program is its source and the C++ face's test of it.
//
// OCTILE_WRITE_FACES=tests/faces/queries.txt faces_test writes it anew, after a change that was
// meant.

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "scenes/generators.hpp"
#include "scenes/scenes.hpp"
#include "support.hpp"

namespace octile::test {
namespace {

constexpr const char* kHead =
    "# Every face answers each query of this file with the same cost and the same path.\n"
    "# Written by tests/faces_test.cpp. Words are parted by blanks; numbers are those of "
    "octile.h.\n"
    "# map NAME WIDTH HEIGHT, then a word of terrain letters for each row\n"
    "# profile MOVES DIAGONAL METRIC WIDTH HEIGHT\n"
    "# index KIND (0: none; built with the defaults)\n"
    "# query SOLVER START_X START_Y GOAL_X GOAL_Y STATUS COST_UNITS COST PATH\n"
    "#   COST with 17 digits, 0 without a path; PATH: the moves, 0 to 7 from east by south; '-': "
    "no move\n";

struct Walker {
  Moves moves;
  Diagonal diagonal;
  Metric metric;
  int width, height;
};

// The moves of a path, a digit each.
std::string moves_of(const Path& path) {
  static constexpr int kX[] = {1, 1, 0, -1, -1, -1, 0, 1}, kY[] = {0, 1, 1, 1, 0, -1, -1, -1};
  std::string out;
  for (size_t i = 1; i < path.size(); ++i) {
    int d = 0;
    while (d < 8 && (path.cells()[i - 1].x + kX[d] != path.cells()[i].x ||
                     path.cells()[i - 1].y + kY[d] != path.cells()[i].y)) {
      ++d;
    }
    out += static_cast<char>('0' + d);
  }
  return out.empty() ? "-" : out;
}

void write_map(std::ostream& out, const std::string& name, const scenes::Grid& grid,
               const std::vector<scenes::SceneQuery>& queries) {
  out << "map " << name << ' ' << grid.width << ' ' << grid.height << '\n';
  for (int y = 0; y < grid.height; ++y) {
    for (int x = 0; x < grid.width; ++x) out << static_cast<char>(grid.at(x, y));
    out << '\n';
  }
  Engine engine;
  MapDef definition;
  definition.width = grid.width;
  definition.height = grid.height;
  ASSERT_FALSE(engine.reset(definition));
  ASSERT_FALSE(engine.map().stamp({0, 0, grid.width, grid.height}, grid.cells.data(),
                                  static_cast<size_t>(grid.width)));
  ASSERT_FALSE(engine.commit());
  static constexpr Walker kWalkers[] = {
      {Moves::eight, Diagonal::no_obstacles, Metric::octile, 1, 1},
      {Moves::four, Diagonal::never, Metric::octile, 1, 1},
      {Moves::eight, Diagonal::always, Metric::ten_fourteen, 1, 1},
      {Moves::eight, Diagonal::at_most_one_obstacle, Metric::chebyshev, 1, 1},
      {Moves::eight, Diagonal::no_obstacles, Metric::octile, 2, 2},
  };
  struct Asked {
    IndexKind index;
    std::vector<const char*> solvers;
  };
  static const Asked kAsked[] = {
      {IndexKind::none, {"auto", "dijkstra", "textbook_heap", "astar", "jps"}},
      {IndexKind::tile_labels, {"auto", "labels", "subgoal", "line"}},
      {IndexKind::portals, {"portals"}},
      {IndexKind::quadtree, {"quadtree"}},
  };
  Searcher searcher;
  for (const Walker& walker : kWalkers) {
    Profile profile;
    profile.moves = walker.moves;
    profile.diagonal = walker.diagonal;
    profile.metric = walker.metric;
    profile.width = walker.width;
    profile.height = walker.height;
    ProfileId id = 0;
    ASSERT_FALSE(engine.add_profile(profile, &id));
    const View plain = engine.view(id);
    out << "profile " << int(walker.moves) << ' ' << int(walker.diagonal) << ' '
        << int(walker.metric) << ' ' << walker.width << ' ' << walker.height << '\n';
    for (const Asked& asked : kAsked) {
      View view = plain;
      if (asked.index != IndexKind::none) {
        IndexOptions options;
        options.most = asked.index;
        Index index;
        if (build_index(plain, options, &index)) continue;  // none serves such walkers
        ASSERT_FALSE(plain.with_index(index, &view));
      }
      out << "index " << int(asked.index) << '\n';
      for (const scenes::SceneQuery& q : queries) {
        for (const char* solver : asked.solvers) {
          Query query;
          query.start = q.start;
          query.goal = q.goal;
          query.solver = solver_id(solver);
          Path path;
          find(searcher, view, query, path);
          const Status status = path.status;
          const bool found = status == Status::found;
          char cost[40];
          std::snprintf(cost, sizeof cost, "%.17g", found ? path.cost : 0.0);
          out << "query " << solver << ' ' << q.start.x << ' ' << q.start.y << ' ' << q.goal.x
              << ' ' << q.goal.y << ' ' << int(status) << ' ' << (found ? path.cost_units : 0)
              << ' ' << cost << ' ' << (found ? moves_of(path) : "-") << '\n';
        }
      }
    }
  }
}

std::string text_of_faces() {
  std::ostringstream out;
  out << kHead;
  for (const char* name :
       {"tutorial_20_00", "tutorial_40_03", "S000-01", "spiral_64", "pillars_65"}) {
    const std::optional<scenes::Scene> scene = scenes::build(name);
    EXPECT_TRUE(scene) << name;
    if (!scene) continue;
    std::vector<scenes::SceneQuery> queries = scene->queries;
    if (queries.size() > 3) queries.resize(3);
    write_map(out, name, scene->grid, queries);
  }
  for (const char* kind : {"rooms", "caves", "hills"}) {
    scenes::GeneratorOptions rule;
    rule.width = 34;
    rule.height = 26;
    rule.seed = 77;
    scenes::Grid grid;
    EXPECT_EQ(scenes::generate(kind, rule, grid), "");
    scenes::Random random(5);
    std::vector<scenes::SceneQuery> queries(8);
    for (scenes::SceneQuery& q : queries) {
      q.start = {int(random.below(34)), int(random.below(26))};
      q.goal = {int(random.below(34)), int(random.below(26))};
    }
    queries.back().goal.x = 40;  // outside
    write_map(out, kind, grid, queries);
  }
  return out.str();
}

TEST(Faces, CppAnswersAsTheFileSays) {
  const std::string now = text_of_faces();
  if (const char* file = std::getenv("OCTILE_WRITE_FACES")) {
    std::ofstream(file, std::ios::binary) << now;
    return;
  }
  std::ifstream in(OCTILE_FACES_FILE, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  std::istringstream a(text.str()), b(now);
  std::string want, have;
  int line = 0;
  while (std::getline(a, want) && ++line) {
    ASSERT_TRUE(std::getline(b, have)) << "line " << line;
    ASSERT_EQ(want, have) << "line " << line;
  }
  EXPECT_GT(line, 1000);
  EXPECT_EQ(text.str().size(), now.size());
}

}  // namespace
}  // namespace octile::test
