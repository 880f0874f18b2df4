# SPDX-License-Identifier: Apache-2.0
"""Benches under cocotb's own runner, as another tool would run them, whole and weakened."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tb.build import build
from tb.catalog import ROOT, find
from tb.run import PLAN_TEST, STANDARD

WEAK = "O5 OZ B5 T5 R6"


@dataclass(frozen=True)
class Outcome:
    """What the simulation left: the message of every test, empty for a pass, and its log."""

    tests: dict[str, str]
    log: str


def simulate(
    name: str, simulator: str, folder: Path, *, only: str | None = None, **env: str
) -> Outcome:
    """Run the bench of a module in *folder*, with nothing of what ``tb`` sets around it."""
    module = find(name)
    results = folder / "results.xml"
    arguments = {
        "test_module": [STANDARD, module.bench],
        "hdl_toplevel": module.top,
        "hdl_toplevel_lang": "verilog",
        "build_dir": str(build(module, simulator)),
        "test_dir": str(folder),
        "results_xml": str(results),
        "test_filter": only,
    }
    call = {"simulator": simulator, "method": "test", "arguments": arguments}
    ours = {key: value for key, value in os.environ.items() if not key.startswith("TB_")}
    done = subprocess.run(
        [sys.executable, "-m", "tb.simulate", json.dumps(call)],
        cwd=folder,
        env=ours | {"PYTHONPATH": str(ROOT)} | env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=300,
    )
    assert results.is_file(), done.stdout
    tests = {}
    for case in ElementTree.parse(results).getroot().iter("testcase"):
        failures = [child for child in case if child.tag in ("failure", "error")]
        tests[case.get("name", "")] = "".join(str(each.attrib) for each in failures)
    return Outcome(tests, done.stdout)


def test_a_bench_needs_nothing_but_the_project_on_its_path(simulator: str, tmp_path: Path) -> None:
    outcome = simulate("tenant_admission", simulator, tmp_path)

    assert outcome.tests == dict.fromkeys(outcome.tests, "")
    assert {PLAN_TEST, "random_traffic_matches_the_model"} < outcome.tests.keys()
    # Whoever runs many side by side does not want them to write into one place.
    # The coverage is what our builds under Verilator count, not what the bench writes.
    assert {path.name for path in tmp_path.iterdir()} <= {"results.xml", "coverage.dat"}


@pytest.mark.parametrize(
    ("name", "checks"),
    [
        ("oversubscription", 21),
        ("bandwidth_share", 19),
        ("tenant_attribution", 21),
        ("rebind_sequence", 22),
        ("failure_domain", 25),
    ],
)
def test_the_weakened_plan_holds_on_the_rtl_as_it_is(
    simulator: str, tmp_path: Path, name: str, checks: int
) -> None:
    outcome = simulate(name, simulator, tmp_path, only=PLAN_TEST, TB_LEAVE_OUT=WEAK)

    assert outcome.tests == {PLAN_TEST: ""}
    assert re.findall(r"(\d+) of (\d+) checks passed", outcome.log) == [(str(checks),) * 2]


def test_a_row_that_does_not_exist_fails_the_plan(simulator: str, tmp_path: Path) -> None:
    outcome = simulate(
        "policy_cost", simulator, tmp_path, only=f"{PLAN_TEST}|counters", TB_LEAVE_OUT="O9"
    )

    assert "TB_LEAVE_OUT names O9, which is a row of no plan" in outcome.tests[PLAN_TEST]
    assert outcome.tests["counters_stop_at_255"] == ""
