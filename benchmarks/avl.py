# SPDX-License-Identifier: Apache-2.0
"""Drives avl-core's mutation testing, which is no dependency of the project, from outside."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.common import ROOT, Subject, first_line, request
from cocotb_mutants.launch import environment, plan

__all__ = ["VERSION", "Generated", "Graded", "Run", "bare", "generate", "grade", "install"]

VERSION = "1.2.0"
# It has no limit of its own: a mutant that never ends would block everything.
LIMIT_S = 60
_MARK = re.compile(r"/\* AVL MUTATION - .*? \*/")
_ROW = re.compile(r"^ +(\d+) .* (DETECTED|SURVIVED)$", re.MULTILINE)
_RECORD = re.compile(r"^\s*\S+ns\s+(?:ERROR|CRITICAL|FATAL)\b.*", re.MULTILINE)
_END = re.compile(r"^benchmark: (.*)$", re.MULTILINE)
_SCRIPT = """\
number=${{1#AVL_MUTANT=}}
rm -f build/sim.vvp
cp {mutants}/"$number"/*.* sources/
{exports}
{build} </dev/null || {{ echo "benchmark: it did not build"; exit 1; }}
cd build
timeout {limit} {run} </dev/null
code=$?
if [ $code = 124 ]; then echo "benchmark: the limit of {limit} s ended it"
else echo "benchmark: the simulator ended with exit code $code"; fi
"""


@dataclass(frozen=True)
class Generated:
    """Mutants on disk, a folder each; that of the original is called 0."""

    folder: Path
    sites: tuple[Mapping[str, Any], ...]
    seconds: float


@dataclass(frozen=True)
class Run:
    """What became of one mutant; `reason` says what was seen in a detected one's run.

    `text` is the mutated source as `bare` returns it.
    """

    number: int
    text: str
    detected: bool
    has_result: bool
    reason: str


@dataclass(frozen=True)
class Graded:
    """All runs, and the seconds that the original and that the mutants took."""

    runs: tuple[Run, ...]
    golden: float
    mutants: float


def install(folder: Path) -> Path:
    """Install avl-core below `folder`, unless it is there, and return its program."""
    program = folder / VERSION / "bin" / "avl-mutation-testing"
    if not program.exists():
        place = program.parents[1]
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(place)], check=True)
        words = [str(place / "bin" / "python"), "-m", "pip", "install", "--quiet"]
        words += ["--disable-pip-version-check", "-c", str(ROOT / "constraints.txt")]
        subprocess.run([*words, f"avl-core=={VERSION}"], check=True)
    return program


def generate(program: Path, given: Subject, folder: Path) -> Generated:
    """Let avl-core write all its mutants."""
    originals = [given.config.root / file for file in given.member.target.mutate]
    catalogue = folder / "catalogue.json"
    mutants = folder / "mutants"
    words = [str(program), "--source", *map(str, originals), "--output", str(mutants)]
    words += ["--json", str(catalogue), "--no-equiv"]
    started = time.monotonic()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    seconds = time.monotonic() - started
    (mutants / "0").mkdir()
    for path in originals:
        shutil.copy(path, mutants / "0")
    return Generated(mutants, tuple(json.loads(catalogue.read_text())), seconds)


def grade(
    program: Path,
    given: Subject,
    generated: Generated,
    sites: Sequence[Mapping[str, Any]],
    processes: int,
) -> Graded:
    """Let avl-core judge `sites`, by so many of its processes side by side.

    It knows of one only, but takes any list of mutants: each process gets a part, and a folder of
    its own, in which it runs one after the other.
    """
    shares = [share for share in (sites[at::processes] for at in range(processes)) if share]
    shards = [
        _Shard(program, given, generated, generated.folder.parent / f"shard{number}", share)
        for number, share in enumerate(shares)
    ]
    # Files carry the time of day, so that is what is subtracted.
    started = time.time()
    with ThreadPoolExecutor(len(shards)) as pool:
        runs = [run for part in pool.map(_Shard.grade, shards) for run in part]
    ended = time.time()
    golden = max(shard.log("golden").stat().st_mtime for shard in shards)
    return Graded(tuple(runs), golden - started, ended - golden)


def bare(text: str) -> str:
    """Return `text` without white space and without avl-core's marks."""
    return "".join(_MARK.sub("", text).split())


class _Shard:
    """A part of the mutants with the folder in which avl-core judges them."""

    def __init__(
        self,
        program: Path,
        given: Subject,
        generated: Generated,
        folder: Path,
        sites: Sequence[Mapping[str, Any]],
    ) -> None:
        self._program = program
        self._generated = generated
        self._folder = folder
        self._sites = sites
        (folder / "sources").mkdir(parents=True)
        (folder / "catalogue.json").write_text(json.dumps(list(sites)))
        self._env = environment(folder / "bin")
        (folder / "simulate.sh").write_text(_script(given, generated.folder, folder, self._env))

    def log(self, name: str) -> Path:
        return self._folder / "archive" / name / "sim.log"

    def grade(self) -> list[Run]:
        words = [str(self._program), "--grade", "--json", str(self._folder / "catalogue.json")]
        words += ["--directory", str(self._folder), "--make", "sh simulate.sh"]
        words += ["--archive", str(self._folder / "archive")]
        done = subprocess.run(words, capture_output=True, text=True, env=self._env, check=False)
        verdicts = {int(row[1]): row[2] == "DETECTED" for row in _ROW.finditer(done.stdout)}
        if verdicts.keys() != {site["id"] for site in self._sites}:
            raise SystemExit(f"avl-core did not judge all mutants:\n{done.stdout}{done.stderr}")
        return [self._run(site, verdicts[site["id"]]) for site in self._sites]

    def _run(self, site: Mapping[str, Any], detected: bool) -> Run:
        log = self.log(str(site["id"]))
        results = log.with_name("results.xml")
        text = (self._generated.folder / str(site["id"]) / Path(site["file"]).name).read_text()
        return Run(
            number=site["id"],
            text=bare(text),
            detected=detected,
            has_result=results.exists(),
            reason=_reason(results, log.read_text()) if detected else "",
        )


def _script(given: Subject, mutants: Path, folder: Path, env: Mapping[str, str]) -> str:
    """Return the script that builds and simulates the mutant that it is told."""
    root, target = given.config.root, given.member.target
    sources = [
        folder / "sources" / Path(file).name if file in target.mutate else root / file
        for file in target.sources
    ]
    arguments = request(given, sources, folder)
    simulator, test = arguments.pop("sim"), arguments.pop("test")

    def use(runner: Any) -> None:
        runner.build(**arguments)
        runner.test(**test)

    planned = plan(simulator, env, use)
    # Words of a bench may depend on the order of a set; ours has this fixed too.
    changed = {**planned.env, "PYTHONPATH": str(root), "PYTHONHASHSEED": "0"}
    build, run = (shlex.join(words) for words in planned.commands)
    return _SCRIPT.format(
        mutants=shlex.quote(str(mutants)),
        exports="\n".join(
            f"export {name}={shlex.quote(value)}"
            for name, value in changed.items()
            if env.get(name) != value
        ),
        build=build,
        run=run,
        limit=LIMIT_S,
    )


def _reason(results: Path, log: str) -> str:
    if not results.exists():
        end = _END.search(log)
        return end[1] if end else "the script did not end"
    for case in ElementTree.parse(results).iter("testcase"):
        failure = case.find("failure")
        if failure is not None:
            message = first_line(failure.get("message", ""))
            kind = failure.get("type", "").replace("AssertionError", "an assertion")
            return f"{case.get('classname')}.{case.get('name')} failed by {kind}: {message}"
    record = _RECORD.search(log)
    line = " ".join(record[0].split()) if record else ""
    return f"no test failed, but a line of the log says: {line}"
