# SPDX-License-Identifier: Apache-2.0
"""Bench of rebind_sequence: corners, random inputs, coverage, and its errata."""

from __future__ import annotations

from random import Random

from models.fleet.rebind_sequence import PRESCRIBED, Inputs, Phase
from models.ports import Build
from tb.bench import Bench, BenchSpec, bench_test, expect
from tb.catalog import find
from tb.coverage import Points

MODULE = find("rebind_sequence")


def draw(rng: Random) -> Inputs:
    """All phases, the undefined ones included; half of the steps as prescribed."""
    phase = rng.randrange(8)
    anything = (rng.randrange(2), rng.randrange(2))
    old, new = rng.choice([anything, PRESCRIBED.get(phase, anything)])  # type: ignore[call-overload]
    return Inputs(
        step=int(rng.randrange(4) > 0), phase=phase, old_can_access=old, new_can_access=new
    )


POINTS = Points(MODULE)
POINTS.values("step", lambda v: v.step, [0, 1])
POINTS.values("phase", lambda v: v.phase, range(8))
POINTS.values("old_can_access", lambda v: v.old_can_access, [0, 1])
POINTS.values("new_can_access", lambda v: v.new_can_access, [0, 1])
POINTS.cross("access_in_phase", "step", "phase", "old_can_access", "new_can_access")
POINTS.values(
    "two_owners_pass_as_safe",
    lambda v: v.phase if v.broken.double_binding_err else None,
    [Phase.UNBOUND, Phase.BOUND],
)
POINTS.values(
    "two_owners_are_refused",
    lambda v: (
        v.phase if v.step and v.correct.both_can_access and not v.correct.safe_phase else None
    ),
    [Phase.UNBOUND, Phase.BOUND],
)
POINTS.seen("stall", lambda v: v.correct.neither_owns and v.phase == Phase.IDLE)
POINTS.counters()

BENCH = BenchSpec(
    module=MODULE,
    draw=draw,
    cover=POINTS.sampler(),
    paces=(
        Inputs(step=1, phase=Phase.UNBOUND, old_can_access=1, new_can_access=1),
        Inputs(step=1, phase=Phase.IDLE, old_can_access=1, new_can_access=0),
    ),
    corners=tuple(
        Inputs(step=step, phase=phase, old_can_access=old, new_can_access=new)
        for step in (1, 0)
        for phase in range(8)
        for old in (0, 1)
        for new in (0, 1)
    ),
)


@bench_test
async def d10_the_alarm_is_gated_by_the_verdict(bench: Bench) -> None:
    """Specified so: two owners are refused without an error, and only the count tells."""
    cycle = await bench.cycle(phase=Phase.BOUND, old_can_access=1, new_can_access=1)
    expect(cycle, Build.CORRECT, both_can_access=1, safe_phase=0, double_binding_err=0)
    assert cycle.after[Build.CORRECT] == {"n_steps": 1, "n_unsafe": 1}
    cycle = await bench.cycle(phase=5, new_can_access=1)
    expect(cycle, Build.CORRECT, phase_consistent=0, safe_phase=0, double_binding_err=0)
    cycle = await bench.cycle(phase=7, new_can_access=1)
    expect(cycle, Build.BROKEN, phase_consistent=0, safe_phase=1)
    assert cycle.after[Build.BROKEN] == {"n_steps": 3, "n_unsafe": 1}
