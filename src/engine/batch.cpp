// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Batches. 1. Queries that a field can serve are sorted by goal and by start; groups that are large
// enough get a field. 2. Threads take groups, then runs of single queries, one after the other;
// every answer goes to its own place. 3. The fields go into the cache in the order of the groups.
//
// A field that ends early and a whole one give the same path: all cheapest ways of what it reaches
// lie inside it. So it does not matter which of them the cache happens to hold.

#include <algorithm>
#include <atomic>
#include <new>
#include <utility>

#include "base/platform.hpp"
#include "engine/field_face.hpp"
#include "octile/batch.hpp"
#include "search/canonical.hpp"
#include "search/path.hpp"

namespace octile {

namespace {

constexpr size_t kTaken = 16;  // single queries taken at once

// A query that shares one of its ends.
struct Shared {
  Cell end;
  uint32_t query;
};
bool by_end(const Shared& a, const Shared& b) noexcept {
  if (a.end.y != b.end.y) return a.end.y < b.end.y;
  return a.end.x != b.end.x ? a.end.x < b.end.x : a.query < b.query;
}

// Queries `first` to `first + count` of the sorted list, and the field to their common end.
struct Group {
  size_t first, count;
  Cell end;
  bool backwards;  // the common end is the start
  size_t kept;     // the place of its field in the cache, or SIZE_MAX
};

// What the goal of the query before was; mostly the next one is the same.
struct LastGoal {
  Cell cell{INT32_MIN, INT32_MIN};
  uint32_t component = View::kNoComponent;
};

// Only one way is wanted, and nothing else.
bool simple(const View& view, const Query& q, LastGoal* last) noexcept {
  if (q.solver != kAuto || view.absent_tiles() || q.goals || q.goal_count ||
      q.output != Output::cells || q.smooth || q.goal_cover || q.trace || q.cancel ||
      q.max_expansions || q.max_cost != kWall || q.extra_blocked_count || q.extra_cost_count ||
      q.extra_blocked || q.extra_costs || q.snap_radius < 0 || q.start == q.goal)
    return false;
  if (q.goal != last->cell) *last = {q.goal, view.component(q.goal)};
  return last->component != View::kNoComponent && view.component(q.start) == last->component;
}

// So many queries with a common end are worth a field: those that take about as long. Searches by
// jumps take a tenth to an eightieth of a field, in noise a fifth, all others an eighth; a path
// from labels takes about as long as hundreds of cells of one.
constexpr size_t kFewest = 8;
size_t worth_a_field(const View& view, Cell end) noexcept {
  const WorldView& world = view.impl()->world;
  const Index::Impl* index = view.impl()->index;
  if (index && index->info.kind >= IndexKind::subgoal_labels &&
      index->info.kind <= IndexKind::tile_labels) {
    const uint64_t cells = uint64_t(world.map.grid.width) * uint64_t(world.map.grid.height);
    return static_cast<size_t>(kFewest + cells / 128);
  }
  const bool jumps = view.uniform() && has_jump_points(world.profile);
  return jumps && !world.layer.crowded(world.map.grid.id(end)) ? 2 * kFewest : kFewest;
}

}  // namespace

struct Batch::Impl {
  struct Worker {
    Searcher searcher;
    FieldMaker maker;
    Buffer<Cell> stops, trail;
    Buffer<uint32_t> owner, mark, first;
    uint32_t marked = 0;  // no mark is above
  };
  // A field to one cell; `used` is the number of the last call that asked for it, and entries of
  // one call stand in the order of its groups.
  struct Kept {
    Field field;
    Cell end;
    uint64_t used = 0;
    uint64_t order = 0;
  };

  // Of one call, by all threads: the fields they built, and the bytes of those that may stay.
  struct Work {
    std::atomic<size_t> built{0}, bytes{0};
  };

  // Grown to what a call needs; new[] and delete[], since these do not move.
  Worker* worker = nullptr;
  unsigned workers = 0;
  Kept* kept = nullptr;
  size_t kept_count = 0, kept_room = 0;
  Field* fresh = nullptr;  // by group
  size_t fresh_room = 0;
  uint64_t calls = 0;

  Buffer<Shared> goals, starts;
  Buffer<Shared> members;
  Buffer<Group> groups;
  Buffer<uint32_t> singles;
  Buffer<uint8_t> grouped;

  ~Impl() {
    delete[] worker;
    delete[] kept;
    delete[] fresh;
  }
  bool hire(unsigned n, size_t fields) noexcept {
    if (fields > fresh_room) {
      Field* more = new (std::nothrow) Field[fields];
      if (!more) return false;
      delete[] fresh;
      fresh = more;
      fresh_room = fields;
    }
    if (n <= workers) return true;
    Worker* more = new (std::nothrow) Worker[n];
    if (!more) return false;
    delete[] worker;
    worker = more;
    workers = n;
    return true;
  }

  // The queries that have companions enough.
  bool group(const View& view, Buffer<Shared>* list, bool backwards) noexcept {
    if (!std::is_sorted(list->begin(), list->end(), by_end))
      std::sort(list->begin(), list->end(), by_end);
    for (size_t i = 0; i < list->size();) {
      size_t k = i;
      while (k < list->size() && (*list)[k].end == (*list)[i].end) ++k;
      if (k - i >= kFewest && k - i >= worth_a_field(view, (*list)[i].end)) {
        if (!groups.push({members.size(), k - i, (*list)[i].end, backwards, SIZE_MAX}))
          return false;
        for (; i < k; ++i) {
          grouped[(*list)[i].query] = 1;
          if (!members.push((*list)[i])) return false;
        }
      }
      i = k;
    }
    return true;
  }
  bool plan(const View& view, const Query* queries, size_t count) noexcept {
    goals.clear();
    starts.clear();
    members.clear();
    groups.clear();
    singles.clear();
    if (!grouped.assign(count, 0)) return false;
    LastGoal last;
    for (size_t i = 0; i < count; ++i)
      if (simple(view, queries[i], &last) &&
          !goals.push({queries[i].goal, static_cast<uint32_t>(i)}))
        return false;
    if (!group(view, &goals, false)) return false;
    // Ways lead back as well as forth where entering any cell costs the same.
    if (view.uniform()) {
      for (const Shared& s : goals)
        if (!grouped[s.query] && !starts.push({queries[s.query].start, s.query})) return false;
      if (!group(view, &starts, true)) return false;
    }
    for (size_t i = 0; i < count; ++i)
      if (!grouped[i] && !singles.push(static_cast<uint32_t>(i))) return false;
    return true;
  }

  // A kept field serves one group of a call: its thread brings it to the present View. Those of
  // other maps and profiles wait for theirs.
  void look_up(const View& view) noexcept {
    for (size_t g = 0; g < groups.size(); ++g) {
      for (size_t i = 0; i < kept_count && groups[g].kept == SIZE_MAX; ++i) {
        if (kept[i].end != groups[g].end || kept[i].used == calls) continue;
        if (!same_ground(kept[i].field.view().impl()->world, view.impl()->world)) continue;
        groups[g].kept = i;
        kept[i].used = calls;
        kept[i].order = g;
      }
    }
  }
  // The fields of this call, then those of earlier ones, as far as there is room.
  void keep(size_t most) noexcept {
    size_t wanted = kept_count;
    for (const Group& g : groups) wanted += g.kept == SIZE_MAX;
    if (most != 0 && wanted > kept_room) {
      Kept* more = new (std::nothrow) Kept[wanted];
      if (!more) return;  // then nothing new is kept
      for (size_t i = 0; i < kept_count; ++i) std::swap(more[i], kept[i]);
      delete[] kept;
      kept = more;
      kept_room = wanted;
    }
    for (size_t g = 0; g < groups.size() && most != 0; ++g) {
      if (groups[g].kept != SIZE_MAX || fresh[g].empty()) continue;
      Kept& to = kept[kept_count++];
      to.field = std::move(fresh[g]);
      to.end = groups[g].end;
      to.used = calls;
      to.order = g;
    }
    std::sort(kept, kept + kept_count, [](const Kept& a, const Kept& b) {
      return a.used != b.used ? a.used > b.used : a.order < b.order;
    });
    size_t bytes = 0, stay = 0;
    while (stay < kept_count && bytes + kept[stay].field.memory_bytes() <= most)
      bytes += kept[stay++].field.memory_bytes();
    for (size_t i = stay; i < kept_count; ++i) kept[i].field = Field();
    kept_count = stay;
    for (size_t g = 0; g < groups.size(); ++g) fresh[g] = Field();
  }

  // All paths of a group; false: memory is short.
  bool answer(Worker& by, size_t which, const View& view, const Query* queries, size_t most,
              Path* paths, Work* work) noexcept {
    const Group& g = groups[which];
    const Shared* member = members.data() + g.first;
    Field passing;
    Field* field = g.kept == SIZE_MAX ? &passing : &kept[g.kept].field;
    const bool whole = work->bytes.load(std::memory_order_relaxed) < most;
    Fault fault;
    FieldUpdate how = FieldUpdate::rebuilt;
    if (g.kept != SIZE_MAX) {
      fault = by.maker.update(view, field, &how);
    } else {
      FieldQuery query;
      query.goals = &g.end;
      query.goal_count = 1;
      by.stops.clear();
      for (size_t i = 0; i < g.count && !whole; ++i) {
        const Query& q = queries[member[i].query];
        if (!by.stops.push(g.backwards ? q.goal : q.start)) return false;
      }
      query.stops = whole ? nullptr : by.stops.data();
      query.stop_count = by.stops.size();
      fault = by.maker.build(view, query, field);
    }
    if (fault.status == Status::out_of_memory) return false;
    if (how == FieldUpdate::rebuilt) work->built.fetch_add(1, std::memory_order_relaxed);
    if (!fault && view.uniform()) {
      if (!go_down(by, view, g, queries, *field, paths)) return false;
    } else {
      for (size_t i = 0; i < g.count; ++i) {
        const Query& q = queries[member[i].query];
        // Sums too large for a whole field may fit one way.
        if (fault) {
          find(by.searcher, view, q, paths[member[i].query]);
        } else {
          field->path(q.start, paths[member[i].query]);
        }
      }
    }
    const size_t bytes = passing.memory_bytes();
    if (whole && work->bytes.fetch_add(bytes, std::memory_order_relaxed) + bytes <= most)
      fresh[which] = std::move(passing);
    else
      by.maker.impl()->reuse(&passing);
    return true;
  }

  // The paths of a group on a uniform map. Where one meets an earlier one it is that one from there
  // on, so every cell is asked for its direction once.
  bool go_down(Worker& by, const View& view, const Group& g, const Query* queries,
               const Field& field, Path* paths) noexcept {
    const WorldView& world = view.impl()->world;
    const TileGrid& grid = world.map.grid;
    const FieldTable& table = field.impl()->table;
    const Shared* member = members.data() + g.first;
    // The cells of all paths that no earlier one had, and whose they are; by place the one of them
    // that lies there, counted from 1; by path its first one.
    Buffer<Cell>& trail = by.trail;
    Buffer<uint32_t>&owner = by.owner, &mark = by.mark, &first = by.first;
    trail.clear();
    owner.clear();
    const uint8_t* const moves = by.maker.impl()->moves_of(view, table);
    if (!moves || !first.resize(g.count)) return false;
    // The next group counts on, so that marks need not be taken away.
    if (mark.size() < table.places() || by.marked > UINT32_MAX - table.places()) {
      if (!mark.assign(table.places(), 0)) return false;
      by.marked = 0;
    }
    const uint32_t earlier = by.marked;
    uint32_t step[8];
    for (uint32_t d = 0; d < 8; ++d) step[d] = static_cast<uint32_t>(table.step(d));
    for (size_t i = 0; i < g.count; ++i) {
      const Query& q = queries[member[i].query];
      Path& path = paths[member[i].query];
      const Cell start = g.backwards ? q.goal : q.start;
      first[i] = static_cast<uint32_t>(trail.size());
      const Cell* rest = nullptr;
      size_t rest_count = 0;
      uint32_t place = table.place(grid, grid.id(start));
      // Ways go straight on mostly: a guess that the processor takes before it has compared.
      uint32_t last = 8, ahead = 0;
      Cell side;
      for (Cell at = start;;) {
        uint32_t& here = mark[place];
        if (here > earlier) {
          const uint32_t cell = here - 1 - earlier, other = owner[cell];
          const Path& met = paths[member[other].query];
          const size_t from = cell - first[other];
          rest = met.cells() + from;
          rest_count = met.size() - from;
          break;
        }
        if (!trail.push(at) || !owner.push(static_cast<uint32_t>(i))) return false;
        here = by.marked = earlier + static_cast<uint32_t>(trail.size());
        const uint32_t on = table.nearer(place, moves[place]);
        if (!on) break;  // the goal
        const auto d = static_cast<uint32_t>(__builtin_ctz(on));
        if (__builtin_expect(d != last, 0)) {
          last = d;
          ahead = step[d];
          side = {kDx[d], kDy[d]};
        }
        at = {at.x + side.x, at.y + side.y};
        place += ahead;
      }
      const Cell* own = trail.data() + first[i];
      const size_t own_count = trail.size() - first[i];
      const size_t count = own_count + rest_count;
      Cell* cells = path.resize(count);
      if (!cells) return false;
      std::copy(own, own + own_count, cells);
      std::copy(rest, rest + rest_count, cells + own_count);
      // So many steps of this sum: all straight, and those that cost more by a diagonal's excess.
      const StepCosts length = world.costs.steps;
      const Cost steps = count - 1, excess = length.diagonal - length.straight;
      const Cost more = field.distance_units(start) - steps * length.straight;
      const Cost diagonal = excess ? more / excess : 0;
      put_cost(world.costs, steps - diagonal, diagonal, &path);
      path.status = Status::found;
      path.message = "";
      path.bound = 1;
      path.version = world.map.version;
      path.goal_index = 0;
      path.expanded = path.generated = 0;
      path.solver = kAuto;
    }
    for (size_t i = 0; i < g.count && g.backwards; ++i) {
      Path& path = paths[member[i].query];
      Cell* cells = path.resize(path.size());
      std::reverse(cells, cells + path.size());
    }
    return true;
  }
};

Batch::~Batch() {
  delete impl_;
}

void Batch::clear() noexcept {
  delete impl_;
  impl_ = nullptr;
}

size_t Batch::memory_bytes() const noexcept {
  if (!impl_) return 0;
  size_t sum = sizeof(Impl) + impl_->goals.bytes() + impl_->starts.bytes() +
               impl_->members.bytes() + impl_->groups.bytes() + impl_->singles.bytes() +
               impl_->grouped.bytes();
  for (unsigned i = 0; i < impl_->workers; ++i)
    sum += sizeof(Impl::Worker) + impl_->worker[i].searcher.memory_bytes() +
           impl_->worker[i].maker.memory_bytes() + impl_->worker[i].stops.bytes() +
           impl_->worker[i].trail.bytes() + impl_->worker[i].owner.bytes() +
           impl_->worker[i].mark.bytes() + impl_->worker[i].first.bytes();
  for (size_t i = 0; i < impl_->kept_count; ++i) sum += impl_->kept[i].field.memory_bytes();
  return sum + impl_->kept_room * sizeof(Impl::Kept) + impl_->fresh_room * sizeof(Field);
}

Fault Batch::run(const View& view, const Query* queries, size_t count, const BatchOptions& options,
                 Path* paths, BatchCounts* counts) noexcept {
  if (counts) *counts = BatchCounts();
  if (view.empty()) return fault(Status::bad_argument, "the view is empty: commit first");
  if (options.threads < 1 || options.threads > kMostThreads)
    return fault(Status::bad_argument, "threads must be 1 to 64");
  if (count == 0) return {};
  if (!queries || !paths) return fault(Status::bad_argument, "a batch needs queries and paths");
  if (count > UINT32_MAX / 2) return fault(Status::bad_argument, "too many queries");
  const Fault no_memory = no_memory_for("the batch");
  if (!impl_) impl_ = new (std::nothrow) Impl;
  if (!impl_) return no_memory;
  Impl& own = *impl_;
  // 1. Who is answered how.
  if (!own.plan(view, queries, count)) return no_memory;
  const size_t runs = (own.singles.size() + kTaken - 1) / kTaken, tasks = own.groups.size() + runs;
  const auto threads =
      static_cast<unsigned>(tasks < options.threads ? tasks : size_t{options.threads});
  if (!own.hire(threads, own.groups.size())) return no_memory;
  ++own.calls;
  own.look_up(view);
  // 2. The answers.
  Impl::Work done;
  std::atomic<size_t> next{0};
  std::atomic<bool> failed{false};
  auto work = [&](unsigned part) {
    Impl::Worker& by = own.worker[part];
    for (size_t task; (task = next.fetch_add(1, std::memory_order_relaxed)) < tasks;) {
      if (task < own.groups.size()) {
        if (!own.answer(by, task, view, queries, options.cache_bytes, paths, &done))
          failed.store(true, std::memory_order_relaxed);
        continue;
      }
      const size_t first = (task - own.groups.size()) * kTaken;
      const size_t end = std::min(first + kTaken, own.singles.size());
      for (size_t i = first; i < end; ++i)
        find(by.searcher, view, queries[own.singles[i]], paths[own.singles[i]]);
    }
  };
  run_parallel(threads, work);
  // 3. What stays.
  if (counts) {
    counts->by_search = own.singles.size();
    counts->by_field = count - own.singles.size();
    counts->fields_built = done.built.load();
    counts->fields_kept = own.groups.size() - counts->fields_built;
  }
  own.keep(options.cache_bytes);
  return failed.load() ? no_memory : Fault();
}

}  // namespace octile
