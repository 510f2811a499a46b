// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// What searches keep for each tile of a map, in pages that are made when a search first touches the
// tile and kept. Nothing is cleared between searches: what pages hold counts only with the
// generation of the present search, and they are wiped when the numbers of generations begin again.

#include <new>

#include "world/tiles.hpp"

namespace octile {

// Page: a trivial type with void wipe(), after which it holds nothing of any generation.
template <class Page>
class TilePages {
 public:
  // `last`: the greatest generation.
  explicit TilePages(uint32_t last) noexcept : last_(last) {}
  ~TilePages() { release(); }
  TilePages(const TilePages&) = delete;
  TilePages& operator=(const TilePages&) = delete;

  // Starts a search on a grid of so many tiles; false: memory is short.
  bool begin(uint32_t tiles) noexcept {
    if (pages_.size() < tiles) {
      const size_t old = pages_.size();
      if (!pages_.resize(tiles)) return false;
      for (size_t i = old; i < tiles; ++i) pages_[i] = nullptr;
    }
    if (generation_++ == last_) {
      for (Page* page : pages_)
        if (page) page->wipe();
      generation_ = 1;
    }
    return true;
  }
  uint32_t generation() const noexcept { return generation_; }

  // Null: memory is short.
  Page* reach(uint32_t tile) noexcept {
    Page* page = pages_[tile];
    return __builtin_expect(page != nullptr, 1) ? page : add(tile);
  }
  // Null: no search has touched the tile.
  Page* known(uint32_t tile) const noexcept { return pages_[tile]; }

  size_t bytes() const noexcept { return pages_.bytes() + made_ * sizeof(Page); }
  void release() noexcept {
    for (Page* page : pages_) ::operator delete (page, std::align_val_t{64});
    pages_.release();
    made_ = 0;
  }

 private:
  Page* add(uint32_t tile) noexcept {
    Page* page =
        static_cast<Page*>(::operator new (sizeof(Page), std::align_val_t{64}, std::nothrow));
    if (!page) return nullptr;
    page->wipe();
    ++made_;
    return pages_[tile] = page;
  }

  Buffer<Page*> pages_;
  const uint32_t last_;
  uint32_t generation_ = 0;
  size_t made_ = 0;
};

}  // namespace octile
