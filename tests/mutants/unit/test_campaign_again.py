# SPDX-License-Identifier: Apache-2.0
"""A campaign after another one: what is known already, and what has to run again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cocotb_mutants import versions
from cocotb_mutants.protocol import Job, RunReport
from tests.mutants.unit.fakelab import (
    CONFIG,
    FIRST,
    RTL,
    SECOND,
    FakeLab,
    campaign,
    killed,
    mutants_run,
    states,
    write_project,
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(versions, "of", lambda simulator: {"tool": "1"})
    return write_project(tmp_path)


def test_a_second_campaign_runs_nothing(project: Path) -> None:
    first, _ = campaign(project, FakeLab(killed))
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
    campaign(project, FakeLab(killed))
    path = project / file
    path.write_text(path.read_text().replace(old, new))
    lab = FakeLab(killed)

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


def test_an_edit_of_one_target_leaves_the_other_alone(project: Path) -> None:
    (project / "other.sv").write_text(RTL.replace("gate", "other"))
    tables = (f'[[target]]\nsources = ["{top}.sv"]\ntop = "{top}"\n' for top in ("gate", "other"))
    kept = CONFIG.replace('sources = ["gate.sv"]\ntop = "gate"\n', "")
    (project / "mutants.toml").write_text(kept + "".join(tables))
    campaign(project, FakeLab())
    (project / "other.sv").write_text(RTL.replace("gate", "other").replace("a ^ b", "b ^ a"))
    lab = FakeLab()

    campaign(project, lab)

    assert {name.partition(":")[0] for name, _ in lab.ran} == {"other"}


@pytest.mark.parametrize("key", ["plusargs", "test_args"])
def test_a_file_that_a_setting_names_belongs_to_the_key(project: Path, key: str) -> None:
    settings = {key: ["+image=boot.hex", "+other=none.hex", "+zero=a\0b"]}
    (project / "boot.hex").write_text("00")
    campaign(project, FakeLab(), **settings)
    same, other = FakeLab(), FakeLab()

    campaign(project, same, **settings)
    (project / "boot.hex").write_text("01")
    campaign(project, other, **settings)

    assert same.ran == []
    assert other.ran != []


def test_a_bench_file_that_is_gone_is_a_change(project: Path) -> None:
    campaign(project, FakeLab())
    (project / "bench.py").unlink()
    lab = FakeLab()

    campaign(project, lab)

    assert lab.ran != []


def test_what_was_not_activated_is_run_once_it_is_asked_for(project: Path) -> None:
    campaign(project, FakeLab(inert=frozenset({1, 2})))
    lab = FakeLab(inert=frozenset({1, 2}))

    results, _ = campaign(project, lab, run_all=True)

    assert len(mutants_run(lab)) == 2
    assert states(results) == {"survived": len(results.outcomes)}


def test_a_run_of_another_mutant_is_said_and_not_kept(project: Path) -> None:
    def script(_: str, job: Job, report: RunReport) -> RunReport:
        return replace(report, selector_at_end=2) if job.selector == 1 else report

    results, _ = campaign(project, FakeLab(script))
    lab = FakeLab()
    campaign(project, lab)

    assert states(results)["wrong mutant"] == 1
    assert [job.selector for job in mutants_run(lab)] == [1]


def test_the_history_of_kills_decides_which_test_leads(project: Path) -> None:
    def both(_: str, job: Job, report: RunReport) -> RunReport:
        hits = {FIRST: report.hits[FIRST], SECOND: report.hits[FIRST]} if job.hits else {}
        return killed(_, job, replace(report, hits=hits))

    campaign(project, FakeLab(both), jobs=1)
    path = project / "bench.py"
    path.write_text("# another bench\n")
    lab = FakeLab(both)

    campaign(project, lab, jobs=1)

    assert {job.tests for job in mutants_run(lab)} == {None}
