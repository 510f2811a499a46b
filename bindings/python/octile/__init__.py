# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""Exact, deterministic path finding on grids.

    import numpy as np, octile

    grid = np.ones((50, 80), bool)              # True: free
    grid[10:40, 30] = False
    view = octile.Engine(grid).view()
    answer = view.find((5, 20), (70, 25))       # cells are (x, y), arrays [y, x]
    answer.cost, answer.path                    # (n, 2) int32

An `Engine` owns a map (`engine.map`) and those who walk on it (`Profile`), and publishes immutable
`View`s, which any number of threads may ask. A `Searcher` is the workspace of one thread; `View.find`
uses that of its own. All calls release the GIL. What makes no sense raises `Error` (mostly
`BadArgument`) with a status and one line; whether there is a path is no error, but `Answer.status`.
What holds memory of the library has `close()`, works in a `with`, and is given back with the last
reference.
"""

from ._abi import (DIRECTION_AT_GOAL, DIRECTION_UNREACHED, Defect, Diagonal, FieldChange, Format, Formation, IndexKind,
                   LoadMode, Metric, Moves, Objective, Outcome, Output, PlanStatus, Status, TraceKind)
from ._base import BadArgument, Cancel, Cancelled, Error, OutOfMemory, lib as _lib
from ._views import Index, IndexInfo, Profile, View, ViewInfo
from ._world import MAP_KINDS, EditLog, Engine, Map, MapInfo, MapKind, generate
from ._search import (SCEN_QUERY, SOLVERS, WALL, Answer, Batch, BatchAnswer, Field, FieldMaker, Searcher, Solver,
                      Trace, parse_scen)
from ._agents import GroupOrder, Plan, PlanCosts, PlannerInfo, PlanReport, StepPlanner


def _version() -> str:
    number = _lib.octile_version()
    return f"{number >> 16}.{number >> 8 & 255}.{number & 255}"


#: Of the native library.
__version__ = _version()


def handle_count() -> int:
    """How many things of the library are alive in this process: for tests."""
    return int(_lib.octile_handle_count())


__all__ = [
    "Answer", "BadArgument", "Batch", "BatchAnswer", "Cancel", "Cancelled", "DIRECTION_AT_GOAL",
    "DIRECTION_UNREACHED", "Defect", "Diagonal", "EditLog", "Engine", "Error", "Field", "FieldChange", "FieldMaker",
    "Format", "Formation", "GroupOrder", "Index", "IndexInfo", "IndexKind", "LoadMode", "MAP_KINDS", "Map", "MapInfo",
    "MapKind", "Metric", "Moves", "Objective", "Outcome", "OutOfMemory", "Output", "Plan", "PlanCosts", "PlanReport",
    "PlanStatus", "PlannerInfo", "Profile", "SCEN_QUERY", "SOLVERS", "Searcher", "Solver", "Status", "StepPlanner",
    "Trace", "TraceKind", "View", "ViewInfo", "WALL", "generate", "handle_count", "parse_scen",
]
