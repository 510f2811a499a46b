// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Walks along diagonals, and with four moves along rows, in batches of eight cells: what the
// kernels with vectors have in common. A batch ends at the edge of the tile. The file of each
// kernel first says how a batch is scanned, then includes this one.
//
//   OCTILE_JUMPS_NAME                   the namespace of what it says, and of all here: files may
//   be
//                                       compiled as one (tools/amalgamate)
//   OCTILE_JUMPS, OCTILE_JUMPS_INLINE   attributes of functions for its processors. On each
//                                       function, not for the file: what headers define must run
//                                       on every processor
//   OCTILE_JUMPS_GATHER                 1: they have AVX2, for eight bytes from eight places
//   scan_diagonal<kX, kY>, scan_row<kX> the scans of a JumpBatch. Their hits go to `out`, `gap`
//                                       further on what gives their costs, and they return where
//                                       the next ones go
//   OCTILE_JUMPS_SIFTED                 1: hits are kept as words and their stops at first, and
//   settle<kRule>                       makes ids and costs of those from `first` on, when a scan
//                                       is over

#if OCTILE_JUMPS_GATHER
#include <immintrin.h>
#endif

#include <bit>
#include <type_traits>

#include "search/jump_search.hpp"

namespace octile {

namespace {

namespace OCTILE_JUMPS_NAME {

// Eight words from any place of a field of 64 on, in either direction, may reach over its ends:
// other fields of the tile are there, and nobody asks for what they say. One line of 64 bytes is
// before the words of the rows, and after the last stops more than that.
static_assert(!std::is_empty_v<Counted> && alignof(LayerTile) == 64);
static_assert(sizeof(LayerTile) > 64 + (6 * 64 + 7) * sizeof(uint64_t));

constexpr uint32_t kBatch = 8;

// Where corners may be cut: the moves of up to eight cells of a diagonal.
#if OCTILE_JUMPS_GATHER
// In the top byte of 32 bits. The three bytes before the first moves belong to the stops.
using CellMoves = __m256i;
template <int kX, int kY>
OCTILE_JUMPS_INLINE CellMoves moves_of(const LayerTile& t, uint32_t x, uint32_t y,
                                       uint32_t room) noexcept {
  constexpr int kStep = kY * 64 + kX;
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return _mm256_mask_i32gather_epi32(
      _mm256_setzero_si256(), reinterpret_cast<const int*>(t.moves + (y << 6 | x) - 3),
      _mm256_mullo_epi32(lane, _mm256_set1_epi32(kStep)),
      _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(room)), lane), 1);
}
template <uint32_t kMove>
OCTILE_JUMPS_INLINE uint32_t have(CellMoves moves) noexcept {
  return static_cast<uint32_t>(
      _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_slli_epi32(moves, 7 - (kMove & 7)))));
}
#else
using CellMoves = uint64_t;
template <int kX, int kY>
OCTILE_JUMPS_INLINE CellMoves moves_of(const LayerTile& t, uint32_t x, uint32_t y,
                                       uint32_t room) noexcept {
  const uint8_t* moves = t.moves + (y << 6 | x);
  uint64_t all_moves = 0;
  for (uint32_t i = 0; i < 8 && i < room; ++i)
    all_moves |= uint64_t{moves[static_cast<int32_t>(i) * (kY * 64 + kX)]} << (8 * i);
  return all_moves;
}
template <uint32_t kMove>
OCTILE_JUMPS_INLINE uint32_t have(CellMoves moves) noexcept {
  return static_cast<uint32_t>((moves >> (kMove & 7) & 0x0101010101010101) * 0x0102040810204080 >>
                               56);
}
#endif

// Adds one cell as a hit.
template <uint32_t kMove>
OCTILE_JUMPS_INLINE uint64_t* keep_cell(uint64_t id, [[maybe_unused]] Cost cost, uint64_t* out,
                                        ptrdiff_t gap) noexcept {
#if OCTILE_JUMPS_SIFTED
  constexpr uint32_t kShift = kMove & 2 ? 6 : 0;  // what settle() takes its direction for
  *out = uint64_t{kMove} << 32 | (id & ~(uint64_t{63} << kShift));
  out[gap] = uint64_t{1} << (id >> kShift & 63);
#else
  *out = uint64_t{kMove} << 32 | id;
  out[gap] = cost;
#endif
  return out + 1;
}

template <JumpRule kRule, int kX, int kY>
OCTILE_JUMPS void quadrant(const JumpGround& ground, const JumpOrigin& from, bool scan_x,
                           bool scan_y, JumpHits* out) noexcept {
  constexpr uint32_t kMove =
      kX > 0 ? (kY > 0 ? kSouthEast : kNorthEast) : (kY > 0 ? kSouthWest : kNorthWest);
  constexpr int64_t kStep = kY * 64 + kX;
  const JumpGround g = ground;  // no store of hits changes it
  JumpBatch b(from, !scan_x, !scan_y);
  uint32_t skip = 1;  // the first cell
  uint64_t* hits = out->id + out->count;
  const ptrdiff_t gap = out->cost - out->id;
  for (;;) {
    // How far it goes is known before anything is scanned.
    const LayerTile* t = g.tiles[b.tile];
    const uint32_t room = room_of<kX, kY>(b.x, b.y);
    uint32_t run = t->run<kX, kY>(b.x, b.y, room);
    const bool to_the_edge = run == room;
    for (;;) {
      b.steps = run < kBatch ? run : kBatch - 1;
      CellMoves moves{};
      if (kRule == JumpRule::cutting) moves = moves_of<kX, kY>(*t, b.x, b.y, b.steps + 1);
      hits = scan_diagonal<kX, kY>(g, b, hits, gap);
      if constexpr (kRule == JumpRule::cutting) {
        const uint32_t forced = (have<kMove + 2>(moves) & ~have<kMove + 3>(moves)) |
                                (have<kMove - 2>(moves) & ~have<kMove - 3>(moves));
        for (uint32_t rest = forced & ((2u << b.steps) - 1) & ~skip; rest; rest &= rest - 1) {
          const auto i = static_cast<uint32_t>(__builtin_ctz(rest));
          hits = keep_cell<kMove>(b.id() + static_cast<uint64_t>(kStep) * i,
                                  b.cost + g.diagonal * i, hits, gap);
        }
      }
      if (run < kBatch) break;
      run -= kBatch;
      b.go<kX, kY>(kBatch, g.diagonal);
      b.skip_x = b.skip_y = skip = 0;
    }
    if (!to_the_edge) break;
    b.go<kX, kY>(run, g.diagonal);
    if (!cross<kX, kY>(g, &b)) break;
    b.skip_x = b.skip_y = skip = 0;
  }
  out->count = static_cast<uint32_t>(hits - out->id);
}

template <JumpRule kRule>
OCTILE_JUMPS_INLINE void scan_quadrants(const JumpGround& g, const JumpOrigin& from,
                                        JumpHits* out) noexcept {
  const uint32_t quadrants = from.quadrants;
  // Mostly a single one, else those on both sides of an arrival: one jump instead of four guesses.
  switch (quadrants) {
    case kQuadrantSE:
      return quadrant<kRule, 1, 1>(g, from, true, true, out);
    case kQuadrantNE:
      return quadrant<kRule, 1, -1>(g, from, true, true, out);
    case kQuadrantSW:
      return quadrant<kRule, -1, 1>(g, from, true, true, out);
    case kQuadrantNW:
      return quadrant<kRule, -1, -1>(g, from, true, true, out);
    default:
      break;
  }
  switch (quadrants) {
    case kQuadrantSE | kQuadrantNE:
      quadrant<kRule, 1, 1>(g, from, true, true, out);
      return quadrant<kRule, 1, -1>(g, from, false, true, out);
    case kQuadrantSW | kQuadrantNW:
      quadrant<kRule, -1, 1>(g, from, true, true, out);
      return quadrant<kRule, -1, -1>(g, from, false, true, out);
    case kQuadrantSE | kQuadrantSW:
      quadrant<kRule, 1, 1>(g, from, true, true, out);
      return quadrant<kRule, -1, 1>(g, from, true, false, out);
    case kQuadrantNE | kQuadrantNW:
      quadrant<kRule, 1, -1>(g, from, true, true, out);
      return quadrant<kRule, -1, -1>(g, from, true, false, out);
    default:
      break;
  }
  const bool lines = kRule == JumpRule::no_cutting || !(quadrants & kDiagonalsOnly);
  const bool se = quadrants & kQuadrantSE, ne = quadrants & kQuadrantNE;
  const bool sw = quadrants & kQuadrantSW, nw = quadrants & kQuadrantNW;
  if (se) quadrant<kRule, 1, 1>(g, from, lines, lines, out);
  if (ne) quadrant<kRule, 1, -1>(g, from, lines && !se, lines, out);
  if (sw) quadrant<kRule, -1, 1>(g, from, lines, lines && !se, out);
  if (nw) quadrant<kRule, -1, -1>(g, from, lines && !sw, lines && !ne, out);
}

template <int kX>
OCTILE_JUMPS void half_row(const JumpGround& g, const JumpOrigin& from, bool scan_south,
                           bool scan_north, JumpHits* out) noexcept {
  JumpBatch b(from, !scan_south, !scan_north);
  uint64_t* hits = out->id + out->count;
  const ptrdiff_t gap = out->cost - out->id;
  for (;;) {
    const uint32_t room = room_of<kX, 0>(b.x, b.y);
    uint32_t run = free_cells<kX>(g.tiles[b.tile]->row[b.y], b.x) - 1;
    const bool to_the_edge = run >= room;
    if (to_the_edge) run = room;
    for (;;) {
      b.steps = run < kBatch ? run : kBatch - 1;
      hits = scan_row<kX>(g, b, hits, gap);
      if (run < kBatch) break;
      run -= kBatch;
      b.go<kX, 0>(kBatch, g.straight);
      b.skip_x = b.skip_y = 0;
    }
    if (!to_the_edge) break;
    b.go<kX, 0>(run, g.straight);
    if (!cross<kX, 0>(g, &b)) break;
    b.skip_x = b.skip_y = 0;
  }
  out->count = static_cast<uint32_t>(hits - out->id);
}

template <>
OCTILE_JUMPS_INLINE void scan_quadrants<JumpRule::four>(const JumpGround& g, const JumpOrigin& from,
                                                        JumpHits* out) noexcept {
  const uint32_t ways = four_ways(g, from);
  const bool south = ways & kWaySouth, north = ways & kWayNorth, east = ways & kWayEast;
  if (east) half_row<1>(g, from, south, north, out);
  if (ways & kWayWest) half_row<-1>(g, from, south && !east, north && !east, out);
}

template <JumpRule kRule>
OCTILE_JUMPS void scan(const JumpGround& g, const JumpOrigin& from, JumpHits* out) noexcept {
  const uint32_t first = out->count;
  scan_quadrants<kRule>(g, from, out);
  settle<kRule>(g, from, first, *out);
}

template <class Nodes>
OCTILE_JUMPS [[gnu::flatten]] Progress search(JumpMoves& moves, Nodes& nodes, JumpQueue& open,
                                              Watch& watch, State& state,
                                              uint64_t budget) noexcept {
  return detail::best_first(moves, nodes, open, watch, state, budget);
}

OCTILE_JUMPS [[gnu::flatten]] Progress dense_search(JumpMoves& moves, JumpNodes& nodes,
                                                    JumpQueue& open, Watch& watch, State& state,
                                                    uint64_t budget) noexcept {
  return jump_search(moves, nodes, open, watch, state, budget);
}

constexpr JumpKernel make_kernel(const char* name) noexcept {
  return {name,
          {scan<JumpRule::no_cutting>, scan<JumpRule::cutting>, scan<JumpRule::four>},
          search<JumpNodes>,
          dense_search,
          search<SparseNodes>};
}

}  // namespace OCTILE_JUMPS_NAME

}  // namespace

}  // namespace octile
