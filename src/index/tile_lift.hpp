// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Lifts hub labels from subgoals to the cells of 8 x 8 tiles: which vias and entries a tile needs.

#include "base/arena.hpp"
#include "index/label_tables.hpp"

namespace octile {

struct TileDraft {
  struct Via {
    Point place;
    uint64_t seen;  // by cell of the tile
  };
  struct Entry {
    uint32_t hub;
    uint32_t distance;  // from the via to the hub
    uint32_t node;      // of the via in the hub's tree
    uint32_t via;       // of the tile
  };
  uint64_t passable;
  // The first `near` vias are near enough for a byte; `partial` are not seen by all cells.
  uint32_t vias, near, first_partial, partial, entries;
  uint32_t first_via, first_entry;  // among those of the row
};

// The tiles of a row, in the arena of the thread that made it.
struct RowDraft {
  TileDraft* tile;
  TileDraft::Via* via;
  TileDraft::Entry* entry;
  uint32_t entries;
};

// One thread's share of the lift.
class TileLift {
 public:
  TileLift(const ClearMaps& clear, const SightMaps& sight, const SubgoalGraph& graph,
           const HubLabels& labels, IndexSteps steps) noexcept
      : clear_(clear), sight_(sight), graph_(graph), labels_(labels), steps_(steps) {}

  // False, here and below: memory is short.
  bool begin() noexcept;
  // What the tiles of row `y` need, from scratch.
  Built lift_row(uint32_t y, const BuildLimits& limits, Arena* arena, RowDraft* row) noexcept;

  uint32_t longest() const noexcept { return longest_; }

 private:
  struct Column {
    alignas(64) uint32_t length[64];
  };
  struct Offer {  // an entry of a via, for one of the hubs
    uint32_t via, distance, node, next;
  };
  struct Hub {
    uint32_t rank;
    uint32_t first_offer;
    uint32_t slot;  // of its column
  };

  struct Seat {
    uint32_t stamp;  // the tile that set the slot
    uint32_t slot;
    uint32_t nearest;   // distance of the cell that is nearest to the hub
    uint32_t furthest;  // no cell is further from it
  };

  bool lift(uint32_t tile_x, uint32_t tile_y, TileDraft* draft) noexcept;
  bool find_vias(Point corner, uint64_t passable) noexcept;
  void look_around(Point corner, uint64_t passable) noexcept;
  bool collect(uint64_t passable) noexcept;
  bool choose(const Hub& hub, uint64_t open) noexcept;

  const ClearMaps& clear_;
  const SightMaps& sight_;
  const SubgoalGraph& graph_;
  const HubLabels& labels_;
  const IndexSteps steps_;
  const LabelKernel& kernel_ = label_kernel();

  uint32_t longest_ = 0;
  Buffer<uint8_t> turns_;  // by subgoal: a bit for each move after which a path may turn there
  // Of the row at hand.
  Buffer<TileDraft::Via> via_;
  Buffer<TileDraft::Entry> entry_;

  // Of the tile at hand.
  Buffer<uint32_t> subgoal_;  // candidates for vias
  Buffer<uint32_t> stamp_;    // by subgoal: the tile that has it in its list
  uint32_t tile_stamp_ = 0;
  TileSight around_;
  Buffer<uint64_t> seen_;      // by candidate
  Buffer<Column> via_column_;  // by candidate
  Buffer<Column> hub_column_;  // by slot
  Buffer<Seat> seat_;          // by rank
  Buffer<Hub> hub_;
  Buffer<Offer> offer_;
  Buffer<TileDraft::Entry> chosen_;
  Buffer<uint32_t> via_number_;  // by candidate
  Buffer<uint8_t> via_class_;    // likewise: 4 when nobody chose it
};

}  // namespace octile
