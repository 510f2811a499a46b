// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Group orders: slots are distinct, connected and where the formation asks for them; who takes
// which is the best choice there is, told by trying all.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "agents/assignment.hpp"
#include "octile/agents.hpp"
#include "octile/groups.hpp"
#include "support.hpp"

namespace octile::test {
namespace {

// ---------------------------------------------------------------------------------------------
// The assignment

struct Choice {
  double largest = kWall;
  double sum = kWall;
  bool operator<(const Choice& other) const {
    return largest != other.largest ? largest < other.largest : sum < other.sum - 1e-9;
  }
};

// What assign_columns() chooses: a column of its own for each row.
void choose(const std::vector<double>& cost, size_t rows, size_t columns, Choice* out) {
  Buffer<uint32_t> takes;
  ASSERT_TRUE(assign_columns(cost.data(), rows, columns, &takes));
  std::set<uint32_t> taken;
  for (size_t i = 0; i < rows; ++i) {
    ASSERT_LT(takes[i], columns);
    taken.insert(takes[i]);
    out->largest = std::max(out->largest, cost[i * columns + takes[i]]);
    out->sum += cost[i * columns + takes[i]];
  }
  ASSERT_EQ(taken.size(), rows);
}

Choice best_of_all(const std::vector<double>& cost, size_t rows, size_t columns) {
  std::vector<size_t> order(columns);
  for (size_t i = 0; i < columns; ++i) order[i] = i;
  Choice best;
  do {
    Choice now{-kWall, 0};
    for (size_t i = 0; i < rows; ++i) {
      const double c = cost[i * columns + order[i]];
      now.largest = std::max(now.largest, c);
      now.sum += c;
    }
    if (now < best) best = now;
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

TEST(Assignment, best_of_all_choices) {
  Random random(51);
  for (int run = 0; run < 3000; ++run) {
    const auto columns = static_cast<size_t>(random.between(1, 6));
    const auto rows = static_cast<size_t>(random.between(1, static_cast<int>(columns)));
    const int most = random.percent(50) ? 4 : 1000;  // many ties, or few
    std::vector<double> cost(rows * columns);
    for (double& c : cost) c = random.below(most) * 0.5;
    Choice now{-kWall, 0};
    ASSERT_NO_FATAL_FAILURE(choose(cost, rows, columns, &now));
    const Choice best = best_of_all(cost, rows, columns);
    ASSERT_EQ(now.largest, best.largest) << "run " << run;
    ASSERT_NEAR(now.sum, best.sum, 1e-9) << "run " << run;
  }
}

// The same choice by plain means: augmenting paths for each limit, then the Hungarian method row by
// row.
struct PlainChoice {
  const std::vector<double>& cost;
  size_t rows, columns;
  std::vector<int> row_of;
  std::vector<bool> seen;

  bool augment(size_t row, double limit) {
    for (size_t j = 0; j < columns; ++j) {
      if (seen[j] || cost[row * columns + j] > limit) continue;
      seen[j] = true;
      if (row_of[j] < 0 || augment(static_cast<size_t>(row_of[j]), limit)) {
        row_of[j] = static_cast<int>(row);
        return true;
      }
    }
    return false;
  }
  bool fits(double limit) {
    row_of.assign(columns, -1);
    for (size_t i = 0; i < rows; ++i) {
      seen.assign(columns, false);
      if (!augment(i, limit)) return false;
    }
    return true;
  }
  Choice best() {
    std::vector<double> limits = cost;
    std::sort(limits.begin(), limits.end());
    Choice choice;
    choice.largest = *std::partition_point(limits.begin(), limits.end() - 1,
                                           [&](double limit) { return !fits(limit); });
    const double never = 1e15;
    std::vector<double> u(rows + 1), v(columns + 1);
    std::vector<size_t> row(columns + 1, 0), before(columns + 1);
    for (size_t i = 1; i <= rows; ++i) {
      std::vector<double> least(columns + 1, 1e18);
      std::vector<bool> used(columns + 1, false);
      size_t at = 0;
      row[0] = i;
      do {
        used[at] = true;
        double step = 1e18;
        size_t next = 0;
        for (size_t j = 1; j <= columns; ++j) {
          if (used[j]) continue;
          const double c = cost[(row[at] - 1) * columns + j - 1];
          const double now = (c > choice.largest ? never : c) - u[row[at]] - v[j];
          if (now < least[j]) least[j] = now, before[j] = at;
          if (least[j] < step) step = least[j], next = j;
        }
        for (size_t j = 0; j <= columns; ++j)
          if (used[j])
            u[row[j]] += step, v[j] -= step;
          else
            least[j] -= step;
        at = next;
      } while (row[at] != 0);
      for (; at != 0; at = before[at]) row[at] = row[before[at]];
    }
    choice.sum = 0;
    for (size_t j = 1; j <= columns; ++j)
      if (row[j]) choice.sum += cost[(row[j] - 1) * columns + j - 1];
    return choice;
  }
};

TEST(Assignment, as_the_plain_algorithm) {
  Random random(52);
  for (int run = 0; run < effort(300); ++run) {
    const auto columns = static_cast<size_t>(random.between(1, run % 10 ? 40 : 140));
    const size_t rows =
        random.percent(60) ? columns : static_cast<size_t>(random.between(1, int(columns)));
    std::vector<double> cost(rows * columns);
    const int kind = random.below(4);
    if (kind == 0) {  // a disc and a crowd, over an empty grid: most choices are as good as others
      std::vector<Cell> from, to;
      for (size_t i = 0; i < rows; ++i) from.push_back({60 + int(i) % 12, 30 + int(i) / 12});
      for (size_t j = 0; j < columns; ++j) to.push_back({random.below(40), random.below(60)});
      for (size_t i = 0; i < rows; ++i)
        for (size_t j = 0; j < columns; ++j) {
          const int x = std::abs(from[i].x - to[j].x), y = std::abs(from[i].y - to[j].y);
          cost[i * columns + j] = std::max(x, y) + std::min(x, y) * (std::sqrt(2.0) - 1);
        }
    } else {
      const int most = kind == 1 ? 3 : kind == 2 ? 50 : 100000;
      for (double& c : cost) c = random.below(most) * 0.25 - (kind == 2 ? 5 : 0);
    }
    Choice now{-kWall, 0};
    ASSERT_NO_FATAL_FAILURE(choose(cost, rows, columns, &now));
    const Choice best = PlainChoice{cost, rows, columns, {}, {}}.best();
    ASSERT_EQ(now.largest, best.largest) << "run " << run;
    ASSERT_NEAR(now.sum, best.sum, 1e-6) << "run " << run;
  }
}

TEST(Assignment, nothing_to_assign) {
  Buffer<uint32_t> takes;
  EXPECT_TRUE(assign_columns(nullptr, 0, 0, &takes));
  EXPECT_TRUE(takes.empty());
}

// ---------------------------------------------------------------------------------------------
// Orders

struct Answer {
  Fault fault;
  std::vector<GroupSlot> slots;
  GroupAnswer sum;
};

Answer order(const std::vector<View>& views, const std::vector<GroupUnit>& units, Cell goal,
             const GroupOptions& options = {}) {
  static Searcher searcher;
  Answer answer;
  answer.slots.resize(units.size());
  answer.fault = order_group(searcher, views.data(), views.size(), units.data(), units.size(), goal,
                             options, answer.slots.data(), &answer.sum);
  return answer;
}

bool has_slot(const GroupSlot& slot) {
  return slot.status == Status::found || slot.status == Status::partial;
}

// The way of a unit as the judge finds it, past friends that cost so much.
Path judged(const View& view, Cell from, Cell to, const std::vector<ExtraCost>& waits) {
  Query query = query_of(from, to, "dijkstra");
  query.extra_costs = waits.data();
  query.extra_cost_count = waits.size();
  return ask(view, query);
}

// What must hold of every answer; failures go to the running test.
void check(const std::vector<View>& views, const std::vector<GroupUnit>& units,
           const GroupOptions& options, const Answer& answer,
           const std::vector<ExtraCost>& waits = {}) {
  ASSERT_FALSE(answer.fault) << answer.fault.text;
  std::vector<std::pair<Rect, size_t>> taken;
  double longest = 0, total = 0;
  size_t placed = 0, partial = 0;
  for (size_t i = 0; i < units.size(); ++i) {
    const GroupSlot& slot = answer.slots[i];
    const View& view = views[units[i].view];
    if (!has_slot(slot)) {
      EXPECT_EQ(slot.cell, units[i].cell);
      EXPECT_EQ(slot.distance, kWall);
      continue;
    }
    ++(slot.status == Status::found ? placed : partial);
    ASSERT_TRUE(view.passable(slot.cell));
    ASSERT_EQ(view.component(slot.cell), view.component(units[i].cell));
    const Profile& p = view.profile();
    const Rect unit{slot.cell.x - p.anchor.x, slot.cell.y - p.anchor.y, p.width, p.height};
    for (const auto& [other, j] : taken) {
      const bool apart = unit.x >= other.x + other.width + options.spacing ||
                         other.x >= unit.x + unit.width + options.spacing ||
                         unit.y >= other.y + other.height + options.spacing ||
                         other.y >= unit.y + unit.height + options.spacing;
      ASSERT_TRUE(apart) << "units " << i << " and " << j;
    }
    taken.push_back({unit, i});
    const Path path = judged(view, units[i].cell, slot.cell, waits);
    ASSERT_EQ(path.status, Status::found);
    if (answer.sum.optimal)
      EXPECT_NEAR(slot.distance, path.cost, 1e-7 * (1 + path.cost));
    else
      EXPECT_LE(slot.distance, path.cost * (1 + 1e-7));
    longest = std::max(longest, slot.distance);
    total += slot.distance;
  }
  EXPECT_EQ(answer.sum.placed, placed);
  EXPECT_EQ(answer.sum.partial, partial);
  EXPECT_EQ(answer.sum.left, units.size() - placed - partial);
  EXPECT_EQ(answer.sum.longest, longest);
  EXPECT_NEAR(answer.sum.total, total, 1e-6);
  for (const GroupSlot& slot : answer.slots) {
    if (!has_slot(slot)) EXPECT_EQ(slot.pace, 0);
    // All take the same time.
    else
      EXPECT_NEAR(slot.pace * longest, slot.distance, 1e-9 * (1 + longest));
  }
}

std::vector<GroupUnit> random_units(Random& random, const Board& board, const View& view, size_t n,
                                    uint32_t which = 0) {
  std::vector<GroupUnit> units;
  std::set<std::pair<int, int>> used;
  for (int tries = 0; units.size() < n && tries < 5000; ++tries) {
    const Cell cell = board.random_cell(random);
    if (view.passable(cell) && used.insert({cell.x, cell.y}).second) units.push_back({cell, which});
  }
  return units;
}

TEST(Group, one_unit_goes_to_the_goal) {
  World world({"...", ".#.", "..."});
  const Answer answer = order({world.view}, {{{0, 0}, 0}}, {2, 2});
  ASSERT_FALSE(answer.fault);
  EXPECT_EQ(answer.slots[0].status, Status::found);
  EXPECT_EQ(answer.slots[0].cell, (Cell{2, 2}));
  EXPECT_EQ(answer.slots[0].distance, 4);
  EXPECT_EQ(answer.sum.placed, 1u);
}

// The deepest slots go to those who come first: nobody has to pass anybody.
TEST(Group, a_dead_end_fills_from_its_end) {
  World world({".......", "######."});
  const Answer answer = order({world.view}, {{{6, 1}, 0}, {{6, 0}, 0}, {{5, 0}, 0}}, {0, 0});
  ASSERT_FALSE(answer.fault);
  EXPECT_EQ(answer.slots[2].cell, (Cell{0, 0}));
  EXPECT_EQ(answer.slots[1].cell, (Cell{1, 0}));
  EXPECT_EQ(answer.slots[0].cell, (Cell{2, 0}));
}

// Forty units to one cell: a disc of the nearest free cells, and no trail.
TEST(Group, a_compact_disc) {
  World world(Board(40, 40), Profile());
  Random random(7);
  const std::vector<GroupUnit> units = random_units(random, world.board, world.view, 40);
  const Answer answer = order({world.view}, units, {20, 20});
  check({world.view}, units, {}, answer);
  EXPECT_EQ(answer.sum.placed, 40u);
  EXPECT_TRUE(answer.sum.optimal);
  for (const GroupSlot& slot : answer.slots)
    EXPECT_LE(std::hypot(slot.cell.x - 20, slot.cell.y - 20), 4.5);
}

TEST(Group, units_that_stand_in_slots_stay) {
  World world(Board(9, 9), Profile());
  std::vector<GroupUnit> units;
  const Answer first =
      order({world.view}, {{{0, 0}, 0}, {{1, 0}, 0}, {{0, 1}, 0}, {{8, 8}, 0}}, {4, 4});
  for (const GroupSlot& slot : first.slots) units.push_back({slot.cell, 0});
  const Answer again = order({world.view}, units, {4, 4});
  EXPECT_EQ(again.sum.longest, 0);
}

TEST(Group, who_cannot_come_is_told_so) {
  World world({"..#..", "..#..", "..#.."});
  const std::vector<GroupUnit> units{
      {{4, 2}, 0}, {{0, 0}, 0}, {{0, 1}, 0}, {{2, 1}, 0}, {{9, 9}, 0}};
  Answer answer = order({world.view}, units, {4, 0});
  check({world.view}, units, {}, answer);
  EXPECT_EQ(answer.slots[0].status, Status::found);
  EXPECT_EQ(answer.slots[1].status, Status::partial);
  EXPECT_EQ(answer.slots[1].cell, (Cell{1, 0}));  // 0, 0 is one step from it, 0, 1 too
  EXPECT_EQ(answer.slots[3].status, Status::start_blocked);
  EXPECT_EQ(answer.slots[4].status, Status::start_out_of_bounds);
  GroupOptions options;
  options.allow_partial = false;
  answer = order({world.view}, units, {4, 0}, options);
  EXPECT_EQ(answer.slots[1].status, Status::no_path);
  EXPECT_EQ(answer.slots[1].cell, (Cell{0, 0}));
}

TEST(Group, a_goal_in_a_wall) {
  World world({"...", ".##", "..."});
  const Answer answer = order({world.view}, {{{0, 0}, 0}}, {2, 1});
  EXPECT_EQ(answer.slots[0].status, Status::found);  // as near as anybody can come
  EXPECT_EQ(answer.slots[0].cell, (Cell{2, 0}));
}

TEST(Group, no_room_left) {
  World pocket({"..#...", "..#..."});
  const std::vector<GroupUnit> units{{{0, 0}, 0}, {{1, 0}, 0}, {{0, 1}, 0}, {{1, 1}, 0}};
  GroupOptions options;
  options.spacing = 1;  // a pocket of 2 x 2 cells holds one
  const Answer answer = order({pocket.view}, units, {0, 0}, options);
  check({pocket.view}, units, options, answer);
  EXPECT_EQ(answer.sum.placed, 1u);
  EXPECT_EQ(answer.sum.left, 3u);
}

TEST(Group, formations_in_the_open) {
  World world(Board(60, 60), Profile());
  std::vector<GroupUnit> units;
  for (int i = 0; i < 9; ++i) units.push_back({{5 + i % 3, 30 + i / 3}, 0});
  const auto cells = [&](Formation formation, int files, int spacing, Cell facing) {
    GroupOptions options;
    options.formation = formation;
    options.files = files;
    options.spacing = spacing;
    options.facing = facing;
    const Answer answer = order({world.view}, units, {40, 30}, options);
    check({world.view}, units, options, answer);
    std::set<std::pair<int, int>> set;
    for (const GroupSlot& slot : answer.slots) set.insert({slot.cell.x - 40, slot.cell.y - 30});
    return set;
  };
  using Set = std::set<std::pair<int, int>>;
  Set box;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x) box.insert({3 * x, 3 * y});
  EXPECT_EQ(cells(Formation::box, 0, 2, {1, 0}), box);
  Set column;
  for (int i = 0; i < 9; ++i) column.insert({-i, 0});
  EXPECT_EQ(cells(Formation::column, 0, 0, {}), column);  // they come from the west
  column.clear();
  for (int i = 0; i < 9; ++i) column.insert({0, i});
  EXPECT_EQ(cells(Formation::column, 1, 0, {0, -5}), column);
  Set wedge{{0, 0}};
  for (int i = 1; i <= 4; ++i) wedge.insert({-i, i}), wedge.insert({-i, -i});
  EXPECT_EQ(cells(Formation::wedge, 0, 0, {1, 0}), wedge);
  EXPECT_EQ(cells(Formation::wedge, 0, 0, {7, 1}), wedge);  // the nearest of eight directions
  Set shape;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x) shape.insert({x, y});
  EXPECT_EQ(cells(Formation::keep_shape, 0, 0, {}), shape);
}

TEST(Group, a_shape_is_kept_unit_by_unit) {
  World world(Board(60, 60), Profile());
  const std::vector<GroupUnit> units{{{3, 3}, 0}, {{7, 3}, 0}, {{5, 9}, 0}};  // middle (5, 5)
  GroupOptions options;
  options.formation = Formation::keep_shape;
  const Answer answer = order({world.view}, units, {40, 30}, options);
  check({world.view}, units, options, answer);
  for (size_t i = 0; i < units.size(); ++i) {
    EXPECT_EQ(answer.slots[i].cell.x, units[i].cell.x + 35);
    EXPECT_EQ(answer.slots[i].cell.y, units[i].cell.y + 25);
  }
}

// Larger units stand nearer to the goal, and nobody overlaps anybody.
TEST(Group, units_of_several_sizes) {
  Random random(17);
  for (int run = 0; run < 60; ++run) {
    const Board board = random_board(random, random.between(20, 70), random.between(20, 70), 12);
    Engine engine;
    ASSERT_FALSE(load(board, engine));
    std::vector<View> views;
    std::vector<GroupUnit> units;
    std::vector<ProfileId> ids;
    for (int side = 1; side <= 3; ++side) {
      Profile p = profile_of(random.percent(30) ? Moves::four : Moves::eight);
      p.width = side;
      p.height = random.between(1, side);
      p.anchor = {random.below(p.width), random.below(p.height)};
      ProfileId id;
      ASSERT_FALSE(engine.add_profile(p, &id));
      ids.push_back(id);
    }
    ASSERT_FALSE(engine.commit());
    for (const ProfileId id : ids) views.push_back(engine.view(id));
    for (uint32_t v = 0; v < 3; ++v)
      for (const GroupUnit& u : random_units(random, board, views[v], 6, v)) units.push_back(u);
    for (int f = 0; f <= 4; ++f) {
      GroupOptions options;
      options.formation = static_cast<Formation>(f);
      options.spacing = random.below(3);
      const Answer answer = order(views, units, board.random_cell(random), options);
      check(views, units, options, answer);
    }
  }
}

// Compact: no choice of who takes which slot has a shorter longest way, or the same and a smaller
// sum; weights and an index change nothing in that.
TEST(Group, the_best_choice) {
  Random random(23);
  for (int run = 0; run < 150; ++run) {
    Board board = random_board(random, random.between(6, 30), random.between(6, 30), 25);
    const bool weighted = random.percent(40);
    if (weighted) sprinkle(random, board, "258", 40);
    World world(board, Profile());
    const std::vector<GroupUnit> units =
        random_units(random, board, world.view, static_cast<size_t>(random.between(1, 6)));
    const Cell goal = board.random_cell(random);
    if (units.empty()) continue;
    const Answer answer = order({world.view}, units, goal);
    check({world.view}, units, {}, answer);
    std::map<uint32_t, std::vector<size_t>> troops;
    for (size_t i = 0; i < units.size(); ++i)
      if (has_slot(answer.slots[i])) troops[world.view.component(units[i].cell)].push_back(i);
    for (const auto& [component, members] : troops) {
      const size_t n = members.size();
      std::vector<double> cost(n * n);
      Choice now{-kWall, 0};
      for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < n; ++j)
          cost[i * n + j] = ask(world.view, query_of(units[members[i]].cell,
                                                     answer.slots[members[j]].cell, "dijkstra"))
                                .cost;
        now.largest = std::max(now.largest, cost[i * n + i]);
        now.sum += cost[i * n + i];
      }
      const Choice best = best_of_all(cost, n, n);
      EXPECT_NEAR(now.largest, best.largest, 1e-6 * (1 + best.largest));
      EXPECT_LE(now.sum, best.sum * (1 + 1e-6) + 1e-6);
    }
    if (weighted) continue;
    View labels;
    Index index;
    ASSERT_FALSE(build_index(world.view, {}, &index));
    ASSERT_FALSE(world.view.with_index(index, &labels));
    const Answer other = order({labels}, units, goal);
    check({labels}, units, {}, other);
    EXPECT_NEAR(other.sum.longest, answer.sum.longest, 1e-6 * (1 + answer.sum.longest));
    EXPECT_NEAR(other.sum.total, answer.sum.total, 1e-6 * (1 + answer.sum.total));
  }
}

// Friends on the map: distances are the judge's with what friends cost, the choice is the best one
// by them, and where a friend rests nobody gets a slot. Weights, sizes, free ground, many units.
TEST(Group, past_friends) {
  Random random(29);
  for (int run = 0; run < 200; ++run) {
    const bool many = run % 20 == 0;  // more than are assigned one by one
    Board board = random_board(random, random.between(6, 30), random.between(6, 30), 20);
    if (many) board = Board(40, 40);
    if (random.percent(40)) sprinkle(random, board, "258", 40);
    Profile profile = profile_of(random.percent(30) ? Moves::four : Moves::eight);
    if (random.percent(30)) profile.width = profile.height = 2;
    if (random.percent(10)) profile.terrain_cost['2'] = 0;
    World world(board, profile);
    const View& view = world.view;
    const std::vector<GroupUnit> units = random_units(
        random, world.board, view, many ? 520 : static_cast<size_t>(random.between(1, 6)));
    if (units.empty()) continue;
    const Cell goal = world.board.random_cell(random);
    std::vector<GroupFriend> friends(static_cast<size_t>(random.between(1, 25)));
    for (GroupFriend& f : friends) {
      f.cell = world.board.random_cell(random);
      if (random.percent(10)) f.cell.x -= 40;  // outside
      if (random.percent(60)) f.heading = {random.between(-3, 3), random.between(-3, 3)};
      f.speed = random.below(5) / 4.0;
    }
    GroupOptions options;
    options.spacing = many ? 0 : random.below(3);
    options.friends = friends.data();
    options.friend_count = friends.size();
    options.friend_costs = {random.below(9) / 4.0, random.below(40) / 4.0};
    const Answer answer = order({view}, units, goal, options);
    double x = 0, y = 0;
    for (const GroupUnit& u : units) x += u.cell.x, y += u.cell.y;
    const double n = static_cast<double>(units.size());
    const Cell middle{static_cast<int32_t>(std::floor(x / n + 0.5)),
                      static_cast<int32_t>(std::floor(y / n + 0.5))};
    std::vector<ExtraCost> waits(friends.size());
    ASSERT_FALSE(friend_costs(middle, goal, friends.data(), friends.size(), options.friend_costs,
                              waits.data()));
    ASSERT_FALSE(answer.fault);
    EXPECT_EQ(answer.sum.optimal, !many || answer.sum.placed + answer.sum.partial == 0);
    check({view}, units, options, answer, waits);
    if (HasFatalFailure()) return;
    for (const GroupSlot& slot : answer.slots) {
      if (!has_slot(slot)) continue;
      for (const GroupFriend& f : friends) {
        if (f.speed > 0 && f.heading != Cell{}) continue;
        const int32_t s = options.spacing;
        EXPECT_TRUE(f.cell.x + s < slot.cell.x || f.cell.x - s >= slot.cell.x + profile.width ||
                    f.cell.y + s < slot.cell.y || f.cell.y - s >= slot.cell.y + profile.height);
      }
    }
    std::map<uint32_t, std::vector<size_t>> troops;
    for (size_t i = 0; i < units.size() && !many; ++i)
      if (has_slot(answer.slots[i])) troops[view.component(units[i].cell)].push_back(i);
    for (const auto& [component, members] : troops) {
      const size_t m = members.size();
      std::vector<double> cost(m * m);
      Choice now{-kWall, 0};
      for (size_t i = 0; i < m; ++i) {
        for (size_t j = 0; j < m; ++j)
          cost[i * m + j] =
              judged(view, units[members[i]].cell, answer.slots[members[j]].cell, waits).cost;
        now.largest = std::max(now.largest, cost[i * m + i]);
        now.sum += cost[i * m + i];
      }
      const Choice best = best_of_all(cost, m, m);
      EXPECT_NEAR(now.largest, best.largest, 1e-6 * (1 + best.largest));
      EXPECT_LE(now.sum, best.sum * (1 + 1e-6) + 1e-6);
    }
  }
}

// A parked friend before one of two doors sends the unit through the other one; one that goes along
// does not, and an index changes nothing.
TEST(Group, friends_change_who_takes_which_slot) {
  Rows rows(7, std::string(13, '.'));
  for (int y = 0; y < 7; ++y)
    if (y != 1 && y != 5) rows[size_t(y)][6] = '#';
  World world(rows);
  Index index;
  View labels;
  ASSERT_FALSE(build_index(world.view, {}, &index));
  ASSERT_FALSE(world.view.with_index(index, &labels));
  const GroupFriend parked{{6, 1}, {}, 0}, along{{6, 1}, {1, 0}, 1};
  const std::vector<GroupUnit> units{{{5, 1}, 0}};
  for (const View& view : {world.view, labels}) {
    GroupOptions options;
    options.friend_count = 1;
    options.friends = &along;
    EXPECT_EQ(order({view}, units, {7, 1}, options).sum.total, 2);
    options.friends = &parked;
    options.friend_costs.resting = 3;
    EXPECT_EQ(order({view}, units, {7, 1}, options).sum.total, 5);  // it waits
    options.friend_costs.resting = 50;
    EXPECT_EQ(order({view}, units, {7, 1}, options).sum.total, 10);  // it goes round
    EXPECT_EQ(order({view}, units, {7, 1}).sum.total, 2);
  }
}

// As many abreast as pass through the gap, whatever lies on either side of it.
TEST(Group, files_by_passage) {
  Random random(31);
  for (int run = 0; run < 60; ++run) {
    const int gap = random.between(1, 12), thick = random.between(1, 3);
    const int spacing = random.below(3), side = random.between(1, 2);
    Board board(90, 41);
    const int top = random.between(0, 41 - gap), left = random.between(15, 40);
    for (int y = 0; y < 41; ++y)
      for (int x = left; x < left + thick && (y < top || y >= top + gap); ++x)
        board.at({x, y}) = '@';
    Profile profile = profile_of(random.percent(50) ? Moves::four : Moves::eight);
    profile.width = profile.height = side;
    if (gap < side) continue;
    World world(board, profile);
    std::vector<GroupUnit> units;
    for (int i = 0; i < 16; ++i) units.push_back({{side * (i % 4), 12 + side * (i / 4)}, 0});
    GroupOptions options;
    options.formation = random.percent(50) ? Formation::box : Formation::column;
    options.files = GroupOptions::kFilesByPassage;
    options.facing = {1, 0};
    options.spacing = spacing;
    const Answer answer = order({world.view}, units, {75, 20}, options);
    check({world.view}, units, options, answer);
    std::set<int> files, ranks;
    for (const GroupSlot& slot : answer.slots) files.insert(slot.cell.y), ranks.insert(slot.cell.x);
    const int fit = (gap - side) / (side + spacing) + 1, abreast = std::min(fit, 4);
    if (abreast == 3) continue;  // the last rank stands between two files
    // Long columns end at the wall, where they bend.
    if (75 - 16 / abreast * (side + spacing) < left + thick + 4) continue;
    EXPECT_EQ(files.size(), static_cast<size_t>(abreast)) << gap << ' ' << spacing << ' ' << side;
    EXPECT_EQ(ranks.size(), static_cast<size_t>(16 / abreast));
  }
}

// More units than are assigned one by one: still distinct slots, lower bounds, the same each time.
// With weights the way back costs something else.
TEST(Group, a_large_army) {
  Random random(29);
  for (const bool weighted : {false, true}) {
    Board board(120, 90);
    if (weighted) sprinkle(random, board, "2359", 50);
    World world(board, Profile());
    const std::vector<GroupUnit> units = random_units(random, board, world.view, 700);
    const Answer answer = order({world.view}, units, {60, 45});
    EXPECT_FALSE(answer.sum.optimal);
    check({world.view}, units, {}, answer);
    EXPECT_EQ(answer.sum.placed, 700u);
    const Answer again = order({world.view}, units, {60, 45});
    for (size_t i = 0; i < units.size(); ++i) ASSERT_EQ(answer.slots[i].cell, again.slots[i].cell);
    if (weighted) continue;
    // In the open the disc's radius is 15: nobody walks much farther than the farthest has to.
    double farthest = 0;
    for (const GroupUnit& u : units)
      farthest = std::max(farthest, world.view.estimate(u.cell, {60, 45}));
    EXPECT_LE(answer.sum.longest, farthest + 1);
  }
}

// Carried out by steps: everybody arrives, and then nobody ever moves again (OpenRA 11440, 14073).
void all_arrive_and_rest(const View& view, const std::vector<GroupUnit>& units, Cell goal,
                         double most_ticks) {
  const Answer answer = order({view}, units, goal);
  check({view}, units, {}, answer);
  std::vector<StepAgent> agents(units.size());
  for (size_t i = 0; i < units.size(); ++i) {
    ASSERT_EQ(answer.slots[i].status, Status::found);
    agents[i].cell = units[i].cell;
    agents[i].goal = answer.slots[i].cell;
  }
  StepPlanner planner;
  ASSERT_FALSE(planner.reset(view, agents.data(), agents.size(), {}));
  while (planner.on_the_way() > 0) {
    ASSERT_LT(static_cast<double>(planner.ticks()), most_ticks);
    ASSERT_FALSE(planner.step());
  }
  for (int tick = 0; tick < 100; ++tick) {
    ASSERT_FALSE(planner.step());
    for (size_t i = 0; i < units.size(); ++i) {
      ASSERT_EQ(planner.cell(i), agents[i].goal);
      ASSERT_EQ(planner.outcome(i), StepOutcome::waited);
    }
  }
}

TEST(Group, forty_units_to_one_cell) {
  World world(Board(40, 40), Profile());
  std::vector<GroupUnit> units;
  for (int i = 0; i < 40; ++i) units.push_back({{i % 8, i / 8}, 0});
  all_arrive_and_rest(world.view, units, {30, 30}, 120);
}

// One door for all, and the room behind it fills from its far end (unknown-horizons 1061).
TEST(Group, a_queue_through_one_door) {
  Board board(30, 9);
  for (int y = 0; y < 9; ++y)
    if (y != 4) board.at({20, y}) = '@';
  World world(board, Profile());
  std::vector<GroupUnit> units;
  for (int i = 0; i < 36; ++i) units.push_back({{i % 6, i / 6}, 0});
  all_arrive_and_rest(world.view, units, {21, 4}, 200);
}

TEST(Group, wrong_calls) {
  World world(Board(9, 9), Profile()), other(Board(8, 9), Profile());
  Searcher searcher;
  const GroupUnit unit{{1, 1}, 0}, foreign{{1, 1}, 1};
  GroupSlot slot;
  const auto status = [&](const View* views, size_t n, const GroupUnit* u, size_t count, Cell goal,
                          const GroupOptions& o, GroupSlot* s) {
    const Fault f = order_group(searcher, views, n, u, count, goal, o, s, nullptr);
    EXPECT_TRUE(!f || f.text[0] != 0);
    return f.status;
  };
  const GroupOptions plain;
  const View empty, two[2] = {world.view, other.view};
  EXPECT_EQ(status(&world.view, 1, &unit, 1, {4, 4}, plain, &slot), Status::found);
  EXPECT_EQ(status(&world.view, 1, nullptr, 0, {4, 4}, plain, nullptr), Status::found);
  EXPECT_EQ(status(nullptr, 1, &unit, 1, {4, 4}, plain, &slot), Status::bad_argument);
  EXPECT_EQ(status(&world.view, 0, &unit, 1, {4, 4}, plain, &slot), Status::bad_argument);
  EXPECT_EQ(status(&empty, 1, &unit, 1, {4, 4}, plain, &slot), Status::bad_argument);
  EXPECT_EQ(status(two, 2, &unit, 1, {4, 4}, plain, &slot), Status::bad_argument);
  EXPECT_EQ(status(&world.view, 1, &foreign, 1, {4, 4}, plain, &slot), Status::bad_argument);
  EXPECT_EQ(status(&world.view, 1, nullptr, 1, {4, 4}, plain, &slot), Status::bad_argument);
  EXPECT_EQ(status(&world.view, 1, &unit, 1, {4, 4}, plain, nullptr), Status::bad_argument);
  EXPECT_EQ(status(&world.view, 1, &unit, 1, {9, 4}, plain, &slot), Status::goal_out_of_bounds);
  GroupOptions bad;
  bad.spacing = 33;
  EXPECT_EQ(status(&world.view, 1, &unit, 1, {4, 4}, bad, &slot), Status::bad_argument);
  bad = {};
  bad.files = -2;
  EXPECT_EQ(status(&world.view, 1, &unit, 1, {4, 4}, bad, &slot), Status::bad_argument);
  bad = {};
  bad.formation = static_cast<Formation>(9);
  EXPECT_EQ(status(&world.view, 1, &unit, 1, {4, 4}, bad, &slot), Status::bad_argument);
  const GroupFriend odd{{2, 2}, {1, 0}, 2}, fine{{2, 2}, {1, 0}, 1};
  bad = {};
  bad.friend_count = 1;
  EXPECT_EQ(status(&world.view, 1, &unit, 1, {4, 4}, bad, &slot), Status::bad_argument);
  bad.friends = &odd;
  EXPECT_EQ(status(&world.view, 1, &unit, 1, {4, 4}, bad, &slot), Status::bad_argument);
  bad.friends = &fine;
  bad.friend_costs.resting = -1;
  EXPECT_EQ(status(&world.view, 1, &unit, 1, {4, 4}, bad, &slot), Status::bad_argument);
  bad = {};
  bad.friend_costs.moving = -1;  // without a friend as well
  EXPECT_EQ(status(&world.view, 1, &unit, 1, {4, 4}, bad, &slot), Status::bad_argument);
  bad = {};
  bad.formation = Formation::column;
  bad.facing = {INT32_MIN, INT32_MAX};
  bad.files = INT32_MAX;
  EXPECT_EQ(status(&world.view, 1, &unit, 1, {4, 4}, bad, &slot), Status::found);
}

}  // namespace
}  // namespace octile::test
