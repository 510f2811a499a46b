// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "search/path.hpp"

#include <cstdlib>
#include <cstring>
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
// From one cell to another.
struct PathLeg {
  int32_t dx, dy;
  uint32_t ax, ay;  // without their signs
  PathLeg(Cell from, Cell to) noexcept
      : dx(to.x - from.x),
        dy(to.y - from.y),
        ax(static_cast<uint32_t>(dx < 0 ? -dx : dx)),
        ay(static_cast<uint32_t>(dy < 0 ? -dy : dy)) {}
  uint32_t low() const noexcept { return ax < ay ? ax : ay; }
  uint32_t high() const noexcept { return ax < ay ? ay : ax; }
  int32_t x() const noexcept { return (dx > 0) - (dx < 0); }
  int32_t y() const noexcept { return (dy > 0) - (dy < 0); }
  // Diagonal, then straight; with four moves horizontal, then vertical.
  Run first(bool four) const noexcept { return four ? Run{x(), 0, ax} : Run{x(), y(), low()}; }
  Run last(bool four) const noexcept {
    if (four) return {0, y(), ay};
    const bool horizontal = ax > ay;
    return {horizontal ? x() : 0, horizontal ? 0 : y(), high() - low()};
  }
};

// Writes the cells of a run after `at`, and up to kBlock more that count for nothing. How long a
// run is can hardly be guessed, so there is no turn for a few cells.
constexpr uint32_t kBlock = 16;
static_assert(kBlock <= kSpareCells && sizeof(Cell) == 8);
inline Cell* go_on(Cell* at, Run run, Cell* out) noexcept {
  // Unsigned: the cells that count for nothing may lie beyond all numbers.
  using TwoCells = uint32_t __attribute__((vector_size(16)));
  const auto x = static_cast<uint32_t>(at->x), y = static_cast<uint32_t>(at->y);
  const auto dx = static_cast<uint32_t>(run.dx), dy = static_cast<uint32_t>(run.dy);
  TwoCells two{x + dx, y + dy, x + 2 * dx, y + 2 * dy};
  const TwoCells step{2 * dx, 2 * dy, 2 * dx, 2 * dy};
  Cell* const end = out + run.count;
  do {
    for (uint32_t i = 0; i < kBlock; i += 2) {
      std::memcpy(static_cast<void*>(out + i), &two, sizeof two);
      two += step;
    }
    out += kBlock;
  } while (out < end);
  at->x += run.dx * static_cast<int32_t>(run.count);
  at->y += run.dy * static_cast<int32_t>(run.count);
  return end;
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
  const size_t points = chain.size();
  // 1. How long it is: steps, and weights entered by them.
  uint64_t steps = 0;
  Cost straight = 0, diagonal = 0;
  Cell last = grid.cell(chain[0]);
  uint32_t longer = 0;  // not 0: some leg is not a single step
  if (costs.uniform) {
    // Of sums of steps, any fits.
    uint64_t low = 0;
    for (size_t i = 1; i < points; ++i) {
      const Cell to = grid.cell(chain[i]);
      const PathLeg leg(last, to);
      steps += leg.high();
      low += leg.low();
      longer |= leg.high() ^ 1;
      last = to;
    }
    if (four) {
      steps += low;
      longer |= low != 0;
    }
    diagonal = four ? 0 : low;
    straight = steps - diagonal;
  } else {
    // Searches of weighted maps make single steps.
    bool fits = true;
    for (size_t i = 1; i < points; ++i) {
      const Cell to = grid.cell(chain[i]);
      const PathLeg leg(last, to);
      steps += four ? leg.high() + leg.low() : leg.high();
      longer |= (leg.high() ^ 1) | uint32_t{four && leg.low()};
      fits = fits && add(!four && leg.low() ? &diagonal : &straight, task.weight(chain[i]));
      last = to;
    }
    const StepCosts length = costs.steps;
    fits = fits && (!straight || straight <= kMaxCost / length.straight) &&
           (!diagonal || diagonal <= kMaxCost / length.diagonal) &&
           straight * length.straight <= kMaxCost - diagonal * length.diagonal;
    if (!fits) return Status::cost_overflow;
  }
  put_cost(costs, straight, diagonal, path);

  // 2. The cells, leg by leg.
  if (output == Output::cells && !smooth) {
    Cell* out = path->resize(steps + 1);
    if (!out) return Status::out_of_memory;
    Cell at = grid.cell(chain[0]);
    *out++ = at;
    if (!longer) {
      for (size_t i = 1; i < points; ++i) *out++ = grid.cell(chain[i]);
      return Status::found;
    }
    for (size_t i = 1; i < points; ++i) {
      const PathLeg leg(at, grid.cell(chain[i]));
      out = go_on(&at, leg.first(four), out);
      out = go_on(&at, leg.last(four), out);
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
  for (size_t i = 1; i < points; ++i) {
    const PathLeg leg(at, grid.cell(chain[i]));
    go(leg.first(four));
    go(leg.last(four));
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
