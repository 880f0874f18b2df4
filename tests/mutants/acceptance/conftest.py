# SPDX-License-Identifier: Apache-2.0
"""Fixture projects, copied before they are used, and the tool run in them as a user would."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tb.catalog import ROOT
from tests.conftest import simulators

PROJECTS = ROOT / "tests" / "mutants" / "projects"
WORK = Path("sim_build") / "mutants"
"""Where the tool keeps its own files in a project that says nothing else."""

UNDETECTED = ("survived", "not activated")
"""An expectation `undetected` is either: the fault lies where only one of the two can be read off
the source when it is known which expression is watched."""


@dataclass(frozen=True)
class Expected:
    """What `expected.toml` of a project says.

    `mutants` holds, for each hand-written mutant, the state and what else is certain: the killing
    test (`by`), how it showed (`kind`), a piece of the reason (`says`), the target, the place.
    A value that differs between simulators is a table by simulator.
    """

    simulators: tuple[str, ...]
    exit: int
    says: tuple[str, ...]
    score: float | None
    counts: Mapping[str, int]
    mutants: Mapping[str, Mapping[str, Any]]

    @classmethod
    def of(cls, name: str, simulator: str) -> Expected:
        """Read what *name* is to give under *simulator*."""
        table = _toml(PROJECTS / name / "expected.toml")

        def here(value: Any) -> Any:
            by_simulator = isinstance(value, dict) and value.keys() <= {"icarus", "verilator"}
            return value[simulator] if by_simulator else value

        mutants = {key: here(value) for key, value in table.get("mutants", {}).items()}
        return cls(
            simulators=tuple(table["simulators"]),
            exit=table["exit"],
            says=tuple(table.get("says", ())),
            score=table.get("score"),
            counts={
                key.replace("-", " "): here(value) for key, value in table.get("counts", {}).items()
            },
            mutants={
                key: value if isinstance(value, dict) else {"state": value}
                for key, value in mutants.items()
            },
        )


@dataclass(frozen=True)
class Found:
    """One mutant of a report, with the report's own names for its parts."""

    file: str
    source: str
    values: Mapping[str, Any]

    @property
    def state(self) -> str:
        """The tool's own word, which the reason begins with."""
        return str(self.values["statusReason"]).partition(":")[0]

    @property
    def reason(self) -> str:
        """What follows that word."""
        return str(self.values["statusReason"]).partition(":")[2].strip()

    @property
    def killers(self) -> tuple[str, ...]:
        """The tests that killed it, as `target: module.test`."""
        return tuple(self.values.get("killedBy") or ())

    @property
    def start(self) -> tuple[int, int]:
        """Line and column."""
        start = self.values["location"]["start"]
        return start["line"], start["column"]

    @property
    def text(self) -> str:
        """What stands in the source at the place that the report gives."""
        location = self.values["location"]
        lines = self.source.splitlines(keepends=True)[
            location["start"]["line"] - 1 : location["end"]["line"]
        ]
        end = location["end"]["column"] - 1
        lines[-1] = lines[-1][:end]
        lines[0] = lines[0][location["start"]["column"] - 1 :]
        return " ".join("".join(lines).split())


@dataclass(frozen=True)
class Run:
    """One run of the command."""

    code: int
    output: str
    report: Mapping[str, Any] = field(default_factory=dict)

    @functools.cached_property
    def mutants(self) -> dict[str, Found]:
        """The mutants of the report by their names."""
        return {
            mutant["id"]: Found(file, content["source"], mutant)
            for file, content in self.report.get("files", {}).items()
            for mutant in content["mutants"]
        }

    @property
    def states(self) -> dict[str, str]:
        """The tool's own word for each mutant."""
        return {name: found.state for name, found in self.mutants.items()}


@dataclass(frozen=True)
class Project:
    """A copy of a fixture project that a test may damage."""

    root: Path
    before: dict[str, bytes]

    @classmethod
    def copy(cls, name: str, root: Path) -> Project:
        """Copy *name* to *root*, and give its files the encodings and line ends it asks for.

        Those are kept out of the checkout, where an editor or Git may well take them away.
        """
        shutil.copytree(PROJECTS / name, root, ignore=shutil.ignore_patterns("__pycache__"))
        for file, how in _toml(root / "expected.toml").get("files", {}).items():
            text = (root / file).read_text(encoding="utf-8")
            (root / file).write_text(
                text, encoding=how.get("encoding", "utf-8"), newline=how.get("newline", "\n")
            )
        (root / "expected.toml").unlink()
        return cls(root, _files(root))

    def edit(self, path: str, old: str, new: str) -> None:
        """Replace the only occurrence of *old*, as the owner of the project would."""
        file = self.root / path
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path}"
        file.write_text(text.replace(old, new), encoding="utf-8")
        self.before[path] = file.read_bytes()

    def start(self, *arguments: str, env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
        """Start the command in a session of its own, as in a terminal of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "cocotb_mutants", *arguments],
            cwd=self.root,
            env=environment() | dict(env or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def command(self, *arguments: str, env: Mapping[str, str] | None = None) -> Run:
        """Run the command to its end.

        Whatever it does, it leaves the user's files alone and no process behind, and what it has
        to say to the user is not a traceback of its own.
        """
        with self.start(*arguments, env=env) as process:
            try:
                output, _ = process.communicate(timeout=300)
            finally:
                end(process)
        assert self.left_over() == []
        assert _changes(self.before, _files(self.root)) == []
        assert "cocotb_mutants/cli.py" not in output, output
        return Run(process.returncode, output)

    def run(self, *options: str, env: Mapping[str, str] | None = None) -> Run:
        """Run a campaign, and read its report if there is one."""
        report = self.root / WORK / "test-report.json"
        report.unlink(missing_ok=True)
        run = self.command("run", "--json", str(report), *options, env=env)
        if not report.exists():
            return run
        return Run(run.code, run.output, json.loads(report.read_text(encoding="utf-8")))

    def verdicts(self) -> dict[int, str]:
        """The states of mutants in the store, by the numbers in which they were written."""
        path = self.root / WORK / "store.sqlite"
        if not path.exists():
            return {}
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as store:
            try:
                return dict(
                    store.execute("SELECT number, state FROM verdict WHERE mutant != '(controls)'")
                )
            except sqlite3.OperationalError:  # not there yet, or locked for a moment
                return {}

    def left_over(self, patience: float = 2.0) -> list[str]:
        """Processes that still work in this project once they had time to go."""
        until = time.monotonic() + patience
        while (found := _at_work(self.root)) and time.monotonic() < until:
            time.sleep(0.05)
        return found


def environment() -> dict[str, str]:
    """A user's environment: none of pytest's or of this suite's own variables."""
    foreign = ("COCOTB_", "COV_", "GPI_", "PYGPI_", "PYTEST_", "TB_")
    env = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    return env | {"PYTHONPATH": str(ROOT), "COLUMNS": "200", "PYTHONDONTWRITEBYTECODE": "1"}


def end(process: subprocess.Popen[str]) -> None:
    """Kill the command if it still runs; what it started is its own affair."""
    if process.poll() is None:
        process.send_signal(signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def wait_for(true: Callable[[], object], seconds: float, what: str) -> None:
    """Wait until *true* is."""
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, f"after {seconds} s there is still no {what}"
        time.sleep(0.02)


PATIENT = ("--cpu-limit", "300", "--wall-limit", "300", "--sim-time-limit", "1000000000000000")
"""So that three of the four mutants of `hangs_in_simulated_time` go on until they are stopped."""


@contextmanager
def at_work(project: Project, simulator: str, *options: str) -> Iterator[subprocess.Popen[str]]:
    """A campaign that has judged one mutant and will not come to its end."""
    process = project.start(
        "run", "--sim", simulator, "--only-mutations", "--jobs", "4", *PATIENT, *options
    )
    try:
        wait_for(lambda: project.verdicts() or process.poll() is not None, 60, "verdict")
        assert process.poll() is None, process.communicate()[0]
        yield process
    finally:
        end(process)
        assert project.left_over(patience=5) == []


@pytest.fixture
def project(tmp_path: Path) -> Callable[[str], Project]:
    """A function that copies a fixture project into this test's own folder."""
    return lambda name: Project.copy(name, tmp_path / name)


@pytest.fixture(scope="session")
def fastest(pytestconfig: pytest.Config) -> str:
    """The simulator for tests to which it is all one."""
    return simulators(pytestconfig)[0]


Campaign = Callable[..., Run]


@pytest.fixture(scope="session")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    """A function that runs a project's hand-written mutants, once for each set of options."""

    @functools.cache
    def run(name: str, simulator: str, *options: str) -> Run:
        copied = Project.copy(name, tmp_path_factory.mktemp(name) / name)
        only = ("--only-mutations",) if (copied.root / "mutants.toml").exists() else ()
        return copied.run("--sim", simulator, *only, *options)

    return run


def names() -> list[str]:
    """All fixture projects."""
    return sorted(path.parent.name for path in PROJECTS.glob("*/expected.toml"))


def grouped(name: str, *values: str) -> Any:
    """Parameters of one project: all its tests run on one worker, which runs a campaign once."""
    return pytest.param(name, *values, marks=pytest.mark.xdist_group(f"mutants-{name}"))


def detected(state: str) -> str:
    """The state, where one that was not run as it could not differ counts as a survivor."""
    return "survived" if state == "not activated" else state


def _toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _files(root: Path) -> dict[str, bytes]:
    """Everything in a project that is not the tool's own."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file()
        and not path.is_relative_to(root / WORK)
        and "__pycache__" not in path.parts
    }


def _changes(before: Mapping[str, bytes], now: Mapping[str, bytes]) -> Sequence[str]:
    return sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))


def _at_work(root: Path) -> list[str]:
    return [
        f"{pid}: {command}"
        for pid, command, folder in _processes()
        if str(root) in command or Path(folder).is_relative_to(root)
    ]


def _processes() -> Iterator[tuple[int, str, str]]:
    for entry in Path("/proc").iterdir():
        # It may end while it is looked at; one that has ended and was not waited for has no cwd.
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError):
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                yield int(entry.name), command, str((entry / "cwd").readlink())
