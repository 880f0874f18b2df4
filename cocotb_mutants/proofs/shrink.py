# SPDX-License-Identifier: Apache-2.0
"""Make a witness that a person can read: no step, and no value, that it does not need."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

from cocotb_mutants.proofs.model import Machine, Model, Witness
from cocotb_mutants.proofs.search import confirmed

__all__ = ["shrunk"]

Steps = list[dict[str, int]]


def shrunk(model: Model, mutant: Machine, witness: Witness, seconds: float) -> Witness:
    """Return a witness that is no longer than `witness`, as simple as `seconds` allow.

    Each simpler stimulus is simulated, and taken if the mutant still differs.
    """
    until = time.monotonic() + seconds
    best = witness
    improved = True
    while improved and time.monotonic() < until:
        improved = False
        for steps in _simpler(model, best):
            if time.monotonic() > until:
                break
            seen = confirmed(model, mutant, steps)
            found = seen.doubtful if witness.mutant is None else seen.witness
            if found is not None and _cost(found) < _cost(best):
                best, improved = found, True
                break
    return best


def _cost(witness: Witness) -> tuple[int, int, int]:
    """Return steps, then changes of inputs, then how many values are not 0."""
    changes = sum(
        now[name] != before[name]
        for before, now in zip(witness.steps, witness.steps[1:], strict=False)
        for name in now
    )
    return len(witness.steps), changes, sum(bool(v) for now in witness.steps for v in now.values())


def _simpler(model: Model, witness: Witness) -> Iterator[list[Mapping[str, int]]]:
    """Yield stimuli that may do as well: the boldest first."""
    steps = [dict(each) for each in witness.steps]
    resets = {name for name, number in model.inputs.items() if number in model.resets}
    size = len(steps) // 2
    while size:
        for first in range(2, len(steps) - 1, size):
            yield [*steps[:first], *steps[first + size :]]
        size //= 2
    for name in model.inputs:
        if name not in resets:
            for value in (0, steps[-1][name]):
                if any(each[name] != value for each in steps):
                    yield [{**each, name: value} for each in steps]
    for name in model.inputs:
        for index in range(len(steps) - 1, 0, -1):
            before = steps[index - 1][name]
            if name not in resets and steps[index][name] != before:
                yield [*steps[:index], {**steps[index], name: before}, *steps[index + 1 :]]
