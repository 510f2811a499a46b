// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "world/obstacles.hpp"

#include <algorithm>
#include <cstring>

namespace octile {

Obstacle* Obstacles::find(ObstacleId id) const noexcept {
  Obstacle* const* place =
      std::lower_bound(all_.begin(), all_.end(), id,
                       [](const Obstacle* o, ObstacleId wanted) { return o->id < wanted; });
  return place != all_.end() && (*place)->id == id ? *place : nullptr;
}

Obstacle* Obstacles::find(const char* name) const noexcept {
  if (!name || !*name) return nullptr;
  for (Obstacle* obstacle : all_)
    if (std::strcmp(obstacle->name, name) == 0) return obstacle;
  return nullptr;
}

bool Obstacles::add(Obstacle* obstacle) noexcept {
  if (!all_.push(obstacle)) return false;
  obstacle->id = next_id_++;
  return true;
}

void Obstacles::remove(Obstacle* obstacle) noexcept {
  size_t to = 0;
  for (Obstacle* o : all_)
    if (o != obstacle) all_[to++] = o;
  all_.pop();
  delete obstacle;
}

bool Obstacles::reserve(size_t cells, uint32_t tiles) noexcept {
  if (in_tile_.empty() && !in_tile_.assign(tiles, 0)) return false;
  if (cells > free_layers_ && !layer_.reserve(layer_.size() + cells - free_layers_)) return false;
  size_t size = cover_.empty() ? 64 : cover_.size();
  while (size < 2 * (covered_ + cells)) size *= 2;
  if (size == cover_.size()) return true;
  Buffer<Cover> old;
  old.swap(cover_);
  if (!cover_.assign(size, Cover{})) {
    cover_.swap(old);
    return false;
  }
  for (const Cover& c : old)
    if (c.cell) cover_[place(static_cast<CellId>(c.cell - 1))] = c;
  return true;
}

uint8_t Obstacles::cover(CellId id, const Obstacle& obstacle, uint8_t terrain) noexcept {
  Cover& c = cover_[place(id)];
  if (!c.cell) {
    c = {uint64_t{id} + 1, kNoLayer, terrain};
    ++covered_;
    ++in_tile_[id >> 12];
  }
  uint32_t fresh = free_layer_;
  if (fresh == kNoLayer) {
    fresh = static_cast<uint32_t>(layer_.size());
    layer_.push({});  // room was reserved
  } else {
    free_layer_ = layer_[fresh].next;
    --free_layers_;
  }
  uint32_t* link = &c.first;
  while (*link != kNoLayer && layer_[*link].obstacle > obstacle.id) link = &layer_[*link].next;
  layer_[fresh] = {obstacle.id, *link, obstacle.terrain};
  *link = fresh;
  return layer_[c.first].terrain;
}

uint8_t Obstacles::uncover(CellId id, const Obstacle& obstacle) noexcept {
  const size_t at = place(id);
  Cover& c = cover_[at];
  uint32_t* link = &c.first;
  while (layer_[*link].obstacle != obstacle.id) link = &layer_[*link].next;
  const uint32_t gone = *link;
  *link = layer_[gone].next;
  layer_[gone].next = free_layer_;
  free_layer_ = gone;
  ++free_layers_;
  if (c.first != kNoLayer) return layer_[c.first].terrain;
  const uint8_t ground = c.ground;
  erase(at);
  --covered_;
  --in_tile_[id >> 12];
  return ground;
}

// Open addressing: what stands behind and would be missed moves up.
void Obstacles::erase(size_t at) noexcept {
  const size_t mask = cover_.size() - 1;
  size_t hole = at;
  for (size_t i = (at + 1) & mask; cover_[i].cell; i = (i + 1) & mask) {
    const size_t wanted = home(cover_[i].cell);
    if (((i - wanted) & mask) < ((i - hole) & mask)) continue;
    cover_[hole] = cover_[i];
    hole = i;
  }
  cover_[hole] = {};
}

}  // namespace octile
