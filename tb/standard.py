# SPDX-License-Identifier: Apache-2.0
"""The tests that every module gets: its plan, random traffic, saturation and reset.

cocotb runs them on each pair together with the module's own bench.
"""

from __future__ import annotations

import itertools

from models.ports import COUNTER_MAX, Build
from tb.bench import Bench, bench_test
from tb.planrun import run_plan
from tb.scoreboard import Scoreboard
from tb.uvm_env import run_random
from tb.weak import planned


@bench_test
async def every_check_of_the_plan_holds(bench: Bench) -> None:
    """Drive the rows of the plan and judge each of its exact-value checks."""
    await run_plan(bench, planned(bench.spec.module))


@bench_test(samples_coverage=False)
async def random_traffic_matches_the_model(bench: Bench) -> None:
    """Constrained-random cycles: every output of both builds equals the model in every cycle."""
    await run_random(bench)


@bench_test
async def corner_cases_match_the_model(bench: Bench) -> None:
    """Every corner that the bench names: every output of both builds equals the model."""
    board = Scoreboard(bench.model)
    board.compare(await bench.reset())
    for inputs in bench.spec.corners:
        board.compare(await bench.drive(inputs))
    board.conclude()


@bench_test
async def counters_stop_at_255(bench: Bench) -> None:
    """Every counter fills up, in one build or the other, and stays full whatever the others do.

    Each pace is kept for longer than a counter lasts, after every other pace: so a counter is also
    seen to go on while its neighbour is full already.
    """
    full = set()
    for before, inputs in itertools.product(bench.spec.paces, repeat=2):
        board = Scoreboard(bench.model)
        board.compare(await bench.reset())
        for pace in dict.fromkeys((before, inputs)):
            for _ in range(COUNTER_MAX + 2):
                cycle = await bench.drive(pace)
                board.compare(cycle)
        board.conclude()
        for build in Build:
            full |= {name for name, count in cycle.after[build].items() if count == COUNTER_MAX}
    never = set(bench.model.State.widths()) - full
    if never:
        raise AssertionError(f"no pace of the bench fills {', '.join(sorted(never))}")


@bench_test
async def reset_clears_the_counters_at_once(bench: Bench) -> None:
    """Reset acts without a clock edge, at either level of the clock."""
    for inputs, high in itertools.product(bench.spec.paces, (False, True)):
        cycle = await bench.drive(inputs)
        counted = any(any(cycle.after[build].values()) for build in Build)
        if not counted:
            raise AssertionError(f"nothing was counted by [{cycle.driven}]")
        for build, counters in (await bench.strobe_reset(high=high)).items():
            left = {name: value for name, value in counters.items() if value != 0}
            if left:
                raise AssertionError(f"{build.name.lower()} build: reset leaves {left}")


@bench_test
async def reset_leaves_everything_but_the_counters_alone(bench: Bench) -> None:
    """While reset is held, every corner is answered as it is without, and nothing is counted."""
    board = Scoreboard(bench.model)
    for inputs in bench.spec.corners:
        board.compare(await bench.hold_reset(inputs))
    board.conclude()
