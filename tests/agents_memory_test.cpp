// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Fields, batches, group orders, plans and steps with every allocation failing in turn: a Fault, no
// leak, and what was there before stays; a warm StepPlanner allocates nothing.

#include "agents/settle.hpp"
#include "engine/view.hpp"
#include "failing_allocator.hpp"
#include "octile/agents.hpp"
#include "octile/batch.hpp"
#include "octile/fields.hpp"
#include "octile/groups.hpp"
#include "support.hpp"

namespace octile::test {
namespace {

const Rows kRows = {"..........", ".##.##.##.", "..........", ".#..#..#..", ".........."};

std::vector<AgentTask> tasks() {
  return {{{0, 0}, {9, 4}}, {{9, 0}, {0, 4}}, {{0, 4}, {9, 0}}, {{9, 4}, {0, 0}}, {{4, 2}, {5, 2}}};
}

void fail_every_allocation(const Profile& profile) {
  const World world(kRows, profile);
  const std::vector<AgentTask> list = tasks();
  PlanOptions options;
  options.improve = 50;
  options.refine = 20;
  const int failures = every_failure([&](Failure& failure) {
    Plan plan;
    ASSERT_NE(plan.resize(1, 1), nullptr);
    PlanAnswer answer;
    Fault fault;
    failure.during(
        [&] { fault = make_plan(world.view, list.data(), list.size(), options, &plan, &answer); });
    if (failure.happened()) {
      EXPECT_EQ(fault.status, Status::out_of_memory);
      EXPECT_EQ(plan.rows(), 1u);
      EXPECT_EQ(plan.agents(), 1u);
    } else {
      ASSERT_FALSE(fault) << fault.text;
      PlanReport report;
      ASSERT_FALSE(check_plan(world.view, list.data(), list.size(), plan, &report));
      EXPECT_EQ(report.defect, PlanDefect::none) << report.text;
    }
  });
  EXPECT_GT(failures, 20);
}

TEST(AgentsMemory, plans) {
  fail_every_allocation(profile_of(Moves::four));
  fail_every_allocation(profile_of(Moves::eight));
}

TEST(AgentsMemory, agents_that_settle_one_by_one) {
  const World world(kRows, profile_of(Moves::eight));
  AgentGraph graph;
  ASSERT_TRUE(graph.build(world.view.impl()->world));
  detail::Buffer<Vertex> starts, goals;
  for (const AgentTask& t : tasks()) {
    ASSERT_TRUE(starts.push(graph.vertex(t.start)));
    ASSERT_TRUE(goals.push(graph.vertex(t.goal)));
  }
  const int failures = every_failure([&](Failure& failure) {
    Settler settler;
    bool done = false;
    failure.during([&] {
      done = settler.begin(graph, starts, goals) &&
             settler.run(Limits{}, false) == SearchEnd::solved &&
             settler.each_row([](const Vertex*) { return true; });
    });
    EXPECT_EQ(done, !failure.happened());
  });
  EXPECT_GT(failures, 15);
}

TEST(AgentsMemory, checks) {
  const World world(kRows, profile_of(Moves::four));
  const std::vector<AgentTask> list = tasks();
  Plan plan;
  PlanAnswer answer;
  ASSERT_FALSE(make_plan(world.view, list.data(), list.size(), {}, &plan, &answer));
  const int failures = every_failure([&](Failure& failure) {
    PlanReport report;
    Fault fault;
    failure.during(
        [&] { fault = check_plan(world.view, list.data(), list.size(), plan, &report); });
    EXPECT_EQ(fault.status, failure.happened() ? Status::out_of_memory : Status::found);
  });
  EXPECT_GT(failures, 4);
}

TEST(AgentsMemory, steps) {
  for (const Profile& profile : {profile_of(Moves::four), profile_of(Moves::eight)}) {
    const World world(kRows, profile);
    std::vector<StepAgent> agents;
    for (const AgentTask& t : tasks()) {
      StepAgent a;
      a.cell = t.start;
      a.goal = t.goal;
      agents.push_back(a);
    }
    const int failures = every_failure([&](Failure& failure) {
      StepPlanner planner;
      Fault fault;
      failure.during([&] { fault = planner.reset(world.view, agents.data(), agents.size(), {}); });
      if (failure.happened()) {
        EXPECT_EQ(fault.status, Status::out_of_memory);
        EXPECT_EQ(planner.agents(), 0u);
        return;
      }
      // A goal or a view that fails changes nothing.
      for (int t = 0; t < 40; ++t) {
        failure.during([&] { fault = planner.step(); });
        ASSERT_FALSE(fault) << fault.text;
        std::vector<Cell> cells;
        for (size_t i = 0; i < agents.size(); ++i) cells.push_back(planner.cell(i));
        failure.during([&] {
          if (t == 10) fault = planner.set_goal(0, {0, 2});
          if (t == 20) fault = planner.change_view(world.view);
        });
        if (!fault) continue;
        EXPECT_EQ(fault.status, Status::out_of_memory);
        EXPECT_EQ(planner.goal(0), t == 10 ? agents[0].goal : (Cell{0, 2}));
        for (size_t i = 0; i < agents.size(); ++i) {
          EXPECT_EQ(planner.cell(i), cells[i]);
        }
      }
    });
    EXPECT_GT(failures, 15);
  }
}

TEST(AgentsMemory, fields) {
  const World world(kRows, Profile());
  const Cell goals[] = {{0, 0}, {9, 4}}, stops[] = {{4, 2}};
  FieldQuery query;
  query.goals = goals;
  query.goal_count = 2;
  for (const size_t stop_count : {0, 1}) {
    query.stops = stops;
    query.stop_count = stop_count;
    const int failures = every_failure([&](Failure& failure) {
      FieldMaker maker;
      Field field;
      Fault fault;
      failure.during([&] { fault = maker.build(world.view, query, &field); });
      EXPECT_EQ(fault.status, failure.happened() ? Status::out_of_memory : Status::found);
      EXPECT_EQ(field.empty(), failure.happened());
      if (failure.happened()) {
        ASSERT_FALSE(maker.build(world.view, query, &field));
      }
      EXPECT_EQ(field.distance({0, 0}), 0);
      // What fails later leaves the field as it was.
      const double distance = field.distance({4, 2});
      FieldQuery other = query;
      other.goal_count = 1;
      if (!failure.happened()) {
        failure.during([&] { fault = maker.build(world.view, other, &field); });
        EXPECT_EQ(fault.status, failure.happened() ? Status::out_of_memory : Status::found);
      }
      if (failure.happened()) {
        EXPECT_EQ(field.distance({4, 2}), distance);
      }
    });
    EXPECT_GT(failures, 3);
  }
}

// Whatever fails, a field is right for the View that it names.
TEST(AgentsMemory, fields_after_edits) {
  Random random(7);
  World world(random_board(random, 60, 50, 20), Profile());
  const Cell goal{30, 25};
  ASSERT_FALSE(world.engine.map().set_terrain(goal, '.'));
  world.commit();
  FieldQuery query;
  query.goals = &goal;
  query.goal_count = 1;
  const auto distances = [](const Field& field) {
    std::vector<uint64_t> all;
    for (int y = 0; y < 50; ++y)
      for (int x = 0; x < 60; ++x) all.push_back(field.distance_units({x, y}));
    return all;
  };
  for (const int length : {4, 40}) {  // repaired, and built anew
    const View before = world.view;
    for (int y = 5; y < 5 + length; ++y) ASSERT_FALSE(world.engine.map().set_terrain({20, y}, '@'));
    world.commit();
    FieldMaker other;
    Field old, anew;
    ASSERT_FALSE(other.build(before, query, &old));
    ASSERT_FALSE(other.build(world.view, query, &anew));
    ASSERT_NE(distances(old), distances(anew));
    const int failures = every_failure([&](Failure& failure) {
      FieldMaker maker;
      Field field;
      ASSERT_FALSE(maker.build(before, query, &field));
      Fault fault;
      failure.during([&] { fault = maker.update(world.view, &field); });
      EXPECT_TRUE(!fault || fault.status == Status::out_of_memory);
      EXPECT_EQ(field.view().version(), (fault ? before : world.view).version());
      EXPECT_EQ(distances(field), distances(fault ? old : anew));
    });
    EXPECT_GT(failures, 3);
  }
}

TEST(AgentsMemory, batches) {
  const World world(kRows, Profile());
  std::vector<Query> queries;
  for (int i = 0; i < 12; ++i) queries.push_back(query_of({i % 10, 0}, {9, i < 8 ? 4 : 2}));
  std::vector<Path> right(queries.size());
  Batch plain;
  BatchOptions options;
  options.cache_bytes = 1 << 16;
  ASSERT_FALSE(plain.run(world.view, queries.data(), queries.size(), options, right.data()));
  const int failures = every_failure([&](Failure& failure) {
    Batch batch;
    std::vector<Path> paths(queries.size());
    Fault fault;
    failure.during([&] {
      fault = batch.run(world.view, queries.data(), queries.size(), options, paths.data());
    });
    EXPECT_TRUE(fault.status == Status::found || failure.happened());
    // A path that has no memory says so itself; a field that cannot be kept does no harm.
    for (size_t i = 0; !fault && i < queries.size(); ++i) {
      if (paths[i].status == Status::out_of_memory && failure.happened()) continue;
      EXPECT_EQ(hash_of(paths[i]), hash_of(right[i]));
    }
    ASSERT_FALSE(batch.run(world.view, queries.data(), queries.size(), options, paths.data()));
    for (size_t i = 0; i < queries.size(); ++i) EXPECT_EQ(hash_of(paths[i]), hash_of(right[i]));
  });
  EXPECT_GT(failures, 5);
}

TEST(AgentsMemory, groups) {
  const World world(kRows, Profile());
  const std::vector<GroupUnit> units = {{{0, 0}}, {{1, 0}}, {{9, 4}}, {{0, 4}}, {{5, 2}}};
  for (const Formation formation :
       {Formation::compact, Formation::box, Formation::wedge, Formation::keep_shape}) {
    GroupOptions options;
    options.formation = formation;
    const int failures = every_failure([&](Failure& failure) {
      Searcher searcher;
      std::vector<GroupSlot> slots(units.size());
      GroupAnswer answer;
      Fault fault;
      failure.during([&] {
        fault = order_group(searcher, &world.view, 1, units.data(), units.size(), {7, 2}, options,
                            slots.data(), &answer);
      });
      EXPECT_EQ(fault.status, failure.happened() ? Status::out_of_memory : Status::found);
      if (!fault) {
        EXPECT_EQ(answer.placed, units.size());
      }
    });
    EXPECT_GT(failures, 5);
  }
}

TEST(AgentsMemory, warm_steps_allocate_nothing) {
  for (const Profile& profile : {profile_of(Moves::four), profile_of(Moves::eight)}) {
    Random random(71);
    const World world(Board(30, 30), profile);
    std::vector<StepAgent> agents;
    for (int i = 0; i < 200; ++i) {
      StepAgent a;
      a.cell = {i % 30, i / 30};
      a.goal = {random.below(30), 29 - i / 30};
      agents.push_back(a);
    }
    StepPlanner planner;
    ASSERT_FALSE(planner.reset(world.view, agents.data(), agents.size(), {}));
    for (int t = 0; t < 200; ++t) ASSERT_FALSE(planner.step());
    EXPECT_EQ(allocations_of([&] {
                for (int t = 0; t < 100; ++t) planner.step();
              }),
              0u);
  }
}

}  // namespace
}  // namespace octile::test
