// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Fields against the judge: distances of cells, and where the directions lead. The whole field
// against the one of the plain loop; after edits against one built anew.

#include "octile/fields.hpp"

#include <cmath>
#include <fstream>

#include "base/cost.hpp"
#include "public_maps.hpp"
#include "support.hpp"

namespace octile::test {
namespace {

struct Case {
  std::string name;
  Board board;
};

std::vector<Case> boards(Random& random) {
  std::vector<Case> all;
  for (const int width : {7, 63, 64, 65, 127, 129})
    all.push_back({"random " + std::to_string(width),
                   random_board(random, width, random.between(20, 70), random.between(5, 40))});
  all.push_back({"comb", comb_board(65, 40)});
  all.push_back({"spiral", spiral_board(66, 67)});
  all.push_back({"one wide", one_wide_board(random, 63, 65, 30)});
  all.push_back({"rooms", rooms_board(random, 70, 50, 7)});
  all.push_back({"row", Board(129, 1)});
  return all;
}

// The judge's cost from a cell to the nearest of the goals, in units; UINT64_MAX when none leads.
uint64_t judged(const View& view, Cell start, const std::vector<Cell>& goals) {
  Query query = query_of(start, goals[0], "dijkstra");
  query.goals = goals.data();
  query.goal_count = goals.size();
  const Path path = ask(view, query);
  return path.status == Status::found ? path.cost_units : UINT64_MAX;
}

std::vector<Cell> free_cells(Random& random, const View& view, const Board& board, int count) {
  std::vector<Cell> cells;
  for (int tries = 0; tries < 1000 && static_cast<int>(cells.size()) < count; ++tries) {
    const Cell cell = board.random_cell(random);
    if (view.passable(cell)) cells.push_back(cell);
  }
  return cells;
}

FieldQuery to_goals(const std::vector<Cell>& goals) {
  FieldQuery query;
  query.goals = goals.data();
  query.goal_count = goals.size();
  return query;
}

// Distances and directions of sampled cells, and the paths that follow them.
void check_field(Random& random, const Rules& rules, const View& view, const Field& field,
                 const std::vector<Cell>& goals, int samples) {
  Path path;
  for (int i = 0; i < samples; ++i) {
    const Cell cell = rules.board().random_cell(random);
    const uint64_t right = judged(view, cell, goals);
    ASSERT_EQ(field.distance_units(cell), right) << shown(cell);
    ASSERT_EQ(field.reached(cell), right != UINT64_MAX);
    field.path(cell, path);
    if (right == UINT64_MAX) {
      ASSERT_TRUE(path.status == Status::no_path || path.status == Status::start_blocked);
      ASSERT_EQ(field.direction(cell), kUnreached);
      ASSERT_EQ(field.next(cell), cell);
      continue;
    }
    ASSERT_EQ(path.status, Status::found);
    ASSERT_EQ(path.cost_units, right) << shown(cell);
    const Walk went = walk(rules, cells_of(path));
    ASSERT_EQ(went.wrong, "") << shown(cell);
    ASSERT_NEAR(went.cost, path.cost, 1e-6 * (1 + path.cost));
    ASSERT_NEAR(field.distance(cell), path.cost, 2e-8 * (1 + path.cost));
    ASSERT_EQ(path.cells()[path.size() - 1], goals[path.goal_index]);
    if (path.size() > 1) {
      ASSERT_EQ(field.next(cell), path.cells()[1]);
    } else {
      ASSERT_EQ(field.direction(cell), kAtGoal);
    }
  }
}

void expect_same(const View& view, const Field& a, const Field& b) {
  const size_t cells = static_cast<size_t>(view.width()) * static_cast<size_t>(view.height());
  std::vector<uint8_t> left(cells), right(cells);
  a.directions(left.data());
  b.directions(right.data());
  ASSERT_EQ(left, right);
  const Cell first = view.first_cell();
  for (int y = 0; y < view.height(); ++y)
    for (int x = 0; x < view.width(); ++x)
      ASSERT_EQ(a.distance_units({first.x + x, first.y + y}),
                b.distance_units({first.x + x, first.y + y}));
}

TEST(Fields, EveryRuleAndWeightAsTheJudge) {
  Random random(1);
  for (const Case& c : boards(random)) {
    for (Profile profile : all_profiles()) {
      for (int weights = 0; weights < 4; ++weights) {
        Board board = c.board;
        if (weights == 1) sprinkle(random, board, "1279", 40);
        if (weights == 2) sprinkle(random, board, "013", 50);
        if (weights == 3) {
          board.add_weights(0.25);
          random_weights(random, board, 0.25, 60000, false);
        }
        if (weights > 0 && !long_run() && random.percent(60)) continue;
        profile.width = random.percent(70) ? 1 : 2;
        profile.height = random.percent(70) ? 1 : 3;
        SCOPED_TRACE(c.name + " " + name_of(profile) + " weights " + std::to_string(weights));
        const World world(board, profile);
        const std::vector<Cell> goals = free_cells(random, world.view, board, random.between(1, 3));
        if (goals.empty()) continue;
        FieldMaker maker;
        Field field, plain;
        const Fault fault = maker.build(world.view, to_goals(goals), &field);
        ASSERT_FALSE(fault) << fault.text;
        check_field(random, world.rules(), world.view, field, goals, effort(6));
        maker.plain = true;
        ASSERT_FALSE(maker.build(world.view, to_goals(goals), &plain));
        expect_same(world.view, field, plain);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Every cell of the public maps, if there are any (every tenth map; all with OCTILE_LONG=1), in
// both metrics. A goal is at 0, no move leads to less than its length below, and the direction
// leads to exactly that: so each distance is the least there is, and following directions pays it.
// The judge is asked for a few.
TEST(Fields, EveryCellOfPublicMaps) {
  const std::vector<std::filesystem::path> files = public_files(".map");
  if (files.empty()) GTEST_SKIP() << "no maps in " << maps_folder() << "; set OCTILE_MAPS";
  Random random(9);
  for (size_t number = 0; number < files.size(); ++number) {
    if (!long_run() && number % (sampled() ? 25 : 10) != 2) continue;
    SCOPED_TRACE(files[number]);
    std::ifstream in(files[number]);
    Rows rows;
    for (std::string line; std::getline(in, line);) rows.push_back(line);
    ASSERT_GT(rows.size(), 4u);
    rows.erase(rows.begin(), rows.begin() + 4);
    for (std::string& row : rows) row = row.substr(0, row.find('\r'));
    for (const Metric metric : {Metric::octile, Metric::ten_fourteen}) {
      Profile profile;
      profile.metric = metric;
      const World world(Board(rows), profile);
      const Rules rules = world.rules();
      const std::vector<Cell> goals = free_cells(random, world.view, world.board, 1);
      ASSERT_EQ(goals.size(), 1u);
      FieldMaker maker;
      Field field;
      ASSERT_FALSE(maker.build(world.view, to_goals(goals), &field));
      const StepCosts steps = step_costs(profile.moves, profile.diagonal, metric, true);
      const uint32_t part = world.view.component(goals[0]);
      for (size_t i = 0; i < world.board.size(); ++i) {
        const Cell cell = world.board.cell(i);
        const bool reached = world.view.passable(cell) && world.view.component(cell) == part;
        ASSERT_EQ(field.reached(cell), reached) << shown(cell);
        if (!reached) continue;
        const uint64_t own = field.distance_units(cell);
        uint64_t least = cell == goals[0] ? 0 : UINT64_MAX;
        for (int dy = -1; dy <= 1; ++dy)
          for (int dx = -1; dx <= 1; ++dx) {
            if ((dx == 0 && dy == 0) || !rules.may_step(cell, dx, dy)) continue;
            const Cell to{cell.x + dx, cell.y + dy};
            const uint64_t over =
                field.distance_units(to) + (dx != 0 && dy != 0 ? steps.diagonal : steps.straight);
            least = std::min(least, over);
            ASSERT_TRUE(to != field.next(cell) || over == own) << shown(cell);
          }
        ASSERT_EQ(own, least) << shown(cell);
      }
      check_field(random, rules, world.view, field, goals, 5);
      if (HasFatalFailure()) return;
    }
  }
}

// Few walls, so that runs are long: every cell beside the plain algorithm.
TEST(Fields, LongRunsAsCellByCell) {
  Random random(7);
  std::vector<Profile> profiles;
  for (const Profile& p : all_profiles())
    if (p.moves == Moves::eight && p.diagonal == Diagonal::no_obstacles) profiles.push_back(p);
  FieldMaker maker, plain_maker;
  plain_maker.plain = true;
  for (int round = 0; round < effort(150); ++round) {
    const int width = random.between(1, 150), height = random.between(1, 150);
    Board board = round % 3 ? random_board(random, width, height, random.between(0, 9))
                            : rooms_board(random, width + 8, height + 8, random.between(4, 40));
    // Blocks of walls, and ways around them.
    for (int k = random.between(0, 12); k > 0; --k) {
      const Cell at = board.random_cell(random);
      const int w = random.between(1, 30), h = random.between(1, 30);
      for (int y = at.y; y < at.y + h; ++y)
        for (int x = at.x; x < at.x + w; ++x)
          if (board.contains({x, y}))
            board.terrain[board.index({x, y})] = random.percent(90) ? '@' : '.';
    }
    Profile profile = profiles[static_cast<size_t>(round) % profiles.size()];
    profile.width = random.percent(80) ? 1 : 2;
    const World world(board, profile);
    const std::vector<Cell> goals = free_cells(random, world.view, board, random.between(1, 9));
    if (goals.empty()) continue;
    std::vector<double> offsets;
    for (size_t i = 0; i < goals.size(); ++i) offsets.push_back(random.below(90));
    FieldQuery query = to_goals(goals);
    if (random.percent(50)) query.offsets = offsets.data();
    if (random.percent(20)) query.max_cost = random.below(120);
    Field field, plain;
    ASSERT_FALSE(maker.build(world.view, query, &field));
    ASSERT_FALSE(plain_maker.build(world.view, query, &plain));
    expect_same(world.view, field, plain);
    if (HasFatalFailure()) return;
  }
}

TEST(Fields, EndsAtALimitOrWhenAllStopsAreReached) {
  Random random(2);
  for (int round = 0; round < effort(40); ++round) {
    Board board = random_board(random, random.between(20, 90), random.between(20, 90),
                               round % 2 ? 25 : random.between(1, 8));
    if (round % 3 == 1) sprinkle(random, board, "123", 40);
    if (round % 3 == 2) sprinkle(random, board, "01", 40);
    const World world(board, all_profiles()[static_cast<size_t>(round) % all_profiles().size()]);
    const std::vector<Cell> goals = free_cells(random, world.view, board, 2);
    const std::vector<Cell> stops = free_cells(random, world.view, board, 3);
    FieldMaker maker;
    Field whole, limited, stopped;
    FieldQuery query = to_goals(goals);
    ASSERT_FALSE(maker.build(world.view, query, &whole));
    const Cell edge = free_cells(random, world.view, board, 1)[0];
    const double limit = whole.reached(edge) ? whole.distance(edge) : 10;
    query.max_cost = limit;
    ASSERT_FALSE(maker.build(world.view, query, &limited));
    query.max_cost = kWall;
    query.stops = stops.data();
    query.stop_count = stops.size();
    ASSERT_FALSE(maker.build(world.view, query, &stopped));
    std::vector<Cell> near(whole.within(limit, nullptr, 0));
    ASSERT_EQ(whole.within(limit, near.data(), near.size()), near.size());
    ASSERT_EQ(limited.within(1e9, nullptr, 0), near.size());
    size_t reached = 0;
    for (size_t i = 0; i < board.size(); ++i) {
      const Cell cell = board.cell(i);
      const bool in = whole.distance(cell) <= limit * (1 + 1e-7);
      ASSERT_EQ(limited.reached(cell), in) << shown(cell);
      if (in) {
        ASSERT_EQ(near[reached++], cell);
        ASSERT_EQ(limited.distance_units(cell), whole.distance_units(cell));
        ASSERT_EQ(limited.direction(cell), whole.direction(cell));
      }
      if (stopped.reached(cell)) {
        ASSERT_EQ(stopped.distance_units(cell), whole.distance_units(cell));
        ASSERT_EQ(stopped.direction(cell), whole.direction(cell));
      }
    }
    for (const Cell stop : stops) ASSERT_EQ(stopped.reached(stop), whole.reached(stop));
  }
}

TEST(Fields, OffsetsAreAddedAtTheirGoals) {
  Random random(3);
  for (int round = 0; round < effort(60); ++round) {
    Board board = random_board(random, random.between(10, 80), random.between(10, 80),
                               round % 4 < 2 ? 20 : random.between(1, 8));
    if (round % 2) sprinkle(random, board, "124", 30);
    const World world(board, all_profiles()[static_cast<size_t>(round) % all_profiles().size()]);
    const std::vector<Cell> goals = free_cells(random, world.view, board, 3);
    const double offsets[3] = {double(random.below(50)), double(random.below(200)),
                               random.percent(50) ? 0.0 : 7.0};
    FieldMaker maker;
    Field all, one[3];
    FieldQuery query = to_goals(goals);
    query.offsets = offsets;
    ASSERT_FALSE(maker.build(world.view, query, &all));
    for (size_t g = 0; g < 3; ++g) {
      query.goals = &goals[g];
      query.goal_count = 1;
      query.offsets = nullptr;
      ASSERT_FALSE(maker.build(world.view, query, &one[g]));
    }
    Path path;
    for (size_t i = 0; i < board.size(); ++i) {
      const Cell cell = board.cell(i);
      double least = kWall;
      for (size_t g = 0; g < 3; ++g) least = std::min(least, one[g].distance(cell) + offsets[g]);
      if (least == kWall) {
        ASSERT_FALSE(all.reached(cell));
        continue;
      }
      ASSERT_NEAR(all.distance(cell), least, 1e-6) << shown(cell);
      all.path(cell, path);
      ASSERT_EQ(path.status, Status::found);
      ASSERT_NEAR(path.cost + offsets[path.goal_index], least, 1e-5) << shown(cell);
    }
  }
}

// A field that goes along with every commit, against one built anew.
void follow_edits(Random& random, World& world, const FieldQuery& query, int edits, int largest,
                  const std::string& terrains, int count[3]) {
  FieldMaker maker;
  Field field, anew;
  if (maker.build(world.view, query, &field)) return;
  for (int edit = 0; edit < edits; ++edit) {
    for (int k = random.between(1, 3); k > 0; --k) {
      const Cell first = world.board.random_cell(random);
      const char terrain = terrains[static_cast<size_t>(random.below(int(terrains.size())))];
      const int width = random.between(1, largest), height = random.between(1, largest);
      for (int y = first.y; y < std::min(first.y + height, world.board.height()); ++y)
        for (int x = first.x; x < std::min(first.x + width, world.board.width()); ++x)
          ASSERT_FALSE(world.engine.map().set_terrain({x, y}, static_cast<uint8_t>(terrain)));
    }
    world.commit();
    FieldUpdate how = FieldUpdate::kept;
    const Fault fault = maker.update(world.view, &field, &how);
    ASSERT_EQ(fault.status, maker.build(world.view, query, &anew).status);
    if (fault) break;
    ++count[static_cast<int>(how)];
    ASSERT_EQ(field.view().version(), world.view.version());
    expect_same(world.view, field, anew);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Fields, AfterEditsAsBuiltAnew) {
  Random random(4);
  int count[3] = {};
  const double offsets[2] = {2.5, 0};
  for (int round = 0; round < effort(60); ++round) {
    Board board = random_board(random, random.between(70, 200), random.between(20, 140),
                               random.between(10, 45));
    const bool weighted = round % 4 == 3;
    if (weighted) sprinkle(random, board, "123", 40);
    Profile profile = all_profiles()[static_cast<size_t>(round) % all_profiles().size()];
    if (round % 5 == 4) profile.width = profile.height = 2;
    World world(board, profile);
    SCOPED_TRACE(name_of(profile) + " round " + std::to_string(round));
    const std::vector<Cell> goals = free_cells(random, world.view, board, 2);
    if (goals.size() < 2) continue;
    FieldQuery query = to_goals(goals);
    if (round % 3 == 1) query.max_cost = 40;
    if (round % 6 >= 4) query.offsets = offsets;
    if (round % 7 == 6) {
      query.stops = goals.data();
      query.stop_count = 1;
    }
    follow_edits(random, world, query, 25, round % 2 ? 1 : 6, weighted ? "@@.123" : "@.", count);
    if (HasFatalFailure()) return;
  }
  for (const int times : count) EXPECT_GT(times, effort(60));
}

TEST(Fields, AfterEveryEditOfSmallMaps) {
  Random random(6);
  int count[3] = {};
  for (int round = 0; round < effort(300); ++round) {
    const Board board =
        random_board(random, random.between(1, 7), random.between(1, 6), random.between(10, 50));
    Profile profile = all_profiles()[static_cast<size_t>(round) % all_profiles().size()];
    if (round % 6 == 5) profile.width = 2;
    World world(board, profile);
    SCOPED_TRACE(name_of(profile) + "\n" + picture(board));
    const std::vector<Cell> goals = free_cells(random, world.view, board, 1);
    if (goals.empty()) continue;
    follow_edits(random, world, to_goals(goals), 20, 1, round % 4 == 3 ? "@@.29" : "@..", count);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(count[int(FieldUpdate::repaired)], effort(1000));
}

// A wall far from every way, and one across the only way.
TEST(Fields, AWallAcrossTheWayIsNoticed) {
  World world(Rows{"...#...", ".......", "...#...", "######.", "......."});
  FieldMaker maker;
  Field field;
  const Cell goal{0, 0};
  FieldQuery query;
  query.goals = &goal;
  query.goal_count = 1;
  ASSERT_FALSE(maker.build(world.view, query, &field));
  EXPECT_EQ(field.next({4, 1}), (Cell{3, 1}));
  FieldUpdate how = FieldUpdate::rebuilt;
  ASSERT_FALSE(world.engine.map().set_terrain({0, 4}, '@'));  // where nobody comes through
  world.commit();
  ASSERT_FALSE(maker.update(world.view, &field, &how));
  EXPECT_EQ(how, FieldUpdate::repaired);  // the cell itself has no distance any more
  ASSERT_FALSE(world.engine.map().set_terrain({0, 3}, 'T'));  // a wall stays a wall
  world.commit();
  ASSERT_FALSE(maker.update(world.view, &field, &how));
  EXPECT_EQ(how, FieldUpdate::kept);
  ASSERT_FALSE(world.engine.map().set_terrain({3, 1}, '@'));
  world.commit();
  ASSERT_FALSE(maker.update(world.view, &field, &how));
  EXPECT_EQ(how, FieldUpdate::repaired);
  EXPECT_FALSE(field.reached({4, 1}));
  EXPECT_EQ(field.distance({4, 1}), kWall);
  EXPECT_EQ(field.direction({4, 1}), kUnreached);
}

TEST(Fields, LongWaysNeedWideDistances) {
  // A spiral whose way has more steps than 24 bits hold in the smaller pair of lengths.
  const World world(spiral_board(161, 161), Profile());
  FieldMaker maker;
  Field field;
  const Cell goal{0, 0};
  FieldQuery query;
  query.goals = &goal;
  query.goal_count = 1;
  ASSERT_FALSE(maker.build(world.view, query, &field));
  Random random(5);
  double farthest = 0;
  for (int i = 0; i < 30; ++i) {
    const Cell cell = world.board.random_cell(random);
    ASSERT_EQ(field.distance_units(cell), judged(world.view, cell, {goal}));
    if (field.reached(cell)) farthest = std::max(farthest, field.distance(cell));
  }
  EXPECT_GT(farthest, 3000);
}

TEST(Fields, RefusesWhatMakesNoSense) {
  const World world(Rows{"..#", "..."});
  FieldMaker maker;
  Field field;
  FieldQuery query;
  EXPECT_EQ(maker.build(world.view, query, &field).status, Status::bad_argument);
  Cell goals[2] = {{2, 0}, {3, 0}};
  query.goals = goals;
  query.goal_count = 2;
  EXPECT_EQ(maker.build(world.view, query, &field).status, Status::goal_out_of_bounds);
  query.goal_count = 1;
  EXPECT_EQ(maker.build(world.view, query, &field).status, Status::goal_blocked);
  EXPECT_EQ(maker.build(View(), query, &field).status, Status::bad_argument);
  goals[0] = {0, 0};
  for (const double wrong : {-1.0, kWall, double(NAN)}) {
    query.offsets = &wrong;
    EXPECT_EQ(maker.build(world.view, query, &field).status, Status::bad_argument);
  }
  query.offsets = nullptr;
  query.max_cost = NAN;
  EXPECT_EQ(maker.build(world.view, query, &field).status, Status::bad_argument);
  query.max_cost = kWall;
  EXPECT_TRUE(field.empty());
  EXPECT_FALSE(field.reached({0, 0}));
  ASSERT_FALSE(maker.build(world.view, query, &field));
  EXPECT_FALSE(field.reached({-1, 0}));
  EXPECT_FALSE(field.reached({3, 1}));
  EXPECT_EQ(field.next({9, 9}), (Cell{9, 9}));
  Path path;
  field.path({2, 0}, path);
  EXPECT_EQ(path.status, Status::start_blocked);
  field.path({-5, 0}, path);
  EXPECT_EQ(path.status, Status::start_out_of_bounds);
  const World other(Rows{"..."});
  EXPECT_EQ(maker.update(other.view, &field).status, Status::bad_argument);
}

}  // namespace
}  // namespace octile::test
