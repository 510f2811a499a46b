// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Every solver against the judge, on maps of many shapes and sizes, under every rule and metric,
// with and without weights; goal sets, partial answers, limits and snapping. The judge in its turn
// is held against distances computed in real numbers by the tests themselves.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "support.hpp"

namespace octile::test {
namespace {

// Counts the compared answers of one test and prints the sum at its end.
class Differential : public testing::Test {
 protected:
  void TearDown() override { std::printf("compared %d queries\n", compared_); }

  // A pair that is mostly free, sometimes blocked, rarely outside.
  static Query random_query(Random& random, const Board& board) {
    Query q;
    for (Cell* end : {&q.start, &q.goal}) {
      *end = board.random_cell(random);
      for (int i = 0; i < 20 && board.at(*end) == '@' && !random.percent(5); ++i)
        *end = board.random_cell(random);
      if (random.percent(2)) *end = {board.def.first_cell.x - 1, end->y};
      if (random.percent(2)) *end = {end->x, board.def.first_cell.y + board.height()};
    }
    return q;
  }
  void compare_pairs(const Board& board, const Profile& profile, Random& random, int pairs) {
    World world(board, profile);
    const Rules rules = world.rules();
    for (int i = 0; i < pairs && !HasFailure(); ++i)
      compared_ += compare_solvers(rules, world.view, random_query(random, board));
  }

  int compared_ = 0;
};

Board some_board(Random& random, int most) {
  const int width = random.between(1, most), height = random.between(1, most);
  switch (random.below(8)) {
    case 0:
      return comb_board(width, height);
    case 1:
      return spiral_board(width, height);
    case 2:
      return one_wide_board(random, width, height, random.below(20));
    case 3:
      return rooms_board(random, width, height, random.between(3, 9));
    case 4:
      return checker_board(width, height);
    default:
      return random_board(random, width, height, random.between(5, 60));
  }
}

TEST_F(Differential, every_rule_and_metric_on_small_maps) {
  Random random(1);
  for (int i = 0; i < effort(300); ++i) {
    Board board = some_board(random, 36);
    board.def.first_cell = {random.between(-50, 50), random.between(-50, 50)};
    for (const Profile& profile : all_profiles()) compare_pairs(board, profile, random, 12);
  }
}

TEST_F(Differential, widths_around_the_word) {
  Random random(2);
  const int sizes[] = {63, 64, 65, 127, 128};
  const std::vector<Profile> profiles = all_profiles();
  for (const int width : sizes) {
    for (const int height : sizes) {
      if (sampled() && (width + height) % 3 != 1) continue;
      const Board boards[] = {random_board(random, width, height, random.between(5, 45)),
                              one_wide_board(random, width, height, 60)};
      for (const Board& board : boards) {
        compare_pairs(board, profile_of(Moves::eight), random, 4);
        compare_pairs(board, profiles[size_t(random.below(int(profiles.size())))], random, 2);
      }
    }
  }
}

TEST_F(Differential, one_row_and_one_column) {
  Random random(3);
  for (int i = 0; i < effort(100); ++i) {
    const int length = random.between(1, 300);
    const Board row = random_board(random, length, 1, random.between(0, 5));
    for (const Board& board : {row, turned(row, 4)}) {
      compare_pairs(board, profile_of(Moves::eight), random, 8);
      compare_pairs(board, profile_of(Moves::four), random, 4);
    }
  }
}

TEST_F(Differential, combs_spirals_rooms_and_checkers) {
  Random random(4);
  const Board boards[] = {comb_board(130, 66), spiral_board(97, 99),
                          rooms_board(random, 128, 128, 8), checker_board(65, 65), Board(129, 67)};
  for (const Board& board : boards) {
    compare_pairs(board, profile_of(Moves::eight), random, effort(24));
    compare_pairs(board, profile_of(Moves::eight, Diagonal::always), random, effort(8));
    compare_pairs(board, profile_of(Moves::four), random, effort(8));
  }
}

// ---------------------------------------------------------------------------------------------
// Weights

struct Country {
  const char* name;
  std::function<void(Random&, Board&, Profile&)> weigh;
};
const Country kCountries[] = {
    {"small digits", [](Random& r, Board& b, Profile&) { sprinkle(r, b, "1235", 60); }},
    {"one digit", [](Random& r, Board& b, Profile&) { sprinkle(r, b, "9", 2); }},
    {"free steps", [](Random& r, Board& b, Profile&) { sprinkle(r, b, "0027", 50); }},
    {"all free", [](Random& r, Board& b, Profile&) { sprinkle(r, b, "0", 100); }},
    {"decimals",
     [](Random& r, Board& b, Profile& p) {
       sprinkle(r, b, "abc", 70);
       p.terrain_cost['a'] = 0.125, p.terrain_cost['b'] = 2.5, p.terrain_cost['c'] = 0.001;
     }},
    {"below one",
     [](Random& r, Board& b, Profile& p) {
       sprinkle(r, b, "ab", 100);
       p.terrain_cost['a'] = 0.5, p.terrain_cost['b'] = 0.75;
     }},
    {"very uneven",
     [](Random& r, Board& b, Profile& p) {
       sprinkle(r, b, "ab", 30);
       p.terrain_cost['a'] = 100000, p.terrain_cost['b'] = 4294967295.0;
     }},
    {"map weights", [](Random& r, Board& b, Profile&) { random_weights(r, b, 1, 9, false); }},
    {"map weights and zeros",
     [](Random& r, Board& b, Profile&) { random_weights(r, b, 1, 3, true); }},
    {"map weights and digits",
     [](Random& r, Board& b, Profile&) {
       random_weights(r, b, 0.125, 40, false);
       sprinkle(r, b, "137", 40);
     }},
    {"map weights up to the top",
     [](Random& r, Board& b, Profile&) { random_weights(r, b, 0.001, 65535, false); }},
    {"equal map weights",
     [](Random&, Board& b, Profile&) {
       b.add_weights(2.5);
       std::fill(b.weight.begin(), b.weight.end(), uint16_t{6});
     }},
};

TEST_F(Differential, weighted_country) {
  Random random(5);
  const std::vector<Profile> profiles = all_profiles();
  for (const Country& country : kCountries) {
    SCOPED_TRACE(country.name);
    for (int i = 0; i < effort(60); ++i) {
      Board board =
          random_board(random, random.between(1, 70), random.between(1, 40), random.between(0, 35));
      Profile profile = profiles[size_t(random.below(int(profiles.size())))];
      country.weigh(random, board, profile);
      compare_pairs(board, profile, random, 12);
    }
  }
}

// The judge itself, against real numbers. The metric of weighted maps is exact to 1.1e-8.
TEST_F(Differential, the_judge_is_right) {
  Random random(6);
  for (int i = 0; i < effort(800) && !HasFailure(); ++i) {
    Board board = some_board(random, 24);
    Profile profile = all_profiles()[size_t(random.below(15))];
    if (random.percent(70))
      kCountries[random.below(int(std::size(kCountries)))].weigh(random, board, profile);
    World world(board, profile);
    const Rules rules = world.rules();
    for (int k = 0; k < 4; ++k) {
      const Cell start = board.random_cell(random);
      const std::vector<double> best = rules.distances(start);
      for (int n = 0; n < 12; ++n) {
        const Cell goal = board.random_cell(random);
        const Path path = ask(world.view, query_of(start, goal, "dijkstra"));
        const double right = best[board.index(goal)];
        ++compared_;
        const Status status = !rules.free(start)  ? Status::start_blocked
                              : !rules.free(goal) ? Status::goal_blocked
                              : right == kWall    ? Status::no_path
                                                  : Status::found;
        ASSERT_EQ(path.status, status) << shown(start) << shown(goal) << "\n" << picture(board);
        if (status != Status::found) continue;
        ASSERT_NEAR(path.cost, right, 1.2e-8 * right + 1e-12)
            << name_of(profile) << shown(start) << shown(goal) << "\n"
            << picture(board, &path);
      }
    }
  }
}

// ---------------------------------------------------------------------------------------------
// Query options

TEST_F(Differential, goal_sets) {
  Random random(7);
  for (int i = 0; i < effort(1000) && !HasFailure(); ++i) {
    Board board = some_board(random, 40);
    Profile profile = all_profiles()[size_t(random.below(15))];
    if (random.percent(40)) sprinkle(random, board, random.percent(50) ? "02" : "123", 60);
    World world(board, profile);
    const Rules rules = world.rules();
    for (int k = 0; k < 6; ++k) {
      std::vector<Cell> goals;
      for (int n = random.between(1, 6); n > 0; --n) {
        goals.push_back(random_query(random, board).goal);
        if (random.percent(10)) goals.push_back(goals.back());
      }
      Query q;
      q.start = random_query(random, board).start;
      q.goals = goals.data();
      q.goal_count = goals.size();
      q.allow_partial = random.percent(40);
      q.snap_goal = random.percent(20);
      compared_ += compare_solvers(rules, world.view, q);
    }
  }
}

TEST_F(Differential, partial_answers) {
  Random random(8);
  int partial = 0;
  for (int i = 0; i < effort(1000) && !HasFailure(); ++i) {
    Board board = some_board(random, 40);
    Profile profile = all_profiles()[size_t(random.below(15))];
    static const char* const kDigits[] = {"123", "0123", "0", "02"};
    if (random.percent(60))
      sprinkle(random, board, kDigits[random.below(4)], random.between(30, 100));
    World world(board, profile);
    const Rules rules = world.rules();
    for (int k = 0; k < 6 && !HasFailure(); ++k) {
      Query q = random_query(random, board);
      q.allow_partial = true;
      Path judged;
      compared_ += compare_solvers(rules, world.view, q, &judged);
      if (judged.status != Status::partial) continue;
      ++partial;
      // Among reached cells the nearest to the goal, then the cheapest, then by y, x.
      const std::vector<double> g = rules.distances(q.start);
      const Cell end = judged.cells()[judged.size() - 1];
      const double distance = rules.distance(end, q.goal);
      for (size_t at = 0; at < board.size(); ++at) {
        if (g[at] == kWall) continue;
        const Cell other = board.cell(at);
        const double d = rules.distance(other, q.goal);
        ASSERT_GE(d, distance - 1e-9) << shown(q) << shown(other) << "\n"
                                      << picture(board, &judged);
        if (d > distance + 1e-9) continue;
        const double mine = g[board.index(end)], slack = 3e-8 * (1 + mine);
        ASSERT_GE(g[at], mine - slack) << shown(q) << shown(other) << "\n"
                                       << picture(board, &judged);
        if (d < distance + 1e-9 && g[at] < mine + 1e-9) {
          ASSERT_TRUE(other.y > end.y || (other.y == end.y && other.x >= end.x))
              << shown(q) << shown(other) << "\n"
              << picture(board, &judged);
        }
      }
    }
  }
  EXPECT_GT(partial, effort(600));
}

// Above the optimum a limit changes nothing, below it ends the search; the optimum itself is no
// limit. Where nothing connects the ends, components tell so, but not to the judge: the limit may
// stop it first.
TEST_F(Differential, cost_limits) {
  Random random(9);
  for (int i = 0; i < effort(1000) && !HasFailure(); ++i) {
    Board board = some_board(random, 40);
    const Profile profile = all_profiles()[size_t(random.below(15))];
    if (random.percent(40)) sprinkle(random, board, "1239", 40);
    World world(board, profile);
    const Rules rules = world.rules();
    for (int k = 0; k < 4 && !HasFailure(); ++k) {
      Query q = random_query(random, board);
      const Path free = ask(world.view, q);
      if (free.status != Status::found && free.status != Status::no_path) continue;
      for (const double limit :
           {free.cost, free.cost * 1.001 + 0.01, free.cost * 0.999 - 0.01, free.cost / 2, 0.0}) {
        if (limit < 0) continue;
        q.max_cost = limit;
        if (free.status == Status::no_path) {
          for (SolverId s = 0; s < solver_count(); ++s) {
            q.solver = s;
            const Path path = ask(world.view, q);
            ++compared_;
            ASSERT_TRUE(path.status == Status::no_path ||
                        (s == judge() && path.status == Status::limit_reached))
                << solver_info(s).name << " " << name(path.status) << " " << shown(q) << "\n"
                << picture(board);
          }
          continue;
        }
        Path judged;
        compared_ += compare_solvers(rules, world.view, q, &judged);
        ASSERT_EQ(judged.status, limit >= free.cost ? Status::found : Status::limit_reached)
            << shown(q) << " optimum " << free.cost;
        if (limit < free.cost) {
          // With a partial answer: a legal path that keeps to the limit.
          q.allow_partial = true;
          for (SolverId s = 0; s < solver_count(); ++s) {
            q.solver = s;
            Searcher cold;  // with no old answer in its memory
            Path path;
            find(cold, world.view, q, path);
            ++compared_;
            ASSERT_EQ(path.status, Status::limit_reached) << solver_info(s).name << shown(q);
            const Walk w = walk(rules, cells_of(path));
            ASSERT_EQ(w.wrong, "") << solver_info(s).name << " " << shown(q);
            ASSERT_EQ(path.cells()[0], q.start) << solver_info(s).name << " " << shown(q);
            ASSERT_LE(w.cost, limit * (1 + 1e-7) + 1e-9) << solver_info(s).name << " " << shown(q);
          }
          q.allow_partial = false;
        }
      }
    }
  }
}

TEST_F(Differential, snapping_takes_the_nearest_free_cell) {
  Random random(10);
  for (int i = 0; i < effort(1000) && !HasFailure(); ++i) {
    Board board =
        random_board(random, random.between(1, 70), random.between(1, 70), random.between(40, 95));
    board.def.first_cell = {random.between(-90, 90), random.between(-90, 90)};
    const Profile profile = all_profiles()[size_t(random.below(15))];
    World world(board, profile);
    const Rules rules = world.rules();
    const auto nearest = [&](Cell from, int radius) {
      if (rules.free(from)) return from;
      Cell best = from;
      double distance = kWall;
      for (size_t at = 0; at < board.size(); ++at) {  // in the order of y, x
        const Cell c = board.cell(at);
        if (!rules.free(c) || std::abs(c.x - from.x) > radius || std::abs(c.y - from.y) > radius)
          continue;
        if (rules.distance(c, from) < distance - 1e-9) best = c, distance = rules.distance(c, from);
      }
      return best;
    };
    for (int k = 0; k < 6 && !HasFailure(); ++k) {
      Query q;
      q.start = board.random_cell(random);
      q.goal = board.random_cell(random);
      q.snap_start = random.percent(70);
      q.snap_goal = random.percent(70);
      q.snap_radius = random.percent(50) ? 64 : random.below(4);
      Path judged;
      compared_ += compare_solvers(rules, world.view, q, &judged);
      const Cell start = q.snap_start ? nearest(q.start, q.snap_radius) : q.start;
      const Cell goal = q.snap_goal ? nearest(q.goal, q.snap_radius) : q.goal;
      ASSERT_EQ(judged.status == Status::start_blocked, !rules.free(start)) << shown(q);
      if (judged.status == Status::start_blocked) continue;
      ASSERT_EQ(judged.status == Status::goal_blocked, !rules.free(goal)) << shown(q);
      if (judged.status != Status::found) continue;
      ASSERT_EQ(judged.cells()[0], start) << shown(q) << "\n" << picture(board);
      ASSERT_EQ(judged.cells()[judged.size() - 1], goal) << shown(q) << "\n" << picture(board);
    }
  }
}

}  // namespace
}  // namespace octile::test
