# SPDX-License-Identifier: Apache-2.0
"""The record of a run, and the bins of an exported coverage file."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from tb import results
from tb.results import CoverageCount, RunResult, functional_coverage
from tests.unit.support import outcome, result, write

XML = """\
<top abs_name="top" size="5" coverage="3">
  <fleet abs_name="top.fleet" size="5" coverage="3">
    <evp abs_name="top.fleet.evp" size="5" coverage="3">
      <level abs_name="top.fleet.evp.level" size="3" coverage="2" weight="1" at_least="1">
        <bin0 bin="0" hits="4" abs_name="top.fleet.evp.level.bin0" />
        <bin1 bin="1" hits="1" abs_name="top.fleet.evp.level.bin1" />
        <bin2 bin="(2, 'x')" hits="0" abs_name="top.fleet.evp.level.bin2" />
      </level>
      <often abs_name="top.fleet.evp.often" size="2" coverage="1" weight="1" at_least="3">
        <bin0 bin="True" hits="2" abs_name="top.fleet.evp.often.bin0" />
        <bin1 bin="False" hits="3" abs_name="top.fleet.evp.often.bin1" />
      </often>
    </evp>
  </fleet>
</top>
"""

FULL = result(
    checks=(
        outcome("EVP01"),
        outcome("EVP02", "X", passed=False),
        outcome("EVP03", None, passed=False),
    ),
    failure="2 of 3 checks failed",
)


def test_a_result_is_read_back_as_it_was_saved(tmp_path: Path) -> None:
    FULL.save(tmp_path)
    assert RunResult.load(tmp_path) == FULL


def test_a_result_that_was_read_back_is_as_hashable_as_the_saved_one(tmp_path: Path) -> None:
    # Lists of JSON must not stay lists in a frozen record.
    FULL.save(tmp_path)
    assert hash(RunResult.load(tmp_path)) == hash(FULL)


def test_a_result_is_saved_as_json_under_its_own_field_names(tmp_path: Path) -> None:
    FULL.save(tmp_path)
    data = json.loads((tmp_path / "result.json").read_text())
    assert data["module"] == "eviction_policy"
    assert data["checks"][1] == {"id": "EVP02", "expect": 1, "seen": "X", "passed": False}


def test_a_result_that_was_never_saved_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        RunResult.load(tmp_path)


def test_a_run_passes_when_every_test_and_every_check_does() -> None:
    assert result(checks=(outcome("EVP01"),)).passed


@pytest.mark.parametrize(
    "failed",
    [
        # a test failed though all checks hold
        result(checks=(outcome("EVP01"),), failure="odd"),
        # a check failed though no test says so
        result(checks=(outcome("EVP01"), outcome("EVP02", 0, passed=False))),
        # a check was never reached
        result(checks=(outcome("EVP01", None, passed=False),)),
    ],
)
def test_a_run_fails_when_anything_in_it_does(failed: RunResult) -> None:
    assert not failed.passed


def test_checks_that_hold_are_counted() -> None:
    assert (FULL.checks_passed, len(FULL.checks)) == (1, 3)


def test_a_failure_is_told_with_bench_and_test() -> None:
    tests = (
        results.TestOutcome("tb.standard", "good", 0.1, ""),
        results.TestOutcome("tb.fleet.b", "bad", 0.1, "x"),
    )
    assert dataclasses.replace(FULL, tests=tests).failures() == ["tb.fleet.b.bad: x"]


def test_bins_are_counted_and_those_missed_are_named(tmp_path: Path) -> None:
    counted = functional_coverage(write(tmp_path / "coverage.xml", XML))
    # "often" asks for three hits.
    assert counted == CoverageCount(
        hit=3, size=5, missed=("fleet.evp.level[(2, 'x')]", "fleet.evp.often[True]")
    )


def test_no_coverage_file_is_no_coverage(tmp_path: Path) -> None:
    assert functional_coverage(tmp_path / "coverage.xml") == CoverageCount(0, 0, ())
