# SPDX-License-Identifier: Apache-2.0
"""Many runs of a design at once, in numpy, and of a mutant beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from cocotb_mutants.proofs.terms import Term, Terms, bits, evaluate, mask

__all__ = ["VARIANTS", "Array", "Evaluator", "Values", "Waves", "random_waves", "undetermined"]

Array = npt.NDArray[Any]
Values = dict[int, Array]

VARIANTS = 4
"""Runs of one stimulus, which differ in what nothing determines: all 0, all 1, two at random."""

_WORD = 64


@dataclass(frozen=True)
class Waves:
    """Inputs over time: for each step an array by input, `VARIANTS` runs of a stimulus in a row."""

    steps: tuple[Values, ...]
    runs: int


def random_waves(
    terms: Terms,
    inputs: Iterable[int],
    resets: Mapping[int, int],
    steps: int,
    stimuli: int,
    seed: int,
    *,
    sticky: bool = False,
) -> Waves:
    """Return random inputs; the first two steps hold the reset, later ones seldom do.

    Values are mixed: uniform, small, boundaries, and one beside another input's or the same.
    With `sticky` an input mostly keeps its value, so that what needs patience is reached.
    """
    generator = np.random.default_rng(seed)
    inputs = list(inputs)
    # Some stimuli change much and others never, so that a counter gets to its end.
    kept = np.maximum(0, 1 - np.geomspace(0.5, 1e-6, stimuli)) if sticky else np.zeros(stimuli)
    seldom = np.where(np.arange(stimuli) % 4, 1e-5, 1 / 100) if sticky else 1 / 24
    widths = {each: terms.width(each) for each in inputs}
    found: list[Values] = []
    for step in range(steps):
        now: Values = {}
        for each in inputs:
            if each in resets:
                active = np.full(stimuli, step < 2) | (generator.random(stimuli) < seldom)
                now[each] = np.where(active, resets[each], 1 - resets[each]).astype(np.uint64)
            else:
                now[each] = _mixed(generator, widths[each], stimuli, [*now.items()], widths)
                if sticky and found:
                    keep = generator.random(stimuli) < kept
                    now[each] = np.where(keep, found[-1][each], now[each])
        found.append(now)
    repeated = tuple({k: np.repeat(v, VARIANTS) for k, v in now.items()} for now in found)
    return Waves(repeated, stimuli * VARIANTS)


@cache
def undetermined(width: int, runs: int, seed: int) -> Array:
    """Return values for what nothing determines, another in each variant of a stimulus."""
    generator = np.random.default_rng(seed)
    values = _uniform(generator, width, runs)
    values[0::VARIANTS] = 0
    values[1::VARIANTS] = mask(width)
    return values


def _uniform(generator: Any, width: int, count: int) -> Array:
    if width <= _WORD:
        return generator.integers(0, 1 << 64, count, dtype=np.uint64) >> np.uint64(64 - width)  # type: ignore[no-any-return]
    words = -(-width // 32)
    parts = generator.integers(0, 1 << 32, (count, words), dtype=np.uint64).tolist()
    numbers = [sum(part << 32 * i for i, part in enumerate(row)) & mask(width) for row in parts]
    return np.array(numbers, dtype=object)


def _mixed(
    generator: Any,
    width: int,
    count: int,
    before: Sequence[tuple[int, Array]],
    widths: Mapping[int, int],
) -> Array:
    values = _uniform(generator, width, count)
    kind = generator.random(count)
    if width > 1:
        most = mask(width)
        edges = np.array([0, 1, 2, most, most - 1, most >> 1, (most >> 1) + 1, 100 & most])
        edges = edges.astype(values.dtype)
        values = np.where(kind < 0.15, edges[generator.integers(0, len(edges), count)], values)
        small = _uniform(generator, min(width, 4), count).astype(values.dtype)
        values = np.where((kind >= 0.15) & (kind < 0.3), small, values)
        like = [array for number, array in before if widths[number] == width]
        if like:
            other = like[int(generator.integers(0, len(like)))]
            shift = generator.integers(0, 3, count).astype(values.dtype)
            beside = (other + shift + most) & np.array(most, dtype=values.dtype)
            values = np.where((kind >= 0.3) & (kind < 0.55), beside, values)
    return values.astype(np.uint64) if width <= _WORD else values


@dataclass
class Evaluator:
    """Terms to be computed again and again.

    `order` is what they are made of.
    """

    terms: Terms
    roots: Sequence[int]
    order: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.order = self.terms.cone(self.roots)

    def run(self, given: Mapping[int, Array], runs: int, golden: Values | None = None) -> Values:
        """Return the value of everything; `given` are those of inputs and states.

        Where `golden`, the values of another machine on the same terms, has a term all of whose
        arguments are the same objects, its value is taken from there.
        """
        found: Values = {}
        terms = self.terms
        for number in self.order:
            term = terms[number]
            if number in given:
                found[number] = given[number]
                continue
            if golden is not None and number in golden:
                same = all(found[each] is golden.get(each) for each in term.args)
                if same and (term.args or term.op == "const"):
                    found[number] = golden[number]
                    continue
            found[number] = compute(terms, term, number, found, runs)
        return found


def compute(terms: Terms, term: Term, number: int, values: Values, runs: int) -> Array:
    """Return one term's value from those of its arguments."""
    if term.op == "const":
        kind: Any = np.uint64 if term.width <= _WORD else object
        return np.full(runs, term.value, dtype=kind)
    if term.op in ("fresh", "input", "state"):
        return undetermined(term.width, runs, number)
    args = [values[each] for each in term.args]
    widths = [terms.width(each) for each in term.args]
    if max(term.width, *widths) > _WORD:
        return _wide(term, widths, args)
    result = _NARROW[term.op](args, widths, term)
    return result.astype(np.uint64) if result.dtype != np.uint64 else result


def _wide(term: Term, widths: Sequence[int], args: Sequence[Array]) -> Array:
    rows = zip(*(array.tolist() for array in args), strict=True)
    numbers = [evaluate(term, widths, row) for row in rows]
    return np.array(numbers, dtype=np.uint64 if term.width <= _WORD else object)


def _most(width: int) -> np.uint64:
    return np.uint64(mask(width))


def _signed(values: Array, width: int) -> Array:
    up = np.uint64(_WORD - width)
    return (values << up).view(np.int64) >> np.int64(_WORD - width)


def _shifted(left: bool) -> Callable[..., Array]:
    def shift(args: Sequence[Array], widths: Sequence[int], term: Term) -> Array:
        value, by = args
        inside = by < widths[0]
        amount = np.where(inside, by, 0).astype(np.uint64)
        moved = value << amount & _most(term.width) if left else value >> amount
        return np.where(inside, moved, np.uint64(0))

    return shift


def _ashr(args: Sequence[Array], widths: Sequence[int], term: Term) -> Array:
    by = np.minimum(args[1], np.uint64(widths[0] - 1)).astype(np.int64)
    return (_signed(args[0], widths[0]) >> by).view(np.uint64) & _most(term.width)


def _per_run(args: Sequence[Array], widths: Sequence[int], term: Term) -> Array:
    return _wide(term, widths, args)


def _udiv(args: Sequence[Array], widths: Sequence[int], term: Term) -> Array:
    by = np.where(args[1] == 0, np.uint64(1), args[1])
    return np.where(args[1] == 0, _most(term.width), args[0] // by)


def _urem(args: Sequence[Array], widths: Sequence[int], term: Term) -> Array:
    by = np.where(args[1] == 0, np.uint64(1), args[1])
    return np.where(args[1] == 0, args[0], args[0] % by)


_NARROW: Mapping[str, Callable[[Sequence[Array], Sequence[int], Term], Array]] = {
    "not": lambda a, w, t: ~a[0] & _most(t.width),
    "and": lambda a, w, t: a[0] & a[1],
    "or": lambda a, w, t: a[0] | a[1],
    "xor": lambda a, w, t: a[0] ^ a[1],
    "add": lambda a, w, t: a[0] + a[1] & _most(t.width),
    "sub": lambda a, w, t: a[0] - a[1] & _most(t.width),
    "mul": lambda a, w, t: a[0] * a[1] & _most(t.width),
    "udiv": _udiv,
    "urem": _urem,
    "sdiv": _per_run,
    "srem": _per_run,
    "smod": _per_run,
    "shl": _shifted(left=True),
    "lshr": _shifted(left=False),
    "ashr": _ashr,
    "eq": lambda a, w, t: a[0] == a[1],
    "ult": lambda a, w, t: a[0] < a[1],
    "slt": lambda a, w, t: _signed(a[0], w[0]) < _signed(a[1], w[0]),
    "ite": lambda a, w, t: np.where(a[0] != 0, a[1], a[2]),
    "concat": lambda a, w, t: a[0] << np.uint64(w[1]) | a[1],
    "slice": lambda a, w, t: a[0] >> np.uint64(bits(t)[1]) & _most(t.width),
    "redxor": lambda a, w, t: _per_run(a, w, t),
    "sext": lambda a, w, t: _signed(a[0], w[0]).view(np.uint64) & _most(t.width),
}
