// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Brings the distances of a field to another state of the map, where few of them change: from the
// places whose moves, or whose neighbours' weights, are not what they were.
//
// 1. Raise. In the order of their distances, places that no longer have a neighbour to be reached
//    over, all those before them being settled, lose their distance; whoever was reached over them
//    is looked at too.
// 2. Lower. Dijkstra's algorithm from all that have lost theirs, or are offered a shorter one, over
//    whatever comes nearer by it.
//
// Every step must cost something: then a place can only be reached over places that are nearer
// (Ramalingam and Reps 1996). Where many places change, a search of the whole map is faster.

#include "fields/field_table.hpp"
#include "search/open_list.hpp"

namespace octile {

class FieldRepair {
 public:
  enum class End : uint8_t { held, repaired, given_up };

  // `table` is right for `before`, and did not end at stops; `seeds` by place. Both are on the same
  // ground, with costs in the same units. Given up (too much changes, or memory is short): `table`
  // is as it was.
  End run(const WorldView& before, const WorldView& now, const FieldSeed* seeds, size_t seed_count,
          FieldTable* table) noexcept;
  size_t bytes() const noexcept { return suspects_.bytes() + log_.bytes() + queue_.bytes(); }

 private:
  struct Change {
    uint32_t place;
    uint64_t before;
  };

  bool find_suspects(const WorldView& before) noexcept;
  bool suspect(uint32_t px, uint32_t py) noexcept;
  uint64_t offered(uint32_t place) const noexcept;
  uint64_t step(uint32_t to, uint32_t direction) const noexcept;
  bool change(uint32_t place, uint64_t distance) noexcept;
  bool raise() noexcept;
  bool lower() noexcept;

  const WorldView* now_ = nullptr;
  const FieldSeed* seeds_ = nullptr;
  size_t seed_count_ = 0;
  FieldTable* table_ = nullptr;
  size_t most_ = 0;    // changes
  uint64_t last_ = 0;  // the largest distance that the table can hold
  Buffer<uint32_t> suspects_;
  Buffer<Change> log_;
  RadixHeap queue_;
};

}  // namespace octile
