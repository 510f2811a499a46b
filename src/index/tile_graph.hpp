// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Shortest ways inside one block of up to 64 x 64 cells whose surroundings count as wall: the
// subgoal graph (subgoal_graph.hpp) of those cells alone, with the cells that somebody asks about
// as further nodes. One Dijkstra from a node gives its ways to all others.
//
// Costs are the index's own sums of steps; two ways of one sum are told apart by their diagonal
// steps, fewest first, so the result does not depend on the order of work. At most 4,096 steps fit
// any pair of step lengths.

#include "index/subgoal_graph.hpp"

namespace octile {

// Steps of a way inside a block; kNoWay when there is none.
struct BlockWay {
  uint16_t straight;
  uint16_t diagonal;
};
constexpr BlockWay kNoWay{0xfff, 0xfff};
constexpr bool no_way(BlockWay w) noexcept {
  return w.straight == 0xfff;
}

class TileGraph {
 public:
  // `rows` are 64 words, bit x of word y a passable cell. `cells` (y << 6 | x) must be passable;
  // they may repeat. False: memory is short.
  bool begin(const uint64_t* rows, const uint16_t* cells, uint32_t count,
             IndexSteps steps) noexcept;
  // The ways from cells[from] to cells[0 .. upto). False: memory is short.
  bool ways(uint32_t from, uint32_t upto, BlockWay* out) noexcept;

  size_t bytes() const noexcept {
    return node_of_.bytes() + node_.bytes() + first_.bytes() + edge_.bytes() + best_.bytes() +
           entry_.bytes();
  }

 private:
  // Cost above, diagonal steps below: sums of these are sums of both.
  using Length = uint64_t;
  static constexpr uint32_t kDiagonalBits = 16;
  static constexpr Length kUnreached = UINT64_MAX;
  static constexpr uint32_t kRing = 128;  // buckets; no edge is as long as all of them

  struct Edge {
    Length length;
    uint32_t target;
  };
  struct Entry {
    uint32_t node;
    uint32_t next;
    Length length;
  };

  // Cells seen as direct_reach() wants them: every node stops a scan.
  struct Maps {
    uint64_t row[64], col[64];  // passable
    uint64_t stop_row[64], stop_col[64];
    const uint16_t* number;

    bool corner(Point p) const noexcept { return (p.x | p.y) < 64 && number[p.y << 6 | p.x] != 0; }
    uint32_t steps(Point p, uint32_t d) const noexcept;
    uint32_t diagonal_steps(Point p, uint32_t d) const noexcept;
    bool passable(Point p) const noexcept { return (p.x | p.y) < 64 && (row[p.y] >> p.x & 1) != 0; }
  };

  Maps maps_;
  IndexSteps steps_;
  uint16_t number_[kTileCells];  // of a node, from 1 on
  Buffer<uint16_t> node_of_;     // by asked cell
  Buffer<uint16_t> node_;        // its cell
  Buffer<uint32_t> first_;       // by node; its edges
  Buffer<Edge> edge_;
  Buffer<Length> best_;  // by node
  Buffer<Entry> entry_;
};

}  // namespace octile
