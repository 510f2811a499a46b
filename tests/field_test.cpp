// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Fields against the judge: the distance of every cell, the way down from it, and what is left out.

#include "octile/fields.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support.hpp"

namespace octile::test {
namespace {

Field field_of(const View& view, const FieldOptions& options) {
  thread_local Searcher searcher;
  Field field;
  const Fault fault = build_field(searcher, view, options, &field);
  EXPECT_FALSE(fault) << fault.text;
  return field;
}

Field field_to(const View& view, const std::vector<Cell>& goals) {
  FieldOptions options;
  options.goals = goals.data();
  options.goal_count = goals.size();
  return field_of(view, options);
}

// What the judge says of the way from a cell to the nearest goal.
Path judged(const View& view, Cell start, const std::vector<Cell>& goals) {
  Query query = query_of(start, goals[0], "dijkstra");
  query.goals = goals.data();
  query.goal_count = goals.size();
  return ask(view, query);
}

// Walls of the list do not count for a Field, and end a search of the judge only when all are.
std::vector<Cell> some_goals(const World& world, Random& random, int count) {
  std::vector<Cell> goals;
  for (int i = 0; i < count; ++i) goals.push_back(world.board.random_cell(random));
  for (const Cell c : goals)
    if (world.view.passable(c)) return goals;
  for (size_t i = 0; i < world.board.size(); ++i)
    if (world.view.passable(world.board.cell(i))) {
      goals.push_back(world.board.cell(i));
      break;
    }
  return goals;
}

// The way down from a cell: legal, as dear as the field says, every step nearer, to a goal.
void follow(const World& world, const Rules& rules, const Field& field, Cell start,
            const std::vector<Cell>& goals) {
  Path path;
  field.path(start, path);
  ASSERT_EQ(path.status, Status::found) << path.message;
  const Walk w = walk(rules, cells_of(path));
  ASSERT_EQ(w.wrong, "") << shown(start) << "\n" << picture(world.board, &path);
  ASSERT_EQ(path.cost_units, field.cost_units(start)) << shown(start);
  ASSERT_NEAR(w.cost, path.cost, 1e-6 * (1 + w.cost));
  ASSERT_NEAR(field.cost(start), path.cost, 2e-8 * (1 + path.cost));
  ASSERT_LT(path.goal_index, goals.size());
  ASSERT_EQ(path.cells()[path.size() - 1], goals[path.goal_index]);
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    ASSERT_EQ(field.next(path.cells()[i]), path.cells()[i + 1]);
    ASSERT_LE(field.cost_units(path.cells()[i + 1]), field.cost_units(path.cells()[i]));
  }
  ASSERT_EQ(field.direction(path.cells()[path.size() - 1]), kAtGoal);
}

// `asked` random cells against the judge, all others against the rules of the documentation.
void compare(const World& world, Random& random, const std::vector<Cell>& goals, int asked,
             bool plain = false) {
  const Rules rules = world.rules();
  FieldOptions options;
  options.goals = goals.data();
  options.goal_count = goals.size();
  options.plain = plain;
  const Field field = field_of(world.view, options);
  if (testing::Test::HasFailure()) return;
  for (int i = 0; i < asked; ++i) {
    const Cell start = world.board.random_cell(random);
    if (!world.view.passable(start)) {
      ASSERT_FALSE(field.reached(start));
      ASSERT_EQ(field.direction(start), kNoDirection);
      continue;
    }
    const Path path = judged(world.view, start, goals);
    ASSERT_EQ(field.reached(start), path.status == Status::found)
        << name_of(world.profile) << shown(start) << "\n"
        << picture(world.board);
    if (path.status != Status::found) continue;
    ASSERT_EQ(field.cost_units(start), path.cost_units)
        << name_of(world.profile) << shown(start) << "\n"
        << picture(world.board, &path);
    follow(world, rules, field, start, goals);
    if (testing::Test::HasFatalFailure()) return;
  }
  // No cell may lie lower than a neighbour and a step allow, and each needs one that explains it.
  for (size_t i = 0; i < world.board.size(); ++i) {
    const Cell c = world.board.cell(i);
    const uint8_t d = field.direction(c);
    if (!field.reached(c)) {
      ASSERT_EQ(d, kNoDirection);
      for (uint32_t k = 0; k < 8 && world.view.passable(c); ++k)
        if (world.view.moves(c) >> k & 1) {
          const int dx[8] = {1, 1, 0, -1, -1, -1, 0, 1}, dy[8] = {0, 1, 1, 1, 0, -1, -1, -1};
          ASSERT_FALSE(field.reached({c.x + dx[k], c.y + dy[k]})) << shown(c);
        }
      continue;
    }
    ASSERT_NE(d, kNoDirection) << shown(c);
    if (d == kAtGoal) ASSERT_NE(std::find(goals.begin(), goals.end(), c), goals.end());
  }
}

Board some_board(Random& random, int kind) {
  const int widths[] = {1, 7, 30, 63, 64, 65, 127, 128, 129};
  const int w = widths[random.below(9)], h = widths[random.below(9)];
  switch (kind) {
    case 0:
      return comb_board(w, h);
    case 1:
      return spiral_board(w, h);
    case 2:
      return one_wide_board(random, w, h, 20);
    case 3:
      return rooms_board(random, w, h, 7);
    default:
      return random_board(random, w, h, random.between(0, 45));
  }
}

bool some_free(const World& world) {
  for (size_t i = 0; i < world.board.size(); ++i)
    if (world.view.passable(world.board.cell(i))) return true;
  return false;
}

TEST(Field, equals_the_judge) {
  Random random(510);
  const std::vector<Profile> profiles = all_profiles();
  for (int round = 0; round < effort(120); ++round) {
    Board board = some_board(random, round % 8);
    board.def.first_cell = {random.between(-100, 100), random.between(-100, 100)};
    Profile profile = profiles[size_t(round) % profiles.size()];
    if (round % 3 == 0) {
      profile.width = random.between(1, 3);
      profile.height = random.between(1, 3);
      profile.anchor = {random.below(profile.width), random.below(profile.height)};
    }
    const World world(board, profile);
    if (!some_free(world)) continue;
    compare(world, random, some_goals(world, random, round % 2 ? 1 : random.between(2, 9)), 12,
            round % 5 == 4);
    if (HasFailure()) return;
  }
}

TEST(Field, equals_the_judge_on_weights) {
  Random random(511);
  const std::vector<Profile> profiles = all_profiles();
  for (int round = 0; round < effort(120); ++round) {
    Board board = some_board(random, round % 8);
    if (board.size() > 5000 && round % 2) continue;
    Profile profile = profiles[size_t(round) % profiles.size()];
    if (round % 4 == 0) {
      // With free steps, and very dear ones.
      sprinkle(random, board, "0139", 70);
    } else if (round % 4 == 1) {
      sprinkle(random, board, "123456789", 70);
    } else if (round % 4 == 2) {
      random_weights(random, board, 0.5, 65535, false);
    } else {
      sprinkle(random, board, "19", 50);
      profile.terrain_cost['9'] = 4294967295.0;
    }
    if (round % 3 == 0) {
      profile.width = random.between(1, 3);
      profile.height = random.between(1, 3);
    }
    const World world(board, profile);
    if (!some_free(world)) continue;
    compare(world, random, some_goals(world, random, round % 2 ? 1 : random.between(2, 5)), 10);
    if (HasFailure()) return;
  }
}

// Every cell of small maps, which all canonical orders and ties go through.
TEST(Field, every_cell_of_small_maps) {
  Random random(512);
  for (const Profile& profile : all_profiles()) {
    for (int round = 0; round < effort(60); ++round) {
      const World world(random_board(random, 9, 8, random.between(5, 45)), profile);
      if (!some_free(world)) continue;
      const std::vector<Cell> goals = some_goals(world, random, 1 + round % 3);
      const Field field = field_to(world.view, goals);
      for (size_t i = 0; i < world.board.size(); ++i) {
        const Cell c = world.board.cell(i);
        if (!world.view.passable(c)) continue;
        const Path path = judged(world.view, c, goals);
        ASSERT_EQ(field.cost_units(c), path.status == Status::found ? path.cost_units : kNoUnits)
            << name_of(profile) << shown(c) << "\n"
            << picture(world.board);
        if (path.status == Status::found) ASSERT_EQ(field.cost(c), path.cost);
      }
    }
  }
}

// A way of more steps than the small pair of octile lengths orders, and than 24 bits hold.
TEST(Field, very_long_ways) {
  Random random(513);
  for (const Metric metric : {Metric::octile, Metric::ten_fourteen}) {
    const World world(spiral_board(257, 257),
                      profile_of(Moves::eight, Diagonal::no_obstacles, metric));
    compare(world, random, {{0, 0}}, effort(12));
    if (HasFailure()) return;
  }
  const World comb(comb_board(2049, 1025), Profile());
  compare(comb, random, {{0, 0}}, effort(3));
}

TEST(Field, limits_and_starts_leave_out_what_is_farther) {
  Random random(514);
  const std::vector<Profile> profiles = all_profiles();
  for (int round = 0; round < effort(160); ++round) {
    Board board = some_board(random, 2 + round % 6);
    if (round % 4 == 1) sprinkle(random, board, "123", 40);
    if (round % 4 == 3) sprinkle(random, board, "012", 40);
    const World world(board, profiles[size_t(round) % profiles.size()]);
    if (!some_free(world)) continue;
    const std::vector<Cell> goals = some_goals(world, random, 1 + round % 2);
    const Field whole = field_to(world.view, goals);
    FieldOptions options;
    options.goals = goals.data();
    options.goal_count = goals.size();
    uint64_t last = 0;
    std::vector<Cell> starts;
    if (round % 2) {
      for (int i = random.between(1, 4); i > 0; --i) starts.push_back(board.random_cell(random));
      starts.push_back({-5, 3});
      options.starts = starts.data();
      options.start_count = starts.size();
      bool counts = false;
      for (const Cell c : starts)
        if (whole.reached(c)) last = std::max(last, whole.cost_units(c)), counts = true;
      if (!counts) last = kNoUnits - 1;
    } else {
      const Cell at = board.random_cell(random);
      options.max_cost = whole.reached(at) ? whole.cost(at) : random.below(40);
      if (world.view.uniform()) {
        last = 0;
        for (size_t i = 0; i < board.size(); ++i)
          if (whole.cost(board.cell(i)) <= options.max_cost)
            last = std::max(last, whole.cost_units(board.cell(i)));
      }
    }
    const Field part = field_of(world.view, options);
    size_t inside = 0;
    for (size_t i = 0; i < board.size(); ++i) {
      const Cell c = board.cell(i);
      const uint64_t all = whole.cost_units(c);
      const bool in =
          round % 2 || world.view.uniform() ? all <= last : whole.cost(c) <= options.max_cost;
      ASSERT_EQ(part.cost_units(c), in ? all : kNoUnits)
          << round << name_of(world.profile) << shown(c) << " " << last;
      inside += part.reached(c);
      if (part.reached(c)) ASSERT_EQ(part.direction(c), whole.direction(c));
    }
    if (round % 2) continue;
    std::vector<Cell> cells(board.size());
    cells.resize(whole.within(options.max_cost, cells.data(), cells.size()));
    ASSERT_EQ(cells.size(), inside);
    for (const Cell c : cells) ASSERT_TRUE(part.reached(c));
  }
}

TEST(Field, offsets_choose_the_goal) {
  Random random(515);
  for (int round = 0; round < effort(40); ++round) {
    const World world(random_board(random, 40, 30, 25), Profile());
    std::vector<Cell> goals = some_goals(world, random, 4);
    std::vector<uint64_t> offsets;
    for (size_t i = 0; i < goals.size(); ++i)
      offsets.push_back(uint64_t(random.below(30)) * 1311738121u);
    FieldOptions options;
    options.goals = goals.data();
    options.goal_count = goals.size();
    options.offsets = offsets.data();
    const Field field = field_of(world.view, options);
    std::vector<Field> single;
    for (const Cell g : goals)
      single.push_back(world.view.passable(g) ? field_to(world.view, {g}) : Field());
    for (size_t i = 0; i < world.board.size(); ++i) {
      const Cell c = world.board.cell(i);
      uint64_t least = kNoUnits;
      for (size_t k = 0; k < goals.size(); ++k)
        if (single[k].reached(c)) least = std::min(least, single[k].cost_units(c) + offsets[k]);
      ASSERT_EQ(field.cost_units(c), least);
      if (least == kNoUnits) continue;
      Path path;
      field.path(c, path);
      ASSERT_EQ(path.status, Status::found);
      ASSERT_EQ(path.cost_units + offsets[path.goal_index], least);
    }
  }
}

TEST(Field, a_corridor_read_by_hand) {
  const World world(Rows{"....", ".##.", "...."}, profile_of(Moves::four));
  const Field field = field_to(world.view, {{0, 0}});
  EXPECT_EQ(field.cost({0, 0}), 0);
  EXPECT_EQ(field.cost({3, 2}), 5);
  EXPECT_EQ(field.cost({1, 1}), kWall);
  EXPECT_EQ(field.cost({9, 9}), kWall);
  EXPECT_EQ(field.direction({3, 0}), 4);  // west
  EXPECT_EQ(field.next({3, 2}), (Cell{2, 2}));
  EXPECT_EQ(field.direction({0, 0}), kAtGoal);
  EXPECT_EQ(field.next({0, 0}), (Cell{0, 0}));
  EXPECT_EQ(field.direction({2, 1}), kNoDirection);
  EXPECT_EQ(field.within(1, nullptr, 0), 3u);
  Path path;
  field.path({1, 1}, path);
  EXPECT_EQ(path.status, Status::start_blocked);
  field.path({4, 1}, path);
  EXPECT_EQ(path.status, Status::start_out_of_bounds);
  Field().path({0, 0}, path);
  EXPECT_EQ(path.status, Status::bad_argument);
}

TEST(Field, bad_calls_are_refused_and_change_nothing) {
  const World world(Rows{"..#", "..."});
  Searcher searcher;
  const Cell goal{0, 0}, wall{2, 0}, outside{3, 0};
  Field field = field_to(world.view, {goal});
  const auto refused = [&](const View& view, const FieldOptions& options) {
    const Status status = build_field(searcher, view, options, &field).status;
    EXPECT_EQ(field.cost({1, 0}), 1);
    return status;
  };
  FieldOptions options;
  EXPECT_EQ(refused(world.view, options), Status::bad_argument);
  options.goals = &goal;
  EXPECT_EQ(refused(world.view, options), Status::bad_argument);
  options.goal_count = 1;
  EXPECT_EQ(refused(View(), options), Status::bad_argument);
  EXPECT_EQ(build_field(searcher, world.view, options, nullptr).status, Status::bad_argument);
  options.max_cost = std::nan("");
  EXPECT_EQ(refused(world.view, options), Status::bad_argument);
  options.max_cost = 3;
  options.start_count = 2;
  EXPECT_EQ(refused(world.view, options), Status::bad_argument);
  options.start_count = 0;
  options.goals = &wall;
  EXPECT_EQ(refused(world.view, options), Status::goal_blocked);
  options.goals = &outside;
  EXPECT_EQ(refused(world.view, options), Status::goal_out_of_bounds);
}

TEST(Field, sums_that_do_not_fit_are_refused) {
  Board board(3000, 1, '9');
  Profile profile;
  profile.terrain_cost['9'] = 4294967295.0;
  board.at({1, 0}) = '8';
  profile.terrain_cost['8'] = 0.001;
  board.add_weights(1);
  for (size_t i = 0; i < board.size(); ++i) board.weight[i] = i == 1 ? 1 : 65535;
  const World world(board, profile);
  if (!world.view.empty()) {
    Searcher searcher;
    Field field;
    const Cell goal{0, 0};
    FieldOptions options;
    options.goals = &goal;
    options.goal_count = 1;
    const Status status = build_field(searcher, world.view, options, &field).status;
    const Path path = ask(world.view, query_of({2999, 0}, goal, "dijkstra"));
    EXPECT_EQ(status, path.status);
  }
}

}  // namespace
}  // namespace octile::test
