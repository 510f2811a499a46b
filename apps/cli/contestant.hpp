// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// A solver of Octile as bench/timing.hpp wants it: queries answered by number, the whole path as
// cells.

#include <string>
#include <utility>
#include <vector>

#include "bench/timing.hpp"
#include "indexes.hpp"
#include "octile/octile.hpp"

namespace octile::cli {

class SolverContestant final : public timing::Contestant {
 public:
  SolverContestant(IndexedView view, SolverId solver, std::vector<Query> queries)
      : view_(std::move(view)), solver_(solver), queries_(std::move(queries)) {
    for (Query& query : queries_) query.solver = solver;
  }
  std::string name() const override { return solver_info(solver_).name; }
  double build_ms() const override { return view_.build_ms; }
  size_t index_bytes() const override { return view_.index_bytes; }
  SolverId solver() const { return solver_; }
  const Path& path() const { return path_; }

  timing::Answer answer(size_t query) override {
    find(searcher_, view_.view, queries_[query], path_);
    return {path_.status == Status::found, path_.cost, path_.expanded, path_.size()};
  }

 private:
  IndexedView view_;
  SolverId solver_;
  std::vector<Query> queries_;
  Searcher searcher_;
  Path path_;
};

// The costs alone, by octile::distance, which no solver of the table is.
class DistanceContestant final : public timing::Contestant {
 public:
  DistanceContestant(IndexedView view, const std::vector<Query>& queries)
      : view_(std::move(view)), queries_(queries) {}
  std::string name() const override { return "distance"; }
  double build_ms() const override { return view_.build_ms; }
  size_t index_bytes() const override { return view_.index_bytes; }

  timing::Answer answer(size_t query) override {
    const double cost =
        distance(searcher_, view_.view, queries_[query].start, queries_[query].goal);
    return {cost < kWall, cost, 0, 0};
  }

 private:
  IndexedView view_;
  std::vector<Query> queries_;
  Searcher searcher_;
};

// Takes those out of `contestants` that would need more than `limit_seconds`, and says so on
// stderr. Only slow solvers that the user has not named are asked about.
void leave_out_slow(std::vector<SolverContestant>& contestants, size_t queries,
                    const timing::Options& options, double limit_seconds);

}  // namespace octile::cli
