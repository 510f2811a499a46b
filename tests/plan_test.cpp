// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// make_plan() and check_plan(): the checker by planted conflicts, plans by the checker and by an
// oracle that looks at every joint position.

#include <map>

#include "agents/settle.hpp"
#include "engine/view.hpp"
#include "octile/agents.hpp"
#include "plan_oracle.hpp"
#include "support.hpp"

namespace octile::test {
namespace {

using Tasks = std::vector<AgentTask>;
using Table = std::vector<std::vector<Cell>>;

Plan plan_of(const Table& rows) {
  Plan plan;
  Cell* out = plan.resize(rows.size(), rows.empty() ? 0 : rows[0].size());
  for (const auto& row : rows)
    for (const Cell c : row) *out++ = c;
  return plan;
}

PlanReport checked(const View& view, const Tasks& tasks, const Plan& plan) {
  PlanReport report;
  const Fault fault = check_plan(view, tasks.data(), tasks.size(), plan, &report);
  EXPECT_FALSE(fault) << fault.text;
  return report;
}
PlanDefect defect(const World& world, const Tasks& tasks, const Table& rows) {
  return checked(world.view, tasks, plan_of(rows)).defect;
}

struct Planned {
  Plan plan;
  PlanAnswer answer;
};
Planned planned(const View& view, const Tasks& tasks, const PlanOptions& options = {}) {
  Planned p;
  const Fault fault = make_plan(view, tasks.data(), tasks.size(), options, &p.plan, &p.answer);
  EXPECT_FALSE(fault) << fault.text;
  return p;
}
bool solved(const Planned& p) {
  return p.answer.status == PlanStatus::feasible || p.answer.status == PlanStatus::optimal;
}
// The plan is valid, and its costs are those that were told.
void expect_valid(const View& view, const Tasks& tasks, const Planned& p) {
  const PlanReport report = checked(view, tasks, p.plan);
  EXPECT_EQ(report.defect, PlanDefect::none) << report.text;
  EXPECT_EQ(report.costs.makespan, p.answer.costs.makespan);
  EXPECT_EQ(report.costs.makespan, p.plan.ticks());
  EXPECT_EQ(report.costs.sum_of_costs, p.answer.costs.sum_of_costs);
  EXPECT_EQ(report.costs.sum_of_loss, p.answer.costs.sum_of_loss);
  EXPECT_EQ(report.costs.makespan_bound, p.answer.costs.makespan_bound);
  EXPECT_EQ(report.costs.sum_bound, p.answer.costs.sum_bound);
}

// Distinct free cells, of one connected part when the board has only one.
Tasks random_tasks(Random& random, const View& view, const Board& board, size_t agents) {
  std::vector<Cell> cells;
  for (size_t i = 0; i < board.size(); ++i)
    if (view.passable(board.cell(i))) cells.push_back(board.cell(i));
  const auto shuffled = [&] {
    std::vector<Cell> list = cells;
    for (size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1], list[static_cast<size_t>(random.below(static_cast<int>(i)))]);
    return list;
  };
  const std::vector<Cell> starts = shuffled(), goals = shuffled();
  Tasks tasks;
  for (size_t i = 0; i < agents && i < cells.size(); ++i) tasks.push_back({starts[i], goals[i]});
  return tasks;
}

const Profile kFour = profile_of(Moves::four);
const Profile kEight = profile_of(Moves::eight);

// ---------------------------------------------------------------------------------------------
// The checker

TEST(CheckPlan, accepts_and_measures) {
  const World world({"....", "....", "...."}, kFour);
  const Tasks tasks{{{0, 0}, {2, 0}}, {{3, 2}, {3, 2}}, {{0, 1}, {0, 2}}};
  // The first waits once, the third comes to its goal, leaves and returns.
  const PlanReport report = checked(world.view, tasks,
                                    plan_of({{{0, 0}, {3, 2}, {0, 1}},
                                             {{0, 0}, {3, 2}, {0, 2}},
                                             {{1, 0}, {3, 2}, {1, 2}},
                                             {{2, 0}, {3, 2}, {0, 2}},
                                             {{2, 0}, {3, 2}, {0, 2}}}));
  EXPECT_EQ(report.defect, PlanDefect::none) << report.text;
  EXPECT_EQ(report.costs.makespan, 3u);
  EXPECT_EQ(report.costs.sum_of_costs, 6u);
  EXPECT_EQ(report.costs.sum_of_loss, 6u);
  EXPECT_EQ(report.costs.makespan_bound, 2u);
  EXPECT_EQ(report.costs.sum_bound, 3u);
}

TEST(CheckPlan, names_each_planted_defect) {
  const World four({"...", ".#.", "..."}, kFour);
  const World eight({"...", "...", "..#"}, kEight);
  const Tasks one{{{0, 0}, {2, 0}}};
  const Tasks two{{{0, 0}, {2, 0}}, {{2, 0}, {0, 0}}};

  EXPECT_EQ(defect(four, one, {}), PlanDefect::wrong_size);
  EXPECT_EQ(defect(four, two, {{{0, 0}}, {{1, 0}}, {{2, 0}}}), PlanDefect::wrong_size);
  EXPECT_EQ(defect(four, one, {{{1, 0}}, {{2, 0}}}), PlanDefect::wrong_start);
  EXPECT_EQ(defect(four, {{{1, 0}, {1, 2}}}, {{{1, 0}}, {{1, 1}}, {{1, 2}}}), PlanDefect::blocked);
  EXPECT_EQ(defect(four, one, {{{0, 0}}, {{0, -1}}, {{0, 0}}}), PlanDefect::blocked);
  EXPECT_EQ(defect(four, one, {{{0, 0}}, {{2, 0}}}), PlanDefect::jump);
  EXPECT_EQ(defect(four, {{{1, 0}, {2, 1}}}, {{{1, 0}}, {{2, 1}}}), PlanDefect::jump);
  EXPECT_EQ(defect(four, one, {{{0, 0}}, {{1, 0}}}), PlanDefect::wrong_goal);
  EXPECT_EQ(defect(four, one, {{{0, 0}}, {{1, 0}}, {{2, 0}}, {{2, 1}}}), PlanDefect::left_goal);
  EXPECT_EQ(defect(four, two, {{{0, 0}, {2, 0}}, {{1, 0}, {1, 0}}}), PlanDefect::vertex);
  EXPECT_EQ(
      defect(four, {{{0, 0}, {1, 0}}, {{1, 0}, {0, 0}}}, {{{0, 0}, {1, 0}}, {{1, 0}, {0, 0}}}),
      PlanDefect::swap);
  // An agent passes over one that has arrived.
  EXPECT_EQ(defect(four, {{{0, 0}, {2, 0}}, {{1, 0}, {1, 0}}},
                   {{{0, 0}, {1, 0}}, {{1, 0}, {1, 0}}, {{2, 0}, {1, 0}}}),
            PlanDefect::vertex);
  // Following and turning in a circle are no conflicts.
  EXPECT_EQ(defect(eight, {{{0, 0}, {1, 0}}, {{1, 0}, {1, 1}}, {{1, 1}, {0, 1}}, {{0, 1}, {0, 0}}},
                   {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, {{1, 0}, {1, 1}, {0, 1}, {0, 0}}}),
            PlanDefect::none);

  EXPECT_EQ(defect(eight, {{{1, 2}, {2, 1}}}, {{{1, 2}}, {{2, 1}}}), PlanDefect::corner_cut);
  EXPECT_EQ(
      defect(eight, {{{0, 0}, {1, 1}}, {{1, 0}, {0, 1}}}, {{{0, 0}, {1, 0}}, {{1, 1}, {0, 1}}}),
      PlanDefect::crossing);
  EXPECT_EQ(
      defect(eight, {{{0, 0}, {1, 1}}, {{0, 1}, {1, 0}}}, {{{0, 0}, {0, 1}}, {{1, 1}, {1, 0}}}),
      PlanDefect::crossing);
  EXPECT_EQ(
      defect(eight, {{{0, 0}, {1, 1}}, {{1, 1}, {0, 0}}}, {{{0, 0}, {1, 1}}, {{1, 1}, {0, 0}}}),
      PlanDefect::swap);
  EXPECT_EQ(defect(eight, {{{0, 0}, {2, 0}}}, {{{0, 0}}, {{2, 0}}}), PlanDefect::jump);
  // The same corner under the other policies.
  for (const Diagonal d : {Diagonal::always, Diagonal::at_most_one_obstacle}) {
    const World loose({"...", "...", "..#"}, profile_of(Moves::eight, d));
    EXPECT_EQ(defect(loose, {{{1, 2}, {2, 1}}}, {{{1, 2}}, {{2, 1}}}), PlanDefect::none);
  }
  for (const Diagonal d : {Diagonal::always, Diagonal::at_most_one_obstacle}) {
    const World gap({".#", "#."}, profile_of(Moves::eight, d));
    EXPECT_EQ(defect(gap, {{{0, 0}, {1, 1}}}, {{{0, 0}}, {{1, 1}}}),
              d == Diagonal::always ? PlanDefect::none : PlanDefect::corner_cut);
  }
}

TEST(CheckPlan, finds_conflicts_planted_into_real_plans) {
  Random random(51);
  int planted = 0;
  for (int round = 0; round < effort(200); ++round) {
    const World world(random_board(random, 12, 9, 15), round % 2 ? kFour : kEight);
    const Tasks tasks = random_tasks(random, world.view, world.board, 12);
    PlanOptions options;
    options.max_configurations = 2000;
    options.seed = static_cast<uint64_t>(round);
    Planned p = planned(world.view, tasks, options);
    if (!solved(p) || p.plan.ticks() < 3) continue;
    expect_valid(world.view, tasks, p);
    // Somebody else's cell, a far cell, or the goals of two exchanged.
    Table rows;
    for (size_t t = 0; t < p.plan.rows(); ++t)
      rows.emplace_back(p.plan.row(t), p.plan.row(t) + p.plan.agents());
    const auto t = static_cast<size_t>(random.between(1, static_cast<int>(p.plan.ticks()) - 1));
    const auto a = static_cast<size_t>(random.below(12)), b = (a + 1) % 12;
    Table vertex = rows, far = rows, exchanged = rows;
    vertex[t][a] = vertex[t][b];
    EXPECT_NE(checked(world.view, tasks, plan_of(vertex)).defect, PlanDefect::none);
    std::swap(exchanged.back()[a], exchanged.back()[b]);
    EXPECT_NE(checked(world.view, tasks, plan_of(exchanged)).defect, PlanDefect::none);
    far[t][a] = {far[t][a].x, (far[t][a].y + 5) % 9};
    EXPECT_NE(checked(world.view, tasks, plan_of(far)).defect, PlanDefect::none);
    ++planted;
  }
  EXPECT_GT(planted, effort(200) / 4);
}

// ---------------------------------------------------------------------------------------------
// Plans

TEST(MakePlan, refuses_bad_input) {
  const World world({"..#", "..."}, kFour);
  Plan plan;
  PlanAnswer answer;
  const auto status = [&](const Tasks& tasks) {
    return make_plan(world.view, tasks.data(), tasks.size(), {}, &plan, &answer).status;
  };
  EXPECT_EQ(status({{{2, 0}, {0, 0}}}), Status::start_blocked);
  EXPECT_EQ(status({{{0, 0}, {2, 0}}}), Status::goal_blocked);
  EXPECT_EQ(status({{{-1, 0}, {0, 0}}}), Status::start_out_of_bounds);
  EXPECT_EQ(status({{{0, 0}, {0, 2}}}), Status::goal_out_of_bounds);
  EXPECT_EQ(status({{{0, 0}, {0, 1}}, {{0, 0}, {1, 0}}}), Status::bad_argument);
  EXPECT_EQ(make_plan(View(), nullptr, 0, {}, &plan, &answer).status, Status::bad_argument);
  EXPECT_EQ(make_plan(world.view, nullptr, 1, {}, &plan, &answer).status, Status::bad_argument);
  EXPECT_EQ(make_plan(world.view, nullptr, 0, {}, nullptr, &answer).status, Status::bad_argument);
  const Profile large = [] {
    Profile p;
    p.width = 2;
    return p;
  }();
  const World wide({"...", "..."}, large);
  const AgentTask task{{0, 0}, {1, 0}};
  EXPECT_EQ(make_plan(wide.view, &task, 1, {}, &plan, &answer).status, Status::found);
  PlanOptions options;
  options.any_goal = true;
  EXPECT_EQ(make_plan(wide.view, &task, 1, options, &plan, &answer).status, Status::bad_argument);
}

TEST(MakePlan, small_answers) {
  const World world({"...", ".#.", "..."}, kFour);
  const Planned none = planned(world.view, {});
  EXPECT_EQ(none.answer.status, PlanStatus::optimal);
  EXPECT_EQ(none.plan.rows(), 1u);
  const Planned still = planned(world.view, {{{0, 0}, {0, 0}}});
  EXPECT_EQ(still.answer.status, PlanStatus::optimal);
  EXPECT_EQ(still.plan.rows(), 1u);
  const Planned alone = planned(world.view, {{{0, 0}, {2, 2}}});
  EXPECT_EQ(alone.answer.status, PlanStatus::optimal);
  EXPECT_EQ(alone.answer.costs.sum_of_costs, 4u);
  // One goal for two.
  EXPECT_EQ(planned(world.view, {{{0, 0}, {2, 2}}, {{1, 0}, {2, 2}}}).answer.status,
            PlanStatus::infeasible);
  const World parts({".#.", ".#."}, kFour);
  EXPECT_EQ(planned(parts.view, {{{0, 0}, {2, 0}}}).answer.status, PlanStatus::infeasible);
  // A corridor without a bay: nobody can pass.
  const World corridor({"....."}, kFour);
  EXPECT_EQ(planned(corridor.view, {{{0, 0}, {4, 0}}, {{4, 0}, {0, 0}}}).answer.status,
            PlanStatus::infeasible);
  const World bay({".....", "##.##"}, kFour);
  const Tasks swap{{{0, 0}, {4, 0}}, {{4, 0}, {0, 0}}};
  const Planned passed = planned(bay.view, swap);
  ASSERT_TRUE(solved(passed));
  expect_valid(bay.view, swap, passed);
}

TEST(MakePlan, limits_and_cancel) {
  const World corridor({"......................"}, kFour);
  const Tasks tasks{{{0, 0}, {21, 0}}, {{21, 0}, {0, 0}}};
  PlanOptions options;
  options.max_configurations = 3;
  EXPECT_EQ(planned(corridor.view, tasks, options).answer.status, PlanStatus::limit_reached);
  options = {};
  options.max_bytes = 1;
  EXPECT_EQ(planned(corridor.view, tasks, options).answer.status, PlanStatus::limit_reached);
  const std::atomic<bool> cancel{true};
  options = {};
  options.cancel = &cancel;
  EXPECT_EQ(planned(corridor.view, tasks, options).answer.status, PlanStatus::cancelled);
}

// The maps on which planners without a swap rule, or without completeness, fail.
TEST(MakePlan, completeness_set) {
  const std::vector<std::pair<const char*, Rows>> maps = {
      {"tree", {"##.##", "#...#", "##.##", "#...#", "##.##"}},
      {"corners", {"...", ".#.", "..."}},
      {"tunnel", {".###.", ".....", ".###."}},
      {"string", {"#.#######", ".........", "#######.#"}},
      {"loop_chain", {"...#...#...", ".#...#...#.", "...#...#..."}},
      {"connector", {"..##..", "......", "..##.."}}};
  Random random(52);
  for (const auto& [name, rows] : maps) {
    SCOPED_TRACE(name);
    const World world(rows, kFour);
    for (int round = 0; round < effort(100); ++round) {
      const Tasks tasks = random_tasks(random, world.view, world.board, 3);
      const Rules rules = world.rules();
      const Planned p = planned(world.view, tasks);
      const JointOracle oracle(rules, tasks);
      EXPECT_EQ(solved(p), oracle.solvable());
      if (!oracle.solvable()) {
        EXPECT_EQ(p.answer.status, PlanStatus::infeasible);
      }
      if (solved(p)) expect_valid(world.view, tasks, p);
    }
  }
}

void compare_with_oracle(const World& world, const Tasks& tasks, int* solvable) {
  const Rules rules = world.rules();
  const JointOracle oracle(rules, tasks);
  for (const PlanObjective objective : {PlanObjective::sum_of_loss, PlanObjective::makespan}) {
    PlanOptions options;
    options.objective = objective;
    options.improve = UINT64_MAX;
    const Planned p = planned(world.view, tasks, options);
    if (!oracle.solvable()) {
      ASSERT_EQ(p.answer.status, PlanStatus::infeasible) << picture(world.board);
      continue;
    }
    ASSERT_EQ(p.answer.status, PlanStatus::optimal) << picture(world.board);
    expect_valid(world.view, tasks, p);
    if (objective == PlanObjective::makespan) {
      ASSERT_EQ(p.answer.costs.makespan, static_cast<uint64_t>(oracle.makespan));
    } else {
      ASSERT_EQ(p.answer.costs.sum_of_loss, static_cast<uint64_t>(oracle.loss));
    }
    ++*solvable;
  }
}

// Up to 3 agents on up to 4 x 4 cells: what is solvable, and the optimum. Quick: some thousand
// instances; long: every board of up to 3 x 3 with every instance of up to two agents, and every
// 4 x 4 board with some of three.
TEST(MakePlan, joint_state_oracle) {
  Random random(53);
  int solvable = 0;
  const int rounds = long_run() ? 200000 : effort(4000);
  for (int round = 0; round < rounds; ++round) {
    const int width = random.between(1, 4), height = random.between(1, 4);
    const Board board = random_board(random, width, height, random.between(0, 45));
    const Diagonal diagonal = static_cast<Diagonal>(random.below(3));
    const World world(board, random.percent(70) ? kFour : profile_of(Moves::eight, diagonal));
    const Tasks tasks =
        random_tasks(random, world.view, board, static_cast<size_t>(random.between(1, 3)));
    compare_with_oracle(world, tasks, &solvable);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(solvable, rounds / 4);
  if (!long_run()) return;
  for (int bits = 0; bits < 512; ++bits) {
    Board board(3, 3);
    for (size_t i = 0; i < 9; ++i)
      if (bits >> i & 1) board.terrain[i] = '@';
    for (const Profile& profile : {kFour, kEight}) {
      const World world(board, profile);
      for (int code = 0; code < 9 * 9 * 9 * 9; ++code) {
        const Cell a = board.cell(size_t(code % 9)), b = board.cell(size_t(code / 9 % 9));
        const Cell c = board.cell(size_t(code / 81 % 9)), d = board.cell(size_t(code / 729));
        if (a == c || b == d || !world.view.passable(a) || !world.view.passable(b) ||
            !world.view.passable(c) || !world.view.passable(d))
          continue;
        compare_with_oracle(world, {{a, b}, {c, d}}, &solvable);
        if (HasFatalFailure()) return;
      }
    }
  }
  for (int bits = 0; bits < 65536; ++bits) {
    Board board(4, 4);
    for (size_t i = 0; i < 16; ++i)
      if (bits >> i & 1) board.terrain[i] = '@';
    const World world(board, kFour);
    const Tasks tasks = random_tasks(random, world.view, board, 3);
    if (tasks.size() == 3) compare_with_oracle(world, tasks, &solvable);
    if (HasFatalFailure()) return;
  }
}

TEST(MakePlan, crowds_on_all_rules) {
  Random random(54);
  int count = 0;
  for (int round = 0; round < effort(60); ++round) {
    const Board board = round % 3 == 0   ? random_board(random, 30, 20, 20)
                        : round % 3 == 1 ? rooms_board(random, 30, 24, 6)
                                         : one_wide_board(random, 31, 21, 60);
    const Diagonal diagonal = static_cast<Diagonal>(round % 4);
    const World world(board, profile_of(round % 5 ? Moves::eight : Moves::four, diagonal));
    const Tasks tasks =
        random_tasks(random, world.view, board, static_cast<size_t>(random.between(10, 120)));
    PlanOptions options;
    options.max_configurations = 3000;
    const Planned p = planned(world.view, tasks, options);
    if (!solved(p)) continue;
    expect_valid(world.view, tasks, p);
    ++count;
  }
  EXPECT_GT(count, effort(60) / 3);
}

// Refined plans are valid, never dearer, and the same for the same seed.
// ---------------------------------------------------------------------------------------------
// Goals for anybody

void expect_valid_for_anybody(const View& view, const Tasks& tasks, const Planned& p) {
  PlanReport report;
  ASSERT_FALSE(check_plan(view, tasks.data(), tasks.size(), p.plan, &report, true));
  EXPECT_EQ(report.defect, PlanDefect::none) << report.text;
  EXPECT_EQ(report.costs.makespan, p.answer.costs.makespan);
  EXPECT_EQ(report.costs.sum_of_costs, p.answer.costs.sum_of_costs);
  EXPECT_EQ(report.costs.sum_of_loss, p.answer.costs.sum_of_loss);
  EXPECT_EQ(report.costs.makespan_bound, p.answer.costs.makespan_bound);
  EXPECT_EQ(report.costs.sum_bound, p.answer.costs.sum_bound);
  EXPECT_LE(p.answer.costs.makespan_bound, p.answer.costs.makespan);
  EXPECT_LE(p.answer.costs.sum_bound, p.answer.costs.sum_of_loss);
}

// Half of a board with a fifth of walls is full of agents. Without room for those who are on their
// way the search comes back to the same positions for thousands of configurations.
TEST(MakePlan, jams_are_dissolved) {
  Random random(12);
  uint64_t configurations = 0;
  for (int round = 0; round < 6; ++round) {
    const Board board = random_board(random, 32, 32, 20);
    const World world(board, kFour);
    const Tasks all = random_tasks(random, world.view, board, 1024);
    Tasks tasks;  // of the largest part of the map
    for (const AgentTask& t : all)
      if (world.view.component(t.start) == world.view.component(all[0].start) &&
          world.view.component(t.goal) == world.view.component(all[0].start))
        tasks.push_back(t);
    tasks.resize(tasks.size() / 2);
    PlanOptions options;
    options.max_configurations = 5000;
    const Planned p = planned(world.view, tasks, options);
    ASSERT_TRUE(solved(p)) << round << ' ' << tasks.size();
    expect_valid(world.view, tasks, p);
    configurations += p.answer.first_configurations;
  }
  EXPECT_LT(configurations, 4000u);
}

// Agents that settle one by one, without the search before: every plan is valid on all rules, and
// with a tenth of the corridors taken, nearly every instance has one.
TEST(Settle, plans_are_valid) {
  Random random(13);
  int solved_count = 0;
  const int rounds = effort(120);
  for (int round = 0; round < rounds; ++round) {
    const Board board = round % 3 == 0   ? random_board(random, 25, 20, 25)
                        : round % 3 == 1 ? rooms_board(random, 30, 24, 6)
                                         : one_wide_board(random, 31, 21, round % 2 ? 0 : 20);
    const Diagonal diagonal = static_cast<Diagonal>(round % 4);
    const World world(board, profile_of(round % 5 ? Moves::eight : Moves::four, diagonal));
    Tasks tasks;
    for (const AgentTask& t : random_tasks(random, world.view, board, 30))
      if (world.view.component(t.start) == world.view.component(t.goal)) tasks.push_back(t);
    AgentGraph graph;
    ASSERT_TRUE(graph.build(world.view.impl()->world));
    detail::Buffer<Vertex> starts, goals, steps;
    for (const AgentTask& t : tasks) {
      ASSERT_TRUE(starts.push(graph.vertex(t.start)));
      ASSERT_TRUE(goals.push(graph.vertex(t.goal)));
    }
    Settler settler;
    ASSERT_TRUE(settler.begin(graph, starts, goals));
    const SearchEnd end = settler.run(Limits{}, false);
    if (end != SearchEnd::solved) {
      EXPECT_EQ(end, SearchEnd::limit);
      continue;
    }
    ++solved_count;
    ASSERT_TRUE(settler.each_row([&](const Vertex* row) {
      for (size_t i = 0; i < tasks.size(); ++i)
        if (!steps.push(row[i])) return false;
      return true;
    }));
    ASSERT_EQ(steps.size(), settler.rows() * tasks.size());
    Plan plan;
    Cell* cells = plan.resize(settler.rows(), tasks.size());
    for (const Vertex v : steps) *cells++ = graph.cell(v);
    const PlanReport report = checked(world.view, tasks, plan);
    ASSERT_EQ(report.defect, PlanDefect::none) << report.text << '\n' << picture(board);
  }
  EXPECT_GT(solved_count, rounds * 9 / 10);
}

// Mazes without a ring, where the search finds nothing in thousands of configurations.
TEST(Settle, mazes_without_rings) {
  Random random(14);
  for (int round = 0; round < 4; ++round) {
    const Board board = one_wide_board(random, 41, 41, 0);
    const World world(board, round % 2 ? kEight : kFour);
    const Tasks tasks = random_tasks(random, world.view, board, 100);
    const Planned p = planned(world.view, tasks);
    ASSERT_TRUE(solved(p)) << round;
    expect_valid(world.view, tasks, p);
    const Planned again = planned(world.view, tasks);
    ASSERT_EQ(p.plan.rows(), again.plan.rows());
    for (size_t t = 0; t < p.plan.rows(); ++t)
      ASSERT_TRUE(std::equal(p.plan.row(t), p.plan.row(t) + tasks.size(), again.plan.row(t)));
    PlanOptions options;
    options.refine = 20;
    const Planned refined = planned(world.view, tasks, options);
    ASSERT_TRUE(solved(refined));
    expect_valid(world.view, tasks, refined);
    EXPECT_LE(refined.answer.costs.sum_of_costs, p.answer.costs.sum_of_costs);
    // Progress is the share of the whole budget, not of what is done before they settle.
    options = {};
    options.max_configurations = 1u << 20;
    double told = 0;
    options.user = &told;
    options.progress = [](void* user, double done) { *static_cast<double*>(user) = done; };
    ASSERT_TRUE(solved(planned(world.view, tasks, options)));
    EXPECT_GT(told, 0);
    EXPECT_LT(told, 0.1);
    // Within fewer configurations than it is tried after, the answer is as it was.
    options = {};
    options.max_configurations = 100;
    EXPECT_EQ(planned(world.view, tasks, options).answer.status, PlanStatus::limit_reached);
  }
}

// Whoever says there is a plan must be right, and no proof may be lost: tiny trees by the oracle.
TEST(Settle, tiny_trees_by_the_oracle) {
  Random random(15);
  int solvable = 0, tried = 0;
  for (int round = 0; round < effort(150); ++round) {
    const Board board =
        round % 2 ? one_wide_board(random, 5, 3, 0) : random_board(random, 4, 4, 45);
    const World world(board, kFour);
    const Tasks tasks =
        random_tasks(random, world.view, board, static_cast<size_t>(random.between(2, 4)));
    const Rules rules = world.rules();
    const JointOracle oracle(rules, tasks);
    const Planned p = planned(world.view, tasks);
    ASSERT_EQ(solved(p), oracle.solvable()) << picture(board);
    if (!oracle.solvable()) {
      EXPECT_EQ(p.answer.status, PlanStatus::infeasible);
    }
    if (solved(p)) expect_valid(world.view, tasks, p);
    solvable += oracle.solvable();
    tried += p.answer.configurations >= 1000;
  }
  EXPECT_GT(solvable, effort(150) / 10);
  EXPECT_GT(tried, effort(150) / 10);  // so long the search has found nothing
}

TEST(AnyGoal, small_answers) {
  PlanOptions any;
  any.any_goal = true;
  // In a corridor nobody can pass: with goals of their own there is no plan.
  const World corridor(Rows{"....."}, kFour);
  const Tasks across = {{{0, 0}, {4, 0}}, {{4, 0}, {0, 0}}};
  EXPECT_EQ(planned(corridor.view, across).answer.status, PlanStatus::infeasible);
  const Planned stay = planned(corridor.view, across, any);
  EXPECT_EQ(stay.answer.status, PlanStatus::optimal);
  EXPECT_EQ(stay.plan.ticks(), 0u);
  expect_valid_for_anybody(corridor.view, across, stay);
  EXPECT_EQ(checked(corridor.view, across, stay.plan).defect, PlanDefect::wrong_goal);
  const Tasks shift = {{{0, 0}, {4, 0}}, {{1, 0}, {3, 0}}};
  const Planned moved = planned(corridor.view, shift, any);
  EXPECT_EQ(moved.plan.ticks(), 3u);
  expect_valid_for_anybody(corridor.view, shift, moved);
  // Parts with more starts than goals.
  const World parts(Rows{"..#.."}, kFour);
  EXPECT_EQ(planned(parts.view, {{{0, 0}, {3, 0}}, {{1, 0}, {0, 0}}}, any).answer.status,
            PlanStatus::infeasible);
  EXPECT_EQ(planned(parts.view, {{{0, 0}, {3, 0}}, {{4, 0}, {1, 0}}}, any).answer.status,
            PlanStatus::optimal);
  EXPECT_EQ(planned(parts.view, {{{0, 0}, {1, 0}}, {{4, 0}, {1, 0}}}, any).answer.status,
            PlanStatus::infeasible);  // one goal for two
  EXPECT_EQ(planned(parts.view, {}, any).answer.status, PlanStatus::optimal);
  PlanOptions limited = any;
  limited.max_configurations = 2;
  EXPECT_EQ(planned(corridor.view, shift, limited).answer.status, PlanStatus::limit_reached);
  // Not all goals taken.
  EXPECT_EQ(checked(corridor.view, shift, plan_of({{{0, 0}, {1, 0}}})).defect,
            PlanDefect::wrong_goal);
  PlanReport report;
  ASSERT_FALSE(
      check_plan(corridor.view, shift.data(), 2, plan_of({{{0, 0}, {1, 0}}}), &report, true));
  EXPECT_EQ(report.defect, PlanDefect::wrong_goal);
}

// Solvable exactly when some choice of goals is, and never better than the best choice.
TEST(AnyGoal, joint_state_oracle_of_all_choices) {
  Random random(93);
  PlanOptions any;
  any.any_goal = true;
  int unsolvable = 0;
  for (int round = 0; round < 300; ++round) {
    const Profile& profile = round % 2 ? kEight : kFour;
    const Board board = random_board(random, 2 + random.below(3), 2 + random.below(3), 30);
    const World world(board, profile);
    const Tasks tasks = random_tasks(random, world.view, board, size_t(1 + random.below(3)));
    if (tasks.empty()) continue;
    const Planned p = planned(world.view, tasks, any);
    std::vector<size_t> choice(tasks.size());
    for (size_t i = 0; i < choice.size(); ++i) choice[i] = i;
    int makespan = -1;
    do {
      Tasks chosen = tasks;
      for (size_t i = 0; i < choice.size(); ++i) chosen[i].goal = tasks[choice[i]].goal;
      const JointOracle oracle(world.rules(), chosen);
      if (oracle.solvable() && (makespan < 0 || oracle.makespan < makespan))
        makespan = oracle.makespan;
    } while (std::next_permutation(choice.begin(), choice.end()));
    ASSERT_EQ(solved(p), makespan >= 0);
    unsolvable += makespan < 0;
    if (makespan < 0) continue;
    expect_valid_for_anybody(world.view, tasks, p);
    EXPECT_GE(p.answer.costs.makespan, uint64_t(makespan));
    EXPECT_LE(p.answer.costs.makespan_bound, uint64_t(makespan));
  }
  EXPECT_GT(unsolvable, 5);
}

TEST(AnyGoal, crowds_on_all_rules) {
  Random random(94);
  for (const Profile& profile : {kFour, kEight, profile_of(Moves::eight, Diagonal::always)}) {
    for (const int full : {10, 50, 95, 100}) {
      for (const int walls : {0, 20, 35}) {
        const Board board = random_board(random, 24, 17, walls);
        const World world(board, profile);
        Tasks tasks = random_tasks(random, world.view, board, board.size());
        tasks.resize(tasks.size() * size_t(full) / 100);
        // As many goals as starts in each part.
        std::map<uint32_t, int> more;
        for (const AgentTask& t : tasks) {
          ++more[world.view.component(t.start)];
          --more[world.view.component(t.goal)];
        }
        bool possible = true;
        for (const auto& [part, m] : more) possible = possible && m == 0;
        PlanOptions any;
        any.any_goal = true;
        any.refine = full == 50 ? 50 : 0;
        const Planned p = planned(world.view, tasks, any);
        ASSERT_EQ(solved(p), possible) << full << ' ' << walls;
        if (possible) expect_valid_for_anybody(world.view, tasks, p);
      }
    }
  }
}

// More agents than are assigned at best.
TEST(AnyGoal, a_thousand_agents_move_as_one) {
  Random random(95);
  const Board board = random_board(random, 70, 60, 10);
  const World world(board, kFour);
  const uint32_t part = world.view.component(board.cell(board.size() / 2));
  Tasks tasks = random_tasks(random, world.view, board, board.size());
  Tasks inside;
  for (const AgentTask& t : tasks)
    if (world.view.component(t.start) == part && world.view.component(t.goal) == part &&
        inside.size() < 1000)
      inside.push_back(t);
  ASSERT_EQ(inside.size(), 1000u);
  PlanOptions any;
  any.any_goal = true;
  const Planned p = planned(world.view, inside, any);
  ASSERT_TRUE(solved(p));
  expect_valid_for_anybody(world.view, inside, p);
  EXPECT_LT(p.answer.costs.makespan, 60u);
}

TEST(MakePlan, refinement_lowers_the_sum_of_costs) {
  Random random(56);
  uint64_t before = 0, after = 0;
  for (int round = 0; round < effort(40); ++round) {
    const Board board =
        round % 2 ? random_board(random, 30, 24, 15) : rooms_board(random, 31, 25, 6);
    const Diagonal diagonal = static_cast<Diagonal>(round % 3);
    const World world(board, profile_of(round % 4 < 2 ? Moves::eight : Moves::four, diagonal));
    const Tasks tasks =
        random_tasks(random, world.view, board, static_cast<size_t>(random.between(20, 90)));
    PlanOptions options;
    options.max_configurations = 3000;
    options.refine = 600;
    const Planned p = planned(world.view, tasks, options);
    if (!solved(p)) continue;
    expect_valid(world.view, tasks, p);
    EXPECT_LE(p.answer.costs.sum_of_costs, p.answer.first_sum_of_costs);
    before += p.answer.first_sum_of_costs - p.answer.costs.sum_bound;
    after += p.answer.costs.sum_of_costs - p.answer.costs.sum_bound;
    const Planned again = planned(world.view, tasks, options);
    ASSERT_EQ(again.plan.rows(), p.plan.rows());
    for (size_t t = 0; t < p.plan.rows(); ++t)
      for (size_t i = 0; i < tasks.size(); ++i) ASSERT_EQ(again.plan.at(t, i), p.plan.at(t, i));
  }
  EXPECT_LT(after * 2, before);
}

TEST(MakePlan, same_seed_same_plan) {
  Random random(55);
  const World world(random_board(random, 40, 40, 15), kFour);
  const Tasks tasks = [&] {
    // One connected part only.
    Tasks all = random_tasks(random, world.view, world.board, 400), connected;
    for (const AgentTask& t : all)
      if (world.view.component(t.start) == world.view.component(t.goal)) connected.push_back(t);
    return connected;
  }();
  PlanOptions options;
  options.improve = 300;
  const auto hash = [](const Plan& plan) {
    uint64_t h = plan.rows();
    for (size_t t = 0; t < plan.rows(); ++t)
      for (size_t i = 0; i < plan.agents(); ++i)
        h = h * 1099511628211u + static_cast<uint64_t>(plan.at(t, i).x * 64 + plan.at(t, i).y);
    return h;
  };
  const Planned a = planned(world.view, tasks, options), b = planned(world.view, tasks, options);
  ASSERT_TRUE(solved(a));
  EXPECT_EQ(hash(a.plan), hash(b.plan));
  options.seed = 1;
  EXPECT_NE(hash(planned(world.view, tasks, options).plan), hash(a.plan));
}

}  // namespace
}  // namespace octile::test
