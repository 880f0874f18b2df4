# SPDX-License-Identifier: Apache-2.0
"""The loop of a campaign on a fake lab: no simulator, reports as a script says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cocotb_mutants import versions
from cocotb_mutants.build import Problem
from cocotb_mutants.campaign import slots
from cocotb_mutants.protocol import Job, RunReport
from cocotb_mutants.verdict import State
from tests.mutants.unit.fakelab import (
    CONFIG,
    FIRST,
    RTL,
    SECOND,
    FakeLab,
    campaign,
    killed,
    mutants_run,
    prepared,
    result,
    states,
    write_project,
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(versions, "of", lambda simulator: {"tool": "1"})
    return write_project(tmp_path)


def test_what_no_test_minds_survives(project: Path) -> None:
    results, _ = campaign(project, FakeLab())

    assert states(results) == {"survived": len(results.outcomes)}


def test_what_a_test_minds_is_killed_by_it(project: Path) -> None:
    results, _ = campaign(project, FakeLab(killed))

    assert states(results) == {"killed": len(results.outcomes)}
    assert {outcome.verdict.test for outcome in results.outcomes} == {FIRST}


def test_what_was_not_activated_is_not_run(project: Path) -> None:
    lab = FakeLab(inert=frozenset({1}))

    results, _ = campaign(project, lab)

    assert states(results)["not activated"] == 1
    assert 1 not in [job.selector for job in mutants_run(lab)]


def test_a_mutant_whose_register_is_gone_counts_as_activated(project: Path) -> None:
    def script(_: str, job: Job, report: RunReport) -> RunReport:
        return replace(report, unwatched=(1,)) if job.hits else report

    lab = FakeLab(script, inert=frozenset({1, 2}))

    results, _ = campaign(project, lab)

    assert states(results)["not activated"] == 1
    assert {1, 2} & {job.selector for job in mutants_run(lab)} == {1}


def test_asked_for_it_is_run_all_the_same(project: Path) -> None:
    lab = FakeLab(inert=frozenset({1}))

    results, _ = campaign(project, lab, run_all=True)

    assert "not activated" not in states(results)
    assert len(lab.judged) == len(results.outcomes)
    assert 1 in [job.selector for job in mutants_run(lab)]


def test_all_tests_run_in_their_own_order_when_the_matrix_is_asked_for(project: Path) -> None:
    lab = FakeLab()

    campaign(project, lab, all_tests=True)

    assert {(job.tests, job.stop_at_first) for job in mutants_run(lab)} == {(None, False)}


def second_activates(_: str, job: Job, report: RunReport) -> RunReport:
    hits = {SECOND: report.hits[FIRST]} if job.hits else {}
    return replace(report, hits=hits)


def test_the_test_that_activates_a_mutant_comes_first_and_alone(project: Path) -> None:
    def script(name: str, job: Job, report: RunReport) -> RunReport:
        if job.selector and job.tests == (SECOND,):
            return replace(report, tests=(result(SECOND, fails=True),))
        return second_activates(name, job, report)

    lab = FakeLab(script)

    results, _ = campaign(project, lab)

    assert [job.tests for job in mutants_run(lab)] == [(SECOND,)] * len(results.outcomes)
    assert states(results) == {"killed": len(results.outcomes)}
    assert {each.verdict.test for each in results.outcomes} == {SECOND}


def test_what_its_first_test_does_not_kill_has_all_of_them_in_their_order(project: Path) -> None:
    def script(name: str, job: Job, report: RunReport) -> RunReport:
        if job.selector == 1 and job.tests == (SECOND,):
            return replace(report, complete=False, tests=(), limit="cpu")
        if job.selector == 2 and job.tests is None:
            return replace(report, tests=(result(FIRST, fails=True),))
        return second_activates(name, job, report)

    lab = FakeLab(script)

    results, _ = campaign(project, lab)

    count = len(results.outcomes)
    assert [job.tests for job in mutants_run(lab)] == [(SECOND,)] * count + [None] * count
    assert states(results) == {"survived": count - 1, "killed": 1}


def test_a_run_of_one_test_has_limits_of_its_own(project: Path) -> None:
    def script(name: str, job: Job, report: RunReport) -> RunReport:
        report = second_activates(name, job, report)
        return replace(report, cpu_s=0.01, sim_end=40) if job.tests else report

    lab = FakeLab(script)

    campaign(project, lab)

    limits = {job.tests: (job.limits.cpu_s, job.limits.sim_steps) for job in mutants_run(lab)}
    assert limits == {(SECOND,): (1.1, 401), None: (2.0, 1001)}


def test_a_test_in_which_the_original_fails_alone_is_not_tried_first(project: Path) -> None:
    def script(name: str, job: Job, report: RunReport) -> RunReport:
        if job.tests == (SECOND,):
            return replace(report, tests=(result(SECOND, fails=True),))
        return second_activates(name, job, report)

    lab = FakeLab(script)

    results, _ = campaign(project, lab)

    assert {job.tests for job in mutants_run(lab)} == {None}
    assert states(results) == {"survived": len(results.outcomes)}


def first_is_quick(_: str, job: Job, report: RunReport) -> RunReport:
    """The first test takes no simulated time to speak of; both activate what can be."""
    tests = tuple(replace(t, sim_end=1) if t.name == FIRST else t for t in report.tests)
    hits = {name: report.hits[FIRST] for name in (FIRST, SECOND)} if job.hits else {}
    return replace(report, tests=tests, hits=hits)


def test_quick_first_tests_are_a_run_of_their_own(project: Path) -> None:
    def script(name: str, job: Job, report: RunReport) -> RunReport:
        if job.selector == 1 and job.tests == (FIRST,):
            return replace(report, tests=(result(FIRST, fails=True),))
        return first_is_quick(name, job, report)

    lab = FakeLab(script)

    results, _ = campaign(project, lab)

    count = len(results.outcomes)
    assert [job.tests for job in mutants_run(lab)] == [(FIRST,)] * count + [None] * (count - 1)
    assert states(results) == {"killed": 1, "survived": count - 1}


def test_first_tests_that_do_not_activate_a_mutant_are_not_run_on_it(project: Path) -> None:
    def script(name: str, job: Job, report: RunReport) -> RunReport:
        report = first_is_quick(name, job, report)
        return replace(report, hits={SECOND: report.hits[SECOND]} if job.hits else {})

    lab = FakeLab(script)

    campaign(project, lab)

    assert {job.tests for job in mutants_run(lab)} == {(SECOND,), None}


def test_a_process_for_each_mutant_runs_all_tests_at_once(project: Path) -> None:
    lab = FakeLab(second_activates, cannot_fork="threads")

    campaign(project, lab)

    assert {job.tests for job in mutants_run(lab)} == {None}


def test_without_a_schema_each_mutant_has_a_build_of_its_own(project: Path) -> None:
    lab = FakeLab(killed)

    results, _ = campaign(project, lab, schema=False)

    kinds = [kind for kind, _ in lab.builds]
    assert "schema" not in kinds
    assert len(kinds) == len(results.outcomes) + 1
    assert states(results) == {"killed": len(results.outcomes)}


def test_a_mutant_that_does_not_build_takes_nothing_with_it(project: Path) -> None:
    lab = FakeLab(
        killed,
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


def two_sets(project: Path) -> None:
    rtl = RTL.replace("gate(", "gate #(parameter int W = 1)(")
    write_project(project, rtl, CONFIG + "parameter-sets = [{ W = 1 }, { W = 2 }]\n")


def test_what_one_target_kills_does_not_run_in_the_next(project: Path) -> None:
    two_sets(project)

    def script(name: str, job: Job, report: RunReport) -> RunReport:
        return killed(name, job, report) if job.selector == 1 else report

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

    results, run = campaign(project, FakeLab(killed), accepted=["accepted.toml"])

    assert states(results) == {"killed": len(results.outcomes)}
    assert len(run.contradictions()) == len(results.outcomes)


def test_a_target_in_which_all_are_killed_already_is_only_controlled(project: Path) -> None:
    two_sets(project)
    lab = FakeLab(killed)

    results, run = campaign(project, lab)

    assert {name for name, job in lab.ran if job in mutants_run(lab)} == {"gate[W=1]: schema"}
    assert list(run.controls) == ["gate[W=1]", "gate[W=2]"]
    assert lab.judged == [State.KILLED] * len(results.outcomes)
    again = FakeLab()
    assert states(campaign(project, again)[0]) == states(results)
    assert (again.ran, again.builds) == ([], [])


def test_what_one_target_kills_is_not_built_for_the_next(project: Path) -> None:
    two_sets(project)
    lab = FakeLab(killed)

    results, _ = campaign(project, lab, schema=False)

    assert len(lab.builds) == 2 + len(results.outcomes)


def test_the_matrix_has_every_target(project: Path) -> None:
    two_sets(project)
    lab = FakeLab(killed)

    results, _ = campaign(project, lab, all_tests=True)

    assert {len(each.by_target) for each in results.outcomes} == {2}
    assert lab.judged == [State.KILLED] * len(results.outcomes)


def test_what_is_silenced_beside_the_code_is_never_run(project: Path) -> None:
    (project / "gate.sv").write_text(
        RTL.replace("a && b;", "a && b; // mutants: off logical it is the same")
    )
    lab = FakeLab()

    results, run = campaign(project, lab)

    ignored = [each.verdict for each in results.outcomes if each.verdict.state is State.IGNORED]
    assert {each.reason for each in ignored} == {"it is the same"}
    assert len(mutants_run(lab)) == len(results.outcomes) - len(ignored)
    assert [state for state in run.known if state is State.IGNORED] == [State.IGNORED] * len(
        ignored
    )


def test_a_mutant_that_no_test_can_kill_first_runs_in_the_usual_order(project: Path) -> None:
    lab = FakeLab(inert=frozenset({1}))

    campaign(project, lab, run_all=True)

    assert [job.tests for job in mutants_run(lab) if job.selector == 1] == [None]


def test_a_test_that_fails_as_expected_never_leads(project: Path) -> None:
    def script(name: str, job: Job, report: RunReport) -> RunReport:
        report = second_activates(name, job, report)
        tests = (report.tests[0], replace(report.tests[1], status="xfailed"))
        return replace(report, tests=tests) if len(report.tests) == 2 else report

    lab = FakeLab(script)

    campaign(project, lab)

    assert {job.tests for job in mutants_run(lab)} == {None}


def test_the_original_s_test_alone_is_tried_within_limits(project: Path) -> None:
    lab = FakeLab(second_activates)

    campaign(project, lab)

    (tried,) = (job for _, job in lab.ran if job.tests == (SECOND,) and not job.selector)
    assert tried.limits.wall_s is not None
    assert tried.limits.cpu_s is not None


def test_a_build_of_its_own_that_sleeps_gets_a_second_chance(project: Path) -> None:
    limits: list[float | None] = []

    def script(_: str, job: Job, report: RunReport) -> RunReport:
        if job.selector != 1:
            return report
        limits.append(job.limits.wall_s)
        return replace(report, complete=False, limit="wall", tests=())

    results, _ = campaign(project, FakeLab(script), schema=False)

    first, second = limits
    assert first is not None
    assert second == 3 * first
    assert states(results)["timeout"] == 1


def test_the_report_says_which_tests_activate_a_mutant(project: Path) -> None:
    results, _ = campaign(project, FakeLab(inert=frozenset({1})))

    covered = [each.covered_by.get("gate", ()) for each in results.outcomes]
    assert sorted(covered) == [(), *[(FIRST,)] * (len(covered) - 1)]


def test_jobs_are_as_many_as_told_or_as_there_are_cores(project: Path) -> None:
    config, _ = prepared(project)

    assert slots(config) == 2
    assert slots(replace(config, jobs=0)) >= 1
