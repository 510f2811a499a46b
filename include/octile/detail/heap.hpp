// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// A priority queue of (key, id) pairs: a heap with four children to a node, in one Buffer.
//
//             [0]                    parent of i:      (i - 1) / 4      for i > 0
//     [1]  [2]  [3]  [4]             children of i:    4 i + 1 .. 4 i + 4
//    5..8 9..12  ..  17..20          invariant: no entry is less than its parent
//
// Four children instead of two halve the depth, and the four lie together in memory, so a pop
// touches half as many cache lines for about the same number of comparisons.
//
// Order: the smallest key by `<` first. Entries whose keys are equivalent come out in an order that
// depends on the pushes and pops before and on nothing else; a user who wants "first in, first out"
// puts a counter into the key. Heap is the queue for keys that have no useful bucket width.
//
// There is neither a look-up of an id nor a change of a key, on purpose: an entry cannot be altered
// while the heap holds it. To lower a key, push the id again and skip the old entry when it comes
// out; what is out of the heap leaves no trace in it.
//
// Owner: one thread. Cost: push and pop O(log n), top O(1), clear O(1). Memory: one entry per
// pair, growing by halves, kept by clear() and freed by release().

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "octile/detail/buffer.hpp"

namespace octile::detail {

template <class Key>
class Heap {
  static_assert(std::is_trivially_copyable_v<Key>);

 public:
  struct Entry {
    Key key;
    uint32_t id;
  };

  bool empty() const noexcept { return entries_.empty(); }
  size_t size() const noexcept { return entries_.size(); }
  size_t bytes() const noexcept { return entries_.bytes(); }
  void clear() noexcept { entries_.clear(); }
  void release() noexcept { entries_.release(); }
  // After this, pushes up to n entries cannot fail.
  bool reserve(size_t n) noexcept { return entries_.reserve(n); }

  // False when memory is short; the heap is then as before.
  bool push(const Key& key, uint32_t id) noexcept {
    const Entry entry{key, id};  // a copy: `key` may lie inside this heap
    if (!entries_.push(entry)) return false;
    rise(entries_.size() - 1, entry);
    return true;
  }

  // The entry with the smallest key. The heap must not be empty.
  const Entry& top() const noexcept { return entries_[0]; }

  // Takes that entry out. The heap must not be empty.
  Entry pop() noexcept {
    const Entry first = entries_[0];
    const Entry last = entries_.back();
    entries_.pop();
    const size_t n = entries_.size();
    if (n == 0) return first;
    // The hole sinks to a leaf without looking at `last`, which came from a leaf and nearly always
    // belongs near one: a comparison less on each level than stopping as soon as it fits.
    size_t hole = 0;
    for (size_t child = 1; child < n; child = kArity * hole + 1) {
      const size_t end = n - child < kArity ? n : child + kArity;
      size_t least = child;
      for (size_t i = child + 1; i < end; ++i) {
        if (entries_[i].key < entries_[least].key) least = i;
      }
      entries_[hole] = entries_[least];
      hole = least;
    }
    rise(hole, last);
    return first;
  }

 private:
  static constexpr size_t kArity = 4;

  // Moves parents down from position i until `entry` fits there. The root has no parent: (0 - 1)
  // wraps around in unsigned arithmetic, hence i > 0 comes first.
  void rise(size_t i, const Entry& entry) noexcept {
    while (i > 0) {
      const size_t parent = (i - 1) / kArity;
      if (!(entry.key < entries_[parent].key)) break;
      entries_[i] = entries_[parent];
      i = parent;
    }
    entries_[i] = entry;
  }

  Buffer<Entry> entries_;
};

}  // namespace octile::detail
