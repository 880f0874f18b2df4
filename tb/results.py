# SPDX-License-Identifier: Apache-2.0
"""What a run found, as frozen records that are saved beside its log and can be read again."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar
from xml.etree import ElementTree

from tb.exchange import write_atomically

__all__ = ["CheckOutcome", "CoverageCount", "RunResult", "TestOutcome", "functional_coverage"]

RESULT_NAME = "result.json"


@dataclass(frozen=True)
class TestOutcome:
    """One cocotb test: ``message`` is empty when it passed."""

    __test__: ClassVar[bool] = False  # pytest takes it for a class of tests by its name

    bench: str
    name: str
    seconds: float
    message: str

    @property
    def passed(self) -> bool:
        """Whether the test passed."""
        return not self.message


@dataclass(frozen=True)
class CheckOutcome:
    """One check of the plan: ``seen`` is None when it was never reached."""

    id: str
    expect: int
    seen: int | str | None
    passed: bool


@dataclass(frozen=True)
class CoverageCount:
    """Functional coverage: bins hit, bins defined, and the names of those that were missed."""

    hit: int
    size: int
    missed: tuple[str, ...]


@dataclass(frozen=True)
class RunResult:
    """One simulation of one module.

    ``checks`` is empty when the plan was filtered out; ``compared`` counts the random cycles that
    were held against the model.
    """

    module: str
    chapter: str
    side: str
    simulator: str
    version: str
    seed: int
    started: str
    seconds: float
    build: str
    tests: tuple[TestOutcome, ...]
    checks: tuple[CheckOutcome, ...]
    compared: int
    coverage: CoverageCount

    @property
    def passed(self) -> bool:
        """Every test passed and every check holds."""
        return all(test.passed for test in self.tests) and all(each.passed for each in self.checks)

    @property
    def checks_passed(self) -> int:
        """How many checks hold."""
        return sum(check.passed for check in self.checks)

    def failures(self) -> list[str]:
        """What went wrong, one message a test."""
        return [f"{test.bench}.{test.name}: {test.message}" for test in self.tests if test.message]

    def save(self, folder: Path) -> None:
        """Write the result into the run's folder."""
        write_atomically(folder / RESULT_NAME, json.dumps(dataclasses.asdict(self), indent=1))

    @classmethod
    def load(cls, folder: Path) -> RunResult:
        """Read back what :meth:`save` wrote."""
        data: dict[str, Any] = json.loads((folder / RESULT_NAME).read_text(encoding="utf-8"))
        data["tests"] = tuple(TestOutcome(**test) for test in data["tests"])
        data["checks"] = tuple(CheckOutcome(**check) for check in data["checks"])
        coverage = data["coverage"]
        data["coverage"] = CoverageCount(**{**coverage, "missed": tuple(coverage["missed"])})
        return cls(**data)


def functional_coverage(xml: Path) -> CoverageCount:
    """Count the bins in a file that cocotb-coverage exported; none if there is no such file."""
    if not xml.is_file():
        return CoverageCount(0, 0, ())
    hit, missed = 0, []
    for point in ElementTree.parse(xml).getroot().iter():
        bins = [child for child in point if "hits" in child.attrib]
        for each in bins:
            if int(each.attrib["hits"]) >= int(point.attrib["at_least"]):
                hit += 1
            else:
                missed.append(
                    f"{point.attrib['abs_name'].removeprefix('top.')}[{each.attrib['bin']}]"
                )
    return CoverageCount(hit, hit + len(missed), tuple(missed))
