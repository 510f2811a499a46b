// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The way of a query: checked, turned into ids, answered at once where components or equal ends
// or labels tell, else given to the solver that serves it, and written into the caller's Path.

#include <cmath>
#include <cstring>
#include <utility>

#include "engine/searcher.hpp"
#include "engine/solver_table.hpp"
#include "engine/wanted.hpp"
#include "index/label_way.hpp"
#include "search/nearest.hpp"

namespace octile {

namespace {

using Impl = Searcher::Impl;

constexpr uint64_t kSlice = 1024;  // expansions between two looks at the cancel flag

const char* message(Status status) noexcept {
  switch (status) {
    case Status::found:
      return "";
    case Status::partial:
      return "the goal cannot be reached; this is the way to the nearest cell";
    case Status::no_path:
      return "nothing connects the start with the goal";
    case Status::start_blocked:
      return "the start is a wall";
    case Status::goal_blocked:
      return "the goal is a wall";
    case Status::start_out_of_bounds:
      return "the start lies outside the map";
    case Status::goal_out_of_bounds:
      return "the goal lies outside the map";
    case Status::limit_reached:
      return "max_expansions or max_cost was reached";
    case Status::cancelled:
      return "the query was cancelled";
    case Status::cost_overflow:
      return "the cost of the path does not fit 63 bits";
    case Status::out_of_memory:
      return "memory is short";
    case Status::not_loaded:
      return "part of the map is not loaded";
    case Status::stale_index:
      return "the index does not belong to this view";
    case Status::bad_argument:
      return "the query makes no sense";
  }
  return "";
}

bool end(Path& path, Status status, const char* text = nullptr) noexcept {
  path.status = status;
  path.message = text ? text : message(status);
  return true;
}

void forget(Path& path) noexcept {
  path.clear();
  path.cost = 0;
  path.cost_units = 0;
  path.bound = 1;
  path.version = 0;
  path.goal_index = 0;
  path.expanded = 0;
  path.generated = 0;
  path.solver = kAuto;
}

// Writes the chain; true, since the query has ended.
bool deliver(Impl& s, Path& path, Status status) noexcept {
  path.bound = s.work.bound;
  if (s.work.written) return end(path, status);
  const Status written = write_path(s.task, s.work.chain, s.output, s.smooth, &path);
  if (written == Status::found) return end(path, status);
  path.clear();
  path.cost = 0;
  path.cost_units = 0;
  return end(path, written);
}

bool deliver_start(Impl& s, Path& path, Status status) noexcept {
  if (!s.work.chain.resize(1)) return end(path, Status::out_of_memory);
  s.work.chain[0] = s.task.start;
  return deliver(s, path, status);
}

// The limit in cost units: nothing that costs this or more is wanted.
Cost limit_units(double max_cost, const CellCosts& costs) noexcept {
  if (max_cost == kWall) return kMaxCost;
  const double units =
      max_cost / (costs.real.straight * costs.unit) * static_cast<double>(costs.steps.straight);
  if (!(units < 9.2e18)) return kMaxCost;
  // A caller who passes the cost of a path must get that path. Its double may lie below its sum in
  // units by rounding, and by half a unit where the units are fine and sqrt(2) is rounded.
  const double slack = costs.steps.straight >= 1000 ? 0.5 : 1e-6;
  return static_cast<Cost>(std::floor(units * (1 + 1e-12) + slack)) + 1;
}

const char* refuse_query(const Query& q) noexcept {
  if (q.solver < 0 || q.solver >= solver_count()) return "there is no solver of that id";
  if (q.goals && q.goal_count == 0) return "the goal set is empty";
  if (!q.goals && q.goal_count != 0) return "goal_count is set, but goals is null";
  if (q.goal_count > UINT32_MAX / 2) return "the goal set is too large";
  if (q.extra_blocked_count && !q.extra_blocked)
    return "extra_blocked_count is set, but extra_blocked is null";
  if (q.extra_cost_count && !q.extra_costs)
    return "extra_cost_count is set, but extra_costs is null";
  if (!(q.max_cost >= 0)) return "max_cost must be 0 or more";
  if (q.snap_radius < 0) return "snap_radius must be 0 or more";
  if (q.output > Output::waypoints) return "output has no such value";
  return nullptr;
}

// The nearest free cell to one that is a wall; unchanged when there is none in reach.
bool snap(Impl& s, uint32_t radius, CellId* id) noexcept {
  Cost distance = UINT64_MAX;
  if (!nearest_free(*s.task.world, *s.task.layer, *id, radius, kAnyComponent, &distance, &s.ties))
    return false;
  if (!s.ties.empty()) *id = s.ties[0];
  return true;
}

// The goals become the cells of the start's component that are nearest to one of the aims.
bool aim_for_nearest(Impl& s, uint32_t component) noexcept {
  Cost distance = UINT64_MAX;
  s.goals.clear();
  for (size_t i = 0; i < s.aims.size(); ++i) {
    const Cost before = distance;
    if (!nearest_free(*s.task.world, *s.task.layer, s.aims[i], UINT32_MAX, component, &distance,
                      &s.ties))
      return false;
    if (distance < before) s.goals.clear();
    for (const CellId id : s.ties) {
      bool known = false;
      for (const CellId goal : s.goals) known = known || goal == id;
      if (!known && !s.goals.push(id)) return false;
    }
  }
  // Among equals the first wins: that must be the least y, then x.
  for (size_t i = 1; i < s.goals.size(); ++i) {
    for (size_t k = i; k > 0 && Nearest::before(*s.task.world, s.goals[k], s.goals[k - 1]); --k)
      std::swap(s.goals[k], s.goals[k - 1]);
  }
  return true;
}

// Not by swapping, which would leave the larger room now here, now there: false: memory is short.
bool copy_chain(const Chain& from, Chain* to) noexcept {
  if (!to->resize(from.size())) return false;
  if (!from.empty()) std::memcpy(to->data(), from.data(), from.size() * sizeof(CellId));
  return true;
}

void lay_over(Impl& s) noexcept {
  s.task.overlay = &s.overlay;
  s.task.layer = &s.overlay.layer();
  s.task.costs = &s.overlay.costs();
}

// The way out of a blocked start; false: memory is short.
bool begin_escape(Impl& s) noexcept {
  const Task& task = s.task;
  if (!task.overlay && s.overlay.begin(*task.world, nullptr, 0, nullptr, 0).status != Status::found)
    return false;
  if (s.overlay.escape(*task.world, task.extra_blocked, task.extra_blocked_count, task.start)
          .status != Status::found)
    return false;
  lay_over(s);
  s.task.stepwise = true;
  return true;
}

// add(place) for the places where the unit covers a cell. Whoever comes from outside reaches one on
// the rim first, and at no higher cost. `fits` is set when some place is passable. False: add()
// failed.
template <class Add>
bool cover(const Impl& s, CellId cell, bool* fits, Add add) noexcept {
  const Task& task = s.task;
  const TileGrid& grid = task.layer->grid;
  const Footprint unit(task.world->profile);
  const auto x = static_cast<int32_t>(grid.px(cell)) - 64;
  const auto y = static_cast<int32_t>(grid.py(cell)) - 64;
  const Rect r = unit.places(grid, {x, y, 1, 1});
  const int32_t left = x - (unit.width - 1 - unit.anchor.x), right = x + unit.anchor.x;
  const int32_t top = y - (unit.height - 1 - unit.anchor.y), bottom = y + unit.anchor.y;
  for (int32_t py = r.y; py < r.y + r.height; ++py) {
    for (int32_t px = r.x; px < r.x + r.width; ++px) {
      const CellId place = grid.id(static_cast<uint32_t>(px + 64), static_cast<uint32_t>(py + 64));
      const bool rim = px == left || px == right || py == top || py == bottom;
      if (!rim && place != task.start) continue;
      *fits = *fits || task.layer->passable(place);
      if (!add(place)) return false;
    }
  }
  return true;
}

// What labels say about the map without the overlay is right with it when their path is untouched:
// every other path costs as much as before, or more. False: memory is short.
bool by_index(Impl& s, SolverId asked, Path& path, bool* ended) noexcept {
  const Task& task = s.task;
  const bool labels = task.index && (task.index->info.kind == IndexKind::tile_labels ||
                                     task.index->info.kind == IndexKind::subgoal_labels);
  if (!labels || task.stepwise) return true;
  Task plain = task;
  plain.layer = &task.world->layer;
  plain.costs = &task.world->costs;
  plain.overlay = nullptr;
  plain.limit = kMaxCost;
  plain.cells = nullptr;
  const SolverId id = choose_solver(asked, plain);
  if (!needs_index(id)) return true;
  // 1. Their answer, in one step.
  s.work.chain.clear();
  s.work.state.begin(plain.limit);
  if (solver(id).run(s.work, plain, true, UINT64_MAX) == Progress::out_of_memory) return false;
  if (!s.work.state.found) {
    path.solver = id;
    return *ended = end(path, Status::no_path);
  }
  // 2. Is every step as it was? From cell to cell of the chain diagonal first, then straight.
  const TileGrid& grid = task.layer->grid;
  const StepCosts length = task.costs->steps;
  const bool dearer = !task.costs->uniform;
  Chain& steps = s.steps;  // where weights are to be added up
  steps.clear();
  CellId at = task.start;
  Cost cost = 0;
  uint64_t count = 0;
  bool fits = steps.push(at);
  const auto go = [&](uint32_t d, uint32_t times) {
    for (uint32_t i = 0; i < times; ++i) {
      if (!(task.layer->moves(at) >> d & 1)) return false;
      at += static_cast<uint32_t>(task.layer->steps.of(at)[d]);
      if (!dearer) continue;
      if (s.overlay.dearer(at)) return false;
      fits = fits && steps.push(at);
    }
    cost += times * (d & 1 ? length.diagonal : length.straight);
    count += times;
    return true;
  };
  for (size_t i = 1; i < s.work.chain.size(); ++i) {
    const CellId to = s.work.chain[i];
    const auto dx = static_cast<int32_t>(grid.px(to) - grid.px(at));
    const auto dy = static_cast<int32_t>(grid.py(to) - grid.py(at));
    const auto ax = static_cast<uint32_t>(dx < 0 ? -dx : dx);
    const auto ay = static_cast<uint32_t>(dy < 0 ? -dy : dy);
    const uint32_t x = dx > 0 ? 2 : dx < 0 ? 0 : 1, y = dy > 0 ? 2 : dy < 0 ? 0 : 1;
    const uint32_t diagonal = ax < ay ? ax : ay, straight = (ax < ay ? ay : ax) - diagonal;
    if (diagonal && !go(kStepDirection[y * 3 + x], diagonal)) return true;
    if (straight && !go(kStepDirection[ax > ay ? 3 + x : y * 3 + 1], straight)) return true;
  }
  if (!fits) return false;
  // The finer unit of extra costs orders paths as the index does up to so many steps only.
  if (dearer) {
    if (count >= kWeightedOctile.straight || !multiply(cost, s.overlay.scale(), &cost)) return true;
    if (!copy_chain(steps, &s.work.chain)) return false;
  }
  path.solver = id;
  *ended = true;
  if (cost >= task.limit) return end(path, Status::limit_reached);
  deliver(s, path, Status::found);
  return path.status != Status::out_of_memory;
}

// What is the same for every query of a View: nothing is done, nothing laid over.
inline void begin_task(Impl& s, const View::Impl& view) noexcept {
  const WorldView& world = view.world;
  Task& task = s.task;
  task.world = &world;
  task.layer = &world.layer;
  task.costs = &world.costs;
  task.index = view.index;
  task.stale = &view.stale;
  task.overlay = nullptr;
  task.stepwise = false;
  s.within = s.expanded = s.generated = 0;
  s.success = Status::found;
  s.work.declined = s.work.written = false;
  s.work.bound = 1;
}

// Checks the query and answers it if that needs no search: true when it has ended.
bool prepare(Impl& s, const View::Impl* view, const Query& query, Path& path) noexcept {
  s.running = false;

  // 1. The call itself.
  path.solver = query.solver;
  if (!view) return end(path, Status::bad_argument, "the view is empty: commit first");
  path.version = view->world.map.version;
  if (const char* text = refuse_query(query)) return end(path, Status::bad_argument, text);
  const WorldView& world = view->world;
  const TileGrid& grid = world.map.grid;
  begin_task(s, *view);
  Task& task = s.task;
  task.trace = query.trace;
  task.cells = query.output == Output::cells && !query.smooth ? &path : nullptr;
  s.output = query.smooth ? Output::waypoints : query.output;
  s.smooth = query.smooth;
  s.max_expansions = query.max_expansions;
  s.cancel = query.cancel;
  if (s.cancel && s.cancel->load(std::memory_order_relaxed)) return end(path, Status::cancelled);

  // 2. The start, on the map as this query sees it.
  if (!grid.contains(query.start)) return end(path, Status::start_out_of_bounds);
  task.start = grid.id(query.start);
  if (world.map.absent_tiles && want_start(world, s, &path)) return true;
  task.extra_blocked = query.extra_blocked;
  task.extra_blocked_count = query.extra_blocked_count;
  task.extra_costs = query.extra_costs;
  task.extra_cost_count = query.extra_cost_count;
  if (query.extra_blocked_count || query.extra_cost_count) {
    const Overlay::Result made =
        s.overlay.begin(world, query.extra_blocked, query.extra_blocked_count, query.extra_costs,
                        query.extra_cost_count);
    if (made.status != Status::found) return end(path, made.status, made.text);
    if (s.overlay.active()) lay_over(s);
  }
  if (!task.layer->passable(task.start)) {
    if (query.escape_start) {
      if (!begin_escape(s)) return end(path, Status::out_of_memory);
    } else {
      if (query.snap_start && !snap(s, static_cast<uint32_t>(query.snap_radius), &task.start))
        return end(path, Status::out_of_memory);
      if (!task.layer->passable(task.start)) return end(path, Status::start_blocked);
    }
  }
  task.limit = limit_units(query.max_cost, *task.costs);

  // 3. The goals: those that no path can reach are struck out.
  const Cell* cells = query.goals ? query.goals : &query.goal;
  const size_t count = query.goals ? query.goal_count : 1;
  const bool judge = is_judge(query.solver);
  // Components tell less where an overlay closes ways, and nothing of blocked starts.
  task.stepwise = task.stepwise || (task.overlay && query.allow_partial);
  // Labels tell by themselves what is connected, and looking up components would take as long. Who
  // is watched searches instead.
  const bool by_search =
      judge || task.stepwise ||
      (tells_connections(query.solver, task.index) && !query.goals && !query.allow_partial &&
       !query.trace && !task.overlay && !query.goal_cover);
  const uint32_t component = by_search ? 0 : world.components.of(task.start);
  bool any_free = false, any_near = false, at_goal = false;
  s.aims.clear();
  s.goals.clear();
  s.owner.clear();
  const auto add_goal = [&](CellId id, size_t i) {
    const bool free = task.layer->passable(id);
    const bool near = free && (by_search || world.components.of(id) == component);
    // Free steps may reach an earlier goal of the list at no cost: that takes a search.
    if (near && id == task.start && !at_goal && (i == 0 || world.costs.least_weight > 0)) {
      at_goal = true;
      path.goal_index = i;
    }
    any_free = any_free || free;
    any_near = any_near || near;
    return s.aims.push(id) && s.goals.push(near ? id : kNoCell) &&
           (!query.goal_cover || s.owner.push(static_cast<uint32_t>(i)));
  };
  for (size_t i = 0; i < count; ++i) {
    if (!grid.contains(cells[i])) return end(path, Status::goal_out_of_bounds);
    CellId id = grid.id(cells[i]);
    if (world.map.absent_tiles && !note_goal(world, id, s)) return end(path, Status::out_of_memory);
    if (query.goal_cover) {
      bool fits = false;
      if (!cover(s, id, &fits, [&](CellId place) { return add_goal(place, i); }))
        return end(path, Status::out_of_memory);
      if (fits || !query.snap_goal) continue;
    }
    if (query.snap_goal && !task.layer->passable(id) &&
        !snap(s, static_cast<uint32_t>(query.snap_radius), &id))
      return end(path, Status::out_of_memory);
    if (!add_goal(id, i)) return end(path, Status::out_of_memory);
  }
  if (s.aims.size() > UINT32_MAX / 2) return end(path, Status::bad_argument, "too many goals");
  if (at_goal) return deliver_start(s, path, Status::found);
  const bool limited = s.max_expansions != 0 || task.limit != kMaxCost;
  task.capped = s.max_expansions != 0;
  task.nearest = query.allow_partial && (limited || judge || task.stepwise);
  if (!any_near && !judge && !task.stepwise) {
    if (!query.allow_partial) return end(path, any_free ? Status::no_path : Status::goal_blocked);
    if (!aim_for_nearest(s, component)) return end(path, Status::out_of_memory);
    s.success = Status::partial;
    // Free steps may reach a goal that comes first at no cost: that takes a search.
    for (const CellId goal : s.goals)
      if (goal == task.start && (goal == s.goals[0] || world.costs.least_weight > 0))
        return deliver_start(s, path, Status::partial);
  } else if (!any_free && !query.allow_partial) {
    return end(path, Status::goal_blocked);
  }
  task.aims = s.aims.data();
  task.aim_count = static_cast<uint32_t>(s.aims.size());
  task.goals = s.goals.data();
  task.goal_count = static_cast<uint32_t>(s.goals.size());

  // 4. Who answers.
  if (task.overlay) {
    bool ended = false;
    if (!by_index(s, query.solver, path, &ended)) return end(path, Status::out_of_memory);
    if (ended) return true;
    task.index = nullptr;  // they know nothing of the overlay
    task.stale = nullptr;
  }
  s.solver = choose_solver(query.solver, task);
  path.solver = s.solver;
  s.first = true;
  s.running = true;
  return false;
}

// Components do not tell what an overlay has cut off. So when a search under one has ended at the
// limit, another without it tells whether there is any way at all. Keeps what a partial answer
// needs of the first; false: memory is short.
bool look_beyond(Impl& s) noexcept {
  if (s.task.nearest) {
    if (!solver(s.solver).settle(s.work, s.task)) return false;
    if (s.work.chain.empty() && !s.work.chain.push(s.task.start)) return false;
    if (!copy_chain(s.work.chain, &s.steps)) return false;
  }
  s.within = s.task.limit;
  s.task.limit = kMaxCost;
  s.expanded = s.work.state.expanded;
  s.generated = s.work.state.generated;
  s.work.chain.clear();
  s.work.state.begin(kMaxCost);
  s.first = true;
  return true;
}

// What that search has told.
bool end_beyond(Impl& s, Path& path) noexcept {
  const State& state = s.work.state;
  const Nearest& nearest = s.work.watch.nearest;
  const bool a_way = state.found || state.cut || state.overflow;
  if (!s.task.nearest) return end(path, a_way ? Status::limit_reached : Status::no_path);
  if (a_way || (nearest.id != kNoCell && nearest.g >= s.within)) {
    if (!copy_chain(s.steps, &s.work.chain)) return end(path, Status::out_of_memory);
    return deliver(s, path, Status::limit_reached);
  }
  if (!solver(s.solver).settle(s.work, s.task)) return end(path, Status::out_of_memory);
  if (s.work.chain.empty()) return deliver_start(s, path, Status::partial);
  return deliver(s, path, Status::partial);
}

// One slice: true when the query has ended.
bool advance(Impl& s, uint64_t expansions, Path& path) noexcept {
  State& state = s.work.state;
  if (s.first) {
    s.work.chain.clear();
    state.begin(s.task.limit);
  }
  while (expansions > 0) {
    if (s.cancel && s.cancel->load(std::memory_order_relaxed)) return end(path, Status::cancelled);
    uint64_t budget = expansions < kSlice ? expansions : kSlice;
    // A way that is known already is finished, past the limit: only the proof is missing.
    const bool capped = s.max_expansions != 0 && !state.found;
    if (capped && s.max_expansions - state.expanded < budget)
      budget = s.max_expansions - state.expanded;
    const Solver& chosen = solver(s.solver);
    const Progress progress = chosen.run(s.work, s.task, s.first, budget);
    s.first = s.work.declined;
    if (s.work.declined) {
      s.work.declined = false;
      s.solver = choose_solver(other_solver(s.solver), s.task);
      path.solver = s.solver;
      continue;
    }
    expansions -= expansions < kSlice ? expansions : kSlice;
    path.expanded = s.expanded + state.expanded;
    path.generated = s.generated + state.generated;
    if (progress == Progress::out_of_memory) return end(path, Status::out_of_memory);
    if (progress == Progress::ended && s.within != 0) return end_beyond(s, path);
    if (progress == Progress::ended && state.found) {
      path.goal_index = s.success == Status::partial ? 0
                        : s.owner.empty()            ? state.goal
                                                     : s.owner[state.goal];
      return deliver(s, path, s.success);
    }
    // Without a limit on the cost, what was cut did not fit 63 bits.
    const bool limited = s.task.limit != kMaxCost;
    const bool spent = s.max_expansions != 0 && !state.found && state.expanded >= s.max_expansions;
    const bool at_limit = progress == Progress::ended ? state.cut && limited : spent;
    if (progress == Progress::paused && !at_limit) continue;

    // No goal was reached.
    if (at_limit && s.task.overlay && s.max_expansions == 0 && !is_judge(s.solver)) {
      if (!look_beyond(s)) return end(path, Status::out_of_memory);
      continue;
    }
    if (!at_limit && (state.overflow || (state.cut && !limited)))
      return end(path, Status::cost_overflow);
    if (!s.task.nearest) return end(path, at_limit ? Status::limit_reached : Status::no_path);
    if (!chosen.settle(s.work, s.task)) return end(path, Status::out_of_memory);
    if (s.work.chain.empty())
      return deliver_start(s, path, at_limit ? Status::limit_reached : Status::partial);
    return deliver(s, path, at_limit ? Status::limit_reached : Status::partial);
  }
  return false;
}

// True for most queries by far: all cells from one cell to another, and nothing else.
bool is_plain(const Query& q) noexcept {
  // One guess for all of it.
  const uint32_t flags = uint32_t{q.allow_partial} | uint32_t{q.smooth} | uint32_t{q.goal_cover} |
                         uint32_t{q.output != Output::cells} | uint32_t{q.max_cost != kWall} |
                         uint32_t{q.snap_radius < 0};
  const uint64_t counts =
      q.goal_count | q.max_expansions | q.extra_blocked_count | q.extra_cost_count;
  const auto set = [](const void* p) { return reinterpret_cast<uintptr_t>(p); };
  const uintptr_t lists =
      set(q.goals) | set(q.trace) | set(q.cancel) | set(q.extra_blocked) | set(q.extra_costs);
  return !(flags | counts | lists);
}

// What prepare() makes of a plain query that only a search can answer, as both ends are passable
// and connected. False: it is another one, and prepare() must look at it.
bool prepare_plain(Impl& s, const View::Impl& view, const Query& query, Path& path) noexcept {
  const WorldView& world = view.world;
  const TileGrid& grid = world.map.grid;
  if (world.map.absent_tiles || query.solver < 0 || query.solver >= solver_count() ||
      is_judge(query.solver) || !grid.contains(query.start) || !grid.contains(query.goal))
    return false;
  const CellId start = grid.id(query.start), goal = grid.id(query.goal);
  if (start == goal || !world.layer.passable(start) || !world.layer.passable(goal) ||
      world.components.of(start) != world.components.of(goal))
    return false;
  // The first query of a Searcher makes room for others, and says so where there is none.
  if (s.aims.capacity() == 0 || s.goals.capacity() == 0) return false;
  begin_task(s, view);
  Task& task = s.task;
  task.extra_blocked = nullptr;
  task.extra_blocked_count = 0;
  task.extra_costs = nullptr;
  task.extra_cost_count = 0;
  task.capped = task.nearest = false;
  task.trace = nullptr;
  task.start = start;
  s.aims.resize(1);
  s.goals.resize(1);
  s.aims[0] = s.goals[0] = goal;
  task.aims = s.aims.data();
  task.goals = s.goals.data();
  task.aim_count = task.goal_count = 1;
  task.limit = kMaxCost;
  task.cells = &path;
  s.owner.clear();
  s.output = Output::cells;
  s.smooth = false;
  s.max_expansions = 0;
  s.cancel = nullptr;
  path.version = world.map.version;
  path.solver = s.solver = choose_solver(query.solver, task);
  s.first = s.running = true;
  return true;
}

}  // namespace

// Most queries by far, where labels can answer them. What it leaves prepare() looks at, which would
// give the same answer to the others.
bool find_by_labels(Searcher& searcher, const View& of, SolverId id, Cell from, Cell to,
                    Path& path) noexcept {
  const View::Impl* view = of.impl();
  if (!view || !view->index || view->index->info.kind != IndexKind::tile_labels ||
      view->world.map.absent_tiles || (id != kAuto && !tells_connections(id, view->index)))
    return false;
  const TileGrid& grid = view->world.map.grid;
  if (!grid.contains(from) || !grid.contains(to)) return false;
  const LabelTables& tables = view->index->labels;
  const Point start = point_of(grid, from), goal = point_of(grid, to);
  tables.prefetch(start);
  tables.prefetch(goal);
  if (start == goal || !tables.sight.passable(start) || !tables.sight.passable(goal)) return false;

  forget(path);
  Impl* s = searcher.workspace();
  if (!s) return end(path, Status::out_of_memory);
  if (!s->held.empty()) s->held = View();
  s->running = false;
  path.version = view->world.map.version;
  path.solver = labels_id();
  LabelWay way(tables);
  const Status status = way.find(start, goal, &s->work.reach);
  if (status != Status::found) return end(path, status);
  Cell* out = path.resize(size_t{way.steps} + 1);
  if (!out) return end(path, Status::out_of_memory);
  way.write(grid.first, out);
  put_cost(view->world.costs, way.steps - way.diagonal, way.diagonal, &path);
  return end(path, Status::found);
}

// The caller's View outlives the call, so nothing holds it.
void find(Searcher& searcher, const View& view, const Query& query, Path& path) noexcept {
  const bool plain = is_plain(query);
  if (plain && find_by_labels(searcher, view, query.solver, query.start, query.goal, path)) return;
  forget(path);
  Impl* s = searcher.workspace();
  if (!s) {
    end(path, Status::out_of_memory);
    return;
  }
  if (!s->held.empty()) s->held = View();
  const View::Impl* const v = view.impl();
  if ((plain && v && prepare_plain(*s, *v, query, path)) || !prepare(*s, v, query, path)) {
    while (!advance(*s, UINT64_MAX, path)) {
    }
    s->running = false;
  }
  if (view.absent_tiles()) want_tiles(view.impl()->world, *s, &path);
}

Searcher::~Searcher() {
  delete impl_;
}
Searcher::Searcher(Searcher&& other) noexcept {
  std::swap(impl_, other.impl_);
}
Searcher& Searcher::operator=(Searcher&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}

Searcher::Impl* Searcher::workspace() noexcept {
  if (!impl_) impl_ = new (std::nothrow) Impl;
  return impl_;
}

void Searcher::begin(const View& view, const Query& query, Path& path) noexcept {
  forget(path);
  if (!workspace()) {
    end(path, Status::out_of_memory);
    return;
  }
  impl_->held = View();
  if (!prepare(*impl_, view.impl(), query, path)) {
    impl_->held = view;
  } else if (view.absent_tiles()) {
    want_tiles(view.impl()->world, *impl_, &path);
  }
}

bool Searcher::step(uint64_t expansions, Path& path) noexcept {
  if (!impl_ || !impl_->running) return true;
  if (!advance(*impl_, expansions, path)) return false;
  impl_->running = false;
  if (impl_->held.absent_tiles()) want_tiles(impl_->held.impl()->world, *impl_, &path);
  impl_->held = View();
  return true;
}

bool Searcher::head(Path& head) noexcept {
  forget(head);
  if (!impl_ || !impl_->running || impl_->smooth || solver_info(impl_->solver).exact ||
      impl_->work.chain.size() < 2)
    return false;
  if (write_path(impl_->task, impl_->work.chain, impl_->output, false, &head) != Status::found)
    return false;
  const WorldView& world = *impl_->task.world;
  if (world.map.absent_tiles && !all_loaded(world, head, *impl_)) {
    forget(head);
    return false;
  }
  head.version = world.map.version;
  head.solver = impl_->solver;
  return end(head, Status::partial, "the rest of the way is still searched");
}

uint32_t* label_room(Searcher& searcher, size_t n) noexcept {
  Impl* s = searcher.workspace();
  return s && s->work.reach.reserve(n) ? s->work.reach.data() : nullptr;
}

size_t Searcher::memory_bytes() const noexcept {
  if (!impl_) return 0;
  return sizeof(Impl) + impl_->work.bytes() + impl_->aims.bytes() + impl_->goals.bytes() +
         impl_->ties.bytes() + impl_->wanted.bytes() + impl_->owner.bytes() + impl_->steps.bytes() +
         impl_->overlay.bytes() + impl_->what_if.bytes();
}

void Searcher::release() noexcept {
  delete impl_;
  impl_ = nullptr;
}

}  // namespace octile
