// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile.h from views to indexes.

#include <cstring>
#include <new>

#include "faces/c_objects.hpp"

namespace octile::c {

static_assert(OCTILE_INDEX_TILE_LABELS == static_cast<int>(IndexKind::tile_labels));
static_assert(OCTILE_INDEX_QUADTREE == static_cast<int>(IndexKind::quadtree));
static_assert(OCTILE_LOAD_TRUSTED == static_cast<int>(IndexLoad::trusted));

// ---------------------------------------------------------------------------------------------
// Between the faces

void EngineObject::end_build() noexcept {
  engine.stop_build();
  if (cancel) let_go(cancel);
  cancel = nullptr;
}

int32_t enter_view(View&& view, octile_view* out) noexcept {
  auto* object = new (std::nothrow) ViewObject;
  if (object) object->view = static_cast<View&&>(view);
  return enter_object(object, out);
}

namespace {

int32_t enter_index(Index&& index, octile_index* out) noexcept {
  auto* object = new (std::nothrow) IndexObject;
  if (object) object->index = static_cast<Index&&>(index);
  return enter_object(object, out);
}

// But for the token and the progress.
int32_t read_index_options(const octile_index_options* from, IndexOptions* to) noexcept {
  if (int32_t s = check_size(from, "octile_index_options")) return s;
  if (from->most > OCTILE_INDEX_QUADTREE) return bad("there is no such kind of index");
  to->most = static_cast<IndexKind>(from->most);
  to->budget_bytes = size_of(from->budget_bytes);
  to->budget_work = from->budget_work;
  to->high_quality = from->high_quality != 0;
  to->threads = from->threads;
  return OCTILE_FOUND;
}

template <class T, class Read>
int32_t read_view(octile_view view, const octile_rect* rect, T* out, size_t stride,
                  Read read) noexcept {
  Use<ViewObject> v(view.value);
  if (!v) return OCTILE_BAD_ARGUMENT;
  const View& of = v->view;
  return each_cell(rect, out, stride, [&](Cell cell, T* value) { *value = read(of, cell); });
}

// Writes what fits of a list that belongs to a view.
template <class T, class List>
int32_t list_view(octile_view view, T* out, size_t capacity, size_t* length, List list) noexcept {
  if (!length || bad_buffer(out, capacity)) return bad(kNullBuffer);
  Use<ViewObject> v(view.value);
  if (!v) return OCTILE_BAD_ARGUMENT;
  *length = list(v->view, out, capacity);
  return OCTILE_FOUND;
}

}  // namespace

extern "C" {

// ---------------------------------------------------------------------------------------------
// Views

OCTILE_C_API int32_t octile_engine_view(octile_engine engine, uint32_t profile, octile_view* out) {
  if (!out) return bad(kNullOut);
  Use<EngineObject> e(engine.value);
  if (!e) return OCTILE_BAD_ARGUMENT;
  View view = e->engine.view(profile);
  if (view.empty()) return bad("there is no such profile, or nothing was committed yet");
  return enter_view(static_cast<View&&>(view), out);
}

OCTILE_C_API int32_t octile_view_destroy(octile_view view) {
  return destroy(view.value, Kind::view);
}

OCTILE_C_API int32_t octile_view_describe(octile_view view, octile_view_info* info) {
  if (!info) return bad(kNullOut);
  if (int32_t s = check_size(info, "octile_view_info")) return s;
  Use<ViewObject> v(view.value);
  if (!v) return OCTILE_BAD_ARGUMENT;
  const View& of = v->view;
  const LayerMemory memory = of.memory();
  const Index index = of.index(), stale = of.stale_index();
  *info = {};
  info->size = sizeof *info;
  info->width = of.width();
  info->height = of.height();
  info->first_cell = {of.first_cell().x, of.first_cell().y};
  info->absent_tiles = of.absent_tiles();
  info->version = of.version();
  info->uniform = of.uniform();
  info->index = index.empty() ? uint8_t{0} : static_cast<uint8_t>(index.info().kind);
  info->stale = stale.empty() ? uint8_t{0} : static_cast<uint8_t>(stale.info().kind);
  info->map_bytes = memory.map_bytes;
  info->layer_bytes = memory.layer_bytes;
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_view_definition(octile_view view, octile_map_def* definition,
                                            octile_profile* profile) {
  if (definition)
    if (int32_t s = check_size(definition, "octile_map_def")) return s;
  if (profile)
    if (int32_t s = check_size(profile, "octile_profile")) return s;
  Use<ViewObject> v(view.value);
  if (!v) return OCTILE_BAD_ARGUMENT;
  if (definition) write_definition(v->view.definition(), definition);
  if (profile) write_profile(v->view.profile(), profile);
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_view_terrain(octile_view view, const octile_rect* rect, uint8_t* out,
                                         size_t stride) {
  return read_view(view, rect, out, stride, [](const View& v, Cell c) { return v.terrain(c); });
}

OCTILE_C_API int32_t octile_view_passable(octile_view view, const octile_rect* rect, uint8_t* out,
                                          size_t stride) {
  return read_view(view, rect, out, stride, [](const View& v, Cell c) { return v.passable(c); });
}

OCTILE_C_API int32_t octile_view_cost(octile_view view, const octile_rect* rect, double* out,
                                      size_t stride) {
  return read_view(view, rect, out, stride, [](const View& v, Cell c) { return v.cost(c); });
}

OCTILE_C_API int32_t octile_view_moves(octile_view view, const octile_rect* rect, uint8_t* out,
                                       size_t stride) {
  return read_view(view, rect, out, stride, [](const View& v, Cell c) { return v.moves(c); });
}

OCTILE_C_API int32_t octile_view_component(octile_view view, const octile_rect* rect, uint32_t* out,
                                           size_t stride) {
  return read_view(view, rect, out, stride, [](const View& v, Cell c) { return v.component(c); });
}

OCTILE_C_API int32_t octile_view_loaded(octile_view view, const octile_rect* rect, uint8_t* out,
                                        size_t stride) {
  return read_view(view, rect, out, stride, [](const View& v, Cell c) { return v.loaded(c); });
}

OCTILE_C_API int32_t octile_view_tile_version(octile_view view, int32_t x, int32_t y,
                                              uint64_t* version) {
  if (!version) return bad(kNullOut);
  Use<ViewObject> v(view.value);
  if (!v) return OCTILE_BAD_ARGUMENT;
  *version = v->view.tile_version({x, y});
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_view_line_of_sight(octile_view view, const octile_pair* ends,
                                               int32_t* clear) {
  if (!ends || !clear) return bad("the ends, or the output pointer, are null");
  Use<ViewObject> v(view.value);
  if (!v) return OCTILE_BAD_ARGUMENT;
  *clear = v->view.line_of_sight(cell_of(ends->a), cell_of(ends->b));
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_view_estimate(octile_view view, const octile_pair* ends, double* cost) {
  if (!ends || !cost) return bad("the ends, or the output pointer, are null");
  Use<ViewObject> v(view.value);
  if (!v) return OCTILE_BAD_ARGUMENT;
  *cost = v->view.estimate(cell_of(ends->a), cell_of(ends->b));
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_view_cells_at(octile_view view, const octile_point* points,
                                          size_t count, octile_cell* out) {
  if (bad_buffer(points, count) || bad_buffer(out, count)) return bad("an array is null");
  Use<ViewObject> v(view.value);
  if (!v) return OCTILE_BAD_ARGUMENT;
  for (size_t i = 0; i < count; ++i) {
    const Cell cell = v->view.cell_at({points[i].x, points[i].y});
    out[i] = {cell.x, cell.y};
  }
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_view_centers(octile_view view, const octile_cell* cells, size_t count,
                                         octile_point* out) {
  if (bad_buffer(cells, count) || bad_buffer(out, count)) return bad("an array is null");
  Use<ViewObject> v(view.value);
  if (!v) return OCTILE_BAD_ARGUMENT;
  for (size_t i = 0; i < count; ++i) {
    const WorldPoint point = v->view.center(cell_of(cells[i]));
    out[i] = {point.x, point.y};
  }
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_view_differences(octile_view a, octile_view b, octile_cell* out,
                                             size_t capacity, size_t* length) {
  if (!length || bad_buffer(out, capacity)) return bad(kNullBuffer);
  Use<ViewObject> first(a.value), second(b.value);
  if (!first || !second) return OCTILE_BAD_ARGUMENT;
  return told(differences(first->view, second->view, cells_of(out), capacity, length));
}

// ---------------------------------------------------------------------------------------------
// Indexes

OCTILE_C_API int32_t octile_index_options_init(octile_index_options* options) {
  if (!options) return bad("the options are null");
  const IndexOptions usual;
  *options = {};
  options->size = sizeof *options;
  options->most = static_cast<uint8_t>(usual.most);
  options->budget_bytes = usual.budget_bytes;
  options->threads = usual.threads;
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_index_build(octile_view view, const octile_index_options* options,
                                        octile_index* out) {
  if (!out) return bad(kNullOut);
  IndexOptions o;
  if (options)
    if (int32_t s = read_index_options(options, &o)) return s;
  Use<ViewObject> v(view.value);
  if (!v) return OCTILE_BAD_ARGUMENT;
  Token token(options ? options->cancel : octile_cancel{0});
  if (!token.good()) return OCTILE_BAD_ARGUMENT;
  o.cancel = token.flag();
  if (options) {
    o.progress = options->progress;
    o.user = options->user;
  }
  Index index;
  if (const Fault fault = build_index(v->view, o, &index)) return told(fault);
  return enter_index(static_cast<Index&&>(index), out);
}

OCTILE_C_API int32_t octile_index_destroy(octile_index index) {
  return destroy(index.value, Kind::index);
}

OCTILE_C_API int32_t octile_index_describe(octile_index index, octile_index_info* info) {
  if (!info) return bad(kNullOut);
  if (int32_t s = check_size(info, "octile_index_info")) return s;
  Use<IndexObject> i(index.value);
  if (!i) return OCTILE_BAD_ARGUMENT;
  const IndexInfo of = i->index.info();
  *info = {};
  info->size = sizeof *info;
  info->kind = static_cast<uint32_t>(of.kind);
  info->bytes = of.bytes;
  info->width = of.width;
  info->height = of.height;
  info->fingerprint = of.fingerprint;
  info->entries = of.entries;
  info->subgoals = of.subgoals;
  info->hubs = of.hubs;
  info->blocks = of.blocks;
  info->portals = of.portals;
  static_assert(sizeof info->reason == sizeof of.reason);
  std::memcpy(info->reason, of.reason, sizeof info->reason);
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_index_belongs_to(octile_index index, octile_view view,
                                             int32_t* belongs) {
  if (!belongs) return bad(kNullOut);
  Use<IndexObject> i(index.value);
  if (!i) return OCTILE_BAD_ARGUMENT;
  Use<ViewObject> v(view.value);
  if (!v) return OCTILE_BAD_ARGUMENT;
  *belongs = i->index.belongs_to(v->view);
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_index_save(octile_index index, const char* path) {
  if (!path) return bad(kNullText);
  Use<IndexObject> i(index.value);
  if (!i) return OCTILE_BAD_ARGUMENT;
  return told(save_index(i->index, path));
}

OCTILE_C_API int32_t octile_index_load(const char* path, int32_t how, octile_index* out) {
  if (!path) return bad(kNullText);
  if (!out) return bad(kNullOut);
  if (how < OCTILE_LOAD_MAPPED || how > OCTILE_LOAD_TRUSTED)
    return bad("there is no such way to load");
  Index index;
  if (const Fault fault = load_index(path, static_cast<IndexLoad>(how), &index)) return told(fault);
  return enter_index(static_cast<Index&&>(index), out);
}

OCTILE_C_API int32_t octile_index_write(octile_index index, void* out, size_t capacity,
                                        size_t* length) {
  Use<IndexObject> i(index.value);
  if (!i) return OCTILE_BAD_ARGUMENT;
  const void* data = i->index.data();
  if (!data) return bad("an index that was carried over edits has no file: build it");
  return give(static_cast<const uint8_t*>(data), i->index.info().bytes, 0,
              static_cast<uint8_t*>(out), capacity, length);
}

OCTILE_C_API int32_t octile_index_read(const void* data, size_t size, octile_index* out) {
  if (!data) return bad("the bytes of the index are null");
  if (!out) return bad(kNullOut);
  Index index;
  if (const Fault fault = read_index(data, size, &index)) return told(fault);
  return enter_index(static_cast<Index&&>(index), out);
}

OCTILE_C_API int32_t octile_view_index(octile_view view, octile_index* out) {
  if (!out) return bad(kNullOut);
  Use<ViewObject> v(view.value);
  if (!v) return OCTILE_BAD_ARGUMENT;
  Index index = v->view.index();
  if (index.empty()) return bad("the view has no index");
  return enter_index(static_cast<Index&&>(index), out);
}

OCTILE_C_API int32_t octile_view_stale_index(octile_view view, octile_index* out) {
  if (!out) return bad(kNullOut);
  Use<ViewObject> v(view.value);
  if (!v) return OCTILE_BAD_ARGUMENT;
  Index index = v->view.stale_index();
  if (index.empty()) return bad("the view has no index of an earlier state");
  return enter_index(static_cast<Index&&>(index), out);
}

OCTILE_C_API int32_t octile_view_with_index(octile_view view, octile_index index,
                                            octile_view* out) {
  if (!out) return bad(kNullOut);
  Use<ViewObject> v(view.value);
  if (!v) return OCTILE_BAD_ARGUMENT;
  Use<IndexObject> i(index.value);
  if (!i) return OCTILE_BAD_ARGUMENT;
  View made;
  if (const Fault fault = v->view.with_index(i->index, &made)) return told(fault);
  return enter_view(static_cast<View&&>(made), out);
}

OCTILE_C_API int32_t octile_view_index_leaves(octile_view view, octile_rect* out, size_t capacity,
                                              size_t* length) {
  return list_view(view, same<Rect>(out), capacity, length, index_leaves);
}

OCTILE_C_API int32_t octile_view_index_portals(octile_view view, octile_cell* out, size_t capacity,
                                               size_t* length) {
  return list_view(view, cells_of(out), capacity, length, index_portals);
}

OCTILE_C_API int32_t octile_view_index_subgoals(octile_view view, octile_cell* out, size_t capacity,
                                                size_t* length) {
  return list_view(view, cells_of(out), capacity, length, index_subgoals);
}

OCTILE_C_API int32_t octile_view_index_hub_ranks(octile_view view, uint32_t* out, size_t capacity,
                                                 size_t* length) {
  return list_view(view, out, capacity, length, index_hub_ranks);
}

OCTILE_C_API int32_t octile_engine_adopt(octile_engine engine, uint32_t profile,
                                         octile_index index) {
  Use<EngineObject> e(engine.value);
  if (!e) return OCTILE_BAD_ARGUMENT;
  Use<IndexObject> i(index.value);
  if (!i) return OCTILE_BAD_ARGUMENT;
  return told(e->engine.adopt(profile, i->index));
}

OCTILE_C_API int32_t octile_engine_repair_labels(octile_engine engine, uint32_t profile,
                                                 octile_index index, int32_t renew) {
  Use<EngineObject> e(engine.value);
  if (!e) return OCTILE_BAD_ARGUMENT;
  if (index.value == 0) return told(e->engine.repair_labels(profile, Index()));
  Use<IndexObject> i(index.value);
  if (!i) return OCTILE_BAD_ARGUMENT;
  return told(e->engine.repair_labels(profile, i->index, renew != 0));
}

OCTILE_C_API int32_t octile_engine_start_build(octile_engine engine, uint32_t profile,
                                               const octile_index_options* options) {
  IndexOptions o;
  if (options)
    if (int32_t s = read_index_options(options, &o)) return s;
  Use<EngineObject> e(engine.value);
  if (!e) return OCTILE_BAD_ARGUMENT;
  Token token(options ? options->cancel : octile_cancel{0});
  if (!token.good()) return OCTILE_BAD_ARGUMENT;
  e->end_build();
  if (token.slot()) {
    if (!hold(token.slot())) return bad("too many things use this cancel token");
    e->cancel = token.slot();
  }
  e->progress = options ? options->progress : nullptr;
  e->user = options ? options->user : nullptr;
  e->done.store(0);
  e->self = e.slot();
  o.cancel = token.flag();
  o.progress = [](void* user, double done) {
    auto* self = static_cast<EngineObject*>(user);
    self->done.store(done);
    if (!self->progress) return;
    keep_off(self->self);
    self->progress(self->user, done);
    keep_off(nullptr);
  };
  o.user = &*e;
  const Fault fault = e->engine.start_build(profile, o);
  if (fault) e->end_build();
  return told(fault);
}

OCTILE_C_API int32_t octile_engine_building(octile_engine engine, int32_t* running, double* done) {
  if (!running) return bad(kNullOut);
  Use<EngineObject> e(engine.value);
  if (!e) return OCTILE_BAD_ARGUMENT;
  *running = e->engine.building();
  if (done) *done = e->done.load();
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_engine_adopt_finished(octile_engine engine, int32_t* adopted) {
  if (!adopted) return bad(kNullOut);
  *adopted = 0;
  Use<EngineObject> e(engine.value);
  if (!e) return OCTILE_BAD_ARGUMENT;
  bool taken = false;
  const Fault fault = e->engine.adopt_finished(&taken);
  *adopted = taken;
  // A build for repaired labels (renew) may run; it has no token.
  if (!e->engine.building()) e->end_build();
  return told(fault);
}

OCTILE_C_API int32_t octile_engine_stop_build(octile_engine engine) {
  Use<EngineObject> e(engine.value);
  if (!e) return OCTILE_BAD_ARGUMENT;
  e->end_build();
  return OCTILE_FOUND;
}

}  // extern "C"

}  // namespace octile::c
