// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Indexes inside an Engine: adopted, put aside by edits, built in the background; and what `auto`
// answers with them.

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "index_tools.hpp"

namespace octile::test {
namespace {

const char* answered_by(const View& view, const Query& query) {
  return solver_info(ask(view, query).solver).name;
}

void expect_answers_of_the_judge(const View& view, int count) {
  Random random(365);
  for (int i = 0; i < count; ++i) {
    Query query;
    query.start = {random.below(view.width()), random.below(view.height())};
    query.goal = {random.below(view.width()), random.below(view.height())};
    const Path path = ask(view, query);
    query.solver = judge();
    const Path right = ask(view, query);
    ASSERT_EQ(path.status, right.status) << shown(query);
    ASSERT_EQ(path.cost_units, right.cost_units) << shown(query);
  }
}

// Milliseconds after which a build hangs, on a slow machine that is busy too.
constexpr int kPatience = 200000;

// Until the build has ended.
Fault wait_for(Engine& engine, bool* adopted) {
  for (int i = 0; i < kPatience; ++i) {
    const Fault f = engine.adopt_finished(adopted);
    if (!engine.building()) return f;
    EXPECT_FALSE(f) << f.text;
    EXPECT_FALSE(*adopted);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ADD_FAILURE() << "the build does not end";
  return {};
}

// A map whose labels take a while.
Board slow_board() {
  Random random(361);
  return random_board(random, 100, 80, 20);
}

// ---------------------------------------------------------------------------------------------
// Adopting

TEST(Adopt, counts_from_the_next_view_until_an_edit) {
  Random random(362);
  World world(random_board(random, 70, 50, 25), Profile());
  for (const IndexKind kind : kExactKinds) {
    world.commit();
    const View before = world.view;
    EXPECT_TRUE(before.index().empty());
    const Index index = build(before, kind);
    ASSERT_FALSE(world.engine.adopt(world.id, index));
    EXPECT_TRUE(before.index().empty());
    const View after = world.engine.view(world.id);
    EXPECT_EQ(after.index().impl(), index.impl());
    EXPECT_EQ(after.version(), before.version());
    EXPECT_EQ(answers(after, 1, 50), answers(with(before, index), 1, 50));
    world.commit();  // of nothing
    EXPECT_EQ(world.view.index().impl(), index.impl());
    const Cell cell{35, 25};
    const uint8_t was = world.engine.map().terrain(cell);
    ASSERT_FALSE(world.engine.map().set_terrain(cell, was == '@' ? '.' : '@'));
    EXPECT_EQ(world.engine.view(world.id).index().impl(), index.impl()) << "not committed yet";
    world.commit();
    EXPECT_TRUE(world.view.index().empty());
    EXPECT_EQ(world.engine.adopt(world.id, index).status, Status::stale_index);
    EXPECT_TRUE(world.engine.view(world.id).index().empty());
    ASSERT_FALSE(world.engine.map().set_terrain(cell, was));
    world.commit();
    ASSERT_FALSE(world.engine.adopt(world.id, index));
    EXPECT_EQ(after.index().impl(), index.impl()) << "old Views keep theirs";
    ASSERT_FALSE(world.engine.map().set_terrain(cell, was == '@' ? '.' : '@'));
  }
}

TEST(Adopt, refuses_with_the_reason) {
  const World world(Rows{"..@", "..."});
  const Index index = build(world.view);
  Engine engine;
  ProfileId id = 0, tens = 0;
  Profile profile;
  profile.metric = Metric::ten_fourteen;
  EXPECT_EQ(engine.adopt(1, index).status, Status::bad_argument);
  ASSERT_FALSE(engine.add_profile(Profile(), &id));
  ASSERT_FALSE(engine.add_profile(profile, &tens));
  EXPECT_EQ(engine.adopt(id, index).status, Status::bad_argument) << "no view";
  ASSERT_FALSE(load(world.board, engine));
  EXPECT_EQ(engine.adopt(id, index).status, Status::bad_argument) << "not committed";
  ASSERT_FALSE(engine.commit());
  EXPECT_EQ(engine.adopt(id, Index()).status, Status::bad_argument);
  EXPECT_EQ(engine.adopt(tens, index).status, Status::stale_index);
  EXPECT_EQ(engine.adopt(99, index).status, Status::bad_argument);
  EXPECT_FALSE(engine.adopt(id, index));
  EXPECT_TRUE(engine.view(tens).index().empty());
  ASSERT_FALSE(engine.remove_profile(id));
  EXPECT_EQ(engine.adopt(id, index).status, Status::bad_argument);
}

TEST(Adopt, the_view_outlives_everybody) {
  Random random(363);
  View view;
  uint64_t right = 0;
  {
    World world(random_board(random, 40, 40, 25), Profile());
    ASSERT_FALSE(world.engine.adopt(world.id, build(world.view)));
    view = world.engine.view(world.id);
    right = answers(view, 2, 50);
  }
  EXPECT_EQ(answers(view, 2, 50), right);
  EXPECT_TRUE(view.index().belongs_to(view));
}

// ---------------------------------------------------------------------------------------------
// In the background

TEST(BackgroundBuild, is_adopted_when_it_is_finished) {
  Random random(364);
  World world(random_board(random, 60, 60, 25), Profile());
  bool adopted = true;
  EXPECT_FALSE(world.engine.adopt_finished(&adopted));
  EXPECT_FALSE(adopted);
  EXPECT_FALSE(world.engine.building());
  world.engine.stop_build();
  for (const IndexKind kind : kAllKinds) {
    IndexOptions options;
    options.most = kind;
    options.threads = 2;
    ASSERT_FALSE(world.engine.start_build(world.id, options));
    EXPECT_TRUE(world.engine.building());
    EXPECT_FALSE(wait_for(world.engine, &adopted));
    EXPECT_TRUE(adopted);
    EXPECT_EQ(bytes_of(world.engine.view(world.id).index()), bytes_of(build(world.view, kind)));
    EXPECT_FALSE(world.engine.adopt_finished(&adopted));
    EXPECT_FALSE(adopted) << "only once";
  }
  ASSERT_FALSE(world.engine.start_build(world.id, IndexOptions()));
  while (world.engine.building()) EXPECT_FALSE(world.engine.adopt_finished(nullptr));
  EXPECT_EQ(world.engine.view(world.id).index().info().kind, IndexKind::tile_labels);
}

// Whoever raises the token before the index is taken over does not get it: at the first word of
// progress, at the last, or when all is done.
TEST(BackgroundBuild, is_not_adopted_once_it_was_cancelled) {
  struct Caller {
    std::atomic<bool> token{false}, told{false};
    double from = 0;
  } caller;
  World world(Rows{"......", "..@@..", "..@@..", "......"});
  for (const IndexKind kind : kAllKinds) {
    for (const double from : {0., 1., 2.}) {
      caller.token = caller.told = false;
      caller.from = from;
      IndexOptions options;
      options.most = kind;
      options.cancel = &caller.token;
      options.user = &caller;
      options.progress = [](void* user, double share) {
        auto& c = *static_cast<Caller*>(user);
        if (share >= c.from) c.token = true;
        if (share >= 1) c.told = true;
      };
      ASSERT_FALSE(world.engine.start_build(world.id, options));
      while (from == 2 && !caller.told) std::this_thread::yield();
      if (from == 2) caller.token = true;
      bool adopted = true;
      EXPECT_EQ(wait_for(world.engine, &adopted).status, Status::cancelled) << name(kind) << from;
      EXPECT_FALSE(adopted);
      EXPECT_TRUE(world.engine.view(world.id).index().empty());
      EXPECT_FALSE(world.engine.building());
    }
  }
}

TEST(BackgroundBuild, refusals) {
  World world(Rows{"..@", "..."});
  Engine engine;
  EXPECT_EQ(engine.start_build(1, IndexOptions()).status, Status::bad_argument);
  EXPECT_EQ(world.engine.start_build(99, IndexOptions()).status, Status::bad_argument);
  EXPECT_FALSE(world.engine.building());
  ProfileId id = 0;
  ASSERT_FALSE(engine.add_profile(Profile(), &id));
  EXPECT_EQ(engine.start_build(id, IndexOptions()).status, Status::bad_argument) << "no view";
  bool adopted = false;
  IndexOptions options;
  options.threads = 0;
  ASSERT_FALSE(world.engine.start_build(world.id, options));
  EXPECT_EQ(wait_for(world.engine, &adopted).status, Status::bad_argument);
  EXPECT_FALSE(adopted);
  World four(Rows{"..@", "..."}, profile_of(Moves::four));
  ASSERT_FALSE(four.engine.start_build(four.id, IndexOptions()));
  EXPECT_EQ(wait_for(four.engine, &adopted).status, Status::bad_argument);
}

TEST(BackgroundBuild, edits_in_between_make_it_stale) {
  for (const IndexKind kind :
       {IndexKind::tile_labels, IndexKind::subgoal_labels, IndexKind::portals}) {
    World world(slow_board(), Profile());
    bool adopted = true;
    IndexOptions options;
    options.most = kind;
    ASSERT_FALSE(world.engine.start_build(world.id, options));
    ASSERT_FALSE(world.engine.map().fill({10, 10, 3, 3}, '.'));
    ASSERT_FALSE(world.engine.map().fill({10, 20, 1, 1}, '@'));
    world.commit();
    const Fault f = wait_for(world.engine, &adopted);
    const View view = world.engine.view(world.id);
    EXPECT_TRUE(view.index().empty());
    // Tile labels answer what they can; the others are of no use.
    if (kind == IndexKind::tile_labels) {
      EXPECT_FALSE(f) << f.text;
      EXPECT_TRUE(adopted);
      EXPECT_EQ(bytes_of(view.stale_index()), bytes_of(build(World(slow_board(), Profile()).view)));
      expect_answers_of_the_judge(view, 200);
      // As if they had been adopted before the edits.
      World before(slow_board(), Profile());
      ASSERT_FALSE(before.engine.adopt(before.id, build(before.view)));
      ASSERT_FALSE(before.engine.map().fill({10, 10, 3, 3}, '.'));
      ASSERT_FALSE(before.engine.map().fill({10, 20, 1, 1}, '@'));
      before.commit();
      EXPECT_EQ(answers(view, 3, 200), answers(before.view, 3, 200));
    } else {
      EXPECT_EQ(f.status, Status::stale_index) << f.text;
      EXPECT_STRNE(f.text, "");
      EXPECT_FALSE(adopted);
      EXPECT_TRUE(view.stale_index().empty());
    }
  }
}

TEST(BackgroundBuild, labels_that_commits_repair_are_repaired_up_to_now) {
  const Board board = slow_board();
  World world(board, Profile());
  const Index first = build(world.view, IndexKind::subgoal_labels);
  ASSERT_FALSE(world.engine.repair_labels(world.id, first));
  Random random(366);
  for (int round = 0; round < 4; ++round) {
    IndexOptions options;
    options.most = IndexKind::subgoal_labels;
    ASSERT_FALSE(world.engine.start_build(world.id, options));
    for (int edit = 0; edit < round; ++edit) {
      ASSERT_FALSE(world.engine.map().fill(some_rect(random, board, 6), edit % 2 ? '.' : '@'));
      world.commit();
    }
    bool adopted = false;
    EXPECT_FALSE(wait_for(world.engine, &adopted));
    EXPECT_TRUE(adopted);
    expect_answers_of_the_judge(world.engine.view(world.id), 100);
    // Commits go on with the new ones.
    ASSERT_FALSE(world.engine.map().fill(some_rect(random, board, 6), '@'));
    world.commit();
    EXPECT_EQ(world.view.index().info().kind, IndexKind::subgoal_labels);
    expect_answers_of_the_judge(world.view, 100);
  }
  // Tile labels of the present state stay, and so do those that come after them.
  ASSERT_FALSE(world.engine.adopt(world.id, build(world.view)));
  IndexOptions options;
  options.most = IndexKind::subgoal_labels;
  ASSERT_FALSE(world.engine.start_build(world.id, options));
  bool adopted = false;
  EXPECT_FALSE(wait_for(world.engine, &adopted));
  EXPECT_EQ(world.engine.view(world.id).index().info().kind, IndexKind::tile_labels);
}

// Edits that make labels longer and longer, until they are built anew.
TEST(BackgroundBuild, renews_labels_whose_order_has_aged) {
  const Board board(90, 70);
  World aged(board, Profile());
  ASSERT_FALSE(aged.engine.repair_labels(aged.id, build(aged.view, IndexKind::subgoal_labels)));
  World renewed(board, Profile());
  ASSERT_FALSE(renewed.engine.repair_labels(renewed.id,
                                            build(renewed.view, IndexKind::subgoal_labels), true));
  Random random(367);
  int builds = 0;
  for (int edit = 0; edit < 40; ++edit) {
    const Rect r = some_rect(random, board, 8);
    for (World* w : {&aged, &renewed}) {
      ASSERT_FALSE(w->engine.map().fill(r, random.below(3) ? '@' : '.'));
      w->commit();
    }
    EXPECT_FALSE(aged.engine.building());
    if (!renewed.engine.building()) continue;
    // A long repair may show that the order has aged, and be followed by a build.
    bool adopted = false;
    for (int i = 0; i < kPatience && renewed.engine.building(); ++i) {
      bool taken = false;
      EXPECT_FALSE(renewed.engine.adopt_finished(&taken));
      adopted = adopted || taken;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_TRUE(adopted);
    // Of a new order, or what took too long for a commit in the old one.
    builds += renewed.engine.view(renewed.id).index().info().entries ==
              build(renewed.view, IndexKind::subgoal_labels).info().entries;
    expect_answers_of_the_judge(renewed.engine.view(renewed.id), 50);
  }
  EXPECT_GT(builds, 0);
}

// With `renew` a repair that takes long goes on beside the commits.
TEST(BackgroundBuild, long_repairs_do_not_keep_commits) {
  Random random(369);
  const Board board = rooms_board(random, 90, 80, 9);
  World world(board, Profile());
  ASSERT_FALSE(
      world.engine.repair_labels(world.id, build(world.view, IndexKind::subgoal_labels), true));
  int late = 0;
  for (int round = 0; round < 8; ++round) {
    // 1. Half of the map anew.
    const Board half = rooms_board(random, 45, 80, random.between(4, 12));
    ASSERT_FALSE(world.engine.map().stamp({round % 2 * 45, 0, 45, 80}, half.terrain.data(), 45));
    world.commit();
    ASSERT_TRUE(world.engine.building());
    EXPECT_TRUE(world.view.index().empty());
    expect_answers_of_the_judge(world.view, 20);
    // 2. Edits meanwhile, which are caught up with; some of them late again.
    for (int edit = round % 4; edit > 0; --edit) {
      const Rect r = some_rect(random, board, round % 3 ? 5 : 40);
      ASSERT_FALSE(world.engine.map().fill(r, random.below(3) ? '.' : '@'));
      world.commit();
      late += world.view.index().empty();
    }
    if (round == 3) world.engine.stop_build();  // of another kind
    if (round == 6) {
      IndexOptions options;
      options.most = IndexKind::subgoal_graph;
      ASSERT_FALSE(world.engine.start_build(world.id, options));
      world.engine.stop_build();
    }
    bool adopted = false;
    for (int i = 0; i < kPatience && !adopted && world.engine.building(); ++i) {
      const Fault f = world.engine.adopt_finished(&adopted);
      EXPECT_TRUE(!f || f.status == Status::stale_index) << f.text;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const View view = world.engine.view(world.id);
    expect_answers_of_the_judge(view, 30);
    if (!adopted) continue;  // given up, and to be built anew
    EXPECT_EQ(view.index().info().kind, IndexKind::subgoal_labels);
    EXPECT_TRUE(view.index().belongs_to(view));
    // 3. A small one is repaired at once.
    ASSERT_FALSE(world.engine.map().set_terrain({89, 79}, round % 2 ? '.' : '@'));
    world.commit();
    expect_answers_of_the_judge(world.view, 20);
  }
  EXPECT_GT(late, 0);
  // What ends while one runs.
  for (const int how : {0, 1, 2, 3}) {
    World other(board, Profile());
    ASSERT_FALSE(
        other.engine.repair_labels(other.id, build(other.view, IndexKind::subgoal_labels), true));
    const Board all = rooms_board(random, 90, 80, 6);
    ASSERT_FALSE(other.engine.map().stamp({0, 0, 90, 80}, all.terrain.data(), 90));
    other.commit();
    if (how == 0) {
      ASSERT_FALSE(other.engine.repair_labels(other.id, Index()));
    }
    if (how == 1) {
      ASSERT_FALSE(other.engine.remove_profile(other.id));
    }
    if (how == 2) {
      ASSERT_FALSE(load(board, other.engine));
    }
    if (how == 3) continue;  // the engine goes
    EXPECT_FALSE(other.engine.building());
  }
}

// Noise on open ground: the old order of hubs is worth nothing.
TEST(BackgroundBuild, labels_without_order_are_given_up) {
  const Board board(192, 64);
  Random random(368);
  for (const bool renew : {false, true}) {
    World world(board, Profile());
    ASSERT_FALSE(
        world.engine.repair_labels(world.id, build(world.view, IndexKind::subgoal_labels), renew));
    bool given_up = false;
    for (int block = 0; block < 3; ++block) {
      for (int i = 0; i < 64 * 64; ++i) {
        if (random.below(4) > 0) continue;
        ASSERT_FALSE(world.engine.map().set_terrain({64 * block + i % 64, i / 64}, '@'));
      }
      world.commit();
      const IndexInfo info = world.view.index().info();
      EXPECT_LE(info.entries, 64 * uint64_t{info.hubs});
      given_up = given_up || world.view.index().empty();
      expect_answers_of_the_judge(world.view, 30);
    }
    EXPECT_TRUE(given_up);
    EXPECT_EQ(world.engine.building(), renew);
    if (!renew) continue;
    // What was begun before the last block may be as bad as the old ones, and is begun again.
    bool adopted = false;
    for (int i = 0; i < kPatience && !adopted; ++i) {
      const Fault f = world.engine.adopt_finished(&adopted);
      EXPECT_TRUE(!f || f.status == Status::stale_index) << f.text;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_TRUE(adopted);
    EXPECT_FALSE(world.engine.building());
    EXPECT_EQ(world.engine.view(world.id).index().info().kind, IndexKind::subgoal_labels);
    expect_answers_of_the_judge(world.engine.view(world.id), 50);
  }
}

TEST(BackgroundBuild, edits_that_nobody_sees_do_no_harm) {
  World world(slow_board(), Profile());
  bool adopted = true;
  // Edits that are not committed, and those that change nothing for the profile, do not.
  ASSERT_FALSE(world.engine.start_build(world.id, IndexOptions()));
  Cell wall{};
  for (size_t i = 0; i < world.board.size(); ++i)
    if (!world.view.passable(world.board.cell(i))) wall = world.board.cell(i);
  ASSERT_FALSE(world.engine.map().set_terrain(wall, 'T'));
  world.commit();
  ASSERT_FALSE(world.engine.map().set_terrain({0, 0}, '@'));
  EXPECT_FALSE(wait_for(world.engine, &adopted));
  EXPECT_TRUE(adopted);
}

TEST(BackgroundBuild, a_reset_or_a_removed_profile_makes_it_stale) {
  const Board board = slow_board();
  bool adopted = true;
  for (const int what : {0, 1, 2, 3}) {
    World world(board, Profile());
    ASSERT_FALSE(world.engine.start_build(world.id, IndexOptions()));
    if (what == 0) {
      ASSERT_FALSE(world.engine.remove_profile(world.id));
    } else {
      ASSERT_FALSE(load(what == 3 ? board : Board(20, 20), world.engine));
      if (what > 1) world.commit();
    }
    const Fault f = wait_for(world.engine, &adopted);
    EXPECT_EQ(f.status, what == 3 ? Status::found : Status::stale_index) << what << ": " << f.text;
    EXPECT_EQ(adopted, what == 3);
    EXPECT_FALSE(world.engine.building());
  }
}

TEST(BackgroundBuild, is_stopped_by_anything) {
  const Board board = slow_board();
  World world(board, Profile());
  bool adopted = true;
  ASSERT_FALSE(world.engine.start_build(world.id, IndexOptions()));
  world.engine.stop_build();
  EXPECT_FALSE(world.engine.building());
  EXPECT_FALSE(world.engine.adopt_finished(&adopted));
  EXPECT_FALSE(adopted);
  // A second build ends the first one.
  IndexOptions small;
  small.most = IndexKind::subgoal_graph;
  ASSERT_FALSE(world.engine.start_build(world.id, IndexOptions()));
  ASSERT_FALSE(world.engine.start_build(world.id, small));
  EXPECT_FALSE(wait_for(world.engine, &adopted));
  EXPECT_TRUE(adopted);
  EXPECT_EQ(world.engine.view(world.id).index().info().kind, IndexKind::subgoal_graph);
  // The caller's flag, raised before or during the build.
  for (const bool before : {false, true}) {
    std::atomic<bool> cancel{before};
    IndexOptions options;
    options.cancel = &cancel;
    ASSERT_FALSE(world.engine.start_build(world.id, options));
    cancel = true;
    const Fault f = wait_for(world.engine, &adopted);
    EXPECT_TRUE(f.status == Status::cancelled || (!before && !f)) << f.text;
  }
  // The end of the engine.
  for (int i = 0; i < 3; ++i) {
    World gone(board, Profile());
    ASSERT_FALSE(gone.engine.start_build(gone.id, IndexOptions()));
    if (i == 1) std::this_thread::sleep_for(std::chrono::milliseconds(3));
    if (i == 2) {
      ASSERT_FALSE(gone.engine.remove_profile(gone.id));
      gone.view = View();
    }
  }
}

// ---------------------------------------------------------------------------------------------
// What auto answers

TEST(AutoWithIndex, asks_the_best_that_serves) {
  Board board(30, 30);
  for (int y = 3; y < 30; ++y) board.at({12, y}) = '@';
  for (int y = 0; y < 27; ++y) board.at({20, y}) = '@';
  const World world(board, Profile());
  const Query plain = query_of({0, 20}, {29, 3});
  const auto by = [&](IndexKind kind, const Query& q) {
    return std::string(answered_by(with(world.view, build(world.view, kind)), q));
  };
  EXPECT_STREQ(answered_by(world.view, plain), "jps");
  EXPECT_EQ(by(IndexKind::tile_labels, plain), "labels");
  EXPECT_EQ(by(IndexKind::subgoal_labels, plain), "subgoal");
  EXPECT_EQ(by(IndexKind::subgoal_graph, plain), "subgoal");
  for (const IndexKind kind : kExactKinds) {
    Trace trace;
    Query q = plain;
    q.trace = &trace;
    EXPECT_EQ(by(kind, q), "jps");
    EXPECT_GT(trace.size(), 0u);
    q = plain;
    const Cell goals[] = {{29, 3}, {28, 3}};
    q.goals = goals;
    q.goal_count = 2;
    EXPECT_EQ(by(kind, q), "astar");
    q.goal_count = 1;
    EXPECT_EQ(by(kind, q), kind == IndexKind::tile_labels ? "labels" : "subgoal");
    q = plain;
    q.solver = solver_id("jps");
    EXPECT_EQ(by(kind, q), "jps") << "who is asked for by name answers";
    q.solver = solver_id("labels");
    EXPECT_EQ(by(kind, q), kind == IndexKind::tile_labels ? "labels" : "subgoal");
  }
}

// A query with everything that a query may have.
struct AnyQuery {
  Query query;
  std::vector<Cell> goals;
  Trace trace;
};
void draw(Random& random, const Board& board, AnyQuery* any) {
  Query& q = any->query;
  q = query_of(board.random_cell(random), board.random_cell(random));
  if (random.percent(2)) q.start.x = board.def.first_cell.x - 1;
  if (random.percent(2)) q.goal.y = board.def.first_cell.y + board.height();
  q.snap_start = random.percent(30);
  q.snap_goal = random.percent(30);
  q.snap_radius = random.below(4);
  q.allow_partial = random.percent(25);
  any->goals.clear();
  if (random.percent(25)) {
    for (int i = random.between(1, 4); i > 0; --i) any->goals.push_back(board.random_cell(random));
    q.goals = any->goals.data();
    q.goal_count = any->goals.size();
  }
  if (random.percent(25)) q.max_cost = random.below(60);
  any->trace.clear();
  q.trace = random.percent(20) ? &any->trace : nullptr;
  q.output = random.percent(70) ? Output::cells : Output::waypoints;
  q.smooth = q.output == Output::waypoints && random.percent(50);
}

// What is wrong with an answer beside the judge's.
std::string wrong_with(const Rules& rules, const Query& q, const Path& right, const Path& path) {
  if (path.status != right.status)
    return std::string(name(path.status)) + " instead of " + name(right.status);
  const bool cut = path.status == Status::limit_reached;
  if (!cut && (path.cost_units != right.cost_units || path.cost != right.cost)) return "cost";
  if (!cut && path.goal_index != right.goal_index) return "goal_index";
  if (path.version != right.version) return "version";
  if ((path.size() == 0) != (right.size() == 0)) return "size";
  if (path.size() == 0) return "";
  if (path.cells()[0] != right.cells()[0]) return "start";
  if (!cut && path.cells()[path.size() - 1] != right.cells()[right.size() - 1]) return "end";
  if (q.smooth) return "";
  const Walk w = walk(rules, q.output == Output::cells ? cells_of(path) : filled_in(path));
  if (!w.wrong.empty()) return w.wrong;
  return std::fabs(w.cost - path.cost) < 1e-9 * (1 + w.cost) ? "" : "walked cost";
}

TEST(AutoWithIndex, answers_as_the_judge_whatever_is_asked) {
  Random random(365);
  int compared = 0, statuses[16] = {};
  for (int round = 0; round < effort(60); ++round) {
    Board board = round % 3 == 0
                      ? one_wide_board(random, random.between(2, 40), random.between(2, 40), 9)
                      : random_board(random, random.between(1, 40), random.between(1, 40),
                                     random.between(0, 50));
    board.def.first_cell = {random.between(-9, 9), random.between(-9, 9)};
    const World world(board,
                      profile_of(Moves::eight, Diagonal::no_obstacles, Metric(random.below(3))));
    const Rules rules = world.rules();
    Searcher sliced;
    for (int i = 0; i < 60; ++i) {
      AnyQuery any;
      draw(random, board, &any);
      Query judged = any.query;
      judged.solver = judge();
      judged.trace = nullptr;
      const Path right = ask(world.view, judged);
      ++statuses[size_t(right.status)];
      for (const View& view : indexed(world.view).view) {
        any.trace.clear();
        const Path path = ask(view, any.query);
        ASSERT_EQ(wrong_with(rules, any.query, right, path), "")
            << shown(any.query) << " " << name(view.index().info().kind)
            << (any.query.trace ? " traced" : "") << "\n"
            << picture(board, &path);
        Path slow;
        sliced.begin(view, any.query, slow);
        while (!sliced.step(3, slow)) {
        }
        ASSERT_EQ(hash_of(slow), hash_of(path)) << "in slices";
        ++compared;
      }
    }
  }
  for (const Status s : {Status::found, Status::partial, Status::no_path, Status::start_blocked,
                         Status::goal_blocked, Status::start_out_of_bounds,
                         Status::goal_out_of_bounds, Status::limit_reached})
    EXPECT_GT(statuses[size_t(s)], 0) << name(s);
  std::printf("compared %d answers\n", compared);
}

// With a limit on the work the answer may be there at once, or the limit is told; a pair that
// nothing connects is told in any case.
TEST(AutoWithIndex, limits_on_the_work) {
  Random random(366);
  int limited = 0, found = 0, none = 0;
  for (int round = 0; round < effort(30); ++round) {
    const Board board = random_board(random, 40, 40, random.between(20, 45));
    const World world(board, Profile());
    for (int i = 0; i < 60; ++i) {
      Trace trace;
      Query q = query_of(board.random_cell(random), board.random_cell(random));
      const Path right = ask(world.view, q);
      q.max_expansions = uint64_t(random.between(1, 60));
      q.trace = random.percent(30) ? &trace : nullptr;
      for (const View& view : indexed(world.view).view) {
        const Path path = ask(view, q);
        const std::string told = shown(q) + (q.trace ? " traced " : " ") +
                                 name(view.index().info().kind) + ": " + name(path.status);
        if (right.status != Status::found) {
          ASSERT_EQ(path.status, right.status) << told;
          none += right.status == Status::no_path;
        } else if (path.status == Status::found) {
          ASSERT_EQ(path.cost_units, right.cost_units) << told;
          ++found;
        } else {
          ASSERT_EQ(path.status, Status::limit_reached) << told;
          ++limited;
        }
      }
    }
  }
  EXPECT_GT(limited, 0);
  EXPECT_GT(found, 0);
  EXPECT_GT(none, 0);
}

// Who is watched is answered by a search, which a limit may end before it knows.
TEST(AutoWithIndex, a_trace_and_a_limit_do_not_hide_that_there_is_no_path) {
  const World world(Rows{"..@."});
  Trace trace;
  Query q = query_of({0, 0}, {3, 0});
  q.trace = &trace;
  q.max_expansions = 1;
  for (const View& view : indexed(world.view).view)
    EXPECT_EQ(ask(view, q).status, Status::no_path) << name(view.index().info().kind);
  q.max_expansions = 0;
  q.max_cost = 0;
  for (const View& view : indexed(world.view).view)
    EXPECT_EQ(ask(view, q).status, Status::no_path) << name(view.index().info().kind);
}

TEST(AutoWithIndex, a_raised_flag_ends_it) {
  const World world(Rows{"..@..", ".....", "..@.."});
  std::atomic<bool> cancel{true};
  Query q = query_of({0, 0}, {4, 0});
  q.cancel = &cancel;
  for (const View& view : indexed(world.view).view) {
    EXPECT_EQ(ask(view, q).status, Status::cancelled);
    cancel = false;
    EXPECT_EQ(ask(view, q).status, Status::found);
    cancel = true;
  }
}

}  // namespace
}  // namespace octile::test
