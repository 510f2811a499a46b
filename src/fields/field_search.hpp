// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Dijkstra's algorithm from the goals backwards, over all cells that are wanted.
//
// Uniform maps without corner cutting: runs. By the canonical order (canonical.hpp) a cell that was
// entered straight goes straight on and does nothing else, unless a wall ends there; a diagonal
// sends two straight runs aside from every cell. So what waits in a bucket are not cells but runs:
// a place and a direction. Buckets are many steps wide, and a run goes on to the end of its bucket
// or to the next turn, with nothing to guess on the way. Cells that two runs reach within a bucket
// may be written more than once; when the bucket has been gone through, all within it is final. One
// word a cell holds
//
//   distance << 8 | directions of arrival, a bit each
//
// and a run ends where another one came nearer, or as near by the same direction.
//
// Uniform maps else: cell by cell. Buckets are one straight step wide, so nothing in a bucket can
// shorten the way of anything else in it: when its turn comes, all its distances are final, and it
// is a list to be gone through in any order (Denardo and Fox 1979). A diagonal is shorter than two
// straight steps, so three lists are all there is. Where scattered walls leave no long runs, a cell
// hands on only the moves of the canonical order, for all directions of arrival at once. Four-way
// maps come out as breadth-first search.
//
// Weights. Buckets of the largest power of two that no step is shorter than, for the same reason
// (Dial 1969); a radix heap where the dearest step spans too many of them or goals have offsets.
// With free steps: the order of (distance, steps), by a heap, so that every cell has a next one
// that lies lower.

#include "fields/field_table.hpp"
#include "octile/detail/heap.hpp"
#include "search/open_list.hpp"
#include "search/overlay.hpp"

namespace octile {

struct FieldRequest {
  const WorldView* world = nullptr;
  const FieldSeed* seeds = nullptr;  // passable places, each once
  size_t seed_count = 0;
  double max_cost = kWall;
  const uint32_t* stops = nullptr;  // places
  size_t stop_count = 0;
  bool plain = false;  // all moves of every cell and a bucket for each distance, to compare with
  // Cells that cost more, and nothing else (moves are those of read_moves()); null: none do.
  const Overlay* dearer = nullptr;

  const CellCosts& costs() const noexcept { return dearer ? dearer->costs() : world->costs; }
  // Where costs() are not uniform, or `plain`.
  Cost weight(CellId id) const noexcept {
    return dearer ? dearer->weight(*world, id) : world->weight(id);
  }
};

class FieldSearch {
 public:
  // To be called before run() for another state of the map; `table` has its shape. False: memory is
  // short.
  bool read_moves(const WorldView& world, const FieldTable& table) noexcept;
  const uint8_t* moves() const noexcept { return moves_.data(); }  // by place
  // Sets all of `table`, which has its shape. Status::found, out_of_memory, cost_overflow.
  Status run(const FieldRequest& request, FieldTable* table) noexcept;
  size_t bytes() const noexcept {
    return moves_.bytes() + narrow_.bytes() + wide_.bytes() + settled_.bytes() +
           successors_.bytes() + list_[0].bytes() + list_[1].bytes() + list_[2].bytes() +
           runs_[0].bytes() + runs_[1].bytes() + stops_.bytes() + seeds_.bytes() + dial_.bytes() +
           radix_.bytes() + heap_.bytes();
  }

 private:
  enum class Outcome : uint8_t { done, too_far, out_of_memory };
  struct Rank {
    Cost distance;
    uint32_t hops;
    bool operator<(const Rank& other) const noexcept {
      return distance != other.distance ? distance < other.distance : hops < other.hops;
    }
  };

  // Whoever stands on `place` goes on as one who came by `direction`; 8: in all.
  struct Run {
    uint32_t place, direction;
  };

  bool make_successors() noexcept;
  template <class State>
  Outcome by_runs(const FieldRequest& request, FieldTable* table, Buffer<State>* states) noexcept;
  Status run_uniform(const FieldRequest& request, FieldTable* table) noexcept;
  template <class State>
  bool stops_beyond(const State* state, Cost low) noexcept;
  template <class State>
  Outcome keep(const State* state, Cost farthest, bool all, FieldTable* table) noexcept;
  template <class State, bool kCanonical>
  Outcome uniform(const FieldRequest& request, FieldTable* table, Buffer<State>* states) noexcept;
  // *stops: how many places the search must come to before it may end.
  bool prepare_distances(const FieldRequest& request, const FieldTable& table,
                         size_t* stops) noexcept;
  template <class Queue>
  Status weighted(const FieldRequest& request, uint32_t shift, FieldTable* table,
                  Queue& queue) noexcept;
  Status free_steps(const FieldRequest& request, FieldTable* table) noexcept;
  Status finish(Cost farthest, Cost limit, FieldTable* table) noexcept;

  Buffer<uint8_t> moves_;       // by place
  bool long_runs_ = false;      // see by_runs()
  Buffer<uint32_t> narrow_;     // by place, of uniform(): see above
  Buffer<uint64_t> wide_;       // the same, or distances
  Buffer<uint8_t> settled_;     // by place
  Buffer<uint8_t> successors_;  // by directions of arrival << 8 | moves
  Buffer<uint32_t> list_[3];
  Buffer<Run> runs_[2];
  Buffer<uint32_t> stops_;   // that are not reached yet
  Buffer<FieldSeed> seeds_;  // by offset
  Buckets<uint32_t, 8192> dial_;
  RadixHeap radix_;
  detail::Heap<Rank> heap_;
};

// The largest sum of a way of at most this cost, in these lengths.
Cost field_limit(double max_cost, const CellCosts& costs, StepCosts steps) noexcept;

}  // namespace octile
