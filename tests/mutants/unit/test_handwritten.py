# SPDX-License-Identifier: Apache-2.0
"""Mutations that people write: found by exact bytes, and each mistake has its own message."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cocotb_mutants.errors import SourceError
from cocotb_mutants.generate import Request, generate
from cocotb_mutants.handwritten import HAND_WRITTEN, HandWritten, load_mutations, plant
from cocotb_mutants.mutant import Mutant, apply
from cocotb_mutants.schema import patched
from cocotb_mutants.source import Design, Sources
from cocotb_mutants.tokens import tokenise
from tests.mutants.unit.designs import FILE, design

TEXT = """\
module top (input [7:0] a, b, output [7:0] y, output z);
  assign y = a + b;
  assign z = a < b && a != 0;
endmodule
"""


def entry(find: str, replace: str, **other: str) -> HandWritten:
    values = {"name": "M1", "file": FILE, "reason": "why", "origin": "m.toml", **other}
    return HandWritten(find=find, replace=replace, **values)  # type: ignore[arg-type]


def plants(find: str, replace: str, text: str | bytes = TEXT) -> Mutant:
    mutant = plant(design(text), entry(find, replace))
    assert mutant is not None
    return mutant


def test_no_operator_is_cut_in_two() -> None:
    # With the space that stands there it would be `~ |`, which is none.
    text = "module top(input logic [1:0] a, output logic y);\n  assign y = |a;\nendmodule\n"
    mutant = plants("= |a", "= ~|a", text)
    assert mutant.description == "= |a -> = ~|a"
    assert patched(design(text), mutant)[FILE].decode().splitlines()[1] == "  assign y = ~|a;"


@pytest.mark.parametrize(
    ("find", "replace", "description"),
    [
        ("a + b", "a - b", "+ -> -"),
        ("assign y = a + b;", "assign y = a + b + 1;", "b -> b + 1"),
        ("a < b && a != 0", "a < b", "&& a != 0 -> (nothing)"),
        ("a < b && a != 0", "a != 0", "< b && a -> (nothing)"),
        ("a + b", "b + a", "a + b -> b + a"),
        ("  assign y = a + b;\n", "", "assign y = a + b; -> (nothing)"),
        ("a < b && a", "a < b && a // no\n && a", "a -> a // no && a"),
        (" + ", " - ", "+ -> -"),
        ("a + b", "a +  ~b", "+ -> + ~"),
    ],
)
def test_only_the_tokens_that_differ_are_replaced(
    find: str, replace: str, description: str
) -> None:
    mutant = plants(find, replace)

    assert mutant.description == description
    assert (mutant.name, mutant.operator, mutant.reason) == ("M1", HAND_WRITTEN, "why")
    assert mutant.module == "top"


def test_the_line_is_that_of_the_difference() -> None:
    mutant = plants(
        "assign y = a + b;\n  assign z = a < b", "assign y = a + b;\n  assign z = a > b"
    )

    assert (mutant.line, mutant.column) == (3, 16)


TOKENS = st.lists(st.sampled_from(["a", "b", "+", "(", ")", " ", "// c\n", "é"]), max_size=8)


@settings(deadline=None)
@given(TOKENS, TOKENS)
def test_the_smallest_edit_gives_the_tokens_that_were_asked_for(
    find: list[str], replace: list[str]
) -> None:
    old, new = ("".join(f"{piece} " for piece in text) for text in (find, replace))
    assume(tokenise(old.encode()).texts and "".join(find).strip())
    text = f"// {{{{\n{old}\n// }}}}\n".encode()
    wanted = text.replace(old.encode(), new.encode())
    assume(text.count(old.encode()) == 1)
    assume(tokenise(text).texts != tokenise(wanted).texts)
    source = Design(Sources(Path(), (FILE,), "top"), {FILE: text})

    mutant = plant(source, entry(old, new))

    assert mutant is not None
    assert mutant.edits[0].original != ""
    assert tokenise(apply(text, mutant.edits)).texts == tokenise(wanted).texts


def test_line_ends_of_the_file_do_not_matter() -> None:
    text = TEXT.replace("\n", "\r\n").encode()

    mutant = plants("a + b;\n  assign z = a", "a - b;\n  assign z = b", text)

    assert apply(text, mutant.edits) == text.replace(b"a + b", b"a - b").replace(b"z = a", b"z = b")


def test_text_is_compared_as_bytes() -> None:
    text = TEXT.replace("module top", "/* \u00e9 */ module top").encode()

    assert plants("/* \u00e9 */ module top (input [7:0] a", "module top (input [6:0] a", text)
    with pytest.raises(SourceError, match="is not in"):
        plants("/* e\u0301 */", "", text)


def test_a_mutation_of_a_file_that_is_not_listed_is_left_out() -> None:
    assert plant(design(TEXT), entry("a + b", "a", file="other.sv")) is None


@pytest.mark.parametrize(
    ("find", "replace", "message"),
    [
        ("a * b", "a", "m.toml: mutation 'M1': the text to be replaced is not in top.sv"),
        ("assign", "x", "m.toml: mutation 'M1': the text to be replaced is 2 times in top.sv, "
         "at lines 2, 3"),
        ("a + b", "a + b", "m.toml: mutation 'M1' replaces its text by itself"),
        ("a + b", "a /* c */ +  b", "m.toml: mutation 'M1' replaces its text by itself"),
    ],
)  # fmt: skip
def test_a_text_that_cannot_be_replaced_is_an_error(find: str, replace: str, message: str) -> None:
    with pytest.raises(SourceError) as error:
        plants(find, replace)

    assert error.value.message == message


def test_hand_written_mutants_come_alone_or_beside_the_others() -> None:
    mine = (entry("a + b", "a", name="M1"), entry("a != 0", "1", name="M2"))

    beside = generate(design(TEXT), [FILE], Request(("logical",), mine))
    alone = generate(design(TEXT), [], Request((), mine, only_hand_written=True))

    assert [mutant.name for mutant in alone.mutants] == ["M1", "M2"]
    assert [m.operator for m in beside.mutants] == [
        HAND_WRITTEN,
        *["logical"] * 3,
        HAND_WRITTEN,
    ]


def write(folder: Path, text: str, name: str = "m.toml") -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return name


ENTRY = """\
[[mutation]]
name = "{name}"
file = "top.sv"
find = "a + b"
replace = "{replace}"
reason = "why"
"""


def test_a_file_is_read_in_order_with_notes(tmp_path: Path) -> None:
    text = ENTRY.format(name="M2", replace="a") + '[mutation.notes]\nchecks = "C1 C2"\n'
    write(tmp_path, text + ENTRY.format(name="M1", replace=""))

    found = load_mutations(tmp_path, ["m.toml"])

    assert [(each.name, each.replace, dict(each.notes)) for each in found] == [
        ("M2", "a", {"checks": "C1 C2"}),
        ("M1", "", {}),
    ]
    assert found[0].origin == "m.toml"


def test_a_later_file_may_replace_by_name(tmp_path: Path) -> None:
    write(tmp_path, ENTRY.format(name="M1", replace="a") + ENTRY.format(name="M2", replace="b"))
    write(tmp_path, ENTRY.format(name="M1", replace="c") + "replaces = true\n", "n.toml")

    found = load_mutations(tmp_path, ["m.toml", "n.toml"])

    assert [(each.name, each.replace, each.origin) for each in found] == [
        ("M1", "c", "n.toml"),
        ("M2", "b", "m.toml"),
    ]


FIRST = ENTRY.format(name="M1", replace="a")


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (FIRST.replace("find", "fnd"), "m.toml: mutation M1: unknown key 'fnd'",
         "did you mean find?"),
        (FIRST + "qqqq = 1\n", "m.toml: mutation M1: unknown key 'qqqq'",
         "it is one of: name, file, find, replace, reason, replaces, notes"),
        ("[[mutations]]\n", "m.toml: unknown key 'mutations'", "did you mean mutation?"),
        ("[mutation]\n", "m.toml: mutations are written as [[mutation]], with two brackets", ""),
        ("mutation = [1]\n", "m.toml: mutations are written as [[mutation]], with two brackets",
         ""),
        (FIRST.replace('reason = "why"\n', ""), "m.toml: mutation M1: the key 'reason' is missing",
         ""),
        (FIRST.replace('name = "M1"\n', ""), "m.toml: mutation 1: the key 'name' is missing", ""),
        (FIRST.replace('"why"', '" "'), "m.toml: mutation M1: 'reason' is empty", ""),
        (FIRST.replace('"why"', "3"), "m.toml: mutation M1: 'reason' must be a string", ""),
        (FIRST + "replaces = 1\n", "m.toml: mutation M1: 'replaces' must be true or false", ""),
        (FIRST + "notes = 1\n", "m.toml: mutation M1: 'notes' must be a table of strings", ""),
        (FIRST + "notes = {a = 1}\n", "m.toml: mutation M1: 'notes' must be a table of strings",
         ""),
        (FIRST + FIRST, "m.toml: there is already a mutation 'M1' in m.toml",
         "give one of them another name"),
        (FIRST + "replaces = true\n",
         "m.toml: mutation 'M1' replaces none: no earlier file has that name", ""),
        ("[[mutation\n", "m.toml is not TOML: ", ""),
    ],
)  # fmt: skip
def test_a_wrong_file_is_an_error(tmp_path: Path, text: str, message: str, hint: str) -> None:
    write(tmp_path, text)

    with pytest.raises(SourceError) as error:
        load_mutations(tmp_path, ["m.toml"])

    assert error.value.message.startswith(message)
    assert error.value.message == message or message.endswith(": ")
    assert error.value.hint == hint


def test_a_name_of_an_earlier_file_needs_the_word_that_replaces_it(tmp_path: Path) -> None:
    write(tmp_path, FIRST)
    write(tmp_path, FIRST, "n.toml")

    with pytest.raises(SourceError) as error:
        load_mutations(tmp_path, ["m.toml", "n.toml"])

    assert error.value.message == "n.toml: there is already a mutation 'M1' in m.toml"
    assert "replaces = true" in error.value.hint


def test_a_missing_or_unreadable_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')

    with pytest.raises(SourceError, match=r"cannot read the mutations file none\.toml: No such"):
        load_mutations(tmp_path, ["none.toml"])
    with pytest.raises(SourceError, match=r"latin\.toml is not TOML"):
        load_mutations(tmp_path, ["latin.toml"])
