// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile.h, batches and fields: many queries in one call, and all cells at once.

#include <cstring>
#include <new>

#include "faces/c_objects.hpp"

namespace octile::c {

static_assert(OCTILE_FIELD_REBUILT == static_cast<int>(FieldUpdate::rebuilt));
static_assert(OCTILE_DIRECTION_AT_GOAL == kAtGoal && OCTILE_DIRECTION_UNREACHED == kUnreached);

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

}  // extern "C"

}  // namespace octile::c
