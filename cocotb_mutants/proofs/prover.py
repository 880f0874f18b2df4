# SPDX-License-Identifier: Apache-2.0
"""Decides about mutants of a design: translates as few texts as possible, then judges each."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from cocotb_mutants import schema
from cocotb_mutants.mutant import Mutant
from cocotb_mutants.proofs.blocking import effects, takes_effect_alike
from cocotb_mutants.proofs.btor import Unsupported
from cocotb_mutants.proofs.decide import Decision, Judge
from cocotb_mutants.proofs.model import Machine, Model
from cocotb_mutants.proofs.terms import Terms
from cocotb_mutants.proofs.text import Clocking, clocking, schema_texts, stepped
from cocotb_mutants.proofs.translate import Refused, Translation, translate
from cocotb_mutants.schema import Schema
from cocotb_mutants.source import Design, elaborate

__all__ = ["Proved", "Prover"]

_PATIENCE = 300.0
"""Seconds for all mutants of a design; those that are left then are not decided."""

_TRIES = 8
"""How often mutants that Yosys refuses are left out, before each is translated by itself."""


@dataclass(frozen=True)
class Proved:
    """A decision, with the machine pair that it is about, where there is one."""

    decision: Decision
    model: Model | None = None
    mutant: Machine | None = None


class Prover:
    """The mutants of one design."""

    def __init__(self, design: Design, mutants: Sequence[Mutant]) -> None:
        self._design = design
        self._mutants = mutants
        self._terms = Terms()

    def all(self) -> Iterator[tuple[Mutant, Proved]]:
        """Yield each mutant with what is to be said of it.

        A fault of ours leaves the mutant undecided, and is told: verdicts do not depend on it.
        """
        try:
            decide = self._decider()
        except (Unsupported, Refused) as limit:
            yield from ((mutant, _unknown(str(limit))) for mutant in self._mutants)
            return
        until = time.monotonic() + _PATIENCE
        for mutant in self._mutants:
            if time.monotonic() > until:
                yield mutant, _unknown(f"the {_PATIENCE:g} s for this design are used up")
                continue
            try:
                found = decide(mutant)
            except Unsupported as limit:
                found = _unknown(str(limit))
            except Exception as fault:
                found = _unknown(f"a fault of the prover itself, please report it: {fault!r}")
            yield mutant, found

    def _decider(self) -> Callable[[Mutant], Proved]:
        clocks = clocking(self._design)
        texts = stepped(self._design.texts, clocks.edits)
        plain = Model(self._terms, translate(self._design, texts, self._terms), clocks)
        swapped = frozenset(m.name for m in self._mutants if self._is_swap(m))
        plan = schema.plan(self._design, self._mutants)
        shared = self._shared(plan, clocks, swapped)

        def decide(mutant: Mutant) -> Proved:
            if shared is not None and mutant.name in shared.held:
                return shared.decide(plan.numbers[mutant.name])
            if mutant.name in swapped:
                return Proved(takes_effect_alike(self._design, mutant, plain))
            return self._alone(mutant, plain)

        return decide

    def _is_swap(self, mutant: Mutant) -> bool:
        """Tell whether it changes when an assignment takes effect, which no netlist shows."""
        if mutant.operator == "blocking":
            return True
        if not any({"<", "="} & {*edit.original, *edit.replacement} for edit in mutant.edits):
            return False
        patched = elaborate(self._design.sources, schema.patched(self._design, mutant))
        return not effects(self._design) >= effects(patched)

    def _shared(self, plan: Schema, clocks: Clocking, left_out: frozenset[str]) -> _Shared | None:
        """Translate one text with as many mutants as Yosys takes."""
        for _ in range(_TRIES):
            text = schema_texts(plan, clocks, left_out)
            if not text.held:
                return None
            try:
                found = translate(self._design, text.texts, self._terms)
                model = Model(self._terms, found, clocks)
                # One whose number is nowhere is not in what was read: it is looked at alone.
                held = frozenset(name for name in text.held if model.holds(plan.numbers[name]))
                return _Shared(model, held)
            except Unsupported:
                return None
            except Refused as refused:
                blamed = {n for file, line, _ in refused.places for n in text.blame(file, line)}
                if not blamed & text.held:
                    return None
                left_out |= blamed
        return None

    def _alone(self, mutant: Mutant, plain: Model) -> Proved:
        """Compare the original with the text of one mutant by itself."""
        design = elaborate(self._design.sources, schema.patched(self._design, mutant))
        try:
            clocks = clocking(design)
            if clocks.events != plain.clocking.events:
                raise Unsupported("it changes what wakes a process")
            found = translate(design, stepped(design.texts, clocks.edits), self._terms)
        except (Unsupported, Refused) as limit:
            return _unknown(str(limit))
        if not _is_comparable(plain, found):
            return _unknown("it changes which ports there are")
        if not _begins_alike(plain, found):
            return _unknown("it changes what a register is in the beginning")
        model, machine = plain.beside(found.netlist)
        return Proved(Judge(model).about(machine), model, machine)


@dataclass
class _Shared:
    model: Model
    held: frozenset[str]

    def decide(self, number: int) -> Proved:
        machine = self.model.mutant(number)
        return Proved(self._judge.about(machine), self.model, machine)

    @cached_property
    def _judge(self) -> Judge:
        return Judge(self.model)


def _is_comparable(plain: Model, other: Translation) -> bool:
    """Tell whether two translations have the same inputs and outputs."""
    own, terms = plain.translation, plain.terms

    def widths(outputs: Mapping[str, int]) -> list[tuple[str, int]]:
        return [(name, terms.width(number)) for name, number in outputs.items()]

    return (
        own.inputs == other.inputs
        and own.clock == other.clock
        and widths(own.netlist.outputs) == widths(other.netlist.outputs)
    )


def _begins_alike(plain: Model, other: Translation) -> bool:
    """Tell whether the registers of both have the same initial values, or both have none."""
    own, theirs = plain.translation.netlist, other.netlist
    return all(own.start.get(each) == theirs.start.get(each) for each in own.states) and (
        own.states.keys() == theirs.states.keys() or not (own.start or theirs.start)
    )


def _unknown(how: str) -> Proved:
    return Proved(Decision("unknown", how))
