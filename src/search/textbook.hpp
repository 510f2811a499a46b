// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// A* as the tutorials write it, made correct, with the open list to be filled in: nodes of all
// cells in one row-major array, the neighbours of a cell precomputed (a byte of the Layer), the
// search ends when the goal is taken from the open list. Kept as the yardstick "textbook", so the
// flow is theirs and not that of best_first.

#include <bit>

#include "search/workspace.hpp"

namespace octile {

// The tutorials' order: lower f, then lower estimate (f - g).
inline bool before(const TextbookNode& a, const TextbookNode& b) noexcept {
  return a.f != b.f ? a.f < b.f : a.g > b.g;
}

template <class Open>
Progress textbook_search(Workspace& w, const Task& task) noexcept {
  const WorldView& world = *task.world;
  const TileGrid& grid = world.map.grid;
  const auto width = static_cast<uint32_t>(grid.width);
  State& state = w.state;
  state.begin(task.limit);
  w.watch.begin(task);
  w.chain.clear();

  // 1. Nodes. Stamps stand for clearing them; when they run out they are cleared after all.
  const size_t cells = size_t(grid.width) * size_t(grid.height);
  const size_t old = w.textbook.size();
  if (old < cells) {
    if (!w.textbook.resize(cells)) return Progress::out_of_memory;
    for (size_t i = old; i < cells; ++i) w.textbook[i].stamp = 0;
  }
  if (++w.textbook_generation == 1u << 31) {
    for (TextbookNode& n : w.textbook) n.stamp = 0;
    w.textbook_generation = 1;
  }
  const uint32_t opened = w.textbook_generation << 1;
  TextbookNode* nodes = w.textbook.data();
  const auto index = [&](CellId id) { return (grid.py(id) - 64) * width + grid.px(id) - 64; };
  const auto id_of = [&](uint32_t cell) { return grid.id(cell % width + 64, cell / width + 64); };
  const uint32_t goal = index(task.goal());
  const auto goal_x = static_cast<int32_t>(goal % width),
             goal_y = static_cast<int32_t>(goal / width);
  const auto estimate = [&](int32_t x, int32_t y) {
    const int32_t dx = x < goal_x ? goal_x - x : x - goal_x;
    const int32_t dy = y < goal_y ? goal_y - y : y - goal_y;
    return task.costs->estimate(static_cast<Cost>(dx), static_cast<Cost>(dy));
  };

  // 2. The start.
  Open open(w);
  const uint32_t start = index(task.start);
  nodes[start] = {
      0, estimate(static_cast<int32_t>(start % width), static_cast<int32_t>(start / width)), start,
      0, opened};
  if (!open.add(start)) return Progress::out_of_memory;
  ++state.generated;
  w.watch.on_open(task.start, 0);

  // 3. Take the best, look at its neighbours.
  uint32_t end = start;
  while (!open.empty()) {
    const uint32_t cell = open.take();
    TextbookNode& node = nodes[cell];
    node.stamp = opened | 1;
    ++state.expanded;
    const CellId id = id_of(cell);
    w.watch.on_close(id, node.g);
    if (cell == goal) {
      state.reach(id, node.g, 0, false);
      break;
    }
    const auto x = static_cast<int32_t>(cell % width), y = static_cast<int32_t>(cell / width);
    const int32_t* step = task.layer->steps.of(id);
    for (uint32_t moves = task.layer->moves(id); moves; moves &= moves - 1) {
      const auto d = static_cast<uint32_t>(std::countr_zero(moves));
      const int32_t to_x = x + kDx[d], to_y = y + kDy[d];
      const auto to = static_cast<uint32_t>(to_y) * width + static_cast<uint32_t>(to_x);
      TextbookNode& next = nodes[to];
      if (next.stamp == (opened | 1)) continue;
      const CellId to_id = id + static_cast<uint32_t>(step[d]);
      const Cost cost = (d & 1 ? task.costs->steps.diagonal : task.costs->steps.straight) *
                        (task.costs->uniform ? 1 : task.weight(to_id));
      if (cost > kMaxCost - node.g) {
        state.overflow = true;
        continue;
      }
      const Cost g = node.g + cost;
      const bool seen = next.stamp == opened;
      if (seen && g >= next.g) continue;
      const Cost f = g + estimate(to_x, to_y);
      if (f >= task.limit) {
        state.cut = true;
        continue;
      }
      next.g = g;
      next.f = f;
      next.parent = cell;
      next.stamp = opened;
      w.watch.on_open(to_id, g);
      if (seen) {
        open.lowered(to);
      } else {
        ++state.generated;
        if (!open.add(to)) return Progress::out_of_memory;
      }
    }
  }

  // 4. Walk the parents back.
  if (state.found) {
    end = goal;
  } else if (w.watch.nearest.id != kNoCell) {
    end = index(w.watch.nearest.id);
  } else {
    return Progress::ended;
  }
  size_t length = 1;
  for (uint32_t at = end; at != start; at = nodes[at].parent) ++length;
  if (!w.chain.resize(length)) return Progress::out_of_memory;
  for (uint32_t at = end;; at = nodes[at].parent) {
    w.chain[--length] = id_of(at);
    if (at == start) break;
  }
  return Progress::ended;
}

}  // namespace octile
