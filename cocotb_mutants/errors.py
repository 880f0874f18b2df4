# SPDX-License-Identifier: Apache-2.0
"""Everything that can go wrong, with the exit code that says so.

MutantsError                  70   a fault of the tool itself
├── UsageError                2    an option, a key or a name cannot be understood
├── ToolMissing               3    a simulator or a compiler is not there
├── SourceError               4    the RTL or the mutations file cannot be used
├── BaselineFailed            5    the original does not build, or a test fails on it
├── NoTests                   6    the bench has no test
├── NoMutants                 7    there is nothing to run
├── ControlFailed             8    the machinery does not do what verdicts rest on
├── StoreLocked               9    another campaign is at work in the same folder
├── StoreUnreadable           70   the file of saved verdicts is damaged, or another program's
└── Interrupted               130  the user stopped the campaign
"""

from __future__ import annotations

import enum

__all__ = [
    "BaselineFailed",
    "ControlFailed",
    "ExitCode",
    "Interrupted",
    "MutantsError",
    "NoMutants",
    "NoTests",
    "SourceError",
    "StoreLocked",
    "StoreUnreadable",
    "ToolMissing",
    "UsageError",
]


class ExitCode(enum.IntEnum):
    """What ``cocotb-mutants`` ends with."""

    OK = 0
    SCORE_BELOW = 1
    USAGE = 2
    TOOL_MISSING = 3
    SOURCE_ERROR = 4
    BASELINE_FAILED = 5
    NO_TESTS = 6
    NO_MUTANTS = 7
    CONTROL_FAILED = 8
    STORE_LOCKED = 9
    BENCH_BLIND = 10
    INTERNAL = 70
    INTERRUPTED = 130

    @property
    def meaning(self) -> str:
        """What the code says, in the words of the help text and the documentation."""
        return _MEANINGS[self]


_MEANINGS = {
    ExitCode.OK: "the campaign was run, and the score is high enough",
    ExitCode.SCORE_BELOW: "the campaign was run, and the score is below --fail-under",
    ExitCode.USAGE: "an unknown option, key, mutant, operator or target, or a faulty setting",
    ExitCode.TOOL_MISSING: "a simulator or a compiler is missing",
    ExitCode.SOURCE_ERROR: "the RTL cannot be read or elaborated, or a mutations file is wrong",
    ExitCode.BASELINE_FAILED: "the original does not build, or one of its tests fails",
    ExitCode.NO_TESTS: "the bench has no test",
    ExitCode.NO_MUTANTS: "there is no mutant to run",
    ExitCode.CONTROL_FAILED: "a control failed, so no verdict could be trusted",
    ExitCode.STORE_LOCKED: "another campaign is at work in the same folder",
    ExitCode.BENCH_BLIND: (
        "the campaign was run, but a gross fault reached the outputs and no test failed: "
        "the bench checks nothing"
    ),
    ExitCode.INTERNAL: "a fault of the tool itself, or a file that cannot be read or written",
    ExitCode.INTERRUPTED: "interrupted; what was judged so far is kept",
}


class MutantsError(Exception):
    """A failure with one clear sentence, the next step as a hint, and an exit code."""

    code = ExitCode.INTERNAL

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(MutantsError):
    """An option, a key of the configuration or a name cannot be understood."""

    code = ExitCode.USAGE


class ToolMissing(MutantsError):
    """A simulator or a compiler is not on this machine."""

    code = ExitCode.TOOL_MISSING


class SourceError(MutantsError):
    """The RTL cannot be read or elaborated, or a mutations file does not fit it."""

    code = ExitCode.SOURCE_ERROR


class BaselineFailed(MutantsError):
    """The original design does not build, or one of its tests fails on it."""

    code = ExitCode.BASELINE_FAILED


class NoTests(MutantsError):
    """The bench has no test, or the filter leaves none."""

    code = ExitCode.NO_TESTS


class NoMutants(MutantsError):
    """The sources, operators and filters leave no mutant to run."""

    code = ExitCode.NO_MUTANTS


class ControlFailed(MutantsError):
    """The machinery does not do what every verdict rests on, so none may be given."""

    code = ExitCode.CONTROL_FAILED


class StoreLocked(MutantsError):
    """Another campaign is at work in the same folder."""

    code = ExitCode.STORE_LOCKED


class StoreUnreadable(MutantsError):
    """The file of saved verdicts is damaged, or was written by another program."""


class Interrupted(MutantsError):
    """The user stopped the campaign; what was judged so far is kept."""

    code = ExitCode.INTERRUPTED
