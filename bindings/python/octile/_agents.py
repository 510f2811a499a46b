# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""Many units: group orders, the step planner, plans without collisions."""

from __future__ import annotations

from ctypes import byref, c_size_t, sizeof
from typing import Any, Callable, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _abi, _base
from ._abi import Defect, Formation, Objective, PlanStatus
from ._base import BadArgument, Cancel, Cell, Cells, Handle, address, alive, check, integer, lib, named, needed
from ._search import Searcher, of_this_thread
from ._views import View


class GroupOrder:
    """One order for many units: a slot around the goal for each.

    views: the view that all walk by, or one for each kind of unit, all of one map, with kinds (n,) the
    number of each unit's. cells: (n, 2) where they stand. formation: "compact", "box", "column", "wedge",
    "keep_shape". facing: the direction that it looks to, (0, 0): from the units to the goal. spacing:
    cells between two units, 0 to 32. files: units abreast in a box or column. allow_partial: who cannot
    reach the goal goes as near as can be. friends: other units on the map as (cells, headings, speeds):
    (n, 2) where they stand, (n, 2) the directions that they go to, (0, 0): they rest, and (n,) or one for
    all their share of full speed, 0 to 1; ways past them cost more, friend_costs: straight steps for one
    that moves and one that rests, and nobody gets a slot where one rests. Raises `Error` (goal_out_of_bounds).

    status: (n,) int32 of `Status`; cells: (n, 2) int32, the slots, or the unit's own cell without one;
    rank: (n,) how far behind the foremost slot; distance: (n,) cost of the way to it, inf without;
    pace: (n,) share of full speed at which all arrive together. placed, partial, left: units of each
    fate; optimal: who takes which slot is the best there is; longest, total: of the distances.
    """

    _slot = np.dtype([("status", np.int32), ("cell", np.int32, (2,)), ("rank", np.uint32), ("distance", np.float64),
                      ("pace", np.float64)], align=True)
    _unit = np.dtype([("cell", np.int32, (2,)), ("view", np.uint32)], align=True)
    _friend = np.dtype([("cell", np.int32, (2,)), ("heading", np.int32, (2,)), ("speed", np.float64)])

    def __init__(self, views: Union[View, Sequence[View]], cells: Cells, goal: Cell, *, kinds: Optional[Any] = None,
                 formation: Union[str, Formation] = "compact", facing: Cell = (0, 0), spacing: int = 0, files: int = 0,
                 allow_partial: bool = True, friends: Optional[Tuple[Cells, Cells, Any]] = None,
                 friend_costs: Tuple[float, float] = (1, 4), searcher: Optional[Searcher] = None):
        several = [views] if isinstance(views, View) else list(views)
        numbers = np.array([needed(view, View, "views") for view in several], np.uint64)
        where = _base.cells(cells, "cells")
        units = np.zeros(len(where), self._unit)
        units["cell"] = where
        if kinds is not None:
            which = np.asarray(kinds)
            if which.shape != (len(where),) or which.dtype.kind not in "iu":
                raise BadArgument(f"kinds: whole numbers of the shape ({len(where)},) are wanted")
            if len(which) and (which.min() < 0 or which.max() >= len(several)):
                raise BadArgument(f"kinds: numbers of 0 to {len(several) - 1} are wanted")
            units["view"] = which
        options = _abi.octile_group_options()
        check(lib.octile_group_options_init(byref(options)))
        options.formation = named(Formation, formation, "formation")
        options.facing = _abi.octile_cell(*_base.cell(facing, "facing"))
        options.spacing, options.files = integer(spacing, "spacing"), integer(files, "files")
        options.allow_partial = bool(allow_partial)
        others = self._friends_of(friends)
        options.friends, options.friend_count = address(others), len(others)
        try:
            moving, resting = friend_costs
            options.friend_moving, options.friend_resting = float(moving), float(resting)
        except (TypeError, ValueError):
            raise BadArgument("friend_costs: two numbers are wanted, of one that moves and one that rests") from None
        slots, answer = np.empty(len(where), self._slot), _abi.octile_group_answer()
        answer.size = sizeof(answer)
        target = _abi.octile_cell(*_base.cell(goal, "goal"))
        worker = of_this_thread() if searcher is None else searcher
        check(lib.octile_group_order(needed(worker, Searcher, "searcher"), address(numbers), len(numbers),
                                     address(units), len(units), byref(target), byref(options), address(slots),
                                     byref(answer)))
        self.status: NDArray[np.int32] = slots["status"]
        self.cells: NDArray[np.int32] = slots["cell"]
        self.rank: NDArray[np.uint32] = slots["rank"]
        self.distance: NDArray[np.float64] = slots["distance"]
        self.pace: NDArray[np.float64] = slots["pace"]
        self.optimal = bool(answer.optimal)
        self.placed, self.partial, self.left = answer.placed, answer.partial, answer.left
        self.longest, self.total = answer.longest, answer.total

    @classmethod
    def _friends_of(cls, friends: Any) -> NDArray[Any]:
        if friends is None:
            return np.empty(0, cls._friend)
        try:
            stand, go, speed = friends
        except (TypeError, ValueError):
            raise BadArgument("friends: (cells, headings, speeds) is wanted") from None
        where, headings = _base.cells(stand, "friends"), _base.cells(go, "headings of friends")
        if len(where) != len(headings):
            raise BadArgument("friends: as many headings are wanted as cells")
        out = np.zeros(len(where), cls._friend)
        out["cell"], out["heading"] = where, headings
        try:
            out["speed"] = speed
        except (TypeError, ValueError):
            raise BadArgument(f"friends: one speed or {len(where)} are wanted") from None
        return out


class PlannerInfo(NamedTuple):
    agents: int
    ticks: int
    arrivals: int
    on_the_way: int
    stalled: bool
    bytes: int


class StepPlanner(Handle):
    """The next cell of each of many units, tick by tick, without collisions. Units are known by their
    place in the list. Belongs to one thread at a time.

    cells: (n, 2) where they stand, no two on one cell. goals: (n, 2), or None: nobody has one yet.
    pinned, pushable: (n,) bool or one for all: never moves; may be moved by the need of others.
    priority: (n,) 0 to 255 or one for all, higher ones go first. patience: ticks without progress until
    it is stalled. table_bytes: of tables of distances.
    """

    __slots__ = ()
    _destroy = staticmethod(lib.octile_planner_destroy)
    _agent = np.dtype([("cell", np.int32, (2,)), ("goal", np.int32, (2,)), ("has_goal", np.uint8),
                       ("pinned", np.uint8), ("pushable", np.uint8), ("priority", np.uint8)])
    #: The fields of `states()`; outcome is an `Outcome`.
    state = np.dtype([("cell", np.int32, (2,)), ("goal", np.int32, (2,)), ("steps_left", np.uint64),
                      ("outcome", np.uint8), ("arrived", np.bool_), ("reachable", np.bool_),
                      ("reserved", np.uint8, (5,))])

    def __init__(self, view: View, cells: Cells, goals: Optional[Cells] = None, *, pinned: Any = False,
                 pushable: Any = True, priority: Any = 128, patience: int = 200, seed: int = 0,
                 table_bytes: Optional[int] = None):
        where = _base.cells(cells, "cells")
        agents = np.zeros(len(where), self._agent)
        agents["cell"] = where
        if goals is not None:
            targets = _base.cells(goals, "goals")
            if len(targets) != len(where):
                raise BadArgument(f"goals: {len(where)} are wanted, not {len(targets)}")
            agents["goal"], agents["has_goal"] = targets, 1
        agents["pinned"], agents["pushable"] = np.asarray(pinned, bool), np.asarray(pushable, bool)
        ranks = np.asarray(priority)
        if ranks.dtype.kind not in "iu" or (ranks.size and (ranks.min() < 0 or ranks.max() > 255)):
            raise BadArgument("priority: whole numbers of 0 to 255 are wanted")
        agents["priority"] = ranks
        options = _abi.octile_planner_options()
        check(lib.octile_planner_options_init(byref(options)))
        options.patience = integer(patience, "patience", 0, 2**32 - 1)
        options.seed = integer(seed, "seed", 0, 2**64 - 1)
        if table_bytes is not None:
            options.table_bytes = integer(table_bytes, "table_bytes", 0, 2**64 - 1)
        super().__init__(self._create(lib.octile_planner_create))
        check(lib.octile_planner_reset(self._value, needed(view, View, "view"), address(agents), len(agents),
                                       byref(options)))

    def change_view(self, view: View) -> None:
        """After edits: from now on this view. On an error it goes on with the old one."""
        check(lib.octile_planner_change_view(self._value, needed(view, View, "view")))

    def set_goal(self, agent: int, goal: Optional[Cell]) -> None:
        """From the next step on; None: it has none any more."""
        number = _base.size(agent, "agent")
        if goal is None:
            check(lib.octile_planner_clear_goal(self._value, number))
        else:
            check(lib.octile_planner_set_goal(self._value, number, *_base.cell(goal, "goal")))

    def set_pinned(self, agent: int, pinned: bool) -> None:
        check(lib.octile_planner_set_pinned(self._value, _base.size(agent, "agent"), bool(pinned)))

    def set_pushable(self, agent: int, pushable: bool) -> None:
        check(lib.octile_planner_set_pushable(self._value, _base.size(agent, "agent"), bool(pushable)))

    def set_priority(self, agent: int, priority: int) -> None:
        check(lib.octile_planner_set_priority(self._value, _base.size(agent, "agent"),
                                              integer(priority, "priority", 0, 255)))

    def step(self) -> None:
        """One tick."""
        check(lib.octile_planner_step(self._value))

    def cells(self) -> NDArray[np.int32]:
        """(n, 2) int32: where all agents are."""
        return _base.read_all(lambda *out: lib.octile_planner_cells(self._value, 0, *out), np.int32, 2)

    def states(self) -> NDArray[Any]:
        """(n,) of `StepPlanner.state`."""
        return _base.read_all(lambda *out: lib.octile_planner_states(self._value, 0, *out), self.state)

    @property
    def info(self) -> PlannerInfo:
        i = _base.describe(_abi.octile_planner_info, lib.octile_planner_describe, self._value)
        return PlannerInfo(i.agents, i.ticks, i.arrivals, i.on_the_way, bool(i.stalled), i.bytes)


class PlanCosts(NamedTuple):
    makespan: int
    sum_of_costs: int
    sum_of_loss: int
    makespan_bound: int
    sum_bound: int


class PlanReport(NamedTuple):
    """The first conflict of a plan; `defect` is `Defect.NONE` when it is valid."""

    defect: Defect
    tick: int
    agent: int
    other: int
    text: str
    costs: PlanCosts

    @property
    def valid(self) -> bool:
        return self.defect is Defect.NONE


def _costs(c: _abi.octile_plan_costs) -> PlanCosts:
    return PlanCosts(c.makespan, c.sum_of_costs, c.sum_of_loss, c.makespan_bound, c.sum_bound)


class Plan(Handle):
    """Every step of every unit, without collisions. `Plan.make` computes one; `Plan(paths)` takes one of
    any other source, (rows, agents, 2): the first row are the starts.

    status: a `PlanStatus` of `make`, None else; costs: a `PlanCosts` of it.
    """

    __slots__ = ("status", "costs")
    _destroy = staticmethod(lib.octile_plan_destroy)

    def __init__(self, paths: Optional[Any] = None):
        self.status: Optional[PlanStatus] = None
        self.costs: Optional[PlanCosts] = None
        super().__init__(self._create(lib.octile_plan_create))
        if paths is not None:
            array = np.asarray(paths)
            if array.ndim != 3:
                raise BadArgument(f"paths: the shape must be (rows, agents, 2), not {array.shape}")
            array = _base.cells(array, "paths", (2,), (3,))
            check(lib.octile_plan_assign(self._value, address(array), *array.shape[:2]))

    @classmethod
    def make(cls, view: View, tasks: Any, *, objective: Union[str, Objective] = "sum_of_loss", any_goal: bool = False,
             seed: int = 0, max_configurations: int = 0, improve: int = 0, refine: int = 0,
             max_bytes: Optional[int] = None, seconds: float = 0.0, cancel: Optional[Cancel] = None,
             progress: Optional[Callable[[float], Any]] = None) -> "Plan":
        """Plans the ways of tasks (n, 2, 2), start and goal of each. `status` of the result tells whether
        there is a plan. objective: "sum_of_loss" or "makespan". any_goal: the goals are places for
        anybody. max_configurations: until the first plan, 0: no limit; improve: more of them after it;
        refine: rounds of re-planning of some agents; seconds: of the wall clock, 0: no limit. Raises
        `Error` with the agent's number for starts and goals that make no sense."""
        array = _base.cells(tasks, "tasks", (2, 2), (3,))
        options = _abi.octile_plan_options()
        check(lib.octile_plan_options_init(byref(options)))
        options.objective, options.any_goal = named(Objective, objective, "objective"), bool(any_goal)
        for name, value in (("seed", seed), ("max_configurations", max_configurations), ("improve", improve),
                            ("refine", refine)):
            setattr(options, name, integer(value, name, 0, 2**64 - 1))
        if max_bytes is not None:
            options.max_bytes = integer(max_bytes, "max_bytes", 0, 2**64 - 1)
        options.seconds = _base.real(seconds, "seconds")
        number = needed(view, View, "view")
        caller = _base.Progress(progress, alive(cancel, Cancel, "cancel"))
        options.cancel, options.progress = caller.cancel, caller.pointer
        plan, answer = cls(), _abi.octile_plan_answer()
        answer.size = sizeof(answer)
        caller.after(lib.octile_plan_make(number, address(array), len(array), byref(options), plan._value, byref(answer)))
        plan.status, plan.costs = PlanStatus(answer.status), _costs(answer.costs)
        return plan

    def __bool__(self) -> bool:
        return self.status in (None, PlanStatus.FEASIBLE, PlanStatus.OPTIMAL)

    @property
    def paths(self) -> NDArray[np.int32]:
        """(rows, agents, 2) int32: where each agent is at each tick."""
        rows, agents, length = c_size_t(), c_size_t(), c_size_t()
        check(lib.octile_plan_size(self._value, byref(rows), byref(agents)))
        out = np.empty((rows.value, agents.value, 2), np.int32)
        check(lib.octile_plan_read(self._value, 0, address(out) if out.size else None, out.size // 2, byref(length)))
        return out

    def check(self, view: View, tasks: Any, *, any_goal: bool = False) -> PlanReport:
        """Recomputes everything and names the first conflict."""
        array = _base.cells(tasks, "tasks", (2, 2), (3,))
        r = _abi.octile_plan_report()
        r.size = sizeof(r)
        check(lib.octile_plan_check(needed(view, View, "view"), address(array), len(array), self._value,
                                    bool(any_goal), byref(r)))
        return PlanReport(Defect(r.defect), r.tick, r.agent, r.other, r.text.decode(), _costs(r.costs))
