// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// What all files that are used as they lie have in common: where their parts begin, and checksums
// of them and fingerprints of what they belong to, against accidents, not against forgers.

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace octile {

constexpr size_t kFileAlignment = 64;
constexpr size_t file_aligned(size_t bytes) noexcept {
  return (bytes + kFileAlignment - 1) / kFileAlignment * kFileAlignment;
}

inline uint64_t mix(uint64_t a, uint64_t b) noexcept {
  a = (a ^ b) * 0x9fb21c651e98df25;
  return a ^ a >> 32;
}

// Of a file whose size is a multiple of 64, with the word at `field`, where the sum itself stands,
// as 0. Four lanes, so that it runs at the speed of memory.
inline uint64_t file_checksum(const uint8_t* data, size_t size, size_t field) noexcept {
  uint64_t lane[4] = {1, 2, 3, 4};
  for (size_t at = 0; at + 32 <= size; at += 32) {
    for (size_t i = 0; i < 4; ++i) {
      uint64_t word;
      std::memcpy(&word, data + at + 8 * i, sizeof word);
      if (at + 8 * i == field) word = 0;
      lane[i] = mix(lane[i], word + 0x9e3779b97f4a7c15);
    }
  }
  return mix(mix(lane[0], lane[1]), mix(lane[2], lane[3]) + size);
}

}  // namespace octile
