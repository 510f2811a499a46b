// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// StepPlanner: no conflict in any tick, who goes first, who yields, tasks that keep coming.

#include <algorithm>
#include <fstream>
#include <set>

#include "crowd.hpp"
#include "public_maps.hpp"

namespace octile::test {
namespace {

// Ten kinds of maps, 10^6 agent-steps in all (an eighth when sampled), tasks that keep coming.
TEST(Steps, a_million_steps_without_a_conflict) {
  Random random(61);
  int64_t steps = 0;
  const int64_t wanted = sampled() ? 125000 : 1000000;
  for (int kind = 0; kind < 10; ++kind) {
    SCOPED_TRACE(kind);
    const Board board = kind == 0   ? Board(40, 40)
                        : kind == 1 ? random_board(random, 48, 40, 10)
                        : kind == 2 ? random_board(random, 64, 64, 25)
                        : kind == 3 ? rooms_board(random, 48, 48, 6)
                        : kind == 4 ? one_wide_board(random, 41, 41, 100)
                        : kind == 5 ? comb_board(41, 30)
                        : kind == 6 ? spiral_board(31, 31)
                        : kind == 7 ? random_board(random, 100, 20, 35)
                        : kind == 8 ? Board(200, 3)
                                    : random_board(random, 65, 63, 15);
    const Diagonal diagonal = static_cast<Diagonal>(kind % 3);
    const World world(board, profile_of(kind % 2 ? Moves::eight : Moves::four, diagonal));
    std::vector<Cell> cells = free_cells(world);
    Crowd crowd(world);
    const size_t count = std::max<size_t>(2, cells.size() * static_cast<size_t>(kind + 2) / 14);
    crowd.reset(random_agents(random, world, count));
    for (int64_t done = 0; done < wanted / 10; done += static_cast<int64_t>(count)) {
      crowd.step();
      if (HasFatalFailure()) return;
      steps += static_cast<int64_t>(count);
      for (size_t i = 0; i < crowd.cells.size(); ++i)
        if (crowd.planner.arrived(i))
          crowd.planner.set_goal(i, cells[static_cast<size_t>(random.below(int(cells.size())))]);
    }
    EXPECT_GT(crowd.moves, 0);
  }
  EXPECT_GE(steps, wanted);
}

// The same on ten public maps, if there are any: 1,000 agents close together, with a few goals for
// all.
TEST(Steps, a_million_steps_on_public_maps) {
  const std::vector<std::filesystem::path> files = public_files(".map");
  if (files.empty()) GTEST_SKIP() << "no maps in " << maps_folder() << "; set OCTILE_MAPS";
  Random random(66);
  int maps = 0;
  for (const auto& file : files) {
    if (maps == 10) break;
    std::ifstream in(file);
    Rows rows;
    for (std::string line; std::getline(in, line);) rows.push_back(line);
    if (rows.size() < 64 || rows[0] != "type octile") continue;
    rows.erase(rows.begin(), rows.begin() + 4);
    const World world(Board(rows), maps % 2 ? kEight : kFour);
    const std::vector<Cell> cells = free_cells(world);
    if (cells.size() < 4000 || cells.size() > 100000) continue;
    SCOPED_TRACE(file);
    ++maps;
    std::vector<StepAgent> agents(1000);
    std::vector<Cell> starts(cells.begin(), cells.begin() + 3000), goals;
    shuffle(random, starts);
    for (int i = 0; i < 40; ++i)
      goals.push_back(cells[static_cast<size_t>(random.below(i % 2 ? 3000 : int(cells.size())))]);
    for (size_t i = 0; i < agents.size(); ++i) {
      agents[i].cell = starts[i];
      agents[i].goal = goals[static_cast<size_t>(random.below(40))];
    }
    Crowd crowd(world);
    crowd.reset(agents);
    for (int t = 0; t < (sampled() ? 12 : 100); ++t) {
      crowd.step();
      if (HasFatalFailure()) return;
      for (size_t i = 0; i < agents.size(); ++i)
        if (crowd.planner.arrived(i))
          crowd.planner.set_goal(i, goals[static_cast<size_t>(random.below(40))]);
    }
    EXPECT_GT(crowd.moves, 0);
  }
  if (maps == 0) GTEST_SKIP() << "none of the maps has from 4,000 to 100,000 cells to stand on";
}

// Where every two neighbours lie on a cycle everybody arrives.
TEST(Steps, everybody_arrives_in_the_open) {
  Random random(62);
  for (int round = 0; round < effort(20); ++round) {
    const World world(Board(16, 12), round % 2 ? kFour : kEight);
    Crowd crowd(world);
    crowd.reset(random_agents(random, world, 90));
    std::set<size_t> arrived;
    for (int t = 0; t < 400 && arrived.size() < 90; ++t) {
      crowd.step();
      if (HasFatalFailure()) return;
      for (size_t i = 0; i < 90; ++i)
        if (crowd.planner.arrived(i)) arrived.insert(i);
    }
    EXPECT_EQ(arrived.size(), 90u);
  }
}

// The first of the order comes nearer in every tick.
TEST(Steps, highest_priority_always_comes_nearer) {
  Random random(63);
  const World world(Board(20, 20), kFour);
  std::vector<StepAgent> agents = random_agents(random, world, 300);
  for (size_t i = 0; i < agents.size(); ++i) agents[i].priority = i == 7 ? 200 : 100;
  Crowd crowd(world);
  crowd.reset(agents);
  Searcher searcher;
  while (!crowd.planner.arrived(7)) {
    const double far = distance(searcher, world.view, crowd.cells[7], agents[7].goal);
    crowd.step();
    if (HasFatalFailure()) return;
    ASSERT_LT(distance(searcher, world.view, crowd.cells[7], agents[7].goal), far);
  }
}

TEST(Steps, two_pass_each_other_in_a_corridor_with_a_bay) {
  for (const Profile& profile : {kFour, kEight}) {
    const World world({".......", "###.###"}, profile);
    std::vector<StepAgent> agents(2);
    agents[0].cell = agents[1].goal = {0, 0};
    agents[1].cell = agents[0].goal = {6, 0};
    Crowd crowd(world);
    crowd.reset(agents);
    for (int t = 0; t < 60 && !(crowd.planner.on_the_way() == 0); ++t) crowd.step();
    EXPECT_EQ(crowd.planner.on_the_way(), 0u);
    EXPECT_EQ(crowd.planner.arrivals(), 2u);
  }
}

TEST(Steps, pinned_and_unpushable_agents_stand) {
  const World world({".....", "#.#.#"}, kFour);
  std::vector<StepAgent> agents(2);
  agents[0].cell = {0, 0};
  agents[0].goal = {4, 0};
  agents[1].cell = {2, 0};
  agents[1].has_goal = false;
  agents[1].pinned = true;
  Crowd crowd(world);
  crowd.reset(agents, {0, 10, size_t{1} << 30});
  for (int t = 0; t < 30; ++t) crowd.step();
  EXPECT_EQ(crowd.cells[1], (Cell{2, 0}));
  EXPECT_EQ(crowd.planner.outcome(1), StepOutcome::pinned);
  EXPECT_TRUE(crowd.planner.stalled());

  ASSERT_FALSE(crowd.planner.set_pinned(1, false));
  ASSERT_FALSE(crowd.planner.set_pushable(1, false));
  for (int t = 0; t < 30; ++t) crowd.step();
  EXPECT_EQ(crowd.cells[1], (Cell{2, 0}));

  // Pushable, it makes way.
  ASSERT_FALSE(crowd.planner.set_pushable(1, true));
  for (int t = 0; t < 30; ++t) crowd.step();
  EXPECT_EQ(crowd.cells[0], (Cell{4, 0}));
  EXPECT_FALSE(crowd.planner.stalled());
}

TEST(Steps, who_was_pushed_off_its_goal_returns) {
  const World world({".....", "##.##"}, kFour);
  std::vector<StepAgent> agents(2);
  agents[0].cell = {0, 0};
  agents[0].goal = {4, 0};
  agents[1].cell = agents[1].goal = {2, 0};
  Crowd crowd(world);
  crowd.reset(agents);
  bool pushed = false;
  for (int t = 0; t < 20; ++t) {
    crowd.step();
    pushed = pushed || crowd.planner.outcome(1) == StepOutcome::pushed;
  }
  EXPECT_TRUE(pushed);
  EXPECT_EQ(crowd.planner.on_the_way(), 0u);
}

TEST(Steps, unreachable_goals_and_edits) {
  World world({"..#..", "..#..", "..#.."}, kFour);
  std::vector<StepAgent> agents(2);
  agents[0].cell = {0, 0};
  agents[0].goal = {4, 0};
  agents[1].cell = {1, 1};
  agents[1].goal = {0, 2};
  Crowd crowd(world);
  crowd.reset(agents);
  EXPECT_FALSE(crowd.planner.reachable(0));
  EXPECT_TRUE(crowd.planner.reachable(1));
  for (int t = 0; t < 5; ++t) crowd.step();
  EXPECT_TRUE(crowd.planner.arrived(1));
  // A door opens.
  ASSERT_FALSE(world.engine.map().set_terrain({2, 1}, '.'));
  world.board.at({2, 1}) = '.';
  world.commit();
  ASSERT_FALSE(crowd.planner.change_view(world.view));
  EXPECT_TRUE(crowd.planner.reachable(0));
  for (int t = 0; t < 10; ++t) crowd.step();
  EXPECT_TRUE(crowd.planner.arrived(0));
  // A wall where an agent stands is refused.
  ASSERT_FALSE(world.engine.map().set_terrain({4, 0}, '@'));
  world.commit();
  EXPECT_EQ(crowd.planner.change_view(world.view).status, Status::start_blocked);
  EXPECT_TRUE(crowd.planner.arrived(0));
}

TEST(Steps, bad_input) {
  const World world({"..#"}, kFour);
  StepPlanner planner;
  EXPECT_EQ(planner.step().status, Status::bad_argument);
  EXPECT_EQ(planner.agents(), 0u);
  std::vector<StepAgent> agents(2);
  const auto status = [&] { return planner.reset(world.view, agents.data(), 2, {}).status; };
  agents[0].cell = agents[1].cell = {0, 0};
  EXPECT_EQ(status(), Status::bad_argument);
  agents[1].cell = {2, 0};
  EXPECT_EQ(status(), Status::start_blocked);
  agents[1].cell = {3, 0};
  EXPECT_EQ(status(), Status::start_out_of_bounds);
  agents[1].cell = {1, 0};
  agents[1].goal = {2, 0};
  EXPECT_EQ(status(), Status::goal_blocked);
  agents[1].goal = {0, 0};
  EXPECT_EQ(status(), Status::found);
  EXPECT_EQ(planner.set_goal(2, {0, 0}).status, Status::bad_argument);
  EXPECT_EQ(planner.set_goal(0, {2, 0}).status, Status::goal_blocked);
  EXPECT_EQ(planner.set_goal(0, {9, 9}).status, Status::goal_out_of_bounds);
  EXPECT_EQ(planner.reset(View(), agents.data(), 2, {}).status, Status::bad_argument);
}

// Same agents, same seed: the same steps, whatever was forgotten of the tables in between.
TEST(Steps, same_steps_whatever_the_tables_hold) {
  Random random(64);
  const World world(random_board(random, 40, 40, 20), kFour);
  const std::vector<Cell> cells = free_cells(world);
  const std::vector<StepAgent> agents = random_agents(random, world, 200);
  const auto run = [&](size_t table_bytes) {
    Random tasks(65);
    StepOptions options;
    options.table_bytes = table_bytes;
    Crowd crowd(world);
    crowd.reset(agents, options);
    uint64_t hash = 0;
    for (int t = 0; t < 200; ++t) {
      crowd.step();
      for (size_t i = 0; i < agents.size(); ++i) {
        hash = hash * 1099511628211u + world.board.index(crowd.cells[i]);
        if (crowd.planner.arrived(i))
          crowd.planner.set_goal(i, cells[size_t(tasks.below(int(cells.size())))]);
      }
    }
    return hash + crowd.planner.arrivals();
  };
  const uint64_t once = run(size_t{1} << 30);
  EXPECT_EQ(run(size_t{1} << 30), once);
  EXPECT_EQ(run(0), once);
}

}  // namespace
}  // namespace octile::test
