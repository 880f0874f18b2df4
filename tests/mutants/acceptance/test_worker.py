# SPDX-License-Identifier: Apache-2.0
"""Jobs in simulations: what they report, and that nothing they do reaches beyond them."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from cocotb_mutants.build import Build, BuildRequest, build
from cocotb_mutants.errors import BaselineFailed, UsageError
from cocotb_mutants.protocol import HitRegister, Job, Limits, RunReport
from cocotb_mutants.worker import BenchRequest, Simulation, run_alone
from tb.catalog import ROOT
from tests.conftest import simulators
from tests.mutants.acceptance.conftest import wait_for

COUNTER = Path(__file__).parent / "counter"
CACHE = ROOT / "sim_build" / "mutants_tests"
LIMITS = Limits(
    cpu_s=1.0, wall_s=10.0, sim_steps=10**8, memory_bytes=200 << 20, output_bytes=1 << 20
)
TESTS = (
    "bench.resets_to_zero",
    "bench.counts_when_enabled",
    "bench.stands_still_when_not_enabled",
    "bench.is_not_ready_yet",
    "bench.unknown_is_a_number",
)
OUTPUTS = ("count", "zero", "unknown", "pulse")
HITS = (
    HitRegister("counter.cocotb_mutants_hit_0", 40, tuple(range(100, 140))),
    HitRegister("counter.cocotb_mutants_hit_1", 2, (139, 140)),
)
"""The counter has no second one, as if the simulator had removed it."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Load each simulation once, for all tests that look at it."""
    if "sim" in metafunc.fixturenames:
        metafunc.parametrize("sim", simulators(metafunc.config), scope="module")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a bench in it."""
    folder = tmp_path_factory.mktemp("project") / "röot of it"
    shutil.copytree(COUNTER, folder)
    return folder


def built(sim: str, folder: Path = COUNTER, **what: object) -> Build:
    sources = (folder / "select.sv", folder / "counter.sv")
    request = BuildRequest(sim, sources, "counter", timescale="1ns/1ps")
    return build(replace(request, **what), CACHE)  # type: ignore[arg-type]


def bench(root: Path, *modules: str) -> BenchRequest:
    return BenchRequest("counter", modules or ("bench",), root)


def names(report: RunReport, status: str) -> list[str]:
    return [test.name.partition(".")[2] for test in report.tests if test.status == status]


# What each rough test ends in: the limit, the signal, the exit code; or the failure's kind.
ROUGH: dict[str, tuple[str, int | None, int | None]] = {
    "kills_itself": ("", signal.SIGKILL, None),
    "leaves_at_once": ("", None, 7),
    "follows_a_null_pointer": ("", signal.SIGSEGV, None),
    "eats_memory": ("memory", None, 0),
    "eats_memory_in_c": ("memory", None, 0),
    "floods": ("output", signal.SIGXFSZ, None),
    "fills_a_file": ("output", signal.SIGXFSZ, None),
    "loops": ("cpu", signal.SIGPROF, None),
    "sleeps": ("wall", signal.SIGKILL, None),
    "never_ends": ("sim-time", None, 0),
}
FAILING = {
    "has_a_timeout": ("bench-timeout", "SimTimeoutError", ""),
    "waits_with_a_timeout": ("bench-timeout", "SimTimeoutError", ""),
    "raises_key_error": ("exception", "KeyError", "no such key"),
    "expects_an_exception": ("assertion", "Failed", "DID NOT RAISE"),
    "passes_against_expectation": ("assertion", "", "passed but we expected a failure"),
    "takes_no_argument": ("exception", "TypeError", "takes 0 positional arguments"),
    "drives_too_large_a_number": ("exception", "ValueError", "2"),
    "prints_what_it_does": ("assertion", "AssertionError", "and this was said"),
}
SELECTED: dict[int, tuple[str, int | None, int | None]] = {
    14: ("cpu", signal.SIGPROF, None),
    15: ("output", signal.SIGXFSZ, None),
}


@pytest.fixture(scope="module")
def forked(root: Path, sim: str) -> Iterator[Simulation]:
    """A loaded simulation of the well-behaved bench."""
    run_dir = root / "work" / sim
    with Simulation(built(sim), bench(root), run_dir, outputs=OUTPUTS, hits=HITS) as simulation:
        assert simulation.mode == "fork"
        yield simulation


@pytest.fixture(scope="module")
def golden(forked: Simulation) -> RunReport:
    """The run of the original."""
    job = Job(0, 0, stop_at_first=False, trace=True, hits=True, files=True)
    (report,) = forked.run([job])
    return report


@pytest.fixture(scope="module")
def rough(root: Path, sim: str) -> dict[str, RunReport]:
    """All rough tests, a job each, with well-behaved jobs among them, two at a time."""
    jobs, expected = [], {}
    for number, name in enumerate([*ROUGH, *FAILING, "leaves_programs_behind"]):
        expected[2 * number] = name
        jobs.append(Job(2 * number, 0, (f"rough.{name}",), limits=LIMITS, keep_log=True))
        jobs.append(Job(2 * number + 1, 0, ("rough.passes",), limits=LIMITS))
    run_dir = root / "work" / f"rough {sim}"
    with Simulation(built(sim), bench(root, "rough"), run_dir) as simulation:
        reports = {report.job: report for report in simulation.run(jobs, 2)}
    assert len(reports) == len(jobs)
    good = [reports[job.number] for job in jobs if job.number % 2]
    assert all(names(report, "passed") == ["passes"] and report.complete for report in good)
    return {name: reports[number] for number, name in expected.items()}


def test_the_greeting_lists_the_tests_in_the_order_in_which_cocotb_runs_them(
    forked: Simulation,
) -> None:
    assert forked.hello.tests == TESTS
    assert forked.cannot_fork == ""


def test_the_original_runs_as_cocotb_itself_would_run_it(golden: RunReport) -> None:
    assert tuple(test.name for test in golden.tests) == TESTS
    assert names(golden, "skipped") == ["is_not_ready_yet"]
    assert names(golden, "failed") == []
    assert golden.complete
    assert (golden.exit_code, golden.signal, golden.limit) == (0, None, "")
    assert (golden.selector_at_start, golden.selector_at_end) == (0, 0)
    assert golden.asked is None
    assert golden.rtl_errors == ()
    assert golden.log == ""
    spans = [(test.sim_start, test.sim_end) for test in golden.tests if test.status == "passed"]
    assert spans == [(0, 5_000), (5_001, 60_001), (75_003, 80_003)]
    assert golden.sim_end == 80_003
    assert 0 < golden.cpu_s < 5
    assert 0 < golden.wall_s < 10
    assert 10 << 20 < golden.max_rss < 1 << 30


def test_activation_is_told_for_each_test(golden: RunReport) -> None:
    assert golden.hits == {TESTS[1]: (100, 139), TESTS[2]: (139,)}
    assert golden.unwatched == (139, 140)


def test_the_files_that_a_bench_reads_are_told(golden: RunReport) -> None:
    assert golden.files == ("bench.py", "expected.txt")


def test_the_trace_holds_each_time_step_that_changed_an_output(golden: RunReport) -> None:
    # Reset at 0, five counts, reset again.
    assert golden.trace_length == 7
    assert len(golden.trace) == 64


def test_watching_does_not_disturb(forked: Simulation, golden: RunReport) -> None:
    plain, again = forked.run(
        [Job(1, 0, stop_at_first=False), Job(2, 0, trace=True, stop_at_first=False)]
    )
    assert plain.trace == ""
    assert again.trace == golden.trace
    for report in (plain, again):
        assert report.sim_end == golden.sim_end
        assert [(t.name, t.status, t.sim_end) for t in report.tests] == [
            (t.name, t.status, t.sim_end) for t in golden.tests
        ]


def test_a_mutant_is_killed_by_the_first_test_that_fails(forked: Simulation) -> None:
    (report,) = forked.run([Job(5, 1, limits=LIMITS)])
    assert (report.job, report.selector_at_start, report.selector_at_end) == (5, 1, 1)
    assert names(report, "passed") == ["resets_to_zero"]
    assert names(report, "failed") == ["counts_when_enabled"]
    assert len(report.tests) == 2
    assert report.tests[1].kind == "assertion"
    assert report.tests[1].error_type == "AssertionError"
    assert report.tests[1].message.startswith("expected 1, got 255")
    assert report.complete


def test_all_tests_can_run_on_after_a_failure(forked: Simulation) -> None:
    (report,) = forked.run([Job(0, 1, stop_at_first=False)])
    assert tuple(test.name for test in report.tests) == TESTS
    assert names(report, "failed") == ["counts_when_enabled"]


def test_tests_run_in_the_order_of_the_job_whatever_their_stage(forked: Simulation) -> None:
    order = (TESTS[4], TESTS[1])
    (report,) = forked.run([Job(0, 0, order)])
    assert tuple(test.name for test in report.tests) == order
    assert report.asked == order
    assert report.complete


def test_a_gross_fault_changes_the_trace(forked: Simulation, golden: RunReport) -> None:
    (report,) = forked.run([Job(0, 0xFFFF_FFFF, trace=True)])
    assert report.selector_at_end == 0xFFFF_FFFF
    assert report.trace != golden.trace


def test_a_planted_failure_fails(forked: Simulation) -> None:
    (report,) = forked.run([Job(0, 0, force_failure=True)])
    assert names(report, "failed") == ["resets_to_zero"]
    assert "planted" in report.tests[0].message


def test_an_unknown_value_is_no_exception_of_the_bench(forked: Simulation, sim: str) -> None:
    (report,) = forked.run([Job(0, 3, limits=LIMITS)])
    if sim == "verilator":  # knows 0 and 1 alone
        assert names(report, "failed") == []
    else:
        assert report.tests[-1].kind == "unresolved"


@pytest.mark.parametrize("selector", [10, 11, 13])
def test_a_design_that_ends_the_simulation_ends_early(forked: Simulation, selector: int) -> None:
    (report,) = forked.run([Job(0, selector, limits=LIMITS)])
    assert [(test.kind, test.name) for test in report.tests] == [("ended-early", TESTS[0])]
    assert report.complete
    assert report.selector_at_end == selector
    assert bool(report.rtl_errors) == (selector == 13)


def test_what_the_design_reports_as_an_error_is_told(forked: Simulation) -> None:
    (report,) = forked.run([Job(0, 12, limits=LIMITS)])
    (line,) = report.rtl_errors
    assert "counter.sv:43" in line
    assert "en while sel is 12" in line


@pytest.mark.parametrize("selector", SELECTED)
def test_a_design_that_does_not_come_back_is_stopped(forked: Simulation, selector: int) -> None:
    (report,) = forked.run([Job(0, selector, limits=LIMITS)])
    assert (report.limit, report.signal, report.exit_code) == SELECTED[selector]
    assert not report.complete
    assert report.selector_at_start == selector
    assert report.running == TESTS[0]


def test_a_loop_in_zero_time_is_stopped(forked: Simulation, sim: str) -> None:
    (report,) = forked.run([Job(0, 16, limits=LIMITS)])
    assert report.limit == ("sim-time" if sim == "verilator" else "cpu")
    assert not report.complete
    assert report.rtl_errors == ()


@pytest.mark.parametrize("name", ROUGH)
def test_a_rough_end_is_told_for_what_it_is(rough: dict[str, RunReport], name: str) -> None:
    report = rough[name]
    assert (report.limit, report.signal, report.exit_code) == ROUGH[name]
    assert report.running == f"rough.{name}"
    assert not report.complete
    assert report.tests == ()
    assert Path(report.log).is_file()


@pytest.mark.parametrize("name", FAILING)
def test_a_failure_is_told_for_what_it_is(rough: dict[str, RunReport], name: str) -> None:
    (test,) = rough[name].tests
    kind, error_type, message = FAILING[name]
    assert (test.status, test.kind, test.error_type) == ("failed", kind, error_type)
    assert message in test.message


def test_a_kept_log_holds_what_was_printed(rough: dict[str, RunReport]) -> None:
    log = Path(rough["prints_what_it_does"].log).read_text(encoding="utf-8")
    assert "this was printed" in log
    assert "and this was said" in log


def test_programs_that_a_test_leaves_behind_are_killed(
    rough: dict[str, RunReport], root: Path
) -> None:
    assert rough["leaves_programs_behind"].complete
    left = [int(line) for line in (root / "left.txt").read_text().split()]
    assert len(left) >= 2
    wait_for(lambda: not any(map(alive, left)), 2, "end of the programs left behind")


def test_a_process_for_each_job_reports_the_same(
    forked: Simulation, golden: RunReport, root: Path, sim: str
) -> None:
    jobs = [
        Job(0, 0, stop_at_first=False, trace=True, hits=True, files=True, limits=LIMITS),
        Job(1, 1, limits=LIMITS),
        Job(2, 10, limits=LIMITS),
        Job(3, 15, limits=LIMITS),
        Job(4, 0, (TESTS[4], TESTS[0]), limits=LIMITS),
    ]
    with Simulation(
        built(sim),
        bench(root),
        root / "work" / "p",
        outputs=OUTPUTS,
        hits=HITS,
        mode="process",
    ) as simulation:
        assert simulation.mode == "process"
        alone = sorted(map(comparable, simulation.run(jobs, 2)), key=lambda report: report.job)
    together = sorted(map(comparable, forked.run(jobs, 2)), key=lambda report: report.job)
    assert alone == together
    assert alone[0].trace == golden.trace
    assert list((root / "work" / "p").iterdir()) == []


def comparable(report: RunReport) -> RunReport:
    """A report without what differs between any two runs."""
    tests = tuple(replace(test, wall_s=0.0, cpu_s=0.0) for test in report.tests)
    return replace(report, tests=tests, wall_s=0.0, cpu_s=0.0, max_rss=0)


def test_each_run_has_a_folder_of_its_own_for_what_it_leaves(root: Path, fastest: str) -> None:
    jobs = [Job(i, 0, ("rough.leaves_a_file_beside_its_results",)) for i in range(12)]
    modes: tuple[Literal["auto", "process"], ...] = ("auto", "process")
    for mode, some in zip(modes, (jobs, jobs[:2]), strict=True):
        run_dir = root / "work" / f"left {mode}"
        with Simulation(built(fastest), bench(root, "rough"), run_dir, mode=mode) as simulation:
            reports = list(simulation.run(some, 2))
        assert all(names(report, "failed") == [] and report.complete for report in reports)
    assert not (root / "left by a bench").exists()


def test_a_process_that_sleeps_is_stopped(root: Path, sim: str) -> None:
    job = Job(0, 0, ("rough.sleeps",), limits=replace(LIMITS, wall_s=0.3))
    report = run_alone(built(sim), bench(root, "rough"), job, root / "work" / "sleeps")
    assert (report.limit, report.signal) == ("wall", signal.SIGKILL)
    assert report.wall_s < 2


def test_a_mutant_that_is_a_constant_of_its_build_proves_itself(
    root: Path, sim: str, tmp_path: Path
) -> None:
    text = (COUNTER / "select.sv").read_text()
    (tmp_path / "select.sv").write_text(text.replace("rw */;", "rw */ = 32'd1;"))
    shutil.copy(COUNTER / "counter.sv", tmp_path)
    with Simulation(
        built(sim, tmp_path), bench(root), tmp_path / "run", write_selector=False
    ) as simulation:
        (report,) = simulation.run([Job(0, 1)])
    assert (report.selector_at_start, report.selector_at_end) == (1, 1)
    assert names(report, "failed") == ["counts_when_enabled"]


def test_a_bench_with_a_thread_gets_a_process_for_each_job(root: Path, sim: str) -> None:
    with Simulation(built(sim), bench(root, "threaded"), root / "work" / "threaded") as simulation:
        assert simulation.mode == "process"
        assert "watcher" in simulation.cannot_fork
        assert simulation.hello.tests == (TESTS[1], TESTS[0])
        (report,) = simulation.run([Job(0, 1)])
    assert names(report, "failed") == ["counts_when_enabled"]


def test_a_bench_that_cannot_be_imported_shows_its_own_traceback(root: Path, fastest: str) -> None:
    simulation = Simulation(built(fastest), bench(root, "broken"), root / "work" / "broken")
    with pytest.raises(BaselineFailed, match="No module named 'no_such_module'") as caught:
        simulation.__enter__()
    assert "import no_such_module" in caught.value.hint
    assert "cocotb_mutants" not in caught.value.hint
    with pytest.raises(BaselineFailed, match="No module named"):
        run_alone(built(fastest), bench(root, "broken"), Job(0, 0), root / "work" / "broken")


def test_a_bench_without_tests_says_so(root: Path, fastest: str) -> None:
    for modules, only in ((("empty",), ""), (("bench",), "no_such_test")):
        request = replace(bench(root, *modules), test_filter=only)
        with Simulation(built(fastest), request, root / "work" / "empty") as simulation:
            assert simulation.hello.tests == ()
            (report,) = simulation.run([Job(3, 0)])
        assert report == RunReport(3, complete=True)
    alone = run_alone(built(fastest), bench(root, "empty"), Job(3, 0), root / "work" / "empty")
    assert (alone.tests, alone.complete) == ((), True)


def test_a_process_for_each_job_greets_as_well(root: Path, fastest: str) -> None:
    def simulation(*modules: str, **env: str) -> Simulation:
        request = replace(bench(root, *modules), env=env)
        return Simulation(built(fastest), request, root / "work" / "hello", mode="process")

    with simulation() as well:
        assert well.hello.tests == TESTS
        assert well.hello is well.hello
    with simulation("broken") as broken, pytest.raises(BaselineFailed, match="no_such_module"):
        assert broken.hello
    with simulation(COCOTB_TOPLEVEL="no_such_top") as dead:
        with pytest.raises(BaselineFailed, match="before the bench was loaded"):
            assert dead.hello
        (report,) = dead.run([Job(0, 0, limits=LIMITS)])
    assert (report.complete, report.selector_at_start, report.tests) == (False, None, ())
    assert "no_such_top" in Path(report.log).read_text()


def test_a_filter_leaves_tests_out(root: Path, fastest: str) -> None:
    request = replace(bench(root), test_filter="zero$|number$")
    with Simulation(built(fastest), request, root / "work" / "filter") as simulation:
        assert simulation.hello.tests == (TESTS[0], TESTS[4])


def test_a_simulator_that_does_not_start_is_told(root: Path, fastest: str) -> None:
    request = replace(bench(root), env={"COCOTB_TOPLEVEL": "no_such_top"})
    simulation = Simulation(built(fastest), request, root / "work" / "no")
    with pytest.raises(BaselineFailed, match="ended before the bench was loaded") as caught:
        simulation.__enter__()
    assert "no_such_top" in caught.value.hint


def test_another_regression_manager_is_refused(root: Path, fastest: str) -> None:
    request = replace(bench(root), env={"PYGPI_USERS": "cocotb_tools._pytest._init:run_regression"})
    with pytest.raises(UsageError, match="only cocotb's own regression"):
        Simulation(built(fastest), request, root / "work" / "other").__enter__()


def test_closing_the_iterator_kills_what_runs(root: Path, fastest: str) -> None:
    jobs = [Job(0, 0, ("rough.passes",)), *(Job(i, 0, ("rough.sleeps",)) for i in range(1, 9))]
    modes: tuple[Literal["auto", "process"], ...] = ("auto", "process")
    for mode in modes:
        with Simulation(
            built(fastest),
            bench(root, "rough"),
            root / "work" / "close",
            mode=mode,
        ) as simulation:
            reports = simulation.run(jobs, 2)
            assert next(reports).complete
            started = time.monotonic()
            reports.close()  # type: ignore[attr-defined]
            (after,) = simulation.run([jobs[0]])
            assert after.complete
            assert time.monotonic() - started < 10


def test_a_server_that_dies_is_started_again(root: Path, fastest: str) -> None:
    jobs = [Job(i, 0, ("rough.passes",)) for i in range(20)]
    run_dir = root / "work" / "dies"
    with Simulation(built(fastest), bench(root, "rough"), run_dir) as simulation:
        reports: list[RunReport] = []
        for report in simulation.run(jobs):
            if not reports:
                os.kill(server_of(run_dir), signal.SIGKILL)
            reports.append(report)
    assert sorted(report.job for report in reports) == list(range(20))
    lost = [report for report in reports if not report.complete]
    assert 1 <= len(lost) <= 3
    assert {report.signal for report in lost} == {signal.SIGKILL}


def test_a_server_that_dies_again_and_again_is_given_up(root: Path, fastest: str) -> None:
    jobs = [Job(i, 0, ("rough.kills_its_parent",)) for i in range(40)]
    run_dir = root / "work" / "dies again"
    with Simulation(built(fastest), bench(root, "rough"), run_dir) as simulation:
        with pytest.raises(BaselineFailed, match="died 4 times") as caught:
            list(simulation.run(jobs))
        assert "process per mutant" in caught.value.hint
        wait_for(lambda: not simulators_in(run_dir), 2, "end of the last child")


SCRIPT = """
import sys
from pathlib import Path
from cocotb_mutants.build import Build
from cocotb_mutants.protocol import Job
from cocotb_mutants.worker import BenchRequest, Simulation
build = Build({simulator!r}, "counter", Path({folder!r}), env={env!r})
bench = BenchRequest("counter", ("rough",), Path({root!r}))
jobs = [Job(i, 0, (f"rough.{{name}}",)) for i, name in enumerate(["passes", "loops", "sleeps"])]
with Simulation(build, bench, Path({run_dir!r}), mode={mode!r}) as simulation:
    for report in simulation.run(jobs, 3):
        print("running", flush=True)
"""


@pytest.mark.parametrize("mode", ["auto", "process"])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_nobody_is_left_when_we_are_killed_or_interrupted(
    root: Path, sim: str, tmp_path: Path, mode: str, how: signal.Signals
) -> None:
    found = built(sim)
    script = SCRIPT.format(
        simulator=sim,
        folder=str(found.folder),
        env=dict(found.env),
        root=str(root),
        run_dir=str(tmp_path),
        mode=mode,
    )
    with subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"running\n"
        assert simulators_in(tmp_path)
        process.send_signal(how)
        process.wait()
        wait_for(lambda: not simulators_in(tmp_path), 2, "end of the simulators")


def test_waves_are_recorded(root: Path, fastest: str, tmp_path: Path) -> None:
    found = built(fastest, waves=True)
    waves = tmp_path / f"waves.{found.waves}"
    report = run_alone(found, bench(root), Job(0, 1), tmp_path / "run", waves=waves)
    assert names(report, "failed") == ["counts_when_enabled"]
    assert report.complete
    assert waves.stat().st_size > 500


def alive(process: int) -> bool:
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        return state != "Z"
    return False


def simulators_in(run_dir: Path) -> list[int]:
    """The processes that were told to work in a folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                if f"={run_dir}/".encode() in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
    return found


def server_of(run_dir: Path) -> int:
    """The oldest of them."""
    return min(simulators_in(run_dir))
