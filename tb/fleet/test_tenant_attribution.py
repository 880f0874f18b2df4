# SPDX-License-Identifier: Apache-2.0
"""Bench of tenant_attribution: corners, random inputs, coverage, and its errata."""

from __future__ import annotations

from random import Random

from models.fleet.tenant_attribution import Inputs
from models.ports import Build
from tb.bench import Bench, BenchSpec, bench_test, expect
from tb.catalog import find
from tb.coverage import Points, View

MODULE = find("tenant_attribution")


def draw(rng: Random) -> Inputs:
    """Mostly the two tenants with counters of their own; suspects off by one bit or none."""
    tenant = rng.choice([0, 0, 1, rng.randrange(16)])
    return Inputs(
        event_valid=int(rng.randrange(4) > 0),
        tenant_id=tenant,
        suspect_id=rng.choice([tenant, tenant ^ (1 << rng.randrange(4)), rng.randrange(16)]),
    )


def balance(view: View) -> str | None:
    """How the two per-tenant counters compare, once anything was counted."""
    first, second = view.correct.t0_events, view.correct.t1_events
    if first == second:
        return "even" if first else None
    return "uneven, tenant 0 ahead" if first > second else "uneven, tenant 1 ahead"


POINTS = Points(MODULE)
POINTS.values("event_valid", lambda v: v.event_valid, [0, 1])
POINTS.values("tenant", lambda v: min(v.tenant_id, 2), [0, 1, 2])
POINTS.values("correct_suspect", lambda v: v.correct.correct_suspect, [0, 1])
POINTS.cross("accusation", "event_valid", "tenant", "correct_suspect")
POINTS.classes(
    "identifiers_differ_in",
    {
        "nothing": lambda v: v.tenant_id == v.suspect_id,
        "bit 0 alone": lambda v: v.tenant_id ^ v.suspect_id == 1,
        "bit 1 alone": lambda v: v.tenant_id ^ v.suspect_id == 2,
        "bit 2 alone": lambda v: v.tenant_id ^ v.suspect_id == 4,
        "bit 3 alone": lambda v: v.tenant_id ^ v.suspect_id == 8,
        "several bits": lambda v: True,
    },
)
POINTS.values(
    "tenant_counters", balance, ["even", "uneven, tenant 0 ahead", "uneven, tenant 1 ahead"]
)
POINTS.values("tenant_number", lambda v: v.tenant_id, range(16))
POINTS.seen(
    "nobody_named_so_nobody_wronged",
    lambda v: v.correct.misattribution_err and not v.broken.misattribution_err,
)
POINTS.counters()

BENCH = BenchSpec(
    module=MODULE,
    draw=draw,
    cover=POINTS.sampler(),
    paces=(
        Inputs(event_valid=1, tenant_id=0, suspect_id=0),
        Inputs(event_valid=1, tenant_id=1, suspect_id=0),
        Inputs(event_valid=1, tenant_id=2, suspect_id=2),
    ),
    corners=tuple(
        Inputs(event_valid=event, tenant_id=tenant, suspect_id=tenant ^ difference)
        for event in (1, 0)
        for tenant in (0, 1, 1, 0, *range(16))
        for difference in (0, 1, 2, 4, 8, 15)
    ),
)


@bench_test
async def d16_only_tenants_0_and_1_have_a_counter_of_their_own(bench: Bench) -> None:
    """Specified so: tenant 2 shows in the total alone, and a wrong accusation still counts."""
    cycle = await bench.cycle(tenant_id=2, suspect_id=2)
    expected = {"n_events": 1, "n_attributed": 1, "t0_events": 0, "t1_events": 0}
    assert cycle.after[Build.CORRECT] == expected
    cycle = await bench.cycle(tenant_id=0, suspect_id=1)
    expect(cycle, Build.CORRECT, misattribution_err=1)
    expected = {"n_events": 2, "n_attributed": 2, "t0_events": 1, "t1_events": 0}
    assert cycle.after[Build.CORRECT] == expected
