// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// A layer of which only some tiles are there: the corridor that a search is held in. All others are
// wall, so that searches run in it unchanged. Tiles inside the corridor are those of the View; at
// its border stand copies whose moves and stops know of the wall beside them.
//
// The table has 8 bytes for each tile of the map; copies are kept for the next corridor.

#include "world/layer.hpp"

namespace octile {

class Corridor {
 public:
  Corridor() noexcept = default;
  ~Corridor();
  Corridor(const Corridor&) = delete;
  Corridor& operator=(const Corridor&) = delete;

  // An empty corridor of `layer`, which must live until the last use. False: memory is short.
  bool begin(const Layer& layer) noexcept;
  // Leaves the tiles that were in and takes `tiles` of the map, by padded index. False: memory is
  // short.
  bool enter(const Buffer<uint32_t>& tiles) noexcept;
  bool holds(uint32_t tile) const noexcept { return flat_[tile] != wall_; }
  const Layer& layer() const noexcept { return layer_; }

  size_t bytes() const noexcept {
    return flat_.bytes() + in_.bytes() + fence_.bytes() + fence_.size() * sizeof(LayerTile);
  }

 private:
  bool fence(uint32_t tile, uint32_t* copies) noexcept;

  Layer layer_;  // without tiles but for the flat table
  const Layer* of_ = nullptr;
  const LayerTile* wall_ = nullptr;
  Buffer<const LayerTile*> flat_;
  Buffer<uint32_t> in_;       // tiles of the corridor
  Buffer<LayerTile*> fence_;  // copies, as many as were ever in one corridor
};

}  // namespace octile
