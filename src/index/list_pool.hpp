// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Many short lists in an arena. A list that outgrows its run moves to one of twice the length; runs
// that were left behind serve others. All the rest stays where it is, however much is added.

#include <algorithm>
#include <bit>

#include "base/arena.hpp"

namespace octile {

template <class T>
class ListPool {
 public:
  // Empty lists. False, here and below: memory is short.
  bool begin(uint32_t lists) noexcept {
    memory_.rewind();
    std::fill(std::begin(spare_), std::end(spare_), nullptr);
    return list_.assign(lists, {nullptr, 0, 0});
  }
  bool add_list() noexcept { return list_.push({nullptr, 0, 0}); }

  uint32_t lists() const noexcept { return static_cast<uint32_t>(list_.size()); }
  uint32_t size(uint32_t list) const noexcept { return list_[list].size; }
  T* begin_of(uint32_t list) noexcept { return list_[list].first; }
  T* end_of(uint32_t list) noexcept { return list_[list].first + list_[list].size; }
  const T* begin_of(uint32_t list) const noexcept { return list_[list].first; }
  const T* end_of(uint32_t list) const noexcept { return list_[list].first + list_[list].size; }
  // Asks for what begin_of() reads.
  void prefetch(uint32_t list) const noexcept { __builtin_prefetch(&list_[list]); }

  bool push(uint32_t list, const T& value) noexcept {
    List& l = list_[list];
    if (l.size == l.room && !grow(l)) return false;
    l.first[l.size++] = value;
    return true;
  }

  bool insert(uint32_t list, uint32_t at, const T& value) noexcept {
    List& l = list_[list];
    if (l.size == l.room && !grow(l)) return false;
    T* place = l.first + at;
    std::memmove(place + 1, place, (l.size - at) * sizeof(T));
    *place = value;
    ++l.size;
    return true;
  }
  void erase(uint32_t list, uint32_t at) noexcept {
    List& l = list_[list];
    T* place = l.first + at;
    std::memmove(place, place + 1, (l.size - at - 1) * sizeof(T));
    --l.size;
  }
  bool assign(uint32_t list, const T* values, uint32_t count) noexcept {
    while (list_[list].room < count)
      if (!grow(list_[list])) return false;
    std::copy_n(values, count, list_[list].first);
    list_[list].size = count;
    return true;
  }
  // Keeps the first so many.
  void cut(uint32_t list, uint32_t count) noexcept { list_[list].size = count; }
  size_t bytes() const noexcept { return memory_.bytes() + list_.bytes(); }

 private:
  struct List {
    T* first;
    uint32_t size, room;
  };
  static constexpr uint32_t kLeast = 8;
  static_assert(kLeast * sizeof(T) >= sizeof(T*));

  bool grow(List& list) noexcept {
    const uint32_t room = list.room ? 2 * list.room : kLeast;
    T*& spare = spare_[std::bit_width(room) - 1];
    T* first = spare;
    if (first)
      std::memcpy(&spare, static_cast<const void*>(first), sizeof(T*));
    else
      first = memory_.take<T>(room);
    if (!first) return false;
    if (list.room) {
      std::copy_n(list.first, list.size, first);
      T*& left = spare_[std::bit_width(list.room) - 1];
      std::memcpy(static_cast<void*>(list.first), &left, sizeof(T*));
      left = list.first;
    }
    list.first = first;
    list.room = room;
    return true;
  }

  Arena memory_;
  detail::Buffer<List> list_;
  T* spare_[32];  // by log2 of their length: runs that are free, linked by their first bytes
};

}  // namespace octile
