# SPDX-License-Identifier: Apache-2.0
"""Cut SystemVerilog text into tokens and comments, byte for byte, without understanding it."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

__all__ = ["Comment", "Tokens", "tokenise"]

_PIECE = re.compile(
    rb"""(?P<comment>//[^\r\n]*|/\*.*?(?:\*/|\Z))
    |(?P<string>"(?:\\.|[^"\\\r\n])*"?)
    |(?P<escaped>\\[^\s]+)
    |(?P<word>[A-Za-z0-9_$'`\x80-\xff]+)
    |(?P<space>[\s\x00]+)
    |(?P<sign>.)""",
    re.DOTALL | re.VERBOSE,
)
_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Comment:
    """A comment, its offset, and whether code stands before it on its line."""

    start: int
    text: bytes
    after_code: bool


@dataclass(frozen=True)
class Tokens:
    """The tokens of a file: where each starts and ends, and their texts joined by NUL bytes."""

    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    texts: list[bytes] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)

    def between(self, start: int, end: int) -> list[bytes]:
        """Return the tokens that begin in bytes `start` to `end`."""
        first = bisect.bisect_left(self.starts, start)
        last = bisect.bisect_left(self.starts, end)
        return self.texts[first:last]

    def count(self, wanted: list[bytes], start: int, end: int) -> int:
        """Return how often the tokens `wanted` stand in a row in bytes `start` to `end`."""
        return _joined(self.between(start, end)).count(_joined(wanted)) if wanted else 0


def tokenise(text: bytes) -> Tokens:
    """Cut `text` into tokens; white space and a byte order mark are dropped."""
    tokens = Tokens()
    at = len(_MARK) if text.startswith(_MARK) else 0
    for kind, start, end in _pieces(text, at):
        if kind == "comment":
            line = max(text.rfind(b"\n", 0, start), text.rfind(b"\r", 0, start)) + 1
            after_code = bool(tokens.ends) and tokens.ends[-1] > line
            tokens.comments.append(Comment(start, text[start:end], after_code))
        elif kind != "space":
            tokens.starts.append(start)
            tokens.ends.append(end)
            tokens.texts.append(text[start:end])
    return tokens


def _pieces(text: bytes, at: int) -> Iterator[tuple[str, int, int]]:
    for match in _PIECE.finditer(text, at):
        yield match.lastgroup or "", match.start(), match.end()


def _joined(tokens: list[bytes]) -> bytes:
    return b"\0" + b"\0\0".join(tokens) + b"\0"
