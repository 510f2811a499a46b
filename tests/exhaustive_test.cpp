// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Every map of 4 x 4 cells, every pair of cells, every move rule and metric, every solver: status,
// cost and each step of the path against an oracle of this file, all-pairs distances by Floyd and
// Warshall over its own table of legal steps. The judge is one of the solvers, so the oracle and
// the judge check each other as well.
//
// The quick tier takes each 31st map; OCTILE_LONG=1 takes all 65,536 of them, which makes
// 65,536 maps x 256 pairs x 15 profiles x 7 solvers = 1.76e9 compared queries.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <thread>

#include "support.hpp"

namespace octile::test {
namespace {

constexpr int kSide = 4;
constexpr int kCells = kSide * kSide;
constexpr uint64_t kFar = UINT64_MAX / 4;

// The legal steps of one map under one rule: 0 none, 1 straight, 2 diagonal.
using Steps = std::array<std::array<uint8_t, kCells>, kCells>;
using Distances = std::array<std::array<uint64_t, kCells>, kCells>;

// Bit i of `walls` is cell i, row by row.
Steps steps_of(uint32_t walls, const Profile& p) {
  Steps steps{};
  const auto wall = [&](int x, int y) {
    return x < 0 || y < 0 || x >= kSide || y >= kSide || (walls >> (y * kSide + x) & 1) != 0;
  };
  for (int from = 0; from < kCells; ++from) {
    const int x = from % kSide, y = from / kSide;
    if (wall(x, y)) continue;
    for (int to = 0; to < kCells; ++to) {
      const int tx = to % kSide, ty = to / kSide;
      const int apart = std::abs(tx - x) + std::abs(ty - y);
      if (wall(tx, ty)) continue;
      if (apart == 1) steps[from][to] = 1;
      if (apart != 2 || tx == x || ty == y || p.moves == Moves::four) continue;
      const int walls_beside = wall(tx, y) + wall(x, ty);
      const bool legal = p.diagonal == Diagonal::always ||
                         (p.diagonal == Diagonal::at_most_one_obstacle && walls_beside < 2) ||
                         (p.diagonal == Diagonal::no_obstacles && walls_beside == 0);
      if (legal) steps[from][to] = 2;
    }
  }
  return steps;
}

// Integer lengths with the ratio 1 : sqrt(2) to 19 digits, 10 : 14, and 1 : 1.
struct Lengths {
  uint64_t straight, diagonal;
  double straight_cost, diagonal_cost;
};
Lengths lengths_of(const Profile& p) {
  if (p.moves == Moves::four || p.diagonal == Diagonal::never) return {1, 1, 1, 1};
  if (p.metric == Metric::ten_fourteen) return {10, 14, 10, 14};
  if (p.metric == Metric::chebyshev) return {1, 1, 1, 1};
  return {1311738121, 1855077841, 1, std::sqrt(2.0)};
}

Distances distances_of(const Steps& steps, const Lengths& length) {
  Distances d;
  for (int a = 0; a < kCells; ++a)
    for (int b = 0; b < kCells; ++b)
      d[a][b] = a == b             ? 0
                : steps[a][b] == 1 ? length.straight
                : steps[a][b] == 2 ? length.diagonal
                                   : kFar;
  for (int via = 0; via < kCells; ++via)
    for (int a = 0; a < kCells; ++a)
      for (int b = 0; b < kCells; ++b) d[a][b] = std::min(d[a][b], d[a][via] + d[via][b]);
  return d;
}

// One thread's share.
class Share {
 public:
  Share() : profiles_(all_profiles()), ids_(profiles_.size()) {
    Fault f = engine_.reset(Board(kSide, kSide).def);
    for (size_t i = 0; i < profiles_.size() && !f; ++i)
      f = engine_.add_profile(profiles_[i], &ids_[i]);
    if (f) problem = f.text;
  }

  // `chebyshev`: that metric as well.
  void take(uint32_t walls, bool chebyshev) {
    for (int i = 0; i < kCells; ++i)
      engine_.map().set_terrain({i % kSide, i / kSide}, walls >> i & 1 ? '@' : '.');
    if (const Fault f = engine_.commit()) problem = f.text;
    for (size_t i = 0; i < profiles_.size() && problem.empty(); ++i) {
      if (profiles_[i].metric == Metric::chebyshev && !chebyshev) continue;
      const Steps steps = steps_of(walls, profiles_[i]);
      compare(walls, profiles_[i], engine_.view(ids_[i]), steps);
    }
  }

  uint64_t compared = 0;
  uint64_t found = 0;
  std::string problem;

 private:
  void compare(uint32_t walls, const Profile& profile, const View& view, const Steps& steps) {
    const Lengths length = lengths_of(profile);
    const Distances distance = distances_of(steps, length);
    const int solvers = solver_count();
    for (int pair = 0; pair < kCells * kCells; ++pair) {
      const int start = pair / kCells, goal = pair % kCells;
      const bool start_wall = walls >> start & 1, goal_wall = walls >> goal & 1;
      const Status status = start_wall                      ? Status::start_blocked
                            : goal_wall                     ? Status::goal_blocked
                            : distance[start][goal] >= kFar ? Status::no_path
                                                            : Status::found;
      Query q;
      q.start = {start % kSide, start / kSide};
      q.goal = {goal % kSide, goal / kSide};
      for (SolverId s = 0; s < solvers; ++s) {
        q.solver = s;
        find(searcher_, view, q, path_);
        ++compared;
        if (path_.status == status &&
            (status != Status::found || good(steps, length, start, goal, distance[start][goal]))) {
          found += status == Status::found;
          continue;
        }
        Board board(kSide, kSide);
        for (int i = 0; i < kCells; ++i)
          if (walls >> i & 1) board.terrain[size_t(i)] = '@';
        problem = std::string(solver_info(s).name) + " " + name_of(profile) + " " + shown(q) +
                  ": " + name(path_.status) + ", cost units " + std::to_string(path_.cost_units) +
                  "; the oracle says " + name(status) + ", " +
                  std::to_string(distance[start][goal]) + "\n" + picture(board, &path_);
        return;
      }
    }
  }

  bool good(const Steps& steps, const Lengths& length, int start, int goal,
            uint64_t distance) const {
    const size_t n = path_.size();
    if (n == 0 || n > kCells || path_.cost_units != distance) return false;
    int at = -1;
    uint64_t straight = 0, diagonal = 0;
    for (size_t i = 0; i < n; ++i) {
      const Cell c = path_.cells()[i];
      if (c.x < 0 || c.y < 0 || c.x >= kSide || c.y >= kSide) return false;
      const int to = c.y * kSide + c.x;
      if (i == 0) {
        if (to != start) return false;
      } else {
        const uint8_t step = steps[at][to];
        if (step == 0) return false;
        straight += step == 1;
        diagonal += step == 2;
      }
      at = to;
    }
    const double cost =
        double(straight) * length.straight_cost + double(diagonal) * length.diagonal_cost;
    return at == goal && straight * length.straight + diagonal * length.diagonal == distance &&
           std::fabs(cost - path_.cost) < 1e-9;
  }

  std::vector<Profile> profiles_;
  std::vector<ProfileId> ids_;
  Engine engine_;
  Searcher searcher_;
  Path path_;
};

TEST(Exhaustive, every_small_map_every_pair_every_rule_every_solver) {
  constexpr uint32_t kMaps = 1u << kCells;
  const uint32_t stride = long_run() ? 1 : sampled() ? 31 * 32 : 31;
  constexpr int kThreads = 2;
  Share shares[kThreads];
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      Share& share = shares[t];
      for (uint32_t i = uint32_t(t); i * stride < kMaps && share.problem.empty(); i += kThreads)
        share.take(i * stride, long_run() || i / kThreads % 4 == 0);
    });
  }
  for (std::thread& t : threads) t.join();
  uint64_t compared = 0, found = 0;
  for (const Share& share : shares) {
    EXPECT_EQ(share.problem, "");
    compared += share.compared;
    found += share.found;
  }
  std::printf("compared %llu queries, %llu of them with a path\n", (unsigned long long)compared,
              (unsigned long long)found);
  EXPECT_GT(found, compared / 20);
  EXPECT_GT(compared, sampled() ? 1'000'000u : 10'000'000u);
  if (long_run()) {
    EXPECT_EQ(compared, uint64_t{kMaps} * 256 * 15 * uint64_t(solver_count()));
  }
}

// The oracle itself must be able to say no.
TEST(Exhaustive, the_oracle_knows_the_rules) {
  // @ .
  // . @   in the corner of a map of walls: a squeeze between two touching walls.
  const uint32_t walls = 0xffff & ~(1u << 1 | 1u << 4);
  for (const Diagonal diagonal : {Diagonal::always, Diagonal::at_most_one_obstacle,
                                  Diagonal::no_obstacles, Diagonal::never}) {
    const Steps steps = steps_of(walls, profile_of(Moves::eight, diagonal));
    EXPECT_EQ(steps[1][4], diagonal == Diagonal::always ? 2 : 0);
  }
  const Steps one = steps_of(0xffff & ~(1u | 1u << 1 | 1u << 5),
                             profile_of(Moves::eight, Diagonal::at_most_one_obstacle));
  EXPECT_EQ(one[0][5], 2);
  const Profile octile = profile_of(Moves::eight);
  const Distances open = distances_of(steps_of(0, octile), lengths_of(octile));
  EXPECT_EQ(open[0][15], uint64_t{3} * 1855077841);
  EXPECT_EQ(open[0][7], 1855077841 + uint64_t{2} * 1311738121);
}

}  // namespace
}  // namespace octile::test
