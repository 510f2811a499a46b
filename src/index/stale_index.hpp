// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Exact answers from the tile labels of an earlier map.
//
//   then   the map that the labels are for: cells and moves as they were; then(a, b) their distance
//   now    the map of the View
//   patch  cells that new moves connect: moves of now that were not there then
//   rim    its cells that were free then
//   arc    the shortest way from one cell of the rim to another along new moves, or where the patch
//          is large their octile line, if that is shorter than then(a, b), and no arcs and ways of
//          then make it up
//   portal an end of arcs
//
// A way of today is made of stretches along old moves, which then(a, b) bounds, and of stretches
// along new ones, which arcs and then(a, b) bound. So it is no shorter than the shortest one of
//
//   then(start, goal)
//   then(start, p) + joined(p, q) + then(q, goal)
//
// with joined(p, q) the shortest way from portal to portal over arcs and ways of then: known for
// all pairs. And when the shortest of all these is there now, cell by cell, it is a cheapest way:
// that of then, or one over one patch or several. Else a search answers.
//
// Most patches are out of the question by octile distances. The portals of the others know the hubs
// of the labels' blocks in rows of lanes, so that their distances from an end cost one look at
// these blocks, and some vectors a portal. A way over patches is shorter only when the last portal
// of it is nearer to the start than it was then; mostly there is none, and nothing is asked from
// the goal.
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

// The shortest way between two portals over their patch.
struct StaleArc {
  static constexpr uint32_t kLine = UINT32_MAX;
  uint32_t from, to;  // portals
  uint32_t length;
  uint32_t moves;            // where they begin; kLine: it is no shorter than its octile line
  uint16_t steps, diagonal;  // and how many of them are diagonal
};

struct StalePatch : Counted {
  StaleBox cells, box;      // of all its cells, of its portals
  Buffer<Point> rim;        // from north to south, then from west to east
  Buffer<Point> portals;    // those of the rim that begin or end arcs
  Buffer<FreeSteps> sight;  // then, by portal
  Buffer<uint32_t> blocks;  // of the labels: where some cell of the rim has a hub
  Buffer<uint32_t> rows;    // by portal and block: the lengths of its ways to kLanes hubs
  Buffer<StaleArc> arcs;    // in the order of `from`, then of `to`
  Buffer<uint8_t> moves;    // of arcs

  uint32_t count() const noexcept { return static_cast<uint32_t>(portals.size()); }
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
  // Of 64 cells of a row, from `first` on, those that lost moves. All rows of a block in turn.
  void add_row(Point first, uint64_t cells) noexcept;
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
  // From one of its rim to all, while it has rows for these.
  bool measure_rim(const StalePatch& patch, uint32_t from, uint32_t* lengths) noexcept;
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

struct FreshRun;
struct PatchRoom;

struct StaleIndex {
  const Index::Impl* index = nullptr;  // tile labels; null: there are none
  TileTable<LayerTile> then;
  Buffer<const StalePatch*> patches;
  size_t rim = 0, portals = 0;  // of all of them
  Buffer<uint32_t> joined;      // by pair of portals, `wide` from row to row
  size_t wide = 0;
  LostMoves lost;
  uint64_t edited = 0;   // cells, one by one, since then
  uint64_t look_at = 0;  // so many are due for the questions

  StaleIndex() noexcept = default;
  StaleIndex(const StaleIndex&) = delete;
  StaleIndex& operator=(const StaleIndex&) = delete;
  ~StaleIndex() { forget(); }
  void forget() noexcept;

  // By portal: how far from this one.
  const uint32_t* from(size_t portal) const noexcept { return joined.data() + wide * portal; }

  // All of these: false when memory is short; the object is then of no use.
  bool share(const StaleIndex& other) noexcept;
  // What the last View knew, brought up to date: it had `adopted`, or `other`, and the layer
  // `before`.
  bool update(const Index::Impl* adopted, const StaleIndex& other, const Layer& before,
              const WorldView& now, const Buffer<DirtyTile>& dirty) noexcept;

 private:
  bool worn_out(const TileGrid& grid, size_t more_rim) const noexcept;
  bool find_patches(const Layer& before, const Layer& now, const Buffer<DirtyTile>& dirty,
                    PatchRoom* room) noexcept;
  bool add_patch(const Layer& now, const FreshRun* runs, uint32_t first, PatchRoom* room) noexcept;
  bool find_rows(StalePatch* patch, StaleRoom* room) const noexcept;
  bool find_arcs(const Layer& now, const Buffer<CellId>& all, StalePatch* patch,
                 PatchRoom* room) const noexcept;
  bool find_legs(const Layer& now, const Buffer<CellId>& all, StalePatch* patch,
                 PatchRoom* room) const noexcept;
  uint32_t is_new(const Layer& now, CellId id) const noexcept;
  void drop_patches() noexcept;
  bool join(StaleRoom* room) noexcept;
  bool look(const WorldView& now, StaleRoom* room) noexcept;
};

enum class StaleAnswer : uint8_t { path, unknown, out_of_memory };

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
