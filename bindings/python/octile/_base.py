# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""The native library, errors, handles, and what turns Python's values into those of octile.h."""

from __future__ import annotations

import ctypes
from ctypes import byref
import enum
import operator
import os
import threading
from typing import Any, Callable, Optional, Sequence, Tuple, Type, TypeVar, Union

import numpy as np
from numpy.typing import NDArray

from . import _abi
from ._abi import Status

Cell = Tuple[int, int]
Cells = Union[NDArray[Any], Sequence[Cell]]
Rect = Tuple[int, int, int, int]


class Error(Exception):
    """What the library refuses. `status` is a `Status`, `message` one clear line."""

    def __init__(self, status: Status, message: str):
        super().__init__(f"{status.name.lower()}: {message}")
        self.status = status
        self.message = message

    def __reduce__(self) -> Any:
        return type(self), (self.status, self.message)


class BadArgument(Error, ValueError):
    """The call makes no sense; also for what was closed, or is in use by another thread."""

    def __init__(self, message: str):
        super().__init__(Status.BAD_ARGUMENT, message)

    def __reduce__(self) -> Any:
        return type(self), (self.message,)


class OutOfMemory(Error, MemoryError):
    """An allocation failed; nothing was changed."""


class Cancelled(Error):
    """The cancel token was raised."""


_CLASSES = {Status.OUT_OF_MEMORY: OutOfMemory, Status.CANCELLED: Cancelled}


def _load() -> ctypes.CDLL:
    # $OCTILE_LIBRARY: another library than the one in the package, for who works on it.
    path = os.environ.get("OCTILE_LIBRARY") or os.path.join(os.path.dirname(__file__), "liboctile.so")
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"octile: the native library cannot be loaded: {error}") from None
    for name, (result, parameters) in _abi.FUNCTIONS.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(f"octile: {path} has no {name}: it belongs to another version") from None
        function.restype = result
        function.argtypes = parameters
    if library.octile_abi_version() != _abi.ABI_VERSION:
        raise ImportError(f"octile: {path} has ABI version {library.octile_abi_version()}, not {_abi.ABI_VERSION}")
    for struct in _abi.STRUCTS:
        size = library.octile_sizeof(struct.__name__.encode())
        if size != ctypes.sizeof(struct):
            raise ImportError(f"octile: {path} has {size} bytes for {struct.__name__}, not {ctypes.sizeof(struct)}")
    return library


lib = _load()


def message() -> str:
    text = ctypes.create_string_buffer(256)
    lib.octile_message(text, 256)
    return text.value.decode("utf-8", "replace")


def fail(status: int) -> None:
    """Raises the error of this thread's last call."""
    known = Status(status)
    if known is Status.BAD_ARGUMENT:
        raise BadArgument(message())
    raise _CLASSES.get(known, Error)(known, message())


def check(status: int) -> None:
    if status:
        fail(status)


class Handle:
    """Something of the library's that is given back by `close()`, at the end of a `with`, or with the
    last reference. After that every use raises `BadArgument`. Cannot be pickled or copied."""

    __slots__ = ("_value", "__weakref__")
    _destroy: Callable[[int], int]

    def __init__(self, value: int):
        self._value = value

    @classmethod
    def _create(cls, create: Callable[[Any], int]) -> int:
        out = ctypes.c_uint64()
        check(create(ctypes.byref(out)))
        return out.value

    def close(self) -> None:
        """Gives it back now. A second time does nothing."""
        value, self._value = getattr(self, "_value", 0), 0
        if value:
            check(self._destroy(value))

    @property
    def closed(self) -> bool:
        return not self._value

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def __reduce_ex__(self, _: Any) -> Any:
        raise TypeError(f"{type(self).__name__} cannot be pickled or copied: it belongs to this process")


class Cancel(Handle):
    """A token that ends searches and builds. May be raised from any thread; serves any number of calls."""

    __slots__ = ()
    _destroy = staticmethod(lib.octile_cancel_destroy)

    def __init__(self) -> None:
        super().__init__(self._create(lib.octile_cancel_create))

    def set(self) -> None:
        """Raises it: what looks at it ends soon."""
        check(lib.octile_cancel_raise(self._value))

    def reset(self) -> None:
        """Lowers it again, for the next use."""
        check(lib.octile_cancel_reset(self._value))


class Turn:
    """A `with` for the calls that leave their result where the next one of the same object would write
    over it: who comes meanwhile, from another thread or from within, is refused."""

    __slots__ = ("_lock", "_name")

    def __init__(self, name: str):
        self._lock, self._name = threading.Lock(), name

    def __enter__(self) -> None:
        if not self._lock.acquire(False):
            raise BadArgument(f"{self._name} is in use by another call")

    def __exit__(self, *_: Any) -> None:
        self._lock.release()


def alive(thing: Optional[Handle], kind: Type[Handle], name: str) -> int:
    """The number of an optional handle: 0 for None, but never for a closed one."""
    if thing is None:
        return 0
    if not isinstance(thing, kind):
        raise TypeError(f"{name}: a {kind.__name__} is wanted, not {type(thing).__name__}")
    if thing.closed:
        raise BadArgument(f"{name} was closed")
    return thing._value


def kind(thing: Any, wanted: type, name: str) -> None:
    """None, or one of that class."""
    if thing is not None and not isinstance(thing, wanted):
        raise TypeError(f"{name}: a {wanted.__name__} is wanted, not {type(thing).__name__}")


def needed(thing: Any, kind: Type[Handle], name: str) -> int:
    if thing is None:
        raise TypeError(f"{name}: a {kind.__name__} is wanted, not None")
    return alive(thing, kind, name)


def integer(value: Any, name: str, low: int = -2**31, high: int = 2**31 - 1) -> int:
    """ctypes cuts numbers off without a word; this does not."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: a whole number is wanted, not {value!r}") from None
    if not low <= number <= high:
        raise BadArgument(f"{name}: {number} is not within {low} to {high}")
    return number


def size(value: Any, name: str) -> int:
    return integer(value, name, 0, 2**63 - 1)


def real(value: Any, name: str) -> float:
    if not isinstance(value, (str, bytes, bytearray)):
        try:
            return float(value)
        except (TypeError, ValueError, OverflowError):
            pass
    raise TypeError(f"{name}: a number is wanted, not {value!r}")


def reals(value: Any, name: str) -> NDArray[np.float64]:
    """C-contiguous float64, without a copy when it is that already."""
    array = np.asarray(value)
    if array.dtype.kind not in "biuf" and array.size:
        raise TypeError(f"{name}: numbers are wanted, not {value!r}")
    return np.ascontiguousarray(array, np.float64)


def octets(value: Any, name: str) -> bytes:
    """Of a text its UTF-8; of a number nothing: to Python `bytes(5)` are five zeros."""
    if isinstance(value, str):
        return value.encode()
    try:
        return bytes(memoryview(value))
    except TypeError:
        raise TypeError(f"{name}: bytes are wanted, not {value!r}") from None


def file_name(value: Any, name: str) -> bytes:
    try:
        return os.fsencode(value)
    except TypeError:
        raise TypeError(f"{name}: the name of a file is wanted, not {value!r}") from None


def terrain(value: Any, name: str) -> int:
    """A terrain id: a number of 0 to 255 or a letter."""
    if isinstance(value, str):
        if len(value) != 1 or ord(value) > 255:
            raise BadArgument(f"{name}: one letter is wanted, not {value!r}")
        return ord(value)
    return integer(value, name, 0, 255)


def cell(value: Any, name: str) -> Cell:
    try:
        x, y = value
    except (TypeError, ValueError):
        raise BadArgument(f"{name}: a cell (x, y) is wanted, not {value!r}") from None
    return integer(x, name), integer(y, name)


Named = TypeVar("Named", bound=enum.IntEnum)


def named(kind: Type[Named], value: Any, name: str) -> Named:
    """A member of an enum: itself, its name in small letters, or its number."""
    try:
        return kind[value.upper()] if isinstance(value, str) else kind(value)
    except (KeyError, ValueError):
        choices = ", ".join(member.name.lower() for member in kind)
        raise BadArgument(f"{name}: {value!r} is none of {choices}") from None


def cells(value: Any, name: str, shape: Tuple[int, ...] = (2,), ranks: Tuple[int, ...] = (2,)) -> NDArray[np.int32]:
    """(..., *shape) whole numbers as C-contiguous int32, without a copy when they are that already."""
    array = np.asarray(value)
    if array.size == 0 and array.ndim == 1:
        array = np.empty((0, *shape), np.int32)
    if array.ndim not in ranks or array.shape[-len(shape):] != shape:
        wanted = " or ".join(str(("n",) * (rank - len(shape)) + shape).replace("'", "") for rank in ranks)
        raise BadArgument(f"{name}: the shape must be {wanted}, not {array.shape}")
    if array.dtype.kind not in "iu":
        raise BadArgument(f"{name}: whole numbers are wanted, not {array.dtype}")
    if array.dtype != np.int32:
        if array.size and (array.min() < -2**31 or array.max() >= 2**31):
            raise BadArgument(f"{name}: numbers beyond 32 bits")
        array = array.astype(np.int32)
    return np.ascontiguousarray(array)


def address(array: Optional[NDArray[Any]]) -> Optional[int]:
    return None if array is None else array.__array_interface__["data"][0]


def rows(array: NDArray[Any]) -> Tuple[NDArray[Any], int]:
    """The array, or a copy, whose rows are dense and follow each other downwards, and the step from
    one to the next, counted in values: a window of a larger array is read where it lies."""
    width, item = array.shape[1], array.itemsize
    across, down = array.strides[1], array.strides[0]
    if (width > 1 and across != item) or down % item or down < width * item or not array.flags.aligned:
        array = np.ascontiguousarray(array)
        return array, max(width, 1)
    return array, max(down // item, width, 1)


def rectangle(value: Any, whole: Optional[Rect] = None) -> _abi.octile_rect:
    """None stands for the whole, where there is one."""
    if value is None and whole is not None:
        return _abi.octile_rect(*whole)
    try:
        x, y, width, height = value
    except (TypeError, ValueError):
        raise BadArgument(f"rect: (x, y, width, height) is wanted, not {value!r}") from None
    return _abi.octile_rect(integer(x, "rect"), integer(y, "rect"), integer(width, "rect", 0), integer(height, "rect", 0))


def read_rectangle(function: Any, handle: int, rect: _abi.octile_rect, dtype: Any) -> NDArray[Any]:
    out = np.empty((rect.height, rect.width), dtype)
    if out.size:
        check(function(handle, ctypes.byref(rect), address(out), rect.width))
    else:
        check(function(handle, ctypes.byref(rect), None, 0))
    return out


def read_all(read: Callable[[Optional[int], int, Any], int], dtype: Any, columns: int = 0) -> NDArray[Any]:
    """What `read(out, capacity, length)` gives, in an array of the length that it tells."""
    length, capacity = ctypes.c_size_t(), 0
    while True:
        out = np.empty((capacity, columns) if columns else capacity, dtype)
        check(read(address(out) if capacity else None, capacity, ctypes.byref(length)))
        if length.value <= capacity:
            return out[: length.value]
        capacity = length.value


def describe(struct: Type[Any], function: Any, *handles: int) -> Any:
    """A struct of which the library asks for its size, filled by function(*handles, struct)."""
    out = struct()
    if hasattr(out, "size"):
        out.size = ctypes.sizeof(struct)
    check(function(*handles, ctypes.byref(out)))
    return out


_PROGRESS = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_double)


class Progress:
    """Wraps a function of the caller for one call. What it raises ends the work by the token, and is
    raised again by `after()`; so does False as its answer."""

    def __init__(self, function: Optional[Callable[[float], Any]], cancel: int):
        self.error: Optional[BaseException] = None
        self.token = 0
        self.pointer = None
        if function is None:
            self.cancel = cancel
            return
        if not callable(function):
            raise TypeError("progress: a function is wanted")
        if not cancel:
            cancel = self.token = Handle._create(lib.octile_cancel_create)
        self.cancel = cancel
        told = function

        def call(_: Any, done: float) -> None:
            try:
                if told(done) is False:
                    lib.octile_cancel_raise(cancel)
            except BaseException as error:  # nothing may leave through the library
                self.error = self.error or error
                lib.octile_cancel_raise(cancel)

        self._keep = _PROGRESS(call)
        self.pointer = ctypes.cast(self._keep, ctypes.c_void_p).value

    def end(self) -> None:
        if self.token:
            lib.octile_cancel_destroy(self.token)
            self.token = 0

    def after(self, status: int) -> None:
        self.end()
        if self.error is not None:
            raise self.error
        check(status)


def byref_rect(value: Any) -> Any:
    return byref(rectangle(value))


def pair(a: Any, b: Any) -> Any:
    return byref(_abi.octile_pair(_abi.octile_cell(*cell(a, "start")), _abi.octile_cell(*cell(b, "goal"))))
