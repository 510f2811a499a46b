// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/label_way.hpp"
#include "index/path_index.hpp"
#include "search/path.hpp"
#include "solvers/solver.hpp"

namespace octile {

namespace {

// Tile labels: no search at all. See index/label_tables.hpp.
class Labels final : public Solver {
 public:
  const SolverInfo& info() const noexcept override {
    static constexpr SolverInfo kInfo{
        "labels", "hub labels of all cells, shared by tiles",
        "views with an index of tile labels, one goal, nothing watched", "subgoal", true};
    return kInfo;
  }

  bool serves(const Task& task) const noexcept override {
    return task.index && task.index->info.kind == IndexKind::tile_labels && task.goal_count == 1 &&
           !task.trace && !task.nearest;
  }

  Progress run(Workspace& w, const Task& task, bool, uint64_t) const noexcept override {
    const TileGrid& grid = task.world->map.grid;
    const CellId goal = task.goal();
    const Point s{grid.px(task.start) - 64, grid.py(task.start) - 64};
    const Point t{grid.px(goal) - 64, grid.py(goal) - 64};
    w.state.begin(task.limit);
    // 1. How long it is.
    LabelWay way(task.index->labels);
    const Status status = way.find(s, t, &w.reach);
    if (status == Status::out_of_memory) return Progress::out_of_memory;
    if (status != Status::found) return Progress::ended;
    const StepCosts length = task.costs->steps;
    const Cost straight = way.steps - way.diagonal, diagonal = way.diagonal;
    const Cost cost = length.straight * straight + length.diagonal * diagonal;
    if (cost >= task.limit) {
      w.state.cut = true;
      return Progress::ended;
    }
    w.state.reach(task.start, cost, 0, false);
    // 2. All cells, or both ends, or where it turns.
    const size_t count = size_t{way.steps} + 1;
    if (task.cells) {
      Cell* out = task.cells->resize(count);
      if (!out) return Progress::out_of_memory;
      way.write(grid.first, out);
      put_cost(*task.costs, straight, diagonal, task.cells);
      w.written = true;
      return Progress::ended;
    }
    if (way.line()) {
      if (!w.chain.resize(2)) return Progress::out_of_memory;
      w.chain[0] = task.start;
      w.chain[1] = goal;
      return Progress::ended;
    }
    if (!w.cells.resize(count + 2 * kSpareCells)) return Progress::out_of_memory;
    Cell* out = w.cells.data() + kSpareCells;
    way.write(grid.first, out);
    return turns(out, count, grid, &w.chain) ? Progress::ended : Progress::out_of_memory;
  }
};

constinit const Labels kLabels;

}  // namespace

constinit const Solver& labels_solver = kLabels;

}  // namespace octile
