// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Long ways over the portals of an index, made nearly exact afterwards. In this order:
//
//   1  exact    short queries: jump point search, as far as kExact expansions go
//   2  route    A* from portal to portal, which gives a way of single blocks
//   3  windows  that way is cut into stretches; a jump point search inside a corridor of tiles,
//   those
//               on the stretch and one more on each side, finds the shortest way through it; half
//               of it is kept, the rest found again by the next window
//   4  bound    a second search over the portals, with lengths that no path can undercut, tells how
//               far from the optimum the answer can be at most
//
// Nothing is ever missed: a way over portals exists whenever a path does, since all cells of a gap
// are connected along it, and each corridor holds its stretch of the route. Should an index file
// have lied, the whole map is searched. docs/portals.md has the proofs.

#include <algorithm>

#include "index/portal_index.hpp"
#include "search/corridor.hpp"
#include "search/hashed_nodes.hpp"
#include "search/jump.hpp"
#include "solvers/solver.hpp"

namespace octile {

namespace {

constexpr uint64_t kExact = 2000;            // expansions
constexpr uint32_t kExactSide = 2048;        // of maps, or
constexpr uint32_t kExactDistance = 512;     // between the ends, where the exact search is tried
constexpr uint32_t kWindow = 17, kKeep = 8;  // tiles of a stretch
constexpr uint64_t kBoundExpansions = 4096;
// Nodes of a search over portals: a run of records for each block that it touches, in the order of
// its portals. 8 bytes for each block of the map, 16 for each portal of a block touched.
class PortalNodes {
 public:
  struct Node {
    Cost g;
    PortalId parent;
    uint32_t closed;
  };
  bool begin(uint32_t blocks) noexcept {
    if (run_.size() < blocks) {
      if (!run_.assign(blocks, {0, 0})) return false;
      stamp_ = 0;
    }
    if (++stamp_ == 0) {
      for (Run& run : run_) run.stamp = 0;
      stamp_ = 1;
    }
    node_.clear();
    return true;
  }
  // Where the records of a block begin, until the next call; null: memory is short.
  Node* of(uint32_t block, uint32_t count) noexcept {
    Run& run = run_[block];
    if (run.stamp != stamp_) {
      const size_t first = node_.size();
      if (first + count > UINT32_MAX) return nullptr;
      if (node_.capacity() < first + count && !node_.reserve(first + count + first / 2 + 1024))
        return nullptr;
      node_.resize(first + count);  // reserved
      for (uint32_t i = 0; i < count; ++i) node_[first + i] = {UINT64_MAX, kNoPortal, 0};
      run = {static_cast<uint32_t>(first), stamp_};
    }
    return node_.data() + run.first;
  }
  // Of a portal that was reached.
  Node& known(PortalId id) noexcept {
    return node_[run_[id >> kPortalBits].first + (id & (kMostPortals - 1))];
  }
  size_t bytes() const noexcept { return run_.bytes() + node_.bytes(); }

  static constexpr PortalId kNoPortal = 0xffffffff;

 private:
  struct Run {
    uint32_t first, stamp;
  };
  Buffer<Run> run_;
  Buffer<Node> node_;
  uint32_t stamp_ = 0;
};

constexpr PortalId kNoPortal = PortalNodes::kNoPortal;

// One end of a query: its block, and the ways to its portals where these are not free lines.
struct End {
  Point at;
  uint32_t block;
  bool open;  // in a free block
  BlockWay way[kMostPortals + 1];
};

uint32_t apart(uint32_t a, uint32_t b) noexcept {
  return a < b ? b - a : a - b;
}

// The two searches over portals, which share their way through the graph. Nodes are portals as
// entered from the other side, so that a way never leaves by the gap it came through: no shortest
// path does.
//
//   route   lengths are those of ways through the portals' own cells
//   bound   lengths that no path undercuts. A path that crosses a gap anywhere is counted at the
//           portal that the crossed cell belongs to. On the way to the next portal it may have
//           saved the distances of both cells from their portals, and a diagonal crossing moves it
//           one cell along the border for nothing.
struct PortalGraph {
  PortalRoom room;
  PortalNodes nodes;
  End ends[2];
  BlockWay between = kNoWay;  // when both ends lie in one block
  Cost lowest = 0;            // bound: no path costs less
  // Of the search that is on.
  Cost best = 0;              // to the goal; kMaxCost: none yet
  PortalId last = kNoPortal;  // from which portal; none: straight from the start
  uint64_t expanded = 0, generated = 0;
  uint32_t shift = 0;

  size_t bytes() const noexcept { return room.bytes() + nodes.bytes(); }
};

template <bool kBound>
class PortalSearchLoop {
 public:
  PortalSearchLoop(const Task& task, BucketQueue& queue, PortalGraph& graph) noexcept
      : graph_(graph),
        queue_(queue),
        map_(*task.index->portals),
        shape_(map_.shape()),
        layer_(*task.layer),
        steps_(task.costs->steps),
        goal_(graph.ends[1]) {}

  bool begin() noexcept {
    graph_.best = kMaxCost;
    graph_.last = kNoPortal;
    graph_.expanded = graph_.generated = 0;
    if (!graph_.nodes.begin(shape_.down << shape_.row_bits) || !queue_.begin(graph_.shift))
      return false;
    const End& start = graph_.ends[0];
    if (kBound) graph_.lowest = line(start.at, goal_.at);
    // Straight to the goal, and to the portals of the start's leaf.
    if (start.block == goal_.block || map_.same_leaf(start.block, goal_.block)) {
      if (start.open)
        graph_.best = line(start.at, goal_.at);
      else if (!no_way(graph_.between))
        graph_.best = length(graph_.between);
    }
    from_ = kNoPortal;
    here_ = {start.at, start.at};
    slack_ = 0;
    g_ = 0;
    each_side(start.block, [&](uint32_t b, const PortalBlock& at, uint32_t side) {
      leave(b, at, side, [&](uint32_t p, Cost* way) {
        if (start.open || b != start.block || map_.leaf_bits(b)) {
          *way = line(start.at, shape_.place(b, side, at.portals()[p].at));
          return true;
        }
        if (no_way(start.way[p])) return false;
        *way = length(start.way[p]);
        return true;
      });
    });
    return !failed_;
  }

  Progress run(uint64_t budget) noexcept {
    for (; budget > 0; --budget) {
      // 1. The most promising portal; none is left below the best way: it stands.
      PortalId id;
      if (!queue_.pop(graph_.best, &id)) return Progress::ended;
      PortalNodes::Node& node = graph_.nodes.known(id);
      if (node.closed) continue;
      node.closed = 1;
      ++graph_.expanded;
      from_ = id;
      g_ = node.g;
      const uint32_t b = id >> kPortalBits, p = id & (kMostPortals - 1);
      const PortalBlock* at = map_.peek(b);
      const Portal& portal = at->portals()[p];
      const uint32_t side = at->side_of(p);
      const Point place = shape_.place(b, side, portal.at);
      here_ = kBound ? segment(b, side, portal) : Box{place, place};
      slack_ = kBound ? reach(portal) : 0;
      if (kBound) {
        // Whatever is looked at next, a portal of a cheapest path waits in the list at no more than
        // the path's cost. Buckets are taken in order: none in the list lies below this one.
        const Cost f = (g_ + between(here_, {goal_.at, goal_.at})) >> graph_.shift << graph_.shift;
        graph_.lowest = std::max(graph_.lowest, std::min(f, graph_.best));
      }
      // 2. To the goal.
      if (b == goal_.block || map_.same_leaf(b, goal_.block)) {
        const bool by_line = goal_.open;
        if (by_line || !no_way(goal_.way[p])) {
          const Cost way = by_line ? line(place, goal_.at) : length(goal_.way[p]);
          const Cost total = g_ + least(way, slack_, {goal_.at, goal_.at});
          if (total < graph_.best) {
            graph_.best = total;
            graph_.last = id;
          }
        }
      }
      // 3. To the other portals of the leaf, and across.
      each_side(b, [&](uint32_t other, const PortalBlock& there, uint32_t s) {
        if (&there == at && !there.free) {
          leave(other, there, s, [&](uint32_t q, Cost* way) {
            if (there.portals()[q].gap == portal.gap) return false;
            const BlockWay w = there.way(p, q);
            *way = length(w);
            return !no_way(w);
          });
        } else {
          leave(other, there, s, [&](uint32_t q, Cost* way) {
            *way = line(place, shape_.place(other, s, there.portals()[q].at));
            return other != b || there.portals()[q].gap != portal.gap;
          });
        }
      });
      if (failed_) return Progress::out_of_memory;
    }
    return Progress::paused;
  }

 private:
  struct Box {
    Point low, high;
  };

  Cost length(BlockWay w) const noexcept {
    return steps_.straight * w.straight + steps_.diagonal * w.diagonal;
  }
  Cost line(Point a, Point b) const noexcept {
    return empty_grid_cost(apart(a.x, b.x), apart(a.y, b.y), steps_);
  }
  static uint32_t reach(const Portal& p) noexcept {
    return static_cast<uint32_t>(std::max(p.at - p.low, p.high - p.at));
  }
  Box segment(uint32_t b, uint32_t side, const Portal& p) const noexcept {
    return {shape_.place(b, side, p.low), shape_.place(b, side, p.high)};
  }
  static uint32_t outside(uint32_t a_low, uint32_t a_high, uint32_t b_low,
                          uint32_t b_high) noexcept {
    return a_high < b_low ? b_low - a_high : b_high < a_low ? a_low - b_high : 0;
  }
  Cost between(const Box& a, const Box& b) const noexcept {
    return empty_grid_cost(outside(a.low.x, a.high.x, b.low.x, b.high.x),
                           outside(a.low.y, a.high.y, b.low.y, b.high.y), steps_);
  }
  // A way between portals, in the lengths of this search.
  Cost least(Cost way, uint32_t cells, const Box& to) const noexcept {
    if (!kBound) return way;
    const Cost less = cells * steps_.straight;
    return std::max(way > less ? way - less : 0, between(here_, to));
  }

  // Calls visit(block number, block, side) for the sides of a leaf's blocks that lie outside.
  template <class Visit>
  void each_side(uint32_t b, Visit visit) noexcept {
    const auto look = [&](uint32_t at, uint32_t side) {
      const PortalBlock* there = map_.block(layer_, at, graph_.room);
      if (!there)
        failed_ = true;
      else if (there->first[side] != there->first[side + 1])
        visit(at, *there, side);
    };
    const uint32_t bits = map_.leaf_bits(b), span = 1u << bits;
    const uint32_t x = shape_.column(b) >> bits << bits, y = shape_.row(b) >> bits << bits;
    for (uint32_t i = 0; i < span; ++i) look(shape_.block_at(x + i, y), kSideNorth);
    for (uint32_t i = 0; i < span; ++i) look(shape_.block_at(x, y + i), kSideWest);
    for (uint32_t i = 0; i < span; ++i) look(shape_.block_at(x + span - 1, y + i), kSideEast);
    for (uint32_t i = 0; i < span; ++i) look(shape_.block_at(x + i, y + span - 1), kSideSouth);
  }

  // Crosses one side of a block at each of its portals to which way_to(portal, &cost) knows a way.
  template <class Way>
  void leave(uint32_t b, const PortalBlock& at, uint32_t side, Way way_to) noexcept {
    const uint32_t next = shape_.beside(b, side), facing = opposite(side);
    const PortalBlock* there = map_.block(layer_, next, graph_.room);
    PortalNodes::Node* node = there ? graph_.nodes.of(next, there->count()) : nullptr;
    if (!node) {
      failed_ = true;
      return;
    }
    const uint32_t first = at.first[side], other = there->first[facing];
    // Both sides list the same portals. A file may lie.
    const uint32_t count =
        std::min<uint32_t>(at.first[side + 1] - first, there->first[facing + 1] - other);
    const Cost crossing = kBound ? steps_.diagonal - steps_.straight : steps_.straight;
    for (uint32_t k = 0; k < count; ++k) {
      Cost way;
      if (!way_to(first + k, &way)) continue;
      const Portal& portal = at.portals()[first + k];
      if (kBound) way = least(way, slack_ + reach(portal), segment(b, side, portal));
      const Cost g = g_ + way + crossing;
      PortalNodes::Node& n = node[other + k];
      if (g >= n.g) continue;
      const Portal& entered = there->portals()[other + k];
      const Cost rest = kBound ? between(segment(next, facing, entered), {goal_.at, goal_.at})
                               : line(shape_.place(next, facing, entered.at), goal_.at);
      if (g + rest >= graph_.best) continue;
      n = {g, from_, 0};
      ++graph_.generated;
      if (!queue_.push(g + rest, g, next << kPortalBits | (other + k))) failed_ = true;
    }
  }

  PortalGraph& graph_;
  BucketQueue& queue_;
  const PortalMap& map_;
  const PortalShape& shape_;
  const Layer& layer_;
  const StepCosts steps_;
  const End& goal_;
  // Of the node that is expanded.
  PortalId from_ = kNoPortal;
  Cost g_ = 0;
  Box here_{};
  uint32_t slack_ = 0;
  bool failed_ = false;  // memory is short
};

struct PortalSearch final : Annex {
  enum class Phase : uint8_t { exact, whole, route, window, bound };
  Phase phase = Phase::exact;
  bool started = false;  // the search of this phase
  PortalGraph graph;
  HashedNodes nodes;  // of jump points
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
    return sizeof *this + graph.bytes() + nodes.bytes() + tile.bytes() + cell.bytes() +
           chain.bytes() + corridor.bytes() + inside.bytes() + mark.bytes() + cells.bytes();
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
      if (!w.hits.reserve(2 * JumpHits::most(grid))) return Progress::out_of_memory;
      const Point a = point(grid, task.start), b = point(grid, task.goal());
      const uint32_t side = static_cast<uint32_t>(std::max(grid.width, grid.height));
      const uint32_t far = std::max(apart(a.x, b.x), apart(a.y, b.y));
      s->phase =
          aided_ && (side <= kExactSide || far <= kExactDistance) ? Phase::exact : Phase::route;
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
            s->phase = Phase::route;
          }
          break;
        case Phase::whole:
          progress = jump(w, *s, task, *task.layer, budget);
          if (progress == Progress::ended) return exact(w, *s);
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
    return s.phase == Phase::route || s.phase == Phase::bound ? s.graph.expanded : s.state.expanded;
  }
  // Count what a search did.
  static void end_jump(Workspace& w, PortalSearch& s) noexcept {
    w.state.expanded += s.state.expanded;
    w.state.generated += s.state.generated;
    s.started = false;
  }
  static void end_portals(Workspace& w, PortalSearch& s) noexcept {
    w.state.expanded += s.graph.expanded;
    w.state.generated += s.graph.generated;
    s.started = false;
  }

  static bool unwind_to(const HashedNodes& nodes, uint32_t last, uint32_t none,
                        Buffer<uint32_t>* out) noexcept {
    out->clear();
    for (uint32_t id = last; id != none; id = nodes.known(id).parent)
      if (!out->push(id)) return false;
    std::reverse(out->begin(), out->end());
    return true;
  }

  // Jump point search from s.from to s.to in a world or a corridor of it.
  static Progress jump(Workspace& w, PortalSearch& s, const Task& task, const Layer& layer,
                       uint64_t budget) noexcept {
    Task sub = task;
    sub.layer = &layer;
    sub.start = s.from;
    sub.goals = &s.to;
    JumpMoves moves(jump_kernel(), sub, w.pockets, w.hits.data());
    if (!s.started) {
      s.state.begin(kMaxCost);
      s.started = true;
      const TileGrid& grid = layer.grid;
      uint32_t longest = static_cast<uint32_t>(std::max(grid.width, grid.height));
      if (&layer != task.layer) longest = std::min(longest, (kWindow + kKeep + 3) * 64);
      if (!s.nodes.begin() || !w.jump_queue.begin(shift_for(task, 2 * Cost{longest})))
        return Progress::out_of_memory;
      HashedNode* start = s.nodes.reach(s.from);
      if (!start) return Progress::out_of_memory;
      s.nodes.open(*start, 0, kNoCell);
      if (!w.jump_queue.push(moves.estimate(s.from), 0, {s.from, kAllQuadrants}))
        return Progress::out_of_memory;
    }
    return detail::best_first(moves, s.nodes, w.jump_queue, w.watch, s.state, budget);
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
  static bool unwind_jump(PortalSearch& s) noexcept {
    if (!unwind_to(s.nodes, s.state.last, kNoCell, &s.chain)) return false;
    return s.state.last == s.to || s.chain.push(s.to);
  }

  // 1. An exact search has ended.
  static Progress exact(Workspace& w, PortalSearch& s) noexcept {
    const bool found = s.state.found;
    const Cost cost = s.state.cost;
    if (found) {
      if (!unwind_jump(s) || !w.chain.resize(s.chain.size())) return Progress::out_of_memory;
      std::copy(s.chain.begin(), s.chain.end(), w.chain.begin());
    }
    end_jump(w, s);
    w.bound = 1;
    if (found) w.state.reach(w.chain.back(), cost, 0, false);
    return Progress::ended;
  }

  // 2. Over the portals.
  static bool connect(const Task& task, PortalGraph& g) noexcept {
    const PortalMap& map = *task.index->portals;
    const TileGrid& grid = task.layer->grid;
    g.ends[0].at = point(grid, task.start);
    g.ends[1].at = point(grid, task.goal());
    g.between = kNoWay;
    for (uint32_t i = 2; i-- > 0;) {
      End& end = g.ends[i];
      end.block = map.shape().block_of(end.at);
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
    // grows by no more.
    g.shift = shift_for(task, 4200);
    return true;
  }

  static Progress route(Workspace& w, PortalSearch& s, const Task& task, uint64_t budget) noexcept {
    PortalSearchLoop<false> loop(task, w.buckets, s.graph);
    if (!s.started) {
      if (!connect(task, s.graph) || !loop.begin()) return Progress::out_of_memory;
      s.started = true;
    }
    const Progress progress = loop.run(budget);
    if (progress != Progress::ended) return progress;
    end_portals(w, s);
    const bool found = s.graph.best != kMaxCost;
    s.phase = found ? Phase::window : Phase::whole;
    if (!found) return progress;
    s.chain.clear();
    for (PortalId id = s.graph.last; id != kNoPortal; id = s.graph.nodes.known(id).parent)
      if (!s.chain.push(id)) return Progress::out_of_memory;
    std::reverse(s.chain.begin(), s.chain.end());
    // The tiles along the route, from the cell where it enters a leaf to the one where it leaves.
    s.tile.clear();
    s.cell.clear();
    Point at = s.graph.ends[0].at;
    bool fits = visit_tile(task, s, at);
    const PortalMap& map = *task.index->portals;
    for (const PortalId id : s.chain) {
      const uint32_t b = id >> kPortalBits, p = id & (kMostPortals - 1);
      const Point next = map.shape().place(*map.peek(b), b, p);
      const Point to = CornerMaps::step(next, kOutwards[map.peek(b)->side_of(p)], 1);
      fits = fits && visit_line(task, s, at, to) && visit_tile(task, s, next);
      at = next;
    }
    fits = fits && visit_line(task, s, at, s.graph.ends[1].at);
    s.from = task.start;
    s.window = 0;
    s.cost = 0;
    w.chain.clear();
    if (!fits || !w.chain.push(task.start) || !s.corridor.begin(*task.layer))
      return Progress::out_of_memory;
    const uint32_t tiles = task.layer->grid.tiles;
    if (s.mark.size() < tiles) {
      if (!s.mark.assign(tiles, 0)) return Progress::out_of_memory;
      s.stamp = 0;
    }
    return progress;
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

  // 3. Windows. The k-th goes from where the last one was left to the route's tile kKeep * k +
  // kWindow, in the corridor of the tiles from kKeep * (k - 1) on.
  static Progress window(Workspace& w, PortalSearch& s, const Task& task,
                         uint64_t budget) noexcept {
    const TileGrid& grid = task.layer->grid;
    const uint32_t last = static_cast<uint32_t>(s.tile.size()) - 1;
    const uint32_t end = std::min(last, s.window * kKeep + kWindow);
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
      if (!unwind_jump(s)) return Progress::out_of_memory;
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
    cut = std::max(cut, s.cells.size() / 2);
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

  // 4. The bound.
  static Progress bound(Workspace& w, PortalSearch& s, const Task& task, uint64_t budget) noexcept {
    PortalSearchLoop<true> loop(task, w.buckets, s.graph);
    if (!s.started) {
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
