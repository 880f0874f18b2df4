# SPDX-License-Identifier: Apache-2.0
"""The two kinds of simulator processes: one that serves jobs, and one that runs a single job."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from cocotb_mutants.errors import BaselineFailed
from cocotb_mutants.inside.records import Ending, collect, read
from cocotb_mutants.launch import Plan, call, kill_group, start
from cocotb_mutants.protocol import (
    SPEC_VARIABLE,
    Hello,
    Job,
    LimitName,
    RunReport,
    WorkerSpec,
    encode,
)

__all__ = ["Process", "Server", "patience"]

_TAIL = 20
_LOOK = 0.1
_DROPPED = b'"dropped"'
_UNIQUE = itertools.count()


class Server:
    """A loaded simulation that forks a child for each job; the other end of its socket."""

    def __init__(self, plan: Plan, spec: WorkerSpec, run_dir: Path) -> None:
        self.log = run_dir / "server.log"
        ours, theirs = socket.socketpair()
        self._socket = ours
        self._unread = b""
        with theirs:
            spec = replace(spec, channel=str(theirs.fileno()))
            self._process = _begin(plan, spec, run_dir / "server.json", self.log, [theirs.fileno()])

    def greeting(self) -> Hello:
        """Wait until the bench is loaded, and return what it holds.

        Raises:
            BaselineFailed: the bench cannot be loaded, or the simulator does not start.
        """
        line = self._line()
        if line is None:
            code = self.stop()
            raise BaselineFailed(
                f"the simulator ended before the bench was loaded ({_how(code)})",
                hint=_tail(self.log),
            )
        return _checked(Hello.from_json(json.loads(line)))

    def slots(self, count: int) -> None:
        """Let the server run `count` jobs at a time."""
        self._say("slots", count)

    def send(self, job: Job) -> None:
        """Hand over a job; the server runs it when it has a slot."""
        self._say("job", job.to_json())

    def report(self) -> RunReport | None:
        """Wait for the next report; None if the server is gone."""
        line = self._line()
        return None if line is None else RunReport.from_json(json.loads(line))

    def drop(self) -> None:
        """Let the server kill what it runs and forget what it was to run."""
        self._say("drop", None)
        line: bytes | None = b""
        while line is not None and line != _DROPPED:
            line = self._line()

    def stop(self) -> int:
        """End the server and all that it runs; return its exit code."""
        # Asked, it also kills what its children started in groups of their own.
        self._socket.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=1.0)
        kill_group(self._process)
        return self._process.returncode

    def _say(self, what: str, value: object) -> None:
        line = json.dumps([what, value]).encode() + b"\n"
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self._socket.sendall(line)  # if nobody is there, the next report says so

    def _line(self) -> bytes | None:
        while b"\n" not in self._unread:
            data = b""
            with contextlib.suppress(ConnectionResetError):
                data = self._socket.recv(1 << 20)
            if not data:
                return None
            self._unread += data
        line, _, self._unread = self._unread.partition(b"\n")
        return line


class Process:
    """A simulator process that runs one job, or only says what tests there are."""

    def __init__(self, plan: Plan, spec: WorkerSpec, job: Job, run_dir: Path) -> None:
        self._job = job
        self._run_dir = run_dir
        self._killed: LimitName = ""
        self._deadline: float | None = None
        self._begun = False
        self._folder = run_dir / f"process-{os.getpid()}-{next(_UNIQUE)}"
        self._folder.mkdir(parents=True)
        self._records = self._folder / "records"
        self._output = self._folder / "output.log"
        spec = replace(spec, channel=str(self._records))
        self._started = time.time()
        self._process = _begin(plan, spec, self._folder / "spec.json", self._output, [])
        self.pidfd = os.pidfd_open(self._process.pid)

    def seconds_left(self) -> float:
        """Return how long to wait before `kill_if_late` has anything to do."""
        if self._job.limits.wall_s is None:
            return 3600.0
        if self._deadline is None:
            return _LOOK
        return max(0.0, self._deadline - time.time())

    def kill_if_late(self) -> None:
        """Kill the run if it takes longer than its limit; loading the bench does not count."""
        wall_s = self._job.limits.wall_s
        if wall_s is None or self._killed:
            return
        if self._deadline is None and (begun := self._value("begun")):
            self._deadline = begun[0] + wall_s
        if self._deadline is not None and self._deadline <= time.time():
            self._killed = "wall"
            os.killpg(self._process.pid, signal.SIGKILL)

    def hello(self) -> Hello:
        """Return what the bench holds, once a process that was only to say so has ended.

        Raises:
            BaselineFailed: the bench cannot be loaded, or the simulator does not start.
        """
        ending = self._bury()
        said = self._value("hello")
        if said is None:
            code = ending.exit_code if ending.signal is None else -ending.signal
            raise BaselineFailed(
                f"the simulator ended before the bench was loaded ({_how(code or 0)})",
                hint=_tail(self._output),
            )
        return _checked(Hello.from_json(said))

    def report(self) -> RunReport:
        """Return what became of the job, once the process has ended.

        Raises:
            BaselineFailed: the bench cannot be loaded.
        """
        ending = self._bury()
        if (said := self._value("hello")) is not None:
            _checked(Hello.from_json(said))
        records = self._records.read_bytes() if self._records.exists() else b""
        printed = self._output.read_bytes()
        report = collect(self._job, records, ending, printed)
        if self._job.keep_log or not (report.complete or report.limit):
            log = self._run_dir / f"{self._job.number}-{self._job.selector}.log"
            self._output.replace(log)
            report = replace(report, log=str(log))
        return report

    def clean(self) -> None:
        """Kill the process if it runs, and delete its folder."""
        kill_group(self._process)
        with contextlib.suppress(OSError):
            os.close(self.pidfd)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _bury(self) -> Ending:
        ended = time.time()
        _, status, usage = os.wait4(self._process.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        self._process.returncode = code
        kill_group(self._process)
        began, cpu_s = self._value("begun") or (self._started, 0.0)
        return Ending(
            exit_code=code if code >= 0 else None,
            signal=-code if code < 0 else None,
            wall_s=ended - began,
            cpu_s=usage.ru_utime + usage.ru_stime - cpu_s,
            max_rss=usage.ru_maxrss * 1024,
            killed=self._killed,
        )

    def _value(self, wanted: str) -> Any:
        records = self._records.read_bytes() if self._records.exists() else b""
        return next((value for what, value in read(records) if what == wanted), None)


def patience(processes: Iterable[Process]) -> int:
    """Return for how many milliseconds at most to wait for one of `processes`."""
    return int(min(process.seconds_left() for process in processes) * 1000) + 1


def _begin(
    plan: Plan, spec: WorkerSpec, file: Path, output: Path, inherited: list[int]
) -> subprocess.Popen[bytes]:
    file.write_text(encode(spec))
    env = {**plan.env, SPEC_VARIABLE: str(file)}
    env["COCOTB_RESULTS_FILE"] = str(file.with_name("results.xml"))
    root = Path(spec.root)
    for words in plan.commands[:-1]:
        call(words, root, env, output)
    with output.open("ab") as log:
        return start(plan.commands[-1], root, env, log.fileno(), inherited)


def _checked(hello: Hello) -> Hello:
    if hello.error:
        lines = [line.strip() for line in hello.error.strip().splitlines()]
        places = [n for n, line in enumerate(lines) if line.startswith('File "')]
        raise BaselineFailed(
            f"the bench cannot be loaded: {lines[-1]}",
            hint=": ".join(lines[places[-1] : places[-1] + 2])
            if places
            else "look at test-modules and python-path",
        )
    return hello


def _how(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def _tail(log: Path) -> str:
    lines = log.read_text("utf-8", "replace").splitlines() if log.exists() else []
    return "\n".join([f"the end of {log}:", *lines[-_TAIL:]])
