# SPDX-License-Identifier: Apache-2.0
"""Oversubscription: three totals, told apart at their boundaries and by conservation."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.fleet.oversubscription import Inputs, Outputs, State, step
from models.ports import Build
from tests.models.strategies import BUILDS, differing, ports, run, unsigned

SHOWABLE = 65535
"""Largest ratio that sixteen bits can show."""


def see(inputs: Inputs, build: Build = Build.CORRECT) -> Outputs:
    return step(inputs, State(), build)[0]


def books(pool: int, quota: int, used: int) -> Inputs:
    return Inputs(step=1, pool_gb=pool, sum_quota_gb=quota, sum_used_gb=used)


@given(unsigned(16), unsigned(16), BUILDS)
def test_quotas_equal_to_the_pool_do_not_oversubscribe_it(
    pool: int, used: int, build: Build
) -> None:
    assert see(books(pool, pool, used), build).oversubscribed == 0


@given(st.integers(0, 65534), unsigned(16), BUILDS)
def test_quotas_one_above_the_pool_oversubscribe_it(pool: int, used: int, build: Build) -> None:
    assert see(books(pool, pool + 1, used), build).oversubscribed == 1


@given(ports(Inputs), unsigned(16), BUILDS)
def test_promising_more_never_ends_an_oversubscription(
    inputs: Inputs, other: int, build: Build
) -> None:
    less, more = sorted([inputs.sum_quota_gb, other])
    assert (
        see(replace(inputs, sum_quota_gb=less), build).oversubscribed
        <= see(replace(inputs, sum_quota_gb=more), build).oversubscribed
    )


@given(unsigned(16), unsigned(16), BUILDS)
def test_use_equal_to_the_pool_exhausts_it(pool: int, quota: int, build: Build) -> None:
    assert see(books(pool, quota, pool), build).pool_exhausted == 1


@given(st.integers(1, 65535), unsigned(16), BUILDS)
def test_use_one_below_the_pool_does_not_exhaust_it(pool: int, quota: int, build: Build) -> None:
    assert see(books(pool, quota, pool - 1), build).pool_exhausted == 0


@given(ports(Inputs), unsigned(16), BUILDS)
def test_using_more_never_ends_an_exhaustion(inputs: Inputs, other: int, build: Build) -> None:
    less, more = sorted([inputs.sum_used_gb, other])
    assert (
        see(replace(inputs, sum_used_gb=less), build).pool_exhausted
        <= see(replace(inputs, sum_used_gb=more), build).pool_exhausted
    )


@given(ports(Inputs), BUILDS)
def test_free_and_used_make_up_the_pool_until_it_is_exhausted(inputs: Inputs, build: Build) -> None:
    outputs = see(inputs, build)
    if outputs.pool_exhausted:
        assert outputs.free_gb == 0
    else:
        assert outputs.free_gb + inputs.sum_used_gb == inputs.pool_gb


@given(ports(Inputs), BUILDS)
def test_the_operator_is_committed_to_every_quota(inputs: Inputs, build: Build) -> None:
    assert see(inputs, build).committed_gb == inputs.sum_quota_gb


@given(ports(Inputs, pool_gb=st.integers(1, 65535)), BUILDS)
def test_the_ratio_is_the_exact_percentage_rounded_down_or_full_scale(
    inputs: Inputs, build: Build
) -> None:
    exact = Fraction(100 * inputs.sum_quota_gb, inputs.pool_gb)
    shown = see(inputs, build).ratio_x100
    if exact < SHOWABLE:
        assert 0 <= exact - shown < 1
    else:
        assert shown == SHOWABLE


@given(ports(Inputs, pool_gb=st.integers(1, 20), sum_quota_gb=st.integers(60000, 65535)), BUILDS)
def test_a_ratio_that_cannot_be_shown_reads_full_scale(inputs: Inputs, build: Build) -> None:
    assert see(inputs, build).ratio_x100 == SHOWABLE


@given(ports(Inputs, sum_quota_gb=st.integers(0, 65534)))
def test_the_correct_build_promises_more_if_one_more_gb_could_be_kept(inputs: Inputs) -> None:
    one_more = see(replace(inputs, sum_quota_gb=inputs.sum_quota_gb + 1))
    kept = one_more.oversubscribed == 0 and one_more.free_gb >= 1
    assert bool(see(inputs).can_promise_more) is kept


@given(ports(Inputs))
def test_the_broken_build_always_promises_more(inputs: Inputs) -> None:
    assert see(inputs, Build.BROKEN).can_promise_more == 1


@given(ports(Inputs, step=1), BUILDS)
def test_a_promise_is_broken_when_nothing_is_left_of_a_pool_promised_beyond_its_size(
    inputs: Inputs, build: Build
) -> None:
    outputs = see(inputs, build)
    broken = outputs.free_gb == 0 and outputs.committed_gb > inputs.pool_gb
    assert bool(outputs.broken_promise_err) is broken


@given(ports(Inputs), ports(State))
def test_the_builds_differ_only_in_their_willingness(inputs: Inputs, state: State) -> None:
    assert differing(step, inputs, state) <= {"can_promise_more"}


@given(ports(Inputs, step=1), BUILDS)
def test_a_step_counts_as_exhausted_when_no_memory_is_free(inputs: Inputs, build: Build) -> None:
    outputs, after = step(inputs, State(), build)
    assert bool(after.n_exhausted) is (outputs.free_gb == 0)


@pytest.mark.parametrize("build", Build)
def test_both_counters_stop_at_255_over_a_long_run(build: Build) -> None:
    assert run(step, [books(256, 512, 256)] * 300, State(), build) == State(255, 255)


def test_twice_the_pool_promised_with_half_of_it_used_is_healthy() -> None:
    outputs = see(books(256, 512, 128))
    assert (outputs.oversubscribed, outputs.pool_exhausted, outputs.broken_promise_err) == (1, 0, 0)


def test_a_single_gb_too_many_on_a_full_pool_is_a_broken_promise() -> None:
    assert see(books(256, 257, 256)).broken_promise_err == 1


def test_use_above_the_pool_leaves_nothing_free_instead_of_wrapping() -> None:
    assert see(books(256, 512, 260)).free_gb == 0


def test_a_ratio_one_above_full_scale_reads_full_scale() -> None:
    assert see(books(25, 16384, 0)).ratio_x100 == 65535


@pytest.mark.parametrize(
    ("pool", "quota", "used", "willing"),
    [
        (0, 0, 0, 0),  # an empty pool has nothing to promise
        (256, 256, 256, 0),  # O4: everything promised and everything used
        (256, 256, 0, 0),  # everything promised
        (256, 255, 256, 0),  # one GB not promised, but it is in use
        (256, 255, 255, 1),  # one GB left both ways
    ],
)
def test_d12_another_promise_needs_room_in_quotas_and_in_memory(
    pool: int, quota: int, used: int, willing: int
) -> None:
    assert see(books(pool, quota, used)).can_promise_more == willing


def test_d11_the_ratio_of_an_empty_pool_reads_zero_while_its_promises_are_broken() -> None:
    outputs = see(books(0, 1, 0))
    assert (outputs.ratio_x100, outputs.oversubscribed, outputs.broken_promise_err) == (0, 1, 1)


def test_d13_a_tenant_locked_out_by_another_goes_unseen() -> None:
    """Pool 2, quotas 1 and 1, use 2 and 0: the sums show no quarrel."""
    assert see(books(2, 2, 2)).broken_promise_err == 0


def test_d14_the_ratio_may_read_100_while_the_pool_is_oversubscribed() -> None:
    outputs = see(books(101, 102, 0))
    assert (outputs.ratio_x100, outputs.oversubscribed) == (100, 1)
