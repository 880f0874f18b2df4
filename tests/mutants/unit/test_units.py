# SPDX-License-Identifier: Apache-2.0
"""What a design is cut into, and mutants that are elaborated by themselves, many at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cocotb_mutants.alone import Alone, Rounds
from cocotb_mutants.collector import collect, values_of
from cocotb_mutants.forms import design_form
from cocotb_mutants.mutant import Edit, Mutant
from cocotb_mutants.prove import analyse, screen
from cocotb_mutants.source import Design
from cocotb_mutants.units import STATIC, Unit, Units
from tests.mutants.unit.schema_cases import FILE, design, module, swap


def unit_of(units: Units, source: Design, piece: str) -> Unit:
    at = source.texts[FILE].index(piece.encode())
    found = units.smallest(Edit(FILE, at, at + len(piece), piece, ""))
    assert found is not None
    return found


def test_an_edit_belongs_to_the_smallest_statement_around_it(tmp_path: Path) -> None:
    source = design(tmp_path, module("always_comb if (a) begin x = b; y = a; end"))
    units = collect(source)

    assert unit_of(units, source, "b;").key[2] == "ExpressionStatement"
    assert unit_of(units, source, "(a)").key[2] == "ConditionalStatement"
    assert unit_of(units, source, "b; y").key[2] == "ConditionalStatement"
    assert units.smallest(Edit(FILE, 0, 1, "m", "")) is None
    assert units.smallest(Edit("other.sv", 0, 1, "m", "")) is None


def test_connections_and_assignments_are_units_outside_of_processes(tmp_path: Path) -> None:
    text = module("wire w = !a;", "sub u(.i(a & b), .o(x));", "assign y = ~w, z[0] = a;")
    source = design(
        tmp_path, "module sub(input logic i, j = 0, output logic o);\nassign o = i;\nendmodule\n"
        + text
    )  # fmt: skip
    units = collect(source)

    for piece, kind in (("a & b", "connection i"), ("!a", "net"), ("~w", "assign")):
        unit = unit_of(units, source, piece)
        assert (unit.key[2], unit.process, unit.is_statement) == (kind, None, False)
        assert unit.member is not None


def test_nothing_is_put_beside_the_only_item_of_a_generate_construct(tmp_path: Path) -> None:
    source = design(
        tmp_path, module("if (1) assign x = !a;", "generate assign y = ~a; endgenerate")
    )
    units = collect(source)

    assert unit_of(units, source, "!a").member is None
    assert unit_of(units, source, "~a").member is not None


def test_impurity_spreads_to_all_that_holds_it_and_to_nothing_else(tmp_path: Path) -> None:
    source = design(
        tmp_path,
        module(
            "function automatic logic f(logic i); return i; endfunction",
            "assign x = (f(a) & b) | $signed(n[0]);",
            "always_comb for (int i = 0; i < 2; i++) y = $onehot(n) ^ a;",
        ),
    )
    pure = {
        source.text(each.span): each.is_pure
        for unit in collect(source).by_key.values()
        for each in unit.expressions
    }

    assert not pure["(f(a) & b) | $signed(n[0])"]
    assert not pure["f(a)"]
    assert not pure["i++"]
    assert pure["$signed(n[0])"]
    assert pure["$onehot(n) ^ a"]
    assert pure["b"]


def test_a_value_has_its_own_type_and_that_of_its_context(tmp_path: Path) -> None:
    source = design(tmp_path, module("assign v = s;", "assign z = n + m;"))
    units = collect(source)
    value = next(
        e for u in units.by_key.values() for e in u.expressions if source.text(e.span) == "s"
    )

    assert (value.inner, value.outer) == ([(4, True)], [(8, True)])
    assert value.types == {(4, True), (8, True)}


def test_what_is_assigned_to_or_selected_from_is_no_place(tmp_path: Path) -> None:
    source = design(tmp_path, module("always_comb {x, z[n]} = {a, m[1]};"))
    places = {
        source.text(each.span)
        for unit in collect(source).by_key.values()
        for each in unit.expressions
        if each.is_place
    }

    assert places == {"n", "a", "m[1]", "1", "{a, m[1]}"}


def test_values_of_a_statement_leave_out_those_of_statements_in_it(tmp_path: Path) -> None:
    source = design(tmp_path, module("always_comb if (a) x = b;"))
    unit = unit_of(collect(source, values=False), source, "(a)")

    assert {source.text(span) for span in values_of(source, unit.nodes)} == {"a"}
    assert unit.expressions == []


def test_variables_that_get_their_value_once_are_of_a_kind_of_their_own(tmp_path: Path) -> None:
    text = "initial begin static int once = 1; automatic int each = 2; x = once == each; end"
    source = design(tmp_path, module(text))
    units = collect(source)

    assert unit_of(units, source, "once").key[2] == STATIC
    assert unit_of(units, source, "each").key[2] == "VariableDeclStatement"
    assert not unit_of(units, source, "each").is_statement


def test_a_later_if_of_a_chain_knows_its_head(tmp_path: Path) -> None:
    text = "always_comb unique if (a) x = a; else if (b) x = b; else if (n[0]) if (m[0]) x = 0;"
    source = design(tmp_path, module(text))
    units = collect(source)
    head = unit_of(units, source, "unique if (a)")

    assert head.head is None
    assert unit_of(units, source, "if (b)").head == head.key
    assert unit_of(units, source, "(n[0])").head == head.key
    assert unit_of(units, source, "(m[0])").head is None


def alone(source: Design, *mutants: Mutant) -> list[Alone]:
    return analyse(source).alone(mutants)


TWO = module("always_comb begin x = a & b; y = a | b; end")


def test_mutants_of_different_statements_share_one_elaboration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = design(tmp_path, TWO)
    rounds: list[int] = []
    inner = Rounds._round

    def counted(self: Rounds, members: Any) -> list[Alone]:
        rounds.append(len(members))
        return inner(self, members)

    monkeypatch.setattr(Rounds, "_round", counted)
    one, two = swap(source, ("a & b", "a")), swap(source, ("a | b", "b"), name="two")
    three = swap(source, ("a & b", "b"), name="three")

    alone(source, one, two, three)

    assert rounds == [2, 1]


def test_mutants_that_touch_are_elaborated_one_after_the_other(tmp_path: Path) -> None:
    source = design(tmp_path, module("always_comb begin x = a;y = b; end"))
    after, before = (
        swap(source, ("x = a;", "x = a;;")),
        swap(source, ("y = b;", ";y = b;"), name="b"),
    )

    first, second = alone(source, after, before)

    assert (first.is_same, second.is_same) == (True, True)


@pytest.mark.parametrize(
    ("item", "old", "new"),
    [
        ("always_comb begin x = 0; if (a)\n x = 1;\n y = 1; end", "x = 1;", ""),
        ("always_comb begin x = 0; y = 1; end", "x = 0;", "x = 0; y = 0;"),
        ("always_comb begin x = 0; y = 1; end", "x = 0;", "x = 0; end always_comb begin z = 1;"),
        ("always_comb begin x = 0; y = 1; end", "x = 0;", " x = 0;"),
        ("always_comb if (a) x = b; else y = b;", "x = b;", "x = b; else if (b) x = a;"),
        ("always_comb for (int i = 0; i < 2; i++) x = a;", "int i", "byte i"),
        ("always_comb begin int i; i = 1; x = i[0]; end", "int i", "byte i"),
        ("always_comb begin x = 0; for (int i = 0; i < 2; i++) begin localparam K = 1; x = n[K];"
         " end end", "K = 1", "K = 2"),
        ("assign x = a;", "x = a", "x = a, y = b"),
        ("assign x = a;", "x = a", " y = a"),
        ("initial begin static int i = 1; x = i[0]; end", "= 1", "= 2"),
        ("always @(posedge clk) #1 x = a;", "#1", "#2"),
        ("always_comb if (a) begin\n`define K 1\n x = b; end\nassign y = `K;", "`define K 1",
         "`define K 0"),
        ("always_comb if (a) begin\nx = b; end\nassign y = a;", "x = b;",
         "x = b;\n`define K 0\n"),
        ("logic q;", "logic q", "logic [1:0] q"),
    ],
)  # fmt: skip
def test_what_reaches_beyond_its_own_statement_is_structural(
    tmp_path: Path, item: str, old: str, new: str
) -> None:
    source = design(tmp_path, module(item))

    (found,) = alone(source, swap(source, (old, new)))

    assert (found.parts, found.invalid) == (None, "")


@pytest.mark.parametrize(
    ("item", "old", "new"),
    [
        ("always_comb begin x = 0; y = 1; end", "x = 0;", ""),
        ("always_comb begin x = 0; y = 1; end", "x = 0;", "/* gone */"),
        ("always_comb begin x = 0; y = 1; end", "x = 0", "x <= 0"),
        ("always_comb if (a) x = b; /* or */ else y = b;", "else y = b;", ""),
        ("always_comb if (a) begin x = b; end", "if", "while"),
        ("always_comb x = a ? 1'b0 : b;", "a ?", "!a ?"),
    ],
)
def test_other_text_of_a_statement_has_its_forms(
    tmp_path: Path, item: str, old: str, new: str
) -> None:
    source = design(tmp_path, module(item))

    (found,) = alone(source, swap(source, (old, new)))

    assert found.parts is not None
    assert list(found.whole.values()) != [analyse(source).original(key)[1] for key in found.whole]


CONSTANT = module(
    "function automatic int f(int i); return i + 2; endfunction",
    "localparam int W = f(2);",
    "logic [W-1:0] w;",
    "assign w = n[W-1:0] + {W{1'b1}};",
    "always_comb begin x = w[0]; y = a; end",
)


def test_a_mutant_that_changes_a_constant_does_not_change_what_others_are(tmp_path: Path) -> None:
    source = design(tmp_path, CONSTANT)
    constant = swap(source, ("i + 2", "i + 1"), name="constant")
    width = swap(source, ("+ {", "- {"), name="width")
    wrong = swap(source, ("i + 2", "i - 2"), name="wrong")

    found = {each.mutant.name: each for each in alone(source, constant, width, wrong)}
    (by_itself,) = alone(design(tmp_path, CONSTANT), width)

    assert found["constant"].parts is None
    assert found["wrong"].invalid
    assert found["width"].whole == by_itself.whole


def test_what_changes_more_than_itself_is_told_from_others_in_its_round(tmp_path: Path) -> None:
    source = design(tmp_path, module("always_comb x = 0;", "always_comb begin z = 8'd1; end"))
    odd = swap(source, ("x = 0;", "x = 0; logic q;"), name="odd")
    plain = swap(source, ("8'd1", "8'd2"), name="plain")

    first, second = alone(source, odd, plain)

    assert first.parts is None
    assert second.parts is not None


def test_a_refusal_falls_on_the_mutant_that_it_is_about(tmp_path: Path) -> None:
    source = design(tmp_path, TWO)
    wrong = swap(source, ("a & b", "a & missing"), name="wrong")
    right = swap(source, ("a | b", "b"), name="right")

    found = screen(source, [wrong, right])

    assert set(found.invalid) == {"wrong"}
    assert not found.identical


def test_where_a_refusal_names_no_mutant_each_is_tried(tmp_path: Path) -> None:
    text = "typedef enum logic [1:0] { A, B } e_t;\n" + module(
        "function automatic int f(int i); return i + 2; endfunction",
        "logic [2:0] w;",
        "assign w = {f(0){b}} & n;",
        "assign x = w[2];",
    )
    source = design(tmp_path, text)
    constant = swap(source, ("i + 2", "i - 2"), name="constant")
    right = swap(source, ("w[2];", "w[1];"), name="right")

    first, second = alone(source, constant, right)

    assert first.invalid
    assert not second.invalid


def test_a_round_of_nothing_but_wrong_mutants_is_taken_apart(tmp_path: Path) -> None:
    source = design(tmp_path, TWO)
    mutants = [
        swap(source, ("a & b", "a & missing"), name="one"),
        swap(source, ("a | b", "missing"), name="two"),
    ]

    assert set(screen(source, mutants).invalid) == {"one", "two"}


def test_a_structural_mutant_that_changes_nothing_is_known(tmp_path: Path) -> None:
    source = design(tmp_path, module("logic q;", "assign x = a;"))

    assert screen(source, [swap(source, ("logic q;", "logic q; "))]).identical == {"m"}


def test_mutants_are_asked_for_once(tmp_path: Path) -> None:
    source = design(tmp_path, TWO)
    mutant = swap(source, ("a & b", "a"))

    assert alone(source, mutant)[0] is alone(source, mutant)[0]
    assert analyse(source).form == design_form(source)


@pytest.mark.parametrize(
    ("new", "places"),
    [
        ("n - m", ["n + m"]),
        ("9'(n) - m", []),  # wider than its context
        ("8'(n) - m", ["n + m"]),  # no wider than its context
        ("s", ["n + m"]),
        ("a", ["n + m"]),
    ],
)
def test_only_values_that_keep_width_and_sign_may_become_a_choice(
    tmp_path: Path, new: str, places: list[str]
) -> None:
    source = design(tmp_path, module("assign z = n + m;"))

    (found,) = alone(source, swap(source, ("n + m", new)))

    assert [source.text(span) for each in found.places.values() for span in each] == places


def test_space_that_an_edit_leaves_is_no_part_of_a_place(tmp_path: Path) -> None:
    source = design(tmp_path, module("assign z = n + m;"))

    (found,) = alone(source, swap(source, (" + m", " ")))

    assert [source.text(span) for each in found.places.values() for span in each] == ["n + m"]


def test_a_signed_value_does_not_lose_its_sign_to_a_choice(tmp_path: Path) -> None:
    source = design(tmp_path, module("assign v = s;"))

    (found,) = alone(source, swap(source, ("= s", "= n")))

    assert list(found.places.values()) == [()]


def test_values_of_other_types_are_left_to_the_proof(tmp_path: Path) -> None:
    source = design(tmp_path, module("real r; always_comb r = 2.0 * r;"))

    (found,) = alone(source, swap(source, ("2.0", "3.0")))

    assert [source.text(span) for each in found.places.values() for span in each] == [
        "2.0",
        "2.0 * r",
    ]


def test_a_value_that_another_operator_takes_apart_is_no_place(tmp_path: Path) -> None:
    source = design(tmp_path, module("assign x = |(n & m + n);"))

    (found,) = alone(source, swap(source, ("m +", "m &")))

    spans = [source.text(span) for each in found.places.values() for span in each]
    assert "m + n" not in spans
    assert "n & m + n" in spans
