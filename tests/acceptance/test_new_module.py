# SPDX-License-Identifier: Apache-2.0
"""A module that ``make new`` starts works at once and shows up everywhere by itself."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tb.catalog import ROOT, modules
from tests.acceptance.conftest import Checkout

NAME = "spare_devices"


def test_it_passes_its_checks_and_reaches_its_coverage(checkout: Checkout, simulator: str) -> None:
    made = checkout.tb("new", NAME)
    assert made.returncode == 0, made.stderr

    done = checkout.tb("sim", NAME, "--sim", simulator, "--quiet")

    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads(
        (checkout.root / f"sim_build/run/{simulator}/{NAME}/result.json").read_text("utf-8")
    )
    assert len(result["checks"]) == 9
    assert all(check["passed"] for check in result["checks"])
    assert result["coverage"]["missed"] == []


def test_it_is_listed_last_with_a_prefix_of_its_own(checkout: Checkout) -> None:
    checkout.tb("new", NAME)

    lines = checkout.tb("list").stdout.strip().splitlines()

    assert len(lines) == 1 + len(modules()) + 1
    assert lines[-1].split()[:4] == [NAME, "fleet", "back", "9"]
    plan = (checkout.root / f"tb/fleet/{NAME}.toml").read_text(encoding="utf-8")
    assert 'prefix = "SPA"' in plan


def test_its_python_is_clean_and_its_model_is_tested(checkout: Checkout) -> None:
    checkout.tb("new", NAME)
    (checkout.root / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text("utf-8"))

    for command in (
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["mypy", f"tb/fleet/test_{NAME}.py", f"models/fleet/{NAME}.py"],
        ["pytest", "-q", "--cov=models.fleet." + NAME, "--cov-fail-under=100", "tests"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", *command],
            cwd=checkout.root,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("policy_cost", "there is a module 'policy_cost' already"),
        ("Spare", "cannot name a module"),
        ("../escape", "cannot name a module"),
    ],
)
def test_a_bad_name_is_refused_and_nothing_is_written(
    checkout: Checkout, name: str, expected: str
) -> None:
    before = sorted(checkout.root.rglob("*.*"))

    done = checkout.tb("new", name)

    assert done.returncode == 2
    assert expected in done.stderr
    assert [path for path in sorted(checkout.root.rglob("*.*")) if path.suffix != ".pyc"] == [
        path for path in before if path.suffix != ".pyc"
    ]
