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
// that of then, or one over one patch or several. Where the way of then is cut, a gate near what
// was closed bounds all ways past it, and may tell which is the shortest: see stale_gate.hpp. Else
// a search answers.
//
// Most patches are out of the question by octile distances. The portals of the others know the hubs
// of the labels' blocks in rows of lanes, so that their distances from an end cost one look at
// these blocks, and some vectors a portal. A way over patches is shorter only when the last portal
// of it is nearer to the start than it was then; mostly there is none, and nothing is asked from
// the goal.
//
// Whether moves are still there is looked up only where blocks nearby have lost some.
//
// When questions are asked (below), gates are looked for where many of their ways are cut, if a
// hundred queries like them would about pay for it. They stay until patches change, or cells that
// were free then and closed when the gate was found are free again: what is closed later leaves
// their bounds right.
//
// commit() keeps all this from View to View; it costs the tiles that were edited, and the patches
// that touch them; Views share the others. Labels that are of no more use are dropped: too
// large a rim, too many cells that are not what they were, or answers to some questions that take
// longer than the searches they save, by counts, asked each time the number of edited cells has
// doubled.

#include "index/stale_gate.hpp"

namespace octile {

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

struct StaleIndex {
  const Index::Impl* index = nullptr;  // tile labels; null: there are none
  TileTable<LayerTile> then;
  Buffer<const StalePatch*> patches;
  size_t rim = 0, portals = 0;  // of all of them
  Buffer<uint32_t> joined;      // by pair of portals, `wide` from row to row
  size_t wide = 0;
  Buffer<const StaleGate*> gates;  // at most StaleGate::kMost
  LostMoves lost;
  uint64_t edited = 0;   // cells that are not what they were then
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
  // What the last View knew, brought up to date: it had the tile labels `adopted`, or `other`, and
  // the layer `before`.
  bool update(const Index::Impl* adopted, const StaleIndex& other, const Layer& before,
              const WorldView& now, const Buffer<DirtyTile>& dirty) noexcept;

 private:
  bool worn_out(const TileGrid& grid, size_t more_rim) const noexcept;
  bool find_patches(const Layer& before, const Layer& now, const Buffer<DirtyTile>& dirty) noexcept;
  void drop_patches() noexcept;
  void drop_gates() noexcept;
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
  bool cut = false;       // what stands there is a way of then, which is not there now

  // What the question took, in the steps of ways whose search would have taken as long.
  uint64_t cost() const noexcept { return 16 + steps / 16 + 3 * uint64_t{asked} / 8; }
};

// The path from `start` to `goal`, both passable now.
StaleAnswer ask_stale(const StaleIndex& stale, const WorldView& now, CellId start, CellId goal,
                      StaleRoom* room, StaleWay* way) noexcept;

// Where a way of then is cut: the last cell before that, and the first one behind.
struct StaleCut {
  Point before, behind;
};
// How often it is; the first two of these.
uint32_t find_cuts(const WorldView& now, const StaleWay& way, StaleCut* cuts) noexcept;

}  // namespace octile
