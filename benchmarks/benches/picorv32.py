# SPDX-License-Identifier: Apache-2.0
"""A bench for picorv32: its memory, and what the programs must store."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge

from benchmarks.benches.program import PROGRAMS, Memory, assemble, expected

CYCLES = 3000
_INPUTS = ("mem_ready", "mem_rdata", "pcpi_wr", "pcpi_rd", "pcpi_wait", "pcpi_ready", "irq")


async def run(dut: Any, name: str) -> None:
    """Run the program `name` and compare its stores with the model's."""
    words = assemble(PROGRAMS[name])
    memory = Memory(dict(words))
    Clock(dut.clk, 10, unit="ns").start()
    for each in _INPUTS:
        getattr(dut, each).value = 0
    dut.resetn.value = 0
    for _ in range(4):
        await RisingEdge(dut.clk)
    dut.resetn.value = 1
    for _ in range(CYCLES):
        await RisingEdge(dut.clk)
        await ReadOnly()
        assert dut.trap.value == 0, "trap"
        wanted = dut.mem_valid.value == 1
        if wanted:
            address, strobe = int(dut.mem_addr.value), int(dut.mem_wstrb.value)
            data = int(dut.mem_wdata.value) if strobe else 0
        await RisingEdge(dut.clk)
        if not wanted:
            continue
        dut.mem_rdata.value = memory.read(address)
        dut.mem_ready.value = 1
        if strobe:
            memory.write(address, strobe, data)
        await RisingEdge(dut.clk)
        dut.mem_ready.value = 0
        if memory.is_done:
            break
    assert memory.stores == expected(words)


@cocotb.test()
async def arithmetic_is_right(dut: Any) -> None:
    """All operations on registers and constants."""
    await run(dut, "arithmetic")


@cocotb.test()
async def branches_go_where_they_should(dut: Any) -> None:
    """All branches, taken and not, a call and a return."""
    await run(dut, "branches")


@cocotb.test()
async def memory_holds_what_is_stored(dut: Any) -> None:
    """Loads and stores of all sizes."""
    await run(dut, "memory")
