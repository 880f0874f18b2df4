# SPDX-License-Identifier: Apache-2.0
"""A lab in which nothing is built or simulated: reports as a script says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cocotb_mutants.build import Build, BuildFailed, Problem
from cocotb_mutants.campaign import Campaign
from cocotb_mutants.config import Config, load
from cocotb_mutants.markers import GROSS
from cocotb_mutants.population import Member, Population, populate
from cocotb_mutants.protocol import HitRegister, Job, RunReport, TestResult
from cocotb_mutants.report.results import Results
from cocotb_mutants.store import Store
from cocotb_mutants.verdict import State

RTL = """\
module gate(input logic a, b, output logic y, z);
  assign y = a && b;
  assign z = a ^ b;
endmodule
"""
CONFIG = """\
sources = ["gate.sv"]
top = "gate"
test-modules = ["bench"]
operators = ["logical", "bitwise"]
simulator = "icarus"
jobs = 2
"""
FIRST, SECOND = "bench.first", "bench.second"
Script = Callable[[str, Job, RunReport], RunReport]


@dataclass
class FakeLab:
    """Runs nothing. `script` may change the report of any job; `name` says what is run."""

    script: Script = lambda _name, _job, report: report
    refuse: Callable[[bytes], tuple[Problem, ...] | None] = lambda _text: None
    cannot_fork: str = ""
    inert: frozenset[int] = frozenset()
    ran: list[tuple[str, Job]] = field(default_factory=list)
    builds: list[tuple[str, bytes]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    judged: list[State] = field(default_factory=list)

    def build(self, member: Member, texts: Mapping[str, bytes], select: bytes) -> Build:
        number = re.search(rb"= 32'd(\d+);", select)
        kind = "schema" if number is None else f"build {int(number[1])}"
        text = b"".join(texts.values())
        problems = self.refuse(text)
        self.builds.append((kind, text))
        if problems is not None:
            raise BuildFailed(Path("build.log"), problems)
        return Build("fake", kind, Path(member.target.name))

    @contextmanager
    def simulation(
        self,
        member: Member,
        build: Build,
        hits: Iterable[HitRegister] = (),
        *,
        alone: bool = False,
        watched: Iterable[str] = (),
    ) -> Iterator[Any]:
        yield FakeSimulation(self, member, build, tuple(hits))


@dataclass
class FakeSimulation:
    lab: FakeLab
    member: Member
    built: Build
    hits: tuple[HitRegister, ...]

    @property
    def mode(self) -> str:
        return "process" if self.lab.cannot_fork else "fork"

    @property
    def cannot_fork(self) -> str:
        return self.lab.cannot_fork

    def run(self, jobs: Iterable[Job], slots: int = 1) -> Iterator[RunReport]:
        for job in jobs:
            name = f"{self.member.target.name}: {self.built.top}"
            self.lab.ran.append((name, job))
            yield self.lab.script(name, job, self._report(job))

    def _report(self, job: Job) -> RunReport:
        killed = job.force_failure or job.selector in GROSS
        names = job.tests or (FIRST, SECOND)
        numbers = tuple(n for hit in self.hits for n in hit.numbers if n not in self.lab.inert)
        return RunReport(
            job=job.number,
            asked=job.tests,
            selector_at_start=job.selector,
            selector_at_end=job.selector,
            tests=tuple(result(name, fails=killed) for name in names),
            complete=True,
            exit_code=0,
            sim_end=100,
            cpu_s=0.1,
            max_rss=1 << 20,
            trace="gross" if job.selector in GROSS else "as it is",
            trace_length=3,
            hits={FIRST: numbers} if job.hits else {},
            files=("bench.py",) if job.files else (),
        )


def result(name: str, *, fails: bool = False, kind: str = "assertion") -> TestResult:
    length = {FIRST: 60, SECOND: 40}[name]
    if fails:
        return TestResult(name, "failed", kind, "AssertionError", "it is wrong", 0, length)  # type: ignore[arg-type]
    return TestResult(name, "passed", sim_start=0, sim_end=length)


def killed(_: str, job: Job, report: RunReport) -> RunReport:
    """The script in which `FIRST` kills every mutant."""
    if job.selector == 0 or job.selector in GROSS:
        return report
    return replace(report, tests=(result(FIRST, fails=True),))


def write_project(folder: Path, rtl: str = RTL, config: str = CONFIG) -> Path:
    """Write what the fake lab pretends to build and to run."""
    (folder / "gate.sv").write_text(rtl)
    (folder / "bench.py").write_text("# a bench\n")
    (folder / "mutants.toml").write_text(config)
    return folder


def prepared(project: Path, **overrides: object) -> tuple[Config, Population]:
    config = load(project / "mutants.toml", overrides).expand()
    return config, populate(config)


def campaign(project: Path, lab: FakeLab, **overrides: object) -> tuple[Results, Campaign]:
    config, population = prepared(project, **overrides)
    with Store.open(project / "work") as store:
        run = Campaign(config, population, store, lab, lab.said.append)
        return run.run(lab.judged.append), run


def states(results: Results) -> dict[str, int]:
    return {state.value: n for state, n in results.score.counts.items() if n}


def mutants_run(lab: FakeLab) -> list[Job]:
    return [job for _, job in lab.ran if job.selector and job.selector not in GROSS]
