// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// What the fuzzers share. A fuzzer turns bytes into calls of the public face and holds the answers
// against two things: the judge (the solver "dijkstra"), and a Model, a second idea of the grid
// written from the documentation alone, in doubles and without any code of the engine.
//
//   bytes ──Bytes──> calls ──> engine ──┐
//                      └─────> Model ───┴── require(they agree)
//
// A disagreement is thrown as a Problem. The fuzzers trap on it, the replay test reports it.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <queue>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "octile/octile.hpp"

namespace octile::fuzz {

struct Problem : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline std::ostream& operator<<(std::ostream& out, Cell cell) {
  return out << '(' << cell.x << ", " << cell.y << ')';
}

// The parts are put into words only when they are needed.
template <class... Parts>
void require(bool holds, const Parts&... parts) {
  if (holds) return;
  std::ostringstream text;
  text.precision(17);
  (text << ... << parts);
  throw Problem(text.str());
}

// The input, a value at a time; zeros after its end.
class Bytes {
 public:
  Bytes(const uint8_t* data, size_t size) : at_(data), end_(data + size) {}
  bool empty() const { return at_ == end_; }
  uint8_t u8() { return empty() ? 0 : *at_++; }
  uint32_t u16() {
    const uint32_t low = u8();
    return low | static_cast<uint32_t>(u8()) << 8;
  }
  // 0 .. n - 1
  int32_t below(int32_t n) { return static_cast<int32_t>(n > 256 ? u16() : u8()) % n; }
  bool one_in(int32_t n) { return below(n) == n - 1; }
  template <class T, size_t n>
  T pick(const T (&values)[n]) {
    return values[below(static_cast<int32_t>(n))];
  }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
};

// Bit k of View::moves.
constexpr Cell kDirections[8] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                 {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};

// The grid as the documentation has it.
struct Model {
  MapDef definition;
  std::vector<uint8_t> terrain;
  std::vector<uint16_t> weight;

  Model() = default;
  explicit Model(const MapDef& d)
      : definition(d),
        terrain(size_t(d.width) * size_t(d.height), d.terrain),
        weight(terrain.size(), 1) {}

  // Columns and rows from the first cell, in 64 bits: cells may lie anywhere.
  bool contains(Cell c) const {
    const int64_t x = int64_t{c.x} - definition.first_cell.x;
    const int64_t y = int64_t{c.y} - definition.first_cell.y;
    return x >= 0 && y >= 0 && x < definition.width && y < definition.height;
  }
  bool contains(const Rect& r) const {
    const int64_t x = int64_t{r.x} - definition.first_cell.x;
    const int64_t y = int64_t{r.y} - definition.first_cell.y;
    return r.width >= 0 && r.height >= 0 && x >= 0 && y >= 0 && x + r.width <= definition.width &&
           y + r.height <= definition.height;
  }
  size_t index(Cell c) const {
    return size_t(c.y - definition.first_cell.y) * size_t(definition.width) +
           size_t(c.x - definition.first_cell.x);
  }
  Cell cell(size_t index) const {
    return {definition.first_cell.x + int32_t(index % size_t(definition.width)),
            definition.first_cell.y + int32_t(index / size_t(definition.width))};
  }
  // One step away; outside every map when the coordinates end there.
  bool neighbour(Cell c, Cell step, Cell* to) const {
    const int64_t x = int64_t{c.x} + step.x, y = int64_t{c.y} + step.y;
    if (x < INT32_MIN || x > INT32_MAX || y < INT32_MIN || y > INT32_MAX) return false;
    *to = {int32_t(x), int32_t(y)};
    return contains(*to);
  }
};

// A Model as one Profile walks it.
struct Walker {
  const Model& model;
  const Profile& profile;

  double factor(Cell c) const {
    if (!model.contains(c)) return kWall;
    const double cost = profile.terrain_cost[model.terrain[model.index(c)]];
    if (cost == kWall || !model.definition.weights) return cost;
    return cost * model.weight[model.index(c)] * model.definition.weight_scale;
  }
  bool free(Cell c) const { return factor(c) != kWall; }
  bool four() const { return profile.moves == Moves::four || profile.diagonal == Diagonal::never; }
  double length(Cell step) const {
    if (four()) return 1;
    const bool diagonal = step.x != 0 && step.y != 0;
    if (profile.metric == Metric::ten_fourteen) return diagonal ? 14 : 10;
    return diagonal && profile.metric == Metric::octile ? std::sqrt(2.0) : 1;
  }
  bool may_step(Cell from, Cell step) const {
    Cell to;
    if (!free(from) || !model.neighbour(from, step, &to) || !free(to)) return false;
    if (step.x == 0 || step.y == 0) return true;
    if (four()) return false;
    const int sides = free({to.x, from.y}) + free({from.x, to.y});
    return profile.diagonal == Diagonal::always ||
           sides >= (profile.diagonal == Diagonal::no_obstacles ? 2 : 1);
  }
  // The empty-grid distance, weights ignored.
  double away(Cell a, Cell b) const {
    const double dx = std::fabs(double(a.x) - b.x), dy = std::fabs(double(a.y) - b.y);
    if (four()) return dx + dy;
    return length({1, 0}) * std::fabs(dx - dy) + length({1, 1}) * std::min(dx, dy);
  }
  // Cost of the cheapest way from `start` to every cell, in doubles; infinite where none leads.
  std::vector<double> distances(Cell start) const {
    std::vector<double> best(model.terrain.size(), kWall);
    using Entry = std::pair<double, size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> open;
    if (free(start)) {
      best[model.index(start)] = 0;
      open.push({0, model.index(start)});
    }
    while (!open.empty()) {
      const auto [g, at] = open.top();
      open.pop();
      if (g > best[at]) continue;
      const Cell from = model.cell(at);
      for (Cell step : kDirections) {
        if (!may_step(from, step)) continue;
        const Cell to{from.x + step.x, from.y + step.y};
        const double next = g + length(step) * factor(to);
        if (next < best[model.index(to)]) {
          best[model.index(to)] = next;
          open.push({next, model.index(to)});
        }
      }
    }
    return best;
  }
};

inline bool about_equal(double a, double b, double relative) {
  return a == b || std::fabs(a - b) <= relative * std::max(std::fabs(a), std::fabs(b));
}

// Everything that a View says of single cells, and the components, against the Model.
inline void check_view(const View& view, const Walker& walker) {
  const Model& model = walker.model;
  std::vector<uint32_t> flood(model.terrain.size(), 0);
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  uint32_t pools = 0;
  for (size_t i = 0; i < model.terrain.size(); ++i) {
    const Cell c = model.cell(i);
    require(view.terrain(c) == model.terrain[i], "terrain differs at ", c);
    require(view.passable(c) == walker.free(c), "passable differs at ", c);
    require(about_equal(view.cost(c), walker.factor(c), 1e-12), "cost at ", c, ": ", view.cost(c),
            " instead of ", walker.factor(c));
    require((view.component(c) != View::kNoComponent) == walker.free(c), "component of ", c);
    if (!walker.free(c)) continue;
    uint8_t moves = 0;
    for (int k = 0; k < 8; ++k) moves |= uint8_t(walker.may_step(c, kDirections[k]) << k);
    require(view.moves(c) == moves, "moves of ", c, ": ", int(view.moves(c)), " instead of ",
            int(moves));
    if (flood[i]) continue;
    // A new pool of connected cells.
    ++pools;
    pairs.push_back({view.component(c), pools});
    std::vector<size_t> stack{i};
    flood[i] = pools;
    while (!stack.empty()) {
      const Cell from = model.cell(stack.back());
      stack.pop_back();
      require(view.component(from) == view.component(c), "one component in two at ", from);
      for (Cell step : kDirections) {
        if (!walker.may_step(from, step)) continue;
        const size_t to = model.index({from.x + step.x, from.y + step.y});
        if (flood[to]) continue;
        flood[to] = pools;
        stack.push_back(to);
      }
    }
  }
  std::sort(pairs.begin(), pairs.end());
  for (size_t i = 1; i < pairs.size(); ++i) {
    require(pairs[i - 1].first != pairs[i].first, "two components share the id ", pairs[i].first);
  }
}

// ---------------------------------------------------------------------------------------------
// Answers

// A Path, kept.
struct Answer {
  Status status;
  double cost;
  uint64_t units;
  size_t goal_index;
  std::vector<Cell> cells;
  const char* message;

  bool operator==(const Answer& o) const {
    return status == o.status && units == o.units && goal_index == o.goal_index && cells == o.cells;
  }
};

inline std::ostream& operator<<(std::ostream& out, const Answer& a) {
  out << name(a.status) << ' ' << a.units;
  if (!a.cells.empty()) out << ", " << a.cells.size() << " cells to " << a.cells.back();
  return out;
}

inline Answer keep(const View& view, const Path& path) {
  require(path.version == view.version() || view.empty(), "version of the answer");
  require(path.message && (path.message[0] == 0) == (path.status == Status::found),
          "message of status ", name(path.status), ": \"", path.message, "\"");
  require(path.status == Status::bad_argument || (path.solver >= 0 && path.solver < solver_count()),
          "solver ", path.solver);
  return {path.status,
          path.cost,
          path.cost_units,
          path.goal_index,
          {path.cells(), path.cells() + path.size()},
          path.message};
}

// Asks with Searchers of its own: cold at first, warm later, and the same in every run.
class Asker {
 public:
  Answer ask(const View& view, const Query& query) {
    find(searcher_, view, query, path_);
    return keep(view, path_);
  }
  Answer ask_in_slices(const View& view, const Query& query, uint64_t slice) {
    sliced_.begin(view, query, path_);
    for (int i = 0; !sliced_.step(slice, path_); ++i) require(i < 100000, "step() never ends");
    return keep(view, path_);
  }

 private:
  Searcher searcher_, sliced_;
  Path path_;
};

// The cells of a path, waypoints filled in. Each stretch is straight or diagonal.
inline std::vector<Cell> filled_in(const std::vector<Cell>& cells) {
  std::vector<Cell> all;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i == 0) {
      all.push_back(cells[0]);
      continue;
    }
    const int64_t dx = int64_t{cells[i].x} - cells[i - 1].x;
    const int64_t dy = int64_t{cells[i].y} - cells[i - 1].y;
    require(dx == 0 || dy == 0 || std::abs(dx) == std::abs(dy), "a bent stretch from ",
            cells[i - 1], " to ", cells[i]);
    const int64_t n = std::max(std::abs(dx), std::abs(dy));
    require(n > 0, "the cell ", cells[i], " twice in a row");
    require(n < 1000, "a stretch of ", n, " cells");
    for (int64_t k = 1; k <= n; ++k) {
      all.push_back({int32_t(cells[i - 1].x + dx / n * k), int32_t(cells[i - 1].y + dy / n * k)});
    }
  }
  return all;
}

// Walks the cells by the Model's rules; gives what that costs.
inline double check_steps(const Walker& walker, const std::vector<Cell>& all) {
  double cost = 0;
  require(walker.free(all[0]), "the path begins on the wall ", all[0]);
  for (size_t i = 1; i < all.size(); ++i) {
    const Cell step{all[i].x - all[i - 1].x, all[i].y - all[i - 1].y};
    require(std::abs(step.x) <= 1 && std::abs(step.y) <= 1 && step != Cell{} &&
                walker.may_step(all[i - 1], step),
            "an illegal step from ", all[i - 1], " to ", all[i]);
    cost += walker.length(step) * walker.factor(all[i]);
  }
  return cost;
}

// Holds an answer's path against the Model and its own cost.
inline void check_path(const View& view, const Walker& walker, const Query& query,
                       const Answer& answer) {
  const std::vector<Cell>& cells = answer.cells;
  const bool must = answer.status == Status::found || answer.status == Status::partial;
  require(must <= !cells.empty(), "no cells with status ", name(answer.status));
  if (cells.empty()) return;
  // A search that met a limit may say how far it came.
  require(must || (answer.status == Status::limit_reached && query.allow_partial), "a path of ",
          cells.size(), " cells with status ", name(answer.status));
  if (query.smooth) {
    // Where the line is free the grid path is left; the cost is not that of these cells.
    for (size_t i = 1; i < cells.size(); ++i) {
      require(walker.free(cells[i]), "a waypoint on the wall ", cells[i]);
      if (view.line_of_sight(cells[i - 1], cells[i])) continue;
      check_steps(walker, filled_in({cells[i - 1], cells[i]}));
    }
    return;
  }
  const std::vector<Cell> all = filled_in(cells);
  if (query.output == Output::cells) {
    require(all.size() == cells.size(), "cells are left out of the path");
  } else {
    for (size_t i = 2; i < cells.size(); ++i) {
      const auto turn = [](int64_t a, int64_t b) { return (b > a) - (b < a); };
      require(turn(cells[i - 2].x, cells[i - 1].x) != turn(cells[i - 1].x, cells[i].x) ||
                  turn(cells[i - 2].y, cells[i - 1].y) != turn(cells[i - 1].y, cells[i].y),
              "a waypoint without a turn at ", cells[i - 1]);
    }
  }
  const double cost = check_steps(walker, all);
  require(about_equal(cost, answer.cost, 1e-9), "the path costs ", cost, ", the answer says ",
          answer.cost);
}

// Runs one fuzzer's function on one input, as libFuzzer wants it.
inline int run_or_trap(void (*fuzzer)(const uint8_t*, size_t), const uint8_t* data, size_t size) {
  try {
    fuzzer(data, size);
  } catch (const Problem& problem) {
    std::fprintf(stderr, "problem: %s\n", problem.what());
    __builtin_trap();
  }
  return 0;
}

}  // namespace octile::fuzz
