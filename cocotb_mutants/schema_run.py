# SPDX-License-Identifier: Apache-2.0
"""The runs of the mutants of one schema: most likely killer first, then whatever is left."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from cocotb_mutants import order
from cocotb_mutants.config import Config
from cocotb_mutants.jobs import Jobs
from cocotb_mutants.lab import Simulation
from cocotb_mutants.limits import mutant_limits
from cocotb_mutants.mutant import Mutant
from cocotb_mutants.protocol import RunReport
from cocotb_mutants.schema import Schema
from cocotb_mutants.verdict import State, Verdict

__all__ = ["SchemaRun"]

Judged = tuple[Mutant, Verdict]


@dataclass(frozen=True)
class SchemaRun:
    """A schema that passed its controls, with its simulation and the run with nothing selected."""

    config: Config
    name: str
    plan: Schema
    simulation: Simulation
    golden: RunReport
    slots: int

    def results(self, kills: Mapping[str, int], wanted: Callable[[str], bool]) -> Iterator[Judged]:
        """Yield each mutant with its verdict; see `TargetRun.results`."""
        activated = order.activated(self.golden)
        by_number = {
            self.plan.numbers[mutant.name]: mutant
            for mutant in self.plan.in_schema
            if wanted(mutant.name)
        }
        if not self.config.run_all:
            for number in self._idle(by_number, activated):
                yield by_number.pop(number), _not_activated(self.name)
        if not self.config.all_tests and self.simulation.mode == "fork":
            for number, verdict in self._early(by_number, activated, kills):
                yield by_number.pop(number), verdict
        left = [number for number, mutant in by_number.items() if wanted(mutant.name)]
        jobs = Jobs(self.config, self.name)
        for report in jobs.run_all(self.simulation, left, self.golden, self.slots):
            yield by_number[report.job], jobs.judge(report, self.golden, report.job)

    def _idle(
        self, by_number: Mapping[int, Mutant], activated: Mapping[int, tuple[str, ...]]
    ) -> list[int]:
        """Return the mutants that are watched and were not activated."""
        return [
            number
            for number, mutant in by_number.items()
            if mutant.name in self.plan.tracked
            and number not in activated
            and number not in self.golden.unwatched
        ]

    def _early(
        self,
        by_number: Mapping[int, Mutant],
        activated: Mapping[int, tuple[str, ...]],
        kills: Mapping[str, int],
    ) -> Iterator[tuple[int, Verdict]]:
        """Run the tests that are quick or likely to kill, and yield the mutants that they do kill.

        First the bench's own first tests, as long as they are quick, then each mutant's likely
        killer by itself. Whatever else comes of it is not looked at: all tests in their own order
        decide. So only a test can kill here that passes on the original when it is alone, which
        is tried beside the first of these runs.
        """
        start = order.quick_start(self.golden)
        numbers = [n for n in by_number if start and _may_kill(start, activated.get(n))]
        early = {*start, self.golden.tests[0].name}
        leads = {
            number: lead
            for number in by_number
            if (lead := order.first_test(activated.get(number, ()), self.golden, kills))
            and lead not in early
        }
        alone: dict[str, RunReport] = {}
        killed = set()
        for number, verdict in self._started(start, numbers, sorted(set(leads.values())), alone):
            killed.add(number)
            yield number, verdict
        jobs = Jobs(self.config, self.name)
        todo = [
            jobs.job(n, n, mutant_limits(self.config, alone[lead]), tests=(lead,), stop=True)
            for n, lead in leads.items()
            if n not in killed and lead in alone
        ]
        for report in self.simulation.run(todo, self.slots) if todo else ():
            yield from self._kill(report, (leads[report.job],))

    def _started(
        self,
        start: tuple[str, ...],
        numbers: list[int],
        leads: list[str],
        alone: dict[str, RunReport],
    ) -> Iterator[tuple[int, Verdict]]:
        """Run the first tests on `numbers` and yield what they kill.

        Beside that run the original in each of `leads`, and keep in `alone` where it passes.
        """
        jobs = Jobs(self.config, self.name)
        # By itself a test may never come to an end.
        limits = mutant_limits(self.config, self.golden)
        by_job = dict(enumerate(leads, max(self.plan.numbers.values()) + 1))
        todo = [jobs.job(number, 0, limits, tests=(lead,)) for number, lead in by_job.items()]
        if numbers:
            limits = mutant_limits(self.config, order.only(self.golden, start))
            todo += [jobs.job(n, n, limits, tests=start, stop=True) for n in numbers]
        for report in self.simulation.run(todo, self.slots) if todo else ():
            lead = by_job.get(report.job)
            if lead is None:
                yield from self._kill(report, start)
            elif self._judged(report, (lead,), 0).state is State.SURVIVED:
                alone[lead] = report

    def _kill(self, report: RunReport, tests: tuple[str, ...]) -> Iterator[tuple[int, Verdict]]:
        verdict = self._judged(report, tests, report.job)
        if verdict.state is State.KILLED:
            yield report.job, verdict

    def _judged(self, report: RunReport, tests: tuple[str, ...], number: int) -> Verdict:
        golden = order.only(self.golden, tests)
        return Jobs(self.config, self.name).judge(report, golden, number)


def _may_kill(tests: tuple[str, ...], activating: tuple[str, ...] | None) -> bool:
    """Tell whether one of `tests` activates a mutant, or it is not known what does."""
    return activating is None or not set(tests).isdisjoint(activating)


def _not_activated(target: str) -> Verdict:
    return Verdict(
        State.NOT_ACTIVATED,
        "in no test did the changed expression ever differ from the original",
        target=target,
    )
