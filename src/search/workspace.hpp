// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The memory of one Searcher, shared by all solvers and kept between queries.

#include "search/jump.hpp"
#include "search/nodes.hpp"
#include "search/open_list.hpp"
#include "search/path.hpp"
#include "search/sparse_nodes.hpp"
#include "search/stale_room.hpp"
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

// What the solvers of one kind of index need beside: made by them when first needed, and owned by
// the Searcher.
class Annex {
 public:
  virtual ~Annex() = default;
  virtual size_t bytes() const noexcept = 0;
};

struct Workspace {
  Workspace() noexcept = default;
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  NodePages nodes;
  JumpNodes jump_nodes;
  SparseNodes sparse_nodes;  // of jump points on huge maps, or along a stretch of them
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
  Chain chain;            // the answer: waypoints from the start on; or
  bool written = false;   // it stands in Task::cells already
  bool declined = false;  // another solver must answer

  // Of solvers with an index.
  Buffer<uint32_t> reach;      // label kernels: lengths of the ways to the vias
  Buffer<Cell> cells;          // a path on its way to become waypoints
  Buffer<uint32_t> hub_stamp;  // by hub: the query that set hub_best
  Buffer<uint64_t> hub_best;
  Buffer<uint32_t> ends[2];  // the subgoals that start and goal begin with
  StaleRoom stale;
  uint32_t stamp = 0;
  Annex* annex = nullptr;  // of portals and quadtree
  double bound = 1;        // of the answer, see Path::bound

  size_t bytes() const noexcept {
    return nodes.bytes() + jump_nodes.bytes() + sparse_nodes.bytes() + buckets.bytes() +
           jump_queue.bytes() + radix.bytes() + hits.bytes() + textbook.bytes() +
           textbook_open.bytes() + chain.bytes() + reach.bytes() + cells.bytes() + stale.bytes() +
           hub_stamp.bytes() + hub_best.bytes() + ends[0].bytes() + ends[1].bytes() +
           (annex ? annex->bytes() : 0);
  }
  void release() noexcept {
    nodes.release();
    jump_nodes.release();
    sparse_nodes.release();
    buckets.release();
    jump_queue.release();
    radix.release();
    hits.release();
    textbook.release();
    textbook_open.release();
    chain.release();
    reach.release();
    stale.release();
    cells.release();
    hub_stamp.release();
    hub_best.release();
    for (Buffer<uint32_t>& side : ends) side.release();
  }
};

}  // namespace octile
