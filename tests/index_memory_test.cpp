// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Every allocation of a build, of loading and adopting an index and of asking it may fail: the call
// says so, nothing is changed, nothing leaks, and the same objects work afterwards. Warmed up, an
// answer from an index allocates nothing.

#include <gtest/gtest.h>

#include "failing_allocator.hpp"
#include "index_tools.hpp"
#include "portals_tools.hpp"

namespace octile::test {
namespace {

Board full_board() {
  Random random(371);
  return random_board(random, 30, 20, 25);
}

// Every allocation fails once, so the board sets how many there are.
Board small_board() {
  Random random(371);
  return sampled() ? random_board(random, 21, 14, 25) : full_board();
}

void expect_memory_fault(const Fault& f, const Failure& failure) {
  EXPECT_EQ(f.status, failure.happened() ? Status::out_of_memory : Status::found) << f.text;
  EXPECT_EQ(f.text[0] != 0, failure.happened());
}

TEST(FailingIndex, build) {
  const World world(small_board(), Profile());
  const World empty(Board(9, 9), Profile()), walls(Board(3, 3, '@'), Profile());
  for (const IndexKind kind : kAllKinds) {
    for (const World* of : {&world, &empty, &walls}) {
      const std::string right = bytes_of(build(of->view, kind));
      const int failures = every_failure([&](Failure& failure) {
        IndexOptions options;
        options.most = kind;
        Index index;
        Fault f;
        failure.during([&] { f = build_index(of->view, options, &index); });
        expect_memory_fault(f, failure);
        EXPECT_EQ(index.empty(), bool(f));
        EXPECT_TRUE(f || bytes_of(index) == right);
      });
      EXPECT_GT(failures, 5);
    }
  }
}

// Budgets that are not kept are no failures, and failures are no budgets.
TEST(FailingIndex, build_within_a_budget) {
  const World world(small_board(), Profile());
  IndexOptions options;
  options.budget_bytes = build(world.view).info().bytes - 1;
  every_failure([&](Failure& failure) {
    Index index;
    Fault f;
    failure.during([&] { f = build_index(world.view, options, &index); });
    expect_memory_fault(f, failure);
    EXPECT_NE(index.info().kind, IndexKind::tile_labels);
  });
}

TEST(FailingIndex, load_read_and_save) {
  const Folder folder;
  const World world(small_board(), Profile());
  const World other(Board(5, 5), Profile());
  for (const IndexKind kind : kAllKinds) {
    const Index index = build(world.view, kind), old = build(other.view);
    const std::string path = folder.file("index"), right = bytes_of(index);
    every_failure([&](Failure& failure) {
      Fault f;
      failure.during([&] { f = save_index(index, path.c_str()); });
      expect_memory_fault(f, failure);
      EXPECT_LE(folder.entries(), 1u);
    });
    EXPECT_EQ(slurp(path), right);
    for (int way = 0; way < 4; ++way) {
      const int failures = every_failure([&](Failure& failure) {
        Index loaded = old;
        Fault f;
        failure.during([&] {
          f = way == 3 ? read_index(right.data(), right.size(), &loaded)
                       : load_index(path.c_str(), IndexLoad(way), &loaded);
        });
        expect_memory_fault(f, failure);
        EXPECT_EQ(loaded.impl() == old.impl(), bool(f)) << "changed by a call that failed";
      });
      EXPECT_GT(failures, 0);
    }
  }
}

// A commit that finds many openings of the commit before anew.
TEST(FailingIndex, commits_that_touch_many_openings) {
  Board board(200, 60);
  for (int x = 0; x < 200; ++x) board.at({x, 30}) = '@';
  const Index index = build(World(board, Profile()).view);
  const int failures = every_failure([&](Failure& failure) {
    World world(board, Profile());
    Map& map = world.engine.map();
    ASSERT_FALSE(world.engine.adopt(world.id, index));
    for (int x = 4; x < 200; x += 8) ASSERT_FALSE(map.set_terrain({x, 30}, '.'));
    world.commit();
    ASSERT_FALSE(world.view.stale_index().empty());
    for (int x = 10; x < 200; x += 60) ASSERT_FALSE(map.set_terrain({x, 50}, '@'));
    Fault f;
    failure.during([&] { f = world.engine.commit(); });
    expect_memory_fault(f, failure);
    world.commit();
    Query q = query_of({10, 0}, {190, 59});
    Searcher searcher;
    Path path, right;
    find(searcher, world.view, q, path);
    q.solver = judge();
    find(searcher, world.view, q, right);
    EXPECT_EQ(path.cost_units, right.cost_units);
  });
  EXPECT_GT(failures, 20);
}

// A commit that narrows a passage that most ways lead through, and an opening elsewhere.
TEST(FailingIndex, commits_that_find_gates) {
  Board board(200, 140);
  for (int i = 0; i < 6; ++i) {
    const int y = 19 + 20 * i, hole = i % 2 ? 185 : 5;
    for (int x = 0; x < 200; ++x)
      if (x < hole || x >= hole + 10) board.at({x, y}) = '@';
  }
  const World fresh(board, Profile());
  const Index index = build(fresh.view);
  const Query q = query_of({100, 2}, {100, 137});
  const Path then = ask(fresh.view, q);
  const int failures = every_failure([&](Failure& failure) {
    World world(board, Profile());
    Searcher searcher;
    Path path, right;
    ASSERT_FALSE(world.engine.adopt(world.id, index));
    ASSERT_FALSE(world.engine.map().fill({182, 78, 10, 3}, '@'));
    ASSERT_FALSE(world.engine.map().fill({20, 19, 2, 1}, '.'));
    Fault f;
    failure.during([&] { f = world.engine.commit(); });
    expect_memory_fault(f, failure);
    world.commit();
    if (!failure.happened()) failure.during([&] { find(searcher, world.view, q, path); });
    if (failure.happened()) find(searcher, world.view, q, path);
    ASSERT_EQ(path.status, Status::found);
    EXPECT_EQ(path.solver, solver_id("stale_labels"));
    EXPECT_GT(path.cost_units, then.cost_units);
    Query same = q;
    same.solver = judge();
    find(searcher, world.view, same, right);
    EXPECT_EQ(path.cost_units, right.cost_units);
  });
  EXPECT_GT(failures, 40);
}

// A commit that makes an index stale, and a question to it.
TEST(FailingIndex, commits_with_a_stale_index) {
  const Board board = full_board();  // on a smaller one the index would not stay
  const int failures = every_failure([&](Failure& failure) {
    World world(board, Profile());
    const Index index = build(world.view);
    ASSERT_FALSE(world.engine.adopt(world.id, index));
    ASSERT_FALSE(world.engine.map().fill({3, 3, 4, 2}, '@'));
    ASSERT_FALSE(world.engine.map().fill({board.width() - 10, board.height() / 2, 2, 2}, '.'));
    Fault f;
    failure.during([&] { f = world.engine.commit(); });
    expect_memory_fault(f, failure);
    if (f) {
      EXPECT_FALSE(world.engine.view(world.id).index().empty());
      ASSERT_FALSE(world.engine.commit());
    }
    ASSERT_FALSE(world.engine.map().set_terrain({0, board.height() - 1}, '@'));
    if (!failure.happened()) {
      failure.during([&] { f = world.engine.commit(); });
      expect_memory_fault(f, failure);
    }
    world.commit();
    const View view = world.view;
    EXPECT_EQ(view.version(), 3u);
    EXPECT_FALSE(view.stale_index().empty());
    for (const Output output : {Output::cells, Output::waypoints}) {
      if (failure.happened()) continue;
      Query q = query_of({0, 0}, {board.width() - 1, 0});
      q.output = output;
      Searcher cold, searcher;
      Path right, path;
      find(searcher, view, q, right);
      failure.during([&] { find(cold, view, q, path); });
      ASSERT_EQ(path.status, failure.happened() ? Status::out_of_memory : right.status);
      find(cold, view, q, path);
      ASSERT_EQ(hash_of(path), hash_of(right));
    }
  });
  EXPECT_GT(failures, 20);
}

// Taking over labels to repair, a commit that repairs them, and a question to the repaired ones. A
// commit that has no memory for the repair alone gives the labels up and goes on.
TEST(FailingIndex, commits_that_repair_labels) {
  const Board board = small_board();
  const int failures = every_failure([&](Failure& failure) {
    World world(board, Profile());
    const Index index = build(world.view, IndexKind::subgoal_labels);
    Fault f;
    failure.during([&] { f = world.engine.repair_labels(world.id, index); });
    expect_memory_fault(f, failure);
    if (f) {
      ASSERT_FALSE(world.engine.repair_labels(world.id, index));
    }
    ASSERT_FALSE(world.engine.map().fill({3, 3, 4, 2}, '@'));
    ASSERT_FALSE(world.engine.map().fill({board.width() - 10, board.height() / 2, 2, 2}, '.'));
    if (!failure.happened()) {
      failure.during([&] { f = world.engine.commit(); });
      if (f) {
        EXPECT_EQ(f.status, Status::out_of_memory);
        EXPECT_TRUE(failure.happened());
      }
    }
    world.commit();
    ASSERT_FALSE(world.engine.map().set_terrain({0, board.height() - 1}, '@'));
    world.commit();
    for (const Cell goal :
         {Cell{board.width() - 1, 0}, Cell{board.width() / 2, board.height() - 1}}) {
      Query q = query_of({0, 0}, goal);
      Searcher searcher;
      Path path, right;
      q.solver = solver_id("dijkstra");
      find(searcher, world.view, q, right);
      q.solver = kAuto;
      find(searcher, world.view, q, path);
      ASSERT_EQ(path.status, right.status);
      ASSERT_EQ(path.cost_units, right.cost_units);
    }
    if (!failure.happened()) {
      ASSERT_FALSE(world.view.index().empty());
    }
  });
  EXPECT_GT(failures, 20);
}

// Commits that note what they touched, and whoever asks then for the map of blocks.
TEST(FailingIndex, commits_with_portals) {
  for (const IndexKind kind : kBoth) {
    Random random(375);
    const Board board = random_board(random, 130, 70, 10);
    const auto edit = [](World& world, int i) {
      ASSERT_FALSE(world.engine.map().fill({20 + 40 * i, 20 + 9 * i, 9, 3}, i % 2 ? '.' : '@'));
    };
    World twin(board, Profile());
    for (int i = 0; i < 3; ++i) {
      edit(twin, i);
      twin.commit();
    }
    const std::string right = blocks_of(with(twin.view, build(twin.view, kind)));
    const int failures = every_failure([&](Failure& failure) {
      World world(board, Profile());
      const Index index = build(world.view, kind);
      ASSERT_FALSE(world.engine.adopt(world.id, index));
      for (int i = 0; i < 3; ++i) {
        edit(world, i);
        Fault f;
        if (!failure.happened()) {
          failure.during([&] { f = world.engine.commit(); });
          expect_memory_fault(f, failure);
        }
        world.commit();
      }
      const Index::Impl& edited = *world.view.impl()->index;
      const Layer& layer = world.view.impl()->world.layer;
      if (!failure.happened()) {
        PortalRoom room;
        bool whole = false;
        failure.during([&] {
          const PortalMap* map = portals_of(edited, layer);
          whole = map != nullptr;
          for (uint32_t r = 0; whole && r < map->shape().regions(); ++r)
            whole = map->gates(layer, r, room) != nullptr;
        });
        // Gates that cannot be taken back for want of memory are made anew.
        EXPECT_TRUE(whole || failure.happened());
      }
      EXPECT_EQ(blocks_of(world.view), right);
    });
    EXPECT_GT(failures, 30);
  }
}

TEST(FailingIndex, with_index_and_adopt) {
  World world(small_board(), Profile());
  const Index index = build(world.view);
  every_failure([&](Failure& failure) {
    View view = world.view;
    Fault f;
    failure.during([&] { f = world.view.with_index(index, &view); });
    expect_memory_fault(f, failure);
    EXPECT_EQ(view.index().empty(), bool(f));
    EXPECT_EQ(view.width(), world.board.width());
  });
  every_failure([&](Failure& failure) {
    Engine engine;
    ProfileId id = 0;
    ASSERT_FALSE(load(world.board, engine));
    ASSERT_FALSE(engine.add_profile(Profile(), &id));
    ASSERT_FALSE(engine.commit());
    Fault f;
    failure.during([&] { f = engine.adopt(id, index); });
    expect_memory_fault(f, failure);
    EXPECT_EQ(engine.view(id).index().empty(), bool(f));
    ASSERT_FALSE(engine.adopt(id, index));
  });
  every_failure([&](Failure& failure) {
    Engine engine;
    ProfileId id = 0;
    ASSERT_FALSE(load(world.board, engine));
    ASSERT_FALSE(engine.add_profile(Profile(), &id));
    ASSERT_FALSE(engine.commit());
    IndexOptions options;
    options.most = IndexKind::subgoal_graph;
    Fault f;
    failure.during([&] { f = engine.start_build(id, options); });
    expect_memory_fault(f, failure);
    EXPECT_EQ(engine.building(), !f);
    engine.stop_build();
  });
}

// ---------------------------------------------------------------------------------------------
// Asking

std::vector<View> views_of(const World& world) {
  std::vector<View> views;
  for (const IndexKind kind : kAllKinds) views.push_back(with(world.view, build(world.view, kind)));
  return views;
}

TEST(FailingIndex, queries) {
  const World world(small_board(), Profile());
  const std::vector<View> views = views_of(world);
  Random random(372);
  for (const View& view : views) {
    for (int i = 0; i < 12; ++i) {
      Query q = query_of(world.board.random_cell(random), world.board.random_cell(random));
      q.output = i % 3 ? Output::cells : Output::waypoints;
      q.smooth = i % 6 == 0;
      const uint64_t right = hash_of(ask(view, q));
      every_failure([&](Failure& failure) {
        Searcher searcher;
        Path path;
        failure.during([&] { find(searcher, view, q, path); });
        if (failure.happened()) {
          EXPECT_EQ(path.status, Status::out_of_memory);
          EXPECT_EQ(path.size(), 0u);
          EXPECT_EQ(path.cost, 0);
          EXPECT_EQ(path.cost_units, 0u);
        } else {
          EXPECT_EQ(hash_of(path), right);
        }
        find(searcher, view, q, path);
        EXPECT_EQ(hash_of(path), right) << "the same searcher afterwards";
      });
    }
  }
}

TEST(FailingIndex, distances) {
  const World world(small_board(), Profile());
  const std::vector<View> views = views_of(world);
  Random random(373);
  std::vector<Cell> cells(12);
  for (Cell& c : cells) c = world.board.random_cell(random);
  for (const View& view : views) {
    std::vector<double> right(cells.size() * cells.size());
    Searcher warm;
    ASSERT_FALSE(
        distances(warm, view, cells.data(), cells.size(), cells.data(), cells.size(), &right[0]));
    every_failure([&](Failure& failure) {
      std::vector<double> out(right.size());
      Searcher searcher;
      Fault f;
      failure.during([&] {
        f = distances(searcher, view, cells.data(), cells.size(), cells.data(), cells.size(),
                      out.data());
      });
      expect_memory_fault(f, failure);
      if (f) {
        f = distances(searcher, view, cells.data(), cells.size(), cells.data(), cells.size(),
                      out.data());
      }
      EXPECT_FALSE(f) << f.text;
      EXPECT_TRUE(out == right);
    });
    for (size_t i = 0; i < cells.size(); ++i) {
      every_failure([&](Failure& failure) {
        Searcher searcher;
        double d = -1;
        Cell move;
        failure.during([&] {
          d = distance(searcher, view, cells[0], cells[i]);
          move = first_move(searcher, view, cells[0], cells[i]);
        });
        EXPECT_TRUE(d == right[i] || (failure.happened() && d == kWall));
        EXPECT_EQ(distance(searcher, view, cells[0], cells[i]), right[i]);
      });
    }
  }
}

TEST(WarmIndex, allocates_nothing) {
  Random random(374);
  const World world(random_board(random, 90, 70, 30), Profile());
  for (const View& view : views_of(world)) {
    std::vector<Query> queries;
    for (int i = 0; i < 200; ++i) {
      Query q = query_of(world.board.random_cell(random), world.board.random_cell(random));
      q.output = i % 3 ? Output::cells : Output::waypoints;
      q.smooth = i % 6 == 0;
      q.allow_partial = i % 5 == 0;
      q.snap_start = q.snap_goal = i % 4 == 0;
      if (i % 7 == 0) q.max_cost = random.below(100);
      queries.push_back(q);
    }
    Searcher searcher;
    Path path;
    const auto ask_all = [&] {
      for (const Query& q : queries) {
        find(searcher, view, q, path);
        distance(searcher, view, q.start, q.goal);
        first_move(searcher, view, q.start, q.goal);
      }
    };
    for (int round = 0; round < 2; ++round) ask_all();
    if (view.index().info().kind == IndexKind::tile_labels) {
      EXPECT_EQ(allocations_of(ask_all), 0u);
    }
    for (const Query& q : queries)
      EXPECT_EQ(allocations_of([&] { find(searcher, view, q, path); }), 0u)
          << name(view.index().info().kind) << " " << shown(q);
  }
}

}  // namespace
}  // namespace octile::test
