// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// How path finders are timed. One place, used by `octile bench` and by every peer program, so that
// all figures mean the same:
//
//   - A query's answer is the whole path, written as cells.
//   - The clock is the CPU time of the calling thread. It is a system call of about a third of a
//     microsecond, so single short queries are never timed on their own.
//   - The order of the queries is shuffled by a fixed seed: neighbours in a scenario file would
//     otherwise share cache lines.
//   - mean_us: a whole pass over all queries, divided by their number; best of at least three
//     passes. Passes of several contestants take turns, so that a slow minute of the machine hits
//     all of them.
//   - median, p99 and max: each query repeated until 50 us have passed, then the mean of those.
//   - cold_query_us: caches flushed by walking a large buffer before every query (a sample), the
//     cost of the clock subtracted.
//   - cold_pass_us: caches flushed once, then one pass.
//
// The first pass is a warm-up that counts: wrong answers, expansions, cells.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace octile::timing {

// CPU time of this thread in microseconds.
double thread_cpu_us();

struct Answer {
  bool found = false;
  double cost = 0;        // straight steps
  uint64_t expanded = 0;  // nodes taken from the open list
  size_t cells = 0;       // cells written
};

// One path finder with its queries, ready to answer number 0 .. n - 1.
class Contestant {
 public:
  virtual ~Contestant() = default;
  virtual std::string name() const = 0;
  virtual double build_ms() const { return 0; }
  virtual size_t index_bytes() const { return 0; }
  virtual Answer answer(size_t query) = 0;
};

// What a pass costs, measured; the columns of every report.
struct Row {
  std::string solver;
  std::string map;
  size_t queries = 0;
  double build_ms = 0;
  size_t index_bytes = 0;
  double mean_us = 0;
  double median_us = 0;
  double p99_us = 0;
  double max_us = 0;
  double cold_query_us = 0;
  double cold_pass_us = 0;
  double expanded_mean = 0;
  double cells_mean = 0;
  size_t wrong = 0;
};

struct Options {
  std::string map;                       // name for the report
  uint64_t seed = 1;                     // of the shuffle
  int min_passes = 3;                    // at least this many
  int max_passes = 24;                   // more than min_passes only while
  double pass_budget_us = 4e5;           // the passes of one contestant took less than this
  bool percentiles = true;               // false: leaves median, p99 and max at 0
  double repeat_us = 50;                 // per query, for the percentiles
  size_t cold_queries = 50;              // how many are asked with cold caches
  bool cold = true;                      // false: leaves the two cold columns at 0
  std::function<void(double)> progress;  // done so far, 0 to 1
};

// True when `cost` is the published `optimum`: those are rounded, some were summed in floats.
bool same_as_published(double cost, double optimum);

// Times all contestants on the same queries. optima[i] belongs to query i; a negative optimum is
// not known and never counts as wrong, infinity means that there is no path.
std::vector<Row> measure(const std::vector<Contestant*>& contestants,
                         const std::vector<double>& optima, const Options& options);

// A guess of the seconds that measure() takes for one contestant, from a few of its queries. Stops
// asking as soon as the guess must exceed `limit_seconds`.
double estimate_seconds(Contestant& contestant, size_t queries, const Options& options,
                        double limit_seconds);

// The report: a header line and tab-separated lines; a table for people; a JSON array.
std::string tsv_header();
std::string tsv_line(const Row& row);
std::string table(const std::vector<Row>& rows);
std::string json(const std::vector<Row>& rows);

}  // namespace octile::timing
