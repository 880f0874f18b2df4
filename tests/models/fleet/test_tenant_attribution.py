# SPDX-License-Identifier: Apache-2.0
"""Attribution: all 512 inputs, judged as sets of suspects and as lists of culprits."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.fleet.tenant_attribution import Inputs, Outputs, State, step
from models.ports import Build
from tests.models.strategies import differing, ports, run

TENANTS = range(16)

every_tenant = pytest.mark.parametrize("tenant", TENANTS)


def see(inputs: Inputs, build: Build = Build.CORRECT) -> Outputs:
    return step(inputs, State(), build)[0]


def blame(tenant: int, suspect: int, event: int = 1) -> Inputs:
    return Inputs(event_valid=event, tenant_id=tenant, suspect_id=suspect)


ALL = [blame(tenant, who, event) for tenant in TENANTS for who in TENANTS for event in (0, 1)]


def test_the_correct_build_can_always_name_a_tenant() -> None:
    assert {see(inputs).attributable for inputs in ALL} == {1}


def test_the_broken_build_can_never_name_a_tenant() -> None:
    assert {see(inputs, Build.BROKEN).attributable for inputs in ALL} == {0}


@every_tenant
@pytest.mark.parametrize("event", [0, 1])
def test_the_right_suspect_is_the_culprit_and_nobody_else(tenant: int, event: int) -> None:
    right = {who for who in TENANTS if see(blame(tenant, who, event)).correct_suspect}
    assert right == {tenant}


@every_tenant
def test_every_innocent_suspect_of_an_event_is_a_misattribution(tenant: int) -> None:
    wronged = {who for who in TENANTS if see(blame(tenant, who)).misattribution_err}
    assert wronged == set(TENANTS) - {tenant}


def test_the_broken_build_never_has_the_right_suspect() -> None:
    assert {see(inputs, Build.BROKEN).correct_suspect for inputs in ALL} == {0}


def test_the_broken_build_never_misattributes() -> None:
    assert {see(inputs, Build.BROKEN).misattribution_err for inputs in ALL} == {0}


def test_the_builds_differ_only_in_what_follows_from_naming() -> None:
    flags = {"attributable", "correct_suspect", "misattribution_err"}
    counts = {"n_attributed", "t0_events", "t1_events"}
    seen = set().union(*(differing(step, inputs, State()) for inputs in ALL))
    assert seen == flags | counts


@given(st.lists(ports(Inputs, event_valid=1, tenant_id=st.integers(0, 3)), max_size=12))
def test_each_event_is_credited_to_its_true_cause(events: list[Inputs]) -> None:
    causes = Counter(event.tenant_id for event in events)
    assert run(step, events, State(), Build.CORRECT) == State(
        n_events=causes.total(),
        n_attributed=causes.total(),
        t0_events=causes[0],
        t1_events=causes[1],
    )


@every_tenant
def test_whom_the_operator_blames_has_no_effect_on_the_counts(tenant: int) -> None:
    after = {step(blame(tenant, who), State(), Build.CORRECT)[1] for who in TENANTS}
    assert len(after) == 1


@given(st.lists(ports(Inputs, event_valid=1), max_size=12))
def test_the_broken_build_counts_events_and_credits_nobody(events: list[Inputs]) -> None:
    total = State(n_events=len(events))
    assert run(step, events, State(), Build.BROKEN) == total


@pytest.mark.parametrize(
    ("tenant", "full"), [(0, State(255, 255, 255, 0)), (1, State(255, 255, 0, 255))]
)
def test_every_counter_stops_at_255_over_a_long_run(tenant: int, full: State) -> None:
    assert run(step, [blame(tenant, tenant)] * 300, State(), Build.CORRECT) == full


def test_five_events_split_three_to_two() -> None:
    plan = [blame(0, 0), blame(1, 1), blame(0, 1), blame(1, 1), blame(0, 0)]
    assert run(step, plan, State(), Build.CORRECT) == State(5, 5, 3, 2)


@pytest.mark.parametrize("tenant", range(2, 16))
def test_d16_tenants_above_one_are_attributed_but_have_no_counter(tenant: int) -> None:
    after = step(blame(tenant, tenant), State(), Build.CORRECT)[1]
    assert after == State(n_events=1, n_attributed=1, t0_events=0, t1_events=0)


def test_d16_a_wrongly_blamed_event_still_counts_as_attributed() -> None:
    outputs, after = step(blame(0, 1), State(), Build.CORRECT)
    assert (outputs.misattribution_err, after.n_attributed, after.t0_events) == (1, 1, 1)
