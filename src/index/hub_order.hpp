// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Which subgoal becomes the next hub: the one that lies on most of the sampled shortest paths that
// no hub covers yet (path coverage by sampled trees: Delling, Goldberg, Pajor, Werneck 2014).
//
// A sampled tree holds the shortest paths from one root to all vertices whose distance the hubs so
// far do not give. Each of its nodes counts the live nodes below it; the score of a vertex is the
// sum of these counts over all trees. A vertex that becomes a hub takes its subtrees out of every
// tree. When half of the sample is gone, trees from new roots fill it up: pruned by the labels
// made so far they are small, so in the end nearly every vertex has been a root.

#include "octile/detail/buffer.hpp"

namespace octile {

using detail::Buffer;

class HubOrder {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  // False, here and below: memory is short. `sample` is the number of whole trees kept.
  bool begin(uint32_t vertices, uint32_t sample, uint64_t seed) noexcept;

  // Roots of trees to be grown, at most kMostTrees; none when the sample is full enough or no root
  // is left. How many are asked for decides about the order, so it depends on counts alone.
  uint32_t wanted_roots(uint32_t* root) noexcept;
  static constexpr uint32_t kLeastTrees = 16, kMostTrees = 256;

  // True when the best vertex is known only after more trees.
  bool wants_trees() const noexcept { return 2 * live_ < target_ && next_root_ < roots_.size(); }

  // A node of a tree; a tree is a run of nodes in depth-first order, so a subtree is a run, too.
  struct Node {
    uint32_t vertex;
    uint32_t parent;  // position of the parent; its own for a root
    uint32_t span;    // nodes of the subtree when the tree was made
    uint32_t live;    // those that are left; 0: cut off
    uint32_t next;    // next node of the same vertex
  };
  // A tree on its way into the sample, made by any thread: its vertices in the order they were
  // reached, the root first, and for each the position of its parent in that list.
  struct Tree {
    Buffer<uint32_t> vertex, parent;
    bool arrange() noexcept;

    Buffer<Node> nodes;  // made by arrange(): parents count from the tree's root
    Buffer<uint32_t> size, at, room;
  };
  // A tree of the last wanted_roots(), arranged; in the order of these.
  bool add_tree(const Tree& tree) noexcept;

  // Takes the best vertex; kNone when all are taken.
  uint32_t next() noexcept;

 private:
  struct Entry {
    uint64_t score;
    uint32_t vertex;
    bool operator<(const Entry& other) const noexcept {
      return score != other.score ? score < other.score : vertex > other.vertex;
    }
  };
  void compact() noexcept;
  void rebuild_heap() noexcept;
  void cut(uint32_t node) noexcept;

  uint64_t target_ = 0, live_ = 0;
  uint32_t next_root_ = 0;
  uint32_t batch_ = 0;        // trees asked for last
  uint64_t batch_nodes_ = 0;  // and their nodes
  bool filling_ = true, heap_stale_ = true;
  Buffer<uint32_t> roots_;  // all vertices, shuffled
  Buffer<Node> nodes_;
  Buffer<uint32_t> head_;  // first node of each vertex
  Buffer<uint64_t> score_;
  Buffer<uint8_t> taken_;
  Buffer<Entry> heap_;
};

}  // namespace octile
