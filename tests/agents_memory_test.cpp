// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Plans and steps with every allocation failing in turn: a Fault, no leak, and what was there
// before stays; a warm StepPlanner allocates nothing.

#include "failing_allocator.hpp"
#include "octile/agents.hpp"
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
