// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Extra blocked and dearer cells of one query: in every solver as if the map had been edited, with
// every index, for every size of unit; and nothing is left over for the next query.

#include <gtest/gtest.h>

#include <cmath>

#include "support.hpp"

namespace octile::test {
namespace {

struct Lists {
  std::vector<Cell> blocked;
  std::vector<ExtraCost> dearer;

  void attach(Query* q) const {
    q->extra_blocked = blocked.data();
    q->extra_blocked_count = blocked.size();
    q->extra_costs = dearer.data();
    q->extra_cost_count = dearer.size();
  }
  // The board as the query sees it.
  Board edited(const Board& board, std::vector<double>* extra) const {
    Board out = board;
    extra->assign(board.size(), 0);
    for (const Cell c : blocked)
      if (board.contains(c)) out.at(c) = '@';
    for (const ExtraCost& e : dearer)
      if (board.contains(e.cell)) (*extra)[board.index(e.cell)] += e.cost;
    return out;
  }
};

Cell near_map(Random& random, const Board& board) {
  Cell c = board.random_cell(random);
  if (random.percent(5)) c.x += random.between(-board.width() - 2, board.width() + 2);
  return c;
}

Lists random_lists(Random& random, const Board& board, bool block, bool cost) {
  Lists lists;
  const int blocks = block ? random.between(0, 12) : 0, costs = cost ? random.between(0, 12) : 0;
  for (int i = 0; i < blocks; ++i) {
    // Single cells, and walls that cut a map.
    const Cell c = near_map(random, board);
    const int length = random.percent(30) ? random.between(2, 30) : 1;
    for (int k = 0; k < length; ++k)
      lists.blocked.push_back(random.percent(50) ? Cell{c.x + k, c.y} : Cell{c.x, c.y + k});
  }
  const double choice[] = {0, 1, 2, 0.5, 0.125, 3.75, 100, 0.001};
  for (int i = 0; i < costs; ++i) {
    const Cell c = near_map(random, board);
    for (int k = random.between(1, 20); k > 0; --k)
      lists.dearer.push_back({{c.x + random.below(5), c.y + random.below(5)},
                              choice[random.below(random.percent(50) ? 3 : 8)]});
  }
  return lists;
}

TEST(Overlay, solvers_answer_as_if_the_map_were_edited) {
  Random random(411);
  int found = 0, no_path = 0, partial = 0, sized = 0;
  for (int round = 0; round < effort(220); ++round) {
    const int widths[] = {5, 12, 30, 63, 64, 65, 100};
    Board board = random_board(random, widths[random.below(7)], widths[random.below(7)],
                               random.between(0, 25));
    if (round % 3 == 1) sprinkle(random, board, "0123579", 60);
    if (round % 7 == 2) random_weights(random, board, 0.25, 40, false);
    board.def.first_cell = {random.between(-100, 100), random.between(-100, 100)};
    const std::vector<Profile> all = all_profiles();
    Profile profile =
        round % 2 ? profile_of(Moves::eight) : all[size_t(random.below(int(all.size())))];
    if (random.percent(40)) {
      profile.width = random.between(1, 3);
      profile.height = random.between(1, 3);
      profile.anchor = {random.below(profile.width), random.below(profile.height)};
    }
    World world(board, profile);
    for (int i = 0; i < 10; ++i) {
      const Lists lists = random_lists(random, board, i % 3 != 1, i % 3 != 0);
      std::vector<double> extra;
      const Board edited = lists.edited(board, &extra);
      Rules rules(edited, profile);
      rules.extra = &extra;
      Query q = query_of(board.random_cell(random), board.random_cell(random));
      std::vector<Cell> goals;
      lists.attach(&q);
      q.snap_start = random.percent(40);
      q.snap_goal = random.percent(40);
      q.allow_partial = random.percent(25);
      q.goal_cover = random.percent(15);
      q.escape_start = random.percent(15);
      if (random.percent(15)) {
        for (int k = 0; k < 4; ++k) goals.push_back(board.random_cell(random));
        q.goals = goals.data();
        q.goal_count = goals.size();
      }
      if (random.percent(15)) q.max_cost = random.between(0, 60);
      rules.escape = q.escape_start && !rules.free(q.start);
      Path judged;
      compare_solvers(rules, world.view, q, &judged);
      found += judged.status == Status::found;
      no_path += judged.status == Status::no_path;
      partial += judged.status == Status::partial;
      sized += judged.status == Status::found && profile.width * profile.height > 1;
      if (judged.status != Status::found || q.goals || q.goal_cover || q.snap_start || q.snap_goal)
        continue;
      const double right = rules.distances(q.start)[board.index(q.goal)];
      ASSERT_NEAR(judged.cost, right, 1e-9 * (1 + right)) << shown(q);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(found, effort(220) * 3);
  EXPECT_GT(no_path, effort(220) / 2);
  EXPECT_GT(partial, effort(220) / 3);
  EXPECT_GT(sized, effort(220) / 2);
}

// Blocked cells are walls in the units of the map: the very answer of a map edited so.
TEST(Overlay, blocked_cells_give_the_cost_of_an_edited_map) {
  Random random(412);
  for (int round = 0; round < effort(40); ++round) {
    const Board board = random_board(random, 80, 70, 20);
    World world(board, Profile());
    const Lists lists = random_lists(random, board, true, false);
    std::vector<double> extra;
    World edited(lists.edited(board, &extra), Profile());
    for (int i = 0; i < 10; ++i) {
      Query q = query_of(board.random_cell(random), board.random_cell(random));
      for (const char* solver : {"auto", "jps", "astar", "dijkstra"}) {
        q.solver = solver_id(solver);
        const Path right = ask(edited.view, q);
        Query over = q;
        lists.attach(&over);
        for (const View& view :
             {world.view, indexed(world.view).view[0], indexed(world.view).view[1]}) {
          const Path path = ask(view, over);
          ASSERT_EQ(path.status, right.status) << shown(over);
          ASSERT_EQ(path.cost_units, right.cost_units) << shown(over);
        }
      }
    }
  }
}

TEST(Overlay, labels_answer_where_their_path_is_untouched) {
  World world(Board(100, 80), Profile());
  for (int i = 0; i < 2; ++i) {
    const View view = indexed(world.view).view[i];
    const char* by_index = i == 0 ? "labels" : "subgoal";
    Query q = query_of({5, 5}, {50, 5});
    const Cell wall[] = {{20, 5}};
    const ExtraCost dear[] = {{{20, 5}, 3}};
    q.extra_blocked = wall;
    q.extra_blocked_count = 1;
    Path path = ask(view, q);
    EXPECT_STRNE(solver_info(path.solver).name, by_index);
    EXPECT_NEAR(path.cost, 43 + 2 * std::sqrt(2.0), 1e-9);
    // Beside the path, but a corner of none of its diagonal steps.
    const Cell aside[] = {{20, 6}};
    q.extra_blocked = aside;
    path = ask(view, q);
    EXPECT_STREQ(solver_info(path.solver).name, by_index);
    EXPECT_EQ(path.cost, 45);
    // Dearer cells, on it and beside it.
    q.extra_blocked_count = 0;
    q.extra_costs = dear;
    q.extra_cost_count = 1;
    path = ask(view, q);
    EXPECT_STREQ(solver_info(path.solver).name, "astar");
    EXPECT_NEAR(path.cost, 43 + 2 * std::sqrt(2.0), 1e-7);
    const ExtraCost beside[] = {{{20, 7}, 3}};
    q.extra_costs = beside;
    path = ask(view, q);
    EXPECT_STREQ(solver_info(path.solver).name, by_index);
    EXPECT_EQ(path.cost, 45);
    q.solver = judge();
    EXPECT_EQ(ask(view, q).cost_units, path.cost_units);
    // A limit below it, and one that lets it pass.
    q.solver = kAuto;
    q.max_cost = 44.5;
    EXPECT_EQ(ask(view, q).status, Status::limit_reached);
    q.max_cost = 45;
    EXPECT_EQ(ask(view, q).status, Status::found);
    // A diagonal whose corner is closed.
    Query d = query_of({5, 5}, {15, 15});
    const Cell corner[] = {{10, 9}};
    d.extra_blocked = corner;
    d.extra_blocked_count = 1;
    path = ask(view, d);
    EXPECT_STRNE(solver_info(path.solver).name, by_index);
    EXPECT_NEAR(path.cost, 9 * std::sqrt(2.0) + 2, 1e-9);
  }
}

// Dead pockets of the map are none when the way past them is closed.
TEST(Overlay, a_pocket_may_be_the_only_way) {
  const World world(Rows{
      "##############",
      "#............#",
      "######.#.#####",
      "######.#.#####",
      "######...#####",
      "##############",
  });
  Query q = query_of({1, 1}, {12, 1}, "jps");
  const Cell wall[] = {{7, 1}};
  q.extra_blocked = wall;
  q.extra_blocked_count = 1;
  Path path = ask(world.view, q);
  ASSERT_EQ(path.status, Status::found);
  EXPECT_EQ(path.cost, 5 + 3 + 2 + 3 + 4);
}

TEST(Overlay, lists_that_change_nothing_change_nothing) {
  const World world(Rows{".....", ".@@..", "....."});
  const Query plain = query_of({0, 0}, {4, 2});
  const uint64_t hash = hash_of(ask(world.view, plain));
  Query q = plain;
  const Cell walls[] = {{1, 1}, {-5, 0}, {5, 0}, {INT32_MAX, INT32_MIN}, {2, 1}};
  const ExtraCost costs[] = {{{1, 1}, 5}, {{-1, 0}, 5}, {{0, 0}, 0}, {{3, 1}, 0}};
  q.extra_blocked = walls;
  q.extra_blocked_count = 5;
  q.extra_costs = costs;
  q.extra_cost_count = 4;
  EXPECT_EQ(hash_of(ask(world.view, q)), hash);
  // Lists that are named but empty.
  q.extra_blocked_count = q.extra_cost_count = 0;
  EXPECT_EQ(hash_of(ask(world.view, q)), hash);
}

TEST(Overlay, ends_may_be_blocked) {
  const World world(Rows{".....", ".....", "....."});
  Query q = query_of({0, 0}, {4, 2});
  const Cell walls[] = {{0, 0}};
  q.extra_blocked = walls;
  q.extra_blocked_count = 1;
  for (q.solver = 0; q.solver < solver_count(); ++q.solver) {
    EXPECT_EQ(ask(world.view, q).status, Status::start_blocked);
    std::swap(q.start, q.goal);
    EXPECT_EQ(ask(world.view, q).status, Status::goal_blocked);
    std::swap(q.start, q.goal);
  }
  q.solver = kAuto;
  q.snap_start = true;
  EXPECT_EQ(ask(world.view, q).cells()[0], (Cell{1, 0}));
  q.escape_start = true;
  EXPECT_EQ(ask(world.view, q).cells()[0], (Cell{0, 0}));
}

TEST(Overlay, costs_add_up_and_have_three_decimals) {
  const World world(Rows{"...", "@@.", "..."});
  Query q = query_of({0, 0}, {0, 2});
  const ExtraCost costs[] = {{{2, 1}, 0.125}, {{2, 1}, 1}, {{2, 1}, 0.001}};
  q.extra_costs = costs;
  q.extra_cost_count = 3;
  for (q.solver = 0; q.solver < solver_count(); ++q.solver)
    EXPECT_DOUBLE_EQ(ask(world.view, q).cost, 2 + 1 + 1 + 2 + 1.126);
  // Larger than any sum can be.
  const ExtraCost huge[] = {{{2, 1}, 4294967295.0}, {{1, 0}, 0.001}};
  q.extra_costs = huge;
  q.extra_cost_count = 2;
  q.solver = kAuto;
  const Path path = ask(world.view, q);
  EXPECT_EQ(path.status, Status::found);
  EXPECT_NEAR(path.cost, 4294967301.001, 1e-3);
}

TEST(Overlay, costs_beyond_63_bits_are_refused) {
  // 4e9 times 60,000, with a scale of 0.001: as whole numbers 2.4e14 units, times 8,119 for a
  // diagonal step. An extra cost in thousandths asks for a unit a thousand times finer.
  Profile profile;
  profile.terrain_cost['G'] = 4000000000.0;
  Board board(Rows{"..G", "..."});
  board.add_weights(0.001);
  for (uint16_t& w : board.weight) w = 60000;
  World world(board, profile);
  Query q = query_of({0, 0}, {2, 1});
  ASSERT_EQ(ask(world.view, q).status, Status::found);
  ExtraCost cost{{1, 0}, 0.001};
  q.extra_costs = &cost;
  q.extra_cost_count = 1;
  EXPECT_EQ(ask(world.view, q).status, Status::found);
  // So many of them that a cell cannot hold them.
  std::vector<ExtraCost> many(1000, ExtraCost{{1, 0}, 4294967295.0});
  many.push_back({{1, 0}, 0.001});
  q.extra_costs = many.data();
  q.extra_cost_count = many.size();
  for (q.solver = 0; q.solver < solver_count(); ++q.solver) {
    const Path path = ask(world.view, q);
    EXPECT_EQ(path.status, Status::bad_argument);
    EXPECT_STRNE(path.message, "");
  }
}

// One Searcher, overlays and none in turn, on Views of different sizes.
TEST(Overlay, leaves_nothing_behind) {
  Random random(413);
  std::vector<std::unique_ptr<World>> worlds;
  for (int i = 0; i < 3; ++i)
    worlds.push_back(
        std::make_unique<World>(random_board(random, 40 + 50 * i, 90 - 20 * i, 20), Profile()));
  Searcher searcher;
  Path path;
  for (int i = 0; i < 300; ++i) {
    const World& world = *worlds[size_t(random.below(3))];
    const Lists lists = random_lists(random, world.board, i % 2, i % 3 == 0);
    Query q = query_of(world.board.random_cell(random), world.board.random_cell(random));
    q.solver = random.below(solver_count());
    lists.attach(&q);
    Searcher fresh;
    Path right;
    find(fresh, world.view, q, right);
    find(searcher, world.view, q, path);
    ASSERT_EQ(hash_of(path), hash_of(right)) << shown(q);
  }
}

// In slices the lists must live, and the answer is the same.
TEST(Overlay, steps) {
  Random random(414);
  const Board board = random_board(random, 90, 90, 25);
  const World world(board, Profile());
  for (int i = 0; i < 40; ++i) {
    const Lists lists = random_lists(random, board, true, i % 2);
    Query q = query_of(board.random_cell(random), board.random_cell(random));
    q.snap_start = q.snap_goal = true;
    lists.attach(&q);
    const Path whole = ask(world.view, q);
    Searcher searcher;
    Path path;
    searcher.begin(world.view, q, path);
    while (!searcher.step(7, path)) {
    }
    ASSERT_EQ(hash_of(path), hash_of(whole)) << shown(q);
  }
}

}  // namespace
}  // namespace octile::test
