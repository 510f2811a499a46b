// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "support.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <queue>
#include <utility>

namespace octile::test {

namespace {
bool wished(const char* name) {
  const char* wish = std::getenv(name);
  return wish && *wish && *wish != '0';
}
}  // namespace

bool long_run() {
  return wished("OCTILE_LONG");
}

bool sampled() {
  static const bool sample = kSanitized || wished("OCTILE_SAMPLE");
  return sample;
}

int effort(int n) {
  return sampled() ? (n + 7) / 8 : n;
}

// ---------------------------------------------------------------------------------------------
// Rules

namespace {
constexpr int kStepX[8] = {1, 1, 0, -1, -1, -1, 0, 1};
constexpr int kStepY[8] = {0, 1, 1, 1, 0, -1, -1, -1};
}  // namespace

double Rules::cell_factor(Cell c) const {
  if (!board_.contains(c)) return kWall;
  double cost = profile_.terrain_cost[board_.at(c)];
  if (cost == kWall) return cost;
  if (!board_.weight.empty()) cost *= board_.weight[board_.index(c)] * board_.def.weight_scale;
  return extra ? cost + (*extra)[board_.index(c)] : cost;
}

double Rules::factor(Cell place) const {
  double most = 0;
  for (int y = 0; y < profile_.height; ++y)
    for (int x = 0; x < profile_.width; ++x)
      most = std::max(
          most, cell_factor({place.x - profile_.anchor.x + x, place.y - profile_.anchor.y + y}));
  return most;
}

bool Rules::covers(Cell place, Cell cell) const {
  const int x = cell.x - place.x + profile_.anchor.x, y = cell.y - place.y + profile_.anchor.y;
  return x >= 0 && y >= 0 && x < profile_.width && y < profile_.height;
}

bool Rules::may_enter(Cell from, Cell to) const {
  for (int y = 0; y < profile_.height; ++y) {
    for (int x = 0; x < profile_.width; ++x) {
      const Cell cell{to.x - profile_.anchor.x + x, to.y - profile_.anchor.y + y};
      if (cell_factor(cell) == kWall && !(escape && covers(from, cell))) return false;
    }
  }
  return true;
}

double Rules::entry(Cell place) const {
  double most = -1, least = kWall;
  for (size_t i = 0; i < board_.size(); ++i) {
    const double cost = cell_factor(board_.cell(i));
    if (cost == kWall) continue;
    if (covers(place, board_.cell(i))) most = std::max(most, cost);
    // What the map has, whatever the query adds.
    least = std::min(least, extra ? cost - (*extra)[i] : cost);
  }
  return most >= 0 ? most : least;
}

bool Rules::may_step(Cell from, int dx, int dy) const {
  if (!escape && !free(from)) return false;
  if (!may_enter(from, {from.x + dx, from.y + dy})) return false;
  if (dx == 0 || dy == 0) return true;
  if (four()) return false;
  const int free_sides =
      int{may_enter(from, {from.x + dx, from.y})} + int{may_enter(from, {from.x, from.y + dy})};
  if (profile_.diagonal == Diagonal::always) return true;
  return free_sides >= (profile_.diagonal == Diagonal::no_obstacles ? 2 : 1);
}

double Rules::length(int dx, int dy) const {
  const bool diagonal = dx != 0 && dy != 0;
  if (four()) return 1;
  if (profile_.metric == Metric::ten_fourteen) return diagonal ? 14 : 10;
  return diagonal && profile_.metric == Metric::octile ? std::sqrt(2.0) : 1;
}

uint8_t Rules::moves(Cell c) const {
  uint8_t mask = 0;
  for (int d = 0; d < 8; ++d)
    if (may_step(c, kStepX[d], kStepY[d])) mask = static_cast<uint8_t>(mask | 1 << d);
  return mask;
}

double Rules::distance(Cell a, Cell b) const {
  const int dx = std::abs(a.x - b.x), dy = std::abs(a.y - b.y);
  if (four()) return dx + dy;
  return std::abs(dx - dy) * length(1, 0) + std::min(dx, dy) * length(1, 1);
}

std::vector<double> Rules::distances(Cell start) const {
  std::vector<double> best(board_.size(), kWall);
  using Entry = std::pair<double, size_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  if (escape || free(start)) {
    best[board_.index(start)] = 0;
    open.push({0, board_.index(start)});
  }
  while (!open.empty()) {
    const auto [g, at] = open.top();
    open.pop();
    if (g > best[at]) continue;
    const Cell cell = board_.cell(at);
    for (int d = 0; d < 8; ++d) {
      const int dx = kStepX[d], dy = kStepY[d];
      if (!may_step(cell, dx, dy)) continue;
      const Cell to{cell.x + dx, cell.y + dy};
      const double sum = g + length(dx, dy) * (escape ? entry(to) : factor(to));
      if (sum >= best[board_.index(to)]) continue;
      best[board_.index(to)] = sum;
      open.push({sum, board_.index(to)});
    }
  }
  return best;
}

// The line from a to b meets the inside of a cell when it separates two of the cell's corners, and
// passes a corner when that corner lies on it. In half cells, so that all of it is whole numbers.
bool Rules::line_of_sight(Cell a, Cell b) const {
  if (!free(a) || !free(b)) return false;
  const int64_t dx = 2 * (int64_t{b.x} - a.x), dy = 2 * (int64_t{b.y} - a.y);
  const auto side = [&](int64_t x, int64_t y) {  // of the point (x, y) in half cells
    const int64_t cross = dx * (y - 2 * int64_t{a.y}) - dy * (x - 2 * int64_t{a.x});
    return cross < 0 ? -1 : cross > 0 ? 1 : 0;
  };
  const int left = std::min(a.x, b.x), right = std::max(a.x, b.x);
  const int top = std::min(a.y, b.y), bottom = std::max(a.y, b.y);
  for (int y = top; y <= bottom; ++y) {
    for (int x = left; x <= right; ++x) {
      const int64_t cx = 2 * int64_t{x}, cy = 2 * int64_t{y};
      const int corners[4] = {side(cx - 1, cy - 1), side(cx + 1, cy - 1), side(cx - 1, cy + 1),
                              side(cx + 1, cy + 1)};
      const int low = *std::min_element(corners, corners + 4);
      const int high = *std::max_element(corners, corners + 4);
      if (low < 0 && high > 0 && !free({x, y})) return false;
      // The corner that this cell shares with the one diagonally below it, where the line goes.
      if (dx == 0 || dy == 0 || y == bottom) continue;
      const int turn = (dx > 0) == (dy > 0) ? 1 : -1;
      const int ox = x + turn;
      if (ox < left || ox > right || side(cx + turn, cy + 1) != 0) continue;
      const int free_sides = int{free({ox, y})} + int{free({x, y + 1})};
      if (four() || profile_.diagonal == Diagonal::at_most_one_obstacle) {
        if (free_sides < 1) return false;
      } else if (profile_.diagonal == Diagonal::no_obstacles) {
        if (free_sides < 2) return false;
      }
    }
  }
  return true;
}

Walk walk(const Rules& rules, const std::vector<Cell>& cells) {
  Walk w;
  if (cells.empty()) {
    w.wrong = "the path is empty";
    return w;
  }
  if (!rules.escape && !rules.free(cells[0]))
    w.wrong = "the path starts in a wall at " + shown(cells[0]);
  for (size_t i = 1; i < cells.size(); ++i) {
    const int dx = cells[i].x - cells[i - 1].x, dy = cells[i].y - cells[i - 1].y;
    if (std::abs(dx) > 1 || std::abs(dy) > 1 || (dx == 0 && dy == 0) ||
        !rules.may_step(cells[i - 1], dx, dy)) {
      w.wrong = "illegal step " + shown(cells[i - 1]) + " -> " + shown(cells[i]);
      return w;
    }
    w.cost +=
        rules.length(dx, dy) * (rules.escape ? rules.entry(cells[i]) : rules.factor(cells[i]));
  }
  return w;
}

std::vector<Cell> cells_of(const Path& path) {
  return {path.cells(), path.cells() + path.size()};
}

std::vector<Cell> filled_in(const Path& path) {
  std::vector<Cell> out;
  if (path.size() == 0) return out;
  out.push_back(path.cells()[0]);
  for (size_t i = 1; i < path.size(); ++i) {
    const Cell to = path.cells()[i];
    const int dx = to.x - out.back().x, dy = to.y - out.back().y;
    if ((dx == 0 && dy == 0) || (dx != 0 && dy != 0 && std::abs(dx) != std::abs(dy))) return {};
    const int sx = (dx > 0) - (dx < 0), sy = (dy > 0) - (dy < 0);
    while (out.back() != to) out.push_back({out.back().x + sx, out.back().y + sy});
  }
  return out;
}

// ---------------------------------------------------------------------------------------------
// Engines

Profile profile_of(Moves moves, Diagonal diagonal, Metric metric) {
  Profile p;
  p.moves = moves;
  p.diagonal = diagonal;
  p.metric = metric;
  return p;
}

std::vector<Profile> all_profiles() {
  std::vector<Profile> all;
  for (const Metric metric : {Metric::octile, Metric::ten_fourteen, Metric::chebyshev}) {
    all.push_back(profile_of(Moves::four, Diagonal::no_obstacles, metric));
    for (const Diagonal diagonal : {Diagonal::always, Diagonal::at_most_one_obstacle,
                                    Diagonal::no_obstacles, Diagonal::never})
      all.push_back(profile_of(Moves::eight, diagonal, metric));
  }
  return all;
}

std::string name_of(const Profile& p) {
  static const char* const kDiagonals[] = {"always", "at_most_one_obstacle", "no_obstacles",
                                           "never"};
  static const char* const kMetrics[] = {"octile", "10-14", "chebyshev"};
  return (p.moves == Moves::four ? std::string("four")
                                 : "eight, " + std::string(kDiagonals[int(p.diagonal)])) +
         ", " + kMetrics[int(p.metric)] +
         (p.width == 1 && p.height == 1 ? ""
                                        : ", " + std::to_string(p.width) + "x" +
                                              std::to_string(p.height) + " at " + shown(p.anchor));
}

Fault load(const Board& board, Engine& engine) {
  if (Fault f = engine.reset(board.def, board.terrain.data(), size_t(board.width()))) return f;
  if (board.weight.empty()) return {};
  const Cell first = board.def.first_cell;
  return engine.map().stamp_weight({first.x, first.y, board.width(), board.height()},
                                   board.weight.data(), size_t(board.width()));
}

World::World(const Board& b, const Profile& p) : board(b), profile(p) {
  Fault f = load(board, engine);
  EXPECT_FALSE(f) << f.text;
  f = engine.add_profile(profile, &id);
  EXPECT_FALSE(f) << f.text;
  commit();
}

void World::commit() {
  const Fault f = engine.commit();
  EXPECT_FALSE(f) << f.text;
  view = engine.view(id);
}

Query query_of(Cell start, Cell goal, const char* solver) {
  Query q;
  q.start = start;
  q.goal = goal;
  q.solver = solver_id(solver);
  return q;
}

Path ask(const View& view, const Query& query) {
  thread_local Searcher searcher;
  Path path;
  find(searcher, view, query, path);
  return path;
}

uint64_t hash_of(const Path& path) {
  uint64_t h = 0xcbf29ce484222325;
  const auto mix = [&h](uint64_t value) {
    for (int i = 0; i < 8; ++i) h = (h ^ (value >> (8 * i) & 0xff)) * 0x100000001b3;
  };
  mix(static_cast<uint64_t>(path.status));
  mix(path.cost_units);
  mix(path.goal_index);
  mix(path.expanded);
  mix(static_cast<uint64_t>(path.solver));
  mix(path.size());
  for (size_t i = 0; i < path.size(); ++i) {
    mix(static_cast<uint32_t>(path.cells()[i].x));
    mix(static_cast<uint32_t>(path.cells()[i].y));
  }
  return h;
}

SolverId judge() {
  static const SolverId id = solver_id("dijkstra");
  return id;
}

// ---------------------------------------------------------------------------------------------
// Comparing

namespace {

// What is wrong with one answer, by itself and beside the judge's; empty when nothing is.
std::string complaint(const Rules& rules, const Query& query, const Path& judged,
                      const Path& path) {
  const auto differs = [](const char* what, auto is, auto should) {
    return std::string(what) + " " + std::to_string(is) + ", the judge says " +
           std::to_string(should);
  };
  if (path.status != judged.status)
    return std::string("status ") + name(path.status) + ", the judge says " + name(judged.status);
  const bool has_path = path.status == Status::found || path.status == Status::partial ||
                        (path.status == Status::limit_reached && query.allow_partial);
  if (!has_path) {
    if (path.size() != 0 || path.cost_units != 0 || path.cost != 0)
      return "a path or a cost without a path";
    return *path.message ? "" : "no message";
  }
  if ((*path.message == 0) != (path.status == Status::found)) return "the message does not fit";
  if (path.status != Status::limit_reached) {
    // Where a search was cut off, its nearest cell depends on how far it had come.
    if (path.cost_units != judged.cost_units)
      return differs("cost_units", path.cost_units, judged.cost_units);
    if (path.goal_index != judged.goal_index)
      return differs("goal_index", path.goal_index, judged.goal_index);
    if (path.size() == 0) return "the path is empty";
    if (path.cells()[path.size() - 1] != judged.cells()[judged.size() - 1])
      return "ends at " + shown(path.cells()[path.size() - 1]) + ", the judge's at " +
             shown(judged.cells()[judged.size() - 1]);
  }
  const Walk w = walk(rules, cells_of(path));
  if (!w.wrong.empty()) return w.wrong;
  if (!query.snap_start && path.cells()[0] != query.start) return "does not start at the start";
  const Cell goal = query.goals ? query.goals[path.goal_index] : query.goal;
  const Cell last = path.cells()[path.size() - 1];
  if (path.status == Status::found && !query.snap_goal && last != goal &&
      !(query.goal_cover && rules.covers(last, goal)))
    return "does not end at the goal";
  if (std::fabs(w.cost - path.cost) > 1e-9 * (1 + w.cost))
    return differs("cost", path.cost, w.cost) + " (walked)";
  return "";
}

}  // namespace

const IndexedViews& indexed(const View& view) {
  thread_local View of;
  thread_local IndexedViews views;
  if (view.impl() == of.impl()) return views;
  of = view;  // held, so that no other View can take its place in memory
  views = IndexedViews();
  for (size_t i = 0; i < IndexedViews::kCount; ++i) {
    IndexOptions options;
    options.most = IndexedViews::kKinds[i];
    Index index;
    const Fault refused = build_index(view, options, &index);
    views.view[i] = view;
    if (refused) {
      EXPECT_EQ(refused.status, Status::bad_argument) << refused.text;
      continue;
    }
    EXPECT_EQ(index.info().kind, options.most) << index.info().reason;
    const Fault f = view.with_index(index, &views.view[i]);
    EXPECT_FALSE(f) << f.text;
  }
  return views;
}

int compare_solvers(const Rules& rules, const View& view, Query query, Path* judged) {
  query.solver = judge();
  const Path right = ask(view, query);
  int compared = 0;
  const auto compare = [&](SolverId id, const View& with) {
    query.solver = id;
    const Path path = ask(with, query);
    const std::string wrong = complaint(rules, query, right, path);
    ++compared;
    if (wrong.empty()) return true;
    ADD_FAILURE() << solver_info(id).name << " (" << name(with.index().info().kind)
                  << "): " << wrong << "\n"
                  << name_of(rules.profile()) << "\n"
                  << shown(query) << "\n"
                  << picture(rules.board(), path.size() ? &path : nullptr);
    return false;
  };
  static const SolverId labels = solver_id("labels"), subgoal = solver_id("subgoal");
  bool right_so_far = true;
  for (SolverId id = 0; id < solver_count() && right_so_far; ++id) {
    if (id == labels) {
      right_so_far = compare(id, indexed(view).view[0]);
    } else if (id == subgoal) {
      right_so_far = compare(id, indexed(view).view[1]) && compare(id, indexed(view).view[2]);
    } else {
      right_so_far = compare(id, view);
    }
  }
  if (judged) *judged = ask(view, (query.solver = judge(), query));
  return compared;
}

std::string shown(Cell cell) {
  std::string text = "(";
  text += std::to_string(cell.x);
  text += ",";
  text += std::to_string(cell.y);
  text += ")";
  return text;
}

std::string shown(const Query& q) {
  std::string text = shown(q.start) + " -> ";
  if (!q.goals) text += shown(q.goal);
  for (size_t i = 0; q.goals && i < q.goal_count; ++i) text += shown(q.goals[i]);
  if (q.snap_start) text += " snap_start";
  if (q.snap_goal) text += " snap_goal";
  if (q.allow_partial) text += " partial";
  if (q.max_cost != kWall) text += " max_cost " + std::to_string(q.max_cost);
  if (q.goal_cover) text += " cover";
  if (q.escape_start) text += " escape";
  if (q.extra_blocked_count) text += " blocked";
  for (size_t i = 0; i < q.extra_blocked_count; ++i) text += shown(q.extra_blocked[i]);
  if (q.extra_cost_count) text += " dearer";
  for (size_t i = 0; i < q.extra_cost_count; ++i)
    text += shown(q.extra_costs[i].cell) + "+" + std::to_string(q.extra_costs[i].cost);
  if (q.max_expansions) text += " max_expansions " + std::to_string(q.max_expansions);
  return text;
}

}  // namespace octile::test
