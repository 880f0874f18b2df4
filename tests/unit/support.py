# SPDX-License-Identifier: Apache-2.0
"""Shared by the unit tests: a small valid plan, and ways to make records without a simulator."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from tb.catalog import Module
from tb.results import CheckOutcome, CoverageCount, RunResult, TestOutcome

__all__ = ["EVICTION", "PLAN", "outcome", "plant", "printed", "result", "write"]

EVICTION = Module("fleet", "eviction_policy")
"""A module with a model: ``reclaim_req`` enables; two 1-bit inputs and outputs, 8-bit counters."""

PLAN = """\
number = 5
title = "Taking memory back"
side = "front"
prefix = "EVP"
constant = { notice_cycles = 10 }
rows = [
  { id = "E1", kind = "step", in = { tenant_acked = 0, elapsed_cycles = 9 }, note = "wait" },
  { id = "EP", kind = "probe", in = { tenant_acked = 1, elapsed_cycles = 255 }, note = "asked" },
  { id = "W0", kind = "wave", in = { tenant_acked = 0, elapsed_cycles = 9 }, note = "before" },
  { id = "W1", kind = "wave", in = { tenant_acked = 0, elapsed_cycles = 10 }, note = "over" },
]
checks = [
  { id = "EVP01", build = "correct", at = "E1", signal = "graceful", expect = 0, means = "no" },
  { id = "EVP02", build = "broken", at = "W0+", signal = "n_forced", expect = 1, means = "yes" },
  { id = "EVP03", build = "broken", at = "final", signal = "n_reclaims", expect = 1, means = "1" },
  { id = "EVP04", build = "broken", at = "count", signal = "may_reclaim", expect = 1, means = "1" },
]
"""
"""A plan of :data:`EVICTION` that has every kind of row and every moment of a check."""


def write(path: Path, text: str) -> Path:
    """Write *text* to *path* and make the folders that lead there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def plant(plan: str = PLAN) -> Module:
    """Give :data:`EVICTION` its four files, of which only the plan has a content."""
    write(EVICTION.plan_file, plan)
    for path in EVICTION.missing():
        write(path, "")
    return EVICTION


def printed(console: Console) -> str:
    """Everything that was printed on the console of that fixture."""
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def outcome(check: str, seen: int | str | None = 1, *, passed: bool = True) -> CheckOutcome:
    """The outcome of a check that expected 1."""
    return CheckOutcome(check, 1, seen, passed)


def result(
    module: str = "eviction_policy",
    simulator: str = "icarus",
    *,
    checks: tuple[CheckOutcome, ...] = (),
    failure: str = "",
) -> RunResult:
    """A run with one test, which failed if there is a *failure*."""
    return RunResult(
        module=module,
        chapter="fleet",
        side="front",
        simulator=simulator,
        version="Some Simulator 1.0",
        seed=1,
        started="2026-01-01T00:00:00+00:00",
        seconds=1.5,
        build=f"{module}-0123456789ab",
        tests=(TestOutcome("tb.standard", "a_test", 0.25, failure),),
        checks=checks,
        compared=300,
        coverage=CoverageCount(1, 2, ("fleet.evp.point[0]",)),
    )
