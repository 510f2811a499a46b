// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// libtcod's A*, the path finder of many roguelikes.
//
//   peer_tcod MAP [SCEN] [--map] and the options of peer_harness.hpp
//
// On a TCOD_map of its own, libtcod cuts corners: it looks at the target cell of a diagonal step
// alone. So the grid is given as the function it also takes, which is told both ends of a step and
// refuses diagonals that touch a wall; its paths then keep our rule. The diagonal costs sqrt(2) to
// the last bit of a float, not the default of 1.41, which would prefer other paths.
//
// The function reads bytes with a margin of walls, one look for a straight step and three for a
// diagonal one. --map gives libtcod a TCOD_map instead: faster by the calls, but most of its paths
// then cut corners and are counted as wrong.
//
// The path is taken with TCOD_path_walk(), which is constant per cell (TCOD_path_get() starts from
// the origin each time), and written as cells. libtcod does not tell how many nodes it expands.

#include <libtcod/fov.h>
#include <libtcod/path.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/timing.hpp"
#include "octile/octile.hpp"
#include "peer_harness.hpp"

namespace {

using namespace octile;

constexpr float kRoot2 = 1.41421356f;

// The grid as bytes, with a margin of one wall.
struct ByteGrid {
  int stride = 0;
  std::vector<uint8_t> free;

  explicit ByteGrid(const View& view) : stride(view.width() + 2) {
    free.assign(static_cast<size_t>(stride) * static_cast<size_t>(view.height() + 2), 0);
    for (int y = 0; y < view.height(); ++y) {
      for (int x = 0; x < view.width(); ++x) free[at(x, y)] = view.passable({x, y});
    }
  }
  size_t at(int x, int y) const {
    return static_cast<size_t>(y + 1) * static_cast<size_t>(stride) + static_cast<size_t>(x + 1);
  }
};

// The cost of a step into its target cell; libtcod multiplies diagonals itself. 0: no such step.
float step_cost(int from_x, int from_y, int to_x, int to_y, void* data) {
  const ByteGrid& grid = *static_cast<const ByteGrid*>(data);
  if (!grid.free[grid.at(to_x, to_y)]) return 0;
  const bool diagonal = from_x != to_x && from_y != to_y;
  if (diagonal && !(grid.free[grid.at(to_x, from_y)] && grid.free[grid.at(from_x, to_y)])) return 0;
  return 1;
}

class TcodAStar final : public peers::GridPeer {
 public:
  explicit TcodAStar(const peers::Task& task) : GridPeer(task), cuts_(task.has("--map")) {
    const double begin = timing::thread_cpu_us();
    const int width = task.view.width(), height = task.view.height();
    if (cuts_) {
      map_ = TCOD_map_new(width, height);
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          TCOD_map_set_properties(map_, x, y, true, task.view.passable({x, y}));
        }
      }
      finder_ = TCOD_path_new_using_map(map_, kRoot2);
    } else {
      grid_ = std::make_unique<ByteGrid>(task.view);
      finder_ = TCOD_path_new_using_function(width, height, step_cost, grid_.get(), kRoot2);
    }
    set_build_ms((timing::thread_cpu_us() - begin) * 1e-3);
  }
  TcodAStar(const TcodAStar&) = delete;
  TcodAStar& operator=(const TcodAStar&) = delete;
  ~TcodAStar() override {
    TCOD_path_delete(finder_);
    if (map_) TCOD_map_delete(map_);
  }

  std::string name() const override { return cuts_ ? "libtcod_map" : "libtcod"; }
  size_t index_bytes() const override { return grid_ ? grid_->free.size() : 0; }

 protected:
  bool search(Cell start, Cell goal, uint64_t&) override {
    path_.clear();
    if (!TCOD_path_compute(finder_, start.x, start.y, goal.x, goal.y)) return false;
    path_.reserve(static_cast<size_t>(TCOD_path_size(finder_)) + 1);
    path_.push_back(start);
    while (!TCOD_path_is_empty(finder_)) {
      Cell cell;
      if (!TCOD_path_walk(finder_, &cell.x, &cell.y, false)) return false;
      path_.push_back(cell);
    }
    return true;
  }

 private:
  bool cuts_;
  std::unique_ptr<ByteGrid> grid_;
  TCOD_map_t map_ = nullptr;
  TCOD_path_t finder_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  return peers::run_peer(
      "peer_tcod", argc, argv, {"--map"},
      [](const peers::Task& task, std::string&) { return std::make_unique<TcodAStar>(task); });
}
