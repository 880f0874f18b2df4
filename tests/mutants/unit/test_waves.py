# SPDX-License-Identifier: Apache-2.0
"""Which runs are recorded, in which target, by which test, and for how long."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from cocotb_mutants import waves
from cocotb_mutants.build import Build, BuildFailed
from cocotb_mutants.config import Config
from cocotb_mutants.errors import MutantsError, UsageError
from cocotb_mutants.population import Member, Population
from cocotb_mutants.protocol import Job, RunReport
from cocotb_mutants.verdict import State, Verdict
from tests.mutants.unit.fakelab import CONFIG, FIRST, RTL, prepared, write_project

SETS = "parameter-sets = [{ W = 1 }, { W = 2 }]\n"


@dataclass
class Recorder:
    """A lab whose runs leave a file, or not."""

    mute: bool = False
    refuses: bytes = b"\0"
    ran: list[tuple[str, Job]] = field(default_factory=list)
    texts: list[bytes] = field(default_factory=list)

    def build_with_waves(self, member: Member, texts: Mapping[str, bytes], select: bytes) -> Build:
        self.texts.append(b"".join(texts.values()))
        if self.refuses in self.texts[-1]:
            raise BuildFailed(Path("build.log"), ())
        return replace(Build("icarus", "gate", Path("build")), waves="fst")

    @contextmanager
    def simulation(
        self, member: Member, build: Build, *, alone: bool, waves: Path
    ) -> Iterator[Any]:
        assert alone
        self.file, self.name = waves, member.target.name
        yield self

    def run(self, jobs: Iterable[Job], slots: int) -> Iterator[RunReport]:
        for job in jobs:
            self.ran.append((self.name, job))
            if not self.mute:
                self.file.write_text("waves")
            yield RunReport(job.number, cpu_s=2.0, sim_end=100)


@pytest.fixture
def project(tmp_path: Path) -> tuple[Config, Population]:
    rtl = RTL.replace("gate(", "gate #(parameter int W = 1)(")
    return prepared(write_project(tmp_path, rtl, CONFIG + SETS))


def recorded(
    project: tuple[Config, Population],
    lab: Recorder,
    monkeypatch: pytest.MonkeyPatch,
    verdicts: Mapping[str, Verdict],
) -> tuple[Path, Path]:
    config, population = project
    monkeypatch.setattr(waves, "RealLab", lambda _: lab)
    return waves.record(config, population, next(iter(population.mutants.values())), verdicts)


SURVIVED = Verdict(State.SURVIVED, "")
KILLED = Verdict(State.KILLED, "", test=FIRST)


@pytest.mark.parametrize(
    ("verdicts", "target", "tests"),
    [
        ({"gate[W=1]": SURVIVED, "gate[W=2]": KILLED}, "gate[W=2]", (FIRST,)),
        ({"gate[W=1]": SURVIVED, "gate[W=2]": SURVIVED}, "gate[W=1]", None),
        ({"gone": KILLED}, "gate[W=1]", None),
        ({}, "gate[W=1]", None),
    ],
)
def test_the_killing_test_is_recorded_where_it_killed(
    project: tuple[Config, Population],
    monkeypatch: pytest.MonkeyPatch,
    verdicts: dict[str, Verdict],
    target: str,
    tests: tuple[str, ...] | None,
) -> None:
    lab = Recorder()

    original, mutant = recorded(project, lab, monkeypatch, verdicts)

    assert [(name, job.tests) for name, job in lab.ran] == [(target, tests)] * 2
    assert [job.selector for _, job in lab.ran] == [0, 1]
    assert (original.name, mutant.name) == ("original.fst", "mutant.fst")
    assert lab.texts[0] == b"" != lab.texts[1]


def test_a_mutant_that_hangs_is_not_recorded_for_ever(
    project: tuple[Config, Population], monkeypatch: pytest.MonkeyPatch
) -> None:
    lab = Recorder()

    recorded(project, lab, monkeypatch, {})

    (_, original), (_, mutant) = lab.ran
    assert original.limits.cpu_s is None
    assert (mutant.limits.cpu_s, mutant.limits.sim_steps) == (63.0, 1001)
    assert mutant.limits.output_bytes is None


def test_a_run_that_records_nothing_is_said_although_an_old_file_is_there(
    project: tuple[Config, Population], monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(project, Recorder(), monkeypatch, {})

    with pytest.raises(MutantsError, match="icarus recorded no waves of the original"):
        recorded(project, Recorder(mute=True), monkeypatch, {})


def test_a_mutant_that_does_not_build_has_no_waves(
    project: tuple[Config, Population], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match=r"does not build: the build failed, see build\.log"):
        recorded(project, Recorder(refuses=b"endmodule"), monkeypatch, {})


def test_what_is_silenced_can_be_recorded_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rtl = RTL.replace("a && b;", "a && b; // mutants: off logical it is the same")
    project = prepared(write_project(tmp_path, rtl))
    lab = Recorder()

    recorded(project, lab, monkeypatch, {})

    assert next(iter(project[1].mutants)) in project[1].ignored
    assert [name for name, _ in lab.ran] == ["gate", "gate"]
