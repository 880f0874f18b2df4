# SPDX-License-Identifier: Apache-2.0
"""A design with its mutants as a machine that takes steps, and what is to be said of a mutant."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from cocotb_mutants.proofs.btor import Netlist, Unsupported
from cocotb_mutants.proofs.choice import Choice
from cocotb_mutants.proofs.terms import Terms
from cocotb_mutants.proofs.text import Clocking
from cocotb_mutants.proofs.translate import Translation

__all__ = ["Machine", "Model", "Witness"]

_ELEMENT = re.compile(r"(\[\d+\])+$")


@dataclass(frozen=True)
class Witness:
    """A stimulus after which a mutant's output differs, whatever undetermined values are.

    `steps` hold the inputs by name. A step is one clock edge, unless an asynchronous reset becomes
    active in it, which is an edge by itself: `clocked` tells. In the last one `output` is
    `original` in the design and `mutant` in the mutant before the edge, and `expected` is what
    the original has on all outputs that are determined by then. Where nothing determines what the
    mutant has, `mutant` is None: whether it shows depends on the simulator, which may have an X.
    """

    steps: tuple[Mapping[str, int], ...]
    clocked: tuple[bool, ...]
    output: str
    original: int
    mutant: int | None
    expected: Mapping[str, int]


@dataclass(frozen=True)
class Machine:
    """One design: its outputs by name, and what becomes of each state."""

    outputs: Mapping[str, int]
    next: Mapping[int, int]

    @property
    def roots(self) -> list[int]:
        """All of it."""
        return [*self.outputs.values(), *self.next.values()]


@dataclass
class Model:
    """A translated design, with the original and each of its mutants as machines."""

    terms: Terms
    translation: Translation
    clocking: Clocking

    @property
    def inputs(self) -> Mapping[str, int]:
        """The inputs of the top but for the clock."""
        return self.translation.inputs

    @property
    def states(self) -> Mapping[int, frozenset[str]]:
        """The registers by number, with all their names."""
        return self.translation.netlist.states

    @cached_property
    def resets(self) -> dict[int, int]:
        """The inputs that look like resets, with the value that resets."""
        return {
            self.inputs[name]: level
            for name, level in self.clocking.resets.items()
            if name in self.inputs
        }

    @cached_property
    def waits(self) -> frozenset[int]:
        """The registers that a reset by itself does not wake.

        Raises:
            Unsupported: it cannot be told of a register whether it does.
        """
        if not self.clocking.asynchronous:
            return frozenset(self.states)
        top = {name.partition(".")[0] for name in self.clocking.asynchronous}
        found = set()
        for number, names in self.states.items():
            known = {f"{each}.{_ELEMENT.sub('', name)}" for each in top for name in names}
            if not names:
                raise Unsupported("a register without a name beside an asynchronous reset")
            if not known & self.clocking.asynchronous:
                found.add(number)
        return frozenset(found)

    @cached_property
    def wakes(self) -> frozenset[int]:
        """The resets that wake processes."""
        return frozenset(self.inputs[name] for name in self.clocking.waking if name in self.inputs)

    @cached_property
    def undetermined(self) -> tuple[int, ...]:
        """Inputs that the front end made up: X."""
        netlist = self.translation.netlist
        known = {*self.translation.selectors, *self.inputs.values()}
        clock = netlist.inputs.get(self.translation.clock)
        named = (each for each in netlist.inputs.values() if each not in known and each != clock)
        return (*netlist.unknown, *named)

    @cached_property
    def start(self) -> dict[int, int]:
        """What registers are in the beginning, as far as the design says."""
        return dict(self.translation.netlist.start)

    @cached_property
    def original(self) -> Machine:
        """The design without a fault."""
        return self.mutant(0)

    def holds(self, number: int) -> bool:
        """Tell whether a mutant is in the terms at all."""
        return number in self._chosen.values

    def beside(self, other: Netlist) -> tuple[Model, Machine]:
        """Return this design and another one over the registers of both, on one set of terms.

        A register that one of them does not have is read by no output there, so that it may do
        what it does in the other.
        """
        own = self.translation.netlist
        merged = replace(
            own,
            unknown=[*own.unknown, *other.unknown],
            states={**other.states, **own.states},
            next={**other.next, **own.next},
            start={**other.start, **own.start},
        )
        model = Model(self.terms, replace(self.translation, netlist=merged), self.clocking)
        after = {**own.next, **other.next}
        return model, Machine(other.outputs, {each: after[each] for each in merged.states})

    def mutant(self, number: int) -> Machine:
        """Return the machine in which the selector is `number`."""
        netlist = self.translation.netlist
        roots = [*netlist.outputs.values(), *(netlist.next[each] for each in netlist.states)]
        found = self._chosen.fold(roots, number)
        outputs = dict(zip(netlist.outputs, found, strict=False))
        return Machine(outputs, dict(zip(netlist.states, found[len(outputs) :], strict=True)))

    @cached_property
    def _chosen(self) -> Choice:
        netlist = self.translation.netlist
        roots = [*netlist.outputs.values(), *(netlist.next[each] for each in netlist.states)]
        return Choice(self.terms, self.translation.selectors, roots)
