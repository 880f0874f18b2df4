# SPDX-License-Identifier: Apache-2.0
"""The regression: many modules under one or more simulators, and one table of what they found."""

from __future__ import annotations

import datetime
import json
import os
import subprocess
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console
from rich.table import Table

from tb import process
from tb.catalog import ROOT
from tb.errors import ExitCode, SuiteError
from tb.exchange import write_atomically
from tb.paths import SUMMARY
from tb.plan import load
from tb.results import RunResult
from tb.run import Job, run
from tb.watch import Watch

__all__ = ["Regression", "regress"]


@dataclass
class Regression:
    """Outcome of a regression: a result or an error for every job, in the order of the plans."""

    jobs: list[Job]
    results: dict[tuple[str, str], RunResult] = field(default_factory=dict)
    errors: dict[tuple[str, str], SuiteError] = field(default_factory=dict)

    @property
    def exit_code(self) -> ExitCode:
        """What the command should end with: the first error that is not a failed check wins."""
        for error in self.errors.values():
            return error.exit_code
        failed = any(not result.passed for result in self.results.values())
        return ExitCode.CHECKS_FAILED if failed or self.disagreements() else ExitCode.OK

    def into_order(self) -> None:
        """Put results and errors into the order of the jobs, whichever ended first."""
        keys = [(job.module.name, job.simulator) for job in self.jobs]
        self.results = {key: self.results[key] for key in keys if key in self.results}
        self.errors = {key: self.errors[key] for key in keys if key in self.errors}

    def disagreements(self) -> list[str]:
        """Checks and tests that one simulator passes and another does not, and differing values."""
        seen: dict[tuple[str, str], dict[str, Any]] = {}
        for (name, simulator), result in self.results.items():
            for check in result.checks:
                seen.setdefault((name, check.id), {})[simulator] = (check.seen, check.passed)
            for test in result.tests:
                verdict = "pass" if test.passed else "failure"
                seen.setdefault((name, test.name), {})[simulator] = (verdict, test.passed)
        return [
            f"{check} of {name}: " + ", ".join(f"{sim} saw {value[0]}" for sim, value in by.items())
            for (name, check), by in seen.items()
            if len(set(by.values())) > 1
        ]

    def totals(self, simulator: str) -> dict[str, tuple[int, int]]:
        """Checks passed and planned: per side, and in ``all``."""
        plans = [load(job.module) for job in self.jobs]
        totals = {group: (0, 0) for group in (*dict.fromkeys(plan.side for plan in plans), "all")}
        for job in self.jobs:
            if job.simulator != simulator:
                continue
            plan = load(job.module)
            result = self.results.get((job.module.name, simulator))
            if result is not None and not result.checks:
                continue
            passed = result.checks_passed if result else 0
            for group in (plan.side, "all"):
                held, planned = totals[group]
                totals[group] = (held + passed, planned + len(plan.checks))
        return totals


def regress(
    jobs: Sequence[Job],
    console: Console,
    *,
    workers: int | None = None,
    follow: bool = False,
    save: bool = False,
) -> Regression:
    """Run *jobs* side by side, show how far they are, and print the table.

    With *follow* the simulators' logs are shown as they grow. With *save* the outcome becomes the
    newest regression of each simulator, ``sim_build/summary/<simulator>.json``.
    """
    regression = Regression(list(jobs))
    watch = Watch(console, jobs, follow=follow)
    pool = ThreadPoolExecutor(max_workers=workers or len(os.sched_getaffinity(0)))
    try:
        futures = {pool.submit(run, job, watch.stage_of(job)): job for job in jobs}
        with watch:
            _collect(regression, futures, watch)
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        process.end_all()
        raise
    pool.shutdown()
    regression.into_order()
    for simulator in dict.fromkeys(job.simulator for job in jobs):
        _print_table(regression, simulator, console)
        if save:
            _save_summary(regression, simulator)
    _print_failures(regression, console)
    return regression


def _collect(regression: Regression, futures: dict[Future[RunResult], Job], watch: Watch) -> None:
    waiting = set(futures)
    while waiting:
        done, waiting = wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED)
        for future in done:
            job = futures[future]
            key = (job.module.name, job.simulator)
            try:
                regression.results[key] = future.result()
                watch.finished(job, regression.results[key])
            except SuiteError as error:
                regression.errors[key] = error
                watch.finished(job, None)
        watch.tick()


def _print_table(regression: Regression, simulator: str, console: Console) -> None:
    jobs = [job for job in regression.jobs if job.simulator == simulator]
    seed = jobs[0].seed
    results = [regression.results.get((job.module.name, simulator)) for job in jobs]
    if not any(results):
        return
    version = next(result.version for result in results if result)
    table = Table(title=f"{version}, seed {seed}", title_justify="left", title_style="bold")
    table.add_column("module", no_wrap=True)
    table.add_column("side", no_wrap=True)
    for column in ("checks", "tests", "random cycles", "functional", "time"):
        table.add_column(column, justify="right", no_wrap=True)
    for job, result in zip(jobs, results, strict=True):
        planned = len(load(job.module).checks)
        if result is None:
            table.add_row(job.module.name, load(job.module).side, f"0/{planned}", style="red")
            continue
        table.add_row(
            result.module,
            result.side,
            f"{result.checks_passed}/{planned}" if result.checks else "left out",
            f"{sum(test.passed for test in result.tests)}/{len(result.tests)}",
            str(result.compared),
            f"{result.coverage.hit}/{result.coverage.size}",
            f"{result.seconds:.1f} s",
            style="" if result.passed else "red",
        )
    console.print(table)
    totals = regression.totals(simulator)
    if not totals["all"][1]:
        return
    console.print(
        "checks passed: "
        + ", ".join(
            f"{group} {passed} of {planned}" for group, (passed, planned) in totals.items()
        ),
        highlight=False,
    )


def _print_failures(regression: Regression, console: Console) -> None:
    for error in regression.errors.values():
        console.print(f"error: {error}", style="red", highlight=False, markup=False)
    for (name, simulator), result in regression.results.items():
        for failure in result.failures():
            console.print(
                f"failed: {name} on {simulator}: {failure}",
                style="red",
                highlight=False,
                markup=False,
            )
        if not result.passed and not result.failures():
            unreached = [check.id for check in result.checks if check.seen is None]
            console.print(
                f"failed: {name} on {simulator}: never reached: {', '.join(unreached)}",
                style="red",
                highlight=False,
            )
    for line in regression.disagreements():
        console.print(f"simulators disagree: {line}", style="red", highlight=False)


def _save_summary(regression: Regression, simulator: str) -> None:
    jobs = [job for job in regression.jobs if job.simulator == simulator]
    keys = [(job.module.name, simulator) for job in jobs]
    results = [regression.results[key] for key in keys if key in regression.results]
    summary = {
        "simulator": simulator,
        "version": next((result.version for result in results), None),
        "seed": jobs[0].seed,
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "commit": _git("rev-parse", "HEAD"),
        "dirty": bool(_git("status", "--porcelain")),
        "checks": {
            group: {"passed": passed, "planned": planned}
            for group, (passed, planned) in regression.totals(simulator).items()
        },
        "modules": {
            result.module: {
                "side": result.side,
                "passed": result.passed,
                "checks": {"passed": result.checks_passed, "planned": len(result.checks)},
                "compared": result.compared,
                "coverage": {"hit": result.coverage.hit, "size": result.coverage.size},
            }
            for result in results
        },
        "errors": {
            name: str(error)
            for (name, run_by), error in regression.errors.items()
            if run_by == simulator
        },
    }
    SUMMARY.mkdir(parents=True, exist_ok=True)
    write_atomically(SUMMARY / f"{simulator}.json", json.dumps(summary, indent=1))


def _git(*arguments: str) -> str | None:
    try:
        run = subprocess.run(
            ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        return None
    return run.stdout.strip() if run.returncode == 0 else None
