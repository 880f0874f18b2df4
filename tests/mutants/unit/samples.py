# SPDX-License-Identifier: Apache-2.0
"""Small results that the tests of verdicts, store and reports share."""

from __future__ import annotations

from typing import Any

from cocotb_mutants.mutant import Edit, Mutant
from cocotb_mutants.protocol import RunReport, TestResult
from cocotb_mutants.report.results import Outcome
from cocotb_mutants.verdict import State, Verdict


def passed(name: str, **other: Any) -> TestResult:
    return TestResult(name, "passed", **other)


def failed(name: str, kind: Any = "assertion", message: str = "1 != 2", **other: Any) -> TestResult:
    return TestResult(name, "failed", kind, "AssertionError", message, **other)


GOLDEN = RunReport(
    job=0,
    selector_at_start=0,
    selector_at_end=0,
    tests=(
        passed("t.one"),
        passed("t.two"),
        TestResult("t.known_bug", "xfailed"),
        TestResult("t.later", "skipped"),
    ),
    complete=True,
    exit_code=0,
)


def run(*tests: TestResult, **other: Any) -> RunReport:
    """A run of mutant 7 that reached its end; without tests, those of the golden run."""
    values: dict[str, Any] = {
        "job": 7,
        "selector_at_start": 7,
        "selector_at_end": 7,
        "tests": tests or GOLDEN.tests,
        "complete": True,
        "exit_code": 0,
    }
    return RunReport(**{**values, **other})


def cut_off(*tests: TestResult, **other: Any) -> RunReport:
    """A run of mutant 7 that ended before it could say so."""
    return run(*tests, **{"complete": False, "selector_at_end": None, "exit_code": None, **other})


def mutant(
    text: bytes, old: str, new: str, *, name: str = "", file: str = "rtl/a.sv", reason: str = ""
) -> Mutant:
    """The mutant that replaces the first `old` of `text`."""
    raw = old.encode("utf-8", "surrogateescape")
    start = text.index(raw)
    line = text.count(b"\n", 0, start) + 1
    column = start - text.rfind(b"\n", 0, start)
    edit = Edit(file, start, start + len(raw), old, new)
    return Mutant(name or f"a-{start}", "arithmetic", (edit,), "a", line, column, reason)


def outcome(each: Mutant, state: State, reason: str = "because", **other: Any) -> Outcome:
    verdict = Verdict(state, reason, target="a", **other)
    return Outcome(each, verdict, {"a": verdict})
