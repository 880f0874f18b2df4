# SPDX-License-Identifier: Apache-2.0
"""Two campaigns never work in one folder."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

from tests.mutants.acceptance.conftest import Project, at_work


def test_a_second_campaign_in_a_folder_waits_for_nobody_and_harms_nobody(
    project: Callable[[str], Project], fastest: str
) -> None:
    copied = project("hangs_in_simulated_time")
    with at_work(copied, fastest) as first:
        second = copied.start("run", "--sim", fastest, "--only-mutations")
        output, _ = second.communicate(timeout=30)

        assert second.returncode == 9, output
        assert f"process {first.pid}" in output
        assert "Traceback" not in output
        assert first.poll() is None
        assert list(copied.verdicts().values()) == ["killed"]


def test_a_lock_dies_with_its_campaign(project: Callable[[str], Project], fastest: str) -> None:
    copied = project("hangs_in_simulated_time")
    with at_work(copied, fastest) as first:
        os.kill(first.pid, signal.SIGKILL)
        first.communicate()

    run = copied.run("--sim", fastest, "--only-mutations")

    assert run.code == 0, run.output
    assert sorted(run.states.values()) == ["killed", "timeout", "timeout", "timeout"]
