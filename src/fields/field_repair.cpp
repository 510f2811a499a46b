// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "fields/field_repair.hpp"

#include <algorithm>
#include <cstring>

namespace octile {

namespace {

// With more changes than this share of the places the search of the whole map is about as fast;
// chosen on generated caves, cities, mazes and hills. A change takes as long as a search of some 20
// cells of uniform maps, or of a few weighted ones.
constexpr uint32_t kShareUniform = 32, kShareWeighted = 8;

}  // namespace

bool FieldRepair::suspect(uint32_t px, uint32_t py) noexcept {
  return suspects_.push((py - 63) * table_->stride() + px - 63);
}

bool FieldRepair::find_suspects(const WorldView& before) noexcept {
  const WorldView& now = *now_;
  const TileGrid& grid = now.map.grid;
  suspects_.clear();
  // A place of a larger unit is made dearer by cells of other tiles.
  const auto reach_x = static_cast<uint32_t>(now.profile.width) - 1;
  const auto reach_y = static_cast<uint32_t>(now.profile.height) - 1;
  const auto right = static_cast<uint32_t>(grid.width) + 64;
  const auto bottom = static_cast<uint32_t>(grid.height) + 64;
  for (uint32_t row = 0; row < grid.tile_rows; ++row) {
    for (uint32_t column = 0; column < grid.tile_cols; ++column) {
      const uint32_t tile = grid.tile_index(column, row);
      const LayerTile &was = *before.layer.flat[tile], &is = *now.layer.flat[tile];
      const uint32_t x0 = column * 64 + 64, y0 = row * 64 + 64;
      for (uint32_t y = 0; y < 64 && &was != &is; ++y) {
        const uint8_t *a = was.moves + y * 64, *b = is.moves + y * 64;
        if (was.row[y] == is.row[y] && std::memcmp(a, b, 64) == 0) continue;
        const uint64_t other = was.row[y] ^ is.row[y];
        for (uint32_t x = 0; x < 64; ++x)
          if ((a[x] != b[x] || (other >> x & 1)) && !suspect(x0 + x, y0 + y)) return false;
      }
      if (now.costs.uniform || before.map.tile_version[tile] == now.map.tile_version[tile])
        continue;
      for (uint32_t y = y0 - reach_y; y < y0 + 64 + reach_y; ++y) {
        for (uint32_t x = x0 - reach_x; x < x0 + 64 + reach_x; ++x) {
          const CellId id = grid.id(x, y);
          if (!before.layer.passable(id) || !now.layer.passable(id) ||
              before.weight(id) == now.weight(id))
            continue;
          for (uint32_t d = 0; d < 8; ++d) {
            const uint32_t px = x + static_cast<uint32_t>(kDx[d]);
            const uint32_t py = y + static_cast<uint32_t>(kDy[d]);
            if (px >= 64 && py >= 64 && px < right && py < bottom && !suspect(px, py)) return false;
          }
        }
      }
    }
  }
  return true;
}

// What a step costs that enters a place in (or against) a direction.
uint64_t FieldRepair::step(uint32_t to, uint32_t direction) const noexcept {
  const Cost length = direction & 1 ? table_->steps.diagonal : table_->steps.straight;
  return now_->costs.uniform ? length : length * now_->weight(table_->id(now_->map.grid, to));
}

// The distance of a place by those of its neighbours.
uint64_t FieldRepair::offered(uint32_t place) const noexcept {
  const CellId id = table_->id(now_->map.grid, place);
  if (!now_->layer.passable(id)) return kFarAway;
  uint64_t least = kFarAway;
  const FieldSeed* seed =
      std::lower_bound(seeds_, seeds_ + seed_count_, place,
                       [](const FieldSeed& s, uint32_t p) { return s.place < p; });
  if (seed != seeds_ + seed_count_ && seed->place == place) least = seed->offset;
  for (uint32_t on = now_->layer.moves(id); on; on &= on - 1) {
    const auto d = static_cast<uint32_t>(__builtin_ctz(on));
    const uint32_t to = place + static_cast<uint32_t>(table_->step(d));
    const uint64_t there = table_->at(to);
    if (there == kFarAway) continue;
    const uint64_t sum = there + step(to, d);
    least = sum < least ? sum : least;
  }
  return least > table_->limit ? kFarAway : least;
}

bool FieldRepair::change(uint32_t place, uint64_t distance) noexcept {
  if (log_.size() == most_ || (distance != kFarAway && distance > last_)) return false;
  if (!log_.push({place, table_->at(place)})) return false;
  table_->set(place, distance);
  return true;
}

bool FieldRepair::raise() noexcept {
  const TileGrid& grid = now_->map.grid;
  queue_.begin();
  for (const uint32_t place : suspects_) {
    const uint64_t distance = table_->at(place);
    if (distance != kFarAway && !queue_.push(distance, 0, place)) return false;
  }
  uint32_t place;
  while (queue_.pop(UINT64_MAX, &place)) {
    const uint64_t distance = table_->at(place);
    if (distance == kFarAway || offered(place) <= distance) continue;
    if (!change(place, kFarAway)) return false;
    const CellId id = table_->id(grid, place);
    if (!now_->layer.passable(id)) continue;  // those beside it are suspects
    const uint64_t sum[2] = {distance + step(place, 0), distance + step(place, 1)};
    for (uint32_t on = now_->layer.moves(id); on; on &= on - 1) {
      const auto d = static_cast<uint32_t>(__builtin_ctz(on));
      const uint32_t to = place + static_cast<uint32_t>(table_->step(d));
      if (table_->at(to) == sum[d & 1] && !queue_.push(sum[d & 1], 0, to)) return false;
    }
  }
  return !queue_.failed();
}

bool FieldRepair::lower() noexcept {
  const TileGrid& grid = now_->map.grid;
  queue_.begin();
  const auto look_at = [&](uint32_t place) {
    const uint64_t distance = offered(place);
    return distance >= table_->at(place) ||
           (change(place, distance) && queue_.push(distance, 0, place));
  };
  const size_t raised = log_.size();
  for (size_t i = 0; i < raised; ++i)
    if (!look_at(log_[i].place)) return false;
  for (const uint32_t place : suspects_)
    if (!look_at(place)) return false;
  uint32_t place;
  while (queue_.pop(UINT64_MAX, &place)) {
    const uint64_t distance = table_->at(place);
    const CellId id = table_->id(grid, place);
    const uint64_t length[2] = {step(place, 0), step(place, 1)};
    for (uint32_t on = now_->layer.moves(id); on; on &= on - 1) {
      const auto d = static_cast<uint32_t>(__builtin_ctz(on));
      const uint32_t to = place + static_cast<uint32_t>(table_->step(d));
      const uint64_t sum = distance + length[d & 1];
      if (sum > table_->limit || sum >= table_->at(to)) continue;
      if (!change(to, sum) || !queue_.push(sum, 0, to)) return false;
    }
  }
  return !queue_.failed();
}

FieldRepair::End FieldRepair::run(const WorldView& before, const WorldView& now,
                                  const FieldSeed* seeds, size_t seed_count,
                                  FieldTable* table) noexcept {
  if (table->has_hops()) return End::given_up;  // there are free steps
  for (size_t i = 0; i < seed_count; ++i)
    if (!now.layer.passable(table->id(now.map.grid, seeds[i].place))) return End::given_up;
  now_ = &now;
  seeds_ = seeds;
  seed_count_ = seed_count;
  table_ = table;
  most_ = 32 + table->places() / (now.costs.uniform ? kShareUniform : kShareWeighted);
  last_ = table->most();
  // The smaller pair of lengths, as far as it orders ways as the exact one.
  if (now.costs.uniform && table->steps.straight != now.costs.steps.straight)
    last_ = std::min(last_, FieldTable::kMostNarrow);
  log_.clear();
  if (!find_suspects(before)) return End::given_up;
  if (raise() && lower()) return log_.empty() ? End::held : End::repaired;
  for (size_t i = log_.size(); i-- > 0;) table->set(log_[i].place, log_[i].before);
  return End::given_up;
}

}  // namespace octile
