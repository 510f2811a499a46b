// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Open lists for integer costs.
//
// BucketQueue  a ring of buckets, each a stack of cells; bucket b holds the costs f with
//              f >> shift == b. Push and pop are O(1). Within a bucket the last in comes first,
//              which prefers high g. The width of a bucket costs order, never exactness: see
//              detail/best_first.hpp. It needs every push within the ring ahead of the lowest
//              cost that is still in the list (Dial 1969, with wide buckets).
// RadixHeap    for costs that may leap any distance, as with very uneven weights. Pops exact
//              order; needs pushes at or above the last cost popped, which consistent estimates
//              guarantee (Ahuja, Mehlhorn, Orlin and Tarjan 1990).
//
// Neither removes entries whose cost was lowered later: the searches drop them when they come up.

#include <bit>

#include "base/cost.hpp"
#include "world/tiles.hpp"

namespace octile {

template <class T, uint32_t kSize = 8192>
class Buckets {
 public:
  static constexpr uint32_t kBuckets = kSize;
  // The most that a push may lie above the lowest cost in the list, in buckets.
  static constexpr uint32_t kReach = kBuckets - 2;

  // Empties the list; false: memory is short.
  bool begin(uint32_t shift) noexcept {
    if (first_.empty() && !first_.resize(kBuckets)) return false;
    for (uint32_t s = 0; s < kSummaries; ++s) {
      for (; summary_[s]; summary_[s] &= summary_[s] - 1)
        used_[s << 6 | static_cast<uint32_t>(std::countr_zero(summary_[s]))] = 0;
    }
    entry_.clear();
    free_ = kNone;
    shift_ = shift;
    started_ = false;
    return true;
  }

  bool push(Cost f, Cost, const T& id) noexcept {
    const uint64_t at = f >> shift_;
    if (!started_ || at < cursor_) {
      // Below the cursor only when a caller's estimate is inconsistent by less than a bucket.
      cursor_ = at;
      started_ = true;
    }
    const uint32_t b = at & (kBuckets - 1);
    const bool filled = used_[b >> 6] >> (b & 63) & 1;
    const uint32_t next = filled ? first_[b] : kNone;
    if (free_ != kNone) {
      const uint32_t slot = free_;
      free_ = entry_[slot].next;
      entry_[slot] = {id, next};
      first_[b] = slot;
    } else {
      if (!entry_.push({id, next})) return false;
      first_[b] = static_cast<uint32_t>(entry_.size() - 1);
    }
    if (!filled) {
      used_[b >> 6] |= uint64_t{1} << (b & 63);
      summary_[b >> 12] |= uint64_t{1} << (b >> 6 & 63);
    }
    return true;
  }

  bool pop(Cost bound, T* id) noexcept {
    uint32_t b = cursor_ & (kBuckets - 1);
    if (!(used_[b >> 6] >> (b & 63) & 1)) {
      if (!started_ || !advance()) return false;
      b = cursor_ & (kBuckets - 1);
    }
    if (cursor_ << shift_ >= bound) return false;
    const uint32_t slot = first_[b];
    *id = entry_[slot].id;
    const uint32_t next = entry_[slot].next;
    entry_[slot].next = free_;
    free_ = slot;
    first_[b] = next;
    if (next == kNone) {
      used_[b >> 6] &= ~(uint64_t{1} << (b & 63));
      if (used_[b >> 6] == 0) summary_[b >> 12] &= ~(uint64_t{1} << (b >> 6 & 63));
    }
    return true;
  }

  // What the next pop will probably give, without looking far; null: that is not at hand.
  const T* peek() const noexcept {
    const uint32_t b = cursor_ & (kBuckets - 1), word = b >> 6;
    const uint64_t here = used_[word] & (~uint64_t{0} << (b & 63));
    if (!here) return nullptr;
    return &entry_[first_[word * 64 + static_cast<uint32_t>(std::countr_zero(here))]].id;
  }

  size_t bytes() const noexcept { return first_.bytes() + entry_.bytes(); }
  void release() noexcept {
    first_.release();
    entry_.release();
  }

 private:
  static constexpr uint32_t kNone = 0xffffffff;
  static constexpr uint32_t kSummaries = kBuckets / 4096;
  static_assert((kBuckets & (kBuckets - 1)) == 0 && kSummaries >= 1);
  struct Entry {
    T id;
    uint32_t next;
  };

  // Moves the cursor to the next bucket in use, around the ring; false: the list is empty.
  bool advance() noexcept {
    const uint32_t b = cursor_ & (kBuckets - 1), word = b >> 6;
    const uint64_t here = used_[word] & (~uint64_t{0} << (b & 63));
    if (here) return go(b, word, here);
    // Words after this one, then those of the other summaries, then the words before it.
    uint32_t part = word >> 6;
    uint64_t words = (word & 63) == 63 ? 0 : summary_[part] & (~uint64_t{0} << ((word & 63) + 1));
    for (uint32_t turn = 0; turn <= kSummaries; ++turn) {
      if (words) {
        const uint32_t w = part * 64 + static_cast<uint32_t>(std::countr_zero(words));
        return go(b, w, used_[w]);
      }
      part = (part + 1) & (kSummaries - 1);
      words = summary_[part];
    }
    return false;
  }
  bool go(uint32_t from, uint32_t word, uint64_t bits) noexcept {
    const uint32_t b = word * 64 + static_cast<uint32_t>(std::countr_zero(bits));
    cursor_ += (b - from) & (kBuckets - 1);
    return true;
  }

  Buffer<uint32_t> first_;  // per bucket, valid where used_ says so
  Buffer<Entry> entry_;
  uint64_t used_[kBuckets / 64] = {};
  uint64_t summary_[kSummaries] = {};  // which words of used_ are not 0
  uint64_t cursor_ = 0;
  uint32_t free_ = kNone;
  uint32_t shift_ = 0;
  bool started_ = false;
};

using BucketQueue = Buckets<CellId>;

class RadixHeap {
 public:
  bool begin() noexcept {
    for (Buffer<Entry>& b : bucket_) b.clear();
    last_ = 0;
    failed_ = false;
    return true;
  }
  bool push(Cost f, Cost, CellId id) noexcept { return bucket_[index(f)].push({f, id}); }

  bool pop(Cost bound, CellId* id) noexcept {
    if (bucket_[0].empty() && !refill()) return false;
    if (last_ >= bound) return false;
    *id = bucket_[0].back().id;
    bucket_[0].pop();
    return true;
  }

  // True when entries were lost because memory was short: the search must not trust its end.
  bool failed() const noexcept { return failed_; }
  size_t bytes() const noexcept {
    size_t sum = 0;
    for (const Buffer<Entry>& b : bucket_) sum += b.bytes();
    return sum;
  }
  void release() noexcept {
    for (Buffer<Entry>& b : bucket_) b.release();
  }

 private:
  struct Entry {
    Cost f;
    CellId id;
  };
  uint32_t index(Cost f) const noexcept {
    return f == last_ ? 0 : 64 - static_cast<uint32_t>(std::countl_zero(f ^ last_));
  }
  // Spreads the lowest bucket in use over the ones below it; false when all are empty, or an entry
  // found no room.
  bool refill() noexcept {
    uint32_t b = 1;
    while (b < 65 && bucket_[b].empty()) ++b;
    if (b == 65) return false;
    last_ = bucket_[b][0].f;
    for (const Entry& e : bucket_[b]) last_ = e.f < last_ ? e.f : last_;
    for (const Entry& e : bucket_[b])
      if (!bucket_[index(e.f)].push(e)) failed_ = true;
    bucket_[b].clear();
    return !failed_;
  }

  Buffer<Entry> bucket_[65];
  Cost last_ = 0;
  bool failed_ = false;
};

}  // namespace octile
