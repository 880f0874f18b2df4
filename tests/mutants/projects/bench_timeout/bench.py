# SPDX-License-Identifier: Apache-2.0
"""Waits for the end, but not for ever."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge


@cocotb.test(timeout_time=40, timeout_unit="ns")
async def done_comes_after_five_steps(dut: Any) -> None:
    Clock(dut.clk_i, 2, "ns").start()
    dut.start_i.value = 1
    await FallingEdge(dut.clk_i)
    await FallingEdge(dut.clk_i)
    dut.start_i.value = 0
    for _ in range(4):
        await FallingEdge(dut.clk_i)
        assert int(dut.done_o.value) == 0
        assert int(dut.busy_o.value) == 1
    await RisingEdge(dut.done_o)
