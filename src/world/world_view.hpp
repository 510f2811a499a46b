// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Everything that a search may read: one committed state of the map as one Profile sees it. The
// inside of a View.

#include <algorithm>

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

  WorldView() noexcept = default;
  explicit WorldView(const Profile& p) noexcept : profile(p) {}

  // Weight of entering a place, which must be passable.
  Cost weight(CellId id) const noexcept {
    if (costs.uniform) return 1;
    return costs.weight(map, dearest.empty() ? id : dearest.of(map.grid, id));
  }

  // Becomes the same state.
  void share(const WorldView& other) noexcept {
    profile = other.profile;
    costs = other.costs;
    map.share(other.map);
    layer.share(other.layer);
    components.share(other.components);
    dearest.share(other.dearest);
    pockets.share(other.pockets);
  }
};

// True when both are of maps that lie in the same place, under the same rules: what is known of one
// can be brought to the other.
inline bool same_ground(const WorldView& a, const WorldView& b) noexcept {
  const TileGrid &g = a.map.grid, &h = b.map.grid;
  const Profile &p = a.profile, &q = b.profile;
  return g.width == h.width && g.height == h.height && g.first == h.first && p.moves == q.moves &&
         p.diagonal == q.diagonal && p.metric == q.metric && p.width == q.width &&
         p.height == q.height && p.anchor == q.anchor &&
         std::equal(p.terrain_cost, p.terrain_cost + 256, q.terrain_cost);
}

}  // namespace octile
