// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The scans of jump point search, written twice: plainly, and for eight rows or columns at once
// where the processor can. All twins give the same hits in the same order, so which one runs is
// told by its time alone.
//
//        . . . J      Quadrant (east, north) of cell n: scan east and north from n itself, then
//        . / . .      walk the diagonal and scan east and north from each of its cells. Every scan
//        / . . .      that ends at a free stop cell is a hit J, reached from n diagonal first,
//        n . . .      then straight.
//
// A quadrant is scanned in batches of up to eight cells of its diagonal, none of which leaves its
// tile: first along the rows of a batch, then along its columns. That is the order of the hits. A
// tile's 64 row words lie together, so the eight rows below one another are one load of 64 bytes.

#include "base/cost.hpp"
#include "octile/detail/best_first.hpp"
#include "world/layer.hpp"

namespace octile {

// A cell to scan from.
struct JumpOrigin {
  CellId id;
  uint32_t quadrants;  // bits of Quadrant
  uint32_t number;     // below 16, for the hits to tell their origins apart
  Cost g;
};

struct JumpHits {
  uint64_t* id;  // CellId | arrival << 32, the straight direction it is reached in, / 2 | number
                 // of the origin << 34
  Cost* cost;    // from the start
  uint32_t count;

  // What stands in the list already must not be more than this when a scan begins.
  static constexpr uint32_t kMore = 120;
  // Room for each list: that, two hits for each cell of four diagonals, and the lanes of one more
  // store.
  static size_t most(const TileGrid& grid) noexcept {
    const auto shorter = static_cast<size_t>(grid.width < grid.height ? grid.width : grid.height);
    return kMore + 8 * (shorter + 1) + 8;
  }
};

struct JumpGround {
  const LayerTile* const* tiles;
  uint32_t across;  // from a tile to the one below
  Cost straight, diagonal;
};

class JumpMoves;
class JumpQueue;
class NodePages;
class SparseNodes;
class Watch;

struct JumpKernel {
  const char* name;
  // Scans the quadrants of a cell and adds what is hit.
  void (*scan)(const JumpGround& ground, const JumpOrigin& origin, JumpHits* hits) noexcept;
  // True when so many steps in the diagonal direction d are legal.
  bool (*diagonal)(const JumpGround& ground, CellId id, uint32_t d, uint32_t count) noexcept;
  // best_first, compiled for the same processor as the scans; jump_search, for where jump points
  // lie close together; and best_first with nodes for huge maps.
  detail::Progress (*search)(JumpMoves& moves, NodePages& nodes, JumpQueue& open, Watch& watch,
                             detail::SearchState<Cost, CellId>& state, uint64_t budget) noexcept;
  detail::Progress (*dense_search)(JumpMoves& moves, NodePages& nodes, JumpQueue& open,
                                   Watch& watch, detail::SearchState<Cost, CellId>& state,
                                   uint64_t budget) noexcept;
  detail::Progress (*sparse_search)(JumpMoves& moves, SparseNodes& nodes, JumpQueue& open,
                                    Watch& watch, detail::SearchState<Cost, CellId>& state,
                                    uint64_t budget) noexcept;
};

// The best one for this processor, or the best that is not above the limit.
const JumpKernel& jump_kernel() noexcept;
// nullptr: no limit. See detail/kernels.hpp.
void limit_jump_kernel(const char* name) noexcept;

// All that this processor can run, the plain one first, for tests: how many there are.
constexpr uint32_t kMostJumpKernels = 4;
uint32_t jump_kernels(const JumpKernel* list[kMostJumpKernels]) noexcept;

#if defined(__x86_64__) && !defined(_WIN32)
extern const JumpKernel kJumpAvx512;
#endif

}  // namespace octile
