// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Edits of few cells that are written where the tiles stand. The tables of the last commit have
// the same tiles, so these change too, before their time: nobody may look at them, and what a cell
// was is noted. Where nobody but the engine has a View, nobody does; before somebody gets one, or
// the engine looks itself, set_aside() puts back what was and gives the edits copies of the tiles.
// So a cell that is edited somewhere costs the line where it lies and not a copy of its tile, which
// comes from memory. A commit makes it true: forget().
//
// What set_aside() needs is there before anything is written: it cannot fail.

#include <cstring>

#include "world/tiles.hpp"

namespace octile {

template <class Tile>
class EditsInPlace {
  using Table = TileTable<Tile>;
  using Value = std::remove_extent_t<decltype(Tile::cell)>;

 public:
  // What one edit may touch; others are worth a copy.
  static constexpr uint32_t kMostCells = 64;

  EditsInPlace() noexcept = default;
  EditsInPlace(const EditsInPlace&) = delete;
  EditsInPlace& operator=(const EditsInPlace&) = delete;
  ~EditsInPlace() {
    for (const Tile* tile : spare_) drop(tile);
  }

  bool empty() const noexcept { return count_ == 0; }
  // The tile, if it is written where it stands; else null.
  Tile* at(uint32_t tile) const noexcept {
    for (uint32_t i = 0; i < count_; ++i)
      if (place_[i].tile == tile) return place_[i].present;
    return nullptr;
  }
  // Of a table after own(): the tile to be written where it stands, with room for notes of
  // kMostCells. `others`: so many tables have the last version, and nobody else. Null: somebody
  // may look at it, or it is full here, or memory is short. Not to be asked of tiles that stand in
  // several places.
  Tile* edit(uint32_t tile, uint32_t others, const TileBox& box, Table* table,
             typename Table::Spare* spare) noexcept {
    if (!was_.reserve(kMostNotes) || was_.size() + kMostCells > kMostNotes) return nullptr;
    for (uint32_t i = 0; i < count_; ++i) {
      if (place_[i].tile != tile) continue;
      place_[i].box.widen(box);
      return table->edit_with_last(tile, others, spare, box);
    }
    if (count_ == kMostTiles || !room_[count_].fill()) return nullptr;
    if (!spare_[count_] && !(spare_[count_] = new (std::nothrow) Tile)) return nullptr;
    Tile* present = table->edit_with_last(tile, others, spare, box);
    if (present) place_[count_++] = {tile, present, box};
    return present;
  }
  // Before a cell of such a tile gets another value.
  void note(uint32_t tile, uint32_t cell, Value was) noexcept {
    was_.push({tile << 12 | cell, was});
  }
  // The last version becomes what it was.
  void set_aside(Table* table, typename Table::Spare* spare) noexcept {
    for (uint32_t i = 0; i < count_; ++i) {
      const Place& place = place_[i];
      Tile* copy = spare_[i];
      spare_[i] = nullptr;
      std::memcpy(copy->cell, place.present->cell, sizeof copy->cell);
      table->go_on_with(place.tile, copy, place.box, &room_[i], spare);
    }
    for (size_t i = was_.size(); i-- > 0;)
      at(was_[i].id >> 12)->cell[was_[i].id & (kTileCells - 1)] = was_[i].value;
    forget();
  }
  void forget() noexcept {
    count_ = 0;
    was_.clear();
  }

 private:
  static constexpr uint32_t kMostTiles = 4, kMostNotes = 256;
  struct Place {
    uint32_t tile;
    Tile* present;
    TileBox box;
  };
  struct Was {
    CellId id;
    Value value;
  };

  Place place_[kMostTiles];
  uint32_t count_ = 0;
  // What set_aside() fills.
  Tile* spare_[kMostTiles] = {};
  typename Table::NodeRoom room_[kMostTiles];
  Buffer<Was> was_;
};

}  // namespace octile
