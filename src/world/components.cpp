// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "world/components.hpp"

#include "world/contacts.hpp"
#include "world/piece_labels.hpp"
#include "world/tile_rows.hpp"

namespace octile {

bool eight_connected(const Profile& p) noexcept {
  return p.diagonal == Diagonal::always && !four_way(p.moves, p.diagonal);
}

bool Components::build(const Layer& layer, const Profile& profile) noexcept {
  const TileGrid& grid = layer.grid;
  const bool eight = eight_connected(profile);
  auto* home = new (std::nothrow) Home(true);
  if (!home) return false;
  home->expect(size_t{grid.tile_cols} * grid.tile_rows * sizeof(LabelTile));
  labels_.live_in(home);
  drop(home);
  // All tiles of walls share one label tile, all tiles that are one piece another.
  auto* none = home->make<LabelTile>(0);
  auto* single = home->make<LabelTile>(0);
  Buffer<const LabelTile*> tiles;
  if (!none || !single) return false;
  none->make_immortal();
  single->make_immortal();
  if (!labels_.reset(grid.tiles, none) || !tiles.assign(grid.tiles, none)) return false;
  std::memset(none->low, 0, sizeof none->low);
  std::memset(single->low, 0, sizeof single->low);
  // As many places each, since tiles go from one to the other.
  none->pieces = single->pieces = 1 + kFirstPlaces;
  single->used = 1;
  single_ = single;
  const bool made = each_tile_row(grid, [&](unsigned thread, uint32_t row) {
    Labeller labeller;
    for (uint32_t column = 0; column < grid.tile_cols; ++column) {
      const uint32_t at = grid.tile_index(column, row);
      if (layer.tiles.at(at) == layer.tiles.at(0)) continue;
      const uint32_t pieces = labeller.count(layer.tiles.at(at)->row, eight);
      if (pieces == 1) {
        tiles[at] = single;
        continue;
      }
      // Those that own more memory are not for the home.
      LabelTile* tile = pieces > 256 ? new (std::nothrow) LabelTile : home->make<LabelTile>(thread);
      if (!tile) return false;
      tiles[at] = tile;
      if (!labeller.write(tile)) return false;
      tile->pieces += kFirstPlaces;
    }
    return true;
  });
  // The table takes them over, so that they are given back when something failed, too.
  bool kept = true;
  for (uint32_t at = 0; at < grid.tiles; ++at)
    if (tiles[at] != none && !labels_.set(at, tiles[at])) kept = false;
  return made && kept && join(layer, eight);
}

bool Components::prepare(Spare* spare) noexcept {
  return labels_.prepare(&spare->labels) && first_.prepare(&spare->first) &&
         component_.prepare(&spare->component);
}

void Components::share(const Components& other) noexcept {
  labels_.share(other.labels_);
  single_ = other.single_;
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
