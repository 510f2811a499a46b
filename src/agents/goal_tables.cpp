// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "agents/goal_tables.hpp"

#include <bit>
#include <cstring>

namespace octile {

namespace {

// Eight moves: where a search goes on from a cell that it entered in direction d from a cell with
// these moves, as far as the cell's own moves allow. All other neighbours are reached from the cell
// before without this one, no later, and with fewer diagonal moves or earlier ones: by one of
// these moves, then straight on, which is always possible between two passable cells.
//
//   straight    ahead, unless the cell before can go there
//               by its diagonal move beside d: the cell beside this one, and diagonally ahead of it
//               by its straight move beside d: diagonally behind
//   diagonal    ahead, and by both of its straight parts, unless the cell before can go there
//               by one of these parts: the two other cells on that side
struct Onward {
  uint8_t of[8][256] = {};
  constexpr Onward() {
    for (uint32_t d = 0; d < 8; ++d)
      for (uint32_t moves = 0; moves < 256; ++moves) {
        const auto bit = [d](uint32_t turn) { return uint32_t{1} << (d + turn) % 8; };
        uint32_t to = bit(0);
        for (const uint32_t side : {1u, 7u}) {
          if (d % 2 == 0) {
            if (!(moves & bit(side))) to |= bit(side) | bit(2 * side);
            if (!(moves & bit(2 * side))) to |= bit(3 * side);
          } else {
            to |= bit(side);
            if (!(moves & bit(side))) to |= bit(2 * side) | bit(3 * side);
          }
        }
        of[d][moves] = static_cast<uint8_t>(to);
      }
  }
};
constexpr Onward kOnward;

}  // namespace

bool GoalTables::begin(const AgentGraph& graph) noexcept {
  release();
  graph_ = &graph;
  return layout_.build(graph) && table_of_.assign(graph.size, kNone) && queue_.resize(graph.size) &&
         grid_.resize(layout_.blank().size()) &&
         onward_.resize(graph.stride == 4 ? 0 : layout_.blank().size());
}

void GoalTables::release() noexcept {
  arena_.release();
  tables_.release();
  table_of_.release();
  queue_.release();
  grid_.release();
  onward_.release();
  layout_.release();
  oldest_ = newest_ = kNone;
}

uint32_t GoalTables::take(Vertex goal) noexcept {
  uint32_t t = table_of_[goal];
  if (t == kNone) {
    uint8_t* lines = nullptr;
    if (oldest_ != kNone && bytes() >= most_bytes) {
      t = oldest_;
      unlink(t);
      lines = tables_[t].lines;
      table_of_[tables_[t].goal] = kNone;
    } else {
      lines = arena_.take<uint8_t>(row_bytes() + 1);
      if (!lines || !tables_.push(Table{})) return kNone;
      t = static_cast<uint32_t>(tables_.size() - 1);
    }
    std::memset(lines, 0xff, row_bytes());
    tables_[t] = {lines, goal, 0, kNone, kNone, 0, false};
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
  uint32_t cell = layout_.cell(from);
  grow(table, cell);
  if (remainder(table, cell) == kUnknown) return kNoWay;
  uint64_t steps = 0;
  // Straight on as long as that is nearer: one remainder to be read.
  uint32_t d = 0, r = remainder(table, cell);
  for (const uint32_t goal = layout_.cell(table.goal); cell != goal; ++steps) {
    r = r == 0 ? 2 : r - 1;
    uint32_t to = cell + static_cast<uint32_t>(layout_.offset(d));
    if (!(layout_.moves()[cell] >> d & 1) || remainder(table, to) != r) {
      d = static_cast<uint32_t>(std::countr_zero(directions_at(t, cell).nearer));
      to = cell + static_cast<uint32_t>(layout_.offset(d));
    }
    cell = to;
  }
  return steps;
}

void GoalTables::know(uint32_t t, uint32_t cell) noexcept {
  grow(tables_[t], cell);
  for (uint32_t moves = layout_.moves()[cell]; moves; moves &= moves - 1) {
    const auto d = static_cast<uint32_t>(std::countr_zero(moves));
    grow(tables_[t], cell + static_cast<uint32_t>(layout_.offset(d)));
  }
}

void GoalTables::grow(Table& table, uint32_t cell) noexcept {
  if (table.complete || remainder(table, cell) != kUnknown) return;
  return graph_->stride == 4 ? search<true>(table, cell) : search<false>(table, cell);
}

template <bool kFour>
void GoalTables::search(Table& table, uint32_t wanted) noexcept {
  uint8_t* grid = grid_.data();
  uint8_t* onward = onward_.data();
  const uint8_t* moves = layout_.moves();
  uint32_t* queue = queue_.data();
  uint32_t offset[8];
  for (uint32_t d = 0; d < 8; ++d) offset[d] = static_cast<uint32_t>(layout_.offset(d));
  size_t head = 0, tail = 0;
  const bool first = table.level == 0;
  std::memcpy(grid, layout_.blank().data(), layout_.blank().size());
  const auto begin_at = [&](uint32_t cell) {
    if constexpr (!kFour) onward[cell] = 0xff;
    queue[tail++] = cell;
  };
  if (first) {
    const uint32_t goal = layout_.cell(table.goal);
    grid[goal] = 0;
    begin_at(goal);
  } else {
    layout_.unpack(table.lines, grid);
    const auto last = static_cast<uint32_t>(table.level % 3);
    for (Vertex u = 0; u < graph_->size; ++u)
      if (grid[layout_.cell(u)] == last) begin_at(layout_.cell(u));
  }
  uint64_t last_level = UINT64_MAX;
  for (size_t end = tail; head < end && table.level < last_level; end = tail) {
    const uint64_t level = ++table.level;
    const auto r = static_cast<uint8_t>(level % 3);
    for (; head < end; ++head) {
      const uint32_t from = queue[head];
      if constexpr (kFour) {
        for (uint32_t d = 0; d < 8; d += 2) {
          const uint32_t to = from + offset[d];
          if (grid[to] != kUnknown) continue;
          grid[to] = r;
          queue[tail++] = to;
        }
      } else {
        const uint32_t own = moves[from];
        for (uint32_t left = own & onward[from]; left; left &= left - 1) {
          const auto d = static_cast<uint32_t>(std::countr_zero(left));
          const uint32_t to = from + offset[d];
          if (grid[to] == kUnknown) {
            grid[to] = r;
            onward[to] = kOnward.of[d][own];
            queue[tail++] = to;
          } else if (grid[to] == r) {
            onward[to] |= kOnward.of[d][own];  // from here the best way may lead on elsewhere
          }
        }
      }
    }
    // Agents are pushed about: some levels more than their own.
    if (first && !whole && last_level == UINT64_MAX && grid[wanted] != kUnknown)
      last_level = level + level / 8 + 8;
  }
  table.complete = head == tail;
  layout_.pack(grid, table.lines);
}

}  // namespace octile
