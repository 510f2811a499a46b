// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "search/open_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support.hpp"

namespace octile::test {
namespace {

// Entries by cost, of which any of the lowest may come first.
using Reference = std::multiset<std::pair<Cost, CellId>>;

// Pops must come out of the lowest bucket in use: never more than a bucket's width above the least.
template <class Queue = BucketQueue>
void run_buckets(uint32_t shift, Cost largest_leap, int steps, uint64_t seed) {
  Random random(seed);
  Queue queue;
  ASSERT_TRUE(queue.begin(shift));
  Reference in;
  Cost lowest = random.next() >> 24;  // of what was popped last
  CellId next = 0;
  for (int i = 0; i < steps; ++i) {
    if (in.empty() || random.percent(55)) {
      const Cost f = lowest + random.next() % (largest_leap + 1);
      ASSERT_TRUE(queue.push(f, 0, next));
      in.insert({f, next++});
      continue;
    }
    CellId id;
    ASSERT_TRUE(queue.pop(UINT64_MAX, &id));
    const Cost least = in.begin()->first;
    const auto it =
        std::find_if(in.begin(), in.end(), [&](const auto& e) { return e.second == id; });
    ASSERT_NE(it, in.end()) << "an entry that is not in the list";
    ASSERT_EQ(it->first >> shift, least >> shift) << "not from the lowest bucket";
    // The search goes on from the bucket of the least: never back.
    lowest = std::max(lowest, (it->first >> shift) << shift);
    in.erase(it);
  }
  CellId id;
  while (!in.empty()) {
    ASSERT_TRUE(queue.pop(UINT64_MAX, &id));
    const auto it =
        std::find_if(in.begin(), in.end(), [&](const auto& e) { return e.second == id; });
    ASSERT_NE(it, in.end());
    ASSERT_EQ(it->first >> shift, in.begin()->first >> shift);
    in.erase(it);
  }
  ASSERT_FALSE(queue.pop(UINT64_MAX, &id));
}

TEST(BucketQueue, pops_from_the_lowest_bucket) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    run_buckets(0, 40, 2000, seed);
    run_buckets(3, 1000, 2000, seed);
  }
}

TEST(BucketQueue, goes_around_the_ring_at_its_full_reach) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    for (const uint32_t shift : {0u, 1u, 7u, 27u}) {
      // All the way: from any place in the lowest bucket to kReach buckets ahead.
      const Cost leap = (Cost{BucketQueue::kReach} << shift);
      run_buckets(shift, leap, 3000, seed);
    }
  }
}

// What pop_bucket() gives is what pop() gives, as long as that comes out of one bucket.
TEST(BucketQueue, a_whole_bucket_at_once) {
  constexpr uint32_t kShift = 6;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    BucketQueue queue, other;
    ASSERT_TRUE(queue.begin(kShift) && other.begin(kShift));
    std::vector<Cost> cost;
    Cost lowest = random.next() >> 24;
    for (int round = 0; round < 400; ++round) {
      for (int n = random.between(0, 12); n > 0; --n) {
        cost.push_back(lowest + random.next() % (random.percent(10) ? 200'000 : 500));
        const auto id = static_cast<CellId>(cost.size() - 1);
        ASSERT_TRUE(queue.push(cost.back(), 0, id) && other.push(cost.back(), 0, id));
      }
      std::vector<CellId> taken;
      const Cost bound = random.percent(10) ? lowest + 100 : UINT64_MAX;
      const bool found = queue.pop_bucket(bound, [&](CellId id) { taken.push_back(id); });
      ASSERT_EQ(found, !taken.empty());
      CellId id;
      if (!found) {
        ASSERT_FALSE(other.pop(bound, &id));
        continue;
      }
      lowest = cost[taken[0]] >> kShift << kShift;
      for (const CellId expected : taken) {
        ASSERT_TRUE(other.pop(UINT64_MAX, &id));
        ASSERT_EQ(id, expected);
      }
      ASSERT_FALSE(other.pop(lowest + (Cost{1} << kShift), &id));
    }
  }
}

TEST(BucketQueue, tells_the_farthest_cost_that_may_be_pushed) {
  BucketQueue queue;
  CellId id;
  ASSERT_TRUE(queue.begin(5));
  for (Cost f = 77; f < 1u << 24; f = queue.farthest()) {
    ASSERT_TRUE(queue.push(f, 0, 1));
    ASSERT_TRUE(queue.push(f, 0, 2));
    ASSERT_TRUE(queue.pop(UINT64_MAX, &id));
    ASSERT_EQ(queue.farthest(), ((f >> 5) + BucketQueue::kReach) << 5);
    ASSERT_TRUE(queue.push(queue.farthest(), 0, 3));
    ASSERT_TRUE(queue.pop(UINT64_MAX, &id));
    ASSERT_EQ(id, 1u) << "the lowest comes first";
    ASSERT_TRUE(queue.pop(UINT64_MAX, &id));
    ASSERT_EQ(id, 3u);
  }
}

TEST(BucketQueue, rings_of_other_sizes) {
  using Small = Buckets<CellId, 4096>;
  using Large = Buckets<CellId, 1u << 18>;
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    run_buckets<Small>(3, Cost{Small::kReach} << 3, 3000, seed);
    run_buckets<Large>(3, Cost{Large::kReach} << 3, 3000, seed);
    run_buckets<Large>(12, 70000, 3000, seed);
  }
}

TEST(BucketQueue, one_entry_travels_around_the_ring_many_times) {
  BucketQueue queue;
  ASSERT_TRUE(queue.begin(4));
  Cost f = 12345;
  CellId id;
  ASSERT_TRUE(queue.push(f, 0, 0));
  for (CellId i = 0; i < 5000; ++i) {
    ASSERT_TRUE(queue.pop(UINT64_MAX, &id));
    ASSERT_EQ(id, i);
    f += (Cost{i} * 7919 % (BucketQueue::kReach - 1)) << 4;
    ASSERT_TRUE(queue.push(f, 0, i + 1));
  }
}

TEST(BucketQueue, the_last_in_comes_first_in_a_bucket) {
  BucketQueue queue;
  ASSERT_TRUE(queue.begin(4));
  for (CellId i = 0; i < 10; ++i) ASSERT_TRUE(queue.push(32 + i, 0, i));
  for (CellId i = 10; i-- > 0;) {
    CellId id;
    ASSERT_TRUE(queue.pop(UINT64_MAX, &id));
    EXPECT_EQ(id, i);
  }
}

TEST(BucketQueue, keeps_what_reaches_the_bound) {
  BucketQueue queue;
  ASSERT_TRUE(queue.begin(0));
  CellId id;
  EXPECT_FALSE(queue.pop(UINT64_MAX, &id));
  ASSERT_TRUE(queue.push(10, 0, 1));
  EXPECT_FALSE(queue.pop(10, &id));
  ASSERT_TRUE(queue.pop(11, &id));
  EXPECT_EQ(id, 1u);
  EXPECT_FALSE(queue.pop(UINT64_MAX, &id));
}

TEST(BucketQueue, begin_empties_it_and_keeps_the_memory) {
  BucketQueue queue;
  CellId id;
  ASSERT_TRUE(queue.begin(0));
  for (CellId i = 0; i < 1000; ++i) ASSERT_TRUE(queue.push(i, 0, i));
  const size_t bytes = queue.bytes();
  ASSERT_TRUE(queue.begin(5));
  EXPECT_FALSE(queue.pop(UINT64_MAX, &id));
  for (CellId i = 0; i < 1000; ++i) ASSERT_TRUE(queue.push(i, 0, i));
  EXPECT_EQ(queue.bytes(), bytes);
  queue.release();
  EXPECT_EQ(queue.bytes(), 0u);
  ASSERT_TRUE(queue.begin(0));
  ASSERT_TRUE(queue.push(3, 0, 9));
  ASSERT_TRUE(queue.pop(UINT64_MAX, &id));
  EXPECT_EQ(id, 9u);
}

// ---------------------------------------------------------------------------------------------

TEST(RadixHeap, pops_exact_order) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    RadixHeap heap;
    ASSERT_TRUE(heap.begin());
    Reference in;
    Cost last = 0;
    CellId next = 0;
    const int bits = random.between(1, 60);
    for (int i = 0; i < 3000; ++i) {
      if (in.empty() || (i < 2000 && random.percent(60))) {
        const Cost f = last + (random.next() >> (63 - random.below(bits)));
        ASSERT_TRUE(heap.push(f, 0, next));
        in.insert({f, next++});
        continue;
      }
      CellId id;
      ASSERT_TRUE(heap.pop(UINT64_MAX, &id));
      const auto it = in.find({in.begin()->first, id});
      ASSERT_NE(it, in.end()) << "not one of the least";
      last = it->first;
      in.erase(it);
    }
    ASSERT_FALSE(heap.failed());
  }
}

TEST(RadixHeap, keeps_what_reaches_the_bound) {
  RadixHeap heap;
  CellId id;
  ASSERT_TRUE(heap.begin());
  EXPECT_FALSE(heap.pop(UINT64_MAX, &id));
  ASSERT_TRUE(heap.push(10, 0, 1));
  ASSERT_TRUE(heap.push(12, 0, 2));
  EXPECT_FALSE(heap.pop(10, &id));
  ASSERT_TRUE(heap.pop(11, &id));
  EXPECT_EQ(id, 1u);
  EXPECT_FALSE(heap.pop(12, &id));
  ASSERT_TRUE(heap.begin());
  EXPECT_FALSE(heap.pop(UINT64_MAX, &id));
}

TEST(RadixHeap, serves_the_largest_costs) {
  RadixHeap heap;
  CellId id;
  ASSERT_TRUE(heap.begin());
  ASSERT_TRUE(heap.push(kMaxCost, 0, 3));
  ASSERT_TRUE(heap.push(0, 0, 1));
  ASSERT_TRUE(heap.push(kMaxCost - 1, 0, 2));
  for (CellId i = 1; i <= 3; ++i) {
    ASSERT_TRUE(heap.pop(UINT64_MAX, &id));
    EXPECT_EQ(id, i);
  }
}

}  // namespace
}  // namespace octile::test
