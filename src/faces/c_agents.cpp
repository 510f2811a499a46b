// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile.h from groups on: units that share a map, their steps and plans.

#include <cstring>
#include <new>

#include "faces/c_objects.hpp"

namespace octile::c {

static_assert(OCTILE_FORMATION_KEEP_SHAPE == static_cast<int>(Formation::keep_shape));
static_assert(GroupOptions::kFilesByPassage == -1);
static_assert(OCTILE_OUTCOME_PINNED == static_cast<int>(StepOutcome::pinned));
static_assert(OCTILE_OBJECTIVE_MAKESPAN == static_cast<int>(PlanObjective::makespan));
static_assert(OCTILE_PLAN_CANCELLED == static_cast<int>(PlanStatus::cancelled));
static_assert(OCTILE_DEFECT_WRONG_GOAL == static_cast<int>(PlanDefect::wrong_goal));

static_assert(sizeof(octile_group_friend) == sizeof(GroupFriend));
static_assert(offsetof(octile_group_friend, speed) == offsetof(GroupFriend, speed));

namespace {

template <class Change>
int32_t change_planner(octile_planner planner, Change change) noexcept {
  Use<PlannerObject> p(planner.value);
  if (!p) return OCTILE_BAD_ARGUMENT;
  return told(change(p->planner));
}

// Views, one for each kind of unit. More kinds than that nobody has; a count that was made up is
// not believed.
struct ViewList {
  static constexpr size_t kMost = 64;
  View view[kMost];

  int32_t read(const octile_view* views, size_t count) noexcept {
    if (bad_buffer(views, count)) return bad("the views are null");
    if (count > kMost) return bad("more than 64 views");
    for (size_t i = 0; i < count; ++i) {
      Use<ViewObject> v(views[i].value);
      if (!v) return OCTILE_BAD_ARGUMENT;
      view[i] = v->view;
    }
    return OCTILE_FOUND;
  }
};

// `view_of` may be null. False: memory is short.
bool list_tasks(const octile_pair* tasks, const uint32_t* view_of, size_t count,
                detail::Buffer<AgentTask>* list) noexcept {
  if (count > UINT32_MAX / 2 || !list->resize(count)) return false;
  for (size_t i = 0; i < count; ++i)
    (*list)[i] = {cell_of(tasks[i].a), cell_of(tasks[i].b), view_of ? view_of[i] : 0};
  return true;
}

octile_plan_costs costs_of(const PlanCosts& c) noexcept {
  return {c.makespan, c.sum_of_costs, c.sum_of_loss, c.makespan_bound, c.sum_bound};
}

}  // namespace

extern "C" {

// ---------------------------------------------------------------------------------------------
// Groups

OCTILE_C_API int32_t octile_group_options_init(octile_group_options* options) {
  if (!options) return bad("the options are null");
  *options = {};
  options->size = sizeof *options;
  const GroupOptions usual;
  options->allow_partial = usual.allow_partial;
  options->friend_moving = usual.friend_costs.moving;
  options->friend_resting = usual.friend_costs.resting;
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_group_order(octile_searcher searcher, const octile_view* views,
                                        size_t view_count, const octile_group_unit* units,
                                        size_t count, const octile_cell* goal,
                                        const octile_group_options* options,
                                        octile_group_slot* slots, octile_group_answer* answer) {
  if (!goal || bad_buffer(units, count) || bad_buffer(slots, count))
    return bad("the goal, or an array, is null");
  GroupOptions o;
  if (options) {
    if (int32_t s = check_size(options, "octile_group_options")) return s;
    if (options->formation < OCTILE_FORMATION_COMPACT ||
        options->formation > OCTILE_FORMATION_KEEP_SHAPE)
      return bad("there is no such formation");
    o.formation = static_cast<Formation>(options->formation);
    o.facing = cell_of(options->facing);
    o.spacing = options->spacing;
    o.files = options->files;
    o.allow_partial = options->allow_partial != 0;
    if (bad_buffer(options->friends, options->friend_count)) return bad("the friends are null");
    o.friends = same<const GroupFriend>(options->friends);
    o.friend_count = options->friend_count;
    o.friend_costs = {options->friend_moving, options->friend_resting};
  }
  if (answer)
    if (int32_t s = check_size(answer, "octile_group_answer")) return s;
  Use<SearcherObject> s(searcher.value);
  if (!s) return OCTILE_BAD_ARGUMENT;
  ViewList copies;
  if (int32_t e = copies.read(views, view_count)) return e;
  if (count > SIZE_MAX / sizeof(GroupSlot)) return short_of_memory();
  detail::Buffer<GroupSlot> made;
  if (!made.resize(count)) return short_of_memory();
  s->end_slices();
  GroupAnswer a;
  if (const Fault fault =
          order_group(s->searcher, copies.view, view_count, same<const GroupUnit>(units), count,
                      cell_of(*goal), o, made.data(), &a))
    return told(fault);
  for (size_t i = 0; i < count; ++i)
    slots[i] = {static_cast<int32_t>(made[i].status),
                {made[i].cell.x, made[i].cell.y},
                made[i].rank,
                made[i].distance,
                made[i].pace};
  if (answer)
    *answer = {sizeof *answer, a.optimal, a.placed, a.partial, a.left, a.longest, a.total};
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_friend_costs(const octile_pair* way, const octile_group_friend* friends,
                                         size_t count, double moving, double resting,
                                         octile_extra_cost* out) {
  if (!way || bad_buffer(friends, count) || bad_buffer(out, count))
    return bad("the way, or an array, is null");
  return told(friend_costs(cell_of(way->a), cell_of(way->b), same<const GroupFriend>(friends),
                           count, {moving, resting}, same<ExtraCost>(out)));
}

// ---------------------------------------------------------------------------------------------
// Step planner

OCTILE_C_API int32_t octile_planner_options_init(octile_planner_options* options) {
  if (!options) return bad("the options are null");
  const StepOptions usual;
  *options = {sizeof *options, usual.patience, usual.seed, usual.table_bytes};
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_planner_create(octile_planner* out) {
  if (!out) return bad(kNullOut);
  return enter_object(new (std::nothrow) PlannerObject, out);
}

OCTILE_C_API int32_t octile_planner_destroy(octile_planner planner) {
  return destroy(planner.value, Kind::planner);
}

OCTILE_C_API int32_t octile_planner_reset(octile_planner planner, octile_view view,
                                          const octile_agent* agents, size_t count,
                                          const octile_planner_options* options) {
  return octile_planner_reset_views(planner, &view, 1, nullptr, agents, count, options);
}

OCTILE_C_API int32_t octile_planner_reset_views(octile_planner planner, const octile_view* views,
                                                size_t view_count, const uint32_t* view_of,
                                                const octile_agent* agents, size_t count,
                                                const octile_planner_options* options) {
  if (bad_buffer(agents, count)) return bad("the agents are null");
  StepOptions o;
  if (options) {
    if (int32_t s = check_size(options, "octile_planner_options")) return s;
    o.seed = options->seed;
    o.patience = options->patience;
    o.table_bytes = size_of(options->table_bytes);
  }
  Use<PlannerObject> p(planner.value);
  if (!p) return OCTILE_BAD_ARGUMENT;
  ViewList copies;
  if (int32_t e = copies.read(views, view_count)) return e;
  if (count > UINT32_MAX / 2) return bad("too many agents");
  detail::Buffer<StepAgent> list;
  if (!list.resize(count)) return short_of_memory();
  for (size_t i = 0; i < count; ++i) {
    const octile_agent& a = agents[i];
    StepAgent agent;
    agent.cell = cell_of(a.cell);
    agent.goal = cell_of(a.goal);
    agent.has_goal = a.has_goal != 0;
    agent.pinned = a.pinned != 0;
    agent.pushable = a.pushable != 0;
    agent.priority = a.priority;
    agent.view = view_of ? view_of[i] : 0;
    list[i] = agent;
  }
  return told(p->planner.reset(copies.view, view_count, list.data(), count, o));
}

OCTILE_C_API int32_t octile_planner_change_view(octile_planner planner, octile_view view) {
  return octile_planner_change_views(planner, &view, 1);
}

OCTILE_C_API int32_t octile_planner_change_views(octile_planner planner, const octile_view* views,
                                                 size_t view_count) {
  ViewList copies;
  if (int32_t e = copies.read(views, view_count)) return e;
  return change_planner(planner,
                        [&](StepPlanner& p) { return p.change_view(copies.view, view_count); });
}

OCTILE_C_API int32_t octile_planner_set_goal(octile_planner planner, size_t agent, int32_t x,
                                             int32_t y) {
  return change_planner(planner, [&](StepPlanner& p) { return p.set_goal(agent, {x, y}); });
}

OCTILE_C_API int32_t octile_planner_clear_goal(octile_planner planner, size_t agent) {
  return change_planner(planner, [&](StepPlanner& p) { return p.clear_goal(agent); });
}

OCTILE_C_API int32_t octile_planner_set_pinned(octile_planner planner, size_t agent,
                                               int32_t pinned) {
  return change_planner(planner, [&](StepPlanner& p) { return p.set_pinned(agent, pinned != 0); });
}

OCTILE_C_API int32_t octile_planner_set_pushable(octile_planner planner, size_t agent,
                                                 int32_t pushable) {
  return change_planner(planner,
                        [&](StepPlanner& p) { return p.set_pushable(agent, pushable != 0); });
}

OCTILE_C_API int32_t octile_planner_set_priority(octile_planner planner, size_t agent,
                                                 uint8_t priority) {
  return change_planner(planner, [&](StepPlanner& p) { return p.set_priority(agent, priority); });
}

OCTILE_C_API int32_t octile_planner_step(octile_planner planner) {
  return change_planner(planner, [](StepPlanner& p) { return p.step(); });
}

OCTILE_C_API int32_t octile_planner_cells(octile_planner planner, size_t first, octile_cell* out,
                                          size_t capacity, size_t* length) {
  if (!length || bad_buffer(out, capacity)) return bad(kNullBuffer);
  Use<PlannerObject> p(planner.value);
  if (!p) return OCTILE_BAD_ARGUMENT;
  const size_t have = p->planner.agents();
  *length = first < have ? have - first : 0;
  for (size_t i = 0; i < *length && i < capacity; ++i) {
    const Cell cell = p->planner.cell(first + i);
    out[i] = {cell.x, cell.y};
  }
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_planner_states(octile_planner planner, size_t first,
                                           octile_agent_state* out, size_t capacity,
                                           size_t* length) {
  if (!length || bad_buffer(out, capacity)) return bad(kNullBuffer);
  Use<PlannerObject> use(planner.value);
  if (!use) return OCTILE_BAD_ARGUMENT;
  const StepPlanner& p = use->planner;
  const size_t have = p.agents();
  *length = first < have ? have - first : 0;
  for (size_t i = 0; i < *length && i < capacity; ++i) {
    const size_t a = first + i;
    const Cell cell = p.cell(a), goal = p.goal(a);
    out[i] = {{cell.x, cell.y},
              {goal.x, goal.y},
              p.steps_left(a),
              static_cast<uint8_t>(p.outcome(a)),
              p.arrived(a),
              p.reachable(a),
              {}};
  }
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_planner_describe(octile_planner planner, octile_planner_info* info) {
  if (!info) return bad(kNullOut);
  if (int32_t s = check_size(info, "octile_planner_info")) return s;
  Use<PlannerObject> use(planner.value);
  if (!use) return OCTILE_BAD_ARGUMENT;
  const StepPlanner& p = use->planner;
  *info = {sizeof *info, p.stalled(),    p.agents(),      p.ticks(),
           p.arrivals(), p.on_the_way(), p.memory_bytes()};
  return OCTILE_FOUND;
}

// ---------------------------------------------------------------------------------------------
// Plans

OCTILE_C_API int32_t octile_plan_options_init(octile_plan_options* options) {
  if (!options) return bad("the options are null");
  *options = {};
  options->size = sizeof *options;
  options->max_bytes = PlanOptions().max_bytes;
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_plan_create(octile_plan* out) {
  if (!out) return bad(kNullOut);
  return enter_object(new (std::nothrow) PlanObject, out);
}

OCTILE_C_API int32_t octile_plan_destroy(octile_plan plan) {
  return destroy(plan.value, Kind::plan);
}

OCTILE_C_API int32_t octile_plan_make(octile_view view, const octile_pair* tasks, size_t count,
                                      const octile_plan_options* options, octile_plan plan,
                                      octile_plan_answer* answer) {
  return octile_plan_make_views(&view, 1, nullptr, tasks, count, options, plan, answer);
}

OCTILE_C_API int32_t octile_plan_make_views(const octile_view* views, size_t view_count,
                                            const uint32_t* view_of, const octile_pair* tasks,
                                            size_t count, const octile_plan_options* options,
                                            octile_plan plan, octile_plan_answer* answer) {
  if (bad_buffer(tasks, count) || !answer) return bad("the tasks, or the answer, are null");
  if (int32_t s = check_size(answer, "octile_plan_answer")) return s;
  PlanOptions o;
  if (options) {
    if (int32_t s = check_size(options, "octile_plan_options")) return s;
    if (options->objective > OCTILE_OBJECTIVE_MAKESPAN) return bad("there is no such objective");
    o.seed = options->seed;
    o.objective = static_cast<PlanObjective>(options->objective);
    o.any_goal = options->any_goal != 0;
    o.max_configurations = options->max_configurations;
    o.improve = options->improve;
    o.refine = options->refine;
    o.max_bytes = size_of(options->max_bytes);
    o.seconds = options->seconds;
    o.progress = options->progress;
    o.user = options->user;
  }
  ViewList copies;
  if (int32_t e = copies.read(views, view_count)) return e;
  Use<PlanObject> p(plan.value);
  if (!p) return OCTILE_BAD_ARGUMENT;
  Token token(options ? options->cancel : octile_cancel{0});
  if (!token.good()) return OCTILE_BAD_ARGUMENT;
  o.cancel = token.flag();
  detail::Buffer<AgentTask> list;
  if (!list_tasks(tasks, view_of, count, &list)) return short_of_memory();
  PlanAnswer a;
  if (const Fault fault = make_plan(copies.view, view_count, list.data(), count, o, &p->plan, &a))
    return told(fault);
  *answer = {sizeof *answer,
             static_cast<int32_t>(a.status),
             costs_of(a.costs),
             a.configurations,
             a.first_configurations,
             a.first_sum_of_costs,
             a.rounds,
             a.improved,
             a.table_bytes,
             a.peak_bytes};
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_plan_size(octile_plan plan, size_t* rows, size_t* agents) {
  Use<PlanObject> p(plan.value);
  if (!p) return OCTILE_BAD_ARGUMENT;
  if (rows) *rows = p->plan.rows();
  if (agents) *agents = p->plan.agents();
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_plan_read(octile_plan plan, size_t first, octile_cell* out,
                                      size_t capacity, size_t* length) {
  Use<PlanObject> p(plan.value);
  if (!p) return OCTILE_BAD_ARGUMENT;
  const Plan& of = p->plan;
  const size_t rows = of.rows(), agents = of.agents();
  const size_t from = first < rows ? first : rows;
  return give(rows ? of.row(0) : nullptr, rows * agents, from * agents, out, capacity, length);
}

OCTILE_C_API int32_t octile_plan_assign(octile_plan plan, const octile_cell* cells, size_t rows,
                                        size_t agents) {
  if (agents && rows > SIZE_MAX / sizeof(Cell) / agents) return short_of_memory();
  if (bad_buffer(cells, rows * agents)) return bad("the cells are null");
  Use<PlanObject> p(plan.value);
  if (!p) return OCTILE_BAD_ARGUMENT;
  if (rows == 0 || agents == 0) {
    p->plan.clear();
    return OCTILE_FOUND;
  }
  Cell* room = p->plan.resize(rows, agents);
  if (!room) return short_of_memory();
  std::memcpy(static_cast<void*>(room), cells, rows * agents * sizeof *cells);
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_plan_check(octile_view view, const octile_pair* tasks, size_t count,
                                       octile_plan plan, int32_t any_goal,
                                       octile_plan_report* report) {
  return octile_plan_check_views(&view, 1, nullptr, tasks, count, plan, any_goal, report);
}

OCTILE_C_API int32_t octile_plan_check_views(const octile_view* views, size_t view_count,
                                             const uint32_t* view_of, const octile_pair* tasks,
                                             size_t count, octile_plan plan, int32_t any_goal,
                                             octile_plan_report* report) {
  if (bad_buffer(tasks, count) || !report) return bad("the tasks, or the report, are null");
  if (int32_t s = check_size(report, "octile_plan_report")) return s;
  ViewList copies;
  if (int32_t e = copies.read(views, view_count)) return e;
  Use<PlanObject> p(plan.value);
  if (!p) return OCTILE_BAD_ARGUMENT;
  detail::Buffer<AgentTask> list;
  if (!list_tasks(tasks, view_of, count, &list)) return short_of_memory();
  PlanReport r;
  if (const Fault fault =
          check_plan(copies.view, view_count, list.data(), count, p->plan, &r, any_goal != 0))
    return told(fault);
  *report = {};
  report->size = sizeof *report;
  report->defect = static_cast<int32_t>(r.defect);
  report->tick = r.tick;
  report->agent = r.agent;
  report->other = r.other;
  report->costs = costs_of(r.costs);
  static_assert(sizeof report->text == sizeof r.text);
  std::memcpy(report->text, r.text, sizeof report->text);
  return OCTILE_FOUND;
}

}  // extern "C"

}  // namespace octile::c
