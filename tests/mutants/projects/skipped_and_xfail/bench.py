# SPDX-License-Identifier: Apache-2.0
"""A test of each kind."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import Timer


async def add(dut: Any, a: int, b: int) -> tuple[int, int]:
    """The sum and the flag that the design gives."""
    dut.a_i.value, dut.b_i.value = a, b
    await Timer(1, "ns")
    return int(dut.sum_o.value), int(dut.full_o.value)


@cocotb.test(skip=True)
async def large_sums_stop_at_the_largest(dut: Any) -> None:
    assert await add(dut, 15, 15) == (15, 1)


@cocotb.test(expect_fail=True)
async def fifteen_and_one_wraps(dut: Any) -> None:
    total, _ = await add(dut, 15, 1)
    assert total == 0


@cocotb.test(expect_error=ZeroDivisionError)
async def the_flag_of_a_small_sum_divides_nothing(dut: Any) -> None:
    _, full = await add(dut, 7, 8)
    assert 1 // full == 1


@cocotb.test()
async def small_sums_are_exact(dut: Any) -> None:
    for a, b in ((0, 0), (1, 1), (3, 4)):
        assert await add(dut, a, b) == (a + b, 0)
