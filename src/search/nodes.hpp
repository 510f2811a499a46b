// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// What a search knows of cells: 16 bytes each, in pages of one tile (64 KB). A record counts only
// when its stamp carries the generation of the present search. Memory: 64 KB per tile ever touched,
// 8 bytes per tile of the largest map seen.

#include "base/cost.hpp"
#include "search/tile_pages.hpp"

namespace octile {

struct Node {
  Cost g;
  CellId parent;   // kNoCell at a start
  uint32_t stamp;  // generation << 1 | closed
};
static_assert(sizeof(Node) == 16);

class NodePages {
 public:
  // Starts a search on a grid of so many tiles; false: memory is short.
  bool begin(uint32_t tiles) noexcept {
    if (!pages_.begin(tiles)) return false;
    open_stamp_ = pages_.generation() << 1;
    return true;
  }

  Node* reach(CellId id) noexcept {
    Page* page = pages_.reach(id >> 12);
    return page ? page->nodes + (id & (kTileCells - 1)) : nullptr;
  }
  // The record of a cell that this search has reached.
  const Node& known(CellId id) const noexcept {
    return pages_.known(id >> 12)->nodes[id & (kTileCells - 1)];
  }

  bool fresh(const Node& n) const noexcept { return (n.stamp & ~1u) != open_stamp_; }
  bool closed(const Node& n) const noexcept { return n.stamp == (open_stamp_ | 1); }
  void open(Node& n, Cost g, CellId parent) const noexcept {
    n.g = g;
    n.parent = parent;
    n.stamp = open_stamp_;
  }
  void close(Node& n) const noexcept { n.stamp |= 1; }

  size_t bytes() const noexcept { return pages_.bytes(); }
  void release() noexcept { pages_.release(); }

 private:
  struct Page {
    Node nodes[kTileCells];
    void wipe() noexcept {
      for (Node& n : nodes) n.stamp = 0;
    }
  };
  TilePages<Page> pages_{(1u << 31) - 1};
  uint32_t open_stamp_ = 0;
};

}  // namespace octile
