// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Portals and quadtree on several threads: builds, and readers that build what an edit took away.
// ThreadSanitizer watches (preset `tsan`).

#include <gtest/gtest.h>

#include <mutex>
#include <thread>

#include "portals_tools.hpp"

namespace octile::test {
namespace {

// The first query that needs a block after an edit builds it, whichever thread that is.
TEST(Portals, threads_build_missing_blocks_at_once) {
  for (const IndexKind kind : kBoth) {
    Random random(77);
    World world(random_board(random, 500, 400, 20), Profile());
    ASSERT_FALSE(world.engine.adopt(world.id, build(world.view, kind)));
    for (int i = 0; i < 60; ++i)
      ASSERT_FALSE(world.engine.map().set_terrain({random.below(500), random.below(400)}, '@'));
    world.commit();
    const View view = world.view;
    const Solver& solver = without_aid(kind);
    std::vector<uint64_t> sums(4);
    std::vector<std::thread> threads;
    for (uint64_t& sum : sums) {
      threads.emplace_back([&] {
        Unaided unaided;
        Random pairs(78);
        for (int i = 0; i < effort(60); ++i) {
          const Cell from{pairs.below(500), pairs.below(400)},
              to{pairs.below(500), pairs.below(400)};
          if (!view.passable(from) || !view.passable(to) || from == to) continue;
          if (unaided.ask(solver, view, from, to)) sum = sum * 31 + unaided.path.cost_units;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const uint64_t sum : sums) EXPECT_EQ(sum, sums[0]);
    EXPECT_NE(sums[0], 0u);
  }
}

// Those who ask an edited index at once are all given the one map of blocks.
TEST(Portals, threads_that_ask_first_share_one_map) {
  for (const IndexKind kind : kBoth) {
    Random random(80);
    World world(random_board(random, 500, 400, 20), Profile());
    ASSERT_FALSE(world.engine.adopt(world.id, build(world.view, kind)));
    for (int round = 0; round < 8; ++round) {
      ASSERT_FALSE(world.engine.map().set_terrain({random.below(500), random.below(400)}, '@'));
      world.commit();
      const View view = world.view;
      std::vector<const PortalMap*> maps(4);
      std::vector<std::thread> threads;
      for (const PortalMap*& map : maps) threads.emplace_back([&] { map = &portal_map(view); });
      // The next version begins with what is there by then.
      ASSERT_FALSE(world.engine.map().set_terrain({random.below(500), random.below(400)}, '.'));
      world.commit();
      for (std::thread& thread : threads) thread.join();
      for (const PortalMap* map : maps) EXPECT_EQ(map, &portal_map(view));
    }
    const View plain = from_nothing(world);
    EXPECT_EQ(blocks_of(world.view), blocks_of(with(plain, build(plain, kind))));
  }
}

// Readers build what is missing in Views of all versions while later ones are made. What they
// publish must never come up in another version.
TEST(Portals, versions_keep_their_own_while_threads_build) {
  for (const IndexKind kind : kBoth) {
    Random random(79);
    World world(rooms_board(random, 1100, 600, 12), Profile());
    ASSERT_FALSE(world.engine.adopt(world.id, build(world.view, kind)));
    const size_t versions = sampled() ? 6 : 12;
    std::vector<View> views, plain;
    std::mutex mutex;
    const auto view_of = [&](size_t i) {
      for (;;) {
        {
          const std::lock_guard<std::mutex> lock(mutex);
          if (i < views.size()) return views[i];
        }
        std::this_thread::yield();
      }
    };
    std::vector<std::string> bytes[2] = {std::vector<std::string>(versions),
                                         std::vector<std::string>(versions)};
    std::vector<std::thread> threads;
    for (size_t reader = 0; reader < 2; ++reader) {
      threads.emplace_back([&, reader] {
        // One follows the editor, the other waits for the last version and goes back.
        for (size_t k = 0; k < versions; ++k) {
          const size_t i = reader ? versions - 1 - k : k;
          bytes[reader][i] = blocks_of(view_of(i));
        }
      });
    }
    for (size_t i = 0; i < versions; ++i) {
      // Doors, some on the borders of regions and blocks.
      for (int k = 0; k < 4; ++k) {
        const Cell cell{k == 0 ? 511 + random.below(3) : random.below(1100), random.below(600)};
        const bool wall = world.engine.map().terrain(cell) == '@';
        ASSERT_FALSE(world.engine.map().set_terrain(cell, wall ? '.' : '@'));
      }
      world.commit();
      plain.push_back(from_nothing(world));
      const std::lock_guard<std::mutex> lock(mutex);
      views.push_back(world.view);
    }
    for (std::thread& thread : threads) thread.join();
    for (size_t i = 0; i < versions; ++i) {
      const std::string right = blocks_of(with(plain[i], build(plain[i], kind)));
      EXPECT_EQ(bytes[0][i], right) << "version " << i;
      EXPECT_EQ(bytes[1][i], right) << "version " << i;
    }
  }
}

TEST(Portals, files_and_threads_give_the_same) {
  Random random(74);
  World world(random_board(random, 500, 300, 25), Profile());
  for (const IndexKind kind : kBoth) {
    const Index one = build(world.view, kind), two = build(world.view, kind, 3);
    EXPECT_EQ(bytes_of(one), bytes_of(two));
    const Index back = read(bytes_of(one));
    EXPECT_TRUE(back.belongs_to(world.view));
    EXPECT_EQ(answers(with(world.view, back), 9, 60, name(kind)),
              answers(with(world.view, one), 9, 60, name(kind)));
    EXPECT_EQ(back.info().portals, one.info().portals);
    EXPECT_GT(back.info().portals, 0u);
  }
}

}  // namespace
}  // namespace octile::test
