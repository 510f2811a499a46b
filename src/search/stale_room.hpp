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
  Buffer<uint32_t> reach;       // for the label kernels
  Buffer<uint64_t> blocks;      // bits of those that are wanted, then of those that an end has
  Buffer<uint32_t> lanes;       // by block: the lengths of its ways to their hubs
  Buffer<ListedBlock> common;   // with a patch
  Buffer<uint32_t> lengths[2];  // of ways to portals, from the start and from the goal

  size_t bytes() const noexcept {
    return reach.bytes() + blocks.bytes() + lanes.bytes() + common.bytes() + lengths[0].bytes() +
           lengths[1].bytes();
  }
  void release() noexcept {
    reach.release();
    blocks.release();
    lanes.release();
    common.release();
    for (Buffer<uint32_t>& side : lengths) side.release();
  }
};

}  // namespace octile
