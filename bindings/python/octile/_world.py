# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""Maps: made by rule, read, edited, and the engine that owns one and publishes it."""

from __future__ import annotations

import os
import threading
from ctypes import byref, c_double, c_int32, c_uint32, c_uint64, sizeof, string_at
from typing import Any, Callable, NamedTuple, Optional, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _abi, _base
from ._abi import Format
from ._base import (BadArgument, Cell, Cells, Handle, Rect, address, alive, byref_rect, check, integer, lib, named,
                    needed)
from ._views import Index, Profile, View, index_options

FREE, WALL = ord("."), ord("@")


def _weights_of(grid: NDArray[Any], scale: Optional[float]) -> Tuple[NDArray[np.uint8], NDArray[np.uint16], float]:
    """Terrain, weights and weight_scale whose product is `grid`, exactly to three decimals."""
    if np.isnan(grid).any():
        y, x = np.argwhere(np.isnan(grid))[0]
        raise BadArgument(f"grid: the cost at x {x}, y {y} is not a number (NaN)")
    if (grid < 0).any():
        raise BadArgument("grid: costs must be 0 or more (inf: a wall)")
    free = np.isfinite(grid)
    terrain = np.where(free, np.uint8(FREE), np.uint8(WALL))
    # 2^16 weights of at most 4,294,967,295; checked before they are made whole numbers.
    costs = np.where(free, grid, 0).astype(np.float64)
    if costs.size and costs.max() > 4294967295:
        raise BadArgument("grid: costs must be at most 4,294,967,295 (inf: a wall)")
    thousandths = np.rint(costs * 1000).astype(np.int64)
    # float32 cannot hold 0.1; half a unit of its last place is forgiven.
    slack = 1e-3 if grid.dtype.itemsize >= 8 else 1e-3 + 1e-7 * costs * 1000
    if (np.abs(costs * 1000 - thousandths) > slack).any():
        raise BadArgument("grid: costs may have three decimals at most; use numpy.round(grid, 3)")
    step = max(int(np.gcd.reduce(thousandths, axis=None)), 1) if scale is None else round(scale * 1000)
    if step < 1 or (thousandths % step).any() or thousandths.max(initial=0) // step > 65535:
        raise BadArgument("grid: the costs are not whole multiples, at most 65,535, of one weight_scale; "
                          "round them more coarsely")
    return terrain, (thousandths // step).astype(np.uint16), step / 1000


class MapKind(NamedTuple):
    name: str
    summary: str
    seeded: bool
    density: Optional[int]
    room: Optional[int]
    corridor: Optional[int]


def _kinds() -> Tuple[MapKind, ...]:
    out = []
    for number in range(lib.octile_map_kind_count()):
        i = _base.describe(_abi.octile_map_kind, lib.octile_map_kind_describe, number)
        standards = [value if value >= 0 else None for value in (i.density, i.room, i.corridor)]
        out.append(MapKind(string_at(i.name).decode(), string_at(i.summary).decode(), bool(i.seeded), *standards))
    return tuple(out)


#: What `generate` can make: name, what it is, whether another seed gives another map, and the defaults
#: of density, room and corridor, None where it takes no such value.
MAP_KINDS: Tuple[MapKind, ...] = _kinds()


def generate(kind: str, width: int, height: int, *, seed: int = 1, density: Optional[int] = None,
             room: Optional[int] = None, corridor: Optional[int] = None) -> NDArray[np.uint8]:
    """(height, width) terrain ids of a map made by rule, which `Engine` takes: the same values give the
    same map everywhere. kind: a name of `MAP_KINDS`. density: in 1000 cells; room, corridor: in cells.
    '@' is wall, '.' floor, '1' to '9' floor that costs its digit."""
    options = _abi.octile_generate_options()
    check(lib.octile_generate_options_init(byref(options)))
    options.width, options.height = integer(width, "width"), integer(height, "height")
    options.seed = integer(seed, "seed", 0, 2**64 - 1)
    for name, value in (("density", density), ("room", room), ("corridor", corridor)):
        if value is not None:
            setattr(options, name, integer(value, name, 0))
    if not isinstance(kind, str):
        raise TypeError(f"kind: a name is wanted, not {kind!r}")
    if kind not in [one.name for one in MAP_KINDS]:
        raise BadArgument(f"kind: {kind!r} is none of {', '.join(one.name for one in MAP_KINDS)}")
    if options.width * options.height > 2**30:
        raise BadArgument("width, height: at most 2^30 cells can be generated")
    out = np.empty((max(options.height, 0), max(options.width, 0)), np.uint8)
    check(lib.octile_generate(kind.encode(), byref(options), address(out), options.width))
    return out


class MapInfo(NamedTuple):
    width: int
    height: int
    first_cell: Cell
    origin: Tuple[float, float]
    cell_size: float
    weights: bool
    weight_scale: float
    streamed: bool
    absent_tiles: int
    version: int


class Map:
    """The map of an engine (`engine.map`): reading and editing. Edits are seen by the next
    `Engine.commit()`. Arrays are [row, column] = [y, x]; cells and rectangles are (x, y) and
    (x, y, width, height). Belongs to one thread at a time, with its engine. A terrain is a letter or
    a number of 0 to 255. Raises `BadArgument` outside the map."""

    __slots__ = ("_engine",)

    def __init__(self, engine: "Engine"):
        self._engine = engine

    def _describe(self) -> Tuple[_abi.octile_map_def, _abi.octile_map_info]:
        definition, info = _abi.octile_map_def(), _abi.octile_map_info()
        definition.size, info.size = sizeof(definition), sizeof(info)
        check(lib.octile_map_describe(self._engine._value, byref(definition), byref(info)))
        return definition, info

    @property
    def info(self) -> MapInfo:
        definition, info = self._describe()
        return _map_info(definition, info.absent_tiles, info.version)

    @property
    def shape(self) -> Tuple[int, int]:
        """(height, width)."""
        definition, _ = self._describe()
        return definition.height, definition.width

    def _read(self, function: Any, rect: Optional[Rect], dtype: Any) -> NDArray[Any]:
        definition, _ = self._describe()
        whole = (definition.first_cell.x, definition.first_cell.y, definition.width, definition.height)
        return _base.read_rectangle(function, self._engine._value, _base.rectangle(rect, whole), dtype)

    def terrain(self, rect: Optional[Rect] = None) -> NDArray[np.uint8]:
        """(height, width) uint8: what shows now, obstacles and uncommitted edits included; 0 outside."""
        return self._read(lib.octile_map_terrain, rect, np.uint8)

    def ground(self, rect: Optional[Rect] = None) -> NDArray[np.uint8]:
        """(height, width) uint8: the terrain below all obstacles."""
        return self._read(lib.octile_map_ground, rect, np.uint8)

    def weights(self, rect: Optional[Rect] = None) -> NDArray[np.uint16]:
        """(height, width) uint16."""
        return self._read(lib.octile_map_weight, rect, np.uint16)

    def set(self, x: int, y: int, terrain: Union[str, int]) -> None:
        check(lib.octile_map_set_terrain(self._engine._value, integer(x, "x"), integer(y, "y"),
                                         _base.terrain(terrain, "terrain")))

    def set_weight(self, x: int, y: int, weight: int) -> None:
        check(lib.octile_map_set_weight(self._engine._value, integer(x, "x"), integer(y, "y"),
                                        integer(weight, "weight", 0, 65535)))

    def fill(self, rect: Rect, terrain: Union[str, int]) -> None:
        check(lib.octile_map_fill(self._engine._value, byref_rect(rect), _base.terrain(terrain, "terrain")))

    def fill_weight(self, rect: Rect, weight: int) -> None:
        check(lib.octile_map_fill_weight(self._engine._value, byref_rect(rect), integer(weight, "weight", 0, 65535)))

    def stamp(self, x: int, y: int, values: NDArray[Any], terrain: Union[str, int, None] = None) -> None:
        """Puts an array at (x, y). uint8: terrain ids; uint16: weights; bool: gives `terrain` to the cells
        that are True. A window of a larger array is read where it lies."""
        array = np.asarray(values)
        if array.ndim != 2:
            raise BadArgument(f"values: the shape must be (height, width), not {array.shape}")
        rect = byref_rect((x, y, array.shape[1], array.shape[0]))
        if array.dtype == np.bool_:
            if terrain is None:
                raise BadArgument("terrain: what the cells that are True get is wanted")
            bits = np.packbits(array, axis=1, bitorder="little")
            check(lib.octile_map_stamp_bits(self._engine._value, rect, address(bits), max(bits.shape[1], 1),
                                            _base.terrain(terrain, "terrain")))
            return
        if terrain is not None:
            raise BadArgument("terrain: belongs to arrays of bool")
        function = {"u1": lib.octile_map_stamp, "u2": lib.octile_map_stamp_weight}.get(array.dtype.str[1:])
        if function is None or not array.dtype.isnative:
            raise BadArgument(f"values: uint8 (terrain), uint16 (weights) or bool is wanted, not {array.dtype}")
        array, stride = _base.rows(array)
        check(function(self._engine._value, rect, address(array), stride))

    def add_obstacle(self, rect: Optional[Rect] = None, cells: Optional[Cells] = None, *,
                     terrain: Union[str, int] = "@", present: bool = True, name: str = "") -> int:
        """Cells (a rectangle, or (n, 2)) with a terrain that lies over the ground while they are present;
        a door when it comes and goes. Returns its number, which is never used again."""
        if (rect is None) == (cells is None):
            raise BadArgument("a rect or cells are wanted, one of the two")
        definition = _abi.octile_obstacle_def()
        check(lib.octile_obstacle_def_init(byref(definition)))
        definition.terrain, definition.present = _base.terrain(terrain, "terrain"), bool(present)
        text = name.encode()
        if len(text) > 31 or 0 in text:
            raise BadArgument("name: at most 31 bytes, none of them zero")
        definition.name = text
        array = None
        if rect is not None:
            definition.rect = _base.rectangle(rect)
        else:
            array = _base.cells(cells, "cells")
            if not len(array):
                raise BadArgument("cells: at least one is wanted")
            definition.cells, definition.count = address(array), len(array)
        out = c_uint32()
        check(lib.octile_map_add_obstacle(self._engine._value, byref(definition), byref(out)))
        return out.value

    def set_obstacle(self, number: int, present: bool) -> None:
        """Puts it on the map, or takes it away."""
        check(lib.octile_map_set_obstacle(self._engine._value, integer(number, "number", 0, 2**32 - 1), bool(present)))

    def remove_obstacle(self, number: int) -> None:
        check(lib.octile_map_remove_obstacle(self._engine._value, integer(number, "number", 0, 2**32 - 1)))

    def obstacle_present(self, number: int) -> bool:
        out = c_int32()
        check(lib.octile_map_obstacle_present(self._engine._value, integer(number, "number", 0, 2**32 - 1), byref(out)))
        return bool(out.value)

    def find_obstacle(self, name: str) -> Optional[int]:
        """Its number, or None."""
        out = c_uint32()
        check(lib.octile_map_find_obstacle(self._engine._value, name.encode(), byref(out)))
        return out.value or None

    def provide_tile(self, x: int, y: int, terrain: NDArray[np.uint8]) -> None:
        """Streamed maps: gives the tile of (64, 64) uint8 in which the cell lies."""
        array = np.asarray(terrain)
        if array.shape != (64, 64) or array.dtype != np.uint8:
            raise BadArgument(f"terrain: (64, 64) uint8 is wanted, not {array.shape} {array.dtype}")
        array, stride = _base.rows(array)
        check(lib.octile_map_provide_tile(self._engine._value, integer(x, "x"), integer(y, "y"), address(array), stride))

    def release_tile(self, x: int, y: int) -> None:
        """Makes a tile absent again."""
        check(lib.octile_map_release_tile(self._engine._value, integer(x, "x"), integer(y, "y")))

    def record(self, log: Optional["EditLog"]) -> None:
        """From now on writes all edits and commits into the log, which is emptied first; None ends that."""
        check(lib.octile_map_record(self._engine._value, alive(log, EditLog, "log")))

    def write(self, format: Union[str, Format] = "moving_ai") -> bytes:
        """The map as "moving_ai", "text" or "pgm"."""
        kind = named(Format, format, "format")
        return _base.read_all(lambda *out: lib.octile_map_write(self._engine._value, kind, *out), np.uint8).tobytes()

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a file of tiles, for `Engine.load`."""
        check(lib.octile_map_save(self._engine._value, _base.file_name(path, "path")))


def _map_info(definition: _abi.octile_map_def, absent: int, version: int) -> MapInfo:
    return MapInfo(definition.width, definition.height, (definition.first_cell.x, definition.first_cell.y),
                   (definition.origin.x, definition.origin.y), definition.cell_size, bool(definition.weights),
                   definition.weight_scale, bool(definition.streamed), absent, version)


class EditLog(Handle):
    """The bytes of what was done to a map, the same on every machine: `Map.record`, `Engine.replay`.
    `EditLog(data)` takes the bytes of another one, which are looked at when they are replayed."""

    __slots__ = ()
    _destroy = staticmethod(lib.octile_edit_log_destroy)

    def __init__(self, data: bytes = b""):
        raw = _base.octets(data, "data")
        super().__init__(self._create(lib.octile_edit_log_create))
        if raw:
            check(lib.octile_edit_log_assign(self._value, raw, len(raw)))

    def read(self) -> bytes:
        """Raises `BadArgument` while it is recorded into."""
        return _base.read_all(lambda *out: lib.octile_edit_log_read(self._value, *out), np.uint8).tobytes()


class Engine(Handle):
    """A map, edited by one writer, and who walks on it; publishes immutable views.

    grid: (height, width), rows from the top:
      bool     True is free, False is wall;
      uint8    terrain ids, as the letters of a Moving AI map (`ord('.')`); see `Profile.costs`. Read
               without a copy where its rows are dense;
      floats   the cost of entering each cell, with at most three decimals, `inf` for walls. Such a map
               keeps 16-bit weights, unless all costs are 1; NaN is refused;
    or (width, height): an empty map, of `terrain`, all of its tiles absent when `streamed`.
    first_cell: coordinates of grid[0, 0]. origin, cell_size: world position of the corner of cell
    (0, 0), and the side of a cell in world units. weights: keep a weight for each cell, also when the
    grid has none; weight_scale: what a weight of 1 means.

    The new map is published at once; after edits (`engine.map`) call `commit()`. Belongs to one thread
    at a time; its views to all.
    """

    __slots__ = ("_closing", "_default", "_progress")
    _destroy = staticmethod(lib.octile_engine_destroy)

    def __init__(self, grid: Union[NDArray[Any], Tuple[int, int]], *, terrain: Union[str, int] = ".",
                 first_cell: Cell = (0, 0), origin: Tuple[float, float] = (0.0, 0.0), cell_size: float = 1.0,
                 weights: bool = False, weight_scale: Optional[float] = None, streamed: bool = False):
        definition = _definition(first_cell, origin, cell_size, weights, weight_scale)
        definition.terrain, definition.streamed = _base.terrain(terrain, "terrain"), bool(streamed)
        array = weight = None
        if isinstance(grid, tuple) and len(grid) == 2 and all(isinstance(side, (int, np.integer)) for side in grid):
            definition.width, definition.height = integer(grid[0], "width"), integer(grid[1], "height")
        else:
            array = np.asarray(grid)
            if array.ndim != 2:
                raise BadArgument(f"grid: the shape must be (height, width), not {array.shape}")
            if max(array.shape) >= 2**31 or array.size > 2**32:
                raise BadArgument(f"grid: {array.shape} is too large")
            definition.height, definition.width = array.shape
            if array.dtype == np.bool_:
                array = np.where(array, np.uint8(FREE), np.uint8(WALL))
            elif array.dtype.kind == "f":
                array, weight, step = _weights_of(array, weight_scale)
                if weights or step != 1 or (weight[array == FREE] != 1).any():
                    definition.weights, definition.weight_scale = 1, step
                else:
                    weight = None
            elif array.dtype != np.uint8:
                raise BadArgument(f"grid: bool, uint8 or floats are wanted, not {array.dtype}")
        super().__init__(self._create(lib.octile_engine_create))
        self._start()
        stride = 0
        if array is not None:
            array, stride = _base.rows(array)
        check(lib.octile_engine_reset(self._value, byref(definition), address(array), stride))
        if weight is not None and weight.size:
            self.map.stamp(first_cell[0], first_cell[1], weight)
        self.commit()

    def _start(self) -> None:
        self._closing = threading.Lock()
        self._default: Optional[int] = None
        self._progress: Optional[_base.Progress] = None

    @classmethod
    def parse(cls, data: Union[bytes, str], *, first_cell: Cell = (0, 0), origin: Tuple[float, float] = (0.0, 0.0),
              cell_size: float = 1.0, weights: bool = False, weight_scale: Optional[float] = None) -> "Engine":
        """From the bytes of a Moving AI .map, a PGM or a text map, told by their content. What makes no
        sense is refused with its line."""
        raw = _base.octets(data, "data")
        base = _definition(first_cell, origin, cell_size, weights, weight_scale)
        return cls._opened(lambda value: lib.octile_engine_parse(value, raw, len(raw), byref(base)))

    @classmethod
    def read(cls, path: Union[str, "os.PathLike[str]"], **definition: Any) -> "Engine":
        """`parse` of a file."""
        with open(_base.file_name(path, "path"), "rb") as file:
            return cls.parse(file.read(), **definition)

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"]) -> "Engine":
        """From a file that `Map.save` wrote; it is mapped into memory and must stay as it is."""
        return cls._opened(lambda value: lib.octile_engine_load(value, _base.file_name(path, "path")))

    @classmethod
    def _opened(cls, fill: Callable[[int], Any]) -> "Engine":
        engine = cls.__new__(cls)
        Handle.__init__(engine, cls._create(lib.octile_engine_create))
        engine._start()
        check(fill(engine._value))
        engine.commit()
        return engine

    @property
    def map(self) -> Map:
        return Map(self)

    def add_profile(self, profile: Optional[Profile] = None) -> int:
        """Its number, for `view()`."""
        chosen = Profile() if profile is None else profile
        if not isinstance(chosen, Profile):
            raise TypeError(f"profile: a Profile is wanted, not {type(chosen).__name__}")
        out = c_uint32()
        check(lib.octile_engine_add_profile(self._value, byref(chosen._struct()), byref(out)))
        return out.value

    def remove_profile(self, number: int) -> None:
        check(lib.octile_engine_remove_profile(self._value, integer(number, "number", 0, 2**32 - 1)))
        if number == self._default:
            self._default = None

    def _number(self, profile: Optional[int]) -> int:
        if profile is not None:
            return integer(profile, "profile", 0, 2**32 - 1)
        if self._default is None:
            self._default = self.add_profile()
        return self._default

    def commit(self) -> None:
        """Publishes all edits since the last time, in time that depends on what changed."""
        check(lib.octile_engine_commit(self._value))

    def view(self, profile: Optional[int] = None) -> "View":
        """The last committed state for a profile; None: that of `Profile()`, which is added when it is
        first asked for."""
        out = c_uint64()
        check(lib.octile_engine_view(self._value, self._number(profile), byref(out)))
        return View(out.value)

    def replay(self, log: EditLog) -> None:
        """Does what was recorded, on a map in the state in which recording began."""
        check(lib.octile_engine_replay(self._value, needed(log, EditLog, "log")))

    def adopt(self, index: "Index", profile: Optional[int] = None) -> None:
        """Gives the profile's view an index from the next `view()` on."""
        check(lib.octile_engine_adopt(self._value, self._number(profile), needed(index, Index, "index")))

    def repair_labels(self, index: Optional["Index"], profile: Optional[int] = None, *, renew: bool = False) -> None:
        """From now on each commit repairs these labels (kind "subgoal_labels"); None ends that."""
        check(lib.octile_engine_repair_labels(self._value, self._number(profile), alive(index, Index, "index"),
                                              bool(renew)))

    def start_build(self, profile: Optional[int] = None, **options: Any) -> None:
        """Builds an index in the background, one at a time; the options are those of `Index.build`.
        `progress` is called by that thread, and may not call this engine."""
        struct, progress = index_options(**options)
        status = lib.octile_engine_start_build(self._value, self._number(profile), byref(struct))
        if status:
            progress.after(status)
        # An earlier build has ended by now; what it was told by may go.
        self._end_build()
        self._progress = progress

    def _end_build(self) -> None:
        if self._progress is not None:
            self._progress.end()
            self._progress = None

    @property
    def building(self) -> Optional[float]:
        """The share that is done, 0 to 1; None when nothing is built."""
        running, done = c_int32(), c_double()
        check(lib.octile_engine_building(self._value, byref(running), byref(done)))
        return done.value if running.value else None

    def adopt_finished(self) -> bool:
        """Between ticks: takes over a build that has finished. What `progress` raised is raised here."""
        adopted = c_int32()
        status = lib.octile_engine_adopt_finished(self._value, byref(adopted))
        if status or adopted.value:
            progress, self._progress = self._progress, None
            if progress is not None:
                progress.after(status)
            check(status)
        return bool(adopted.value)

    def stop_build(self) -> None:
        check(lib.octile_engine_stop_build(self._value))
        self._end_build()

    def close(self) -> None:
        """Ends a build in the background first. Views, indexes and fields live on. Does not wait where
        another thread is closing it."""
        # Refused to the progress function of its own build, and then nobody may meanwhile find it
        # closed. Whom the lock is not free for need not wait: another thread closes it.
        if getattr(self, "_value", 0) and self._closing.acquire(blocking=False):
            try:
                if self._value:
                    check(self._destroy(self._value))
                    self._value = 0
            finally:
                self._closing.release()
            self._end_build()

    def __del__(self) -> None:
        try:
            self.close()
        except BadArgument:
            # Collected within its build's own progress function, which cannot end the build: another
            # thread does, and keeps the function until then.
            value, progress = self._value, self._progress

            def later() -> None:
                lib.octile_engine_destroy(value)
                if progress is not None:
                    progress.end()

            threading.Thread(target=later).start()


def _definition(first_cell: Cell, origin: Tuple[float, float], cell_size: float, weights: bool,
                weight_scale: Optional[float]) -> _abi.octile_map_def:
    definition = _abi.octile_map_def()
    check(lib.octile_map_def_init(byref(definition)))
    definition.first_cell = _abi.octile_cell(*_base.cell(first_cell, "first_cell"))
    try:
        x, y = origin
    except (TypeError, ValueError):
        raise BadArgument(f"origin: a point (x, y) is wanted, not {origin!r}") from None
    definition.origin = _abi.octile_point(_base.real(x, "origin"), _base.real(y, "origin"))
    definition.cell_size, definition.weights = _base.real(cell_size, "cell_size"), bool(weights)
    if weight_scale is not None:
        definition.weight_scale = _base.real(weight_scale, "weight_scale")
    return definition
