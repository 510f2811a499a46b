// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The maps of octile/generate.hpp as Grids: terrain ids row by row, '@' for walls, '.' for floor,
// '1' to '9' for floor that costs its digit. Values out of range give an empty Grid. Not
// thread-relevant: no state.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "octile/generate.hpp"

namespace octile::scenes {

constexpr uint8_t kFloor = '.';
constexpr uint8_t kStone = '@';

struct Grid {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> cells;  // row-major terrain ids, width * height of them

  Grid() = default;
  Grid(int w, int h, uint8_t terrain)
      : width(w), height(h), cells(static_cast<size_t>(w) * static_cast<size_t>(h), terrain) {}
  size_t index(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x);
  }
  uint8_t at(int x, int y) const { return cells[index(x, y)]; }
  uint8_t& at(int x, int y) { return cells[index(x, y)]; }
};

// A Grid drawn in text, one string a row. All rows must have one length, else the Grid is empty.
Grid grid_of(std::initializer_list<std::string_view> rows);
Grid grid_of(const std::vector<std::string>& rows);

// SplitMix64 (Steele, Lea, Flood 2014): the state grows by 0x9e3779b97f4a7c15 a draw, and is mixed
// by two rounds of xor-shift and multiply (0xbf58476d1ce4e5b9, 0x94d049bb133111eb; shifts 30, 27,
// 31). All arithmetic is modulo 2^64.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next();
  // 0 .. bound - 1: the upper 32 bits of a draw, times bound, divided by 2^32 (a bias of at most
  // bound / 2^32, which does not matter here and keeps the number of draws fixed).
  uint32_t below(uint32_t bound);
  bool chance(uint32_t permille) { return below(1000) < permille; }

 private:
  uint64_t state_;
};

// Each cell a wall with the probability density / 1000, drawn row by row.
Grid random(int width, int height, uint64_t seed, int density_permille);

// Square rooms of room_size cells with walls one cell thick. A random spanning tree of doors (one
// cell wide, anywhere along the wall) joins all rooms; three in four of the other walls have a door
// too. Rooms at the right and bottom edges may be smaller.
Grid rooms(int width, int height, uint64_t seed, int room_size);

// A perfect maze: corridors of the given width, walls one cell thick, no border, and exactly one
// route between any two places. Depth-first, with a stack of its own.
Grid maze(int width, int height, uint64_t seed, int corridor_width);

// No walls at all.
Grid open(int width, int height);

// Corridors from left to right and back again, joined at alternating ends: one very long way.
Grid serpentine(int width, int height, int corridor);

// A single corridor that winds from the top left corner to the middle.
Grid spiral(int width, int height, int corridor);

// Dead-end corridors side by side that hang from one lane along the top.
Grid comb(int width, int height, int corridor);

// Alternating cells: no two floor cells share an edge, so that only diagonal steps join them.
Grid checkerboard(int width, int height);

// Single wall cells at every other column of every other row: corners everywhere, countless ties.
Grid pillars(int width, int height);

// A maze with corridors one cell wide and loops: `loops_permille` of the walls that the perfect
// maze has left standing between two neighbouring places are opened.
Grid one_wide(int width, int height, uint64_t seed, int loops_permille);

// Diagonal walls, a cell thick, that are open at alternating ends: a serpentine turned by 45
// degrees. Without corner cutting the walls are tight; with it they leak everywhere.
Grid diagonal_comb(int width, int height, int corridor);

// Rolling country of digits 1 to 9 (three octaves of integer noise), with single walls of the given
// density.
Grid hills(int width, int height, uint64_t seed, int density_permille);

// Caves: single walls of the given density, smoothed four times: a cell becomes wall when at least
// five of the nine cells round it are (what lies outside is wall), floor otherwise.
Grid caves(int width, int height, uint64_t seed, int density_permille);

// City blocks between streets: each has houses that are solid or stand round a courtyard, with
// alleys between them; one street in six is closed by a fence.
Grid city(int width, int height, uint64_t seed, int block_size);

// The kind of map that octile/generate.hpp makes for the options. Returns "" or one clear line; the
// Grid is then unchanged.
using GeneratorOptions = GenerateOptions;
std::string generate(const std::string& kind, const GeneratorOptions& options, Grid& grid);

// FNV-1a (64 bits) of the size and the bytes: what the tests keep of a map.
uint64_t fingerprint(const Grid& grid);

}  // namespace octile::scenes
