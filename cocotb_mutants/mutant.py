# SPDX-License-Identifier: Apache-2.0
"""What a mutant is: some bytes of some file, and what stands there instead."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Edit", "Mutant", "apply"]


@dataclass(frozen=True, order=True)
class Edit:
    """One replacement of text.

    Offsets count bytes of the file as it is on disk, a byte order mark included.
    `file` is the path in the form the configuration gives it, relative to the project's folder.
    """

    file: str
    start: int
    end: int
    original: str
    replacement: str


@dataclass(frozen=True)
class Mutant:
    """One fault.

    `name` is unique in a campaign and does not change when another part of the file does.
    `edits` is never empty, is sorted, and no two of them overlap.
    `module` is the definition the fault stands in; `line` and `column` count from 1, columns in
    characters. `reason` is what a hand-written mutant's author said of it, else empty.
    """

    name: str
    operator: str
    edits: tuple[Edit, ...]
    module: str
    line: int
    column: int
    reason: str = ""

    @property
    def file(self) -> str:
        """The file of the first edit."""
        return self.edits[0].file

    @property
    def description(self) -> str:
        """What changes, on one line: `a < b -> a <= b`."""
        return "; ".join(
            f"{_one_line(edit.original)} -> {_one_line(edit.replacement)}" for edit in self.edits
        )


def apply(text: bytes, edits: Iterable[Edit], encoding: str = "utf-8") -> bytes:
    """Return `text` with all `edits` done; they all belong to this one file.

    Raises:
        ValueError: two edits overlap, or the text does not hold what an edit says it replaces.
    """
    pieces: list[bytes] = []
    at = 0
    for edit in sorted(edits):
        if edit.start < at:
            raise ValueError(f"{edit.file}: two edits overlap at byte {edit.start}")
        original = edit.original.encode(encoding, "surrogateescape")
        if text[edit.start : edit.end] != original:
            raise ValueError(f"{edit.file}: byte {edit.start} does not hold {edit.original!r}")
        pieces += [text[at : edit.start], edit.replacement.encode(encoding, "surrogateescape")]
        at = edit.end
    return b"".join([*pieces, text[at:]])


def _one_line(text: str) -> str:
    return " ".join(text.split()) or "(nothing)"
