# SPDX-License-Identifier: Apache-2.0
"""Stands for a bench with native code that does not survive a wrong value."""

from __future__ import annotations

import os
import signal
from typing import Any

import cocotb
from cocotb.triggers import Timer


def native_code(value: int) -> int:
    """Halve an even number below 64; anything else ends the process."""
    if value % 2:
        os.kill(os.getpid(), signal.SIGSEGV)
    if value >= 128:
        os._exit(7)
    if value >= 64:
        os._exit(0)
    return value // 2


@cocotb.test()
async def doubles_are_exact(dut: Any) -> None:
    for value in range(20):
        dut.value_i.value = value
        await Timer(1, "ns")
        assert native_code(int(dut.double_o.value)) == value
