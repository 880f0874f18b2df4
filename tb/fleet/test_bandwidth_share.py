# SPDX-License-Identifier: Apache-2.0
"""Bench of bandwidth_share: corners, random inputs, coverage, and its errata."""

from __future__ import annotations

from random import Random

from models.fleet.bandwidth_share import Inputs
from models.ports import Build
from tb.bench import Bench, BenchSpec, bench_test, expect
from tb.catalog import find
from tb.coverage import Points
from tb.draw import near, number

MODULE = find("bandwidth_share")


def draw(rng: Random) -> Inputs:
    """Demands around the entitlement and around what it leaves of the link."""
    link = number(rng, 16)
    share = rng.choice([0, 1, 50, 99, 100, 101, 255, rng.randrange(256)])
    cap = min(link * share // 100, link)
    return Inputs(
        cycle_en=int(rng.randrange(4) > 0),
        a_demand=near(rng, rng.choice([cap, link]), 16),
        b_demand=near(rng, rng.choice([link - cap, 0]), 16),
        link_gbps=link,
        a_share_pct=share,
    )


POINTS = Points(MODULE)
POINTS.values("cycle_en", lambda v: v.cycle_en, [0, 1])
POINTS.values("b_short", lambda v: int(v.broken.b_served < v.b_demand), [0, 1])
POINTS.values("a_over", lambda v: int(v.broken.a_served > v.broken.a_cap), [0, 1])
POINTS.cross("starvation_needs_both", "cycle_en", "b_short", "a_over")
POINTS.seen(
    "b_short_and_nobody_to_blame",
    lambda v: v.cycle_en and v.broken.b_starved_by and v.broken.a_served <= v.broken.a_cap,
)
POINTS.seen(
    "a_over_and_b_idle",
    lambda v: v.cycle_en and v.broken.a_served > v.broken.a_cap and v.b_demand == 0,
)
POINTS.boundary("a_demand_against_entitlement", lambda v: v.a_demand - v.correct.a_cap)
POINTS.boundary("a_demand_against_link", lambda v: v.a_demand - v.link_gbps)
POINTS.boundary(
    "b_demand_against_what_is_left", lambda v: v.b_demand - (v.link_gbps - v.correct.a_served)
)
POINTS.boundary("share_against_whole_link", lambda v: v.a_share_pct - 100)
POINTS.seen("no_share_at_all", lambda v: v.a_share_pct == 0 and v.a_demand)
POINTS.classes(
    "entitlement",
    {
        "no link": lambda v: v.link_gbps == 0,
        "rounded down": lambda v: v.link_gbps * v.a_share_pct % 100 and v.a_share_pct < 100,
        "exact": lambda v: True,
    },
)
POINTS.seen("both_idle", lambda v: v.a_demand == v.b_demand == 0)
POINTS.counters()

BENCH = BenchSpec(
    module=MODULE,
    draw=draw,
    cover=POINTS.sampler(),
    paces=(
        Inputs(cycle_en=1, a_demand=10, b_demand=10, link_gbps=10, a_share_pct=50),
        Inputs(cycle_en=1, a_demand=10, b_demand=0, link_gbps=10, a_share_pct=50),
    ),
    corners=tuple(
        Inputs(cycle_en=enable, a_demand=a, b_demand=b, link_gbps=link, a_share_pct=share)
        for enable in (0, 1)
        for link, share in (
            (0, 50),
            (100, 50),
            (100, 0),
            (100, 99),
            (100, 100),
            (100, 101),
            (64888, 255),
            (7, 33),
        )
        for a, b in (
            (0, 0),
            (link, 0),
            *((max(link // 2 + off, 0), link // 2) for off in range(-2, 3)),
            *((link // 2, max(link // 2 + off, 0)) for off in range(-2, 3)),
            *((max(link + off, 0), 1) for off in range(-2, 3)),
        )
    ),
)


@bench_test
async def d05_nobody_is_served_more_than_the_link(bench: Bench) -> None:
    """A share above 100 percent means the whole link, and both tenants still share one link."""
    cycle = await bench.cycle(link_gbps=2, a_share_pct=150, a_demand=3)
    expect(cycle, Build.CORRECT, a_cap=2, a_served=2, b_served=0)
    cycle = await bench.cycle(link_gbps=100, a_share_pct=101, a_demand=101, b_demand=65000)
    expect(cycle, Build.CORRECT, a_cap=100, a_served=100, b_served=0, b_starved_by=65000)
    cycle = await bench.cycle(link_gbps=100, a_share_pct=101, a_demand=100, b_demand=50)
    expect(cycle, Build.BROKEN, a_cap=100, a_served=100, b_served=0, starvation_err=0)


@bench_test
async def d06_an_entitlement_above_the_link_does_not_wrap(bench: Bench) -> None:
    """101 percent of 64888 is the link, not the zero that 16 bits would leave of it."""
    for link, share in ((64888, 101), (25701, 255), (65535, 255)):
        cycle = await bench.cycle(link_gbps=link, a_share_pct=share, a_demand=65535)
        for build in Build:
            expect(cycle, build, a_cap=link, a_served=link)


@bench_test
async def d09_the_entitlement_is_a_ceiling_even_on_an_idle_link(bench: Bench) -> None:
    """Specified so: with B silent, A is still held to its part."""
    cycle = await bench.cycle(link_gbps=2, a_share_pct=50, a_demand=2)
    expect(cycle, Build.CORRECT, a_cap=1, a_served=1)
    expect(cycle, Build.BROKEN, a_served=2)
    cycle = await bench.cycle(link_gbps=1, a_share_pct=99, a_demand=1)
    expect(cycle, Build.CORRECT, a_cap=0, a_served=0)
