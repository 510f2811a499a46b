/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The Octile authors */

/* Every function of octile.h from C, called rightly and wrongly. Counts what it checks: the last
 * line is "N passed, N failed". Also linked with the amalgamation, which has no test library. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "octile/octile.h"

static int passed, failed;

static void check(int good, const char* what, int line) {
  char text[256];
  if (good) {
    ++passed;
    return;
  }
  ++failed;
  octile_message(text, sizeof text);
  printf("line %d: %s (last message: %s)\n", line, what, text);
}

#define CHECK(condition) check((condition) ? 1 : 0, #condition, __LINE__)
#define OK(call) check((call) == OCTILE_FOUND, #call, __LINE__)
#define BAD(call) check((call) == OCTILE_BAD_ARGUMENT, #call, __LINE__)

static octile_cell cell(int32_t x, int32_t y) {
  octile_cell c;
  c.x = x;
  c.y = y;
  return c;
}

static octile_pair pair(int32_t ax, int32_t ay, int32_t bx, int32_t by) {
  octile_pair p;
  p.a = cell(ax, ay);
  p.b = cell(bx, by);
  return p;
}

static octile_rect rect(int32_t x, int32_t y, int32_t width, int32_t height) {
  octile_rect r;
  r.x = x;
  r.y = y;
  r.width = width;
  r.height = height;
  return r;
}

/* Two rooms side by side, joined at (10, 0) and by the gap from (9, 6) to (11, 6). */
static const char kRooms[] =
    "....................\n"
    "..........#.........\n"
    "..........#.........\n"
    "....####..#.........\n"
    "..........#.........\n"
    "..........#.........\n"
    "#########...########\n"
    "....................\n";

typedef struct world {
  octile_engine engine;
  uint32_t profile;
  octile_view view;
  octile_searcher searcher;
} world;

static world make_world(void) {
  world w;
  octile_profile profile;
  memset(&w, 0, sizeof w);
  OK(octile_engine_create(&w.engine));
  OK(octile_engine_parse(w.engine, kRooms, strlen(kRooms), NULL));
  OK(octile_profile_init(&profile));
  OK(octile_engine_add_profile(w.engine, &profile, &w.profile));
  OK(octile_engine_commit(w.engine));
  OK(octile_engine_view(w.engine, w.profile, &w.view));
  OK(octile_searcher_create(&w.searcher));
  return w;
}

static void end_world(world* w) {
  OK(octile_searcher_destroy(w->searcher));
  OK(octile_view_destroy(w->view));
  OK(octile_engine_destroy(w->engine));
}

static void test_library(void) {
  char text[256];
  char two[2] = {'x', 'x'};
  CHECK(octile_abi_version() == OCTILE_ABI_VERSION);
  CHECK(octile_version() >= 0x000200);
  CHECK(octile_sizeof("octile_query") == sizeof(octile_query));
  CHECK(octile_sizeof("octile_plan_report") == sizeof(octile_plan_report));
  CHECK(octile_sizeof("octile_agent") == sizeof(octile_agent));
  CHECK(octile_sizeof("nothing") == 0);
  CHECK(octile_sizeof(NULL) == 0);
  CHECK(strcmp(octile_status_name(OCTILE_FOUND), "found") == 0);
  CHECK(strcmp(octile_status_name(OCTILE_BAD_ARGUMENT), "bad_argument") == 0);
  CHECK(strcmp(octile_status_name(14), "") == 0);
  CHECK(strcmp(octile_status_name(-1), "") == 0);
  BAD(octile_engine_create(NULL));
  CHECK(octile_message(text, sizeof text) == strlen(text));
  CHECK(strlen(text) > 0);
  CHECK(octile_message(two, sizeof two) == strlen(text));
  CHECK(two[0] == text[0] && two[1] == '\0');
  CHECK(octile_message(NULL, 0) == strlen(text));
}

static void test_handles(void) {
  octile_engine engine, second, none = {0}, made_up = {0x123456789abcdef0u};
  octile_searcher searcher;
  octile_cancel cancel, as_cancel;
  int bit;
  OK(octile_engine_create(&engine));
  BAD(octile_engine_commit(none));
  BAD(octile_engine_commit(made_up));
  BAD(octile_engine_destroy(none));
  BAD(octile_engine_destroy(made_up));
  OK(octile_searcher_create(&searcher));
  /* A handle of another kind. */
  as_cancel.value = searcher.value;
  BAD(octile_cancel_raise(as_cancel));
  BAD(octile_cancel_destroy(as_cancel));
  /* No bit of a handle is without meaning. */
  for (bit = 0; bit < 64; ++bit) {
    octile_searcher other = searcher;
    other.value ^= (uint64_t)1 << bit;
    BAD(octile_searcher_release(other));
  }
  OK(octile_engine_destroy(engine));
  BAD(octile_engine_destroy(engine));
  BAD(octile_engine_commit(engine));
  /* The place is used again, the handle is not. */
  OK(octile_engine_create(&second));
  CHECK(second.value != engine.value);
  BAD(octile_engine_destroy(engine));
  OK(octile_engine_destroy(second));
  OK(octile_searcher_destroy(searcher));
  OK(octile_cancel_create(&cancel));
  BAD(octile_cancel_create(NULL));
  OK(octile_cancel_raise(cancel));
  OK(octile_cancel_reset(cancel));
  OK(octile_cancel_destroy(cancel));
  BAD(octile_cancel_reset(cancel));
}

static void test_map(void) {
  octile_engine engine;
  octile_map_def def, read;
  octile_map_info info;
  octile_rect r = rect(1, 1, 2, 2);
  uint8_t values[6] = {'@', '.', '.', '.', '@', '.'};
  uint8_t bits[2] = {3, 1}, out[4];
  uint16_t weights[4] = {1, 2, 3, 4}, got[4];
  char text[256];
  size_t length = 0;
  BAD(octile_map_def_init(NULL));
  OK(octile_map_def_init(&def));
  CHECK(def.size == sizeof def && def.terrain == '.' && def.cell_size == 1);
  OK(octile_engine_create(&engine));
  BAD(octile_engine_reset(engine, &def, NULL, 0)); /* 0 x 0 */
  def.width = 3;
  def.height = 2;
  def.weights = 1;
  BAD(octile_engine_reset(engine, NULL, NULL, 0));
  BAD(octile_engine_reset(engine, &def, values, 2)); /* rows overlap */
  def.size = 8;
  BAD(octile_engine_reset(engine, &def, NULL, 0));
  def.size = sizeof def + 8;
  BAD(octile_engine_reset(engine, &def, NULL, 0));
  def.size = sizeof def;
  def.cell_size = NAN;
  BAD(octile_engine_reset(engine, &def, NULL, 0));
  def.cell_size = 2;
  OK(octile_engine_reset(engine, &def, values, 3));
  OK(octile_map_terrain(engine, &r, out, 2));
  CHECK(out[0] == '@' && out[1] == '.' && out[2] == 0 && out[3] == 0);
  BAD(octile_map_terrain(engine, NULL, out, 2));
  BAD(octile_map_terrain(engine, &r, NULL, 2));
  BAD(octile_map_terrain(engine, &r, out, 1));
  memset(&read, 0, sizeof read);
  read.size = sizeof read;
  memset(&info, 0, sizeof info);
  BAD(octile_map_describe(engine, &read, &info));
  info.size = sizeof info;
  OK(octile_map_describe(engine, &read, &info));
  CHECK(read.width == 3 && read.height == 2 && read.cell_size == 2 && read.weights == 1);
  CHECK(info.version == 0);
  OK(octile_map_describe(engine, NULL, NULL));

  OK(octile_map_set_terrain(engine, 0, 0, 'G'));
  BAD(octile_map_set_terrain(engine, 3, 0, 'G'));
  OK(octile_map_set_weight(engine, 0, 0, 7));
  BAD(octile_map_set_weight(engine, 0, -1, 7));
  r = rect(0, 0, 2, 2);
  OK(octile_map_fill(engine, &r, '.'));
  BAD(octile_map_fill(engine, NULL, '.'));
  OK(octile_map_fill_weight(engine, &r, 2));
  BAD(octile_map_fill_weight(engine, NULL, 2));
  OK(octile_map_stamp(engine, &r, values, 3));
  BAD(octile_map_stamp(engine, &r, values, 1));
  BAD(octile_map_stamp(engine, &r, NULL, 3));
  BAD(octile_map_stamp(engine, NULL, values, 3));
  OK(octile_map_stamp_weight(engine, &r, weights, 2));
  BAD(octile_map_stamp_weight(engine, &r, NULL, 2));
  OK(octile_map_weight(engine, &r, got, 2));
  CHECK(memcmp(got, weights, sizeof got) == 0);
  BAD(octile_map_weight(engine, &r, NULL, 2));
  OK(octile_map_stamp_bits(engine, &r, bits, 1, 'T'));
  BAD(octile_map_stamp_bits(engine, &r, NULL, 1, 'T'));
  OK(octile_map_ground(engine, &r, out, 2));
  CHECK(out[0] == 'T' && out[1] == 'T' && out[2] == 'T' && out[3] == '@');
  r.width = 9;
  BAD(octile_map_fill(engine, &r, '.'));
  r.width = -1;
  BAD(octile_map_ground(engine, &r, out, 2));

  OK(octile_map_write(engine, OCTILE_FORMAT_MOVING_AI, NULL, 0, &length));
  CHECK(length > 20 && length < sizeof text);
  OK(octile_map_write(engine, OCTILE_FORMAT_MOVING_AI, text, sizeof text, &length));
  CHECK(memcmp(text, "type octile", 11) == 0);
  BAD(octile_map_write(engine, 9, text, sizeof text, &length));
  BAD(octile_map_write(engine, OCTILE_FORMAT_TEXT, NULL, 5, &length));
  BAD(octile_map_write(engine, OCTILE_FORMAT_TEXT, text, sizeof text, NULL));
  OK(octile_engine_parse(engine, text, length, NULL));
  BAD(octile_engine_parse(engine, NULL, 5, NULL));
  BAD(octile_engine_parse(engine, "type octile\nheight 5\n", 21, NULL));
  OK(octile_engine_commit(engine));
  BAD(octile_engine_load(engine, NULL));
  BAD(octile_engine_load(engine, "/nothing/here.tiles"));
  BAD(octile_map_save(engine, NULL));
  BAD(octile_map_save(engine, "/nothing/here.tiles"));
  OK(octile_map_save(engine, "c_face_test.tiles"));
  OK(octile_engine_load(engine, "c_face_test.tiles"));
  remove("c_face_test.tiles");
  OK(octile_engine_destroy(engine));
}

static void test_streaming(void) {
  octile_engine engine;
  octile_map_def def;
  octile_profile profile;
  octile_map_info info;
  octile_view view;
  octile_searcher searcher;
  octile_query query;
  octile_answer answer;
  octile_cell wanted[4];
  octile_rect r = rect(63, 0, 2, 1);
  uint8_t loaded[2];
  static uint8_t tile[64 * 64];
  uint32_t id;
  memset(tile, '.', sizeof tile);
  OK(octile_engine_create(&engine));
  OK(octile_map_def_init(&def));
  def.width = 128;
  def.height = 64;
  def.streamed = 1;
  OK(octile_engine_reset(engine, &def, NULL, 0));
  OK(octile_profile_init(&profile));
  OK(octile_engine_add_profile(engine, &profile, &id));
  OK(octile_map_provide_tile(engine, 5, 5, tile, 64));
  BAD(octile_map_provide_tile(engine, 5, 5, NULL, 64));
  BAD(octile_map_provide_tile(engine, -1, 5, tile, 64));
  OK(octile_engine_commit(engine));
  info.size = sizeof info;
  OK(octile_map_describe(engine, NULL, &info));
  CHECK(info.absent_tiles == 1);
  OK(octile_engine_view(engine, id, &view));
  OK(octile_view_loaded(view, &r, loaded, 2));
  CHECK(loaded[0] == 1 && loaded[1] == 0);
  OK(octile_searcher_create(&searcher));
  OK(octile_query_init(&query));
  OK(octile_answer_init(&answer));
  query.goal = cell(100, 10);
  CHECK(octile_find(searcher, view, &query, wanted, 4, &answer) == OCTILE_NOT_LOADED);
  CHECK(answer.length == 1 && wanted[0].x == 64 && wanted[0].y == 0);
  OK(octile_map_release_tile(engine, 5, 5));
  BAD(octile_map_release_tile(engine, 500, 5));
  OK(octile_view_destroy(view));
  OK(octile_searcher_destroy(searcher));
  OK(octile_engine_destroy(engine));
}

static void test_obstacles_and_logs(void) {
  world w = make_world();
  octile_obstacle_def def;
  octile_edit_log log, none = {0};
  octile_engine other;
  octile_cell cells[2];
  octile_view after;
  uint32_t door = 0, found = 0;
  int32_t present = 0;
  uint8_t bytes[1024];
  size_t length = 0, found_length = 0;
  cells[0] = cell(10, 6);
  cells[1] = cell(11, 6);
  OK(octile_edit_log_create(&log));
  BAD(octile_edit_log_create(NULL));
  OK(octile_map_record(w.engine, log));
  BAD(octile_map_record(w.engine, log)); /* it does already */
  BAD(octile_edit_log_read(log, bytes, sizeof bytes, &length));
  BAD(octile_obstacle_def_init(NULL));
  OK(octile_obstacle_def_init(&def));
  def.cells = cells;
  def.count = 2;
  memcpy(def.name, "door", 5);
  OK(octile_map_add_obstacle(w.engine, &def, &door));
  BAD(octile_map_add_obstacle(w.engine, &def, &found)); /* the name is taken */
  BAD(octile_map_add_obstacle(w.engine, NULL, &found));
  BAD(octile_map_add_obstacle(w.engine, &def, NULL));
  memset(def.name, 'a', sizeof def.name);
  BAD(octile_map_add_obstacle(w.engine, &def, &found)); /* no zero */
  OK(octile_map_find_obstacle(w.engine, "door", &found));
  CHECK(door != 0 && found == door);
  OK(octile_map_find_obstacle(w.engine, "gate", &found));
  CHECK(found == 0);
  BAD(octile_map_find_obstacle(w.engine, NULL, &found));
  OK(octile_map_obstacle_present(w.engine, door, &present));
  CHECK(present == 1);
  BAD(octile_map_obstacle_present(w.engine, door, NULL));
  OK(octile_engine_commit(w.engine));
  OK(octile_engine_view(w.engine, w.profile, &after));
  OK(octile_view_differences(w.view, after, cells, 1, &length));
  CHECK(length == 2 && cells[0].x == 10 && cells[0].y == 6);
  BAD(octile_view_differences(w.view, after, NULL, 1, &length));
  OK(octile_map_set_obstacle(w.engine, door, 0));
  BAD(octile_map_set_obstacle(w.engine, 99, 0));
  OK(octile_map_remove_obstacle(w.engine, door));
  BAD(octile_map_remove_obstacle(w.engine, door));
  OK(octile_engine_commit(w.engine));
  OK(octile_map_record(w.engine, none));
  OK(octile_edit_log_read(log, bytes, sizeof bytes, &length));
  CHECK(length > 8 && length <= sizeof bytes);
  BAD(octile_edit_log_read(log, bytes, sizeof bytes, NULL));
  OK(octile_edit_log_assign(log, bytes, length));
  BAD(octile_edit_log_assign(log, NULL, 5));
  OK(octile_edit_log_save(log, "c_face_test.log"));
  BAD(octile_edit_log_save(log, NULL));
  CHECK(octile_edit_log_save(log, "no/such/folder/log") != OCTILE_FOUND);
  OK(octile_edit_log_assign(log, NULL, 0));
  OK(octile_edit_log_load(log, "c_face_test.log"));
  remove("c_face_test.log");
  CHECK(octile_edit_log_load(log, "c_face_test.log") != OCTILE_FOUND);
  BAD(octile_edit_log_load(none, "c_face_test.log"));
  BAD(octile_edit_log_load(log, NULL));
  OK(octile_edit_log_read(log, bytes, sizeof bytes, &found_length));
  CHECK(found_length == length);
  OK(octile_engine_create(&other));
  OK(octile_engine_parse(other, kRooms, strlen(kRooms), NULL));
  OK(octile_engine_commit(other));
  OK(octile_engine_replay(other, log));
  BAD(octile_engine_replay(other, none));
  OK(octile_edit_log_assign(log, "nonsense", 8));
  BAD(octile_engine_replay(other, log));
  /* Destroyed while a map records into it: it lives until that ends. */
  OK(octile_map_record(other, log));
  OK(octile_edit_log_destroy(log));
  BAD(octile_edit_log_destroy(log));
  OK(octile_map_set_terrain(other, 0, 0, '@'));
  OK(octile_engine_commit(other));
  OK(octile_engine_destroy(other));
  OK(octile_view_destroy(after));
  end_world(&w);
}

static void test_generators(void) {
  octile_generate_options options;
  octile_map_kind kind;
  uint8_t rows[40 * 30], again[40 * 30], few[8];
  octile_map_def def;
  octile_engine engine;
  octile_rect all = {0, 0, 40, 30};
  int32_t id, cities = 0;
  BAD(octile_generate_options_init(NULL));
  OK(octile_generate_options_init(&options));
  CHECK(options.size == sizeof options && options.width == 0 && options.seed == 1);
  CHECK(options.density == -1 && options.room == -1 && options.corridor == -1);
  BAD(octile_generate("caves", &options, rows, 40)); /* without cells */
  options.width = 40;
  options.height = 30;
  kind.size = sizeof kind;
  for (id = 0; id < octile_map_kind_count(); ++id) {
    OK(octile_map_kind_describe(id, &kind));
    CHECK(kind.name[0] && kind.summary[0] && kind.reserved == 0);
    cities += strcmp(kind.name, "city") == 0 && kind.seeded && kind.room == 42;
    options.seed = 1;
    OK(octile_generate(kind.name, &options, rows, 40));
    options.seed = 2;
    OK(octile_generate(kind.name, &options, again, 40));
    CHECK((memcmp(rows, again, sizeof rows) != 0) == (kind.seeded != 0));
    options.density = 10;
    CHECK((octile_generate(kind.name, &options, again, 40) == OCTILE_FOUND) == (kind.density >= 0));
    options.density = -1;
    options.room = 5;
    CHECK((octile_generate(kind.name, &options, again, 40) == OCTILE_FOUND) == (kind.room >= 0));
    options.room = -1;
    options.corridor = 2;
    CHECK((octile_generate(kind.name, &options, again, 40) == OCTILE_FOUND) ==
          (kind.corridor >= 0));
    options.corridor = -1;
  }
  CHECK(id > 10 && cities == 1);
  BAD(octile_map_kind_describe(-1, &kind));
  BAD(octile_map_kind_describe(id, &kind));
  BAD(octile_map_kind_describe(0, NULL));

  /* What is refused writes nothing. */
  memset(rows, 7, sizeof rows);
  BAD(octile_generate(NULL, &options, rows, 40));
  BAD(octile_generate("labyrinth", &options, rows, 40));
  BAD(octile_generate("caves", NULL, rows, 40));
  BAD(octile_generate("caves", &options, NULL, 40));
  BAD(octile_generate("caves", &options, rows, 39));
  options.density = 1001;
  BAD(octile_generate("caves", &options, rows, 40));
  options.density = -1;
  options.width = options.height = INT32_MAX;
  BAD(octile_generate("caves", &options, rows, SIZE_MAX));
  CHECK(rows[0] == 7 && rows[sizeof rows - 1] == 7);

  /* Rows farther apart than they are wide, and into a map. */
  options.width = 3;
  options.height = 2;
  memset(few, 7, sizeof few);
  OK(octile_generate("checkerboard", &options, few, 4));
  CHECK(memcmp(few, ".@.\a@.@\a", 8) == 0);
  options.width = 40;
  options.height = 30;
  OK(octile_generate("maze", &options, rows, 40));
  OK(octile_map_def_init(&def));
  def.width = 40;
  def.height = 30;
  OK(octile_engine_create(&engine));
  OK(octile_engine_reset(engine, &def, rows, 40));
  OK(octile_map_terrain(engine, &all, again, 40));
  CHECK(memcmp(rows, again, sizeof rows) == 0);
  OK(octile_engine_destroy(engine));
}

static void test_profiles_and_views(void) {
  world w = make_world();
  octile_profile profile, read;
  octile_map_def def;
  octile_view_info info;
  octile_view view;
  octile_pair ends = pair(0, 0, 5, 0);
  octile_rect r = rect(-1, 0, 2, 1);
  octile_point points[2], centers[2];
  octile_cell cells[2];
  uint8_t bytes[2];
  uint32_t components[2], id = 0;
  double costs[2], change = -1;
  uint64_t version = 0;
  int32_t clear = -1;
  BAD(octile_profile_init(NULL));
  OK(octile_profile_init(&profile));
  CHECK(profile.terrain_cost['.'] == 1 && profile.terrain_cost['@'] == OCTILE_WALL);
  profile.terrain_cost['G'] = 1.0004;
  BAD(octile_engine_add_profile(w.engine, &profile, &id)); /* four decimals */
  OK(octile_profile_quantise(&profile, &change));
  CHECK(fabs(change - 0.0004) < 1e-9 && profile.terrain_cost['G'] == 1);
  OK(octile_profile_quantise(&profile, NULL));
  BAD(octile_profile_quantise(NULL, &change));
  profile.moves = 7;
  BAD(octile_engine_add_profile(w.engine, &profile, &id));
  profile.moves = OCTILE_MOVES_FOUR;
  profile.diagonal = 9;
  BAD(octile_engine_add_profile(w.engine, &profile, &id));
  profile.diagonal = OCTILE_DIAGONAL_ALWAYS;
  profile.metric = 9;
  BAD(octile_engine_add_profile(w.engine, &profile, &id));
  profile.metric = OCTILE_METRIC_TEN_FOURTEEN;
  BAD(octile_engine_add_profile(w.engine, &profile, NULL));
  BAD(octile_engine_add_profile(w.engine, NULL, &id));
  OK(octile_engine_add_profile(w.engine, &profile, &id));
  OK(octile_engine_view(w.engine, id, &view));
  memset(&read, 0, sizeof read);
  read.size = sizeof read;
  def.size = sizeof def;
  OK(octile_view_definition(view, &def, &read));
  CHECK(def.width == 20 && def.height == 8);
  CHECK(read.moves == OCTILE_MOVES_FOUR && read.metric == OCTILE_METRIC_TEN_FOURTEEN);
  def.size = 1;
  BAD(octile_view_definition(view, &def, NULL));
  OK(octile_engine_remove_profile(w.engine, id));
  BAD(octile_engine_remove_profile(w.engine, id));
  BAD(octile_engine_view(w.engine, id, &view));
  BAD(octile_engine_view(w.engine, w.profile, NULL));
  OK(octile_view_destroy(view));

  memset(&info, 0, sizeof info);
  BAD(octile_view_describe(w.view, &info));
  BAD(octile_view_describe(w.view, NULL));
  info.size = sizeof info;
  OK(octile_view_describe(w.view, &info));
  CHECK(info.width == 20 && info.height == 8 && info.uniform == 1 && info.index == 0);
  OK(octile_view_terrain(w.view, &r, bytes, 2));
  CHECK(bytes[0] == 0 && bytes[1] == '.');
  OK(octile_view_passable(w.view, &r, bytes, 2));
  CHECK(bytes[0] == 0 && bytes[1] == 1);
  OK(octile_view_moves(w.view, &r, bytes, 2));
  CHECK(bytes[0] == 0 && bytes[1] == 7); /* E, SE, S */
  OK(octile_view_cost(w.view, &r, costs, 2));
  CHECK(costs[0] == OCTILE_WALL && costs[1] == 1);
  OK(octile_view_component(w.view, &r, components, 2));
  CHECK(components[0] == UINT32_MAX && components[1] != UINT32_MAX);
  OK(octile_view_loaded(w.view, &r, bytes, 2));
  BAD(octile_view_terrain(w.view, NULL, bytes, 2));
  BAD(octile_view_passable(w.view, &r, NULL, 2));
  BAD(octile_view_moves(w.view, NULL, bytes, 2));
  BAD(octile_view_cost(w.view, &r, NULL, 2));
  BAD(octile_view_component(w.view, &r, NULL, 2));
  r = rect(INT32_MAX, 0, 2, 1);
  BAD(octile_view_terrain(w.view, &r, bytes, 2));
  OK(octile_view_tile_version(w.view, 0, 0, &version));
  CHECK(version == 1);
  BAD(octile_view_tile_version(w.view, 0, 0, NULL));
  OK(octile_view_line_of_sight(w.view, &ends, &clear));
  CHECK(clear == 1);
  BAD(octile_view_line_of_sight(w.view, NULL, &clear));
  OK(octile_view_estimate(w.view, &ends, costs));
  CHECK(costs[0] == 5);
  BAD(octile_view_estimate(w.view, &ends, NULL));
  points[0].x = 2.5;
  points[0].y = -0.5;
  points[1].x = NAN;
  points[1].y = 0;
  OK(octile_view_cells_at(w.view, points, 2, cells));
  CHECK(cells[0].x == 2 && cells[0].y == -1);
  BAD(octile_view_cells_at(w.view, NULL, 2, cells));
  OK(octile_view_centers(w.view, cells, 1, centers));
  CHECK(centers[0].x == 2.5 && centers[0].y == -0.5);
  BAD(octile_view_centers(w.view, cells, 1, NULL));
  end_world(&w);
}

static void count_progress(void* user, double done) {
  if (done >= 0 && done <= 1) ++*(int*)user;
}

/* The engine would wait for the thread that calls this. */
typedef struct meddler {
  octile_engine engine;
  int refused;
} meddler;
static void meddle(void* user, double done) {
  meddler* m = user;
  (void)done;
  if (octile_engine_stop_build(m->engine) == OCTILE_BAD_ARGUMENT) ++m->refused;
}

static void test_indexes(void) {
  world w = make_world();
  octile_index_options options;
  octile_index index, again, loaded;
  octile_index_info info;
  octile_view with, portals;
  octile_view_info about;
  octile_cancel cancel;
  meddler meddling;
  octile_rect leaves[4];
  octile_cell gates[4];
  uint32_t ranks[32], seen = 0;
  size_t corners = 0, i;
  unsigned char* bytes;
  size_t length = 0;
  double done = -1;
  int told = 0;
  int32_t belongs = 0, adopted = 0, running = 0, rounds = 0;
  BAD(octile_index_options_init(NULL));
  OK(octile_index_options_init(&options));
  CHECK(options.most == OCTILE_INDEX_TILE_LABELS && options.threads == 1);
  BAD(octile_index_build(w.view, &options, NULL));
  options.most = 77;
  BAD(octile_index_build(w.view, &options, &index));
  options.most = OCTILE_INDEX_TILE_LABELS;
  options.threads = 1000;
  BAD(octile_index_build(w.view, &options, &index));
  options.threads = 2;
  options.progress = count_progress;
  options.user = &told;
  OK(octile_index_build(w.view, &options, &index));
  CHECK(told > 0);
  memset(&info, 0, sizeof info);
  BAD(octile_index_describe(index, &info));
  info.size = sizeof info;
  OK(octile_index_describe(index, &info));
  CHECK(info.kind == OCTILE_INDEX_TILE_LABELS && info.width == 20 && info.bytes > 0);
  OK(octile_index_belongs_to(index, w.view, &belongs));
  CHECK(belongs == 1);
  BAD(octile_index_belongs_to(index, w.view, NULL));
  OK(octile_index_write(index, NULL, 0, &length));
  CHECK(length == info.bytes);
  bytes = malloc(length);
  OK(octile_index_write(index, bytes, length, &length));
  OK(octile_index_read(bytes, length, &again));
  BAD(octile_index_read(bytes, length - 1, &loaded));
  BAD(octile_index_read(NULL, 5, &loaded));
  BAD(octile_index_read(bytes, length, NULL));
  free(bytes);
  OK(octile_index_save(index, "c_face_test.index"));
  BAD(octile_index_save(index, NULL));
  OK(octile_index_load("c_face_test.index", OCTILE_LOAD_COPIED, &loaded));
  BAD(octile_index_load("c_face_test.index", 9, &loaded));
  BAD(octile_index_load("/nothing/here", OCTILE_LOAD_MAPPED, &loaded));
  BAD(octile_index_load(NULL, OCTILE_LOAD_MAPPED, &loaded));
  remove("c_face_test.index");
  OK(octile_view_with_index(w.view, loaded, &with));
  BAD(octile_view_with_index(w.view, loaded, NULL));
  OK(octile_index_destroy(loaded));
  BAD(octile_view_index(w.view, &loaded)); /* has none */
  BAD(octile_view_stale_index(w.view, &loaded));
  OK(octile_view_index(with, &loaded));
  OK(octile_index_destroy(loaded));
  OK(octile_engine_adopt(w.engine, w.profile, again));
  BAD(octile_engine_adopt(w.engine, 99, again));
  OK(octile_index_destroy(again));

  options.most = OCTILE_INDEX_SUBGOAL_LABELS;
  OK(octile_index_build(w.view, &options, &again));
  OK(octile_view_with_index(w.view, again, &portals));
  OK(octile_view_index_hub_ranks(portals, ranks, 32, &length));
  CHECK(length > 0 && length <= 32);
  for (i = 0; i < length; ++i) seen |= 1u << ranks[i];
  CHECK(seen == UINT32_MAX >> (32 - length)); /* all of them, once */
  OK(octile_view_index_subgoals(portals, gates, 4, &corners));
  CHECK(corners == length);
  BAD(octile_view_index_hub_ranks(portals, NULL, 4, &length));
  OK(octile_view_destroy(portals));
  OK(octile_index_destroy(again));

  options.most = OCTILE_INDEX_PORTALS;
  OK(octile_index_build(w.view, &options, &again));
  OK(octile_view_with_index(w.view, again, &portals));
  OK(octile_view_index_subgoals(portals, gates, 4, &length));
  CHECK(length == 0);
  OK(octile_view_index_hub_ranks(portals, ranks, 4, &length));
  CHECK(length == 0);
  BAD(octile_view_index_subgoals(portals, gates, 4, NULL));
  OK(octile_view_index_leaves(portals, leaves, 4, &length));
  CHECK(length == 1 && leaves[0].width == 20);
  BAD(octile_view_index_leaves(portals, leaves, 4, NULL));
  OK(octile_view_index_portals(portals, gates, 4, &length));
  BAD(octile_view_index_portals(portals, NULL, 4, &length));
  OK(octile_view_destroy(portals));
  OK(octile_index_destroy(again));

  OK(octile_cancel_create(&cancel));
  OK(octile_cancel_raise(cancel));
  options.most = OCTILE_INDEX_TILE_LABELS;
  options.cancel = cancel;
  CHECK(octile_index_build(w.view, &options, &again) == OCTILE_CANCELLED);

  /* In the background. The token may be destroyed while the build has it. */
  OK(octile_cancel_reset(cancel));
  OK(octile_map_set_terrain(w.engine, 0, 0, '@'));
  OK(octile_engine_commit(w.engine));
  BAD(octile_engine_start_build(w.engine, 99, &options));
  OK(octile_engine_start_build(w.engine, w.profile, &options));
  OK(octile_cancel_destroy(cancel));
  OK(octile_engine_building(w.engine, &running, &done));
  BAD(octile_engine_building(w.engine, NULL, &done));
  BAD(octile_engine_adopt_finished(w.engine, NULL));
  while (!adopted && ++rounds < 100000000)
    OK(octile_engine_adopt_finished(w.engine, &adopted)), --passed;
  CHECK(adopted == 1);
  OK(octile_engine_building(w.engine, &running, NULL));
  CHECK(running == 0);
  OK(octile_view_destroy(w.view));
  OK(octile_engine_view(w.engine, w.profile, &w.view));
  about.size = sizeof about;
  OK(octile_view_describe(w.view, &about));
  CHECK(about.index == OCTILE_INDEX_TILE_LABELS);
  BAD(octile_engine_start_build(w.engine, w.profile, &options)); /* that token is gone */
  OK(octile_engine_start_build(w.engine, w.profile, NULL));
  OK(octile_engine_stop_build(w.engine));
  memset(&options.cancel, 0, sizeof options.cancel);
  meddling.engine = w.engine;
  meddling.refused = 0;
  options.progress = meddle;
  options.user = &meddling;
  OK(octile_engine_start_build(w.engine, w.profile, &options));
  for (adopted = 0; !adopted;) (void)octile_engine_adopt_finished(w.engine, &adopted);
  CHECK(meddling.refused > 0);
  options.progress = NULL;
  CHECK(octile_view_with_index(w.view, index, &portals) == OCTILE_STALE_INDEX);

  memset(&options.cancel, 0, sizeof options.cancel);
  options.most = OCTILE_INDEX_SUBGOAL_LABELS;
  OK(octile_index_build(w.view, &options, &again));
  OK(octile_engine_repair_labels(w.engine, w.profile, again, 0));
  BAD(octile_engine_repair_labels(w.engine, 99, again, 0));
  memset(&loaded, 0, sizeof loaded);
  OK(octile_engine_repair_labels(w.engine, w.profile, loaded, 0));
  OK(octile_index_destroy(again));
  OK(octile_index_destroy(index));
  OK(octile_view_destroy(with));
  end_world(&w);
}

static void test_queries(void) {
  world w = make_world();
  octile_solver_info solver;
  octile_query query;
  octile_answer answer, second;
  octile_trace trace;
  octile_trace_event events[512];
  octile_cancel cancel;
  octile_path lent = {0};
  octile_cell cells[64], few[2], next, goals[2];
  octile_extra_cost extra;
  octile_point points[64];
  octile_pair ends = pair(0, 0, 19, 0);
  octile_view dead;
  double costs[4], cost = 0;
  size_t length = 0, first = 99;
  int32_t complete = 0, done = 0, answer_cut = -1, id, steps = 0;
  CHECK(octile_solver_count() > 5);
  CHECK(octile_solver_id("auto") == 0 && octile_solver_id("none") == -1);
  CHECK(octile_solver_id(NULL) == -1);
  solver.size = sizeof solver;
  for (id = 0; id < octile_solver_count(); ++id) {
    OK(octile_solver_describe(id, &solver));
    CHECK(octile_solver_id(solver.name) == id);
  }
  BAD(octile_solver_describe(-1, &solver));
  BAD(octile_solver_describe(id, &solver));
  BAD(octile_solver_describe(0, NULL));
  BAD(octile_searcher_create(NULL));

  BAD(octile_query_init(NULL));
  BAD(octile_answer_init(NULL));
  OK(octile_query_init(&query));
  OK(octile_answer_init(&answer));
  query.start = ends.a;
  query.goal = ends.b;
  OK(octile_find(w.searcher, w.view, &query, cells, 64, &answer));
  CHECK(answer.cost == 19 && answer.length == 20 && answer.bound == 1);
  CHECK(cells[0].x == 0 && cells[19].x == 19 && strcmp(answer.message, "") == 0);
  OK(octile_find(w.searcher, w.view, &query, few, 2, &answer));
  CHECK(answer.length == 20 && few[1].x == 1);
  OK(octile_find(w.searcher, w.view, &query, NULL, 0, &answer));
  OK(octile_searcher_path(w.searcher, 18, cells, 64, &length));
  CHECK(length == 2 && cells[1].x == 19);
  OK(octile_searcher_path(w.searcher, 99, cells, 64, &length));
  CHECK(length == 0);
  BAD(octile_searcher_path(w.searcher, 0, NULL, 64, &length));
  OK(octile_searcher_borrow(w.searcher, &lent));
  CHECK(lent.length == 20 && lent.cells[0].x == 0 && lent.cells[19].x == 19);
  BAD(octile_searcher_borrow(w.searcher, NULL));
  CHECK(octile_answer_init(&answer) == OCTILE_FOUND);
  OK(octile_find_borrow(w.searcher, w.view, &query, &lent, &answer));
  CHECK(answer.cost == 19 && answer.length == 20 && answer.bound == 1);
  CHECK(lent.length == 20 && lent.cells[0].x == 0 && lent.cells[19].x == 19);
  BAD(octile_find_borrow(w.searcher, w.view, &query, NULL, &answer));
  BAD(octile_find_borrow(w.searcher, w.view, &query, &lent, NULL));
  BAD(octile_find_borrow(w.searcher, w.view, NULL, &lent, &answer));
  query.goal.x = -1;
  octile_find(w.searcher, w.view, &query, NULL, 0, &answer);
  OK(octile_searcher_borrow(w.searcher, &lent));
  CHECK(lent.length == 0 && lent.cells == NULL);
  lent.length = 5;
  CHECK(octile_find_borrow(w.searcher, w.view, &query, &lent, &answer) ==
        OCTILE_GOAL_OUT_OF_BOUNDS);
  CHECK(lent.length == 0 && lent.cells == NULL && answer.status == OCTILE_GOAL_OUT_OF_BOUNDS);
  query.goal.x = 19;
  OK(octile_find(w.searcher, w.view, &query, NULL, 0, &answer));
  OK(octile_searcher_points(w.searcher, 0, points, 64, &length));
  CHECK(length == 20 && points[0].x == 0.5);
  BAD(octile_searcher_points(w.searcher, 0, points, 64, NULL));
  BAD(octile_find(w.searcher, w.view, &query, NULL, 5, &answer));
  BAD(octile_find(w.searcher, w.view, NULL, cells, 64, &answer));
  BAD(octile_find(w.searcher, w.view, &query, cells, 64, NULL));
  answer.size = 0;
  BAD(octile_find(w.searcher, w.view, &query, cells, 64, &answer));
  OK(octile_answer_init(&answer));
  query.solver = 1000;
  BAD(octile_find(w.searcher, w.view, &query, cells, 64, &answer));
  query.solver = 0;
  query.output = 5;
  BAD(octile_find(w.searcher, w.view, &query, cells, 64, &answer));
  query.output = OCTILE_OUTPUT_WAYPOINTS;
  OK(octile_find(w.searcher, w.view, &query, cells, 64, &answer));
  CHECK(answer.length == 2);
  query.output = OCTILE_OUTPUT_CELLS;
  query.size -= 8;
  BAD(octile_find(w.searcher, w.view, &query, cells, 64, &answer));
  query.size += 8;
  query.goal = cell(20, 0);
  CHECK(octile_find(w.searcher, w.view, &query, cells, 64, &answer) == OCTILE_GOAL_OUT_OF_BOUNDS);
  query.goal = cell(10, 1);
  CHECK(octile_find(w.searcher, w.view, &query, cells, 64, &answer) == OCTILE_GOAL_BLOCKED);
  CHECK(answer.status == OCTILE_GOAL_BLOCKED && strlen(answer.message) > 0);
  query.snap_goal = 200; /* any flag but 0 counts */
  OK(octile_find(w.searcher, w.view, &query, cells, 64, &answer));
  query.snap_goal = 0;
  goals[0] = cell(19, 7);
  goals[1] = cell(2, 2);
  query.goals = goals;
  query.goal_count = 2;
  OK(octile_find(w.searcher, w.view, &query, cells, 64, &answer));
  CHECK(answer.goal_index == 1);
  query.goals = NULL;
  BAD(octile_find(w.searcher, w.view, &query, cells, 64, &answer));
  query.goal_count = 0;
  query.goal = ends.b;
  query.extra_blocked = goals;
  query.extra_blocked_count = 2;
  goals[0] = cell(10, 0);
  OK(octile_find(w.searcher, w.view, &query, cells, 64, &answer));
  CHECK(answer.cost > 19);
  query.extra_blocked = NULL;
  query.extra_blocked_count = 0;
  extra.cell = cell(10, 0);
  extra.cost = 0.5;
  query.extra_costs = &extra;
  query.extra_cost_count = 1;
  OK(octile_find(w.searcher, w.view, &query, cells, 64, &answer));
  CHECK(answer.cost == 19.5);
  query.extra_costs = NULL;
  query.extra_cost_count = 0;
  query.max_cost = 5;
  CHECK(octile_find(w.searcher, w.view, &query, cells, 64, &answer) == OCTILE_LIMIT_REACHED);
  query.max_cost = OCTILE_WALL;

  /* Traces, tokens, slices. */
  OK(octile_trace_create(&trace));
  BAD(octile_trace_create(NULL));
  query.trace = trace;
  query.solver = octile_solver_id("astar");
  query.goal = cell(19, 7);
  OK(octile_find(w.searcher, w.view, &query, cells, 64, &answer));
  OK(octile_trace_read(trace, 0, events, 512, &length, &complete));
  CHECK(length > 10 && complete == 1 && events[0].cell.x == 0);
  BAD(octile_trace_read(trace, 0, NULL, 512, &length, NULL));
  BAD(octile_trace_read(trace, 0, events, 512, NULL, NULL));
  OK(octile_trace_clear(trace));
  OK(octile_trace_read(trace, 0, events, 512, &length, NULL));
  CHECK(length == 0);
  OK(octile_cancel_create(&cancel));
  query.cancel = cancel;
  BAD(octile_searcher_step(w.searcher, 1, cells, 64, &second, &done)); /* size of `second` */
  OK(octile_answer_init(&second));
  BAD(octile_searcher_step(w.searcher, 1, cells, 64, &second, &done)); /* nothing begun */
  BAD(octile_searcher_begin(w.searcher, w.view, NULL));
  query.goals = goals;
  query.goal_count = 1;
  goals[0] = cell(19, 7);
  OK(octile_searcher_begin(w.searcher, w.view, &query));
  goals[0] = cell(-9, -9);                                      /* it was copied */
  OK(octile_cancel_destroy(cancel));                            /* it is held */
  BAD(octile_searcher_path(w.searcher, 0, cells, 64, &length)); /* not yet */
  BAD(octile_searcher_borrow(w.searcher, &lent));
  OK(octile_searcher_head(w.searcher, cells, 64, &length));
  for (done = 0; !done && steps < 1000; ++steps)
    CHECK(octile_searcher_step(w.searcher, 5, cells, 64, &second, &done) == OCTILE_FOUND);
  CHECK(done == 1 && steps > 2 && second.cost_units == answer.cost_units);
  BAD(octile_searcher_step(w.searcher, 5, cells, 64, &second, &done));
  BAD(octile_find(w.searcher, w.view, &query, cells, 64, &answer)); /* the token is gone */
  OK(octile_cancel_create(&query.cancel));
  OK(octile_cancel_raise(query.cancel));
  goals[0] = cell(19, 7);
  CHECK(octile_find(w.searcher, w.view, &query, cells, 64, &answer) == OCTILE_CANCELLED);
  OK(octile_cancel_reset(query.cancel));
  OK(octile_searcher_begin(w.searcher, w.view, &query));
  OK(octile_trace_destroy(trace));
  OK(octile_searcher_step(w.searcher, 5, cells, 64, &second, &done));
  BAD(octile_searcher_step(w.searcher, 5, cells, 64, &second, NULL));
  OK(octile_searcher_begin(w.searcher, w.view,
                           &(octile_query){.size = sizeof query, .snap_radius = 1, .max_cost = 9}));
  OK(octile_searcher_release(w.searcher));
  OK(octile_cancel_destroy(query.cancel));
  BAD(octile_find(w.searcher, w.view, &query, cells, 64, &answer));

  OK(octile_distance(w.searcher, w.view, &ends, &cost));
  CHECK(cost == 19);
  BAD(octile_distance(w.searcher, w.view, NULL, &cost));
  OK(octile_first_move(w.searcher, w.view, &ends, &next));
  CHECK(next.x == 1 && next.y == 0);
  BAD(octile_first_move(w.searcher, w.view, &ends, NULL));
  goals[0] = cell(0, 0);
  goals[1] = cell(3, 0);
  OK(octile_distances(w.searcher, w.view, goals, 2, goals, 2, costs));
  CHECK(costs[0] == 0 && costs[1] == 3 && costs[2] == 3 && costs[3] == 0);
  BAD(octile_distances(w.searcher, w.view, NULL, 2, goals, 2, costs));
  goals[0] = cell(10, 0);
  goals[1] = cell(10, 6);
  OK(octile_would_disconnect(w.searcher, w.view, goals, 1, &ends, 1, &answer_cut, &first));
  CHECK(answer_cut == 0 && first == 1);
  goals[0] = cell(19, 1);
  goals[1] = cell(18, 0);
  OK(octile_would_disconnect(w.searcher, w.view, goals, 2, &ends, 1, &answer_cut, &first));
  CHECK(answer_cut == 1 && first == 0);
  OK(octile_would_disconnect(w.searcher, w.view, goals, 2, NULL, 0, &answer_cut, NULL));
  BAD(octile_would_disconnect(w.searcher, w.view, NULL, 2, NULL, 0, &answer_cut, NULL));
  OK(octile_searcher_memory(w.searcher, &length));
  CHECK(length > 0);
  BAD(octile_searcher_memory(w.searcher, NULL));

  /* A view outlives its engine, and a destroyed one is noticed though the searcher knows it. */
  OK(octile_engine_destroy(w.engine));
  OK(octile_distance(w.searcher, w.view, &ends, &cost));
  dead = w.view;
  OK(octile_view_destroy(w.view));
  BAD(octile_distance(w.searcher, dead, &ends, &cost));
  OK(octile_searcher_destroy(w.searcher));
}

static void test_scen(void) {
  static const char scen[] = "version 1\n0\tm.map\t20\t8\t0\t0\t19\t0\t19.0\n";
  octile_scen_query q[2];
  size_t length = 0;
  OK(octile_scen_parse(scen, strlen(scen), q, 2, &length));
  CHECK(length == 1 && q[0].goal.x == 19 && q[0].optimum == 19);
  BAD(octile_scen_parse(NULL, 5, q, 2, &length));
  BAD(octile_scen_parse(scen, strlen(scen), NULL, 2, &length));
  BAD(octile_scen_parse("version 1\nrubbish", 17, q, 2, &length));
}

static void test_batches(void) {
  world w = make_world();
  octile_batch batch;
  octile_batch_options options;
  octile_batch_counts counts;
  octile_query queries[2];
  octile_answer answers[3];
  octile_pair pairs[3];
  octile_cell cells[128], again[128];
  size_t length = 0, bytes = 0;
  int i;
  OK(octile_batch_create(&batch));
  BAD(octile_batch_create(NULL));
  BAD(octile_batch_options_init(NULL));
  OK(octile_batch_options_init(&options));
  options.threads = 2;
  counts.size = sizeof counts;
  for (i = 0; i < 3; ++i) OK(octile_answer_init(&answers[i]));
  for (i = 0; i < 2; ++i) OK(octile_query_init(&queries[i]));
  queries[0].goal = cell(19, 0);
  queries[1].goal = cell(0, 7);
  OK(octile_batch_run(batch, w.view, queries, 2, &options, answers, cells, 128, &length, &counts));
  CHECK(answers[0].cost == 19 && answers[0].first == 0 && answers[1].first == answers[0].length);
  CHECK(length == answers[0].length + answers[1].length);
  CHECK(counts.by_field + counts.by_search == 2);
  OK(octile_batch_cells(batch, 1, again, 128, &length));
  CHECK(memcmp(again, cells + 1, length * sizeof *cells) == 0);
  BAD(octile_batch_cells(batch, 0, NULL, 128, &length));
  BAD(octile_batch_run(batch, w.view, NULL, 2, &options, answers, cells, 128, &length, NULL));
  BAD(octile_batch_run(batch, w.view, queries, 2, &options, NULL, cells, 128, &length, NULL));
  queries[1].size = 3;
  BAD(octile_batch_run(batch, w.view, queries, 2, &options, answers, cells, 128, &length, NULL));
  queries[1].size = sizeof *queries;
  queries[1].cancel.value = 5;
  BAD(octile_batch_run(batch, w.view, queries, 2, &options, answers, cells, 128, &length, NULL));
  options.threads = 0;
  queries[1].cancel.value = 0;
  BAD(octile_batch_run(batch, w.view, queries, 2, &options, answers, cells, 128, &length, NULL));
  OK(octile_batch_run(batch, w.view, queries, 0, NULL, NULL, NULL, 0, &length, NULL));
  pairs[0] = pair(0, 0, 19, 0);
  pairs[1] = pair(1, 0, 19, 0);
  pairs[2] = pair(0, 6, 19, 0);
  OK(octile_batch_pairs(batch, w.view, NULL, pairs, 3, NULL, answers, cells, 128, &length,
                        &counts));
  CHECK(answers[0].cost == 19 && answers[1].cost == 18);
  CHECK(answers[2].status == OCTILE_START_BLOCKED && answers[2].length == 0);
  OK(octile_batch_pairs(batch, w.view, NULL, pairs, 3, NULL, NULL, NULL, 0, &length, NULL));
  CHECK(length == 39);
  queries[0].output = OCTILE_OUTPUT_WAYPOINTS;
  OK(octile_batch_pairs(batch, w.view, queries, pairs, 2, NULL, answers, cells, 128, &length,
                        NULL));
  CHECK(length == 4);
  BAD(octile_batch_pairs(batch, w.view, NULL, NULL, 3, NULL, answers, cells, 128, &length, NULL));
  OK(octile_batch_memory(batch, &bytes));
  BAD(octile_batch_memory(batch, NULL));
  OK(octile_batch_clear(batch));
  OK(octile_batch_destroy(batch));
  BAD(octile_batch_clear(batch));
  end_world(&w);
}

static void test_fields(void) {
  world w = make_world();
  octile_field_maker maker;
  octile_field field, none = {0};
  octile_field_query query;
  octile_view view;
  octile_cell goal = cell(19, 0), cells[64];
  octile_answer answer;
  octile_rect r = rect(18, 0, 3, 1);
  double distances[3];
  uint64_t units[1];
  uint8_t directions[3];
  size_t length = 0, bytes = 0;
  int32_t how = -1;
  memset(&field, 0, sizeof field);
  OK(octile_field_maker_create(&maker));
  BAD(octile_field_maker_create(NULL));
  BAD(octile_field_query_init(NULL));
  OK(octile_field_query_init(&query));
  BAD(octile_field_build(maker, w.view, &query, &field)); /* no goal */
  BAD(octile_field_build(maker, w.view, NULL, &field));
  BAD(octile_field_build(maker, w.view, &query, NULL));
  query.goals = &goal;
  query.goal_count = 1;
  OK(octile_field_build(maker, w.view, &query, &field));
  CHECK(field.value != 0);
  OK(octile_field_build(maker, w.view, &query, &field)); /* once more, into the same */
  cells[0] = cell(18, 0);
  OK(octile_field_distances(field, cells, 1, distances));
  CHECK(distances[0] == 1);
  OK(octile_field_units(field, cells, 1, units));
  CHECK(units[0] > 0);
  OK(octile_field_directions(field, cells, 1, directions));
  CHECK(directions[0] == 0);
  OK(octile_field_next(field, cells, 1, cells));
  CHECK(cells[0].x == 19);
  BAD(octile_field_distances(field, NULL, 1, distances));
  BAD(octile_field_units(field, cells, 1, NULL));
  BAD(octile_field_directions(none, cells, 1, directions));
  BAD(octile_field_next(field, cells, 1, NULL));
  OK(octile_field_read(field, &r, distances, 3));
  CHECK(distances[0] == 1 && distances[1] == 0 && distances[2] == OCTILE_WALL);
  BAD(octile_field_read(field, &r, NULL, 3));
  OK(octile_field_flow(field, &r, directions, 3));
  CHECK(directions[1] == OCTILE_DIRECTION_AT_GOAL && directions[2] == OCTILE_DIRECTION_UNREACHED);
  BAD(octile_field_flow(field, NULL, directions, 3));
  OK(octile_field_within(field, 1, cells, 64, &length));
  CHECK(length == 3 && cells[0].x == 18);
  BAD(octile_field_within(field, 1, NULL, 64, &length));
  OK(octile_answer_init(&answer));
  OK(octile_field_path(w.searcher, field, 0, 0, cells, 64, &answer));
  CHECK(answer.cost == 19 && answer.length == 20 && cells[19].x == 19);
  CHECK(octile_field_path(w.searcher, field, 0, 6, cells, 64, &answer) == OCTILE_START_BLOCKED);
  BAD(octile_field_path(w.searcher, field, 0, 0, cells, 64, NULL));
  OK(octile_field_view(field, &view, &bytes));
  CHECK(bytes > 0);
  OK(octile_view_destroy(view));
  OK(octile_map_set_terrain(w.engine, 10, 0, '@'));
  OK(octile_engine_commit(w.engine));
  OK(octile_engine_view(w.engine, w.profile, &view));
  OK(octile_field_update(maker, view, field, &how));
  CHECK(how >= OCTILE_FIELD_KEPT && how <= OCTILE_FIELD_REBUILT);
  BAD(octile_field_update(maker, view, none, &how));
  OK(octile_field_maker_memory(maker, &bytes));
  BAD(octile_field_maker_memory(maker, NULL));
  OK(octile_field_destroy(field));
  BAD(octile_field_view(field, NULL, NULL));
  OK(octile_view_destroy(view));
  OK(octile_field_maker_destroy(maker));
  end_world(&w);
}

static void test_groups(void) {
  world w = make_world();
  octile_group_options options;
  octile_group_unit units[3];
  octile_group_slot slots[3];
  octile_group_answer answer;
  octile_group_friend friends[2];
  octile_extra_cost costs[2];
  octile_pair way = pair(0, 0, 15, 0);
  octile_cell goal = cell(15, 3);
  int i;
  BAD(octile_group_options_init(NULL));
  OK(octile_group_options_init(&options));
  answer.size = sizeof answer;
  memset(units, 0, sizeof units);
  for (i = 0; i < 3; ++i) units[i].cell = cell(i, 0);
  OK(octile_group_order(w.searcher, &w.view, 1, units, 3, &goal, &options, slots, &answer));
  CHECK(answer.placed == 3 && answer.left == 0 && slots[0].status == OCTILE_FOUND);
  options.formation = OCTILE_FORMATION_BOX;
  OK(octile_group_order(w.searcher, &w.view, 1, units, 3, &goal, &options, slots, NULL));
  OK(octile_group_order(w.searcher, &w.view, 1, units, 3, &goal, NULL, slots, NULL));
  options.formation = 77;
  BAD(octile_group_order(w.searcher, &w.view, 1, units, 3, &goal, &options, slots, &answer));
  units[1].view = 5;
  BAD(octile_group_order(w.searcher, &w.view, 1, units, 3, &goal, NULL, slots, &answer));
  units[1].view = 0;
  BAD(octile_group_order(w.searcher, NULL, 1, units, 3, &goal, NULL, slots, &answer));
  BAD(octile_group_order(w.searcher, &w.view, 1, units, 3, NULL, NULL, slots, &answer));
  BAD(octile_group_order(w.searcher, &w.view, 1, units, 3, &goal, NULL, NULL, &answer));
  goal = cell(99, 99);
  CHECK(octile_group_order(w.searcher, &w.view, 1, units, 3, &goal, NULL, slots, &answer) ==
        OCTILE_GOAL_OUT_OF_BOUNDS);
  memset(friends, 0, sizeof friends);
  friends[0].cell = cell(3, 0);
  friends[1].cell = cell(4, 0);
  friends[1].heading = cell(-1, 0);
  friends[1].speed = 1;
  OK(octile_friend_costs(&way, friends, 2, 1, 4, costs));
  CHECK(costs[0].cell.x == 3 && costs[0].cost == 4 && costs[1].cell.x == 4 && costs[1].cost == 1);
  OK(octile_friend_costs(&way, NULL, 0, 1, 4, NULL));
  BAD(octile_friend_costs(NULL, friends, 2, 1, 4, costs));
  BAD(octile_friend_costs(&way, NULL, 2, 1, 4, costs));
  BAD(octile_friend_costs(&way, friends, 2, 1, 4, NULL));
  BAD(octile_friend_costs(&way, friends, 2, -1, 4, costs));
  friends[1].speed = NAN;
  BAD(octile_friend_costs(&way, friends, 2, 1, 4, costs));
  end_world(&w);
}

static void test_planner(void) {
  world w = make_world();
  octile_planner planner;
  octile_planner_options options;
  octile_planner_info info;
  octile_agent agents[2];
  octile_agent_state states[2];
  octile_cell cells[2];
  size_t length = 0;
  int i;
  OK(octile_planner_create(&planner));
  BAD(octile_planner_create(NULL));
  BAD(octile_planner_step(planner)); /* before the first reset */
  BAD(octile_planner_options_init(NULL));
  OK(octile_planner_options_init(&options));
  memset(agents, 0, sizeof agents);
  for (i = 0; i < 2; ++i) {
    agents[i].cell = cell(i * 9, 0);
    agents[i].goal = cell(9 - i * 9, 0);
    agents[i].has_goal = agents[i].pushable = 1;
    agents[i].priority = 128;
  }
  BAD(octile_planner_reset(planner, w.view, NULL, 2, &options));
  OK(octile_planner_reset(planner, w.view, agents, 2, &options));
  for (i = 0; i < 40; ++i) OK(octile_planner_step(planner));
  OK(octile_planner_cells(planner, 0, cells, 2, &length));
  CHECK(length == 2 && cells[0].x == 9 && cells[1].x == 0);
  OK(octile_planner_cells(planner, 5, cells, 2, &length));
  CHECK(length == 0);
  BAD(octile_planner_cells(planner, 0, NULL, 2, &length));
  OK(octile_planner_states(planner, 1, states, 2, &length));
  CHECK(length == 1 && states[0].arrived == 1 && states[0].reachable == 1);
  BAD(octile_planner_states(planner, 0, states, 2, NULL));
  memset(&info, 0, sizeof info);
  BAD(octile_planner_describe(planner, &info));
  info.size = sizeof info;
  OK(octile_planner_describe(planner, &info));
  CHECK(info.agents == 2 && info.ticks == 40 && info.arrivals >= 2 && info.on_the_way == 0);
  OK(octile_planner_set_goal(planner, 0, 3, 3));
  BAD(octile_planner_set_goal(planner, 2, 3, 4));
  OK(octile_planner_clear_goal(planner, 0));
  BAD(octile_planner_clear_goal(planner, 2));
  OK(octile_planner_set_pinned(planner, 0, 1));
  BAD(octile_planner_set_pinned(planner, 2, 1));
  OK(octile_planner_set_pushable(planner, 0, 0));
  BAD(octile_planner_set_pushable(planner, 2, 0));
  OK(octile_planner_set_priority(planner, 0, 255));
  BAD(octile_planner_set_priority(planner, 2, 255));
  OK(octile_planner_change_view(planner, w.view));
  OK(octile_planner_destroy(planner));
  BAD(octile_planner_step(planner));
  BAD(octile_planner_change_view(planner, w.view));
  end_world(&w);
}

static void test_plans(void) {
  world w = make_world();
  octile_plan plan;
  octile_plan_options options;
  octile_plan_answer answer;
  octile_plan_report report;
  octile_pair tasks[2];
  octile_cell cells[400];
  size_t rows = 0, agents = 0, length = 0;
  tasks[0] = pair(0, 0, 9, 0);
  tasks[1] = pair(9, 0, 0, 0);
  OK(octile_plan_create(&plan));
  BAD(octile_plan_create(NULL));
  BAD(octile_plan_options_init(NULL));
  OK(octile_plan_options_init(&options));
  memset(&answer, 0, sizeof answer);
  BAD(octile_plan_make(w.view, tasks, 2, &options, plan, &answer));
  answer.size = sizeof answer;
  OK(octile_plan_make(w.view, tasks, 2, &options, plan, &answer));
  CHECK(answer.status == OCTILE_PLAN_FEASIBLE || answer.status == OCTILE_PLAN_OPTIMAL);
  CHECK(answer.costs.makespan >= 9);
  OK(octile_plan_make(w.view, tasks, 2, NULL, plan, &answer));
  BAD(octile_plan_make(w.view, NULL, 2, NULL, plan, &answer));
  BAD(octile_plan_make(w.view, tasks, 2, NULL, plan, NULL));
  options.objective = 9;
  BAD(octile_plan_make(w.view, tasks, 2, &options, plan, &answer));
  OK(octile_plan_size(plan, &rows, &agents));
  CHECK(agents == 2 && rows == answer.costs.makespan + 1);
  OK(octile_plan_size(plan, NULL, NULL));
  OK(octile_plan_read(plan, 0, cells, 400, &length));
  CHECK(length == rows * agents && cells[0].x == 0 && cells[1].x == 9);
  BAD(octile_plan_read(plan, 0, NULL, 400, &length));
  report.size = sizeof report;
  OK(octile_plan_check(w.view, tasks, 2, plan, 0, &report));
  CHECK(report.defect == OCTILE_DEFECT_NONE && report.costs.makespan == answer.costs.makespan);
  BAD(octile_plan_check(w.view, tasks, 2, plan, 0, NULL));
  cells[2] = cell(5, 5);
  OK(octile_plan_assign(plan, cells, rows, agents));
  OK(octile_plan_check(w.view, tasks, 2, plan, 0, &report));
  CHECK(report.defect == OCTILE_DEFECT_JUMP && strlen(report.text) > 0);
  BAD(octile_plan_assign(plan, NULL, 2, 2));
  CHECK(octile_plan_assign(plan, cells, SIZE_MAX / 2, 9) == OCTILE_OUT_OF_MEMORY);
  OK(octile_plan_assign(plan, NULL, 0, 0));
  tasks[1].a = tasks[0].a;
  BAD(octile_plan_make(w.view, tasks, 2, NULL, plan, &answer));
  OK(octile_plan_destroy(plan));
  BAD(octile_plan_size(plan, &rows, &agents));
  end_world(&w);
}

/* Units of 2 x 2 cells beside those of one. */
static void test_sizes_of_units(void) {
  world w = make_world();
  octile_profile large;
  octile_view views[2];
  uint32_t number = 0;
  octile_planner planner;
  octile_plan plan;
  octile_plan_answer answer;
  octile_plan_report report;
  octile_agent agents[2];
  octile_pair tasks[2];
  octile_cell cells[2];
  const uint32_t view_of[2] = {1, 0}, unknown[2] = {1, 2};
  size_t length = 0;
  int i;
  OK(octile_profile_init(&large));
  large.width = large.height = 2;
  OK(octile_engine_add_profile(w.engine, &large, &number));
  OK(octile_engine_commit(w.engine));
  OK(octile_engine_view(w.engine, w.profile, &views[0]));
  OK(octile_engine_view(w.engine, number, &views[1]));
  OK(octile_planner_create(&planner));
  memset(agents, 0, sizeof agents);
  tasks[0] = pair(0, 0, 6, 0);
  tasks[1] = pair(8, 1, 0, 1);
  for (i = 0; i < 2; ++i) {
    agents[i].cell = tasks[i].a;
    agents[i].goal = tasks[i].b;
    agents[i].has_goal = agents[i].pushable = 1;
    agents[i].priority = 128;
  }
  BAD(octile_planner_reset_views(planner, NULL, 2, view_of, agents, 2, NULL));
  BAD(octile_planner_reset_views(planner, views, 65, view_of, agents, 2, NULL));
  BAD(octile_planner_reset_views(planner, views, 2, unknown, agents, 2, NULL));
  OK(octile_planner_reset_views(planner, views, 2, view_of, agents, 2, NULL));
  for (i = 0; i < 40; ++i) OK(octile_planner_step(planner));
  OK(octile_planner_cells(planner, 0, cells, 2, &length));
  CHECK(cells[0].x == 6 && cells[0].y == 0 && cells[1].x == 0 && cells[1].y == 1);
  BAD(octile_planner_change_views(planner, views, 1));
  OK(octile_planner_change_views(planner, views, 2));
  OK(octile_planner_destroy(planner));

  OK(octile_plan_create(&plan));
  memset(&answer, 0, sizeof answer);
  answer.size = sizeof answer;
  OK(octile_plan_make_views(views, 2, view_of, tasks, 2, NULL, plan, &answer));
  CHECK(answer.status == OCTILE_PLAN_FEASIBLE || answer.status == OCTILE_PLAN_OPTIMAL);
  BAD(octile_plan_make_views(views, 2, unknown, tasks, 2, NULL, plan, &answer));
  report.size = sizeof report;
  OK(octile_plan_check_views(views, 2, view_of, tasks, 2, plan, 0, &report));
  CHECK(report.defect == OCTILE_DEFECT_NONE && report.costs.makespan == answer.costs.makespan);
  /* Both of one cell it is another thing. */
  cells[0] = cell(0, 0);
  cells[1] = cell(1, 1);
  OK(octile_plan_assign(plan, cells, 1, 2));
  tasks[0] = pair(0, 0, 0, 0);
  tasks[1] = pair(1, 1, 1, 1);
  OK(octile_plan_check_views(views, 2, view_of, tasks, 2, plan, 0, &report));
  CHECK(report.defect == OCTILE_DEFECT_VERTEX);
  OK(octile_plan_check_views(views, 2, NULL, tasks, 2, plan, 0, &report));
  CHECK(report.defect == OCTILE_DEFECT_NONE);
  OK(octile_plan_destroy(plan));
  for (i = 0; i < 2; ++i) OK(octile_view_destroy(views[i]));
  end_world(&w);
}

/* Every struct with a size: each size but its own is refused, larger ones too, and nothing of it is
 * written. */
static world sized;

static int32_t size_map_def(void* s) {
  return octile_engine_reset(sized.engine, s, NULL, 0);
}
static int32_t size_map_def_out(void* s) {
  return octile_map_describe(sized.engine, s, NULL);
}
static int32_t size_map_info(void* s) {
  return octile_map_describe(sized.engine, NULL, s);
}
static int32_t size_obstacle_def(void* s) {
  uint32_t id;
  return octile_map_add_obstacle(sized.engine, s, &id);
}
static int32_t size_generate_options(void* s) {
  octile_generate_options* options = s;
  uint8_t cells[4];
  options->width = options->height = 2;
  return octile_generate("open", options, cells, 2);
}
static int32_t size_map_kind(void* s) {
  return octile_map_kind_describe(0, s);
}
static int32_t size_profile(void* s) {
  uint32_t id;
  return octile_engine_add_profile(sized.engine, s, &id);
}
static int32_t size_profile_out(void* s) {
  return octile_view_definition(sized.view, NULL, s);
}
static int32_t size_view_info(void* s) {
  return octile_view_describe(sized.view, s);
}
static int32_t size_index_options(void* s) {
  octile_index index;
  int32_t status = octile_index_build(sized.view, s, &index);
  if (status == OCTILE_FOUND) octile_index_destroy(index);
  return status;
}
static octile_index sized_index;
static int32_t size_index_info(void* s) {
  return octile_index_describe(sized_index, s);
}
static int32_t size_solver_info(void* s) {
  return octile_solver_describe(0, s);
}
static int32_t size_query(void* s) {
  octile_answer answer;
  octile_answer_init(&answer);
  return octile_find(sized.searcher, sized.view, s, NULL, 0, &answer);
}
static int32_t size_answer(void* s) {
  octile_query query;
  octile_query_init(&query);
  return octile_find(sized.searcher, sized.view, &query, NULL, 0, s);
}
static octile_batch sized_batch;
static int32_t size_batch_options(void* s) {
  return octile_batch_run(sized_batch, sized.view, NULL, 0, s, NULL, NULL, 0, NULL, NULL);
}
static int32_t size_batch_counts(void* s) {
  return octile_batch_run(sized_batch, sized.view, NULL, 0, NULL, NULL, NULL, 0, NULL, s);
}
static int32_t size_field_query(void* s) {
  octile_cell goal = cell(0, 0);
  octile_field_query* query = s;
  octile_field_maker maker;
  octile_field field = {0};
  int32_t status;
  query->goals = &goal;
  query->goal_count = 1;
  octile_field_maker_create(&maker);
  status = octile_field_build(maker, sized.view, s, &field);
  if (status == OCTILE_FOUND) octile_field_destroy(field);
  octile_field_maker_destroy(maker);
  return status;
}
static int32_t size_group_options(void* s) {
  octile_cell goal = cell(0, 0);
  return octile_group_order(sized.searcher, &sized.view, 1, NULL, 0, &goal, s, NULL, NULL);
}
static int32_t size_group_answer(void* s) {
  octile_cell goal = cell(0, 0);
  return octile_group_order(sized.searcher, &sized.view, 1, NULL, 0, &goal, NULL, NULL, s);
}
static octile_planner sized_planner;
static int32_t size_planner_options(void* s) {
  return octile_planner_reset(sized_planner, sized.view, NULL, 0, s);
}
static int32_t size_planner_info(void* s) {
  return octile_planner_describe(sized_planner, s);
}
static octile_plan sized_plan;
static int32_t size_plan_options(void* s) {
  octile_plan_answer answer;
  answer.size = sizeof answer;
  return octile_plan_make(sized.view, NULL, 0, s, sized_plan, &answer);
}
static int32_t size_plan_answer(void* s) {
  return octile_plan_make(sized.view, NULL, 0, NULL, sized_plan, s);
}
static int32_t size_plan_report(void* s) {
  return octile_plan_check(sized.view, NULL, 0, sized_plan, 0, s);
}

/* `init`: fills in the defaults of what goes in; null: what comes out. */
static void try_sizes(const char* name, int32_t (*init)(void*), int32_t (*call)(void*)) {
  union {
    uint64_t aligned[512];
    unsigned char bytes[4096];
  } s;
  unsigned char before[4096];
  const uint32_t right = octile_sizeof(name);
  uint32_t size;
  CHECK(right > 4 && right + 64 < sizeof s);
  for (size = 0; size <= right + 64; ++size) {
    const uint32_t told = size == right + 64 ? UINT32_MAX : size;
    int32_t status;
    memset(&s, 0xAB, sizeof s);
    if (init) {
      memset(&s, 0, sizeof s);
      init(&s);
    }
    /* A map of some size; other structs have no such field, or do not mind. */
    if (init && strcmp(name, "octile_map_def") == 0)
      ((octile_map_def*)&s)->width = ((octile_map_def*)&s)->height = 8;
    if (init && strcmp(name, "octile_obstacle_def") == 0)
      ((octile_obstacle_def*)&s)->rect = rect(0, 0, 1, 1);
    if (told != right || !init) memcpy(s.bytes, &told, sizeof told);
    memcpy(before, &s, sizeof s);
    status = call(&s);
    if (told == right) {
      check(status != OCTILE_BAD_ARGUMENT, name, (int)told);
      check(memcmp(before + right, s.bytes + right, sizeof s - right) == 0, name, (int)told);
    } else if (status != OCTILE_BAD_ARGUMENT || (!init && memcmp(before, &s, sizeof s) != 0)) {
      check(0, name, (int)told);
    }
  }
}

#define INIT(type)                      \
  static int32_t init_##type(void* s) { \
    return octile_##type##_init(s);     \
  }
INIT(map_def)
INIT(obstacle_def)
INIT(generate_options)
INIT(profile)
INIT(index_options)
INIT(query)
INIT(batch_options)
INIT(field_query)
INIT(group_options)
INIT(planner_options)
INIT(plan_options)

static void test_sizes(void) {
  sized = make_world();
  OK(octile_index_build(sized.view, NULL, &sized_index));
  OK(octile_batch_create(&sized_batch));
  OK(octile_planner_create(&sized_planner));
  OK(octile_plan_create(&sized_plan));
  try_sizes("octile_map_def", NULL, size_map_def_out);
  try_sizes("octile_map_info", NULL, size_map_info);
  try_sizes("octile_obstacle_def", init_obstacle_def, size_obstacle_def);
  try_sizes("octile_generate_options", init_generate_options, size_generate_options);
  try_sizes("octile_map_kind", NULL, size_map_kind);
  try_sizes("octile_profile", init_profile, size_profile);
  try_sizes("octile_profile", NULL, size_profile_out);
  try_sizes("octile_view_info", NULL, size_view_info);
  try_sizes("octile_index_options", init_index_options, size_index_options);
  try_sizes("octile_index_info", NULL, size_index_info);
  try_sizes("octile_solver_info", NULL, size_solver_info);
  try_sizes("octile_query", init_query, size_query);
  try_sizes("octile_answer", NULL, size_answer);
  try_sizes("octile_batch_options", init_batch_options, size_batch_options);
  try_sizes("octile_batch_counts", NULL, size_batch_counts);
  try_sizes("octile_field_query", init_field_query, size_field_query);
  try_sizes("octile_group_options", init_group_options, size_group_options);
  try_sizes("octile_group_answer", NULL, size_group_answer);
  try_sizes("octile_planner_options", init_planner_options, size_planner_options);
  try_sizes("octile_planner_info", NULL, size_planner_info);
  try_sizes("octile_plan_options", init_plan_options, size_plan_options);
  try_sizes("octile_plan_answer", NULL, size_plan_answer);
  try_sizes("octile_plan_report", NULL, size_plan_report);
  try_sizes("octile_map_def", init_map_def, size_map_def);
  OK(octile_plan_destroy(sized_plan));
  OK(octile_planner_destroy(sized_planner));
  OK(octile_batch_destroy(sized_batch));
  OK(octile_index_destroy(sized_index));
  end_world(&sized);
}

int main(void) {
  test_library();
  test_sizes();
  test_handles();
  test_map();
  test_streaming();
  test_obstacles_and_logs();
  test_generators();
  test_profiles_and_views();
  test_indexes();
  test_queries();
  test_scen();
  test_batches();
  test_fields();
  test_groups();
  test_planner();
  test_plans();
  test_sizes_of_units();
  CHECK(octile_handle_count() == 0);
  printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
