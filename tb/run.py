# SPDX-License-Identifier: Apache-2.0
"""The run function: builds a pair if need be, simulates its bench, and accounts for every check.

Everything that runs a bench goes through :func:`run`: ``make sim``, the regression and pytest.
"""

from __future__ import annotations

import datetime
import json
import re
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from tb import process, tools
from tb.build import build
from tb.catalog import ROOT, Module
from tb.errors import BenchBroken, SimulationDied, UsageError
from tb.exchange import COVERAGE_NAME, CYCLES_ENV, DEFAULT_CYCLES, RECORD_DIR_ENV, RECORD_NAME
from tb.paths import lock, run_folder
from tb.plan import load
from tb.results import CheckOutcome, RunResult, TestOutcome, functional_coverage

__all__ = ["Job", "run"]

STANDARD = "tb.standard"
PLAN_TEST = "every_check_of_the_plan_holds"

RTL_COMPLAINT = re.compile(r"^(ERROR|FATAL): \S+:\d+:.*|^\*\* VVP Stop.*|%Error: .*", re.MULTILINE)
"""What simulators print for a failed assertion, ``$error``, ``$fatal`` or ``$stop`` in the RTL.
Icarus goes on after the first two, and cocotb does not notice."""


@dataclass(frozen=True)
class Job:
    """What to simulate.

    Attributes:
        seed: of every random choice; a test draws from the seed and its own name
        cycles: random cycles that are compared with the model
        waves: also write ``waves.fst``
        only: a regular expression; other tests are left out
    """

    module: Module
    simulator: str
    seed: int = 1
    cycles: int = DEFAULT_CYCLES
    waves: bool = False
    only: str | None = None

    @property
    def folder(self) -> Path:
        """Where the run leaves its log, results, coverage and waves."""
        return run_folder(self.module, self.simulator)

    @property
    def seconds(self) -> float:
        """Time limit: generous, since it only guards against a simulation that hangs."""
        return 120 + self.cycles / 50


def run(job: Job, on_stage: Callable[[str], None] = lambda _: None) -> RunResult:
    """Build and simulate; *on_stage* is told ``building`` and ``running``.

    Raises:
        BuildFailed: the RTL does not compile.
        BenchBroken: the bench is incomplete, cannot be imported, or has no test.
        SimulationDied: the simulator ended, or ran out of time, before the bench did, or the RTL
            raised an error of its own.
        UsageError: no test matches ``job.only``.
        PlanError: the check plan is unusable.
    """
    plan = load(job.module)
    tools.require(job.simulator)
    on_stage("building")
    built = build(job.module, job.simulator, waves=job.waves)
    with lock(f"run-{job.simulator}-{job.module.name}"):
        started = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        clock = time.monotonic()
        folder = _fresh(job.folder)
        on_stage("running")
        code = _simulate(job, built, folder)
        tests = _tests(job, folder, code)
        record = _record(folder)
        result = RunResult(
            module=job.module.name,
            chapter=job.module.chapter,
            side=plan.side,
            simulator=job.simulator,
            version=tools.version(job.simulator),
            seed=job.seed,
            started=started,
            seconds=round(time.monotonic() - clock, 3),
            build=built.name,
            tests=tests,
            checks=_checks(job, record["checks"]),
            compared=record["compared"].get("random", 0),
            coverage=functional_coverage(folder / COVERAGE_NAME),
        )
        result.save(folder)
    return result


def _fresh(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def _simulate(job: Job, built: Path, folder: Path) -> int | None:
    arguments: dict[str, Any] = {
        "test_module": [STANDARD, job.module.bench],
        "hdl_toplevel": job.module.top,
        "hdl_toplevel_lang": "verilog",
        "build_dir": str(built),
        "test_dir": str(folder),
        "results_xml": str(folder / "results.xml"),
        "seed": job.seed,
        "waves": job.waves,
        "extra_env": {RECORD_DIR_ENV: str(folder), CYCLES_ENV: str(job.cycles)},
    }
    if job.only:
        arguments["test_filter"] = job.only
    if job.waves and job.simulator == "icarus":
        arguments["plusargs"] = [f"+dumpfile_path={folder / 'waves.fst'}"]
    elif job.waves:
        ending = "fst" if tools.fst_from_verilator() else "vcd"
        arguments["test_args"] = ["--trace-file", str(folder / f"waves.{ending}")]
    call = {"simulator": job.simulator, "method": "test", "arguments": arguments}
    return process.run(
        [sys.executable, "-m", "tb.simulate", json.dumps(call)],
        cwd=ROOT,
        env=tools.environment() | {"NO_COLOR": "1"},
        log=folder / "log.txt",
        seconds=job.seconds,
    )


def _tests(job: Job, folder: Path, code: int | None) -> tuple[TestOutcome, ...]:
    name, log = job.module.name, folder / "log.txt"
    where = f"(log in {log.relative_to(ROOT)})"
    if code is None:
        raise SimulationDied(
            f"{name}: no result after {job.seconds:.0f} s under {job.simulator}"
            f"{_while_running(log)} {where}"
        )
    try:
        cases = list(ElementTree.parse(folder / "results.xml").getroot().iter("testcase"))
    except (FileNotFoundError, ElementTree.ParseError):
        text = log.read_text(errors="replace")
        if "_init_from_simulator" in text or "discover_tests" in text:
            raise BenchBroken(
                f"{name}: bench cannot be loaded: {_last_error(text)} {where}"
            ) from None
        raise SimulationDied(
            f"{name}: {job.simulator} ended with code {code} and no result"
            f"{_while_running(log)}: {_last_error(text)} {where}"
        ) from None
    tests = tuple(_test(case) for case in cases)
    if job.only and not tests:
        raise UsageError(f"{name}: no test has a name that matches {job.only!r}")
    if not job.only and not any(test.bench == job.module.bench for test in tests):
        raise BenchBroken(
            f"{name}: {job.module.bench_file.relative_to(ROOT)} contains no test: "
            "define at least one coroutine under @bench_test"
        )
    if complaint := RTL_COMPLAINT.search(log.read_text(errors="replace")):
        rtl = str(job.module.rtl.relative_to(ROOT))
        said = re.sub(rf"\S*/{re.escape(job.module.rtl.name)}", rtl, complaint[0].strip())
        raise SimulationDied(f"{name}: the RTL itself complained: {said} {where}")
    if code != 0:
        raise SimulationDied(
            f"{name}: {job.simulator} ended with code {code} although its tests reported {where}"
        )
    return tests


def _test(case: ElementTree.Element) -> TestOutcome:
    failure = next((child for child in case if child.tag in ("failure", "error")), None)
    message = ""
    if failure is not None:
        message = failure.get("error_msg") or failure.get("message") or failure.text or ""
        kind = failure.get("error_type", "")
        if kind not in ("", "AssertionError"):
            message = f"{kind}: {message}"
        # An empty message would read as a pass.
        message = message.strip().removeprefix("AssertionError: ") or "failed"
    elif case.find("skipped") is not None:
        message = "skipped, which is not a pass"
    return TestOutcome(
        bench=case.get("classname", ""),
        name=case.get("name", ""),
        seconds=round(float(case.get("time", 0)), 3),
        message=message,
    )


def _record(folder: Path) -> dict[str, Any]:
    try:
        record: dict[str, Any] = json.loads((folder / RECORD_NAME).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {"checks": {}, "compared": {}}
    return record


def _checks(job: Job, recorded: dict[str, dict[str, Any]]) -> tuple[CheckOutcome, ...]:
    if job.only and not recorded and not re.search(job.only, f"{STANDARD}.{PLAN_TEST}"):
        return ()
    outcomes = []
    for check in load(job.module).checks:
        found = recorded.get(check.id)
        outcomes.append(
            CheckOutcome(
                id=check.id,
                expect=check.expect,
                seen=found["seen"] if found else None,
                passed=bool(found and found["passed"]),
            )
        )
    return tuple(outcomes)


def _while_running(log: Path) -> str:
    """The test that was running when the log ends, as part of a sentence."""
    running = re.findall(r"running (\S+) \(\d+/\d+\)", log.read_text(errors="replace"))
    return f" in {running[-1]}" if running else ""


def _last_error(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"^[\w.]*(Error|Exception)\b|%Error|FATAL", line)]
    return (errors or lines or ["no output"])[-1].replace(f"{ROOT}/", "")
