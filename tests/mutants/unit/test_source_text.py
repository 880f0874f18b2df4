# SPDX-License-Identifier: Apache-2.0
"""The text around a mutant: exact lines and places in every kind of file."""

from __future__ import annotations

import pytest

from cocotb_mutants.mutant import Edit, Mutant
from cocotb_mutants.report.source_text import Place, clean, diff, harmless, place, shown
from tests.mutants.unit.samples import mutant

A = b"module a;\n  assign y = a + b;\n  assign z = c;\nendmodule\n"


def several(*edits: Edit) -> Mutant:
    return Mutant("m", "swap", tuple(sorted(edits)), "a", 1, 1)


def replaced(text: bytes, old: bytes, new: str, file: str = "rtl/a.sv") -> Edit:
    start = text.index(old)
    return Edit(file, start, start + len(old), old.decode(), new)


def test_one_line_before_and_after() -> None:
    assert diff({"rtl/a.sv": A}, mutant(A, "+", "-")) == (
        "-   assign y = a + b;",
        "+   assign y = a - b;",
    )


def test_all_lines_that_an_edit_covers_or_makes() -> None:
    each = mutant(A, "b;\n  assign z = c", "b,\n\n    z = c")

    assert diff({"rtl/a.sv": A}, each) == (
        "-   assign y = a + b;",
        "-   assign z = c;",
        "+   assign y = a + b,",
        "+ ",
        "+     z = c;",
    )


def test_two_edits_of_one_line_are_shown_once() -> None:
    each = several(replaced(A, b"a +", "b +"), replaced(A, b"b;", "a;"))

    assert diff({"rtl/a.sv": A}, each) == ("-   assign y = a + b;", "+   assign y = b + a;")


def test_an_insertion_at_the_end_of_a_line_belongs_to_it() -> None:
    end = A.index(b"b;\n") + 2
    each = several(replaced(A, b"+", "-"), Edit("rtl/a.sv", end, end, "", " // x"))

    assert diff({"rtl/a.sv": A}, each) == ("-   assign y = a + b;", "+   assign y = a - b; // x")


def test_lines_between_two_edits_are_left_out() -> None:
    text = A.replace(b"  assign z", b"  // nothing\n  assign z")
    each = several(replaced(text, b"a +", "0 +"), replaced(text, b"c;", "0;"))

    assert diff({"rtl/a.sv": text}, each) == (
        "-   assign y = a + b;",
        "+   assign y = 0 + b;",
        "-   assign z = c;",
        "+   assign z = 0;",
    )


def test_edits_of_two_files_are_both_shown() -> None:
    texts = {"rtl/a.sv": A, "rtl/b.sv": b"x\ny"}
    each = several(replaced(A, b"+", "-"), replaced(b"x\ny", b"y", "z", "rtl/b.sv"))

    assert diff(texts, each)[2:] == ("- y", "+ z")
    assert place(texts, each).replacement == "-"


def test_an_edit_at_the_end_of_a_file_without_a_line_end() -> None:
    text = b"\xef\xbb\xbfx"

    assert diff({"rtl/a.sv": text}, mutant(text, "x", "y")) == ("- x", "+ y")


def test_carriage_returns_and_foreign_bytes_are_not_shown() -> None:
    text = b"a = b; // \xb5\r\nc = d;\r\n"

    assert diff({"rtl/a.sv": text}, mutant(text, "b", "0")) == (
        "- a = b; // \ufffd",
        "+ a = 0; // \ufffd",
    )


def test_the_place_of_a_mutant_counts_characters_from_one() -> None:
    text = "\ufeff// größe\n/* é */ y = a + b;\n".encode()

    assert place({"rtl/a.sv": text}, mutant(text, "a + b", "a -\n b")) == Place(
        2, 13, 2, 18, "a -\n b"
    )


def test_a_byte_order_mark_is_no_column() -> None:
    text = b"\xef\xbb\xbfx = y;"

    assert place({"rtl/a.sv": text}, mutant(text, "y", "z")) == Place(1, 5, 1, 6, "z")


def test_a_byte_that_is_not_utf_8_is_one_column() -> None:
    text = b"/* \xb5\xb5 */ x"

    assert place({"rtl/a.sv": text}, mutant(text, "x", "y")).column == 10


def test_the_place_of_several_edits_holds_them_all() -> None:
    each = several(replaced(A, b"a +", "b +"), replaced(A, b"c;", "0;"))

    assert place({"rtl/a.sv": A}, each) == Place(2, 14, 3, 16, "b + b;\n  assign z = 0;")


def test_an_insertion_is_a_place_of_no_width() -> None:
    each = several(Edit("rtl/a.sv", 10, 10, "", "x"))

    assert place({"rtl/a.sv": A}, each) == Place(2, 1, 2, 1, "x")


def test_a_source_is_shown_without_its_byte_order_mark() -> None:
    assert shown(b"\xef\xbb\xbfa\xffb\r\n") == "a\ufffdb\r\n"


@pytest.mark.parametrize(
    ("text", "shown_as"),
    [
        ("plain < & > 'é'\t|", "plain < & > 'é'\t|"),
        ("two\r\nlines\nmore", "two lines more"),
        ("\x1b[31mred\x07\x00\x7f\x9b", "\ufffd[31mred\ufffd\ufffd\ufffd\ufffd"),
        ("right\u202eleft\u2066", "right\ufffdleft\ufffd"),
        ("bytes \udc80", "bytes \ufffd"),
    ],
)
def test_nothing_steers_the_terminal(text: str, shown_as: str) -> None:
    assert harmless(text) == shown_as


def test_clean_text_can_be_written_as_utf_8() -> None:
    assert clean("a\ud800\udfff\n\x1b").encode() == "a\ufffd\ufffd\n\x1b".encode()
