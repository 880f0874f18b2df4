# SPDX-License-Identifier: Apache-2.0
"""Counts to six."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge


@cocotb.test()
async def six_steps_are_counted(dut: Any) -> None:
    dut.rst_i.value = 1
    Clock(dut.clk_i, 2, "ns").start()
    await FallingEdge(dut.clk_i)
    await FallingEdge(dut.clk_i)
    dut.rst_i.value = 0
    for count in range(1, 7):
        await FallingEdge(dut.clk_i)
        assert int(dut.count_o.value) == count


@cocotb.test()
async def reset_clears_the_count(dut: Any) -> None:
    dut.rst_i.value = 1
    Clock(dut.clk_i, 2, "ns").start()
    await FallingEdge(dut.clk_i)
    await FallingEdge(dut.clk_i)
    assert int(dut.count_o.value) == 0
