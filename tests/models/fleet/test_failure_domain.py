# SPDX-License-Identifier: Apache-2.0
"""Failure: tenants are really dealt onto devices, and the fullest device is the one that fails."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.fleet.failure_domain import Inputs, Outputs, State, step
from models.ports import Build
from tests.models.strategies import BUILDS, differing, ports, run, unsigned

SOME_DEVICES = st.integers(1, 12) | st.integers(1, 255)


def see(inputs: Inputs, build: Build = Build.CORRECT) -> Outputs:
    return step(inputs, State(), build)[0]


def failing(tenants: int, devices: int) -> Inputs:
    return Inputs(fail=1, tenants_total=tenants, devices_total=devices)


@given(ports(Inputs, devices_total=SOME_DEVICES))
def test_the_correct_build_loads_the_fullest_device_as_dealing_in_turn_does(inputs: Inputs) -> None:
    loads = [0] * inputs.devices_total
    for tenant in range(inputs.tenants_total):
        loads[tenant % inputs.devices_total] += 1
    assert see(inputs).per_device == max(loads)


@given(ports(Inputs, devices_total=SOME_DEVICES))
def test_the_broken_build_loads_the_fullest_device_with_everybody(inputs: Inputs) -> None:
    loads = [inputs.tenants_total] + [0] * (inputs.devices_total - 1)
    assert see(inputs, Build.BROKEN).per_device == max(loads)


@given(ports(Inputs, devices_total=0), BUILDS)
def test_without_devices_nobody_is_placed(inputs: Inputs, build: Build) -> None:
    assert see(inputs, build).per_device == 0


@given(ports(Inputs), BUILDS)
def test_lost_and_surviving_tenants_make_up_the_fleet(inputs: Inputs, build: Build) -> None:
    outputs = see(inputs, build)
    assert outputs.survivors + outputs.tenants_lost == inputs.tenants_total


@given(ports(Inputs, fail=1), BUILDS)
def test_a_failure_takes_down_the_fullest_device(inputs: Inputs, build: Build) -> None:
    outputs = see(inputs, build)
    assert outputs.tenants_lost == outputs.per_device


@given(ports(Inputs, fail=0), BUILDS)
def test_without_a_failure_everybody_survives(inputs: Inputs, build: Build) -> None:
    assert see(inputs, build).survivors == inputs.tenants_total


@given(ports(Inputs, tenants_total=st.integers(1, 255)), BUILDS)
def test_the_loss_shown_is_the_exact_percentage_rounded_down(inputs: Inputs, build: Build) -> None:
    outputs = see(inputs, build)
    exact = Fraction(100 * outputs.tenants_lost, inputs.tenants_total)
    assert 0 <= exact - outputs.loss_pct < 1


@given(ports(Inputs, tenants_total=0), BUILDS)
def test_an_empty_fleet_loses_nothing(inputs: Inputs, build: Build) -> None:
    outputs = see(inputs, build)
    assert (outputs.tenants_lost, outputs.loss_pct, outputs.majority_loss_err) == (0, 0, 0)


@given(ports(Inputs), BUILDS)
def test_a_majority_is_lost_when_the_lost_outnumber_the_survivors(
    inputs: Inputs, build: Build
) -> None:
    outputs = see(inputs, build)
    assert bool(outputs.majority_loss_err) is (outputs.tenants_lost > outputs.survivors)


@given(ports(Inputs, devices_total=SOME_DEVICES), st.integers(1, 255))
def test_more_devices_never_lose_more_tenants(inputs: Inputs, other: int) -> None:
    fewer, more = sorted([inputs.devices_total, other])
    assert (
        see(replace(inputs, devices_total=fewer)).tenants_lost
        >= see(replace(inputs, devices_total=more)).tenants_lost
    )


@given(ports(Inputs), unsigned(8), BUILDS)
def test_more_tenants_never_make_the_fullest_device_emptier(
    inputs: Inputs, other: int, build: Build
) -> None:
    fewer, more = sorted([inputs.tenants_total, other])
    assert (
        see(replace(inputs, tenants_total=fewer), build).per_device
        <= see(replace(inputs, tenants_total=more), build).per_device
    )


@given(ports(Inputs, fail=1), BUILDS)
def test_a_failure_counts_as_a_majority_when_its_flag_is_up(inputs: Inputs, build: Build) -> None:
    outputs, after = step(inputs, State(), build)
    assert after.n_majority_loss == outputs.majority_loss_err


@given(ports(Inputs), ports(State))
def test_the_builds_differ_only_in_what_follows_from_the_placement(
    inputs: Inputs, state: State
) -> None:
    follows = {"per_device", "tenants_lost", "survivors", "loss_pct"}
    judged = {"majority_loss_err", "n_majority_loss"}
    assert differing(step, inputs, state) <= follows | judged


@given(ports(Inputs, devices_total=st.integers(0, 1)))
def test_the_builds_agree_on_a_fleet_of_one_device_or_none(inputs: Inputs) -> None:
    assert differing(step, inputs, State()) == set()


def test_both_counters_stop_at_255_over_a_long_run() -> None:
    assert run(step, [failing(17, 2)] * 300, State(), Build.CORRECT) == State(255, 255)


def test_the_device_is_rounded_up_and_the_percentage_down() -> None:
    outputs = see(failing(16, 3))
    assert (outputs.tenants_lost, outputs.loss_pct) == (6, 37)


def test_exactly_half_is_no_majority() -> None:
    outputs = see(failing(16, 2))
    assert (outputs.tenants_lost, outputs.loss_pct, outputs.majority_loss_err) == (8, 50, 0)


@pytest.mark.parametrize("tenants", [27, 35, 49])
def test_a_loss_that_reads_51_percent_is_a_majority(tenants: int) -> None:
    outputs = see(failing(tenants, 2))
    assert (outputs.loss_pct, outputs.majority_loss_err) == (51, 1)


@pytest.mark.parametrize(
    ("tenants", "devices", "lost", "majority"),
    [(255, 2, 128, 1), (2, 255, 1, 0), (200, 100, 2, 0), (255, 255, 1, 0)],
)
def test_d01_the_rounding_up_does_not_wrap_in_a_large_fleet(
    tenants: int, devices: int, lost: int, majority: int
) -> None:
    outputs = see(failing(tenants, devices))
    assert (outputs.tenants_lost, outputs.survivors) == (lost, tenants - lost)
    assert outputs.majority_loss_err == majority


@pytest.mark.parametrize(("tenants", "lost"), [(51, 26), (201, 101)])
def test_d02_a_majority_that_reads_50_percent_is_still_a_majority(tenants: int, lost: int) -> None:
    outputs = see(failing(tenants, 2))
    assert (outputs.tenants_lost, outputs.loss_pct, outputs.majority_loss_err) == (lost, 50, 1)


def test_d02_on_two_devices_odd_fleets_lose_a_majority_and_even_ones_do_not() -> None:
    flagged = {tenants for tenants in range(256) if see(failing(tenants, 2)).majority_loss_err}
    assert flagged == set(range(1, 256, 2))


@pytest.mark.parametrize("build", Build)
def test_d19_sixteen_tenants_on_no_devices_all_survive(build: Build) -> None:
    outputs = see(failing(16, 0), build)
    assert (outputs.survivors, outputs.loss_pct) == (16, 0)
