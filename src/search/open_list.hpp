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
    if (first_.empty() && !first_.assign(kBuckets, kNone)) return false;
    for (uint32_t part = 0; part < kSummaries; ++part) {
      for (; summary_[part]; summary_[part] &= summary_[part] - 1) {
        const uint32_t word = part * 64 + lowest(summary_[part]);
        for (; used_[word]; used_[word] &= used_[word] - 1)
          first_[word * 64 + lowest(used_[word])] = kNone;
      }
    }
    entry_.clear();
    free_ = kNone;
    shift_ = shift;
    cursor_ = UINT64_MAX;
    return true;
  }

  bool push(Cost f, Cost, const T& id) noexcept {
    const uint64_t at = f >> shift_;
    // Below the cursor only at first, and when a caller's estimate is inconsistent by less than a
    // bucket.
    cursor_ = at < cursor_ ? at : cursor_;
    const uint32_t b = at & (kBuckets - 1);
    if (free_ != kNone) {
      const uint32_t slot = free_;
      free_ = entry_[slot].next;
      entry_[slot] = {id, first_[b]};
      first_[b] = slot;
    } else {
      if (!entry_.push({id, first_[b]})) return false;
      first_[b] = static_cast<uint32_t>(entry_.size() - 1);
    }
    used_[b >> 6] |= uint64_t{1} << (b & 63);
    summary_[b >> 12] |= uint64_t{1} << (b >> 6 & 63);
    return true;
  }

  bool pop(Cost bound, T* id) noexcept {
    if (!find(bound)) return false;
    take(cursor_ & (kBuckets - 1), id);
    return true;
  }

  // After pop(): the highest cost that may be pushed.
  Cost farthest() const noexcept { return (cursor_ + kReach) << shift_; }

  // Calls visit(id) for all of the lowest bucket in use, in the order of pop(), and empties it;
  // false: nothing is left below the bound.
  template <class Visit>
  bool pop_bucket(Cost bound, Visit visit) noexcept {
    if (!find(bound)) return false;
    const uint32_t b = cursor_ & (kBuckets - 1), first = first_[b];
    uint32_t last = first;
    for (;;) {
      visit(entry_[last].id);
      if (entry_[last].next == kNone) break;
      last = entry_[last].next;
    }
    entry_[last].next = free_;
    free_ = first;
    first_[b] = kNone;
    used_[b >> 6] &= ~(uint64_t{1} << (b & 63));
    if (!used_[b >> 6]) summary_[b >> 12] &= ~(uint64_t{1} << (b >> 6 & 63));
    return true;
  }

  // What the next pop will probably give, without looking far; null: that is not at hand.
  const T* peek() const noexcept {
    const uint32_t b = cursor_ & (kBuckets - 1);
    const uint64_t here = used_[b >> 6] >> (b & 63);
    return here ? &entry_[first_[b + lowest(here)]].id : nullptr;
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

  static uint32_t lowest(uint64_t bits) noexcept {
    return static_cast<uint32_t>(std::countr_zero(bits));
  }

  // Moves the cursor to the lowest bucket in use; false: nothing is left below the bound.
  bool find(Cost bound) noexcept {
    const uint32_t b = cursor_ & (kBuckets - 1);
    const uint64_t here = used_[b >> 6] >> (b & 63);
    if (__builtin_expect(here != 0, 1))
      cursor_ += lowest(here);
    else if (!advance())
      return false;
    return cursor_ << shift_ < bound;
  }

  // The last one of a bucket in use.
  void take(uint32_t b, T* id) noexcept {
    const uint32_t slot = first_[b];
    *id = entry_[slot].id;
    const uint32_t next = entry_[slot].next;
    entry_[slot].next = free_;
    free_ = slot;
    first_[b] = next;
    // Whether a bucket or a word of them is empty now could not be guessed.
    const uint64_t word = used_[b >> 6] & ~(uint64_t{next == kNone} << (b & 63));
    used_[b >> 6] = word;
    summary_[b >> 12] &= ~(uint64_t{word == 0} << (b >> 6 & 63));
  }

  // Moves the cursor on to the next word of buckets in use, around the ring; false: the list is
  // empty.
  bool advance() noexcept {
    const uint32_t b = cursor_ & (kBuckets - 1), word = b >> 6;
    // Words after this one, then those of the other summaries, then the words before it.
    uint32_t part = word >> 6;
    uint64_t words = (word & 63) == 63 ? 0 : summary_[part] & (~uint64_t{0} << ((word & 63) + 1));
    for (uint32_t turn = 0; turn <= kSummaries; ++turn) {
      if (words) {
        const uint32_t w = part * 64 + lowest(words);
        cursor_ += (w * 64 + lowest(used_[w]) - b) & (kBuckets - 1);
        return true;
      }
      part = (part + 1) & (kSummaries - 1);
      words = summary_[part];
    }
    return false;
  }

  Buffer<uint32_t> first_;  // per bucket, kNone where it is empty
  Buffer<Entry> entry_;
  uint64_t used_[kBuckets / 64] = {};
  uint64_t summary_[kSummaries] = {};  // which words of used_ are not 0
  uint64_t cursor_ = UINT64_MAX;       // no bucket before it is in use
  uint32_t free_ = kNone;
  uint32_t shift_ = 0;
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
