# SPDX-License-Identifier: Apache-2.0
"""Elaborate mutants by themselves, many in one elaboration as long as they do not meet."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cocotb_mutants.canon import NOTHING, Form
from cocotb_mutants.collector import collect, values_of
from cocotb_mutants.forms import Forms, canon_of, design_form, has_form, own_forms, whole_forms
from cocotb_mutants.mutant import Edit, Mutant, apply
from cocotb_mutants.source import Design, Problem, Span, elaborate
from cocotb_mutants.units import (
    STATIC,
    Expression,
    Key,
    Unit,
    Units,
    expressions_around,
)

__all__ = ["DIRECTIVE", "Alone", "Rounds"]

Parts = dict[Key, tuple[Edit, ...]]

_TIMED = "TimedStatement"
_STRUCTURAL = (_TIMED, STATIC)
DIRECTIVE = re.compile(
    rb"`(define|undef|undefineall|include|resetall|line|timescale|default_\w+|pragma|celldefine"
    rb"|endcelldefine|begin_keywords|end_keywords|unconnected_drive|nounconnected_drive)\b"
)
"""What reaches beyond the text that it stands in."""
_BLANK = re.compile(rb"(\s|//[^\n]*(\n|$)|/\*.*?\*/)*", re.DOTALL)


@dataclass(frozen=True)
class Alone:
    """A mutant by itself.

    `parts` are the units that it changes with its edits in each; None where it changes something
    that is no unit: a declaration, a parameter, a range, an event list; `is_same` then says that
    the whole design elaborates to what it is without the mutant. `invalid` is what the front end
    says if it refuses it. `own` and `whole` are the forms of each part in every
    parameterisation, without and with inner statements; `own` only where the mutant changes a
    value. `places` are the values that may become a choice, smallest first: those that keep
    width and sign. `form` is what the whole design is with a mutant that changes event lists.
    """

    mutant: Mutant
    parts: Mapping[Key, tuple[Edit, ...]] | None
    invalid: str = ""
    is_same: bool = False
    own: Mapping[Key, Forms] = field(default_factory=dict)
    whole: Mapping[Key, Forms] = field(default_factory=dict)
    places: Mapping[Key, tuple[Span, ...]] = field(default_factory=dict)
    form: tuple[Form, ...] | None = None


@dataclass
class _Member:
    """A mutant in a round; `regions` are where it can change what the code means."""

    mutant: Mutant
    parts: Parts | None
    is_timing: bool = False
    regions: dict[Key, Span] = field(default_factory=dict)
    values: set[Key] = field(default_factory=set)


class _Taken:
    """A round to be: `members` that change different statements."""

    def __init__(self) -> None:
        self.members: list[_Member] = []
        self._keys: set[Key] = set()
        self._spans: dict[str, list[tuple[int, int]]] = {}

    def has_place_for(self, member: _Member) -> bool:
        """Tell whether no other is in the same units or touches the same text."""
        return self._keys.isdisjoint(member.regions) and all(
            _is_free(self._spans.get(span.file, []), span) for span in member.regions.values()
        )

    def add(self, member: _Member) -> None:
        """Add a member that there is a place for."""
        self.members.append(member)
        self._keys |= member.regions.keys()
        for span in member.regions.values():
            insort(self._spans.setdefault(span.file, []), (span.start, span.end))


class Rounds:
    """Elaborates mutants by themselves, as many at once as do not meet.

    What a statement means does not depend on the text of its neighbours, and that the rest of
    the design is what it was is verified: statements have their old extents, declarations their
    types, constants their values. Where that fails the mutants are taken apart.
    """

    def __init__(
        self,
        design: Design,
        units: Units,
        form: Callable[[], tuple[Form, ...]],
    ) -> None:
        self._design = design
        self._units = units
        self._form = form

    def run(self, mutants: Iterable[Mutant]) -> list[Alone]:
        """Return each of `mutants` by itself, in another order."""
        rounds: list[_Taken] = []
        found = []
        for member in map(self._member, mutants):
            if member.parts is None:
                found += self._round([member])
                continue
            taken = next((each for each in rounds if each.has_place_for(member)), None)
            if taken is None:
                taken = _Taken()
                rounds.append(taken)
            taken.add(member)
        for taken in rounds:
            found += self._round(taken.members)
        return found

    def _member(self, mutant: Mutant) -> _Member:
        parts: dict[Key, list[Edit]] = {}
        units = [self._units.smallest(edit) for edit in mutant.edits]
        if all(unit is not None and unit.key[2] == _TIMED for unit in units):
            return _Member(mutant, None, is_timing=True)
        for edit, unit in zip(mutant.edits, units, strict=True):
            if unit is None or unit.key[2] in _STRUCTURAL or self._has_directive(unit, edit):
                return _Member(mutant, None)
            parts.setdefault(unit.key, []).append(edit)
        member = _Member(mutant, {key: tuple(edits) for key, edits in parts.items()})
        for key, edits in parts.items():
            unit = self._units.by_key[key]
            values = list(expressions_around(unit, edits))
            member.regions[key] = values[-1].span if values else unit.span
            if values:
                member.values.add(key)
        return member

    def _has_directive(self, unit: Unit, edit: Edit) -> bool:
        text = self._design.texts[unit.span.file][unit.span.start : unit.span.end]
        new = edit.replacement.encode("utf-8", "surrogateescape")
        return bool(DIRECTIVE.search(text) or DIRECTIVE.search(new))

    def _round(self, members: list[_Member]) -> list[Alone]:
        edits: dict[str, list[Edit]] = {}
        for member in members:
            for edit in member.mutant.edits:
                edits.setdefault(edit.file, []).append(edit)
        texts = {file: apply(self._design.texts[file], each) for file, each in edits.items()}
        mutated = elaborate(self._design.sources, texts)
        moves = {file: _Moves(edits.get(file, ())) for file in self._design.texts}
        if mutated.errors:
            return self._blamed(members, mutated.errors, moves)
        if members[0].parts is None:
            return [self._structural(members[0], mutated)]
        trial = _Trial(self._design, self._units, mutated, moves)
        if not trial.is_same_elsewhere(members):
            if len(members) > 1:
                return self._apart(members)
            return [self._structural(members[0], mutated)]
        return [trial.found(member) or self._structural_alone(member) for member in members]

    def _structural(self, member: _Member, mutated: Design) -> Alone:
        if not member.is_timing:
            return Alone(member.mutant, None, is_same=has_form(mutated, self._form()))
        form = design_form(mutated)
        return Alone(member.mutant, None, is_same=form == self._form(), form=form)

    def _structural_alone(self, member: _Member) -> Alone:
        (alone,) = self._round([_Member(member.mutant, None)])
        return alone

    def _blamed(
        self, members: list[_Member], errors: Sequence[Problem], moves: Mapping[str, _Moves]
    ) -> list[Alone]:
        if len(members) == 1:
            return [Alone(members[0].mutant, members[0].parts, invalid=errors[0].message)]
        guilty = [
            member
            for member in members
            if any(
                error.file == span.file
                and moves[span.file].start(span.start) <= error.offset
                and error.offset <= moves[span.file].end(span.end)
                for error in errors
                for span in member.regions.values()
            )
        ]
        innocent = [member for member in members if member not in guilty]
        if not guilty or not innocent:
            return self._apart(members)
        return [*(each for one in guilty for each in self._round([one])), *self._round(innocent)]

    def _apart(self, members: list[_Member]) -> list[Alone]:
        """Try `members` in smaller rounds: one of them changes more than its own text."""
        functions = [member for member in members if self._is_in_function(member)]
        others = [member for member in members if member not in functions]
        if functions and others:
            # A constant function reaches all that is declared with it.
            return [
                *(each for one in functions for each in self._round([one])),
                *self._round(others),
            ]
        half = len(members) // 2
        return [*self._round(members[:half]), *self._round(members[half:])]

    def _is_in_function(self, member: _Member) -> bool:
        processes = [self._units.by_key[key].process for key in member.parts or ()]
        return any(each is not None and each.kind == "Subroutine" for each in processes)


class _Trial:
    """One elaboration with some mutants in it, against the design without them."""

    def __init__(
        self, design: Design, units: Units, mutated: Design, moves: Mapping[str, _Moves]
    ) -> None:
        self._design = design
        self._units = units
        self._mutated = mutated
        self._moves = moves
        self._there = collect(mutated, values=False)

    def is_same_elsewhere(self, members: Iterable[_Member]) -> bool:
        """Tell whether everything that no mutant changes is what and where it was."""
        if self._there.declared != self._units.declared:
            return False
        rewritten = sorted(
            span
            for member in members
            for key, span in member.regions.items()
            if key not in member.values
        )
        known = set()
        for key, unit in self._units.by_key.items():
            there = self._moved(key)
            known.add(there)
            found = self._there.by_key.get(there)
            if _is_in(unit.span, rewritten):
                continue
            if found is None or len(found.nodes) != len(unit.nodes):
                return False
            if not self._ends_where(found.span.end, unit.span):
                return False
        holders = [self._span(span) for span in rewritten]
        added = self._there.by_key.keys() - known
        return all(_is_in(self._there.by_key[key].span, holders) for key in added)

    def found(self, member: _Member) -> Alone | None:
        """Return what the mutant is, None if it is not only other text of its units."""
        own: dict[Key, Forms] = {}
        whole: dict[Key, Forms] = {}
        places: dict[Key, tuple[Span, ...]] = {}
        parts = member.parts or {}
        for key, edits in parts.items():
            unit = self._units.by_key[key]
            if key in member.values:
                nodes = self._there.by_key[self._moved(key)].nodes
                own[key] = own_forms(self._mutated, nodes, 0)
                canon = canon_of(self._design, 0)
                whole[key] = tuple(map(canon.with_own, unit.nodes, own[key]))
                places[key] = tuple(self._places(unit, edits, values_of(self._mutated, nodes)))
                continue
            forms = self._rewritten(unit)
            if forms is None:
                return None
            whole[key] = forms
        return Alone(member.mutant, parts, own=own, whole=whole, places=places)

    def _rewritten(self, unit: Unit) -> Forms | None:
        """Return the forms of a statement with other text, None if it is not one statement."""
        if unit.process is None:
            return None
        there = self._moved(unit.key)
        found = self._there.by_key.get(there)
        nodes: list[Any] = found.nodes if found else self._there.statements.get(there[:2], [])
        new = self._span(unit.span)
        if not nodes:
            text = self._mutated.texts[new.file][new.start : new.end]
            return (NOTHING,) * len(unit.nodes) if _BLANK.fullmatch(text) else None
        for node in nodes:
            span = self._mutated.span(node.sourceRange)
            if span is None or not self._ends_where(span.end, unit.span):
                return None
        return whole_forms(self._mutated, nodes, 0)

    def _places(
        self, unit: Unit, edits: Iterable[Edit], mutated: Mapping[Span, Expression]
    ) -> Iterable[Span]:
        for value in expressions_around(unit, edits):
            there = self._value_at(self._span(value.span), mutated)
            if value.is_place and there is not None and _is_alike(value, there):
                yield value.span

    def _value_at(self, span: Span, mutated: Mapping[Span, Expression]) -> Expression | None:
        """Return the value that is all of `span`; parentheses around it are not part of it."""
        span = self._trimmed(span)
        while span not in mutated:
            text = self._mutated.texts[span.file][span.start : span.end]
            if not (text.startswith(b"(") and text.endswith(b")")):
                return None
            span = self._trimmed(Span(span.file, span.start + 1, span.end - 1))
        return mutated[span]

    def _moved(self, key: Key) -> Key:
        file, start, kind = key
        return (file, self._moves[file].start(start), kind)

    def _span(self, span: Span) -> Span:
        moves = self._moves[span.file]
        return Span(span.file, moves.start(span.start), moves.end(span.end))

    def _trimmed(self, span: Span) -> Span:
        """Return `span` of the mutated text without the space that an edit left at its ends."""
        text = self._mutated.texts[span.file][span.start : span.end]
        start = span.start + len(text) - len(text.lstrip())
        return Span(span.file, start, max(start, span.start + len(text.rstrip())))

    def _ends_where(self, end: int, span: Span) -> bool:
        """Tell whether what ends at `end` has the end of `span`, but for space and comments."""
        wanted = self._moves[span.file].end(span.end)
        rest = self._mutated.texts[span.file][end:wanted]
        return end <= wanted and _BLANK.fullmatch(rest) is not None


class _Moves:
    """Where the bytes of a file are once some edits are done."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        edits = sorted(edits)
        self._starts = [edit.start for edit in edits]
        self._ends = [edit.end for edit in edits]
        self._shifts = [0]
        for edit in edits:
            new = len(edit.replacement.encode("utf-8", "surrogateescape"))
            self._shifts.append(self._shifts[-1] + new - (edit.end - edit.start))

    def start(self, offset: int) -> int:
        """Return where `offset` is; what is put in at `offset` itself stands behind it."""
        count = min(bisect_right(self._ends, offset), bisect_left(self._starts, offset))
        return offset + self._shifts[count]

    def end(self, offset: int) -> int:
        """Return where `offset` is; what is put in at `offset` itself stands before it."""
        return offset + self._shifts[bisect_right(self._ends, offset)]


def _is_alike(original: Expression, mutated: Expression) -> bool:
    """Tell whether a choice between two values may have the width and sign of the first.

    This spares a proof that would fail; it proves nothing.
    """
    if original.outer != mutated.outer or len(original.inner) != len(mutated.inner):
        return False
    for own, context, new in zip(original.inner, original.outer, mutated.inner, strict=True):
        if own is None or context is None or new is None:
            continue
        loses_sign = own[1] and context[1] and not new[1]
        if new[0] > max(own[0], context[0]) or loses_sign:
            return False
    return True


def _is_in(span: Span, holders: Sequence[Span]) -> bool:
    """Tell whether `span` lies in one of `holders`, which are sorted and disjoint."""
    at = bisect_right(holders, (span.file, span.start), key=lambda each: (each.file, each.start))
    return at > 0 and holders[at - 1].holds(span)


def _is_free(taken: Sequence[tuple[int, int]], span: Span) -> bool:
    """Tell whether `span` neither overlaps nor touches any of `taken`, sorted and disjoint."""
    at = bisect_left(taken, (span.start, span.end))
    before_is_free = at == 0 or taken[at - 1][1] < span.start
    return before_is_free and (at == len(taken) or span.end < taken[at][0])
