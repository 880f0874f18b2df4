# SPDX-License-Identifier: Apache-2.0
"""Soundness: all 64 environments, described by the set of properties that they lack."""

from __future__ import annotations

from collections.abc import Set
from itertools import chain, combinations

import pytest

from models.fleet.multi_tenant_model import PROPERTIES, Inputs, Outputs, State, step
from models.ports import Build
from tests.models.strategies import differing, run

BIT = {
    "tenants_isolated": 0b000001,
    "policy_admitted": 0b000010,
    "shares_enforced": 0b000100,
    "events_attributed": 0b001000,
    "reclaim_graceful": 0b010000,
    "blast_bounded": 0b100000,
}
"""Which bit of the mask tells that a property is missing."""

LACKS = [
    frozenset(lack) for lack in chain.from_iterable(combinations(BIT, size) for size in range(7))
]
"""Every possible set of missing properties: the 64 subsets of the six."""

NOTHING: frozenset[str] = frozenset()

in_every_build = pytest.mark.parametrize("build", Build)


def environment(lack: Set[str], evaluate: int = 1) -> Inputs:
    return Inputs(evaluate=evaluate, **{name: int(name not in lack) for name in BIT})


def see(inputs: Inputs, build: Build = Build.CORRECT) -> Outputs:
    return step(inputs, State(), build)[0]


def test_the_properties_are_in_the_order_of_their_bits() -> None:
    assert list(PROPERTIES) == sorted(BIT, key=BIT.__getitem__)


@in_every_build
def test_the_mask_has_the_bits_of_the_missing_properties(build: Build) -> None:
    for lack in LACKS:
        assert see(environment(lack), build).fail_mask == sum(BIT[name] for name in lack)


def test_the_correct_build_calls_sound_what_lacks_nothing() -> None:
    assert [lack for lack in LACKS if see(environment(lack)).sound] == [NOTHING]


def test_the_broken_build_calls_sound_what_is_isolated() -> None:
    isolated = [lack for lack in LACKS if "tenants_isolated" not in lack]
    assert [lack for lack in LACKS if see(environment(lack), Build.BROKEN).sound] == isolated


def test_the_correct_build_never_calls_sound_what_is_not() -> None:
    assert {see(environment(lack)).false_soundness_err for lack in LACKS} == {0}


def test_soundness_is_false_where_the_correct_build_would_have_denied_it() -> None:
    for lack in LACKS:
        broken = see(environment(lack), Build.BROKEN)
        assert broken.false_soundness_err == broken.sound - see(environment(lack)).sound


@in_every_build
def test_an_evaluation_counts_as_sound_when_that_is_the_verdict(build: Build) -> None:
    for lack in LACKS:
        outputs, after = step(environment(lack), State(), build)
        assert after.n_sound == outputs.sound


def test_the_builds_differ_only_in_what_follows_from_the_verdict() -> None:
    every = [environment(lack, evaluate) for lack in LACKS for evaluate in (0, 1)]
    seen = set().union(*(differing(step, inputs, State()) for inputs in every))
    assert seen == {"sound", "false_soundness_err", "n_sound"}


@pytest.mark.parametrize(("build", "sound"), [(Build.CORRECT, 1), (Build.BROKEN, 32)])
def test_of_all_environments_one_is_sound_and_half_pass_for_it(build: Build, sound: int) -> None:
    every = [environment(lack) for lack in LACKS]
    assert run(step, every, State(), build) == State(n_eval=64, n_sound=sound)


@in_every_build
def test_both_counters_stop_at_255_over_a_long_run(build: Build) -> None:
    assert run(step, [environment(NOTHING)] * 300, State(), build) == State(255, 255)


@pytest.mark.parametrize("name", list(BIT)[1:])
def test_one_missing_property_beside_isolation_makes_the_broken_build_lie(name: str) -> None:
    outputs = see(environment({name}), Build.BROKEN)
    assert (outputs.sound, outputs.false_soundness_err) == (1, 1)


def test_without_isolation_neither_build_is_deceived() -> None:
    lack = environment({"tenants_isolated"})
    assert [see(lack, build).sound for build in Build] == [0, 0]
