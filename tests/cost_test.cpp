// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Integer costs order paths exactly as c + d * sqrt(2) does; weights are normalised; what does not
// fit 63 bits is refused or reported.

#include "base/cost.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support.hpp"

namespace octile::test {
namespace {

__extension__ using Wide = __int128;

// The sign of a + b * sqrt(2), in whole numbers.
int sign_of(int64_t a, int64_t b) {
  if (a == 0 && b == 0) return 0;
  if (a >= 0 && b >= 0) return 1;
  if (a <= 0 && b <= 0) return -1;
  const Wide aa = Wide{a} * a, bb = 2 * Wide{b} * b;  // never equal: sqrt(2) is irrational
  return (a > 0) == (aa > bb) ? 1 : -1;
}

int sign_of_units(int64_t a, int64_t b, StepCosts steps) {
  const Wide sum =
      Wide{a} * Wide{int64_t(steps.straight)} + Wide{b} * Wide{int64_t(steps.diagonal)};
  return (sum > 0) - (sum < 0);
}

TEST(Cost, random_paths_compare_exactly) {
  Random random(71);
  const int64_t limit = int64_t(kExactOctile.straight) - 1;
  for (int i = 0; i < 2000000; ++i) {
    // Differences of all magnitudes.
    const int64_t b = int64_t(random.next() % (uint64_t(1) << random.between(1, 30))) % limit;
    const int64_t near = int64_t(std::sqrt(2.0) * double(b));
    const int64_t a = random.percent(50) ? -near + random.between(-3, 3)
                                         : int64_t(random.next() % (uint64_t(1) << 31));
    ASSERT_EQ(sign_of(a, b), sign_of_units(a, b, kExactOctile)) << a << " " << b;
    ASSERT_EQ(sign_of(-a, -b), sign_of_units(-a, -b, kExactOctile)) << a << " " << b;
  }
}

// The hardest pairs: a / b a convergent of sqrt(2), so that a - b * sqrt(2) is as small as it gets.
TEST(Cost, convergents_compare_exactly_up_to_the_limit) {
  for (const StepCosts steps : {kExactOctile, kWeightedOctile}) {
    int64_t p = 1, q = 1;
    int checked = 0;
    while (q < int64_t(steps.straight)) {
      for (int64_t da = -2; da <= 2; ++da) {
        for (int64_t db = -2; db <= 2; ++db) {
          const int64_t a = p + da, b = -(q + db);
          if (-b >= int64_t(steps.straight)) continue;
          ASSERT_EQ(sign_of(a, b), sign_of_units(a, b, steps)) << a << " " << b;
          ++checked;
        }
      }
      const int64_t next = p + 2 * q;
      q = p + q;
      p = next;
    }
    EXPECT_GT(checked, 100);
    // P / Q is itself the next convergent, and there the sum vanishes: the limit is sharp.
    EXPECT_EQ(uint64_t(q), steps.straight);
    EXPECT_EQ(uint64_t(p), steps.diagonal);
    EXPECT_EQ(sign_of_units(p, -q, steps), 0);
    EXPECT_NE(sign_of(p, -q), 0);
  }
}

TEST(Cost, every_small_difference_of_the_weighted_pair_is_exact) {
  for (int64_t b = 1; b < int64_t(kWeightedOctile.straight); ++b) {
    const int64_t near = int64_t(std::sqrt(2.0) * double(b));
    for (int64_t a = near - 2; a <= near + 2; ++a)
      ASSERT_EQ(sign_of(-a, b), sign_of_units(-a, b, kWeightedOctile)) << a << " " << b;
  }
}

TEST(Cost, the_longest_path_fits) {
  // A path visits no cell twice, and a map has fewer than 2^32 cells.
  EXPECT_LE(Wide{int64_t(kExactOctile.diagonal)} << 32, Wide{INT64_MAX});
}

TEST(Cost, lengths_follow_the_rule_and_the_metric) {
  for (const Metric metric : {Metric::octile, Metric::ten_fourteen, Metric::chebyshev}) {
    for (const bool uniform : {false, true}) {
      for (const StepCosts s : {step_costs(Moves::four, Diagonal::no_obstacles, metric, uniform),
                                step_costs(Moves::eight, Diagonal::never, metric, uniform)}) {
        EXPECT_EQ(s.straight, 1u);
        EXPECT_EQ(s.diagonal, 2u);  // so that the empty-grid cost is the Manhattan distance
      }
    }
  }
  const StepCosts tens = step_costs(Moves::eight, Diagonal::always, Metric::ten_fourteen, true);
  EXPECT_EQ(tens.straight, 10u);
  EXPECT_EQ(tens.diagonal, 14u);
  const StepCosts king = step_costs(Moves::eight, Diagonal::always, Metric::chebyshev, false);
  EXPECT_EQ(king.straight, king.diagonal);
}

TEST(Cost, empty_grid_cost_is_diagonal_first) {
  EXPECT_EQ(empty_grid_cost(7, 3, {10, 14}), 4u * 10 + 3u * 14);
  EXPECT_EQ(empty_grid_cost(3, 7, {10, 14}), 4u * 10 + 3u * 14);
  EXPECT_EQ(empty_grid_cost(5, 5, {1, 2}), 10u);
  EXPECT_EQ(empty_grid_cost(0, 0, {10, 14}), 0u);
}

// ---------------------------------------------------------------------------------------------
// Weights in whole units

uint64_t units_along(const std::string& row, const std::vector<std::pair<char, double>>& costs) {
  Profile profile = profile_of(Moves::four);
  for (const auto& [letter, cost] : costs) profile.terrain_cost[uint8_t(letter)] = cost;
  World world(Rows{row}, profile);
  const Path path = ask(world.view, query_of({0, 0}, {int(row.size()) - 1, 0}, "dijkstra"));
  EXPECT_EQ(path.status, Status::found);
  return path.cost_units;
}

TEST(Cost, weights_are_divided_by_what_they_share) {
  const std::vector<std::pair<char, double>> only_abc = {{'.', kWall}, {'G', kWall}, {'S', kWall}};
  auto with = [&](double a, double b, double c) {
    auto all = only_abc;
    all.insert(all.end(), {{'a', a}, {'b', b}, {'c', c}});
    for (char digit = '0'; digit <= '9'; ++digit) all.push_back({digit, kWall});
    return all;
  };
  EXPECT_EQ(units_along("aabc", with(2.5, 5, 7.5)), 1u + 2 + 3);
  EXPECT_EQ(units_along("aabc", with(0.001, 0.002, 4)), 1u + 2 + 4000);
  EXPECT_EQ(units_along("aabc", with(1000, 3000, 4000)), 1u + 3 + 4);
  EXPECT_EQ(units_along("aabc", with(0, 3, 6)), 0u + 1 + 2);
  EXPECT_EQ(units_along("aaaa", with(0.125, kWall, kWall)), 3u);
  EXPECT_EQ(units_along("aabc", with(0.1, 0.2, 0.3)), 1u + 2 + 3);
  EXPECT_EQ(units_along("aab", with(4294967295.0, 4294967294.999, kWall)),
            uint64_t{4294967295000} + 4294967294999);
}

TEST(Cost, real_costs_come_back) {
  Board board(Rows{"abcab"});
  board.add_weights(0.25);
  board.weight = {1, 2, 3, 40, 65535};
  Profile profile = profile_of(Moves::four);
  profile.terrain_cost['a'] = 0.5;
  profile.terrain_cost['b'] = 12.375;
  profile.terrain_cost['c'] = 1000;
  World world(board, profile);
  const Path path = ask(world.view, query_of({0, 0}, {4, 0}));
  const double right = (2 * 12.375 + 3 * 1000 + 40 * 0.5 + 65535 * 12.375) * 0.25;
  EXPECT_NEAR(path.cost, right, 1e-9 * right);
  EXPECT_NEAR(world.view.cost({4, 0}), 65535 * 12.375 * 0.25, 1e-6);
  EXPECT_NEAR(world.view.cost({0, 0}), 0.125, 1e-12);
}

// ---------------------------------------------------------------------------------------------
// Overflow

// Steps of 2^58 units: 4294967295 at three decimals, times 65535.
struct Dear {
  Board board;
  Profile profile = profile_of(Moves::four);
  Dear(int length, const char* row_end, double other) : board(length, 2, '@') {
    board.add_weights(1);
    for (int x = 0; x < length; ++x) {
      board.at({x, 0}) = 'a';
      board.weight[size_t(x)] = 65535;
    }
    board.at({length - 1, 1}) = uint8_t(*row_end);
    profile.terrain_cost['a'] = 4294967295.0;
    profile.terrain_cost['c'] = other;
  }
};

TEST(Cost, a_single_step_beyond_63_bits_is_refused) {
  Dear dear(4, "c", 0.001);
  dear.profile.moves = Moves::eight;  // a diagonal of 8119 x 2^58
  Engine engine;
  ProfileId id = 0;
  ASSERT_FALSE(load(dear.board, engine));
  ASSERT_FALSE(engine.add_profile(dear.profile, &id));
  Fault f = engine.commit();
  EXPECT_EQ(f.status, Status::bad_argument);
  EXPECT_STRNE(f.text, "");
  EXPECT_TRUE(engine.view(id).empty());
  EXPECT_EQ(engine.map().version(), 0u);
  // The edits stay pending: with a smaller weight the commit goes through.
  ASSERT_FALSE(engine.map().fill_weight({0, 0, 4, 1}, 2));
  f = engine.commit();
  EXPECT_FALSE(f) << f.text;
  EXPECT_FALSE(engine.view(id).empty());
  EXPECT_EQ(engine.map().version(), 1u);
  // An edit that would make a step too dear leaves the last View current.
  ASSERT_FALSE(engine.map().set_weight({1, 0}, 65535));
  EXPECT_EQ(engine.commit().status, Status::bad_argument);
  EXPECT_EQ(engine.view(id).version(), 1u);
  EXPECT_EQ(ask(engine.view(id), query_of({0, 0}, {3, 0})).status, Status::found);
  // And a profile that cannot be served is refused when it comes after the commit.
  Profile mild = dear.profile;
  mild.terrain_cost['a'] = 1;
  ASSERT_FALSE(engine.remove_profile(id));
  ASSERT_FALSE(engine.add_profile(mild, &id));
  ASSERT_FALSE(engine.commit());
  ProfileId none = 77;
  EXPECT_EQ(engine.add_profile(dear.profile, &none).status, Status::bad_argument);
  EXPECT_EQ(none, 77u);
}

TEST(Cost, a_sum_beyond_63_bits_is_cost_overflow) {
  for (const double other : {0.001, 4294967294.999}) {
    SCOPED_TRACE(other);
    Dear dear(100, "c", other);
    World world(dear.board, dear.profile);
    const Rules rules(dear.board, dear.profile);
    for (int x = 1; x < 100; ++x) {
      for (SolverId s = 0; s < solver_count(); ++s) {
        Query q = query_of({0, 0}, {x, 0});
        q.solver = s;
        q.allow_partial = x % 2;
        const Path path = ask(world.view, q);
        const Wide sum = Wide{x} * Wide{4294967295000} * Wide{65535};
        ASSERT_EQ(path.status,
                  sum <= Wide{int64_t(kMaxCost)} ? Status::found : Status::cost_overflow)
            << solver_info(s).name << " " << name(path.status) << " at " << x;
        if (path.status == Status::found) {
          ASSERT_EQ(Wide{int64_t(path.cost_units)}, sum);
        } else {
          ASSERT_EQ(path.size(), 0u);
        }
      }
    }
  }
}

}  // namespace
}  // namespace octile::test
