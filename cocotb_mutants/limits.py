# SPDX-License-Identifier: Apache-2.0
"""How long, how large and how loud a run may be: limits from the golden run, or from the user."""

from __future__ import annotations

from cocotb_mutants.config import Config
from cocotb_mutants.protocol import Limits, RunReport

__all__ = ["confirm", "golden_limits", "mutant_limits"]

MIB = 1 << 20
OUTPUT = 64 * MIB
MEMORY = 1024 * MIB


def golden_limits(config: Config) -> Limits:
    """Return the limits of runs of the original: only those that the user set himself."""
    return Limits(
        cpu_s=config.cpu_limit,
        wall_s=config.wall_limit,
        sim_steps=config.sim_time_limit,
        memory_bytes=_bytes(config.memory_limit),
        output_bytes=_bytes(config.output_limit),
    )


def mutant_limits(config: Config, golden: RunReport, patience: int = 1) -> Limits:
    """Return the limits of a mutant's run.

    Processor time: `timeout_factor` times the golden run's, and a second for what is the same in
    every run. Simulated time: `timeout_factor` times its end. Wall time is there for runs that
    sleep, and the machine may be busy: three times the processor limit, and five seconds.
    Memory: the golden run's largest, and a GiB. Output: 64 MiB. What the user set is taken
    instead. `patience` multiplies processor and wall time.
    """
    cpu_s = config.cpu_limit or config.timeout_factor * golden.cpu_s + 1.0
    return Limits(
        cpu_s=cpu_s * patience,
        wall_s=(config.wall_limit or 3 * cpu_s + 5.0) * patience,
        sim_steps=config.sim_time_limit or int(config.timeout_factor * golden.sim_end) + 1,
        memory_bytes=_bytes(config.memory_limit) or golden.max_rss + MEMORY,
        output_bytes=_bytes(config.output_limit) or OUTPUT,
    )


def confirm(config: Config) -> bool:
    """Tell whether a run that reached the wall limit is run again, alone and with more time.

    A limit that the user chose is final.
    """
    return config.wall_limit is None


def _bytes(mebibytes: float | None) -> int | None:
    return None if mebibytes is None else int(mebibytes * MIB)
