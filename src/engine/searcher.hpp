// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The inside of a Searcher: what queries remember from one slice to the next, and their memory.

#include "engine/view.hpp"
#include "search/workspace.hpp"

namespace octile {

// Of would_disconnect(): see what_if.cpp.
struct WhatIfRoom {
  struct Side {
    uint32_t parent;      // union-find; a root is its own
    uint32_t head, tail;  // its list of cells to be looked at, in `waiting`
    uint32_t component;   // of the View
    bool closed;          // all of it was looked at
  };
  struct Waiting {
    CellId id;
    uint32_t next;
  };
  Buffer<Side> sides;
  Buffer<Waiting> waiting;
  Buffer<uint32_t> live;  // sides that still grow
  size_t bytes() const noexcept { return sides.bytes() + waiting.bytes() + live.bytes(); }
};

struct Searcher::Impl {
  Workspace work;
  Buffer<CellId> aims;
  Buffer<CellId> goals;
  Buffer<uint32_t> owner;  // with goal_cover, by goal: its place in the caller's list
  Buffer<CellId> ties;
  Buffer<uint32_t> wanted;  // absent tiles: those of the goals, then all that the answer depends on
  Task task;
  SolverId solver = kAuto;
  Status success = Status::found;  // or partial, when the goals stand for one out of reach
  Output output = Output::cells;
  bool smooth = false;
  bool first = true;
  bool running = false;
  uint64_t max_expansions = 0;
  const std::atomic<bool>* cancel = nullptr;
  View held;        // by begin(), until the query has ended
  Overlay overlay;  // of the present query
  Chain steps;  // with an overlay: a path by an index, cell by cell; or what look_beyond() keeps
  Cost within = 0;  // the limit that a search past it had at first; 0: there is no such search
  uint64_t expanded = 0;  // before that search
  uint64_t generated = 0;
  WhatIfRoom what_if;
};

// Answers what find() is asked most, all cells from one cell to another and nothing else, where
// labels do. False: this is not such a question, or not such a View, and nothing was done.
bool find_by_labels(Searcher& searcher, const View& view, SolverId id, Cell from, Cell to,
                    Path& path) noexcept;

// Room for n values in the Searcher, kept for the next call; null when memory is short.
uint32_t* label_room(Searcher& searcher, size_t n) noexcept;

}  // namespace octile
