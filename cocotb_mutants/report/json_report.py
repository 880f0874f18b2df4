# SPDX-License-Identifier: Apache-2.0
"""The campaign in the published mutation-testing report format, which other viewers read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from cocotb_mutants.report.results import Outcome, Results
from cocotb_mutants.report.schema import (
    FileResult,
    Framework,
    Location,
    MutantResult,
    Performance,
    Position,
    Report,
    TestDefinition,
    TestFile,
    Thresholds,
)
from cocotb_mutants.report.source_text import clean, place, shown
from cocotb_mutants.verdict import State

__all__ = ["build", "render", "test_id"]

_SCHEMA = "https://git.io/mutation-testing-report-schema"
_NAME = "cocotb-mutants"
_HIGH, _LOW = 80, 60


def render(results: Results) -> str:
    """Return the report as JSON text, ending with a line end."""
    report = build(results).model_dump(by_alias=True, exclude_none=True)
    return json.dumps(report, indent=1, ensure_ascii=False) + "\n"


def build(results: Results) -> Report:
    """Return the report.

    A test that runs in several targets is a test of each, since it is with other parameters
    there. A mutant's place reaches from its first edit to its last in one file, and its
    replacement is all that stands there instead.
    """
    low = _LOW if results.fail_under is None else int(results.fail_under)
    return Report(
        schema_=_SCHEMA,
        thresholds=Thresholds(high=max(_HIGH, low), low=low),
        files={
            clean(file): FileResult(
                language="systemverilog",
                source=shown(text),
                mutants=[_mutant(each, results) for each in _of_file(results, file)],
            )
            for file, text in results.texts.items()
        },
        test_files=_test_files(results),
        config=_plain(results.config),
        performance=_performance(results.timing),
        framework=Framework(
            name=_NAME,
            version=results.tools.get(_NAME),
            dependencies={name: each for name, each in results.tools.items() if name != _NAME},
        ),
    )


def test_id(target: str, test: str) -> str:
    """Return the name that stands for `test` of `target` in the report."""
    return clean(f"{target}: {test}")


def _of_file(results: Results, file: str) -> Iterable[Outcome]:
    return (each for each in results.outcomes if each.mutant.file == file)


def _mutant(outcome: Outcome, results: Results) -> MutantResult:
    mutant, verdict = outcome.mutant, outcome.verdict
    where = place(results.texts, mutant)
    reason = verdict.reason
    if verdict.state is not State.KILLED and len(outcome.by_target) > 1:
        reason = "; ".join(f"{name}: {each.reason}" for name, each in outcome.by_target.items())
    elif verdict.message and verdict.message not in reason:
        reason = f"{reason}\n{verdict.message}"
    stories = [story for each in outcome.stories().values() for story in each]
    reason = "; ".join([reason, *dict.fromkeys(stories)])
    killers = [
        test_id(name, test)
        for name, each in outcome.by_target.items()
        for test in each.killers(results.detected)
    ]
    covering = [test_id(name, test) for name, tests in outcome.covered_by.items() for test in tests]
    return MutantResult(
        id=clean(mutant.name),
        mutator_name=clean(mutant.operator),
        location=Location(
            start=Position(line=where.line, column=where.column),
            end=Position(line=where.end_line, column=where.end_column),
        ),
        status=verdict.state.published,
        replacement=where.replacement,
        description=clean(": ".join(filter(None, [mutant.description, mutant.reason]))),
        # The published states are fewer than ours; the first words say which of ours it is.
        status_reason=clean(f"{verdict.state}: {reason}"),
        covered_by=covering or None,
        killed_by=killers or None,
        tests_completed=sum(
            test.status != "skipped" for each in outcome.by_target.values() for test in each.tests
        ),
        duration=verdict.wall_s * 1000,
    )


def _test_files(results: Results) -> dict[str, TestFile]:
    """Return the tests by the name of their module; a test is called `module.function/x=1.5`."""
    files: dict[str, list[TestDefinition]] = {}
    for target, tests in results.tests.items():
        for test in tests:
            module = test.partition("/")[0].rpartition(".")[0]
            files.setdefault(module, []).append(
                TestDefinition(id=test_id(target, test), name=clean(f"{test} [{target}]"))
            )
    sources = results.test_sources
    return {
        clean(module): TestFile(
            tests=tests, source=clean(sources[module]) if module in sources else None
        )
        for module, tests in files.items()
    }


def _performance(timing: Mapping[str, float]) -> Performance | None:
    if not timing:
        return None
    return Performance(
        setup=timing.get("setup", 0.0) * 1000,
        initial_run=timing.get("golden", 0.0) * 1000,
        mutation=timing.get("mutants", 0.0) * 1000,
    )


def _plain(value: Any) -> Any:
    """Return settings as JSON has them: sets become sorted lists, paths become text."""
    if isinstance(value, Mapping):
        return {clean(str(key)): _plain(each) for key, each in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(_plain(each) for each in value)
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value if isinstance(value, int | float | None) else clean(str(value))
