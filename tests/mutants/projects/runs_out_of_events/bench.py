# SPDX-License-Identifier: Apache-2.0
"""Waits for the answer, without a clock that would keep time going."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import RisingEdge, Timer


@cocotb.test()
async def a_request_is_answered(dut: Any) -> None:
    dut.request_i.value = 0
    dut.data_i.value = 9
    await Timer(1, "ns")
    dut.request_i.value = 1
    await RisingEdge(dut.answer_o)
    await Timer(1, "ns")
    assert int(dut.data_o.value) == 9
