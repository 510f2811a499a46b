// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/hub_labels.hpp"

#include <algorithm>
#include <bit>
#include <new>

#include "base/platform.hpp"
#include "search/open_list.hpp"

namespace octile {

namespace {

// Whole trees that the sample of shortest paths is worth; 32 gives labels within 1 % of 64.
constexpr uint32_t kSample = 32;
constexpr uint64_t kSeed = 0x0c711e;
constexpr unsigned kMostWorkers = 16;
// Fewer vertices are chosen and labelled sooner than a thread is started.
constexpr uint32_t kWorthThreads = 1000;

struct Reached {
  uint32_t distance, vertex;
};
// Mostly edges are short, and the ring stays in the caches.
using NearQueue = Buckets<Reached>;
// No edge is longer than 65,535 diagonal steps, no bucket narrower than half a straight one.
using FarQueue = Buckets<Reached, 1u << 18>;

}  // namespace

struct HubLabels::Flood {
  struct Mark {
    uint32_t distance;  // kFar: not reached; of a hub 0, so that nobody comes back to it
    uint32_t parent;    // place of the vertex it was reached from, among those visited
  };
  NearQueue near;
  FarQueue far;
  bool far_edges = false;    // of the graph
  Buffer<Mark> mark;         // by vertex
  Buffer<uint32_t> to_hub;   // by rank: distance of the root, or kFar
  Buffer<uint32_t> touched;  // vertices with a mark
  bool too_long = false;

  bool begin(uint32_t n, uint32_t longest_edge, uint32_t shift) noexcept {
    far_edges = (longest_edge >> shift) + 1 >= NearQueue::kReach;
    return mark.assign(n, {kFar, 0}) && to_hub.assign(n, kFar) && touched.reserve(n);
  }
};

// Those who grow trees, and a batch of trees.
struct HubLabels::Crew {
  Flood* flood[kMostWorkers] = {};
  unsigned size = 0;
  HubOrder::Tree tree[HubOrder::kMostTrees];
  uint32_t root[HubOrder::kMostTrees];

  ~Crew() {
    for (Flood* f : flood) delete f;
  }
  bool begin(uint32_t n, uint32_t longest_edge, uint32_t shift, unsigned threads) noexcept {
    size = n < kWorthThreads ? 1 : std::clamp(threads, 1u, kMostWorkers);
    for (unsigned i = 0; i < size; ++i) {
      flood[i] = new (std::nothrow) Flood;
      if (!flood[i] || !flood[i]->begin(n, longest_edge, shift)) return false;
    }
    return true;
  }
};

// The way over any hub that the root of the flood has, too.
bool HubLabels::covered(const Flood& flood, uint32_t vertex, uint32_t distance) const noexcept {
  for (const Entry* e = begin_of(vertex); e != end_of(vertex); ++e)
    if (flood.to_hub[e->hub] + e->distance <= distance) return true;
  return false;
}

// Dijkstra from `root`, which goes no further from vertices that the labels cover already.
// visit(vertex, parent, distance) is called for each of the others, parents first, and gives the
// place of the vertex: what its children will have as parent. No bucket of the queue is wider than
// an edge is long, so the distance of what comes out of it is final.
template <class Visit>
bool HubLabels::run(Flood& flood, uint32_t root, Visit visit) const noexcept {
  for (const Entry* e = begin_of(root); e != end_of(root); ++e) flood.to_hub[e->hub] = e->distance;
  flood.touched.clear();
  flood.touched.push(root);  // reserved, here and below
  flood.mark[root] = {0, 0};
  const auto flow = [&](auto& open) {
    bool fits = open.begin(shift_) && open.push(0, 0, {0, root});
    Reached top;
    while (fits && open.pop(UINT64_MAX, &top)) {
      // What comes next is fetched while this one is worked at.
      if (const Reached* next = open.peek()) __builtin_prefetch(begin_of(next->vertex));
      if (top.distance != flood.mark[top.vertex].distance ||
          covered(flood, top.vertex, top.distance))
        continue;
      uint32_t place;
      if (!visit(top.vertex, flood.mark[top.vertex].parent, top.distance, &place)) {
        fits = false;
        break;
      }
      for (uint32_t e = graph_->first[top.vertex]; e != graph_->first[top.vertex + 1]; ++e) {
        const uint32_t to = graph_->target[e];
        const uint32_t sum = top.distance + weight_[e];
        Flood::Mark& mark = flood.mark[to];
        // A hub has covered itself for this root.
        if (sum >= mark.distance) {
          flood.too_long = flood.too_long || mark.distance == kFar;
          continue;
        }
        if (mark.distance == kFar) flood.touched.push(to);
        mark = {sum, place};
        fits = open.push(sum, 0, {sum, to}) && fits;
        label_.prefetch(to);
      }
    }
    return fits;
  };
  const bool fits = flood.far_edges ? flow(flood.far) : flow(flood.near);
  for (uint32_t v : flood.touched) flood.mark[v].distance = kFar;
  for (const Entry* e = begin_of(root); e != end_of(root); ++e) flood.to_hub[e->hub] = kFar;
  return fits;
}

bool HubLabels::label_all_from(Flood& flood, uint32_t hub, uint32_t rank) noexcept {
  const uint32_t base = tree_first_[rank];
  tree_.clear();
  const bool fits = run(flood, hub, [&](uint32_t v, uint32_t parent, uint32_t d, uint32_t* place) {
    *place = base + static_cast<uint32_t>(tree_.size());
    if (*place == UINT32_MAX - 1) return false;
    longest_ = d > longest_ ? d : longest_;
    return tree_.push({v, v == hub ? base : parent}) && label_.push(v, {rank, d, *place});
  });
  auto* tree = fits ? tree_memory_.take<TreeNode>(tree_.size()) : nullptr;
  if (!tree) return false;
  std::copy_n(tree_.data(), tree_.size(), tree);
  tree_of_[rank] = tree;
  tree_first_[rank + 1] = base + static_cast<uint32_t>(tree_.size());
  entries_ += tree_.size();
  return true;
}

bool HubLabels::grow_tree(Flood& flood, uint32_t root, HubOrder::Tree* tree) const noexcept {
  tree->vertex.clear();
  tree->parent.clear();
  return run(flood, root,
             [&](uint32_t v, uint32_t parent, uint32_t, uint32_t* place) {
               *place = static_cast<uint32_t>(tree->vertex.size());
               return tree->vertex.push(v) && tree->parent.push(parent);
             }) &&
         tree->arrange();
}

Built HubLabels::build(const SubgoalGraph& graph, IndexSteps steps,
                       const BuildLimits& limits) noexcept {
  const uint32_t n = graph.size();
  graph_ = &graph;
  shift_ = static_cast<uint32_t>(std::bit_width(steps.straight)) - 1;
  entries_ = 0;
  longest_ = 0;
  tree_memory_.rewind();
  HubOrder order;
  Crew crew;
  if (!weight_.resize(graph.target.size()) || !label_.begin(n) || !vertex_of_.resize(n) ||
      !tree_of_.resize(n) || !tree_first_.assign(n + 1, 0) || !order.begin(n, kSample, kSeed))
    return Built::out_of_memory;
  uint32_t longest_edge = 0;
  for (uint32_t v = 0; v < n; ++v) {
    for (uint32_t e = graph.first[v]; e != graph.first[v + 1]; ++e) {
      weight_[e] = steps.line(graph.place[v], graph.place[graph.target[e]]);
      longest_edge = std::max(longest_edge, weight_[e]);
    }
  }
  if (!crew.begin(n, longest_edge, shift_, limits.threads)) return Built::out_of_memory;
  std::atomic<uint32_t> chosen{0};
  std::atomic<Built> verdict{Built::done};
  const auto fail = [&](Built why) { verdict = why; };
  for (uint32_t rank = 0; rank < n; rank = chosen) {
    // 1. Trees for the choice of hubs. Labels rest meanwhile.
    while (const uint32_t wanted = order.wanted_roots(crew.root)) {
      std::atomic<uint32_t> next{0};
      auto grow = [&](unsigned worker) {
        for (uint32_t i; verdict == Built::done && (i = next.fetch_add(1)) < wanted;) {
          if (limits.cancelled()) return fail(Built::cancelled);
          if (!grow_tree(*crew.flood[worker], crew.root[i], &crew.tree[i]))
            fail(Built::out_of_memory);
        }
      };
      run_parallel(std::min(crew.size, wanted), grow);
      if (verdict != Built::done) return verdict;
      for (uint32_t i = 0; i < wanted; ++i) {
        if (limits.cancelled()) return Built::cancelled;
        if (!crew.tree[i].nodes.empty() && !order.add_tree(crew.tree[i]))
          return Built::out_of_memory;
      }
    }
    // 2. Hubs, until more trees are wanted: one thread chooses, the other one labels.
    std::atomic<bool> all_chosen{false};
    auto choose_and_label = [&](unsigned part) {
      if (part == 0) {
        for (uint32_t r = rank; r < n && verdict == Built::done; ++r) {
          // A single thread chooses all before it labels the first.
          if (limits.cancelled()) {
            fail(Built::cancelled);
            break;
          }
          vertex_of_[r] = order.next();
          chosen = r + 1;
          if (order.wants_trees()) break;
        }
        all_chosen = true;
        return;
      }
      for (uint32_t r = rank; verdict == Built::done; ++r) {
        while (chosen == r) {
          if (all_chosen && chosen == r) return;
          yield_thread();
        }
        if (limits.cancelled()) return fail(Built::cancelled);
        Flood& flood = *crew.flood[0];
        if (!label_all_from(flood, vertex_of_[r], r)) return fail(Built::out_of_memory);
        for (unsigned i = 0; i < crew.size; ++i) crew.flood[i]->mark[vertex_of_[r]].distance = 0;
        if (flood.too_long) return fail(Built::too_long);
        if (entries_ > limits.entries ||
            entries_ > limits.bytes / (sizeof(Entry) + sizeof(TreeNode)))
          return fail(Built::over_budget);
        if ((r & 63) == 0) limits.report(0.5 * r / n);
      }
    };
    if (crew.size > 1) {
      run_parallel(2, choose_and_label);
    } else {
      choose_and_label(0);
      choose_and_label(1);
    }
    if (verdict != Built::done) return verdict;
  }
  return Built::done;
}

}  // namespace octile
