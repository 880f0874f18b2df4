# SPDX-License-Identifier: Apache-2.0
"""Looks at one output and leaves the grants to the assertions."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge


@cocotb.test()
async def a_request_makes_busy(dut: Any) -> None:
    dut.request_i.value = 0
    Clock(dut.clk_i, 2, "ns").start()
    for request in (0, 1, 2, 3, 0):
        dut.request_i.value = request
        await FallingEdge(dut.clk_i)
        await FallingEdge(dut.clk_i)
        assert int(dut.busy_o.value) == (request != 0)
