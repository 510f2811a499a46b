// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Where many shared objects lie together: in a file, as its bytes are, or in large pieces of memory
// that threads fill side by side. Kept by all that have pointers into it; the objects are housed or
// immortal (counted.hpp), and their destructors are never called. The place of a housed one that
// nobody has any more is used again.

#include <new>

#include "base/arena.hpp"
#include "base/counted.hpp"

namespace octile {

struct Home : Counted {
  static constexpr unsigned kRooms = 4;

  // One type: all objects are of one, so that places of those that nobody has any more may be used
  // again.
  explicit Home(bool of_one = false) noexcept : one_type(of_one) {}

  ~Home() { octile::drop(under); }

  const bool one_type;
  FileMapping file;
  const Home* under = nullptr;  // lives as long: entries here may lie in its file
  Arena room[kRooms];           // one for each thread

  // Before the first object: there will be so many bytes of them, made by all threads.
  void expect(size_t bytes) noexcept {
    for (Arena& r : room) r.expect(bytes / kRooms);
  }
  // A housed object, with one reference; null: memory is short.
  template <class T>
  T* make(unsigned of_thread) noexcept {
    return fresh<T>(room[of_thread].take<Bytes<T>>(1));
  }
  // The same for the one writer of what lies here, once it is built: in the place of one that
  // nobody has any more, if there is one.
  template <class T, class... From>
  T* make_again(const From&... from) const noexcept {
    Place*& first = places_;
    if (!first) first = given_back_.exchange(nullptr, std::memory_order_acquire);
    void* at = first;
    if (at) {
      first = first->next;
    } else {
      at = const_cast<Arena&>(room[0]).take<Bytes<T>>(1);
    }
    return fresh<T>(at, from...);
  }
  // From any thread: a housed object that nobody has any more.
  void give_back(void* object) const noexcept {
    auto* place = new (object) Place{given_back_.load(std::memory_order_relaxed)};
    while (!given_back_.compare_exchange_weak(place->next, place, std::memory_order_release,
                                              std::memory_order_relaxed)) {
    }
  }

 private:
  template <class T>
  struct alignas(T) Bytes {
    uint8_t at[sizeof(T)];
  };
  struct Place {
    Place* next;
  };
  template <class T, class... From>
  static T* fresh(void* at, const From&... from) noexcept {
    if (!at) return nullptr;
    T* object;
    if constexpr (sizeof...(From) == 0) {
      object = new (at) T;
    } else {
      object = new (at) T(from...);
    }
    object->make_housed();
    return object;
  }

  mutable std::atomic<Place*> given_back_{nullptr};
  mutable Place* places_ = nullptr;  // the writer's
};

}  // namespace octile
