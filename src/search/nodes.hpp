// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// What a search knows of cells: 16 bytes each, in pages of one tile (64 KB) that are made when a
// search first touches the tile and kept. Nothing is cleared between searches: a record counts only
// when its stamp carries the generation of the present search, and pages are wiped once in 2^31
// searches. Memory: 64 KB per tile ever touched, 8 bytes per tile of the largest map seen.

#include "base/cost.hpp"
#include "world/tiles.hpp"

namespace octile {

struct Node {
  Cost g;
  CellId parent;   // kNoCell at a start
  uint32_t stamp;  // generation << 1 | closed
};
static_assert(sizeof(Node) == 16);

class NodePages {
 public:
  NodePages() noexcept = default;
  ~NodePages() { release(); }
  NodePages(const NodePages&) = delete;
  NodePages& operator=(const NodePages&) = delete;

  // Starts a search on a grid of so many tiles; false: memory is short.
  bool begin(uint32_t tiles) noexcept {
    if (pages_.size() < tiles) {
      const size_t old = pages_.size();
      if (!pages_.resize(tiles)) return false;
      for (size_t i = old; i < tiles; ++i) pages_[i] = nullptr;
    }
    if (++generation_ == kGenerations) {
      for (Node* page : pages_)
        if (page) wipe(page);
      generation_ = 1;
    }
    open_stamp_ = generation_ << 1;
    return true;
  }

  Node* reach(CellId id) noexcept {
    Node* page = pages_[id >> 12];
    if (__builtin_expect(!page, 0)) page = add_page(id >> 12);
    return page ? page + (id & (kTileCells - 1)) : nullptr;
  }
  // The record of this cell will be asked for soon. Its page need not be there: a sum of numbers,
  // not of pointers.
  void hint(CellId id) const noexcept {
    __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(pages_[id >> 12]) +
                                                     (id & (kTileCells - 1)) * sizeof(Node)));
  }
  // The record of a cell that this search has reached.
  const Node& known(CellId id) const noexcept { return pages_[id >> 12][id & (kTileCells - 1)]; }

  bool fresh(const Node& n) const noexcept { return (n.stamp & ~1u) != open_stamp_; }
  bool closed(const Node& n) const noexcept { return n.stamp == (open_stamp_ | 1); }
  void open(Node& n, Cost g, CellId parent) const noexcept {
    n.g = g;
    n.parent = parent;
    n.stamp = open_stamp_;
  }
  void close(Node& n) const noexcept { n.stamp |= 1; }

  size_t bytes() const noexcept { return pages_.bytes() + made_ * kTileCells * sizeof(Node); }
  void release() noexcept {
    for (Node* page : pages_) ::operator delete (page, std::align_val_t{64});
    pages_.release();
    made_ = 0;
  }

 private:
  static constexpr uint32_t kGenerations = 1u << 31;

  static void wipe(Node* page) noexcept {
    for (uint32_t i = 0; i < kTileCells; ++i) page[i].stamp = 0;
  }
  Node* add_page(uint32_t tile) noexcept {
    Node* page = static_cast<Node*>(
        ::operator new (kTileCells * sizeof(Node), std::align_val_t{64}, std::nothrow));
    if (!page) return nullptr;
    wipe(page);
    ++made_;
    return pages_[tile] = page;
  }

  Buffer<Node*> pages_;
  uint32_t generation_ = 0;
  uint32_t open_stamp_ = 0;
  size_t made_ = 0;
};

}  // namespace octile
