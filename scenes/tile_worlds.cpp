// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "scenes/tile_worlds.hpp"

#include <cstring>

#include "scenes/generators.hpp"

namespace octile::scenes {

namespace {

// A number that belongs to a place.
uint64_t at_place(uint64_t seed, int64_t x, int64_t y) {
  Random random(seed ^ static_cast<uint64_t>(x) * 0x9e3779b97f4a7c15 ^
                static_cast<uint64_t>(y) * 0xc2b2ae3d27d4eb4f);
  return random.next();
}

// As caves() in generators.hpp, without an edge: walls at random, smoothed four times. A cell
// depends on those at most four cells away.
void make_caves(uint64_t seed, int tile_x, int tile_y, uint8_t* cells) {
  constexpr int kTimes = 4, kSide = kWorldTile + 2 * kTimes;
  constexpr uint64_t kPermille = 450;
  static_assert(kSide % 8 == 0);
  uint8_t wall[kSide][kSide], next[kSide][kSide];
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; x += 4) {
      // Four cells draw from one number, so the pattern hangs on places that are multiples of 4.
      const uint64_t draw = at_place(seed, int64_t{tile_x} * kWorldTile + x - kTimes,
                                     int64_t{tile_y} * kWorldTile + y - kTimes);
      for (int i = 0; i < 4; ++i)
        wall[y][x + i] = (draw >> (16 * i) & 0xffff) * 1000 < kPermille * 65536;
    }
  }
  for (int round = 1; round <= kTimes; ++round) {
    for (int y = round; y < kSide - round; ++y) {
      for (int x = round; x < kSide - round; ++x) {
        int walls = 0;
        for (int dy = -1; dy <= 1; ++dy)
          walls += wall[y + dy][x - 1] + wall[y + dy][x] + wall[y + dy][x + 1];
        next[y][x] = walls >= 5;
      }
    }
    std::memcpy(wall, next, sizeof wall);
  }
  for (int y = 0; y < kWorldTile; ++y)
    for (int x = 0; x < kWorldTile; ++x)
      cells[y * kWorldTile + x] = wall[y + kTimes][x + kTimes] ? kStone : kFloor;
}

// Blocks of 32 x 32 cells: two streets of four cells, and four lots with alleys of two cells
// between them. A lot is a solid house, one round a courtyard with a gate, or a garden. One street
// in six is closed by a fence.
void make_city(uint64_t seed, int tile_x, int tile_y, uint8_t* cells) {
  constexpr int kBlock = 32, kStreet = 4, kLot = 13;
  std::memset(cells, kFloor, kWorldTile * kWorldTile);
  for (int by = 0; by < kWorldTile; by += kBlock) {
    for (int bx = 0; bx < kWorldTile; bx += kBlock) {
      uint64_t draw =
          at_place(seed, int64_t{tile_x} * kWorldTile + bx, int64_t{tile_y} * kWorldTile + by);
      const auto take = [&draw](uint64_t bound) {
        const uint64_t value = draw % bound;
        draw /= bound;
        return static_cast<int>(value);
      };
      const auto put = [&](int x, int y, uint8_t terrain) {
        cells[(by + y) * kWorldTile + bx + x] = terrain;
      };
      for (int lot = 0; lot < 4; ++lot) {
        const int left = kStreet + lot % 2 * (kLot + 2), top = kStreet + lot / 2 * (kLot + 2);
        const int kind = take(8), gate = take(kLot - 4) + 2, side = take(4);
        if (kind == 0) continue;  // a garden
        for (int y = 0; y < kLot; ++y) {
          for (int x = 0; x < kLot; ++x) {
            const bool court = x >= 3 && y >= 3 && x < kLot - 3 && y < kLot - 3;
            const int along = side % 2 ? x : y, across = side % 2 ? y : x;
            const bool open = (side < 2 ? across < 3 : across >= kLot - 3) && along == gate;
            if (kind < 4 || !(court || open)) put(left + x, top + y, kStone);
          }
        }
      }
      if (take(6) == 0)
        for (int i = 0; i < kStreet; ++i) put(i, kBlock / 2, kStone);
      if (take(6) == 0)
        for (int i = 0; i < kStreet; ++i) put(kBlock / 2, i, kStone);
    }
  }
}

}  // namespace

const std::vector<TileWorld>& tile_worlds() {
  static const std::vector<TileWorld> all = {
      {"caves", "caves without end", make_caves},
      {"city", "city blocks without end", make_city},
  };
  return all;
}

const TileWorld* find_tile_world(std::string_view name) {
  for (const TileWorld& world : tile_worlds())
    if (name == world.name) return &world;
  return nullptr;
}

}  // namespace octile::scenes
