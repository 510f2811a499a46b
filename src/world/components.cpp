// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "world/components.hpp"

#include <bit>
#include <cstring>
#include <utility>

namespace octile {

namespace {

// Union-find by smaller index, with path halving.
uint32_t root(uint32_t* parent, uint32_t i) noexcept {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}
void unite(uint32_t* parent, uint32_t a, uint32_t b) noexcept {
  a = root(parent, a);
  b = root(parent, b);
  if (a < b) parent[b] = a;
  if (b < a) parent[a] = b;
}

// Labels a tile by its runs of passable cells: a run joins the runs it touches in the row above.
class Labeller {
 public:
  // False: memory is short.
  bool label(const uint64_t* row, bool eight, LabelTile* out) noexcept {
    uint32_t runs = 0, above_begin = 0, above_end = 0;
    for (uint32_t y = 0; y < 64; ++y) {
      const uint32_t begin = runs;
      uint32_t above = above_begin;
      for (uint64_t rest = row[y]; rest;) {
        const auto first = static_cast<uint32_t>(std::countr_zero(rest));
        const auto length = static_cast<uint32_t>(std::countr_one(rest >> first));
        const uint32_t last = first + length - 1;
        rest = last == 63 ? 0 : rest & (~uint64_t{0} << (last + 1));
        run_[runs] = {static_cast<uint8_t>(y), static_cast<uint8_t>(first),
                      static_cast<uint8_t>(last)};
        parent_[runs] = runs;
        // Diagonal touching counts under the eight-connected rule: widen the run by one.
        const uint32_t left = first - (eight && first > 0), right = last + (eight ? 1 : 0);
        while (above < above_end && run_[above].last < left) ++above;
        for (uint32_t a = above; a < above_end && run_[a].first <= right; ++a)
          unite(parent_, a, runs);
        ++runs;
      }
      above_begin = begin;
      above_end = runs;
    }
    // Number the pieces in the order of their first cells; roots have the smallest run index.
    uint32_t pieces = 0;
    for (uint32_t r = 0; r < runs; ++r) {
      const uint32_t top = root(parent_, r);
      number_[r] = top == r ? pieces++ : number_[top];
    }
    if (pieces > 256 && !out->high) {
      out->high = static_cast<uint8_t*>(::operator new(kTileCells, std::nothrow));
      if (!out->high) return false;
      std::memset(out->high, 0, kTileCells);
    }
    std::memset(out->low, 0, sizeof out->low);
    out->pieces = pieces;
    for (uint32_t r = 0; r < runs; ++r) {
      const uint32_t at = run_[r].y * 64u + run_[r].first;
      const uint32_t length = run_[r].last - run_[r].first + 1u;
      std::memset(out->low + at, static_cast<uint8_t>(number_[r]), length);
      if (out->high) std::memset(out->high + at, static_cast<uint8_t>(number_[r] >> 8), length);
    }
    return true;
  }

 private:
  struct Run {
    uint8_t y, first, last;
  };
  static constexpr uint32_t kMostRuns = 64 * 32;
  Run run_[kMostRuns];
  uint32_t parent_[kMostRuns];
  uint32_t number_[kMostRuns];
};

bool same(const LabelTile& a, const LabelTile& b) noexcept {
  return a.pieces == b.pieces && std::memcmp(a.low, b.low, sizeof a.low) == 0 &&
         (a.high == nullptr) == (b.high == nullptr) &&
         (!a.high || std::memcmp(a.high, b.high, kTileCells) == 0);
}

bool eight_connected(const Profile& p) noexcept {
  return p.diagonal == Diagonal::always && !four_way(p.moves, p.diagonal);
}

}  // namespace

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

bool Components::share(const Components& other) noexcept {
  if (!labels_.share(other.labels_)) return false;
  drop(pieces_);
  pieces_ = other.pieces_;
  pieces_->take();
  return true;
}

bool Components::update(const Layer& layer, const Profile& profile,
                        const Buffer<DirtyTile>& dirty) noexcept {
  const bool eight = eight_connected(profile);
  bool changed = false;
  Labeller labeller;
  for (const DirtyTile& d : dirty) {
    LabelTile* tile = new (std::nothrow) LabelTile;
    if (!tile) return false;
    if (!labeller.label(layer.tiles.at(d.tile)->row, eight, tile)) {
      drop(tile);
      return false;
    }
    // Pieces may touch other pieces across the tile's edge although labels stay the same, so an
    // edit of an edge cell always counts.
    const bool edge = d.x0 == 0 || d.y0 == 0 || d.x1 == 63 || d.y1 == 63;
    if (!edge && same(*tile, *labels_.at(d.tile))) {
      drop(tile);
      continue;
    }
    changed = true;
    if (!labels_.set(d.tile, tile)) return false;
  }
  return !changed || join(layer, eight);
}

// Joins the pieces of neighbouring tiles into components.
bool Components::join(const Layer& layer, bool eight) noexcept {
  const TileGrid& grid = layer.grid;
  PieceMap* map = new (std::nothrow) PieceMap;
  if (!map) return false;
  uint64_t total = 0;
  bool ok = map->first_piece.resize(grid.tiles);
  for (uint32_t t = 0; ok && t < grid.tiles; ++t) {
    map->first_piece[t] = static_cast<uint32_t>(total);
    total += labels_.at(t)->pieces;
  }
  ok = ok && map->component.resize(total + 1);  // never empty
  if (!ok) {
    drop(map);
    return false;
  }
  uint32_t* parent = map->component.data();
  for (uint32_t i = 0; i <= total; ++i) parent[i] = i;
  const auto piece = [&](uint32_t tile, uint32_t cell) {
    return map->first_piece[tile] + labels_.at(tile)->label(cell);
  };
  // Joins along one side: the cells of `near` (bits along the side) with those of `far`.
  const auto side = [&](uint32_t near, uint64_t near_bits, uint32_t far, uint64_t far_bits,
                        auto near_cell, auto far_cell) {
    for (uint64_t rest = near_bits & far_bits; rest; rest &= rest - 1) {
      const auto i = static_cast<uint32_t>(std::countr_zero(rest));
      unite(parent, piece(near, near_cell(i)), piece(far, far_cell(i)));
    }
    if (!eight) return;
    for (uint64_t rest = near_bits & far_bits >> 1; rest; rest &= rest - 1) {
      const auto i = static_cast<uint32_t>(std::countr_zero(rest));
      unite(parent, piece(near, near_cell(i)), piece(far, far_cell(i + 1)));
    }
    for (uint64_t rest = near_bits & far_bits << 1; rest; rest &= rest - 1) {
      const auto i = static_cast<uint32_t>(std::countr_zero(rest));
      unite(parent, piece(near, near_cell(i)), piece(far, far_cell(i - 1)));
    }
  };
  const auto left = [](uint32_t i) { return i * 64; };
  const auto right = [](uint32_t i) { return i * 64 + 63; };
  const auto top = [](uint32_t i) { return i; };
  const auto bottom = [](uint32_t i) { return 63 * 64 + i; };
  const uint32_t across = 1u << grid.row_shift;
  for (uint32_t r = 0; r < grid.tile_rows; ++r) {
    for (uint32_t c = 0; c < grid.tile_cols; ++c) {
      const uint32_t at = grid.tile_index(c, r);
      const LayerTile& tile = *layer.tiles.at(at);
      side(at, tile.col[63], at + 1, layer.tiles.at(at + 1)->col[0], right, left);
      side(at, tile.row[63], at + across, layer.tiles.at(at + across)->row[0], bottom, top);
      if (!eight) continue;
      // Corner to corner.
      const LayerTile& south_east = *layer.tiles.at(at + across + 1);
      if ((tile.row[63] >> 63 & 1) && (south_east.row[0] & 1))
        unite(parent, piece(at, kTileCells - 1), piece(at + across + 1, 0));
      const LayerTile& south_west = *layer.tiles.at(at + across - 1);
      if ((tile.row[63] & 1) && (south_west.row[0] >> 63 & 1))
        unite(parent, piece(at, 63 * 64), piece(at + across - 1, 63));
    }
  }
  for (uint32_t i = 0; i <= total; ++i) parent[i] = root(parent, i);
  drop(pieces_);
  pieces_ = map;
  return true;
}

}  // namespace octile
