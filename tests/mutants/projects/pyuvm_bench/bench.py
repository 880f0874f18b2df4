# SPDX-License-Identifier: Apache-2.0
"""Small operands through a sequencer."""

from __future__ import annotations

from typing import Any

import cocotb
import pyuvm
from cocotb.triggers import Timer


class Pair(pyuvm.uvm_sequence_item):  # type: ignore[misc]
    """Two operands and, once driven, their sum."""

    def __init__(self, a: int, b: int) -> None:
        super().__init__("pair")
        self.a, self.b = a, b
        self.sum: tuple[int, int] | None = None


class Pairs(pyuvm.uvm_sequence):  # type: ignore[misc]
    """All pairs below 8: their sum is never full."""

    async def body(self) -> None:
        for a in range(8):
            for b in range(8):
                pair = Pair(a, b)
                await self.start_item(pair)
                await self.finish_item(pair)


class Driver(pyuvm.uvm_driver):  # type: ignore[misc]
    """Drives a pair, and hands on what came out."""

    def build_phase(self) -> None:
        self.seen = pyuvm.uvm_analysis_port("seen", self)

    async def run_phase(self) -> None:
        dut: Any = cocotb.top
        while True:
            pair = await self.seq_item_port.get_next_item()
            dut.a_i.value, dut.b_i.value = pair.a, pair.b
            await Timer(1, "ns")
            pair.sum = int(dut.sum_o.value), int(dut.full_o.value)
            self.seen.write(pair)
            self.seq_item_port.item_done()


class Scoreboard(pyuvm.uvm_subscriber):  # type: ignore[misc]
    """Compares at the end."""

    def build_phase(self) -> None:
        super().build_phase()
        self.pairs: list[Pair] = []

    def write(self, pair: Pair) -> None:
        self.pairs.append(pair)

    def check_phase(self) -> None:
        assert len(self.pairs) == 64
        for pair in self.pairs:
            assert pair.sum == (pair.a + pair.b, 0)


@pyuvm.test()
class SmallSums(pyuvm.uvm_test):  # type: ignore[misc]
    """Everything put together."""

    def build_phase(self) -> None:
        self.sequencer = pyuvm.uvm_sequencer("sequencer", self)
        self.driver = Driver("driver", self)
        self.scoreboard = Scoreboard("scoreboard", self)

    def connect_phase(self) -> None:
        self.driver.seq_item_port.connect(self.sequencer.seq_item_export)
        self.driver.seen.connect(self.scoreboard.analysis_export)

    async def run_phase(self) -> None:
        self.raise_objection()
        await Pairs("pairs").start(self.sequencer)
        self.drop_objection()
