# SPDX-License-Identifier: Apache-2.0
"""The key under which a verdict is kept: a digest of everything that can change it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping

from cocotb_mutants.config import Config, Target
from cocotb_mutants.verdict import Detection

__all__ = ["FORMAT", "bench_digest", "digest", "manifest_key", "run_settings", "verdict_key"]

FORMAT = 1
"""Goes up when verdicts of an older version of this package must not be believed any more."""


def digest(parts: Iterable[str | bytes]) -> str:
    """Return the SHA-256 of `parts`, in which `["ab"]` and `["a", "b"]` differ."""
    total = hashlib.sha256()
    for part in parts:
        text = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        total.update(len(text).to_bytes(8, "little"))
        total.update(text)
    return total.hexdigest()


def bench_digest(contents: Mapping[str, bytes | None]) -> str:
    """Return a digest of the bench: the files that it opened, by name, None for one that is gone.

    Their order does not count.
    """
    parts: list[str | bytes] = []
    for name in sorted(contents):
        text = contents[name]
        parts += [name, "gone" if text is None else "here", text or b""]
    return digest(parts)


def run_settings(config: Config, target: Target, detected: Collection[Detection]) -> str:
    """Return the settings that a verdict depends on, as text.

    `detected` belongs to it, since `judge` reads it; `timeout` in it does not, since only the
    score reads that. A verdict is kept rather than the facts it was judged by: a campaign with
    another `detected` runs anew, which costs less than keeping every run's facts.

    Left out on purpose: what must not change a verdict (jobs, work folder, report, sample,
    operators, `run-all`, how the mutants are built and run), the target's name, so that a new
    name does not run anything, and paths that only lead to files whose contents count anyhow.
    """
    return json.dumps(
        {
            "top": target.top,
            "parameters": {**target.parameters},
            "defines": {**target.defines},
            "timescale": target.timescale,
            "test modules": target.test_modules,
            "test filter": target.test_filter,
            "build arguments": target.build_args,
            "test arguments": target.test_args,
            "plusargs": target.plusargs,
            "environment": {**target.env},
            "simulator": config.simulator,
            "seed": config.seed,
            "all tests": config.all_tests,
            "detected": sorted(set(detected) - {"timeout"}),
            "timeout factor": config.timeout_factor,
            "limits": [
                config.cpu_limit,
                config.wall_limit,
                config.sim_time_limit,
                config.memory_limit,
                config.output_limit,
            ],
        },
        sort_keys=True,
    )


def manifest_key(target: Target, config: Config) -> str:
    """Return the key of the list of files that the bench of `target` opens."""
    return digest(["manifest", run_settings(config, target, ())])


def verdict_key(
    *, design: str, mutant: str, bench: str, settings: str, tools: Mapping[str, str]
) -> str:
    """Return the key of a verdict.

    `design` and `mutant` are digests of the original and of what is changed in it, `bench` that
    of the bench's files; `tools` are the versions of the simulator, cocotb and Python.
    """
    versions = json.dumps({**tools}, sort_keys=True)
    return digest([f"verdict {FORMAT}", design, mutant, bench, settings, versions])
