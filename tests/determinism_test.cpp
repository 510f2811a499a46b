// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Every query is a pure function of the View and the Query, path included: whatever the Searcher
// did before, whatever other queries run between, on however many threads, and however the map came
// to be what it is.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "support.hpp"

namespace octile::test {
namespace {

struct Problem {
  Query query;
  std::vector<Cell> goals;
};

// Queries of all kinds over one board.
std::vector<std::unique_ptr<Problem>> problems_on(const Board& board, Random& random, int count) {
  std::vector<std::unique_ptr<Problem>> problems;
  for (int i = 0; i < count; ++i) {
    auto p = std::make_unique<Problem>();
    Query& q = p->query;
    q = query_of(board.random_cell(random), board.random_cell(random));
    q.solver = random.below(solver_count());
    if (q.solver == solver_id("textbook_list") && random.percent(80)) q.solver = kAuto;
    q.output = random.percent(30) ? Output::waypoints : Output::cells;
    q.smooth = random.percent(15);
    q.allow_partial = random.percent(30);
    q.snap_start = random.percent(30);
    q.snap_goal = random.percent(30);
    if (random.percent(15)) q.max_expansions = uint64_t(random.between(1, 500));
    if (random.percent(15)) q.max_cost = random.below(150);
    if (random.percent(20)) {
      for (int k = random.between(1, 5); k > 0; --k) p->goals.push_back(board.random_cell(random));
      q.goals = p->goals.data();
      q.goal_count = p->goals.size();
    }
    problems.push_back(std::move(p));
  }
  return problems;
}

uint64_t fresh_answer(const View& view, const Query& query) {
  Searcher searcher;
  Path path;
  find(searcher, view, query, path);
  return hash_of(path);
}

Board board_number(Random& random, int i) {
  Board board = i % 3 == 0 ? rooms_board(random, 130, 100, 9)
                           : random_board(random, random.between(20, 150), random.between(20, 100),
                                          random.between(10, 40));
  if (i % 4 == 1) sprinkle(random, board, "0259", 50);
  if (i % 4 == 3) random_weights(random, board, 0.5, 5, false);
  return board;
}

TEST(Determinism, a_warm_searcher_answers_like_a_fresh_one) {
  Random random(141);
  Searcher warm;
  Path path;
  for (int i = 0; i < effort(12); ++i) {
    World world(board_number(random, i), all_profiles()[size_t(random.below(15))]);
    const auto problems = problems_on(world.board, random, 60);
    for (const auto& p : problems) {
      const uint64_t right = fresh_answer(world.view, p->query);
      find(warm, world.view, p->query, path);
      ASSERT_EQ(hash_of(path), right) << shown(p->query);
      // Another query in between, then again.
      find(warm, world.view, problems[size_t(random.below(60))]->query, path);
      find(warm, world.view, p->query, path);
      ASSERT_EQ(hash_of(path), right) << shown(p->query);
    }
  }
}

TEST(Determinism, interleaved_sliced_searches_do_not_meet) {
  Random random(142);
  World world(board_number(random, 2), Profile());
  const auto problems = problems_on(world.board, random, effort(200));
  for (size_t i = 0; i + 2 < problems.size(); i += 3) {
    Searcher searchers[3];
    Path paths[3];
    bool ended[3] = {};
    for (size_t k = 0; k < 3; ++k) searchers[k].begin(world.view, problems[i + k]->query, paths[k]);
    while (!ended[0] || !ended[1] || !ended[2]) {
      const auto k = size_t(random.below(3));
      ended[k] = searchers[k].step(uint64_t(random.between(1, 9)), paths[k]);
    }
    for (size_t k = 0; k < 3; ++k)
      ASSERT_EQ(hash_of(paths[k]), fresh_answer(world.view, problems[i + k]->query));
  }
}

TEST(Determinism, threads_do_not_matter) {
  Random random(143);
  World world(board_number(random, 1), Profile());
  const auto problems = problems_on(world.board, random, effort(400));
  std::vector<uint64_t> right;
  for (const auto& p : problems) right.push_back(fresh_answer(world.view, p->query));
  std::vector<std::vector<size_t>> wrong(4);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      Searcher searcher;
      Path path;
      for (size_t n = 0; n < problems.size(); ++n) {
        const size_t i = (n * 37 + t * 101) % problems.size();  // each in an order of its own
        find(searcher, world.view, problems[i]->query, path);
        if (hash_of(path) != right[i]) wrong[t].push_back(i);
      }
    });
  }
  for (std::thread& t : threads) t.join();
  for (const auto& w : wrong) EXPECT_TRUE(w.empty());
}

// Without what was done to find it, which what is known of dead pockets may spare.
uint64_t result(const View& view, const Query& query) {
  Searcher searcher;
  Path path;
  find(searcher, view, query, path);
  path.expanded = 0;
  return hash_of(path);
}

// The same cells reached by edits, by another order of edits, and by a fresh build.
TEST(Determinism, the_history_of_a_map_does_not_matter) {
  Random random(144);
  for (int i = 0; i < effort(12); ++i) {
    const Board board = board_number(random, i);
    const Profile profile = all_profiles()[size_t(random.below(15))];
    World fresh(board, profile);
    std::vector<size_t> order(board.size());
    for (size_t k = 0; k < order.size(); ++k) order[k] = k;
    for (int history = 0; history < 2; ++history) {
      for (size_t k = order.size(); k > 1; --k)
        std::swap(order[k - 1], order[size_t(random.below(int(k)))]);
      Board start(board.width(), board.height(), history ? '@' : '7');
      if (!board.weight.empty()) start.add_weights(board.def.weight_scale);
      World edited(start, profile);
      for (size_t k = 0; k < order.size(); ++k) {
        const Cell c = board.cell(order[k]);
        ASSERT_FALSE(edited.engine.map().set_terrain(c, board.at(c)));
        if (!board.weight.empty()) {
          ASSERT_FALSE(edited.engine.map().set_weight(c, board.weight[order[k]]));
        }
        if (k % (order.size() / 5 + 1) == 0) {
          ASSERT_FALSE(edited.engine.commit());
        }
      }
      edited.commit();
      for (const auto& p : problems_on(board, random, 40))
        ASSERT_EQ(result(edited.view, p->query), result(fresh.view, p->query))
            << name_of(profile) << shown(p->query);
    }
  }
}

}  // namespace
}  // namespace octile::test
