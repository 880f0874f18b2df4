# SPDX-License-Identifier: Apache-2.0
"""The bench as cocotb sees it: loaded once, and which tests there are in which order."""

from __future__ import annotations

import importlib
import os
import random
import sys
import threading
import traceback
import warnings
from pathlib import Path
from typing import Any

import _pytest
from cocotb import regression

__all__ = ["BenchError", "load", "new_threads", "tests_in_order", "threads"]


_LOADERS = (
    "<frozen",
    *(str(Path(str(m.__file__)).parent) for m in (regression, _pytest, importlib)),
    str(Path(__file__).parent),
)


class BenchError(Exception):
    """The bench cannot be loaded; the text is its own traceback."""


def load() -> Any | None:
    """Import the test modules as cocotb does, and return its regression manager.

    Returns:
        None if there is not one test in them.

    Raises:
        BenchError: importing them raised an exception.
    """
    # These two are what cocotb itself does before it loads tests.
    sys.path.insert(0, "")
    if not sys.warnoptions:
        warnings.simplefilter("default")
    try:
        regression._setup_regression_manager()
    except Exception as error:
        if isinstance(error, RuntimeError) and "No tests were discovered" in str(error):
            return None
        raise BenchError(_traceback(error)) from error
    manager: Any = regression._manager_inst
    # It would mark tests as failed that were never run.
    manager._max_failures = 0
    return manager


def tests_in_order(manager: Any) -> list[Any]:
    """Return the tests that `manager` would run, in the order in which it would run them."""
    tests = list(manager._test_queue)
    if manager._random_test_order:
        state = random.getstate()
        random.shuffle(tests)
        random.setstate(state)
    tests.sort(key=lambda test: test.stage)
    filters = manager._filters
    return [t for t in tests if not filters or any(f.search(t.fullname) for f in filters)]


def threads() -> set[str]:
    """Return the kernel's numbers of this process's threads."""
    return set(os.listdir("/proc/self/task"))  # noqa: PTH208


def new_threads(before: set[str]) -> str:
    """Say which threads were started since `before`; "" if there is none."""
    started = threads() - before
    if not started:
        return ""
    names = [t.name for t in threading.enumerate() if str(t.native_id) in started]
    by_library = len(started) - len(names)
    if by_library:
        names.append(f"{by_library} of a library")
    return f"importing the bench starts threads ({', '.join(names)}), which a fork would lose"


def _traceback(error: BaseException) -> str:
    """Return the traceback of `error`, without the frames that lead up to the bench."""
    summary = traceback.TracebackException.from_exception(error)
    theirs = [frame for frame in summary.stack if not frame.filename.startswith(_LOADERS)]
    if theirs:
        summary.stack = traceback.StackSummary.from_list(theirs)
    return "".join(summary.format())
