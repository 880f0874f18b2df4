# SPDX-License-Identifier: Apache-2.0
"""What ends a campaign before its first mutant, and what it only says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cocotb_mutants import versions
from cocotb_mutants.build import Problem
from cocotb_mutants.errors import BaselineFailed, ControlFailed, MutantsError, NoTests
from cocotb_mutants.markers import GROSS
from cocotb_mutants.protocol import Job, RunReport, TestResult
from tests.mutants.unit.fakelab import (
    FIRST,
    SECOND,
    FakeLab,
    Script,
    campaign,
    mutants_run,
    result,
    write_project,
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(versions, "of", lambda simulator: {"tool": "1"})
    return write_project(tmp_path)


def test_a_bench_that_checks_nothing_is_named(project: Path) -> None:
    def script(_: str, job: Job, report: RunReport) -> RunReport:
        return (
            replace(report, tests=(result(FIRST), result(SECOND)))
            if (job.selector in GROSS)
            else report
        )

    _, run = campaign(project, FakeLab(script))

    assert run.blind == ["gate"]
    again = FakeLab()
    assert campaign(project, again)[1].blind == ["gate"]
    assert again.ran == []


def test_the_controls_of_a_schema_are_owed_after_a_campaign_without_one(project: Path) -> None:
    _, first = campaign(project, FakeLab(on_gross(tests=PASSES)), schema=False)
    lab = FakeLab(on_gross(tests=PASSES))

    _, run = campaign(project, lab)

    assert first.blind == []
    assert run.blind == ["gate"]
    assert mutants_run(lab) == []
    again = FakeLab()
    assert campaign(project, again, schema=False)[1].blind == ["gate"]
    assert again.ran == []


def test_what_no_output_depends_on_is_judged_as_long_as_it_is_computed(project: Path) -> None:
    lab = FakeLab(on_gross(tests=PASSES, trace="as it is"))

    results, run = campaign(project, lab)

    assert run.blind == ["gate"]
    assert len(results.outcomes) == len({job.selector for job in mutants_run(lab)})


def test_a_process_for_each_mutant_is_said(project: Path) -> None:
    lab = FakeLab(cannot_fork="threads")

    _, run = campaign(project, lab)

    assert lab.said == ["gate: a process per mutant: threads"]
    assert run.controls["gate"].mode == "process"


def on_golden(**changes: Any) -> Script:
    def script(_: str, job: Job, report: RunReport) -> RunReport:
        return replace(report, **changes) if job.files else report

    return script


def on_schema(**changes: Any) -> Script:
    def script(_: str, job: Job, report: RunReport) -> RunReport:
        return replace(report, **changes) if job.hits else report

    return script


def on_gross(**changes: Any) -> Script:
    def script(_: str, job: Job, report: RunReport) -> RunReport:
        return replace(report, **changes) if job.selector in GROSS else report

    return script


def unforced(_: str, job: Job, report: RunReport) -> RunReport:
    return replace(report, tests=(result(FIRST), result(SECOND))) if job.force_failure else report


PASSES = (result(FIRST), result(SECOND))


def asleep(_: str, job: Job, report: RunReport) -> RunReport:
    """Nothing that is mutated is ever computed, and no gross fault shows."""
    if job.selector in GROSS:
        return replace(report, tests=PASSES, trace="as it is")
    return replace(report, hits={})


@pytest.mark.parametrize(
    ("script", "error", "words"),
    [
        (on_golden(tests=(result(FIRST, fails=True),)), BaselineFailed, "1 of 1 tests fail"),
        (on_golden(tests=()), NoTests, "the bench has no test"),
        (
            on_golden(tests=(TestResult(FIRST, "skipped"),)),
            NoTests,
            "no test ran (1 found, all skipped)",
        ),
        (on_golden(complete=False, limit="cpu"), BaselineFailed, "ran into the cpu limit"),
        (on_golden(complete=False, signal=11, exit_code=None), BaselineFailed, "signal 11"),
        (on_golden(complete=False, exit_code=3), BaselineFailed, "exit code 3"),
        (on_golden(rtl_errors=("boom",)), BaselineFailed, "reports an error: boom"),
        (on_golden(selector_at_start=7), ControlFailed, "read 7 at its start"),
        (
            on_schema(complete=False, signal=11, exit_code=None),
            ControlFailed,
            "the run of the build with all mutants and none selected ended before its tests did "
            "(signal 11), where the original passes",
        ),
        (
            on_schema(tests=(result(FIRST, fails=True),)),
            ControlFailed,
            "1 of 1 tests fail on the build with all mutants and none selected",
        ),
        (on_schema(trace="other"), ControlFailed, "differs from the original in its outputs"),
        (on_schema(trace_length=9), ControlFailed, "number of output changes"),
        (on_schema(sim_end=9), ControlFailed, "simulated time at the end"),
        (on_schema(tests=(result(SECOND), result(FIRST))), ControlFailed, "in its tests"),
        (on_schema(tests=(result(FIRST),)), ControlFailed, "2 in the original, 1 in the schema"),
        (unforced, ControlFailed, "made to fail"),
        (on_gross(selector_at_end=1), ControlFailed, "came back as wrong mutant"),
        (on_gross(selector_at_end=None, tests=PASSES), ControlFailed, "as unreadable"),
        (asleep, ControlFailed, "no output of the top changed"),
    ],
)
def test_a_control_that_fails_ends_the_campaign(
    project: Path, script: Script, error: type[MutantsError], words: str
) -> None:
    lab = FakeLab(script)

    with pytest.raises(error) as raised:
        campaign(project, lab)

    assert words in raised.value.message
    assert raised.value.hint
    assert mutants_run(lab) == []


def test_an_original_that_does_not_build_is_said(project: Path) -> None:
    lab = FakeLab(refuse=lambda text: (Problem("gate.sv", 3, "no"),) if text == b"" else None)

    with pytest.raises(BaselineFailed) as raised:
        campaign(project, lab)

    assert raised.value.message == "gate: the original does not build: gate.sv:3: no"
