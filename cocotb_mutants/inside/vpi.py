# SPDX-License-Identifier: Apache-2.0
"""The simulator's own interface, for what cocotb cannot reach: variables of packages."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["Register", "find", "flush_output", "print_by_line"]

_VECTOR = 9  # vpiVectorVal
_NO_DELAY = 1  # vpiNoDelay
_WORD = 0xFFFF_FFFF
_UNNAMED = re.compile(r"(?<=\.genblk)\d+(?=[.\[])")
_MOST_UNNAMED = 1000
"""Generate blocks without a name that one scope is looked through for."""


class _Word(ctypes.Structure):
    _fields_ = (("a", ctypes.c_uint32), ("b", ctypes.c_uint32))


class _Variants(ctypes.Union):
    _fields_ = (("vector", ctypes.POINTER(_Word)), ("real", ctypes.c_double))


class _Value(ctypes.Structure):
    _fields_ = (("format", ctypes.c_int32), ("value", _Variants))


# The simulator is the program that this Python is embedded in, so its symbols are global.
_library: Any = ctypes.CDLL(None)


class Register:
    """A variable of the design that is read and written at once, without a delay."""

    def __init__(self, handle: int, width: int) -> None:
        self._handle = ctypes.c_void_p(handle)
        self._words = (width + 31) // 32

    def read(self) -> int:
        """Return the bits that are 1; X and Z count as 0."""
        value = _Value(format=_VECTOR)
        _library.vpi_get_value(self._handle, ctypes.byref(value))
        vector = value.value.vector
        return sum((vector[i].a & ~vector[i].b & _WORD) << 32 * i for i in range(self._words))

    def write(self, number: int) -> None:
        """Set the variable to `number`."""
        words = (_Word * self._words)()
        for i in range(self._words):
            words[i].a = number >> 32 * i & _WORD
        value = _Value(format=_VECTOR)
        value.value.vector = words
        _library.vpi_put_value(self._handle, ctypes.byref(value), None, _NO_DELAY)


def find(path: str, width: int) -> Register | None:
    """Return the variable with the hierarchical name `path`, or None if there is none.

    A generate block without a name has a number, and Icarus counts others than the standard
    does: a variable that is not there is looked for in all of them. It must have a name that no
    other variable of its module has.
    """
    look_up = getattr(_library, "vpi_handle_by_name", None)
    if look_up is None:
        return None
    look_up.restype = ctypes.c_void_p
    look_up.argtypes = (ctypes.c_char_p, ctypes.c_void_p)
    _library.vpi_put_value.restype = ctypes.c_void_p
    found = _handles(path, lambda name: look_up(name.encode(), None))
    handle = next(found, None)
    return Register(handle, width) if handle else None


def _handles(path: str, look_up: Callable[[str], int | None], start: int = 0) -> Iterator[int]:
    handle = look_up(path)
    if handle:
        yield handle
        return
    unnamed = _UNNAMED.search(path, start)
    if unnamed is None:
        return
    before, rest = path[: unnamed.start()], path[unnamed.end() :]
    index = rest[: rest.index("]") + 1] if rest.startswith("[") else ""
    for number in range(1, _MOST_UNNAMED):
        block = f"{before}{number}"
        if look_up(block + index):
            yield from _handles(block + rest, look_up, len(block))


def flush_output() -> None:
    """Write out what the simulator has printed and still holds."""
    _library.fflush(None)


def print_by_line() -> None:
    """Let the simulator print each line as it comes, so that one that is killed loses none."""
    by_line = 1  # _IOLBF
    stream = ctypes.c_void_p.in_dll(_library, "stdout")
    _library.setvbuf(stream, None, by_line, ctypes.c_size_t(0))
