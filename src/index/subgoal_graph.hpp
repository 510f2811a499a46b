// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The subgoal graph of a uniform map without corner cutting (Uras, Koenig and Hernandez 2013).
//
//   subgoal   a passable cell with a blocked diagonal neighbour whose two cardinal neighbours
//             between them are passable: where shortest paths turn
//   edge      two subgoals that are direct-h-reachable: all cheapest empty-grid ways between them
//             are free, and no other subgoal lies on one
//
// A shortest path between two cells whose diagonal-first line is not free leads through subgoals:
// the first direct-h-reachable from the start, each next one from the last, the goal from the last.

#include "index/sight_maps.hpp"

namespace octile {

// The cells where straight scans stop, flat and with a ring of walls: bit x + 1 of line y + 1.
// Where the memory lies is somebody else's business.
struct CornerMaps {
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t row_words = 0;              // of a line of rows
  uint32_t column_words = 0;           // of a line of columns
  const uint64_t* row_stop = nullptr;  // walls and subgoals
  const uint64_t* column_stop = nullptr;
  const uint64_t* row_corner = nullptr;  // subgoals
  const uint64_t* column_corner = nullptr;

  bool corner(Point p) const noexcept { return bit(row_corner, p.x + 1, p.y + 1); }
  // Coordinates may be one outside the map.
  bool passable(Point p) const noexcept {
    return !bit(row_stop, p.x + 1, p.y + 1) || bit(row_corner, p.x + 1, p.y + 1);
  }
  // The cells x = 64 * word and those after it, bit by bit.
  uint64_t passable_word(uint32_t word, uint32_t y) const noexcept {
    const size_t at = size_t{y + 1} * row_words + word;
    const uint64_t low = (~row_stop[at] | row_corner[at]) >> 1;
    if (word + 1 == row_words) return low;
    return low | (~row_stop[at + 1] | row_corner[at + 1]) << 63;
  }
  // Calls visit(x) for every subgoal of a row.
  template <class Visit>
  void each_corner(uint32_t y, Visit visit) const noexcept {
    const uint64_t* line = row_corner + size_t{y + 1} * row_words;
    for (uint32_t w = 0; w < row_words; ++w)
      for (uint64_t rest = line[w]; rest; rest &= rest - 1)
        visit(64 * w + static_cast<uint32_t>(__builtin_ctzll(rest)) - 1);
  }
  // The legal moves of a passable cell, in diagonal directions.
  bool diagonal_legal(Point p, uint32_t direction) const noexcept {
    const Point to = step(p, direction, 1);
    return passable({to.x, p.y}) && passable({p.x, to.y}) && passable(to);
  }

  // Legal steps from `p` in a diagonal direction, at most to the first subgoal.
  uint32_t diagonal_steps(Point p, uint32_t direction) const noexcept {
    uint32_t count = 0;
    while (diagonal_legal(p, direction)) {
      p = step(p, direction, 1);
      ++count;
      if (corner(p)) break;
    }
    return count;
  }

  // Steps from `p` to the first wall or subgoal in a straight direction.
  uint32_t steps(Point p, uint32_t direction) const noexcept {
    const bool across = direction == kEast || direction == kWest;
    const uint64_t* stop = across ? row_stop + size_t{p.y + 1} * row_words
                                  : column_stop + size_t{p.x + 1} * column_words;
    const uint32_t at = (across ? p.x : p.y) + 1;
    uint32_t word = at >> 6;
    if (direction == kEast || direction == kSouth) {
      uint64_t bits = stop[word] >> (at & 63) >> 1 << 1 << (at & 63);
      while (!bits) bits = stop[++word];
      return (word << 6 | static_cast<uint32_t>(__builtin_ctzll(bits))) - at;
    }
    uint64_t bits = stop[word] & ((uint64_t{1} << (at & 63)) - 1);
    while (!bits) bits = stop[--word];
    return at - (word << 6 | (63 ^ static_cast<uint32_t>(__builtin_clzll(bits))));
  }

  static Point step(Point p, uint32_t direction, uint32_t count) noexcept {
    return {p.x + static_cast<uint32_t>(kDx[direction]) * count,
            p.y + static_cast<uint32_t>(kDy[direction]) * count};
  }

 private:
  bool bit(const uint64_t* rows, uint32_t x, uint32_t y) const noexcept {
    return rows[size_t{y} * row_words + (x >> 6)] >> (x & 63) & 1;
  }
};

// The same at one look a question, for builds: 20 bytes a cell.
class ClearMaps {
 public:
  // False: memory is short.
  bool build(const CornerMaps& maps) noexcept;
  bool corner(Point p) const noexcept { return number_[at(p)] != 0; }
  // Of a subgoal, row by row from 0 on.
  uint32_t number(Point p) const noexcept { return number_[at(p)] - 1; }
  uint32_t steps(Point p, uint32_t direction) const noexcept {
    return clear_[at(p)].steps[direction];
  }
  uint32_t diagonal_steps(Point p, uint32_t direction) const noexcept {
    return clear_[at(p)].steps[direction];
  }

 private:
  struct Clear {
    uint16_t steps[8];
  };
  // With a ring, since a scan may end outside.
  size_t at(Point p) const noexcept { return size_t{p.y + 1} * stride_ + (p.x + 1); }
  size_t stride_ = 0;
  Buffer<Clear> clear_;
  Buffer<uint32_t> number_;  // from 1 on; 0: no subgoal
};

// Calls emit(point) for every subgoal that is direct-h-reachable from `p`, not for `p` itself, in
// the directions whose bits are set: straight ones stand for a line, diagonal ones for what lies
// between two lines. passes(point, moves) tells of a subgoal reached by these moves, a bit for each
// direction, that it is as good as any other cell here: it is not told, and hides nothing.
constexpr uint32_t kAllDirections = 255;
template <class Maps, class Passes, class Emit>
void direct_reach(const Maps& maps, Point p, uint32_t directions, Passes passes,
                  Emit emit) noexcept {
  uint32_t straight[8] = {};
  // Steps to the first stop that is not passed; if there is none within `most`, more than that.
  const auto scan = [&](Point from, uint32_t d, uint32_t moves, uint32_t most) {
    uint32_t steps = maps.steps(from, d);
    while (steps <= most) {
      const Point stop = CornerMaps::step(from, d, steps);
      if (!maps.corner(stop) || !passes(stop, moves)) break;
      steps += maps.steps(stop, d);
    }
    return steps;
  };
  const auto look = [&](Point from, uint32_t d, uint32_t steps) {
    const Point stop = CornerMaps::step(from, d, steps);
    if (maps.corner(stop)) emit(stop);
  };
  for (uint32_t d = 0; d < 8; d += 2) {
    straight[d] = scan(p, d, 1u << d, UINT32_MAX);
    if (directions >> d & 1) look(p, d, straight[d]);
  }
  for (uint32_t d = 1; d < 8; d += 2) {
    if (!(directions >> d & 1)) continue;
    // One side of the diagonal lies along d - 1, the other along d + 1; a limit is the number of
    // cells that all lines so far leave free of walls and subgoals.
    const uint32_t side[2] = {d - 1, (d + 1) & 7};
    uint32_t limit[2] = {straight[side[0]] - 1, straight[side[1]] - 1};
    uint32_t length = maps.diagonal_steps(p, d);
    Point end = CornerMaps::step(p, d, length);
    bool corner = length != 0 && maps.corner(end);
    while (corner && passes(end, 1u << d)) {
      const uint32_t more = maps.diagonal_steps(end, d);
      length += more;
      end = CornerMaps::step(end, d, more);
      corner = more != 0 && maps.corner(end);
    }
    Point at = p;
    for (uint32_t left = corner ? length - 1 : length; left > 0 && (limit[0] | limit[1]); --left) {
      at = CornerMaps::step(at, d, 1);
      for (uint32_t s = 0; s < 2; ++s) {
        if (limit[s] == 0) continue;
        const uint32_t steps = scan(at, side[s], 1u << d | 1u << side[s], limit[s]);
        if (steps > limit[s]) continue;
        limit[s] = steps - 1;
        look(at, side[s], steps);
      }
    }
    if (corner) emit(end);
  }
}
template <class Maps, class Emit>
void direct_reach(const Maps& maps, Point p, uint32_t directions, Emit emit) noexcept {
  direct_reach(
      maps, p, directions, [](Point, uint32_t) { return false; }, emit);
}

// Corner maps with memory of their own.
struct CornerBits : CornerMaps {
  Buffer<uint64_t> bits;
  // False, here and below: memory is short.
  bool build(const Layer& layer) noexcept;
  bool copy(const CornerBits& other) noexcept;
  void set(Point p, bool stop, bool corner) noexcept;

 private:
  bool lay_out(uint32_t map_width, uint32_t map_height) noexcept;
};

// A cell with these moves has a diagonal that is not legal although both sides of it are: what
// stands there is a wall.
inline bool is_corner(uint32_t moves) noexcept {
  for (uint32_t d = 1; d < 8; d += 2)
    if (!(moves >> d & 1) && (moves >> (d - 1) & 1) && (moves >> ((d + 1) & 7) & 1)) return true;
  return false;
}

// The number of a cell that is a subgoal: they are numbered row by row; row[y] is the first of row
// y, x_of(s) the column of subgoal s.
template <class Column>
uint32_t subgoal_number(Point p, const uint32_t* row, Column x_of) noexcept {
  uint32_t low = row[p.y], high = row[p.y + 1];
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (x_of(middle) <= p.x)
      low = middle;
    else
      high = middle;
  }
  return low;
}

struct SubgoalGraph {
  Buffer<Point> place;      // of each subgoal, in row order
  Buffer<uint32_t> row;     // first subgoal of each row; height + 1 entries
  Buffer<uint32_t> first;   // of each subgoal's edges; size + 1 entries
  Buffer<uint32_t> target;  // of each edge, ascending within a subgoal

  uint32_t size() const noexcept { return static_cast<uint32_t>(place.size()); }
  // False: memory is short.
  bool build(const CornerMaps& grid, const ClearMaps& clear) noexcept;
  size_t bytes() const noexcept {
    return place.bytes() + row.bytes() + first.bytes() + target.bytes();
  }
};

}  // namespace octile
