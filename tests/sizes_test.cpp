// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Units larger than a cell, in every solver: against the judge, which walks their cells on the raw
// map, and against the Rules of the tests, which do so once more. Sizes, anchors, goal_cover,
// escape_start, weights, edits, several profiles on one map.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>

#include "engine/view.hpp"
#include "support.hpp"

namespace octile::test {
namespace {

Profile sized(Profile p, int width, int height, Cell anchor = {0, 0}) {
  p.width = width;
  p.height = height;
  p.anchor = anchor;
  return p;
}
Profile random_size(Random& random, Profile p, int most) {
  p.width = random.between(1, most);
  p.height = random.between(1, most);
  p.anchor = {random.below(p.width), random.below(p.height)};
  return p;
}

// The judge's cost against distances found without the engine.
void expect_cost(const Rules& rules, const Query& q, const Path& judged) {
  if (judged.status != Status::found || q.goals || q.goal_cover) return;
  const double right = rules.distances(q.start)[rules.board().index(q.goal)];
  EXPECT_NEAR(judged.cost, right, 1e-9 * (1 + right)) << shown(q);
}

// What a query of passable ends must answer, by the Rules alone.
Status expected_status(const Rules& rules, const Query& q) {
  if (!rules.free(q.start)) return Status::start_blocked;
  if (!rules.free(q.goal)) return Status::goal_blocked;
  return rules.distances(q.start)[rules.board().index(q.goal)] == kWall ? Status::no_path
                                                                        : Status::found;
}

// ---------------------------------------------------------------------------------------------

// Every map of 4 x 3 cells (each 5th in the quick tier), every pair, all sizes up to 3 x 3 with all
// anchors, every diagonal policy, every solver.
TEST(Sizes, every_small_map) {
  constexpr int kWidth = 4, kHeight = 3, kCells = kWidth * kHeight;
  std::vector<Profile> profiles;
  for (int w = 1; w <= 3; ++w)
    for (int h = 1; h <= 3; ++h)
      for (int ax = 0; ax < w; ++ax)
        for (int ay = 0; ay < h; ++ay)
          for (const Diagonal diagonal : {Diagonal::always, Diagonal::at_most_one_obstacle,
                                          Diagonal::no_obstacles, Diagonal::never})
            profiles.push_back(sized(profile_of(Moves::eight, diagonal), w, h, {ax, ay}));
  Engine engine;
  ASSERT_FALSE(engine.reset(Board(kWidth, kHeight).def));
  std::vector<ProfileId> ids(profiles.size());
  for (size_t i = 0; i < profiles.size(); ++i)
    ASSERT_FALSE(engine.add_profile(profiles[i], &ids[i]));
  Searcher searcher;
  Path path;
  int64_t compared = 0, found = 0;
  const uint32_t stride = long_run() ? 1 : sampled() ? 331 : 37;
  for (uint32_t walls = 0; walls < 1u << kCells; walls += stride) {
    Board board(kWidth, kHeight);
    for (int i = 0; i < kCells; ++i) {
      board.terrain[size_t(i)] = walls >> i & 1 ? '@' : '.';
      engine.map().set_terrain(board.cell(size_t(i)), board.terrain[size_t(i)]);
    }
    ASSERT_FALSE(engine.commit());
    for (size_t p = 0; p < profiles.size(); ++p) {
      const Rules rules(board, profiles[p]);
      const View view = engine.view(ids[p]);
      for (size_t s = 0; s < kCells; ++s) {
        const Cell start = board.cell(s);
        ASSERT_EQ(view.passable(start), rules.free(start)) << name_of(profiles[p]);
        ASSERT_EQ(view.moves(start), rules.free(start) ? rules.moves(start) : 0);
        const std::vector<double> distance = rules.distances(start);
        for (size_t g = 0; g < kCells; ++g) {
          Query q = query_of(start, board.cell(g));
          const Status status = !rules.free(start)     ? Status::start_blocked
                                : !rules.free(q.goal)  ? Status::goal_blocked
                                : distance[g] == kWall ? Status::no_path
                                                       : Status::found;
          for (SolverId solver = 0; solver < solver_count(); ++solver) {
            q.solver = solver;
            find(searcher, view, q, path);
            ++compared;
            const bool right =
                path.status == status &&
                (status != Status::found || (std::fabs(path.cost - distance[g]) < 1e-9 &&
                                             walk(rules, cells_of(path)).wrong.empty()));
            ASSERT_TRUE(right) << solver_info(solver).name << " " << name_of(profiles[p]) << " "
                               << shown(q) << ": " << name(path.status) << " " << path.cost
                               << ", not " << name(status) << " " << distance[g] << "\n"
                               << picture(board, &path);
            found += status == Status::found;
          }
        }
      }
    }
  }
  EXPECT_GT(found, compared / 200);
  EXPECT_GT(compared, sampled() ? 1'000'000 : 5'000'000);
}

// Larger maps, whose tiles the units reach across; all kinds of queries.
TEST(Sizes, solvers_agree_on_random_maps) {
  Random random(401);
  int found = 0, compared = 0;
  for (int round = 0; round < effort(160); ++round) {
    const int widths[] = {20, 63, 64, 65, 66, 90, 130};
    Board board = random_board(random, widths[random.below(7)], widths[random.below(7)],
                               random.between(0, 18));
    if (round % 3 == 1) sprinkle(random, board, "0123579", 60);
    if (round % 9 == 2) random_weights(random, board, 0.5, 40, random.percent(30));
    board.def.first_cell = {random.between(-100, 100), random.between(-100, 100)};
    const std::vector<Profile> all = all_profiles();
    const Profile profile = random_size(random, all[size_t(random.below(int(all.size())))], 5);
    World world(board, profile);
    const Rules rules = world.rules();
    for (int i = 0; i < 12; ++i) {
      Query q = query_of(board.random_cell(random), board.random_cell(random));
      std::vector<Cell> goals;
      q.snap_start = random.percent(70);
      q.snap_goal = random.percent(40);
      q.allow_partial = random.percent(25);
      q.goal_cover = random.percent(30);
      if (random.percent(20)) {
        for (int k = 0; k < 4; ++k) goals.push_back(board.random_cell(random));
        q.goals = goals.data();
        q.goal_count = goals.size();
      }
      if (random.percent(10)) q.max_cost = random.between(0, 60);
      Path judged;
      compared += compare_solvers(rules, world.view, q, &judged);
      found += judged.status == Status::found;
      if (!q.snap_start && !q.snap_goal && q.max_cost == kWall) expect_cost(rules, q, judged);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(found, effort(160) * 4);
  EXPECT_GT(compared, effort(160) * 80);
}

// As wide as a tile: a place depends on all nine tiles round it.
TEST(Sizes, up_to_a_whole_tile) {
  Random random(402);
  int fits = 0;
  for (const auto& [w, h] : {std::pair{64, 64}, {64, 1}, {1, 64}, {33, 17}, {63, 64}}) {
    for (int round = 0; round < 2; ++round) {
      Board board(200, 170);
      for (int i = 0; i < 12; ++i) board.at(board.random_cell(random)) = '@';
      if (round == 1) sprinkle(random, board, "234", 1);
      const Profile profile = sized(Profile(), w, h, {random.below(w), random.below(h)});
      World world(board, profile);
      const Rules rules = world.rules();
      // The rules look at every cell under the unit: slow where they are watched, and not compared.
      for (size_t i = 0; i < board.size(); i += sampled() ? 61 : 7) {
        const Cell c = board.cell(i);
        ASSERT_EQ(world.view.passable(c), rules.free(c)) << shown(c) << name_of(profile);
        if (rules.free(c)) {
          ASSERT_EQ(world.view.cost(c), rules.factor(c)) << shown(c) << name_of(profile);
          ++fits;
        }
      }
    }
  }
  EXPECT_GT(fits, sampled() ? 100 : 1000);
}

TEST(Sizes, indexes_serve_them) {
  Random random(403);
  for (int round = 0; round < effort(12); ++round) {
    const Board board = random_board(random, 100, 90, 6);
    World world(board, random_size(random, profile_of(Moves::eight), 3));
    const Rules rules = world.rules();
    const View with = indexed(world.view).view[0];
    ASSERT_EQ(with.index().info().kind, IndexKind::tile_labels);
    for (int i = 0; i < effort(80); ++i) {
      Query q = query_of(board.random_cell(random), board.random_cell(random));
      compare_solvers(rules, world.view, q);
      const Path path = ask(with, q);
      ASSERT_EQ(path.status, expected_status(rules, q)) << shown(q);
      if (path.status != Status::found) continue;
      EXPECT_STREQ(solver_info(path.solver).name, "labels");
    }
    // Of another size: another map.
    Profile other = world.profile;
    other.width = 4;
    const World wider(board, other);
    View out;
    EXPECT_EQ(wider.view.with_index(with.index(), &out).status, Status::stale_index);
  }
}

// ---------------------------------------------------------------------------------------------

TEST(GoalCover, any_place_on_the_goal_will_do) {
  World world(Board(8, 5), sized(profile_of(Moves::four), 2, 2));
  Query q = query_of({0, 0}, {7, 4});
  EXPECT_EQ(ask(world.view, q).status, Status::goal_blocked);
  q.goal_cover = true;
  for (q.solver = 0; q.solver < solver_count(); ++q.solver) {
    const Path path = ask(world.view, q);
    ASSERT_EQ(path.status, Status::found);
    EXPECT_EQ(path.cost, 9);
    EXPECT_EQ(path.cells()[path.size() - 1], (Cell{6, 3}));
  }
  // Already on it.
  q.solver = kAuto;
  q.start = {6, 3};
  EXPECT_EQ(ask(world.view, q).size(), 1u);
}

TEST(GoalCover, the_goal_of_the_list_is_named) {
  World world(Rows{"......#..", "......#..", "..##..#..", "......#..", "......#.."},
              sized(Profile(), 2, 2, {1, 1}));
  const Cell goals[] = {{8, 0}, {5, 4}, {0, 4}};
  Query q = query_of({1, 1}, {0, 0});
  q.goals = goals;
  q.goal_count = 3;
  q.goal_cover = true;
  Path judged;
  compare_solvers(world.rules(), world.view, q, &judged);
  EXPECT_EQ(judged.status, Status::found);
  EXPECT_EQ(judged.goal_index, 2u);
  q.goal_count = 1;  // beyond the wall
  EXPECT_EQ(ask(world.view, q).status, Status::no_path);
  q.allow_partial = true;
  compare_solvers(world.rules(), world.view, q, &judged);
  EXPECT_EQ(judged.status, Status::partial);
}

// The inner places of a large unit's cover are left out of the search: no answer may change.
TEST(GoalCover, equals_asking_for_every_place) {
  Random random(404);
  int found = 0;
  for (int round = 0; round < effort(60); ++round) {
    Board board = random_board(random, 24, 20, 8);
    if (round % 2) sprinkle(random, board, "0359", 50);
    const Profile profile = random_size(random, Profile(), 5);
    World world(board, profile);
    for (int i = 0; i < 10; ++i) {
      const Query q = query_of(board.random_cell(random), board.random_cell(random), "dijkstra");
      Query covering = q, listed = q;
      covering.goal_cover = true;
      std::vector<Cell> places;
      for (size_t k = 0; k < board.size(); ++k)
        if (world.rules().covers(board.cell(k), q.goal)) places.push_back(board.cell(k));
      listed.goals = places.data();
      listed.goal_count = places.size();
      const Path a = ask(world.view, covering), b = ask(world.view, listed);
      ASSERT_EQ(a.status, b.status) << shown(q);
      ASSERT_EQ(a.cost_units, b.cost_units) << shown(q) << name_of(profile);
      found += a.status == Status::found;
    }
  }
  EXPECT_GT(found, effort(60) * 2);
}

// ---------------------------------------------------------------------------------------------

TEST(EscapeStart, leaves_what_it_covers_and_enters_nothing_new) {
  World world(Rows{".#....", "......", "......"}, sized(Profile(), 2, 2));
  Query q = query_of({0, 0}, {3, 0});
  EXPECT_EQ(ask(world.view, q).status, Status::start_blocked);
  q.escape_start = true;
  for (q.solver = 0; q.solver < solver_count(); ++q.solver) {
    const Path path = ask(world.view, q);
    ASSERT_EQ(path.status, Status::found) << solver_info(q.solver).name;
    EXPECT_EQ(path.cost, 3);
    EXPECT_EQ(cells_of(path), (std::vector<Cell>{{0, 0}, {1, 0}, {2, 0}, {3, 0}}));
  }
  // Back into the wall is no way.
  q.solver = kAuto;
  q.goal = {1, 0};
  EXPECT_EQ(ask(world.view, q).status, Status::goal_blocked);
  q.goal = {0, 0};
  EXPECT_EQ(ask(world.view, q).status, Status::goal_blocked);
  // A free start is left as ever.
  q.start = {0, 1};
  q.goal = {4, 1};
  EXPECT_EQ(ask(world.view, q).cost, 4);
}

TEST(EscapeStart, a_single_cell_leaves_its_wall) {
  World world(Rows{"..#..", ".###.", "..#.."});
  Query q = query_of({2, 1}, {4, 1});
  q.escape_start = true;
  EXPECT_EQ(ask(world.view, q).status, Status::no_path);  // walls on all four sides
  q.start = {1, 1};
  q.goal = {0, 0};
  EXPECT_EQ(ask(world.view, q).cost, std::sqrt(2.0));
  q.goal = {0, 1};
  EXPECT_EQ(ask(world.view, q).cost, 1);
}

TEST(EscapeStart, solvers_agree) {
  Random random(405);
  int found = 0, partial = 0, blocked = 0;
  for (int round = 0; round < effort(250); ++round) {
    Board board =
        random_board(random, random.between(5, 70), random.between(5, 20), random.between(5, 35));
    if (round % 3 == 1) sprinkle(random, board, "01359", 60);
    const std::vector<Profile> all = all_profiles();
    const Profile profile = random_size(random, all[size_t(random.below(int(all.size())))], 4);
    World world(board, profile);
    Rules rules = world.rules();
    for (int i = 0; i < 10; ++i) {
      Query q = query_of(board.random_cell(random), board.random_cell(random));
      q.escape_start = true;
      q.goal_cover = random.percent(20);
      q.snap_goal = random.percent(60);
      q.allow_partial = random.percent(30);
      rules.escape = !rules.free(q.start);
      blocked += rules.escape;
      Path judged;
      compare_solvers(rules, world.view, q, &judged);
      if (judged.status == Status::found && !q.goal_cover && !q.snap_goal)
        expect_cost(rules, q, judged);
      found += rules.escape && judged.status == Status::found;
      partial += rules.escape && judged.status == Status::partial;
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(found, 20);
  EXPECT_GT(partial, 20);
  EXPECT_GT(blocked, effort(250) * 2);
}

// ---------------------------------------------------------------------------------------------

void expect_same(const View& edited, const View& fresh, const Board& board) {
  const WorldView& a = edited.impl()->world;
  const WorldView& b = fresh.impl()->world;
  for (uint32_t t = 0; t < a.layer.tiles.size(); ++t) {
    const LayerTile& x = *a.layer.tiles.at(t);
    const LayerTile& y = *b.layer.tiles.at(t);
    ASSERT_EQ(std::memcmp(x.row, y.row, sizeof x.row), 0) << "rows of tile " << t;
    ASSERT_EQ(std::memcmp(x.col, y.col, sizeof x.col), 0) << "columns of tile " << t;
    ASSERT_EQ(std::memcmp(x.stop, y.stop, sizeof x.stop), 0) << "stop-bits of tile " << t;
    ASSERT_EQ(std::memcmp(x.moves, y.moves, sizeof x.moves), 0) << "moves of tile " << t;
  }
  std::map<uint32_t, uint32_t> there, back;
  for (size_t i = 0; i < board.size(); ++i) {
    const Cell c = board.cell(i);
    const uint32_t p = edited.component(c), q = fresh.component(c);
    ASSERT_EQ(there.emplace(p, q).first->second, q) << shown(c);
    ASSERT_EQ(back.emplace(q, p).first->second, p) << shown(c);
    ASSERT_EQ(edited.cost(c), fresh.cost(c)) << shown(c);
  }
  if (a.dearest.empty() || b.dearest.empty()) return;
  for (size_t i = 0; i < board.size(); ++i) {
    const CellId id = a.map.grid.id(board.cell(i));
    ASSERT_EQ(a.dearest.of(a.map.grid, id), b.dearest.of(a.map.grid, id)) << shown(board.cell(i));
  }
}

TEST(Sizes, edits_equal_a_rebuild) {
  Random random(406);
  for (int round = 0; round < effort(10); ++round) {
    Board board = random_board(random, random.between(60, 200), random.between(60, 200), 10);
    if (round % 2) random_weights(random, board, 1, 9, false);
    std::vector<Profile> profiles;
    for (int i = 0; i < 3; ++i) profiles.push_back(random_size(random, Profile(), i == 2 ? 64 : 5));
    Engine engine;
    ASSERT_FALSE(load(board, engine));
    std::vector<ProfileId> ids(profiles.size());
    for (size_t i = 0; i < profiles.size(); ++i)
      ASSERT_FALSE(engine.add_profile(profiles[i], &ids[i]));
    ASSERT_FALSE(engine.commit());
    for (int edit = 0; edit < 40; ++edit) {
      const int edits = random.below(3) + 1;
      for (int k = 0; k < edits; ++k) {
        const Cell a = board.random_cell(random);
        Rect r{a.x, a.y, random.percent(60) ? 1 : random.between(1, 40),
               random.percent(60) ? 1 : random.between(1, 40)};
        r.width = std::min(r.width, board.width() - a.x);
        r.height = std::min(r.height, board.height() - a.y);
        const auto terrain = static_cast<uint8_t>("@..4"[random.below(round % 3 ? 3 : 4)]);
        ASSERT_FALSE(engine.map().fill(r, terrain));
        const bool weigh = !board.weight.empty() && random.percent(50);
        const auto weight = static_cast<uint16_t>(random.between(1, 20));
        if (weigh) {
          ASSERT_FALSE(engine.map().fill_weight(r, weight));
        }
        for (int y = r.y; y < r.y + r.height; ++y) {
          for (int x = r.x; x < r.x + r.width; ++x) {
            board.at({x, y}) = terrain;
            if (weigh) board.weight[board.index({x, y})] = weight;
          }
        }
      }
      ASSERT_FALSE(engine.commit());
      if (edit % 4 != 3) continue;
      for (size_t i = 0; i < profiles.size(); ++i) {
        World fresh(board, profiles[i]);
        expect_same(engine.view(ids[i]), fresh.view, board);
        if (HasFatalFailure()) {
          ADD_FAILURE() << name_of(profiles[i]) << " after edit " << edit;
          return;
        }
      }
    }
  }
}

// Boats and walkers on one map, each with its own terrains and size.
TEST(Sizes, profiles_share_a_map) {
  const Board board(Rows{
      "....~~~~....",
      "....~~~~....",
      "....~~~~....",
      "~~~~~~~~....",
      "~~~~~~~~....",
  });
  Engine engine;
  ASSERT_FALSE(load(board, engine));
  Profile walker, boat;
  boat.terrain_cost['.'] = kWall;
  boat.terrain_cost['~'] = 1;
  boat.width = boat.height = 2;
  ProfileId walker_id = 0, boat_id = 0;
  ASSERT_FALSE(engine.add_profile(walker, &walker_id));
  ASSERT_FALSE(engine.add_profile(boat, &boat_id));
  ASSERT_FALSE(engine.commit());
  EXPECT_EQ(ask(engine.view(walker_id), query_of({0, 0}, {11, 4})).status, Status::no_path);
  EXPECT_EQ(ask(engine.view(boat_id), query_of({0, 3}, {6, 0})).cost, 5 + 2 * std::sqrt(2.0));
  EXPECT_EQ(ask(engine.view(boat_id), query_of({0, 3}, {7, 0})).status, Status::goal_blocked);
  // A bridge: both see it.
  ASSERT_FALSE(engine.map().fill({4, 1, 4, 1}, '.'));
  ASSERT_FALSE(engine.commit());
  EXPECT_EQ(ask(engine.view(walker_id), query_of({0, 0}, {11, 4})).status, Status::found);
  EXPECT_EQ(ask(engine.view(boat_id), query_of({0, 3}, {6, 0})).status, Status::goal_blocked);
  EXPECT_EQ(ask(engine.view(boat_id), query_of({0, 3}, {6, 2})).cost, 5 + std::sqrt(2.0));
}

}  // namespace
}  // namespace octile::test
