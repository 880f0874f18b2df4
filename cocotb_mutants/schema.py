# SPDX-License-Identifier: Apache-2.0
"""One text that holds all mutants which are proved to fit into it, to be chosen at run time."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cocotb_mutants import activation
from cocotb_mutants.compose import Alternative, Composed, Overlap, Wrap, compose
from cocotb_mutants.markers import GROSS, select_package
from cocotb_mutants.mutant import Edit, Mutant, apply
from cocotb_mutants.protocol import HitRegister
from cocotb_mutants.prove import Alone, Analysis, analyse, own_forms, whole_forms
from cocotb_mutants.source import Design, Span
from cocotb_mutants.units import Key, Unit, Units, collect, expressions_around

__all__ = ["Schema", "blame", "patched", "plan", "select_package", "without"]

STRUCTURAL = "it changes a declaration, a parameter, a range or an event list"
UNPROVED = "a choice at run time would change a width, a sign or what is legal there"
SEPARATE = "asked for"


@dataclass(frozen=True)
class Schema:
    """The mutants of a design, in one text as far as that is proved to be the same thing.

    `texts` are whole files, for those that hold mutants. `numbers` says which value of the
    selector stands for which mutant, by name. `apart` are those that need a build of their own,
    with the reason in a few words. `hits` are the registers that record activation, and
    `tracked` the mutants they record; any other counts as activated. `gross` says whether the
    values `GROSS` change at least one assignment.
    """

    design: Design
    texts: Mapping[str, bytes]
    numbers: Mapping[str, int]
    in_schema: tuple[Mutant, ...]
    apart: Mapping[str, str]
    hits: tuple[HitRegister, ...] = ()
    tracked: frozenset[str] = frozenset()
    gross: bool = False
    composed: Mapping[str, Composed] = field(default_factory=dict)


@dataclass(frozen=True)
class _Fit:
    """How one mutant is put in: for each of its units, the place that becomes a choice."""

    mutant: Mutant
    alone: Alone
    rungs: Mapping[Key, tuple[tuple[Span, bool], ...]]
    rung: int = 0

    @property
    def exhausted(self) -> bool:
        return not self.rungs or any(self.rung >= len(each) for each in self.rungs.values())

    def places(self) -> Iterable[tuple[Key, Span, bool]]:
        for key, rungs in self.rungs.items():
            yield key, *rungs[self.rung]


def plan(design: Design, mutants: Sequence[Mutant], *, apart: bool = False) -> Schema:
    """Put as many of `mutants` into one text as can be proved to be the same there.

    A mutant is in it only if, in every parameterisation, the elaborated statement that it
    changes is node for node the same in the text with the selector at its number as in the
    mutant by itself, and the same as the original with the selector at 0. With `apart` none is.
    """
    numbers = {mutant.name: number for number, mutant in enumerate(mutants, 1)}
    if apart:
        return Schema(design, {}, numbers, (), {m.name: SEPARATE for m in mutants})
    analysis = analyse(design)
    reasons: dict[str, str] = {}
    fits = []
    for alone in analysis.alone(mutants):
        fit = _fit(analysis, alone)
        if fit is None or fit.exhausted:
            reasons[alone.mutant.name] = STRUCTURAL if not alone.parts else UNPROVED
        else:
            fits.append(fit)
    return _settle(analysis, fits, numbers, reasons)


def without(schema: Schema, names: Collection[str], reason: str) -> Schema:
    """Return `schema` without the mutants `names`: a simulator refused them."""
    kept = [mutant for mutant in schema.in_schema if mutant.name not in names]
    again = plan(schema.design, kept)
    return replace(
        again,
        apart={**schema.apart, **again.apart, **{name: reason for name in names}},
    )


def blame(schema: Schema, text: bytes, line: int) -> set[str]:
    """Return the mutants whose text stands on a line (from 1) of the schema's file `text`."""
    names = {number: name for name, number in schema.numbers.items()}
    found: set[int] = set()
    for composed in schema.composed.values():
        if composed.text == text:
            found |= composed.numbers_on_line(line)
    in_schema = {mutant.name for mutant in schema.in_schema}
    return {names[number] for number in found if names.get(number) in in_schema}


def patched(design: Design, mutant: Mutant) -> dict[str, bytes]:
    """Return the files that `mutant` changes, with it and nothing else in them."""
    edits: dict[str, list[Edit]] = {}
    for edit in mutant.edits:
        edits.setdefault(edit.file, []).append(edit)
    return {file: apply(design.texts[file], each) for file, each in edits.items()}


def _fit(analysis: Analysis, alone: Alone) -> _Fit | None:
    if alone.invalid or not alone.parts:
        return None
    rungs = {}
    for key, edits in alone.parts.items():
        unit = analysis.units.by_key[key]
        rungs[key] = tuple(_rungs(unit, edits, has_own=key in alone.own))
    return _Fit(alone.mutant, alone, rungs)


def _rungs(unit: Unit, edits: Sequence[Edit], *, has_own: bool) -> Iterable[tuple[Span, bool]]:
    """Yield the places for a choice: small values, the largest, then the statement."""
    if has_own:
        values = [each.span for each in expressions_around(unit, edits) if each.is_place]
        for span in dict.fromkeys([*values[:2], *values[-1:]]):
            yield span, False
    if unit.is_statement:
        yield unit.span, True


def _settle(
    analysis: Analysis, fits: list[_Fit], numbers: Mapping[str, int], reasons: dict[str, str]
) -> Schema:
    """Compose, prove, move what failed one rung up, until nothing fails."""
    gross = activation.gross_wraps(analysis)
    watch = True
    while True:
        attempt = _Attempt(analysis, fits, numbers, gross, watch=watch)
        failed = attempt.failed()
        if not failed:
            break
        if _GROSS in failed:
            gross = []
            continue
        if failed == {_EVERYTHING}:
            # Not the mutants' fault: what watches or complements does not fit this design.
            if watch:
                watch = False
            elif gross:
                gross = []
            else:
                reasons |= {fit.mutant.name: UNPROVED for fit in fits}
                fits = []
            continue
        if attempt.changed:
            failed = (failed - attempt.shared) | _guilty(analysis, fits, numbers, attempt.changed)
        climbed = []
        for fit in fits:
            if fit.mutant.name in failed:
                fit = replace(fit, rung=fit.rung + 1)
                if fit.exhausted:
                    reasons[fit.mutant.name] = UNPROVED
                    continue
            climbed.append(fit)
        fits = climbed
    return Schema(
        design=analysis.design,
        texts={file: composed.text for file, composed in attempt.composed.items()},
        numbers=numbers,
        in_schema=tuple(fit.mutant for fit in fits),
        apart=reasons,
        hits=attempt.watch.registers(attempt.elaborated) if fits else (),
        tracked=frozenset(attempt.watch.tracked),
        gross=bool(gross) and bool(fits),
        composed=attempt.composed,
    )


def _guilty(
    analysis: Analysis, fits: Sequence[_Fit], numbers: Mapping[str, int], changed: Collection[Key]
) -> set[str]:
    """Return the mutants that cannot be put into one of the units `changed` even alone.

    One that widens its place changes what all others in the statement mean, so each is tried
    without them; one of each unit at a time.
    """
    waiting = [fit for fit in fits if changed & fit.rungs.keys()]
    suspects = {fit.mutant.name for fit in waiting}
    guilty: set[str] = set()
    while waiting:
        busy: set[Key] = set()
        now, later = [], []
        for fit in waiting:
            if busy & fit.rungs.keys():
                later.append(fit)
            else:
                busy |= fit.rungs.keys()
                now.append(fit)
        failed = _Attempt(analysis, now, numbers, [], watch=False).failed()
        guilty |= {fit.mutant.name for fit in now} if failed == {_EVERYTHING} else failed
        waiting = later
    return guilty or suspects


_EVERYTHING = "\0everything"
_GROSS = "\0gross"
_SELECT_FILE = "cocotb_mutants_select.sv"


class _Attempt:
    """One composed text and its proof."""

    def __init__(
        self,
        analysis: Analysis,
        fits: Sequence[_Fit],
        numbers: Mapping[str, int],
        gross: Sequence[Wrap],
        *,
        watch: bool,
    ) -> None:
        self._analysis = analysis
        self._fits = fits
        self._numbers = numbers
        self._names = {numbers[fit.mutant.name]: fit.mutant.name for fit in fits}
        self._overlapping: set[str] = set()
        self.changed: set[Key] = set()
        self.shared: set[str] = set()
        self.watch = activation.Watch(analysis)
        wraps = self._wraps(gross, watch=watch)
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

    def failed(self) -> set[str]:
        """Return the mutants that are not proved, or `_EVERYTHING` if it is none of them."""
        if self._overlapping:
            return self._overlapping
        if self.elaborated.errors:
            return self._of_errors() or {_EVERYTHING}
        units = collect(self.elaborated)
        self.shared = self._original_changed(units)
        failed = set(self.shared)
        for fit in self._fits:
            if fit.mutant.name not in failed and not self._is_proved(fit, units):
                failed.add(fit.mutant.name)
        return failed

    def _wraps(self, gross: Sequence[Wrap], *, watch: bool) -> dict[str, list[Wrap]]:
        wraps: dict[tuple[Span, bool], Wrap] = {}
        for fit in self._fits:
            number = self._numbers[fit.mutant.name]
            for key, span, is_statement in fit.places():
                text = _mutated(self._analysis.design, span, fit.alone.parts or {}, key)
                if is_statement and not text.strip():
                    text = b";"
                wrap = wraps.setdefault((span, is_statement), Wrap(span, is_statement))
                wrap.alternatives.append(Alternative(number, text))
                if watch:
                    self.watch.add(fit.mutant.name, number, key, span, is_statement, text)
        touched = {span.file for span, _ in wraps}
        for each in gross:
            if each.span.file in touched:
                wrap = wraps.setdefault((each.span, False), Wrap(each.span, False))
                wrap.alternatives += each.alternatives
        self.watch.weave(wraps)
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
            } or {_EVERYTHING}
            return None

    def _of_errors(self) -> set[str]:
        """Find the mutants whose text the front end objects to."""
        found: set[str] = set()
        for error in self.elaborated.errors:
            composed = self.composed.get(error.file)
            if composed is None:
                continue
            numbers = composed.numbers_at(error.offset) or composed.numbers_on_line(error.line)
            found |= {self._names[number] for number in numbers if number in self._names}
            if numbers & GROSS.keys():
                return {_GROSS}
        return found or self._of_subroutines()

    def _of_subroutines(self) -> set[str]:
        """Return the mutants in functions: one that must be constant cannot read a selector."""
        return {
            fit.mutant.name
            for fit in self._fits
            for key in fit.rungs
            if (process := self._analysis.units.by_key[key].process) is not None
            and process.kind == "Subroutine"
        }

    def _original_changed(self, units: Units) -> set[str]:
        """Return the mutants of units that do not mean the same with nothing selected."""
        for key in {key for fit in self._fits for key in fit.rungs}:
            own, whole = self._analysis.original(key)
            ours = own_forms(self.elaborated, self._nodes(units, key), 0)
            block = whole_forms(self.elaborated, self._whole_nodes(units, key), 0)
            if ours != own or block != whole:
                self.changed.add(key)
        return {fit.mutant.name for fit in self._fits if self.changed & fit.rungs.keys()}

    def _is_proved(self, fit: _Fit, units: Units) -> bool:
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
