# SPDX-License-Identifier: Apache-2.0
"""Every pair of operands."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def small_sums_are_exact(dut: Any) -> None:
    for a in range(16):
        for b in range(16 - a):
            dut.a_i.value, dut.b_i.value = a, b
            await Timer(1, "ns")
            assert (int(dut.sum_o.value), int(dut.full_o.value)) == (a + b, 0)


@cocotb.test()
async def large_sums_stop_at_the_largest(dut: Any) -> None:
    for a in range(16):
        for b in range(16 - a, 16):
            dut.a_i.value, dut.b_i.value = a, b
            await Timer(1, "ns")
            assert (int(dut.sum_o.value), int(dut.full_o.value)) == (15, 1)
