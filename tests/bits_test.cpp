// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "world/bits.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support.hpp"

namespace octile::test {
namespace {

TEST(Bits, transpose_swaps_rows_and_columns) {
  Random random(51);
  for (int i = 0; i < 200; ++i) {
    uint64_t before[64], after[64];
    for (int y = 0; y < 64; ++y) before[y] = after[y] = random.next() & random.next();
    transpose(after);
    for (int y = 0; y < 64; ++y)
      for (int x = 0; x < 64; ++x)
        ASSERT_EQ(after[x] >> y & 1, before[y] >> x & 1) << x << " " << y;
    transpose(after);
    ASSERT_TRUE(std::equal(before, before + 64, after));
  }
}

TEST(Bits, every_single_bit_is_transposed) {
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x) {
      uint64_t m[64] = {};
      m[y] = uint64_t{1} << x;
      transpose(m);
      for (int row = 0; row < 64; ++row)
        ASSERT_EQ(m[row], row == x ? uint64_t{1} << y : 0) << x << " " << y;
    }
  }
}

TEST(Bits, planes_become_bytes) {
  Random random(52);
  for (int i = 0; i < 2000; ++i) {
    uint64_t plane[8];
    uint8_t bytes[64];
    for (uint64_t& p : plane) p = random.next();
    planes_to_bytes(plane, bytes);
    for (int x = 0; x < 64; ++x)
      for (int d = 0; d < 8; ++d) ASSERT_EQ(bytes[x] >> d & 1, int(plane[d] >> x & 1));
  }
}

TEST(Bits, bytes_become_bits) {
  Random random(53);
  for (int i = 0; i < 2000; ++i) {
    uint8_t bytes[64];
    for (uint8_t& b : bytes) b = random.percent(50);
    const uint64_t bits = bytes_to_bits(bytes);
    for (int x = 0; x < 64; ++x) ASSERT_EQ(bits >> x & 1, bytes[x]);
  }
}

}  // namespace
}  // namespace octile::test
