// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Graph A* and the generic A* of the second tutorial: a test for each defect that was found there
// (S001-01 to S001-12), the order of ties, the observer, and nodes of many types.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "graph_kinds.hpp"
#include "octile/detail/heap.hpp"
#include "octile/graph.hpp"

namespace {

using octile::GraphOptions;
using octile::GraphPath;
using octile::GraphSearcher;
using octile::Status;
using octile::test::Dense;
using octile::test::Named;

// The second tutorial's world as a graph: cells with four neighbours, digits are weights, '@' is a
// wall, and leaving a cell costs its weight. Counts what it is asked.
struct TutorialGrid {
  struct Node {
    int x, y;
    bool operator==(const Node&) const = default;
  };
  using Cost = int;

  std::vector<std::string> rows;
  mutable uint64_t asked = 0;

  int width() const { return static_cast<int>(rows[0].size()); }
  int height() const { return static_cast<int>(rows.size()); }
  size_t node_count() const { return rows.size() * rows[0].size(); }
  size_t index(Node n) const {
    const bool inside = n.x >= 0 && n.x < width() && n.y >= 0 && n.y < height();
    return inside ? size_t(n.y) * width() + n.x : node_count();
  }
  bool passable(Node n) const { return rows[n.y][n.x] != '@'; }
  int weight(Node n) const {
    const char c = rows[n.y][n.x];
    return c >= '0' && c <= '9' ? c - '0' : 1;
  }
  int smallest_weight() const {
    int smallest = 9;
    for (int y = 0; y < height(); ++y) {
      for (int x = 0; x < width(); ++x) {
        if (passable({x, y})) smallest = std::min(smallest, weight({x, y}));
      }
    }
    return smallest;
  }
  template <class Visit>
  void for_each_neighbour(Node n, Visit&& visit) const {
    ++asked;
    for (const auto& [dx, dy] : {std::pair{1, 0}, {0, 1}, {-1, 0}, {0, -1}}) {
      const Node to{n.x + dx, n.y + dy};
      if (index(to) < node_count()) visit(to, weight(n));
    }
  }
  int estimate(Node a, Node b) const {
    ++asked;
    return least * (std::abs(a.x - b.x) + std::abs(a.y - b.y));
  }
  int least = 0;

  explicit TutorialGrid(std::vector<std::string> map) : rows(std::move(map)) {
    least = smallest_weight();
  }
};
using Steps = std::vector<std::pair<int, int>>;

struct Tutorial : testing::Test {
  GraphSearcher<TutorialGrid> searcher;
  GraphPath<TutorialGrid> path;

  void find(const TutorialGrid& grid, int x, int y, int to_x, int to_y) {
    searcher.find(grid, {x, y}, {to_x, to_y}, path);
  }
  Steps steps() const {
    Steps out;
    for (const auto& node : path) out.emplace_back(node.x, node.y);
    return out;
  }
};

TEST_F(Tutorial, S001_01_EqualFIsNotDropped) {
  find(TutorialGrid({"..@.", "@..."}), 1, 0, 3, 0);
  ASSERT_EQ(path.status, Status::found);
  EXPECT_EQ(path.cost, 4);
  EXPECT_EQ(steps(), (Steps{{1, 0}, {1, 1}, {2, 1}, {3, 1}, {3, 0}}));
}

TEST_F(Tutorial, S001_02_NoReEntryWithAWorseG) {
  find(TutorialGrid({".@..", "...."}), 2, 0, 0, 0);
  ASSERT_EQ(path.status, Status::found);
  EXPECT_EQ(path.cost, 4);
  EXPECT_EQ(steps(), (Steps{{2, 0}, {2, 1}, {1, 1}, {0, 1}, {0, 0}}));
}

TEST_F(Tutorial, S001_03_UnreachableIsNoPath) {
  find(TutorialGrid({".@."}), 0, 0, 2, 0);
  EXPECT_EQ(path.status, Status::no_path);
  EXPECT_TRUE(path.empty());
  EXPECT_STRNE(path.message, "");
}

TEST_F(Tutorial, S001_04_TheReverseQueryStartsClean) {
  const TutorialGrid grid({"..."});
  find(grid, 0, 0, 2, 0);
  find(grid, 2, 0, 0, 0);
  EXPECT_EQ(path.status, Status::found);
  EXPECT_EQ(steps(), (Steps{{2, 0}, {1, 0}, {0, 0}}));
}

TEST_F(Tutorial, S001_05_AStartOnTheLastPathIsAStart) {
  const TutorialGrid grid({"...."});
  find(grid, 0, 0, 3, 0);
  find(grid, 1, 0, 3, 0);
  EXPECT_EQ(path.status, Status::found);
  EXPECT_EQ(steps(), (Steps{{1, 0}, {2, 0}, {3, 0}}));
}

TEST_F(Tutorial, S001_06_FromStartToGoal) {
  find(TutorialGrid({"..."}), 0, 0, 2, 0);
  EXPECT_EQ(steps(), (Steps{{0, 0}, {1, 0}, {2, 0}}));
}

// A node's g falls while it waits in the open list, again and again: it must come out in its new
// place, and the old entries must do no harm. The hub (1) is reached by 2, 3, ... 9, each time
// cheaper; the decoy (10) lies between the hub's old places and its last one.
TEST_F(Tutorial, S001_07_AKeyThatFallsInTheOpenListMovesTheNode) {
  Dense<int> graph(12);
  for (uint32_t i = 2; i < 10; ++i) {
    graph.add(0, i, int(i));
    graph.add(i, 1, 100 - 10 * int(i));
  }
  graph.add(0, 1, 100);
  graph.add(0, 10, 30);
  graph.add(1, 11, 1);
  graph.add(10, 11, 1);
  GraphSearcher<Dense<int>> plain;
  GraphPath<Dense<int>> answer;
  plain.find(graph, 0, 11, answer);
  ASSERT_EQ(answer.status, Status::found);
  EXPECT_EQ(answer.cost, 9 + 10 + 1);
  EXPECT_EQ(std::vector<uint32_t>(answer.begin(), answer.end()),
            (std::vector<uint32_t>{0, 9, 1, 11}));
  EXPECT_EQ(answer.expanded, 11u) << "0, 2 to 9, 1, 11: stale entries are not expanded";
}

TEST_F(Tutorial, S001_08_WeightsDoNotMakeItEndless) {
  find(TutorialGrid({"283", "@83", "489", "286"}), 1, 0, 0, 2);
  ASSERT_EQ(path.status, Status::found);
  EXPECT_EQ(path.cost, 24);
  EXPECT_EQ(steps(), (Steps{{1, 0}, {1, 1}, {1, 2}, {0, 2}}));
}

// Looking at the least entry is O(1), taking it out O(log n): counted in comparisons.
struct Counted {
  uint32_t value;
  static inline uint64_t comparisons = 0;
  friend bool operator<(Counted a, Counted b) {
    ++comparisons;
    return a.value < b.value;
  }
};

TEST(HeapDefects, S001_09_PeekIsConstantAndExtractLogarithmic) {
  std::mt19937 random(1);
  for (uint32_t n : {64u, 1024u, 16'384u, 262'144u}) {
    octile::detail::Heap<Counted> heap;
    for (uint32_t i = 0; i < n; ++i) ASSERT_TRUE(heap.push({uint32_t(random())}, i));
    Counted::comparisons = 0;
    for (int i = 0; i < 1000; ++i) ASSERT_LT(heap.top().id, n);
    EXPECT_EQ(Counted::comparisons, 0u);
    while (!heap.empty()) heap.pop();
    uint32_t levels = 1;
    for (uint64_t full = 1; full < n; full = 4 * full + 1) ++levels;
    EXPECT_LE(Counted::comparisons, uint64_t{n} * 4 * levels);
  }
}

// The same walk in a world a thousand times as large asks the graph as often as in a small one.
TEST_F(Tutorial, S001_10_TheSizeOfTheWorldDoesNotMatter) {
  const TutorialGrid small({std::vector<std::string>(16, std::string(16, '.'))});
  const TutorialGrid large({std::vector<std::string>(500, std::string(500, '.'))});
  find(small, 3, 3, 9, 9);
  small.asked = 0;
  find(small, 3, 3, 9, 9);
  const auto cost = path.cost;
  const auto expanded = path.expanded;
  find(large, 0, 0, 499, 499);  // whatever was searched before
  large.asked = 0;
  find(large, 3, 3, 9, 9);
  EXPECT_EQ(path.cost, cost);
  EXPECT_EQ(path.expanded, expanded);
  EXPECT_EQ(large.asked, small.asked);
  // A node is asked once for its neighbours and once for its estimate.
  EXPECT_LE(large.asked, path.expanded + path.generated);
}

TEST_F(Tutorial, S001_11_BlockedEndsAreSaidToBeBlocked) {
  const TutorialGrid grid({".@"});
  find(grid, 0, 0, 1, 0);
  EXPECT_EQ(path.status, Status::goal_blocked);
  EXPECT_TRUE(path.empty());
  find(grid, 1, 0, 0, 0);
  EXPECT_EQ(path.status, Status::start_blocked);
  find(grid, 0, 0, 2, 0);
  EXPECT_EQ(path.status, Status::goal_out_of_bounds);
  find(grid, -1, 0, 0, 0);
  EXPECT_EQ(path.status, Status::start_out_of_bounds);
  EXPECT_EQ(path.expanded, 0u);
}

// Step cost and estimate are two functions; with the smallest weight in the estimate, paths over
// random terrain cost what they cost without any estimate.
TEST_F(Tutorial, S001_12_TheEstimateIsNotTheStepCost) {
  std::mt19937 random(12);
  int differ = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::string> map(1 + random() % 6, std::string(1 + random() % 6, '.'));
    for (auto& row : map) {
      for (char& c : row) c = random() % 6 == 0 ? '@' : char('2' + random() % 8);
    }
    TutorialGrid grid(map);
    const TutorialGrid::Node a{int(random() % map[0].size()), int(random() % map.size())};
    const TutorialGrid::Node b{int(random() % map[0].size()), int(random() % map.size())};
    find(grid, a.x, a.y, b.x, b.y);
    const auto status = path.status;
    const int cost = path.cost;
    const auto expanded = path.expanded;
    grid.least = 0;
    find(grid, a.x, a.y, b.x, b.y);
    ASSERT_EQ(path.status, status);
    ASSERT_EQ(path.cost, cost);
    differ += expanded < path.expanded;
  }
  EXPECT_GT(differ, 200) << "the estimate saves work";
}

// Entering costs the weight here, and the estimate is a table: admissible, inconsistent.
struct TableGrid : TutorialGrid {
  using TutorialGrid::TutorialGrid;
  template <class Visit>
  void for_each_neighbour(Node n, Visit&& visit) const {
    TutorialGrid::for_each_neighbour(n, [&](Node to, int) { visit(to, weight(to)); });
  }
  int estimate(Node a, Node) const { return a.x == 0 && a.y == 1 ? 3 : 0; }
};

// (1, 1) is closed by the dearer way first, and has to be opened again.
TEST(GraphReopen, InconsistentHeuristicReopen) {
  GraphSearcher<TableGrid> searcher;
  GraphPath<TableGrid> path;
  searcher.find(TableGrid({".2.", "..3", ".2."}), {0, 2}, {2, 1}, path);
  ASSERT_EQ(path.status, Status::found);
  EXPECT_EQ(path.cost, 5);
  Steps steps;
  for (const auto& node : path) steps.emplace_back(node.x, node.y);
  EXPECT_EQ(steps, (Steps{{0, 2}, {0, 1}, {1, 1}, {2, 1}}));
}

// ---------------------------------------------------------------------------------------------
// Order

struct Event {
  char what;
  uint32_t node;
  int g, f;
  bool operator==(const Event&) const = default;
};
struct Recorder {
  std::vector<Event> events;
  void on_begin(uint32_t start) { events.push_back({'b', start, 0, 0}); }
  void on_open(uint32_t node, int g, int f) { events.push_back({'o', node, g, f}); }
  void on_close(uint32_t node, int g) { events.push_back({'c', node, g, 0}); }
  void on_end(const GraphPath<Dense<int>>& path) {
    events.push_back({'e', uint32_t(path.size()), path.cost, 0});
  }
};

struct GraphOrder : testing::Test {
  GraphSearcher<Dense<int>> searcher;
  GraphPath<Dense<int>> path;
  std::vector<uint32_t> nodes() const { return {path.begin(), path.end()}; }
};

TEST_F(GraphOrder, AmongEqualsFirstInFirstOut) {
  for (const bool swapped : {false, true}) {
    Dense<int> graph(4);
    graph.add(0, swapped ? 2 : 1, 1);
    graph.add(0, swapped ? 1 : 2, 1);
    graph.add(1, 3, 1);
    graph.add(2, 3, 1);
    searcher.find(graph, 0, 3, path);
    EXPECT_EQ(nodes(), (std::vector<uint32_t>{0, swapped ? 2u : 1u, 3}));
  }
}

// With an exact estimate all nodes of the two ways have the same f. The higher g goes first, so one
// way is followed to its end and the other one never.
TEST_F(GraphOrder, AmongEqualFTheHigherGGoesFirst) {
  Dense<int> graph(21);
  for (uint32_t i = 0; i < 10; ++i) {
    graph.add(i == 0 ? 0 : i, i + 1, 1);
    graph.add(i == 0 ? 0 : i + 10, i == 9 ? 10 : i + 11, 1);
  }
  graph.h.assign(21, 0);
  for (uint32_t i = 0; i < 10; ++i) graph.h[i] = 10 - int(i);
  for (uint32_t i = 11; i < 20; ++i) graph.h[i] = 20 - int(i);
  searcher.find(graph, 0, 10, path);
  EXPECT_EQ(path.cost, 10);
  EXPECT_EQ(path.expanded, 11u);
  EXPECT_EQ(nodes(), (std::vector<uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
}

// The way in which nodes are stored, their hash values and earlier queries decide nothing.
TEST_F(GraphOrder, StorageDoesNotDecide) {
  std::mt19937 random(4);
  GraphSearcher<Named<int>> named_searcher;
  GraphPath<Named<int>> named_path;
  for (int round = 0; round < 1000; ++round) {
    const uint32_t n = 2 + random() % 12;
    Dense<int> dense(n);
    Named<int> named(n);
    for (uint32_t i = 0; i < 3 * n; ++i) {
      const uint32_t from = random() % n, to = random() % n;
      const int cost = int(random() % 3);
      dense.add(from, to, cost);
      named.add(from, to, cost);
    }
    const uint32_t goal = random() % n;
    searcher.find(dense, 0, goal, path);
    named_searcher.find(named, Named<int>::named(0), Named<int>::named(goal), named_path);
    ASSERT_EQ(path.status, named_path.status);
    ASSERT_EQ(path.expanded, named_path.expanded);
    ASSERT_EQ(path.size(), named_path.size());
    for (size_t i = 0; i < path.size(); ++i) {
      ASSERT_EQ(path[i], Named<int>::number(named_path[i]));
    }
    GraphSearcher<Dense<int>> fresh;
    GraphPath<Dense<int>> again;
    fresh.find(dense, 0, goal, again);
    ASSERT_TRUE(std::equal(path.begin(), path.end(), again.begin(), again.end()));
  }
}

// ---------------------------------------------------------------------------------------------
// The observer

TEST_F(GraphOrder, TheObserverSeesAll) {
  Dense<int> graph(3);
  graph.add(0, 1, 2);
  graph.add(0, 2, 9);
  graph.add(1, 2, 3);
  graph.h = {4, 3, 0};
  Recorder recorder;
  searcher.find(graph, 0, 2, path, {}, recorder);
  EXPECT_EQ(recorder.events, (std::vector<Event>{{'b', 0, 0, 0},
                                                 {'o', 0, 0, 4},
                                                 {'c', 0, 0, 0},
                                                 {'o', 1, 2, 5},
                                                 {'o', 2, 9, 9},
                                                 {'c', 1, 2, 0},
                                                 {'o', 2, 5, 5},
                                                 {'c', 2, 5, 0},
                                                 {'e', 3, 5, 0}}));
  // An observer of no more than the end, passed by value; a query that fails at once ends as well.
  struct OnlyEnd {
    int* ends;
    void on_end(const GraphPath<Dense<int>>&) { ++*ends; }
  };
  int ends = 0;
  searcher.find(graph, 0, 2, path, {}, OnlyEnd{&ends});
  searcher.find(graph, 7, 2, path, {}, OnlyEnd{&ends});
  searcher.find(graph, 0, 7, path, {}, OnlyEnd{&ends});
  EXPECT_EQ(ends, 3);
}

// Uses the searcher that it watches.
struct Meddler {
  GraphSearcher<Dense<int>>& searcher;
  const Dense<int>& graph;
  int refused = 0;
  void on_close(uint32_t, int) {
    GraphPath<Dense<int>> inner;
    searcher.find(graph, 0, 1, inner);
    searcher.release();
    refused += inner.status == Status::bad_argument;
  }
};

TEST_F(GraphOrder, ASearcherAtWorkRefusesAnotherQuery) {
  Dense<int> graph(50);
  for (uint32_t i = 0; i + 1 < 50; ++i) graph.add(i, i + 1, 1);
  Meddler meddler{searcher, graph};
  searcher.find(graph, 0, 49, path, {}, meddler);
  EXPECT_EQ(path.status, Status::found);
  EXPECT_EQ(path.cost, 49);
  EXPECT_EQ(meddler.refused, 50);
}

TEST_F(GraphOrder, TheEndsMayLieInThePathThatIsReplaced) {
  Dense<int> graph(50);
  for (uint32_t i = 0; i + 1 < 50; ++i) graph.both(i, i + 1, 1);
  searcher.find(graph, 5, 30, path);
  searcher.find(graph, path[20], path[3], path);
  EXPECT_EQ(path.status, Status::found);
  EXPECT_EQ(path[0], 25u);
  EXPECT_EQ(path[path.size() - 1], 8u);
}

TEST(GraphThreads, OneGraphManySearchers) {
  Dense<int> graph(400);
  for (uint32_t i = 0; i < 400; ++i) {
    graph.both(i, (i * 7 + 3) % 400, int(i % 11));
    graph.both(i, (i + 1) % 400, 5);
  }
  std::vector<std::vector<int>> costs(4);
  std::vector<std::thread> threads;
  for (auto& mine : costs) {
    threads.emplace_back([&graph, &mine] {
      GraphSearcher<Dense<int>> searcher;
      GraphPath<Dense<int>> path;
      for (uint32_t i = 0; i < 400; ++i) {
        searcher.find(graph, i, (i * 31) % 400, path);
        mine.push_back(path.cost);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& other : costs) EXPECT_EQ(other, costs[0]);
}

// ---------------------------------------------------------------------------------------------
// Nodes of many types

enum class Town : uint8_t { ulm, ghent, york, count };
struct Towns {
  using Node = Town;
  using Cost = float;
  size_t node_count() const { return size_t(Town::count); }
  template <class Visit>
  void for_each_neighbour(Town from, Visit&& visit) const {
    if (from == Town::ulm) visit(Town::ghent, 1.5f);
    if (from == Town::ghent) visit(Town::york, 2);
  }
};

struct Item {  // the tutorial's way: the user's own objects, named by their addresses
  int payload;
  std::vector<std::pair<const Item*, double>> next;
};
struct Items {
  using Node = const Item*;
  using Cost = double;
  void for_each_neighbour(Node from, const auto& visit) const {
    for (const auto& [to, cost] : from->next) visit(to, cost);
  }
};

// A pair has no std::hash: the graph brings one. Knight's moves on an endless board.
struct Knights {
  using Node = std::pair<int, int>;
  using Cost = uint8_t;
  size_t hash(const Node& n) const { return size_t(n.first) * 65'537 + size_t(n.second); }
  void for_each_neighbour(const Node& n, const auto& visit) const {
    for (int dx : {-2, -1, 1, 2}) {
      for (int dy : {-2, -1, 1, 2}) {
        if (dx * dx + dy * dy == 5) visit(Node(n.first + dx, n.second + dy), 1);
      }
    }
  }
  double estimate(const Node& a, const Node& b) const {  // becomes whole, rounded down
    return std::max(std::abs(a.first - b.first), std::abs(a.second - b.second)) / 2.0;
  }
};

template <class G, class N>
std::vector<N> answer(const G& graph, const N& start, const N& goal, double cost) {
  GraphSearcher<G> searcher;
  GraphPath<G> path;
  searcher.find(graph, start, goal, path);
  EXPECT_EQ(path.status, Status::found) << path.message;
  EXPECT_EQ(double(path.cost), cost);
  GraphPath<G> moved = std::move(path);
  return {moved.begin(), moved.end()};
}

TEST(GraphTypes, Enums) {
  EXPECT_EQ(answer(Towns(), Town::ulm, Town::york, 3.5),
            (std::vector<Town>{Town::ulm, Town::ghent, Town::york}));
  static_assert(
      std::is_same_v<octile::detail::GraphNodes<Towns>, octile::detail::DenseNodes<Towns>>);
}

TEST(GraphTypes, Pointers) {
  const Item last{3, {}}, middle{2, {{&last, 0.5}}}, first{1, {{&middle, 0.25}, {&last, 9}}};
  using Way = std::vector<const Item*>;
  EXPECT_EQ(answer<Items>({}, &first, &last, 0.75), (Way{&first, &middle, &last}));
}

TEST(GraphTypes, PairsAndAnEndlessGraph) {
  EXPECT_EQ(answer<Knights>({}, Knights::Node(0, 0), Knights::Node(1, 0), 3).size(), 4u);
  EXPECT_EQ(answer<Knights>({}, Knights::Node(0, 0), Knights::Node(-40, 20), 20).size(), 21u);
}

// A cost for each turn needs the direction in the node: 9 steps and one turn of 2.
struct Turns {
  struct Node {
    int x, y, direction;  // -1: not moving yet
    bool operator==(const Node&) const = default;
  };
  using Cost = int;
  void for_each_neighbour(const Node& n, const auto& visit) const {
    static constexpr int kX[] = {1, 0, -1, 0}, kY[] = {0, 1, 0, -1};
    for (int d = 0; d < 4; ++d) {
      const Node to{n.x + kX[d], n.y + kY[d], d};
      if (to.x < 0 || to.x > 6 || to.y < 0 || to.y > 3) continue;
      visit(to, n.direction < 0 || n.direction == d ? 1 : 3);
    }
  }
};

TEST(GraphTypes, TurnPenalty) {
  GraphSearcher<Turns> searcher;
  GraphPath<Turns> path;
  searcher.find_if(
      Turns(), {0, 0, -1}, [](const Turns::Node& n) { return n.x == 6 && n.y == 3; },
      [](const Turns::Node& n) { return 6 - n.x + 3 - n.y; }, path);
  ASSERT_EQ(path.status, Status::found);
  EXPECT_EQ(path.cost, 11);
  int turns = 0;
  for (size_t i = 2; i < path.size(); ++i) turns += path[i].direction != path[i - 1].direction;
  EXPECT_EQ(turns, 1);
}

struct NoCost {
  using Node = int;
  void for_each_neighbour(int, const auto&) const {}
};
struct NoEdges {
  using Node = int;
  using Cost = int;
};
static_assert(octile::Graph<Towns> && octile::Graph<Items> && octile::Graph<Turns>);
static_assert(!octile::Graph<NoCost> && !octile::Graph<NoEdges> && !octile::Graph<int>);

}  // namespace
