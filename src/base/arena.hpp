// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Memory for many arrays that are given back together: they lie one after the other in few large
// pieces. For trivial types. One thread at a time.

#include <new>

#include "base/platform.hpp"

namespace octile {

class Arena {
 public:
  Arena() noexcept = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() { release(); }

  // Room for n values (0 too), not initialised; null: memory is short.
  template <class T>
  T* take(size_t n) noexcept {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kAlign);
    if (n > SIZE_MAX / 2 / sizeof(T)) return nullptr;
    const size_t bytes = (n * sizeof(T) + kAlign - 1) / kAlign * kAlign;
    // Of an empty arena even no bytes at all must be somewhere: null means that memory is short.
    if ((bytes > left_ || !next_) && !add_piece(bytes)) return nullptr;
    left_ -= bytes;
    uint8_t* at = next_;
    next_ += bytes;
    return reinterpret_cast<T*>(at);
  }
  void release() noexcept {
    while (last_) {
      Piece* before = last_->before;
      ::operator delete (last_, std::align_val_t{kAlign});
      last_ = before;
    }
    next_ = nullptr;
    left_ = 0;
    size_ = kFirst;
  }

 private:
  static constexpr size_t kAlign = 64, kFirst = size_t{64} << 10, kMost = size_t{8} << 20;
  struct alignas(kAlign) Piece {
    Piece* before;
  };

  bool add_piece(size_t bytes) noexcept {
    const size_t size = (bytes > size_ ? bytes : size_) + sizeof(Piece);
    void* memory = ::operator new (size, std::align_val_t{kAlign}, std::nothrow);
    if (!memory) return false;
    expect_filled(memory, size);
    last_ = new (memory) Piece{last_};
    next_ = static_cast<uint8_t*>(memory) + sizeof(Piece);
    left_ = size - sizeof(Piece);
    if (size_ < kMost) size_ *= 2;
    return true;
  }

  Piece* last_ = nullptr;
  uint8_t* next_ = nullptr;
  size_t left_ = 0;
  size_t size_ = kFirst;  // of the next piece
};

}  // namespace octile
