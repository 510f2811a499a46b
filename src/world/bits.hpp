// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Bit blocks: a 64 x 64 bit matrix transposed in place, and eight planes of 64 bits woven into 64
// bytes. (Warren, Hacker's Delight, 7-3.)

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

// Without a call where the processor at hand may lack the instruction.
inline uint32_t count_bits(uint64_t bits) noexcept {
  bits -= bits >> 1 & 0x5555555555555555;
  bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
  return static_cast<uint32_t>(((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >>
                               56);
}

// Bit x of plane d goes to bit d of byte x, for x from `begin` to `end`, both multiples of 8.
inline void planes_to_bytes(const uint64_t* plane, uint8_t* bytes, uint32_t begin = 0,
                            uint32_t end = 64) noexcept {
  for (uint32_t x = begin; x < end; x += 8) {
    uint64_t block = 0;  // row d of an 8 x 8 bit matrix: eight cells of plane d
    for (uint32_t d = 0; d < 8; ++d) block |= (plane[d] >> x & 0xff) << (8 * d);
    uint64_t t = (block ^ block >> 7) & 0x00aa00aa00aa00aa;
    block ^= t ^ t << 7;
    t = (block ^ block >> 14) & 0x0000cccc0000cccc;
    block ^= t ^ t << 14;
    t = (block ^ block >> 28) & 0x00000000f0f0f0f0;
    block ^= t ^ t << 28;
    for (uint32_t i = 0; i < 8; ++i) bytes[x + i] = static_cast<uint8_t>(block >> (8 * i));
  }
}

}  // namespace octile
