// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Long ways over the portals of an index, made nearly exact afterwards. In this order:
//
//   1  exact    short queries: jump point search, as far as kExact expansions go
//   2  gates    far away: A* over the gates of regions
//   3  route    A* from portal to portal gives a way of single blocks; where gates are known, from
//               one of them to one some regions ahead, in the regions between and those round
//               them; half of it is kept, the rest found again from the next gate on
//   4  windows  the same again with cells: jump point search along a stretch of that way, in a
//               corridor of the tiles on it and one more on each side; half of that is kept.
//               Routes are searched only as far as windows have come.
//   5  bound    a second search over the portals, with lengths that no path can undercut, tells how
//               far from the optimum the answer can be at most
//
// Ways over many gates lose more by the choice of these than routes and windows can repair: there
// routes may be a little longer than need be, and windows overlap less, which spares work.
//
// Nothing is ever missed: a way over portals exists whenever a path does, since all cells of a gap
// are connected along it, and each corridor holds its stretch of the route. Should an index file
// have lied, the whole map is searched. docs/portals.md has the proofs.

#include <algorithm>

#include "index/portal_search.hpp"
#include "search/corridor.hpp"
#include "search/jump.hpp"
#include "solvers/solver.hpp"

namespace octile {

namespace {

constexpr uint64_t kExact = 2000;            // expansions
constexpr uint32_t kExactSide = 2048;        // of maps, or
constexpr uint32_t kExactDistance = 512;     // between the ends, where the exact search is tried
constexpr uint32_t kWindow = 12, kKeep = 6;  // tiles of a stretch
constexpr uint32_t kFarAway = 3072;          // between the ends, where gates are searched first
constexpr uint32_t kAhead = 2;  // gates from one stretch of the route's beginning to its end
constexpr uint32_t kManyGates = 8;
constexpr uint32_t kMostStretch = 320;  // of estimates, in 256ths
constexpr uint64_t kBoundExpansions = 4096;

struct PortalSearch final : Annex {
  enum class Phase : uint8_t { exact, whole, gates, route, window, bound };
  Phase phase = Phase::exact;
  bool started = false;  // the search of this phase
  PortalGraph graph;
  GateGraph gate_graph;
  PortalEnd start, goal;  // of the query
  // The gates on the way, as entered, each with the length of the way to it; and how many of them
  // the route has been searched up to.
  struct Gate {
    PortalId portal;
    Cost length;  // in PortalShape::gate_steps()
  };
  Buffer<Gate> gate;
  uint32_t upto = 0;
  bool routed = false;  // up to the goal
  Point route_end{};    // the last cell of the route that is known
  State state;
  Cost cost = 0;  // of the path
  // The route: the tiles it crosses, and a cell of it in each.
  Buffer<uint32_t> tile;
  Buffer<CellId> cell;
  Buffer<uint32_t> chain;  // portals, then jump points
  Corridor corridor;
  Buffer<uint32_t> inside;  // tiles of the corridor
  Buffer<uint32_t> mark;    // by tile
  uint32_t stamp = 0;
  uint32_t window = 0;
  CellId from = kNoCell, to = kNoCell;
  Buffer<CellId> cells;

  size_t bytes() const noexcept override {
    return sizeof *this + graph.bytes() + gate_graph.bytes() + gate.bytes() + tile.bytes() +
           cell.bytes() + chain.bytes() + corridor.bytes() + inside.bytes() + mark.bytes() +
           cells.bytes();
  }
};

class PortalSolver final : public Solver {
 public:
  constexpr PortalSolver(IndexKind kind, bool aided, SolverInfo info) noexcept
      : kind_(kind), aided_(aided), info_(info) {}

  const SolverInfo& info() const noexcept override { return info_; }

  bool serves(const Task& task) const noexcept override {
    return task.index && task.index->info.kind == kind_ && task.goal_count == 1 && !task.trace &&
           !task.nearest && !task.stepwise && !task.capped && task.limit == kMaxCost;
  }

  Progress run(Workspace& w, const Task& task, bool first,
               uint64_t budget) const noexcept override {
    if (!w.annex) w.annex = new (std::nothrow) PortalSearch;
    auto* s = static_cast<PortalSearch*>(w.annex);
    if (!s) return Progress::out_of_memory;
    const TileGrid& grid = task.layer->grid;
    if (first) {
      w.state.begin(task.limit);
      w.watch.begin(task);
      w.pockets.end();
      if (!w.hits.reserve(2 * JumpHits::most(grid, JumpRule::no_cutting)))
        return Progress::out_of_memory;
      const Point a = point(grid, task.start), b = point(grid, task.goal());
      const uint32_t side = static_cast<uint32_t>(std::max(grid.width, grid.height));
      const uint32_t far = std::max(apart(a.x, b.x), apart(a.y, b.y));
      const bool exact = aided_ && (side <= kExactSide || far <= kExactDistance);
      s->phase = exact ? Phase::exact : Phase::gates;
      s->started = false;
      s->from = task.start;
      s->to = task.goal();
    }
    for (;;) {
      if (budget == 0) return Progress::paused;
      const uint64_t before = s->started ? done_by(*s) : 0;
      Progress progress = Progress::ended;
      switch (s->phase) {
        case Phase::exact:
          progress = jump(w, *s, task, *task.layer, std::min(budget, kExact - before));
          if (progress == Progress::ended) return exact(w, *s);
          if (s->state.expanded >= kExact) {
            end_jump(w, *s);
            s->phase = Phase::gates;
          }
          break;
        case Phase::whole:
          progress = jump(w, *s, task, *task.layer, budget);
          if (progress == Progress::ended) return exact(w, *s);
          break;
        case Phase::gates:
          progress = gates(w, *s, task, budget);
          break;
        case Phase::route:
          progress = route(w, *s, task, budget);
          break;
        case Phase::window:
          progress = window(w, *s, task, budget);
          break;
        case Phase::bound:
          progress = bound(w, *s, task, budget);
          if (progress == Progress::ended) return answer(w, *s);
          break;
      }
      if (progress == Progress::out_of_memory) return progress;
      const uint64_t after = s->started ? done_by(*s) : 0;
      budget -= std::min(budget, after > before ? after - before : 1);
    }
  }

 private:
  using Phase = PortalSearch::Phase;

  static Point point(const TileGrid& grid, CellId id) noexcept {
    return {grid.px(id) - 64, grid.py(id) - 64};
  }
  static CellId cell(const TileGrid& grid, Point p) noexcept { return grid.id(p.x + 64, p.y + 64); }

  static uint64_t done_by(const PortalSearch& s) noexcept {
    switch (s.phase) {
      case Phase::gates:
        return s.gate_graph.expanded;
      case Phase::route:
      case Phase::bound:
        return s.graph.expanded;
      default:
        return s.state.expanded;
    }
  }
  // Count what a search did.
  static void end_jump(Workspace& w, PortalSearch& s) noexcept {
    w.state.expanded += s.state.expanded;
    w.state.generated += s.state.generated;
    s.started = false;
  }
  static void end_gates(Workspace& w, PortalSearch& s) noexcept {
    w.state.expanded += s.gate_graph.expanded;
    w.state.generated += s.gate_graph.generated;
    s.started = false;
  }
  static void end_portals(Workspace& w, PortalSearch& s) noexcept {
    w.state.expanded += s.graph.expanded;
    w.state.generated += s.graph.generated;
    s.started = false;
  }

  // Jump point search from s.from to s.to in a world or a corridor of it.
  static Progress jump(Workspace& w, PortalSearch& s, const Task& task, const Layer& layer,
                       uint64_t budget) noexcept {
    Task sub = task;
    sub.layer = &layer;
    sub.start = s.from;
    sub.goals = &s.to;
    const JumpKernel& kernel = jump_kernel();
    JumpMoves moves(kernel, sub, w.pockets, w.hits.data());
    if (!s.started) {
      s.state.begin(kMaxCost);
      s.started = true;
      const TileGrid& grid = layer.grid;
      uint32_t longest = static_cast<uint32_t>(std::max(grid.width, grid.height));
      if (&layer != task.layer) longest = std::min(longest, (kWindow + kKeep + 3) * 64);
      if (!w.sparse_nodes.begin(grid.tiles) ||
          !w.jump_queue.begin(shift_for(task, 2 * Cost{longest})))
        return Progress::out_of_memory;
      SparseNode* start = w.sparse_nodes.reach(s.from);
      if (!start) return Progress::out_of_memory;
      w.sparse_nodes.open(*start, 0, kNoCell);
      if (!w.jump_queue.push(moves.estimate(s.from), 0, {s.from, kAllQuadrants}))
        return Progress::out_of_memory;
    }
    return kernel.sparse_search(moves, w.sparse_nodes, w.jump_queue, w.watch, s.state, budget);
  }

  // Buckets for pushes up to so many diagonal steps ahead, a quarter of a step wide at least.
  static uint32_t shift_for(const Task& task, Cost steps_ahead) noexcept {
    const StepCosts steps = task.costs->steps;
    uint32_t shift =
        steps.straight < 4 ? 0 : static_cast<uint32_t>(std::bit_width(steps.straight)) - 2;
    while ((steps_ahead * steps.diagonal >> shift) + 2 > BucketQueue::kReach) ++shift;
    return shift;
  }

  // The chain of a jump point search that has found its goal.
  static bool unwind_jump(const Workspace& w, PortalSearch& s) noexcept {
    return unwind(w.sparse_nodes, s.state.last, s.to, &s.chain);
  }

  // 1. An exact search has ended.
  static Progress exact(Workspace& w, PortalSearch& s) noexcept {
    const bool found = s.state.found;
    const Cost cost = s.state.cost;
    if (found) {
      if (!unwind_jump(w, s) || !w.chain.resize(s.chain.size())) return Progress::out_of_memory;
      std::copy(s.chain.begin(), s.chain.end(), w.chain.begin());
    }
    end_jump(w, s);
    w.bound = 1;
    if (found) w.state.reach(w.chain.back(), cost, 0, false);
    return Progress::ended;
  }

  // 2. Over the gates.
  bool connect(const Task& task, PortalSearch& s) const noexcept {
    PortalGraph& g = s.graph;
    g.map = portals_of(*task.index, *task.layer);
    if (!g.map) return false;
    const PortalMap& map = *g.map;
    const TileGrid& grid = task.layer->grid;
    g.ends[0].at = point(grid, task.start);
    g.ends[1].at = point(grid, task.goal());
    g.between = kNoWay;
    for (uint32_t i = 2; i-- > 0;) {
      PortalEnd& end = g.ends[i];
      end.block = map.shape().block_of(end.at);
      end.portal = kNoPortal;
      const PortalBlock* b = map.block(*task.layer, end.block, g.room);
      if (!b) return false;
      end.open = b->free;
      if (b->free) continue;
      const bool both = i == 0 && g.ends[1].block == end.block;
      if (!map.connect(*task.layer, end.block, *b, end.at, both ? &g.ends[1].at : nullptr, g.room,
                       end.way))
        return false;
      if (both) g.between = end.way[b->count()];
    }
    // A way inside a block has at most 2,048 steps, or as many as a leaf is wide, and the estimate
    // grows by no more. A stretched one may fall as well: what then lies beyond the list's reach
    // comes up too early.
    g.shift = shift_for(task, 4200);
    s.start = g.ends[0];
    s.goal = g.ends[1];
    const uint32_t regions = map.shape().regions();
    if (g.mark.size() < regions) {
      if (!g.mark.assign(regions, 0)) return false;
      g.stamp = 0;
    }
    s.gate.clear();
    s.upto = 0;
    s.routed = false;
    s.tile.clear();
    s.cell.clear();
    s.route_end = s.start.at;
    s.window = 0;
    s.cost = 0;
    const uint32_t tiles = grid.tiles;
    if (s.mark.size() < tiles) {
      if (!s.mark.assign(tiles, 0)) return false;
      s.stamp = 0;
    }
    return visit_tile(task, s, s.start.at) && s.corridor.begin(*task.layer);
  }

  Progress gates(Workspace& w, PortalSearch& s, const Task& task, uint64_t budget) const noexcept {
    if (!s.started) {
      if (!connect(task, s) || !w.chain.push(task.start)) return Progress::out_of_memory;
      const PortalShape& shape = s.graph.map->shape();
      const Point a = s.start.at, b = s.goal.at;
      const bool far = std::max(apart(a.x, b.x), apart(a.y, b.y)) > kFarAway || !aided_;
      if (!far || shape.region_of(s.start.block) == shape.region_of(s.goal.block)) {
        s.phase = Phase::route;
        return Progress::ended;
      }
    }
    GateSearchLoop loop(task, w.buckets, s.graph, s.gate_graph);
    if (!s.started) {
      if (!loop.begin()) return Progress::out_of_memory;
      s.started = true;
    }
    const Progress progress = loop.run(budget);
    if (progress != Progress::ended) return progress;
    end_gates(w, s);
    s.phase = Phase::route;
    if (s.gate_graph.crowded) return progress;
    const PortalMap& map = *s.graph.map;
    for (GateId id = s.gate_graph.last; id != kNoPortal; id = s.gate_graph.nodes.known(id).parent) {
      const uint32_t region = id >> kGateBits;
      const PortalGate gate = map.peek_gates(region)->gates()[id & (kMostGates - 1)];
      if (!s.gate.push({map.shape().block_in(region, gate.block) << kPortalBits | gate.portal,
                        s.gate_graph.nodes.known(id).g}))
        return Progress::out_of_memory;
    }
    std::reverse(s.gate.begin(), s.gate.end());
    PortalGraph& g = s.graph;
    if (++g.stamp == 0) {
      for (uint32_t& m : g.mark) m = 0;
      g.stamp = 1;
    }
    return progress;
  }

  // Lets the route into a region and those round it.
  static void allow(PortalGraph& g, const PortalShape& shape, uint32_t block) noexcept {
    const uint32_t across = shape.regions_across(), down = shape.regions() / across;
    const uint32_t region = shape.region_of(block);
    for (uint32_t y = 0; y < 3; ++y) {
      for (uint32_t x = 0; x < 3; ++x) {
        const uint32_t column = region % across + x - 1, row = region / across + y - 1;
        if (column < across && row < down) g.mark[row * across + column] = g.stamp;
      }
    }
  }

  static bool over_many_gates(const PortalSearch& s) noexcept { return s.gate.size() > kManyGates; }

  // How many 256ths of the empty-grid distance a search for the way to gate `target` shall
  // estimate. The gates tell how much longer that way is; five eighths of that leave the best ways
  // as they are, nearly always, and spare half of the search where walls are everywhere.
  static uint32_t stretch_to(const PortalSearch& s, const PortalMap& map,
                             uint32_t target) noexcept {
    const PortalShape& shape = map.shape();
    const auto place = [&](PortalId id) {
      const uint32_t b = id >> kPortalBits;
      return shape.place(*map.peek(b), b, id & (kMostPortals - 1));
    };
    const bool first = target < kAhead;
    const Point from = first ? s.start.at : place(s.gate[target - kAhead].portal);
    const Cost line = shape.gate_steps().line(from, place(s.gate[target].portal));
    const Cost way = s.gate[target].length - (first ? 0 : s.gate[target - kAhead].length);
    const Cost more = way > line ? way - line : 0;
    return 256 + static_cast<uint32_t>(
                     std::min<Cost>(kMostStretch - 256, 160 * more / std::max<Cost>(1, line)));
  }

  // 3. Over the portals: to the goal at once, or to a gate some regions ahead.
  static Progress route(Workspace& w, PortalSearch& s, const Task& task, uint64_t budget) noexcept {
    PortalGraph& g = s.graph;
    const PortalMap& map = *s.graph.map;
    const PortalShape& shape = map.shape();
    const auto gates = static_cast<uint32_t>(s.gate.size());
    const uint32_t target = std::min(s.upto + kAhead, gates);
    if (!s.started) {
      g.held = gates != 0;
      g.stretch = target < gates && over_many_gates(s) ? stretch_to(s, map, target) : 256;
      if (g.held) {
        if (s.upto == 0) allow(g, shape, s.start.block);
        for (uint32_t i = s.upto == 0 ? 0 : s.upto + kAhead - 1; i < target; ++i)
          allow(g, shape, s.gate[i].portal >> kPortalBits);
        g.ends[1] = s.goal;
        if (target < gates) {
          const uint32_t b = s.gate[target].portal >> kPortalBits;
          map.end_at(b, *map.peek(b), s.gate[target].portal & (kMostPortals - 1), &g.ends[1]);
        }
        const PortalEnd &from = g.ends[0], &to = g.ends[1];
        if (from.block == to.block && !from.open) {
          if (to.portal != kNoPortal)
            g.between = from.way[to.portal];
          else if (from.portal != kNoPortal)
            g.between = to.way[from.portal];
        }
      }
    }
    PortalSearchLoop<false> loop(task, w.buckets, g);
    if (!s.started) {
      if (!loop.begin()) return Progress::out_of_memory;
      s.started = true;
    }
    const Progress progress = loop.run(budget);
    if (progress != Progress::ended) return progress;
    end_portals(w, s);
    const bool found = g.best != kMaxCost;
    s.phase = found ? Phase::window : Phase::whole;
    if (!found) {
      s.from = task.start;
      s.to = task.goal();
      return progress;
    }
    s.chain.clear();
    for (PortalId id = g.last; id != kNoPortal; id = g.nodes.known(id).parent)
      if (!s.chain.push(id)) return Progress::out_of_memory;
    std::reverse(s.chain.begin(), s.chain.end());
    // The tiles along the route, from the cell where it enters a leaf to the one where it leaves.
    s.routed = target == gates;
    const size_t keep = s.routed ? s.chain.size() : s.chain.size() / (over_many_gates(s) ? 3 : 2);
    bool fits = true;
    for (size_t i = 0; i < keep; ++i) {
      const uint32_t b = s.chain[i] >> kPortalBits, p = s.chain[i] & (kMostPortals - 1);
      const Point next = shape.place(*map.peek(b), b, p);
      const Point to = CornerMaps::step(next, kOutwards[map.peek(b)->side_of(p)], 1);
      fits = fits && visit_line(task, s, s.route_end, to) && visit_tile(task, s, next);
      s.route_end = next;
    }
    if (s.routed) {
      fits = fits && visit_line(task, s, s.route_end, s.goal.at);
    } else if (keep != 0) {
      const uint32_t b = s.chain[keep - 1] >> kPortalBits;
      map.end_at(b, *map.peek(b), s.chain[keep - 1] & (kMostPortals - 1), &g.ends[0]);
    }
    ++s.upto;
    return fits ? progress : Progress::out_of_memory;
  }
  static constexpr uint32_t kOutwards[4] = {kNorth, kWest, kEast, kSouth};

  static bool visit_tile(const Task& task, PortalSearch& s, Point p) noexcept {
    const CellId id = cell(task.layer->grid, p);
    if (!s.tile.empty() && s.tile.back() == id >> 12) return true;
    return s.tile.push(id >> 12) && s.cell.push(id);
  }
  static bool visit_line(const Task& task, PortalSearch& s, Point a, Point b) noexcept {
    // Inside one tile whatever is between; across tiles only in free leaves, along the line.
    if (((a.x ^ b.x) | (a.y ^ b.y)) < 64) return visit_tile(task, s, b);
    while (!(a == b)) {
      a.x += static_cast<uint32_t>((a.x < b.x) - (a.x > b.x));
      a.y += static_cast<uint32_t>((a.y < b.y) - (a.y > b.y));
      if (!visit_tile(task, s, a)) return false;
    }
    return true;
  }

  // 4. Windows. The k-th goes from where the last one was left to the route's tile kKeep * k +
  // kWindow, in the corridor of the tiles from kKeep * (k - 1) on.
  static Progress window(Workspace& w, PortalSearch& s, const Task& task,
                         uint64_t budget) noexcept {
    const TileGrid& grid = task.layer->grid;
    const uint32_t last = static_cast<uint32_t>(s.tile.size()) - 1;
    const uint32_t end = std::min(last, s.window * kKeep + kWindow);
    if (!s.routed && end == last) {
      s.phase = Phase::route;
      return Progress::ended;
    }
    if (!s.started) {
      if (!mark_round(s, grid, (s.window == 0 ? 0 : s.window - 1) * kKeep, end) ||
          !s.corridor.enter(s.inside))
        return Progress::out_of_memory;
      s.to = end == last ? task.goal() : s.cell[end];
    }
    Progress progress = Progress::ended;
    if (s.from != s.to) {
      progress = jump(w, s, task, s.corridor.layer(), budget);
      if (progress != Progress::ended) return progress;
      if (!s.state.found) {
        // Only a file that lies leads here.
        end_jump(w, s);
        s.from = task.start;
        s.to = task.goal();
        s.phase = Phase::whole;
        return progress;
      }
      if (!unwind_jump(w, s)) return Progress::out_of_memory;
    } else {
      s.state.begin(kMaxCost);
      if (!s.chain.resize(1)) return Progress::out_of_memory;
      s.chain[0] = s.from;
    }
    end_jump(w, s);
    if (end == last) {
      for (size_t i = 1; i < s.chain.size(); ++i)
        if (!keep(w, s, grid, task, s.chain[i])) return Progress::out_of_memory;
      s.phase = Phase::bound;
      return progress;
    }
    // What the next window must be able to go on from: a cell of this way from which the rest of it
    // stays in the next corridor.
    if (!unroll(s, grid) || !mark_round(s, grid, s.window * kKeep, end))
      return Progress::out_of_memory;
    size_t cut = s.cells.size() - 1;
    while (cut > 0 && s.mark[s.cells[cut - 1] >> 12] == s.stamp) --cut;
    cut = std::max(cut, over_many_gates(s) ? s.cells.size() * 3 / 5 : s.cells.size() / 2);
    size_t at = 0;
    for (size_t i = 1; i < s.chain.size(); ++i) {
      const Point a = point(grid, s.chain[i - 1]), b = point(grid, s.chain[i]);
      at += std::max(apart(a.x, b.x), apart(a.y, b.y));
      if (at >= cut) break;
      if (!keep(w, s, grid, task, s.chain[i])) return Progress::out_of_memory;
    }
    if (!keep(w, s, grid, task, s.cells[cut])) return Progress::out_of_memory;
    s.from = s.cells[cut];
    ++s.window;
    return progress;
  }

  static bool keep(Workspace& w, PortalSearch& s, const TileGrid& grid, const Task& task,
                   CellId next) noexcept {
    const Point a = point(grid, w.chain.back()), b = point(grid, next);
    s.cost += empty_grid_cost(apart(a.x, b.x), apart(a.y, b.y), task.costs->steps);
    return w.chain.back() == next || w.chain.push(next);
  }

  // Every cell of s.chain.
  static bool unroll(PortalSearch& s, const TileGrid& grid) noexcept {
    s.cells.clear();
    Point a = point(grid, s.chain[0]);
    if (!s.cells.push(s.chain[0])) return false;
    for (size_t i = 1; i < s.chain.size(); ++i) {
      const Point b = point(grid, s.chain[i]);
      while (!(a == b)) {
        a.x += static_cast<uint32_t>((a.x < b.x) - (a.x > b.x));
        a.y += static_cast<uint32_t>((a.y < b.y) - (a.y > b.y));
        if (!s.cells.push(cell(grid, a))) return false;
      }
    }
    return true;
  }

  // Fills s.inside with the tiles from `first` to `last` of the route and those round them, which
  // get the present mark.
  static bool mark_round(PortalSearch& s, const TileGrid& grid, uint32_t first,
                         uint32_t last) noexcept {
    if (++s.stamp == 0) {
      for (uint32_t& m : s.mark) m = 0;
      s.stamp = 1;
    }
    s.inside.clear();
    const uint32_t across = 1u << grid.row_shift;
    for (uint32_t i = first; i <= last; ++i) {
      for (uint32_t y = 0; y < 3; ++y) {
        for (uint32_t x = 0; x < 3; ++x) {
          const uint32_t tile = s.tile[i] + (y - 1) * across + x - 1;
          const uint32_t column = (tile & (across - 1)) - 1, row = (tile >> grid.row_shift) - 1;
          if (column >= grid.tile_cols || row >= grid.tile_rows || s.mark[tile] == s.stamp)
            continue;
          s.mark[tile] = s.stamp;
          if (!s.inside.push(tile)) return false;
        }
      }
    }
    return true;
  }

  // 5. The bound.
  static Progress bound(Workspace& w, PortalSearch& s, const Task& task, uint64_t budget) noexcept {
    PortalSearchLoop<true> loop(task, w.buckets, s.graph);
    if (!s.started) {
      s.graph.held = false;
      s.graph.ends[0] = s.start;
      s.graph.ends[1] = s.goal;
      if (!loop.begin()) return Progress::out_of_memory;
      s.started = true;
    }
    const uint64_t left = kBoundExpansions - s.graph.expanded;
    const Progress progress = loop.run(std::min(budget, left));
    if (progress == Progress::out_of_memory ||
        (progress == Progress::paused && s.graph.expanded < kBoundExpansions))
      return progress;
    // Whatever is left in the list costs no less than the way that was found.
    if (progress == Progress::ended) s.graph.lowest = std::max(s.graph.lowest, s.graph.best);
    return Progress::ended;
  }

  static Progress answer(Workspace& w, PortalSearch& s) noexcept {
    end_portals(w, s);
    w.bound = static_cast<double>(s.cost) / static_cast<double>(s.graph.lowest) * (1 + 1e-12);
    w.state.reach(w.chain.back(), s.cost, 0, false);
    return Progress::ended;
  }

  IndexKind kind_;
  bool aided_;
  SolverInfo info_;
};

constexpr SolverInfo kPortalsInfo{
    "portals", "portals between blocks of 64 x 64 cells, then exact search along the way",
    "views with an index of portals, one goal, no limits, nothing watched", "jps", false};
constexpr SolverInfo kQuadtreeInfo{
    "quadtree", "portals between the leaves of a quadtree, then exact search along the way",
    "views with an index of a quadtree, one goal, no limits, nothing watched", "jps", false};

constinit const PortalSolver kPortals(IndexKind::portals, true, kPortalsInfo);
constinit const PortalSolver kQuadtree(IndexKind::quadtree, true, kQuadtreeInfo);
constinit const PortalSolver kPortalsUnaided(IndexKind::portals, false, kPortalsInfo);
constinit const PortalSolver kQuadtreeUnaided(IndexKind::quadtree, false, kQuadtreeInfo);

}  // namespace

constinit const Solver& portals_solver = kPortals;
constinit const Solver& quadtree_solver = kQuadtree;
constinit const Solver& portals_unaided = kPortalsUnaided;
constinit const Solver& quadtree_unaided = kQuadtreeUnaided;

}  // namespace octile
