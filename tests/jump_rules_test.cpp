// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Jump points of every rule of moves: `jps` under rules that cut corners, and with four moves, on
// maps on which exhaustive_test.cpp has no room for long scans, with edits, overlays and larger
// units.

#include <gtest/gtest.h>

#include "search/canonical.hpp"
#include "support.hpp"

namespace octile::test {
namespace {

std::vector<Profile> other_rules() {
  std::vector<Profile> rules;
  for (const Profile& p : all_profiles())
    if (has_jump_points(p) && jump_rule(p) != JumpRule::no_cutting) rules.push_back(p);
  return rules;
}

Board shaped_board(Random& random, int width, int height) {
  switch (random.below(5)) {
    case 0:
      return rooms_board(random, width, height, random.between(5, 30));
    case 1:
      return one_wide_board(random, width, height, random.below(60));
    case 2: {
      // Blocks of walls that touch at corners now and then.
      Board board(width, height);
      for (int i = width * height / 60; i > 0; --i) {
        const Cell at = board.random_cell(random);
        const int w = random.between(1, 9), h = random.between(1, 9);
        for (int y = at.y; y < std::min(at.y + h, height); ++y)
          for (int x = at.x; x < std::min(at.x + w, width); ++x) board.at({x, y}) = '@';
      }
      return board;
    }
    default:
      return random_board(random, width, height, random.between(1, 45));
  }
}

TEST(JumpRules, all_pairs_of_small_maps) {
  Random random(501);
  const std::vector<Profile> rules_of_all = other_rules();
  const SolverId jps = solver_id("jps");
  int compared = 0;
  for (int i = 0; i < effort(24); ++i) {
    const Board board = random_board(random, 12, 12, random.between(5, 50));
    const World world(board, rules_of_all[size_t(i) % rules_of_all.size()]);
    const Rules rules = world.rules();
    for (size_t a = 0; a < board.size(); ++a) {
      if (board.terrain[a] == '@') continue;
      const std::vector<double> right = rules.distances(board.cell(a));
      for (size_t b = 0; b < board.size(); ++b) {
        if (board.terrain[b] == '@') continue;
        Query q = query_of(board.cell(a), board.cell(b));
        q.solver = jps;
        const Path path = ask(world.view, q);
        const std::string what = name_of(world.profile) + shown(q) + "\n" + picture(board, &path);
        ASSERT_EQ(path.status == Status::found, right[b] != kWall) << what;
        if (path.status != Status::found) continue;
        ASSERT_NEAR(path.cost, right[b], 1e-9) << what;
        if (++compared % 8 == 0) {
          ASSERT_EQ(walk(rules, cells_of(path)).wrong, "") << what;
        }
      }
    }
  }
  EXPECT_GT(compared, effort(24) * 2000);
}

// The map lives, the units differ, and some queries see other walls.
TEST(JumpRules, shaped_maps_that_are_edited) {
  Random random(502);
  const std::vector<Profile> rules_of_all = other_rules();
  const SolverId jps = solver_id("jps");
  int compared = 0, found = 0;
  for (int i = 0; i < effort(60); ++i) {
    Profile profile = rules_of_all[size_t(i) % rules_of_all.size()];
    if (i % 3 == 2) {
      profile.width = random.between(1, 3);
      profile.height = random.between(1, 3);
    }
    World world(shaped_board(random, random.between(40, 200), random.between(40, 200)), profile);
    for (int commit = 0; commit < 4; ++commit) {
      const Rules rules = world.rules();
      for (int k = 0; k < 6; ++k) {
        Query q = query_of(world.board.random_cell(random), world.board.random_cell(random));
        std::vector<Cell> blocked;
        for (int n = k == 0 ? random.between(1, 200) : 0; n > 0; --n)
          blocked.push_back(world.board.random_cell(random));
        q.extra_blocked = blocked.data();
        q.extra_blocked_count = blocked.size();
        q.solver = judge();
        const Path right = ask(world.view, q);
        q.solver = jps;
        const Path path = ask(world.view, q);
        const std::string what = name_of(profile) + " " + shown(q) + "\n" +
                                 picture(world.board, path.size() ? &path : nullptr);
        ASSERT_EQ(path.status, right.status) << what;
        ASSERT_EQ(path.cost_units, right.cost_units) << what;
        ++compared;
        if (path.status != Status::found) continue;
        ++found;
        ASSERT_EQ(path.solver, jps);
        ASSERT_EQ(walk(rules, cells_of(path)).wrong, "") << what;
        // Waypoints are where the path turns.
        q.output = Output::waypoints;
        const Path turns = ask(world.view, q);
        ASSERT_EQ(turns.cost_units, right.cost_units);
        ASSERT_EQ(walk(rules, filled_in(turns)).wrong, "") << what;
      }
      for (int n = random.between(1, 30); n > 0; --n) {
        const Cell c = world.board.random_cell(random);
        world.board.at(c) = world.board.at(c) == '.' ? '@' : '.';
        ASSERT_FALSE(world.engine.map().set_terrain(c, world.board.at(c)));
      }
      world.commit();
    }
  }
  std::printf("compared %d paths, %d found\n", compared, found);
  EXPECT_GT(found, compared / 4);
}

// The smallest turns round a wall, and what they cost under each rule.
TEST(JumpRules, turns_that_walls_force) {
  struct Cost {
    bool found;
    int straight, diagonal;
  };
  struct Case {
    Rows rows;
    Cell start, goal;
    Cost always, at_most_one, no_obstacles, four;
  };
  constexpr Cost kNone{false, 0, 0};
  const Case cases[] = {
      {{".@.",  // entered on a diagonal, left on another
        "..."},
       {0, 0},
       {2, 0},
       {true, 0, 2},
       {true, 0, 2},
       {true, 4, 0},
       {true, 4, 0}},
      {{"...@.",  // entered straight
        "....."},
       {0, 1},
       {4, 0},
       {true, 3, 1},
       {true, 3, 1},
       {true, 5, 0},
       {true, 5, 0}},
      {{".@",  // between two walls
        "@."},
       {0, 0},
       {1, 1},
       {true, 0, 1},
       kNone,
       kNone,
       kNone},
      {{"..@.",  // straight on is a wall, so only one rule goes round its corner
        "..@@"},
       {0, 1},
       {3, 0},
       kNone,
       kNone,
       kNone,
       kNone},
      {{"..@.",  //
        "...@",  //
        "...."},
       {0, 1},
       {3, 0},
       {true, 2, 1},
       kNone,
       kNone,
       kNone},
  };
  for (const Case& c : cases) {
    const std::pair<Profile, Cost> rules[] = {
        {profile_of(Moves::eight, Diagonal::always, Metric::ten_fourteen), c.always},
        {profile_of(Moves::eight, Diagonal::at_most_one_obstacle, Metric::ten_fourteen),
         c.at_most_one},
        {profile_of(Moves::eight, Diagonal::no_obstacles, Metric::ten_fourteen), c.no_obstacles},
        {profile_of(Moves::four), c.four}};
    for (const auto& [profile, cost] : rules) {
      const World world(c.rows, profile);
      const Path path = ask(world.view, query_of(c.start, c.goal, "jps"));
      const std::string what = name_of(profile) + "\n" + picture(world.board, &path);
      EXPECT_EQ(path.status == Status::found, cost.found) << what;
      if (!cost.found) continue;
      const int straight = profile.moves == Moves::four ? 1 : 10;
      EXPECT_EQ(path.cost_units, uint64_t(straight * cost.straight + 14 * cost.diagonal)) << what;
    }
  }
}

TEST(JumpRules, who_answers) {
  Random random(503);
  const Board board = random_board(random, 40, 40, 10);
  for (const Profile& profile : all_profiles()) {
    const World world(board, profile);
    Query q = query_of({0, 0}, {39, 39});
    q.snap_start = q.snap_goal = true;
    const bool four = profile.moves == Moves::four || profile.diagonal == Diagonal::never;
    const bool jumps = four || profile.metric != Metric::chebyshev;
    EXPECT_STREQ(solver_info(ask(world.view, q).solver).name, jumps ? "jps" : "astar")
        << name_of(profile);
  }
}

}  // namespace
}  // namespace octile::test
