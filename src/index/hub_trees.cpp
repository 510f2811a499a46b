// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/hub_trees.hpp"

#include "index/label_common.hpp"

namespace octile {

namespace {

// From this length on a run is written as one, at five nibbles; shorter ones read faster as moves.
constexpr uint32_t kShortestRun = 32;

bool push_byte(Buffer<uint8_t>* out, uint8_t byte) noexcept {
  if (out->size() == out->capacity() && !out->reserve(out->size() * 2 + 4096)) return false;
  return out->push(byte);
}

}  // namespace

bool HubTrees::put(uint32_t nibble, Buffer<uint8_t>* out) noexcept {
  if (nibbles_++ & 1) {
    out->back() = static_cast<uint8_t>(out->back() | nibble << 4);
    return true;
  }
  return push_byte(out, static_cast<uint8_t>(nibble));
}

bool HubTrees::put_moves(uint32_t direction, uint32_t count, Buffer<uint8_t>* out) noexcept {
  while (count >= kShortestRun) {
    const uint32_t run = count < kLongestRun ? count : kLongestRun;
    if (!put(kRun, out) || !put(direction, out)) return false;
    for (uint32_t shift = 0; shift < 12; shift += 4)
      if (!put(run >> shift & 15, out)) return false;
    count -= run;
  }
  for (; count > 0; --count)
    if (!put(direction, out)) return false;
  return true;
}

bool HubTrees::write(const SubgoalGraph& graph, const HubLabels& labels, uint32_t hub,
                     Buffer<uint8_t>* out) noexcept {
  const uint32_t first = labels.tree_begin(hub), n = labels.tree_begin(hub + 1) - first;
  const HubLabels::TreeNode* tree = labels.tree_of(hub);
  base_ = out->size();
  nibbles_ = 0;
  // 1. What is wanted, with the ways there; parents come first in the tree. The size of a subtree
  // counts wanted nodes.
  if (!size_.assign(n, 0) || !heavy_.assign(n, kUnused)) return false;
  for (uint32_t i = n; i-- > 0;) {
    if (link[first + i] != kUnused) ++size_[i];
    if (size_[i] != 0 && i != 0) size_[tree[i].parent - first] += size_[i];
  }
  if (n == 0 || size_[0] == 0) return true;
  // 2. The heaviest child of each goes on its path.
  for (uint32_t i = 1; i < n; ++i) {
    if (size_[i] == 0) continue;
    uint32_t& heavy = heavy_[tree[i].parent - first];
    if (heavy == kUnused || size_[i] > size_[heavy]) heavy = i;
  }
  // 3. A path for each node that is nobody's heavy child, from its leaf up. The path of its parent
  // was written before.
  for (uint32_t i = 0; i < n; ++i) {
    if (size_[i] == 0) continue;
    if (i != 0 && heavy_[tree[i].parent - first] == i) continue;
    uint32_t leaf = i;
    while (heavy_[leaf] != kUnused) leaf = heavy_[leaf];
    for (uint32_t at = leaf;; at = tree[at].parent - first) {
      link[first + at] = static_cast<uint32_t>(nibbles_);
      if (at != 0) {
        const HubLabels::TreeNode& node = tree[at];
        const Leg leg =
            leg_between(graph.place[node.vertex], graph.place[tree[node.parent - first].vertex]);
        if (!put_moves(leg.diagonal_move, leg.diagonal, out) ||
            !put_moves(leg.straight_move, leg.straight, out))
          return false;
      }
      if (at == i) break;
    }
    const uint32_t on = i == 0 ? kTreeEnd : link[tree[i].parent];
    const bool near = i == 0 || on < kNearTreeEnd;
    if (!put(near ? kNearPathEnd : kPathEnd, out)) return false;
    const uint32_t bytes = near ? 2 : 4;
    nibbles_ = (nibbles_ + 1) / 2 * 2 + 2 * bytes;
    for (uint32_t byte = 0; byte < bytes; ++byte)
      if (!push_byte(out, static_cast<uint8_t>(on >> (8 * byte)))) return false;
    if (nibbles_ >= kTreeEnd - 64) return false;
  }
  return out->size() < UINT32_MAX;
}

}  // namespace octile
