# SPDX-License-Identifier: Apache-2.0
"""Cut a design into units, a statement's own words or a connection each, and find their parts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pyslang import ast, syntax

from cocotb_mutants.mutant import Edit
from cocotb_mutants.source import Design, Span

__all__ = ["Expression", "Key", "Process", "Unit", "Units", "collect"]

Key = tuple[str, int, str]
"""File, offset of the first byte, and what kind of unit it is."""

_NO_CHOICE = ("VariableDeclStatement", "TimedStatement")
_UNCHECKED = ast.UniquePriorityCheck(0)
_CONTAINERS = (ast.StatementList, ast.BlockStatement)
_SELECTS = (ast.ElementSelectExpression, ast.RangeSelectExpression, ast.MemberAccessExpression)
_PROCEDURES = (ast.ProceduralBlockSymbol, ast.SubroutineSymbol)
_PURE_CALLS = frozenset({"$signed", "$unsigned", "$clog2", "$bits", "$countones", "$onehot"})
_STEPS = frozenset({"Preincrement", "Predecrement", "Postincrement", "Postdecrement"})
_MEMBERS = (
    syntax.ContinuousAssignSyntax,
    syntax.NetDeclarationSyntax,
    syntax.HierarchyInstantiationSyntax,
    syntax.ProceduralBlockSyntax,
)


@dataclass(frozen=True)
class Process:
    """An `always`, `initial` or `final` process, or a function or task.

    `member` is the text of the whole; None where no declaration can stand before it.
    """

    span: Span
    kind: str
    member: Span | None

    @property
    def is_always(self) -> bool:
        """Whether it is one of the `always` kinds."""
        return self.kind.startswith("Always")


@dataclass
class Expression:
    """A value in the text.

    `types` are width and sign in each parameterisation it occurs in. `is_place` is False for
    what is assigned to or selected from, and for assignments: no choice can be written there.
    """

    span: Span
    types: set[tuple[int, bool]] = field(default_factory=set)
    is_place: bool = True
    is_integral: bool = True
    is_pure: bool = True
    is_constant: bool = True


@dataclass
class Unit:
    """A statement, a continuous assignment, or what is connected to an input.

    `nodes` are its elaborated forms, one for each parameterisation and generate iteration, in
    the order of the walk. `span` is all of its text, `expressions` the values in its own words
    (inner statements have their own units), larger ones first. `process` is None outside
    procedural code; `member` is then the text of the item it stands in, if a declaration can
    follow that.
    """

    key: Key
    span: Span
    nodes: list[Any]
    process: Process | None
    member: Span | None
    expressions: list[Expression] = field(default_factory=list)
    is_in_unique: bool = False

    @property
    def is_statement(self) -> bool:
        """Whether it may become a block with a choice in it."""
        return self.process is not None and self.key[2] not in _NO_CHOICE


class Units:
    """All units of a design, to be looked up by key or by the bytes of an edit."""

    def __init__(self, units: dict[Key, Unit], statements: dict[tuple[str, int], list[Any]]):
        self.by_key = units
        self.statements = statements
        self._sorted: dict[str, list[Unit]] = {}
        for unit in units.values():
            self._sorted.setdefault(unit.span.file, []).append(unit)
        for each in self._sorted.values():
            each.sort(key=lambda unit: (unit.span.start, -unit.span.end))
        self._starts = {
            file: [unit.span.start for unit in each] for file, each in self._sorted.items()
        }

    def smallest(self, edit: Edit) -> Unit | None:
        """Return the smallest unit that holds all bytes of `edit`, or None."""
        units = self._sorted.get(edit.file, [])
        last = bisect_right(self._starts.get(edit.file, []), edit.start)
        wanted = Span(edit.file, edit.start, edit.end)
        holding = [unit for unit in units[:last] if unit.span.holds(wanted)]
        return min(holding, key=lambda unit: unit.span.end - unit.span.start, default=None)


def collect(design: Design) -> Units:
    """Walk `design` once and return its units."""
    return _Collector(design).units()


class _Collector:
    def __init__(self, design: Design) -> None:
        self._design = design
        self._units: dict[Key, Unit] = {}
        self._statements: dict[tuple[str, int], list[Any]] = {}
        self._expressions: dict[Span, Expression] = {}
        self._processes: list[Process] = []
        self._spans: set[Span] = set()
        self._impure: list[Span] = []
        self._unique: list[Span] = []
        self._last: tuple[Span, Any] | None = None

    def units(self) -> Units:
        self._design.visit(self._visit)
        for span in self._impure:
            for each in self._expressions.values():
                if each.span.holds(span):
                    each.is_pure = False
        self._place_in_processes()
        self._share_out()
        return Units(self._units, self._statements)

    def _visit(self, node: Any) -> object:
        if isinstance(node, ast.Statement):
            self._statement(node)
        elif isinstance(node, ast.Expression):
            self._expression(node)
        elif isinstance(node, _PROCEDURES):
            self._process(node)
        elif isinstance(node, ast.ContinuousAssignSymbol):
            self._add(node.assignment, "assign", node.assignment, _member(self._design, node))
        elif isinstance(node, ast.NetSymbol) and node.initializer is not None:
            self._add(node.initializer, "net", node, _member(self._design, node))
        elif isinstance(node, ast.InstanceSymbol):
            self._connections(node)
        return None

    def _statement(self, node: Any) -> None:
        span = self._design.span(node.sourceRange)
        if span is None:
            return
        first = self._statements.setdefault((span.file, span.start), [])
        if self._last is None or self._last[0].start != span.start or not _inside(self._last, span):
            first.append(node)
        self._last = (span, node)
        if getattr(node, "check", _UNCHECKED) is not _UNCHECKED:
            self._unique.append(span)
        if not isinstance(node, _CONTAINERS):
            self._note(span, type(node).__name__, node, None)

    def _add(self, node: Any, kind: str, owner: Any, member: Span | None) -> None:
        span = self._design.span(node.sourceRange)
        if span is None:
            return
        start = span.start
        if kind == "net":
            start = owner.location.offset
        self._note(span, kind, node, member, start)

    def _connections(self, node: Any) -> None:
        member = _member(self._design, node)
        where = node.location
        for connection in node.portConnections:
            port = connection.port
            expression = connection.expression
            if expression is None or not isinstance(port, ast.PortSymbol):
                continue
            if port.direction is not ast.ArgumentDirection.In:
                continue
            span = self._design.span(expression.sourceRange)
            if span is not None:
                self._note(span, f"connection {port.name}", expression, member, where.offset)

    def _note(
        self, span: Span, kind: str, node: Any, member: Span | None, start: int | None = None
    ) -> None:
        key = (span.file, span.start if start is None else start, kind)
        if key in self._units:
            self._units[key].nodes.append(node)
        else:
            self._units[key] = Unit(key, span, [node], None, member)

    def _expression(self, node: Any) -> None:
        span = self._design.span(node.sourceRange)
        if span is None:
            return
        if _is_impure(node):
            self._impure.append(span)
        known = self._expressions.setdefault(span, Expression(span))
        if isinstance(node, ast.AssignmentExpression):
            known.is_place = False
            self._no_place(node.left)
        elif isinstance(node, _SELECTS):
            self._no_place(node.value)
        kind = node.type
        if not kind.isIntegral:
            known.is_integral = False
        else:
            known.types.add((kind.bitWidth, kind.isSigned))
        if node.constant is None and not isinstance(
            node, ast.IntegerLiteral | ast.UnbasedUnsizedIntegerLiteral | ast.ConversionExpression
        ):
            known.is_constant = False

    def _no_place(self, node: Any) -> None:
        span = self._design.span(node.sourceRange)
        if span is not None:
            self._expressions.setdefault(span, Expression(span)).is_place = False

    def _process(self, node: Any) -> None:
        if node.syntax is None:
            return
        span = self._design.span(node.syntax.sourceRange)
        if span is None or span in self._spans:
            return
        self._spans.add(span)
        kind = (
            node.procedureKind.name if isinstance(node, ast.ProceduralBlockSymbol) else "Subroutine"
        )
        self._processes.append(Process(span, kind, _member(self._design, node)))

    def _place_in_processes(self) -> None:
        processes = sorted(self._processes, key=lambda each: each.span)
        starts = [(each.span.file, each.span.start) for each in processes]
        for unit in self._units.values():
            at = bisect_right(starts, (unit.span.file, unit.span.start)) - 1
            if at >= 0 and processes[at].span.holds(unit.span):
                unit.process = processes[at]
            unit.is_in_unique = any(
                span.holds(unit.span) and span != unit.span for span in self._unique
            )

    def _share_out(self) -> None:
        """Give each expression to the smallest unit around it."""
        by_file: dict[str, list[tuple[int, int, int, Any]]] = {}
        for unit in self._units.values():
            by_file.setdefault(unit.span.file, []).append(
                (unit.span.start, -unit.span.end, 0, unit)
            )
        for each in self._expressions.values():
            by_file.setdefault(each.span.file, []).append(
                (each.span.start, -each.span.end, 1, each)
            )
        for items in by_file.values():
            open_units: list[Unit] = []
            for start, minus_end, _, item in sorted(items, key=lambda each: each[:3]):
                while open_units and open_units[-1].span.end < max(-minus_end, start + 1):
                    open_units.pop()
                if isinstance(item, Unit):
                    open_units.append(item)
                elif open_units:
                    open_units[-1].expressions.append(item)


def _inside(outer: tuple[Span, Any], span: Span) -> bool:
    return outer[0].holds(span)


def _is_impure(node: Any) -> bool:
    if isinstance(node, ast.CallExpression):
        return not (node.isSystemCall and node.subroutineName in _PURE_CALLS)
    if isinstance(node, ast.UnaryExpression):
        return node.op.name in _STEPS
    return isinstance(node, ast.AssignmentExpression)


def _member(design: Design, symbol: Any) -> Span | None:
    """Return the text of the item of a module or block around `symbol`.

    None where it is the only item of a generate construct without `begin`, so that nothing can
    be put beside it.
    """
    node = symbol.syntax
    while node is not None and not isinstance(node, _MEMBERS):
        node = node.parent
    if node is None or not isinstance(
        node.parent, syntax.ModuleDeclarationSyntax | syntax.GenerateBlockSyntax | _LIST
    ):
        return None
    return design.span(node.sourceRange)


_LIST = syntax.CompilationUnitSyntax


def expressions_around(unit: Unit, edits: Iterable[Edit]) -> Iterator[Expression]:
    """Yield the values of `unit` that hold all `edits`, the smallest first."""
    edits = list(edits)
    holding = [
        each
        for each in unit.expressions
        if all(each.span.holds(Span(e.file, e.start, e.end)) for e in edits)
    ]
    yield from sorted(holding, key=lambda each: each.span.end - each.span.start)
