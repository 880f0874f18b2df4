# SPDX-License-Identifier: Apache-2.0
"""From a design to a set of mutants: order, choice, counts, and what a screen takes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from cocotb_mutants.errors import UsageError
from cocotb_mutants.generate import Request, chosen_operators, generate
from cocotb_mutants.mutant import Mutant, apply
from cocotb_mutants.operators import OPERATORS
from cocotb_mutants.source import Design, Sources, elaborate
from tests.mutants.unit.designs import FILE, broken, design, planted

ROOT = Path(__file__).parents[3]
MODULES = sorted((ROOT / "rtl" / "fleet").glob("*.sv"))

TEXT = """\
module sub (input a, b, output y); assign y = a && b; endmodule
module top (input a, b, output y, z); sub u (a, b, y); assign z = !a; endmodule
"""


@dataclass
class Found:
    invalid: Mapping[str, str] = field(default_factory=dict)
    identical: Sequence[str] = ()
    duplicates: Mapping[str, str] = field(default_factory=dict)


def test_only_the_files_asked_for_are_mutated() -> None:
    source = design({"sub.sv": TEXT.splitlines()[0], "top.sv": TEXT.splitlines()[1]})

    assert {m.file for m in generate(source, ["top.sv"]).mutants} == {"top.sv"}
    assert {m.file for m in generate(source, ["top.sv", "sub.sv"]).mutants} == {"sub.sv", "top.sv"}


def test_mutants_are_in_the_order_of_files_offsets_and_operators() -> None:
    source = design({"z.sv": TEXT.splitlines()[0], "a.sv": TEXT.splitlines()[1]})

    found = planted(source).mutants

    keys = [
        (source.sources.files.index(m.file), m.edits[0].start, list(OPERATORS).index(m.operator))
        for m in found
    ]
    assert keys == sorted(keys)
    assert found[0].file == "z.sv"


def test_the_same_design_gives_the_same_set() -> None:
    assert planted(design(TEXT)) == planted(design(TEXT))


def test_the_choice_of_operators_changes_no_name_and_no_text() -> None:
    text = (
        "module top (input c, a, b, input [3:0] n, output reg y); always @(posedge c)"
        " if (!a) y <= n == 0 && b ? a : b; endmodule"
    )
    source = design(text)
    everything = {m.name: m for m in planted(source).mutants}

    for name in OPERATORS:
        for mutant in planted(source, name).mutants:
            assert everything[mutant.name] == mutant


def test_operators_are_chosen_and_taken_away() -> None:
    def names(*words: str) -> list[str]:
        return [operator.name for operator in chosen_operators(words)]

    usual = [name for name in OPERATORS if name not in ("range", "nonblocking")]
    assert names() == usual
    assert names("all") == list(OPERATORS)
    assert names("all", "-logical") == [name for name in OPERATORS if name != "logical"]
    assert names("logical", "arithmetic") == ["arithmetic", "logical"]
    assert names("-logical") == [name for name in usual if name != "logical"]
    assert names("logical", "shift", "-logical") == ["shift"]


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("relatonal", "did you mean relational?"),
        ("-relatonal", "did you mean relational?"),
        ("zzz", f"it is one of: {', '.join(OPERATORS)}"),
    ],
)
def test_an_unknown_operator_is_an_error(word: str, hint: str) -> None:
    with pytest.raises(UsageError) as error:
        generate(design(TEXT), [FILE], Request((word,)))

    assert error.value.message == f"unknown operator {word.removeprefix('-')!r}"
    assert error.value.hint == hint


def test_sites_are_counted_by_operator() -> None:
    found = planted(design(TEXT), "logical", "shift", "port_swap")

    assert dict(found.sites) == {"logical": 2, "shift": 0, "port_swap": 1}


def test_what_a_screen_finds_is_dropped_and_counted() -> None:
    seen: list[list[str]] = []

    def screen(source: Design, mutants: Sequence[Mutant]) -> Found:
        names = [mutant.name for mutant in mutants]
        seen.append(names)
        return Found({names[0]: "no"}, [names[1]], {names[2]: names[3]})

    found = generate(design(TEXT), [FILE], Request(("logical",)), screen)

    assert {m.name for m in found.mutants} == {seen[0][3]}
    assert (found.dropped_invalid, found.dropped_identical, found.dropped_duplicate) == (1, 1, 1)


def test_no_two_mutants_of_the_fleet_give_the_same_text() -> None:
    for module in MODULES:
        source = fleet(module)
        file = str(module.relative_to(ROOT))
        found = generate(source, [file])
        texts = {apply(source.texts[file], mutant.edits) for mutant in found.mutants}

        assert len(texts) == len(found.mutants) > 90
        assert source.texts[file] not in texts
        assert len({mutant.name for mutant in found.mutants}) == len(found.mutants)


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_every_mutant_of_the_fleet_compiles(module: Path) -> None:
    source = fleet(module)
    file = str(module.relative_to(ROOT))
    found = generate(source, [file]).mutants

    # each module has them all: it counts, compares and resets
    assert {"relational", "logical", "reset_value", "clock_enable", "delete", "edge"} <= {
        mutant.operator for mutant in found
    }
    assert [(m.name, broken(source, m)) for m in found if broken(source, m)] == []


def fleet(module: Path) -> Design:
    files = tuple(str(path.relative_to(ROOT)) for path in MODULES)
    own = str(module.relative_to(ROOT))
    sources = files if module.stem == "multi_tenant_model" else (own,)
    source = elaborate(Sources(ROOT, sources, module.stem))
    assert source.errors == ()
    return source
