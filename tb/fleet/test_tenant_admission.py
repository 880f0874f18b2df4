# SPDX-License-Identifier: Apache-2.0
"""Bench of tenant_admission: corners, random inputs, coverage, and what its errata came down to."""

from __future__ import annotations

from random import Random

from models.fleet.tenant_admission import Inputs
from models.ports import Build
from tb.bench import Bench, BenchSpec, bench_test, expect
from tb.catalog import find
from tb.coverage import Points
from tb.draw import near, number

MODULE = find("tenant_admission")


def draw(rng: Random) -> Inputs:
    """Sizes around what is free, masks and classes that match about as often as not."""
    free = number(rng, 16)
    return Inputs(
        request=int(rng.randrange(4) > 0),
        want_gb=near(rng, free, 16),
        dev_free_gb=free,
        tenant_class=rng.choice([0, 1, 2, 3, rng.randrange(16)]),
        dev_class_mask=rng.randrange(16),
    )


POINTS = Points(MODULE)
POINTS.values("request", lambda v: v.request, [0, 1])
POINTS.values("fits", lambda v: v.correct.fits, [0, 1])
POINTS.values("class_allowed", lambda v: v.correct.class_allowed, [0, 1])
POINTS.cross("either_answer_alone", "request", "fits", "class_allowed")
POINTS.boundary("want_against_free", lambda v: v.want_gb - v.dev_free_gb)
POINTS.values("class_code", lambda v: min(v.tenant_class, 4), range(5))
POINTS.cross("mask_bit_of_class", "class_code", "class_allowed", never=[(4, 1)])
POINTS.values("classes_accepted", lambda v: v.dev_class_mask.bit_count(), range(5))
POINTS.seen("nothing_wanted_of_nothing_free", lambda v: v.want_gb == v.dev_free_gb == 0)
POINTS.seen("class_ignored_by_broken_build", lambda v: v.broken.policy_violation_err)
POINTS.counters()

BENCH = BenchSpec(
    module=MODULE,
    draw=draw,
    cover=POINTS.sampler(),
    paces=(
        Inputs(request=1, want_gb=2, dev_free_gb=1, tenant_class=0, dev_class_mask=1),
        Inputs(request=1, want_gb=1, dev_free_gb=1, tenant_class=0, dev_class_mask=1),
    ),
    corners=tuple(
        Inputs(
            request=request,
            want_gb=want,
            dev_free_gb=free,
            tenant_class=code,
            dev_class_mask=mask,
        )
        for request in (0, 1)
        for want, free in ((0, 0), (10, 12), (11, 12), (12, 12), (13, 12), (14, 12))
        for code in range(5)
        for mask in (0b0000, 0b0001, 0b0110, 0b1110, 0b1111)
    ),
)


@bench_test
async def d03_class_codes_without_a_mask_bit_are_refused(bench: Bench) -> None:
    """Class 4 is not class 0: codes 4 to 15 are allowed nowhere, and placing one is a breach."""
    for code in range(4, 16):
        for mask in (0b0001, 0b1111):
            cycle = await bench.cycle(tenant_class=code, dev_class_mask=mask)
            expect(cycle, Build.CORRECT, class_allowed=0, admitted=0, policy_violation_err=0)
            expect(cycle, Build.BROKEN, class_allowed=0, admitted=1, policy_violation_err=1)
