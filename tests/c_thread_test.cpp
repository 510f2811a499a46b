// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

#include <atomic>
#include <thread>
#include <vector>

#include "octile/octile.h"
#include "support.hpp"

namespace octile::test {
namespace {

// Threads that share a view, and meet on a searcher and on handles that die meanwhile: nothing but
// the status tells.
TEST(CThreads, Meet) {
  Random random(609);
  const Board board = rooms_board(random, 64, 64, 9);
  octile_engine engine;
  octile_map_def def;
  octile_profile profile;
  octile_searcher contested;
  uint32_t id = 0;
  octile_map_def_init(&def);
  def.width = board.width();
  def.height = board.height();
  octile_profile_init(&profile);
  ASSERT_EQ(octile_engine_create(&engine), OCTILE_FOUND);
  ASSERT_EQ(octile_engine_reset(engine, &def, board.terrain.data(), 64), OCTILE_FOUND);
  ASSERT_EQ(octile_engine_add_profile(engine, &profile, &id), OCTILE_FOUND);
  ASSERT_EQ(octile_engine_commit(engine), OCTILE_FOUND);
  ASSERT_EQ(octile_searcher_create(&contested), OCTILE_FOUND);
  std::vector<std::thread> threads;
  octile_view shared_view{};
  ASSERT_EQ(octile_engine_view(engine, id, &shared_view), OCTILE_FOUND);
  std::atomic<int> wrong{0}, answered{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      Random own(uint64_t(t) + 1);
      octile_searcher mine;
      octile_searcher_create(&mine);
      for (int i = 0; i < effort(400); ++i) {
        octile_query q;
        octile_query_init(&q);
        const Cell goal = board.random_cell(own);
        q.goal = {goal.x, goal.y};
        octile_answer answer;
        octile_answer_init(&answer);
        // One in three of the calls meets the others.
        const octile_searcher with = own.below(3) ? mine : contested;
        const int32_t status = octile_find(with, shared_view, &q, nullptr, 0, &answer);
        if (status < 0 || status > OCTILE_BAD_ARGUMENT) ++wrong;
        if (status == OCTILE_FOUND) ++answered;
        octile_cancel token;
        if (octile_cancel_create(&token) != OCTILE_FOUND) ++wrong;
        if (octile_cancel_destroy(token) != OCTILE_FOUND) ++wrong;
        if (t == 0 && i == effort(400) / 2) octile_view_destroy(shared_view);
      }
      octile_searcher_destroy(mine);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(octile_searcher_destroy(contested), OCTILE_FOUND);
  EXPECT_EQ(octile_engine_destroy(engine), OCTILE_FOUND);
  EXPECT_EQ(octile_handle_count(), 0U);
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_GT(answered.load(), 0);
}

}  // namespace
}  // namespace octile::test
