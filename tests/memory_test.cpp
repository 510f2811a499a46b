// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// A warmed-up query allocates nothing, and every allocation of every call may fail: the call then
// says so, nothing is changed, nothing leaks, and the same objects work afterwards.

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "failing_allocator.hpp"
#include "support.hpp"
#include "view_contents.hpp"

namespace octile::test {
namespace {

TEST(Allocator, counts_and_fails) {
  const int64_t before = alive();
  EXPECT_EQ(allocations_of([] { delete new (std::nothrow) int; }), 1u);
  EXPECT_EQ(allocations_of([] { Path().resize(10); }), 1u) << "realloc is not caught";
  EXPECT_EQ(alive(), before);
  Failure second(2, false);
  int* blocks[3];
  Path path;
  Cell* cells = nullptr;
  second.during([&] {
    for (int*& block : blocks) block = new (std::nothrow) int;
    cells = path.resize(3);
  });
  EXPECT_TRUE(second.happened());
  EXPECT_TRUE(blocks[0] && !blocks[1] && blocks[2] && cells);
  EXPECT_EQ(alive(), before + 3);
  for (const int* block : blocks) delete block;
  Failure lasting(1, true);
  Path other;
  lasting.during([&] { cells = other.resize(3); });
  EXPECT_EQ(cells, nullptr);
}

// ---------------------------------------------------------------------------------------------
// Warmed up

std::vector<SolverId> frugal_solvers() {
  // The judge and the textbook solvers are exempt.
  std::vector<SolverId> ids;
  for (const char* name : {"auto", "astar", "jps", "line"}) ids.push_back(solver_id(name));
  return ids;
}

TEST(WarmQuery, allocates_nothing) {
  Random random(131);
  for (const bool weighted : {false, true}) {
    Board board = random_board(random, 200, 130, 35);
    if (weighted) sprinkle(random, board, "2468", 50);
    World world(board, Profile());
    std::vector<Query> queries;
    std::vector<std::vector<Cell>> goals(60);
    int found = 0, no_path = 0, partial = 0, limited = 0;
    for (int i = 0; i < 60; ++i) {
      for (const SolverId solver : frugal_solvers()) {
        Query q = query_of(board.random_cell(random), board.random_cell(random));
        q.solver = solver;
        q.output = i % 3 ? Output::cells : Output::waypoints;
        q.smooth = i % 6 == 5;
        q.snap_start = i % 2;
        q.snap_goal = i % 4 == 1;
        q.allow_partial = i % 4 == 2;
        if (i % 5 == 1) q.max_expansions = uint64_t(random.between(1, 400));
        if (i % 5 == 2) q.max_cost = random.between(0, 100);
        if (i % 7 == 3) {
          if (goals[size_t(i)].empty())
            for (int k = 0; k < 5; ++k) goals[size_t(i)].push_back(board.random_cell(random));
          q.goals = goals[size_t(i)].data();
          q.goal_count = goals[size_t(i)].size();
        }
        queries.push_back(q);
      }
    }
    Searcher searcher;
    Path path;
    for (const Query& q : queries) {
      find(searcher, world.view, q, path);
      found += path.status == Status::found;
      no_path += path.status == Status::no_path;
      partial += path.status == Status::partial;
      limited += path.status == Status::limit_reached;
    }
    EXPECT_GT(found, 20);
    EXPECT_GT(no_path, 5);
    EXPECT_GT(partial, 5);
    EXPECT_GT(limited, 5);
    for (int round = 0; round < 3; ++round) {
      for (size_t i = 0; i < queries.size(); ++i) {
        const Query& q = queries[(i * 89 + 7) % queries.size()];  // in another order
        const uint64_t count = allocations_of([&] { find(searcher, world.view, q, path); });
        ASSERT_EQ(count, 0u) << solver_info(q.solver).name << " " << shown(q);
      }
    }
  }
}

TEST(WarmQuery, overlays_allocate_nothing) {
  Random random(137);
  Board board = random_board(random, 200, 130, 15);
  Profile profile;
  profile.width = 2;
  World world(board, profile);
  std::vector<Cell> walls;
  std::vector<ExtraCost> dearer;
  for (int i = 0; i < 40; ++i) {
    walls.push_back(board.random_cell(random));
    dearer.push_back({board.random_cell(random), 0.25 * random.below(9)});
  }
  std::vector<Query> queries;
  for (int i = 0; i < 60; ++i) {
    Query q = query_of(board.random_cell(random), board.random_cell(random));
    q.extra_blocked = walls.data() + random.below(20);
    q.extra_blocked_count = size_t(random.below(20));
    q.extra_costs = dearer.data();
    q.extra_cost_count = size_t(i % 2 * random.below(40));
    q.escape_start = i % 3 == 0;
    q.goal_cover = i % 4 == 0;
    q.allow_partial = i % 5 == 0;
    queries.push_back(q);
  }
  Searcher searcher;
  Path path;
  bool answer = false;
  for (const View& view : {world.view, indexed(world.view).view[0]}) {
    for (int round = 0; round < 2; ++round) {
      const uint64_t count = allocations_of([&] {
        for (const Query& q : queries) {
          find(searcher, view, q, path);
          ASSERT_FALSE(would_disconnect(searcher, view, q.extra_blocked, q.extra_blocked_count,
                                        nullptr, 0, &answer));
        }
      });
      EXPECT_TRUE(round == 0 || count == 0) << count;
    }
  }
}

TEST(WarmQuery, slices_allocate_nothing) {
  World world(Board(300, 300), Profile());
  ASSERT_FALSE(world.engine.map().fill({150, 0, 1, 299}, '@'));
  world.commit();
  Searcher searcher;
  Path path;
  const Query q = query_of({0, 0}, {299, 0}, "astar");
  find(searcher, world.view, q, path);
  EXPECT_EQ(allocations_of([&] {
              searcher.begin(world.view, q, path);
              while (!searcher.step(100, path)) {
              }
            }),
            0u);
  EXPECT_EQ(path.status, Status::found);
}

TEST(WarmQuery, views_are_copied_and_asked_without_allocating) {
  World world(Rows{"..@", "..."});
  EXPECT_EQ(allocations_of([&] {
              View copy = world.view;
              copy.moves({0, 0});
              copy.component({0, 0});
              copy.line_of_sight({0, 0}, {2, 1});
              copy.estimate({0, 0}, {2, 1});
              copy.memory();
              View again = world.engine.view(world.id);
            }),
            0u);
}

// A one-step query costs nothing that grows with the map (S000-10 of the tutorials' defects).
TEST(WarmQuery, a_one_step_query_does_not_pay_for_the_map) {
  World world(Board(2048, 2048), Profile());
  for (const SolverId solver : frugal_solvers()) {
    Searcher searcher;
    Path path;
    Query q = query_of({1000, 1000}, {1001, 1000});
    q.solver = solver;
    find(searcher, world.view, q, path);
    EXPECT_LT(searcher.memory_bytes(), 500000u) << solver_info(solver).name;
    EXPECT_EQ(allocations_of([&] { find(searcher, world.view, q, path); }), 0u);
    EXPECT_EQ(path.size(), 2u);
    EXPECT_LE(path.expanded, 2u);
  }
}

// ---------------------------------------------------------------------------------------------
// Failing

Board small_board() {
  Random random(132);
  Board board = random_board(random, 140, 70, 30);
  for (int i = 0; i < 36; ++i)  // room around both corners
    board.at({i % 6, i / 6}) = board.at({139 - i % 6, 69 - i / 6}) = '.';
  return board;
}

TEST(FailingAllocation, the_small_board_needs_a_search) {
  const World world(small_board(), Profile());
  const Path path = ask(world.view, query_of({0, 0}, {139, 69}, "astar"));
  EXPECT_EQ(path.status, Status::found);
  EXPECT_GT(path.expanded, 500u);
}

void expect_memory_fault(const Fault& f, const Failure& failure) {
  EXPECT_EQ(f.status == Status::out_of_memory, failure.happened()) << f.text;
  if (failure.happened()) {
    EXPECT_STRNE(f.text, "");
  } else {
    EXPECT_FALSE(f) << f.text;
  }
}

bool holds(const Map& map, const Board& board) {
  for (size_t i = 0; i < board.size(); ++i) {
    if (map.terrain(board.cell(i)) != board.terrain[i]) return false;
    if (!board.weight.empty() && map.weight(board.cell(i)) != board.weight[i]) return false;
  }
  return map.width() == board.width() && map.height() == board.height();
}

// An answer that a View must give, asked with objects of its own.
uint64_t answer(const View& view) {
  Searcher searcher;
  Path path;
  Query q = query_of({0, 0}, {139, 69}, "astar");
  q.allow_partial = true;
  find(searcher, view, q, path);
  return hash_of(path);
}

TEST(FailingAllocation, reset) {
  const Board board = small_board();
  Board other(90, 200, '@');
  other.add_weights(1);
  const int failures = every_failure([&](Failure& failure) {
    Engine engine;
    ProfileId id = 0;
    ASSERT_FALSE(load(board, engine));
    ASSERT_FALSE(engine.add_profile(Profile(), &id));
    ASSERT_FALSE(engine.commit());
    const uint64_t before = answer(engine.view(id));
    ASSERT_FALSE(engine.map().set_terrain({5, 5}, 'x'));
    Fault f;
    failure.during([&] { f = engine.reset(other.def, other.terrain.data(), 90); });
    expect_memory_fault(f, failure);
    if (!f) return;
    // The old map with its pending edit, and its views.
    EXPECT_EQ(engine.map().width(), 140);
    EXPECT_EQ(engine.map().terrain({5, 5}), 'x');
    EXPECT_EQ(answer(engine.view(id)), before);
    ASSERT_FALSE(engine.reset(other.def, other.terrain.data(), 90));
    EXPECT_TRUE(holds(engine.map(), other));
  });
  EXPECT_GT(failures, 10);
}

TEST(FailingAllocation, engine_without_memory) {
  every_failure([&](Failure& failure) {
    alignas(Engine) unsigned char room[sizeof(Engine)];
    Engine* engine = nullptr;
    failure.during([&] { engine = new (room) Engine; });
    ProfileId id = 0;
    const Fault f = engine->reset(Board(4, 4).def);
    expect_memory_fault(f, failure);
    expect_memory_fault(engine->add_profile(Profile(), &id), failure);
    expect_memory_fault(engine->commit(), failure);
    EXPECT_EQ(engine->view(id).empty(), failure.happened());
    EXPECT_EQ(bool(engine->remove_profile(id)), failure.happened());
    engine->~Engine();
  });
}

TEST(FailingAllocation, add_profile) {
  const Board board = small_board();
  for (const bool committed : {false, true}) {
    const int failures = every_failure([&](Failure& failure) {
      Engine engine;
      ASSERT_FALSE(load(board, engine));
      ProfileId first = 0, id = 4711;
      ASSERT_FALSE(engine.add_profile(Profile(), &first));
      ASSERT_FALSE(committed && engine.commit());
      Fault f;
      failure.during([&] { f = engine.add_profile(profile_of(Moves::four), &id); });
      expect_memory_fault(f, failure);
      if (f) {
        EXPECT_EQ(id, 4711u);
        ASSERT_FALSE(engine.add_profile(profile_of(Moves::four), &id));
      }
      ASSERT_FALSE(engine.commit());
      EXPECT_EQ(engine.view(id).moves({0, 0}) & 0xaa, 0);
      EXPECT_FALSE(engine.view(first).empty());
    });
    EXPECT_GT(failures, committed ? 7 : 1);
  }
}

// Edits of some tiles, so that commit() and the edits themselves have shared tiles to copy.
struct Batch {
  Board after;
  explicit Batch(const Board& board) : after(board) {
    for (int y = 3; y < 69; ++y)
      for (int x = 60; x < 70; ++x) after.at({x, y}) = '5';
    for (int i = 0; i < 64; ++i) after.at({i, 40}) = '@';
  }
  Fault apply(Map& map) const {
    if (Fault f = map.fill({60, 3, 10, 66}, '5')) return f;
    return map.stamp({0, 40, 64, 1}, &after.terrain[40 * size_t(after.width())],
                     size_t(after.width()));
  }
};

TEST(FailingAllocation, edits) {
  Board board = small_board();
  board.add_weights(1);
  const int failures = every_failure([&](Failure& failure) {
    Engine engine;
    ProfileId id = 0;
    ASSERT_FALSE(load(board, engine));
    ASSERT_FALSE(engine.add_profile(Profile(), &id));
    ASSERT_FALSE(engine.commit());  // all tiles are shared from now on
    std::vector<uint16_t> weights(140 * 70, 3);
    Fault f;
    failure.during([&] { f = engine.map().fill({1, 1, 138, 68}, '5'); });
    if (f) {
      expect_memory_fault(f, failure);
      EXPECT_TRUE(holds(engine.map(), board));
      ASSERT_FALSE(engine.commit());
      EXPECT_EQ(engine.map().version(), 1u);
      return;
    }
    ASSERT_FALSE(failure.happened());
    failure.during([&] { f = engine.map().stamp_weight({0, 0, 140, 70}, weights.data(), 140); });
    expect_memory_fault(f, failure);
    EXPECT_EQ(engine.map().weight({70, 35}), f ? 1 : 3);
    EXPECT_EQ(engine.map().terrain({70, 35}), '5');
    ASSERT_FALSE(engine.commit());
    EXPECT_EQ(engine.view(id).cost({70, 35}), f ? 5 : 15);
  });
  EXPECT_GT(failures, 3);
}

TEST(FailingAllocation, tiles_that_come_and_go) {
  std::vector<uint8_t> noise(64 * 64, '@');
  noise[100] = '5';  // not of one terrain, which may be shared or not
  for (const bool cold : {false, true}) {
    const int failures = every_failure([&](Failure& failure) {
      MapDef def;
      def.width = 140;
      def.height = 70;
      def.weights = true;
      def.streamed = true;
      Engine engine;
      ProfileId id = 0;
      EditLog log;
      ASSERT_FALSE(engine.reset(def));
      ASSERT_FALSE(engine.add_profile(Profile(), &id));
      ASSERT_FALSE(engine.map().record(&log));
      ASSERT_FALSE(engine.commit());
      Fault f;
      if (cold) {
        failure.during([&] { f = engine.map().provide_tile({70, 0}, noise.data(), 64); });
        expect_memory_fault(f, failure);
        EXPECT_EQ(engine.map().loaded({70, 0}), !f);
        EXPECT_EQ(engine.map().terrain({70, 0}), f ? '.' : '@');
        EXPECT_EQ(engine.map().absent_tiles(), f ? 6u : 5u);
      } else {
        ASSERT_FALSE(engine.map().provide_tile({0, 0}, noise.data(), 64));
        ASSERT_FALSE(engine.map().set_terrain({3, 3}, '5'));
        ASSERT_FALSE(engine.map().set_weight({3, 3}, 7));
        ASSERT_FALSE(engine.commit());
        failure.during([&] { f = engine.map().release_tile({0, 0}); });
        expect_memory_fault(f, failure);
        EXPECT_EQ(engine.map().loaded({0, 0}), !!f);
        EXPECT_EQ(engine.map().weight({3, 3}), f ? 7 : 1);
      }
      // The answer that is wanted tiles.
      ASSERT_FALSE(engine.commit());
      Searcher searcher;
      Path path;
      const Query q = query_of({130, 3}, {138, 3});
      find(searcher, engine.view(id), q, path);
      EXPECT_EQ(path.status, Status::not_loaded);
      EXPECT_EQ(path.size(), 1u);
    });
    EXPECT_GT(failures, 2);
  }
  int failures = every_failure([&](Failure& failure) {
    MapDef def;
    def.width = 140;
    def.height = 70;
    def.streamed = true;
    Engine engine;
    ProfileId id = 0;
    ASSERT_FALSE(engine.reset(def));
    ASSERT_FALSE(engine.add_profile(Profile(), &id));
    const std::vector<uint8_t> open(64 * 64, '.');
    ASSERT_FALSE(engine.map().provide_tile({0, 0}, open.data(), 64));
    ASSERT_FALSE(engine.commit());
    const View view = engine.view(id);
    Searcher searcher;
    Path path;
    failure.during([&] { find(searcher, view, query_of({3, 3}, {138, 3}), path); });
    EXPECT_EQ(path.status, failure.happened() ? Status::out_of_memory : Status::not_loaded);
    EXPECT_EQ(path.size(), failure.happened() ? 0u : 2u);
  });
  EXPECT_GT(failures, 2);
}

// Two profiles.
void fail_commits(const Board& board, const std::vector<Profile>& profiles) {
  const Batch batch(board);
  for (const bool first : {false, true}) {
    const int failures = every_failure([&](Failure& failure) {
      Engine engine;
      ProfileId ids[2] = {};
      ASSERT_FALSE(load(board, engine));
      for (int i = 0; i < 2; ++i) ASSERT_FALSE(engine.add_profile(profiles[size_t(i)], &ids[i]));
      uint64_t before[2] = {};
      if (!first) {
        ASSERT_FALSE(engine.commit());
        for (int i = 0; i < 2; ++i) before[i] = answer(engine.view(ids[i]));
      }
      ASSERT_FALSE(batch.apply(engine.map()));
      Fault f;
      failure.during([&] { f = engine.commit(); });
      expect_memory_fault(f, failure);
      if (f) {
        // The edits are pending still and the old views current.
        EXPECT_EQ(engine.map().version(), first ? 0u : 1u);
        EXPECT_TRUE(holds(engine.map(), batch.after));
        for (int i = 0; i < 2; ++i) {
          EXPECT_EQ(engine.view(ids[i]).empty(), first);
          EXPECT_TRUE(first || answer(engine.view(ids[i])) == before[i]);
        }
        ASSERT_FALSE(engine.commit());
      }
      EXPECT_EQ(engine.map().version(), first ? 1u : 2u);
      for (int i = 0; i < 2; ++i) {
        World fresh(batch.after, profiles[size_t(i)]);
        EXPECT_EQ(answer(engine.view(ids[i])), answer(fresh.view));
      }
    });
    EXPECT_GT(failures, 20);
  }
}

TEST(FailingAllocation, commit) {
  fail_commits(small_board(), {Profile(), profile_of(Moves::eight, Diagonal::always)});
}
TEST(FailingAllocation, commit_for_large_units) {
  Profile square, wide = profile_of(Moves::four);
  square.width = square.height = 2;
  wide.width = 5;
  wide.anchor = {3, 0};
  fail_commits(small_board(), {square, wide});
}
TEST(FailingAllocation, commit_with_many_pieces_a_tile) {
  fail_commits(checker_board(140, 70), {Profile(), profile_of(Moves::eight, Diagonal::always)});
}

// The board for the usual profile and another one.
void commit_for_two(const Board& board, const Profile& other, Engine& engine, ProfileId* ids) {
  ASSERT_FALSE(load(board, engine));
  ASSERT_FALSE(engine.add_profile(Profile(), &ids[0]));
  ASSERT_FALSE(engine.add_profile(other, &ids[1]));
  ASSERT_FALSE(engine.commit());
}

// Of a writer that has earlier versions to write into: neither Views that are held nor what later
// commits make of the spares notice.
TEST(FailingAllocation, commits_in_a_row) {
  Board board = small_board();
  board.add_weights(1);
  Profile square;
  square.width = square.height = 2;
  const int failures = every_failure([&](Failure& failure) {
    Engine engine;
    ProfileId ids[2] = {};
    Board after = board;
    commit_for_two(board, square, engine, ids);
    std::vector<std::pair<View, std::vector<uint8_t>>> held;
    const auto edit = [&](int i) {
      const Cell c{61 + i % 5, 30 + i / 5};
      after.at(c) = after.at(c) == '@' ? '.' : '@';
      ASSERT_FALSE(engine.map().set_terrain(c, after.at(c)));
      after.weight[after.index({70, 10})] = uint16_t(1 + i % 3);
      ASSERT_FALSE(engine.map().set_weight({70, 10}, uint16_t(1 + i % 3)));
    };
    const auto hold = [&](int i) {
      const View view = engine.view(ids[i % 2]);
      held.emplace_back(view, contents_of(view));
    };
    for (int i = 0; i < 8; ++i) {
      edit(i);
      ASSERT_FALSE(engine.commit());
      if (i == 2 || i == 3) hold(i);
    }
    edit(8);
    hold(0);
    Fault f;
    failure.during([&] { f = engine.commit(); });
    expect_memory_fault(f, failure);
    for (int i = 9; i < 13; ++i) {
      for (const auto& [view, contents] : held) EXPECT_TRUE(contents_of(view) == contents);
      if (i > 9) edit(i);
      ASSERT_FALSE(engine.commit());
      hold(i);
    }
    const View fresh[2] = {World(after, Profile()).view, World(after, square).view};
    for (int i = 0; i < 2; ++i) EXPECT_EQ(answer(engine.view(ids[i])), answer(fresh[i]));
  });
  EXPECT_GT(failures, 10);
}

// Of Views that nobody else has, whose tiles are written to where they stand.
TEST(FailingAllocation, commits_that_nobody_watches) {
  const Board board = small_board();
  for (const Cell at : {Cell{63, 30}, Cell{64, 31}, Cell{20, 20}, Cell{0, 0}}) {
    const int failures = every_failure([&](Failure& failure) {
      Engine engine;
      ProfileId ids[2] = {};
      Board after = board;
      commit_for_two(board, profile_of(Moves::eight, Diagonal::always), engine, ids);
      const auto toggle = [&] {
        after.at(at) = after.at(at) == '@' ? '.' : '@';
        ASSERT_FALSE(engine.map().set_terrain(at, after.at(at)));
      };
      for (int i = 0; i < 6; ++i) {
        toggle();
        ASSERT_FALSE(engine.commit());
      }
      std::vector<uint8_t> before[2];
      for (int i = 0; i < 2; ++i) before[i] = contents_of(engine.view(ids[i]));
      toggle();
      Fault f;
      failure.during([&] { f = engine.commit(); });
      expect_memory_fault(f, failure);
      for (int i = 0; f && i < 2; ++i)
        EXPECT_TRUE(contents_of(engine.view(ids[i])) == before[i]) << i;
      ASSERT_FALSE(engine.commit());
      toggle();
      ASSERT_FALSE(engine.commit());
      const View fresh[2] = {World(after, Profile()).view,
                             World(after, profile_of(Moves::eight, Diagonal::always)).view};
      for (int i = 0; i < 2; ++i) EXPECT_EQ(answer(engine.view(ids[i])), answer(fresh[i]));
    });
    EXPECT_GT(failures, 2);
  }
}

// Nothing is done by half: neither on the map nor in the log that records it.
TEST(FailingAllocation, obstacles_and_logs) {
  const Board board = small_board();
  std::vector<Cell> cells;
  for (int i = 0; i < 140; ++i) cells.push_back({i, i / 2});
  const int failures = every_failure([&](Failure& failure) {
    Engine engine;
    ProfileId id = 0;
    ASSERT_FALSE(load(board, engine));
    ASSERT_FALSE(engine.add_profile(Profile(), &id));
    ASSERT_FALSE(engine.commit());
    EditLog log;
    Fault f;
    failure.during([&] { f = engine.map().record(&log); });
    expect_memory_fault(f, failure);
    if (f) {
      ASSERT_FALSE(engine.map().record(&log));
    }
    const auto logged = [&] {
      World again(board, Profile());
      ASSERT_FALSE(again.engine.replay(log));
      for (size_t i = 0; i < board.size(); ++i)
        ASSERT_EQ(again.engine.map().terrain(board.cell(i)), engine.map().terrain(board.cell(i)));
    };
    ObstacleDef def;
    def.cells = cells.data();
    def.count = cells.size();
    ObstacleId obstacle = 0;
    if (!failure.happened()) {
      failure.during([&] { f = engine.map().add_obstacle(def, &obstacle); });
      expect_memory_fault(f, failure);
      EXPECT_EQ(obstacle == 0, failure.happened());
      EXPECT_EQ(holds(engine.map(), board), failure.happened());
    }
    if (obstacle == 0) {
      ASSERT_FALSE(engine.map().add_obstacle(def, &obstacle));
    }
    EXPECT_EQ(obstacle, 1u);
    ASSERT_FALSE(engine.commit());  // all tiles are shared again
    if (!failure.happened()) {
      failure.during([&] { f = engine.map().set_obstacle(obstacle, false); });
      expect_memory_fault(f, failure);
      EXPECT_EQ(engine.map().obstacle_present(obstacle), failure.happened());
      EXPECT_EQ(holds(engine.map(), board), !failure.happened());
    }
    logged();
    ASSERT_FALSE(engine.map().set_obstacle(obstacle, true));
    ASSERT_FALSE(engine.commit());
    if (!failure.happened()) {
      failure.during([&] { f = engine.map().remove_obstacle(obstacle); });
      expect_memory_fault(f, failure);
      EXPECT_EQ(engine.map().find_obstacle(""), 0u);
      EXPECT_EQ(engine.map().obstacle_present(obstacle), failure.happened());
      EXPECT_EQ(holds(engine.map(), board), !failure.happened());
    }
    logged();
  });
  EXPECT_GT(failures, 10);
}

TEST(FailingAllocation, find_with_a_cold_searcher) {
  Random random(133);
  Board board = small_board();
  Board weighted = board;
  sprinkle(random, weighted, "29", 60);
  Board uneven = weighted;
  for (uint8_t& t : uneven.terrain) t = t == '9' ? 'z' : t;
  Profile dear;
  dear.terrain_cost['z'] = 4000000000.0;  // a radix heap
  const World worlds[] = {World(board, Profile()), World(weighted, Profile()), World(uneven, dear)};
  const std::vector<Cell> goals = {{139, 69}, {3, 66}, {100, 2}};
  // The start in a wall of its own, where that is asked for.
  const std::vector<Cell> walls = {{0, 0}, {63, 3}, {64, 40}, {65, 41}, {20, 20}};
  std::vector<ExtraCost> dearer;
  for (int i = 0; i < 60; ++i) dearer.push_back({{2 * i, i}, 0.5});
  int failures = 0;
  for (const World& world : worlds) {
    for (SolverId solver = 0; solver < solver_count(); ++solver) {
      for (int kind = 0; kind < 9; ++kind) {
        if ((kind + solver) % (sampled() ? 6 : 3)) continue;
        Query q = query_of({0, 0}, {139, 69});
        q.solver = solver;
        q.allow_partial = q.snap_goal = kind == 1;
        if (kind == 2) q.goals = goals.data(), q.goal_count = goals.size();
        if (kind == 3) q.output = Output::waypoints;
        if (kind == 4) q.smooth = true, q.max_expansions = 100000;
        if (kind == 5) q.goal = {0, 0};
        if (kind >= 6) q.extra_blocked = walls.data(), q.extra_blocked_count = walls.size();
        if (kind >= 7) q.extra_costs = dearer.data(), q.extra_cost_count = dearer.size();
        if (kind == 7) q.escape_start = true;
        if (kind == 8) q.max_cost = 30, q.allow_partial = true;
        Path right;
        {
          Searcher searcher;
          find(searcher, world.view, q, right);
        }
        failures += every_failure([&](Failure& failure) {
          Searcher searcher;
          Path path;
          failure.during([&] { find(searcher, world.view, q, path); });
          if (!failure.happened()) {
            ASSERT_EQ(hash_of(path), hash_of(right));
            return;
          }
          ASSERT_EQ(path.status, Status::out_of_memory) << solver_info(solver).name << " " << kind;
          ASSERT_STRNE(path.message, "");
          ASSERT_EQ(path.size(), 0u);
          ASSERT_EQ(path.cost, 0);
          ASSERT_EQ(path.cost_units, 0u);
          // The same objects, now that there is memory.
          find(searcher, world.view, q, path);
          ASSERT_EQ(hash_of(path), hash_of(right)) << solver_info(solver).name << " " << kind;
        });
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_GT(failures, sampled() ? 150 : 500);
}

// Where jps keeps its nodes in another way.
TEST(FailingAllocation, jps_on_a_huge_map) {
  Board board(33 * 64, 33 * 64, '@');
  const Board part = small_board();
  for (size_t i = 0; i < part.size(); ++i)
    board.at({1000 + part.cell(i).x, 900 + part.cell(i).y}) = part.terrain[i];
  const World world(board, Profile());
  Path right;
  const Query q = query_of({1000, 900}, {1139, 969}, "jps");
  {
    Searcher searcher;
    find(searcher, world.view, q, right);
    EXPECT_EQ(right.status, Status::found);
    EXPECT_EQ(allocations_of([&] { find(searcher, world.view, q, right); }), 0u);
  }
  const int failures = every_failure([&](Failure& failure) {
    Searcher searcher;
    Path path;
    failure.during([&] { find(searcher, world.view, q, path); });
    EXPECT_EQ(path.status, failure.happened() ? Status::out_of_memory : Status::found);
    if (failure.happened()) find(searcher, world.view, q, path);
    ASSERT_EQ(hash_of(path), hash_of(right));
  });
  EXPECT_GT(failures, 10);
}

TEST(FailingAllocation, overlays_with_labels) {
  Board board(90, 70);
  for (int y = 10; y < 60; ++y) board.at({45, y}) = '@';
  const World world(board, Profile());
  const View view = indexed(world.view).view[0];
  // On the path, beside it, and both.
  const Cell walls[] = {{80, 3}, {20, 31}};
  const ExtraCost dearer[] = {{{70, 2}, 0.5}, {{21, 31}, 1}};
  for (int kind = 0; kind < 6; ++kind) {
    Query q = query_of({5, 30}, {85, 30});
    if (kind % 3 != 1) q.extra_blocked = walls, q.extra_blocked_count = kind < 3 ? 1 : 2;
    if (kind % 3 != 0) q.extra_costs = dearer, q.extra_cost_count = kind < 3 ? 1 : 2;
    const uint64_t right = hash_of(ask(view, q));
    EXPECT_GT(every_failure([&](Failure& failure) {
                Searcher searcher;
                Path path;
                failure.during([&] { find(searcher, view, q, path); });
                EXPECT_EQ(path.status == Status::out_of_memory, failure.happened()) << kind;
                find(searcher, view, q, path);
                EXPECT_EQ(hash_of(path), right) << kind;
              }),
              8);
  }
}

TEST(FailingAllocation, would_disconnect) {
  const World world(rooms_board(*std::make_unique<Random>(136), 150, 100, 12), Profile());
  std::vector<Cell> walls;
  for (int x = 10; x < 140; ++x) walls.push_back({x, 37});
  const CellPair pairs[] = {{{1, 1}, {148, 98}}, {{2, 1}, {60, 60}}};
  const int failures = every_failure([&](Failure& failure) {
    Searcher searcher;
    bool answer = false, right = false;
    size_t first = 0;
    Fault f;
    failure.during([&] {
      f = would_disconnect(searcher, world.view, walls.data(), walls.size(), pairs, 2, &answer,
                           &first);
    });
    expect_memory_fault(f, failure);
    EXPECT_FALSE(failure.happened() && answer);
    ASSERT_FALSE(would_disconnect(searcher, world.view, walls.data(), walls.size(), pairs, 2,
                                  &right, &first));
    EXPECT_TRUE(failure.happened() || answer == right);
  });
  EXPECT_GT(failures, 8);
}

TEST(FailingAllocation, replaces_the_last_answer) {
  World world(Rows{"...."});
  Searcher searcher;
  Path path;
  find(searcher, world.view, query_of({0, 0}, {3, 0}), path);
  ASSERT_EQ(path.status, Status::found);
  searcher.release();
  Failure failure(1, true);
  failure.during([&] { find(searcher, world.view, query_of({0, 0}, {3, 0}), path); });
  EXPECT_EQ(path.status, Status::out_of_memory);
  EXPECT_EQ(path.size(), 0u);
  EXPECT_EQ(path.cost, 0);
  EXPECT_EQ(path.cost_units, 0u);
  EXPECT_EQ(path.expanded, 0u);
}

TEST(FailingAllocation, in_the_middle_of_a_sliced_search) {
  const World world(small_board(), Profile());
  const Query q = query_of({0, 0}, {139, 69}, "astar");
  const uint64_t right = hash_of(ask(world.view, q));
  every_failure([&](Failure& failure) {
    Searcher searcher;
    Path path;
    failure.during([&] {
      searcher.begin(world.view, q, path);
      while (!searcher.step(7, path)) {
      }
    });
    EXPECT_EQ(path.status == Status::out_of_memory, failure.happened());
    EXPECT_TRUE(searcher.step(7, path)) << "a query that failed goes on";
    find(searcher, world.view, q, path);
    EXPECT_EQ(hash_of(path), right);
  });
}

TEST(FailingAllocation, a_trace_ends_and_the_search_goes_on) {
  const World world(small_board(), Profile());
  Query q = query_of({0, 0}, {139, 69}, "astar");
  const uint64_t right = hash_of(ask(world.view, q));
  Searcher searcher;
  Path path;
  find(searcher, world.view, q, path);  // warm: only the trace allocates
  int incomplete = 0;
  every_failure([&](Failure& failure) {
    Trace trace;
    q.trace = &trace;
    failure.during([&] { find(searcher, world.view, q, path); });
    EXPECT_EQ(hash_of(path), right);
    EXPECT_EQ(trace.complete(), !failure.happened());
    incomplete += !trace.complete();
    trace.clear();
    EXPECT_TRUE(trace.complete());
  });
  EXPECT_GT(incomplete, 4);
}

TEST(FailingAllocation, parse_map) {
  const Board board = small_board();
  std::string file = "type octile\nheight 70\nwidth 140\nmap\n";
  for (int y = 0; y < 70; ++y) {
    for (int x = 0; x < 140; ++x) file += char(board.at({x, y}));
    file += '\n';
  }
  const int failures = every_failure([&](Failure& failure) {
    Engine engine;
    ProfileId id = 0;
    ASSERT_FALSE(engine.reset(Board(5, 4).def));
    ASSERT_FALSE(engine.add_profile(Profile(), &id));
    ASSERT_FALSE(engine.commit());
    ASSERT_FALSE(engine.map().set_terrain({2, 2}, 'x'));
    Fault f;
    failure.during([&] { f = parse_map(file.data(), file.size(), MapDef(), engine); });
    expect_memory_fault(f, failure);
    if (f) {
      EXPECT_EQ(engine.map().width(), 5);
      EXPECT_EQ(engine.map().terrain({2, 2}), 'x');
      EXPECT_EQ(engine.view(id).width(), 5);
      ASSERT_FALSE(parse_map(file.data(), file.size(), MapDef(), engine));
    }
    EXPECT_TRUE(holds(engine.map(), board));
  });
  EXPECT_GT(failures, 5);
}

// ---------------------------------------------------------------------------------------------
// Reported cases (see reported_test.cpp) that need the counting allocator

TEST(Reported, zero_alloc_query) {
  Random random(134);
  World world(Board(64, 64), Profile());
  World walls(random_board(random, 64, 64, 30), Profile());
  Searcher searcher;
  Path path;
  std::vector<Query> queries;
  for (int i = 0; i < 1000; ++i) {
    queries.push_back(query_of(world.board.random_cell(random), world.board.random_cell(random)));
    find(searcher, world.view, queries.back(), path);
    find(searcher, walls.view, queries.back(), path);
  }
  const int rounds = sampled() ? 20 : 1000;
  EXPECT_EQ(allocations_of([&] {
              for (int i = 0; i < rounds; ++i)
                for (const Query& q : queries)
                  find(searcher, i % 10 ? world.view : walls.view, q, path);
            }),
            0u);
}

TEST(Reported, memory_per_cell) {
  Random random(135);
  for (const int percent : {0, 25}) {
    World world(random_board(random, 1000, 1000, percent), Profile());
    EXPECT_LE(double(world.view.memory().map_bytes) / 1e6, 4);
    Searcher searcher;
    Path path;
    std::vector<Query> queries;
    for (int i = 0; i < 20; ++i)
      queries.push_back(query_of(world.board.random_cell(random), world.board.random_cell(random)));
    for (const Query& q : queries) find(searcher, world.view, q, path);
    std::printf("1000 x 1000, %d %% walls: searcher %.2f bytes a cell\n", percent,
                double(searcher.memory_bytes()) / 1e6);
    // 16 bytes a cell, and the tiles that stick out over the edge.
    EXPECT_LE(double(searcher.memory_bytes()), 16.0 * 1024 * 1024 + 500000);
    EXPECT_EQ(allocations_of([&] {
                for (const Query& q : queries) find(searcher, world.view, q, path);
              }),
              0u);
  }
}

}  // namespace
}  // namespace octile::test
