# SPDX-License-Identifier: Apache-2.0
"""A campaign that is killed leaves nothing behind, and a rerun ends where it would have ended."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest

from tests.mutants.acceptance.conftest import WORK, Project, wait_for

PLACES: dict[str, tuple[Callable[[Project], object], tuple[str, ...]]] = {
    "as soon as it has a folder": (lambda project: (project.root / WORK).exists(), ()),
    "at its first verdict": (lambda project: project.verdicts(), ("--all-tests",)),
    "in the middle": (lambda project: len(project.verdicts()) > 8, ("--no-fork", "--sample", "30")),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.xdist_group("mutants-well_tested")
def test_a_killed_campaign_goes_on_where_it_was(
    place: str, project: Callable[[str], Project], fastest: str
) -> None:
    reached, options = PLACES[place]
    killed = project("well_tested")
    process = killed.start("run", "--sim", fastest, *options)
    wait_for(lambda: reached(killed) or process.poll() is not None, 60, "verdict")
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()

    assert killed.left_over(patience=5) == []
    kept = rows(killed)
    resumed = killed.run("--sim", fastest, *options)
    after = rows(killed)

    assert resumed.code == 0, resumed.output
    assert {key: after[key] for key in kept} == kept, "what was judged has been judged again"
    undisturbed = Project.copy("well_tested", killed.root.parent / "undisturbed")
    whole = undisturbed.run("--sim", fastest, *options)
    assert resumed.states == whole.states
    assert resumed.output.splitlines()[-1] == whole.output.splitlines()[-1]
    if place == "in the middle":
        assert 8 < len(kept) < len(after)


@pytest.mark.xdist_group("mutants-well_tested")
def test_a_second_run_has_nothing_to_do_until_something_is_edited(
    project: Callable[[str], Project], fastest: str
) -> None:
    copied = project("same_basename")
    first = copied.run("--sim", fastest, "--only-mutations")
    before = rows(copied)

    again = copied.run("--sim", fastest, "--only-mutations")
    assert (again.states, rows(copied)) == (first.states, before)

    copied.edit("bench.py", "range(8)", "range(16)")
    copied.edit("bench.py", "== value + 1", "== min(value + 1, 15)")
    edited = copied.run("--sim", fastest, "--only-mutations")
    assert set(edited.states.values()) == {"killed"}


def rows(project: Project) -> dict[str, int]:
    """The verdicts on mutants in the store: their keys, and the numbers that order them."""
    path = project.root / WORK / "store.sqlite"
    if not path.exists():
        return {}
    with closing(sqlite3.connect(path)) as store:
        if not store.execute("SELECT 1 FROM sqlite_master WHERE name = 'verdict'").fetchone():
            return {}
        return dict(store.execute("SELECT key, number FROM verdict WHERE mutant != '(controls)'"))
