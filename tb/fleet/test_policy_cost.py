# SPDX-License-Identifier: Apache-2.0
"""Bench of policy_cost: corners, random inputs, coverage, and its errata."""

from __future__ import annotations

from random import Random

from models.fleet.policy_cost import TOTAL_MAX, Inputs
from models.ports import Build
from tb.bench import Bench, BenchSpec, bench_test, expect
from tb.catalog import find
from tb.coverage import Points
from tb.draw import near, number

MODULE = find("policy_cost")


def draw(rng: Random) -> Inputs:
    """Budgets around the total of one build or the other, bases often near their largest."""
    checks, each = number(rng, 8), number(rng, 8)
    base = rng.choice([number(rng, 16), TOTAL_MAX - rng.randrange(300)])
    policy = rng.choice([checks * each, each if checks else 0])
    return Inputs(
        alloc=int(rng.randrange(4) > 0),
        n_checks=checks,
        per_check_us=each,
        base_alloc_us=base,
        budget_us=near(rng, min(base + policy, TOTAL_MAX), 16),
    )


POINTS = Points(MODULE)
POINTS.values("alloc", lambda v: v.alloc, [0, 1])
POINTS.values("met", lambda v: v.correct.budget_met, [0, 1])
POINTS.values("met_serially", lambda v: v.broken.budget_met, [0, 1])
POINTS.cross("verdicts", "alloc", "met", "met_serially", never=[(None, 0, 1)])
POINTS.boundary(
    "total_against_budget", lambda v: v.base_alloc_us + v.correct.policy_us - v.budget_us
)
POINTS.boundary(
    "serial_total_against_budget", lambda v: v.base_alloc_us + v.broken.policy_us - v.budget_us
)
POINTS.boundary(
    "total_against_its_ceiling", lambda v: v.base_alloc_us + v.correct.policy_us - TOTAL_MAX
)
POINTS.classes(
    "checks",
    {
        "none": lambda v: v.n_checks == 0,
        "one": lambda v: v.n_checks == 1,
        "largest, of the longest": lambda v: v.n_checks == v.per_check_us == 255,
        "some": lambda v: True,
    },
)
POINTS.classes(
    "total",
    {
        "zero, no checks": lambda v: v.base_alloc_us == v.n_checks == 0,
        "zero, checks that take no time": lambda v: v.base_alloc_us == v.per_check_us == 0,
        "policy alone": lambda v: v.base_alloc_us == 0,
        "base alone": lambda v: v.correct.policy_us == 0,
        "both": lambda v: True,
    },
)
POINTS.seen(
    "more_checks_cost_the_correct_build_nothing",
    lambda v: v.n_checks > 1 and 0 < v.correct.policy_us < v.broken.policy_us,
)
POINTS.counters()

BENCH = BenchSpec(
    module=MODULE,
    draw=draw,
    cover=POINTS.sampler(),
    paces=(
        Inputs(alloc=1, n_checks=1, per_check_us=2, base_alloc_us=0, budget_us=1),
        Inputs(alloc=1, n_checks=1, per_check_us=2, base_alloc_us=0, budget_us=2),
    ),
    corners=tuple(
        Inputs(
            alloc=alloc, n_checks=checks, per_check_us=each, base_alloc_us=base, budget_us=budget
        )
        for alloc in (0, 1)
        for checks, each, base, budget in (
            *((checks, each, 0, 0) for checks in (0, 1, 255) for each in (0, 255)),
            *((1, 10, 100, budget) for budget in range(108, 113)),
            *((10, 10, 100, budget) for budget in range(198, 203)),
            *((1, 1, base, TOTAL_MAX) for base in range(TOTAL_MAX - 3, TOTAL_MAX + 1)),
            (1, 2, TOTAL_MAX, TOTAL_MAX),
            (255, 255, TOTAL_MAX, 0),
        )
    ),
)


@bench_test
async def d04_a_total_beyond_16_bits_is_a_miss(bench: Bench) -> None:
    """The shown total stops at its ceiling; the verdict and the overhead use the true one."""
    cycle = await bench.cycle(n_checks=1, per_check_us=1, base_alloc_us=65535, budget_us=0)
    expect(cycle, Build.CORRECT, total_us=65535, overhead_pct=0, budget_met=0, budget_miss_err=1)
    cycle = await bench.cycle(n_checks=1, per_check_us=1, base_alloc_us=65535, budget_us=65535)
    expect(cycle, Build.CORRECT, total_us=65535, budget_met=0, budget_miss_err=1)
    cycle = await bench.cycle(n_checks=255, per_check_us=255, base_alloc_us=512, budget_us=200)
    expect(cycle, Build.BROKEN, total_us=65535, overhead_pct=99, budget_met=0, budget_miss_err=1)
    cycle = await bench.cycle(n_checks=1, per_check_us=1, base_alloc_us=65534, budget_us=65535)
    expect(cycle, Build.CORRECT, total_us=65535, budget_met=1, budget_miss_err=0)


@bench_test
async def d20_the_overhead_never_exceeds_100(bench: Bench) -> None:
    """With an exact total the policy is a part of it: no ceiling on the percentage is needed."""
    for base, percent in ((0, 100), (1, 99), (65535, 49)):
        cycle = await bench.cycle(n_checks=255, per_check_us=255, base_alloc_us=base)
        expect(cycle, Build.BROKEN, overhead_pct=percent)
