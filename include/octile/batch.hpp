// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Batches: many queries in one call.
//
//   Batch batch;                              searchers and fields, kept for the next call
//   batch.run(view, queries, count, options, paths);
//
// Queries that share a goal are answered from one field (fields.hpp), and on uniform maps those
// that share a start from one field of that start; all others by find(). Which it is, is told by
// counts and the View alone. The answers are a pure function of the View and the list of queries:
// never of the number of threads, nor of what the cache holds. Among paths of the same cost a field
// may give another one than find().
//
// Source: Dial 1969 for the fields. docs/units.md.

#include "octile/octile.hpp"

namespace octile {

// How a batch is run.
struct BatchOptions {
  unsigned threads = 1;  // 1 to 64
  // Fields of this many bytes at most are kept for the next call, those asked for last. They are
  // used again for the same View, and repaired for later ones where few distances change.
  size_t cache_bytes = 0;
};

// How the queries of a batch were answered.
struct BatchCounts {
  size_t by_field = 0;      // queries answered from a field
  size_t fields_built = 0;  // for this call
  size_t fields_kept = 0;   // taken from the cache, repaired where they had to be
  size_t by_search = 0;     // queries answered by find()
};

// Of one thread at a time.
class OCTILE_API Batch {
 public:
  Batch() noexcept = default;
  ~Batch();
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  // Answers queries[i] in paths[i]. With max_expansions, traces, slices or anything else that is
  // asked beyond one start and one goal, a query goes to find(). Faults: bad_argument (null arrays,
  // threads out of range), out_of_memory, when paths hold nothing of use; what a single query meets
  // is in its Path.
  Fault run(const View& view, const Query* queries, size_t count, const BatchOptions& options,
            Path* paths, BatchCounts* counts = nullptr) noexcept;
  // Forgets all fields.
  void clear() noexcept;
  size_t memory_bytes() const noexcept;

 private:
  struct Impl;
  Impl* impl_ = nullptr;
};

}  // namespace octile
