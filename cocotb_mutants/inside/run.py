# SPDX-License-Identifier: Apache-2.0
"""One run of the bench with one mutant, in the process that it ends."""

from __future__ import annotations

import logging
import os
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import cocotb
import cocotb._shutdown
from cocotb import simulator

from cocotb_mutants.inside import vpi
from cocotb_mutants.inside.differences import Comparer, Recorder, load
from cocotb_mutants.inside.files import FilesRead
from cocotb_mutants.inside.limits import impose, lift_memory_limit
from cocotb_mutants.inside.outcome import describe, ran_out_of_memory
from cocotb_mutants.inside.records import Records
from cocotb_mutants.inside.seeding import seed_numpy
from cocotb_mutants.inside.trace import OutputTrace, inner, now, ports
from cocotb_mutants.protocol import HitRegister, Job, Status, TestResult, WorkerSpec

__all__ = ["Run"]


_SILENT = logging.Logger("cocotb_mutants.silent", logging.CRITICAL + 1)


class _NoReport:
    """In place of cocotb's writer of results.xml, which nobody would read."""

    def add_testcase(self, **_: object) -> None:
        """Write nothing."""

    def write(self, _: object) -> None:
        """Write nothing."""

    def normalize_path(self, path: object) -> str:
        """Return `path` as it is."""
        return str(path)


class Run:
    """Runs a job through cocotb's own regression manager, whose decisions it only listens to."""

    def __init__(
        self, spec: WorkerSpec, job: Job, manager: Any, records: Records, files: FilesRead
    ) -> None:
        self._spec = spec
        self._job = job
        self._manager = manager
        self._records = records
        self._files = files
        self._selector = vpi.find(spec.selector, 32)
        self._selector_at_start: int | None = None
        self._trace: OutputTrace | None = None
        self._watcher: Comparer | Recorder | None = None
        self._unseen: tuple[str, ...] = ()
        self._hit: list[tuple[HitRegister, vpi.Register]] = []
        self._unwatched: set[int] = set()
        self._seen: dict[str, set[int]] = {}
        self._test = ""
        self._started = (0, 0.0, 0.0)
        self._ended = False

    def start(self) -> None:
        """Set everything up and start the regression. Most of it happens in callbacks later."""
        job, manager = self._job, self._manager
        impose(job.limits)
        seed_numpy(int(cocotb.RANDOM_SEED or 0))
        self._select()
        if job.hits:
            self._watch()
        if job.trace:
            self._trace = OutputTrace(ports(cocotb.top._handle, self._spec.outputs))
        if job.record or job.compare:
            self._look()
        if job.limits.sim_steps is not None:
            simulator.register_timed_callback(job.limits.sim_steps, self._out_of_time)
        if not job.files:
            self._files.stop()
        self._listen()
        manager.start_regression()
        cocotb._shutdown.register(manager._on_sim_end)
        # In case the simulator ends and the manager does not get to its own end.
        cocotb._shutdown.register(self._end)

    def _select(self) -> None:
        if self._selector is None:
            raise LookupError(f"the simulator does not know {self._spec.selector}")
        if self._spec.write_selector:
            self._selector.write(self._job.selector)
            self._note_selector()
        else:
            # A constant of the build is there once initial values are, on every simulator.
            simulator.register_readonly_callback(self._note_selector)

    def _note_selector(self) -> None:
        assert self._selector is not None
        self._selector_at_start = self._selector.read()
        self._records.write("selector", self._selector_at_start)

    def _watch(self) -> None:
        """Find the registers of activation; a simulator may well have removed one."""
        for hit in self._spec.hits:
            register = vpi.find(hit.path, hit.width)
            if register is None:
                self._unwatched.update(hit.numbers)
            else:
                self._hit.append((hit, register))

    def _look(self) -> None:
        """Watch the outputs and what else was asked for, to record them or to compare."""
        top, job = cocotb.top._handle, self._job
        outputs = ports(top, self._spec.outputs)
        signals = [*outputs, *inner(top, self._spec.watched)]

        names = [name for name, _ in signals]
        known = {name.partition(" ")[0] for name in names}
        self._unseen = tuple(name for name in self._spec.watched if name not in known)
        if job.record:
            self._watcher = Recorder(job.record, names)
        else:
            self._watcher = Comparer(load(job.compare), names, [name for name, _ in outputs])
        OutputTrace(signals, self._watcher.sample)

    def _listen(self) -> None:
        manager = self._manager
        manager.xunit = _NoReport()
        manager._log_test_summary = _nothing
        if not self._job.keep_log:
            # It says which test runs, at a price that counts; the report says it too.
            manager.log = _SILENT
        self._wrap("_execute", self._before_first)
        self._wrap("_schedule_next_test", self._before_test)
        self._wrap("_record_test_passed", self._passed)
        self._wrap("_record_test_xfail", self._expected)
        self._wrap("_record_test_skipped", self._skipped)
        self._wrap("_record_test_failed", self._failed)
        self._wrap("_record_test_init_failed", self._init_failed)
        shut_down = cocotb._shutdown._shutdown

        def shut_down_and_end() -> None:
            try:
                shut_down()
            except Exception:
                traceback.print_exc()
            self._end()

        cocotb._shutdown._shutdown = shut_down_and_end

    def _wrap(self, method: str, before: Callable[..., None]) -> None:
        original = getattr(self._manager, method)

        def wrapped(*args: Any, **kwargs: Any) -> Any:
            before(*args, **kwargs)
            return original(*args, **kwargs)

        setattr(self._manager, method, wrapped)

    def _before_first(self) -> None:
        """Put the tests into the job's order, now that cocotb has sorted and filtered them."""
        manager, names = self._manager, self._job.tests
        del manager._execute
        if names is not None:
            by_name: dict[str, list[Any]] = {}
            for test in manager._test_queue:
                by_name.setdefault(test.fullname, []).append(test)
            manager._test_queue = [test for name in names for test in by_name.get(name, ())]
            manager.total_tests = len(manager._test_queue)
        if self._job.force_failure:
            for test in manager._test_queue:
                test.func = _failing(test.func)

    def _before_test(self) -> None:
        self._collect_hits()
        self._test = self._manager._test.fullname
        self._started = (now(), time.monotonic(), time.process_time())
        if self._watcher is not None:
            self._watcher.begin(self._started[0], self._test)
        self._records.write("running", self._test)

    def _passed(self, **_: object) -> None:
        self._record("passed")

    def _expected(self, **_: object) -> None:
        self._record("xfailed")

    def _skipped(self, **_: object) -> None:
        self._record("skipped")

    def _failed(
        self, *, result: BaseException | None = None, msg: str | None = None, **_: object
    ) -> None:
        self._fail(result, msg)

    def _init_failed(self) -> None:
        self._fail(sys.exc_info()[1], None)

    def _fail(self, error: BaseException | None, message: str | None) -> None:
        if self._job.limits.memory_bytes is not None and ran_out_of_memory(error):
            lift_memory_limit()
            self._end("memory")
        kind, error_type, text = describe(error, message)
        self._record("failed", kind=kind, error_type=error_type, message=text)
        if self._job.stop_at_first and kind in (self._job.stop_kinds or (kind,)):
            if self._job.keep_log and error is not None:
                traceback.print_exception(error)
            self._manager._test_queue.clear()
            self._end()

    def _record(self, status: Status, **what: Any) -> None:
        test = self._manager._test.fullname
        # A test that never began has no beginning of its own.
        start = self._started if test == self._test else (now(), time.monotonic(), -1.0)
        result = TestResult(
            name=test,
            status=status,
            sim_start=start[0],
            sim_end=now(),
            wall_s=round(time.monotonic() - start[1], 6),
            cpu_s=round(time.process_time() - start[2], 6) if start[2] >= 0 else 0.0,
            **what,
        )
        self._records.write("test", result.to_json())

    def _collect_hits(self) -> None:
        """Count what was hit since the last time to the test that ran last, and start anew."""
        found = set()
        for hit, register in self._hit:
            bits = register.read()
            if bits:
                register.write(0)
                found |= {n for i, n in enumerate(hit.numbers) if bits >> i & 1}
        if found:
            self._seen.setdefault(self._test, set()).update(found)

    def _out_of_time(self) -> None:
        self._end("sim-time")

    def _end(self, limit: str = "") -> None:
        """Say that the run is over, and end the process."""
        if not self._ended:
            self._ended = True
            self._collect_hits()
            self._records.write("end", self._summary(limit))
        if not self._spec.leave_normally:
            leave()
        if limit:
            simulator.stop_simulator()

    def _summary(self, limit: str) -> dict[str, Any]:
        root, ignored = Path(self._spec.root), map(Path, self._spec.ignored)
        return {
            "limit": limit,
            "selector": None if self._selector is None else self._selector.read(),
            "sim_end": now(),
            "trace": self._trace.digest() if self._trace else "",
            "trace_length": self._trace.length if self._trace else 0,
            "hits": {name: sorted(numbers) for name, numbers in self._seen.items()},
            "unwatched": sorted(self._unwatched),
            "differences": [each.to_json() for each in self._watcher.finish(now())]
            if self._watcher
            else (),
            "unseen": self._unseen,
            "precision": simulator.get_precision(),
            "files": self._files.under(root, ignored) if self._job.files else (),
        }


def leave(code: int = 0) -> NoReturn:
    """End this process at once, with all that it printed written out.

    The simulator's own end would wait for threads that a fork did not copy.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    vpi.flush_output()
    os._exit(code)


def _nothing() -> None:
    """Stands for what is left out."""


def _failing(test: Callable[..., Any]) -> Callable[..., Any]:
    async def fails_on_purpose(*args: Any, **kwargs: Any) -> None:
        await test(*args, **kwargs)
        raise AssertionError("cocotb_mutants: this failure is planted")

    return fails_on_purpose
