# SPDX-License-Identifier: Apache-2.0
"""The regression: what many results add up to, and what is printed and saved of them."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import tb.regress
import tb.watch
from tb import process
from tb.catalog import find, modules
from tb.errors import BenchBroken, BuildFailed, ExitCode, SimulationDied, SuiteError
from tb.plan import in_plan_order, load
from tb.regress import Regression, regress
from tb.results import CheckOutcome, RunResult
from tb.run import Job
from tests.unit.support import outcome, plant, printed, result, write

ADM, EVP, FDM = (find(n) for n in ("tenant_admission", "eviction_policy", "failure_domain"))
"""Two modules of the front side, with 22 and 25 checks, and one of the back side with 25."""


def jobs(*simulators: str) -> list[Job]:
    return [Job(module, each) for each in simulators for module in (ADM, EVP, FDM)]


def regression(*results: RunResult, errors: dict[str, SuiteError] | None = None) -> Regression:
    simulators = dict.fromkeys(each.simulator for each in results) or {"icarus": None}
    return Regression(
        jobs(*simulators),
        {(each.module, each.simulator): each for each in results},
        {(name, "icarus"): error for name, error in (errors or {}).items()},
    )


def held(module: str, count: int, of: int, simulator_of_run: str = "icarus") -> RunResult:
    checks = tuple(outcome(f"XXX{n:02}", passed=n < count) for n in range(of))
    return result(module, simulator_of_run, checks=checks)


ALL = (
    held("tenant_admission", 22, 22),
    held("eviction_policy", 25, 25),
    held("failure_domain", 25, 25),
)


def test_checks_add_up_by_side_and_over_all() -> None:
    assert regression(*ALL).totals("icarus") == {
        "front": (47, 47),
        "back": (25, 25),
        "all": (72, 72),
    }


def test_checks_that_failed_are_planned_but_not_passed() -> None:
    found = regression(ALL[0], held("eviction_policy", 20, 25), ALL[2])
    assert found.totals("icarus")["front"] == (42, 47)


def test_the_checks_of_a_module_without_a_result_are_planned_but_not_passed() -> None:
    assert regression(ALL[0]).totals("icarus") == {
        "front": (22, 47),
        "back": (0, 25),
        "all": (22, 72),
    }


def test_each_simulator_adds_up_by_itself() -> None:
    found = regression(*ALL, held("eviction_policy", 1, 25, "verilator"))
    assert found.totals("icarus")["all"] == (72, 72)
    assert found.totals("verilator")["all"] == (1, 72)


def test_the_checks_of_a_plan_that_was_filtered_out_are_not_planned() -> None:
    found = regression(ALL[0], result("eviction_policy"), ALL[2])
    assert found.totals("icarus")["front"] == (22, 22)


def seen(value: int | str | None, passed: bool) -> tuple[CheckOutcome, ...]:
    return (outcome("EVP01", value, passed=passed),)


def test_simulators_that_see_the_same_agree() -> None:
    found = regression(
        result(simulator="icarus", checks=seen(1, True)),
        result(simulator="verilator", checks=seen(1, True)),
    )
    assert found.disagreements() == []


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        # one passes and the other does not
        (seen(1, True), seen(0, False), "icarus saw 1, verilator saw 0"),
        # both fail, but differently
        (seen("X", False), seen(0, False), "icarus saw X, verilator saw 0"),
        # one never came that far
        (seen(1, True), seen(None, False), "icarus saw 1, verilator saw None"),
    ],
)
def test_a_check_that_simulators_see_differently_is_told(
    one: tuple[CheckOutcome, ...], other: tuple[CheckOutcome, ...], told: str
) -> None:
    found = regression(
        result(simulator="icarus", checks=one), result(simulator="verilator", checks=other)
    )
    assert found.disagreements() == [f"EVP01 of eviction_policy: {told}"]


def test_checks_of_the_same_id_in_two_modules_are_not_mixed_up() -> None:
    found = regression(
        result("eviction_policy", checks=seen(1, True)),
        result("failure_domain", checks=seen(0, False)),
    )
    assert found.disagreements() == []


def test_a_simulator_that_gave_no_result_does_not_disagree() -> None:
    found = regression(result(simulator="icarus", checks=seen(1, True)))
    found.errors["eviction_policy", "verilator"] = SimulationDied("x")
    assert found.disagreements() == []


def test_a_regression_that_passes_ends_with_zero() -> None:
    assert regression(*ALL).exit_code is ExitCode.OK


@pytest.mark.parametrize(
    "failed",
    [
        # a check
        (held("eviction_policy", 24, 25),),
        # a test
        (result(checks=seen(1, True), failure="odd"),),
        # nothing but that two simulators see something else
        (
            result(simulator="icarus", checks=seen(1, True)),
            result(simulator="verilator", checks=seen(2, True)),
        ),
    ],
)
def test_a_failed_check_or_test_has_its_own_exit_code(failed: tuple[RunResult, ...]) -> None:
    assert regression(*failed).exit_code is ExitCode.CHECKS_FAILED


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (BuildFailed("x"), ExitCode.BUILD_FAILED),
        (BenchBroken("x"), ExitCode.BENCH_BROKEN),
        (SimulationDied("x"), ExitCode.SIMULATION_DIED),
    ],
)
def test_an_error_goes_before_a_failed_check(error: SuiteError, code: ExitCode) -> None:
    found = regression(held("eviction_policy", 0, 25), errors={"tenant_admission": error})
    assert found.exit_code is code


def test_the_first_of_several_errors_gives_the_exit_code() -> None:
    errors: dict[str, SuiteError] = {
        "tenant_admission": BenchBroken("x"),
        "eviction_policy": BuildFailed("y"),
    }
    assert regression(errors=errors).exit_code is ExitCode.BENCH_BROKEN


def test_modules_are_run_in_the_order_of_their_numbers() -> None:
    fleet = [module for module in modules() if module.chapter == "fleet"]
    numbers = [load(module).number for module in in_plan_order(reversed(fleet))]
    assert numbers == sorted(numbers)
    assert in_plan_order([FDM, EVP, ADM]) == [ADM, EVP, FDM]


Run = Callable[[Job, Callable[[str], None]], RunResult]


@pytest.fixture
def summary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tb.regress, "SUMMARY", tmp_path / "summary")
    return tmp_path / "summary"


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Callable[[Run], None]:
    """Put a function in the place of the run function."""
    return lambda run: monkeypatch.setattr(tb.regress, "run", run)


def passes(job: Job, stage: Callable[[str], None]) -> RunResult:
    stage("running")
    planned = len(load(job.module).checks)
    return held(job.module.name, planned, planned, job.simulator)


def test_every_job_is_run_and_its_result_kept(
    runs: Callable[[Run], None], console: Console
) -> None:
    runs(passes)
    found = regress(jobs("icarus", "verilator"), console)
    assert set(found.results) == {
        (module.name, each) for module in (ADM, EVP, FDM) for each in ("icarus", "verilator")
    }
    assert found.exit_code is ExitCode.OK


def test_an_error_of_one_job_does_not_keep_others_from_running(
    runs: Callable[[Run], None], console: Console
) -> None:
    def run(job: Job, stage: Callable[[str], None]) -> RunResult:
        if job.module == ADM:
            raise BuildFailed("rtl does not compile")
        return passes(job, stage)

    runs(run)
    found = regress(jobs("icarus"), console, workers=1)
    assert list(found.errors) == [("tenant_admission", "icarus")]
    assert "] tenant_admission on icarus: no result" in printed(console)
    assert set(found.results) == {("eviction_policy", "icarus"), ("failure_domain", "icarus")}
    assert "error: rtl does not compile" in printed(console)


def test_results_stand_in_the_order_of_the_jobs_whatever_ends_first(
    runs: Callable[[Run], None], console: Console
) -> None:
    others = threading.Semaphore(0)

    def run(job: Job, stage: Callable[[str], None]) -> RunResult:
        if job.module == ADM:
            for _ in range(2):
                assert others.acquire(timeout=10)
        else:
            others.release()
        return passes(job, stage)

    runs(run)
    found = regress(jobs("icarus"), console, workers=3)
    assert [name for name, _ in found.results] == [job.module.name for job in found.jobs]


def test_the_exit_code_is_that_of_the_first_job_with_an_error_whatever_ends_first(
    runs: Callable[[Run], None], console: Console
) -> None:
    last = threading.Semaphore(0)

    def run(job: Job, stage: Callable[[str], None]) -> RunResult:
        if job.module == ADM:
            assert last.acquire(timeout=10)
            raise BenchBroken("of the first job")
        if job.module == FDM:
            last.release()
            raise BuildFailed("of the last job")
        return passes(job, stage)

    runs(run)
    found = regress(jobs("icarus"), console, workers=3)
    assert found.exit_code is ExitCode.BENCH_BROKEN
    assert [name for name, _ in found.errors] == ["tenant_admission", "failure_domain"]


def test_what_is_no_error_of_the_suite_ends_everything(
    runs: Callable[[Run], None], console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[bool] = []
    monkeypatch.setattr(process, "end_all", lambda: ended.append(True))

    def run(job: Job, stage: Callable[[str], None]) -> RunResult:
        raise KeyboardInterrupt

    runs(run)
    with pytest.raises(KeyboardInterrupt):
        regress(jobs("icarus"), console, workers=1)
    assert ended == [True]


def test_the_table_has_a_row_a_module_and_the_sum(
    runs: Callable[[Run], None], console: Console
) -> None:
    def run(job: Job, stage: Callable[[str], None]) -> RunResult:
        return passes(job, stage) if job.module != EVP else held("eviction_policy", 24, 25)

    runs(run)
    regress(jobs("icarus"), console)
    lines = printed(console).splitlines()
    [row] = [line for line in lines if "eviction_policy" in line and "24/25" in line]
    assert [each.strip() for each in row.strip("│").split("│")] == [
        "eviction_policy",
        "front",
        "24/25",
        "1/1",
        "300",
        "1/2",
        "1.5 s",
    ]
    assert "checks passed: front 46 of 47, back 25 of 25, all 71 of 72" in lines


@pytest.mark.parametrize(
    ("failed", "line"),
    [
        (
            result(checks=seen(0, False), failure="1 of 25 checks failed"),
            "failed: eviction_policy on icarus: tb.standard.a_test: 1 of 25 checks failed",
        ),
        (
            result(checks=seen(None, False)),
            "failed: eviction_policy on icarus: never reached: EVP01",
        ),
    ],
)
def test_a_failure_is_printed_with_its_reason(
    runs: Callable[[Run], None], console: Console, failed: RunResult, line: str
) -> None:
    runs(lambda job, stage: failed)
    regress([Job(EVP, "icarus")], console)
    assert line in printed(console).splitlines()


def test_what_simulators_disagree_on_is_printed(
    runs: Callable[[Run], None], console: Console
) -> None:
    values = {"icarus": 1, "verilator": 2}
    runs(
        lambda job, stage: result(simulator=job.simulator, checks=seen(values[job.simulator], True))
    )
    found = regress([Job(EVP, "icarus"), Job(EVP, "verilator")], console)
    assert found.exit_code is ExitCode.CHECKS_FAILED
    [line] = [each for each in printed(console).splitlines() if "disagree" in each]
    # In the order in which the simulations ended.
    assert line.startswith("simulators disagree: EVP01 of eviction_policy: ")
    assert {"icarus saw 1", "verilator saw 2"} == set(line.rpartition(": ")[2].split(", "))


def saved(summary: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((summary / f"{name}.json").read_text())
    return found


def test_the_summary_holds_the_sums_and_every_module(
    runs: Callable[[Run], None], console: Console, summary: Path
) -> None:
    def run(job: Job, stage: Callable[[str], None]) -> RunResult:
        if job.module == FDM:
            raise SimulationDied("no result")
        return passes(job, stage)

    runs(run)
    regress(jobs("icarus"), console, save=True)
    found = saved(summary, "icarus")
    assert found["checks"] == {
        "front": {"passed": 47, "planned": 47},
        "back": {"passed": 0, "planned": 25},
        "all": {"passed": 47, "planned": 72},
    }
    assert (found["simulator"], found["version"], found["seed"]) == (
        "icarus",
        "Some Simulator 1.0",
        1,
    )
    assert found["errors"] == {"failure_domain": "no result"}
    assert set(found["modules"]) == {"tenant_admission", "eviction_policy"}
    assert found["modules"]["eviction_policy"] == {
        "side": "front",
        "passed": True,
        "checks": {"passed": 25, "planned": 25},
        "compared": 300,
        "coverage": {"hit": 1, "size": 2},
    }


def test_each_simulator_has_a_summary_of_its_own(
    runs: Callable[[Run], None], console: Console, summary: Path
) -> None:
    runs(passes)
    regress(jobs("icarus", "verilator"), console, save=True)
    assert saved(summary, "verilator")["simulator"] == "verilator"
    assert saved(summary, "icarus")["checks"] == saved(summary, "verilator")["checks"]


def test_a_module_that_failed_stands_in_the_summary_with_what_was_planned(
    runs: Callable[[Run], None], console: Console, summary: Path
) -> None:
    runs(lambda job, stage: held("eviction_policy", 24, 25))
    regress([Job(EVP, "icarus")], console, save=True)
    module = saved(summary, "icarus")["modules"]["eviction_policy"]
    assert (module["passed"], module["checks"]) == (False, {"passed": 24, "planned": 25})


@pytest.mark.parametrize("git", [True, False], ids=["no repository", "no git"])
def test_outside_a_repository_the_summary_has_no_commit(
    checkout: Path,
    runs: Callable[[Run], None],
    console: Console,
    monkeypatch: pytest.MonkeyPatch,
    git: bool,
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(checkout.parent))
    if not git:
        monkeypatch.setenv("PATH", str(checkout))
    plant()
    runs(lambda job, stage: result())
    regress([Job(EVP, "icarus")], console, save=True)
    found = saved(checkout / "sim_build" / "summary", "icarus")
    assert (found["commit"], found["dirty"]) == (None, False)


def test_no_summary_is_saved_unless_asked_for(
    runs: Callable[[Run], None], console: Console, summary: Path
) -> None:
    runs(passes)
    regress(jobs("icarus"), console)
    assert not summary.exists()


def test_the_end_of_each_job_is_told_with_what_passed(
    runs: Callable[[Run], None], console: Console
) -> None:
    def run(job: Job, stage: Callable[[str], None]) -> RunResult:
        return held("eviction_policy", 24, 25) if job.module == EVP else passes(job, stage)

    runs(run)
    regress(jobs("icarus"), console, workers=1)
    told = [line.split(" ", 1) for line in printed(console).splitlines()[:3]]
    assert [place for place, _ in told] == ["[1/3]", "[2/3]", "[3/3]"]
    # Those that end together are told in any order.
    assert {what for _, what in told} == {
        "tenant_admission on icarus: 22 of 22 checks passed",
        "eviction_policy on icarus: 24 of 25 checks passed",
        "failure_domain on icarus: 25 of 25 checks passed",
    }


def test_tests_are_counted_where_the_plan_was_left_out(
    runs: Callable[[Run], None], console: Console
) -> None:
    runs(lambda job, stage: result())
    regress([Job(EVP, "icarus", only="corner")], console)
    assert "eviction_policy on icarus: 1 of 1 tests passed" in printed(console)
    assert "left out" in printed(console)


def test_the_log_of_a_run_is_shown_once_as_it_grows(
    checkout: Path, runs: Callable[[Run], None], console: Console
) -> None:
    job = Job(plant(), "icarus")

    def run(job: Job, stage: Callable[[str], None]) -> RunResult:
        stage("running")
        log = write(job.folder / "log.txt", "one [1/2]\ntw")
        limit = time.monotonic() + 10
        while "one [1/2]" not in printed(console) and time.monotonic() < limit:
            time.sleep(0.01)
        # What was half a line is shown when it is whole.
        assert printed(console) == "one [1/2]\n"
        log.write_text("one [1/2]\ntwo\nthree\n")
        return passes(job, stage)

    runs(run)
    found = regress([job], console, follow=True)
    assert not found.errors
    assert printed(console).splitlines()[:3] == ["one [1/2]", "two", "three"]


def test_the_log_of_a_run_is_not_shown_unless_asked_for(
    checkout: Path, runs: Callable[[Run], None], console: Console
) -> None:
    def run(job: Job, stage: Callable[[str], None]) -> RunResult:
        write(job.folder / "log.txt", "of the simulator\n")
        return passes(job, stage)

    runs(run)
    regress([Job(plant(), "icarus")], console)
    assert "of the simulator" not in printed(console)


def test_without_a_terminal_it_is_said_now_and_then_what_is_running(
    checkout: Path,
    runs: Callable[[Run], None],
    console: Console,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tb.watch, "QUIET_SECONDS", 0)

    def run(job: Job, stage: Callable[[str], None]) -> RunResult:
        stage("running")
        write(job.folder / "progress.json", '{"test": "random", "done": 40, "of": 300}')
        limit = time.monotonic() + 10
        while "(40/300 cycles)" not in printed(console) and time.monotonic() < limit:
            time.sleep(0.01)
        return passes(job, stage)

    runs(run)
    regress([Job(plant(), "icarus")], console)
    said = r"0/1 done, \d+ s: running eviction_policy \(40/300 cycles\)"
    assert re.search(said, printed(console))
