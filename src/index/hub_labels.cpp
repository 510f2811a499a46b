// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/hub_labels.hpp"

#include <algorithm>
#include <functional>

#include "index/hub_order.hpp"

namespace octile {

namespace {

// Whole trees that the sample of shortest paths is worth; 32 gives labels within 1 % of 64.
constexpr uint32_t kSample = 32;
constexpr uint64_t kSeed = 0x0c711e;

}  // namespace

bool HubLabels::add_entry(uint32_t vertex, Entry entry) noexcept {
  List& list = list_[vertex];
  if (list.size == list.room) {
    // A longer run at the end of the pool; what it leaves behind is less than it takes.
    const uint32_t room = list.room ? 2 * list.room : 8;
    const size_t first = pool_.size();
    if (first + room >= UINT32_MAX) return false;
    if (first + room > pool_.capacity() && !pool_.reserve((first + room) / 2 * 3)) return false;
    if (!pool_.resize(first + room)) return false;
    std::copy_n(pool_.data() + list.first, list.size, pool_.data() + first);
    list.first = static_cast<uint32_t>(first);
    list.room = room;
  }
  pool_[list.first + list.size++] = entry;
  ++entries_;
  return true;
}

// The label of the flood's root by rank, so that one look tells the way over any common hub.
void HubLabels::spread(uint32_t vertex, bool on) noexcept {
  for (const Entry* e = begin_of(vertex); e != end_of(vertex); ++e)
    to_hub_[e->hub] = on ? e->distance : kFar;
}

bool HubLabels::covered(uint32_t vertex, uint32_t distance) const noexcept {
  for (const Entry* e = begin_of(vertex); e != end_of(vertex); ++e)
    if (to_hub_[e->hub] + e->distance <= distance) return true;
  return false;
}

// Dijkstra from `root`, which goes no further from vertices that the labels cover already.
// visit(vertex, from, distance) is called for each of the others in the order of distance.
template <class Visit>
bool HubLabels::flood(uint32_t root, Visit visit) noexcept {
  spread(root, true);
  heap_.clear();
  touched_.clear();
  bool fits = touched_.push(root) && heap_.push(root);
  distance_[root] = 0;
  from_[root] = root;
  while (fits && !heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const uint64_t top = heap_.back();
    heap_.pop();
    const auto v = static_cast<uint32_t>(top);
    const auto d = static_cast<uint32_t>(top >> 32);
    if (d != distance_[v] || covered(v, d)) continue;
    if (!visit(v, from_[v], d)) {
      fits = false;
      break;
    }
    for (uint32_t e = graph_->first[v]; e != graph_->first[v + 1]; ++e) {
      const uint32_t to = graph_->target[e];
      if (weight_[e] >= kFar - d) {
        too_long_ = true;
        continue;
      }
      const uint32_t sum = d + weight_[e];
      if (sum >= distance_[to]) continue;
      if (distance_[to] == kFar) fits = touched_.push(to) && fits;
      distance_[to] = sum;
      from_[to] = v;
      fits = heap_.push(uint64_t{sum} << 32 | to) && fits;
      std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    }
  }
  for (uint32_t v : touched_) distance_[v] = kFar;
  spread(root, false);
  return fits;
}

bool HubLabels::label_all_from(uint32_t hub, uint32_t rank) noexcept {
  const auto base = static_cast<uint32_t>(tree_.size());
  return flood(hub, [&](uint32_t v, uint32_t from, uint32_t d) {
    const auto at = static_cast<uint32_t>(tree_.size());
    if (at == UINT32_MAX - 1) return false;
    place_[v] = at;
    longest_ = d > longest_ ? d : longest_;
    return tree_.push({v, v == hub ? base : place_[from]}) && add_entry(v, {rank, d, at});
  });
}

bool HubLabels::grow_tree(uint32_t root, Buffer<uint32_t>* vertex,
                          Buffer<uint32_t>* parent) noexcept {
  vertex->clear();
  parent->clear();
  return flood(root, [&](uint32_t v, uint32_t from, uint32_t) {
    place_[v] = static_cast<uint32_t>(vertex->size());
    return vertex->push(v) && parent->push(v == root ? 0 : place_[from]);
  });
}

Built HubLabels::build(const SubgoalGraph& graph, IndexSteps steps,
                       const BuildLimits& limits) noexcept {
  const uint32_t n = graph.size();
  graph_ = &graph;
  entries_ = 0;
  longest_ = 0;
  too_long_ = false;
  pool_.clear();
  tree_.clear();
  if (!weight_.resize(graph.target.size()) || !list_.assign(n, {0, 0, 0}) ||
      !vertex_of_.reserve(n) || !tree_first_.resize(n + 1) || !to_hub_.assign(n, kFar) ||
      !distance_.assign(n, kFar) || !place_.resize(n) || !from_.resize(n))
    return Built::out_of_memory;
  vertex_of_.clear();
  for (uint32_t v = 0; v < n; ++v)
    for (uint32_t e = graph.first[v]; e != graph.first[v + 1]; ++e)
      weight_[e] = steps.line(graph.place[v], graph.place[graph.target[e]]);
  HubOrder order;
  Buffer<uint32_t> vertex, parent;
  if (!order.begin(n, kSample, kSeed)) return Built::out_of_memory;
  for (uint32_t rank = 0; rank < n; ++rank) {
    for (uint32_t root; (root = order.wanted_root()) != HubOrder::kNone;) {
      if (limits.cancelled()) return Built::cancelled;
      if (!grow_tree(root, &vertex, &parent)) return Built::out_of_memory;
      if (!vertex.empty() && !order.add_tree(vertex, parent)) return Built::out_of_memory;
    }
    if (limits.cancelled()) return Built::cancelled;
    const uint32_t hub = order.next();
    tree_first_[rank] = static_cast<uint32_t>(tree_.size());
    vertex_of_.push(hub);  // reserved
    if (!label_all_from(hub, rank)) return Built::out_of_memory;
    if (too_long_) return Built::too_long;
    if (entries_ > limits.entries || entries_ > limits.bytes / (sizeof(Entry) + sizeof(TreeNode)))
      return Built::over_budget;
    if ((rank & 63) == 0) limits.report(0.5 * rank / n);
  }
  tree_first_[n] = static_cast<uint32_t>(tree_.size());
  return Built::done;
}

}  // namespace octile
