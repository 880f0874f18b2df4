# SPDX-License-Identifier: Apache-2.0
"""Many mutants in one text: which fit, that they mean the same there, and which do not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from cocotb_mutants import prove, schema
from cocotb_mutants.generate import Request, generate
from cocotb_mutants.markers import GROSS
from cocotb_mutants.mutant import Edit, Mutant
from cocotb_mutants.source import Design, Sources, elaborate

FILE = "t.sv"


def design(tmp_path: Path, text: str, top: str = "t") -> Design:
    (tmp_path / FILE).write_bytes(text.encode())
    found = elaborate(Sources(tmp_path, (FILE,), top))
    assert found.errors == ()
    return found


def swap(source: Design, old: str, new: str, name: str = "m", count: int = 1) -> Mutant:
    """Return the mutant that puts `new` for `old`, which stands in the text `count` times."""
    text = source.texts[FILE]
    edits, at = [], -1
    for _ in range(count):
        at = text.index(old.encode(), at + 1)
        edits.append(Edit(FILE, at, at + len(old.encode()), old, new))
    return Mutant(name, "by hand", tuple(edits), "t", 1, 1)


COMBINATIONAL = """\
module t(input logic [7:0] a, b, input logic signed [7:0] s, output logic [8:0] y, output logic q);
  assign y = 9'(a) + 9'(b);
  assign q = a < b && s < 8'sd3;
endmodule
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("9'(a) + 9'(b)", "9'(a) - 9'(b)"),
        ("9'(a)", "a"),  # a lost cast whose width the context gives back
        ("a < b", "a <= b"),
        ("&&", "||"),
        ("8'sd3", "8'sd2"),
        ("s < 8'sd3", "8'sd3 < s"),
        ("9'(a) + 9'(b)", "'1"),
    ],
)
def test_what_keeps_width_and_sign_fits(tmp_path: Path, old: str, new: str) -> None:
    source = design(tmp_path, COMBINATIONAL)

    plan = schema.plan(source, [swap(source, old, new)])

    assert [mutant.name for mutant in plan.in_schema] == ["m"]
    assert plan.apart == {}


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("logic [8:0] y", "logic [7:0] y", schema.STRUCTURAL),
        ("output logic q", "output logic [1:0] q", schema.STRUCTURAL),
        # unsigned in one branch would make the comparison unsigned in the other as well
        ("8'sd3", "8'd3", schema.UNPROVED),
    ],
)
def test_what_does_not_fit_has_a_build_of_its_own(
    tmp_path: Path, old: str, new: str, reason: str
) -> None:
    source = design(tmp_path, COMBINATIONAL)
    other = swap(source, "a < b", "a > b", "other")

    plan = schema.plan(source, [swap(source, old, new), other])

    fits = reason == schema.UNPROVED and "m" not in plan.apart
    assert fits or plan.apart == {"m": reason}
    assert other in plan.in_schema


def test_a_mutant_that_widens_its_place_does_not_take_its_neighbours_with_it(
    tmp_path: Path,
) -> None:
    text = """\
module t(input logic [3:0] a, b, input logic c, output logic [7:0] y);
  assign y = {4'd0, c ? 4'(a + b) : a};
endmodule
"""
    source = design(tmp_path, text)
    widens = swap(source, "4'(a + b)", "8'(a + b)", "widens")
    other = swap(source, "a + b", "a - b", "other")

    plan = schema.plan(source, [widens, other])

    assert plan.in_schema == (other,)
    assert plan.apart == {"widens": schema.UNPROVED}


CLOCKED = """\
module t(input logic clk, en, input logic [3:0] d, output logic [3:0] q);
  always_ff @(posedge clk) begin
    if (en) q <= d;
    else if (d == 4'd3) q <= q + 4'd1;
  end
endmodule
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("q <= d;", ";"),
        ("q <= d;", "q = d;"),
        ("en) q", "!en) q"),
        ("d == 4'd3", "1'b0"),
        ("q + 4'd1", "q"),
        ("else if (d == 4'd3) q <= q + 4'd1;", ""),
    ],
)
def test_statements_become_a_choice(tmp_path: Path, old: str, new: str) -> None:
    source = design(tmp_path, CLOCKED)

    plan = schema.plan(source, [swap(source, old, new)])

    assert plan.apart == {}
    assert plan.tracked == {"m"}


def test_a_mutant_of_several_places_has_one_number_at_all_of_them(tmp_path: Path) -> None:
    source = design(tmp_path, "module t(input logic a, output logic x, y);\n"
                              "assign x = !a;\nassign y = a;\nendmodule\n")  # fmt: skip
    mutant = Mutant(
        "m",
        "by hand",
        tuple(
            Edit(FILE, at, at + 1, "a", "1'b0")
            for at in (source.texts[FILE].index(b"!a") + 1, source.texts[FILE].index(b"= a;") + 2)
        ),
        "t",
        1,
        1,
    )

    plan = schema.plan(source, [mutant])

    assert plan.in_schema == (mutant,)
    assert plan.texts[FILE].count(b"== 32'd1)") == 2


def test_a_function_that_must_be_constant_keeps_no_selector(tmp_path: Path) -> None:
    text = """\
module t(input logic [3:0] a, output logic [3:0] y);
  function automatic int twice(int n); return n * 2; endfunction
  localparam int Width = twice(2);
  logic [Width-1:0] x;
  assign x = a;
  assign y = x ^ a;
endmodule
"""
    source = design(tmp_path, text)
    inside = swap(source, "n * 2", "n + 2", "inside")
    outside = swap(source, "x ^ a", "x & a", "outside")

    plan = schema.plan(source, [inside, outside])

    assert plan.in_schema == (outside,)
    assert plan.apart == {"inside": schema.UNPROVED}


def test_both_parameterisations_must_agree(tmp_path: Path) -> None:
    text = """\
module sub #(parameter int W = 4)(input logic [W-1:0] a, output logic [7:0] y);
  assign y = 8'(a) + 8'd1;
endmodule
module t(input logic [7:0] a, output logic [7:0] y, z);
  sub #(4) u(.a(a[3:0]), .y(y));
  sub #(8) v(.a(a), .y(z));
endmodule
"""
    source = design(tmp_path, text)

    plan = schema.plan(source, [swap(source, "8'd1", "8'd2")])

    assert plan.apart == {}
    assert sorted(hit.path for hit in plan.hits) == [
        "t.u.cocotb_mutants_hit_0",
        "t.v.cocotb_mutants_hit_0",
    ]


def test_registers_in_generate_blocks_have_a_path_for_each_iteration(tmp_path: Path) -> None:
    text = """\
module t(input logic [1:0] a, b, output logic [1:0] y);
  for (genvar i = 0; i < 2; i++) begin : g
    assign y[i] = a[i] & b[i];
  end
endmodule
"""
    source = design(tmp_path, text)

    plan = schema.plan(source, [swap(source, "a[i] & b[i]", "a[i] | b[i]")])

    assert [hit.path for hit in plan.hits] == [
        "t.g[0].cocotb_mutants_hit_0",
        "t.g[1].cocotb_mutants_hit_0",
    ]
    assert plan.hits[0].numbers == (1,)


@pytest.mark.parametrize(
    "line",
    [
        "function automatic logic f(logic x); return !x; endfunction\n  assign y = f(a);",
        "always_comb for (int i = 0; i < 1; i++) y = !a;",
        "initial y = !a;",
    ],
)
def test_what_cannot_be_watched_counts_as_activated(tmp_path: Path, line: str) -> None:
    source = design(tmp_path, f"module t(input logic a, output logic y);\n  {line}\nendmodule\n")
    old, new = ("i < 1", "i <= 0") if "for" in line else ("!", "")

    plan = schema.plan(source, [swap(source, old, new)])

    assert plan.tracked == frozenset()


def test_macros_inside_a_place_are_copied_as_they_stand(tmp_path: Path) -> None:
    text = "`define K 4'd3\nmodule t(input logic [3:0] a, output logic y);\n" \
           "  assign y = a < `K; // last\nendmodule\n"  # fmt: skip
    source = design(tmp_path, text)

    plan = schema.plan(source, [swap(source, "a < `K", "a <= `K")])

    assert plan.apart == {}
    assert b"(a <= `K)" in plan.texts[FILE]


def test_bytes_outside_of_places_stay_as_they_are(tmp_path: Path) -> None:
    text = b"\xef\xbb\xbf// caf\xe9\r\nmodule t(input logic a, output logic y);\r\n" \
           b"  assign y = !a;\r\nendmodule\r\n"  # fmt: skip
    (tmp_path / FILE).write_bytes(text)
    source = elaborate(Sources(tmp_path, (FILE,), "t"))

    plan = schema.plan(source, [swap(source, "!a", "a")])

    assert plan.in_schema
    head, _, tail = text.partition(b"!a")
    assert plan.texts[FILE].startswith(head)
    assert plan.texts[FILE].endswith(tail.partition(b";")[2])


def test_asked_for_each_mutant_has_a_build_of_its_own(tmp_path: Path) -> None:
    source = design(tmp_path, COMBINATIONAL)

    plan = schema.plan(source, [swap(source, "a < b", "a > b")], apart=True)

    assert (plan.in_schema, plan.apart) == ((), {"m": schema.SEPARATE})


def test_a_line_of_the_text_leads_to_its_mutants_and_they_can_be_taken_out(
    tmp_path: Path,
) -> None:
    source = design(tmp_path, COMBINATIONAL)
    one = swap(source, "a < b", "a > b", "one")
    two = swap(source, "9'(a) + 9'(b)", "9'(a) - 9'(b)", "two")
    plan = schema.plan(source, [one, two])
    text = plan.texts[FILE]
    line = text[: text.index(b"(a > b)")].count(b"\n") + 1

    names = schema.blame(plan, text, line)
    rest = schema.without(plan, names, "the simulator said no")

    assert names == {"one"}
    assert schema.blame(plan, b"another file", line) == set()
    assert rest.in_schema == (two,)
    assert rest.apart == {"one": "the simulator said no"}


def test_the_gross_faults_make_every_assignment_a_constant(tmp_path: Path) -> None:
    source = design(tmp_path, CLOCKED)

    plan = schema.plan(source, [swap(source, "q + 4'd1", "q")])

    assert plan.gross
    for number in GROSS:
        assert plan.texts[FILE].count(b"== 32'd%d)" % number) == 2


def test_a_patch_holds_one_mutant_and_nothing_else(tmp_path: Path) -> None:
    source = design(tmp_path, COMBINATIONAL)

    texts = schema.patched(source, swap(source, "a < b", "a > b"))

    assert texts == {FILE: COMBINATIONAL.replace("a < b", "a > b").encode()}


def test_the_selector_of_a_patch_has_its_number() -> None:
    assert b"sel /* verilator public_flat_rw */;" in schema.select_package()
    assert b"= 32'd7;" in schema.select_package(7)


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("a < b", "a <", "invalid"),
        ("a < b", "(a < b)", "identical"),
        ("a < b", "b > a", "different"),
    ],
)
def test_screening(tmp_path: Path, old: str, new: str, kind: str) -> None:
    source = design(tmp_path, COMBINATIONAL)
    mutants = [swap(source, old, new), swap(source, "s < 8'sd3", "s > 8'sd3", "other")]

    found = prove.screen(source, mutants)

    assert (kind == "invalid") == ("m" in found.invalid)
    assert (kind == "identical") == ("m" in found.identical)
    assert "other" not in {*found.invalid, *found.identical, *found.duplicates}


def test_the_same_tree_twice_is_a_duplicate(tmp_path: Path) -> None:
    source = design(tmp_path, COMBINATIONAL)
    one = swap(source, "a < b", "a > b", "one")
    two = swap(source, "a < b", "(a > b)", "two")

    assert prove.screen(source, [one, two]).duplicates == {"two": "one"}


def test_a_default_that_every_instance_overrides_is_no_mutant(tmp_path: Path) -> None:
    text = """\
module sub #(parameter int N = 1, parameter int M = 5)(output logic [7:0] y);
  assign y = 8'(N + M);
endmodule
module t(output logic [7:0] y);
  sub #(.N(3)) u(.y(y));
endmodule
"""
    source = design(tmp_path, text)
    dead, alive = swap(source, "N = 1", "N = 2", "dead"), swap(source, "M = 5", "M = 6", "alive")

    assert prove.screen(source, [dead, alive]).identical == {"dead"}


OVERRIDES = """\
module sub #(parameter int N = 1)(output logic [7:0] y);
  assign y = 8'(N);
endmodule
module t(output logic [7:0] x, y, z);
  sub #(.N(4)) u(.y(x));
  sub #(.N(8)) v(.y(y));
  sub #(.N(8)) w(.y(z));
endmodule
"""
GATE = """\
module t(input logic a, b, output wire y);
  and g(y, a, b);
endmodule
"""
METHOD = """\
module t(output int y);
  int q[3];
  initial y = q.sum with (item > 3 ? 1 : 0);
endmodule
"""


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (OVERRIDES, "#(.N(8)) v", "#(.N(4)) v"),
        (GATE, "and g", "or g"),
        (GATE, "a, b);\nendmodule", "a, a);\nendmodule"),
        (METHOD, "item > 3", "item >= 3"),
    ],
)
def test_what_only_seems_to_be_the_same_is_kept(
    tmp_path: Path, text: str, old: str, new: str
) -> None:
    source = design(tmp_path, text)

    assert not prove.screen(source, [swap(source, old, new)]).identical


def test_all_mutants_of_a_plain_module_are_proved(tmp_path: Path) -> None:
    source = design(tmp_path, CLOCKED)
    found = generate(source, [FILE], Request(), prove.screen)

    plan = schema.plan(source, found.mutants)

    assert plan.apart == {}
    assert len(plan.in_schema) > 15
