# SPDX-License-Identifier: Apache-2.0
"""What must hold before any verdict is believed, each as a function that raises or returns."""

from __future__ import annotations

from collections.abc import Sequence

from cocotb_mutants.errors import BaselineFailed, ControlFailed, NoTests
from cocotb_mutants.protocol import RunReport
from cocotb_mutants.verdict import State, Verdict

__all__ = [
    "check_baseline",
    "check_forced_failure",
    "check_gross_fault",
    "check_schema_is_original",
    "check_schema_runs",
    "check_selector",
]

_UNLIKE = (
    "use --no-schema for this design, and please report it: this is a fault of the tool, or the "
    "bench is not repeatable (time, threads, unseeded randomness)"
)


def check_baseline(
    target: str, report: RunReport, selector: int, design: str = "the original design"
) -> None:
    """Require that `design`, the original, passes every test that is not skipped.

    Raises:
        NoTests: no test ran at all.
        BaselineFailed: a test failed, or the run did not reach its end.
        ControlFailed: the run was not one of the original design.
    """
    failed = [test for test in report.tests if test.status == "failed"]
    if failed:
        test = failed[0]
        raise BaselineFailed(
            f"{target}: {len(failed)} of {len(report.tests)} tests fail on {design}, "
            f"the first is {test.name}: {_first_line(test.message) or test.error_type}",
            hint="mutants can only be judged by tests that pass; the log is " + report.log,
        )
    if report.limit:
        raise BaselineFailed(
            f"{target}: {design} ran into the {report.limit} limit",
            hint="raise the limit, or look at " + report.log,
        )
    if not report.complete:
        raise BaselineFailed(
            f"{target}: the run of {design} ended before its tests did ({_how(report)})",
            hint="the log is " + report.log,
        )
    ran = [test for test in report.tests if test.status in ("passed", "xfailed")]
    if not ran:
        raise NoTests(
            f"{target}: no test ran ({len(report.tests)} found, all skipped)"
            if report.tests
            else f"{target}: the bench has no test",
            hint="a test is a coroutine under @cocotb.test(); look at test-modules and test-filter",
        )
    if report.rtl_errors:
        raise BaselineFailed(
            f"{target}: {design} reports an error: {report.rtl_errors[0]}",
            hint="mutants cannot be told by assertions that fire without them",
        )
    check_selector(target, report, selector)


def check_selector(target: str, report: RunReport, selector: int) -> None:
    """Require that the run read the selector it was given, first and last.

    Raises:
        ControlFailed: it read something else.
    """
    seen = {report.selector_at_start, report.selector_at_end}
    if seen != {selector}:
        raise ControlFailed(
            f"{target}: a run of mutant number {selector} read "
            f"{report.selector_at_start} at its start and {report.selector_at_end} at its end",
            hint="the build is stale or something else writes cocotb_mutants_select.sel",
        )


def check_schema_runs(target: str, report: RunReport) -> None:
    """Require that the schema with nothing selected passes its tests, as the original did.

    Raises:
        ControlFailed: it does not.
    """
    try:
        check_baseline(target, report, 0, "the build with all mutants and none selected")
    except (BaselineFailed, NoTests) as error:
        raise ControlFailed(
            f"{error}, where the original passes",
            hint=_UNLIKE + (f"; the log is {report.log}" if report.log else ""),
        ) from None


def check_schema_is_original(target: str, original: RunReport, schema: RunReport) -> None:
    """Require that the schema with nothing selected cannot be told from the original.

    Compared are each test's name, status and simulated start and end, the simulated time at the
    end, and the settled values of all outputs of the top over time.

    Raises:
        ControlFailed: one of them differs.
    """
    for what, ours, theirs in (
        ("tests", _tests(schema), _tests(original)),
        ("simulated time at the end", schema.sim_end, original.sim_end),
        ("number of output changes", schema.trace_length, original.trace_length),
        ("outputs over time", schema.trace, original.trace),
    ):
        if ours != theirs:
            raise ControlFailed(
                f"{target}: with no mutant selected the schema differs from the original in its "
                f"{what}: {_difference(theirs, ours)}",
                hint=_UNLIKE,
            )


def check_forced_failure(target: str, verdict: Verdict) -> None:
    """Require that a test which fails on purpose is seen as a kill.

    Raises:
        ControlFailed: it is not, so a kill could go unseen.
    """
    if verdict.state is not State.KILLED:
        raise ControlFailed(
            f"{target}: a test that was made to fail came back as {verdict.state}: "
            f"{verdict.reason}",
            hint="kills cannot be told here",
        )


def check_gross_fault(
    target: str, runs: Sequence[tuple[Verdict, RunReport]], golden: RunReport
) -> bool:
    """Tell whether the bench noticed that every assignment assigns the same constant.

    `runs` has one run for each of the constants.

    Returns:
        False if no test minded: the bench checks nothing, or nothing that the tests look at
        depends on what is mutated.

    Raises:
        ControlFailed: not even the outputs changed, and no mutated expression was ever computed,
            so selecting a mutant has no effect; or a run was not one of that fault.
    """
    for verdict, _ in runs:
        if not verdict.state.is_of_the_mutant:
            raise ControlFailed(
                f"{target}: a run of a gross fault came back as {verdict.state}: {verdict.reason}",
                hint="it cannot be told which mutant a run simulates",
            )
    if any(verdict.state is not State.SURVIVED for verdict, _ in runs):
        return True
    reached = any(report.trace != golden.trace for _, report in runs)
    if not reached and not any(golden.hits.values()):
        raise ControlFailed(
            f"{target}: with a constant in place of every assignment no output of the top changed",
            hint="the mutated files are not what is simulated, or the top has no outputs and "
            "the bench looks at nothing; check sources, mutate and top",
        )
    return False


def _tests(report: RunReport) -> list[tuple[str, str, int, int]]:
    return [(test.name, test.status, test.sim_start, test.sim_end) for test in report.tests]


def _difference(theirs: object, ours: object) -> str:
    if isinstance(theirs, list) and isinstance(ours, list):
        if len(theirs) != len(ours):
            return f"{len(theirs)} in the original, {len(ours)} in the schema"
        theirs, ours = next(pair for pair in zip(theirs, ours, strict=True) if pair[0] != pair[1])
    return f"{theirs} in the original, {ours} in the schema"


def _how(report: RunReport) -> str:
    if report.signal is not None:
        return f"signal {report.signal}"
    return f"exit code {report.exit_code}"


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]
