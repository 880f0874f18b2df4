# SPDX-License-Identifier: Apache-2.0
"""Looks at the very first values; there is no reset."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def first_values_are_there_at_the_start(dut: Any) -> None:
    await Timer(1, "ns")
    assert int(dut.first_o.value) == 5
    assert int(dut.count_o.value) == 7


@cocotb.test()
async def squares_are_in_the_table(dut: Any) -> None:
    for index in range(4):
        dut.index_i.value = index
        await Timer(1, "ns")
        assert int(dut.square_o.value) == index * index % 16


@cocotb.test()
async def the_count_goes_on(dut: Any) -> None:
    dut.clk_i.value = 0
    await Timer(1, "ns")
    before = int(dut.count_o.value)
    dut.clk_i.value = 1
    await Timer(1, "ns")
    assert int(dut.count_o.value) == before + 1
