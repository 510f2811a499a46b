// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Memory for many arrays that are given back together: they lie one after the other in few large
// pieces, which rewind() keeps for the next ones. For trivial types. One thread at a time.

#include <new>

#include "base/platform.hpp"

namespace octile {

class Arena {
 public:
  Arena() noexcept = default;
  // With a first piece of this size, for those that know they will fill it.
  explicit Arena(size_t first) noexcept : first_size_(first), size_(first) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() { release(); }

  // Before the first array: so much will be filled. Little changes nothing; else already the first
  // piece consists of large pages.
  void expect(size_t bytes) noexcept {
    if (bytes >= 2 * kLargePage && !first_) size_ = bytes < kMost ? bytes : kMost;
  }

  // Room for n values (0 too), not initialised; null: memory is short.
  template <class T>
  T* take(size_t n) noexcept {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kAlign);
    if (n > SIZE_MAX / 2 / sizeof(T)) return nullptr;
    const size_t bytes = (n * sizeof(T) + kAlign - 1) / kAlign * kAlign;
    // Of an empty arena even no bytes at all must be somewhere: null means that memory is short.
    while (bytes > left_ || !next_) {
      if (current_ && current_->after) {
        enter(current_->after);
      } else if (!add_piece(bytes)) {
        return nullptr;
      }
    }
    left_ -= bytes;
    uint8_t* at = next_;
    next_ += bytes;
    return reinterpret_cast<T*>(at);
  }
  // Gives back all arrays.
  void rewind() noexcept {
    if (first_) enter(first_);
  }
  void release() noexcept {
    while (first_) {
      Piece* after = first_->after;
      ::operator delete(first_, aligned(first_->size));
      first_ = after;
    }
    current_ = nullptr;
    next_ = nullptr;
    left_ = 0;
    size_ = first_size_;
    bytes_ = 0;
  }
  size_t bytes() const noexcept { return bytes_; }

 private:
  static constexpr size_t kAlign = 64, kFirst = size_t{64} << 10, kMost = size_t{8} << 20;
  struct alignas(kAlign) Piece {
    Piece* after;
    size_t size;
  };

  // Large pieces consist of large pages.
  static std::align_val_t aligned(size_t size) noexcept {
    return std::align_val_t{size < 2 * kLargePage ? kAlign : kLargePage};
  }
  void enter(Piece* piece) noexcept {
    current_ = piece;
    next_ = reinterpret_cast<uint8_t*>(piece) + sizeof(Piece);
    left_ = piece->size - sizeof(Piece);
  }
  bool add_piece(size_t bytes) noexcept {
    const size_t size = (bytes > size_ ? bytes : size_) + sizeof(Piece);
    void* memory = ::operator new(size, aligned(size), std::nothrow);
    if (!memory) return false;
    expect_filled(memory, size);
    Piece* piece = new (memory) Piece{nullptr, size};
    (current_ ? current_->after : first_) = piece;
    enter(piece);
    bytes_ += size;
    if (size_ < kMost) size_ *= 2;
    return true;
  }

  Piece* first_ = nullptr;
  Piece* current_ = nullptr;  // where the next array lies
  uint8_t* next_ = nullptr;
  size_t left_ = 0;
  size_t first_size_ = kFirst;
  size_t size_ = kFirst;  // of the next piece
  size_t bytes_ = 0;
};

}  // namespace octile
