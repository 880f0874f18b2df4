# SPDX-License-Identifier: Apache-2.0
"""Look for a stimulus that tells a mutant from the original: at random, then by the solver."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from cocotb_mutants.proofs.model import Machine, Model, Witness
from cocotb_mutants.proofs.simulate import VARIANTS, Array, Evaluator, Values, Waves, undetermined
from cocotb_mutants.proofs.solver import Solver

__all__ = ["Golden", "Seen", "by_solver", "golden", "simulate"]


@dataclass
class Golden:
    """The original's runs on some waves: all values in each step, and where nobody may look.

    A step in which a reset becomes active by itself has no moment before its edge.
    """

    waves: Waves
    values: list[Values] = field(default_factory=list)
    states: list[Values] = field(default_factory=list)
    blind: list[Array] = field(default_factory=list)


@dataclass(frozen=True)
class Seen:
    """What a simulation showed: a witness, or a difference in some variants only."""

    witness: Witness | None = None
    doubtful: Witness | None = None
    wavers: bool = False


def golden(model: Model, waves: Waves) -> Golden:
    """Run the original."""
    found = Golden(waves)
    evaluator = Evaluator(model.terms, model.original.roots)
    states = _power_up(model, waves.runs)
    for step, inputs in enumerate(waves.steps):
        blind = _edges(model, waves, step)
        values = evaluator.run(_given(model, inputs, states, waves.runs), waves.runs)
        found.values.append(values)
        found.states.append(states)
        found.blind.append(blind)
        states = _advance(model, model.original, values, states, blind)
    return found


def simulate(model: Model, mutant: Machine, run: Golden) -> Seen:
    """Run a mutant on the same waves as the original."""
    original, waves = model.original, run.waves
    evaluator = Evaluator(model.terms, mutant.roots)
    states = run.states[0]
    wavers, doubtful = False, None
    for step, inputs in enumerate(waves.steps):
        values = evaluator.run(
            _given(model, inputs, states, waves.runs), waves.runs, run.values[step]
        )
        if step or not model.states:
            for name, ours in mutant.outputs.items():
                left, right = run.values[step][original.outputs[name]], values[ours]
                if left is right:
                    continue
                differ = (left != right) & ~run.blind[step]
                if not differ.any():
                    continue
                at = _certain(differ, left, right)
                if at is not None:
                    return Seen(_witness(model, run, step, at, name, int(right[at])))
                wavers = True
                at = _certain(differ, left) if doubtful is None else None
                if at is not None:
                    doubtful = _witness(model, run, step, at, name, None)
        if step + 1 < len(waves.steps):
            after = _advance(model, mutant, values, states, run.blind[step])
            states = {
                each: known if _same(value, known := run.states[step + 1][each]) else value
                for each, value in after.items()
            }
    return Seen(None, doubtful, wavers)


def by_solver(
    model: Model, mutant: Machine, depth: int, seconds: float
) -> tuple[Witness | None, int]:
    """Look for the shortest witness of up to `depth` steps; also return how many were ruled out.

    Of registers that nothing determines it takes both extremes and asks for a stimulus that
    shows the difference in both.
    """
    until = time.monotonic() + seconds
    search = _Unrolled(model, mutant, seconds)
    for step in range(depth):
        bits = search.step()
        if bits is not None and (step or not model.states):
            answer = search.solver.can_be([bits])
            if answer is not False:
                return (search.witness() if answer else None), step
        if time.monotonic() > until:
            return None, step + 1
    return None, depth


class _Unrolled:
    """Steps of both machines as terms of the inputs of each step."""

    def __init__(self, model: Model, mutant: Machine, seconds: float) -> None:
        self._model = model
        self._mutant = mutant
        self.solver = Solver(model.terms, seconds)
        self._inputs: list[dict[str, int]] = []
        self._worlds = [_World(model, mutant, value) for value in (0, -1)]

    def step(self) -> int | None:
        """Take a step and return, as one bit, whether an output differs in it; None if never."""
        model, terms, index = self._model, self._model.terms, len(self._inputs)
        now = {
            name: terms.leaf("input", terms.width(number), f"{name} @{index}")
            for name, number in model.inputs.items()
        }
        by_number = {model.inputs[name]: leaf for name, leaf in now.items()}
        if index < 2:
            for number, level in model.resets.items():
                by_number[number] = terms.const(1, level)
                name = next(n for n, each in model.inputs.items() if each == number)
                now[name] = by_number[number]
        edge = self._edge(by_number)
        self._inputs.append(now)
        found = [world.step(by_number, edge) for world in self._worlds]
        bits = []
        for name in self._mutant.outputs:
            (left, right), (other, opposite) = (pairs[name] for pairs in found)
            both = terms.make("and", 1, (terms.differ(left, right), terms.differ(other, opposite)))
            bits.append(terms.make("and", 1, (both, terms.make("eq", 1, (left, other)))))
        differs = terms.make("and", 1, (terms.any_of(bits), terms.inverse(edge)))
        return None if terms.constant(differs) == 0 else differs

    def _edge(self, now: Mapping[int, int]) -> int:
        terms, model = self._model.terms, self._model
        edges = []
        if self._inputs:
            names = {number: name for name, number in model.inputs.items()}
            for number in model.wakes:
                level = terms.const(1, model.resets[number])
                before = terms.differ(self._inputs[-1][names[number]], level)
                active = terms.make("eq", 1, (now[number], level))
                edges.append(terms.make("and", 1, (active, before)))
        return terms.any_of(edges)

    def witness(self) -> Witness | None:
        """Return what the solver found, if a simulation with all variants agrees."""
        model = self._model
        steps = [
            {name: self.solver.value(leaf) for name, leaf in inputs.items()}
            for inputs in self._inputs
        ]
        return confirmed(model, self._mutant, steps).witness


class _World:
    """Both machines, with one value for all that is undetermined, power-up included."""

    def __init__(self, model: Model, mutant: Machine, value: int) -> None:
        self._model = model
        self._value = value
        self._machines = [self._determined(model.original), self._determined(mutant)]
        start = {
            each: model.start.get(each, model.terms.const(model.terms.width(each), value))
            for each in model.states
        }
        self._states = [start, dict(start)]

    def _determined(self, machine: Machine) -> Machine:
        terms = self._model.terms
        fresh = {
            each: terms.const(terms.width(each), self._value)
            for each in terms.cone(machine.roots)
            if terms[each].op == "fresh"
        }
        found = terms.replaced(machine.roots, fresh)
        outputs = dict(zip(machine.outputs, found, strict=False))
        return Machine(outputs, dict(zip(machine.next, found[len(outputs) :], strict=True)))

    def step(self, inputs: Mapping[int, int], edge: int) -> dict[str, tuple[int, int]]:
        model, terms = self._model, self._model.terms
        unknown = {each: terms.const(terms.width(each), self._value) for each in model.undetermined}
        clock = model.translation.netlist.inputs.get(model.translation.clock)
        if clock is not None:
            unknown[clock] = terms.const(1, 0)
        both = []
        for index, machine in enumerate(self._machines):
            by = {**unknown, **inputs, **self._states[index]}
            found = terms.replaced(machine.roots, by)
            both.append(dict(zip(machine.outputs, found, strict=False)))
            after = dict(zip(machine.next, found[len(machine.outputs) :], strict=True))
            for state in after.keys() & model.waits:
                held = (edge, self._states[index][state], after[state])
                after[state] = terms.make("ite", terms.width(state), held)
            self._states[index] = after
        return {name: (both[0][name], both[1][name]) for name in both[0]}


def confirmed(model: Model, mutant: Machine, steps: Sequence[Mapping[str, int]]) -> Seen:
    """Return what `steps` show."""
    waves = Waves(
        tuple(
            {
                number: np.full(VARIANTS, now[name], dtype=_kind(model.terms.width(number)))
                for name, number in model.inputs.items()
            }
            for now in steps
        ),
        VARIANTS,
    )
    return simulate(model, mutant, golden(model, waves))


def _kind(width: int) -> type:
    return np.uint64 if width <= 64 else object


def _power_up(model: Model, runs: int) -> Values:
    terms = model.terms
    found = {}
    for each in model.states:
        width, start = terms.width(each), model.start.get(each)
        value = None if start is None else terms.constant(start)
        if value is None:
            found[each] = undetermined(width, runs, each)
        else:
            found[each] = np.full(runs, value, dtype=_kind(width))
    return found


def _given(model: Model, inputs: Values, states: Values, runs: int) -> Values:
    given = {**inputs, **states}
    clock = model.translation.netlist.inputs.get(model.translation.clock)
    if clock is not None:
        given[clock] = _zeros(runs)
    return given


_zero_arrays: dict[int, Array] = {}


def _zeros(runs: int) -> Array:
    if runs not in _zero_arrays:
        _zero_arrays[runs] = np.zeros(runs, dtype=np.uint64)
    return _zero_arrays[runs]


def _edges(model: Model, waves: Waves, step: int) -> Array:
    """Return in which runs a reset becomes active in a step, and is the event of it."""
    found = np.zeros(waves.runs, dtype=bool)
    if step:
        for number in model.wakes:
            level = model.resets[number]
            now, before = waves.steps[step][number], waves.steps[step - 1][number]
            found |= (now == level) & (before != level)
    return found


def _advance(
    model: Model, machine: Machine, values: Values, states: Values, edges: Array
) -> Values:
    after = {each: values[number] for each, number in machine.next.items()}
    if edges.any():
        for each in model.waits:
            after[each] = np.where(edges, states[each], after[each])
    return after


def _same(left: Array, right: Array) -> bool:
    return left is right or bool(np.array_equal(left, right))


def _certain(differ: Array, *steady: Array) -> int | None:
    """Return a stimulus in which some variant differs, and in which all of `steady` have one value.

    Where both designs have one value, all variants differ.
    """
    found = differ.reshape(-1, VARIANTS).any(axis=1)
    for values in steady:
        rows = values.reshape(-1, VARIANTS)
        found &= (rows == rows[:, :1]).all(axis=1)
    at = np.flatnonzero(found)
    return int(at[0]) * VARIANTS if len(at) else None


def _witness(
    model: Model, run: Golden, step: int, at: int, output: str, mutant: int | None
) -> Witness:
    steps = tuple(
        {name: int(inputs[number][at]) for name, number in model.inputs.items()}
        for inputs in run.waves.steps[: step + 1]
    )
    expected = {}
    for name, number in model.original.outputs.items():
        values = run.values[step][number][at : at + VARIANTS].tolist()
        if len(set(values)) == 1:
            expected[name] = int(values[0])
    clocked = tuple(not blind[at] for blind in run.blind[: step + 1])
    return Witness(steps, clocked, output, expected[output], mutant, expected)
