# SPDX-License-Identifier: Apache-2.0
"""Why a test failed, told from the exception that ended it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

import cocotb.types
import pytest
from cocotb.regression import SimFailure
from cocotb.triggers import SimTimeoutError

from cocotb_mutants.protocol import Kind

__all__ = ["describe", "ran_out_of_memory"]

_CHECKS = (AssertionError, pytest.fail.Exception)
_LONGEST = 16_384
_TYPES = str(Path(cocotb.types.__file__).parent)
# int("1x0", 2): how values are read that are strings, with the letters a logic value can have.
_LITERAL = re.compile(r"invalid literal for int\(\) with base 2: '[01]*[uxzwUXZW-]")
_CONVERSION = re.compile(r"it contains non-0/1 values|^Cannot convert Logic\('[^01]")


def describe(error: BaseException | None, message: str | None) -> tuple[Kind, str, str]:
    """Return kind, type and message of a failed test.

    `error` is what ended it, None if nothing did although something was expected to; `message`
    is what cocotb says about that.
    """
    if error is None:
        return "assertion", "", message or ""
    first = min(_single(error), key=_rank)
    text = str(first)
    if message:
        text = f"{message}: {text}" if text else message
    return _kind(first), type(first).__qualname__, text[:_LONGEST]


def ran_out_of_memory(error: BaseException | None) -> bool:
    """Tell whether `error` is that there is no more memory, or came of it."""
    seen: set[int] = set()
    todo = [error]
    while todo:
        each = todo.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, MemoryError):
            return True
        todo += [each.__cause__, each.__context__, *_single(each)]
    return False


def _single(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _single(each)
    else:
        yield error


def _rank(error: BaseException) -> int:
    # Of several exceptions in one test, that of a check says most.
    return ("assertion", "unresolved", "bench-timeout", "ended-early", "exception").index(
        _kind(error)
    )


def _kind(error: BaseException) -> Kind:
    if isinstance(error, _CHECKS):
        return "assertion"
    if isinstance(error, SimTimeoutError):
        return "bench-timeout"
    if isinstance(error, SimFailure):
        return "ended-early"
    if isinstance(error, ValueError) and _holds_unknown_bits(error):
        return "unresolved"
    return "exception"


def _holds_unknown_bits(error: ValueError) -> bool:
    text = str(error)
    if _LITERAL.match(text):
        return True
    # The conversion itself raises it, somewhere in cocotb's types.
    return _raised_in(error.__traceback__).startswith(_TYPES) and bool(_CONVERSION.search(text))


def _raised_in(traceback: TracebackType | None) -> str:
    file = ""
    while traceback is not None:
        file = traceback.tb_frame.f_code.co_filename
        traceback = traceback.tb_next
    return file
