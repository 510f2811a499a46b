// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Large neighbourhood search: again and again the ways of a few agents are taken out of a plan and
// planned anew among all others; what lowers the sum of costs (or leaves it as it is) stays (Li,
// Chen, Harabor, Stuckey and Koenig 2021).
//
//   way of an agent    the vertices tick by tick, until it is at its goal for good
//   visits of a vertex who is on it from which tick to which, sorted by time; between visits lie
//   its
//                      safe intervals
//
// One agent is planned by SIPP (Phillips and Likhachev 2011): A* on pairs of a vertex and one of
// its safe intervals, each entered as early as possible. Its estimate comes from the goal's table.
//
// Which agents: by turns that are paid by their success, those in the way of one that is late,
// those near one place, or any. Work is counted in rounds; the random numbers come from the seed.

#include "agents/goal_tables.hpp"
#include "agents/lacam.hpp"

namespace octile {

class Refiner {
 public:
  Refiner() noexcept = default;
  ~Refiner();
  Refiner(const Refiner&) = delete;
  Refiner& operator=(const Refiner&) = delete;

  // `table[i]` is of the agent's goal, `shortest[i]` its way without the others. The arrays must
  // live as long as this. False: memory is short.
  bool begin(const AgentGraph& graph, GoalTables& tables, const uint32_t* table,
             const uint64_t* shortest, size_t agents, uint64_t seed) noexcept;
  // One row of the plan after the other.
  bool add_row(const Vertex* row) noexcept;
  bool finish_rows() noexcept;

  SearchEnd run(Limits& limits) noexcept;

  uint64_t sum_of_costs() const noexcept { return sum_; }
  uint64_t rounds() const noexcept { return rounds_; }
  uint64_t improved() const noexcept { return improved_; }
  size_t rows() const noexcept;
  Vertex at(uint32_t agent, uint64_t tick) const noexcept {
    const Buffer<Vertex>& way = ways_[agent];
    return tick < way.size() ? way[tick] : way[way.size() - 1];
  }
  size_t bytes() const noexcept;

 private:
  static constexpr uint32_t kNone = 0xffffffff;
  static constexpr uint32_t kForever = 0xffffffff;
  // Chosen on generated maps: docs/plans.md.
  static constexpr size_t kMostNodes = 20000;  // of one agent's search
  static constexpr size_t kMostAgents = 24;    // planned anew in a round of the sweeps
  static constexpr uint32_t kMostDrawn = 8;    // in one of those after them, at least 2
  static constexpr uint32_t kSweeps = 2;       // over all agents
  static constexpr uint64_t kFirstGreed = 12;  // in the first of them
  static constexpr uint64_t kLaterGreed = 2;   // after it: none, once or twice that

  struct Visit {
    uint32_t begin;
    uint32_t end;  // inclusive
    uint32_t agent;
  };
  // Of one vertex.
  struct Visits {
    Visit* data;
    uint32_t size;
    uint32_t capacity;

    // The place of the first one that ends at that tick or later.
    uint32_t after(uint32_t tick) const noexcept {
      uint32_t low = 0, high = size;
      while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (data[middle].end < tick) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  };
  // A vertex in one of its safe intervals.
  struct Node {
    Vertex vertex;
    uint32_t tick;   // of arrival
    uint32_t first;  // of the interval
    uint32_t last;
    uint32_t closer;  // who comes after the interval
    uint32_t left;    // steps to the goal
    uint32_t parent;
    uint32_t next;  // in its bucket
  };
  struct Seen {
    Vertex vertex;
    uint32_t first;
    uint32_t stamp;
    uint32_t tick;
  };

  uint64_t cost(uint32_t agent) const noexcept { return ways_[agent].size() - 1; }
  uint64_t delay(uint32_t agent) const noexcept { return cost(agent) - shortest_[agent]; }
  bool add_way(uint32_t agent) noexcept;
  void remove_way(uint32_t agent) noexcept;
  // Plans one agent among all that have ways, with a cost of at most `most`; 1 done, 0 there is no
  // such way, -1 memory is short.
  int plan(uint32_t agent, uint64_t most) noexcept;
  int expand(uint32_t agent, uint32_t node, uint64_t most) noexcept;
  int reach(const Node& node, uint64_t most) noexcept;
  bool crosses(Vertex from, Vertex to, uint32_t k, uint32_t arrival) const noexcept;
  uint32_t occupant(Vertex v, uint32_t tick) const noexcept;

  void choose(uint32_t how, size_t count) noexcept;
  void choose_one(uint32_t agent) noexcept;
  void choose_visitors(uint32_t agent, size_t count) noexcept;
  uint32_t late_agent() noexcept;

  const AgentGraph* graph_ = nullptr;
  GoalTables* tables_ = nullptr;
  const uint32_t* table_ = nullptr;
  const uint64_t* shortest_ = nullptr;
  size_t agents_ = 0;
  AgentRandom random_;
  Buffer<Vertex>* ways_ = nullptr;
  Buffer<Visits> visits_;  // by vertex
  size_t visit_bytes_ = 0;

  Buffer<Node> nodes_;
  Buffer<uint32_t> buckets_;  // by f above the least
  Buffer<Seen> seen_;
  uint64_t goal_free_ = 0;  // from then on for good
  uint64_t least_ = 0;      // f of the first bucket
  size_t lowest_ = 0;       // no bucket before it holds anything
  uint64_t greed_ = 0;      // eighths of the estimate that are added to it
  uint32_t stamp_ = 0;
  size_t seen_count_ = 0;

  uint32_t chosen_[kMostAgents] = {};
  size_t chosen_count_ = 0;
  Buffer<uint32_t> chosen_stamp_;  // by agent
  uint32_t round_stamp_ = 0;
  Buffer<Vertex> old_[kMostAgents];
  Buffer<uint32_t> late_;  // agents in the order of the first sweep
  static constexpr uint64_t kWorth = 1000;
  uint64_t worth_[3] = {kWorth, kWorth, kWorth};  // of each way to choose, by its gains
  uint64_t sum_ = 0;
  uint64_t rounds_ = 0;
  uint64_t improved_ = 0;
};

}  // namespace octile
