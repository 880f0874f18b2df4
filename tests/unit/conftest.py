# SPDX-License-Identifier: Apache-2.0
"""Shared by the unit tests: a checkout of their own, and an empty coverage database."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cocotb_coverage.coverage import coverage_db
from rich.console import Console

import tb.build
import tb.catalog
import tb.closure
import tb.regress
import tb.wavedrom
from tb.coverage import CROSSED
from tb.plan import load


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty checkout: every path that ``tb`` derives from ROOT lies in a temporary folder.

    Models are still imported from the real one. What ``tb`` remembers is forgotten before and
    after, so that nothing that was read here is seen by another test.
    """
    places = {
        "ROOT": tmp_path,
        "SIM_BUILD": tmp_path / "sim_build",
        "SUMMARY": tmp_path / "sim_build" / "summary",
        "COVERAGE": tmp_path / "sim_build" / "coverage",
    }
    for name, module in list(sys.modules.items()):
        for place, path in places.items():
            if name.startswith("tb.") and hasattr(module, place):
                monkeypatch.setattr(module, place, path)
    tb.catalog.modules.cache_clear()
    load.cache_clear()
    yield tmp_path
    tb.catalog.modules.cache_clear()
    load.cache_clear()


@pytest.fixture
def fresh_coverage() -> Iterator[None]:
    """cocotb-coverage keeps one database a process: empty here, and put back afterwards."""
    database, crosses = dict(coverage_db), dict(CROSSED)
    coverage_db.clear()
    CROSSED.clear()
    yield
    coverage_db.clear()
    CROSSED.clear()
    coverage_db.update(database)
    CROSSED.update(crosses)


@pytest.fixture
def console() -> Console:
    """A console that is no terminal; ``printed`` gives what it was told."""
    return Console(file=io.StringIO(), width=150)
