// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile.h from the library's versions to profiles: the map and who walks.

#include <cstring>
#include <new>

#include "faces/c_objects.hpp"
#include "octile/generate.hpp"

namespace octile::c {

// ---------------------------------------------------------------------------------------------
// Numbers that mean the same in both faces

static_assert(OCTILE_BAD_ARGUMENT == static_cast<int>(Status::bad_argument));
static_assert(OCTILE_NOT_LOADED == static_cast<int>(Status::not_loaded));
static_assert(OCTILE_CANCELLED == static_cast<int>(Status::cancelled));
static_assert(OCTILE_FORMAT_PGM == static_cast<int>(MapFormat::pgm));
static_assert(OCTILE_MOVES_EIGHT == static_cast<int>(Moves::eight));
static_assert(OCTILE_DIAGONAL_NEVER == static_cast<int>(Diagonal::never));
static_assert(OCTILE_METRIC_CHEBYSHEV == static_cast<int>(Metric::chebyshev));

// ---------------------------------------------------------------------------------------------
// Between the faces

EngineObject::~EngineObject() {
  end_build();
  end_recording();
}

void EngineObject::end_recording() noexcept {
  if (!log) return;
  (void)engine.map().record(nullptr);
  static_cast<LogObject*>(log->object)->recorded.store(false);
  let_go(log);
  log = nullptr;
}

void write_definition(const MapDef& from, octile_map_def* to) noexcept {
  *to = {};
  to->size = sizeof *to;
  to->width = from.width;
  to->height = from.height;
  to->first_cell = {from.first_cell.x, from.first_cell.y};
  to->terrain = from.terrain;
  to->weights = from.weights;
  to->streamed = from.streamed;
  to->origin = {from.origin.x, from.origin.y};
  to->cell_size = from.cell_size;
  to->weight_scale = from.weight_scale;
}

void write_profile(const Profile& from, octile_profile* to) noexcept {
  *to = {};
  to->size = sizeof *to;
  to->moves = static_cast<uint8_t>(from.moves);
  to->diagonal = static_cast<uint8_t>(from.diagonal);
  to->metric = static_cast<uint8_t>(from.metric);
  to->width = from.width;
  to->height = from.height;
  to->anchor = {from.anchor.x, from.anchor.y};
  std::memcpy(to->terrain_cost, from.terrain_cost, sizeof to->terrain_cost);
}

namespace {

int32_t read_definition(const octile_map_def* from, MapDef* to) noexcept {
  if (!from) return bad("the map definition is null");
  if (int32_t s = check_size(from, "octile_map_def")) return s;
  to->width = from->width;
  to->height = from->height;
  to->first_cell = cell_of(from->first_cell);
  to->origin = {from->origin.x, from->origin.y};
  to->cell_size = from->cell_size;
  to->terrain = from->terrain;
  to->weights = from->weights != 0;
  to->weight_scale = from->weight_scale;
  to->streamed = from->streamed != 0;
  return OCTILE_FOUND;
}

int32_t read_profile(const octile_profile* from, Profile* to) noexcept {
  if (!from) return bad("the profile is null");
  if (int32_t s = check_size(from, "octile_profile")) return s;
  if (from->moves > OCTILE_MOVES_EIGHT) return bad("there is no such rule of moves");
  if (from->diagonal > OCTILE_DIAGONAL_NEVER) return bad("there is no such rule of diagonals");
  if (from->metric > OCTILE_METRIC_CHEBYSHEV) return bad("there is no such metric");
  std::memcpy(to->terrain_cost, from->terrain_cost, sizeof to->terrain_cost);
  to->moves = static_cast<Moves>(from->moves);
  to->diagonal = static_cast<Diagonal>(from->diagonal);
  to->metric = static_cast<Metric>(from->metric);
  to->width = from->width;
  to->height = from->height;
  to->anchor = cell_of(from->anchor);
  return OCTILE_FOUND;
}

// Rows of a map's cells that the caller gives.
int32_t check_rows(const octile_rect* rect, const void* data, size_t stride,
                   size_t least) noexcept {
  if (!rect) return bad("the rectangle is null");
  if (rect->width <= 0 || rect->height <= 0) return OCTILE_FOUND;
  if (!data) return bad("the values are null");
  if (rect->height > 1 && stride < least) return bad("the stride is less than a row");
  return OCTILE_FOUND;
}

// Does something to the map of an engine, or asks it.
template <class Do>
int32_t with_map(octile_engine engine, Do what) noexcept {
  Use<EngineObject> e(engine.value);
  if (!e) return OCTILE_BAD_ARGUMENT;
  return told(what(e->engine.map()));
}

template <class T, class Read>
int32_t read_map(octile_engine engine, const octile_rect* rect, T* out, size_t stride,
                 Read read) noexcept {
  Use<EngineObject> e(engine.value);
  if (!e) return OCTILE_BAD_ARGUMENT;
  const Map& map = e->engine.map();
  return each_cell(rect, out, stride, [&](Cell cell, T* value) { *value = read(map, cell); });
}

// A log that no map writes into.
int32_t free_log(const Use<LogObject>& log) noexcept {
  if (!log) return OCTILE_BAD_ARGUMENT;
  if (log->recorded.load()) return bad("a map records into this log; end that first");
  return OCTILE_FOUND;
}

}  // namespace

extern "C" {

// ---------------------------------------------------------------------------------------------
// Statuses, versions

OCTILE_C_API uint32_t octile_abi_version(void) {
  return OCTILE_ABI_VERSION;
}

OCTILE_C_API uint32_t octile_version(void) {
  return OCTILE_VERSION_MAJOR << 16 | OCTILE_VERSION_MINOR << 8 | OCTILE_VERSION_PATCH;
}

OCTILE_C_API uint32_t octile_sizeof(const char* struct_name) {
  struct Named {
    const char* name;
    size_t size;
  };
#define OCTILE_NAMED(type) \
  { #type, sizeof(type) }
  static constexpr Named kStructs[] = {OCTILE_NAMED(octile_cell),
                                       OCTILE_NAMED(octile_rect),
                                       OCTILE_NAMED(octile_point),
                                       OCTILE_NAMED(octile_pair),
                                       OCTILE_NAMED(octile_engine),
                                       OCTILE_NAMED(octile_map_def),
                                       OCTILE_NAMED(octile_map_info),
                                       OCTILE_NAMED(octile_obstacle_def),
                                       OCTILE_NAMED(octile_generate_options),
                                       OCTILE_NAMED(octile_map_kind),
                                       OCTILE_NAMED(octile_profile),
                                       OCTILE_NAMED(octile_view_info),
                                       OCTILE_NAMED(octile_index_options),
                                       OCTILE_NAMED(octile_index_info),
                                       OCTILE_NAMED(octile_solver_info),
                                       OCTILE_NAMED(octile_trace_event),
                                       OCTILE_NAMED(octile_extra_cost),
                                       OCTILE_NAMED(octile_query),
                                       OCTILE_NAMED(octile_answer),
                                       OCTILE_NAMED(octile_path),
                                       OCTILE_NAMED(octile_scen_query),
                                       OCTILE_NAMED(octile_batch_options),
                                       OCTILE_NAMED(octile_batch_counts),
                                       OCTILE_NAMED(octile_field_query),
                                       OCTILE_NAMED(octile_group_unit),
                                       OCTILE_NAMED(octile_group_options),
                                       OCTILE_NAMED(octile_group_slot),
                                       OCTILE_NAMED(octile_group_friend),
                                       OCTILE_NAMED(octile_group_answer),
                                       OCTILE_NAMED(octile_agent),
                                       OCTILE_NAMED(octile_agent_state),
                                       OCTILE_NAMED(octile_planner_options),
                                       OCTILE_NAMED(octile_planner_info),
                                       OCTILE_NAMED(octile_plan_options),
                                       OCTILE_NAMED(octile_plan_costs),
                                       OCTILE_NAMED(octile_plan_answer),
                                       OCTILE_NAMED(octile_plan_report)};
#undef OCTILE_NAMED
  if (!struct_name) return 0;
  for (const Named& s : kStructs)
    if (std::strcmp(s.name, struct_name) == 0) return static_cast<uint32_t>(s.size);
  return 0;
}

OCTILE_C_API const char* octile_status_name(int32_t status) {
  if (status < 0 || status > OCTILE_BAD_ARGUMENT) return "";
  return name(static_cast<Status>(status));
}

OCTILE_C_API uint64_t octile_handle_count(void) {
  return alive_count();
}

// ---------------------------------------------------------------------------------------------
// Cancel tokens

OCTILE_C_API int32_t octile_cancel_create(octile_cancel* out) {
  if (!out) return bad(kNullOut);
  return enter_object(new (std::nothrow) CancelObject, out);
}

OCTILE_C_API int32_t octile_cancel_raise(octile_cancel cancel) {
  Use<CancelObject> c(cancel.value);
  if (!c) return OCTILE_BAD_ARGUMENT;
  c->raised.store(true);
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_cancel_reset(octile_cancel cancel) {
  Use<CancelObject> c(cancel.value);
  if (!c) return OCTILE_BAD_ARGUMENT;
  c->raised.store(false);
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_cancel_destroy(octile_cancel cancel) {
  return destroy(cancel.value, Kind::cancel);
}

// ---------------------------------------------------------------------------------------------
// Engine and map

OCTILE_C_API int32_t octile_map_def_init(octile_map_def* definition) {
  if (!definition) return bad("the map definition is null");
  write_definition(MapDef{}, definition);
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_engine_create(octile_engine* out) {
  if (!out) return bad(kNullOut);
  return enter_object(new (std::nothrow) EngineObject, out);
}

OCTILE_C_API int32_t octile_engine_destroy(octile_engine engine) {
  return destroy(engine.value, Kind::engine);
}

OCTILE_C_API int32_t octile_engine_reset(octile_engine engine, const octile_map_def* definition,
                                         const uint8_t* terrain, size_t stride) {
  MapDef d;
  if (int32_t s = read_definition(definition, &d)) return s;
  if (terrain && d.width > 0 && d.height > 1 && stride < static_cast<size_t>(d.width))
    return bad("the stride is less than a row");
  Use<EngineObject> e(engine.value);
  if (!e) return OCTILE_BAD_ARGUMENT;
  const Fault fault = terrain ? e->engine.reset(d, terrain, stride) : e->engine.reset(d);
  if (!fault) e->end_recording();
  return told(fault);
}

OCTILE_C_API int32_t octile_engine_parse(octile_engine engine, const void* data, size_t size,
                                         const octile_map_def* base) {
  MapDef d;
  if (base)
    if (int32_t s = read_definition(base, &d)) return s;
  if (!data) return bad("the bytes of the map are null");
  Use<EngineObject> e(engine.value);
  if (!e) return OCTILE_BAD_ARGUMENT;
  const Fault fault = parse_map(data, size, d, e->engine);
  if (!fault) e->end_recording();
  return told(fault);
}

OCTILE_C_API int32_t octile_engine_load(octile_engine engine, const char* path) {
  if (!path) return bad(kNullText);
  Use<EngineObject> e(engine.value);
  if (!e) return OCTILE_BAD_ARGUMENT;
  const Fault fault = e->engine.load(path);
  if (!fault) e->end_recording();
  return told(fault);
}

OCTILE_C_API int32_t octile_map_save(octile_engine engine, const char* path) {
  if (!path) return bad(kNullText);
  return with_map(engine, [&](const Map& map) { return map.save(path); });
}

OCTILE_C_API int32_t octile_map_write(octile_engine engine, int32_t format, char* out,
                                      size_t capacity, size_t* length) {
  if (!length) return bad(kNullOut);
  if (bad_buffer(out, capacity)) return bad("the output buffer is null");
  if (format < OCTILE_FORMAT_MOVING_AI || format > OCTILE_FORMAT_PGM)
    return bad("there is no such format");
  return with_map(engine, [&](const Map& map) {
    return write_map(map, static_cast<MapFormat>(format), out, capacity, length);
  });
}

OCTILE_C_API int32_t octile_engine_commit(octile_engine engine) {
  Use<EngineObject> e(engine.value);
  if (!e) return OCTILE_BAD_ARGUMENT;
  return told(e->engine.commit());
}

OCTILE_C_API int32_t octile_map_describe(octile_engine engine, octile_map_def* definition,
                                         octile_map_info* info) {
  if (definition)
    if (int32_t s = check_size(definition, "octile_map_def")) return s;
  if (info)
    if (int32_t s = check_size(info, "octile_map_info")) return s;
  Use<EngineObject> e(engine.value);
  if (!e) return OCTILE_BAD_ARGUMENT;
  const Map& map = e->engine.map();
  if (definition) write_definition(map.definition(), definition);
  if (info) *info = {sizeof *info, map.absent_tiles(), map.version()};
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_map_terrain(octile_engine engine, const octile_rect* rect, uint8_t* out,
                                        size_t stride) {
  return read_map(engine, rect, out, stride, [](const Map& m, Cell c) { return m.terrain(c); });
}

OCTILE_C_API int32_t octile_map_ground(octile_engine engine, const octile_rect* rect, uint8_t* out,
                                       size_t stride) {
  return read_map(engine, rect, out, stride, [](const Map& m, Cell c) { return m.ground(c); });
}

OCTILE_C_API int32_t octile_map_weight(octile_engine engine, const octile_rect* rect, uint16_t* out,
                                       size_t stride) {
  return read_map(engine, rect, out, stride, [](const Map& m, Cell c) { return m.weight(c); });
}

OCTILE_C_API int32_t octile_map_set_terrain(octile_engine engine, int32_t x, int32_t y,
                                            uint8_t terrain) {
  return with_map(engine, [&](Map& map) { return map.set_terrain({x, y}, terrain); });
}

OCTILE_C_API int32_t octile_map_set_weight(octile_engine engine, int32_t x, int32_t y,
                                           uint16_t weight) {
  return with_map(engine, [&](Map& map) { return map.set_weight({x, y}, weight); });
}

OCTILE_C_API int32_t octile_map_fill(octile_engine engine, const octile_rect* rect,
                                     uint8_t terrain) {
  if (!rect) return bad("the rectangle is null");
  return with_map(engine, [&](Map& map) { return map.fill(rect_of(*rect), terrain); });
}

OCTILE_C_API int32_t octile_map_fill_weight(octile_engine engine, const octile_rect* rect,
                                            uint16_t weight) {
  if (!rect) return bad("the rectangle is null");
  return with_map(engine, [&](Map& map) { return map.fill_weight(rect_of(*rect), weight); });
}

OCTILE_C_API int32_t octile_map_stamp(octile_engine engine, const octile_rect* rect,
                                      const uint8_t* terrain, size_t stride) {
  if (int32_t s = check_rows(rect, terrain, stride, static_cast<size_t>(rect ? rect->width : 0)))
    return s;
  return with_map(engine, [&](Map& map) { return map.stamp(rect_of(*rect), terrain, stride); });
}

OCTILE_C_API int32_t octile_map_stamp_weight(octile_engine engine, const octile_rect* rect,
                                             const uint16_t* weight, size_t stride) {
  if (int32_t s = check_rows(rect, weight, stride, static_cast<size_t>(rect ? rect->width : 0)))
    return s;
  return with_map(engine,
                  [&](Map& map) { return map.stamp_weight(rect_of(*rect), weight, stride); });
}

OCTILE_C_API int32_t octile_map_stamp_bits(octile_engine engine, const octile_rect* rect,
                                           const uint8_t* bits, size_t stride, uint8_t terrain) {
  const size_t row = rect && rect->width > 0 ? (static_cast<size_t>(rect->width) + 7) / 8 : 0;
  if (int32_t s = check_rows(rect, bits, stride, row)) return s;
  return with_map(engine,
                  [&](Map& map) { return map.stamp_bits(rect_of(*rect), bits, stride, terrain); });
}

OCTILE_C_API int32_t octile_map_provide_tile(octile_engine engine, int32_t x, int32_t y,
                                             const uint8_t* terrain, size_t stride) {
  if (!terrain) return bad("the tile's values are null");
  return with_map(engine, [&](Map& map) { return map.provide_tile({x, y}, terrain, stride); });
}

OCTILE_C_API int32_t octile_map_release_tile(octile_engine engine, int32_t x, int32_t y) {
  return with_map(engine, [&](Map& map) { return map.release_tile({x, y}); });
}

OCTILE_C_API int32_t octile_obstacle_def_init(octile_obstacle_def* definition) {
  if (!definition) return bad("the definition is null");
  *definition = {};
  definition->size = sizeof *definition;
  const ObstacleDef usual;
  definition->terrain = usual.terrain;
  definition->present = usual.present;
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_map_add_obstacle(octile_engine engine,
                                             const octile_obstacle_def* definition, uint32_t* id) {
  if (!definition) return bad("the definition is null");
  if (!id) return bad(kNullOut);
  if (int32_t s = check_size(definition, "octile_obstacle_def")) return s;
  if (!std::memchr(definition->name, '\0', sizeof definition->name))
    return bad("the name does not end with a zero");
  ObstacleDef d;
  d.cells = cells_of(definition->cells);
  d.count = definition->count;
  d.rect = rect_of(definition->rect);
  d.terrain = definition->terrain;
  d.name = definition->name;
  d.present = definition->present != 0;
  return with_map(engine, [&](Map& map) { return map.add_obstacle(d, id); });
}

OCTILE_C_API int32_t octile_map_set_obstacle(octile_engine engine, uint32_t id, int32_t present) {
  return with_map(engine, [&](Map& map) { return map.set_obstacle(id, present != 0); });
}

OCTILE_C_API int32_t octile_map_remove_obstacle(octile_engine engine, uint32_t id) {
  return with_map(engine, [&](Map& map) { return map.remove_obstacle(id); });
}

OCTILE_C_API int32_t octile_map_obstacle_present(octile_engine engine, uint32_t id,
                                                 int32_t* present) {
  if (!present) return bad(kNullOut);
  return with_map(engine, [&](Map& map) {
    *present = map.obstacle_present(id);
    return Fault();
  });
}

OCTILE_C_API int32_t octile_map_find_obstacle(octile_engine engine, const char* name,
                                              uint32_t* id) {
  if (!name) return bad(kNullText);
  if (!id) return bad(kNullOut);
  return with_map(engine, [&](Map& map) {
    *id = map.find_obstacle(name);
    return Fault();
  });
}

OCTILE_C_API int32_t octile_edit_log_create(octile_edit_log* out) {
  if (!out) return bad(kNullOut);
  return enter_object(new (std::nothrow) LogObject, out);
}

OCTILE_C_API int32_t octile_edit_log_destroy(octile_edit_log log) {
  return destroy(log.value, Kind::log);
}

OCTILE_C_API int32_t octile_map_record(octile_engine engine, octile_edit_log log) {
  Use<EngineObject> e(engine.value);
  if (!e) return OCTILE_BAD_ARGUMENT;
  if (log.value == 0) {
    e->end_recording();
    return OCTILE_FOUND;
  }
  Use<LogObject> l(log.value);
  if (int32_t s = free_log(l)) return s;
  if (!hold(l.slot())) return bad("too many things use this log");
  if (const Fault fault = e->engine.map().record(&l->log)) {
    let_go(l.slot());
    return told(fault);
  }
  // The map writes into the new log now; the old one is done with.
  if (e->log) {
    static_cast<LogObject*>(e->log->object)->recorded.store(false);
    let_go(e->log);
  }
  e->log = l.slot();
  l->recorded.store(true);
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_edit_log_read(octile_edit_log log, uint8_t* out, size_t capacity,
                                          size_t* length) {
  Use<LogObject> l(log.value);
  if (int32_t s = free_log(l)) return s;
  return give(l->log.data(), l->log.size(), 0, out, capacity, length);
}

OCTILE_C_API int32_t octile_edit_log_assign(octile_edit_log log, const void* data, size_t size) {
  if (bad_buffer(static_cast<const uint8_t*>(data), size)) return bad("the bytes are null");
  Use<LogObject> l(log.value);
  if (int32_t s = free_log(l)) return s;
  return told(l->log.assign(data, size));
}

OCTILE_C_API int32_t octile_edit_log_save(octile_edit_log log, const char* path) {
  if (!path) return bad(kNullText);
  Use<LogObject> l(log.value);
  if (int32_t s = free_log(l)) return s;
  return told(l->log.save(path));
}

OCTILE_C_API int32_t octile_edit_log_load(octile_edit_log log, const char* path) {
  if (!path) return bad(kNullText);
  Use<LogObject> l(log.value);
  if (int32_t s = free_log(l)) return s;
  return told(l->log.load(path));
}

OCTILE_C_API int32_t octile_engine_replay(octile_engine engine, octile_edit_log log) {
  Use<EngineObject> e(engine.value);
  if (!e) return OCTILE_BAD_ARGUMENT;
  Use<LogObject> l(log.value);
  if (int32_t s = free_log(l)) return s;
  return told(e->engine.replay(l->log));
}

// ---------------------------------------------------------------------------------------------
// Maps made by rule

OCTILE_C_API int32_t octile_generate_options_init(octile_generate_options* options) {
  if (!options) return bad("the options are null");
  const GenerateOptions from;
  *options = {sizeof *options, 0, 0, from.density, from.room, from.corridor, from.seed};
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_generate(const char* kind, const octile_generate_options* options,
                                     uint8_t* out, size_t stride) {
  if (!options) return bad("the options are null");
  if (int32_t s = check_size(options, "octile_generate_options")) return s;
  GenerateOptions to;
  to.width = options->width;
  to.height = options->height;
  to.seed = options->seed;
  to.density = options->density;
  to.room = options->room;
  to.corridor = options->corridor;
  return told(generate(kind, to, out, stride));
}

OCTILE_C_API int32_t octile_map_kind_count(void) {
  return map_kind_count();
}

OCTILE_C_API int32_t octile_map_kind_describe(int32_t kind, octile_map_kind* info) {
  if (!info) return bad(kNullOut);
  if (int32_t s = check_size(info, "octile_map_kind")) return s;
  if (kind < 0 || kind >= map_kind_count()) return bad("there is no kind of map of that number");
  const MapKind& of = map_kind(kind);
  *info = {sizeof *info, 0, of.name, of.summary, -1, -1, -1, 0};
  for (const MapParameter& p : of.parameters) {
    if (!p.name) continue;
    if (std::strcmp(p.name, "seed") == 0) info->seeded = 1;
    if (std::strcmp(p.name, "density") == 0) info->density = p.standard;
    if (std::strcmp(p.name, "room") == 0) info->room = p.standard;
    if (std::strcmp(p.name, "corridor") == 0) info->corridor = p.standard;
  }
  return OCTILE_FOUND;
}

// ---------------------------------------------------------------------------------------------
// Profiles

OCTILE_C_API int32_t octile_profile_init(octile_profile* profile) {
  if (!profile) return bad("the profile is null");
  write_profile(Profile(), profile);
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_profile_quantise(octile_profile* profile, double* change) {
  Profile p;
  if (int32_t s = read_profile(profile, &p)) return s;
  const double largest = p.quantise();
  write_profile(p, profile);
  if (change) *change = largest;
  return OCTILE_FOUND;
}

OCTILE_C_API int32_t octile_engine_add_profile(octile_engine engine, const octile_profile* profile,
                                               uint32_t* id) {
  if (!id) return bad(kNullOut);
  Profile p;
  if (int32_t s = read_profile(profile, &p)) return s;
  Use<EngineObject> e(engine.value);
  if (!e) return OCTILE_BAD_ARGUMENT;
  return told(e->engine.add_profile(p, id));
}

OCTILE_C_API int32_t octile_engine_remove_profile(octile_engine engine, uint32_t id) {
  Use<EngineObject> e(engine.value);
  if (!e) return OCTILE_BAD_ARGUMENT;
  return told(e->engine.remove_profile(id));
}

}  // extern "C"

}  // namespace octile::c
