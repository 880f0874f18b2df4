# SPDX-License-Identifier: Apache-2.0
"""Reports, made of what a run wrote down, how it ended and what it printed."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from cocotb_mutants.inside.records import Ending, Records, collect, read
from cocotb_mutants.protocol import Job, Limits, TestResult

ENDED = Ending(exit_code=0, signal=None, wall_s=1.0, cpu_s=0.5, max_rss=1 << 20)
LIMITS = Limits(cpu_s=1, wall_s=1, memory_bytes=1 << 20, output_bytes=1 << 20)
JOB = Job(7, 5, ("bench.a",), limits=LIMITS)
PASSED = TestResult("bench.a", "passed", sim_start=1, sim_end=9)
END = {
    "limit": "",
    "selector": 5,
    "sim_end": 10,
    "trace": "abc",
    "trace_length": 2,
    "hits": {"bench.a": [1, 2]},
    "unwatched": [3],
    "files": ["bench.py"],
}


def written(path: Path, *records: tuple[str, object]) -> bytes:
    descriptor = os.open(path / "records", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    try:
        for what, value in records:
            Records(descriptor).write(what, value)
        return os.pread(descriptor, 1 << 20, 0)
    finally:
        os.close(descriptor)


def test_a_run_that_reached_its_end_is_complete(tmp_path: Path) -> None:
    records = written(
        tmp_path,
        ("hello", {}),
        ("selector", 5),
        ("running", "bench.a"),
        ("test", PASSED.to_json()),
        ("end", END),
    )
    report = collect(JOB, records, ENDED, b"")
    assert report.complete
    assert (report.job, report.asked) == (7, ("bench.a",))
    assert (report.selector_at_start, report.selector_at_end) == (5, 5)
    assert report.tests == (PASSED,)
    assert (report.running, report.limit) == ("", "")
    assert (report.exit_code, report.signal) == (0, None)
    assert (report.wall_s, report.cpu_s, report.max_rss) == (1.0, 0.5, 1 << 20)
    assert (report.sim_end, report.trace, report.trace_length) == (10, "abc", 2)
    assert report.hits == {"bench.a": (1, 2)}
    assert report.unwatched == (3,)
    assert report.files == ("bench.py",)


def test_a_run_that_was_cut_off_keeps_what_it_wrote(tmp_path: Path) -> None:
    records = written(
        tmp_path, ("selector", 5), ("test", PASSED.to_json()), ("running", "bench.b"), ("test", {})
    )
    cut = records[: records.rindex(b"{}") + 1]
    report = collect(JOB, cut, replace(ENDED, exit_code=None, signal=signal.SIGSEGV), b"")
    assert not report.complete
    assert report.tests == (PASSED,)
    assert report.running == "bench.b"
    assert (report.selector_at_start, report.selector_at_end) == (5, None)
    assert (report.exit_code, report.signal, report.limit) == (None, signal.SIGSEGV, "")
    assert report.sim_end == 9


def test_between_two_tests_none_is_running(tmp_path: Path) -> None:
    records = written(tmp_path, ("running", "bench.a"), ("test", PASSED.to_json()))
    assert collect(JOB, records, ENDED, b"").running == ""


def test_a_line_that_is_no_record_ends_the_reading() -> None:
    assert read(b'["a",1]\n["b"\n["c",1]\n') == [("a", 1)]
    assert read(b"") == []


def test_a_run_that_says_that_it_reached_a_limit_is_not_complete(tmp_path: Path) -> None:
    records = written(tmp_path, ("running", "bench.a"), ("end", {**END, "limit": "sim-time"}))
    report = collect(JOB, records, ENDED, b"")
    assert not report.complete
    assert (report.limit, report.running) == ("sim-time", "bench.a")


@pytest.mark.parametrize(
    ("ending", "printed", "limit"),
    [
        (replace(ENDED, signal=signal.SIGKILL, killed="wall"), b"", "wall"),
        (replace(ENDED, signal=signal.SIGKILL), b"", ""),
        (replace(ENDED, signal=signal.SIGPROF), b"", "cpu"),
        (replace(ENDED, signal=signal.SIGXFSZ), b"", "output"),
        (replace(ENDED, signal=signal.SIGABRT), b"what():  std::bad_alloc\n", "memory"),
        (replace(ENDED, exit_code=1), b"Traceback\nMemoryError\n", "memory"),
        (replace(ENDED, exit_code=1), b"no MemoryError\n", ""),
    ],
)
def test_a_limit_is_told_from_how_a_run_ended(ending: Ending, printed: bytes, limit: str) -> None:
    assert collect(JOB, b"", ending, printed).limit == limit


@pytest.mark.parametrize("name", ["SIGPROF", "SIGXFSZ"])
def test_a_signal_is_no_limit_where_none_was_set(name: str) -> None:
    ending = replace(ENDED, signal=signal.Signals[name])
    assert collect(replace(JOB, limits=Limits()), b"", ending, b"std::bad_alloc").limit == ""


def test_errors_of_the_design_are_told_from_what_the_bench_prints() -> None:
    printed = b"""\
     0.00ns ERROR    cocotb.regression: %Error: of the bench
ERROR: rtl/a b.sv:12: en is 1
       Time: 5000  Scope: counter
ERROR: rtl/a b.sv:12: en is 1
FATAL: rtl/a.sv:13: given up
[5000] %Error: a.sv:14: Assertion failed in top.a: en is 1
[5000] %Fatal: a.sv:15: Assertion failed in top.a: given up
%Error: rtl/a.sv:14: Verilog $stop
%Error-DIDNOTCONVERGE: a.sv:20: Settle region did not converge after 100 tries
ERROR: no place
"""
    assert collect(JOB, b"", ENDED, printed).rtl_errors == (
        "ERROR: rtl/a b.sv:12: en is 1",
        "FATAL: rtl/a.sv:13: given up",
        "[5000] %Error: a.sv:14: Assertion failed in top.a: en is 1",
        "[5000] %Fatal: a.sv:15: Assertion failed in top.a: given up",
    )


def test_a_loop_in_zero_time_is_no_error_of_the_design_but_a_limit(tmp_path: Path) -> None:
    records = written(tmp_path, ("end", END))
    printed = b"%Error-DIDNOTCONVERGE: a.sv:20: Settle region did not converge after 100 tries\n"
    report = collect(JOB, records, ENDED, printed)
    assert (report.limit, report.complete, report.rtl_errors) == ("sim-time", False, ())


def test_no_more_errors_are_told_than_anybody_reads() -> None:
    printed = b"".join(b"ERROR: a.sv:%d: no\n" % i for i in range(1000))
    assert len(collect(JOB, b"", ENDED, printed).rtl_errors) == 20
