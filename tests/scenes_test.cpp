// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The exact costs of the scenes are those of the judge and of every exact solver, and each defect
// of the tutorials has a test of its own name.
//
// OCTILE_WRITE_COSTS=scenes/costs.inc scenes_test --gtest_filter='Costs.*judge*' writes the table
// of exact costs anew, from the judge; do that when scenes were added or the cost units changed.

#include "scenes/scenes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include "support.hpp"

namespace octile::scenes {
namespace {

// ---------------------------------------------------------------------------------------------
// Scenes

TEST(Scenes, list_is_sound) {
  std::set<std::string> names;
  std::map<std::string, int> members;
  for (const SceneInfo& scene : all()) {
    EXPECT_TRUE(names.insert(scene.name).second) << scene.name;
    EXPECT_FALSE(scene.about.empty()) << scene.name;
    EXPECT_EQ(info(scene.name), &scene);
    ++members[scene.family];
  }
  EXPECT_EQ(families(), (std::vector<std::string>{"tutorial", "defects", "shapes", "worlds"}));
  EXPECT_EQ(members["tutorial"], 100);
  EXPECT_EQ(members["defects"], 33);
  EXPECT_GE(members["shapes"], 60);
  EXPECT_GE(members["worlds"], 12);
  EXPECT_EQ(info("nowhere"), nullptr);
  EXPECT_FALSE(build("nowhere").has_value());
}

TEST(Scenes, all_build) {
  for (const SceneInfo& listed : all()) {
    const std::optional<Scene> scene = build(listed.name);
    ASSERT_TRUE(scene.has_value()) << listed.name;
    EXPECT_EQ(scene->grid.width, listed.width) << listed.name;
    EXPECT_EQ(scene->grid.height, listed.height) << listed.name;
    EXPECT_FALSE(scene->queries.empty()) << listed.name;
    for (const SceneQuery& query : scene->queries) {
      EXPECT_EQ(query.status == Status::found, query.cost_units >= 0) << listed.name;
    }
  }
}

// A scene in an Engine, and the means to ask it.
struct Loaded {
  Scene scene;
  Engine engine;
  View view;
  Searcher searcher;
  Path path;

  explicit Loaded(const std::string& name) {
    std::optional<Scene> built = build(name);
    EXPECT_TRUE(built.has_value()) << name;
    if (!built) return;
    scene = std::move(*built);
    ProfileId profile = 0;
    const Fault fault = load(scene, engine, profile);
    EXPECT_FALSE(fault) << fault.text;
    view = engine.view(profile);
  }
  const Path& ask(Cell start, Cell goal, SolverId solver = kAuto) {
    Query query;
    query.start = start;
    query.goal = goal;
    query.solver = solver;
    find(searcher, view, query, path);
    return path;
  }
};

// Walks the path by the View's own move masks.
void expect_legal(const View& view, const Path& path, Cell start, Cell goal) {
  constexpr int kX[8] = {1, 1, 0, -1, -1, -1, 0, 1};
  constexpr int kY[8] = {0, 1, 1, 1, 0, -1, -1, -1};
  ASSERT_GT(path.size(), 0u);
  EXPECT_EQ(path.cells()[0], start);
  EXPECT_EQ(path.cells()[path.size() - 1], goal);
  for (size_t i = 1; i < path.size(); ++i) {
    const Cell from = path.cells()[i - 1];
    bool legal = false;
    for (int d = 0; d < 8; ++d) {
      if (Cell{from.x + kX[d], from.y + kY[d]} == path.cells()[i]) {
        legal = view.moves(from) >> d & 1;
      }
    }
    ASSERT_TRUE(legal) << "step " << i;
  }
}

void expect_answer(Loaded& loaded, const SceneQuery& query, SolverId solver) {
  SCOPED_TRACE(loaded.scene.name + ", " + solver_info(solver).name + ", (" +
               std::to_string(query.start.x) + ", " + std::to_string(query.start.y) + ") to (" +
               std::to_string(query.goal.x) + ", " + std::to_string(query.goal.y) + ")");
  const Path& path = loaded.ask(query.start, query.goal, solver);
  ASSERT_STREQ(name(path.status), name(query.status));
  if (query.status == Status::found) {
    EXPECT_EQ(path.cost_units, static_cast<uint64_t>(query.cost_units));
    EXPECT_STREQ(path.message, "");
    expect_legal(loaded.view, path, query.start, query.goal);
  } else {
    EXPECT_EQ(path.size(), 0u);
    EXPECT_STRNE(path.message, "");
  }
}

// The table of exact costs, from the judge.
TEST(Costs, on_file_are_those_of_the_judge) {
  const SolverId judge = solver_id("dijkstra");
  ASSERT_GE(judge, 0);
  const char* file = std::getenv("OCTILE_WRITE_COSTS");
  std::string table =
      "// SPDX-License-Identifier: MIT\n"
      "// SPDX-FileCopyrightText: 2026 The Octile authors\n"
      "// Exact costs in cost units, query by query; -1: no path. Written by "
      "tests/scenes_test.cpp.\n";
  size_t compared = 0;
  for (const SceneInfo& listed : all()) {
    if (listed.family == "defects") continue;  // by hand, in scene_defects.cpp
    Loaded loaded(listed.name);
    table += "{\"" + listed.name + "\", {";
    for (size_t i = 0; i < loaded.scene.queries.size(); i += test::sampled() ? 8 : 1) {
      const SceneQuery& query = loaded.scene.queries[i];
      if (!file) {
        expect_answer(loaded, query, judge);
        ++compared;
        continue;
      }
      const Path& path = loaded.ask(query.start, query.goal, judge);
      ASSERT_EQ(path.status, query.status) << listed.name;
      const bool found = path.status == Status::found;
      table += (i > 0 ? ", " : "") + (found ? std::to_string(path.cost_units) : std::string("-1"));
    }
    table += "}},\n";
  }
  if (file) {
    std::ofstream out(file);
    out << table;
    out.close();
    ASSERT_TRUE(out.good()) << file;
    std::printf("wrote %s\n", file);
  } else {
    std::printf("%zu costs compared with the judge\n", compared);
  }
}

// The list version looks through its whole open list for every cell it takes.
constexpr int kMostCellsForLists = 128 * 128;

void compare_solvers(const std::string& family) {
  size_t compared = 0;
  for (const SceneInfo& listed : all()) {
    if (listed.family != family) continue;
    Loaded loaded(listed.name);
    for (SolverId solver = 0; solver < solver_count(); ++solver) {
      const std::string solver_name = solver_info(solver).name;
      if (!solver_info(solver).exact || solver_name == "dijkstra") continue;
      if (solver_name == "textbook_list" && listed.width * listed.height > kMostCellsForLists) {
        continue;
      }
      for (const SceneQuery& query : loaded.scene.queries) {
        expect_answer(loaded, query, solver);
        ++compared;
      }
    }
  }
  std::printf("%zu answers compared\n", compared);
  EXPECT_GT(compared, 0u);
}

TEST(Costs, every_exact_solver_agrees_on_the_tutorial_maps) {
  compare_solvers("tutorial");
}
TEST(Costs, every_exact_solver_agrees_on_the_shapes) {
  compare_solvers("shapes");
}
TEST(Costs, every_exact_solver_agrees_on_the_worlds) {
  compare_solvers("worlds");
}

// ---------------------------------------------------------------------------------------------
// The defects of the tutorials, by the numbers of their reports

// Every exact solver gives the right answers, in the order of the report, with one Searcher and one
// Path for all of them: nothing of a query may be left for the next.
void expect_right_answers(const std::string& id) {
  Loaded loaded(id);
  for (int round = 0; round < 2; ++round) {
    for (SolverId solver = 0; solver < solver_count(); ++solver) {
      if (!solver_info(solver).exact) continue;
      for (const SceneQuery& query : loaded.scene.queries) {
        expect_answer(loaded, query, solver);
        // In these scenes a cost unit is a ten, or a step of four ways.
        EXPECT_EQ(loaded.path.cost, static_cast<double>(std::max<int64_t>(0, query.cost_units)));
      }
    }
  }
}

void expect_cells(const Path& path, std::vector<Cell> cells) {
  ASSERT_EQ(path.size(), cells.size());
  for (size_t i = 0; i < cells.size(); ++i) EXPECT_EQ(path.cells()[i], cells[i]) << i;
}

// A path that was found before must not be left in the answer.
void expect_no_old_path(const std::string& id) {
  Loaded loaded(id);
  const SceneQuery query = loaded.scene.queries[0];
  for (SolverId solver = 0; solver < solver_count(); ++solver) {
    EXPECT_EQ(loaded.ask(query.start, query.start, solver).size(), 1u);
    EXPECT_EQ(loaded.ask(query.start, query.goal, solver).size(), 0u);
    EXPECT_NE(loaded.path.status, Status::found);
    EXPECT_STRNE(loaded.path.message, "");
  }
}

// One cell, cost 0, and no search.
void expect_stays(const std::string& id) {
  Loaded loaded(id);
  const Cell here = loaded.scene.queries[0].start;
  for (SolverId solver = 0; solver < solver_count(); ++solver) {
    const Path& path = loaded.ask(here, here, solver);
    EXPECT_EQ(path.status, Status::found);
    EXPECT_EQ(path.cost, 0);
    EXPECT_LE(path.expanded, 1u) << solver_info(solver).name;
    expect_cells(path, {here});
  }
}

// The wall of the scene is built after the way was walked once.
void expect_new_wall_is_seen(const std::string& id) {
  const Scene scene = *build(id);
  Engine engine;
  MapDef definition;
  definition.width = scene.grid.width;
  definition.height = scene.grid.height;
  ProfileId profile = 0;
  ASSERT_FALSE(engine.reset(definition));
  ASSERT_FALSE(engine.add_profile(scene.profile, &profile));
  ASSERT_FALSE(engine.commit());
  Searcher searcher;
  Path path;
  Query query;
  query.start = scene.queries[0].start;
  query.goal = scene.queries[0].goal;
  for (SolverId solver = 0; solver < solver_count(); ++solver) {
    query.solver = solver;
    const View before = engine.view(profile);
    find(searcher, before, query, path);
    EXPECT_EQ(path.status, Status::found);
    EXPECT_EQ(path.cost, 20);
    ASSERT_FALSE(engine.map().set_terrain({1, 0}, '@'));
    ASSERT_FALSE(engine.commit());
    find(searcher, engine.view(profile), query, path);
    EXPECT_EQ(path.status, Status::no_path) << solver_info(solver).name;
    EXPECT_EQ(path.size(), 0u);
    find(searcher, before, query, path);  // the old View still shows the old map
    EXPECT_EQ(path.status, Status::found);
    ASSERT_FALSE(engine.map().set_terrain({1, 0}, '.'));
    ASSERT_FALSE(engine.commit());
  }
}

TEST(Defects, S000_01) {
  expect_right_answers("S000-01");
}
TEST(Defects, S000_02) {
  expect_right_answers("S000-02");
}
TEST(Defects, S000_03) {
  expect_right_answers("S000-03");
}
TEST(Defects, S000_04) {
  expect_right_answers("S000-04");
}

TEST(Defects, S000_05) {
  expect_right_answers("S000-05");
  Loaded loaded("S000-05");
  Trace trace;
  for (const SceneQuery& asked : loaded.scene.queries) {
    trace.clear();
    Query query;
    query.start = asked.start;
    query.goal = asked.goal;
    query.solver = solver_id("astar");
    query.trace = &trace;
    find(loaded.searcher, loaded.view, query, loaded.path);
    ASSERT_GT(trace.size(), 0u);
    EXPECT_EQ(trace.events()[0].cell, asked.start);
    EXPECT_EQ(trace.events()[0].g, 0);
  }
}

TEST(Defects, S000_09) {
  expect_right_answers("S000-09");
  expect_no_old_path("S000-09");
}

TEST(Defects, S001_01) {
  expect_right_answers("S001-01");
}
TEST(Defects, S001_02) {
  expect_right_answers("S001-02");
}

TEST(Defects, S001_03) {
  expect_right_answers("S001-03");
  expect_no_old_path("S001-03");
}

TEST(Defects, S001_04) {
  expect_right_answers("S001-04");
}
TEST(Defects, S001_05) {
  expect_right_answers("S001-05");
}

TEST(Defects, S001_06) {
  expect_right_answers("S001-06");
  Loaded loaded("S001-06");
  for (SolverId solver = 0; solver < solver_count(); ++solver) {
    expect_cells(loaded.ask({0, 0}, {2, 0}, solver), {{0, 0}, {1, 0}, {2, 0}});
  }
}

TEST(Defects, S001_08) {
  expect_right_answers("S001-08");
  Loaded loaded("S001-08");
  for (SolverId solver = 0; solver < solver_count(); ++solver) {
    expect_cells(loaded.ask({1, 0}, {0, 2}, solver), {{1, 0}, {1, 1}, {1, 2}, {0, 2}});
  }
}

TEST(Defects, S001_11) {
  expect_right_answers("S001-11");
  expect_no_old_path("S001-11");
}

TEST(Defects, S002_01) {
  expect_right_answers("S002-01");
  expect_new_wall_is_seen("S002-01");
}

TEST(Defects, S002_02) {
  expect_right_answers("S002-02");
  expect_stays("S002-02");
}

TEST(Defects, S002_03) {
  expect_right_answers("S002-03");
  expect_no_old_path("S002-03");
}

TEST(Defects, S003_01) {
  expect_right_answers("S003-01");
}

TEST(Defects, S003_02) {
  expect_right_answers("S003-02");
  Loaded loaded("S003-02");
  for (SolverId solver = 0; solver < solver_count(); ++solver) {
    expect_cells(loaded.ask({0, 0}, {1, 0}, solver), {{0, 0}, {1, 0}});
  }
}

TEST(Defects, S003_03) {
  expect_right_answers("S003-03");
}
TEST(Defects, S003_04) {
  expect_right_answers("S003-04");
}
TEST(Defects, S004_01) {
  expect_right_answers("S004-01");
}
TEST(Defects, S004_02) {
  expect_right_answers("S004-02");
}

TEST(Defects, S004_03) {
  expect_right_answers("S004-03");
  expect_stays("S004-03");
}

TEST(Defects, S004_04) {
  expect_right_answers("S004-04");
}
TEST(Defects, S004_05) {
  expect_right_answers("S004-05");
}
TEST(Defects, S004_06) {
  expect_right_answers("S004-06");
}

TEST(Defects, S004_07) {
  expect_right_answers("S004-07");
  Loaded loaded("S004-07");
  for (SolverId solver = 0; solver < solver_count(); ++solver) {
    EXPECT_EQ(loaded.ask({0, 0}, {3, 2}, solver).expanded, 0u);
  }
}

TEST(Defects, S004_10) {
  expect_right_answers("S004-10");
}

TEST(Defects, S004_11) {
  expect_right_answers("S004-11");
  Loaded loaded("S004-11");
  for (const char* solver : {"textbook_heap", "astar"}) {
    // Ten steps, ten cells; whether the goal itself counts is a matter of taste.
    EXPECT_LE(loaded.ask({10, 10}, {20, 10}, solver_id(solver)).expanded, 11u) << solver;
  }
}

TEST(Defects, S004_12) {
  expect_right_answers("S004-12");
  expect_stays("S004-12");
}

TEST(Defects, S004_13) {
  expect_right_answers("S004-13");
  Loaded loaded("S004-13");
  for (SolverId solver = 0; solver < solver_count(); ++solver) {
    loaded.ask({0, 0}, {2, 0}, solver);
    const Path kept = std::move(loaded.path);
    loaded.path = Path();
    expect_cells(loaded.ask({2, 0}, {0, 0}, solver), {{2, 0}, {1, 0}, {0, 0}});
    expect_cells(kept, {{0, 0}, {1, 0}, {2, 0}});
  }
}

TEST(Defects, S004_14) {
  expect_right_answers("S004-14");
  expect_new_wall_is_seen("S004-14");
}

TEST(Defects, each_scene_has_its_test) {
  std::set<std::string> tests;
  const testing::UnitTest& suites = *testing::UnitTest::GetInstance();
  for (int s = 0; s < suites.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *suites.GetTestSuite(s);
    if (std::string(suite.name()) != "Defects") continue;
    for (int t = 0; t < suite.total_test_count(); ++t) tests.insert(suite.GetTestInfo(t)->name());
  }
  for (const SceneInfo& scene : all()) {
    if (scene.family != "defects") continue;
    std::string test = scene.name;
    std::replace(test.begin(), test.end(), '-', '_');
    EXPECT_TRUE(tests.count(test)) << test;
  }
}

}  // namespace
}  // namespace octile::scenes
