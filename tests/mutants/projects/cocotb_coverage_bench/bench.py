# SPDX-License-Identifier: Apache-2.0
"""Constrained-random operands, with coverage that is written to a file and read again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cocotb
from cocotb.triggers import Timer
from cocotb_coverage.coverage import CoverPoint, coverage_db
from cocotb_coverage.crv import Randomized


class Pair(Randomized):  # type: ignore[misc]
    """Two operands whose sum is not full."""

    def __init__(self) -> None:
        super().__init__()
        self.a = 0
        self.b = 0
        self.add_rand("a", list(range(16)))
        self.add_rand("b", list(range(16)))
        self.add_constraint(lambda a, b: a + b < 16)


@CoverPoint(  # type: ignore[untyped-decorator]
    "saturate.sum", xf=lambda total: total, bins=list(range(16))
)
def sample(total: int) -> None:
    """Note a sum."""


@cocotb.test()
async def random_sums_are_exact(dut: Any) -> None:
    pair = Pair()
    for _ in range(30):
        pair.randomize()
        dut.a_i.value, dut.b_i.value = pair.a, pair.b
        await Timer(1, "ns")
        sample(pair.a + pair.b)
        assert int(dut.sum_o.value) == pair.a + pair.b
    coverage_db.export_to_xml("coverage.xml")
    assert "saturate.sum" in Path("coverage.xml").read_text(encoding="utf-8")
