# SPDX-License-Identifier: Apache-2.0
"""Which mutant runs when, and with which test first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from cocotb_mutants.protocol import RunReport

__all__ = ["activated", "first_test", "only", "quick_start"]

_QUICK = 0.05


def activated(golden: RunReport) -> dict[int, tuple[str, ...]]:
    """Return, for each mutant number that the golden run activated, the tests that did so."""
    tests: dict[int, list[str]] = {}
    for test, numbers in golden.hits.items():
        for number in numbers:
            tests.setdefault(number, []).append(test)
    return {number: tuple(names) for number, names in tests.items()}


def first_test(
    candidates: Iterable[str], golden: RunReport, kills: Mapping[str, int]
) -> str | None:
    """Return the test that is most likely to kill, out of `candidates`; None where there is none.

    The test with the most kills in earlier campaigns comes first; without a history it is the
    shortest in simulated time. Both are the same in every run on the same store, so that the
    killer that a report names does not depend on the machine's load.
    """
    length = {test.name: test.sim_end - test.sim_start for test in golden.tests}
    place = {test.name: index for index, test in enumerate(golden.tests)}
    passed = {test.name for test in golden.tests if test.status == "passed"}
    able = [name for name in candidates if name in passed]

    def rank(name: str) -> tuple[int, int, int]:
        return -kills.get(name, 0), length[name], place[name]

    return min(able, key=rank, default=None)


def quick_start(golden: RunReport) -> tuple[str, ...]:
    """Return the tests that a run begins with and that take next to nothing of its whole time.

    That is simulated time, which is the same in every run. All of them are no start.
    """
    whole = sum(test.sim_end - test.sim_start for test in golden.tests)
    names, so_far = [], 0
    for test in golden.tests:
        so_far += test.sim_end - test.sim_start
        if so_far > whole * _QUICK:
            break
        names.append(test.name)
    return tuple(names) if len(names) < len(golden.tests) else ()


def only(golden: RunReport, tests: Sequence[str]) -> RunReport:
    """Return what the golden run would have been, had it ended after `tests`, its first ones."""
    kept = tuple(test for test in golden.tests if test.name in tests)
    cpu_s = sum(test.cpu_s for test in kept)
    return replace(golden, tests=kept, cpu_s=cpu_s, sim_end=kept[-1].sim_end)
