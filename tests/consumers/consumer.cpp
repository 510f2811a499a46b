// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// What a user's program may look like: 0 when a way round a wall costs what it should.

#include <cmath>
#include <cstdio>

#include "octile/agents.hpp"
#include "octile/batch.hpp"
#include "octile/fields.hpp"
#include "octile/graph.hpp"
#include "octile/groups.hpp"
#include "octile/octile.hpp"

int main() {
  octile::Engine engine;
  octile::MapDef definition;
  definition.width = 8;
  definition.height = 4;
  octile::ProfileId walker = 0;
  if (engine.reset(definition) || engine.map().fill({3, 0, 1, 3}, '@') ||
      engine.add_profile(octile::Profile(), &walker) || engine.commit())
    return 1;
  octile::Searcher searcher;
  octile::Path path;
  octile::Query query;
  query.start = {1, 1};
  query.goal = {6, 1};
  octile::find(searcher, engine.view(walker), query, path);
  std::printf("%s, cost %.3f\n", octile::name(path.status), path.cost);
  const double expected = 3 + 3 * std::sqrt(2.0);
  return path.status == octile::Status::found && std::fabs(path.cost - expected) < 1e-9 ? 0 : 1;
}
