// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Pictures of maps, searches and paths: PNG, animated GIF and SVG, on the public face alone.
//
//   View + Trace + paths ──> Drawing ──draw()──────> Image ──write_png()──> file
//                                   ──draw_svg()──> text
//                  several Drawings ──draw_row()──> Image, side by side
//                                   ──animate()───> the bytes of a GIF
//   a colour a cell ──> Mosaic ──draw()──> Image, ──draw_svg()──> text
//
// A Drawing says what is to be seen; how large a cell becomes is chosen from the map's size. From
// bottom to top: cells (walkable white, walls dark, weights from green to brown), what the search
// opened (light) and closed (mid) or its costs as a heat map, grid lines where cells are large,
// paths, the two ends, and a strip of text on top.
//
// Every function that can fail returns "" or one clear line, and leaves its output alone in the
// latter case. Not for hot paths; no state; pictures are equal on every machine up to the rounding
// of line edges.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "octile/octile.hpp"

namespace octile::pictures {

struct Color {
  uint8_t r = 0;
  uint8_t g = 0;
  uint8_t b = 0;
};
constexpr bool operator==(Color a, Color b) {
  return a.r == b.r && a.g == b.g && a.b == b.b;
}
constexpr bool operator!=(Color a, Color b) {
  return !(a == b);
}

// ---------------------------------------------------------------------------------------------
// Images and their files

struct Image {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> rgb;  // row-major, three bytes a pixel

  Image() = default;
  Image(int w, int h, Color fill);
  Color at(int x, int y) const;
  void set(int x, int y, Color color);
};

// Refused beyond this: a picture that a hostile file announces must not eat the memory.
constexpr int kMaxSide = 1 << 16;
constexpr int64_t kMaxPixels = int64_t{1} << 28;

std::string encode_png(const Image& image, std::vector<uint8_t>& png);
// Any PNG; transparent parts are seen before white.
std::string decode_png(const void* data, size_t size, Image& image);
std::string write_png(const std::string& file, const Image& image);
std::string read_png(const std::string& file, Image& image);

// A picture read as a map: turned to grey, a pixel a cell, dark (below half) '@', light '.'.
struct PictureMap {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> terrain;  // row-major
};
std::string map_from_png(const void* data, size_t size, PictureMap& map);
// The other way: a pixel a cell, black where the View has a wall, white elsewhere.
std::string png_from_map(const View& view, std::vector<uint8_t>& png);

// Whether the bytes begin as a PNG does.
bool looks_like_png(const void* data, size_t size);

// Whole files. Writing replaces the file; a failed write leaves none behind.
std::string read_file(const std::string& file, std::vector<uint8_t>& bytes);
std::string write_file(const std::string& file, const void* data, size_t size);

// Writes an animated GIF frame by frame, endlessly repeated by viewers. Each frame stores only the
// rectangle that changed, with a palette of its own; up to 255 colours in it are kept exactly.
class GifWriter {
 public:
  GifWriter();
  ~GifWriter();
  GifWriter(const GifWriter&) = delete;
  GifWriter& operator=(const GifWriter&) = delete;

  std::string begin(int width, int height);
  // The image must have the size given to begin(). Viewers round the time to hundredths.
  std::string add(const Image& image, int milliseconds);
  std::string finish(std::vector<uint8_t>& gif);

 private:
  struct Impl;
  Impl* impl_;
};

// ---------------------------------------------------------------------------------------------
// Drawings

// Orange is the search looked at, blue the one it is compared with (as in tutorial E).
struct Theme {
  Color path;
  Color opened;
  Color closed;
};
constexpr Theme kOrange{{224, 96, 16}, {255, 236, 204}, {250, 209, 148}};
constexpr Theme kBlue{{28, 96, 200}, {219, 234, 251}, {160, 200, 240}};

// A line over the map, from cell to cell: a path, or its turning points.
struct Route {
  std::vector<Cell> cells;
  Color color = kOrange.path;
  std::string name = "path";  // in the legend

  Route() = default;
  explicit Route(const Path& path, Color c = kOrange.path, std::string n = "path")
      : cells(path.cells(), path.cells() + path.size()), color(c), name(std::move(n)) {}
};

// How the Trace is shown: the cells opened and closed, or the costs g from the start as a heat map
// from dark violet (near) to yellow (far).
enum class Shown : uint8_t { sets, costs };

struct Drawing {
  View view;
  // Where routes run along each other the first one shows on both sides of the later ones.
  std::vector<Route> routes;
  const Trace* trace = nullptr;  // none: no search is shown
  Shown shown = Shown::sets;
  Theme theme = kOrange;
  bool only_path = false;  // draw only the path: neither map nor search
  // The markers; without them the ends of the first route.
  std::optional<Cell> start;
  std::optional<Cell> goal;
  std::string title;    // ASCII; a strip above the map; "" for none
  bool legend = false;  // what the colours mean, in the strip
};

struct DrawOptions {
  int longest = 1024;      // pixels that the longer side should not exceed
  int largest_cell = 24;   // pixels
  int cell = 0;            // pixels a cell; 0: chosen from the two above, at least 1
  bool grid_lines = true;  // where cells are 8 pixels or more
};

std::string draw(const Drawing& drawing, const DrawOptions& options, Image& image);
// Side by side, in the order given. `longest` counts for each of them.
std::string draw_row(const std::vector<Drawing>& drawings, const DrawOptions& options,
                     Image& image);
std::string draw_svg(const Drawing& drawing, const DrawOptions& options, std::string& svg);

// What is told by one colour a cell: components, blocks of an index, distances of a field.
struct Mosaic {
  Image cells;  // a pixel for each cell of the map
  // Where to go from each cell, row by row: 0 to 7 as Field::direction(), anything else for no
  // arrow. Empty: none at all. Shown where a cell has 8 pixels.
  std::vector<uint8_t> arrows;
};
// Without grid lines.
std::string draw(const Mosaic& mosaic, const DrawOptions& options, Image& image);
std::string draw_svg(const Mosaic& mosaic, const DrawOptions& options, std::string& svg);

struct AnimationOptions {
  DrawOptions draw{560, 16, 0, true};
  int frames = 90;       // about so many for the search, however long it took
  int frame_ms = 50;     // up to four times that when the search has only a few events
  int path_frames = 12;  // then the path grows
  int hold_ms = 3000;    // and the last frame stays
};

// The searches of the Drawings' traces, side by side and at the same pace: a search that needs half
// the events of its neighbour is done in half the time. Each Drawing needs a trace; without a route
// the search just ends.
std::string animate(const std::vector<Drawing>& drawings, const AnimationOptions& options,
                    std::vector<uint8_t>& gif);

}  // namespace octile::pictures
