# SPDX-License-Identifier: Apache-2.0
"""Bench of multi_tenant_model: corners, random inputs and coverage."""

from __future__ import annotations

from random import Random

from models.fleet.multi_tenant_model import PROPERTIES, Inputs
from models.ports import Build
from tb.bench import Bench, BenchSpec, bench_test, expect
from tb.catalog import find
from tb.coverage import Points

MODULE = find("multi_tenant_model")


def environment(missing: int, evaluate: int) -> Inputs:
    """The environment whose missing properties are the bits of *missing*."""
    held = {name: 1 - (missing >> bit & 1) for bit, name in enumerate(PROPERTIES)}
    return Inputs(evaluate=evaluate, **held)


def draw(rng: Random) -> Inputs:
    """Mostly none or one property missing, which is where verdicts are disputed."""
    one = 1 << rng.randrange(len(PROPERTIES))
    return environment(
        rng.choice([0, one, one, rng.randrange(64)]), evaluate=int(rng.randrange(4) > 0)
    )


POINTS = Points(MODULE)
POINTS.values("evaluate", lambda v: v.evaluate, [0, 1])
POINTS.values("fail_mask", lambda v: v.correct.fail_mask, range(64))
POINTS.values("sound", lambda v: v.correct.sound, [0, 1])
POINTS.values("declared_sound", lambda v: v.broken.sound, [0, 1])
POINTS.cross("verdicts", "evaluate", "sound", "declared_sound", never=[(None, 1, 0)])
POINTS.values("one_property_missing", lambda v: v.correct.fail_mask, [1 << bit for bit in range(6)])
POINTS.cross("one_missing_when_judged", "evaluate", "one_property_missing")
POINTS.seen("sound_for_each_tenant_but_blast_unbounded", lambda v: v.correct.fail_mask == 1 << 5)
POINTS.counters()

BENCH = BenchSpec(
    module=MODULE,
    draw=draw,
    cover=POINTS.sampler(),
    paces=(
        environment(0, evaluate=1),
        environment(1, evaluate=1),
    ),
    corners=tuple(environment(missing, evaluate) for evaluate in (0, 1) for missing in range(64)),
)


@bench_test
async def each_property_alone_makes_the_environment_unsound(bench: Bench) -> None:
    """Five of six are not enough; isolation alone satisfies the broken build."""
    for bit in range(len(PROPERTIES)):
        cycle = await bench.drive(environment(1 << bit, evaluate=1))
        claimed = int(bit != 0)
        expect(cycle, Build.CORRECT, sound=0, fail_mask=1 << bit, false_soundness_err=0)
        expect(cycle, Build.BROKEN, sound=claimed, false_soundness_err=claimed)
