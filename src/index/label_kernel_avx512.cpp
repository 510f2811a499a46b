// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The label kernels for x86-64 with AVX-512 (F, BW, DQ, VL, VBMI): one lane a hub, 16 moves a step.

#include "index/label_common.hpp"
#include "index/label_twins.hpp"

#if OCTILE_LABELS_AVX512

#include <immintrin.h>

namespace octile {

bool has_avx512_labels() noexcept {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("popcnt");
}

}  // namespace octile

#if defined(__clang__)
#pragma clang attribute push(                                                                 \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi,bmi2,popcnt"))), \
    apply_to = function)
#else
#pragma GCC push_options
// The intrinsics leave operands that do not count uninitialised on purpose (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi,bmi2,popcnt")
#endif

namespace octile {

namespace {

// No constant of vector type may stand outside a function: it would be set up on every machine.
inline __m512i far_lanes() {
  return _mm512_set1_epi32(static_cast<int>(kFar));
}

// The lengths of the ways to 16 vias a step: |dx| and |dy| as pairs of 16 bits, the larger one
// straight, the smaller one by what a diagonal step costs more.
void look(const LabelTables& tables, const Side& side) {
  const TileView& tile = side.tile;
  const TileHead& head = tile.head;
  if (head.far_vias) {
    side.look(tables);
    return;
  }
  const uint8_t* row = tile.sight_row(side.cell);
  const uint8_t* place = tile.at + head.via_at;
  const __m512i cell =
      _mm512_set1_epi32(static_cast<int>((side.cell.x & 7) | (side.cell.y & 7) << 16));
  const __m512i straight = _mm512_set1_epi32(static_cast<int>(tables.steps.straight));
  const __m512i extra =
      _mm512_set1_epi32(static_cast<int>(tables.steps.diagonal - tables.steps.straight));
  const __m512i base = _mm512_set1_epi32(static_cast<int>(head.distance_base));
  const __m512i low = _mm512_set1_epi32(0xffff);
  for (uint32_t i = 0; i < head.vias; i += 16) {
    const __m256i bytes =
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(place + 2 * size_t{i}));
    const __m512i apart = _mm512_abs_epi16(_mm512_sub_epi16(_mm512_cvtepi8_epi16(bytes), cell));
    const __m512i turned = _mm512_rol_epi32(apart, 16);
    const __m512i longer = _mm512_and_si512(_mm512_max_epu16(apart, turned), low);
    const __m512i shorter = _mm512_and_si512(_mm512_min_epu16(apart, turned), low);
    const __m512i length = _mm512_add_epi32(
        base,
        _mm512_add_epi32(_mm512_mullo_epi32(longer, straight), _mm512_mullo_epi32(shorter, extra)));
    uint32_t seen = 0xffff;
    if (i < head.partial) {
      seen = read16(row + (i >> 3));
      if (head.partial - i < 16) seen |= 0xffffu << (head.partial - i);
    }
    _mm512_storeu_si512(side.reach + i,
                        _mm512_mask_mov_epi32(far_lanes(), static_cast<__mmask16>(seen), length));
  }
}

// What 32 vias and more look like as registers is decided once a side: a permutation of registers
// is several times as fast as a gather.
struct Lanes {
  const Side& side;

  explicit Lanes(const Side& s) : side(s) {}
  __m512i two(__m512i via, uint32_t first) const {
    return _mm512_permutex2var_epi32(_mm512_loadu_si512(side.reach + first), via,
                                     _mm512_loadu_si512(side.reach + first + 16));
  }
  __m512i four(__m512i via, uint32_t first) const {
    return _mm512_mask_mov_epi32(
        two(via, first), _mm512_test_epi32_mask(via, _mm512_set1_epi32(32)), two(via, first + 32));
  }
  __m512i pick(__m512i via) const {
    const uint32_t vias = side.tile.head.vias;
    if (vias <= 32) return two(via, 0);
    if (vias <= 64) return four(via, 0);
    if (vias <= 128)
      return _mm512_mask_mov_epi32(four(via, 0), _mm512_test_epi32_mask(via, _mm512_set1_epi32(64)),
                                   four(via, 64));
    return _mm512_i32gather_epi32(via, side.reach, 4);
  }

  // The distance to each of the block's hubs, and the first entry that gives it.
  __m512i evaluate(const uint8_t* place, __m512i* entry) const {
    const TileHead& head = side.tile.head;
    if (head.wide) {
      alignas(64) uint32_t lanes[kLanes], entries[kLanes];
      side.evaluate(place, lanes, entries);
      *entry = _mm512_load_si512(entries);
      return _mm512_load_si512(lanes);
    }
    const BlockView block(head, place);
    const uint8_t* distance = block.distances;
    const uint8_t* via = block.vias;
    // 16 distances of three bytes each, one to a lane.
    const __m512i three = _mm512_set_epi8(
        -1, 47, 46, 45, -1, 44, 43, 42, -1, 41, 40, 39, -1, 38, 37, 36, -1, 35, 34, 33, -1, 32, 31,
        30, -1, 29, 28, 27, -1, 26, 25, 24, -1, 23, 22, 21, -1, 20, 19, 18, -1, 17, 16, 15, -1, 14,
        13, 12, -1, 11, 10, 9, -1, 8, 7, 6, -1, 5, 4, 3, -1, 2, 1, 0);
    constexpr __mmask64 kThree = 0x7777777777777777;
    const __m512i count = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    __m512i least = far_lanes();
    // 16 entries at once; a round takes its own from those, and from the next 16 where it goes on.
    __m512i packed = far_lanes(), which = _mm512_setzero_si512();
    uint32_t at = 16, first = 0u - 16;
    const uint8_t* lanes = block.lanes;
    for (uint32_t left = block.entries; left > 0;) {
      const uint32_t mask = read16(lanes);
      const auto n = static_cast<uint32_t>(__builtin_popcount(mask));
      if (at + n > 16) {
        first += at;
        __m512i lengths = _mm512_loadu_si512(distance + size_t{head.distance_bytes} * first);
        if (head.distance_bytes == 3)
          lengths = _mm512_maskz_permutexvar_epi8(kThree, three, lengths);
        packed = _mm512_add_epi32(lengths, pick(_mm512_cvtepu8_epi32(_mm_loadu_si128(
                                               reinterpret_cast<const __m128i*>(via + first)))));
        at = 0;
      }
      const __m512i from = _mm512_maskz_expand_epi32(
          static_cast<__mmask16>(mask),
          _mm512_add_epi32(count, _mm512_set1_epi32(static_cast<int>(at))));
      const __m512i length = _mm512_permutexvar_epi32(from, packed);
      const __mmask16 nearer =
          _mm512_mask_cmplt_epu32_mask(static_cast<__mmask16>(mask), length, least);
      least = _mm512_mask_mov_epi32(least, nearer, length);
      which = _mm512_mask_mov_epi32(
          which, nearer, _mm512_add_epi32(from, _mm512_set1_epi32(static_cast<int>(first))));
      at += n;
      left -= n;
      lanes += 2;
    }
    *entry = which;
    return least;
  }
};

void meet(const LabelTables& tables, Point s, Point t, uint32_t* room, Meeting* meeting) {
  const Side from(tables, s, room), to(tables, t, room + tables.room());
  look(tables, from);
  look(tables, to);
  const Lanes near(from), far(to);
  __m512i best = far_lanes(), block = _mm512_setzero_si512();
  __m512i near_entry = block, far_entry = block;
  for (uint32_t w = 0; w < tables.block_words; ++w) {
    uint64_t common =
        read64(from.tile.words + 8 * size_t{w}) & read64(to.tile.words + 8 * size_t{w});
    for (; common; common &= common - 1) {
      const auto bit = static_cast<uint32_t>(__builtin_ctzll(common));
      __m512i one, two;
      const __m512i sum =
          _mm512_add_epi32(near.evaluate(from.tile.block(from.tile.slot(w, bit)), &one),
                           far.evaluate(to.tile.block(to.tile.slot(w, bit)), &two));
      const __mmask16 better = _mm512_cmplt_epu32_mask(sum, best);
      best = _mm512_mask_mov_epi32(best, better, sum);
      near_entry = _mm512_mask_mov_epi32(near_entry, better, one);
      far_entry = _mm512_mask_mov_epi32(far_entry, better, two);
      block =
          _mm512_mask_mov_epi32(block, better, _mm512_set1_epi32(static_cast<int>(w << 6 | bit)));
    }
  }
  Best chosen;
  chosen.length = _mm512_reduce_min_epu32(best);
  if (chosen.length != kFar) {
    // Of the lanes that reached it the first block's counts, of that block's the first lane.
    __mmask16 equal =
        _mm512_cmpeq_epi32_mask(best, _mm512_set1_epi32(static_cast<int>(chosen.length)));
    if (equal & (equal - 1)) {
      const uint32_t first = _mm512_mask_reduce_min_epu32(equal, block);
      equal =
          _mm512_mask_cmpeq_epi32_mask(equal, block, _mm512_set1_epi32(static_cast<int>(first)));
    }
    chosen.lane = static_cast<uint32_t>(__builtin_ctz(equal));
    const __m512i lane = _mm512_set1_epi32(static_cast<int>(chosen.lane));
    const auto of_lane = [&](__m512i v) {
      return static_cast<uint32_t>(
          _mm_cvtsi128_si32(_mm512_castsi512_si128(_mm512_permutexvar_epi32(lane, v))));
    };
    chosen.block = of_lane(block);
    chosen.entry[0] = of_lane(near_entry);
    chosen.entry[1] = of_lane(far_entry);
  }
  chosen.tell(tables, from, to, meeting);
}

// Writes cells upwards (kStep 1) or downwards (-1); every cell is written when it is left. `at` is
// the present cell in each of eight places.
template <int kStep>
struct CellWriter {
  __m512i at;
  Cell* out;

  CellWriter(Point from, Cell offset, Cell* to) : out(to) {
    at = both(static_cast<int32_t>(from.x) + offset.x, static_cast<int32_t>(from.y) + offset.y);
  }
  static __m512i both(int32_t x, int32_t y) {
    return _mm512_set1_epi64(static_cast<int64_t>(y) << 32 | static_cast<uint32_t>(x));
  }
  // The first n of 8 cells; downwards they come reversed, the first one in the last place.
  void put(__m512i cells, uint32_t n) {
    const uint32_t mask = (1u << n) - 1;
    if constexpr (kStep > 0) {
      _mm512_mask_storeu_epi64(out, static_cast<__mmask8>(mask), cells);
      out += n;
    } else {
      _mm512_mask_storeu_epi64(out - 7, static_cast<__mmask8>(mask << (8 - n)), cells);
      out -= n;
    }
  }
  void put_all(__m512i cells) {
    _mm512_storeu_si512(kStep > 0 ? out : out - 7, cells);
    out += 8 * kStep;
  }

  void run(uint32_t direction, uint32_t steps) {
    if (steps == 0) return;
    const __m512i places = kStep > 0
                               ? _mm512_set_epi32(7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0)
                               : _mm512_set_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
    const __m512i step = both(kDx[direction], kDy[direction]);
    const __m512i eight = _mm512_slli_epi32(step, 3);
    __m512i cells = _mm512_add_epi32(at, _mm512_mullo_epi32(places, step));
    for (uint32_t left = steps;; left -= 8) {
      if (left < 8) {
        if (left) put(cells, left);
        break;
      }
      put_all(cells);
      cells = _mm512_add_epi32(cells, eight);
    }
    at = _mm512_add_epi32(
        at, _mm512_mullo_epi32(step, _mm512_set1_epi32(static_cast<int32_t>(steps))));
  }
  void leg(Point from, Point to) {
    const Leg both_parts = leg_between(from, to);
    run(both_parts.diagonal_move, both_parts.diagonal);
    run(both_parts.straight_move, both_parts.straight);
  }
};

template <int kStep>
Cell* follow(const Meeting& meeting, uint32_t side, Point from, Cell offset, Cell* out) {
  // What a move adds to x and y, by direction.
  const __m256i delta = _mm256_set_epi8(0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, 0, 1, 1, 1, 0,  //
                                        0, 0, 0, 0, 0, 0, 0, 0, 1, 0, -1, -1, -1, 0, 1, 1);
  const __m256i reversed =
      _mm256_set_epi8(-128, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,  //
                      -128, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
  const __m128i spread = _mm_set_epi8(60, 56, 52, 48, 44, 40, 36, 32, 28, 24, 20, 16, 12, 8, 4, 0);
  CellWriter<kStep> writer(from, offset, out);
  // The hub is left by nobody, so it is not written.
  writer.leg(from, meeting.via[side]);
  const uint8_t* tree = meeting.tree;
  uint32_t nibble = meeting.link[side];
  for (;;) {
    const uint8_t* p = tree + (nibble >> 1);
    uint64_t word = read64(p);
    if (nibble & 1) word = word >> 4 | uint64_t{p[8]} << 60;
    const uint64_t stop = word & 0x8888888888888888;
    const uint32_t n = stop ? static_cast<uint32_t>(__builtin_ctzll(stop)) >> 2 : 16;
    if (n) {
      // x in the low half, y in the high half: what each move adds, then the sums.
      const __m128i moves = _mm_and_si128(
          _mm_multishift_epi64_epi8(spread, _mm_set1_epi64x(static_cast<long long>(word))),
          _mm_set1_epi8(15));
      __m256i sum = _mm256_shuffle_epi8(delta, _mm256_broadcastsi128_si256(moves));
      sum = _mm256_add_epi8(sum, _mm256_slli_si256(sum, 1));
      sum = _mm256_add_epi8(sum, _mm256_slli_si256(sum, 2));
      sum = _mm256_add_epi8(sum, _mm256_slli_si256(sum, 4));
      sum = _mm256_add_epi8(sum, _mm256_slli_si256(sum, 8));
      // The cell that move i leaves is where the moves before it lead.
      const __m256i left =
          kStep > 0 ? _mm256_slli_si256(sum, 1) : _mm256_shuffle_epi8(sum, reversed);
      const __m128i x = _mm256_castsi256_si128(left), y = _mm256_extracti128_si256(left, 1);
      const __m512i low = _mm512_add_epi32(writer.at, _mm512_cvtepi8_epi32(_mm_unpacklo_epi8(x, y)));
      const __m512i high =
          _mm512_add_epi32(writer.at, _mm512_cvtepi8_epi32(_mm_unpackhi_epi8(x, y)));
      const uint32_t mask = (1u << n) - 1;
      if constexpr (kStep > 0) {
        _mm512_mask_storeu_epi64(writer.out, static_cast<__mmask8>(mask), low);
        _mm512_mask_storeu_epi64(writer.out + 8, static_cast<__mmask8>(mask >> 8), high);
        writer.out += n;
      } else {
        const uint32_t top = mask << (16 - n);
        _mm512_mask_storeu_epi64(writer.out - 15, static_cast<__mmask8>(top), low);
        _mm512_mask_storeu_epi64(writer.out - 7, static_cast<__mmask8>(top >> 8), high);
        writer.out -= n;
      }
      const __m256i last = _mm256_permutexvar_epi8(
          _mm256_set1_epi16(static_cast<int16_t>((n - 1) | (n + 15) << 8)), sum);
      writer.at =
          _mm512_add_epi32(writer.at, _mm512_cvtepi8_epi32(_mm256_castsi256_si128(last)));
      nibble += n;
      if (n == 16) continue;
      word >>= 4 * n;
    }
    if ((word & 15) == kRun) {
      if (n > 11) word = read64(tree + (nibble >> 1)) >> (4 * (nibble & 1));
      writer.run(word >> 4 & 7, static_cast<uint32_t>(word >> 8 & 0xfff));
      nibble += 5;
    } else {
      nibble = read32(tree + (nibble >> 1) + 1);
      if (nibble == kTreeEnd) break;
    }
  }
  if (kStep > 0) writer.put(writer.at, 1);
  return writer.out;
}

Cell* forward(const LabelTables&, const Meeting& meeting, Point from, Cell offset, Cell* out) {
  return follow<1>(meeting, 0, from, offset, out);
}
Cell* backward(const LabelTables&, const Meeting& meeting, Point from, Cell offset, Cell* out) {
  return follow<-1>(meeting, 1, from, offset, out);
}

void line(Point from, Point to, Cell offset, Cell* out) {
  CellWriter<1> writer(from, offset, out);
  writer.leg(from, to);
  writer.put(writer.at, 1);
}

}  // namespace

constinit const LabelKernel kAvx512Labels{"avx512", meet, forward, backward, line};

}  // namespace octile

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
