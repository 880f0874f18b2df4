# SPDX-License-Identifier: Apache-2.0
"""Write witnesses down as cocotb tests that anybody can read, run and keep."""

from __future__ import annotations

import itertools
import keyword
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cocotb_mutants.proofs.model import Witness

__all__ = ["WitnessTest", "identifiers", "render"]

_HEAD = '''"""{title}

Written by cocotb-mutants. Each test drives all inputs of the top and expects what the original
design answers; it passes on the original and fails on the mutants that it names.
"""

import cocotb
from cocotb.triggers import Timer


async def settle():
    """Let the design settle after its inputs have changed."""
    await Timer(1, unit="step")


async def edge(clock):
    """Give the clock one {which} edge."""
    clock.value = {active}
    await settle()
    clock.value = {idle}
    await settle()


def check(signal, expected):
    """Compare an output, an X being no value."""
    found = str(signal.value)
    wanted = format(expected, f"0{{len(found)}}b")
    assert found == wanted, f"{{signal._name}} is {{found}}, {{wanted}} was expected"
'''


@dataclass(frozen=True)
class WitnessTest:
    """A test called `name` that kills the mutants `kills`, each with what it changes."""

    name: str
    witness: Witness
    kills: tuple[tuple[str, str], ...]


def identifiers(mutants: Iterable[str]) -> dict[str, str]:
    """Return a name for the test that kills each of `mutants`, no two the same."""
    found: dict[str, str] = {}
    for mutant in mutants:
        plain = "kills_" + "".join(c if c.isascii() and c.isalnum() else "_" for c in mutant)
        taken = set(found.values())
        numbered = (f"{plain}_{number}" for number in itertools.count(2))
        found[mutant] = plain if plain not in taken else next(n for n in numbered if n not in taken)
    return found


def render(clock: str, active: int, title: str, tests: Iterable[WitnessTest]) -> str:
    """Return a module with `tests`; `clock` is "" for a design without one.

    `active` is the value that the clock has after the edge that counts.
    """
    which = "rising" if active else "falling"
    parts = [_HEAD.format(title=_plain(title), which=which, active=active, idle=1 - active)]
    parts += ["\n".join(_test(test, clock, active)) + "\n" for test in tests]
    return "\n\n".join(parts)


def _test(test: WitnessTest, clock: str, active: int) -> Iterator[str]:
    yield "@cocotb.test()"
    yield f"async def {test.name}(dut):"
    yield '    """Kills'
    yield ""
    for name, description in test.kills:
        yield f"    - {_plain(name)}: {_plain(description)}"
    yield '    """'
    if clock:
        yield f"    {_handle(clock)}.value = {1 - active}"
    for line in _body(test.witness, clock):
        yield f"    {line}"


def _body(witness: Witness, clock: str) -> Iterator[str]:
    before: Mapping[str, int] = {}
    edges = 0
    last = len(witness.steps) - 1
    for index, inputs in enumerate(witness.steps):
        changed = [name for name in inputs if inputs[name] != before.get(name)]
        if changed or index == last:
            yield from _edges(edges, clock)
            edges = 0
        for name in changed:
            yield f"{_handle(name)}.value = {_number(inputs[name])}"
        if changed:
            yield "await settle()"
        before = inputs
        if index < last and witness.clocked[index]:
            edges += 1
    yield f"check({_handle(witness.output)}, {_number(witness.original)})"
    for name, value in witness.expected.items():
        if name != witness.output:
            yield f"check({_handle(name)}, {_number(value)})"


def _edges(count: int, clock: str) -> Sequence[str]:
    if not count or not clock:
        return ()
    one = f"await edge({_handle(clock)})"
    return (one,) if count == 1 else (f"for _ in range({count}):", f"    {one}")


def _handle(name: str) -> str:
    plain = name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("_")
    return f"dut.{name}" if plain else f"dut[{name!r}]"


def _number(value: int) -> str:
    return str(value) if value < 10_000 else hex(value)


def _plain(text: str) -> str:
    """Return text that cannot end a docstring or a line."""
    one_line = " ".join(text.split())
    return one_line.replace("\\", "\\\\").replace('"""', "'''")
