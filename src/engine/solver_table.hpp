// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The one list of solvers. Tests, benchmarks, the command line and the faces enumerate it.

#include "solvers/solver.hpp"

namespace octile {

// The solver that answers `task` when the caller asked for `id`: that one, or the first along its
// chain of stand-ins that serves the task. kAuto starts at the bottom of the ladder.
SolverId choose_solver(SolverId id, const Task& task) noexcept;
// The next one along that chain.
SolverId other_solver(SolverId id) noexcept;

const Solver& solver(SolverId id) noexcept;  // not kAuto

// The solver that reads ways off tile labels.
SolverId labels_id() noexcept;
// True for solvers that answer by the View's index.
bool needs_index(SolverId id) noexcept;

// True for solvers that must not lean on anything derived from the terrain, components among it.
bool is_judge(SolverId id) noexcept;

// True when the solver that would answer a plain query tells for itself whether there is a path.
bool tells_connections(SolverId id, const Index::Impl* index) noexcept;

}  // namespace octile
