// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The things that handles stand for: each holds one object of the C++ face, and what calls need
// beside it. And how structs of one face become those of the other.

#include "faces/c_handles.hpp"
#include "octile/agents.hpp"
#include "octile/batch.hpp"
#include "octile/detail/buffer.hpp"
#include "octile/fields.hpp"
#include "octile/groups.hpp"
#include "octile/octile.hpp"

namespace octile::c {

struct CancelObject {
  static constexpr Kind kKind = Kind::cancel;
  static constexpr Access kAccess = Access::shared;
  std::atomic<bool> raised{false};
};

struct TraceObject {
  static constexpr Kind kKind = Kind::trace;
  static constexpr Access kAccess = Access::exclusive;
  Trace trace;
};

struct LogObject {
  static constexpr Kind kKind = Kind::log;
  static constexpr Access kAccess = Access::exclusive;
  EditLog log;
  std::atomic<bool> recorded{false};  // a map writes into it
};

struct ViewObject {
  static constexpr Kind kKind = Kind::view;
  static constexpr Access kAccess = Access::shared;
  View view;
};

struct IndexObject {
  static constexpr Kind kKind = Kind::index;
  static constexpr Access kAccess = Access::shared;
  Index index;
};

struct EngineObject {
  static constexpr Kind kKind = Kind::engine;
  static constexpr Access kAccess = Access::exclusive;

  ~EngineObject();
  void end_recording() noexcept;
  void end_build() noexcept;

  Engine engine;
  Slot* log = nullptr;     // held: what the map records into
  Slot* cancel = nullptr;  // held: of the build in the background
  Slot* self = nullptr;    // for the thread of that build to keep off
  std::atomic<double> done{0};
  octile_progress progress = nullptr;
  void* user = nullptr;
};

struct SearcherObject {
  static constexpr Kind kKind = Kind::searcher;
  static constexpr Access kAccess = Access::exclusive;

  ~SearcherObject() { end_slices(); }
  // The view behind a handle, which is kept: one that is asked for again costs no more than a look
  // whether it is alive, and threads that share it do not meet. Null: the message says why.
  const View* view_of(octile_view handle) noexcept {
    if (handle.value != 0 && handle.value == view_handle) {
      // Whoever else uses it: that it is alive is enough.
      const Slot* slot = slot_of(handle.value);
      const uint64_t state = slot ? slot->state.load(std::memory_order_acquire) : 0;
      if ((state & ~(kUsed | kBusy)) == at_rest(handle.value, Kind::view)) return &view;
    }
    return find_view(handle);
  }
  const View* find_view(octile_view handle) noexcept;
  void end_slices() noexcept {
    if (sliced) drop_slices();
  }
  void drop_slices() noexcept;

  Searcher searcher;
  Path path;
  uint64_t view_handle = 0;
  View view;
  // Of a query in slices: copies of what it points to, and holds on its token and its trace.
  bool sliced = false;
  detail::Buffer<Cell> goals, blocked;
  detail::Buffer<ExtraCost> costs;
  Slot* cancel = nullptr;
  Slot* trace = nullptr;
};

struct FieldObject {
  static constexpr Kind kKind = Kind::field;
  static constexpr Access kAccess = Access::shared;
  Field field;
};

struct MakerObject {
  static constexpr Kind kKind = Kind::maker;
  static constexpr Access kAccess = Access::exclusive;
  FieldMaker maker;
};

struct BatchObject {
  static constexpr Kind kKind = Kind::batch;
  static constexpr Access kAccess = Access::exclusive;
  ~BatchObject() { delete[] paths; }
  Batch batch;
  detail::Buffer<Query> queries;
  Path* paths = nullptr;
  size_t room = 0;   // of paths
  size_t count = 0;  // of the last run
};

struct PlannerObject {
  static constexpr Kind kKind = Kind::planner;
  static constexpr Access kAccess = Access::exclusive;
  StepPlanner planner;
};

struct PlanObject {
  static constexpr Kind kKind = Kind::plan;
  static constexpr Access kAccess = Access::exclusive;
  Plan plan;
};

// A cancel token that may be missing, for the length of a call.
class Token {
 public:
  explicit Token(octile_cancel handle) noexcept
      : wanted_(handle.value != 0),
        slot_(wanted_ ? pin(handle.value, Kind::cancel, Access::shared) : nullptr) {}
  ~Token() {
    if (slot_) unpin(slot_, Access::shared);
  }
  Token(const Token&) = delete;
  Token& operator=(const Token&) = delete;
  bool good() const noexcept { return !wanted_ || slot_; }
  Slot* slot() const noexcept { return slot_; }
  const std::atomic<bool>* flag() const noexcept {
    return slot_ ? &static_cast<CancelObject*>(slot_->object)->raised : nullptr;
  }

 private:
  bool wanted_;
  Slot* slot_;
};

// The same for traces, which one call at a time writes into.
class Record {
 public:
  explicit Record(octile_trace handle) noexcept
      : wanted_(handle.value != 0),
        slot_(wanted_ ? pin(handle.value, Kind::trace, Access::exclusive) : nullptr) {}
  explicit Record(Slot* held) noexcept
      : wanted_(held != nullptr), slot_(held && pin_held(held) ? held : nullptr) {}
  ~Record() {
    if (slot_) unpin(slot_, Access::exclusive);
  }
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;
  bool good() const noexcept { return !wanted_ || slot_; }
  Slot* slot() const noexcept { return slot_; }
  Trace* trace() const noexcept {
    return slot_ ? &static_cast<TraceObject*>(slot_->object)->trace : nullptr;
  }

 private:
  bool wanted_;
  Slot* slot_;
};

// Plain values have the same bytes in both faces.
static_assert(sizeof(octile_cell) == sizeof(Cell) && alignof(octile_cell) == alignof(Cell));
static_assert(sizeof(octile_rect) == sizeof(Rect) && alignof(octile_rect) == alignof(Rect));
static_assert(sizeof(octile_point) == sizeof(WorldPoint));
static_assert(sizeof(octile_pair) == sizeof(CellPair));
static_assert(sizeof(octile_extra_cost) == sizeof(ExtraCost));
static_assert(offsetof(octile_extra_cost, cost) == offsetof(ExtraCost, cost));
static_assert(sizeof(octile_group_unit) == sizeof(GroupUnit));
static_assert(sizeof(octile_scen_query) == sizeof(ScenQuery));
static_assert(offsetof(octile_scen_query, optimum) == offsetof(ScenQuery, optimum));

template <class To, class From>
To* same(From* from) noexcept {
  return reinterpret_cast<To*>(from);
}
inline const Cell* cells_of(const octile_cell* cells) noexcept {
  return same<const Cell>(cells);
}
inline Cell* cells_of(octile_cell* cells) noexcept {
  return same<Cell>(cells);
}

void write_definition(const MapDef& from, octile_map_def* to) noexcept;
void write_profile(const Profile& from, octile_profile* to) noexcept;

int32_t enter_view(View&& view, octile_view* out) noexcept;

int32_t check_query(const octile_query* query) noexcept;
// Checks a query and reads it, but for its token and trace.
int32_t read_query(const octile_query* from, Query* to) noexcept;
void write_answer(const Path& path, octile_answer* to) noexcept;
// What every call that gives a path begins and ends with.
int32_t check_output(const octile_cell* cells, size_t capacity,
                     const octile_answer* answer) noexcept;
int32_t deliver_path(const Path& path, octile_cell* cells, size_t capacity,
                     octile_answer* answer) noexcept;

}  // namespace octile::c
