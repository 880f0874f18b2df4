# SPDX-License-Identifier: Apache-2.0
"""Tests that do to a simulation what no test should."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, Timer, with_timeout


@cocotb.test()
async def passes(dut: Any) -> None:
    dut.en.value = 0
    await Timer(5, "ns")


@cocotb.test()
async def kills_itself(dut: Any) -> None:
    await Timer(1, "ns")
    os.kill(os.getpid(), signal.SIGKILL)


@cocotb.test()
async def kills_its_parent(dut: Any) -> None:
    await Timer(1, "ns")
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(60)


@cocotb.test()
async def leaves_at_once(dut: Any) -> None:
    await Timer(1, "ns")
    os._exit(7)


@cocotb.test()
async def follows_a_null_pointer(dut: Any) -> None:
    await Timer(1, "ns")
    ctypes.string_at(0)


@cocotb.test()
async def eats_memory(dut: Any) -> None:
    await Timer(1, "ns")
    kept = []
    while True:
        kept.append(bytearray(1 << 20))


@cocotb.test()
async def eats_memory_in_c(dut: Any) -> None:
    await Timer(1, "ns")
    calloc = ctypes.CDLL(None).calloc
    calloc.restype = ctypes.c_void_p
    while calloc(1, 1 << 20):
        pass
    raise MemoryError


@cocotb.test()
async def floods(dut: Any) -> None:
    while True:
        print("and so on" * 100)


@cocotb.test()
async def fills_a_file(dut: Any) -> None:
    with Path(os.environ["COCOTB_RESULTS_FILE"]).with_name("large").open("w") as file:
        while True:
            file.write("and so on" * 100)


@cocotb.test()
async def loops(dut: Any) -> None:
    while True:
        pass


@cocotb.test()
async def sleeps(dut: Any) -> None:
    time.sleep(60)


@cocotb.test()
async def never_ends(dut: Any) -> None:
    Clock(dut.clk, 10, "ns").start()
    while True:
        await RisingEdge(dut.clk)


@cocotb.test(timeout_time=100, timeout_unit="ns")
async def has_a_timeout(dut: Any) -> None:
    await Timer(1, "us")


@cocotb.test()
async def waits_with_a_timeout(dut: Any) -> None:
    await with_timeout(Timer(1, "us"), 10, "ns")


@cocotb.test()
async def leaves_programs_behind(dut: Any) -> None:
    for session in (False, True):
        child = subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=session
        )
        with Path(__file__).with_name("left.txt").open("a") as file:
            file.write(f"{child.pid}\n")
    await Timer(1, "ns")


@cocotb.test()
async def leaves_a_file_beside_its_results(dut: Any) -> None:
    await Timer(1, "ns")
    file = Path(os.environ["COCOTB_RESULTS_FILE"]).with_name("left by a bench")
    assert not file.exists()
    file.touch()


@cocotb.test()
async def raises_key_error(dut: Any) -> None:
    await Timer(1, "ns")
    raise KeyError("no such key")


@cocotb.test()
async def expects_an_exception(dut: Any) -> None:
    await Timer(1, "ns")
    with pytest.raises(KeyError):
        pass


@cocotb.test(expect_fail=True)
async def passes_against_expectation(dut: Any) -> None:
    await Timer(1, "ns")


@cocotb.test()
async def takes_no_argument() -> None:
    raise NotImplementedError


@cocotb.test()
async def drives_too_large_a_number(dut: Any) -> None:
    dut.en.value = 2
    await Timer(1, "ns")


@cocotb.test()
async def prints_what_it_does(dut: Any) -> None:
    print("this was printed")
    await Timer(1, "ns")
    raise AssertionError("and this was said")
