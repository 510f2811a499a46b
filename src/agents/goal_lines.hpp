// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// How the remainders of a table of distances (goal_tables.hpp) lie in memory: so that one cache
// line holds those of a vertex and of all its neighbours, since agents by the thousands, each with
// a table of its own, wait for nothing else as long.
//
//   block   14 rows of cells, and as many columns as fit: the map is cut into bands of 14 rows, and
//           these from left to right. A block's line holds two bits for each passable cell of the
//           block and of one cell all round it, row by row, at most 256: cells at the edges of
//           blocks are held more than once. Walls take no room
//   place   of a vertex: the line of its block, where the passable ones of the three cells above,
//           beside and below it begin in the line, which of its neighbours are passable, and which
//           moves it has
//   grid    searches work on a byte a cell, row by row, with a wall round it: neighbours are at the
//           same distance everywhere. Rows and columns of tiles without any passable cell are left
//           out but for one wall
//   runs    passable cells side by side, in the order of the lines: grid to line without a look at
//           each cell

#include "agents/agent_graph.hpp"

namespace octile {

// Which neighbours of a vertex are nearer to a goal and which are farther, a bit for each direction
// or for each neighbour as in AgentGraph::near; the others are as near.
struct GoalSides {
  uint8_t nearer;
  uint8_t farther;
};

class GoalLines {
 public:
  static constexpr size_t kBytes = 64;  // of a line
  static constexpr uint32_t kUnknown = 3;
  static constexpr uint8_t kWall = 7;  // in the grid; the low two bits say unknown
  static constexpr size_t kOverrun = 16;

  // False: memory is short.
  bool build(const AgentGraph& graph) noexcept;
  void release() noexcept;

  // Of a vertex. Bits 0, 8 and 16: where the cells above, beside and below begin, a byte each; 24:
  // passable neighbours, 32: moves, a bit for each direction; 40: the line.
  using Place = uint64_t;
  static uint8_t around(Place p) noexcept { return static_cast<uint8_t>(p >> 24); }
  static uint8_t moves(Place p) noexcept { return static_cast<uint8_t>(p >> 32); }
  static size_t line(Place p) noexcept { return static_cast<size_t>(p >> 40); }

  // Of a table, at a cell of the grid.
  uint32_t remainder(const uint8_t* table, uint32_t cell) const noexcept {
    const uint32_t slot = slots_[cell];
    return table[slot / 4] >> 2 * (slot % 4) & 3u;
  }
  // The two bits of this one and the next two, of an array with a byte more.
  static uint32_t three(const uint8_t* pairs, uint32_t at) noexcept {
    const uint8_t* from = pairs + at / 4;
    return (from[0] | uint32_t{from[1]} << 8) >> 2 * (at % 4) & 63;
  }
  // Of those three above, beside and below a cell: the low bits by direction, from bit 8 on the
  // high ones, from bit 16 on the two of the cell itself.
  static uint32_t spread(uint32_t above, uint32_t beside, uint32_t below) noexcept {
    return kSpread.above[7][above] | kSpread.beside[3][beside] | kSpread.below[7][below];
  }
  // From the place's line, and a byte behind it that does not matter; a bit for each direction.
  // False: something is unknown.
  static bool read(const uint8_t* line, Place p, GoalSides* sides) noexcept {
    const uint32_t around = GoalLines::around(p), moves = GoalLines::moves(p);
    const uint32_t planes =
        kSpread.above[around >> kNorthWest & 7][three(line, static_cast<uint8_t>(p))] |
        kSpread.beside[(around >> kWest & 1) | (around & 1) << 1]
                      [three(line, static_cast<uint8_t>(p >> 8))] |
        kSpread.below[around >> kSouthEast & 7][three(line, static_cast<uint8_t>(p >> 16))];
    const uint32_t low = planes & 0xff, high = planes >> 8 & 0xff, from = planes >> 16;
    if (from == kUnknown || (low & high & moves)) return false;
    // The neighbours whose remainder is 0, 1, 2, 0 and 1, a byte each: one more is farther.
    const uint64_t zero = ~(low | high) & 0xff, one = low & ~high;
    const uint64_t by =
        (zero | one << 8 | uint64_t{high & ~low} << 16 | zero << 24 | one << 32) >> 8 * from;
    *sides = {static_cast<uint8_t>(by >> 16 & moves), static_cast<uint8_t>(by >> 8 & moves)};
    return true;
  }
  // From a bit for each direction to one for each neighbour.
  static uint8_t squeeze(uint32_t directions, uint32_t moves) noexcept {
    const uint32_t first = moves & 15;
    return static_cast<uint8_t>(kNibbles.squeezed[first][directions & 15] |
                                kNibbles.squeezed[moves >> 4][directions >> 4]
                                    << kNibbles.count[first]);
  }
  // All lines of a table from the grid, and back.
  void pack(const uint8_t* grid, uint8_t* table) const noexcept;
  void unpack(const uint8_t* table, uint8_t* grid) const noexcept;

  size_t table_bytes() const noexcept { return run_ends_.size() * kBytes; }
  // The grid: a remainder for each cell, unknown or a wall; kOverrun bytes more are read.
  const Buffer<uint8_t>& blank() const noexcept { return blank_; }
  // From a cell of the grid to its neighbour in direction d.
  int32_t offset(uint32_t d) const noexcept {
    return kDy[d] * static_cast<int32_t>(width_) + kDx[d];
  }
  size_t cells() const noexcept { return blank_.size(); }
  uint32_t cell(Vertex v) const noexcept { return cells_[v]; }
  // By cell of the grid.
  const Place* places() const noexcept { return places_.data(); }
  const uint8_t* moves() const noexcept { return moves_.data(); }
  Vertex vertex(uint32_t cell) const noexcept { return vertices_[cell]; }
  size_t bytes() const noexcept {
    return places_.bytes() + slots_.bytes() + vertices_.bytes() + cells_.bytes() + moves_.bytes() +
           blank_.bytes() + runs_.bytes() + run_ends_.bytes();
  }

 private:
  static constexpr uint32_t kRows = 14;      // of a block
  static constexpr uint32_t kColumns = 254;  // at most
  static constexpr uint32_t kSlots = 4 * kBytes;

  // Up to three remainders side by side, by which of the three cells are passable, into two planes:
  // bits 0 to 7 the low bits by direction, 8 to 15 the high ones; 16 and 17 the cell itself.
  struct Spread {
    uint16_t above[8][64] = {};  // from north-west
    uint32_t beside[4][64] = {};
    uint16_t below[8][64] = {};  // from south-east
    constexpr Spread() {
      for (uint32_t mask = 0; mask < 8; ++mask)
        for (uint32_t bits = 0; bits < 64; ++bits) {
          uint32_t rest = bits, up = 0, down = 0, middle = 0;
          for (uint32_t x = 0; x < 3; ++x) {
            if (mask >> x & 1) {
              up |= (rest & 1) << (kNorthWest + x) | (rest >> 1 & 1) << (8 + kNorthWest + x);
              rest >>= 2;
            }
          }
          rest = bits;
          for (uint32_t x = 0; x < 3; ++x) {
            if (mask >> (2 - x) & 1) {
              down |= (rest & 1) << (kSouthWest - x) | (rest >> 1 & 1) << (8 + kSouthWest - x);
              rest >>= 2;
            }
          }
          above[mask][bits] = static_cast<uint16_t>(up);
          below[mask][bits] = static_cast<uint16_t>(down);
          if (mask >= 4) continue;
          rest = bits;
          if (mask & 1) {
            middle |= (rest & 1) << kWest | (rest >> 1 & 1) << (8 + kWest);
            rest >>= 2;
          }
          middle |= (rest & 3) << 16;
          rest >>= 2;
          if (mask & 2) middle |= (rest & 1) << kEast | (rest >> 1 & 1) << (8 + kEast);
          beside[mask][bits] = middle;
        }
    }
  };
  // By a mask of four bits: those of four others, side by side; how many.
  struct Nibbles {
    uint8_t squeezed[16][16] = {};
    uint8_t count[16] = {};
    constexpr Nibbles() {
      for (uint32_t mask = 0; mask < 16; ++mask)
        for (uint32_t k = 0; k < 4; ++k) {
          if (!(mask >> k & 1)) continue;
          const uint32_t n = count[mask]++;
          for (uint32_t from = 0; from < 16; ++from)
            squeezed[mask][from] =
                static_cast<uint8_t>(squeezed[mask][from] | (from >> k & 1) << n);
        }
    }
  };
  static const Spread kSpread;
  static const Nibbles kNibbles;

  struct Run {
    uint32_t cell;
    uint32_t count;
  };

  bool shape_grid(const AgentGraph& graph) noexcept;
  bool add_line(uint32_t top, uint32_t bottom, uint32_t left, uint32_t right) noexcept;

  uint32_t width_ = 0;      // of the grid; the wall at the end of a row is that before the next one
  uint32_t height_ = 0;     // with the walls above and below
  Buffer<uint32_t> cells_;  // by vertex: in the grid
  Buffer<Vertex> vertices_;  // by cell of the grid, as all these
  Buffer<Place> places_;
  Buffer<uint32_t> slots_;  // where its remainder is, among those of all lines
  Buffer<uint8_t> moves_;   // a bit for each direction
  Buffer<uint8_t> blank_;   // before a search
  Buffer<Run> runs_;
  Buffer<uint32_t> run_ends_;  // by line
};

inline constexpr GoalLines::Spread GoalLines::kSpread;
inline constexpr GoalLines::Nibbles GoalLines::kNibbles;

}  // namespace octile
