// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The heap against plain sorting, and the heap defects S000-06, S000-07 and S000-08 of the first
// tutorial. Failing allocations of the heap are in graph_test.cpp, which owns the failing
// allocator.

#include "octile/detail/heap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using octile::detail::Heap;

// A key with a counter: the total order that graph.hpp uses.
struct Ranked {
  int f;
  int g;
  uint32_t order;
};
bool operator<(const Ranked& a, const Ranked& b) {
  return std::tuple(a.f, -a.g, a.order) < std::tuple(b.f, -b.g, b.order);
}

template <class Key>
std::vector<uint32_t> drain(Heap<Key>& heap) {
  std::vector<uint32_t> ids;
  while (!heap.empty()) ids.push_back(heap.pop().id);
  return ids;
}

TEST(Heap, IsEmptyAtFirst) {
  Heap<int> heap;
  EXPECT_TRUE(heap.empty());
  EXPECT_EQ(heap.size(), 0u);
  EXPECT_EQ(heap.bytes(), 0u);
}

TEST(Heap, OneEntryGoesInAndOut) {
  Heap<int> heap;
  ASSERT_TRUE(heap.push(7, 42));
  EXPECT_EQ(heap.top().key, 7);
  EXPECT_EQ(heap.top().id, 42u);
  const auto entry = heap.pop();
  EXPECT_EQ(entry.key, 7);
  EXPECT_EQ(entry.id, 42u);
  EXPECT_TRUE(heap.empty());
}

// Every order of up to eight keys with repetitions among them: 3^1 + 3^2 + ... + 3^8 sequences.
TEST(Heap, SortsEveryShortSequence) {
  Heap<int> heap;
  for (int n = 1; n <= 8; ++n) {
    int count = 1;
    for (int i = 0; i < n; ++i) count *= 3;
    for (int code = 0; code < count; ++code) {
      std::vector<int> keys;
      for (int i = 0, rest = code; i < n; ++i, rest /= 3) keys.push_back(rest % 3);
      for (int i = 0; i < n; ++i) ASSERT_TRUE(heap.push(keys[i], i));
      std::vector<int> out;
      while (!heap.empty()) out.push_back(heap.pop().key);
      std::sort(keys.begin(), keys.end());
      ASSERT_EQ(out, keys) << "sequence " << code << " of length " << n;
    }
  }
}

// Sizes round the edges of the levels (1, 5, 21, 85), where a last family has one to four children.
TEST(Heap, SortsEverySize) {
  std::mt19937 random(1);
  Heap<uint32_t> heap;
  for (uint32_t n = 0; n <= 400; ++n) {
    std::vector<uint32_t> keys(n);
    for (uint32_t& key : keys) key = random() % (n + 1);
    for (uint32_t i = 0; i < n; ++i) ASSERT_TRUE(heap.push(keys[i], i));
    std::vector<uint32_t> out;
    std::set<uint32_t> ids;
    while (!heap.empty()) {
      const auto entry = heap.pop();
      ASSERT_EQ(keys[entry.id], entry.key) << "a key was parted from its id";
      out.push_back(entry.key);
      ids.insert(entry.id);
    }
    std::sort(keys.begin(), keys.end());
    ASSERT_EQ(out, keys);
    ASSERT_EQ(ids.size(), n) << "an entry came out twice or never";
  }
}

// Pushes and pops mixed, against a multimap that does the same.
TEST(Heap, AgreesWithAMultimapOverAMillionSteps) {
  std::mt19937 random(2);
  Heap<uint64_t> heap;
  std::multimap<uint64_t, uint32_t> model;
  for (uint32_t step = 0; step < 1'000'000; ++step) {
    const bool grow = (step / 5000) % 2 == 0;
    if (model.empty() || random() % 16 < (grow ? 10u : 6u)) {
      const uint64_t key = random() % 1000;
      ASSERT_TRUE(heap.push(key, step));
      model.emplace(key, step);
    } else {
      ASSERT_EQ(heap.top().key, model.begin()->first);
      const auto entry = heap.pop();
      auto [first, last] = model.equal_range(entry.key);
      while (first != last && first->second != entry.id) ++first;
      ASSERT_NE(first, last) << "not in the model";
      model.erase(first);
    }
    ASSERT_EQ(heap.size(), model.size());
  }
}

TEST(Heap, ACounterInTheKeyMakesTheOrderTotal) {
  std::mt19937 random(3);
  std::vector<Ranked> keys;
  Heap<Ranked> heap;
  for (uint32_t i = 0; i < 5000; ++i) {
    keys.push_back({int(random() % 20), int(random() % 20), i});
    ASSERT_TRUE(heap.push(keys.back(), i));
  }
  std::sort(keys.begin(), keys.end());
  std::vector<uint32_t> expected;
  for (const Ranked& key : keys) expected.push_back(key.order);
  EXPECT_EQ(drain(heap), expected);
}

TEST(Heap, EqualKeysComeOutTheSameWayEachTime) {
  Heap<int> a, b;
  ASSERT_TRUE(b.reserve(1000));  // the history of the memory must not matter
  for (uint32_t i = 0; i < 500; ++i) ASSERT_TRUE(b.push(int(i % 7), i));
  b.clear();
  for (uint32_t i = 0; i < 500; ++i) {
    ASSERT_TRUE(a.push(int(i % 3), i));
    ASSERT_TRUE(b.push(int(i % 3), i));
  }
  EXPECT_EQ(drain(a), drain(b));
}

TEST(Heap, PushTakesAKeyThatLiesInsideTheHeap) {
  Heap<uint64_t> heap;
  ASSERT_TRUE(heap.push(5, 0));
  for (uint32_t i = 1; i < 3000; ++i) ASSERT_TRUE(heap.push(heap.top().key, i));
  for (uint32_t i = 0; i < 3000; ++i) ASSERT_EQ(heap.pop().key, 5u);
}

TEST(Heap, ClearKeepsTheMemoryAndReleaseGivesItBack) {
  Heap<int> heap;
  for (uint32_t i = 0; i < 100; ++i) ASSERT_TRUE(heap.push(int(i), i));
  const size_t bytes = heap.bytes();
  EXPECT_GE(bytes, 100 * sizeof(Heap<int>::Entry));
  heap.clear();
  EXPECT_TRUE(heap.empty());
  EXPECT_EQ(heap.bytes(), bytes);
  heap.release();
  EXPECT_EQ(heap.bytes(), 0u);
  ASSERT_TRUE(heap.push(1, 1));
  EXPECT_EQ(heap.pop().id, 1u);
}

// S000-06: after the last entry was removed, the tutorial's heap still said that it held the item.
// Octile's heap has no such question; what can be asked (size, empty, what comes out next) must not
// know the removed entry any more.
TEST(HeapDefects, S000_06_TheLastRemovedEntryIsGone) {
  Heap<int> heap;
  ASSERT_TRUE(heap.push(1, 77));
  EXPECT_EQ(heap.pop().id, 77u);
  EXPECT_TRUE(heap.empty());
  EXPECT_EQ(heap.size(), 0u);
  // A new entry, less urgent than the removed one, is alone in the heap.
  ASSERT_TRUE(heap.push(2, 78));
  EXPECT_EQ(heap.size(), 1u);
  EXPECT_EQ(drain(heap), std::vector<uint32_t>{78});
}

// S000-07: items kept their heap index from an earlier, larger heap and were looked up with it. Ids
// say nothing about positions here: ids of any size go through a heap that was large, cleared,
// released or moved from.
TEST(HeapDefects, S000_07_NoIndexOutlivesALargerHeap) {
  Heap<int> heap;
  for (uint32_t i = 0; i < 10'000; ++i) ASSERT_TRUE(heap.push(int(10'000 - i), i));
  heap.clear();
  ASSERT_TRUE(heap.push(3, 9'999));
  ASSERT_TRUE(heap.push(1, 0));
  ASSERT_TRUE(heap.push(4, 0xffffffff));
  ASSERT_TRUE(heap.push(2, 5'000));
  EXPECT_EQ(drain(heap), (std::vector<uint32_t>{0, 5'000, 9'999, 0xffffffff}));
  heap.release();
  ASSERT_TRUE(heap.push(3, 9'999));
  Heap<int> other = std::move(heap);
  EXPECT_EQ(drain(other), std::vector<uint32_t>{9'999});
}

// S000-08: (0 - 1) / 2 is 0 where division truncates and the index is signed; with unsigned indices
// it is far outside. A run of ever smaller keys sends each new entry all the way to the root.
TEST(HeapDefects, S000_08_TheRootHasNoParent) {
  Heap<int> heap;
  for (int i = 0; i < 2000; ++i) {
    ASSERT_TRUE(heap.push(-i, uint32_t(i)));
    ASSERT_EQ(heap.top().id, uint32_t(i));
  }
  // And at the root with no other entry, over and over.
  heap.clear();
  for (uint32_t i = 0; i < 100; ++i) {
    ASSERT_TRUE(heap.push(0, i));
    ASSERT_EQ(heap.pop().id, i);
  }
}

}  // namespace
