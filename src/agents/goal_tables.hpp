// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Distances to goals, in steps: one table for each distinct goal, filled by a breadth-first search
// from the goal in two pieces (after the idea of RRA*: Silver 2005). The first goes to the vertex
// that is asked for first, the agent's start, and some levels beyond; most tables need no more.
// Whoever asks for a vertex beyond that has the rest searched. So reading costs one load, nothing
// needs to be kept for the second piece, which begins with a scan for the last level, and no
// allocation happens while agents move.
//
//   table t:  distance[v] for all vertices, kUnknown beyond the last level
//
// Distance: uint16_t where no way is longer, else uint32_t. Tables that nobody uses stay until
// their memory is needed for others, the longest unused going first; see `most_bytes`.

#include "agents/agent_graph.hpp"
#include "base/arena.hpp"

namespace octile {

template <class Distance>
class GoalTables {
 public:
  static constexpr Distance kUnknown = static_cast<Distance>(-1);
  static constexpr uint32_t kNone = 0xffffffff;

  size_t most_bytes = SIZE_MAX;  // of all tables; those in use may be more

  GoalTables() noexcept = default;
  GoalTables(const GoalTables&) = delete;
  GoalTables& operator=(const GoalTables&) = delete;

  bool begin(const AgentGraph& graph) noexcept {
    release();
    graph_ = &graph;
    return table_of_.assign(graph.size, kNone) && queue_.resize(graph.size);
  }
  void release() noexcept {
    arena_.release();
    tables_.release();
    table_of_.release();
    queue_.release();
    oldest_ = newest_ = kNone;
  }

  // The table of a goal, made when there is none; counts a user. kNone: memory is short.
  uint32_t take(Vertex goal) noexcept {
    uint32_t t = table_of_[goal];
    if (t == kNone) {
      if (oldest_ != kNone && bytes() >= most_bytes) {
        t = oldest_;
        unlink(t);
        table_of_[tables_[t].goal] = kNone;
      } else {
        auto* distance = arena_.template take<Distance>(graph_->size);
        if (!distance || !tables_.push({distance, kNoVertex, 0, kNone, kNone, 0, false}))
          return kNone;
        t = static_cast<uint32_t>(tables_.size() - 1);
      }
      start(tables_[t], goal);
      table_of_[goal] = t;
    } else if (tables_[t].users == 0) {
      unlink(t);
    }
    ++tables_[t].users;
    return t;
  }
  // One user less.
  void give(uint32_t t) noexcept {
    if (--tables_[t].users > 0) return;
    tables_[t].older = newest_;
    tables_[t].newer = kNone;
    (newest_ == kNone ? oldest_ : tables_[newest_].newer) = t;
    newest_ = t;
  }

  const Distance* distances(uint32_t t) const noexcept { return tables_[t].distance; }
  Vertex goal(uint32_t t) const noexcept { return tables_[t].goal; }

  // kUnknown: no way leads there.
  Distance get(uint32_t t, Vertex v) noexcept {
    const Distance d = tables_[t].distance[v];
    return d != kUnknown ? d : grow(tables_[t], v);
  }

  size_t bytes() const noexcept { return tables_.size() * graph_->size * sizeof(Distance); }

 private:
  struct Table {
    Distance* distance;
    Vertex goal;
    uint32_t users;
    uint32_t older;  // in the list of those without users
    uint32_t newer;
    Distance level;  // the last one that is complete
    bool complete;
  };

  void unlink(uint32_t t) noexcept {
    const Table& table = tables_[t];
    (table.older == kNone ? oldest_ : tables_[table.older].newer) = table.newer;
    (table.newer == kNone ? newest_ : tables_[table.newer].older) = table.older;
  }
  void start(Table& table, Vertex goal) noexcept {
    std::memset(table.distance, 0xff, size_t{graph_->size} * sizeof(Distance));
    table.distance[goal] = 0;
    table.goal = goal;
    table.level = 0;
    table.complete = false;
  }

  Distance grow(Table& table, Vertex v) noexcept {
    if (table.complete) return kUnknown;
    return graph_->stride == 4 ? search<4>(table, v) : search<8>(table, v);
  }
  template <uint32_t kStride>
  Distance search(Table& table, Vertex v) noexcept {
    Distance* distance = table.distance;
    const Vertex* near = graph_->near.data();
    Vertex* queue = queue_.data();
    size_t tail = 0;
    const bool first = table.level == 0;
    if (first) {
      queue[tail++] = table.goal;
    } else {
      for (Vertex u = 0; u < graph_->size; ++u)
        if (distance[u] == table.level) queue[tail++] = u;
    }
    uint64_t end_level = UINT64_MAX;
    size_t head = 0;
    for (size_t end = tail; head < end && table.level < end_level; end = tail) {
      const Distance d = ++table.level;
      for (; head < end; ++head) {
        const Vertex* to = near + size_t{queue[head]} * kStride;
        for (uint32_t k = 0; k < kStride; ++k) {
          if (distance[to[k]] != kUnknown) continue;
          distance[to[k]] = d;
          queue[tail++] = to[k];
        }
      }
      // Agents are pushed about: some levels more than their own.
      if (first && end_level == UINT64_MAX && distance[v] != kUnknown)
        end_level = uint64_t{d} + d / 8 + 8;
    }
    table.complete = head == tail;
    return distance[v];
  }

  const AgentGraph* graph_ = nullptr;
  Buffer<uint32_t> table_of_;  // by vertex
  Buffer<Table> tables_;
  Buffer<Vertex> queue_;
  Arena arena_;
  uint32_t oldest_ = kNone;  // of those without users
  uint32_t newest_ = kNone;
};

}  // namespace octile
