# SPDX-License-Identifier: Apache-2.0
"""Finding modules: one word in three trees."""

from __future__ import annotations

from pathlib import Path

import pytest

from tb.catalog import Module, find, modules
from tb.errors import UnknownModule
from tests.unit.support import write

every_module = pytest.mark.parametrize("module", modules(), ids=lambda module: module.name)


def test_the_ten_modules_of_the_fleet_are_found() -> None:
    assert {module.name for module in modules() if module.chapter == "fleet"} >= {
        "bandwidth_share",
        "eviction_policy",
        "failure_domain",
        "fair_scheduler",
        "multi_tenant_model",
        "oversubscription",
        "policy_cost",
        "rebind_sequence",
        "tenant_admission",
        "tenant_attribution",
    }


@every_module
def test_a_module_has_all_four_of_its_files(module: Module) -> None:
    assert module.missing() == []


@every_module
def test_a_module_is_found_by_its_name(module: Module) -> None:
    assert find(module.name) == module


def test_no_two_chapters_have_a_module_of_the_same_name() -> None:
    # Runs, builds and commands know a module by its name alone.
    names = [module.name for module in modules()]
    assert len(set(names)) == len(names)


def test_the_files_of_a_module_lie_in_its_chapter(checkout: Path) -> None:
    module = Module("qos", "shaper")
    assert module.rtl == checkout / "rtl/qos/shaper.sv"
    assert module.model_file == checkout / "models/qos/shaper.py"
    assert module.bench_file == checkout / "tb/qos/test_shaper.py"
    assert module.plan_file == checkout / "tb/qos/shaper.toml"
    assert (module.bench, module.top) == ("tb.qos.test_shaper", "shaper_pair")


def test_the_model_is_that_of_the_module() -> None:
    assert Module("fleet", "policy_cost").model().__name__ == "models.fleet.policy_cost"


@pytest.mark.parametrize(
    "file", ["rtl/qos/shaper.sv", "models/qos/shaper.py", "tb/qos/test_shaper.py"]
)
def test_one_file_in_any_tree_makes_a_module_known(checkout: Path, file: str) -> None:
    write(checkout / file, "")
    assert modules() == (Module("qos", "shaper"),)


@pytest.mark.parametrize(
    "file",
    [
        "models/qos/__init__.py",  # makes the chapter a package
        "models/ports.py",  # shared by all chapters
        "tb/bench.py",  # shared by all benches
        "tb/qos/helper.py",  # no bench: its name does not begin with test_
        "tests/qos/test_shaper.py",  # not one of the three trees
    ],
)
def test_other_files_are_no_modules(checkout: Path, file: str) -> None:
    write(checkout / file, "")
    assert modules() == ()


def test_modules_stand_in_order_of_chapter_and_name(checkout: Path) -> None:
    for name in ("rtl/qos/b.sv", "tb/qos/test_a.py", "models/fleet/c.py"):
        write(checkout / name, "")
    assert [(module.chapter, module.name) for module in modules()] == [
        ("fleet", "c"),
        ("qos", "a"),
        ("qos", "b"),
    ]


def test_missing_files_are_named(checkout: Path) -> None:
    module = Module("qos", "shaper")
    write(module.rtl, "")
    write(module.plan_file, "")
    assert module.missing() == [module.model_file, module.bench_file]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        # a letter is missing
        (
            "evicton_policy",
            r"there is no module 'evicton_policy': did you mean eviction_policy\b",
        ),
        # only one half of the name
        ("fair_schedule", r"there is no module 'fair_schedule': did you mean fair_scheduler\?"),
        # resembles nothing, so all are named
        ("xyzzy", r"there is no module 'xyzzy': known are bandwidth_share, eviction_policy, "),
        # no name at all
        ("", r"there is no module '': known are "),
        # a path instead of a name
        ("rtl/fleet/x.sv", r"there is no module 'rtl/fleet/x\.sv': "),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest_ones(name: str, message: str) -> None:
    with pytest.raises(UnknownModule, match=message):
        find(name)


def test_several_near_names_are_offered(checkout: Path) -> None:
    for name in ("shaper_a", "shaper_b", "unrelated"):
        write(checkout / f"rtl/qos/{name}.sv", "")
    with pytest.raises(UnknownModule, match=r"did you mean shaper_\w or shaper_\w\?$"):
        find("shaper")
