// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Eight cells of a diagonal at once. Lane i is the i-th cell: its row (or column) is one word of a
// vector that is loaded from eight neighbouring words of its tile, turned round where the diagonal
// goes against their order. A batch ends at the edge of the tile.

#include "search/jump_kernel.hpp"

#if defined(__x86_64__) && !defined(_WIN32)

#include <immintrin.h>

#include <type_traits>

#include "search/jump_search.hpp"

// g++ 12 takes the undefined vectors inside its own intrinsics for mistakes (GCC bug 105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

// On each function, not for the file: what headers define must run on every processor.
#define OCTILE_AVX512 [[gnu::target("avx512f,avx512cd,avx512dq,bmi,bmi2,lzcnt,popcnt")]]
#define OCTILE_AVX512_INLINE \
  [[gnu::target("avx512f,avx512cd,avx512dq,bmi,bmi2,lzcnt,popcnt"), gnu::always_inline]] inline

namespace octile {

namespace {

using Lanes = __m512i;

OCTILE_AVX512_INLINE Lanes all(uint64_t value) noexcept {
  return _mm512_set1_epi64(static_cast<int64_t>(value));
}
OCTILE_AVX512_INLINE Lanes iota() noexcept {
  return _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
}

// Eight words from place `at` on, upwards or downwards: lane i gets word at + i or at - i. Past the
// ends of its array of 64 there are other fields of the tile, in lanes that nobody asks for.
template <int kUp>
OCTILE_AVX512_INLINE Lanes window(const uint64_t* words, uint32_t at) noexcept {
  if (kUp > 0) return _mm512_loadu_si512(words + at);
  return _mm512_permutexvar_epi64(_mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0),
                                  _mm512_loadu_si512(words + at - 7));
}
// One line of 64 bytes before the words of the rows, and after the last stops more than that.
static_assert(!std::is_empty_v<Counted> && alignof(LayerTile) == 64);
static_assert(sizeof(LayerTile) > 64 + (6 * 64 + 7) * sizeof(uint64_t));

template <int kUp>
OCTILE_AVX512_INLINE Lanes places(uint32_t at) noexcept {
  return kUp > 0 ? _mm512_add_epi64(all(at), iota()) : _mm512_sub_epi64(all(at), iota());
}

// How many cells from (x, y) on lie in the same tile, at most eight.
template <int kX, int kY>
OCTILE_AVX512_INLINE uint32_t inside(uint32_t x, uint32_t y) noexcept {
  uint32_t n = kX > 0 ? 64 - x : x + 1;
  const uint32_t ny = kY > 0 ? 64 - y : y + 1;
  n = n < ny ? n : ny;
  return n < 8 ? n : 8;
}

// Bit i: the step from lane i to lane i + 1 is legal, both being inside the tile. That takes the
// cell beside lane i, and in the next row the cell it goes to and the one before that.
template <int kX>
OCTILE_AVX512_INLINE uint32_t legal_steps(Lanes rows, Lanes xs) noexcept {
  // The lane's own cell comes to the low end, what is before it to the high end.
  const Lanes turned = _mm512_rorv_epi64(rows, xs);
  const Lanes beside = all(kX > 0 ? 2 : uint64_t{1} << 63);
  const Lanes to = all(1 | (kX > 0 ? uint64_t{1} << 63 : 2));
  const uint32_t leave = _mm512_test_epi64_mask(turned, beside);
  const uint32_t enter = _mm512_cmpeq_epi64_mask(_mm512_and_si512(turned, to), to);
  return leave & enter >> 1;
}

// Where corners may be cut: the moves of each lane, in the top byte of 32 bits. The three bytes
// before the first moves belong to the stops.
template <int kX, int kY>
OCTILE_AVX512_INLINE __m256i lane_moves(const LayerTile& t, uint32_t x, uint32_t y,
                                        uint32_t n) noexcept {
  constexpr int kStep = kY * 64 + kX;
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return _mm256_mask_i32gather_epi32(
      _mm256_setzero_si256(), reinterpret_cast<const int*>(t.moves + (y << 6 | x) - 3),
      _mm256_mullo_epi32(lane, _mm256_set1_epi32(kStep)),
      _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)), lane), 1);
}
template <uint32_t kMove>
OCTILE_AVX512_INLINE uint32_t have(__m256i moves) noexcept {
  return static_cast<uint32_t>(
      _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_slli_epi32(moves, 7 - (kMove & 7)))));
}

// The rest of each lane's word in its own tile, and where no stop is left in it, all of its word in
// the next tile.
struct Ahead {
  Lanes steps;  // to the first stop
  Lanes to;     // its id
  __mmask8 open, hit;
};

template <int kUp, int kShift>
OCTILE_AVX512_INLINE Ahead look(Lanes stops, Lanes far_stops, Lanes cells, Lanes far_cells,
                                Lanes at, Lanes ids, uint64_t wrap, __mmask8 live) noexcept {
  // Shifts by 64 leave nothing.
  Ahead r;
  if (kUp > 0) {
    const Lanes by = _mm512_add_epi64(at, all(1));
    Lanes ahead = _mm512_srlv_epi64(stops, by);
    const __mmask8 over = _mm512_testn_epi64_mask(ahead, ahead);
    ahead = _mm512_mask_mov_epi64(ahead, over, far_stops);
    const Lanes free = _mm512_mask_mov_epi64(_mm512_srlv_epi64(cells, by), over, far_cells);
    const Lanes first = _mm512_and_si512(ahead, _mm512_sub_epi64(_mm512_setzero_si512(), ahead));
    r.open = _mm512_mask_testn_epi64_mask(live, ahead, ahead);
    r.hit = _mm512_mask_test_epi64_mask(live, first, free);
    // 64 - lead, and 63 - at where it is in the next tile.
    const Lanes most = _mm512_mask_sub_epi64(all(64), over, all(127), at);
    r.steps = _mm512_sub_epi64(most, _mm512_lzcnt_epi64(first));
    r.to = _mm512_add_epi64(ids, _mm512_slli_epi64(r.steps, kShift));
    r.to = _mm512_mask_add_epi64(r.to, over, r.to, all(wrap));
  } else {
    const Lanes by = _mm512_sub_epi64(all(64), at);
    Lanes ahead = _mm512_sllv_epi64(stops, by);
    const __mmask8 over = _mm512_testn_epi64_mask(ahead, ahead);
    ahead = _mm512_mask_mov_epi64(ahead, over, far_stops);
    const Lanes free = _mm512_mask_mov_epi64(_mm512_sllv_epi64(cells, by), over, far_cells);
    const Lanes lead = _mm512_lzcnt_epi64(ahead);
    r.open = _mm512_mask_testn_epi64_mask(live, ahead, ahead);
    r.hit = static_cast<__mmask8>(live & _mm512_movepi64_mask(_mm512_sllv_epi64(free, lead)));
    r.steps = _mm512_add_epi64(lead, _mm512_mask_add_epi64(all(1), over, at, all(1)));
    r.to = _mm512_sub_epi64(ids, _mm512_slli_epi64(r.steps, kShift));
    r.to = _mm512_mask_sub_epi64(r.to, over, r.to, all(wrap));
  }
  return r;
}

// The scans of the lanes in `live` along their rows or columns, which `cells` holds; `at` are the
// places of the lanes in those words. Writes the hits, their costs `gap` further on, and returns
// where the next ones go.
template <int kUp, int kAcross, bool kColumns>
OCTILE_AVX512_INLINE uint64_t* scan_lines(const JumpGround& g, uint32_t tile, uint32_t line,
                                          Lanes cells, Lanes at, Lanes ids, Lanes costs,
                                          __mmask8 live, uint64_t* out, ptrdiff_t gap) noexcept {
  constexpr uint32_t kStop =
      kColumns ? (kUp > 0 ? kStopSouth : kStopNorth) : (kUp > 0 ? kStopEast : kStopWest);
  constexpr uint32_t kShift = kColumns ? 6 : 0;
  const uint32_t step = kColumns ? g.across : 1;
  const uint64_t hop = uint64_t{step} << 12, wrap = hop - (uint64_t{64} << kShift);
  // 1. As far as nearly all scans go. Looking into the next tile at once is cheaper than guessing
  //    whether that is needed.
  tile = kUp > 0 ? tile + step : tile - step;
  Lanes stops =
      window<kAcross>((kUp > 0 ? g.tiles[tile - step] : g.tiles[tile + step])->stop[kStop], line);
  const LayerTile* far = g.tiles[tile];
  Lanes far_stops = window<kAcross>(far->stop[kStop], line);
  Lanes far_cells = window<kAcross>(kColumns ? far->col : far->row, line);
  Ahead all_lanes = look<kUp, kShift>(stops, far_stops, cells, far_cells, at, ids, wrap, live);
  // 2. On from tile to tile, until all lanes have met a stop.
  if (__builtin_expect(all_lanes.open, 0)) {
    // Each lane as if it stood just before the tile.
    Lanes run = kUp > 0 ? _mm512_sub_epi64(all(63), at) : at;
    Lanes edge = kUp > 0 ? _mm512_add_epi64(ids, _mm512_slli_epi64(run, kShift))
                         : _mm512_sub_epi64(ids, _mm512_slli_epi64(run, kShift));
    edge = kUp > 0 ? _mm512_add_epi64(edge, all(wrap)) : _mm512_sub_epi64(edge, all(wrap));
    do {
      tile = kUp > 0 ? tile + step : tile - step;
      far = g.tiles[tile];
      stops = window<kAcross>(far->stop[kStop], line);
      edge = kUp > 0 ? _mm512_add_epi64(edge, all(hop)) : _mm512_sub_epi64(edge, all(hop));
      run = _mm512_add_epi64(run, all(64));
      const __mmask8 met = _mm512_mask_test_epi64_mask(all_lanes.open, stops, stops);
      cells = window<kAcross>(kColumns ? far->col : far->row, line);
      if (kUp > 0) stops = _mm512_and_si512(stops, _mm512_sub_epi64(_mm512_setzero_si512(), stops));
      const Lanes lead = _mm512_lzcnt_epi64(stops);
      const Lanes steps =
          kUp > 0 ? _mm512_sub_epi64(all(64), lead) : _mm512_add_epi64(lead, all(1));
      const Lanes way = _mm512_slli_epi64(steps, kShift);
      all_lanes.steps = _mm512_mask_add_epi64(all_lanes.steps, met, steps, run);
      all_lanes.to = kUp > 0 ? _mm512_mask_add_epi64(all_lanes.to, met, edge, way)
                             : _mm512_mask_sub_epi64(all_lanes.to, met, edge, way);
      all_lanes.hit = static_cast<__mmask8>(
          all_lanes.hit | (met & _mm512_movepi64_mask(_mm512_sllv_epi64(cells, lead))));
      all_lanes.open = static_cast<__mmask8>(all_lanes.open & ~met);
    } while (all_lanes.open);
  }
  // 3. Keep the hits.
  const Lanes sum = _mm512_add_epi64(costs, _mm512_mul_epu32(all_lanes.steps, all(g.straight)));
  _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(all_lanes.hit, all_lanes.to));
  _mm512_storeu_si512(out + gap, _mm512_maskz_compress_epi64(all_lanes.hit, sum));
  return out + __builtin_popcount(all_lanes.hit);
}

template <JumpRule kRule, int kX, int kY>
OCTILE_AVX512 void quadrant(const JumpGround& g, const JumpOrigin& from, bool scan_x, bool scan_y,
                            JumpHits* out) noexcept {
  constexpr uint32_t kMove =
      kX > 0 ? (kY > 0 ? kSouthEast : kNorthEast) : (kY > 0 ? kSouthWest : kNorthWest);
  constexpr int64_t kStep = kY * 64 + kX;
  const uint64_t number = uint64_t{from.number} << 35;
  uint32_t tile = from.id >> 12, x = from.id & 63, y = from.id >> 6 & 63;
  const Lanes id_steps =
      _mm512_setr_epi64(0, kStep, 2 * kStep, 3 * kStep, 4 * kStep, 5 * kStep, 6 * kStep, 7 * kStep);
  Lanes costs = _mm512_add_epi64(all(from.g), _mm512_mul_epu32(iota(), all(g.diagonal)));
  uint32_t skip_x = !scan_x, skip_y = !scan_y, skip = 1;  // the first lane
  uint64_t* hits = out->id + out->count;
  const ptrdiff_t gap = out->cost - out->id;
  for (;;) {
    const LayerTile* t = g.tiles[tile];
    const uint32_t n = inside<kX, kY>(x, y);
    const Lanes rows = window<kY>(t->row, y), columns = window<kX>(t->col, x);
    const Lanes xs = places<kX>(x), ys = places<kY>(y);
    const Lanes ids = _mm512_add_epi64(all(number | uint64_t{tile} << 12 | y << 6 | x), id_steps);
    const Lanes row_ids = _mm512_add_epi64(ids, all(uint64_t{kX > 0 ? kEast : kWest} << 32));
    const Lanes column_ids = _mm512_add_epi64(ids, all(uint64_t{kY > 0 ? kSouth : kNorth} << 32));
    __m256i moves;
    uint32_t legal;
    if constexpr (kRule == JumpRule::cutting) {
      moves = lane_moves<kX, kY>(*t, x, y, n);
      legal = have<kMove>(moves);
    } else {
      legal = legal_steps<kX>(rows, xs);
    }
    const uint32_t steps = static_cast<uint32_t>(__builtin_ctz(~legal | 1u << (n - 1)));
    const uint32_t live = (2u << steps) - 1;
    hits = scan_lines<kX, kY, false>(g, tile, y, rows, xs, row_ids, costs,
                                     static_cast<__mmask8>(live & ~skip_x), hits, gap);
    hits = scan_lines<kY, kX, true>(g, tile, x, columns, ys, column_ids, costs,
                                    static_cast<__mmask8>(live & ~skip_y), hits, gap);
    if constexpr (kRule == JumpRule::cutting) {
      const uint32_t forced = (have<kMove + 2>(moves) & ~have<kMove + 3>(moves)) |
                              (have<kMove - 2>(moves) & ~have<kMove - 3>(moves));
      const auto hit = static_cast<__mmask8>(live & ~skip & forced);
      _mm512_storeu_si512(hits, _mm512_maskz_compress_epi64(
                                    hit, _mm512_add_epi64(ids, all(uint64_t{kMove} << 32))));
      _mm512_storeu_si512(hits + gap, _mm512_maskz_compress_epi64(hit, costs));
      hits += __builtin_popcount(hit);
    }
    if (steps + 1 < n) break;
    // By n - 1, not by steps, which is the same here but known much later.
    x += static_cast<uint32_t>(kX) * (n - 1);
    y += static_cast<uint32_t>(kY) * (n - 1);
    if (!(t->moves[y << 6 | x] >> kMove & 1)) break;
    x += static_cast<uint32_t>(kX);
    y += static_cast<uint32_t>(kY);
    if (x > 63) tile = kX > 0 ? tile + 1 : tile - 1;
    if (y > 63) tile = kY > 0 ? tile + g.across : tile - g.across;
    x &= 63;
    y &= 63;
    costs = _mm512_add_epi64(costs, all(g.diagonal * n));
    skip_x = skip_y = skip = 0;
  }
  out->count = static_cast<uint32_t>(hits - out->id);
}

template <JumpRule kRule>
OCTILE_AVX512 void scan(const JumpGround& g, const JumpOrigin& from, JumpHits* out) noexcept {
  const uint32_t quadrants = from.quadrants;
  // Mostly a single one: one jump instead of four guesses.
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
  const bool lines = kRule == JumpRule::no_cutting || !(quadrants & kDiagonalsOnly);
  const bool se = quadrants & kQuadrantSE, ne = quadrants & kQuadrantNE;
  const bool sw = quadrants & kQuadrantSW, nw = quadrants & kQuadrantNW;
  if (se) quadrant<kRule, 1, 1>(g, from, lines, lines, out);
  if (ne) quadrant<kRule, 1, -1>(g, from, lines && !se, lines, out);
  if (sw) quadrant<kRule, -1, 1>(g, from, lines, lines && !se, out);
  if (nw) quadrant<kRule, -1, -1>(g, from, lines && !sw, lines && !ne, out);
}

// How many cells from x on are free in a row of a tile.
template <int kX>
OCTILE_AVX512_INLINE uint32_t free_cells(uint64_t row, uint32_t x) noexcept {
  return static_cast<uint32_t>(kX > 0 ? _tzcnt_u64(~(row >> x)) : _lzcnt_u64(~(row << (63 - x))));
}

template <int kX>
OCTILE_AVX512 void walk_row(const JumpGround& g, const JumpOrigin& from, bool scan_south,
                            bool scan_north, JumpHits* out) noexcept {
  const uint64_t number = uint64_t{from.number} << 35;
  uint32_t tile = from.id >> 12, x = from.id & 63;
  const uint32_t y = from.id >> 6 & 63;
  Lanes costs = _mm512_add_epi64(all(from.g), _mm512_mul_epu32(iota(), all(g.straight)));
  uint32_t skip_south = !scan_south, skip_north = !scan_north;  // the first lane
  uint64_t* hits = out->id + out->count;
  const ptrdiff_t gap = out->cost - out->id;
  for (;;) {
    const LayerTile* t = g.tiles[tile];
    uint32_t n = kX > 0 ? 64 - x : x + 1;
    n = n < 8 ? n : 8;
    const uint32_t free = free_cells<kX>(t->row[y], x);
    const uint32_t count = free < n ? free : n;
    const uint32_t live = (1u << count) - 1;
    const Lanes columns = window<kX>(t->col, x), ys = all(y);
    const Lanes at = all(number | uint64_t{tile} << 12 | y << 6 | x);
    const Lanes ids = kX > 0 ? _mm512_add_epi64(at, iota()) : _mm512_sub_epi64(at, iota());
    hits = scan_lines<1, kX, true>(g, tile, x, columns, ys,
                                   _mm512_add_epi64(ids, all(uint64_t{kSouth} << 32)), costs,
                                   static_cast<__mmask8>(live & ~skip_south), hits, gap);
    hits = scan_lines<-1, kX, true>(g, tile, x, columns, ys,
                                    _mm512_add_epi64(ids, all(uint64_t{kNorth} << 32)), costs,
                                    static_cast<__mmask8>(live & ~skip_north), hits, gap);
    if (count < n) break;
    x += static_cast<uint32_t>(kX) * (n - 1);
    if (!(t->moves[y << 6 | x] >> (kX > 0 ? kEast : kWest) & 1)) break;
    x += static_cast<uint32_t>(kX);
    if (x > 63) tile = kX > 0 ? tile + 1 : tile - 1;
    x &= 63;
    costs = _mm512_add_epi64(costs, all(g.straight * n));
    skip_south = skip_north = 0;
  }
  out->count = static_cast<uint32_t>(hits - out->id);
}

template <>
OCTILE_AVX512 void scan<JumpRule::four>(const JumpGround& g, const JumpOrigin& from,
                                        JumpHits* out) noexcept {
  const uint32_t ways = four_ways(g, from);
  const bool south = ways & kWaySouth, north = ways & kWayNorth, east = ways & kWayEast;
  if (east) walk_row<1>(g, from, south, north, out);
  if (ways & kWayWest) walk_row<-1>(g, from, south && !east, north && !east, out);
}

template <JumpRule kRule, int kX, int kY>
OCTILE_AVX512 bool run_along(const JumpGround& g, CellId id, uint32_t count) noexcept {
  constexpr uint32_t kMove =
      kX > 0 ? (kY > 0 ? kSouthEast : kNorthEast) : (kY > 0 ? kSouthWest : kNorthWest);
  uint32_t tile = id >> 12, x = id & 63, y = id >> 6 & 63;
  while (count > 0) {
    const LayerTile* t = g.tiles[tile];
    const uint32_t n = inside<kX, kY>(x, y);
    const uint32_t least = count < n - 1 ? count : n - 1;
    const uint32_t wrong =
        ~(kRule == JumpRule::cutting ? have<kMove>(lane_moves<kX, kY>(*t, x, y, n))
                                     : legal_steps<kX>(window<kY>(t->row, y), places<kX>(x)));
    if (wrong & ((1u << least) - 1)) return false;
    if (count < n) return true;
    count -= n;
    x += static_cast<uint32_t>(kX) * (n - 1);
    y += static_cast<uint32_t>(kY) * (n - 1);
    if (!(t->moves[y << 6 | x] >> kMove & 1)) return false;
    x += static_cast<uint32_t>(kX);
    y += static_cast<uint32_t>(kY);
    if (x > 63) tile = kX > 0 ? tile + 1 : tile - 1;
    if (y > 63) tile = kY > 0 ? tile + g.across : tile - g.across;
    x &= 63;
    y &= 63;
  }
  return true;
}

template <JumpRule kRule>
OCTILE_AVX512 bool walk(const JumpGround& g, CellId id, uint32_t d, uint32_t count) noexcept {
  switch (d) {
    case kSouthEast:
      return run_along<kRule, 1, 1>(g, id, count);
    case kSouthWest:
      return run_along<kRule, -1, 1>(g, id, count);
    case kNorthWest:
      return run_along<kRule, -1, -1>(g, id, count);
    default:
      return run_along<kRule, 1, -1>(g, id, count);
  }
}

template <int kX>
OCTILE_AVX512 bool run_along_row(const JumpGround& g, CellId id, uint32_t count) noexcept {
  const uint32_t y = id >> 6 & 63;
  uint32_t tile = id >> 12, x = id & 63;
  for (;;) {
    const uint32_t n = kX > 0 ? 64 - x : x + 1;  // to the edge of the tile
    const uint32_t free = free_cells<kX>(g.tiles[tile]->row[y], x);
    if (count < n) return count < free;
    if (free < n) return false;
    count -= n;
    tile = kX > 0 ? tile + 1 : tile - 1;
    x = kX > 0 ? 0 : 63;
  }
}

template <>
OCTILE_AVX512 bool walk<JumpRule::four>(const JumpGround& g, CellId id, uint32_t d,
                                        uint32_t count) noexcept {
  return d == kEast ? run_along_row<1>(g, id, count) : run_along_row<-1>(g, id, count);
}

template <class Nodes>
OCTILE_AVX512 [[gnu::flatten]] Progress search(JumpMoves& moves, Nodes& nodes, JumpQueue& open,
                                               Watch& watch, State& state,
                                               uint64_t budget) noexcept {
  return detail::best_first(moves, nodes, open, watch, state, budget);
}

OCTILE_AVX512 [[gnu::flatten]] Progress dense_search(JumpMoves& moves, NodePages& nodes,
                                                     JumpQueue& open, Watch& watch, State& state,
                                                     uint64_t budget) noexcept {
  return jump_search(moves, nodes, open, watch, state, budget);
}

}  // namespace

const JumpKernel kJumpAvx512{"avx512",
                             {{scan<JumpRule::no_cutting>, walk<JumpRule::no_cutting>},
                              {scan<JumpRule::cutting>, walk<JumpRule::cutting>},
                              {scan<JumpRule::four>, walk<JumpRule::four>}},
                             search<NodePages>,
                             dense_search,
                             search<SparseNodes>};

}  // namespace octile

#endif
