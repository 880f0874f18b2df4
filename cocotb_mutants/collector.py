# SPDX-License-Identifier: Apache-2.0
"""Cut a design into its units, and find their parts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Any

from pyslang import ast, syntax

from cocotb_mutants.source import Design, Span
from cocotb_mutants.units import STATIC, Expression, Key, Process, Unit, Units

__all__ = ["collect", "values_of"]

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
_AROUND_MEMBERS = (
    syntax.CompilationUnitSyntax,
    syntax.GenerateBlockSyntax,
    syntax.GenerateRegionSyntax,
    syntax.ModuleDeclarationSyntax,
)


def collect(design: Design, *, values: bool = True) -> Units:
    """Walk `design` once and return its units.

    Without `values` these have no expressions, and are in no process.
    """
    return _Collector(design, values=values).units()


def values_of(design: Design, nodes: Iterable[Any]) -> dict[Span, Expression]:
    """Return the values in units' own words, by their text."""
    return _Collector(design, values=True).values(nodes)


class _Collector:
    def __init__(self, design: Design, *, values: bool) -> None:
        self._design = design
        self._values = values
        self._units: dict[Key, Unit] = {}
        self._statements: dict[tuple[str, int], list[Any]] = {}
        self._expressions: dict[Span, Expression] = {}
        self._processes: dict[Span, Process] = {}
        self._impure: list[Span] = []
        self._heads: dict[Span, Key] = {}
        self._declared: list[object] = []
        self._converted: Span | None = None
        self._last: tuple[Span, Any] | None = None

    def units(self) -> Units:
        self._design.visit(self._visit)
        if self._values:
            self._spread_impurity()
            self._place_in_processes()
            self._share_out()
        return Units(self._units, self._statements, tuple(self._declared))

    def values(self, nodes: Iterable[Any]) -> dict[Span, Expression]:
        for outer in nodes:

            def step(node: Any, outer: Any = outer) -> object:
                if isinstance(node, ast.Expression):
                    self._expression(node)
                elif isinstance(node, ast.Statement) and node is not outer:
                    return ast.VisitAction.Skip
                return None

            outer.visit(step)
        return self._expressions

    def _visit(self, node: Any) -> object:
        if isinstance(node, ast.Statement):
            self._statement(node)
        elif isinstance(node, ast.Expression):
            if not self._values:
                return ast.VisitAction.Skip
            self._expression(node)
        elif isinstance(node, ast.Symbol):
            self._symbol(node)
        return None

    def _span(self, node: Any) -> Span | None:
        # The front end only warns of some of what is bad, which then has no place.
        return None if node.bad else self._design.span(node.sourceRange)

    def _symbol(self, node: Any) -> None:
        kind = getattr(node, "type", None)
        value = node.value if isinstance(node, ast.ParameterSymbol) else ""
        lifetime = str(getattr(node, "lifetime", ""))
        if isinstance(node, ast.ValueSymbol | ast.GenerateBlockSymbol | ast.InstanceSymbol):
            told = str(kind.canonicalType) if kind is not None else ""
            self._declared.append((type(node).__name__, node.name, told, str(value), lifetime))
        if isinstance(node, _PROCEDURES):
            self._process(node)
        elif isinstance(node, ast.ContinuousAssignSymbol):
            self._add(node.assignment, "assign", node.assignment, _member(self._design, node))
        elif isinstance(node, ast.NetSymbol) and node.initializer is not None:
            self._add(node.initializer, "net", node, _member(self._design, node))
        elif isinstance(node, ast.InstanceSymbol):
            self._connections(node)

    def _statement(self, node: Any) -> None:
        span = self._span(node)
        if span is None:
            return
        first = self._statements.setdefault((span.file, span.start), [])
        if self._last is None or self._last[0].start != span.start or not _inside(self._last, span):
            first.append(node)
        self._last = (span, node)
        if isinstance(node, ast.ConditionalStatement) and node.check != _UNCHECKED:
            self._chain(node, (span.file, span.start, type(node).__name__))
        if not isinstance(node, _CONTAINERS):
            kind = type(node).__name__
            if isinstance(node, ast.VariableDeclStatement):
                kind = STATIC if node.symbol.lifetime is ast.VariableLifetime.Static else kind
            self._note(span, kind, node, None)

    def _chain(self, node: Any, head: Key) -> None:
        while isinstance(node.ifFalse, ast.ConditionalStatement):
            node = node.ifFalse
            span = self._span(node)
            if span is not None:
                self._heads.setdefault(span, head)

    def _add(self, node: Any, kind: str, owner: Any, member: Span | None) -> None:
        span = self._span(node)
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
            span = self._span(expression)
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
        span = self._span(node)
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
        own = (kind.bitWidth, kind.isSigned) if kind.isIntegral else None
        if own is None:
            known.is_integral = False
        else:
            known.types.add(own)
        if self._converted != span:
            known.outer.append(own)
        if isinstance(node, ast.ConversionExpression) and node.isImplicit:
            self._converted = span
        else:
            self._converted = None
            known.inner.append(own)

    def _no_place(self, node: Any) -> None:
        span = self._span(node)
        if span is not None:
            self._expressions.setdefault(span, Expression(span)).is_place = False
        if isinstance(node, ast.ConcatenationExpression):
            for each in node.operands:
                self._no_place(each)

    def _process(self, node: Any) -> None:
        if node.syntax is None:
            return
        span = self._design.span(node.syntax.sourceRange)
        if span is None:
            return
        if span not in self._processes:
            is_block = isinstance(node, ast.ProceduralBlockSymbol)
            kind = node.procedureKind.name if is_block else "Subroutine"
            timing = node.body.timing if isinstance(node.body, ast.TimedStatement) else None
            self._processes[span] = Process(
                span,
                kind,
                _member(self._design, node),
                is_implicit=isinstance(timing, ast.ImplicitEventControl),
            )
        self._processes[span].bodies.append(node.body)

    def _spread_impurity(self) -> None:
        """Mark what holds something impure."""
        impure = [(span.file, span.start, -span.end, 1, span) for span in self._impure]
        values = [(span.file, span.start, -span.end, 0, span) for span in self._expressions]
        around: list[Span] = []
        for _, _, _, is_impure, span in sorted([*values, *impure]):
            around = [each for each in around if each.file == span.file and each.end > span.start]
            if is_impure:
                for each in around:
                    if each.holds(span):
                        self._expressions[each].is_pure = False
            else:
                around.append(span)

    def _place_in_processes(self) -> None:
        processes = sorted(self._processes.values(), key=lambda each: each.span)
        starts = [(each.span.file, each.span.start) for each in processes]
        for unit in self._units.values():
            at = bisect_right(starts, (unit.span.file, unit.span.start)) - 1
            if at >= 0 and processes[at].span.holds(unit.span):
                unit.process = processes[at]
            if unit.key[2] == ast.ConditionalStatement.__name__:
                unit.head = self._heads.get(unit.span)

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
    if node is None or not isinstance(node.parent, _AROUND_MEMBERS):
        return None
    return design.span(node.sourceRange)
