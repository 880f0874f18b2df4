# SPDX-License-Identifier: Apache-2.0
"""The text of the tests that kill survivors, and how a witness is made simpler."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from cocotb_mutants.handwritten import HandWritten, plant
from cocotb_mutants.proofs.model import Witness
from cocotb_mutants.proofs.prover import Proved, Prover
from cocotb_mutants.proofs.search import confirmed
from cocotb_mutants.proofs.shrink import shrunk
from cocotb_mutants.source import Sources, elaborate
from cocotb_mutants.witness_tests import WitnessTest, identifiers, render

HERE = Path(__file__).parents[1] / "proofs"
WITNESS = Witness(
    steps=(
        {"rst_n": 0, "a": 0},
        {"rst_n": 0, "a": 0},
        {"rst_n": 1, "a": 70000},
        {"rst_n": 1, "a": 70000},
        {"rst_n": 1, "a": 70000},
        {"rst_n": 0, "a": 70000},
        {"rst_n": 0, "a": 3},
    ),
    clocked=(True, True, True, True, True, False, True),
    output="x",
    original=5,
    mutant=6,
    expected={"x": 5, "class": 1},
)


def body(text: str) -> list[str]:
    """The lines of the only test after its docstring."""
    lines = text.partition("@cocotb.test()\n")[2].splitlines()
    return [line.strip() for line in lines[lines.index('    """') + 1 :]]


def test_a_test_drives_what_changes_and_checks_the_output_first() -> None:
    text = render("clk", 1, "Title.", [WitnessTest("kills_m", WITNESS, (("m", "a -> b"),))])

    ast.parse(text)
    assert body(text) == [
        "dut.clk.value = 0",
        "dut.rst_n.value = 0",
        "dut.a.value = 0",
        "await settle()",
        "for _ in range(2):",
        "await edge(dut.clk)",
        "dut.rst_n.value = 1",
        "dut.a.value = 0x11170",
        "await settle()",
        "for _ in range(3):",
        "await edge(dut.clk)",
        # The reset is an edge by itself: no clock.
        "dut.rst_n.value = 0",
        "await settle()",
        "dut.a.value = 3",
        "await settle()",
        "check(dut.x, 5)",
        "check(dut['class'], 1)",
    ]


def test_a_clock_of_falling_edges_rests_at_one() -> None:
    text = render("clk", 0, "", [WitnessTest("kills_m", WITNESS, ())])
    assert "dut.clk.value = 1" in text
    assert "one falling edge" in text
    assert text.index("clock.value = 0") < text.index("clock.value = 1")


def test_without_a_clock_there_are_no_edges() -> None:
    assert "await edge(" not in render("", 1, "", [WitnessTest("kills_m", WITNESS, ())])


@pytest.mark.parametrize(
    "odd", ['"""', 'a"""b', "\\", "a\nb", "\\N{BULLET}", 'ends with "', "\u2028é"]
)
def test_no_text_of_the_design_breaks_the_file(odd: str) -> None:
    text = render("clk", 1, odd, [WitnessTest("kills_m", WITNESS, ((odd, odd),))])
    module = ast.parse(text)
    assert len(module.body) == 7  # docstring, two imports, three helpers, one test
    assert isinstance(module.body[-1], ast.AsyncFunctionDef)


def test_each_mutant_has_a_test_of_its_own_name() -> None:
    names = ["m.n[0].é-1a", "a-b", "a_b", "a.b", "a_b_2"]
    found = identifiers(names)
    assert list(found.values()) == [
        "kills_m_n_0____1a",
        "kills_a_b",
        "kills_a_b_2",
        "kills_a_b_3",
        "kills_a_b_2_2",
    ]
    assert all(name.isidentifier() for name in found.values())


def found(design: str, find: str, to: str) -> Proved:
    source = elaborate(Sources(HERE, (f"{design}.sv",), design))
    mutant = plant(source, HandWritten("m", f"{design}.sv", find, to, "", ""))
    assert mutant is not None
    ((_, proved),) = Prover(source, [mutant]).all()
    return proved


def test_a_witness_keeps_only_what_it_needs() -> None:
    proved = found("counter", "assign high = (count > 4'd5);", "assign high = (count > 4'd6);")
    assert proved.model is not None
    assert proved.mutant is not None
    assert proved.decision.witness is not None

    short = shrunk(proved.model, proved.mutant, proved.decision.witness, seconds=20)

    # Reset, six counts, and a look: nothing else is 1 but the enable.
    assert [step["en"] for step in short.steps[-7:-1]] == [1] * 6
    assert len(short.steps) <= 9
    assert {step["clear"] for step in short.steps} == {0}
    assert (short.output, short.original, short.mutant) == ("high", 1, 0)
    again = confirmed(proved.model, proved.mutant, short.steps)
    assert again.witness == short


def test_without_time_a_witness_stays_as_it_is() -> None:
    proved = found("comb", "(a >= 8'd100)", "(a > 8'd100)")
    assert proved.model is not None
    assert proved.mutant is not None
    witness = proved.decision.witness
    assert witness is not None
    assert shrunk(proved.model, proved.mutant, witness, seconds=0) == witness
