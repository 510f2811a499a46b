/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The Octile authors */
#ifndef OCTILE_OCTILE_H
#define OCTILE_OCTILE_H

/* Octile in C: exact, deterministic path finding on grids. C11, and C++; the face that every
 * binding is made of. It says what each function takes and gives; what the words mean, and why, is
 * told by the headers of the C++ face (octile.hpp and those beside it), whose functions have the
 * same names.
 *
 *   octile_engine ── owns ──> the map (edited by one writer) and profiles (who walks)
 *      │ octile_engine_commit()      publishes what changed
 *      │ octile_engine_adopt()       optional: an index, for paths without any search
 *      v
 *   octile_view ── immutable ──> octile_find(searcher, view, &query, cells, capacity, &answer)
 *
 * STATUS. Every function that can fail returns an int32_t: OCTILE_FOUND (0) when all is well, else
 * one of the other statuses. Nothing throws, prints or aborts. On a failure nothing was changed,
 * and octile_message() has one clear line for this thread; functions that say nothing else about
 * their errors give OCTILE_BAD_ARGUMENT for a handle that is not alive and for a null pointer where
 * something must be, and OCTILE_OUT_OF_MEMORY. Values behind output pointers are written on success
 * alone, unless it says so.
 *
 * HANDLES are numbers, each in a struct of its own type: a place in a table, a kind and a
 * generation. Zero is no handle. Each call looks whether its handles are alive and of the right
 * kind; those that were destroyed, belong to another kind or were made up get OCTILE_BAD_ARGUMENT.
 * What octile_X_create and its like write must be given back by octile_X_destroy, once; from any
 * thread, also while calls that use it go on: it dies when the last of them has returned. What was
 * made from a thing keeps what it needs of it alive: a view works on after its engine was
 * destroyed.
 *
 * STRUCTS are passed by pointer. Those whose first field is `size` may grow at their end in later
 * versions: let octile_X_init() fill in the size and the defaults, or where there is no such
 * function, as of what octile_X_describe() fills, set size = sizeof it before the call, also for
 * output. Every size that such a struct ever had in a released version is accepted: fields beyond
 * it have their defaults, or are not written. Any other size is refused with OCTILE_BAD_ARGUMENT,
 * above all one larger than this library knows: a program that was compiled for a newer one is told
 * so, and does not wonder why a field has no effect. An init function writes for ever what it wrote
 * when it was released; a struct that grows gets another one, to which the header leads its name,
 * so that nothing is written beyond what an older program has. As yet each struct has had one size.
 * Flags are 0 or 1; other values count as 1. Structs without `size` are plain values that never
 * change.
 *
 * BUFFERS belong to the caller. A function that fills `out[0 .. capacity)` tells in *length how
 * many there are, which may be more than it wrote: then make room and read again. A null buffer
 * with capacity 0 asks for the length alone. Pointers that are given to a call are used until it
 * returns and no longer, but for those of an octile_progress. Text is UTF-8 and ends with a zero
 * byte.
 *
 * UNITS. Cells are int32: x to the right, y downwards; the first cell of the map has the
 * coordinates octile_map_def.first_cell. Costs are doubles in straight steps, under
 * OCTILE_METRIC_TEN_FOURTEEN with eight moves in tens, multiplied by the weight of the cell
 * entered; OCTILE_WALL is infinite. `cost_units` is the same as an exact integer. World points are
 * in the caller's units.
 *
 * THREADS. Views, indexes and fields are read by any number of threads. All else belongs to one
 * thread at a time; a call that meets another one on the same thing gets OCTILE_BAD_ARGUMENT and
 * does nothing, so a mistake is told and does no harm. Make a searcher for each thread. Where there
 * are no threads (WebAssembly) nothing is missing: long work comes in slices
 * (octile_searcher_begin), with progress, and can be cancelled. No callback may be kept waiting,
 * nor end by longjmp or an exception; it may call any function, also on what the call in progress
 * uses, which is refused, as is every call on its engine from the progress function of a build in
 * the background. */

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* With static linking nothing need be defined. */
#if defined(_WIN32) && defined(OCTILE_EXPORT)
#define OCTILE_C_API __declspec(dllexport)
#elif defined(__GNUC__) && !defined(_WIN32)
#define OCTILE_C_API __attribute__((visibility("default")))
#else
#define OCTILE_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * Statuses, versions, messages */

enum {
  OCTILE_FOUND = 0,           /* a cheapest path; of other functions: done */
  OCTILE_PARTIAL,             /* no path; the way to the nearest reached cell (allow_partial) */
  OCTILE_NO_PATH,             /* both ends are free, but nothing connects them */
  OCTILE_START_BLOCKED,       /* the start is a wall, or the unit does not fit there */
  OCTILE_GOAL_BLOCKED,        /* so is every goal */
  OCTILE_START_OUT_OF_BOUNDS, /* the start lies outside the map */
  OCTILE_GOAL_OUT_OF_BOUNDS,  /* a goal lies outside the map */
  OCTILE_LIMIT_REACHED,       /* max_expansions or max_cost ended the search */
  OCTILE_CANCELLED,           /* the token was raised */
  OCTILE_NOT_LOADED,          /* the answer depends on tiles that are absent */
  OCTILE_COST_OVERFLOW,       /* the sum of costs does not fit 63 bits */
  OCTILE_OUT_OF_MEMORY,       /* an allocation failed; nothing was changed */
  OCTILE_STALE_INDEX,         /* an index does not belong to this view */
  OCTILE_BAD_ARGUMENT         /* the call makes no sense; octile_message() says why */
};

/* Grows by one when something here changes so that a program must be compiled anew. Compare it with
 * octile_abi_version() at the start, and octile_sizeof() with your structs. */
#define OCTILE_ABI_VERSION 1

/* Impassable, unreachable: infinity. */
#define OCTILE_WALL HUGE_VAL

/* OCTILE_ABI_VERSION of the library. Never fails. */
OCTILE_C_API uint32_t octile_abi_version(void);
/* major << 16 | minor << 8 | patch of the library. Never fails. */
OCTILE_C_API uint32_t octile_version(void);
/* sizeof one of the structs below by its name ("octile_query"), as the library was compiled; 0 for
 * null and names that it does not know. For callers in other languages, at their start. */
OCTILE_C_API uint32_t octile_sizeof(const char* struct_name);
/* "found", "no_path", ...; "" for numbers that are no status. Lives as long as the library. */
OCTILE_C_API const char* octile_status_name(int32_t status);
/* The line that belongs to the last call of this thread that gave another status than OCTILE_FOUND:
 * at most capacity - 1 bytes of it and a zero. Returns its length without the zero, below 256. */
OCTILE_C_API size_t octile_message(char* text, size_t capacity);
/* How many handles are alive in this process: 0 when everything was destroyed. For tests. */
OCTILE_C_API uint64_t octile_handle_count(void);

/* ------------------------------------------------------------------------------------------------
 * Plain values */

/* Grid coordinates. */
typedef struct octile_cell {
  int32_t x; /* to the right */
  int32_t y; /* downwards */
} octile_cell;

/* The cells [x, x + width) by [y, y + height). */
typedef struct octile_rect {
  int32_t x;      /* of its first column */
  int32_t y;      /* of its first row */
  int32_t width;  /* 0 or more; empty with 0 */
  int32_t height; /* 0 or more; empty with 0 */
} octile_rect;

/* A point of the caller's world. */
typedef struct octile_point {
  double x; /* along the rows of the map */
  double y; /* along its columns, growing as y of the cells does */
} octile_point;

/* Two cells: the ends of a way or of a line. */
typedef struct octile_pair {
  octile_cell a; /* the start, where one end is that */
  octile_cell b; /* the goal */
} octile_pair;

/* Owns the map and the profiles and makes views. */
typedef struct octile_engine {
  uint64_t value;
} octile_engine;
/* One committed state of the map, as one profile sees it. */
typedef struct octile_view {
  uint64_t value;
} octile_view;
/* What was computed once, for queries without a search. */
typedef struct octile_index {
  uint64_t value;
} octile_index;
/* The workspace of a thread, for queries. */
typedef struct octile_searcher {
  uint64_t value;
} octile_searcher;
/* A token that ends long work. */
typedef struct octile_cancel {
  uint64_t value;
} octile_cancel;
/* The record of what a search did. */
typedef struct octile_trace {
  uint64_t value;
} octile_trace;
/* The record of what was done to a map. */
typedef struct octile_edit_log {
  uint64_t value;
} octile_edit_log;
/* Distances and directions of all cells to some goals. */
typedef struct octile_field {
  uint64_t value;
} octile_field;
/* The workspace of a thread, for fields. */
typedef struct octile_field_maker {
  uint64_t value;
} octile_field_maker;
/* The workspace for many queries in one call. */
typedef struct octile_batch {
  uint64_t value;
} octile_batch;
/* Many units that step without collisions. */
typedef struct octile_planner {
  uint64_t value;
} octile_planner;
/* Every step of many units. */
typedef struct octile_plan {
  uint64_t value;
} octile_plan;

/* Told the share that is done, 0 to 1, by one of the threads that work. `user` is yours. */
typedef void (*octile_progress)(void* user, double done);

/* ------------------------------------------------------------------------------------------------
 * Cancel tokens. May be raised from any thread, during any call; searches look every 1,024
 * expansions, builds between their steps. One token serves any number of calls. */

OCTILE_C_API int32_t octile_cancel_create(octile_cancel* out);
/* Ends what was given the token: OCTILE_CANCELLED. */
OCTILE_C_API int32_t octile_cancel_raise(octile_cancel cancel);
/* Lowers it again, for the next use. */
OCTILE_C_API int32_t octile_cancel_reset(octile_cancel cancel);
OCTILE_C_API int32_t octile_cancel_destroy(octile_cancel cancel);

/* ------------------------------------------------------------------------------------------------
 * Engine and map */

/* What a map is made of. */
typedef struct octile_map_def {
  uint32_t size;
  int32_t width; /* cells, at least 1 by 1 (0 in the defaults: set them); tiles of 64 x 64 with a */
  int32_t height;         /* ring of one must not be more than 2^20: about 4.29e9 cells */
  octile_cell first_cell; /* coordinates of the first cell of the first row; above INT32_MIN */
  uint8_t terrain;        /* every cell starts with this terrain; default '.' */
  uint8_t weights;        /* flag: keep a 16-bit weight for each cell as well */
  uint8_t streamed;       /* flag: all tiles are absent until octile_map_provide_tile() */
  uint8_t reserved;       /* 0 */
  octile_point origin;    /* world position of the corner of cell (0, 0) */
  double cell_size;       /* world units, above 0; default 1 */
  double weight_scale; /* a weight w multiplies the terrain's cost by w * weight_scale; above 0, at
                          most three decimals; default 1 */
} octile_map_def;

OCTILE_C_API int32_t octile_map_def_init(octile_map_def* definition);

/* An engine without a map. It belongs to one thread at a time: the writer. */
OCTILE_C_API int32_t octile_engine_create(octile_engine* out);
/* Ends a build in the background first. Views, indexes and fields live on. */
OCTILE_C_API int32_t octile_engine_destroy(octile_engine engine);

/* Starts a new map; views of the old one stay valid, profiles are kept. `terrain`: `height` rows of
 * `width` terrain ids, `stride` bytes from row to row, or null for definition->terrain everywhere.
 * Call octile_engine_commit() next. Errors: values out of range. */
OCTILE_C_API int32_t octile_engine_reset(octile_engine engine, const octile_map_def* definition,
                                         const uint8_t* terrain, size_t stride);
/* The same from the bytes of a Moving AI .map, a PGM or a text map (docs/file_formats.md), by
 * content; all of the definition but the size is taken from `base` (null: the defaults). The bytes
 * are never trusted: what makes no sense is refused with its line, and the old map stays. */
OCTILE_C_API int32_t octile_engine_parse(octile_engine engine, const void* data, size_t size,
                                         const octile_map_def* base);
/* The same with a file of tiles that octile_map_save() wrote; it is mapped into memory and must
 * stay as it is while the map or a view of it lives. */
OCTILE_C_API int32_t octile_engine_load(octile_engine engine, const char* path);
/* Writes the present map as such a file, which takes its place when it is complete. */
OCTILE_C_API int32_t octile_map_save(octile_engine engine, const char* path);

enum { OCTILE_FORMAT_MOVING_AI, OCTILE_FORMAT_TEXT, OCTILE_FORMAT_PGM };
/* Writes the map as text: *length gets the bytes that are needed, and `out` is filled only when
 * capacity suffices. Without a zero at the end. */
OCTILE_C_API int32_t octile_map_write(octile_engine engine, int32_t format, char* out,
                                      size_t capacity, size_t* length);

/* Publishes all edits since the last time, for all profiles, in time that depends on what changed.
 * On an error the edits stay pending and the old views current. */
OCTILE_C_API int32_t octile_engine_commit(octile_engine engine);

/* How a map is now. */
typedef struct octile_map_info {
  uint32_t size;
  uint32_t absent_tiles; /* of streamed maps */
  uint64_t version;      /* counts the commits that changed something */
} octile_map_info;

/* The definition, and how the map is now. Either pointer may be null; set `size` in each. Engines
 * without a map: width and height are 0. */
OCTILE_C_API int32_t octile_map_describe(octile_engine engine, octile_map_def* definition,
                                         octile_map_info* info);

/* What shows now, uncommitted edits included: rect->height rows of rect->width values, `stride`
 * values from row to row. Cells outside the map are 0. */
OCTILE_C_API int32_t octile_map_terrain(octile_engine engine, const octile_rect* rect, uint8_t* out,
                                        size_t stride);
/* The terrain below all obstacles. */
OCTILE_C_API int32_t octile_map_ground(octile_engine engine, const octile_rect* rect, uint8_t* out,
                                       size_t stride);
/* The weights; 1 where the map keeps none. */
OCTILE_C_API int32_t octile_map_weight(octile_engine engine, const octile_rect* rect, uint16_t* out,
                                       size_t stride);

/* Edits, seen by queries after the next commit. Each costs what it touches. Rectangles must lie
 * inside the map, empty ones change nothing; `stride` counts values (of bits: bytes) from row to
 * row. Errors: outside the map, weights of a map that keeps none, OCTILE_NOT_LOADED for absent
 * tiles. */
OCTILE_C_API int32_t octile_map_set_terrain(octile_engine engine, int32_t x, int32_t y,
                                            uint8_t terrain);
OCTILE_C_API int32_t octile_map_set_weight(octile_engine engine, int32_t x, int32_t y,
                                           uint16_t weight);
OCTILE_C_API int32_t octile_map_fill(octile_engine engine, const octile_rect* rect,
                                     uint8_t terrain);
OCTILE_C_API int32_t octile_map_fill_weight(octile_engine engine, const octile_rect* rect,
                                            uint16_t weight);
OCTILE_C_API int32_t octile_map_stamp(octile_engine engine, const octile_rect* rect,
                                      const uint8_t* terrain, size_t stride);
OCTILE_C_API int32_t octile_map_stamp_weight(octile_engine engine, const octile_rect* rect,
                                             const uint16_t* weight, size_t stride);
/* Gives a terrain to the cells of the rectangle whose bit is set: bit i % 8 of byte i / 8 of a row.
 */
OCTILE_C_API int32_t octile_map_stamp_bits(octile_engine engine, const octile_rect* rect,
                                           const uint8_t* bits, size_t stride, uint8_t terrain);

/* Streamed maps: gives the map the tile of 64 x 64 cells (counted from first_cell) in which the
 * cell lies, 64 rows of 64 values, `stride` from row to row; those beyond the map's edge are not
 * read. docs/worlds.md#streaming. */
OCTILE_C_API int32_t octile_map_provide_tile(octile_engine engine, int32_t x, int32_t y,
                                             const uint8_t* terrain, size_t stride);
/* Makes it absent again. Error: an obstacle lies there. */
OCTILE_C_API int32_t octile_map_release_tile(octile_engine engine, int32_t x, int32_t y);

/* Obstacles and doors: cells with a terrain that lies over the ground while they are present (of a
 * door: closed). Where some overlap, the one that was added last shows. */
typedef struct octile_obstacle_def {
  uint32_t size;
  uint8_t terrain;          /* default '@' */
  uint8_t present;          /* flag; default 1 */
  uint8_t reserved[2];      /* 0 */
  octile_rect rect;         /* its cells, when `cells` is null */
  const octile_cell* cells; /* in any order, also twice */
  size_t count;             /* of `cells` */
  char name[32];            /* to find it by; ends with a zero; no two the same unless "" */
} octile_obstacle_def;

OCTILE_C_API int32_t octile_obstacle_def_init(octile_obstacle_def* definition);
/* *id: from 1 on, never used again. */
OCTILE_C_API int32_t octile_map_add_obstacle(octile_engine engine,
                                             const octile_obstacle_def* definition, uint32_t* id);
/* Puts it on the map (1) or takes it away (0). */
OCTILE_C_API int32_t octile_map_set_obstacle(octile_engine engine, uint32_t id, int32_t present);
/* For good: what lies below it shows again. */
OCTILE_C_API int32_t octile_map_remove_obstacle(octile_engine engine, uint32_t id);
/* *present: 1 while it is on the map; 0 also when there is none of that id. */
OCTILE_C_API int32_t octile_map_obstacle_present(octile_engine engine, uint32_t id,
                                                 int32_t* present);
/* *id: 0 when there is none of that name. */
OCTILE_C_API int32_t octile_map_find_obstacle(octile_engine engine, const char* name, uint32_t* id);

/* Logs of edits: the bytes of what was done to a map, the same on every machine; replayed on a map
 * in the state in which recording began they give the same cells and as many versions. */
OCTILE_C_API int32_t octile_edit_log_create(octile_edit_log* out);
/* A log that is recorded into lives until that ends. */
OCTILE_C_API int32_t octile_edit_log_destroy(octile_edit_log log);
/* From now on writes all edits and commits into the log, which is emptied first; the zero handle
 * ends that, and so do reset, parse and load. Until it ends, the functions below refuse the log. */
OCTILE_C_API int32_t octile_map_record(octile_engine engine, octile_edit_log log);
/* The bytes of the log. */
OCTILE_C_API int32_t octile_edit_log_read(octile_edit_log log, uint8_t* out, size_t capacity,
                                          size_t* length);
/* Replaces its bytes. They are looked at by octile_engine_replay() alone. */
OCTILE_C_API int32_t octile_edit_log_assign(octile_edit_log log, const void* data, size_t size);
/* To a file and from one; what was saved is as large as the bytes. */
OCTILE_C_API int32_t octile_edit_log_save(octile_edit_log log, const char* path);
OCTILE_C_API int32_t octile_edit_log_load(octile_edit_log log, const char* path);
/* Error: damaged, or of another map: nothing is done; or an edit does not fit, for the map is not
 * in the state in which recording began: what came before it is done then. */
OCTILE_C_API int32_t octile_engine_replay(octile_engine engine, octile_edit_log log);

/* ------------------------------------------------------------------------------------------------
 * Maps made by rule: the same options give the same bytes on every machine and in every later
 * version. '@' is wall, '.' floor, '1' to '9' floor that costs its digit. From any thread. */

/* What a kind of map is asked for. A density, room or corridor of -1, the default, stands for the
 * kind's own; a kind that has no such value takes nothing else. */
typedef struct octile_generate_options {
  uint32_t size;
  int32_t width;    /* cells, at least 1 by 1, at most 2^30 in all (0 in the defaults: set them) */
  int32_t height;   /* cells */
  int32_t density;  /* in 1000: of walls, or as the kind says; 0 to 1000 */
  int32_t room;     /* side of rooms or blocks in cells, at most 4096 */
  int32_t corridor; /* width of corridors in cells, at most 4096 */
  uint64_t seed;    /* picks one map of the kind; default 1 */
} octile_generate_options;

OCTILE_C_API int32_t octile_generate_options_init(octile_generate_options* options);
/* Writes options->height rows of options->width terrain ids, `stride` bytes from row to row: what
 * octile_engine_reset() takes. `kind`: "random", "rooms", "caves", "city", "maze", "hills", or
 * another that octile_map_kind_describe() tells of. Errors: no such kind, values out of range or
 * not taken by the kind, a stride below the width. */
OCTILE_C_API int32_t octile_generate(const char* kind, const octile_generate_options* options,
                                     uint8_t* out, size_t stride);

/* What is known of a kind. */
typedef struct octile_map_kind {
  uint32_t size;
  int32_t seeded;      /* flag: another seed gives another map */
  const char* name;    /* "caves"; both live as long as the library */
  const char* summary; /* one line */
  int32_t density;     /* its defaults; -1 where it does not take such a value */
  int32_t room;        /* cells */
  int32_t corridor;    /* cells */
  int32_t reserved;    /* 0 */
} octile_map_kind;

/* How many there are. Never fails. */
OCTILE_C_API int32_t octile_map_kind_count(void);
/* Of the kinds 0 to octile_map_kind_count() - 1. Set info->size first. */
OCTILE_C_API int32_t octile_map_kind_describe(int32_t kind, octile_map_kind* info);

/* ------------------------------------------------------------------------------------------------
 * Profiles: who walks */

/* To which neighbours a unit steps. */
enum { OCTILE_MOVES_FOUR, OCTILE_MOVES_EIGHT };
/* May a diagonal step pass the two cells beside it? NEVER turns eight moves into four. */
enum {
  OCTILE_DIAGONAL_ALWAYS,
  OCTILE_DIAGONAL_AT_MOST_ONE_OBSTACLE,
  OCTILE_DIAGONAL_NO_OBSTACLES,
  OCTILE_DIAGONAL_NEVER
};
/* Length of a diagonal step: sqrt(2) exactly; 1.4 (costs come in tens: 10 and 14); or 1. */
enum { OCTILE_METRIC_OCTILE, OCTILE_METRIC_TEN_FOURTEEN, OCTILE_METRIC_CHEBYSHEV };

/* What a unit may enter, what that costs, and how it moves. */
typedef struct octile_profile {
  uint32_t size;
  uint8_t moves;      /* default OCTILE_MOVES_EIGHT */
  uint8_t diagonal;   /* default OCTILE_DIAGONAL_NO_OBSTACLES: no corner cutting */
  uint8_t metric;     /* default OCTILE_METRIC_OCTILE */
  uint8_t reserved;   /* 0 */
  int32_t width;      /* the rectangle of cells that the unit covers, 1 to 64 a side */
  int32_t height;     /* default 1 by 1 */
  octile_cell anchor; /* the cell of the rectangle that tells where the unit is */
  /* Cost factor of each terrain id: 0 to 4,294,967,295 with at most three decimals, or OCTILE_WALL.
   * Default: the terrains of Moving AI: '.', 'G', 'S' cost 1, digits their value, all else is wall.
   */
  double terrain_cost[256];
} octile_profile;

OCTILE_C_API int32_t octile_profile_init(octile_profile* profile);
/* Rounds every cost to three decimals; *change (may be null) gets the largest change. */
OCTILE_C_API int32_t octile_profile_quantise(octile_profile* profile, double* change);
/* Before or after the first commit; later ones are built at once. Errors: values out of range. */
OCTILE_C_API int32_t octile_engine_add_profile(octile_engine engine, const octile_profile* profile,
                                               uint32_t* id);
/* Views of it stay valid. */
OCTILE_C_API int32_t octile_engine_remove_profile(octile_engine engine, uint32_t id);

/* ------------------------------------------------------------------------------------------------
 * Views: one committed state of the map as one profile sees it. Immutable, for any thread. */

/* The last committed state for a profile. Each call makes a handle of its own, to be destroyed.
 * Error: no such profile, or nothing was committed. */
OCTILE_C_API int32_t octile_engine_view(octile_engine engine, uint32_t profile, octile_view* out);
OCTILE_C_API int32_t octile_view_destroy(octile_view view);

/* What a view is of. */
typedef struct octile_view_info {
  uint32_t size;
  int32_t width;          /* of the map, in cells */
  int32_t height;         /* of the map, in cells */
  octile_cell first_cell; /* coordinates of the first cell of the first row */
  uint32_t absent_tiles;  /* of streamed maps */
  uint64_t version;       /* of the map at its commit */
  uint8_t uniform; /* flag: all passable cells cost the same, so that the fast solvers apply */
  uint8_t index;   /* OCTILE_INDEX_...: what was adopted */
  uint8_t stale;   /* the kind of an index of an earlier state that is still of use */
  uint8_t reserved[5];
  uint64_t map_bytes;   /* terrain and weights */
  uint64_t layer_bytes; /* what the profile adds */
} octile_view_info;

/* Set info->size first. */
OCTILE_C_API int32_t octile_view_describe(octile_view view, octile_view_info* info);
/* Set `size` in each; either may be null. */
OCTILE_C_API int32_t octile_view_definition(octile_view view, octile_map_def* definition,
                                            octile_profile* profile);

/* Of each cell of a rectangle, which may reach outside the map: rect->height rows of rect->width
 * values, `stride` values from row to row. */
OCTILE_C_API int32_t octile_view_terrain(octile_view view, const octile_rect* rect, uint8_t* out,
                                         size_t stride); /* outside: 0 */
OCTILE_C_API int32_t octile_view_passable(octile_view view, const octile_rect* rect, uint8_t* out,
                                          size_t stride); /* 1 or 0; outside: 0 */
/* The cost factor of entering the cell; OCTILE_WALL outside. */
OCTILE_C_API int32_t octile_view_cost(octile_view view, const octile_rect* rect, double* out,
                                      size_t stride);
/* The legal moves out of a cell, a bit each: E, SE, S, SW, W, NW, N, NE from bit 0 on. */
OCTILE_C_API int32_t octile_view_moves(octile_view view, const octile_rect* rect, uint8_t* out,
                                       size_t stride);
/* Two cells are connected when these are equal, and not UINT32_MAX (walls, outside). */
OCTILE_C_API int32_t octile_view_component(octile_view view, const octile_rect* rect, uint32_t* out,
                                           size_t stride);
/* 1, or 0 in tiles that are absent and outside. */
OCTILE_C_API int32_t octile_view_loaded(octile_view view, const octile_rect* rect, uint8_t* out,
                                        size_t stride);
/* The version that changed the tile of 64 x 64 cells last in which the cell lies; outside: 0. */
OCTILE_C_API int32_t octile_view_tile_version(octile_view view, int32_t x, int32_t y,
                                              uint64_t* version);
/* 1 when the straight line between the two centres crosses no wall and cuts no corner. */
OCTILE_C_API int32_t octile_view_line_of_sight(octile_view view, const octile_pair* ends,
                                               int32_t* clear);
/* The cost of the path between two cells on an empty map of the cheapest terrain present. */
OCTILE_C_API int32_t octile_view_estimate(octile_view view, const octile_pair* ends, double* cost);
/* World positions to cells, by floor; NaN and what is too far away give a cell outside every map.
 */
OCTILE_C_API int32_t octile_view_cells_at(octile_view view, const octile_point* points,
                                          size_t count, octile_cell* out);
/* Cells to the world positions of their centres. */
OCTILE_C_API int32_t octile_view_centers(octile_view view, const octile_cell* cells, size_t count,
                                         octile_point* out);
/* The cells whose terrain or weight is not the same in two views of one map, by y, then x. */
OCTILE_C_API int32_t octile_view_differences(octile_view a, octile_view b, octile_cell* out,
                                             size_t capacity, size_t* length);

/* ------------------------------------------------------------------------------------------------
 * Indexes: computed once, for queries in less than a microsecond. Immutable, for any thread.
 * docs/labels.md, docs/portals.md. */

enum {
  OCTILE_INDEX_NONE,
  OCTILE_INDEX_SUBGOAL_GRAPH,
  OCTILE_INDEX_SUBGOAL_LABELS,
  OCTILE_INDEX_TILE_LABELS,
  OCTILE_INDEX_PORTALS,
  OCTILE_INDEX_QUADTREE
};

/* What an index shall hold, and how much it may take. */
typedef struct octile_index_options {
  uint32_t size;
  uint8_t most;             /* build this, or less when the budget asks; default TILE_LABELS */
  uint8_t high_quality;     /* flag, of PORTALS */
  uint8_t reserved[2];      /* 0 */
  uint64_t budget_bytes;    /* of the finished labels, or portals; default 512 << 20 */
  uint64_t budget_work;     /* label entries that may be made; 0: no limit */
  uint32_t threads;         /* 1 to 64; the same result for all; default 1 */
  uint32_t reserved_too;    /* 0 */
  octile_cancel cancel;     /* or zero */
  octile_progress progress; /* or null */
  void* user;
} octile_index_options;

OCTILE_C_API int32_t octile_index_options_init(octile_index_options* options);
/* Builds in the calling thread; `options` null: the defaults. The same view gives the same bytes.
 * Errors: no index serves the view (weights, other move rules, more than 65,535 cells a side),
 * OCTILE_CANCELLED. What the budget does not allow is left out: octile_index_info tells; of PORTALS
 * and QUADTREE, which have no less, OCTILE_OUT_OF_MEMORY. */
OCTILE_C_API int32_t octile_index_build(octile_view view, const octile_index_options* options,
                                        octile_index* out);
OCTILE_C_API int32_t octile_index_destroy(octile_index index);

/* What an index holds. */
typedef struct octile_index_info {
  uint32_t size;
  uint32_t kind;        /* OCTILE_INDEX_... */
  uint64_t bytes;       /* all that a query needs, and the length of its file */
  int32_t width;        /* of the map */
  int32_t height;       /* of the map */
  uint64_t fingerprint; /* of the map as the profile sees it */
  uint64_t entries;     /* of the labels */
  uint32_t subgoals;    /* corners of walls */
  uint32_t hubs;        /* with entries */
  uint32_t blocks;      /* of portals and quadtree */
  uint32_t portals;     /* each counted on both of its sides */
  char reason[96];      /* why it holds less than was asked for, or "" */
} octile_index_info;

/* Set info->size first. */
OCTILE_C_API int32_t octile_index_describe(octile_index index, octile_index_info* info);
/* *belongs: 1 when it was built for just this map as this view's profile sees it. */
OCTILE_C_API int32_t octile_index_belongs_to(octile_index index, octile_view view,
                                             int32_t* belongs);
/* The file takes its place when it is complete: a reader never sees half. */
OCTILE_C_API int32_t octile_index_save(octile_index index, const char* path);
enum { OCTILE_LOAD_MAPPED, OCTILE_LOAD_COPIED, OCTILE_LOAD_TRUSTED };
/* MAPPED and TRUSTED use the file where it lies: nobody may change it. TRUSTED checks only size and
 * head. A file that is truncated, damaged, foreign or of another version is refused. */
OCTILE_C_API int32_t octile_index_load(const char* path, int32_t how, octile_index* out);
/* The same bytes to and from memory, which is copied and checked. Error of write: portals and
 * quadtree that a commit has carried over an edit have no file; build anew. */
OCTILE_C_API int32_t octile_index_write(octile_index index, void* out, size_t capacity,
                                        size_t* length);
OCTILE_C_API int32_t octile_index_read(const void* data, size_t size, octile_index* out);

/* The view's index, or that of an earlier state which still answers some queries. Error: none. */
OCTILE_C_API int32_t octile_view_index(octile_view view, octile_index* out);
OCTILE_C_API int32_t octile_view_stale_index(octile_view view, octile_index* out);
/* The same state with another index. OCTILE_STALE_INDEX: it belongs to another map. */
OCTILE_C_API int32_t octile_view_with_index(octile_view view, octile_index index, octile_view* out);
/* Of an index of portals or a quadtree, for pictures: its blocks, and the cells of its portals. */
OCTILE_C_API int32_t octile_view_index_leaves(octile_view view, octile_rect* out, size_t capacity,
                                              size_t* length);
OCTILE_C_API int32_t octile_view_index_portals(octile_view view, octile_cell* out, size_t capacity,
                                               size_t* length);
/* The same of subgoal graphs and their labels, repaired ones too: their corners, by y, then x. */
OCTILE_C_API int32_t octile_view_index_subgoals(octile_view view, octile_cell* out, size_t capacity,
                                                size_t* length);
/* Of SUBGOAL_LABELS, in the same order: each corner's rank as a hub, all different, 0 the most
 * important one. Labels that were repaired keep ranks for corners that are gone. */
OCTILE_C_API int32_t octile_view_index_hub_ranks(octile_view view, uint32_t* out, size_t capacity,
                                                 size_t* length);

/* Gives the profile's view an index from the next octile_engine_view() on. */
OCTILE_C_API int32_t octile_engine_adopt(octile_engine engine, uint32_t profile,
                                         octile_index index);
/* From now on each commit repairs these labels (of the kind SUBGOAL_LABELS, built for the present
 * view) and gives them to the profile's next view; the zero handle ends that. With `renew`
 * long repairs go on in the background, and a build of new ones starts there when edits have made
 * them three tenths larger: call octile_engine_adopt_finished between ticks. */
OCTILE_C_API int32_t octile_engine_repair_labels(octile_engine engine, uint32_t profile,
                                                 octile_index index, int32_t renew);
/* Builds an index for the profile's present view in a thread of its own, one at a time; a second
 * call ends the first build. options->progress is called by that thread until the build ends: by
 * adopt_finished, stop_build, or the engine's end. Where there are no threads it is done at once.
 */
OCTILE_C_API int32_t octile_engine_start_build(octile_engine engine, uint32_t profile,
                                               const octile_index_options* options);
/* *running: 1 from start_build until adopt_finished or stop_build, and while labels are repaired in
 * the background; *done (may be null): the share
 * of the build that is done, 0 to 1. For those who would rather ask than be called. */
OCTILE_C_API int32_t octile_engine_building(octile_engine engine, int32_t* running, double* done);
/* Between ticks: *adopted is 1 when a finished build was taken over. OCTILE_STALE_INDEX: the map
 * was edited since, and nothing of the build is of use; other errors are those of the build. */
OCTILE_C_API int32_t octile_engine_adopt_finished(octile_engine engine, int32_t* adopted);
/* Ends a build, waits for its thread, and drops what it made. */
OCTILE_C_API int32_t octile_engine_stop_build(octile_engine engine);

/* ------------------------------------------------------------------------------------------------
 * Solvers. Ids run from 0 (auto) to octile_solver_count() - 1. */

/* What is known of a solver. */
typedef struct octile_solver_info {
  uint32_t size;
  int32_t exact;         /* flag: always a cheapest path */
  const char* name;      /* "auto", "dijkstra", ...; all four live as long as the library */
  const char* summary;   /* one line */
  const char* serves;    /* which profiles and queries it takes itself */
  const char* otherwise; /* the solver that answers in its place else; "" when it takes all */
} octile_solver_info;

/* How many there are, `auto` included. Never fails. */
OCTILE_C_API int32_t octile_solver_count(void);
/* Set info->size first. */
OCTILE_C_API int32_t octile_solver_describe(int32_t solver, octile_solver_info* info);
/* -1 when there is none of that name. */
OCTILE_C_API int32_t octile_solver_id(const char* name);

/* ------------------------------------------------------------------------------------------------
 * Queries */

/* What a search did, for pictures: empty it between uses. */
enum { OCTILE_TRACE_OPENED, OCTILE_TRACE_CLOSED };
/* One thing that a search did. */
typedef struct octile_trace_event {
  octile_cell cell; /* where */
  double g;         /* cost from the start */
  int32_t kind;     /* OCTILE_TRACE_... */
  int32_t reserved; /* 0 */
} octile_trace_event;

OCTILE_C_API int32_t octile_trace_create(octile_trace* out);
OCTILE_C_API int32_t octile_trace_destroy(octile_trace trace);
/* Forgets the events, keeps the memory. */
OCTILE_C_API int32_t octile_trace_clear(octile_trace trace);
/* Events from number `first` on. *length: how many there are in all; *complete (may be null): 0
 * when memory was short and the record ends early. Between slices it holds what was done so far. */
OCTILE_C_API int32_t octile_trace_read(octile_trace trace, size_t first, octile_trace_event* out,
                                       size_t capacity, size_t* length, int32_t* complete);

enum { OCTILE_OUTPUT_CELLS, OCTILE_OUTPUT_WAYPOINTS };

/* A cell that costs more in one query. */
typedef struct octile_extra_cost {
  octile_cell cell; /* which */
  double cost;      /* added to the cost factor: 0 to 4,294,967,295, at most three decimals */
} octile_extra_cost;

/* What is asked, and under which conditions. */
typedef struct octile_query {
  uint32_t size;
  int32_t solver;    /* 0: auto */
  octile_cell start; /* where the unit stands */
  octile_cell goal;  /* where it shall go */
  const octile_cell*
      goals;         /* a set instead of `goal`, when not null: the cheapest to reach wins, */
  size_t goal_count; /* among equals the first of the list */
  /* For this query alone: cells that are walls, and cells that cost more. */
  const octile_cell* extra_blocked;
  size_t extra_blocked_count;           /* of extra_blocked */
  const octile_extra_cost* extra_costs; /* what they add to the cost factors */
  size_t extra_cost_count;              /* of extra_costs */
  uint64_t max_expansions;              /* 0: no limit; it counts until a way is found */
  double max_cost;       /* paths above it end with OCTILE_LIMIT_REACHED; default OCTILE_WALL */
  octile_cancel cancel;  /* or zero */
  octile_trace trace;    /* or zero; a search is then made even where an index could tell */
  int32_t snap_radius;   /* at most this many cells away in x and in y; default 64 */
  uint8_t output;        /* OCTILE_OUTPUT_...: every cell, or those where the direction changes */
  uint8_t smooth;        /* flag: pull the waypoints tight (uniform maps); needs WAYPOINTS */
  uint8_t snap_start;    /* flag: take the nearest free cell for a start that is a wall */
  uint8_t snap_goal;     /* flag: the same for the goal */
  uint8_t goal_cover;    /* flag: a goal is reached where the unit covers it */
  uint8_t escape_start;  /* flag: a unit that stands where it cannot may leave */
  uint8_t allow_partial; /* flag: without a path go to the nearest reached cell */
  uint8_t reserved;      /* 0 */
} octile_query;

/* How a query ended. */
typedef struct octile_answer {
  uint32_t size;
  int32_t status;      /* OCTILE_FOUND, ... */
  double cost;         /* in straight steps (in tens under TEN_FOURTEEN), of the path's own steps */
  uint64_t cost_units; /* the same, exact: compares without rounding within one view */
  double bound;        /* the cost is at most this many times the cheapest; 1: exact */
  uint64_t version;    /* of the view that was asked */
  uint64_t expanded;   /* nodes taken from the open list */
  uint64_t generated;  /* nodes put into it */
  size_t goal_index;   /* which goal of the set was reached */
  size_t first;        /* of batches: where its cells begin in the list of all */
  size_t length;       /* cells of the path, also when the buffer was too small */
  int32_t solver;      /* who answered */
  int32_t reserved;
  const char* message; /* "" when found, else one line; lives as long as the library */
} octile_answer;

/* A path where it lies. */
typedef struct octile_path {
  const octile_cell* cells; /* both ends included; null where there are none */
  size_t length;            /* how many */
} octile_path;

OCTILE_C_API int32_t octile_query_init(octile_query* query);
OCTILE_C_API int32_t octile_answer_init(octile_answer* answer);

/* The workspace of a thread. It grows with what searches touch and is kept for the next one: once
 * warm, a query allocates nothing. Keeps the last view that it was asked about alive. */
OCTILE_C_API int32_t octile_searcher_create(octile_searcher* out);
OCTILE_C_API int32_t octile_searcher_destroy(octile_searcher searcher);
/* Bytes that it holds. */
OCTILE_C_API int32_t octile_searcher_memory(octile_searcher searcher, size_t* bytes);
/* Gives all memory back, and the view; drops a query that has not ended. */
OCTILE_C_API int32_t octile_searcher_release(octile_searcher searcher);

/* Answers one query. Returns answer->status, which is filled whenever something was asked: a bad
 * pointer, handle, size or kind of output is told by what is returned alone, and leaves answer as
 * it was. cells[0 .. min(capacity, answer->length)) is the path, both ends included; with
 * OCTILE_NOT_LOADED: the first cells of the tiles that are wanted. */
OCTILE_C_API int32_t octile_find(octile_searcher searcher, octile_view view,
                                 const octile_query* query, octile_cell* cells, size_t capacity,
                                 octile_answer* answer);
/* The path of the last answer once more, from cell number `first` on. */
OCTILE_C_API int32_t octile_searcher_path(octile_searcher searcher, size_t first,
                                          octile_cell* cells, size_t capacity, size_t* length);
/* All of it without a copy: the cells are the searcher's, and may be read until the next call with
 * it but this one. */
OCTILE_C_API int32_t octile_searcher_borrow(octile_searcher searcher, octile_path* path);
/* octile_find() and octile_searcher_borrow() in one call, which costs least. *path is filled in
 * whenever *answer is. */
OCTILE_C_API int32_t octile_find_borrow(octile_searcher searcher, octile_view view,
                                        const octile_query* query, octile_path* path,
                                        octile_answer* answer);
/* The same as world positions of the cells' centres. */
OCTILE_C_API int32_t octile_searcher_points(octile_searcher searcher, size_t first,
                                            octile_point* points, size_t capacity, size_t* length);

/* A query in slices of bounded work. begin() checks the query and copies what it points to; each
 * step() goes on for about `expansions` nodes and tells in *done whether the query has ended: then
 * answer and cells are those of octile_find(), whose status it returns. Before that it returns
 * OCTILE_FOUND, and answer->status is not set. begin() drops a query that has not ended. Edits and
 * destroyed views do not disturb it. Error of step(): nothing was begun. */
OCTILE_C_API int32_t octile_searcher_begin(octile_searcher searcher, octile_view view,
                                           const octile_query* query);
OCTILE_C_API int32_t octile_searcher_step(octile_searcher searcher, uint64_t expansions,
                                          octile_cell* cells, size_t capacity,
                                          octile_answer* answer, int32_t* done);
/* How the path of a query that has not ended will begin, as far as that is settled (solvers
 * `portals` and `quadtree`): 0 cells when nothing is known. */
OCTILE_C_API int32_t octile_searcher_head(octile_searcher searcher, octile_cell* cells,
                                          size_t capacity, size_t* length);

/* Cost of a cheapest path; OCTILE_WALL when there is none. */
OCTILE_C_API int32_t octile_distance(octile_searcher searcher, octile_view view,
                                     const octile_pair* ends, double* cost);
/* The cell after the start on the path; the start itself when it is the goal or there is none. */
OCTILE_C_API int32_t octile_first_move(octile_searcher searcher, octile_view view,
                                       const octile_pair* ends, octile_cell* cell);
/* out[i * target_count + j]: from sources[i] to targets[j]. */
OCTILE_C_API int32_t octile_distances(octile_searcher searcher, octile_view view,
                                      const octile_cell* sources, size_t source_count,
                                      const octile_cell* targets, size_t target_count, double* out);
/* Would walls on `cells` cut off what is connected now? With pairs: whether the ends of one of them
 * would be; *first (may be null) is its number, or pair_count. Without: whether a region would be
 * split in two. */
OCTILE_C_API int32_t octile_would_disconnect(octile_searcher searcher, octile_view view,
                                             const octile_cell* cells, size_t cell_count,
                                             const octile_pair* pairs, size_t pair_count,
                                             int32_t* answer, size_t* first);

/* One line of a Moving AI .scen file. */
typedef struct octile_scen_query {
  int32_t bucket;     /* the first column of the file */
  int32_t map_width;  /* in cells */
  int32_t map_height; /* in cells */
  octile_cell start;  /* counted from the map's top left corner */
  octile_cell goal;   /* counted from the map's top left corner */
  double optimum;     /* octile distance, no corner cutting */
} octile_scen_query;
/* The entries of a file. It is never trusted: what makes no sense is refused with its line. */
OCTILE_C_API int32_t octile_scen_parse(const void* data, size_t size, octile_scen_query* out,
                                       size_t capacity, size_t* length);

/* ------------------------------------------------------------------------------------------------
 * Batches: many queries in one call, over threads. Queries that share a goal, or on uniform maps a
 * start, are answered from one field. The answers depend on the view and the list alone. */

/* How a batch is run. */
typedef struct octile_batch_options {
  uint32_t size;
  uint32_t threads;     /* 1 to 64; default 1 */
  uint64_t cache_bytes; /* fields of so many bytes are kept for the next call; default 0 */
  octile_cancel cancel; /* of all queries; or zero */
} octile_batch_options;

/* How the queries of a batch were answered. */
typedef struct octile_batch_counts {
  uint32_t size;
  uint32_t reserved;
  uint64_t by_field;     /* queries answered from a field */
  uint64_t fields_built; /* for this call */
  uint64_t fields_kept;  /* taken from what was kept */
  uint64_t by_search;    /* queries answered by a search of their own */
} octile_batch_counts;

OCTILE_C_API int32_t octile_batch_options_init(octile_batch_options* options);
OCTILE_C_API int32_t octile_batch_create(octile_batch* out);
OCTILE_C_API int32_t octile_batch_destroy(octile_batch batch);
/* Forgets all fields and answers. */
OCTILE_C_API int32_t octile_batch_clear(octile_batch batch);
/* Bytes that it holds. */
OCTILE_C_API int32_t octile_batch_memory(octile_batch batch, size_t* bytes);
/* Answers queries[i] in answers[i]; the arrays' steps are queries[0].size and answers[0].size, and
 * all of them must be alike. The paths follow each other in `cells`: that of answers[i] begins at
 * answers[i].first. *length (may be null): cells of all. `options`, `counts`: may be null. Queries
 * have no cancel token and no trace of their own. What a single query meets is in its answer. */
OCTILE_C_API int32_t octile_batch_run(octile_batch batch, octile_view view,
                                      const octile_query* queries, size_t count,
                                      const octile_batch_options* options, octile_answer* answers,
                                      octile_cell* cells, size_t capacity, size_t* length,
                                      octile_batch_counts* counts);
/* The same for pairs of start (a) and goal (b), and all else as in `like` (null: the defaults).
 * `answers` may be null. */
OCTILE_C_API int32_t octile_batch_pairs(octile_batch batch, octile_view view,
                                        const octile_query* like, const octile_pair* pairs,
                                        size_t count, const octile_batch_options* options,
                                        octile_answer* answers, octile_cell* cells, size_t capacity,
                                        size_t* length, octile_batch_counts* counts);
/* The cells of the last run once more: all paths, one after the other, from cell `first` on. */
OCTILE_C_API int32_t octile_batch_cells(octile_batch batch, size_t first, octile_cell* cells,
                                        size_t capacity, size_t* length);

/* ------------------------------------------------------------------------------------------------
 * Fields: distances and directions of all cells to a set of goals. Read by any number of threads.
 */

/* What a field is made of. */
typedef struct octile_field_query {
  uint32_t size;
  uint32_t reserved;        /* 0 */
  const octile_cell* goals; /* at least one; blocked ones do not count while another one is free */
  size_t goal_count;
  const double* offsets;    /* what is still to be paid at each goal, 0 or more; null: nothing */
  double max_cost;          /* cells farther away are not reached; default OCTILE_WALL */
  const octile_cell* stops; /* the search ends when all of these are reached; null: at the end */
  size_t stop_count;
} octile_field_query;

/* Directions of fields beside 0 to 7: the cell is a goal. */
#define OCTILE_DIRECTION_AT_GOAL 8
/* No goal is reached from there. */
#define OCTILE_DIRECTION_UNREACHED 255

OCTILE_C_API int32_t octile_field_query_init(octile_field_query* query);
/* The workspace of a thread that makes fields. */
OCTILE_C_API int32_t octile_field_maker_create(octile_field_maker* out);
OCTILE_C_API int32_t octile_field_maker_destroy(octile_field_maker maker);
/* Bytes that it holds. */
OCTILE_C_API int32_t octile_field_maker_memory(octile_field_maker maker, size_t* bytes);
/* *field: zero, and gets a new field; or a field, whose memory is used again, while no call reads
 * it. Errors: OCTILE_GOAL_OUT_OF_BOUNDS, OCTILE_GOAL_BLOCKED (all of them), OCTILE_COST_OVERFLOW.
 */
OCTILE_C_API int32_t octile_field_build(octile_field_maker maker, octile_view view,
                                        const octile_field_query* query, octile_field* field);
enum { OCTILE_FIELD_KEPT, OCTILE_FIELD_REPAIRED, OCTILE_FIELD_REBUILT };
/* Brings a field, while no call reads it, to another view of the same map and profile; the
 * distances are those of a new field. *how (may be null): OCTILE_FIELD_... */
OCTILE_C_API int32_t octile_field_update(octile_field_maker maker, octile_view view,
                                         octile_field field, int32_t* how);
OCTILE_C_API int32_t octile_field_destroy(octile_field field);
/* A new handle of the view that it holds for; *bytes: its memory. Either may be null. */
OCTILE_C_API int32_t octile_field_view(octile_field field, octile_view* view, size_t* bytes);

/* Of any cells: costs of the cheapest ways to a goal (OCTILE_WALL: not reached), the same in
 * cost_units (UINT64_MAX), the first moves (0 to 7 as the bits of octile_view_moves(), or
 * OCTILE_DIRECTION_...), and the cells that lie there (the cell itself at a goal and where none is
 * reached). `out` may be `cells` for next: one call moves a thousand units by a step. */
OCTILE_C_API int32_t octile_field_distances(octile_field field, const octile_cell* cells,
                                            size_t count, double* out);
OCTILE_C_API int32_t octile_field_units(octile_field field, const octile_cell* cells, size_t count,
                                        uint64_t* out);
OCTILE_C_API int32_t octile_field_directions(octile_field field, const octile_cell* cells,
                                             size_t count, uint8_t* out);
OCTILE_C_API int32_t octile_field_next(octile_field field, const octile_cell* cells, size_t count,
                                       octile_cell* out);
/* Distances, or directions, of a rectangle, which may reach outside the map. */
OCTILE_C_API int32_t octile_field_read(octile_field field, const octile_rect* rect, double* out,
                                       size_t stride);
OCTILE_C_API int32_t octile_field_flow(octile_field field, const octile_rect* rect, uint8_t* out,
                                       size_t stride);
/* The cells within a cost of a goal, by y, then x: where a unit can go in a turn. */
OCTILE_C_API int32_t octile_field_within(octile_field field, double cost, octile_cell* out,
                                         size_t capacity, size_t* length);
/* Follows the directions: as octile_find(), of which only the statistics are missing. The searcher
 * keeps the path, for octile_searcher_path(). */
OCTILE_C_API int32_t octile_field_path(octile_searcher searcher, octile_field field, int32_t x,
                                       int32_t y, octile_cell* cells, size_t capacity,
                                       octile_answer* answer);

/* ------------------------------------------------------------------------------------------------
 * Groups: one order for many units. */

enum {
  OCTILE_FORMATION_COMPACT,
  OCTILE_FORMATION_BOX,
  OCTILE_FORMATION_COLUMN,
  OCTILE_FORMATION_WEDGE,
  OCTILE_FORMATION_KEEP_SHAPE
};

/* A unit of a group. */
typedef struct octile_group_unit {
  octile_cell cell; /* where it stands */
  uint32_t view;    /* which of the views it walks by */
} octile_group_unit;

/* A friend in the way: another unit on the map. */
typedef struct octile_group_friend {
  octile_cell cell; /* of a larger unit each cell that it covers; outside the map it is left out */
  octile_cell
      heading;  /* where it is going, as a direction in cells; (0, 0), or speed 0: it rests */
  double speed; /* as a share of the speed of the unit that plans, 0 to 1 */
} octile_group_friend;

/* How a group shall stand. */
typedef struct octile_group_options {
  uint32_t size;
  int32_t formation; /* OCTILE_FORMATION_... */
  octile_cell
      facing; /* where the formation looks to, a direction; (0, 0): from the units to the goal */
  int32_t spacing;       /* cells between two units at least, 0 to 32 */
  int32_t files;         /* units abreast in a box (0: about as many as ranks) or column (0: one);
                            -1: as many as pass side by side through the narrowest place of a
                            cheapest way to the goal, at most about as many as ranks */
  uint8_t allow_partial; /* flag: who cannot reach the goal goes as near as can be; default 1 */
  uint8_t reserved[7];
  /* Other units, none by default. Their cells cost more, as by octile_friend_costs() for a group on
   * its way from its middle to the goal: who takes which slot, distances and pace count the waits.
   * Where a friend rests is no slot, nor nearer to it than `spacing`. */
  const octile_group_friend* friends;
  size_t friend_count;
  double friend_moving;  /* default 1 */
  double friend_resting; /* default 4 */
} octile_group_options;

/* Where a unit of a group goes. */
typedef struct octile_group_slot {
  int32_t status;   /* FOUND, PARTIAL, NO_PATH, START_BLOCKED or START_OUT_OF_BOUNDS */
  octile_cell cell; /* the slot; without one the unit's own cell */
  uint32_t rank;    /* how far behind the foremost slot it lies, in cells */
  double distance;  /* cost of the way to it, past friends; OCTILE_WALL without a slot */
  double pace;      /* share of full speed at which all arrive together, 0 to 1 */
} octile_group_slot;

/* How well the order could be carried out. */
typedef struct octile_group_answer {
  uint32_t size;
  uint32_t optimal; /* flag: the choice of who takes which slot is the best there is */
  uint64_t placed;  /* units with status found */
  uint64_t partial; /* units that go as near as they can */
  uint64_t left;    /* units without a slot */
  double longest;   /* of the distances */
  double total;     /* their sum */
} octile_group_answer;

OCTILE_C_API int32_t octile_group_options_init(octile_group_options* options);
/* Fills slots[0 .. count). `views`: one for each kind of unit, all of one map. `options`, `answer`:
 * may be null. Errors: values out of range, OCTILE_GOAL_OUT_OF_BOUNDS; the slots are of no use
 * then. */
OCTILE_C_API int32_t octile_group_order(octile_searcher searcher, const octile_view* views,
                                        size_t view_count, const octile_group_unit* units,
                                        size_t count, const octile_cell* goal,
                                        const octile_group_options* options,
                                        octile_group_slot* slots, octile_group_answer* answer);

/* Fills out[0 .. count) with what friends add for a unit on its way from way->a to way->b, for
 * octile_query.extra_costs. `moving` (1 is good): of one that goes across or comes towards it, less
 * for one that goes along; `resting` (4 is good): of one that has to be pushed aside; both in
 * straight steps, 0 to 1,000,000. A pure function. Errors: values out of range. */
OCTILE_C_API int32_t octile_friend_costs(const octile_pair* way, const octile_group_friend* friends,
                                         size_t count, double moving, double resting,
                                         octile_extra_cost* out);

/* ------------------------------------------------------------------------------------------------
 * Step planner: the next cell of each of many units, tick by tick, without collisions. */

/* A unit as octile_planner_reset() takes it. */
typedef struct octile_agent {
  octile_cell cell; /* where it stands */
  octile_cell goal; /* where it wants to be; may be shared */
  uint8_t has_goal; /* flag: without one it stays where it is, or was pushed */
  uint8_t pinned;   /* flag: never moves */
  uint8_t pushable; /* flag: may be moved by the need of others */
  uint8_t priority; /* higher ones go first; 128 is usual */
} octile_agent;

/* What a planner is started with. */
typedef struct octile_planner_options {
  uint32_t size;
  uint32_t patience;    /* ticks without progress until it is stalled; default 200 */
  uint64_t seed;        /* of ties between equally good cells */
  uint64_t table_bytes; /* of tables of distances; default 1 GB */
} octile_planner_options;

enum {
  OCTILE_OUTCOME_MOVED,
  OCTILE_OUTCOME_WAITED,
  OCTILE_OUTCOME_PUSHED,
  OCTILE_OUTCOME_BLOCKED,
  OCTILE_OUTCOME_PINNED
};

/* How it goes with a unit. */
typedef struct octile_agent_state {
  octile_cell cell;    /* where it stands */
  octile_cell goal;    /* its own cell when it has none */
  uint64_t steps_left; /* of a shortest way; 0 when it cannot be reached */
  uint8_t outcome;     /* OCTILE_OUTCOME_..., of the last step */
  uint8_t arrived;     /* flag: it has a goal, and is there */
  uint8_t reachable;   /* flag: it has a goal, and a way leads there */
  uint8_t reserved[5];
} octile_agent_state;

/* How it goes with all of them. */
typedef struct octile_planner_info {
  uint32_t size;
  uint32_t stalled;    /* flag: no progress for `patience` ticks */
  uint64_t agents;     /* how many there are */
  uint64_t ticks;      /* steps since the reset */
  uint64_t arrivals;   /* agents that came to their goal, each time anew */
  uint64_t on_the_way; /* agents with a goal that they can reach and have not */
  uint64_t bytes;      /* that it holds */
} octile_planner_info;

OCTILE_C_API int32_t octile_planner_options_init(octile_planner_options* options);
OCTILE_C_API int32_t octile_planner_create(octile_planner* out);
OCTILE_C_API int32_t octile_planner_destroy(octile_planner planner);
/* Starts anew. Agents are known by their place in the list. `options` may be null. Errors: two
 * agents on one cell, an agent in a wall or outside. */
OCTILE_C_API int32_t octile_planner_reset(octile_planner planner, octile_view view,
                                          const octile_agent* agents, size_t count,
                                          const octile_planner_options* options);
/* The same with several kinds of units, of any size: a view for each kind, 1 to 64 of one map and
 * version; view_of[i] is that of agents[i] (null: all the first). Errors also: a view of another
 * map or that is not there. */
OCTILE_C_API int32_t octile_planner_reset_views(octile_planner planner, const octile_view* views,
                                                size_t view_count, const uint32_t* view_of,
                                                const octile_agent* agents, size_t count,
                                                const octile_planner_options* options);
/* After edits: from now on this view, or as many as before. On an error it goes on with the old. */
OCTILE_C_API int32_t octile_planner_change_view(octile_planner planner, octile_view view);
OCTILE_C_API int32_t octile_planner_change_views(octile_planner planner, const octile_view* views,
                                                 size_t view_count);
/* All take effect with the next step. Error: no such agent. */
OCTILE_C_API int32_t octile_planner_set_goal(octile_planner planner, size_t agent, int32_t x,
                                             int32_t y);
OCTILE_C_API int32_t octile_planner_clear_goal(octile_planner planner, size_t agent);
OCTILE_C_API int32_t octile_planner_set_pinned(octile_planner planner, size_t agent,
                                               int32_t pinned);
OCTILE_C_API int32_t octile_planner_set_pushable(octile_planner planner, size_t agent,
                                                 int32_t pushable);
OCTILE_C_API int32_t octile_planner_set_priority(octile_planner planner, size_t agent,
                                                 uint8_t priority);
/* One tick. Allocates nothing. Error: before the first reset. */
OCTILE_C_API int32_t octile_planner_step(octile_planner planner);
/* Where all agents are, and how it goes with them, by their numbers from `first` on. */
OCTILE_C_API int32_t octile_planner_cells(octile_planner planner, size_t first, octile_cell* out,
                                          size_t capacity, size_t* length);
OCTILE_C_API int32_t octile_planner_states(octile_planner planner, size_t first,
                                           octile_agent_state* out, size_t capacity,
                                           size_t* length);
/* Set info->size first. */
OCTILE_C_API int32_t octile_planner_describe(octile_planner planner, octile_planner_info* info);

/* ------------------------------------------------------------------------------------------------
 * Plans: every step of every unit, without collisions, and their checker. */

enum { OCTILE_OBJECTIVE_SUM_OF_LOSS, OCTILE_OBJECTIVE_MAKESPAN };
enum {
  OCTILE_PLAN_NONE,
  OCTILE_PLAN_FEASIBLE,
  OCTILE_PLAN_OPTIMAL,
  OCTILE_PLAN_INFEASIBLE, /* proven */
  OCTILE_PLAN_LIMIT_REACHED,
  OCTILE_PLAN_CANCELLED
};

/* How much the making of a plan may take, and towards what. */
typedef struct octile_plan_options {
  uint32_t size;
  uint8_t objective;           /* OCTILE_OBJECTIVE_... */
  uint8_t any_goal;            /* flag: the goals are places for anybody */
  uint8_t reserved[2];         /* 0 */
  uint64_t seed;               /* of all that is decided by lot */
  uint64_t max_configurations; /* until the first plan is there; 0: no limit */
  uint64_t improve;            /* more of them after the first plan */
  uint64_t refine;             /* rounds of re-planning of some agents */
  uint64_t max_bytes;          /* of memory, about; default 4 GB */
  double seconds;              /* of the wall clock, 0: no limit; the answer then depends on it */
  octile_cancel cancel;        /* or zero */
  octile_progress progress;    /* or null */
  void* user;
} octile_plan_options;

/* What a plan costs, in ticks. */
typedef struct octile_plan_costs {
  uint64_t makespan;       /* the tick at which the last agent is at its goal for good */
  uint64_t sum_of_costs;   /* of those ticks of all agents */
  uint64_t sum_of_loss;    /* ticks spent away from, leaving or entering goals */
  uint64_t makespan_bound; /* what no plan can beat */
  uint64_t sum_bound;      /* of the sum of costs, likewise */
} octile_plan_costs;

/* What was found, and what it took. */
typedef struct octile_plan_answer {
  uint32_t size;
  int32_t status;                /* OCTILE_PLAN_... */
  octile_plan_costs costs;       /* the bounds also where there is no plan */
  uint64_t configurations;       /* generated in all */
  uint64_t first_configurations; /* until the first plan */
  uint64_t first_sum_of_costs;   /* of the first plan */
  uint64_t rounds;               /* of refinement */
  uint64_t improved;             /* plans that replaced a worse one */
  uint64_t table_bytes;          /* of the distances to goals */
  uint64_t peak_bytes;           /* of all that was allocated at once, about */
} octile_plan_answer;

/* What is wrong with a plan. */
typedef struct octile_plan_report {
  uint32_t size;
  int32_t defect; /* 0: the plan is valid; else OCTILE_DEFECT_..., the first by tick, then agent */
  uint64_t tick;  /* of the row in which it shows */
  uint64_t agent; /* whose it is */
  uint64_t other; /* the second agent of a conflict */
  octile_plan_costs costs; /* recomputed; of plans without a defect */
  char text[160];          /* one clear line, "" when valid */
} octile_plan_report;

enum {
  OCTILE_DEFECT_NONE,
  OCTILE_DEFECT_WRONG_SIZE,
  OCTILE_DEFECT_WRONG_START,
  OCTILE_DEFECT_BLOCKED,
  OCTILE_DEFECT_JUMP,
  OCTILE_DEFECT_CORNER_CUT,
  OCTILE_DEFECT_VERTEX,
  OCTILE_DEFECT_SWAP,
  OCTILE_DEFECT_CROSSING,
  OCTILE_DEFECT_LEFT_GOAL,
  OCTILE_DEFECT_WRONG_GOAL
};

OCTILE_C_API int32_t octile_plan_options_init(octile_plan_options* options);
/* An empty plan: of no agents and no rows. */
OCTILE_C_API int32_t octile_plan_create(octile_plan* out);
OCTILE_C_API int32_t octile_plan_destroy(octile_plan plan);
/* Plans the ways from tasks[i].a to tasks[i].b. answer->status tells whether there is a plan (the
 * function returns OCTILE_FOUND also where there is none). Errors, with the agent's number in the
 * message: OCTILE_START_BLOCKED and its like, two agents with one start; of units larger than a
 * cell any_goal and refine. */
OCTILE_C_API int32_t octile_plan_make(octile_view view, const octile_pair* tasks, size_t count,
                                      const octile_plan_options* options, octile_plan plan,
                                      octile_plan_answer* answer);
/* The same with several kinds of units: views as of octile_planner_reset_views(), view_of[i] is
 * that of tasks[i] (null: all the first). Error also: any_goal or refine with several. */
OCTILE_C_API int32_t octile_plan_make_views(const octile_view* views, size_t view_count,
                                            const uint32_t* view_of, const octile_pair* tasks,
                                            size_t count, const octile_plan_options* options,
                                            octile_plan plan, octile_plan_answer* answer);
/* *rows: ticks + 1, the first of which are the starts. Either pointer may be null. */
OCTILE_C_API int32_t octile_plan_size(octile_plan plan, size_t* rows, size_t* agents);
/* Row by row, from row `first` on. *length: cells from there to the end. */
OCTILE_C_API int32_t octile_plan_read(octile_plan plan, size_t first, octile_cell* out,
                                      size_t capacity, size_t* length);
/* A plan from any other source: rows * agents cells. */
OCTILE_C_API int32_t octile_plan_assign(octile_plan plan, const octile_cell* cells, size_t rows,
                                        size_t agents);
/* Recomputes everything and names the first conflict. */
OCTILE_C_API int32_t octile_plan_check(octile_view view, const octile_pair* tasks, size_t count,
                                       octile_plan plan, int32_t any_goal,
                                       octile_plan_report* report);
OCTILE_C_API int32_t octile_plan_check_views(const octile_view* views, size_t view_count,
                                             const uint32_t* view_of, const octile_pair* tasks,
                                             size_t count, octile_plan plan, int32_t any_goal,
                                             octile_plan_report* report);

#ifdef __cplusplus
}
#endif

#endif
