# SPDX-License-Identifier: Apache-2.0
"""Serves jobs from inside one loaded simulation: a forked child runs each, with its own mutant."""

from __future__ import annotations

import ctypes
import gc
import json
import os
import select
import signal
import socket
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from cocotb_mutants.inside import vpi
from cocotb_mutants.inside.differences import load
from cocotb_mutants.inside.place import Place
from cocotb_mutants.inside.records import Ending, Records, collect
from cocotb_mutants.inside.run import leave
from cocotb_mutants.protocol import Job, LimitName, RunReport, encode

__all__ = ["Server"]

_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG
_ADOPT_ORPHANS = 36  # PR_SET_CHILD_SUBREAPER
_MOST_PRINTED = 4 << 20
_python = ctypes.PyDLL(None, use_errno=True)


@dataclass
class _Child:
    job: Job
    process: int
    pidfd: int
    records: int
    output: int
    place: Place
    started: float
    killed: LimitName = ""

    @property
    def deadline(self) -> float | None:
        limit = self.job.limits.wall_s
        return None if limit is None or self.killed else self.started + limit


class Server:
    """Runs jobs, several at a time, until the other end of the socket goes away.

    `run` is called in each child; it sets a run up and returns, and the child then goes on into
    the simulator, which never comes back from it.
    """

    def __init__(
        self,
        channel: socket.socket,
        root: Path,
        run_dir: Path,
        run: Callable[[Job, Records], None],
    ) -> None:
        self._channel = channel
        self._root = root
        self._run_dir = run_dir
        self._places: list[Place] = []
        self._run = run
        self._slots = 1
        self._waiting: deque[Job] = deque()
        self._children: dict[int, _Child] = {}
        self._unread = b""
        self._poll = select.poll()
        self._poll.register(channel, select.POLLIN)
        self._null = os.open(os.devnull, os.O_RDWR)

    def serve(self) -> bool:
        """Serve until the end; return True in a child, which has a simulation to run."""
        _control(_ADOPT_ORPHANS, 1)
        vpi.print_by_line()
        gc.collect()
        gc.freeze()
        while True:
            while self._waiting and len(self._children) < self._slots:
                if self._fork(self._waiting.popleft()):
                    return True
            for descriptor, _ in self._poll.poll(self._patience()):
                if descriptor == self._channel.fileno():
                    self._listen()
                else:
                    self._reap(self._children[descriptor])
            self._kill_late()

    def _listen(self) -> None:
        data = self._channel.recv(1 << 20)
        if not data:
            self._stop()
        *lines, self._unread = (self._unread + data).split(b"\n")
        for line in lines:
            what, value = json.loads(line)
            if what == "job":
                self._waiting.append(Job.from_json(value))
            elif what == "slots":
                self._slots = value
            else:  # "drop"
                self._drop()

    def _fork(self, job: Job) -> bool:
        used = {child.place for child in self._children.values()}
        place = next((each for each in self._places if each not in used), None)
        if place is None:
            place = Place(self._root, self._run_dir / f"slot-{len(self._places)}")
            self._places.append(place)
        place.prepare()
        output = os.memfd_create(f"output-{job.number}")
        records = os.memfd_create(f"records-{job.number}")
        sys.stdout.flush()
        sys.stderr.flush()
        vpi.flush_output()
        if job.compare:
            load(job.compare)  # for all children at once
        parent = os.getpid()
        process = _fork()
        if process == 0:
            self._begin(job, parent, output, records, place)
            return True
        started = time.monotonic()
        _make_group(process)
        child = _Child(job, process, os.pidfd_open(process), records, output, place, started)
        self._children[child.pidfd] = child
        self._poll.register(child.pidfd, select.POLLIN)
        return False

    def _begin(self, job: Job, parent: int, output: int, records: int, place: Place) -> None:
        try:
            os.setpgid(0, 0)
            _control(_DEATH_SIGNAL, signal.SIGKILL)
            if os.getppid() != parent:
                os._exit(1)
            self._channel.close()
            for other in self._children.values():
                for descriptor in (other.pidfd, other.records, other.output):
                    os.close(descriptor)
            os.dup2(self._null, 0)
            os.dup2(output, 1)
            os.dup2(output, 2)
            os.close(output)
            os.environ["COCOTB_RESULTS_FILE"] = str(place.folder / "results.xml")
            place.enter()
            self._run(job, Records(records))
        except BaseException:
            traceback.print_exc()
            leave(1)

    def _patience(self) -> int | None:
        deadlines = [child.deadline for child in self._children.values()]
        known = [deadline for deadline in deadlines if deadline is not None]
        if not known:
            return None
        return max(0, int((min(known) - time.monotonic()) * 1000) + 1)

    def _kill_late(self) -> None:
        now = time.monotonic()
        for child in self._children.values():
            if child.deadline is not None and child.deadline <= now:
                child.killed = "wall"
                _kill(child)

    def _reap(self, child: _Child) -> None:
        report = self._bury(child)
        self._channel.sendall(encode(report).encode() + b"\n")

    def _bury(self, child: _Child) -> RunReport:
        # Until it is waited for its number cannot be another group's.
        _kill(child)
        _, status, usage = os.wait4(child.process, 0)
        wall_s = time.monotonic() - child.started
        self._poll.unregister(child.pidfd)
        del self._children[child.pidfd]
        os.close(child.pidfd)
        self._kill_orphans()
        code = os.waitstatus_to_exitcode(status)
        ending = Ending(
            exit_code=code if code >= 0 else None,
            signal=-code if code < 0 else None,
            wall_s=wall_s,
            cpu_s=usage.ru_utime + usage.ru_stime,
            max_rss=usage.ru_maxrss * 1024,
            killed=child.killed,
        )
        records = _content(child.records)
        output = _content(child.output)[-_MOST_PRINTED:]
        report = collect(child.job, records, ending, output)
        if child.job.keep_log or not (report.complete or report.limit):
            log = self._run_dir / f"{child.job.number}-{child.job.selector}.log"
            log.write_bytes(output)
            report = collect(child.job, records, ending, output, str(log))
        os.close(child.records)
        os.close(child.output)
        return report

    def _kill_orphans(self) -> None:
        """Kill what children left behind in other groups: it was given to this process."""
        ours = {child.process for child in self._children.values()}
        for process in _own_children() - ours:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)

    def _drop(self) -> None:
        self._waiting.clear()
        for child in list(self._children.values()):
            _kill(child)
            self._bury(child)
        self._channel.sendall(b'"dropped"\n')

    def _stop(self) -> NoReturn:
        for child in list(self._children.values()):
            _kill(child)
            self._bury(child)
        leave()


def _fork() -> int:
    """Fork without Python's own care for what forks: that would seed `random` anew, for instance.

    A child is to go on as the process that was never forked. Only this thread runs Python, and it
    keeps the interpreter to itself throughout (PyDLL), so there is no lock to mend.
    """
    process = _python.fork()
    if process < 0:
        raise OSError(ctypes.get_errno(), "the simulation cannot be forked")
    return int(process)


def _control(option: int, value: int) -> None:
    _python.prctl(option, value, 0, 0, 0)


def _make_group(process: int) -> None:
    try:
        os.setpgid(process, process)
    except (PermissionError, ProcessLookupError):  # it was faster
        return


def _kill(child: _Child) -> None:
    try:
        os.killpg(child.process, signal.SIGKILL)
    except (PermissionError, ProcessLookupError):  # nobody is left in it
        return


def _own_children() -> set[int]:
    file = Path(f"/proc/self/task/{os.getpid()}/children")
    try:
        return {int(each) for each in file.read_text().split()}
    except FileNotFoundError:  # a kernel without that list
        return set()


def _content(descriptor: int) -> bytes:
    return os.pread(descriptor, os.fstat(descriptor).st_size, 0)
