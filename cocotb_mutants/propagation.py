# SPDX-License-Identifier: Apache-2.0
"""How far a survivor's fault came: to no output, to one of its module, or past every check."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pyslang import ast

from cocotb_mutants.config import Config
from cocotb_mutants.lab import Simulation
from cocotb_mutants.limits import golden_limits, mutant_limits
from cocotb_mutants.protocol import Difference, Job, RunReport
from cocotb_mutants.source import Design

__all__ = ["Propagation", "compare", "module_outputs", "record"]

Reach = Literal["nowhere", "module", "top", "unsteady"]
_UNITS = {0: "s", -3: "ms", -6: "us", -9: "ns", -12: "ps", -15: "fs"}


@dataclass(frozen=True)
class Propagation:
    """How far a fault that no check noticed came in the bench's own tests.

    `reach` is "nowhere" if no output ever differed, "module" if one of an instance of a mutated
    module did and none of the top, "top" if one of the top did: then a check is missing.
    "unsteady" is a run that did not end as the one before: nothing is said. `signal` was
    `mutant` instead of `original`, as bits, for the first time at `time` (with its unit) in `test`.
    `others` are further outputs of the top that differed, the earliest first. `unseen` are outputs
    of modules that the simulator does not know by their names.
    """

    reach: Reach
    signal: str = ""
    time: str = ""
    test: str = ""
    original: str = ""
    mutant: str = ""
    others: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return plain values that `from_json` takes."""
        return {**vars(self), "others": list(self.others), "unseen": list(self.unseen)}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Propagation:
        """Return the propagation that `to_json` wrote."""
        lists = {name: tuple(values[name]) for name in ("others", "unseen")}
        return cls(**{**values, **lists})

    @property
    def story(self) -> str:
        """It in one sentence."""
        if self.reach == "nowhere":
            but = f" ({', '.join(self.unseen)} could not be watched)" if self.unseen else ""
            return (
                f"no output ever differed, neither its module's nor the top's{but}: a stimulus is "
                "missing"
            )
        if self.reach == "unsteady":
            return "how far it came cannot be told: the tests did not end as they had before"
        where = f"{self.signal} was {self.mutant} instead of {self.original}"
        when = f"first at {self.time} in {self.test}" if self.test else f"first at {self.time}"
        if self.reach == "module":
            return f"{where}, {when}, and no output of the top differed: a stimulus is missing"
        also = f" (then {', '.join(self.others)})" if self.others else ""
        return f"{where}, {when}{also}, and no check noticed: a check is missing"


def module_outputs(design: Design, modules: Collection[str]) -> tuple[str, ...]:
    """Return the outputs of all instances of `modules` below the top, by hierarchical name."""
    found = []
    for body, paths in design.bodies:
        if body.definition.name in modules:
            names = [
                port.name
                for port in body.portList
                if isinstance(port, ast.PortSymbol)
                and port.direction in (ast.ArgumentDirection.Out, ast.ArgumentDirection.InOut)
            ]
            found += [f"{path}.{name}" for path in paths if "." in path for name in names]
    return tuple(found)


def record(config: Config, simulation: Simulation, path: Path) -> RunReport:
    """Run the original, and write all its outputs over time to `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    limits = replace(golden_limits(config), output_bytes=None)
    job = Job(0, 0, stop_at_first=False, limits=limits, record=str(path))
    (golden,) = simulation.run([job], 1)
    return golden


def compare(
    config: Config,
    simulation: Simulation,
    numbers: Sequence[int],
    golden: RunReport,
    path: Path,
    slots: int,
) -> Iterator[tuple[int, Propagation]]:
    """Run each mutant with all tests, and compare it with what `record` wrote."""
    limits = mutant_limits(config, golden, patience=3)
    jobs = [Job(n, n, stop_at_first=False, limits=limits, compare=str(path)) for n in numbers]
    for report in simulation.run(jobs, slots) if jobs else ():
        yield report.job, _propagation(report, golden)


def _propagation(report: RunReport, golden: RunReport) -> Propagation:
    if not report.complete or _ends(report) != _ends(golden):
        return Propagation("unsteady")
    outputs = [each for each in report.differences if each.is_output]
    if not report.differences:
        return Propagation("nowhere", unseen=report.unseen)
    first = (outputs or report.differences)[0]
    others = tuple(dict.fromkeys(each.signal for each in outputs[1:]))
    return Propagation(
        "top" if outputs else "module",
        first.signal,
        _time(first, report.precision),
        first.test,
        first.original,
        first.mutant,
        others,
    )


def _ends(report: RunReport) -> list[tuple[str, str]]:
    return [(test.name, test.status) for test in report.tests]


def _time(difference: Difference, precision: int) -> str:
    """Return the time in the largest unit in which it is a whole number."""
    steps, exponent = difference.time, precision
    while steps and steps % 10 == 0:
        steps, exponent = steps // 10, exponent + 1
    unit = max((each for each in _UNITS if each <= exponent), default=-15)
    return f"{steps * 10 ** (exponent - unit)} {_UNITS[unit]}"
