// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Labels that follow edits, lifted to 8 x 8 cells where queries ask for them.
//
// A lifted tile has what all its cells may begin with: the subgoals that they reach, who reaches
// which (`seen`), and of their labels the entries that are best for some cell. It only remembers:
// a query gets the same way from it as from the labels themselves, so answers do not depend on
// what was asked before.
//
//   state n       a place for each group of 8 x 8 tiles: `base`, shared with state n - 1, and
//                 `own`, a copy made when a tile of the group is lifted in state n
//   state n + 1   its `base` is the `own` of state n, or else the `base`
//
// A tile follows from the cells that its scans saw and from the labels of the subgoals they found.
// The commit tells which tiles saw a change of cells: those are not taken from `base`. Whether a
// label has changed since is looked up when the tile is used, so commits pay for groups alone.
// Readers publish groups and tiles by compare-and-swap; a place that is filled stays so.
//
// Memory: 88 bytes a group, 520 where a tile was lifted, and the tiles: 12 bytes an entry, at most
// as many as the labels of the subgoals have that the cells reach. Nothing else bounds them, but no
// state has more than two tiles for the same cells, its own and that of `base`. IndexInfo::bytes
// counts what there is when it is asked for.

#include <atomic>

#include "base/counted.hpp"
#include "index/sight_maps.hpp"

namespace octile {

struct LiveState;

struct LiveTile : Counted {
  struct Via {
    Point place;
    uint64_t seen;  // by cell of the tile, row by row
    uint32_t vertex;
  };
  struct Entry {
    uint32_t hub, distance, via;
  };
  uint32_t state;  // in which it was lifted
  Buffer<Via> via;
  Buffer<Entry> entry;  // in the order of hubs

  size_t bytes() const noexcept { return sizeof *this + via.bytes() + entry.bytes(); }
};

class LiveTiles : public Counted {
 public:
  ~LiveTiles();
  LiveTiles() noexcept = default;
  LiveTiles(const LiveTiles&) = delete;
  LiveTiles& operator=(const LiveTiles&) = delete;

  // A tile is lifted when so many have asked in one state. It takes as long as some 20 to 70 ways
  // without, and ways with it take half as long: so queries one after the other are at no time much
  // slower for it, wherever they begin and end.
  static constexpr uint8_t kAsked = 200;

  static constexpr uint32_t group_of(Point p, uint32_t across) noexcept {
    return (p.y >> 6) * across + (p.x >> 6);
  }
  static constexpr uint32_t tile_of(Point p) noexcept {
    return (p.y >> 3 & 7) << 3 | (p.x >> 3 & 7);
  }
  static constexpr uint32_t cell_of(Point p) noexcept { return (p.y & 7) << 3 | (p.x & 7); }

  // Of a new state: what the state before had (null: nothing) but for the tiles whose bits are set
  // in changed[group]. False: memory is short.
  bool begin(uint32_t width, uint32_t height, const LiveTiles* before,
             const uint64_t* changed) noexcept;
  // The tile of a passable cell; null as long as few have asked, and when memory is short.
  const LiveTile* find(const LiveState& state, Point p) const noexcept;
  // Of all that it holds; what states share counts in each.
  size_t bytes() const noexcept;

 private:
  struct Group : Counted {
    ~Group() {
      for (const auto& t : tile) octile::drop(t.load(std::memory_order_relaxed));
    }
    mutable std::atomic<const LiveTile*> tile[64] = {};
  };
  struct Place {
    const Group* base = nullptr;
    uint64_t changed = 0;  // tiles that base has no more
    mutable std::atomic<const Group*> own{nullptr};
    mutable std::atomic<uint8_t> asked[64] = {};
  };
  const LiveTile* known(const LiveState& state, const Place& place, uint32_t tile) const noexcept;
  const LiveTile* publish(const LiveState& state, const Place& place, uint32_t tile,
                          LiveTile* made) const noexcept;

  uint32_t across_ = 0, places_ = 0;
  Place* place_ = nullptr;
};

}  // namespace octile
