// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The searches of `portals` and `quadtree` above the cells: over portals, and over the gates of
// regions.

#include <algorithm>
#include <bit>

#include "index/portal_index.hpp"
#include "search/open_list.hpp"
#include "search/task.hpp"

namespace octile {

// Nodes of a search over portals: a run of records for each block that it touches, in the order of
// its portals; or over gates, by region. 8 bytes for each block of the map, 24 for each portal of a
// block touched.
template <uint32_t kBits>
class RunNodes {
 public:
  struct Node {
    Cost g;
    PortalId parent;
    uint32_t closed;
  };
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr Cost kFarthest = Cost{1} << 62;  // no way is as long

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
    limit_.clear();
    return true;
  }
  // The number of the first record of a block; kNone: memory is short.
  uint32_t of(uint32_t block, uint32_t count) noexcept {
    Run& run = run_[block];
    if (run.stamp == stamp_) return run.first;
    const size_t first = node_.size(), size = first + count;
    if (size >= kNone) return kNone;
    if (node_.capacity() < size &&
        (!node_.reserve(size + first / 2 + 1024) || !limit_.reserve(size + first / 2 + 1024)))
      return kNone;
    node_.resize(size);  // reserved, as is the other
    limit_.resize(size);
    for (size_t i = first; i < size; ++i) {
      node_[i] = {UINT64_MAX, kNoPortal, 0};
      limit_[i] = kFarthest;
    }
    run = {static_cast<uint32_t>(first), stamp_};
    return run.first;
  }
  Node& operator[](uint32_t record) noexcept { return node_[record]; }
  // Whoever comes to a portal from inside its block, and not for less than this, need not leave
  // there: somebody has, or came in there and went wherever that way leads. Until the next of().
  Cost* limits(uint32_t record) noexcept { return limit_.data() + record; }
  // Of a portal that was reached.
  Node& known(PortalId id) noexcept {
    return node_[run_[id >> kBits].first + (id & ((1u << kBits) - 1))];
  }
  size_t bytes() const noexcept { return run_.bytes() + node_.bytes() + limit_.bytes(); }

 private:
  struct Run {
    uint32_t first, stamp;
  };
  Buffer<Run> run_;
  Buffer<Node> node_;
  Buffer<Cost> limit_;  // beside the nodes
  uint32_t stamp_ = 0;
};

using PortalNodes = RunNodes<kPortalBits>;
using GateNodes = RunNodes<kGateBits>;

inline uint32_t apart(uint32_t a, uint32_t b) noexcept {
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
  const PortalMap* map = nullptr;
  PortalRoom room;
  PortalNodes nodes;
  PortalEnd ends[2];
  BlockWay between = kNoWay;  // when both ends lie in one block
  Cost lowest = 0;            // bound: no path costs less
  // The regions that the search is held in, by number; or in none.
  bool held = false;
  Buffer<uint32_t> mark;
  uint32_t stamp = 0;
  // Of the search that is on.
  Cost best = 0;              // to the goal; kMaxCost: none yet
  PortalId last = kNoPortal;  // from which portal; none: straight from the start
  uint64_t expanded = 0, generated = 0;
  uint32_t shift = 0;
  // Route: the estimate, in 256ths of the empty-grid distance. Above 256, ways need not be the
  // shortest.
  uint32_t stretch = 256;

  size_t bytes() const noexcept { return room.bytes() + nodes.bytes() + mark.bytes(); }
};

template <bool kBound>
class PortalSearchLoop {
 public:
  PortalSearchLoop(const Task& task, BucketQueue& queue, PortalGraph& graph) noexcept
      : graph_(graph),
        queue_(queue),
        map_(*graph.map),
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
    const PortalEnd& start = graph_.ends[0];
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
      const bool by_line = start.open || b != start.block || map_.leaf_bits(b);
      for (uint32_t p = at.first[side]; p < at.first[side + 1]; ++p) {
        if (by_line)
          way_[p] = line(start.at, shape_.place(b, side, at.portals()[p].at));
        else
          way_[p] = length(start.way[p]);
      }
      leave(b, at, side);
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
      if (!at->free) at->each_way(p, [&](uint32_t q, BlockWay w) { way_[q] = length(w); });
      each_side(b, [&](uint32_t other, const PortalBlock& there, uint32_t s) {
        if (&there != at || there.free) {
          for (uint32_t q = there.first[s]; q < there.first[s + 1]; ++q)
            way_[q] = line(place, shape_.place(other, s, there.portals()[q].at));
        }
        if (&there == at && s == side) {
          // Not back through its own gap.
          way_[p] = kNone;
          for (uint32_t q = portal.gap; q < at->count() && at->portals()[q].gap == portal.gap; ++q)
            way_[q] = kNone;
        }
        leave(other, there, s);
      });
      if (failed_) return Progress::out_of_memory;
    }
    return Progress::paused;
  }

 private:
  struct Box {
    Point low, high;
  };

  static constexpr Cost kNone = PortalNodes::kFarthest;

  // kNone where there is no way.
  Cost length(BlockWay w) const noexcept {
    if (no_way(w)) return kNone;
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
    if (!kBound || way == kNone) return way;
    const Cost less = cells * steps_.straight;
    return std::max(way > less ? way - less : 0, between(here_, to));
  }

  template <class Visit>
  void each_side(uint32_t b, Visit visit) noexcept {
    if (!map_.each_side(layer_, b, graph_.room, visit)) failed_ = true;
  }

  // Crosses one side of a block at each of its portals that way_ leads to.
  void leave(uint32_t b, const PortalBlock& at, uint32_t side) noexcept {
    const uint32_t here = graph_.nodes.of(b, at.count());
    if (here == PortalNodes::kNone) {
      failed_ = true;
      return;
    }
    // 1. Which portals are worth it: few of some thirty, and no guess would be right. The ways
    //    inside a block obey the triangle inequality, so limits hold.
    const uint32_t first = at.first[side], count = at.first[side + 1] - first;
    const Cost* limits = graph_.nodes.limits(here) + first;
    uint64_t worth = 0;
    for (uint32_t k = 0; k < count; ++k) {
      if (kBound) {
        const Portal& portal = at.portals()[first + k];
        way_[first + k] = least(way_[first + k], slack_ + reach(portal), segment(b, side, portal));
      }
      worth |= uint64_t{g_ + way_[first + k] < limits[k]} << k;
    }
    if (worth == 0) return;
    // 2. What lies beyond.
    const uint32_t next = shape_.beside(b, side), facing = opposite(side);
    if (graph_.held && graph_.mark[shape_.region_of(next)] != graph_.stamp) return;
    const PortalBlock* there = map_.block(layer_, next, graph_.room);
    const uint32_t record = there ? graph_.nodes.of(next, there->count()) : PortalNodes::kNone;
    if (record == PortalNodes::kNone) {
      failed_ = true;
      return;
    }
    const Cost crossing = kBound ? steps_.diagonal - steps_.straight : steps_.straight;
    const Point corner = shape_.corner(next);
    for (; worth != 0; worth &= worth - 1) {
      const uint32_t k = static_cast<uint32_t>(std::countr_zero(worth)), p = first + k;
      // Both sides list the same portals. A file may lie.
      const uint32_t q = there->first[facing] + k;
      if (q >= there->first[facing + 1]) return;
      const Cost g = g_ + way_[p] + crossing;
      const Portal& entered = there->portals()[q];
      const Cost rest =
          kBound
              ? between(segment(next, facing, entered), {goal_.at, goal_.at})
              : line(PortalShape::on_side(corner, facing, entered.at, shape_.side_bits), goal_.at) *
                        graph_.stretch >>
                    8;
      if (g + rest >= graph_.best) continue;
      graph_.nodes[record + q] = {g, from_, 0};
      graph_.nodes.limits(here)[p] = g_ + way_[p];
      if (!kBound) graph_.nodes.limits(record)[q] = std::min(graph_.nodes.limits(record)[q], g);
      ++graph_.generated;
      if (!queue_.push(g + rest, g, next << kPortalBits | q)) failed_ = true;
    }
  }

  PortalGraph& graph_;
  BucketQueue& queue_;
  const PortalMap& map_;
  const PortalShape& shape_;
  const Layer& layer_;
  const StepCosts steps_;
  const PortalEnd& goal_;
  // Of the node that is expanded.
  PortalId from_ = kNoPortal;
  Cost g_ = 0;
  Box here_{};
  uint32_t slack_ = 0;
  Cost way_[kMostPortals] = {};  // to the portals of the block that is left
  bool failed_ = false;          // memory is short
};

// The search over gates, from region to region. The ends are joined to the gates of their regions
// by floods over portals.
struct GateGraph {
  GateNodes nodes;
  Buffer<uint32_t> from_start, to_goal;  // by gate of the end's region
  uint32_t region[2] = {0, 0};           // of the ends
  GateId last = kNoPortal;               // the best way's last gate, entered; none: no way
  Cost best = 0;
  bool crowded = false;  // some region has no gates: the search tells nothing
  uint64_t expanded = 0, generated = 0;
  size_t bytes() const noexcept { return nodes.bytes() + from_start.bytes() + to_goal.bytes(); }
};

class GateSearchLoop {
 public:
  GateSearchLoop(const Task& task, BucketQueue& queue, PortalGraph& portals,
                 GateGraph& graph) noexcept
      : graph_(graph),
        queue_(queue),
        room_(portals.room),
        map_(*portals.map),
        shape_(map_.shape()),
        layer_(*task.layer),
        steps_(shape_.gate_steps()),
        across_(shape_.regions_across()),
        start_(portals.ends[0]),
        goal_(portals.ends[1]) {}

  bool begin() noexcept {
    graph_.best = kMaxCost;
    graph_.last = kNoPortal;
    graph_.crowded = false;
    graph_.expanded = graph_.generated = 0;
    // Buckets of some four steps: from gate to gate it takes more, so order among those matters
    // little.
    const auto shift = static_cast<uint32_t>(std::bit_width(steps_.straight)) + 1;
    if (!graph_.nodes.begin(shape_.regions()) || !queue_.begin(shift)) return false;
    for (uint32_t i = 0; i < 2; ++i) {
      const PortalEnd& end = i ? goal_ : start_;
      Buffer<uint32_t>& to = i ? graph_.to_goal : graph_.from_start;
      const uint32_t region = shape_.region_of(end.block);
      graph_.region[i] = region;
      const PortalGates* gates = map_.gates(layer_, region, room_);
      if (!gates || !map_.flood(layer_, end, room_) || !to.resize(gates->count())) return false;
      graph_.crowded = graph_.crowded || gates->crowded;
      for (uint32_t k = 0; k < gates->count(); ++k) to[k] = map_.left_at(room_, gates->gates()[k]);
    }
    from_ = kNoPortal;
    g_ = 0;
    f_ = rest(start_.at);
    farthest_ = ((f_ >> shift) + BucketQueue::kReach) << shift;
    const PortalGates* gates = map_.peek_gates(graph_.region[0]);
    leave(graph_.region[0], *gates, graph_.from_start.data());
    return !failed_;
  }

  Progress run(uint64_t budget) noexcept {
    for (; budget > 0; --budget) {
      GateId id;
      if (graph_.crowded || !queue_.pop(graph_.best, &id)) return Progress::ended;
      GateNodes::Node& node = graph_.nodes.known(id);
      if (node.closed) continue;
      node.closed = 1;
      ++graph_.expanded;
      from_ = id;
      g_ = node.g;
      farthest_ = queue_.farthest();
      // What is looked at next comes while this one is spread.
      if (const GateId* soon = queue_.peek()) {
        const PortalGates* at = map_.peek_gates(*soon >> kGateBits);
        const uint32_t* ways = at->ways(*soon & (kMostGates - 1));
        __builtin_prefetch(ways);
        __builtin_prefetch(ways + 16);
      }
      const uint32_t region = id >> kGateBits, gate = id & (kMostGates - 1);
      const PortalGates* gates = map_.gates(layer_, region, room_);
      if (!gates) return Progress::out_of_memory;
      const uint32_t side = gates->side_of(gate);
      const Point corner{region % across_ << PortalShape::kRegionBits,
                         region / across_ << PortalShape::kRegionBits};
      f_ = g_ + rest(PortalShape::on_side(corner, side, gates->gates()[gate].at,
                                          PortalShape::kRegionBits));
      if (region == graph_.region[1] && graph_.to_goal[gate] != PortalGates::kFar &&
          g_ + graph_.to_goal[gate] < graph_.best) {
        graph_.best = g_ + graph_.to_goal[gate];
        graph_.last = id;
      }
      leave(region, *gates, gates->ways(gate));
      if (failed_) return Progress::out_of_memory;
    }
    return Progress::paused;
  }

 private:
  // At least what is left. On the widest maps 32 bits would not hold it.
  Cost rest(Point from) const noexcept {
    return empty_grid_cost(apart(from.x, goal_.at.x), apart(from.y, goal_.at.y),
                           {steps_.straight, steps_.diagonal});
  }

  // Crosses all sides of a region; `ways` lead to its gates.
  void leave(uint32_t region, const PortalGates& gates, const uint32_t* ways) noexcept {
    const uint32_t here = graph_.nodes.of(region, gates.count());
    if (here == GateNodes::kNone) {
      failed_ = true;
      return;
    }
    const PortalGates* there = nullptr;
    uint32_t side = 0, next = 0, record = 0;
    Point corner{};
    for (uint32_t first = 0; first < gates.count(); first += 64) {
      // 1. Which gates are worth it: few of some twenty, and no guess would be right.
      const uint32_t count = std::min(64u, gates.count() - first);
      const Cost* limits = graph_.nodes.limits(here) + first;
      uint64_t worth = 0;
      for (uint32_t k = 0; k < count; ++k) {
        const uint32_t way = ways[first + k];
        worth |= (uint64_t{way != PortalGates::kFar} & uint64_t{g_ + way < limits[k]}) << k;
      }
      for (; worth != 0; worth &= worth - 1) {
        const uint32_t k = first + static_cast<uint32_t>(std::countr_zero(worth));
        // 2. What lies beyond.
        if (!there || k >= gates.first[side + 1]) {
          while (k >= gates.first[side + 1]) ++side;
          next = shape_.region_beside(region, side);
          there = map_.gates(layer_, next, room_);
          if (there && there->crowded) {
            graph_.crowded = true;
            return;
          }
          record = there ? graph_.nodes.of(next, there->count()) : GateNodes::kNone;
          if (record == GateNodes::kNone) {
            failed_ = true;
            return;
          }
          corner = {next % across_ << PortalShape::kRegionBits,
                    next / across_ << PortalShape::kRegionBits};
        }
        // Both sides list the same gates. A file may lie.
        const uint32_t facing = opposite(side), q = there->first[facing] + k - gates.first[side];
        if (q >= there->first[facing + 1]) continue;
        const Cost g = g_ + ways[k] + steps_.straight;
        // Of consistent estimates a way never lowers f; those of a lying file may.
        const Cost f =
            std::max(f_, g + rest(PortalShape::on_side(corner, facing, there->gates()[q].at,
                                                       PortalShape::kRegionBits)));
        if (f >= graph_.best) continue;
        graph_.nodes[record + q] = {g, from_, 0};
        graph_.nodes.limits(here)[k] = g_ + ways[k];
        graph_.nodes.limits(record)[q] = std::min(graph_.nodes.limits(record)[q], g);
        ++graph_.generated;
        // What lies beyond the list's reach comes up too early, and again when its g was too high.
        if (!queue_.push(std::min(f, farthest_), g, next << kGateBits | q)) failed_ = true;
      }
    }
  }

  GateGraph& graph_;
  BucketQueue& queue_;
  PortalRoom& room_;
  const PortalMap& map_;
  const PortalShape& shape_;
  const Layer& layer_;
  const IndexSteps steps_;
  const uint32_t across_;
  const PortalEnd& start_;
  const PortalEnd& goal_;
  // Of the node that is expanded.
  GateId from_ = kNoPortal;
  Cost g_ = 0, f_ = 0, farthest_ = 0;
  bool failed_ = false;  // memory is short
};

}  // namespace octile
