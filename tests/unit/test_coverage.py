# SPDX-License-Identifier: Apache-2.0
"""Functional coverage: what each kind of point counts, and how points are named."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from cocotb_coverage.coverage import coverage_db

from models.ports import Build
from tb.agent import Cycle
from tb.catalog import Module, modules
from tb.coverage import CROSSED, Points, view_of
from tests.unit.support import plant


@pytest.fixture
def points(checkout: Path, fresh_coverage: None) -> Points:
    return Points(plant())


def view(**values: Any) -> SimpleNamespace:
    return SimpleNamespace(**values)


def hits(name: str) -> Mapping[Any, int]:
    found: Mapping[Any, int] = coverage_db[f"fleet.evp.{name}"].detailed_coverage
    return found


def test_points_live_under_chapter_and_prefix(points: Points) -> None:
    points.values("level", lambda v: v.level, [0, 1])
    assert set(coverage_db) == {"fleet", "fleet.evp", "fleet.evp.level"}


def test_values_count_each_value_in_its_bin(points: Points) -> None:
    points.values("level", lambda v: v.level, [0, 1, 7])
    sample = points.sampler()
    for level in (1, 7, 1, 3):
        sample(view(level=level))
    # 3 is no bin and counts nowhere.
    assert hits("level") == {0: 0, 1: 2, 7: 1}


def test_seen_has_one_bin_that_any_true_value_hits(points: Points) -> None:
    points.seen("both", lambda v: v.a and v.b)
    sample = points.sampler()
    for a, b in ((0, 5), (5, 0), (2, 3)):
        sample(view(a=a, b=b))
    assert hits("both") == {True: 1}


def test_the_first_rule_that_is_true_takes_the_cycle(points: Points) -> None:
    points.classes(
        "size", {"none": lambda v: v.n == 0, "small": lambda v: v.n < 10, "odd": lambda v: v.n % 2}
    )
    sample = points.sampler()
    for n in (0, 3, 11):
        sample(view(n=n))
    # 0 is small too, and 3 is odd too.
    assert hits("size") == {"none": 1, "small": 1, "odd": 1}


def test_a_cycle_that_no_rule_takes_counts_nowhere(points: Points) -> None:
    points.classes("size", {"none": lambda v: v.n == 0})
    points.sampler()(view(n=4))
    assert hits("size") == {"none": 0}


@pytest.mark.parametrize(
    ("difference", "side"),
    [
        (-255, "below"),
        (-2, "below"),
        (-1, "one below"),
        (0, "equal"),
        (1, "one above"),
        (2, "above"),
        (255, "above"),
    ],
)
def test_a_boundary_has_five_sides(points: Points, difference: int, side: str) -> None:
    points.boundary("gap", lambda v: v.gap)
    points.sampler()(view(gap=difference))
    sides = ("below", "one below", "equal", "one above", "above")
    assert hits("gap") == {each: int(each == side) for each in sides}


def crossed(points: Points, **never: Any) -> Mapping[Any, int]:
    points.values("a", lambda v: v.a, [0, 1])
    points.values("b", lambda v: v.b, ["x", "y"])
    points.cross("both", "a", "b", **never)
    points.sampler()(view(a=1, b="y"))
    return hits("both")


def test_a_cross_counts_every_combination(points: Points) -> None:
    assert crossed(points) == {(0, "x"): 0, (0, "y"): 0, (1, "x"): 0, (1, "y"): 1}


def test_a_combination_that_cannot_be_is_no_bin(points: Points) -> None:
    assert (0, "y") not in crossed(points, never=[(0, "y")])
    assert len(hits("both")) == 3


def test_none_stands_for_any_bin_in_what_cannot_be(points: Points) -> None:
    assert crossed(points, never=[(0, None)]) == {(1, "x"): 0, (1, "y"): 1}


def test_a_cross_is_remembered_with_the_points_it_crosses(points: Points) -> None:
    crossed(points)
    assert CROSSED == {"fleet.evp.both": ["fleet.evp.a", "fleet.evp.b"]}


def test_every_point_is_sampled_once_a_call(points: Points) -> None:
    points.values("a", lambda v: v.a, [0, 1])
    points.seen("b", lambda v: v.a)
    sample = points.sampler()
    for _ in range(3):
        sample(view(a=1))
    assert (hits("a"), hits("b")) == ({0: 0, 1: 3}, {True: 3})


def test_bins_may_be_given_by_a_generator(points: Points) -> None:
    points.values("level", lambda v: v.level, (level for level in range(3)))
    points.sampler()(view(level=2))
    assert hits("level") == {0: 0, 1: 0, 2: 1}


def test_a_view_has_inputs_and_the_outputs_and_counters_of_both_builds() -> None:
    cycle = Cycle(
        time_ns=0,
        rst_n=1,
        inputs={"request": 1},
        outputs={Build.CORRECT: {"granted": 0}, Build.BROKEN: {"granted": 1}},
        before={Build.CORRECT: {"count": 4}, Build.BROKEN: {"count": 5}},
        after={Build.CORRECT: {"count": 6}, Build.BROKEN: {"count": 7}},
    )
    seen = view_of(cycle)
    assert (seen.request, seen.correct.granted, seen.broken.granted) == (1, 0, 1)
    assert (seen.correct.count, seen.broken.count) == (4, 5)


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.name)
def test_no_name_in_the_coverage_of_a_module_contains_the_word_bin(module: Module) -> None:
    # cocotb-coverage takes every XML element with "bin" in its tag for a bin when it merges.
    importlib.import_module(module.bench)
    paths = [path for path in coverage_db if path.startswith(f"{Points(module).root}.")]
    assert paths
    assert [path for path in paths if "bin" in path] == []


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.name)
def test_the_names_of_points_are_xml_tags(module: Module) -> None:
    # They become elements of the exported file, which nobody could read otherwise.
    importlib.import_module(module.bench)
    for path in coverage_db:
        if path.startswith(f"{Points(module).root}."):
            assert ElementTree.fromstring(f"<{path.rpartition('.')[2]}/>") is not None
