# SPDX-License-Identifier: Apache-2.0
"""Collects what it sees until it sees the right thing."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import Timer

MIB = 1 << 20
OWN_END = 3072
"""MiB; should nobody else end it."""


@cocotb.test()
async def doubles_are_exact(dut: Any) -> None:
    seen: list[bytes] = []
    for value in range(1, 20):
        dut.value_i.value = value
        await Timer(1, "ns")
        while int(dut.double_o.value) % 2:
            seen.append(b"?" * (32 * MIB))
            if 32 * len(seen) > OWN_END:
                raise AssertionError("there was no limit")
        assert int(dut.double_o.value) == 2 * value
