// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The jump kernel for x86-64 with AVX2: eight cells in two vectors, the second of which few batches
// need. Most scans end at a wall, so they are sifted first. Nothing of a word is moved for that:
// what lies ahead of a cell is picked by a mask, the first stop of it is met by carries, and kept
// are only those words whose first stop is a free cell, each with what its id begins with. Where in
// its word that stop is, and how far away, settle() finds out for all hits of a scan together.

#include "search/jump_kernel.hpp"

#if OCTILE_JUMPS_X86

#include <immintrin.h>

#include "search/jump_search.hpp"

#define OCTILE_JUMPS_NAME jumps_avx2
#define OCTILE_JUMPS_GATHER 1
#define OCTILE_JUMPS_SIFTED 1
#define OCTILE_JUMPS [[gnu::target("avx2,bmi,bmi2,lzcnt,popcnt")]]
#define OCTILE_JUMPS_INLINE [[gnu::target("avx2,bmi,bmi2,lzcnt,popcnt"), gnu::always_inline]] inline

namespace octile {

namespace {

namespace OCTILE_JUMPS_NAME {

using Lanes = __m256i;  // 4 words of 64 bits
using Mask = __m256i;   // all bits of a lane

OCTILE_JUMPS_INLINE Lanes all(uint64_t value) noexcept {
  return _mm256_set1_epi64x(static_cast<int64_t>(value));
}
OCTILE_JUMPS_INLINE Lanes load(const uint64_t* words) noexcept {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words));
}
// Words that were stored just now, by several stores: a load of all must wait for the last of them.
// Volatile, or else g++ makes one load of these.
OCTILE_JUMPS_INLINE Lanes load_each(const uint64_t* words) noexcept {
  const volatile uint64_t* each = words;
  const uint64_t first = each[0], second = each[1], third = each[2], fourth = each[3];
  return _mm256_setr_epi64x(static_cast<int64_t>(first), static_cast<int64_t>(second),
                            static_cast<int64_t>(third), static_cast<int64_t>(fourth));
}
OCTILE_JUMPS_INLINE void store(uint64_t* words, Lanes a) noexcept {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(words), a);
}
OCTILE_JUMPS_INLINE Lanes add(Lanes a, Lanes b) noexcept {
  return _mm256_add_epi64(a, b);
}
OCTILE_JUMPS_INLINE Lanes sub(Lanes a, Lanes b) noexcept {
  return _mm256_sub_epi64(a, b);
}
OCTILE_JUMPS_INLINE Lanes both(Lanes a, Lanes b) noexcept {
  return _mm256_and_si256(a, b);
}
OCTILE_JUMPS_INLINE Lanes without(Lanes a, Lanes b) noexcept {
  return _mm256_andnot_si256(b, a);
}
// Factors of 32 bits.
OCTILE_JUMPS_INLINE Lanes times(Lanes a, Lanes b) noexcept {
  return _mm256_mul_epu32(a, b);
}
OCTILE_JUMPS_INLINE Mask is_empty(Lanes a) noexcept {
  return _mm256_cmpeq_epi64(a, _mm256_setzero_si256());
}
// By the top bits of the lanes: where bytes are picked, g++ 12 first makes the mask anew.
OCTILE_JUMPS_INLINE Lanes pick(Mask m, Lanes no, Lanes yes) noexcept {
  return _mm256_castpd_si256(
      _mm256_blendv_pd(_mm256_castsi256_pd(no), _mm256_castsi256_pd(yes), _mm256_castsi256_pd(m)));
}
// The top bits.
OCTILE_JUMPS_INLINE uint32_t tops(Lanes a) noexcept {
  return static_cast<uint32_t>(_mm256_movemask_pd(_mm256_castsi256_pd(a)));
}

// Lanes stand in the order of memory: where cells go against it, lane 3 is the first of four. So is
// bit 3 of a set of lanes. Where the four at `at` and after it are.
template <int kAcross>
OCTILE_JUMPS_INLINE Lanes window(const uint64_t* words, uint32_t at) noexcept {
  const auto first = static_cast<int32_t>(at);  // below 0 where nobody asks for any of them
  return load(kAcross > 0 ? words + first : words + first - 3);
}
template <int kAcross, bool kColumns>
OCTILE_JUMPS_INLINE Lanes cells(const LayerTile* t, uint32_t line) noexcept {
  return window<kAcross>(kColumns ? t->col : t->row, line);
}
template <int kAcross, int64_t kStep>
OCTILE_JUMPS_INLINE Lanes ladder() noexcept {
  return kAcross > 0 ? _mm256_setr_epi64x(0, kStep, 2 * kStep, 3 * kStep)
                     : _mm256_setr_epi64x(3 * kStep, 2 * kStep, kStep, 0);
}

// The bits after each place of a word, by place upwards and downwards. Beside them what only lanes
// get that nobody asks for.
struct Places {
  static constexpr uint32_t kPad = 8;
  uint64_t up[64 + 2 * kPad], down[64 + 2 * kPad];
};
constexpr Places make_places() noexcept {
  Places table{};
  for (int32_t at = -static_cast<int32_t>(Places::kPad); at < 64; ++at) {
    const uint64_t word = at < 0 ? ~uint64_t{0} : ~uint64_t{1} << at;
    table.up[static_cast<int32_t>(Places::kPad) + at] = word;
    table.down[static_cast<int32_t>(Places::kPad) + 63 - at] = word;
  }
  return table;
}
constexpr Places kAfter = make_places();

// For four lanes whose cells begin at `at`: going up in their words the words of those places,
// going down those of the places before them.
template <int kUp, int kAcross>
OCTILE_JUMPS_INLINE Lanes after(uint32_t at) noexcept {
  const uint64_t* words = (kUp == kAcross ? kAfter.up : kAfter.down) + Places::kPad;
  const auto i = static_cast<int32_t>(at);
  if (kUp > 0) return load(words + (kAcross > 0 ? i : 60 - i));
  return load(words + (kAcross > 0 ? 64 - i : i - 4));
}
// Those bits of their words that are ahead of them.
template <int kUp, int kAcross, int kAlong>
OCTILE_JUMPS_INLINE Lanes ahead_of(uint32_t at, Lanes words) noexcept {
  if (kAlong) {
    const Lanes rest = after<kUp, kAcross>(at);
    return kUp > 0 ? both(words, rest) : without(words, rest);
  }
  const uint64_t here = uint64_t{1} << at;  // all cells in one place of their words
  return both(words, all(kUp > 0 ? ~(here | (here - 1)) : here - 1));
}

// By a set of lanes: where the halves of those in it are, in the order of their cells.
struct KeepTable {
  alignas(32) uint32_t half[2][16][8];
};
constexpr KeepTable make_keep_table() noexcept {
  KeepTable table{};
  for (uint32_t back = 0; back < 2; ++back) {
    for (uint32_t set = 0; set < 16; ++set) {
      uint32_t n = 0;
      for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t lane = back ? 3 - i : i;
        if (!(set >> lane & 1)) continue;
        table.half[back][set][n++] = 2 * lane;
        table.half[back][set][n++] = 2 * lane + 1;
      }
    }
  }
  return table;
}
constexpr KeepTable kKeep = make_keep_table();

// What the scans of a batch in one direction read.
struct Ground {
  const LayerTile* const* tiles;
  uint32_t next, step;  // the tile after that of the batch, and how far that is
  const LayerTile* here_tile;
  const LayerTile* next_tile;
  Lanes hop;  // the step, in ids
};
OCTILE_JUMPS_INLINE Ground ground_of(const JumpGround& g, uint32_t tile, uint32_t step) noexcept {
  const uint32_t next = tile + step;
  return {g.tiles,
          next,
          step,
          g.tiles[tile],
          g.tiles[next],
          all(static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(step)) * 4096))};
}

// The scans of four lanes from `line` on, of those in `live`; `stops` are ahead of them. For each
// hit it keeps what its id begins with, and a word whose highest bit is where it ends.
template <int kUp, int kAcross, bool kColumns>
OCTILE_JUMPS_INLINE uint64_t* scan_lines(const Ground& g, uint32_t line, Lanes stops, Lanes ids,
                                         uint32_t live, uint64_t* out, ptrdiff_t gap) noexcept {
  constexpr uint32_t kStop =
      kColumns ? (kUp > 0 ? kStopSouth : kStopNorth) : (kUp > 0 ? kStopEast : kStopWest);
  // 1. As far as nearly all scans go. Looking into the next tile at once is cheaper than guessing
  //    whether that is needed.
  const Mask over = is_empty(stops);
  Lanes word = pick(over, stops, window<kAcross>(g.next_tile->stop[kStop], line));
  Lanes free = pick(over, cells<kAcross, kColumns>(g.here_tile, line),
                    cells<kAcross, kColumns>(g.next_tile, line));
  ids = add(ids, both(over, g.hop));
  // 2. On from tile to tile, until all lanes have met a stop.
  Mask open = is_empty(word);
  if (__builtin_expect(tops(open) & live, 0)) {
    uint32_t far = g.next;
    do {
      far += g.step;
      const LayerTile* t = g.tiles[far];
      word = pick(open, word, window<kAcross>(t->stop[kStop], line));
      free = pick(open, free, cells<kAcross, kColumns>(t, line));
      ids = add(ids, both(open, g.hop));
      open = is_empty(word);
    } while (tops(open) & live);
  }
  // 3. Is the first stop a free cell?
  uint32_t hit;
  if (kUp > 0) {
    word = both(word, sub(_mm256_setzero_si256(), word));
    hit = live & ~tops(is_empty(both(word, free)));
  } else {
    // The greater part of the word has its highest bit; what has bit 63 is the greater one.
    const Lanes jumps = both(word, free), walls = without(word, free);
    hit = live & tops(pick(word, sub(walls, jumps), jumps));
  }
  // 4. Keep the hits.
  const __m256i halves =
      _mm256_load_si256(reinterpret_cast<const __m256i*>(kKeep.half[kAcross < 0][hit]));
  store(out, _mm256_permutevar8x32_epi32(ids, halves));
  store(out + gap, _mm256_permutevar8x32_epi32(word, halves));
  return out + __builtin_popcount(hit);
}

// Sets of lanes, four for each half of the batch.
template <int kAcross>
OCTILE_JUMPS_INLINE uint32_t first_half(uint32_t steps, uint32_t skip) noexcept {
  return kAcross > 0 ? ((2u << steps) - 1) & 15 & ~skip
                     : (255u ^ (127u >> steps)) >> 4 & ~(skip << 3);
}
template <int kAcross>
OCTILE_JUMPS_INLINE uint32_t second_half(uint32_t steps) noexcept {
  return (kAcross > 0 ? ((2u << steps) - 1) >> 4 : 255u ^ (127u >> steps)) & 15;
}

template <int kUp, int kAcross, bool kColumns, int kAlong, int64_t kStep>
OCTILE_JUMPS_INLINE uint64_t* scan_batch(const Ground& g, const JumpBatch& b, uint32_t skip,
                                         uint64_t* out, ptrdiff_t gap) noexcept {
  constexpr uint32_t kStop =
      kColumns ? (kUp > 0 ? kStopSouth : kStopNorth) : (kUp > 0 ? kStopEast : kStopWest);
  constexpr uint64_t kArrival = kColumns ? (kUp > 0 ? kSouth : kNorth) : (kUp > 0 ? kEast : kWest);
  const uint64_t* words = g.here_tile->stop[kStop];
  uint32_t line = kColumns ? b.x : b.y, at = kColumns ? b.y : b.x;
  Lanes ids =
      add(all(b.number | kArrival << 32 | uint64_t{b.tile} << 12 | (kColumns ? line : line << 6)),
          ladder<kAcross, kStep>());
  out = scan_lines<kUp, kAcross, kColumns>(
      g, line, ahead_of<kUp, kAcross, kAlong>(at, window<kAcross>(words, line)), ids,
      first_half<kAcross>(b.steps, skip), out, gap);
  if (b.steps < 4) return out;
  line += static_cast<uint32_t>(4 * kAcross);
  at += static_cast<uint32_t>(4 * kAlong);
  ids = add(ids, all(static_cast<uint64_t>(4 * kStep)));
  return scan_lines<kUp, kAcross, kColumns>(
      g, line, ahead_of<kUp, kAcross, kAlong>(at, window<kAcross>(words, line)), ids,
      second_half<kAcross>(b.steps), out, gap);
}

template <int kX, int kY>
OCTILE_JUMPS_INLINE uint64_t* scan_diagonal(const JumpGround& g, const JumpBatch& b, uint64_t* out,
                                            ptrdiff_t gap) noexcept {
  const Ground x = ground_of(g, b.tile, static_cast<uint32_t>(kX));
  const Ground y = ground_of(g, b.tile, g.across * static_cast<uint32_t>(kY));
  out = scan_batch<kX, kY, false, kX, 64 * kY>(x, b, b.skip_x, out, gap);
  return scan_batch<kY, kX, true, kY, kX>(y, b, b.skip_y, out, gap);
}

template <int kX>
OCTILE_JUMPS_INLINE uint64_t* scan_row(const JumpGround& g, const JumpBatch& b, uint64_t* out,
                                       ptrdiff_t gap) noexcept {
  const Ground south = ground_of(g, b.tile, g.across), north = ground_of(g, b.tile, -g.across);
  out = scan_batch<1, kX, true, 0, kX>(south, b, b.skip_x, out, gap);
  return scan_batch<-1, kX, true, 0, kX>(north, b, b.skip_y, out, gap);
}

// The places of the highest bits of words that are not 0. The half that tells becomes a double,
// whose exponent is its logarithm.
OCTILE_JUMPS_INLINE Lanes highest(Lanes a) noexcept {
  const Lanes high = _mm256_srli_epi64(a, 32), two52 = all(uint64_t{0x433} << 52);
  const Mask low = is_empty(high);
  const Lanes half = _mm256_or_si256(pick(low, high, a), two52);
  const __m256d real = _mm256_sub_pd(_mm256_castsi256_pd(half), _mm256_castsi256_pd(two52));
  return sub(_mm256_srli_epi64(_mm256_castpd_si256(real), 52),
             add(all(1023 - 32), both(low, all(32))));
}

template <JumpRule kRule>
OCTILE_JUMPS_INLINE void settle(const JumpGround& g, const JumpOrigin& from, uint32_t first,
                                const JumpHits& hits) noexcept {
  // The tile's column and row as they come out when an id is shifted by 6, and by that and the bits
  // of the column.
  const uint32_t columns = (g.across - 1) << 6,
                 rows = static_cast<uint32_t>(__builtin_ctz(g.across)) + 6;
  const uint32_t row_bits = ~uint32_t{63} & UINT32_MAX >> rows;
  const uint32_t x = (from.id >> 6 & columns) | (from.id & 63);
  const uint32_t y = (from.id >> rows & row_bits) | (from.id >> 6 & 63);
  const Cost diagonal = kRule == JumpRule::four ? 2 * g.straight : g.diagonal;
  const Lanes in_tile = all(63);
  for (uint32_t k = first; k < hits.count; k += 4) {
    Lanes id = load_each(hits.id + k);
    // 1. Its place along its row, or where bit 1 of its direction is set, along its column.
    const Lanes at = highest(load_each(hits.cost + k));
    id = add(id, pick(_mm256_slli_epi64(id, 30), at, _mm256_slli_epi64(at, 6)));
    store(hits.id + k, id);
    // 2. Diagonal first, then straight.
    const Lanes id6 = _mm256_srli_epi64(id, 6);
    const Lanes to_x = add(both(id6, all(columns)), both(id, in_tile));
    const Lanes to_y =
        add(both(_mm256_srl_epi64(id, _mm_cvtsi32_si128(static_cast<int>(rows))), all(row_bits)),
            both(id6, in_tile));
    const Lanes dx = _mm256_abs_epi32(_mm256_sub_epi32(to_x, all(x)));
    const Lanes dy = _mm256_abs_epi32(_mm256_sub_epi32(to_y, all(y)));
    store(hits.cost + k, add(add(all(from.g), times(_mm256_max_epu32(dx, dy), all(g.straight))),
                             times(_mm256_min_epu32(dx, dy), all(diagonal - g.straight))));
  }
}

}  // namespace OCTILE_JUMPS_NAME

}  // namespace

}  // namespace octile

#include "search/jump_kernel_lanes.hpp"

namespace octile {

const JumpKernel kJumpAvx2 = OCTILE_JUMPS_NAME::make_kernel("avx2");

}  // namespace octile

#undef OCTILE_JUMPS
#undef OCTILE_JUMPS_INLINE
#undef OCTILE_JUMPS_NAME
#undef OCTILE_JUMPS_GATHER
#undef OCTILE_JUMPS_SIFTED

#endif
