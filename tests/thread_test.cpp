// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Many readers and one writer: threads ask Views that the writer hands out while it edits and
// commits. ThreadSanitizer watches (preset `tsan`).

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "engine/view.hpp"
#include "index/live_tiles.hpp"
#include "support.hpp"
#include "view_contents.hpp"

namespace octile::test {
namespace {

constexpr int kThreads = 8;
#if defined(__SANITIZE_THREAD__)
constexpr bool kWatched = true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
constexpr bool kWatched = true;
#else
constexpr bool kWatched = false;
#endif
#else
constexpr bool kWatched = false;
#endif

template <class Run>
void on_threads(int count, Run run) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) threads.emplace_back(run, t);
  for (std::thread& t : threads) t.join();
}

Query random_query(Random& random, const Board& board) {
  Query q = query_of(board.random_cell(random), board.random_cell(random));
  static const char* const kSolvers[] = {"auto", "astar", "jps", "textbook_heap"};
  q.solver = solver_id(kSolvers[random.below(4)]);
  q.allow_partial = random.percent(20);
  return q;
}

// One View, many threads, while the writer goes on editing: every answer is that of one thread.
TEST(Threads, readers_of_one_view_while_the_writer_edits) {
  Random random(151);
  World world(random_board(random, 100, 100, 30), Profile());
  const View view = world.view;
  const int queries = kWatched ? 300 : 3000;
  std::vector<uint64_t> right;
  {
    Random same(9);
    for (int i = 0; i < queries; ++i)
      right.push_back(hash_of(ask(view, random_query(same, world.board))));
  }
  std::atomic<int> wrong{0}, busy{kThreads};
  std::thread writer([&] {
    Random edits(152);
    while (busy > 0) {
      const Cell a = world.board.random_cell(edits);
      world.engine.map().fill({a.x, a.y, std::min(5, 100 - a.x), std::min(5, 100 - a.y)},
                              edits.percent(50) ? '@' : '.');
      if (world.engine.commit()) ++wrong;
    }
  });
  on_threads(kThreads, [&](int) {
    Searcher searcher;
    Path path;
    Random same(9);
    for (int i = 0; i < queries; ++i) {
      find(searcher, view, random_query(same, world.board), path);
      if (hash_of(path) != right[size_t(i)]) ++wrong;
    }
    --busy;
  });
  writer.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(world.engine.map().version(), 1u);
}

// The writer publishes Views in a place that readers look into; each reader checks that the View it
// got is whole: a path in it is legal by the View's own moves, and asked twice it answers the same.
TEST(Threads, readers_of_the_newest_view) {
  Random random(153);
  World world(random_board(random, 100, 100, 25), Profile());
  std::mutex door;
  View newest = world.view;
  std::atomic<int> wrong{0}, busy{kThreads};
  std::atomic<uint64_t> versions{0};
  std::thread writer([&] {
    Random edits(154);
    while (busy > 0) {
      const Cell a = world.board.random_cell(edits);
      world.engine.map().fill({a.x, a.y, std::min(9, 100 - a.x), std::min(3, 100 - a.y)},
                              edits.percent(50)   ? '@'
                              : edits.percent(90) ? '.'
                                                  : '3');
      if (world.engine.commit()) ++wrong;
      const View view = world.engine.view(world.id);
      const std::lock_guard<std::mutex> lock(door);
      newest = view;
    }
  });
  on_threads(kThreads, [&](int t) {
    Searcher searcher;
    Path path, again;
    Random own(uint64_t(200 + t));
    uint64_t last = 0;
    for (int i = 0; i < (kWatched ? 300 : 3000); ++i) {
      View view;
      {
        const std::lock_guard<std::mutex> lock(door);
        view = newest;
      }
      if (view.version() < last) ++wrong;
      if (view.version() != last) ++versions;
      last = view.version();
      const Query q = random_query(own, world.board);
      find(searcher, view, q, path);
      find(searcher, view, q, again);
      if (hash_of(path) != hash_of(again) || path.version != view.version()) ++wrong;
      for (size_t k = 1; k < path.size(); ++k) {
        const Cell a = path.cells()[k - 1], b = path.cells()[k];
        constexpr int kBit[3][3] = {{5, 6, 7}, {4, -1, 0}, {3, 2, 1}};
        const int bit = kBit[b.y - a.y + 1][b.x - a.x + 1];
        if (bit < 0 || !(view.moves(a) >> bit & 1)) ++wrong;
      }
      const bool connected =
          view.passable(q.start) && view.component(q.start) == view.component(q.goal);
      if ((path.status == Status::found) != connected) ++wrong;
    }
    --busy;
  });
  writer.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(versions, 1u);
}

// Readers on all threads take the newest View and hold its answers against the judge's; counts how
// many came from this solver.
void read_newest(const World& world, std::mutex& door, const View& newest, const char* solver,
                 std::atomic<uint64_t>& by_solver, std::atomic<int>& wrong,
                 std::atomic<int>& busy) {
  on_threads(kThreads, [&](int t) {
    Searcher searcher;
    Path path, right;
    Random own(uint64_t(400 + t));
    for (int i = 0; i < (kWatched ? 200 : 1000); ++i) {
      View view;
      {
        const std::lock_guard<std::mutex> lock(door);
        view = newest;
      }
      Query q = query_of(world.board.random_cell(own), world.board.random_cell(own));
      find(searcher, view, q, path);
      by_solver += path.solver == solver_id(solver);
      q.solver = solver_id("dijkstra");
      find(searcher, view, q, right);
      if (path.status != right.status || path.cost_units != right.cost_units) ++wrong;
    }
    --busy;
  });
}
// The writer's edits may leave nothing to that solver for a while: they begin when a reader has met
// it on the first View, however the threads are run.
void wait_for(const std::atomic<uint64_t>& by_solver, const std::atomic<int>& busy) {
  while (by_solver == 0 && busy > 0) std::this_thread::yield();
}

// The writer opens and closes doors, puts buildings on the map and adopts indexes; readers take the
// newest View, whose stale labels answer some queries, and old ones go back to the writer's spares
// while they are dropped.
TEST(Threads, readers_of_a_world_with_doors_and_stale_labels) {
  Random random(158);
  World world(random_board(random, 100, 100, 10), Profile());
  Index index;
  ASSERT_FALSE(build_index(world.view, {}, &index));
  ASSERT_FALSE(world.engine.adopt(world.id, index));
  ASSERT_FALSE(world.engine.map().set_terrain({50, 50}, '@'));
  ASSERT_FALSE(world.engine.map().set_terrain({51, 50}, '@'));
  world.commit();
  std::mutex door;
  View newest = world.view;
  std::atomic<int> wrong{0}, busy{kThreads};
  std::atomic<uint64_t> stale{0};
  std::thread writer([&] {
    wait_for(stale, busy);
    Random edits(159);
    Map& map = world.engine.map();
    std::vector<ObstacleId> things;
    for (int i = 0; i < 30; ++i) {
      const Cell a = world.board.random_cell(edits);
      ObstacleDef def;
      def.rect = {a.x, a.y, std::min(4, 100 - a.x), std::min(2, 100 - a.y)};
      def.terrain = edits.percent(70) ? '@' : '.';
      things.push_back(0);
      if (map.add_obstacle(def, &things.back())) ++wrong;
    }
    for (int i = 1; busy > 0; ++i) {
      if (i % 20 == 0) {
        if (build_index(world.engine.view(world.id), {}, &index)) ++wrong;
        if (world.engine.adopt(world.id, index)) ++wrong;
      }
      if (map.set_obstacle(things[size_t(edits.below(30))], edits.percent(50))) ++wrong;
      if (world.engine.commit()) ++wrong;
      const View view = world.engine.view(world.id);
      const std::lock_guard<std::mutex> lock(door);
      newest = view;
    }
  });
  read_newest(world, door, newest, "stale_labels", stale, wrong, busy);
  writer.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(stale, 0u);
}

// The writer's commits repair labels of subgoals in place, which share pages with the states that
// readers still hold.
TEST(Threads, readers_of_labels_that_are_repaired) {
  Random random(160);
  World world(random_board(random, 60, 60, 15), Profile());
  IndexOptions options;
  options.most = IndexKind::subgoal_labels;
  Index index;
  ASSERT_FALSE(build_index(world.view, options, &index));
  ASSERT_FALSE(world.engine.repair_labels(world.id, index, true));
  std::mutex door;
  View newest = world.engine.view(world.id);
  std::atomic<int> wrong{0}, busy{kThreads};
  std::atomic<uint64_t> repaired{0};
  std::thread writer([&] {
    wait_for(repaired, busy);
    Random edits(161);
    while (busy > 0) {
      const Cell a = world.board.random_cell(edits);
      // Now and then so much that a thread beside this one labels everything anew.
      const int most = edits.percent(5) ? 40 : 3;
      const Rect rect{a.x, a.y, std::min(most, 60 - a.x), std::min(most, 60 - a.y)};
      if (world.engine.map().fill(rect, edits.percent(40) ? '@' : '.')) ++wrong;
      if (world.engine.commit()) ++wrong;
      const Fault f = world.engine.adopt_finished(nullptr);
      if (f && f.status != Status::stale_index) ++wrong;
      const View view = world.engine.view(world.id);
      const std::lock_guard<std::mutex> lock(door);
      newest = view;
    }
  });
  read_newest(world, door, newest, "subgoal", repaired, wrong, busy);
  writer.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(repaired, 0u);
}

// All readers ask for the same tiles of one View until these are lifted, by several at once.
TEST(Threads, readers_lift_repaired_labels_to_tiles) {
  Random random(163);
  World world(random_board(random, 40, 40, 15), Profile());
  IndexOptions options;
  options.most = IndexKind::subgoal_labels;
  Index index;
  ASSERT_FALSE(build_index(world.view, options, &index));
  ASSERT_FALSE(world.engine.repair_labels(world.id, index));
  for (int edit = 0; edit < 6; ++edit) {
    const Rect rect{5 * edit, 20, 3, 3};
    ASSERT_FALSE(world.engine.map().fill(rect, edit % 2 ? '@' : '.'));
    ASSERT_FALSE(world.engine.map().set_terrain({39, 39}, edit % 2 ? '.' : '@'));
    world.commit();
    const View view = world.view;
    std::vector<Query> queries;
    std::vector<Path> right;
    while (queries.size() < 4) {
      Query q = query_of(world.board.random_cell(random), world.board.random_cell(random));
      if (!view.passable(q.start) || view.component(q.start) != view.component(q.goal)) continue;
      right.push_back(ask(view, query_of(q.start, q.goal, "dijkstra")));
      q.solver = solver_id("subgoal");
      queries.push_back(q);
    }
    const size_t unlifted = view.index().info().bytes;
    std::atomic<int> wrong{0};
    on_threads(kThreads, [&](int) {
      Searcher searcher;
      Path path;
      for (int i = 0; i < LiveTiles::kAsked; ++i) {
        const size_t k = static_cast<size_t>(i) % queries.size();
        find(searcher, view, queries[k], path);
        if (path.status != right[k].status || path.cost_units != right[k].cost_units) ++wrong;
      }
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_GT(view.index().info().bytes, unlifted) << "no tile was lifted, edit " << edit;
  }
}

// Commits wear out trees of dead pockets, which the readers make anew.
TEST(Threads, readers_make_trees_of_dead_pockets) {
  World world(comb_board(90, 90), Profile());
  std::mutex door;
  View newest = world.view;
  std::atomic<int> wrong{0}, busy{kThreads};
  std::atomic<uint64_t> answered{0};
  int made = 0;
  std::thread writer([&] {
    Random edits(162);
    for (bool to_come = false; busy > 0;) {
      const Cell a = world.board.random_cell(edits);
      const Rect rect{a.x, a.y, std::min(9, 90 - a.x), std::min(9, 90 - a.y)};
      if (world.engine.map().fill(rect, edits.percent(40) ? '@' : '.')) ++wrong;
      if (world.engine.commit()) ++wrong;
      const View view = world.engine.view(world.id);
      made += to_come && !view.impl()->world.pockets.to_come();
      to_come = view.impl()->world.pockets.to_come();
      const std::lock_guard<std::mutex> lock(door);
      newest = view;
    }
  });
  read_newest(world, door, newest, "jps", answered, wrong, busy);
  writer.join();
  EXPECT_GT(answered, 0u);
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(made, 0);
}

// The last reference to a View may go on any thread.
TEST(Threads, views_are_given_away_and_dropped_anywhere) {
  Random random(155);
  World world(random_board(random, 130, 130, 25), Profile());
  std::mutex door;
  std::vector<View> shelf(16);
  std::atomic<int> busy{kThreads};
  std::thread writer([&] {
    Random edits(156);
    while (busy > 0) {
      world.engine.map().set_terrain(world.board.random_cell(edits), edits.percent(50) ? '@' : '.');
      world.engine.commit();
      View view = world.engine.view(world.id);
      const std::lock_guard<std::mutex> lock(door);
      shelf[size_t(edits.below(16))] = std::move(view);
    }
  });
  std::atomic<int> wrong{0};
  on_threads(kThreads, [&](int t) {
    Random own(uint64_t(300 + t));
    std::vector<View> hand(4);
    for (int i = 0; i < (kWatched ? 2000 : 20000); ++i) {
      const auto from = size_t(own.below(16)), to = size_t(own.below(4));
      View old = std::move(hand[to]);
      {
        const std::lock_guard<std::mutex> lock(door);
        hand[to] = own.percent(50) ? shelf[from] : std::move(shelf[from]);
        shelf[from] = own.percent(50) ? View() : hand[to];
      }
      if (!old.empty() && old.width() != 130) ++wrong;
    }
    --busy;
  });
  writer.join();
  EXPECT_EQ(wrong, 0);
}

// The writer writes again into what nobody has any more, while readers hold Views of many ages,
// look at all that these show, and drop them.
TEST(Threads, readers_hold_views_of_many_ages) {
  struct Held {
    View view;
    std::shared_ptr<const std::vector<uint8_t>> contents;
  };
  Random random(164);
  Profile wide;
  wide.width = wide.height = 2;
  World world(random_board(random, 100, 100, 25), Profile());
  ProfileId second = 0;
  ASSERT_FALSE(world.engine.add_profile(wide, &second));
  std::mutex door;
  std::vector<Held> shelf(8);
  std::atomic<int> wrong{0}, busy{4}, published{0};
  const int enough = kWatched ? 200 : 2000;
  std::thread writer([&] {
    Random edits(165);
    Cell near{50, 50};
    while (busy > 0) {
      if (edits.percent(10)) near = world.board.random_cell(edits);
      const Cell c{std::min(near.x + edits.below(3), 99), std::min(near.y + edits.below(3), 99)};
      if (world.engine.map().set_terrain(c, edits.percent(50) ? '@' : '.')) ++wrong;
      if (world.engine.commit()) ++wrong;
      if (edits.percent(60)) continue;  // commits in a row, whose Views no reader ever had
      Held held{world.engine.view(edits.percent(70) ? world.id : second), nullptr};
      held.contents = std::make_shared<const std::vector<uint8_t>>(contents_of(held.view));
      const std::lock_guard<std::mutex> lock(door);
      std::swap(shelf[size_t(edits.below(8))], held);
      ++published;
    }
  });
  on_threads(4, [&](int t) {
    Random own(uint64_t(500 + t));
    std::vector<Held> hand(5);
    for (int looked = 0; looked < enough || published < enough;) {
      Held& to = hand[size_t(own.below(5))];
      Held old = std::move(to);
      {
        const std::lock_guard<std::mutex> lock(door);
        to = shelf[size_t(own.below(8))];
      }
      if (own.percent(30)) hand[size_t(own.below(5))] = to;
      const Held& any = hand[size_t(own.below(5))];
      if (any.view.empty()) continue;
      if (contents_of(any.view) != *any.contents) ++wrong;
      ++looked;
    }
    --busy;
  });
  writer.join();
  EXPECT_EQ(wrong, 0);
}

// A reported case: two threads asking one grid object corrupt shared search state.
// A first commit of so many tiles is the work of several threads; edits are not.
TEST(Threads, large_maps_are_built_as_edits_would_build_them) {
  Random random(307);
  Board board(2112, 2048);
  for (int y = 0; y < board.height(); y += 64) {
    for (int x = 0; x < board.width(); x += 64) {
      // Open ground, rock, and up to half of the cells walls: more than 256 pieces in some.
      const int kind = random.below(8);
      if (kind < 3) continue;
      for (int i = 0; i < 64 * 64; ++i)
        if (kind == 3 || random.percent(kind * 7)) board.at({x + i % 64, y + i / 64}) = '@';
    }
  }
  const World at_once(board, Profile());
  World by_edits(Board(board.width(), board.height()), Profile());
  Map& map = by_edits.engine.map();
  ASSERT_FALSE(map.stamp({0, 0, board.width(), board.height()}, board.terrain.data(),
                         size_t(board.width())));
  ASSERT_FALSE(by_edits.engine.commit());
  const View edited = by_edits.engine.view(by_edits.id);
  std::map<uint32_t, uint32_t> there, back;
  for (int i = 0; i < effort(400000); ++i) {
    const Cell c = board.random_cell(random);
    ASSERT_EQ(at_once.view.passable(c), board.at(c) == '.') << c.x << " " << c.y;
    ASSERT_EQ(edited.passable(c), board.at(c) == '.') << c.x << " " << c.y;
    ASSERT_EQ(at_once.view.moves(c), edited.moves(c)) << c.x << " " << c.y;
    const uint32_t one = at_once.view.component(c), other = edited.component(c);
    ASSERT_EQ(there.emplace(one, other).first->second, other) << c.x << " " << c.y;
    ASSERT_EQ(back.emplace(other, one).first->second, one) << c.x << " " << c.y;
  }
  EXPECT_GT(there.size(), 100u);
}

TEST(Reported, edit_from_another_thread) {
  Board board(64, 64);
  for (int i = 5; i < 60; i += 6)  // walls with a gap, so that there is something to search
    for (int y = i % 12 == 5 ? 0 : 1; y < (i % 12 == 5 ? 63 : 64); ++y) board.at({i, y}) = '@';
  World world(board, Profile());
  const int queries = kWatched ? 500 : 10000;
  std::vector<Query> asked;
  std::vector<uint64_t> right;
  Random random(157);
  for (int i = 0; i < queries; ++i) {
    asked.push_back(query_of(board.random_cell(random), board.random_cell(random)));
    right.push_back(hash_of(ask(world.view, asked.back())));
  }
  std::atomic<int> wrong{0};
  on_threads(kThreads, [&](int t) {
    Searcher searcher;
    Path path;
    for (int i = 0; i < queries; ++i) {
      const auto k = size_t((i * 31 + t * 1237) % queries);
      find(searcher, world.view, asked[k], path);
      if (hash_of(path) != right[k]) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace octile::test
