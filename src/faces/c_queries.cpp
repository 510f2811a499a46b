// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile.h from solvers to .scen files: everything that asks one thing of one view.

#include <cstring>
#include <new>

#include "engine/searcher.hpp"
#include "faces/c_objects.hpp"

namespace octile::c {

static_assert(OCTILE_OUTPUT_WAYPOINTS == static_cast<int>(Output::waypoints));
static_assert(OCTILE_TRACE_CLOSED == static_cast<int>(Trace::Kind::closed));

// ---------------------------------------------------------------------------------------------
// Between the faces

const View* SearcherObject::find_view(octile_view handle) noexcept {
  Use<ViewObject> v(handle.value);
  if (!v) return nullptr;
  view = v->view;
  view_handle = handle.value;
  return &view;
}

void SearcherObject::drop_slices() noexcept {
  sliced = false;
  searcher.begin(View(), Query(), path);  // refused, which drops what was going on
  if (cancel) let_go(cancel);
  if (trace) let_go(trace);
  cancel = trace = nullptr;
}

int32_t check_query(const octile_query* query) noexcept {
  if (!query) return bad("the query is null");
  if (int32_t s = check_size(query, "octile_query")) return s;
  return query->output > OCTILE_OUTPUT_WAYPOINTS ? bad("output has no such value") : OCTILE_FOUND;
}

int32_t read_query(const octile_query* from, Query* to) noexcept {
  if (int32_t s = check_query(from)) return s;
  to->start = cell_of(from->start);
  to->goal = cell_of(from->goal);
  to->goals = cells_of(from->goals);
  to->goal_count = from->goal_count;
  to->solver = from->solver;
  to->output = static_cast<Output>(from->output);
  to->smooth = from->smooth != 0;
  to->snap_start = from->snap_start != 0;
  to->snap_goal = from->snap_goal != 0;
  to->snap_radius = from->snap_radius;
  to->goal_cover = from->goal_cover != 0;
  to->escape_start = from->escape_start != 0;
  to->allow_partial = from->allow_partial != 0;
  to->max_expansions = from->max_expansions;
  to->max_cost = from->max_cost;
  to->extra_blocked = cells_of(from->extra_blocked);
  to->extra_blocked_count = from->extra_blocked_count;
  to->extra_costs = same<const ExtraCost>(from->extra_costs);
  to->extra_cost_count = from->extra_cost_count;
  return OCTILE_FOUND;
}

void write_answer(const Path& path, octile_answer* to) noexcept {
  to->status = static_cast<int32_t>(path.status);
  to->cost = path.cost;
  to->cost_units = path.cost_units;
  to->bound = path.bound;
  to->version = path.version;
  to->expanded = path.expanded;
  to->generated = path.generated;
  to->goal_index = path.goal_index;
  to->first = 0;
  to->length = path.size();
  to->solver = path.solver;
  to->reserved = 0;
  to->message = path.message;
}

int32_t check_output(const octile_cell* cells, size_t capacity,
                     const octile_answer* answer) noexcept {
  if (!answer) return bad("the answer is null");
  if (int32_t s = check_size(answer, "octile_answer")) return s;
  if (bad_buffer(cells, capacity)) return bad("the buffer for cells is null");
  return OCTILE_FOUND;
}

int32_t deliver_path(const Path& path, octile_cell* cells, size_t capacity,
                     octile_answer* answer) noexcept {
  write_answer(path, answer);
  const size_t n = path.size() < capacity ? path.size() : capacity;
  if (n) std::memcpy(cells, path.cells(), n * sizeof *cells);
  if (path.status != Status::found) return fail(path.status, path.message);
  return OCTILE_FOUND;
}

namespace {

// Nothing but the path from start to goal: find_by_labels() may answer it. Without a branch for
// each of the fields.
bool asks_for_cells(const octile_query& q) noexcept {
  const auto lists = reinterpret_cast<uintptr_t>(q.goals) |
                     reinterpret_cast<uintptr_t>(q.extra_blocked) |
                     reinterpret_cast<uintptr_t>(q.extra_costs);
  const uint64_t counts = uint64_t{q.goal_count} | q.extra_blocked_count | q.extra_cost_count;
  const uint64_t limits = q.max_expansions | q.cancel.value | q.trace.value;
  const uint32_t words = q.output | q.smooth | q.goal_cover | q.allow_partial | (q.snap_radius < 0);
  return (lists | counts | limits | words) == 0 && q.max_cost == kWall;
}

// Leaves the answer in the searcher's path. False: nothing was asked, and the message says why.
bool answer_query(SearcherObject& s, octile_view view, const octile_query& query) noexcept {
  Token token(query.cancel);
  Record record(query.trace);
  if (!token.good() || !record.good()) return false;
  const View* v = s.view_of(view);
  if (!v) return false;
  s.end_slices();
  if (asks_for_cells(query) && find_by_labels(s.searcher, *v, query.solver, cell_of(query.start),
                                              cell_of(query.goal), s.path))
    return true;
  Query q;
  if (read_query(&query, &q)) return false;
  q.cancel = token.flag();
  q.trace = record.trace();
  find(s.searcher, *v, q, s.path);
  return true;
}

octile_path lent(const Path& path) noexcept {
  const bool some = path.size() != 0;
  return {some ? same<const octile_cell>(path.cells()) : nullptr, path.size()};
}

template <class T>
bool keep(detail::Buffer<T>* to, const T** from, size_t count) noexcept {
  if (!*from || !count) return true;
  if (!to->resize(count)) return false;
  std::memcpy(static_cast<void*>(to->data()), *from, count * sizeof(T));
  *from = to->data();
  return true;
}

}  // namespace

extern "C" {

// ---------------------------------------------------------------------------------------------
// Solvers

OCTILE_C_API int32_t octile_solver_count(void) {
  return solver_count();
}

OCTILE_C_API int32_t octile_solver_describe(int32_t solver, octile_solver_info* info) {
  if (!info) return bad(kNullOut);
  if (int32_t s = check_size(info, "octile_solver_info")) return s;
  if (solver < 0 || solver >= solver_count()) return bad("there is no solver of that id");
  const SolverInfo& of = solver_info(solver);
  *info = {sizeof *info, of.exact, of.name, of.summary, of.serves, of.otherwise};
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_solver_id(const char* name) {
  return name ? solver_id(name) : -1;
}

// ---------------------------------------------------------------------------------------------
// Traces

OCTILE_C_API int32_t octile_trace_create(octile_trace* out) {
  if (!out) return bad(kNullOut);
  return enter_object(new (std::nothrow) TraceObject, out);
}

OCTILE_C_API int32_t octile_trace_destroy(octile_trace trace) {
  return destroy(trace.value, Kind::trace);
}

OCTILE_C_API int32_t octile_trace_clear(octile_trace trace) {
  Use<TraceObject> t(trace.value);
  if (!t) return OCTILE_BAD_ARGUMENT;
  t->trace.clear();
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_trace_read(octile_trace trace, size_t first, octile_trace_event* out,
                                       size_t capacity, size_t* length, int32_t* complete) {
  if (!length || bad_buffer(out, capacity)) return bad(kNullBuffer);
  Use<TraceObject> t(trace.value);
  if (!t) return OCTILE_BAD_ARGUMENT;
  const size_t have = t->trace.size();
  *length = have;
  if (complete) *complete = t->trace.complete();
  for (size_t i = first, n = 0; i < have && n < capacity; ++i, ++n) {
    const Trace::Event& event = t->trace.events()[i];
    out[n] = {{event.cell.x, event.cell.y}, event.g, static_cast<int32_t>(event.kind), 0};
  }
  return OCTILE_FOUND;
}

// ---------------------------------------------------------------------------------------------
// Queries

OCTILE_C_API int32_t octile_query_init(octile_query* query) {
  if (!query) return bad("the query is null");
  const Query usual;
  *query = {};
  query->size = sizeof *query;
  query->max_cost = usual.max_cost;
  query->snap_radius = usual.snap_radius;
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_answer_init(octile_answer* answer) {
  if (!answer) return bad("the answer is null");
  *answer = {};
  answer->size = sizeof *answer;
  answer->status = OCTILE_BAD_ARGUMENT;
  answer->bound = 1;
  answer->message = "";
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_searcher_create(octile_searcher* out) {
  if (!out) return bad(kNullOut);
  return enter_object(new (std::nothrow) SearcherObject, out);
}

OCTILE_C_API int32_t octile_searcher_destroy(octile_searcher searcher) {
  return destroy(searcher.value, Kind::searcher);
}

OCTILE_C_API int32_t octile_searcher_memory(octile_searcher searcher, size_t* bytes) {
  if (!bytes) return bad(kNullOut);
  Use<SearcherObject> s(searcher.value);
  if (!s) return OCTILE_BAD_ARGUMENT;
  *bytes = s->searcher.memory_bytes() + s->path.size() * sizeof(Cell) + s->goals.bytes() +
           s->blocked.bytes() + s->costs.bytes();
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_searcher_release(octile_searcher searcher) {
  Use<SearcherObject> s(searcher.value);
  if (!s) return OCTILE_BAD_ARGUMENT;
  s->end_slices();
  s->searcher.release();
  s->path = Path();
  s->view = View();
  s->view_handle = 0;
  s->goals.release();
  s->blocked.release();
  s->costs.release();
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_find(octile_searcher searcher, octile_view view,
                                 const octile_query* query, octile_cell* cells, size_t capacity,
                                 octile_answer* answer) {
  if (int32_t s = check_output(cells, capacity, answer)) return s;
  if (int32_t s = check_query(query)) return s;
  Use<SearcherObject> s(searcher.value);
  if (!s || !answer_query(*s, view, *query)) return OCTILE_BAD_ARGUMENT;
  return deliver_path(s->path, cells, capacity, answer);
}

OCTILE_C_API int32_t octile_find_borrow(octile_searcher searcher, octile_view view,
                                        const octile_query* query, octile_path* path,
                                        octile_answer* answer) {
  if (!path) return bad(kNullOut);
  if (int32_t s = check_output(nullptr, 0, answer)) return s;
  if (int32_t s = check_query(query)) return s;
  Use<SearcherObject> s(searcher.value);
  if (!s || !answer_query(*s, view, *query)) return OCTILE_BAD_ARGUMENT;
  *path = lent(s->path);
  return deliver_path(s->path, nullptr, 0, answer);
}

OCTILE_C_API int32_t octile_searcher_path(octile_searcher searcher, size_t first,
                                          octile_cell* cells, size_t capacity, size_t* length) {
  Use<SearcherObject> s(searcher.value);
  if (!s) return OCTILE_BAD_ARGUMENT;
  if (s->sliced) return bad("the query has not ended");
  return give(s->path.cells(), s->path.size(), first, cells, capacity, length);
}

OCTILE_C_API int32_t octile_searcher_borrow(octile_searcher searcher, octile_path* path) {
  if (!path) return bad(kNullOut);
  Use<SearcherObject> s(searcher.value);
  if (!s) return OCTILE_BAD_ARGUMENT;
  if (s->sliced) return bad("the query has not ended");
  *path = lent(s->path);
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_searcher_points(octile_searcher searcher, size_t first,
                                            octile_point* points, size_t capacity, size_t* length) {
  if (!length || bad_buffer(points, capacity)) return bad(kNullBuffer);
  Use<SearcherObject> s(searcher.value);
  if (!s) return OCTILE_BAD_ARGUMENT;
  if (s->sliced) return bad("the query has not ended");
  const size_t left = first < s->path.size() ? s->path.size() - first : 0;
  *length = left;
  for (size_t i = 0; i < left && i < capacity; ++i) {
    const WorldPoint at = s->view.center(s->path.cells()[first + i]);
    points[i] = {at.x, at.y};
  }
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_searcher_begin(octile_searcher searcher, octile_view view,
                                           const octile_query* query) {
  Query q;
  if (int32_t s = read_query(query, &q)) return s;
  if ((!q.goals && q.goal_count) || (!q.extra_blocked && q.extra_blocked_count) ||
      (!q.extra_costs && q.extra_cost_count))
    return bad("a list of the query is null, but its count is not 0");
  if (q.solver < 0 || q.solver >= solver_count()) return bad("there is no solver of that id");
  Use<SearcherObject> s(searcher.value);
  if (!s) return OCTILE_BAD_ARGUMENT;
  Token token(query->cancel);
  Record record(query->trace);
  if (!token.good() || !record.good()) return OCTILE_BAD_ARGUMENT;
  const View* v = s->view_of(view);
  if (!v) return OCTILE_BAD_ARGUMENT;
  s->end_slices();
  if (!keep(&s->goals, &q.goals, q.goal_count) ||
      !keep(&s->blocked, &q.extra_blocked, q.extra_blocked_count) ||
      !keep(&s->costs, &q.extra_costs, q.extra_cost_count))
    return short_of_memory();
  if (token.slot() && !hold(token.slot())) return bad("too many things use this cancel token");
  s->cancel = token.slot();
  if (record.slot() && !hold(record.slot())) {
    if (s->cancel) let_go(s->cancel);
    s->cancel = nullptr;
    return bad("too many things use this trace");
  }
  s->trace = record.slot();
  s->sliced = true;
  q.cancel = token.flag();
  q.trace = record.trace();
  s->searcher.begin(*v, q, s->path);
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_searcher_step(octile_searcher searcher, uint64_t expansions,
                                          octile_cell* cells, size_t capacity,
                                          octile_answer* answer, int32_t* done) {
  if (!done) return bad(kNullOut);
  if (int32_t s = check_output(cells, capacity, answer)) return s;
  Use<SearcherObject> s(searcher.value);
  if (!s) return OCTILE_BAD_ARGUMENT;
  if (!s->sliced) return bad("no query was begun");
  {
    Record record(s->trace);
    if (!record.good()) return OCTILE_BAD_ARGUMENT;
    *done = s->searcher.step(expansions, s->path);
  }
  if (!*done) return OCTILE_FOUND;
  s->sliced = false;
  if (s->cancel) let_go(s->cancel);
  if (s->trace) let_go(s->trace);
  s->cancel = s->trace = nullptr;
  return deliver_path(s->path, cells, capacity, answer);
}

OCTILE_C_API int32_t octile_searcher_head(octile_searcher searcher, octile_cell* cells,
                                          size_t capacity, size_t* length) {
  Use<SearcherObject> s(searcher.value);
  if (!s) return OCTILE_BAD_ARGUMENT;
  Path head;
  if (s->sliced) (void)s->searcher.head(head);
  return give(head.cells(), head.size(), 0, cells, capacity, length);
}

OCTILE_C_API int32_t octile_distance(octile_searcher searcher, octile_view view,
                                     const octile_pair* ends, double* cost) {
  if (!ends || !cost) return bad("the ends, or the output pointer, are null");
  Use<SearcherObject> s(searcher.value);
  if (!s) return OCTILE_BAD_ARGUMENT;
  const View* v = s->view_of(view);
  if (!v) return OCTILE_BAD_ARGUMENT;
  s->end_slices();
  *cost = distance(s->searcher, *v, cell_of(ends->a), cell_of(ends->b));
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_first_move(octile_searcher searcher, octile_view view,
                                       const octile_pair* ends, octile_cell* cell) {
  if (!ends || !cell) return bad("the ends, or the output pointer, are null");
  Use<SearcherObject> s(searcher.value);
  if (!s) return OCTILE_BAD_ARGUMENT;
  const View* v = s->view_of(view);
  if (!v) return OCTILE_BAD_ARGUMENT;
  s->end_slices();
  const Cell next = first_move(s->searcher, *v, cell_of(ends->a), cell_of(ends->b));
  *cell = {next.x, next.y};
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_distances(octile_searcher searcher, octile_view view,
                                      const octile_cell* sources, size_t source_count,
                                      const octile_cell* targets, size_t target_count,
                                      double* out) {
  Use<SearcherObject> s(searcher.value);
  if (!s) return OCTILE_BAD_ARGUMENT;
  const View* v = s->view_of(view);
  if (!v) return OCTILE_BAD_ARGUMENT;
  s->end_slices();
  return told(distances(s->searcher, *v, cells_of(sources), source_count, cells_of(targets),
                        target_count, out));
}

OCTILE_C_API int32_t octile_would_disconnect(octile_searcher searcher, octile_view view,
                                             const octile_cell* cells, size_t cell_count,
                                             const octile_pair* pairs, size_t pair_count,
                                             int32_t* answer, size_t* first) {
  if (!answer) return bad(kNullOut);
  Use<SearcherObject> s(searcher.value);
  if (!s) return OCTILE_BAD_ARGUMENT;
  const View* v = s->view_of(view);
  if (!v) return OCTILE_BAD_ARGUMENT;
  s->end_slices();
  bool cut = false;
  size_t which = pair_count;
  const Fault fault = would_disconnect(s->searcher, *v, cells_of(cells), cell_count,
                                       same<const CellPair>(pairs), pair_count, &cut, &which);
  if (fault) return told(fault);
  *answer = cut;
  if (first) *first = which;
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_scen_parse(const void* data, size_t size, octile_scen_query* out,
                                       size_t capacity, size_t* length) {
  if (!data) return bad("the bytes are null");
  if (!length || bad_buffer(out, capacity)) return bad(kNullBuffer);
  return told(parse_scen(data, size, same<ScenQuery>(out), capacity, length));
}

}  // extern "C"

}  // namespace octile::c
