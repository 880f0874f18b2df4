# SPDX-License-Identifier: Apache-2.0
"""Mutants of event lists: a process of their own in the schema, proved like any other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cocotb_mutants import schema
from cocotb_mutants.attempt import Attempt
from cocotb_mutants.events import copies_of
from cocotb_mutants.prove import analyse
from cocotb_mutants.source import Design
from tests.mutants.unit.schema_cases import FILE, design, module, swap

CLOCKED = "always_ff @(posedge clk or negedge b) if (!b) x <= 0; else if (a) x <= n[0]; // x"
PLAIN = "always @(posedge clk)begin y <= a; end"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("posedge clk or", "negedge clk or"),
        ("negedge b", "posedge b"),
        (" or negedge b", ""),
        ("@(posedge clk)", "@(negedge clk)"),
        ("@(posedge clk)", "@*"),
    ],
)
def test_a_mutant_of_an_event_list_is_in_the_schema(tmp_path: Path, old: str, new: str) -> None:
    source = design(tmp_path, module(CLOCKED, PLAIN))
    other = swap(source, ("n[0]", "n[1]"), name="other")

    plan = schema.plan(source, [swap(source, (old, new)), other])

    assert [mutant.name for mutant in plan.in_schema] == ["m", "other"]
    assert plan.apart == {}
    assert plan.tracked == {"other"}  # what an event does is not watched: it counts as activated


def test_the_process_is_there_once_more_and_each_runs_for_its_own_selector(tmp_path: Path) -> None:
    source = design(tmp_path, module(CLOCKED))

    plan = schema.plan(source, [swap(source, ("posedge clk", "negedge clk"))])

    lines = plan.texts[FILE].decode().splitlines()
    chosen = "if (cocotb_mutants_select::sel == 32'd1)"
    assert "/* always_ff */ always  @(posedge clk or negedge b)" in lines
    assert any(line.startswith(f"{chosen} ; else ") for line in lines)
    assert f"always @(negedge clk or negedge b) {chosen}  if (!b) x <= 0; else if (a)" in "".join(
        line for line in lines if "always @(neg" in line
    )


@pytest.mark.parametrize(
    ("item", "old", "new"),
    [
        ("always_ff @(posedge clk) begin : named x <= a; end", "posedge", "negedge"),
        ("(* keep *) always_ff @(posedge clk) x <= a;", "posedge", "negedge"),
        ("always begin @(posedge clk) x <= a; @(negedge clk); end", "posedge", "negedge"),
        ("if (1) always_ff @(posedge clk) x <= a;", "posedge", "negedge"),
        ("always @(posedge clk)\n`define K 1\nx <= a;", "posedge", "negedge"),
        (
            "`ifndef K\nalways @(posedge clk)\n`else\nalways @(negedge clk)\n`endif\nx <= a;",
            "(posedge",
            "(negedge",
        ),
        ("initial @(posedge clk) x = a;", "posedge", "negedge"),
    ],
)
def test_what_cannot_be_there_twice_has_a_build_of_its_own(
    tmp_path: Path, item: str, old: str, new: str
) -> None:
    source = design(tmp_path, module(item))

    plan = schema.plan(source, [swap(source, (old, new))])

    assert plan.in_schema == ()
    assert plan.apart == {"m": schema.STRUCTURAL}


def attempt_with(source: Design, text: tuple[bytes, bytes] | None, wrong_form: bool) -> Attempt:
    analysis = analyse(source)
    mutant = swap(source, ("posedge clk", "negedge clk"))
    (copy,) = copies_of(analysis, analysis.alone([mutant]))
    copy = replace(copy, text=text or copy.text, form=() if wrong_form else copy.form)
    return Attempt(analysis, [], {"m": 1}, {}, set(), [copy])


def test_a_process_that_is_not_what_the_mutant_has_is_refused(tmp_path: Path) -> None:
    source = design(tmp_path, module(CLOCKED))
    other = (b"\nalways @(posedge clk)", b" x <= a;\n")

    assert not attempt_with(source, None, wrong_form=False).failed()
    assert attempt_with(source, None, wrong_form=True).failed().names == {"m"}
    assert attempt_with(source, other, wrong_form=False).failed().names == {"m"}


def test_a_process_that_the_front_end_refuses_is_the_mutant_s_fault(tmp_path: Path) -> None:
    source = design(tmp_path, module(CLOCKED))

    failed = attempt_with(source, (b"\nalways @(posedge clk)", b" x <= missing;\n"), False).failed()

    assert (failed.names, failed.watched, failed.is_as_such) == ({"m"}, set(), False)


def test_a_refused_process_leaves_the_others_in_the_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = design(tmp_path, module(CLOCKED))
    good = swap(source, ("n[0]", "n[1]"), name="good")
    monkeypatch.setattr(
        schema,
        "copies_of",
        lambda analysis, found: [replace(c, form=()) for c in copies_of(analysis, found)],
    )

    plan = schema.plan(source, [swap(source, ("posedge clk", "negedge clk")), good])

    assert plan.in_schema == (good,)
    assert plan.apart == {"m": schema.STRUCTURAL}
    assert b"always_ff @(posedge clk" in plan.texts[FILE]
