// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Obstacles over the ground. A covered cell remembers its ground and a chain of the obstacles that
// lie on it, the last added first: that one shows.
//
//   covers    hash table, CellId -> ground, first layer       16 bytes a covered cell, and slack
//   layers    obstacle, terrain, next layer                   12 bytes a cell of an obstacle
//
// Maps without obstacles pay one comparison a tile that is edited.

#include "world/tiles.hpp"

namespace octile {

constexpr uint32_t kNoLayer = 0xffffffff;

struct Obstacle {
  static constexpr size_t kMostName = 31;

  ObstacleId id = 0;
  uint8_t terrain = 0;
  bool present = false;
  char name[kMostName + 1] = {};
  Buffer<CellId> cells;  // sorted, each once
};

class Obstacles {
 public:
  Obstacles() noexcept = default;
  ~Obstacles() {
    for (Obstacle* obstacle : all_) delete obstacle;
  }
  Obstacles(const Obstacles&) = delete;
  Obstacles& operator=(const Obstacles&) = delete;

  Obstacle* find(ObstacleId id) const noexcept;  // null when there is none
  Obstacle* find(const char* name) const noexcept;
  ObstacleId next_id() const noexcept { return next_id_; }
  bool full() const noexcept { return next_id_ == 0; }

  // Takes the obstacle over; it gets the next id. False: memory is short.
  bool add(Obstacle* obstacle) noexcept;
  void remove(Obstacle* obstacle) noexcept;
  // As if the obstacle had never been added, which must have been the last.
  void take_back(Obstacle* obstacle) noexcept {
    next_id_ = obstacle->id;
    remove(obstacle);
  }

  // Room for `cells` more covered cells; false: memory is short. cover() does not fail after it.
  bool reserve(size_t cells, uint32_t tiles) noexcept;
  // Puts a layer on a cell that shows `terrain` at present; gives what shows then.
  uint8_t cover(CellId id, const Obstacle& obstacle, uint8_t terrain) noexcept;
  // Takes the obstacle's layer off a cell that it covers; gives what shows then.
  uint8_t uncover(CellId id, const Obstacle& obstacle) noexcept;

  bool any_in(uint32_t tile) const noexcept { return !in_tile_.empty() && in_tile_[tile] != 0; }
  // The ground below obstacles; null where there are none.
  uint8_t* ground(CellId id) noexcept {
    return any_in(id >> 12) && cover_[place(id)].cell ? &cover_[place(id)].ground : nullptr;
  }
  const uint8_t* ground(CellId id) const noexcept {
    return const_cast<Obstacles*>(this)->ground(id);
  }

 private:
  struct Cover {
    uint64_t cell;   // id + 1; 0: empty
    uint32_t first;  // layer
    uint8_t ground;
  };
  struct Layer {
    ObstacleId obstacle;
    uint32_t next;
    uint8_t terrain;
  };
  size_t home(uint64_t cell) const noexcept {
    return (cell * 0x9e3779b97f4a7c15 >> 32) & (cover_.size() - 1);
  }
  // Of the cell, or of the empty place where it belongs.
  size_t place(CellId id) const noexcept {
    size_t at = home(uint64_t{id} + 1);
    while (cover_[at].cell && cover_[at].cell != uint64_t{id} + 1)
      at = (at + 1) & (cover_.size() - 1);
    return at;
  }
  void erase(size_t at) noexcept;

  Buffer<Obstacle*> all_;  // by id
  ObstacleId next_id_ = 1;
  Buffer<Cover> cover_;  // a power of two
  size_t covered_ = 0;
  Buffer<Layer> layer_;
  uint32_t free_layer_ = kNoLayer;
  size_t free_layers_ = 0;
  Buffer<uint32_t> in_tile_;  // covered cells by tile
};

}  // namespace octile
