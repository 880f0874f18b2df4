# SPDX-License-Identifier: Apache-2.0
"""Operators on which bits are meant: selects, concatenations, casts."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from pyslang import ast, syntax

from cocotb_mutants.operators.base import Change, Example, Operator, Replacement, change
from cocotb_mutants.operators.literals import parse
from cocotb_mutants.operators.text import LONG, fit, of_operator, precedence, put
from cocotb_mutants.sites import Kind, Role, Site, unwrap
from cocotb_mutants.source import Span

__all__ = ["CAST", "CONCAT", "SELECT"]

_SHIFTS = (
    ast.BinaryOperator.LogicalShiftLeft,
    ast.BinaryOperator.LogicalShiftRight,
    ast.BinaryOperator.ArithmeticShiftLeft,
    ast.BinaryOperator.ArithmeticShiftRight,
)
# what is evaluated as wide as the cast around it
_WIDENED = (ast.BinaryExpression, ast.UnaryExpression, ast.ConditionalExpression)
_SIGNINGS = {"$signed", "$unsigned"}


def _select(site: Site) -> Iterator[Replacement]:
    node = site.node
    if isinstance(node, ast.ElementSelectExpression):
        yield from _element(site)
    elif isinstance(node, ast.RangeSelectExpression):
        if node.selectionKind == ast.RangeSelectionKind.Simple:
            yield from _part(site)
        else:
            yield from _indexed(site)


def _element(site: Site) -> Iterator[Replacement]:
    node = site.node
    index = unwrap(node.selector)
    if not node.value.type.hasFixedRange or _has_literal_offset(site, index):
        return
    bounds = node.value.type.fixedRange
    for step in (1, -1):
        value = _fixed(site, index)
        if value is not None and not bounds.lower <= value + step <= bounds.upper:
            continue
        yield change(site, _moved(site, index, step))


def _part(site: Site) -> Iterator[Replacement]:
    node = site.node
    bounds = node.value.type.fixedRange
    ends = [unwrap(node.left), unwrap(node.right)]
    values = [site.value(end) for end in ends]
    for step in (1, -1):
        if all(bounds.lower <= int(value) + step <= bounds.upper for value in values):
            left, right = (site.span_of(end.syntax) for end in ends)
            first, second = (_moved_index(site, end, step) for end in ends)
            between = site.design.text(Span(left.file, left.end, right.start))
            both = Span(left.file, left.start, right.end)
            yield change(site, put(site, site.span, both, first + between + second))


def _indexed(site: Site) -> Iterator[Replacement]:
    index = unwrap(site.node.left)
    if _has_literal_offset(site, index):
        return
    for step in (1, -1):
        yield change(site, _moved(site, index, step))


def _has_literal_offset(site: Site, index: Any) -> bool:
    """Tell whether the operator `constant` moves a variable index by one already."""
    if not isinstance(index, ast.BinaryExpression) or site.value(index) is not None:
        return False
    additive = index.op in (ast.BinaryOperator.Add, ast.BinaryOperator.Subtract)
    return additive and isinstance(unwrap(index.right), ast.IntegerLiteral)


def _fixed(site: Site, index: Any) -> int | None:
    """Return the value of an index that is the same in every iteration, else None."""
    names: list[Any] = []

    def step(node: Any) -> None:
        if isinstance(node, ast.NamedValueExpression):
            names.append(node.symbol)

    index.visit(step)
    if any(not isinstance(symbol.syntax, syntax.DeclaratorSyntax) for symbol in names):
        return None
    value = site.value(index)
    return int(value) if value is not None else None


def _moved(site: Site, index: Any, step: int) -> str:
    """Return the text of a select with its index moved by one."""
    span = site.span_of(index.syntax)
    return put(site, site.span, span, _moved_index(site, index, step))


def _moved_index(site: Site, index: Any, step: int) -> str:
    """Return the text of an index moved by one, which wraps as the index itself would."""
    text = site.text_of(index.syntax)
    literal = parse(text)
    if literal is not None:
        return literal.spelled(literal.value + step)
    if precedence(index.syntax) < of_operator("+"):
        text = f"({text})"
    one = "1" if index.type.isSigned or site.value(index) is not None else "1'b1"
    return f"{text} {'+' if step > 0 else '-'} {one}"


def _concat(site: Site) -> Iterator[Replacement]:
    own = site.syntax
    if not isinstance(own, syntax.ConcatenationExpressionSyntax) or _order_is_nothing(site):
        return
    parts = [part for part in own.expressions if isinstance(part, syntax.SyntaxNode)]
    for left, right in itertools.pairwise(parts):
        first, second = site.span_of(left), site.span_of(right)
        if not left.isEquivalentTo(right):
            pair = Span(first.file, first.start, second.end)
            between = site.design.text(Span(first.file, first.end, second.start))
            text = site.design.text(second) + between + site.design.text(first)
            if len(site.text) > LONG:
                yield (Change(pair, text),)
            else:
                yield change(site, put(site, site.span, pair, text))


def _order_is_nothing(site: Site) -> bool:
    """Tell whether only the bits of a concatenation count, not their places."""
    return site.role in (Role.CONDITION, Role.PREDICATE) or (
        isinstance(site.parent, ast.UnaryExpression)
        and (site.parent.op == ast.UnaryOperator.LogicalNot or site.parent.type.bitWidth == 1)
    )


def _cast(site: Site) -> Iterator[Replacement]:
    node, own = site.node, site.syntax
    match node:
        case ast.ConversionExpression() if isinstance(own, syntax.CastExpressionSyntax):
            inner, operand = own.right.expression, unwrap(node.operand)
        case ast.ConversionExpression() if isinstance(own, syntax.SignedCastExpressionSyntax):
            inner, operand = own.inner.expression, unwrap(node.operand)
        case ast.CallExpression() if node.subroutineName in _SIGNINGS:
            inner, operand = _argument(own), unwrap(node.arguments[0])
        case _:
            return
    # `(a + b)[3]`, without the cast, is no SystemVerilog
    selected = isinstance(own.parent, syntax.ElementSelectExpressionSyntax)
    if not selected and not _changes_nothing(site, operand):
        yield change(site, fit(site, site.text_of(inner), precedence(inner)))


def _argument(call: Any) -> Any:
    """Return the syntax of the only argument of `$signed` or `$unsigned`."""
    return call.arguments.parameters[0].expr.expr.expr


def _changes_nothing(site: Site, operand: Any) -> bool:
    """Tell whether what is around a cast converts to the same value by itself."""
    cast = site.node.type
    leaf = not isinstance(operand, _WIDENED)
    if (leaf and cast.isMatching(operand.type)) or _is_unsigned_anyhow(site, operand):
        return True
    if not isinstance(site.parent, ast.AssignmentExpression) or not cast.isIntegral:
        return False
    target = site.parent.left.type
    if not (target.isIntegral and operand.type.isIntegral):
        return False
    if leaf:
        extended = operand.type.bitWidth <= cast.bitWidth and operand.type.isSigned == cast.isSigned
        return bool(target.bitWidth <= cast.bitWidth or extended)
    return bool(target.bitWidth == cast.bitWidth <= operand.type.bitWidth)


def _is_unsigned_anyhow(site: Site, operand: Any) -> bool:
    """Tell whether a cast to unsigned stands beside an unsigned operand that is not wider."""
    parent = site.parent
    if not isinstance(parent, ast.BinaryExpression) or site.node.type.isSigned:
        return False
    others = [unwrap(side) for side in (parent.left, parent.right)]
    return (
        all(not other.type.isSigned for other in others)
        and site.outer.type.bitWidth == site.node.type.bitWidth == operand.type.bitWidth
        and parent.op not in _SHIFTS
    )


SELECT = Operator(
    "select",
    "selection",
    "A select takes the bit, word or part beside the right one.",
    (
        Example("assign f = a[3];"),
        Example("assign f = a[b[2:0]];"),
        Example("assign n = a[5:2];"),
        Example("assign n = a[b[1:0] +: 4];"),
    ),
    (Kind.EXPRESSION,),
    _select,
)
CONCAT = Operator(
    "concat",
    "selection",
    "Two neighbouring parts of a concatenation are exchanged.",
    (Example("assign y = {n, b[3:0]};"),),
    (Kind.EXPRESSION,),
    _concat,
)
CAST = Operator(
    "cast",
    "selection",
    "A cast of size, sign or type is lost.",
    (Example("assign f = 4'(a) == n;"), Example("assign f = $signed(a) < s;")),
    (Kind.EXPRESSION,),
    _cast,
)
