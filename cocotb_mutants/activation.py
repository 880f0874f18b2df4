# SPDX-License-Identifier: Apache-2.0
"""Registers in the schema that say which mutants would have differed, had they been on."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from pyslang import ast

from cocotb_mutants.compose import Alternative, Wrap, can_be_copied
from cocotb_mutants.markers import GROSS, HIT, SELECT
from cocotb_mutants.protocol import HitRegister
from cocotb_mutants.prove import Analysis
from cocotb_mutants.source import Design, Span
from cocotb_mutants.units import Expression, Key, Unit

__all__ = ["Watch", "gross_wraps"]

_LONGEST = 400
"""Bytes of the longest value that is written out again for each of its mutants."""

_LOOPS = (
    "ForLoopStatement",
    "WhileLoopStatement",
    "DoWhileLoopStatement",
    "RepeatLoopStatement",
    "ForeachLoopStatement",
    "WaitStatement",
)
_SIGNED_GROSS = {"'0": "1'sb0", "'1": "1'sb1"}
"""The same constants where an unsigned one would take the sign from what stands beside it."""


@dataclass
class _Register:
    """One register; `numbers` are the mutants that its bits stand for."""

    name: str
    numbers: list[int] = field(default_factory=list)

    def declaration(self) -> bytes:
        width = len(self.numbers)
        return (
            f"\nlogic [{width - 1}:0] {self.name} /* verilator public_flat_rw */ = {width}'d0;\n"
        ).encode()

    def bit(self, number: int) -> str:
        if number not in self.numbers:
            self.numbers.append(number)
        return f"{self.name}[{self.numbers.index(number)}]"


class Watch:
    """Collects what is to be watched, then weaves it into the text.

    A mutant is watched where its value is computed: before the statement that it belongs to, or
    beside the assignment or instance. What cannot be watched without changing the design, or
    without missing something, is not: it counts as activated. So do the mutants `blind`.

    A later `if` of a `unique` chain is watched before the first, where its condition has the same
    value. What is missed is a value outside of processes that lasts for no time at all.
    """

    def __init__(self, analysis: Analysis, blind: Collection[str] = ()) -> None:
        self._analysis = analysis
        self._blind = blind
        self._registers: dict[Span, _Register] = {}
        self._inside: dict[Key, list[tuple[bytes, int]]] = {}
        self._beside: dict[Span, list[tuple[bytes, int]]] = {}
        self._seen: set[str] = set()
        self._untracked: set[str] = set()

    @property
    def tracked(self) -> set[str]:
        """The mutants all of whose places are watched."""
        return self._seen - self._untracked

    def add(
        self, name: str, number: int, key: Key, span: Span, is_statement: bool, text: bytes
    ) -> None:
        """Watch the place `span` of the unit `key`, where mutant `number` has `text`."""
        self._seen.add(name)
        unit = self._analysis.units.by_key[key]
        where = _where(unit, is_statement)
        condition = self._condition(unit, span, is_statement, text)
        if where is None or condition is None or name in self._blind:
            self._untracked.add(name)
            return
        if where not in self._registers:
            self._registers[where] = _Register(f"{HIT}{len(self._registers)}")
        bit = self._registers[where].bit(number)
        line = (f"\nif ({condition}) {bit} = 1'b1;".encode("latin-1"), number)
        if unit.process is not None:
            self._inside.setdefault(unit.head or key, []).append(line)
        else:
            self._beside.setdefault(where, []).append(line)

    def weave(self, wraps: dict[tuple[Span, bool], Wrap]) -> None:
        """Add what watches to `wraps`."""
        for key, lines in self._inside.items():
            unit = self._analysis.units.by_key[key]
            _wrap(wraps, unit.span).before += _watching(lines)
        for member, register in self._registers.items():
            lines = self._beside.get(member, [])
            at = member.end if lines else member.start
            before = _wrap(wraps, Span(member.file, at, at)).before
            before.append((register.declaration(), 0))
            if lines:
                before += [(b"always_comb ", 0), *_watching(lines), (b"\n", 0)]

    def registers(self, design: Design) -> tuple[HitRegister, ...]:
        """Return every register of the elaborated schema with its hierarchical name."""
        return tuple(self._found(design))

    def _found(self, design: Design) -> Iterator[HitRegister]:
        numbers = {each.name: tuple(each.numbers) for each in self._registers.values()}
        for body, paths in design.bodies:
            own: list[str] = []

            def note(node: object, body: object = body, own: list[str] = own) -> object:
                if isinstance(node, ast.InstanceBodySymbol) and node is not body:
                    return ast.VisitAction.Skip
                if isinstance(node, ast.GenerateBlockSymbol) and node.isUninstantiated:
                    return ast.VisitAction.Skip
                if isinstance(node, ast.VariableSymbol) and node.name in numbers:
                    own.append(node.hierarchicalPath)
                return None

            body.visit(note)
            for path in own:
                inner = path.removeprefix(body.hierarchicalPath)
                bits = numbers[path.rpartition(".")[2]]
                for each in paths:
                    yield HitRegister(each + inner, len(bits), bits)

    def _condition(self, unit: Unit, span: Span, is_statement: bool, text: bytes) -> str | None:
        """Return when the two differ, in SystemVerilog; None if that cannot be written."""
        if is_statement:
            return "1'b1"
        # The larger the value that is compared, the fewer mutants seem to differ that do not: a
        # constant always differs from another, a comparison with it seldom.
        around = [
            each
            for each in unit.expressions
            if each.is_place and each.span.holds(span) and _length(each.span) <= _LONGEST
        ]
        value = next((each for each in around if _is_comparable(each)), None)
        if value is None or not all(map(_is_comparable, around)):
            return None
        whole = self._analysis.design.texts[span.file]
        mutated = [whole[value.span.start : span.start], b"(", text, b"\n)"]
        mutated += [whole[span.end : value.span.end]]
        original = whole[value.span.start : value.span.end]
        if not can_be_copied(original):
            return None
        return _different(value, original.decode("latin-1"), b"".join(mutated).decode("latin-1"))


def _is_comparable(value: Expression) -> bool:
    return value.is_integral and value.is_pure and bool(value.types)


def _length(span: Span) -> int:
    return span.end - span.start


def gross_wraps(analysis: Analysis) -> dict[Key, Wrap]:
    """Return places where each assignment of the design can assign a constant, by their unit."""
    wraps = {}
    for key, unit in analysis.units.by_key.items():
        node = unit.nodes[0]
        node = node.expr if isinstance(node, ast.ExpressionStatement) else node
        if not isinstance(node, ast.AssignmentExpression) or node.isCompound:
            continue
        if unit.process is not None and not unit.process.is_always:
            continue
        span = analysis.design.span(node.right.sourceRange)
        kind = node.left.type
        value = next((each for each in unit.expressions if each.span == span), None)
        if span is None or value is None or not kind.isIntegral or kind.isEnum:
            continue
        signs = {own[1] for own in value.inner if own is not None}
        if value.is_integral and len(signs) == 1:
            texts = {n: _SIGNED_GROSS[text] if True in signs else text for n, text in GROSS.items()}
            alternatives = [Alternative(number, text.encode()) for number, text in texts.items()]
            wraps[key] = Wrap(span, False, alternatives)
    return wraps


def _where(unit: Unit, is_statement: bool) -> Span | None:
    """Return the item beside which the register stands, None if there is no place for it."""
    if unit.process is None:
        return unit.member
    if not unit.process.is_always or not (unit.is_statement or unit.head):
        return None
    if unit.key[2] in _LOOPS and not is_statement:
        return None
    return unit.process.member


def _different(value: Expression, original: str, mutated: str) -> str:
    """Compare in every width that the value has, since a carry may show in one of them alone."""
    terms = []
    for width, signed in sorted(value.types):
        zero = f"{width}'{'s' if signed else ''}d0"
        terms.append(f"((({mutated}\n) ^ {zero}) !== (({original}\n) ^ {zero}))")
    return " || ".join(terms)


def _watching(lines: list[tuple[bytes, int]]) -> list[tuple[bytes, int]]:
    start = f"if ({SELECT} == 32'd0) begin ".encode()
    return [(start, 0), *lines, (b" end ", 0)]


def _wrap(wraps: dict[tuple[Span, bool], Wrap], span: Span) -> Wrap:
    return wraps.setdefault((span, True), Wrap(span, True))
