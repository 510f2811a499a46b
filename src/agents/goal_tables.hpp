// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Distances to goals, in steps: one table for each distinct goal, filled by a breadth-first search
// from the goal that goes on level by level when a vertex beyond its frontier is asked for (the
// idea of RRA*: Silver 2005). What agents read costs one load; what nobody reads is never computed.
//
//   table t:  distance[v] for all vertices, kUnknown beyond the frontier
//             frontier    the vertices of the last level, kept from one growth to the next
//
// Distance: uint16_t where no way is longer, else uint32_t. An allocation that fails sets failed();
// distances are then of no use.

#include <new>
#include <utility>

#include "agents/agent_graph.hpp"

namespace octile {

template <class Distance>
class GoalTables {
 public:
  static constexpr Distance kUnknown = static_cast<Distance>(-1);
  static constexpr uint32_t kNone = 0xffffffff;

  GoalTables() noexcept = default;
  ~GoalTables() { release(); }
  GoalTables(const GoalTables&) = delete;
  GoalTables& operator=(const GoalTables&) = delete;

  bool begin(const AgentGraph& graph) noexcept {
    release();
    graph_ = &graph;
    failed_ = false;
    return table_of_.assign(graph.size, kNone) && level_.resize(graph.size + kSlack) &&
           next_.resize(graph.size + kSlack);
  }
  void release() noexcept {
    for (Table& table : tables_) drop(table);
    tables_.release();
    free_.release();
    table_of_.release();
    level_.release();
    next_.release();
    bytes_ = 0;
  }

  // The table of a goal, made when there is none; counts a user. kNone: memory is short.
  uint32_t take(Vertex goal) noexcept {
    uint32_t t = table_of_[goal];
    if (t == kNone) {
      if (!free_.empty()) {
        t = free_.back();
        free_.pop();
      } else {
        t = static_cast<uint32_t>(tables_.size());
        // Room in `free_` for every table, so that giving one back cannot fail.
        if (!free_.reserve(t + 1 + t / 2) || !tables_.push(Table{})) return kNone;
      }
      if (!start(tables_[t], goal)) {
        free_.push(t);
        return kNone;
      }
      table_of_[goal] = t;
    }
    ++tables_[t].users;
    return t;
  }
  // One user less. The table stays until forget_unused().
  void give(uint32_t t) noexcept {
    --tables_[t].users;
    tables_[t].given = ++clock_;
  }
  // Forgets tables without users, the longest unused first, until no more than `bytes` are held.
  void forget_unused(size_t bytes) noexcept {
    while (bytes_ > bytes) {
      uint32_t oldest = kNone;
      for (uint32_t t = 0; t < tables_.size(); ++t)
        if (tables_[t].distance && tables_[t].users == 0 &&
            (oldest == kNone || tables_[t].given < tables_[oldest].given))
          oldest = t;
      if (oldest == kNone) return;
      table_of_[tables_[oldest].goal] = kNone;
      drop(tables_[oldest]);
      free_.push(oldest);
    }
  }

  const Distance* distances(uint32_t t) const noexcept { return tables_[t].distance; }
  Vertex goal(uint32_t t) const noexcept { return tables_[t].goal; }

  Distance get(uint32_t t, Vertex v) noexcept {
    const Distance d = tables_[t].distance[v];
    return d != kUnknown ? d : grow(t, v);
  }
  // Searches until `v` is reached; kUnknown: no way leads there.
  Distance grow(uint32_t t, Vertex v) noexcept {
    Table& table = tables_[t];
    if (table.size == 0) return kUnknown;
    Vertex* level = level_.data();
    Vertex* next = next_.data();
    size_t count = table.size;
    std::memcpy(level, table.frontier, count * sizeof(Vertex));
    while (count > 0 && table.distance[v] == kUnknown) {
      ++table.level;
      count = graph_->stride == 4 ? expand<4>(table, level, count, next)
                                  : expand<8>(table, level, count, next);
      std::swap(level, next);
    }
    if (!keep(table, level, count)) {
      // Without its frontier a table cannot go on: it begins again.
      std::memset(table.distance, 0xff, size_t{graph_->size} * sizeof(Distance));
      table.distance[table.goal] = table.level = 0;
      table.frontier[0] = table.goal;
      table.size = 1;
      failed_ = true;
      return 0;
    }
    return table.distance[v];
  }

  bool failed() const noexcept { return failed_; }
  void forgive() noexcept { failed_ = false; }  // to try again
  size_t bytes() const noexcept { return bytes_; }

 private:
  static constexpr size_t kSlack = 8;  // expand() writes behind the end before it counts

  struct Table {
    Distance* distance;
    Vertex* frontier;
    size_t size;  // of the frontier
    size_t capacity;
    uint64_t given;
    uint32_t users;
    Vertex goal;
    Distance level;
  };

  bool start(Table& table, Vertex goal) noexcept {
    table = Table{};
    const size_t bytes = size_t{graph_->size} * sizeof(Distance);
    table.distance = static_cast<Distance*>(::operator new(bytes, std::nothrow));
    if (!table.distance) return false;
    bytes_ += bytes;
    std::memset(table.distance, 0xff, bytes);
    table.distance[goal] = 0;
    table.goal = goal;
    if (keep(table, &goal, 1)) return true;
    drop(table);
    return false;
  }
  void drop(Table& table) noexcept {
    if (!table.distance) return;
    bytes_ -= size_t{graph_->size} * sizeof(Distance) + table.capacity * sizeof(Vertex);
    ::operator delete(table.distance);
    if (table.frontier) ::operator delete(table.frontier);
    table = Table{};
  }
  // Keeps a level as the table's frontier; false: memory is short, the old one's memory is still
  // there.
  bool keep(Table& table, const Vertex* level, size_t count) noexcept {
    if (count > table.capacity) {
      const size_t room = count + count / 4 + 4;
      void* fresh = ::operator new(room * sizeof(Vertex), std::nothrow);
      if (!fresh) return false;
      if (table.frontier) ::operator delete(table.frontier);
      bytes_ += (room - table.capacity) * sizeof(Vertex);
      table.frontier = static_cast<Vertex*>(fresh);
      table.capacity = room;
    }
    table.size = count;
    std::memcpy(table.frontier, level, count * sizeof(Vertex));
    return true;
  }

  // One level: no branch depends on what is found.
  template <uint32_t kStride>
  size_t expand(Table& table, const Vertex* level, size_t count, Vertex* next) noexcept {
    Distance* distance = table.distance;
    const Distance d = table.level;
    const Vertex* near = graph_->near.data();
    size_t found = 0;
    for (size_t i = 0; i < count; ++i) {
      const Vertex* to = near + size_t{level[i]} * kStride;
      for (uint32_t k = 0; k < kStride; ++k) {
        const Distance old = distance[to[k]];
        distance[to[k]] = old == kUnknown ? d : old;
        next[found] = to[k];
        found += old == kUnknown;
      }
    }
    return found;
  }

  const AgentGraph* graph_ = nullptr;
  Buffer<uint32_t> table_of_;  // by vertex
  Buffer<Table> tables_;
  Buffer<uint32_t> free_;  // tables that were dropped
  Buffer<Vertex> level_;
  Buffer<Vertex> next_;
  size_t bytes_ = 0;
  uint64_t clock_ = 0;
  bool failed_ = false;
};

}  // namespace octile
