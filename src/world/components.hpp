// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Which cells are connected. Every tile labels the connected pieces of its own cells, and one table
// says which component each piece of each tile belongs to:
//
//   component(cell) = component[first_piece[tile] + label(cell)]
//
// 1 byte a cell (2 in tiles of more than 256 pieces) plus 4 bytes a piece. An edit labels anew the
// tiles it touched; when that changed their pieces, the small graph of all pieces is joined again.
// Without corner cutting, and under at_most_one_obstacle, a diagonal step connects nothing that
// straight steps do not, so pieces are four-connected; under `always` they are eight-connected.
// Numbers are roots of a union-find forest and mean nothing but equality.

#include "world/layer.hpp"

namespace octile {

struct LabelTile : Counted {
  uint32_t pieces = 0;
  uint8_t low[kTileCells];  // walls have label 0
  uint8_t* high = nullptr;  // upper bytes, in tiles of more than 256 pieces only

  LabelTile() noexcept = default;
  LabelTile(const LabelTile&) = delete;
  ~LabelTile() { ::operator delete(high); }
  uint32_t label(uint32_t cell) const noexcept {
    return high ? low[cell] | uint32_t{high[cell]} << 8 : low[cell];
  }
};

struct PieceMap : Counted {
  Buffer<uint32_t> first_piece;  // per tile
  Buffer<uint32_t> component;    // per piece
};

class Components {
 public:
  Components() noexcept = default;
  ~Components() { drop(pieces_); }
  Components(const Components&) = delete;
  Components& operator=(const Components&) = delete;

  // The component of a passable cell.
  uint32_t of(CellId id) const noexcept {
    const uint32_t tile = id >> 12;
    return pieces_
        ->component[pieces_->first_piece[tile] + labels_.at(tile)->label(id & (kTileCells - 1))];
  }

  // All of these: false when memory is short; the object is then of no use.
  bool build(const Layer& layer, const Profile& profile) noexcept;
  bool share(const Components& other) noexcept;
  // After share() and update_layer(): `dirty` names the tiles whose passability may have changed.
  bool update(const Layer& layer, const Profile& profile, const Buffer<DirtyTile>& dirty) noexcept;

  template <class Visit>
  void each_label_tile(Visit visit) const noexcept {
    for (uint32_t t = 0; t < labels_.size(); ++t) visit(labels_.at(t));
  }
  size_t table_bytes() const noexcept {
    return labels_.table_bytes() +
           (pieces_ ? pieces_->first_piece.bytes() + pieces_->component.bytes() : 0);
  }

 private:
  bool join(const Layer& layer, bool eight) noexcept;

  TileTable<LabelTile> labels_;
  const PieceMap* pieces_ = nullptr;
};

}  // namespace octile
