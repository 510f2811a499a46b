// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/hub_order.hpp"

#include <algorithm>

#include "base/platform.hpp"

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
  live_ = batch_nodes_ = 0;
  next_root_ = batch_ = 0;
  filling_ = heap_stale_ = true;
  nodes_.clear();
  if (!roots_.resize(vertices) || !head_.assign(vertices, kNone) || !score_.assign(vertices, 0) ||
      !taken_.assign(vertices, 0) || !heap_.reserve(size_t{vertices} + 1) ||
      !reserve_large(&nodes_, 3 * target_))
    return false;
  for (uint32_t i = 0; i < vertices; ++i) roots_[i] = i;
  for (uint32_t i = vertices; i > 1; --i)
    std::swap(roots_[i - 1], roots_[static_cast<uint32_t>(draw(&seed) % i)]);
  return true;
}

uint32_t HubOrder::wanted_roots(uint32_t* root) noexcept {
  if (!filling_) {
    if (2 * live_ >= target_) return 0;
    filling_ = true;
    if (nodes_.size() > 2 * target_) compact();
  }
  // As many as fill the sample, if they are like those before.
  const uint64_t mean = batch_ ? batch_nodes_ / batch_ + 1 : taken_.size();
  uint32_t most = kLeastTrees;
  while (most < kMostTrees && live_ + most * mean < target_) most *= 2;
  batch_ = 0;
  batch_nodes_ = 0;
  while (live_ < target_ && batch_ < most && next_root_ < roots_.size()) {
    const uint32_t vertex = roots_[next_root_++];
    if (!taken_[vertex]) root[batch_++] = vertex;
  }
  // The sample is full, or there is nothing left to fill it with.
  if (batch_ == 0) filling_ = false;
  return batch_;
}

bool HubOrder::Tree::arrange() noexcept {
  const auto n = static_cast<uint32_t>(vertex.size());
  if (!size.assign(n, 1) || !at.resize(n) || !room.resize(n) || !nodes.resize(n)) return false;
  // 1. Sizes of subtrees, from the last reached to the root.
  for (uint32_t i = n; --i > 0;) size[parent[i]] += size[i];
  // 2. Places in depth-first order: a child goes where its parent has room left.
  for (uint32_t i = 0; i < n; ++i) {
    at[i] = i == 0 ? 0 : room[parent[i]];
    if (i != 0) room[parent[i]] += size[i];
    room[i] = at[i] + 1;
    nodes[at[i]] = {vertex[i], at[parent[i]], size[i], size[i], 0};
  }
  return true;
}

bool HubOrder::add_tree(const Tree& tree) noexcept {
  const size_t base = nodes_.size(), n = tree.nodes.size();
  const size_t room = base + n <= nodes_.capacity() ? base + n : (base + n) / 2 * 3 + 1;
  if (room >= UINT32_MAX || !reserve_large(&nodes_, room) || !nodes_.resize(base + n)) return false;
  for (size_t i = 0; i < n; ++i) {
    Node node = tree.nodes[i];
    node.parent += static_cast<uint32_t>(base);
    node.next = head_[node.vertex];
    head_[node.vertex] = static_cast<uint32_t>(base + i);
    score_[node.vertex] += node.live;
    nodes_[base + i] = node;
  }
  live_ += n;
  batch_nodes_ += n;
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
