# SPDX-License-Identifier: Apache-2.0
"""Which mutant runs when, and with which test first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cocotb_mutants.protocol import RunReport

__all__ = ["activated", "first_test", "is_first"]


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


def is_first(test: str, golden: RunReport) -> bool:
    """Tell whether `test` is the first of the golden run anyway."""
    return golden.tests[0].name == test
