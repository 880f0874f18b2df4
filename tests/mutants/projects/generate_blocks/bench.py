# SPDX-License-Identifier: Apache-2.0
"""Every number."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def codes_are_right(dut: Any) -> None:
    for number in range(16):
        dut.number_i.value = number
        await Timer(1, "ns")
        assert dut.gray_o.value == number ^ (number >> 1)


@cocotb.test()
async def numbers_come_back(dut: Any) -> None:
    for number in range(16):
        dut.number_i.value = number
        await Timer(1, "ns")
        assert dut.number_o.value == number
