// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "pictures/raster.hpp"

namespace octile::pictures {
namespace {

// Letters 5 pixels wide and 7 high, with two more rows for tails. One letter a string, one
// character a row: its five pixels as a number in base 32 (0-9, a-v), the leftmost pixel the
// highest bit.
constexpr const char* kGlyphs[95] = {
    "000000000", "444440400", "aa0000000", "aavavaa00",
    "4fke5u400", "pq248bj00", "cik8lid00",  // !-&
    "440000000", "248884200", "842224800", "04lel4000",
    "044v44000", "000004480", "000e00000",  // '--
    "00000cc00", "122488g00", "ehjlphe00", "4c4444e00",
    "eh1248v00", "v2421he00", "26aiv2200",  // .-4
    "vgu11he00", "68guhhe00", "v12488800", "ehhehhe00",
    "ehhf12c00", "00cc0cc00", "00cc0c480",  // 5-;
    "248g84200", "00v0v0000", "842124800", "eh1240400",
    "eh1dlle00", "ehhvhhh00", "uhhuhhu00",  // <-B
    "ehggghe00", "sihhhis00", "vgguggv00", "vgguggg00",
    "ehgnhhf00", "hhhvhhh00", "e44444e00",  // C-I
    "72222ic00", "hikokih00", "ggggggv00", "hrllhhh00",
    "hhpljhh00", "ehhhhhe00", "uhhuggg00",  // J-P
    "ehhhlid00", "uhhukih00", "fgge11u00", "v44444400",
    "hhhhhhe00", "hhhhha400", "hhhllla00",  // Q-W
    "hha4ahh00", "hhha44400", "v1248gv00", "e88888e00",
    "g88422100", "e22222e00", "4ah000000",  // X-^
    "0000000v0", "840000000", "00e1fhf00", "ggmphhu00",
    "00egghe00", "11djhhf00", "00ehvge00",  // _-e
    "698s88800", "00fhhhf1e", "ggmphhh00", "40c444e00",
    "2062222ic", "ggikoki00", "c44444e00",  // f-l
    "00qllll00", "00mphhh00", "00ehhhe00", "00uhhhugg",
    "00fhhhf11", "00mpggg00", "00fge1u00",  // m-s
    "88s889600", "00hhhjd00", "00hhha400", "00hhlla00",
    "00ha4ah00", "00hhhhf1e", "00v248v00",  // t-z
    "644844600", "444444400", "c44244c00", "008l20000",
};

}  // namespace

int text_width(const std::string& text, int scale) {
  return text.empty() ? 0 : (static_cast<int>(text.size()) * kGlyphAdvance - 1) * scale;
}

void draw_text(Image& image, int x, int y, const std::string& text, int scale, Color color) {
  for (const char letter : text) {
    const bool known = letter >= ' ' && letter <= '~';
    const char* rows = kGlyphs[(known ? letter : '?') - ' '];
    for (int row = 0; row < kGlyphRows; ++row) {
      const int bits = rows[row] <= '9' ? rows[row] - '0' : rows[row] - 'a' + 10;
      for (int column = 0; column < 5; ++column) {
        if (bits >> (4 - column) & 1) {
          fill_rect(image, x + column * scale, y + row * scale, scale, scale, color);
        }
      }
    }
    x += kGlyphAdvance * scale;
  }
}

}  // namespace octile::pictures
