// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The program of docs/from_easystar_js.md: tiles by number, what they cost, points to avoid, and a
// search that is spread over frames.

#include <atomic>
#include <cstdio>

#include "octile/octile.hpp"

int main() {
  // easystar.setGrid(grid)
  static const unsigned char grid[5][8] = {
      {0, 0, 0, 2, 2, 0, 0, 0}, {0, 1, 1, 1, 1, 1, 1, 0}, {0, 0, 0, 2, 2, 0, 1, 0},
      {0, 1, 1, 1, 1, 0, 1, 0}, {0, 0, 0, 0, 0, 0, 0, 0},
  };
  octile::MapDef map;
  map.width = 8;
  map.height = 5;
  octile::Engine engine;
  octile::Fault fault = engine.reset(map, &grid[0][0], 8);

  // easystar.setAcceptableTiles([0, 2]); easystar.setTileCost(2, 3); easystar.enableDiagonals();
  // easystar.disableCornerCutting()
  octile::Profile walker;
  for (double& cost : walker.terrain_cost) cost = octile::kWall;
  walker.terrain_cost[0] = 1;
  walker.terrain_cost[2] = 3;
  walker.metric = octile::Metric::ten_fourteen;  // a diagonal step costs 1.4; costs come in tens
  octile::ProfileId id = 0;
  if (!fault) fault = engine.add_profile(walker, &id);
  if (!fault) fault = engine.commit();
  if (fault) {
    std::printf("%s\n", fault.text);
    return 1;
  }

  // easystar.avoidAdditionalPoint(0, 3); easystar.setAdditionalPointCost(5, 3, 4)
  const octile::Cell avoided[1] = {{0, 3}};
  const octile::ExtraCost dear[1] = {{{5, 3}, 4 - 1}};  // on top of the tile's own cost
  std::atomic<bool> cancelled{false};
  octile::Query query;
  query.start = {0, 2};
  query.goal = {7, 4};
  query.extra_blocked = avoided;
  query.extra_blocked_count = 1;
  query.extra_costs = dear;
  query.extra_cost_count = 1;
  query.cancel = &cancelled;  // easystar.cancelPath(id): cancelled = true

  // easystar.findPath(0, 2, 7, 4, callback); easystar.setIterationsPerCalculation(8)
  octile::Searcher searcher;
  octile::Path path;
  int frames = 1;
  searcher.begin(engine.view(id), query, path);
  while (!searcher.step(8, path)) ++frames;  // easystar.calculate(), a frame each
  std::printf("%s, %.0f tenths, %zu cells, %s\n", octile::name(path.status), path.cost, path.size(),
              frames > 1 ? "in several frames" : "in one frame");
  return path.status == octile::Status::found && path.cost > 0 ? 0 : 1;
}
