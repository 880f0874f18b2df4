# SPDX-License-Identifier: Apache-2.0
"""Small numbers and the last."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def the_next_number_comes(dut: Any) -> None:
    for value in (0, 1, 6, 15):
        dut.value_i.value = value
        await Timer(1, "ns")
        assert int(dut.value_o.value) == (value + 1) % 16
