# SPDX-License-Identifier: Apache-2.0
"""Comments in the user's source that silence mutants: `// mutants: off <operator|all> <reason>`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from cocotb_mutants.errors import SourceError
from cocotb_mutants.mutant import Mutant
from cocotb_mutants.naming import suggest
from cocotb_mutants.tokens import Comment, Tokens, tokenise

__all__ = ["Suppression", "read_suppressions"]

_MARK = re.compile(r"//\s*mutants\s*:\s*(?P<rest>.*)", re.DOTALL)
_EXAMPLE = "// mutants: off constant the default is never used"
EVERYTHING = "all"


@dataclass(frozen=True)
class Suppression:
    """One comment: it silences the mutants of `operator` (or `all`) on line `target`."""

    file: str
    line: int
    target: int
    operator: str
    reason: str

    def silences(self, mutant: Mutant, lines: Iterable[tuple[str, int]]) -> bool:
        """Tell whether `mutant`, with text on `lines` (file and line), is silenced."""
        if self.operator not in (EVERYTHING, mutant.operator):
            return False
        return (self.file, self.target) in lines


def read_suppressions(file: str, text: bytes, operators: Iterable[str]) -> list[Suppression]:
    """Read all such comments of a file.

    After code on its line a comment speaks of this line; on a line of its own, of the next line
    that holds code.

    Raises:
        SourceError: the operator is unknown, or the reason is missing.
    """
    tokens = tokenise(text)
    known = [*operators, EVERYTHING]
    found = []
    for comment in tokens.comments:
        match = _MARK.match(comment.text.decode("utf-8", "replace"))
        if match is not None:
            line = _line(text, comment.start)
            operator, reason = _parsed(match["rest"], f"{file}:{line}", known)
            found.append(Suppression(file, line, _target(text, tokens, comment), operator, reason))
    return found


def _parsed(rest: str, place: str, known: list[str]) -> tuple[str, str]:
    word, _, rest = rest.strip().partition(" ")
    if word != "off":
        raise SourceError(
            f"{place}: a comment that begins with 'mutants:' must go on with 'off', not {word!r}",
            hint=f"for example: {_EXAMPLE}",
        )
    operator, _, reason = rest.strip().partition(" ")
    if operator not in known:
        if not operator:
            raise SourceError(
                f"{place}: 'mutants: off' does not say which operator",
                hint=f"for example: {_EXAMPLE}",
            )
        raise SourceError(
            f"{place}: 'mutants: off' names an unknown operator {operator!r}",
            hint=suggest(operator, known) or f"it is one of: {', '.join(known)}",
        )
    if not reason.strip():
        raise SourceError(
            f"{place}: 'mutants: off {operator}' gives no reason",
            hint=f"write why behind it, for example: {_EXAMPLE}",
        )
    return operator, reason.strip()


def _target(text: bytes, tokens: Tokens, comment: Comment) -> int:
    if comment.after_code:
        return _line(text, comment.start)
    following = [start for start in tokens.starts if start > comment.start]
    return _line(text, following[0]) if following else 0


def _line(text: bytes, offset: int) -> int:
    return text.count(b"\n", 0, offset) + 1
