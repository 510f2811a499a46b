// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// What planners of many agents look up: the graph, and tables of distances by goal, against a
// search that knows nothing of either.

#include "agents/goal_tables.hpp"
#include "engine/view.hpp"
#include "support.hpp"

namespace octile::test {
namespace {

// Distances by a search that knows nothing of tables; -1: no way.
std::vector<int> distances_from(const AgentGraph& graph, const View& view, Vertex goal) {
  std::vector<int> far(graph.size, -1);
  std::vector<Vertex> queue{goal};
  far[goal] = 0;
  for (size_t head = 0; head < queue.size(); ++head) {
    const Cell c = graph.cell(queue[head]);
    for (int d = 0; d < 8; ++d) {
      if (!(view.moves(c) >> d & 1)) continue;
      const Vertex to = graph.vertex(Cell{c.x + kDx[d], c.y + kDy[d]});
      if (far[to] >= 0) continue;
      far[to] = far[queue[head]] + 1;
      queue.push_back(to);
    }
  }
  return far;
}

// Steps and ways from tables that grow while they are read, in any order; which four cells a move
// crosses.
TEST(Lookups, tables_and_crossings) {
  Random random(77);
  for (int run = 0; run < 60; ++run) {
    const Board board = run % 5 == 4 ? one_wide_board(random, 71, 71, 20)
                                     : random_board(random, random.between(3, 90),
                                                    random.between(3, 90), random.below(40));
    const World world(
        board, profile_of(run % 2 ? Moves::four : Moves::eight, static_cast<Diagonal>(run % 4)));
    AgentGraph graph;
    ASSERT_TRUE(graph.build(world.view.impl()->world));
    if (graph.size == 0) continue;
    const bool four = graph.stride == 4;
    const auto any = [&] {
      return static_cast<Vertex>(random.below(static_cast<int>(graph.size)));
    };
    for (Vertex v = 0; v < graph.size; ++v) {
      for (uint32_t k = 0; k < graph.degree[v] && !four; ++k) {
        const Cell a = graph.cell(v), b = graph.cell(graph.near[size_t{v} * 8 + k]);
        const bool free = a.x != b.x && a.y != b.y && world.view.passable({a.x, b.y}) &&
                          world.view.passable({b.x, a.y});
        const Cell corner{std::min(a.x, b.x), std::min(a.y, b.y)};
        ASSERT_EQ(graph.across(v, k), free ? graph.vertex(corner) : kNoVertex);
      }
    }
    GoalTables tables;
    tables.whole = run % 3 == 0;
    ASSERT_TRUE(tables.begin(graph));
    for (int goal = 0; goal < 4; ++goal) {
      const Vertex g = any();
      const std::vector<int> far = distances_from(graph, world.view, g);
      const uint32_t t = tables.take(g);
      ASSERT_NE(t, GoalTables::kNone);
      for (int i = 0; i < 300; ++i) {
        const Vertex v = any();
        if (random.percent(20)) {
          ASSERT_EQ(tables.way(t, v),
                    far[v] < 0 ? GoalTables::kNoWay : static_cast<uint64_t>(far[v]));
        }
        if (far[v] < 0) continue;
        for (uint32_t k = 0; k < graph.degree[v]; ++k) {
          const Vertex u = graph.near[size_t{v} * graph.stride + k];
          ASSERT_EQ(tables.step(t, v, u), far[u] - far[v]);
        }
      }
    }
  }
}

// What tables say of each vertex and all its neighbours, and the length of its way, from a goal or
// two: boards at whose edges blocks, tiles and bands begin and end, with few walls and with few
// free cells, under all move rules.
void expect_right_everywhere(Random& random, const Board& board, const Profile& profile) {
  SCOPED_TRACE(std::to_string(board.width()) + " x " + std::to_string(board.height()) + ", " +
               name_of(profile));
  const World world(board, profile);
  AgentGraph graph;
  ASSERT_TRUE(graph.build(world.view.impl()->world));
  if (graph.size == 0) return;
  for (const bool whole : {false, true}) {
    GoalTables tables;
    tables.whole = whole;
    ASSERT_TRUE(tables.begin(graph));
    for (int goal = 0; goal < 2; ++goal) {
      const auto g = static_cast<Vertex>(random.below(static_cast<int>(graph.size)));
      const std::vector<int> far = distances_from(graph, world.view, g);
      const uint32_t t = tables.take(g);
      ASSERT_NE(t, GoalTables::kNone);
      for (Vertex v = 0; v < graph.size; ++v) {
        if (far[v] < 0) {
          ASSERT_EQ(tables.way(t, v), GoalTables::kNoWay);
          continue;
        }
        uint32_t nearer = 0, farther = 0;
        for (uint32_t k = 0; k < graph.degree[v]; ++k) {
          const Vertex u = graph.near[size_t{v} * graph.stride + k];
          nearer |= uint32_t{far[u] < far[v]} << k;
          farther |= uint32_t{far[u] > far[v]} << k;
          ASSERT_LE(std::abs(far[u] - far[v]), 1);
        }
        const GoalSides sides = tables.sides(t, v);
        ASSERT_EQ(sides.nearer, nearer);
        ASSERT_EQ(sides.farther, farther);
        if (v % 37 == 0) {
          ASSERT_EQ(tables.way(t, v), static_cast<uint64_t>(far[v]));
        }
      }
    }
  }
}

std::vector<Profile> move_rules() {
  std::vector<Profile> all = {profile_of(Moves::four)};
  for (int d = 0; d < 4; ++d) all.push_back(profile_of(Moves::eight, static_cast<Diagonal>(d)));
  return all;
}

TEST(Lookups, every_vertex_of_boards_of_all_sizes) {
  Random random(78);
  for (const Profile& profile : move_rules()) {
    for (const int width : {1, 2, 13, 14, 15, 28, 29, 64, 65, 127, 130}) {
      const int height =
          std::vector<int>{1, 2, 14, 15, 16, 29, 63, 66}[static_cast<size_t>(random.below(8))];
      for (const int walls : {0, 3, 30, 60})
        expect_right_everywhere(random, random_board(random, width, height, walls), profile);
    }
    expect_right_everywhere(random, one_wide_board(random, 71, 71, 20), profile);
    expect_right_everywhere(random, rooms_board(random, 90, 60, 9), profile);
    expect_right_everywhere(random, checker_board(50, 40), profile);
  }
}

TEST(Lookups, large_units) {
  Random random(79);
  for (int run = 0; run < 12; ++run) {
    Profile profile =
        profile_of(run % 3 ? Moves::eight : Moves::four, static_cast<Diagonal>(run % 4));
    profile.width = random.between(1, 3);
    profile.height = random.between(2, 3);
    expect_right_everywhere(random, random_board(random, 80, 70, random.between(2, 9)), profile);
  }
}

// Tiles without a free cell are left out of what is searched, and blocks grow wide where there are
// few cells.
TEST(Lookups, islands_and_few_cells) {
  Random random(80);
  for (const Profile& profile : move_rules()) {
    Board islands(500, 330, '@');
    for (const Cell corner : {Cell{0, 0}, Cell{60, 3}, Cell{440, 70}, Cell{300, 250}})
      for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 50; ++x)
          islands.at({corner.x + x, corner.y + y}) = random.percent(80) ? '.' : '@';
    expect_right_everywhere(random, islands, profile);
    Board line(900, 40, '@');
    for (int x = 0; x < 900; ++x) line.at({x, 20 + (x / 100) % 2}) = '.';
    for (int y = 0; y < 40; ++y) line.at({700, y}) = '.';
    expect_right_everywhere(random, line, profile);
  }
}

}  // namespace
}  // namespace octile::test
