# SPDX-License-Identifier: Apache-2.0
"""Survivors explained by the real command: tests that run, pass on the original, and kill."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import simulators
from tests.mutants.acceptance.conftest import WORK, Project, Run

Copy = Callable[[str], Project]
BOTH = (
    "(int(dut.sum_o.value), int(dut.full_o.value)) == (a + b, 0)",
    "int(dut.sum_o.value) == a + b",
)
LARGE = ("(int(dut.sum_o.value), int(dut.full_o.value)) == (15, 1)", "int(dut.sum_o.value) == 15")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run on each simulator."""
    if "sim" in metafunc.fixturenames:
        metafunc.parametrize("sim", simulators(metafunc.config))


def weakened(project: Copy) -> Project:
    """The project whose bench looks at one output of two."""
    found = project("well_tested")
    for change in (BOTH, LARGE):
        found.edit("bench.py", *change)
    return found


def test_a_missing_check_gets_a_test_that_kills_all_it_let_live(project: Copy, sim: str) -> None:
    weak = weakened(project)
    run = weak.run("--sim", sim, "--explain")

    survivors = [name for name, state in run.states.items() if state == "survived"]
    assert survivors
    assert run.code == 0
    for name in survivors:
        reason = str(run.mutants[name].values["statusReason"])
        assert "full_o is" in reason
        assert "witnesses/test_survivors_of_saturate.py kills it" in reason
    (path,) = (weak.root / WORK / "witnesses").glob("*.py")
    tests = path.read_text(encoding="utf-8").count("@cocotb.test()")
    assert 1 <= tests < len(survivors)

    (weak.root / path.name).write_bytes(path.read_bytes())
    weak.before[path.name] = path.read_bytes()
    again = weak.run("--sim", sim, "--test-module", "bench", "--test-module", path.stem)
    assert set(again.states.values()) == {"killed"}
    assert {name for name in survivors if again.mutants[name].killers}.issuperset(survivors)


def test_the_written_tests_alone_pass_and_kill(project: Copy, sim: str) -> None:
    weak = weakened(project)
    weak.run("--sim", sim, "--explain")
    (path,) = (weak.root / WORK / "witnesses").glob("*.py")
    (weak.root / path.name).write_bytes(path.read_bytes())
    weak.before[path.name] = path.read_bytes()

    alone = weak.run("--sim", sim, "--test-module", path.stem)

    # The original passes them, or there would be no verdict at all.
    assert alone.code == 0
    named = path.read_text(encoding="utf-8")
    for name, state in alone.states.items():
        if f"- {name}:" in named:
            assert state == "killed", name


DESIGN = """\
module t(input logic clk, rst_n, en, input logic [7:0] a, b,
         output logic [7:0] q, r, output logic w);
  logic [3:0] n;
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) n <= 4'd0;
    else if (en) n <= (n == 4'd9) ? 4'd0 : n + 4'd1;
  always_ff @(posedge clk) q <= a;
  assign w = n == 4'd9;
  assign r = (b == 8'd0) ? 8'd0 : a / b;
endmodule
"""
BENCH = '''\
import cocotb
from cocotb.triggers import Timer

@cocotb.test()
async def nothing(dut):
    """Look at no output."""
    dut.rst_n.value = 0
    dut.a.value, dut.b.value, dut.en.value = 1, 1, 1
    for _ in range(3):
        dut.clk.value = 0
        await Timer(1)
        dut.clk.value = 1
        await Timer(1)
    assert dut.w.value == 0
'''
MUTANTS = {
    "same": ("n == 4'd9) ? ", "n >= 4'd9) ? "),
    "late": ("w = n == 4'd9", "w = n == 4'd8"),
    "event": ("posedge clk) q", "negedge clk) q"),
    "guard": ("(b == 8'd0) ? 8'd0 : ", ""),
    "swap": ("q <= a", "q = a"),
    "data": ("q <= a", "q <= b"),
}


@pytest.fixture
def own(tmp_path: Path) -> Project:
    """A project with a mutant of each kind."""
    root = tmp_path / "own one"
    root.mkdir()
    (root / "t.sv").write_text(DESIGN)
    (root / "bench.py").write_text(BENCH)
    entries = (
        f'[[mutation]]\nname = {name!r}\nfile = \'t.sv\'\nfind = "{find}"\nreplace = "{to}"\n'
        "reason = 'why not'\n"
        for name, (find, to) in MUTANTS.items()
    )
    (root / "mutants.toml").write_text("\n".join(entries))
    (root / "pyproject.toml").write_text(
        "[tool.cocotb-mutants]\nsources = ['t.sv']\ntop = 't'\ntest-modules = ['bench']\n"
        "mutations = ['mutants.toml']\nonly-mutations = true\n"
    )
    return Project(root, {})


def stories(run: Run) -> dict[str, str]:
    return {name: str(found.values["statusReason"]) for name, found in run.mutants.items()}


def test_each_kind_of_survivor_has_its_own_story(own: Project, sim: str) -> None:
    own.before.update({p.name: p.read_bytes() for p in own.root.iterdir() if p.is_file()})
    run = own.run("--sim", sim, "--explain")

    told = stories(run)
    assert told["same"].startswith("ignored: equivalent: by induction with")
    assert "w is 1 instead of 0 after" in told["late"]
    assert "kills_" in told["late"]
    assert "not decided: it changes what wakes a process" in told["event"]
    assert told["swap"].startswith("ignored: equivalent: nothing that runs at the same edge reads")
    assert "q is" in told["data"]
    # A division by zero is an X in one simulator and 0, as the guard says, in the other.
    if sim == "icarus":
        assert "r is undetermined instead of 0" in told["guard"]
        assert "kills it" in told["guard"]
    else:
        assert "differs only by what nothing determines: a division by zero" in told["guard"]
    report = json.loads((own.root / WORK / "test-report.json").read_text())
    assert report["performance"].keys() == {"setup", "initialRun", "mutation"}


def test_a_build_and_a_process_each_give_the_same_stories(own: Project, fastest: str) -> None:
    own.before.update({p.name: p.read_bytes() for p in own.root.iterdir() if p.is_file()})
    usual = own.run("--sim", fastest, "--explain")
    apart = own.run("--sim", fastest, "--explain", "--no-schema", "--no-fork", "--fresh")

    def told(run: Run) -> dict[str, str]:
        """What is said last: before it there is what depends on whether activation is watched."""
        return {name: story.rpartition("; ")[2] for name, story in stories(run).items()}

    assert told(apart) == told(usual)
