// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// What jump point search knows of cells: as nodes.hpp, but where records lie far from each other
// and many are reached only once. Beside the records of a tile stands, for 32 cells each, which of
// them the search of that generation has reached; for all others the answer is none. That takes 1
// KB a tile and stays in the caches: the record of a cell that is reached for the first time is
// written, but not waited for. Memory: 65 KB per tile ever touched, 8 bytes per tile of the largest
// map seen.

#include "base/cost.hpp"
#include "search/tile_pages.hpp"

namespace octile {

struct JumpNode {
  Cost g;
  CellId parent;  // kNoCell at a start
  uint32_t closed;
};
static_assert(sizeof(JumpNode) == 16);

class JumpNodes {
  // Of 32 cells.
  struct Reached {
    uint32_t generation;
    uint32_t cells;  // a bit each
  };

 public:
  // Starts a search on a grid of so many tiles; false: memory is short.
  bool begin(uint32_t tiles) noexcept { return pages_.begin(tiles); }

  // A record, and where it says whether this search has reached its cell.
  class Handle {
   public:
    explicit operator bool() const noexcept { return node_ != nullptr; }
    const Handle& operator*() const noexcept { return *this; }
    JumpNode* operator->() const noexcept { return node_; }

   private:
    friend class JumpNodes;
    JumpNode* node_ = nullptr;
    Reached* reached_ = nullptr;
    uint32_t bit_ = 0;
  };
  Handle reach(CellId id) noexcept {
    Handle to;
    Page* page = pages_.reach(id >> 12);
    if (__builtin_expect(!page, 0)) return to;
    to.node_ = page->nodes + (id & (kTileCells - 1));
    to.reached_ = page->reached + (id >> 5 & 127);
    to.bit_ = 1u << (id & 31);
    return to;
  }
  // The record will be looked at soon.
  void hint(const Handle& n) const noexcept { __builtin_prefetch(n.node_); }
  // Of a cell that this search has reached.
  JumpNode& known(CellId id) const noexcept {
    return pages_.known(id >> 12)->nodes[id & (kTileCells - 1)];
  }

  bool fresh(const Handle& n) const noexcept {
    return (n.reached_->generation != pages_.generation()) | !(n.reached_->cells & n.bit_);
  }
  bool closed(const JumpNode& n) const noexcept { return n.closed != 0; }
  bool closed(const Handle& n) const noexcept { return closed(*n.node_); }
  void open(const Handle& n, Cost g, CellId parent) const noexcept {
    Reached& r = *n.reached_;
    r.cells = (r.generation == pages_.generation() ? r.cells : 0) | n.bit_;
    r.generation = pages_.generation();
    n->g = g;
    n->parent = parent;
    n->closed = 0;
  }
  void close(JumpNode& n) const noexcept { n.closed = 1; }
  void close(const Handle& n) const noexcept { close(*n.node_); }

  size_t bytes() const noexcept { return pages_.bytes(); }
  void release() noexcept { pages_.release(); }

 private:
  struct Page {
    Reached reached[kTileCells / 32];
    JumpNode nodes[kTileCells];  // the last
    void wipe() noexcept {
      for (Reached& r : reached) r = {0, 0};
    }
  };
  TilePages<Page> pages_{UINT32_MAX};
};

}  // namespace octile
