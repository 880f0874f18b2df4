# SPDX-License-Identifier: Apache-2.0
"""Some words, each with its number of ones."""

from __future__ import annotations

import signal
from typing import Any

import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def ones_are_counted(dut: Any) -> None:
    signal.alarm(60)  # the project's own end, should nobody else end it
    for word in (0b0, 0b1, 0b1000_0000, 0b0110_1001, 0b1111_1110, 0b1111_1111):
        dut.data_i.value = word
        await Timer(1, "ns")
        assert int(dut.count_o.value) == word.bit_count()
        assert int(dut.odd_o.value) == word.bit_count() % 2
    signal.alarm(0)
