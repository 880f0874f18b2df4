# SPDX-License-Identifier: Apache-2.0
"""What a run writes down as it goes, and how a report is made of it once it is over."""

from __future__ import annotations

import json
import os
import re
import signal
from dataclasses import dataclass
from typing import Any, cast

from cocotb_mutants.protocol import Difference, Job, LimitName, RunReport, TestResult

__all__ = ["Ending", "Records", "collect", "read"]

_OF_SIGNAL: dict[int, LimitName] = {signal.SIGPROF: "cpu", signal.SIGXFSZ: "output"}
_NO_MEMORY = re.compile(
    rb"std::bad_alloc|^MemoryError|out of memory|[Cc]annot allocate memory|"
    rb"virtual memory exhausted",
    re.MULTILINE,
)
# What the design says by $error, $fatal and assertions: Icarus, then Verilator.
_RTL_ERROR = re.compile(
    rb"^(?:(?:ERROR|FATAL): .+?:\d+:.*|(?:\[\d+\] )?%(?:Error|Fatal)\S*: .*)$", re.MULTILINE
)
_MOST_ERRORS = 20
# Verilator gives a loop in zero time up; others go on until the limit of processor time.
_STANDSTILL = re.compile(rb"^%Error\S*: .*did not converge", re.MULTILINE)


class Records:
    """Lines of JSON in a file, each written at once, so that none is lost with the process."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def write(self, what: str, value: object) -> None:
        """Add one record."""
        os.write(self._descriptor, json.dumps([what, value]).encode() + b"\n")


@dataclass(frozen=True)
class Ending:
    """How the process of a run ended, as its parent saw it.

    `killed` names the limit for which the parent killed it, if it did.
    """

    exit_code: int | None
    signal: int | None
    wall_s: float
    cpu_s: float
    max_rss: int
    killed: LimitName = ""


def collect(job: Job, records: bytes, ending: Ending, printed: bytes, log: str = "") -> RunReport:
    """Return the report on `job` from what it wrote down, how it ended and what it printed."""
    selector: int | None = None
    running = ""
    tests: list[TestResult] = []
    end: dict[str, Any] = {}
    for what, value in read(records):
        if what == "selector":
            selector = value
        elif what == "running":
            running = value
        elif what == "test":
            tests.append(TestResult.from_json(value))
            running = ""
        elif what == "end":
            end = value
    if end:
        limit = cast("LimitName", end["limit"])
        if not limit and _STANDSTILL.search(printed):
            limit = "sim-time"
        running = running if limit else ""
    else:
        limit = _limit(job, ending, printed)
    return RunReport(
        job=job.number,
        asked=job.tests,
        selector_at_start=selector,
        selector_at_end=end.get("selector"),
        tests=tuple(tests),
        running=running,
        complete=bool(end) and not limit,
        exit_code=ending.exit_code,
        signal=ending.signal,
        limit=limit,
        sim_end=end.get("sim_end", tests[-1].sim_end if tests else 0),
        wall_s=ending.wall_s,
        cpu_s=ending.cpu_s,
        max_rss=ending.max_rss,
        trace=end.get("trace", ""),
        trace_length=end.get("trace_length", 0),
        hits={name: tuple(numbers) for name, numbers in end.get("hits", {}).items()},
        unwatched=tuple(end.get("unwatched", ())),
        rtl_errors=_rtl_errors(printed),
        log=log,
        files=tuple(end.get("files", ())),
        differences=tuple(map(Difference.from_json, end.get("differences", ()))),
        unseen=tuple(end.get("unseen", ())),
        precision=end.get("precision", 0),
    )


def read(records: bytes) -> list[tuple[str, Any]]:
    """Return the records that were written to their end."""
    found = []
    for line in records.split(b"\n")[:-1]:
        try:
            what, value = json.loads(line)
        except ValueError:  # cut off in the middle of a line, for want of space
            break
        found.append((what, value))
    return found


def _limit(job: Job, ending: Ending, printed: bytes) -> LimitName:
    """Name the limit that a run without an end ran into."""
    if ending.killed:
        return ending.killed
    if job.limits.memory_bytes is not None and _NO_MEMORY.search(printed):
        return "memory"
    limit = _OF_SIGNAL.get(ending.signal or 0, "")
    asked = {"cpu": job.limits.cpu_s, "output": job.limits.output_bytes}
    return limit if limit and asked[limit] is not None else ""


def _rtl_errors(printed: bytes) -> tuple[str, ...]:
    # Python's own lines are indented by the simulated time, so these are the simulator's.
    lines = dict.fromkeys(m[0].decode("utf-8", "replace") for m in _RTL_ERROR.finditer(printed))
    # Verilator calls it errors that $stop was called, and that time stands still.
    own = ("Verilog $stop", "did not converge")
    return tuple(line for line in lines if not any(o in line for o in own))[:_MOST_ERRORS]
