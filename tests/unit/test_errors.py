# SPDX-License-Identifier: Apache-2.0
"""The errors: their tree as it is documented, and their exit codes."""

from __future__ import annotations

import re

import pytest

import tb.errors
from tb.errors import ExitCode, SuiteError


def classes() -> dict[str, type[SuiteError]]:
    return {
        name: each
        for name, each in vars(tb.errors).items()
        if isinstance(each, type) and issubclass(each, SuiteError)
    }


def drawn() -> dict[str, tuple[str, int | None]]:
    """Parent and exit code of every class that the docstring draws."""
    tree: dict[str, tuple[str, int | None]] = {}
    path: list[str] = []
    for line in (tb.errors.__doc__ or "").splitlines():
        found = re.match(r"([│├└─ ]*)([A-Z]\w+)(?: +(\d+))?(?:  |$)", line)
        if found is None:
            continue
        path[len(found[1]) // 4 :] = [found[2]]
        tree[found[2]] = (path[-2] if len(path) > 1 else "", int(found[3]) if found[3] else None)
    return tree


def test_every_exit_code_has_a_number_of_its_own() -> None:
    # An IntEnum takes a second name for a number as an alias and says nothing.
    assert len(ExitCode.__members__) == len({code.value for code in ExitCode})


def test_success_is_zero_and_nothing_else_is() -> None:
    assert [code for code in ExitCode if code == 0] == [ExitCode.OK]


def test_the_tree_in_the_docstring_names_every_class() -> None:
    assert drawn().keys() == classes().keys()


@pytest.mark.parametrize("name", [name for name in classes() if name != "SuiteError"])
def test_the_tree_in_the_docstring_shows_parent_and_exit_code(name: str) -> None:
    each = classes()[name]
    assert drawn()[name] == (each.__mro__[1].__name__, each.exit_code)


def test_every_class_is_exported() -> None:
    assert set(tb.errors.__all__) == {*classes(), "ExitCode"}


def test_the_codes_are_those_that_users_script_against() -> None:
    assert {code.name: code.value for code in ExitCode} == {
        "OK": 0,
        "CHECKS_FAILED": 1,
        "USAGE": 2,
        "TOOL_MISSING": 3,
        "BUILD_FAILED": 4,
        "BENCH_BROKEN": 5,
        "SIMULATION_DIED": 6,
        "GOAL_MISSED": 7,
        "INTERNAL": 70,
        "INTERRUPTED": 130,
    }
