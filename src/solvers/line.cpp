// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "search/sight.hpp"
#include "solvers/solver.hpp"

namespace octile {

namespace {

// The bottom of the ladder: a free octile line between the ends is a cheapest path.
class Line final : public Solver {
 public:
  const SolverInfo& info() const noexcept override {
    static constexpr SolverInfo kInfo{"line", "the octile line between the ends, when it is free",
                                      "uniform maps, one goal, a free octile line", "jps", true};
    return kInfo;
  }

  bool serves(const Task& task) const noexcept override {
    // What a search looks at, for a picture or for a partial answer, no line tells.
    return task.costs->uniform && task.goal_count == 1 && !task.trace && !task.nearest &&
           !task.stepwise && octile_line_free(*task.layer, task.start, task.goal());
  }

  Progress run(Workspace& w, const Task& task, bool, uint64_t) const noexcept override {
    const TileGrid& grid = task.world->map.grid;
    const CellId goal = task.goal();
    const auto apart = [](uint32_t a, uint32_t b) { return Cost{a < b ? b - a : a - b}; };
    const Cost cost = empty_grid_cost(apart(grid.px(task.start), grid.px(goal)),
                                      apart(grid.py(task.start), grid.py(goal)), task.costs->steps);
    w.state.begin(task.limit);
    w.watch.begin(task);
    if (cost >= task.limit) {
      w.state.cut = true;
      return Progress::ended;
    }
    w.state.reach(task.start, cost, 0, false);
    if (!w.chain.resize(2)) return Progress::out_of_memory;
    w.chain[0] = task.start;
    w.chain[1] = goal;
    return Progress::ended;
  }
};

constinit const Line kLine;

}  // namespace

constinit const Solver& line_solver = kLine;

}  // namespace octile
