// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The same question through C and through C++ has the same answer: path, cost and statistics, by
// every solver, with and without indexes, and so have fields, batches, groups, steps and plans.

#include <cstring>

#include "octile/agents.hpp"
#include "octile/batch.hpp"
#include "octile/fields.hpp"
#include "octile/groups.hpp"
#include "octile/octile.h"
#include "support.hpp"

namespace octile::test {
namespace {

// A board in both faces.
class Twins {
 public:
  Twins(const Board& board, const Profile& profile) : world(board, profile) {
    octile_map_def def;
    octile_map_def_init(&def);
    def.width = board.width();
    def.height = board.height();
    def.first_cell = {board.def.first_cell.x, board.def.first_cell.y};
    octile_profile p;
    octile_profile_init(&p);
    std::memcpy(p.terrain_cost, profile.terrain_cost, sizeof p.terrain_cost);
    p.moves = static_cast<uint8_t>(profile.moves);
    p.diagonal = static_cast<uint8_t>(profile.diagonal);
    p.metric = static_cast<uint8_t>(profile.metric);
    EXPECT_EQ(octile_engine_create(&engine), OCTILE_FOUND);
    EXPECT_EQ(octile_engine_reset(engine, &def, board.terrain.data(), size_t(board.width())),
              OCTILE_FOUND);
    EXPECT_EQ(octile_engine_add_profile(engine, &p, &id), OCTILE_FOUND);
    EXPECT_EQ(octile_engine_commit(engine), OCTILE_FOUND);
    EXPECT_EQ(octile_engine_view(engine, id, &view), OCTILE_FOUND);
    EXPECT_EQ(octile_searcher_create(&searcher), OCTILE_FOUND);
  }
  ~Twins() {
    EXPECT_EQ(octile_searcher_destroy(searcher), OCTILE_FOUND);
    EXPECT_EQ(octile_view_destroy(view), OCTILE_FOUND);
    EXPECT_EQ(octile_engine_destroy(engine), OCTILE_FOUND);
  }

  // Builds an index of a kind in both, and holds the bytes against each other. False: none serves.
  bool index(IndexKind kind) {
    IndexOptions options;
    options.most = kind;
    Index cpp;
    octile_index_options c_options;
    octile_index_options_init(&c_options);
    c_options.most = static_cast<uint8_t>(kind);
    octile_index c;
    const Fault fault = build_index(world.view, options, &cpp);
    const int32_t status = octile_index_build(view, &c_options, &c);
    EXPECT_EQ(static_cast<int32_t>(fault.status), status);
    if (fault) return false;
    std::vector<uint8_t> bytes(cpp.info().bytes);
    size_t length = 0;
    EXPECT_EQ(octile_index_write(c, bytes.data(), bytes.size(), &length), OCTILE_FOUND);
    EXPECT_EQ(length, bytes.size());
    EXPECT_EQ(std::memcmp(bytes.data(), cpp.data(), bytes.size()), 0);
    EXPECT_FALSE(world.view.with_index(cpp, &world.view));
    octile_view with;
    EXPECT_EQ(octile_view_with_index(view, c, &with), OCTILE_FOUND);
    EXPECT_EQ(octile_view_destroy(view), OCTILE_FOUND);
    EXPECT_EQ(octile_index_destroy(c), OCTILE_FOUND);
    view = with;
    return true;
  }

  void compare(Cell start, Cell goal, int32_t solver, bool partial, Output output) {
    Query q;
    q.start = start;
    q.goal = goal;
    q.solver = solver;
    q.allow_partial = partial;
    q.output = output;
    find(cpp_searcher, world.view, q, path);
    octile_query c;
    octile_query_init(&c);
    c.start = {start.x, start.y};
    c.goal = {goal.x, goal.y};
    c.solver = solver;
    c.allow_partial = partial;
    c.output = static_cast<uint8_t>(output);
    octile_answer answer;
    octile_answer_init(&answer);
    cells.resize(size_t(world.board.width()) * size_t(world.board.height()));
    const int32_t status = octile_find(searcher, view, &c, cells.data(), cells.size(), &answer);
    ASSERT_EQ(status, static_cast<int32_t>(path.status)) << solver_info(solver).name;
    same(answer);
    // In slices.
    ASSERT_EQ(octile_searcher_begin(searcher, view, &c), OCTILE_FOUND);
    int32_t done = 0, last = OCTILE_FOUND;
    while (!done)
      last = octile_searcher_step(searcher, 7, cells.data(), cells.size(), &answer, &done);
    ASSERT_EQ(last, status);
    same(answer);
  }

  void same(const octile_answer& answer) {
    ASSERT_EQ(answer.status, static_cast<int32_t>(path.status));
    ASSERT_EQ(answer.cost_units, path.cost_units);
    ASSERT_EQ(answer.cost, path.cost);
    ASSERT_EQ(answer.bound, path.bound);
    ASSERT_EQ(answer.expanded, path.expanded);
    ASSERT_EQ(answer.generated, path.generated);
    ASSERT_EQ(answer.solver, path.solver);
    ASSERT_STREQ(answer.message, path.message);
    ASSERT_EQ(answer.length, path.size());
    for (size_t i = 0; i < path.size(); ++i) {
      ASSERT_EQ(cells[i].x, path.cells()[i].x);
      ASSERT_EQ(cells[i].y, path.cells()[i].y);
    }
  }

  World world;
  Searcher cpp_searcher;
  Path path;
  octile_engine engine{};
  uint32_t id = 0;
  octile_view view{};
  octile_searcher searcher{};
  std::vector<octile_cell> cells;
};

std::vector<Board> boards(Random& random) {
  std::vector<Board> made;
  made.push_back(random_board(random, 65, 40, 25));
  made.push_back(rooms_board(random, 70, 64, 9));
  made.push_back(one_wide_board(random, 63, 33, 30));
  made.push_back(comb_board(41, 20));
  made.back().def.first_cell = {-7, 1000};
  return made;
}

TEST(TheSameInC, Paths) {
  Random random(606);
  for (const Board& board : boards(random)) {
    for (const Profile& profile : all_profiles()) {
      if (sampled() && profile.metric != Metric::octile) continue;
      Twins twins(board, profile);
      for (const IndexKind kind : {IndexKind::none, IndexKind::subgoal_graph, IndexKind::portals,
                                   IndexKind::subgoal_labels, IndexKind::tile_labels}) {
        if (kind != IndexKind::none && !twins.index(kind)) break;
        for (int32_t solver = 0; solver < solver_count(); ++solver) {
          for (int i = 0; i < effort(6); ++i) {
            twins.compare(board.random_cell(random), board.random_cell(random), solver,
                          random.percent(30),
                          random.percent(50) ? Output::cells : Output::waypoints);
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

TEST(TheSameInC, DistancesFieldsAndBatches) {
  Random random(607);
  for (const Board& board : boards(random)) {
    Twins twins(board, Profile());
    std::vector<Cell> some;
    for (int i = 0; i < 24; ++i) some.push_back(board.random_cell(random));
    const auto* c_some = reinterpret_cast<const octile_cell*>(some.data());
    std::vector<double> a(some.size() * some.size()), b(a.size());
    ASSERT_FALSE(distances(twins.cpp_searcher, twins.world.view, some.data(), some.size(),
                           some.data(), some.size(), a.data()));
    ASSERT_EQ(octile_distances(twins.searcher, twins.view, c_some, some.size(), c_some, some.size(),
                               b.data()),
              OCTILE_FOUND);
    EXPECT_EQ(a, b);
    for (size_t i = 0; i + 1 < some.size(); ++i) {
      const octile_pair ends{c_some[i], c_some[i + 1]};
      octile_cell next;
      double cost = 0;
      ASSERT_EQ(octile_first_move(twins.searcher, twins.view, &ends, &next), OCTILE_FOUND);
      ASSERT_EQ(octile_distance(twins.searcher, twins.view, &ends, &cost), OCTILE_FOUND);
      const Cell move = first_move(twins.cpp_searcher, twins.world.view, some[i], some[i + 1]);
      EXPECT_TRUE(next.x == move.x && next.y == move.y);
      EXPECT_EQ(cost, distance(twins.cpp_searcher, twins.world.view, some[i], some[i + 1]));
    }

    // The field of some goals.
    FieldQuery query;
    query.goals = some.data();
    query.goal_count = some.size();
    Field field;
    FieldMaker maker;
    octile_field_query c_query;
    octile_field_query_init(&c_query);
    c_query.goals = c_some;
    c_query.goal_count = some.size();
    octile_field_maker c_maker;
    octile_field c_field{};
    ASSERT_EQ(octile_field_maker_create(&c_maker), OCTILE_FOUND);
    const Fault fault = maker.build(twins.world.view, query, &field);
    ASSERT_EQ(octile_field_build(c_maker, twins.view, &c_query, &c_field),
              static_cast<int32_t>(fault.status));
    if (!fault) {
      const octile_rect whole{board.def.first_cell.x, board.def.first_cell.y, board.width(),
                              board.height()};
      std::vector<uint8_t> flow(board.size()), c_flow(board.size());
      std::vector<double> far(board.size());
      field.directions(flow.data());
      ASSERT_EQ(octile_field_flow(c_field, &whole, c_flow.data(), size_t(board.width())),
                OCTILE_FOUND);
      EXPECT_EQ(flow, c_flow);
      ASSERT_EQ(octile_field_read(c_field, &whole, far.data(), size_t(board.width())),
                OCTILE_FOUND);
      for (size_t i = 0; i < board.size(); ++i) ASSERT_EQ(far[i], field.distance(board.cell(i)));
      ASSERT_EQ(octile_field_destroy(c_field), OCTILE_FOUND);
    }
    ASSERT_EQ(octile_field_maker_destroy(c_maker), OCTILE_FOUND);

    // A batch: many of the queries share a goal.
    std::vector<octile_pair> pairs;
    std::vector<Query> queries;
    for (int i = 0; i < 60; ++i) {
      const Cell start = board.random_cell(random), goal = some[size_t(random.below(4))];
      pairs.push_back({{start.x, start.y}, {goal.x, goal.y}});
      queries.push_back(query_of(start, goal));
    }
    std::vector<Path> paths(queries.size());
    Batch batch;
    ASSERT_FALSE(batch.run(twins.world.view, queries.data(), queries.size(), {}, paths.data()));
    octile_batch c_batch;
    ASSERT_EQ(octile_batch_create(&c_batch), OCTILE_FOUND);
    std::vector<octile_answer> answers(pairs.size());
    for (octile_answer& answer : answers) octile_answer_init(&answer);
    size_t length = 0;
    ASSERT_EQ(octile_batch_pairs(c_batch, twins.view, nullptr, pairs.data(), pairs.size(), nullptr,
                                 answers.data(), nullptr, 0, &length, nullptr),
              OCTILE_FOUND);
    std::vector<octile_cell> cells(length);
    ASSERT_EQ(octile_batch_cells(c_batch, 0, cells.data(), length, &length), OCTILE_FOUND);
    for (size_t i = 0; i < pairs.size(); ++i) {
      ASSERT_EQ(answers[i].status, static_cast<int32_t>(paths[i].status));
      ASSERT_EQ(answers[i].cost_units, paths[i].cost_units);
      ASSERT_EQ(answers[i].length, paths[i].size());
      if (paths[i].size()) {
        ASSERT_EQ(
            std::memcmp(&cells[answers[i].first], paths[i].cells(), paths[i].size() * sizeof(Cell)),
            0);
      }
    }
    ASSERT_EQ(octile_batch_destroy(c_batch), OCTILE_FOUND);
  }
}

TEST(TheSameInC, GroupsStepsAndPlans) {
  Random random(608);
  const Board board = rooms_board(random, 40, 40, 9);
  Twins twins(board, Profile());
  std::vector<octile_pair> tasks;
  std::vector<AgentTask> agents;
  std::vector<char> taken(board.size());
  while (agents.size() < 20) {
    const Cell start = board.random_cell(random), goal = board.random_cell(random);
    if (!twins.world.view.passable(start) || !twins.world.view.passable(goal)) continue;
    if (taken[board.index(start)] & 1 || taken[board.index(goal)] & 2) continue;
    taken[board.index(start)] |= 1;
    taken[board.index(goal)] |= 2;
    tasks.push_back({{start.x, start.y}, {goal.x, goal.y}});
    agents.push_back({start, goal});
  }
  // Plans.
  Plan plan;
  PlanAnswer answer;
  ASSERT_FALSE(make_plan(twins.world.view, agents.data(), agents.size(), {}, &plan, &answer));
  octile_plan c_plan;
  octile_plan_answer c_answer{};
  c_answer.size = sizeof c_answer;
  ASSERT_EQ(octile_plan_create(&c_plan), OCTILE_FOUND);
  ASSERT_EQ(octile_plan_make(twins.view, tasks.data(), tasks.size(), nullptr, c_plan, &c_answer),
            OCTILE_FOUND);
  EXPECT_EQ(c_answer.status, static_cast<int32_t>(answer.status));
  EXPECT_EQ(c_answer.costs.sum_of_costs, answer.costs.sum_of_costs);
  std::vector<octile_cell> cells(plan.rows() * plan.agents());
  size_t length = 0;
  ASSERT_EQ(octile_plan_read(c_plan, 0, cells.data(), cells.size(), &length), OCTILE_FOUND);
  ASSERT_EQ(length, cells.size());
  EXPECT_EQ(std::memcmp(cells.data(), plan.row(0), length * sizeof(Cell)), 0);
  ASSERT_EQ(octile_plan_destroy(c_plan), OCTILE_FOUND);

  // Steps.
  std::vector<StepAgent> steppers(agents.size());
  std::vector<octile_agent> c_steppers(agents.size());
  for (size_t i = 0; i < agents.size(); ++i) {
    steppers[i].cell = agents[i].start;
    steppers[i].goal = agents[i].goal;
    c_steppers[i] = {tasks[i].a, tasks[i].b, 1, 0, 1, 128};
  }
  StepPlanner planner;
  ASSERT_FALSE(planner.reset(twins.world.view, steppers.data(), steppers.size(), {}));
  octile_planner c_planner;
  ASSERT_EQ(octile_planner_create(&c_planner), OCTILE_FOUND);
  ASSERT_EQ(
      octile_planner_reset(c_planner, twins.view, c_steppers.data(), c_steppers.size(), nullptr),
      OCTILE_FOUND);
  for (int tick = 0; tick < 60; ++tick) {
    ASSERT_FALSE(planner.step());
    ASSERT_EQ(octile_planner_step(c_planner), OCTILE_FOUND);
    ASSERT_EQ(octile_planner_cells(c_planner, 0, cells.data(), cells.size(), &length),
              OCTILE_FOUND);
    for (size_t i = 0; i < length; ++i)
      ASSERT_TRUE(cells[i].x == planner.cell(i).x && cells[i].y == planner.cell(i).y);
  }
  ASSERT_EQ(octile_planner_destroy(c_planner), OCTILE_FOUND);

  // Groups.
  std::vector<GroupUnit> units;
  for (const AgentTask& task : agents) units.push_back({task.start, 0});
  std::vector<GroupSlot> slots(units.size());
  std::vector<octile_group_slot> c_slots(units.size());
  GroupAnswer whole;
  ASSERT_FALSE(order_group(twins.cpp_searcher, &twins.world.view, 1, units.data(), units.size(),
                           agents[0].goal, {}, slots.data(), &whole));
  ASSERT_EQ(octile_group_order(twins.searcher, &twins.view, 1,
                               reinterpret_cast<const octile_group_unit*>(units.data()),
                               units.size(), &tasks[0].b, nullptr, c_slots.data(), nullptr),
            OCTILE_FOUND);
  for (size_t i = 0; i < slots.size(); ++i) {
    EXPECT_TRUE(c_slots[i].cell.x == slots[i].cell.x && c_slots[i].cell.y == slots[i].cell.y);
    EXPECT_EQ(c_slots[i].distance, slots[i].distance);
    EXPECT_EQ(c_slots[i].rank, slots[i].rank);
  }

  // Past friends, in files as wide as the way.
  const GroupFriend friends[3] = {{units[0].cell, {1, 0}, 0.5}, {agents[0].goal, {}, 1}, {}};
  GroupOptions order;
  order.formation = Formation::box;
  order.files = GroupOptions::kFilesByPassage;
  order.friends = friends;
  order.friend_count = 3;
  order.friend_costs = {2, 7};
  octile_group_options c_order;
  octile_group_options_init(&c_order);
  c_order.formation = OCTILE_FORMATION_BOX;
  c_order.files = -1;
  c_order.friends = reinterpret_cast<const octile_group_friend*>(friends);
  c_order.friend_count = 3;
  c_order.friend_moving = 2;
  c_order.friend_resting = 7;
  ASSERT_FALSE(order_group(twins.cpp_searcher, &twins.world.view, 1, units.data(), units.size(),
                           agents[0].goal, order, slots.data(), &whole));
  octile_group_answer c_whole = {};
  c_whole.size = sizeof c_whole;
  ASSERT_EQ(octile_group_order(twins.searcher, &twins.view, 1,
                               reinterpret_cast<const octile_group_unit*>(units.data()),
                               units.size(), &tasks[0].b, &c_order, c_slots.data(), &c_whole),
            OCTILE_FOUND);
  for (size_t i = 0; i < slots.size(); ++i) {
    EXPECT_TRUE(c_slots[i].cell.x == slots[i].cell.x && c_slots[i].cell.y == slots[i].cell.y);
    EXPECT_EQ(c_slots[i].distance, slots[i].distance);
  }
  EXPECT_EQ(c_whole.total, whole.total);
}

}  // namespace
}  // namespace octile::test
