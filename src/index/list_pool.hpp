// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Many short lists in one array. A list that outgrows its run moves to one of twice the length;
// runs that were left behind serve others.

#include <algorithm>
#include <bit>

#include "octile/detail/buffer.hpp"

namespace octile {

template <class T>
class ListPool {
 public:
  // Empty lists. False, here and below: memory is short.
  bool begin(uint32_t lists) noexcept {
    pool_.clear();
    std::fill(std::begin(spare_), std::end(spare_), kNone);
    return list_.assign(lists, {0, 0, 0});
  }
  bool add_list() noexcept { return list_.push({0, 0, 0}); }

  uint32_t lists() const noexcept { return static_cast<uint32_t>(list_.size()); }
  uint32_t size(uint32_t list) const noexcept { return list_[list].size; }
  T* begin_of(uint32_t list) noexcept { return pool_.data() + list_[list].first; }
  T* end_of(uint32_t list) noexcept { return begin_of(list) + list_[list].size; }
  const T* begin_of(uint32_t list) const noexcept { return pool_.data() + list_[list].first; }
  const T* end_of(uint32_t list) const noexcept { return begin_of(list) + list_[list].size; }

  bool insert(uint32_t list, uint32_t at, const T& value) noexcept {
    if (list_[list].size == list_[list].room && !grow(list_[list])) return false;
    List& l = list_[list];
    T* place = pool_.data() + l.first + at;
    std::memmove(place + 1, place, (l.size - at) * sizeof(T));
    *place = value;
    ++l.size;
    return true;
  }
  void erase(uint32_t list, uint32_t at) noexcept {
    List& l = list_[list];
    T* place = pool_.data() + l.first + at;
    std::memmove(place, place + 1, (l.size - at - 1) * sizeof(T));
    --l.size;
  }
  bool assign(uint32_t list, const T* values, uint32_t count) noexcept {
    while (list_[list].room < count)
      if (!grow(list_[list])) return false;
    std::copy_n(values, count, pool_.data() + list_[list].first);
    list_[list].size = count;
    return true;
  }
  void clear(uint32_t list) noexcept { list_[list].size = 0; }
  size_t bytes() const noexcept { return pool_.bytes() + list_.bytes(); }

 private:
  struct List {
    uint32_t first, size, room;
  };
  static constexpr uint32_t kNone = UINT32_MAX, kLeast = 8;
  static_assert(sizeof(T) >= sizeof(uint32_t));

  uint32_t read_link(uint32_t at) const noexcept {
    uint32_t link;
    std::memcpy(&link, pool_.data() + at, sizeof link);
    return link;
  }

  bool grow(List& list) noexcept {
    const uint32_t room = list.room ? 2 * list.room : kLeast;
    uint32_t& spare = spare_[std::bit_width(room) - 1];
    uint32_t first = spare;
    if (first != kNone) {
      spare = read_link(first);
    } else {
      const size_t end = pool_.size() + room;
      if (end >= kNone || (end > pool_.capacity() && !pool_.reserve(end / 2 * 3 + 64)) ||
          !pool_.resize(end))
        return false;
      first = static_cast<uint32_t>(end - room);
    }
    if (list.room) {
      std::copy_n(pool_.data() + list.first, list.size, pool_.data() + first);
      uint32_t& left = spare_[std::bit_width(list.room) - 1];
      std::memcpy(static_cast<void*>(pool_.data() + list.first), &left, sizeof left);
      left = list.first;
    }
    list.first = first;
    list.room = room;
    return true;
  }

  detail::Buffer<T> pool_;
  detail::Buffer<List> list_;
  uint32_t spare_[32];  // by log2 of their length: runs that are free, linked by their first word
};

}  // namespace octile
