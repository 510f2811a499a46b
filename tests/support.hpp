// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// What the engine's tests share.
//
//   Board   the map as the tests see it: plain arrays, drawn in text or made at random
//   Rules   a Board as one Profile walks it: legal steps and their costs, written from the
//           documentation of the public face, with no code of the engine
//   World   a Board inside an Engine, with the View of one Profile
//
// compare_solvers() asks every solver of the table and holds the answers against the judge and the
// Rules. Costs and legality are compared, never the path itself: ties are legal.
//
// Effort: OCTILE_LONG=1 asks for the whole of what the label `quick` samples. Under sanitizers, and
// with OCTILE_SAMPLE=1, which `./check --quick` sets, the tests take a sample of what they sweep.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "octile/octile.hpp"

namespace octile::test {

// ---------------------------------------------------------------------------------------------
// Effort

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
#else
constexpr bool kSanitized = false;
#endif

bool long_run();
bool sampled();
// n, or about an eighth of it when sampled(); at least 1.
int effort(int n);

// ---------------------------------------------------------------------------------------------
// Random numbers: the same on every platform

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  int below(int n) { return static_cast<int>((next() >> 32) * static_cast<uint64_t>(n) >> 32); }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool percent(int p) { return below(100) < p; }

 private:
  uint64_t state_;
};

// ---------------------------------------------------------------------------------------------
// Boards

using Rows = std::vector<std::string>;

struct Board {
  MapDef def;
  std::vector<uint8_t> terrain;
  std::vector<uint16_t> weight;  // empty without MapDef::weights

  Board() = default;
  Board(int width, int height, char fill = '.');
  explicit Board(const Rows& rows);
  // Gives the board map weights, all 1.
  void add_weights(double scale);

  int width() const { return def.width; }
  int height() const { return def.height; }
  size_t size() const { return terrain.size(); }
  bool contains(Cell c) const;
  size_t index(Cell c) const;
  Cell cell(size_t index) const;
  uint8_t& at(Cell c) { return terrain[index(c)]; }
  uint8_t at(Cell c) const { return terrain[index(c)]; }
  Cell random_cell(Random& random) const;
};

// `percent` of the cells are walls.
Board random_board(Random& random, int width, int height, int percent);
// Corridors and walls of one cell, every second column open from above or below.
Board comb_board(int width, int height);
Board spiral_board(int width, int height);
// A maze whose corridors are one cell wide, with some walls taken out again.
Board one_wide_board(Random& random, int width, int height, int holes);
Board rooms_board(Random& random, int width, int height, int room);
Board checker_board(int width, int height);
// Some of the free cells become digits of `digits`.
void sprinkle(Random& random, Board& board, const char* digits, int percent);
// Map weights from 0 (only when `zero`) or 1 to `most`.
void random_weights(Random& random, Board& board, double scale, int most, bool zero);
// One of the eight symmetries of the square: bit 0 mirrors x, bit 1 mirrors y, bit 2 swaps them.
Board turned(const Board& board, int symmetry);
Cell turned(const Board& board, Cell cell, int symmetry);

// The board with the cells of a path marked '*', as rows of text.
std::string picture(const Board& board, const Path* path = nullptr);

// ---------------------------------------------------------------------------------------------
// Rules

class Rules {
 public:
  Rules(const Board& board, const Profile& profile) : board_(board), profile_(profile) {}
  const Board& board() const { return board_; }
  const Profile& profile() const { return profile_; }

  // Of Query: added to the factors of the board's cells, by index; and escape_start. Blocked cells
  // are walls of the board.
  const std::vector<double>* extra = nullptr;
  bool escape = false;

  bool four() const {
    return profile_.moves == Moves::four || profile_.diagonal == Diagonal::never;
  }
  double cell_factor(Cell c) const;  // kWall for walls and outside
  // Of places: the dearest cell under the unit; kWall where it does not fit.
  double factor(Cell place) const;
  bool free(Cell place) const { return factor(place) != kWall; }
  bool covers(Cell place, Cell cell) const;
  // With escape: the cells that are blocked under `to` are covered at `from` already.
  bool may_enter(Cell from, Cell to) const;
  // What entering costs then: the dearest cell that is not blocked, or the cheapest of the board.
  double entry(Cell place) const;
  bool may_step(Cell from, int dx, int dy) const;
  double length(int dx, int dy) const;
  // The legal moves as View::moves has them.
  uint8_t moves(Cell c) const;
  // Empty-grid distance in real numbers, weights ignored.
  double distance(Cell a, Cell b) const;
  // Cost of the cheapest way from `start` to every cell; kWall where none leads.
  std::vector<double> distances(Cell start) const;
  // What the line between two centres meets, found cell by cell.
  bool line_of_sight(Cell a, Cell b) const;

 private:
  const Board& board_;
  const Profile& profile_;
};

struct Walk {
  std::string wrong;  // empty when every step is legal
  double cost = 0;
};
// Goes a path of single steps.
Walk walk(const Rules& rules, const std::vector<Cell>& cells);
// All the cells of a path of waypoints; empty when a leg is neither straight nor diagonal.
std::vector<Cell> filled_in(const Path& path);
std::vector<Cell> cells_of(const Path& path);

// ---------------------------------------------------------------------------------------------
// Engines

// Who walks, with the digits as weights.
Profile profile_of(Moves moves, Diagonal diagonal = Diagonal::no_obstacles,
                   Metric metric = Metric::octile);
// The five move rules under the three metrics; four-way steps cost 1 under each.
std::vector<Profile> all_profiles();
std::string name_of(const Profile& profile);

// Puts the board into an engine; the caller commits.
Fault load(const Board& board, Engine& engine);

struct World {
  Board board;
  Profile profile;
  Engine engine;
  ProfileId id = 0;
  View view;

  World(const Board& b, const Profile& p);
  explicit World(const Rows& rows, const Profile& p = Profile()) : World(Board(rows), p) {}
  Rules rules() const { return Rules(board, profile); }
  void commit();
};

Query query_of(Cell start, Cell goal, const char* solver = "auto");
// Asks with a Searcher of the thread.
Path ask(const View& view, const Query& query);
// Of everything in the answer that must not depend on history.
uint64_t hash_of(const Path& path);

SolverId judge();

// The view with an index of each kind; the plain view where its rules have none.
struct IndexedViews {
  static constexpr size_t kCount = 3;
  static constexpr IndexKind kKinds[kCount] = {IndexKind::tile_labels, IndexKind::subgoal_labels,
                                               IndexKind::subgoal_graph};
  View view[kCount];
};
// Kept for the last view of the thread.
const IndexedViews& indexed(const View& view);

// Asks the judge and every solver; differences fail the running test. Returns how many answers
// were compared. `judged` gets the judge's answer.
int compare_solvers(const Rules& rules, const View& view, Query query, Path* judged = nullptr);

std::string shown(Cell cell);
std::string shown(const Query& query);

}  // namespace octile::test
