// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The jump kernel for x86-64 with AVX-512: eight cells in one vector.

#include "search/jump_kernel.hpp"

#if OCTILE_JUMPS_X86

#include <immintrin.h>

// g++ 12 takes the undefined vectors inside its own intrinsics for mistakes (GCC bug 105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#define OCTILE_JUMPS_NAME jumps_avx512
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

// The lane's own cell comes to the low end, what is before it to the high end.
template <int kX>
OCTILE_JUMPS_INLINE uint32_t leaves(Lanes rows, Lanes xs) noexcept {
  return _mm512_test_epi64_mask(_mm512_rorv_epi64(rows, xs), all(kX > 0 ? 2 : uint64_t{1} << 63));
}
template <int kX>
OCTILE_JUMPS_INLINE uint32_t enters(Lanes rows, Lanes xs) noexcept {
  const Lanes both = all(1 | (kX > 0 ? uint64_t{1} << 63 : 2));
  return _mm512_cmpeq_epi64_mask(_mm512_and_si512(_mm512_rorv_epi64(rows, xs), both), both);
}

OCTILE_JUMPS_INLINE void keep(Set lanes, Lanes a, uint64_t* out) noexcept {
  _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(lanes, a));
}

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

#endif
