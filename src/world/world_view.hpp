// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Everything that a search may read: one committed state of the map as one Profile sees it. The
// inside of a View.

#include "world/components.hpp"
#include "world/layer.hpp"
#include "world/map.hpp"
#include "world/pockets.hpp"
#include "world/profile.hpp"

namespace octile {

struct WorldView {
  Snapshot map;
  Profile profile;
  CellCosts costs;
  Layer layer;
  Components components;
  Pockets pockets;
  Dearest dearest;  // empty for units of one cell, and on maps that never had weights

  // Weight of entering a place, which must be passable.
  Cost weight(CellId id) const noexcept {
    if (costs.uniform) return 1;
    return costs.weight(map, dearest.empty() ? id : dearest.of(map.grid, id));
  }

  // Becomes the same state; false: memory is short.
  bool share(const WorldView& other) noexcept {
    profile = other.profile;
    costs = other.costs;
    map.share(other.map);
    layer.share(other.layer);
    components.share(other.components);
    dearest.share(other.dearest);
    return pockets.share(other.pockets);
  }
};

}  // namespace octile
