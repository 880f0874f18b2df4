# SPDX-License-Identifier: Apache-2.0
"""The key of a verdict changes with everything that can change the verdict, and with no more."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from cocotb_mutants.config import Config, Target
from cocotb_mutants.keys import bench_digest, digest, manifest_key, run_settings, verdict_key
from cocotb_mutants.verdict import DEFAULT_DETECTED

TARGET = Target(
    name="a",
    sources=("rtl/a.sv",),
    mutate=("rtl/a.sv",),
    includes=(),
    defines={},
    parameters={},
    top="a",
    test_modules=("t",),
    test_filter="",
    timescale="1ns/1ps",
    build_args=(),
    test_args=(),
    plusargs=(),
    env={},
    python_path=(".",),
)
CONFIG = Config(root=Path("/p"), targets=(TARGET,), simulator="icarus")
PARTS: dict[str, Any] = {
    "design": "d",
    "mutant": "m",
    "bench": "b",
    "settings": "s",
    "tools": {"cocotb": "2.1", "python": "3.11"},
}


def test_the_borders_between_parts_count() -> None:
    assert digest(["ab", "c"]) != digest(["a", "bc"]) != digest(["abc"])


def test_text_and_its_bytes_are_one() -> None:
    assert digest(["é\udc80"]) == digest([b"\xc3\xa9\x80"])


@pytest.mark.parametrize("part", PARTS)
def test_every_part_is_in_the_key(part: str) -> None:
    other = {"cocotb": "2.2", "python": "3.11"} if part == "tools" else "other"

    assert verdict_key(**PARTS) != verdict_key(**{**PARTS, part: other})


def test_the_order_of_tools_does_not_count() -> None:
    tools = dict(reversed(PARTS["tools"].items()))

    assert verdict_key(**PARTS) == verdict_key(**{**PARTS, "tools": tools})


def test_the_bench_is_its_files_by_name_and_content() -> None:
    bench: dict[str, bytes | None] = {"t.py": b"1", "m.py": b"2"}
    others: list[dict[str, bytes | None]] = [
        {"t.py": b"2", "m.py": b"1"},
        {"t.py": b"1", "n.py": b"2"},
        {"t.py": b"1"},
        {"t.py": b"1", "m.py": None},
        {"t.py": b"1", "m.py": b""},
    ]

    digests = {bench_digest(each) for each in [bench, *others]}

    assert len(digests) == 6
    assert bench_digest(dict(reversed(bench.items()))) == bench_digest(bench)


@pytest.mark.parametrize(
    "change",
    [
        {"top": "b"},
        {"parameters": {"W": 8}},
        {"defines": {"W": "8"}},
        {"timescale": "1ps/1ps"},
        {"test_modules": ("u",)},
        {"test_filter": "x"},
        {"build_args": ("-O",)},
        {"test_args": ("-v",)},
        {"plusargs": ("+x",)},
        {"env": {"X": "1"}},
    ],
    ids=str,
)
def test_each_setting_of_a_target_that_can_change_a_verdict_counts(change: Any) -> None:
    other = dataclasses.replace(TARGET, **change)

    assert run_settings(CONFIG, TARGET, ()) != run_settings(CONFIG, other, ())
    assert manifest_key(TARGET, CONFIG) != manifest_key(other, CONFIG)


@pytest.mark.parametrize(
    "change",
    [
        {"simulator": "verilator"},
        {"seed": 2},
        {"all_tests": True},
        {"timeout_factor": 2.0},
        {"cpu_limit": 1.0},
        {"wall_limit": 1.0},
        {"sim_time_limit": 1},
        {"memory_limit": 1.0},
        {"output_limit": 1.0},
    ],
    ids=str,
)
def test_each_setting_of_a_campaign_that_can_change_a_verdict_counts(change: Any) -> None:
    other = dataclasses.replace(CONFIG, **change)

    assert run_settings(CONFIG, TARGET, ()) != run_settings(other, TARGET, ())


def test_what_must_not_change_a_verdict_does_not_count() -> None:
    same = dataclasses.replace(
        CONFIG, jobs=7, work_dir="x", sample=3, run_all=True, fork="never", schema=False
    )
    renamed = dataclasses.replace(TARGET, name="other", sources=(), mutate=(), python_path=("x",))

    assert run_settings(CONFIG, TARGET, ()) == run_settings(same, renamed, ())


def test_the_order_of_tables_does_not_count() -> None:
    one, other = (
        dataclasses.replace(TARGET, parameters=each)
        for each in ({"A": 1, "B": 2}, {"B": 2, "A": 1})
    )

    assert run_settings(CONFIG, one, ()) == run_settings(CONFIG, other, ())


def test_what_counts_as_detection_belongs_to_the_key_as_far_as_a_run_is_judged_by_it() -> None:
    usual = run_settings(CONFIG, TARGET, DEFAULT_DETECTED)

    assert usual != run_settings(CONFIG, TARGET, DEFAULT_DETECTED | {"exception"})
    assert usual == run_settings(CONFIG, TARGET, DEFAULT_DETECTED - {"timeout"})
