# SPDX-License-Identifier: Apache-2.0
"""How far survivors came, by the real command: the output that nobody checks has a name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutants.acceptance.conftest import Project, Run

OUTPUTS = 20
INNER = """\
module inner(input logic clk, rst_n, input logic [7:0] a, output logic [7:0] q, output logic p);
  logic idle;
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) q <= 8'd0;
    else q <= a + 8'd1;
  assign idle = a == 8'd77;
  assign p = ^q;
endmodule
"""
TOP = """\
module top(input logic clk, rst_n, open, input logic [7:0] a,
           output logic [7:0] y, n, output logic z);
  logic [7:0] q;
  logic p;
  inner u_inner(.clk(clk), .rst_n(rst_n), .a(a), .q(q), .p(p));
  assign y = open ? q : 8'd0;
  assign z = p & open;
  assign n = ~a;
endmodule
"""
BENCH = '''\
import cocotb
from cocotb.triggers import Timer

async def cycle(dut):
    dut.clk.value = 0
    await Timer(5, "ns")
    dut.clk.value = 1
    await Timer(5, "ns")

@cocotb.test()
async def closed(dut):
    """The gate is shut, so that nothing gets out."""
    dut.open.value, dut.rst_n.value, dut.a.value = 0, 0, 0
    await cycle(dut)
    dut.rst_n.value = 1
    for a in range(4):
        dut.a.value = a
        await cycle(dut)
        assert dut.y.value == 0

@cocotb.test()
async def opened(dut):
    """z is not looked at."""
    dut.open.value = OPEN
    for a in range(4):
        dut.a.value = a
        await cycle(dut)
    assert dut.y.value == OPEN * 4
'''


def write(root: Path, texts: dict[str, str], sources: str, top: str) -> Project:
    """A project of these files."""
    root.mkdir(parents=True)
    texts["pyproject.toml"] = (
        f"[tool.cocotb-mutants]\nsources = {sources}\ntop = '{top}'\ntest-modules = ['bench']\n"
        "mutations = ['mutants.toml']\nonly-mutations = true\n"
    )
    for name, text in texts.items():
        (root / name).write_text(text, encoding="utf-8")
    return Project(root, {name: (root / name).read_bytes() for name in texts})


def mutation(name: str, file: str, find: str, replace: str) -> str:
    return (
        f"[[mutation]]\nname = '{name}'\nfile = '{file}'\nfind = \"{find}\"\n"
        f"replace = \"{replace}\"\nreason = 'why'\n"
    )


def gate(root: Path, opened: int) -> Project:
    mutants = [
        mutation("idle", "inner.sv", "8'd77", "8'd2"),
        mutation("parity", "inner.sv", "p = ^q", "p = !(^q)"),
        mutation("sum", "inner.sv", "a + 8'd1", "a + 8'd3"),
    ]
    bench = BENCH.replace("OPEN", str(opened))
    texts = {"inner.sv": INNER, "top.sv": TOP, "bench.py": bench, "mutants.toml": "".join(mutants)}
    return write(root, texts, "['inner.sv', 'top.sv']", "top")


def story(run: Run, name: str) -> str:
    return str(run.mutants[name].values["statusReason"])


@pytest.mark.parametrize("mode", ["--no-fork", "--no-schema"])
def test_a_way_to_run_changes_nothing(tmp_path: Path, mode: str) -> None:
    way_out(tmp_path, "icarus", mode)


def test_a_fault_gets_nowhere_or_to_its_module_or_past_the_checks(
    tmp_path: Path, simulator: str
) -> None:
    way_out(tmp_path, simulator)


def way_out(tmp_path: Path, simulator: str, *mode: str) -> None:
    """Run both projects and compare each story."""
    shut = gate(tmp_path / "shut", 0).run("--sim", simulator, "--explain", *mode)
    wide = gate(tmp_path / "wide", 1).run("--sim", simulator, "--explain", *mode)

    # What nothing reads is proved to be no fault, and has no run of its own.
    assert story(shut, "idle").startswith("ignored: equivalent")
    # Reset at 5 ns, when the clock rises, or before: the parity of 0 is what differs first.
    assert "survived: 2 tests ran and none failed; top.u_inner.p was 1 instead of 0, first at" in (
        story(shut, "parity")
    )
    assert "no output of the top differed: a stimulus is missing" in story(shut, "parity")
    assert "top.u_inner.q was 00000011 instead of 00000001, first at 15 ns in bench.closed" in (
        story(shut, "sum")
    )
    assert "z was 0 instead of 1, first at" in story(wide, "parity")
    assert "in bench.opened, and no check noticed: a check is missing" in story(wide, "parity")
    assert story(wide, "sum").startswith("killed")


def many(root: Path) -> Project:
    """Twenty outputs of twenty kinds of logic, and a bench that leaves out the check `LEFT`."""
    ports = ", ".join(f"o{i}" for i in range(OUTPUTS))
    lines = [f"module t(input logic clk, input logic [7:0] a, b, output logic [7:0] {ports});"]
    checks, mutants = [], []
    for i in range(OUTPUTS):
        right, wrong, value = [
            (f"a + b + 8'd{i}", f"a + b + 8'd{i + 1}", f"(a + b + {i}) % 256"),
            (f"(a ^ b) | 8'd{i}", f"(a ^ ~b) | 8'd{i}", f"(a ^ b) | {i}"),
            (f"a > b ? 8'd{i} : 8'd99", f"a >= b ? 8'd{i} : 8'd99", f"{i} if a > b else 99"),
            (f"a - 8'd{i}", f"a + 8'd{i}", f"(a - {i}) % 256"),
        ][i % 4]
        lines.append(f"  assign o{i} = {right};")
        checks.append(value)
        mutants.append(mutation(f"m{i}", "t.sv", f"o{i} = {right};", f"o{i} = {wrong};"))
    lines.append("endmodule\n")
    body = "\n        ".join(f"o.append({value})" for value in checks)
    bench = (
        "import os\nimport cocotb\nfrom cocotb.triggers import Timer\n\n"
        "@cocotb.test()\nasync def all_but_one(dut):\n"
        "    for a, b in [(0, 0), (3, 200), (255, 1), (77, 77), (200, 3)]:\n"
        "        dut.a.value, dut.b.value = a, b\n        await Timer(1, 'ns')\n"
        f"        o = []\n        {body}\n        for i in range({OUTPUTS}):\n"
        "            if i != int(os.environ['LEFT']):\n"
        "                assert getattr(dut, f'o{i}').value == o[i], i\n"
    )
    texts = {"t.sv": "\n".join(lines), "bench.py": bench, "mutants.toml": "".join(mutants)}
    return write(root, texts, "['t.sv']", "t")


def test_the_output_without_a_check_is_named(tmp_path: Path) -> None:
    project = many(tmp_path / "many")
    named = []
    for left in range(OUTPUTS):
        run = project.run("--sim", "icarus", "--explain", "--env", f"LEFT={left}")
        survivors = [name for name, state in run.states.items() if state == "survived"]
        assert survivors == [f"m{left}"]
        named.append(f"; o{left} was " in story(run, f"m{left}"))
    assert sum(named) == OUTPUTS
