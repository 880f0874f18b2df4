# SPDX-License-Identifier: Apache-2.0
"""A mutant keeps its name while its own text stays, and no two share one."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cocotb_mutants import naming
from cocotb_mutants.generate import generate
from cocotb_mutants.naming import suggest
from cocotb_mutants.tokens import tokenise
from tests.mutants.unit.designs import FILE, design, planted

LINES = """\
package p;
  localparam int Limit = 9;
  function automatic int low(int a); if (a > Limit) return 0; return a + 1; endfunction
endpackage
module sub (input logic [3:0] x, z, output logic [3:0] y);
  assign y = x + z;
endmodule
module top (input logic clk, rst_n, en, input logic [3:0] a, b, output logic [3:0] q, y, n);
  logic [3:0] t;
  assign t = a + b;
  sub u (.x(a), .z(t), .y(y));
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) q <= 0;
    else if (en)
      case (a[1:0])
        0: q <= q + 1;
        1: q <= q - 1;
        default: q <= {b[1:0], a[1:0]};
      endcase
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) n <= 0;
    else if (en) n <= n + 1;
  always @(a or b) begin
    for (int i = 0; i < 4; i++) if (a[i]) t[i] = b[i];
    if (en) t = p::low(a);
  end
endmodule
""".splitlines()
# lines between two items of a module, where a new item may stand
ITEMS = [9, 10, 11, 19, 22, 26]


def names(text: str | bytes) -> dict[str, str]:
    found = generate(design(text), [FILE])
    assert len({mutant.name for mutant in found.mutants}) == len(found.mutants)
    return {mutant.name: mutant.description for mutant in found.mutants}


ORIGINAL = names("\n".join(LINES))


def test_names_can_be_read_and_be_file_names() -> None:
    assert len(ORIGINAL) > 120
    assert all(re.fullmatch(r"\w+(\.\w+)*-[0-9a-f]{6}", name) for name in ORIGINAL)
    assert {name.rpartition(".")[0] for name in ORIGINAL} == {
        *("p.Limit", "p.low", "sub.x", "sub.y", "sub.z", "top.a", "top.b", "top.en", "top.i"),
        *("top.n", "top.q", "top.t", "top.u"),
    }


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, len(LINES)),
            st.sampled_from(["", "  ", "// note é", "/* two\nlines */", "\t// a + b; \\"]),
        ),
        max_size=5,
    ),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_comments_and_white_space_rename_nothing(
    inserted: list[tuple[int, str]], end: str, mark: bool
) -> None:
    lines = list(LINES)
    for at, text in inserted:
        lines.insert(at, text)

    text = ("\ufeff" if mark else "") + end.join("   " + line for line in lines)

    assert set(names(text)) == set(ORIGINAL)


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(ITEMS), st.integers(0, 99)), min_size=1, max_size=4))
def test_new_items_rename_nothing_that_was_there(inserted: list[tuple[int, int]]) -> None:
    lines = list(LINES)
    for index, (at, value) in enumerate(sorted(inserted, reverse=True)):
        lines.insert(at, f"  wire [7:0] w{index} = {value} + a * 2;")

    before = {name for name in ORIGINAL if ".neighbour-" not in name}

    assert before - {f"{n}" for n in names("\n".join(lines))} <= set(port_names(ORIGINAL))


def port_names(found: dict[str, str]) -> list[str]:
    return [name for name in found if re.match(r"(top|sub)\.[a-z]+\.stuck_at-", name)]


def test_the_name_of_a_stuck_port_does_not_depend_on_its_reads() -> None:
    more = [line.replace("a + b;", "a + b + a;") for line in LINES]

    stuck = {name for name, text in ORIGINAL.items() if "4'h" in text and ".stuck_at-" in name}

    assert len(stuck) == 8
    assert stuck <= set(names("\n".join(more)))


@pytest.mark.parametrize("width", [1, 2, 3, 4, 7, 8, 31, 32, 33])
def test_a_port_stuck_at_zero_and_at_one_are_two(width: int) -> None:
    text = f"module top (input [{width - 1}:0] a, output y); assign y = a < 1 & a > 0; endmodule"

    found = planted(design(text), "stuck_at").mutants

    assert len({m.name for m in found}) == 4
    assert not [m.name for m in found if m.name.count("-") != 1]


def test_an_edit_of_the_statement_renames_only_what_stands_in_it() -> None:
    text = "\n".join(LINES).replace("q <= q - 1;", "q <= q - 2;")

    changed = {ORIGINAL[name] for name in set(ORIGINAL) - set(names(text))}

    assert changed == {
        *("q - 1 -> q + 1", "q - 1 -> 1 - q", "1 -> 0", "1 -> 2", "q -> n", "q -> b"),
        *("q <= q - 1 -> q = q - 1", "q <= q - 1; -> ;"),
        "q <= q - 1; -> q <= {b[1:0], a[1:0]};",
    }


def test_equal_statements_are_told_apart_by_their_number_in_the_module() -> None:
    twice = "always @* begin y = a && b; y = a && b; end"
    text = (
        f"module one (input a, b, output reg y); {twice} endmodule\n"
        f"module top (input a, b, output reg y, output z); one u (a, b, z); {twice} endmodule\n"
    )

    found = planted(design(text), "logical").mutants
    again = planted(design(text.replace("one", "none")), "logical").mutants

    assert len({mutant.name for mutant in found}) == 12 == len(found)
    # by what is counted in the module, not by a number behind a name that is taken
    assert not [mutant.name for mutant in found if mutant.name.count("-") > 1]
    # and what another module holds does not count
    assert [m.name for m in again if m.module == "top"] == [
        m.name for m in found if m.module == "top"
    ]


def test_digests_that_meet_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(naming, "_DIGITS", 1)

    found = names("\n".join(LINES))

    assert len(found) == len(ORIGINAL)
    assert any(re.search(r"-[0-9a-f]-2$", name) for name in found)


def test_neither_parameters_nor_other_files_change_a_name() -> None:
    text = """\
module top #(parameter W = 4) (input [W-1:0] a, b, output [W-1:0] y);
  assign y = a + b < 7 ? a - W : {b[0], a[W-1:1]};
endmodule
"""
    sets = [
        {mutant.name for mutant in planted(design(texts, parameters={"W": width})).mutants}
        for texts in (
            {FILE: text},
            {"other.sv": "module other; endmodule", FILE: text},
        )
        for width in (4, 8)
    ]

    assert len(sets[0]) > 20
    assert all(found == sets[0] for found in sets)


def test_escaped_names_give_names_without_strange_characters() -> None:
    text = "module top (input a, output \\y+1 ); assign \\y+1 = !a; endmodule"

    (name,) = (mutant.name for mutant in planted(design(text), "logical").mutants)

    assert name.startswith("top.y_1.logical-")


def test_functions_of_a_file_belong_to_no_module() -> None:
    text = """\
function automatic logic f(logic a); return !a; endfunction
module top (input a, output y); assign y = f(a); endmodule
"""
    (mutant,) = planted(design(text), "logical").mutants

    assert mutant.name.startswith("unit.f.logical-")
    assert mutant.module == "$unit"


def test_suggestions_name_what_is_close() -> None:
    assert suggest("relatonal", ["relational", "logical"]) == "did you mean relational?"
    assert suggest("zzz", ["relational", "logical"]) == ""


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        (b"a+b", [b"a", b"+", b"b"]),
        (b"a /* b */ // c\r\n d", [b"a", b"d"]),
        (b'"x // \\" y" z', [b'"x // \\" y"', b"z"]),
        (b"8'hFF \\a+b c", [b"8'hFF", b"\\a+b", b"c"]),
        (b'"open\nb', [b'"open', b"b"]),
        (b"/* open", []),
        (b"\xef\xbb\xbfa \xe9", [b"a", b"\xe9"]),
        (b"", []),
    ],
)
def test_text_is_cut_into_tokens(text: bytes, tokens: list[bytes]) -> None:
    assert tokenise(text).texts == tokens


@settings(deadline=None)
@given(st.binary(max_size=60))
def test_every_byte_is_in_one_token_or_comment_or_is_white_space(text: bytes) -> None:
    tokens = tokenise(text)
    left = bytearray(text)
    for start, end, token in zip(tokens.starts, tokens.ends, tokens.texts, strict=True):
        assert text[start:end] == token != b""
        left[start:end] = b" " * (end - start)
    for comment in tokens.comments:
        end = comment.start + len(comment.text)
        left[comment.start : end] = b" " * len(comment.text)

    assert not left.replace(b"\x00", b"").replace(b"\xef\xbb\xbf", b"").strip()
