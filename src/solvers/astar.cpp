// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "search/moves.hpp"
#include "solvers/solver.hpp"

namespace octile {

namespace {

// A* over single steps: every rule, every weight, goal sets. Bucket queue where the dearest step
// spans few buckets, radix heap else.
class AStar final : public Solver {
 public:
  const SolverInfo& info() const noexcept override {
    static constexpr SolverInfo kInfo{
        "astar", "A* with 16-byte nodes and a bucket queue (radix heap for very uneven weights)",
        "every rule, metric, weight and goal set", "", true};
    return kInfo;
  }
  bool serves(const Task&) const noexcept override { return true; }

  Progress run(Workspace& w, const Task& task, bool first,
               uint64_t budget) const noexcept override {
    const bool one = task.one_goal();
    if (task.costs->uniform)
      return one ? run_as<true, true>(w, task, first, budget)
                 : run_as<true, false>(w, task, first, budget);
    return one ? run_as<false, true>(w, task, first, budget)
               : run_as<false, false>(w, task, first, budget);
  }

 private:
  template <bool kUniform, bool kOneGoal>
  static Progress run_as(Workspace& w, const Task& task, bool first, uint64_t budget) noexcept {
    GridMoves<kUniform, kOneGoal> moves(task, w.nodes);
    uint32_t shift;
    return bucket_shift(*task.costs, &shift)
               ? run_with(w, w.buckets, moves, task, first, budget,
                          [&] { return w.buckets.begin(shift); })
               : run_with(w, w.radix, moves, task, first, budget, [&] { return w.radix.begin(); });
  }

  // A push lies at most two of the dearest steps above the lowest cost in the list: the step, and
  // what the estimate grows by. False: too many buckets.
  static bool bucket_shift(const CellCosts& costs, uint32_t* shift) noexcept {
    // About an eighth of the cheapest step that is not free.
    const Cost least = costs.steps.straight * (costs.least_weight ? costs.least_weight : 1);
    *shift = least < 16 ? 0 : static_cast<uint32_t>(std::bit_width(least)) - 4;
    return (2 * costs.dearest_step >> *shift) + 2 <= BucketQueue::kReach;
  }

  template <class Open, class Moves, class Begin>
  static Progress run_with(Workspace& w, Open& open, Moves& moves, const Task& task, bool first,
                           uint64_t budget, Begin begin) noexcept {
    if (first) {
      w.state.begin(task.limit);
      w.watch.begin(task);
      if (!w.nodes.begin(task.world->map.grid.tiles) || !begin()) return Progress::out_of_memory;
      Node* start = w.nodes.reach(task.start);
      if (!start) return Progress::out_of_memory;
      w.nodes.open(*start, 0, kNoCell);
      w.watch.on_open(task.start, 0);
      if (!open.push(task.first_f(moves.estimate(task.start)), 0, task.start))
        return Progress::out_of_memory;
      ++w.state.generated;
    }
    const Progress progress = detail::best_first(moves, w.nodes, open, w.watch, w.state, budget);
    if (progress != Progress::ended) return progress;
    if (lost_entries(open)) return Progress::out_of_memory;
    if (w.state.found)
      return unwind(w.nodes, w.state.last, kNoCell, &w.chain) ? progress : Progress::out_of_memory;
    return progress;
  }
  static bool lost_entries(const BucketQueue&) noexcept { return false; }
  static bool lost_entries(const RadixHeap& heap) noexcept { return heap.failed(); }
};

constinit const AStar kAStar;

}  // namespace

constinit const Solver& astar_solver = kAStar;

}  // namespace octile
