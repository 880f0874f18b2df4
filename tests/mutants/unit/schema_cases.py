# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of the schema: a design from a text, and mutants of it."""

from __future__ import annotations

from pathlib import Path

from cocotb_mutants.mutant import Edit, Mutant
from cocotb_mutants.source import Design, Sources, elaborate

__all__ = ["FILE", "design", "module", "swap"]

FILE = "t.sv"


def design(tmp_path: Path, text: str, top: str = "t") -> Design:
    """Return the elaborated `text`, which is without errors."""
    (tmp_path / FILE).write_bytes(text.encode())
    found = elaborate(Sources(tmp_path, (FILE,), top))
    assert found.errors == ()
    return found


def module(*items: str) -> str:
    """Return a module with some inputs and outputs and the `items` in it."""
    return "\n".join(
        [
            "module t(input logic clk, a, b, input logic [3:0] n, m, input logic signed [3:0] s,",
            "         output logic x, y, output logic [7:0] z, output logic signed [7:0] v);",
            *items,
            "endmodule",
            "",
        ]
    )


def swap(source: Design, *pairs: tuple[str, str], name: str = "m") -> Mutant:
    """Return the mutant that puts each second text for the first, which stands there once."""
    text = source.texts[FILE]
    edits = []
    for old, new in pairs:
        assert text.count(old.encode()) == 1, old
        at = text.index(old.encode())
        edits.append(Edit(FILE, at, at + len(old.encode()), old, new))
    return Mutant(name, "by hand", tuple(sorted(edits)), "t", 1, 1)
