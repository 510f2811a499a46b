// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The scans of jump point search, written plainly and for vectors: several rows or columns at
// once where the processor can. All twins give the same hits in the same order, so which one runs
// is told by its time alone.
//
//        . . . J      Quadrant (east, north) of cell n: scan east and north from n itself, then
//        . / . .      walk the diagonal and scan east and north from each of its cells. Every scan
//        / . . .      that ends at a free stop cell is a hit J, reached from n diagonal first,
//        n . . .      then straight.
//
// A quadrant is scanned in batches of up to eight cells of its diagonal, none of which leaves its
// tile: first along the rows of a batch, then along its columns. That is the order of the hits. A
// tile's 64 row words lie together, so the eight rows below one another are one load of 64 bytes.
//
// Where corners may be cut, cells of the diagonal can be hits as well, after those of their batch.
// The walk goes on through them: of what follows a cell reached that way, only the forced diagonals
// are left to be scanned. With four moves a walk goes east or west and scans south and north.

#include <bit>

#include "base/cost.hpp"
#include "octile/detail/best_first.hpp"
#include "search/canonical.hpp"
#include "world/layer.hpp"

#if defined(__x86_64__) && !defined(_WIN32) && !defined(OCTILE_NO_X86_KERNELS)
#define OCTILE_JUMPS_X86 1
#else
#define OCTILE_JUMPS_X86 0
#endif
#if OCTILE_JUMPS_X86 || defined(__aarch64__) || defined(__wasm_simd128__)
#define OCTILE_JUMPS_128 1
#else
#define OCTILE_JUMPS_128 0
#endif

namespace octile {

// A cell to scan from.
struct JumpOrigin {
  CellId id;
  uint32_t quadrants;  // what to scan: bits of Quadrant, with four moves of Way
  uint32_t number;     // below 16, for the hits to tell their origins apart
  Cost g;
};

struct JumpHits {
  uint64_t* id;  // CellId | arrival << 32, the direction it is reached in | number of the origin
                 // << 35
  Cost* cost;    // from the start
  uint32_t count;

  // What stands in the list already must not be more than this when a scan begins.
  static constexpr uint32_t kMore = 120;
  // Room for each list: that, the hits of a start, and the lanes of one more store. Each cell of
  // its four diagonals, or of its row, gives so many.
  static size_t most(const TileGrid& grid, JumpRule rule) noexcept {
    const auto width = static_cast<size_t>(grid.width), height = static_cast<size_t>(grid.height);
    const size_t hits = rule == JumpRule::four ? 2 * (width + 2)
                                               : 4 * (rule == JumpRule::cutting ? 3 : 2) *
                                                     ((width < height ? width : height) + 1);
    return kMore + hits + 8;
  }
};

// For kernels with vectors: up to eight cells of a diagonal, or with four moves of a row, that lie
// in one tile.
struct JumpBatch {
  uint32_t tile, x, y;      // of the first
  uint32_t steps = 0;       // so many others follow
  uint32_t skip_x, skip_y;  // bit 0: not from the first; along rows (south), along columns (north)
  uint64_t number;          // of the origin, as in JumpHits::id
  Cost cost;                // of the first
  JumpBatch(const JumpOrigin& from, bool without_x, bool without_y) noexcept
      : tile(from.id >> 12),
        x(from.id & 63),
        y(from.id >> 6 & 63),
        skip_x(without_x),
        skip_y(without_y),
        number(uint64_t{from.number} << 35),
        cost(from.g) {}
  uint64_t id() const noexcept { return number | uint64_t{tile} << 12 | y << 6 | x; }
  // On by some steps in the same tile, of that cost.
  template <int kX, int kY>
  void go(uint32_t count, Cost step) noexcept {
    x += static_cast<uint32_t>(kX) * count;
    y += static_cast<uint32_t>(kY) * count;
    cost += step * count;
  }
};

struct JumpGround {
  const LayerTile* const* tiles;
  uint32_t across;  // from a tile to the one below
  Cost straight, diagonal;
};

// How many steps from (x, y) on stay in the same tile.
template <int kX, int kY>
uint32_t room_of(uint32_t x, uint32_t y) noexcept {
  const uint32_t nx = kX > 0 ? 63 - x : x, ny = kY > 0 ? 63 - y : kY < 0 ? y : 63;
  return nx < ny ? nx : ny;
}
// How many cells from x on are free in a row of a tile.
template <int kX>
uint32_t free_cells(uint64_t row, uint32_t x) noexcept {
  return static_cast<uint32_t>(kX > 0 ? std::countr_one(row >> x)
                                      : std::countl_one(row << (63 - x)));
}
// From a cell at the edge of a tile into the next one; false: that step is not legal.
template <int kX, int kY>
bool cross(const JumpGround& g, JumpBatch* b) noexcept {
  constexpr uint32_t kMove = kStepDirection[(kY + 1) * 3 + kX + 1];
  if (!(g.tiles[b->tile]->moves[b->y << 6 | b->x] >> kMove & 1)) return false;
  b->go<kX, kY>(1, kY ? g.diagonal : g.straight);
  if (b->x > 63) b->tile = kX > 0 ? b->tile + 1 : b->tile - 1;
  if (b->y > 63) b->tile = kY > 0 ? b->tile + g.across : b->tile - g.across;
  b->x &= 63;
  b->y &= 63;
  return true;
}
// True when so many steps along a row are legal one after the other.
template <int kX>
bool walk_row(const JumpGround& g, CellId id, uint32_t count) noexcept {
  JumpBatch b({id, 0, 0, 0}, false, false);
  for (;;) {
    const uint32_t room = room_of<kX, 0>(b.x, b.y);
    const uint32_t free = free_cells<kX>(g.tiles[b.tile]->row[b.y], b.x);
    if (count <= room) return count < free;
    if (free <= room) return false;
    b.go<kX, 0>(room, 0);
    if (!cross<kX, 0>(g, &b)) return false;
    count -= room + 1;
  }
}
[[gnu::noinline]] inline bool walk_row(const JumpGround& g, CellId id, bool east,
                                       uint32_t count) noexcept {
  return east ? walk_row<1>(g, id, count) : walk_row<-1>(g, id, count);
}
// The same diagonally, for a walk that leaves its tile.
template <int kX, int kY>
bool walk(const JumpGround& g, CellId id, uint32_t count) noexcept {
  JumpBatch b({id, 0, 0, 0}, false, false);
  for (;;) {
    const uint32_t room = room_of<kX, kY>(b.x, b.y);
    const uint32_t run = g.tiles[b.tile]->run<kX, kY>(b.x, b.y, room);
    if (count <= run) return true;
    b.go<kX, kY>(run, 0);
    if (run < room || !cross<kX, kY>(g, &b)) return false;
    count -= run + 1;
  }
}
[[gnu::noinline]] inline bool walk_far(const JumpGround& g, CellId id, bool east, bool south,
                                       uint32_t count) noexcept {
  if (east) return south ? walk<1, 1>(g, id, count) : walk<1, -1>(g, id, count);
  return south ? walk<-1, 1>(g, id, count) : walk<-1, -1>(g, id, count);
}
// And from any cell: which way it goes could not be guessed, so inside the tile it is not asked.
inline bool walk_diagonal(const JumpGround& g, CellId id, bool east, bool south,
                          uint32_t count) noexcept {
  const uint32_t x = id & 63, y = id >> 6 & 63;
  const uint32_t room_x = east ? 63 - x : x, room_y = south ? 63 - y : y;
  const LayerTile& t = *g.tiles[id >> 12];
  const uint64_t* diagonals = east == south ? t.falling : t.rising;
  const uint64_t stops = ~diagonals[(east == south ? x - y : x + y) & 63];
  // The walk is as long as it can be, or shorter: bits of the cells that it goes out of eastwards,
  // westwards of those that it goes to.
  const uint32_t room = room_x < room_y ? room_x : room_y;
  const uint32_t inside = count < room ? count : room;
  const uint64_t way = ((uint64_t{1} << inside) - 1) << (east ? x : x - inside);
  if (stops & way) return false;
  return count <= room || walk_far(g, id, east, south, count);
}

class JumpMoves;
class JumpNodes;
class JumpQueue;
class SparseNodes;
class Watch;

struct JumpKernel {
  const char* name;
  // By rule: scans from a cell and adds what is hit.
  void (*scan[kJumpRules])(const JumpGround& ground, const JumpOrigin& origin,
                           JumpHits* hits) noexcept;
  // best_first, compiled for the same processor as the scans; jump_search, for where jump points
  // lie close together; and best_first with nodes for huge maps.
  detail::Progress (*search)(JumpMoves& moves, JumpNodes& nodes, JumpQueue& open, Watch& watch,
                             detail::SearchState<Cost, CellId>& state, uint64_t budget) noexcept;
  detail::Progress (*dense_search)(JumpMoves& moves, JumpNodes& nodes, JumpQueue& open,
                                   Watch& watch, detail::SearchState<Cost, CellId>& state,
                                   uint64_t budget) noexcept;
  detail::Progress (*sparse_search)(JumpMoves& moves, SparseNodes& nodes, JumpQueue& open,
                                    Watch& watch, detail::SearchState<Cost, CellId>& state,
                                    uint64_t budget) noexcept;
};

// The best one for this processor, or the best that is not above the limit.
const JumpKernel& jump_kernel() noexcept;
// The one for where jump points lie close together: batches of a cell or two are too short for
// vectors that hold no more than two.
const JumpKernel& dense_jump_kernel() noexcept;
// nullptr: no limit. See detail/kernels.hpp.
void limit_jump_kernel(const char* name) noexcept;

// What a scan with four moves begins with, bits of Way: at a jump point, which is reached from
// north or south, only the sides that are legal here and not at the cell before.
inline uint32_t four_ways(const JumpGround& ground, const JumpOrigin& from) noexcept {
  constexpr uint32_t kSides = kWayEast | kWayWest, kLines = kWaySouth | kWayNorth;
  const uint32_t lines = from.quadrants & kLines;
  if (lines == kLines) return from.quadrants;
  const uint32_t y = (from.id >> 6 & 63) + (lines == kWaySouth ? -1u : 1u);
  uint32_t tile = from.id >> 12;
  if (y > 63) tile += lines == kWaySouth ? -ground.across : ground.across;
  const uint32_t before = ground.tiles[tile]->moves[(y & 63) << 6 | (from.id & 63)];
  return lines | (from.quadrants & kSides & ~((before >> kEast & 1) | (before >> kWest & 1) << 2));
}

// All that this processor can run, the plain one first, for tests: how many there are.
constexpr uint32_t kMostJumpKernels = 4;
uint32_t jump_kernels(const JumpKernel* list[kMostJumpKernels]) noexcept;

#if OCTILE_JUMPS_X86
extern const JumpKernel kJumpAvx2, kJumpAvx512;
#endif
#if OCTILE_JUMPS_128
extern const JumpKernel kJump128;
#endif

}  // namespace octile
