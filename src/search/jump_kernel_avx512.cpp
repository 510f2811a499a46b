// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The jump kernel for x86-64 with AVX-512: eight cells in one vector.

#include "search/jump_kernel.hpp"

#if OCTILE_JUMPS_X86

#include <immintrin.h>

#include "search/jump_search.hpp"

// g++ 12 takes the undefined vectors inside its own intrinsics for mistakes (GCC bug 105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#define OCTILE_JUMPS_NAME jumps_avx512
#define OCTILE_JUMPS_GATHER 1
#define OCTILE_JUMPS_SIFTED 0
#define OCTILE_JUMPS [[gnu::target("avx512f,avx512cd,avx512dq,bmi,bmi2,lzcnt,popcnt")]]
#define OCTILE_JUMPS_INLINE \
  [[gnu::target("avx512f,avx512cd,avx512dq,bmi,bmi2,lzcnt,popcnt"), gnu::always_inline]] inline

namespace octile {

namespace {

namespace OCTILE_JUMPS_NAME {

constexpr uint32_t kLanes = 8;
using Lanes = __m512i;
using Set = __mmask8;
using Mask = __mmask8;

OCTILE_JUMPS_INLINE Lanes all(uint64_t value) noexcept {
  return _mm512_set1_epi64(static_cast<int64_t>(value));
}
template <int64_t kStep>
OCTILE_JUMPS_INLINE Lanes ladder() noexcept {
  return _mm512_setr_epi64(0, kStep, 2 * kStep, 3 * kStep, 4 * kStep, 5 * kStep, 6 * kStep,
                           7 * kStep);
}
OCTILE_JUMPS_INLINE Lanes load(const uint64_t* words) noexcept {
  return _mm512_loadu_si512(words);
}
OCTILE_JUMPS_INLINE Lanes backwards(Lanes a) noexcept {
  return _mm512_permutexvar_epi64(_mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0), a);
}
OCTILE_JUMPS_INLINE Lanes add(Lanes a, Lanes b) noexcept {
  return _mm512_add_epi64(a, b);
}
OCTILE_JUMPS_INLINE Lanes sub(Lanes a, Lanes b) noexcept {
  return _mm512_sub_epi64(a, b);
}
// Factors of 32 bits.
OCTILE_JUMPS_INLINE Lanes times(Lanes a, uint64_t b) noexcept {
  return _mm512_mul_epu32(a, all(b));
}
template <int kBy>
OCTILE_JUMPS_INLINE Lanes shift_left(Lanes a) noexcept {
  return _mm512_slli_epi64(a, kBy);
}
OCTILE_JUMPS_INLINE Lanes shift_left(Lanes a, Lanes by) noexcept {
  return _mm512_sllv_epi64(a, by);
}
OCTILE_JUMPS_INLINE Lanes shift_right(Lanes a, Lanes by) noexcept {
  return _mm512_srlv_epi64(a, by);
}
OCTILE_JUMPS_INLINE Lanes lowest_bit(Lanes a) noexcept {
  return _mm512_and_si512(a, _mm512_sub_epi64(_mm512_setzero_si512(), a));
}
OCTILE_JUMPS_INLINE Lanes leading_zeros(Lanes a) noexcept {
  return _mm512_lzcnt_epi64(a);
}

OCTILE_JUMPS_INLINE Set bits(Mask m) noexcept {
  return m;
}
OCTILE_JUMPS_INLINE Mask without(Mask a, Mask b) noexcept {
  return static_cast<Mask>(a & ~b);
}
OCTILE_JUMPS_INLINE Mask is_empty(Lanes a) noexcept {
  return _mm512_testn_epi64_mask(a, a);
}
OCTILE_JUMPS_INLINE Set meets(Set of, Lanes a, Lanes b) noexcept {
  return _mm512_mask_test_epi64_mask(of, a, b);
}
OCTILE_JUMPS_INLINE Set tops(Lanes a) noexcept {
  return _mm512_movepi64_mask(a);
}
OCTILE_JUMPS_INLINE Lanes pick(Mask m, Lanes no, Lanes yes) noexcept {
  return _mm512_mask_mov_epi64(no, m, yes);
}
OCTILE_JUMPS_INLINE Lanes add_where(Mask m, Lanes a, Lanes b) noexcept {
  return _mm512_mask_add_epi64(a, m, a, b);
}
OCTILE_JUMPS_INLINE Lanes sub_where(Mask m, Lanes a, Lanes b) noexcept {
  return _mm512_mask_sub_epi64(a, m, a, b);
}

OCTILE_JUMPS_INLINE void keep(Set lanes, Lanes a, uint64_t* out) noexcept {
  _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(lanes, a));
}

// Words from place `at` on, upwards or downwards: lane i gets word at + i or at - i.
template <int kUp>
OCTILE_JUMPS_INLINE Lanes window(const uint64_t* words, uint32_t at) noexcept {
  const auto first = static_cast<int32_t>(at);
  return kUp > 0 ? load(words + first) : backwards(load(words + first - 7));
}

template <int kUp>
OCTILE_JUMPS_INLINE Lanes places(uint32_t at) noexcept {
  return add(all(at), ladder<kUp>());
}

// The rest of each lane's word in its own tile, and where no stop is left in it, all of its word in
// the next tile.
struct Ahead {
  Lanes steps;  // to the first stop
  Lanes to;     // its id
  Mask open;    // no stop in either
  Set hit;
};

template <int kUp, int kShift>
OCTILE_JUMPS_INLINE Ahead look(Lanes stops, Lanes far_stops, Lanes cells, Lanes far_cells, Lanes at,
                               Lanes ids, uint64_t wrap, Set live) noexcept {
  Ahead r;
  if (kUp > 0) {
    const Lanes by = add(at, all(1));
    Lanes ahead = shift_right(stops, by);
    const Mask over = is_empty(ahead);
    ahead = pick(over, ahead, far_stops);
    const Lanes free = pick(over, shift_right(cells, by), far_cells);
    const Lanes first = lowest_bit(ahead);
    r.open = is_empty(ahead);
    r.hit = meets(live, first, free);
    // 64 - lead, and 63 - at where it is in the next tile.
    r.steps = sub(pick(over, all(64), sub(all(127), at)), leading_zeros(first));
    r.to = add_where(over, add(ids, shift_left<kShift>(r.steps)), all(wrap));
  } else {
    const Lanes by = sub(all(64), at);
    Lanes ahead = shift_left(stops, by);
    const Mask over = is_empty(ahead);
    ahead = pick(over, ahead, far_stops);
    const Lanes free = pick(over, shift_left(cells, by), far_cells);
    const Lanes lead = leading_zeros(ahead);
    r.open = is_empty(ahead);
    r.hit = static_cast<Set>(live & tops(shift_left(free, lead)));
    r.steps = add(lead, add_where(over, all(1), at));
    r.to = sub_where(over, sub(ids, shift_left<kShift>(r.steps)), all(wrap));
  }
  return r;
}

// What lanes scan from.
struct Origins {
  Lanes at;  // places in their words
  Lanes ids;
  Lanes costs;
};

// The scans of the lanes in `live` along their rows or columns. Writes the hits, their costs `gap`
// further on, and returns where the next ones go.
template <int kUp, int kAcross, bool kColumns>
OCTILE_JUMPS_INLINE uint64_t* scan_lines(const JumpGround& g, uint32_t tile, uint32_t line,
                                         Origins from, uint32_t live, uint64_t* out,
                                         ptrdiff_t gap) noexcept {
  constexpr uint32_t kStop =
      kColumns ? (kUp > 0 ? kStopSouth : kStopNorth) : (kUp > 0 ? kStopEast : kStopWest);
  constexpr uint32_t kShift = kColumns ? 6 : 0;
  constexpr uint64_t kArrival = kColumns ? (kUp > 0 ? kSouth : kNorth) : (kUp > 0 ? kEast : kWest);
  const uint32_t step = kColumns ? g.across : 1;
  const uint64_t hop = uint64_t{step} << 12, wrap = hop - (uint64_t{64} << kShift);
  const auto lines = [](const LayerTile* t) { return kColumns ? t->col : t->row; };
  const LayerTile* here = g.tiles[tile];
  const LayerTile* next = g.tiles[kUp > 0 ? tile + step : tile - step];
  from.ids = add(from.ids, all(kArrival << 32));
  // 1. As far as nearly all scans go. Looking into the next tile at once is cheaper than guessing
  //    whether that is needed.
  Lanes stops = window<kAcross>(here->stop[kStop], line);
  Lanes cells = window<kAcross>(lines(here), line);
  Ahead ahead = look<kUp, kShift>(stops, window<kAcross>(next->stop[kStop], line), cells,
                                  window<kAcross>(lines(next), line), from.at, from.ids, wrap,
                                  static_cast<Set>(live));
  // 2. On from tile to tile, until all lanes have met a stop.
  if (__builtin_expect(bits(ahead.open) & live, 0)) {
    uint32_t far = kUp > 0 ? tile + step : tile - step;
    // Each lane as if it stood just before the tile.
    Lanes run = kUp > 0 ? sub(all(63), from.at) : from.at;
    Lanes edge = kUp > 0 ? add(from.ids, add(shift_left<kShift>(run), all(wrap)))
                         : sub(from.ids, add(shift_left<kShift>(run), all(wrap)));
    do {
      far = kUp > 0 ? far + step : far - step;
      stops = window<kAcross>(g.tiles[far]->stop[kStop], line);
      edge = kUp > 0 ? add(edge, all(hop)) : sub(edge, all(hop));
      run = add(run, all(64));
      cells = window<kAcross>(lines(g.tiles[far]), line);
      const Mask none = is_empty(stops), met = without(ahead.open, none);
      if (kUp > 0) stops = lowest_bit(stops);
      const Lanes lead = leading_zeros(stops);
      const Lanes steps = kUp > 0 ? sub(all(64), lead) : add(lead, all(1));
      const Lanes way = shift_left<kShift>(steps);
      ahead.steps = pick(met, ahead.steps, add(steps, run));
      ahead.to = pick(met, ahead.to, kUp > 0 ? add(edge, way) : sub(edge, way));
      ahead.hit = static_cast<Set>(ahead.hit | (bits(met) & live & tops(shift_left(cells, lead))));
      ahead.open = without(ahead.open, met);
    } while (bits(ahead.open) & live);
  }
  // 3. Keep the hits.
  keep(ahead.hit, ahead.to, out);
  keep(ahead.hit, add(from.costs, times(ahead.steps, g.straight)), out + gap);
  return out + __builtin_popcount(ahead.hit);
}

template <int kX, int kY>
OCTILE_JUMPS_INLINE uint64_t* scan_diagonal(const JumpGround& g, const JumpBatch& b, uint64_t* out,
                                            ptrdiff_t gap) noexcept {
  const uint32_t live = (2u << b.steps) - 1;
  Origins lanes{places<kX>(b.x), add(all(b.id()), ladder<kY * 64 + kX>()),
                add(all(b.cost), times(ladder<1>(), g.diagonal))};
  out = scan_lines<kX, kY, false>(g, b.tile, b.y, lanes, live & ~b.skip_x, out, gap);
  lanes.at = places<kY>(b.y);
  return scan_lines<kY, kX, true>(g, b.tile, b.x, lanes, live & ~b.skip_y, out, gap);
}

template <int kX>
OCTILE_JUMPS_INLINE uint64_t* scan_row(const JumpGround& g, const JumpBatch& b, uint64_t* out,
                                       ptrdiff_t gap) noexcept {
  const uint32_t live = (2u << b.steps) - 1;
  const Origins lanes{all(b.y), add(all(b.id()), ladder<kX>()),
                      add(all(b.cost), times(ladder<1>(), g.straight))};
  out = scan_lines<1, kX, true>(g, b.tile, b.x, lanes, live & ~b.skip_x, out, gap);
  return scan_lines<-1, kX, true>(g, b.tile, b.x, lanes, live & ~b.skip_y, out, gap);
}

// Nothing is left to do.
template <JumpRule>
OCTILE_JUMPS_INLINE void settle(const JumpGround&, const JumpOrigin&, uint32_t,
                                const JumpHits&) noexcept {}

}  // namespace OCTILE_JUMPS_NAME

}  // namespace

}  // namespace octile

#include "search/jump_kernel_lanes.hpp"

namespace octile {

const JumpKernel kJumpAvx512 = OCTILE_JUMPS_NAME::make_kernel("avx512");

}  // namespace octile

#undef OCTILE_JUMPS
#undef OCTILE_JUMPS_INLINE
#undef OCTILE_JUMPS_NAME
#undef OCTILE_JUMPS_GATHER
#undef OCTILE_JUMPS_SIFTED

#endif
