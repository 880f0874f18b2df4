# SPDX-License-Identifier: Apache-2.0
"""The documentation names things that exist."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest
from cocotb_coverage.coverage import coverage_db

from tb.bench import REGISTERED
from tb.catalog import ROOT, modules
from tb.errors import ExitCode
from tb.plan import coverage_group, load
from tb.run import STANDARD

DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("tests/*.md")])
README = (ROOT / "README.md").read_text(encoding="utf-8")
ERRATA = (ROOT / "docs" / "errata.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    targets = re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8"))

    assert [each for each in targets if not (document.parent / each).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_files_that_are_named_exist(document: Path) -> None:
    named = re.findall(
        r"`((?:rtl|models|tb|tests|docs)/[\w./]+\.\w+)`", document.read_text(encoding="utf-8")
    )

    missing = [each for each in named if not (ROOT / each).exists()]
    # The example module of the README is one that the reader makes.
    assert [each for each in missing if "spare_devices" not in each] == []


def test_make_targets_that_are_named_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    text = "".join(path.read_text(encoding="utf-8") for path in DOCUMENTS)

    named = set(re.findall(r"`make ([a-z-]+)", text)) | set(re.findall(r"\$ make ([a-z]+)", text))

    assert named - targets == set()
    assert {"sim", "regress", "coverage", "test", "lint", "help", "clean"} <= named


def test_the_readme_lists_every_module_of_the_plan() -> None:
    listed = re.findall(r"^\| \[(\w+)\]\(rtl/fleet/", README, re.MULTILINE)
    planned = sorted(modules(), key=lambda module: load(module).number)

    assert listed == [module.name for module in planned if module.name in listed]
    assert len(listed) >= 10


def test_the_table_in_the_readme_shows_the_checks_tests_and_bins_there_are() -> None:
    row = r"│ (\w+) +│ (front|back) +│ +(\d+)/(\d+) │ +(\d+)/(\d+) │ +\d+ │ +(\d+)/(\d+) │"
    rows = re.findall(row, README)
    importlib.import_module(STANDARD)

    assert len(rows) >= 10
    for name, side, passed, planned, held, tests, hit, size in rows:
        (module,) = (each for each in modules() if each.name == name)
        importlib.import_module(module.bench)
        count = len(REGISTERED[STANDARD]) + len(REGISTERED[module.bench])
        assert (side, int(passed), int(planned)) == (
            load(module).side,
            len(load(module).checks),
            len(load(module).checks),
        )
        assert int(held) == int(tests) == count, name
        group = coverage_group(module)
        assert int(hit) == int(size) == coverage_db[group].size, name


def test_every_exit_code_is_in_the_readme() -> None:
    paragraph = README[README.index("`python -m tb` behind") :].split("\n\n")[0]
    listed = " ".join(paragraph.split()).partition("ends with: ")[2].rstrip(".").split(" · ")
    said = dict(each.split(" ", 1) for each in listed)

    assert said == {str(code.value): code.meaning for code in ExitCode}


def test_the_errata_list_every_defect() -> None:
    listed = re.findall(r"^\| (D\d\d) \|", ERRATA, re.MULTILINE)

    assert list(dict.fromkeys(listed)) == [f"D{number:02}" for number in range(1, 21)]


def test_every_test_that_the_errata_name_exists_in_that_bench() -> None:
    importlib.import_module(STANDARD)
    rows = re.findall(r"^\| (D\d\d) \| ([\w, ]+) \|.*\| `(\w+)` \|$", ERRATA, re.MULTILINE)

    assert len(rows) == 20
    for defect, module_names, test in rows:
        found = [name for name in REGISTERED[STANDARD] if name == test]
        for module in modules():
            if module.name in module_names:
                importlib.import_module(module.bench)
                found += [name for name in REGISTERED[module.bench] if name == test]
        assert found, f"{defect}: no test {test} in the bench of {module_names}"
