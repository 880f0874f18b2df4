# SPDX-License-Identifier: Apache-2.0
"""Walk expressions and keep the sites that are met: the lower half of `walk`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyslang
from pyslang import ast

from cocotb_mutants.sites import Context, Kind, Role, Site, bare, base_name, unwrap
from cocotb_mutants.source import Design, Span
from cocotb_mutants.statements import first_target

__all__ = ["ExpressionWalker"]

_UNEVALUATED = {
    "$bits", "$size", "$high", "$low", "$left", "$right", "$dimensions", "$unpacked_dimensions",
    "$increment", "$typename", "$isunbounded",
}  # fmt: skip
_LEAVES = (
    ast.NamedValueExpression,
    ast.IntegerLiteral,
    ast.UnbasedUnsizedIntegerLiteral,
)


class ExpressionWalker:
    """The sites met so far, by kind and place, and the places that cannot be sites.

    A module is walked once for each set of parameters; what was met before is kept as it was.
    """

    def __init__(self, design: Design) -> None:
        self.design = design
        self.sites: dict[tuple[Kind, Span], Site] = {}
        self.in_macro: set[tuple[int, int, str]] = set()
        self.in_included: set[tuple[int, int, str]] = set()

    def expression(self, outer: Any, role: Role, parent: Any, context: Context) -> None:
        """Walk an expression, as `parent` uses it."""
        node = unwrap(outer)

        def walk(children: Iterable[Any], role: Role = Role.VALUE) -> None:
            for child in children:
                self.expression(child, role, node, context)

        if isinstance(node, ast.AssignmentExpression):
            self.assignment(node, outer, role, parent, context)
            return
        same = Role.TARGET if role is Role.TARGET else Role.VALUE
        self.site(node, outer, role, parent, context)
        match node:
            case ast.ConversionExpression():
                walk([node.operand])
            case ast.BinaryExpression():
                walk([node.left, node.right])
            case ast.UnaryExpression():
                step = node.syntax is not None and "crement" in node.op.name
                walk([node.operand], Role.TARGET if step else Role.VALUE)
            case ast.ConditionalExpression():
                walk([condition.expr for condition in node.conditions], Role.PREDICATE)
                walk([node.left, node.right])
            case ast.CallExpression():
                if node.subroutineName not in _UNEVALUATED:
                    walk(node.arguments)
            case ast.ConcatenationExpression():
                walk(node.operands, same)
            case ast.ReplicationExpression():
                walk([node.concat])
            case ast.ElementSelectExpression():
                walk([node.value], same)
                self.index(node.selector, node, context)
            case ast.RangeSelectExpression():
                walk([node.value], same)
                if node.selectionKind != ast.RangeSelectionKind.Simple:
                    self.index(node.left, node, context)
            case ast.MemberAccessExpression():
                walk([node.value], same)
            case ast.InsideExpression():
                walk([node.left, *node.rangeList])
            case ast.ValueRangeExpression():
                walk([node.left, node.right])
            case ast.AssignmentPatternExpressionBase():
                walk(node.elements)
            case ast.StreamingConcatenationExpression():
                walk([stream.operand for stream in node.streams], same)
            case _:
                return

    def index(self, selector: Any, parent: Any, context: Context) -> None:
        """Walk an index, unless it is constant: then moving it by one is all there is to do."""
        if not selector.eval(ast.EvalContext(self.design.root)):
            self.expression(selector, Role.INDEX, parent, context)

    def assignment(self, node: Any, outer: Any, role: Role, parent: Any, context: Context) -> None:
        """Walk both sides of an assignment; `+=` and the like are sites themselves."""
        self.expression(node.left, Role.TARGET, node, context)
        if node.isNonBlocking:
            self._register(node.left, context)
        if not node.isCompound:
            if not isinstance(node.right, ast.EmptyArgumentExpression):
                self.expression(node.right, Role.VALUE, node, context)
            return
        self.site(node, outer, role, parent, context)
        self.expression(unwrap(node.right).right, Role.VALUE, node, context)

    def _register(self, target: Any, context: Context) -> None:
        target = unwrap(target)
        if isinstance(target, ast.ConcatenationExpression):
            for operand in target.operands:
                self._register(operand, context)
            return
        while hasattr(target, "value") and not isinstance(target, ast.ValueExpressionBase):
            target = unwrap(target.value)
        if isinstance(target, ast.NamedValueExpression):
            context.facts.registers[target.symbol] = None

    def site(self, node: Any, outer: Any, role: Role, parent: Any, context: Context) -> None:
        """Add the site that an expression is, at the token that makes it one."""
        own = bare(node.syntax)
        token = getattr(own, "operatorToken", None) or getattr(own, "question", None)
        self.add(
            Kind.EXPRESSION, node, own, context,
            role=role, parent=parent, outer=outer, token=token or node,
        )  # fmt: skip

    def add(
        self, kind: Kind, node: Any, own: Any, context: Context, *,
        role: Role = Role.VALUE, parent: Any = None, outer: Any = None,
        token: Any = None, span: Span | None = None,
    ) -> None:  # fmt: skip
        """Add a site, unless the token that makes it one does not stand in a listed file."""
        where = _range(token if token is not None else (own if own is not None else node))
        if not self._stands(where, node):
            self._count(kind, node, where.start)
            return
        if span is None:
            span = self._span(_range(own if own is not None else node))
        if span is not None:
            self.sites.setdefault(
                (kind, span),
                Site(self.design, kind, node, own, span, context, role, parent, outer),
            )

    def _count(self, kind: Kind, node: Any, start: Any) -> None:
        """Count what is no site: each operator, constant or statement once, but no plain reads."""
        if kind in (Kind.DRIVER, Kind.CONDITION) or isinstance(node, ast.NamedValueExpression):
            return
        key = (start.buffer.id, start.offset, type(node).__name__)
        included = self._span(pyslang.SourceRange(start, start)) is None
        (self.in_included if included else self.in_macro).add(key)

    def _stands(self, where: Any, node: Any) -> bool:
        if isinstance(node, _LEAVES):
            return self.design.literal(where)
        return self.design.literal(where.start) or self.design.literal(where.end)

    def _span(self, where: Any) -> Span | None:
        return self.design.span(where)

    def _from(self, start: Any, end: Any) -> Span | None:
        return self._span(pyslang.SourceRange(_range(start).start, _range(end).end))

    def _header(self, start: Any, body: Any) -> Span | None:
        """Return the text from `start` to the first target that `body` assigns."""
        target = first_target(body)
        return self._from(start, target) if target is not None else self._span(_range(start))

    def _headline(self, statement: Any, context: Context) -> tuple[str, Span | None]:
        """Return the name and anchor of an `if`, `case` or loop."""
        target = first_target(statement)
        name = base_name(target) if target is not None else context.label
        own = statement.syntax if statement.syntax is not None else statement
        return name, self._header(own, statement)


def _range(piece: Any) -> Any:
    return piece.range if hasattr(piece, "valueText") else piece.sourceRange
