// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support.hpp"

namespace octile::test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Adds the profile to an engine with a map; the fault, whose text must be one clear line.
Fault add(const Profile& profile) {
  Engine engine;
  EXPECT_FALSE(load(Board(Rows{"..n."}), engine));
  EXPECT_FALSE(engine.commit());
  ProfileId id = 12345;
  const Fault f = engine.add_profile(profile, &id);
  if (f) {
    EXPECT_EQ(id, 12345u) << "the id was touched";
    EXPECT_STRNE(f.text, "");
    EXPECT_EQ(std::string(f.text).find('\n'), std::string::npos);
  } else {
    EXPECT_STREQ(f.text, "");
    EXPECT_FALSE(engine.view(id).empty());
  }
  return f;
}

Fault add_cost(double cost) {
  Profile p;
  p.terrain_cost['n'] = cost;
  return add(p);
}

TEST(Profile, the_default_walks_the_moving_ai_terrains) {
  const Profile p;
  for (int t = 0; t < 256; ++t) {
    const double right = t == '.' || t == 'G' || t == 'S' ? 1
                         : t >= '0' && t <= '9'           ? t - '0'
                                                          : kWall;
    EXPECT_EQ(p.terrain_cost[t], right) << t;
  }
  EXPECT_EQ(p.moves, Moves::eight);
  EXPECT_EQ(p.diagonal, Diagonal::no_obstacles);
  EXPECT_EQ(p.metric, Metric::octile);
  EXPECT_FALSE(add(p));
}

TEST(Profile, costs_that_are_numbers_with_three_decimals_pass) {
  for (const double cost :
       {0.0, 0.001, 0.1, 0.3, 0.999, 1.0, 2.675, 1234567.891, 4294967294.999, 4294967295.0, kWall})
    EXPECT_FALSE(add_cost(cost)) << cost;
  for (int milli = 0; milli < 100000; milli += 7) EXPECT_FALSE(add_cost(milli / 1000.0)) << milli;
}

TEST(Profile, other_costs_are_refused) {
  for (const double cost :
       {kNaN, -kNaN, -1.0, -0.001, -1e300, -kWall, 4294967295.001, 1e300, 0.0001, 0.00099, 1.0005,
        1.0 / 3, std::sqrt(2.0), std::numeric_limits<double>::denorm_min(), 1e-9})
    EXPECT_EQ(add_cost(cost).status, Status::bad_argument) << cost;
  EXPECT_NE(std::string(add_cost(kNaN).text).find("NaN"), std::string::npos);
  EXPECT_NE(std::string(add_cost(-1).text).find("negative"), std::string::npos);
}

TEST(Profile, minus_zero_is_a_free_step) {
  EXPECT_FALSE(add_cost(-0.0));
}

TEST(Profile, a_cost_of_a_terrain_that_is_not_on_the_map_is_checked_too) {
  Profile p;
  p.terrain_cost[0] = -1;
  EXPECT_TRUE(add(p));
}

TEST(Profile, quantise_rounds_to_three_decimals_and_tells_by_how_much) {
  Profile p;
  p.terrain_cost['n'] = 1.0 / 3;
  p.terrain_cost['m'] = 2.0006;
  const double change = p.quantise();
  EXPECT_EQ(p.terrain_cost['n'], 0.333);
  EXPECT_EQ(p.terrain_cost['m'], 2.001);
  EXPECT_NEAR(change, 0.0004, 1e-12);
  EXPECT_FALSE(add(p));
  EXPECT_EQ(p.quantise(), 0);  // nothing is left to do
  EXPECT_EQ(p.terrain_cost['@'], kWall);
}

TEST(Profile, quantise_does_not_hide_what_is_wrong) {
  for (const double bad : {kNaN, -1.0, -kWall}) {
    Profile p;
    p.terrain_cost['n'] = bad;
    p.quantise();
    EXPECT_TRUE(add(p)) << bad;
  }
}

TEST(Profile, a_wall_is_not_just_a_large_number) {
  Profile p;
  p.terrain_cost['n'] = 4294967295.0;
  World dear(Rows{"..n."}, p);
  EXPECT_TRUE(dear.view.passable({2, 0}));
  p.terrain_cost['n'] = kWall;
  World wall(Rows{"..n."}, p);
  EXPECT_FALSE(wall.view.passable({2, 0}));
  EXPECT_EQ(wall.view.cost({2, 0}), kWall);
}

TEST(Profile, enums_and_sizes_are_checked) {
  Profile p;
  p.moves = static_cast<Moves>(2);
  EXPECT_EQ(add(p).status, Status::bad_argument);
  p = Profile();
  p.diagonal = static_cast<Diagonal>(4);
  EXPECT_EQ(add(p).status, Status::bad_argument);
  p = Profile();
  p.metric = static_cast<Metric>(255);
  EXPECT_EQ(add(p).status, Status::bad_argument);
  for (const int size : {0, -1, 65, INT32_MAX, INT32_MIN}) {
    p = Profile();
    p.width = size;
    EXPECT_EQ(add(p).status, Status::bad_argument) << size;
    p = Profile();
    p.height = size;
    EXPECT_EQ(add(p).status, Status::bad_argument) << size;
  }
  p = Profile();
  p.width = 64, p.height = 3, p.anchor = {63, 2};
  EXPECT_FALSE(add(p));
  for (const Cell anchor : {Cell{-1, 0}, Cell{0, -1}, Cell{64, 0}, Cell{0, 3}}) {
    p.anchor = anchor;
    EXPECT_EQ(add(p).status, Status::bad_argument) << shown(anchor);
  }
}

TEST(Profile, ids_come_and_go) {
  Engine engine;
  ProfileId a = 0, b = 0, c = 0;
  EXPECT_EQ(engine.add_profile(Profile(), nullptr).status, Status::bad_argument);
  ASSERT_FALSE(engine.add_profile(Profile(), &a));  // before there is a map
  ASSERT_FALSE(engine.add_profile(Profile(), &b));
  EXPECT_NE(a, b);
  EXPECT_TRUE(engine.view(a).empty());
  ASSERT_FALSE(load(Board(Rows{"..."}), engine));
  EXPECT_TRUE(engine.view(a).empty());
  ASSERT_FALSE(engine.commit());
  EXPECT_FALSE(engine.view(a).empty());
  EXPECT_FALSE(engine.remove_profile(a));
  EXPECT_TRUE(engine.view(a).empty());
  EXPECT_EQ(engine.remove_profile(a).status, Status::bad_argument);
  EXPECT_EQ(engine.remove_profile(9999).status, Status::bad_argument);
  EXPECT_FALSE(engine.view(b).empty());
  ASSERT_FALSE(engine.add_profile(Profile(), &c));  // after the commit: built at once
  EXPECT_NE(c, a);
  EXPECT_NE(c, b);
  EXPECT_FALSE(engine.view(c).empty());
  EXPECT_TRUE(engine.view(424242).empty());
}

}  // namespace
}  // namespace octile::test
