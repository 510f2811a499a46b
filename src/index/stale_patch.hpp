// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Patches: cells that new moves connect, and what ways over them are worth. Words and proof are in
// stale_index.hpp.

#include "index/path_index.hpp"

namespace octile {

constexpr uint32_t gap(uint32_t a, uint32_t b) noexcept {
  return a < b ? b - a : a - b;
}

constexpr size_t whole_lanes(size_t count) noexcept {
  return (count + kLanes - 1) / kLanes * kLanes;
}

struct StaleBox {
  uint32_t left, top, right, bottom;  // inclusive
};

// Cells that many ways are asked for to.
struct PortalSet {
  Buffer<Point> portals;
  Buffer<FreeSteps> sight;  // then, by portal
  Buffer<uint32_t> blocks;  // of the labels: those where hubs of portals are
  Buffer<uint32_t> rows;    // by portal and block: the lengths of its ways to kLanes hubs

  uint32_t count() const noexcept { return static_cast<uint32_t>(portals.size()); }
};

// The shortest way between two portals over their patch.
struct StaleArc {
  static constexpr uint32_t kLine = UINT32_MAX;
  uint32_t from, to;  // portals
  uint32_t length;
  uint32_t moves;            // where they begin; kLine: it is no shorter than its octile line
  uint16_t steps, diagonal;  // and how many of them are diagonal
};

// Its portals are those cells of the rim that begin or end arcs.
struct StalePatch : Counted, PortalSet {
  StaleBox cells, box;    // of all its cells, of its portals
  Buffer<Point> rim;      // from north to south, then from west to east
  Buffer<StaleArc> arcs;  // in the order of `from`, then of `to`
  Buffer<uint8_t> moves;  // of arcs
};

// The lengths of the ways then from one cell to many portals: which sets of these are of interest,
// then the cell, then set by set.
class PortalLengths {
 public:
  PortalLengths(const LabelTables& tables, StaleRoom* room) noexcept
      : tables_(tables), room_(*room) {}

  // These two: false when memory is short.
  bool begin() noexcept;
  // Of ways over hubs.
  bool measure(const PortalSet& set, uint32_t* lengths) noexcept;
  // Of all ways; `sight` is that of the cell, `p`.
  bool measure(const PortalSet& set, Point p, const FreeSteps& sight, uint32_t* lengths) noexcept;
  // Of ways over hubs from one cell to all of so many whose rows a set has.
  bool measure_rows(const PortalSet& set, uint32_t count, uint32_t from,
                    uint32_t* lengths) noexcept;
  // The blocks of a set that has these portals, and its rows.
  bool find_rows(const Buffer<Point>& portals, PortalSet* set) noexcept;
  void from(Point p) noexcept;
  void want(const PortalSet& set) noexcept {
    for (const uint32_t b : set.blocks) room_.blocks[b >> 6] |= uint64_t{1} << (b & 63);
  }
  void want_all() noexcept {
    for (uint32_t w = 0; w < tables_.block_words; ++w) room_.blocks[w] = ~uint64_t{0};
  }

 private:
  // Those of the wanted blocks that the cell has, and its lengths in one of them.
  uint64_t there(uint32_t word) const noexcept { return room_.blocks[tables_.block_words + word]; }
  const uint32_t* lanes(uint32_t block) const noexcept {
    return room_.lanes.data() + size_t{kLanes} * block;
  }

  const LabelTables& tables_;
  StaleRoom& room_;
};

// A row of cells that have new moves, as long as it gets; by x and y of points.
struct FreshRun {
  uint32_t y, first, last;
  uint32_t group;  // a run of the same patch, or itself
  uint32_t next;   // of the same patch; 0: none
};

// Runs that touch, with corners, become one group; it is named by its first one, and the others
// follow that one in order. They are ordered by y, then by x.
void group_runs(Buffer<FreshRun>& runs) noexcept;

class PatchMaker {
 public:
  // For the map `now`, and labels of the map `then`.
  PatchMaker(const LabelTables& tables, const TileTable<LayerTile>& then, const Layer& now) noexcept
      : tables_(tables), then_(then), now_(now) {}

  // Of the runs from `first` on, along `next`; null: memory is short.
  const StalePatch* make(const FreshRun* runs, uint32_t first) noexcept;

 private:
  bool fill(const FreshRun* runs, uint32_t first, StalePatch* patch) noexcept;
  bool find_arcs(StalePatch* patch) noexcept;
  bool find_legs(StalePatch* patch) noexcept;
  // The moves of a cell that it did not have then.
  uint32_t is_new(CellId id) const noexcept {
    return now_.moves(id) & ~then_.at(id >> 12)->moves[id & (kTileCells - 1)];
  }

  const LabelTables& tables_;
  const TileTable<LayerTile>& then_;
  const Layer& now_;
  // Of one patch after the other:
  StaleRoom room_;
  Buffer<CellId> all_;            // the cells of a small one
  Buffer<uint32_t> old_, over_;   // by pair of cells of the rim: then, over the patch
  Buffer<uint32_t> made_;         // by cell of the rim
  Buffer<uint8_t> needed_;        // the same
  Buffer<FreeSteps> sight_;       // then, the same
  Buffer<StaleArc> legs_, arcs_;  // of a small one, by pair of cells of the rim; what is needed
};

}  // namespace octile
