// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The world of one regression case: its grid, its settings, and who may step where at what cost,
// written down once more and independently of the engine. Paths that Octile gives are judged by
// these rules, and cases that go beyond a plain grid (links, wrapped edges, hexagons ...) are
// answered by Graph A* over them.
//
//   JSON ── read_settings ──> CaseSettings ┐
//        ── read_rows ──────> rows         ├──> CaseWorld ── neighbours(cell) ──> steps
//
// Coordinates are [x, y], y down; the first cell of the first row is settings.origin. '#' is a
// wall, '.' weighs 1, a digit its value, other letters what settings.weights says. A step costs its
// length times the weight of the cell entered.

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "octile/octile.hpp"

namespace octile::cli {

using Json = nlohmann::json;

// A line that does not say what its kind needs. The file as a whole is then refused.
struct MalformedCase {
  std::string message;
};

enum class Topology { square, hex_odd_r, hex_even_r, hex_odd_q, hex_even_q };

struct CaseLink {
  Cell from;
  Cell to;
  double cost = 0;
};

struct CaseSettings {
  int moves = 8;
  int agent_size = 1;  // cells a side; the unit is where its top-left one is
  bool goal_cover = false;
  bool escape_start = false;
  Diagonal diagonal = Diagonal::no_obstacles;
  Topology topology = Topology::square;
  bool wrap_x = false;
  bool wrap_y = false;
  double cell_width = 1;
  double cell_height = 1;
  double diagonal_cost = -1;  // negative: follows from the cell size
  bool alternating = false;   // diagonal steps cost 1, 2, 1, 2 ...
  std::map<char, double> weights;
  Cell origin;
  std::vector<CaseLink> links;
  std::map<std::pair<int, int>, std::string> enter_only_from;  // cell -> letters of N E S W
  std::vector<std::vector<double>> heuristic_table;            // rows; empty: none
  WorldPoint world_offset;
  bool allow_partial = false;
  bool smooth = false;
  bool snap_start = false;
  bool snap_goal = false;
  double max_cost = kWall;
  int64_t max_steps = -1;  // negative: no limit

  bool hex() const { return topology != Topology::square; }
  // Only Graph A* can answer: the grid engine has no such steps or costs.
  bool beyond_grid() const;
  double diagonal_length() const;
};

// Reads a case's settings. Gives "" or the setting that Octile does not serve (yet).
std::string read_settings(const Json& settings, CaseSettings& out);

// The rows of `grid` or `grid_gen`. Gives "" or what is not served.
std::string read_rows(const Json& line, std::vector<std::string>& rows);

Cell read_cell(const Json& value, const char* what);  // throws MalformedCase
double read_number(const Json& value, const char* what);

struct CaseStep {
  Cell to;
  double cost = 0;  // under the alternating rule: of a diagonal of even number
  bool diagonal = false;
};

class CaseWorld {
 public:
  CaseWorld() = default;
  CaseWorld(CaseSettings settings, std::vector<std::string> rows);

  const CaseSettings& settings() const { return settings_; }
  const std::vector<std::string>& rows() const { return rows_; }
  int width() const { return rows_.empty() ? 0 : static_cast<int>(rows_[0].size()); }
  int height() const { return static_cast<int>(rows_.size()); }
  bool contains(Cell cell) const;
  void set(Cell cell, char letter);
  // A letter of the grid that nothing gives a weight to; 0 when there is none.
  char unknown_letter() const;
  bool known(char letter) const;

  // What entering costs, for a unit the dearest cell under it; kWall for walls and outside (after
  // wrapping), and where the unit does not fit.
  double weight(Cell cell) const;
  bool covers(Cell place, Cell cell) const;
  double letter_weight(char letter) const;
  double least_weight() const;  // of the letters present; 0 without free cells
  std::vector<CaseStep> neighbours(Cell cell) const;

  // A lower bound on the cost from `from` to `to` by the rules alone, given the least weight; 0
  // where links or an alternating rule make distances meaningless.
  double bound(Cell from, Cell to, double least) const;
  // The empty-grid distance that chooses the end of a partial path.
  double empty_distance(Cell from, Cell to) const;

  // "" when the cells are a legal way; *cost gets what it costs.
  std::string walk(const std::vector<Cell>& cells, double* cost) const;

 private:
  Cell wrapped(Cell cell) const;
  double cell_weight(Cell cell) const;
  // A unit that does not fit where it stands may go where it covers no more walls than before.
  bool closed(Cell from, Cell to) const;
  // What it pays for that: the dearest free cell under it, or as the cheapest of the map.
  double entry_weight(Cell cell) const;

  CaseSettings settings_;
  std::vector<std::string> rows_;
};

std::string to_text(Cell cell);

}  // namespace octile::cli
