// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Few colours for many pixels: PNG and GIF are small when a picture is a table of at most 256
// colours and a byte a pixel. Drawings of maps rarely have more; when they do, the table comes from
// median cuts (Heckbert 1982) of the colours' histogram and every colour takes its box's mean.

#include <cstdint>
#include <string>
#include <vector>

#include "pictures/pictures.hpp"

namespace octile::pictures {

struct Indexed {
  std::vector<Color> palette;
  std::vector<uint8_t> pixels;  // one index into the palette for each pixel
};

// Pixels are packed 0xrrggbb values. With `exact_only`, false when they have more than `limit`
// colours (1 to 256); else always true. Colours appear in the palette in order of their value.
bool index_colors(const std::vector<uint32_t>& pixels, size_t limit, bool exact_only,
                  Indexed& indexed);

// As SVG has it, "#rrggbb".
std::string hex(Color color);

inline uint32_t packed(const uint8_t* rgb) {
  return static_cast<uint32_t>(rgb[0]) << 16 | static_cast<uint32_t>(rgb[1]) << 8 | rgb[2];
}

}  // namespace octile::pictures
