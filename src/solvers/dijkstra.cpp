// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The judge: the plainest correct search, against which every other solver is tested. It reads
// terrain ids, the Profile and the Query's lists and nothing derived from them: its own neighbour
// rule, cell by cell under the unit, its own arrays, a standard heap, no estimate. Never optimise
// it.

#include <algorithm>

#include "base/cost.hpp"
#include "octile/detail/buffer.hpp"
#include "solvers/solver.hpp"
#include "world/map.hpp"
#include "world/profile.hpp"

namespace octile {

namespace {

struct Entry {
  Cost g;
  uint32_t cell;  // y * width + x
};
// For std::push_heap the largest comes first: least cost, then least cell.
bool later(const Entry& a, const Entry& b) {
  return a.g != b.g ? a.g > b.g : a.cell > b.cell;
}

// The cell nearest to a goal: by distance, then cost, then y, x.
struct Closest {
  Cost distance = UINT64_MAX;
  Entry at{0, 0};
  void offer(Cost to_goal, const Entry& cell) noexcept {
    if (to_goal > distance || (to_goal == distance && !later(at, cell))) return;
    distance = to_goal;
    at = cell;
  }
};

struct Judge {
  const Snapshot& map;
  const Profile& profile;
  const CellCosts& base;   // of the View
  const CellCosts& costs;  // the same, or with extra costs in their finer unit
  int32_t width;
  int32_t height;
  Buffer<uint8_t> blocked;  // by y * width + x; empty without extra blocked cells
  Buffer<Cost> extra;       // the same; empty without extra costs

  CellId id(int32_t x, int32_t y) const noexcept {
    return map.grid.id(static_cast<uint32_t>(x) + 64, static_cast<uint32_t>(y) + 64);
  }
  size_t index(int32_t x, int32_t y) const noexcept {
    return static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x);
  }
  // False: memory is short.
  bool read(const Task& task) noexcept {
    const size_t cells = static_cast<size_t>(width) * static_cast<size_t>(height);
    if (task.extra_blocked_count && !blocked.assign(cells, 0)) return false;
    const Cell first = map.grid.first;
    for (size_t i = 0; i < task.extra_blocked_count; ++i) {
      const Cell c = task.extra_blocked[i];
      if (map.grid.contains(c)) blocked[index(c.x - first.x, c.y - first.y)] = 1;
    }
    // Without a unit there is no extra cost that counts: see Overlay::begin.
    if (task.extra_cost_count == 0 || costs.unit_millionths == 0) return true;
    if (!extra.assign(cells, 0)) return false;
    for (size_t i = 0; i < task.extra_cost_count; ++i) {
      const Cell c = task.extra_costs[i].cell;
      const Cost millionths = static_cast<Cost>(task.extra_costs[i].cost * 1000 + 0.5) * 1000;
      if (map.grid.contains(c) && cell_free(c.x - first.x, c.y - first.y))
        extra[index(c.x - first.x, c.y - first.y)] += millionths / costs.unit_millionths;
    }
    return true;
  }

  // One cell of the map.
  bool cell_free(int32_t x, int32_t y) const noexcept {
    return x >= 0 && y >= 0 && x < width && y < height &&
           profile.terrain_cost[map.terrain_at(id(x, y))] != kWall &&
           (blocked.empty() || !blocked[index(x, y)]);
  }
  Cost cell_weight(int32_t x, int32_t y) const noexcept {
    const Cost own = base.weight(map, id(x, y));
    return extra.empty()
               ? own
               : own * (base.unit_millionths / costs.unit_millionths) + extra[index(x, y)];
  }
  // visit(x, y) for the cells under the unit at a place, until one call gives false.
  template <class Visit>
  bool all_under(int32_t x, int32_t y, Visit visit) const noexcept {
    for (int32_t cy = y - profile.anchor.y; cy < y - profile.anchor.y + profile.height; ++cy)
      for (int32_t cx = x - profile.anchor.x; cx < x - profile.anchor.x + profile.width; ++cx)
        if (!visit(cx, cy)) return false;
    return true;
  }
  bool fits(int32_t x, int32_t y) const noexcept {
    return all_under(x, y, [&](int32_t cx, int32_t cy) { return cell_free(cx, cy); });
  }
  // True when the unit covers no blocked cell there that it does not cover here. Where it fits
  // here, that means that it fits there.
  bool may_go(int32_t x, int32_t y, int32_t to_x, int32_t to_y) const noexcept {
    const int32_t left = x - profile.anchor.x, top = y - profile.anchor.y;
    return all_under(to_x, to_y, [&](int32_t cx, int32_t cy) {
      return cell_free(cx, cy) ||
             (cx >= left && cx < left + profile.width && cy >= top && cy < top + profile.height);
    });
  }
  // The dearest free cell under the unit; without one, the cheapest of the map.
  Cost weight(int32_t x, int32_t y) const noexcept {
    Cost most = 0;
    bool any = false;
    all_under(x, y, [&](int32_t cx, int32_t cy) {
      if (cell_free(cx, cy)) {
        most = std::max(most, cell_weight(cx, cy));
        any = true;
      }
      return true;
    });
    return any ? most : costs.least_weight;
  }
  bool legal(int32_t x, int32_t y, int32_t dx, int32_t dy) const noexcept {
    if (!may_go(x, y, x + dx, y + dy)) return false;
    if (dx == 0 || dy == 0) return true;
    if (profile.moves == Moves::four) return false;
    const int closed = !may_go(x, y, x + dx, y) + !may_go(x, y, x, y + dy);
    switch (profile.diagonal) {
      case Diagonal::always:
        return true;
      case Diagonal::at_most_one_obstacle:
        return closed <= 1;
      case Diagonal::no_obstacles:
        return closed == 0;
      case Diagonal::never:
        return false;
    }
    return false;
  }
  // Empty-grid distance, for the cell nearest to a goal.
  Cost distance(int32_t x, int32_t y, int32_t to_x, int32_t to_y) const noexcept {
    const auto dx = static_cast<Cost>(x < to_x ? to_x - x : x - to_x);
    const auto dy = static_cast<Cost>(y < to_y ? to_y - y : y - to_y);
    return costs.steps.straight * (std::max(dx, dy) - std::min(dx, dy)) +
           costs.steps.diagonal * std::min(dx, dy);
  }
};

class Dijkstra final : public Solver {
 public:
  const SolverInfo& info() const noexcept override {
    static constexpr SolverInfo kInfo{"dijkstra",
                                      "the judge: plain Dijkstra straight from the terrain",
                                      "everything; slow on purpose", "", true};
    return kInfo;
  }
  bool serves(const Task&) const noexcept override { return true; }

  Progress run(Workspace& w, const Task& task, bool, uint64_t) const noexcept override {
    const Snapshot& map = task.world->map;
    Judge judge{map,
                task.world->profile,
                task.world->costs,
                *task.costs,
                map.grid.width,
                map.grid.height,
                {},
                {}};
    if (!judge.read(task)) return Progress::out_of_memory;
    const size_t cells = size_t(judge.width) * size_t(judge.height);
    Buffer<Cost> dist;
    Buffer<uint32_t> parent;
    Buffer<uint8_t> done;
    Buffer<Entry> heap;
    if (!dist.assign(cells, UINT64_MAX) || !parent.assign(cells, 0) || !done.assign(cells, 0))
      return Progress::out_of_memory;
    const auto index = [&](CellId id) {
      return (map.grid.py(id) - 64) * static_cast<uint32_t>(judge.width) + map.grid.px(id) - 64;
    };
    State& state = w.state;
    state.begin(task.limit);
    const uint32_t start = index(task.start);
    dist[start] = 0;
    parent[start] = start;
    if (!heap.push({0, start})) return Progress::out_of_memory;

    uint32_t end = start;    // where the path will end
    Closest nearest;         // of all cells reached
    Closest nearest_within;  // of those within the limit
    while (!heap.empty() && !state.cut) {
      std::pop_heap(heap.begin(), heap.end(), later);
      const Entry top = heap.back();
      heap.pop();
      if (done[top.cell]) continue;
      if (state.found && top.g > state.cost) break;
      done[top.cell] = 1;
      ++state.expanded;
      const auto x = static_cast<int32_t>(top.cell % static_cast<uint32_t>(judge.width));
      const auto y = static_cast<int32_t>(top.cell / static_cast<uint32_t>(judge.width));
      const bool within = top.g < task.limit;
      for (uint32_t i = 0; i < task.aim_count; ++i) {
        if (index(task.aims[i]) == top.cell && judge.fits(x, y)) {
          if (!within) {
            state.cut = true;
          } else if (!state.found || i < state.goal) {
            state.reach(task.aims[i], top.g, i, true);
            end = top.cell;
          }
        }
        if (task.nearest && !state.found) {
          const Cost distance =
              judge.distance(x, y, static_cast<int32_t>(map.grid.px(task.aims[i])) - 64,
                             static_cast<int32_t>(map.grid.py(task.aims[i])) - 64);
          nearest.offer(distance, top);
          if (within) nearest_within.offer(distance, top);
        }
      }
      for (int32_t dy = -1; dy <= 1; ++dy) {
        for (int32_t dx = -1; dx <= 1; ++dx) {
          if ((dx == 0 && dy == 0) || !judge.legal(x, y, dx, dy)) continue;
          const Cost length =
              dx != 0 && dy != 0 ? judge.costs.steps.diagonal : judge.costs.steps.straight;
          const Cost step = length * judge.weight(x + dx, y + dy);
          if (step > kMaxCost - top.g) {
            state.overflow = true;
            continue;
          }
          const auto to = static_cast<uint32_t>((y + dy) * judge.width + x + dx);
          if (top.g + step >= dist[to]) continue;
          dist[to] = top.g + step;
          parent[to] = top.cell;
          ++state.generated;
          if (!heap.push({dist[to], to})) return Progress::out_of_memory;
          std::push_heap(heap.begin(), heap.end(), later);
        }
      }
    }
    w.chain.clear();
    if (!state.found) {
      if (!task.nearest) return Progress::ended;
      // The partial answer would cost too much as well.
      if (nearest.at.g >= task.limit) state.cut = true;
      end = nearest_within.at.cell;
    }
    for (uint32_t at = end;; at = parent[at]) {
      const auto width = static_cast<uint32_t>(judge.width);
      if (!w.chain.push(
              judge.id(static_cast<int32_t>(at % width), static_cast<int32_t>(at / width))))
        return Progress::out_of_memory;
      if (at == start) break;
    }
    std::reverse(w.chain.begin(), w.chain.end());
    return Progress::ended;
  }
  bool settle(Workspace&, const Task&) const noexcept override { return true; }  // by run()
};

constinit const Dijkstra kDijkstra;

}  // namespace

constinit const Solver& dijkstra_solver = kDijkstra;

}  // namespace octile
