# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of the configuration: the least that one holds, and how it is read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cocotb_mutants.config import Config, load
from cocotb_mutants.errors import UsageError

LEAST = 'sources = ["rtl/*.sv"]\ntop = "counter"\ntest-modules = ["test_counter"]\n'
Write = Callable[..., Path]


def expanded(path: Path, **overrides: object) -> Config:
    return load(path, overrides).expand()


def complaint(path: Path, **overrides: object) -> str:
    with pytest.raises(UsageError) as caught:
        expanded(path, **overrides)
    return caught.value.message
