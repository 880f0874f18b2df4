# SPDX-License-Identifier: Apache-2.0
"""The left lane at every number, the right one only at small ones."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def the_left_lane_adds_one(dut: Any) -> None:
    for value in range(16):
        dut.value_i.value = value
        await Timer(1, "ns")
        assert int(dut.left_o.value) == (value + 1) % 16


@cocotb.test()
async def the_right_lane_adds_one(dut: Any) -> None:
    for value in range(8):
        dut.value_i.value = value
        await Timer(1, "ns")
        assert int(dut.right_o.value) == value + 1
