// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Calls of octile.h in any order, with handles that are alive, dead, of another kind or made up,
// with sizes that are wrong, null pointers, and numbers from everywhere. Whatever comes, a call
// gives a status, writes where it may, and everything can be destroyed in the end. Runs under the
// sanitizers.

#include <cmath>
#include <cstdio>
#include <cstring>

#include "octile/octile.h"
#include "support.hpp"

namespace octile::test {
namespace {

// Handles of one kind: those alive, and the last ones that died.
class Handles {
 public:
  void add(uint64_t value) { alive.push_back(value); }
  void died(uint64_t value) {
    for (size_t i = 0; i < alive.size(); ++i) {
      if (alive[i] != value) continue;
      alive.erase(alive.begin() + static_cast<long>(i));
      dead.push_back(value);
      return;
    }
  }
  std::vector<uint64_t> alive, dead;
};

constexpr int kBuffer = 64;
const char* const kFile = "c_fuzz_test.log";  // where the test runs, while it does

class Fuzz {
 public:
  explicit Fuzz(uint64_t seed) : random_(seed) {}
  ~Fuzz() { std::remove(kFile); }
  Fuzz(const Fuzz&) = delete;
  Fuzz& operator=(const Fuzz&) = delete;

  void run(int calls) {
    for (int i = 0; i < calls && !::testing::Test::HasFailure(); ++i) call();
  }

  void destroy_all() {
    for (int kind = 0; kind < kKinds; ++kind)
      for (const uint64_t value : std::vector<uint64_t>(handles_[kind].alive))
        EXPECT_EQ(destroy(kind, value), OCTILE_FOUND) << "kind " << kind;
  }

  int done = 0, refused = 0;

 private:
  enum Kind {
    kEngine,
    kView,
    kIndex,
    kSearcher,
    kCancel,
    kTrace,
    kLog,
    kField,
    kMaker,
    kBatch,
    kPlanner,
    kPlan,
    kKinds
  };

  bool odd() { return random_.below(40) == 0; }

  // Mostly one that is alive.
  template <class Handle>
  Handle any(Kind kind) {
    Handle handle;
    const Handles* of = &handles_[kind];
    if (odd()) of = &handles_[random_.below(kKinds)];
    if (odd()) {
      handle.value = random_.percent(50) ? 0 : random_.next();
    } else if (odd() && !of->dead.empty()) {
      handle.value = of->dead[size_t(random_.below(int(of->dead.size())))];
    } else {
      handle.value =
          of->alive.empty() ? 0 : of->alive[size_t(random_.below(int(of->alive.size())))];
      // One bit off.
      if (odd()) handle.value ^= uint64_t{1} << random_.below(64);
    }
    return handle;
  }

  template <class T>
  T* maybe(T* pointer) {
    return odd() && random_.percent(50) ? nullptr : pointer;
  }

  int32_t number() {
    switch (random_.below(24)) {
      case 0:
        return INT32_MAX;
      case 1:
        return INT32_MIN;
      case 2:
        return -1;
      default:
        return random_.below(24);
    }
  }
  double real() {
    switch (random_.below(16)) {
      case 0:
        return NAN;
      case 1:
        return -1;
      case 2:
        return HUGE_VAL;
      case 3:
        return 1e300;
      default:
        return random_.below(30);
    }
  }
  uint8_t flag() { return static_cast<uint8_t>(random_.below(6) ? 0 : random_.below(256)); }
  octile_cell cell() { return {number(), number()}; }
  octile_pair pair() { return {cell(), cell()}; }
  octile_rect rect() { return {number(), number(), number(), number()}; }
  size_t count() { return size_t(random_.below(9)); }
  // What the buffers below hold at least.
  size_t capacity() { return size_t(random_.below(kBuffer + 1)); }

  template <class T>
  void spoil_size(T* s) {
    if (odd()) s->size = static_cast<uint32_t>(random_.below(400));
  }
  template <class T>
  void set_size(T* s) {
    std::memset(static_cast<void*>(s), 0, sizeof *s);
    s->size = sizeof *s;
    spoil_size(s);
  }

  void told(int32_t status) {
    EXPECT_GE(status, 0);
    EXPECT_LE(status, OCTILE_BAD_ARGUMENT);
    if (status == OCTILE_FOUND)
      ++done;
    else
      ++refused;
    if (status != OCTILE_FOUND) {
      char text[256];
      EXPECT_LT(octile_message(text, sizeof text), sizeof text);
    }
  }

  template <class Handle>
  void made(Kind kind, int32_t status, const Handle& handle) {
    told(status);
    if (status == OCTILE_FOUND) handles_[kind].add(handle.value);
  }

  int32_t destroy(int kind, uint64_t value) {
    int32_t status = OCTILE_BAD_ARGUMENT;
    switch (kind) {
      case kEngine:
        status = octile_engine_destroy({value});
        break;
      case kView:
        status = octile_view_destroy({value});
        break;
      case kIndex:
        status = octile_index_destroy({value});
        break;
      case kSearcher:
        status = octile_searcher_destroy({value});
        break;
      case kCancel:
        status = octile_cancel_destroy({value});
        break;
      case kTrace:
        status = octile_trace_destroy({value});
        break;
      case kLog:
        status = octile_edit_log_destroy({value});
        break;
      case kField:
        status = octile_field_destroy({value});
        break;
      case kMaker:
        status = octile_field_maker_destroy({value});
        break;
      case kBatch:
        status = octile_batch_destroy({value});
        break;
      case kPlanner:
        status = octile_planner_destroy({value});
        break;
      case kPlan:
        status = octile_plan_destroy({value});
        break;
    }
    if (status == OCTILE_FOUND) handles_[kind].died(value);
    return status;
  }

  octile_query query() {
    octile_query q;
    octile_query_init(&q);
    q.solver = random_.below(30) ? random_.below(octile_solver_count()) : number();
    q.start = cell();
    q.goal = cell();
    for (octile_cell& c : goals_) c = cell();
    for (octile_extra_cost& e : extra_) e = {cell(), real()};
    if (random_.below(8) == 0) q.goals = maybe(goals_), q.goal_count = count();
    if (random_.below(8) == 0) q.extra_blocked = maybe(goals_), q.extra_blocked_count = count();
    if (random_.below(8) == 0) q.extra_costs = maybe(extra_), q.extra_cost_count = count();
    if (random_.below(8) == 0) q.max_expansions = random_.next() >> random_.below(64);
    if (random_.below(8) == 0) q.max_cost = real();
    if (random_.below(4) == 0) q.cancel = any<octile_cancel>(kCancel);
    if (random_.below(4) == 0) q.trace = any<octile_trace>(kTrace);
    if (random_.below(8) == 0) q.snap_radius = number();
    q.output = flag();
    q.smooth = flag();
    q.snap_start = flag();
    q.snap_goal = flag();
    q.goal_cover = flag();
    q.escape_start = flag();
    q.allow_partial = flag();
    spoil_size(&q);
    return q;
  }
  octile_answer* answer() {
    octile_answer_init(&answer_);
    spoil_size(&answer_);
    return maybe(&answer_);
  }
  octile_index_options* index_options() {
    octile_index_options_init(&index_options_);
    index_options_.most = static_cast<uint8_t>(random_.below(7));
    index_options_.threads = random_.below(10) ? 1 : static_cast<uint32_t>(random_.below(70));
    if (random_.below(6) == 0) index_options_.budget_bytes = random_.next() >> random_.below(64);
    if (random_.below(6) == 0) index_options_.budget_work = random_.next() >> random_.below(64);
    if (random_.below(4) == 0) index_options_.cancel = any<octile_cancel>(kCancel);
    index_options_.high_quality = flag();
    spoil_size(&index_options_);
    return maybe(&index_options_);
  }

  void create() {
    switch (random_.below(9)) {
      case 0: {
        octile_engine h;
        if (handles_[kEngine].alive.size() > 3) return;
        made(kEngine, octile_engine_create(&h), h);
        return;
      }
      case 1: {
        octile_searcher h;
        made(kSearcher, octile_searcher_create(&h), h);
        return;
      }
      case 2: {
        octile_cancel h;
        made(kCancel, octile_cancel_create(&h), h);
        return;
      }
      case 3: {
        octile_trace h;
        made(kTrace, octile_trace_create(&h), h);
        return;
      }
      case 4: {
        octile_edit_log h;
        made(kLog, octile_edit_log_create(&h), h);
        return;
      }
      case 5: {
        octile_field_maker h;
        made(kMaker, octile_field_maker_create(&h), h);
        return;
      }
      case 6: {
        octile_batch h;
        made(kBatch, octile_batch_create(&h), h);
        return;
      }
      case 7: {
        octile_planner h;
        made(kPlanner, octile_planner_create(&h), h);
        return;
      }
      default: {
        octile_plan h;
        made(kPlan, octile_plan_create(&h), h);
        return;
      }
    }
  }

  void edit() {
    const octile_engine engine = any<octile_engine>(kEngine);
    uint8_t bytes[64 * 64];
    std::memset(bytes, random_.percent(50) ? '.' : '@', sizeof bytes);
    for (int i = 0; i < 200; ++i) bytes[random_.below(64 * 64)] = ".@G5T"[random_.below(5)];
    octile_rect r{random_.below(20), random_.below(20), random_.below(6), random_.below(6)};
    if (odd()) r = rect();
    // Only what the buffer holds: 64 rows of 64.
    if (r.width > 64 || r.height > 64) r.width = r.height = 7;
    uint32_t id = 0;
    switch (random_.below(23)) {
      case 0: {
        octile_map_def def;
        octile_map_def_init(&def);
        def.width = random_.below(30) ? 8 + random_.below(56) : number();
        def.height = random_.below(30) ? 8 + random_.below(56) : number();
        if (random_.below(3) == 0) def.weights = 1;
        if (random_.below(6) == 0) def.streamed = 1;
        if (odd()) def.cell_size = real();
        if (odd()) def.weight_scale = real();
        if (odd()) def.first_cell = cell();
        spoil_size(&def);
        const bool fits = def.width <= 64 && def.height <= 64;
        told(octile_engine_reset(engine, maybe(&def), fits && random_.percent(50) ? bytes : nullptr,
                                 64));
        return;
      }
      case 1:
        told(octile_engine_parse(engine, maybe(bytes), size_t(random_.below(400)), nullptr));
        return;
      case 2: {
        octile_profile p;
        octile_profile_init(&p);
        p.moves = flag() & 1 ? 0 : 1;
        p.diagonal = static_cast<uint8_t>(random_.below(5));
        p.metric = static_cast<uint8_t>(random_.below(4));
        if (random_.below(4) == 0) p.width = number(), p.height = number(), p.anchor = cell();
        if (random_.below(4) == 0) p.terrain_cost[random_.below(256)] = real();
        spoil_size(&p);
        const int32_t status = octile_engine_add_profile(engine, maybe(&p), maybe(&id));
        told(status);
        return;
      }
      case 3:
        // Few profiles are kept: all of them are updated by each commit.
        told(octile_engine_remove_profile(engine, static_cast<uint32_t>(random_.below(12))));
        return;
      case 4:
        told(octile_map_set_terrain(engine, number(), number(), '@'));
        return;
      case 5:
        told(octile_map_set_weight(engine, number(), number(), 3));
        return;
      case 6:
        told(octile_map_fill(engine, maybe(&r), ".@"[random_.below(2)]));
        return;
      case 7:
        told(octile_map_fill_weight(engine, maybe(&r), static_cast<uint16_t>(random_.below(9))));
        return;
      case 8:
        told(octile_map_stamp(engine, maybe(&r), maybe(bytes), 64));
        return;
      case 9:
        told(octile_map_stamp_bits(engine, maybe(&r), maybe(bytes), 8, '@'));
        return;
      case 10: {
        uint16_t weights[64 * 64] = {1, 2, 3, 4};
        told(octile_map_stamp_weight(engine, maybe(&r), maybe(weights), 64));
        return;
      }
      case 11:
        told(octile_map_provide_tile(engine, number(), number(), maybe(bytes), 64));
        return;
      case 12:
        told(octile_map_release_tile(engine, number(), number()));
        return;
      case 13: {
        octile_obstacle_def d;
        octile_obstacle_def_init(&d);
        d.rect = r;
        for (octile_cell& c : goals_) c = cell();
        if (random_.percent(40)) d.cells = goals_, d.count = count();
        if (random_.percent(40)) d.name[0] = static_cast<char>('a' + random_.below(5));
        if (odd()) std::memset(d.name, 'x', sizeof d.name);
        d.present = flag();
        spoil_size(&d);
        told(octile_map_add_obstacle(engine, maybe(&d), maybe(&id)));
        return;
      }
      case 14:
        told(octile_map_set_obstacle(engine, static_cast<uint32_t>(random_.below(12)),
                                     random_.below(2)));
        return;
      case 15:
        told(octile_map_remove_obstacle(engine, static_cast<uint32_t>(random_.below(12))));
        return;
      case 16:
        told(octile_map_record(engine,
                               random_.below(3) ? any<octile_edit_log>(kLog) : octile_edit_log{0}));
        return;
      case 17: {
        const octile_edit_log log = any<octile_edit_log>(kLog);
        size_t length = 0;
        told(octile_edit_log_read(log, bytes, sizeof bytes, maybe(&length)));
        if (length > sizeof bytes) length = sizeof bytes;
        if (length && random_.percent(30)) bytes[random_.below(int(length))] ^= 1;
        told(octile_edit_log_assign(any<octile_edit_log>(kLog), maybe(bytes), length));
        return;
      }
      case 18:
        // Seldom: it waits for the disk.
        if (random_.below(10) == 0)
          told(octile_edit_log_save(any<octile_edit_log>(kLog), maybe(kFile)));
        told(octile_edit_log_load(any<octile_edit_log>(kLog), maybe(kFile)));
        told(octile_engine_replay(engine, any<octile_edit_log>(kLog)));
        return;
      case 19: {
        size_t length = 0;
        char text[5000];
        told(octile_map_write(engine, random_.below(4), maybe(text), sizeof text, maybe(&length)));
        if (length <= sizeof text)
          told(octile_engine_parse(any<octile_engine>(kEngine), text, length, nullptr));
        return;
      }
      case 21: {
        octile_generate_options options;
        octile_generate_options_init(&options);
        options.width = random_.below(5) ? 1 + random_.below(64) : -random_.below(3);
        options.height = random_.below(5) ? 1 + random_.below(64) : -random_.below(3);
        options.seed = static_cast<uint64_t>(random_.below(100));
        if (odd()) options.density = number();
        if (odd()) options.room = number();
        if (odd()) options.corridor = number();
        spoil_size(&options);
        octile_map_kind kind;
        kind.size = sizeof kind;
        const char* name = "labyrinth";
        if (octile_map_kind_describe(random_.below(octile_map_kind_count() + 1), &kind) ==
            OCTILE_FOUND)
          name = kind.name;
        told(octile_generate(maybe(name), maybe(&options), maybe(bytes), 64));
        return;
      }
      case 20: {
        octile_rect any_rect{number(), number(), random_.below(9), random_.below(7)};
        told(octile_map_terrain(engine, maybe(&any_rect), maybe(bytes), 9));
        told(octile_map_ground(engine, maybe(&any_rect), maybe(bytes), 9));
        return;
      }
      default:
        told(octile_engine_commit(engine));
        return;
    }
  }

  void look() {
    const octile_view view = any<octile_view>(kView);
    const octile_rect r{number(), number(), random_.below(9), random_.below(7)};
    uint8_t bytes[64];
    uint32_t ids[64];
    double reals[64];
    octile_cell cells[kBuffer];
    octile_rect rects[8];
    octile_point points[8];
    size_t length = 0;
    int32_t yes = 0;
    const octile_pair ends = pair();
    switch (random_.below(11)) {
      case 0: {
        octile_view_info info;
        set_size(&info);
        told(octile_view_describe(view, maybe(&info)));
        return;
      }
      case 1: {
        octile_map_def d;
        octile_profile p;
        set_size(&d);
        set_size(&p);
        told(octile_view_definition(view, maybe(&d), maybe(&p)));
        return;
      }
      case 2:
        told(octile_view_moves(view, maybe(&r), maybe(bytes), size_t(random_.below(10))));
        return;
      case 3:
        told(octile_view_component(view, maybe(&r), maybe(ids), 9));
        return;
      case 4:
        told(octile_view_cost(view, maybe(&r), maybe(reals), 9));
        return;
      case 5:
        told(octile_view_line_of_sight(view, maybe(&ends), maybe(&yes)));
        told(octile_view_estimate(view, maybe(&ends), maybe(reals)));
        return;
      case 6:
        told(octile_view_differences(view, any<octile_view>(kView), maybe(cells), capacity(),
                                     maybe(&length)));
        return;
      case 7:
        told(octile_view_index_leaves(view, maybe(rects), 8, maybe(&length)));
        told(octile_view_index_portals(view, maybe(cells), capacity(), maybe(&length)));
        told(octile_view_index_subgoals(view, maybe(cells), capacity(), maybe(&length)));
        told(octile_view_index_hub_ranks(view, maybe(ids), 64, maybe(&length)));
        return;
      case 8:
        for (octile_point& p : points) p = {real(), real()};
        told(octile_view_cells_at(view, maybe(points), 8, maybe(cells)));
        told(octile_view_centers(view, maybe(cells), 0, maybe(points)));
        return;
      case 9: {
        octile_index index;
        made(kIndex,
             random_.percent(50) ? octile_view_index(view, &index)
                                 : octile_view_stale_index(view, &index),
             index);
        return;
      }
      default: {
        octile_view other;
        made(kView, octile_view_with_index(view, any<octile_index>(kIndex), &other), other);
        return;
      }
    }
  }

  void build() {
    octile_index index;
    const octile_engine engine = any<octile_engine>(kEngine);
    const auto profile = static_cast<uint32_t>(random_.below(4));
    int32_t yes = 0;
    double share = 0;
    switch (random_.below(9)) {
      case 0:
      case 1:
        made(kIndex, octile_index_build(any<octile_view>(kView), index_options(), &index), index);
        return;
      case 2: {
        octile_index_info info;
        set_size(&info);
        told(octile_index_describe(any<octile_index>(kIndex), maybe(&info)));
        told(octile_index_belongs_to(any<octile_index>(kIndex), any<octile_view>(kView),
                                     maybe(&yes)));
        return;
      }
      case 3: {
        std::vector<uint8_t> bytes(20000);
        size_t length = 0;
        told(octile_index_write(any<octile_index>(kIndex), bytes.data(), bytes.size(),
                                maybe(&length)));
        if (length == 0 || length > bytes.size()) return;
        if (random_.percent(50)) bytes[size_t(random_.below(int(length)))] ^= 16;
        made(kIndex, octile_index_read(maybe(bytes.data()), length, &index), index);
        return;
      }
      case 4:
        told(octile_engine_adopt(engine, profile, any<octile_index>(kIndex)));
        return;
      case 5:
        told(octile_engine_repair_labels(
            engine, profile, random_.percent(80) ? any<octile_index>(kIndex) : octile_index{0},
            random_.below(2)));
        return;
      case 6:
        told(octile_engine_start_build(engine, profile, index_options()));
        return;
      case 7:
        told(octile_engine_building(engine, maybe(&yes), maybe(&share)));
        told(octile_engine_adopt_finished(engine, maybe(&yes)));
        return;
      default:
        told(octile_engine_stop_build(engine));
        return;
    }
  }

  void ask() {
    const octile_searcher searcher = any<octile_searcher>(kSearcher);
    const octile_view view = any<octile_view>(kView);
    octile_query q = query();
    octile_cell cells[kBuffer], other[kBuffer];
    octile_path lent = {};
    octile_point points[kBuffer];
    double reals[kBuffer];
    octile_pair pairs[8];
    octile_trace_event events[8];
    size_t length = 0;
    int32_t yes = 0;
    for (octile_cell& c : other) c = cell();
    for (octile_pair& p : pairs) p = pair();
    switch (random_.below(13)) {
      case 0:
      case 1:
      case 2:
        told(octile_find(searcher, view, maybe(&q), maybe(cells), capacity(), answer()));
        told(octile_find_borrow(searcher, view, maybe(&q), maybe(&lent), answer()));
        return;
      case 3:
        told(octile_searcher_begin(searcher, view, maybe(&q)));
        return;
      case 4:
      case 5:
        told(octile_searcher_step(searcher, uint64_t(random_.below(30)), maybe(cells), capacity(),
                                  answer(), maybe(&yes)));
        return;
      case 6:
        told(octile_searcher_path(searcher, count(), maybe(cells), capacity(), maybe(&length)));
        told(octile_searcher_borrow(searcher, maybe(&lent)));
        for (size_t i = 0; i < lent.length; ++i) EXPECT_EQ(lent.cells[i].x, lent.cells[i].x);
        told(octile_searcher_points(searcher, count(), maybe(points), capacity(), maybe(&length)));
        return;
      case 7:
        told(octile_searcher_head(searcher, maybe(cells), capacity(), maybe(&length)));
        return;
      case 8:
        told(octile_distance(searcher, view, maybe(pairs), maybe(reals)));
        told(octile_first_move(searcher, view, maybe(pairs), maybe(cells)));
        return;
      case 9:
        told(octile_distances(searcher, view, maybe(other), count() % 8, maybe(other), count() % 8,
                              maybe(reals)));
        return;
      case 10:
        told(octile_would_disconnect(searcher, view, maybe(other), count(), maybe(pairs),
                                     count() % 8, maybe(&yes), maybe(&length)));
        return;
      case 11: {
        const octile_trace trace = any<octile_trace>(kTrace);
        told(octile_trace_read(trace, count(), maybe(events), 8, maybe(&length), maybe(&yes)));
        if (random_.percent(30)) told(octile_trace_clear(trace));
        return;
      }
      default:
        if (random_.percent(30)) {
          told(octile_searcher_release(searcher));
        } else {
          const octile_cancel cancel = any<octile_cancel>(kCancel);
          told(random_.percent(20) ? octile_cancel_raise(cancel) : octile_cancel_reset(cancel));
        }
        return;
    }
  }

  void many() {
    const octile_view view = any<octile_view>(kView);
    octile_cell cells[kBuffer];
    octile_pair pairs[9];
    double reals[kBuffer];
    uint8_t bytes[kBuffer];
    size_t length = 0;
    for (octile_cell& c : cells) c = cell();
    for (octile_pair& p : pairs) p = pair();
    switch (random_.below(14)) {
      case 0: {
        octile_query queries[9];
        octile_answer answers[9];
        for (octile_query& q : queries) {
          q = query();
          if (!odd()) q.cancel.value = q.trace.value = 0;
        }
        for (octile_answer& a : answers) octile_answer_init(&a);
        octile_batch_options o;
        octile_batch_options_init(&o);
        o.threads = odd() ? 1000 : 1;
        if (random_.percent(30)) o.cache_bytes = 100000;
        octile_batch_counts counts;
        set_size(&counts);
        spoil_size(&o);
        told(octile_batch_run(any<octile_batch>(kBatch), view, maybe(queries), count(), maybe(&o),
                              maybe(answers), maybe(cells), capacity(), maybe(&length),
                              maybe(&counts)));
        return;
      }
      case 1: {
        octile_query like = query();
        like.cancel.value = like.trace.value = 0;
        told(octile_batch_pairs(any<octile_batch>(kBatch), view, maybe(&like), maybe(pairs),
                                count(), nullptr, nullptr, maybe(cells), capacity(), maybe(&length),
                                nullptr));
        return;
      }
      case 2:
        told(octile_batch_cells(any<octile_batch>(kBatch), count(), maybe(cells), capacity(),
                                maybe(&length)));
        if (odd()) told(octile_batch_clear(any<octile_batch>(kBatch)));
        return;
      case 3:
      case 4: {
        octile_field_query q;
        octile_field_query_init(&q);
        for (double& r : reals) r = random_.below(20) ? random_.below(9) : real();
        q.goals = maybe(cells);
        q.goal_count = count();
        if (random_.percent(20)) q.offsets = reals;
        if (random_.percent(20)) q.max_cost = real();
        if (random_.percent(20)) q.stops = cells, q.stop_count = count();
        spoil_size(&q);
        octile_field field{0};
        if (random_.percent(30)) field = any<octile_field>(kField);
        const bool fresh = field.value == 0;
        const int32_t status =
            octile_field_build(any<octile_field_maker>(kMaker), view, maybe(&q), &field);
        if (fresh)
          made(kField, status, field);
        else
          told(status);
        return;
      }
      case 5: {
        int32_t how = 0;
        told(octile_field_update(any<octile_field_maker>(kMaker), view, any<octile_field>(kField),
                                 maybe(&how)));
        return;
      }
      case 6: {
        const octile_field field = any<octile_field>(kField);
        const octile_rect r{number(), number(), random_.below(9), random_.below(7)};
        told(octile_field_distances(field, maybe(cells), kBuffer, maybe(reals)));
        told(octile_field_directions(field, maybe(cells), kBuffer, maybe(bytes)));
        told(octile_field_next(field, cells, kBuffer, cells));
        told(octile_field_read(field, maybe(&r), maybe(reals), 9));
        told(octile_field_flow(field, maybe(&r), maybe(bytes), 9));
        told(octile_field_within(field, real(), maybe(cells), capacity(), maybe(&length)));
        return;
      }
      case 7: {
        octile_view other{0};
        made(kView, octile_field_view(any<octile_field>(kField), &other, maybe(&length)), other);
        told(octile_field_path(any<octile_searcher>(kSearcher), any<octile_field>(kField), number(),
                               number(), maybe(cells), capacity(), answer()));
        return;
      }
      case 8: {
        octile_group_options o;
        octile_group_options_init(&o);
        o.formation = random_.below(6);
        if (random_.percent(20)) o.facing = cell();
        if (random_.percent(20)) o.spacing = number();
        if (random_.percent(20)) o.files = number();
        octile_group_friend friends[3];
        for (octile_group_friend& f : friends)
          f = {cell(), cell(), random_.below(3) ? 0.5 : real()};
        if (random_.percent(50)) {
          o.friends = maybe(friends);
          o.friend_count = size_t(random_.below(4));
          if (random_.percent(10)) o.friend_resting = real();
        }
        spoil_size(&o);
        octile_group_unit units[9];
        for (octile_group_unit& u : units) u = {cell(), odd() ? 7U : 0U};
        octile_group_slot slots[9];
        octile_group_answer a;
        set_size(&a);
        const octile_view views[2] = {view, any<octile_view>(kView)};
        told(octile_group_order(any<octile_searcher>(kSearcher), maybe(views),
                                size_t(random_.below(3)), maybe(units), count(), maybe(cells),
                                maybe(&o), maybe(slots), maybe(&a)));
        octile_extra_cost costs[3];
        const octile_pair way = {cell(), cell()};
        told(octile_friend_costs(maybe(&way), maybe(friends), size_t(random_.below(4)), 1,
                                 random_.below(3) ? 4 : real(), maybe(costs)));
        return;
      }
      case 9: {
        octile_agent agents[9];
        for (octile_agent& a : agents)
          a = {cell(), cell(), static_cast<uint8_t>(random_.below(2)), flag(), 1, 128};
        octile_planner_options o;
        octile_planner_options_init(&o);
        spoil_size(&o);
        told(octile_planner_reset(any<octile_planner>(kPlanner), view, maybe(agents), count(),
                                  maybe(&o)));
        const octile_view views[2] = {view, any<octile_view>(kView)};
        uint32_t view_of[9];
        for (uint32_t& v : view_of) v = static_cast<uint32_t>(random_.below(2));
        told(octile_planner_reset_views(any<octile_planner>(kPlanner), maybe(views),
                                        size_t(random_.below(3)), maybe(view_of), maybe(agents),
                                        count(), maybe(&o)));
        return;
      }
      case 10: {
        const octile_planner planner = any<octile_planner>(kPlanner);
        octile_agent_state states[9];
        octile_planner_info info;
        set_size(&info);
        told(octile_planner_step(planner));
        told(octile_planner_set_goal(planner, count(), number(), number()));
        told(octile_planner_cells(planner, count(), maybe(cells), capacity(), maybe(&length)));
        told(octile_planner_states(planner, count(), maybe(states), 9, maybe(&length)));
        told(octile_planner_describe(planner, maybe(&info)));
        return;
      }
      case 11: {
        const octile_planner planner = any<octile_planner>(kPlanner);
        told(octile_planner_change_view(planner, view));
        const octile_view views[2] = {view, any<octile_view>(kView)};
        told(octile_planner_change_views(planner, maybe(views), size_t(random_.below(3))));
        told(octile_planner_set_pinned(planner, count(), random_.below(2)));
        told(octile_planner_set_priority(planner, count(), flag()));
        told(octile_planner_clear_goal(planner, count()));
        return;
      }
      case 12: {
        octile_plan_options o;
        octile_plan_options_init(&o);
        o.max_configurations = 200;
        o.refine = uint64_t(random_.below(5));
        o.improve = uint64_t(random_.below(50));
        o.any_goal = flag();
        if (random_.percent(30)) o.cancel = any<octile_cancel>(kCancel);
        spoil_size(&o);
        octile_plan_answer a;
        set_size(&a);
        const octile_plan plan = any<octile_plan>(kPlan);
        told(octile_plan_make(view, maybe(pairs), count(), &o, plan, maybe(&a)));
        octile_plan_report report;
        set_size(&report);
        told(octile_plan_check(view, maybe(pairs), count(), any<octile_plan>(kPlan), flag(),
                               maybe(&report)));
        const octile_view views[2] = {view, any<octile_view>(kView)};
        uint32_t view_of[9];
        for (uint32_t& v : view_of) v = static_cast<uint32_t>(random_.below(2));
        told(octile_plan_make_views(maybe(views), size_t(random_.below(3)), maybe(view_of),
                                    maybe(pairs), count(), &o, plan, maybe(&a)));
        told(octile_plan_check_views(maybe(views), size_t(random_.below(3)), maybe(view_of),
                                     maybe(pairs), count(), any<octile_plan>(kPlan), flag(),
                                     maybe(&report)));
        return;
      }
      default: {
        const octile_plan plan = any<octile_plan>(kPlan);
        size_t rows = 0, agents = 0;
        told(octile_plan_size(plan, maybe(&rows), maybe(&agents)));
        told(octile_plan_read(plan, count(), maybe(cells), capacity(), maybe(&length)));
        told(octile_plan_assign(plan, maybe(cells), count() % 8, count() % 8));
        return;
      }
    }
  }

  void call() {
    if (handles_[kEngine].alive.empty()) {
      octile_engine h;
      made(kEngine, octile_engine_create(&h), h);
      return;
    }
    switch (random_.below(16)) {
      case 0:
        create();
        return;
      case 1: {
        // The kinds that grow in number die most often.
        const int kind =
            random_.percent(20) ? random_.below(kKinds) : int(random_.percent(60) ? kView : kIndex);
        const octile_view handle = any<octile_view>(static_cast<Kind>(kind));
        told(destroy(kind, handle.value));
        return;
      }
      case 2: {
        octile_view view;
        made(kView,
             octile_engine_view(any<octile_engine>(kEngine),
                                static_cast<uint32_t>(random_.below(4)), &view),
             view);
        return;
      }
      case 3:
      case 4:
      case 5:
      case 6:
        edit();
        return;
      case 7:
        look();
        return;
      case 8:
        build();
        return;
      case 9:
      case 10:
      case 11:
      case 12:
        ask();
        return;
      default:
        many();
        return;
    }
  }

  Random random_;
  Handles handles_[kKinds];
  octile_cell goals_[16] = {};
  octile_extra_cost extra_[16] = {};
  octile_answer answer_ = {};
  octile_index_options index_options_ = {};
};

TEST(CFuzz, AnyCallsInAnyOrder) {
  int done = 0, refused = 0;
  const auto seeds = uint64_t(long_run() ? 2000 : effort(64));
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(seed);
    Fuzz fuzz(seed);
    fuzz.run(3000);
    fuzz.destroy_all();
    ASSERT_EQ(octile_handle_count(), 0U);
    if (HasFailure()) return;
    done += fuzz.done;
    refused += fuzz.refused;
  }
  // Enough of both, or the test tells nothing.
  EXPECT_GT(done, refused / 4);
  EXPECT_GT(refused, done / 20);
  RecordProperty("done", done);
  RecordProperty("refused", refused);
}

}  // namespace
}  // namespace octile::test
