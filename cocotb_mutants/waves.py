# SPDX-License-Identifier: Apache-2.0
"""Run the original and one mutant again and keep the waves of both, to be laid side by side."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from cocotb_mutants import schema
from cocotb_mutants.build import BuildFailed
from cocotb_mutants.config import Config
from cocotb_mutants.errors import MutantsError, UsageError
from cocotb_mutants.lab import RealLab
from cocotb_mutants.mutant import Mutant
from cocotb_mutants.population import Member, Population
from cocotb_mutants.protocol import Job, Limits
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
        UsageError: the mutant has no verdict in any target, or does not build.
        MutantsError: a run recorded nothing.
    """
    member, test = _where(population, verdicts)
    lab = RealLab(config)
    folder = config.root / config.work_dir / "waves" / mutant.name
    files = []
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
            limits=Limits(wall_s=config.wall_limit or 600.0),
        )
        with lab.simulation(member, build, alone=True, waves=path) as simulation:
            list(simulation.run([job], 1))
        if not path.is_file():
            raise MutantsError(f"{config.simulator} recorded no waves of the {name}")
        files.append(path)
    return files[0], files[1]


def _where(population: Population, verdicts: Mapping[str, Verdict]) -> tuple[Member, str]:
    """Return the target that killed it, or any that has it, and the killing test or nothing."""
    names = sorted(verdicts, key=lambda name: not verdicts[name].test)
    for name in names:
        for member in population.members:
            if member.target.name == name:
                return member, verdicts[name].test
    raise UsageError("its targets are no longer in the configuration", hint="run a campaign")
