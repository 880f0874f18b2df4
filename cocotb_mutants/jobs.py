# SPDX-License-Identifier: Apache-2.0
"""The jobs of one target, and what their reports say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cocotb_mutants.config import Config
from cocotb_mutants.lab import Simulation
from cocotb_mutants.limits import confirm, mutant_limits
from cocotb_mutants.protocol import Job, Limits, RunReport
from cocotb_mutants.verdict import Verdict, judge

__all__ = ["Jobs"]


class Jobs:
    """Makes jobs as the configuration asks for them, and judges what comes back."""

    def __init__(self, config: Config, target: str) -> None:
        self._config = config
        self._target = target

    def judge(self, report: RunReport, golden: RunReport, number: int) -> Verdict:
        """Return what the run of the mutant `number` says, next to one of the original."""
        return judge(report, golden, number, self._config.detected, self._target)

    def job(
        self,
        number: int,
        selector: int,
        limits: Limits,
        *,
        tests: tuple[str, ...] | None = None,
        stop: bool = False,
        trace: bool = False,
        hits: bool = False,
        golden: bool = False,
        force_failure: bool = False,
    ) -> Job:
        """Return a job; `golden` is one whose log and files are kept."""
        return Job(
            number=number,
            selector=selector,
            tests=tests,
            stop_at_first=stop,
            # Another failure is no kill, and a later test may yet be one.
            stop_kinds=tuple(sorted(self._config.detected)),
            trace=trace,
            hits=hits,
            limits=limits,
            keep_log=golden,
            files=golden,
            force_failure=force_failure,
        )

    def mutant(self, number: int, golden: RunReport, patience: int = 1) -> Job:
        """Return the job that runs all tests on a mutant, in their own order."""
        limits = mutant_limits(self._config, golden, patience)
        return self.job(number, number, limits, stop=not self._config.all_tests)

    def run_all(
        self, simulation: Simulation, numbers: Sequence[int], golden: RunReport, slots: int
    ) -> Iterator[RunReport]:
        """Run all tests on each of these mutants and yield the reports.

        A loaded machine can make a run that sleeps look hung; alone it has another chance.
        """
        slow = []
        jobs = [self.mutant(number, golden) for number in numbers]
        for report in simulation.run(jobs, slots) if jobs else ():
            if report.limit == "wall" and confirm(self._config):
                slow.append(self.mutant(report.job, golden, patience=3))
            else:
                yield report
        yield from simulation.run(slow, 1) if slow else ()
