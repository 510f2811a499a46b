// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile.h from batches on: what is for many units at once.

#include <cstring>
#include <new>

#include "faces/c_objects.hpp"

namespace octile::c {

static_assert(OCTILE_FIELD_REBUILT == static_cast<int>(FieldUpdate::rebuilt));
static_assert(OCTILE_DIRECTION_AT_GOAL == kAtGoal && OCTILE_DIRECTION_UNREACHED == kUnreached);
static_assert(OCTILE_FORMATION_KEEP_SHAPE == static_cast<int>(Formation::keep_shape));
static_assert(OCTILE_OUTCOME_PINNED == static_cast<int>(StepOutcome::pinned));
static_assert(OCTILE_OBJECTIVE_MAKESPAN == static_cast<int>(PlanObjective::makespan));
static_assert(OCTILE_PLAN_CANCELLED == static_cast<int>(PlanStatus::cancelled));
static_assert(OCTILE_DEFECT_WRONG_GOAL == static_cast<int>(PlanDefect::wrong_goal));

namespace {

int32_t read_batch_options(const octile_batch_options* from, BatchOptions* to) noexcept {
  if (!from) return OCTILE_FOUND;
  if (int32_t s = check_size(from, "octile_batch_options")) return s;
  to->threads = from->threads;
  to->cache_bytes = size_of(from->cache_bytes);
  return OCTILE_FOUND;
}

bool make_room(BatchObject& b, size_t count) noexcept {
  if (count > UINT32_MAX / 2) return false;
  if (count > b.room) {
    Path* fresh = new (std::nothrow) Path[count];
    if (!fresh) return false;
    for (size_t i = 0; i < b.room; ++i) fresh[i] = static_cast<Path&&>(b.paths[i]);
    delete[] b.paths;
    b.paths = fresh;
    b.room = count;
  }
  return b.queries.resize(count);
}

// Asks the queries that lie in the batch, and hands the answers out.
int32_t run_batch(BatchObject& b, octile_view view, size_t count,
                  const octile_batch_options* options, octile_answer* answers, octile_cell* cells,
                  size_t capacity, size_t* length, octile_batch_counts* counts) noexcept {
  BatchOptions o;
  if (int32_t s = read_batch_options(options, &o)) return s;
  if (counts)
    if (int32_t s = check_size(counts, "octile_batch_counts")) return s;
  if (bad_buffer(cells, capacity)) return bad("the buffer for cells is null");
  for (size_t i = 0; answers && i < count; ++i)
    if (int32_t s = check_size(&answers[i], "octile_answer")) return s;
  Use<ViewObject> v(view.value);
  if (!v) return OCTILE_BAD_ARGUMENT;
  Token token(options ? options->cancel : octile_cancel{0});
  if (!token.good()) return OCTILE_BAD_ARGUMENT;
  for (Query& query : b.queries) query.cancel = token.flag();
  b.count = 0;
  BatchCounts c;
  if (count)
    if (const Fault f = b.batch.run(v->view, b.queries.data(), count, o, b.paths, &c))
      return told(f);
  b.count = count;
  size_t at = 0;
  for (size_t i = 0; i < count; ++i) {
    const Path& path = b.paths[i];
    if (answers) {
      write_answer(path, &answers[i]);
      answers[i].first = at;
    }
    if (at < capacity) {
      const size_t n = path.size() < capacity - at ? path.size() : capacity - at;
      if (n) std::memcpy(cells + at, path.cells(), n * sizeof *cells);
    }
    at += path.size();
  }
  if (length) *length = at;
  if (counts) *counts = {sizeof *counts, 0, c.by_field, c.fields_built, c.fields_kept, c.by_search};
  return OCTILE_FOUND;
}

template <class T, class Read>
int32_t read_field(octile_field field, const octile_cell* cells, size_t count, T* out,
                   Read read) noexcept {
  if (bad_buffer(cells, count) || bad_buffer(out, count)) return bad("an array is null");
  Use<FieldObject> f(field.value);
  if (!f) return OCTILE_BAD_ARGUMENT;
  for (size_t i = 0; i < count; ++i) out[i] = read(f->field, cell_of(cells[i]));
  return OCTILE_FOUND;
}

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
// Batches

OCTILE_C_API int32_t octile_batch_options_init(octile_batch_options* options) {
  if (!options) return bad("the options are null");
  *options = {};
  options->size = sizeof *options;
  options->threads = BatchOptions().threads;
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_batch_create(octile_batch* out) {
  if (!out) return bad(kNullOut);
  return enter_object(new (std::nothrow) BatchObject, out);
}

OCTILE_C_API int32_t octile_batch_destroy(octile_batch batch) {
  return destroy(batch.value, Kind::batch);
}

OCTILE_C_API int32_t octile_batch_clear(octile_batch batch) {
  Use<BatchObject> b(batch.value);
  if (!b) return OCTILE_BAD_ARGUMENT;
  b->batch.clear();
  delete[] b->paths;
  b->paths = nullptr;
  b->room = b->count = 0;
  b->queries.release();
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_batch_memory(octile_batch batch, size_t* bytes) {
  if (!bytes) return bad(kNullOut);
  Use<BatchObject> b(batch.value);
  if (!b) return OCTILE_BAD_ARGUMENT;
  *bytes = b->batch.memory_bytes() + b->queries.bytes() + b->room * sizeof(Path);
  for (size_t i = 0; i < b->room; ++i) *bytes += b->paths[i].size() * sizeof(Cell);
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_batch_run(octile_batch batch, octile_view view,
                                      const octile_query* queries, size_t count,
                                      const octile_batch_options* options, octile_answer* answers,
                                      octile_cell* cells, size_t capacity, size_t* length,
                                      octile_batch_counts* counts) {
  if (bad_buffer(queries, count) || bad_buffer(answers, count))
    return bad("the queries or the answers are null");
  Use<BatchObject> b(batch.value);
  if (!b) return OCTILE_BAD_ARGUMENT;
  if (!make_room(*b, count)) return short_of_memory();
  for (size_t i = 0; i < count; ++i) {
    Query q;
    if (int32_t s = read_query(&queries[i], &q)) return s;
    if (queries[i].cancel.value || queries[i].trace.value)
      return bad("queries of a batch have no cancel token and no trace of their own");
    b->queries[i] = q;
  }
  return run_batch(*b, view, count, options, answers, cells, capacity, length, counts);
}

OCTILE_C_API int32_t octile_batch_pairs(octile_batch batch, octile_view view,
                                        const octile_query* like, const octile_pair* pairs,
                                        size_t count, const octile_batch_options* options,
                                        octile_answer* answers, octile_cell* cells, size_t capacity,
                                        size_t* length, octile_batch_counts* counts) {
  if (bad_buffer(pairs, count)) return bad("the pairs are null");
  Query q;
  if (like) {
    if (int32_t s = read_query(like, &q)) return s;
    if (like->cancel.value || like->trace.value)
      return bad("queries of a batch have no cancel token and no trace of their own");
    if (like->goals || like->goal_count) return bad("pairs have one goal each, no set");
  }
  Use<BatchObject> b(batch.value);
  if (!b) return OCTILE_BAD_ARGUMENT;
  if (!make_room(*b, count)) return short_of_memory();
  for (size_t i = 0; i < count; ++i) {
    q.start = cell_of(pairs[i].a);
    q.goal = cell_of(pairs[i].b);
    b->queries[i] = q;
  }
  return run_batch(*b, view, count, options, answers, cells, capacity, length, counts);
}

OCTILE_C_API int32_t octile_batch_cells(octile_batch batch, size_t first, octile_cell* cells,
                                        size_t capacity, size_t* length) {
  if (!length || bad_buffer(cells, capacity)) return bad(kNullBuffer);
  Use<BatchObject> b(batch.value);
  if (!b) return OCTILE_BAD_ARGUMENT;
  size_t at = 0, written = 0;
  for (size_t i = 0; i < b->count; ++i) {
    const Path& path = b->paths[i];
    for (size_t k = first > at ? first - at : 0; k < path.size() && written < capacity; ++k) {
      const Cell cell = path.cells()[k];
      cells[written++] = {cell.x, cell.y};
    }
    at += path.size();
  }
  *length = first < at ? at - first : 0;
  return OCTILE_FOUND;
}

// ---------------------------------------------------------------------------------------------
// Fields

OCTILE_C_API int32_t octile_field_query_init(octile_field_query* query) {
  if (!query) return bad("the query is null");
  *query = {};
  query->size = sizeof *query;
  query->max_cost = kWall;
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_field_maker_create(octile_field_maker* out) {
  if (!out) return bad(kNullOut);
  return enter_object(new (std::nothrow) MakerObject, out);
}

OCTILE_C_API int32_t octile_field_maker_destroy(octile_field_maker maker) {
  return destroy(maker.value, Kind::maker);
}

OCTILE_C_API int32_t octile_field_maker_memory(octile_field_maker maker, size_t* bytes) {
  if (!bytes) return bad(kNullOut);
  Use<MakerObject> m(maker.value);
  if (!m) return OCTILE_BAD_ARGUMENT;
  *bytes = m->maker.memory_bytes();
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_field_build(octile_field_maker maker, octile_view view,
                                        const octile_field_query* query, octile_field* field) {
  if (!query || !field) return bad("the query, or the output pointer, is null");
  if (int32_t s = check_size(query, "octile_field_query")) return s;
  FieldQuery q;
  q.goals = cells_of(query->goals);
  q.goal_count = query->goal_count;
  q.offsets = query->offsets;
  q.max_cost = query->max_cost;
  q.stops = cells_of(query->stops);
  q.stop_count = query->stop_count;
  Use<MakerObject> m(maker.value);
  if (!m) return OCTILE_BAD_ARGUMENT;
  Use<ViewObject> v(view.value);
  if (!v) return OCTILE_BAD_ARGUMENT;
  if (field->value != 0) {
    Use<FieldObject> f(field->value, Access::exclusive);
    if (!f) return OCTILE_BAD_ARGUMENT;
    return told(m->maker.build(v->view, q, &f->field));
  }
  auto* made = new (std::nothrow) FieldObject;
  if (!made) return short_of_memory();
  if (const Fault fault = m->maker.build(v->view, q, &made->field)) {
    delete made;
    return told(fault);
  }
  return enter_object(made, field);
}

OCTILE_C_API int32_t octile_field_update(octile_field_maker maker, octile_view view,
                                         octile_field field, int32_t* how) {
  Use<MakerObject> m(maker.value);
  if (!m) return OCTILE_BAD_ARGUMENT;
  Use<ViewObject> v(view.value);
  if (!v) return OCTILE_BAD_ARGUMENT;
  Use<FieldObject> f(field.value, Access::exclusive);
  if (!f) return OCTILE_BAD_ARGUMENT;
  FieldUpdate done = FieldUpdate::kept;
  if (const Fault fault = m->maker.update(v->view, &f->field, &done)) return told(fault);
  if (how) *how = static_cast<int32_t>(done);
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_field_destroy(octile_field field) {
  return destroy(field.value, Kind::field);
}

OCTILE_C_API int32_t octile_field_view(octile_field field, octile_view* view, size_t* bytes) {
  Use<FieldObject> f(field.value);
  if (!f) return OCTILE_BAD_ARGUMENT;
  if (bytes) *bytes = f->field.memory_bytes();
  return view ? enter_view(f->field.view(), view) : OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_field_distances(octile_field field, const octile_cell* cells,
                                            size_t count, double* out) {
  return read_field(field, cells, count, out,
                    [](const Field& f, Cell cell) { return f.distance(cell); });
}

OCTILE_C_API int32_t octile_field_units(octile_field field, const octile_cell* cells, size_t count,
                                        uint64_t* out) {
  return read_field(field, cells, count, out,
                    [](const Field& f, Cell cell) { return f.distance_units(cell); });
}

OCTILE_C_API int32_t octile_field_directions(octile_field field, const octile_cell* cells,
                                             size_t count, uint8_t* out) {
  return read_field(field, cells, count, out,
                    [](const Field& f, Cell cell) { return f.direction(cell); });
}

OCTILE_C_API int32_t octile_field_next(octile_field field, const octile_cell* cells, size_t count,
                                       octile_cell* out) {
  return read_field(field, cells, count, out, [](const Field& f, Cell cell) {
    const Cell next = f.next(cell);
    return octile_cell{next.x, next.y};
  });
}

OCTILE_C_API int32_t octile_field_read(octile_field field, const octile_rect* rect, double* out,
                                       size_t stride) {
  Use<FieldObject> f(field.value);
  if (!f) return OCTILE_BAD_ARGUMENT;
  return each_cell(rect, out, stride,
                   [&](Cell cell, double* value) { *value = f->field.distance(cell); });
}

OCTILE_C_API int32_t octile_field_flow(octile_field field, const octile_rect* rect, uint8_t* out,
                                       size_t stride) {
  Use<FieldObject> f(field.value);
  if (!f) return OCTILE_BAD_ARGUMENT;
  return each_cell(rect, out, stride,
                   [&](Cell cell, uint8_t* value) { *value = f->field.direction(cell); });
}

OCTILE_C_API int32_t octile_field_within(octile_field field, double cost, octile_cell* out,
                                         size_t capacity, size_t* length) {
  if (!length || bad_buffer(out, capacity)) return bad(kNullBuffer);
  Use<FieldObject> f(field.value);
  if (!f) return OCTILE_BAD_ARGUMENT;
  *length = f->field.within(cost, cells_of(out), capacity);
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_field_path(octile_searcher searcher, octile_field field, int32_t x,
                                       int32_t y, octile_cell* cells, size_t capacity,
                                       octile_answer* answer) {
  if (int32_t s = check_output(cells, capacity, answer)) return s;
  Use<SearcherObject> s(searcher.value);
  if (!s) return OCTILE_BAD_ARGUMENT;
  Use<FieldObject> f(field.value);
  if (!f) return OCTILE_BAD_ARGUMENT;
  s->end_slices();
  s->view = f->field.view();
  s->view_handle = 0;
  f->field.path({x, y}, s->path);
  return deliver_path(s->path, cells, capacity, answer);
}

// ---------------------------------------------------------------------------------------------
// Groups

OCTILE_C_API int32_t octile_group_options_init(octile_group_options* options) {
  if (!options) return bad("the options are null");
  *options = {};
  options->size = sizeof *options;
  options->allow_partial = GroupOptions().allow_partial;
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
  static_assert(sizeof(octile_group_friend) == sizeof(GroupFriend));
  static_assert(offsetof(octile_group_friend, speed) == offsetof(GroupFriend, speed));
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
