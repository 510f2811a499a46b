// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Which of two neighbours is nearer to a goal: one table for each distinct goal, of distances in
// steps modulo 3. Neighbours differ by one step at most, so the remainder tells all that a walker
// asks for, in two bits a vertex, whatever the lengths; who needs the distance itself counts from
// where it is known. kUnknown is beyond the last level. How the remainders lie in memory says
// goal_lines.hpp: all that is asked of one vertex is in one line.
//
// A table is filled by a breadth-first search from the goal in two pieces (after the idea of RRA*:
// Silver 2005). The first goes to the vertex that is asked for first, the agent's start, and some
// levels beyond; most tables need no more. Whoever asks for a vertex beyond that has the rest
// searched. Nothing needs to be kept for the second piece, which begins with a scan for the last
// level (vertices 3, 6, ... levels before it do no harm: all round them is known), and no
// allocation happens while agents move. The search itself works on a byte a cell, always the same
// ones, which are packed when it ends.
//
// With eight moves it looks at few cells more than once: of the shortest ways to a cell the one
// counts whose diagonal moves are fewest and earliest, so from a cell the search goes on only where
// no such way leads past it, as in canonical orderings (Sturtevant and Rabin 2016); see Onward.
//
// Tables that nobody uses stay until their memory is needed for others, the longest unused going
// first; see `most_bytes`.

#include "agents/goal_lines.hpp"
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
  const uint8_t* lines(uint32_t t) const noexcept { return tables_[t].lines; }
  const GoalLines& layout() const noexcept { return layout_; }

  // Of a vertex from which a way leads to the goal, by neighbour.
  GoalSides sides(uint32_t t, Vertex v) noexcept {
    const uint32_t cell = layout_.cell(v), moves = layout_.moves()[cell];
    const GoalSides by = directions_at(t, cell);
    return {GoalLines::squeeze(by.nearer, moves), GoalLines::squeeze(by.farther, moves)};
  }
  // From a vertex from which a way leads to the goal to a neighbour: -1 nearer, 0 as far, 1
  // farther.
  int step(uint32_t t, Vertex from, Vertex to) noexcept {
    return step_at(t, layout_.cell(from), layout_.cell(to));
  }
  // The same by cells of the layout's grid, and of sides by direction.
  GoalSides directions_at(uint32_t t, uint32_t cell) noexcept {
    const GoalLines::Place place = layout_.places()[cell];
    const uint8_t* line = tables_[t].lines + GoalLines::line(place) * GoalLines::kBytes;
    GoalSides sides{};
    if (GoalLines::read(line, place, &sides)) return sides;
    know(t, cell);
    GoalLines::read(line, place, &sides);
    return sides;
  }
  // Of a cell from which a way leads to the goal: afterwards its remainder and those of its
  // neighbours are known.
  void know(uint32_t t, uint32_t cell) noexcept;
  int step_at(uint32_t t, uint32_t from, uint32_t to) noexcept {
    Table& table = tables_[t];
    uint32_t a = remainder(table, from), b = remainder(table, to);
    if (a == kUnknown || b == kUnknown) {
      grow(table, from);
      grow(table, to);
      a = remainder(table, from), b = remainder(table, to);
    }
    const int difference = static_cast<int>(b) - static_cast<int>(a);
    return difference > 1 ? -1 : difference < -1 ? 1 : difference;
  }
  static constexpr uint32_t kUnknown = GoalLines::kUnknown;
  static constexpr uint64_t kNoWay = UINT64_MAX;
  // The length of the shortest way: counts the steps of one.
  uint64_t way(uint32_t t, Vertex from) noexcept;

  size_t bytes() const noexcept { return tables_.size() * row_bytes(); }
  // What is needed for any number of tables.
  size_t fixed_bytes() const noexcept {
    return layout_.bytes() + table_of_.bytes() + grid_.bytes() + onward_.bytes() + queue_.bytes();
  }

 private:
  struct Table {
    uint8_t* lines;
    Vertex goal;
    uint32_t users;
    uint32_t older;  // in the list of those without users
    uint32_t newer;
    uint64_t level;  // the last one that is complete
    bool complete;
  };

  size_t row_bytes() const noexcept { return layout_.table_bytes(); }
  uint32_t remainder(const Table& table, uint32_t cell) const noexcept {
    return layout_.remainder(table.lines, cell);
  }
  void unlink(uint32_t t) noexcept;
  // Of a cell from which a way leads to the goal: afterwards its remainder is known.
  void grow(Table& table, uint32_t cell) noexcept;
  template <bool kFour>
  void search(Table& table, uint32_t wanted) noexcept;

  const AgentGraph* graph_ = nullptr;
  GoalLines layout_;
  Buffer<uint32_t> table_of_;  // by vertex
  Buffer<Table> tables_;
  // Of the search: by cell of the grid remainders, and where to go on; cells in the order of visit.
  Buffer<uint8_t> grid_;
  Buffer<uint8_t> onward_;
  Buffer<uint32_t> queue_;
  Arena arena_;
  uint32_t oldest_ = kNone;  // of those without users
  uint32_t newest_ = kNone;
};

}  // namespace octile
