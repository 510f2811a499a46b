// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The index program of docs/getting_started.md: built in the background while queries go on, then
// a path, a first step and a table of distances without any search; saved, loaded and adopted.

#include <chrono>
#include <cstdio>
#include <thread>

#include "octile/octile.hpp"

int main() {
  // 1. Four rooms side by side, 60 by 20 cells, with doors at the top and at the bottom in turn.
  octile::MapDef definition;
  definition.width = 60;
  definition.height = 20;
  octile::Engine engine;
  octile::Fault fault = engine.reset(definition);
  for (int32_t x = 15, i = 0; !fault && x < 60; x += 15, ++i)
    fault = engine.map().fill({x, i % 2, 1, 19}, '@');
  octile::ProfileId walker = 0;
  if (!fault) fault = engine.add_profile(octile::Profile(), &walker);
  if (!fault) fault = engine.commit();

  // 2. The index is built in a thread of its own. The first queries need not wait for it.
  if (!fault) fault = engine.start_build(walker, octile::IndexOptions());
  octile::Searcher searcher;
  octile::Path path;
  octile::Query query;
  query.start = {2, 10};
  query.goal = {57, 10};
  octile::find(searcher, engine.view(walker), query, path);
  std::printf("%s: %.3f\n", octile::solver_info(path.solver).name, path.cost);
  const uint64_t before = path.cost_units;

  // 3. A game asks between its ticks. Views taken after the adoption answer by labels.
  for (bool adopted = false; !fault && !adopted;) {
    fault = engine.adopt_finished(&adopted);
    if (!adopted) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (fault) {
    std::printf("%s\n", fault.text);
    return 1;
  }
  octile::View view = engine.view(walker);
  octile::find(searcher, view, query, path);
  std::printf("%s: %.3f\n", octile::solver_info(path.solver).name, path.cost);
  bool right = path.cost_units == before;

  // 4. Where to go first, and a table of distances.
  const octile::Cell step = octile::first_move(searcher, view, query.start, query.goal);
  std::printf("first step (%d,%d)\n", step.x, step.y);
  const octile::Cell units[2] = {{2, 10}, {20, 3}};
  const octile::Cell shops[3] = {{10, 2}, {40, 10}, {57, 18}};
  double table[6];
  fault = octile::distances(searcher, view, units, 2, shops, 3, table);
  for (int i = 0; !fault && i < 6; ++i) std::printf(i % 3 == 2 ? "%8.3f\n" : "%8.3f", table[i]);

  // 5. Saved; loaded, which checks it; adopted like one that was just built.
  const octile::IndexInfo info = view.index().info();
  std::printf("%s, %zu bytes\n", octile::name(info.kind), info.bytes);
  if (!fault) fault = octile::save_index(view.index(), "with_index.octi");
  octile::Index loaded;
  if (!fault) fault = octile::load_index("with_index.octi", octile::IndexLoad::copied, &loaded);
  std::remove("with_index.octi");
  if (!fault) fault = engine.adopt(walker, loaded);

  // 6. A wall gets one more door. From now on the index answers only what it can prove.
  if (!fault) fault = engine.map().set_terrain({30, 10}, '.');
  if (!fault) fault = engine.commit();
  octile::find(searcher, engine.view(walker), query, path);
  std::printf("%s: %.3f\n", octile::solver_info(path.solver).name, path.cost);
  const octile::Fault stale = engine.adopt(walker, loaded);
  std::printf("%s: %s\n", octile::name(stale.status), stale.text);
  right = right && path.cost_units < before && stale.status == octile::Status::stale_index;
  if (fault) std::printf("%s\n", fault.text);
  return right && !fault ? 0 : 1;
}
