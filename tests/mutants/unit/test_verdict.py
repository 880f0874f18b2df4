# SPDX-License-Identifier: Apache-2.0
"""The judge: each way a run can end has one verdict, and what is not understood is none."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from cocotb_mutants.protocol import RunReport, TestResult
from cocotb_mutants.verdict import (
    DEFAULT_DETECTED,
    DETECTIONS,
    Detection,
    State,
    Verdict,
    judge,
)
from tests.mutants.unit.samples import GOLDEN, cut_off, failed, passed, run

ALL = frozenset(DETECTIONS)


def judged(
    report: RunReport,
    golden: RunReport = GOLDEN,
    detected: frozenset[Detection] = DEFAULT_DETECTED,
) -> Verdict:
    return judge(report, golden, 7, detected, "counter")


def test_a_run_like_that_of_the_original_is_a_survivor() -> None:
    verdict = judged(run(wall_s=2.0, cpu_s=1.5))

    assert verdict.state is State.SURVIVED
    assert verdict.reason == "3 tests ran and none failed"
    assert (verdict.target, verdict.wall_s, verdict.cpu_s) == ("counter", 2.0, 1.5)
    assert verdict.tests == GOLDEN.tests


def test_one_test_is_counted_as_one() -> None:
    golden = RunReport(job=0, tests=(passed("t.one"),))

    assert judged(run(passed("t.one")), golden).reason == "1 test ran and none failed"


def test_the_order_of_tests_does_not_matter() -> None:
    assert judged(run(*reversed(GOLDEN.tests))).state is State.SURVIVED


def test_a_failed_check_kills_and_is_named() -> None:
    verdict = judged(run(passed("t.one"), failed("t.two", message="\nwanted 3\ngot 4\n")))

    assert verdict.state is State.KILLED
    assert (verdict.test, verdict.kind) == ("t.two", "assertion")
    assert verdict.reason == "t.two failed: wanted 3"
    assert verdict.message == "wanted 3\ngot 4"


def test_a_check_without_a_message_is_named_by_its_error() -> None:
    verdict = judged(run(failed("t.one", message="")))

    assert (verdict.reason, verdict.message) == ("t.one failed: AssertionError", "AssertionError")


def test_an_expected_failure_that_does_not_come_kills() -> None:
    assert judged(run(failed("t.known_bug"))).state is State.KILLED


@pytest.mark.parametrize("kind", ["assertion", "unresolved", "bench-timeout"])
def test_each_kind_of_check_kills_by_default(kind: str) -> None:
    verdict = judged(run(failed("t.one", kind)))

    assert (verdict.state, verdict.kind) == (State.KILLED, kind)


@pytest.mark.parametrize("kind", ["assertion", "unresolved", "bench-timeout", "exception"])
def test_a_kind_that_does_not_count_is_a_test_error(kind: Detection) -> None:
    verdict = judged(run(failed("t.one", kind)), detected=ALL - {kind})

    assert verdict.state is State.TEST_ERROR
    assert "AssertionError, which does not count as detection: 1 != 2" in verdict.reason
    assert verdict.test == ""


def test_a_test_error_without_a_message_is_named_by_its_kind() -> None:
    broken = TestResult("t.one", "failed", "exception")

    assert judged(run(broken)).reason == (
        "t.one ended by exception, which does not count as detection"
    )


def test_an_exception_counts_where_it_is_asked_for() -> None:
    assert judged(run(failed("t.one", "exception")), detected=ALL).state is State.KILLED


def test_a_kill_stands_behind_a_failure_that_does_not_count() -> None:
    verdict = judged(run(failed("t.one", "exception"), failed("t.two")))

    assert (verdict.state, verdict.test) == (State.KILLED, "t.two")


@pytest.mark.parametrize("status", ["failed", "skipped"])
def test_a_test_that_does_not_pass_on_the_original_cannot_kill(status: Any) -> None:
    golden = RunReport(job=0, tests=(passed("t.one"), TestResult("t.two", status)))

    assert judged(run(passed("t.one"), failed("t.two")), golden).state is not State.KILLED


@pytest.mark.parametrize(
    "after",
    [
        {"limit": "cpu"},
        {"limit": "memory"},
        {"signal": 11},
        {"exit_code": 3},
    ],
)
def test_a_kill_stands_whatever_came_after_it(after: dict[str, Any]) -> None:
    assert judged(cut_off(failed("t.one"), **after)).state is State.KILLED


@pytest.mark.parametrize(
    ("limit", "state", "words"),
    [
        ("cpu", State.TIMEOUT, "processor time"),
        ("wall", State.TIMEOUT, "wall time"),
        ("sim-time", State.TIMEOUT, "simulated time"),
        ("memory", State.OUT_OF_MEMORY, "memory"),
        ("output", State.FLOODED, "output"),
    ],
)
def test_each_limit_has_a_state(limit: str, state: State, words: str) -> None:
    verdict = judged(cut_off(passed("t.one"), limit=limit, signal=9, running="t.two"))

    assert verdict.state is state
    assert verdict.reason == f"the run reached its limit of {words} in t.two"


def test_a_limit_before_the_first_test_is_a_timeout_too() -> None:
    verdict = judged(cut_off(limit="wall", selector_at_start=None, tests=()))

    assert (verdict.state, verdict.reason) == (
        State.TIMEOUT,
        "the run reached its limit of wall time",
    )


def test_a_simulator_that_dies_has_crashed() -> None:
    assert judged(cut_off(signal=11)).reason == "the simulator died by signal 11"
    assert judged(cut_off(signal=11)).state is State.CRASHED
    assert judged(cut_off(exit_code=3)).reason == "the simulator left with code 3"
    assert judged(cut_off(exit_code=3)).state is State.CRASHED


def test_what_comes_after_the_last_word_of_a_run_does_not_count() -> None:
    assert judged(run(signal=11, exit_code=None)).state is State.SURVIVED


def test_a_design_that_ends_the_simulation_is_no_kill() -> None:
    within = judged(run(failed("t.one", "ended-early")))
    between = judged(cut_off(passed("t.one"), exit_code=0))

    assert within.state is between.state is State.ENDED_EARLY
    assert within.reason == "the design ended the simulation in t.one"
    assert between.reason == "the simulation ended before the tests did"


def test_an_error_that_the_design_reports_kills() -> None:
    said = ("a.sv:3: grant\nmore", "a.sv:4: request")
    verdict = judged(run(failed("t.two", "ended-early"), rtl_errors=said))

    assert (verdict.state, verdict.kind) == (State.KILLED, "rtl-assertion")
    assert (verdict.test, verdict.message) == ("t.two", "a.sv:3: grant\nmore\na.sv:4: request")
    assert verdict.reason == "the design reported an error: a.sv:3: grant"


def test_the_test_of_a_design_error_is_the_one_that_was_running_or_the_first() -> None:
    said = ("a.sv:3: grant",)

    assert judged(cut_off(passed("t.one"), running="t.two", rtl_errors=said)).test == "t.two"
    assert judged(run(rtl_errors=said)).test == "t.one"
    skipped = TestResult("t.later", "skipped")
    assert judged(run(skipped, passed("t.one"), rtl_errors=said)).test == "t.one"
    assert judged(cut_off(tests=(), rtl_errors=said)).test == ""


def test_a_design_error_counts_only_where_it_is_asked_for_and_new() -> None:
    said = ("a.sv:3: grant",)

    kept = judged(run(rtl_errors=said), detected=ALL - {"rtl-assertion"})
    old = judged(run(rtl_errors=said), RunReport(job=0, tests=GOLDEN.tests, rtl_errors=said))

    assert kept.state is old.state is State.SURVIVED


@pytest.mark.parametrize(
    "tests",
    [
        (passed("t.one"), TestResult("t.two", "skipped"), TestResult("t.known_bug", "xfailed")),
        (passed("t.one"), TestResult("t.known_bug", "xfailed")),
        (TestResult("t.later", "skipped"), passed("t.one"), TestResult("t.known_bug", "xfailed")),
    ],
    ids=["skipped", "missing", "missing, and one skipped"],
)
def test_a_test_that_did_not_run_is_missed(tests: tuple[TestResult, ...]) -> None:
    verdict = judged(run(*tests))

    assert verdict.state is State.FEWER_TESTS
    assert verdict.reason == "2 tests ran, and t.two was not one of them"


@pytest.mark.parametrize(
    "selectors", [(3, 3), (7, 3), (3, None), (0, 0), (7, 0)], ids=lambda pair: str(pair)
)
def test_another_mutant_than_the_one_asked_for_is_never_believed(
    selectors: tuple[int, int | None],
) -> None:
    start, end = selectors
    report = run(failed("t.one"), selector_at_start=start, selector_at_end=end)

    assert judged(report).state is State.WRONG_MUTANT
    assert judged(report).reason == (
        f"number 7 was to be run, and the run read {start} at its start and {end} at its end"
    )
    assert judged(report).killers(ALL) == ()


@pytest.mark.parametrize(
    ("report", "reason"),
    [
        (run(selector_at_start=None), "the run did not say which mutant it simulated"),
        (run(selector_at_end=None), "the run did not say which mutant it simulated"),
        (
            run(selector_at_start=None, selector_at_end=None),
            "the run did not say which mutant it simulated",
        ),
        (run(*GOLDEN.tests, passed("t.new")), "the original has no test t.new"),
        (run(*GOLDEN.tests, passed("t.one")), "t.one ran 2 times"),
        (
            run(passed("t.one"), passed("t.two"), passed("t.known_bug")),
            "t.known_bug is passed, and xfailed on the original",
        ),
        (
            run(*GOLDEN.tests[:3], passed("t.later")),
            "t.later is passed, and skipped on the original",
        ),
        (cut_off(), "the run has no result, no exit code and no signal"),
        (cut_off(tests=()), "the run has no result, no exit code and no signal"),
    ],
)
def test_what_makes_no_sense_is_unreadable(report: RunReport, reason: str) -> None:
    assert judged(report).state is State.UNREADABLE
    assert judged(report).reason == reason


def test_a_bench_whose_tests_are_all_skipped_has_no_survivors() -> None:
    skipped = (TestResult("t.one", "skipped"),)

    verdict = judged(run(*skipped), RunReport(job=0, tests=skipped))

    assert (verdict.state, verdict.reason) == (State.UNREADABLE, "no test ran")


def test_a_failure_without_proof_of_its_mutant_is_no_kill() -> None:
    assert judged(run(failed("t.one"), selector_at_start=None)).state is not State.KILLED


@pytest.mark.parametrize("stop", [0, 1, 2, 3, 4])
def test_no_report_is_judged_without_a_reason(stop: int) -> None:
    """Whatever a report holds, there is one verdict, and a kill only of a failed check."""
    for complete, exit_code, signal, limit, start, kind in itertools.product(
        (True, False),
        (None, 0, 1),
        (None, 9),
        ("", "cpu", "output"),
        (None, 7, 8),
        ("assertion", "exception", "ended-early"),
    ):
        tests = [*GOLDEN.tests[:stop], failed("t.two", kind)] if stop < 2 else GOLDEN.tests[:stop]
        verdict = judged(
            RunReport(7, start, start, tuple(tests), "", complete, exit_code, signal, limit)  # type: ignore[arg-type]
        )
        assert verdict.reason
        if verdict.state is State.KILLED:
            assert stop < 2
            assert (start, kind) == (7, "assertion")
        if verdict.state is State.SURVIVED:
            assert (stop, complete, start, limit) in ((3, True, 7, ""), (4, True, 7, ""))


def test_all_killers_are_found_in_a_run_of_all_tests() -> None:
    verdict = judged(run(failed("t.one"), failed("t.two", "exception"), failed("t.known_bug")))

    assert verdict.killers(DEFAULT_DETECTED) == ("t.one", "t.known_bug")
    assert verdict.killers(ALL) == ("t.one", "t.two", "t.known_bug")
    assert judged(run()).killers(ALL) == ()


def test_an_error_of_the_design_has_its_test_as_killer() -> None:
    verdict = judged(run(rtl_errors=("boom",)))

    assert verdict.killers(DEFAULT_DETECTED) == ("t.one",)


def test_a_verdict_comes_back_from_json_as_it_was() -> None:
    verdict = judged(run(passed("t.one", sim_end=30), failed("t.two", message="é < \udc80")))

    assert Verdict.from_json(json.loads(json.dumps(verdict.to_json()))) == verdict
