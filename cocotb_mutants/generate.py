# SPDX-License-Identifier: Apache-2.0
"""Turn a design into its mutants: sites, operators, names, and nothing twice."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from cocotb_mutants.errors import UsageError
from cocotb_mutants.handwritten import HandWritten, plant
from cocotb_mutants.mutant import Edit, Mutant
from cocotb_mutants.naming import name_of, suggest
from cocotb_mutants.operators import OPERATORS, Operator, Replacement
from cocotb_mutants.sites import Elsewhere, Site
from cocotb_mutants.source import Design, Span
from cocotb_mutants.suppress import Suppression, read_suppressions
from cocotb_mutants.walk import collect

__all__ = [
    "MutantSet",
    "Request",
    "Screen",
    "Screening",
    "accept_all",
    "chosen_operators",
    "generate",
]


@dataclass(frozen=True)
class Request:
    """What the user asked for: operators by name (none: all), and hand-written mutants."""

    operators: tuple[str, ...] = ()
    hand_written: tuple[HandWritten, ...] = ()
    only_hand_written: bool = False


class Screening(Protocol):
    """What a screen found out about mutants, by name.

    `invalid` are refused by the front end, with its message; `identical` elaborate to the
    original; `duplicates` elaborate to an earlier mutant, whose name is given.
    """

    @property
    def invalid(self) -> Mapping[str, str]: ...  # noqa: D102
    @property
    def identical(self) -> Collection[str]: ...  # noqa: D102
    @property
    def duplicates(self) -> Mapping[str, str]: ...  # noqa: D102


_DEFAULT = {operator.name for operator in OPERATORS.values() if operator.by_default}
ALL = "all"
"""What stands for every operator, in place of the names."""

Screen = Callable[[Design, Sequence[Mutant]], Screening]


@dataclass(frozen=True)
class NothingFound:
    """The screening that finds no fault with any mutant."""

    invalid: Mapping[str, str] = field(default_factory=dict)
    identical: Collection[str] = ()
    duplicates: Mapping[str, str] = field(default_factory=dict)


def accept_all(design: Design, mutants: Sequence[Mutant]) -> Screening:
    """Return the screening that finds no fault with any mutant."""
    return NothingFound()


@dataclass(frozen=True)
class MutantSet:
    """The mutants of one design, in the order of files, offsets and operators.

    `ignored` are those that a comment beside the code silences, with its reason; they are not
    in `mutants`. `sites` counts by operator the places it applies to, before anything is
    dropped. `in_macro` and `in_included` count places whose text came out of a macro, or stands
    in a file that is included but not listed. The dropped ones are counted by what dropped
    them; a hand-written mutant is dropped for none of these reasons. `idle` are comments that
    silence nothing.
    """

    mutants: tuple[Mutant, ...]
    ignored: tuple[tuple[Mutant, str], ...] = ()
    sites: Mapping[str, int] = field(default_factory=dict)
    in_macro: int = 0
    in_included: int = 0
    dropped_invalid: int = 0
    dropped_identical: int = 0
    dropped_duplicate: int = 0
    idle: tuple[Suppression, ...] = ()


def chosen_operators(names: Sequence[str]) -> tuple[Operator, ...]:
    """Return the operators that `names` ask for: `name` adds, `-name` takes away.

    Without a name that adds, all that are there by default are there to begin with; `all` adds
    every one.

    Raises:
        UsageError: an operator is unknown.
    """
    for name in names:
        if name.removeprefix("-") not in (*OPERATORS, ALL):
            raise UsageError(
                f"unknown operator {name.removeprefix('-')!r}",
                hint=suggest(name.removeprefix("-"), OPERATORS)
                or f"it is one of: {', '.join(OPERATORS)}",
            )
    added = [name for name in names if not name.startswith("-")]
    if not added:
        added = sorted(_DEFAULT)
    if ALL in added:
        added = list(OPERATORS)
    return tuple(
        operator
        for operator in OPERATORS.values()
        if operator.name in added and f"-{operator.name}" not in names
    )


def generate(
    design: Design,
    mutate: Collection[str],
    request: Request | None = None,
    screen: Screen = accept_all,
) -> MutantSet:
    """Return the mutants of `design` in the files `mutate`, and hand-written ones anywhere.

    Raises:
        UsageError: an operator is unknown.
        SourceError: a hand-written mutant, or a comment that silences mutants, is wrong.
    """
    request = request or Request()
    operators = chosen_operators(request.operators)
    planted = [plant(design, entry) for entry in request.hand_written]
    hand_written = [mutant for mutant in planted if mutant is not None]
    if request.only_hand_written:
        return MutantSet(_ordered(design, hand_written))
    found = collect(design)
    names = {operator.name for operator in operators}
    candidates, sites = _candidates(
        [site for site in found.sites if site.span.file in mutate], names
    )
    screening = screen(design, candidates)
    gone = {*screening.invalid, *screening.identical, *screening.duplicates}
    kept = [mutant for mutant in candidates if mutant.name not in gone]
    comments = [
        comment
        for file in mutate
        for comment in read_suppressions(file, design.texts[file], OPERATORS)
    ]
    active, ignored, idle = _silenced(design, kept, comments, names)
    return MutantSet(
        _ordered(design, [*active, *hand_written]),
        tuple(ignored),
        sites,
        found.in_macro,
        found.in_included,
        len(screening.invalid),
        len(screening.identical),
        len(screening.duplicates),
        tuple(idle),
    )


def _candidates(sites: Sequence[Site], names: set[str]) -> tuple[list[Mutant], dict[str, int]]:
    """Return the mutants of the operators `names`, each text once, and their sites' counts.

    All operators are asked, so that which of two keeps a text does not depend on the choice.
    """
    seen: set[tuple[tuple[str, int, int, str], ...]] = set()
    taken: set[str] = set()
    counts: Counter[str] = Counter()
    mutants = []
    for operator in OPERATORS.values():
        for site in sites:
            if site.kind not in operator.kinds:
                continue
            fresh = False
            for replacement in _replacements(operator, site):
                edits = _edits(site, replacement)
                key = tuple(_trimmed(edit) for edit in edits)
                if key in seen or all(edit.original == edit.replacement for edit in edits):
                    continue
                seen.add(key)
                fresh = True
                mutant = _mutant(site, operator, replacement, edits, taken)
                if operator.name in names:
                    mutants.append(mutant)
            counts[operator.name] += fresh and operator.name in names
    return mutants, {name: counts[name] for name in OPERATORS if name in names}


def _replacements(operator: Operator, site: Site) -> Iterator[Replacement]:
    try:
        yield from operator.replacements(site)
    except Elsewhere:
        return


def _edits(site: Site, replacement: Replacement) -> tuple[Edit, ...]:
    return tuple(
        Edit(
            change.span.file,
            change.span.start,
            change.span.end,
            site.design.text(change.span),
            _spaced(site.design.texts[change.span.file], change.span, change.text),
        )
        for change in replacement
    )


_SIGNS = b"&|^~+-*/<>=!@#:'"
# a question mark is a digit behind a binary literal
_WORDS = (string.ascii_letters + string.digits + "_$?").encode()


def _spaced(text: bytes, span: Span, new: str) -> str:
    """Keep what is put in from growing together with the token before or behind it."""
    own = new.encode("utf-8", "replace")
    before, after = text[: span.start][-1:], text[span.end :][:1]
    if own[:1] != text[span.start :][:1] and _grow_together(before, own[:1]):
        new = f" {new}"
    if own[-1:] != text[: span.end][-1:] and _grow_together(own[-1:], after):
        new = f"{new} "
    return new


def _grow_together(left: bytes, right: bytes) -> bool:
    """Tell whether two bytes at the ends of tokens could be read as one token."""
    return any(
        left in sort and right in sort and bool(left) and bool(right) for sort in (_SIGNS, _WORDS)
    )


def _trimmed(edit: Edit) -> tuple[str, int, int, str]:
    """Return the edit without the ends that both texts share: equal for equal results."""
    old, new = edit.original, edit.replacement
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    skipped = len(old[:start].encode("utf-8", "surrogateescape"))
    length = len(old[start : len(old) - end].encode("utf-8", "surrogateescape"))
    at = edit.start + skipped
    return (edit.file, at, at + length, new[start : len(new) - end])


def _mutant(
    site: Site,
    operator: Operator,
    replacement: Replacement,
    edits: tuple[Edit, ...],
    taken: set[str],
) -> Mutant:
    name = name_of(site, operator.name, replacement)
    number = 2
    unique = name
    while unique in taken:
        unique, number = f"{name}-{number}", number + 1
    taken.add(unique)
    first = edits[0]
    line, column = site.design.line_and_column(Span(first.file, first.start, first.end))
    return Mutant(unique, operator.name, edits, site.context.module, line, column)


def _silenced(
    design: Design, mutants: list[Mutant], comments: list[Suppression], names: set[str]
) -> tuple[list[Mutant], list[tuple[Mutant, str]], list[Suppression]]:
    """Part `mutants` into those that stay and those that a comment silences."""
    active, ignored = [], []
    used: set[Suppression] = set()
    for mutant in mutants:
        lines = set(_lines(design, mutant)) if comments else set()
        silencing = [comment for comment in comments if comment.silences(mutant, lines)]
        used.update(silencing)
        if silencing:
            ignored.append((mutant, silencing[0].reason))
        else:
            active.append(mutant)
    idle = [
        comment
        for comment in comments
        if comment not in used and (comment.operator in names or names >= _DEFAULT)
    ]
    return active, ignored, idle


def _lines(design: Design, mutant: Mutant) -> Iterator[tuple[str, int]]:
    for edit in mutant.edits:
        yield edit.file, design.line_and_column(Span(edit.file, edit.start, edit.end))[0]


def _ordered(design: Design, mutants: Sequence[Mutant]) -> tuple[Mutant, ...]:
    files = {file: index for index, file in enumerate(design.sources.files)}
    operators = {name: index for index, name in enumerate(OPERATORS)}
    return tuple(
        sorted(
            mutants,
            key=lambda m: (
                files[m.file],
                m.edits[0].start,
                operators.get(m.operator, len(operators)),
                m.edits,
                m.name,
            ),
        )
    )
