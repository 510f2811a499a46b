// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include <algorithm>

#include "index/path_index.hpp"
#include "search/path.hpp"
#include "search/sight.hpp"
#include "solvers/solver.hpp"

namespace octile {

namespace {

// From the start to its subgoals, over the graph of subgoals, and from the goal's subgoals to the
// goal: by hub labels where the index has them, else by A* with a bucket queue.
class Subgoal final : public Solver {
 public:
  const SolverInfo& info() const noexcept override {
    static constexpr SolverInfo kInfo{"subgoal", "subgoal graph, by hub labels or by search",
                                      "views with an index of subgoals, one goal, nothing watched",
                                      "line", true};
    return kInfo;
  }

  bool serves(const Task& task) const noexcept override {
    return task.index && task.index->info.kind < IndexKind::tile_labels && task.goal_count == 1 &&
           !task.trace && !task.nearest;
  }

  Progress run(Workspace& w, const Task& task, bool first,
               uint64_t budget) const noexcept override {
    const TileGrid& grid = task.world->map.grid;
    if (first) {
      w.state.begin(task.limit);
      w.watch.begin(task);
      // A free line is the shortest way; without one, some shortest way begins and ends with lines
      // to subgoals.
      if (octile_line_free(*task.layer, task.start, task.goal())) {
        const Cost cost = line(task, point(grid, task.start), point(grid, task.goal()));
        return finish(w, task, cost, nullptr, 0);
      }
      if (!connect(*task.index, point(grid, task.start), &w.ends[0]) ||
          !connect(*task.index, point(grid, task.goal()), &w.ends[1]))
        return Progress::out_of_memory;
    }
    if (task.index->label_first) return by_labels(w, task);
    return by_search(w, task, first, budget);
  }

 private:
  static Point point(const TileGrid& grid, CellId id) noexcept {
    return {grid.px(id) - 64, grid.py(id) - 64};
  }
  static CellId cell(const TileGrid& grid, Point p) noexcept { return grid.id(p.x + 64, p.y + 64); }
  static Cost line(const Task& task, Point a, Point b) noexcept {
    return empty_grid_cost(a.x < b.x ? b.x - a.x : a.x - b.x, a.y < b.y ? b.y - a.y : a.y - b.y,
                           task.costs->steps);
  }
  static bool connect(const Index::Impl& index, Point p, Buffer<uint32_t>* ends) noexcept {
    ends->clear();
    if (index.corners.corner(p)) return ends->push(index.number(p));
    bool fits = true;
    direct_reach(index.corners, p, kAllDirections,
                 [&](Point s) { fits = ends->push(index.number(s)) && fits; });
    return fits;
  }

  // The chain is the start, `count` subgoals, the goal.
  static Progress finish(Workspace& w, const Task& task, Cost cost, const uint32_t* subgoals,
                         size_t count) noexcept {
    if (cost >= task.limit) {
      w.state.cut = true;
      return Progress::ended;
    }
    const TileGrid& grid = task.world->map.grid;
    w.state.reach(task.start, cost, 0, false);
    if (!w.chain.resize(count + 2)) return Progress::out_of_memory;
    w.chain[0] = task.start;
    for (size_t i = 0; i < count; ++i) w.chain[i + 1] = cell(grid, task.index->place(subgoals[i]));
    w.chain[count + 1] = task.goal();
    return Progress::ended;
  }

  static Progress by_labels(Workspace& w, const Task& task) noexcept {
    const Index::Impl& index = *task.index;
    const TileGrid& grid = task.world->map.grid;
    const Point s = point(grid, task.start), t = point(grid, task.goal());
    // 1. Every hub of the start: the shortest way to it, and by which entry. Sums are those of the
    // index, in 32 bits.
    if (w.hub_stamp.size() < index.info.hubs) {
      if (!w.hub_best.resize(index.info.hubs) || !w.hub_stamp.assign(index.info.hubs, 0))
        return Progress::out_of_memory;
      w.stamp = 0;
    }
    if (++w.stamp == 0) {
      for (uint32_t& stamp : w.hub_stamp) stamp = 0;
      w.stamp = 1;
    }
    for (const uint32_t end : w.ends[0]) {
      const uint32_t leg = index.steps.line(s, index.place(end));
      for (uint32_t e = index.label_first[end]; e < index.label_first[end + 1]; ++e) {
        const HubLabels::Entry& entry = index.label_entries[e];
        const uint64_t best = uint64_t{leg + entry.distance} << 32 | e;
        if (w.hub_stamp[entry.hub] == w.stamp && w.hub_best[entry.hub] <= best) continue;
        w.hub_stamp[entry.hub] = w.stamp;
        w.hub_best[entry.hub] = best;
      }
    }
    // 2. The hubs of the goal that are among them.
    uint64_t shortest = UINT64_MAX;
    uint32_t from = 0, to = 0;
    for (const uint32_t end : w.ends[1]) {
      const uint32_t leg = index.steps.line(t, index.place(end));
      for (uint32_t e = index.label_first[end]; e < index.label_first[end + 1]; ++e) {
        const HubLabels::Entry& entry = index.label_entries[e];
        if (w.hub_stamp[entry.hub] != w.stamp) continue;
        const uint64_t sum = (w.hub_best[entry.hub] >> 32) + leg + entry.distance;
        if (sum >= shortest) continue;
        shortest = sum;
        from = static_cast<uint32_t>(w.hub_best[entry.hub]);
        to = e;
      }
    }
    if (shortest == UINT64_MAX) return Progress::ended;
    // 3. Along the tree of the hub from both sides.
    w.ends[0].clear();
    const auto climb = [&](uint32_t e) {
      uint32_t node = index.label_entries[e].node;
      for (;;) {
        const HubLabels::TreeNode& n = index.label_tree[node];
        if (!w.ends[0].push(n.vertex)) return false;
        if (n.parent == node) return true;
        node = n.parent;
      }
    };
    if (!climb(from)) return Progress::out_of_memory;
    const size_t meet = w.ends[0].size() - 1;  // the hub, which comes twice
    if (!climb(to)) return Progress::out_of_memory;
    std::reverse(w.ends[0].begin() + meet + 1, w.ends[0].end());
    for (size_t i = meet + 1; i + 1 < w.ends[0].size(); ++i) w.ends[0][i] = w.ends[0][i + 1];
    if (w.ends[0].size() > meet + 1) w.ends[0].pop();
    Cost cost =
        line(task, s, index.place(w.ends[0][0])) + line(task, index.place(w.ends[0].back()), t);
    for (size_t i = 1; i < w.ends[0].size(); ++i)
      cost += line(task, index.place(w.ends[0][i - 1]), index.place(w.ends[0][i]));
    return finish(w, task, cost, w.ends[0].data(), w.ends[0].size());
  }

  static Progress by_search(Workspace& w, const Task& task, bool first, uint64_t budget) noexcept;
};

// Moves over the graph for best_first: nodes are the cells of subgoals.
class SubgoalMoves {
 public:
  using Cost = octile::Cost;
  using Id = CellId;

  SubgoalMoves(const Task& task, const Buffer<uint32_t>& ends,
               const Buffer<uint32_t>& goal_ends) noexcept
      : task_(task),
        index_(*task.index),
        grid_(task.world->map.grid),
        ends_(ends),
        goal_ends_(goal_ends),
        goal_(point(task.goal())) {}

  Cost estimate(CellId id) const noexcept { return line(point(id), goal_); }

  bool finish(CellId id, Cost g, State& state) const noexcept {
    if (id != task_.goal()) return false;
    if (g < state.bound)
      state.reach(id, g, 0, false);
    else if (!state.found)
      state.cut = true;
    return true;
  }

  static constexpr bool admits(Cost) noexcept { return true; }

  template <class Relax>
  void expand(CellId id, Cost, Relax relax) noexcept {
    const Point p = point(id);
    if (id == task_.start) {
      for (const uint32_t end : ends_) to(p, end, relax);
      // The start may be a subgoal itself; then it is its own end, and goes on below.
      if (!index_.corners.corner(p)) return;
    }
    const uint32_t s = index_.number(p);
    for (uint32_t e = index_.edge_first[s]; e < index_.edge_first[s + 1]; ++e)
      to(p, index_.edge_target[e], relax);
    for (const uint32_t end : goal_ends_)
      if (end == s && id != task_.goal()) relax(task_.goal(), line(p, goal_));
  }

 private:
  template <class Relax>
  void to(Point from, uint32_t subgoal, Relax& relax) noexcept {
    const Point p = index_.place(subgoal);
    if (p == from) return;
    relax(grid_.id(p.x + 64, p.y + 64), line(from, p));
  }
  Point point(CellId id) const noexcept { return {grid_.px(id) - 64, grid_.py(id) - 64}; }
  Cost line(Point a, Point b) const noexcept {
    return empty_grid_cost(a.x < b.x ? b.x - a.x : a.x - b.x, a.y < b.y ? b.y - a.y : a.y - b.y,
                           task_.costs->steps);
  }

  const Task& task_;
  const Index::Impl& index_;
  const TileGrid& grid_;
  const Buffer<uint32_t>& ends_;
  const Buffer<uint32_t>& goal_ends_;
  const Point goal_;
};

// An edge crosses at most the map, and the estimate grows by no more: the ring must hold twice
// that.
uint32_t bucket_shift(const Task& task) noexcept {
  const TileGrid& grid = task.world->map.grid;
  const StepCosts steps = task.costs->steps;
  const auto longest = static_cast<Cost>(grid.width > grid.height ? grid.width : grid.height);
  uint32_t shift = 0;
  while ((2 * longest * steps.diagonal >> shift) + 2 > BucketQueue::kReach) ++shift;
  return shift;
}

Progress Subgoal::by_search(Workspace& w, const Task& task, bool first, uint64_t budget) noexcept {
  SubgoalMoves moves(task, w.ends[0], w.ends[1]);
  if (first) {
    if (!w.nodes.begin(task.world->map.grid.tiles) || !w.buckets.begin(bucket_shift(task)))
      return Progress::out_of_memory;
    Node* start = w.nodes.reach(task.start);
    if (!start) return Progress::out_of_memory;
    w.nodes.open(*start, 0, kNoCell);
    w.watch.on_open(task.start, 0);
    if (!w.buckets.push(task.first_f(moves.estimate(task.start)), 0, task.start))
      return Progress::out_of_memory;
    ++w.state.generated;
  }
  const Progress progress = detail::best_first(moves, w.nodes, w.buckets, w.watch, w.state, budget);
  if (progress != Progress::ended || !w.state.found) return progress;
  return unwind(w.nodes, w.state.last, task.goal(), &w.chain) ? progress : Progress::out_of_memory;
}

constinit const Subgoal kSolver;

}  // namespace

constinit const Solver& subgoal_solver = kSolver;

}  // namespace octile
