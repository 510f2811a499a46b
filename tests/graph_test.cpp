// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Graph A* against Bellman-Ford on random graphs, and its statuses and options. Its memory is in
// graph_memory_test.cpp, the defects of the tutorials and nodes of many types are in
// graph_defects_test.cpp.

#include "octile/graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "graph_kinds.hpp"

namespace {

using octile::GraphOptions;
using octile::GraphPath;
using octile::GraphSearcher;
using octile::Status;
using octile::test::Dense;
using octile::test::distances;
using octile::test::Edges;
using octile::test::Indexed;
using octile::test::kNoWay;
using octile::test::Named;
using octile::test::reversed;
using octile::test::walked;

template <class G>
void expect_found(const G& graph, const GraphPath<G>& path, uint32_t start, uint32_t goal,
                  double cost) {
  ASSERT_EQ(path.status, Status::found) << path.message;
  ASSERT_STREQ(path.message, "");
  if constexpr (std::is_integral_v<typename G::Cost>) {
    ASSERT_EQ(double(path.cost), cost);
    ASSERT_EQ(walked(graph, path), cost);
  } else {
    ASSERT_NEAR(double(path.cost), cost, 1e-5 * (1 + cost));
    ASSERT_NEAR(walked(graph, path), cost, 1e-5 * (1 + cost));
  }
  ASSERT_GE(path.size(), 1u);
  ASSERT_EQ(G::number(path[0]), start);
  ASSERT_EQ(G::number(path[path.size() - 1]), goal);
}

template <class G>
G random_graph(std::mt19937& random, int largest_cost) {
  const uint32_t n = 1 + random() % 14;
  G graph(n);
  const uint32_t edges = random() % (3 * n + 1);
  for (uint32_t i = 0; i < edges; ++i) {
    const double cost = std::is_integral_v<typename G::Cost>
                            ? double(random() % (largest_cost + 1))
                            : double(random() % 100'000) / 1e5 * largest_cost;
    graph.add(random() % n, random() % n, static_cast<typename G::Cost>(cost));
  }
  return graph;
}

// One searcher over many graphs of many sizes: without estimate, with the exact one, and with
// arbitrary parts of it, which are admissible and almost never consistent.
template <class G>
void against_bellman_ford(int graphs, int largest_cost) {
  std::mt19937 random(graphs);
  GraphSearcher<G> searcher;
  GraphPath<G> path;
  uint64_t found = 0, none = 0, reopened = 0;
  for (int round = 0; round < graphs; ++round) {
    G graph = random_graph<G>(random, largest_cost);
    const uint32_t n = static_cast<uint32_t>(graph.out.size());
    const uint32_t start = random() % n, goal = random() % n;
    const auto d = distances<typename G::Cost>(graph, start);
    const auto rest = distances(reversed<typename G::Cost>(graph), goal);
    for (int kind = 0; kind < 3; ++kind) {
      graph.h.clear();
      for (uint32_t i = 0; kind > 0 && i < n; ++i) {
        const double part = kind == 1 ? 1 : double(random() % 1000) / 999;
        const double most = std::isinf(rest[i]) ? largest_cost : rest[i];
        graph.h.push_back(static_cast<typename G::Cost>(most * part));
      }
      searcher.find(graph, G::named(start), G::named(goal), path);
      reopened += path.expanded > n;
      if (std::isinf(d[goal])) {
        ++none;
        ASSERT_EQ(path.status, Status::no_path) << path.message;
        ASSERT_EQ(path.size(), 0u);
      } else {
        ++found;
        expect_found(graph, path, start, goal, d[goal]);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
  EXPECT_GT(found, uint64_t(graphs));
  EXPECT_GT(none, uint64_t(graphs) / 10);
  testing::Test::RecordProperty("queries", static_cast<int>(found + none));
}

TEST(Graph, DenseIntMatchesBellmanFord) {
  against_bellman_ford<Dense<int>>(4000, 9);
}
TEST(Graph, DenseTiesMatchBellmanFord) {
  against_bellman_ford<Dense<int>>(4001, 1);
}
TEST(Graph, DenseUnsignedMatchesBellmanFord) {
  against_bellman_ford<Dense<uint32_t>>(1500, 1000);
}
TEST(Graph, DenseInt64MatchesBellmanFord) {
  against_bellman_ford<Dense<int64_t>>(1500, 1 << 30);
}
TEST(Graph, DenseInt16MatchesBellmanFord) {
  against_bellman_ford<Dense<int16_t>>(1500, 1000);
}
TEST(Graph, DenseDoubleMatchesBellmanFord) {
  against_bellman_ford<Dense<double>>(4000, 9);
}
TEST(Graph, DenseFloatMatchesBellmanFord) {
  against_bellman_ford<Dense<float>>(1500, 9);
}
TEST(Graph, IndexedIntMatchesBellmanFord) {
  against_bellman_ford<Indexed<int>>(2000, 9);
}
TEST(Graph, IndexedDoubleMatchesBellmanFord) {
  against_bellman_ford<Indexed<double>>(2000, 9);
}
TEST(Graph, NamedIntMatchesBellmanFord) {
  against_bellman_ford<Named<int>>(2000, 9);
}
TEST(Graph, NamedDoubleMatchesBellmanFord) {
  against_bellman_ford<Named<double>>(2000, 9);
}

// ---------------------------------------------------------------------------------------------
// Statuses and options

Dense<int> chain(uint32_t n, int cost = 1) {
  Dense<int> graph(n);
  for (uint32_t i = 0; i + 1 < n; ++i) graph.both(i, i + 1, cost);
  return graph;
}

struct GraphStatus : testing::Test {
  GraphSearcher<Dense<int>> searcher;
  GraphPath<Dense<int>> path;
};

TEST_F(GraphStatus, StartIsGoal) {
  const auto graph = chain(1000);
  searcher.find(graph, 500, 500, path);
  EXPECT_EQ(path.status, Status::found);
  EXPECT_EQ(path.cost, 0);
  ASSERT_EQ(path.size(), 1u);
  EXPECT_EQ(path[0], 500u);
  EXPECT_LE(path.generated, 1u) << "nothing may be flooded";
}

TEST_F(GraphStatus, EndsOutsideTheGraph) {
  const auto graph = chain(3);
  searcher.find(graph, 3, 0, path);
  EXPECT_EQ(path.status, Status::start_out_of_bounds);
  searcher.find(graph, 0, 3, path);
  EXPECT_EQ(path.status, Status::goal_out_of_bounds);
  searcher.find(Dense<int>(0), 0, 0, path);
  EXPECT_EQ(path.status, Status::start_out_of_bounds);
  EXPECT_EQ(path.size(), 0u);
  EXPECT_STRNE(path.message, "");
}

TEST_F(GraphStatus, NegativeEdge) {
  auto graph = chain(5);
  graph.out[2][1].cost = -1;
  searcher.find(graph, 0, 4, path);
  EXPECT_EQ(path.status, Status::bad_argument);
  EXPECT_EQ(path.size(), 0u);
  searcher.find(graph, 0, 1, path);  // never meets it
  EXPECT_EQ(path.status, Status::found);
}

TEST_F(GraphStatus, NegativeEstimate) {
  auto graph = chain(4);
  graph.h = {-3, -1, -2147483647, 0};  // counts as 0
  searcher.find(graph, 0, 3, path);
  EXPECT_EQ(path.status, Status::found);
  EXPECT_EQ(path.cost, 3);
}

TEST_F(GraphStatus, EdgeToNowhere) {
  auto graph = chain(3);
  graph.out[1].push_back({77, 1});
  searcher.find(graph, 0, 2, path);
  EXPECT_EQ(path.status, Status::bad_argument);
}

TEST_F(GraphStatus, EmptyGoalSet) {
  const auto graph = chain(3);
  const uint32_t goal = 1;
  searcher.find_any(graph, 0, &goal, 0, path);
  EXPECT_EQ(path.status, Status::bad_argument);
  searcher.find_any(graph, 0, nullptr, 1, path);
  EXPECT_EQ(path.status, Status::bad_argument);
}

TEST(GraphFloat, NaNAndInfinity) {
  const double nan = std::nan(""), inf = kNoWay;
  GraphSearcher<Dense<double>> searcher;
  GraphPath<Dense<double>> path;
  Dense<double> graph(3);
  graph.add(0, 1, nan);
  searcher.find(graph, 0, 1, path);
  EXPECT_EQ(path.status, Status::bad_argument);
  graph.out[0][0].cost = -0.5;
  searcher.find(graph, 0, 1, path);
  EXPECT_EQ(path.status, Status::bad_argument);
  graph.out[0][0].cost = inf;  // an infinite edge is no edge
  searcher.find(graph, 0, 1, path);
  EXPECT_EQ(path.status, Status::no_path);
  graph.out[0][0].cost = 0.25;
  graph.h = {0, nan, 0};
  searcher.find(graph, 0, 1, path);
  EXPECT_EQ(path.status, Status::bad_argument);
  graph.h = {-3, -inf, 0};  // below 0 counts as 0
  searcher.find(graph, 0, 1, path);
  EXPECT_EQ(path.status, Status::found);
  EXPECT_EQ(path.cost, 0.25);
  graph.add(0, 2, 0);
  graph.add(2, 1, 0);
  graph.h = {0, 0, inf};  // a dead end, says the estimate
  searcher.find(graph, 0, 1, path);
  EXPECT_EQ(path.status, Status::found);
  EXPECT_EQ(path.cost, 0.25);
  graph.out[0][0].cost = inf;  // the dead end is the only way that is left
  searcher.find(graph, 0, 1, path);
  EXPECT_EQ(path.status, Status::no_path);
  graph.h = {inf, 0, 0};
  searcher.find(graph, 0, 1, path);
  EXPECT_EQ(path.status, Status::no_path);
  GraphOptions<double> options;
  options.allow_partial = true;
  searcher.find(graph, 0, 1, path, options);
  EXPECT_EQ(path.status, Status::partial);
  EXPECT_EQ(path.size(), 1u);
  options.max_cost = nan;
  searcher.find(graph, 0, 1, path, options);
  EXPECT_EQ(path.status, Status::bad_argument);
}

// Sums up to the largest number of the type are right; one more is cost_overflow, not nonsense.
template <class C>
void overflow(C largest) {
  GraphSearcher<Dense<C>> searcher;
  GraphPath<Dense<C>> path;
  Dense<C> graph(4);
  graph.add(0, 1, static_cast<C>(largest - 1));
  graph.add(1, 2, 1);
  graph.add(2, 3, 1);
  searcher.find(graph, 0, 2, path);
  EXPECT_EQ(path.status, Status::found);
  EXPECT_EQ(path.cost, largest);
  searcher.find(graph, 0, 3, path);
  EXPECT_EQ(path.status, Status::cost_overflow);
  EXPECT_EQ(path.size(), 0u);
  graph.add(0, 3, largest);  // a way that fits is found, whatever the others cost
  searcher.find(graph, 0, 3, path);
  EXPECT_EQ(path.status, Status::found);
  EXPECT_EQ(path.cost, largest);
  // An edge that is too long, but leads where a shorter way leads as well, hides no path.
  Dense<C> island(4);
  island.add(0, 1, 1);
  island.add(1, 2, largest);
  island.add(0, 2, 1);
  searcher.find(island, 0, 3, path);
  EXPECT_EQ(path.status, Status::no_path);
}

TEST(GraphOverflow, Int8) {
  overflow<int8_t>(127);
}
TEST(GraphOverflow, Uint16) {
  overflow<uint16_t>(65535);
}
TEST(GraphOverflow, Int) {
  overflow<int>(2147483647);
}
TEST(GraphOverflow, Uint32) {
  overflow<uint32_t>(4294967295u);
}
TEST(GraphOverflow, Int64) {
  overflow<int64_t>(std::numeric_limits<int64_t>::max());
}
TEST(GraphOverflow, Uint64HoldsSixtyThreeBits) {
  overflow<uint64_t>(~uint64_t{0} >> 1);
}

TEST(GraphOverflow, HugeEstimatesAndEdges) {
  GraphSearcher<Dense<uint64_t>> searcher;
  GraphPath<Dense<uint64_t>> path;
  Dense<uint64_t> graph(3);
  graph.add(0, 1, ~uint64_t{0});
  searcher.find(graph, 0, 1, path);
  EXPECT_EQ(path.status, Status::cost_overflow);
  graph.add(0, 2, 5);
  graph.add(2, 1, 5);
  graph.h = {~uint64_t{0}, 0, 0};
  searcher.find(graph, 0, 1, path);
  EXPECT_EQ(path.status, Status::found);
  EXPECT_EQ(path.cost, 10u);
  // Three numbers that fit: their sum would wrap around to something small.
  constexpr int kLargest = std::numeric_limits<int>::max();
  Dense<int> steep(4);
  steep.add(0, 1, kLargest - 1);
  steep.add(1, 2, kLargest);
  steep.add(2, 3, kLargest);
  steep.h = {0, 0, kLargest, 0};
  GraphSearcher<Dense<int>> int_searcher;
  GraphPath<Dense<int>> int_path;
  int_searcher.find(steep, 0, 3, int_path);
  EXPECT_EQ(int_path.status, Status::cost_overflow);
}

// Over random graphs: found exactly when the distance is within the limit; no_path only when
// every node is, and the goal cannot be reached.
template <class C>
void cost_limits() {
  std::mt19937 random(7);
  GraphSearcher<Dense<C>> searcher;
  GraphPath<Dense<C>> path;
  int found = 0, none = 0, limited = 0;
  for (int round = 0; round < 4000; ++round) {
    auto graph = random_graph<Dense<C>>(random, 9);
    const uint32_t n = static_cast<uint32_t>(graph.out.size());
    const uint32_t start = random() % n, goal = random() % n;
    const auto d = distances<C>(graph, start);
    GraphOptions<C> options;
    options.max_cost = static_cast<C>(round % 2 && !std::isinf(d[goal]) ? d[goal] : random() % 20);
    bool all_within = true;
    for (double x : d) all_within = all_within && (std::isinf(x) || x <= double(options.max_cost));
    searcher.find(graph, start, goal, path, options);
    if (!std::isinf(d[goal]) && d[goal] <= double(options.max_cost)) {
      ++found;
      expect_found(graph, path, start, goal, d[goal]);
    } else if (std::isinf(d[goal]) && all_within) {
      ++none;
      ASSERT_EQ(path.status, Status::no_path);
    } else {
      ++limited;
      ASSERT_EQ(path.status, Status::limit_reached);
      ASSERT_EQ(path.size(), 0u);
    }
  }
  EXPECT_GT(found, 300);
  EXPECT_GT(none, 300);
  EXPECT_GT(limited, 100);
}
TEST(GraphOptionsTest, CostLimitInt) {
  cost_limits<int>();
}
TEST(GraphOptionsTest, CostLimitUint64) {
  cost_limits<uint64_t>();
}
TEST(GraphOptionsTest, CostLimitDouble) {
  cost_limits<double>();
}

// A limit of exactly the path's cost must not be missed by the rounding of g + h.
TEST(GraphOptionsTest, CostLimitIsNotLostToRounding) {
  GraphSearcher<Dense<double>> searcher;
  GraphPath<Dense<double>> path;
  std::mt19937 random(5);
  for (int round = 0; round < 500; ++round) {
    Dense<double> graph(30);
    for (uint32_t i = 0; i + 1 < 30; ++i) graph.add(i, i + 1, double(random() % 1000) / 7);
    graph.h.assign(30, 0);
    for (uint32_t i = 29; i-- > 0;) graph.h[i] = graph.out[i][0].cost + graph.h[i + 1];
    searcher.find(graph, 0, 29, path);
    ASSERT_EQ(path.status, Status::found);
    GraphOptions<double> options;
    options.max_cost = path.cost;
    searcher.find(graph, 0, 29, path, options);
    ASSERT_EQ(path.status, Status::found);
    options.max_cost = std::nextafter(path.cost, 0.0);
    searcher.find(graph, 0, 29, path, options);
    ASSERT_EQ(path.status, Status::limit_reached);
  }
}

TEST_F(GraphStatus, ExpansionLimit) {
  const auto graph = chain(5000);
  GraphOptions<int> options;
  for (uint32_t length : {0u, 1u, 2u, 1022u, 1023u, 1024u, 1025u, 3000u}) {
    options.max_expansions = length + 1;  // the goal is expanded, too
    searcher.find(graph, 0, length, path, options);
    EXPECT_EQ(path.status, Status::found) << length;
    EXPECT_EQ(path.expanded, length + 1);
    if (length == 0) continue;
    options.max_expansions = length;
    searcher.find(graph, 0, length, path, options);
    EXPECT_EQ(path.status, Status::limit_reached) << length;
    EXPECT_EQ(path.expanded, length);
  }
  // Exactly as many expansions as there are nodes, and no goal among them: that is no path.
  Dense<int> island = chain(100);
  island.out.emplace_back();
  options.max_expansions = 100;
  searcher.find(island, 0, 100, path, options);
  EXPECT_EQ(path.status, Status::no_path);
  options.max_expansions = 99;
  searcher.find(island, 0, 100, path, options);
  EXPECT_EQ(path.status, Status::limit_reached);
  // The same when an overtaken entry is left in the open list.
  Dense<int> overtaken(4);
  overtaken.add(0, 1, 5);
  overtaken.add(0, 2, 1);
  overtaken.add(2, 1, 1);
  options.max_expansions = 3;
  searcher.find(overtaken, 0, 3, path, options);
  EXPECT_EQ(path.status, Status::no_path);
  EXPECT_EQ(path.generated, 4u);
}

// Raises the flag after some expansions.
struct Canceller {
  std::atomic<bool> flag{false};
  int left;
  void on_close(uint32_t, int) {
    if (--left == 0) flag = true;
  }
};

TEST_F(GraphStatus, Cancelled) {
  const auto graph = chain(100'000);
  Canceller canceller{{}, 5000};
  GraphOptions<int> options;
  options.cancel = &canceller.flag;
  searcher.find(graph, 0, 99'999, path, options, canceller);
  EXPECT_EQ(path.status, Status::cancelled);
  EXPECT_EQ(path.size(), 0u);
  EXPECT_GE(path.expanded, 5000u);
  EXPECT_LT(path.expanded, 5000u + 1024);
  searcher.find(graph, 0, 1, path, options);  // the flag is still up
  EXPECT_EQ(path.status, Status::cancelled);
  EXPECT_EQ(path.expanded, 0u);
  canceller.flag = false;
  searcher.find(graph, 0, 1, path, options);
  EXPECT_EQ(path.status, Status::found);
}

TEST_F(GraphStatus, Partial) {
  // 0 - 1 - 2   3, and a detour to 2 that is cheaper; 4 is as near as 2, but dearer.
  Dense<int> graph(5);
  graph.both(0, 1, 5);
  graph.both(1, 2, 5);
  graph.both(0, 2, 7);
  graph.both(0, 4, 8);
  graph.h = {3, 2, 1, 0, 1};
  searcher.find(graph, 0, 3, path);
  EXPECT_EQ(path.status, Status::no_path);
  GraphOptions<int> options;
  options.allow_partial = true;
  searcher.find(graph, 0, 3, path, options);
  EXPECT_EQ(path.status, Status::partial);
  EXPECT_STRNE(path.message, "");
  EXPECT_EQ(path.cost, 7);
  EXPECT_EQ(std::vector<uint32_t>(path.begin(), path.end()), (std::vector<uint32_t>{0, 2}));
  // A node as near as 2 that is reached late, through one that looks far away, but cheaper.
  graph.out.resize(7);
  graph.both(0, 5, 1);
  graph.both(5, 6, 5);
  graph.h = {3, 2, 1, 0, 1, 100, 1};
  searcher.find(graph, 0, 3, path, options);
  EXPECT_EQ(path.status, Status::partial);
  EXPECT_EQ(std::vector<uint32_t>(path.begin(), path.end()), (std::vector<uint32_t>{0, 5, 6}));
  graph.h.clear();  // nothing is nearer than the start
  searcher.find(graph, 0, 3, path, options);
  EXPECT_EQ(path.status, Status::partial);
  EXPECT_EQ(std::vector<uint32_t>(path.begin(), path.end()), std::vector<uint32_t>{0});
}

TEST_F(GraphStatus, GoalSets) {
  std::mt19937 random(11);
  for (int round = 0; round < 3000; ++round) {
    auto graph = random_graph<Dense<int>>(random, 3);
    const uint32_t n = static_cast<uint32_t>(graph.out.size());
    const uint32_t start = random() % n;
    const auto d = distances<int>(graph, start);
    std::vector<uint32_t> goals(1 + random() % 5);
    for (uint32_t& goal : goals) goal = random() % n;
    size_t best = 0;
    for (size_t i = 1; i < goals.size(); ++i) {
      if (d[goals[i]] < d[goals[best]]) best = i;
    }
    searcher.find_any(graph, start, goals.data(), goals.size(), path);
    if (std::isinf(d[goals[best]])) {
      ASSERT_EQ(path.status, Status::no_path);
    } else {
      expect_found(graph, path, start, goals[best], d[goals[best]]);
      ASSERT_EQ(path.goal_index, best);
    }
    // A predicate says the same.
    searcher.find_if(
        graph, start,
        [&](uint32_t node) { return std::find(goals.begin(), goals.end(), node) != goals.end(); },
        path);
    ASSERT_EQ(path.status == Status::found, !std::isinf(d[goals[best]]));
    if (path.status == Status::found) {
      ASSERT_EQ(path.cost, d[goals[best]]);
    }
  }
}

TEST(GraphBlocked, NodesThatMayNotBeEntered) {
  struct Blocked : Dense<int> {
    using Dense::Dense;
    bool passable(uint32_t node) const { return node % 10 != 5; }
  };
  Blocked graph(12);
  for (uint32_t i = 0; i + 1 < 12; ++i) graph.both(i, i + 1, 1);
  graph.add(4, 6, 10);
  GraphSearcher<Blocked> searcher;
  GraphPath<Blocked> path;
  searcher.find(graph, 5, 0, path);
  EXPECT_EQ(path.status, Status::start_blocked);
  searcher.find(graph, 5, 5, path);
  EXPECT_EQ(path.status, Status::start_blocked);
  searcher.find(graph, 0, 5, path);
  EXPECT_EQ(path.status, Status::goal_blocked);
  searcher.find(graph, 0, 11, path);
  EXPECT_EQ(path.status, Status::found);
  EXPECT_EQ(path.cost, 4 + 10 + 5);
  const uint32_t goals[] = {5, 11, 3};
  searcher.find_any(graph, 0, goals, 1, path);
  EXPECT_EQ(path.status, Status::goal_blocked);
  searcher.find_any(graph, 0, goals, 3, path);
  EXPECT_EQ(path.status, Status::found);
  EXPECT_EQ(path.goal_index, 2u);
  graph.out[4].pop_back();
  searcher.find(graph, 0, 11, path);
  EXPECT_EQ(path.status, Status::no_path);
}

TEST(GraphSlices, AnswerLikeTheWholeSearch) {
  std::mt19937 random(13);
  GraphSearcher<Dense<int>> whole, sliced;
  GraphPath<Dense<int>> a, b;
  for (int round = 0; round < 2000; ++round) {
    auto graph = random_graph<Dense<int>>(random, 5);
    const uint32_t n = static_cast<uint32_t>(graph.out.size());
    const uint32_t start = random() % n, goal = random() % n;
    whole.find(graph, start, goal, a);
    sliced.begin(graph, start, &goal, 1, b);
    const uint64_t slice = random() % 4;
    int steps = 1;
    while (!sliced.step(graph, slice, b)) ASSERT_LE(++steps, 1000);
    ASSERT_EQ(a.status, b.status);
    ASSERT_EQ(a.cost, b.cost);
    ASSERT_EQ(a.expanded, b.expanded);
    ASSERT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
    ASSERT_TRUE(sliced.step(graph, 1, b)) << "a query that has ended stays ended";
  }
}

TEST(GraphSlices, BeginDropsAQueryAndMovingTakesItAlong) {
  const auto graph = chain(100);
  const uint32_t far = 99, near = 1;
  GraphSearcher<Dense<int>> searcher;
  GraphPath<Dense<int>> path;
  EXPECT_TRUE(searcher.step(graph, 1, path)) << "nothing was begun";
  searcher.begin(graph, 0, &far, 1, path);
  ASSERT_FALSE(searcher.step(graph, 10, path));
  searcher.begin(graph, 0, &near, 1, path);
  GraphSearcher<Dense<int>> other = std::move(searcher);
  EXPECT_TRUE(searcher.step(graph, 10, path)) << "the query has moved away";
  EXPECT_EQ(path.status, Status::bad_argument) << "nothing was answered yet";
  searcher.find(graph, 3, 7, path);
  EXPECT_EQ(path.cost, 4);
  while (!other.step(graph, 1, path)) {
  }
  EXPECT_EQ(path.status, Status::found);
  EXPECT_EQ(path.cost, 1);
  other.begin(graph, 0, &far, 1, path);
  other.release();
  EXPECT_TRUE(other.step(graph, 10, path));
  EXPECT_EQ(other.memory_bytes(), 0u);
}

}  // namespace
