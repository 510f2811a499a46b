// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The program of docs/from_pathfinding_js.md: a matrix of zeros and ones, the four rules for
// diagonals, and a path that is compressed and smoothed.

#include <cmath>
#include <cstdio>

#include "octile/octile.hpp"

int main() {
  // new PF.Grid(matrix): 0 is free, 1 is blocked, a row after the other.
  static const unsigned char matrix[4][6] = {
      {0, 0, 0, 0, 0, 0},
      {0, 1, 1, 1, 1, 0},
      {0, 0, 0, 0, 1, 0},
      {1, 1, 1, 0, 0, 0},
  };
  octile::MapDef grid;
  grid.width = 6;
  grid.height = 4;
  octile::Engine engine;
  octile::Fault fault = engine.reset(grid, &matrix[0][0], 6);

  // diagonalMovement: PF.DiagonalMovement.OnlyWhenNoObstacles
  octile::Profile walker;
  for (double& cost : walker.terrain_cost) cost = octile::kWall;
  walker.terrain_cost[0] = 1;
  walker.diagonal = octile::Diagonal::no_obstacles;
  octile::ProfileId id = 0;
  if (!fault) fault = engine.add_profile(walker, &id);
  if (!fault) fault = engine.commit();
  if (fault) {
    std::printf("%s\n", fault.text);
    return 1;
  }

  // finder.findPath(0, 2, 5, 2, grid): no copy of the grid is needed, now or later.
  octile::Searcher searcher;
  octile::Path path;
  octile::Query query;
  query.start = {0, 2};
  query.goal = {5, 2};
  octile::find(searcher, engine.view(id), query, path);
  std::printf("%s, %.3f, %zu cells\n", octile::name(path.status), path.cost, path.size());
  bool right = path.status == octile::Status::found && path.size() == 8;

  // PF.Util.compressPath(path)
  query.output = octile::Output::waypoints;
  octile::find(searcher, engine.view(id), query, path);
  right = right && path.size() < 8;

  // PF.Util.smoothenPath(grid, path)
  query.smooth = true;
  octile::find(searcher, engine.view(id), query, path);
  for (size_t i = 0; i < path.size(); ++i)
    std::printf("(%d,%d) ", path.cells()[i].x, path.cells()[i].y);

  // grid.setWalkableAt(3, 3, false)
  fault = engine.map().set_terrain({3, 3}, 1);
  if (!fault) fault = engine.commit();
  octile::find(searcher, engine.view(id), query, path);
  std::printf("\n%s, %.3f\n", octile::name(path.status), path.cost);
  return right && !fault && std::abs(path.cost - 9) < 1e-9 ? 0 : 1;
}
