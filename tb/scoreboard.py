# SPDX-License-Identifier: Apache-2.0
"""Holds what a monitor saw against what the model says, for both builds."""

from __future__ import annotations

from types import ModuleType

from models.ports import Build, Ports
from tb.agent import Cycle

__all__ = ["Scoreboard"]

SHOWN = 8
"""Mismatches that are spelt out; the rest are counted."""


class Scoreboard:
    """Steps the model alongside and collects every difference.

    The first cycle it sees must be a reset cycle: before that the counters are unknown.
    """

    def __init__(self, model: ModuleType) -> None:
        self.model = model
        self.state: dict[Build, Ports] = {}
        self.cycles = 0
        self.mismatches: list[str] = []
        self.differing = 0

    def compare(self, cycle: Cycle) -> None:
        """Compare one cycle and advance the model."""
        try:
            inputs: Ports = self.model.Inputs(**cycle.inputs)
        except ValueError as error:
            self._differs(cycle, f"inputs are not known: {error}")
            return
        if cycle.rst_n not in (0, 1):
            self._differs(cycle, "reset is not known")
            return
        for build in Build:
            if cycle.rst_n == 0:
                self.state[build] = self.model.State()
            state = self.state[build]
            outputs, following = self.model.step(inputs, state, build)
            after = self.model.State() if cycle.rst_n == 0 else following
            for moment, expected, seen in (
                ("", outputs, cycle.outputs[build]),
                (" before the edge", state, cycle.before[build]),
                (" after the edge", after, cycle.after[build]),
            ):
                for name, value in expected.values().items():
                    if seen[name] != value:
                        self._differs(
                            cycle,
                            f"{build.name.lower()} {name}{moment}: expected {value}, "
                            f"seen {seen[name]}",
                        )
            self.state[build] = after
        self.cycles += 1

    def conclude(self) -> None:
        """End of the test.

        Raises:
            AssertionError: an output differed, or no cycle was compared at all.
        """
        if not self.cycles and not self.differing:
            raise AssertionError("the scoreboard compared no cycle")
        if self.differing:
            count = f"{self.differing} differences from the model in {self.cycles} cycles"
            more = [f"... and {self.differing - SHOWN} more"] if self.differing > SHOWN else []
            raise AssertionError("\n".join([count, *self.mismatches, *more]))

    def _differs(self, cycle: Cycle, what: str) -> None:
        self.differing += 1
        if len(self.mismatches) < SHOWN:
            self.mismatches.append(
                f"cycle {self.cycles} at {cycle.time_ns} ns: {what} [{cycle.driven}]"
            )
