# SPDX-License-Identifier: Apache-2.0
"""How time and memory of a campaign grow with its mutants, on a real core.

Only mutants that fit into one build are drawn: builds of their own would hide all else.

    python -m benchmarks.growth --sim verilator
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from benchmarks.campaigns import Figures, drawn, measure
from benchmarks.cores import CORES, ROOT, project
from cocotb_mutants.config import load
from cocotb_mutants.population import populate
from cocotb_mutants.schema import plan

COUNTS = (50, 500, 5000)


def main() -> None:
    """Print a line for each number of mutants; each has a process of its own."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sim", default="icarus")
    parser.add_argument("--core", choices=sorted(CORES), default="picorv32")
    parser.add_argument("--counts", type=int, nargs="+", default=COUNTS)
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        found = _measured(options.core, options.sim, options.counts[0])
        options.one.write_text(json.dumps(asdict(found)))
        return
    print(f"{options.core}, {options.sim}, all mutants in one build", flush=True)
    print("mutants  build s  ready s   run s  ms each  tool MiB  run MiB")
    for count in options.counts:
        found = _in_a_process(options.core, options.sim, count)
        each = found.run_s / found.mutants * 1000
        print(
            f"{found.mutants:7d} {found.build_s:8.1f} {found.ready_s:8.1f} {found.run_s:7.1f} "
            f"{each:8.1f} {found.tool_mib:9.0f} {found.run_mib:8.0f}",
            flush=True,
        )


def _in_a_process(core: str, simulator: str, count: int) -> Figures:
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        words = [sys.executable, "-m", "benchmarks.growth", "--core", core, "--sim", simulator]
        words += ["--counts", str(count), "--one", file.name]
        subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        return Figures(**json.loads(Path(file.name).read_text()))


def _measured(core: str, simulator: str, count: int) -> Figures:
    (ROOT / "sim_build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=ROOT / "sim_build") as name:
        config = load(project(core, Path(name), simulator)).expand()
        population = populate(config)
        (member,) = population.members
        among = {m.name for m in plan(member.design, population.of(member)).in_schema}
        return measure(config, drawn(population, count, among))


if __name__ == "__main__":
    main()
