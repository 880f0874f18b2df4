# SPDX-License-Identifier: Apache-2.0
"""Bench of failure_domain: corners, random inputs, coverage, and its errata."""

from __future__ import annotations

from random import Random

from models.fleet.failure_domain import Inputs
from models.ports import Build
from tb.bench import Bench, BenchSpec, bench_test, expect
from tb.catalog import find
from tb.coverage import Points
from tb.draw import number

MODULE = find("failure_domain")


def draw(rng: Random) -> Inputs:
    """Fleets of all sizes, often on the two or three devices where a majority is at stake."""
    return Inputs(
        fail=int(rng.randrange(4) > 0),
        tenants_total=rng.choice([number(rng, 8), rng.randrange(256)]),
        devices_total=rng.choice([1, 2, 2, 3, number(rng, 8)]),
    )


POINTS = Points(MODULE)
POINTS.values("fail", lambda v: v.fail, [0, 1])
POINTS.values("without_devices", lambda v: int(v.devices_total == 0), [0, 1])
POINTS.values("without_tenants", lambda v: int(v.tenants_total == 0), [0, 1])
POINTS.cross("degenerate_fleets", "fail", "without_devices", "without_tenants")
POINTS.classes(
    "placement",
    {
        "one device": lambda v: v.devices_total == 1,
        "more devices than tenants": lambda v: v.devices_total > v.tenants_total > 0,
        "divides evenly": lambda v: v.devices_total and v.tenants_total % v.devices_total == 0,
        "rounded up": lambda v: v.devices_total,
    },
)
POINTS.boundary(
    "loss_against_half",
    lambda v: 2 * v.correct.tenants_lost - v.tenants_total,
    when=lambda v: v.fail and v.tenants_total and v.devices_total,
)
POINTS.boundary(
    "padded_sum_against_eight_bits", lambda v: v.tenants_total + v.devices_total - 1 - 255
)
POINTS.classes(
    "majority_shown_as",
    {
        "50 percent": lambda v: v.correct.majority_loss_err and v.correct.loss_pct == 50,
        "51 percent": lambda v: v.correct.majority_loss_err and v.correct.loss_pct == 51,
        "52 percent": lambda v: v.correct.majority_loss_err and v.correct.loss_pct == 52,
        "all of it": lambda v: v.correct.majority_loss_err and v.correct.loss_pct == 100,
    },
)
POINTS.seen(
    "packing_makes_the_difference",
    lambda v: v.broken.majority_loss_err and not v.correct.majority_loss_err,
)
POINTS.counters()

BENCH = BenchSpec(
    module=MODULE,
    draw=draw,
    cover=POINTS.sampler(),
    paces=(
        Inputs(fail=1, tenants_total=1, devices_total=1),
        Inputs(fail=1, tenants_total=1, devices_total=0),
    ),
    corners=tuple(
        Inputs(fail=fail, tenants_total=tenants, devices_total=devices)
        for fail in (0, 1)
        for tenants, devices in (
            *((tenants, devices) for tenants in (0, 1, 2, 255) for devices in (0, 1, 2, 255)),
            *((200, devices) for devices in range(54, 60)),
            (16, 2),
            (17, 2),
            (18, 2),
            (19, 3),
            (5, 3),
            (27, 2),
            (25, 2),
            (51, 2),
            (100, 3),
        )
    ),
)


@bench_test
async def d01_the_rounding_up_does_not_wrap(bench: Bench) -> None:
    """Large fleets have the blast radius that dealing tenants onto devices gives, not zero."""
    for tenants, devices, fullest, percent, majority in (
        (255, 2, 128, 50, 1),
        (2, 255, 1, 50, 0),
        (200, 100, 2, 1, 0),
        (255, 255, 1, 0, 0),
    ):
        cycle = await bench.cycle(tenants_total=tenants, devices_total=devices)
        expect(
            cycle,
            Build.CORRECT,
            per_device=fullest,
            tenants_lost=fullest,
            survivors=tenants - fullest,
            loss_pct=percent,
            majority_loss_err=majority,
        )


@bench_test
async def d02_a_majority_is_judged_before_rounding(bench: Bench) -> None:
    """26 of 51 is a majority although it reads 50 percent; exactly half is none."""
    for tenants, devices, percent, majority in (
        (51, 2, 50, 1),
        (201, 2, 50, 1),
        (50, 2, 50, 0),
        (49, 2, 51, 1),
        (27, 2, 51, 1),
        (35, 2, 51, 1),
    ):
        await bench.reset()
        cycle = await bench.cycle(tenants_total=tenants, devices_total=devices)
        expect(cycle, Build.CORRECT, loss_pct=percent, majority_loss_err=majority)
        assert cycle.after[Build.CORRECT] == {"n_failures": 1, "n_majority_loss": majority}


@bench_test
async def d19_without_devices_everybody_survives(bench: Bench) -> None:
    """Specified so: nobody was placed, so nobody is lost."""
    cycle = await bench.cycle(tenants_total=16, devices_total=0)
    for build in Build:
        expect(cycle, build, per_device=0, survivors=16, loss_pct=0, majority_loss_err=0)


@bench_test
async def d20_the_loss_never_exceeds_100_percent(bench: Bench) -> None:
    """Not even where everybody is lost: no ceiling on the percentage is needed."""
    for tenants in (1, 3, 255):
        cycle = await bench.cycle(tenants_total=tenants, devices_total=1)
        for build in Build:
            expect(cycle, build, loss_pct=100, survivors=0)
