// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "search/jump.hpp"
#include "solvers/solver.hpp"

namespace octile {

namespace {

// Jump point search on stop-bits with a bucket queue.
class Jps final : public Solver {
 public:
  const SolverInfo& info() const noexcept override {
    static constexpr SolverInfo kInfo{
        "jps", "jump point search on stop-bits with a bucket queue",
        "uniform maps, every move rule but metric chebyshev, one goal", "astar", true};
    return kInfo;
  }

  bool serves(const Task& task) const noexcept override {
    return task.costs->uniform && task.goal_count == 1 && !task.stepwise &&
           has_jump_points(task.world->profile);
  }

  Progress run(Workspace& w, const Task& task, bool first,
               uint64_t budget) const noexcept override {
    if (!w.hits.reserve(2 * JumpHits::most(task.world->map.grid, jump_rule(task.world->profile))))
      return Progress::out_of_memory;
    JumpMoves moves(jump_kernel(), task, w.pockets, w.hits.data());
    if (first) {
      w.state.begin(task.limit);
      w.watch.begin(task);
      if (budget > 0 && !task.nearest && moves.finish(task.start, 0, w.state))
        return in_sight(w, task);
    }
    const bool close = task.layer->crowded(task.start);
    const JumpKernel& kernel = close ? dense_jump_kernel() : jump_kernel();
    moves.scan_by(kernel);
    if (huge(task))
      return search(moves, w, w.sparse_nodes, kernel.sparse_search, task, first, budget);
    return search(moves, w, w.jump_nodes, close ? kernel.dense_search : kernel.search, task, first,
                  budget);
  }

  bool settle(Workspace& w, const Task& task) const noexcept override {
    const CellId nearest = w.watch.nearest.id;
    if (nearest == kNoCell) return true;
    return huge(task) ? unwind(w.sparse_nodes, nearest, kNoCell, &w.chain)
                      : unwind(w.jump_nodes, nearest, kNoCell, &w.chain);
  }

 private:
  // From here on pages of nodes would take more than 64 MB.
  static bool huge(const Task& task) noexcept {
    const TileGrid& grid = task.world->map.grid;
    return uint64_t{grid.tile_cols} * grid.tile_rows > 1024;
  }

  // What a search would end with that looks at the start alone, before anything is set up for it.
  static Progress in_sight(Workspace& w, const Task& task) noexcept {
    w.watch.on_open(task.start, 0);
    w.watch.on_close(task.start, 0);
    w.state.expanded = w.state.generated = 1;
    w.chain.clear();
    return w.chain.push(task.start) && w.chain.push(task.goal()) ? Progress::ended
                                                                 : Progress::out_of_memory;
  }

  template <class Nodes, class Search>
  static Progress search(JumpMoves& moves, Workspace& w, Nodes& nodes, Search loop,
                         const Task& task, bool first, uint64_t budget) noexcept {
    if (first) {
      // A search that may end early answers by what it has seen so far. That must not depend on the
      // edits that led to this map, as the knowledge of pockets does. And what is a dead end on the
      // map may be the only way under an overlay.
      if (task.capped || task.nearest || task.overlay)
        w.pockets.end();
      else
        w.pockets.begin(task.world->pockets, task.world->layer, task.world->profile, task.start,
                        task.goal(), true);
      if (!nodes.begin(task.world->map.grid.tiles) || !w.jump_queue.begin(bucket_shift(task)))
        return Progress::out_of_memory;
      const auto start = nodes.reach(task.start);
      if (!start) return Progress::out_of_memory;
      nodes.open(*start, 0, kNoCell);
      w.watch.on_open(task.start, 0);
      if (!w.jump_queue.push(task.first_f(moves.estimate(task.start)), 0,
                             {task.start, kAllQuadrants}))
        return Progress::out_of_memory;
      ++w.state.generated;
    }
    const Progress progress = loop(moves, nodes, w.jump_queue, w.watch, w.state, budget);
    if (progress != Progress::ended || !w.state.found) return progress;
    return unwind(nodes, w.state.last, task.goal(), &w.chain) ? progress : Progress::out_of_memory;
  }

  // A jump crosses at most the map, diagonally and straight, and the estimate grows by no more: the
  // ring must hold twice that. Wider buckets cost order, never exactness.
  static uint32_t bucket_shift(const Task& task) noexcept {
    const TileGrid& grid = task.world->map.grid;
    const StepCosts steps = task.costs->steps;
    const auto longest = static_cast<Cost>(grid.width > grid.height ? grid.width : grid.height);
    const Cost span = 2 * longest * steps.diagonal;
    // Half a straight step at least.
    uint32_t shift =
        steps.straight < 4 ? 0 : static_cast<uint32_t>(std::bit_width(steps.straight)) - 2;
    while ((span >> shift) + 2 > BucketQueue::kReach) ++shift;
    return shift;
  }
};

constinit const Jps kJps;

}  // namespace

constinit const Solver& jps_solver = kJps;

}  // namespace octile
