# SPDX-License-Identifier: Apache-2.0
"""The tree as a whole: types, style, licence lines, and the same modules in all three places."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tb.catalog import ROOT, Module, modules
from tb.plan import load

GENERATED = {".git", ".venv", "sim_build", "__pycache__", ".hypothesis"}
GENERATED |= {".mypy_cache", ".ruff_cache", ".pytest_cache"}
WITHOUT_LICENCE_LINE = {"LICENSE", ".gitignore", ".coverage"}


def sources() -> list[Path]:
    """Every file that is ours."""
    found = (path for path in ROOT.rglob("*") if path.is_file())
    return sorted(path for path in found if not GENERATED & set(path.relative_to(ROOT).parts))


@pytest.mark.parametrize("each", modules(), ids=lambda module: module.name)
def test_a_module_has_rtl_a_model_a_bench_and_a_plan(each: Module) -> None:
    assert each.missing() == []


def test_there_are_modules() -> None:
    assert len(modules()) >= 10


def test_no_two_modules_share_a_prefix_or_a_number() -> None:
    plans = [(each.chapter, load(each)) for each in modules()]

    # Coverage is filed under the prefix, and tables go by the number.
    assert len({(chapter, plan.prefix) for chapter, plan in plans}) == len(plans)
    assert len({(chapter, plan.number) for chapter, plan in plans}) == len(plans)


def test_every_file_names_its_licence_at_the_top() -> None:
    without = [
        str(path.relative_to(ROOT))
        for path in sources()
        if path.name not in WITHOUT_LICENCE_LINE and not path.name.startswith(".coverage.")
        if "SPDX-License-Identifier: Apache-2.0"
        not in "".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[:3])
    ]

    assert without == []


def test_versions_are_pinned_without_addresses() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    asked = "".join(
        (ROOT / name).read_text(encoding="utf-8")
        for name in ("requirements.txt", "requirements-dev.txt")
    )
    names = {pin.partition("==")[0].lower().replace("_", "-") for pin in pins}

    assert all(pin.count("==") == 1 and "/" not in pin for pin in pins)
    wanted = {line for line in asked.splitlines() if line and line[0] not in "#-"}
    assert wanted - names == set()


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["mypy"],
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_python_is_clean(command: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr
