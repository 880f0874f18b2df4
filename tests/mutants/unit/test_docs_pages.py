# SPDX-License-Identifier: Apache-2.0
"""The pages that are made from the code are those in `docs/`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cocotb_mutants import verdicts_page
from cocotb_mutants.docs import PAGES, main, page
from cocotb_mutants.errors import ExitCode
from cocotb_mutants.verdict import DETECTIONS, State

DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_the_one_that_the_code_makes(name: str) -> None:
    assert (DOCS / f"{name}.md").read_text(encoding="utf-8") == page(name)


def test_the_page_of_verdicts_has_every_state_detection_and_exit_code() -> None:
    text = page("verdicts")

    for state in State:
        assert f"| **{state}** | {state.published} |" in text
    for way in DETECTIONS:
        assert f"| `{way}` |" in text
    for code in ExitCode:
        assert f"| {int(code)} | {code.meaning} |" in text


def test_the_tables_say_no_more_than_there_is() -> None:
    assert set(verdicts_page._NOT) == set(State)
    assert set(verdicts_page._WAYS) == set(DETECTIONS)
    assert set(verdicts_page._COUNTS) == {state.published for state in State}


def test_a_page_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verdicts"]) == 0
    assert capsys.readouterr().out == page("verdicts")


@pytest.mark.parametrize("arguments", [[], ["nothing"], ["verdicts", "operators"]], ids=str)
def test_an_unknown_page_is_told_which_there_are(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert "operators|verdicts" in capsys.readouterr().err


def test_the_module_is_a_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cocotb_mutants.docs", "verdicts"],
        capture_output=True,
        text=True,
        check=True,
        cwd=DOCS.parent,
    )

    assert done.stdout == page("verdicts")
