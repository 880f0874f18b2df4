# SPDX-License-Identifier: Apache-2.0
"""In Icarus each mutant of a schema does what its own text does, and no effect goes unwatched."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from cocotb_mutants import schema
from cocotb_mutants.generate import Request, generate
from cocotb_mutants.markers import PACKAGE, select_package
from cocotb_mutants.mutant import Mutant
from cocotb_mutants.prove import screen
from cocotb_mutants.source import Sources, elaborate
from tests.conftest import simulators
from tests.mutants.acceptance.schema_designs import DESIGNS, Dut


@pytest.fixture(autouse=True)
def _icarus(pytestconfig: pytest.Config) -> None:
    if "icarus" not in simulators(pytestconfig):
        pytest.skip("Icarus is not among the simulators of this run")


_MARK = 123454321
"""Where the number of the mutant is in the compiled schema, so that it is compiled once."""

Trace = dict[int, str]


def simulate(folder: Path, name: str, text: bytes) -> Path:
    source, program = folder / f"{name}.sv", folder / f"{name}.vvp"
    source.write_bytes(text)
    command = ["iverilog", "-g2012", "-s", "tb", "-o", str(program), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
    return program


def run(program: Path) -> str:
    command = ["vvp", "-n", str(program)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=20).stdout


def bench(dut: Dut, tops: Mapping[int, str], at_end: Iterable[str] = ()) -> bytes:
    """Return a testbench that drives all `tops` alike, and prints what each of them puts out."""
    lines = [f"module tb;\n{dut.inputs}"]
    for number, top in tops.items():
        lines += [
            f"wire [{dut.width - 1}:0] o{number}; {top} d{number}({dut.connections}, o{number});",
            f'always @(o{number}) $strobe("{number} %0d %b", $time, o{number});',
            f'initial $strobe("{number} %0d %b", $time, o{number});',
        ]
    lines += ["initial begin #7;", f"  repeat ({dut.steps}) begin {dut.drive} #10; end"]
    lines += [*at_end, "  $finish(0);", "end", "endmodule"]
    return "\n".join(lines).encode() + b"\n"


def traces(output: str) -> dict[int, Trace]:
    """Return by number at which times the settled outputs took another value."""
    settled: dict[int, Trace] = {}
    for line in output.splitlines():
        if match := re.fullmatch(r"(\d+) (\d+) ([01xz]+)", line):
            number, time, value = match.groups()
            settled.setdefault(int(number), {})[int(time)] = value
    return {number: dict(_changes(trace)) for number, trace in settled.items()}


def _changes(trace: Trace) -> Iterator[tuple[int, str]]:
    before = ""
    for time, value in trace.items():
        if value != before:
            yield time, value
        before = value


def renamed(text: bytes, number: int) -> bytes:
    """Return `text` with a number behind the names of all its modules and packages."""
    names = set(re.findall(rb"\b(?:module|package)\s+(\w+)", text))
    return re.sub(rb"\b(%s)\b" % b"|".join(names), lambda m: m.group() + b"_%d" % number, text)


def of_patches(folder: Path, dut: Dut, patches: Mapping[int, bytes]) -> dict[int, Trace]:
    """Simulate all patches at once, beside one another."""
    text = b"\n".join(renamed(text, number) for number, text in patches.items())
    tops = {number: f"t_{number}" for number in patches}
    return traces(run(simulate(folder, "patches", text + bench(dut, tops))))


def in_schema(
    folder: Path, dut: Dut, plan: schema.Schema
) -> tuple[dict[int, Trace], dict[int, bool]]:
    """Simulate the schema with each number; also say which mutants nothing selected activates."""
    paths = [f"tb.d0.{hit.path.removeprefix('t.')}" for hit in plan.hits]
    at_end = [f'$display("hit {at} %b", {path});' for at, path in enumerate(paths)]
    text = select_package(_MARK) + plan.texts["t.sv"] + bench(dut, {0: "t"}, at_end)
    compiled = simulate(folder, "schema", text).read_text()
    assert compiled.count(str(_MARK)) == 1
    found: dict[int, Trace] = {}
    hits: dict[int, bool] = {}
    for number in (0, *(plan.numbers[mutant.name] for mutant in plan.in_schema)):
        program = folder / "one.vvp"
        program.write_text(compiled.replace(str(_MARK), str(number)))
        output = run(program)
        found[number] = traces(output)[0]
        if number == 0:
            for at, bits in re.findall(r"hit (\d+) ([01]+)", output):
                for each, bit in zip(plan.hits[int(at)].numbers, reversed(bits), strict=True):
                    hits[each] = hits.get(each, False) or bit == "1"
    return found, hits


def is_finite(text: bytes, mutant: Mutant) -> bool:
    """Tell whether it leaves loops alone, or at most changes where they begin."""
    edit = mutant.edits[0]
    line = text[text.rfind(b"\n", 0, edit.start) + 1 :].partition(b"\n")[0]
    return b"for (int" not in line or "=" not in edit.original + edit.replacement


@pytest.mark.parametrize("dut", DESIGNS, ids=lambda dut: dut.name)
def test_every_mutant_does_in_the_schema_what_it_does_alone(tmp_path: Path, dut: Dut) -> None:
    text = dut.text.encode()
    (tmp_path / "t.sv").write_bytes(text)
    source = elaborate(Sources(tmp_path, ("t.sv",), "t"))
    assert source.errors == ()
    found = generate(source, ["t.sv"], Request(("all",)), screen).mutants
    mutants = [mutant for mutant in found if is_finite(text, mutant)]
    plan = schema.plan(source, mutants)
    numbers = {plan.numbers[mutant.name]: mutant for mutant in plan.in_schema}
    assert len(numbers) >= dut.at_least

    patches = {n: schema.patched(source, mutant)["t.sv"] for n, mutant in numbers.items()}
    wanted = of_patches(tmp_path, dut, {0: text, **patches})
    traced, hits = in_schema(tmp_path, dut, plan)

    assert len(wanted[0]) > dut.steps // 4
    assert {n: t for n, t in traced.items() if t != wanted[n]} == {}
    differing = {n for n in numbers if traced[n] != traced[0]}
    tracked = {n for n, mutant in numbers.items() if mutant.name in plan.tracked}
    assert hits.keys() == tracked
    assert {numbers[n].description for n in differing & tracked if not hits[n]} == set()
    assert PACKAGE not in dut.text
