# SPDX-License-Identifier: Apache-2.0
"""Verdicts put together: over several targets, in the published words, and as a score."""

from __future__ import annotations

import itertools
from typing import get_args

import pytest

from cocotb_mutants.verdict import (
    DEFAULT_DETECTED,
    ORDER,
    Published,
    State,
    Verdict,
    combine,
    score,
)


@pytest.mark.parametrize("pair", [*itertools.combinations(ORDER, 2)], ids="-".join)
def test_the_stronger_of_two_targets_stands(pair: tuple[State, State]) -> None:
    strong, weak = (Verdict(state, state, wall_s=1.0, cpu_s=0.5) for state in pair)

    for verdicts in ({"x": strong, "y": weak}, {"y": weak, "x": strong}):
        verdict = combine(verdicts)
        assert (verdict.state, verdict.target) == (pair[0], "x")
        assert (verdict.wall_s, verdict.cpu_s) == (2.0, 1.0)


def test_the_first_of_two_equal_targets_stands() -> None:
    kills = {name: Verdict(State.KILLED, name) for name in ("b", "a")}

    assert combine(kills).reason == "b"


def test_nothing_cannot_be_combined() -> None:
    with pytest.raises(ValueError, match="empty"):
        combine({})


def test_the_states_are_the_words_that_users_read_and_stores_hold() -> None:
    assert {str(state): state.published for state in State} == {
        "killed": "Killed",
        "survived": "Survived",
        "not activated": "NoCoverage",
        "timeout": "Timeout",
        "compile error": "CompileError",
        "crashed": "RuntimeError",
        "ended early": "RuntimeError",
        "out of memory": "RuntimeError",
        "flooded": "RuntimeError",
        "test error": "RuntimeError",
        "fewer tests": "RuntimeError",
        "unreadable": "RuntimeError",
        "wrong mutant": "RuntimeError",
        "ignored": "Ignored",
    }
    assert {state.published for state in State} | {"Pending"} == set(get_args(Published))


def test_every_state_has_a_place_in_the_order_and_a_meaning() -> None:
    assert sorted(ORDER) == sorted(State)
    assert len({state.meaning for state in State}) == len(State)


def test_only_faults_of_the_tool_are_not_of_the_mutant() -> None:
    assert [state for state in State if not state.is_of_the_mutant] == [
        State.UNREADABLE,
        State.WRONG_MUTANT,
    ]


MIXED = [
    *[State.KILLED] * 120,
    *[State.SURVIVED] * 6,
    *[State.NOT_ACTIVATED] * 3,
    State.TIMEOUT,
    State.COMPILE_ERROR,
]


def test_the_score_is_detected_over_valid() -> None:
    found = score(MIXED)

    assert (found.detected, found.valid, found.total) == (121, 130, 131)
    assert str(found) == "93.0 %"


def test_a_timeout_is_undetected_where_it_does_not_count() -> None:
    found = score(MIXED, DEFAULT_DETECTED - {"timeout"})

    assert (found.detected, found.valid) == (120, 130)


@pytest.mark.parametrize(
    "state", [state for state in State if state.published in ("RuntimeError", "CompileError")]
)
def test_what_could_not_be_tested_is_outside_of_the_score(state: State) -> None:
    assert score([state, State.KILLED]).valid == 1


@pytest.mark.parametrize("states", [[], [State.IGNORED], [State.CRASHED]], ids=str)
def test_without_a_valid_mutant_there_is_no_score(states: list[State]) -> None:
    assert (score(states).percent, str(score(states))) == (None, "n/a")
    assert not score(states).reaches(0)


def test_only_all_of_them_are_a_hundred() -> None:
    assert str(score([*[State.KILLED] * 9999, State.SURVIVED])) == "99.9 %"
    assert str(score([State.KILLED])) == "100.0 %"


@pytest.mark.parametrize(
    ("percent", "reached"), [(70.0, True), (70.1, True), (70.11, False), (100, False), (0, True)]
)
def test_a_threshold_is_compared_exactly(percent: float, reached: bool) -> None:
    found = score([*[State.KILLED] * 701, *[State.SURVIVED] * 299])

    assert found.reaches(percent) is reached
