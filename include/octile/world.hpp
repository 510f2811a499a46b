// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The first part of octile.hpp, which explains the whole: plain values, who walks, and the map with
// all that edits it.

#include <cstddef>
#include <cstdint>

// The version of the headers; the library that is linked must be of the same.
#define OCTILE_VERSION_MAJOR 0
#define OCTILE_VERSION_MINOR 2
#define OCTILE_VERSION_PATCH 0

// The C++ face is linked statically. Who makes a shared library of it all the same compiles with
// OCTILE_EXPORT_CXX, and keeps compilers and versions alike; octile.h has the stable one.
#if defined(OCTILE_EXPORT_CXX) && defined(_WIN32)
#define OCTILE_API __declspec(dllexport)
#elif defined(OCTILE_EXPORT_CXX)
#define OCTILE_API __attribute__((visibility("default")))
#else
#define OCTILE_API
#endif

namespace octile {

// ---------------------------------------------------------------------------------------------
// Plain values

// Grid coordinates, or a number of cells.
struct Cell {
  int32_t x = 0;  // to the right
  int32_t y = 0;  // downwards
};
// Cells are the same when both coordinates are.
constexpr bool operator==(Cell a, Cell b) noexcept {
  return a.x == b.x && a.y == b.y;
}
// True where == is false.
constexpr bool operator!=(Cell a, Cell b) noexcept {
  return !(a == b);
}

// A rectangle of cells: [x, x + width) by [y, y + height).
struct Rect {
  int32_t x = 0;       // of its first column
  int32_t y = 0;       // of its first row
  int32_t width = 0;   // in cells, 0 or more; empty with 0
  int32_t height = 0;  // in cells, 0 or more; empty with 0
};

// A point of the user's world.
struct WorldPoint {
  double x = 0;  // in world units, along the rows of the map
  double y = 0;  // in world units, along its columns, growing as Cell::y does
};

// How a query ended. There is never an empty answer without one of these.
enum class Status : uint8_t {
  found,                // a cheapest path
  partial,              // no path; the way to the nearest reached cell (Query::allow_partial)
  no_path,              // both ends are free, but nothing connects them
  start_blocked,        // the start is a wall for this Profile, or its unit does not fit there
  goal_blocked,         // so is every goal
  start_out_of_bounds,  // the start lies outside the map
  goal_out_of_bounds,   // a goal lies outside the map
  limit_reached,        // max_expansions or max_cost ended the search
  cancelled,            // the cancel flag was raised
  not_loaded,           // the answer depends on tiles that are absent (MapDef::streamed)
  cost_overflow,        // the sum of costs does not fit 63 bits
  out_of_memory,        // an allocation failed; nothing was changed
  stale_index,          // an index does not belong to this View
  bad_argument,         // the call makes no sense; the message says why
};
OCTILE_API const char* name(Status status) noexcept;  // "found", "no_path", ...

// The result of a call that can fail: true when something went wrong.
struct Fault {
  Status status = Status::found;  // what went wrong; found: nothing
  char text[160] = {};            // one clear line, zero-terminated; empty when all is well
  // So that `if (fault)` asks whether something went wrong.
  explicit operator bool() const noexcept { return status != Status::found; }
};

// ---------------------------------------------------------------------------------------------
// Who walks

// To which of its neighbours a unit steps: the four at the sides, or the four at the corners too.
enum class Moves : uint8_t { four, eight };

// May a diagonal step pass the two cells beside it? `never` turns eight into four.
enum class Diagonal : uint8_t {
  always,                // whatever stands beside it
  at_most_one_obstacle,  // at least one side cell is free
  no_obstacles,          // both side cells are free: no corner cutting (the default)
  never,
};

// Length of a diagonal step: sqrt(2) exactly, 1.4 (costs come in tens: 10 and 14), or 1.
enum class Metric : uint8_t { octile, ten_fourteen, chebyshev };

constexpr double kWall = __builtin_huge_val();  // the cost of impassable terrain

// What a unit may enter, what that costs, and how it moves. A plain value; Engine::add_profile
// checks it once. The default walks the Moving AI terrains: '.', 'G' and 'S' cost 1, digits their
// value, all else is a wall.
struct OCTILE_API Profile {
  // Cost factor of each terrain id: 0 (a free step) to 4,294,967,295 with at most three decimals,
  // or kWall. Anything else is refused, NaN and negative numbers among it.
  double terrain_cost[256];
  Moves moves = Moves::eight;                  // to four neighbours or to eight
  Diagonal diagonal = Diagonal::no_obstacles;  // of eight: what may stand beside a diagonal step
  Metric metric = Metric::octile;              // of eight: how long such a step is
  // The rectangle of cells that the unit covers, 1 to 64 a side. Where the unit is, is told by the
  // cell that its anchor stands on, counted from the first cell of the rectangle: at p it covers
  // p - anchor to p - anchor + (width - 1, height - 1). All cells of paths, starts, goals and Views
  // are such places. A place is passable when every cell under the unit is passable and inside the
  // map, entering it costs as much as the dearest cell there, and the diagonal policy asks about
  // the two places beside a diagonal step.
  int32_t width = 1;
  int32_t height = 1;
  Cell anchor;  // (0, 0) to (width - 1, height - 1)

  Profile() noexcept;
  // Rounds every cost to three decimals, for costs that were computed; gives the largest change.
  double quantise() noexcept;
};

// Names a Profile of one Engine: what Engine::add_profile() gave. Never used again.
using ProfileId = uint32_t;

// ---------------------------------------------------------------------------------------------
// The map

// What Engine::reset() makes a map of: its size, its place in the world, and what it keeps. A plain
// value, checked there.
struct MapDef {
  // Cells, at least 1 by 1. The map may have about 4.29e9 cells: tiles of 64 x 64, with a ring of
  // one tile around them and rows rounded up to a power of two, must not be more than 2^20.
  int32_t width = 0;
  int32_t height = 0;
  Cell first_cell;          // coordinates of the first cell of the first row; above INT32_MIN
  WorldPoint origin;        // world position of the corner of cell (0, 0)
  double cell_size = 1;     // world units, above 0
  uint8_t terrain = '.';    // every cell starts with this terrain
  bool weights = false;     // keep a 16-bit weight for each cell as well (2 bytes a cell)
  double weight_scale = 1;  // a weight w multiplies the terrain's cost by w * weight_scale;
                            // above 0, at most three decimals
  // All tiles of 64 x 64 cells (counted from first_cell) are absent until Map::provide_tile().
  // Absent cells are taken for `terrain`, with weight 1: for every Profile that must be the
  // cheapest that the map will have, so that no way can cost less than it seems to. find() gives no
  // answer that depends on them. docs/worlds.md#streaming.
  bool streamed = false;
};

// A set of cells with a terrain that lies over the ground while it is present: a building, a crate,
// a door (present: closed). Where obstacles overlap, the one that was added last shows; when the
// last one goes, the ground shows again. Cells may be given in any order, and twice.
struct ObstacleDef {
  const Cell* cells = nullptr;  // or, when null, the cells of `rect`
  size_t count = 0;             // of `cells`
  Rect rect;                    // inside the map; read when `cells` is null
  uint8_t terrain = '@';        // what its cells are while it is present
  const char* name = "";        // to find it by; at most 31 bytes, no two the same unless ""
  bool present = true;          // from the beginning; false for a door that stands open
};
using ObstacleId = uint32_t;  // from 1 on, in the order of adding; never used again

class EditLog;

// The cells: terrain ids, optional weights, and the relation to the world. Read and edited by the
// Engine's owner; edits are seen by readers after Engine::commit(). Each edit costs what it
// touches. A Fault is bad_argument or out_of_memory, and nothing has changed then. Owned by an
// Engine. docs/worlds.md.
class OCTILE_API Map {
 public:
  Map(const Map&) = delete;
  Map& operator=(const Map&) = delete;

  // As MapDef told them, in cells; 0 and 0 before Engine::reset().
  int32_t width() const noexcept;
  int32_t height() const noexcept;
  // Coordinates of the first cell of the first row.
  Cell first_cell() const noexcept;
  // What the map was made of.
  const MapDef& definition() const noexcept;
  // Whether the cell lies inside the map.
  bool contains(Cell cell) const noexcept;
  // Counts the commits that had edits, and goes on over reset() and load(), so that no number names
  // two states; 0 before the first.
  uint64_t version() const noexcept;

  // The present state, edits that are not committed yet included. Outside: 0.
  uint8_t terrain(Cell cell) const noexcept;
  uint16_t weight(Cell cell) const noexcept;

  // Edits of one cell. Weights: 0 to 65,535, of a map that keeps them (MapDef::weights).
  Fault set_terrain(Cell cell, uint8_t terrain) noexcept;
  Fault set_weight(Cell cell, uint16_t weight) noexcept;
  // Rectangles must lie inside the map; an empty one changes nothing.
  Fault fill(Rect rect, uint8_t terrain) noexcept;
  Fault fill_weight(Rect rect, uint16_t weight) noexcept;
  // Copies rect.width x rect.height values, row by row, `stride` values from row to row.
  Fault stamp(Rect rect, const uint8_t* terrain, size_t stride) noexcept;
  Fault stamp_weight(Rect rect, const uint16_t* weight, size_t stride) noexcept;
  // Gives a terrain to those cells of the rectangle whose bit is set: bit i % 8 of byte i / 8 of a
  // row, `stride` bytes from row to row.
  Fault stamp_bits(Rect rect, const uint8_t* bits, size_t stride, uint8_t terrain) noexcept;

  // Streamed maps (MapDef::streamed). Gives the map the tile in which `cell` lies: 64 x 64 values,
  // row by row, `stride` from row to row; those beyond the map's edge are not read. Weights are 1
  // until they are edited. Readers see it after the next commit. Edits of cells that are
  // absent, and obstacles that are present there, fail with not_loaded.
  Fault provide_tile(Cell cell, const uint8_t* terrain, size_t stride) noexcept;
  // Makes a tile absent again. Once no View has it any more, its memory is for the tiles that come
  // next; to the system it goes back with the last View of the map. What was edited there is lost:
  // read it before with terrain() and weight(). bad_argument while an obstacle lies there.
  Fault release_tile(Cell cell) noexcept;
  bool loaded(Cell cell) const noexcept;   // false: outside, or in a tile that is absent
  uint32_t absent_tiles() const noexcept;  // how many there are

  // Obstacles. The edits above change the ground, which shows only where no obstacle lies;
  // terrain() gives what shows. Costs the cells of the obstacle.
  Fault add_obstacle(const ObstacleDef& definition, ObstacleId* id) noexcept;
  // Puts it on the map or takes it away; a door is opened by false.
  Fault set_obstacle(ObstacleId id, bool present) noexcept;
  Fault remove_obstacle(ObstacleId id) noexcept;
  bool obstacle_present(ObstacleId id) const noexcept;        // false when there is none of that id
  ObstacleId find_obstacle(const char* name) const noexcept;  // 0 when there is none
  uint8_t ground(Cell cell) const noexcept;  // the terrain below all obstacles; outside: 0

  // From now on writes every edit, and every commit that publishes some, into the log, which is
  // emptied first; null ends that, and so do Engine::reset(), Engine::load() and the end of the
  // log.
  Fault record(EditLog* log) noexcept;

  // Writes the present cells into a file for Engine::load(), in the layout of the tiles in memory:
  // terrains as they show (obstacles become ground) and weights. The file takes its place when it
  // is complete. Needs as much memory again as the file has bytes. bad_argument when the file
  // cannot be written, not_loaded while tiles are absent.
  Fault save(const char* path) const noexcept;

  // World to cell by floor, so that negative coordinates are right. Points too far away for 32-bit
  // cells, and NaN, give a cell outside every map.
  Cell cell_at(WorldPoint point) const noexcept;
  WorldPoint center(Cell cell) const noexcept;

  struct Impl;

 private:
  friend class Engine;
  Map() noexcept = default;
  Impl* impl_ = nullptr;
};

// What was done to a Map: a run of bytes, the same on every machine. Replayed by Engine::replay()
// on a map in the state in which recording began, it gives the same cells and as many versions.
class OCTILE_API EditLog {
 public:
  EditLog() noexcept = default;
  ~EditLog();
  EditLog(const EditLog&) = delete;
  EditLog& operator=(const EditLog&) = delete;

  const uint8_t* data() const noexcept;  // valid until the log is written to; null when empty
  size_t size() const noexcept;          // in bytes
  // Copies bytes that a log had; recording ends. They are looked at by replay() alone.
  Fault assign(const void* data, size_t size) noexcept;
  // To and from a file of just these bytes. Faults: bad_argument when the file cannot be written or
  // read, out_of_memory.
  Fault save(const char* path) const noexcept;
  Fault load(const char* path) noexcept;

  struct Impl;

 private:
  friend class Map;
  friend class Engine;
  Impl* impl_ = nullptr;
};

}  // namespace octile
