# SPDX-License-Identifier: Apache-2.0
"""Rebind: all 64 inputs against the prescription, written out as (phase, old, new) triples."""

from __future__ import annotations

import itertools

import pytest

from models.fleet.rebind_sequence import Inputs, Outputs, Phase, State, step
from models.ports import Build
from tests.models.strategies import differing, run

CONSISTENT = {
    ("idle", "old has it", "new has not"),
    ("quiesced", "old has it", "new has not"),
    ("unbound", "old has not", "new has not"),
    ("scrubbed", "old has not", "new has not"),
    ("bound", "old has not", "new has it"),
}
"""The only right situations of a hand-over; everything else is wrong."""

NAMES = (
    "idle",
    "quiesced",
    "unbound",
    "scrubbed",
    "bound",
    "undefined 5",
    "undefined 6",
    "undefined 7",
)

ALL = [
    Inputs(step=taken, phase=phase, old_can_access=old, new_can_access=new)
    for taken, phase, old, new in itertools.product((0, 1), range(8), (0, 1), (0, 1))
]
STEPS = [inputs for inputs in ALL if inputs.step]

in_every_build = pytest.mark.parametrize("build", Build)


def see(inputs: Inputs, build: Build = Build.CORRECT) -> Outputs:
    return step(inputs, State(), build)[0]


def situation(inputs: Inputs) -> tuple[str, str, str]:
    return (
        NAMES[inputs.phase],
        "old has it" if inputs.old_can_access else "old has not",
        "new has it" if inputs.new_can_access else "new has not",
    )


def owners(inputs: Inputs) -> list[str]:
    return [part for part in situation(inputs) if part.endswith("has it")]


def test_phases_are_numbered_in_the_order_of_a_hand_over() -> None:
    assert [phase.name.lower() for phase in sorted(Phase)] == list(NAMES[:5])


@in_every_build
def test_access_is_consistent_in_the_five_prescribed_situations_only(build: Build) -> None:
    assert {
        situation(inputs) for inputs in ALL if see(inputs, build).phase_consistent
    } == CONSISTENT


@in_every_build
def test_both_can_access_means_two_owners(build: Build) -> None:
    flagged = [inputs for inputs in ALL if see(inputs, build).both_can_access]
    assert flagged == [inputs for inputs in ALL if len(owners(inputs)) == 2]


@in_every_build
def test_neither_owns_means_no_owner(build: Build) -> None:
    flagged = [inputs for inputs in ALL if see(inputs, build).neither_owns]
    assert flagged == [inputs for inputs in ALL if owners(inputs) == []]


def test_the_correct_build_calls_safe_what_is_consistent() -> None:
    safe = {situation(inputs) for inputs in ALL if see(inputs).safe_phase}
    assert safe == CONSISTENT


def test_the_broken_build_calls_everything_safe() -> None:
    assert {see(inputs, Build.BROKEN).safe_phase for inputs in ALL} == {1}


def test_the_correct_build_never_calls_a_double_binding_safe() -> None:
    assert {see(inputs).double_binding_err for inputs in ALL} == {0}


def test_the_broken_build_errs_in_every_step_with_two_owners() -> None:
    flagged = [inputs for inputs in ALL if see(inputs, Build.BROKEN).double_binding_err]
    assert flagged == [inputs for inputs in STEPS if len(owners(inputs)) == 2]


@in_every_build
def test_a_step_is_unsafe_when_it_has_two_owners_whatever_the_verdict(build: Build) -> None:
    for inputs in STEPS:
        assert run(step, [inputs], State(), build).n_unsafe == (len(owners(inputs)) == 2)


def test_the_builds_differ_only_in_what_follows_from_the_verdict() -> None:
    seen = set().union(*(differing(step, inputs, State()) for inputs in ALL))
    assert seen == {"safe_phase", "double_binding_err"}


@in_every_build
def test_both_counters_stop_at_255_over_a_long_run(build: Build) -> None:
    shared = Inputs(step=1, phase=2, old_can_access=1, new_can_access=1)
    assert run(step, [shared] * 300, State(), build) == State(255, 255)


@in_every_build
@pytest.mark.parametrize("phase", [5, 6, 7])
def test_no_access_is_right_in_an_undefined_phase(phase: int, build: Build) -> None:
    seen = [see(inputs, build).phase_consistent for inputs in ALL if inputs.phase == phase]
    assert seen == [0] * 8


@pytest.mark.parametrize(
    ("phase", "old", "new"),
    [
        (4, 1, 1),  # the losing tenant was never cut off
        (5, 0, 1),  # a phase that does not exist
        (0, 0, 0),  # a stall: nobody can reach what the losing tenant should own
    ],
)
def test_d10_the_correct_build_calls_it_unsafe_but_raises_no_error(
    phase: int, old: int, new: int
) -> None:
    outputs = see(Inputs(step=1, phase=phase, old_can_access=old, new_can_access=new))
    assert (outputs.safe_phase, outputs.double_binding_err) == (0, 0)


def test_d10_a_real_double_binding_leaves_its_trace_in_the_counter() -> None:
    shared = Inputs(step=1, phase=4, old_can_access=1, new_can_access=1)
    outputs, after = step(shared, State(), Build.CORRECT)
    assert (outputs.both_can_access, after.n_unsafe) == (1, 1)


def test_d10_the_order_of_the_phases_is_not_checked() -> None:
    """From bound straight back to idle: each step alone is as prescribed."""
    backwards = [(4, 0, 1), (3, 0, 0), (0, 1, 0)]
    seen = [see(Inputs(1, phase, old, new)).safe_phase for phase, old, new in backwards]
    assert seen == [1, 1, 1]


def test_d10_the_broken_build_calls_an_undefined_phase_safe() -> None:
    outputs = see(Inputs(step=1, phase=7, old_can_access=1, new_can_access=0), Build.BROKEN)
    assert (outputs.phase_consistent, outputs.safe_phase) == (0, 1)
