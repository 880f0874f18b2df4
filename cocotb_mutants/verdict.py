# SPDX-License-Identifier: Apache-2.0
"""What a run of a mutant says about the bench: states, the judge of a run, and the score."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from typing import Any, Literal, TypeAlias, get_args

from cocotb_mutants.protocol import RunReport, TestResult

__all__ = [
    "DEFAULT_DETECTED",
    "DETECTIONS",
    "ORDER",
    "Detection",
    "Published",
    "Score",
    "State",
    "Verdict",
    "combine",
    "judge",
    "score",
]

Detection: TypeAlias = Literal[
    "assertion", "unresolved", "bench-timeout", "rtl-assertion", "exception", "timeout"
]
"""The ways in which a mutant can show. The configuration says which of them count."""

DETECTIONS: tuple[Detection, ...] = get_args(Detection)
DEFAULT_DETECTED: frozenset[Detection] = frozenset(DETECTIONS) - {"exception"}

Published: TypeAlias = Literal[
    "Killed",
    "Survived",
    "NoCoverage",
    "Timeout",
    "CompileError",
    "RuntimeError",
    "Ignored",
    "Pending",
]
"""The eight states of the published report format. Nothing of ours is ever `Pending`."""


class State(enum.StrEnum):
    """What became of a mutant."""

    KILLED = "killed"
    SURVIVED = "survived"
    NOT_ACTIVATED = "not activated"
    TIMEOUT = "timeout"
    COMPILE_ERROR = "compile error"
    CRASHED = "crashed"
    ENDED_EARLY = "ended early"
    OUT_OF_MEMORY = "out of memory"
    FLOODED = "flooded"
    TEST_ERROR = "test error"
    FEWER_TESTS = "fewer tests"
    UNREADABLE = "unreadable"
    WRONG_MUTANT = "wrong mutant"
    IGNORED = "ignored"

    @property
    def published(self) -> Published:
        """The word of the published report format."""
        return _PUBLISHED.get(self, "RuntimeError")

    @property
    def meaning(self) -> str:
        """What the state says, in one line."""
        return _MEANINGS[self]

    @property
    def is_of_the_mutant(self) -> bool:
        """Whether the mutant brought it about. Else it is a fault of the tool: run it again."""
        return self not in (State.UNREADABLE, State.WRONG_MUTANT)


_PUBLISHED: dict[State, Published] = {
    State.KILLED: "Killed",
    State.SURVIVED: "Survived",
    State.NOT_ACTIVATED: "NoCoverage",
    State.TIMEOUT: "Timeout",
    State.COMPILE_ERROR: "CompileError",
    State.IGNORED: "Ignored",
}
_MEANINGS = {
    State.KILLED: "a test that passes on the original failed by a check",
    State.SURVIVED: "every test ended as it does on the original",
    State.NOT_ACTIVATED: "in no test did the changed expression differ from the original",
    State.TIMEOUT: "the run reached its limit of processor, wall or simulated time",
    State.COMPILE_ERROR: "the simulator or the front end refuses the mutated source",
    State.CRASHED: "the simulator died, by a signal or with an exit code of its own",
    State.ENDED_EARLY: "the design ended the simulation (`$finish`, `$stop`) before the tests did",
    State.OUT_OF_MEMORY: "the run reached its limit of memory",
    State.FLOODED: "the run reached its limit of output",
    State.TEST_ERROR: "a test broke in a way that does not count as detection",
    State.FEWER_TESTS: "the run reached its end, but not every test of the original ran",
    State.UNREADABLE: "the result of the run makes no sense: a fault of the tool",
    State.WRONG_MUTANT: "the run simulated another mutant than it was told to: a fault of the tool",
    State.IGNORED: "it is set aside, for a reason that is written down or because of a proof",
}
ORDER = (
    State.KILLED,
    State.TIMEOUT,
    State.CRASHED,
    State.ENDED_EARLY,
    State.OUT_OF_MEMORY,
    State.FLOODED,
    State.TEST_ERROR,
    State.FEWER_TESTS,
    State.UNREADABLE,
    State.WRONG_MUTANT,
    State.COMPILE_ERROR,
    State.SURVIVED,
    State.NOT_ACTIVATED,
    State.IGNORED,
)
"""Which state stands when targets differ: the first of these."""

_GOOD = ("passed", "xfailed")
_OF_LIMIT = {"memory": State.OUT_OF_MEMORY, "output": State.FLOODED}


@dataclass(frozen=True)
class Verdict:
    """What became of one mutant in one target, or in all of them after `combine`.

    `test` is the full name of the test that killed it, `kind` the way it showed and `message`
    what that test said. `tests` are all results of the run, for the kill matrix.
    """

    state: State
    reason: str
    target: str = ""
    test: str = ""
    message: str = ""
    kind: Detection | Literal[""] = ""
    cpu_s: float = 0.0
    wall_s: float = 0.0
    tests: tuple[TestResult, ...] = ()

    def killers(self, detected: Collection[Detection]) -> tuple[str, ...]:
        """Return the full names of the tests that killed it; a run of all tests can have many."""
        if self.state is not State.KILLED:
            return ()
        failed = [each.name for each in self.tests if _fails(each) and each.kind in detected]
        return tuple(dict.fromkeys([*failed, *filter(None, [self.test])]))

    def to_json(self) -> dict[str, Any]:
        """Return plain values that `from_json` takes."""
        return {**asdict(self), "tests": [asdict(each) for each in self.tests]}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Verdict:
        """Return the verdict that `to_json` wrote."""
        tests = tuple(TestResult(**each) for each in values["tests"])
        return cls(**{**values, "state": State(values["state"]), "tests": tests})


def judge(
    report: RunReport,
    golden: RunReport,
    expected_selector: int,
    detected: Collection[Detection],
    target: str = "",
) -> Verdict:
    """Return what `report` says of the mutant number `expected_selector`.

    The first rule that fits decides, and what fits none is `UNREADABLE`. A kill comes before all
    that may have happened after it, so that a run that stops at the first kill and a run of all
    tests have one verdict. `golden` is a run of the original; a mutant's run must have had all
    tests that ran there, in any order.
    """
    found = _judge(report, golden, expected_selector, frozenset(detected))
    return replace(
        found, target=target, cpu_s=report.cpu_s, wall_s=report.wall_s, tests=report.tests
    )


def _judge(
    report: RunReport, golden: RunReport, selector: int, detected: frozenset[Detection]
) -> Verdict:
    read = {report.selector_at_start, report.selector_at_end} - {None}
    if read - {selector}:
        return Verdict(
            State.WRONG_MUTANT,
            f"number {selector} was to be run, and the run read "
            f"{report.selector_at_start} at its start and {report.selector_at_end} at its end",
        )
    original = {each.name: each.status for each in golden.tests}
    unknown = [each.name for each in report.tests if each.name not in original]
    if unknown:
        return Verdict(State.UNREADABLE, f"the original has no test {unknown[0]}")
    failed = [each for each in report.tests if _fails(each) and original[each.name] in _GOOD]
    proved = report.selector_at_start == selector
    kill = _kill(report, golden, failed, detected) if proved else None
    return kill or _without_kill(report, original, failed, selector)


def _kill(
    report: RunReport,
    golden: RunReport,
    failed: list[TestResult],
    detected: frozenset[Detection],
) -> Verdict | None:
    for test in failed:
        if test.kind in detected:
            said = test.message.strip() or test.error_type
            return Verdict(
                State.KILLED,
                f"{test.name} failed: {_first_line(said)}",
                test=test.name,
                message=said,
                kind=_detection(test.kind),
            )
    new = [line for line in report.rtl_errors if line not in golden.rtl_errors]
    if new and "rtl-assertion" in detected:
        # The simulator does not say when: the test that it stopped, or the first that ran.
        ran = [each.name for each in report.tests if each.status != "skipped"]
        return Verdict(
            State.KILLED,
            f"the design reported an error: {_first_line(new[0])}",
            test=next((each.name for each in failed), report.running or (ran or [""])[0]),
            message="\n".join(new),
            kind="rtl-assertion",
        )
    return None


def _without_kill(
    report: RunReport, original: Mapping[str, str], failed: list[TestResult], selector: int
) -> Verdict:
    during = f" in {report.running}" if report.running else ""
    early = [each for each in failed if each.kind == "ended-early"]
    if report.limit:
        state = _OF_LIMIT.get(report.limit, State.TIMEOUT)
        return Verdict(state, f"the run reached its limit of {_LIMIT[report.limit]}{during}")
    if not report.complete and report.signal is not None:
        return Verdict(State.CRASHED, f"the simulator died by signal {report.signal}{during}")
    if early:
        return Verdict(State.ENDED_EARLY, f"the design ended the simulation in {early[0].name}")
    if failed:
        test = failed[0]
        said = _first_line(test.message)
        return Verdict(
            State.TEST_ERROR,
            f"{test.name} ended by {test.error_type or test.kind}, which does not count as "
            f"detection{': ' if said else ''}{said}",
            message=test.message,
        )
    if not report.complete:
        return _incomplete(report, during)
    if (report.selector_at_start, report.selector_at_end) != (selector, selector):
        return Verdict(State.UNREADABLE, "the run did not say which mutant it simulated")
    return _complete(report, original)


def _incomplete(report: RunReport, during: str) -> Verdict:
    if report.exit_code is None:
        return Verdict(State.UNREADABLE, "the run has no result, no exit code and no signal")
    if report.exit_code == 0:
        return Verdict(State.ENDED_EARLY, f"the simulation ended before the tests did{during}")
    return Verdict(State.CRASHED, f"the simulator left with code {report.exit_code}{during}")


def _complete(report: RunReport, original: Mapping[str, str]) -> Verdict:
    now = Counter(each.name for each in report.tests)
    twice = [name for name, count in now.items() if count > 1]
    if twice:
        return Verdict(State.UNREADABLE, f"{twice[0]} ran {now[twice[0]]} times")
    status = {each.name: each.status for each in report.tests}
    missing = [
        name
        for name in original
        if original[name] in _GOOD and status.get(name, "skipped") == "skipped"
    ]
    if missing:
        ran = sum(each.status != "skipped" for each in report.tests)
        return Verdict(State.FEWER_TESTS, f"{ran} tests ran, and {missing[0]} was not one of them")
    other = [name for name in status if status[name] != original[name]]
    if other:
        return Verdict(
            State.UNREADABLE,
            f"{other[0]} is {status[other[0]]}, and {original[other[0]]} on the original",
        )
    ran = sum(each in _GOOD for each in status.values())
    if not ran:
        return Verdict(State.UNREADABLE, "no test ran")
    return Verdict(State.SURVIVED, f"{ran} test{'s' if ran > 1 else ''} ran and none failed")


_LIMIT = {
    "cpu": "processor time",
    "wall": "wall time",
    "sim-time": "simulated time",
    "memory": "memory",
    "output": "output",
}


def combine(verdicts: Mapping[str, Verdict]) -> Verdict:
    """Return the one verdict of a mutant that was judged in several targets.

    A kill in any target is a kill; otherwise the state that comes first in the documented order
    stands, of the first target that has it. Times are added up.

    Raises:
        ValueError: there is no verdict to combine.
    """
    name = min(verdicts, key=lambda each: ORDER.index(verdicts[each].state))
    return replace(
        verdicts[name],
        target=name,
        cpu_s=sum(each.cpu_s for each in verdicts.values()),
        wall_s=sum(each.wall_s for each in verdicts.values()),
    )


@dataclass(frozen=True)
class Score:
    """How many mutants there are in each state, and the share of valid ones that was detected."""

    counts: Mapping[State, int]
    detected: int
    valid: int

    @property
    def total(self) -> int:
        """All mutants, those that do not count included."""
        return sum(self.counts.values())

    @property
    def percent(self) -> float | None:
        """The score in per cent, or None where no mutant is valid.

        Cut after one decimal instead of rounded, so that 100.0 means all of them.
        """
        return self.detected * 1000 // self.valid / 10 if self.valid else None

    def reaches(self, percent: float) -> bool:
        """Tell whether the score is at least `percent`; no score reaches nothing."""
        wanted = Decimal(str(percent)) * self.valid
        return self.valid > 0 and self.detected * 100 >= wanted

    def __str__(self) -> str:
        return "n/a" if self.percent is None else f"{self.percent:.1f} %"


def score(states: Iterable[State], detected: Collection[Detection] = DEFAULT_DETECTED) -> Score:
    """Return the score: detected / valid, by the formula of the published report format.

    Detected are Killed and Timeout; valid are those, Survived and NoCoverage. With `timeout` not
    in `detected` a Timeout is valid and undetected.
    """
    counts = Counter(states)
    published = Counter[str]()
    for state, count in counts.items():
        published[state.published] += count
    timeouts = published["Timeout"]
    found = published["Killed"] + (timeouts if "timeout" in detected else 0)
    valid = published["Killed"] + timeouts + published["Survived"] + published["NoCoverage"]
    return Score({state: counts[state] for state in State}, found, valid)


def _detection(kind: str) -> Detection:
    return next(each for each in DETECTIONS if each == kind)


def _fails(test: TestResult) -> bool:
    return test.status == "failed"


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]
