# SPDX-License-Identifier: Apache-2.0
"""Widths at the door: frozen records of port values that refuse what their wires cannot carry.

Inside a model every number is an unbounded Python integer. A model's ``Inputs``, ``Outputs`` and
``State`` derive from :class:`Ports` and annotate each field with its width, so that a value that
would not fit is an error at the place where it is made instead of a silent wrap.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, fields
from functools import cache
from typing import Annotated, Any, get_type_hints

__all__ = [
    "COUNTER_MAX",
    "U1",
    "U2",
    "U3",
    "U4",
    "U5",
    "U6",
    "U7",
    "U8",
    "U9",
    "U10",
    "U11",
    "U12",
    "U13",
    "U14",
    "U15",
    "U16",
    "U20",
    "U24",
    "U32",
    "Build",
    "Ports",
    "Width",
    "count_up",
]

COUNTER_MAX = 255
"""Where the 8-bit event counters stop: they saturate, they never wrap."""


class Build(enum.IntEnum):
    """Which of the two designs a module's parameter selects."""

    CORRECT = 0
    BROKEN = 1


@dataclass(frozen=True)
class Width:
    """Number of bits of an unsigned port: its values are 0 to ``2**bits - 1``.

    ``U12`` and its like are short for ``Annotated[int, Width(12)]``.
    """

    bits: int


U1 = Annotated[int, Width(1)]
U2 = Annotated[int, Width(2)]
U3 = Annotated[int, Width(3)]
U4 = Annotated[int, Width(4)]
U5 = Annotated[int, Width(5)]
U6 = Annotated[int, Width(6)]
U7 = Annotated[int, Width(7)]
U8 = Annotated[int, Width(8)]
U9 = Annotated[int, Width(9)]
U10 = Annotated[int, Width(10)]
U11 = Annotated[int, Width(11)]
U12 = Annotated[int, Width(12)]
U13 = Annotated[int, Width(13)]
U14 = Annotated[int, Width(14)]
U15 = Annotated[int, Width(15)]
U16 = Annotated[int, Width(16)]
U20 = Annotated[int, Width(20)]
U24 = Annotated[int, Width(24)]
U32 = Annotated[int, Width(32)]


@dataclass(frozen=True)
class Ports:
    """A record of unsigned port values, each annotated with its :class:`Width`.

    Raises:
        ValueError: a value is not an integer of the range its width can carry. The message names
            the record, the field, the value and the range.
    """

    def __post_init__(self) -> None:
        for name, bits in self.widths().items():
            value = getattr(self, name)
            if not isinstance(value, int) or not 0 <= value < 1 << bits:
                raise ValueError(
                    f"{type(self).__module__}.{type(self).__name__}.{name} is {value!r}, "
                    f"not an integer from 0 to {(1 << bits) - 1} ({bits} bit)"
                )

    @classmethod
    def widths(cls) -> dict[str, int]:
        """Width in bits of every field, in declaration order."""
        return _widths(cls)  # type: ignore[arg-type]  # a class is hashable, mypy reads its __hash__

    def values(self) -> dict[str, int]:
        """Every field and its value, in declaration order."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __str__(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.values().items())


@cache
def _widths(cls: type[Ports]) -> dict[str, int]:
    hints: dict[str, Any] = get_type_hints(cls, include_extras=True)
    return {field.name: hints[field.name].__metadata__[0].bits for field in fields(cls)}


def count_up(count: int, happened: object) -> int:
    """Next value of an event counter: one more if *happened* is true, stopping at 255."""
    return min(count + bool(happened), COUNTER_MAX)
