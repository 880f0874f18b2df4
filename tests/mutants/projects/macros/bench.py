# SPDX-License-Identifier: Apache-2.0
"""Every number."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def numbers_are_cut_off_and_raised(dut: Any) -> None:
    for value in range(16):
        dut.value_i.value = value
        await Timer(1, "ns")
        assert int(dut.clamped_o.value) == min(value, 9)
        assert int(dut.stepped_o.value) == value + 3
