// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The program of README.md, as it stands there.

// clang-format off
#include <cstdio>
#include "octile/octile.hpp"

int main() {
  octile::Engine engine;
  octile::MapDef definition;
  definition.width = 8;
  definition.height = 4;
  engine.reset(definition);
  engine.map().fill({3, 0, 1, 3}, '@');  // a wall with a gap below it

  octile::ProfileId walker;
  engine.add_profile(octile::Profile(), &walker);  // eight moves, no corner cutting
  engine.commit();

  octile::Searcher searcher;  // one a thread, reused
  octile::Path path;
  octile::Query query;
  query.start = {1, 1};
  query.goal = {6, 1};
  octile::find(searcher, engine.view(walker), query, path);
  std::printf("%s, cost %.3f:", octile::name(path.status), path.cost);
  for (size_t i = 0; i < path.size(); ++i)
    std::printf(" (%d,%d)", path.cells()[i].x, path.cells()[i].y);
  std::printf("\n");
}
