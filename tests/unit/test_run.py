# SPDX-License-Identifier: Apache-2.0
"""The run function: what is made of the files that a simulation leaves, or does not leave."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import pytest

import tb.run
from tb import process, results, tools
from tb.errors import BenchBroken, SimulationDied, UsageError
from tb.plan import load
from tb.results import CheckOutcome, CoverageCount, RunResult
from tb.run import PLAN_TEST, STANDARD, Job, _checks, _last_error, _record, _tests, run
from tests.unit.support import EVICTION, plant, write

JOB = Job(EVICTION, "icarus")
LOG = "sim_build/run/icarus/eviction_policy/log.txt"

IMPORT_ERROR = """\
     0.00ns ERROR    gpi                                Error while calling user entry function
Traceback (most recent call last):
  File "/venv/cocotb/_main.py", line 71, in _init_from_simulator
    _setup_regression_manager()
  File "/venv/cocotb/regression.py", line 258, in discover_tests
    mod = import_module(module_name)
  File "{root}/tb/fleet/test_eviction_policy.py", line 6, in <module>
    from random import Radom
ImportError: cannot import name 'Radom' from 'random' ({root}/random.py)
"""


def case(bench: str, name: str, inside: str = "") -> str:
    return f'<testcase classname="{bench}" name="{name}" time="0.0123">{inside}</testcase>'


OWN = case(EVICTION.bench, "d17_requests_are_counted")
SHARED = case(STANDARD, PLAN_TEST)


@pytest.fixture
def folder(checkout: Path) -> Path:
    """The folder of a run that has left nothing but an empty log."""
    plant()
    return write(checkout / LOG, "").parent


def left(folder: Path, *cases: str) -> Path:
    suite = f"<testsuite>{''.join(cases)}</testsuite>" if cases else ""
    write(
        folder / "results.xml",
        f"<?xml version='1.0' encoding='utf-8'?>\n<testsuites>{suite}</testsuites>",
    )
    return folder


def test_a_run_has_a_folder_for_each_simulator(folder: Path) -> None:
    assert JOB.folder == folder
    assert Job(EVICTION, "verilator").folder != folder


@pytest.mark.parametrize(("cycles", "seconds"), [(300, 126), (100_000, 2120)])
def test_the_time_limit_grows_with_the_cycles(cycles: int, seconds: float) -> None:
    assert Job(EVICTION, "icarus", cycles=cycles).seconds == seconds


def test_every_test_is_told_with_bench_name_and_time(folder: Path) -> None:
    assert _tests(JOB, left(folder, OWN, SHARED), 0) == (
        results.TestOutcome(EVICTION.bench, "d17_requests_are_counted", 0.012, ""),
        results.TestOutcome(STANDARD, PLAN_TEST, 0.012, ""),
    )


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        # a message, as of an assertion that gives one
        (
            '<failure message="1 of 25 failed" type="AssertionError">Traceback</failure>',
            "1 of 25 failed",
        ),
        # several lines
        (f"<failure message={quoteattr('one' + chr(10) + 'two')}/>", "one\ntwo"),
        # a message that repeats the name of the exception
        ('<failure message="AssertionError: odd"/>', "odd"),
        # no message: what the traceback says
        ('<failure message="" type="AssertionError">Traceback: here </failure>', "Traceback: here"),
        # nothing at all is still no pass
        ("<failure/>", "failed"),
        # the test could not even be started
        ('<error message="Test initialization failed"/>', "Test initialization failed"),
        # what stands before the failure is no obstacle
        ('<properties/><failure message="late"/>', "late"),
    ],
)
def test_a_failed_test_is_told_with_its_message(folder: Path, inside: str, message: str) -> None:
    failed = case(STANDARD, "bad", inside)
    assert [test.message for test in _tests(JOB, left(folder, OWN, failed), 0)] == ["", message]


@pytest.mark.parametrize("message", ["  ", "AssertionError: ", "\n"])
def test_a_failure_with_a_blank_message_is_no_pass(folder: Path, message: str) -> None:
    failed = case(STANDARD, "bad", f"<failure message={quoteattr(message)}>Traceback</failure>")
    assert not _tests(JOB, left(folder, OWN, failed), 0)[1].passed


@pytest.mark.parametrize("inside", ["<properties/>", "<system-out>text</system-out>"])
def test_other_elements_are_no_failure(folder: Path, inside: str) -> None:
    assert _tests(JOB, left(folder, case(EVICTION.bench, "good", inside)), 0)[0].passed


def test_a_skipped_test_is_no_pass(folder: Path) -> None:
    skipped = case(EVICTION.bench, "left_out", "<skipped/>")
    assert _tests(JOB, left(folder, skipped), 0)[0].message == "skipped, which is not a pass"


def test_an_exception_is_told_with_its_type(folder: Path) -> None:
    inside = '<failure error_type="KeyError" error_msg="oops"/>'
    assert _tests(JOB, left(folder, case(EVICTION.bench, "bad", inside)), 0)[0].message == (
        "KeyError: oops"
    )


@pytest.mark.parametrize(
    "said",
    [
        "ERROR: {folder}/.eviction_policy-0123/eviction_policy.sv:60: x",
        "FATAL: {folder}/.eviction_policy-0123/eviction_policy.sv:60: x",
        "** VVP Stop(0) **",
        "[1500] %Error: {folder}/eviction_policy.sv:60: Assertion failed",
    ],
)
def test_what_the_rtl_complains_of_is_no_pass(folder: Path, said: str) -> None:
    job = left(folder, OWN, SHARED)
    with (folder / "log.txt").open("a", encoding="utf-8") as log:
        log.write("\n" + said.format(folder=folder) + "\n")
    with pytest.raises(SimulationDied, match="the RTL itself complained: ") as caught:
        _tests(JOB, job, 0)
    assert str(folder) not in str(caught.value).partition(" (log in ")[0]


def test_out_of_time_is_a_dead_simulation(folder: Path) -> None:
    with pytest.raises(SimulationDied) as caught:
        _tests(JOB, left(folder, OWN), None)
    assert str(caught.value) == (
        f"eviction_policy: no result after 126 s under icarus (log in {LOG})"
    )


def test_an_import_error_in_the_log_is_a_broken_bench(folder: Path) -> None:
    root = folder.parents[3]
    write(folder / "log.txt", IMPORT_ERROR.format(root=root))
    with pytest.raises(BenchBroken) as caught:
        _tests(JOB, folder, 1)
    assert str(caught.value) == (
        "eviction_policy: bench cannot be loaded: "
        f"ImportError: cannot import name 'Radom' from 'random' (random.py) (log in {LOG})"
    )


@pytest.mark.parametrize(
    "frame",
    [
        # the bench raises while it is imported
        "in discover_tests",
        # cocotb fails before it comes to the bench
        "in _init_from_simulator",
    ],
)
def test_either_frame_of_cocotb_in_the_log_means_a_broken_bench(folder: Path, frame: str) -> None:
    write(folder / "log.txt", f'  File "/venv/x.py", line 1, {frame}\nOSError: odd\n')
    with pytest.raises(BenchBroken, match=r"bench cannot be loaded: OSError: odd"):
        _tests(JOB, folder, 1)


def test_no_result_is_a_dead_simulation(folder: Path) -> None:
    write(folder / "log.txt", "line 1\n\nvvp: out of memory\n\n")
    with pytest.raises(SimulationDied) as caught:
        _tests(JOB, folder, -11)
    assert str(caught.value) == (
        "eviction_policy: icarus ended with code -11 and no result: "
        f"vvp: out of memory (log in {LOG})"
    )


@pytest.mark.parametrize(
    "text",
    [
        # the simulator ended in the middle of writing
        "<testsuites><testsuite>",
        # it had only opened the file
        "",
    ],
)
def test_half_a_result_is_no_result(folder: Path, text: str) -> None:
    write(folder / "results.xml", text)
    with pytest.raises(SimulationDied, match="ended with code 1 and no result"):
        _tests(JOB, folder, 1)


def test_a_simulator_that_fails_after_its_tests_is_dead(folder: Path) -> None:
    with pytest.raises(SimulationDied) as caught:
        _tests(JOB, left(folder, OWN, SHARED), 3)
    assert str(caught.value) == (
        f"eviction_policy: icarus ended with code 3 although its tests reported (log in {LOG})"
    )


@pytest.mark.parametrize("cases", [(), (SHARED,)])
def test_a_bench_without_a_test_of_its_own_is_broken(folder: Path, cases: tuple[str, ...]) -> None:
    with pytest.raises(BenchBroken) as caught:
        _tests(JOB, left(folder, *cases), 0)
    assert str(caught.value) == (
        "eviction_policy: tb/fleet/test_eviction_policy.py contains no test: "
        "define at least one coroutine under @bench_test"
    )


def test_a_filter_may_leave_out_the_tests_of_the_bench(folder: Path) -> None:
    only = Job(EVICTION, "icarus", only="every_check")
    assert len(_tests(only, left(folder, SHARED), 0)) == 1


def test_a_filter_that_matches_no_test_is_told_as_such(folder: Path) -> None:
    only = Job(EVICTION, "icarus", only="nothing_like_it")
    with pytest.raises(UsageError, match=r"^eviction_policy: no test .*'nothing_like_it'$"):
        _tests(only, left(folder), 0)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        # the last error, not the first and not the last line
        ("ValueError: one\nTypeError: two\nat the end\n", "TypeError: two"),
        # an exception of ours
        ("SomeException: odd\nat the end", "SomeException: odd"),
        # one of a package, whose name comes before it
        ("ValueError: cause\n\ntb.errors.PlanError: odd\n", "tb.errors.PlanError: odd"),
        # of Verilator
        ("%Error: top.sv:1: stop\nat the end", "%Error: top.sv:1: stop"),
        # of a simulator's $fatal
        ("FATAL: top.sv:1: stop\nat the end", "FATAL: top.sv:1: stop"),
        # the word inside a sentence is no error
        ("no Error was found\nat the end\n\n", "at the end"),
        # nothing was written
        (" \n", "no output"),
    ],
)
def test_the_last_error_of_a_log_is_found(text: str, line: str) -> None:
    assert _last_error(text) == line


def test_paths_of_the_checkout_are_shortened(checkout: Path) -> None:
    assert _last_error(f"%Error: {checkout}/rtl/a.sv:1: stop") == "%Error: rtl/a.sv:1: stop"


def test_every_check_of_the_plan_has_an_outcome(folder: Path) -> None:
    recorded: dict[str, dict[str, Any]] = {
        "EVP01": {"expect": 0, "seen": 0, "passed": True},
        "EVP02": {"expect": 1, "seen": "X", "passed": False},
    }
    assert _checks(JOB, recorded) == (
        CheckOutcome("EVP01", 0, 0, True),
        CheckOutcome("EVP02", 1, "X", False),
        CheckOutcome("EVP03", 1, None, False),
        CheckOutcome("EVP04", 1, None, False),
    )


def test_checks_that_were_never_reached_have_failed(folder: Path) -> None:
    assert [(check.seen, check.passed) for check in _checks(JOB, {})] == [(None, False)] * 4


@pytest.mark.parametrize(
    ("only", "count"),
    [
        # the plan was left out, so nothing is known of its checks
        ("random_traffic", 0),
        ("^every_check", 0),
        # the plan was asked for, so it should have run
        (PLAN_TEST, 4),
        (rf"^{STANDARD}\.{PLAN_TEST}$", 4),
        ("check|random", 4),
    ],
)
def test_a_plan_that_was_filtered_out_has_no_outcomes(folder: Path, only: str, count: int) -> None:
    assert len(_checks(Job(EVICTION, "icarus", only=only), {})) == count


def test_outcomes_that_were_recorded_count_whatever_the_filter(folder: Path) -> None:
    recorded = {"EVP01": {"expect": 0, "seen": 0, "passed": True}}
    assert len(_checks(Job(EVICTION, "icarus", only="x"), recorded)) == 4


def test_no_record_is_an_empty_one(folder: Path) -> None:
    assert _record(folder) == {"checks": {}, "compared": {}}


Simulation = Callable[[Path, dict[str, Any]], int | None]


@pytest.fixture
def simulated(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Simulation], list[Any]]:
    """Put a function in the place of the simulator; the calls that it gets are listed."""
    calls: list[Any] = []

    def simulated(stand_in: Simulation) -> list[Any]:
        def started(command: list[str], **options: Any) -> int | None:
            call = json.loads(command[-1])
            calls.append((command, options, call))
            return stand_in(Path(call["arguments"]["test_dir"]), call["arguments"])

        monkeypatch.setattr(process, "run", started)
        monkeypatch.setattr(tools, "require", lambda simulator: None)
        monkeypatch.setattr(tools, "version", lambda simulator: "Some Simulator 1.0")
        monkeypatch.setattr(tools, "fst_from_verilator", lambda: False)
        monkeypatch.setattr(tb.run, "build", lambda *_, **__: Path("/built/eviction_policy-0123"))
        return calls

    return simulated


def passing(folder: Path, arguments: dict[str, Any]) -> int:
    left(folder, OWN, SHARED)
    checks = {
        check.id: {"expect": check.expect, "seen": check.expect, "passed": True}
        for check in load(EVICTION).checks
    }
    record = {"checks": checks, "compared": {"random": 300, "corner": 7}}
    write(folder / "record.json", json.dumps(record))
    write(folder / "log.txt", "")
    return 0


def test_a_run_that_passes_accounts_for_everything_and_is_saved(
    simulated: Callable[[Simulation], list[Any]],
) -> None:
    simulated(passing)
    found = run(Job(EVICTION, "icarus", seed=5))
    assert found.passed
    assert (found.module, found.chapter, found.side) == ("eviction_policy", "fleet", "front")
    assert (found.seed, found.build, found.compared) == (5, "eviction_policy-0123", 300)
    assert [check.id for check in found.checks] == [check.id for check in load(EVICTION).checks]
    assert found.coverage == CoverageCount(0, 0, ())
    assert RunResult.load(JOB.folder) == found


def test_the_stages_of_a_run_are_told(simulated: Callable[[Simulation], list[Any]]) -> None:
    simulated(passing)
    stages: list[str] = []
    run(JOB, stages.append)
    assert stages == ["building", "running"]


def test_nothing_of_an_older_run_is_left(simulated: Callable[[Simulation], list[Any]]) -> None:
    old = write(JOB.folder / "waves.fst", "")
    simulated(passing)
    run(JOB)
    assert not old.exists()


def test_an_older_result_is_never_taken_for_that_of_a_run_that_died(
    simulated: Callable[[Simulation], list[Any]],
) -> None:
    simulated(passing)
    run(JOB)

    def dies(folder: Path, arguments: dict[str, Any]) -> int:
        write(folder / "log.txt", "killed")
        return -9

    simulated(dies)
    with pytest.raises(SimulationDied, match="ended with code -9 and no result: killed"):
        run(JOB)
    assert not (JOB.folder / "result.json").exists()


def test_a_module_that_lacks_a_file_is_not_run(
    simulated: Callable[[Simulation], list[Any]],
) -> None:
    calls = simulated(passing)
    EVICTION.rtl.unlink()
    with pytest.raises(
        BenchBroken, match=r"^module eviction_policy has no rtl/fleet/eviction_policy\.sv$"
    ):
        run(JOB)
    assert calls == []


def test_an_unknown_simulator_is_refused_before_anything_is_built(folder: Path) -> None:
    with pytest.raises(UsageError, match="SIM=questa is not a simulator"):
        run(Job(EVICTION, "questa"))


def test_the_simulation_gets_both_benches_the_seed_and_the_cycles(
    simulated: Callable[[Simulation], list[Any]],
) -> None:
    [(command, options, call)] = _one(simulated, Job(EVICTION, "icarus", seed=9, cycles=50))
    arguments = call["arguments"]
    assert command[1:3] == ["-m", "tb.simulate"]
    assert (call["simulator"], call["method"]) == ("icarus", "test")
    assert sorted(arguments["test_module"]) == ["tb.fleet.test_eviction_policy", "tb.standard"]
    assert arguments["hdl_toplevel"] == "eviction_policy_pair"
    assert arguments["build_dir"] == "/built/eviction_policy-0123"
    assert arguments["seed"] == 9
    assert arguments["extra_env"] == {"TB_RECORD_DIR": str(JOB.folder), "TB_CYCLES": "50"}
    assert "test_filter" not in arguments
    assert options["seconds"] == 121
    assert options["env"]["NO_COLOR"] == "1"


def test_a_filter_is_handed_on(simulated: Callable[[Simulation], list[Any]]) -> None:
    [(_, _, call)] = _one(simulated, Job(EVICTION, "icarus", only="d17"))
    assert call["arguments"]["test_filter"] == "d17"


@pytest.mark.parametrize(
    ("which", "key", "value"),
    [
        ("icarus", "plusargs", "+dumpfile_path={folder}/waves.fst"),
        ("verilator", "test_args", "--trace-file"),
    ],
)
def test_waves_are_written_into_the_folder_of_the_run(
    simulated: Callable[[Simulation], list[Any]], which: str, key: str, value: str
) -> None:
    job = Job(EVICTION, which, waves=True)
    [(_, _, call)] = _one(simulated, job)
    assert call["arguments"][key][0] == value.format(folder=job.folder)
    assert call["arguments"]["waves"] is True


def _one(simulated: Callable[[Simulation], list[Any]], job: Job) -> list[Any]:
    calls = simulated(passing)
    run(job)
    return calls
