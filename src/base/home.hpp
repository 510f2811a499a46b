// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Where many shared objects lie together: in a file, as its bytes are, or in large pieces of memory
// that threads fill side by side. Kept by all that have pointers into it; the objects are immortal
// (counted.hpp), and their destructors are never called.

#include "base/arena.hpp"
#include "base/counted.hpp"

namespace octile {

struct Home : Counted {
  static constexpr unsigned kRooms = 4;

  FileMapping file;
  Arena room[kRooms];  // one for each thread

  // Null: memory is short.
  template <class T>
  T* make(unsigned of_thread) noexcept {
    struct alignas(T) Bytes {
      uint8_t at[sizeof(T)];
    };
    Bytes* bytes = room[of_thread].take<Bytes>(1);
    if (!bytes) return nullptr;
    T* object = new (bytes) T;
    object->make_immortal();
    return object;
  }
};

}  // namespace octile
