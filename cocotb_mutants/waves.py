# SPDX-License-Identifier: Apache-2.0
"""Run the original and one mutant again and keep the waves of both, to be laid side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from cocotb_mutants import schema
from cocotb_mutants.build import BuildFailed
from cocotb_mutants.config import Config
from cocotb_mutants.errors import MutantsError, UsageError
from cocotb_mutants.lab import RealLab
from cocotb_mutants.limits import golden_limits, mutant_limits
from cocotb_mutants.mutant import Mutant
from cocotb_mutants.population import Member, Population
from cocotb_mutants.protocol import Job
from cocotb_mutants.verdict import Verdict

__all__ = ["record"]

_NUMBER = 1


def record(
    config: Config, population: Population, mutant: Mutant, verdicts: Mapping[str, Verdict]
) -> tuple[Path, Path]:
    """Record the test that killed `mutant`, or all tests if none did, on original and mutant.

    Returns:
        The files of the original and of the mutant, in the work folder, as FST or VCD.

    Raises:
        UsageError: the mutant does not build.
        MutantsError: a run recorded nothing.
    """
    member, test = _where(population, mutant, verdicts)
    lab = RealLab(config)
    folder = config.root / config.work_dir / "waves" / mutant.name
    files = []
    limits = golden_limits(config)
    for name, texts, number in (
        ("original", {}, 0),
        ("mutant", schema.patched(member.design, mutant), _NUMBER),
    ):
        try:
            build = lab.build_with_waves(member, texts, schema.select_package(number))
        except BuildFailed as failure:
            raise UsageError(f"{mutant.name} does not build: {failure}") from None
        path = folder / f"{name}.{build.waves}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        job = Job(
            number=number,
            selector=number,
            tests=(test,) if test else None,
            stop_at_first=False,
            # Waves are large, and there is one run, not thousands.
            limits=replace(limits, output_bytes=None),
        )
        with lab.simulation(member, build, alone=True, waves=path) as simulation:
            (report,) = simulation.run([job], 1)
        limits = mutant_limits(config, report, patience=3)
        if not path.is_file():
            raise MutantsError(f"{config.simulator} recorded no waves of the {name}")
        files.append(path)
    return files[0], files[1]


def _where(
    population: Population, mutant: Mutant, verdicts: Mapping[str, Verdict]
) -> tuple[Member, str]:
    """Return the target that killed it, or any that has it, and the killing test or nothing."""
    having = [
        member
        for member in population.members
        if mutant in (*member.found.mutants, *(each for each, _ in member.found.ignored))
    ]
    killed = {name: verdict.test for name, verdict in verdicts.items() if verdict.test}
    # The order of targets decides between equals: `min` takes the first.
    member = min(having, key=lambda each: each.target.name not in killed)
    return member, killed.get(member.target.name, "")
