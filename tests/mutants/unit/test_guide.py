# SPDX-License-Identifier: Apache-2.0
"""The guide says what the code does: its keys, defaults, exit codes, names and counts."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from pathlib import Path

import pytest

from cocotb_mutants.cli import cli
from cocotb_mutants.config import load
from cocotb_mutants.errors import ExitCode
from cocotb_mutants.population import populate
from cocotb_mutants.settings import FileKeys, TableKeys

ROOT = Path(__file__).parents[3]
GUIDE = (ROOT / "docs" / "mutants.md").read_text(encoding="utf-8")
PROJECT = ROOT / "tests" / "mutants" / "projects" / "well_tested"
ROW = re.compile(r"^\| (.*) \|$", re.MULTILINE)


def rows(heading: str) -> list[list[str]]:
    """The cells of the table below a heading, its own heading left out."""
    part = GUIDE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return [row.split(" | ") for row in ROW.findall(part)[1:]]


def keys() -> dict[str, object]:
    fields = [f for each in (FileKeys, TableKeys) for f in dataclasses.fields(each)]
    return {
        f.name.replace("_", "-"): f.default
        if f.default_factory is dataclasses.MISSING
        else f.default_factory()
        for f in fields
    }


def test_the_table_of_keys_is_complete() -> None:
    documented = [key for row in rows("All keys") for key in re.findall(r"`([a-z-]+)`", row[0])]

    assert sorted(documented) == sorted(keys())


def test_the_defaults_are_those_of_the_code() -> None:
    said = {row[0].strip("`"): row[2].strip('`"') for row in rows("All keys")}
    plain = {key: value for key, value in keys().items() if key in said}
    told = {
        key: str(value).lower() if isinstance(value, bool) else f"{value:g}"
        for key, value in plain.items()
        if isinstance(value, int | float) and (value or isinstance(value, bool))
    }

    assert told.keys() == {"seed", "schema", "run-all", "all-tests", "explain", "timeout-factor"}
    assert {key: said[key] for key in told} == told
    assert (said["fork"], said["work-dir"]) == (keys()["fork"], keys()["work-dir"])


def test_the_exit_codes_are_those_of_the_code() -> None:
    assert rows("In CI") == [[str(int(code)), code.meaning] for code in ExitCode]


@pytest.mark.parametrize("page", sorted(set(re.findall(r"\]\(([a-z.]+)\)", GUIDE))))
def test_every_page_it_points_to_is_there(page: str) -> None:
    assert (ROOT / "docs" / page).is_file()


def test_it_points_to_the_operators_and_the_verdicts() -> None:
    assert "](operators.md)" in GUIDE
    assert "](verdicts.md)" in GUIDE


def test_every_option_and_command_in_it_exists() -> None:
    commands = cli.commands
    options = {o for each in commands.values() for p in each.params for o in p.opts}
    used = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", GUIDE))

    assert used - options == {"--version", "--help"} & used
    assert set(re.findall(r"cocotb-mutants ([a-z]+)", GUIDE)) <= commands.keys() | {"in"}


def test_the_mutants_that_it_shows_are_those_of_the_project() -> None:
    everything = populate(load(PROJECT / "pyproject.toml", {"simulator": "icarus"}).expand())
    found = [name for name, each in everything.mutants.items() if each.operator != "hand-written"]

    assert set(re.findall(r"saturate\.\w+\.\w+-[0-9a-f]{6}", GUIDE)) <= set(found)
    assert {int(count) for count in re.findall(r"(\d+) mutants[ :]", GUIDE)} == {len(found)}


def test_its_toml_can_be_read() -> None:
    for text in re.findall(r"```toml\n(.*?)```", GUIDE, re.DOTALL):
        assert tomllib.loads(text)
