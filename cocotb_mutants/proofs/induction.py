# SPDX-License-Identifier: Apache-2.0
"""Prove that a mutant is the same design: from every state, or from those that can be reached."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from itertools import combinations, islice, permutations

import numpy as np

from cocotb_mutants.proofs.model import Machine, Model
from cocotb_mutants.proofs.search import Golden
from cocotb_mutants.proofs.solver import Solver
from cocotb_mutants.proofs.terms import Terms

__all__ = ["Induction", "Sameness"]

_FEW = 16
"""Values of a register that are counted one by one."""

_MOST = 400
"""Candidates that are tried for one design."""

_REGISTERS = 48
"""Registers of a design about which anything is guessed; of more it is only that they agree."""


class Sameness:
    """Proves that terms have one value, whatever the state and the inputs are.

    Two terms of one operation are the same if their arguments are. So a multiplier behind a
    mutant that changes nothing is never looked into. Else the solver is asked, at first with
    products and divisions taken for anything.
    """

    def __init__(self, terms: Terms, seconds: float) -> None:
        self._terms = terms
        self._abstract = Solver(terms, seconds, abstract=True)
        self._exact = Solver(terms, seconds)
        self._seconds = seconds
        self._until = 0.0
        self._known: dict[tuple[int, int], bool] = {}

    def holds(self, left: Sequence[int], right: Sequence[int]) -> bool:
        """Tell whether all pairs are proved to be the same."""
        pairs = [pair for pair in zip(left, right, strict=True) if pair[0] != pair[1]]
        if self._cannot_differ(self._abstract, pairs):
            return True
        self._until = time.monotonic() + self._seconds
        if all(self._same(*pair) for pair in pairs):
            return True
        return self._cannot_differ(self._exact, pairs)

    def _cannot_differ(self, solver: Solver, pairs: Iterable[tuple[int, int]]) -> bool:
        terms = self._terms
        return solver.can_be([terms.any_of(terms.differ(*pair) for pair in pairs)]) is False

    def _same(self, left: int, right: int) -> bool:
        """Tell whether two terms are proved to be the same from the inside out."""
        if left == right:
            return True
        key = (left, right)
        if key not in self._known:
            ours, theirs = self._terms[left], self._terms[right]
            self._known[key] = (
                len(ours.args) > 0
                and (ours.op, ours.width, ours.value) == (theirs.op, theirs.width, theirs.value)
                and all(self._is_alike(a, b) for a, b in zip(ours.args, theirs.args, strict=True))
            ) or (time.monotonic() < self._until and self._cannot_differ(self._abstract, [key]))
        return self._known[key]

    def _is_alike(self, left: int, right: int) -> bool:
        return self._terms.width(left) == self._terms.width(right) and self._same(left, right)


class Induction:
    """Invariants of the original and of a mutant beside it.

    What random runs have never refuted is assumed of a state, and asked for of the next one; what
    fails there is dropped, until nothing fails. What is left holds in each state that a reset leads
    to, if it holds after the reset: then no difference of an output may be possible in it. That is
    an induction of depth 1 (Sheeran, Singh, Staalmarck: "Checking safety properties using
    induction and a SAT-solver", 2000), the way of finding the invariant is known as Houdini.
    """

    def __init__(self, model: Model, runs: Sequence[Golden], seconds: float) -> None:
        self._model = model
        self._runs = runs
        self._seconds = seconds
        self._own = list(self._facts_of_original())

    def proves(self, mutant: Machine) -> int | None:
        """Return how many facts a proof that the mutant is the same takes; None if it fails."""
        model, terms = self._model, self._model.terms
        beside = {
            each: terms.leaf("state", terms.width(each), f"mutant's {each}")
            for each in model.states
        }
        ours = terms.replaced(mutant.roots, beside)
        outputs = ours[: len(mutant.outputs)]
        after = dict(zip(beside.values(), ours[len(outputs) :], strict=True))
        after |= model.original.next
        wrong = terms.any_of(
            terms.differ(a, b)
            for a, b in zip(model.original.outputs.values(), outputs, strict=True)
        )
        facts = [
            *self._own,
            *terms.replaced(self._own, beside),
            *(terms.make("eq", 1, (a, b)) for a, b in beside.items()),
            *self._conditional(beside),
        ]
        facts = [each for each in dict.fromkeys(facts) if terms.constant(each) is None]
        solver = Solver(terms, self._seconds)
        started = self._started(solver, facts, after, beside)
        kept = self._houdini(solver, started, after)
        if kept is None:
            return None
        return len(kept) if solver.can_be([*kept, wrong]) is False else None

    def _conditional(self, beside: dict[int, int]) -> Iterable[int]:
        """Yield that registers agree while a bit has a value: data that is valid, for instance."""
        terms = self._model.terms
        bits = [each for each in beside if terms.width(each) == 1]
        found = (
            terms.make("or", 1, (condition, terms.make("eq", 1, (own, other))))
            for bit in bits
            for condition in (bit, terms.inverse(bit))
            for own, other in beside.items()
            if own != bit
        )
        return islice(found, _MOST)

    def _started(
        self, solver: Solver, facts: list[int], after: dict[int, int], beside: dict[int, int]
    ) -> list[int]:
        """Return the facts that hold after a reset, whatever was before: the same for both."""
        resets = self._reset_bits()
        start = {**self._model.start}
        if not resets and not start:
            return []
        terms = self._model.terms
        if not resets:
            by = {**start, **{beside[each]: value for each, value in start.items()}}
        else:
            by = self._after(after)
        together = {other: own for own, other in beside.items()}
        kept = []
        for fact in facts:
            (moved,) = terms.replaced(terms.replaced([fact], by), together)
            if solver.can_be([*resets, terms.inverse(moved)]) is False:
                kept.append(fact)
        return kept

    def _houdini(self, solver: Solver, facts: list[int], after: dict[int, int]) -> list[int] | None:
        terms = self._model.terms
        by = self._after(after)
        moved = dict(zip(facts, terms.replaced(facts, by), strict=True))
        while facts:
            broken = terms.any_of(terms.inverse(moved[each]) for each in facts)
            answer = solver.can_be([*facts, self._possible(), broken])
            if answer is None:
                return None
            if not answer:
                return facts
            facts = [each for each in facts if solver.value(moved[each])]
        return facts

    def _after(self, after: dict[int, int]) -> dict[int, int]:
        """Return what each state is a step later; a reset by itself leaves some as they are."""
        terms, model = self._model.terms, self._model
        if not model.wakes:
            return after
        edge = terms.leaf("input", 1, "a reset wakes processes")
        waits = {*model.waits}
        names = {terms.leaf("state", terms.width(e), f"mutant's {e}") for e in waits}
        return {
            state: terms.make("ite", terms.width(state), (edge, state, value))
            if state in waits or state in names
            else value
            for state, value in after.items()
        }

    def _possible(self) -> int:
        """Return, as one bit, that a reset which wakes processes is active."""
        terms, model = self._model.terms, self._model
        if not model.wakes:
            return terms.const(1, 1)
        edge = terms.leaf("input", 1, "a reset wakes processes")
        active = terms.any_of(
            terms.make("eq", 1, (each, terms.const(1, model.resets[each]))) for each in model.wakes
        )
        return terms.make("or", 1, (terms.inverse(edge), active))

    def _reset_bits(self) -> list[int]:
        terms, model = self._model.terms, self._model
        bits = [
            terms.make("eq", 1, (each, terms.const(1, level)))
            for each, level in model.resets.items()
        ]
        if model.wakes:
            bits.append(terms.inverse(terms.leaf("input", 1, "a reset wakes processes")))
        return bits

    def _facts_of_original(self) -> list[int]:
        """Return what no run has refuted of the original, if its registers are few."""
        if len(self._model.states) > _REGISTERS:
            return []
        terms, model = self._model.terms, self._model
        seen = {state: self._seen(state) for state in model.states}
        found: list[int] = []
        for state, values in seen.items():
            width = terms.width(state)
            if not values:
                continue
            if width <= 4 or len(values) <= 2:
                missing = [v for v in range(1 << min(width, 4)) if v not in values]
                if width <= 4:
                    found += [terms.differ(state, terms.const(width, v)) for v in missing]
            most = max(values)
            if most < (1 << width) - 1:
                found.append(terms.inverse(terms.make("ult", 1, (terms.const(width, most), state))))
            if len(values) == 1:
                found.append(terms.make("eq", 1, (state, terms.const(width, most))))
            if width <= 64 and len(values) <= _FEW:
                found += _one_hot(self._model, state, values)
        found += self._sums()
        for left, right in combinations(model.states, 2):
            if terms.width(left) == terms.width(right) and self._always_equal(left, right):
                found.append(terms.make("eq", 1, (left, right)))
        return found[:_MOST]

    def _sums(self) -> Iterable[int]:
        """Yield that a register is the sum of two others, as pointers and a count are."""
        terms = self._model.terms
        for total, left, right in permutations(self._model.states, 3):
            width = terms.width(total)
            if left > right or not 1 < width == terms.width(left) == terms.width(right) <= 64:
                continue
            if all(
                bool((states[total] == (states[left] + states[right]) & _ones(width)).all())
                for run in self._runs
                for states in run.states[2:]
            ):
                yield terms.make("eq", 1, (total, terms.make("add", width, (left, right))))

    def _seen(self, state: int) -> set[int]:
        found: set[int] = set()
        for run in self._runs:
            for states in run.states[2:]:
                found.update(states[state].tolist())
                if len(found) > 4 * _FEW and self._model.terms.width(state) <= 4:
                    break
        return found

    def _always_equal(self, left: int, right: int) -> bool:
        return all(
            bool((states[left] == states[right]).all())
            for run in self._runs
            for states in run.states[2:]
        )


def _ones(width: int) -> np.uint64:
    return np.uint64((1 << width) - 1)


def _one_hot(model: Model, state: int, values: set[int]) -> list[int]:
    """Return that a register is one of a few values, if they are few."""
    terms, width = model.terms, model.terms.width(state)
    if width <= 2 or len(values) > _FEW or len(values) == 1 << width:
        return []
    equal = [terms.make("eq", 1, (state, terms.const(width, each))) for each in sorted(values)]
    return [terms.any_of(equal)]
