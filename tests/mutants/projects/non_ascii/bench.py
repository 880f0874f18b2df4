# SPDX-License-Identifier: Apache-2.0
"""Every pair of numbers."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def numbers_are_compared(dut: Any) -> None:
    for a in range(16):
        for b in range(16):
            dut.a_i.value, dut.b_i.value = a, b
            await Timer(1, "ns")
            seen = [int(each.value) for each in (dut.more_o, dut.same_o, dut.less_o)]
            assert seen == [a > b, a == b, a < b]
