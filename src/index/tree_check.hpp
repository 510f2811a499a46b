// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Whether the trees of an index of tile labels make sense: follows every way to its hub, and no
// step of a tree twice.

#include "base/arena.hpp"
#include "index/path_index.hpp"

namespace octile {

class TreeCheck {
 public:
  TreeCheck(const LabelTables& labels, const IndexHeader& head) noexcept;

  // Null, here and below, or what is wrong. Where trees begin: each reaches to the next one.
  const char* find(Arena* arena) noexcept;
  size_t trees() const noexcept { return tree_.size(); }
  // The first tree that begins at this share of the bytes, or behind it.
  size_t tree_at(size_t part, size_t parts) const noexcept;
  // Of trees from one to another, which is not among them; others may be checked at the same time.
  const char* follow(size_t first, size_t end) noexcept;

  // After all were followed. The trees by block and lane.
  const HubTree* hubs() const noexcept { return hub_; }
  const WayTables& ways() const noexcept { return ways_; }
  // Every cell of every tree, seen from where its hub stands, lies on the map; by block and lane.
  bool inside(const uint32_t* place) const noexcept;

 private:
  struct Tree {
    HubTree at;
    TreeExtent extent;
  };

  uint32_t nibble(const HubTree& tree, size_t i) const noexcept {
    return uint32_t{labels_.trees[tree.begin + (i >> 1)]} >> (4 * (i & 1)) & 15;
  }
  const char* follow(Tree* tree, bool last, Buffer<uint32_t>* run) noexcept;

  const LabelTables& labels_;
  const IndexHeader& head_;
  const LabelKernel& kernel_ = label_kernel();
  uint32_t limit_ = 0;
  WayTables ways_{};
  Buffer<Tree> tree_;            // in the order of the file
  HubTree* hub_ = nullptr;       // by block and lane
  uint32_t* tree_of_ = nullptr;  // likewise
};

}  // namespace octile
