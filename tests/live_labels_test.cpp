// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Labels of subgoals that commits repair: the graph, the labels and the answers after edits.

#include "index/live_labels.hpp"

#include <gtest/gtest.h>

#include "engine/view.hpp"
#include "index_tools.hpp"

namespace octile::test {
namespace {

Index labels_of(const View& view) {
  return build(view, IndexKind::subgoal_labels);
}

// The graph of a layer, by the places of its corners.
using Neighbours = std::vector<std::vector<uint32_t>>;
Neighbours graph_of(const Layer& layer) {
  CornerBits corners;
  ClearMaps clear;
  SubgoalGraph graph;
  EXPECT_TRUE(corners.build(layer) && clear.build(corners) && graph.build(corners, clear));
  const auto cell = [&](uint32_t s) { return graph.place[s].y * corners.width + graph.place[s].x; };
  Neighbours all(size_t{corners.width} * corners.height);
  for (uint32_t s = 0; s < graph.size(); ++s)
    for (uint32_t e = graph.first[s]; e != graph.first[s + 1]; ++e)
      all[cell(s)].push_back(cell(graph.target[e]));
  for (auto& list : all) std::sort(list.begin(), list.end());
  return all;
}
Neighbours graph_of(const LiveLabels& live, uint32_t width, uint32_t height) {
  const auto cell = [&](uint32_t v) { return live.place(v).y * width + live.place(v).x; };
  Neighbours all(size_t{width} * height);
  for (uint32_t v = 0; v < live.vertices(); ++v)
    for (const uint32_t* u = live.edges().begin_of(v); u != live.edges().end_of(v); ++u)
      all[cell(v)].push_back(cell(*u));
  for (auto& list : all) std::sort(list.begin(), list.end());
  return all;
}

uint32_t distance(const ListPool<LiveEntry>& labels, uint32_t a, uint32_t b) {
  uint32_t best = kFar;
  for (const LiveEntry* e = labels.begin_of(a); e != labels.end_of(a); ++e)
    if (const LiveEntry* f = find_entry(labels.begin_of(b), labels.end_of(b), e->hub))
      best = std::min(best, e->distance + f->distance);
  return best;
}

// All entries lead over entries to their hub, along edges.
void expect_trees(const LiveLabels& live) {
  const auto& labels = live.labels();
  uint64_t entries = 0;
  for (uint32_t v = 0; v < live.vertices(); ++v) {
    for (const LiveEntry* e = labels.begin_of(v); e != labels.end_of(v); ++e, ++entries) {
      if (e->parent == v) {
        ASSERT_EQ(e->distance, 0u);
        continue;
      }
      const LiveEntry* up =
          find_entry(labels.begin_of(e->parent), labels.end_of(e->parent), e->hub);
      ASSERT_TRUE(up) << v << " hub " << e->hub;
      ASSERT_EQ(e->distance,
                up->distance + live.steps().line(live.place(v), live.place(e->parent)));
      const uint32_t *first = live.edges().begin_of(v), *last = live.edges().end_of(v);
      ASSERT_TRUE(std::binary_search(first, last, e->parent)) << v << " hub " << e->hub;
    }
  }
  EXPECT_EQ(entries, live.entries());
}

// The nodes of a state are its entries: each leads to the entry for the same hub of the next
// vertex.
void expect_nodes(const LiveState& state) {
  struct Owner {
    uint32_t vertex;
    LiveLabel label;
  };
  std::map<uint32_t, Owner> owners;
  for (uint32_t v = 0; v < state.known.size(); ++v)
    for (const LiveLabel* e = state.begin_of(v); e != state.end_of(v); ++e)
      ASSERT_TRUE(owners.insert({e->node, {v, *e}}).second) << "node " << e->node << " twice";
  for (const auto& [number, owner] : owners) {
    const LiveNode node = state.nodes[number / NodePage::kNodes]->node[number % NodePage::kNodes];
    ASSERT_EQ(node.cell, state.known[owner.vertex].cell);
    const auto up = owners.find(node.parent);
    ASSERT_NE(up, owners.end());
    ASSERT_EQ(up->second.label.hub, owner.label.hub);
    ASSERT_EQ(node.parent == number, owner.label.distance == 0);
    ASSERT_EQ(owner.label.distance,
              up->second.label.distance +
                  state.steps.line(state.place(owner.vertex), state.place(up->second.vertex)));
  }
}

// Of what readers get now, and of what they got before the last edit, which is what it was.
struct Readers {
  ~Readers() {
    drop(before);
    drop(now);
  }
  void look(const World& world, LiveLabels* live) {
    drop(before);
    before = now;
    now = nullptr;
    ASSERT_TRUE(live->publish(world.view.impl()->world, &now));
    ASSERT_NE(now, nullptr);
    expect_nodes(*now->live);
    if (before) expect_nodes(*before->live);
    const LiveState& state = *now->live;
    for (uint32_t v = 0; v < live->vertices(); ++v) {
      const LiveEntry* e = live->labels().begin_of(v);
      ASSERT_EQ(state.end_of(v) - state.begin_of(v), live->labels().end_of(v) - e);
      for (const LiveLabel* f = state.begin_of(v); f != state.end_of(v); ++e, ++f) {
        ASSERT_TRUE(e->hub == f->hub && e->distance == f->distance && e->node == f->node);
        const uint32_t up =
            state.nodes[e->node / NodePage::kNodes]->node[e->node % NodePage::kNodes].parent;
        ASSERT_EQ(state.nodes[up / NodePage::kNodes]->node[up % NodePage::kNodes].cell,
                  state.known[e->parent].cell);
      }
    }
  }
  const Index::Impl *before = nullptr, *now = nullptr;
};

// One edit of a map and of what is known of it.
struct History {
  explicit History(const Board& board) : world(board, Profile()) {
    const Index index = labels_of(world.view);
    EXPECT_TRUE(live.begin(*index.impl(), world.view.impl()->world.layer));
  }
  void edit(Rect rect, uint8_t terrain) {
    const View before = world.view;
    EXPECT_FALSE(world.engine.map().fill(rect, terrain));
    world.commit();
    Buffer<DirtyTile> dirty;
    const TileGrid& grid = world.view.impl()->world.layer.grid;
    for (int y = rect.y; y < rect.y + rect.height; ++y)
      for (int x = rect.x; x < rect.x + rect.width; ++x) {
        const CellId id = grid.id(static_cast<uint32_t>(x - grid.first.x) + 64,
                                  static_cast<uint32_t>(y - grid.first.y) + 64);
        const auto dx = static_cast<uint8_t>(id & 63), dy = static_cast<uint8_t>(id >> 6 & 63);
        EXPECT_TRUE(dirty.push({id >> 12, dx, dy, dx, dy}));
      }
    EXPECT_TRUE(live.update(world.view.impl()->world.layer, dirty, may_wait));
  }
  World world;
  LiveLabels live;
  bool may_wait = false;
};

// Graph equal to a fresh one, labels no worse than all anew in the same order.
void run(const Board& board, int edits, int most, uint64_t seed) {
  Random random(seed);
  History history(board);
  LiveLabels& live = history.live;
  Readers readers;
  const auto width = static_cast<uint32_t>(board.width()),
             height = static_cast<uint32_t>(board.height());
  for (int i = 0; i < edits; ++i) {
    history.edit(some_rect(random, board, most), random.below(2) ? '@' : '.');
    ASSERT_EQ(graph_of(live, width, height), graph_of(history.world.view.impl()->world.layer))
        << "edit " << i << " seed " << seed;
    expect_trees(live);
    readers.look(history.world, &live);
    if (testing::Test::HasFatalFailure()) return;
    // The distances of all pairs, by this state's labels and by fresh ones.
    const uint32_t n = live.vertices();
    std::vector<uint32_t> repaired;
    for (uint32_t a = 0; a < n; a += 1 + n / 40)
      for (uint32_t b = 0; b < n; ++b) repaired.push_back(distance(live.labels(), a, b));
    if (i % 8 != 7) continue;
    // This one goes on from the rebuilt labels; the next seven from repaired ones.
    const uint64_t entries = live.entries();
    ASSERT_TRUE(live.rebuild());
    EXPECT_LE(entries, live.entries() + live.entries() / 50 + 20) << "edit " << i;
    size_t at = 0;
    for (uint32_t a = 0; a < n; a += 1 + n / 40)
      for (uint32_t b = 0; b < n; ++b, ++at)
        ASSERT_EQ(repaired[at], distance(live.labels(), a, b)) << a << " " << b << " edit " << i;
  }
}

// A repair that is given up, at once or by somebody else later, labels from the hub on at which it
// was: the distances of labels made anew altogether.
TEST(LiveLabels, repairs_given_up_at_any_hub_equal_labels_made_anew) {
  Random random(904);
  uint32_t given_up = 0, late = 0;
  for (int i = 0; i < 4; i += sampled() ? 2 : 1) {
    const Board board = random_board(random, 66 + 6 * i, 50 - 5 * i, 4 + 5 * i);
    History history(board);
    LiveLabels& live = history.live;
    Readers readers;
    for (int edit = 0; edit < 24; ++edit) {
      history.may_wait = edit % 3 == 2;
      history.edit(some_rect(random, board, 1 + edit % 12), random.below(2) ? '@' : '.');
      ASSERT_LE(live.waits(), history.may_wait);
      const uint32_t n = live.vertices(), at = live.given_up_at();
      if (live.waits()) {
        ASSERT_TRUE(live.rebuild());
      }
      expect_trees(live);
      readers.look(history.world, &live);
      if (testing::Test::HasFatalFailure()) return;
      if (at == LiveLabels::kNone) continue;
      ++given_up;
      late += at > n / 20;
      std::vector<uint32_t> found;
      for (uint32_t a = 0; a < n; a += 1 + n / 40)
        for (uint32_t b = 0; b < n; ++b) found.push_back(distance(live.labels(), a, b));
      const uint64_t entries = live.entries();
      ASSERT_TRUE(live.rebuild());
      EXPECT_LE(entries, live.entries() + live.entries() / 50 + 20);
      size_t k = 0;
      for (uint32_t a = 0; a < n; a += 1 + n / 40)
        for (uint32_t b = 0; b < n; ++b, ++k)
          ASSERT_EQ(found[k], distance(live.labels(), a, b)) << a << " " << b << " edit " << edit;
    }
  }
  EXPECT_GT(given_up, 20u);
  EXPECT_GT(late, 3u);
}

// From where scans come by cells, one cell after another.
void look_back(const CornerMaps& maps, Point at, uint32_t direction, std::vector<uint8_t>* seen) {
  if (!maps.passable(at)) return;
  uint8_t& here = (*seen)[size_t{at.y} * maps.width + at.x];
  if (here >> direction & 1) return;
  here = static_cast<uint8_t>(here | 1u << direction);
  if (direction % 2 == 0)
    for (const uint32_t turn : {1u, 7u}) look_back(maps, at, (direction + turn) & 7, seen);
  const Point before = CornerMaps::step(at, direction ^ 4, 1);
  if (maps.corner(at) || !maps.passable(before)) return;
  if (direction % 2 == 0 || maps.diagonal_legal(before, direction))
    look_back(maps, before, direction, seen);
}

TEST(LiveLabels, lines_looked_back_along_in_words_and_cell_by_cell) {
  Random random(905);
  LookBack words;  // used again, for maps of other sizes too
  for (int i = 0; i < 200; ++i) {
    const Board board = random_board(random, 1 + random.below(150), 1 + random.below(60),
                                     random.below(4) * random.below(12));
    const World world(board, Profile());
    CornerBits maps;
    ASSERT_TRUE(maps.build(world.view.impl()->world.layer));
    for (int k = 0; k < 3; ++k) {
      Buffer<Point> cells;
      std::vector<uint8_t> seen(size_t{maps.width} * maps.height);
      for (uint32_t count = 1 + random.below(4); count > 0; --count) {
        const Point c{static_cast<uint32_t>(random.below(board.width())),
                      static_cast<uint32_t>(random.below(board.height()))};
        ASSERT_TRUE(cells.push(c));
        for (uint32_t d = 0; d < 8; ++d) {
          look_back(maps, CornerMaps::step(c, d ^ 4, 1), d, &seen);
          for (const uint32_t side : {1u, 7u})
            if (d % 2 == 1) look_back(maps, CornerMaps::step(c, ((d + side) & 7) ^ 4, 1), d, &seen);
        }
      }
      ASSERT_TRUE(words.find(maps, cells));
      for (uint32_t y = 0; y < maps.height; ++y)
        for (uint32_t x = 0; x < maps.width; ++x)
          ASSERT_EQ(words.seen().word(y + 1, (x + 1) >> 6) >> ((x + 1) & 63) & 1,
                    seen[size_t{y} * maps.width + x] != 0)
              << x << "," << y << " board " << i;
    }
  }
}

TEST(LiveLabels, random_edits_equal_labels_made_anew) {
  Random random(901);
  for (int i = 0; i < 6; i += sampled() ? 2 : 1)
    run(random_board(random, 20 + 10 * i, 70 - 8 * i, 10 + 6 * i), 24, 3, 1000 + i);
}

TEST(LiveLabels, open_ground_solid_rock_and_rooms) {
  Random random(902);
  const int part = sampled() ? 2 : 1;
  run(random_board(random, 40, 40, 0), 40 / part, 4, 2000);
  run(random_board(random, 40, 40, 100), 60 / part, 6, 2001);
  run(random_board(random, 66, 65, 3), 64 / part, 9, 2002);
}

// The corners by their definition: a wall across that the cells on both sides of it lead round.
std::vector<Cell> corners_of(const View& view) {
  std::vector<Cell> cells;
  for (int32_t y = 0; y < view.height(); ++y)
    for (int32_t x = 0; x < view.width(); ++x) {
      if (!view.passable({x, y})) continue;
      bool corner = false;
      for (int32_t dy = -1; dy <= 1; dy += 2)
        for (int32_t dx = -1; dx <= 1; dx += 2)
          corner |= !view.passable({x + dx, y + dy}) && view.passable({x + dx, y}) &&
                    view.passable({x, y + dy});
      if (corner) cells.push_back({x, y});
    }
  return cells;
}

std::vector<Cell> told_subgoals(const View& view) {
  std::vector<Cell> cells(index_subgoals(view, nullptr, 0));
  EXPECT_EQ(index_subgoals(view, cells.data(), cells.size()), cells.size());
  return cells;
}

// Each corner is its own hub at no distance, and the lowest one of its label; all ranks differ.
void expect_ranks(const View& view, size_t corners) {
  std::vector<uint32_t> rank(index_hub_ranks(view, nullptr, 0));
  ASSERT_EQ(rank.size(), corners);
  EXPECT_EQ(index_hub_ranks(view, rank.data(), rank.size()), rank.size());
  const Index::Impl& index = *view.index().impl();
  for (uint32_t s = 0; s < corners; ++s) {
    uint32_t own = 0, above = 0;
    const auto look = [&](const auto* e, const auto* end) {
      for (; e != end; ++e) {
        own += e->distance == 0 && e->hub == rank[s];
        above += e->hub <= rank[s];
      }
    };
    const uint32_t v = index.live ? index.live->vertex[s] : 0;
    const size_t size = index.live ? size_t(index.live->end_of(v) - index.live->begin_of(v))
                                   : index.label_first[s + 1] - index.label_first[s];
    if (index.live)
      look(index.live->begin_of(v), index.live->end_of(v));
    else
      look(index.label_entries + index.label_first[s],
           index.label_entries + index.label_first[s + 1]);
    EXPECT_EQ(own, 1u);
    EXPECT_EQ(above, size);
  }
  std::sort(rank.begin(), rank.end());
  EXPECT_EQ(std::adjacent_find(rank.begin(), rank.end()), rank.end());
  if (!index.live && corners) {
    EXPECT_EQ(rank.back(), corners - 1);
  }
}

// What every commit gives: answers of the judge, by the labels.
TEST(LiveLabels, commits_answer_as_the_judge) {
  Random random(903);
  for (int i = 0; i < 4; ++i) {
    const Board board = random_board(random, 90 - 6 * i, 60 + 4 * i, 5 + 10 * i);
    World world(board, Profile());
    const Index index = labels_of(world.view);
    EXPECT_TRUE(told_subgoals(world.view).empty());
    View indexed;
    ASSERT_FALSE(world.view.with_index(index, &indexed));
    EXPECT_EQ(told_subgoals(indexed), corners_of(indexed));
    expect_ranks(indexed, corners_of(indexed).size());
    ASSERT_FALSE(world.engine.repair_labels(world.id, index));
    for (int edit = 0; edit < 20; ++edit) {
      const Rect r = some_rect(random, board, 5);
      ASSERT_FALSE(world.engine.map().fill(r, random.below(2) ? '@' : '.'));
      world.commit();
      ASSERT_EQ(world.view.index().info().kind, IndexKind::subgoal_labels);
      EXPECT_TRUE(world.view.index().belongs_to(world.view));
      EXPECT_TRUE(world.view.stale_index().empty());
      EXPECT_EQ(told_subgoals(world.view), corners_of(world.view));
      expect_ranks(world.view, corners_of(world.view).size());
      for (int k = 0; k < 30; ++k) {
        Query query;
        query.start = board.random_cell(random);
        query.goal = board.random_cell(random);
        query.solver = solver_id("subgoal");
        const Path path = ask(world.view, query);
        query.solver = judge();
        const Path right = ask(world.view, query);
        ASSERT_EQ(path.status, right.status) << shown(query);
        if (right.status != Status::found) continue;
        ASSERT_EQ(path.cost_units, right.cost_units) << shown(query);
      }
    }
  }
}

// Lifted tiles and those carried over from earlier states: what a state without a history lifts,
// and the same ways as without any.
const LiveTile* lifted(const View& view, Cell cell) {
  const LiveState& state = *view.index().impl()->live;
  const Point p = point_of(view.impl()->world.layer.grid, cell);
  const LiveTile* tile = nullptr;
  for (int i = 0; i < LiveTiles::kAsked && !tile; ++i) tile = state.tiles->find(state, p);
  return tile;
}

void expect_same_tiles(const LiveTile& a, const LiveTile& b) {
  ASSERT_EQ(a.via.size(), b.via.size());
  for (size_t i = 0; i < a.via.size(); ++i) {
    ASSERT_EQ(a.via[i].vertex, b.via[i].vertex);
    ASSERT_EQ(a.via[i].seen, b.via[i].seen);
    ASSERT_TRUE(a.via[i].place == b.via[i].place);
  }
  ASSERT_EQ(a.entry.size(), b.entry.size());
  for (size_t i = 0; i < a.entry.size(); ++i) {
    ASSERT_EQ(a.entry[i].hub, b.entry[i].hub);
    ASSERT_EQ(a.entry[i].distance, b.entry[i].distance);
    ASSERT_EQ(a.entry[i].via, b.entry[i].via);
  }
}

TEST(LiveLabels, lifted_tiles_outlive_edits_elsewhere_and_change_no_way) {
  Random random(904);
  uint64_t carried = 0;
  for (int i = 0; i < 10; i += sampled() ? 3 : 1) {
    // Noise, and halls with few doors: there a pillar changes what cells see, and no label.
    Board board = random_board(random, 190 - 10 * i, 60 + 5 * i, i < 5 ? 3 + 5 * i : 0);
    for (int y = 0; i >= 5 && y < board.height(); ++y)
      for (int x = 0; x < board.width(); ++x)
        if ((x % 31 == 30 && y % 31 != 15) || (y % 31 == 30 && x % 31 != 3))
          board.at({x + board.def.first_cell.x, y + board.def.first_cell.y}) = '@';
    World asked(board, Profile()), silent(board, Profile());
    ASSERT_FALSE(asked.engine.repair_labels(asked.id, labels_of(asked.view)));
    ASSERT_FALSE(silent.engine.repair_labels(silent.id, labels_of(silent.view)));
    for (int edit = 0; edit < 4; ++edit) {
      const Rect r = some_rect(random, board, i < 5 ? 2 : 1);
      const uint8_t terrain = i < 5 && random.below(2) ? '.' : '@';
      for (World* world : {&asked, &silent}) {
        ASSERT_FALSE(world->engine.map().fill(r, terrain));
        world->commit();
      }
      for (int k = 0; k < 10; ++k) {
        Query query;
        query.start = board.random_cell(random);
        query.goal = board.random_cell(random);
        query.solver = solver_id("subgoal");
        // Nobody lifts a tile for one query of the other world.
        const Path plain = k < 4 ? ask(silent.view, query) : ask(asked.view, query);
        for (int again = 0; again < LiveTiles::kAsked + 2; ++again) {
          const Path path = ask(asked.view, query);
          ASSERT_EQ(path.status, plain.status) << shown(query);
          ASSERT_TRUE(std::equal(path.cells(), path.cells() + path.size(), plain.cells(),
                                 plain.cells() + plain.size()))
              << shown(query) << " edit " << edit;
        }
        query.solver = judge();
        const Path right = ask(asked.view, query);
        ASSERT_EQ(plain.status, right.status) << shown(query);
        if (right.status == Status::found) {
          ASSERT_EQ(plain.cost_units, right.cost_units) << shown(query);
        }
      }
      // Before the first edit that changes a cell there is the index as it was built.
      if (!asked.view.index().impl()->live) continue;
      const size_t unlifted = silent.view.index().info().bytes;
      size_t bytes = 0;
      for (int y = 0; y < board.height(); y += 8)
        for (int x = 0; x < board.width(); x += 8) {
          const Cell cell{x + board.def.first_cell.x, y + board.def.first_cell.y};
          const LiveTile* old = lifted(asked.view, cell);
          ASSERT_TRUE(old);
          if (edit != 3) continue;
          const LiveTile* fresh = lifted(silent.view, cell);
          ASSERT_TRUE(fresh);
          carried += old->state != fresh->state;
          bytes += fresh->via.size() * sizeof(LiveTile::Via) +
                   fresh->entry.size() * sizeof(LiveTile::Entry);
          expect_same_tiles(*old, *fresh);
          if (testing::Test::HasFatalFailure()) return;
        }
      EXPECT_GE(silent.view.index().info().bytes, unlifted + bytes);
    }
  }
  EXPECT_GT(carried, 100u);  // else nothing was tried
}

}  // namespace
}  // namespace octile::test
