// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Octile: exact, deterministic path finding on grids. With world.hpp, which it includes, this is
// the C++ face for one unit; fields.hpp, batch.hpp, groups.hpp and agents.hpp are for many, and
// graph.hpp is for graphs of your own.
//
//   Engine ── owns ──> Map (edited by one writer) and Profiles
//      │ commit()                   publishes what changed
//      │ adopt(index)               optional: cheapest paths without any search
//      v
//    View ── immutable ──> find(searcher, view, query, path)
//
// An Engine holds one Map and any number of Profiles (who walks). Edits collect in the Map and
// become visible by commit(); view() then hands out an immutable View of that state for one
// Profile. Every query is a pure function of (View, Query): same answer, path included, on every
// machine and thread. A Searcher is the reusable workspace of one thread; a Path is the answer and
// is reused by the caller as well. Once both are warm, a query allocates nothing,
// but for what Views make once for all their readers: portals, what commits have worn out, and
// tiles of repaired labels.
//
// Units: cells are integers, x to the right, y downwards; the first cell of the map has the
// coordinates MapDef::first_cell. Costs are in straight steps (multiplied by the weight of the cell
// entered), under Metric::ten_fourteen in tens; a four-way step costs 1 under every metric. The
// world is in the user's units: cell (x, y) covers origin + (x, y) * cell_size to origin + (x + 1,
// y + 1) * cell_size.
//
// Errors: nothing throws, prints or aborts. Functions that can fail return a Fault, which is true
// when something went wrong; the object is then unchanged, unless it says otherwise. Queries put a
// Status into the Path.
//
// Threads: an Engine and its Map belong to one thread at a time (the writer). Views are read by any
// number of threads, while the writer edits. A Searcher, a Path and a Trace belong to one thread.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "octile/world.hpp"

namespace octile {

// ---------------------------------------------------------------------------------------------
// Views

class Index;

// What a View holds, in bytes; tiles that Views share are counted in each.
struct LayerMemory {
  size_t map_bytes = 0;    // terrain and weights
  size_t layer_bytes = 0;  // what the Profile adds
};

// One committed state of the map, as one Profile sees it. A counted handle to something immutable:
// copy it freely, to other threads too. An empty View answers every query with bad_argument.
class OCTILE_API View {
 public:
  View() noexcept = default;
  View(const View& other) noexcept;
  View(View&& other) noexcept;
  View& operator=(const View& other) noexcept;
  View& operator=(View&& other) noexcept;
  ~View();

  bool empty() const noexcept { return impl_ == nullptr; }  // true: it views nothing
  // The size of the map in cells; 0 and 0 when the View is empty.
  int32_t width() const noexcept;
  int32_t height() const noexcept;
  // Coordinates of the first cell of the first row.
  Cell first_cell() const noexcept;
  uint64_t version() const noexcept;  // the Map's version at commit()
  // The version that changed the tile of 64 x 64 cells last in which the cell lies (tiles count
  // from first_cell); outside: 0.
  uint64_t tile_version(Cell cell) const noexcept;
  // False in tiles that are absent (MapDef::streamed), and outside. All else that a View tells of
  // such cells is what they are taken for.
  bool loaded(Cell cell) const noexcept;
  uint32_t absent_tiles() const noexcept;         // how many there are
  const Profile& profile() const noexcept;        // who walks; of an empty View the default
  const MapDef& definition() const noexcept;      // what the map was made of
  bool contains(Cell cell) const noexcept;        // whether it lies inside the map
  Cell cell_at(WorldPoint point) const noexcept;  // as Map::cell_at()
  WorldPoint center(Cell cell) const noexcept;    // its world position

  uint8_t terrain(Cell cell) const noexcept;  // outside: 0
  double cost(Cell cell) const noexcept;      // factor of entering the cell; kWall outside
  bool passable(Cell cell) const noexcept;    // false outside
  // The legal moves out of a cell, a bit each: E, SE, S, SW, W, NW, N, NE from bit 0 on.
  uint8_t moves(Cell cell) const noexcept;
  // Two cells are connected when both are passable and these are equal. kNoComponent for walls and
  // outside. The numbers themselves mean nothing and change with edits.
  uint32_t component(Cell cell) const noexcept;
  static constexpr uint32_t kNoComponent = 0xffffffff;  // of walls and cells outside
  // True when all passable cells cost the same, so that the fast solvers apply. Map weights count
  // wherever they stand, under walls too.
  bool uniform() const noexcept;
  // True when the straight line between the two cell centres crosses no wall and cuts no corner
  // that the diagonal policy forbids. Symmetric. False when an end is blocked or outside.
  bool line_of_sight(Cell a, Cell b) const noexcept;
  // The cost of the path between two cells on an empty map with the cheapest terrain present.
  double estimate(Cell a, Cell b) const noexcept;
  LayerMemory memory() const noexcept;  // what this state takes
  // The index that was adopted for this state; empty when there is none.
  Index index() const noexcept;
  // The index of an earlier state, from which some queries are still answered (solver
  // `stale_labels`): until it is of no more use, or another one is adopted.
  Index stale_index() const noexcept;
  // The same state with another index. Fault stale_index when it belongs to another map.
  Fault with_index(const Index& index, View* out) const noexcept;

  struct Impl;
  const Impl* impl() const noexcept { return impl_; }

 private:
  friend class Engine;
  explicit View(const Impl* impl) noexcept;
  const Impl* impl_ = nullptr;
};

// The cells whose terrain or weight is not the same in two Views of one map: fills at most
// `capacity` of them, by y, then x; *count gets how many there are. Costs the tiles that differ.
// Fault bad_argument for empty Views, for maps that differ in size, first cell or in whether they
// have weights, and when `cells` is null but `capacity` is not 0.
OCTILE_API Fault differences(const View& a, const View& b, Cell* cells, size_t capacity,
                             size_t* count) noexcept;

// ---------------------------------------------------------------------------------------------
// Indexes: what is computed once, for queries in less than a microsecond

// What an Index holds. All serve uniform maps with eight moves and no corner cutting. The first
// three, from the least to the most, answer with cheapest paths: the more it holds, the faster. The
// last two are for maps of thousands of cells a side, and are never part of the others: their
// solvers, `portals` and `quadtree`, must be asked for by name, answer with paths within
// Path::bound of the cheapest, and commits keep them: an edit costs the blocks it touched.
enum class IndexKind : uint8_t {
  none,
  subgoal_graph,   // the graph of corners: searched from corner to corner
  subgoal_labels,  // hub labels of the corners: no search, some microseconds
  tile_labels,     // hub labels of all cells, shared by tiles of 8 x 8: below a microsecond
  portals,         // ways between the portals of blocks of 64 x 64 cells
  quadtree,        // the same with blocks of 32 x 32, the free ones merged up to 512 x 512
};
OCTILE_API const char* name(IndexKind kind) noexcept;  // "none", "subgoal_graph", ...

// What build_index() makes, and how much it may take.
struct IndexOptions {
  IndexKind most = IndexKind::tile_labels;  // build this, or less when the budget asks for it
  // Of the finished labels, or portals; the build itself takes more. The graph and the bit maps
  // come on top, and are made whatever they take.
  size_t budget_bytes = size_t{512} << 20;
  uint64_t budget_work = 0;  // label entries that may be made; 0: no limit
  // Of IndexKind::portals: a portal for every 8 cells of a border instead of every 16. Paths and
  // their bound are nearer to the optimum, the index is larger. A quadtree always has that.
  bool high_quality = false;
  unsigned threads = 1;  // 1 to 64, of which 16 are used; same result for all
  // Raised by any thread it ends the build: Fault cancelled.
  const std::atomic<bool>* cancel = nullptr;
  // Told the share that is done, from 0 to 1, by one of the threads that build.
  void (*progress)(void* user, double done) = nullptr;
  void* user = nullptr;
};

// What an Index holds.
struct IndexInfo {
  IndexKind kind = IndexKind::none;  // may be less than was asked for: see `reason`
  size_t bytes = 0;   // all that a query needs, and the size of its file. After an edit there is no
                      // file: what it holds in memory now, which grows with what queries ask for
  int32_t width = 0;  // of the map
  int32_t height = 0;        // of the map
  uint64_t fingerprint = 0;  // of the map as the profile sees it
  uint32_t subgoals = 0;     // corners of walls
  uint32_t hubs = 0;         // with entries
  uint64_t entries = 0;      // of the labels
  uint32_t blocks = 0;       // of portals and quadtree
  uint32_t portals = 0;      // each counted on both of its sides
  char reason[96] = {};      // why it holds less than was asked for; "" when it does not
};

// A counted handle to something immutable: copy it freely, to other threads too.
class OCTILE_API Index {
 public:
  Index() noexcept = default;
  Index(const Index& other) noexcept;
  Index(Index&& other) noexcept;
  Index& operator=(const Index& other) noexcept;
  Index& operator=(Index&& other) noexcept;
  ~Index();

  bool empty() const noexcept { return impl_ == nullptr; }  // true: there is no index in it
  IndexInfo info() const noexcept;                          // of an empty one: kind none
  // True when it was built for just this map, as this View's profile sees it.
  bool belongs_to(const View& view) const noexcept;
  // The bytes of its file, info().bytes of them. Null for portals and a quadtree that a commit has
  // carried over an edit: build_index() makes a file of those, from the blocks they have.
  const void* data() const noexcept;

  struct Impl;
  const Impl* impl() const noexcept { return impl_; }
  // Takes over the caller's reference.
  explicit Index(const Impl* impl) noexcept : impl_(impl) {}

 private:
  const Impl* impl_ = nullptr;
};

// Builds an index in the calling thread (and options.threads - 1 more). The same View gives the
// same bytes, on every machine and for any number of threads. Faults: bad_argument when no index
// serves the View (weights, other move rules, more than 65,535 cells a side), cancelled,
// out_of_memory. Where the budget does not allow what was asked for, or paths are longer than the
// sums of labels, the result holds less and says why; a subgoal graph is built in any case. Of
// portals and the quadtree, which have no less, out_of_memory tells of the budget, too. Source:
// Uras, Koenig and Hernandez 2013 (subgoal graphs); Akiba, Iwata and Yoshida 2013 (labels);
// docs/labels.md.
OCTILE_API Fault build_index(const View& view, const IndexOptions& options, Index* index) noexcept;

// The file takes its place when it is complete: a reader never sees half.
OCTILE_API Fault save_index(const Index& index, const char* path) noexcept;

// How load_index() comes by the bytes of a file.
enum class IndexLoad : uint8_t {
  mapped,   // checked, then used where it lies: nobody may change the file while it is in use
  copied,   // read into memory and checked: later changes of the file do not matter
  trusted,  // mapped, and only its size and head are checked: for files nobody else can write
};
// A file that is truncated, damaged, foreign, of another version or makes no sense is refused with
// the reason. A file made to deceive, with a right checksum, cannot make a query read or write
// where it must not; whether its distances are the shortest nobody can tell without building it.
OCTILE_API Fault load_index(const char* path, IndexLoad how, Index* index) noexcept;
// The same from memory, which is copied and checked.
OCTILE_API Fault read_index(const void* data, size_t size, Index* index) noexcept;

// What an index of portals or a quadtree is made of, for pictures: the blocks, merged ones as one
// square, cut off at the map's edge; and the cells of all portals. At most `capacity` are written;
// gives how many there are, 0 for other Views. Blocks that an edit took away and no query has built
// yet have no portals.
OCTILE_API size_t index_leaves(const View& view, Rect* out, size_t capacity) noexcept;
OCTILE_API size_t index_portals(const View& view, Cell* out, size_t capacity) noexcept;
// The same of the kinds subgoal_graph and subgoal_labels, repaired ones too: the corners between
// which they know the way, by y, then x.
OCTILE_API size_t index_subgoals(const View& view, Cell* out, size_t capacity) noexcept;
// Of subgoal_labels, in the same order: each corner's rank as a hub, all different, 0 the most
// important one. Labels that were repaired keep ranks for corners that are gone.
OCTILE_API size_t index_hub_ranks(const View& view, uint32_t* out, size_t capacity) noexcept;

// Where the time of a commit went, of all Profiles together, in microseconds.
struct CommitTimes {
  double masks_us = 0;       // passability, stop-bits and masks of moves
  double components_us = 0;  // of free cells
  double pockets_us = 0;     // dead pockets
  double rest_us = 0;        // all else, such as indexes; of the first commit all is here
};

// Owns the Map and the Profiles and makes Views. Not thread-safe: one writer.
class OCTILE_API Engine {
 public:
  Engine() noexcept;
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Starts a new map. Views of the old one stay valid; Profiles are kept. Call commit() next.
  Fault reset(const MapDef& definition) noexcept;
  // The same with terrains: `height` rows of `width` values, `stride` values from row to row.
  Fault reset(const MapDef& definition, const uint8_t* terrain, size_t stride) noexcept;
  // The same with a file that Map::save() wrote, which is mapped into memory and must stay as it is
  // as long as the map or a View of it lives (a save to the same path is safe: it makes a new
  // file). Costs a look at each byte. bad_argument when the file cannot be read, is damaged or of
  // another version; the old map stays then. docs/file_formats.md.
  Fault load(const char* path) noexcept;
  // The map, to be edited and looked at; the same object as long as the Engine lives.
  Map& map() noexcept;
  const Map& map() const noexcept;

  // Profiles may come before or after the first commit; one that comes after it is built at once.
  Fault add_profile(const Profile& profile, ProfileId* id) noexcept;
  // Views of it stay valid. bad_argument when there is none of that id.
  Fault remove_profile(ProfileId id) noexcept;

  // Publishes all edits since the last one, for all Profiles; costs what changed. On a Fault the
  // edits stay pending and the old Views stay current.
  Fault commit() noexcept;
  // The same, and tells where the time went.
  Fault commit(CommitTimes* times) noexcept;

  // Does to the map what the log says, commits included; edits that are pending go into the first
  // of them. Fault bad_argument when the log is damaged or of another map, which its checksum and
  // its head tell: nothing is done. That the map is in the state in which recording began is the
  // caller's to see to; where an edit does not fit (bad_argument), what came before it is done.
  Fault replay(const EditLog& log) noexcept;

  // The last committed state for one Profile; empty when there is none.
  View view(ProfileId id) const noexcept;

  // Gives the profile's View an index from the next view() on. Fault stale_index when it belongs to
  // another map. Ends View::stale_index. After commits that change the map, queries are answered
  // from tile labels where it can be told that they are still right (View::stale_index), and
  // subgoal kinds are put aside. Portals and quadtree stay: they forget the blocks that an edit
  // touched, and the first query that needs one builds it.
  Fault adopt(ProfileId id, const Index& index) noexcept;

  // From now on each commit repairs these labels and gives them to the profile's next View, where
  // that would be without an index: so queries are answered without a search again, in some
  // microseconds. `index` is of the kind subgoal_labels, was built for the profile's present View,
  // and is adopted at once when the View has no index, beside one that is stale. A commit takes as
  // long as the repair: below two milliseconds for most doors on maps of 512 x 512, single ones
  // take ten times as long; and a repair whose work passes a cap is given up for labelling
  // anew from the hub at hand on, in the same order (docs/worlds.md). The labels grow a little with
  // every edit, since the order of their hubs ages.
  // With `renew` call adopt_finished() between ticks. A repair is then given up at half of that
  // cap, and one of edits that span more than 128 cells is not tried in the commit at all: a thread
  // of its own repairs, or labels everything anew; Views are without these labels until
  // adopt_finished() takes them over, with what was edited meanwhile. And a commit after which the
  // labels have grown by three tenths starts a build of new ones, if none runs (start_build()).
  // They are forgotten for an empty index, when the map gets weights, when memory is short in
  // commit(), and when edits have made them more than four times as long as they were built, and 64
  // entries a subgoal; with `renew` new ones are built then. Needs 5 bytes a cell and about 24 an
  // entry beside what Views hold.
  Fault repair_labels(ProfileId id, const Index& index, bool renew = false) noexcept;

  // Builds an index for the profile's present View in a thread of its own, one at a time; a second
  // call ends the first build. `options.cancel` and `options.user` must live until then. Where
  // there are no threads the build is done at once.
  Fault start_build(ProfileId id, const IndexOptions& options) noexcept;
  // True from start_build() until adopt_finished() or stop_build(), and while labels are made anew
  // beside commits (repair_labels()).
  bool building() const noexcept;
  // To be called between ticks: true in *adopted when a finished build was taken over, or labels
  // that a thread has repaired or made anew; View::index() tells which are there. When edits
  // have changed the map since the build began, tile labels become View::stale_index(), if they can
  // still be of use; labels of subgoals are repaired up to the present state, if commits repair
  // labels for the profile; all else is dropped: Fault stale_index. Other Faults are those of
  // build_index(). Looks at `options.cancel` as well.
  Fault adopt_finished(bool* adopted) noexcept;
  void stop_build() noexcept;  // ends a build, waits for its thread, and drops what it made

 private:
  struct Impl;
  Fault begin(const Fault& made, Map& fresh) noexcept;  // with a new map, if that could be made
  Impl* impl_ = nullptr;
  Map map_;
};

// ---------------------------------------------------------------------------------------------
// Queries

// What Path::cells() holds.
enum class Output : uint8_t {
  cells,      // every cell of the path
  waypoints,  // the cells where the direction changes, and both ends
};

// A cell that costs more in one query: Query::extra_costs.
struct ExtraCost {
  Cell cell;  // which
  // Added to the cost factor of entering the cell: 0 to 4,294,967,295 with at most three decimals.
  double cost = 1;
};

// Records what a search does, for pictures and teaching. Empty it with clear(). Recording slows
// the search down, and an allocation that fails ends the record, not the search.
class OCTILE_API Trace {
 public:
  // What happened to a node: put into the open list (again, when a cheaper way was found), or taken
  // out of it.
  enum class Kind : uint8_t { opened, closed };
  // One thing that a search did.
  struct Event {
    Cell cell;                 // where; of jump points and corners, theirs alone
    double g = 0;              // cost from the start, in the units of Path::cost
    Kind kind = Kind::opened;  // what
  };
  Trace() noexcept = default;
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;
  const Event* events() const noexcept { return events_; }  // in the order of the search
  size_t size() const noexcept { return size_; }            // how many there are
  bool complete() const noexcept { return complete_; }      // false: memory was short
  void clear() noexcept;                                    // keeps the memory for the next search
  void add(const Event& event) noexcept;                    // for the solvers

 private:
  Event* events_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
  bool complete_ = true;
};

// Names a solver: its place in the list that solver_info() tells, the same in one version of
// Octile.
using SolverId = int32_t;
constexpr SolverId kAuto = 0;  // whoever is fastest for the View and the Query, always exact

// What is asked: from where, to where, and under which conditions. A plain value, checked by
// find(); arrays are read, never kept.
struct Query {
  Cell start;  // where the unit stands
  Cell goal;   // where it shall go; not read when `goals` are given
  // A goal set instead of `goal`: the cheapest to reach wins, among equals the first of the list.
  const Cell* goals = nullptr;
  size_t goal_count = 0;

  SolverId solver = kAuto;        // who answers; one that does not serve the query names another
  Output output = Output::cells;  // what Path::cells() shall hold
  bool smooth = false;  // pull the waypoints tight along free lines (uniform maps; the cost stays
                        // that of the grid path); asks for Output::waypoints

  // Take the nearest free cell (by empty-grid distance, then y, then x) when the cell given is a
  // wall.
  bool snap_start = false;
  bool snap_goal = false;
  int32_t snap_radius = 64;  // at most this many cells away in x and in y

  // For units larger than a cell: a goal is reached where the unit covers it, wherever its anchor
  // stands. Costs up to twice the sides of the unit in goals, for each goal given.
  bool goal_cover = false;
  // A unit that stands where it cannot stand, pushed there or walled in, may leave: each step keeps
  // to the blocked cells that it covers already (those outside the map count), until it covers
  // none. Such a step pays for the dearest free cell under the unit, or as the cheapest cell of the
  // map when there is none; the diagonal policy asks whether the places beside it could be entered
  // so. Answered cell by cell. Goes before snap_start.
  bool escape_start = false;

  // When there is no path, go to the reached cell that is nearest to the goal by the empty-grid
  // distance; then the cheapest to reach; then by y, x. When a limit ends the search, the status is
  // limit_reached and the path leads to the nearest of the cells that the solver looked at.
  bool allow_partial = false;
  // 0: no limit. Until a way is found: then the search goes on until it knows the best.
  uint64_t max_expansions = 0;
  double max_cost = __builtin_huge_val();     // paths above this cost end with
                                              // limit_reached
  const std::atomic<bool>* cancel = nullptr;  // looked at every 1,024 expansions

  // An overlay, for this query alone: cells that are walls, and cells that cost more. Both lists
  // are of cells, whatever the unit's size; they may name a cell twice (costs add up) and cells
  // outside the map or in walls (which change nothing). Answers are those of a map edited so. A
  // path by labels is given where the overlay leaves it as it is; else a search is made, which
  // costs one or two microseconds for each tile of 64 x 64 cells that it touches. Blocked cells
  // leave all solvers as fast as they are; extra costs make the map one of weights.
  const Cell* extra_blocked = nullptr;
  size_t extra_blocked_count = 0;
  const ExtraCost* extra_costs = nullptr;
  size_t extra_cost_count = 0;

  // Filled by the solvers that search cell by cell or corner by corner; the judge fills none.
  // Traced queries are answered by a search even where a line or an index could tell, so among
  // paths of the same cost another one may be given.
  Trace* trace = nullptr;
};

// The answer. Reused by the caller; each query replaces all of it.
class OCTILE_API Path {
 public:
  Path() noexcept = default;
  ~Path();
  Path(Path&& other) noexcept;
  Path& operator=(Path&& other) noexcept;
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;

  Status status = Status::bad_argument;  // how the query ended; look at it first
  // "" when found; otherwise one clear line with static lifetime.
  const char* message = "";
  // In straight steps (in tens under ten_fourteen): recomputed from the path's own steps.
  double cost = 0;
  // The same as an exact integer: two paths of one View (and, with extra costs, of the same ones)
  // compare by it without rounding.
  uint64_t cost_units = 0;
  // The cost is at most this many times that of a cheapest path; 1 for exact answers.
  double bound = 1;
  uint64_t version = 0;     // of the View that was asked
  size_t goal_index = 0;    // which goal of the set was reached
  uint64_t expanded = 0;    // nodes taken from the open list
  uint64_t generated = 0;   // nodes put into it
  SolverId solver = kAuto;  // who answered

  // From the start to the goal, both included; with Output::cells neighbours are one step apart.
  // With not_loaded no path, but the tiles that are wanted, by the first cell of each: the absent
  // ones on the way that would be taken if they were open ground, in its order. Provide them (and
  // more, if that is cheap), commit, and ask again: every time fewer tiles are absent, so it ends.
  const Cell* cells() const noexcept { return cells_; }
  size_t size() const noexcept { return size_; }
  // Writes the world positions of the cells' centres to out[0 .. size()).
  void world_points(const View& view, WorldPoint* out) const noexcept;

  void clear() noexcept { size_ = 0; }  // forgets the cells, keeps the memory
  // For those who fill a Path: room for n cells, not initialised; null when memory is short.
  Cell* resize(size_t n) noexcept;

 private:
  Cell* cells_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

// The workspace of one thread. Memory grows with what searches touch and is kept for the next one.
class OCTILE_API Searcher {
 public:
  Searcher() noexcept = default;
  ~Searcher();
  Searcher(Searcher&& other) noexcept;
  Searcher& operator=(Searcher&& other) noexcept;
  Searcher(const Searcher&) = delete;
  Searcher& operator=(const Searcher&) = delete;

  // A query in slices. begin() checks and starts it; step() goes on for about `expansions` nodes
  // and is true when the query has ended and `path` holds the answer. The View is kept alive until
  // then, so edits in between do not disturb it; the arrays that the Query points to must live as
  // long. begin() drops a query that has not ended. The judge and the textbook solvers end in the
  // first step.
  void begin(const View& view, const Query& query, Path& path) noexcept;
  bool step(uint64_t expansions, Path& path) noexcept;
  // How the path of a query that has not ended will begin, as far as that is settled: so that a
  // unit may set off while the rest of a long way is searched. True when some of it is known: in
  // `head` then, Status::partial, the cells from the start on. Between calls of step() it only
  // grows, and the answer begins with it. Known by `portals` and `quadtree`, for which it comes
  // after some milliseconds on the largest maps; false with all others, and with Query::smooth.
  bool head(Path& head) noexcept;

  size_t memory_bytes() const noexcept;
  // Gives all memory back.
  void release() noexcept;

  struct Impl;
  Impl* workspace() noexcept;  // for the engine; null when memory is short

 private:
  Impl* impl_ = nullptr;
};

// Answers one query. An answer on a View with absent tiles is right whatever they hold, as long as
// nothing there is cheaper than MapDef::terrain; one that is not sure is not_loaded. (limit_reached
// stays what it is: no way within the limit is known, or can be.) Thread rule: any number of
// threads on one View, each with a Searcher and a Path of its own.
OCTILE_API void find(Searcher& searcher, const View& view, const Query& query, Path& path) noexcept;

// ---------------------------------------------------------------------------------------------
// Distances. With tile labels these take a fraction of a microsecond; without an index each pair is
// a search. Thread rule as for find().

// Cost of a cheapest path, in the units of Path::cost; kWall when there is none, an end is blocked
// or outside, it depends on absent tiles, or memory is short.
OCTILE_API double distance(Searcher& searcher, const View& view, Cell start, Cell goal) noexcept;

// The cell after `start` on the path that find() gives; `start` itself when it is the goal, there
// is no path, it depends on absent tiles, or memory is short.
OCTILE_API Cell first_move(Searcher& searcher, const View& view, Cell start, Cell goal) noexcept;

// Fills out[i * target_count + j] with the distance from sources[i] to targets[j]. Faults:
// bad_argument for an empty View or null arrays, not_loaded, out_of_memory. One to many is a single
// row.
OCTILE_API Fault distances(Searcher& searcher, const View& view, const Cell* sources,
                           size_t source_count, const Cell* targets, size_t target_count,
                           double* out) noexcept;

// ---------------------------------------------------------------------------------------------
// What if

// Two places that shall stay connected, for would_disconnect(). Which is which does not matter.
struct CellPair {
  Cell a;  // one end
  Cell b;  // the other one
};

// Would walls on `cells` cut off what is connected now? Answers as a commit would, without one: a
// tower that seals the way can be refused before it is built.
//
// With pairs: *answer tells whether the ends of one of them are connected now and would not be,
// because an end would be blocked or every way closed; *first, where wanted, gets its place in the
// list, or pair_count. Pairs that are not connected now, or lie outside the map, do not count.
// Without pairs (null, 0): whether a region would be split, that is whether some two places that
// stay free are connected now and would not be. A region that is filled up is not split.
//
// Most answers need no more than the cells around the new walls. Else searches run from all sides
// of them at once until they meet, or all but one have ended: that costs about as much as twice the
// smaller part. Faults: bad_argument (an empty View, null arrays), not_loaded, out_of_memory.
// Thread rule as for find().
OCTILE_API Fault would_disconnect(Searcher& searcher, const View& view, const Cell* cells,
                                  size_t cell_count, const CellPair* pairs, size_t pair_count,
                                  bool* answer, size_t* first = nullptr) noexcept;

// ---------------------------------------------------------------------------------------------
// Solvers

// What is known of a solver. The texts live as long as the program.
struct SolverInfo {
  const char* name = "";       // "auto", "dijkstra", "astar", ...
  const char* summary = "";    // one line
  const char* serves = "";     // which Profiles and queries it takes itself
  const char* otherwise = "";  // the solver that answers in its place else; "" when it takes all
  bool exact = true;           // always a cheapest path
};
OCTILE_API int32_t solver_count() noexcept;  // ids run from 0 (auto) to solver_count() - 1
// Of a number that is no id: all texts are empty.
OCTILE_API const SolverInfo& solver_info(SolverId id) noexcept;
OCTILE_API SolverId solver_id(const char* name) noexcept;  // -1 when there is none of that name

// ---------------------------------------------------------------------------------------------
// Map files. The parsers read memory and never trust it; they change the Engine only on success.

// What parse_map() reads and write_map() writes; docs/file_formats.md.
enum class MapFormat : uint8_t {
  moving_ai,  // "type octile" / height / width / map; letters are terrain ids
  text,       // plain rows: '#' and '@' wall, '.' free, digits weights; other letters as they are
  pgm,        // P2 or P5 grey map: dark (below half) becomes '@', light '.'
};
// Guesses by content. `size` bytes; the Engine gets a new map (uncommitted), all definition fields
// but the size taken from `base`.
OCTILE_API Fault parse_map(const void* data, size_t size, const MapDef& base,
                           Engine& engine) noexcept;
// Writes the map; *length gets the bytes needed, and data is filled only when capacity suffices.
OCTILE_API Fault write_map(const Map& map, MapFormat format, char* data, size_t capacity,
                           size_t* length) noexcept;

// One line of a Moving AI .scen file.
struct ScenQuery {
  int32_t bucket = 0;      // the optimum divided by four, rounded down, in most files
  int32_t map_width = 0;   // in cells, as the file says: larger than the map's where it is scaled
  int32_t map_height = 0;  // likewise
  Cell start;              // counted from the map's top left corner
  Cell goal;               // likewise
  double optimum = 0;      // octile distance, no corner cutting
};
// Fills at most `capacity` entries; *count gets how many there are.
OCTILE_API Fault parse_scen(const void* data, size_t size, ScenQuery* out, size_t capacity,
                            size_t* count) noexcept;

}  // namespace octile
