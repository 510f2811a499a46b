// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "search/jump_kernel.hpp"

#include <atomic>

#include "base/kernel_choice.hpp"
#include "search/jump_search.hpp"

namespace octile {

namespace {

// Of bits that are not all clear: the standard's countr_zero also tests for that.
inline uint32_t lowest(uint64_t bits) {
  return static_cast<uint32_t>(__builtin_ctzll(bits));
}
inline uint32_t highest(uint64_t bits) {
  return static_cast<uint32_t>(__builtin_clzll(bits)) ^ 63;
}

// One scan along a row (or column) from bit `at` of its word. `stops` and `cells` pick the words of
// a tile. `ahead` holds the stops beyond the starting cell, at the low end going up and at the high
// end going down; the hit is kept when its stop cell is passable. Writing first and deciding by the
// bit keeps the most frequent branch out of the loop.
template <int kUp, class Stops, class Cells>
inline uint32_t scan_line(const LayerTile* const* tiles, uint32_t tile, uint32_t step, uint32_t at,
                          Stops stops, Cells cells, uint64_t line, uint32_t shift, Cost straight,
                          Cost cost, JumpHits* out, uint32_t count) noexcept {
  const LayerTile* t = tiles[tile];
  uint64_t ahead = kUp > 0 ? stops(*t) >> at >> 1 : stops(*t) << 1 << (63 - at);
  uint32_t run = 0;
  if (!ahead) {
    run = kUp > 0 ? 63 - at : at;
    for (;;) {
      tile = kUp > 0 ? tile + step : tile - step;
      t = tiles[tile];
      ahead = stops(*t);
      if (ahead) break;
      run += 64;
    }
    at = kUp > 0 ? uint32_t(-1) : 64;
  }
  const uint32_t steps = (kUp > 0 ? lowest(ahead) : 63 - highest(ahead)) + 1;
  at = kUp > 0 ? at + steps : at - steps;
  out->id[count] = uint64_t{tile} << 12 | line | at << shift;
  out->cost[count] = cost + straight * (run + steps);
  return count + static_cast<uint32_t>(cells(*t) >> at & 1);
}

template <JumpRule kRule, int kX, int kY>
void quadrant(const JumpGround& g, const JumpOrigin& from, bool scan_x, bool scan_y,
              JumpHits* out) noexcept {
  constexpr uint32_t kMove =
      kX > 0 ? (kY > 0 ? kSouthEast : kNorthEast) : (kY > 0 ? kSouthWest : kNorthWest);
  constexpr uint32_t kStopX = kX > 0 ? kStopEast : kStopWest;
  constexpr uint32_t kStopY = kY > 0 ? kStopSouth : kStopNorth;
  const uint64_t number = uint64_t{from.number} << 35;
  uint32_t tile = from.id >> 12, x = from.id & 63, y = from.id >> 6 & 63;
  Cost cost = from.g;
  uint32_t count = out->count;
  bool first = true;
  for (;;) {
    // 1. A batch: how many cells.
    const LayerTile* t = g.tiles[tile];
    uint32_t n = kX > 0 ? 64 - x : x + 1;
    const uint32_t ny = kY > 0 ? 64 - y : y + 1;
    n = n < ny ? n : ny;
    n = n < 8 ? n : 8;
    const auto at_x = [x](uint32_t i) { return kX > 0 ? x + i : x - i; };
    const auto at_y = [y](uint32_t i) { return kY > 0 ? y + i : y - i; };
    uint32_t live = 1;
    while (live < n && (t->moves[at_y(live - 1) << 6 | at_x(live - 1)] >> kMove & 1)) ++live;
    // 2. Along their rows, then along their columns.
    for (uint32_t i = scan_x ? 0 : 1; i < live; ++i) {
      const uint32_t row = at_y(i);
      count = scan_line<kX>(
          g.tiles, tile, 1, at_x(i), [row](const LayerTile& l) { return l.stop[kStopX][row]; },
          [row](const LayerTile& l) { return l.row[row]; },
          uint64_t{kX > 0 ? kEast : kWest} << 32 | number | row << 6, 0, g.straight,
          cost + g.diagonal * i, out, count);
    }
    for (uint32_t i = scan_y ? 0 : 1; i < live; ++i) {
      const uint32_t column = at_x(i);
      count = scan_line<kY>(
          g.tiles, tile, g.across, at_y(i),
          [column](const LayerTile& l) { return l.stop[kStopY][column]; },
          [column](const LayerTile& l) { return l.col[column]; },
          uint64_t{kY > 0 ? kSouth : kNorth} << 32 | number | column, 6, g.straight,
          cost + g.diagonal * i, out, count);
    }
    // 3. The cells themselves.
    if (kRule == JumpRule::cutting) {
      for (uint32_t i = first ? 1 : 0; i < live; ++i) {
        const uint32_t at = at_y(i) << 6 | at_x(i);
        out->id[count] = uint64_t{kMove} << 32 | number | uint64_t{tile} << 12 | at;
        out->cost[count] = cost + g.diagonal * i;
        count += forced_diagonals(t->moves[at], kMove) != 0;
      }
    }
    // 4. On, over the edge of the tile perhaps.
    if (live < n || !(t->moves[at_y(n - 1) << 6 | at_x(n - 1)] >> kMove & 1)) break;
    cost += g.diagonal * n;
    x = at_x(n);
    y = at_y(n);
    if (x > 63) tile = kX > 0 ? tile + 1 : tile - 1;  // below 0 wraps
    if (y > 63) tile = kY > 0 ? tile + g.across : tile - g.across;
    x &= 63;
    y &= 63;
    scan_x = scan_y = true;
    first = false;
  }
  out->count = count;
}

template <JumpRule kRule>
void scan_plain(const JumpGround& g, const JumpOrigin& from, JumpHits* out) noexcept {
  const uint32_t quadrants = from.quadrants;
  const bool lines = kRule == JumpRule::no_cutting || !(quadrants & kDiagonalsOnly);
  const bool se = quadrants & kQuadrantSE, ne = quadrants & kQuadrantNE;
  const bool sw = quadrants & kQuadrantSW, nw = quadrants & kQuadrantNW;
  // Two quadrants that share a straight scan leave it to the first.
  if (se) quadrant<kRule, 1, 1>(g, from, lines, lines, out);
  if (ne) quadrant<kRule, 1, -1>(g, from, lines && !se, lines, out);
  if (sw) quadrant<kRule, -1, 1>(g, from, lines, lines && !se, out);
  if (nw) quadrant<kRule, -1, -1>(g, from, lines && !sw, lines && !ne, out);
}

// With four moves: from a cell and those east or west of it.
template <int kX>
void walk_row(const JumpGround& g, const JumpOrigin& from, bool scan_south, bool scan_north,
              JumpHits* out) noexcept {
  const uint64_t number = uint64_t{from.number} << 35;
  uint32_t tile = from.id >> 12, x = from.id & 63;
  const uint32_t y = from.id >> 6 & 63;
  Cost cost = from.g;
  uint32_t count = out->count;
  for (;;) {
    // 1. A batch: cells of the row.
    const LayerTile* t = g.tiles[tile];
    uint32_t n = kX > 0 ? 64 - x : x + 1;
    n = n < 8 ? n : 8;
    const auto at_x = [x](uint32_t i) { return kX > 0 ? x + i : x - i; };
    uint32_t live = 1;
    while (live < n && (t->row[y] >> at_x(live) & 1)) ++live;
    // 2. South of them, then north.
    for (uint32_t i = scan_south ? 0 : 1; i < live; ++i) {
      const uint32_t column = at_x(i);
      count = scan_line<1>(
          g.tiles, tile, g.across, y,
          [column](const LayerTile& l) { return l.stop[kStopSouth][column]; },
          [column](const LayerTile& l) { return l.col[column]; },
          uint64_t{kSouth} << 32 | number | column, 6, g.straight, cost + g.straight * i, out,
          count);
    }
    for (uint32_t i = scan_north ? 0 : 1; i < live; ++i) {
      const uint32_t column = at_x(i);
      count = scan_line<-1>(
          g.tiles, tile, g.across, y,
          [column](const LayerTile& l) { return l.stop[kStopNorth][column]; },
          [column](const LayerTile& l) { return l.col[column]; },
          uint64_t{kNorth} << 32 | number | column, 6, g.straight, cost + g.straight * i, out,
          count);
    }
    // 3. On.
    if (live < n || !(t->moves[y << 6 | at_x(n - 1)] >> (kX > 0 ? kEast : kWest) & 1)) break;
    cost += g.straight * n;
    x = at_x(n);
    if (x > 63) tile = kX > 0 ? tile + 1 : tile - 1;
    x &= 63;
    scan_south = scan_north = true;
  }
  out->count = count;
}

template <>
void scan_plain<JumpRule::four>(const JumpGround& g, const JumpOrigin& from,
                                JumpHits* out) noexcept {
  const uint32_t ways = four_ways(g, from);
  const bool south = ways & kWaySouth, north = ways & kWayNorth, east = ways & kWayEast;
  // Two walks share the scans from the cell itself.
  if (east) walk_row<1>(g, from, south, north, out);
  if (ways & kWayWest) walk_row<-1>(g, from, south && !east, north && !east, out);
}

bool walk_plain(const JumpGround& g, CellId id, uint32_t d, uint32_t count) noexcept {
  const auto dx = static_cast<uint32_t>(kDx[d]), dy = static_cast<uint32_t>(kDy[d]);
  uint32_t tile = id >> 12, x = id & 63, y = id >> 6 & 63;
  for (; count > 0; --count) {
    if (!(g.tiles[tile]->moves[y << 6 | x] >> d & 1)) return false;
    x += dx;
    y += dy;
    if ((x | y) > 63) {
      if (x > 63) tile += dx;
      if (y > 63) tile += dy * g.across;
      x &= 63;
      y &= 63;
    }
  }
  return true;
}

template <class Nodes>
Progress search_plain(JumpMoves& moves, Nodes& nodes, JumpQueue& open, Watch& watch, State& state,
                      uint64_t budget) noexcept {
  return detail::best_first(moves, nodes, open, watch, state, budget);
}

Progress dense_search_plain(JumpMoves& moves, JumpNodes& nodes, JumpQueue& open, Watch& watch,
                            State& state, uint64_t budget) noexcept {
  return jump_search(moves, nodes, open, watch, state, budget);
}

constexpr JumpKernel kPlain{"scalar",
                            {{scan_plain<JumpRule::no_cutting>, walk_plain},
                             {scan_plain<JumpRule::cutting>, walk_plain},
                             {scan_plain<JumpRule::four>, walk_plain}},
                            search_plain<JumpNodes>,
                            dense_search_plain,
                            search_plain<SparseNodes>};

// nullptr: not asked for yet.
constinit std::atomic<const JumpKernel*> chosen_jumps{nullptr};

}  // namespace

uint32_t jump_kernels(const JumpKernel* list[kMostJumpKernels]) noexcept {
  uint32_t count = 0;
  list[count++] = &kPlain;
#if OCTILE_JUMPS_X86
  __builtin_cpu_init();
  if (__builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("popcnt"))
    list[count++] = &kJump128;
  const bool bits = __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                    __builtin_cpu_supports("lzcnt") && __builtin_cpu_supports("popcnt");
  if (bits && __builtin_cpu_supports("avx2")) list[count++] = &kJumpAvx2;
  if (bits && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq"))
    list[count++] = &kJumpAvx512;
#elif OCTILE_JUMPS_128
  list[count++] = &kJump128;
#endif
  return count;
}

void limit_jump_kernel(const char* name) noexcept {
  const JumpKernel* list[kMostJumpKernels];
  chosen_jumps.store(best_kernel(list, jump_kernels(list), name), std::memory_order_relaxed);
}

const JumpKernel& jump_kernel() noexcept {
  if (!chosen_jumps.load(std::memory_order_relaxed)) limit_jump_kernel(nullptr);
  return *chosen_jumps.load(std::memory_order_relaxed);
}

const JumpKernel& dense_jump_kernel() noexcept {
  const JumpKernel& best = jump_kernel();
#if OCTILE_JUMPS_128
  if (&best == &kJump128) return kPlain;
#endif
  return best;
}

}  // namespace octile
