// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// From where scans (direct_reach) come by some cells, for 64 cells at a time.
//
// A straight scan in direction d comes to a cell from all that lie behind it up to a wall or a
// subgoal, the subgoal with them; and so does a diagonal one, along legal steps. Straight scans
// begin at a subgoal or on a diagonal from one, so the cells from which a straight one comes are in
// turn looked back from along the two diagonals beside it.

#include "index/subgoal_graph.hpp"

namespace octile {

// Some cells: bit x + 1 of line y + 1, in lines as CornerMaps has them.
class CellLines {
 public:
  struct Span {
    uint32_t first = 0, end = 0;  // words of a line; the others are 0, whatever the memory holds
    bool empty() const noexcept { return first == end; }
  };
  // Empties them. False: memory is short.
  bool begin(const CornerMaps& maps) noexcept;
  uint32_t top() const noexcept { return top_; }
  uint32_t end() const noexcept { return end_; }  // lines from there on are empty, like those above
  Span span(uint32_t line) const noexcept { return span_[line]; }
  uint64_t word(uint32_t line, uint32_t word) const noexcept {
    const Span s = span_[line];
    return word >= s.first && word < s.end ? bits_[size_t{line} * words_ + word] : 0;
  }
  void add(uint32_t line, uint32_t word, uint64_t bits) noexcept;

 private:
  uint32_t words_ = 0, top_ = 0, end_ = 0;
  Buffer<uint64_t> bits_;
  Buffer<Span> span_;  // by line
};

class LookBack {
 public:
  // What comes by the given cells, walls or not. False: memory is short.
  bool find(const CornerMaps& maps, const Buffer<Point>& cells) noexcept;
  const CellLines& seen() const noexcept { return seen_; }

 private:
  bool across(const CornerMaps& maps, uint32_t direction, CellLines* out) noexcept;
  bool down(const CornerMaps& maps, uint32_t direction, CellLines* out) noexcept;
  bool aslant(const CornerMaps& maps, uint32_t direction) noexcept;

  CellLines cells_, straight_[4], slant_, seen_;
};

}  // namespace octile
