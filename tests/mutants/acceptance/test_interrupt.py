# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C and SIGTERM end a campaign and everything it started, at once."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable

import pytest

from tests.mutants.acceptance.conftest import Project, at_work


@pytest.mark.parametrize("options", [(), ("--no-fork",), ("--no-schema",)])
@pytest.mark.parametrize("who", ["the terminal", "kill"])
def test_an_interrupt_ends_everything_at_once_and_keeps_what_is_known(
    who: str, options: tuple[str, ...], project: Callable[[str], Project], fastest: str
) -> None:
    copied = project("hangs_in_simulated_time")
    with at_work(copied, fastest, *options) as process:
        before = time.monotonic()
        if who == "the terminal":
            os.killpg(process.pid, signal.SIGINT)
        else:
            process.terminate()
        output, _ = process.communicate(timeout=10)

        assert time.monotonic() - before < 2
        assert copied.left_over(patience=2) == []
        assert process.returncode == 130, output
        assert "Traceback" not in output
        assert "interrupted" in output.lower()
    assert list(copied.verdicts().values()) == ["killed"]
