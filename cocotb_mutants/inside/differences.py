# SPDX-License-Identifier: Apache-2.0
"""Where a run first differs from the original's, signal by signal."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path

from cocotb_mutants.protocol import Difference

__all__ = ["Comparer", "Recorder", "load"]

Value = str | float
Changes = list[tuple[int, Value]]
"""Times, in steps, at which a signal got a value, and which."""


class Recorder:
    """Writes down each change of each signal, a line for each time step that has one."""

    def __init__(self, path: str, names: Sequence[str]) -> None:
        self._path = Path(path)
        self._names = list(names)
        self._lines = [json.dumps(self._names)]
        self._values: Sequence[Value | None] = [None] * len(self._names)

    def begin(self, time: int, test: str) -> None:
        """Take in that a test begins; a record has no use for it."""

    def sample(self, time: int, values: Sequence[Value]) -> None:
        """Take in the values at a time."""
        changed = [
            (index, value)
            for index, (old, value) in enumerate(zip(self._values, values, strict=True))
            if old != value
        ]
        self._values = list(values)
        self._lines.append(json.dumps([time, changed]))

    def finish(self, _: int) -> tuple[Difference, ...]:
        """Write the file; nothing differs."""
        self._path.write_text("\n".join(self._lines), encoding="utf-8")
        return ()


@cache
def load(path: str) -> dict[str, Changes]:
    """Return the changes of each signal that a `Recorder` wrote.

    The process that forks calls this first, so that its children have it without reading.
    """
    with Path(path).open(encoding="utf-8") as file:
        names = json.loads(file.readline())
        found: dict[str, Changes] = {name: [] for name in names}
        for line in file:
            time, changed = json.loads(line)
            for index, value in changed:
                found[names[index]].append((time, value))
    return found


class Comparer:
    """Compares a run's changes with the original's as they come.

    `outputs` are the names of those that are the top's. Signals that the original's record does
    not have are not compared.
    """

    def __init__(
        self, original: Mapping[str, Changes], names: Sequence[str], outputs: Collection[str]
    ) -> None:
        self._names = list(names)
        self._outputs = set(outputs)
        self._original = [original.get(name, []) for name in names]
        self._open = {index for index, name in enumerate(names) if name in original}
        self._next = [0] * len(self._names)
        self._values: list[Value] = []
        self._tests: list[tuple[int, str]] = []
        self._found: list[Difference] = []

    def begin(self, time: int, test: str) -> None:
        """Take in that a test begins."""
        self._tests.append((time, test))

    def sample(self, time: int, values: Sequence[Value]) -> None:
        """Take in the values at a time."""
        before = self._values or [""] * len(values)
        for index in tuple(self._open):
            if values[index] != before[index]:
                self._changed(index, time, before[index], values[index])
        self._values = list(values)

    def finish(self, time: int) -> tuple[Difference, ...]:
        """Return the first difference of each signal that has one, the earliest first.

        What the original does in the very last time step is left out: it may not be settled here.
        """
        for index in tuple(self._open):
            self._missed(index, time - 1)
        return tuple(sorted(self._found, key=lambda each: each.time))

    def _changed(self, index: int, time: int, before: Value, value: Value) -> None:
        # A change that the original had earlier, and this run had not.
        if self._missed(index, time - 1):
            return
        changes, at = self._original[index], self._next[index]
        if at < len(changes) and changes[at] == (time, value):
            self._next[index] += 1
        elif at < len(changes) and changes[at][0] == time:
            self._add(index, time, changes[at][1], value)
        else:
            self._add(index, time, before, value)

    def _missed(self, index: int, until: int) -> bool:
        changes, at = self._original[index], self._next[index]
        if at < len(changes) and changes[at][0] <= until:
            self._add(index, changes[at][0], changes[at][1], self._values[index])
            return True
        return False

    def _add(self, index: int, time: int, original: Value, mutant: Value) -> None:
        self._open.discard(index)
        name = self._names[index]
        # It may be noticed later than it was; a test that begins then is not the one it was in.
        test = next((test for start, test in reversed(self._tests) if start <= time), "")
        is_output = name in self._outputs
        self._found.append(Difference(name, is_output, time, test, str(original), str(mutant)))
