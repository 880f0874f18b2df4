# SPDX-License-Identifier: Apache-2.0
"""Where mutated text is put, which test leads, and how long a run may take."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path

import pytest

from cocotb_mutants.config import Config
from cocotb_mutants.layout import include_folders, lay_out, write_whole
from cocotb_mutants.limits import MEMORY, MIB, OUTPUT, confirm, golden_limits, mutant_limits
from cocotb_mutants.order import activated, first_test, only, quick_start
from cocotb_mutants.protocol import Limits, RunReport, TestResult
from cocotb_mutants.source import Sources


def sources(folder: Path) -> Sources:
    for name in ("a/x.sv", "b/x.sv"):
        (folder / name).parent.mkdir()
        (folder / name).write_text(f"// {name}\n")
    return Sources(folder, ("a/x.sv", "b/x.sv"), "t", includes=("inc", "a"))


def test_two_files_of_one_name_do_not_meet(tmp_path: Path) -> None:
    user = sources(tmp_path)
    texts = {"a/x.sv": b"same", "b/x.sv": b"same"}

    select, one, two = lay_out(user, texts, b"package", tmp_path / "work")

    assert select.read_bytes() == b"package"
    assert one != two
    assert {one.read_bytes(), two.read_bytes()} == {b"same"}


def test_a_file_without_a_mutant_is_the_users_own(tmp_path: Path) -> None:
    user = sources(tmp_path)

    paths = lay_out(user, {"b/x.sv": b"other"}, b"", tmp_path / "work")

    assert paths[1] == tmp_path / "a/x.sv"
    assert paths[2].read_bytes() == b"other"
    assert lay_out(user, {"b/x.sv": b"other"}, b"", tmp_path / "work") == paths


def test_a_moved_copy_still_finds_the_headers_beside_it(tmp_path: Path) -> None:
    assert include_folders(sources(tmp_path)) == tuple(tmp_path / n for n in ("inc", "a", "b"))


def test_a_write_that_fails_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()

    with pytest.raises(OSError, match="x"):
        write_whole(tmp_path / "x", b"")

    assert [path.name for path in tmp_path.iterdir()] == ["x"]


GOLDEN = RunReport(
    job=0,
    tests=(
        TestResult("long", "passed", sim_start=0, sim_end=90),
        TestResult("short", "passed", sim_start=90, sim_end=95),
        TestResult("shorter", "xfailed", sim_start=95, sim_end=96),
    ),
    hits={"long": (1, 2), "short": (2, 3)},
    cpu_s=0.5,
    sim_end=96,
    max_rss=10,
)


def test_the_tests_that_activate_a_mutant_are_known() -> None:
    assert activated(GOLDEN) == {1: ("long",), 2: ("long", "short"), 3: ("short",)}


def test_the_test_with_most_kills_leads_and_without_a_history_the_shortest() -> None:
    assert first_test(["long", "short"], GOLDEN, {}) == "short"
    assert first_test(["long", "short"], GOLDEN, {"long": 2, "short": 1}) == "long"
    assert first_test(["shorter"], GOLDEN, {}) is None
    assert first_test([], GOLDEN, {}) is None


def test_a_quick_start_takes_next_to_nothing_of_the_whole_time() -> None:
    def golden(*lengths: int) -> RunReport:
        ends = list(accumulate(lengths))
        return RunReport(
            0,
            tests=tuple(
                TestResult(f"t{n}", "passed", sim_start=end - length, sim_end=end, cpu_s=length)
                for n, (length, end) in enumerate(zip(lengths, ends, strict=True))
            ),
            sim_end=ends[-1],
        )

    assert quick_start(golden(2, 3, 95)) == ("t0", "t1")
    assert quick_start(golden(2, 4, 94)) == ("t0",)
    assert quick_start(golden(6, 1, 93)) == ()
    assert quick_start(golden(0, 0)) == ()
    start = only(golden(2, 3, 95), ("t0", "t1"))
    assert ([test.name for test in start.tests], start.cpu_s, start.sim_end) == (["t0", "t1"], 5, 5)


def test_limits_follow_the_golden_run(tmp_path: Path) -> None:
    config = Config(root=tmp_path, targets=(), timeout_factor=4.0)

    assert golden_limits(config) == Limits()
    assert mutant_limits(config, GOLDEN) == Limits(3.0, 14.0, 385, 10 + MEMORY, OUTPUT)
    assert mutant_limits(config, GOLDEN, patience=3) == Limits(9.0, 42.0, 385, 10 + MEMORY, OUTPUT)
    assert confirm(config)


def test_the_users_limits_win(tmp_path: Path) -> None:
    config = Config(
        root=tmp_path,
        targets=(),
        cpu_limit=1.0,
        wall_limit=2.0,
        sim_time_limit=3,
        memory_limit=4.0,
        output_limit=5.0,
    )

    assert mutant_limits(config, GOLDEN) == Limits(1.0, 2.0, 3, 4 * MIB, 5 * MIB)
    assert golden_limits(config) == mutant_limits(config, GOLDEN)
    assert not confirm(config)
