# SPDX-License-Identifier: Apache-2.0
"""The loop of a campaign on a fake lab: no simulator, reports as a script says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from cocotb_mutants import versions
from cocotb_mutants.build import Build, BuildFailed, Problem
from cocotb_mutants.campaign import Campaign
from cocotb_mutants.config import Config, load
from cocotb_mutants.errors import BaselineFailed, ControlFailed, MutantsError, NoTests
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


def kills(*names: str) -> Script:
    """Return the script in which the mutants of these operators are killed, by `FIRST`."""

    def script(_: str, job: Job, report: RunReport) -> RunReport:
        if job.selector == 0 or job.selector in GROSS:
            return report
        return replace(report, tests=(result(FIRST, fails=True),)) if "all" in names else report

    return script


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(versions, "of", lambda simulator: {"tool": "1"})
    (tmp_path / "gate.sv").write_text(RTL)
    (tmp_path / "bench.py").write_text("# a bench\n")
    (tmp_path / "mutants.toml").write_text(CONFIG)
    return tmp_path


def prepared(project: Path, **overrides: object) -> tuple[Config, Population]:
    config = load(project / "mutants.toml", overrides).expand()
    return config, populate(config)


def campaign(project: Path, lab: FakeLab, **overrides: object) -> tuple[Results, Campaign]:
    config, population = prepared(project, **overrides)
    with Store.open(project / "work") as store:
        said: list[str] = []
        run = Campaign(config, population, store, lab, said.append)
        run.said = said  # type: ignore[attr-defined]
        return run.run(), run


def states(results: Results) -> dict[str, int]:
    return {state.value: n for state, n in results.score.counts.items() if n}


def mutants_run(lab: FakeLab) -> list[Job]:
    return [job for _, job in lab.ran if job.selector and job.selector not in GROSS]


def test_what_no_test_minds_survives(project: Path) -> None:
    results, _ = campaign(project, FakeLab())

    assert states(results) == {"survived": len(results.outcomes)}


def test_what_a_test_minds_is_killed_by_it(project: Path) -> None:
    results, _ = campaign(project, FakeLab(kills("all")))

    assert states(results) == {"killed": len(results.outcomes)}
    assert {outcome.verdict.test for outcome in results.outcomes} == {FIRST}


def test_what_was_not_activated_is_not_run(project: Path) -> None:
    lab = FakeLab(inert=frozenset({1}))

    results, _ = campaign(project, lab)

    assert states(results)["not activated"] == 1
    assert 1 not in [job.selector for job in mutants_run(lab)]


def test_asked_for_it_is_run_all_the_same(project: Path) -> None:
    lab = FakeLab(inert=frozenset({1}))

    results, _ = campaign(project, lab, run_all=True)

    assert "not activated" not in states(results)
    assert 1 in [job.selector for job in mutants_run(lab)]


def test_all_tests_run_in_their_own_order_when_the_matrix_is_asked_for(project: Path) -> None:
    lab = FakeLab()

    campaign(project, lab, all_tests=True)

    assert {(job.tests, job.stop_at_first) for job in mutants_run(lab)} == {(None, False)}


def second_activates(_: str, job: Job, report: RunReport) -> RunReport:
    hits = {SECOND: report.hits[FIRST]} if job.hits else {}
    return replace(report, hits=hits)


def test_the_test_that_activates_a_mutant_comes_first(project: Path) -> None:
    lab = FakeLab(second_activates)

    campaign(project, lab)

    assert {job.tests for job in mutants_run(lab)} == {(SECOND, FIRST)}


def test_an_order_in_which_the_original_fails_is_not_used(project: Path) -> None:
    def script(name: str, job: Job, report: RunReport) -> RunReport:
        if job.tests == (SECOND, FIRST):
            return replace(report, tests=(result(SECOND, fails=True),))
        return second_activates(name, job, report)

    lab = FakeLab(script)

    results, _ = campaign(project, lab)

    assert {job.tests for job in mutants_run(lab)} == {None}
    assert states(results) == {"survived": len(results.outcomes)}


def test_without_a_schema_each_mutant_has_a_build_of_its_own(project: Path) -> None:
    lab = FakeLab(kills("all"))

    results, _ = campaign(project, lab, schema=False)

    kinds = [kind for kind, _ in lab.builds]
    assert "schema" not in kinds
    assert len(kinds) == len(results.outcomes) + 1
    assert states(results) == {"killed": len(results.outcomes)}


def test_a_mutant_that_does_not_build_takes_nothing_with_it(project: Path) -> None:
    lab = FakeLab(
        kills("all"),
        refuse=lambda text: (Problem("gate.sv", 2, "no"),) if b"a || b" in text else None,
    )

    results, _ = campaign(project, lab)

    assert states(results) == {"compile error": 1, "killed": len(results.outcomes) - 1}


def test_a_run_that_sleeps_gets_a_second_chance_alone(project: Path) -> None:
    seen: list[int] = []

    def script(_: str, job: Job, report: RunReport) -> RunReport:
        if job.selector == 1:
            seen.append(1)
            if len(seen) == 1:
                return replace(report, complete=False, limit="wall", tests=())
        return report

    results, _ = campaign(project, FakeLab(script))

    assert len(seen) == 2
    assert states(results) == {"survived": len(results.outcomes)}


def test_a_wall_limit_of_the_users_own_is_final(project: Path) -> None:
    def script(_: str, job: Job, report: RunReport) -> RunReport:
        if job.selector == 1:
            return replace(report, complete=False, limit="wall", tests=())
        return report

    results, _ = campaign(project, FakeLab(script), wall_limit=5.0)

    assert states(results)["timeout"] == 1


def test_a_second_campaign_runs_nothing(project: Path) -> None:
    first, _ = campaign(project, FakeLab(kills("all")))
    lab = FakeLab()

    second, _ = campaign(project, lab)

    assert lab.ran == []
    assert states(second) == states(first)
    assert second.tests == {"gate": (FIRST,)}


@pytest.mark.parametrize(
    ("file", "old", "new", "again"),
    [
        ("gate.sv", "module gate", "// a comment\n\nmodule  gate", False),
        ("gate.sv", "a ^ b", "b ^ a", True),
        ("bench.py", "bench", "better bench", True),
    ],
)
def test_only_what_can_change_a_verdict_runs_it_again(
    project: Path, file: str, old: str, new: str, again: bool
) -> None:
    campaign(project, FakeLab(kills("all")))
    path = project / file
    path.write_text(path.read_text().replace(old, new))
    lab = FakeLab(kills("all"))

    campaign(project, lab)

    assert bool(lab.ran) == again


def test_a_campaign_that_was_cut_short_goes_on_where_it_was(project: Path) -> None:
    def dies(_: str, job: Job, report: RunReport) -> RunReport:
        if job.selector == 3:
            raise KeyboardInterrupt
        return report

    with pytest.raises(KeyboardInterrupt):
        campaign(project, FakeLab(dies))
    lab = FakeLab()

    results, _ = campaign(project, lab)

    assert len(mutants_run(lab)) == len(results.outcomes) - 2
    assert states(results) == {"survived": len(results.outcomes)}


SETS = "\nparameter-sets = [{ W = 1 }, { W = 2 }]\n"


def test_what_one_target_kills_does_not_run_in_the_next(project: Path) -> None:
    (project / "gate.sv").write_text(RTL.replace("gate(", "gate #(parameter int W = 1)("))
    (project / "mutants.toml").write_text(CONFIG + SETS)

    def script(name: str, job: Job, report: RunReport) -> RunReport:
        return kills("all")(name, job, report) if job.selector == 1 else report

    lab = FakeLab(script)

    results, _ = campaign(project, lab)

    assert states(results) == {"killed": 1, "survived": len(results.outcomes) - 1}
    second = [job.selector for name, job in lab.ran if "W=2" in name and job.selector]
    assert 1 not in second
    assert 2 in second


def test_an_accepted_survivor_is_ignored_with_its_reason(project: Path) -> None:
    _, population = prepared(project)
    name = next(iter(population.mutants))
    (project / "accepted.toml").write_text(
        f'[[accepted]]\nmutants = ["{name}"]\nreason = "nobody can see it"\n'
    )

    results, run = campaign(project, FakeLab(), accepted=["accepted.toml"])

    (ignored,) = (o for o in results.outcomes if o.verdict.state is State.IGNORED)
    assert (ignored.mutant.name, ignored.verdict.reason) == (name, "nobody can see it")
    assert run.contradictions() == []


def test_an_accepted_mutant_that_is_killed_is_a_contradiction(project: Path) -> None:
    (project / "accepted.toml").write_text(
        '[[accepted]]\nmutants = ["*"]\nreason = "nobody can see it"\n'
    )

    results, run = campaign(project, FakeLab(kills("all")), accepted=["accepted.toml"])

    assert states(results) == {"killed": len(results.outcomes)}
    assert len(run.contradictions()) == len(results.outcomes)


def test_a_bench_that_checks_nothing_is_named(project: Path) -> None:
    def script(_: str, job: Job, report: RunReport) -> RunReport:
        return (
            replace(report, tests=(result(FIRST), result(SECOND)))
            if (job.selector in GROSS)
            else report
        )

    _, run = campaign(project, FakeLab(script))

    assert run.blind == ["gate"]


def test_a_process_for_each_mutant_is_said(project: Path) -> None:
    _, run = campaign(project, FakeLab(cannot_fork="threads"))

    assert run.said == ["gate: a process per mutant: threads"]  # type: ignore[attr-defined]


def on_golden(**changes: Any) -> Script:
    def script(_: str, job: Job, report: RunReport) -> RunReport:
        return replace(report, **changes) if job.files else report

    return script


def on_schema(**changes: Any) -> Script:
    def script(_: str, job: Job, report: RunReport) -> RunReport:
        return replace(report, **changes) if job.hits else report

    return script


def on_gross(**changes: Any) -> Script:
    def script(_: str, job: Job, report: RunReport) -> RunReport:
        return replace(report, **changes) if job.selector in GROSS else report

    return script


def unforced(_: str, job: Job, report: RunReport) -> RunReport:
    return replace(report, tests=(result(FIRST), result(SECOND))) if job.force_failure else report


PASSES = (result(FIRST), result(SECOND))


@pytest.mark.parametrize(
    ("script", "error", "words"),
    [
        (on_golden(tests=(result(FIRST, fails=True),)), BaselineFailed, "1 of 1 tests fail"),
        (on_golden(tests=()), NoTests, "the bench has no test"),
        (
            on_golden(tests=(TestResult(FIRST, "skipped"),)),
            NoTests,
            "no test ran (1 found, all skipped)",
        ),
        (on_golden(complete=False, limit="cpu"), BaselineFailed, "ran into the cpu limit"),
        (on_golden(complete=False, signal=11, exit_code=None), BaselineFailed, "signal 11"),
        (on_golden(complete=False, exit_code=3), BaselineFailed, "exit code 3"),
        (on_golden(rtl_errors=("boom",)), BaselineFailed, "reports an error: boom"),
        (on_golden(selector_at_start=7), ControlFailed, "read 7 at its start"),
        (on_schema(trace="other"), ControlFailed, "differs from the original in its outputs"),
        (on_schema(trace_length=9), ControlFailed, "number of output changes"),
        (on_schema(sim_end=9), ControlFailed, "simulated time at the end"),
        (on_schema(tests=(result(SECOND), result(FIRST))), ControlFailed, "in its tests"),
        (on_schema(tests=(result(FIRST),)), ControlFailed, "2 in the original, 1 in the schema"),
        (unforced, ControlFailed, "made to fail"),
        (on_gross(tests=PASSES, trace="as it is"), ControlFailed, "no output of the top changed"),
    ],
)
def test_a_control_that_fails_ends_the_campaign(
    project: Path, script: Script, error: type[MutantsError], words: str
) -> None:
    lab = FakeLab(script)

    with pytest.raises(error) as raised:
        campaign(project, lab)

    assert words in raised.value.message
    assert raised.value.hint
    assert mutants_run(lab) == []


def test_an_original_that_does_not_build_is_said(project: Path) -> None:
    lab = FakeLab(refuse=lambda text: (Problem("gate.sv", 3, "no"),) if text == b"" else None)

    with pytest.raises(BaselineFailed) as raised:
        campaign(project, lab)

    assert raised.value.message == "gate: the original does not build: gate.sv:3: no"
