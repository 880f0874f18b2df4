# SPDX-License-Identifier: Apache-2.0
"""Bandwidth: nobody gets more than the link, and A's ceiling is its exact share rounded down."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.fleet.bandwidth_share import Inputs, Outputs, State, step
from models.ports import Build
from tests.models.strategies import BUILDS, differing, ports, run, unsigned

CONTENDED = Inputs(cycle_en=1, a_demand=100, b_demand=50, link_gbps=100, a_share_pct=50)


def see(inputs: Inputs, build: Build = Build.CORRECT) -> Outputs:
    return step(inputs, State(), build)[0]


@given(ports(Inputs, a_share_pct=st.integers(0, 100)), BUILDS)
def test_the_entitlement_is_the_exact_share_rounded_down(inputs: Inputs, build: Build) -> None:
    exact = Fraction(inputs.link_gbps * inputs.a_share_pct, 100)
    assert 0 <= exact - see(inputs, build).a_cap < 1


@given(ports(Inputs, a_share_pct=st.integers(100, 255)), BUILDS)
def test_a_share_of_100_percent_or_more_is_the_whole_link(inputs: Inputs, build: Build) -> None:
    assert see(inputs, build).a_cap == inputs.link_gbps


@given(ports(Inputs), BUILDS)
def test_both_together_are_never_served_more_than_the_link(inputs: Inputs, build: Build) -> None:
    outputs = see(inputs, build)
    assert outputs.a_served + outputs.b_served <= inputs.link_gbps


@given(ports(Inputs), BUILDS)
def test_nobody_is_served_more_than_it_demands(inputs: Inputs, build: Build) -> None:
    outputs = see(inputs, build)
    assert outputs.a_served <= inputs.a_demand
    assert outputs.b_served <= inputs.b_demand


@given(ports(Inputs), BUILDS)
def test_what_b_is_served_and_what_it_lacks_make_up_its_demand(
    inputs: Inputs, build: Build
) -> None:
    outputs = see(inputs, build)
    assert outputs.b_served + outputs.b_starved_by == inputs.b_demand


@given(ports(Inputs), BUILDS)
def test_b_lacks_nothing_while_any_of_the_link_is_idle(inputs: Inputs, build: Build) -> None:
    outputs = see(inputs, build)
    idle = inputs.link_gbps - outputs.a_served - outputs.b_served
    assert 0 in (outputs.b_starved_by, idle)


@given(ports(Inputs))
def test_the_correct_build_never_serves_a_above_its_entitlement(inputs: Inputs) -> None:
    outputs = see(inputs)
    assert outputs.a_served <= outputs.a_cap


@given(ports(Inputs))
def test_in_the_correct_build_a_lacks_nothing_below_its_entitlement(inputs: Inputs) -> None:
    outputs = see(inputs)
    assert outputs.a_served in (inputs.a_demand, outputs.a_cap)


@given(ports(Inputs))
def test_in_the_broken_build_a_lacks_nothing_below_the_link(inputs: Inputs) -> None:
    lacking = inputs.a_demand - see(inputs, Build.BROKEN).a_served
    assert 0 in (lacking, inputs.link_gbps - see(inputs, Build.BROKEN).a_served)


@given(ports(Inputs), unsigned(16), BUILDS)
def test_the_demand_of_b_has_no_effect_on_a(inputs: Inputs, other: int, build: Build) -> None:
    changed = see(replace(inputs, b_demand=other), build)
    assert changed.a_served == see(inputs, build).a_served


@given(ports(Inputs), unsigned(16), BUILDS)
def test_a_larger_demand_of_a_never_serves_b_more(inputs: Inputs, other: int, build: Build) -> None:
    less, more = sorted([inputs.a_demand, other])
    assert (
        see(replace(inputs, a_demand=less), build).b_served
        >= see(replace(inputs, a_demand=more), build).b_served
    )


@given(ports(Inputs), st.integers(0, 255))
def test_a_larger_share_never_serves_a_less(inputs: Inputs, other: int) -> None:
    less, more = sorted([inputs.a_share_pct, other])
    assert (
        see(replace(inputs, a_share_pct=less)).a_served
        <= see(replace(inputs, a_share_pct=more)).a_served
    )


@given(ports(Inputs))
def test_the_correct_build_never_lets_a_starve_b(inputs: Inputs) -> None:
    assert see(inputs).starvation_err == 0


@given(ports(Inputs, cycle_en=1))
def test_starvation_is_when_an_arbiter_would_have_served_b_more(inputs: Inputs) -> None:
    broken = see(inputs, Build.BROKEN)
    assert bool(broken.starvation_err) is (see(inputs, Build.CORRECT).b_served > broken.b_served)


@given(ports(Inputs, cycle_en=1), BUILDS)
def test_a_cycle_counts_as_starved_when_its_flag_is_up(inputs: Inputs, build: Build) -> None:
    outputs, after = step(inputs, State(), build)
    assert after.n_starved == outputs.starvation_err


@given(ports(Inputs), ports(State))
def test_the_builds_differ_only_in_what_follows_from_serving_a(
    inputs: Inputs, state: State
) -> None:
    follows = {"a_served", "b_served", "b_starved_by", "starvation_err", "n_starved"}
    assert differing(step, inputs, state) <= follows


@given(ports(Inputs, a_demand=0) | ports(Inputs, a_share_pct=st.integers(100, 255)))
def test_the_builds_agree_while_a_asks_for_no_more_than_it_is_entitled_to(inputs: Inputs) -> None:
    assert differing(step, inputs, State()) == set()


def test_both_counters_stop_at_255_over_a_long_run() -> None:
    assert run(step, [CONTENDED] * 300, State(), Build.BROKEN) == State(255, 255)


def test_a_at_its_entitlement_is_not_to_blame_for_a_shortfall_of_b() -> None:
    outputs = see(replace(CONTENDED, a_demand=50, b_demand=80), Build.BROKEN)
    assert (outputs.b_starved_by, outputs.starvation_err) == (30, 0)


def test_a_above_its_entitlement_starves_nobody_while_b_is_silent() -> None:
    outputs = see(replace(CONTENDED, a_demand=150, b_demand=0), Build.BROKEN)
    assert (outputs.a_served, outputs.starvation_err) == (100, 0)


def test_without_an_arbiter_a_takes_all_and_b_is_starved() -> None:
    outputs = see(CONTENDED, Build.BROKEN)
    assert (outputs.a_served, outputs.b_served) == (100, 0)
    assert (outputs.b_starved_by, outputs.starvation_err) == (50, 1)


@pytest.mark.parametrize(
    ("link", "pct", "a", "b", "served"),
    [
        (2, 150, 3, 0, (2, 0)),
        (100, 101, 101, 65000, (100, 0)),
    ],
)
def test_d05_a_share_above_100_percent_serves_no_more_than_the_link(
    link: int, pct: int, a: int, b: int, served: tuple[int, int]
) -> None:
    outputs = see(Inputs(cycle_en=1, a_demand=a, b_demand=b, link_gbps=link, a_share_pct=pct))
    assert (outputs.a_served, outputs.b_served) == served


def test_d05_whoever_is_entitled_to_the_whole_link_starves_nobody_by_taking_it() -> None:
    outputs = see(replace(CONTENDED, a_share_pct=101), Build.BROKEN)
    assert (outputs.a_cap, outputs.a_served, outputs.b_starved_by) == (100, 100, 50)
    assert outputs.starvation_err == 0


@pytest.mark.parametrize(("link", "pct"), [(64888, 101), (25701, 255)])
def test_d06_an_entitlement_above_16_bits_is_the_whole_link(link: int, pct: int) -> None:
    assert see(replace(CONTENDED, link_gbps=link, a_share_pct=pct)).a_cap == link


@pytest.mark.parametrize(
    ("link", "pct", "demand", "served"),
    [
        (100, 50, 150, 50),  # half of an idle link stays idle
        (2, 50, 2, 1),
        (1, 99, 1, 0),  # a share too small for one Gbps is worth nothing
    ],
)
def test_d09_the_entitlement_is_a_ceiling_even_while_b_is_silent(
    link: int, pct: int, demand: int, served: int
) -> None:
    silent = Inputs(cycle_en=1, a_demand=demand, b_demand=0, link_gbps=link, a_share_pct=pct)
    assert see(silent).a_served == served
