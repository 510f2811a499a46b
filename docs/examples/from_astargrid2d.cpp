// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The program of docs/from_astargrid2d.md: a region that does not begin at zero, solid points,
// weights, world positions and a partial path.

#include <cmath>
#include <cstdio>

#include "octile/octile.hpp"

int main() {
  // region = Rect2i(-4, -2, 16, 8), cell_size = Vector2(16, 16), offset = Vector2(8, 8); update()
  octile::MapDef grid;
  grid.first_cell = {-4, -2};
  grid.width = 16;
  grid.height = 8;
  grid.cell_size = 16;
  grid.origin = {0, 0};  // so that the centre of cell (0, 0) is where Godot's offset puts it
  grid.weights = true;   // weight_scale of points: here in hundredths
  grid.weight_scale = 0.01;
  octile::Engine engine;
  octile::Fault fault = engine.reset(grid);
  octile::Map& map = engine.map();
  if (!fault) fault = map.fill_weight({-4, -2, 16, 8}, 100);

  // fill_solid_region(Rect2i(4, -2, 1, 7)); fill_weight_scale_region(Rect2i(6, -2, 2, 6), 2.5)
  if (!fault) fault = map.fill({4, -2, 1, 7}, '@');
  if (!fault) fault = map.fill_weight({6, -2, 2, 6}, 250);

  // diagonal_mode = DIAGONAL_MODE_AT_LEAST_ONE_WALKABLE
  octile::Profile walker;
  walker.diagonal = octile::Diagonal::at_most_one_obstacle;
  octile::ProfileId id = 0;
  if (!fault) fault = engine.add_profile(walker, &id);
  if (!fault) fault = engine.commit();
  if (fault) {
    std::printf("%s\n", fault.text);
    return 1;
  }
  octile::View view = engine.view(id);

  // get_id_path(Vector2i(0, 0), Vector2i(9, 0))
  octile::Searcher searcher;
  octile::Path path;
  octile::Query query;
  query.start = {0, 0};
  query.goal = {9, 0};
  octile::find(searcher, view, query, path);
  std::printf("%s, %.3f, by %s\n", octile::name(path.status), path.cost,
              octile::solver_info(path.solver).name);
  bool right = path.status == octile::Status::found;

  // get_point_path(...)
  octile::WorldPoint points[128];
  if (path.size() <= 128) path.world_points(view, points);
  std::printf("from (%g, %g) to (%g, %g)\n", points[0].x, points[0].y, points[path.size() - 1].x,
              points[path.size() - 1].y);
  right = right && points[0].x == 8 && points[0].y == 8;

  // set_point_solid(Vector2i(4, 5)); get_id_path(..., allow_partial_path = true)
  fault = map.set_terrain({4, 5}, '@');
  if (!fault) fault = engine.commit();
  query.allow_partial = true;
  octile::find(searcher, engine.view(id), query, path);
  std::printf("%s, to (%d, %d)\n", octile::name(path.status), path.cells()[path.size() - 1].x,
              path.cells()[path.size() - 1].y);
  return right && !fault && path.status == octile::Status::partial ? 0 : 1;
}
