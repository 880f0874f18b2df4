# SPDX-License-Identifier: Apache-2.0
"""What the first test puts on the stack, the last one takes off."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import Timer


async def clocked(dut: Any, put: int, take: int, cycles: int) -> None:
    """Hold the inputs for some cycles."""
    dut.put_i.value, dut.take_i.value = put, take
    for _ in range(cycles):
        for level in (0, 1, 0):
            dut.clk_i.value = level
            await Timer(1, "ns")


@cocotb.test()
async def three_are_put_on(dut: Any) -> None:
    await clocked(dut, put=1, take=0, cycles=3)
    assert int(dut.level_o.value) == 3


@cocotb.test()
async def three_stay_while_nothing_happens(dut: Any) -> None:
    await clocked(dut, put=0, take=0, cycles=20)
    assert int(dut.level_o.value) == 3


@cocotb.test()
async def three_are_taken_off(dut: Any) -> None:
    assert int(dut.empty_o.value) == 0
    await clocked(dut, put=0, take=1, cycles=2)
    assert int(dut.level_o.value) == 1
    await clocked(dut, put=0, take=1, cycles=1)
    assert int(dut.empty_o.value) == 1
