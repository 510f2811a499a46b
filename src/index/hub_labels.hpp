// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Hub labels of the subgoal graph: pruned landmark labelling (Akiba, Iwata and Yoshida 2013).
//
// Every subgoal v has entries (hub h, distance d(v, h)); for any two subgoals of one component the
// hub of highest rank on all their shortest paths is in both labels, so their distance is the least
// sum over common hubs. The vertices that have hub h in their label form a shortest-path tree of h:
// the parent of each is an entry of h too, so a path is unpacked by following links, without any
// search.

#include <atomic>

#include "index/hub_order.hpp"
#include "index/list_pool.hpp"
#include "index/subgoal_graph.hpp"

namespace octile {

// How a build may be stopped, and what it may use.
struct BuildLimits {
  size_t bytes = SIZE_MAX;        // of the result
  uint64_t entries = UINT64_MAX;  // of labels
  const std::atomic<bool>* cancel = nullptr;
  void (*progress)(void* user, double done) = nullptr;  // from 0 to 1
  void* user = nullptr;
  unsigned threads = 1;

  bool cancelled() const noexcept { return cancel && cancel->load(std::memory_order_relaxed); }
  void report(double done) const noexcept {
    if (progress) progress(user, done);
  }
};

enum class Built : uint8_t { done, out_of_memory, cancelled, over_budget, too_long };

class HubLabels {
 public:
  struct Entry {
    uint32_t hub;       // rank: 0 is the most important
    uint32_t distance;  // to the hub
    uint32_t node;      // this vertex's place in the hub's tree
  };
  // A place in the tree of a hub, in the order of distance; the hub itself is the first.
  struct TreeNode {
    uint32_t vertex;
    uint32_t parent;  // place of the next vertex towards the hub
  };

  uint32_t hubs() const noexcept { return static_cast<uint32_t>(vertex_of_.size()); }
  uint32_t vertex_of(uint32_t hub) const noexcept { return vertex_of_[hub]; }
  const Entry* begin_of(uint32_t vertex) const noexcept { return label_.begin_of(vertex); }
  const Entry* end_of(uint32_t vertex) const noexcept { return label_.end_of(vertex); }
  uint64_t entries() const noexcept { return entries_; }
  uint32_t longest() const noexcept { return longest_; }  // largest distance of an entry
  // The tree of a hub; its nodes have the places tree_begin(hub) .. tree_begin(hub + 1).
  uint32_t tree_begin(uint32_t hub) const noexcept { return tree_first_[hub]; }
  const TreeNode* tree_of(uint32_t hub) const noexcept { return tree_of_[hub]; }
  size_t bytes() const noexcept {
    return label_.bytes() + tree_memory_.bytes() + tree_of_.bytes() + tree_first_.bytes();
  }

  // Chooses the order and labels every vertex.
  Built build(const SubgoalGraph& graph, IndexSteps steps, const BuildLimits& limits) noexcept;

 private:
  // What a flood needs to itself; every thread that grows trees has one.
  struct Flood;
  struct Crew;

  bool covered(const Flood& flood, uint32_t vertex, uint32_t distance) const noexcept;
  template <class Visit>
  bool run(Flood& flood, uint32_t root, Visit visit) const noexcept;
  bool label_all_from(Flood& flood, uint32_t hub, uint32_t rank) noexcept;
  bool grow_tree(Flood& flood, uint32_t root, HubOrder::Tree* tree) const noexcept;

  const SubgoalGraph* graph_ = nullptr;
  uint32_t shift_ = 0;       // a bucket is not wider than an edge is long
  Buffer<uint32_t> weight_;  // of each edge
  ListPool<Entry> label_;    // by vertex
  Buffer<uint32_t> vertex_of_;
  Buffer<TreeNode> tree_;  // of the hub at hand
  Arena tree_memory_;
  Buffer<const TreeNode*> tree_of_;
  Buffer<uint32_t> tree_first_;
  uint64_t entries_ = 0;
  uint32_t longest_ = 0;
};

// Beyond every distance; two of them still fit 32 bits.
constexpr uint32_t kFar = 0x7fffffff;

}  // namespace octile
