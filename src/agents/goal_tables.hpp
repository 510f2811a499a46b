// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Which of two neighbours is nearer to a goal: one table for each distinct goal, of distances in
// steps modulo 3. Neighbours differ by one step at most, so the remainder tells all that a walker
// asks for, in two bits a vertex, whatever the lengths; who needs the distance itself counts from
// where it is known.
//
//   table t:  remainder of v = bits 2 (v % 4) and above of byte v / 4
//                            = distance % 3, or kUnknown beyond the last level
//
// A table is filled by a breadth-first search from the goal in two pieces (after the idea of RRA*:
// Silver 2005). The first goes to the vertex that is asked for first, the agent's start, and some
// levels beyond; most tables need no more. Whoever asks for a vertex beyond that has the rest
// searched. Nothing needs to be kept for the second piece, which begins with a scan for the last
// level (vertices 3, 6, ... levels before it do no harm: all round them is known), and no
// allocation happens while agents move. The search itself works on a byte a vertex, always the same
// ones, which are packed when it ends.
//
// Tables that nobody uses stay until their memory is needed for others, the longest unused going
// first; see `most_bytes`.

#include "agents/agent_graph.hpp"
#include "base/arena.hpp"

namespace octile {

class GoalTables {
 public:
  static constexpr uint32_t kNone = 0xffffffff;

  size_t most_bytes = SIZE_MAX;  // of all tables; those in use may be more
  bool whole = false;            // search tables to the end at once: later none is searched

  GoalTables() noexcept = default;
  GoalTables(const GoalTables&) = delete;
  GoalTables& operator=(const GoalTables&) = delete;

  // All of these: false, or kNone, when memory is short.
  bool begin(const AgentGraph& graph) noexcept;
  void release() noexcept;
  // The table of a goal, made when there is none; counts a user.
  uint32_t take(Vertex goal) noexcept;
  // One user less.
  void give(uint32_t t) noexcept;

  Vertex goal(uint32_t t) const noexcept { return tables_[t].goal; }
  // For those who read many; in use the table stays where it is.
  const uint8_t* remainders(uint32_t t) const noexcept { return tables_[t].remainders; }
  static uint32_t remainder(const uint8_t* remainders, Vertex v) noexcept {
    return remainders[v / 4] >> 2 * (v % 4) & 3u;
  }

  // From a vertex from which a way leads to the goal to a neighbour: -1 nearer, 0 as far, 1
  // farther.
  int step(uint32_t t, Vertex from, Vertex to) noexcept {
    const uint8_t* row = tables_[t].remainders;
    uint32_t a = remainder(row, from), b = remainder(row, to);
    if (a == kUnknown || b == kUnknown) {
      grow(tables_[t], from);
      grow(tables_[t], to);
      a = remainder(row, from), b = remainder(row, to);
    }
    const int difference = static_cast<int>(b) - static_cast<int>(a);
    return difference > 1 ? -1 : difference < -1 ? 1 : difference;
  }
  // Of a vertex from which a way leads to the goal: afterwards its remainder is known.
  void know(uint32_t t, Vertex v) noexcept { grow(tables_[t], v); }
  static constexpr uint32_t kUnknown = 3;
  static constexpr uint64_t kNoWay = UINT64_MAX;
  // The length of the shortest way: counts the steps of one.
  uint64_t way(uint32_t t, Vertex from) noexcept;

  size_t bytes() const noexcept { return graph_ ? tables_.size() * row_bytes() : 0; }

 private:
  struct Table {
    uint8_t* remainders;
    Vertex goal;
    uint32_t users;
    uint32_t older;  // in the list of those without users
    uint32_t newer;
    uint64_t level;  // the last one that is complete
    bool complete;
  };

  size_t row_bytes() const noexcept { return (size_t{graph_->size} + 7) / 8 * 2; }
  void unlink(uint32_t t) noexcept;
  void grow(Table& table, Vertex v) noexcept;
  template <uint32_t kStride>
  void search(Table& table, Vertex v) noexcept;
  void pack(uint8_t* row) const noexcept;

  const AgentGraph* graph_ = nullptr;
  Buffer<uint32_t> table_of_;  // by vertex
  Buffer<Table> tables_;
  Buffer<Vertex> queue_;    // of the search
  Buffer<uint8_t> spread_;  // remainders by vertex
  Arena arena_;
  uint32_t oldest_ = kNone;  // of those without users
  uint32_t newest_ = kNone;
};

}  // namespace octile
