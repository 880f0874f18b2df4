# SPDX-License-Identifier: Apache-2.0
"""The errors: their tree as it is documented, and their exit codes."""

from __future__ import annotations

import pickle
import re

import pytest

import cocotb_mutants.errors
from cocotb_mutants.errors import ExitCode, MutantsError


def classes() -> dict[str, type[MutantsError]]:
    return {
        name: each
        for name, each in vars(cocotb_mutants.errors).items()
        if isinstance(each, type) and issubclass(each, MutantsError)
    }


def drawn() -> dict[str, int]:
    text = cocotb_mutants.errors.__doc__ or ""
    return {name: int(code) for name, code in re.findall(r"([A-Z]\w+) +(\d+)  ", text)}


def test_the_tree_in_the_docstring_names_every_class_with_its_code() -> None:
    assert drawn() == {name: each.code for name, each in classes().items()}


def test_every_class_is_exported() -> None:
    assert set(cocotb_mutants.errors.__all__) == {*classes(), "ExitCode"}


def test_every_code_has_a_meaning_of_its_own() -> None:
    assert len({code.meaning for code in ExitCode}) == len(ExitCode.__members__)


def test_the_codes_are_those_that_users_script_against() -> None:
    assert {code.name: code.value for code in ExitCode} == {
        "OK": 0,
        "SCORE_BELOW": 1,
        "USAGE": 2,
        "TOOL_MISSING": 3,
        "SOURCE_ERROR": 4,
        "BASELINE_FAILED": 5,
        "NO_TESTS": 6,
        "NO_MUTANTS": 7,
        "CONTROL_FAILED": 8,
        "STORE_LOCKED": 9,
        "BENCH_BLIND": 10,
        "INTERNAL": 70,
        "INTERRUPTED": 130,
    }


@pytest.mark.parametrize("each", [*classes().values()], ids=lambda each: each.__name__)
def test_an_error_keeps_its_message_and_hint_on_its_way_through_another_process(
    each: type[MutantsError],
) -> None:
    error = pickle.loads(pickle.dumps(each("it broke", hint="mend it")))

    assert type(error) is each
    assert (str(error), error.message, error.hint) == ("it broke", "it broke", "mend it")
