// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Indexes and threads: builds in the background while the writer edits and readers ask, and one
// index that many Views and threads share. ThreadSanitizer watches (preset `tsan`).

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "support.hpp"

namespace octile::test {
namespace {

constexpr int kReaders = 4;

// Readers ask the newest View, whatever index it holds; the writer edits, builds, adopts.
TEST(IndexThreads, builds_while_readers_ask_and_the_writer_edits) {
  Random random(381);
  World world(random_board(random, 60, 60, 25), Profile());
  std::mutex door;
  View newest = world.view;
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0}, asked{0}, with_index{0};
  std::vector<std::thread> readers;
  for (int t = 0; t < kReaders; ++t) {
    readers.emplace_back([&, t] {
      Random own(uint64_t(400 + t));
      Searcher searcher;
      Path path, right;
      while (!done) {
        View view;
        {
          const std::lock_guard<std::mutex> lock(door);
          view = newest;
        }
        for (int i = 0; i < 10; ++i) {
          Query q = query_of(world.board.random_cell(own), world.board.random_cell(own));
          find(searcher, view, q, path);
          q.solver = solver_id("jps");
          find(searcher, view, q, right);
          if (path.status != right.status || path.cost_units != right.cost_units) ++wrong;
          const double d = distance(searcher, view, q.start, q.goal);
          if (d != (right.status == Status::found ? right.cost : kWall)) ++wrong;
          const Cell move = first_move(searcher, view, q.start, q.goal);
          if (move != (path.size() > 1 ? path.cells()[1] : q.start)) ++wrong;
          ++asked;
        }
        with_index += !view.index().empty();
      }
    });
  }
  int adopted = 0, stale = 0, stopped = 0;
  const int rounds = sampled() ? 12 : 24;
  for (int round = 0; round < rounds || with_index == 0; ++round) {
    IndexOptions options;
    options.threads = unsigned(random.between(1, 3));
    options.most = IndexKind(random.between(1, 3));
    if (world.engine.start_build(world.id, options)) ++wrong;
    const int what = round % 4;
    if (what == 1) {  // an edit in between
      const Cell c = world.board.random_cell(random);
      world.engine.map().set_terrain(c, world.engine.map().terrain(c) == '@' ? '.' : '@');
      if (world.engine.commit()) ++wrong;
    }
    if (what == 2) world.engine.stop_build();
    stopped += what == 2;
    Fault f;
    while (world.engine.building()) {
      bool taken = false;
      f = world.engine.adopt_finished(&taken);
      adopted += taken;
      std::this_thread::yield();
    }
    stale += f.status == Status::stale_index;
    if (f && f.status != Status::stale_index) ++wrong;
    const View view = world.engine.view(world.id);
    const std::lock_guard<std::mutex> lock(door);
    newest = view;
  }
  done = true;
  for (std::thread& t : readers) t.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(adopted, 0);
  EXPECT_GT(stale, 0);
  EXPECT_GT(stopped, 0);
  EXPECT_GT(with_index, 0);
  std::printf("%d questions, %d adopted, %d stale\n", int(asked), adopted, stale);
}

// One index, taken and dropped by many threads; the last reference goes anywhere.
TEST(IndexThreads, share_one_index) {
  Random random(382);
  const World world(random_board(random, 50, 50, 25), Profile());
  std::atomic<int> wrong{0};
  for (int round = 0; round < (sampled() ? 3 : 10); ++round) {
    Index index;
    ASSERT_FALSE(build_index(world.view, IndexOptions(), &index));
    std::vector<std::thread> threads;
    for (int t = 0; t < kReaders; ++t) {
      threads.emplace_back([&wrong, &world, index, t]() mutable {
        Random own(uint64_t(500 + t));
        View view;
        Searcher searcher;
        Path path;
        if (world.view.with_index(index, &view)) ++wrong;
        index = Index();
        for (int i = 0; i < 100; ++i) {
          const Query q = query_of(world.board.random_cell(own), world.board.random_cell(own));
          find(searcher, view, q, path);
          const View copy = view;
          if (copy.index().empty()) ++wrong;
          if ((path.status == Status::found) !=
              (world.view.passable(q.start) &&
               world.view.component(q.start) == world.view.component(q.goal)))
            ++wrong;
        }
      });
    }
    index = Index();
    for (std::thread& t : threads) t.join();
  }
  EXPECT_EQ(wrong, 0);
}

// Several builds at once, each with threads of its own, give the same bytes.
TEST(IndexThreads, build_at_once) {
  Random random(383);
  const World world(random_board(random, 60, 60, 25), Profile());
  Index right;
  ASSERT_FALSE(build_index(world.view, IndexOptions(), &right));
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kReaders; ++t) {
    threads.emplace_back([&, t] {
      IndexOptions options;
      options.threads = unsigned(t + 1);
      Index index;
      if (build_index(world.view, options, &index)) ++wrong;
      const auto* a = static_cast<const char*>(index.data());
      const auto* b = static_cast<const char*>(right.data());
      if (index.info().bytes != right.info().bytes || !std::equal(a, a + right.info().bytes, b))
        ++wrong;
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace octile::test
