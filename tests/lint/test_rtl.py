# SPDX-License-Identifier: Apache-2.0
"""The RTL is clean in Verilator, Icarus and Yosys, in both builds, and keeps its conventions."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from models.ports import Build
from tb import tools
from tb.catalog import ROOT, Module, modules
from tb.pair import pair_source

EACH_MODULE = pytest.mark.parametrize("each", modules(), ids=lambda module: module.name)
EACH_BUILD = pytest.mark.parametrize("build", Build, ids=lambda build: build.name.lower())


def output_of(*command: str | Path) -> tuple[int, str]:
    done = subprocess.run(
        [str(part) for part in command],
        env=tools.environment(),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@EACH_MODULE
@EACH_BUILD
def test_verilator_has_nothing_to_say(each: Module, build: Build) -> None:
    code, said = output_of(
        tools.verilator_command(),
        "--lint-only",
        "-Wall",
        "--quiet",
        f"-G{each.model().PARAMETER}={build.value}",
        each.rtl,
    )

    assert code == 0, said
    assert said == ""


@EACH_MODULE
def test_the_simulator_elaborates_the_pair_in_silence(
    each: Module, simulator: str, tmp_path: Path
) -> None:
    pair = tmp_path / f"{each.top}.sv"
    pair.write_text(pair_source(each), encoding="utf-8")
    command: dict[str, list[str | Path]] = {
        "icarus": ["iverilog", "-g2012", "-Wall", "-Wno-timescale", "-t", "null", "-s", each.top],
        "verilator": [
            tools.verilator_command(), "--lint-only", "-Wall", "--quiet", "--top", each.top,
        ],
    }  # fmt: skip

    code, said = output_of(*command[simulator], each.rtl, pair)

    assert code == 0, said
    assert said == ""


@EACH_MODULE
def test_yosys_reads_it_and_finds_no_latch_loop_or_undriven_wire(each: Module) -> None:
    script = f"read_verilog -sv {each.rtl}; hierarchy -check -top {each.name}; proc; check -assert"
    program = "import sys; from pyosys import libyosys as ys; ys.run_pass(sys.argv[1], ys.Design())"

    code, said = output_of(sys.executable, "-c", program, script)

    assert code == 0, said
    assert "Warning" not in said
    assert "$dlatch" not in said


@EACH_MODULE
def test_the_header_is_a_contract(each: Module) -> None:
    text = each.rtl.read_text(encoding="utf-8")
    header = text[: text.index("`default_nettype none")]

    assert header.startswith("// SPDX-License-Identifier: Apache-2.0\n//\n// ")
    for promised in ("Contract", "latency", "enable", "reset", "counters", "Broken build, "):
        assert promised in header
    assert f"Broken build, {each.model().PARAMETER} != 0" in header
    assert text.endswith("endmodule\n\n`default_nettype wire\n")


@EACH_MODULE
def test_it_holds_no_unknown_literal_delay_or_initial_block(each: Module) -> None:
    code = re.sub(r"//.*", "", each.rtl.read_text(encoding="utf-8"))

    assert not re.search(r"'[bhdo]?[0-9a-f_]*[xz]|#\s*\d|\binitial\b|\balways\b", code, re.I)
