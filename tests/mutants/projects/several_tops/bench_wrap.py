# SPDX-License-Identifier: Apache-2.0
"""All ten numbers."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def ten_numbers_go_round(dut: Any) -> None:
    for value in range(10):
        dut.value_i.value = value
        await Timer(1, "ns")
        assert int(dut.value_o.value) == (value + 1) % 10
