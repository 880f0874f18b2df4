# SPDX-License-Identifier: Apache-2.0
"""Admission: room is a matter of size, acceptance a matter of set membership, both must agree."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.fleet.tenant_admission import Inputs, Outputs, State, step
from models.ports import Build
from tests.models.strategies import BUILDS, differing, ports, run, unsigned

CLASSES = st.sets(st.integers(0, 3))
"""What a device accepts, as the plain set of class numbers that its mask stands for."""

ORDINARY = Inputs(request=1, want_gb=64, dev_free_gb=128, tenant_class=0, dev_class_mask=0b0001)
WRONG_CLASS = replace(ORDINARY, tenant_class=1)


def see(inputs: Inputs, build: Build = Build.CORRECT) -> Outputs:
    return step(inputs, State(), build)[0]


def mask_of(classes: Set[int]) -> int:
    return sum(2**number for number in classes)


@given(unsigned(16), BUILDS)
def test_a_request_equal_to_the_free_memory_fits(size: int, build: Build) -> None:
    assert see(replace(ORDINARY, want_gb=size, dev_free_gb=size), build).fits == 1


@given(st.integers(0, 65534), BUILDS)
def test_a_request_one_above_the_free_memory_does_not_fit(free: int, build: Build) -> None:
    assert see(replace(ORDINARY, want_gb=free + 1, dev_free_gb=free), build).fits == 0


@given(ports(Inputs), unsigned(16), BUILDS)
def test_asking_for_less_never_stops_a_request_from_fitting(
    inputs: Inputs, other: int, build: Build
) -> None:
    less, more = sorted([inputs.want_gb, other])
    assert (
        see(replace(inputs, want_gb=less), build).fits
        >= see(replace(inputs, want_gb=more), build).fits
    )


@given(ports(Inputs, want_gb=0), BUILDS)
def test_a_request_for_nothing_fits_everywhere(inputs: Inputs, build: Build) -> None:
    assert see(inputs, build).fits == 1


@given(ports(Inputs), CLASSES, BUILDS)
def test_a_class_is_allowed_if_it_is_in_the_set_of_the_device(
    inputs: Inputs, classes: Set[int], build: Build
) -> None:
    outputs = see(replace(inputs, dev_class_mask=mask_of(classes)), build)
    assert bool(outputs.class_allowed) is (inputs.tenant_class in classes)


@pytest.mark.parametrize("tenant_class", range(4, 16))
@pytest.mark.parametrize("build", Build)
def test_a_class_above_three_is_allowed_nowhere(tenant_class: int, build: Build) -> None:
    every_mask = [
        see(replace(ORDINARY, tenant_class=tenant_class, dev_class_mask=mask), build)
        for mask in range(16)
    ]
    assert [outputs.class_allowed for outputs in every_mask] == [0] * 16


@given(ports(Inputs, dev_class_mask=0))
def test_a_device_with_an_empty_mask_admits_nobody(inputs: Inputs) -> None:
    assert see(inputs).admitted == 0


@given(ports(Inputs))
def test_the_correct_build_admits_unless_there_is_a_reason_not_to(inputs: Inputs) -> None:
    outputs = see(inputs)
    reasons = []
    if not inputs.request:
        reasons.append("nobody asked")
    if not outputs.fits:
        reasons.append("too large")
    if not outputs.class_allowed:
        reasons.append("class not accepted")
    assert bool(outputs.admitted) is (reasons == [])


@given(ports(Inputs, request=1, dev_class_mask=0b1111, tenant_class=st.integers(0, 3)))
def test_the_builds_agree_on_a_device_that_accepts_every_class(inputs: Inputs) -> None:
    assert differing(step, inputs, State()) == set()


@given(ports(Inputs, tenant_class=st.integers(0, 3)))
def test_the_broken_build_decides_as_if_the_device_accepted_every_class(inputs: Inputs) -> None:
    open_device = replace(inputs, dev_class_mask=mask_of({0, 1, 2, 3}))
    assert see(inputs, Build.BROKEN).admitted == see(open_device, Build.CORRECT).admitted


@given(ports(Inputs, dev_class_mask=0), unsigned(4))
def test_the_broken_build_admits_whatever_the_class(inputs: Inputs, other: int) -> None:
    admitted = see(inputs, Build.BROKEN).admitted
    assert see(replace(inputs, tenant_class=other), Build.BROKEN).admitted == admitted


@given(ports(Inputs))
def test_the_correct_build_never_violates_the_policy(inputs: Inputs) -> None:
    assert see(inputs).policy_violation_err == 0


@given(ports(Inputs))
def test_a_violation_is_what_only_the_broken_build_admits(inputs: Inputs) -> None:
    extra = see(inputs, Build.BROKEN).admitted - see(inputs).admitted
    assert see(inputs, Build.BROKEN).policy_violation_err == extra


@given(ports(Inputs), ports(State))
def test_the_builds_differ_only_in_what_follows_from_admission(
    inputs: Inputs, state: State
) -> None:
    follows = {"admitted", "policy_violation_err", "n_rejected"}
    assert differing(step, inputs, state) <= follows


@given(ports(Inputs, request=1), BUILDS)
def test_every_request_is_either_admitted_or_counted_as_rejected(
    inputs: Inputs, build: Build
) -> None:
    outputs, after = step(inputs, State(), build)
    assert outputs.admitted + after.n_rejected == after.n_requests == 1


def test_both_counters_stop_at_255_over_a_long_run() -> None:
    assert run(step, [WRONG_CLASS] * 300, State(), Build.CORRECT) == State(255, 255)


def test_a_wrong_class_is_refused_though_there_is_room_three_times_over() -> None:
    outputs = see(WRONG_CLASS)
    assert (outputs.fits, outputs.class_allowed, outputs.admitted) == (1, 0, 0)


def test_the_broken_build_admits_a_wrong_class_and_says_so() -> None:
    outputs = see(WRONG_CLASS, Build.BROKEN)
    assert (outputs.class_allowed, outputs.admitted, outputs.policy_violation_err) == (0, 1, 1)


@pytest.mark.parametrize(
    ("tenant_class", "want", "free"),
    [(4, 0, 0), (12, 32, 128)],
)
def test_d03_a_class_is_not_folded_onto_one_that_is_accepted(
    tenant_class: int, want: int, free: int
) -> None:
    outputs = see(replace(ORDINARY, tenant_class=tenant_class, want_gb=want, dev_free_gb=free))
    assert (outputs.fits, outputs.class_allowed, outputs.admitted) == (1, 0, 0)


def test_nothing_is_reserved_so_a_second_request_sees_the_same_room() -> None:
    whole = replace(ORDINARY, want_gb=128)
    first, state = step(whole, State(), Build.CORRECT)
    second, _ = step(whole, state, Build.CORRECT)
    assert (first.admitted, second.admitted) == (1, 1)
