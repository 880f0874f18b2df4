# SPDX-License-Identifier: Apache-2.0
"""Runs a command as a process group that can be ended as one."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from pathlib import Path

__all__ = ["end_all", "run"]

_running: set[int] = set()
_guard = threading.Lock()


def run(
    command: list[str], *, cwd: Path, env: dict[str, str], log: Path, seconds: float
) -> int | None:
    """Run *command* with its output in *log*; its exit code, or None when *seconds* ran out.

    Whatever the command started is gone when this returns.
    """
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    with _guard:
        _running.add(process.pid)
    try:
        return process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        with _guard:
            _running.discard(process.pid)
        _end(process.pid)
        process.wait()


def end_all() -> None:
    """End everything that is running, as on Ctrl-C."""
    with _guard:
        for pid in _running:
            _end(pid)


def _end(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return
