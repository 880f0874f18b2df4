# SPDX-License-Identifier: Apache-2.0
"""The pins of a pair: a cocotb-bus driver for its inputs, a cocotb-bus monitor for everything.

One cycle runs from one falling edge of the clock to the next. Inputs change on the falling edge;
combinational outputs are read once they have settled, still before the rising edge; counters are
read then and again just after the rising edge. Both reads happen in the read-only phase of their
time step, so the same bench sees the same values under any simulator.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cocotb.simtime import get_sim_time
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge
from cocotb_bus.bus import Bus
from cocotb_bus.drivers import BusDriver
from cocotb_bus.monitors import BusMonitor

from models.ports import Build, Ports
from tb.catalog import Module

__all__ = ["Cycle", "Dut", "PairDriver", "PairMonitor", "Stimulus", "Value"]

Dut = Any
"""The handle of the simulated pair; its attributes are the signals."""

Value = int | str
"""What was read from a port: its number, or its bits as text where one of them is X or Z."""


@dataclass(frozen=True)
class Stimulus:
    """The inputs of one cycle, and whether reset is held low during it."""

    inputs: Ports
    rst_n: int = 1


@dataclass(frozen=True)
class Cycle:
    """What a monitor saw in one cycle, by build and port name.

    Attributes:
        time_ns: time of the falling edge that began the cycle
        rst_n: level of the reset input
        inputs: input ports
        outputs: combinational outputs, settled
        before: counters before the rising edge
        after: counters just after it
    """

    time_ns: int
    rst_n: Value
    inputs: Mapping[str, Value]
    outputs: Mapping[Build, Mapping[str, Value]]
    before: Mapping[Build, Mapping[str, Value]]
    after: Mapping[Build, Mapping[str, Value]]

    @property
    def driven(self) -> str:
        """The stimulus as text, for messages."""
        ports = {"rst_n": self.rst_n, **self.inputs}
        return " ".join(f"{name}={value}" for name, value in ports.items())


class PairDriver(BusDriver):
    """Puts one :class:`Stimulus` a cycle on the inputs, at the falling edge."""

    def __init__(self, dut: Dut, module: Module) -> None:
        self._signals = ["rst_n", *module.model().Inputs.widths()]
        super().__init__(dut, None, dut.clk, case_insensitive=False)

    async def _driver_send(self, transaction: Stimulus, sync: bool = True) -> None:
        if sync:
            await FallingEdge(self.clock)
        self.bus.rst_n.value = transaction.rst_n
        self.bus.drive(transaction.inputs)


class PairMonitor(BusMonitor):
    """Sees every cycle, reset included, and hands it on as a :class:`Cycle`."""

    def __init__(self, dut: Dut, module: Module) -> None:
        model = module.model()
        self._signals = ["rst_n", *model.Inputs.widths()]
        self._outputs = _buses(dut, model.Outputs)
        self._counters = _buses(dut, model.State)
        super().__init__(dut, None, dut.clk, case_insensitive=False)

    def counters(self) -> dict[Build, dict[str, Value]]:
        """The counters as they are at this moment."""
        return {build: _read(bus) for build, bus in self._counters.items()}

    async def _monitor_recv(self) -> None:
        falling, rising, settled = FallingEdge(self.clock), RisingEdge(self.clock), ReadOnly()
        while True:
            await falling
            await settled
            time_ns = int(get_sim_time("ns"))
            inputs = _read(self.bus)
            outputs = {build: _read(bus) for build, bus in self._outputs.items()}
            before = self.counters()
            await rising
            await settled
            after = self.counters()
            rst_n = inputs.pop("rst_n")
            self._recv(Cycle(time_ns, rst_n, inputs, outputs, before, after))


def _buses(dut: Dut, ports: type[Ports]) -> dict[Build, Bus]:
    names = list(ports.widths())
    return {build: Bus(dut, build.name.lower(), names, case_insensitive=False) for build in Build}


def _read(bus: Bus) -> dict[str, Value]:
    return {name: _value(handle) for name, handle in bus._signals.items()}


def _value(handle: Any) -> Value:
    value = handle.value
    try:
        return int(value)
    except ValueError:
        return str(value)
