// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// What questions to labels of an earlier map work with, see index/stale_index.hpp.

#include "octile/detail/buffer.hpp"

namespace octile {

using detail::Buffer;

// A block of labels, and where a list of blocks has it.
struct ListedBlock {
  uint32_t block, place;
};

struct StaleRoom {
  Buffer<uint32_t> reach;      // for the label kernels
  Buffer<uint64_t> blocks;     // bits of those that are wanted, then of those that an end has
  Buffer<uint32_t> lanes;      // by block: the lengths of its ways to their hubs
  Buffer<ListedBlock> common;  // with a patch
  Buffer<uint32_t> then[2];    // by portal nearby: how far then from the start, from the goal
  Buffer<uint32_t> joined;     // by portal: how far from the start, over old moves and new ones

  size_t bytes() const noexcept {
    return reach.bytes() + blocks.bytes() + lanes.bytes() + common.bytes() + then[0].bytes() +
           then[1].bytes() + joined.bytes();
  }
  void release() noexcept {
    reach.release();
    blocks.release();
    lanes.release();
    common.release();
    for (Buffer<uint32_t>& side : then) side.release();
    joined.release();
  }
};

}  // namespace octile
