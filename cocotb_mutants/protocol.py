# SPDX-License-Identifier: Apache-2.0
"""What the two sides of a simulation tell each other: jobs go in, reports come back, as JSON."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, Self

__all__ = [
    "SPEC_VARIABLE",
    "Difference",
    "Hello",
    "HitRegister",
    "Job",
    "Kind",
    "LimitName",
    "Limits",
    "RunReport",
    "Status",
    "TestResult",
    "WorkerSpec",
    "encode",
]

SPEC_VARIABLE = "COCOTB_MUTANTS_SPEC"
"""The environment variable with the path of the file that holds the `WorkerSpec`."""

Status = Literal["passed", "failed", "skipped", "xfailed"]
"""How a test ended, in cocotb's words."""

Kind = Literal["", "assertion", "unresolved", "bench-timeout", "exception", "ended-early"]
"""Why a test failed: a check; an X or Z where a number was needed; a timeout of the bench
itself; any other exception; or the simulator left before the test did."""

LimitName = Literal["", "cpu", "wall", "sim-time", "memory", "output"]
"""The limit that a run was stopped by, if any. A loop in zero simulated time that the simulator
itself gives up is one of simulated time."""


class _Message:
    """Dataclasses that travel as one line of JSON."""

    def to_json(self) -> dict[str, Any]:
        """Return plain values that `from_json` takes, also after a way through JSON."""
        kind: Any = type(self)
        return {name: _plain(getattr(self, name)) for name in _fields(kind)}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the message that `to_json` wrote."""
        return cls(**values)


def encode(message: _Message) -> str:
    """Return `message` as one line of JSON, without the end of the line."""
    return json.dumps(message.to_json(), separators=(",", ":"))


@cache
def _fields(message: Any) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(message))


def _plain(value: Any) -> Any:
    if isinstance(value, _Message):
        return value.to_json()
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    return value


@dataclass(frozen=True)
class Limits(_Message):
    """What one run may use; None is no limit.

    `memory_bytes` is what the run may map on top of what is mapped when it begins.
    `output_bytes` holds for what it prints (both streams together), and for each file it writes;
    less than a MiB counts as one.
    """

    cpu_s: float | None = None
    wall_s: float | None = None
    sim_steps: int | None = None
    memory_bytes: int | None = None
    output_bytes: int | None = None


@dataclass(frozen=True)
class Job(_Message):
    """One run of the bench with one mutant.

    Attributes:
        number: identifies the job; reports may come back in another order.
        selector: the mutant; 0 is the original.
        tests: full names ("module.test") in the order to run; None is all in cocotb's own order.
        stop_at_first: end with the first test that fails.
        stop_kinds: the ways of failing that this holds for; none is all of them.
        trace: record the settled outputs over time.
        hits: record which mutants each test activates.
        force_failure: let every test fail at its end, to see that failures are noticed.
        keep_log: keep what the run prints, as the file that `RunReport.log` names.
        files: record which of the project's files the bench reads.
        record: path to which all values of the watched signals over time are written.
        compare: path of such a record of the original, to say where this run first differs.
    """

    number: int
    selector: int
    tests: tuple[str, ...] | None = None
    stop_at_first: bool = True
    stop_kinds: tuple[str, ...] = ()
    trace: bool = False
    hits: bool = False
    limits: Limits = field(default_factory=Limits)
    force_failure: bool = False
    keep_log: bool = False
    files: bool = False
    record: str = ""
    compare: str = ""

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the job that `to_json` wrote."""
        limits = Limits.from_json(values["limits"])
        return cls(
            **{
                **values,
                "tests": _names(values["tests"]),
                "stop_kinds": tuple(values["stop_kinds"]),
                "limits": limits,
            }
        )


@dataclass(frozen=True)
class TestResult(_Message):
    """How one test ended; times of the simulation are in steps of its precision."""

    __test__ = False  # not a test of ours, whatever its name looks like to pytest

    name: str
    status: Status
    kind: Kind = ""
    error_type: str = ""
    message: str = ""
    sim_start: int = 0
    sim_end: int = 0
    wall_s: float = 0.0
    cpu_s: float = 0.0


@dataclass(frozen=True)
class Difference(_Message):
    """The first moment at which a signal is not what it is in the original.

    Attributes:
        signal: the name of an output of the top, or the hierarchical name of an inner signal.
        is_output: whether it is the former.
        time: simulated, in steps.
        test: the test that was running.
        original: the value in the original, as the simulator writes bits.
        mutant: the value in this run.
    """

    signal: str
    is_output: bool
    time: int
    test: str
    original: str
    mutant: str

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the difference that `to_json` wrote."""
        return cls(**values)


@dataclass(frozen=True)
class RunReport(_Message):
    """What became of a job.

    Attributes:
        job: the job's number.
        asked: the tests that the job named; None is all.
        selector_at_start: the selector as read back from the simulator; None: it was not reached.
        selector_at_end: the same at the end of the run.
        tests: those that ended, in the order in which they did.
        running: the test that was running if the run was cut off, else empty.
        complete: the run itself said that it reached its end.
        exit_code: of the process, unless a signal ended it.
        signal: that ended the process.
        limit: that the run was stopped by.
        sim_end: simulated time at the end, in steps.
        max_rss: the most memory that the process held, in bytes.
        trace: digest of the settled outputs over time, "" if not asked for.
        trace_length: the number of changes in it.
        hits: numbers of the mutants that each test activated.
        unwatched: numbers of those that may be missing there: a register of theirs is gone.
        rtl_errors: what the simulator itself reported as errors.
        log: path of the kept log, "" if none was kept.
        files: the project's files that the bench read, relative to its root.
        differences: from the original, each signal's first, the earliest first.
        unseen: names of signals that were to be watched and that the simulator does not know.
        precision: the power of ten, in seconds, that a step of simulated time is.
    """

    job: int
    asked: tuple[str, ...] | None = None
    selector_at_start: int | None = None
    selector_at_end: int | None = None
    tests: tuple[TestResult, ...] = ()
    running: str = ""
    complete: bool = False
    exit_code: int | None = None
    signal: int | None = None
    limit: LimitName = ""
    sim_end: int = 0
    wall_s: float = 0.0
    cpu_s: float = 0.0
    max_rss: int = 0
    trace: str = ""
    trace_length: int = 0
    hits: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    unwatched: tuple[int, ...] = ()
    rtl_errors: tuple[str, ...] = ()
    log: str = ""
    files: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()
    unseen: tuple[str, ...] = ()
    precision: int = 0

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the report that `to_json` wrote."""
        return cls(
            **{
                **values,
                "asked": _names(values["asked"]),
                "tests": tuple(TestResult.from_json(test) for test in values["tests"]),
                "hits": {name: tuple(numbers) for name, numbers in values["hits"].items()},
                "unwatched": tuple(values["unwatched"]),
                "rtl_errors": tuple(values["rtl_errors"]),
                "files": tuple(values["files"]),
                "unseen": tuple(values["unseen"]),
                "differences": tuple(Difference.from_json(d) for d in values["differences"]),
            }
        )


@dataclass(frozen=True)
class HitRegister(_Message):
    """A register of the schema whose bits say which mutants were activated.

    Attributes:
        path: the hierarchical name by which the simulator knows it.
        width: in bits.
        numbers: the mutants' numbers, that of bit 0 first.
    """

    path: str
    width: int
    numbers: tuple[int, ...]

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the register that `to_json` wrote."""
        return cls(values["path"], values["width"], tuple(values["numbers"]))


@dataclass(frozen=True)
class WorkerSpec(_Message):
    """Everything that the side inside the simulator needs to know.

    Attributes:
        mode: "fork" serves jobs from a socket, a forked child each; "single" runs `job`;
            "list" only says which tests there are.
        channel: "fork": the number of the inherited socket; else the path of the file to
            which records are written.
        root: the project's folder.
        run_dir: the folder for logs and whatever a run leaves.
        ignored: folders in which no file counts as one of the project's.
        selector: hierarchical name of the selector.
        write_selector: False for a build that holds one mutant as a constant.
        outputs: names of the top's ports to trace.
        watched: hierarchical names of further signals that a record holds.
        hits: the schema's activation registers.
        job: the one job of mode "single".
        leave_normally: end through the simulator's own end, so that it closes its waves.
    """

    mode: Literal["fork", "single", "list"]
    channel: str
    root: str
    run_dir: str
    ignored: tuple[str, ...] = ()
    selector: str = "cocotb_mutants_select.sel"
    write_selector: bool = True
    outputs: tuple[str, ...] = ()
    watched: tuple[str, ...] = ()
    hits: tuple[HitRegister, ...] = ()
    job: Job | None = None
    leave_normally: bool = False

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the specification that `to_json` wrote."""
        job = values["job"]
        return cls(
            **{
                **values,
                "ignored": tuple(values["ignored"]),
                "outputs": tuple(values["outputs"]),
                "watched": tuple(values["watched"]),
                "hits": tuple(HitRegister.from_json(hit) for hit in values["hits"]),
                "job": None if job is None else Job.from_json(job),
            }
        )


@dataclass(frozen=True)
class Hello(_Message):
    """What a simulation says once the bench is loaded.

    Attributes:
        tests: full names of the tests, in the order in which cocotb would run them.
        cannot_fork: why it cannot fork, "" if it can.
        error: the bench's own traceback if it could not be loaded.
    """

    tests: tuple[str, ...] = ()
    cannot_fork: str = ""
    error: str = ""

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the message that `to_json` wrote."""
        return cls(**{**values, "tests": tuple(values["tests"])})


def _names(names: list[str] | tuple[str, ...] | None) -> tuple[str, ...] | None:
    return None if names is None else tuple(names)
