// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The first program of docs/getting_started.md: a small world, a path, and the same query after a
// wall was built.

#include <cstdio>
#include <cstring>

#include "octile/octile.hpp"

int main() {
  // 1. A map, 12 by 5 cells of open floor, with a wall that leaves one gap.
  octile::MapDef definition;
  definition.width = 12;
  definition.height = 5;
  octile::Engine engine;
  octile::Fault fault = engine.reset(definition);
  if (!fault) fault = engine.map().fill({5, 0, 1, 4}, '@');

  // 2. Who walks: eight directions, no corner cutting, sqrt(2) for a diagonal step (the default).
  octile::ProfileId walker = 0;
  if (!fault) fault = engine.add_profile(octile::Profile(), &walker);
  if (!fault) fault = engine.commit();
  if (fault) {
    std::printf("%s\n", fault.text);
    return 1;
  }

  // 3. A path. Searcher and Path are kept and used again.
  octile::Searcher searcher;
  octile::Path path;
  octile::Query query;
  query.start = {1, 1};
  query.goal = {10, 1};
  octile::find(searcher, engine.view(walker), query, path);
  std::printf("%s, cost %.3f, %zu cells, by %s\n", octile::name(path.status), path.cost,
              path.size(), octile::solver_info(path.solver).name);
  for (size_t i = 0; i < path.size(); ++i) {
    std::printf("(%d,%d) ", path.cells()[i].x, path.cells()[i].y);
  }
  std::printf("\n");
  const bool found = path.status == octile::Status::found;

  // 4. The gap is closed. Views that were taken before still see it open; the next one does not.
  fault = engine.map().set_terrain({5, 4}, '@');
  if (!fault) fault = engine.commit();
  octile::find(searcher, engine.view(walker), query, path);
  std::printf("%s: %s\n", octile::name(path.status), path.message);
  return found && !fault && std::strcmp(octile::name(path.status), "no_path") == 0 ? 0 : 1;
}
