# SPDX-License-Identifier: Apache-2.0
"""Each fixture project gives exactly the verdicts that can be read off its source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import simulators
from tests.mutants.acceptance.conftest import (
    UNDETECTED,
    Campaign,
    Expected,
    Found,
    Project,
    Run,
    grouped,
    names,
)

PUBLISHED = {
    "killed": "Killed",
    "survived": "Survived",
    "not activated": "NoCoverage",
    "timeout": "Timeout",
    "compile error": "CompileError",
    "crashed": "RuntimeError",
    "ended early": "RuntimeError",
    "out of memory": "RuntimeError",
    "flooded": "RuntimeError",
    "test error": "RuntimeError",
}
KINDS = {
    "assertion": ("assert", "passed but we expected"),
    "unresolved": ("non-0/1 values",),
    "bench-timeout": ("SimTimeoutError",),
    "rtl-assertion": ("the design reported an error",),
}
"""How a reason tells in which way a mutant showed."""

GENERATED = ("crlf", "generate_blocks", "macros", "non_ascii", "packages", "same_basename")
"""Projects whose sources are a trap for operators that go by offsets or by names."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each project under those simulators that it can have and that are here."""
    if "name" not in metafunc.fixturenames or "sim" not in metafunc.fixturenames:
        return
    here = simulators(metafunc.config)
    pairs = [
        grouped(name, sim)
        for name in names()
        for sim in Expected.of(name, "icarus").simulators
        if sim in here
    ]
    metafunc.parametrize(("name", "sim"), pairs)


def test_a_project_gives_its_verdicts(name: str, sim: str, campaign: Campaign) -> None:
    expected = Expected.of(name, sim)

    run = campaign(name, sim)

    assert run.code == expected.exit, run.output
    assert [piece for piece in expected.says if piece not in run.output] == [], run.output
    assert problems(expected, run) == []
    counts = Counter(run.states.values())
    counts["undetected"] = sum(counts[state] for state in UNDETECTED) - sum(
        expected.counts.get(state, 0) for state in UNDETECTED
    )
    assert {state: counts[state] for state in expected.counts} == expected.counts
    assert sum(expected.counts.values()) == len(run.mutants)
    if expected.mutants:
        total, killed = len(run.mutants), expected.counts.get("killed", 0)
        assert f"{total} injected, {killed} killed, " in run.output.splitlines()[-1]


def problems(expected: Expected, run: Run) -> list[str]:
    """Where a report and what was expected of it differ, a line each."""
    lines = [f"{each} is missing or too much" for each in expected.mutants.keys() ^ run.mutants]
    for each, found in run.mutants.items():
        wanted = expected.mutants.get(each, {})
        state = wanted.get("state")
        allowed = UNDETECTED if state == "undetected" else (state,)
        if found.state not in allowed:
            lines.append(f"{each} is {found.values['statusReason']!r} instead of {state}")
        if found.values["status"] != PUBLISHED.get(found.state):
            lines.append(f"{each} is published as {found.values['status']}")
        if not str(found.values["description"]).startswith(f"{found.text} -> "):
            lines.append(f"{each} stands at {found.text!r}: {found.values['description']}")
        lines += [f"{each}: {line}" for line in _details(wanted, found)]
    return lines


def _details(wanted: Mapping[str, Any], found: Found) -> Iterator[str]:
    pieces = KINDS[wanted["kind"]] if "kind" in wanted else ("",)
    if not any(piece in found.reason for piece in pieces):
        yield f"not by {wanted['kind']}: {found.reason}"
    if wanted.get("says", "") not in found.reason:
        yield f"{wanted['says']!r} is not in {found.reason!r}"
    tests = [killer.partition(": ")[2] for killer in found.killers]
    if "by" in wanted and tests != [wanted["by"]]:
        yield f"killed by {tests} instead of {wanted['by']}"
    targets = [killer.partition(": ")[0] for killer in found.killers]
    if "target" in wanted and not all(wanted["target"] in each for each in targets):
        yield f"killed in {targets} instead of {wanted['target']}"
    if (found.state == "killed") != bool(found.killers):
        yield f"{found.state}, and killed by {found.killers}"
    if "line" in wanted and found.start != (wanted["line"], wanted["column"]):
        yield f"at {found.start} instead of {wanted['line'], wanted['column']}"


@pytest.mark.parametrize("name", [grouped(name) for name in GENERATED])
def test_every_generated_mutant_compiles_and_says_what_it_did(
    name: str, project: Callable[[str], Project], fastest: str
) -> None:
    run = project(name).run("--sim", fastest)

    assert run.code == 0, run.output
    assert len(run.mutants) > len(Expected.of(name, "icarus").mutants)
    # What an index or a size in a generate block leads to is only known to the simulator.
    known = {"compile error", "test error"} if name == "generate_blocks" else set()
    assert set(run.states.values()) <= {"killed", "timeout", "ignored", *UNDETECTED, *known}
    displaced = {
        each: (found.text, found.values["description"])
        for each, found in run.mutants.items()
        if not str(found.values["description"]).startswith(f"{found.text} -> ")
        and ";" not in found.values["description"]
    }
    assert displaced == {}


def test_a_bench_that_checks_nothing_scores_nothing_with_all_operators(
    project: Callable[[str], Project], fastest: str
) -> None:
    run = project("checks_nothing").run("--sim", fastest)

    assert run.code == 10
    assert "killed" not in run.states.values()
    assert "score 0.0 %" in run.output


def test_a_folder_may_have_any_name(tmp_path: Path) -> None:
    copied = Project.copy("well_tested", tmp_path / "ein Ordner, größer" / "mit 'Zeichen' $HOME")

    run = copied.run("--sim", "icarus", "--only-mutations")

    assert run.code == 0, run.output
    assert set(run.states.values()) == {"killed"}
