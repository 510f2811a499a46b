// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The yardstick: Boost.Graph's A* on a compressed adjacency of the same grid, asked the same
// queries in the same order and timed by the same code as `octile bench`.
//
//   peer_boost MAP [SCEN] [--every N] [--passes N] [--no-cold] [--format tsv|table|json]
//
// Boost is treated as well as its interface allows:
//   - vertices are the free cells alone, so the arrays are dense;
//   - costs are integers, 5741 and 8119, which is faster than doubles and has no rounding that
//     would reopen vertices;
//   - a search ends when its goal is examined, by an exception, as Boost's documentation advises;
//   - what a query touched is noted and reset before the next one, nothing else is;
//   - astar_search_no_init() makes a heap index of its own for each query, which costs an
//   allocation
//     of the size of the map. Its body is three lines, done here with an index that is kept
//     (--plain uses the function itself).
// The path is unwound from the predecessors and written as cells.

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/astar_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "bench/timing.hpp"
#include "octile/octile.hpp"

namespace {

using namespace octile;

constexpr uint32_t kStraight = 5741;  // 8119 / 5741 is sqrt(2) to eight digits: the order of paths
constexpr uint32_t kDiagonal = 8119;  // up to thousands of steps is the exact one
constexpr double kRoot2 = 1.41421356237309504880;
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

class BoostAStar final : public timing::Contestant {
 public:
  BoostAStar(const GridGraph& graph, double build_ms, std::vector<ScenQuery> queries, bool plain)
      : graph_(graph),
        build_ms_(build_ms),
        queries_(std::move(queries)),
        plain_(plain),
        distance_(graph.cell_of.size(), kInfinite),
        cost_(graph.cell_of.size(), kInfinite),
        predecessor_(graph.cell_of.size()),
        color_(graph.cell_of.size(), boost::white_color),
        place_in_heap_(graph.cell_of.size(), 0) {}

  std::string name() const override { return plain_ ? "boost_plain" : "boost"; }
  double build_ms() const override { return build_ms_; }
  size_t index_bytes() const override { return graph_.bytes(); }

  timing::Answer answer(size_t number) override {
    const Cell from = queries_[number].start, to = queries_[number].goal;
    const uint32_t start = graph_.vertex(from.x, from.y), goal = graph_.vertex(to.x, to.y);
    timing::Answer answer;
    path_.clear();
    if (start == kNoVertex || goal == kNoVertex) return answer;
    for (Vertex v : touched_) {
      distance_[v] = kInfinite;
      color_[v] = boost::white_color;
    }
    touched_.clear();
    answer.found = search(start, goal, answer.expanded);
    if (!answer.found) return answer;
    for (uint32_t v = goal;; v = predecessor_[v]) {
      path_.push_back(graph_.cell_of[v]);
      if (v == start) break;
    }
    std::reverse(path_.begin(), path_.end());
    answer.cells = path_.size();
    answer.cost = length();
    return answer;
  }

 private:
  static constexpr uint32_t kInfinite = std::numeric_limits<uint32_t>::max();

  bool search(uint32_t start, uint32_t goal, uint64_t& expanded) {
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

  double length() const {
    double straight = 0, diagonal = 0;
    for (size_t i = 1; i < path_.size(); ++i) {
      const bool across = path_[i].x != path_[i - 1].x && path_[i].y != path_[i - 1].y;
      (across ? diagonal : straight) += 1;
    }
    return straight + diagonal * kRoot2;
  }

  const GridGraph& graph_;
  double build_ms_;
  std::vector<ScenQuery> queries_;
  bool plain_;
  std::vector<uint32_t> distance_;
  std::vector<uint32_t> cost_;
  std::vector<uint32_t> predecessor_;
  std::vector<boost::default_color_type> color_;
  std::vector<size_t> place_in_heap_;
  std::vector<Vertex> touched_;
  std::vector<Cell> path_;
};

int refuse(const std::string& text) {
  std::fputs(("peer_boost: " + text + "\n").c_str(), stderr);
  return 2;
}

bool read_file(const std::string& path, std::string& bytes) {
  std::ifstream file(path, std::ios::binary);
  bytes.assign(std::istreambuf_iterator<char>(file), {});
  return static_cast<bool>(file);
}

bool read_count(const char* text, int& value) {
  char* end = nullptr;
  const long number = std::strtol(text, &end, 10);
  value = static_cast<int>(number);
  return *text != '\0' && *end == '\0' && number >= 1 && number <= 1000000;
}

}  // namespace

int main(int argc, char** argv) {
  std::string map_path, scen_path, format = "tsv";
  int every = 1;
  bool plain = false;
  timing::Options how;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool has_value = i + 1 < argc;
    if (argument == "--every" && has_value) {
      if (!read_count(argv[++i], every)) return refuse("--every must be a count");
    } else if (argument == "--passes" && has_value) {
      if (!read_count(argv[++i], how.min_passes)) return refuse("--passes must be a count");
      how.max_passes = std::max(how.max_passes, how.min_passes);
    } else if (argument == "--format" && has_value) {
      format = argv[++i];
      if (format != "tsv" && format != "table" && format != "json") {
        return refuse("--format must be tsv, table or json");
      }
    } else if (argument == "--no-cold") {
      how.cold = false;
    } else if (argument == "--plain") {
      plain = true;
    } else if (!argument.empty() && argument[0] != '-' && scen_path.empty()) {
      (map_path.empty() ? map_path : scen_path) = argument;
    } else {
      return refuse("unknown argument '" + argument + "'");
    }
  }
  if (map_path.empty()) return refuse("a MAP is missing");
  if (scen_path.empty()) scen_path = map_path + ".scen";

  std::string bytes;
  Engine engine;
  ProfileId profile = 0;
  if (!read_file(map_path, bytes)) return refuse("cannot read '" + map_path + "'");
  if (Fault fault = parse_map(bytes.data(), bytes.size(), MapDef(), engine))
    return refuse(fault.text);
  if (Fault fault = engine.add_profile(Profile(), &profile)) return refuse(fault.text);
  if (Fault fault = engine.commit()) return refuse(fault.text);
  if (!read_file(scen_path, bytes)) return refuse("cannot read '" + scen_path + "'");
  size_t count = 0;
  if (Fault fault = parse_scen(bytes.data(), bytes.size(), nullptr, 0, &count)) {
    return refuse(fault.text);
  }
  std::vector<ScenQuery> all(count), queries;
  if (Fault fault = parse_scen(bytes.data(), bytes.size(), all.data(), count, &count)) {
    return refuse(fault.text);
  }
  std::vector<double> optima;
  for (size_t i = 0; i < all.size(); i += static_cast<size_t>(every)) {
    queries.push_back(all[i]);
    optima.push_back(all[i].optimum);
  }
  const size_t slash = map_path.find_last_of('/');
  how.map = slash == std::string::npos ? map_path : map_path.substr(slash + 1);

  const double begin = timing::thread_cpu_us();
  const GridGraph graph(engine.view(profile));
  BoostAStar boost(graph, (timing::thread_cpu_us() - begin) * 1e-3, std::move(queries), plain);
  const std::vector<timing::Row> rows = timing::measure({&boost}, optima, how);
  if (format == "json") {
    std::fputs(timing::json(rows).c_str(), stdout);
  } else if (format == "table") {
    std::fputs(timing::table(rows).c_str(), stdout);
  } else {
    fmt::print("{}\n", timing::tsv_header());
    for (const timing::Row& row : rows) fmt::print("{}\n", timing::tsv_line(row));
  }
  return rows[0].wrong == 0 ? 0 : 1;
}
