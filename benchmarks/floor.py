# SPDX-License-Identifier: Apache-2.0
"""How far a mutant's run is from the least that it could take: the body of the bench alone.

The body is what the tests take in an ordinary simulation of the original, without the start of the
simulator, Python, cocotb and the bench. A mutant's time is all that its worker spends on it. The
mutant is one that nothing notices, so that it runs the whole bench.

    python -m benchmarks.floor bandwidth_share --sim verilator --filter every_check
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path

from benchmarks.common import ROOT, Subject, subject
from cocotb_mutants import schema
from cocotb_mutants.build import Build
from cocotb_mutants.config import load
from cocotb_mutants.jobs import Jobs
from cocotb_mutants.lab import RealLab, Simulation
from cocotb_mutants.limits import golden_limits

NONE = 999_999
"""A number that is no mutant's: every choice is made, and for the original."""


def main() -> None:
    """Print the body, and a run's time over it, with one and with two slots."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("module", nargs="?", default="bandwidth_share")
    parser.add_argument("--sim", default="icarus")
    parser.add_argument("--filter", default="", help="only tests whose name matches")
    parser.add_argument("--runs", type=int, default=60)
    options = parser.parse_args()
    given = subject(options.module, options.sim, options.filter)
    with tempfile.TemporaryDirectory(dir=ROOT / "sim_build") as name:
        bench = _Bench(given, Path(name))
        body = bench.body()
        print(f"{options.module}, {options.sim}: the tests take {1000 * body:.1f} ms")
        plan = schema.plan(given.member.design, given.mutants)
        designs: dict[str, Mapping[str, bytes]] = {
            "the original": {},
            f"a schema of {len(plan.in_schema)} mutants": plan.texts,
        }
        for design, texts in designs.items():
            with bench.simulation(bench.build(texts, None)) as simulation:
                for slots in (1, 2):
                    seconds = bench.each(simulation, options.runs, slots)
                    print(
                        f"{design}, {slots} at a time: {1000 * seconds:.1f} ms each, "
                        f"{seconds / body:.2f} of the tests"
                    )


class _Bench:
    def __init__(self, given: Subject, folder: Path) -> None:
        self._given = given
        config = load(
            ROOT / "pyproject.toml", {"simulator": given.config.simulator, "work_dir": str(folder)}
        )
        self._lab = RealLab(config.expand().select([given.member.target.name]))
        self._jobs = Jobs(given.config, given.member.target.name)
        self._limits = golden_limits(given.config)

    def build(self, texts: Mapping[str, bytes], number: int | None) -> Build:
        return self._lab.build(self._given.member, texts, schema.select_package(number))

    def simulation(self, build: Build) -> AbstractContextManager[Simulation]:
        return self._lab.simulation(self._given.member, build)

    def body(self) -> float:
        """Return the seconds that the tests take in an ordinary process, the median of five."""
        build = self.build({}, 0)
        found = []
        for _ in range(5):
            with self._lab.simulation(self._given.member, build, alone=True) as simulation:
                (report,) = simulation.run([self._jobs.job(0, 0, self._limits)], 1)
            found.append(sum(test.wall_s for test in report.tests))
        return sorted(found)[2]

    def each(self, simulation: Simulation, runs: int, slots: int) -> float:
        """Return the wall seconds for each of so many runs."""
        jobs = [self._jobs.job(NONE + at, NONE + at, self._limits) for at in range(runs)]
        started = time.monotonic()
        reports = list(simulation.run(jobs, slots))
        seconds = time.monotonic() - started
        assert all(report.complete for report in reports)
        return seconds / runs


if __name__ == "__main__":
    main()
