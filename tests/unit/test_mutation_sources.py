# SPDX-License-Identifier: Apache-2.0
"""What is written for a campaign: pairs, and the RTL that the weak campaign starts from."""

from __future__ import annotations

import os
import shutil
import tomllib
from pathlib import Path

import pytest

from tb.catalog import ROOT, modules
from tb.errors import BenchBroken
from tb.mutation_sources import write_pairs, write_weak
from tb.pair import pair_source

TREE = ROOT
BASE = "sim_build/weak"
FLOORED = "rtl/fleet/failure_domain.sv"


@pytest.fixture
def project(checkout: Path) -> Path:
    """A checkout with the real hardware, plans and mutations."""
    for folder in ("rtl", "models", "tb/fleet", "tb/mutations"):
        shutil.copytree(TREE / folder, checkout / folder)
    return checkout


def aged(path: Path) -> Path:
    os.utime(path, (1, 1))
    return path


def test_every_module_has_its_pair_written(project: Path) -> None:
    write_pairs()
    written = {path.name: path.read_text() for path in (project / "sim_build/pairs").iterdir()}
    assert written == {f"{module.name}_pair.sv": pair_source(module) for module in modules()}


def test_a_file_that_says_the_same_is_left_alone(project: Path) -> None:
    write_pairs()
    write_weak()
    files = [aged(path) for path in (project / "sim_build").rglob("*") if path.is_file()]

    write_pairs()
    write_weak()

    assert len(files) > 20
    assert {path.stat().st_mtime for path in files} == {1}


def test_a_file_that_says_something_else_is_written_again(project: Path) -> None:
    write_pairs()
    pair = project / "sim_build/pairs/policy_cost_pair.sv"
    text = pair.read_text()
    aged(pair).write_text("module policy_cost_pair; endmodule")

    write_pairs()

    assert pair.read_text() == text


def test_the_base_of_the_weak_campaign_is_the_rtl_with_a_floor(project: Path) -> None:
    write_weak()
    rtl = {path: path.read_text() for path in project.glob("rtl/fleet/*.sv")}
    base = {path: (project / BASE / path.relative_to(project)).read_text() for path in rtl}

    assert [str(path.relative_to(project)) for path in rtl if base[path] != rtl[path]] == [FLOORED]
    line = "  assign survivors    = tenants_total - tenants_lost;\n"
    floor = (
        "  assign survivors    = (tenants_lost > tenants_total) ? 8'd0 : "
        "tenants_total - tenants_lost;\n"
    )
    assert base[project / FLOORED] == rtl[project / FLOORED].replace(line, floor)


def test_a_module_that_is_gone_is_not_left_in_the_base(project: Path) -> None:
    write_weak()
    (project / "rtl/fleet/policy_cost.sv").unlink()

    write_weak()

    base = {path.name for path in (project / BASE).glob("rtl/fleet/*")}
    assert base == {path.name for path in project.glob("rtl/fleet/*")}


def test_m25_of_the_weak_campaign_takes_the_floor_away_again(project: Path) -> None:
    write_weak()
    [m25] = tomllib.loads((project / BASE / "weak.toml").read_text())["mutation"]
    base = (project / m25["file"]).read_text()

    assert (m25["name"], m25["replaces"], base.count(m25["find"])) == ("M25", True, 1)
    assert base.replace(m25["find"], m25["replace"]) == (project / FLOORED).read_text()


def test_the_mutations_of_the_weak_campaign_are_the_named_ones_in_its_base(project: Path) -> None:
    write_weak()
    entries = tomllib.loads((project / BASE / "fleet.toml").read_text())["mutation"]
    named = tomllib.loads((project / "tb/mutations/fleet.toml").read_text())["mutation"]

    assert entries == [{**each, "file": f"{BASE}/{each['file']}"} for each in named]
    for each in entries:
        # M25 of that file is replaced by the one of weak.toml.
        assert (project / each["file"]).read_text().count(each["find"]) == 1 or each[
            "name"
        ] == "M25"


def test_rtl_without_the_text_is_named(project: Path) -> None:
    path = project / FLOORED
    path.write_text(path.read_text().replace("tenants_total - tenants_lost", "8'd0"))

    with pytest.raises(BenchBroken) as caught:
        write_weak()

    assert str(caught.value) == (
        f"tb/mutations/weak.toml: M25: its replacement stands 0 times in {FLOORED}: "
        "tenants_total - tenants_lost"
    )
    assert not (project / BASE).exists()


def test_rtl_that_is_not_there_is_named(project: Path) -> None:
    (project / FLOORED).unlink()
    with pytest.raises(BenchBroken, match=rf"M25: .* 0 times in {FLOORED}"):
        write_weak()
