// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// What a search knows of its nodes, by number, in a hash table: memory grows with the nodes that
// one search reaches, never with the map. The other keeper of nodes, NodePages, is faster where
// nodes lie close together. Linear probing, at most half full; a slot counts only when its stamp
// carries the generation of the present search, so nothing is cleared between searches. 24 bytes a
// slot.

#include "base/cost.hpp"
#include "octile/detail/buffer.hpp"

namespace octile {

struct HashedNode {
  uint64_t g;
  uint32_t parent;
  uint32_t id;
  uint32_t stamp;  // generation << 2 | 0 fresh, 1 open, 2 closed
};

class HashedNodes {
 public:
  // Starts a search; false: memory is short.
  bool begin() noexcept {
    if (slots_.empty() && !allocate(&slots_, kFirst)) return false;
    if (++generation_ == 1u << 30) {
      for (HashedNode& n : slots_) n.stamp = 0;
      generation_ = 1;
    }
    count_ = 0;
    return true;
  }

  // The record stays where it is until the next call.
  HashedNode* reach(uint32_t id) noexcept {
    HashedNode* n = find(id);
    if (n->stamp >> 2 == generation_) return n;
    if (2 * ++count_ > slots_.size()) {
      if (!grow()) return nullptr;
      n = find(id);
    }
    n->id = id;
    n->stamp = generation_ << 2;
    return n;
  }
  const HashedNode& known(uint32_t id) const noexcept { return *find(id); }

  bool fresh(const HashedNode& n) const noexcept { return (n.stamp & 3) == 0; }
  bool closed(const HashedNode& n) const noexcept { return (n.stamp & 3) == 2; }
  void open(HashedNode& n, uint64_t g, uint32_t parent) const noexcept {
    n.g = g;
    n.parent = parent;
    n.stamp = generation_ << 2 | 1;
  }
  void close(HashedNode& n) const noexcept { n.stamp = generation_ << 2 | 2; }

  size_t bytes() const noexcept { return slots_.bytes(); }

 private:
  static constexpr size_t kFirst = 4096;

  static bool allocate(detail::Buffer<HashedNode>* slots, size_t n) noexcept {
    if (!slots->resize(n)) return false;
    for (HashedNode& s : *slots) s.stamp = 0;
    return true;
  }
  HashedNode* find(uint32_t id) const noexcept {
    const size_t mask = slots_.size() - 1;
    for (size_t at = (uint64_t{id} * 0x9e3779b97f4a7c15 >> 32) & mask;; at = (at + 1) & mask) {
      HashedNode& n = const_cast<HashedNode&>(slots_[at]);
      if (n.stamp >> 2 != generation_ || n.id == id) return &n;
    }
  }
  bool grow() noexcept {
    detail::Buffer<HashedNode> old;
    old.swap(slots_);
    if (!allocate(&slots_, 2 * old.size())) {
      old.swap(slots_);
      return false;
    }
    for (const HashedNode& n : old)
      if (n.stamp >> 2 == generation_) *find(n.id) = n;
    return true;
  }

  detail::Buffer<HashedNode> slots_;
  uint32_t generation_ = 0;
  size_t count_ = 0;
};

}  // namespace octile
