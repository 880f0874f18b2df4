# SPDX-License-Identifier: Apache-2.0
"""Forms of code: equal only for what means the same, and equal for what is merely written apart."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
from pyslang import ast

from cocotb_mutants.canon import NOTHING, is_on_selector
from cocotb_mutants.forms import canon_of, design_form, own_forms, whole_forms
from cocotb_mutants.markers import select_package
from cocotb_mutants.reads import read_by, written_late_by
from cocotb_mutants.source import Design, Sources, elaborate
from tests.mutants.unit.schema_cases import FILE, design, module


def bodies(source: Design) -> list[Any]:
    found: list[Any] = []

    def note(node: Any) -> None:
        if isinstance(node, ast.ProceduralBlockSymbol):
            found.append(node.body)
        if isinstance(node, ast.ContinuousAssignSymbol):
            found.append(node.assignment)

    source.visit(note)
    return found


def forms(tmp_path: Path, *items: str, number: int = 0) -> list[Any]:
    source = design(tmp_path, module(*items))
    return list(whole_forms(source, bodies(source), number))


def form(tmp_path: Path, *items: str, number: int = 0) -> Any:
    (found,) = forms(tmp_path, *items, number=number)
    return found


PACKAGES = """package p; function automatic logic f(logic i); return i; endfunction endpackage
package q; function automatic logic f(logic i); return i; endfunction endpackage
"""
DIFFERENT = [
    ("assign z = n + m;", "assign z = n - m;"),
    ("assign z = n + m;", "assign z = m + n;"),
    ("assign z = n;", "assign z = s;"),
    ("assign z = 4'(n + m);", "assign z = n + m;"),
    ("assign z = 8'd1;", "assign z = 8'd2;"),
    ("assign v = $signed(n);", "assign v = $unsigned(n);"),
    ("assign x = n[0];", "assign x = n[1];"),
    ("assign x = |n[1:0];", "assign x = |n[2:1];"),
    ("assign x = |n[1+:2];", "assign x = |n[1-:2];"),
    ("assign x = !a;", "assign x = ~a;"),
    ("assign z = {n, m};", "assign z = {m, n};"),
    ("assign z = {2{n}};", "assign z = {1{n}};"),
    ("assign x = a ? a : b;", "assign x = b ? a : b;"),
    ("assign z = 200'h1 << 150;", "assign z = 200'h2 << 150;"),
    # a type of two states makes no X of a division by zero
    (
        "int i; logic signed [31:0] l; assign l = i / i;",
        "int i; logic signed [31:0] l; assign l = a ? i / i : l;",
    ),
    ("always_comb x = a;", "always_comb x <= a;"),
    ("always_comb x = a;", "always_ff @(posedge clk) x = a;"),
    ("always_ff @(posedge clk) x <= a;", "always_ff @(negedge clk) x <= a;"),
    ("always @(posedge clk) x <= #1 a;", "always @(posedge clk) x <= #2 a;"),
    ("always @(posedge clk) #1 x = a;", "always @(posedge clk) #2 x = a;"),
    ("always_comb if (a) x = b;", "always_comb if (b) x = b;"),
    ("always_comb if (a) x = b;", "always_comb if (a) x = b; else x = a;"),
    ("always_comb if (a) x = b;", "always_comb unique if (a) x = b;"),
    (
        "always_comb unique if (a) x = b; else if (b) x = a;",
        "always_comb unique if (a) x = b; else if (b) x = a; else ;",
    ),
    ("always_comb case (n) 1: x = a; endcase", "always_comb casez (n) 1: x = a; endcase"),
    ("always_comb case (n) 1: x = a; endcase", "always_comb case (n) inside 1: x = a; endcase"),
    ("always_comb case (n) 1: x = a; endcase", "always_comb unique case (n) 1: x = a; endcase"),
    ("always_comb case (n) 1: x = a; endcase", "always_comb case (n) 2: x = a; endcase"),
    (
        "always_comb case (n) 1: x = a; endcase",
        "always_comb case (n) 1: x = a; default: ; endcase",
    ),
    (
        "always_comb for (int i = 0; i < 3; i++) x = a;",
        "always_comb for (int i = 1; i < 3; i++) x = a;",
    ),
    (
        "always_comb for (int i = 0; i < 3; i++) x = a;",
        "always_comb for (byte i = 0; i < 3; i++) x = a;",
    ),
    ("initial repeat (2) x = a;", "initial repeat (3) x = a;"),
    ("initial while (a) x = a;", "initial while (b) x = a;"),
    ("initial do x = a; while (a);", "initial do x = a; while (b);"),
    ("initial forever #1 x = a;", "initial repeat (1) #1 x = a;"),
    ("initial wait (a) x = a;", "initial wait (b) x = a;"),
    ("initial x += a;", "initial x = a;"),
    ("initial x += a;", "initial x -= a;"),
    ("initial begin x = a; y = a; end", "initial begin y = a; x = a; end"),
    (
        "initial begin static int i = 1; x = i[0]; end",
        "initial begin automatic int i = 1; x = i[0]; end",
    ),
    (
        "initial begin int i; begin int i; i = 1; end i = 2; x = i[0]; end",
        "initial begin int i; begin int i; i = 1; i = 2; end x = i[0]; end",
    ),
    (
        "initial begin localparam K = 1; x = n[K]; end",
        "initial begin localparam K = 2; x = n[K]; end",
    ),
    ("initial fork begin x = a; y = a; end join", "initial fork x = a; y = a; join"),
    ("initial fork x = a; join", "initial fork x = a; join_none"),
    ("initial begin : one x = a; end", "initial begin : two x = a; end"),
    ("assign x = p::f(a);", "assign x = q::f(a);"),
    ("assign x = n inside {1, 2};", "assign x = n inside {1, 3};"),
    (
        "int q[3]; always_comb x = q.sum with (item > 3);",
        "int q[3]; always_comb x = q.sum with (item > 4);",
    ),
    (
        "typedef struct packed { logic [1:0] i; logic [1:0] j; } s_t; s_t r; assign x = r.i[0];",
        "typedef struct packed { logic [1:0] i; logic [1:0] j; } s_t; s_t r; assign x = r.j[0];",
    ),
    (
        "typedef union tagged {int i, j;} u_t; u_t u; assign x = u matches tagged i .* ? a : b;",
        "typedef union tagged {int i, j;} u_t; u_t u; assign x = u matches tagged j .* ? a : b;",
    ),
    (
        "typedef union tagged {int i, j;} u_t; u_t u; initial if (u matches tagged i .*) x = a;",
        "typedef union tagged {int i, j;} u_t; u_t u; initial if (u matches tagged j .*) x = a;",
    ),
    ("real r; assign r = n;", "shortreal r; assign r = n;"),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_means_something_else_has_another_form(tmp_path: Path, one: str, other: str) -> None:
    left, right = (
        whole_forms(source, bodies(source)[-1:], 0)
        for source in (design(tmp_path, PACKAGES + module(text)) for text in (one, other))
    )

    assert left != right


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("assign z = n + m;", "assign z = ((n) + /* and */ m);"),
        ("always_comb x = a;", "always_comb begin begin x = a; end end"),
        ("always_comb begin x = a; y = b; end", "always_comb begin begin x = a; end ; y = b; end"),
        ("always_comb if (a) x = b;", "always_comb if (a) begin x = b; end else ;"),
        ("initial ;", "initial begin end"),
        ('assign z = "k";', 'assign z = ("k");'),
        ("byte i; assign z = 8'(i);", "logic signed [7:0] i; assign z = 8'(i);"),
    ],
)
def test_what_is_only_written_in_another_way_has_the_same_form(
    tmp_path: Path, one: str, other: str
) -> None:
    left, right = (str(form(tmp_path, text)) for text in (one, other))

    assert left.replace("byte", "logic signed[7:0]") == right


def test_a_conversion_by_the_context_is_not_one_by_an_assignment(tmp_path: Path) -> None:
    context, assignment = forms(
        tmp_path, "logic [7:0] w; assign z = s + w;", "logic [7:0] u; assign u = 8'(s);"
    )

    assert "True, ('value', ('', 's'" in str(context)
    assert "False, ('value', ('', 's'" in str(assignment)


CHOICE = """\
  import cocotb_mutants_select::*;
  always_comb begin
    if (sel == 32'd7) begin x = (sel == 32'd7) ? b : (sel == 32'd8) ? 1'b1 : a; end
    else begin if (sel == 32'd0) y = b; x = a; end
    y = sel != 32'd7;
  end
"""


def test_a_choice_is_what_it_selects_and_what_watches_is_nothing(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(select_package().decode() + module(CHOICE))
    source = elaborate(Sources(tmp_path, (FILE,), "t"))

    found = [whole_forms(source, bodies(source), number) for number in (0, 7)]
    (zero,), (seven,) = cast("list[tuple[tuple[object, ...]]]", found)

    plain = forms(tmp_path, "always_comb x = a;", "always_comb x = b;")
    assert [zero[1], seven[1]] == plain
    assert len(zero) == len(seven) == 3


def test_a_selector_in_code_without_a_form_is_equal_to_nothing(tmp_path: Path) -> None:
    text = "assign x = n inside {cocotb_mutants_select::sel};"
    (tmp_path / FILE).write_text(select_package().decode() + module(text))
    source = elaborate(Sources(tmp_path, (FILE,), "t"))

    assert whole_forms(source, bodies(source), 0) != whole_forms(source, bodies(source), 0)


@pytest.mark.parametrize("condition", ["a", "a == b", "n == 4'd1", "n == m", "a < b"])
def test_other_conditions_are_no_choice(tmp_path: Path, condition: str) -> None:
    source = design(tmp_path, module(f"assign x = {condition} ? a : b;"))
    (assignment,) = bodies(source)

    assert is_on_selector(assignment.right.conditions[0].expr) is None


@pytest.mark.parametrize("condition", ["sel == n", "sel + 1 == 2", "sel < 3"])
def test_a_selector_must_be_compared_with_a_number(tmp_path: Path, condition: str) -> None:
    text = f"import cocotb_mutants_select::*; assign x = {condition} ? a : b;"
    (tmp_path / FILE).write_text(select_package().decode() + module(text))
    source = elaborate(Sources(tmp_path, (FILE,), "t"))

    assert is_on_selector(bodies(source)[0].right.conditions[0].expr) is None


def test_a_statement_with_other_words_keeps_what_is_in_it(tmp_path: Path) -> None:
    source = design(tmp_path, module("always_comb if (a) x = b;", "always_comb if (b) x = b;"))
    one, other = bodies(source)
    (words,) = own_forms(source, [other], 0)

    assert (canon_of(source, 0).with_own(one, words),) == whole_forms(source, [other], 0)
    assert canon_of(source, 0).with_own(one.ifTrue, words) == words


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("always_comb x = a & n[2:1] == m;", "a n m"),
        ("always_comb x = 1'b0;", ""),
        ("always_comb z[n] = a;", "n a"),
        ("always_comb z[n +: 2] = 2'(a);", "n a"),
        ("always_comb {x, z[n]} = {a, b};", "n a b"),
        ("always_comb z += 8'(a);", "z a"),
        ("typedef struct packed { logic [1:0] i; } s_t; s_t r; always_comb r.i[a] = b;", "a b"),
        ("always_comb x = n inside {m};", "n inside m"),
        ("always_comb if (a) x = b;", "a b"),
        ("localparam K = 1; always_comb x = K[0];", ""),
    ],
)
def test_what_is_read_is_told_from_what_is_written(tmp_path: Path, text: str, names: str) -> None:
    assert set(read_by(form(tmp_path, text))) == set(names.split())


def test_a_target_without_a_form_counts_as_read(tmp_path: Path) -> None:
    text = "logic [1:0] w; always_comb {>>{w}} = {a, b};"

    assert {"w", "a", "b"} <= set(read_by(form(tmp_path, text)))


def test_what_is_written_later_is_what_nonblocking_assignments_write(tmp_path: Path) -> None:
    assert written_late_by(form(tmp_path, "always @(*) begin x = a; y <= b; end")) == {"y"}
    assert written_late_by(NOTHING) == set()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("wire w; assign #1 w = a;", "wire w; assign #2 w = a;"),
        ("wire w = a;", "wire w = b;"),
        ("wire w;", "wand w;"),
        ("wire w; assign (weak0, weak1) w = a;", "wire w; assign w = a;"),
        ("typedef logic [3:0] t_t; t_t q;", "typedef logic [4:0] t_t; t_t q;"),
        ("always_comb x = a;", "always @* x = a;"),
        ("initial x = a;", "initial begin int i; x = a; end"),
        ("function automatic int f(int i); return i; endfunction",
         "function automatic int f(byte i); return i; endfunction"),
        ("function automatic int f(int i); return i; endfunction",
         "function automatic int f(int i); return -i; endfunction"),
        ("wire w; and g(w, a, b);", "wire w; and g(w, a, a);"),
        ("localparam K = 1;", "localparam K = 2;"),
        ("enum { A = 1 } e;", "enum { A = 2 } e;"),
        ("logic q = 1'b0;", "logic q = 1'b1;"),
    ],
)  # fmt: skip
def test_the_form_of_a_design_tells_what_its_statements_do_not(
    tmp_path: Path, one: str, other: str
) -> None:
    left, right = (design_form(design(tmp_path, module(text))) for text in (one, other))

    assert left != right
