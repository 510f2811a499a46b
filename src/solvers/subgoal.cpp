// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include <algorithm>

#include "index/live_labels.hpp"
#include "index/path_index.hpp"
#include "search/path.hpp"
#include "search/sight.hpp"
#include "solvers/solver.hpp"

namespace octile {

namespace {

// Labels as they lie in the bytes of an index.
struct BuiltLabels {
  using LabelEntry = HubLabels::Entry;
  const Index::Impl& index;

  const CornerMaps& corners() const noexcept { return index.corners; }
  uint32_t number(Point p) const noexcept { return index.number(p); }
  Point place(uint32_t v) const noexcept { return index.place(v); }
  const LabelEntry* begin_of(uint32_t v) const noexcept {
    return index.label_entries + index.label_first[v];
  }
  const LabelEntry* end_of(uint32_t v) const noexcept {
    return index.label_entries + index.label_first[v + 1];
  }
  // From the vertex of an entry to its hub.
  class Climb {
   public:
    Climb(const BuiltLabels& labels, uint32_t, const LabelEntry* entry) noexcept
        : index_(labels.index), tree_(labels.index.label_tree), node_(entry->node) {}
    CellId cell(const TileGrid& grid) const noexcept {
      const Point p = index_.place(tree_[node_].vertex);
      return grid.id(p.x + 64, p.y + 64);
    }
    // False at the hub.
    bool up() noexcept {
      const uint32_t parent = tree_[node_].parent;
      if (parent == node_) return false;
      node_ = parent;
      return true;
    }

   private:
    const Index::Impl& index_;
    const HubLabels::TreeNode* tree_;
    uint32_t node_;
  };
};

// Labels that followed edits.
struct LiveEntries {
  using LabelEntry = LiveLabel;
  const LiveState& state;

  const CornerMaps& corners() const noexcept { return state.corners; }
  uint32_t number(Point p) const noexcept { return state.number(p); }
  Point place(uint32_t v) const noexcept { return state.place(v); }
  const LabelEntry* begin_of(uint32_t v) const noexcept { return state.begin_of(v); }
  const LabelEntry* end_of(uint32_t v) const noexcept { return state.end_of(v); }
  class Climb {
   public:
    Climb(const LiveEntries& labels, uint32_t, const LabelEntry* entry) noexcept
        : pages_(labels.state.nodes.data()), number_(entry->node), node_(node(number_)) {}
    CellId cell(const TileGrid&) const noexcept { return node_.cell; }
    bool up() noexcept {
      if (node_.parent == number_) return false;
      number_ = node_.parent;
      node_ = node(number_);
      return true;
    }

   private:
    LiveNode node(uint32_t number) const noexcept {
      return pages_[number / NodePage::kNodes]->node[number % NodePage::kNodes];
    }

    const NodePage* const* pages_;
    uint32_t number_;
    LiveNode node_;
  };
};

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
      const BuiltLabels graph{*task.index};
      if (!task.index->live && !task.index->label_first &&
          !(connect(graph, point(grid, task.start), &w.ends[0]) &&
            connect(graph, point(grid, task.goal()), &w.ends[1])))
        return Progress::out_of_memory;
    }
    if (task.index->live) return by_labels(LiveEntries{*task.index->live}, w, task);
    if (task.index->label_first) return by_labels(BuiltLabels{*task.index}, w, task);
    return by_search(w, task, first, budget);
  }

 private:
  static Point point(const TileGrid& grid, CellId id) noexcept {
    return {grid.px(id) - 64, grid.py(id) - 64};
  }
  static Cost line(const Task& task, Point a, Point b) noexcept {
    return empty_grid_cost(a.x < b.x ? b.x - a.x : a.x - b.x, a.y < b.y ? b.y - a.y : a.y - b.y,
                           task.costs->steps);
  }
  template <class Labels>
  static bool connect(const Labels& labels, Point p, Buffer<uint32_t>* ends) noexcept {
    ends->clear();
    if (labels.corners().corner(p)) return ends->push(labels.number(p));
    bool fits = true;
    direct_reach(labels.corners(), p, kAllDirections,
                 [&](Point s) { fits = ends->push(labels.number(s)) && fits; });
    return fits;
  }

  // Calls visit(hub, length, end) for the ways from a cell over the ends that it reaches to their
  // hubs: for every one, or from a lifted tile for those that are the best of some cell there.
  // False: memory is short.
  template <class Labels, class Visit>
  static bool each_way(const Labels& labels, Workspace& w, Point p, IndexSteps steps,
                       Visit visit) noexcept {
    if (!connect(labels, p, &w.ends[0])) return false;
    for (const uint32_t end : w.ends[0]) {
      const uint32_t leg = steps.line(p, labels.place(end));
      const auto* const last = labels.end_of(end);
      for (const auto* e = labels.begin_of(end); e != last; ++e)
        visit(e->hub, leg + e->distance, end);
    }
    return true;
  }
  template <class Visit>
  static bool each_way(const LiveEntries& labels, Workspace& w, Point p, IndexSteps steps,
                       Visit visit) noexcept {
    const LiveTile* tile = labels.state.tiles->find(labels.state, p);
    if (!tile) return each_way<LiveEntries, Visit>(labels, w, p, steps, visit);
    const uint32_t cell = LiveTiles::cell_of(p);
    if (!w.reach.resize(tile->via.size())) return false;
    for (size_t i = 0; i < tile->via.size(); ++i) {
      const LiveTile::Via& via = tile->via[i];
      w.reach[i] = via.seen >> cell & 1 ? steps.line(p, via.place) : kFar;
    }
    for (const LiveTile::Entry& e : tile->entry)
      if (w.reach[e.via] != kFar)
        visit(e.hub, w.reach[e.via] + e.distance, tile->via[e.via].vertex);
    return true;
  }

  // The chain is the start, `count` subgoals, the goal.
  static Progress finish(Workspace& w, const Task& task, Cost cost, const CellId* subgoals,
                         size_t count) noexcept {
    if (cost >= task.limit) {
      w.state.cut = true;
      return Progress::ended;
    }
    w.state.reach(task.start, cost, 0, false);
    if (!w.chain.resize(count + 2)) return Progress::out_of_memory;
    w.chain[0] = task.start;
    for (size_t i = 0; i < count; ++i) w.chain[i + 1] = subgoals[i];
    w.chain[count + 1] = task.goal();
    return Progress::ended;
  }

  template <class Labels>
  static Progress by_labels(const Labels& labels, Workspace& w, const Task& task) noexcept {
    using LabelEntry = typename Labels::LabelEntry;
    const Index::Impl& index = *task.index;
    const TileGrid& grid = task.world->map.grid;
    const Point s = point(grid, task.start), t = point(grid, task.goal());
    // 1. Every hub of the start: the shortest way to it, and from which end; of equal ones from
    // that of the lowest number. Sums are those of the index, in 32 bits.
    if (w.hub_stamp.size() < index.info.hubs) {
      if (!w.hub_best.resize(index.info.hubs) || !w.hub_stamp.assign(index.info.hubs, 0))
        return Progress::out_of_memory;
      w.stamp = 0;
    }
    if (++w.stamp == 0) {
      for (uint32_t& stamp : w.hub_stamp) stamp = 0;
      w.stamp = 1;
    }
    const bool fits =
        each_way(labels, w, s, index.steps, [&](uint32_t hub, uint32_t length, uint32_t end) {
          const uint64_t best = uint64_t{length} << 32 | end;
          if (w.hub_stamp[hub] == w.stamp && w.hub_best[hub] <= best) return;
          w.hub_stamp[hub] = w.stamp;
          w.hub_best[hub] = best;
        });
    if (!fits) return Progress::out_of_memory;
    // 2. The hubs of the goal that are among them; of equal ways that over the highest hub.
    uint32_t shortest = UINT32_MAX, from = 0, to = 0, meet = 0;
    const bool fits_too =
        each_way(labels, w, t, index.steps, [&](uint32_t hub, uint32_t length, uint32_t end) {
          if (w.hub_stamp[hub] != w.stamp) return;
          const uint32_t sum = static_cast<uint32_t>(w.hub_best[hub] >> 32) + length;
          if (sum > shortest) return;
          if (sum == shortest && (hub != meet ? hub > meet : end > to)) return;
          shortest = sum;
          from = static_cast<uint32_t>(w.hub_best[hub]);
          to = end;
          meet = hub;
        });
    if (!fits_too) return Progress::out_of_memory;
    if (shortest == UINT32_MAX) return Progress::ended;
    // 3. Along the tree of the hub from both sides at once, since each step waits for memory. The
    // hub comes twice.
    const auto climb_from = [&](uint32_t v) {
      return typename Labels::Climb(
          labels, v,
          std::lower_bound(labels.begin_of(v), labels.end_of(v), meet,
                           [](const LabelEntry& e, uint32_t hub) { return e.hub < hub; }));
    };
    typename Labels::Climb climb[2] = {climb_from(from), climb_from(to)};
    bool more[2] = {true, true};
    for (Buffer<uint32_t>& side : w.ends) side.clear();
    while (more[0] || more[1]) {
      for (uint32_t side = 0; side < 2; ++side) {
        if (!more[side]) continue;
        if (!w.ends[side].push(climb[side].cell(grid))) return Progress::out_of_memory;
        more[side] = climb[side].up();
      }
    }
    w.ends[0].pop();
    while (!w.ends[1].empty()) {
      if (!w.ends[0].push(w.ends[1].back())) return Progress::out_of_memory;
      w.ends[1].pop();
    }
    CellId at = task.start;
    Cost cost = 0;
    for (const CellId next : w.ends[0]) {
      cost += line(task, point(grid, at), point(grid, next));
      at = next;
    }
    cost += line(task, point(grid, at), t);
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

constinit const Subgoal kSubgoal;

}  // namespace

constinit const Solver& subgoal_solver = kSubgoal;

}  // namespace octile
