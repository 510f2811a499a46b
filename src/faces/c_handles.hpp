// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// What stands behind the handles of octile.h.
//
//   handle   [ generation 32 | kind 12 | place in the table 20 ]
//   state    [ generation 32 | alive 1 | busy 1 | kind 4 | holds 11 | pins 15 ]    one word a slot
//
// A call pins what it uses. Most things belong to one thread at a time: their pin is exclusive
// (busy), and a second call that meets it is refused. Views, indexes, fields and cancel tokens are
// shared. A hold keeps a thing alive between calls, as a query in slices does with its trace.
// Destroying clears `alive`; who then takes away the last pin or hold deletes the object and gives
// the slot its next generation. All of it is one compare-and-swap a step: no locks, any thread.
//
// Slots lie in chunks that are never given back, so a made-up handle reads valid memory or none.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "octile/octile.h"
#include "octile/world.hpp"

namespace octile::c {

enum class Kind : uint8_t {
  none,
  engine,
  view,
  index,
  searcher,
  cancel,
  trace,
  log,
  field,
  maker,
  batch,
  planner,
  plan
};
constexpr size_t kKinds = 13;

// ---------------------------------------------------------------------------------------------
// Messages

inline constexpr const char* kNullOut = "the output pointer is null";
inline constexpr const char* kNullBuffer = "the output buffer, or length, is null";
inline constexpr const char* kNullText = "the text is null";

// Keeps the line for octile_message(); `text` is copied. Gives the status back.
int32_t fail(Status status, const char* text) noexcept;
inline int32_t bad(const char* text) noexcept {
  return fail(Status::bad_argument, text);
}
inline int32_t short_of_memory() noexcept {
  return fail(Status::out_of_memory, "memory is short");
}
inline int32_t told(const Fault& fault) noexcept {
  return fault ? fail(fault.status, fault.text) : OCTILE_FOUND;
}

// ---------------------------------------------------------------------------------------------
// The table

struct Slot {
  std::atomic<uint64_t> state{uint64_t{1} << 32};
  void* object = nullptr;
  void (*end)(void* object) = nullptr;
  uint32_t place = 0;
  std::atomic<uint32_t> next{0};  // of the free slots: place + 1
};

enum class Access : uint8_t { shared, exclusive };

constexpr uint32_t kChunkBits = 8;
constexpr uint32_t kChunkSlots = 1U << kChunkBits;
constexpr uint32_t kPlaceBits = 20;
constexpr uint32_t kChunks = 1U << (kPlaceBits - kChunkBits);
constexpr uint32_t kPlaceMask = (1U << kPlaceBits) - 1;

constexpr uint64_t kPin = 1, kPins = 0x7fff;
constexpr uint64_t kHold = uint64_t{1} << 15, kHolds = uint64_t{0x7ff} << 15;
constexpr uint32_t kKindBit = 26;
constexpr uint64_t kBusy = uint64_t{1} << 30;
constexpr uint64_t kAlive = uint64_t{1} << 31;
constexpr uint64_t kUsed = kPins | kHolds;

struct Table {
  std::atomic<Slot*> chunk[kChunks];
  std::atomic<uint32_t> made;   // places that were ever handed out
  std::atomic<uint64_t> free;   // [ tag 32 | place + 1 32 ]
  std::atomic<uint64_t> count;  // of handles that are alive
};
extern Table table;

// Null where none was ever made.
inline Slot* slot_of(uint64_t handle) noexcept {
  const auto place = static_cast<uint32_t>(handle) & kPlaceMask;
  Slot* chunk = table.chunk[place >> kChunkBits].load(std::memory_order_acquire);
  return chunk ? &chunk[place & (kChunkSlots - 1)] : nullptr;
}
// What stands in the slot of a thing that nobody uses, from its handle.
inline uint64_t at_rest(uint64_t handle, Kind kind) noexcept {
  return (handle >> 32) << 32 | kAlive | static_cast<uint64_t>(kind) << kKindBit;
}

// 0: no room in the table or in memory; the object stays the caller's then.
uint64_t enter(Kind kind, void* object, void (*end)(void*)) noexcept;
// Null: the message says why.
Slot* pin_with_care(uint64_t handle, Kind kind, Access access) noexcept;
// Ends a destroyed thing that nobody uses any more, and gives its slot back.
void bury(Slot* slot, uint64_t state) noexcept;

// The same, for the usual case here in line: a thing that nobody else uses.
inline Slot* pin(uint64_t handle, Kind kind, Access access) noexcept {
  if (kind != Kind::engine && (handle >> kPlaceBits & 0xfff) == static_cast<uint64_t>(kind)) {
    if (Slot* slot = slot_of(handle)) {
      uint64_t state = at_rest(handle, kind);
      const uint64_t fresh = (state + kPin) | (access == Access::exclusive ? kBusy : 0);
      if (slot->state.compare_exchange_strong(state, fresh, std::memory_order_acq_rel,
                                              std::memory_order_acquire))
        return slot;
    }
  }
  return pin_with_care(handle, kind, access);
}
inline void lower(Slot* slot, uint64_t by) noexcept {
  const uint64_t state = slot->state.fetch_sub(by, std::memory_order_acq_rel) - by;
  if (!(state & kAlive) && !(state & kUsed)) bury(slot, state);
}
inline void unpin(Slot* slot, Access access) noexcept {
  lower(slot, access == Access::exclusive ? kPin | kBusy : kPin);
}
// Alone, of a thing that the caller holds, whether it was destroyed or not.
bool pin_held(Slot* slot) noexcept;
// Of a thing that is pinned now. False: too many holds.
bool hold(Slot* slot) noexcept;
void let_go(Slot* slot) noexcept;
int32_t destroy(uint64_t handle, Kind kind) noexcept;
// Until it is called with null: this thread may not use, nor destroy, the engine in this slot. It
// builds for it, and the engine would wait for the thread.
void keep_off(const Slot* engine) noexcept;
uint64_t alive_count() noexcept;

// The objects say what they are: kKind and kAccess.
template <class T>
class Use {
 public:
  explicit Use(uint64_t handle) noexcept : slot_(pin(handle, T::kKind, T::kAccess)) {}
  Use(uint64_t handle, Access access) noexcept
      : access_(access), slot_(pin(handle, T::kKind, access)) {}
  ~Use() {
    if (slot_) unpin(slot_, access_);
  }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  explicit operator bool() const noexcept { return slot_ != nullptr; }
  T* operator->() const noexcept { return static_cast<T*>(slot_->object); }
  T& operator*() const noexcept { return *static_cast<T*>(slot_->object); }
  Slot* slot() const noexcept { return slot_; }

 private:
  Access access_ = T::kAccess;
  Slot* slot_;
};

template <class T, class Handle>
int32_t enter_object(T* object, Handle* out) noexcept {
  if (!object) return short_of_memory();
  const uint64_t value = enter(T::kKind, object, [](void* p) { delete static_cast<T*>(p); });
  if (value == 0) {
    delete object;
    return short_of_memory();
  }
  out->value = value;
  return OCTILE_FOUND;
}

// ---------------------------------------------------------------------------------------------
// Structs with a size

// Every size that such a struct had in a released version: today each has one. Who makes one larger
// lists the older ones here, reads it through a copy that begins with the defaults, writes no more
// than `size` bytes of it, and gives it another init function (octile.h, STRUCTS).
template <class T>
bool size_fits(uint32_t size) noexcept {
  return size == sizeof(T);
}

int32_t bad_size(const char* name, uint32_t is, size_t wants) noexcept;

// For output: the caller has set the size.
template <class T>
int32_t check_size(const T* out, const char* name) noexcept {
  return size_fits<T>(out->size) ? OCTILE_FOUND : bad_size(name, out->size, sizeof(T));
}

// ---------------------------------------------------------------------------------------------
// Buffers of the caller

template <class T>
bool bad_buffer(const T* data, size_t count) noexcept {
  return !data && count != 0;
}

// Copies what fits of `have` values, from number `first` on.
template <class Out, class In>
int32_t give(const In* from, size_t have, size_t first, Out* out, size_t capacity,
             size_t* length) noexcept {
  static_assert(sizeof(In) == sizeof(Out));
  if (bad_buffer(out, capacity) || !length) return bad(kNullBuffer);
  const size_t left = first < have ? have - first : 0;
  *length = left;
  const size_t n = left < capacity ? left : capacity;
  for (size_t i = 0; i < n; ++i) __builtin_memcpy(&out[i], &from[first + i], sizeof(Out));
  return OCTILE_FOUND;
}

// Memory that a 32-bit machine cannot have is no limit.
constexpr size_t size_of(uint64_t bytes) noexcept {
  return bytes < SIZE_MAX ? static_cast<size_t>(bytes) : SIZE_MAX;
}

inline Rect rect_of(const octile_rect& r) noexcept {
  return {r.x, r.y, r.width, r.height};
}
inline Cell cell_of(const octile_cell& c) noexcept {
  return {c.x, c.y};
}

// Calls fill(cell, &out[...]) for each cell of a rectangle that may reach outside the map. Null
// pointers, negative sides, rows that are shorter than the rectangle, and corners that no int32
// names are refused.
template <class T, class Fill>
int32_t each_cell(const octile_rect* rect, T* out, size_t stride, Fill fill) noexcept {
  if (!rect) return bad("the rectangle is null");
  if (rect->width < 0 || rect->height < 0) return bad("the rectangle has a negative side");
  if (rect->width == 0 || rect->height == 0) return OCTILE_FOUND;
  if (!out) return bad("the output buffer is null");
  if (stride < static_cast<size_t>(rect->width) && rect->height > 1)
    return bad("the stride is less than the width of the rectangle");
  if (int64_t{rect->x} + rect->width - 1 > INT32_MAX ||
      int64_t{rect->y} + rect->height - 1 > INT32_MAX)
    return bad("the rectangle reaches beyond the largest coordinate");
  for (int32_t y = 0; y < rect->height; ++y)
    for (int32_t x = 0; x < rect->width; ++x)
      fill(Cell{rect->x + x, rect->y + y}, &out[static_cast<size_t>(y) * stride + x]);
  return OCTILE_FOUND;
}

}  // namespace octile::c
