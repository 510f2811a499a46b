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
};

struct JumpGround {
  const LayerTile* const* tiles;
  uint32_t across;  // from a tile to the one below
  Cost straight, diagonal;
};

class JumpMoves;
class JumpNodes;
class JumpQueue;
class SparseNodes;
class Watch;

// Under one rule.
struct JumpScans {
  // Scans from a cell and adds what is hit.
  void (*scan)(const JumpGround& ground, const JumpOrigin& origin, JumpHits* hits) noexcept;
  // True when so many steps in direction d are legal: diagonal, with four moves horizontal.
  bool (*walk)(const JumpGround& ground, CellId id, uint32_t d, uint32_t count) noexcept;
};

struct JumpKernel {
  const char* name;
  JumpScans scans[kJumpRules];
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
