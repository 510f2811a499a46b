// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Goal sets, cancelling, slices and traces.

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>
#include <utility>

#include "support.hpp"

namespace octile::test {
namespace {

Query goals_query(Cell start, const std::vector<Cell>& goals) {
  Query q;
  q.start = start;
  q.goals = goals.data();
  q.goal_count = goals.size();
  return q;
}

void expect_goal(const World& world, Query q, size_t index, double cost) {
  for (SolverId s = 0; s < solver_count(); ++s) {
    q.solver = s;
    const Path path = ask(world.view, q);
    ASSERT_EQ(path.status, Status::found) << solver_info(s).name;
    EXPECT_EQ(path.goal_index, index) << solver_info(s).name;
    EXPECT_NEAR(path.cost, cost, 1e-9) << solver_info(s).name;
    EXPECT_EQ(path.cells()[path.size() - 1], q.goals[index]) << solver_info(s).name;
  }
}

TEST(GoalSet, the_cheapest_wins_and_among_equals_the_first) {
  World world(Rows{".......",  //
                   ".......",  //
                   "......."});
  expect_goal(world, goals_query({3, 1}, {{6, 1}, {1, 1}, {0, 1}}), 1, 2);
  expect_goal(world, goals_query({3, 1}, {{6, 1}, {0, 1}}), 0, 3);
  expect_goal(world, goals_query({3, 1}, {{0, 1}, {6, 1}}), 0, 3);
  expect_goal(world, goals_query({3, 1}, {{0, 1}, {5, 1}, {1, 1}, {5, 1}}), 1, 2);
  expect_goal(world, goals_query({3, 1}, {{0, 0}, {3, 1}}), 1, 0);
  expect_goal(world, goals_query({3, 1}, {{2, 1}}), 0, 1);
}

TEST(GoalSet, free_steps_are_ties_too) {
  // From the middle all of the row is reached at no cost; the start itself is last in the list.
  World world(Rows{"0000000", "......."});
  expect_goal(world, goals_query({3, 0}, {{3, 1}, {6, 0}, {0, 0}, {3, 0}}), 1, 0);
}

TEST(GoalSet, goals_out_of_reach_are_passed_over) {
  World world(Rows{".......",  //
                   "@@@@@@@",  //
                   "......."});
  expect_goal(world, goals_query({0, 0}, {{0, 2}, {1, 1}, {6, 0}}), 2, 6);
  std::vector<Cell> goals = {{0, 2}, {1, 2}};
  EXPECT_EQ(ask(world.view, goals_query({0, 0}, goals)).status, Status::no_path);
  goals = {{1, 1}, {2, 1}};
  EXPECT_EQ(ask(world.view, goals_query({0, 0}, goals)).status, Status::goal_blocked);
  goals = {{1, 1}, {0, 2}};
  EXPECT_EQ(ask(world.view, goals_query({0, 0}, goals)).status, Status::no_path);
  goals = {{6, 0}, {9, 9}};
  EXPECT_EQ(ask(world.view, goals_query({0, 0}, goals)).status, Status::goal_out_of_bounds);
}

TEST(GoalSet, partial_answers_go_to_the_nearest_of_all) {
  World world(Rows{".........",  //
                   "@@@@@@@@@",  //
                   "@@@@@@@@@",  //
                   "........."});
  const std::vector<Cell> goals = {{0, 3}, {8, 2}};
  Query q = goals_query({4, 0}, goals);
  q.allow_partial = true;
  for (SolverId s = 0; s < solver_count(); ++s) {
    q.solver = s;
    const Path path = ask(world.view, q);
    ASSERT_EQ(path.status, Status::partial);
    EXPECT_EQ(path.cells()[path.size() - 1], (Cell{8, 0})) << solver_info(s).name;
  }
}

TEST(GoalSet, many_goals) {
  Random random(111);
  Board board = random_board(random, 90, 90, 30);
  World world(board, Profile());
  std::vector<Cell> goals;
  for (int i = 0; i < 2000; ++i) goals.push_back(board.random_cell(random));
  for (int i = 0; i < effort(30); ++i) {
    Query q = goals_query(board.random_cell(random), goals);
    compare_solvers(world.rules(), world.view, q);
    q.allow_partial = true;
    q.snap_start = true;
    compare_solvers(world.rules(), world.view, q);
  }
}

// ---------------------------------------------------------------------------------------------
// Cancelling

TEST(Cancel, before_it_begins) {
  World world(Rows{"....."});
  std::atomic<bool> cancel{true};
  Query q = query_of({0, 0}, {4, 0});
  q.cancel = &cancel;
  for (SolverId s = 0; s < solver_count(); ++s) {
    q.solver = s;
    const Path path = ask(world.view, q);
    EXPECT_EQ(path.status, Status::cancelled);
    EXPECT_EQ(path.size(), 0u);
  }
  cancel = false;
  EXPECT_EQ(ask(world.view, q).status, Status::found);
}

TEST(Cancel, between_two_slices) {
  World world(Board(500, 500), Profile());
  ASSERT_FALSE(world.engine.map().fill({250, 0, 1, 499}, '@'));
  world.commit();
  std::atomic<bool> cancel{false};
  Query q = query_of({0, 0}, {499, 0}, "astar");
  q.cancel = &cancel;
  Searcher searcher;
  Path path;
  searcher.begin(world.view, q, path);
  ASSERT_FALSE(searcher.step(100, path));
  cancel = true;
  ASSERT_TRUE(searcher.step(100, path));
  EXPECT_EQ(path.status, Status::cancelled);
  EXPECT_EQ(path.size(), 0u);
  EXPECT_TRUE(searcher.step(100, path)) << "a cancelled query goes on";
  EXPECT_EQ(path.status, Status::cancelled);
  // Raising it when the query has ended is harmless, and the next query is not touched by it.
  cancel = false;
  find(searcher, world.view, q, path);
  EXPECT_EQ(path.status, Status::found);
  cancel = true;
  EXPECT_EQ(path.status, Status::found);
}

TEST(Cancel, from_another_thread) {
  // A search of a few million cells, ended early.
  World world(Board(2000, 2000), Profile());
  ASSERT_FALSE(world.engine.map().fill({1000, 0, 1, 1999}, '@'));
  world.commit();
  Query q = query_of({0, 0}, {1999, 0}, "astar");
  const Path whole = ask(world.view, q);
  ASSERT_EQ(whole.status, Status::found);
  std::atomic<bool> cancel{false};
  q.cancel = &cancel;
  bool seen = false;
  for (int attempt = 0; attempt < 50 && !seen; ++attempt) {
    cancel = false;
    Searcher searcher;
    Path path;
    searcher.begin(world.view, q, path);
    searcher.step(1000, path);  // well under way
    std::thread other([&] { cancel = true; });
    while (!searcher.step(UINT64_MAX, path)) {
    }
    other.join();
    ASSERT_TRUE(path.status == Status::cancelled || path.status == Status::found);
    seen = path.status == Status::cancelled && path.expanded < whole.expanded;
  }
  EXPECT_TRUE(seen);
}

// ---------------------------------------------------------------------------------------------
// Slices

TEST(Slices, however_long_they_are_the_answer_is_that_of_find) {
  Random random(112);
  for (int i = 0; i < effort(120); ++i) {
    Board board =
        random_board(random, random.between(1, 60), random.between(1, 60), random.between(5, 45));
    if (random.percent(30)) sprinkle(random, board, "0149", 50);
    World world(board, all_profiles()[size_t(random.below(15))]);
    const std::vector<Cell> goals = {board.random_cell(random), board.random_cell(random)};
    for (SolverId s = 0; s < solver_count(); ++s) {
      Query q = random.percent(25) ? goals_query(board.random_cell(random), goals)
                                   : query_of(board.random_cell(random), board.random_cell(random));
      q.solver = s;
      q.allow_partial = random.percent(30);
      if (random.percent(20)) q.max_cost = random.below(40);
      if (random.percent(20)) q.max_expansions = uint64_t(random.between(1, 60));
      const Path whole = ask(world.view, q);
      for (const uint64_t slice : {1, 3, 1024}) {
        Searcher searcher;
        Path path;
        searcher.begin(world.view, q, path);
        int steps = 0;
        while (!searcher.step(slice, path)) ASSERT_LT(++steps, 1000000);
        ASSERT_EQ(hash_of(path), hash_of(whole))
            << solver_info(s).name << " slices of " << slice << " " << shown(q) << "\n"
            << picture(board, &path);
        ASSERT_EQ(path.generated, whole.generated);
      }
    }
  }
}

TEST(Slices, a_slice_stays_about_as_long_as_asked) {
  World world(Board(300, 300), Profile());
  ASSERT_FALSE(world.engine.map().fill({150, 0, 1, 299}, '@'));
  world.commit();
  Searcher searcher;
  Path path;
  searcher.begin(world.view, query_of({0, 0}, {299, 0}, "astar"), path);
  uint64_t before = 0;
  bool ended = false;
  for (int steps = 0; !ended; ++steps) {
    ASSERT_LT(steps, 100000);
    ended = searcher.step(10, path);
    EXPECT_LE(path.expanded - before, 10u);
    before = path.expanded;
  }
  EXPECT_EQ(path.status, Status::found);
}

TEST(Slices, a_step_of_nothing_does_nothing) {
  World world(Board(50, 50), Profile());
  ASSERT_FALSE(world.engine.map().fill({25, 0, 1, 49}, '@'));
  world.commit();
  Searcher searcher;
  Path path;
  searcher.begin(world.view, query_of({0, 0}, {49, 0}, "astar"), path);
  EXPECT_FALSE(searcher.step(0, path));
  EXPECT_EQ(path.expanded, 0u);
  while (!searcher.step(5, path)) {
  }
  EXPECT_EQ(path.status, Status::found);
}

TEST(Slices, edits_in_between_are_not_seen) {
  World world(Board(64, 64), Profile());
  const Query q = query_of({0, 32}, {63, 32}, "astar");
  const Path before = ask(world.view, q);
  Searcher searcher;
  Path path;
  searcher.begin(world.view, q, path);
  world.view = View();  // the searcher keeps it alive
  while (!searcher.step(2, path)) {
    ASSERT_FALSE(world.engine.map().fill({32, 0, 1, 63}, '@'));
    ASSERT_FALSE(world.engine.commit());
    ASSERT_FALSE(world.engine.map().fill({32, 0, 1, 63}, '.'));
    ASSERT_FALSE(world.engine.commit());
    ASSERT_FALSE(world.engine.map().fill({30, 10, 3, 40}, '@'));
    ASSERT_FALSE(world.engine.commit());
  }
  EXPECT_EQ(hash_of(path), hash_of(before));
  EXPECT_EQ(path.version, 1u);
  EXPECT_GT(world.engine.map().version(), 1u);
  EXPECT_GT(ask(world.engine.view(world.id), q).cost, path.cost);
}

TEST(Slices, begin_drops_a_query_that_has_not_ended) {
  World world(Board(64, 64), Profile());
  ASSERT_FALSE(world.engine.map().fill({32, 0, 1, 63}, '@'));
  world.commit();
  Searcher searcher;
  Path path;
  const Query first = query_of({0, 0}, {63, 0}, "astar"), second = query_of({63, 0}, {40, 5});
  searcher.begin(world.view, first, path);
  ASSERT_FALSE(searcher.step(10, path));
  searcher.begin(world.view, second, path);
  while (!searcher.step(3, path)) {
  }
  EXPECT_EQ(hash_of(path), hash_of(ask(world.view, second)));
  // An ended one is no query any more.
  EXPECT_TRUE(searcher.step(3, path));
  EXPECT_EQ(path.cells()[path.size() - 1], (Cell{40, 5}));
  // A refused one neither, and the dropped one does not come back.
  searcher.begin(world.view, first, path);
  ASSERT_FALSE(searcher.step(10, path));
  searcher.begin(View(), first, path);
  EXPECT_EQ(path.status, Status::bad_argument);
  EXPECT_TRUE(searcher.step(3, path));
  EXPECT_EQ(path.status, Status::bad_argument);
}

TEST(Slices, a_searcher_that_never_began_has_nothing_to_do) {
  Searcher searcher;
  Path path;
  EXPECT_TRUE(searcher.step(10, path));
  EXPECT_EQ(path.size(), 0u);
}

TEST(Slices, a_running_searcher_may_move) {
  World world(Board(64, 64), Profile());
  ASSERT_FALSE(world.engine.map().fill({32, 0, 1, 63}, '@'));
  world.commit();
  const Query q = query_of({0, 0}, {63, 0}, "astar");
  Searcher a;
  Path path;
  a.begin(world.view, q, path);
  ASSERT_FALSE(a.step(10, path));
  Searcher b(std::move(a));
  while (!b.step(10, path)) {
  }
  EXPECT_EQ(hash_of(path), hash_of(ask(world.view, q)));
}

// ---------------------------------------------------------------------------------------------
// Traces

TEST(Traces, tell_what_was_opened_and_closed) {
  World world(Rows{".......",  //
                   "...@...",  //
                   "...@...",  //
                   "...@...",  //
                   "......."});
  for (SolverId s = 0; s < solver_count(); ++s) {
    if (s == judge()) continue;  // it shows nothing of itself
    Trace trace;
    Query q = query_of({1, 2}, {5, 2});
    q.solver = s;
    q.trace = &trace;
    const Path path = ask(world.view, q);
    ASSERT_EQ(path.status, Status::found);
    EXPECT_TRUE(trace.complete());
    size_t opened = 0, closed = 0;
    for (size_t i = 0; i < trace.size(); ++i) {
      const Trace::Event& e = trace.events()[i];
      EXPECT_TRUE(world.view.passable(e.cell));
      EXPECT_GE(e.g, world.rules().distance(q.start, e.cell) - 1e-9);
      EXPECT_LE(e.g, 40);
      (e.kind == Trace::Kind::opened ? opened : closed) += 1;
    }
    EXPECT_EQ(closed, path.expanded) << solver_info(s).name;
    EXPECT_GE(opened, path.generated) << solver_info(s).name;
    ASSERT_GE(trace.size(), 2u);
    EXPECT_EQ(trace.events()[0].cell, q.start);
    EXPECT_EQ(trace.events()[0].kind, Trace::Kind::opened);
    // Watching changes nothing but who may answer at once.
    q.trace = nullptr;
    EXPECT_EQ(ask(world.view, q).cost_units, path.cost_units);
    trace.clear();
    EXPECT_EQ(trace.size(), 0u);
  }
}

TEST(Traces, give_g_in_the_units_of_the_cost) {
  World world(Rows{"33333", "33333"},
              profile_of(Moves::eight, Diagonal::always, Metric::ten_fourteen));
  Trace trace;
  Query q = query_of({0, 0}, {4, 1}, "astar");
  q.trace = &trace;
  const Path path = ask(world.view, q);
  EXPECT_DOUBLE_EQ(path.cost, 3 * (3 * 10 + 14));
  EXPECT_DOUBLE_EQ(trace.events()[trace.size() - 1].g, path.cost);
}

}  // namespace
}  // namespace octile::test
