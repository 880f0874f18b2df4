# SPDX-License-Identifier: Apache-2.0
"""One test that holds, one that cannot."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def nothing_and_nothing_is_nothing(dut: Any) -> None:
    dut.a_i.value, dut.b_i.value = 0, 0
    await Timer(1, "ns")
    assert int(dut.sum_o.value) == 0


@cocotb.test()
async def one_and_one_is_three(dut: Any) -> None:
    dut.a_i.value, dut.b_i.value = 1, 1
    await Timer(1, "ns")
    assert int(dut.sum_o.value) == 3
