// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Maps whose tiles come when they are wanted: a world that loads only what its queries ask for
// gives the answers of one that has everything.

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "octile/batch.hpp"
#include "octile/fields.hpp"
#include "octile/groups.hpp"
#include "support.hpp"

namespace octile::test {
namespace {

// A Board whose tiles the engine gets one by one.
struct Streamed {
  Board board;
  Engine engine;
  ProfileId id = 0;
  View view;

  Streamed(const Board& b, const Profile& profile) : board(b) {
    MapDef def = board.def;
    def.streamed = true;
    def.terrain = '.';
    EXPECT_FALSE(engine.reset(def));
    EXPECT_FALSE(engine.add_profile(profile, &id));
    commit();
  }
  void provide(Cell cell) {
    const Cell first = board.def.first_cell;
    const Cell corner{first.x + ((cell.x - first.x) & ~63), first.y + ((cell.y - first.y) & ~63)};
    const Fault f = engine.map().provide_tile(cell, &board.at(corner), size_t(board.width()));
    ASSERT_FALSE(f) << f.text;
    if (board.weight.empty()) return;
    const Rect r{corner.x, corner.y, std::min(64, first.x + board.width() - corner.x),
                 std::min(64, first.y + board.height() - corner.y)};
    ASSERT_FALSE(
        engine.map().stamp_weight(r, &board.weight[board.index(corner)], size_t(board.width())));
  }
  void provide_all() {
    const Cell first = board.def.first_cell;
    for (int y = 0; y < board.height(); y += 64)
      for (int x = 0; x < board.width(); x += 64)
        if (const Cell c{first.x + x, first.y + y}; !engine.map().loaded(c)) provide(c);
    commit();
  }
  void commit() {
    const Fault f = engine.commit();
    EXPECT_FALSE(f) << f.text;
    view = engine.view(id);
  }
  // Asks until an answer comes.
  Path ask_and_load(const Query& query, int* rounds = nullptr) {
    for (int round = 0;; ++round) {
      Path path = ask(view, query);
      if (rounds) *rounds = round;
      if (path.status != Status::not_loaded) return path;
      EXPECT_EQ(hash_of(path), hash_of(ask(view, query)));
      EXPECT_EQ(path.cost, 0);
      std::set<std::pair<int, int>> known;
      for (const Cell c : cells_of(path)) {
        EXPECT_FALSE(view.loaded(c));
        EXPECT_TRUE(view.contains(c));
        EXPECT_TRUE(known.emplace(c.x, c.y).second) << "named twice";
        if (testing::Test::HasFailure()) return path;
        provide(c);
      }
      EXPECT_FALSE(known.empty());
      if (known.empty()) return path;
      commit();
    }
  }
};

Board some_board(Random& random) {
  const int w = random.between(100, 330), h = random.between(100, 330);
  Board board = random.percent(30)   ? rooms_board(random, w, h, 21)
                : random.percent(30) ? one_wide_board(random, w, h, 900)
                                     : random_board(random, w, h, random.between(2, 40));
  board.def.first_cell = {random.between(-500, 500), random.between(-500, 500)};
  return board;
}

TEST(Streaming, lazy_answers_are_those_of_the_whole_map) {
  Random random(811);
  const std::vector<Profile> rules = all_profiles();
  uint64_t absent = 0, tiles = 0, answers[16] = {};
  for (int round = 0; round < (long_run() ? 2000 : effort(16)); ++round) {
    Board board = some_board(random);
    Profile profile = rules[size_t(random.below(int(rules.size())))];
    if (random.percent(30)) profile.width = random.between(1, 4);
    if (random.percent(30)) profile.height = random.between(1, 4);
    profile.anchor = {random.below(profile.width), random.below(profile.height)};
    if (random.percent(30)) sprinkle(random, board, "2345", 20);
    if (random.percent(20)) {
      board.add_weights(0.5);
      random_weights(random, board, 0.5, 9, false);
    }
    const World whole(board, profile);
    const Rules walked(board, profile);
    Streamed lazy(board, profile);
    tiles += lazy.view.absent_tiles();
    for (int i = 0; i < 12; ++i) {
      Query q = query_of(board.random_cell(random), board.random_cell(random));
      if (random.percent(70)) {  // most of them not far
        const Cell first = board.def.first_cell;
        q.goal = {
            std::clamp(q.start.x + random.between(-90, 90), first.x, first.x + board.width() - 1),
            std::clamp(q.start.y + random.between(-90, 90), first.y, first.y + board.height() - 1)};
      }
      const Cell goals[3] = {q.goal, board.random_cell(random), q.start};
      if (random.percent(15)) q.goals = goals, q.goal_count = size_t(random.between(1, 3));
      Cell blocked[6];
      for (Cell& c : blocked) c = board.random_cell(random);
      const ExtraCost extra[2] = {{board.random_cell(random), 3}, {q.goal, 0.5}};
      if (random.percent(20)) q.extra_blocked = blocked, q.extra_blocked_count = 6;
      if (random.percent(10)) q.extra_costs = extra, q.extra_cost_count = 2;
      q.snap_start = random.percent(40);
      q.snap_goal = random.percent(40);
      q.goal_cover = random.percent(20);
      q.allow_partial = random.percent(30);
      q.escape_start = random.percent(10);
      if (random.percent(20)) q.output = Output::waypoints;
      if (random.percent(10)) q.max_cost = random.between(1, 200);
      q.solver = judge();
      const Path right = ask(whole.view, q);
      q.solver = random.below(solver_count());
      const Path path = lazy.ask_and_load(q);
      const std::string text = std::string(solver_info(q.solver).name) + " " + shown(q) + " " +
                               name_of(profile) + " said " + name(path.status) + ", not " +
                               name(right.status);
      ++answers[size_t(path.status)];
      if (path.status == Status::limit_reached) {
        ASSERT_NE(right.status, Status::found) << text;  // no way is as cheap as that
        continue;
      }
      ASSERT_EQ(path.status, right.status) << text;
      ASSERT_NEAR(path.cost, right.cost, 1e-9 * right.cost) << text;
      ASSERT_EQ(path.size() != 0, right.size() != 0) << text;
      if (path.size() == 0) continue;
      ASSERT_EQ(path.cells()[path.size() - 1], right.cells()[right.size() - 1]) << text;
      if (q.escape_start || q.extra_cost_count || q.extra_blocked_count) continue;
      ASSERT_EQ(walk(walked, filled_in(path)).wrong, "") << text;
    }
    absent += lazy.view.absent_tiles();
    if (HasFatalFailure()) return;
  }
  // It would be no test if everything were loaded, or nothing were reached.
  EXPECT_GT(absent, tiles / 8);
  EXPECT_GT(answers[size_t(Status::found)], 5u);
}

// Whatever the rest of the map is like: no answer is given before it is sure.
TEST(Streaming, an_answer_does_not_depend_on_absent_tiles) {
  Random random(813);
  int answered = 0;
  for (int round = 0; round < effort(60); ++round) {
    Board board = some_board(random);
    Streamed lazy(board, Profile());
    Query q = query_of(board.random_cell(random), board.random_cell(random), "jps");
    q.goal = {(q.start.x + 3 * q.goal.x) / 4, (q.start.y + 3 * q.goal.y) / 4};
    if (!board.contains(q.goal)) continue;
    q.allow_partial = round % 2;
    const Path path = lazy.ask_and_load(q);
    // Another map with the same loaded tiles.
    for (int y = 0; y < board.height(); ++y) {
      for (int x = 0; x < board.width(); ++x) {
        const Cell c{board.def.first_cell.x + x, board.def.first_cell.y + y};
        if (!lazy.view.loaded(c)) board.at(c) = round % 3 && random.percent(40) ? '@' : '.';
      }
    }
    const World other(board, Profile());
    const Path right = ask(other.view, query_of(q.start, q.goal, "dijkstra"));
    if (q.allow_partial && path.status == Status::partial) {
      Query judged = q;
      judged.solver = judge();
      ASSERT_EQ(ask(other.view, judged).cost, path.cost);
      continue;
    }
    ASSERT_EQ(path.status, right.status) << shown(q) << path.message << picture(board);
    ASSERT_NEAR(path.cost, right.cost, 1e-9 * right.cost) << shown(q);
    answered += path.status == Status::found;
  }
  EXPECT_GT(answered, effort(60) / 8);
}

TEST(Streaming, smoothed_ways_keep_to_loaded_tiles) {
  Random random(815);
  for (int round = 0; round < effort(30); ++round) {
    const Board board = some_board(random);
    Streamed lazy(board, Profile());
    const Profile profile;
    const Rules rules(board, profile);
    Query q = query_of(board.random_cell(random), board.random_cell(random));
    q.output = Output::waypoints;
    q.smooth = true;
    const Path path = lazy.ask_and_load(q);
    for (size_t i = 1; i < path.size(); ++i) {
      const Cell a = path.cells()[i - 1], b = path.cells()[i];
      const bool grid =
          a.x == b.x || a.y == b.y || a.x - b.x == a.y - b.y || a.x - b.x == b.y - a.y;
      ASSERT_TRUE(grid || rules.line_of_sight(a, b)) << shown(q) << shown(a) << shown(b);
    }
  }
}

TEST(Streaming, bounded_solvers_keep_their_bound) {
  Random random(817);
  int found = 0;
  for (const char* solver : {"portals", "quadtree"}) {
    Board board = random_board(random, 640, 450, 25);
    const World whole(board, Profile());
    Streamed lazy(board, Profile());
    IndexOptions how;
    how.most = *solver == 'p' ? IndexKind::portals : IndexKind::quadtree;
    Index index;
    ASSERT_FALSE(build_index(lazy.view, how, &index));
    ASSERT_FALSE(lazy.engine.adopt(lazy.id, index));  // commits keep it
    lazy.view = lazy.engine.view(lazy.id);
    for (int i = 0; i < effort(8); ++i) {
      Query q = query_of(board.random_cell(random), board.random_cell(random), solver);
      const Path path = lazy.ask_and_load(q);
      q.solver = judge();
      const Path right = ask(whole.view, q);
      ASSERT_EQ(path.status, right.status);
      ASSERT_GE(path.cost, right.cost * (1 - 1e-12));
      ASSERT_LE(path.cost, right.cost * path.bound * (1 + 1e-9));
      if (path.size()) {
        EXPECT_EQ(walk(whole.rules(), cells_of(path)).wrong, "");
      }
      found += path.solver == solver_id(solver);
    }
  }
  EXPECT_GT(found, 0);
}

TEST(Streaming, labels_of_a_view_with_absent_tiles) {
  Random random(819);
  const Board board = rooms_board(random, 320, 192, 17);
  const World whole(board, Profile());
  Streamed lazy(board, Profile());
  for (int x : {0, 64, 128})
    for (int y : {0, 64, 128}) lazy.provide({x, y});
  lazy.commit();
  Index index;
  ASSERT_FALSE(build_index(lazy.view, IndexOptions(), &index));
  ASSERT_FALSE(lazy.engine.adopt(lazy.id, index));
  lazy.view = lazy.engine.view(lazy.id);
  int answered = 0, wanted = 0;
  Searcher searcher;
  for (int i = 0; i < 300; ++i) {
    const Query q = query_of(board.random_cell(random), board.random_cell(random), "labels");
    const Path path = ask(lazy.view, q), right = ask(whole.view, q);
    if (path.status == Status::not_loaded) {
      ++wanted;
      EXPECT_EQ(distance(searcher, lazy.view, q.start, q.goal), kWall);
      EXPECT_EQ(first_move(searcher, lazy.view, q.start, q.goal), q.start);
      continue;
    }
    ASSERT_EQ(path.status, right.status);
    ASSERT_EQ(path.cost, right.cost);
    answered += path.status == Status::found;
    if (path.status == Status::found) {
      EXPECT_EQ(distance(searcher, lazy.view, q.start, q.goal), right.cost);
    }
  }
  EXPECT_GT(answered, 20);
  EXPECT_GT(wanted, 20);
}

// ---------------------------------------------------------------------------------------------
// By hand

// Three tiles in a row; the middle one is closed by a wall with a gap at the bottom.
Board three_tiles() {
  Board board(192, 64);
  for (int y = 0; y < 60; ++y) board.at({96, y}) = '@';
  return board;
}

TEST(Streaming, what_is_wanted_comes_in_the_order_of_the_way) {
  Streamed lazy(three_tiles(), Profile());
  const Query q = query_of({5, 10}, {180, 10});
  const std::vector<Cell> start{{0, 0}}, rest{{64, 0}, {128, 0}};
  Path path = ask(lazy.view, q);
  EXPECT_EQ(path.status, Status::not_loaded);
  EXPECT_EQ(cells_of(path), start) << "the start comes first";
  EXPECT_STRNE(path.message, "");
  lazy.provide({5, 10});
  EXPECT_EQ(ask(lazy.view, q).status, Status::not_loaded) << "not before the commit";
  lazy.commit();
  path = ask(lazy.view, q);
  EXPECT_EQ(cells_of(path), rest);
  for (const Cell c : rest) lazy.provide(c);
  lazy.commit();
  EXPECT_EQ(lazy.view.absent_tiles(), 0u);
  path = ask(lazy.view, q);
  EXPECT_EQ(path.status, Status::found);
  const World whole(three_tiles(), Profile());
  EXPECT_EQ(path.cost, ask(whole.view, q).cost);
}

TEST(Streaming, no_path_needs_no_tile_beyond_the_walls) {
  Board board(192, 64);
  for (int y = 0; y < 64; ++y) board.at({70, y}) = '@';
  Streamed lazy(board, Profile());
  lazy.provide({0, 0});
  lazy.provide({64, 0});
  lazy.commit();
  // Only whether the goal is a wall is not known.
  const Query q = query_of({5, 5}, {150, 5});
  EXPECT_EQ(cells_of(ask(lazy.view, q)), (std::vector<Cell>{{128, 0}}));
  EXPECT_EQ(ask(lazy.view, query_of({5, 5}, {75, 5})).status, Status::no_path);
  EXPECT_EQ(ask(lazy.view, query_of({5, 5}, {70, 5})).status, Status::goal_blocked);
  EXPECT_EQ(ask(lazy.view, query_of({70, 5}, {75, 5})).status, Status::start_blocked);
  EXPECT_EQ(lazy.view.absent_tiles(), 1u);
}

// A diagonal step over the meeting of four tiles passes cells of the other two.
TEST(Streaming, corners_are_not_cut_through_absent_tiles) {
  Board board(128, 128);
  Streamed lazy(board, Profile());
  lazy.provide({0, 0});
  lazy.provide({64, 64});
  lazy.commit();
  const Path path = ask(lazy.view, query_of({63, 63}, {64, 64}));
  EXPECT_EQ(cells_of(path), (std::vector<Cell>{{64, 0}, {0, 64}}));
  // A large unit stands on all four.
  Profile wide;
  wide.width = wide.height = 2;
  ProfileId id = 0;
  ASSERT_FALSE(lazy.engine.add_profile(wide, &id));
  const Path covered = ask(lazy.engine.view(id), query_of({63, 63}, {10, 10}));
  EXPECT_EQ(cells_of(covered), (std::vector<Cell>{{64, 0}, {0, 64}}));
}

TEST(Streaming, steps_end_with_what_is_wanted) {
  Streamed lazy(three_tiles(), Profile());
  lazy.provide({0, 0});
  lazy.commit();
  Searcher searcher;
  Path path;
  searcher.begin(lazy.view, query_of({5, 10}, {180, 10}, "astar"), path);
  int steps = 0;
  while (!searcher.step(10, path)) ++steps;
  EXPECT_GT(steps, 2);
  EXPECT_EQ(path.status, Status::not_loaded);
  EXPECT_EQ(cells_of(path), (std::vector<Cell>{{64, 0}, {128, 0}}));
}

TEST(Streaming, absent_ground_must_be_the_cheapest) {
  Streamed lazy(Board(192, 64), profile_of(Moves::eight));
  lazy.provide({0, 0});
  lazy.commit();
  const Query q = query_of({3, 3}, {30, 3});
  EXPECT_EQ(ask(lazy.view, q).status, Status::found);
  ASSERT_FALSE(lazy.engine.map().set_terrain({9, 50}, '2'));
  lazy.commit();
  EXPECT_EQ(ask(lazy.view, q).status, Status::found);
  ASSERT_FALSE(lazy.engine.map().set_terrain({9, 50}, '0'));
  lazy.commit();
  const Path path = ask(lazy.view, q);
  EXPECT_EQ(path.status, Status::bad_argument);
  EXPECT_STREQ(path.message,
               "tiles are absent, and MapDef::terrain is not the cheapest for this profile");
  lazy.provide_all();
  EXPECT_EQ(ask(lazy.view, q).status, Status::found) << "nothing is absent any more";
  // For someone who cannot walk on it.
  Profile swimmer;
  swimmer.terrain_cost['.'] = kWall;
  swimmer.terrain_cost['W'] = 1;
  Streamed sea(Board(192, 64, 'W'), swimmer);
  sea.provide({0, 0});
  sea.commit();
  EXPECT_EQ(ask(sea.view, q).status, Status::bad_argument);
}

TEST(Streaming, what_is_refused) {
  Streamed lazy(three_tiles(), Profile());
  Map& map = lazy.engine.map();
  const uint8_t rock[64 * 64] = {};
  const auto status = [](const Fault& f) {
    EXPECT_TRUE(!f || *f.text) << "a message";
    return f.status;
  };
  EXPECT_FALSE(map.loaded({0, 0}));
  EXPECT_FALSE(map.loaded({-1, 0}));
  EXPECT_EQ(map.absent_tiles(), 3u);
  EXPECT_EQ(status(map.set_terrain({0, 0}, '@')), Status::not_loaded);
  EXPECT_EQ(status(map.fill({0, 0, 0, 0}, '@')), Status::found);
  ObstacleDef crate;
  crate.rect = {60, 0, 8, 2};
  ObstacleId id = 0;
  EXPECT_EQ(status(map.add_obstacle(crate, &id)), Status::not_loaded);
  EXPECT_EQ(status(map.save("never_made.tiles")), Status::not_loaded);
  EXPECT_EQ(status(map.release_tile({0, 0})), Status::bad_argument);
  EXPECT_EQ(status(map.provide_tile({0, 64}, rock, 64)), Status::bad_argument);
  EXPECT_EQ(status(map.provide_tile({0, 0}, nullptr, 64)), Status::bad_argument);
  lazy.provide({0, 0});
  EXPECT_EQ(status(map.provide_tile({63, 63}, rock, 64)), Status::bad_argument);
  EXPECT_EQ(status(map.fill({60, 0, 8, 2}, '@')), Status::not_loaded);
  EXPECT_EQ(map.terrain({60, 0}), '.') << "nothing of it was done";
  crate.present = false;
  EXPECT_EQ(status(map.add_obstacle(crate, &id)), Status::found);
  EXPECT_EQ(status(map.set_obstacle(id, true)), Status::not_loaded);
  lazy.provide({64, 0});
  EXPECT_EQ(status(map.set_obstacle(id, true)), Status::found);
  EXPECT_EQ(status(map.release_tile({0, 0})), Status::bad_argument) << "a crate lies there";
  EXPECT_EQ(status(map.set_obstacle(id, false)), Status::found);
  EXPECT_EQ(status(map.release_tile({0, 0})), Status::found);
  EXPECT_EQ(map.absent_tiles(), 2u);
  // What looks at more than one answer takes whole maps.
  lazy.commit();
  Searcher searcher;
  Field field;
  FieldMaker maker;
  const Cell goal{70, 3};
  FieldQuery fq;
  fq.goals = &goal;
  fq.goal_count = 1;
  EXPECT_EQ(status(maker.build(lazy.view, fq, &field)), Status::not_loaded);
  double out = 0;
  EXPECT_EQ(status(distances(searcher, lazy.view, &goal, 1, &goal, 1, &out)), Status::not_loaded);
  bool answer = false;
  EXPECT_EQ(status(would_disconnect(searcher, lazy.view, &goal, 1, nullptr, 0, &answer)),
            Status::not_loaded);
  GroupUnit unit;
  unit.cell = {0, 0};
  GroupSlot slot;
  EXPECT_EQ(
      status(order_group(searcher, &lazy.view, 1, &unit, 1, goal, GroupOptions(), &slot, nullptr)),
      Status::not_loaded);
  Streamed plain(Board(5, 5), Profile());
  ASSERT_FALSE(plain.engine.reset(Board(5, 5).def));
  EXPECT_EQ(status(plain.engine.map().provide_tile({0, 0}, rock, 64)), Status::bad_argument);
  EXPECT_TRUE(plain.engine.map().loaded({0, 0}));
  EXPECT_EQ(plain.engine.map().absent_tiles(), 0u);
}

TEST(Streaming, batches_ask_one_by_one) {
  Random random(821);
  const Board board = random_board(random, 320, 192, 20);
  Streamed lazy(board, Profile());
  for (int x : {0, 64, 128}) lazy.provide({x, 64});
  lazy.commit();
  std::vector<Query> queries;
  for (int i = 0; i < 40; ++i) queries.push_back(query_of(board.random_cell(random), {70, 70}));
  std::vector<Path> paths(queries.size());
  Batch batch;
  ASSERT_FALSE(batch.run(lazy.view, queries.data(), queries.size(), BatchOptions(), paths.data()));
  for (size_t i = 0; i < queries.size(); ++i)
    EXPECT_EQ(hash_of(paths[i]), hash_of(ask(lazy.view, queries[i])));
}

// ---------------------------------------------------------------------------------------------
// Tiles that come and go

TEST(Streaming, tiles_that_come_and_go_leave_the_map_as_if_made_anew) {
  Random random(823);
  for (const bool weights : {false, true}) {
    Board board = random_board(random, 300, 200, 30);
    if (weights) {
      board.add_weights(1);
      random_weights(random, board, 1, 50, false);
    }
    Streamed lazy(board, Profile());
    EditLog log;
    ASSERT_FALSE(lazy.engine.map().record(&log));
    for (int i = 0; i < 200; ++i) {
      const Cell c = board.random_cell(random);
      if (!lazy.engine.map().loaded(c)) {
        lazy.provide(c);
      } else if (random.percent(50)) {
        ASSERT_FALSE(lazy.engine.map().release_tile(c));
      } else {
        ASSERT_FALSE(lazy.engine.map().set_terrain(c, '@'));
        ASSERT_FALSE(lazy.engine.map().set_terrain(c, board.at(c)));
      }
      if (random.percent(60)) lazy.commit();
    }
    lazy.commit();
    Streamed fresh(board, Profile());
    for (size_t i = 0; i < board.size(); ++i)
      if (lazy.view.loaded(board.cell(i)) && !fresh.engine.map().loaded(board.cell(i)))
        fresh.provide(board.cell(i));
    fresh.commit();
    Streamed again(board, Profile());
    const Fault f = again.engine.replay(log);
    ASSERT_FALSE(f) << f.text;
    again.commit();
    const View replayed = again.engine.view(again.id);
    EXPECT_EQ(lazy.view.absent_tiles(), fresh.view.absent_tiles());
    EXPECT_EQ(lazy.view.absent_tiles(), replayed.absent_tiles());
    EXPECT_EQ(lazy.view.uniform(), fresh.view.uniform());
    for (size_t i = 0; i < board.size(); ++i) {
      const Cell c = board.cell(i);
      ASSERT_EQ(lazy.view.loaded(c), fresh.view.loaded(c));
      ASSERT_EQ(lazy.view.loaded(c), replayed.loaded(c));
      ASSERT_EQ(lazy.view.moves(c), fresh.view.moves(c));
      ASSERT_EQ(lazy.view.cost(c), fresh.view.cost(c));
      ASSERT_EQ(lazy.view.cost(c), replayed.cost(c));
    }
    for (size_t cut = 0; cut < log.size(); cut += log.size() / 7 + 1) {
      EditLog damaged;
      ASSERT_FALSE(damaged.assign(log.data(), cut));
      Streamed other(board, Profile());
      (void)other.engine.replay(damaged);  // refused or a part of it: no more is asked
    }
  }
}

TEST(Streaming, tiles_that_went_take_no_memory) {
  Random random(825);
  const Board board = random_board(random, 1280, 1280, 30);
  Streamed lazy(board, profile_of(Moves::eight, Diagonal::always));  // without dead pockets
  const LayerMemory empty = lazy.view.memory();
  lazy.provide_all();
  const LayerMemory full = lazy.view.memory();
  for (int y = 0; y < board.height(); y += 64)
    for (int x = 0; x < board.width(); x += 64)
      ASSERT_FALSE(
          lazy.engine.map().release_tile({board.def.first_cell.x + x, board.def.first_cell.y + y}));
  lazy.commit();
  const LayerMemory again = lazy.view.memory();
  EXPECT_GT(full.layer_bytes, empty.layer_bytes + 300 * 9000);
  EXPECT_EQ(again.map_bytes, empty.map_bytes);
  // Along the edge, where tiles are not like those in the open, labels of their own stay.
  EXPECT_LT(again.layer_bytes, empty.layer_bytes + 80 * 4300);
}

// One thread provides what the others have asked for.
TEST(Streaming, readers_ask_while_the_writer_provides) {
  Random random(827);
  const Board board = random_board(random, 640, 640, 25);
  const World whole(board, Profile());
  Streamed lazy(board, Profile());
  std::mutex mutex;
  View newest = lazy.view;
  std::set<std::pair<int, int>> wanted;
  std::atomic<int> left{4};
  std::vector<std::thread> readers;
  for (int t = 0; t < 4; ++t) {
    readers.emplace_back([&, t] {
      Random own(uint64_t(900 + t));
      Searcher searcher;
      Path path;
      for (int i = 0; i < effort(24); ++i) {
        const Query q = query_of(board.random_cell(own), board.random_cell(own));
        for (;;) {
          View view;
          {
            const std::lock_guard<std::mutex> lock(mutex);
            view = newest;
          }
          find(searcher, view, q, path);
          if (path.status != Status::not_loaded) break;
          const std::lock_guard<std::mutex> lock(mutex);
          for (const Cell c : cells_of(path)) wanted.emplace(c.x, c.y);
        }
        const Path right = ask(whole.view, q);
        EXPECT_EQ(path.status, right.status);
        EXPECT_EQ(path.cost, right.cost);
      }
      --left;
    });
  }
  while (left) {
    std::set<std::pair<int, int>> now;
    {
      const std::lock_guard<std::mutex> lock(mutex);
      now.swap(wanted);
    }
    for (const auto& [x, y] : now)
      if (!lazy.engine.map().loaded({x, y})) lazy.provide({x, y});
    lazy.commit();
    const std::lock_guard<std::mutex> lock(mutex);
    newest = lazy.view;
  }
  for (std::thread& t : readers) t.join();
}

// Tiles that were released beside loaded ones keep nothing for themselves when those go, too.
TEST(Streaming, a_window_that_moves_on_takes_no_more_and_more_memory) {
  constexpr int kTiles = 64;
  MapDef definition;
  definition.width = kTiles * 64;
  definition.height = 64;
  definition.streamed = true;
  Engine engine;
  ProfileId id = 0;
  ASSERT_FALSE(engine.reset(definition));
  ASSERT_FALSE(engine.add_profile(Profile(), &id));
  ASSERT_FALSE(engine.commit());
  std::vector<uint8_t> tile(64 * 64);
  for (size_t i = 0; i < tile.size(); ++i) tile[i] = i % 7 ? '.' : '@';
  size_t early = 0, late = 0;
  for (int c = 0; c < kTiles; ++c) {
    ASSERT_FALSE(engine.map().provide_tile({c * 64, 0}, tile.data(), 64));
    if (c >= 2) {
      ASSERT_FALSE(engine.map().release_tile({(c - 2) * 64, 0}));
    }
    ASSERT_FALSE(engine.commit());
    late = engine.view(id).memory().layer_bytes;
    if (c == 8) early = late;
  }
  EXPECT_LT(late, early + 20000);  // the labels of a tile take 4 KB
}
}  // namespace
}  // namespace octile::test
