# SPDX-License-Identifier: Apache-2.0
"""Runs jobs in simulations: forked off one that is loaded, or a process each."""

from __future__ import annotations

import os
import select
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from cocotb_mutants.build import Build
from cocotb_mutants.errors import BaselineFailed, UsageError
from cocotb_mutants.launch import Plan, plan
from cocotb_mutants.processes import Process, Server, patience
from cocotb_mutants.protocol import Hello, HitRegister, Job, RunReport, WorkerSpec

__all__ = ["BenchRequest", "Simulation", "run_alone"]

_REGRESSION = "cocotb.regression:_run_regression"
_ENTRY = "cocotb_mutants.inside.entry:serve"
_USERS = (
    "cocotb_tools._coverage:start_cocotb_library_coverage",
    "cocotb.logging:_configure",
    "cocotb._init:init_package_from_simulation",
    _REGRESSION,
)
# One thread: several runs share the machine, and a pool of threads does not survive a fork.
# A fixed seed: the order of a set is the same in every process.
_QUIET = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
}
_STARTS = 4
_AHEAD = 2


@dataclass(frozen=True)
class BenchRequest:
    """The bench to run, and how.

    Attributes:
        top: the name of the top module.
        test_modules: the Python modules with the tests.
        root: the project's folder, in which simulations run.
        test_filter: a regular expression; only tests whose full name it finds are run.
        python_path: folders to import from, relative to `root`.
        test_args: for the simulator.
        ignored: folders whose files do not count as the project's.
    """

    top: str
    test_modules: tuple[str, ...]
    root: Path
    test_filter: str = ""
    python_path: tuple[str, ...] = (".",)
    env: Mapping[str, str] = field(default_factory=dict)
    plusargs: tuple[str, ...] = ()
    test_args: tuple[str, ...] = ()
    seed: int = 1
    ignored: tuple[Path, ...] = ()


class Simulation:
    """A build together with a bench, to run jobs in; a context manager.

    With `mode` "auto" it forks where that is possible. "process" starts a process for every
    job, with the same code inside and the same reports.

    `outputs` are the ports that a trace holds, `watched` further signals of a record, `hits` the
    registers of activation. A build that holds its one mutant as a constant needs
    `write_selector` False. `waves` is a file for the waves of a single job in a process of its
    own.
    """

    def __init__(
        self,
        build: Build,
        bench: BenchRequest,
        run_dir: Path,
        *,
        outputs: Iterable[str] = (),
        watched: Iterable[str] = (),
        hits: Iterable[HitRegister] = (),
        write_selector: bool = True,
        mode: Literal["auto", "process"] = "auto",
        waves: Path | None = None,
    ) -> None:
        self._build = build
        self._bench = bench
        self._run_dir = run_dir.resolve()
        self._spec = WorkerSpec(
            mode="fork",
            channel="",
            root=str(bench.root),
            run_dir=str(self._run_dir),
            ignored=tuple(map(str, (run_dir, *bench.ignored))),
            outputs=tuple(outputs),
            watched=tuple(watched),
            hits=tuple(hits),
            write_selector=write_selector,
            leave_normally=waves is not None,
        )
        self._waves = waves
        self._reason = "asked for" if mode == "process" else build.cannot_fork
        self._server: Server | None = None
        self._hello: Hello | None = None

    def __enter__(self) -> Self:
        """Load the bench, unless every job is to have a process of its own.

        Raises:
            BaselineFailed: the bench cannot be loaded, or the simulator does not start.
        """
        self._run_dir.mkdir(parents=True, exist_ok=True)
        if not self._reason:
            self._start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Kill whatever still runs."""
        self._stop()

    @property
    def mode(self) -> Literal["fork", "process"]:
        """How jobs are run."""
        return "process" if self._reason else "fork"

    @property
    def cannot_fork(self) -> str:
        """Why every job has a process of its own, "" if it has not."""
        return self._reason

    @property
    def hello(self) -> Hello:
        """What the bench holds. In a process for each job this starts one more.

        Raises:
            BaselineFailed: the bench cannot be loaded, or the simulator does not start.
        """
        if self._hello is None:
            self._hello = self._list()
        return self._hello

    def run(self, jobs: Iterable[Job], slots: int = 1) -> Iterator[RunReport]:
        """Run `jobs`, `slots` at a time, and yield each report when its run has ended.

        Closing the iterator kills the runs that go on.
        """
        return (
            self._forked(iter(jobs), slots)
            if self.mode == "fork"
            else self._processes(iter(jobs), slots)
        )

    def _start(self) -> None:
        server = Server(self.plan, self._spec, self._run_dir)
        try:
            self._hello = server.greeting()
        except BaseException:
            server.stop()
            raise
        self._reason = self._hello.cannot_fork
        if self._reason or not self._hello.tests:
            server.stop()
        else:
            self._server = server

    def _stop(self) -> int:
        server, self._server = self._server, None
        return 0 if server is None else server.stop()

    def _list(self) -> Hello:
        spec = replace(self._spec, mode="list")
        process = Process(self.plan, spec, Job(number=0, selector=0), self._run_dir)
        try:
            return process.hello()
        finally:
            process.clean()

    @cached_property
    def plan(self) -> Plan:
        """What is started to simulate.

        Raises:
            ToolMissing, UsageError: that is not possible.
        """
        return _plan(self._build, self._bench, self._run_dir, self._waves)

    def _forked(self, jobs: Iterator[Job], slots: int) -> Iterator[RunReport]:
        flying: dict[int, Job] = {}
        try:
            for _ in range(_STARTS):
                if self._server is None:
                    self._start()
                if self._server is None:  # there is not one test
                    yield from (RunReport(job.number, job.tests, complete=True) for job in jobs)
                    return
                yield from _serve(self._server, jobs, flying, slots)
                if not flying:
                    return
                # The loaded simulation itself is gone, and with it what it ran.
                code = self._stop()
                for job in flying.values():
                    yield RunReport(
                        job.number,
                        job.tests,
                        exit_code=code if code >= 0 else None,
                        signal=-code if code < 0 else None,
                    )
                flying.clear()
        finally:
            if flying and self._server is not None:
                self._server.drop()
        raise BaselineFailed(
            f"the simulator died {_STARTS} times while it served mutants",
            hint='say fork = "never" for a process per mutant',
        )

    def _processes(self, jobs: Iterator[Job], slots: int) -> Iterator[RunReport]:
        running: dict[int, Process] = {}
        poll = select.poll()
        try:
            while True:
                while len(running) < slots and (job := next(jobs, None)) is not None:
                    spec = replace(self._spec, mode="single", job=job)
                    process = Process(self.plan, spec, job, self._run_dir)
                    running[process.pidfd] = process
                    poll.register(process.pidfd, select.POLLIN)
                if not running:
                    return
                for descriptor, _ in poll.poll(patience(running.values())):
                    poll.unregister(descriptor)
                    process = running.pop(descriptor)
                    try:
                        yield process.report()
                    finally:
                        process.clean()
                for process in running.values():
                    process.kill_if_late()
        finally:
            for process in running.values():
                process.clean()


def run_alone(
    build: Build,
    bench: BenchRequest,
    job: Job,
    run_dir: Path,
    *,
    outputs: Iterable[str] = (),
    hits: Iterable[HitRegister] = (),
    write_selector: bool = True,
    waves: Path | None = None,
) -> RunReport:
    """Run one job in a process of its own; with `waves` also record them into that file.

    Raises:
        BaselineFailed: the bench cannot be loaded, or the simulator does not start.
    """
    simulation = Simulation(
        build,
        bench,
        run_dir,
        outputs=outputs,
        hits=hits,
        write_selector=write_selector,
        mode="process",
        waves=waves,
    )
    with simulation:
        (report,) = simulation.run([job])
    return report


def _serve(
    server: Server, jobs: Iterator[Job], flying: dict[int, Job], slots: int
) -> Iterator[RunReport]:
    """Yield reports until all jobs are done, or until the server is gone: then some still fly."""
    server.slots(slots)
    while True:
        # A few more than can run, so that the server never waits for us.
        while len(flying) < slots + _AHEAD and (job := next(jobs, None)) is not None:
            flying[job.number] = job
            server.send(job)
        if not flying:
            return
        report = server.report()
        if report is None:
            return
        del flying[report.job]
        yield report


def _plan(build: Build, bench: BenchRequest, run_dir: Path, waves: Path | None) -> Plan:
    users = bench.env.get("PYGPI_USERS", ",".join(_USERS)).split(",")
    if users[-1].strip() != _REGRESSION:
        raise UsageError(
            f"PYGPI_USERS ends with {users[-1].strip()}, and only cocotb's own regression "
            "can be listened to",
            hint=f"let it end with {_REGRESSION}",
        )
    env = dict(build.env)
    arguments, plusargs = list(bench.test_args), list(bench.plusargs)
    if build.simulator == "icarus":
        arguments.insert(0, "-n")  # $stop waits for nobody
    if waves is not None and build.simulator == "icarus":
        plusargs.append(f"+dumpfile_path={waves}")
    if waves is not None and build.simulator == "verilator":
        arguments += ["--trace-file", str(waves)]

    def use(runner: Any) -> None:
        runner.test(
            test_module=bench.test_modules,
            hdl_toplevel=bench.top,
            hdl_toplevel_lang="verilog",
            test_filter=bench.test_filter or None,
            seed=bench.seed,
            test_args=arguments,
            plusargs=plusargs,
            build_dir=build.folder,
            test_dir=bench.root,
            results_xml=str(run_dir / "results.xml"),
            waves=waves is not None,
        )

    planned = plan(build.simulator, env, use)
    path = [str(bench.root / folder) for folder in bench.python_path]
    path += [bench.env.get("PYTHONPATH") or os.environ.get("PYTHONPATH", "")]
    path += [str(Path(__file__).resolve().parents[1])]
    return Plan(
        planned.commands,
        {
            **_QUIET,
            **planned.env,
            **bench.env,
            "PYTHONPATH": os.pathsep.join(filter(None, path)),
            "PYGPI_USERS": ",".join([*users[:-1], _ENTRY]),
        },
    )
