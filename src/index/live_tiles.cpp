// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/live_tiles.hpp"

#include <algorithm>
#include <new>

#include "index/label_tables.hpp"
#include "index/live_labels.hpp"

namespace octile {

namespace {

// What a tile needs to be lifted.
struct LiveLift {
  struct Reached {
    uint32_t vertex, cell;
  };
  Buffer<Reached> reached;
  struct Column {
    alignas(64) uint32_t length[64];
  };
  Buffer<Column> way;  // by via: from each cell, kFar where it is not seen
  Buffer<LiveTile::Entry> offer;
};

bool same_labels(const LiveTile& tile, const LiveState& state) noexcept {
  return std::all_of(tile.via.begin(), tile.via.end(), [&](const LiveTile::Via& via) {
    return state.made[via.vertex / LabelPage::kVertices] <= tile.state;
  });
}

// Of the offers for one hub those that are best for a cell, of equal ones the first.
bool choose_offers(const LiveTile::Entry* first, const LiveTile::Entry* last, const LiveLift& lift,
                   LiveTile* tile) noexcept {
  if (last - first == 1) return tile->entry.push(*first);
  const LabelKernel& kernel = label_kernel();
  LiveLift::Column least;
  for (uint32_t& length : least.length) length = kFar;
  uint64_t open = 0;
  for (const auto* o = first; o != last; ++o) {
    kernel.lower(least.length, lift.way[o->via].length, o->distance, 64);
    open |= tile->via[o->via].seen;
  }
  for (const auto* o = first; open && o != last; ++o) {
    uint32_t count;
    const uint64_t best = kernel.within(least.length, lift.way[o->via].length, o->distance,
                                        open & tile->via[o->via].seen, &count);
    if (best && !tile->entry.push(*o)) return false;
    open &= ~best;
  }
  return true;
}

LiveTile* lift_live(const LiveState& state, IndexSteps steps, Point corner) noexcept {
  auto* tile = new (std::nothrow) LiveTile;
  if (!tile) return nullptr;
  tile->state = state.number_of_state;
  LiveLift lift;
  bool fits = true;
  // 1. Which subgoals the cells reach.
  for (uint32_t bit = 0; bit < 64; ++bit) {
    const Point cell{corner.x + (bit & 7), corner.y + (bit >> 3)};
    if (cell.x >= state.corners.width || cell.y >= state.corners.height) continue;
    if (!state.corners.passable(cell)) continue;
    const auto add = [&](Point p) { fits = lift.reached.push({state.number(p), bit}) && fits; };
    if (state.corners.corner(cell))
      add(cell);
    else
      direct_reach(state.corners, cell, kAllDirections, add);
  }
  std::sort(lift.reached.begin(), lift.reached.end(),
            [](const auto& a, const auto& b) { return a.vertex < b.vertex; });
  for (const LiveLift::Reached& r : lift.reached) {
    if (tile->via.empty() || tile->via.back().vertex != r.vertex)
      fits = tile->via.push({state.place(r.vertex), 0, r.vertex}) && fits;
    if (!fits) break;
    tile->via.back().seen |= uint64_t{1} << r.cell;
  }
  // 2. Their entries by hub; the vias in the order of their vertices.
  for (uint32_t v = 0; fits && v < tile->via.size(); ++v) {
    const uint32_t vertex = tile->via[v].vertex;
    for (const LiveLabel* e = state.begin_of(vertex); e != state.end_of(vertex); ++e)
      fits = lift.offer.push({e->hub, e->distance, v}) && fits;
  }
  std::sort(lift.offer.begin(), lift.offer.end(), [](const auto& a, const auto& b) {
    return a.hub != b.hub ? a.hub < b.hub : a.via < b.via;
  });
  fits = fits && lift.way.resize(tile->via.size());
  for (size_t v = 0; fits && v < tile->via.size(); ++v) {
    for (uint32_t bit = 0; bit < 64; ++bit) {
      const Point cell{corner.x + (bit & 7), corner.y + (bit >> 3)};
      lift.way[v].length[bit] =
          tile->via[v].seen >> bit & 1 ? steps.line(cell, tile->via[v].place) : kFar;
    }
  }
  for (const LiveTile::Entry *o = lift.offer.begin(), *last; fits && o != lift.offer.end();
       o = last) {
    last = std::find_if(o, std::as_const(lift.offer).end(),
                        [&](const LiveTile::Entry& e) { return e.hub != o->hub; });
    fits = choose_offers(o, last, lift, tile);
  }
  if (fits) return tile;
  delete tile;
  return nullptr;
}

}  // namespace

LiveTiles::~LiveTiles() {
  for (uint32_t i = 0; i < places_; ++i) {
    octile::drop(place_[i].base);
    octile::drop(place_[i].own.load(std::memory_order_relaxed));
  }
  delete[] place_;
}

bool LiveTiles::begin(uint32_t width, uint32_t height, const LiveTiles* before,
                      const uint64_t* changed) noexcept {
  across_ = (width + 63) / 64;
  const uint32_t places = across_ * ((height + 63) / 64);
  place_ = new (std::nothrow) Place[places];
  if (!place_) return false;
  places_ = places;
  for (uint32_t i = 0; before && i < places_; ++i) {
    const Place& old = before->place_[i];
    const Group* own = old.own.load(std::memory_order_acquire);
    place_[i].base = own ? own : old.base;
    place_[i].changed = (own ? 0 : old.changed) | changed[i];
    if (place_[i].base) place_[i].base->take();
  }
  return true;
}

size_t LiveTiles::bytes() const noexcept {
  size_t sum = sizeof *this + places_ * sizeof(Place);
  for (uint32_t i = 0; i < places_; ++i) {
    const Group *base = place_[i].base, *own = place_[i].own.load(std::memory_order_acquire);
    sum += ((base != nullptr) + (own != nullptr)) * sizeof(Group);
    for (uint32_t t = 0; t < 64; ++t) {
      const LiveTile* old = base ? base->tile[t].load(std::memory_order_acquire) : nullptr;
      const LiveTile* now = own ? own->tile[t].load(std::memory_order_acquire) : nullptr;
      if (old) sum += old->bytes();
      if (now && now != old) sum += now->bytes();
    }
  }
  return sum;
}

const LiveTile* LiveTiles::known(const LiveState& state, const Place& place,
                                 uint32_t tile) const noexcept {
  if (const Group* own = place.own.load(std::memory_order_acquire))
    return own->tile[tile].load(std::memory_order_acquire);
  if (!place.base || place.changed >> tile & 1) return nullptr;
  const LiveTile* t = place.base->tile[tile].load(std::memory_order_acquire);
  return t && same_labels(*t, state) ? t : nullptr;
}

const LiveTile* LiveTiles::find(const LiveState& state, Point p) const noexcept {
  const Place& place = place_[group_of(p, across_)];
  const uint32_t tile = tile_of(p);
  if (const LiveTile* t = known(state, place, tile)) return t;
  if (place.asked[tile].fetch_add(1, std::memory_order_relaxed) + 1 < kAsked) return nullptr;
  place.asked[tile].store(0, std::memory_order_relaxed);
  LiveTile* made = lift_live(state, state.steps, {p.x & ~7u, p.y & ~7u});
  return made ? publish(state, place, tile, made) : nullptr;
}

// Makes the tile known to all; gives what is known then, null when memory is short.
const LiveTile* LiveTiles::publish(const LiveState& state, const Place& place, uint32_t tile,
                                   LiveTile* made) const noexcept {
  const Group* own = place.own.load(std::memory_order_acquire);
  if (!own) {
    auto* group = new (std::nothrow) Group;
    if (!group) {
      delete made;
      return nullptr;
    }
    for (uint32_t i = 0; i < 64; ++i) {
      const LiveTile* t = known(state, place, i);
      if (t) t->take();
      group->tile[i].store(t, std::memory_order_relaxed);
    }
    if (place.own.compare_exchange_strong(own, group, std::memory_order_acq_rel)) {
      own = group;
    } else {
      delete group;
    }
  }
  const LiveTile* there = nullptr;
  if (own->tile[tile].compare_exchange_strong(there, made, std::memory_order_acq_rel)) return made;
  delete made;
  return there;
}

}  // namespace octile
