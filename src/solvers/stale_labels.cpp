// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include <utility>

#include "index/stale_index.hpp"
#include "search/path.hpp"
#include "solvers/solver.hpp"

namespace octile {

namespace {

// Tile labels of an earlier map, where they can be told to be right still. See
// index/stale_index.hpp.
class StaleLabels final : public Solver {
 public:
  const SolverInfo& info() const noexcept override {
    static constexpr SolverInfo kInfo{
        "stale_labels", "tile labels of an earlier map, where they are still right",
        "views with a stale index, one goal, nothing watched", "labels", true};
    return kInfo;
  }

  bool serves(const Task& task) const noexcept override {
    return task.stale && task.stale->index && task.costs->uniform && task.one_goal() &&
           !task.trace && !task.nearest && !task.stepwise;
  }

  Progress run(Workspace& w, const Task& task, bool, uint64_t) const noexcept override {
    w.state.begin(task.limit);
    w.watch.begin(task);
    StaleWay way{&w.cells};
    switch (ask_stale(*task.stale, *task.world, task.start, task.goal(), &w.stale, &way)) {
      case StaleAnswer::out_of_memory:
        return Progress::out_of_memory;
      case StaleAnswer::unknown:
        w.declined = true;
        return Progress::ended;
      case StaleAnswer::path:
        break;
    }
    const uint32_t steps = way.steps, diagonal = way.diagonal;
    const StepCosts length = task.costs->steps;
    const Cost cost = length.straight * Cost{steps - diagonal} + length.diagonal * Cost{diagonal};
    if (cost >= task.limit) {
      w.state.cut = true;
      return Progress::ended;
    }
    w.state.reach(task.start, cost, 0, false);
    const Cell* cells = w.cells.data() + kSpareCells;
    const size_t count = size_t{steps} + 1;
    if (!task.cells)
      return turns(cells, count, task.world->map.grid, &w.chain) ? Progress::ended
                                                                 : Progress::out_of_memory;
    Cell* out = task.cells->resize(count);
    if (!out) return Progress::out_of_memory;
    std::memcpy(out, cells, count * sizeof(Cell));
    put_cost(*task.costs, steps - diagonal, diagonal, task.cells);
    w.written = true;
    return Progress::ended;
  }
};

constinit const StaleLabels kStaleLabels;

}  // namespace

constinit const Solver& stale_labels_solver = kStaleLabels;

}  // namespace octile
