# SPDX-License-Identifier: Apache-2.0
"""Asks for a value that is not there."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import Timer

EXPECTED = {"one": 1}
ONE_AND_ONE = EXPECTED["two"]


@cocotb.test()
async def one_and_one_is_two(dut: Any) -> None:
    dut.a_i.value, dut.b_i.value = 1, 1
    await Timer(1, "ns")
    assert int(dut.sum_o.value) == ONE_AND_ONE
