# SPDX-License-Identifier: Apache-2.0
"""Every pair of operands, beside a thread that lives from the import on."""

from __future__ import annotations

import queue
import threading
from typing import Any

import cocotb
from cocotb.triggers import Timer

QUESTIONS: queue.Queue[tuple[int, int]] = queue.Queue()
ANSWERS: queue.Queue[int] = queue.Queue()


def reference() -> None:
    """The model, in a thread of its own: a fork would leave it behind."""
    while True:
        a, b = QUESTIONS.get()
        ANSWERS.put(min(a + b, 15))


def expected(a: int, b: int) -> int:
    """Ask the model; it answers at once, or it is not there."""
    QUESTIONS.put((a, b))
    return ANSWERS.get(timeout=10)


threading.Thread(target=reference, daemon=True).start()


@cocotb.test()
async def small_sums_are_exact(dut: Any) -> None:
    for a in range(16):
        for b in range(16 - a):
            dut.a_i.value, dut.b_i.value = a, b
            await Timer(1, "ns")
            assert (int(dut.sum_o.value), int(dut.full_o.value)) == (expected(a, b), 0)


@cocotb.test()
async def large_sums_stop_at_the_largest(dut: Any) -> None:
    for a in range(16):
        for b in range(16 - a, 16):
            dut.a_i.value, dut.b_i.value = a, b
            await Timer(1, "ns")
            assert (int(dut.sum_o.value), int(dut.full_o.value)) == (expected(a, b), 1)
