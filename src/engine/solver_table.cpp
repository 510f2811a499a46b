// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "engine/solver_table.hpp"

#include <cstring>

#include "index/path_index.hpp"

namespace octile {

namespace {

constexpr SolverInfo kAutoInfo{"auto", "the fastest exact solver for the map and the query",
                               "everything", "", true};

// By id; the first place is auto's.
const Solver* const kTable[] = {
    nullptr,       &dijkstra_solver, &textbook_list_solver, &textbook_heap_solver,
    &astar_solver, &jps_solver,      &portals_solver,       &quadtree_solver,
    &line_solver,  &subgoal_solver,  &labels_solver,        &stale_labels_solver,
};
constexpr SolverId kCount = sizeof kTable / sizeof kTable[0];

}  // namespace

int32_t solver_count() noexcept {
  return kCount;
}

const SolverInfo& solver_info(SolverId id) noexcept {
  static constexpr SolverInfo kNone{};
  if (id < 0 || id >= kCount) return kNone;
  return id == kAuto ? kAutoInfo : kTable[id]->info();
}

SolverId solver_id(const char* name) noexcept {
  if (!name) return -1;
  for (SolverId id = 0; id < kCount; ++id)
    if (std::strcmp(solver_info(id).name, name) == 0) return id;
  return -1;
}

SolverId other_solver(SolverId id) noexcept {
  // Names are compared once: a short query takes no longer than that.
  struct Others {
    SolverId of[kCount];
    Others() noexcept {
      for (SolverId i = 0; i < kCount; ++i) of[i] = solver_id(solver_info(i).otherwise);
    }
  };
  static const Others others;
  return others.of[id];
}

SolverId choose_solver(SolverId id, const Task& task) noexcept {
  if (id == kAuto) id = kCount - 1;  // the last one, then what it names
  while (!kTable[id]->serves(task)) id = other_solver(id);
  return id;
}

const Solver& solver(SolverId id) noexcept {
  return *kTable[id];
}

SolverId labels_id() noexcept {
  static const SolverId id = solver_id(labels_solver.info().name);
  return id;
}

bool tells_connections(SolverId id, const Index::Impl* index) noexcept {
  return index && index->info.kind == IndexKind::tile_labels && (id == kAuto || id == labels_id());
}

bool needs_index(SolverId id) noexcept {
  return id != kAuto && (kTable[id] == &labels_solver || kTable[id] == &subgoal_solver);
}

bool is_judge(SolverId id) noexcept {
  return id != kAuto && kTable[id] == &dijkstra_solver;
}

}  // namespace octile
