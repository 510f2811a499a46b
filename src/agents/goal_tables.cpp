// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "agents/goal_tables.hpp"

namespace octile {

bool GoalTables::begin(const AgentGraph& graph) noexcept {
  release();
  graph_ = &graph;
  return table_of_.assign(graph.size, kNone) && queue_.resize(graph.size) &&
         spread_.assign(4 * row_bytes(), kUnknown);
}

void GoalTables::release() noexcept {
  arena_.release();
  tables_.release();
  table_of_.release();
  queue_.release();
  spread_.release();
  oldest_ = newest_ = kNone;
}

uint32_t GoalTables::take(Vertex goal) noexcept {
  uint32_t t = table_of_[goal];
  if (t == kNone) {
    uint8_t* row = nullptr;
    if (oldest_ != kNone && bytes() >= most_bytes) {
      t = oldest_;
      unlink(t);
      row = tables_[t].remainders;
      table_of_[tables_[t].goal] = kNone;
    } else {
      row = arena_.take<uint8_t>(row_bytes());
      if (!row || !tables_.push(Table{})) return kNone;
      t = static_cast<uint32_t>(tables_.size() - 1);
    }
    std::memset(row, 0xff, row_bytes());
    row[goal / 4] ^= static_cast<uint8_t>(kUnknown << 2 * (goal % 4));
    tables_[t] = {row, goal, 0, kNone, kNone, 0, false};
    table_of_[goal] = t;
  } else if (tables_[t].users == 0) {
    unlink(t);
  }
  ++tables_[t].users;
  return t;
}

void GoalTables::give(uint32_t t) noexcept {
  if (--tables_[t].users > 0) return;
  tables_[t].older = newest_;
  tables_[t].newer = kNone;
  (newest_ == kNone ? oldest_ : tables_[newest_].newer) = t;
  newest_ = t;
}

void GoalTables::unlink(uint32_t t) noexcept {
  const Table& table = tables_[t];
  (table.older == kNone ? oldest_ : tables_[table.older].newer) = table.newer;
  (table.newer == kNone ? newest_ : tables_[table.newer].older) = table.older;
}

uint64_t GoalTables::way(uint32_t t, Vertex from) noexcept {
  Table& table = tables_[t];
  grow(table, from);
  if (remainder(table.remainders, from) == kUnknown) return kNoWay;
  uint64_t steps = 0;
  for (Vertex at = from; at != table.goal; ++steps) {
    const Vertex* near = graph_->near.data() + size_t{at} * graph_->stride;
    uint32_t k = 0;
    while (step(t, at, near[k]) >= 0) ++k;
    at = near[k];
  }
  return steps;
}

void GoalTables::grow(Table& table, Vertex v) noexcept {
  if (table.complete || remainder(table.remainders, v) != kUnknown) return;
  return graph_->stride == 4 ? search<4>(table, v) : search<8>(table, v);
}

template <uint32_t kStride>
void GoalTables::search(Table& table, Vertex v) noexcept {
  uint8_t* remainder_of = spread_.data();
  const Vertex* near = graph_->near.data();
  Vertex* queue = queue_.data();
  size_t head = 0, tail = 0;
  const bool first = table.level == 0;
  if (first) {
    std::memset(remainder_of, kUnknown, graph_->size);
    remainder_of[table.goal] = 0;
    queue[tail++] = table.goal;
  } else {
    const auto last = static_cast<uint32_t>(table.level % 3);
    for (Vertex u = 0; u < graph_->size; ++u) {
      const uint32_t r = remainder(table.remainders, u);
      remainder_of[u] = static_cast<uint8_t>(r);
      if (r == last) queue[tail++] = u;
    }
  }
  uint64_t last_level = UINT64_MAX;
  for (size_t end = tail; head < end && table.level < last_level; end = tail) {
    const uint64_t level = ++table.level;
    const auto r = static_cast<uint8_t>(level % 3);
    for (; head < end; ++head) {
      const Vertex* to = near + size_t{queue[head]} * kStride;
      for (uint32_t k = 0; k < kStride; ++k) {
        if (remainder_of[to[k]] != kUnknown) continue;
        remainder_of[to[k]] = r;
        queue[tail++] = to[k];
      }
    }
    // Agents are pushed about: some levels more than their own.
    if (first && !whole && last_level == UINT64_MAX && remainder_of[v] != kUnknown)
      last_level = level + level / 8 + 8;
  }
  table.complete = head == tail;
  pack(table.remainders);
}

void GoalTables::pack(uint8_t* row) const noexcept {
  const uint8_t* from = spread_.data();
  const size_t bytes = row_bytes();
  for (size_t i = 0; i < bytes; i += 2, from += 8) {
    // Eight bytes of two bits, then four of four, two of eight, one of sixteen.
    uint64_t x = 0;
    for (uint32_t k = 0; k < 8; ++k) x |= uint64_t{from[k]} << 8 * k;
    x = (x | x >> 6) & 0x000f000f000f000f;
    x = (x | x >> 12) & 0x000000ff000000ff;
    x |= x >> 24;
    row[i] = static_cast<uint8_t>(x);
    row[i + 1] = static_cast<uint8_t>(x >> 8);
  }
}

}  // namespace octile
