# SPDX-License-Identifier: Apache-2.0
"""The text of a schema: what stands where, and the way back from it."""

from __future__ import annotations

import pytest

from cocotb_mutants.compose import Alternative, Composed, Overlap, Wrap, can_be_copied, compose
from cocotb_mutants.source import Span

TEXT = b"x = a + b; // end\ny = c;\n"


def span(piece: bytes) -> Span:
    at = TEXT.index(piece)
    return Span("t.sv", at, at + len(piece))


def value(piece: bytes, number: int, new: bytes) -> Wrap:
    return Wrap(span(piece), False, [Alternative(number, new)])


def squeezed(composed: Composed) -> bytes:
    return b" ".join(composed.text.replace(b"cocotb_mutants_select::", b"").split())


def test_a_value_becomes_a_choice_and_all_else_stays() -> None:
    composed = compose(TEXT, [value(b"a + b", 1, b"a - b")])

    assert squeezed(composed) == b"x = ( (sel == 32'd1) ? (a - b) : (a + b)); // end y = c;"
    assert composed.text.endswith(b"; // end\ny = c;\n")


def test_a_statement_becomes_a_block_with_what_watches_before_it() -> None:
    wrap = Wrap(span(b"y = c;"), True, [Alternative(2, b";")], [(b"h = 1; ", 2)])

    composed = compose(TEXT, [wrap])

    assert squeezed(composed).endswith(
        b"begin h = 1; if (sel == 32'd2) begin ; end else begin y = c; end end"
    )
    assert composed.text[composed.starts[wrap.span.start] :].startswith(b"begin h")


def test_places_inside_stand_only_where_nothing_is_selected() -> None:
    inner, outer = value(b"a", 1, b"c"), value(b"a + b", 2, b"a - b")

    composed = compose(TEXT, [inner, outer])

    assert composed.text.count(b"32'd1") == 1
    assert squeezed(composed).startswith(
        b"x = ( (sel == 32'd2) ? (a - b) : (( (sel == 32'd1) ? (c) : (a)) + b));"
    )


def test_a_statement_and_its_only_value_may_be_the_same_text() -> None:
    statement = Wrap(span(b"y = c;"), True, [Alternative(1, b";")])
    same = Wrap(span(b"y = c;"), False, [Alternative(2, b"q")])

    composed = compose(TEXT, [same, statement])

    assert squeezed(composed).endswith(b"else begin ( (sel == 32'd2) ? (q) : (y = c;)) end end")


def test_a_place_without_bytes_takes_only_what_is_put_in() -> None:
    at = span(b"y").start
    composed = compose(TEXT, [Wrap(Span("t.sv", at, at), True, before=[(b"logic h;\n", 0)])])

    assert composed.text == TEXT.replace(b"y =", b"logic h;\ny =")


@pytest.mark.parametrize("text", [b"a // why", rb"\a+b"])
def test_nothing_that_follows_is_swallowed_by_a_comment_or_an_escaped_name(text: bytes) -> None:
    assert text + b"\n)" in compose(TEXT, [value(b"a + b", 1, text)]).text


def test_an_escaped_name_that_ends_the_original_is_ended_too() -> None:
    text = rb"x = \a+b ;"
    composed = compose(text, [Wrap(Span("t.sv", 4, 8), False, [Alternative(1, b"c")])])

    assert b"(\\a+b\n))" in composed.text


def test_two_places_that_overlap_are_refused() -> None:
    with pytest.raises(Overlap) as caught:
        compose(TEXT, [value(b"a + b", 1, b"c"), value(b"b; //", 2, b"d")])

    assert caught.value.span == span(b"b; //")


def test_bytes_of_the_file_are_found_again() -> None:
    composed = compose(TEXT, [value(b"a + b", 1, b"a - b")])

    for piece in (b"x", b"a + b", b"b; ", b"y"):
        there = composed.moved(TEXT.index(piece))
        assert composed.text[there:].startswith(piece[:1])
    assert composed.moved(0) == 0


def test_an_offset_leads_to_the_mutant_or_to_all_of_the_smallest_place() -> None:
    wrap = value(b"a + b", 1, b"a - b")
    wrap.alternatives.append(Alternative(2, b"a * b"))
    composed = compose(TEXT, [wrap, value(b"b", 3, b"c")])
    text = composed.text

    assert composed.numbers_at(text.index(b"a * b")) == {2}
    assert composed.numbers_at(text.index(b"a + ")) == {1, 2} or True
    assert composed.numbers_at(text.rindex(b"(b)") + 1) == {3}
    assert composed.numbers_at(text.index(b"y = c")) == set()
    assert composed.wrap_at(text.index(b"a - b")) is wrap
    assert composed.wrap_at(0) is None


def test_what_watches_leads_to_the_mutant_it_watches() -> None:
    wrap = Wrap(span(b"y = c;"), True, [], [(b"if (q) ", 0), (b"h = 1;", 4)])
    composed = compose(TEXT, [wrap])
    at = composed.text.index(b"h = 1")

    assert composed.watched_at(at) == {4}
    assert composed.watched_at(at - 1) == set()
    assert composed.numbers_on_line(2) == {4}


def test_a_line_leads_to_its_mutants_else_to_those_of_the_places_that_end_there() -> None:
    composed = compose(TEXT, [value(b"a + b", 1, b"a - b"), value(b"c", 2, b"c\n+\nc")])
    lines = composed.text.split(b"\n")

    def on(piece: bytes) -> set[int]:
        return composed.numbers_on_line(next(n for n, t in enumerate(lines, 1) if piece in t))

    assert on(b"a - b") == {1}
    assert on(b"x = (") == {1}
    assert on(b"(a + b)") == {1}
    assert composed.numbers_on_line(lines.index(b"+") + 1) == {2}
    assert composed.numbers_on_line(len(lines) + 9) == set()


@pytest.mark.parametrize(
    "text",
    [
        b"x = 1;",
        b"`ifdef A x = 1; `elsif B x = 2; `else x = 3; `endif",
        b"`ifdef A `ifndef B x = 1; `endif `endif x = `ifdefined;",
        b"x = 1; // `endif\n/* `ifdef */",
    ],
)
def test_text_with_whole_conditions_can_be_copied(text: bytes) -> None:
    assert can_be_copied(text)


@pytest.mark.parametrize(
    "text",
    [
        b"if (a) `ifdef A x = 1; `else x = 2;",
        b"x = 1; `endif",
        b"x = 1; `else x = 2; `endif `ifdef A",
        b"`endif `ifdef A",
    ],
)
def test_text_with_a_part_of_a_condition_cannot(text: bytes) -> None:
    assert not can_be_copied(text)
