# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""Who walks on a map, what is published of it for them, and indexes."""

from __future__ import annotations

import os
from ctypes import byref, c_double, c_int32, c_uint64, sizeof
from typing import TYPE_CHECKING, Any, Callable, Mapping, NamedTuple, Optional, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _abi, _base
from ._abi import Diagonal, IndexKind, LoadMode, Metric, Moves
from ._base import BadArgument, Cancel, Cell, Cells, Handle, Rect, address, alive, check, integer, lib, named, needed

if TYPE_CHECKING:
    from ._search import Answer, Searcher

# The searcher of the calling thread, for what a view answers itself. Searchers know views, not the
# other way round: _search puts it here.
of_this_thread: Callable[[], Searcher]


class Profile:
    """Who walks: rules of moving, size, and what each terrain costs. A plain value: pickled, compared
    by what it holds, and so, as that may change, no key of a dictionary.

    moves:    "eight" or "four".
    diagonal: may a diagonal step pass the two cells beside it? "always", "at_most_one_obstacle",
              "no_obstacles" (no corner cutting), "never".
    metric:   length of a diagonal step: "octile" (the root of 2), "ten_fourteen" (1.4; all costs then
              come in tens), "chebyshev" (1).
    size:     (width, height) of the unit in cells, 1 to 64 each; anchor: the cell of it that tells
              where it is.
    costs:    {terrain: cost factor}, over the defaults: '.', 'G', 'S' 1, digits their value, all else
              wall. A terrain is a letter or a number of 0 to 255, a cost 0 to 4,294,967,295 with at
              most three decimals, or `math.inf` for walls.
    """

    def __init__(self, *, moves: Union[str, Moves] = "eight", diagonal: Union[str, Diagonal] = "no_obstacles",
                 metric: Union[str, Metric] = "octile", size: Tuple[int, int] = (1, 1), anchor: Cell = (0, 0),
                 costs: Optional[Mapping[Union[str, int], float]] = None):
        self.moves = named(Moves, moves, "moves")
        self.diagonal = named(Diagonal, diagonal, "diagonal")
        self.metric = named(Metric, metric, "metric")
        self.size = _base.cell(size, "size")
        self.anchor = _base.cell(anchor, "anchor")
        default = _abi.octile_profile()
        check(lib.octile_profile_init(byref(default)))
        #: (256,) float64: the cost factor of each terrain id.
        self.terrain_cost: NDArray[np.float64] = np.array(default.terrain_cost)
        if costs is not None and not isinstance(costs, Mapping):
            raise TypeError(f"costs: a mapping of terrains to numbers is wanted, not {costs!r}")
        for terrain, cost in (costs or {}).items():
            self.terrain_cost[_base.terrain(terrain, "costs")] = _base.real(cost, "costs")

    def quantised(self) -> "Profile":
        """The same with every cost rounded to the three decimals that the engine takes."""
        struct = self._struct()
        check(lib.octile_profile_quantise(byref(struct), None))
        return Profile._from(struct)

    def _struct(self) -> _abi.octile_profile:
        costs = np.asarray(self.terrain_cost, np.float64)
        if costs.shape != (256,):
            raise BadArgument(f"terrain_cost: the shape must be (256,), not {costs.shape}")
        struct = _abi.octile_profile()
        check(lib.octile_profile_init(byref(struct)))
        struct.moves, struct.diagonal, struct.metric = self.moves, self.diagonal, self.metric
        struct.width, struct.height = self.size
        struct.anchor = _abi.octile_cell(*self.anchor)
        struct.terrain_cost[:] = costs.tolist()
        return struct

    @classmethod
    def _from(cls, struct: _abi.octile_profile) -> "Profile":
        profile = cls(moves=struct.moves, diagonal=struct.diagonal, metric=struct.metric,
                      size=(struct.width, struct.height), anchor=(struct.anchor.x, struct.anchor.y))
        profile.terrain_cost = np.array(struct.terrain_cost)
        return profile

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Profile):
            return NotImplemented
        return ((self.moves, self.diagonal, self.metric, self.size, self.anchor)
                == (other.moves, other.diagonal, other.metric, other.size, other.anchor)
                and np.array_equal(self.terrain_cost, other.terrain_cost))

    __hash__ = None  # type: ignore[assignment]  # its values may change

    def __repr__(self) -> str:
        default = Profile().terrain_cost
        costs = {chr(t) if chr(t).isprintable() and t < 128 else t: float(self.terrain_cost[t])
                 for t in range(256) if self.terrain_cost[t] != default[t]}
        return (f"Profile(moves={self.moves.name.lower()!r}, diagonal={self.diagonal.name.lower()!r}, "
                f"metric={self.metric.name.lower()!r}, size={self.size}, anchor={self.anchor}, costs={costs})")


class ViewInfo(NamedTuple):
    width: int
    height: int
    first_cell: Cell
    version: int
    absent_tiles: int
    uniform: bool
    index: IndexKind  # type: ignore[assignment]  # tuple.index is a method
    stale: IndexKind
    map_bytes: int
    layer_bytes: int


class View(Handle):
    """One committed state of the map as one profile sees it. Immutable, for any thread; lives on when
    its engine was closed. Arrays are [y, x] of `rect`, or of the whole map."""

    __slots__ = ()
    _destroy = staticmethod(lib.octile_view_destroy)

    @property
    def info(self) -> ViewInfo:
        i = _base.describe(_abi.octile_view_info, lib.octile_view_describe, self._value)
        return ViewInfo(i.width, i.height, (i.first_cell.x, i.first_cell.y), i.version, i.absent_tiles,
                        bool(i.uniform), IndexKind(i.index), IndexKind(i.stale), i.map_bytes, i.layer_bytes)

    @property
    def shape(self) -> Tuple[int, int]:
        """(height, width)."""
        info = self.info
        return info.height, info.width

    @property
    def profile(self) -> Profile:
        struct = _abi.octile_profile()
        struct.size = sizeof(struct)
        check(lib.octile_view_definition(self._value, None, byref(struct)))
        return Profile._from(struct)

    def _read(self, function: Any, rect: Optional[Rect], dtype: Any) -> NDArray[Any]:
        info = self.info
        whole = (*info.first_cell, info.width, info.height)
        return _base.read_rectangle(function, self._value, _base.rectangle(rect, whole), dtype)

    def terrain(self, rect: Optional[Rect] = None) -> NDArray[np.uint8]:
        """(height, width) uint8; 0 outside the map."""
        return self._read(lib.octile_view_terrain, rect, np.uint8)

    def passable(self, rect: Optional[Rect] = None) -> NDArray[np.bool_]:
        """(height, width) bool; False outside the map."""
        return self._read(lib.octile_view_passable, rect, np.bool_)

    def cost(self, rect: Optional[Rect] = None) -> NDArray[np.float64]:
        """(height, width) float64: the cost factor of entering each cell; inf for walls and outside."""
        return self._read(lib.octile_view_cost, rect, np.float64)

    def moves(self, rect: Optional[Rect] = None) -> NDArray[np.uint8]:
        """(height, width) uint8: the legal moves, a bit each: E, SE, S, SW, W, NW, N, NE from bit 0 on."""
        return self._read(lib.octile_view_moves, rect, np.uint8)

    def component(self, rect: Optional[Rect] = None) -> NDArray[np.uint32]:
        """(height, width) uint32: equal where cells are connected; 2^32 - 1 for walls and outside."""
        return self._read(lib.octile_view_component, rect, np.uint32)

    def loaded(self, rect: Optional[Rect] = None) -> NDArray[np.bool_]:
        """(height, width) bool: False in tiles that are absent, and outside."""
        return self._read(lib.octile_view_loaded, rect, np.bool_)

    def tile_version(self, x: int, y: int) -> int:
        """The version that changed the tile of the cell last; 0 outside."""
        out = c_uint64()
        check(lib.octile_view_tile_version(self._value, integer(x, "x"), integer(y, "y"), byref(out)))
        return out.value

    def line_of_sight(self, a: Cell, b: Cell) -> bool:
        """True when the line between the two centres crosses no wall and cuts no corner."""
        out = c_int32()
        check(lib.octile_view_line_of_sight(self._value, _base.pair(a, b), byref(out)))
        return bool(out.value)

    def estimate(self, a: Cell, b: Cell) -> float:
        """The cost between two cells on an empty map of the cheapest terrain present."""
        out = c_double()
        check(lib.octile_view_estimate(self._value, _base.pair(a, b), byref(out)))
        return out.value

    def cells_at(self, points: NDArray[Any]) -> NDArray[np.int32]:
        """World positions (n, 2) to cells (n, 2) int32, by floor; NaN gives a cell outside every map."""
        array = _base.reals(points, "points")
        if array.ndim != 2 or array.shape[1] != 2:
            raise BadArgument(f"points: the shape must be (n, 2), not {array.shape}")
        out = np.empty(array.shape, np.int32)
        check(lib.octile_view_cells_at(self._value, address(array), len(array), address(out)))
        return out

    def centers(self, cells: Cells) -> NDArray[np.float64]:
        """World positions (n, 2) float64 of the centres of cells (n, 2)."""
        array = _base.cells(cells, "cells")
        out = np.empty(array.shape, np.float64)
        check(lib.octile_view_centers(self._value, address(array), len(array), address(out)))
        return out

    def differences(self, other: "View") -> NDArray[np.int32]:
        """(n, 2) int32: the cells whose terrain or weight is not the same in the two, by y, then x."""
        number = needed(other, View, "other")
        return _base.read_all(lambda *out: lib.octile_view_differences(self._value, number, *out), np.int32, 2)

    def _handle(self, function: Any) -> int:
        out = c_uint64()
        check(function(self._value, byref(out)))
        return out.value

    @property
    def index(self) -> Optional["Index"]:
        """What was adopted, or None."""
        return Index(self._handle(lib.octile_view_index)) if self.info.index else None

    @property
    def stale_index(self) -> Optional["Index"]:
        """That of an earlier state which still answers some queries, or None."""
        return Index(self._handle(lib.octile_view_stale_index)) if self.info.stale else None

    def with_index(self, index: "Index") -> "View":
        """The same state with another index. Raises `Error` (stale_index) when it belongs elsewhere."""
        out = c_uint64()
        check(lib.octile_view_with_index(self._value, needed(index, Index, "index"), byref(out)))
        return View(out.value)

    def index_leaves(self) -> NDArray[np.int32]:
        """(n, 4) int32: x, y, width, height of the blocks of portals or a quadtree, for pictures."""
        return _base.read_all(lambda *out: lib.octile_view_index_leaves(self._value, *out), np.int32, 4)

    def index_portals(self) -> NDArray[np.int32]:
        """(n, 2) int32: the cells of its portals."""
        return _base.read_all(lambda *out: lib.octile_view_index_portals(self._value, *out), np.int32, 2)

    # Searches with a workspace of this thread, for who does not want to keep one.

    def find(self, start: Cell, goal: Union[Cell, Cells], **options: Any) -> "Answer":
        """`Searcher.find` with the searcher of this thread."""
        return of_this_thread().find(self, start, goal, **options)

    def distance(self, start: Cell, goal: Cell) -> float:
        """`Searcher.distance` with the searcher of this thread."""
        return of_this_thread().distance(self, start, goal)

    def distances(self, sources: Cells, targets: Cells) -> NDArray[np.float64]:
        """`Searcher.distances` with the searcher of this thread."""
        return of_this_thread().distances(self, sources, targets)


class IndexInfo(NamedTuple):
    kind: IndexKind
    bytes: int
    width: int
    height: int
    fingerprint: int
    entries: int
    subgoals: int
    hubs: int
    blocks: int
    portals: int
    reason: str


def index_options(most: Union[str, IndexKind] = "tile_labels", *, high_quality: bool = False,
                   budget_bytes: Optional[int] = None, budget_work: int = 0, threads: int = 1,
                   progress: Optional[Callable[[float], Any]] = None,
                   cancel: Optional[Cancel] = None) -> Tuple[_abi.octile_index_options, _base.Progress]:
    struct = _abi.octile_index_options()
    check(lib.octile_index_options_init(byref(struct)))
    struct.most, struct.high_quality = named(IndexKind, most, "most"), bool(high_quality)
    if budget_bytes is not None:
        struct.budget_bytes = integer(budget_bytes, "budget_bytes", 0, 2**64 - 1)
    struct.budget_work = integer(budget_work, "budget_work", 0, 2**64 - 1)
    struct.threads = integer(threads, "threads", 0, 2**32 - 1)
    caller = _base.Progress(progress, alive(cancel, Cancel, "cancel"))
    struct.cancel, struct.progress = caller.cancel, caller.pointer
    return struct, caller


class Index(Handle):
    """Computed once, for queries in about a microsecond. Immutable, for any thread. Pickles as the
    bytes of its file."""

    __slots__ = ()
    _destroy = staticmethod(lib.octile_index_destroy)

    @classmethod
    def build(cls, view: View, most: Union[str, IndexKind] = "tile_labels", **options: Any) -> "Index":
        """Builds it in this thread, other Python threads go on.

        most: "subgoal_graph", "subgoal_labels", "tile_labels", "portals" or "quadtree"; less is built
        when budget_bytes (of the labels or portals, 512 << 20) or budget_work (label entries, 0: no limit)
        ask for it, as `info.reason` tells. high_quality: of portals. threads: 1 to 64, the same bytes
        for all. progress(done): told the share that is done, 0 to 1; False as its answer, or anything
        that it raises, ends the build. cancel: a `Cancel`. Raises `Cancelled`; `BadArgument` when no
        index serves the view (weights, other move rules).
        """
        struct, progress = index_options(most, **options)
        out = c_uint64()
        try:
            status = lib.octile_index_build(needed(view, View, "view"), byref(struct), byref(out))
        except BaseException:
            progress.end()
            raise
        if status == 0 and progress.error is not None:
            lib.octile_index_destroy(out.value)
        progress.after(status)
        return cls(out.value)

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"], how: Union[str, LoadMode] = "mapped") -> "Index":
        """From a file. "mapped" and "trusted" use it where it lies: nobody may change it; "trusted" checks
        only size and head; "copied" reads it. What is damaged or foreign is refused."""
        out = c_uint64()
        check(lib.octile_index_load(_base.file_name(path, "path"), named(LoadMode, how, "how"), byref(out)))
        return cls(out.value)

    @classmethod
    def read(cls, data: bytes) -> "Index":
        """From the bytes that `write` gave, which are copied and checked."""
        raw, out = _base.octets(data, "data"), c_uint64()
        check(lib.octile_index_read(raw, len(raw), byref(out)))
        return cls(out.value)

    def write(self) -> bytes:
        return _base.read_all(lambda *out: lib.octile_index_write(self._value, *out), np.uint8).tobytes()

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """The file takes its place when it is complete: a reader never sees half."""
        check(lib.octile_index_save(self._value, _base.file_name(path, "path")))

    def belongs_to(self, view: View) -> bool:
        out = c_int32()
        check(lib.octile_index_belongs_to(self._value, needed(view, View, "view"), byref(out)))
        return bool(out.value)

    @property
    def info(self) -> IndexInfo:
        i = _base.describe(_abi.octile_index_info, lib.octile_index_describe, self._value)
        return IndexInfo(IndexKind(i.kind), i.bytes, i.width, i.height, i.fingerprint, i.entries, i.subgoals, i.hubs,
                         i.blocks, i.portals, i.reason.decode())

    def __reduce_ex__(self, _: Any) -> Any:
        return Index.read, (self.write(),)
