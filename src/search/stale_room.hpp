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
  Buffer<uint32_t> joined[2];  // by portal: how far over old moves and new ones, the same
  Buffer<uint32_t> gate[6];    // by cell of an end of a gate: how far
  Buffer<uint8_t> moves;       // through its zone

  size_t bytes() const noexcept {
    return reach.bytes() + blocks.bytes() + lanes.bytes() + common.bytes() + then[0].bytes() +
           then[1].bytes() + joined[0].bytes() + joined[1].bytes() + moves.bytes() +
           gate[0].bytes() + gate[1].bytes() + gate[2].bytes() + gate[3].bytes() + gate[4].bytes() +
           gate[5].bytes();
  }
  void release() noexcept {
    reach.release();
    blocks.release();
    lanes.release();
    common.release();
    for (Buffer<uint32_t>& side : then) side.release();
    for (Buffer<uint32_t>& side : joined) side.release();
    for (Buffer<uint32_t>& end : gate) end.release();
    moves.release();
  }
};

}  // namespace octile
