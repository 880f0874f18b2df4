# SPDX-License-Identifier: Apache-2.0
"""A simulator that refuses the build of all mutants: who has to leave it, and who stays."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cocotb_mutants import versions
from cocotb_mutants.build import Problem
from cocotb_mutants.errors import BaselineFailed
from cocotb_mutants.target_run import TargetRun
from tests.mutants.unit.fakelab import (
    FakeLab,
    campaign,
    killed,
    prepared,
    states,
    write_project,
)

SELECTED = b"cocotb_mutants_select"
NOWHERE = (Problem("", 0, "an internal error"),)
Refuse = Callable[[bytes], tuple[Problem, ...] | None]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(versions, "of", lambda simulator: {"tool": "1"})
    return write_project(tmp_path)


def in_schema(*pieces: bytes) -> Refuse:
    """Refuse a schema that holds one of the pieces, and say nothing of a place."""

    def refuse(text: bytes) -> tuple[Problem, ...] | None:
        return NOWHERE if SELECTED in text and any(each in text for each in pieces) else None

    return refuse


def on_its_line(seen: Path) -> Refuse:
    """Refuse a schema that holds one mutant, and name its line."""

    def refuse(text: bytes) -> tuple[Problem, ...] | None:
        if SELECTED not in text or b"a || b" not in text:
            return None
        seen.write_bytes(text)
        line = text[: text.index(b"a || b")].count(b"\n") + 1
        return (Problem(str(seen), line, "no such operator"),)

    return refuse


def test_the_mutant_on_the_line_that_is_named_leaves(project: Path) -> None:
    lab = FakeLab(killed, refuse=on_its_line(project / "seen.sv"))

    results, run = campaign(project, lab)

    reasons = run.controls["gate"].apart
    assert "refused in the schema: no such operator" in reasons.values()
    assert [kind for kind, _ in lab.builds].count("schema") == 2
    assert states(results) == {"killed": len(results.outcomes)}


@pytest.mark.parametrize("pieces", [(b"a || b",), (b"a & b",), (b"a || b", b"a & b")])
def test_without_a_line_they_are_found_by_halves(project: Path, pieces: tuple[bytes, ...]) -> None:
    lab = FakeLab(killed, refuse=in_schema(*pieces))

    results, run = campaign(project, lab)

    refused = [each for each in run.controls["gate"].apart.values() if "internal error" in each]
    assert len(refused) == len(pieces)
    assert run.controls["gate"].in_schema == len(results.outcomes) - len(pieces)
    assert states(results) == {"killed": len(results.outcomes)}


def test_a_schema_that_is_refused_as_such_is_given_up_at_once(project: Path) -> None:
    lab = FakeLab(killed, refuse=in_schema(b""))

    results, run = campaign(project, lab)

    assert len(run.controls["gate"].apart) == len(results.outcomes)
    assert len([kind for kind, _ in lab.builds if kind == "schema"]) < len(results.outcomes)
    assert states(results) == {"killed": len(results.outcomes)}


def test_no_mutant_is_blamed_for_an_original_that_does_not_build(project: Path) -> None:
    lab = FakeLab(refuse=lambda _: NOWHERE)

    with pytest.raises(BaselineFailed, match="the original does not build"):
        campaign(project, lab, jobs=1)

    assert [kind for kind, _ in lab.builds].count("schema") == 1


def test_a_campaign_that_ends_does_not_wait_for_the_search(project: Path) -> None:
    config, population = prepared(project)
    (member,) = population.members

    def refuse(text: bytes) -> tuple[Problem, ...] | None:
        run._closed = True
        return on_its_line(project / "seen.sv")(text)

    lab = FakeLab(refuse=refuse)
    with ThreadPoolExecutor(1) as pool:
        run = TargetRun(config, member, population.of(member), lab, pool, lab.said.append)
        run.start()

    assert [kind for kind, _ in lab.builds].count("schema") == 1


def test_a_build_that_fails_without_a_word_names_its_log(project: Path) -> None:
    lab = FakeLab(refuse=lambda text: () if SELECTED in text and b"a || b" in text else None)

    _, run = campaign(project, lab)

    assert "refused in the schema: the build failed" in run.controls["gate"].apart.values()


def test_a_mutant_that_fails_without_a_word_names_its_log(project: Path) -> None:
    lab = FakeLab(refuse=lambda text: () if b"a || b" in text and SELECTED not in text else None)

    results, _ = campaign(project, lab, schema=False)

    (refused,) = (each for each in results.outcomes if each.verdict.state == "compile error")
    assert refused.verdict.reason == "the build failed, see build.log"
