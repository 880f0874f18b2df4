# SPDX-License-Identifier: Apache-2.0
"""The runs of the mutants of one schema: most likely killer first, then whatever is left."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

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
        leads = {
            number: lead
            for number in by_number
            if (lead := order.first_test(activated.get(number, ()), self.golden, kills))
            and not order.is_first(lead, self.golden)
        }
        if not self.config.all_tests and self.simulation.mode == "fork":
            for number, verdict in self._led(leads):
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
            if mutant.name in self.plan.tracked and number not in activated
        ]

    def _led(self, leads: Mapping[int, str]) -> Iterator[tuple[int, Verdict]]:
        """Run each mutant's likely killer by itself and yield those that it kills.

        Whatever else comes of it is not looked at: all tests in their own order decide. So only a
        test can kill here that passes on the original when it is alone, which is tried first.
        """
        jobs = Jobs(self.config, self.name)
        alone = self._alone(sorted(set(leads.values())))
        todo = [
            jobs.job(
                number, number, mutant_limits(self.config, alone[lead]), tests=(lead,), stop=True
            )
            for number, lead in leads.items()
            if lead in alone
        ]
        for report in self.simulation.run(todo, self.slots) if todo else ():
            verdict = jobs.judge(report, self._only(leads[report.job]), report.job)
            if verdict.state is State.KILLED:
                yield report.job, verdict

    def _alone(self, leads: list[str]) -> dict[str, RunReport]:
        """Return the original's run of each of these tests by itself, if it passes so."""
        jobs = Jobs(self.config, self.name)
        # By itself a test may never come to an end.
        limits = mutant_limits(self.config, self.golden)
        todo = [jobs.job(at, 0, limits, tests=(lead,)) for at, lead in enumerate(leads)]
        kept = {}
        for report in self.simulation.run(todo, self.slots) if todo else ():
            lead = leads[report.job]
            if jobs.judge(report, self._only(lead), 0).state is State.SURVIVED:
                kept[lead] = report
        return kept

    def _only(self, test: str) -> RunReport:
        return replace(
            self.golden, tests=tuple(each for each in self.golden.tests if each.name == test)
        )


def _not_activated(target: str) -> Verdict:
    return Verdict(
        State.NOT_ACTIVATED,
        "in no test did the changed expression ever differ from the original",
        target=target,
    )
