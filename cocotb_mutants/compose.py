# SPDX-License-Identifier: Apache-2.0
"""Write the text of a schema: the user's file, with choices between it and its mutants."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field

from cocotb_mutants.markers import SELECT
from cocotb_mutants.source import Span

__all__ = ["Alternative", "Composed", "Overlap", "Wrap", "can_be_copied", "compose"]

_CONDITIONAL = re.compile(rb"//[^\n]*|/\*.*?\*/|`(ifn?def|elsif|else|endif)\b", re.DOTALL)


class Overlap(ValueError):
    """Two places share bytes and neither holds the other; `span` is the second of them."""

    def __init__(self, span: Span) -> None:
        super().__init__(f"{span} overlaps another place")
        self.span = span


@dataclass(frozen=True)
class Alternative:
    """What stands at a place when the selector is `number`."""

    number: int
    text: bytes


@dataclass
class Wrap:
    """A place with its alternatives.

    A statement also takes `before`: pieces of text that run before it, each with the number of
    the mutant that it watches, 0 for none. A `span` without bytes is a place where `before` is
    put in, and nothing is replaced.
    """

    span: Span
    is_statement: bool
    alternatives: list[Alternative] = field(default_factory=list)
    before: list[tuple[bytes, int]] = field(default_factory=list)
    children: list[Wrap] = field(default_factory=list)


@dataclass
class Composed:
    """The text of a schema and the way back from it to the user's file.

    `ranges` say which bytes belong to which mutant's alternative, `watches` which to what watches
    a mutant, `wholes` which to a place with all its alternatives; `starts` where a wrapped
    statement begins.
    """

    text: bytes
    ranges: list[tuple[int, int, int]]
    watches: list[tuple[int, int, int]]
    wholes: list[tuple[int, int, Wrap]]
    starts: dict[int, int]
    _from: list[int]
    _to: list[int]

    def moved(self, offset: int) -> int:
        """Return where the byte `offset` of the user's file is in the text."""
        at = bisect_right(self._from, offset) - 1
        return self._to[at] + offset - self._from[at]

    def numbers_on_line(self, line: int) -> set[int]:
        """Return the mutants that have text on a line (from 1), or what watches them.

        Where there are none, they are those of the places that begin or end on it, or else of the
        smallest place around it.
        """
        start = 0
        for _ in range(line - 1):
            start = self.text.find(b"\n", start) + 1
            if start == 0:
                return set()
        end = self.text.find(b"\n", start)
        end = len(self.text) if end < 0 else end
        ranges = [*self.ranges, *self.watches]
        exact = {number for first, last, number in ranges if first <= end and last > start}
        ends = [
            each.number
            for first, last, wrap in self.wholes
            if start <= first <= end or start < last <= end
            for each in wrap.alternatives
        ]
        return exact or set(ends) or self.numbers_at(start)

    def numbers_at(self, offset: int) -> set[int]:
        """Return the mutants whose alternative holds the byte `offset` of the text.

        Where it is in none, they are those of the smallest place around it.
        """
        exact = {number for first, last, number in self.ranges if first <= offset < last}
        wrap = self.wrap_at(offset)
        return exact or {each.number for each in (wrap.alternatives if wrap else ())}

    def watched_at(self, offset: int) -> set[int]:
        """Return the mutants that are watched by the byte `offset` of the text."""
        return {number for first, last, number in self.watches if first <= offset < last}

    def wrap_at(self, offset: int) -> Wrap | None:
        """Return the smallest place around the byte `offset` of the text."""
        around = [each for each in self.wholes if each[0] <= offset < each[1]]
        return min(around, key=lambda each: each[1] - each[0], default=(0, 0, None))[2]


def can_be_copied(text: bytes) -> bool:
    """Tell whether every `ifdef in `text` ends in it, and nothing else does.

    A statement may begin before an `ifdef and end in one of its branches.
    """
    depth = 0
    for found in _CONDITIONAL.finditer(text):
        word = found[1] or b""
        depth += word.startswith(b"if")
        if word and not depth:
            return False
        depth -= word == b"endif"
    return depth == 0


def compose(text: bytes, wraps: Iterable[Wrap]) -> Composed:
    """Return `text` with all `wraps`.

    Alternatives use the user's own text; only where nothing is selected do places inside stand,
    so that the size grows with the number of mutants and not with its square.

    Raises:
        Overlap: two places overlap.
    """
    writer = _Writer(text)
    writer.copy(0, len(text), _nested(wraps))
    return Composed(
        b"".join(writer.pieces),
        writer.ranges,
        writer.watches,
        writer.wholes,
        writer.starts,
        writer.moved_from,
        writer.moved_to,
    )


def _nested(wraps: Iterable[Wrap]) -> list[Wrap]:
    top: list[Wrap] = []
    holders: list[Wrap] = []
    for wrap in sorted(wraps, key=lambda each: (each.span.start, -each.span.end, _rank(each))):
        wrap.children = []
        while holders and holders[-1].span.end <= wrap.span.start:
            holders.pop()
        if holders and not holders[-1].span.holds(wrap.span):
            raise Overlap(wrap.span)
        (holders[-1].children if holders else top).append(wrap)
        if wrap.span.end > wrap.span.start:
            holders.append(wrap)
    return top


def _rank(wrap: Wrap) -> int:
    return 0 if wrap.is_statement else 1


class _Writer:
    def __init__(self, text: bytes) -> None:
        self._text = text
        self._at = 0
        self.pieces: list[bytes] = []
        self.ranges: list[tuple[int, int, int]] = []
        self.watches: list[tuple[int, int, int]] = []
        self.wholes: list[tuple[int, int, Wrap]] = []
        self.starts: dict[int, int] = {}
        self.moved_from: list[int] = [0]
        self.moved_to: list[int] = [0]

    def copy(self, start: int, end: int, wraps: list[Wrap]) -> None:
        for wrap in wraps:
            self._original(start, wrap.span.start)
            first = self._at
            if wrap.span.end == wrap.span.start:
                self._before(wrap)
            elif wrap.is_statement:
                self._statement(wrap)
            else:
                self._expression(wrap)
            if wrap.alternatives:
                self.wholes.append((first, self._at, wrap))
            start = wrap.span.end
        self._original(start, end)

    def _expression(self, wrap: Wrap) -> None:
        self._put(b"(")
        for each in wrap.alternatives:
            self._put(b"\n(%s == 32'd%d) ? (" % (SELECT.encode(), each.number))
            self._alternative(each)
            self._put(b") : ")
        self._put(b"\n(")
        self.copy(wrap.span.start, wrap.span.end, wrap.children)
        self._put(_end(self._text[wrap.span.start : wrap.span.end]))
        self._put(b"))")

    def _statement(self, wrap: Wrap) -> None:
        start = self._at
        self._put(b"begin ")
        self._before(wrap)
        self._put(b"\n")
        # The front end gives a block of one statement the place of that statement.
        self.starts[wrap.span.start] = start if wrap.before else self._at
        for each in wrap.alternatives:
            self._put(b"if (%s == 32'd%d) begin " % (SELECT.encode(), each.number))
            self._alternative(each)
            self._put(b" end else\n")
        self._put(b"begin ")
        self.copy(wrap.span.start, wrap.span.end, wrap.children)
        self._put(b" end end")

    def _alternative(self, each: Alternative) -> None:
        start = self._at
        self._put(each.text)
        self.ranges.append((start, self._at, each.number))
        self._put(_end(each.text))

    def _before(self, wrap: Wrap) -> None:
        for text, number in wrap.before:
            start = self._at
            self._put(text)
            if number:
                self.watches.append((start, self._at, number))

    def _original(self, start: int, end: int) -> None:
        if end > start:
            self.moved_from.append(start)
            self.moved_to.append(self._at)
            self._put(self._text[start:end])

    def _put(self, piece: bytes) -> None:
        self.pieces.append(piece)
        self._at += len(piece)


def _end(text: bytes) -> bytes:
    """Return what keeps `text` from going on: a comment or an escaped name may be its last."""
    return b"\n" if b"//" in text or b"\\" in text else b""
