# SPDX-License-Identifier: Apache-2.0
"""Content keys: what a design and a mutant are, comments and layout left out."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from cocotb_mutants.mutant import Edit, Mutant
from cocotb_mutants.source import Design
from cocotb_mutants.tokens import Tokens, tokenise

__all__ = ["design_digest", "mutant_digest", "of_files"]

# Comments that a simulator or a translation tool obeys are part of the design.
_OBEYED = re.compile(rb"^/[/*]\s*(verilator|synopsys|synthesis|pragma|translate|cadence|vcs)\b")
_WORD = re.compile(rb"[\w$]")
_LINE = re.compile(rb"(?:\\\r?\n|[^\r\n])*")


def design_digest(design: Design) -> str:
    """Return a digest of everything in the source that the design's behaviour can depend on.

    The listed files by their tokens, included files by their bytes, and the files that a string
    in the source names (memory images, for instance) by their bytes. A comment that changes or
    a line that moves leaves the digest as it was.
    """
    digest = hashlib.sha256()
    sources = design.sources
    named: set[Path] = set()
    for file, text in design.texts.items():
        tokens = tokenise(text)
        _feed(digest, [_bytes(file), *_words(tokens, text)])
        named |= {
            sources.root / token[1:-1].decode("utf-8", "surrogateescape")
            for token in tokens.texts
            if token.startswith(b'"') and b"\0" not in token and len(token) > 2
        }
    named |= {
        sources.root / str(value).strip('"')
        for value in (*sources.parameters.values(), *sources.defines.values())
    }
    data = sorted(path for path in named if _is_file(path))
    _feed(digest, [of_files([*design.included, *data]).encode()])
    return digest.hexdigest()


def mutant_digest(mutant: Mutant, tokens: Mapping[str, Tokens]) -> str:
    """Return a digest of what `mutant` changes, in terms of tokens instead of offsets.

    `tokens` are those of each mutated file. Two edits that turn the same tokens into the same
    tokens have one digest, wherever the bytes moved.
    """
    digest = hashlib.sha256()
    for edit in mutant.edits:
        _feed(digest, _edit(edit, tokens[edit.file]))
    return digest.hexdigest()


def of_files(paths: Iterable[Path]) -> str:
    """Return a digest of the contents of `paths`, in their order; a missing one counts as such."""
    digest = hashlib.sha256()
    for path in paths:
        _feed(digest, [path.read_bytes() if _is_file(path) else b"\0missing"])
    return digest.hexdigest()


def _edit(edit: Edit, tokens: Tokens) -> list[bytes]:
    before = bisect_right(tokens.ends, edit.start)
    touched = range(before, max(before, bisect_left(tokens.starts, edit.end)))
    return [
        _bytes(edit.file),
        str(before).encode(),
        str(len(touched)).encode(),
        # An edit may begin or end inside a token: what is left of it counts too.
        *(
            str((edit.start - tokens.starts[i], edit.end - tokens.starts[i])).encode()
            for i in touched
            if tokens.starts[i] < edit.start or tokens.ends[i] > edit.end
        ),
        *_words(tokenise(_bytes(edit.replacement)), _bytes(edit.replacement)),
    ]


def _words(tokens: Tokens, text: bytes) -> Iterator[bytes]:
    """Yield the tokens of `text`, and of its layout the little that has a meaning.

    Signs that touch are kept apart from signs that do not (`&&`, `& &`), the end of a macro's
    definition is that of its line, and a comment that is obeyed is so where it stands.
    """
    end = -1
    for index, (start, word) in enumerate(zip(tokens.starts, tokens.texts, strict=True)):
        yield b"\0" + word if start == end and not _WORD.match(word) else word
        end = start + len(word)
        if word == b"`define":
            line = _LINE.match(text, start)
            assert line is not None, "an empty line matches"
            yield str(bisect_left(tokens.starts, line.end()) - index).encode()
    for comment in tokens.comments:
        if _OBEYED.match(comment.text):
            yield str(bisect_left(tokens.starts, comment.start)).encode()
            yield comment.text.strip()


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a string too long to be a name
        return False


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _feed(digest: hashlib._Hash, words: Iterable[bytes]) -> None:
    for word in words:
        digest.update(len(word).to_bytes(8, "little"))
        digest.update(word)
    digest.update(b"\xff")
