// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The places round a place, one after the other, by the cost of the way from them to it: Dijkstra
// backwards with a table that grows with what was seen, never with the map. For a few thousand
// places; whole maps are the work of fields.

#include "octile/detail/heap.hpp"
#include "world/world_view.hpp"

namespace octile {

// CellId -> V, open addressing; never more than two thirds full.
template <class V>
class CellTable {
 public:
  void clear() noexcept {
    for (CellId& key : key_) key = kNoCell;
    size_ = 0;
  }
  // The value of a cell, or null. Valid until the next add().
  V* find(CellId cell) noexcept {
    if (key_.empty()) return nullptr;
    for (size_t i = place(cell);; i = (i + 1) & (key_.size() - 1)) {
      if (key_[i] == cell) return &value_[i];
      if (key_[i] == kNoCell) return nullptr;
    }
  }
  // Adds a cell that is not in the table. False: memory is short, nothing has changed.
  bool add(CellId cell, const V& value) noexcept {
    if (3 * (size_ + 1) > 2 * key_.size() && !grow()) return false;
    put(cell, value);
    ++size_;
    return true;
  }
  size_t size() const noexcept { return size_; }

 private:
  size_t place(CellId cell) const noexcept {
    return (cell * uint64_t{0x9e3779b97f4a7c15} >> 32) & (key_.size() - 1);
  }
  void put(CellId cell, const V& value) noexcept {
    size_t i = place(cell);
    while (key_[i] != kNoCell) i = (i + 1) & (key_.size() - 1);
    key_[i] = cell;
    value_[i] = value;
  }
  bool grow() noexcept {
    CellTable larger;
    const size_t n = key_.empty() ? 64 : 2 * key_.size();
    if (!larger.key_.assign(n, kNoCell) || !larger.value_.resize(n)) return false;
    for (size_t i = 0; i < key_.size(); ++i)
      if (key_[i] != kNoCell) larger.put(key_[i], value_[i]);
    key_.swap(larger.key_);
    value_.swap(larger.value_);
    return true;
  }

  Buffer<CellId> key_;
  Buffer<V> value_;
  size_t size_ = 0;
};

class Spread {
 public:
  // False: memory is short; so next() tells by failed().
  bool begin(const WorldView& world, CellId from) noexcept {
    world_ = &world;
    open_.clear();
    cost_.clear();
    failed_ = !cost_.add(from, 0) || !open_.push({0, key_of(from)}, from);
    return !failed_;
  }
  // The next place by cost, then y, x. False: there is none, or memory is short.
  bool next(CellId* place, Cost* cost) noexcept {
    while (!open_.empty()) {
      const auto top = open_.pop();
      if (*cost_.find(top.id) < top.key.cost) continue;
      *place = top.id;
      *cost = top.key.cost;
      return expand(top.id, top.key.cost);
    }
    return false;
  }
  bool failed() const noexcept { return failed_; }

 private:
  struct Key {
    Cost cost;
    uint64_t place;  // y, x
    bool operator<(const Key& other) const noexcept {
      return cost != other.cost ? cost < other.cost : place < other.place;
    }
  };
  uint64_t key_of(CellId id) const noexcept {
    const TileGrid& grid = world_->map.grid;
    return uint64_t{grid.py(id)} << 32 | grid.px(id);
  }
  // Legal moves are legal both ways; a step pays for the place it enters, which is this one.
  bool expand(CellId id, Cost cost) noexcept {
    const Layer& layer = world_->layer;
    const int32_t* steps = layer.steps.of(id);
    const Cost weight = world_->weight(id);
    const StepCosts length = world_->costs.steps;
    for (uint32_t moves = layer.moves(id); moves; moves &= moves - 1) {
      const auto d = static_cast<uint32_t>(__builtin_ctz(moves));
      const CellId to = id + static_cast<uint32_t>(steps[d]);
      const Cost sum = cost + weight * (d & 1 ? length.diagonal : length.straight);
      Cost* known = cost_.find(to);
      if (sum >= kMaxCost || (known && *known <= sum)) continue;
      if (known) {
        *known = sum;
      } else if (!cost_.add(to, sum)) {
        failed_ = true;
      }
      if (!open_.push({sum, key_of(to)}, to)) failed_ = true;
      if (failed_) return false;
    }
    return true;
  }

  const WorldView* world_ = nullptr;
  detail::Heap<Key> open_;
  CellTable<Cost> cost_;
  bool failed_ = false;
};

}  // namespace octile
