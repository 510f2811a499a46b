// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The strings of moves that lead from the vertices of a hub's tree to the hub (label_tables.hpp).

#include "index/hub_labels.hpp"
#include "octile/detail/buffer.hpp"

namespace octile {

class HubTrees {
 public:
  // By node of HubLabels: where in its tree's string the way from it begins, in nibbles. Before
  // write(), anything but kUnused marks a node that is wanted.
  Buffer<uint32_t> link;
  static constexpr uint32_t kUnused = UINT32_MAX;

  // Appends the tree of `hub` to `out`: the paths of all wanted nodes. False: memory is short, or
  // the string too long.
  bool write(const SubgoalGraph& graph, const HubLabels& labels, uint32_t hub,
             Buffer<uint8_t>* out) noexcept;

 private:
  bool put(uint32_t nibble, Buffer<uint8_t>* out) noexcept;
  bool put_moves(uint32_t direction, uint32_t count, Buffer<uint8_t>* out) noexcept;

  size_t nibbles_ = 0, base_ = 0;
  Buffer<uint32_t> size_, heavy_;
};

}  // namespace octile
