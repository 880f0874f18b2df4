# SPDX-License-Identifier: Apache-2.0
"""Three steps."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge


@cocotb.test()
async def steps_add_up(dut: Any) -> None:
    dut.rst_i.value = 1
    dut.step_i.value = 0
    Clock(dut.clk_i, 2, "ns").start()
    await FallingEdge(dut.clk_i)
    await FallingEdge(dut.clk_i)
    dut.rst_i.value = 0
    expected = 0
    for step in (1, 2, 4):
        dut.step_i.value = step
        expected += step
        await FallingEdge(dut.clk_i)
        assert int(dut.total_o.value) == expected
        assert dut.even_o.value == (expected % 2 == 0)
