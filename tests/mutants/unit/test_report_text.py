# SPDX-License-Identifier: Apache-2.0
"""The text report: survivors first and explained, one summary line last."""

from __future__ import annotations

from typing import Any

import pytest

from cocotb_mutants.report.results import Outcome, Results
from cocotb_mutants.report.text import detail, render, summary, table
from cocotb_mutants.verdict import DEFAULT_DETECTED, State, Verdict
from tests.mutants.unit.samples import mutant, outcome

TEXT = b"module a;\n  assign y = a + b;\n  assign z = c ^ d;\nendmodule\n"
TEXTS = {"rtl/a.sv": TEXT}


def some(*states: State, **other: Any) -> Results:
    outcomes = [
        outcome(mutant(TEXT, "+", "-", name=f"M{number:02}"), state)
        for number, state in enumerate(states)
    ]
    return Results(tuple(outcomes), TEXTS, **other)


def test_a_report_from_top_to_bottom() -> None:
    outcomes = (
        outcome(mutant(TEXT, "+", "-", name="y-1"), State.KILLED, "t.one failed"),
        outcome(mutant(TEXT, "+", "*", name="y-2"), State.IGNORED, "no product here"),
        outcome(mutant(TEXT, "c", "0", name="z-1"), State.NOT_ACTIVATED, "it never differed"),
        outcome(mutant(TEXT, "d;", "0;", name="z-2"), State.CRASHED, "died by signal 11"),
        outcome(mutant(TEXT, "d;", "1;", name="z-3"), State.TIMEOUT, "reached its limit"),
        outcome(
            mutant(TEXT, "^", "|", name="z-4", reason="c and d together"),
            State.SURVIVED,
            "2 tests ran and none failed",
        ),
        outcome(mutant(TEXT, "y", "z", name="y-3"), State.IGNORED, "no product here"),
    )

    assert (
        render(Results(outcomes, TEXTS))
        == """\
rtl/a.sv:3:16: arithmetic: z-4
  -   assign z = c ^ d;
  +   assign z = c | d;
  survived: 2 tests ran and none failed
  its author says: c and d together

rtl/a.sv:3:14: arithmetic: z-1
  -   assign z = c ^ d;
  +   assign z = 0 ^ d;
  not activated: it never differed

rtl/a.sv:3:18: arithmetic: z-3: timeout: reached its limit
rtl/a.sv:3:18: arithmetic: z-2: crashed: died by signal 11

ignored, 2: no product here

target  mutants  killed  survived  not activated  timeout  crashed  ignored   score
a             7       1         1              1        1        1        2  50.0 %

7 mutants: 1 killed, 1 survived, 1 not activated, 1 timeout, 0 compile errors, 1 crashed, \
2 ignored; score 50.0 %
"""
    )


def test_nothing_to_look_at_leaves_the_table_and_the_summary() -> None:
    assert render(some(State.KILLED)) == (
        "target  mutants  killed  survived    score\n"
        "a             1       1         0  100.0 %\n"
        "\n"
        "1 mutant: 1 killed, 0 survived, 0 not activated, 0 timeouts, 0 compile errors, 0 ignored; "
        "score 100.0 %\n"
    )


def test_a_campaign_without_a_target_is_its_summary() -> None:
    assert render(Results((), {})) == summary(Results((), {})) + "\n"


@pytest.mark.parametrize("state", State)
def test_every_state_is_seen_in_the_report(state: State) -> None:
    text = render(some(State.KILLED, state))

    assert str(state) in text
    assert str(state) in summary(some(State.KILLED, state))
    assert state is State.KILLED or state is State.IGNORED or "M01" in text


def test_the_summary_counts_as_users_were_promised() -> None:
    states = [
        *[State.KILLED] * 120,
        *[State.SURVIVED] * 6,
        *[State.NOT_ACTIVATED] * 3,
        State.TIMEOUT,
        State.COMPILE_ERROR,
    ]

    assert summary(some(*states)) == (
        "131 mutants: 120 killed, 6 survived, 3 not activated, 1 timeout, 1 compile error, "
        "0 ignored; score 93.0 %"
    )


def test_the_summary_without_a_valid_mutant_has_no_score() -> None:
    assert summary(some(State.IGNORED)).endswith("1 ignored; score n/a")


def test_the_summary_goes_by_what_counts_as_detection() -> None:
    states = (State.KILLED, State.TIMEOUT)

    assert summary(some(*states)).endswith("score 100.0 %")
    assert summary(some(*states, detected=DEFAULT_DETECTED - {"timeout"})).endswith("score 50.0 %")


@pytest.mark.parametrize(
    ("states", "line"),
    [
        ([State.KILLED] * 3, "3 injected, 3 killed, 0 survived"),
        (
            [State.SURVIVED, State.KILLED, State.NOT_ACTIVATED, State.SURVIVED],
            "4 injected, 1 killed, 3 survived: M00 M02 M03",
        ),
        (
            [State.TIMEOUT, State.KILLED, State.CRASHED, State.TIMEOUT, State.IGNORED],
            "5 injected, 1 killed, 0 survived, 2 timeouts, 1 crashed, 1 ignored",
        ),
        ([], "0 injected, 0 killed, 0 survived"),
    ],
    ids=["all killed", "survivors in order", "other states", "none"],
)
def test_the_summary_of_hand_written_mutants(states: list[State], line: str) -> None:
    assert summary(some(*states, hand_written=True)) == line


def test_survivors_of_several_targets_say_why_in_each() -> None:
    each = outcome(mutant(TEXT, "+", "-", name="y"), State.SURVIVED)
    two = Outcome(
        each.mutant,
        each.verdict,
        {
            "a[W=4]": Verdict(State.SURVIVED, "2 tests ran"),
            "a[W=8]": Verdict(State.NOT_ACTIVATED, "it never differed"),
        },
    )

    assert detail(Results((two,), TEXTS), two).splitlines()[3:] == [
        "  survived in a[W=4]: 2 tests ran",
        "  not activated in a[W=8]: it never differed",
    ]


def test_the_table_counts_each_target_by_its_own_verdicts() -> None:
    killed, survived = (Verdict(state, "x") for state in (State.KILLED, State.SURVIVED))
    each = mutant(TEXT, "+", "-")
    outcomes = (
        Outcome(each, killed, {"a": survived, "longer": killed}),
        Outcome(each, survived, {"a": survived}),
    )

    assert table(Results(outcomes, TEXTS, {"idle": ()})) == (
        "target  mutants  killed  survived    score\n"
        "idle          0       0         0      n/a\n"
        "a             2       0         2    0.0 %\n"
        "longer        1       1         0  100.0 %"
    )


def test_nothing_in_a_report_steers_the_terminal() -> None:
    bad = "\x1b[2J\n"
    each = outcome(mutant(TEXT, "+", bad, name=bad, reason=bad), State.SURVIVED, bad)
    ignored = outcome(mutant(TEXT, "+", "-", name=bad), State.IGNORED, bad)
    crash = outcome(mutant(TEXT, "+", "-", name=bad), State.CRASHED, bad)
    found = Results((each, ignored, crash), TEXTS, {bad: ()}, hand_written=True)

    assert "\x1b" not in render(found)
    assert "\n\n\n" not in render(found)
