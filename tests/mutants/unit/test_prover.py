# SPDX-License-Identifier: Apache-2.0
"""What is decided about mutants of small designs, and what is left undecided, with the reason."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cocotb_mutants.handwritten import HandWritten, plant
from cocotb_mutants.mutant import Mutant
from cocotb_mutants.proofs.decide import Decision
from cocotb_mutants.proofs.prover import Prover
from cocotb_mutants.proofs.text import clocking
from cocotb_mutants.proofs.translate import MEMORY_BITS
from cocotb_mutants.source import Design, Sources, elaborate

HERE = Path(__file__).parents[1] / "proofs"
CASES = tomllib.loads((HERE / "cases.toml").read_text(encoding="utf-8"))["case"]
DESIGNS = sorted({(each["design"], str(each.get("parameters", ""))) for each in CASES})
WANTED = {
    "equivalent": {"equivalent"},
    "different": {"distinguishable"},
    "undetermined": {"undetermined"},
}
UNDECIDED = {
    # What is written to a slot before the first reset differs, and is never shown.
    ("queue", "assign full  = (count >= 3'd4);"),
    ("queue", "assign full  = count[2];"),
}


def of(design: str, parameters: str) -> list[dict[str, Any]]:
    return [
        each
        for each in CASES
        if (each["design"], str(each.get("parameters", ""))) == (design, parameters)
    ]


def mutant(design: Design, file: str, find: str, to: str, name: str = "m") -> Mutant:
    found = plant(design, HandWritten(name, file, find, to, "", "here"))
    assert found is not None
    return found


def test_there_are_enough_cases() -> None:
    counts = Counter(each["verdict"] for each in CASES)
    assert counts["equivalent"] >= 30
    assert counts["different"] >= 30
    assert {"combinational", "counter", "fsm", "pipeline"} <= {each["kind"] for each in CASES}


@pytest.mark.parametrize(("name", "parameters"), DESIGNS)
def test_no_verdict_is_wrong(name: str, parameters: str) -> None:
    cases = of(name, parameters)
    given = cases[0].get("parameters", {})
    file = f"{name}.sv"
    design = elaborate(Sources(HERE, (file,), name, parameters=given))
    assert design.errors == ()
    mutants = [
        mutant(design, file, each["find"], each["replace"], str(number))
        for number, each in enumerate(cases)
    ]

    decided = {int(m.name): found.decision for m, found in Prover(design, mutants).all()}

    wrong = []
    for number, case in enumerate(cases):
        wanted = WANTED[case["verdict"]]
        if case.get("deep") or (name, case["replace"]) in UNDECIDED:
            wanted = {"bounded"}
        decision = decided[number]
        if decision.kind not in wanted:
            wrong.append((case["find"], case["replace"], decision.kind, decision.how))
        if decision.kind == "distinguishable" and case.get("cycles"):
            # Inputs may take their time, and may reset the design once more.
            assert decision.witness is not None
            assert 0 < len(decision.witness.steps) <= 3 * case["cycles"] + 30
    assert wrong == []


Decide = Callable[..., Decision]


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Design]:
    """A function that elaborates a text."""

    def elaborated(text: str, **more: Any) -> Design:
        (tmp_path / "t.sv").write_text(text, encoding="utf-8")
        design = elaborate(Sources(tmp_path, ("t.sv",), "t", **more))
        assert design.errors == ()
        return design

    return elaborated


@pytest.fixture
def decided(read: Callable[..., Design]) -> Decide:
    """A function that says what is found out of one mutant of a text."""

    def decide(text: str, find: str, to: str, operator: str = "by hand", **more: Any) -> Decision:
        design = read(text, **more)
        found = replace(mutant(design, "t.sv", find, to), operator=operator)
        ((_, proved),) = Prover(design, [found]).all()
        return proved.decision

    return decide


HEAD = "module t(input logic clk, clk2, rst_n, a, b, input logic [3:0] n, output logic x, y);\n"
FF = "always_ff @(posedge clk or negedge rst_n) if (!rst_n) x <= 0; else x <= a;\n"


@pytest.mark.parametrize(
    ("body", "find", "to", "why"),
    [
        (FF + "always_ff @(posedge clk2) y <= b;", "<= a", "<= !a", "more than one clock"),
        (FF + "always_ff @(negedge clk) y <= b;", "<= a", "<= !a", "or both edges of one"),
        (
            "logic g; assign g = clk & a; always_ff @(posedge g) x <= b;",
            "b;",
            "!b;",
            "not an input",
        ),
        ("always_latch if (a) x = b;", "x = b", "x = !b", "a latch"),
        ("always @(a) x = a & b;", "a & b", "a | b", "does not wait for all that it reads"),
        (
            "always_ff @(posedge clk or posedge clk2) x <= b;",
            "b;",
            "!b;",
            "whose clock cannot be told",
        ),
        (FF, "or negedge rst_n", "", "it changes what wakes a process"),
        (FF, "posedge clk", "negedge clk", "it changes what wakes a process"),
        (
            f"logic [31:0] m [{MEMORY_BITS // 16}]; always_ff @(posedge clk) m[n] <= {{32{{a}}}};\n"
            "assign x = m[{4'd0, n}][0];",
            "{32{a}}",
            "{32{b}}",
            "a memory is too large",
        ),
        ("initial begin x = 0; #5 x = 1; end", "x = 1", "x = a", "t.sv:2: "),
        (
            "always_ff @(posedge clk) x <= #1 a;",
            "#1",
            "#2",
            "Yosys cannot read it: t.sv:2: unsynth",
        ),
        ("assign #3 x = a;", "#3", "#2", "unsynthesizable timing control"),
        (FF + "always_ff @(posedge clk) assert (a);", "(a)", "(b)", "an assertion in the design"),
        (FF + "always_comb assert (a | b);", "a | b", "a & b", "an assertion in the design"),
    ],
)
def test_what_is_not_covered_is_not_decided(
    decided: Decide, body: str, find: str, to: str, why: str
) -> None:
    found = decided(f"{HEAD}{body}\nendmodule\n", find, to)

    assert found.kind == "unknown"
    assert found.witness is None
    assert why in found.how


def test_a_port_of_both_directions_is_not_covered(decided: Decide) -> None:
    text = "module t(inout wire p, input a, output x); assign x = a & p; endmodule\n"
    assert "input and output at once" in decided(text, "a & p", "a | p").how


def test_a_register_that_only_the_mutant_reads_is_no_obstacle(decided: Decide) -> None:
    body = (
        "logic z; always_ff @(posedge clk or negedge rst_n)\n"
        "if (!rst_n) begin x <= 0; z <= 0; end else begin x <= a; z <= a; end\nassign y = x;"
    )
    same = decided(f"{HEAD}{body}\nendmodule\n", "assign y = x", "assign y = z")
    assert (same.kind, same.depth) == ("equivalent", 1)


def test_a_reset_of_a_mixed_design_leaves_what_it_does_not_wake(decided: Decide) -> None:
    # `late` is clocked alone. A reset without a clock edge clears `x` and not `late`: y shows it.
    body = (
        "logic late; always_ff @(posedge clk or negedge rst_n) if (!rst_n) x <= 0; else x <= a;\n"
        "always_ff @(posedge clk) late <= rst_n ? a : 1'b0;\nassign y = late & rst_n;"
    )
    found = decided(f"{HEAD}{body}\nendmodule\n", "late & rst_n", "late")
    assert found.kind == "distinguishable"
    assert found.witness is not None
    inputs = [step["rst_n"] for step in found.witness.steps]
    for index, clocked in enumerate(found.witness.clocked):
        wakes = index > 0 and inputs[index] == 0 and inputs[index - 1] == 1
        assert clocked != wakes


@pytest.mark.parametrize(
    ("rest", "kind"),
    [
        ("assign y = x;", "equivalent"),
        ("always_ff @(posedge clk) y <= x;", "unknown"),
        ("wire w = x & b; always_ff @(posedge clk) y <= w;", "unknown"),
    ],
)
def test_when_an_assignment_takes_effect_matters_to_others_at_the_edge(
    decided: Decide, rest: str, kind: str
) -> None:
    found = decided(f"{HEAD}{FF}{rest}\nendmodule\n", "x <= a", "x = a", "blocking")
    assert found.kind == kind


@pytest.mark.parametrize(
    ("process", "kind"),
    [
        ("begin x <= a; end", "equivalent"),
        ("begin x <= a; y <= x; end", "unknown"),
        ("begin y <= x; x <= a; end", "equivalent"),
        ("begin x <= b; x <= a; end", "unknown"),
        ("begin if (b) x <= a; else x <= !a; end", "equivalent"),
        ("begin if (b) x <= a; if (a) y <= x; end", "unknown"),
        ("begin y <= b; x <= a; end", "equivalent"),
    ],
)
def test_a_variable_that_is_met_again_is_not_decided(
    decided: Decide, process: str, kind: str
) -> None:
    text = f"{HEAD}always_ff @(posedge clk) {process}\nendmodule\n"
    assert decided(text, "x <= a", "x = a", "blocking").kind == kind


@pytest.mark.parametrize(("find", "to"), [("x <= a", "x = a"), ("<= a", "= a & a")])
def test_a_swap_by_hand_is_known_for_one(decided: Decide, find: str, to: str) -> None:
    body = "always_ff @(posedge clk) x <= a;\nalways_ff @(posedge clk) y <= x;"
    assert decided(f"{HEAD}{body}\nendmodule\n", find, to).kind == "unknown"


def test_a_mutant_that_yosys_refuses_does_not_take_others_with_it(
    read: Callable[..., Design],
) -> None:
    body = (
        "always_comb begin x = a; for (int i = 0; i < 4; i++) x = x ^ n[i]; end\nassign y = a & b;"
    )
    text = f"{HEAD}{body}\nendmodule\n"
    design = read(text)
    endless = mutant(design, "t.sv", "i < 4", "i < 4 || i > 1", "endless")
    good = mutant(design, "t.sv", "a & b", "b & a", "good")

    found = {m.name: proved.decision for m, proved in Prover(design, [endless, good]).all()}

    assert found["good"].kind == "equivalent"
    assert found["endless"].kind == "unknown"
    assert "unroll limit" in found["endless"].how


def test_another_initial_value_is_not_the_same_design(decided: Decide) -> None:
    body = "logic q = 1'b1; always_ff @(posedge clk) q <= q & a;\nassign x = q;"
    found = decided(f"{HEAD}{body}\nendmodule\n", "q = 1'b1", "q = 1'b0")
    assert (found.kind, found.how) == ("unknown", "it changes what a register is in the beginning")


def test_a_bit_that_is_not_there_is_an_x(decided: Decide) -> None:
    body = "assign x = n[a ? 2 : 3];"
    found = decided(f"{HEAD}{body}\nendmodule\n", "2 : 3", "2 : 4")
    assert (found.kind, found.how) == ("undetermined", "an X")


def test_what_a_design_prints_is_not_looked_at(decided: Decide) -> None:
    body = FF + 'always_ff @(posedge clk) if (b) $display("%d", a);'
    found = decided(f"{HEAD}{body}\nendmodule\n", "if (b)", "if (!b)")
    assert found.kind == "equivalent"


@pytest.mark.parametrize(
    ("name", "level"),
    [("rst", 1), ("rst_ni", 0), ("sys_resetn", 0), ("arst_n", 0), ("burst", None), ("first", None)],
)
def test_an_input_is_a_reset_by_its_name(
    read: Callable[..., Design], name: str, level: int | None
) -> None:
    text = (
        f"module t(input logic clk, {name}, a, output logic x);\n"
        f"always_ff @(posedge clk) x <= {name} & a;\nendmodule\n"
    )
    found = clocking(read(text))
    assert found.resets == ({} if level is None else {name: level})
    assert found.waking == frozenset()


def test_parameters_and_defines_of_the_top_are_used(decided: Decide) -> None:
    text = (
        "module t #(parameter int N = 3)(input logic [3:0] n, output logic x);\n"
        "`ifdef ALSO\nassign x = n > N;\n`else\nassign x = n > 15;\n`endif\nendmodule\n"
    )
    find, to = "n > N", "n > 4'd8"
    assert decided(text, find, to, defines={"ALSO": "1"}).kind == "distinguishable"
    same = decided(text, find, to, defines={"ALSO": "1"}, parameters={"N": 8})
    assert same.kind == "equivalent"


def test_all_instances_have_the_mutant(decided: Decide) -> None:
    text = (
        "module s(input logic a, output logic q); assign q = !a; endmodule\n"
        "module t(input logic a, output logic x);\n"
        "logic m; s one(.a(a), .q(m)); s two(.a(m), .q(x));\nendmodule\n"
    )
    # Two inversions are none, and so are two buffers.
    assert decided(text, "q = !a", "q = a").kind == "equivalent"
    assert decided(text, "q = !a", "q = 1'b0").kind == "distinguishable"


def test_what_no_random_run_finds_the_solver_does(decided: Decide) -> None:
    text = (
        "module t(input logic clk, rst_n, input logic [31:0] n, output logic x);\n"
        "logic [31:0] last; always_ff @(posedge clk or negedge rst_n)\n"
        "if (!rst_n) last <= 0; else last <= n;\n"
        "assign x = last == 32'hDEADBEEF && n == 32'h12345678;\nendmodule\n"
    )
    found = decided(text, "32'h12345678", "32'h12345679")
    assert found.kind == "distinguishable"
    assert found.witness is not None
    steps = [step["n"] for step in found.witness.steps]
    assert steps[-2] == 0xDEADBEEF
    assert (steps[-1], found.witness.original, found.witness.mutant) in [
        (0x12345678, 1, 0),
        (0x12345679, 0, 1),
    ]
    assert len(steps) == 4
