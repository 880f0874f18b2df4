# SPDX-License-Identifier: Apache-2.0
"""Some bytes through the link."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def bytes_arrive(dut: Any) -> None:
    for data in (0x01, 0x03, 0x80, 0xFF):
        dut.data_i.value = data
        await Timer(1, "ns")
        assert int(dut.data_o.value) == data
        assert int(dut.good_o.value) == 1
