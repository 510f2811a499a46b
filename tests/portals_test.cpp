// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Portals and quadtree: never a path missed, every path legal, its cost between the optimum and
// what is stated; blocks that an edit rebuilt are those of a fresh build, byte for byte.

#include <gtest/gtest.h>

#include "portals_tools.hpp"

namespace octile::test {
namespace {

struct Excess {
  int answers = 0, optimal = 0;
  double sum = 0, worst = 0, bounds = 0;
};

// One pair by a solver without the exact search that would answer it.
void compare(const World& world, const View& view, const Solver& solver, Cell from, Cell to,
             uint64_t slice, Unaided* unaided, Excess* excess) {
  const bool connected = view.component(from) == view.component(to);
  const bool found = unaided->ask(solver, view, from, to, slice);
  ASSERT_EQ(found, connected) << shown(from) << " to " << shown(to);
  if (!found) return;
  const Path right = ask(world.view, query_of(from, to, "jps"));
  const Walk walked = test::walk(world.rules(), cells_of(unaided->path));
  ASSERT_EQ(walked.wrong, "") << shown(from) << " to " << shown(to);
  ASSERT_EQ(unaided->path.cells()[0], from);
  ASSERT_EQ(unaided->path.cells()[unaided->path.size() - 1], to);
  ASSERT_GE(unaided->path.cost_units, right.cost_units);
  ASSERT_GE(unaided->path.bound, 1);
  ASSERT_LE(unaided->path.cost, unaided->path.bound * right.cost * (1 + 1e-12))
      << shown(from) << " to " << shown(to);
  ++excess->answers;
  excess->optimal += unaided->path.cost_units == right.cost_units;
  const double over = unaided->path.cost / right.cost - 1;
  excess->sum += over;
  excess->worst = std::max(excess->worst, over);
  excess->bounds += unaided->path.bound - 1;
}

// Random pairs.
void compare(const World& world, const View& view, IndexKind kind, int pairs, uint64_t seed,
             Excess* excess) {
  Unaided unaided;
  Random random(seed);
  for (int i = 0; i < pairs; ++i) {
    const Cell from = world.board.random_cell(random), to = world.board.random_cell(random);
    if (!view.passable(from) || !view.passable(to) || from == to) continue;
    compare(world, view, without_aid(kind), from, to, i % 2 ? 97 : UINT64_MAX, &unaided, excess);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

std::vector<Board> boards() {
  Random random(71);
  std::vector<Board> all;
  for (const int percent : {0, 5, 15, 25, 35, 40})
    all.push_back(
        random_board(random, random.between(130, 400), random.between(130, 300), percent));
  all.push_back(rooms_board(random, 330, 270, 9));
  all.push_back(rooms_board(random, 400, 400, 33));
  all.push_back(one_wide_board(random, 201, 185, 40));
  all.push_back(comb_board(190, 140));
  all.push_back(spiral_board(150, 170));
  all.push_back(random_board(random, 600, 1, 1));
  all.push_back(random_board(random, 2, 700, 10));
  all.push_back(Board(700, 600));
  // Open ground with a few walls: what a quadtree merges.
  Board open(1100, 700);
  for (int i = 0; i < 40; ++i) {
    const int x = random.below(1000), y = random.below(600), w = random.between(1, 90);
    for (int k = 0; k < w; ++k) open.at({x + k, y + (i % 3 ? 0 : k)}) = '@';
  }
  all.push_back(open);
  for (const int side : {63, 64, 65, 127, 128, 129})
    all.push_back(random_board(random, side, side, 30));
  return all;
}

TEST(Portals, paths_are_legal_never_missed_and_within_their_bound) {
  for (const IndexKind kind : kBoth) {
    Excess excess;
    uint64_t seed = 0;
    for (const Board& board : boards()) {
      ++seed;
      World world(board, Profile());
      SCOPED_TRACE(std::string(name(kind)) + " board " + std::to_string(seed));
      const View view = with(world.view, build(world.view, kind, 1, seed % 2 != 0));
      compare(world, view, kind, effort(60), seed, &excess);
      if (HasFatalFailure()) return;
    }
    EXPECT_GT(excess.answers, effort(500));
    std::printf(
        "%s: %d answers, %.2f %% optimal, excess mean %.5f %% worst %.3f %%, stated %.2f %%\n",
        name(kind), excess.answers, 100.0 * excess.optimal / excess.answers,
        100 * excess.sum / excess.answers, 100 * excess.worst,
        100 * excess.bounds / excess.answers);
    EXPECT_LT(excess.worst, 0.02);
    EXPECT_LT(excess.sum / excess.answers, 0.0005);
  }
}

TEST(Portals, serve_the_ten_fourteen_metric) {
  Random random(72);
  for (const IndexKind kind : kBoth) {
    World world(random_board(random, 260, 210, 30),
                profile_of(Moves::eight, Diagonal::no_obstacles, Metric::ten_fourteen));
    Excess excess;
    compare(world, with(world.view, build(world.view, kind)), kind, effort(80), 3, &excess);
    EXPECT_GT(excess.answers, 0);
  }
}

// The lower bound takes a diagonal crossing for what it is: here it is the optimum to the last
// unit.
//
//         # # o | o # #      A gap whose cells belong to two portals, split between the rows of the
//   s - - - - - |\o # #      two corridors: whichever portal the crossing is counted at, the search
//         # # o | o - - g    for the bound goes one straight step too far and takes the step across
//         # # o | o # #      for so much less.
TEST(Portals, the_bound_counts_diagonal_crossings_at_their_least) {
  for (const IndexKind kind : kBoth) {
    for (const bool high : {false, true}) {
      Board board(128, 64, '@');
      for (int y = 10; y < 20; ++y) board.at({63, y}) = board.at({64, y}) = '.';
      for (int x = 0; x < 63; ++x) board.at({x, 14}) = board.at({127 - x, 15}) = '.';
      World world(board, Profile());
      const View view = with(world.view, build(world.view, kind, 1, high));
      const Path right = ask(world.view, query_of({0, 14}, {127, 15}, "dijkstra"));
      Unaided unaided;
      const Solver& solver = without_aid(kind);
      for (const bool back : {false, true}) {
        const Cell a{0, 14}, b{127, 15};
        ASSERT_TRUE(unaided.ask(solver, view, back ? b : a, back ? a : b));
        EXPECT_EQ(unaided.path.cost_units, right.cost_units);
        EXPECT_GE(unaided.path.bound, 1);
        // A quadtree counts the straight steps from block to block for less than they are.
        if (kind == IndexKind::portals) {
          EXPECT_LT(unaided.path.bound, 1 + 1e-9);
        }
      }
    }
  }
}

// Long ways, searched over gates first, and over crowded regions that have none.
TEST(Portals, ways_over_gates_are_near_the_optimum) {
  Random random(79);
  std::vector<Board> all;
  all.push_back(random_board(random, 1100, 1300, 30));
  all.push_back(rooms_board(random, 1300, 1100, 12));
  all.push_back(one_wide_board(random, 1101, 303, 30));
  all.push_back(comb_board(530, 1100));
  all.push_back(Board(1600, 1100));
  for (const IndexKind kind : kBoth) {
    Excess excess;
    uint64_t seed = 80;
    uint32_t most = 0;  // gates of a region
    for (const Board& board : all) {
      ++seed;
      // A sample takes every other board for either kind: they are large.
      if (sampled() && (seed + (kind == kBoth[0])) % 2) continue;
      World world(board, Profile());
      SCOPED_TRACE(std::string(name(kind)) + " board " + std::to_string(seed));
      const View view = with(world.view, build(world.view, kind));
      compare(world, view, kind, effort(16), seed, &excess);
      if (HasFatalFailure()) return;
      const PortalMap& map = portal_map(view);
      for (uint32_t r = 0; r < map.shape().regions(); ++r)
        most = std::max(most, map.peek_gates(r)->count());
    }
    if (!sampled()) {
      EXPECT_GT(most, 64u);  // more than are looked at together
    }
    EXPECT_GT(excess.answers, effort(24) / (sampled() ? 2 : 1));
    std::printf("%s: %d answers, excess mean %.5f %% worst %.3f %%\n", name(kind), excess.answers,
                100 * excess.sum / excess.answers, 100 * excess.worst);
    EXPECT_LT(excess.worst, 0.02);
    EXPECT_LT(excess.sum / excess.answers, 0.002);
  }
}

// So long that routes and windows are searched with less care.
TEST(Portals, ways_over_many_gates_are_near_the_optimum) {
  Random random(86);
  std::vector<Board> all;
  all.push_back(random_board(random, 6200, 150, 30));
  all.push_back(rooms_board(random, 6200, 300, 12));
  all.push_back(rooms_board(random, 300, 6200, 9));
  for (const IndexKind kind : kBoth) {
    Excess excess;
    Unaided unaided;
    for (const Board& board : all) {
      World world(board, Profile());
      const View view = with(world.view, build(world.view, kind));
      for (int i = 0; i < effort(8); ++i) {
        const Cell from{random.below(100), random.below(100)};
        const Cell to{board.width() - 1 - random.below(100),
                      board.height() - 1 - random.below(100)};
        if (!view.passable(from) || !view.passable(to)) continue;
        compare(world, view, without_aid(kind), i % 2 ? from : to, i % 2 ? to : from,
                i % 3 ? 97 : UINT64_MAX, &unaided, &excess);
        if (HasFatalFailure()) return;
      }
    }
    EXPECT_GT(excess.answers, effort(8));
    std::printf("%s: %d answers, excess mean %.5f %% worst %.3f %%\n", name(kind), excess.answers,
                100 * excess.sum / excess.answers, 100 * excess.worst);
    EXPECT_LT(excess.worst, 0.02);
    EXPECT_LT(excess.sum / excess.answers, 0.005);
  }
}

// Ways through a region that are longer than the list of gates reaches ahead, beside short ones.
TEST(Portals, ways_over_gates_may_be_very_long) {
  constexpr int kSide = 512, kRegions = 5;
  Board board(kSide * kRegions, 2 * kSide);
  // In each region of the upper row a lane that winds from its west to its east side, some 65,000
  // steps long in the middle two; below them open ground, behind one door at each end.
  for (int x = 0; x < kSide * kRegions; ++x) {
    for (int y = 0; y < kSide; ++y) {
      const bool wound = x >= kSide && x < 3 * kSide;
      const bool wall = wound && x % 4 == 1 && y != (x % 8 == 1 ? 0 : kSide - 2);
      if (wall || y == kSide - 1) board.at({x, y}) = '@';
    }
  }
  const Cell from{3, 3}, to{kSide * kRegions - 4, 5};
  for (const bool door : {false, true}) {
    if (door) board.at({1, kSide - 1}) = board.at({kSide * kRegions - 2, kSide - 1}) = '.';
    World world(board, Profile());
    for (const IndexKind kind : kBoth) {
      SCOPED_TRACE(name(kind));
      const View view = with(world.view, build(world.view, kind));
      const Path path = ask(view, query_of(from, to, name(kind)));
      const Path right = ask(world.view, query_of(from, to, "jps"));
      ASSERT_EQ(path.status, Status::found);
      EXPECT_EQ(path.solver, solver_id(name(kind)));
      EXPECT_EQ(test::walk(world.rules(), cells_of(path)).wrong, "");
      EXPECT_GT(right.cost, door ? 2000 : 100000);
      EXPECT_GE(path.cost, right.cost);
      EXPECT_LE(path.cost, 1.02 * right.cost);
    }
  }
}

// What head() tells of a search under way only grows, and the answer begins with it.
TEST(Portals, first_steps_are_those_of_the_answer) {
  Random random(83);
  World world(rooms_board(random, 2300, 700, 12), Profile());
  for (const IndexKind kind : kBoth) {
    const View view = with(world.view, build(world.view, kind));
    Query query = query_of({1, 1}, {2290, 690}, name(kind));
    for (const Output output : {Output::cells, Output::waypoints}) {
      query.output = output;
      const Path whole = ask(view, query);
      ASSERT_EQ(whole.status, Status::found);
      Searcher searcher;
      Path path, head;
      EXPECT_FALSE(searcher.head(head));
      searcher.begin(view, query, path);
      EXPECT_FALSE(searcher.head(head));
      int grown = 0;
      double cost = 0;
      while (!searcher.step(64, path)) {
        if (!searcher.head(head)) continue;
        EXPECT_EQ(head.status, Status::partial);
        if (head.cost > cost) ++grown;
        EXPECT_GE(head.cost, cost);
        EXPECT_LE(head.cost, whole.cost);
        cost = head.cost;
        if (output != Output::cells) continue;
        ASSERT_LE(head.size(), whole.size());
        for (size_t i = 0; i < head.size(); ++i) ASSERT_EQ(head.cells()[i], whole.cells()[i]);
      }
      EXPECT_FALSE(searcher.head(head));
      EXPECT_EQ(head.size(), 0u);
      EXPECT_GT(grown, 2);
      EXPECT_EQ(cells_of(path), cells_of(whole));
      // Exact solvers know nothing before they have ended.
      query.solver = solver_id("jps");
      searcher.begin(view, query, path);
      while (!searcher.step(64, path)) EXPECT_FALSE(searcher.head(head));
      query.solver = solver_id(name(kind));
    }
  }
}

TEST(Portals, edits_give_what_a_fresh_build_gives) {
  for (const IndexKind kind : kBoth) {
    Random random(73);
    Board board = random_board(random, 700, 560, 12);
    for (int y = 40; y < 330; ++y)
      for (int x = 100; x < 540; ++x) board.at({x, y}) = '.';
    World world(board, Profile());
    ASSERT_FALSE(world.engine.adopt(world.id, build(world.view, kind)));
    for (int round = 0; round < 12; round += sampled() ? 4 : 1) {
      for (int i = 0; i < 1 + round * 3; ++i) {
        const Rect rect{random.below(690), random.below(550), random.between(1, 10),
                        random.between(1, 10)};
        ASSERT_FALSE(world.engine.map().fill(rect, random.percent(50) ? '@' : '.'));
      }
      world.commit();
      const View edited = world.view;
      ASSERT_FALSE(edited.index().empty());
      EXPECT_TRUE(edited.index().belongs_to(edited));
      EXPECT_EQ(edited.index().data(), nullptr);
      const View plain = from_nothing(world);
      const View fresh = with(plain, build(plain, kind));
      EXPECT_EQ(answers(edited, 5, effort(16), name(kind)),
                answers(fresh, 5, effort(16), name(kind)));
      ASSERT_EQ(blocks_of(edited), blocks_of(fresh));
      // Built again from what is there, it has a file once more: the same.
      EXPECT_EQ(bytes_of(build(edited, kind)), bytes_of(fresh.index()));
    }
  }
}

// A commit makes no map of blocks, however many there are before somebody asks; only when so many
// tiles were touched that the list of them is full.
TEST(Portals, commits_note_and_the_first_to_ask_pays) {
  for (const IndexKind kind : kBoth) {
    Random random(87);
    World world(random_board(random, 900, 700, 12), Profile());
    ASSERT_FALSE(world.engine.adopt(world.id, build(world.view, kind)));
    int made = 0;
    for (int i = 0; i < 120; ++i) {
      const Cell cell = world.board.random_cell(random);
      const bool wall = world.engine.map().terrain(cell) == '@';
      ASSERT_FALSE(world.engine.map().set_terrain(cell, wall ? '.' : '@'));
      world.commit();
      const Index::Impl& index = *world.view.impl()->index;
      made += index.portals.load() != nullptr;
      EXPECT_LE(index.edited.size(), 65u);
      EXPECT_GT(world.view.index().info().portals, 0u);
      EXPECT_EQ(index.portals.load() != nullptr, index.edited.size() > 64);
    }
    EXPECT_EQ(made, 1);
    const View plain = from_nothing(world);
    const View fresh = with(plain, build(plain, kind));
    EXPECT_EQ(blocks_of(world.view), blocks_of(fresh));
    EXPECT_EQ(&portal_map(world.view), world.view.impl()->index->portals.load());
    EXPECT_EQ(world.view.index().info().portals, fresh.index().info().portals);
    // From a View that nobody has asked, and in which tiles were edited twice.
    for (int i = 0; i < 8; ++i) {
      ASSERT_FALSE(world.engine.map().fill({300 + 9 * i, 200 + 7 * i, 5, 3}, i % 3 ? '.' : '@'));
      world.commit();
    }
    EXPECT_LT(world.view.impl()->index->edited.size(), 8u);
    const View again = from_nothing(world);
    EXPECT_EQ(bytes_of(build(world.view, kind)), bytes_of(build(again, kind)));
    // So many tiles at once that no list is made.
    ASSERT_FALSE(world.engine.map().fill({0, 300, 900, 300}, '@'));
    world.commit();
    EXPECT_NE(world.view.impl()->index->portals.load(), nullptr);
    const View walled = from_nothing(world);
    EXPECT_EQ(blocks_of(world.view), blocks_of(with(walled, build(walled, kind))));
  }
}

// Where no block comes out in another way, the gates of before are taken back; else they are made
// anew.
TEST(Portals, gates_outlive_edits_that_change_no_way) {
  for (const IndexKind kind : kBoth) {
    Random random(74);
    Board board = random_board(random, 1100, 640, 12);
    for (int y = 330; y < 450; ++y)
      for (int x = 200; x < 900; ++x) board.at({x, y}) = '@';
    for (int x = 0; x < 512; ++x) board.at({x, 190}) = x < 481 || x > 490 ? '@' : '.';
    World world(board, Profile());
    ASSERT_FALSE(world.engine.adopt(world.id, build(world.view, kind)));
    world.view = world.engine.view(world.id);
    const auto gates_of = [&] {
      const PortalMap& map = portal_map(world.view);
      PortalRoom room;
      std::vector<const PortalGates*> gates;
      for (uint32_t r = 0; r < map.shape().regions(); ++r)
        gates.push_back(map.gates(world.view.impl()->world.layer, r, room));
      return gates;
    };
    const auto set = [&](int x, int y, uint8_t terrain) {
      ASSERT_FALSE(world.engine.map().set_terrain({x, y}, terrain));
      world.commit();
    };
    const std::vector<const PortalGates*> before = gates_of();
    // A hole in the rock: on either edge of a region, and inside.
    int y = 390;
    for (const int x : {512, 511, 300, 700}) {
      set(x, y += 5, '.');
      EXPECT_EQ(gates_of(), before) << x;
    }
    // Several commits before anybody looks, the last of which takes back the first.
    set(600, 400, '.');
    set(340, 200, world.engine.map().terrain({340, 200}) == '.' ? '@' : '.');
    set(340, 200, world.engine.map().terrain({340, 200}) == '.' ? '@' : '.');
    EXPECT_EQ(gates_of(), before);
    // A way that is longer now changes the gates of its own region; those of the regions beside it
    // are the same ones, with the same ways between them.
    ASSERT_FALSE(world.engine.map().fill({230, 150, 1, 90}, '@'));
    world.commit();
    const std::vector<const PortalGates*> longer = gates_of();
    EXPECT_NE(longer[0], before[0]);
    for (size_t r = 1; r < before.size(); ++r) EXPECT_EQ(longer[r], before[r]) << r;
    const View slow = from_nothing(world);
    EXPECT_EQ(blocks_of(world.view), blocks_of(with(slow, build(slow, kind))));
    // Parted in the middle of a stretch, the region has two gates there for one, and so has the one
    // beside it, none of whose blocks has changed.
    ASSERT_FALSE(world.engine.map().fill({481, 190, 10, 1}, '@'));
    world.commit();
    EXPECT_NE(gates_of()[1], before[1]);
    const View parted = from_nothing(world);
    EXPECT_EQ(blocks_of(world.view), blocks_of(with(parted, build(parted, kind))));
    // A wall of rock in the open changes ways; and so many blocks that no list holds them.
    ASSERT_FALSE(world.engine.map().fill({100, 0, 8, 330}, '@'));
    world.commit();
    EXPECT_NE(gates_of(), before);
    const View plain = from_nothing(world);
    EXPECT_EQ(blocks_of(world.view), blocks_of(with(plain, build(plain, kind))));
    const std::vector<const PortalGates*> walled = gates_of();
    for (int x = 205; x < 900; x += 30) {
      set(x, 390, '.');
      set(x, 350, '.');
    }
    EXPECT_NE(gates_of(), walled) << "made anew, although the same";
    const View dug = from_nothing(world);
    EXPECT_EQ(blocks_of(world.view), blocks_of(with(dug, build(dug, kind))));
  }
}

// 2,000 edits, one commit each, with queries between them that build some of what is missing; now
// and then all is compared with a fresh build: blocks, gates, paths.
TEST(Portals, thousands_of_edits_leave_no_trace) {
  const int edits = effort(long_run() ? 2000 : 200), looks = sampled() ? 2 : 4;
  for (const IndexKind kind : kBoth) {
    Random random(81);
    Board board = random_board(random, 1100, 640, 12);
    for (int y = 200; y < 560; ++y)
      for (int x = 400; x < 800; ++x) board.at({x, y}) = '.';
    World world(board, Profile());
    ASSERT_FALSE(world.engine.adopt(world.id, build(world.view, kind)));
    std::vector<std::pair<Rect, uint8_t>> undo;
    const Solver& solver = without_aid(kind);
    Unaided unaided;
    for (int i = 1; i <= edits; ++i) {
      if (!undo.empty() && random.percent(30)) {
        const auto [rect, terrain] = undo.back();
        undo.pop_back();
        ASSERT_FALSE(world.engine.map().fill(rect, terrain));
      } else {
        const Rect rect{random.below(1090), random.below(630), random.between(1, 7),
                        random.between(1, 7)};
        const bool wall = random.percent(50);
        ASSERT_FALSE(world.engine.map().fill(rect, wall ? '@' : '.'));
        undo.emplace_back(rect, wall ? '.' : '@');
      }
      world.commit();
      const View edited = world.view;
      if (i % 5 == 0) {
        const Cell from = board.random_cell(random), to = board.random_cell(random);
        if (edited.passable(from) && edited.passable(to) && from != to) {
          EXPECT_EQ(unaided.ask(solver, edited, from, to),
                    edited.component(from) == edited.component(to));
        }
      }
      if (i % (edits / looks) != 0) continue;
      const View plain = from_nothing(world);
      const View fresh = with(plain, build(plain, kind));
      Unaided second;
      for (int q = 0; q < 12; ++q) {
        const Cell from = board.random_cell(random), to = board.random_cell(random);
        if (!edited.passable(from) || !edited.passable(to) || from == to) continue;
        const bool found = unaided.ask(solver, edited, from, to);
        ASSERT_EQ(found, second.ask(solver, fresh, from, to));
        if (!found) continue;
        ASSERT_EQ(cells_of(unaided.path), cells_of(second.path));
        ASSERT_EQ(unaided.path.bound, second.path.bound);
      }
      ASSERT_EQ(blocks_of(edited), blocks_of(fresh)) << "after " << i;
    }
  }
}

// A file whose checksum is right may say what it likes: it is refused, or the path is still legal
// and none is missed.
TEST(Portals, files_that_lie_do_no_harm) {
  Random random(75);
  World world(random_board(random, 260, 200, 20), Profile());
  const Rules rules = world.rules();
  for (const IndexKind kind : kBoth) {
    const std::string right = bytes_of(build(world.view, kind));
    int taken = 0;
    for (int round = 0; round < effort(300); ++round) {
      std::string bytes = right;
      const size_t at =
          kIndexHeadBytes +
          static_cast<size_t>(random.below(static_cast<int>(bytes.size() - kIndexHeadBytes)));
      bytes[at] = static_cast<char>(random.below(256));
      reseal(&bytes);
      Index index;
      if (read_index(bytes.data(), bytes.size(), &index)) continue;
      ++taken;
      const View view = with(world.view, index);
      const Solver& solver = without_aid(kind);
      Unaided unaided;
      for (int i = 0; i < 6; ++i) {
        const Cell from = world.board.random_cell(random), to = world.board.random_cell(random);
        if (!view.passable(from) || !view.passable(to) || from == to) continue;
        const bool found = unaided.ask(solver, view, from, to);
        ASSERT_EQ(found, view.component(from) == view.component(to));
        if (!found) continue;
        ASSERT_EQ(test::walk(rules, cells_of(unaided.path)).wrong, "");
      }
    }
    EXPECT_GT(taken, 0);
  }
}

// A side has at most half as many portals as cells: searches take those of one side together.
TEST(Portals, files_with_crowded_sides_are_refused) {
  // Fourteen portals between the first block and the one in the east of it.
  Board board(128, 128);
  for (int i = 0; i < 64; ++i) {
    board.at({i, 63}) = '@';
    if (i % 4 != 0 || i >= 56) board.at({63, i}) = '@';
  }
  World world(board, Profile());
  const std::string right = bytes_of(build(world.view, IndexKind::portals));
  const IndexHeader h = header_of(right);
  const size_t at = size_t{h.offset[static_cast<uint32_t>(Section::tiles)]} * kFileAlignment;
  PortalBlock block;
  std::memcpy(&block, right.data() + at, sizeof block);
  ASSERT_EQ(block.count(), 14u);
  ASSERT_FALSE(block.free);
  // Without ways there is room for more portals, in the east and in the south.
  const uint32_t all = (block.bytes - sizeof block) / sizeof(Portal);
  ASSERT_GT(all, kMostPortals / 2);
  ASSERT_LT(all, kMostPortals);
  for (const bool crowded : {false, true}) {
    const uint32_t east = kMostPortals / 2 + crowded;
    std::string bytes = right;
    block.free = 1;
    block.first[kSideEast] = 0;
    block.first[kSideSouth] = static_cast<uint8_t>(east);
    block.first[4] = static_cast<uint8_t>(all);
    std::memcpy(bytes.data() + at, &block, sizeof block);
    for (uint32_t i = 0; i < all; ++i) {
      const Portal portal{0, 0, 0, static_cast<uint8_t>(i)};
      std::memcpy(bytes.data() + at + sizeof block + i * sizeof portal, &portal, sizeof portal);
    }
    IndexHeader changed = h;
    changed.blocks += all - 14;
    set_header(changed, &bytes);
    reseal(&bytes);
    Index index;
    const Fault fault = read_index(bytes.data(), bytes.size(), &index);
    EXPECT_EQ(bool{fault}, crowded) << fault.text;
  }
}

TEST(Portals, all_ways_from_a_portal_are_those_one_by_one) {
  Random random(85);
  int ways = 0;
  for (const int percent : {5, 20, 35}) {
    World world(random_board(random, 200, 140, percent), Profile());
    const View view = with(world.view, build(world.view, IndexKind::portals));
    const PortalMap& map = portal_map(view);
    map.shape().each([&](uint32_t b) {
      const PortalBlock& block = *map.peek(b);
      for (uint32_t p = 0; !block.free && p < block.count(); ++p) {
        uint32_t q = 0;
        block.each_way(p, [&](uint32_t to, BlockWay way) {
          q += q == p;
          ASSERT_EQ(to, q++);
          const BlockWay right = block.way(p, to);
          ASSERT_EQ(way.straight, right.straight);
          ASSERT_EQ(way.diagonal, right.diagonal);
          ways += !no_way(way);
        });
        ASSERT_EQ(q + (q == p), block.count());
      }
    });
  }
  EXPECT_GT(ways, 1000);
}

TEST(Portals, the_eight_by_eight_example_costs_one) {
  const World world({"........", "........", "...@....", "........", "........", "....@...",
                     "........", "........"});
  for (const IndexKind kind : kBoth) {
    const View view = with(world.view, build(world.view, kind));
    const Path path = ask(view, query_of({3, 3}, {4, 3}, name(kind)));
    EXPECT_EQ(path.status, Status::found);
    EXPECT_EQ(path.cost, 1);
    EXPECT_EQ(path.bound, 1);
    EXPECT_STREQ(solver_info(path.solver).name, name(kind));
  }
}

TEST(Portals, auto_stays_exact) {
  Random random(76);
  World world(random_board(random, 200, 150, 20), Profile());
  for (const IndexKind kind : kBoth) {
    const View view = with(world.view, build(world.view, kind));
    EXPECT_EQ(answers(view, 3, 60), answers(world.view, 3, 60));
  }
}

}  // namespace
}  // namespace octile::test
