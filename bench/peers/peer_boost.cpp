// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The yardstick: Boost.Graph's A* on a compressed adjacency of the same grid, asked the same
// queries in the same order and timed by the same code as `octile bench`.
//
//   peer_boost MAP [SCEN] [--plain] and the options of peer_harness.hpp
//
// Boost is treated as well as its interface allows:
//   - vertices are the free cells alone, so the arrays are dense;
//   - costs are integers, 5741 and 8119, which is faster than doubles and has no rounding that
//     would reopen vertices;
//   - a search ends when its goal is examined, by an exception, as Boost's documentation advises;
//   - what a query touched is noted and reset before the next one, nothing else is;
//   - astar_search_no_init() makes a heap index of its own for each query, which costs an
//     allocation of the size of the map. Its body is three lines, done here with an index that is
//     kept (--plain uses the function itself).
// The path is unwound from the predecessors and written as cells.

#include <algorithm>
#include <boost/graph/astar_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "bench/timing.hpp"
#include "octile/octile.hpp"
#include "peer_harness.hpp"

namespace {

using namespace octile;

constexpr uint32_t kStraight = 5741;  // 8119 / 5741 is sqrt(2) to eight digits: the order of paths
constexpr uint32_t kDiagonal = 8119;  // up to thousands of steps is the exact one
constexpr uint32_t kNoVertex = std::numeric_limits<uint32_t>::max();

struct StepCost {
  uint32_t cost;
};
using Adjacency = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, StepCost,
                                                     boost::no_property, uint32_t, uint32_t>;
using Vertex = boost::graph_traits<Adjacency>::vertex_descriptor;

// The grid as a graph: eight neighbours, no corner cutting.
struct GridGraph {
  int width = 0;
  int height = 0;
  std::vector<uint32_t> vertex_at;  // by cell; kNoVertex for walls
  std::vector<Cell> cell_of;        // by vertex
  Adjacency adjacency;

  explicit GridGraph(const View& view) : width(view.width()), height(view.height()) {
    vertex_at.assign(static_cast<size_t>(width) * static_cast<size_t>(height), kNoVertex);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        if (!view.passable({x, y})) continue;
        vertex_at[index(x, y)] = static_cast<uint32_t>(cell_of.size());
        cell_of.push_back({x, y});
      }
    }
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    std::vector<StepCost> costs;
    for (uint32_t from = 0; from < cell_of.size(); ++from) {
      const Cell c = cell_of[from];
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          const uint32_t to = vertex(c.x + dx, c.y + dy);
          if (to == kNoVertex || to == from) continue;
          const bool diagonal = dx != 0 && dy != 0;
          if (diagonal &&
              (vertex(c.x + dx, c.y) == kNoVertex || vertex(c.x, c.y + dy) == kNoVertex)) {
            continue;
          }
          edges.emplace_back(from, to);
          costs.push_back({diagonal ? kDiagonal : kStraight});
        }
      }
    }
    adjacency = Adjacency(boost::edges_are_sorted, edges.begin(), edges.end(), costs.begin(),
                          static_cast<uint32_t>(cell_of.size()));
  }

  size_t index(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x);
  }
  uint32_t vertex(int x, int y) const {
    if (x < 0 || y < 0 || x >= width || y >= height) return kNoVertex;
    return vertex_at[index(x, y)];
  }
  size_t bytes() const {
    return boost::num_edges(adjacency) * (sizeof(uint32_t) + sizeof(StepCost)) +
           cell_of.size() * (sizeof(uint32_t) + sizeof(Cell)) + vertex_at.size() * sizeof(uint32_t);
  }
};

class OctileEstimate : public boost::astar_heuristic<Adjacency, uint32_t> {
 public:
  OctileEstimate(const GridGraph& graph, Cell goal) : cells_(graph.cell_of.data()), goal_(goal) {}
  uint32_t operator()(Vertex v) const {
    const uint32_t dx = static_cast<uint32_t>(std::abs(cells_[v].x - goal_.x));
    const uint32_t dy = static_cast<uint32_t>(std::abs(cells_[v].y - goal_.y));
    const uint32_t least = std::min(dx, dy), most = std::max(dx, dy);
    return kStraight * (most - least) + kDiagonal * least;
  }

 private:
  const Cell* cells_;
  Cell goal_;
};

struct GoalReached {};

// Ends the search at the goal; notes what was touched.
class GoalVisitor : public boost::default_astar_visitor {
 public:
  GoalVisitor(Vertex goal, std::vector<Vertex>& touched, uint64_t& expanded)
      : goal_(goal), touched_(touched), expanded_(expanded) {}
  template <class Graph>
  void discover_vertex(Vertex v, const Graph&) {
    touched_.push_back(v);
  }
  template <class Graph>
  void examine_vertex(Vertex v, const Graph&) {
    if (v == goal_) throw GoalReached();
    ++expanded_;
  }

 private:
  Vertex goal_;
  std::vector<Vertex>& touched_;
  uint64_t& expanded_;
};

class BoostAStar final : public peers::GridPeer {
 public:
  explicit BoostAStar(const peers::Task& task)
      : GridPeer(task),
        plain_(task.has("--plain")),
        built_from_(timing::thread_cpu_us()),
        graph_(task.view) {
    const size_t n = graph_.cell_of.size();
    distance_.assign(n, kInfinite);
    cost_.assign(n, kInfinite);
    predecessor_.assign(n, 0);
    color_.assign(n, boost::white_color);
    place_in_heap_.assign(n, 0);
    set_build_ms((timing::thread_cpu_us() - built_from_) * 1e-3);
  }

  std::string name() const override { return plain_ ? "boost_plain" : "boost"; }
  size_t index_bytes() const override { return graph_.bytes(); }

 protected:
  bool search(Cell from, Cell to, uint64_t& expanded) override {
    const uint32_t start = graph_.vertex(from.x, from.y), goal = graph_.vertex(to.x, to.y);
    path_.clear();
    if (start == kNoVertex || goal == kNoVertex) return false;
    for (Vertex v : touched_) {
      distance_[v] = kInfinite;
      color_[v] = boost::white_color;
    }
    touched_.clear();
    if (!reach(start, goal, expanded)) return false;
    for (uint32_t v = goal;; v = predecessor_[v]) {
      path_.push_back(graph_.cell_of[v]);
      if (v == start) break;
    }
    std::reverse(path_.begin(), path_.end());
    return true;
  }

 private:
  static constexpr uint32_t kInfinite = std::numeric_limits<uint32_t>::max();

  bool reach(uint32_t start, uint32_t goal, uint64_t& expanded) {
    const auto ids = boost::get(boost::vertex_index, graph_.adjacency);
    const auto distance = boost::make_iterator_property_map(distance_.begin(), ids);
    const auto cost = boost::make_iterator_property_map(cost_.begin(), ids);
    const auto predecessor = boost::make_iterator_property_map(predecessor_.begin(), ids);
    const auto color = boost::make_iterator_property_map(color_.begin(), ids);
    const auto weight = boost::get(&StepCost::cost, graph_.adjacency);
    const OctileEstimate estimate(graph_, graph_.cell_of[goal]);
    const GoalVisitor visitor(goal, touched_, expanded);
    const std::less<uint32_t> less;
    const std::plus<uint32_t> plus;
    distance_[start] = 0;
    cost_[start] = estimate(start);
    predecessor_[start] = start;
    try {
      if (plain_) {
        boost::astar_search_no_init(graph_.adjacency, start, estimate, visitor, predecessor, cost,
                                    distance, weight, color, ids, less, plus, kInfinite,
                                    uint32_t{0});
      } else {
        const auto place = boost::make_iterator_property_map(place_in_heap_.begin(), ids);
        using Queue = boost::d_ary_heap_indirect<Vertex, 4, decltype(place), decltype(cost),
                                                 std::less<uint32_t>>;
        Queue queue(cost, place, less);
        boost::detail::astar_bfs_visitor<OctileEstimate, GoalVisitor, Queue, decltype(predecessor),
                                         decltype(cost), decltype(distance), decltype(weight),
                                         decltype(color), std::plus<uint32_t>, std::less<uint32_t>>
            bfs(estimate, visitor, queue, predecessor, cost, distance, weight, color, plus, less,
                uint32_t{0});
        boost::breadth_first_visit(graph_.adjacency, start, queue, bfs, color);
      }
    } catch (const GoalReached&) {
      return true;
    }
    return false;
  }

  bool plain_;
  double built_from_;
  GridGraph graph_;
  std::vector<uint32_t> distance_;
  std::vector<uint32_t> cost_;
  std::vector<uint32_t> predecessor_;
  std::vector<boost::default_color_type> color_;
  std::vector<size_t> place_in_heap_;
  std::vector<Vertex> touched_;
};

}  // namespace

int main(int argc, char** argv) {
  return peers::run_peer(
      "peer_boost", argc, argv, {"--plain"},
      [](const peers::Task& task, std::string&) { return std::make_unique<BoostAStar>(task); });
}
