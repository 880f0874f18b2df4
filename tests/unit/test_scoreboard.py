# SPDX-License-Identifier: Apache-2.0
"""The scoreboard, fed by hand with what a monitor would see of eviction_policy."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

import pytest

from models.fleet import eviction_policy
from models.ports import Build
from tb.agent import Cycle, Value
from tb.scoreboard import SHOWN, Scoreboard

ZERO: Mapping[Build, Mapping[str, Value]] = {
    build: {"n_reclaims": 0, "n_forced": 0} for build in Build
}

FREE = {"notice_expired": 1, "may_reclaim": 1, "graceful": 1, "abrupt_eviction_err": 0}

IDLE = Cycle(
    time_ns=10,
    rst_n=0,
    inputs={"reclaim_req": 0, "tenant_acked": 0, "notice_cycles": 0, "elapsed_cycles": 0},
    outputs={Build.CORRECT: FREE, Build.BROKEN: FREE},
    before=ZERO,
    after=ZERO,
)
"""A cycle of reset with all inputs at zero: a notice of zero cycles has run out."""

ASKED = Cycle(
    time_ns=20,
    rst_n=1,
    inputs={"reclaim_req": 1, "tenant_acked": 0, "notice_cycles": 10, "elapsed_cycles": 4},
    outputs={
        Build.CORRECT: {
            "notice_expired": 0,
            "may_reclaim": 0,
            "graceful": 0,
            "abrupt_eviction_err": 0,
        },
        Build.BROKEN: {
            "notice_expired": 0,
            "may_reclaim": 1,
            "graceful": 0,
            "abrupt_eviction_err": 1,
        },
    },
    before=ZERO,
    after={
        Build.CORRECT: {"n_reclaims": 1, "n_forced": 0},
        Build.BROKEN: {"n_reclaims": 1, "n_forced": 1},
    },
)
"""The cycle after it: memory is asked for in the fourth of ten cycles of notice."""

STIMULUS = "[rst_n=1 reclaim_req=1 tenant_acked=0 notice_cycles=10 elapsed_cycles=4]"


def board(*cycles: Cycle) -> Scoreboard:
    found = Scoreboard(eviction_policy)
    for cycle in cycles:
        found.compare(cycle)
    return found


def verdict(found: Scoreboard) -> str:
    with pytest.raises(AssertionError) as caught:
        found.conclude()
    return str(caught.value)


def with_wrong(cycle: Cycle, part: str, build: Build, name: str, seen: Value) -> Cycle:
    ports: Mapping[Build, Mapping[str, Value]] = getattr(cycle, part)
    changed: dict[str, Any] = {part: {**ports, build: {**ports[build], name: seen}}}
    return dataclasses.replace(cycle, **changed)


def test_cycles_that_equal_the_model_pass() -> None:
    found = board(IDLE, ASKED)
    found.conclude()
    assert (found.cycles, found.differing, found.mismatches) == (2, 0, [])


@pytest.mark.parametrize(
    ("part", "build", "name", "seen", "what"),
    [
        # a flag of the correct build
        ("outputs", Build.CORRECT, "may_reclaim", 1, "correct may_reclaim: expected 0, seen 1"),
        # the same flag of the broken one, where 1 is right
        ("outputs", Build.BROKEN, "may_reclaim", 0, "broken may_reclaim: expected 1, seen 0"),
        # a counter that reset did not clear
        (
            "before",
            Build.CORRECT,
            "n_forced",
            7,
            "correct n_forced before the edge: expected 0, seen 7",
        ),
        # a counter that stood still
        (
            "after",
            Build.BROKEN,
            "n_forced",
            0,
            "broken n_forced after the edge: expected 1, seen 0",
        ),
        # an output that the simulator does not know
        ("outputs", Build.CORRECT, "graceful", "X", "correct graceful: expected 0, seen X"),
        # a counter that was never reset
        (
            "before",
            Build.BROKEN,
            "n_reclaims",
            "XXXXXXXX",
            "broken n_reclaims before the edge: expected 0, seen XXXXXXXX",
        ),
    ],
)
def test_a_difference_is_told_with_time_signal_both_values_and_stimulus(
    part: str, build: Build, name: str, seen: Value, what: str
) -> None:
    found = board(IDLE, with_wrong(ASKED, part, build, name, seen))
    assert verdict(found) == (
        f"1 differences from the model in 2 cycles\ncycle 1 at 20 ns: {what} {STIMULUS}"
    )


@pytest.mark.parametrize("build", Build)
@pytest.mark.parametrize(
    ("part", "name"),
    [
        *(("outputs", name) for name in eviction_policy.Outputs.widths()),
        *(("before", name) for name in eviction_policy.State.widths()),
        *(("after", name) for name in eviction_policy.State.widths()),
    ],
)
def test_no_port_of_either_build_escapes(part: str, build: Build, name: str) -> None:
    found = board(IDLE, with_wrong(ASKED, part, build, name, 99))
    assert f"{build.name.lower()} {name}" in verdict(found)


def test_an_input_that_is_not_known_is_a_difference() -> None:
    unknown = dataclasses.replace(ASKED, inputs={**ASKED.inputs, "elapsed_cycles": "0000010X"})
    told = verdict(board(IDLE, unknown))
    assert re.search(
        r"cycle 1 at 20 ns: inputs are not known: .*elapsed_cycles is '0000010X'", told
    )
    assert "elapsed_cycles=0000010X]" in told


def test_a_cycle_with_unknown_inputs_does_not_count_as_compared() -> None:
    unknown = dataclasses.replace(IDLE, inputs={**IDLE.inputs, "reclaim_req": "Z"})
    assert verdict(board(unknown)).startswith("1 differences from the model in 0 cycles\n")


def test_comparing_nothing_is_a_failure() -> None:
    assert verdict(board()) == "the scoreboard compared no cycle"


def test_as_many_differences_as_are_shown_are_all_spelt_out() -> None:
    wrong = with_wrong(IDLE, "outputs", Build.CORRECT, "graceful", 0)
    told = verdict(board(*[wrong] * SHOWN)).splitlines()
    assert told[0] == f"{SHOWN} differences from the model in {SHOWN} cycles"
    assert [line.partition(" at ")[0] for line in told[1:]] == [f"cycle {n}" for n in range(SHOWN)]


def test_more_differences_than_are_shown_are_counted() -> None:
    wrong = with_wrong(IDLE, "outputs", Build.CORRECT, "graceful", 0)
    told = verdict(board(*[wrong] * (SHOWN + 3))).splitlines()
    assert told[0] == f"{SHOWN + 3} differences from the model in {SHOWN + 3} cycles"
    assert len(told) == SHOWN + 2
    assert told[-1] == "... and 3 more"


def test_the_model_counts_along_from_cycle_to_cycle() -> None:
    again = dataclasses.replace(
        ASKED,
        before=ASKED.after,
        after={
            Build.CORRECT: {"n_reclaims": 2, "n_forced": 0},
            Build.BROKEN: {"n_reclaims": 2, "n_forced": 2},
        },
    )
    board(IDLE, ASKED, again).conclude()


def test_reset_clears_the_model() -> None:
    board(IDLE, ASKED, IDLE, ASKED).conclude()


def test_without_reset_the_counters_of_the_model_go_on() -> None:
    told = verdict(board(IDLE, ASKED, dataclasses.replace(IDLE, rst_n=1)))
    assert "correct n_reclaims before the edge: expected 1, seen 0" in told


def test_nothing_is_counted_while_reset_is_held() -> None:
    held = dataclasses.replace(ASKED, rst_n=0, after=ZERO)
    board(IDLE, held).conclude()


def test_outputs_are_compared_while_reset_is_held() -> None:
    held = dataclasses.replace(ASKED, rst_n=0, after=ZERO)
    wrong = with_wrong(held, "outputs", Build.BROKEN, "may_reclaim", 0)
    assert "broken may_reclaim: expected 1, seen 0 [rst_n=0 " in verdict(board(wrong))
