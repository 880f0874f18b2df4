# SPDX-License-Identifier: Apache-2.0
"""Whether a witness holds whatever the values are that nothing determines."""

from __future__ import annotations

from collections.abc import Mapping

from cocotb_mutants.proofs.model import Machine, Model, Witness
from cocotb_mutants.proofs.solver import Solver

__all__ = ["is_certain"]


def is_certain(model: Model, mutant: Machine, witness: Witness, seconds: float) -> bool:
    """Tell whether the output must differ at the end of a witness, the original being known there.

    The inputs are constants, so that most of each step folds away; what is left are power-up
    values, results of divisions by zero, and X. Those are the same for both designs, and the
    solver looks for some with which the outputs agree.
    """
    terms = model.terms
    ends = [_run(model, machine, witness) for machine in (model.original, mutant)]
    left, right = ends
    if terms.constant(left) is None:
        return False
    if terms.constant(right) is not None:
        return left != right
    solver = Solver(terms, seconds)
    return solver.can_be([terms.make("eq", 1, (left, right))]) is False


def _run(model: Model, machine: Machine, witness: Witness) -> int:
    """Return the output at the end as a term of what is not determined."""
    terms = model.terms
    states: Mapping[int, int] = {
        each: model.start.get(each, terms.leaf("input", terms.width(each), ("power-up", each)))
        for each in model.states
    }
    clock = model.translation.netlist.inputs.get(model.translation.clock)
    last = len(witness.steps) - 1
    for index, inputs in enumerate(witness.steps):
        by = {
            number: terms.const(terms.width(number), inputs[name])
            for name, number in model.inputs.items()
        }
        by |= {
            each: terms.leaf("input", terms.width(each), ("x", each, index))
            for each in model.undetermined
        }
        by |= states
        if clock is not None:
            by[clock] = terms.const(1, 0)
        if index == last:
            return terms.replaced([machine.outputs[witness.output]], by)[0]
        after = terms.replaced(list(machine.next.values()), by)
        found = dict(zip(machine.next, after, strict=True))
        if not witness.clocked[index]:
            found |= {each: states[each] for each in model.waits}
        states = found
    raise AssertionError("a witness has a last step")
