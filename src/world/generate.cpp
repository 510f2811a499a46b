// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Every kind first takes the memory that it needs, and then writes: a failure leaves the caller's
// rows as they were.

#include "octile/generate.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "octile/detail/buffer.hpp"
#include "world/file_text.hpp"
#include "world/map.hpp"

namespace octile::world {
namespace {

constexpr uint8_t kFloor = '.';
constexpr uint8_t kStone = '@';

// SplitMix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(uint64_t seed) noexcept : state_(seed) {}
  uint64_t next() noexcept {
    state_ += 0x9e3779b97f4a7c15u;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // 0 .. bound - 1: the upper half of a draw, times bound, divided by 2^32. The bias, at most bound
  // / 2^32, does not matter here, and every number takes one draw.
  int32_t below(int32_t bound) noexcept {
    return static_cast<int32_t>(((next() >> 32) * static_cast<uint32_t>(bound)) >> 32);
  }
  bool chance(int32_t permille) noexcept { return below(1000) < permille; }

 private:
  uint64_t state_;
};

// The caller's rows.
struct Canvas {
  uint8_t* rows;
  size_t stride;
  int32_t width, height;

  uint8_t& at(int32_t x, int32_t y) const noexcept {
    return rows[static_cast<size_t>(y) * stride + static_cast<size_t>(x)];
  }
  // What lies outside is left out.
  void fill(int32_t x, int32_t y, int32_t w, int32_t h, uint8_t terrain) const noexcept {
    const int32_t right = std::min(x + w, width), bottom = std::min(y + h, height);
    if (x >= right) return;
    for (int32_t row = y; row < bottom; ++row)
      std::memset(&at(x, row), terrain, static_cast<size_t>(right - x));
  }
  void fill(uint8_t terrain) const noexcept { fill(0, 0, width, height, terrain); }
};

// ---------------------------------------------------------------------------------------------
// Most patterns live on a coarse board of places, joined to their neighbours or not:
//
//     place (0,0) . . . |# . .        pitch = corridor + 1: a place is corridor x corridor
//                 . . . |# . .        cells, then comes a wall of one cell. A link opens the
//                 . . . |# . .        wall over the whole width of the corridor.
//                 # # # #|# # #

constexpr uint8_t kEast = 1;
constexpr uint8_t kSouth = 2;
constexpr uint8_t kVisited = 4;
constexpr int kBack = 3;  // from this bit on: the direction to the place that one came from

constexpr int32_t kStepX[4] = {1, 0, -1, 0};
constexpr int32_t kStepY[4] = {0, 1, 0, -1};

class Board {
 public:
  // False: memory is short.
  bool make(int32_t across, int32_t down) noexcept {
    columns = across;
    rows = down;
    return places_.assign(static_cast<size_t>(across) * static_cast<size_t>(down), 0);
  }
  bool make_for(const GenerateOptions& o, int32_t corridor) noexcept {
    return make(std::max(1, (o.width + 1) / (corridor + 1)),
                std::max(1, (o.height + 1) / (corridor + 1)));
  }

  uint8_t& at(int32_t x, int32_t y) noexcept {
    return places_[static_cast<size_t>(y) * static_cast<size_t>(columns) + static_cast<size_t>(x)];
  }
  bool is_fresh(int32_t x, int32_t y) noexcept {
    return x >= 0 && y >= 0 && x < columns && y < rows && !(at(x, y) & kVisited);
  }
  void join(int32_t x, int32_t y, int direction) noexcept {
    const int32_t left = direction == 2 ? x - 1 : x, upper = direction == 3 ? y - 1 : y;
    at(left, upper) |= direction % 2 ? kSouth : kEast;
  }

  // A random spanning tree by depth-first search from place (0, 0): from each place to one of its
  // unvisited neighbours, counted east, south, west, north; one draw a step. The way back is kept
  // in the places.
  void grow_tree(Random& random) noexcept {
    int32_t x = 0, y = 0;
    at(0, 0) |= kVisited;
    for (;;) {
      int fresh[4];
      int32_t count = 0;
      for (int d = 0; d < 4; ++d)
        if (is_fresh(x + kStepX[d], y + kStepY[d])) fresh[count++] = d;
      int direction;
      if (count != 0) {
        direction = fresh[random.below(count)];
        join(x, y, direction);
      } else if (x == 0 && y == 0) {
        return;
      } else {
        direction = at(x, y) >> kBack & 3;
      }
      x += kStepX[direction];
      y += kStepY[direction];
      if (count != 0) at(x, y) |= static_cast<uint8_t>(kVisited | (direction + 2) % 4 << kBack);
    }
  }

  void carve(const Canvas& canvas, int32_t corridor) noexcept {
    canvas.fill(kStone);
    const int32_t pitch = corridor + 1;
    for (int32_t y = 0; y < rows; ++y) {
      for (int32_t x = 0; x < columns; ++x) {
        const uint8_t links = at(x, y);
        const int32_t left = x * pitch, top = y * pitch;
        canvas.fill(left, top, corridor, corridor, kFloor);
        if (links & kEast) canvas.fill(left + corridor, top, 1, corridor, kFloor);
        if (links & kSouth) canvas.fill(left, top + corridor, corridor, 1, kFloor);
      }
    }
  }

  int32_t columns = 0, rows = 0;

 private:
  detail::Buffer<uint8_t> places_;
};

// ---------------------------------------------------------------------------------------------
// The kinds. Each gives false when memory is short.

using Options = GenerateOptions;

bool scattered(const Options& o, const Canvas& to) noexcept {
  Random random(o.seed);
  for (int32_t y = 0; y < o.height; ++y)
    for (int32_t x = 0; x < o.width; ++x) to.at(x, y) = random.chance(o.density) ? kStone : kFloor;
  return true;
}

// Walls one cell thick. The doors of a spanning tree, one cell wide and anywhere along the wall,
// join all rooms; three in four of the other walls have a door too.
bool rooms(const Options& o, const Canvas& to) noexcept {
  const int32_t pitch = o.room + 1;
  Board board;
  if (!board.make((o.width - 1) / pitch + 1, (o.height - 1) / pitch + 1)) return false;
  Random random(o.seed);
  board.grow_tree(random);
  to.fill(kStone);
  for (int32_t y = 0; y < board.rows; ++y) {
    for (int32_t x = 0; x < board.columns; ++x) {
      const int32_t left = x * pitch, top = y * pitch;
      to.fill(left, top, o.room, o.room, kFloor);
      // Both draws are made for every wall, door or not.
      const bool east = random.chance(750) || (board.at(x, y) & kEast);
      const int32_t east_at = top + random.below(std::min(o.room, o.height - top));
      if (east && x + 1 < board.columns) to.at(left + o.room, east_at) = kFloor;
      const bool south = random.chance(750) || (board.at(x, y) & kSouth);
      const int32_t south_at = left + random.below(std::min(o.room, o.width - left));
      if (south && y + 1 < board.rows) to.at(south_at, top + o.room) = kFloor;
    }
  }
  return true;
}

// Walls scattered, then smoothed four times: a cell becomes wall when at least five of the nine
// cells round it are (what lies outside is wall), floor otherwise.
bool caves(const Options& o, const Canvas& to) noexcept {
  const auto width = static_cast<size_t>(o.width);
  detail::Buffer<uint8_t> across;  // of three rows in a ring: walls among three of the row
  if (!across.resize(width * 3)) return false;
  (void)scattered(o, to);
  const auto count = [&](int32_t y) noexcept {
    uint8_t* out = across.data() + static_cast<size_t>(y % 3) * width;
    if (y == o.height) {
      std::memset(out, 3, width);
      return;
    }
    for (int32_t x = 0; x < o.width; ++x) {
      int walls = to.at(x, y) == kStone;
      walls += x == 0 || to.at(x - 1, y) == kStone;
      walls += x + 1 == o.width || to.at(x + 1, y) == kStone;
      out[x] = static_cast<uint8_t>(walls);
    }
  };
  for (int round = 0; round < 4; ++round) {
    std::memset(across.data() + 2 * width, 3, width);  // the row above the map
    count(0);
    for (int32_t y = 0; y < o.height; ++y) {
      count(y + 1);
      for (size_t x = 0; x < width; ++x) {
        const int walls = across[x] + across[width + x] + across[2 * width + x];
        to.at(static_cast<int32_t>(x), y) = walls >= 5 ? kStone : kFloor;
      }
    }
  }
  return true;
}

// Blocks between streets: each has houses that are solid or stand round a courtyard, with alleys
// between them; one street in six is closed by a fence.
bool city(const Options& o, const Canvas& to) noexcept {
  constexpr int32_t kStreet = 6;
  const int32_t block = o.room, pitch = block + kStreet;
  Random random(o.seed);
  to.fill(kFloor);
  for (int32_t top = 0; top < o.height; top += pitch) {
    for (int32_t left = 0; left < o.width; left += pitch) {
      // Two rows of two houses, with an alley of two cells between them.
      const int32_t cut_x = block / 3 + random.below(block / 3 + 1);
      const int32_t cut_y = block / 3 + random.below(block / 3 + 1);
      for (int house = 0; house < 4; ++house) {
        const int32_t x = house % 2 ? cut_x + 2 : 0, y = house / 2 ? cut_y + 2 : 0;
        const int32_t w = (house % 2 ? block : cut_x) - x, h = (house / 2 ? block : cut_y) - y;
        const bool court = random.chance(400);
        const int32_t door = random.below(std::max(1, w - 4));
        if (w <= 0 || h <= 0) continue;
        to.fill(left + x, top + y, w, h, kStone);
        if (!court || w < 5 || h < 5) continue;
        to.fill(left + x + 2, top + y + 2, w - 4, h - 4, kFloor);
        to.fill(left + x + 2 + door, top + y, 1, 2, kFloor);
      }
      if (random.chance(167)) to.fill(left + block, top + cut_y, kStreet, 1, kStone);
      if (random.chance(167)) to.fill(left + cut_x, top + block, 1, kStreet, kStone);
    }
  }
  return true;
}

bool maze(const Options& o, const Canvas& to) noexcept {
  Board board;
  if (!board.make_for(o, o.corridor)) return false;
  Random random(o.seed);
  board.grow_tree(random);
  board.carve(to, o.corridor);
  return true;
}

// A maze of which some of the walls between two neighbouring places are opened.
bool one_wide(const Options& o, const Canvas& to) noexcept {
  Board board;
  if (!board.make_for(o, 1)) return false;
  Random random(o.seed);
  board.grow_tree(random);
  for (int32_t y = 0; y < board.rows; ++y) {
    for (int32_t x = 0; x < board.columns; ++x) {
      if (random.chance(o.density) && x + 1 < board.columns) board.at(x, y) |= kEast;
      if (random.chance(o.density) && y + 1 < board.rows) board.at(x, y) |= kSouth;
    }
  }
  board.carve(to, 1);
  return true;
}

// One octave of noise: random values 0 .. 255 on a lattice, linear in between.
class Octave {
 public:
  bool make(const Options& o, int32_t spacing) noexcept {
    spacing_ = spacing;
    columns_ = static_cast<size_t>((o.width - 1) / spacing + 2);
    return lattice_.resize(columns_ * static_cast<size_t>((o.height - 1) / spacing + 2));
  }
  void draw(Random& random) noexcept {
    for (uint8_t& value : lattice_) value = static_cast<uint8_t>(random.below(256));
  }
  int32_t at(int32_t x, int32_t y) const noexcept {
    const size_t corner =
        static_cast<size_t>(y / spacing_) * columns_ + static_cast<size_t>(x / spacing_);
    const size_t under = corner + columns_;
    const int32_t fx = x % spacing_, fy = y % spacing_;
    const int32_t top = lattice_[corner] * (spacing_ - fx) + lattice_[corner + 1] * fx;
    const int32_t bottom = lattice_[under] * (spacing_ - fx) + lattice_[under + 1] * fx;
    return (top * (spacing_ - fy) + bottom * fy) / (spacing_ * spacing_);
  }

 private:
  int32_t spacing_ = 1;
  size_t columns_ = 0;
  detail::Buffer<uint8_t> lattice_;
};

// Three octaves, stretched to the whole range of digits, with single walls.
bool hills(const Options& o, const Canvas& to) noexcept {
  Octave large, middle, small;
  if (!large.make(o, 32) || !middle.make(o, 16) || !small.make(o, 8)) return false;
  Random random(o.seed);
  large.draw(random);
  middle.draw(random);
  small.draw(random);
  const auto sum = [&](int32_t x, int32_t y) noexcept {
    return 4 * large.at(x, y) + 2 * middle.at(x, y) + small.at(x, y);
  };
  int32_t low = INT32_MAX, high = 0;
  for (int32_t y = 0; y < o.height; ++y) {
    for (int32_t x = 0; x < o.width; ++x) {
      low = std::min(low, sum(x, y));
      high = std::max(high, sum(x, y));
    }
  }
  const int32_t span = high - low + 1;
  for (int32_t y = 0; y < o.height; ++y) {
    for (int32_t x = 0; x < o.width; ++x) {
      const auto digit = static_cast<uint8_t>('1' + (sum(x, y) - low) * 9 / span);
      to.at(x, y) = random.chance(o.density) ? kStone : digit;
    }
  }
  return true;
}

bool open(const Options&, const Canvas& to) noexcept {
  to.fill(kFloor);
  return true;
}

// From left to right and back again, joined at alternating ends.
bool serpentine(const Options& o, const Canvas& to) noexcept {
  Board board;
  if (!board.make_for(o, o.corridor)) return false;
  for (int32_t y = 0; y < board.rows; ++y) {
    for (int32_t x = 0; x + 1 < board.columns; ++x) board.at(x, y) |= kEast;
    if (y + 1 < board.rows) board.at(y % 2 == 0 ? board.columns - 1 : 0, y) |= kSouth;
  }
  board.carve(to, o.corridor);
  return true;
}

// From the top left corner to the middle.
bool spiral(const Options& o, const Canvas& to) noexcept {
  Board board;
  if (!board.make_for(o, o.corridor)) return false;
  int32_t x = 0, y = 0;
  board.at(0, 0) |= kVisited;
  // Straight on as long as the way is free, else one turn to the right; two turns end it.
  for (int direction = 0, turns = 0; turns < 2;) {
    if (!board.is_fresh(x + kStepX[direction], y + kStepY[direction])) {
      direction = (direction + 1) % 4;
      ++turns;
      continue;
    }
    turns = 0;
    board.join(x, y, direction);
    x += kStepX[direction];
    y += kStepY[direction];
    board.at(x, y) |= kVisited;
  }
  board.carve(to, o.corridor);
  return true;
}

bool comb(const Options& o, const Canvas& to) noexcept {
  Board board;
  if (!board.make_for(o, o.corridor)) return false;
  for (int32_t y = 0; y < board.rows; ++y) {
    for (int32_t x = 0; x < board.columns; ++x) {
      if (y == 0 && x + 1 < board.columns) board.at(x, y) |= kEast;
      if (y + 1 < board.rows) board.at(x, y) |= kSouth;
    }
  }
  board.carve(to, o.corridor);
  return true;
}

// The walls lie where x + y leaves the rest `period - 1`. A lane needs two diagonals of cells at
// least, since its cells touch by edges only through their neighbours on the next diagonal.
bool diagonal_comb(const Options& o, const Canvas& to) noexcept {
  to.fill(kFloor);
  const int32_t period = o.corridor + 2;
  for (int32_t y = 0; y < o.height; ++y) {
    for (int32_t x = 0; x < o.width; ++x) {
      const int32_t sum = x + y;
      if (sum % period != period - 1) continue;
      const int32_t right_end = std::min(sum, o.width - 1);
      const int32_t left_end = std::max(0, sum - (o.height - 1));
      const bool gap =
          (sum / period) % 2 == 0 ? right_end - x <= o.corridor : x - left_end <= o.corridor;
      if (!gap) to.at(x, y) = kStone;
    }
  }
  return true;
}

bool checkerboard(const Options& o, const Canvas& to) noexcept {
  for (int32_t y = 0; y < o.height; ++y)
    for (int32_t x = 0; x < o.width; ++x) to.at(x, y) = (x + y) % 2 ? kStone : kFloor;
  return true;
}

bool pillars(const Options& o, const Canvas& to) noexcept {
  for (int32_t y = 0; y < o.height; ++y)
    for (int32_t x = 0; x < o.width; ++x) to.at(x, y) = x % 2 && y % 2 ? kStone : kFloor;
  return true;
}

// ---------------------------------------------------------------------------------------------
// The table

struct Rule {
  MapKind kind;
  bool (*make)(const Options& options, const Canvas& to) noexcept;  // options are whole and checked
};

constexpr MapParameter kSeed = {"seed", "number that picks the map", 1, 0, INT32_MAX};
constexpr MapParameter density(int32_t standard, const char* summary) {
  return {"density", summary, standard, 0, 1000};
}
constexpr MapParameter room(int32_t standard, int32_t lowest, const char* summary) {
  return {"room", summary, standard, lowest, 4096};
}
constexpr MapParameter corridor(int32_t standard) {
  return {"corridor", "width of the corridors in cells", standard, 1, 4096};
}

constexpr Rule kRules[] = {
    {{"random", "single wall cells, scattered", {kSeed, density(300, "walls in 1000 cells")}},
     scattered},
    {{"rooms",
      "square rooms with one-cell doors, all connected",
      {kSeed, room(8, 1, "side of a room in cells")}},
     rooms},
    {{"caves",
      "caves: scattered walls, smoothed",
      {kSeed, density(420, "walls in 1000 cells, before smoothing")}},
     caves},
    {{"city",
      "houses and courtyards in blocks between streets",
      {kSeed, room(42, 4, "side of a block in cells")}},
     city},
    {{"maze", "a perfect maze: one route between any two places", {kSeed, corridor(1)}}, maze},
    {{"one_wide",
      "corridors one cell wide, with loops and dead ends",
      {kSeed, density(100, "inner walls opened in 1000")}},
     one_wide},
    {{"hills", "rolling country of weights 1 to 9", {kSeed, density(50, "walls in 1000 cells")}},
     hills},
    {{"open", "no walls", {}}, open},
    {{"serpentine", "one long way, from side to side", {corridor(1)}}, serpentine},
    {{"spiral", "one long way, winding inwards", {corridor(1)}}, spiral},
    {{"comb", "dead ends side by side along one lane", {corridor(1)}}, comb},
    {{"diagonal_comb", "a serpentine of diagonal walls", {corridor(2)}}, diagonal_comb},
    {{"checkerboard", "cells that touch at their corners only", {}}, checkerboard},
    {{"pillars", "a wall cell at every other column of every other row", {}}, pillars},
};
constexpr int kRuleCount = static_cast<int>(sizeof kRules / sizeof *kRules);

Fault generate_by_rule(const char* name, const Options& options, uint8_t* rows,
                       size_t stride) noexcept {
  if (!name) return refuse("the kind of map is null");
  const Rule* rule = nullptr;
  for (const Rule& r : kRules)
    if (string_view(r.kind.name) == name) rule = &r;
  if (!rule) return refuse("there is no generator named ", Quoted{name});
  if (options.width < 1 || options.height < 1) return refuse("a map needs at least one cell");
  if (int64_t{options.width} * options.height > int64_t{1} << 30)
    return refuse("the map is too large: at most 1073741824 cells can be generated");
  if (!rows) return refuse("the rows are null");
  if (options.height > 1 && stride < static_cast<size_t>(options.width))
    return refuse("the stride is less than the width of the map");
  if (stride > PTRDIFF_MAX / static_cast<size_t>(options.height))
    return refuse("the stride is more than memory has");

  Options whole = options;
  const struct {
    const char* name;
    int32_t& value;
  } numbers[] = {{"density", whole.density}, {"room", whole.room}, {"corridor", whole.corridor}};
  for (const auto& number : numbers) {
    const MapParameter* parameter = nullptr;
    for (const MapParameter& p : rule->kind.parameters)
      if (p.name && string_view(p.name) == number.name) parameter = &p;
    if (!parameter) {
      if (number.value < 0) continue;
      return refuse("the generator ", Quoted{name}, " takes no ", number.name);
    }
    if (number.value < 0) number.value = parameter->standard;
    if (number.value < parameter->lowest || number.value > parameter->highest)
      return refuse(number.name, " must be from ", parameter->lowest, " to ", parameter->highest);
  }
  if (!rule->make(whole, {rows, stride, options.width, options.height}))
    return no_memory_for("the map");
  return {};
}

}  // namespace
}  // namespace octile::world

namespace octile {

int map_kind_count() noexcept {
  return world::kRuleCount;
}

const MapKind& map_kind(int kind) noexcept {
  static constexpr MapKind kNoKind{};
  if (kind < 0 || kind >= map_kind_count()) return kNoKind;
  return world::kRules[kind].kind;
}

Fault generate(const char* kind, const GenerateOptions& options, uint8_t* rows,
               size_t stride) noexcept {
  return world::generate_by_rule(kind, options, rows, stride);
}

}  // namespace octile
