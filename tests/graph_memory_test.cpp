// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The memory of Graph A* and of its heap: nothing is allocated once warm, every failing allocation
// is survived, a query costs what it touches. This file replaces the aligned operator new, which
// the engine's buffers use, with one that counts and fails on demand.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <random>
#include <string>
#include <vector>

#include "graph_kinds.hpp"
#include "octile/detail/heap.hpp"
#include "octile/graph.hpp"

namespace {
long allocations = 0;
long allocations_left = -1;  // below 0: no limit; at 0 all further ones fail
}  // namespace

void* operator new(std::size_t size, std::align_val_t align, const std::nothrow_t&) noexcept {
  ++allocations;
  if (allocations_left == 0) return nullptr;
  if (allocations_left > 0) --allocations_left;
  const auto a = static_cast<std::size_t>(align);
  return std::aligned_alloc(a, (size + a - 1) / a * a);
}
void operator delete(void* p, std::align_val_t) noexcept {
  std::free(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  std::free(p);
}

namespace {

using octile::GraphPath;
using octile::GraphSearcher;
using octile::Status;
using octile::detail::DenseNodes;
using octile::detail::HashNodes;
using octile::detail::Heap;
using octile::detail::Naming;
using octile::test::Dense;
using octile::test::distances;
using octile::test::Edges;
using octile::test::Indexed;
using octile::test::Named;

// The same, but without node_count(): numbers in a hash table.
template <class C>
struct Hashed : Edges<C> {
  using Node = uint32_t;
  using Cost = C;
  using Edges<C>::Edges;
  template <class Visit>
  void for_each_neighbour(const Node& from, const Visit& visit) const {
    for (const auto& edge : this->out[from]) visit(edge.to, edge.cost);
  }
  static Node named(uint32_t i) { return i; }
  static uint32_t number(Node node) { return node; }
};

// A w by w lattice with edges of mixed lengths.
template <class G>
G lattice(uint32_t w) {
  std::mt19937 random(w);
  G graph(w * w);
  for (uint32_t y = 0; y < w; ++y) {
    for (uint32_t x = 0; x < w; ++x) {
      const auto cost = [&] { return static_cast<typename G::Cost>(1 + random() % 9); };
      if (x + 1 < w) graph.both(y * w + x, y * w + x + 1, cost());
      if (y + 1 < w) graph.both(y * w + x, y * w + x + w, cost());
    }
  }
  return graph;
}

template <class G>
struct GraphMemory : testing::Test {};
using Kinds = testing::Types<Dense<int>, Dense<double>, Indexed<int>, Hashed<int>, Hashed<int64_t>,
                             Named<float>>;
TYPED_TEST_SUITE(GraphMemory, Kinds);

TYPED_TEST(GraphMemory, NothingIsAllocatedOnceWarm) {
  using G = TypeParam;
  const uint32_t w = 40;
  const G graph = lattice<G>(w);
  GraphSearcher<G> searcher;
  GraphPath<G> path;
  std::mt19937 random(3);
  std::vector<std::pair<uint32_t, uint32_t>> queries;
  for (int i = 0; i < 60; ++i) queries.emplace_back(random() % (w * w), random() % (w * w));
  for (int pass = 0; pass < 3; ++pass) {
    const long before = allocations;
    const size_t bytes = searcher.memory_bytes();
    for (const auto& [start, goal] : queries) {
      searcher.find(graph, G::named(start), G::named(goal), path);
      ASSERT_EQ(path.status, Status::found);
    }
    if (pass > 0) {
      EXPECT_EQ(allocations - before, 0);
      EXPECT_EQ(searcher.memory_bytes(), bytes);
    } else {
      EXPECT_GT(allocations - before, 0) << "the counter counts";
    }
  }
}

// The n-th allocation of a query fails, and all after it, for every n: the answer is out_of_memory
// and the same searcher and path answer rightly as soon as there is memory again.
TYPED_TEST(GraphMemory, EveryFailingAllocationIsSurvived) {
  using G = TypeParam;
  const uint32_t w = 20;
  const G graph = lattice<G>(w);
  const double truth = distances<typename G::Cost>(graph, 0)[w * w - 1];
  const auto start = G::named(0), goal = G::named(w * w - 1), near = G::named(1);
  int failures = 0;
  for (long n = 0;; ++n) {
    ASSERT_LT(n, 1000);
    GraphSearcher<G> searcher;
    GraphPath<G> path;
    allocations_left = n;
    searcher.find(graph, start, goal, path);
    allocations_left = -1;
    if (path.status == Status::found) {
      EXPECT_EQ(double(path.cost), truth);
      break;
    }
    ++failures;
    ASSERT_EQ(path.status, Status::out_of_memory);
    ASSERT_STRNE(path.message, "");
    ASSERT_EQ(path.size(), 0u);
    searcher.find(graph, start, goal, path);
    ASSERT_EQ(path.status, Status::found);
    ASSERT_EQ(double(path.cost), truth);
    ASSERT_TRUE(path[0] == start && path[path.size() - 1] == goal);
    // Warm as it is, it needs no memory.
    allocations_left = 0;
    searcher.find(graph, start, near, path);
    allocations_left = -1;
    ASSERT_EQ(path.status, Status::found);
  }
  EXPECT_GE(failures, 4) << "nodes, open list, goals and path each need memory";
}

// A query that ends next door touches next to nothing of a large graph, and the largest search
// before it makes no difference.
TYPED_TEST(GraphMemory, AShortQueryIsShort) {
  using G = TypeParam;
  const uint32_t w = 60;
  const G graph = lattice<G>(w);
  GraphSearcher<G> searcher;
  GraphPath<G> path;
  searcher.find(graph, G::named(0), G::named(w * w - 1), path);
  EXPECT_GT(path.expanded, w * w / 2);
  searcher.find(graph, G::named(w), G::named(w + 1), path);
  EXPECT_EQ(path.status, Status::found);
  EXPECT_LT(path.generated, 100u);
}

TEST(GraphMemoryUse, ADenseGraphTakesSixteenBytesANode) {
  const auto graph = lattice<Dense<int>>(100);
  GraphSearcher<Dense<int>> searcher;
  GraphPath<Dense<int>> path;
  searcher.find(graph, 0, 0, path);
  EXPECT_GE(searcher.memory_bytes(), 16u * 100 * 100);
  EXPECT_LE(searcher.memory_bytes(), 16u * 100 * 100 + 4096);
  searcher.release();
  EXPECT_EQ(searcher.memory_bytes(), 0u);
  searcher.find(graph, 0, 5, path);
  EXPECT_EQ(path.status, Status::found);
}

// The whole numbers: a graph of 2^64 nodes.
struct Line {
  using Node = int64_t;
  using Cost = int;
  template <class Visit>
  void for_each_neighbour(Node from, Visit&& visit) const {
    visit(from + 1, 1);
    visit(from - 1, 1);
  }
};

// Where a graph is not dense, memory grows with what is touched, not with the graph.
TEST(GraphMemoryUse, AHashedGraphTakesWhatIsTouched) {
  GraphSearcher<Line> searcher;
  GraphPath<Line> path;
  searcher.find(Line(), -5'000'000'000, -5'000'000'020, path);
  EXPECT_EQ(path.cost, 20);
  EXPECT_LT(searcher.memory_bytes(), 16'384u);
}

struct Vast {
  using Node = uint64_t;
  using Cost = int;
  uint64_t count;
  uint64_t node_count() const { return count; }
  template <class Visit>
  void for_each_neighbour(Node, Visit&&) const {}
};

TEST(GraphMemoryUse, TooManyNodesAreRefused) {
  GraphSearcher<Vast> searcher;
  GraphPath<Vast> path;
  searcher.find(Vast{uint64_t{1} << 32}, 0, 1, path);
  EXPECT_EQ(path.status, Status::bad_argument);
  EXPECT_STRNE(path.message, "");
  searcher.find(Vast{10}, 0, 1, path);
  EXPECT_EQ(path.status, Status::no_path);
}

// When the numbers for queries have run out, nothing old may pass for new.
template <class Nodes>
struct LateNodes : Nodes {
  void go_to_last_query() { this->query_ = Nodes::kLastQuery - 1; }
  uint32_t query() const { return this->query_; }
};

TEST(GraphWrap, DenseMarksDoNotOutliveTheNumbers) {
  const Dense<int> graph(3);
  LateNodes<DenseNodes<Dense<int>>> nodes;
  uint32_t slot = 0;
  ASSERT_EQ(nodes.begin(graph), Naming::named);  // query 1
  ASSERT_EQ(nodes.name(graph, 2, &slot), Naming::named);
  nodes.mark_goal(slot);
  nodes.open(nodes.record(slot), 7, nodes.kNoSlot);
  nodes.go_to_last_query();
  ASSERT_EQ(nodes.begin(graph), Naming::named);
  ASSERT_EQ(nodes.name(graph, 1, &slot), Naming::named);
  nodes.mark_goal(slot);
  ASSERT_EQ(nodes.begin(graph), Naming::named);
  EXPECT_EQ(nodes.query(), 1u) << "query 1 again";
  for (uint32_t node = 0; node < 3; ++node) {
    ASSERT_EQ(nodes.name(graph, node, &slot), Naming::named);
    EXPECT_FALSE(nodes.is_goal(slot));
    EXPECT_TRUE(nodes.fresh(nodes.record(slot)));
  }
}

TEST(GraphWrap, HashedCellsDoNotOutliveTheNumbers) {
  const Hashed<int> graph(0);
  LateNodes<HashNodes<Hashed<int>>> nodes;
  uint32_t slot = 0;
  ASSERT_EQ(nodes.begin(graph), Naming::named);
  for (uint32_t i = 0; i < 20; ++i) ASSERT_EQ(nodes.name(graph, i, &slot), Naming::named);
  nodes.mark_goal(slot);
  nodes.go_to_last_query();
  ASSERT_EQ(nodes.begin(graph), Naming::named);
  ASSERT_EQ(nodes.begin(graph), Naming::named);
  EXPECT_EQ(nodes.query(), 1u);
  ASSERT_EQ(nodes.name(graph, 19, &slot), Naming::named);
  EXPECT_EQ(slot, 0u) << "the first node that this query meets";
  EXPECT_FALSE(nodes.is_goal(slot));
}

// A searcher that has received another's memory must not take its old marks for new ones.
TEST(GraphMoves, SearchersThatSwapMemoryStayRight) {
  Dense<int> graph(50);
  for (uint32_t i = 0; i + 1 < 50; ++i) graph.both(i, i + 1, 1);
  GraphSearcher<Dense<int>> a, b;
  GraphPath<Dense<int>> path;
  for (int i = 0; i < 7; ++i) a.find(graph, 0, 49, path);
  b.find(graph, 49, 0, path);
  a = std::move(b);
  for (int i = 0; i < 20; ++i) {
    for (auto* searcher : {&a, &b}) {
      searcher->find(graph, 10, 40, path);
      ASSERT_EQ(path.status, Status::found);
      ASSERT_EQ(path.cost, 30);
      ASSERT_EQ(path.size(), 31u);
    }
  }
}

// Nodes keep their addresses while others are met, whatever their number.
TEST(GraphPages, NodesNeverMove) {
  octile::detail::NodePages<std::string> pages;
  std::vector<const std::string*> where;
  for (uint32_t i = 0; i < 5000; ++i) {
    ASSERT_TRUE(pages.push("node number " + std::to_string(i) + " with a long name"));
    where.push_back(&pages[i]);
  }
  for (uint32_t i = 0; i < 5000; ++i) {
    ASSERT_EQ(where[i], &pages[i]);
    ASSERT_EQ(pages[i], "node number " + std::to_string(i) + " with a long name");
  }
}

TEST(HeapMemory, AFailedPushChangesNothing) {
  Heap<int> heap;
  std::vector<int> in;
  for (int i = 0; in.size() < 3000; ++i) {
    allocations_left = 0;
    const bool pushed = heap.push(7919 * i % 1000, 1);
    allocations_left = -1;
    if (pushed) {
      in.push_back(7919 * i % 1000);
    } else {
      ASSERT_EQ(heap.size(), in.size());
      ASSERT_TRUE(heap.reserve(heap.size() + 1 + heap.size() / 4));
    }
  }
  std::sort(in.begin(), in.end());
  for (int key : in) ASSERT_EQ(heap.pop().key, key);
  EXPECT_TRUE(heap.empty());
}

TEST(HeapMemory, ReserveIsAPromise) {
  Heap<int> heap;
  ASSERT_TRUE(heap.reserve(1000));
  allocations_left = 0;
  for (uint32_t i = 0; i < 1000; ++i) EXPECT_TRUE(heap.push(int(i % 17), i));
  EXPECT_FALSE(heap.push(0, 1000));
  EXPECT_FALSE(heap.reserve(2000));
  allocations_left = -1;
  EXPECT_EQ(heap.size(), 1000u);
}

}  // namespace
