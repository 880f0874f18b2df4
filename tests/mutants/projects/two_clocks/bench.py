# SPDX-License-Identifier: Apache-2.0
"""A fast clock sends, a slow one receives."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, RisingEdge


async def started(dut: Any) -> None:
    """Both clocks run, and both sides have been reset."""
    dut.send_i.value = 0
    dut.rst_a_i.value, dut.rst_b_i.value = 1, 1
    Clock(dut.clk_a_i, 2, "ns").start()
    Clock(dut.clk_b_i, 6, "ns").start()
    await ClockCycles(dut.clk_b_i, 3)
    await FallingEdge(dut.clk_b_i)
    dut.rst_a_i.value, dut.rst_b_i.value = 0, 0


async def send(dut: Any) -> None:
    """Send one, and wait until it must have arrived."""
    await FallingEdge(dut.clk_a_i)
    dut.send_i.value = 1
    await FallingEdge(dut.clk_a_i)
    dut.send_i.value = 0
    await ClockCycles(dut.clk_b_i, 5)


@cocotb.test()
async def all_that_is_sent_is_received(dut: Any) -> None:
    await started(dut)
    for count in range(1, 4):
        await send(dut)
        assert int(dut.sent_o.value) == count
        assert int(dut.received_o.value) == count


@cocotb.test(timeout_time=200, timeout_unit="ns")
async def the_count_changes_with_the_rising_edge_of_its_clock(dut: Any) -> None:
    await started(dut)
    cocotb.start_soon(send(dut))
    await dut.received_o.value_change
    assert int(dut.clk_b_i.value) == 1
    await RisingEdge(dut.clk_b_i)
    assert int(dut.received_o.value) == 1
