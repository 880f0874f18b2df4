# SPDX-License-Identifier: Apache-2.0
"""Where generated things go: one folder, ignored by git, removed by ``make clean``."""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Iterator
from pathlib import Path

from tb.catalog import ROOT, Module

__all__ = ["COVERAGE", "SIM_BUILD", "SUMMARY", "lock", "run_folder"]

SIM_BUILD = ROOT / "sim_build"
SUMMARY = SIM_BUILD / "summary"
COVERAGE = SIM_BUILD / "coverage"


def run_folder(module: Module, simulator: str) -> Path:
    """The folder of the newest run of *module* under *simulator*."""
    return SIM_BUILD / "run" / simulator / module.name


@contextlib.contextmanager
def lock(name: str) -> Iterator[None]:
    """Hold the lock called *name* against other processes of this checkout."""
    path = SIM_BUILD / "lock" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
