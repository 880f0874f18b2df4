# SPDX-License-Identifier: Apache-2.0
"""Draws rows of a check plan as a WaveDrom picture, from what a simulation really showed."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import wavedrom

from models.ports import Build
from tb.catalog import ROOT
from tb.errors import SimulationDied, UsageError
from tb.exchange import RECORD_NAME, write_atomically
from tb.plan import load
from tb.results import RunResult
from tb.run import PLAN_TEST, STANDARD, Job, run

__all__ = ["draw_rows"]


def draw_rows(job: Job, rows: str | None, target: Path | None) -> Path:
    """Simulate the plan of ``job.module`` and write a picture of some of its rows.

    *rows* is a first and a last row id with a dash between, a single id, or None for the rows of
    kind *wave* (all rows where there are none). Beside the SVG its WaveDrom source is written.

    Raises:
        UsageError: a row is not in the plan.
    """
    wanted = _wanted(job, rows)
    result = run(Job(job.module, job.simulator, job.seed, only=f"^{STANDARD}.{PLAN_TEST}$"))
    record = json.loads((job.folder / RECORD_NAME).read_text(encoding="utf-8"))
    missing = [row for row in wanted if row not in record["rows"]]
    if missing:
        raise SimulationDied(
            f"{job.module.name}: row {missing[0]} was never driven: {result.failures()}"
        )
    source = json.dumps(_picture(job, wanted, record["rows"], result), indent=1)
    default = f"{job.module.name}-{wanted[0]}-{wanted[-1]}.svg"
    svg = target or ROOT / "sim_build" / "waves" / default
    svg.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(svg.with_suffix(".json"), source + "\n")
    drawing = wavedrom.render(source)
    write_atomically(svg, drawing.tostring() + "\n")
    return svg


def _wanted(job: Job, rows: str | None) -> list[str]:
    plan = load(job.module)
    ids = [row.id for row in plan.rows]
    if rows is None:
        return [row.id for row in plan.of_kind("wave")] or ids
    first, _, last = rows.partition("-")
    for each in (first, last or first):
        if each not in ids:
            raise UsageError(
                f"{job.module.name} has no row {each!r}; its rows are {', '.join(ids)}"
            )
    wanted = ids[ids.index(first) : ids.index(last or first) + 1]
    if not wanted:
        raise UsageError(f"row {first} comes after row {last} in {job.module.name}")
    return wanted


def _picture(
    job: Job, wanted: list[str], rows: dict[str, Any], result: RunResult
) -> dict[str, Any]:
    model = job.module.model()
    driven = [rows[row] for row in wanted]
    signals: list[Any] = [
        {"name": "clk", "wave": "n" + "." * (len(wanted) - 1)},  # a cycle begins by falling
        {"name": "row", "wave": "=" * len(wanted), "data": wanted},
    ]
    for name, width in model.Inputs.widths().items():
        signals.append(_lane(name, [cycle["inputs"][name] for cycle in driven], width))
    for build in Build:
        which = build.name.lower()
        # A heading of its own: wavedrompy draws the bracket of a group across long names.
        signals += [{}, {"name": f"{which.upper()} BUILD"}]
        for name, width in model.Outputs.widths().items():
            signals.append(_lane(name, [cycle["outputs"][which][name] for cycle in driven], width))
        for name, width in model.State.widths().items():
            values = [cycle["after"][which][name] for cycle in driven]
            signals.append(_lane(f"{name}+", values, width))
    return {
        "signal": signals,
        "head": {"text": f"{job.module.name}, rows {wanted[0]} to {wanted[-1]}"},
        "foot": {"text": f"n+ is n just after the rising edge. {result.version}"},
        "config": {"hscale": 2},
    }


def _lane(name: str, values: list[int | str], width: int) -> dict[str, Any]:
    """One signal: levels for a single bit, boxes with numbers for more."""
    unknown = [isinstance(value, str) for value in values]
    if width == 1:
        symbols = ["x" if bad else str(value) for value, bad in zip(values, unknown, strict=True)]
    else:
        symbols = ["x" if bad else "=" for bad in unknown]
    wave = symbols[0]
    for (before, after), symbol in zip(pairwise(values), symbols[1:], strict=True):
        wave += "." if before == after else symbol
    lane: dict[str, Any] = {"name": name, "wave": wave}
    if width > 1:
        shown = [str(value) for value, symbol in zip(values, wave, strict=True) if symbol == "="]
        lane["data"] = shown
    return lane
