// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Bytes as the life of an Engine: a map of at most 24 by 24 cells, or a long thin one, one or two
// Profiles, then edits, commits and queries in any order, with every option and with nonsense among
// them.
//
// After each commit the Views are held against the Model, cell by cell. Each query goes to every
// solver of the table, at once and in slices, and all must say what the judge says: status, cost,
// goal. The judge itself is held against the Model. An old View is asked again at the very end: its
// answer must not have changed.

#include <atomic>
#include <string>
#include <vector>

#include "fuzz_tools.hpp"

namespace octile::fuzz {

class EngineLife {
 public:
  EngineLife(const uint8_t* data, size_t size) : bytes_(data, size) {}

  void run() {
    make_map();
    add_profile();
    for (int ops = 0, queries = 0; ops < 24 && queries < 3 && !bytes_.empty(); ++ops) {
      const int32_t op = bytes_.below(12);
      if (op < 5) {
        edit(op);
      } else if (op < 7) {
        if (!commit()) return;
      } else if (op == 7 && profiles_.size() < 2) {
        if (!add_profile()) return;
      } else {
        query();
        ++queries;
      }
    }
    if (old_view_.empty()) return;
    old_query_.goals = old_query_.goals ? old_goals_.data() : nullptr;
    require(asker_.ask(old_view_, old_query_) == old_answer_, "an old view changes its answer");
  }

 private:
  // -------------------------------------------------------------------------------------------
  // The map and its edits

  int32_t some_size() {
    static constexpr int32_t kLong[] = {62,  63,  64,  65,  66,  67,  70,  80,
                                        120, 126, 127, 128, 129, 130, 131, 192};
    const int32_t size = bytes_.below(40);
    return size < 24 ? 1 + size : kLong[size - 24];
  }

  void make_map() {
    static constexpr Cell kFirst[] = {{0, 0}, {0, 0}, {-5, 9}, {INT32_MIN + 1, INT32_MAX}};
    static constexpr double kScale[] = {1, 0.5, 0.001, 3};
    static constexpr uint8_t kTerrains[] = {'.', '@', '1', '2', '5', 'T', 'G', 0, 255};
    MapDef d;
    d.width = some_size();
    d.height = some_size();
    // A long map is a thin one, so that its few cells still cross the seams of the tiles.
    if (d.width > 24) d.height = 1 + d.height % 6;
    if (d.height > 24) d.width = 1 + d.width % 6;
    d.first_cell = bytes_.pick(kFirst);
    if (d.first_cell.y == INT32_MAX) d.first_cell.y -= d.height - 1;  // the last row there is
    d.weights = bytes_.one_in(4);
    d.weight_scale = bytes_.pick(kScale);
    const int32_t kinds = 1 + bytes_.below(6);
    for (int32_t i = 0; i < kinds; ++i) palette_.push_back(bytes_.pick(kTerrains));
    d.terrain = palette_[0];
    const Fault fault = engine_.reset(d);
    require(!fault, "a good definition is refused: ", fault.text);
    model_ = Model(d);
    // The cells come from a small generator, so that a few bytes make a whole map: `density` of 256
    // are of another terrain than the first.
    const int32_t density = bytes_.u8();
    uint32_t state = bytes_.u16() * 2654435761u + 1;
    for (uint8_t& cell : model_.terrain) {
      state = state * 1664525u + 1013904223u;
      const int32_t roll = state >> 24;
      if (roll < density) cell = palette_[(state >> 16) % palette_.size()];
    }
    const Rect all{d.first_cell.x, d.first_cell.y, d.width, d.height};
    require(!engine_.map().stamp(all, model_.terrain.data(), size_t(d.width)), "stamp() fails");
  }

  // Mostly inside, at times a step or a world outside.
  Cell some_cell() {
    const MapDef& d = model_.definition;
    const int32_t away = bytes_.below(32);
    if (away == 31) return {INT32_MAX, INT32_MIN};
    const int64_t x = int64_t{d.first_cell.x} + bytes_.below(d.width) - (away == 30 ? 20 : 0);
    const int64_t y = int64_t{d.first_cell.y} + bytes_.below(d.height) + (away == 29 ? 20 : 0);
    return {int32_t(std::max<int64_t>(x, INT32_MIN)), int32_t(std::min<int64_t>(y, INT32_MAX))};
  }

  uint8_t some_terrain() { return palette_[size_t(bytes_.below(int32_t(palette_.size())))]; }
  uint16_t some_weight() {
    static constexpr uint16_t kWeights[] = {1, 1, 2, 3, 10, 0, 1000, 65535};
    return bytes_.pick(kWeights);
  }

  void edit(int32_t op) {
    Map& map = engine_.map();
    const Cell c = some_cell();
    const bool weights = model_.definition.weights;
    if (op == 0) {
      const uint8_t t = some_terrain();
      const bool done = !map.set_terrain(c, t);
      require(done == model_.contains(c), "set_terrain at ", c);
      if (done) model_.terrain[model_.index(c)] = t;
      return;
    }
    if (op == 1) {
      const uint16_t w = some_weight();
      const bool done = !map.set_weight(c, w);
      require(done == (weights && model_.contains(c)), "set_weight at ", c);
      if (done) model_.weight[model_.index(c)] = w;
      return;
    }
    const Rect r{c.x, c.y, bytes_.below(9) - (bytes_.one_in(16) ? 2 : 0), bytes_.below(9)};
    const uint8_t t = some_terrain();
    const uint16_t w = some_weight();
    bool done = false;
    std::vector<uint8_t> stamp(12 * 12, t);
    std::vector<uint16_t> weight_stamp(12 * 12, w);
    if (op == 2) done = !map.fill(r, t);
    if (op == 3) done = !map.fill_weight(r, w);
    if (op == 4) {
      for (size_t i = 0; i < stamp.size(); i += 3) {
        stamp[i] = palette_[i / 3 % palette_.size()];
        weight_stamp[i] = uint16_t(i);
      }
      done = !map.stamp(r, stamp.data(), 12);
      if (weights) {
        require(done == !map.stamp_weight(r, weight_stamp.data(), 12), "stamp_weight fails");
      }
    }
    require(done == (model_.contains(r) && (op != 3 || weights)), "an edit of ", r.width, " x ",
            r.height, " cells at ", c);
    for (int32_t y = 0; done && y < r.height; ++y) {
      for (int32_t x = 0; x < r.width; ++x) {
        const size_t to = model_.index({r.x + x, r.y + y}), from = size_t(y * 12 + x);
        if (op != 3) model_.terrain[to] = stamp[from];
        if (op == 3 || (op == 4 && weights)) model_.weight[to] = weight_stamp[from];
      }
    }
  }

  // -------------------------------------------------------------------------------------------
  // Profiles and commits

  // False when single steps may not fit 63 bits: then a Fault is right, and the end.
  bool may_overflow() const {
    return model_.definition.weights || (!profiles_.empty() && dearest_ > 1e6);
  }

  bool add_profile() {
    static constexpr double kCosts[] = {1,   kWall, 1,     2,   0,     0.5,
                                        1.4, 0.001, 3.999, 100, 65535, 4294967295.0};
    static const double kNonsense[] = {-1, std::nan(""), 1.23456, 4294967296.0, -kWall};
    Profile p;
    for (uint8_t t : palette_) p.terrain_cost[t] = bytes_.pick(kCosts);
    p.moves = static_cast<Moves>(bytes_.below(8) == 7 ? 0 : 1);
    p.diagonal = static_cast<Diagonal>((bytes_.below(4) + 2) % 4);
    p.metric = static_cast<Metric>(bytes_.below(3));
    // First something that must be refused.
    if (bytes_.one_in(4)) {
      Profile bad = p;
      const int32_t kind = bytes_.below(5);
      if (kind == 0) bad.terrain_cost[bytes_.u8()] = bytes_.pick(kNonsense);
      if (kind == 1) bad.moves = static_cast<Moves>(2 + bytes_.below(254));
      if (kind == 2) bad.diagonal = static_cast<Diagonal>(4 + bytes_.below(252));
      if (kind == 3) bad.metric = static_cast<Metric>(3 + bytes_.below(253));
      if (kind == 4) bad.width = bytes_.below(5) - 4;
      ProfileId none = 77;
      const Fault fault = engine_.add_profile(bad, &none);
      require(fault.status == Status::bad_argument, "a bad profile gives ", name(fault.status));
    }
    for (double cost : p.terrain_cost) {
      if (cost != kWall) dearest_ = std::max(dearest_, cost);
    }
    profiles_.push_back(p);
    ids_.push_back(0);
    const Fault fault = engine_.add_profile(p, &ids_.back());
    if (fault) {
      require(fault.status == Status::bad_argument && may_overflow(),
              "a profile is refused: ", fault.text);
      return false;
    }
    if (committed_) check_view(view(profiles_.size() - 1), {seen_, p});
    return true;
  }

  View view(size_t i) const { return engine_.view(ids_[i]); }

  bool commit() {
    const Fault fault = engine_.commit();
    if (fault) {
      require(fault.status == Status::bad_argument && may_overflow(), "commit: ", fault.text);
      return false;
    }
    committed_ = true;
    seen_ = model_;
    for (size_t i = 0; i < profiles_.size(); ++i) check_view(view(i), {seen_, profiles_[i]});
    return true;
  }

  // -------------------------------------------------------------------------------------------
  // Queries

  void query() {
    static constexpr double kMaxCosts[] = {kWall, kWall, kWall, 0, 1, 5, 20.5, -1, 1e300};
    static constexpr int32_t kRadius[] = {64, 64, 2, 0, 1, -1, INT32_MAX};
    static const std::atomic<bool> kRaised{true}, kLowered{false};
    const size_t who = bytes_.below(2) % profiles_.size();
    const View v = view(who);
    Query q;
    q.start = some_cell();
    q.goal = some_cell();
    std::vector<Cell> goals;
    if (bytes_.one_in(4)) {
      for (int32_t n = bytes_.below(5); n > 0; --n) goals.push_back(some_cell());
      q.goals = bytes_.one_in(16) ? nullptr : goals.data();
      q.goal_count = goals.size();
    }
    const int32_t flags = bytes_.u8();
    q.snap_start = (flags & 3) == 3;
    q.snap_goal = (flags & 12) == 12;
    q.allow_partial = (flags & 16) != 0;
    q.output = flags & 32 ? Output::waypoints : Output::cells;
    q.smooth = (flags & 192) == 192;
    Trace trace;
    Cell walls[6];
    ExtraCost dearer[6];
    // Rarer ones.
    if (bytes_.one_in(3)) {
      q.snap_radius = bytes_.pick(kRadius);
      q.max_cost = bytes_.one_in(32) ? std::nan("") : bytes_.pick(kMaxCosts);
      if (bytes_.one_in(4)) q.max_expansions = 1 + bytes_.u8();
      if (bytes_.one_in(4)) q.cancel = bytes_.one_in(2) ? &kRaised : &kLowered;
      if (bytes_.one_in(8)) q.output = static_cast<Output>(bytes_.u8());
      if (bytes_.one_in(6)) {
        for (Cell& wall : walls) wall = some_cell();
        q.extra_blocked = bytes_.one_in(16) ? nullptr : walls;
        q.extra_blocked_count = static_cast<size_t>(bytes_.below(7));
      }
      if (bytes_.one_in(6)) {
        static constexpr double kExtra[] = {1, 1, 0, 2.5, 0.001, 1000, -1, 0.0001, 4294967295.0};
        for (ExtraCost& extra : dearer) extra = {some_cell(), bytes_.pick(kExtra)};
        q.extra_costs = bytes_.one_in(16) ? nullptr : dearer;
        q.extra_cost_count = static_cast<size_t>(bytes_.below(7));
      }
      q.escape_start = bytes_.one_in(6);
      q.goal_cover = bytes_.one_in(6);  // changes nothing for units of one cell
      if (bytes_.one_in(4)) q.trace = &trace;
    }
    const uint64_t slice = 1 + bytes_.below(60);
    if (v.empty()) {
      require(!committed_, "no view after a commit");
      require(asker_.ask(v, q).status == Status::bad_argument, "an empty view answers");
      return;
    }
    const Walker walker{seen_, profiles_[who]};
    try {
      if (q.extra_blocked_count || q.extra_cost_count || q.escape_start)
        compare_overlays(v, q, slice);
      else
        compare_solvers(v, walker, q, slice);
    } catch (const Problem& problem) {
      throw Problem(problem.what() + drawn(walker, q));
    }
    if (old_view_.empty()) {
      old_view_ = v;
      old_goals_ = goals;
      old_query_ = q;
      old_query_.trace = nullptr;
      old_query_.cancel = nullptr;
      old_query_.extra_blocked_count = old_query_.extra_cost_count = 0;
      old_query_.extra_blocked = nullptr;
      old_query_.extra_costs = nullptr;
      old_answer_ = asker_.ask(v, q_with_own_goals());
    }
  }

  // The query in words and its map, for the report.
  static std::string drawn(const Walker& walker, const Query& q) {
    const Model& model = walker.model;
    std::ostringstream out;
    out << "\n  from " << q.start << " to " << q.goal;
    for (size_t i = 0; q.goals && i < q.goal_count; ++i) out << " goal " << q.goals[i];
    out << ", snap " << q.snap_start << q.snap_goal << " radius " << q.snap_radius << ", partial "
        << q.allow_partial << ", output " << int(q.output) << ", smooth " << q.smooth
        << ", max_expansions " << q.max_expansions << ", max_cost " << q.max_cost << ", cancel "
        << (q.cancel != nullptr) << ", trace " << (q.trace != nullptr) << "\n  moves "
        << int(walker.profile.moves) << ", diagonal " << int(walker.profile.diagonal) << ", metric "
        << int(walker.profile.metric) << ", first cell " << model.definition.first_cell
        << ", factors";
    for (int32_t y = 0; y < model.definition.height; ++y) {
      out << "\n  ";
      for (int32_t x = 0; x < model.definition.width; ++x) {
        const double factor =
            walker.factor(model.cell(size_t(y) * size_t(model.definition.width) + size_t(x)));
        if (factor == kWall) {
          out << " #";
        } else if (factor == 1) {
          out << " .";
        } else {
          out << ' ' << factor;
        }
      }
    }
    return out.str();
  }

  Query q_with_own_goals() {
    if (old_query_.goals) old_query_.goals = old_goals_.data();
    return old_query_;
  }

  void compare_solvers(const View& v, const Walker& walker, Query q, uint64_t slice) {
    q.solver = solver_id("dijkstra");
    const Answer judge = judge_.ask(v, q);
    check_path(v, walker, q, judge);
    check_judge(v, walker, q, judge);
    // Is there a path at all?
    Query unlimited = q;
    unlimited.max_cost = kWall;
    unlimited.max_expansions = 0;
    unlimited.cancel = nullptr;
    unlimited.trace = nullptr;
    const bool connected = q.max_cost != kWall && judge_.ask(v, unlimited).status == Status::found;
    q.solver = slice % 2 ? -1 : solver_count();
    require(asker_.ask(v, q).status == Status::bad_argument, "there is no solver ", q.solver);
    Trace* const trace = std::exchange(q.trace, nullptr);
    for (SolverId id = 0; id < solver_count(); ++id) {
      const char* const who = solver_info(id).name;
      q.solver = id;
      const Answer answer = asker_.ask(v, q);
      check_path(v, walker, q, answer);
      if (id == SolverId(slice) % solver_count()) {
        // Whoever's turn it is answers again, with a warm Searcher, and in slices.
        const Answer again = asker_.ask(v, q), sliced = asker_.ask_in_slices(v, q, slice);
        require(again == answer, who, " says ", answer, ", the second time ", again);
        require(sliced == answer, who, " says ", answer, ", in slices of ", slice, " ", sliced);
      }
      if (trace && !q.max_expansions) {
        // Another solver may serve a query with a trace, and take another way of the same cost.
        Query traced = q;
        traced.trace = trace;
        expect_same(who, q, connected, asker_.ask(v, traced), answer);
        for (size_t i = 0; i < trace->size(); ++i) {
          const Trace::Event& event = trace->events()[i];
          require(walker.free(event.cell) && event.g >= 0, who, " traces ", event.cell);
        }
        trace->clear();
      }
      if (!solver_info(id).exact) continue;
      if (q.max_expansions || q.cancel) {
        // Where such a search ends is the solver's own matter; if it ends by itself, it must be
        // right.
        if (answer.status == Status::limit_reached || answer.status == Status::cancelled) continue;
        Query free = q;
        free.max_expansions = 0;
        free.cancel = nullptr;
        free.solver = solver_id("dijkstra");
        expect_same(who, q, connected, answer, judge_.ask(v, free));
        continue;
      }
      expect_same(who, q, connected, answer, judge);
    }
  }

  // The model knows nothing of what a query changes for itself: all solvers against the judge.
  void compare_overlays(const View& v, Query q, uint64_t slice) {
    q.solver = solver_id("dijkstra");
    q.max_expansions = 0;
    q.cancel = nullptr;
    q.trace = nullptr;
    const Answer judge = judge_.ask(v, q);
    for (SolverId id = 0; id < solver_count(); ++id) {
      const char* const who = solver_info(id).name;
      q.solver = id;
      const Answer answer = asker_.ask(v, q);
      const Answer sliced = asker_.ask_in_slices(v, q, slice);
      require(sliced == answer, who, " says ", answer, ", in slices of ", slice, " ", sliced);
      if (answer.status == Status::bad_argument)
        require(judge.status == answer.status, who, " refuses what the judge takes");
      else
        expect_same(who, q, true, answer, judge);
    }
    // A commit would say the same of what the walls cut off; here, that it says anything at all.
    bool parted = false;
    Searcher searcher;
    if (q.extra_blocked)
      require(!would_disconnect(searcher, v, q.extra_blocked, q.extra_blocked_count, nullptr, 0,
                                &parted),
              "would_disconnect fails");
  }

  static void expect_same(const char* who, const Query& q, bool connected, const Answer& a,
                          const Answer& judge) {
    // The judge knows no components: where nothing connects the ends it may meet max_cost first.
    // And how far a search comes within max_cost depends on its order.
    if (a.status == Status::limit_reached && judge.status == Status::limit_reached) return;
    if (q.max_cost != kWall && !connected &&
        (a.status == Status::limit_reached || judge.status == Status::limit_reached)) {
      const Status other = a.status == Status::limit_reached ? judge.status : a.status;
      require(other == Status::no_path || other == Status::partial, who, " says ", name(a.status),
              ", dijkstra ", name(judge.status));
      return;
    }
    require(a.status == judge.status, who, " says ", name(a.status), ", dijkstra ",
            name(judge.status));
    require(a.units == judge.units && about_equal(a.cost, judge.cost, 1e-7), who, " says ", a.cost,
            " (", a.units, "), dijkstra ", judge.cost, " (", judge.units, ")");
    require(a.goal_index == judge.goal_index, who, " reaches goal ", a.goal_index, ", dijkstra ",
            judge.goal_index);
    require(a.cells.empty() ||
                (a.cells.front() == judge.cells.front() && a.cells.back() == judge.cells.back()),
            who, " goes from or to another cell than dijkstra");
  }

  // What the documentation says of the status and the cost, for the plain queries.
  static void check_judge(const View& v, const Walker& walker, const Query& q, const Answer& a) {
    const Model& model = walker.model;
    require(v.line_of_sight(q.start, q.goal) == v.line_of_sight(q.goal, q.start),
            "line_of_sight is not symmetric");
    if (a.status == Status::bad_argument) {
      const bool nonsense = std::isnan(q.max_cost) || q.max_cost < 0 || q.goals || q.goal_count ||
                            q.output > Output::waypoints || q.snap_radius < 0;
      require(nonsense, "a good query is refused: ", a.message);
      return;
    }
    if (!a.cells.empty() && !q.snap_start) require(a.cells.front() == q.start, "another start");
    if (!a.cells.empty() && q.snap_start) check_snapped(walker, q, q.start, a.cells.front());
    if (q.goals || q.goal_count || q.max_expansions || q.cancel) return;
    if (a.status == Status::found && q.snap_goal) check_snapped(walker, q, q.goal, a.cells.back());
    if (q.snap_start || q.snap_goal) return;

    const bool start_in = model.contains(q.start), goal_in = model.contains(q.goal);
    switch (a.status) {
      case Status::start_out_of_bounds:
        return require(!start_in, "the start ", q.start, " is inside");
      case Status::goal_out_of_bounds:
        return require(!goal_in, "the goal ", q.goal, " is inside");
      case Status::start_blocked:
        return require(start_in && !walker.free(q.start), "the start is free");
      case Status::goal_blocked:
        return require(goal_in && !walker.free(q.goal), "the goal is free");
      default:
        break;
    }
    require(start_in && goal_in && walker.free(q.start), name(a.status), " from ", q.start, " to ",
            q.goal);
    require(walker.free(q.goal) || a.status == Status::partial ||
                (a.status == Status::limit_reached && q.allow_partial),
            name(a.status), " to the wall ", q.goal);
    const std::vector<double> best = walker.distances(q.start);
    const double cost = best[model.index(q.goal)];
    if (a.status == Status::found) {
      require(a.cells.back() == q.goal, "another goal");
      require(about_equal(a.cost, cost, 1e-7), "found ", a.cost, ", the model ", cost);
      require(v.estimate(q.start, q.goal) <= cost * (1 + 1e-7), "the estimate ",
              v.estimate(q.start, q.goal), " is above the cost ", cost);
      require(!(cost * (1 - 1e-7) > q.max_cost), "max_cost is not kept");
    }
    if (a.status == Status::no_path || a.status == Status::partial) {
      require(cost == kWall || cost * (1 + 1e-7) > q.max_cost, name(a.status),
              ", but the model finds ", cost);
      require((a.status == Status::partial) == q.allow_partial, name(a.status),
              " with allow_partial ", q.allow_partial);
    }
    if (a.status == Status::limit_reached) {
      require(cost * (1 + 1e-7) > q.max_cost || q.max_cost != q.max_cost, "no limit is reached at ",
              cost);
    }
    if (a.status == Status::partial && q.max_cost == kWall && a.cells.back() != q.goal) {
      check_nearest(walker, q, a, best);
    }
  }

  // The nearest free cell by the empty-grid distance, then by y, x, in the square of the radius.
  static void check_snapped(const Walker& walker, const Query& q, Cell given, Cell taken) {
    if (walker.free(given)) return require(taken == given, "a free cell was snapped");
    const auto rank = [&](Cell c) { return std::make_tuple(walker.away(given, c), c.y, c.x); };
    for (size_t i = 0; i < walker.model.terrain.size(); ++i) {
      const Cell c = walker.model.cell(i);
      if (!walker.free(c) || std::abs(int64_t{c.x} - given.x) > q.snap_radius ||
          std::abs(int64_t{c.y} - given.y) > q.snap_radius)
        continue;
      require(!(rank(c) < rank(taken)), "snapped to ", taken, ", and ", c, " is nearer");
    }
  }

  // A partial path ends where no reached cell is nearer to the goal, or as near and cheaper.
  static void check_nearest(const Walker& walker, const Query& q, const Answer& a,
                            const std::vector<double>& best) {
    const double end = walker.away(q.goal, a.cells.back());
    require(about_equal(a.cost, best[walker.model.index(a.cells.back())], 1e-7),
            "the partial path is not a cheapest one");
    for (size_t i = 0; i < best.size(); ++i) {
      if (best[i] == kWall) continue;
      const double here = walker.away(q.goal, walker.model.cell(i));
      require(here > end || about_equal(here, end, 1e-9), "the partial path ends at ",
              a.cells.back(), ", and ", walker.model.cell(i), " is nearer");
      require(!about_equal(here, end, 1e-9) || best[i] * (1 + 1e-7) >= a.cost,
              "the partial path ends at ", a.cells.back(), ", and ", walker.model.cell(i),
              " is as near and cheaper");
    }
  }

  Bytes bytes_;
  Asker judge_, asker_;
  Engine engine_;
  Model model_;  // all edits
  Model seen_;   // as of the last commit
  bool committed_ = false;
  std::vector<uint8_t> palette_;
  std::vector<Profile> profiles_;
  std::vector<ProfileId> ids_;
  double dearest_ = 0;
  View old_view_;
  Query old_query_;
  std::vector<Cell> old_goals_;
  Answer old_answer_{};
};

inline void fuzz_query(const uint8_t* data, size_t size) {
  EngineLife(data, size).run();
}

}  // namespace octile::fuzz
