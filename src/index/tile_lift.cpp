// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/tile_lift.hpp"

#include <algorithm>
#include <bit>

namespace octile {

namespace {

template <class T>
bool grow(Buffer<T>* buffer, size_t n) noexcept {
  return (n <= buffer->capacity() || buffer->reserve(n + n / 2)) && buffer->resize(n);
}

}  // namespace

bool TileLift::begin() noexcept {
  if (!stamp_.assign(graph_.size(), 0) || !seat_.assign(graph_.size(), {0, 0, 0, 0}) ||
      !turns_.assign(graph_.size(), 0))
    return false;
  for (uint32_t s = 0; s < graph_.size(); ++s) {
    const auto free = [&](uint32_t d) {
      const Point to = CornerMaps::step(graph_.place[s], d & 7, 1);
      return to.x < sight_.width && to.y < sight_.height && sight_.passable(to);
    };
    // Round the wall in direction d, from either side.
    for (uint32_t d = 1; d < 8; d += 2)
      if (!free(d) && free(d + 1) && free(d + 7))
        for (const uint32_t turn : {2, 3, 5, 6})
          turns_[s] = static_cast<uint8_t>(turns_[s] | 1u << ((d + turn) & 7));
  }
  return true;
}

// The subgoals that shortest paths from the cells begin with: those of the tile, and those outside
// where they may turn as they come from its outer cells. What an inner cell reaches further out, a
// neighbour of it on the way reaches, too. See docs/labels.md.
bool TileLift::find_vias(Point corner, uint64_t passable) noexcept {
  subgoal_.clear();
  bool fits = true;
  const auto add = [&](Point p) {
    const uint32_t s = clear_.number(p);
    if (stamp_[s] == tile_stamp_) return;
    stamp_[s] = tile_stamp_;
    fits = subgoal_.push(s) && fits;
  };
  constexpr auto around = [](uint32_t direction) {
    return 1u << direction | 1u << ((direction + 1) & 7) | 1u << ((direction + 7) & 7);
  };
  for (uint64_t rest = passable; rest; rest &= rest - 1) {
    const auto bit = static_cast<uint32_t>(std::countr_zero(rest));
    const uint32_t x = bit & 7, y = bit >> 3;
    const Point cell{corner.x + x, corner.y + y};
    if (clear_.corner(cell)) {
      add(cell);  // its own label has everything
      continue;
    }
    uint32_t out = 0;
    if (y == 0) out |= around(kNorth);
    if (x == 7) out |= around(kEast);
    if (y == 7) out |= around(kSouth);
    if (x == 0) out |= around(kWest);
    if (out)
      direct_reach(
          clear_, cell, out,
          [&](Point p, uint32_t moves) { return (turns_[clear_.number(p)] & moves) == 0; }, add);
  }
  std::sort(subgoal_.begin(), subgoal_.end());
  return fits;
}

// How far diagonals lead from each cell; from inner cells one further than from the next one.
void TileLift::look_around(Point corner, uint64_t passable) noexcept {
  around_.corner = corner;
  for (uint32_t i = 0; i < 4; ++i) {
    const uint32_t d = 2 * i + 1;
    const uint32_t x_end = kDx[d] > 0 ? 7 : 0, y_end = kDy[d] > 0 ? 7 : 0;
    for (uint32_t k = 0; k < 64; ++k) {
      // The neighbour ahead comes first.
      const uint32_t x = (k & 7) ^ x_end, y = k >> 3 ^ y_end, at = 8 * y + x;
      const Point cell{corner.x + x, corner.y + y};
      int32_t steps = -1;
      if (passable >> at & 1) {
        if (x == x_end || y == y_end) {
          steps = static_cast<int32_t>(sight_.free_steps(cell, d));
        } else {
          const uint32_t ahead =
              8 * (y + static_cast<uint32_t>(kDy[d])) + (x + static_cast<uint32_t>(kDx[d]));
          const uint32_t beside = 8 * y + (x + static_cast<uint32_t>(kDx[d]));
          const uint32_t below = 8 * (y + static_cast<uint32_t>(kDy[d])) + x;
          const bool legal = (passable >> beside & passable >> below & 1) != 0;
          steps = legal ? around_.diagonal[i][ahead] + 1 : 0;
        }
      }
      around_.diagonal[i][at] = steps;
    }
  }
}

// The distance of every cell to every hub of the vias. Those that all cells see come first: they
// tell how far off the hub is at most, and a way that is longer for every cell is left out.
bool TileLift::collect(uint64_t passable) noexcept {
  hub_.clear();
  offer_.clear();
  for (uint32_t part = 0; part < 2; ++part) {
    for (uint32_t v = 0; v < subgoal_.size(); ++v) {
      if ((seen_[v] != passable) != (part == 1)) continue;
      const uint32_t* way = via_column_[v].length;
      uint32_t furthest;
      kernel_.finite(way, &furthest);
      const uint32_t nearest = *std::min_element(way, way + 64);
      const HubLabels::Entry* const end = labels_.end_of(subgoal_[v]);
      for (const HubLabels::Entry* e = labels_.begin_of(subgoal_[v]); e != end; ++e) {
        Seat& seat = seat_[e->hub];
        if (seat.stamp != tile_stamp_) {
          const auto slot = static_cast<uint32_t>(hub_.size());
          seat = {tile_stamp_, slot, kFar, kFar};
          if (!hub_.push({e->hub, UINT32_MAX, slot})) return false;
          if (hub_column_.size() <= slot && !grow(&hub_column_, slot + 1)) return false;
          for (uint32_t& length : hub_column_[slot].length) length = kFar;
        }
        if (nearest + e->distance > seat.furthest) continue;
        seat.nearest = std::min(seat.nearest, nearest + e->distance);
        if (part == 0) seat.furthest = std::min(seat.furthest, furthest + e->distance);
        Hub& hub = hub_[seat.slot];
        kernel_.lower(hub_column_[hub.slot].length, way, e->distance, 64);
        const auto at = static_cast<uint32_t>(offer_.size());
        if (!offer_.push({v, e->distance, e->node, hub.first_offer})) return false;
        hub.first_offer = at;
      }
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
      uint32_t count;
      const uint64_t cells =
          kernel_.within(hub_column_[hub.slot].length, via_column_[offer.via].length,
                         offer.distance, open & seen_[offer.via], &count);
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
  draft->vias = draft->near = draft->first_partial = draft->partial = draft->entries = 0;
  draft->first_via = static_cast<uint32_t>(via_.size());
  draft->first_entry = static_cast<uint32_t>(entry_.size());
  if (!draft->passable) return true;
  if (!find_vias(corner, draft->passable)) return false;
  const size_t n = subgoal_.size();
  if (!grow(&seen_, n) || !grow(&via_column_, n) || !grow(&via_number_, n) ||
      !via_class_.assign(n, 4))
    return false;
  look_around(corner, draft->passable);
  for (size_t v = 0; v < n; ++v) {
    const Point via = graph_.place[subgoal_[v]];
    uint32_t free[4];
    for (uint32_t d = 0; d < 8; d += 2) free[d / 2] = sight_.free_steps(via, d);
    seen_[v] = kernel_.column(around_, via, free, steps_, via_column_[v].length);
  }
  // 2. The distance of each cell to each hub; a hub is left out for cells that reach it as well
  // through one of higher rank.
  if (!collect(draft->passable)) return false;
  chosen_.clear();
  for (const Hub& hub : hub_) {
    const uint32_t* length = hub_column_[hub.slot].length;
    uint32_t count, furthest;
    uint64_t open = kernel_.finite(length, &furthest);
    if (&hub + 2 < hub_.end())
      __builtin_prefetch(labels_.begin_of(labels_.vertex_of((&hub + 2)->rank)));
    const uint32_t vertex = labels_.vertex_of(hub.rank);
    for (const HubLabels::Entry* e = labels_.begin_of(vertex); open && e->hub != hub.rank; ++e) {
      // Most are too far off the way for all cells alike.
      const Seat& seat = seat_[e->hub];
      if (seat.stamp != tile_stamp_ || seat.nearest + e->distance > furthest) continue;
      open &= ~kernel_.within(length, hub_column_[seat.slot].length, e->distance, open, &count);
    }
    if (open && !choose(hub, open)) return false;
  }
  // 3. Vias that nobody chose are left out. The others are put in order: near ones that all cells
  // see, those that some do not see, the near ones first, and the rest.
  for (const TileDraft::Entry& e : chosen_) via_class_[e.via] = 0;
  for (size_t v = 0; v < n; ++v) {
    if (via_class_[v] != 0) continue;
    const Point p = graph_.place[subgoal_[v]];
    const bool near = p.x - corner.x + 128 < 256 && p.y - corner.y + 128 < 256;
    via_class_[v] = seen_[v] != draft->passable ? (near ? 1 : 2) : (near ? 0 : 3);
  }
  for (uint32_t order = 0; order < 4; ++order) {
    for (size_t v = 0; v < n; ++v) {
      if (via_class_[v] != order) continue;
      via_number_[v] = draft->vias++;
      if (!via_.push({graph_.place[subgoal_[v]], seen_[v]})) return false;
      for (uint64_t rest = seen_[v]; rest; rest &= rest - 1) {
        const uint32_t leg = via_column_[v].length[static_cast<uint32_t>(std::countr_zero(rest))];
        longest_ = leg > longest_ ? leg : longest_;
      }
    }
    if (order == 0) draft->first_partial = draft->vias;
    if (order == 1) draft->near = draft->vias;
    if (order == 2) draft->partial = draft->vias - draft->first_partial;
  }
  draft->entries = static_cast<uint32_t>(chosen_.size());
  for (TileDraft::Entry e : chosen_) {
    e.via = via_number_[e.via];
    if (!entry_.push(e)) return false;
  }
  return true;
}

Built TileLift::lift_row(uint32_t y, const BuildLimits& limits, Arena* arena,
                         RowDraft* row) noexcept {
  const uint32_t across = (sight_.width + 7) / 8;
  via_.clear();
  entry_.clear();
  row->tile = arena->take<TileDraft>(across);
  if (!row->tile) return Built::out_of_memory;
  for (uint32_t x = 0; x < across; ++x) {
    if (limits.cancelled()) return Built::cancelled;
    if (!lift(x, y, &row->tile[x])) return Built::out_of_memory;
  }
  if (via_.size() > UINT32_MAX || entry_.size() > UINT32_MAX) return Built::out_of_memory;
  row->entries = static_cast<uint32_t>(entry_.size());
  row->via = arena->take<TileDraft::Via>(via_.size());
  row->entry = arena->take<TileDraft::Entry>(entry_.size());
  if (!row->via || !row->entry) return Built::out_of_memory;
  std::copy_n(via_.data(), via_.size(), row->via);
  std::copy_n(entry_.data(), entry_.size(), row->entry);
  return Built::done;
}

}  // namespace octile
