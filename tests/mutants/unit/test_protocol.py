# SPDX-License-Identifier: Apache-2.0
"""Messages between the two sides of a simulation."""

from __future__ import annotations

import json

import pytest

from cocotb_mutants.protocol import (
    Hello,
    HitRegister,
    Job,
    Limits,
    RunReport,
    TestResult,
    WorkerSpec,
    encode,
)

JOB = Job(3, 0xFFFF_FFFF, ("bench.ä", "bench.b"), limits=Limits(cpu_s=0.5, sim_steps=10**15))
MESSAGES = [
    Limits(),
    Job(1, 2),
    JOB,
    TestResult("bench.a", "failed", "assertion", "AssertionError", 'says "no"\nand \ud800', 1, 2),
    RunReport(1),
    RunReport(
        2,
        ("bench.a",),
        1,
        1,
        (TestResult("bench.a", "passed"),),
        complete=True,
        exit_code=0,
        hits={"bench.a": (1, 2), "bench.b": ()},
        unwatched=(3, 4),
        rtl_errors=("no",),
        files=("bench.py",),
    ),
    WorkerSpec("list", "channel", "/root", "/run"),
    WorkerSpec(
        "single",
        "channel",
        "/root",
        "/run",
        ignored=("/run",),
        outputs=("count",),
        hits=(HitRegister("top.hit", 40, (1, 2)),),
        job=JOB,
    ),
    Hello(("bench.a",), "a thread", "a traceback"),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_a_message_is_the_same_after_its_way_through_one_line_of_json(message: object) -> None:
    line = encode(message)  # type: ignore[arg-type]
    assert "\n" not in line
    assert line.isascii()
    assert type(message).from_json(json.loads(line)) == message  # type: ignore[attr-defined]


def test_a_message_of_another_version_is_refused() -> None:
    with pytest.raises(TypeError, match="speed"):
        Limits.from_json({"speed": 1})
