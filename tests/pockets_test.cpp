// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Dead pockets: no cell of any cheapest path is ever called dead, on fresh maps and after any
// number of edits without a new tree; what plainly is a pocket is; and paths do not depend on what
// is known of pockets.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "engine/view.hpp"
#include "support.hpp"
#include "world/sizes.hpp"

namespace octile::test {
namespace {

Board pocket_board(Random& random, int width, int height) {
  switch (random.below(7)) {
    case 0:
      return comb_board(width, height);
    case 1:
      return spiral_board(width, height);
    case 2:
      return one_wide_board(random, width, height, random.below(12));
    case 3:
      return rooms_board(random, width, height, random.between(3, 9));
    case 4: {
      // Caves: large walls, many bays.
      Board board(width, height);
      for (int i = width * height / 40; i > 0; --i) {
        const Cell at = board.random_cell(random);
        const int w = random.between(1, 7), h = random.between(1, 7);
        for (int y = at.y; y < std::min(at.y + h, height); ++y)
          for (int x = at.x; x < std::min(at.x + w, width); ++x) board.at({x, y}) = '@';
      }
      return board;
    }
    default:
      return random_board(random, width, height, random.between(10, 55));
  }
}

// Half of them without corner cutting, the rule that the engine is made for.
Profile some_profile(Random& random) {
  static const Diagonal kOthers[] = {Diagonal::always, Diagonal::at_most_one_obstacle,
                                     Diagonal::never};
  return profile_of(Moves::eight,
                    random.percent(50) ? Diagonal::no_obstacles : kOthers[random.below(3)],
                    random.percent(50) ? Metric::octile : Metric::ten_fourteen);
}

Cell free_cell(Random& random, const Rules& rules, const Board& board) {
  Cell c = board.random_cell(random);
  for (int i = 0; i < 50 && !rules.free(c); ++i) c = board.random_cell(random);
  return c;
}

// Holds the filter against distances from both ends; counts the dead among the cells that can be
// reached.
void check_pair(const World& world, const Pockets& pockets, Cell start, Cell goal, int* dead) {
  const Rules rules = world.rules();
  if (!rules.free(start) || !rules.free(goal)) return;
  const std::vector<double> there = rules.distances(start), back = rules.distances(goal);
  const double best = there[world.board.index(goal)];
  if (best == kWall) return;
  const TileGrid& grid = world.view.impl()->world.map.grid;
  PocketFilter filter;
  const WorldView& w = world.view.impl()->world;
  filter.begin(pockets, w.layer, w.profile, grid.id(start), grid.id(goal));
  if (!filter.active()) return;
  for (size_t i = 0; i < world.board.size(); ++i) {
    if (there[i] == kWall) continue;
    // Of cells that were opened since the tree was made nothing may be known.
    if (!filter.active() || !filter.dead(grid.id(world.board.cell(i)))) continue;
    ++*dead;
    ASSERT_GT(there[i] + back[i], best + 1e-7)
        << shown(start) << shown(goal) << " " << shown(world.board.cell(i)) << "\n"
        << picture(world.board);
  }
}

TEST(Pockets, no_cell_of_a_cheapest_path_is_dead) {
  Random random(301);
  int dead = 0;
  for (int i = 0; i < effort(600); ++i) {
    const World world(pocket_board(random, random.between(2, 70), random.between(2, 40)),
                      some_profile(random));
    for (int k = 0; k < 8; ++k) {
      check_pair(world, world.view.impl()->world.pockets,
                 free_cell(random, world.rules(), world.board),
                 free_cell(random, world.rules(), world.board), &dead);
      if (HasFatalFailure()) return;
    }
  }
  std::printf("%d dead cells\n", dead);
  EXPECT_GT(dead, effort(100000));
}

// The bits by which most cells are told to be alive at once, against what they stand for.
TEST(Pockets, the_core_is_what_the_intervals_say) {
  Random random(302);
  int in = 0, out = 0;
  for (int i = 0; i < effort(150); ++i) {
    const World world(pocket_board(random, random.between(2, 150), random.between(2, 150)),
                      some_profile(random));
    const auto& impl = *world.view.impl();
    const PocketTree* tree = impl.world.pockets.tree();
    if (!tree) continue;
    for (size_t k = 0; k < world.board.size(); ++k) {
      const CellId id = impl.world.map.grid.id(world.board.cell(k));
      const uint32_t tile = id >> 12, x = id & 63, y = id >> 6 & 63;
      const LayerTile& t = *impl.world.layer.flat[tile];
      const PocketLine &row = tree->row(tile, y), &column = tree->column(tile, x);
      ASSERT_TRUE(row.bits() == t.row[y] && column.bits() == t.col[x]);
      bool expected = t.row[y] >> x & 1;
      if (expected) {
        const PocketSide &rows = tree->side[0], &columns = tree->side[1];
        expected = rows.home[row.interval(x)] == rows.core &&
                   columns.home[column.interval(y)] == columns.core;
      }
      ++(expected ? in : out);
      ASSERT_EQ(tree->core[tree->slot[tile] << 6 | y] >> x & 1, uint64_t{expected})
          << shown(world.board.cell(k)) << "\n"
          << picture(world.board);
    }
  }
  std::printf("%d cells in the core, %d out of it\n", in, out);
  EXPECT_GT(in, effort(10000));
  EXPECT_GT(out, effort(10000));
}

TEST(Pockets, bays_are_dead) {
  const Board small(Rows{"###########",  //
                         "#...#.....#",  //
                         "#.....###.#",  //
                         "#...#...#.#",  //
                         "#####.#####",  //
                         "#.........#",  //
                         "###########"});
  // Every cell five by five: the smallest pockets are not worth telling apart.
  Board board(55, 35);
  for (size_t i = 0; i < board.size(); ++i) {
    const Cell c = board.cell(i);
    board.at(c) = small.at({c.x / 5, c.y / 5});
  }
  const World world(board, Profile());
  const auto& pockets = world.view.impl()->world.pockets;
  const TileGrid& grid = world.view.impl()->world.map.grid;
  const auto id = [&](int x, int y) { return grid.id({x * 5 + 2, y * 5 + 2}); };
  ASSERT_NE(pockets.tree(), nullptr);
  PocketFilter filter;
  const WorldView& w = world.view.impl()->world;
  filter.begin(pockets, w.layer, w.profile, id(5, 3), id(9, 5));
  EXPECT_TRUE(filter.dead(id(1, 1)));
  EXPECT_TRUE(filter.dead(id(9, 3)));
  EXPECT_TRUE(filter.dead(id(1, 5)));
  EXPECT_FALSE(filter.dead(id(5, 4)));
  EXPECT_FALSE(filter.dead(id(6, 5)));
}

// ---------------------------------------------------------------------------------------------
// Edits

// The tree of the first map serves all later ones; of large units, too, for which an edit changes
// cells before it.
TEST(Pockets, an_old_tree_and_what_edits_joined_call_nothing_alive_dead) {
  Random random(302);
  int dead = 0, edits = 0, still = 0, anew = 0;
  for (int i = 0; i < effort(40); ++i) {
    Profile profile = some_profile(random);
    if (random.percent(30)) {
      profile.width = random.between(1, 3);
      profile.height = random.between(1, 3);
    }
    World world(pocket_board(random, random.between(2, 90), random.between(2, 90)), profile);
    const TileGrid grid = world.view.impl()->world.map.grid;
    Pockets::Spare spare;
    auto pockets = std::make_unique<Pockets>();
    ASSERT_TRUE(pockets->build(world.view.impl()->world.layer, world.profile));
    Cell near = world.board.random_cell(random);
    for (int commit = 0; commit < 30; ++commit) {
      Buffer<DirtyTile> edited, dirty;
      const auto set = [&](Cell c, char terrain) {
        world.board.at(c) = terrain;
        ASSERT_FALSE(world.engine.map().set_terrain(c, world.board.at(c)));
        const CellId id = grid.id(c);
        const auto x = static_cast<uint8_t>(id & 63), y = static_cast<uint8_t>(id >> 6 & 63);
        ++edits;
        // As a Map keeps them: a rectangle a tile.
        for (DirtyTile& d : edited) {
          if (d.tile != id >> 12) continue;
          d = {d.tile, std::min(d.x0, x), std::min(d.y0, y), std::max(d.x1, x), std::max(d.y1, y)};
          return;
        }
        ASSERT_TRUE(edited.push({id >> 12, x, y, x, y}));
      };
      if (random.percent(10)) {
        // Noise: so many cells change that all of the rectangle is joined.
        const Cell at = world.board.random_cell(random);
        const int w = random.between(8, 40), h = random.between(8, 40);
        const int free = random.between(20, 90);
        for (int y = at.y; y < std::min(at.y + h, world.board.height()); ++y)
          for (int x = at.x; x < std::min(at.x + w, world.board.width()); ++x)
            set({x, y}, random.percent(free) ? '.' : '@');
        near = at;
      } else if (random.percent(20)) {
        // All ground or all walls: patches of opened cells that grow together.
        const int w = random.between(1, 12), h = random.between(1, 4);
        const char terrain = random.percent(60) ? '.' : '@';
        const Cell at = world.board.random_cell(random);
        for (int y = at.y; y < std::min(at.y + h, world.board.height()); ++y)
          for (int x = at.x; x < std::min(at.x + w, world.board.width()); ++x) set({x, y}, terrain);
        near = at;
      } else {
        for (int k = random.between(1, 3); k > 0; --k) {
          // Mostly near the last edit: that opens and closes the same gates.
          Cell c = {near.x + random.between(-2, 2), near.y + random.between(-2, 2)};
          if (random.percent(30) || !world.board.contains(c)) c = world.board.random_cell(random);
          near = c;
          set(c, world.board.at(c) == '.' ? '@' : '.');
        }
      }
      ASSERT_TRUE(grow(grid, Footprint(world.profile), edited, &dirty));
      const View before = world.view;
      world.commit();
      const WorldView& now = world.view.impl()->world;
      auto next = std::make_unique<Pockets>();
      LayerSpare copied;  // nothing was written where it stood: `before` is held
      ASSERT_TRUE(next->update(*pockets, EarlierLayer(before.impl()->world.layer, copied),
                               now.layer, world.profile, dirty, false, &spare));
      pockets = std::move(next);
      for (int k = 0; k < 3; ++k) {
        const Cell start = k == 1 ? near : free_cell(random, world.rules(), world.board);
        const Cell goal = free_cell(random, world.rules(), world.board);
        check_pair(world, *pockets, start, goal, &dead);
        if (HasFatalFailure()) FAIL() << "board " << i << " commit " << commit;
        // What a tree of the present map says.
        if (commit >= 10 || k > 0) continue;
        Pockets fresh;
        ASSERT_TRUE(fresh.build(now.layer, world.profile));
        if (!fresh.tree() || !pockets->tree()) continue;
        check_pair(world, *pockets, start, goal, &still);
        check_pair(world, fresh, start, goal, &anew);
      }
    }
  }
  std::printf("%d edits, %d dead cells; of %d dead ones after few edits, %d are known\n", edits,
              dead, anew, still);
  EXPECT_GT(dead, effort(60000));
  EXPECT_GT(still, anew / 2);
}

Path asked(const World& world, Cell start, Cell goal, const char* solver, bool pockets = true) {
  Query q = query_of(start, goal, solver);
  // A search with a limit on its expansions does not look at pockets.
  if (!pockets) q.max_expansions = 1u << 30;
  return ask(world.view, q);
}

std::vector<Cell> cells_in(const Path& path) {
  return std::vector<Cell>(path.cells(), path.cells() + path.size());
}

// Through the engine.
TEST(Pockets, paths_do_not_depend_on_them) {
  Random random(303);
  uint64_t with = 0, without = 0;
  for (int i = 0; i < effort(20); ++i) {
    World world(pocket_board(random, 1100, random.between(8, 40)), some_profile(random));
    for (int commit = 0; commit <= 40; ++commit) {
      for (int k = 0; k < 4; ++k) {
        const Cell start = free_cell(random, world.rules(), world.board);
        const Cell goal = free_cell(random, world.rules(), world.board);
        const Path path = asked(world, start, goal, "jps");
        const Path plain = asked(world, start, goal, "jps", false);
        ASSERT_EQ(path.status, plain.status) << shown(start) << shown(goal);
        ASSERT_EQ(path.cost_units, plain.cost_units) << shown(start) << shown(goal);
        ASSERT_EQ(cells_in(path), cells_in(plain)) << shown(start) << shown(goal);
        with += path.expanded;
        without += plain.expanded;
        if (k == 0) {
          const Path judged = asked(world, start, goal, "dijkstra");
          ASSERT_EQ(path.status, judged.status) << shown(start) << shown(goal);
          ASSERT_EQ(path.cost_units, judged.cost_units) << shown(start) << shown(goal);
        }
      }
      for (int k = random.between(1, 3); k > 0; --k) {
        const Cell c = world.board.random_cell(random);
        world.board.at(c) = world.board.at(c) == '.' ? '@' : '.';
        ASSERT_FALSE(world.engine.map().set_terrain(c, world.board.at(c)));
      }
      world.commit();
    }
  }
  std::printf("%llu expansions with pockets, %llu without\n", (unsigned long long)with,
              (unsigned long long)without);
  EXPECT_LT(with, without);
}

// Edits cost what they join, and elsewhere nothing is forgotten.
TEST(Pockets, edits_join_what_lies_round_them_alone) {
  // Combs have a dead end in each gap, 31 of them in a tile.
  Board board(2048, 64);
  for (int x = 0; x < board.width(); x += 2)
    for (int y = 1; y < board.height(); ++y) board.at({x, y}) = '@';
  World world(board, Profile());
  const auto dead = [&](int x, int y = 50) {
    const WorldView& w = world.view.impl()->world;
    PocketFilter filter;
    filter.begin(w.pockets, w.layer, w.profile, w.map.grid.id({5, 0}), w.map.grid.id({2001, 0}));
    return filter.active() && filter.dead(w.map.grid.id({x, y}));
  };
  const PocketTree* tree = world.view.impl()->world.pockets.tree();
  ASSERT_NE(tree, nullptr);
  EXPECT_TRUE(dead(301) && dead(303) && dead(305) && dead(901));
  // A way from one gap to the next.
  ASSERT_FALSE(world.engine.map().set_terrain({302, 40}, '.'));
  world.commit();
  EXPECT_EQ(world.view.impl()->world.pockets.tree(), tree);
  EXPECT_TRUE(world.view.impl()->world.pockets.edited());
  EXPECT_FALSE(dead(301, 20));
  EXPECT_FALSE(dead(303, 20));
  EXPECT_TRUE(dead(301, 60) && dead(303, 60)) << "behind the way";
  EXPECT_TRUE(dead(305, 20) && dead(901, 20));
  // Many closed cells in the gaps of a few tiles: those gaps stay dead, and all others.
  for (int y = 20; y < 45; ++y)
    for (int x = 701; x < 1001; x += 2) ASSERT_FALSE(world.engine.map().set_terrain({x, y}, '@'));
  world.commit();
  EXPECT_TRUE(dead(305) && dead(1101));
}

TEST(Pockets, a_new_tree_comes_when_commits_have_cost_as_much) {
  const Board board = comb_board(300, 300);
  World world(board, Profile());
  const auto pockets = [&]() -> const Pockets& { return world.view.impl()->world.pockets; };
  size_t first = 0, last = board.size() - 1;
  while (board.at(board.cell(first)) != '.') ++first;
  while (board.at(board.cell(last)) != '.') --last;
  const auto query = [&] { return asked(world, board.cell(first), board.cell(last), "jps"); };
  const PocketTree* tree = pockets().tree();
  ASSERT_NE(tree, nullptr);
  int commits = 0;
  const auto toggle = [&] {
    ASSERT_FALSE(world.engine.map().set_terrain({1, 200}, ++commits % 2 ? '@' : '.'));
    world.commit();
  };
  while (commits < 20000 && pockets().tree() == tree) toggle();
  EXPECT_GT(commits, 30);
  EXPECT_LT(commits, 20000);
  // Until somebody asks there is none, whatever is edited.
  for (int i = 0; i < 100; ++i) toggle();
  EXPECT_TRUE(pockets().to_come());
  EXPECT_EQ(pockets().tree(), nullptr);
  const size_t without = pockets().bytes();
  const View view = world.view;
  const WorldView& w = view.impl()->world;
  EXPECT_EQ(query().status, Status::found);
  EXPECT_GT(pockets().bytes(), without);
  const Pockets& made = w.pockets.complete(w.layer, w.profile);
  ASSERT_NE(made.tree(), nullptr);
  EXPECT_FALSE(made.edited());
  EXPECT_EQ(&w.pockets.complete(w.layer, w.profile), &made);
  // The next commit goes on with it.
  toggle();
  EXPECT_FALSE(pockets().to_come());
  EXPECT_EQ(pockets().tree(), made.tree());
  EXPECT_TRUE(pockets().edited());
  // A patch that is too large turns them off until then.
  Board teeth(70, 2200, '@');
  for (int y = 0; y < teeth.height(); ++y)
    for (int x = 1; x < (y % 2 ? 69 : 2); ++x) teeth.at({x, y}) = '.';
  World tall(teeth, Profile());
  ASSERT_NE(tall.view.impl()->world.pockets.tree(), nullptr);
  ASSERT_FALSE(tall.engine.map().fill({0, 0, 1, 2000}, '.'));
  tall.commit();
  EXPECT_NE(tall.view.impl()->world.pockets.tree(), nullptr);
  ASSERT_FALSE(tall.engine.map().fill({0, 2000, 1, 200}, '.'));
  tall.commit();
  EXPECT_EQ(tall.view.impl()->world.pockets.tree(), nullptr);
}

TEST(Pockets, only_where_they_hold) {
  const Board board = comb_board(60, 30);
  for (const Profile& profile : all_profiles()) {
    const World world(board, profile);
    const bool cut = profile.moves == Moves::four || profile.diagonal == Diagonal::never ||
                     profile.metric != Metric::chebyshev;
    EXPECT_EQ(world.view.impl()->world.pockets.tree() != nullptr, cut) << name_of(profile);
  }
  // A weighted map has none; once it is uniform it gets them.
  World world(board, profile_of(Moves::eight));
  ASSERT_FALSE(world.engine.map().set_terrain({1, 1}, '9'));
  world.commit();
  ASSERT_FALSE(world.view.uniform());
  Random random(304);
  for (int i = 0; i < 30; ++i)
    compare_solvers(world.rules(), world.view,
                    query_of(board.random_cell(random), board.random_cell(random)));
  // Nearly all of a thin random map is one block, with nothing but single bays on it.
  EXPECT_EQ(World(random_board(random, 300, 300, 10), Profile()).view.impl()->world.pockets.tree(),
            nullptr);
}

}  // namespace
}  // namespace octile::test
