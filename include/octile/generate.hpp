// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Maps made by rule: the same parameters give the same bytes on every machine and compiler, and in
// every later version.
//
//   GenerateOptions options;
//   options.width = options.height = 256;
//   std::vector<uint8_t> rows(256 * 256);
//   Fault fault = generate("caves", options, rows.data(), 256);   // then Engine::reset(), stamp()
//
// A map is rows of terrain ids: '@' for walls, '.' for floor, '1' to '9' for floor that costs its
// digit. Every kind works for every size from 1 by 1 on; where the size does not fit the pattern,
// what is left over at the right and at the bottom is wall. Integers alone, one random generator
// whose every step is fixed (SplitMix64), numbers drawn in a fixed order. From any thread; no
// state. Time grows with the cells; the memory beside the rows is at most a byte for each place of
// the pattern.

#include "octile/octile.hpp"

namespace octile {

// What a kind of map is asked for. A negative density, room or corridor stands for the kind's own
// default, and is the only value that a kind which does not take it accepts.
struct GenerateOptions {
  int32_t width = 64;     // cells, 1 or more
  int32_t height = 64;    // cells, 1 or more; together at most 2^30
  uint64_t seed = 1;      // picks one map of the kind
  int32_t density = -1;   // in 1000: of walls, or as the kind says; 0 to 1000
  int32_t room = -1;      // side of rooms or blocks in cells; at most 4096
  int32_t corridor = -1;  // width of corridors in cells; 1 to 4096
};

// A parameter that a kind takes beside the size.
struct MapParameter {
  const char* name = nullptr;     // "seed", "density", "room" or "corridor"; null: none
  const char* summary = nullptr;  // one line
  int32_t standard = 0;           // the default
  int32_t lowest = 0;             // the least that is taken
  int32_t highest = 0;            // and the most
};

// A kind of map. All texts live as long as the program.
struct MapKind {
  const char* name = "";       // "caves"
  const char* summary = "";    // one line
  MapParameter parameters[2];  // those without a name are none
};

// Kinds are numbered from 0 to map_kind_count() - 1; another number gives one with empty texts.
OCTILE_API int map_kind_count() noexcept;
OCTILE_API const MapKind& map_kind(int kind) noexcept;

// Fills `height` rows of `width` bytes, `stride` from row to row. Faults: bad_argument (no such
// kind, a value out of range, a parameter that the kind does not take, null rows, a stride below
// the width or beyond memory), out_of_memory. Nothing was written then.
OCTILE_API Fault generate(const char* kind, const GenerateOptions& options, uint8_t* rows,
                          size_t stride) noexcept;

}  // namespace octile
