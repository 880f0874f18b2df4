# SPDX-License-Identifier: Apache-2.0
"""Eviction: notices are lived through cycle by cycle, to see when memory may first be taken."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.fleet.eviction_policy import Inputs, Outputs, State, step
from models.ports import Build
from tests.models.strategies import BUILDS, differing, ports, run, unsigned

WAITING = Inputs(reclaim_req=1, tenant_acked=0, notice_cycles=10, elapsed_cycles=4)


def see(inputs: Inputs, build: Build = Build.CORRECT) -> Outputs:
    return step(inputs, State(), build)[0]


@cache
def live_through(notice: int, build: Build) -> list[Outputs]:
    """What a silent tenant sees from the cycle of its notice to the end of the 8-bit clock."""
    start = replace(WAITING, notice_cycles=notice, elapsed_cycles=0)
    return [see(replace(start, elapsed_cycles=now), build) for now in range(256)]


@settings(max_examples=40)
@given(unsigned(8), BUILDS)
def test_a_notice_expires_after_its_length_and_stays_expired(notice: int, build: Build) -> None:
    cycles = live_through(notice, build)
    expired = [now for now, cycle in enumerate(cycles) if cycle.notice_expired]
    assert (expired[0], len(expired)) == (notice, 256 - notice)


@settings(max_examples=40)
@given(unsigned(8))
def test_the_first_cycle_in_which_memory_may_be_taken_is_the_end_of_the_notice(
    notice: int,
) -> None:
    cycles = live_through(notice, Build.CORRECT)
    assert next(now for now, cycle in enumerate(cycles) if cycle.may_reclaim) == notice


@settings(max_examples=40)
@given(unsigned(8))
def test_the_broken_build_takes_memory_by_force_for_as_long_as_the_notice_runs(
    notice: int,
) -> None:
    cycles = live_through(notice, Build.BROKEN)
    assert sum(cycle.abrupt_eviction_err for cycle in cycles) == notice


@given(ports(Inputs, tenant_acked=1), BUILDS)
def test_an_acknowledgement_makes_it_civil_at_any_time(inputs: Inputs, build: Build) -> None:
    assert see(inputs, build).graceful == 1


@given(ports(Inputs, tenant_acked=0), BUILDS)
def test_without_an_acknowledgement_civil_means_out_of_notice(inputs: Inputs, build: Build) -> None:
    outputs = see(inputs, build)
    assert outputs.graceful == outputs.notice_expired


@given(ports(Inputs), BUILDS)
def test_an_acknowledgement_does_not_make_a_notice_expire(inputs: Inputs, build: Build) -> None:
    silent, acked = (see(replace(inputs, tenant_acked=ack), build) for ack in (0, 1))
    assert acked.notice_expired == silent.notice_expired


@given(ports(Inputs))
def test_the_correct_build_permits_what_is_civil_and_nothing_else(inputs: Inputs) -> None:
    outputs = see(inputs)
    assert outputs.may_reclaim == outputs.graceful


@given(ports(Inputs))
def test_the_broken_build_always_permits(inputs: Inputs) -> None:
    assert see(inputs, Build.BROKEN).may_reclaim == 1


@given(ports(Inputs))
def test_the_correct_build_never_evicts_abruptly(inputs: Inputs) -> None:
    assert see(inputs).abrupt_eviction_err == 0


@given(ports(Inputs, reclaim_req=1))
def test_an_eviction_is_abrupt_where_the_correct_build_would_have_waited(inputs: Inputs) -> None:
    early = see(inputs, Build.BROKEN).may_reclaim - see(inputs).may_reclaim
    assert see(inputs, Build.BROKEN).abrupt_eviction_err == early


@given(ports(Inputs, reclaim_req=1), BUILDS)
def test_a_request_counts_as_forced_when_its_flag_is_up(inputs: Inputs, build: Build) -> None:
    outputs, after = step(inputs, State(), build)
    assert after.n_forced == outputs.abrupt_eviction_err


@given(ports(Inputs), ports(State))
def test_the_builds_differ_only_in_what_follows_from_permission(
    inputs: Inputs, state: State
) -> None:
    follows = {"may_reclaim", "abrupt_eviction_err", "n_forced"}
    assert differing(step, inputs, state) <= follows


@given(ports(Inputs, tenant_acked=1) | ports(Inputs, notice_cycles=0))
def test_the_builds_agree_where_nobody_has_to_wait(inputs: Inputs) -> None:
    assert differing(step, inputs, State()) == set()


def test_both_counters_stop_at_255_over_a_long_run() -> None:
    assert run(step, [WAITING] * 300, State(), Build.BROKEN) == State(255, 255)


@pytest.mark.parametrize(("build", "forced"), [(Build.CORRECT, 0), (Build.BROKEN, 6)])
def test_a_request_held_past_the_notice_is_forced_until_it_runs_out(
    build: Build, forced: int
) -> None:
    """Trace W: cycles 4 to 11 of a notice of 10."""
    trace = [replace(WAITING, elapsed_cycles=now) for now in range(4, 12)]
    assert run(step, trace, State(), build) == State(n_reclaims=8, n_forced=forced)


@pytest.mark.parametrize("build", Build)
def test_a_notice_of_zero_is_over_at_once(build: Build) -> None:
    outputs = see(replace(WAITING, notice_cycles=0, elapsed_cycles=0), build)
    assert (outputs.may_reclaim, outputs.graceful, outputs.abrupt_eviction_err) == (1, 1, 0)


def test_d17_a_refused_request_is_counted_too() -> None:
    outputs, after = step(
        replace(WAITING, notice_cycles=1, elapsed_cycles=0), State(), Build.CORRECT
    )
    assert (outputs.may_reclaim, after.n_reclaims) == (0, 1)


def test_d17_permission_is_shown_without_a_request() -> None:
    assert see(replace(WAITING, reclaim_req=0, elapsed_cycles=10)).may_reclaim == 1


def test_d17_an_elapsed_time_that_wraps_starts_the_notice_again() -> None:
    before, wrapped = (see(replace(WAITING, elapsed_cycles=now % 256)) for now in (255, 256))
    assert (before.notice_expired, wrapped.notice_expired) == (1, 0)


@given(st.integers(1, 255))
def test_d17_an_old_acknowledgement_serves_a_new_request(notice: int) -> None:
    stale = replace(WAITING, tenant_acked=1, notice_cycles=notice, elapsed_cycles=0)
    assert see(stale).may_reclaim == 1
