// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Graphs for the tests of Graph A*: numbered nodes with lists of edges, named in three ways, and
// Bellman-Ford as the reference.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "octile/graph.hpp"

namespace octile::test {

template <class C>
struct Edges {
  struct Edge {
    uint32_t to;
    C cost;
  };
  std::vector<std::vector<Edge>> out;

  explicit Edges(size_t n) : out(n) {}
  void add(uint32_t from, uint32_t to, C cost) { out[from].push_back({to, cost}); }
  void both(uint32_t a, uint32_t b, C cost) { add(a, b, cost), add(b, a, cost); }
};

// Dense: a node is its own number. `h` holds an estimate for each node, when it is not empty.
template <class C>
struct Dense : Edges<C> {
  using Node = uint32_t;
  using Cost = C;
  using Edges<C>::Edges;
  std::vector<C> h;

  size_t node_count() const { return this->out.size(); }
  template <class Visit>
  void for_each_neighbour(const Node& from, Visit&& visit) const {
    for (const auto& edge : this->out[from]) visit(edge.to, edge.cost);
  }
  C estimate(const Node& from) const { return h.empty() ? C{} : h[from]; }
  static Node named(uint32_t i) { return i; }
  static uint32_t number(Node node) { return node; }
};

// Dense by index(), with a name of its own.
template <class C>
struct Indexed : Edges<C> {
  struct Node {
    uint32_t twice;
    bool operator==(const Node&) const = default;
  };
  using Cost = C;
  using Edges<C>::Edges;
  std::vector<C> h;

  size_t node_count() const { return this->out.size(); }
  size_t index(const Node& node) const { return node.twice / 2; }
  template <class Visit>
  void for_each_neighbour(Node from, Visit visit) const {
    for (const auto& edge : this->out[from.twice / 2]) visit(Node{edge.to * 2}, edge.cost);
  }
  C estimate(Node from) const { return h.empty() ? C{} : h[from.twice / 2]; }
  static Node named(uint32_t i) { return {i * 2}; }
  static uint32_t number(Node node) { return node.twice / 2; }
};

// Strings in a hash table, with a hash under which many collide.
template <class C>
struct Named : Edges<C> {
  using Node = std::string;
  using Cost = C;
  using Edges<C>::Edges;
  std::vector<C> h;

  size_t hash(const Node& node) const { return number(node) % 32; }
  template <class Visit>
  void for_each_neighbour(const Node& from, const Visit& visit) const {
    for (const auto& edge : this->out[number(from)]) visit(named(edge.to), edge.cost);
  }
  C estimate(const Node& from) const { return h.empty() ? C{} : h[number(from)]; }
  static Node named(uint32_t i) { return "a node with a long name, number " + std::to_string(i); }
  static uint32_t number(const Node& node) {
    return static_cast<uint32_t>(std::stoul(node.substr(node.rfind(' '))));
  }
};

// ---------------------------------------------------------------------------------------------
// The reference: Bellman-Ford, all edges n times.

constexpr double kNoWay = std::numeric_limits<double>::infinity();

template <class C>
std::vector<double> distances(const Edges<C>& graph, uint32_t start) {
  std::vector<double> d(graph.out.size(), kNoWay);
  d[start] = 0;
  for (size_t round = 0; round < graph.out.size(); ++round) {
    for (size_t from = 0; from < graph.out.size(); ++from) {
      for (const auto& edge : graph.out[from]) {
        d[edge.to] = std::min(d[edge.to], d[from] + static_cast<double>(edge.cost));
      }
    }
  }
  return d;
}
template <class C>
Edges<C> reversed(const Edges<C>& graph) {
  Edges<C> back(graph.out.size());
  for (uint32_t from = 0; from < graph.out.size(); ++from) {
    for (const auto& edge : graph.out[from]) back.add(edge.to, from, edge.cost);
  }
  return back;
}

// The cost of walking the path; infinite when it uses an edge that there is not.
template <class G>
double walked(const G& graph, const GraphPath<G>& path) {
  double sum = 0;
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    double step = kNoWay;
    for (const auto& edge : graph.out[G::number(path[i])]) {
      if (edge.to == G::number(path[i + 1])) step = std::min(step, double(edge.cost));
    }
    sum += step;
  }
  return sum;
}

}  // namespace octile::test
