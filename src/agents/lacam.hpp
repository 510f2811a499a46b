// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// LaCAM: a depth-first search among configurations, that is positions of all agents, which is
// complete because its successors are constrained lazily (Okumura 2023, AAAI); and LaCAM*, which
// goes on after the first plan and ends with an optimal one (Okumura 2023, IJCAI).
//
//   node         a configuration, the order in which its agents are planned, its parent, the cost g
//                of the best way to it, the successors seen so far (edges), and its constraints
//   constraints  a tree: depth d fixes where agent order[d] goes. Each visit of a node takes the
//                next one, breadth first, and PIBT (pibt.hpp) completes it to a configuration. The
//                tree's children are made at the visit after: most nodes have no second one
//   open         a stack of nodes; duplicates are found by hash and compared in full
//
// The order: agents on their way first, the longer away the earlier. A child's is its parent's,
// parted in two without changing the order in each part, so no times are kept.
//
// Memory: a node takes 2 + 2 bytes an agent on graphs and for numbers of agents up to 65,536, else
// 4 in place of 2; plus 80.

#include "agents/wide_pibt.hpp"
#include "base/arena.hpp"
#include "base/platform.hpp"
#include "octile/agents.hpp"

namespace octile {

enum class SearchEnd : uint8_t {
  solved,     // there is a plan, or: no limit is reached
  exhausted,  // nothing is left to look at: the best plan is optimal, or there is none
  limit,
  cancelled,
  no_memory,
};

// Asked before each piece of work; tells the caller how far it has come.
struct Limits {
  uint64_t work = UINT64_MAX;   // pieces that may be done in all
  uint64_t pause = UINT64_MAX;  // after so many it is `limit` as well, and may go on
  size_t max_bytes = SIZE_MAX;
  double deadline = 0;  // by steady_seconds(); 0: none
  const std::atomic<bool>* cancel = nullptr;
  void (*progress)(void* user, double done) = nullptr;
  void* user = nullptr;
  double progress_from = 0;  // of this phase, of all the work
  double progress_to = 1;

  SearchEnd check(uint64_t done, size_t bytes) const noexcept {
    if (done >= work || done >= pause || bytes > max_bytes) return SearchEnd::limit;
    if (cancel && cancel->load(std::memory_order_relaxed)) return SearchEnd::cancelled;
    if (done % 16 == 0) {
      if (deadline > 0 && steady_seconds() > deadline) return SearchEnd::limit;
      if (progress && work != UINT64_MAX)
        progress(user, progress_from + (progress_to - progress_from) * static_cast<double>(done) /
                                           static_cast<double>(work));
    }
    return SearchEnd::solved;
  }
};

// Moves: Pibt<4>, Pibt<8>, or WidePibt for agents larger than a cell and of several kinds.
template <class Moves>
class Lacam {
 public:
  static constexpr uint32_t kNone = 0xffffffff;

  // The agents' tables must be set in pibt, `vertices` are those of the largest graph; `order` is
  // that of the start, `distance` the sum of all shortest ways. The arrays must live as long as
  // this. False: memory is short.
  bool begin(uint32_t vertices, Moves& pibt, const Vertex* starts, const Vertex* goals,
             const uint32_t* order, size_t agents, PlanObjective objective, uint64_t distance,
             uint64_t longest, bool improve, uint64_t seed) noexcept;

  // Searches on. After `solved`, calls with `improve`, if begin() was told, look for better plans.
  SearchEnd run(Limits& limits, bool improve) noexcept;

  bool solved() const noexcept { return goal_ != kNone; }
  uint64_t cost() const noexcept { return nodes_[goal_].g; }  // the objective, of the best plan
  uint64_t configurations() const noexcept { return generated_; }
  uint64_t improved() const noexcept { return improved_; }
  size_t bytes() const noexcept {
    return nodes_.size() * node_bytes_ + nodes_.bytes() + leaves_.bytes() + edges_.bytes() +
           open_.bytes() + known_.bytes();
  }
  // Gives most memory back; the search is over.
  void release() noexcept {
    nodes_.release();
    arena_.release();
    leaves_.release();
    edges_.release();
    open_.release();
    known_.release();
  }
  // The best plan: its number of rows, and row by row the vertices of all agents.
  size_t rows() const noexcept;
  // visit(row, agent, vertex); rows come last to first.
  template <class Visit>
  void each(Visit visit) const noexcept {
    size_t row = rows();
    for (uint32_t n = goal_; n != kNone; n = nodes_[n].parent) {
      --row;
      for (uint32_t i = 0; i < agents_; ++i) visit(row, i, vertex_of(nodes_[n], i));
    }
  }

 private:
  // One step of a constraint: `who` goes to `where`, and what `parent` says.
  struct Leaf {
    uint32_t parent;
    uint32_t depth;
    uint32_t who;
    Vertex where;
    uint32_t next;  // in its node's queue
  };
  // So many times the longest way in configurations without a plan: it is a jam, and from then on
  // agents no longer turn to where nobody stands. Chosen on generated random maps, half full.
  static constexpr uint64_t kJam = 4;
  static constexpr uint32_t kRoot = 0xfffffffe;  // the constraint without any step

  struct Node {
    uint8_t* data;  // the configuration, then the order
    uint64_t hash;
    uint64_t g;
    uint64_t h;  // 0 where nobody wants to improve
    uint32_t parent;
    uint32_t first_edge;
    uint32_t head;  // the queue of constraints
    uint32_t tail;
    uint32_t pending;  // taken last; its children are not in the queue yet

    uint64_t f() const noexcept { return g + h; }
  };
  struct Edge {
    uint32_t to;
    uint32_t next;
  };

  Vertex vertex_of(const Node& node, uint32_t agent) const noexcept {
    if (!wide_vertex_) return reinterpret_cast<const uint16_t*>(node.data)[agent];
    return reinterpret_cast<const uint32_t*>(node.data)[agent];
  }
  uint32_t order_of(const Node& node, size_t i) const noexcept {
    const uint8_t* order = node.data + order_at_;
    if (!wide_index_) return reinterpret_cast<const uint16_t*>(order)[i];
    return reinterpret_cast<const uint32_t*>(order)[i];
  }

  uint64_t hash_of(const Vertex* config) const noexcept {
    uint64_t sum = 0;
    for (size_t i = 0; i < agents_; ++i) sum += factor_[i] * (uint64_t{config[i]} + 1);
    return sum ^ sum >> 32;
  }
  bool same(const Node& node, const Vertex* config) const noexcept {
    for (uint32_t i = 0; i < agents_; ++i)
      if (vertex_of(node, i) != config[i]) return false;
    return true;
  }
  uint32_t find(uint64_t hash, const Vertex* config) const noexcept;
  // kNone: memory is short.
  uint32_t add(uint64_t hash, const Vertex* config, uint32_t parent) noexcept;
  bool grow_known() noexcept;
  bool link(uint32_t from, uint32_t to) noexcept {
    if (!edges_.push({to, nodes_[from].first_edge})) return false;
    nodes_[from].first_edge = static_cast<uint32_t>(edges_.size() - 1);
    return true;
  }
  bool open_children(uint32_t node) noexcept;
  bool is_goal(const Node& node) const noexcept {
    for (uint32_t i = 0; i < agents_; ++i)
      if (vertex_of(node, i) != goals_[i]) return false;
    return true;
  }
  uint64_t step_cost(const Node& from, const Node& to) const noexcept;
  // A shorter way to `to` through `from` may shorten many others.
  bool rewire(uint32_t from, uint32_t to) noexcept;
  void load(uint32_t node) noexcept;

  Moves* pibt_ = nullptr;
  AgentRandom random_;
  Arena arena_;
  Buffer<Node> nodes_;
  Buffer<Leaf> leaves_;
  Buffer<Edge> edges_;
  Buffer<uint32_t> open_;
  Buffer<uint32_t> known_;  // node numbers by hash
  Buffer<uint64_t> factor_;
  Buffer<Vertex> config_;   // the one found last
  Buffer<uint32_t> path_;   // of constraints, from a leaf up
  Buffer<uint32_t> queue_;  // of rewire()
  const Vertex* goals_ = nullptr;
  const uint32_t* first_order_ = nullptr;
  size_t agents_ = 0;
  size_t node_bytes_ = 0;
  size_t order_at_ = 0;
  bool wide_vertex_ = false;
  bool wide_index_ = false;
  bool bounded_ = false;
  PlanObjective objective_ = PlanObjective::sum_of_loss;
  uint32_t goal_ = kNone;
  uint32_t current_ = kNone;  // whose configuration pibt_ holds
  uint64_t generated_ = 0;
  uint64_t patience_ = 0;  // configurations until then
  uint64_t improved_ = 0;
};

}  // namespace octile
