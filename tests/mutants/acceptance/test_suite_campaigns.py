# SPDX-License-Identifier: Apache-2.0
"""The campaigns of this suite: what is found, by which checks, and what a left-out row lets by."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from cocotb_mutants.store import Store
from cocotb_mutants.verdict import State, Verdict
from tb.catalog import ROOT
from tests.acceptance.conftest import Checkout

PLAN = "tb/mutations/plan_campaign.toml"
WEAK = "tb/mutations/weak_campaign.toml"

ENTRIES = tomllib.loads((ROOT / "tb/mutations/fleet.toml").read_text(encoding="utf-8"))["mutation"]
TARGETS = {entry["name"]: Path(entry["file"]).stem for entry in ENTRIES}

PLAN_ENDS = {
    "icarus": "47 injected, 47 killed, 0 survived",
    "verilator": "47 injected, 45 killed, 2 survived: M07 M36",
}
WEAK_ENDS = {
    "icarus": "47 injected, 41 killed, 6 survived: M06 M07 M11 M16 M25 M30",
    "verilator": "47 injected, 40 killed, 7 survived: M06 M07 M11 M16 M25 M30 M36",
}


@dataclass(frozen=True)
class Project:
    """A copy of this project in which campaigns are run."""

    checkout: Checkout

    def run(self, *arguments: str) -> str:
        """Run a campaign; the last line of what it printed."""
        done = subprocess.run(
            [sys.executable, "-m", "cocotb_mutants", "run", *arguments],
            cwd=self.checkout.root,
            env=self.checkout.environment(),
            capture_output=True,
            text=True,
            check=False,
            timeout=900,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.splitlines()[-1]

    def verdicts(self, work_dir: str) -> dict[str, Verdict]:
        """The verdict of every named mutation in the campaign that worked there."""
        with Store.read(self.checkout.root / "sim_build" / work_dir) as store:
            return {name: store.latest(name)[target] for name, target in TARGETS.items()}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    for tree in ("rtl", "models", "tb", "cocotb_mutants"):
        shutil.copytree(ROOT / tree, tmp_path / tree, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    # cocotb reads pytest's settings, and its warnings are errors: one is about this folder.
    (tmp_path / "tests").mkdir()
    return Project(Checkout(tmp_path))


def failed_checks(verdict: Verdict) -> str:
    """The ids of the checks that killed the mutant, as the plan's test names them."""
    if verdict.state is not State.KILLED:
        return ""
    found = re.match(r"\d+ of \d+ checks failed: ([A-Z0-9 ]+)$", verdict.message, re.MULTILINE)
    assert found, verdict.message
    return found[1]


def test_every_named_mutation_dies_by_the_checks_that_its_entry_names(
    project: Project, simulator: str
) -> None:
    last = project.run("--config", PLAN, "--simulator", simulator)

    notes = {entry["name"]: entry["notes"] for entry in ENTRIES}
    assert {
        name: failed_checks(verdict) for name, verdict in project.verdicts("mutants-plan").items()
    } == {name: each.get(simulator, each["checks"]) for name, each in notes.items()}
    assert last == PLAN_ENDS[simulator]


def test_the_weak_plan_lets_six_of_them_by(project: Project, simulator: str) -> None:
    last = project.run("--config", WEAK, "--simulator", simulator)

    assert last == WEAK_ENDS[simulator]


@pytest.mark.parametrize(
    ("row", "revived"),
    [("O5", "M06"), ("OZ", "M07"), ("B5", "M11"), ("T5", "M16"), ("R6", "M30")],
)
def test_a_row_that_is_left_out_lets_its_own_mutation_by_and_no_other(
    project: Project, row: str, revived: str
) -> None:
    project.checkout.edit(WEAK, '"O5 OZ B5 T5 R6"', f'"{row}"')
    mine = [name for name, target in TARGETS.items() if target == TARGETS[revived]]

    # A row belongs to one module; the others are judged as by the whole plan.
    last = project.run("--config", WEAK, "--simulator", "icarus", "--target", TARGETS[revived])

    assert last == f"{len(mine)} injected, {len(mine) - 1} killed, 1 survived: {revived}"


def test_m25_in_its_first_form_survives_the_whole_plan_too(project: Project) -> None:
    project.checkout.edit(WEAK, '"O5 OZ B5 T5 R6"', '""')

    last = project.run("--config", WEAK, "--simulator", "icarus", "--target", "failure_domain")

    assert last == "5 injected, 4 killed, 1 survived: M25"


def test_m25_as_it_is_now_dies_also_by_the_weak_plan(project: Project) -> None:
    project.checkout.edit(WEAK, ', "sim_build/weak/weak.toml"', "")

    last = project.run("--config", WEAK, "--simulator", "icarus", "--target", "failure_domain")

    assert last == "5 injected, 5 killed, 0 survived"


def test_an_eleventh_module_is_in_the_campaigns_by_itself(project: Project) -> None:
    made = project.checkout.tb("new", "spare_devices")
    assert made.returncode == 0, made.stderr

    mutants = project.run("--target", "spare_devices", "--operators", "relational")
    named = project.run("--config", PLAN, "--simulator", "icarus")

    assert re.match(r"[1-9]\d* mutants?: ", mutants)
    assert named == PLAN_ENDS["icarus"]
