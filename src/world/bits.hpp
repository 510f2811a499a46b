// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Bit blocks: a 64 x 64 bit matrix transposed in place, eight planes of 64 bits woven into 64
// bytes, and 64 bytes into bits. (Warren, Hacker's Delight, 7-3.)

#include <cstdint>
#include <cstring>

namespace octile {

// Bit x of word y goes to bit y of word x.
inline void transpose(uint64_t* m) noexcept {
  uint64_t mask = 0x00000000ffffffff;
  for (uint32_t width = 32; width != 0; width >>= 1, mask ^= mask << width) {
    for (uint32_t i = 0; i < 64; i = (i + width + 1) & ~width) {
      const uint64_t swap = (m[i] >> width ^ m[i + width]) & mask;
      m[i] ^= swap << width;
      m[i + width] ^= swap;
    }
  }
}

// Column x moves down by x words, around the end: bit x of word y goes to word (y + x) & 63.
inline void skew(uint64_t* m) noexcept {
  for (uint32_t by = 1; by < 64; by <<= 1) {
    // The columns whose number has that bit.
    const uint64_t moved = ~(~uint64_t{0} / ((uint64_t{1} << by) + 1));
    uint64_t was[64];
    std::memcpy(was, m, sizeof was);
    for (uint32_t i = 0; i < 64; ++i) m[i] = (was[i] & ~moved) | (was[(i - by) & 63] & moved);
  }
}

// Without a call where the processor at hand may lack the instruction.
inline uint32_t count_bits(uint64_t bits) noexcept {
  bits -= bits >> 1 & 0x5555555555555555;
  bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
  return static_cast<uint32_t>(((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >>
                               56);
}

// Of eight words, in every group of eight fields of kField bits (1 or 8): field i of word k goes to
// field k of word i.
template <uint32_t kField>
void transpose_groups(uint64_t* m) noexcept {
  for (uint32_t width = 1; width < 8; width <<= 1) {
    const uint32_t shift = width * kField;
    // The lower half of every pair of groups of `width` fields.
    const uint64_t mask = ~uint64_t{0} / ((uint64_t{1} << shift) + 1);
    for (uint32_t i = 0; i < 8; i = (i + width + 1) & ~width) {
      const uint64_t swap = (m[i] >> shift ^ m[i + width]) & mask;
      m[i] ^= swap << shift;
      m[i + width] ^= swap;
    }
  }
}

// Bit x of plane d goes to bit d of byte x.
inline void planes_to_bytes(const uint64_t* plane, uint8_t* bytes) noexcept {
  uint64_t m[8];
  std::memcpy(m, plane, sizeof m);
  transpose_groups<1>(m);  // byte k of word i: cell 8 k + i
  transpose_groups<8>(m);  // byte i of word k
  std::memcpy(bytes, m, sizeof m);
}

// Bit x tells of byte x, which is 0 or 1.
inline uint64_t bytes_to_bits(const uint8_t* bytes) noexcept {
  uint64_t bits = 0;
  for (uint32_t x = 0; x < 64; x += 8) {
    uint64_t eight;
    std::memcpy(&eight, bytes + x, sizeof eight);
    bits |= eight * 0x0102040810204080 >> 56 << x;
  }
  return bits;
}

}  // namespace octile
