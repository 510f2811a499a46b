// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
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
    static const LabelKernel& kernel = best_label_kernel();
    const LabelTables& tables = task.index->labels;
    const TileGrid& grid = task.world->map.grid;
    const CellId goal = task.goal();
    const Point s{grid.px(task.start) - 64, grid.py(task.start) - 64};
    const Point t{grid.px(goal) - 64, grid.py(goal) - 64};
    tables.prefetch(s);
    tables.prefetch(t);
    w.state.begin(task.limit);
    w.watch.begin(task);
    // 1. Along the line, or over the best hub.
    Meeting meeting;
    uint32_t steps, diagonal;
    const bool line = tables.sight.line_free(s, t);
    if (line) {
      const uint32_t dx = s.x < t.x ? t.x - s.x : s.x - t.x;
      const uint32_t dy = s.y < t.y ? t.y - s.y : s.y - t.y;
      diagonal = dx < dy ? dx : dy;
      steps = dx < dy ? dy : dx;
    } else {
      if (!w.reach.reserve(2 * size_t{tables.room()})) return Progress::out_of_memory;
      kernel.meet(tables, s, t, w.reach.data(), &meeting);
      if (meeting.length == kFar) return Progress::ended;
      tables.steps_of(meeting.length, &steps, &diagonal);
    }
    const StepCosts length = task.costs->steps;
    const Cost cost = length.straight * Cost{steps - diagonal} + length.diagonal * Cost{diagonal};
    if (cost >= task.limit) {
      w.state.cut = true;
      return Progress::ended;
    }
    w.state.reach(task.start, cost, 0, false);
    // 2. The cells, from both ends towards the hub.
    if (line && !task.cells) {
      if (!w.chain.resize(2)) return Progress::out_of_memory;
      w.chain[0] = task.start;
      w.chain[1] = goal;
      return Progress::ended;
    }
    Cell* out;
    if (task.cells) {
      out = task.cells->resize(size_t{steps} + 1);
    } else {
      out = w.cells.resize(size_t{steps} + 1) ? w.cells.data() : nullptr;
    }
    if (!out) return Progress::out_of_memory;
    if (line) {
      kernel.line(s, t, grid.first, out);
    } else {
      kernel.forward(tables, meeting, s, grid.first, out);
      kernel.backward(tables, meeting, t, grid.first, out + steps);
    }
    if (task.cells) {
      w.written = set_cost(*task.costs, steps - diagonal, diagonal, task.cells);
      return Progress::ended;
    }
    return turns(w.cells, grid, &w.chain) ? Progress::ended : Progress::out_of_memory;
  }

 private:
  // The cells where the direction changes, and both ends.
  static bool turns(const Buffer<Cell>& cells, const TileGrid& grid, Chain* chain) noexcept {
    chain->clear();
    for (size_t i = 0; i < cells.size(); ++i) {
      const bool inner = i != 0 && i + 1 != cells.size();
      if (inner && cells[i + 1].x - cells[i].x == cells[i].x - cells[i - 1].x &&
          cells[i + 1].y - cells[i].y == cells[i].y - cells[i - 1].y)
        continue;
      if (!chain->push(grid.id(cells[i]))) return false;
    }
    return true;
  }
};

constinit const Labels kSolver;

}  // namespace

constinit const Solver& labels_solver = kSolver;

}  // namespace octile
