# SPDX-License-Identifier: Apache-2.0
"""Random port values, biased to where behaviour changes."""

from __future__ import annotations

from random import Random

__all__ = ["near", "number"]


def number(rng: Random, bits: int) -> int:
    """A value of *bits* bits: often an extreme, often small, sometimes anything."""
    top = (1 << bits) - 1
    kind = rng.randrange(8)
    if kind == 0:
        return 0
    if kind == 1:
        return top
    if kind < 5:
        return rng.randint(0, min(top, 20))
    return rng.randint(0, top)


def near(rng: Random, value: int, bits: int) -> int:
    """*value* or a neighbour of it, kept inside *bits* bits; now and then something else."""
    if rng.randrange(4) == 0:
        return number(rng, bits)
    return min(max(value + rng.randint(-1, 1), 0), (1 << bits) - 1)
