# SPDX-License-Identifier: Apache-2.0
"""Content keys: what must change them, and what must not."""

from __future__ import annotations

from pathlib import Path

import pytest

from cocotb_mutants.digest import design_digest, mutant_digest
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
