# SPDX-License-Identifier: Apache-2.0
"""Policy cost: a list of checks is waited for one by one (sum) or all at once (max)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.fleet.policy_cost import Inputs, Outputs, State, step
from models.ports import Build
from tests.models.strategies import BUILDS, differing, ports, run

TWELVE = Inputs(alloc=1, n_checks=12, per_check_us=10, base_alloc_us=100, budget_us=200)
SHOWABLE = 65535
"""Longest total that sixteen bits can show."""

HUGE_BASE = st.integers(65000, 65535)


def see(inputs: Inputs, build: Build = Build.CORRECT) -> Outputs:
    return step(inputs, State(), build)[0]


def times_of_checks(inputs: Inputs) -> list[int]:
    return [inputs.per_check_us] * inputs.n_checks


def true_total(inputs: Inputs, build: Build) -> int:
    """The time an allocation really takes, however many bits that needs."""
    return inputs.base_alloc_us + see(inputs, build).policy_us


@given(ports(Inputs))
def test_the_correct_build_waits_for_the_slowest_check(inputs: Inputs) -> None:
    assert see(inputs).policy_us == max(times_of_checks(inputs), default=0)


@given(ports(Inputs))
def test_the_broken_build_waits_for_one_check_after_another(inputs: Inputs) -> None:
    assert see(inputs, Build.BROKEN).policy_us == sum(times_of_checks(inputs))


@given(ports(Inputs, n_checks=0), BUILDS)
def test_no_checks_cost_nothing(inputs: Inputs, build: Build) -> None:
    assert see(inputs, build).policy_us == 0


@given(ports(Inputs, n_checks=st.integers(1, 255)), st.integers(1, 255))
def test_in_the_correct_build_the_number_of_checks_makes_no_difference(
    inputs: Inputs, other: int
) -> None:
    assert see(replace(inputs, n_checks=other)) == see(inputs)


@given(ports(Inputs) | ports(Inputs, base_alloc_us=HUGE_BASE), BUILDS)
def test_the_total_shown_is_the_true_one_or_full_scale(inputs: Inputs, build: Build) -> None:
    shown = see(inputs, build).total_us
    if true_total(inputs, build) <= SHOWABLE:
        assert shown - see(inputs, build).policy_us == inputs.base_alloc_us
    else:
        assert shown == SHOWABLE


@given(
    ports(Inputs, base_alloc_us=st.integers(1, 65535)) | ports(Inputs, base_alloc_us=HUGE_BASE),
    BUILDS,
)
def test_the_overhead_is_the_exact_part_of_the_true_total_rounded_down(
    inputs: Inputs, build: Build
) -> None:
    outputs = see(inputs, build)
    exact = Fraction(100 * outputs.policy_us, true_total(inputs, build))
    assert 0 <= exact - outputs.overhead_pct < 1


@given(
    ports(Inputs, base_alloc_us=0, n_checks=st.integers(1, 255), per_check_us=st.integers(1, 255)),
    BUILDS,
)
def test_an_allocation_that_is_all_policy_has_an_overhead_of_100_percent(
    inputs: Inputs, build: Build
) -> None:
    assert see(inputs, build).overhead_pct == 100


@given(
    ports(Inputs, base_alloc_us=0, n_checks=0) | ports(Inputs, base_alloc_us=0, per_check_us=0),
    BUILDS,
)
def test_an_allocation_that_takes_no_time_has_no_overhead(inputs: Inputs, build: Build) -> None:
    assert see(inputs, build).overhead_pct == 0


@given(ports(Inputs, base_alloc_us=st.integers(0, 400)), BUILDS)
def test_a_budget_equal_to_the_total_is_met(inputs: Inputs, build: Build) -> None:
    total = see(inputs, build).total_us
    assert see(replace(inputs, budget_us=total), build).budget_met == 1


@given(ports(Inputs, base_alloc_us=st.integers(1, 400)), BUILDS)
def test_a_budget_one_below_the_total_is_missed(inputs: Inputs, build: Build) -> None:
    total = see(inputs, build).total_us
    assert see(replace(inputs, budget_us=total - 1), build).budget_met == 0


@given(ports(Inputs), st.integers(0, 65535), BUILDS)
def test_a_larger_budget_never_turns_met_into_missed(
    inputs: Inputs, other: int, build: Build
) -> None:
    less, more = sorted([inputs.budget_us, other])
    assert (
        see(replace(inputs, budget_us=less), build).budget_met
        <= see(replace(inputs, budget_us=more), build).budget_met
    )


@given(
    ports(
        Inputs,
        n_checks=st.integers(1, 255),
        per_check_us=st.integers(1, 255),
        base_alloc_us=65535,
    ),
    BUILDS,
)
def test_no_budget_is_met_by_a_total_beyond_full_scale(inputs: Inputs, build: Build) -> None:
    assert see(replace(inputs, budget_us=65535), build).budget_met == 0


@given(ports(Inputs))
def test_checks_in_turn_never_take_less_than_checks_side_by_side(inputs: Inputs) -> None:
    assert see(inputs, Build.BROKEN).policy_us >= see(inputs).policy_us


@given(ports(Inputs, n_checks=st.integers(0, 1)), ports(State))
def test_the_builds_agree_while_there_is_at_most_one_check(inputs: Inputs, state: State) -> None:
    assert differing(step, inputs, state) == set()


@given(ports(Inputs), ports(State))
def test_the_builds_count_the_same_allocations(inputs: Inputs, state: State) -> None:
    assert "n_allocs" not in differing(step, inputs, state)


@given(ports(Inputs, alloc=1), BUILDS)
def test_an_allocation_either_meets_its_budget_or_is_flagged(inputs: Inputs, build: Build) -> None:
    outputs = see(inputs, build)
    assert outputs.budget_met + outputs.budget_miss_err == 1


@given(ports(Inputs, alloc=1), BUILDS)
def test_an_allocation_counts_as_over_budget_when_its_flag_is_up(
    inputs: Inputs, build: Build
) -> None:
    outputs, after = step(inputs, State(), build)
    assert after.n_over_budget == outputs.budget_miss_err


def test_both_counters_stop_at_255_over_a_long_run() -> None:
    assert run(step, [TWELVE] * 300, State(), Build.BROKEN) == State(255, 255)


def test_the_overhead_is_relative_to_the_total_and_not_to_the_base() -> None:
    outputs = see(TWELVE, Build.BROKEN)
    assert (outputs.policy_us, outputs.total_us, outputs.overhead_pct) == (120, 220, 54)


def test_ten_checks_in_turn_land_exactly_on_the_budget() -> None:
    outputs = see(replace(TWELVE, n_checks=10), Build.BROKEN)
    assert (outputs.total_us, outputs.budget_met) == (200, 1)


def test_six_nine_and_twelve_checks_side_by_side_cost_the_same() -> None:
    seen = {see(replace(TWELVE, n_checks=checks)) for checks in (6, 9, 12)}
    assert [(outputs.total_us, outputs.overhead_pct) for outputs in seen] == [(110, 9)]


@pytest.mark.parametrize("budget", [0, 65535])
def test_d04_a_total_of_65536_stops_at_full_scale_and_misses_any_budget(budget: int) -> None:
    outputs = see(Inputs(1, n_checks=1, per_check_us=1, base_alloc_us=65535, budget_us=budget))
    assert (outputs.total_us, outputs.overhead_pct) == (65535, 0)
    assert (outputs.budget_met, outputs.budget_miss_err) == (0, 1)


def test_d04_the_overhead_is_taken_from_the_true_total() -> None:
    """Policy 65,025 of 65,537 microseconds."""
    huge = Inputs(1, n_checks=255, per_check_us=255, base_alloc_us=512, budget_us=200)
    outputs = see(huge, Build.BROKEN)
    assert (outputs.policy_us, outputs.total_us, outputs.overhead_pct) == (65025, 65535, 99)
    assert (outputs.budget_met, outputs.budget_miss_err) == (0, 1)


def test_d04_the_overhead_of_a_saturated_total_is_smaller_than_that_of_the_shown_one() -> None:
    """33,045 of 66,091 is just below 50 percent; of the 65,535 shown it would be above."""
    huge = Inputs(1, n_checks=255, per_check_us=254, base_alloc_us=65535, budget_us=200)
    outputs = see(huge, Build.BROKEN)
    assert (outputs.policy_us, outputs.total_us, outputs.overhead_pct) == (64770, 65535, 49)
