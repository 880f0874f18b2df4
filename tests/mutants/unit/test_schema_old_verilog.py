# SPDX-License-Identifier: Apache-2.0
"""Mutants of code as processor cores are written: many fit into the schema that once did not."""

from __future__ import annotations

from pathlib import Path

import pytest

from cocotb_mutants import schema
from tests.mutants.unit.schema_cases import FILE, design, module, swap

IN_A_CONDITION = """\
  always @(posedge clk) begin
    if (a && b)
`ifdef SOMETHING
      x <= n[1];
`else
      x <= n[0];
`endif
    y <= a;
  end
"""


def test_a_statement_that_ends_inside_of_an_ifdef_is_not_copied(tmp_path: Path) -> None:
    source = design(tmp_path, module(IN_A_CONDITION))
    inside = swap(source, ("a && b", "a || b"), name="inside")
    beside = swap(source, ("y <= a;", ";"), name="beside")
    wider = swap(source, ("a && b", "n"), name="wider")

    plan = schema.plan(source, [inside, beside, wider])

    assert plan.apart.keys() == {"wider"}
    assert plan.tracked == {"inside", "beside"}


def test_nor_is_a_value_to_watch_it(tmp_path: Path) -> None:
    text = "assign x = !a\n`ifdef SOMETHING\n & b;\n`else\n | b;\n`endif\nassign y = n[0];"
    source = design(tmp_path, module(text))
    inside = swap(source, ("!a", "a"), name="inside")
    beside = swap(source, ("n[0]", "n[1]"), name="beside")

    plan = schema.plan(source, [inside, beside])

    assert plan.apart == {}
    assert plan.tracked == {"beside"}


@pytest.mark.parametrize(
    "text",
    [
        "logic q; initial q = 1'b1;",
        "function automatic logic f(input logic i); f = i; endfunction assign x = f(a);",
    ],
)
def test_a_statement_that_nothing_watches_becomes_a_choice(tmp_path: Path, text: str) -> None:
    source = design(tmp_path, module(text))
    statement = "q = 1'b1;" if "q" in text else "f = i;"

    plan = schema.plan(source, [swap(source, (statement, ";"))])

    assert plan.apart == {}
    assert plan.tracked == frozenset()


def test_a_widened_value_does_not_take_whole_statements_with_it(tmp_path: Path) -> None:
    source = design(tmp_path, module("always @(posedge clk) z <= $signed(n);"))
    lost = swap(source, ("$signed(n)", "n"), name="lost")
    deleted = swap(source, ("z <= $signed(n);", ";"), name="deleted")

    plan = schema.plan(source, [lost, deleted])

    assert plan.apart == {}


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("assign x = (a && b) || (n[0] && n[1]);", "(a && b) || (n[0] && n[1])", "(n[0] && n[1])"),
        ("assign x = ((a)) || b;", "((a)) || b", "((a))"),
        ("assign z = 16'd0;", "16'd0", "16'd1"),
    ],
)
def test_a_value_that_leaves_parentheses_or_is_cut_fits(
    tmp_path: Path, text: str, old: str, new: str
) -> None:
    source = design(tmp_path, module(text))

    plan = schema.plan(source, [swap(source, (old, new))])

    assert plan.apart == {}


def test_a_text_can_be_made_gross(tmp_path: Path) -> None:
    source = design(tmp_path, module('always @(posedge clk) begin z <= "k"; x <= a & b; end'))

    plan = schema.plan(source, [swap(source, ("a & b", "a | b"))])

    assert b'("k")' in plan.texts[FILE]
