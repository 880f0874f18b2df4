# SPDX-License-Identifier: Apache-2.0
"""Mutants that people write: a file of named replacements of exact pieces of text."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cocotb_mutants.errors import SourceError
from cocotb_mutants.mutant import Edit, Mutant
from cocotb_mutants.naming import suggest
from cocotb_mutants.source import Design, Span
from cocotb_mutants.tokens import Tokens, tokenise

__all__ = ["HAND_WRITTEN", "HandWritten", "load_mutations", "plant"]

HAND_WRITTEN = "hand-written"
"""What stands in the place of the operator of such a mutant."""

_REQUIRED = ("name", "file", "find", "replace", "reason")
_OPTIONAL = ("replaces", "notes")
_BETWEEN_SIGNS = re.compile(rb"(?<=[^\w\s])(\s+)(?=[^\w\s])|\s+")


@dataclass(frozen=True)
class HandWritten:
    """One entry: in `file`, the only `find` becomes `replace`, and why that is a fault.

    `origin` is the mutations file, for messages; `notes` are for those who read the results.
    """

    name: str
    file: str
    find: str
    replace: str
    reason: str
    origin: str
    notes: Mapping[str, str] = field(default_factory=dict)


def load_mutations(root: Path, files: Sequence[str]) -> tuple[HandWritten, ...]:
    """Read mutations files, given relative to `root`, in order.

    A name may come again in a later file if the entry says `replaces = true`; it then takes the
    place of the earlier one.

    Raises:
        SourceError: a file cannot be read or an entry is wrong.
    """
    entries: dict[str, HandWritten] = {}
    for file in files:
        for number, table in enumerate(_tables(root, file), 1):
            entry, replaces = _entry(file, number, table)
            earlier = entries.get(entry.name)
            if earlier is not None and (earlier.origin == file or not replaces):
                hint = "give one of them another name"
                if earlier.origin != file:
                    hint += ", or write 'replaces = true' if the later one is meant"
                raise SourceError(
                    f"{file}: there is already a mutation {entry.name!r} in {earlier.origin}",
                    hint=hint,
                )
            if earlier is None and replaces:
                raise SourceError(
                    f"{file}: mutation {entry.name!r} replaces none: no earlier file has that name",
                    hint=suggest(entry.name, entries),
                )
            entries[entry.name] = entry
    return tuple(entries.values())


def plant(design: Design, entry: HandWritten) -> Mutant | None:
    """Return the mutant that `entry` makes of `design`, None if it has no such file.

    Raises:
        SourceError: the text to be replaced is not there, or more than once.
    """
    if entry.file not in design.texts:
        return None
    text = design.texts[entry.file]
    crlf = b"\r\n" in text
    find = _as_in(entry.find, crlf=crlf)
    edit = _smallest(
        entry.file, _only_place(text, find, entry), find, _as_in(entry.replace, crlf=crlf)
    )
    if edit is None:
        raise SourceError(f"{entry.origin}: mutation {entry.name!r} replaces its text by itself")
    span = Span(entry.file, edit.start, edit.end)
    line, column = design.line_and_column(span)
    return Mutant(
        entry.name, HAND_WRITTEN, (edit,), _module(design, span), line, column, entry.reason
    )


def _tables(root: Path, file: str) -> list[dict[str, Any]]:
    try:
        content = tomllib.loads((root / file).read_text("utf-8"))
    except OSError as error:
        raise SourceError(f"cannot read the mutations file {file}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SourceError(f"{file} is not TOML: {error}") from None
    _check_keys(content, ("mutation",), file)
    tables = content.get("mutation", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise SourceError(f"{file}: mutations are written as [[mutation]], with two brackets")
    return tables


def _entry(file: str, number: int, table: dict[str, Any]) -> tuple[HandWritten, bool]:
    name = table.get("name")
    place = f"{file}: mutation {name if isinstance(name, str) else number}"
    _check_keys(table, (*_REQUIRED, *_OPTIONAL), place)
    for key in _REQUIRED:
        if key not in table:
            raise SourceError(f"{place}: the key {key!r} is missing")
        if not isinstance(table[key], str):
            raise SourceError(f"{place}: {key!r} must be a string")
        if key != "replace" and not table[key].strip():
            raise SourceError(f"{place}: {key!r} is empty")
    replaces = table.get("replaces", False)
    if not isinstance(replaces, bool):
        raise SourceError(f"{place}: 'replaces' must be true or false")
    notes = table.get("notes", {})
    if not isinstance(notes, dict) or not all(isinstance(note, str) for note in notes.values()):
        raise SourceError(f"{place}: 'notes' must be a table of strings")
    values = {key: table[key] for key in _REQUIRED}
    return HandWritten(**values, origin=file, notes=notes), replaces


def _check_keys(table: Mapping[str, object], known: Sequence[str], place: str) -> None:
    for key in table:
        if key not in known:
            raise SourceError(
                f"{place}: unknown key {key!r}",
                hint=suggest(key, known) or f"it is one of: {', '.join(known)}",
            )


def _as_in(piece: str, *, crlf: bool) -> bytes:
    """Return `piece` as bytes; TOML knows one sort of line end, the file may have another."""
    lines = piece.replace("\n", "\r\n") if crlf else piece
    return lines.encode("utf-8", "surrogateescape")


def _only_place(text: bytes, find: bytes, entry: HandWritten) -> int:
    places = []
    at = text.find(find)
    while at >= 0:
        places.append(at)
        at = text.find(find, at + 1)
    if len(places) == 1:
        return places[0]
    what = f"{entry.origin}: mutation {entry.name!r}"
    if not places:
        raise SourceError(
            f"{what}: the text to be replaced is not in {entry.file}",
            hint="it must be there byte for byte, white space included",
        )
    lines = ", ".join(str(text.count(b"\n", 0, place) + 1) for place in places)
    raise SourceError(
        f"{what}: the text to be replaced is {len(places)} times in {entry.file}, at lines {lines}",
        hint="make it longer until it is there once",
    )


def _smallest(file: str, start: int, find: bytes, new: bytes) -> Edit | None:
    """Return the edit without the tokens that both texts begin and end with.

    A smaller edit can live in the schema more often. At least one token is replaced: what is
    only put in stands behind a token that stays. None if no token differs.
    """
    old, other = tokenise(find), tokenise(new)
    limit = min(len(old.texts), len(other.texts))
    head = 0
    while head < limit and old.texts[head] == other.texts[head]:
        head += 1
    tail = 0
    while tail < limit - head and old.texts[-1 - tail] == other.texts[-1 - tail]:
        tail += 1
    if head == len(old.texts) == len(other.texts):
        return None
    if head + tail == len(old.texts):
        head, tail = (head - 1, tail) if head else (head, tail - 1)
    old_start, old_end = _extent(old, head, tail)
    new_start, new_end = _extent(other, head, tail)
    piece = new[new_start:new_end]
    if _signs(find[:old_start] + piece + find[old_end:]) != _signs(new):
        # White space that stays would cut an operator in two: `~ ^` is not `~^`.
        old_start, old_end, new_start, new_end = 0, len(find), 0, len(new)
    return Edit(
        file,
        start + old_start,
        start + old_end,
        find[old_start:old_end].decode("utf-8", "surrogateescape"),
        new[new_start:new_end].decode("utf-8", "surrogateescape"),
    )


def _signs(text: bytes) -> bytes:
    """Return `text` without white space, but for one byte of it where it parts two signs."""
    return _BETWEEN_SIGNS.sub(lambda found: b" " if found[1] else b"", text)


def _extent(tokens: Tokens, head: int, tail: int) -> tuple[int, int]:
    last = len(tokens.texts) - tail
    return (tokens.starts[head], tokens.ends[last - 1]) if head < last else (0, 0)


def _module(design: Design, span: Span) -> str:
    for scope in design.scopes:
        own = getattr(getattr(scope, "definition", scope), "syntax", None)
        around = design.span(own.sourceRange) if own is not None else None
        if around is not None and around.holds(span) and scope.name:
            return str(scope.name)
    return ""
