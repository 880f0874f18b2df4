# SPDX-License-Identifier: Apache-2.0
"""What a user's bench would be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge

EXPECTED = Path("expected.txt")


async def start(dut: Any) -> None:
    Clock(dut.clk, 10, "ns").start()
    dut.rst.value = 1
    dut.en.value = 0
    await RisingEdge(dut.clk)
    await FallingEdge(dut.clk)
    dut.rst.value = 0


@cocotb.test(stage=1)
async def unknown_is_a_number(dut: Any) -> None:
    await start(dut)
    assert int(dut.unknown.value) == 0


@cocotb.test()
async def resets_to_zero(dut: Any) -> None:
    await start(dut)
    assert dut.count.value == 0
    assert dut.zero.value == 1


@cocotb.test()
async def counts_when_enabled(dut: Any) -> None:
    await start(dut)
    dut.en.value = 1
    for number in map(int, EXPECTED.read_text().splitlines()[-1].split()):
        await FallingEdge(dut.clk)
        assert dut.count.value == number, f"expected {number}, got {int(dut.count.value)}"


@cocotb.test(expect_fail=True)
async def stands_still_when_not_enabled(dut: Any) -> None:
    await start(dut)
    await FallingEdge(dut.clk)
    assert dut.count.value == 1


@cocotb.test(skip=True)
async def is_not_ready_yet(dut: Any) -> None:
    raise AssertionError
