# SPDX-License-Identifier: Apache-2.0
"""Names of mutants: readable, usable as a file name, and the same after edits elsewhere."""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Iterable
from functools import lru_cache

from cocotb_mutants.operators.base import Replacement
from cocotb_mutants.sites import Kind, Site
from cocotb_mutants.source import Span
from cocotb_mutants.tokens import Tokens, tokenise

__all__ = ["name_of", "suggest"]

_DIGITS = 6
_NOT_A_NAME = re.compile(r"[^A-Za-z0-9_]+")
_tokens = lru_cache(maxsize=256)(tokenise)


def name_of(site: Site, operator: str, replacement: Replacement) -> str:
    """Return the name of a mutant: `module.what_it_drives.operator-digest`.

    The digest covers the file's path, the text of the statement, header or item that the site
    belongs to (comments and white space apart), the place in it, and the new text. Where the
    same text stands several times in a module, its number in the module counts too. Nothing
    depends on offsets, on lines, or on how the design is parameterised.
    """
    words = [site.context.module, site.context.label, operator]
    readable = ".".join(_NOT_A_NAME.sub("_", word).strip("_") for word in words if word)
    digest = hashlib.sha256("\0".join(_identity(site, operator, replacement)).encode("latin-1"))
    return f"{readable}-{digest.hexdigest()[:_DIGITS]}"


def suggest(name: str, known: Iterable[str]) -> str:
    """Return a hint that names what `name` may have been meant to be, or nothing."""
    close = difflib.get_close_matches(name, sorted(known), 3, 0.7)
    return f"did you mean {' or '.join(close)}?" if close else ""


def _identity(site: Site, operator: str, replacement: Replacement) -> list[str]:
    file = site.span.file
    text = site.design.texts[file]
    parts = [_latin(_bytes(word)) for word in (file, site.context.module, operator)]
    if site.kind is Kind.PORT:
        # the reads of a port come and go with edits; the fault stays the same
        digits = replacement[0].text.rpartition("'")[2][1:].rstrip(")}")
        value = "ones" if digits.strip("0") else "zeros"
        return [*parts, _latin(_bytes(site.node.name)), value]
    anchor = site.context.anchor or site.span
    if anchor.file != file or not anchor.start <= replacement[0].span.start <= anchor.end:
        anchor = site.span
    parts += _words(text, _module_start(site), anchor.start, anchor.end)
    tokens = _tokens(text)
    for change in replacement:
        offset = _steps(tokens, anchor.start, change.span.start)
        length = _steps(tokens, change.span.start, change.span.end)
        new = tokenise(_bytes(change.text)).texts
        parts += [str(offset), str(length), *map(_latin, new)]
    return parts


@lru_cache(maxsize=1024)
def _words(text: bytes, module: int, start: int, end: int) -> tuple[str, ...]:
    """Return the tokens of an anchor, and how often the same stand before it in its module."""
    tokens = _tokens(text)
    own = tokens.between(start, end)
    return (*map(_latin, own), str(tokens.count(own, module, start)))


def _module_start(site: Site) -> int:
    body = site.context.facts.body
    own = getattr(getattr(body, "definition", body), "syntax", None)
    span = site.design.span(own.sourceRange) if own is not None else None
    return span.start if isinstance(span, Span) and span.file == site.span.file else 0


def _steps(tokens: Tokens, start: int, end: int) -> int:
    return len(tokens.between(start, end))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _latin(text: bytes) -> str:
    return text.decode("latin-1")
