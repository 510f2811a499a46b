// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The label kernels for x86-64 with AVX-512 (F, BW, DQ, VL, VBMI): one lane a hub, 16 moves a step.

#include "index/label_common.hpp"
#include "index/label_twins.hpp"

#if OCTILE_LABELS_X86

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

// One side of a query, with the lengths of the ways to its vias at hand: for up to 64 vias in four
// registers, computed before; of more vias only those are looked at that are asked for.
struct Lanes {
  const Side& side;
  const uint8_t* places = nullptr;
  bool few, far_vias;
  __m512i reach[4];
  __m512i seen, partial, cell_x, cell_y, straight, extra, base;

  OCTILE_INLINE Lanes(const LabelTables& tables, const Side& s) : side(s) {
    const TileHead& head = side.tile.head;
    few = head.vias <= 64;
    far_vias = head.far_vias;
    if (head.wide) return;
    places = side.tile.at + head.via_at;
    const uint32_t from = far_vias ? ~0u : 7;
    cell_x = _mm512_set1_epi32(static_cast<int32_t>(side.cell.x & from));
    cell_y = _mm512_set1_epi32(static_cast<int32_t>(side.cell.y & from));
    straight = _mm512_set1_epi32(static_cast<int32_t>(tables.steps.straight));
    extra = _mm512_set1_epi32(static_cast<int32_t>(tables.steps.diagonal - tables.steps.straight));
    base = _mm512_set1_epi32(static_cast<int32_t>(head.distance_base));
    const uint8_t* row = side.tile.sight_row(side.cell);
    if (!few) {
      seen = _mm512_castsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(row)));
      partial = _mm512_set1_epi32(head.partial);
      return;
    }
    // The first vias are not seen by all cells; a bit of the row tells.
    uint64_t bits = ~uint64_t{0};
    if (head.partial != 0) {
      bits = read64(row);
      if (head.partial < 64) bits |= ~uint64_t{0} << head.partial;
    }
    for (uint32_t i = 0; i < 4; ++i) {
      if (16 * i >= head.vias) break;
      const __m512i pairs = far_vias
                                ? _mm512_loadu_si512(places + 64 * size_t{i})
                                : _mm512_cvtepi16_epi32(_mm256_loadu_si256(
                                      reinterpret_cast<const __m256i*>(places + 32 * size_t{i})));
      reach[i] = _mm512_mask_mov_epi32(far_lanes(), static_cast<__mmask16>(bits >> (16 * i)),
                                       lengths(pairs));
    }
  }
  // Ways to places: x and y are the halves of each lane, or the bytes of its low half.
  OCTILE_INLINE __m512i lengths(__m512i pairs) const {
    const __m512i x = far_vias ? _mm512_and_si512(pairs, _mm512_set1_epi32(0xffff))
                               : _mm512_srai_epi32(_mm512_slli_epi32(pairs, 24), 24);
    const __m512i y = far_vias ? _mm512_srli_epi32(pairs, 16)
                               : _mm512_srai_epi32(_mm512_slli_epi32(pairs, 16), 24);
    const __m512i dx = _mm512_abs_epi32(_mm512_sub_epi32(x, cell_x));
    const __m512i dy = _mm512_abs_epi32(_mm512_sub_epi32(y, cell_y));
    return _mm512_add_epi32(base,
                            _mm512_add_epi32(_mm512_mullo_epi32(_mm512_max_epu32(dx, dy), straight),
                                             _mm512_mullo_epi32(_mm512_min_epu32(dx, dy), extra)));
  }
  // Lanes without an entry hold no via: nothing is read for them.
  OCTILE_INLINE __m512i pick(__m512i via, __mmask16 valid) const {
    const uint32_t vias = side.tile.head.vias;
    if (few) {
      const __m512i low = _mm512_permutex2var_epi32(reach[0], via, reach[1]);
      if (vias <= 32) return low;
      const __m512i high = _mm512_permutex2var_epi32(reach[2], via, reach[3]);
      return _mm512_mask_mov_epi32(low, _mm512_test_epi32_mask(via, _mm512_set1_epi32(32)), high);
    }
    const __m512i byte =
        _mm512_maskz_permutexvar_epi8(0x1111111111111111, _mm512_srli_epi32(via, 3), seen);
    const __m512i bit = _mm512_srlv_epi32(byte, _mm512_and_si512(via, _mm512_set1_epi32(7)));
    const __mmask16 sees = static_cast<__mmask16>(
        _mm512_test_epi32_mask(bit, _mm512_set1_epi32(1)) | _mm512_cmpge_epu32_mask(via, partial));
    const __m512i none = _mm512_setzero_si512();
    const __m512i pairs = far_vias ? _mm512_mask_i32gather_epi32(none, valid, via, places, 4)
                                   : _mm512_mask_i32gather_epi32(none, valid, via, places, 2);
    return _mm512_mask_mov_epi32(far_lanes(), sees, lengths(pairs));
  }
};

// A block of one side, round by round: the least distance to each of its hubs, and the entry that
// gives it.
struct Rounds {
  const Lanes& lanes;
  const BlockView block;
  __m512i least = far_lanes(), entry = _mm512_setzero_si512();
  __m512i packed;  // lengths of the 16 entries from `first` on
  uint32_t first = 0, at = 0;

  OCTILE_INLINE Rounds(const Lanes& side, const uint8_t* place)
      : lanes(side), block(side.side.tile.head, place) {
    load();
  }
  OCTILE_INLINE void load() {
    // 16 distances of three bytes each, one to a lane.
    const __m512i three = _mm512_set_epi8(
        -1, 47, 46, 45, -1, 44, 43, 42, -1, 41, 40, 39, -1, 38, 37, 36, -1, 35, 34, 33, -1, 32, 31,
        30, -1, 29, 28, 27, -1, 26, 25, 24, -1, 23, 22, 21, -1, 20, 19, 18, -1, 17, 16, 15, -1, 14,
        13, 12, -1, 11, 10, 9, -1, 8, 7, 6, -1, 5, 4, 3, -1, 2, 1, 0);
    constexpr __mmask64 kThree = 0x7777777777777777;
    const uint32_t bytes = lanes.side.tile.head.distance_bytes;
    __m512i distances = _mm512_loadu_si512(block.distances + size_t{bytes} * first);
    if (bytes == 3) distances = _mm512_maskz_permutexvar_epi8(kThree, three, distances);
    const __m512i vias =
        _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(block.vias + first)));
    const uint32_t left = block.entries - first;
    const uint32_t valid = left >= 16 ? 0xffff : (1u << left) - 1;
    packed = _mm512_add_epi32(distances, lanes.pick(vias, static_cast<__mmask16>(valid)));
  }
  OCTILE_INLINE void round(uint32_t r) {
    // Beyond the last round nobody takes part: cheaper than a branch that nobody foresees.
    const uint32_t mask = r < block.rounds ? read16(block.lanes + 2 * size_t{r}) : 0;
    const auto n = static_cast<uint32_t>(__builtin_popcount(mask));
    if (at + n > 16) {
      first += at;
      at = 0;
      load();
    }
    const __m512i count = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const auto taking = static_cast<__mmask16>(mask);
    const __m512i from = _mm512_maskz_expand_epi32(
        taking, _mm512_add_epi32(count, _mm512_set1_epi32(static_cast<int>(at))));
    const __m512i length = _mm512_permutexvar_epi32(from, packed);
    const __mmask16 nearer = _mm512_mask_cmplt_epu32_mask(taking, length, least);
    least = _mm512_mask_mov_epi32(least, nearer, length);
    entry = _mm512_mask_mov_epi32(
        entry, nearer, _mm512_add_epi32(from, _mm512_set1_epi32(static_cast<int>(first))));
    at += n;
  }
};

// A block of a wide tile, whose entries take more bytes.
void evaluate_plainly(const Side& side, const uint8_t* place, __m512i* least, __m512i* entry) {
  alignas(64) uint32_t lanes[kLanes], entries[kLanes];
  side.evaluate(place, lanes, entries);
  *least = _mm512_load_si512(lanes);
  *entry = _mm512_load_si512(entries);
}

void meet(const LabelTables& tables, Point s, Point t, uint32_t* room, Meeting* meeting) {
  const Side from(tables, s, room), to(tables, t, room + tables.room());
  const Lanes near(tables, from), far(tables, to);
  const bool wide = from.tile.head.wide || to.tile.head.wide;
  if (wide) {
    from.look(tables);
    to.look(tables);
  }
  __m512i best = far_lanes(), block = _mm512_setzero_si512();
  __m512i near_entry = block, far_entry = block;
  for (uint32_t w = 0; w < tables.block_words; ++w) {
    uint64_t common =
        read64(from.tile.words + 8 * size_t{w}) & read64(to.tile.words + 8 * size_t{w});
    for (; common; common &= common - 1) {
      const auto bit = static_cast<uint32_t>(__builtin_ctzll(common));
      const uint8_t* near_place = from.tile.block(from.tile.slot(w, bit));
      const uint8_t* far_place = to.tile.block(to.tile.slot(w, bit));
      __m512i sum, one, two;
      if (wide) {
        __m512i one_least, two_least;
        evaluate_plainly(from, near_place, &one_least, &one);
        evaluate_plainly(to, far_place, &two_least, &two);
        sum = _mm512_add_epi32(one_least, two_least);
      } else {
        Rounds a(near, near_place), b(far, far_place);
        const uint32_t rounds = a.block.rounds > b.block.rounds ? a.block.rounds : b.block.rounds;
        for (uint32_t r = 0; r < rounds; ++r) {
          a.round(r);
          b.round(r);
        }
        sum = _mm512_add_epi32(a.least, b.least);
        one = a.entry;
        two = b.entry;
      }
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
    at = _mm512_add_epi32(at,
                          _mm512_mullo_epi32(step, _mm512_set1_epi32(static_cast<int32_t>(steps))));
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
      const __m512i low =
          _mm512_add_epi32(writer.at, _mm512_cvtepi8_epi32(_mm_unpacklo_epi8(x, y)));
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
      writer.at = _mm512_add_epi32(writer.at, _mm512_cvtepi8_epi32(_mm256_castsi256_si128(last)));
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

uint64_t column(const TileSight& tile, Point via, const uint32_t* free, IndexSteps steps,
                uint32_t* length) {
  return plain_column(tile, via, free, steps, length);
}

void lower(uint32_t* least, const uint32_t* from, uint32_t add, size_t n) {
  const __m512i more = _mm512_set1_epi32(static_cast<int32_t>(add));
  size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    const __m512i sum = _mm512_add_epi32(_mm512_loadu_si512(from + i), more);
    _mm512_storeu_si512(least + i, _mm512_min_epu32(_mm512_loadu_si512(least + i), sum));
  }
  for (; i < n; ++i) {
    const uint32_t sum = from[i] + add;
    least[i] = sum < least[i] ? sum : least[i];
  }
}

uint64_t finite(const uint32_t* length, uint32_t* largest) {
  __m512i most = _mm512_setzero_si512();
  uint64_t bits = 0;
  for (uint32_t i = 0; i < 64; i += 16) {
    const __m512i some = _mm512_loadu_si512(length + i);
    const __mmask16 there = _mm512_cmpneq_epi32_mask(some, far_lanes());
    most = _mm512_mask_max_epu32(most, there, most, some);
    bits |= uint64_t{there} << i;
  }
  *largest = _mm512_reduce_max_epu32(most);
  return bits;
}

uint64_t within(const uint32_t* length, const uint32_t* from, uint32_t add, uint64_t of,
                uint32_t* count) {
  const __m512i more = _mm512_set1_epi32(static_cast<int32_t>(add));
  uint64_t bits = 0;
  for (uint32_t i = 0; i < 64; i += 16) {
    const __m512i sum = _mm512_add_epi32(_mm512_loadu_si512(from + i), more);
    bits |= uint64_t{_mm512_cmple_epu32_mask(sum, _mm512_loadu_si512(length + i))} << i;
  }
  bits &= of;
  *count = static_cast<uint32_t>(__builtin_popcountll(bits));
  return bits;
}

}  // namespace

constinit const LabelKernel kAvx512Labels{"avx512", meet,  forward, backward, line,
                                          column,   lower, finite,  within};

}  // namespace octile

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
