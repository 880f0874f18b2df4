# SPDX-License-Identifier: Apache-2.0
"""Everything that can go wrong, with the exit code that says so.

SuiteError
├── UsageError            2   a command cannot be understood
│   └── UnknownModule     2   no such module
├── PlanError             2   a check plan contradicts itself or its model
├── ToolMissing           3   a simulator or a library of the machine is not there
├── BuildFailed           4   the RTL does not compile
├── BenchBroken           5   the bench cannot be imported, or holds no test
└── SimulationDied        6   the simulator ended without a result
"""

from __future__ import annotations

import enum

__all__ = [
    "BenchBroken",
    "BuildFailed",
    "ExitCode",
    "PlanError",
    "SimulationDied",
    "SuiteError",
    "ToolMissing",
    "UnknownModule",
    "UsageError",
]


class ExitCode(enum.IntEnum):
    """What ``python -m tb`` ends with. ``make`` turns any of them but 0 into its own 2."""

    OK = 0
    CHECKS_FAILED = 1
    USAGE = 2
    TOOL_MISSING = 3
    BUILD_FAILED = 4
    BENCH_BROKEN = 5
    SIMULATION_DIED = 6
    GOAL_MISSED = 7
    INTERNAL = 70
    INTERRUPTED = 130

    @property
    def meaning(self) -> str:
        """What the code says, in the words of the help text and the README."""
        return _MEANINGS[self]


_MEANINGS = {
    ExitCode.OK: "all passed",
    ExitCode.CHECKS_FAILED: "a check or a test failed",
    ExitCode.USAGE: "an unknown module, simulator, test or setting, or a faulty plan",
    ExitCode.TOOL_MISSING: "a simulator, compiler or library is missing",
    ExitCode.BUILD_FAILED: "the RTL does not compile, or its ports are not those of its model",
    ExitCode.BENCH_BROKEN: "a bench or a model is incomplete, cannot be loaded, or has no test",
    ExitCode.SIMULATION_DIED: "the simulation ended without a result, or the RTL raised an error",
    ExitCode.GOAL_MISSED: "coverage is below its goal",
    ExitCode.INTERNAL: "a fault of the suite itself, or a file that cannot be read or written",
    ExitCode.INTERRUPTED: "interrupted",
}


class SuiteError(Exception):
    """A failure with one clear message and an exit code of its own."""

    exit_code = ExitCode.USAGE


class UsageError(SuiteError):
    """A command or a setting cannot be understood."""


class UnknownModule(UsageError):
    """There is no module of that name."""


class PlanError(SuiteError):
    """A check plan contradicts itself or the interface of its model."""


class ToolMissing(SuiteError):
    """A simulator, a compiler or a library is not on this machine."""

    exit_code = ExitCode.TOOL_MISSING


class BuildFailed(SuiteError):
    """The simulator refused the RTL, or its C++ did not compile."""

    exit_code = ExitCode.BUILD_FAILED


class BenchBroken(SuiteError):
    """A bench or a model is incomplete or raises when imported, or the bench has no test."""

    exit_code = ExitCode.BENCH_BROKEN


class SimulationDied(SuiteError):
    """The simulation ended before the bench did, or the RTL raised an error of its own."""

    exit_code = ExitCode.SIMULATION_DIED
