# SPDX-License-Identifier: Apache-2.0
"""Limits that the kernel keeps: each ends the process by a signal of its own, or by an error."""

from __future__ import annotations

import resource
import signal
from pathlib import Path

from cocotb_mutants.protocol import Limits

__all__ = ["impose", "lift_memory_limit"]

# A run writes records of itself too, and they are to fit whatever the limit is.
_RECORDS = 1 << 20


def impose(limits: Limits) -> None:
    """Put this process under `limits` of processor time, memory and output.

    The signals have their default action, which no bench and no simulator can delay: a loop in
    the simulator's own code never comes back to Python.
    """
    if limits.cpu_s is not None:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, limits.cpu_s)
    if limits.output_bytes is not None:
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        _limit(resource.RLIMIT_FSIZE, max(limits.output_bytes, _RECORDS))
    if limits.memory_bytes is not None:
        _limit(resource.RLIMIT_AS, _mapped() + limits.memory_bytes)


def lift_memory_limit() -> None:
    """Take the limit of memory away, so that there is room to report that it was reached."""
    _limit(resource.RLIMIT_AS, resource.RLIM_INFINITY)


def _limit(which: int, size: int) -> None:
    hard = resource.getrlimit(which)[1]
    resource.setrlimit(which, (size if hard == resource.RLIM_INFINITY else min(size, hard), hard))


def _mapped() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()
