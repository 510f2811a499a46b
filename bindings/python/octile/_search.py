# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""Queries: one at a time, in slices, in batches, and by fields."""

from __future__ import annotations

import threading
from ctypes import byref, c_double, c_int32, c_size_t, c_uint64, sizeof, string_at
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _abi, _base, _views
from ._abi import FieldChange, Output, Status
from ._base import (BadArgument, Cancel, Cell, Cells, Handle, Turn, address, alive, check, fail, integer, lib, named,
                    needed)
from ._views import View

#: For costs of what cannot be entered or reached.
WALL = float("inf")


class Trace(Handle):
    """What a search did, for pictures: give it to a query, `clear()` it between uses. Belongs to one
    thread at a time."""

    __slots__ = ()
    _destroy = staticmethod(lib.octile_trace_destroy)
    #: The fields of `events()`: cell (2 int32), g (cost from the start), kind (`TraceKind`).
    dtype = np.dtype([("cell", np.int32, (2,)), ("g", np.float64), ("kind", np.int32), ("reserved", np.int32)])

    def __init__(self) -> None:
        super().__init__(self._create(lib.octile_trace_create))

    def clear(self) -> None:
        check(lib.octile_trace_clear(self._value))

    def events(self, first: int = 0) -> NDArray[Any]:
        """(n,) of `Trace.dtype`, from event number `first` on."""
        start = _base.size(first, "first")
        total = c_size_t()
        check(lib.octile_trace_read(self._value, start, None, 0, byref(total), None))
        out = np.empty(max(total.value - start, 0), self.dtype)
        check(lib.octile_trace_read(self._value, start, address(out), len(out), byref(total), None))
        return out

    @property
    def complete(self) -> bool:
        """False when memory was short and the record ends early."""
        total, complete = c_size_t(), c_int32()
        check(lib.octile_trace_read(self._value, 0, None, 0, byref(total), byref(complete)))
        return bool(complete.value)


class Solver(NamedTuple):
    name: str
    exact: bool
    summary: str
    serves: str
    otherwise: str


def _solvers() -> Tuple[Solver, ...]:
    out = []
    for number in range(lib.octile_solver_count()):
        i = _base.describe(_abi.octile_solver_info, lib.octile_solver_describe, number)
        texts = [string_at(text).decode() for text in (i.name, i.summary, i.serves, i.otherwise)]
        out.append(Solver(texts[0], bool(i.exact), *texts[1:]))
    return tuple(out)


#: All solvers of the library, by their number: name, exact (always a cheapest path), what it is,
#: which profiles and queries it takes itself, and who answers in its place else.
SOLVERS: Tuple[Solver, ...] = _solvers()
_NUMBERS: Dict[str, int] = {solver.name: number for number, solver in enumerate(SOLVERS)}


def _solver(value: Union[str, int]) -> int:
    if isinstance(value, str):
        if value not in _NUMBERS:
            raise BadArgument(f"solver: {value!r} is none of {', '.join(_NUMBERS)}")
        return _NUMBERS[value]
    return integer(value, "solver")


class Answer:
    """What a query gave. True in an `if` when there is a path (found or partial).

    status: a `Status`. cost: in straight steps (tens under "ten_fourteen"), inf without a path;
    cost_units: the same, exact. path: (n, 2) int32, x and y of every cell, both ends included; the
    waypoints under output="waypoints"; (0, 2) without a path; with status not_loaded the first cells of
    the tiles that are wanted. bound: the cost is at most so many times the cheapest. expanded and
    generated: nodes of the search. goal_index: which goal of a set was reached. solver: who answered.
    version: of the map that was asked. message: "" when found.
    """

    __slots__ = ("status", "cost", "cost_units", "path", "bound", "expanded", "generated", "goal_index", "solver",
                 "version", "message")

    status: Status
    path: NDArray[np.int32]

    def __init__(self, raw: _abi.octile_answer, path: NDArray[np.int32]):
        self.status = Status(raw.status)
        self.cost: float = raw.cost if raw.status <= Status.PARTIAL else WALL
        self.cost_units: int = raw.cost_units
        self.path = path
        self.bound: float = raw.bound
        self.expanded: int = raw.expanded
        self.generated: int = raw.generated
        self.goal_index: int = raw.goal_index
        self.solver: str = SOLVERS[raw.solver].name
        self.version: int = raw.version
        self.message: str = _text(raw.message)

    def __bool__(self) -> bool:
        return self.status <= Status.PARTIAL

    def __repr__(self) -> str:
        return f"<Answer {self.status.name.lower()}, cost {self.cost:.6g}, {len(self.path)} cells, by {self.solver}>"


def _text(pointer: Optional[int]) -> str:
    return string_at(pointer).decode() if pointer else ""


_QUERY, _ANSWER = _abi.octile_query(), _abi.octile_answer()
check(lib.octile_query_init(byref(_QUERY)))
check(lib.octile_answer_init(byref(_ANSWER)))
# Queries that were refused outright; every other status is an answer.
_REFUSED = (Status.BAD_ARGUMENT, Status.OUT_OF_MEMORY)
_EXTRA_COST = np.dtype([("cell", np.int32, (2,)), ("cost", np.float64)])


def _options(query: _abi.octile_query, keep: List[Any], *, solver: Union[str, int] = 0, extra_blocked: Optional[Cells] = None,
             extra_costs: Optional[Tuple[Cells, Any]] = None, max_expansions: int = 0, max_cost: float = WALL,
             cancel: Optional[Cancel] = None, trace: Optional[Trace] = None, snap_radius: int = 64,
             output: Union[str, Output] = Output.CELLS, smooth: bool = False, snap_start: bool = False,
             snap_goal: bool = False, goal_cover: bool = False, escape_start: bool = False,
             allow_partial: bool = False) -> None:
    query.solver = _solver(solver)
    if extra_blocked is not None:
        array = _base.cells(extra_blocked, "extra_blocked")
        keep.append(array)
        query.extra_blocked, query.extra_blocked_count = address(array), len(array)
    if extra_costs is not None:
        try:
            where, what = extra_costs
        except (TypeError, ValueError):
            raise BadArgument(f"extra_costs: (cells, costs) is wanted, not {extra_costs!r}") from None
        array, costs = _base.cells(where, "extra_costs"), _base.reals(what, "extra_costs")
        if costs.shape not in ((), (1,), (len(array),)):
            raise BadArgument(f"extra_costs: {len(array)} costs are wanted, not {costs.shape}")
        both = np.empty(len(array), _EXTRA_COST)
        both["cell"], both["cost"] = array, costs
        keep.append(both)
        query.extra_costs, query.extra_cost_count = address(both), len(both)
    query.max_expansions = integer(max_expansions, "max_expansions", 0, 2**64 - 1)
    query.max_cost = _base.real(max_cost, "max_cost")
    query.cancel, query.trace = alive(cancel, Cancel, "cancel"), alive(trace, Trace, "trace")
    query.snap_radius = integer(snap_radius, "snap_radius")
    query.output = named(Output, output, "output")
    query.smooth, query.snap_start, query.snap_goal = bool(smooth), bool(snap_start), bool(snap_goal)
    query.goal_cover, query.escape_start, query.allow_partial = bool(goal_cover), bool(escape_start), bool(allow_partial)


def _query(start: Cell, goal: Union[Cell, Cells], options: Dict[str, Any]) -> Tuple[_abi.octile_query, List[Any]]:
    """The struct, and the arrays that it points to."""
    query, keep = _abi.octile_query.from_buffer_copy(_QUERY), []
    query.start.x, query.start.y = _base.cell(start, "start")
    try:
        one = len(goal) == 2 and np.ndim(goal[0]) == 0
    except (TypeError, KeyError):
        raise BadArgument(f"goal: a cell (x, y), or cells (n, 2), are wanted, not {goal!r}") from None
    if one:
        query.goal.x, query.goal.y = _base.cell(goal, "goal")
    else:
        goals = _base.cells(goal, "goal")
        if not len(goals):
            raise BadArgument("goal: a set of at least one cell is wanted")
        keep.append(goals)
        query.goals, query.goal_count = address(goals), len(goals)
    if options:
        _options(query, keep, **options)
    return query, keep


class Searcher(Handle):
    """The workspace of a thread: it grows with what searches touch and is kept for the next one. Make one
    for each thread; a call that meets another one gets `BadArgument`. Other Python threads run while
    it searches."""

    __slots__ = ("_cells", "_where", "_turn")
    _destroy = staticmethod(lib.octile_searcher_destroy)

    def __init__(self) -> None:
        super().__init__(self._create(lib.octile_searcher_create))
        self._turn = Turn("the searcher")
        self._room(1024)

    def _room(self, count: int) -> None:
        self._cells = np.empty((count, 2), np.int32)
        self._where = address(self._cells)

    def _answer(self, status: int, raw: _abi.octile_answer) -> Answer:
        """Within the turn of the call that it belongs to: another one would write over the cells."""
        if status in _REFUSED:
            fail(status)
        if raw.length > len(self._cells):
            self._room(raw.length + raw.length // 4)
            length = c_size_t()
            check(lib.octile_searcher_path(self._value, 0, self._where, len(self._cells), byref(length)))
        return Answer(raw, self._cells[: raw.length].copy())

    def find(self, view: View, start: Cell, goal: Union[Cell, Cells], **options: Any) -> Answer:
        """A cheapest path from a cell to a cell, or to the cheapest of a set (n, 2).

        Whether there is one is told by the answer's status; only calls that make no sense raise.
        solver: a name of `SOLVERS` ("auto"). output: "cells", or "waypoints" where the direction changes;
        smooth: these pulled tight. extra_blocked: (n, 2) cells that are walls, and extra_costs: (cells,
        costs) that are dearer, for this query alone. max_expansions, max_cost: give up then (status
        limit_reached). snap_start, snap_goal: take the nearest free cell instead of a wall, at most
        snap_radius (64) cells away. allow_partial: without a path go to the nearest reached cell.
        goal_cover: arrive where the unit covers the goal. escape_start: a unit that stands where it
        does not fit may leave. cancel: a `Cancel`, trace: a `Trace`.
        """
        query, keep = _query(start, goal, options)
        raw = _abi.octile_answer.from_buffer_copy(_ANSWER)
        with self._turn:
            status = lib.octile_find(self._value, needed(view, View, "view"), byref(query), self._where,
                                     len(self._cells), byref(raw))
            return self._answer(status, raw)

    def begin(self, view: View, start: Cell, goal: Union[Cell, Cells], **options: Any) -> None:
        """Begins a query of `find` in slices of bounded work; drops one that has not ended."""
        query, keep = _query(start, goal, options)
        check(lib.octile_searcher_begin(self._value, needed(view, View, "view"), byref(query)))

    def step(self, expansions: int = 1024) -> Optional[Answer]:
        """Goes on for about so many nodes: the answer when the query has ended, None before."""
        raw, done = _abi.octile_answer.from_buffer_copy(_ANSWER), c_int32()
        with self._turn:
            status = lib.octile_searcher_step(self._value, integer(expansions, "expansions", 0, 2**64 - 1),
                                              self._where, len(self._cells), byref(raw), byref(done))
            if status and not done.value:
                fail(status)
            return self._answer(status, raw) if done.value else None

    def head(self) -> NDArray[np.int32]:
        """(n, 2) int32: how the path of a query that has not ended will begin, as far as that is settled."""
        return _base.read_all(lambda *out: lib.octile_searcher_head(self._value, *out), np.int32, 2)

    def points(self) -> NDArray[np.float64]:
        """(n, 2) float64: the last path as world positions of the cells' centres."""
        return _base.read_all(lambda *out: lib.octile_searcher_points(self._value, 0, *out), np.float64, 2)

    def distance(self, view: View, start: Cell, goal: Cell) -> float:
        """Cost of a cheapest path; inf when there is none."""
        out = c_double()
        check(lib.octile_distance(self._value, needed(view, View, "view"), _base.pair(start, goal), byref(out)))
        return out.value

    def first_move(self, view: View, start: Cell, goal: Cell) -> Cell:
        """The cell after the start; the start itself when it is the goal or there is no path."""
        out = _abi.octile_cell()
        check(lib.octile_first_move(self._value, needed(view, View, "view"), _base.pair(start, goal), byref(out)))
        return out.x, out.y

    def distances(self, view: View, sources: Cells, targets: Cells) -> NDArray[np.float64]:
        """(n, m) float64: the cost from each of the sources (n, 2) to each of the targets (m, 2)."""
        a, b = _base.cells(sources, "sources"), _base.cells(targets, "targets")
        out = np.empty((len(a), len(b)), np.float64)
        check(lib.octile_distances(self._value, needed(view, View, "view"), address(a), len(a), address(b), len(b),
                                   address(out)))
        return out

    def would_disconnect(self, view: View, cells: Cells, pairs: Optional[Any] = None) -> bool:
        """Would walls on these cells (n, 2) cut off what is connected now? With pairs (m, 2, 2) of cells:
        one of them; without: any region."""
        array = _base.cells(cells, "cells")
        ends = None if pairs is None else _base.cells(pairs, "pairs", (2, 2), (3,))
        out = c_int32()
        check(lib.octile_would_disconnect(self._value, needed(view, View, "view"), address(array), len(array),
                                          address(ends), 0 if ends is None else len(ends), byref(out), None))
        return bool(out.value)

    def follow(self, field: "Field", start: Cell) -> Answer:
        """The path that a field tells of; as `find`, without the statistics."""
        x, y = _base.cell(start, "start")
        raw = _abi.octile_answer.from_buffer_copy(_ANSWER)
        with self._turn:
            status = lib.octile_field_path(self._value, needed(field, Field, "field"), x, y, self._where,
                                           len(self._cells), byref(raw))
            return self._answer(status, raw)

    @property
    def memory(self) -> int:
        """Bytes that it holds in the library."""
        out = c_size_t()
        check(lib.octile_searcher_memory(self._value, byref(out)))
        return out.value

    def release(self) -> None:
        """Gives all memory back, and the view; drops a query that has not ended."""
        check(lib.octile_searcher_release(self._value))


_threads = threading.local()


def of_this_thread() -> Searcher:
    searcher = getattr(_threads, "searcher", None)
    if searcher is None or searcher.closed:
        searcher = _threads.searcher = Searcher()
    return searcher


_views.of_this_thread = of_this_thread


class BatchAnswer:
    """What a batch gave, a row for each query. The arrays are windows of one table, not copies.

    status: (n,) int32 of `Status`; cost: (n,) float64, inf without a path; cost_units: (n,) uint64;
    length: (n,) cells of each path; first: (n,) where it begins in cells: (total, 2) int32, all paths,
    one after the other; None with paths=False. by_field, by_search: how they were answered.
    """

    __slots__ = ("table", "cells", "by_field", "by_search", "fields_built", "fields_kept", "_room")

    def __init__(self, table: NDArray[Any], room: NDArray[np.int32], length: Optional[int],
                 counts: _abi.octile_batch_counts):
        self.table = table
        self.cells: Optional[NDArray[np.int32]] = None if length is None else room[:length]
        self._room = room  # of which the next answer may make use
        self.by_field: int = counts.by_field
        self.by_search: int = counts.by_search
        self.fields_built: int = counts.fields_built
        self.fields_kept: int = counts.fields_kept

    def __len__(self) -> int:
        return len(self.table)

    status = property(lambda self: self.table["status"])
    cost = property(lambda self: self.table["cost"])
    cost_units = property(lambda self: self.table["cost_units"])
    length = property(lambda self: self.table["length"])
    first = property(lambda self: self.table["first"])

    def path(self, number: int) -> NDArray[np.int32]:
        """(n, 2) int32: a window of `cells`."""
        if self.cells is None:
            raise BadArgument("the batch was run with paths=False")
        row = self.table[number]
        return self.cells[int(row["first"]):int(row["first"]) + int(row["length"])]


_TABLE: np.dtype[Any] = np.dtype(_abi.octile_answer)


class Batch(Handle):
    """Many queries in one call, over threads. Queries that share a goal, or on uniform maps a start, are
    answered from one field. Belongs to one thread at a time."""

    __slots__ = ("_guess", "_turn")
    _destroy = staticmethod(lib.octile_batch_destroy)

    def __init__(self) -> None:
        super().__init__(self._create(lib.octile_batch_create))
        self._turn = Turn("the batch")
        self._guess = 0

    def run(self, view: View, pairs: Any, *, threads: int = 1, cache_bytes: int = 0, paths: bool = True,
            batch_cancel: Optional[Cancel] = None, out: Optional[BatchAnswer] = None, **options: Any) -> BatchAnswer:
        """Answers all pairs (n, 2, 2) of start and goal, integers; int32 are read where they lie.

        threads: 1 to 64; the answers do not depend on it. cache_bytes: fields of so many bytes are kept
        for the next call. paths=False: costs alone. batch_cancel: a `Cancel` for all. out: an answer that
        is not wanted any more: its memory is used again, and its arrays are written over. Further
        options are those of `Searcher.find` but cancel and trace.
        """
        array = _base.cells(pairs, "pairs", (2, 2), (3,))
        like = _abi.octile_query.from_buffer_copy(_QUERY)
        keep: List[Any] = []
        if options:
            _options(like, keep, **options)
        settings = _abi.octile_batch_options()
        check(lib.octile_batch_options_init(byref(settings)))
        settings.threads = integer(threads, "threads", 0, 2**32 - 1)
        settings.cache_bytes = integer(cache_bytes, "cache_bytes", 0, 2**64 - 1)
        settings.cancel = alive(batch_cancel, Cancel, "batch_cancel")
        _base.kind(out, BatchAnswer, "out")
        if out is not None and len(out.table) == len(array):
            table = out.table
        else:
            table = np.empty(len(array), _TABLE)
            table["size"] = sizeof(_abi.octile_answer)
        cells = out._room if out is not None else np.empty((self._guess if paths else 0, 2), np.int32)
        length, counts = c_size_t(), _abi.octile_batch_counts()
        counts.size = sizeof(counts)
        with self._turn:
            check(lib.octile_batch_pairs(self._value, needed(view, View, "view"), byref(like), address(array),
                                         len(array), byref(settings), address(table),
                                         address(cells) if paths and len(cells) else None, len(cells) if paths else 0,
                                         byref(length), byref(counts)))
            if paths and length.value > len(cells):
                cells = np.empty((length.value + length.value // 16, 2), np.int32)
                check(lib.octile_batch_cells(self._value, 0, address(cells), len(cells), byref(length)))
        table["cost"][table["status"] > Status.PARTIAL] = WALL
        if not paths:
            return BatchAnswer(table, cells, None, counts)
        # Room for as many, and a little more, the next time: then nothing is copied twice.
        self._guess = length.value + length.value // 16
        return BatchAnswer(table, cells, length.value, counts)

    @property
    def memory(self) -> int:
        """Bytes that it holds in the library."""
        out = c_size_t()
        check(lib.octile_batch_memory(self._value, byref(out)))
        return out.value

    def clear(self) -> None:
        """Forgets all fields and answers."""
        check(lib.octile_batch_clear(self._value))


class FieldMaker(Handle):
    """The workspace of a thread that makes fields."""

    __slots__ = ()
    _destroy = staticmethod(lib.octile_field_maker_destroy)

    def __init__(self) -> None:
        super().__init__(self._create(lib.octile_field_maker_create))

    def build(self, view: View, goals: Cells, *, offsets: Optional[Any] = None, max_cost: float = WALL,
              stops: Optional[Cells] = None, into: Optional["Field"] = None) -> "Field":
        """Distances and directions of all cells to goals (n, 2).

        offsets: (n,) what is still to be paid at each goal; max_cost: cells farther away are not reached;
        stops: (m, 2), the search ends when all of these are reached; into: a field whose memory is used
        again. Raises `Error`: goal_out_of_bounds, goal_blocked (all of them).
        """
        query = _abi.octile_field_query()
        check(lib.octile_field_query_init(byref(query)))
        array = _base.cells(goals, "goals")
        query.goals, query.goal_count = address(array), len(array)
        if offsets is not None:
            paid = _base.reals(offsets, "offsets")
            if paid.shape != (len(array),):
                raise BadArgument(f"offsets: the shape must be ({len(array)},), not {paid.shape}")
            query.offsets = address(paid)
        query.max_cost = _base.real(max_cost, "max_cost")
        if stops is not None:
            ends = _base.cells(stops, "stops")
            query.stops, query.stop_count = address(ends), len(ends)
        out = c_uint64(alive(into, Field, "into"))
        check(lib.octile_field_build(self._value, needed(view, View, "view"), byref(query), byref(out)))
        return into if into is not None else Field(out.value)

    def update(self, view: View, field: "Field") -> FieldChange:
        """Brings a field to another view of the same map and profile: "kept", "repaired" or "rebuilt"."""
        how = c_int32()
        check(lib.octile_field_update(self._value, needed(view, View, "view"), needed(field, Field, "field"), byref(how)))
        return FieldChange(how.value)

    @property
    def memory(self) -> int:
        """Bytes that it holds in the library."""
        out = c_size_t()
        check(lib.octile_field_maker_memory(self._value, byref(out)))
        return out.value


class Field(Handle):
    """Distances and directions of all cells to a set of goals, of `FieldMaker.build`. Read by any number
    of threads."""

    __slots__ = ()
    _destroy = staticmethod(lib.octile_field_destroy)

    @property
    def view(self) -> View:
        """The view that it holds for."""
        out = c_uint64()
        check(lib.octile_field_view(self._value, byref(out), None))
        return View(out.value)

    @property
    def memory(self) -> int:
        """Bytes that it holds in the library."""
        out = c_size_t()
        check(lib.octile_field_view(self._value, None, byref(out)))
        return out.value

    def _of(self, function: Any, cells: Cells, dtype: Any, columns: int = 0) -> NDArray[Any]:
        array = _base.cells(cells, "cells")
        out = np.empty((len(array), columns) if columns else len(array), dtype)
        check(function(self._value, address(array), len(array), address(out)))
        return out

    def distances(self, cells: Cells) -> NDArray[np.float64]:
        """(n,) float64 for cells (n, 2): cost of the cheapest way to a goal; inf: not reached."""
        return self._of(lib.octile_field_distances, cells, np.float64)

    def units(self, cells: Cells) -> NDArray[np.uint64]:
        """(n,) uint64: the same in exact cost units; 2^64 - 1: not reached."""
        return self._of(lib.octile_field_units, cells, np.uint64)

    def directions(self, cells: Cells) -> NDArray[np.uint8]:
        """(n,) uint8: the first move, 0 to 7 from E by S, W, N; DIRECTION_AT_GOAL, DIRECTION_UNREACHED."""
        return self._of(lib.octile_field_directions, cells, np.uint8)

    def next(self, cells: Cells) -> NDArray[np.int32]:
        """(n, 2) int32: the cells one move on; the cell itself at a goal and where none is reached."""
        return self._of(lib.octile_field_next, cells, np.int32, 2)

    def _rect(self, function: Any, rect: Any, dtype: Any) -> NDArray[Any]:
        if rect is None:
            with self.view as view:
                info = view.info
            rect = (*info.first_cell, info.width, info.height)
        return _base.read_rectangle(function, self._value, _base.rectangle(rect), dtype)

    def read(self, rect: Optional[Tuple[int, int, int, int]] = None) -> NDArray[np.float64]:
        """(height, width) float64: distances of a rectangle (x, y, width, height), or of the whole map."""
        return self._rect(lib.octile_field_read, rect, np.float64)

    def flow(self, rect: Optional[Tuple[int, int, int, int]] = None) -> NDArray[np.uint8]:
        """(height, width) uint8: directions of a rectangle, or of the whole map."""
        return self._rect(lib.octile_field_flow, rect, np.uint8)

    def within(self, cost: float) -> NDArray[np.int32]:
        """(n, 2) int32: the cells within a cost of a goal, by y, then x: where a unit can go in a turn."""
        most = _base.real(cost, "cost")
        return _base.read_all(lambda *out: lib.octile_field_within(self._value, most, *out), np.int32, 2)


#: The fields of `parse_scen()`.
SCEN_QUERY = np.dtype([("bucket", np.int32), ("map_width", np.int32), ("map_height", np.int32),
                       ("pair", np.int32, (2, 2)), ("optimum", np.float64)], align=True)


def parse_scen(data: Union[bytes, str]) -> NDArray[Any]:
    """(n,) of `SCEN_QUERY`, the lines of a Moving AI .scen file; ["pair"] is what `Batch.run` takes.
    What makes no sense is refused with its line."""
    raw = _base.octets(data, "data")
    return _base.read_all(lambda *out: lib.octile_scen_parse(raw, len(raw), *out), SCEN_QUERY)
