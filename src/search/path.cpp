// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "search/path.hpp"

#include <cstdlib>
#include <utility>

namespace octile {

// ---------------------------------------------------------------------------------------------
// The caller's Path

Path::~Path() {
  if (cells_) std::free(cells_ - kSpareCells);
}

Path::Path(Path&& other) noexcept {
  *this = std::move(other);
}

Path& Path::operator=(Path&& other) noexcept {
  status = other.status;
  message = other.message;
  cost = other.cost;
  cost_units = other.cost_units;
  bound = other.bound;
  version = other.version;
  goal_index = other.goal_index;
  expanded = other.expanded;
  generated = other.generated;
  solver = other.solver;
  std::swap(cells_, other.cells_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
  return *this;
}

Cell* Path::resize(size_t n) noexcept {
  if (n > capacity_) {
    const size_t room = n + n / 2 + 64;
    if (room > SIZE_MAX / 2 / sizeof(Cell)) return nullptr;
    void* more = std::realloc(static_cast<void*>(cells_ ? cells_ - kSpareCells : nullptr),
                              (room + 2 * kSpareCells) * sizeof(Cell));
    if (!more) return nullptr;
    cells_ = static_cast<Cell*>(more) + kSpareCells;
    capacity_ = room;
  }
  size_ = n;
  return cells_;
}

void Path::world_points(const View& view, WorldPoint* out) const noexcept {
  for (size_t i = 0; i < size_; ++i) out[i] = view.center(cells_[i]);
}

// ---------------------------------------------------------------------------------------------
// Writing it

namespace {

// So many steps in one direction.
struct Run {
  int32_t dx, dy;
  uint32_t count;
};
struct PathLeg {
  Run first, last;  // diagonal and straight; with four moves horizontal and vertical
};

PathLeg path_leg(const TileGrid& grid, bool four, CellId from, CellId to) noexcept {
  const int32_t dx = static_cast<int32_t>(grid.px(to)) - static_cast<int32_t>(grid.px(from));
  const int32_t dy = static_cast<int32_t>(grid.py(to)) - static_cast<int32_t>(grid.py(from));
  const uint32_t ax = static_cast<uint32_t>(dx < 0 ? -dx : dx);
  const uint32_t ay = static_cast<uint32_t>(dy < 0 ? -dy : dy);
  const int32_t x = (dx > 0) - (dx < 0), y = (dy > 0) - (dy < 0);
  if (four) return {{x, 0, ax}, {0, y, ay}};
  const uint32_t low = ax < ay ? ax : ay;
  const bool horizontal = ax > ay;
  return {{x, y, low}, {horizontal ? x : 0, horizontal ? 0 : y, (ax < ay ? ay : ax) - low}};
}

// Writes the cells of a run after `at`. Two plain progressions, which compilers turn into vectors.
inline Cell* go_on(Cell* at, Run run, Cell* out) noexcept {
  int32_t x = at->x, y = at->y;
  for (uint32_t k = 0; k < run.count; ++k) {
    x += run.dx;
    y += run.dy;
    out[k].x = x;
    out[k].y = y;
  }
  *at = {x, y};
  return out + run.count;
}

bool add(Cost* sum, Cost value) noexcept {
  if (value > kMaxCost - *sum) return false;
  *sum += value;
  return true;
}

}  // namespace

void put_cost(const CellCosts& costs, Cost straight, Cost diagonal, Path* path) noexcept {
  const StepCosts length = costs.steps;
  path->cost_units = straight * length.straight + diagonal * length.diagonal;
  path->cost = (static_cast<double>(straight) * costs.real.straight +
                static_cast<double>(diagonal) * costs.real.diagonal) *
               costs.unit;
}

Status write_path(const Task& task, const Chain& chain, Output output, bool smooth,
                  Path* path) noexcept {
  const TileGrid& grid = task.layer->grid;
  const CellCosts& costs = *task.costs;
  const Profile& profile = task.world->profile;
  const bool four = four_way(profile.moves, profile.diagonal);
  // 1. How long it is: steps, and weights entered by them.
  uint64_t steps = 0;
  Cost straight = 0, diagonal = 0;
  bool fits = true;
  for (size_t i = 1; i < chain.size(); ++i) {
    const PathLeg leg = path_leg(grid, four, chain[i - 1], chain[i]);
    Cost* first = four ? &straight : &diagonal;
    steps += leg.first.count + leg.last.count;
    if (costs.uniform) {
      *first += leg.first.count;
      straight += leg.last.count;
    } else {
      // Searches of weighted maps make single steps.
      fits = fits && add(leg.first.count ? first : &straight, task.weight(chain[i]));
    }
  }
  const StepCosts length = costs.steps;
  fits = fits && (!straight || straight <= kMaxCost / length.straight) &&
         (!diagonal || diagonal <= kMaxCost / length.diagonal) &&
         straight * length.straight <= kMaxCost - diagonal * length.diagonal;
  if (!fits) return Status::cost_overflow;
  put_cost(costs, straight, diagonal, path);

  // 2. The cells, leg by leg.
  if (output == Output::cells && !smooth) {
    Cell* out = path->resize(steps + 1);
    if (!out) return Status::out_of_memory;
    Cell at = grid.cell(chain[0]);
    *out++ = at;
    for (size_t i = 1; i < chain.size(); ++i) {
      const PathLeg leg = path_leg(grid, four, chain[i - 1], chain[i]);
      out = go_on(&at, leg.first, out);
      out = go_on(&at, leg.last, out);
    }
    return Status::found;
  }

  // 3. Or only where the direction changes.
  Cell* out = path->resize(2 * chain.size());
  if (!out) return Status::out_of_memory;
  size_t n = 0;
  int32_t last_dx = 0, last_dy = 0;
  Cell at = grid.cell(chain[0]);
  out[n++] = at;
  const auto go = [&](Run run) {
    if (run.count == 0) return;
    if (n > 1 && run.dx == last_dx && run.dy == last_dy) --n;
    at.x += run.dx * static_cast<int32_t>(run.count);
    at.y += run.dy * static_cast<int32_t>(run.count);
    out[n++] = at;
    last_dx = run.dx;
    last_dy = run.dy;
  };
  for (size_t i = 1; i < chain.size(); ++i) {
    const PathLeg leg = path_leg(grid, four, chain[i - 1], chain[i]);
    go(leg.first);
    go(leg.last);
  }
  path->resize(n);
  if (smooth) smooth_waypoints(task, path);
  return Status::found;
}

bool turns(const Cell* cells, size_t count, const TileGrid& grid, Chain* chain) noexcept {
  chain->clear();
  for (size_t i = 0; i < count; ++i) {
    const bool inner = i != 0 && i + 1 != count;
    if (inner && cells[i + 1].x - cells[i].x == cells[i].x - cells[i - 1].x &&
        cells[i + 1].y - cells[i].y == cells[i].y - cells[i - 1].y)
      continue;
    if (!chain->push(grid.id(cells[i]))) return false;
  }
  return true;
}

}  // namespace octile
