# SPDX-License-Identifier: Apache-2.0
"""The UCIS file, read back with pyucis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from ucis.report.coverage_report_builder import CoverageReportBuilder
from ucis.xml.xml_factory import XmlFactory

from tb.catalog import Module, find
from tb.ucis_export import export_ucis
from tests.unit.support import write

EVICTION, ADMISSION = find("eviction_policy"), find("tenant_admission")

MERGED = """\
<top abs_name="top" size="8" coverage="5">
  <fleet abs_name="top.fleet" size="8" coverage="5">
    <evp abs_name="top.fleet.evp" size="6" coverage="4">
      <level abs_name="top.fleet.evp.level" size="2" coverage="1" weight="1" at_least="1">
        <bin0 bin="0" hits="4" abs_name="top.fleet.evp.level.bin0" />
        <bin1 bin="one &lt; two" hits="0" abs_name="top.fleet.evp.level.bin1" />
      </level>
      <often abs_name="top.fleet.evp.often" size="2" coverage="2" weight="1" at_least="3">
        <bin0 bin="True" hits="3" abs_name="top.fleet.evp.often.bin0" />
        <bin1 bin="False" hits="1000" abs_name="top.fleet.evp.often.bin1" />
      </often>
      <both abs_name="top.fleet.evp.both" size="2" coverage="1" weight="1" at_least="1">
        <bin0 bin="(0, True)" hits="7" abs_name="top.fleet.evp.both.bin0" />
        <bin1 bin="(0, False)" hits="0" abs_name="top.fleet.evp.both.bin1" />
      </both>
    </evp>
    <adm abs_name="top.fleet.adm" size="2" coverage="1">
      <level abs_name="top.fleet.adm.level" size="2" coverage="1" weight="1" at_least="1">
        <bin0 bin="a" hits="5" abs_name="top.fleet.adm.level.bin0" />
        <bin1 bin="b" hits="6" abs_name="top.fleet.adm.level.bin1" />
      </level>
    </adm>
  </fleet>
</top>
"""

CROSSED = {"fleet.evp.both": ["fleet.evp.level", "fleet.evp.often"]}

Bins = Mapping[str, int]


@dataclass(frozen=True)
class Group:
    points: dict[str, Bins]
    crosses: dict[str, Bins]


def read(file: Path) -> dict[str, Group]:
    report = CoverageReportBuilder.build(XmlFactory.read(str(file)))

    def bins(items: list[Any]) -> dict[str, Bins]:
        return {item.name: {each.name: each.count for each in item.bins} for item in items}

    return {
        group.name: Group(bins(group.coverpoints), bins(group.crosses))
        for group in report.covergroups
    }


@pytest.fixture
def merged(tmp_path: Path) -> Path:
    return write(tmp_path / "functional.xml", MERGED)


def exported(merged: Path, *modules: Module) -> Path:
    target = merged.with_name("functional.ucis.xml")
    export_ucis(merged, modules, CROSSED, target)
    return target


def test_every_count_comes_back(merged: Path) -> None:
    assert read(exported(merged, EVICTION, ADMISSION)) == {
        "fleet.evp": Group(
            points={"level": {"0": 4, "one < two": 0}, "often": {"True": 3, "False": 1000}},
            crosses={"both": {"(0, True)": 7, "(0, False)": 0}},
        ),
        "fleet.adm": Group(points={"level": {"a": 5, "b": 6}}, crosses={}),
    }


def test_a_cross_names_its_points_in_their_order(merged: Path) -> None:
    text = exported(merged, EVICTION).read_text()
    assert text.index("<crossExpr>level</crossExpr>") < text.index("<crossExpr>often</crossExpr>")


def test_the_hits_that_a_bin_needs_are_kept(merged: Path) -> None:
    often = exported(merged, EVICTION).read_text().partition('<coverpoint name="often"')[2]
    assert 'at_least="3"' in often.partition("<coverpointBin")[0]


def test_a_module_that_was_not_run_is_left_out(merged: Path) -> None:
    assert read(exported(merged, ADMISSION)).keys() == {"fleet.adm"}


def test_a_module_without_any_coverage_is_left_out(merged: Path) -> None:
    assert read(exported(merged, find("policy_cost"), ADMISSION)).keys() == {"fleet.adm"}


def test_a_module_that_ran_twice_stands_there_once(merged: Path) -> None:
    text = exported(merged, ADMISSION, ADMISSION).read_text()
    assert text.count("<cgInstance ") == 1


def test_each_group_points_to_the_rtl_of_its_module(merged: Path) -> None:
    text = exported(merged, EVICTION).read_text()
    assert 'fileName="rtl/fleet/eviction_policy.sv"' in text
    assert 'name="eviction_policy"' in text
    assert 'moduleName="fleet.eviction_policy"' in text


def test_the_history_says_that_this_is_a_regression_that_passed(merged: Path) -> None:
    text = exported(merged, EVICTION).read_text()
    assert 'logicalName="regression" physicalName="functional.ucis.xml"' in text
    assert 'testStatus="true"' in text
