// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "search/overlay.hpp"

#include <algorithm>

namespace octile {

namespace {

constexpr Overlay::Result kShort{Status::out_of_memory, nullptr};
constexpr Overlay::Result kTooDear{Status::bad_argument,
                                   "with extra costs a single step would not fit 63 bits"};

// visit(x, y) for all cells of a rectangle, in coordinates of the map from 0.
template <class Visit>
void each_cell(const Rect& rect, Visit visit) noexcept {
  for (int32_t y = rect.y; y < rect.y + rect.height; ++y)
    for (int32_t x = rect.x; x < rect.x + rect.width; ++x) visit(x, y);
}

CellId id_at(const TileGrid& grid, int32_t x, int32_t y) noexcept {
  return grid.id(static_cast<uint32_t>(x + 64), static_cast<uint32_t>(y + 64));
}

bool is_wall(const WorldView& world, CellId cell) noexcept {
  return world.profile.terrain_cost[world.map.terrain_at(cell)] == kWall;
}

}  // namespace

Overlay::Result Overlay::begin(const WorldView& world, const Cell* blocked, size_t blocked_count,
                               const ExtraCost* extra, size_t extra_count) noexcept {
  active_ = false;
  scale_ = 1;
  known_ = 0;
  extra_.clear();
  for (Slot& slot : slots_) slot.place = kNoCell;
  if (!patch_.begin(world.layer)) return kShort;
  for (size_t i = 0; i < blocked_count; ++i)
    if (world.map.grid.contains(blocked[i]) && !block(world, blocked[i])) return kShort;
  if (!patch_.finish(world.profile)) return kShort;
  active_ = patch_.changed();
  costs_ = world.costs;
  return extra_count ? add_costs(world, extra, extra_count) : Result();
}

bool Overlay::block(const WorldView& world, Cell cell) noexcept {
  const TileGrid& grid = world.map.grid;
  const Rect r =
      Footprint(world.profile).places(grid, {cell.x - grid.first.x, cell.y - grid.first.y, 1, 1});
  bool fits = true;
  each_part(grid, r, [&](const DirtyTile& part) { fits = fits && patch_.block(part); });
  return fits;
}

Overlay::Result Overlay::add_costs(const WorldView& world, const ExtraCost* extra,
                                   size_t count) noexcept {
  const TileGrid& grid = world.map.grid;
  // 1. The unit: the largest that the View's costs and all extra ones are whole multiples of.
  uint64_t unit = world.costs.unit_millionths;
  for (size_t i = 0; i < count; ++i) {
    uint64_t milli;
    if (!to_milli(extra[i].cost, &milli))
      return {Status::bad_argument,
              "an extra cost must be 0 to 4294967295 with at most three decimals"};
    if (!grid.contains(extra[i].cell) || milli == 0 || is_wall(world, grid.id(extra[i].cell)))
      continue;
    if (unit == 0)
      return {Status::bad_argument, "the costs of this map are too large for extra ones"};
    unit = common_divisor(unit, milli * 1000);
    if (!extra_.push({grid.id(extra[i].cell), milli * 1000})) return kShort;
  }
  if (extra_.empty()) return {};
  active_ = true;
  scale_ = world.costs.unit_millionths / unit;

  // 2. The cells, each once.
  std::sort(extra_.begin(), extra_.end(),
            [](const Extra& a, const Extra& b) { return a.cell < b.cell; });
  size_t kept = 0;
  for (const Extra& e : extra_) {
    const Cost units = e.units / unit;
    if (kept == 0 || extra_[kept - 1].cell != e.cell) {
      extra_[kept++] = {e.cell, units};
    } else if ((extra_[kept - 1].units += units) > kMaxCost / 2) {
      return kTooDear;
    }
  }
  if (!extra_.resize(kept)) return kShort;
  Cost most, weight;
  if (!multiply(world.costs.dearest_step / world.costs.steps.diagonal, scale_, &most))
    return kTooDear;
  for (const Extra& e : extra_) {
    if (!multiply(world.costs.weight(world.map, e.cell), scale_, &weight)) return kTooDear;
    most = std::max(most, weight + e.units);
  }
  if (most > kMaxCost || refine_costs(world.profile, world.map, world.costs, scale_, most, &costs_))
    return kTooDear;

  // 3. The places whose unit covers one of them.
  const Footprint unit_of(world.profile);
  for (const Extra& e : extra_) {
    const Cost with_extra = cell_weight(world, e.cell);
    bool fits = true;
    const Rect cell{static_cast<int32_t>(grid.px(e.cell)) - 64,
                    static_cast<int32_t>(grid.py(e.cell)) - 64, 1, 1};
    each_cell(unit_of.places(grid, cell), [&](int32_t x, int32_t y) {
      const CellId place = id_at(grid, x, y);
      if (!layer().passable(place)) return;
      Slot* slot = reach(place);
      fits = fits && slot;
      if (slot) slot->weight = std::max({slot->weight, with_extra, scale_ * world.weight(place)});
    });
    if (!fits) return kShort;
  }
  return {};
}

Cost Overlay::cell_weight(const WorldView& world, CellId cell) const noexcept {
  const Extra* e = std::lower_bound(extra_.begin(), extra_.end(), cell,
                                    [](const Extra& a, CellId b) { return a.cell < b; });
  return scale_ * world.costs.weight(world.map, cell) +
         (e != extra_.end() && e->cell == cell ? e->units : 0);
}

Overlay::Slot* Overlay::reach(CellId place) noexcept {
  if (2 * (known_ + 1) > slots_.size()) {
    Buffer<Slot> old;
    old.swap(slots_);
    if (!slots_.assign(old.empty() ? 64 : 2 * old.size(), {kNoCell, 0})) {
      old.swap(slots_);
      return nullptr;
    }
    known_ = 0;
    for (const Slot& slot : old)
      if (slot.place != kNoCell) *reach(slot.place) = slot;
  }
  const size_t mask = slots_.size() - 1;
  size_t i = hash(place) & mask;
  while (slots_[i].place != place && slots_[i].place != kNoCell) i = (i + 1) & mask;
  if (slots_[i].place == kNoCell) {
    slots_[i] = {place, 0};
    ++known_;
  }
  return &slots_[i];
}

Overlay::Result Overlay::escape(const WorldView& world, const Cell* blocked, size_t blocked_count,
                                CellId start) noexcept {
  const TileGrid& grid = world.map.grid;
  const Footprint unit(world.profile);
  blocked_.clear();
  for (size_t i = 0; i < blocked_count; ++i)
    if (grid.contains(blocked[i]) && !blocked_.push(grid.id(blocked[i]))) return kShort;
  std::sort(blocked_.begin(), blocked_.end());
  const auto free = [&](int32_t x, int32_t y) {
    if (x < 0 || y < 0 || x >= grid.width || y >= grid.height) return false;
    const CellId id = id_at(grid, x, y);
    return !is_wall(world, id) && !std::binary_search(blocked_.begin(), blocked_.end(), id);
  };
  // The cells under the unit at a place that it does not cover one step before.
  const auto may_enter = [&](int32_t x, int32_t y, int32_t dx, int32_t dy) {
    const int32_t left = x - unit.anchor.x + dx, top = y - unit.anchor.y + dy;
    const int32_t right = left + unit.width - 1, bottom = top + unit.height - 1;
    if (dx != 0)
      for (int32_t i = top; i <= bottom; ++i)
        if (!free(dx > 0 ? right : left, i)) return false;
    if (dy != 0)
      for (int32_t i = left; i <= right; ++i)
        if (!free(i, dy > 0 ? bottom : top)) return false;
    return true;
  };
  const bool four = four_way(world.profile.moves, world.profile.diagonal);
  const int least_sides = world.profile.diagonal == Diagonal::no_obstacles ? 2
                          : world.profile.diagonal == Diagonal::always     ? 0
                                                                           : 1;
  // From place to place, as long as they are blocked.
  queue_.clear();
  if (!queue_.push(start) || !reach(start)) return kShort;
  for (size_t next = 0; next < queue_.size(); ++next) {
    const CellId at = queue_[next];
    const auto x = static_cast<int32_t>(grid.px(at)) - 64;
    const auto y = static_cast<int32_t>(grid.py(at)) - 64;
    uint32_t moves = 0;
    for (uint32_t d = 0; d < 8; ++d) {
      if ((d & 1) &&
          (four || may_enter(x, y, kDx[d], 0) + may_enter(x, y, 0, kDy[d]) < least_sides))
        continue;
      if (!may_enter(x, y, kDx[d], kDy[d])) continue;
      moves |= 1u << d;
      const CellId to = id_at(grid, x + kDx[d], y + kDy[d]);
      if (layer().passable(to) || find(to)) continue;
      if (!queue_.push(to) || !reach(to)) return kShort;
    }
    if (!patch_.set_moves(at, static_cast<uint8_t>(moves))) return kShort;
    if (costs_.uniform) continue;
    // The dearest of the free cells there.
    Cost most = 0;
    bool any = false;
    each_cell({x - unit.anchor.x, y - unit.anchor.y, unit.width, unit.height},
              [&](int32_t cx, int32_t cy) {
                if (!free(cx, cy)) return;
                any = true;
                most = std::max(most, cell_weight(world, id_at(grid, cx, cy)));
              });
    Slot* slot = reach(at);
    if (!slot) return kShort;
    slot->weight = any ? most : costs_.least_weight;
  }
  active_ = true;
  return {};
}

}  // namespace octile
