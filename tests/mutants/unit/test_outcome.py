# SPDX-License-Identifier: Apache-2.0
"""What an exception says about why a test failed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from cocotb.regression import SimFailure
from cocotb.triggers import SimTimeoutError
from cocotb.types import Logic, LogicArray

from cocotb_mutants.inside.outcome import describe, ran_out_of_memory


def raised(action: Callable[[], object]) -> BaseException:
    try:
        action()
    except BaseException as error:
        return error
    raise AssertionError("nothing was raised")


def fails() -> None:
    pytest.fail("by hand")


def chained() -> None:
    try:
        int(Logic("X"))
    except ValueError as error:
        raise AssertionError("a check") from error


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        (fails, "assertion"),
        (chained, "assertion"),
        (lambda: int(LogicArray("1X")), "unresolved"),
        (lambda: LogicArray("Z1").to_signed(), "unresolved"),
        (lambda: bool(LogicArray("X")), "unresolved"),
        (lambda: f"{LogicArray('X1'):x}", "unresolved"),
        (lambda: int(Logic("X")), "unresolved"),
        (lambda: bool(Logic("Z")), "unresolved"),
        (lambda: int("1x0", 2), "unresolved"),
        (lambda: int("Z", 2), "unresolved"),
        (lambda: int("12", 2), "exception"),
        (lambda: int("x", 10), "exception"),
        (lambda: LogicArray(300, 8), "exception"),
        (lambda: Logic("Q"), "exception"),
        (lambda: [][0], "exception"),
    ],
)
def test_an_exception_has_a_kind(action: Callable[[], object], kind: str) -> None:
    error = raised(action)
    assert describe(error, None) == (kind, type(error).__name__, str(error))


def test_timeouts_and_ends_of_the_simulation_have_kinds_of_their_own() -> None:
    assert describe(SimTimeoutError(), None) == ("bench-timeout", "SimTimeoutError", "")
    assert describe(SimFailure("gone"), None) == ("ended-early", "SimFailure", "gone")


def test_a_pass_that_was_not_expected_is_a_failed_check() -> None:
    said = "passed but we expected a failure"
    assert describe(None, said) == ("assertion", "", said)
    assert describe(None, None) == ("assertion", "", "")


def test_what_cocotb_says_comes_first() -> None:
    assert describe(KeyError(), "errored with unexpected type")[2] == "errored with unexpected type"
    assert describe(ValueError("no"), "errored")[2] == "errored: no"


def test_of_several_exceptions_the_failed_check_is_told() -> None:
    group = BaseExceptionGroup("", [KeyError(), ExceptionGroup("", [AssertionError("a check")])])
    assert describe(group, None) == ("assertion", "AssertionError", "a check")


def test_a_long_message_is_cut() -> None:
    assert len(describe(AssertionError("x" * 10**6), None)[2]) == 16_384


def test_want_of_memory_is_found_wherever_it_hides() -> None:
    assert not ran_out_of_memory(None)
    assert not ran_out_of_memory(KeyError())
    assert ran_out_of_memory(MemoryError())
    assert ran_out_of_memory(ExceptionGroup("", [KeyError(), MemoryError()]))

    def of_it() -> None:
        try:
            raise MemoryError
        except MemoryError:
            raise KeyError("no") from None

    error = raised(of_it)
    error.__context__.__context__ = error  # type: ignore[union-attr]
    assert ran_out_of_memory(error)
