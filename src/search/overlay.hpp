// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// What a query changes for itself, beside the View that all others read:
//
//   blocked cells   a patched Layer: the places whose unit would cover one are taken away
//   dearer cells    costs in a unit that fits both the View's and the extra ones, and a small hash
//                   table of the places that cost more
//   a way out       for a unit that stands where it cannot stand: the moves between the places
//                   round it that cover no blocked cell but those it covers already. They get moves
//                   in the patched Layer, but stay impassable, so that nothing leads back to them
//
// Solvers read Task::layer, Task::costs and Task::weight() and know nothing of this.

#include "world/world_view.hpp"

namespace octile {

class Overlay {
 public:
  struct Result {
    Status status = Status::found;
    const char* text = nullptr;  // null: that of the status
  };

  // Blocked and dearer cells. The world must outlive the overlay.
  Result begin(const WorldView& world, const Cell* blocked, size_t blocked_count,
               const ExtraCost* extra, size_t extra_count) noexcept;
  // After begin(): the way out from an impassable place of the map.
  Result escape(const WorldView& world, const Cell* blocked, size_t blocked_count,
                CellId start) noexcept;

  // False: the query changes nothing.
  bool active() const noexcept { return active_; }
  const Layer& layer() const noexcept { return patch_.layer(); }
  const LayerPatch& patch() const noexcept { return patch_; }
  const CellCosts& costs() const noexcept { return costs_; }
  bool dearer(CellId place) const noexcept { return known_ != 0 && find(place) != nullptr; }
  // In the units of costs(), which must not be uniform.
  Cost weight(const WorldView& world, CellId place) const noexcept {
    const Slot* slot = known_ ? find(place) : nullptr;
    return slot ? slot->weight : scale_ * world.weight(place);
  }
  Cost scale() const noexcept { return scale_; }

  size_t bytes() const noexcept {
    return patch_.bytes() + extra_.bytes() + blocked_.bytes() + slots_.bytes() + queue_.bytes();
  }

 private:
  struct Slot {
    CellId place;  // kNoCell: empty
    Cost weight;
  };
  struct Extra {
    CellId cell;
    Cost units;
  };

  bool block(const WorldView& world, Cell cell) noexcept;
  Result add_costs(const WorldView& world, const ExtraCost* extra, size_t count) noexcept;
  // What a cell costs with its extra; only of cells that are no walls.
  Cost cell_weight(const WorldView& world, CellId cell) const noexcept;
  const Slot* find(CellId place) const noexcept {
    const size_t mask = slots_.size() - 1;
    for (size_t i = hash(place) & mask;; i = (i + 1) & mask) {
      if (slots_[i].place == place) return &slots_[i];
      if (slots_[i].place == kNoCell) return nullptr;
    }
  }
  static size_t hash(CellId place) noexcept {
    return static_cast<size_t>((place * uint64_t{0x9e3779b97f4a7c15}) >> 32);
  }
  // The slot of a place, new ones with weight 0; null: memory is short.
  Slot* reach(CellId place) noexcept;

  LayerPatch patch_;
  CellCosts costs_;
  Cost scale_ = 1;          // what the View's weights are multiplied by
  Buffer<Extra> extra_;     // by cell, each once
  Buffer<CellId> blocked_;  // sorted, for escape()
  Buffer<Slot> slots_;
  size_t known_ = 0;  // slots that are taken
  Buffer<CellId> queue_;
  bool active_ = false;
};

}  // namespace octile
