# SPDX-License-Identifier: Apache-2.0
"""One text that holds all mutants which are proved to fit into it, to be chosen at run time."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cocotb_mutants import activation
from cocotb_mutants.alone import Alone
from cocotb_mutants.attempt import Attempt, Fit
from cocotb_mutants.compose import Composed, can_be_copied
from cocotb_mutants.events import Copy, copies_of
from cocotb_mutants.markers import select_package
from cocotb_mutants.mutant import Edit, Mutant, apply
from cocotb_mutants.protocol import HitRegister
from cocotb_mutants.prove import Analysis, analyse
from cocotb_mutants.source import Design, Span
from cocotb_mutants.units import Key

__all__ = ["Schema", "blame", "patched", "plan", "select_package", "without"]

STRUCTURAL = "it changes a declaration, a parameter, a range or an event list"
UNPROVED = "a choice at run time would change a width, a sign or what is legal there"
EVENTS = "it changes what wakes a combinational process"
SEPARATE = "asked for"


@dataclass(frozen=True)
class Schema:
    """The mutants of a design, in one text as far as that is proved to be the same thing.

    `texts` are whole files, for those that hold mutants. `numbers` says which value of the
    selector stands for which mutant, by name. `apart` are those that need a build of their own,
    with the reason in a few words. `hits` are the registers that record activation, and
    `tracked` the mutants they record; any other counts as activated. `gross` says whether the
    values `GROSS` change at least one assignment. `fits` say how each mutant is put in, but for
    those of event lists.
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
    fits: tuple[Fit, ...] = ()


def plan(design: Design, mutants: Sequence[Mutant], *, apart: bool = False) -> Schema:
    """Put as many of `mutants` into one text as can be proved to be the same there.

    A mutant is in it only if, in every parameterisation, the elaborated statement that it
    changes is node for node the same in the text with the selector at its number as in the
    mutant by itself, and the whole design the same as the original with the selector at 0.
    With `apart` none is.
    """
    numbers = {mutant.name: number for number, mutant in enumerate(mutants, 1)}
    if apart:
        return Schema(design, {}, numbers, (), {m.name: SEPARATE for m in mutants})
    return _plan(design, mutants, numbers)


def without(schema: Schema, names: Collection[str], reason: str) -> Schema:
    """Return `schema` without the mutants `names`: a simulator refused them."""
    kept = [mutant for mutant in schema.in_schema if mutant.name not in names]
    again = _plan(schema.design, kept, schema.numbers)
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


def _plan(design: Design, mutants: Sequence[Mutant], numbers: Mapping[str, int]) -> Schema:
    analysis = analyse(design)
    reasons: dict[str, str] = {}
    fits = []
    found = analysis.alone(mutants)
    copies = copies_of(analysis, found)
    copied = {copy.mutant.name for copy in copies}
    for alone in found:
        if alone.mutant.name in copied:
            continue
        name = alone.mutant.name
        fit = Fit(alone.mutant, alone, _rungs(analysis, alone))
        if alone.invalid or not alone.parts:
            reasons[name] = STRUCTURAL
        elif not analysis.wakes_alike(alone):
            reasons[name] = EVENTS
        elif fit.exhausted:
            reasons[name] = UNPROVED
        else:
            fits.append(fit)
    return _settle(analysis, fits, copies, numbers, reasons)


def _rungs(analysis: Analysis, alone: Alone) -> dict[Key, tuple[tuple[Span, bool], ...]]:
    """Return the places for a choice: small values, the largest, then the statement."""
    texts = analysis.design.texts
    rungs = {}
    for key in alone.whole:
        values = alone.places.get(key, ())
        found = [(span, False) for span in dict.fromkeys([*values[:2], *values[-1:]])]
        unit = analysis.units.by_key[key]
        if unit.is_statement:
            found.append((unit.span, True))
        rungs[key] = tuple(
            place for place in found if can_be_copied(texts[key[0]][place[0].start : place[0].end])
        )
    return rungs


def _settle(
    analysis: Analysis,
    fits: list[Fit],
    copies: list[Copy],
    numbers: Mapping[str, int],
    reasons: dict[str, str],
) -> Schema:
    """Compose, prove, move what failed one rung up, until nothing fails."""
    gross = activation.gross_wraps(analysis)
    blind: set[str] = set()
    while True:
        attempt = Attempt(analysis, fits, numbers, gross, blind, copies)
        failed = attempt.failed()
        if not failed:
            break
        if refused := [
            copy for copy in copies if failed.is_as_such or copy.mutant.name in failed.names
        ]:
            reasons |= {copy.mutant.name: STRUCTURAL for copy in refused}
            copies = [copy for copy in copies if copy not in refused]
            continue
        gross = {key: wrap for key, wrap in gross.items() if key not in failed.gross}
        blind |= failed.watched
        if failed.gross or failed.watched:
            continue
        names = failed.names
        if failed.is_as_such:
            # No mutant's fault: what watches or is gross does not fit this design.
            everything = {fit.mutant.name for fit in fits}
            if everything - blind:
                blind |= everything
            elif gross:
                gross = {}
            else:
                names = _guilty(analysis, fits, numbers, attempt.keys)
                fits = _climbed(fits, names, reasons)
            continue
        if failed.changed:
            names = (names - failed.shared) | _guilty(analysis, fits, numbers, failed.changed)
        fits = _climbed(fits, names, reasons)
    fitting = [*(fit.mutant for fit in fits), *(copy.mutant for copy in copies)]
    return Schema(
        design=analysis.design,
        texts={file: composed.text for file, composed in attempt.composed.items()},
        numbers=numbers,
        in_schema=tuple(sorted(fitting, key=lambda mutant: numbers[mutant.name])),
        apart=reasons,
        hits=attempt.watch.registers(attempt.elaborated),
        tracked=frozenset(attempt.watch.tracked),
        gross=attempt.is_gross,
        composed=attempt.composed,
        fits=tuple(fits),
    )


def _climbed(fits: list[Fit], names: Collection[str], reasons: dict[str, str]) -> list[Fit]:
    """Move `names` up by one place; those without a further one get a reason."""
    climbed = []
    for fit in fits:
        if fit.mutant.name in names:
            fit = replace(fit, rung=fit.rung + 1)
        if fit.exhausted:
            reasons[fit.mutant.name] = UNPROVED
        else:
            climbed.append(fit)
    return climbed


def _guilty(
    analysis: Analysis, fits: Sequence[Fit], numbers: Mapping[str, int], changed: Collection[Key]
) -> set[str]:
    """Return the mutants that cannot be put into one of the units `changed` even alone.

    One that widens its place changes what all others in the statement mean, so each is tried
    without them; one of each unit at a time.
    """
    waiting = [fit for fit in fits if changed & fit.rungs.keys()]
    suspects = {fit.mutant.name for fit in waiting}
    guilty: set[str] = set()
    rounds: list[list[Fit]] = []
    while waiting:
        busy: set[Key] = set()
        now, later = [], []
        for fit in waiting:
            if busy & fit.rungs.keys():
                later.append(fit)
            else:
                busy |= fit.rungs.keys()
                now.append(fit)
        rounds.append(now)
        waiting = later
    while rounds:
        now = rounds.pop()
        failed = Attempt(analysis, now, numbers, {}, suspects).failed()
        if failed.is_as_such and len(now) > 1:
            rounds += [now[: len(now) // 2], now[len(now) // 2 :]]
        else:
            guilty |= {now[0].mutant.name} if failed.is_as_such else failed.names
    return guilty or suspects
