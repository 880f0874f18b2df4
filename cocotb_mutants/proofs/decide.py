# SPDX-License-Identifier: Apache-2.0
"""What is to be said of a survivor: the same design, another one, or that it cannot be told."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cached_property

from cocotb_mutants.explanation import Kind
from cocotb_mutants.proofs.certain import is_certain
from cocotb_mutants.proofs.induction import Induction, Sameness
from cocotb_mutants.proofs.model import Machine, Model, Witness
from cocotb_mutants.proofs.search import Golden, Seen, by_solver, golden, simulate
from cocotb_mutants.proofs.simulate import random_waves

__all__ = ["Decision", "Judge"]

DEPTH = 8
"""Steps that the solver looks ahead."""

LONG = 600
"""Steps of the longest random run, in a design of up to 500 operations."""

SECONDS = 15.0
"""The solver's time for one question. Few need more than one: a loaded machine decides alike."""

LOOK = 3.0
"""The solver's time to look ahead, where random runs have found nothing."""


@dataclass(frozen=True)
class Decision:
    """What was found out of one mutant.

    `equivalent` holds without a bound, for the reason in `how`. `bounded` says that no stimulus of
    up to `depth` steps after the reset shows a difference, which is no proof. `undetermined`
    says that the two differ only where a register without a reset, a division by zero or an X
    decides. `unknown` says in `how` which limit was hit, or why there is no model.
    """

    kind: Kind
    how: str = ""
    depth: int = 0
    witness: Witness | None = None
    seconds: float = 0.0


class Judge:
    """Decides about the mutants of one translated design."""

    def __init__(self, model: Model, *, seconds: float = SECONDS, seed: int = 1) -> None:
        self._model = model
        self._seconds = seconds
        self._seed = seed
        self._sameness = Sameness(model.terms, seconds)

    def about(self, mutant: Machine) -> Decision:
        """Decide about a mutant."""
        started = time.monotonic()
        found = self._decide(mutant)
        return Decision(
            found.kind, found.how, found.depth, found.witness, time.monotonic() - started
        )

    def _decide(self, mutant: Machine) -> Decision:
        if mutant.roots == self._model.original.roots:
            return Decision("equivalent", "it folds to the same terms")
        wavers, doubtful = False, None
        for run in (self._quick, self._broad):
            seen = simulate(self._model, mutant, run)
            if seen.witness is not None:
                if self._is_certain(mutant, seen.witness):
                    return _different(seen.witness)
                seen = _doubted(seen.witness)
            wavers |= seen.wavers
            doubtful = doubtful or seen.doubtful
        if not wavers and self._same(mutant):
            return Decision("equivalent", "outputs and next states agree from every state")
        seen = simulate(self._model, mutant, self._long)
        if seen.witness is not None:
            if self._is_certain(mutant, seen.witness):
                return _different(seen.witness)
            seen = _doubted(seen.witness)
        wavers |= seen.wavers
        doubtful = doubtful or seen.doubtful
        if not wavers:
            facts = self._induction.proves(mutant)
            if facts is not None:
                return Decision("equivalent", f"by induction with {facts} facts of the state", 1)
        patience = LOOK if wavers else 2 * LOOK
        witness, depth = by_solver(self._model, mutant, DEPTH, patience)
        if witness is not None and self._is_certain(mutant, witness):
            return _different(witness)
        if wavers:
            return Decision("undetermined", self._what_wavers(mutant), depth, doubtful)
        if depth:
            long = len(self._long.waves.steps)
            return Decision(
                "bounded",
                f"no difference within {depth} steps of a reset, nor in random runs of {long}",
                depth,
            )
        return Decision("unknown", f"the solver did not answer within {self._seconds:g} s")

    def _is_certain(self, mutant: Machine, witness: Witness) -> bool:
        return is_certain(self._model, mutant, witness, self._seconds)

    def _same(self, mutant: Machine) -> bool:
        """Tell whether the two agree from every state."""
        return self._sameness.holds(self._model.original.roots, mutant.roots)

    def _what_wavers(self, mutant: Machine) -> str:
        terms = self._model.terms
        cone = {terms[each].op for each in terms.cone([*mutant.roots])}
        if "fresh" in cone:
            return "a division by zero"
        made_up = set(self._model.undetermined) & set(terms.cone(mutant.roots))
        return "an X" if made_up else "a register that no reset sets"

    @cached_property
    def _quick(self) -> Golden:
        return self._run(steps=5, stimuli=48)

    @cached_property
    def _broad(self) -> Golden:
        return self._run(steps=7, stimuli=1024)

    @cached_property
    def _long(self) -> Golden:
        # What a run costs grows with the design: a large one has a shorter one.
        size = len(self._model.terms.cone(self._model.original.roots))
        steps = max(24, min(LONG, LONG * 500 // max(size, 1)))
        return self._run(steps=steps, stimuli=128, sticky=True)

    def _run(self, steps: int, stimuli: int, *, sticky: bool = False) -> Golden:
        model = self._model
        waves = random_waves(
            model.terms,
            model.inputs.values(),
            model.resets,
            steps,
            stimuli,
            self._seed,
            sticky=sticky,
        )
        return golden(model, waves)

    @cached_property
    def _induction(self) -> Induction:
        return Induction(self._model, (self._broad, self._long), self._seconds)


def _doubted(witness: Witness) -> Seen:
    """Return what is left of a witness that does not hold for all power-up values."""
    return Seen(None, replace(witness, mutant=None), wavers=True)


def _different(witness: Witness) -> Decision:
    return Decision("distinguishable", depth=len(witness.steps) - 1, witness=witness)
