// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "scenes/generators.hpp"

#include <utility>

namespace octile::scenes {

uint64_t Random::next() {
  state_ += 0x9e3779b97f4a7c15u;
  uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

uint32_t Random::below(uint32_t bound) {
  return static_cast<uint32_t>(((next() >> 32) * bound) >> 32);
}

namespace {

Grid made(const char* kind, int width, int height, uint64_t seed, int density, int room,
          int corridor) {
  GeneratorOptions options;
  options.width = width;
  options.height = height;
  options.seed = seed;
  options.density = density;
  options.room = room;
  options.corridor = corridor;
  Grid grid;
  (void)generate(kind, options, grid);
  return grid;
}

}  // namespace

Grid grid_of(const std::vector<std::string>& rows) {
  if (rows.empty() || rows[0].empty()) return Grid();
  Grid grid(static_cast<int>(rows[0].size()), static_cast<int>(rows.size()), kFloor);
  size_t i = 0;
  for (const std::string& row : rows) {
    if (row.size() != rows[0].size()) return Grid();
    for (char c : row) grid.cells[i++] = static_cast<uint8_t>(c);
  }
  return grid;
}

Grid grid_of(std::initializer_list<std::string_view> rows) {
  return grid_of(std::vector<std::string>(rows.begin(), rows.end()));
}

Grid random(int width, int height, uint64_t seed, int density_permille) {
  return made("random", width, height, seed, density_permille, -1, -1);
}

Grid rooms(int width, int height, uint64_t seed, int room_size) {
  return made("rooms", width, height, seed, -1, room_size, -1);
}

Grid maze(int width, int height, uint64_t seed, int corridor_width) {
  return made("maze", width, height, seed, -1, -1, corridor_width);
}

Grid open(int width, int height) {
  return Grid(width, height, kFloor);
}

Grid serpentine(int width, int height, int corridor) {
  return made("serpentine", width, height, 1, -1, -1, corridor);
}

Grid spiral(int width, int height, int corridor) {
  return made("spiral", width, height, 1, -1, -1, corridor);
}

Grid comb(int width, int height, int corridor) {
  return made("comb", width, height, 1, -1, -1, corridor);
}

Grid checkerboard(int width, int height) {
  return made("checkerboard", width, height, 1, -1, -1, -1);
}

Grid pillars(int width, int height) {
  return made("pillars", width, height, 1, -1, -1, -1);
}

Grid one_wide(int width, int height, uint64_t seed, int loops_permille) {
  return made("one_wide", width, height, seed, loops_permille, -1, -1);
}

Grid diagonal_comb(int width, int height, int corridor) {
  return made("diagonal_comb", width, height, 1, -1, -1, corridor);
}

Grid hills(int width, int height, uint64_t seed, int density_permille) {
  return made("hills", width, height, seed, density_permille, -1, -1);
}

Grid caves(int width, int height, uint64_t seed, int density_permille) {
  return made("caves", width, height, seed, density_permille, -1, -1);
}

Grid city(int width, int height, uint64_t seed, int block_size) {
  return made("city", width, height, seed, -1, block_size, -1);
}

std::string generate(const std::string& kind, const GeneratorOptions& options, Grid& grid) {
  // The size is looked at before so many cells are made.
  Grid fresh;
  const bool fits = options.width > 0 && options.height > 0 &&
                    int64_t{options.width} * options.height <= int64_t{1} << 30;
  if (fits) fresh = Grid(options.width, options.height, kFloor);
  uint8_t none;
  const Fault fault = octile::generate(kind.c_str(), options, fits ? fresh.cells.data() : &none,
                                       static_cast<size_t>(options.width));
  if (fault) return fault.text;
  grid = std::move(fresh);
  return "";
}

uint64_t fingerprint(const Grid& grid) {
  uint64_t hash = 0xcbf29ce484222325u;
  const auto mix = [&hash](uint8_t byte) { hash = (hash ^ byte) * 0x100000001b3u; };
  for (const int side : {grid.width, grid.height}) {
    for (int shift = 0; shift < 32; shift += 8) {
      mix(static_cast<uint8_t>(static_cast<uint32_t>(side) >> shift));
    }
  }
  for (const uint8_t cell : grid.cells) mix(cell);
  return hash;
}

}  // namespace octile::scenes
