// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

#include "case_world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace octile::cli {
namespace {

constexpr double kRoot2 = 1.41421356237309504880;

int floor_mod(int value, int size) {
  const int rest = value % size;
  return rest < 0 ? rest + size : rest;
}

// Steps between hexagons, by way of cube coordinates.
int hex_distance(Topology topology, Cell a, Cell b) {
  const auto cube = [topology](Cell c) {
    int q = c.x, r = c.y;
    switch (topology) {
      case Topology::hex_odd_r:
        q = c.x - (c.y - (c.y & 1)) / 2;
        break;
      case Topology::hex_even_r:
        q = c.x - (c.y + (c.y & 1)) / 2;
        break;
      case Topology::hex_odd_q:
        r = c.y - (c.x - (c.x & 1)) / 2;
        break;
      case Topology::hex_even_q:
        r = c.y - (c.x + (c.x & 1)) / 2;
        break;
      case Topology::square:
        break;
    }
    return std::array<int, 3>{q, r, -q - r};
  };
  const auto p = cube(a), q = cube(b);
  return std::max({std::abs(p[0] - q[0]), std::abs(p[1] - q[1]), std::abs(p[2] - q[2])});
}

// The six neighbours of a hexagon. In an r layout every other row is shifted by half a cell to the
// right, in a q layout every other column down.
std::array<Cell, 6> hex_neighbours(Topology topology, Cell c) {
  const bool rows = topology == Topology::hex_odd_r || topology == Topology::hex_even_r;
  const bool odd = topology == Topology::hex_odd_r || topology == Topology::hex_odd_q;
  const int line = rows ? c.y : c.x;
  const bool shifted = ((line & 1) != 0) == odd;
  const int near = shifted ? 0 : -1, far = shifted ? 1 : 0;
  if (rows) {
    return {{{c.x + 1, c.y},
             {c.x - 1, c.y},
             {c.x + near, c.y - 1},
             {c.x + far, c.y - 1},
             {c.x + near, c.y + 1},
             {c.x + far, c.y + 1}}};
  }
  return {{{c.x, c.y + 1},
           {c.x, c.y - 1},
           {c.x + 1, c.y + near},
           {c.x + 1, c.y + far},
           {c.x - 1, c.y + near},
           {c.x - 1, c.y + far}}};
}

}  // namespace

std::string to_text(Cell cell) {
  return fmt::format("({},{})", cell.x, cell.y);
}

bool CaseSettings::beyond_grid() const {
  const double across = diagonal_length();
  const bool known_metric = cell_width == 1 && cell_height == 1 &&
                            (std::fabs(across - kRoot2) < 1e-6 || across == 1.4 || across == 1);
  // The engine takes weights of at most three decimals. NaN and negative ones go to it as well: it
  // must refuse them.
  for (const auto& [letter, value] : weights) {
    if (std::isinf(value) || !(value >= 0)) continue;
    if (value > 4294967295.0 || std::fabs(value * 1000 - std::round(value * 1000)) > 1e-6)
      return true;
  }
  return hex() || wrap_x || wrap_y || !links.empty() || !enter_only_from.empty() || alternating ||
         !heuristic_table.empty() || !known_metric;
}

double CaseSettings::diagonal_length() const {
  return diagonal_cost >= 0 ? diagonal_cost : std::hypot(cell_width, cell_height);
}

CaseWorld::CaseWorld(CaseSettings settings, std::vector<std::string> rows)
    : settings_(std::move(settings)), rows_(std::move(rows)) {}

bool CaseWorld::contains(Cell cell) const {
  const int64_t x = int64_t{cell.x} - settings_.origin.x, y = int64_t{cell.y} - settings_.origin.y;
  return x >= 0 && y >= 0 && x < width() && y < height();
}

void CaseWorld::set(Cell cell, char letter) {
  if (!contains(cell)) return;
  rows_[cell.y - settings_.origin.y][cell.x - settings_.origin.x] = letter;
}

bool CaseWorld::known(char letter) const {
  return letter == '#' || letter == '.' || settings_.weights.count(letter) != 0 ||
         (letter >= '0' && letter <= '9');
}

char CaseWorld::unknown_letter() const {
  for (const std::string& row : rows_) {
    for (char letter : row) {
      if (!known(letter)) return letter;
    }
  }
  return 0;
}

double CaseWorld::letter_weight(char letter) const {
  if (letter == '#') return kWall;
  if (letter == '.') return 1;
  const auto named = settings_.weights.find(letter);
  if (named != settings_.weights.end()) return named->second;
  return letter >= '0' && letter <= '9' ? letter - '0' : kWall;
}

Cell CaseWorld::wrapped(Cell cell) const {
  const Cell origin = settings_.origin;
  if (settings_.wrap_x) cell.x = floor_mod(cell.x - origin.x, width()) + origin.x;
  if (settings_.wrap_y) cell.y = floor_mod(cell.y - origin.y, height()) + origin.y;
  return cell;
}

double CaseWorld::weight(Cell cell) const {
  double most = 0;
  for (int y = 0; y < settings_.agent_size; ++y) {
    for (int x = 0; x < settings_.agent_size; ++x)
      most = std::max(most, cell_weight({cell.x + x, cell.y + y}));
  }
  return most;
}

bool CaseWorld::covers(Cell place, Cell cell) const {
  const int64_t x = int64_t{cell.x} - place.x, y = int64_t{cell.y} - place.y;
  return x >= 0 && y >= 0 && x < settings_.agent_size && y < settings_.agent_size;
}

bool CaseWorld::closed(Cell from, Cell to) const {
  for (int y = 0; y < settings_.agent_size; ++y) {
    for (int x = 0; x < settings_.agent_size; ++x) {
      const Cell cell{to.x + x, to.y + y};
      if (std::isinf(cell_weight(cell)) && !(settings_.escape_start && covers(from, cell)))
        return true;
    }
  }
  return false;
}

double CaseWorld::entry_weight(Cell cell) const {
  double most = -1;
  for (int y = 0; y < settings_.agent_size; ++y) {
    for (int x = 0; x < settings_.agent_size; ++x) {
      const double here = cell_weight({cell.x + x, cell.y + y});
      if (!std::isinf(here)) most = std::max(most, here);
    }
  }
  return most >= 0 ? most : least_weight();
}

double CaseWorld::cell_weight(Cell cell) const {
  cell = wrapped(cell);
  if (!contains(cell)) return kWall;
  return letter_weight(rows_[cell.y - settings_.origin.y][cell.x - settings_.origin.x]);
}

double CaseWorld::least_weight() const {
  double least = kWall;
  for (const std::string& row : rows_) {
    for (char letter : row) least = std::min(least, letter_weight(letter));
  }
  return std::isinf(least) ? 0 : least;
}

std::vector<CaseStep> CaseWorld::neighbours(Cell cell) const {
  std::vector<CaseStep> steps;
  const auto wall = [this, cell](int x, int y) { return closed(cell, {x, y}); };
  if (settings_.hex()) {
    for (Cell to : hex_neighbours(settings_.topology, cell)) {
      to = wrapped(to);
      if (!wall(to.x, to.y)) steps.push_back({to, weight(to), false});
    }
  } else {
    constexpr int kStraight[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    constexpr char kEnteredFrom[4] = {'W', 'N', 'E', 'S'};
    for (int i = 0; i < 4; ++i) {
      const int dx = kStraight[i][0], dy = kStraight[i][1];
      const Cell to = wrapped({cell.x + dx, cell.y + dy});
      if (to == cell || wall(to.x, to.y)) continue;
      const auto gate = settings_.enter_only_from.find({to.x, to.y});
      if (gate != settings_.enter_only_from.end() &&
          gate->second.find(kEnteredFrom[i]) == std::string::npos) {
        continue;
      }
      const double side = dx != 0 ? settings_.cell_width : settings_.cell_height;
      const double length = settings_.alternating ? 1 : side;
      steps.push_back({to, length * entry_weight(to), false});
    }
    if (settings_.moves == 8 && settings_.diagonal != Diagonal::never) {
      constexpr int kAcross[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
      for (const auto& [dx, dy] : kAcross) {
        const Cell to = wrapped({cell.x + dx, cell.y + dy});
        if (wall(to.x, to.y) || settings_.enter_only_from.count({to.x, to.y}) != 0) continue;
        const int walls = (wall(cell.x + dx, cell.y) ? 1 : 0) + (wall(cell.x, cell.y + dy) ? 1 : 0);
        if (settings_.diagonal == Diagonal::no_obstacles && walls > 0) continue;
        if (settings_.diagonal == Diagonal::at_most_one_obstacle && walls > 1) continue;
        const double length = settings_.alternating ? 1 : settings_.diagonal_length();
        steps.push_back({to, length * entry_weight(to), true});
      }
    }
  }
  for (const CaseLink& link : settings_.links) {
    if (link.from == cell && !std::isinf(weight(link.to))) {
      steps.push_back({link.to, link.cost, false});
    }
  }
  return steps;
}

double CaseWorld::empty_distance(Cell from, Cell to) const {
  if (settings_.hex()) return hex_distance(settings_.topology, from, to);
  const double dx = std::abs(from.x - to.x), dy = std::abs(from.y - to.y);
  if (settings_.moves == 4) return dx + dy;
  return std::max(dx, dy) + (kRoot2 - 1) * std::min(dx, dy);
}

double CaseWorld::bound(Cell from, Cell to, double least) const {
  if (!settings_.links.empty() || settings_.alternating) return 0;
  int dx = std::abs(from.x - to.x), dy = std::abs(from.y - to.y);
  if (settings_.wrap_x) dx = std::min(dx, width() - dx);
  if (settings_.wrap_y) dy = std::min(dy, height() - dy);
  if (settings_.hex()) {
    // Across a wrapped edge the parity of rows may jump; no distance is safe then.
    if (settings_.wrap_x || settings_.wrap_y) return 0;
    return least * hex_distance(settings_.topology, from, to);
  }
  const double straight_x = settings_.cell_width, straight_y = settings_.cell_height;
  if (settings_.moves == 4 || settings_.diagonal == Diagonal::never) {
    return least * (dx * straight_x + dy * straight_y);
  }
  // A diagonal step never saves more than the two straight ones that it stands for, and each axis
  // has to be covered by some step.
  const int both = std::min(dx, dy);
  const double diagonal = std::min(settings_.diagonal_length(), straight_x + straight_y);
  const double rest = dx > dy ? std::min(straight_x, diagonal) : std::min(straight_y, diagonal);
  return least * (both * diagonal + (std::max(dx, dy) - both) * rest);
}

std::string CaseWorld::walk(const std::vector<Cell>& cells, double* cost) const {
  *cost = 0;
  if (cells.empty()) return "the path has no cells";
  if (std::isinf(weight(cells[0])) && !settings_.escape_start)
    return fmt::format("the path starts in the wall {}", to_text(cells[0]));
  bool odd = false;
  for (size_t i = 1; i < cells.size(); ++i) {
    double best = kWall;
    bool diagonal = false;
    for (const CaseStep& step : neighbours(cells[i - 1])) {
      if (step.to != cells[i]) continue;
      const double here = settings_.alternating && step.diagonal && odd ? 2 * step.cost : step.cost;
      if (here < best) {
        best = here;
        diagonal = step.diagonal;
      }
    }
    if (std::isinf(best)) {
      return fmt::format("the step from {} to {} is not legal", to_text(cells[i - 1]),
                         to_text(cells[i]));
    }
    *cost += best;
    if (diagonal) odd = !odd;
  }
  return "";
}

}  // namespace octile::cli
