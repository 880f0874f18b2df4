# SPDX-License-Identifier: Apache-2.0
"""Run a campaign on some mutants of a core and measure it: time by phase, and memory."""

from __future__ import annotations

import random
import resource
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from cocotb_mutants.build import Build
from cocotb_mutants.campaign import Campaign
from cocotb_mutants.config import Config
from cocotb_mutants.lab import RealLab, Simulation
from cocotb_mutants.population import Member, Population
from cocotb_mutants.protocol import HitRegister, Job, RunReport
from cocotb_mutants.store import Store

__all__ = ["Figures", "MeasuredLab", "drawn", "measure", "peak"]

_SEED = 1


@dataclass(frozen=True)
class Figures:
    """A campaign in figures.

    Attributes:
        mutants: how many were judged.
        apart: how many of them needed a build of their own.
        build_s: the longest build: with the builds done at once, that of the schema.
        ready_s: from the start to the end of the controls: planning, builds, golden runs.
        run_s: all mutants.
        tool_mib: the most that the tool's process held.
        run_mib: the most that a run of a mutant held; what it shares with others counts.
        tally: mutants by state.
    """

    mutants: int
    apart: int
    build_s: float
    ready_s: float
    run_s: float
    tool_mib: float
    run_mib: float
    tally: Mapping[str, int]

    @property
    def per_second(self) -> float:
        """How many mutants were judged in a second, builds left out."""
        return self.mutants / self.run_s if self.run_s else 0.0


@dataclass
class _Noting:
    """A simulation that notes how much memory its runs take."""

    inner: Simulation
    noted: list[int]

    @property
    def mode(self) -> str:
        return self.inner.mode

    @property
    def cannot_fork(self) -> str:
        return self.inner.cannot_fork

    def run(self, jobs: Iterable[Job], slots: int = 1) -> Iterator[RunReport]:
        for report in self.inner.run(jobs, slots):
            self.noted.append(report.max_rss)
            yield report


@dataclass
class MeasuredLab:
    """A laboratory that notes what its builds and runs take."""

    config: Config
    seconds: list[float] = field(default_factory=list)
    noted: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._lab = RealLab(self.config)

    def build(self, member: Member, texts: Mapping[str, bytes], select: bytes) -> Build:
        """Build, and note the seconds."""
        found = self._lab.build(member, texts, select)
        self.seconds.append(found.seconds)
        return found

    @contextmanager
    def simulation(
        self,
        member: Member,
        build: Build,
        hits: Iterable[HitRegister] = (),
        *,
        alone: bool = False,
        watched: Iterable[str] = (),
    ) -> Iterator[Simulation]:
        """Yield a simulation that notes the memory of its runs."""
        with self._lab.simulation(member, build, hits, alone=alone) as inner:
            # The system counts what the tool held to a process that it starts.
            yield _Noting(inner, [] if alone else self.noted)


def drawn(population: Population, count: int, among: Collection[str] | None = None) -> Population:
    """Return `population` with `count` of its mutants, drawn from `among` if that is given."""
    names = sorted(population.mutants.keys() - population.ignored.keys())
    names = [name for name in names if among is None or name in among]
    kept = set(random.Random(_SEED).sample(names, min(count, len(names))))
    mutants = {name: mutant for name, mutant in population.mutants.items() if name in kept}
    return replace(population, mutants=mutants, ignored={}, sampled_from=len(names))


def measure(config: Config, population: Population) -> Figures:
    """Run a campaign on all mutants of `population`."""
    lab = MeasuredLab(config)
    with Store.open(config.root / config.work_dir) as store:
        campaign = Campaign(config, population, store, lab, print)
        results = campaign.run()
    (controls,) = campaign.controls.values()
    tally = Counter(str(outcome.verdict.state) for outcome in results.outcomes)
    return Figures(
        mutants=len(population.mutants),
        apart=len(controls.apart),
        build_s=max(lab.seconds[:2], default=0.0),
        ready_s=results.timing["golden"],
        run_s=results.timing["mutants"],
        tool_mib=peak(),
        run_mib=max(lab.noted, default=0) / 2**20,
        tally=dict(tally.most_common()),
    )


def peak() -> float:
    """Return the most MiB that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
