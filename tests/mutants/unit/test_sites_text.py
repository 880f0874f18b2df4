# SPDX-License-Identifier: Apache-2.0
"""Sites are found by bytes, whatever the bytes around them are."""

from __future__ import annotations

from pathlib import Path

import pytest

from cocotb_mutants.mutant import apply
from cocotb_mutants.sites import Elsewhere
from cocotb_mutants.source import Sources, elaborate
from cocotb_mutants.walk import collect
from tests.mutants.unit.designs import FILE, design, planted

PLAIN = (
    b"module top (input [7:0] a, b, output [7:0] y);\n"
    b"  // here\n"
    b"\tassign y = a + b; // there\n"
    b"endmodule\n"
)


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        b"\xef\xbb\xbf" + PLAIN,
        PLAIN.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + PLAIN.replace(b"\n", b"\r\n"),
        PLAIN.replace(b"here", "größer als 💡".encode()),
        PLAIN.replace(b"here", "größer".encode("latin-1")),
        PLAIN.replace(b"here", b"\xff\xfe\x80 \xc3"),
        PLAIN.replace(b"// here", "/* é\n\u2028 */".encode()),
        PLAIN.replace(b"\t", b"\t \t\x0c"),
        PLAIN[:-1],
    ],
    ids=[
        "plain",
        "mark",
        "crlf",
        "mark crlf",
        "utf-8",
        "latin-1",
        "bytes",
        "block",
        "tabs",
        "no line end",
    ],
)
def test_only_the_bytes_of_the_operator_change(text: bytes) -> None:
    source = design(text)

    (mutant,) = planted(source, "arithmetic").mutants

    assert text.count(b"a + b") == 1
    assert apply(source.texts[FILE], mutant.edits) == text.replace(b"a + b", b"a - b")


def test_line_and_column_count_characters() -> None:
    source = design("module top (input a, output y);\n  /* é */ assign y = !a;\nendmodule")

    (mutant,) = planted(source, "logical").mutants

    assert (mutant.line, mutant.column) == (2, 22)


def test_a_replaced_text_that_is_not_utf8_keeps_its_bytes() -> None:
    text = b"module top (input a, b, output y); assign y = a /* \xe9 */ && b; endmodule"
    source = design(text)

    results = {apply(text, mutant.edits) for mutant in planted(source, "logical").mutants}

    assert text.replace(b"&&", b"||") in results


def test_two_files_of_the_same_name_are_two_files() -> None:
    one = "module one (input a, b, output y); assign y = a && b; endmodule"
    two = "module two (input a, b, output y); assign y = a && b; endmodule"
    top = (
        "module top (input a, b, output y, z); one u (.a(a), .b(b), .y(y));"
        " two v (.a(a), .b(b), .y(z)); endmodule"
    )
    source = design({"x/part.sv": one, "y/part.sv": two, "top.sv": top})

    found = planted(source, "logical").mutants

    assert [(m.file, m.module) for m in found] == [("x/part.sv", "one")] * 3 + [
        ("y/part.sv", "two")
    ] * 3
    assert len({mutant.name for mutant in found}) == 6


def test_the_same_module_in_two_folders_gives_other_names() -> None:
    text = "module top (input a, b, output y); assign y = a && b; endmodule"

    names = [
        {mutant.name for mutant in planted(design({file: text})).mutants}
        for file in ("x/top.sv", "y/top.sv")
    ]

    assert names[0] & names[1] == set()


MACROS = """\
`define SUM(x, y) x + y
`define LIMIT 8'd9
`define DONE q <= a + 8'd1;
module top (input c, input [7:0] a, b, output reg [7:0] q, output [7:0] y, output f);
  assign y = `SUM(a, b - 1);
  assign f = a < `LIMIT;
  always @(posedge c) `DONE
endmodule
"""


def test_text_out_of_a_macro_is_counted_and_not_mutated() -> None:
    source = design(MACROS)

    found = planted(source)
    texts = [(mutant.operator, mutant.description) for mutant in found.mutants]

    assert ("relational", "a < `LIMIT -> a <= `LIMIT") in texts
    assert ("stuck_at", "a < `LIMIT -> '0") in texts
    assert not [text for name, text in texts if name in ("arithmetic", "delete", "constant")]
    # two sums and a difference, three constants, the statement of a macro
    assert found.in_macro == 3 + 3 + 1
    assert found.in_included == 0


def test_a_macro_used_twice_is_counted_twice_however_often_it_is_elaborated() -> None:
    text = (
        "`define INC(x) x + 1\n"
        "module sub #(parameter P = 1) (input [7:0] a, output [7:0] y, z);\n"
        "assign y = `INC(a); assign z = `INC(a); endmodule\n"
        "module top (input [7:0] a, output [7:0] y, z, v, w);\n"
        "sub #(1) u (a, y, z); sub #(2) v1 (a, v, w); endmodule\n"
    )

    assert planted(design(text)).in_macro == 4


def test_included_text_is_counted_apart(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "body.svh").write_text("assign y = a && b;\nassign z = !a;\n")
    (tmp_path / "top.sv").write_text(
        'module top (input a, b, output y, z, x);\n`include "body.svh"\nassign x = a || b;\n'
        "endmodule\n"
    )
    source = elaborate(Sources(tmp_path, ("top.sv",), "top", includes=("inc",)))

    found = planted(source, "logical")

    assert source.errors == ()
    assert {mutant.line for mutant in found.mutants} == {3}
    assert len(found.mutants) == 3
    # `&&` and `!`
    assert found.in_included == 2
    assert found.in_macro == 0


def test_a_file_that_is_listed_is_mutated_though_another_includes_its_neighbour(
    tmp_path: Path,
) -> None:
    (tmp_path / "defs.svh").write_text("`define OR(x, y) (x || y)\n")
    (tmp_path / "top.sv").write_text(
        '`include "defs.svh"\nmodule top (input a, b, output y); assign y = !`OR(a, b); endmodule\n'
    )
    source = elaborate(Sources(tmp_path, ("top.sv",), "top"))

    found = planted(source, "logical")

    assert [mutant.description for mutant in found.mutants] == ["!`OR(a, b) -> `OR(a, b)"]
    assert found.in_macro == 1


def test_what_is_partly_in_an_included_file_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "b.svh").write_text("b")
    (tmp_path / "wires.svh").write_text("logic v, w;")
    (tmp_path / "top.sv").write_text(
        "module sub (input x, z, output y); assign y = x && z; endmodule\n"
        "module top (input a, b, output y, z, output reg q);\n"
        '`include "wires.svh"\n'
        'assign y = a &&\n`include "b.svh"\n;\n'
        'sub u (.x(a), .z(\n`include "b.svh"\n), .y(w));\n'
        "assign v = !w;\nalways @* q = v;\n"
        "endmodule\n"
    )
    source = elaborate(Sources(tmp_path, ("top.sv",), "top"))
    assert source.errors == ()

    found = planted(source).mutants

    assert [m.description for m in found if m.line in (4, 5, 6) and len(m.edits) == 1] == []
    assert "port_swap" not in {mutant.operator for mutant in found}
    # where `v` and `w` are declared, and so what is near them, is not known
    assert [m.description for m in found if m.line > 9 and m.operator == "neighbour"] == []
    assert "!w -> w" in [mutant.description for mutant in found]


def test_a_piece_that_is_missing_is_elsewhere() -> None:
    site = collect(design(PLAIN)).sites[0]

    with pytest.raises(Elsewhere):
        site.span_of(None)


def test_ports_and_operators_out_of_macros_stay_as_they_are() -> None:
    text = (
        "`define PORTS input a, input b\n`define GETS <=\n"
        "module top (`PORTS, input c, output reg y, output z);\n"
        "assign z = a & b; always @(posedge c) y `GETS a; endmodule\n"
    )

    found = planted(design(text), "stuck_at", "blocking", "delete").mutants

    assert [mutant.description for mutant in found] == [
        "a & b -> '0",
        "a & b -> '1",
        "y `GETS a; -> ;",
    ]


def test_what_is_not_compiled_has_no_sites() -> None:
    text = (
        "module top (input a, b, output y);\n`ifdef WIDE\nassign y = a && b;\n`else\n"
        "assign y = a || b;\n`endif\nendmodule\n"
    )

    narrow = planted(design(text), "logical").mutants
    wide = planted(design(text, defines={"WIDE": "1"}), "logical").mutants

    assert [mutant.line for mutant in narrow] == [5, 5, 5]
    assert [mutant.line for mutant in wide] == [3, 3, 3]
