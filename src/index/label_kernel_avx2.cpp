// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The label kernels for x86-64 with AVX2: eight vias or entries at once, 16 moves a step.

#include "index/label_common.hpp"
#include "index/label_twins.hpp"

#if OCTILE_LABELS_X86

#include <immintrin.h>

namespace octile {

bool has_avx2_labels() noexcept {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("popcnt");
}

}  // namespace octile

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,popcnt")
#endif

namespace octile {

namespace {

namespace labels_avx2 {

// The lengths of the ways to eight vias a step, into side.reach.
void look(const LabelTables& tables, const Side& side) {
  const TileHead& head = side.tile.head;
  if (head.wide) {
    side.look(tables);
    return;
  }
  const uint8_t* row = side.tile.sight_row(side.cell);
  const uint8_t* near = side.tile.at + head.via_at;
  const uint8_t* far_vias = side.tile.far_vias();
  const auto cell_x = static_cast<int32_t>(side.cell.x), cell_y = static_cast<int32_t>(side.cell.y);
  const auto near_x = _mm256_set1_epi32(cell_x & 7), near_y = _mm256_set1_epi32(cell_y & 7);
  const auto far_x = _mm256_set1_epi32(cell_x), far_y = _mm256_set1_epi32(cell_y);
  const __m256i count = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
  const __m256i straight = _mm256_set1_epi32(static_cast<int32_t>(tables.steps.straight));
  const __m256i extra =
      _mm256_set1_epi32(static_cast<int32_t>(tables.steps.diagonal - tables.steps.straight));
  const __m256i base = _mm256_set1_epi32(static_cast<int32_t>(head.distance_base));
  const __m256i far = _mm256_set1_epi32(static_cast<int32_t>(kFar));
  const __m256i bit = _mm256_set_epi32(128, 64, 32, 16, 8, 4, 2, 1);
  for (uint32_t i = 0; i < head.vias; i += 8) {
    __m256i dx = base, dy = base;
    if (i < head.near) {
      const __m256i pairs = _mm256_cvtepi16_epi32(
          _mm_loadu_si128(reinterpret_cast<const __m128i*>(near + 2 * size_t{i})));
      dx = _mm256_sub_epi32(_mm256_srai_epi32(_mm256_slli_epi32(pairs, 24), 24), near_x);
      dy = _mm256_sub_epi32(_mm256_srai_epi32(_mm256_slli_epi32(pairs, 16), 24), near_y);
    }
    if (i + 8 > head.near) {
      const __m256i pairs =
          _mm256_loadu_si256(reinterpret_cast<const __m256i*>(far_vias + 4 * size_t{i}));
      const __m256i x = _mm256_sub_epi32(_mm256_and_si256(pairs, _mm256_set1_epi32(0xffff)), far_x);
      const __m256i y = _mm256_sub_epi32(_mm256_srli_epi32(pairs, 16), far_y);
      const __m256i is_near = _mm256_cmpgt_epi32(
          _mm256_set1_epi32(static_cast<int32_t>(head.near) - static_cast<int32_t>(i)), count);
      dx = i < head.near ? _mm256_blendv_epi8(x, dx, is_near) : x;
      dy = i < head.near ? _mm256_blendv_epi8(y, dy, is_near) : y;
    }
    dx = _mm256_abs_epi32(dx);
    dy = _mm256_abs_epi32(dy);
    const __m256i length = _mm256_add_epi32(
        base, _mm256_add_epi32(_mm256_mullo_epi32(_mm256_max_epu32(dx, dy), straight),
                               _mm256_mullo_epi32(_mm256_min_epu32(dx, dy), extra)));
    const uint32_t seen = seen_from(head, row, i);
    const __m256i sees = _mm256_cmpeq_epi32(
        _mm256_and_si256(_mm256_set1_epi32(static_cast<int32_t>(seen)), bit), bit);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(side.reach + i),
                        _mm256_blendv_epi8(far, length, sees));
  }
}

// By a set of eight lanes: which of the entries that follow each other is that of a lane, -1 where
// there is none.
struct LaneTable {
  alignas(8) int8_t entry[256][8];
};
constexpr LaneTable make_lane_table() {
  LaneTable table{};
  for (uint32_t set = 0; set < 256; ++set) {
    int8_t n = 0;
    for (uint32_t lane = 0; lane < 8; ++lane)
      table.entry[set][lane] = set >> lane & 1 ? n++ : int8_t{-1};
  }
  return table;
}
constexpr LaneTable kLaneTable = make_lane_table();

// The distance to each of a block's hubs, and the first entry that gives it. The entries of eight
// lanes of a round are taken at once, so that no branch hangs on which lanes have one.
void evaluate(const Side& side, const uint8_t* place, uint32_t* lanes, uint32_t* entries) {
  const TileHead& head = side.tile.head;
  if (head.wide) {
    side.evaluate(place, lanes, entries);
    return;
  }
  const BlockView block(head, place);
  // 1. Every entry by itself, eight at once.
  uint32_t length[256 + 16];
  const __m128i three = _mm_set_epi8(-1, 11, 10, 9, -1, 8, 7, 6, -1, 5, 4, 3, -1, 2, 1, 0);
  for (uint32_t e = 0; e < block.entries; e += 8) {
    const uint8_t* d = block.distances + size_t{head.distance_bytes} * e;
    __m256i distance;
    if (head.distance_bytes == 3) {
      const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(d));
      const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(d + 12));
      distance = _mm256_set_m128i(_mm_shuffle_epi8(high, three), _mm_shuffle_epi8(low, three));
    } else {
      distance = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(d));
    }
    // Beyond the last entry stands something else than a via, but a byte all the same.
    const __m256i via =
        _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(block.vias + e)));
    const __m256i reach = _mm256_i32gather_epi32(reinterpret_cast<const int*>(side.reach), via, 4);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(length + e), _mm256_add_epi32(distance, reach));
  }
  // 2. The least of each lane.
  const __m256i far = _mm256_set1_epi32(static_cast<int32_t>(kFar));
  __m256i least[2] = {far, far}, first[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
  uint32_t e = 0;
  for (uint32_t r = 0; r < block.rounds; ++r) {
    const uint32_t mask = read16(block.lanes + 2 * size_t{r});
    for (uint32_t half = 0; half < 2; ++half) {
      const uint32_t set = mask >> (8 * half) & 255;
      const __m256i lane = _mm256_cvtepi8_epi32(
          _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kLaneTable.entry[set])));
      const __m256i some = _mm256_blendv_epi8(
          _mm256_permutevar8x32_epi32(
              _mm256_loadu_si256(reinterpret_cast<const __m256i*>(length + e)), lane),
          far, lane);
      const __m256i nearest = _mm256_min_epu32(least[half], some);
      const __m256i entry = _mm256_add_epi32(lane, _mm256_set1_epi32(static_cast<int32_t>(e)));
      first[half] =
          _mm256_blendv_epi8(entry, first[half], _mm256_cmpeq_epi32(nearest, least[half]));
      least[half] = nearest;
      e += static_cast<uint32_t>(__builtin_popcount(set));
    }
  }
  for (uint32_t half = 0; half < 2; ++half) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(lanes + 8 * half), least[half]);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(entries + 8 * half), first[half]);
  }
}

// In which lanes the sum is below a length.
uint32_t below(const uint32_t* near, const uint32_t* far, uint32_t length) {
  const __m256i bound = _mm256_set1_epi32(static_cast<int32_t>(length));
  uint32_t lanes = 0;
  for (uint32_t i = 0; i < kLanes; i += 8) {
    const __m256i sum =
        _mm256_add_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(near + i)),
                         _mm256_loadu_si256(reinterpret_cast<const __m256i*>(far + i)));
    lanes |= static_cast<uint32_t>(
                 _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(bound, sum))))
             << i;
  }
  return lanes;
}

void meet(const LabelTables& tables, Point s, Point t, uint32_t* room, Meeting* meeting) {
  meet_by_blocks(tables, s, t, room, meeting, look, evaluate, below);
}

void reach(const LabelTables& tables, Point p, uint32_t* room, const uint64_t* wanted,
           uint64_t* there, uint32_t* lanes) {
  reach_by_blocks(tables, p, room, wanted, there, lanes, look, evaluate);
}

void nearest(const uint32_t* lanes, const ListedBlock* common, uint32_t count, const uint32_t* rows,
             uint32_t blocks, uint32_t n, uint32_t* least) {
  plain_nearest(lanes, common, count, rows, blocks, n, least);
}

// Cells are written four at once, upwards (kStep 1) or downwards (-1). Nobody counts what a vector
// holds beyond the end: it is written over, or put back, or lies in the room on both sides.
template <int kStep>
void put(__m256i cells, Cell* out) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(kStep > 0 ? out : out - 3), cells);
}
__m256i both(int32_t x, int32_t y) {
  return _mm256_set1_epi64x(static_cast<int64_t>(y) << 32 | static_cast<uint32_t>(x));
}
// Which of four cells, in the order of the walk, stands in a place of a vector; for x and y.
template <int kStep>
__m256i turns() {
  return kStep > 0 ? _mm256_set_epi32(3, 3, 2, 2, 1, 1, 0, 0)
                   : _mm256_set_epi32(0, 0, 1, 1, 2, 2, 3, 3);
}

// The octile line, without its last cell; gives the place of that. Diagonal first: each coordinate
// goes on by one a step until it is there.
template <int kStep>
Cell* write_line(Point from, Point to, Cell offset, Cell* out) {
  const auto dx = static_cast<int32_t>(to.x - from.x), dy = static_cast<int32_t>(to.y - from.y);
  const int32_t ax = dx < 0 ? -dx : dx, ay = dy < 0 ? -dy : dy;
  const int32_t steps = ax > ay ? ax : ay;
  const __m256i first = both(static_cast<int32_t>(from.x) + offset.x,  //
                             static_cast<int32_t>(from.y) + offset.y);
  const __m256i sign = both(dx < 0 ? -1 : 1, dy < 0 ? -1 : 1), end = both(ax, ay);
  __m256i turn = turns<kStep>();
  for (int32_t done = 0;;) {
    for (int32_t part = 0; part < 16; part += 4) {
      put<kStep>(_mm256_add_epi32(first, _mm256_sign_epi32(_mm256_min_epu32(turn, end), sign)),
                 out + (done + part) * kStep);
      turn = _mm256_add_epi32(turn, _mm256_set1_epi32(4));
    }
    done += 16;
    if (done >= steps) return out + steps * kStep;
  }
}

// From `from` over a via to the hub; gives the place of the hub, which is written as well.
template <int kStep>
Cell* follow(const Meeting& meeting, uint32_t side, Point from, Cell offset, Cell* out) {
  // What a move adds to x and y, by direction.
  const __m256i delta = _mm256_set_epi8(0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, 0, 1, 1, 1, 0,  //
                                        0, 0, 0, 0, 0, 0, 0, 0, 1, 0, -1, -1, -1, 0, 1, 1);
  const __m256i reversed =
      _mm256_set_epi8(-128, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,  //
                      -128, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
  const Point via = meeting.via[side];
  const uint8_t* tree = meeting.tree;
  uint32_t nibble = meeting.link[side];
  out = write_line<kStep>(from, via, offset, out);
  __m256i at = both(static_cast<int32_t>(via.x) + offset.x,  //
                    static_cast<int32_t>(via.y) + offset.y);
  for (;;) {
    const uint8_t* p = tree + (nibble >> 1);
    const uint32_t shift = 4 * (nibble & 1);
    const uint64_t word = read64(p) >> shift | uint64_t{p[8]} << 1 << (63 - shift);
    const uint64_t stop = word & 0x8888888888888888;
    // From the stop on nobody moves.
    const uint64_t staying = word | (~_blsmsk_u64(stop) & 0x8888888888888888);
    // x in the low half, y in the high half: what each move adds, then the sums.
    const __m128i moves =
        _mm_set_epi64x(static_cast<long long>(_pdep_u64(staying >> 32, 0x0f0f0f0f0f0f0f0f)),
                       static_cast<long long>(_pdep_u64(staying, 0x0f0f0f0f0f0f0f0f)));
    __m256i sum = _mm256_shuffle_epi8(delta, _mm256_broadcastsi128_si256(moves));
    sum = _mm256_add_epi8(sum, _mm256_slli_si256(sum, 1));
    sum = _mm256_add_epi8(sum, _mm256_slli_si256(sum, 2));
    sum = _mm256_add_epi8(sum, _mm256_slli_si256(sum, 4));
    sum = _mm256_add_epi8(sum, _mm256_slli_si256(sum, 8));
    // The cell that move i leaves is where the moves before it lead.
    const __m256i left = kStep > 0 ? _mm256_slli_si256(sum, 1) : _mm256_shuffle_epi8(sum, reversed);
    const __m128i x = _mm256_castsi256_si128(left), y = _mm256_extracti128_si256(left, 1);
    const __m128i low = _mm_unpacklo_epi8(x, y), high = _mm_unpackhi_epi8(x, y);
    const __m128i quarters[4] = {low, _mm_srli_si128(low, 8), high, _mm_srli_si128(high, 8)};
    for (int32_t i = 0; i < 4; ++i)
      put<kStep>(_mm256_add_epi32(at, _mm256_cvtepi8_epi32(quarters[kStep > 0 ? i : 3 - i])),
                 out + 4 * i * kStep);
    const __m128i last = _mm_unpackhi_epi8(_mm256_castsi256_si128(sum),  //
                                           _mm256_extracti128_si256(sum, 1));
    at = _mm256_add_epi32(at, _mm256_broadcastq_epi64(_mm_cvtepi8_epi32(_mm_srli_si128(last, 14))));
    if (!stop) {
      nibble += 16;
      out += 16 * kStep;
      continue;
    }
    const auto n = static_cast<uint32_t>(__builtin_ctzll(stop)) >> 2;
    nibble += n;
    out += static_cast<int32_t>(n) * kStep;
    const auto token = static_cast<uint32_t>(word >> (4 * n) & 15);
    if (token == kRun) {
      const uint64_t run = read64(tree + (nibble >> 1)) >> (4 * (nibble & 1));
      const uint32_t direction = run >> 4 & 7;
      const auto steps = static_cast<int32_t>(run >> 8 & 0xfff);
      const __m256i one = both(kDx[direction], kDy[direction]);
      const __m256i four = _mm256_slli_epi32(one, 2);
      __m256i cells = _mm256_add_epi32(at, _mm256_mullo_epi32(turns<kStep>(), one));
      for (int32_t done = 0; done < steps; done += 8) {
        put<kStep>(cells, out + done * kStep);
        cells = _mm256_add_epi32(cells, four);
        put<kStep>(cells, out + (done + 4) * kStep);
        cells = _mm256_add_epi32(cells, four);
      }
      at = _mm256_add_epi32(at, _mm256_mullo_epi32(one, _mm256_set1_epi32(steps)));
      out += steps * kStep;
      nibble += 5;
    } else if (!go_on(tree, token, &nibble)) {
      return out;
    }
  }
}

void way(const Meeting& meeting, Point s, Point t, Cell offset, Cell* out, uint32_t steps) {
  // The other side comes from above and writes beyond the hub.
  auto* const last = reinterpret_cast<__m256i*>(follow<1>(meeting, 0, s, offset, out) - 15);
  __m256i kept[4];
  for (int i = 0; i < 4; ++i) kept[i] = _mm256_loadu_si256(last + i);
  follow<-1>(meeting, 1, t, offset, out + steps);
  for (int i = 0; i < 4; ++i) _mm256_storeu_si256(last + i, kept[i]);
}

void line(Point from, Point to, Cell offset, Cell* out) {
  Cell* end = write_line<1>(from, to, offset, out);
  *end = {static_cast<int32_t>(to.x) + offset.x, static_cast<int32_t>(to.y) + offset.y};
}

uint64_t column(const TileSight& tile, Point via, const uint32_t* free, IndexSteps steps,
                uint32_t* length) {
  return plain_column(tile, via, free, steps, length);
}

void lower(uint32_t* least, const uint32_t* from, uint32_t add, size_t n) {
  plain_lower(least, from, add, n);
}

uint64_t finite(const uint32_t* length, uint32_t* largest) {
  const __m256i far = _mm256_set1_epi32(static_cast<int32_t>(kFar));
  __m256i most = _mm256_setzero_si256();
  uint64_t bits = 0;
  for (uint32_t i = 0; i < 64; i += 8) {
    const __m256i some = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(length + i));
    const __m256i gone = _mm256_cmpeq_epi32(some, far);
    most = _mm256_max_epu32(most, _mm256_andnot_si256(gone, some));
    bits |= uint64_t{~static_cast<uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(gone))) & 255}
            << i;
  }
  alignas(32) uint32_t lanes[8];
  _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), most);
  *largest = 0;
  for (const uint32_t lane : lanes) *largest = lane > *largest ? lane : *largest;
  return bits;
}

uint64_t within(const uint32_t* length, const uint32_t* from, uint32_t add, uint64_t of,
                uint32_t* count) {
  const __m256i more = _mm256_set1_epi32(static_cast<int32_t>(add));
  uint64_t bits = 0;
  for (uint32_t i = 0; i < 64; i += 8) {
    const __m256i sum =
        _mm256_add_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i)), more);
    const __m256i own = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(length + i));
    const __m256i least = _mm256_min_epu32(sum, own);
    bits |= static_cast<uint64_t>(static_cast<uint32_t>(
                _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(least, sum)))))
            << i;
  }
  bits &= of;
  *count = static_cast<uint32_t>(__builtin_popcountll(bits));
  return bits;
}

bool sift(const SiftedTile& tile, const BlockView& block, uint32_t number, SeenEntries* seen,
          OddEntries* odd, bool* far) {
  return plain_sift(tile, block, number, seen, odd, far);
}

constexpr LabelKernel kKernel{"avx2", meet,  way,    line,   reach, nearest,
                              column, lower, finite, within, sift};

}  // namespace labels_avx2

}  // namespace

constinit const LabelKernel kAvx2Labels = labels_avx2::kKernel;

}  // namespace octile

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
