// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The memory of one Searcher, shared by all solvers and kept between queries.

#include "search/jump.hpp"
#include "search/nodes.hpp"
#include "search/open_list.hpp"
#include "search/path.hpp"
#include "search/task.hpp"

namespace octile {

// A node of the textbook solvers: the fields of the tutorials' node classes.
struct TextbookNode {
  Cost g;
  Cost f;
  uint32_t parent;
  uint32_t heap_index;
  uint32_t stamp;  // generation << 1 | closed
};

struct Workspace {
  NodePages nodes;
  BucketQueue buckets;
  JumpQueue jump_queue;
  RadixHeap radix;
  Buffer<uint64_t> hits;  // two lists, see JumpHits
  PocketFilter pockets;
  Buffer<TextbookNode> textbook;  // row-major
  Buffer<uint32_t> textbook_open;
  uint32_t textbook_generation = 0;
  State state;
  Watch watch;
  Chain chain;  // the answer: waypoints from the start on

  size_t bytes() const noexcept {
    return nodes.bytes() + buckets.bytes() + jump_queue.bytes() + radix.bytes() + hits.bytes() +
           textbook.bytes() + textbook_open.bytes() + chain.bytes();
  }
  void release() noexcept {
    nodes.release();
    buckets.release();
    jump_queue.release();
    radix.release();
    hits.release();
    textbook.release();
    textbook_open.release();
    chain.release();
  }
};

}  // namespace octile
