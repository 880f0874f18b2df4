# SPDX-License-Identifier: Apache-2.0
"""Colours by name."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import Timer

NAMES = {0: "red", 1: "green", 2: "yellow"}
AFTER = {"red": "green", "green": "yellow", "yellow": "red"}


@cocotb.test()
async def colours_follow_each_other(dut: Any) -> None:
    for number, name in NAMES.items():
        dut.now_i.value = number
        await Timer(1, "ns")
        assert NAMES[int(dut.next_o.value)] == AFTER[name]
