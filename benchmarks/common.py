# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks share: a module and its bench, our campaign, and a runner's arguments."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cocotb_mutants.config import Config, load
from cocotb_mutants.layout import include_folders
from cocotb_mutants.mutant import Mutant
from cocotb_mutants.population import Member, populate

__all__ = ["ROOT", "Campaign", "Subject", "campaign", "first_line", "request", "subject"]

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Subject:
    """One module with its bench, and the mutants that our campaign judges."""

    config: Config
    member: Member
    mutants: tuple[Mutant, ...]


@dataclass(frozen=True)
class Campaign:
    """How long our campaign took, and what its report says of each mutant, by name."""

    seconds: float
    verdicts: Mapping[str, Mapping[str, Any]]


def subject(module: str, simulator: str, test_filter: str = "") -> Subject:
    """Return `module` with all that `pyproject.toml` says of it."""
    subprocess.run([sys.executable, "-m", "tb", "mutation-sources"], cwd=ROOT, check=True)
    overrides = {"simulator": simulator, "test_filter": test_filter}
    config = load(ROOT / "pyproject.toml", overrides).expand().select([module])
    population = populate(config)
    (member,) = population.members
    return Subject(config, member, population.of(member))


def campaign(module: str, simulator: str, folder: Path, test_filter: str = "") -> Campaign:
    """Run our campaign as a user would, with everything it does, from nothing in `folder`."""
    report = folder / "report.json"
    words = [sys.executable, "-m", "cocotb_mutants", "run", "--target", module]
    words += ["--sim", simulator, "--work-dir", str(folder / "work"), "--json", str(report)]
    words += ["--test-filter", test_filter] if test_filter else []
    started = time.monotonic()
    subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    seconds = time.monotonic() - started
    files = json.loads(report.read_text())["files"].values()
    return Campaign(seconds, {m["id"]: m for file in files for m in file["mutants"]})


def request(given: Subject, sources: Sequence[Path], folder: Path) -> dict[str, Any]:
    """Return what cocotb's runner must be told to build `sources` in `folder` and test them.

    The arguments of its `test` are under "test", and the simulator is under "sim".
    """
    config, target = given.config, given.member.target
    return {
        "sim": config.simulator,
        "sources": [str(path) for path in sources],
        "includes": [str(each) for each in include_folders(given.member.design.sources)],
        "hdl_toplevel": target.top,
        "build_dir": str(folder / "build"),
        "timescale": target.timescale.split("/"),
        "always": True,
        "test": {
            "test_module": ",".join(target.test_modules),
            "hdl_toplevel": target.top,
            "test_filter": target.test_filter or None,
            "build_dir": str(folder / "build"),
            "results_xml": str(folder / "results.xml"),
            "seed": config.seed,
        },
    }


def first_line(text: str) -> str:
    """Return the first line of `text`, without the spaces around it."""
    return text.strip().partition("\n")[0].strip()
