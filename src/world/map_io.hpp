// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Map files without an Engine: bytes in, a plain grid of terrain ids out.
//
//   bytes ──guess_format──> moving_ai ┐
//                           text      ├──> Grid: width x height terrain ids, row by row
//                           pgm       ┘
//
// The bytes may be hostile. Nothing is believed before it was seen: all rows are checked first, and
// memory is taken only for cells that are really there, so a header alone never allocates. Each
// error names its line (or its row, in a binary raster) in one sentence. A Grid changes only on
// success. No locale, no files, no state. docs/file_formats.md has the rules for users.
//
// The public parse_map, write_map and parse_scen live in map_io.cpp as well.

#include <cstddef>
#include <cstdint>

#include "octile/detail/buffer.hpp"
#include "octile/octile.hpp"

namespace octile::world {

struct Grid {
  int32_t width = 0;
  int32_t height = 0;
  detail::Buffer<uint8_t> terrain;  // width * height, the first row first
};

// Looks at the first lines only; never fails, since plain text is the rest.
MapFormat guess_format(const char* data, size_t size) noexcept;

// Reads a map of any format. bad_argument: the bytes are wrong, the text says where.
// out_of_memory: the cells did not fit. In both cases `grid` is as before.
Fault parse_grid(const void* data, size_t size, Grid& grid) noexcept;

}  // namespace octile::world
