// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Agents that cover rectangles of cells, of one size or several: StepPlanner and check_plan(), held
// against a judge that looks at every pair at every quarter of a tick.

#include <memory>

#include "crowd.hpp"
#include "octile/groups.hpp"
#include "plan_oracle.hpp"

namespace octile::test {
namespace {

Profile sized(int width, int height, Moves moves = Moves::eight,
              Diagonal diagonal = Diagonal::no_obstacles, Cell anchor = {}) {
  Profile p = profile_of(moves, diagonal);
  p.width = width;
  p.height = height;
  p.anchor = anchor;
  return p;
}

// A board with a View for each kind of agent.
struct Kinds {
  Board board;
  std::vector<Profile> profiles;
  Engine engine;
  std::vector<ProfileId> ids;
  std::vector<View> views;

  Kinds(const Board& b, const std::vector<Profile>& p) : board(b), profiles(p) {
    EXPECT_FALSE(load(board, engine));
    ids.resize(profiles.size());
    for (size_t k = 0; k < profiles.size(); ++k)
      EXPECT_FALSE(engine.add_profile(profiles[k], &ids[k]));
    commit();
  }
  void commit() {
    EXPECT_FALSE(engine.commit());
    views.clear();
    for (const ProfileId id : ids) views.push_back(engine.view(id));
  }
};

// Agents of several kinds, each of whose ticks is judged.
struct MixedCrowd {
  const Kinds& kinds;
  StepPlanner planner;
  std::vector<StepAgent> agents;
  std::vector<Cell> cells;
  std::vector<std::vector<Cell>> history;
  int moves = 0, pushes = 0;

  explicit MixedCrowd(const Kinds& k) : kinds(k) {}
  const Profile& profile(size_t i) const { return kinds.profiles[agents[i].view]; }
  void reset(const std::vector<StepAgent>& list, const StepOptions& options = {}) {
    agents = list;
    const Fault fault = planner.reset(kinds.views.data(), kinds.views.size(), agents.data(),
                                      agents.size(), options);
    ASSERT_FALSE(fault) << fault.text;
    cells.clear();
    for (size_t i = 0; i < agents.size(); ++i) cells.push_back(planner.cell(i));
    history = {cells};
  }
  void step() {
    ASSERT_FALSE(planner.step());
    std::vector<UnitStep> units;
    for (size_t i = 0; i < agents.size(); ++i)
      units.push_back({&profile(i), cells[i], planner.cell(i)});
    for (size_t i = 0; i < units.size(); ++i) {
      const int dx = units[i].to.x - units[i].from.x, dy = units[i].to.y - units[i].from.y;
      const Rules rules(kinds.board, profile(i));
      ASSERT_TRUE(std::abs(dx) <= 1 && std::abs(dy) <= 1);
      if (dx || dy) {
        ASSERT_TRUE(rules.may_step(units[i].from, dx, dy)) << "agent " << i;
        ASSERT_FALSE(agents[i].pinned);
        ++moves;
        pushes += planner.outcome(i) == StepOutcome::pushed;
        if (!agents[i].pushable) {
          ASSERT_NE(planner.outcome(i), StepOutcome::pushed);
        }
      }
      for (size_t j = 0; j < i; ++j)
        ASSERT_FALSE(conflict(units[i], units[j]))
            << "agents " << j << " and " << i << " in tick " << planner.ticks();
    }
    for (size_t i = 0; i < agents.size(); ++i) cells[i] = planner.cell(i);
    history.push_back(cells);
  }
};

bool covers_overlap(const Profile& p, Cell a, const Profile& q, Cell b) {
  return overlap({&p, a, a}, {&q, b, b}, 0, 1);
}
// Until a share of the board is covered, larger ones first.
std::vector<StepAgent> mixed_agents(Random& random, const Kinds& kinds, int percent) {
  std::vector<StepAgent> list;
  int covered = 0, all = 0;
  for (size_t i = 0; i < kinds.board.size(); ++i) all += kinds.board.at(kinds.board.cell(i)) == '.';
  for (size_t k = 0; k < kinds.views.size(); ++k) {
    const std::vector<Cell> free = free_cells(kinds.views[k], kinds.board);
    if (free.empty()) continue;
    const Profile& p = kinds.profiles[k];
    const int share =
        all * percent / 100 * static_cast<int>(k + 1) / static_cast<int>(kinds.views.size());
    for (int tries = 0; covered < share && tries < 400; ++tries) {
      StepAgent a;
      a.view = static_cast<uint32_t>(k);
      a.cell = free[static_cast<size_t>(random.below(int(free.size())))];
      a.goal = free[static_cast<size_t>(random.below(int(free.size())))];
      bool fits = true;
      for (const StepAgent& b : list)
        fits = fits && !covers_overlap(p, a.cell, kinds.profiles[b.view], b.cell);
      if (!fits) continue;
      a.pinned = random.percent(3);
      a.pushable = !random.percent(5);
      a.has_goal = !random.percent(10);
      a.priority = static_cast<uint8_t>(random.percent(10) ? 200 : 128);
      list.push_back(a);
      covered += p.width * p.height;
    }
  }
  return list;
}

std::vector<Profile> some_kinds(Random& random) {
  const Diagonal diagonals[] = {Diagonal::always, Diagonal::at_most_one_obstacle,
                                Diagonal::no_obstacles};
  const auto one = [&](int width, int height) {
    return sized(width, height, random.percent(30) ? Moves::four : Moves::eight,
                 diagonals[random.below(3)], {random.below(width), random.below(height)});
  };
  std::vector<Profile> kinds;
  switch (random.below(6)) {
    case 0:
      return {one(2, 2)};
    case 1:
      return {one(3, 3), one(2, 2), one(1, 1)};
    case 2:
      return {one(1, 3), one(3, 1), one(1, 1)};
    case 3:
      return {one(2, 2), one(1, 1)};
    case 4:
      return {one(1, 1), one(1, 1)};
    default:
      return {one(4, 2), one(2, 1), one(1, 2)};
  }
}

TEST(WideSteps, a_quarter_million_steps_without_a_conflict) {
  Random random(71);
  int64_t steps = 0, moves = 0, pushes = 0;
  uint64_t arrivals = 0;
  const int64_t wanted = sampled() ? 30000 : 250000;
  for (int round = 0; steps < wanted; ++round) {
    SCOPED_TRACE(round);
    const Board board = round % 4 == 0   ? Board(20 + random.below(20), 16)
                        : round % 4 == 1 ? random_board(random, 30, 24, 4)
                        : round % 4 == 2 ? rooms_board(random, 36, 30, 8)
                                         : random_board(random, 24, 24, 12);
    const Kinds kinds(board, some_kinds(random));
    MixedCrowd crowd(kinds);
    crowd.reset(mixed_agents(random, kinds, 10 + random.below(60)));
    if (HasFatalFailure()) return;
    std::vector<std::vector<Cell>> all;
    for (const View& view : kinds.views) all.push_back(free_cells(view, board));
    if (crowd.agents.empty()) continue;
    for (int t = 0; t < 60; ++t) {
      crowd.step();
      if (HasFatalFailure()) return;
      steps += static_cast<int64_t>(crowd.agents.size());
      for (size_t i = 0; i < crowd.agents.size(); ++i) {
        if (!crowd.planner.arrived(i)) continue;
        const std::vector<Cell>& free = all[crowd.agents[i].view];
        const Cell goal = free[static_cast<size_t>(random.below(int(free.size())))];
        ASSERT_FALSE(crowd.planner.set_goal(i, goal));
      }
    }
    moves += crowd.moves;
    pushes += crowd.pushes;
    arrivals += crowd.planner.arrivals();
    // The checker says the same of what they did.
    std::vector<AgentTask> tasks;
    Plan plan;
    Cell* out = plan.resize(crowd.history.size(), crowd.agents.size());
    for (const auto& row : crowd.history) out = std::copy(row.begin(), row.end(), out);
    for (size_t i = 0; i < crowd.agents.size(); ++i)
      tasks.push_back({crowd.history[0][i], crowd.cells[i], crowd.agents[i].view});
    PlanReport report;
    ASSERT_FALSE(check_plan(kinds.views.data(), kinds.views.size(), tasks.data(), tasks.size(),
                            plan, &report));
    ASSERT_EQ(report.defect, PlanDefect::none) << report.text;
  }
  EXPECT_GT(moves, steps / 4);
  EXPECT_GT(pushes, steps / 200);
  EXPECT_GT(arrivals, static_cast<uint64_t>(steps / 200));
}

// Random moves of two or three agents: the checker and the judge agree on each.
TEST(WideSteps, checker_agrees_with_the_judge) {
  Random random(72);
  std::unique_ptr<const Kinds> board;
  int vertex = 0, swaps = 0, crossings = 0, valid = 0;
  for (int round = 0; round < effort(4000); ++round) {
    if (round % 100 == 0) {
      const std::vector<Profile> profiles = some_kinds(random);
      board = std::make_unique<Kinds>(random_board(random, 9, 8, 3), profiles);
    }
    const Kinds& kinds = *board;
    std::vector<AgentTask> tasks;
    std::vector<UnitStep> units;
    for (int tries = 0; tries < 60 && units.size() < 3; ++tries) {
      const auto k = static_cast<uint32_t>(random.below(int(kinds.views.size())));
      const Cell from{random.below(9), random.below(8)};
      const Cell to{from.x + random.between(-1, 1), from.y + random.between(-1, 1)};
      const Profile& p = kinds.profiles[k];
      const Rules rules(kinds.board, p);
      if (!rules.free(from) || !rules.free(to)) continue;
      if (to != from && !rules.may_step(from, to.x - from.x, to.y - from.y)) continue;
      bool fits = true;
      for (const UnitStep& u : units) fits = fits && !covers_overlap(p, from, *u.profile, u.from);
      if (!fits) continue;
      units.push_back({&p, from, to});
      tasks.push_back({from, to, k});
    }
    Plan plan;
    Cell* out = plan.resize(2, units.size());
    for (const UnitStep& u : units) *out++ = u.from;
    for (const UnitStep& u : units) *out++ = u.to;
    bool bad = false;
    for (size_t i = 0; i < units.size(); ++i)
      for (size_t j = 0; j < i; ++j) bad = bad || conflict(units[i], units[j]);
    PlanReport report;
    ASSERT_FALSE(check_plan(kinds.views.data(), kinds.views.size(), tasks.data(), tasks.size(),
                            plan, &report));
    ASSERT_EQ(report.defect != PlanDefect::none, bad) << report.text;
    vertex += report.defect == PlanDefect::vertex;
    swaps += report.defect == PlanDefect::swap;
    crossings += report.defect == PlanDefect::crossing;
    valid += report.defect == PlanDefect::none;
  }
  EXPECT_GT(vertex, 0);
  EXPECT_GT(swaps, 0);
  EXPECT_GT(crossings, 0);
  EXPECT_GT(valid, 0);
}

TEST(WideSteps, checker_names_planted_defects) {
  const Kinds kinds(Board(8, 6), {sized(2, 2), sized(1, 1), sized(1, 3), sized(3, 1)});
  const auto defect = [&](const std::vector<AgentTask>& tasks) {
    Plan plan;
    Cell* out = plan.resize(2, tasks.size());
    for (const AgentTask& t : tasks) *out++ = t.start;
    for (const AgentTask& t : tasks) *out++ = t.goal;
    PlanReport report;
    EXPECT_FALSE(check_plan(kinds.views.data(), kinds.views.size(), tasks.data(), tasks.size(),
                            plan, &report));
    return report.defect;
  };
  // Corners of two large ones; a small one under a large one; all of it from the start.
  EXPECT_EQ(defect({{{0, 0}, {1, 1}, 0}, {{2, 2}, {2, 2}, 0}}), PlanDefect::vertex);
  EXPECT_EQ(defect({{{0, 0}, {1, 0}, 0}, {{2, 1}, {2, 1}, 1}}), PlanDefect::vertex);
  EXPECT_EQ(defect({{{0, 0}, {0, 0}, 0}, {{1, 1}, {1, 1}, 1}}), PlanDefect::vertex);
  // Side by side, and following at once.
  EXPECT_EQ(defect({{{0, 0}, {1, 0}, 0}, {{2, 0}, {3, 0}, 0}}), PlanDefect::none);
  EXPECT_EQ(defect({{{0, 0}, {0, 1}, 0}, {{2, 0}, {1, 0}, 1}}), PlanDefect::none);
  EXPECT_EQ(defect({{{0, 0}, {0, 1}, 0}, {{0, 3}, {0, 3}, 1}}), PlanDefect::none);
  // Two thin ones that change sides, also when only a part of them meets.
  EXPECT_EQ(defect({{{3, 0}, {4, 0}, 2}, {{4, 2}, {3, 2}, 2}}), PlanDefect::swap);
  EXPECT_EQ(defect({{{3, 0}, {4, 0}, 2}, {{4, 1}, {3, 1}, 1}}), PlanDefect::swap);
  EXPECT_EQ(defect({{{3, 0}, {4, 0}, 2}, {{4, 3}, {3, 3}, 1}}), PlanDefect::none);
  // A small one slips through a long one that moves aside: no cell of both changes places.
  EXPECT_EQ(defect({{{0, 0}, {1, 1}, 3}, {{2, 1}, {2, 0}, 1}}), PlanDefect::crossing);
  EXPECT_EQ(defect({{{0, 0}, {1, 1}, 3}, {{0, 1}, {0, 0}, 1}}), PlanDefect::none);
  // Too large for the place, outside, a step of two cells.
  EXPECT_EQ(defect({{{6, 4}, {7, 4}, 0}}), PlanDefect::blocked);
  EXPECT_EQ(defect({{{5, 4}, {5, 5}, 0}}), PlanDefect::blocked);
  EXPECT_EQ(defect({{{0, 0}, {2, 0}, 0}}), PlanDefect::jump);
}

// In the open everybody comes through, whatever the sizes.
TEST(WideSteps, sizes_pass_each_other_in_the_open) {
  Random random(73);
  const Kinds kinds(Board(30, 24), {sized(3, 3), sized(2, 2), sized(1, 1)});
  for (int round = 0; round < effort(10); ++round) {
    MixedCrowd crowd(kinds);
    std::vector<StepAgent> agents = mixed_agents(random, kinds, 15);
    for (StepAgent& a : agents) a.pinned = false, a.pushable = a.has_goal = true, a.priority = 128;
    crowd.reset(agents);
    std::vector<bool> arrived(agents.size());
    size_t count = 0;
    for (int t = 0; t < 400 && count < agents.size(); ++t) {
      crowd.step();
      if (HasFatalFailure()) return;
      for (size_t i = 0; i < agents.size(); ++i)
        if (!arrived[i] && crowd.planner.arrived(i)) arrived[i] = true, ++count;
    }
    EXPECT_EQ(count, agents.size());
  }
}

// A large one drives a row of small ones out of its way; they come back.
TEST(WideSteps, who_stands_in_the_way_of_a_large_one_goes_for_it) {
  const Profile large = sized(3, 3, Moves::four), small = sized(1, 1, Moves::four);
  const Kinds kinds(Board(9, 9), {large, small});
  std::vector<StepAgent> agents(4);
  agents[0].cell = {0, 3};
  agents[0].goal = {6, 3};
  for (int i = 1; i < 4; ++i) {
    agents[size_t(i)].view = 1;
    agents[size_t(i)].cell = agents[size_t(i)].goal = {3, 2 + i};
  }
  MixedCrowd crowd(kinds);
  crowd.reset(agents);
  // One of them may refuse at first, and leave the lane sideways.
  for (int t = 0; t < 8 && crowd.cells[0] == agents[0].cell; ++t) crowd.step();
  EXPECT_EQ(crowd.cells[0], (Cell{1, 3}));
  EXPECT_GE(crowd.pushes, 3);
  for (int t = 0; t < 40 && crowd.planner.on_the_way(); ++t) crowd.step();
  EXPECT_EQ(crowd.planner.on_the_way(), 0u);
  // Pinned, one of them is enough to stop it where the way is as wide as itself.
  const Kinds lane(Board({".......", ".......", "......."}), {large, small});
  agents[0].cell = {0, 0};
  agents[0].goal = {4, 0};
  for (int i = 1; i < 4; ++i) agents[size_t(i)].cell = agents[size_t(i)].goal = {5, i - 1};
  agents[2].pinned = true;
  MixedCrowd stuck(lane);
  stuck.reset(agents, {0, 10, size_t{1} << 30});
  for (int t = 0; t < 30; ++t) stuck.step();
  EXPECT_EQ(stuck.cells[0], (Cell{2, 0}));
  EXPECT_EQ(stuck.cells[2], (Cell{5, 1}));
  EXPECT_EQ(stuck.planner.outcome(0), StepOutcome::blocked);
  EXPECT_TRUE(stuck.planner.stalled());
}

TEST(WideSteps, edits_and_bad_input) {
  Kinds kinds(Board({".....", ".....", ".....", "....."}), {sized(2, 2), sized(1, 1)});
  std::vector<StepAgent> agents(2);
  agents[1].view = 1;
  const auto status = [&](Cell large, Cell small) {
    StepPlanner planner;
    agents[0].cell = agents[0].goal = large;
    agents[1].cell = agents[1].goal = small;
    return planner.reset(kinds.views.data(), 2, agents.data(), 2, {}).status;
  };
  EXPECT_EQ(status({0, 0}, {2, 0}), Status::found);
  EXPECT_EQ(status({0, 0}, {1, 1}), Status::bad_argument);
  EXPECT_EQ(status({4, 0}, {0, 0}), Status::start_blocked);
  EXPECT_EQ(status({5, 0}, {0, 0}), Status::start_out_of_bounds);
  agents[1].view = 2;
  EXPECT_EQ(status({0, 0}, {2, 0}), Status::bad_argument);
  agents[1].view = 1;
  StepPlanner none;
  EXPECT_EQ(none.reset(nullptr, 0, agents.data(), 2, {}).status, Status::bad_argument);
  Kinds other(Board(5, 4), {sized(1, 1)});  // of the same size and version
  const View mixed[] = {kinds.views[0], other.views[0]};
  EXPECT_EQ(none.reset(mixed, 2, agents.data(), 2, {}).status, Status::bad_argument);

  MixedCrowd crowd(kinds);
  agents[0].cell = {0, 0};
  agents[0].goal = {3, 2};
  agents[1].cell = agents[1].goal = {4, 0};
  crowd.reset(agents);
  EXPECT_EQ(crowd.planner.change_view(kinds.views[0]).status, Status::bad_argument);
  for (int t = 0; t < 2; ++t) crowd.step();
  ASSERT_FALSE(kinds.engine.map().set_terrain({4, 3}, '@'));
  kinds.board.at({4, 3}) = '@';
  kinds.commit();
  ASSERT_FALSE(crowd.planner.change_view(kinds.views.data(), 2));
  EXPECT_FALSE(crowd.planner.reachable(0));  // its goal is under the wall now
  EXPECT_EQ(crowd.planner.set_goal(0, {3, 2}).status, Status::goal_blocked);
  ASSERT_FALSE(crowd.planner.set_goal(0, {2, 2}));
  for (int t = 0; t < 6; ++t) crowd.step();
  EXPECT_TRUE(crowd.planner.arrived(0));
}

// A group order of several sizes, carried out: all come to their slots, and then nothing moves.
void expect_arrival(const Kinds& kinds, const std::vector<GroupUnit>& units, Cell goal,
                    int most_ticks, std::vector<Cell>* end) {
  Searcher searcher;
  GroupAnswer answer;
  std::vector<GroupSlot> slots(units.size());
  ASSERT_FALSE(order_group(searcher, kinds.views.data(), kinds.views.size(), units.data(),
                           units.size(), goal, {}, slots.data(), &answer));
  std::vector<StepAgent> agents(units.size());
  for (size_t i = 0; i < units.size(); ++i) {
    agents[i].cell = units[i].cell;
    agents[i].view = units[i].view;
    agents[i].goal = slots[i].cell;
    agents[i].priority = static_cast<uint8_t>(255 - std::min(slots[i].rank, 255u));
  }
  MixedCrowd crowd(kinds);
  crowd.reset(agents);
  for (int t = 0; t < most_ticks && crowd.planner.on_the_way() > 0; ++t) {
    crowd.step();
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_EQ(crowd.planner.on_the_way(), 0u);
  const std::vector<Cell> there = crowd.cells;
  for (int t = 0; t < 20; ++t) crowd.step();
  EXPECT_EQ(crowd.cells, there);
  *end = there;
}

// Large units before a gap too narrow for them, small ones behind (Beyond-All-Reason 7324): the
// large ones go as near as they can, and the small ones pass round them and through.
TEST(WideSteps, small_ones_pass_a_gap_that_large_ones_plug) {
  Rows rows(14, std::string(30, '.'));
  for (int y = 0; y < 14; ++y)
    if (y != 6) rows[size_t(y)][15] = '#';
  const Kinds kinds(Board(rows), {sized(1, 1), sized(2, 2)});
  std::vector<GroupUnit> units;
  for (int i = 0; i < 6; ++i) units.push_back({{9 + 2 * (i % 3), 4 + 2 * (i / 3)}, 1});
  for (int i = 0; i < 12; ++i) units.push_back({{2 + i % 4, 5 + i / 4}, 0});
  std::vector<Cell> end;
  expect_arrival(kinds, units, {24, 6}, 200, &end);
  if (HasFatalFailure()) return;
  for (size_t i = 0; i < units.size(); ++i) EXPECT_EQ(end[i].x < 15, i < 6);
}

// Three sizes through a gap of four cells, by four moves: large ones that want to pass each other
// have to leave each other's lane, and settled ones make room and return.
TEST(WideSteps, sizes_share_a_gap) {
  Rows rows(16, std::string(36, '.'));
  for (int y = 0; y < 16; ++y)
    if (y < 6 || y > 9) rows[size_t(y)][18] = '#';
  const Kinds kinds(Board(rows),
                    {sized(1, 1, Moves::four), sized(2, 2, Moves::four), sized(3, 3, Moves::four)});
  std::vector<GroupUnit> units;
  for (int i = 0; i < 3; ++i) units.push_back({{1, 2 + 4 * i}, 2});
  for (int i = 0; i < 6; ++i) units.push_back({{5 + 3 * (i % 2), 2 + 4 * (i / 2)}, 1});
  for (int i = 0; i < 16; ++i) units.push_back({{11 + i % 4, 5 + i / 4}, 0});
  for (const Cell goal : {Cell{27, 8}, Cell{25, 5}, Cell{30, 11}}) {
    std::vector<Cell> end;
    expect_arrival(kinds, units, goal, 300, &end);
    if (HasFatalFailure()) return;
    for (const Cell c : end) EXPECT_GT(c.x, 18);
  }
}

// Each to its own place on the other side, half of them from the right to the left.
TEST(WideSteps, sizes_pass_both_ways) {
  Random random(78);
  Rows rows(16, std::string(36, '.'));
  for (int y = 0; y < 16; ++y)
    if (y < 6 || y > 9) rows[size_t(y)][18] = '#';
  const Kinds kinds(Board(rows),
                    {sized(1, 1, Moves::four), sized(2, 2, Moves::four), sized(3, 3, Moves::four)});
  for (int round = 0; round < 20; ++round) {
    SCOPED_TRACE(round);
    std::vector<StepAgent> agents;
    const auto place = [&](uint32_t view, bool left, Cell StepAgent::*end) {
      const Profile& p = kinds.profiles[view];
      for (;;) {
        const Cell c{(left ? 0 : 19) + random.below(18 - p.width), random.below(17 - p.height)};
        bool fits = kinds.views[view].passable(c);
        for (const StepAgent& a : agents)
          fits = fits && !covers_overlap(p, c, kinds.profiles[a.view], a.*end);
        if (fits) return c;
      }
    };
    for (const uint32_t view : {2u, 1u, 0u}) {
      for (int i = 0; i < 12 / (int(view) + 1); ++i) {
        StepAgent a;
        a.view = view;
        a.cell = place(view, i % 2 == 0, &StepAgent::cell);
        a.goal = place(view, i % 2 == 1, &StepAgent::goal);
        agents.push_back(a);
      }
    }
    MixedCrowd crowd(kinds);
    crowd.reset(agents);
    for (int t = 0; t < 600 && crowd.planner.on_the_way() > 0; ++t) {
      crowd.step();
      if (HasFatalFailure()) return;
    }
    EXPECT_EQ(crowd.planner.on_the_way(), 0u);
  }
}

// The same every time, whatever was forgotten of the tables in between.
TEST(WideSteps, same_steps_every_time) {
  Random random(74);
  const Kinds kinds(random_board(random, 40, 40, 5), {sized(2, 2), sized(1, 1)});
  const std::vector<StepAgent> agents = mixed_agents(random, kinds, 40);
  const auto run = [&](size_t table_bytes) {
    StepOptions options;
    options.table_bytes = table_bytes;
    StepPlanner planner;
    EXPECT_FALSE(planner.reset(kinds.views.data(), 2, agents.data(), agents.size(), options));
    Random tasks(75);
    uint64_t hash = 0;
    for (int t = 0; t < 100; ++t) {
      EXPECT_FALSE(planner.step());
      for (size_t i = 0; i < agents.size(); ++i) {
        hash = hash * 1099511628211u + kinds.board.index(planner.cell(i));
        if (planner.arrived(i)) {
          EXPECT_FALSE(planner.set_goal(i, agents[size_t(tasks.below(20))].view == agents[i].view
                                               ? agents[i].cell
                                               : agents[i].goal));
        }
      }
    }
    return hash + planner.arrivals();
  };
  const uint64_t once = run(size_t{1} << 30);
  EXPECT_EQ(run(size_t{1} << 30), once);
  EXPECT_EQ(run(0), once);
}

// Up to three agents of several kinds on up to 4 x 4 cells: what is solvable, and the optimum.
TEST(WidePlans, joint_state_oracle) {
  Random random(76);
  int solvable = 0, not_solvable = 0;
  for (int round = 0; round < effort(long_run() ? 20000 : 600); ++round) {
    const Kinds kinds(
        random_board(random, random.between(2, 4), random.between(2, 4), random.between(0, 15)),
        some_kinds(random));
    std::vector<Rules> rules;
    for (const Profile& p : kinds.profiles) rules.emplace_back(kinds.board, p);
    std::vector<AgentTask> tasks;
    const auto clear = [&](uint32_t k, Cell c, Cell AgentTask::*end) {
      for (const AgentTask& t : tasks)
        if (covers_overlap(kinds.profiles[k], c, kinds.profiles[t.view], t.*end)) return false;
      return true;
    };
    for (int tries = 0; tries < 30 && tasks.size() < 3; ++tries) {
      const auto k = static_cast<uint32_t>(random.below(int(kinds.views.size())));
      const Cell a = kinds.board.cell(size_t(random.below(int(kinds.board.size()))));
      const Cell b = kinds.board.cell(size_t(random.below(int(kinds.board.size()))));
      if (!rules[k].free(a) || !rules[k].free(b)) continue;
      if (clear(k, a, &AgentTask::start) && clear(k, b, &AgentTask::goal))
        tasks.push_back({a, b, k});
    }
    if (tasks.empty()) continue;
    const JointOracle oracle(rules, tasks);
    Plan plan;
    PlanAnswer answer;
    PlanOptions options;
    options.improve = uint64_t{1} << 40;
    ASSERT_FALSE(make_plan(kinds.views.data(), kinds.views.size(), tasks.data(), tasks.size(),
                           options, &plan, &answer));
    ASSERT_EQ(answer.status, oracle.solvable() ? PlanStatus::optimal : PlanStatus::infeasible);
    (oracle.solvable() ? solvable : not_solvable) += 1;
    if (!oracle.solvable()) continue;
    PlanReport report;
    ASSERT_FALSE(check_plan(kinds.views.data(), kinds.views.size(), tasks.data(), tasks.size(),
                            plan, &report));
    ASSERT_EQ(report.defect, PlanDefect::none) << report.text;
    ASSERT_EQ(report.costs.sum_of_loss, static_cast<uint64_t>(oracle.loss));
    ASSERT_EQ(answer.costs.sum_of_costs, report.costs.sum_of_costs);
    ASSERT_EQ(answer.costs.sum_bound, report.costs.sum_bound);
  }
  EXPECT_GT(solvable, effort(100));
  EXPECT_GT(not_solvable, effort(20));
}

// Crowds of three sizes in the open and among walls.
TEST(WidePlans, crowds_of_several_sizes) {
  Random random(77);
  const Kinds open(Board(32, 32), {sized(3, 3), sized(2, 2), sized(1, 1)});
  const Kinds walls(random_board(random, 40, 40, 3), {sized(2, 2, Moves::four), sized(1, 1)});
  for (const Kinds* kinds : {&open, &walls}) {
    // Goals are the places of another crowd of the same kinds.
    const std::vector<StepAgent> from = mixed_agents(random, *kinds, 15);
    std::vector<StepAgent> to = mixed_agents(random, *kinds, 40);
    std::vector<AgentTask> tasks;
    for (const StepAgent& a : from) {
      for (StepAgent& b : to) {
        if (b.view != a.view) continue;
        tasks.push_back({a.cell, b.cell, a.view});
        b.view = 99;
        break;
      }
    }
    ASSERT_GT(tasks.size(), 30u);
    Plan plan;
    PlanAnswer answer;
    PlanOptions options;
    options.max_configurations = 20000;
    ASSERT_FALSE(make_plan(kinds->views.data(), kinds->views.size(), tasks.data(), tasks.size(),
                           options, &plan, &answer));
    ASSERT_EQ(answer.status, PlanStatus::feasible) << answer.configurations;
    PlanReport report;
    ASSERT_FALSE(check_plan(kinds->views.data(), kinds->views.size(), tasks.data(), tasks.size(),
                            plan, &report));
    EXPECT_EQ(report.defect, PlanDefect::none) << report.text;
    // What the search alone cannot do is refused.
    options.refine = 1;
    EXPECT_EQ(make_plan(kinds->views.data(), kinds->views.size(), tasks.data(), tasks.size(),
                        options, &plan, &answer)
                  .status,
              Status::bad_argument);
    EXPECT_EQ(plan.rows(), report.costs.makespan + 1);
  }
}

}  // namespace
}  // namespace octile::test
