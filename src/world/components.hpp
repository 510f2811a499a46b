// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Which cells are connected. Every tile labels the connected pieces of its own cells, and one table
// says which component each piece of each tile belongs to:
//
//   component(cell) = component[first[tile] + label(cell)]
//
// 1 byte a cell (2 in tiles of more than 256 pieces) plus 4 bytes a piece. Without corner cutting,
// and under at_most_one_obstacle, a diagonal step connects nothing that straight steps do not, so
// pieces are four-connected; under `always` they are eight-connected. Numbers mean nothing but
// equality.
//
// Edits (component_update.cpp). A cell that is closed without parting its neighbours from each
// other, or opened beside one piece alone, changes no piece, and one that is opened between walls
// is a piece of its own, for which tiles have some places left: the eight neighbours tell. Where
// they do not, a flood inside the tile (tile_region.hpp) mostly finds that nothing was parted, or
// which cells have become a piece, and a component, of their own, or of which piece they are now.
// Else its tile is labelled anew, and searches over the pieces around it, side by side, tell
// whether what was connected still is: they end when they meet, or when all but one are walled in.
// Opened cells join components by renaming one of them. Exact after every commit.

#include <cstring>

#include "base/shared_array.hpp"
#include "world/layer.hpp"

namespace octile {

struct LabelTile : Counted {
  uint32_t serial = 0;      // of TileTable::edit()
  uint32_t pieces = 0;      // places in the table; after edits some may be empty
  uint32_t used = 0;        // labels from here on are those of no cell
  uint8_t* high = nullptr;  // upper bytes, in tiles of more than 256 pieces only
  uint8_t low[kTileCells];  // walls have label 0

  LabelTile() noexcept = default;
  // Only of tiles without `high`.
  LabelTile(const LabelTile& other) noexcept : Counted(), pieces(other.pieces), used(other.used) {
    std::memcpy(low, other.low, sizeof low);
  }
  ~LabelTile() { ::operator delete(high); }
  // Becomes like a newer one that differs in a box at most; both without `high`.
  void follow(const LabelTile& newer, const TileBox& box) noexcept {
    pieces = newer.pieces;
    used = newer.used;
    std::memcpy(low + box.y0 * 64, newer.low + box.y0 * 64, (box.y1 - box.y0 + 1) * 64);
  }
  uint32_t label(uint32_t cell) const noexcept {
    return high ? low[cell] | uint32_t{high[cell]} << 8 : low[cell];
  }
};

// True when diagonal steps connect what straight ones do not.
bool eight_connected(const Profile& profile) noexcept;

class Components {
 public:
  // What a writer keeps from one version to the next.
  struct Spare {
    TileTable<LabelTile>::Spare labels;
    SharedArray<uint32_t>::Spare first, component;
    Buffer<DirtyTile> edited;  // room for update()
  };

  Components() noexcept = default;
  Components(const Components&) = delete;
  Components& operator=(const Components&) = delete;

  // The component of a passable cell.
  uint32_t of(CellId id) const noexcept {
    const uint32_t tile = id >> 12;
    return component_[first_[tile] + labels_.at(tile)->label(id & (kTileCells - 1))];
  }

  // False when memory is short; the object is then of no use.
  bool build(const Layer& layer, const Profile& profile) noexcept;
  // Of what was built now: the spares for the first edits. False: memory is short.
  bool prepare(Spare* spare) noexcept;
  void share(const Components& other) noexcept;
  // Asks for the memory that an edit of few cells will look at; inlined, see TileTable::ask_for().
  [[gnu::always_inline]] inline void ask_where(const DirtyTile& edited) const noexcept {
    __builtin_prefetch(first_.data() + edited.tile);
    labels_.ask_where(edited.tile);
  }
  [[gnu::always_inline]] inline void ask_for(const DirtyTile& edited,
                                             const Spare& spare) const noexcept {
    const LabelTile* tile = labels_.at(edited.tile);
    const uint8_t* line = tile->low + edited.y0 * 64;
    __builtin_prefetch(tile);
    for (int32_t y = -1; y <= 1; ++y) __builtin_prefetch(line + 64 * y + edited.x0);
    __builtin_prefetch(component_.data() + first_[edited.tile]);
    labels_.ask_for(edited.tile, kTables - 1, spare.labels);
  }
  // After share() of what was right for the layer `before`: brought up to date with the edits in
  // `dirty`. False as above. `alone`: nobody else has, or will have, what this was shared from.
  bool update(const EarlierLayer& before, const Layer& layer, const Profile& profile,
              const Buffer<DirtyTile>& dirty, bool alone, Spare* spare) noexcept;

  template <class Visit>
  void each_label_tile(Visit visit) const noexcept {
    for (uint32_t t = 0; t < labels_.size(); ++t) visit(labels_.at(t));
  }
  size_t table_bytes() const noexcept {
    return labels_.table_bytes() + first_.bytes() + component_.bytes();
  }

 private:
  friend class ComponentUpdate;
  static constexpr uint32_t kTables = 2;  // of the last version and of the one that is made
  // Places that are left for pieces to come: in tiles that were labelled after an edit, in others.
  static constexpr uint32_t kSparePlaces = 8, kFirstPlaces = 2;
  // Joins the pieces of neighbouring tiles into components.
  bool join(const Layer& layer, bool eight) noexcept;

  TileTable<LabelTile> labels_;
  const LabelTile* single_ = nullptr;  // what open tiles share; those of walls have the ring's
  SharedArray<uint32_t> first_;        // by tile: its first piece
  SharedArray<uint32_t> component_;    // by piece
  uint32_t joined_ = 0;                // pieces when they were joined last
  uint32_t next_ = 0;                  // a number no component has
};

}  // namespace octile
