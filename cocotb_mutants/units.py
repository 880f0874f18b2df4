# SPDX-License-Identifier: Apache-2.0
"""What a design is cut into: a statement's own words or a connection each, and their values."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from cocotb_mutants.mutant import Edit
from cocotb_mutants.source import Span

__all__ = ["STATIC", "Expression", "Key", "Process", "Type", "Unit", "Units", "expressions_around"]

Key = tuple[str, int, str]
"""File, offset of the first byte, and what kind of unit it is."""

STATIC = "StaticDeclaration"
"""The kind of a variable that gets its value once, before anything can be selected."""

_NO_CHOICE = ("VariableDeclStatement", STATIC, "TimedStatement")
Type = tuple[int, bool] | None
"""Width and whether it is signed; None for a type that is not integral."""


@dataclass(frozen=True)
class Process:
    """An `always`, `initial` or `final` process, or a function or task.

    `member` is the text of the whole; None where no declaration can stand before it. `bodies`
    are its elaborated forms. `is_implicit` says that it waits for whatever it reads: `always @*`.
    """

    span: Span
    kind: str
    member: Span | None
    bodies: list[Any] = field(default_factory=list, compare=False)
    is_implicit: bool = False

    @property
    def is_always(self) -> bool:
        """Whether it is one of the `always` kinds."""
        return self.kind.startswith("Always")


@dataclass
class Expression:
    """A value in the text.

    `types` are width and sign in each parameterisation it occurs in. `inner` is what it has by
    itself each time it occurs, `outer` what its context makes of that. `is_place` is False for
    what is assigned to or selected from, and for assignments: no choice can be written there.
    """

    span: Span
    types: set[tuple[int, bool]] = field(default_factory=set)
    inner: list[Type] = field(default_factory=list)
    outer: list[Type] = field(default_factory=list)
    is_place: bool = True
    is_integral: bool = True
    is_pure: bool = True


@dataclass
class Unit:
    """A statement, a continuous assignment, or what is connected to an input.

    `nodes` are its elaborated forms, one for each parameterisation and generate iteration, in
    the order of the walk. `span` is all of its text, `expressions` the values in its own words
    (inner statements have their own units), larger ones first. `process` is None outside
    procedural code; `member` is then the text of the item it stands in, if a declaration can
    follow that. `head` is the first `if` of a `unique` or `priority` chain of which this is a
    later one: a block around it would take it out of the chain.
    """

    key: Key
    span: Span
    nodes: list[Any]
    process: Process | None
    member: Span | None
    expressions: list[Expression] = field(default_factory=list)
    head: Key | None = None

    @property
    def is_statement(self) -> bool:
        """Whether it may become a block with a choice in it."""
        return self.process is not None and self.head is None and self.key[2] not in _NO_CHOICE


class Units:
    """All units of a design, to be looked up by key or by the bytes of an edit.

    `statements` are the outermost statements by file and start. `declared` is what is declared,
    with types and the values of constants, in order.
    """

    def __init__(
        self,
        units: dict[Key, Unit],
        statements: dict[tuple[str, int], list[Any]],
        declared: tuple[object, ...],
    ) -> None:
        self.by_key = units
        self.statements = statements
        self.declared = declared

    @cached_property
    def _sorted(self) -> dict[str, tuple[list[int], list[Unit]]]:
        found: dict[str, tuple[list[int], list[Unit]]] = {}
        for unit in sorted(self.by_key.values(), key=lambda unit: unit.span):
            starts, units = found.setdefault(unit.span.file, ([], []))
            starts.append(unit.span.start)
            units.append(unit)
        return found

    def smallest(self, edit: Edit) -> Unit | None:
        """Return the smallest unit that holds all bytes of `edit`, or None."""
        starts, units = self._sorted.get(edit.file, ([], []))
        last = bisect_right(starts, edit.start)
        wanted = Span(edit.file, edit.start, edit.end)
        holding = [unit for unit in units[:last] if unit.span.holds(wanted)]
        return min(holding, key=lambda unit: unit.span.end - unit.span.start, default=None)


def expressions_around(unit: Unit, edits: Iterable[Edit]) -> Iterator[Expression]:
    """Yield the values of `unit` that hold all `edits`, the smallest first."""
    edits = list(edits)
    holding = [
        each
        for each in unit.expressions
        if all(each.span.holds(Span(e.file, e.start, e.end)) for e in edits)
    ]
    yield from sorted(holding, key=lambda each: each.span.end - each.span.start)
