// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The jump kernel for x86-64 with AVX2: eight cells in two vectors.

#include "search/jump_kernel.hpp"

#if OCTILE_JUMPS_X86

#include <immintrin.h>

#define OCTILE_JUMPS_NAME jumps_avx2
#define OCTILE_JUMPS [[gnu::target("avx2,bmi,bmi2,lzcnt,popcnt")]]
#define OCTILE_JUMPS_INLINE [[gnu::target("avx2,bmi,bmi2,lzcnt,popcnt"), gnu::always_inline]] inline

namespace octile {

namespace {

namespace OCTILE_JUMPS_NAME {

constexpr uint32_t kLanes = 4;
using Lanes = __m256i;
using Set = uint32_t;
using Mask = __m256i;  // all bits of a lane

OCTILE_JUMPS_INLINE Lanes all(uint64_t value) noexcept {
  return _mm256_set1_epi64x(static_cast<int64_t>(value));
}
template <int64_t kStep>
OCTILE_JUMPS_INLINE Lanes ladder() noexcept {
  return _mm256_setr_epi64x(0, kStep, 2 * kStep, 3 * kStep);
}
OCTILE_JUMPS_INLINE Lanes load(const uint64_t* words) noexcept {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words));
}
OCTILE_JUMPS_INLINE Lanes backwards(Lanes a) noexcept {
  return _mm256_permute4x64_epi64(a, 0x1b);
}
OCTILE_JUMPS_INLINE Lanes add(Lanes a, Lanes b) noexcept {
  return _mm256_add_epi64(a, b);
}
OCTILE_JUMPS_INLINE Lanes sub(Lanes a, Lanes b) noexcept {
  return _mm256_sub_epi64(a, b);
}
// Factors of 32 bits.
OCTILE_JUMPS_INLINE Lanes times(Lanes a, uint64_t b) noexcept {
  return _mm256_mul_epu32(a, all(b));
}
template <int kBy>
OCTILE_JUMPS_INLINE Lanes shift_left(Lanes a) noexcept {
  return _mm256_slli_epi64(a, kBy);
}
OCTILE_JUMPS_INLINE Lanes shift_left(Lanes a, Lanes by) noexcept {
  return _mm256_sllv_epi64(a, by);
}
OCTILE_JUMPS_INLINE Lanes shift_right(Lanes a, Lanes by) noexcept {
  return _mm256_srlv_epi64(a, by);
}
OCTILE_JUMPS_INLINE Lanes lowest_bit(Lanes a) noexcept {
  return _mm256_and_si256(a, _mm256_sub_epi64(_mm256_setzero_si256(), a));
}

OCTILE_JUMPS_INLINE Mask is_empty(Lanes a) noexcept {
  return _mm256_cmpeq_epi64(a, _mm256_setzero_si256());
}
// By the top bits of the lanes: where bytes are picked, g++ 12 first makes the mask anew.
OCTILE_JUMPS_INLINE Lanes pick(Mask m, Lanes no, Lanes yes) noexcept {
  return _mm256_castpd_si256(
      _mm256_blendv_pd(_mm256_castsi256_pd(no), _mm256_castsi256_pd(yes), _mm256_castsi256_pd(m)));
}
OCTILE_JUMPS_INLINE Set tops(Lanes a) noexcept {
  return static_cast<uint32_t>(_mm256_movemask_pd(_mm256_castsi256_pd(a)));
}
OCTILE_JUMPS_INLINE Set bits(Mask m) noexcept {
  return tops(m);
}
OCTILE_JUMPS_INLINE Mask without(Mask a, Mask b) noexcept {
  return _mm256_andnot_si256(b, a);
}
OCTILE_JUMPS_INLINE Set meets(Set of, Lanes a, Lanes b) noexcept {
  return of & 15 & ~tops(is_empty(_mm256_and_si256(a, b)));
}
OCTILE_JUMPS_INLINE Lanes add_where(Mask m, Lanes a, Lanes b) noexcept {
  return _mm256_add_epi64(a, _mm256_and_si256(m, b));
}
OCTILE_JUMPS_INLINE Lanes sub_where(Mask m, Lanes a, Lanes b) noexcept {
  return _mm256_sub_epi64(a, _mm256_and_si256(m, b));
}

// Of what is not 0. The half that tells becomes a double, whose exponent is its logarithm.
OCTILE_JUMPS_INLINE Lanes leading_zeros(Lanes a) noexcept {
  const Lanes high = _mm256_srli_epi64(a, 32);
  const Mask low = is_empty(high);
  const Lanes two52 = all(uint64_t{0x433} << 52);
  const __m256d half = _mm256_castsi256_pd(_mm256_or_si256(pick(low, high, a), two52));
  const Lanes log =
      _mm256_srli_epi64(_mm256_castpd_si256(_mm256_sub_pd(half, _mm256_castsi256_pd(two52))), 52);
  return sub(add_where(low, all(1023 + 31), all(32)), log);
}

template <int kX>
OCTILE_JUMPS_INLINE uint32_t leaves(Lanes rows, Lanes xs) noexcept {
  return tops(shift_left(rows, sub(all(static_cast<uint64_t>(63 - kX)), xs)));
}
template <int kX>
OCTILE_JUMPS_INLINE uint32_t enters(Lanes rows, Lanes xs) noexcept {
  const Lanes to = shift_left(rows, sub(all(63), xs));
  return tops(_mm256_and_si256(to, shift_left(rows, sub(all(static_cast<uint64_t>(63 + kX)), xs))));
}

// By a set of lanes: where the halves of those in it are.
struct KeepTable {
  alignas(32) uint32_t half[16][8];
};
constexpr KeepTable make_keep_table() noexcept {
  KeepTable table{};
  for (uint32_t set = 0; set < 16; ++set) {
    uint32_t n = 0;
    for (uint32_t lane = 0; lane < 4; ++lane) {
      if (!(set >> lane & 1)) continue;
      table.half[set][n++] = 2 * lane;
      table.half[set][n++] = 2 * lane + 1;
    }
  }
  return table;
}
constexpr KeepTable kKeep = make_keep_table();

OCTILE_JUMPS_INLINE void keep(Set lanes, Lanes a, uint64_t* out) noexcept {
  const __m256i halves = _mm256_load_si256(reinterpret_cast<const __m256i*>(kKeep.half[lanes]));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_permutevar8x32_epi32(a, halves));
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

#endif
