# SPDX-License-Identifier: Apache-2.0
"""The UVM environment that every module's random regression runs in, written once.

sequence -> sequencer -> driver -> pins -> monitor -> { scoreboard, coverage subscriber }

The pins are driven and watched by the same cocotb-bus driver and monitor as in every other test;
the UVM driver and monitor are what connects them to sequences and analysis ports.
"""

from __future__ import annotations

import os
import random

from pyuvm import (
    ConfigDB,
    uvm_agent,
    uvm_analysis_port,
    uvm_component,
    uvm_driver,
    uvm_env,
    uvm_root,
    uvm_sequence,
    uvm_sequence_item,
    uvm_sequencer,
    uvm_subscriber,
    uvm_test,
)

from tb.agent import Cycle, Stimulus
from tb.bench import RECORDER, Bench
from tb.exchange import CYCLES_ENV, DEFAULT_CYCLES
from tb.scoreboard import Scoreboard

__all__ = ["run_random"]

RESET_ONE_IN = 97
"""A random cycle is a reset cycle this seldom: often enough to be seen in a short run, seldom
enough to let counters grow."""


class CycleItem(uvm_sequence_item):
    """One cycle of inputs."""

    def __init__(self, name: str, stimulus: Stimulus) -> None:
        super().__init__(name)
        self.stimulus = stimulus


class RandomSequence(uvm_sequence):
    """As many random cycles as asked for, with a reset among them now and then."""

    def __init__(self, name: str, bench: Bench, cycles: int) -> None:
        super().__init__(name)
        self.bench = bench
        self.cycles = cycles

    async def body(self) -> None:
        """Draw and send the cycles."""
        rng = random.Random(random.getrandbits(64))
        for index in range(self.cycles):
            reset = index == 0 or rng.randrange(RESET_ONE_IN) == 0
            stimulus = Stimulus(self.bench.spec.draw(rng), rst_n=int(not reset))
            item = CycleItem("cycle", stimulus)
            await self.start_item(item)
            await self.finish_item(item)
            if index % 500 == 0:
                RECORDER.progress("random_traffic_matches_the_model", index, self.cycles)


class PinDriver(uvm_driver):
    """Takes items from the sequencer and gives them to the cocotb-bus driver, one a cycle."""

    def build_phase(self) -> None:
        """Find the bench."""
        self.bench: Bench = ConfigDB().get(self, "", "BENCH")

    async def run_phase(self) -> None:
        """Drive for ever; the test ends when its sequence does."""
        while True:
            item: CycleItem = await self.seq_item_port.get_next_item()
            await self.bench.driver.send(item.stimulus)
            self.seq_item_port.item_done()


class PinMonitor(uvm_component):
    """Publishes every cycle that the cocotb-bus monitor sees."""

    def build_phase(self) -> None:
        """Create the analysis port."""
        self.ap = uvm_analysis_port("ap", self)

    def connect_phase(self) -> None:
        """Listen to the cocotb-bus monitor."""
        bench: Bench = ConfigDB().get(self, "", "BENCH")
        bench.monitor.add_callback(self.ap.write)


class PairAgent(uvm_agent):
    """Sequencer, driver and monitor of one pair."""

    def build_phase(self) -> None:
        """Create the parts."""
        super().build_phase()
        self.seqr = uvm_sequencer("seqr", self)
        self.driver = PinDriver("driver", self)
        self.monitor = PinMonitor("monitor", self)

    def connect_phase(self) -> None:
        """Let the driver pull from the sequencer."""
        self.driver.seq_item_port.connect(self.seqr.seq_item_export)


class ModelScoreboard(uvm_subscriber):
    """Holds every output of both builds against the model, in every cycle."""

    def build_phase(self) -> None:
        """Find the bench."""
        super().build_phase()
        self.bench: Bench = ConfigDB().get(self, "", "BENCH")
        self.board = Scoreboard(self.bench.model)

    def write(self, cycle: Cycle) -> None:
        """Compare one cycle."""
        self.board.compare(cycle)

    def check_phase(self) -> None:
        """Fail if anything differed, or if nothing was compared."""
        self.board.conclude()


class CoverageSubscriber(uvm_subscriber):
    """Samples functional coverage from every cycle."""

    def build_phase(self) -> None:
        """Find the bench."""
        super().build_phase()
        self.bench: Bench = ConfigDB().get(self, "", "BENCH")

    def write(self, cycle: Cycle) -> None:
        """Sample one cycle."""
        self.bench.cover(cycle)


class PairEnv(uvm_env):
    """One agent, its scoreboard and its coverage."""

    def build_phase(self) -> None:
        """Create the parts."""
        self.agent = PairAgent("agent", self)
        self.scoreboard = ModelScoreboard("scoreboard", self)
        self.coverage = CoverageSubscriber("coverage", self)

    def connect_phase(self) -> None:
        """Send what the monitor sees to both subscribers."""
        self.agent.monitor.ap.connect(self.scoreboard.analysis_export)
        self.agent.monitor.ap.connect(self.coverage.analysis_export)


class RandomTest(uvm_test):
    """The environment with a random sequence on it."""

    def build_phase(self) -> None:
        """Create the environment."""
        self.env = PairEnv("env", self)

    async def run_phase(self) -> None:
        """Run the sequence to its end, and the last cycle to its own."""
        self.raise_objection()
        bench: Bench = ConfigDB().get(self, "", "BENCH")
        cycles: int = ConfigDB().get(self, "", "CYCLES")
        await RandomSequence("random", bench, cycles).start(self.env.agent.seqr)
        await bench.monitor.wait_for_recv()
        RECORDER.compared["random"] = self.env.scoreboard.board.cycles
        self.drop_objection()


async def run_random(bench: Bench) -> None:
    """Compare both builds with the model over as many random cycles as ``TB_CYCLES`` says.

    Raises:
        AssertionError: an output differed from the model in some cycle.
    """
    cycles = int(os.environ.get(CYCLES_ENV, DEFAULT_CYCLES))
    root = uvm_root()
    root.clear_singletons()
    ConfigDB().set(None, "*", "BENCH", bench)
    ConfigDB().set(None, "*", "CYCLES", cycles)
    await uvm_root().run_test(RandomTest, keep_singletons=True)
