// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/hub_order.hpp"

#include <algorithm>

namespace octile {

namespace {

uint64_t draw(uint64_t* state) noexcept {
  uint64_t z = (*state += 0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

}  // namespace

bool HubOrder::begin(uint32_t vertices, uint32_t sample, uint64_t seed) noexcept {
  target_ = uint64_t{sample} * vertices;
  live_ = 0;
  next_root_ = 0;
  filling_ = heap_stale_ = true;
  nodes_.clear();
  if (!roots_.resize(vertices) || !head_.assign(vertices, kNone) || !score_.assign(vertices, 0) ||
      !taken_.assign(vertices, 0) || !heap_.reserve(size_t{vertices} + 1) ||
      !scratch_.reserve(vertices) || !place_.reserve(vertices))
    return false;
  for (uint32_t i = 0; i < vertices; ++i) roots_[i] = i;
  for (uint32_t i = vertices; i > 1; --i)
    std::swap(roots_[i - 1], roots_[static_cast<uint32_t>(draw(&seed) % i)]);
  return true;
}

uint32_t HubOrder::wanted_root() noexcept {
  if (!filling_) {
    if (2 * live_ >= target_) return kNone;
    filling_ = true;
    if (nodes_.size() > 2 * target_) compact();
  }
  if (live_ < target_) {
    while (next_root_ < roots_.size()) {
      const uint32_t root = roots_[next_root_++];
      if (!taken_[root]) return root;
    }
  }
  filling_ = false;
  return kNone;
}

bool HubOrder::add_tree(const Buffer<uint32_t>& vertex, const Buffer<uint32_t>& parent) noexcept {
  const auto n = static_cast<uint32_t>(vertex.size());
  if (!scratch_.assign(n, 1) || !place_.resize(n)) return false;
  const size_t base = nodes_.size();
  const size_t room = base + n <= nodes_.capacity() ? base + n : (base + n) / 2 * 3 + 1;
  if (room >= UINT32_MAX || !nodes_.reserve(room) || !nodes_.resize(base + n)) return false;
  // 1. Sizes of subtrees, from the last reached to the root.
  for (uint32_t i = n; --i > 0;) scratch_[parent[i]] += scratch_[i];
  // 2. Places in depth-first order: a child goes where its parent has room left.
  Node* tree = nodes_.data() + base;
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t at = i == 0 ? 0 : place_[parent[i]];
    const uint32_t size = scratch_[i];
    if (i != 0) place_[parent[i]] += size;
    place_[i] = at + 1;
    tree[at] = {vertex[i], 0, size, size, 0};
  }
  // 3. Parents by nested runs, and the lists of each vertex.
  const auto first = static_cast<uint32_t>(base);
  tree[0].parent = first;
  for (uint32_t at = 0; at < n; ++at) {
    for (uint32_t child = at + 1; child < at + tree[at].span; child += tree[child].span)
      tree[child].parent = first + at;
    const uint32_t v = tree[at].vertex;
    tree[at].next = head_[v];
    head_[v] = first + at;
    score_[v] += tree[at].live;
  }
  live_ += n;
  heap_stale_ = true;
  return true;
}

// Drops the nodes that were cut off. A subtree is cut whole, so the parent of a live node is live;
// parents come first, and `next` keeps the new place of each node until all are moved.
void HubOrder::compact() noexcept {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    const Node node = nodes_[i];
    if (node.live == 0) continue;
    nodes_[i].next = kept;
    Node& to = nodes_[kept];
    to.vertex = node.vertex;
    to.parent = nodes_[node.parent].next;
    to.span = to.live = node.live;
    ++kept;
  }
  nodes_.resize(kept);
  for (uint32_t& head : head_) head = kNone;
  for (uint32_t i = 0; i < kept; ++i) {
    nodes_[i].next = head_[nodes_[i].vertex];
    head_[nodes_[i].vertex] = i;
  }
}

void HubOrder::rebuild_heap() noexcept {
  heap_.clear();
  for (uint32_t v = 0; v < taken_.size(); ++v)
    if (!taken_[v]) heap_.push({score_[v], v});  // reserved by begin()
  std::make_heap(heap_.begin(), heap_.end());
  heap_stale_ = false;
}

uint32_t HubOrder::next() noexcept {
  if (heap_stale_) rebuild_heap();
  // Scores only fall until trees are added, so a top whose score still holds is the best.
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end());
    const Entry top = heap_.back();
    heap_.pop();
    if (taken_[top.vertex]) continue;
    if (top.score != score_[top.vertex]) {
      heap_.push({score_[top.vertex], top.vertex});
      std::push_heap(heap_.begin(), heap_.end());
      continue;
    }
    taken_[top.vertex] = 1;
    for (uint32_t i = head_[top.vertex]; i != kNone; i = nodes_[i].next)
      if (nodes_[i].live != 0) cut(i);
    return top.vertex;
  }
  return kNone;
}

void HubOrder::cut(uint32_t index) noexcept {
  const uint32_t lost = nodes_[index].live;
  live_ -= lost;
  for (uint32_t i = index; nodes_[i].parent != i;) {
    i = nodes_[i].parent;
    nodes_[i].live -= lost;
    score_[nodes_[i].vertex] -= lost;
  }
  for (uint32_t i = index, end = index + nodes_[index].span; i < end;) {
    Node& node = nodes_[i];
    if (node.live == 0) {
      i += node.span;
      continue;
    }
    score_[node.vertex] -= node.live;
    node.live = 0;
    ++i;
  }
}

}  // namespace octile
