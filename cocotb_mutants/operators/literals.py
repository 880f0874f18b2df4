# SPDX-License-Identifier: Apache-2.0
"""Write another value in the way a literal of the source is written."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Literal", "parse"]

_PATTERN = re.compile(
    r"(?P<size>[0-9][0-9_]*)?(?P<gap>\s*)(?P<base>'[sS]?[bBoOdDhH])(?P<space>\s*)"
    r"(?P<digits>[0-9a-fA-F_]+)\Z"
)
_PLAIN = re.compile(r"[0-9][0-9_]*\Z")
_RADIX = {"b": 2, "o": 8, "d": 10, "h": 16}
_BITS = {"b": 1, "o": 3, "h": 4}


@dataclass(frozen=True)
class Literal:
    """An integer literal: its value, its width (0 if it is not given), and its spelling."""

    value: int
    width: int = 0
    prefix: str = ""
    base: str = "d"
    digits: int = 0
    upper: bool = False

    def spelled(self, value: int) -> str:
        """Return `value`, cut to the literal's width, in the same spelling."""
        if not self.prefix:
            return str(value)
        value %= 1 << (self.width or 32)
        form = {"b": "b", "o": "o", "d": "d", "h": "X" if self.upper else "x"}[self.base]
        text = format(value, form)
        return self.prefix + (text if self.base == "d" else text.rjust(self.digits, "0"))

    def neighbours(self) -> list[int]:
        """Return zero, one more, one less and all ones, without the value itself, each once.

        A literal without a width has no all ones: below zero it is written as `-1`.
        """
        values = [0, self.value + 1, self.value - 1]
        if self.prefix:
            modulus = 1 << (self.width or 32)
            if self.width:
                values.append(modulus - 1)
            values = [value % modulus for value in values]
        return [value for value in dict.fromkeys(values) if value != self.value]


def parse(text: str) -> Literal | None:
    """Read an integer literal; None if it has unknown bits or is no such literal."""
    if _PLAIN.match(text):
        return Literal(int(text.replace("_", "")))
    match = _PATTERN.match(text)
    if match is None:
        return None
    base = match["base"][-1].lower()
    digits = match["digits"].replace("_", "")
    letters = re.sub(r"[0-9]", "", digits)
    width = int(match["size"].replace("_", "")) if match["size"] else 0
    prefix = text[: match.start("digits")]
    count = -(-width // _BITS[base]) if width and base in _BITS else len(digits)
    count = min(count, len(digits)) if len(digits) > 1 or count == 1 else 1
    value = int(digits, _RADIX[base])
    return Literal(value, width, prefix, base, count, letters != letters.lower() or not letters)
