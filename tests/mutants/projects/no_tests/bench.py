# SPDX-License-Identifier: Apache-2.0
"""A coroutine that lacks its decorator."""

from __future__ import annotations

from typing import Any

from cocotb.triggers import Timer


async def nobody_calls_this(dut: Any) -> None:
    await Timer(1, "ns")
    assert int(dut.sum_o.value) == 3
