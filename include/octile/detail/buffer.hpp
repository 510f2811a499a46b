// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// A growing array that reports a failed allocation instead of throwing: the only container of the
// engine. For trivial types only, so that growth is a copy of bytes and nothing needs destroying.
//
//   data_ -> [ 0 .. size_ | size_ .. capacity_ ]
//
// A call that returns false has changed nothing. Capacity never shrinks but by release(), so a
// warmed-up user allocates nothing.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

namespace octile::detail {

template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  Buffer() noexcept = default;
  ~Buffer() { release(); }
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  T* begin() noexcept { return data_; }
  T* end() noexcept { return data_ + size_; }
  const T* begin() const noexcept { return data_; }
  const T* end() const noexcept { return data_ + size_; }
  size_t size() const noexcept { return size_; }
  size_t capacity() const noexcept { return capacity_; }
  size_t bytes() const noexcept { return capacity_ * sizeof(T); }
  bool empty() const noexcept { return size_ == 0; }
  T& operator[](size_t i) noexcept { return data_[i]; }
  const T& operator[](size_t i) const noexcept { return data_[i]; }
  T& back() noexcept { return data_[size_ - 1]; }
  const T& back() const noexcept { return data_[size_ - 1]; }

  bool reserve(size_t n) noexcept { return n <= capacity_ || grow_to(n); }

  // New elements are not initialised.
  bool resize(size_t n) noexcept {
    if (!reserve(n)) return false;
    size_ = n;
    return true;
  }

  // Every element becomes `value`.
  bool assign(size_t n, const T& value) noexcept {
    if (!resize(n)) return false;
    for (size_t i = 0; i < n; ++i) data_[i] = value;
    return true;
  }

  bool push(const T& value) noexcept {
    if (size_ == capacity_) {
      const T copy = value;  // `value` may lie inside this buffer
      if (!grow_to(capacity_ + capacity_ / 2 + 8)) return false;
      data_[size_++] = copy;
      return true;
    }
    data_[size_++] = value;
    return true;
  }

  void pop() noexcept { --size_; }
  void clear() noexcept { size_ = 0; }
  void release() noexcept {
    if (data_) ::operator delete (data_, std::align_val_t{kAlign});
    data_ = nullptr;
    size_ = capacity_ = 0;
  }
  void swap(Buffer& other) noexcept {
    T* d = data_;
    size_t s = size_, c = capacity_;
    data_ = other.data_, size_ = other.size_, capacity_ = other.capacity_;
    other.data_ = d, other.size_ = s, other.capacity_ = c;
  }

 private:
  // A cache line, so that vector loads of whole tiles never straddle one.
  static constexpr size_t kAlign = alignof(T) > 64 ? alignof(T) : 64;

  bool grow_to(size_t n) noexcept {
    if (n > SIZE_MAX / 2 / sizeof(T)) return false;
    void* fresh = ::operator new (n * sizeof(T), std::align_val_t{kAlign}, std::nothrow);
    if (!fresh) return false;
    if (size_) std::memcpy(fresh, static_cast<const void*>(data_), size_ * sizeof(T));
    if (data_) ::operator delete (data_, std::align_val_t{kAlign});
    data_ = static_cast<T*>(fresh);
    capacity_ = n;
    return true;
  }

  T* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace octile::detail
