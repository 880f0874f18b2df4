# SPDX-License-Identifier: Apache-2.0
"""Builds a simulation with cocotb's runner, in a folder named after everything it is made of."""

from __future__ import annotations

import contextlib
import hashlib
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from cocotb_mutants import runtime
from cocotb_mutants.launch import Plan, call, environment, plan, require, version

__all__ = ["Build", "BuildFailed", "BuildRequest", "Problem", "build"]

Waves = Literal["", "fst", "vcd"]

_HEADERS = frozenset({".vh", ".svh", ".h", ".v", ".sv", ".inc", ".svi", ".vi"})
_DONE = "complete"
_LOG = "build.log"
_ICARUS = re.compile(
    r"^(?:(?P<file>.+?):(?P<line>\d+): )?"
    # What it says of constant selects is a warning.
    r"(?P<message>(?:error|syntax error|sorry(?!: constant selects in)|internal error)\b.*"
    r"|.+: No such file or directory)$",
    re.MULTILINE,
)
_VERILATOR = re.compile(
    r"^%Error(?:-\w+)?: (?:(?P<file>.+?):(?P<line>\d+):(?:\d+:)? )?(?P<message>.*)$", re.MULTILINE
)
_COMPILER = re.compile(
    r"^(?P<file>.+?):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<message>.*)$", re.MULTILINE
)


@dataclass(frozen=True)
class BuildRequest:
    """All that a build depends on; paths are absolute.

    Attributes:
        simulator: by cocotb's name.
        sources: in compile order.
        top: the name of the top module.
        headers: the files that the sources include; None is every header in `includes` and in
            the folders of the sources.
        waves: build so that a run can record waves.
    """

    simulator: str
    sources: tuple[Path, ...]
    top: str
    includes: tuple[Path, ...] = ()
    defines: Mapping[str, object] = field(default_factory=dict)
    parameters: Mapping[str, object] = field(default_factory=dict)
    timescale: str = ""
    build_args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    headers: tuple[Path, ...] | None = None
    waves: bool = False


@dataclass(frozen=True)
class Build:
    """A finished build.

    Attributes:
        folder: where it is.
        waves: the format of the waves that it can record, "" if it cannot.
        cannot_fork: why its simulations cannot fork, "" if nothing speaks against it.
        seconds: how long it took; 0.0 if it was there already.
        env: the environment that it was made in.
    """

    simulator: str
    top: str
    folder: Path
    waves: Waves = ""
    cannot_fork: str = ""
    seconds: float = 0.0
    env: Mapping[str, str] = field(default_factory=dict)

    def discard(self) -> None:
        """Delete it; it will not be run again."""
        shutil.rmtree(self.folder, ignore_errors=True)


@dataclass(frozen=True)
class Problem:
    """Something that the simulator objected to; `line` is 0 where it named no place."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}" if self.line else self.message


class BuildFailed(Exception):
    """The simulator refused the sources; `log` is all it said, `problems` what can be placed."""

    def __init__(self, log: Path, problems: tuple[Problem, ...]) -> None:
        super().__init__(str(problems[0]) if problems else f"the build failed, see {log}")
        self.log = log
        self.problems = problems


def build(request: BuildRequest, cache_dir: Path) -> Build:
    """Build what `request` asks for, or return it if it is there.

    Nothing stale is ever returned: the folder's name is a digest of all that goes in, files by
    their bytes, and a mark that is written last says that the build came to its end. Two threads
    or processes that want the same build get the same one.

    Raises:
        BuildFailed: the simulator refused.
        ToolMissing: the simulator is not there.
        UsageError: cocotb's runner refused an argument.
    """
    cache_dir = cache_dir.resolve()
    env = environment(cache_dir / "bin", request.env)
    require(request.simulator, env)
    tools = version(request.simulator, env["PATH"])
    waves = _waves(request, env)
    key = _key(request, tools, waves)
    folder = cache_dir / "builds" / key
    found = Build(request.simulator, request.top, folder, waves, _cannot_fork(request), env=env)
    with runtime.locked(cache_dir / "locks" / key):
        if not (folder / _DONE).is_file():
            started = time.monotonic()
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            _build(request, waves, folder, runtime.FOLDER, tools, env)
            (folder / _DONE).touch()
            return Build(**{**vars(found), "seconds": time.monotonic() - started})
    return found


def _build(
    request: BuildRequest,
    waves: Waves,
    folder: Path,
    runtimes: Path,
    tools: str,
    env: Mapping[str, str],
) -> None:
    with _workplace(request, folder) as place:
        planned = _plan(request, waves, place, env)
        log = folder / _LOG
        for words in planned.commands:
            if words[0] == "make" and request.simulator == "verilator":
                main = next(w for w in planned.commands[0] if w.endswith("verilator.cpp"))
                words += tuple(runtime.prepare(place, main, runtimes, tools, planned.env))
            if call(words, place, planned.env, log) != 0:
                raise BuildFailed(log, _problems(request.simulator, log))
        if place != folder:
            shutil.move(place / request.top, folder)


@contextlib.contextmanager
def _workplace(request: BuildRequest, folder: Path) -> Iterator[Path]:
    """Yield the folder to build in, for Verilator one that does not last: its C++ is large.

    `make` does not work where there is a space in the path.
    """
    if request.simulator != "verilator":
        yield folder
        return
    parent = None if re.search(r"\s", str(folder)) else folder
    with tempfile.TemporaryDirectory(prefix="cocotb-mutants-", dir=parent) as place:
        yield Path(place)


def _plan(request: BuildRequest, waves: Waves, folder: Path, env: Mapping[str, str]) -> Plan:
    from cocotb_tools.runner import Verilog

    suffixes = (".vlt", ".vhd", ".vhdl")

    def use(runner: Any) -> None:
        runner.build(
            sources=[p if p.suffix in suffixes else Verilog(p) for p in request.sources],
            includes=request.includes,
            defines=request.defines,
            parameters=request.parameters,
            build_args=[*_own_arguments(request, waves), *request.build_args],
            hdl_toplevel=request.top,
            build_dir=folder,
            timescale=tuple(request.timescale.split("/")) if request.timescale else None,
            waves=bool(waves),
        )

    return plan(request.simulator, env, use)


def _own_arguments(request: BuildRequest, waves: Waves) -> list[str]:
    if request.simulator != "verilator":
        return []
    words = ["-Wno-fatal", "--output-split", "0"]
    if "--timing" in request.build_args and not any("-std=" in a for a in request.build_args):
        words += ["-CFLAGS", "-std=c++20"]
    if waves == "fst":
        words.append("--trace-fst")
    return words


def _waves(request: BuildRequest, env: Mapping[str, str]) -> Waves:
    if not request.waves:
        return ""
    if request.simulator != "verilator":
        return "fst"
    # Verilator's writer of FST needs these.
    probe = subprocess.run(
        ["c++", "-E", "-x", "c++", "-"],
        input=b"#include <lz4.h>\n#include <zlib.h>\n",
        capture_output=True,
        env=dict(env),
        check=False,
    )
    return "fst" if probe.returncode == 0 else "vcd"


def _cannot_fork(request: BuildRequest) -> str:
    if request.simulator not in ("icarus", "verilator"):
        return f"{request.simulator} was never seen to survive a fork"
    if any(a.startswith("--threads") for a in request.build_args):
        return "a model built with --threads does not survive a fork"
    return ""


def _key(request: BuildRequest, tools: str, waves: Waves) -> str:
    digest = hashlib.sha256()
    words = [
        tools,
        request.simulator,
        request.top,
        request.timescale,
        waves,
        *request.build_args,
        *_own_arguments(request, waves),
        runtime.OPTIMISE_DESIGN,
        *(f"{name}={value}" for name, value in sorted(request.env.items())),
        *(f"-D{name}={value}" for name, value in request.defines.items()),
        *(f"-P{name}={value}" for name, value in request.parameters.items()),
        *map(str, request.includes),
        *map(str, request.sources),
    ]
    for word in words:
        _feed(digest, word.encode("utf-8", "surrogateescape"))
    headers = sorted(_headers(request)) if request.headers is None else request.headers
    for path in [*request.sources, *headers]:
        with contextlib.suppress(FileNotFoundError):  # the simulator says so itself, and better
            _feed(digest, path.read_bytes())
    return digest.hexdigest()[:24]


def _headers(request: BuildRequest) -> set[Path]:
    return {
        path
        for folder in {*request.includes, *(source.parent for source in request.sources)}
        for path in folder.glob("*")
        if path.suffix in _HEADERS and path.is_file()
    } - set(request.sources)


def _feed(digest: hashlib._Hash, data: bytes) -> None:
    digest.update(len(data).to_bytes(8, "little"))
    digest.update(data)


def _problems(simulator: str, log: Path) -> tuple[Problem, ...]:
    text = log.read_text("utf-8", "replace")
    first = _VERILATOR if simulator == "verilator" else _ICARUS
    found = list(_of(first, text)) or list(_of(_COMPILER, text))
    # "Exiting due to 2 errors" says nothing where an error was placed.
    placed = [problem for problem in found if problem.line]
    return tuple(placed or found)


def _of(pattern: re.Pattern[str], text: str) -> Iterable[Problem]:
    for match in pattern.finditer(text):
        yield Problem(match["file"] or "", int(match["line"] or 0), match["message"].strip())
