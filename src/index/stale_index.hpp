// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Exact answers from the tile labels of an earlier map.
//
//   then   the map that the labels are for: cells and moves as they were
//   now    the map of the View
//
// The path that the labels give is a cheapest one now, too, when it is legal now and no way over a
// new move is shorter. A way over new moves goes along old ones from the start to its first portal,
// a cell that was free then and has a new move now, and from its last portal to the goal: it costs
// at least
//
//   least over portals p of  then(start, p) + octile(p, goal)      and
//                            octile(start, p) + then(p, goal)
//
// where then(a, b) is the label distance. Most portals are out of the question by octile distances
// alone. Without openings there are no portals, and the first condition is enough. Where neither
// tells, a search answers.
//
// commit() keeps the list of portals from View to View; it costs the tiles that were edited. Labels
// that are of no more use are dropped: too many portals, or too few answers to a fixed set of
// questions, asked each time the number of edited cells has doubled.

#include "index/path_index.hpp"

namespace octile {

struct StaleIndex {
  const Index::Impl* index = nullptr;  // tile labels; null: there are none
  TileTable<LayerTile> then;
  Buffer<CellId> portals;  // by tile
  uint64_t edited = 0;     // cells, one by one, since then
  uint64_t look_at = 0;    // so many are due for the questions

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
  bool find_portals(const Layer& before, const Layer& now, const Buffer<DirtyTile>& dirty) noexcept;
  bool look(const WorldView& now) noexcept;
};

enum class StaleAnswer : uint8_t { path, no_path, unknown, out_of_memory };

// The path from `start` to `goal`, both passable now: its cells, after kSpareCells others, and its
// numbers of steps, all and diagonal ones. `room` is for the label kernels.
StaleAnswer ask_stale(const StaleIndex& stale, const WorldView& now, CellId start, CellId goal,
                      Buffer<uint32_t>* room, Buffer<Cell>* cells, uint32_t* steps,
                      uint32_t* diagonal) noexcept;

}  // namespace octile
