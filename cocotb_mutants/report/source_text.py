# SPDX-License-Identifier: Apache-2.0
"""Show the text around a mutant: its lines before and after, and where it stands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from cocotb_mutants.mutant import Edit, Mutant, apply

__all__ = ["Place", "clean", "diff", "harmless", "place", "shown"]

_ODD = re.compile(r"[\ud800-\udfff]")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class Place:
    """Where a mutant stands and what stands there instead. Lines and columns count from 1.

    The end is exclusive; columns count characters, a byte order mark being none.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    replacement: str


def shown(text: bytes) -> str:
    """Return a source file as text: no byte order mark, a mark for each byte that is not UTF-8."""
    return clean(text.decode("utf-8", "surrogateescape").removeprefix("\ufeff"))


def clean(text: str) -> str:
    """Return `text` with a replacement character for each byte that was not UTF-8."""
    return _ODD.sub("\ufffd", text)


def harmless(text: str) -> str:
    """Return `text` without characters that steer a terminal, and without line ends."""
    return _CONTROL.sub("\ufffd", clean(text.replace("\r\n", "\n"))).replace("\n", " ")


def place(texts: Mapping[str, bytes], mutant: Mutant) -> Place:
    """Return the text from the mutant's first edit to its last in the file of the first."""
    text = texts[mutant.file]
    edits = [edit for edit in mutant.edits if edit.file == mutant.file]
    start, end = edits[0].start, edits[-1].end
    moved = [
        Edit(edit.file, edit.start - start, edit.end - start, edit.original, edit.replacement)
        for edit in edits
    ]
    replacement = apply(text[start:end], moved).decode("utf-8", "surrogateescape")
    return Place(*_position(text, start), *_position(text, end), clean(replacement))


def diff(texts: Mapping[str, bytes], mutant: Mutant) -> tuple[str, ...]:
    """Return the changed lines: those of the original behind `- `, the mutated behind `+ `.

    Lines between two edits that neither of them touches are left out.
    """
    lines: list[str] = []
    for block in _blocks(texts, mutant):
        text = texts[block[0].file]
        start = text.rfind(b"\n", 0, block[0].start) + 1
        end = _line_end(text, block[-1].end)
        moved = [
            Edit(edit.file, edit.start - start, edit.end - start, edit.original, edit.replacement)
            for edit in block
        ]
        before = text[start:end]
        lines += [f"- {line}" for line in _lines(before)]
        lines += [f"+ {line}" for line in _lines(apply(before, moved))]
    return tuple(lines)


def _blocks(texts: Mapping[str, bytes], mutant: Mutant) -> list[list[Edit]]:
    """Put edits together that touch a common line."""
    blocks: list[list[Edit]] = []
    for edit in mutant.edits:
        last = blocks[-1][-1] if blocks else None
        together = (
            last is not None
            and last.file == edit.file
            and edit.start <= _line_end(texts[edit.file], last.end)
        )
        if together:
            blocks[-1].append(edit)
        else:
            blocks.append([edit])
    return blocks


def _line_end(text: bytes, at: int) -> int:
    end = text.find(b"\n", at)
    return len(text) if end < 0 else end


def _lines(text: bytes) -> list[str]:
    return [harmless(line.removesuffix("\r")) for line in shown(text).split("\n")]


def _position(text: bytes, at: int) -> tuple[int, int]:
    before = text[:at]
    line = before[before.rfind(b"\n") + 1 :].decode("utf-8", "surrogateescape")
    return before.count(b"\n") + 1, len(line.removeprefix("\ufeff")) + 1
