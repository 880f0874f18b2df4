# SPDX-License-Identifier: Apache-2.0
"""Bench of eviction_policy: corners, random inputs, coverage, and its errata."""

from __future__ import annotations

from random import Random

from models.fleet.eviction_policy import Inputs
from models.ports import Build
from tb.bench import Bench, BenchSpec, bench_test, expect
from tb.catalog import find
from tb.coverage import Points
from tb.draw import near, number

MODULE = find("eviction_policy")


def draw(rng: Random) -> Inputs:
    """Elapsed times around the length of the notice, acknowledged one time in three."""
    notice = number(rng, 8)
    return Inputs(
        reclaim_req=int(rng.randrange(4) > 0),
        tenant_acked=int(rng.randrange(3) == 0),
        notice_cycles=notice,
        elapsed_cycles=near(rng, notice, 8),
    )


POINTS = Points(MODULE)
POINTS.values("reclaim_req", lambda v: v.reclaim_req, [0, 1])
POINTS.values("tenant_acked", lambda v: v.tenant_acked, [0, 1])
POINTS.values("notice_expired", lambda v: v.correct.notice_expired, [0, 1])
POINTS.cross("either_route_alone", "reclaim_req", "tenant_acked", "notice_expired")
POINTS.seen(
    "taken_and_graceful", lambda v: v.reclaim_req and v.broken.may_reclaim and v.broken.graceful
)
POINTS.seen(
    "taken_and_not_graceful",
    lambda v: v.reclaim_req and v.broken.may_reclaim and not v.broken.graceful,
)
POINTS.seen(
    "requested_and_neither_taken_nor_graceful",
    lambda v: v.reclaim_req and not v.correct.may_reclaim and not v.correct.graceful,
)
POINTS.seen(
    "not_graceful_and_nothing_requested", lambda v: not v.reclaim_req and not v.broken.graceful
)
POINTS.boundary("elapsed_against_notice", lambda v: v.elapsed_cycles - v.notice_cycles)
POINTS.classes(
    "notice",
    {
        "zero, nothing elapsed, no acknowledgement": lambda v: (
            v.notice_cycles == v.elapsed_cycles == v.tenant_acked == 0
        ),
        "one cycle": lambda v: v.notice_cycles == 1,
        "ten cycles": lambda v: v.notice_cycles == 10,
        "longest": lambda v: v.notice_cycles == 255,
    },
)
POINTS.classes(
    "forced_count",
    {
        "at rest at six, notice over": lambda v: v.broken.n_forced == 6 and v.broken.graceful,
        "growing": lambda v: v.broken.n_forced and v.broken.abrupt_eviction_err,
    },
)
POINTS.counters()

BENCH = BenchSpec(
    module=MODULE,
    draw=draw,
    cover=POINTS.sampler(),
    paces=(
        Inputs(reclaim_req=1, tenant_acked=0, notice_cycles=1, elapsed_cycles=0),
        Inputs(reclaim_req=1, tenant_acked=1, notice_cycles=1, elapsed_cycles=0),
    ),
    corners=tuple(
        Inputs(
            reclaim_req=request, tenant_acked=acked, notice_cycles=notice, elapsed_cycles=elapsed
        )
        for request in (1, 0)
        for acked in (0, 1)
        for notice, elapsed in (
            (0, 0),
            (0, 255),
            (1, 0),
            (1, 1),
            *((10, elapsed) for elapsed in range(8, 13)),
            (255, 254),
            (255, 255),
        )
    ),
)


@bench_test
async def d17_requests_are_counted_whether_granted_or_not(bench: Bench) -> None:
    """Specified so: a refused request counts, and permission is shown without a request."""
    cycle = await bench.cycle(notice_cycles=1, elapsed_cycles=0)
    expect(cycle, Build.CORRECT, may_reclaim=0)
    assert cycle.after[Build.CORRECT] == {"n_reclaims": 1, "n_forced": 0}
    cycle = await bench.cycle(reclaim_req=0, tenant_acked=1, notice_cycles=1)
    expect(cycle, Build.CORRECT, may_reclaim=1, abrupt_eviction_err=0)
    assert cycle.after[Build.CORRECT] == {"n_reclaims": 1, "n_forced": 0}
