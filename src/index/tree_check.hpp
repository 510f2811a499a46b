// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Whether the trees of an index of tile labels make sense: follows every way to its hub, and no
// step of a tree twice.

#include "base/arena.hpp"
#include "index/path_index.hpp"

namespace octile {

constexpr uint32_t kNoPlace = UINT32_MAX;

// The bytes of a hub's tree.
struct HubTree {
  uint32_t nibbles;  // how many there are
  uint32_t begin;    // its first byte
  uint32_t four;     // where its ways are kept
};
// The cells of a tree, seen from its hub: how far it is at most from one of them to the hub, to the
// west, the north, the east, the south; 0 or less, and 0 or more.
struct TreeExtent {
  int32_t west = 0, north = 0, east = 0, south = 0;
};

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

  // After all were followed. Whether the ways of these entries are as long as they say, and end at
  // the place of their hub, by block and lane: where that is kNoPlace it becomes known.
  bool ways_fit(const OddEntries& odd, uint32_t* place) const noexcept;
  // Every cell of every tree, seen from where its hub stands, lies on the map; by block and lane.
  bool inside(const uint32_t* place) const noexcept;

 private:
  struct Tree {
    HubTree at;
    TreeExtent extent;
  };

  // The first of four nibbles, up to three, as moves.
  uint64_t moves_of(const uint8_t* four, uint32_t count) const noexcept {
    const uint64_t pair = two_[four[0]], odd = move_[four[count >> 1] & 15];
    return (pair & (0 - uint64_t{count >> 1})) + (odd & (0 - uint64_t{count & 1}));
  }
  const char* follow(Tree* tree, bool last, Buffer<uint32_t>* runs) noexcept;

  const LabelTables& labels_;
  const IndexHeader& head_;
  const uint32_t half_;  // no way is as long
  // Of a way its length, and above it where it leads: x + 65536 * y modulo 2^32.
  uint64_t move_[16];  // by nibble; what is no move counts as one
  uint64_t two_[256];  // by byte
  // By four nibbles: how far it is to the hub from the first one, as if all before the first where
  // a way may begin were moves, too; and where ways may begin, a bit for each. What is no move has
  // five nibbles at least, so these follow each other.
  uint64_t* way_ = nullptr;
  uint8_t* starts_ = nullptr;
  Buffer<Tree> tree_;            // in the order of the file
  HubTree* hub_ = nullptr;       // by block and lane
  uint32_t* tree_of_ = nullptr;  // likewise
};

}  // namespace octile
