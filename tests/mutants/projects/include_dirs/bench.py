# SPDX-License-Identifier: Apache-2.0
"""Every number."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def numbers_stay_between_the_limits(dut: Any) -> None:
    for value in range(16):
        dut.value_i.value = value
        await Timer(1, "ns")
        assert int(dut.value_o.value) == max(3, min(value, 12))
        assert int(dut.cut_o.value) == (value < 3 or value > 12)
