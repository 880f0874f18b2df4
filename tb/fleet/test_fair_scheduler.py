# SPDX-License-Identifier: Apache-2.0
"""Bench of fair_scheduler: corners, random inputs, coverage, and its errata."""

from __future__ import annotations

from random import Random

from models.fleet.fair_scheduler import Inputs
from models.ports import Build
from tb.bench import Bench, BenchSpec, bench_test, expect
from tb.catalog import find
from tb.coverage import Points
from tb.draw import near, number

MODULE = find("fair_scheduler")


def draw(rng: Random) -> Inputs:
    """Requests around the weighted part, around its complement and around the budget."""
    budget = number(rng, 16)
    a_weight, b_weight = number(rng, 8), number(rng, 8)
    part = budget * a_weight // (a_weight + b_weight or 1)
    return Inputs(
        arb_en=int(rng.randrange(4) > 0),
        a_weight=a_weight,
        b_weight=b_weight,
        a_req=near(rng, rng.choice([part, budget]), 16),
        b_req=near(rng, rng.choice([0, budget - part, budget]), 16),
        budget=budget,
    )


POINTS = Points(MODULE)
POINTS.values("arb_en", lambda v: v.arb_en, [0, 1])
POINTS.values("a_over", lambda v: v.broken.a_over_entitlement, [0, 1])
POINTS.values("b_short", lambda v: int(v.broken.b_grant < v.b_req), [0, 1])
POINTS.cross("unfair_needs_both", "arb_en", "a_over", "b_short")
POINTS.seen(
    "b_short_and_nobody_to_blame",
    lambda v: v.arb_en and v.broken.b_grant < v.b_req and not v.broken.a_over_entitlement,
)
POINTS.classes(
    "a_takes_what_b_leaves",
    {
        "all, B idle": lambda v: v.correct.a_over_entitlement and v.b_req == 0,
        "part, B modest": lambda v: v.correct.a_over_entitlement,
    },
)
POINTS.boundary("a_req_against_part", lambda v: v.a_req - v.correct.a_entitled)
POINTS.boundary("b_req_against_rest", lambda v: v.b_req - (v.budget - v.correct.a_entitled))
POINTS.boundary("a_req_against_budget", lambda v: v.a_req - v.budget)
POINTS.boundary("b_req_against_budget", lambda v: v.b_req - v.budget)
POINTS.classes(
    "weights",
    {
        "both zero": lambda v: v.a_weight == v.b_weight == 0,
        "A zero": lambda v: v.a_weight == 0,
        "B zero": lambda v: v.b_weight == 0,
        "largest": lambda v: v.a_weight == v.b_weight == 255,
        "equal": lambda v: v.a_weight == v.b_weight,
        "A heavier": lambda v: v.a_weight > v.b_weight,
        "B heavier": lambda v: True,
    },
)
POINTS.classes(
    "part",
    {
        "no budget": lambda v: v.budget == 0,
        "less than one unit": lambda v: 0 < v.budget * v.a_weight < v.a_weight + v.b_weight,
        "exact": lambda v: v.budget * v.a_weight % (v.a_weight + v.b_weight or 1) == 0,
        "rounded down": lambda v: True,
    },
)
POINTS.counters()

BENCH = BenchSpec(
    module=MODULE,
    draw=draw,
    cover=POINTS.sampler(),
    paces=(
        Inputs(arb_en=1, a_weight=1, b_weight=1, a_req=2, b_req=2, budget=2),
        Inputs(arb_en=1, a_weight=1, b_weight=1, a_req=2, b_req=0, budget=2),
    ),
    corners=tuple(
        Inputs(arb_en=enable, a_weight=a_weight, b_weight=b_weight, a_req=a, b_req=b, budget=budget)
        for enable in (0, 1)
        for a_weight, b_weight, budget in (
            (0, 0, 100),
            (0, 1, 100),
            (1, 0, 100),
            (1, 1, 100),
            (3, 1, 100),
            (1, 2, 100),
            (255, 255, 65535),
            (1, 255, 255),
            (1, 1, 0),
        )
        for a in sorted({0, 33, budget, *range(max(budget // 2 - 2, 0), budget // 2 + 3)})
        for b in sorted({0, 1, budget, *range(max(budget // 2 - 2, 0), budget // 2 + 3)})
    )
    + tuple(
        Inputs(arb_en=1, a_weight=1, b_weight=1, a_req=a, b_req=b, budget=100)
        for a, b in ((98, 98), (99, 99), (101, 101), (102, 102))
    ),
)


@bench_test
async def d07_no_unit_idles_while_somebody_asks(bench: Bench) -> None:
    """What a modest B does not ask for goes to A, and the two grants use the budget up."""
    for a_weight, b_weight, budget, a_req, b_req, a_grant, b_grant in (
        (0, 0, 2, 1, 1, 1, 1),
        (1, 2, 2, 1, 1, 1, 1),
        (3, 1, 100, 100, 1, 99, 1),
        (3, 1, 100, 100, 24, 76, 24),
        (3, 1, 100, 100, 25, 75, 25),
    ):
        cycle = await bench.cycle(
            a_weight=a_weight, b_weight=b_weight, budget=budget, a_req=a_req, b_req=b_req
        )
        expect(cycle, Build.CORRECT, a_grant=a_grant, b_grant=b_grant, unfairness_err=0)


@bench_test
async def d08_rounding_can_leave_a_small_weight_with_nothing(bench: Bench) -> None:
    """Specified so: the part is rounded down, nothing is carried over, only A's side is judged."""
    for a_weight, b_weight, budget, requests in (
        (1, 1, 1, 1),
        (1, 255, 255, 255),
        (0, 0, 100, 100),
    ):
        cycle = await bench.cycle(
            a_weight=a_weight, b_weight=b_weight, budget=budget, a_req=requests, b_req=requests
        )
        expect(cycle, Build.CORRECT, a_entitled=0, a_grant=0, b_grant=budget, unfairness_err=0)
