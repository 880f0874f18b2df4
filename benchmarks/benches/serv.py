# SPDX-License-Identifier: Apache-2.0
"""A bench for serv: two wishbone buses to one memory, and what the programs must store."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import First, ReadOnly, RisingEdge, Timer

from benchmarks.benches.program import PROGRAMS, Memory, assemble, expected

PERIOD = 10
REQUESTS = 400
QUIET = 200
"""Clock periods without a request after which the core counts as stuck."""
_INPUTS = ("i_timer_irq", "i_ibus_rdt", "i_ibus_ack", "i_dbus_rdt", "i_dbus_ack")
_EXTENSION = ("i_ext_rd", "i_ext_ready")


async def run(dut: Any, name: str) -> None:
    """Run the program `name` and compare its stores with the model's."""
    words = assemble(PROGRAMS[name])
    memory = Memory(dict(words))
    Clock(dut.clk, PERIOD, unit="ns").start()
    for each in (*_INPUTS, *_EXTENSION):
        getattr(dut, each).value = 0
    dut.i_rst.value = 1
    for _ in range(4):
        await RisingEdge(dut.clk)
    dut.i_rst.value = 0
    for _ in range(REQUESTS):
        if not await answered(dut, memory) or memory.is_done:
            break
    assert memory.stores == expected(words)


async def answered(dut: Any, memory: Memory) -> bool:
    """Wait for a request on either bus and answer it; tell whether there was one."""
    for _ in range(2):
        await ReadOnly()
        instruction, data = dut.o_ibus_cyc.value == 1, dut.o_dbus_cyc.value == 1
        if instruction or data:
            break
        edges = (RisingEdge(dut.o_ibus_cyc), RisingEdge(dut.o_dbus_cyc))
        await First(*edges, Timer(QUIET * PERIOD, "ns"))
    else:
        return False
    await RisingEdge(dut.clk)
    await ReadOnly()
    if data:
        address = int(dut.o_dbus_adr.value)
        is_write = dut.o_dbus_we.value == 1
        mask = int(dut.o_dbus_sel.value)
        written = dut.o_dbus_dat.value.to_unsigned() if is_write else 0
    else:
        address = int(dut.o_ibus_adr.value)
    bus = "dbus" if data else "ibus"
    await RisingEdge(dut.clk)
    getattr(dut, f"i_{bus}_rdt").value = memory.read(address)
    getattr(dut, f"i_{bus}_ack").value = 1
    if data and is_write:
        memory.write(address, mask, written)
    await RisingEdge(dut.clk)
    getattr(dut, f"i_{bus}_ack").value = 0
    await RisingEdge(dut.clk)
    return True


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
