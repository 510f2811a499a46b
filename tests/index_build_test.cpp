// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Building indexes: budgets, cancelling, what is refused, and maps whose shape is at the edge of
// what the index's numbers hold.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <limits>
#include <thread>

#include "engine/view.hpp"
#include "index_tools.hpp"
#include "search/sight.hpp"

namespace octile::test {
namespace {

// ---------------------------------------------------------------------------------------------
// Budgets

IndexInfo info_of(const View& view, const IndexOptions& options, std::string* bytes) {
  Index index;
  const Fault f = build_index(view, options, &index);
  EXPECT_FALSE(f) << f.text;
  *bytes = bytes_of(index);
  const IndexInfo info = index.info();
  // It says why it holds less than was asked for, and only then.
  EXPECT_EQ(info.kind != options.most, info.reason[0] != 0) << info.reason;
  // What holds labels keeps within the budget.
  EXPECT_TRUE(info.kind == IndexKind::subgoal_graph || info.bytes <= options.budget_bytes);
  return info;
}

TEST(IndexBudget, less_is_built_where_the_budget_is_small) {
  Random random(321);
  // So open that the cells' labels take more than those of the corners.
  Board board(200, 130);
  for (int i = 0; i < 14; ++i) board.at(board.random_cell(random)) = '@';
  const World world(board, Profile());
  std::string bytes;
  IndexOptions options;
  const size_t full = info_of(world.view, options, &bytes).bytes;
  options.budget_bytes = full;
  EXPECT_EQ(info_of(world.view, options, &bytes).kind, IndexKind::tile_labels);
  options.budget_bytes = full - 1;
  const IndexInfo labels = info_of(world.view, options, &bytes);
  EXPECT_EQ(labels.kind, IndexKind::subgoal_labels);
  EXPECT_STREQ(labels.reason, "the labels of the cells exceed the budget");
  options.budget_bytes = labels.bytes;
  EXPECT_EQ(info_of(world.view, options, &bytes).kind, IndexKind::subgoal_labels);
  options.budget_bytes = labels.bytes - 1;
  const IndexInfo graph = info_of(world.view, options, &bytes);
  EXPECT_EQ(graph.kind, IndexKind::subgoal_graph);
  EXPECT_STREQ(graph.reason, "the labels of the corners exceed the budget");
  options.budget_bytes = 0;
  EXPECT_EQ(info_of(world.view, options, &bytes).kind, IndexKind::subgoal_graph);
  EXPECT_TRUE(read(bytes).belongs_to(world.view));
  options.most = IndexKind::subgoal_graph;
  EXPECT_EQ(info_of(world.view, options, &bytes).kind, IndexKind::subgoal_graph);
}

// Tile labels may take less than the corners' labels that they are made of.
TEST(IndexBudget, is_that_of_the_finished_index) {
  Random random(335);
  for (const int percent : {3, 12, 30}) {
    const World world(random_board(random, 50, 60, percent), Profile());
    std::string bytes;
    IndexOptions options;
    options.budget_bytes = info_of(world.view, options, &bytes).bytes;
    EXPECT_EQ(info_of(world.view, options, &bytes).kind, IndexKind::tile_labels) << percent;
    --options.budget_bytes;
    EXPECT_NE(info_of(world.view, options, &bytes).kind, IndexKind::tile_labels) << percent;
  }
}

TEST(IndexBudget, whatever_it_is_the_threads_change_nothing) {
  Random random(322);
  Board board(120, 90);
  for (int i = 0; i < 30; ++i) board.at(board.random_cell(random)) = '@';
  const World world(board, Profile());
  std::string bytes, again;
  IndexOptions options;
  const IndexInfo full = info_of(world.view, options, &bytes);
  options.most = IndexKind::subgoal_labels;
  const IndexInfo corners = info_of(world.view, options, &bytes);
  int kinds[4] = {};
  const int steps = effort(9);
  for (const bool work : {false, true}) {
    for (int i = 0; i <= steps; ++i) {
      options = IndexOptions();
      const uint64_t least = (work ? corners.entries : corners.bytes) / 2;
      const uint64_t most = work ? full.entries : full.bytes;
      const uint64_t budget = least + (most - least) * uint64_t(i) / uint64_t(steps);
      if (work)
        options.budget_work = budget;
      else
        options.budget_bytes = budget;
      const IndexInfo info = info_of(world.view, options, &bytes);
      ++kinds[size_t(info.kind)];
      EXPECT_TRUE(!work || info.kind != IndexKind::tile_labels || info.entries <= budget);
      for (options.threads = 2; options.threads <= 16; options.threads += 5) {
        info_of(world.view, options, &again);
        EXPECT_EQ(again == bytes, true)
            << options.threads << " threads, budget " << budget << ", " << name(info.kind);
      }
    }
  }
  EXPECT_GT(kinds[1], 0);
  EXPECT_GT(kinds[2], 0);
  EXPECT_GT(kinds[3], 0);
}

TEST(IndexBudget, work_is_label_entries) {
  Random random(323);
  const World world(rooms_board(random, 90, 90, 8), Profile());
  std::string bytes;
  IndexOptions options;
  options.budget_work = 1;
  EXPECT_EQ(info_of(world.view, options, &bytes).kind, IndexKind::subgoal_graph);
  options.budget_work = UINT64_MAX;
  EXPECT_EQ(info_of(world.view, options, &bytes).kind, IndexKind::tile_labels);
}

// ---------------------------------------------------------------------------------------------
// Cancelling

struct Watch {
  std::atomic<bool> cancel{false};
  int calls = 0, stop_at = -1;
  double last = 0, least = 1, most = 0;
};
void watched(void* user, double done) {
  auto& w = *static_cast<Watch*>(user);
  w.last = done;
  w.least = done < w.least ? done : w.least;
  w.most = done > w.most ? done : w.most;
  if (w.calls++ == w.stop_at) w.cancel = true;
}

TEST(IndexCancel, at_every_step) {
  Random random(324);
  const World world(random_board(random, 30, 60, 25), Profile());
  for (const unsigned threads : {1u, 3u}) {
    for (const IndexKind kind : kAllKinds) {
      Watch watch;
      IndexOptions options;
      options.most = kind;
      options.threads = threads;
      options.cancel = &watch.cancel;
      options.progress = watched;
      options.user = &watch;
      Index index;
      ASSERT_FALSE(build_index(world.view, options, &index));
      EXPECT_EQ(watch.last, 1);
      EXPECT_EQ(watch.most, 1);
      EXPECT_GE(watch.least, 0);
      const int calls = threads == 1 ? watch.calls : 4;
      for (int stop = -1; stop < calls; ++stop) {
        watch.calls = 0;
        watch.stop_at = stop;
        watch.cancel = stop == -1;
        Index other = index;
        const Fault f = build_index(world.view, options, &other);
        // Once it tells that all is done it is too late.
        const bool late = watch.last == 1 && stop >= 0;
        EXPECT_EQ(f.status, late ? Status::found : Status::cancelled) << stop;
        EXPECT_EQ(bytes_of(other), bytes_of(index));
        EXPECT_EQ(other.impl() == index.impl(), !late) << "changed by a call that failed";
        EXPECT_EQ(f.text[0] == 0, late);
        watch.last = 0;
      }
    }
  }
}

// Corners everywhere: choosing hubs, tiles and blocks are each long work. What is measured is the
// processor time of the process, in which only the build works, so other programs change little.
TEST(IndexCancel, no_phase_is_long) {
  Random random(337);
  const World world(random_board(random, 130, 130, 20), Profile());
  std::atomic<bool> cancel{false};
  IndexOptions options;
  options.cancel = &cancel;
  Index index;
  const std::clock_t begin = std::clock();
  ASSERT_FALSE(build_index(world.view, options, &index));
  const auto whole = double(std::clock() - begin);
  double longest = 0;
  const int stops = effort(16);
  for (int i = 0; i < stops; ++i) {
    cancel = false;
    options.threads = 1 + unsigned(i % 2);
    std::atomic<bool> ended{false};
    Index other;
    Fault f;
    const std::clock_t start = std::clock();
    std::thread builder([&] {
      f = build_index(world.view, options, &other);
      ended = true;
    });
    while (!ended && double(std::clock() - start) < whole * (i + 0.5) / stops)
      std::this_thread::sleep_for(std::chrono::microseconds(500));
    const std::clock_t raised = std::clock();
    cancel = true;
    builder.join();
    // Of two threads the one that labels may wait for the one that chooses, at work all the same.
    if (options.threads == 1) longest = std::max(longest, double(std::clock() - raised) / whole);
    EXPECT_NE(f.status == Status::cancelled, !other.empty());
  }
  std::printf("of %.0f ms the longest cancel takes %.1f %%\n", 1e3 * whole / CLOCKS_PER_SEC,
              100 * longest);
  EXPECT_LT(longest, 0.06);
}

// ---------------------------------------------------------------------------------------------
// Refused

TEST(IndexBuild, refuses_what_it_does_not_serve) {
  const Board board(9, 7);
  const World world(board, Profile());
  Index index;
  const auto refused = [&](const View& view, const IndexOptions& options) {
    const Fault f = build_index(view, options, &index);
    EXPECT_TRUE(index.empty());
    EXPECT_EQ(f.status, Status::bad_argument);
    EXPECT_STRNE(f.text, "");
  };
  IndexOptions options;
  refused(View(), options);
  EXPECT_EQ(build_index(world.view, options, nullptr).status, Status::bad_argument);
  for (const unsigned threads : {0u, 65u, UINT32_MAX}) {
    options.threads = threads;
    refused(world.view, options);
  }
  options = IndexOptions();
  for (const auto most : {IndexKind::none, IndexKind(6), IndexKind(255)}) {
    options.most = most;
    refused(world.view, options);
  }
  options = IndexOptions();
  for (const Profile& profile : all_profiles())
    if (profile.moves != Moves::eight || profile.diagonal != Diagonal::no_obstacles)
      refused(World(board, profile).view, options);
  Board uneven = board;
  uneven.at({3, 3}) = '2';
  refused(World(uneven, Profile()).view, options);
  Board heavy = board;
  heavy.add_weights(1);
  heavy.weight[5] = 7;
  refused(World(heavy, Profile()).view, options);
  refused(World(Board(65536, 1), Profile()).view, options);
  refused(World(Board(1, 65536), Profile()).view, options);
}

// Uniform is not the same as cost 1.
TEST(IndexBuild, serves_every_uniform_cost) {
  Random random(325);
  for (const double cost : {0.001, 2.5, 4294967295.0}) {
    Board board = random_board(random, 30, 30, 25);
    Profile profile;
    profile.terrain_cost['.'] = cost;
    const World world(board, profile);
    ASSERT_TRUE(world.view.uniform());
    const Rules rules = world.rules();
    Searcher searcher;
    for (int i = 0; i < effort(60) && !HasFailure(); ++i) {
      const Query q = query_of(board.random_cell(random), board.random_cell(random));
      compare_solvers(rules, world.view, q);
      const double right = distance(searcher, world.view, q.start, q.goal);
      for (const View& view : indexed(world.view).view)
        EXPECT_EQ(distance(searcher, view, q.start, q.goal), right) << cost;
    }
  }
  Board heavy(20, 20);
  heavy.add_weights(0.5);
  heavy.at({5, 5}) = '@';
  const World world(heavy, Profile());
  compare_solvers(world.rules(), world.view, query_of({0, 0}, {19, 13}));
}

// ---------------------------------------------------------------------------------------------
// Shapes

TEST(IndexShapes, sizes_around_tiles_and_words) {
  Random random(326);
  const int sizes[] = {1, 2, 7, 8, 9, 63, 64, 65, 129};
  for (const int width : sizes) {
    for (const int height : sizes) {
      if (sampled() && (width + height) % 5 != 0) continue;
      Board board = random_board(random, width, height, random.between(0, 40));
      board.def.first_cell = {random.between(-200, 20), random.between(-200, 20)};
      const auto metric = Metric(random.below(3));
      const World world(board, profile_of(Moves::eight, Diagonal::no_obstacles, metric));
      for (int i = 0; i < 8 && !HasFailure(); ++i)
        compare_solvers(world.rules(), world.view,
                        query_of(board.random_cell(random), board.random_cell(random)));
    }
  }
}

// Tiles leave out vias where no path turns: all pairs of maps of a few tiles, against distances in
// real numbers.
TEST(IndexShapes, all_pairs_of_some_tiles) {
  Random random(336);
  Searcher searcher;
  for (int i = 0; i < effort(24); ++i) {
    const int width = random.between(17, 40), height = random.between(17, 40);
    const Board board = i % 4 == 0 ? rooms_board(random, width, height, random.between(4, 9))
                                   : random_board(random, width, height, random.between(1, 35));
    const World world(board, Profile());
    const View view = with(world.view, build(world.view));
    const Rules rules = world.rules();
    for (size_t a = 0; a < board.size(); ++a) {
      if (board.terrain[a] == '@') continue;
      const std::vector<double> right = rules.distances(board.cell(a));
      for (size_t b = 0; b < a; ++b) {
        if (board.terrain[b] == '@') continue;
        const double length = distance(searcher, view, board.cell(a), board.cell(b));
        ASSERT_EQ(length == kWall, right[b] == kWall)
            << shown(query_of(board.cell(a), board.cell(b))) << "\n"
            << picture(board);
        if (length == kWall) continue;
        ASSERT_NEAR(length, right[b], 1e-9) << shown(query_of(board.cell(a), board.cell(b))) << "\n"
                                            << picture(board);
      }
    }
  }
}

TEST(IndexShapes, all_wall_all_free_and_far_away) {
  Random random(327);
  constexpr int32_t kLow = std::numeric_limits<int32_t>::min() + 1;
  constexpr int32_t kHigh = std::numeric_limits<int32_t>::max();
  for (const char fill : {'@', '.'}) {
    for (const Cell first : {Cell{0, 0}, Cell{kLow, kLow}, Cell{kHigh - 66, kHigh - 69}}) {
      Board board(67, 70, fill);
      board.def.first_cell = first;
      for (int i = 0; i < 40; ++i)
        if (fill == '.' && first.x) board.at(board.random_cell(random)) = '@';
      const World world(board, Profile());
      for (int i = 0; i < 20 && !HasFailure(); ++i)
        compare_solvers(world.rules(), world.view,
                        query_of(board.random_cell(random), board.random_cell(random)));
      for (const View& view : indexed(world.view).view) {
        const Cell corner{first.x + 66, first.y + 69};
        Searcher searcher;
        const Cell move = first_move(searcher, view, corner, first);
        EXPECT_EQ(move == corner, fill == '@' || !view.passable(corner) || !view.passable(first));
      }
    }
  }
}

// The diagonals of the sight maps lie around a cylinder.
TEST(IndexShapes, sight_maps_of_tall_and_wide_maps) {
  Random random(328);
  const int sizes[][2] = {{1, 1}, {1, 70}, {70, 1},  {2, 67},  {3, 130}, {5, 64},
                          {7, 7}, {8, 65}, {13, 40}, {65, 3},  {130, 2}, {64, 5},
                          {9, 9}, {40, 7}, {1, 200}, {12, 12}, {20, 11}};
  for (const auto& size : sizes) {
    for (int percent = 0; percent <= 40; percent += sampled() ? 20 : 8) {
      const Board board = random_board(random, size[0], size[1], percent);
      const World world(board, Profile());
      const Layer& layer = world.view.impl()->world.layer;
      SightBits sight;
      CornerBits corners;
      ASSERT_TRUE(sight.build(layer) && corners.build(layer));
      for (size_t i = 0; i < board.size(); ++i) {
        const Cell a = board.cell(i);
        const Point p{uint32_t(a.x), uint32_t(a.y)};
        ASSERT_EQ(sight.passable(p), world.view.passable(a));
        ASSERT_EQ(corners.passable(p), world.view.passable(a));
        ASSERT_EQ(corners.passable_word(p.x >> 6, p.y) >> (p.x & 63) & 1, world.view.passable(a));
        if (!sight.passable(p)) continue;
        for (uint32_t d = 0; d < 8; ++d) {
          uint32_t steps = 0;
          for (CellId at = layer.grid.id(a); layer.moves(at) >> d & 1; ++steps)
            at = layer.grid.id(
                {a.x + kDx[d] * (int32_t(steps) + 1), a.y + kDy[d] * (int32_t(steps) + 1)});
          ASSERT_EQ(sight.free_steps(p, d), steps) << shown(a) << " direction " << d << "\n"
                                                   << picture(board);
        }
        const FreeSteps from_a(sight, p);
        for (size_t k = 0; k < board.size(); ++k) {
          const Cell b = board.cell(k);
          if (!world.view.passable(b)) continue;
          const Point q{uint32_t(b.x), uint32_t(b.y)};
          const bool free = octile_line_free(layer, layer.grid.id(a), layer.grid.id(b));
          ASSERT_EQ(sight.line_free(p, q), free) << shown(a) << " -> " << shown(b) << "\n"
                                                 << picture(board);
          ASSERT_EQ(FreeSteps::line(p, from_a, q, FreeSteps(sight, q)), free)
              << shown(a) << " -> " << shown(b) << "\n"
              << picture(board);
        }
      }
    }
  }
}

TEST(IndexShapes, edges_of_the_graph_go_both_ways) {
  Random random(329);
  for (int i = 0; i < effort(60); ++i) {
    const Board board =
        random_board(random, random.between(2, 90), random.between(2, 90), random.between(2, 45));
    const World world(board, Profile());
    CornerBits corners;
    ClearMaps clear;
    SubgoalGraph graph;
    ASSERT_TRUE(corners.build(world.view.impl()->world.layer) && clear.build(corners) &&
                graph.build(corners, clear));
    for (uint32_t s = 0; s < graph.size(); ++s) {
      EXPECT_EQ(clear.number(graph.place[s]), s);
      for (uint32_t e = graph.first[s]; e < graph.first[s + 1]; ++e) {
        const uint32_t t = graph.target[e];
        ASSERT_LT(t, graph.size());
        ASSERT_NE(t, s);
        ASSERT_TRUE(e == graph.first[s] || graph.target[e - 1] < t) << "twice";
        const uint32_t* begin = graph.target.data() + graph.first[t];
        ASSERT_TRUE(std::binary_search(begin, begin + (graph.first[t + 1] - graph.first[t]), s))
            << graph.place[s].x << "," << graph.place[s].y << "\n"
            << picture(board);
      }
    }
  }
}

// ---------------------------------------------------------------------------------------------
// At the edge of the numbers

// The heads of all tiles with walkers.
template <class Visit>
void each_tile(const Index& index, Visit visit) {
  const LabelTables& tables = index.impl()->labels;
  for (uint32_t t = 0; t < tables.tiles_across * tables.tiles_down; ++t)
    if (tables.directory[t])
      visit(TileView(tables, tables.tiles + size_t{tables.directory[t]} * 16).head);
}

// Labels, and what they answer, against jps, which the judge watches elsewhere.
void compare_with_jps(const Board& board, const View& plain, const View& view, int pairs,
                      Random& random) {
  Searcher searcher;
  for (int i = 0; i < pairs; ++i) {
    const Query q = query_of(board.random_cell(random), board.random_cell(random));
    Query same = q;
    same.solver = solver_id("jps");
    const Path right = ask(plain, same), path = ask(view, q);
    ASSERT_EQ(path.status, right.status) << shown(q);
    ASSERT_EQ(path.cost_units, right.cost_units) << shown(q);
    ASSERT_EQ(distance(searcher, view, q.start, q.goal),
              right.status == Status::found ? right.cost : kWall);
    const Walk w = walk(Rules(board, view.profile()), cells_of(path));
    ASSERT_TRUE(path.size() == 0 || w.wrong.empty()) << shown(q) << w.wrong;
    ASSERT_EQ(first_move(searcher, view, q.start, q.goal),
              path.size() > 1 ? path.cells()[1] : q.start)
        << shown(q);
  }
}

TEST(IndexNumbers, wide_tiles_and_far_vias) {
  Random random(330);
  // From the left every gap of the fence is seen.
  Board board(290, 560);
  for (int y = 0; y < board.height(); y += 2) board.at({285, y}) = '@';
  const World world(board, Profile());
  const Index index = build(world.view);
  ASSERT_EQ(index.info().kind, IndexKind::tile_labels);
  int wide = 0, far = 0;
  uint32_t most = 0;
  each_tile(index, [&](const TileHead& h) {
    wide += h.wide;
    far += h.wide && h.near != h.vias;
    most = std::max<uint32_t>(most, h.vias);
  });
  std::printf("%d wide tiles, %d of them with far vias; most %u vias\n", wide, far, most);
  EXPECT_GT(wide, 0);
  EXPECT_GT(far, 0);
  EXPECT_GT(most, kNarrowVias);
  compare_with_jps(board, world.view, with(world.view, index), effort(400), random);
}

TEST(IndexNumbers, more_vias_than_registers) {
  Random random(334);
  const Board board = random_board(random, 130, 130, 3);
  const World world(board, Profile());
  const Index index = build(world.view);
  int many = 0;
  each_tile(index, [&](const TileHead& h) { many += !h.wide && h.vias > 64; });
  EXPECT_GT(many, 0);
  compare_with_jps(board, world.view, with(world.view, index), effort(400), random);
}

TEST(IndexNumbers, vias_beyond_a_byte) {
  Random random(331);
  // Wide halls, with doors far from everywhere.
  Board board(600, 300);
  for (int y = 0; y < 300; ++y)
    if (y != 11 && y != 290) board.at({300, y}) = '@';
  for (int i = 0; i < 5; ++i) board.at(board.random_cell(random)) = '@';
  const World world(board, Profile());
  const Index index = build(world.view);
  ASSERT_EQ(index.info().kind, IndexKind::tile_labels);
  int far = 0, near = 0;
  each_tile(index, [&](const TileHead& h) {
    far += h.near != h.vias;
    near += h.near != 0;
  });
  EXPECT_GT(far, 0);
  EXPECT_GT(near, 0);
  compare_with_jps(board, world.view, with(world.view, index), effort(400), random);
}

// Corridors of `length` cells, one above the other, joined at alternating ends.
Board serpentine(int length, int rows) {
  Board board(length, 2 * rows - 1);
  for (int y = 1; y < board.height(); y += 2)
    for (int x = 0; x < length; ++x)
      if (x != (y % 4 == 1 ? length - 1 : 0)) board.at({x, y}) = '@';
  return board;
}

TEST(IndexNumbers, paths_of_every_length) {
  Random random(332);
  const struct {
    int length, rows;
    uint32_t straight;  // of the sums
    IndexKind kind;
  } kCases[] = {
      {700, 7, 5741, IndexKind::tile_labels},       // 4,900 steps
      {1000, 12, 33461, IndexKind::tile_labels},    // 12,000: the second pair
      {9000, 4, 33461, IndexKind::tile_labels},     // and runs of more than 4,095
      {1000, 38, 33461, IndexKind::tile_labels},    // 38,000
      {3000, 20, 33461, IndexKind::subgoal_graph},  // 60,000
  };
  for (const auto& c : kCases) {
    const Board board = serpentine(c.length, c.rows);
    const World world(board, Profile());
    const Index index = build(world.view);
    EXPECT_EQ(index.info().kind, c.kind) << index.info().reason;
    EXPECT_STREQ(index.info().reason, c.kind == IndexKind::subgoal_graph
                                          ? "paths may be longer than the labels' sums"
                                          : "");
    EXPECT_EQ(header_of(bytes_of(index)).straight, c.straight);
    const View view = with(world.view, index);
    compare_with_jps(board, world.view, view, effort(40), random);
    const Cell end{c.rows % 2 ? c.length - 1 : 0, board.height() - 1};
    Searcher searcher;
    const Path there = ask(view, query_of({0, 0}, end)), back = ask(view, query_of(end, {0, 0}));
    EXPECT_EQ(there.status, Status::found);
    EXPECT_EQ(there.cost, double(c.length) * c.rows + c.rows - 2) << c.length << " x " << c.rows;
    EXPECT_EQ(back.cost_units, there.cost_units);
    EXPECT_EQ(there.size(), size_t(c.length) * size_t(c.rows) + size_t(c.rows) - 1);
    EXPECT_EQ(walk(Rules(board, Profile()), cells_of(there)).wrong, "");
    EXPECT_EQ(distance(searcher, view, {0, 0}, end), there.cost);
    // What was built is also what a file may hold.
    EXPECT_EQ(bytes_of(read(bytes_of(index))), bytes_of(index));
  }
}

TEST(IndexNumbers, the_other_metrics_reach_less_far) {
  Random random(333);
  for (const Metric metric : {Metric::ten_fourteen, Metric::chebyshev}) {
    for (const int rows : {2, 12}) {
      const Board board = serpentine(1400, rows);
      const World world(board, profile_of(Moves::eight, Diagonal::no_obstacles, metric));
      const Index index = build(world.view);
      const bool fits = rows == 2;
      EXPECT_EQ(index.info().kind, fits ? IndexKind::tile_labels : IndexKind::subgoal_graph);
      EXPECT_EQ(index.info().reason[0] == 0, fits);
      EXPECT_EQ(bytes_of(read(bytes_of(index))), bytes_of(index));
      const View view = with(world.view, index);
      compare_with_jps(board, world.view, view, effort(40), random);
      for (const IndexKind kind : kAllKinds)
        compare_with_jps(board, world.view, with(world.view, build(world.view, kind)), effort(10),
                         random);
    }
  }
}

}  // namespace
}  // namespace octile::test
