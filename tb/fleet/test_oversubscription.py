# SPDX-License-Identifier: Apache-2.0
"""Bench of oversubscription: corners, random inputs, coverage, and its errata."""

from __future__ import annotations

from random import Random

from models.fleet.oversubscription import RATIO_MAX, Inputs
from models.ports import Build
from tb.bench import Bench, BenchSpec, bench_test, expect
from tb.catalog import find
from tb.coverage import Points, View
from tb.draw import near, number

MODULE = find("oversubscription")


def draw(rng: Random) -> Inputs:
    """Quotas and use around the size of the pool, and now and then around the ratio's ceiling."""
    pool = number(rng, 16)
    quota = RATIO_MAX * pool // 100 if pool < 100 and rng.randrange(4) == 0 else pool
    return Inputs(
        step=int(rng.randrange(4) > 0),
        pool_gb=pool,
        sum_quota_gb=near(rng, quota, 16),
        sum_used_gb=near(rng, pool, 16),
    )


def true_ratio(view: View) -> int:
    """The ratio before its ceiling, in percent; 0 for an empty pool."""
    return int(100 * view.sum_quota_gb // view.pool_gb) if view.pool_gb else 0


POINTS = Points(MODULE)
POINTS.values("step", lambda v: v.step, [0, 1])
POINTS.values("oversubscribed", lambda v: v.correct.oversubscribed, [0, 1])
POINTS.values("pool_exhausted", lambda v: v.correct.pool_exhausted, [0, 1])
POINTS.cross("broken_promise_needs_both", "step", "oversubscribed", "pool_exhausted")
POINTS.boundary("quota_against_pool", lambda v: v.sum_quota_gb - v.pool_gb)
POINTS.boundary("use_against_pool", lambda v: v.sum_used_gb - v.pool_gb)
POINTS.classes(
    "room_for_a_promise",
    {
        "none in the quotas": lambda v: v.sum_quota_gb == v.pool_gb > v.sum_used_gb,
        "none in the memory": lambda v: v.sum_quota_gb < v.pool_gb <= v.sum_used_gb,
        "none in either": lambda v: v.sum_quota_gb >= v.pool_gb <= v.sum_used_gb,
        "one GB in both": lambda v: v.sum_quota_gb == v.sum_used_gb == v.pool_gb - 1,
    },
)
POINTS.classes(
    "empty_pool",
    {
        "nothing promised": lambda v: v.pool_gb == v.sum_quota_gb == 0,
        "quota outstanding": lambda v: v.pool_gb == 0 < v.sum_quota_gb,
    },
)
POINTS.boundary("ratio_against_its_ceiling", lambda v: true_ratio(v) - RATIO_MAX)
POINTS.classes(
    "ratio",
    {
        "rounded down to 100": lambda v: v.correct.oversubscribed and v.correct.ratio_x100 == 100,
        "exact": lambda v: v.pool_gb and 100 * v.sum_quota_gb % v.pool_gb == 0,
        "rounded down": lambda v: v.pool_gb,
    },
)
POINTS.seen(
    "promised_by_broken_build_alone",
    lambda v: v.broken.can_promise_more and not v.correct.can_promise_more,
)
POINTS.counters()

BENCH = BenchSpec(
    module=MODULE,
    draw=draw,
    cover=POINTS.sampler(),
    paces=(
        Inputs(step=1, pool_gb=1, sum_quota_gb=0, sum_used_gb=1),
        Inputs(step=1, pool_gb=1, sum_quota_gb=0, sum_used_gb=0),
    ),
    corners=tuple(
        Inputs(step=step, pool_gb=pool, sum_quota_gb=quota, sum_used_gb=used)
        for step in (0, 1)
        for pool, quota, used in (
            (0, 0, 0),
            (0, 1, 0),
            (0, 1, 1),
            *((256, quota, used) for quota in range(254, 259) for used in range(254, 259)),
            (20, 13106, 0),
            (20, 13107, 0),
            (1, 655, 0),
            (75, 49151, 74),
            (75, 49152, 75),
            (1, 656, 1),
            (100, 65534, 0),
            (3, 1, 0),
            (65535, 65535, 65534),
            (1, 65535, 0),
            # 100 times these is a little above a power of two: a narrower product would read low.
            *((1, quota, 0) for quota in (1311, 2622, 5243, 10486, 20972, 41944)),
        )
    ),
)


@bench_test
async def d12_a_promise_needs_room_for_it(bench: Bench) -> None:
    """No promise when quotas fill the pool or memory is gone; one GB of room in both is enough."""
    for pool, quota, used, may_promise in (
        (0, 0, 0, 0),
        (256, 256, 256, 0),
        (256, 255, 256, 0),
        (256, 256, 255, 0),
        (256, 255, 255, 1),
    ):
        cycle = await bench.cycle(pool_gb=pool, sum_quota_gb=quota, sum_used_gb=used)
        expect(cycle, Build.CORRECT, can_promise_more=may_promise)
        expect(cycle, Build.BROKEN, can_promise_more=1)


@bench_test
async def d11_an_empty_pool_reads_ratio_zero(bench: Bench) -> None:
    """Specified so: the flag, not the ratio, tells of a quota on an empty pool."""
    cycle = await bench.cycle(sum_quota_gb=1)
    for build in Build:
        expect(cycle, build, ratio_x100=0, oversubscribed=1, broken_promise_err=1)


@bench_test
async def d13_promises_are_judged_on_sums(bench: Bench) -> None:
    """Specified so: quotas 1 + 1 with use 2 + 0 look the same as 1 + 1, and raise no flag."""
    cycle = await bench.cycle(pool_gb=2, sum_quota_gb=2, sum_used_gb=2)
    for build in Build:
        expect(cycle, build, oversubscribed=0, pool_exhausted=1, broken_promise_err=0)


@bench_test
async def d14_a_ratio_of_100_can_hide_an_oversubscribed_pool(bench: Bench) -> None:
    """Specified so: the ratio is rounded down, the flag is exact."""
    cycle = await bench.cycle(pool_gb=101, sum_quota_gb=102)
    for build in Build:
        expect(cycle, build, ratio_x100=100, oversubscribed=1)
