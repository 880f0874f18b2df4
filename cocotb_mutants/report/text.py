# SPDX-License-Identifier: Apache-2.0
"""The campaign as plain text: what needs a look comes first, one summary line last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from cocotb_mutants.report.results import Outcome, Results
from cocotb_mutants.report.source_text import diff, harmless
from cocotb_mutants.verdict import Score, State

__all__ = ["detail", "render", "summary", "table"]

_UNDETECTED = (State.SURVIVED, State.NOT_ACTIVATED)
_ALWAYS = (
    State.KILLED,
    State.SURVIVED,
    State.NOT_ACTIVATED,
    State.TIMEOUT,
    State.COMPILE_ERROR,
    State.IGNORED,
)
_SHOWN = (*_ALWAYS[:-1], *(state for state in State if state not in _ALWAYS), State.IGNORED)
_PLURAL = {
    State.TIMEOUT: "timeouts",
    State.COMPILE_ERROR: "compile errors",
    State.TEST_ERROR: "test errors",
}


def render(results: Results) -> str:
    """Return the whole report, ending with the summary line and a line end."""
    parts: list[str] = []
    for title, group in _findings(results):
        parts += [title] if title else []
        parts += [detail(results, each) for each in group]
    others = [state for state in _SHOWN if state not in (*_UNDETECTED, State.KILLED, State.IGNORED)]
    lines = [_line(each) for state in others for each in _in(results, state)]
    parts += ["\n".join(lines)] if lines else []
    reasons = Counter(harmless(each.verdict.reason) for each in _in(results, State.IGNORED))
    if reasons:
        parts.append("\n".join(f"ignored, {count}: {each}" for each, count in reasons.items()))
    parts += [table(results)] if results.score_by_target else []
    return "\n\n".join([*parts, summary(results)]) + "\n"


def _findings(results: Results) -> list[tuple[str, list[Outcome]]]:
    """Return what no test noticed, with a title for those that are one finding.

    First come those that one test would kill, then those on one line, each where it buys most:
    the largest first. Without any explanation they come in the order of the files.
    """
    unnoticed = [each for state in _UNDETECTED for each in _in(results, state)]
    if not any(each.explanations for each in unnoticed):
        return [("", unnoticed)]
    tests: dict[str, list[Outcome]] = {}
    lines: dict[str, list[Outcome]] = {}
    for outcome in unnoticed:
        named = [f"{e.group} in {e.file}" for e in outcome.explanations.values() if e.group]
        if named:
            tests.setdefault(harmless(named[0]), []).append(outcome)
        else:
            place = f"{harmless(outcome.mutant.file)}:{outcome.mutant.line}"
            lines.setdefault(place, []).append(outcome)
    found = []
    for title, groups in (
        ("one test kills the next {count}: {what}", tests),
        ("no test is known for the next {count}, which are on one line: {what}", lines),
    ):
        for what, group in sorted(groups.items(), key=lambda item: -len(item[1])):
            heading = title.format(count=len(group), what=what) if len(group) > 1 else ""
            found.append((heading, group))
    return found


def detail(results: Results, outcome: Outcome) -> str:
    """Return the lines that show one mutant: place, operator, name, changed lines and why."""
    mutant, verdict = outcome.mutant, outcome.verdict
    why = [f"  {verdict.state}: {harmless(verdict.reason)}"]
    if len(outcome.by_target) > 1:
        why = [
            f"  {each.state} in {name}: {harmless(each.reason)}"
            for name, each in outcome.by_target.items()
        ]
    why += [
        f"  {name + ': ' if len(outcome.by_target) > 1 else ''}{harmless(story)}"
        for name, stories in outcome.stories().items()
        for story in stories
    ]
    if mutant.reason:
        why.append(f"  its author says: {harmless(mutant.reason)}")
    changed = [f"  {line}" for line in diff(results.texts, mutant)]
    return "\n".join([_heading(outcome), *changed, *why])


def table(results: Results) -> str:
    """Return the counts of each target, a row each; states that no mutant has are left out."""
    scores = results.score_by_target
    states = [
        state
        for state in _SHOWN
        if state in (State.KILLED, State.SURVIVED)
        or any(each.counts[state] for each in scores.values())
    ]
    rows = [["target", "mutants", *(str(state) for state in states), "score"]]
    for name, each in scores.items():
        counts = [str(each.counts[state]) for state in states]
        rows.append([harmless(name), str(each.total), *counts, str(each)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(_row(row, widths) for row in rows)


def summary(results: Results) -> str:
    """Return the one line that says what came out."""
    if results.hand_written:
        return _summary_of_hand_written(results)
    total = results.score.total
    counts = [
        _count(state, results.score)
        for state in _SHOWN
        if state in _ALWAYS or results.score.counts[state]
    ]
    mutants = "mutant" if total == 1 else "mutants"
    return f"{total} {mutants}: {', '.join(counts)}; score {results.score}"


def _summary_of_hand_written(results: Results) -> str:
    """Count a fault that was never activated among the survivors: no test noticed it."""
    names = sorted(
        harmless(each.mutant.name) for state in _UNDETECTED for each in _in(results, state)
    )
    counts = results.score.counts
    others = [
        _count(state, results.score)
        for state in _SHOWN
        if counts[state] and state not in (State.KILLED, *_UNDETECTED)
    ]
    survived = f"{len(names)} survived" + (f": {' '.join(names)}" if names else "")
    killed = f"{counts[State.KILLED]} killed"
    return ", ".join([f"{results.score.total} injected", killed, survived, *others])


def _in(results: Results, state: State) -> Iterable[Outcome]:
    return [each for each in results.outcomes if each.verdict.state is state]


def _heading(outcome: Outcome) -> str:
    mutant = outcome.mutant
    place = f"{harmless(mutant.file)}:{mutant.line}:{mutant.column}"
    return f"{place}: {mutant.operator}: {harmless(mutant.name)}"


def _line(outcome: Outcome) -> str:
    verdict = outcome.verdict
    return f"{_heading(outcome)}: {verdict.state}: {harmless(verdict.reason)}"


def _count(state: State, score: Score) -> str:
    number = score.counts[state]
    return f"{number} {state if number == 1 else _PLURAL.get(state, state)}"


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = (
        cell.rjust(width) if column else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join([first, *rest])
