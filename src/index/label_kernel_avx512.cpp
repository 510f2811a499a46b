// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The label kernels for x86-64 with AVX-512 (F, BW, DQ, VL, VBMI, VBMI2): one lane a hub, 16 moves
// a step. A wrong guess of a branch costs as much as a dozen vectors, so nothing here branches on
// what differs from tile to tile, but for what is rare.

#include "index/label_common.hpp"
#include "index/label_twins.hpp"

#if OCTILE_LABELS_X86

#include <immintrin.h>

#include <type_traits>

namespace octile {

bool has_avx512_labels() noexcept {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
         __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("popcnt");
}

}  // namespace octile

#if defined(__clang__)
#pragma clang attribute push(                                                                           \
    __attribute__((target(                                                                              \
        "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,bmi,bmi2,popcnt"))), \
    apply_to = function)
#else
#pragma GCC push_options
// The intrinsics leave operands that do not count uninitialised on purpose (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC target( \
    "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,bmi,bmi2,popcnt")
#endif

namespace octile {

namespace {

namespace labels_avx512 {

// No constant of vector type may stand outside a function: it would be set up on every machine.
inline __m512i far_lanes() {
  return _mm512_set1_epi32(static_cast<int>(kFar));
}

// A block of one side: the distance to each of its hubs, and the first entry that gives it.
struct Nearest16 {
  __m512i least, entry;

  OCTILE_INLINE Nearest16() : least(far_lanes()), entry(_mm512_setzero_si512()) {}

  // A round of entries from `first` on, which those in `taking` have; from `lengths` comes the
  // length of the one at a place.
  template <class Lengths>
  OCTILE_INLINE void round(uint32_t taking, uint32_t first, Lengths lengths) {
    const __m512i count = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const auto mask = static_cast<__mmask16>(taking);
    const __m512i from = _mm512_maskz_expand_epi32(
        mask, _mm512_add_epi32(count, _mm512_set1_epi32(static_cast<int>(first))));
    const __m512i length = lengths(from);
    const __mmask16 nearer = _mm512_mask_cmplt_epu32_mask(mask, length, least);
    least = _mm512_mask_min_epu32(least, mask, least, length);
    entry = _mm512_mask_mov_epi32(entry, nearer, from);
  }
};

// What the lengths of ways to vias are made of.
struct ViaLengths {
  __m512i near_x, near_y, far_x, far_y, straight, extra, base;

  OCTILE_INLINE ViaLengths(const LabelTables& tables, const Side& side) {
    near_x = _mm512_set1_epi32(static_cast<int32_t>(side.cell.x & 7));
    near_y = _mm512_set1_epi32(static_cast<int32_t>(side.cell.y & 7));
    far_x = _mm512_set1_epi32(static_cast<int32_t>(side.cell.x));
    far_y = _mm512_set1_epi32(static_cast<int32_t>(side.cell.y));
    straight = _mm512_set1_epi32(static_cast<int32_t>(tables.steps.straight));
    extra = _mm512_set1_epi32(static_cast<int32_t>(tables.steps.diagonal - tables.steps.straight));
    base = _mm512_set1_epi32(static_cast<int32_t>(side.tile.head.distance_base));
  }
  // x and y are the bytes of the low half of each lane; where the via is far, its halves.
  OCTILE_INLINE __m512i operator()(__m512i places, __mmask16 far) const {
    const __m512i x =
        _mm512_sub_epi32(_mm512_srai_epi32(_mm512_slli_epi32(places, 24), 24), near_x);
    const __m512i y =
        _mm512_sub_epi32(_mm512_srai_epi32(_mm512_slli_epi32(places, 16), 24), near_y);
    const __m512i far_dx =
        _mm512_sub_epi32(_mm512_and_si512(places, _mm512_set1_epi32(0xffff)), far_x);
    const __m512i dx = _mm512_abs_epi32(_mm512_mask_mov_epi32(x, far, far_dx));
    const __m512i dy =
        _mm512_abs_epi32(_mm512_mask_sub_epi32(y, far, _mm512_srli_epi32(places, 16), far_y));
    return _mm512_add_epi32(base,
                            _mm512_add_epi32(_mm512_mullo_epi32(_mm512_max_epu32(dx, dy), straight),
                                             _mm512_mullo_epi32(_mm512_min_epu32(dx, dy), extra)));
  }
};

// 16 numbers of three or four bytes.
OCTILE_INLINE __m512i numbers_at(const uint8_t* at, uint32_t bytes) {
  const __m512i three = _mm512_set_epi8(
      -1, 47, 46, 45, -1, 44, 43, 42, -1, 41, 40, 39, -1, 38, 37, 36, -1, 35, 34, 33, -1, 32, 31,
      30, -1, 29, 28, 27, -1, 26, 25, 24, -1, 23, 22, 21, -1, 20, 19, 18, -1, 17, 16, 15, -1, 14,
      13, 12, -1, 11, 10, 9, -1, 8, 7, 6, -1, 5, 4, 3, -1, 2, 1, 0);
  constexpr __mmask64 kThree = 0x7777777777777777;
  const __m512i numbers = _mm512_loadu_si512(at);
  return bytes == 3 ? _mm512_maskz_permutexvar_epi8(kThree, three, numbers) : numbers;
}
OCTILE_INLINE __m512i halves_at(const uint8_t* at) {
  return _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)));
}
// 16 distances of a block from an entry on.
OCTILE_INLINE __m512i distances_of(const BlockView& block, uint32_t first, uint32_t bytes) {
  return numbers_at(block.distances + size_t{bytes} * first, bytes);
}
OCTILE_INLINE __m512i vias_of(const BlockView& block, uint32_t first) {
  return _mm512_cvtepu8_epi32(
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(block.vias + first)));
}

// A side with more than 64 vias: only those are looked at that are asked for.
[[gnu::noinline]] void evaluate_many(const LabelTables& tables, const Side& side,
                                     const uint8_t* place, __m512i* least, __m512i* entry) {
  const ViaLengths lengths(tables, side);
  const TileHead& head = side.tile.head;
  const uint8_t* places = side.tile.at + head.via_at;
  const __m512i partial = _mm512_set1_epi32(head.partial), none = _mm512_setzero_si512();
  const __m512i first_partial = _mm512_set1_epi32(head.first_partial);
  const __m512i near = _mm512_set1_epi32(head.near);
  const __m512i seen = _mm512_castsi256_si512(
      _mm256_loadu_si256(reinterpret_cast<const __m256i*>(side.tile.sight_row(side.cell))));
  const BlockView block(head, place);
  Nearest16 nearest;
  __m512i packed = none;
  uint32_t end = 0, first = 0, at = 0;
  for (uint32_t r = 0; r < block.rounds; ++r) {
    const uint32_t taking = read16(block.lanes + 2 * size_t{r});
    const auto n = static_cast<uint32_t>(__builtin_popcount(taking));
    if (at + n > end) {
      first = at;
      end = at + 16;
      const __m512i via = vias_of(block, first);
      const uint32_t left = block.entries - first;
      const auto valid = static_cast<__mmask16>(left < 16 ? 0xffff >> (16 - left) : 0xffff);
      const __m512i number = _mm512_sub_epi32(via, first_partial);
      const __m512i byte =
          _mm512_maskz_permutexvar_epi8(0x1111111111111111, _mm512_srli_epi32(number, 3), seen);
      const __m512i bit = _mm512_srlv_epi32(byte, _mm512_and_si512(number, _mm512_set1_epi32(7)));
      const auto sees = static_cast<__mmask16>(_mm512_test_epi32_mask(bit, _mm512_set1_epi32(1)) |
                                               _mm512_cmpge_epu32_mask(number, partial));
      // In units of two bytes: a far via takes two of them.
      const __mmask16 far = _mm512_cmpge_epu32_mask(via, near);
      const __m512i where = _mm512_mask_i32gather_epi32(
          none, valid, _mm512_mask_add_epi32(via, far, via, _mm512_sub_epi32(via, near)), places,
          2);
      packed = _mm512_add_epi32(distances_of(block, first, head.distance_bytes),
                                _mm512_mask_mov_epi32(far_lanes(), sees, lengths(where, far)));
    }
    const __m512i back = _mm512_set1_epi32(static_cast<int>(first));
    nearest.round(taking, at, [&](__m512i from) {
      return _mm512_permutexvar_epi32(_mm512_sub_epi32(from, back), packed);
    });
    at += n;
  }
  *least = nearest.least;
  *entry = nearest.entry;
}

OCTILE_INLINE __m512i everywhere(uint32_t number) {
  return _mm512_set1_epi32(static_cast<int32_t>(number));
}
OCTILE_INLINE __m512i in_halves(uint32_t number) {
  return _mm512_set1_epi16(static_cast<int16_t>(number));
}

// A narrow side of up to 32 vias, or with kMore of up to 64, on a map where tiles have words for
// all blocks: most sides by far. All that it takes stays in registers.
template <bool kMore>
struct Few {
  const uint8_t* at;
  const TileHead& head;
  __m512i reach[kMore ? 4 : 2];  // by via: length of the way to it + distance_base, or kFar

  // `sight`: the row of the tile that tells which vias the cell sees.
  OCTILE_INLINE Few(const LabelTables& tables, const uint8_t* tile, Point cell,
                    const uint8_t* sight)
      : at(tile), head(head_of(tile)) {
    // Some vias are not seen by all cells; a bit of the row tells.
    const uint64_t hidden = _bzhi_u64(~read64(sight), head.partial) << (head.first_partial & 63);
    const __m512i straight = everywhere(tables.steps.straight);
    const __m512i extra = everywhere(tables.steps.diagonal - tables.steps.straight);
    const __m512i base = everywhere(head.distance_base);
    const __m512i near_x = in_halves(cell.x & 7), near_y = in_halves(cell.y & 7);
    const auto part = [&](uint32_t i) {
      // 32 vias in halves of 32 bits, as long as they are places and numbers of steps.
      const __m512i places = _mm512_loadu_si512(at + head.via_at + 64 * size_t{i});
      __m512i dx = _mm512_abs_epi16(
          _mm512_sub_epi16(_mm512_srai_epi16(_mm512_slli_epi16(places, 8), 8), near_x));
      __m512i dy = _mm512_abs_epi16(_mm512_sub_epi16(_mm512_srai_epi16(places, 8), near_y));
      if (head.near < head.vias) {
        const uint8_t* far_places = at + head.via_at - 2 * size_t{head.near} + 128 * size_t{i};
        const __m512i low = _mm512_loadu_si512(far_places);
        const __m512i high = _mm512_loadu_si512(far_places + 64);
        const __m512i xs =
            _mm512_set_epi16(62, 60, 58, 56, 54, 52, 50, 48, 46, 44, 42, 40, 38, 36, 34, 32, 30, 28,
                             26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
        const __m512i ys = _mm512_add_epi16(xs, in_halves(1));
        const __m512i far_x = _mm512_permutex2var_epi16(low, xs, high), x = in_halves(cell.x);
        const __m512i far_y = _mm512_permutex2var_epi16(low, ys, high), y = in_halves(cell.y);
        const auto far = static_cast<__mmask32>(~_bzhi_u64(~uint64_t{0}, head.near) >> (32 * i));
        dx = _mm512_mask_sub_epi16(dx, far, _mm512_max_epu16(far_x, x), _mm512_min_epu16(far_x, x));
        dy = _mm512_mask_sub_epi16(dy, far, _mm512_max_epu16(far_y, y), _mm512_min_epu16(far_y, y));
      }
      const __m512i longer = _mm512_max_epu16(dx, dy), shorter = _mm512_min_epu16(dx, dy);
      const auto lengths = [&](__m256i most, __m256i least, uint64_t hide) {
        const __m512i way =
            _mm512_add_epi32(_mm512_mullo_epi32(_mm512_cvtepu16_epi32(most), straight),
                             _mm512_mullo_epi32(_mm512_cvtepu16_epi32(least), extra));
        return _mm512_mask_mov_epi32(_mm512_add_epi32(way, base), static_cast<__mmask16>(hide),
                                     far_lanes());
      };
      reach[2 * i] = lengths(_mm512_castsi512_si256(longer), _mm512_castsi512_si256(shorter),
                             hidden >> (32 * i));
      reach[2 * i + 1] = lengths(_mm512_extracti64x4_epi64(longer, 1),
                                 _mm512_extracti64x4_epi64(shorter, 1), hidden >> (32 * i + 16));
    };
    // No farther than to the last via: what is read beyond a tile may be the end of the file.
    part(0);
    if constexpr (kMore) {
      reach[2] = reach[3] = far_lanes();
      if (head.vias > 32) part(1);
    }
  }
  OCTILE_INLINE static const TileHead& head_of(const uint8_t* tile) {
    return *reinterpret_cast<const TileHead*>(tile);
  }
  // Where tiles have words for all blocks.
  OCTILE_INLINE static const uint8_t* sight_of(const uint8_t* tile, Point cell) {
    const TileHead& head = head_of(tile);
    const uint8_t* rows = tile + head.sight_at;
    return rows + 64 + head.sight_bytes() * size_t{rows[(cell.y & 7) << 3 | (cell.x & 7)]};
  }

  // The entries of block `word` * 64 + i, where `below` are the i lowest bits.
  OCTILE_INLINE BlockView block(uint32_t block_words, uint32_t word, uint64_t below) const {
    const uint8_t *words = at + sizeof(TileHead), *ranks = words + 8 * size_t{block_words};
    const uint8_t* places = ranks + block_words;
    const uint64_t before = read64(words + 8 * size_t{word}) & below;
    const size_t rank = static_cast<size_t>(__builtin_popcountll(before)) + ranks[word];
    return {head, at + read16(places + 2 * rank), false};
  }
  OCTILE_INLINE __m512i entries(const BlockView& block, uint32_t first, uint32_t bytes) const {
    const __m512i via = vias_of(block, first);
    __m512i way = _mm512_permutex2var_epi32(reach[0], via, reach[1]);
    if constexpr (kMore)
      way = _mm512_mask_mov_epi32(way, _mm512_test_epi32_mask(via, _mm512_set1_epi32(32)),
                                  _mm512_permutex2var_epi32(reach[2], via, reach[3]));
    return _mm512_add_epi32(way, distances_of(block, first, bytes));
  }
  // The distance to each of a block's hubs, and the first entry that gives it.
  OCTILE_INLINE void evaluate(const BlockView& block, __m512i* least, __m512i* entry) const {
    const __m512i count = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const uint32_t bytes = head.distance_bytes;
    __m512i low = entries(block, 0, bytes), high = low;
    if (block.entries > 16) high = entries(block, 16, bytes);
    uint32_t taking = read16(block.lanes), first = 0, before = 0;
    __m512i e = _mm512_maskz_expand_epi32(static_cast<__mmask16>(taking), count);
    __m512i l = _mm512_mask_min_epu32(far_lanes(), static_cast<__mmask16>(taking),
                                      _mm512_permutexvar_epi32(e, low), far_lanes());
    // `place` tells where among the lengths at hand an entry is.
    const auto round = [&](auto place) {
      const auto mask = static_cast<__mmask16>(taking);
      const __m512i from =
          _mm512_maskz_expand_epi32(mask, _mm512_add_epi32(count, everywhere(before)));
      const __m512i length = _mm512_permutex2var_epi32(low, place(from), high);
      const __mmask16 nearer = _mm512_mask_cmplt_epu32_mask(mask, length, l);
      l = _mm512_mask_mov_epi32(l, nearer, length);
      e = _mm512_mask_mov_epi32(e, nearer, from);
    };
    for (uint32_t r = 1; r < block.rounds; ++r) {
      before += static_cast<uint32_t>(__builtin_popcount(taking));
      taking = read16(block.lanes + 2 * size_t{r});
      if (block.entries <= 32) {
        round([&](__m512i from) { return from; });
        continue;
      }
      if (before > first + 16) {
        first = before;
        low = entries(block, first, bytes);
        high = entries(block, first + 16, bytes);
      }
      round([&](__m512i from) { return _mm512_sub_epi32(from, everywhere(first)); });
    }
    *least = l;
    *entry = e;
  }
  OCTILE_INLINE void locate(const BlockView& block, uint32_t entry, Point cell, Point* via,
                            uint32_t* link) const {
    const uint32_t number = block.vias[entry];
    const uint8_t* p = at + head.via_at + 2 * size_t{number};
    if (number >= head.near) {
      p += 2 * size_t{number - head.near};
      *via = {read16(p), read16(p + 2)};
    } else {
      *via = {(cell.x & ~7u) + static_cast<uint32_t>(static_cast<int8_t>(p[0])),
              (cell.y & ~7u) + static_cast<uint32_t>(static_cast<int8_t>(p[1]))};
    }
    const uint32_t bytes = head.link_bytes;
    *link = _bzhi_u32(read32(block.links + size_t{bytes} * entry), 8 * bytes);
  }
};

// A side of any kind.
struct AnySide {
  const LabelTables& tables;
  const Side& side;
  Few<true> few;  // where there are so few

  OCTILE_INLINE AnySide(const LabelTables& labels, const Side& of)
      : tables(labels), side(of), few(labels, of.tile.at, of.cell, of.tile.sight_row(of.cell)) {
    if (of.tile.head.wide) of.look(labels);
  }
  OCTILE_INLINE void evaluate(const uint8_t* place, __m512i* least, __m512i* entry) const {
    const TileHead& head = side.tile.head;
    if (head.wide) {
      alignas(64) uint32_t lanes[kLanes], entries[kLanes];
      side.evaluate(place, lanes, entries);
      *least = _mm512_load_si512(lanes);
      *entry = _mm512_load_si512(entries);
    } else if (head.vias <= 64) {
      few.evaluate({head, place, false}, least, entry);
    } else {
      evaluate_many(tables, side, place, least, entry);
    }
  }
};

// The blocks that two tiles have in common, in order.
struct CommonBlocks {
  const TileView &near, &far;
  const uint8_t *near_words, *far_words;  // those of the eight that end at `end`
  uint64_t bits = 0;                      // left of word `word`
  uint32_t words = 0;                     // left of the eight
  uint32_t near_has = 0, far_has = 0;     // which of the eight are there
  uint32_t word = 0, end = 0;

  OCTILE_INLINE CommonBlocks(const Side& from, const Side& to)
      : near(from.tile), far(to.tile), near_words(near.words), far_words(far.words) {
    if (TileView::sparse(near.block_words)) return;
    end = 8;
    if (near.block_words == 1) {
      bits = read64(near_words) & read64(far_words);
      return;
    }
    // All are there.
    near_has = far_has = 0xff;
    words =
        _mm512_mask_test_epi64_mask(static_cast<__mmask8>(0xff >> (8 - near.block_words)),
                                    _mm512_loadu_si512(near_words), _mm512_loadu_si512(far_words));
  }
  OCTILE_INLINE bool next(uint32_t* block) {
    while (!bits) {
      while (!words) {
        if (end >= near.block_words) return false;
        near_words += 8 * size_t{ones(near_has)};
        far_words += 8 * size_t{ones(far_has)};
        near_has = near.has_word[end / 8];
        far_has = far.has_word[end / 8];
        words = _mm512_test_epi64_mask(eight(near_has, near_words), eight(far_has, far_words));
        end += 8;
      }
      const uint32_t below = (words & (0 - words)) - 1;
      word = end - 8 + ones(below);
      words &= words - 1;
      bits = read64(near_words + 8 * size_t{ones(near_has & below)}) &
             read64(far_words + 8 * size_t{ones(far_has & below)});
    }
    *block = word << 6 | static_cast<uint32_t>(__builtin_ctzll(bits));
    bits &= bits - 1;
    return true;
  }
  OCTILE_INLINE static __m512i eight(uint32_t has, const uint8_t* at) {
    return _mm512_maskz_expand_epi64(static_cast<__mmask8>(has), _mm512_loadu_si512(at));
  }
  OCTILE_INLINE static uint32_t ones(uint32_t bits_of) {
    return static_cast<uint32_t>(__builtin_popcount(bits_of));
  }
};

// The least of all lanes, in each lane.
OCTILE_INLINE __m512i least_of(__m512i v) {
  v = _mm512_min_epu32(v, _mm512_shuffle_i64x2(v, v, 0x4e));
  v = _mm512_min_epu32(v, _mm512_shuffle_i64x2(v, v, 0xb1));
  v = _mm512_min_epu32(v, _mm512_shuffle_epi32(v, _MM_PERM_BADC));
  return _mm512_min_epu32(v, _mm512_shuffle_epi32(v, _MM_PERM_CDAB));
}

// Tiles of any kind.
[[gnu::noinline]] void meet_any(const LabelTables& tables, Point s, Point t, uint32_t* room,
                                Meeting* meeting) {
  const Side from(tables, s, room), to(tables, t, room + tables.room());
  const AnySide near(tables, from), far(tables, to);
  __m512i best = far_lanes(), block = _mm512_setzero_si512();
  __m512i near_entry = block, far_entry = block;
  const uint8_t *near_place = nullptr, *far_place = nullptr;
  CommonBlocks common(from, to);
  uint32_t blocks = 0;
  for (uint32_t number; common.next(&number); ++blocks) {
    near_place = from.tile.block(number);
    far_place = to.tile.block(number);
    __m512i one_least, one, two_least, two;
    near.evaluate(near_place, &one_least, &one);
    far.evaluate(far_place, &two_least, &two);
    const __m512i sum = _mm512_add_epi32(one_least, two_least);
    const __mmask16 better = _mm512_cmplt_epu32_mask(sum, best);
    best = _mm512_min_epu32(best, sum);
    near_entry = _mm512_mask_mov_epi32(near_entry, better, one);
    far_entry = _mm512_mask_mov_epi32(far_entry, better, two);
    block = _mm512_mask_mov_epi32(block, better, _mm512_set1_epi32(static_cast<int>(number)));
  }
  const __m512i least = least_of(best);
  meeting->length = static_cast<uint32_t>(_mm512_cvtsi512_si32(least));
  if (meeting->length == kFar) return;
  // Of the lanes that reached it the first block's counts, of that block's the first lane.
  alignas(64) uint32_t block_of[kLanes], entry_of[2][kLanes];
  _mm512_store_si512(block_of, block);
  _mm512_store_si512(entry_of[0], near_entry);
  _mm512_store_si512(entry_of[1], far_entry);
  uint32_t equal = _mm512_cmpeq_epi32_mask(best, least);
  if (blocks > 1) {
    const __m512i first =
        least_of(_mm512_mask_mov_epi32(far_lanes(), static_cast<__mmask16>(equal), block));
    equal = _mm512_mask_cmpeq_epi32_mask(static_cast<__mmask16>(equal), block, first);
    const auto number = static_cast<uint32_t>(_mm512_cvtsi512_si32(first));
    near_place = from.tile.block(number);
    far_place = to.tile.block(number);
  }
  const auto lane = static_cast<uint32_t>(__builtin_ctz(equal));
  tell(tables, from, near_place, entry_of[0][lane], to, far_place, entry_of[1][lane],
       block_of[lane], lane, meeting);
}

void reach(const LabelTables& tables, Point p, uint32_t* room, const uint64_t* wanted,
           uint64_t* there, uint32_t* lanes) {
  const Side side(tables, p, room);
  const AnySide any(tables, side);
  reach_blocks(side, wanted, there, lanes, [&](const uint8_t* place, uint32_t* to) {
    __m512i least, entry;
    any.evaluate(place, &least, &entry);
    _mm512_storeu_si512(to, least);
  });
}

void nearest(const uint32_t* lanes, const ListedBlock* common, uint32_t count, const uint32_t* rows,
             uint32_t blocks, uint32_t n, uint32_t* least) {
  for (uint32_t i = 0; i < n; ++i, rows += size_t{kLanes} * blocks) {
    __m512i best = far_lanes();
    for (uint32_t b = 0; b < count; ++b) {
      const __m512i here = _mm512_loadu_si512(lanes + size_t{kLanes} * common[b].block);
      const __m512i far = _mm512_loadu_si512(rows + size_t{kLanes} * common[b].place);
      best = _mm512_min_epu32(best, _mm512_add_epi32(here, far));
    }
    least[i] = static_cast<uint32_t>(_mm512_cvtsi512_si32(least_of(best)));
  }
}

template <bool kMore>
[[gnu::noinline]] void meet_few(const LabelTables& tables, Point s, Point t,
                                const uint8_t* near_tile, const uint8_t* far_tile,
                                Meeting* meeting) {
  using End = Few<kMore>;
  const End near(tables, near_tile, s, End::sight_of(near_tile, s));
  const End far(tables, far_tile, t, End::sight_of(far_tile, t));
  const __m512i lanes =
      _mm512_slli_epi32(_mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), 16);
  // By lane the shortest sum, and where it is found: the block from bit 20 on, the lane, the far
  // entry, the near one. Sum and place are one number of 64 bits, of which the least is wanted: of
  // equal sums the first block's counts, of that block's the first lane.
  __m512i best = far_lanes(), found = far_lanes();
  const uint32_t block_words = tables.block_words;
  const uint8_t *near_words = near.at + sizeof(TileHead), *far_words = far.at + sizeof(TileHead);
  BlockView near_block, far_block;  // the last ones
  uint32_t words = 1, block = 0;
  if (block_words > 1)
    words =
        _mm512_mask_test_epi64_mask(static_cast<__mmask8>(0xff >> (8 - block_words)),
                                    _mm512_loadu_si512(near_words), _mm512_loadu_si512(far_words));
  for (; words; words &= words - 1) {
    const auto word = static_cast<uint32_t>(__builtin_ctz(words));
    for (uint64_t bits =
             read64(near_words + 8 * size_t{word}) & read64(far_words + 8 * size_t{word});
         bits; bits &= bits - 1) {
      const uint64_t below = _blsmsk_u64(bits) >> 1;
      __m512i one_least, one, two_least, two;
      near_block = near.block(block_words, word, below);
      far_block = far.block(block_words, word, below);
      near.evaluate(near_block, &one_least, &one);
      far.evaluate(far_block, &two_least, &two);
      block = word << 6 | static_cast<uint32_t>(__builtin_ctzll(bits));
      const __m512i place =
          _mm512_or_si512(lanes, _mm512_set1_epi32(static_cast<int32_t>(block << 20)));
      const __m512i pair = _mm512_or_si512(one, _mm512_slli_epi32(two, 8));
      const __m512i sum = _mm512_add_epi32(one_least, two_least);
      const __mmask16 better = _mm512_cmplt_epu32_mask(sum, best);
      best = _mm512_min_epu32(best, sum);
      found = _mm512_mask_mov_epi32(found, better, _mm512_or_si512(pair, place));
    }
  }
  const __m512i eight = _mm512_min_epu64(_mm512_unpacklo_epi32(found, best),  //
                                         _mm512_unpackhi_epi32(found, best));
  const __m256i four =
      _mm256_min_epu64(_mm512_castsi512_si256(eight), _mm512_extracti64x4_epi64(eight, 1));
  const __m128i two =
      _mm_min_epu64(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));
  const auto least =
      static_cast<uint64_t>(_mm_cvtsi128_si64(_mm_min_epu64(two, _mm_unpackhi_epi64(two, two))));
  meeting->length = static_cast<uint32_t>(least >> 32);
  if (meeting->length == kFar) return;
  const uint32_t hub = static_cast<uint32_t>(least) >> 16;
  meeting->tree = tables.trees + tables.tree_base[hub];
  if (hub / kLanes != block) {
    block = hub / kLanes;
    const uint64_t below = _bzhi_u64(~uint64_t{0}, block & 63);
    near_block = near.block(block_words, block >> 6, below);
    far_block = far.block(block_words, block >> 6, below);
  }
  near.locate(near_block, least & 255, s, &meeting->via[0], &meeting->link[0]);
  far.locate(far_block, least >> 8 & 255, t, &meeting->via[1], &meeting->link[1]);
  // The trees are read next, at places of their own.
  __builtin_prefetch(meeting->tree + (meeting->link[0] >> 1));
  __builtin_prefetch(meeting->tree + (meeting->link[1] >> 1));
}

void meet(const LabelTables& tables, Point s, Point t, uint32_t* room, Meeting* meeting) {
  const uint8_t *near = tables.tile_of(s), *far = tables.tile_of(t);
  const TileHead &near_head = Few<false>::head_of(near), &far_head = Few<false>::head_of(far);
  const uint32_t vias = near_head.vias > far_head.vias ? near_head.vias : far_head.vias;
  if (TileView::sparse(tables.block_words) || near_head.wide || far_head.wide || vias > 64)
    meet_any(tables, s, t, room, meeting);
  else if (vias <= 32)
    meet_few<false>(tables, s, t, near, far, meeting);
  else
    meet_few<true>(tables, s, t, near, far, meeting);
}

// Cells are written eight at once, upwards (kStep 1) or downwards (-1). Nobody counts what a vector
// holds beyond the end: it is written over, or put back, or lies in the room on both sides.
template <int kStep>
void put(__m512i cells, Cell* out) {
  _mm512_storeu_si512(kStep > 0 ? out : out - 7, cells);
}
__m512i both(int32_t x, int32_t y) {
  return _mm512_set1_epi64(static_cast<int64_t>(y) << 32 | static_cast<uint32_t>(x));
}
// Which of eight cells, in the order of the walk, stands in a place of a vector; for x and y.
template <int kStep>
__m512i turns() {
  return kStep > 0 ? _mm512_set_epi32(7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0)
                   : _mm512_set_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
}

// A cell or a point, x below y.
template <class Pair>
OCTILE_INLINE __m128i pair(Pair p) {
  static_assert(sizeof p == 8);
  long long both;
  std::memcpy(&both, &p, sizeof both);
  return _mm_cvtsi64_si128(both);
}

// The octile line, without its last cell; gives the place of that. Diagonal first: each coordinate
// goes on by one a step until it is there.
template <int kStep>
OCTILE_INLINE Cell* write_line(__m128i from, __m128i to, __m128i offset, Cell* out) {
  const __m128i d = _mm_sub_epi32(to, from), length = _mm_abs_epi32(d),
                sign = _mm_srai_epi32(d, 31);
  const auto both_lengths = static_cast<uint64_t>(_mm_cvtsi128_si64(length));
  const auto ax = static_cast<uint32_t>(both_lengths),
             ay = static_cast<uint32_t>(both_lengths >> 32);
  const auto steps = static_cast<ptrdiff_t>(ax > ay ? ax : ay);
  // -n is ~n + 1.
  const __m512i origin = _mm512_broadcastq_epi64(_mm_sub_epi32(_mm_add_epi32(from, offset), sign));
  const __m512i turned = _mm512_broadcastq_epi64(sign), end = _mm512_broadcastq_epi64(length);
  __m512i turn = turns<kStep>();
  Cell* to_write = out;
  Cell* const last = out + steps * kStep;
  do {
    put<kStep>(_mm512_add_epi32(origin, _mm512_xor_si512(_mm512_min_epu32(turn, end), turned)),
               to_write);
    turn = _mm512_add_epi32(turn, _mm512_set1_epi32(8));
    put<kStep>(_mm512_add_epi32(origin, _mm512_xor_si512(_mm512_min_epu32(turn, end), turned)),
               to_write + 8 * kStep);
    turn = _mm512_add_epi32(turn, _mm512_set1_epi32(8));
    to_write += 16 * kStep;
  } while (kStep > 0 ? to_write < last : to_write > last);
  return last;
}

// The cells of moves.
template <int kStep>
struct Walker {
  // The present cell, less the ones that stand for the moves before each of eight cells.
  __m512i at;

  // Writes the cells that 16 moves leave, and goes to where they lead.
  OCTILE_INLINE void go(uint64_t word, Cell* out) {
    // One more than what a move adds to x and y, by direction; and to stay.
    const __m256i delta = _mm256_set_epi8(1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 2, 2, 2, 1,  //
                                          1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 0, 0, 0, 1, 2, 2);
    const __m256i spread =
        _mm256_set_epi8(60, 56, 52, 48, 44, 40, 36, 32, 28, 24, 20, 16, 12, 8, 4, 0,  //
                        60, 56, 52, 48, 44, 40, 36, 32, 28, 24, 20, 16, 12, 8, 4, 0);
    const __m512i turn = turns<kStep>();
    // Where in `before` the first and the second eight cells find x and y.
    const __m512i firsts = _mm512_add_epi32(turn, both(0, 16));
    const __m512i seconds = _mm512_add_epi32(turn, both(8, 24));
    constexpr __mmask64 kLowBytes = 0x1111111111111111;
    const __m256i moves = _mm256_and_si256(
        _mm256_multishift_epi64_epi8(spread, _mm256_set1_epi64x(static_cast<long long>(word))),
        _mm256_set1_epi8(15));
    // x of eight moves, x of eight more, y, y: their sums before each move, and in all.
    const __m256i step = _mm256_shuffle_epi8(delta, moves);
    const __m512i before =
        _mm512_castsi256_si512(_mm256_mullo_epi64(step, _mm256_set1_epi64x(0x0101010101010100)));
    const __m512i sum = _mm512_castsi256_si512(
        _mm256_sub_epi64(_mm256_sad_epu8(step, _mm256_setzero_si256()), _mm256_set1_epi64x(8)));
    put<kStep>(_mm512_add_epi32(at, _mm512_maskz_permutexvar_epi8(kLowBytes, firsts, before)), out);
    at = _mm512_add_epi32(at, _mm512_permutexvar_epi32(both(0, 4), sum));
    put<kStep>(_mm512_add_epi32(at, _mm512_maskz_permutexvar_epi8(kLowBytes, seconds, before)),
               out + 8 * kStep);
    at = _mm512_add_epi32(at, _mm512_permutexvar_epi32(both(2, 6), sum));
  }
};

// From `from` over a via to the hub; gives the place of the hub, which is written as well.
template <int kStep>
OCTILE_INLINE Cell* follow(const Meeting& meeting, uint32_t side, Point from, __m128i offset,
                           Cell* out) {
  constexpr uint64_t kStops = 0x8888888888888888;
  const __m512i turn = turns<kStep>();
  const __m128i via = pair(meeting.via[side]);
  const uint8_t* tree = meeting.tree;
  uint32_t nibble = meeting.link[side];
  out = write_line<kStep>(pair(from), via, offset, out);
  Walker<kStep> walker{_mm512_sub_epi32(_mm512_broadcastq_epi64(_mm_add_epi32(via, offset)), turn)};
  for (;;) {
    // Of a word that begins within a byte the last move is left for the next one.
    const uint8_t* p = tree + (nibble >> 1);
    const uint64_t odd = nibble & 1;
    uint64_t word = read64(p) >> (4 * odd), stop = word & kStops;
    uint32_t n = 16 - static_cast<uint32_t>(odd);
    if (!stop) {
      walker.go(word | odd << 63, out);
      out += static_cast<int32_t>(n) * kStep;
      for (p += 8; (stop = (word = read64(p)) & kStops) == 0; p += 8) {
        walker.go(word, out);
        out += 16 * kStep;
      }
      nibble = static_cast<uint32_t>(p - tree) * 2;
    }
    // From the stop on nobody moves.
    walker.go(word | (~_blsmsk_u64(stop) & kStops), out);
    n = static_cast<uint32_t>(__builtin_ctzll(stop)) >> 2;
    nibble += n;
    out += static_cast<int32_t>(n) * kStep;
    const auto token = static_cast<uint32_t>(word >> (4 * n) & 15);
    if (token == kRun) {
      const uint64_t run = read64(tree + (nibble >> 1)) >> (4 * (nibble & 1));
      const uint32_t direction = run >> 4 & 7;
      const auto steps = static_cast<int32_t>(run >> 8 & 0xfff);
      const __m512i one = both(kDx[direction], kDy[direction]);
      const __m512i eight = _mm512_slli_epi32(one, 3);
      __m512i cells = _mm512_add_epi32(
          walker.at, _mm512_mullo_epi32(turn, _mm512_add_epi32(one, _mm512_set1_epi32(1))));
      for (int32_t done = 0; done < steps; done += 16) {
        put<kStep>(cells, out + done * kStep);
        cells = _mm512_add_epi32(cells, eight);
        put<kStep>(cells, out + (done + 8) * kStep);
        cells = _mm512_add_epi32(cells, eight);
      }
      walker.at = _mm512_add_epi32(walker.at, _mm512_mullo_epi32(one, _mm512_set1_epi32(steps)));
      out += steps * kStep;
      nibble += 5;
    } else if (!go_on(tree, token, &nibble)) {
      return out;
    }
  }
}

void way(const Meeting& meeting, Point s, Point t, Cell offset, Cell* out, uint32_t steps) {
  // The other side comes from above and writes beyond the hub.
  const __m128i shift = pair(offset);
  Cell* const last = follow<1>(meeting, 0, s, shift, out) - 15;
  const __m512i low = _mm512_loadu_si512(last), high = _mm512_loadu_si512(last + 8);
  follow<-1>(meeting, 1, t, shift, out + steps);
  _mm512_storeu_si512(last, low);
  _mm512_storeu_si512(last + 8, high);
}

void line(Point from, Point to, Cell offset, Cell* out) {
  Cell* end = write_line<1>(pair(from), pair(to), pair(offset), out);
  *end = {static_cast<int32_t>(to.x) + offset.x, static_cast<int32_t>(to.y) + offset.y};
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

OCTILE_INLINE __m512i places_of(const SiftedTile& tile, __mmask16 mask, __m512i via) {
  if (tile.vias > 64)
    return _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), mask, via, tile.place, 4);
  const auto part = [&](uint32_t i) { return tile.place + 16 * size_t{i}; };
  const __m512i low =
      _mm512_permutex2var_epi32(_mm512_loadu_si512(part(0)), via, _mm512_loadu_si512(part(1)));
  const __m512i high =
      _mm512_permutex2var_epi32(_mm512_loadu_si512(part(2)), via, _mm512_loadu_si512(part(3)));
  return _mm512_mask_mov_epi32(low, _mm512_test_epi32_mask(via, _mm512_set1_epi32(32)), high);
}

bool sift(const SiftedTile& tile, const BlockView& block, uint32_t number, SeenEntries* seen,
          OddEntries* odd, bool* far) {
  const __m512i count = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  const __m512i hubs =
      _mm512_add_epi32(count, _mm512_set1_epi32(static_cast<int>(number * kLanes)));
  const __m512i base = _mm512_set1_epi32(static_cast<int>(tile.distance_base));
  const __m512i vias = _mm512_set1_epi32(static_cast<int>(tile.vias));
  const __m512i nearest = _mm512_set1_epi32(static_cast<int>(tile.nearest));
  // In registers until the block is done: what a masked store wrote cannot be loaded at once.
  __m512i last_place = _mm512_load_si512(seen->place), last_link = _mm512_load_si512(seen->link);
  __m512i last_length = _mm512_load_si512(seen->length);
  uint32_t at = 0, next = odd->count, unknown = 0, beyond = 0;
  for (uint32_t r = 0; r < block.rounds; ++r) {
    const uint32_t taking = read16(block.lanes + 2 * size_t{r});
    const auto n = static_cast<uint32_t>(__builtin_popcount(taking));
    const auto mask = static_cast<__mmask16>(taking);
    if (at + n > block.entries) return false;
    const uint8_t* links = block.links + size_t{tile.link_bytes} * at;
    const __m512i via = _mm512_maskz_expand_epi32(
        mask, tile.wide ? halves_at(block.vias + 2 * size_t{at}) : vias_of(block, at));
    const __m512i link = _mm512_mask_expand_epi32(
        last_link, mask,
        tile.link_bytes == 2 ? halves_at(links) : numbers_at(links, tile.link_bytes));
    const __m512i distance =
        _mm512_maskz_expand_epi32(mask, distances_of(block, at, tile.distance_bytes));
    const __m512i length = _mm512_mask_add_epi32(last_length, mask, base, distance);
    const __mmask16 known = _mm512_mask_cmplt_epu32_mask(mask, via, vias);
    const __m512i place = _mm512_mask_mov_epi32(last_place, mask, places_of(tile, known, via));
    unknown |= taking & ~uint32_t{known};
    // The sum may have gone round.
    beyond |= _mm512_mask_cmpge_epu32_mask(mask, _mm512_max_epu32(distance, length), nearest);
    const __mmask16 fresh = _mm512_cmpneq_epi32_mask(place, last_place) |
                            _mm512_cmpneq_epi32_mask(link, last_link) |
                            _mm512_cmpneq_epi32_mask(length, last_length);
    last_place = place;
    last_link = link;
    last_length = length;
    _mm512_storeu_si512(odd->hub + next, _mm512_maskz_compress_epi32(fresh, hubs));
    _mm512_storeu_si512(odd->place + next, _mm512_maskz_compress_epi32(fresh, place));
    _mm512_storeu_si512(odd->link + next, _mm512_maskz_compress_epi32(fresh, link));
    _mm512_storeu_si512(odd->length + next, _mm512_maskz_compress_epi32(fresh, length));
    next += static_cast<uint32_t>(__builtin_popcount(fresh));
    at += n;
  }
  _mm512_store_si512(seen->place, last_place);
  _mm512_store_si512(seen->link, last_link);
  _mm512_store_si512(seen->length, last_length);
  odd->count = next;
  *far = *far || beyond != 0;
  return at == block.entries && unknown == 0;
}

constexpr LabelKernel kKernel{"avx512", meet,  way,    line,   reach, nearest,
                              column,   lower, finite, within, sift};

}  // namespace labels_avx512

}  // namespace

constinit const LabelKernel kAvx512Labels = labels_avx512::kKernel;

}  // namespace octile

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
