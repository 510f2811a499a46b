// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The program of docs/from_the_tutorials.md: what five write-ups about A* built by hand, each in a
// function.

#include <cstdio>
#include <vector>

#include "octile/batch.hpp"
#include "octile/fields.hpp"
#include "octile/graph.hpp"
#include "octile/octile.hpp"

namespace {

int faults = 0;
void check(bool right, const char* what) {
  std::printf("%s: %s\n", what, right ? "yes" : "NO");
  faults += !right;
}

// An engine with one walker, on a map of `definition` in which about a third is wall.
octile::View noise(octile::Engine& engine, const octile::MapDef& definition,
                   const octile::Profile& walker) {
  octile::ProfileId id = 0;
  uint32_t lot = 12345;
  if (engine.reset(definition) || engine.add_profile(walker, &id)) return {};
  const octile::Cell first = definition.first_cell;
  for (int32_t y = 0; y < definition.height; ++y) {
    for (int32_t x = 0; x < definition.width; ++x) {
      lot = lot * 1664525 + 1013904223;
      const bool corner =
          (x < 2 && y < 2) || (x > definition.width - 3 && y > definition.height - 3);
      if (!corner && (lot >> 16) % 100 < 25 &&
          engine.map().set_terrain({first.x + x, first.y + y}, '@')) {
        return {};
      }
    }
  }
  if (engine.commit()) return {};
  return engine.view(id);
}

// A. A heap instead of a list, on a grid that lies over the world.
void heap_on_a_world_grid() {
  octile::MapDef grid;
  grid.width = grid.height = 60;
  grid.origin = {-30, -30};  // the grid's corner in the world
  grid.cell_size = 1;        // the node's diameter
  octile::Profile walker;
  walker.metric = octile::Metric::ten_fourteen;  // steps of 10 and 14
  octile::Engine engine;
  const octile::View view = noise(engine, grid, walker);
  octile::Searcher searcher;
  octile::Path by_list, by_heap;
  octile::Query query;
  query.start = view.cell_at({-29.5, -29.5});  // world position to node
  query.goal = view.cell_at({29.5, 29.5});
  query.solver = octile::solver_id("textbook_list");
  octile::find(searcher, view, query, by_list);
  query.solver = octile::solver_id("textbook_heap");
  octile::find(searcher, view, query, by_heap);
  check(by_list.status == octile::Status::found && by_list.cost == by_heap.cost,
        "A: list and heap find paths of one cost");
}

// B. Any node type: here towns by name, in place of IAstarNode<T>.
struct Towns {
  using Node = char;
  using Cost = int;
  template <class Visit>
  void for_each_neighbour(char from, Visit&& visit) const {
    struct Road {
      char a, b;
      int length;
    };
    static constexpr Road kRoads[] = {{'A', 'B', 4}, {'A', 'C', 1}, {'C', 'B', 2}, {'B', 'D', 5}};
    for (const Road& road : kRoads) {
      if (road.a == from) visit(road.b, road.length);
      if (road.b == from) visit(road.a, road.length);
    }
  }
};
void any_node_type() {
  octile::GraphSearcher<Towns> searcher;
  octile::GraphPath<Towns> path;
  searcher.find(Towns(), 'A', 'D', path);
  check(path.status == octile::Status::found && path.cost == 8 && path.size() == 4,
        "B: the cheapest way through the towns");
}

// C. Many units: the same start or the same goal, on a map with an origin, in four directions.
void many_units() {
  octile::MapDef grid;
  grid.width = grid.height = 48;
  grid.first_cell = {-24, -24};
  octile::Profile walker;
  walker.moves = octile::Moves::four;
  octile::Engine engine;
  const octile::View view = noise(engine, grid, walker);
  const octile::Cell goal = {23, 23};

  octile::FieldMaker maker;  // Dijkstra's search backward from the goal: a direction for each cell
  octile::Field field;
  octile::FieldQuery wanted;
  wanted.goals = &goal;
  wanted.goal_count = 1;
  const bool made = !maker.build(view, wanted, &field);
  octile::Cell unit = {-24, -24};
  int steps = 0;
  while (made && (unit.x != goal.x || unit.y != goal.y) && steps < 10000) {
    unit = field.next(unit);
    ++steps;
  }
  check(made && field.distance({-24, -24}) == steps, "C: following the field is a cheapest way");

  octile::Query queries[40];  // fields are shared and kept, not paths
  octile::Path paths[40];
  for (int i = 0; i < 40; ++i) {
    queries[i].start = {-24, -24};
    queries[i].goal = {i - 20, i % 7};
  }
  octile::Batch batch;
  octile::BatchCounts counts;
  octile::BatchOptions options;
  options.cache_bytes = size_t{16} << 20;
  const bool ran = !batch.run(view, queries, 40, options, paths, &counts);
  check(ran && counts.fields_built == 1, "C: forty paths from one start come from one search");
  std::printf("   %zu by the field, %zu by find()\n", counts.by_field, counts.by_search);
}

// D. A quadtree for long ways, without detours through the middles of its leaves.
void quadtree() {
  octile::MapDef grid;
  grid.width = grid.height = 512;
  octile::Engine engine;
  octile::ProfileId id = 0;
  octile::Index index;
  octile::IndexOptions options;
  options.most = octile::IndexKind::quadtree;
  bool done = !engine.reset(grid) && !engine.add_profile(octile::Profile(), &id);
  for (int32_t x = 40; x < 512; x += 80)
    done = done && !engine.map().fill({x, x % 160, 3, 350}, '@');
  done = done && !engine.commit() && !octile::build_index(engine.view(id), options, &index) &&
         !engine.adopt(id, index);
  octile::Searcher searcher;
  octile::Path far, exact;
  octile::Query query;
  query.start = {1, 1};
  query.goal = {510, 500};
  octile::find(searcher, engine.view(id), query, exact);
  query.solver = octile::solver_id("quadtree");
  octile::find(searcher, engine.view(id), query, far);
  check(done && far.cost <= exact.cost * far.bound, "D: within the bound that the answer states");
  query.goal = {2, 1};
  octile::find(searcher, engine.view(id), query, far);
  check(done && far.size() == 2, "D: the next cell is one step away");
}

// E. Simple against optimised, compared at equal cost, with what each search looked at.
void measured() {
  octile::MapDef grid;
  grid.width = grid.height = 120;
  octile::Engine engine;
  const octile::View view = noise(engine, grid, octile::Profile());
  octile::Searcher searcher;
  octile::Path simple, optimised;
  octile::Query query;
  query.goal = {119, 119};
  query.solver = octile::solver_id("textbook_list");
  octile::find(searcher, view, query, simple);
  query.solver = octile::solver_id("jps");
  octile::find(searcher, view, query, optimised);
  check(simple.cost_units == optimised.cost_units && optimised.expanded < simple.expanded,
        "E: one cost, fewer nodes");
}

}  // namespace

int main() {
  heap_on_a_world_grid();
  any_node_type();
  many_units();
  quadtree();
  measured();
  return faults == 0 ? 0 : 1;
}
