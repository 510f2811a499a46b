// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Intrusive reference counts for what Views share: tiles, tables, whole Views. An object starts
// with one reference, belonging to its maker. Taking and dropping references is safe from any
// thread; changing the object is safe only while unique() holds for the one reference there is.
// Objects that lie in a Home (home.hpp) are housed: with the last reference nothing is deleted.
// Those of them that stand in very many places are immortal: nobody counts their references, and
// nobody owns them alone.
//
// So a writer may write again into what readers had (shared_array.hpp, tiles.hpp). Why none of them
// is disturbed:
//
//   no way back   A reference is copied from one that its owner keeps meanwhile. While a reader has
//                 one, or something that has one, the count is above the writer's 1; once it is 1
//                 there is nothing left to copy from, and it stays so
//   reads before  drop() releases, unique() acquires, and what changes the count between them goes
//                 on releasing: all that a reader did before it dropped its reference happens
//                 before what the writer does then. Where an object goes with the last reference
//                 to its owner, the thread that deletes the owner has acquired what all others
//                 released, and hands that on by dropping
//   no weak ones  what only points (flat arrays of tiles) stands beside a reference in the same
//                 handle, or is compared and never followed

#include <atomic>
#include <cstdint>

namespace octile {

class Counted {
 public:
  Counted() noexcept = default;
  Counted(const Counted&) noexcept {}  // a copy starts with a count of its own
  Counted& operator=(const Counted&) = delete;

  // The count, which comes first in the object, of what is never deleted; and what is part of the
  // count of what something else owns the memory of.
  static constexpr uint32_t kImmortal = 0xffffffff, kHoused = 0x80000000;

  void take() const noexcept {
    if (!immortal()) count_.fetch_add(1, std::memory_order_relaxed);
  }
  // True when this was the last reference: the caller deletes the object.
  bool drop() const noexcept { return drop_one() == 0; }
  // The count that is left; kHoused: that of a housed object nobody has any more.
  uint32_t drop_one() const noexcept {
    return immortal() ? kImmortal : count_.fetch_sub(1, std::memory_order_acq_rel) - 1;
  }
  // Before others see it: from now on something else owns the object's memory.
  void make_immortal() noexcept { count_.store(kImmortal, std::memory_order_relaxed); }
  void make_housed() noexcept { count_.store(kHoused | 1, std::memory_order_relaxed); }
  // For who has a reference: it is the only one, and will be.
  bool unique() const noexcept { return held_by(1); }
  // The same for who has n references.
  bool held_by(uint32_t n) const noexcept {
    return (count_.load(std::memory_order_acquire) & ~kHoused) == n;
  }
  bool immortal() const noexcept { return count_.load(std::memory_order_relaxed) == kImmortal; }

 private:
  mutable std::atomic<uint32_t> count_{1};
};

template <class T>
void drop(const T* object) noexcept {
  if (object && object->drop()) delete object;
}

}  // namespace octile
