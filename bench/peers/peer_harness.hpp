// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// What the C++ peers share: the command line, the map and its queries, the judging of answers, and
// the report.
//
//   peer_NAME MAP [SCEN] [--every N] [--passes N] [--patience SECONDS] [--no-cold]
//             [--format tsv|table|json]
//
// A peer is a class that searches, and one call of run_peer(). Maps and scenarios are read by
// Octile, so that all peers see the very grid that `octile bench` sees; timing is that of
// bench/timing.hpp. The first answer to each query, which is never a timed one, is walked step by
// step: a path through a wall, across a corner or from elsewhere has the cost NaN and so counts
// as wrong. One thread.
//
// Exit codes: 0 done, 1 some answers differ from the optimum, 2 bad usage or input, 3 the peer
// cannot serve this map (the reason is on stderr).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/timing.hpp"
#include "octile/octile.hpp"

namespace octile::peers {

// What is asked of a peer: a grid, and queries on it.
struct Task {
  View view;
  std::vector<ScenQuery> queries;
  std::vector<std::string> flags;  // those that the peer knows and the user gave

  bool has(const char* flag) const;
};

class Peer : public timing::Contestant {
 public:
  explicit Peer(const Task& task) : task_(task), verdicts_(task.queries.size(), Verdict::none) {}

  double build_ms() const override { return build_ms_; }
  timing::Answer answer(size_t query) final;

  // Something to say after the report, on stderr; empty: nothing.
  virtual std::string remark() const { return {}; }

 protected:
  // Finds a path and keeps it until the next search; `expanded` where the peer tells it.
  virtual bool search(Cell start, Cell goal, uint64_t& expanded) = 0;
  virtual size_t cells() const = 0;
  virtual double length() const = 0;
  // Does the path that was found keep the rules, from `start` to `goal`?
  virtual bool legal(Cell start, Cell goal) const = 0;
  // What the report compares with the optimum; the length, where the peer plays by the same rules.
  virtual double judged(size_t query, double length) {
    (void)query;
    return length;
  }

  const Task& task() const { return task_; }
  void set_build_ms(double ms) { build_ms_ = ms; }

 private:
  enum class Verdict : uint8_t { none, legal, illegal };

  const Task& task_;
  std::vector<Verdict> verdicts_;  // by query
  double build_ms_ = 0;
};

// A peer whose path is cells: one step from each to the next, no corner cutting.
class GridPeer : public Peer {
 public:
  using Peer::Peer;

 protected:
  size_t cells() const override { return path_.size(); }
  double length() const override;
  bool legal(Cell start, Cell goal) const override;

  std::vector<Cell> path_;  // written by search(), with start and goal
};

// Makes the peer; null with a reason when it cannot serve this map.
using MakePeer = std::function<std::unique_ptr<Peer>(const Task&, std::string& reason)>;

// main() of a peer. `flags` are the options of its own, none of which takes a value.
int run_peer(const char* program, int argc, char** argv, const std::vector<std::string>& flags,
             const MakePeer& make);

}  // namespace octile::peers
