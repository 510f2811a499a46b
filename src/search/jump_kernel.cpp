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
  JumpBatch b(from, !scan_x, !scan_y);
  uint32_t count = out->count, skip = 1;  // the first cell
  for (;;) {
    // 1. A batch: how many cells.
    const LayerTile* t = g.tiles[b.tile];
    const uint32_t room = room_of<kX, kY>(b.x, b.y), run = t->run<kX, kY>(b.x, b.y, room);
    const uint32_t live = run < 8 ? run + 1 : 8;
    const auto at_x = [&b](uint32_t i) { return kX > 0 ? b.x + i : b.x - i; };
    const auto at_y = [&b](uint32_t i) { return kY > 0 ? b.y + i : b.y - i; };
    // 2. Along their rows, then along their columns.
    for (uint32_t i = b.skip_x; i < live; ++i) {
      const uint32_t row = at_y(i);
      count = scan_line<kX>(
          g.tiles, b.tile, 1, at_x(i), [row](const LayerTile& l) { return l.stop[kStopX][row]; },
          [row](const LayerTile& l) { return l.row[row]; },
          uint64_t{kX > 0 ? kEast : kWest} << 32 | b.number | row << 6, 0, g.straight,
          b.cost + g.diagonal * i, out, count);
    }
    for (uint32_t i = b.skip_y; i < live; ++i) {
      const uint32_t column = at_x(i);
      count = scan_line<kY>(
          g.tiles, b.tile, g.across, at_y(i),
          [column](const LayerTile& l) { return l.stop[kStopY][column]; },
          [column](const LayerTile& l) { return l.col[column]; },
          uint64_t{kY > 0 ? kSouth : kNorth} << 32 | b.number | column, 6, g.straight,
          b.cost + g.diagonal * i, out, count);
    }
    // 3. The cells themselves.
    if (kRule == JumpRule::cutting) {
      for (uint32_t i = skip; i < live; ++i) {
        const uint32_t at = at_y(i) << 6 | at_x(i);
        out->id[count] = uint64_t{kMove} << 32 | b.number | uint64_t{b.tile} << 12 | at;
        out->cost[count] = b.cost + g.diagonal * i;
        count += forced_diagonals(t->moves[at], kMove) != 0;
      }
    }
    // 4. On, over the edge of the tile perhaps.
    if (run >= 8) {
      b.go<kX, kY>(8, g.diagonal);
    } else {
      if (run < room) break;
      b.go<kX, kY>(run, g.diagonal);
      if (!cross<kX, kY>(g, &b)) break;
    }
    b.skip_x = b.skip_y = skip = 0;
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
void half_row(const JumpGround& g, const JumpOrigin& from, bool scan_south, bool scan_north,
              JumpHits* out) noexcept {
  JumpBatch b(from, !scan_south, !scan_north);
  uint32_t count = out->count;
  for (;;) {
    // 1. A batch: cells of the row.
    const uint32_t room = room_of<kX, 0>(b.x, b.y);
    const uint32_t free = free_cells<kX>(g.tiles[b.tile]->row[b.y], b.x);
    const uint32_t live = free < 8 ? free : 8;
    const auto at_x = [&b](uint32_t i) { return kX > 0 ? b.x + i : b.x - i; };
    // 2. South of them, then north.
    for (uint32_t i = b.skip_x; i < live; ++i) {
      const uint32_t column = at_x(i);
      count = scan_line<1>(
          g.tiles, b.tile, g.across, b.y,
          [column](const LayerTile& l) { return l.stop[kStopSouth][column]; },
          [column](const LayerTile& l) { return l.col[column]; },
          uint64_t{kSouth} << 32 | b.number | column, 6, g.straight, b.cost + g.straight * i, out,
          count);
    }
    for (uint32_t i = b.skip_y; i < live; ++i) {
      const uint32_t column = at_x(i);
      count = scan_line<-1>(
          g.tiles, b.tile, g.across, b.y,
          [column](const LayerTile& l) { return l.stop[kStopNorth][column]; },
          [column](const LayerTile& l) { return l.col[column]; },
          uint64_t{kNorth} << 32 | b.number | column, 6, g.straight, b.cost + g.straight * i, out,
          count);
    }
    // 3. On.
    if (free > 8) {
      b.go<kX, 0>(8, g.straight);
    } else {
      if (free <= room) break;
      b.go<kX, 0>(room, g.straight);
      if (!cross<kX, 0>(g, &b)) break;
    }
    b.skip_x = b.skip_y = 0;
  }
  out->count = count;
}

template <>
void scan_plain<JumpRule::four>(const JumpGround& g, const JumpOrigin& from,
                                JumpHits* out) noexcept {
  const uint32_t ways = four_ways(g, from);
  const bool south = ways & kWaySouth, north = ways & kWayNorth, east = ways & kWayEast;
  // Two walks share the scans from the cell itself.
  if (east) half_row<1>(g, from, south, north, out);
  if (ways & kWayWest) half_row<-1>(g, from, south && !east, north && !east, out);
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

constexpr JumpKernel kPlain{
    "scalar",
    {scan_plain<JumpRule::no_cutting>, scan_plain<JumpRule::cutting>, scan_plain<JumpRule::four>},
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
