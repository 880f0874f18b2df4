# SPDX-License-Identifier: Apache-2.0
"""What each mutant is by itself, elaborated: the measure that the schema is held to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

from cocotb_mutants.alone import Alone, Rounds
from cocotb_mutants.canon import Form
from cocotb_mutants.collector import collect
from cocotb_mutants.forms import Forms, design_form, own_forms, whole_forms
from cocotb_mutants.mutant import Mutant
from cocotb_mutants.reads import read_by, written_late_by
from cocotb_mutants.source import Design, Span
from cocotb_mutants.units import Key, Process

__all__ = ["Analysis", "Screening", "analyse", "screen"]

_COMBINATIONAL = ("AlwaysComb", "AlwaysLatch")


@dataclass(frozen=True)
class Screening:
    """Mutants, by name, that are not worth running; see `generate.Screening`."""

    invalid: dict[str, str]
    identical: frozenset[str]
    duplicates: dict[str, str]


class Analysis:
    """The units of a design, and its mutants by themselves as far as they were asked for."""

    def __init__(self, design: Design) -> None:
        self.design = design
        self.units = collect(design)
        self._known: dict[str, tuple[Mutant, Alone]] = {}
        self._originals: dict[Key, tuple[Forms, Forms]] = {}
        self._processes: dict[Span, tuple[Counter[str], set[str]]] = {}

    def alone(self, mutants: Sequence[Mutant]) -> list[Alone]:
        """Return each of `mutants` by itself."""
        new = [m for m in mutants if self._known.get(m.name, (None,))[0] != m]
        for found in Rounds(self.design, self.units, lambda: self.form).run(new):
            self._known[found.mutant.name] = (found.mutant, found)
        return [self._known[mutant.name][1] for mutant in mutants]

    @cached_property
    def form(self) -> tuple[Form, ...]:
        """The form of the whole design."""
        return design_form(self.design)

    def original(self, key: Key) -> tuple[Forms, Forms]:
        """Return the forms of a unit as it is, without and with inner statements."""
        if key not in self._originals:
            nodes = self.units.by_key[key].nodes
            self._originals[key] = (
                own_forms(self.design, nodes, 0),
                whole_forms(self.design, nodes, 0),
            )
        return self._originals[key]

    def wakes_alike(self, alone: Alone) -> bool:
        """Tell whether each combinational process runs in a schema when it does by itself.

        An `always @*` that reads nothing never runs, and a signal that has its value from the
        start wakes none: it has to wait for the same signals. So has an `always_latch`, which
        Icarus refuses if nothing wakes it. An `always_comb` runs anyway, but must read something
        and write nothing later: Icarus lets that wake it or not, depending on who else in the
        design reads it.
        """
        changed: dict[Span, Counter[str]] = {}
        late: dict[Span, set[str]] = {}
        processes: dict[Span, Process] = {}
        for key in alone.parts or ():
            process = self.units.by_key[key].process
            if process is not None and (process.is_implicit or process.kind in _COMBINATIONAL):
                processes[process.span] = process
                reads = changed.setdefault(process.span, Counter(self._reads(process)))
                reads.subtract(read_by(self.original(key)[1]))
                reads.update(read_by(alone.whole[key]))
                late.setdefault(process.span, set()).update(written_late_by(alone.whole[key]))
        for span, process in processes.items():
            names = {name for name, count in changed[span].items() if count > 0}
            if process.kind != "AlwaysComb" and names != self._reads(process).keys():
                return False
            if not process.is_implicit and (not names or names & late[span]):
                return False
            if process.kind == "AlwaysComb" and (late[span] or self._writes_late(process)):
                return False
        return True

    def _reads(self, process: Process) -> Counter[str]:
        return self._reads_and_writes(process)[0]

    def _writes_late(self, process: Process) -> bool:
        return bool(self._reads_and_writes(process)[1])

    def _reads_and_writes(self, process: Process) -> tuple[Counter[str], set[str]]:
        if process.span not in self._processes:
            forms = whole_forms(self.design, process.bodies, 0)
            self._processes[process.span] = (read_by(forms), written_late_by(forms))
        return self._processes[process.span]


_analyses: WeakKeyDictionary[Design, Analysis] = WeakKeyDictionary()


def analyse(design: Design) -> Analysis:
    """Return the analysis of `design`, the same one each time."""
    if design not in _analyses:
        _analyses[design] = Analysis(design)
    return _analyses[design]


def screen(design: Design, mutants: Sequence[Mutant]) -> Screening:
    """Find mutants that do not compile, that change nothing, or that repeat an earlier one."""
    invalid: dict[str, str] = {}
    identical: set[str] = set()
    duplicates: dict[str, str] = {}
    seen: dict[Form, str] = {}
    analysis = analyse(design)
    for alone in analysis.alone(mutants):
        name = alone.mutant.name
        if alone.invalid:
            invalid[name] = alone.invalid
        elif alone.is_same:
            identical.add(name)
        elif alone.parts is not None:
            forms = frozenset(alone.whole.items())
            if all(analysis.original(key)[1] == form for key, form in forms):
                identical.add(name)
            elif forms in seen:
                duplicates[name] = seen[forms]
            else:
                seen[forms] = name
    return Screening(invalid, frozenset(identical), duplicates)
