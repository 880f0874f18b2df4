# SPDX-License-Identifier: Apache-2.0
"""Fairness: nothing idles while somebody asks, and each side is sure of its exact part."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.fleet.fair_scheduler import Inputs, Outputs, State, step
from models.ports import Build
from tests.models.strategies import BUILDS, differing, ports, run, unsigned

SOME_WEIGHT = st.integers(1, 8) | st.integers(1, 255)
COLLISION = Inputs(arb_en=1, a_weight=3, b_weight=1, a_req=100, b_req=100, budget=100)


def see(inputs: Inputs, build: Build = Build.CORRECT) -> Outputs:
    return step(inputs, State(), build)[0]


def exact_part(inputs: Inputs) -> Fraction:
    """A's part of the budget without any rounding."""
    weights = inputs.a_weight + inputs.b_weight
    return inputs.budget * Fraction(inputs.a_weight, weights) if weights else Fraction(0)


def swapped(inputs: Inputs) -> Inputs:
    """The same arbitration with A and B having changed places."""
    return replace(
        inputs,
        a_weight=inputs.b_weight,
        b_weight=inputs.a_weight,
        a_req=inputs.b_req,
        b_req=inputs.a_req,
    )


@given(ports(Inputs), BUILDS)
def test_the_entitlement_is_the_exact_part_rounded_down(inputs: Inputs, build: Build) -> None:
    assert 0 <= exact_part(inputs) - see(inputs, build).a_entitled < 1


@given(ports(Inputs, a_weight=0, b_weight=0), BUILDS)
def test_two_weights_of_zero_entitle_a_to_nothing(inputs: Inputs, build: Build) -> None:
    assert see(inputs, build).a_entitled == 0


@given(ports(Inputs, b_weight=SOME_WEIGHT))
def test_the_entitlements_of_both_sides_make_up_the_budget_or_one_unit_less(
    inputs: Inputs,
) -> None:
    both = see(inputs).a_entitled + see(swapped(inputs)).a_entitled
    assert inputs.budget - both in (0, 1)


@given(
    ports(Inputs, a_weight=st.integers(0, 51), b_weight=st.integers(0, 51)),
    st.integers(2, 5),
    BUILDS,
)
def test_weights_are_relative(inputs: Inputs, factor: int, build: Build) -> None:
    scaled = replace(inputs, a_weight=factor * inputs.a_weight, b_weight=factor * inputs.b_weight)
    assert see(scaled, build) == see(inputs, build)


@given(ports(Inputs), BUILDS)
def test_no_unit_idles_while_somebody_asks(inputs: Inputs, build: Build) -> None:
    outputs = see(inputs, build)
    assert outputs.a_grant + outputs.b_grant == min(inputs.a_req + inputs.b_req, inputs.budget)


@given(ports(Inputs), BUILDS)
def test_nobody_is_granted_more_than_it_asks_for(inputs: Inputs, build: Build) -> None:
    outputs = see(inputs, build)
    assert outputs.a_grant <= inputs.a_req
    assert outputs.b_grant <= inputs.b_req


@given(ports(Inputs))
def test_in_the_correct_build_a_is_sure_of_its_part(inputs: Inputs) -> None:
    outputs = see(inputs)
    assert outputs.a_grant == inputs.a_req or outputs.a_grant >= outputs.a_entitled


@given(ports(Inputs))
def test_in_the_correct_build_b_is_sure_of_the_other_part(inputs: Inputs) -> None:
    outputs = see(inputs)
    others = inputs.budget - outputs.a_entitled
    assert outputs.b_grant == inputs.b_req or outputs.b_grant >= others


@given(ports(Inputs))
def test_in_the_broken_build_a_is_only_held_by_the_budget(inputs: Inputs) -> None:
    assert see(inputs, Build.BROKEN).a_grant in (inputs.a_req, inputs.budget)


@given(ports(Inputs), unsigned(16), BUILDS)
def test_a_larger_request_of_b_never_grants_a_more(
    inputs: Inputs, other: int, build: Build
) -> None:
    less, more = sorted([inputs.b_req, other])
    assert (
        see(replace(inputs, b_req=less), build).a_grant
        >= see(replace(inputs, b_req=more), build).a_grant
    )


@given(ports(Inputs), unsigned(16), BUILDS)
def test_a_larger_request_of_a_never_grants_a_less(
    inputs: Inputs, other: int, build: Build
) -> None:
    less, more = sorted([inputs.a_req, other])
    assert (
        see(replace(inputs, a_req=less), build).a_grant
        <= see(replace(inputs, a_req=more), build).a_grant
    )


@given(ports(Inputs, b_weight=SOME_WEIGHT), unsigned(8))
def test_a_larger_weight_never_grants_a_less(inputs: Inputs, other: int) -> None:
    less, more = sorted([inputs.a_weight, other])
    assert (
        see(replace(inputs, a_weight=less)).a_grant <= see(replace(inputs, a_weight=more)).a_grant
    )


@given(ports(Inputs), BUILDS)
def test_a_is_over_its_entitlement_when_granted_more_than_its_exact_part(
    inputs: Inputs, build: Build
) -> None:
    outputs = see(inputs, build)
    assert bool(outputs.a_over_entitlement) is (outputs.a_grant > exact_part(inputs))


@given(ports(Inputs))
def test_the_correct_build_is_never_unfair(inputs: Inputs) -> None:
    assert see(inputs).unfairness_err == 0


@given(ports(Inputs, arb_en=1))
def test_an_arbitration_is_unfair_when_the_correct_build_would_have_granted_b_more(
    inputs: Inputs,
) -> None:
    broken = see(inputs, Build.BROKEN)
    assert bool(broken.unfairness_err) is (see(inputs, Build.CORRECT).b_grant > broken.b_grant)


@given(ports(Inputs, arb_en=1), BUILDS)
def test_an_arbitration_counts_as_unfair_when_its_flag_is_up(inputs: Inputs, build: Build) -> None:
    outputs, after = step(inputs, State(), build)
    assert after.n_unfair == outputs.unfairness_err


@given(ports(Inputs), ports(State))
def test_the_builds_differ_only_in_what_follows_from_the_grant_to_a(
    inputs: Inputs, state: State
) -> None:
    follows = {"a_grant", "b_grant", "a_over_entitlement", "unfairness_err", "n_unfair"}
    assert differing(step, inputs, state) <= follows


@given(ports(Inputs, a_req=st.integers(0, 30000), b_req=st.integers(0, 30000)), unsigned(8))
def test_the_builds_agree_as_long_as_requests_do_not_collide(inputs: Inputs, spare: int) -> None:
    roomy = replace(inputs, budget=inputs.a_req + inputs.b_req + spare)
    assert differing(step, roomy, State()) == set()


def test_both_counters_stop_at_255_over_a_long_run() -> None:
    assert run(step, [COLLISION] * 300, State(), Build.BROKEN) == State(255, 255)


def test_a_may_have_the_whole_budget_while_b_is_silent() -> None:
    outputs = see(replace(COLLISION, a_req=120, b_req=0))
    assert (outputs.a_grant, outputs.a_over_entitlement, outputs.unfairness_err) == (100, 1, 0)


def test_b_may_have_what_a_modest_a_leaves() -> None:
    outputs = see(replace(COLLISION, a_req=20, b_req=90))
    assert (outputs.a_grant, outputs.b_grant) == (20, 80)


def test_without_weighing_a_takes_all_and_that_is_unfair() -> None:
    outputs = see(COLLISION, Build.BROKEN)
    assert (outputs.a_grant, outputs.b_grant, outputs.unfairness_err) == (100, 0, 1)


@pytest.mark.parametrize(
    ("weights", "requests", "budget", "grants"),
    [
        ((0, 0), (1, 1), 2, (1, 1)),
        ((1, 2), (1, 1), 2, (1, 1)),
        ((3, 1), (100, 1), 100, (99, 1)),
    ],
)
def test_d07_a_may_have_what_b_does_not_ask_for(
    weights: tuple[int, int], requests: tuple[int, int], budget: int, grants: tuple[int, int]
) -> None:
    outputs = see(Inputs(1, *weights, *requests, budget))
    assert (outputs.a_grant, outputs.b_grant, outputs.unfairness_err) == (*grants, 0)


@pytest.mark.parametrize(
    ("weights", "requests", "budget", "grants"),
    [
        ((1, 1), (1, 1), 1, (0, 1)),  # a single unit goes to B for ever
        ((1, 255), (255, 255), 255, (0, 255)),  # a weight too small for one unit earns none
        ((0, 0), (100, 100), 100, (0, 100)),  # H5: nobody is entitled, B takes the budget
    ],
)
def test_d08_rounding_favours_b_and_the_flag_does_not_see_it(
    weights: tuple[int, int], requests: tuple[int, int], budget: int, grants: tuple[int, int]
) -> None:
    outputs = see(Inputs(1, *weights, *requests, budget))
    assert (outputs.a_grant, outputs.b_grant) == grants
    assert (outputs.a_over_entitlement, outputs.unfairness_err) == (0, 0)
