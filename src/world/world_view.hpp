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

  // Becomes the same state; false: memory is short.
  bool share(const WorldView& other) noexcept {
    profile = other.profile;
    costs = other.costs;
    map.share(other.map);
    layer.share(other.layer);
    components.share(other.components);
    return pockets.share(other.pockets);
  }
};

}  // namespace octile
