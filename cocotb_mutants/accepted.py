# SPDX-License-Identifier: Apache-2.0
"""Survivors that somebody has judged: a file of names, each with a written reason.

They are run like all others. One that survives is Ignored, with the reason; one that is killed
is Killed, and the reason is reported as wrong.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cocotb_mutants.errors import SourceError

__all__ = ["Accepted", "idle", "load_accepted", "reasons"]


@dataclass(frozen=True)
class Accepted:
    """One judgement: `mutants` are names, in which `*` stands for anything; `file` holds it."""

    file: str
    mutants: tuple[str, ...]
    reason: str


def load_accepted(root: Path, files: Sequence[str]) -> tuple[Accepted, ...]:
    """Read the files, given relative to `root`.

    Raises:
        SourceError: a file cannot be read, or an entry has no names or no reason.
    """
    return tuple(entry for file in files for entry in _entries(root, file))


def reasons(accepted: Sequence[Accepted], names: Collection[str]) -> dict[str, str]:
    """Return the reason for each of `names` that is accepted; the first entry counts."""
    known = frozenset(names)
    found: dict[str, str] = {}
    for entry in accepted:
        for pattern in entry.mutants:
            for name in _matching(pattern, known):
                found.setdefault(name, entry.reason)
    return found


def idle(accepted: Sequence[Accepted], names: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the file and the pattern of everything accepted that none of `names` matches."""
    known = frozenset(names)
    for entry in accepted:
        for pattern in entry.mutants:
            if not _matching(pattern, known):
                yield entry.file, pattern


def _matching(pattern: str, names: frozenset[str]) -> list[str]:
    # No more than `*` is special: a name that somebody chose may hold brackets.
    if "*" not in pattern:
        return [pattern] if pattern in names else []
    matches = re.compile(".*".join(map(re.escape, pattern.split("*"))), re.DOTALL).fullmatch
    return [name for name in names if matches(name)]


def _entries(root: Path, file: str) -> Iterator[Accepted]:
    try:
        content = tomllib.loads((root / file).read_text("utf-8"))
    except OSError as error:
        raise SourceError(f"cannot read {file}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SourceError(f"{file} is not TOML: {error}") from None
    tables: Any = content.get("accepted")
    if set(content) - {"accepted"} or not isinstance(tables, list):
        raise SourceError(f"{file}: judgements are written as [[accepted]], and nothing else")
    for number, table in enumerate(tables, 1):
        names: Any = table.get("mutants") if isinstance(table, dict) else None
        reason = table.get("reason") if isinstance(table, dict) else None
        if not _is_list_of_text(names) or not isinstance(reason, str) or not reason.strip():
            raise SourceError(
                f"{file}: entry {number} needs 'mutants', a list of names, and a 'reason'",
                hint="a survivor without a reason stays a survivor",
            )
        if set(table) - {"mutants", "reason"}:
            extra = sorted(set(table) - {"mutants", "reason"})[0]
            raise SourceError(f"{file}: unknown key {extra!r} in entry {number}")
        yield Accepted(file, tuple(names), " ".join(reason.split()))


def _is_list_of_text(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, str) for each in value)
