// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Exact answers from the tile labels of an earlier map.
//
//   then   the map that the labels are for: cells and moves as they were; then(a, b) their distance
//   now    the map of the View
//   portal a cell that was free then and has a move now that it did not have
//   patch  cells that new moves connect
//
// A way of today either goes along old moves alone, and is no shorter than then(start, goal), or it
// leaves old moves for the first time at a portal p, comes back to them for the last time at a
// portal q, and costs at least
//
//   then(start, p) + middle(p, q) + then(q, goal)
//
// where middle is the shortest way between both over their patch, with old moves between the new
// ones, or the octile distance where the patch is large or there are two. So when the least of
// these sums is that of a way which is legal now, that way is a cheapest one: the way of then, or
// one over a single patch. Most patches are out of the question by octile distances. The portals of
// the others know the hubs of the labels' blocks in rows of lanes, so that their distances from
// both ends cost one look at these blocks, and some vectors a portal.
//
// Ways that would join two patches are not made; where one may be shorter a search answers. The
// first patch of such a way brings some portal nearer to the start than it was then, or the way
// could do without it, and the last one brings some nearer to the goal: mostly there are none.
//
// Whether moves are still there is looked up only where blocks nearby have lost some.
//
// commit() keeps all this from View to View; it costs the tiles that were edited, and the patches
// that touch them; Views share the others. Labels that are of no more use are dropped: too many
// portals, too many cells that changed, or answers to a fixed set of questions that take longer
// than the searches they save, by counts, asked each time the number of edited cells has doubled.

#include "index/path_index.hpp"

namespace octile {

struct StaleBox {
  uint32_t left, top, right, bottom;  // inclusive
};

// The shortest way between two portals over their patch alone.
struct StaleLeg {
  static constexpr uint32_t kMixed = UINT32_MAX;
  uint32_t length;
  uint32_t first;            // of its moves; kMixed: it uses old moves as well, and is not kept
  uint16_t steps, diagonal;  // and how many of them are diagonal
};

struct StalePatch : Counted {
  StaleBox cells, box;      // of all its cells, of its portals
  Buffer<Point> portals;    // from north to south, then from west to east
  Buffer<uint32_t> blocks;  // of the labels: where some portal has a hub
  Buffer<uint32_t> rows;    // by portal and block: the lengths of its ways to kLanes hubs
  Buffer<StaleLeg> legs;    // by pair of portals; none where the patch is large
  Buffer<uint8_t> moves;    // of the legs

  uint32_t count() const noexcept { return static_cast<uint32_t>(portals.size()); }
  const StaleLeg& leg(uint32_t from, uint32_t to) const noexcept {
    return legs[size_t{from} * count() + to];
  }
};

// Where moves are gone, by blocks of 16 x 16 cells, in bits.
struct LostMoves {
  static constexpr uint32_t kShift = 4, kSide = 1 << kShift;
  uint32_t words = 0, rows = 0;  // of blocks
  Buffer<uint64_t> lost, near;   // in this block; in this one or one beside it

  // False: memory is short.
  bool shape(const TileGrid& grid) noexcept;
  bool copy(const LostMoves& other) noexcept;
  void clear() noexcept;
  void set(Point block, bool is_lost) noexcept;
  void spread() noexcept;
  // False: a way of kSide steps from here on uses none of them.
  bool near_to(Point p) const noexcept {
    const uint32_t x = p.x >> kShift;
    return near[size_t{p.y >> kShift} * words + (x >> 6)] >> (x & 63) & 1;
  }
};

// The lengths of the ways over hubs from one cell to many portals: which patches are of interest,
// then the cell, then patch by patch.
class PortalLengths {
 public:
  PortalLengths(const LabelTables& tables, StaleRoom* room) noexcept
      : tables_(tables), room_(*room) {}

  // These two: false when memory is short.
  bool begin() noexcept;
  bool measure(const StalePatch& patch, uint32_t* lengths) noexcept;
  void from(Point p) noexcept;
  void want(const StalePatch& patch) noexcept {
    for (const uint32_t b : patch.blocks) room_.blocks[b >> 6] |= uint64_t{1} << (b & 63);
  }
  void want_all() noexcept {
    for (uint32_t w = 0; w < tables_.block_words; ++w) room_.blocks[w] = ~uint64_t{0};
  }
  // Those of the wanted blocks that the cell has, and its lengths in one of them.
  uint64_t there(uint32_t word) const noexcept { return room_.blocks[tables_.block_words + word]; }
  const uint32_t* lanes(uint32_t block) const noexcept {
    return room_.lanes.data() + size_t{kLanes} * block;
  }

 private:
  const LabelTables& tables_;
  StaleRoom& room_;
};

struct StaleIndex {
  const Index::Impl* index = nullptr;  // tile labels; null: there are none
  TileTable<LayerTile> then;
  Buffer<const StalePatch*> patches;
  size_t portals = 0;  // of all of them
  LostMoves lost;
  uint64_t edited = 0;   // cells, one by one, since then
  uint64_t look_at = 0;  // so many are due for the questions

  StaleIndex() noexcept = default;
  StaleIndex(const StaleIndex&) = delete;
  StaleIndex& operator=(const StaleIndex&) = delete;
  ~StaleIndex() { forget(); }
  void forget() noexcept;

  // All of these: false when memory is short; the object is then of no use.
  bool share(const StaleIndex& other) noexcept;
  // What the last View knew, brought up to date: it had `adopted`, or `other`, and the layer
  // `before`.
  bool update(const Index::Impl* adopted, const StaleIndex& other, const Layer& before,
              const WorldView& now, const Buffer<DirtyTile>& dirty) noexcept;

 private:
  bool too_old(const TileGrid& grid) const noexcept;
  bool find_patches(const Layer& before, const Layer& now, const Buffer<DirtyTile>& dirty) noexcept;
  bool add_patch(const Layer& now, const StaleBox& cells, const Buffer<CellId>& all,
                 StaleRoom* room) noexcept;
  bool add_legs(const Layer& now, const Buffer<CellId>& all, StalePatch* patch,
                StaleRoom* room) const noexcept;
  uint32_t is_new(const Layer& now, CellId id) const noexcept;
  void drop_patches() noexcept;
  bool look(const WorldView& now) noexcept;
};

enum class StaleAnswer : uint8_t { path, no_path, unknown, out_of_memory };

// What a question found.
struct StaleWay {
  Buffer<Cell>* cells;    // the path, after kSpareCells others
  uint32_t steps = 0;     // of the path
  uint32_t diagonal = 0;  // of them
  uint32_t asked = 0;     // portals, from both ends

  // What the question took, in the steps of ways whose search would have taken as long.
  uint64_t cost() const noexcept { return 16 + steps / 16 + 3 * uint64_t{asked} / 8; }
};

// The path from `start` to `goal`, both passable now.
StaleAnswer ask_stale(const StaleIndex& stale, const WorldView& now, CellId start, CellId goal,
                      StaleRoom* room, StaleWay* way) noexcept;

}  // namespace octile
