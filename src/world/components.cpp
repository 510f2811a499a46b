// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "world/components.hpp"

#include "world/contacts.hpp"
#include "world/piece_labels.hpp"

namespace octile {

bool eight_connected(const Profile& p) noexcept {
  return p.diagonal == Diagonal::always && !four_way(p.moves, p.diagonal);
}

bool Components::build(const Layer& layer, const Profile& profile) noexcept {
  const TileGrid& grid = layer.grid;
  const bool eight = eight_connected(profile);
  // All tiles of walls share one label tile, all tiles that are one piece another.
  LabelTile* none = new (std::nothrow) LabelTile;
  if (!none) return false;
  std::memset(none->low, 0, sizeof none->low);
  const bool made = labels_.reset(grid.tiles, none);
  drop(none);
  if (!made) return false;
  const LabelTile* single = nullptr;
  Labeller labeller;
  for (uint32_t r = 0; r < grid.tile_rows; ++r) {
    for (uint32_t c = 0; c < grid.tile_cols; ++c) {
      const uint32_t at = grid.tile_index(c, r);
      if (layer.tiles.at(at) == layer.tiles.at(0)) continue;
      LabelTile* tile = new (std::nothrow) LabelTile;
      if (!tile) return false;
      if (!labeller.label(layer.tiles.at(at)->row, eight, tile)) {
        drop(tile);
        return false;
      }
      if (tile->pieces == 1 && single) {
        drop(tile);
        single->take();
        if (!labels_.set(at, single)) return false;
        continue;
      }
      if (tile->pieces == 1) single = tile;
      if (!labels_.set(at, tile)) return false;
    }
  }
  return join(layer, eight);
}

void Components::share(const Components& other) noexcept {
  labels_.share(other.labels_);
  first_.share(other.first_);
  component_.share(other.component_);
  joined_ = other.joined_;
  next_ = other.next_;
}

// Joins the pieces of neighbouring tiles into components.
bool Components::join(const Layer& layer, bool eight) noexcept {
  const TileGrid& grid = layer.grid;
  Buffer<uint32_t> first, parent;
  if (!first.resize(grid.tiles)) return false;
  uint32_t total = 0;  // fewer than cells
  for (uint32_t t = 0; t < grid.tiles; ++t) {
    first[t] = total;
    total += labels_.at(t)->pieces;
  }
  if (!parent.resize(size_t{total} + 1)) return false;  // never empty
  for (uint32_t i = 0; i <= total; ++i) parent[i] = i;
  const auto piece = [&](uint32_t tile, uint32_t cell) {
    return first[tile] + labels_.at(tile)->label(cell);
  };
  for (uint32_t r = 0; r < grid.tile_rows; ++r) {
    for (uint32_t c = 0; c < grid.tile_cols; ++c) {
      const uint32_t at = grid.tile_index(c, r);
      // East, south and the corners between; the other sides are those of other tiles.
      const auto bits = [&](uint32_t tile) -> const LayerTile& { return *layer.tiles.at(tile); };
      each_contact(tile_edges(bits(at)), at, grid, eight, kContactsAfter, bits,
                   [&](uint32_t cell, uint32_t tile, uint32_t other) {
                     unite(parent.data(), piece(at, cell), piece(tile, other));
                   });
    }
  }
  for (uint32_t i = 0; i <= total; ++i) parent[i] = root(parent.data(), i);
  SharedArray<uint32_t> first_made, component_made;
  if (!first_made.adopt(&first) || !component_made.adopt(&parent)) return false;
  first_.swap(first_made);
  component_.swap(component_made);
  joined_ = next_ = total + 1;
  return true;
}

}  // namespace octile
