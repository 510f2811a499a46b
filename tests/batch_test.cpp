// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Batches against find(), one query at a time: status, cost and legality; and against themselves,
// byte for byte, with other numbers of threads and other states of the cache.

#include "octile/batch.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "support.hpp"

namespace octile::test {
namespace {

std::vector<Path> answers(Batch& batch, const View& view, const std::vector<Query>& queries,
                          unsigned threads, size_t cache, BatchCounts* counts = nullptr) {
  BatchOptions options;
  options.threads = threads;
  options.cache_bytes = cache;
  std::vector<Path> paths(queries.size());
  const Fault fault =
      batch.run(view, queries.data(), queries.size(), options, paths.data(), counts);
  EXPECT_FALSE(fault) << fault.text;
  return paths;
}

uint64_t hash_of_all(const std::vector<Path>& paths) {
  uint64_t sum = 0;
  for (const Path& path : paths) sum = sum * 0x9e3779b97f4a7c15 + hash_of(path);
  return sum;
}

// Some goals and starts come often; some queries ask for what no field gives, or for nonsense.
std::vector<Query> some_queries(const Board& board, Random& random, int count) {
  std::vector<Query> queries;
  std::vector<Cell> often;
  for (int i = 0; i < 6; ++i) often.push_back(board.random_cell(random));
  for (int i = 0; i < count; ++i) {
    Query q = query_of(board.random_cell(random), board.random_cell(random));
    const int kind = random.below(10);
    if (kind < 4) q.goal = often[size_t(random.below(3))];
    if (kind >= 4 && kind < 7) q.start = often[size_t(3 + random.below(3))];
    if (kind == 7) q.allow_partial = true;
    if (kind == 8 && random.percent(30)) q.goal = {-3, 5};
    if (kind == 9 && random.percent(30)) q.output = Output::waypoints;
    if (random.percent(3)) q.max_expansions = 7;
    if (random.percent(2)) q.goal = q.start;
    if (random.percent(2)) q.snap_radius = -1;
    queries.push_back(q);
  }
  return queries;
}

void compare(const World& world, const View& view, const std::vector<Query>& queries,
             const std::vector<Path>& paths) {
  const Rules rules = world.rules();
  for (size_t i = 0; i < queries.size(); ++i) {
    const Path single = ask(view, queries[i]);
    const Path& path = paths[i];
    ASSERT_EQ(path.status, single.status) << shown(queries[i]) << "\n" << picture(world.board);
    ASSERT_STREQ(path.message, single.message);
    ASSERT_EQ(path.cost_units, single.cost_units) << shown(queries[i]);
    ASSERT_EQ(path.cost, single.cost) << shown(queries[i]);
    ASSERT_EQ(path.version, single.version);
    if (path.status != Status::found || queries[i].output != Output::cells) continue;
    const Walk w = walk(rules, cells_of(path));
    ASSERT_EQ(w.wrong, "") << shown(queries[i]) << "\n" << picture(world.board, &path);
    ASSERT_EQ(path.cells()[0], queries[i].start);
    ASSERT_EQ(path.cells()[path.size() - 1], queries[i].goal);
    ASSERT_EQ(path.goal_index, single.goal_index);
  }
}

TEST(Batch, equals_single_queries_for_all_rules) {
  Random random(540);
  size_t by_field = 0, by_search = 0;
  const std::vector<Profile> profiles = all_profiles();
  for (int round = 0; round < effort(60); ++round) {
    Board board =
        random_board(random, random.between(5, 90), random.between(5, 90), random.between(0, 40));
    if (round % 3 == 1) sprinkle(random, board, round % 2 ? "0123" : "1239", 50);
    Profile profile = profiles[size_t(round) % profiles.size()];
    if (round % 7 == 0) profile.width = 2;
    const World world(board, profile);
    const std::vector<Query> queries = some_queries(board, random, 300);
    Batch batch;
    BatchCounts counts;
    const std::vector<Path> paths = answers(batch, world.view, queries, 1, 0, &counts);
    compare(world, world.view, queries, paths);
    if (HasFailure()) return;
    ASSERT_EQ(counts.by_field + counts.by_search, queries.size());
    by_field += counts.by_field;
    by_search += counts.by_search;
  }
  EXPECT_GT(by_field, by_search / 4);
  EXPECT_GT(by_search, 0u);
}

TEST(Batch, threads_and_cache_change_nothing) {
  Random random(541);
  for (int round = 0; round < effort(3); ++round) {
    Board board = random_board(random, 100, 90, 20);
    if (round % 2) sprinkle(random, board, "12", 40);
    const World world(board, Profile());
    std::vector<View> views{world.view};
    if (world.view.uniform()) views.push_back(indexed(world.view).view[0]);
    for (const View& view : views) {
      const std::vector<Query> queries = some_queries(board, random, 800);
      Batch first;
      const uint64_t expected = hash_of_all(answers(first, view, queries, 1, 0));
      for (const unsigned threads : {1u, 2u, 4u, 8u}) {
        Batch batch;
        for (const size_t cache : {size_t{0}, size_t{1} << 30, size_t{1} << 30, size_t{70000}})
          ASSERT_EQ(hash_of_all(answers(batch, view, queries, threads, cache)), expected)
              << threads << " " << cache;
      }
    }
  }
}

// A hot cache over many edits against an empty one.
TEST(Batch, kept_fields_hold_after_edits) {
  Random random(542);
  size_t kept = 0, built = 0;
  for (int round = 0; round < effort(6); ++round) {
    Board board = random_board(random, 130, 70, 15);
    for (int x = 0; x < 130; ++x) board.at({x, 35}) = '@';  // two halves
    World world(board, all_profiles()[size_t(round) % 5]);
    std::vector<Query> queries = some_queries(board, random, 400);
    Batch hot;
    for (int edit = 0; edit < 25; ++edit) {
      BatchCounts counts;
      const uint64_t found = hash_of_all(answers(hot, world.view, queries, 2, 1 << 26, &counts));
      kept += counts.fields_kept;
      built += counts.fields_built;
      Batch cold;
      const std::vector<Path> paths = answers(cold, world.view, queries, 1, 0);
      ASSERT_EQ(found, hash_of_all(paths)) << round << " " << edit;
      if (edit % 8 == 0) compare(world, world.view, queries, paths);
      if (HasFailure()) return;
      const Cell at = board.random_cell(random);
      world.board.at(at) = world.board.at(at) == '.' ? '@' : '.';
      ASSERT_FALSE(world.engine.map().set_terrain(at, world.board.at(at)));
      world.commit();
    }
  }
  EXPECT_GT(kept, built / 8);
  EXPECT_GT(built, 0u);
}

TEST(Batch, the_cache_keeps_to_its_bytes) {
  Random random(543);
  const Board board = random_board(random, 100, 100, 10);
  const World world(board, Profile());
  Batch batch;
  for (int i = 0; i < 20; ++i)
    answers(batch, world.view, some_queries(board, random, 400), 1, size_t{1} << 30);
  const size_t large = batch.memory_bytes();
  const std::vector<Query> queries = some_queries(board, random, 400);
  answers(batch, world.view, queries, 1, 100000);
  EXPECT_LT(batch.memory_bytes() + 500000, large);
  batch.clear();
  EXPECT_EQ(batch.memory_bytes(), 0u);
}

// Fields of 20 goals, asked for one after the other: those that went last are at hand.
TEST(Batch, the_cache_forgets_what_was_asked_for_first) {
  const World world(Board(100, 100), Profile());
  const auto ask_for = [&](Batch& batch, int goal, size_t cache) {
    std::vector<Query> queries;
    for (int i = 0; i < 16; ++i) queries.push_back(query_of({i, 99}, {goal, 0}));
    BatchCounts counts;
    answers(batch, world.view, queries, 1, cache, &counts);
    EXPECT_EQ(counts.by_field, 16u);
    EXPECT_EQ(counts.fields_built + counts.fields_kept, 1u);
    return counts.fields_kept == 1;
  };
  Batch batch;
  ask_for(batch, 0, size_t{1} << 30);
  const size_t with = batch.memory_bytes();
  ask_for(batch, 0, 0);  // nothing may stay
  const size_t field = with - batch.memory_bytes();
  ASSERT_GT(field, 20000u);
  for (size_t room = 1; room <= 3; ++room) {
    const size_t cache = field * room + field / 2;
    Batch some;
    for (int goal = 0; goal < 20; ++goal) EXPECT_FALSE(ask_for(some, goal, cache));
    for (int goal = 20 - int(room); goal < 20; ++goal) EXPECT_TRUE(ask_for(some, goal, cache));
    // The one that would have been forgotten next is asked for: another one goes in its place.
    EXPECT_TRUE(ask_for(some, 20 - int(room), cache));
    EXPECT_FALSE(ask_for(some, 50, cache));
    EXPECT_EQ(ask_for(some, 20 - int(room), cache), room > 1);
    EXPECT_FALSE(ask_for(some, 0, cache));
  }
}

// A field where it takes about as long as the searches: 16 of them by jumps, 8 of any other kind.
TEST(Batch, fields_are_for_goals_asked_for_often) {
  Board weighted(60, 60), noise(60, 60);
  weighted.at({30, 30}) = '2';
  for (int y = 1; y < 60; y += 2)
    for (int x = 1; x < 60; x += 2) noise.at({x, y}) = '@';
  const World plain(Board(60, 60), Profile()), dear(weighted, Profile()), close(noise, Profile());
  Profile chebyshev;
  chebyshev.metric = Metric::chebyshev;
  const World other(Board(60, 60), chebyshev);
  const auto by_field = [](const World& world, int count) {
    std::vector<Query> queries;
    for (int i = 0; i < count; ++i) queries.push_back(query_of({i, 40}, {58, 2}));
    BatchCounts counts;
    Batch batch;
    compare(world, world.view, queries, answers(batch, world.view, queries, 1, 0, &counts));
    return counts.by_field == size_t(count);
  };
  for (const auto& [world, least] :
       {std::pair{&plain, 16}, std::pair{&dear, 8}, std::pair{&close, 8}, std::pair{&other, 8}}) {
    EXPECT_FALSE(by_field(*world, least - 1)) << least;
    EXPECT_TRUE(by_field(*world, least)) << least;
  }
}

// Without a cache the memory for one field serves all groups; with one, what finds no room.
TEST(Batch, fields_that_do_not_stay_share_their_memory) {
  const World world(Board(200, 200), Profile());
  std::vector<Query> queries;
  for (int goal = 0; goal < 30; ++goal)
    for (int i = 0; i < 32; ++i) queries.push_back(query_of({i, 199}, {goal * 5, 0}));
  Batch one, many, some;
  const std::vector<Query> first(queries.begin(), queries.begin() + 32);
  answers(one, world.view, first, 1, 0);
  BatchCounts counts;
  const uint64_t all = hash_of_all(answers(many, world.view, queries, 1, 0, &counts));
  EXPECT_EQ(counts.fields_built, 30u);
  EXPECT_LT(many.memory_bytes(), one.memory_bytes() + 200000);
  EXPECT_EQ(hash_of_all(answers(some, world.view, queries, 1, 500000, &counts)), all);
  EXPECT_LT(some.memory_bytes(), one.memory_bytes() + 700000);
  EXPECT_EQ(hash_of_all(answers(some, world.view, queries, 1, 500000, &counts)), all);
  EXPECT_GT(counts.fields_kept, 0u);
  EXPECT_LT(counts.fields_kept, 30u);
}

// One batch for several maps and profiles by turns: a field of another one is of no use.
TEST(Batch, kept_fields_of_other_maps_change_nothing) {
  Random random(544);
  const Board board = random_board(random, 60, 50, 15);
  Board weighted = board;
  sprinkle(random, weighted, "12", 40);
  const Board larger = random_board(random, 61, 50, 15);
  std::vector<std::unique_ptr<World>> worlds;
  for (const Board& b : {board, weighted, larger, random_board(random, 60, 50, 15)})
    for (const Profile& profile : {all_profiles()[0], all_profiles()[1]})
      worlds.push_back(std::make_unique<World>(b, profile));
  const std::vector<Query> queries = some_queries(board, random, 600);
  std::vector<uint64_t> cold;
  for (const auto& world : worlds) {
    Batch batch;
    cold.push_back(hash_of_all(answers(batch, world->view, queries, 1, 0)));
  }
  Batch hot;
  size_t kept = 0;
  for (int turn = 0; turn < effort(40); ++turn) {
    const size_t k = random.percent(50) ? size_t(random.below(int(worlds.size()))) : turn % 2;
    BatchCounts counts;
    ASSERT_EQ(hash_of_all(answers(hot, worlds[k]->view, queries, 2, size_t{1} << 26, &counts)),
              cold[k])
        << turn << " " << k;
    kept += counts.fields_kept;
  }
  EXPECT_GT(kept, 0u);
}

TEST(Batch, bad_calls_are_refused) {
  const World world(Rows{"...", "..."});
  Batch batch;
  Path path;
  const Query query = query_of({0, 0}, {2, 1});
  BatchOptions options;
  EXPECT_EQ(batch.run(View(), &query, 1, options, &path).status, Status::bad_argument);
  EXPECT_EQ(batch.run(world.view, nullptr, 1, options, &path).status, Status::bad_argument);
  EXPECT_EQ(batch.run(world.view, &query, 1, options, nullptr).status, Status::bad_argument);
  options.threads = 0;
  EXPECT_EQ(batch.run(world.view, &query, 1, options, &path).status, Status::bad_argument);
  options.threads = 65;
  EXPECT_EQ(batch.run(world.view, &query, 1, options, &path).status, Status::bad_argument);
  options.threads = 64;
  EXPECT_FALSE(batch.run(world.view, nullptr, 0, options, nullptr));
  EXPECT_FALSE(batch.run(world.view, &query, 1, options, &path));
  EXPECT_EQ(path.status, Status::found);
}

}  // namespace
}  // namespace octile::test
