# SPDX-License-Identifier: Apache-2.0
"""Stimulus alone."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def sums_are_looked_at_by_nobody(dut: Any) -> None:
    for a in range(16):
        for b in range(16):
            dut.a_i.value, dut.b_i.value = a, b
            await Timer(1, "ns")
