# SPDX-License-Identifier: Apache-2.0
"""A weaker bench out of the same one: its plan with some of the rows left out.

What a row is worth shows in what gets past the bench without it. Rows are named in the environment;
``make mutate-weak`` does so, and nothing else: the run function clears such variables.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Mapping
from types import ModuleType

from models.ports import Build
from tb.catalog import Module, modules
from tb.errors import PlanError
from tb.exchange import LEAVE_OUT_ENV
from tb.plan import Plan, Row, load

__all__ = ["counted", "planned", "without"]

Moment = tuple[Build, str]
"""A build and the word of the plan for when it is looked at."""


def planned(module: Module) -> Plan:
    """The plan of *module*, without the rows that the environment says to leave out.

    Raises:
        PlanError: a row stands in no plan, or no row of this one is left.
    """
    plan = load(module)
    rows = os.environ.get(LEAVE_OUT_ENV, "").split()
    if not rows:
        return plan
    known = {row.id for each in modules() for row in load(each).rows}
    for row in rows:
        if row not in known:
            raise PlanError(
                f"{LEAVE_OUT_ENV} names {row}, which is a row of no plan: "
                "rows stand in tb/<chapter>/<module>.toml, names are divided by spaces"
            )
    return without(plan, rows, module.model())


def without(plan: Plan, rows: Collection[str], model: ModuleType) -> Plan:
    """*plan* without *rows* and without the checks on them.

    What is counted over several rows is worked out anew with *model*; all other values stay as they
    were written down.

    Raises:
        PlanError: no row is left.
    """
    kept = tuple(row for row in plan.rows if row.id not in rows)
    if not kept:
        raise PlanError(f"{LEAVE_OUT_ENV} leaves no row of the plan with the prefix {plan.prefix}")
    expected = counted(kept, plan.constant, model)
    checks = []
    for check in plan.checks:
        if check.at.removesuffix("+") in rows:
            continue
        if (check.of, check.at) in expected:
            count = expected[check.of, check.at][check.signal]
            if count != check.expect:
                means = f"in the whole plan {check.expect}: {check.means}"
                check = check.model_copy(update={"expect": count, "means": means})
        checks.append(check)
    return Plan(**{**dict(plan), "rows": kept, "checks": tuple(checks)})


def counted(
    rows: Collection[Row], constant: Mapping[str, int], model: ModuleType
) -> dict[Moment, Mapping[str, int]]:
    """What *model* says that is counted over several rows.

    That is the counters at ``X+`` and ``final``, and at ``count`` how often each flag was raised.
    """
    seen: dict[Moment, Mapping[str, int]] = {}
    for build in Build:
        state, ones = model.State(), Counter[str]()
        for row in [each for each in rows if each.kind != "wave"]:
            outputs, state = model.step(_inputs(row, constant, model), state, build)
            seen[build, f"{row.id}+"] = state.values()
            if row.kind == "step":
                ones.update(name for name, value in outputs.values().items() if value == 1)
        seen[build, "final"] = state.values()
        seen[build, "count"] = ones
        state = model.State()
        for row in [each for each in rows if each.kind == "wave"]:
            _, state = model.step(_inputs(row, constant, model), state, build)
            seen[build, f"{row.id}+"] = state.values()
    return seen


def _inputs(row: Row, constant: Mapping[str, int], model: ModuleType) -> object:
    return model.Inputs(**constant, **row.inputs, **{model.ENABLE: int(row.kind != "probe")})
