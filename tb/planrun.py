# SPDX-License-Identifier: Apache-2.0
"""Drives the rows of a check plan and judges every check of it."""

from __future__ import annotations

from collections.abc import Mapping

from models.ports import Build
from tb.agent import Value
from tb.bench import RECORDER, Bench
from tb.plan import Plan, Row

__all__ = ["run_plan"]

Samples = dict[tuple[Build, str], Mapping[str, Value]]
"""What was read, by build and by the plan's word for the moment (``A2``, ``W5+``, ``final``)."""


async def run_plan(bench: Bench, plan: Plan) -> None:
    """Drive every row, record every check, and fail with a list of those that do not hold.

    Raises:
        AssertionError: checks failed or were never reached; the message names each check, its row,
            the expected and the seen value.
    """
    samples = await _drive(bench, plan)
    failures = {}
    for check in plan.checks:
        sample = samples.get((check.of, check.at))
        if sample is None:
            failures[check.id] = f"{check}: never reached"
            continue
        seen = sample[check.signal]
        passed = seen == check.expect
        RECORDER.checks[check.id] = {"expect": check.expect, "seen": seen, "passed": passed}
        line = f"{check}: expected {check.expect}, seen {seen} ({check.means})"
        if passed:
            bench.dut._log.debug("%s", line)
        else:
            bench.dut._log.error("%s", line)
            failures[check.id] = line
    held = len(plan.checks) - len(failures)
    bench.dut._log.info("%d of %d checks passed", held, len(plan.checks))
    if failures:
        # Raised, not asserted: cocotb would append the parts of the assert expression.
        # The first line alone says which checks: some only keep that.
        count = f"{len(failures)} of {len(plan.checks)} checks failed: {' '.join(failures)}"
        raise AssertionError("\n".join([count, *failures.values()]))


async def _drive(bench: Bench, plan: Plan) -> Samples:
    samples: Samples = {}
    ones: dict[Build, dict[str, Value]] = {build: {} for build in Build}

    async def apply(row: Row) -> None:
        enable = int(row.kind != "probe")
        cycle = await bench.cycle(**plan.constant, **row.inputs, **{bench.model.ENABLE: enable})
        for build in Build:
            samples[build, row.id] = cycle.outputs[build]
            samples[build, f"{row.id}+"] = cycle.after[build]
            if row.kind == "step":
                for name, seen in cycle.outputs[build].items():
                    # An unknown bit makes the whole count unknown.
                    count = ones[build].get(name, 0)
                    unknown = next((each for each in (count, seen) if isinstance(each, str)), None)
                    ones[build][name] = unknown or int(count) + int(seen == 1)
        RECORDER.rows[row.id] = {
            "inputs": dict(cycle.inputs),
            "outputs": {build.name.lower(): dict(cycle.outputs[build]) for build in Build},
            "after": {build.name.lower(): dict(cycle.after[build]) for build in Build},
        }

    for row in plan.of_kind("step") + plan.of_kind("probe"):
        await apply(row)
    final = await bench.drive(bench.idle)
    for build in Build:
        samples[build, "final"] = final.before[build]
        samples[build, "count"] = ones[build]
    if waves := plan.of_kind("wave"):
        await bench.reset()
        for row in waves:
            await apply(row)
    return samples
