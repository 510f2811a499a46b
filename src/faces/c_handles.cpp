// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "faces/c_handles.hpp"

#include <cstring>
#include <new>

namespace octile::c {

// ---------------------------------------------------------------------------------------------
// Messages

namespace {

struct Message {
  char text[240];
  size_t length;
};
constinit thread_local Message last_message = {};

void append(const char* text) noexcept {
  Message& m = last_message;
  while (*text != '\0' && m.length + 1 < sizeof m.text) m.text[m.length++] = *text++;
  m.text[m.length] = '\0';
}

void append(uint64_t number) noexcept {
  char digits[24];
  size_t at = sizeof digits - 1;
  digits[at] = '\0';
  do digits[--at] = static_cast<char>('0' + number % 10);
  while (number /= 10);
  append(digits + at);
}

constexpr const char* kKindNames[kKinds] = {"",       "engine",  "view",     "index", "searcher",
                                            "cancel", "trace",   "edit_log", "field", "field_maker",
                                            "batch",  "planner", "plan"};

}  // namespace

int32_t fail(Status status, const char* text) noexcept {
  last_message.length = 0;
  append(text);
  return static_cast<int32_t>(status);
}

int32_t bad_size(const char* name, uint32_t is, size_t wants) noexcept {
  last_message.length = 0;
  append(name);
  append(".size is ");
  append(uint64_t{is});
  append(", this library knows ");
  append(uint64_t{wants});
  return OCTILE_BAD_ARGUMENT;
}

// ---------------------------------------------------------------------------------------------
// The table

constinit Table table = {};

namespace {

uint32_t generation_of(uint64_t handle) noexcept {
  return static_cast<uint32_t>(handle >> 32);
}
// All twelve bits of it: what was made up may have any.
uint32_t kind_of(uint64_t handle) noexcept {
  return static_cast<uint32_t>(handle >> kPlaceBits & 0xfff);
}

// True when the handle is that of the thing in the slot.
bool means(uint64_t handle, uint64_t state) noexcept {
  return (state & kAlive) && state >> 32 == generation_of(handle) &&
         static_cast<uint32_t>(state >> kKindBit & 15) == kind_of(handle);
}

Slot* free_slot(uint32_t place) noexcept {
  return &table.chunk[place >> kChunkBits].load(
      std::memory_order_acquire)[place & (kChunkSlots - 1)];
}

// A slot that nobody uses; UINT32_MAX: none.
uint32_t take_place() noexcept {
  uint64_t head = table.free.load(std::memory_order_acquire);
  while (static_cast<uint32_t>(head) != 0) {
    const uint32_t place = static_cast<uint32_t>(head) - 1;
    const uint32_t next = free_slot(place)->next.load(std::memory_order_relaxed);
    const uint64_t fresh = ((head >> 32) + 1) << 32 | next;  // the tag: no two heads are the same
    if (table.free.compare_exchange_weak(head, fresh, std::memory_order_acq_rel,
                                         std::memory_order_acquire))
      return place;
  }
  uint32_t place = table.made.load(std::memory_order_relaxed);
  for (;;) {
    if (place > kPlaceMask) return UINT32_MAX;
    std::atomic<Slot*>& chunk = table.chunk[place >> kChunkBits];
    if (!chunk.load(std::memory_order_acquire)) {
      Slot* fresh = new (std::nothrow) Slot[kChunkSlots];
      if (!fresh) return UINT32_MAX;
      for (uint32_t i = 0; i < kChunkSlots; ++i) fresh[i].place = (place & ~(kChunkSlots - 1)) + i;
      Slot* none = nullptr;
      if (!chunk.compare_exchange_strong(none, fresh, std::memory_order_acq_rel)) delete[] fresh;
    }
    if (table.made.compare_exchange_weak(place, place + 1, std::memory_order_acq_rel)) return place;
  }
}

void give_back(Slot* slot) noexcept {
  uint64_t head = table.free.load(std::memory_order_relaxed);
  uint64_t fresh = 0;
  do {
    slot->next.store(static_cast<uint32_t>(head), std::memory_order_relaxed);
    fresh = ((head >> 32) + 1) << 32 | (slot->place + 1);
  } while (!table.free.compare_exchange_weak(head, fresh, std::memory_order_acq_rel,
                                             std::memory_order_relaxed));
}

int32_t no_handle(uint64_t handle, Kind kind) noexcept {
  last_message.length = 0;
  append(handle == 0 ? "zero is no " : "not, or no longer, the handle of a living ");
  append(kKindNames[static_cast<size_t>(kind)]);
  if (handle == 0) append(": it was never made, or is closed");
  return OCTILE_BAD_ARGUMENT;
}

constinit thread_local const Slot* forbidden = nullptr;

bool is_forbidden(const Slot* slot, Kind kind) noexcept {
  if (kind != Kind::engine || slot != forbidden) return false;
  fail(Status::bad_argument, "called from the progress function of this engine's own build");
  return true;
}

}  // namespace

// Nobody else sees the slot any more.
void bury(Slot* slot, uint64_t state) noexcept {
  void* const object = slot->object;
  void (*const end)(void*) = slot->end;
  slot->object = nullptr;
  uint64_t generation = ((state >> 32) + 1) & 0xffffffff;
  if (generation == 0) generation = 1;
  slot->state.store(generation << 32, std::memory_order_release);
  give_back(slot);
  end(object);  // may let go of others
}

void keep_off(const Slot* engine) noexcept {
  forbidden = engine;
}

uint64_t enter(Kind kind, void* object, void (*end)(void*)) noexcept {
  const uint32_t place = take_place();
  if (place == UINT32_MAX) return 0;
  Slot* slot = free_slot(place);
  slot->object = object;
  slot->end = end;
  const uint64_t generation = slot->state.load(std::memory_order_relaxed) >> 32;
  table.count.fetch_add(1, std::memory_order_relaxed);
  slot->state.store(generation << 32 | kAlive | static_cast<uint64_t>(kind) << kKindBit,
                    std::memory_order_release);
  return generation << 32 | static_cast<uint64_t>(kind) << kPlaceBits | place;
}

Slot* pin_with_care(uint64_t handle, Kind kind, Access access) noexcept {
  Slot* slot = kind_of(handle) == static_cast<uint32_t>(kind) ? slot_of(handle) : nullptr;
  uint64_t state = slot ? slot->state.load(std::memory_order_acquire) : 0;
  for (;;) {
    if (!slot || !means(handle, state)) {
      no_handle(handle, kind);
      return nullptr;
    }
    if (is_forbidden(slot, kind)) return nullptr;
    const bool alone = access == Access::exclusive;
    if ((state & kBusy) || (alone && (state & kPins)) || (state & kPins) == kPins) {
      last_message.length = 0;
      append("another call is using this ");
      append(kKindNames[static_cast<size_t>(kind)]);
      return nullptr;
    }
    const uint64_t fresh = (state + kPin) | (alone ? kBusy : 0);
    if (slot->state.compare_exchange_weak(state, fresh, std::memory_order_acq_rel,
                                          std::memory_order_acquire))
      return slot;
  }
}

bool pin_held(Slot* slot) noexcept {
  uint64_t state = slot->state.load(std::memory_order_acquire);
  do {
    if (state & (kBusy | kPins)) {
      fail(Status::bad_argument, "another call is using what this one needs");
      return false;
    }
  } while (!slot->state.compare_exchange_weak(
      state, (state + kPin) | kBusy, std::memory_order_acq_rel, std::memory_order_acquire));
  return true;
}

bool hold(Slot* slot) noexcept {
  uint64_t state = slot->state.load(std::memory_order_relaxed);
  do {
    if ((state & kHolds) == kHolds) return false;
  } while (!slot->state.compare_exchange_weak(state, state + kHold, std::memory_order_acq_rel,
                                              std::memory_order_relaxed));
  return true;
}

void let_go(Slot* slot) noexcept {
  lower(slot, kHold);
}

int32_t destroy(uint64_t handle, Kind kind) noexcept {
  Slot* slot = kind_of(handle) == static_cast<uint32_t>(kind) ? slot_of(handle) : nullptr;
  if (!slot) return no_handle(handle, kind);
  uint64_t state = slot->state.load(std::memory_order_acquire);
  for (;;) {
    if (!means(handle, state)) return no_handle(handle, kind);
    if (is_forbidden(slot, kind)) return OCTILE_BAD_ARGUMENT;
    if (slot->state.compare_exchange_weak(state, state & ~kAlive, std::memory_order_acq_rel,
                                          std::memory_order_acquire))
      break;
  }
  table.count.fetch_sub(1, std::memory_order_relaxed);
  if (!(state & kUsed)) bury(slot, state & ~kAlive);
  return OCTILE_FOUND;
}

uint64_t alive_count() noexcept {
  return table.count.load(std::memory_order_relaxed);
}

extern "C" OCTILE_C_API size_t octile_message(char* text, size_t capacity) {
  const Message& m = last_message;
  if (text && capacity > 0) {
    const size_t n = m.length < capacity - 1 ? m.length : capacity - 1;
    std::memcpy(text, m.text, n);
    text[n] = '\0';
  }
  return m.length;
}

}  // namespace octile::c
