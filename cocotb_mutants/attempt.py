# SPDX-License-Identifier: Apache-2.0
"""Write one schema and prove it: that each mutant in it, and the original, is what it was."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cocotb_mutants import activation, events
from cocotb_mutants.alone import Alone
from cocotb_mutants.collector import collect
from cocotb_mutants.compose import Alternative, Composed, Overlap, Wrap, compose
from cocotb_mutants.events import Copy
from cocotb_mutants.forms import has_form, own_forms, whole_forms
from cocotb_mutants.markers import GROSS, select_package
from cocotb_mutants.mutant import Edit, Mutant, apply
from cocotb_mutants.prove import Analysis
from cocotb_mutants.source import Design, Problem, Span
from cocotb_mutants.units import Key, Units

__all__ = ["Attempt", "Failed", "Fit"]

_SELECT_FILE = "cocotb_mutants_select.sv"


@dataclass(frozen=True)
class Fit:
    """How one mutant is put in: for each of its units, the place that becomes a choice."""

    mutant: Mutant
    alone: Alone
    rungs: Mapping[Key, tuple[tuple[Span, bool], ...]]
    rung: int = 0

    @property
    def exhausted(self) -> bool:
        """Whether there is no further place to try."""
        return not self.rungs or any(self.rung >= len(each) for each in self.rungs.values())

    def places(self) -> Iterable[tuple[Key, Span, bool]]:
        """Yield each unit with its place, and whether that is a whole statement."""
        for key, rungs in self.rungs.items():
            yield key, *rungs[self.rung]

    def texts(self, design: Design) -> Iterable[tuple[Key, Span, bool, bytes]]:
        """Yield the same with what the mutant has there."""
        for key, span, is_statement in self.places():
            text = _mutated(design, span, self.alone.parts or {}, key)
            if is_statement and not text.strip():
                text = b";"
            yield key, span, is_statement, text


@dataclass
class Failed:
    """What is not proved: mutants by name, gross faults, and what watches mutants.

    `changed` are units that do not mean the same with nothing selected, `shared` all mutants in
    them. `is_as_such` says that it is the text as a whole.
    """

    names: set[str] = field(default_factory=set)
    gross: set[Key] = field(default_factory=set)
    watched: set[str] = field(default_factory=set)
    changed: set[Key] = field(default_factory=set)
    shared: set[str] = field(default_factory=set)
    is_as_such: bool = False

    def __bool__(self) -> bool:
        return bool(self.names or self.gross or self.watched or self.is_as_such)


class Attempt:
    """One composed text and its proof."""

    def __init__(
        self,
        analysis: Analysis,
        fits: Sequence[Fit],
        numbers: Mapping[str, int],
        gross: Mapping[Key, Wrap],
        blind: Collection[str],
        copies: Sequence[Copy] = (),
    ) -> None:
        self._analysis = analysis
        self._fits = fits
        self._copies = copies
        self._numbers = numbers
        self._names = {numbers[fit.mutant.name]: fit.mutant.name for fit in fits}
        self._overlapping: set[str] = set()
        self.watch = activation.Watch(analysis, blind)
        wraps = self._wraps(gross)
        self.composed: dict[str, Composed] = {}
        design = analysis.design
        for file, each in wraps.items():
            composed = self._composed(design.texts[file], file, each)
            if composed is not None:
                self.composed[file] = composed
        texts = {file: composed.text for file, composed in self.composed.items()}
        files = (_SELECT_FILE, *design.sources.files)
        self.elaborated = Design(
            replace(design.sources, files=files),
            {**design.texts, **texts, _SELECT_FILE: select_package()},
        )

    @property
    def keys(self) -> set[Key]:
        """The units with mutants in them."""
        return {key for fit in self._fits for key in fit.rungs}

    @property
    def is_gross(self) -> bool:
        """Whether an assignment can be given a constant."""
        return bool(self._gross)

    def failed(self) -> Failed:
        """Return what is not proved; it is false if all is."""
        if not self._fits and not self._copies:
            return Failed()
        if self._overlapping:
            return Failed(self._overlapping - {""}, is_as_such="" in self._overlapping)
        # The package has no time scale, which is nothing to mind where nothing takes time.
        errors = [each for each in self.elaborated.errors if each.file != _SELECT_FILE]
        if errors:
            return self._of_errors(errors)
        units = collect(self.elaborated, values=False)
        failed = self._original_changed(units)
        for fit in self._fits:
            if fit.mutant.name not in failed.names and not self._is_proved(fit, units):
                failed.names.add(fit.mutant.name)
        if not failed:
            failed.is_as_such = not has_form(self.elaborated, self._analysis.form)
        if not failed:
            failed.names = {
                copy.mutant.name
                for copy in self._copies
                if not has_form(self.elaborated, copy.form, self._numbers[copy.mutant.name])
            }
        return failed

    def _wraps(self, gross: Mapping[Key, Wrap]) -> dict[str, list[Wrap]]:
        wraps: dict[tuple[Span, bool], Wrap] = {}
        for fit in self._fits:
            number = self._numbers[fit.mutant.name]
            for key, span, is_statement, text in fit.texts(self._analysis.design):
                wrap = wraps.setdefault((span, is_statement), Wrap(span, is_statement))
                wrap.alternatives.append(Alternative(number, text))
                self.watch.add(fit.mutant.name, number, key, span, is_statement, text)
        touched = {span.file for span, _ in wraps}
        self._gross = {key: each for key, each in gross.items() if each.span.file in touched}
        for each in self._gross.values():
            wrap = wraps.setdefault((each.span, False), Wrap(each.span, False))
            wrap.alternatives += each.alternatives
        self.watch.weave(wraps)
        events.weave(self._copies, self._numbers, wraps)
        by_file: dict[str, list[Wrap]] = {}
        for (span, _), wrap in wraps.items():
            by_file.setdefault(span.file, []).append(wrap)
        return by_file

    def _composed(self, text: bytes, file: str, wraps: list[Wrap]) -> Composed | None:
        try:
            return compose(text, wraps)
        except Overlap as overlap:
            self._overlapping |= {
                fit.mutant.name
                for fit in self._fits
                for _, span, _ in fit.places()
                if span == overlap.span
            } or {""}
            return None

    def _of_errors(self, errors: Iterable[Problem]) -> Failed:
        """Find whose text the front end objects to."""
        failed = Failed()
        on_line: set[str] = set()
        for error in errors:
            composed = self.composed.get(error.file)
            if composed is None:
                continue
            watched = composed.watched_at(error.offset)
            numbers = composed.numbers_at(error.offset)
            wrap = composed.wrap_at(error.offset)
            copied = {
                c.mutant.name for c in self._copies if self._numbers[c.mutant.name] in watched
            }
            if copied:
                failed.names |= copied
            elif watched:
                failed.watched |= self._named(watched)
            elif numbers & GROSS.keys():
                spans = {each.span: key for key, each in self._gross.items()}
                failed.gross |= {spans[wrap.span]} if wrap else set()
            failed.names |= self._named(numbers)
            on_line |= self._named(composed.numbers_on_line(error.line))
        if not failed:
            failed.names = self._in_functions() or on_line
        return failed if failed else Failed(is_as_such=True)

    def _named(self, numbers: Iterable[int]) -> set[str]:
        return {self._names[number] for number in numbers if number in self._names}

    def _in_functions(self) -> set[str]:
        """Return the mutants in functions: one that must be constant cannot read a selector."""
        return {
            fit.mutant.name
            for fit in self._fits
            for key in fit.rungs
            if (process := self._analysis.units.by_key[key].process) is not None
            and process.kind == "Subroutine"
        }

    def _original_changed(self, units: Units) -> Failed:
        """Find the units that do not mean the same with nothing selected."""
        failed = Failed()
        blocks = {
            key for fit in self._fits for key, _, is_statement in fit.places() if is_statement
        }
        for key in self.keys | self._gross.keys():
            own, whole = self._analysis.original(key)
            is_same = own_forms(self.elaborated, self._nodes(units, key), 0) == own
            if is_same and key in blocks:
                nodes = self._whole_nodes(units, key)
                is_same = whole_forms(self.elaborated, nodes, 0) == whole
            if not is_same:
                failed.changed.add(key)
        failed.gross = failed.changed & self._gross.keys()
        failed.shared = {fit.mutant.name for fit in self._fits if failed.changed & fit.rungs.keys()}
        failed.names = set(failed.shared)
        return failed

    def _is_proved(self, fit: Fit, units: Units) -> bool:
        number = self._numbers[fit.mutant.name]
        for key, _, is_statement in fit.places():
            if is_statement:
                nodes = self._whole_nodes(units, key)
                ours, wanted = whole_forms(self.elaborated, nodes, number), fit.alone.whole[key]
            else:
                nodes = self._nodes(units, key)
                ours, wanted = own_forms(self.elaborated, nodes, number), fit.alone.own[key]
            if ours != wanted or not ours:
                return False
        return True

    def _nodes(self, units: Units, key: Key) -> list[object]:
        file, start, kind = key
        composed = self.composed.get(file)
        there = (file, composed.moved(start) if composed else start, kind)
        unit = units.by_key.get(there)
        return unit.nodes if unit is not None else []

    def _whole_nodes(self, units: Units, key: Key) -> list[object]:
        """Return the nodes of a unit with the choice around it, where there is one."""
        file, start, _ = key
        composed = self.composed.get(file)
        unit = self._analysis.units.by_key[key]
        if composed and unit.is_statement and start in composed.starts:
            return units.statements.get((file, composed.starts[start]), [])
        return self._nodes(units, key)


def _mutated(design: Design, span: Span, parts: Mapping[Key, tuple[Edit, ...]], key: Key) -> bytes:
    moved = [
        replace(edit, start=edit.start - span.start, end=edit.end - span.start)
        for edit in parts[key]
    ]
    return apply(design.texts[span.file][span.start : span.end], moved)
