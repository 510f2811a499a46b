// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The interface of a solver: one algorithm, stateless; what it remembers lies in the Workspace. One
// virtual call a slice, none below. See docs/add_a_solver.md.

#include "search/workspace.hpp"

namespace octile {

class Solver {
 public:
  virtual const SolverInfo& info() const noexcept = 0;

  // True when this solver answers this task itself; else the one that info().otherwise names is
  // asked.
  virtual bool serves(const Task& task) const noexcept = 0;

  // Works on the task for about `budget` expansions, from the beginning when `first`. At
  // Progress::ended, workspace.state tells what was found, and if so workspace.chain (empty at the
  // first call) holds the path; or, when task.cells is set, the solver has written the path there
  // itself, with its cost, and set workspace.written; or, when it finds that it cannot tell, it has
  // set workspace.declined, and the one that info().otherwise names is asked.
  virtual Progress run(Workspace& workspace, const Task& task, bool first,
                       uint64_t budget) const noexcept = 0;

  // With task.nearest, for a search that paused or ended without reaching a goal: fills
  // workspace.chain with the path to the nearest reached cell. False: memory is short.
  virtual bool settle(Workspace& workspace, const Task&) const noexcept {
    return workspace.watch.nearest.id == kNoCell ||
           unwind(workspace.nodes, workspace.watch.nearest.id, kNoCell, &workspace.chain);
  }

 protected:
  ~Solver() = default;
};

// One definition per file in solvers/; the table in engine/solver_table.cpp lists them.
extern const Solver& dijkstra_solver;
extern const Solver& textbook_list_solver;
extern const Solver& textbook_heap_solver;
extern const Solver& astar_solver;
extern const Solver& jps_solver;
extern const Solver& portals_solver;
extern const Solver& quadtree_solver;
extern const Solver& line_solver;
extern const Solver& subgoal_solver;
extern const Solver& labels_solver;
extern const Solver& stale_labels_solver;

// Not in the table: portals and quadtree without the exact search that answers what is short, so
// that tests see the rest of them.
extern const Solver& portals_unaided;
extern const Solver& quadtree_unaided;

}  // namespace octile
