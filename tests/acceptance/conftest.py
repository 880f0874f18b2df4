# SPDX-License-Identifier: Apache-2.0
"""A copy of the checkout to break, and a way to run commands in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tb.catalog import ROOT
from tb.paths import SIM_BUILD


@dataclass(frozen=True)
class Checkout:
    """A copy of the sources that a test may damage."""

    root: Path

    def edit(self, path: str, old: str, new: str) -> None:
        """Replace the only occurrence of *old*."""
        file = self.root / path
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path}"
        file.write_text(text.replace(old, new), encoding="utf-8")

    def tb(self, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Run ``python -m tb`` there."""
        return subprocess.run(
            [sys.executable, "-m", "tb", *arguments],
            cwd=self.root,
            env=self.environment() | env,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )

    def environment(self) -> dict[str, str]:
        """The caller's, without its PYTHONPATH; compiled objects are shared with this checkout."""
        env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return env | {"CCACHE_DIR": str(SIM_BUILD / "ccache"), "COLUMNS": "200"}


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """A fresh copy of the hardware, the models and the benches."""
    for tree in ("rtl", "models", "tb"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / tree, tmp_path / tree, ignore=ignored)
    return Checkout(tmp_path)
