// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Queries: how each status is reached, bad arguments, limits, cancelling, slices, reuse of a Path
// and a Searcher, traces. Every status has a test of its name, but out_of_memory (memory_test) and
// not_loaded and stale_index, which nothing in this version can give.

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <set>
#include <thread>
#include <utility>

#include "support.hpp"

namespace octile::test {
namespace {

// Asks every solver and expects one status of all.
void expect_status(const World& world, Query q, Status status) {
  for (SolverId s = 0; s < solver_count(); ++s) {
    q.solver = s;
    const Path path = ask(world.view, q);
    EXPECT_EQ(path.status, status)
        << solver_info(s).name << " " << name(path.status) << " " << shown(q);
    EXPECT_EQ(path.version, world.view.version());
    if (status == Status::found) {
      EXPECT_STREQ(path.message, "");
    } else {
      EXPECT_STRNE(path.message, "");
    }
  }
}

const Rows kRoom = {".....",  //
                    ".@@@.",  //
                    ".@.@.",  //
                    ".@@@.",  //
                    "....."};

TEST(QueryStatus, names) {
  std::set<std::string> names;
  for (int s = 0; s <= int(Status::bad_argument); ++s) names.insert(name(Status(s)));
  EXPECT_EQ(names.size(), 14u);
  EXPECT_TRUE(names.count("found") && names.count("no_path") && names.count("bad_argument") &&
              names.count("goal_out_of_bounds") && names.count("limit_reached"));
  EXPECT_STRNE(name(Status(200)), nullptr);
}

TEST(QueryStatus, found) {
  World world(kRoom);
  expect_status(world, query_of({0, 0}, {4, 4}), Status::found);
  EXPECT_NEAR(ask(world.view, query_of({0, 0}, {4, 4})).cost, 8, 1e-12);
}

TEST(QueryStatus, found_where_start_and_goal_are_one_cell) {
  World world(kRoom);
  for (const Cell c : {Cell{0, 0}, Cell{2, 2}, Cell{4, 1}}) {
    expect_status(world, query_of(c, c), Status::found);
    const Path path = ask(world.view, query_of(c, c));
    EXPECT_EQ(path.cost, 0);
    EXPECT_EQ(path.cost_units, 0u);
    EXPECT_EQ(path.expanded, 0u) << "the map was searched";
    ASSERT_EQ(path.size(), 1u);
    EXPECT_EQ(path.cells()[0], c);
  }
  expect_status(world, query_of({1, 1}, {1, 1}), Status::start_blocked);
}

TEST(QueryStatus, no_path) {
  World world(kRoom);
  expect_status(world, query_of({0, 0}, {2, 2}), Status::no_path);
  expect_status(world, query_of({2, 2}, {0, 0}), Status::no_path);
  const Path path = ask(world.view, query_of({0, 0}, {2, 2}));
  EXPECT_EQ(path.size(), 0u);
  EXPECT_EQ(path.expanded, 0u) << "components tell without a search";
}

TEST(QueryStatus, partial) {
  World world(kRoom);
  Query q = query_of({0, 0}, {2, 2});
  q.allow_partial = true;
  expect_status(world, q, Status::partial);
  const Path path = ask(world.view, q);
  // (2, 0), (0, 2), (4, 2) and (2, 4) are equally near; (2, 0) and (0, 2) equally cheap; least y.
  EXPECT_EQ(path.cells()[path.size() - 1], (Cell{2, 0}));
  EXPECT_EQ(path.cost, 2);
}

TEST(QueryStatus, partial_from_a_cell_that_is_nearest_already) {
  World world(Rows{".@."});
  Query q = query_of({0, 0}, {2, 0});
  q.allow_partial = true;
  expect_status(world, q, Status::partial);
  EXPECT_EQ(ask(world.view, q).size(), 1u);
  EXPECT_EQ(ask(world.view, q).cost, 0);
}

TEST(QueryStatus, partial_towards_a_wall) {
  World world(kRoom);
  Query q = query_of({0, 0}, {1, 3});
  expect_status(world, q, Status::goal_blocked);
  q.allow_partial = true;
  expect_status(world, q, Status::partial);
  EXPECT_EQ(ask(world.view, q).cells()[ask(world.view, q).size() - 1], (Cell{0, 3}));
}

TEST(QueryStatus, start_blocked) {
  World world(kRoom);
  expect_status(world, query_of({1, 1}, {0, 0}), Status::start_blocked);
  // The start is looked at first.
  expect_status(world, query_of({1, 1}, {1, 2}), Status::start_blocked);
  Query q = query_of({1, 1}, {0, 0});
  q.snap_start = true;
  q.snap_radius = 0;
  expect_status(world, q, Status::start_blocked);
  q.snap_radius = 1;
  expect_status(world, q, Status::found);
}

TEST(QueryStatus, goal_blocked) {
  World world(kRoom);
  expect_status(world, query_of({0, 0}, {1, 1}), Status::goal_blocked);
  Query q = query_of({0, 0}, {1, 1});
  q.snap_goal = true;
  expect_status(world, q, Status::found);
  World walls(Rows{".@@@@@"});
  q = query_of({0, 0}, {5, 0});
  q.snap_goal = true;
  q.snap_radius = 4;
  expect_status(walls, q, Status::goal_blocked);
  q.snap_radius = 5;
  expect_status(walls, q, Status::found);
}

TEST(QueryStatus, start_out_of_bounds) {
  World world(kRoom);
  for (const Cell c : {Cell{-1, 0}, Cell{0, -1}, Cell{5, 0}, Cell{0, 5}, Cell{INT32_MIN, INT32_MIN},
                       Cell{INT32_MAX, INT32_MAX}}) {
    expect_status(world, query_of(c, {0, 0}), Status::start_out_of_bounds);
    expect_status(world, query_of(c, {1, 1}), Status::start_out_of_bounds);
    Query q = query_of(c, c);
    q.snap_start = q.snap_goal = q.allow_partial = true;  // no excuse
    expect_status(world, q, Status::start_out_of_bounds);
  }
}

TEST(QueryStatus, goal_out_of_bounds) {
  World world(kRoom);
  for (const Cell c : {Cell{-1, 0}, Cell{0, -1}, Cell{5, 0}, Cell{0, 5}, Cell{INT32_MIN, INT32_MIN},
                       Cell{INT32_MAX, INT32_MAX}}) {
    expect_status(world, query_of({0, 0}, c), Status::goal_out_of_bounds);
    Query q = query_of({0, 0}, c);
    q.snap_goal = q.allow_partial = true;
    expect_status(world, q, Status::goal_out_of_bounds);
  }
}

TEST(QueryStatus, limit_reached) {
  World world(Board(200, 200), Profile());
  ASSERT_FALSE(world.engine.map().fill({100, 0, 1, 199}, '@'));
  world.commit();
  Query q = query_of({0, 0}, {199, 0});
  q.max_cost = 250;
  expect_status(world, q, Status::limit_reached);
  q.max_cost = 3;  // less than any way could cost
  expect_status(world, q, Status::limit_reached);
  q.max_cost = 0;
  expect_status(world, q, Status::limit_reached);
  q.max_cost = kWall;
  for (const char* solver : {"auto", "astar"}) {
    q.solver = solver_id(solver);
    q.max_expansions = 1;
    const Path path = ask(world.view, q);
    EXPECT_EQ(path.status, Status::limit_reached);
    EXPECT_LE(path.expanded, 1u);
    EXPECT_EQ(path.size(), 0u);
  }
}

TEST(QueryStatus, limit_reached_with_the_way_so_far) {
  World world(Board(200, 200), Profile());
  ASSERT_FALSE(world.engine.map().fill({100, 0, 1, 199}, '@'));
  world.commit();
  Query q = query_of({0, 0}, {199, 0}, "astar");
  q.allow_partial = true;
  double distance = 1000;
  for (const uint64_t limit : {1, 10, 100, 1000, 10000}) {
    q.max_expansions = limit;
    const Path path = ask(world.view, q);
    ASSERT_EQ(path.status, Status::limit_reached);
    EXPECT_LE(path.expanded, limit);
    EXPECT_EQ(walk(world.rules(), cells_of(path)).wrong, "");
    EXPECT_EQ(path.cells()[0], q.start);
    const double left = world.rules().distance(path.cells()[path.size() - 1], q.goal);
    EXPECT_LE(left, distance) << "further away with more expansions";
    distance = left;
  }
  EXPECT_EQ(distance, 100);  // at the wall
  q.max_expansions = 0;
  EXPECT_EQ(ask(world.view, q).status, Status::found);
  // However small the cost limit, the answer begins at the start.
  for (const double limit : {0.0, 0.5, 1.0, 5.0}) {
    q.max_cost = limit;
    expect_status(world, q, Status::limit_reached);
    const Path path = ask(world.view, q);
    ASSERT_GE(path.size(), 1u);
    EXPECT_EQ(path.cells()[0], q.start);
    EXPECT_LE(path.cost, limit);
  }
}

// On open ground nothing is searched at all, with a Searcher that has no memory yet.
TEST(QueryStatus, limit_reached_on_open_ground) {
  World world(Rows{"........"});
  Query q = query_of({1, 0}, {7, 0});
  for (const bool partial : {false, true}) {
    for (SolverId s = 0; s < solver_count(); ++s) {
      q.allow_partial = partial;
      q.solver = s;
      for (const int limit : {0, 1, 3, 5}) {
        q.max_cost = limit;
        Searcher searcher;
        Path path;
        find(searcher, world.view, q, path);
        ASSERT_EQ(path.status, Status::limit_reached) << solver_info(s).name << shown(q);
        ASSERT_EQ(path.size() > 0, partial);
        if (!partial) continue;
        ASSERT_EQ(path.cells()[0], q.start) << solver_info(s).name << shown(q);
        ASSERT_EQ(walk(world.rules(), cells_of(path)).wrong, "");
        ASSERT_LE(path.cost, limit);
      }
    }
  }
}

TEST(QueryStatus, cost_overflow) {
  Board board(60, 2, '@');
  board.add_weights(1);
  Profile profile = profile_of(Moves::four);
  profile.terrain_cost['a'] = 4294967295.0;
  profile.terrain_cost['b'] = 0.001;  // so that costs are in thousandths
  for (int x = 0; x < 60; ++x) {
    board.at({x, 0}) = 'a';
    board.weight[size_t(x)] = 65535;
  }
  board.weight[30] = 65534;  // not uniform
  World world(board, profile);
  expect_status(world, query_of({0, 0}, {20, 0}), Status::found);
  expect_status(world, query_of({0, 0}, {59, 0}), Status::cost_overflow);
}

// ---------------------------------------------------------------------------------------------

TEST(QueryArguments, bad_argument) {
  World world(kRoom);
  const Query good = query_of({0, 0}, {4, 4});
  expect_status(world, good, Status::found);
  const Cell cells[2] = {{0, 0}, {3, 3}};
  ExtraCost cost{{0, 0}, 2};
  const auto refused = [&](auto change) {
    Query q = good;
    change(q);
    const Path path = ask(world.view, q);
    EXPECT_EQ(path.status, Status::bad_argument) << path.message;
    EXPECT_STRNE(path.message, "");
    EXPECT_EQ(path.size(), 0u);
    EXPECT_EQ(path.cost, 0);
  };
  refused([&](Query& q) { q.solver = -1; });
  refused([&](Query& q) { q.solver = solver_count(); });
  refused([&](Query& q) { q.solver = INT32_MIN; });
  refused([&](Query& q) { q.goals = cells; });
  refused([&](Query& q) { q.goal_count = 1; });
  refused([&](Query& q) { q.max_cost = -1; });
  refused([&](Query& q) { q.max_cost = std::numeric_limits<double>::quiet_NaN(); });
  refused([&](Query& q) { q.snap_radius = -1; });
  refused([&](Query& q) { q.output = static_cast<Output>(2); });
  refused([&](Query& q) { q.extra_blocked_count = 2; });
  refused([&](Query& q) { q.extra_cost_count = 1; });
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {-1.0, none, kWall, 4294967296.0, 0.0001}) {
    cost.cost = bad;
    refused([&](Query& q) { q.extra_costs = &cost, q.extra_cost_count = 1; });
  }
}

TEST(QueryArguments, a_refusal_replaces_the_last_answer) {
  World world(kRoom);
  Searcher searcher;
  Path path;
  find(searcher, world.view, query_of({0, 0}, {4, 4}), path);
  ASSERT_EQ(path.status, Status::found);
  find(searcher, View(), query_of({0, 0}, {4, 4}), path);
  EXPECT_EQ(path.status, Status::bad_argument);
  EXPECT_EQ(path.size(), 0u);
  EXPECT_EQ(path.cost, 0);
  EXPECT_EQ(path.cost_units, 0u);
  EXPECT_EQ(path.expanded, 0u);
  EXPECT_EQ(path.version, 0u);
}

// ---------------------------------------------------------------------------------------------
// A Path and a Searcher are reused

TEST(QueryReuse, each_answer_replaces_all_of_the_last) {
  World world(kRoom);
  Searcher searcher;
  Path path;
  const Query queries[] = {query_of({0, 0}, {4, 4}), query_of({0, 0}, {2, 2}),
                           query_of({1, 1}, {0, 0}), query_of({0, 0}, {0, 0}),
                           query_of({0, 0}, {9, 9})};
  for (const Query& before : queries) {
    for (const Query& q : queries) {
      find(searcher, world.view, before, path);
      find(searcher, world.view, q, path);
      Searcher fresh_searcher;
      Path fresh;
      find(fresh_searcher, world.view, q, fresh);
      EXPECT_EQ(hash_of(path), hash_of(fresh)) << shown(before) << shown(q);
      EXPECT_EQ(path.cost, fresh.cost);
      EXPECT_EQ(path.generated, fresh.generated);
      EXPECT_STREQ(path.message, fresh.message);
    }
  }
}

TEST(QueryReuse, paths_move) {
  World world(kRoom);
  Path a = ask(world.view, query_of({0, 0}, {4, 4}));
  const std::vector<Cell> cells = cells_of(a);
  Path b(std::move(a));
  EXPECT_EQ(b.status, Status::found);
  EXPECT_EQ(b.cost, 8);
  EXPECT_EQ(cells_of(b), cells);
  Path c;
  c = std::move(b);
  EXPECT_EQ(cells_of(c), cells);
  // What was moved from can be used again.
  Searcher searcher;
  find(searcher, world.view, query_of({4, 4}, {0, 0}), a);
  EXPECT_EQ(a.status, Status::found);
  EXPECT_EQ(cells_of(c), cells);
  c.clear();
  EXPECT_EQ(c.size(), 0u);
  EXPECT_EQ(Path().size(), 0u);
  EXPECT_EQ(Path().status, Status::bad_argument);
}

TEST(QueryReuse, a_path_takes_what_it_is_given) {
  Path path;
  Cell* cells = path.resize(1000);
  ASSERT_NE(cells, nullptr);
  for (int i = 0; i < 1000; ++i) cells[i] = {i, -i};
  cells = path.resize(100000);
  ASSERT_NE(cells, nullptr);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(cells[i], (Cell{i, -i}));
  EXPECT_EQ(path.size(), 100000u);
  EXPECT_EQ(path.resize(SIZE_MAX / 2), nullptr);
  EXPECT_EQ(path.size(), 100000u) << "a failed call changed the path";
}

TEST(QueryReuse, searchers_move_and_give_their_memory_back) {
  World world(Board(300, 300), Profile());
  Searcher a;
  EXPECT_EQ(a.memory_bytes(), 0u);
  Path path;
  const Query q = query_of({0, 0}, {299, 150}, "astar");
  find(a, world.view, q, path);
  const size_t bytes = a.memory_bytes();
  EXPECT_GT(bytes, 100000u);
  Searcher b(std::move(a));
  EXPECT_EQ(b.memory_bytes(), bytes);
  EXPECT_EQ(a.memory_bytes(), 0u);
  a = std::move(b);
  EXPECT_EQ(a.memory_bytes(), bytes);
  const uint64_t hash = hash_of(path);
  a.release();
  EXPECT_EQ(a.memory_bytes(), 0u);
  find(a, world.view, q, path);
  EXPECT_EQ(hash_of(path), hash);
}

TEST(QueryReuse, one_searcher_serves_maps_of_all_sizes) {
  Random random(101);
  Searcher searcher;
  Path path;
  std::vector<std::unique_ptr<World>> worlds;
  for (int i = 0; i < 12; ++i)
    worlds.push_back(std::make_unique<World>(
        random_board(random, random.between(1, 400), random.between(1, 400), 25),
        all_profiles()[size_t(random.below(15))]));
  for (int i = 0; i < effort(2000); ++i) {
    const World& world = *worlds[size_t(random.below(12))];
    Query q = query_of(world.board.random_cell(random), world.board.random_cell(random));
    do q.solver = random.below(solver_count());
    while (q.solver == solver_id("textbook_list") || q.solver == judge());
    find(searcher, world.view, q, path);
    Searcher fresh;
    Path again;
    find(fresh, world.view, q, again);
    ASSERT_EQ(hash_of(path), hash_of(again)) << solver_info(q.solver).name << shown(q);
  }
}

// A goal set of one goal is the same question, asked so that no short cut is taken. Between the two
// comes another one, of which nothing may be left.
TEST(QueryReuse, plain_queries_are_answered_like_goal_sets_of_one) {
  Random random(102);
  Searcher searcher;
  Path path, other, listed;
  Trace trace;
  for (int i = 0; i < effort(300); ++i) {
    Board board =
        random_board(random, random.between(1, 90), random.between(1, 90), random.between(0, 60));
    if (random.percent(30)) sprinkle(random, board, "139", 40);
    board.def.first_cell = {random.between(-9, 9), random.between(-9, 9)};
    const World world(board, all_profiles()[size_t(random.below(15))]);
    const auto any_cell = [&] {
      Cell c = board.random_cell(random);
      if (random.percent(5)) c.x += random.percent(50) ? board.width() : -board.width();
      return c;
    };
    for (int k = 0; k < 8; ++k) {
      const Query plain = [&] {
        Query q = query_of(any_cell(), any_cell());
        if (random.percent(10)) q.goal = q.start;
        q.solver = random.percent(5) ? solver_count() : random.below(solver_count());
        q.snap_start = random.percent(20);
        q.snap_goal = random.percent(20);
        return q;
      }();
      Query between = query_of(any_cell(), any_cell());
      const ExtraCost dearer{between.goal, 2};
      between.max_expansions = uint64_t(random.below(3));
      between.allow_partial = random.percent(50);
      between.smooth = random.percent(20);
      between.output = random.percent(30) ? Output::waypoints : Output::cells;
      between.escape_start = random.percent(30);
      if (random.percent(30)) between.max_cost = random.below(20);
      if (random.percent(30)) between.trace = &trace;
      if (random.percent(30))
        between.extra_blocked = &between.start, between.extra_blocked_count = 1;
      if (random.percent(30)) between.extra_costs = &dearer, between.extra_cost_count = 1;
      find(searcher, world.view, between, other);
      find(searcher, world.view, plain, path);
      Query list = plain;
      list.goals = &plain.goal;
      list.goal_count = 1;
      Searcher fresh;
      find(fresh, world.view, list, listed);
      ASSERT_EQ(hash_of(path), hash_of(listed)) << shown(plain) << "\n" << picture(board, &path);
      ASSERT_STREQ(path.message, listed.message);
      ASSERT_EQ(path.cost, listed.cost);
      ASSERT_EQ(path.bound, listed.bound);
      ASSERT_EQ(path.version, listed.version);
      ASSERT_EQ(path.generated, listed.generated);
    }
  }
}

}  // namespace
}  // namespace octile::test
