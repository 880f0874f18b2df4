# SPDX-License-Identifier: Apache-2.0
"""Content keys: what must change them, and what must not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cocotb_mutants.digest import _words, design_digest, mutant_digest
from cocotb_mutants.mutant import Edit, Mutant
from cocotb_mutants.source import Sources, elaborate
from cocotb_mutants.tokens import tokenise

TEXT = """\
module t(input logic a, b, output logic y);
  assign y = a && b; // why
  initial $readmemh("image.hex", m);
  logic [7:0] m [4];
  `include "more.svh"
endmodule
"""


def digest(folder: Path, text: str = TEXT, more: str = "logic z;\n", image: str = "00") -> str:
    (folder / "t.sv").write_text(text)
    (folder / "more.svh").write_text(more)
    (folder / "image.hex").write_text(image)
    return design_digest(elaborate(Sources(folder, ("t.sv",), "t")))


@pytest.mark.parametrize(
    ("old", "new"),
    [("// why", "// because"), ("assign y", "\n\n  assign  y"), ("a && b", "a /* x */ && b")],
)
def test_comments_and_layout_leave_it(tmp_path: Path, old: str, new: str) -> None:
    assert digest(tmp_path, TEXT.replace(old, new)) == digest(tmp_path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a && b", "a || b"),
        ("a && b", "a & &b"),
        ("// why", "// verilator lint_off WIDTH"),
        ("/* x */", ""),
    ],
)
def test_code_changes_it(tmp_path: Path, old: str, new: str) -> None:
    text = TEXT.replace("/* x */", "")
    changed = text.replace(old, new)
    assert (digest(tmp_path, changed) == digest(tmp_path, text)) == (changed == text)


def test_included_files_and_images_change_it(tmp_path: Path) -> None:
    before = digest(tmp_path)

    assert digest(tmp_path, more="logic w;\n") != before
    assert digest(tmp_path, image="FF") != before


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("`define A b\n+ 1\n", "`define A b + 1\n"),
        ("`define A b \\\n+ 1\n- 1\n", "`define A b \\\n+ 1 - 1\n"),
        ("// verilator lint_off\nlogic x;\n", "logic x;\n// verilator lint_off\n"),
    ],
)
def test_layout_that_has_a_meaning_changes_it(one: str, other: str) -> None:
    def words(text: str) -> list[bytes]:
        return list(_words(tokenise(text.encode()), text.encode()))

    assert words(one) != words(other)
    assert words(one) == words(one.replace("\n", "  \n\n") if "\\" not in one else one)


@pytest.mark.parametrize("key", ["parameters", "defines"])
def test_an_image_that_a_setting_names_changes_it(tmp_path: Path, key: str) -> None:
    text = 'module t #(parameter string P = "")(); endmodule\n'
    (tmp_path / "t.sv").write_text(text)

    def of(image: str, name: str) -> str:
        (tmp_path / "image.hex").write_text(image)
        settings: dict[str, Any] = {key: {"P": name}}
        return design_digest(elaborate(Sources(tmp_path, ("t.sv",), "t", **settings)))

    assert of("00", '"image.hex"') != of("01", '"image.hex"')
    assert of("00", '"none.hex"') == of("01", '"none.hex"')


def test_a_string_that_is_too_long_for_a_name_is_no_file(tmp_path: Path) -> None:
    text = TEXT.replace("image.hex", "x" * 5000)

    assert digest(tmp_path, text, image="00") == digest(tmp_path, text, image="01")


def mutant(text: str, old: str, new: str) -> str:
    at = text.index(old)
    edit = Edit("t.sv", at, at + len(old), old, new)
    return mutant_digest(Mutant("m", "o", (edit,), "t", 1, 1), {"t.sv": tokenise(text.encode())})


def test_a_mutant_keeps_its_digest_when_it_moves_and_loses_it_when_it_changes() -> None:
    here = mutant(TEXT, "a && b", "a || b")

    assert mutant("// above\n" + TEXT, "a && b", "a || b") == here
    assert mutant(TEXT, "&&", "||") != here
    assert mutant(TEXT, "a && b", "a") != here
    assert mutant(TEXT, "a && b", "b") != mutant(TEXT, "a && b", "a")


def test_an_edit_inside_a_token_is_not_the_edit_of_the_whole() -> None:
    assert mutant("x = 8'd10;", "10", "11") != mutant("x = 8'd10;", "8'd10", "11")
