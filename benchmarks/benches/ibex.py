# SPDX-License-Identifier: Apache-2.0
"""A bench for ibex: its two request, grant and valid buses, and what the programs must store."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge

from benchmarks.benches.program import PROGRAMS, Memory, assemble, expected

CYCLES = 500
BASE = 0x80
"""Where the core begins, behind the vectors."""
_INPUTS = ("instr_rvalid_i", "instr_rdata_i", "data_rvalid_i", "data_rdata_i")


async def run(dut: Any, name: str) -> None:
    """Run the program `name` and compare its stores with the model's."""
    words = assemble(PROGRAMS[name], BASE)
    memory = Memory(dict(words))
    Clock(dut.clk_i, 10, unit="ns").start()
    for each in _INPUTS:
        getattr(dut, each).value = 0
    dut.instr_gnt_i.value = 1
    dut.data_gnt_i.value = 1
    dut.rst_ni.value = 0
    for _ in range(4):
        await RisingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    answers: tuple[int | None, int | None] = (None, None)
    for _ in range(CYCLES):
        await RisingEdge(dut.clk_i)
        for bus, answer in zip(("instr", "data"), answers, strict=True):
            getattr(dut, f"{bus}_rvalid_i").value = int(answer is not None)
            if answer is not None:
                getattr(dut, f"{bus}_rdata_i").value = answer
        if memory.is_done:
            break
        await ReadOnly()
        assert dut.alert_major_internal_o.value == 0, "alert"
        answers = (_fetched(dut, memory), _accessed(dut, memory))
    assert memory.stores == expected(words, BASE)


def _fetched(dut: Any, memory: Memory) -> int | None:
    if dut.instr_req_o.value != 1:
        return None
    return memory.read(int(dut.instr_addr_o.value))


def _accessed(dut: Any, memory: Memory) -> int | None:
    if dut.data_req_o.value != 1:
        return None
    address = int(dut.data_addr_o.value)
    if dut.data_we_o.value == 1:
        memory.write(address, int(dut.data_be_o.value), int(dut.data_wdata_o.value))
    return memory.read(address)


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
