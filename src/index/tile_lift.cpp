// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/tile_lift.hpp"

#include <algorithm>

namespace octile {

namespace {

// Less than kFar everywhere: what is within it is finite.
struct AlmostFar {
  uint32_t length[64];
  constexpr AlmostFar() noexcept : length() {
    for (uint32_t& l : length) l = kFar - 1;
  }
};
constexpr AlmostFar kAlmostFarColumn;
constexpr const uint32_t* kAlmostFar = kAlmostFarColumn.length;

template <class T>
bool grow(Buffer<T>* buffer, size_t n) noexcept {
  return (n <= buffer->capacity() || buffer->reserve(n + n / 2)) && buffer->resize(n);
}

}  // namespace

bool TileLift::begin() noexcept {
  return stamp_.assign(graph_.size(), 0) && slot_of_.resize(graph_.size()) &&
         slot_stamp_.assign(graph_.size(), 0);
}

// The subgoals that shortest paths from the cells begin with.
bool TileLift::find_vias(Point corner, uint64_t passable) noexcept {
  subgoal_.clear();
  bool fits = true;
  const auto add = [&](Point p) {
    const uint32_t s = clear_.number(p);
    if (stamp_[s] == tile_stamp_) return;
    stamp_[s] = tile_stamp_;
    fits = subgoal_.push(s) && fits;
  };
  for (uint64_t rest = passable; rest; rest &= rest - 1) {
    const auto bit = static_cast<uint32_t>(__builtin_ctzll(rest));
    const Point cell{corner.x + (bit & 7), corner.y + (bit >> 3)};
    if (clear_.corner(cell))
      add(cell);  // its own label has everything
    else
      direct_reach(clear_, cell, add);
  }
  std::sort(subgoal_.begin(), subgoal_.end());
  return fits;
}

uint64_t TileLift::make_column(Point corner, uint64_t passable, Point via,
                               Column* column) const noexcept {
  uint64_t seen = 0;
  for (uint32_t i = 0; i < 64; ++i) {
    const Point cell{corner.x + (i & 7), corner.y + (i >> 3)};
    const bool sees = (passable >> i & 1) && sight_.line_free(cell, via);
    seen |= uint64_t{sees} << i;
    column->length[i] = sees ? steps_.line(cell, via) : kFar;
  }
  return seen;
}

// The distance of every cell to every hub of the vias.
bool TileLift::collect() noexcept {
  hub_.clear();
  offer_.clear();
  for (uint32_t v = 0; v < subgoal_.size(); ++v) {
    for (const HubLabels::Entry* e = labels_.begin_of(subgoal_[v]);
         e != labels_.end_of(subgoal_[v]); ++e) {
      if (slot_stamp_[e->hub] != tile_stamp_) {
        slot_stamp_[e->hub] = tile_stamp_;
        const auto slot = static_cast<uint32_t>(hub_.size());
        slot_of_[e->hub] = slot;
        if (!hub_.push({e->hub, UINT32_MAX, slot})) return false;
        if (hub_column_.size() <= slot && !grow(&hub_column_, slot + 1)) return false;
        for (uint32_t& length : hub_column_[slot].length) length = kFar;
      }
      Hub& hub = hub_[slot_of_[e->hub]];
      kernel_.lower(hub_column_[hub.slot].length, via_column_[v].length, e->distance, 64);
      const auto at = static_cast<uint32_t>(offer_.size());
      if (!offer_.push({v, e->distance, e->node, hub.first_offer})) return false;
      hub.first_offer = at;
    }
  }
  std::sort(hub_.begin(), hub_.end(), [](const Hub& a, const Hub& b) { return a.rank < b.rank; });
  return true;
}

// Covers the cells that need the hub by as few vias as the greedy choice takes.
bool TileLift::choose(const Hub& hub, uint64_t open) noexcept {
  while (open) {
    uint32_t best = UINT32_MAX, most = 0;
    uint64_t covers = 0;
    for (uint32_t o = hub.first_offer; o != UINT32_MAX; o = offer_[o].next) {
      const Offer& offer = offer_[o];
      if (!(seen_[offer.via] & open)) continue;
      const uint64_t cells = open & seen_[offer.via] &
                             kernel_.within(hub_column_[hub.slot].length,
                                            via_column_[offer.via].length, offer.distance);
      const auto count = static_cast<uint32_t>(__builtin_popcountll(cells));
      if (count > most || (count == most && most != 0 && offer.via < offer_[best].via)) {
        best = o;
        most = count;
        covers = cells;
      }
    }
    open &= ~covers;
    const Offer& offer = offer_[best];
    if (!chosen_.push({hub.rank, offer.distance, offer.node, offer.via})) return false;
  }
  return true;
}

bool TileLift::lift(uint32_t tile_x, uint32_t tile_y, TileDraft* draft) noexcept {
  const Point corner{tile_x * 8, tile_y * 8};
  ++tile_stamp_;
  // 1. Who walks here, and by which vias.
  draft->passable = 0;
  for (uint32_t i = 0; i < 64; ++i) {
    const Point cell{corner.x + (i & 7), corner.y + (i >> 3)};
    if (cell.x < sight_.width && cell.y < sight_.height && sight_.passable(cell))
      draft->passable |= uint64_t{1} << i;
  }
  draft->vias = draft->partial = draft->entries = 0;
  draft->first_via = via_.size();
  draft->first_entry = entry_.size();
  if (!draft->passable) return true;
  if (!find_vias(corner, draft->passable)) return false;
  const size_t n = subgoal_.size();
  if (!grow(&seen_, n) || !grow(&via_column_, n) || !grow(&via_number_, n)) return false;
  for (size_t v = 0; v < n; ++v)
    seen_[v] = make_column(corner, draft->passable, graph_.place[subgoal_[v]], &via_column_[v]);
  // 2. The distance of each cell to each hub; a hub is left out for cells that reach it as well
  // through one of higher rank.
  if (!collect()) return false;
  chosen_.clear();
  for (const Hub& hub : hub_) {
    const uint32_t* length = hub_column_[hub.slot].length;
    uint64_t open = kernel_.within(kAlmostFar, length, 0);
    const uint32_t vertex = labels_.vertex_of(hub.rank);
    for (const HubLabels::Entry* e = labels_.begin_of(vertex); open && e->hub != hub.rank; ++e)
      if (slot_stamp_[e->hub] == tile_stamp_)
        open &= ~kernel_.within(length, hub_column_[slot_of_[e->hub]].length, e->distance);
    if (open && !choose(hub, open)) return false;
  }
  // 3. Vias that nobody chose are left out; those that some cells do not see come first.
  for (size_t v = 0; v < n; ++v) via_number_[v] = UINT32_MAX;
  for (const TileDraft::Entry& e : chosen_) via_number_[e.via] = 0;
  for (uint32_t whole = 0; whole < 2; ++whole) {
    for (size_t v = 0; v < n; ++v) {
      if (via_number_[v] == UINT32_MAX || (seen_[v] == draft->passable) != (whole == 1)) continue;
      via_number_[v] = draft->vias++;
      if (!via_.push({graph_.place[subgoal_[v]], seen_[v]})) return false;
      for (uint64_t rest = seen_[v]; rest; rest &= rest - 1) {
        const uint32_t leg = via_column_[v].length[__builtin_ctzll(rest)];
        longest_ = leg > longest_ ? leg : longest_;
      }
    }
    if (whole == 0) draft->partial = draft->vias;
  }
  draft->entries = static_cast<uint32_t>(chosen_.size());
  for (TileDraft::Entry e : chosen_) {
    e.via = via_number_[e.via];
    if (!entry_.push(e)) return false;
  }
  return true;
}

}  // namespace octile
