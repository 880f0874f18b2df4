# SPDX-License-Identifier: Apache-2.0
"""The page `docs/operators.md`: each operator with lines that the operator itself has changed."""

from __future__ import annotations

import itertools
from pathlib import Path

from cocotb_mutants.generate import Request, generate
from cocotb_mutants.mutant import apply
from cocotb_mutants.operators import OPERATORS, Example, Operator
from cocotb_mutants.source import Design, Sources

__all__ = ["example_design", "page", "shown"]

_FILE = "example.sv"
_MODULE = """\
module sub (input logic [7:0] x, z, output logic [7:0] y); endmodule
module example #(
  parameter int N = 3
) (
  input logic clk, rst_n, en, g,
  input logic [7:0] a, b,
  input logic [3:0] n,
  input logic signed [7:0] s
);
  typedef enum logic [1:0] {IDLE, RUN, DONE} state_t;
  state_t state;
  logic f;
  logic signed [7:0] t;
  logic [7:0] q, y, m;
  task put(input logic [7:0] v); endtask
"""
_HEAD = """\
<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Made by `python -m cocotb_mutants.docs operators`; a test holds this page to the code. -->
# Mutation operators

An operator is a rule that plants one small fault at a time. `--operators` chooses them by name:
`--operators relational,logical` uses these two, `--operators=-neighbour` all but one. Operators
marked *on request* are left out unless they are named, or all are with `--operators all`. The lines
below were changed by the operators themselves, in a small module whose inputs are `clk`, `rst_n`,
`en` and `g` (one bit), `a` and `b` (eight bits), `n` (four bits) and `s` (eight bits, signed).

A mutant is called `module.what_it_drives.operator-digest`, for example
`fifo.count.arithmetic-494a14`. The digest comes from the text of the statement around the fault
and from the new text. Lines added, comments, white space and edits of other statements leave the
name as it is; only the same statement once more, earlier in the module, can change it.

## What is left out

- A text that another operator puts in the same place: the first one on this page keeps it.
- What is the same fault by construction: negating `a == b`, which `relational` makes `a != b`;
  never taking an `if` around one statement, which `delete` deletes; `x + 255` in eight bits, which
  is the `x - 1` of `arithmetic`; a stuck wire whose value an arm of `?:` drives; `a && a`, which is
  what `logical` leaves of `a && b`.
- What cannot matter: adding or subtracting 0, exchanging the parts of `|{a, b}`, a cast that the
  assignment around it repeats.
- What the front end refuses, and what elaborates to the same design as the original or as an
  earlier mutant.
- Text that came out of a macro, and text of files that are included but not listed. Both are
  counted.
- Checks: assertions, and the arguments of system tasks like `$display`.

## Silencing a mutant beside the code

```systemverilog
count <= count + 1; // mutants: off arithmetic the counter only has to move
// mutants: off all the debug port is not part of the product
assign debug = state;
```

The comment names one operator, or `all`, and gives a reason, which is reported. Behind code it
speaks of its own line, on a line of its own of the next line with code. A comment without a reason
or with an unknown operator is an error; one that silences nothing is reported.

## Mutants written by hand

`--mutations FILE` reads a TOML file of named replacements; `--only-mutations` runs these alone.

```toml
[[mutation]]
name = "M01"
file = "rtl/fifo.sv"
find = "count <= count + 1"
replace = "count <= count + 2"
reason = "one word is counted twice"
```

`find` must stand in the file exactly once, byte for byte. An entry with `replaces = true` takes
the place of one of the same name in an earlier file. A table `notes` of strings may hold what else
readers should know.
"""


def page() -> str:
    """Return the text of the page."""
    parts = [_HEAD]
    families = itertools.groupby(OPERATORS.values(), key=lambda operator: operator.family)
    for family, operators in families:
        parts.append(f"\n## {family.capitalize()}\n")
        parts += [_section(operator) for operator in operators]
    return "".join(parts)


def example_design(example: Example) -> Design:
    """Return the elaborated module that an example's line stands in."""
    text = f"{_MODULE}  {example.line}\nendmodule\n".encode()
    return Design(Sources(Path(), (_FILE,), "example"), {_FILE: text})


def shown(operator: Operator, example: Example) -> list[str]:
    """Return the example's line after each of the operator's mutants."""
    design = example_design(example)
    request = Request(operators=(operator.name,))
    line = _MODULE.count("\n") + 1
    changed = (
        apply(design.texts[_FILE], mutant.edits).decode().splitlines()[line - 1].strip()
        for mutant in generate(design, [_FILE], request).mutants
        if mutant.line == line
    )
    return list(dict.fromkeys(changed))


def _section(operator: Operator) -> str:
    asked = "" if operator.by_default else " *On request: each mutant costs a build.*"
    lines = [f"\n### `{operator.name}`\n\n{operator.title}{asked}\n\n```diff\n"]
    for example in operator.examples:
        lines.append(f"-{example.line}\n")
        lines += [f"+{line}\n" for line in shown(operator, example)]
    return "".join([*lines, "```\n"])
