// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The kinds of agents on one map: for each View its graph and its tables of distances.

#include <new>

#include "agents/goal_tables.hpp"
#include "engine/view.hpp"

namespace octile {

constexpr size_t kMostKinds = 256;

// Null: Views of one map and version, which units of several kinds may share.
inline const char* refuse_kinds(const View* views, size_t count) noexcept {
  if (!views || count == 0) return "a view is needed";
  if (count > kMostKinds) return "there are at most 256 views";
  for (size_t i = 0; i < count; ++i) {
    if (views[i].empty()) return "a view is empty: commit first";
    // Views of one version share the table of its tiles.
    if (views[i].impl()->world.map.terrain.flat() != views[0].impl()->world.map.terrain.flat())
      return "the views are of different maps or versions";
  }
  return nullptr;
}

struct AgentKind {
  View view;
  AgentGraph graph;
  GoalTables tables;
};

// Which cells of the map units cover.
class CoveredCells {
 public:
  // False: memory is short.
  bool begin(const View& view) noexcept {
    first_ = view.first_cell();
    width_ = static_cast<size_t>(view.width());
    return covered_.assign(width_ * static_cast<size_t>(view.height()), 0);
  }
  // A unit on a passable place of its kind; false: another one covers one of its cells.
  bool add(const Profile& p, Cell place) noexcept {
    uint8_t* row = covered_.data() + static_cast<size_t>(place.y - p.anchor.y - first_.y) * width_ +
                   static_cast<size_t>(place.x - p.anchor.x - first_.x);
    bool free = true;
    for (int32_t y = 0; y < p.height; ++y, row += width_)
      for (int32_t x = 0; x < p.width; ++x) {
        free = free && !row[x];
        row[x] = 1;
      }
    return free;
  }

 private:
  Cell first_;
  size_t width_ = 0;
  Buffer<uint8_t> covered_;
};

class AgentKinds {
 public:
  AgentKinds() noexcept = default;
  ~AgentKinds() { delete[] kinds_; }
  AgentKinds(const AgentKinds&) = delete;
  AgentKinds& operator=(const AgentKinds&) = delete;

  // Once. Tables are empty afterwards, and have no limit.
  Fault build(const View* views, size_t count, const char* what) noexcept {
    if (const char* wrong = refuse_kinds(views, count)) return fault(Status::bad_argument, wrong);
    kinds_ = new (std::nothrow) AgentKind[count];
    if (!kinds_) return no_memory_for(what);
    count_ = count;
    for (size_t k = 0; k < count; ++k) {
      if (Fault f = check_whole(views[k])) return f;
      kinds_[k].view = views[k];
      if (!kinds_[k].graph.build(views[k].impl()->world)) return no_memory_for(what);
      if (!kinds_[k].tables.begin(kinds_[k].graph)) return no_memory_for(what);
    }
    return {};
  }

  void swap(AgentKinds& other) noexcept {
    std::swap(kinds_, other.kinds_);
    std::swap(count_, other.count_);
  }
  size_t size() const noexcept { return count_; }
  AgentKind& operator[](size_t k) noexcept { return kinds_[k]; }
  const AgentKind& operator[](size_t k) const noexcept { return kinds_[k]; }
  AgentKind* begin() noexcept { return kinds_; }
  AgentKind* end() noexcept { return kinds_ + count_; }
  // One kind, of one cell: agents then meet on vertices of one graph.
  bool plain() const noexcept {
    const Profile& p = kinds_[0].view.profile();
    return count_ == 1 && p.width == 1 && p.height == 1;
  }
  size_t table_bytes() const noexcept {
    size_t sum = 0;
    for (size_t k = 0; k < count_; ++k) sum += kinds_[k].tables.bytes();
    return sum;
  }
  size_t bytes() const noexcept {
    size_t sum = table_bytes();
    for (size_t k = 0; k < count_; ++k)
      sum += kinds_[k].graph.bytes() + kinds_[k].tables.fixed_bytes();
    return sum;
  }

 private:
  AgentKind* kinds_ = nullptr;
  size_t count_ = 0;
};

}  // namespace octile
