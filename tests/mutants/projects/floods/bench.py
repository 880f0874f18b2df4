# SPDX-License-Identifier: Apache-2.0
"""Some levels, but never the highest."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge


@cocotb.test()
async def high_levels_are_reported(dut: Any) -> None:
    dut.level_i.value = 0
    Clock(dut.clk_i, 2, "ns").start()
    for level in (3, 12, 13, 12):
        dut.level_i.value = level
        await FallingEdge(dut.clk_i)
        assert int(dut.over_o.value) == (level > 12)
