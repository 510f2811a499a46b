// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The jump kernel for vectors of 128 bits, in one source for ARM with NEON, WebAssembly with SIMD
// and x86-64 with SSE4.1: two cells at once. It sifts scans as the AVX2 kernel does.

#include "search/jump_kernel.hpp"

#if OCTILE_JUMPS_128

#include <cstring>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#elif OCTILE_JUMPS_X86
#include <immintrin.h>
#endif

#include "search/jump_search.hpp"

#define OCTILE_JUMPS_NAME jumps_128
#define OCTILE_JUMPS_GATHER 0
#define OCTILE_JUMPS_SIFTED 1
#if OCTILE_JUMPS_X86
#define OCTILE_JUMPS [[gnu::target("sse4.1,popcnt")]]
#define OCTILE_JUMPS_INLINE [[gnu::target("sse4.1,popcnt"), gnu::always_inline]] inline
#else
#define OCTILE_JUMPS
#define OCTILE_JUMPS_INLINE [[gnu::always_inline]] inline
#endif

namespace octile {

namespace {

namespace OCTILE_JUMPS_NAME {

using Lanes = uint64_t __attribute__((vector_size(16)));

OCTILE_JUMPS_INLINE Lanes all(uint64_t value) noexcept {
  return Lanes{value, value};
}
// Lanes stand in the order of memory: where cells go against it, lane 1 is the first of two.
template <int kAcross>
OCTILE_JUMPS_INLINE Lanes window(const uint64_t* words, uint32_t at) noexcept {
  const auto first = static_cast<int32_t>(at);  // below 0 where nobody asks for it
  Lanes v;
  std::memcpy(&v, kAcross > 0 ? words + first : words + first - 1, sizeof v);
  return v;
}
template <int kAcross>
OCTILE_JUMPS_INLINE Lanes two(uint64_t first, uint64_t second) noexcept {
  return kAcross > 0 ? Lanes{first, second} : Lanes{second, first};
}
OCTILE_JUMPS_INLINE bool any_empty(Lanes a) noexcept {
#if defined(__wasm_simd128__)
  return !wasm_i64x2_all_true((v128_t)a);
#elif OCTILE_JUMPS_X86
  return _mm_movemask_pd((__m128d)(a == 0)) != 0;
#else
  return (a[0] == 0) | (a[1] == 0);
#endif
}
// The top bits of both.
OCTILE_JUMPS_INLINE uint32_t tops(Lanes a) noexcept {
#if defined(__wasm_simd128__)
  return wasm_i64x2_bitmask((v128_t)a);
#elif OCTILE_JUMPS_X86
  return static_cast<uint32_t>(_mm_movemask_pd((__m128d)a));
#else
  return static_cast<uint32_t>(a[0] >> 63) | static_cast<uint32_t>(a[1] >> 63) << 1;
#endif
}

// The scans of a batch in one direction, two lanes after two. For each hit it keeps what its id
// begins with, and a word whose highest bit is where it ends.
template <int kUp, int kAcross, bool kColumns, int kAlong, int64_t kStep>
OCTILE_JUMPS_INLINE uint64_t* scan_batch(const JumpGround& g, const JumpBatch& b, uint32_t skip,
                                         uint64_t* out, ptrdiff_t gap) noexcept {
  constexpr uint32_t kStop =
      kColumns ? (kUp > 0 ? kStopSouth : kStopNorth) : (kUp > 0 ? kStopEast : kStopWest);
  constexpr uint64_t kArrival = kColumns ? (kUp > 0 ? kSouth : kNorth) : (kUp > 0 ? kEast : kWest);
  const uint32_t step = (kColumns ? g.across : 1) * static_cast<uint32_t>(kUp);
  const Lanes hop =
      all(static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(step)) * 4096));
  const LayerTile *here = g.tiles[b.tile], *next = g.tiles[b.tile + step];
  const uint64_t *stops = here->stop[kStop], *next_stops = next->stop[kStop];
  const uint64_t* lines = kColumns ? here->col : here->row;
  const uint64_t* next_lines = kColumns ? next->col : next->row;
  uint32_t line = kColumns ? b.x : b.y;
  const uint32_t at = kColumns ? b.y : b.x;
  // What is ahead of the cells in their words.
  const uint64_t first = kUp > 0 ? ~uint64_t{1} << at : (uint64_t{1} << at) - 1;
  Lanes ahead = kAlong ? two<kAcross>(first, kUp > 0 ? first << 1 : first >> 1) : all(first);
  const uint64_t id =
      b.number | kArrival << 32 | uint64_t{b.tile} << 12 | (kColumns ? line : line << 6);
  Lanes ids = two<kAcross>(id, id + static_cast<uint64_t>(kStep));
  const uint32_t steps = b.steps < 8 ? b.steps : 7;  // the ninth cell begins the next batch
  uint32_t live = ((2u << steps) - 1) & ~skip;
  for (uint32_t i = 0; i <= steps; i += 2) {
    // 1. As far as nearly all scans go.
    Lanes word = window<kAcross>(stops, line) & ahead;
    const auto over = (Lanes)(word == 0);
    word |= over & window<kAcross>(next_stops, line);
    Lanes free =
        (over & window<kAcross>(next_lines, line)) | (~over & window<kAcross>(lines, line));
    Lanes to = ids + (over & hop);
    // 2. On from tile to tile, until all lanes have met a stop.
    if (__builtin_expect(any_empty(word), 0)) {
      const Lanes nobody = two<kAcross>(live & 1 ? 0 : ~uint64_t{0}, live & 2 ? 0 : ~uint64_t{0});
      word |= nobody;
      uint32_t far = b.tile + step;
      while (any_empty(word)) {
        far += step;
        const LayerTile* t = g.tiles[far];
        const auto open = (Lanes)(word == 0);
        word |= open & window<kAcross>(t->stop[kStop], line);
        free = (open & window<kAcross>(kColumns ? t->col : t->row, line)) | (~open & free);
        to += open & hop;
      }
    }
    // 3. Is the first stop a free cell?
    Lanes hit;  // by the top bits
    if (kUp > 0) {
      word &= -word;
      hit = -(word & free);
    } else {
      // The greater part of the word has its highest bit.
      const Lanes jumps = word & free, walls = word & ~free;
      hit = jumps | ((walls - jumps) & ~word);
    }
    // 4. Keep the hits.
    constexpr uint32_t kFirst = kAcross > 0 ? 0 : 1;
    const uint32_t hits = tops(hit);
    out[0] = to[kFirst];
    out[gap] = word[kFirst];
    out += hits >> kFirst & live & 1;
    out[0] = to[kFirst ^ 1];
    out[gap] = word[kFirst ^ 1];
    out += hits >> (kFirst ^ 1) & live >> 1 & 1;

    live >>= 2;
    line += static_cast<uint32_t>(2 * kAcross);
    ids += all(static_cast<uint64_t>(2 * kStep));
    if (kAlong) ahead = kUp > 0 ? ahead << 2 : ahead >> 2;
  }
  return out;
}

template <int kX, int kY>
OCTILE_JUMPS_INLINE uint64_t* scan_diagonal(const JumpGround& g, const JumpBatch& b, uint64_t* out,
                                            ptrdiff_t gap) noexcept {
  out = scan_batch<kX, kY, false, kX, 64 * kY>(g, b, b.skip_x, out, gap);
  return scan_batch<kY, kX, true, kY, kX>(g, b, b.skip_y, out, gap);
}

template <int kX>
OCTILE_JUMPS_INLINE uint64_t* scan_row(const JumpGround& g, const JumpBatch& b, uint64_t* out,
                                       ptrdiff_t gap) noexcept {
  out = scan_batch<1, kX, true, 0, kX>(g, b, b.skip_x, out, gap);
  return scan_batch<-1, kX, true, 0, kX>(g, b, b.skip_y, out, gap);
}

template <JumpRule kRule>
OCTILE_JUMPS_INLINE void settle(const JumpGround& g, const JumpOrigin& from, uint32_t first,
                                const JumpHits& hits) noexcept {
  const uint32_t columns = (g.across - 1) << 6;
  const uint32_t rows = static_cast<uint32_t>(__builtin_ctz(g.across)) + 6;
  const uint32_t row_bits = ~uint32_t{63} & UINT32_MAX >> rows;
  const auto x = static_cast<int32_t>((from.id >> 6 & columns) | (from.id & 63));
  const auto y = static_cast<int32_t>((from.id >> rows & row_bits) | (from.id >> 6 & 63));
  const Cost straight = g.straight, diagonal = kRule == JumpRule::four ? 2 * straight : g.diagonal;
  for (uint32_t k = first; k < hits.count; ++k) {
    const auto place = static_cast<uint32_t>(63 ^ __builtin_clzll(hits.cost[k]));
    // Along its row, or where bit 1 of its direction is set, along its column.
    const uint64_t word = hits.id[k];
    const auto id = static_cast<uint32_t>(word) + (place << (word >> 33 & 1 ? 6 : 0));
    hits.id[k] = (word & ~uint64_t{UINT32_MAX}) | id;
    const auto to_x = static_cast<int32_t>((id >> 6 & columns) | (id & 63));
    const auto to_y = static_cast<int32_t>((id >> rows & row_bits) | (id >> 6 & 63));
    const auto dx = static_cast<uint32_t>(to_x < x ? x - to_x : to_x - x);
    const auto dy = static_cast<uint32_t>(to_y < y ? y - to_y : to_y - y);
    hits.cost[k] =
        from.g + straight * (dx > dy ? dx : dy) + (diagonal - straight) * (dx > dy ? dy : dx);
  }
}

}  // namespace OCTILE_JUMPS_NAME

}  // namespace

}  // namespace octile

#include "search/jump_kernel_lanes.hpp"

namespace octile {

const JumpKernel kJump128 = OCTILE_JUMPS_NAME::make_kernel("simd128");

}  // namespace octile

#undef OCTILE_JUMPS
#undef OCTILE_JUMPS_INLINE
#undef OCTILE_JUMPS_NAME
#undef OCTILE_JUMPS_GATHER
#undef OCTILE_JUMPS_SIFTED

#endif
