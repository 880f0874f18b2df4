# SPDX-License-Identifier: Apache-2.0
"""Builds: each made once, never a stale one, and a refusal that says where."""

from __future__ import annotations

import re
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from cocotb_mutants import launch
from cocotb_mutants.build import Build, BuildFailed, BuildRequest, Problem, build
from cocotb_mutants.errors import ToolMissing, UsageError
from cocotb_mutants.protocol import Job
from cocotb_mutants.worker import BenchRequest, run_alone
from tb.catalog import ROOT

SELECT = """\
package cocotb_mutants_select;
  int unsigned sel /* verilator public_flat_rw */ = 32'd0;
endpackage
"""
TOP = """\
`include "width.svh"
module adder #(
    parameter int Offset = 1
) (
    input  logic [`WIDTH-1:0] a,
    output logic [`WIDTH-1:0] sum
);
  assign sum = a + Offset[`WIDTH-1:0];
endmodule
"""
BENCH = """\
import os
import cocotb
from cocotb.triggers import Timer

@cocotb.test()
async def adds(dut):
    dut.a.value = 1
    await Timer(1, "ns")
    assert int(dut.sum.value) == int(os.environ["SUM"])
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small project whose path has a space in it, and no letter of ASCII in one place."""
    root = tmp_path / "mein Projekt ä"
    for file, text in {
        "select.sv": SELECT,
        "adder.sv": TOP,
        "inc/width.svh": "`define WIDTH 8\n",
        "bench.py": BENCH,
    }.items():
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(text, encoding="utf-8")
    (root / "work").mkdir()
    return root


def request(root: Path, simulator: str) -> BuildRequest:
    return BuildRequest(
        simulator,
        (root / "select.sv", root / "adder.sv"),
        "adder",
        includes=(root / "inc",),
        timescale="1ns/1ps",
    )


def gives(found: Build, root: Path, total: int) -> bool:
    bench = BenchRequest("adder", ("bench",), root, env={"SUM": str(total)})
    report = run_alone(
        found, bench, Job(0, 0, keep_log=True), root / "work" / "run", write_selector=False
    )
    assert report.complete, Path(report.log).read_text()
    return report.tests[0].status == "passed"


def test_a_second_request_is_free_and_a_changed_byte_is_not(project: Path, simulator: str) -> None:
    first = build(request(project, simulator), project / "work")
    assert first.seconds > 0
    assert gives(first, project, 2)
    again = build(request(project, simulator), project / "work")
    assert again.seconds == 0
    assert again.folder == first.folder
    source = project / "adder.sv"
    source.write_text(TOP.replace("a + ", "a - "))
    changed = build(request(project, simulator), project / "work")
    assert changed.folder != first.folder
    assert gives(changed, project, 0)
    source.write_text(TOP)  # newer now than what was made of it
    assert build(request(project, simulator), project / "work").folder == first.folder
    assert gives(first, project, 2)


def test_the_runtime_library_is_not_compiled_again(project: Path, simulator: str) -> None:
    first = build(request(project, simulator), project / "work")
    what = replace(request(project, simulator), defines={"OTHER": 1})
    again = build(what, project / "work")
    log = (again.folder / "build.log").read_text()
    assert "verilated.cpp" not in log
    assert ("Vtop__ALL.cpp" in log) == (simulator == "verilator")
    assert first.folder != again.folder


def test_parameters_and_defines_are_those_of_the_request(project: Path, simulator: str) -> None:
    what = replace(request(project, simulator), parameters={"Offset": 5}, defines={"WIDE": 1})
    assert gives(build(what, project / "work"), project, 6)


def test_a_changed_header_makes_another_build(project: Path, fastest: str) -> None:
    what = request(project, fastest)
    first = build(what, project / "work")
    (project / "inc" / "width.svh").write_text("`define WIDTH 16\n")
    assert build(what, project / "work").folder != first.folder
    header = project / "inc" / "width.svh"
    known = build(replace(what, headers=(header,)), project / "work")
    header.write_text("`define WIDTH 8\n")
    assert build(replace(what, headers=(header,)), project / "work").folder != known.folder


def test_a_build_that_was_cut_off_is_made_anew(project: Path, fastest: str) -> None:
    first = build(request(project, fastest), project / "work")
    (first.folder / "complete").unlink()
    left = first.folder / "left.txt"
    left.touch()
    again = build(request(project, fastest), project / "work")
    assert again.seconds > 0
    assert again.folder == first.folder
    assert not left.exists()


def test_two_that_want_the_same_build_share_it(project: Path, fastest: str) -> None:
    found: list[Build] = []

    def want() -> None:
        found.append(build(request(project, fastest), project / "work"))

    threads = [threading.Thread(target=want) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({each.folder for each in found}) == 1
    assert sorted(each.seconds > 0 for each in found) == [False, False, True]


def test_a_discarded_build_is_gone(project: Path, fastest: str) -> None:
    found = build(request(project, fastest), project / "work")
    found.discard()
    assert not found.folder.exists()
    assert build(request(project, fastest), project / "work").seconds > 0


@pytest.mark.parametrize(("old", "new"), [("a + ", "b + "), ("assign sum", "assign a b sum")])
def test_a_refusal_says_where(project: Path, simulator: str, old: str, new: str) -> None:
    source = project / "adder.sv"
    source.write_text(TOP.replace(old, new))
    with pytest.raises(BuildFailed) as caught:
        build(request(project, simulator), project / "work")
    first = caught.value.problems[0]
    assert all(problem.line for problem in caught.value.problems)
    assert (first.file, first.line) == (str(source), 8)
    assert first.message
    assert str(caught.value) == str(first) == f"{source}:8: {first.message}"
    assert first.message in caught.value.log.read_text()


def test_a_refusal_without_a_place_is_told_too(project: Path, simulator: str) -> None:
    what = replace(request(project, simulator), top="no_such_top")
    with pytest.raises(BuildFailed, match="no_such_top") as caught:
        build(what, project / "work")
    assert caught.value.log.is_file()


def test_a_missing_source_is_told(project: Path, simulator: str) -> None:
    (project / "adder.sv").unlink()
    with pytest.raises(BuildFailed, match=re.escape("adder.sv")):
        build(request(project, simulator), project / "work")


def test_warnings_do_not_end_a_build_unless_the_user_says_so(project: Path) -> None:
    if "verilator" not in launch_available():
        pytest.skip("Verilator is not installed")
    source = project / "adder.sv"
    source.write_text(TOP.replace("Offset[`WIDTH-1:0]", "Offset"))
    what = request(project, "verilator")
    assert gives(build(what, project / "work"), project, 2)
    strict = replace(what, build_args=("-Werror-WIDTHTRUNC",))
    with pytest.raises(BuildFailed) as caught:
        build(strict, project / "work")
    assert caught.value.problems[0].line == 8


def test_a_missing_simulator_is_told(
    project: Path, monkeypatch: pytest.MonkeyPatch, simulator: str
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(launch, "_wheel", lambda: None)
    with pytest.raises(ToolMissing, match=f"{simulator} cannot be used here") as caught:
        build(request(project, simulator), project / "work")
    assert "install" in caught.value.hint


def test_a_simulator_that_cocotb_does_not_know_is_told(project: Path) -> None:
    with pytest.raises(UsageError, match="'vcz' is not in supported list"):
        build(request(project, "vcz"), project / "work")


def test_a_problem_without_a_place_is_its_message() -> None:
    assert str(Problem("", 0, "no")) == "no"


def launch_available() -> set[str]:
    """The simulators that are here."""
    found = set()
    for name in ("icarus", "verilator"):
        try:
            launch.require(name, launch.environment(ROOT / "sim_build" / "bin"))
        except ToolMissing:
            continue
        found.add(name)
    return found
