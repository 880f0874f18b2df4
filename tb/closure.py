# SPDX-License-Identifier: Apache-2.0
"""Coverage closure: merges what the runs of a regression covered, exports it, checks the goals.

Functional coverage is merged by cocotb-coverage and exported as its XML and as UCIS; code coverage
is read from Verilator's files, merged over builds and instances, and exported as one lcov file.
"""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from cocotb_coverage.coverage import merge_coverage
from rich.console import Console
from rich.table import Table

from tb.catalog import ROOT, Module
from tb.errors import ExitCode
from tb.exchange import COVERAGE_NAME, RECORD_NAME, write_atomically
from tb.paths import COVERAGE
from tb.plan import coverage_group
from tb.results import functional_coverage
from tb.run import Job
from tb.ucis_export import export_ucis

__all__ = ["close"]

GOAL_PCT = 98
"""Line and branch coverage that the RTL of each module must reach."""


@dataclass(frozen=True, order=True)
class Point:
    """A place in the RTL that can be covered; ``kind`` is Verilator's word for it."""

    file: str
    line: int
    column: int
    kind: str
    label: str
    lines: str


@dataclass(frozen=True)
class Ratio:
    """How many of how many."""

    hit: int
    of: int

    @property
    def percent(self) -> float:
        """In percent; nothing to cover is fully covered."""
        return 100 * self.hit / self.of if self.of else 100.0

    def __str__(self) -> str:
        return f"{self.percent:.1f} % ({self.hit}/{self.of})"


def close(jobs: Sequence[Job], console: Console) -> ExitCode:
    """Merge, export, print, and compare with the goals. The jobs must have run.

    Everything that was missed is listed, also where the goal is reached.
    """
    shutil.rmtree(COVERAGE, ignore_errors=True)
    COVERAGE.mkdir(parents=True)
    functional = _merge_functional(jobs)
    counts = _merge_code(jobs)
    figures = {
        module: _figures(module, functional, counts)
        for module in dict.fromkeys(job.module for job in jobs)
    }
    write_atomically(COVERAGE / "code.info", _lcov(counts))
    summary = {module.name: dataclasses.asdict(each) for module, each in figures.items()}
    write_atomically(COVERAGE / "summary.json", json.dumps(summary, indent=1))
    console.print(_table(figures))
    for name in ("functional.xml", "functional.ucis.xml", "code.info", "summary.json"):
        console.print(f"wrote {(COVERAGE / name).relative_to(ROOT)}", highlight=False)
    code = ExitCode.OK
    for module, each in figures.items():
        for what in each.missed:
            console.print(f"missed: {what}", highlight=False, markup=False)
        for what in each.below_goal():
            console.print(f"below its goal: {module.name}: {what}", style="red", highlight=False)
            code = ExitCode.GOAL_MISSED
    return code


def _merge_functional(jobs: Sequence[Job]) -> Path:
    merged = COVERAGE / "functional.xml"
    files = [str(path) for job in jobs if (path := job.folder / COVERAGE_NAME).is_file()]
    if files:
        merge_coverage(lambda _: None, str(merged), *files)
    else:
        write_atomically(merged, '<top abs_name="top" size="0" coverage="0" />\n')
    crossed: dict[str, list[str]] = {}
    for job in jobs:
        record = json.loads((job.folder / RECORD_NAME).read_text(encoding="utf-8"))
        crossed |= record["crossed"]
    export_ucis(merged, [job.module for job in jobs], crossed, COVERAGE / "functional.ucis.xml")
    return merged


def _merge_code(jobs: Sequence[Job]) -> dict[Point, int]:
    counts: dict[Point, int] = defaultdict(int)
    for job in jobs:
        if job.simulator != "verilator":
            continue
        for keys, count in read_verilator_coverage(job.folder / "coverage.dat"):
            # A build compiles its own copy of the RTL, under the same name.
            if Path(keys["f"]).name == job.module.rtl.name:
                point = Point(
                    file=str(job.module.rtl.relative_to(ROOT)),
                    line=int(keys["l"]),
                    column=int(keys["n"]),
                    kind=keys["t"],
                    label=keys["o"],
                    lines=keys.get("S", ""),
                )
                counts[point] += count
    return dict(counts)


def read_verilator_coverage(path: Path) -> Iterator[tuple[dict[str, str], int]]:
    """The points of a Verilator coverage file: their keys, as Verilator abbreviates them, and hits.

    pyucis has a reader for these files too; it loses every point whose label contains a quote, as
    the sized constants of SystemVerilog do.

    Raises:
        ValueError: a line is not one of such a file.
    """
    with path.open(encoding="utf-8", errors="surrogateescape") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("# ") or not line.strip():
                continue
            found = re.fullmatch(r"C '((?:\x01[^\x01\x02]+\x02[^\x01]*)+)' (\d+)\n?", line)
            if found is None:
                raise ValueError(f"{path}:{number} is not a coverage point: {line.strip()}")
            pairs = (part.partition("\x02") for part in found[1].split("\x01")[1:])
            yield {key: value for key, _, value in pairs}, int(found[2])


def _line_counts(counts: dict[Point, int], file: str) -> dict[int, int]:
    """Executions of every line that some statement or branch point speaks for."""
    lines: dict[int, int] = {}
    for point, count in counts.items():
        if point.file == file and point.kind in ("line", "branch"):
            for line in _lines(point.lines):
                lines[line] = max(lines.get(line, 0), count)
    return lines


def _lines(ranges: str) -> list[int]:
    numbers: list[int] = []
    for part in filter(None, ranges.split(",")):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


def _of_kind(counts: dict[Point, int], file: str, kind: str) -> dict[Point, int]:
    return {
        point: counts[point]
        for point in sorted(counts)
        if point.file == file and point.kind == kind
    }


def _lcov(counts: dict[Point, int]) -> str:
    """The tracefile that ``genhtml`` and editors read."""
    out = []
    for file in sorted({point.file for point in counts}):
        lines, branches = _line_counts(counts, file), _of_kind(counts, file, "branch")
        out += ["TN:", f"SF:{file}"]
        for index, (point, count) in enumerate(branches.items()):
            out.append(f"BRDA:{point.line},{point.column},{index},{count}")
        out += [f"BRF:{len(branches)}", f"BRH:{sum(map(bool, branches.values()))}"]
        out += [f"DA:{line},{count}" for line, count in sorted(lines.items())]
        out += [f"LF:{len(lines)}", f"LH:{sum(map(bool, lines.values()))}", "end_of_record"]
    return "".join(f"{line}\n" for line in out)


@dataclass(frozen=True)
class Figures:
    """What one module reached, and the names of what it missed."""

    functional: Ratio
    line: Ratio
    branch: Ratio
    toggle: Ratio
    missed: tuple[str, ...]
    untoggled: tuple[str, ...]

    def below_goal(self) -> list[str]:
        """The figures that fall short; nothing to cover counts as short, it means a broken file."""
        short = []
        if self.functional.hit < self.functional.of or not self.functional.of:
            short.append(f"functional {self.functional}")
        for kind in ("line", "branch"):
            ratio: Ratio = getattr(self, kind)
            if ratio.percent < GOAL_PCT or not ratio.of:
                short.append(f"{kind} {ratio}")
        return short


def _figures(module: Module, functional: Path, counts: dict[Point, int]) -> Figures:
    group = coverage_group(module)
    file = str(module.rtl.relative_to(ROOT))
    lines = _line_counts(counts, file)
    branches, toggles = (_of_kind(counts, file, kind) for kind in ("branch", "toggle"))
    missed = [f"{file}:{line} never ran" for line, count in sorted(lines.items()) if not count]
    missed += [
        f"{file}:{point.line} {point.label} never taken"
        for point in branches
        if not branches[point]
    ]
    missed += [
        f"bin {name} never hit"
        for name in functional_coverage(functional).missed
        if name.startswith(f"{group}.")
    ]
    return Figures(
        functional=_functional(functional, group),
        line=_ratio(lines.values()),
        branch=_ratio(branches.values()),
        toggle=_ratio(toggles.values()),
        missed=tuple(missed),
        untoggled=tuple(point.label for point in toggles if not toggles[point]),
    )


def _ratio(counts: Iterable[int]) -> Ratio:
    found = [bool(count) for count in counts]
    return Ratio(sum(found), len(found))


def _table(figures: Mapping[Module, Figures]) -> Table:
    table = Table(title="coverage", title_justify="left", title_style="bold")
    table.add_column("module", no_wrap=True)
    for column in ("functional", "line", "branch", "toggle"):
        table.add_column(column, justify="right", no_wrap=True)
    for module, each in figures.items():
        shown = (each.functional, each.line, each.branch, each.toggle)
        table.add_row(module.name, *(str(ratio) for ratio in shown))
    return table


def _functional(xml: Path, group: str) -> Ratio:
    root = ElementTree.parse(xml).getroot()
    for element in root.iter():
        if element.attrib["abs_name"] == f"top.{group}":
            return Ratio(int(element.attrib["coverage"]), int(element.attrib["size"]))
    return Ratio(0, 0)
