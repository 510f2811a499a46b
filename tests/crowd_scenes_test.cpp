// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// What players of other games complained about, as scenes without a screen.

#include "crowd.hpp"
#include "octile/fields.hpp"
#include "octile/groups.hpp"

namespace octile::test {
namespace {

std::vector<GroupSlot> order(const std::vector<View>& views, const std::vector<GroupUnit>& units,
                             Cell goal) {
  Searcher searcher;
  GroupAnswer answer;
  std::vector<GroupSlot> slots(units.size());
  const Fault fault = order_group(searcher, views.data(), views.size(), units.data(), units.size(),
                                  goal, {}, slots.data(), &answer);
  EXPECT_FALSE(fault) << fault.text;
  return slots;
}

// All arrive within so many ticks, and nobody takes the way round, below row 20.
void expect_queue(const World& world, const std::vector<StepAgent>& agents, int most_ticks) {
  Crowd crowd(world);
  crowd.reset(agents);
  int ticks = 0;
  for (; ticks < 100 && crowd.planner.on_the_way() > 0; ++ticks) {
    crowd.step();
    if (testing::Test::HasFatalFailure()) return;
    for (const Cell c : crowd.cells) ASSERT_LT(c.y, 20) << "goes round";
  }
  EXPECT_EQ(crowd.planner.on_the_way(), 0u);
  EXPECT_LE(ticks, most_ticks);
}

// Twenty units over a bridge of two cells, and a long way round: they queue, and nobody goes round.
TEST(Scenes, a_crowd_queues_at_a_bridge) {
  Rows rows(24, std::string(40, '.'));
  for (int y = 0; y < 24; ++y)
    if (y != 4 && y != 5 && y != 23) rows[size_t(y)][20] = '#';
  const World world(rows, kFour);
  std::vector<StepAgent> agents(20);
  for (int i = 0; i < 20; ++i) {
    agents[size_t(i)].cell = {8 + i % 5, 2 + i / 5};
    agents[size_t(i)].goal = {28 + i % 5, 2 + i / 5};
  }
  expect_queue(world, agents, 40);  // the bridge lets two of them pass in a tick
}

// The way of a unit from (5,4) to (35,4) past friends.
Path way_past(const View& view, const std::vector<GroupFriend>& friends) {
  std::vector<ExtraCost> costs(friends.size());
  Query query;
  query.start = {5, 4};
  query.goal = {35, 4};
  const Fault fault =
      friend_costs(query.start, query.goal, friends.data(), friends.size(), {}, costs.data());
  EXPECT_FALSE(fault) << fault.text;
  query.extra_costs = costs.data();
  query.extra_cost_count = costs.size();
  Searcher searcher;
  Path path, judged;
  find(searcher, view, query, path);
  query.solver = solver_id("dijkstra");
  find(searcher, view, query, judged);
  EXPECT_EQ(path.status, Status::found);
  EXPECT_EQ(path.cost_units, judged.cost_units);
  return path;
}
int lowest_row(const Path& path) {
  int row = 0;
  for (size_t i = 0; i < path.size(); ++i) row = std::max(row, path.cells()[i].y);
  return row;
}

// A gap full of friends is worth a wait, however many they are, and a way round when that is
// shorter than to wait.
TEST(Scenes, friends_cost_a_wait) {
  for (const int round : {23, 9}) {  // the row of the other gap
    Rows rows(24, std::string(40, '.'));
    for (int y = 0; y < 24; ++y)
      if (y != 4 && y != 5 && y != round) rows[size_t(y)][20] = '#';
    const World world(rows, kFour);
    std::vector<GroupFriend> along, against, resting;
    for (int x = 19; x < 22; ++x)
      for (int y = 4; y < 6; ++y) {
        along.push_back({{x, y}, {3, 0}});
        against.push_back({{x, y}, {-1, 0}});
        resting.push_back({{x, y}, {0, 0}});
      }
    EXPECT_EQ(way_past(world.view, along).size(), 31u);       // as if they were not there
    EXPECT_LT(lowest_row(way_past(world.view, against)), 8);  // three ticks at most
    EXPECT_EQ(lowest_row(way_past(world.view, resting)), round == 9 ? 9 : 4);
  }
  ExtraCost cost[3];
  const GroupFriend friends[3] = {{{1, 1}, {0, 2}, 0.5}, {{2, 2}, {5, 5}, 1}, {{3, 3}, {1, 0}, 0}};
  ASSERT_FALSE(friend_costs({0, 0}, {9, 0}, friends, 3, {2, 7}, cost));
  EXPECT_EQ(cost[0].cost, 2);      // across
  EXPECT_EQ(cost[1].cost, 0.586);  // half along: 2 - sqrt(2)
  EXPECT_EQ(cost[2].cost, 7);      // stands
  EXPECT_EQ(cost[1].cell, (Cell{2, 2}));
  const GroupFriend wrong{{1, 1}, {1, 0}, 2};
  EXPECT_EQ(friend_costs({0, 0}, {9, 0}, &wrong, 1, {}, cost).status, Status::bad_argument);
  EXPECT_EQ(friend_costs({0, 0}, {9, 0}, friends, 3, {-1, 7}, cost).status, Status::bad_argument);
  EXPECT_EQ(friend_costs({0, 0}, {9, 0}, nullptr, 3, {}, cost).status, Status::bad_argument);
}

// After arrival nobody moves any more.
TEST(Scenes, who_has_arrived_stands_still) {
  Random random(66);
  const World world(Board(24, 24), kEight);
  Crowd crowd(world);
  crowd.reset(random_agents(random, world, 120));
  for (int t = 0; t < 500 && crowd.planner.on_the_way() > 0; ++t) crowd.step();
  ASSERT_EQ(crowd.planner.on_the_way(), 0u);
  const int moves = crowd.moves;
  for (int t = 0; t < 50; ++t) crowd.step();
  EXPECT_EQ(crowd.moves, moves);
}

// One goal for all: one stands on it, the others as near as they come, and nobody is pushed into a
// wall or stuck in the wrong place; they say that they are on their way.
TEST(Scenes, one_goal_for_all) {
  const World world(Board(20, 20), kFour);
  std::vector<StepAgent> agents(40);
  for (int i = 0; i < 40; ++i) {
    agents[size_t(i)].cell = {i % 20, i / 20};
    agents[size_t(i)].goal = {10, 12};
  }
  Crowd crowd(world);
  crowd.reset(agents);
  for (int t = 0; t < 100; ++t) crowd.step();
  EXPECT_EQ(crowd.planner.on_the_way(), 39u);
  for (size_t i = 0; i < 40; ++i) EXPECT_LE(crowd.planner.steps_left(i), 12u);
  EXPECT_TRUE(crowd.planner.arrivals() > 0);
}

// Units that are walled in and told to go outside: known at once, and no search in any tick.
TEST(Scenes, walled_in_units_know_it_at_once) {
  Rows rows(60, std::string(60, '.'));
  for (int i = 20; i < 30; ++i)
    rows[20][size_t(i)] = rows[29][size_t(i)] = rows[size_t(i)][20] = rows[size_t(i)][29] = '#';
  const World world(rows, kFour);
  std::vector<StepAgent> agents(20);
  for (int i = 0; i < 20; ++i) {
    agents[size_t(i)].cell = {21 + i % 8, 21 + i / 8};
    agents[size_t(i)].goal = {50, 50};
  }
  Crowd crowd(world);
  crowd.reset(agents);
  for (int t = 0; t < 20; ++t) crowd.step();
  EXPECT_EQ(crowd.moves, 0);
  for (size_t i = 0; i < 20; ++i) EXPECT_FALSE(crowd.planner.reachable(i));
  const Path way = ask(world.view, query_of(agents[0].cell, agents[0].goal, "auto"));
  EXPECT_EQ(way.status, Status::no_path);
  EXPECT_EQ(way.expanded, 0u);
}

// Distances are kept for each goal, not for each unit (Start-Kit 61).
TEST(Scenes, units_with_one_goal_share_its_distances) {
  Random random(68);
  const World world(Board(64, 64), kFour);
  std::vector<StepAgent> agents = random_agents(random, world, 500);
  const auto bytes = [&](size_t goals) {
    std::vector<StepAgent> all = agents;
    for (size_t i = 0; i < all.size(); ++i) {
      all[i].has_goal = goals > 0;
      if (goals > 0) all[i].goal = agents[i % goals].goal;
    }
    StepPlanner planner;
    EXPECT_FALSE(planner.reset(world.view, all.data(), all.size(), {}));
    return planner.memory_bytes();
  };
  const size_t none = bytes(0), many = bytes(500) - none;
  EXPECT_EQ((bytes(5) - none) * 100, many);
  // Two bits a cell, those at the edges of blocks more than once: 5 x 5 lines.
  EXPECT_LE(many, 500u * 5 * 5 * 64);
}

// Two on one line, head-on: they pass.
TEST(Scenes, head_on_in_the_open) {
  for (const Profile& profile : {kFour, kEight}) {
    const World world(Board(15, 5), profile);
    std::vector<StepAgent> agents(2);
    agents[0].cell = agents[1].goal = {0, 2};
    agents[1].cell = agents[0].goal = {14, 2};
    Crowd crowd(world);
    crowd.reset(agents);
    for (int t = 0; t < 18; ++t) crowd.step();
    EXPECT_EQ(crowd.planner.on_the_way(), 0u);
  }
}

// A firing line that has nothing to do lets a tank through, and closes again.
TEST(Scenes, idle_friends_yield_and_come_back) {
  const World world(Board(11, 7), kFour);
  std::vector<StepAgent> agents(12);
  for (int i = 0; i < 11; ++i) agents[size_t(i)].cell = agents[size_t(i)].goal = {i, 3};
  agents[11].cell = {5, 0};
  agents[11].goal = {5, 6};
  Crowd crowd(world);
  crowd.reset(agents);
  for (int t = 0; t < 30; ++t) crowd.step();
  EXPECT_EQ(crowd.planner.on_the_way(), 0u);
}

// A gap of one cell with friends that move through it, and a way round of thrice the length (OpenRA
// 20972): nobody takes them for a wall.
TEST(Scenes, friends_in_a_gap_are_no_wall) {
  Rows rows(30, std::string(30, '.'));
  for (int y = 0; y < 28; ++y)
    if (y != 5) rows[size_t(y)][15] = '#';
  const World world(rows, kEight);
  std::vector<StepAgent> agents(24);
  for (int i = 0; i < 24; ++i) {
    agents[size_t(i)].cell = {6 + i % 6, 2 + i / 6};
    agents[size_t(i)].goal = {18 + i % 6, 2 + i / 6};
  }
  expect_queue(world, agents, 60);  // one of them passes in a tick
}

// Two units to the one cell at the end of a corridor (antcraft 30): the second one gets the cell
// before it, says so, and both rest there.
TEST(Scenes, two_units_to_one_cell) {
  const World world(Rows{"######", "#....#", "####.#", "####.#"}, kFour);
  const std::vector<GroupUnit> units = {{{4, 2}}, {{4, 3}}};
  const std::vector<GroupSlot> slots = order({world.view}, units, {1, 1});
  std::vector<StepAgent> agents(2);
  for (size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(slots[i].status, Status::found);
    agents[i].cell = units[i].cell;
    agents[i].goal = slots[i].cell;
  }
  EXPECT_EQ(slots[0].cell, (Cell{1, 1}));
  EXPECT_EQ(slots[1].cell, (Cell{2, 1}));
  Crowd crowd(world);
  crowd.reset(agents);
  for (int t = 0; t < 10; ++t) crowd.step();
  EXPECT_EQ(crowd.planner.on_the_way(), 0u);
  EXPECT_EQ(crowd.moves, 4 + 4);
}

// A newcomer to a place that is full (Recast 295): it joins at the rim, and all come to rest.
TEST(Scenes, a_newcomer_joins_at_the_rim) {
  const World world(Board(40, 30), kEight);
  std::vector<GroupUnit> units;
  for (int i = 0; i < 20; ++i) units.push_back({{2 + i % 5, 2 + i / 5}});
  std::vector<GroupSlot> slots = order({world.view}, units, {20, 15});
  for (size_t i = 0; i < units.size(); ++i) units[i].cell = slots[i].cell;
  units.push_back({{38, 28}});
  slots = order({world.view}, units, {20, 15});
  std::vector<StepAgent> agents(units.size());
  for (size_t i = 0; i < units.size(); ++i) {
    ASSERT_EQ(slots[i].status, Status::found);
    agents[i].cell = units[i].cell;
    agents[i].goal = slots[i].cell;
  }
  Crowd crowd(world);
  crowd.reset(agents);
  int ticks = 0;
  for (; ticks < 60 && crowd.planner.on_the_way() > 0; ++ticks) crowd.step();
  EXPECT_LE(ticks, 20);  // 18 cells to go
  const int moves = crowd.moves;
  for (int t = 0; t < 20; ++t) crowd.step();
  EXPECT_EQ(crowd.moves, moves);
}

// A thousand units in a pen with a slanted wall push towards what lies behind it (Recoil 1102):
// none is ever in a wall, or through it.
TEST(Scenes, a_thousand_in_a_pen) {
  for (const Diagonal diagonal : {Diagonal::no_obstacles, Diagonal::at_most_one_obstacle}) {
    Board board(60, 60);
    for (int i = 0; i < 60; ++i) board.at({i, 59 - i}) = '#';
    const World world(board, profile_of(Moves::eight, diagonal));
    std::vector<StepAgent> agents;
    for (int y = 0; y < 59; ++y)
      for (int x = 0; x < 59 - y && agents.size() < 1000; ++x) {
        StepAgent a;
        a.cell = {x, y};
        a.goal = {(x * 7) % 28, (y * 5) % 28};
        agents.push_back(a);
      }
    ASSERT_EQ(agents.size(), 1000u);
    for (size_t i = 0; i < agents.size(); i += 3) agents[i].goal = {50, 50};  // behind the wall
    Crowd crowd(world);
    crowd.reset(agents);
    for (int t = 0; t < 60; ++t) {
      crowd.step();
      if (HasFatalFailure()) return;
      for (const Cell c : crowd.cells) ASSERT_LT(c.x + c.y, 59);
    }
    EXPECT_FALSE(crowd.planner.reachable(0));
    EXPECT_TRUE(crowd.planner.reachable(1));
    EXPECT_GT(crowd.moves, 1000);
  }
}

// A gap that is too narrow for the large ones (Beyond All Reason 7324): they are told before they
// set out, stay on their side, and the small ones pass.
TEST(Scenes, a_gap_for_the_small_ones) {
  Rows rows(12, std::string(30, '.'));
  for (int y = 0; y < 12; ++y)
    if (y != 6) rows[size_t(y)][15] = '#';
  World world(rows, kEight);
  Profile wide = kEight;
  wide.width = wide.height = 2;
  ProfileId large;
  ASSERT_FALSE(world.engine.add_profile(wide, &large));
  world.commit();
  std::vector<GroupUnit> units;
  for (int i = 0; i < 6; ++i) units.push_back({{1 + 2 * (i % 3), 1 + 2 * (i / 3)}, 1});
  for (int i = 0; i < 12; ++i) units.push_back({{8 + i % 4, 6 + i / 4}, 0});
  const std::vector<GroupSlot> slots =
      order({world.view, world.engine.view(large)}, units, {24, 6});
  for (size_t i = 0; i < units.size(); ++i) {
    EXPECT_EQ(slots[i].status, i < 6 ? Status::partial : Status::found);
    EXPECT_EQ(slots[i].cell.x < 15, i < 6);
  }
}

// A wall far away makes a field wrong there (openage 1679 and others): the field of the old version
// says which version it is of, and the new one goes round.
TEST(Scenes, a_wall_far_away_is_noticed) {
  World world(Board(100, 9), kFour);
  const Cell goal{0, 4};
  FieldQuery query;
  query.goals = &goal;
  query.goal_count = 1;
  FieldMaker maker;
  Field field;
  ASSERT_FALSE(maker.build(world.view, query, &field));
  const uint64_t before = field.view().version();
  ASSERT_FALSE(world.engine.map().fill({60, 1, 1, 8}, '@'));
  world.commit();
  ASSERT_NE(world.view.version(), before);
  ASSERT_FALSE(maker.update(world.view, &field));
  EXPECT_EQ(field.view().version(), world.view.version());
  for (Cell at{99, 4}; at != goal;) {
    const Cell next = field.next(at);
    ASSERT_NE(next, at);
    ASSERT_TRUE(world.view.passable(next));
    at = next;
  }
}

// A box of five ranks and a wall with a gap: it narrows, and the ranks pass in their order.
TEST(Scenes, ranks_pass_a_gap_in_order) {
  for (const int gap : {1, 2, 3}) {
    Rows rows(21, std::string(60, '.'));
    for (int y = 0; y < 21; ++y)
      if (y < 10 || y >= 10 + gap) rows[size_t(y)][30] = '#';
    const World world(rows, kEight);
    std::vector<GroupUnit> units;
    for (int i = 0; i < 25; ++i) units.push_back({{8 + i % 5, 4 + i / 5}});
    GroupOptions options;
    options.formation = Formation::box;
    Searcher searcher;
    GroupAnswer answer;
    std::vector<GroupSlot> slots(units.size());
    ASSERT_FALSE(order_group(searcher, &world.view, 1, units.data(), units.size(), {48, 10},
                             options, slots.data(), &answer));
    std::vector<StepAgent> agents(units.size());
    for (size_t i = 0; i < units.size(); ++i) {
      ASSERT_EQ(slots[i].rank, uint32_t(50 - slots[i].cell.x));
      agents[i].cell = units[i].cell;
      agents[i].goal = slots[i].cell;
      agents[i].priority = uint8_t(255 - slots[i].rank);
    }
    Crowd crowd(world);
    crowd.reset(agents);
    std::vector<int> passed(units.size(), 0);
    int ticks = 0;
    while (ticks < 100 && crowd.planner.on_the_way() > 0) {
      crowd.step();
      ++ticks;
      for (size_t i = 0; i < units.size(); ++i)
        if (crowd.cells[i].x > 30 && !passed[i]) passed[i] = ticks;
    }
    EXPECT_LE(ticks, 65);  // up to 40 steps each, and one of them passes in a tick
    int wrong = 0, pairs = 0;
    for (size_t i = 0; i < units.size(); ++i)
      for (size_t k = 0; k < units.size(); ++k)
        if (slots[i].rank < slots[k].rank) ++pairs, wrong += passed[i] > passed[k];
    EXPECT_EQ(pairs, 250);
    EXPECT_LE(wrong, 10);
  }
}

// Arriving together (OpenRA 3880, soundrts 109): whoever walks a cheapest way to its slot at its
// pace is there when the last one comes.
TEST(Scenes, all_arrive_at_once) {
  Rows rows(40, std::string(60, '.'));
  for (int y = 4; y < 40; ++y) rows[size_t(y)][30] = '#';
  const World world(rows, kEight);
  std::vector<GroupUnit> units;
  for (int i = 0; i < 15; ++i) units.push_back({{i * 3, i % 4}});
  const std::vector<GroupSlot> slots = order({world.view}, units, {50, 30});
  std::vector<double> arrival;
  double last = 0;
  for (size_t i = 0; i < units.size(); ++i) {
    const Path way = ask(world.view, query_of(units[i].cell, slots[i].cell, "dijkstra"));
    ASSERT_EQ(way.status, Status::found);
    ASSERT_GT(slots[i].pace, 0);
    arrival.push_back(way.cost / slots[i].pace);
    last = std::max(last, way.cost);  // nobody is faster than at full speed
  }
  for (const double a : arrival) EXPECT_NEAR(a, last, 1e-6 * last);
}

}  // namespace
}  // namespace octile::test
