# SPDX-License-Identifier: Apache-2.0
"""The bench base class: clock, reset, driver, monitor and coverage of one pair.

A test is a coroutine under :func:`bench_test`; it gets a started bench and asks for one cycle
after the other. What differs between modules (how random inputs are drawn, what is covered, what
moves which counters) is a :class:`BenchSpec` that the module's bench file defines.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge, Timer

from models.ports import Build, Ports
from tb.agent import Cycle, Dut, PairDriver, PairMonitor, Stimulus, Value
from tb.catalog import Module, find
from tb.coverage import View, view_of
from tb.record import Recorder

__all__ = ["CLOCK_NS", "RECORDER", "REGISTERED", "Bench", "BenchSpec", "bench_test", "expect"]

CLOCK_NS = 10
"""Clock period. Nothing depends on its length."""

REGISTERED: dict[str, list[str]] = {}
"""Names of the tests that :func:`bench_test` made, by the bench that defines them."""

RECORDER = Recorder()
"""The record of this simulation, shared by all its tests."""


@dataclass(frozen=True)
class BenchSpec:
    """What a module's bench brings along.

    Attributes:
        module: the module under test
        draw: one random cycle of inputs, biased to where behaviour changes
        cover: the function that cocotb-coverage decorates; called with every cycle outside reset
            in which no port is X
        paces: inputs that move different sets of counters: some move all of them, in one build or
            the other, and some leave out as many as can be left out
        corners: inputs that reach, with the rows of the plan, every bin that *cover* defines
    """

    module: Module
    draw: Callable[[Random], Ports]
    cover: Callable[[View], None]
    paces: tuple[Ports, ...]
    corners: tuple[Ports, ...]


def spec_of(dut: Dut) -> BenchSpec:
    """The :class:`BenchSpec` of the pair that is being simulated."""
    module = find(dut._name.removesuffix("_pair"))
    spec: BenchSpec = importlib.import_module(module.bench).BENCH
    return spec


class Bench:
    """One pair on the bench. Use :meth:`start`, not the constructor."""

    def __init__(self, dut: Dut, spec: BenchSpec) -> None:
        self.dut = dut
        self.spec = spec
        self.model = spec.module.model()
        self.idle: Ports = self.model.Inputs(**dict.fromkeys(self.model.Inputs.widths(), 0))
        self.driver = PairDriver(dut, spec.module)
        self.monitor = PairMonitor(dut, spec.module)

    @classmethod
    async def start(cls, dut: Dut, spec: BenchSpec) -> Bench:
        """Put the pair on the bench, start its clock and take it through reset."""
        bench = cls(dut, spec)
        dut.rst_n.value = 0
        bench.driver.bus.drive(bench.idle)
        Clock(dut.clk, CLOCK_NS, unit="ns").start(start_high=False)
        await bench.reset()
        return bench

    async def reset(self) -> Cycle:
        """Hold reset over one whole cycle, with the inputs idle, and release it."""
        return await self.hold_reset(self.idle)

    async def hold_reset(self, inputs: Ports) -> Cycle:
        """Hold reset over one whole cycle while the inputs ask for something."""
        return await self._send(Stimulus(inputs, rst_n=0))

    async def cycle(self, **inputs: int) -> Cycle:
        """Drive one cycle; inputs that are not named are 0, and the enable is 1."""
        return await self.drive(self.inputs(**inputs))

    async def drive(self, inputs: Ports) -> Cycle:
        """Drive one cycle of *inputs* and return what the monitor saw in it."""
        return await self._send(Stimulus(inputs))

    def inputs(self, **inputs: int) -> Ports:
        """A record of inputs: the enable is 1 and the rest 0 unless named."""
        ports: Ports = self.model.Inputs(**{**self.idle.values(), self.model.ENABLE: 1, **inputs})
        return ports

    async def strobe_reset(self, *, high: bool) -> Mapping[Build, Mapping[str, Value]]:
        """Pulse reset between two clock edges, and return the counters during the pulse.

        The clock is at *high* or low meanwhile.
        """
        await (RisingEdge(self.dut.clk) if high else FallingEdge(self.dut.clk))
        await Timer(CLOCK_NS // 5, unit="ns")
        self.dut.rst_n.value = 0
        await ReadOnly()
        seen = self.monitor.counters()
        await Timer(CLOCK_NS // 5, unit="ns")
        self.dut.rst_n.value = 1
        return seen

    async def _send(self, stimulus: Stimulus) -> Cycle:
        await self.driver.send(stimulus)
        cycle: Cycle = await self.monitor.wait_for_recv()
        return cycle

    def cover(self, cycle: Cycle) -> None:
        """Sample functional coverage, unless in reset or with an unknown port."""
        ports = (cycle.inputs, *cycle.outputs.values(), *cycle.before.values())
        known = all(isinstance(value, int) for values in ports for value in values.values())
        if cycle.rst_n == 1 and known:
            self.spec.cover(view_of(cycle))


def bench_test(
    test: Callable[[Bench], Awaitable[None]] | None = None, *, samples_coverage: bool = True
) -> Any:
    """Make a coroutine over a started :class:`Bench` a cocotb test.

    However the test ends, what it recorded is saved. With *samples_coverage* every cycle is
    sampled; a test that brings a coverage subscriber of its own says False.
    """
    if test is None:
        return functools.partial(bench_test, samples_coverage=samples_coverage)

    names = REGISTERED.setdefault(test.__module__, [])
    if test.__name__ in names:
        raise ValueError(f"{test.__module__} defines {test.__name__} twice")
    names.append(test.__name__)

    @cocotb.test(timeout_time=1, timeout_unit="sec")
    @functools.wraps(test)
    async def on_the_bench(dut: Dut) -> None:
        try:
            bench = await Bench.start(dut, spec_of(dut))
            if samples_coverage:
                bench.monitor.add_callback(bench.cover)
            await test(bench)
        finally:
            RECORDER.save()

    return on_the_bench


def expect(cycle: Cycle, build: Build, **expected: int) -> None:
    """Hold combinational outputs of one build against literal values.

    Raises:
        AssertionError: some differ; one message names them all.
    """
    seen: Mapping[str, Any] = cycle.outputs[build]
    wrong = [
        f"{name}: expected {value}, seen {seen[name]}"
        for name, value in expected.items()
        if seen[name] != value
    ]
    if wrong:
        raise AssertionError(
            f"{build.name.lower()} build at {cycle.time_ns} ns: {'; '.join(wrong)} [{cycle.driven}]"
        )
