# SPDX-License-Identifier: Apache-2.0
"""Small numbers, whatever the width."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def offsets_are_added(dut: Any) -> None:
    offset = {4: 5, 8: 100}[len(dut.value_i)]
    for value in range(8):
        dut.value_i.value = value
        await Timer(1, "ns")
        assert int(dut.value_o.value) == value + offset
        assert int(dut.even_o.value) == (value + offset + 1) % 2
