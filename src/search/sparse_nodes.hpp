// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// What a search knows of cells where only few cells of a tile are reached, as by jump point search:
// a small hash table for each tile, made when a search first touches the tile.
//
//   tables_[tile]   its slots, how many are in use; counts when it carries the present generation
//   slots           32 to 4,096 records of 16 bytes, by the cell's place in its tile; at most three
//                   quarters full, then twice as many. At 4,096 every cell has a slot of its own
//
// Records of cells near each other lie near each other, as in NodePages (nodes.hpp), which takes
// 64 KB a tile and is faster where a map is so small that all its pages stay in the caches. Memory:
// 24 to 43 bytes a record (512 for a tile at least), and 16 for each tile of the largest map seen;
// no more than the pages would take. Nothing is cleared between searches: they begin with an empty
// arena.

#include "base/arena.hpp"
#include "base/cost.hpp"
#include "world/tiles.hpp"

namespace octile {

struct SparseNode {
  Cost g;
  CellId parent;   // kNoCell at a start
  uint32_t state;  // place in the tile << 2 | 1 fresh, 2 open, 3 closed; 0: an empty slot
};
static_assert(sizeof(SparseNode) == 16);

class SparseNodes {
 public:
  // Starts a search on a grid of so many tiles; false: memory is short.
  bool begin(uint32_t tiles) noexcept {
    if (tables_.size() < tiles && !tables_.resize(tiles)) return false;
    for (; known_tiles_ < tiles; ++known_tiles_) tables_[known_tiles_].generation = 0;
    if (++generation_ == 0) {
      for (Table& table : tables_) table.generation = 0;
      generation_ = 1;
    }
    arena_.rewind();
    for (SparseNode*& list : free_) list = nullptr;
    return true;
  }

  // The record stays where it is until the next call.
  SparseNode* reach(CellId id) noexcept {
    Table& table = tables_[id >> 12];
    if (__builtin_expect(table.generation != generation_, 0) && !start(&table)) return nullptr;
    SparseNode* node = find(table, id);
    if (node->state) return node;
    if (__builtin_expect(table.used >= most(table), 0)) {
      if (!grow(&table)) return nullptr;
      node = find(table, id);
    }
    ++table.used;
    node->state = (id & (kTileCells - 1)) << 2 | kFresh;
    return node;
  }
  // The record of a cell that this search has reached.
  const SparseNode& known(CellId id) const noexcept { return *find(tables_[id >> 12], id); }

  bool fresh(const SparseNode& n) const noexcept { return (n.state & 3) == kFresh; }
  bool closed(const SparseNode& n) const noexcept { return (n.state & 3) == kClosed; }
  void open(SparseNode& n, Cost g, CellId parent) const noexcept {
    n.g = g;
    n.parent = parent;
    n.state = (n.state & ~3u) | kOpen;
  }
  void close(SparseNode& n) const noexcept { n.state |= kClosed; }

  size_t bytes() const noexcept { return tables_.bytes() + arena_.bytes(); }
  void release() noexcept {
    tables_.release();
    known_tiles_ = 0;
    arena_.release();
  }

 private:
  static constexpr uint32_t kFresh = 1, kOpen = 2, kClosed = 3;
  static constexpr uint32_t kFirstBits = 5, kMostBits = 12;
  struct Table {
    SparseNode* slots;
    uint32_t generation;
    uint16_t used;
    uint16_t shift;  // 12 - log2 of the number of slots
  };
  static_assert(kTileCells == 1u << kMostBits);

  static uint32_t size(const Table& table) noexcept { return kTileCells >> table.shift; }
  // More than this in use: time to grow.
  static uint32_t most(const Table& table) noexcept {
    return table.shift ? size(table) / 4 * 3 : kTileCells;
  }
  // Golden-section hashing; an odd factor, so that no two cells meet in a full table.
  static SparseNode* find(const Table& table, CellId id) noexcept {
    const uint32_t place = id & (kTileCells - 1), last = size(table) - 1;
    for (uint32_t at = (place * 2531 & (kTileCells - 1)) >> table.shift;; at = (at + 1) & last) {
      SparseNode* node = table.slots + at;
      if (node->state == 0 || node->state >> 2 == place) return node;
    }
  }
  // Empty slots for a table of shift `shift`; null: memory is short.
  SparseNode* take(uint32_t shift) noexcept {
    const uint32_t n = kTileCells >> shift;
    SparseNode* slots = free_[shift];
    if (slots) {
      free_[shift] = reinterpret_cast<SparseNode*>(static_cast<uintptr_t>(slots->g));
    } else {
      slots = arena_.take<SparseNode>(n);
      if (!slots) return nullptr;
    }
    for (uint32_t i = 0; i < n; ++i) slots[i].state = 0;
    return slots;
  }
  bool start(Table* table) noexcept {
    table->shift = kMostBits - kFirstBits;
    table->used = 0;
    table->slots = take(table->shift);
    if (!table->slots) return false;
    table->generation = generation_;
    return true;
  }
  bool grow(Table* table) noexcept {
    const Table old = *table;
    SparseNode* more = take(old.shift - 1u);
    if (!more) return false;
    table->slots = more;
    table->shift = static_cast<uint16_t>(old.shift - 1);
    for (uint32_t i = 0; i < size(old); ++i)
      if (old.slots[i].state) *find(*table, old.slots[i].state >> 2) = old.slots[i];
    old.slots->g = reinterpret_cast<uintptr_t>(free_[old.shift]);
    free_[old.shift] = old.slots;
    return true;
  }

  Buffer<Table> tables_;
  uint32_t known_tiles_ = 0;
  uint32_t generation_ = 0;
  Arena arena_;
  SparseNode* free_[kMostBits] = {};  // by shift: slots that tables grew out of, linked by g
};

}  // namespace octile
