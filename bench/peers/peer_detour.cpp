// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Recast and Detour: a navigation mesh built from the same grid, and paths on it.
//
//   peer_detour MAP [SCEN] [--simplify] and the options of peer_harness.hpp
//
// Its paths are any-angle: straight lines between corners, so other lengths than a grid's are
// right. A walker without width who may turn anywhere is never slower than one on the grid, so an
// answer counts as wrong when it is longer than the grid's optimum, when it crosses a wall, or when
// there is none; how much shorter the others are is said on stderr.
//
// The mesh: one voxel a free cell, a walker of radius 0. Contours are not simplified: Recast's
// usual tolerance of 1.3 voxels lets the mesh run through corners of walls (--simplify takes it).
// Regions by watershed in one piece make the fastest mesh. It has at most 65,535 corners, and
// Recast's time to cut a region into polygons grows with the cube of its outline, to hours on
// noise; so a map that needs more is built in tiles of 128 or 64 cells a side, and where that does
// not help from regions that are strips of rows.
//
// A query: both ends are looked up (findNearestPoly), a corridor of polygons is found (findPath,
// with as many nodes as Detour can number), and pulled straight (findStraightPath). What is written
// are the corners, not the cells.

#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourNavMeshBuilder.h>
#include <recastnavigation/DetourNavMeshQuery.h>
#include <recastnavigation/Recast.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "bench/timing.hpp"
#include "octile/octile.hpp"
#include "peer_harness.hpp"

namespace {

using namespace octile;

constexpr float kUsualTolerance = 1.3f;  // of contours, in voxels
constexpr int kMaxNodes = 65535;         // Detour numbers them with 16 bits
constexpr int kMaxPath = 65536;          // polygons of a corridor, corners of a path
constexpr int kTileBorder = 3;           // voxels of the neighbours that a tile looks at
constexpr int kLongestOutline = 1000;    // corners of a region, see above
constexpr double kTouch = 0.02;          // in cells: lines along a wall are not inside it

template <class T, void (*release)(T*)>
struct Release {
  void operator()(T* object) const { release(object); }
};
template <class T, void (*release)(T*)>
using Owned = std::unique_ptr<T, Release<T, release>>;
using Heights = Owned<rcHeightfield, rcFreeHeightField>;
using CompactHeights = Owned<rcCompactHeightfield, rcFreeCompactHeightfield>;
using Contours = Owned<rcContourSet, rcFreeContourSet>;
using Polygons = Owned<rcPolyMesh, rcFreePolyMesh>;
using Mesh = Owned<dtNavMesh, dtFreeNavMesh>;
using MeshQuery = Owned<dtNavMeshQuery, dtFreeNavMeshQuery>;

enum class Regions { watershed, rows };

// A way to build the mesh; tile_cells 0: in one piece.
struct Plan {
  int tile_cells;
  Regions regions;
};

// From the fastest mesh to the one that can always be built.
constexpr Plan kPlans[] = {
    {0, Regions::watershed}, {128, Regions::watershed}, {128, Regions::rows}, {64, Regions::rows}};

// Recast's x is ours, its z is our y; one unit is one cell.
class MeshBuilder {
 public:
  MeshBuilder(const View& view, float tolerance) : view_(view), tolerance_(tolerance) {}

  // Null when Recast or Detour cannot build it.
  Mesh build(const Plan& plan) {
    const bool one_piece = plan.tile_cells == 0;
    const int side = one_piece ? std::max(view_.width(), view_.height()) : plan.tile_cells;
    border_ = one_piece ? 0 : kTileBorder;
    regions_ = plan.regions;
    const int columns = (view_.width() + side - 1) / side;
    const int rows = (view_.height() + side - 1) / side;
    int tile_bits = 0;
    while ((1 << tile_bits) < columns * rows) ++tile_bits;
    Mesh mesh(dtAllocNavMesh());
    dtNavMeshParams params = {};
    params.tileWidth = params.tileHeight = static_cast<float>(side);
    params.maxTiles = 1 << tile_bits;
    params.maxPolys = 1 << std::min(16, 22 - tile_bits);  // what a 32-bit reference has room for
    if (!mesh || dtStatusFailed(mesh->init(&params))) return nullptr;
    bytes_ = polygons_ = 0;
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < columns; ++column) {
        if (!add_tile(*mesh, column, row, side, params.maxPolys)) return nullptr;
      }
    }
    return mesh;
  }
  size_t bytes() const { return bytes_; }
  size_t polygons() const { return polygons_; }

 private:
  bool add_tile(dtNavMesh& mesh, int column, int row, int side, int max_polygons) {
    const Polygons polygons = outline(column * side, row * side, side);
    if (!polygons) return false;
    if (polygons->npolys == 0) return true;
    if (polygons->npolys > max_polygons) return false;
    std::fill_n(polygons->flags, polygons->npolys, static_cast<unsigned short>(1));

    dtNavMeshCreateParams params = {};
    params.verts = polygons->verts;
    params.vertCount = polygons->nverts;
    params.polys = polygons->polys;
    params.polyFlags = polygons->flags;
    params.polyAreas = polygons->areas;
    params.polyCount = polygons->npolys;
    params.nvp = polygons->nvp;
    params.tileX = column;
    params.tileY = row;
    std::copy_n(polygons->bmin, 3, params.bmin);
    std::copy_n(polygons->bmax, 3, params.bmax);
    params.walkableHeight = 1;
    params.walkableClimb = 1;
    params.cs = params.ch = 1;
    params.buildBvTree = true;
    unsigned char* data = nullptr;
    int size = 0;
    if (!dtCreateNavMeshData(&params, &data, &size)) return false;
    if (dtStatusFailed(mesh.addTile(data, size, DT_TILE_FREE_DATA, 0, nullptr))) {
      dtFree(data);
      return false;
    }
    bytes_ += static_cast<size_t>(size);
    polygons_ += static_cast<size_t>(polygons->npolys);
    return true;
  }

  // The polygons of one tile, whose first cell is (left, top).
  Polygons outline(int left, int top, int side) {
    rcContext context(false);
    const int width = std::min(side, view_.width() - left) + 2 * border_;
    const int height = std::min(side, view_.height() - top) + 2 * border_;
    const int x0 = left - border_, y0 = top - border_;
    const float low[3] = {static_cast<float>(x0), 0, static_cast<float>(y0)};
    const float high[3] = {static_cast<float>(x0 + width), 2, static_cast<float>(y0 + height)};

    const Heights heights(rcAllocHeightfield());
    if (!heights || !rcCreateHeightfield(&context, *heights, width, height, low, high, 1, 1)) {
      return nullptr;
    }
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        if (!view_.passable({x0 + x, y0 + y})) continue;
        if (!rcAddSpan(&context, *heights, x, y, 0, 1, RC_WALKABLE_AREA, 1)) return nullptr;
      }
    }
    // Regions are never dropped for being small: each may hold a start or a goal.
    constexpr int kSmallest = 0, kMergeBelow = 400, kPolygonCorners = 6;
    const CompactHeights compact(rcAllocCompactHeightfield());
    const Contours contours(rcAllocContourSet());
    Polygons polygons(rcAllocPolyMesh());
    if (!compact || !contours || !polygons ||
        !rcBuildCompactHeightfield(&context, 1, 1, *heights, *compact) ||
        !(regions_ == Regions::watershed
              ? rcBuildDistanceField(&context, *compact) &&
                    rcBuildRegions(&context, *compact, border_, kSmallest, kMergeBelow)
              : rcBuildRegionsMonotone(&context, *compact, border_, kSmallest, 0)) ||
        !rcBuildContours(&context, *compact, tolerance_, 0, *contours) ||
        longest_outline(*contours) > kLongestOutline ||
        !rcBuildPolyMesh(&context, *contours, kPolygonCorners, *polygons)) {
      return nullptr;
    }
    return polygons;
  }

  static int longest_outline(const rcContourSet& contours) {
    int most = 0;
    for (int i = 0; i < contours.nconts; ++i) most = std::max(most, contours.conts[i].nverts);
    return most;
  }

  const View& view_;
  float tolerance_;
  int border_ = 0;
  Regions regions_ = Regions::watershed;
  size_t bytes_ = 0;
  size_t polygons_ = 0;
};

struct Point {
  double x;
  double y;
};

// Does the line keep out of walls? Looks at points a twentieth of a cell apart.
bool free_line(const View& view, Point a, Point b) {
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  const int steps = 1 + static_cast<int>(length * 20);
  for (int i = 0; i <= steps; ++i) {
    const double t = static_cast<double>(i) / steps;
    const double x = a.x + (b.x - a.x) * t, y = a.y + (b.y - a.y) * t;
    const Cell cell = {static_cast<int32_t>(std::floor(x)), static_cast<int32_t>(std::floor(y))};
    if (view.passable(cell)) continue;
    const double inside =
        std::min(std::min(x - cell.x, cell.x + 1 - x), std::min(y - cell.y, cell.y + 1 - y));
    if (inside > kTouch) return false;
  }
  return true;
}

class Detour final : public peers::Peer {
 public:
  explicit Detour(const peers::Task& task)
      : Peer(task),
        simplified_(task.has("--simplify")),
        corridor_(kMaxPath),
        corners_(size_t{3} * kMaxPath),
        ratios_(task.queries.size(), 0) {}

  bool build() {
    MeshBuilder builder(task().view, simplified_ ? kUsualTolerance : 0);
    for (const Plan& plan : kPlans) {
      const double begin = timing::thread_cpu_us();
      mesh_ = builder.build(plan);
      if (!mesh_) continue;
      query_.reset(dtAllocNavMeshQuery());
      if (!query_ || dtStatusFailed(query_->init(mesh_.get(), kMaxNodes))) return false;
      set_build_ms((timing::thread_cpu_us() - begin) * 1e-3);
      bytes_ = builder.bytes();
      polygons_ = builder.polygons();
      plan_ = plan;
      return true;
    }
    return false;
  }

  std::string name() const override { return simplified_ ? "detour_simplified" : "detour"; }
  size_t index_bytes() const override { return bytes_; }

  std::string remark() const override {
    size_t answered = 0, longer = 0;
    double sum = 0, most = 0;
    for (double ratio : ratios_) {
      if (ratio <= 0) continue;
      ++answered;
      sum += ratio;
      longer += ratio > 1 + 1e-5;
      most = std::max(most, ratio);
    }
    char text[200];
    std::snprintf(text, sizeof text,
                  "%zu polygons, %s%s; lengths over the grid's optimum: mean %.3f, longest %.3f, "
                  "%zu of %zu longer",
                  polygons_, plan_.tile_cells == 0 ? "one piece" : "tiles",
                  plan_.regions == Regions::rows ? " of strips" : "",
                  answered ? sum / static_cast<double>(answered) : 0, most, longer, answered);
    return text;
  }

 protected:
  bool search(Cell start, Cell goal, uint64_t&) override {
    count_ = 0;
    dtPolyRef from = 0, to = 0;
    float from_point[3], to_point[3];
    if (!locate(start, from, from_point) || !locate(goal, to, to_point)) return false;
    int polygons = 0;
    const dtStatus found = query_->findPath(from, to, from_point, to_point, &filter_,
                                            corridor_.data(), &polygons, kMaxPath);
    if (!complete(found) || polygons == 0 || corridor_[static_cast<size_t>(polygons) - 1] != to) {
      return false;
    }
    const dtStatus pulled =
        query_->findStraightPath(from_point, to_point, corridor_.data(), polygons, corners_.data(),
                                 nullptr, nullptr, &count_, kMaxPath);
    return complete(pulled);
  }

  size_t cells() const override { return static_cast<size_t>(count_); }

  double length() const override {
    double sum = 0;
    for (int i = 1; i < count_; ++i) {
      const Point a = corner(i - 1), b = corner(i);
      sum += std::hypot(b.x - a.x, b.y - a.y);
    }
    return sum;
  }

  bool legal(Cell start, Cell goal) const override {
    const auto near = [](Point point, Cell cell) {
      return std::hypot(point.x - cell.x - 0.5, point.y - cell.y - 0.5) < kTouch;
    };
    if (count_ == 0 || !near(corner(0), start) || !near(corner(count_ - 1), goal)) return false;
    for (int i = 1; i < count_; ++i) {
      if (!free_line(task().view, corner(i - 1), corner(i))) return false;
    }
    return true;
  }

  double judged(size_t query, double length) override {
    const double optimum = task().queries[query].optimum;
    if (optimum > 0) ratios_[query] = length / optimum;
    return std::max(length, optimum);
  }

 private:
  static bool complete(dtStatus status) {
    return dtStatusSucceed(status) && !dtStatusDetail(status, DT_PARTIAL_RESULT) &&
           !dtStatusDetail(status, DT_BUFFER_TOO_SMALL) && !dtStatusDetail(status, DT_OUT_OF_NODES);
  }

  bool locate(Cell cell, dtPolyRef& polygon, float* point) const {
    const float middle[3] = {static_cast<float>(cell.x) + 0.5f, 1,
                             static_cast<float>(cell.y) + 0.5f};
    const float reach[3] = {0.5f, 2, 0.5f};
    return dtStatusSucceed(query_->findNearestPoly(middle, reach, &filter_, &polygon, point)) &&
           polygon != 0;
  }

  Point corner(int i) const {
    return {corners_[static_cast<size_t>(i) * 3], corners_[static_cast<size_t>(i) * 3 + 2]};
  }

  bool simplified_;
  Mesh mesh_;
  MeshQuery query_;
  dtQueryFilter filter_;
  size_t bytes_ = 0;
  size_t polygons_ = 0;
  Plan plan_ = kPlans[0];
  std::vector<dtPolyRef> corridor_;
  std::vector<float> corners_;
  int count_ = 0;
  std::vector<double> ratios_;  // by query: length over the optimum; 0: no answer
};

}  // namespace

int main(int argc, char** argv) {
  return peers::run_peer("peer_detour", argc, argv, {"--simplify"},
                         [](const peers::Task& task, std::string& reason) {
                           auto detour = std::make_unique<Detour>(task);
                           if (detour->build()) return detour;
                           reason = "Recast cannot build a mesh of it";
                           return std::unique_ptr<Detour>();
                         });
}
