// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "scenes/generators.hpp"

#include <algorithm>

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

// Most patterns live on a coarse board of places, joined to their neighbours or not:
//
//     place (0,0) . . . |# . .        pitch = corridor + 1: a place is corridor x corridor
//                 . . . |# . .        cells, then comes a wall of one cell. A link opens the
//                 . . . |# . .        wall over the whole width of the corridor.
//                 # # # #|# # #
struct Board {
  int columns;
  int rows;
  std::vector<uint8_t> links;  // kEast and kSouth of each place

  Board(int c, int r)
      : columns(c), rows(r), links(static_cast<size_t>(c) * static_cast<size_t>(r), 0) {}
  uint8_t& at(int x, int y) {
    return links[static_cast<size_t>(y) * static_cast<size_t>(columns) + static_cast<size_t>(x)];
  }
};
constexpr uint8_t kEast = 1;
constexpr uint8_t kSouth = 2;
constexpr uint8_t kVisited = 4;

Board board_for(int width, int height, int corridor) {
  return Board(std::max(1, (width + 1) / (corridor + 1)),
               std::max(1, (height + 1) / (corridor + 1)));
}

// Joins two neighbouring places.
void join(Board& board, int x, int y, int other_x, int other_y) {
  if (other_y == y) {
    board.at(std::min(x, other_x), y) |= kEast;
  } else {
    board.at(x, std::min(y, other_y)) |= kSouth;
  }
}

// A random spanning tree by depth-first search from place (0, 0): from the place on top of the
// stack to one of its unvisited neighbours, counted east, south, west, north; one draw a step.
void grow_tree(Board& board, Random& random) {
  struct Place {
    int x, y;
  };
  std::vector<Place> stack{{0, 0}};
  board.at(0, 0) |= kVisited;
  while (!stack.empty()) {
    const Place here = stack.back();
    const Place around[4] = {
        {here.x + 1, here.y}, {here.x, here.y + 1}, {here.x - 1, here.y}, {here.x, here.y - 1}};
    Place fresh[4];
    uint32_t count = 0;
    for (const Place& place : around) {
      if (place.x < 0 || place.y < 0 || place.x >= board.columns || place.y >= board.rows) continue;
      if (board.at(place.x, place.y) & kVisited) continue;
      fresh[count++] = place;
    }
    if (count == 0) {
      stack.pop_back();
      continue;
    }
    const Place chosen = fresh[random.below(count)];
    join(board, here.x, here.y, chosen.x, chosen.y);
    board.at(chosen.x, chosen.y) |= kVisited;
    stack.push_back(chosen);
  }
}

void fill(Grid& grid, int x, int y, int width, int height, uint8_t terrain) {
  for (int row = y; row < std::min(y + height, grid.height); ++row) {
    for (int column = x; column < std::min(x + width, grid.width); ++column) {
      grid.at(column, row) = terrain;
    }
  }
}

Grid carve(int width, int height, int corridor, Board& board) {
  Grid grid(width, height, kStone);
  const int pitch = corridor + 1;
  for (int y = 0; y < board.rows; ++y) {
    for (int x = 0; x < board.columns; ++x) {
      const uint8_t links = board.at(x, y);
      fill(grid, x * pitch, y * pitch, corridor, corridor, kFloor);
      if (links & kEast) fill(grid, x * pitch + corridor, y * pitch, 1, corridor, kFloor);
      if (links & kSouth) fill(grid, x * pitch, y * pitch + corridor, corridor, 1, kFloor);
    }
  }
  return grid;
}

// One octave of noise, added to `sum`: random values 0 .. 255 on a lattice, linear in between.
void add_octave(Random& random, int width, int height, int spacing, int factor,
                std::vector<int>& sum) {
  const int columns = (width - 1) / spacing + 2;
  const int rows = (height - 1) / spacing + 2;
  std::vector<int> lattice(static_cast<size_t>(columns) * static_cast<size_t>(rows));
  for (int& value : lattice) value = static_cast<int>(random.below(256));
  size_t i = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const size_t corner = static_cast<size_t>(y / spacing) * static_cast<size_t>(columns) +
                            static_cast<size_t>(x / spacing);
      const size_t under = corner + static_cast<size_t>(columns);
      const int fx = x % spacing;
      const int fy = y % spacing;
      const int top = lattice[corner] * (spacing - fx) + lattice[corner + 1] * fx;
      const int bottom = lattice[under] * (spacing - fx) + lattice[under + 1] * fx;
      sum[i++] += factor * ((top * (spacing - fy) + bottom * fy) / (spacing * spacing));
    }
  }
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
  Grid grid(width, height, kFloor);
  Random random(seed);
  for (uint8_t& cell : grid.cells) {
    if (random.chance(static_cast<uint32_t>(density_permille))) cell = kStone;
  }
  return grid;
}

Grid rooms(int width, int height, uint64_t seed, int room_size) {
  const int pitch = room_size + 1;
  Board board((width - 1) / pitch + 1, (height - 1) / pitch + 1);
  Random random(seed);
  grow_tree(board, random);
  Grid grid(width, height, kStone);
  for (int y = 0; y < board.rows; ++y) {
    for (int x = 0; x < board.columns; ++x) {
      fill(grid, x * pitch, y * pitch, room_size, room_size, kFloor);
      const uint32_t room_width = static_cast<uint32_t>(std::min(room_size, width - x * pitch));
      const uint32_t room_height = static_cast<uint32_t>(std::min(room_size, height - y * pitch));
      // Both draws are made for every wall, door or not.
      const bool east = random.chance(750) || (board.at(x, y) & kEast);
      const int east_at = y * pitch + static_cast<int>(random.below(room_height));
      if (east && x + 1 < board.columns) grid.at(x * pitch + room_size, east_at) = kFloor;
      const bool south = random.chance(750) || (board.at(x, y) & kSouth);
      const int south_at = x * pitch + static_cast<int>(random.below(room_width));
      if (south && y + 1 < board.rows) grid.at(south_at, y * pitch + room_size) = kFloor;
    }
  }
  return grid;
}

Grid maze(int width, int height, uint64_t seed, int corridor_width) {
  Board board = board_for(width, height, corridor_width);
  Random random(seed);
  grow_tree(board, random);
  return carve(width, height, corridor_width, board);
}

Grid open(int width, int height) {
  return Grid(width, height, kFloor);
}

Grid serpentine(int width, int height, int corridor) {
  Board board = board_for(width, height, corridor);
  for (int y = 0; y < board.rows; ++y) {
    for (int x = 0; x + 1 < board.columns; ++x) board.at(x, y) |= kEast;
    if (y + 1 < board.rows) board.at(y % 2 == 0 ? board.columns - 1 : 0, y) |= kSouth;
  }
  return carve(width, height, corridor, board);
}

Grid spiral(int width, int height, int corridor) {
  Board board = board_for(width, height, corridor);
  constexpr int kStepX[4] = {1, 0, -1, 0};
  constexpr int kStepY[4] = {0, 1, 0, -1};
  int x = 0;
  int y = 0;
  board.at(0, 0) |= kVisited;
  // Straight on as long as the way is free, else one turn to the right; two turns end it.
  for (int direction = 0, turns = 0; turns < 2;) {
    const int next_x = x + kStepX[direction];
    const int next_y = y + kStepY[direction];
    if (next_x < 0 || next_y < 0 || next_x >= board.columns || next_y >= board.rows ||
        (board.at(next_x, next_y) & kVisited)) {
      direction = (direction + 1) % 4;
      ++turns;
      continue;
    }
    turns = 0;
    join(board, x, y, next_x, next_y);
    x = next_x;
    y = next_y;
    board.at(x, y) |= kVisited;
  }
  return carve(width, height, corridor, board);
}

Grid comb(int width, int height, int corridor) {
  Board board = board_for(width, height, corridor);
  for (int x = 0; x + 1 < board.columns; ++x) board.at(x, 0) |= kEast;
  for (int y = 0; y + 1 < board.rows; ++y) {
    for (int x = 0; x < board.columns; ++x) board.at(x, y) |= kSouth;
  }
  return carve(width, height, corridor, board);
}

Grid checkerboard(int width, int height) {
  Grid grid(width, height, kFloor);
  for (int y = 0; y < height; ++y) {
    for (int x = 1 - y % 2; x < width; x += 2) grid.at(x, y) = kStone;
  }
  return grid;
}

Grid pillars(int width, int height) {
  Grid grid(width, height, kFloor);
  for (int y = 1; y < height; y += 2) {
    for (int x = 1; x < width; x += 2) grid.at(x, y) = kStone;
  }
  return grid;
}

Grid one_wide(int width, int height, uint64_t seed, int loops_permille) {
  Board board = board_for(width, height, 1);
  Random random(seed);
  grow_tree(board, random);
  for (int y = 0; y < board.rows; ++y) {
    for (int x = 0; x < board.columns; ++x) {
      if (random.chance(static_cast<uint32_t>(loops_permille)) && x + 1 < board.columns) {
        board.at(x, y) |= kEast;
      }
      if (random.chance(static_cast<uint32_t>(loops_permille)) && y + 1 < board.rows) {
        board.at(x, y) |= kSouth;
      }
    }
  }
  return carve(width, height, 1, board);
}

// The walls lie where x + y leaves the rest `period - 1`. A lane needs two diagonals of cells at
// least, since its cells touch by edges only through their neighbours on the next diagonal.
Grid diagonal_comb(int width, int height, int corridor) {
  Grid grid(width, height, kFloor);
  const int period = corridor + 2;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int sum = x + y;
      if (sum % period != period - 1) continue;
      const int right_end = std::min(sum, width - 1);
      const int left_end = std::max(0, sum - (height - 1));
      const bool gap =
          (sum / period) % 2 == 0 ? right_end - x <= corridor : x - left_end <= corridor;
      if (!gap) grid.at(x, y) = kStone;
    }
  }
  return grid;
}

Grid hills(int width, int height, uint64_t seed, int density_permille) {
  Grid grid(width, height, kFloor);
  Random random(seed);
  std::vector<int> sum(grid.cells.size(), 0);
  add_octave(random, width, height, 32, 4, sum);
  add_octave(random, width, height, 16, 2, sum);
  add_octave(random, width, height, 8, 1, sum);
  // The whole range of digits, however flat the noise came out.
  const auto [low, high] = std::minmax_element(sum.begin(), sum.end());
  const int base = *low;
  const int span = *high - base + 1;
  for (size_t i = 0; i < sum.size(); ++i) {
    grid.cells[i] = static_cast<uint8_t>('1' + (sum[i] - base) * 9 / span);
    if (random.chance(static_cast<uint32_t>(density_permille))) grid.cells[i] = kStone;
  }
  return grid;
}

Grid caves(int width, int height, uint64_t seed, int density_permille) {
  Grid grid = random(width, height, seed, density_permille);
  std::vector<uint8_t> across(static_cast<size_t>(width) * 3);  // walls among three of a row
  for (int round = 0; round < 4; ++round) {
    const auto count = [&](int y) {
      uint8_t* out = across.data() + static_cast<size_t>(y % 3) * static_cast<size_t>(width);
      for (int x = 0; x < width; ++x) {
        int walls = 3;
        if (y < height) {
          walls = grid.at(x, y) == kStone;
          walls += x == 0 || grid.at(x - 1, y) == kStone;
          walls += x + 1 == width || grid.at(x + 1, y) == kStone;
        }
        out[x] = static_cast<uint8_t>(walls);
      }
    };
    // The row above the map lies in the last place of the ring.
    for (int x = 0; x < width; ++x) across[static_cast<size_t>(2 * width + x)] = 3;
    count(0);
    for (int y = 0; y < height; ++y) {
      count(y + 1);
      for (int x = 0; x < width; ++x) {
        const size_t at = static_cast<size_t>(x), row = static_cast<size_t>(width);
        const int walls = across[at] + across[row + at] + across[2 * row + at];
        grid.at(x, y) = walls >= 5 ? kStone : kFloor;
      }
    }
  }
  return grid;
}

Grid city(int width, int height, uint64_t seed, int block_size) {
  constexpr int kStreet = 6;
  const int pitch = block_size + kStreet;
  Random random(seed);
  Grid grid(width, height, kFloor);
  for (int top = 0; top < height; top += pitch) {
    for (int left = 0; left < width; left += pitch) {
      // Two rows of two houses, with an alley of two cells between them.
      const int split_x = static_cast<int>(random.below(static_cast<uint32_t>(block_size / 3 + 1)));
      const int split_y = static_cast<int>(random.below(static_cast<uint32_t>(block_size / 3 + 1)));
      const int cut_x = block_size / 3 + split_x, cut_y = block_size / 3 + split_y;
      for (int house = 0; house < 4; ++house) {
        const int x = house % 2 ? cut_x + 2 : 0, y = house / 2 ? cut_y + 2 : 0;
        const int w = (house % 2 ? block_size : cut_x) - x,
                  h = (house / 2 ? block_size : cut_y) - y;
        const bool court = random.chance(400);
        const uint32_t door = random.below(static_cast<uint32_t>(std::max(1, w - 4)));
        if (w <= 0 || h <= 0) continue;
        fill(grid, left + x, top + y, w, h, kStone);
        if (!court || w < 5 || h < 5) continue;
        fill(grid, left + x + 2, top + y + 2, w - 4, h - 4, kFloor);
        fill(grid, left + x + 2 + static_cast<int>(door), top + y, 1, 2, kFloor);
      }
      if (random.chance(167)) fill(grid, left + block_size, top + cut_y, kStreet, 1, kStone);
      if (random.chance(167)) fill(grid, left + cut_x, top + block_size, 1, kStreet, kStone);
    }
  }
  return grid;
}

const std::vector<Generator>& generators() {
  using Options = GeneratorOptions;
  const GeneratorParameter seed{"seed", "number that picks the map", 1, 0, 0x7fffffff};
  const auto density = [](int standard, const char* summary) {
    return GeneratorParameter{"density", summary, standard, 0, 1000};
  };
  const auto corridor = [](int standard) {
    return GeneratorParameter{"corridor", "width of the corridors in cells", standard, 1, 4096};
  };
  static const std::vector<Generator> table = {
      {"random",
       "single wall cells, scattered",
       {seed, density(300, "walls in 1000 cells")},
       [](const Options& o) { return random(o.width, o.height, o.seed, o.density); }},
      {"rooms",
       "square rooms with one-cell doors, all connected",
       {seed, {"room", "side of a room in cells", 8, 1, 4096}},
       [](const Options& o) { return rooms(o.width, o.height, o.seed, o.room); }},
      {"caves",
       "caves: scattered walls, smoothed",
       {seed, density(420, "walls in 1000 cells, before smoothing")},
       [](const Options& o) { return caves(o.width, o.height, o.seed, o.density); }},
      {"city",
       "houses and courtyards in blocks between streets",
       {seed, {"room", "side of a block in cells", 42, 4, 4096}},
       [](const Options& o) { return city(o.width, o.height, o.seed, o.room); }},
      {"maze",
       "a perfect maze: one route between any two places",
       {seed, corridor(1)},
       [](const Options& o) { return maze(o.width, o.height, o.seed, o.corridor); }},
      {"one_wide",
       "corridors one cell wide, with loops and dead ends",
       {seed, density(100, "inner walls opened in 1000")},
       [](const Options& o) { return one_wide(o.width, o.height, o.seed, o.density); }},
      {"hills",
       "rolling country of weights 1 to 9",
       {seed, density(50, "walls in 1000 cells")},
       [](const Options& o) { return hills(o.width, o.height, o.seed, o.density); }},
      {"open", "no walls", {}, [](const Options& o) { return open(o.width, o.height); }},
      {"serpentine",
       "one long way, from side to side",
       {corridor(1)},
       [](const Options& o) { return serpentine(o.width, o.height, o.corridor); }},
      {"spiral",
       "one long way, winding inwards",
       {corridor(1)},
       [](const Options& o) { return spiral(o.width, o.height, o.corridor); }},
      {"comb",
       "dead ends side by side along one lane",
       {corridor(1)},
       [](const Options& o) { return comb(o.width, o.height, o.corridor); }},
      {"diagonal_comb",
       "a serpentine of diagonal walls",
       {corridor(2)},
       [](const Options& o) { return diagonal_comb(o.width, o.height, o.corridor); }},
      {"checkerboard",
       "cells that touch at their corners only",
       {},
       [](const Options& o) { return checkerboard(o.width, o.height); }},
      {"pillars",
       "a wall cell at every other column of every other row",
       {},
       [](const Options& o) { return pillars(o.width, o.height); }},
  };
  return table;
}

const Generator* find_generator(std::string_view name) {
  for (const Generator& generator : generators()) {
    if (name == generator.name) return &generator;
  }
  return nullptr;
}

std::string generate(std::string_view name, const GeneratorOptions& options, Grid& grid) {
  const Generator* generator = find_generator(name);
  if (!generator) return "there is no generator named '" + std::string(name) + "'";
  if (options.width < 1 || options.height < 1) return "a map needs at least one cell";
  if (int64_t{options.width} * options.height > (int64_t{1} << 30)) {
    return "the map is too large: at most 1073741824 cells can be generated";
  }
  GeneratorOptions full = options;
  const struct {
    const char* name;
    int& value;
  } numbers[] = {{"density", full.density}, {"room", full.room}, {"corridor", full.corridor}};
  for (const auto& number : numbers) {
    const GeneratorParameter* parameter = nullptr;
    for (const GeneratorParameter& p : generator->parameters) {
      if (std::string_view(p.name) == number.name) parameter = &p;
    }
    if (!parameter) {
      if (number.value < 0) continue;
      return "the generator '" + std::string(name) + "' takes no " + number.name;
    }
    if (number.value < 0) number.value = parameter->standard;
    if (number.value < parameter->lowest || number.value > parameter->highest) {
      return std::string(number.name) + " must be from " + std::to_string(parameter->lowest) +
             " to " + std::to_string(parameter->highest);
    }
  }
  grid = generator->make(full);
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
