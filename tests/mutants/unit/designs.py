# SPDX-License-Identifier: Apache-2.0
"""Small designs in memory, and what the operators make of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cocotb_mutants.generate import MutantSet, Request, generate
from cocotb_mutants.mutant import Mutant, apply
from cocotb_mutants.source import Design, Sources

FILE = "top.sv"

MODULE = """\
package codes;
  typedef enum logic [1:0] {{IDLE, RUN, DONE}} state_t;
  typedef struct packed {{logic [3:0] high; logic [3:0] low;}} pair_t;
endpackage
module sub (input logic [7:0] x, z, input logic e, output logic [7:0] y);
  assign y = e ? x : z;
endmodule
module top import codes::*; #(parameter int N = 3, parameter bit ON = 1) (
  input logic clk, rst_n, en, go, input logic [7:0] a, b, input logic signed [7:0] s,
  output logic [7:0] y, q, output logic f
);
  {declared}
  {body}
endmodule
"""

DECLARED = """\
  logic [3:0] n; logic [7:0] m; logic signed [7:0] t; state_t state; pair_t pair;
  logic [7:0] mem [4]; logic [7:0] words; logic h; integer i;
  task put(input logic [7:0] v); words = v; endtask
"""


def design(
    texts: str | bytes | Mapping[str, str | bytes], top: str = "top", **other: Any
) -> Design:
    """Return an elaborated design of texts in memory; it has no errors."""
    if isinstance(texts, str | bytes):
        texts = {FILE: texts}
    content = {f: t.encode() if isinstance(t, str) else t for f, t in texts.items()}
    found = Design(Sources(other.pop("root", Path()), tuple(content), top, **other), content)
    assert found.errors == ()
    return found


def around(body: str) -> Design:
    """Return the module of all tests of operators, with `body` in it."""
    return design(MODULE.format(declared=DECLARED.strip(), body=body))


def planted(source: Design, *operators: str, files: tuple[str, ...] = ()) -> MutantSet:
    """Return what generate makes of a design; every mutant must compile."""
    found = generate(source, files or source.sources.files, Request(operators=operators))
    for mutant in found.mutants:
        assert broken(source, mutant) == (), mutant.description
    return found


def broken(source: Design, mutant: Mutant) -> tuple[str, ...]:
    """Return what the front end says of a mutant."""
    texts = {
        file: apply(text, [edit for edit in mutant.edits if edit.file == file])
        for file, text in source.texts.items()
    }
    return tuple(str(problem) for problem in Design(source.sources, texts).errors)


def made(body: str, operator: str) -> list[str]:
    """Return what an operator does to the lines of `body`, in order, as descriptions."""
    source = around(body)
    start = source.texts[FILE].index(body.encode())
    return [
        mutant.description
        for mutant in planted(source, operator).mutants
        if start <= mutant.edits[0].start < start + len(body.encode())
    ]
