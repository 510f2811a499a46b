// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Gates: what all ways from one side of the map to the other go through, near what was closed.
//
//   side    one of two sets of cells: those nearer to the last cell before what was closed, and
//           those nearer to the first one behind it, by the ways of today
//   zone    the cells near to both, on neither side: those beside what was closed, where there is a
//           way past it. None where the way round is long
//   line    the cells of a side that moves lead from to the zone
//   beside  cells of the second side that moves lead to from the first one, mostly far away
//   end     the line of a side, and what is beside
//
// A way of today from a cell of the first side to one of the second side comes to a cell that is
// beside; or it leaves the first side for the last time at a cell x of one line, and, through the
// zone alone, comes to a cell y of the other. So it is no shorter than the shortest one of
//
//   over(start, b) + over(b, goal)
//   over(start, x) + across(x, y) + over(y, goal)
//
// with over(a, b) their distance over old moves and patches, which no way of today is shorter than
// (stale_index.hpp), and across(x, y) the shortest way through the zone as it is now. Where this is
// made of ways that are there, and no longer than sums of labels may be, it is a cheapest way.
// Where what is before or behind is cut again, and a second gate is between, over(y, goal) is
// followed by the same sum once more: a way from a cell y on its first side to the goal on its
// second one goes through it.
//
// The sides come of two floods by turns: cell by cell until it is known where they meet soon, which
// is beside what was closed, then by runs of 64 cells at most, about as far as octile distances
// have it. Where they meet decides how good a gate is, not whether it is right: any two sets of
// cells that nothing leads between but what is beside, and the zone, would do.

#include "index/stale_patch.hpp"

namespace octile {

struct StaleGate : Counted {
  static constexpr uint32_t kMost = 3;  // gates at a time
  static constexpr uint16_t kNoPlace = UINT16_MAX;
  struct Neighbours {
    uint16_t of[8];  // by direction: a cell of the zone, or kNoPlace
  };

  uint32_t words = 0;        // of a row of the map, and one more
  Buffer<uint64_t> side[2];  // their cells in bits, row by row, a row and a word before the first
  PortalSet ends[2];         // the line of this side, then the cells that are beside
  uint32_t line[2] = {};     // how many are in the lines
  size_t wide[2] = {}, apart[2] = {};  // that and some more, for whole vectors; the same of ends
  Buffer<uint32_t> across;             // by cell of the first line and of the second one
  // By cell of the zone, and then of the second line: where moves lead, and how far it is to the
  // cells of the first line.
  uint32_t cells = 0;  // of the zone
  Buffer<Neighbours> next;
  Buffer<uint32_t> to_line;
  // By portal of patches and cell of ends[k], in rows of apart[k]: how far then.
  Buffer<uint32_t> ways[2];
  // By cell of ends[k] and cell of another gate's ends[m], by its number: how far, over old moves
  // and new ones.
  Buffer<uint32_t> to_gate[kMost][2][2];

  const uint32_t* from_portal(uint32_t which, size_t portal) const noexcept {
    return ways[which].data() + apart[which] * portal;
  }
  bool has(uint32_t which, Point p) const noexcept {
    return side[which][size_t{p.y + 1} * words + 1 + (p.x >> 6)] >> (p.x & 63) & 1;
  }
  // How far it is from a cell of the first line to those of the second one.
  const uint32_t* from_line(uint32_t x) const noexcept { return across.data() + wide[1] * x; }
  const uint32_t* from_second(uint32_t y) const noexcept {
    return to_line.data() + wide[0] * (cells + y);
  }
  // From where it is so far to the cells of one end: how far to those of the other one, which is
  // `to`.
  void through(uint32_t to, const uint32_t* here, uint32_t* there) const noexcept;
  // The cell of the other end by which a cell of the end `to` is so far from where it is `here`.
  uint32_t before(uint32_t to, uint32_t cell, const uint32_t* here, uint32_t length) const noexcept;
  // The moves of the way from a cell of the second line to one of the first; how many they are.
  uint32_t moves(IndexSteps steps, uint32_t x, uint32_t y, uint8_t* moves) const noexcept;
  // As many as there may be.
  uint32_t most_moves() const noexcept { return cells + 1; }
};

class GateMaker {
 public:
  // For the map `now`, and labels of the map `then`.
  GateMaker(const LabelTables& tables, const TileTable<LayerTile>& then, const Layer& now,
            StaleRoom* room) noexcept
      : tables_(tables), then_(then), now_(now), room_(*room) {}

  // What a gate takes, in the steps of ways whose search would take as long: at least, and with its
  // zone.
  uint64_t cost() const noexcept;
  static uint64_t zone_cost(const StaleGate& gate) noexcept {
    return uint64_t{gate.cells} * gate.wide[0] / 12;
  }
  // For a way that is cut between two cells, passable then and now. False: memory is short. Null:
  // there is none, or its zone takes more than `most`.
  bool make(Point before, Point behind, uint64_t most, StaleGate** gate) noexcept;

 private:
  struct Front {
    uint32_t word;
    uint64_t cells;
  };
  // Of 64 cells those that are nobody's yet, and what either flood has.
  struct Word {
    uint64_t left, side[2];
  };

  // A run of a word, and where the flood came to it.
  struct Run {
    uint32_t word;
    uint8_t flood, first, last, from, to;
    uint32_t next;  // of the same distance, or kNoRun
  };

  bool look_up() noexcept;
  template <class Take>
  bool step(const Buffer<Front>& log, size_t from, bool wide, Take take) noexcept;
  uint32_t width_of_closed(Point before, Point behind) const noexcept;
  bool flood_near(Point before, Point behind, uint32_t wide) noexcept;
  bool flood_far() noexcept;
  bool reach(const Run& at, uint32_t distance, uint32_t word, uint64_t cells) noexcept;
  bool fill(StaleGate* gate, Point before, Point behind, uint64_t most, bool* small) noexcept;
  bool find_zone(uint32_t steps, uint32_t* count) noexcept;
  bool find_sides(StaleGate* gate) noexcept;
  bool find_ends(StaleGate* gate, bool* small) noexcept;
  bool find_beside(const StaleGate& gate) noexcept;
  bool collect(size_t word, uint64_t cells, Buffer<Point>* found) const noexcept;
  bool find_next(StaleGate* gate) noexcept;
  bool find_across(StaleGate* gate) noexcept;
  size_t word_of(Point p) const noexcept { return size_t{p.y + 1} * words_ + 1 + (p.x >> 6); }
  Point place(size_t word, uint32_t bit) const noexcept {
    return {static_cast<uint32_t>(word % words_ - 1) << 6 | bit,
            static_cast<uint32_t>(word / words_ - 1)};
  }
  // The number of a cell of the zone, or kNoPlace.
  uint16_t number(Point p) const noexcept;

  const LabelTables& tables_;
  const TileTable<LayerTile>& then_;
  const Layer& now_;
  uint32_t words_ = 0;  // as in StaleGate
  size_t size_ = 0;     // of all words
  StaleRoom& room_;
  // Of one gate after the other:
  Buffer<uint64_t> free_;  // passable now
  Buffer<Word> seen_;
  Buffer<uint64_t> next_;     // what a step reaches, else 0
  Buffer<uint32_t> touched_;  // words of next_
  Buffer<Front> log_[2];      // what a flood reached, step by step
  size_t last_[2];            // where its last step begins
  Buffer<Front> soon_;        // cells where they meet soon, then what is near to these
  Buffer<uint32_t> met_;      // words where one came to the other
  Buffer<uint64_t> zone_;     // its cells in bits
  Buffer<uint32_t> first_;    // by word: how many cells of the zone are before it
  Buffer<Run> runs_;          // of far floods
  static constexpr uint32_t kBuckets = 128;
  uint32_t bucket_[kBuckets];  // by distance: the first run, or kNoRun
  Buffer<Point> line_[2], beside_;
};

}  // namespace octile
