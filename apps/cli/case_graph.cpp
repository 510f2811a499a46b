// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Regression cases as explicit graphs, answered by Graph A*.

#include <cmath>
#include <limits>

#include "case_asker.hpp"
#include "octile/graph.hpp"

namespace octile::cli {
namespace {

// A node is a cell; under the alternating rule a cell and whether the next diagonal step is an odd
// one, since that decides what it costs.
struct CaseGraph {
  using Node = uint32_t;
  using Cost = double;

  const CaseWorld& world;
  double least;
  Node start;  // with escape_start it may be a wall

  CaseGraph(const CaseWorld& w, Cell from) : world(w), least(w.least_weight()), start(node(from)) {}

  uint32_t copies() const { return world.settings().alternating ? 2 : 1; }
  size_t node_count() const {
    return static_cast<size_t>(world.width()) * static_cast<size_t>(world.height()) * copies();
  }
  // Outside: a node that the graph does not have.
  Node node(Cell cell, bool odd = false) const {
    if (!world.contains(cell)) return std::numeric_limits<Node>::max();
    const Cell origin = world.settings().origin;
    const uint32_t index =
        static_cast<uint32_t>(cell.y - origin.y) * static_cast<uint32_t>(world.width()) +
        static_cast<uint32_t>(cell.x - origin.x);
    return index * copies() + (odd ? 1 : 0);
  }
  Cell cell(Node node) const {
    const Cell origin = world.settings().origin;
    const uint32_t index = node / copies(), width = static_cast<uint32_t>(world.width());
    return {origin.x + static_cast<int32_t>(index % width),
            origin.y + static_cast<int32_t>(index / width)};
  }
  bool passable(Node n) const {
    return !std::isinf(world.weight(cell(n))) || (world.settings().escape_start && n == start);
  }

  template <class Visit>
  void for_each_neighbour(const Node& from, Visit&& visit) const {
    const bool alternating = world.settings().alternating;
    const bool odd = alternating && from % 2 == 1;
    for (const CaseStep& step : world.neighbours(cell(from))) {
      const bool turned = alternating && step.diagonal;
      visit(node(step.to, turned ? !odd : odd), turned && odd ? 2 * step.cost : step.cost);
    }
  }

  double estimate(const Node& from, const Node& goal) const {
    const Cell a = cell(from), b = cell(goal);
    const auto& table = world.settings().heuristic_table;
    if (table.empty()) return world.bound(a, b, least);
    const size_t y = static_cast<size_t>(a.y - world.settings().origin.y);
    const size_t x = static_cast<size_t>(a.x - world.settings().origin.x);
    return y < table.size() && x < table[y].size() ? table[y][x] : 0;
  }
};

// Everything that a search without a path has reached, with its cost; chooses the end of a partial
// path: nearest by the empty-grid distance, then cheapest, then by y, x.
struct NearestReached {
  const CaseGraph& graph;
  Cell goal;
  bool any = false;
  Cell best;
  double best_distance = 0;
  double best_cost = 0;

  void on_close(const CaseGraph::Node& node, double g) {
    const Cell cell = graph.cell(node);
    // Sums of roots in another order differ in the last digits.
    const double distance = std::round(graph.world.empty_distance(cell, goal) * 1e9) / 1e9;
    const double cost = std::round(g * 1e9) / 1e9;
    const bool better =
        !any || distance < best_distance ||
        (distance == best_distance &&
         (cost < best_cost ||
          (cost == best_cost && (cell.y < best.y || (cell.y == best.y && cell.x < best.x)))));
    if (!better) return;
    any = true;
    best = cell;
    best_distance = distance;
    best_cost = cost;
  }
};

}  // namespace

CaseReply ask_graph(const CaseWorld& world, const CaseQuestion& question) {
  const CaseGraph graph(world, question.start);
  std::vector<CaseGraph::Node> goals;
  std::vector<size_t> owners;  // by node: its place in the list
  for (size_t i = 0; i < question.goals.size(); ++i) {
    const Cell goal = question.goals[i];
    const int more = world.settings().goal_cover ? world.settings().agent_size - 1 : 0;
    for (int y = goal.y - more; y <= goal.y; ++y) {
      for (int x = goal.x - more; x <= goal.x; ++x) {
        // The goal itself is asked for wherever it lies: outside is an answer too.
        if (!world.contains({x, y}) && !(Cell{x, y} == goal)) continue;
        for (uint32_t odd = 0; odd < graph.copies(); ++odd) {
          goals.push_back(graph.node({x, y}, odd != 0));
          owners.push_back(i);
        }
      }
    }
  }
  GraphSearcher<CaseGraph> searcher;
  GraphPath<CaseGraph> path;
  GraphOptions<double> options;
  if (!std::isinf(world.settings().max_cost)) options.max_cost = world.settings().max_cost;
  NearestReached nearest{graph, question.goals[0], false, Cell(), 0, 0};
  const CaseGraph::Node start = graph.start;
  searcher.find_any(graph, start, goals.data(), goals.size(), path, options, nearest);

  // The cases tell a way that is too dear from none at all; a search that stopped at the limit does
  // not know.
  if (path.status == Status::limit_reached) {
    searcher.find_any(graph, start, goals.data(), goals.size(), path);
    if (path.status == Status::found) {
      searcher.find_any(graph, start, goals.data(), goals.size(), path, options);
    }
  }

  CaseReply reply;
  reply.who = "graph";
  reply.status = name(path.status);
  const bool nothing = path.status == Status::no_path || path.status == Status::goal_blocked;
  if (world.settings().allow_partial && nothing) {
    // A blocked goal ends the search before it begins; without goals it would flood all the same.
    if (!nearest.any) {
      GraphPath<CaseGraph> flood;
      searcher.find_if(
          graph, start, [](const CaseGraph::Node&) { return false; },
          [](const CaseGraph::Node&) { return 0.0; }, flood, options, nearest);
    }
    if (nearest.any) {
      std::vector<CaseGraph::Node> ends;
      for (uint32_t odd = 0; odd < graph.copies(); ++odd) {
        ends.push_back(graph.node(nearest.best, odd != 0));
      }
      searcher.find_any(graph, start, ends.data(), ends.size(), path, options);
      reply.status = name(path.status == Status::found ? Status::partial : path.status);
    }
  }
  reply.cost = path.cost;
  reply.goal_index = path.goal_index < owners.size() ? owners[path.goal_index] : 0;
  for (const CaseGraph::Node& node : path) reply.cells.push_back(graph.cell(node));
  return reply;
}

}  // namespace octile::cli
